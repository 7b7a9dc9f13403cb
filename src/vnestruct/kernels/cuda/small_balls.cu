// Entropies of small balls: one warp per ball, everything in shared memory.
//
// The warp searches level by level. A hash table maps ranks to local ids; rows are visited one after the other and new
// nodes are numbered in the order of the row, so numbering, and with it every sum, is the same in every run. The local
// rows (local_graph.cuh) are then copied out of the graph by looking each neighbour up in the table, and Lanczos
// (lanczos.cuh) runs on them. A ball that does not fit is handed on to the next queue, untouched.
//
// Compile with MOST_NODES (a power of two), MOST_ARCS (a multiple of four), MOST_STEPS and WITH_WEIGHTS.
#include "entropy.cuh"
#include "job.cuh"
#include "lanczos.cuh"
#include "local_graph.cuh"
#include "team.cuh"

#define SLOTS (2 * MOST_NODES)

using Warp = Team<32>;
using Local = LocalGraph<unsigned short, WITH_WEIGHTS, true>;

struct Pool {
    double near[MOST_NODES + 2];
    double other[MOST_NODES];
    double alpha[MOST_STEPS];
    double beta2[MOST_STEPS];
    double ritz[2];
#if WITH_WEIGHTS
    double weights[MOST_ARCS];
    double strength[MOST_NODES];
#endif
    __align__(16) unsigned short columns[MOST_ARCS];
    int keys[SLOTS];
    int members[MOST_NODES];
    int start[MOST_NODES];
    int length[MOST_NODES];
    unsigned short ids[SLOTS];
};

__device__ __forceinline__ unsigned slot_of(int key) { return ((unsigned)key * 2654435769u) >> 16 & (SLOTS - 1); }

// Looks a rank up; -1 if it is not in the ball.
__device__ __forceinline__ int find(const Pool& pool, int key) {
    unsigned slot = slot_of(key);
    while (true) {
        int there = pool.keys[slot];
        if (there == key) return pool.ids[slot];
        if (there < 0) return -1;
        slot = (slot + 1) & (SLOTS - 1);
    }
}

// Adds the neighbours of one node to the ball; returns the new count, or -1 if they do not fit.
__device__ __forceinline__ int add_row(const Job* job, Pool& pool, int u, int count, int lane) {
    long long end = job->search_indptr[u + 1];
    for (long long base = job->search_indptr[u]; base < end; base += 32) {
        bool is_new = false;
        unsigned slot = 0;
        int key = -1;
        if (base + lane < end) {
            key = job->search_indices[base + lane];
            slot = slot_of(key);
            while (true) {
                int there = pool.keys[slot];
                // A table that is half full before a row of 32 has room for the row.
                if (there < 0) there = atomicCAS(&pool.keys[slot], -1, key);
                is_new = there < 0;
                if (is_new || there == key) break;
                slot = (slot + 1) & (SLOTS - 1);
            }
        }
        unsigned fresh = __ballot_sync(FULL, is_new);
        if (count + __popc(fresh) > MOST_NODES) return -1;
        if (is_new) {
            int id = count + __popc(fresh & ((1u << lane) - 1));
            pool.ids[slot] = (unsigned short)id;
            pool.members[id] = key;
        }
        count += __popc(fresh);
        __syncwarp();
    }
    return count;
}

// Copies the rows of the induced graph; returns its arcs, or -1 if they do not fit. `squares` receives Tr(L**2).
__device__ __forceinline__ int build_rows(const Job* job, Pool& pool, int k, int lane, double& trace,
                                          double& squares) {
    int cursor = 0;
    int arcs = 0;
    long long degrees2 = 0;
    trace = 0.0;
    squares = 0.0;
    for (int i = 0; i < k; i++) {
        int u = pool.members[i];
        long long begin = job->indptr[u];
        long long end = job->indptr[u + 1];
        int from = cursor;
#if WITH_WEIGHTS
        double strength = 0.0;
        double weights2 = 0.0;
#endif
        for (long long base = begin; base < end; base += 32) {
            int id = base + lane < end ? find(pool, job->indices[base + lane]) : -1;
            unsigned hits = __ballot_sync(FULL, id >= 0);
            if (cursor + __popc(hits) + 3 > MOST_ARCS) return -1;
            int place = cursor + __popc(hits & ((1u << lane) - 1));
            if (id >= 0) {
                pool.columns[place] = (unsigned short)id;
#if WITH_WEIGHTS
                double weight = job->weights[base + lane];
                pool.weights[place] = weight;
                strength += weight;
                weights2 += weight * weight;
#endif
            }
            cursor += __popc(hits);
        }
        int length = cursor - from;
        if (lane < (-length & 3)) {
            pool.columns[cursor + lane] = (unsigned short)k;
#if WITH_WEIGHTS
            pool.weights[cursor + lane] = 0.0;
#endif
        }
        cursor = from + ((length + 3) & ~3);
        arcs += length;
        degrees2 += (long long)length * length;
#if WITH_WEIGHTS
        strength = Warp::sum(strength);
        weights2 = Warp::sum(weights2);
        trace += strength;
        squares += strength * strength + weights2;
        if (lane == 0) pool.strength[i] = strength;
#endif
        if (lane == 0) {
            pool.start[i] = from;
            pool.length[i] = length;
        }
    }
    if (!WITH_WEIGHTS) {
        trace = (double)arcs;
        squares = (double)(degrees2 + arcs);
    }
    __syncwarp();
    return arcs;
}

// Returns the entropy of the ball of the first k members, or NaN where its component will tell, or -1 if it does not
// fit.
__device__ double entropy_of(const Job* job, Pool& pool, int k, int centre, int lane) {
    if (k == job->component_size[job->component[centre]]) return nan("");
    double trace;
    double squares;
    int arcs = build_rows(job, pool, k, lane, trace, squares);
    if (arcs < 0) return -1.0;
    if (!job->approximate) return quadratic_entropy(trace, squares);
    Local g;
    g.k = k;
    g.wide = 0;
    g.start = pool.start;
    g.length = pool.length;
    g.columns = pool.columns;
#if WITH_WEIGHTS
    g.strength = pool.strength;
    g.weights = pool.weights;
#else
    g.strength = nullptr;
    g.weights = nullptr;
#endif
    g.near = pool.near;
    g.cap = MOST_NODES + 1;
    g.far = nullptr;
    g.other = pool.other;
    Facts facts;
    facts.products = 0;
    find_hub<Warp>(g, pool.members, facts);
    double largest = k;
    // A node joined to all others fixes the largest eigenvalue of an unweighted graph.
    if (WITH_WEIGHTS || facts.largest + 1.0 < k) {
        largest = largest_eigenvalue<Warp, Local, WITH_WEIGHTS>(g, pool.members, facts, job->tolerance, pool.alpha,
                                                            pool.beta2, MOST_STEPS - 1, true, pool.ritz);
        if (largest < 0.0) return -1.0;
    }
    if (lane == 0) count_work(job, arcs, facts.products);
    return approximate_entropy(trace, squares, largest);
}

extern "C" __global__ void __launch_bounds__(32) small_balls(const Job* __restrict__ job) {
    extern __shared__ __align__(16) unsigned char memory[];
    Pool& pool = *(Pool*)memory;
    int lane = threadIdx.x;
    int radius = (int)job->radius;
    while (true) {
        int next = 0;
        if (lane == 0) next = *job->cancel ? 0x7fffffff : atomicAdd(job->taken, 1);
        next = __shfl_sync(FULL, next, 0);
        if (next >= *job->queue_length) return;
        int ball = job->queue[next];
        int centre = job->work[ball];
        double* row = job->rows + (long long)ball * radius;
        for (int s = lane; s < SLOTS; s += 32) pool.keys[s] = -1;
        __syncwarp();
        if (lane == 0) {
            pool.keys[slot_of(centre)] = centre;
            pool.ids[slot_of(centre)] = 0;
            pool.members[0] = centre;
        }
        __syncwarp();
        double value = 0.0;
        bool fits = true;
        if (job->smallest == 2) value = job->first[centre];
        if (job->smallest == 2 && lane == 0) row[0] = value;
        int begin = 0;
        int count = 1;
        for (int r = 1; r <= radius && fits; r++) {
            int end = count;
            for (int i = begin; i < end && count > 0; i++) count = add_row(job, pool, pool.members[i], count, lane);
            fits = count > 0;
            begin = end;
            if (!fits || r < job->smallest) continue;
            // A ball that did not grow keeps its value.
            if (count > end) value = entropy_of(job, pool, count, centre, lane);
            fits = !(value < 0.0);
            if (fits && lane == 0) row[r - 1] = value;
        }
        if (!fits && lane == 0) hand_on(job, ball);
        __syncwarp();
    }
}
