// Triangles on every edge by degree order, and from them the entropies of all balls of radius 1.
//
// Ids are ranks; the upward row of u holds its neighbours of smaller rank (larger degree) and takes the entries
// indptr[u] .. indptr[u] + split[u] - 1, in any order. Every triangle is found once, from its corner u of largest
// rank: the upward row of u goes into a hash table in shared memory, and the upward rows of its members are looked up
// in it (Schank and Wagner 2005: O(m**1.5)). A row too long for the table takes several rounds. Counts are integers,
// so the order in which threads add to them changes nothing.
//
// Radius 1: with c the triangles on the edge to a neighbour, the ball of a node of degree d has Tr(L) = 2 d + sum of
// c, and Tr(L**2) is d*d plus the sum of (1 + c)**2, plus Tr(L). Its largest eigenvalue is d + 1.
//
// Compile with BLOCK_THREADS (32: a warp a node) and SLOTS, a power of two.
#include "team.cuh"
#include "entropy.cuh"

#define TILE (SLOTS / 2)

using Block = Team<BLOCK_THREADS>;

__device__ __forceinline__ unsigned slot_of(int key) { return ((unsigned)key * 2654435769u) >> 12 & (SLOTS - 1); }

__device__ __forceinline__ int find(const int* keys, int key) {
    unsigned slot = slot_of(key);
    while (true) {
        int there = keys[slot];
        if (there == key) return slot;
        if (there < 0) return -1;
        slot = (slot + 1) & (SLOTS - 1);
    }
}

// Adds to `count`, one an upward arc, the triangles whose corner of largest rank is in queue[0..length-1].
extern "C" __global__ void __launch_bounds__(BLOCK_THREADS)
    count_triangles(const long long* __restrict__ indptr, const int* __restrict__ indices,
                    const int* __restrict__ split, const int* __restrict__ queue, int length, int* taken, int* count) {
    __shared__ int keys[SLOTS];
    __shared__ int local[SLOTS];
    __shared__ int next;
    int lane = Block::lane();
    while (true) {
        Block::sync();
        if (Block::thread() == 0) next = atomicAdd(taken, 1);
        Block::sync();
        if (next >= length) return;
        int u = queue[next];
        long long begin = indptr[u];
        int row = split[u];
        for (int tile = 0; tile < row; tile += TILE) {
            int end = min(row, tile + TILE);
            for (int s = Block::thread(); s < SLOTS; s += BLOCK_THREADS) {
                keys[s] = -1;
                local[s] = 0;
            }
            Block::sync();
            for (int x = tile + Block::thread(); x < end; x += BLOCK_THREADS) {
                int key = indices[begin + x];
                unsigned slot = slot_of(key);
                while (atomicCAS(&keys[slot], -1, key) >= 0) slot = (slot + 1) & (SLOTS - 1);
            }
            Block::sync();
            for (int x = Block::warp(); x < row; x += Block::WARPS) {
                int v = indices[begin + x];
                long long first = indptr[v];
                long long last = first + split[v];
                int found = 0;
                for (long long b = first + lane; b < last; b += 32) {
                    int slot = find(keys, indices[b]);
                    if (slot >= 0) {
                        found++;
                        atomicAdd(&local[slot], 1);
                        atomicAdd(&count[b], 1);
                    }
                }
                for (int step = 16; step > 0; step >>= 1) found += __shfl_xor_sync(FULL, found, step);
                if (lane == 0 && found > 0) atomicAdd(&count[begin + x], found);
            }
            Block::sync();
            for (int x = tile + Block::thread(); x < end; x += BLOCK_THREADS) {
                int found = local[find(keys, indices[begin + x])];
                if (found > 0) atomicAdd(&count[begin + x], found);
            }
            Block::sync();
        }
    }
}

// Adds up, for both ends of every upward arc, c and (1 + c)**2. A warp a row.
extern "C" __global__ void ball_sums(const long long* __restrict__ indptr, const int* __restrict__ indices,
                                     const int* __restrict__ split, const int* __restrict__ count, long long n_nodes,
                                     unsigned long long* triangles, unsigned long long* squares) {
    int lane = threadIdx.x & 31;
    long long warps = (long long)gridDim.x * (blockDim.x >> 5);
    for (long long u = (long long)blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5); u < n_nodes; u += warps) {
        unsigned long long own_triangles = 0, own_squares = 0;
        for (long long a = indptr[u] + lane; a < indptr[u] + split[u]; a += 32) {
            unsigned long long c = count[a];
            unsigned long long square = (1 + c) * (1 + c);
            own_triangles += c;
            own_squares += square;
            if (c > 0) atomicAdd(&triangles[indices[a]], c);
            atomicAdd(&squares[indices[a]], square);
        }
        for (int step = 16; step > 0; step >>= 1) {
            own_triangles += __shfl_xor_sync(FULL, own_triangles, step);
            own_squares += __shfl_xor_sync(FULL, own_squares, step);
        }
        if (lane == 0 && own_squares > 0) {
            atomicAdd(&triangles[u], own_triangles);
            atomicAdd(&squares[u], own_squares);
        }
    }
}

// Writes the outputs of every 1-ball.
extern "C" __global__ void radius_one(const long long* __restrict__ degree,
                                      const unsigned long long* __restrict__ triangles,
                                      const unsigned long long* __restrict__ squares, long long n_nodes,
                                      const long long* numbers, int count, double* values) {
    long long u = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (u >= n_nodes) return;
    long long d = degree[u];
    long long twice_edges = 2 * d + (long long)triangles[u];
    double trace = (double)twice_edges;
    Totals totals = {trace, (double)(d * d + (long long)squares[u] + twice_edges), trace};
    Outputs outputs = {numbers, count, 1.0};
    outputs.write((double)d + 1.0, totals, (double)d + 1.0, values + u * count, 1);
}
