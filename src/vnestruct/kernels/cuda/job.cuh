// What the kernels over balls are asked to do. All fields take eight bytes, in the order of `FIELDS` in job.py.
//
// Ids are ranks: rank 0 has the largest degree. The graph is a CSR; the search follows the arcs of a second CSR, the
// same one unless balls follow one direction.
#pragma once

struct Job {
    // The graph.
    const long long* indptr;
    const int* indices;
    const double* weights;
    const long long* search_indptr;
    const int* search_indices;
    const double* first;             // radius 1 of every node, or null
    const int* component;            // component of every node
    const long long* component_size;
    long long n_nodes;
    long long wide_rank;             // ranks below have rows so long that a warp takes one when vectors are multiplied
    long long long_rank;             // the same when local rows are built
    // The work: ball b is that of node work[b]; its row of entropies starts at rows[b * radius].
    const int* work;
    double* rows;
    long long radius;
    long long smallest;              // first radius to compute; with 2, column 0 comes from `first`
    long long approximate;           // 0: quadratic entropies only, no eigenvalue
    double tolerance;
    long long by_component;          // work[b] names a component, whose entropy goes to rows[b]
    // The queue of this launch, and the one for balls that are too large for it.
    const int* queue;
    const int* queue_length;
    int* taken;
    int* too_large;
    int* too_large_length;
    const volatile unsigned char* cancel;
    unsigned long long* counters;    // balls, arcs, products, gathers
    // Scratch memory of a block, for the kernel that has a block a ball.
    unsigned char* scratch;
    long long scratch_bytes;         // of one block
    long long most_nodes;
    long long most_arcs;
    long long most_steps;
    long long near_entries;          // of a vector, in shared memory
    long long words_near;            // 1: the set of visited nodes is in shared memory
};

__device__ __forceinline__ void count_work(const Job* job, unsigned long long arcs, int products) {
    atomicAdd(job->counters, 1ull);
    atomicAdd(job->counters + 1, arcs);
    atomicAdd(job->counters + 2, (unsigned long long)products);
    atomicAdd(job->counters + 3, arcs * products);
}

__device__ __forceinline__ void hand_on(const Job* job, int ball) {
    job->too_large[atomicAdd(job->too_large_length, 1)] = ball;
}
