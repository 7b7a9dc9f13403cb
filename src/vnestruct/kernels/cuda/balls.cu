// Entropies of balls of any size: one block of threads a ball.
//
// Level by level the block searches the ball (block_ball.cuh); for each radius that is wanted it copies the rows of
// the induced graph (block_rows.cuh) and runs Lanczos on them (lanczos.cuh). A ball that does not fit the scratch
// memory of a block is handed on to the next queue.
//
// Compile with BLOCK_THREADS, BLOCKS_PER_PROCESSOR, WITH_WEIGHTS, WITH_TWINS, and SHORT_COLUMNS where the graph has
// fewer than 65,536 nodes, so that local ids take two bytes.
#include "block_ball.cuh"
#include "block_rows.cuh"
#include "lanczos.cuh"

// Writes the outputs of a listed ball of k members; false if it does not fit.
__device__ __forceinline__ bool describe(const Job* job, const Space& space, int k, double* values) {
    __shared__ double ritz[2];
    Totals totals;
    int nodes = k;
    if (!build_rows(job, space, k, totals, nodes)) return false;
    if (!job->with_largest) {
        if (Block::thread() == 0) outputs_of(job).write(nodes, totals, 0.0, values, job->radius);
        return true;
    }
    Local g;
    g.k = k;
    g.wide = members_below(job, space, k, job->wide_rank);
    g.start = space.start;
    g.length = space.length;
    g.strength = space.strength;
    g.copies = space.copies;
    g.columns = space.columns;
    g.weights = space.weights;
    g.near = space.near;
    g.cap = (int)job->near_entries;
    g.far = space.far;
    g.other = space.other;
    Facts facts;
    find_hub<Block>(g, space.ball, facts);
    double largest = nodes;
    // A node joined to all others fixes the largest eigenvalue of an unweighted graph.
    if (WITH_WEIGHTS || facts.largest + 1.0 < nodes) {
        int last = (int)min(job->most_steps, 2ll * k + 64) - 1;
        largest = largest_eigenvalue<Block, Local, WITH_WEIGHTS>(g, space.ball, facts, job->tolerance, space.alpha,
                                                             space.beta2, last, false, ritz);
    }
    if (Block::thread() == 0) outputs_of(job).write(nodes, totals, largest, values, job->radius);
    return true;
}

// Fills the row of one node, or of its component (as radius 1); false if a ball does not fit.
__device__ __forceinline__ bool fill_row(const Job* job, const Space& space, int ball, int* count) {
    int centre = job->work[ball];
    int radius = (int)job->radius;
    double* row = start_row(job, ball, Block::thread() == 0);
    insert(job, space, centre, Block::thread() == 0, count);
    __syncthreads();
    int begin = 0, end = 1;
    for (int r = 1; r <= radius; r++) {
        int k;
        do {
            next_level(job, space, begin, end, count);
            k = *count;
            // All have read it before the next level adds to it.
            __syncthreads();
            if (k > job->most_nodes) return false;
            begin = end;
            end = k;
        } while (job->by_component && end > begin);
        if (r < job->smallest) continue;
        // A ball that did not grow keeps its value; one that is all of its component is computed once for all.
        bool grew = job->by_component || end > begin || grows_unseen(job, centre, r);
        bool waits = grew && !job->by_component && k == job->component_size[job->component[centre]];
        if (grew && !waits) {
            list_members(job, space);
            if (!describe(job, space, k, row + r - 1)) return false;
        } else if (Block::thread() == 0) {
            carry_on(job, row, r, waits);
        }
        __syncthreads();
    }
    return true;
}

extern "C" __global__ void __launch_bounds__(BLOCK_THREADS, BLOCKS_PER_PROCESSOR) balls(const Job* __restrict__ job) {
    extern __shared__ __align__(16) unsigned char shared[];
    __shared__ int next;
    __shared__ int count;
    Space space = make_space(job, shared);
    int n_words = (int)((job->n_nodes + 31) / 32);
    for (int w = Block::thread(); w < n_words; w += BLOCK_THREADS) space.words[w] = 0;
    while (true) {
        __syncthreads();
        if (Block::thread() == 0) {
            next = *job->cancel ? 0x7fffffff : atomicAdd(job->taken, 1);
            count = 0;
        }
        __syncthreads();
        if (next >= *job->queue_length) return;
        int ball = job->queue[next];
        bool fits = fill_row(job, space, ball, &count);
        if (!fits && Block::thread() == 0) hand_on(job, ball);
        __syncthreads();
        if (count <= job->most_nodes) {
            for (int x = Block::thread(); x < count; x += BLOCK_THREADS) space.words[space.found[x] >> 5] = 0;
        } else {
            for (int w = Block::thread(); w < n_words; w += BLOCK_THREADS) space.words[w] = 0;
        }
    }
}
