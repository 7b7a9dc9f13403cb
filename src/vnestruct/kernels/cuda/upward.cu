// The arcs from low to high degree, in ranks: what counting triangles needs of a graph. A warp a node.
//
// Rank 0 is the node of largest degree. `count_upward` counts the neighbours of smaller rank of every node, by rank;
// `fill_upward` writes them from the place on that the running sum of those counts gives.
#define FULL 0xffffffffu

extern "C" __global__ void count_upward(const long long* __restrict__ indptr, const int* __restrict__ indices,
                                        const int* __restrict__ rank, long long n_nodes, int* split) {
    int lane = threadIdx.x & 31;
    long long warps = (long long)gridDim.x * (blockDim.x >> 5);
    for (long long u = (long long)blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5); u < n_nodes; u += warps) {
        int own = rank[u];
        int count = 0;
        for (long long a = indptr[u] + lane; a < indptr[u + 1]; a += 32) count += rank[indices[a]] < own;
        for (int step = 16; step > 0; step >>= 1) count += __shfl_xor_sync(FULL, count, step);
        if (lane == 0) split[own] = count;
    }
}

extern "C" __global__ void fill_upward(const long long* __restrict__ indptr, const int* __restrict__ indices,
                                       const int* __restrict__ rank, long long n_nodes,
                                       const long long* __restrict__ place, int* upward) {
    int lane = threadIdx.x & 31;
    long long warps = (long long)gridDim.x * (blockDim.x >> 5);
    for (long long u = (long long)blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5); u < n_nodes; u += warps) {
        int own = rank[u];
        long long reached = place[own];
        for (long long base = indptr[u]; base < indptr[u + 1]; base += 32) {
            int other = base + lane < indptr[u + 1] ? rank[indices[base + lane]] : own;
            unsigned hits = __ballot_sync(FULL, other < own);
            if (other < own) upward[reached + __popc(hits & ((1u << lane) - 1))] = other;
            reached += __popc(hits);
        }
    }
}
