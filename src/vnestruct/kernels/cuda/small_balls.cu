// Entropies of small balls: one warp per ball, everything in shared memory.
//
// The warp searches level by level. A hash table maps ranks to local ids; rows are visited one after the other and new
// nodes are numbered in the order of the row, so numbering, and with it every sum, is the same in every run. The local
// rows (local_graph.cuh) are then copied out of the graph by looking each neighbour up in the table, and Lanczos
// (lanczos.cuh) runs on them. A ball that does not fit is handed on to the next queue, untouched.
//
// Compile with MOST_NODES (a power of two), MOST_ARCS (a multiple of four), MOST_STEPS, WITH_WEIGHTS and WITH_TWINS.
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
#endif
#if WITH_WEIGHTS || WITH_TWINS
    double strength[MOST_NODES];
#endif
    __align__(16) unsigned short columns[MOST_ARCS];
    int keys[SLOTS];
    int members[MOST_NODES];
    int start[MOST_NODES];
    int length[MOST_NODES];
#if WITH_TWINS
    int copies[MOST_NODES];
#endif
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

// Copies the rows of the induced graph, and counts the nodes that they stand for; false if they do not fit.
__device__ __forceinline__ bool build_rows(const Job* job, Pool& pool, int k, int lane, Totals& totals,
                                           int& nodes) {
    int cursor = 0, arcs = 0;
    long long degrees2 = 0;
#if WITH_TWINS
    long long twice = 0;
    nodes = 0;
#endif
    totals = {0.0, 0.0, 0.0};
    for (int i = 0; i < k; i++) {
        int u = pool.members[i];
        long long begin = job->indptr[u];
        long long end = job->indptr[u + 1];
        int from = cursor;
#if WITH_WEIGHTS
        double strength = 0.0, weights2 = 0.0;
#endif
#if WITH_TWINS
        int neighbours = 0;
#endif
        for (long long base = begin; base < end; base += 32) {
            int id = base + lane < end ? find(pool, job->indices[base + lane]) : -1;
            unsigned hits = __ballot_sync(FULL, id >= 0);
            if (cursor + __popc(hits) + 3 > MOST_ARCS) return false;
            int place = cursor + __popc(hits & ((1u << lane) - 1));
            if (id >= 0) {
                pool.columns[place] = (unsigned short)id;
#if WITH_WEIGHTS
                double weight = job->weights[base + lane];
                pool.weights[place] = weight;
                strength += weight;
                weights2 += weight * weight;
#endif
#if WITH_TWINS
                neighbours += abs(job->copies[job->indices[base + lane]]);
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
#if WITH_WEIGHTS
        strength = Warp::sum(strength);
        weights2 = Warp::sum(weights2);
        totals.trace += strength;
        totals.squares += strength * strength + weights2;
        totals.links += weights2;
        if (lane == 0) pool.strength[i] = strength;
#endif
#if WITH_TWINS
        int copies = job->copies[u];
        long long count = abs(copies);
        long long degree = Warp::sum(neighbours) + (copies < 0 ? count - 1 : 0);
        nodes += (int)count;
        twice += count * degree;
        degrees2 += count * degree * degree;
        if (lane == 0) {
            pool.strength[i] = (double)degree;
            pool.copies[i] = copies;
        }
#else
        degrees2 += (long long)length * length;
#endif
        if (lane == 0) {
            pool.start[i] = from;
            pool.length[i] = length;
        }
    }
#if WITH_TWINS
    totals.trace = totals.links = (double)twice;
    totals.squares = (double)(degrees2 + twice);
#elif !WITH_WEIGHTS
    totals.trace = totals.links = (double)arcs;
    totals.squares = (double)(degrees2 + arcs);
#endif
    __syncwarp();
    return true;
}

// Writes the outputs of the ball of the first k members; false if it does not fit.
__device__ bool describe(const Job* job, Pool& pool, int k, int lane, double* values) {
    Totals totals;
    int nodes = k;
    if (!build_rows(job, pool, k, lane, totals, nodes)) return false;
    if (!job->with_largest) {
        if (lane == 0) outputs_of(job).write(nodes, totals, 0.0, values, job->radius);
        return true;
    }
    Local g;
    g.k = k;
    g.start = pool.start;
    g.length = pool.length;
    g.columns = pool.columns;
#if WITH_WEIGHTS || WITH_TWINS
    g.strength = pool.strength;
#endif
#if WITH_WEIGHTS
    g.weights = pool.weights;
#endif
#if WITH_TWINS
    g.copies = pool.copies;
#endif
    g.near = pool.near;
    g.cap = MOST_NODES + 1;
    g.other = pool.other;
    Facts facts;
    find_hub<Warp>(g, pool.members, facts);
    double largest = nodes;
    // A node joined to all others fixes the largest eigenvalue of an unweighted graph.
    if (WITH_WEIGHTS || facts.largest + 1.0 < nodes) {
        largest = largest_eigenvalue<Warp, Local, WITH_WEIGHTS>(g, pool.members, facts, job->tolerance, pool.alpha,
                                                            pool.beta2, MOST_STEPS - 1, true, pool.ritz);
        if (largest < 0.0) return false;
    }
    if (lane == 0) outputs_of(job).write(nodes, totals, largest, values, job->radius);
    return true;
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
        double* row = start_row(job, ball, lane == 0);
        for (int s = lane; s < SLOTS; s += 32) pool.keys[s] = -1;
        __syncwarp();
        if (lane == 0) {
            pool.keys[slot_of(centre)] = centre;
            pool.ids[slot_of(centre)] = 0;
            pool.members[0] = centre;
        }
        __syncwarp();
        bool fits = true;
        int begin = 0, count = 1;
        for (int r = 1; r <= radius && fits; r++) {
            int end = count;
            for (int i = begin; i < end && count > 0; i++) count = add_row(job, pool, pool.members[i], count, lane);
            fits = count > 0;
            begin = end;
            if (!fits || r < job->smallest) continue;
            // A ball that did not grow keeps its values; one that is all of its component is computed once for all.
            bool grew = count > end || grows_unseen(job, centre, r);
            bool waits = grew && count == job->component_size[job->component[centre]];
            if (grew && !waits) {
                fits = describe(job, pool, count, lane, row + r - 1);
            } else if (lane == 0) {
                carry_on(job, row, r, waits);
            }
        }
        if (!fits && lane == 0) hand_on(job, ball);
        __syncwarp();
    }
}
