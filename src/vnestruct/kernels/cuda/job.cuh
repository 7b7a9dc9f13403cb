// What the kernels over balls are asked to do. All fields take eight bytes; job.py reads their names and types here.
//
// Ids are ranks: rank 0 has the largest degree. The graph is a CSR; the search follows the arcs of a second CSR, the
// same one unless balls follow one direction.
#pragma once
#include "entropy.cuh"

struct Job {
    // The graph.
    const long long* indptr;
    const int* indices;
    const double* weights;
    const int* copies;               // with twins: nodes that each stands for, as in `RankedGraph`
    const long long* search_indptr;
    const int* search_indices;
    const double* first;             // radius 1 of every node, an entry per output, or null
    const int* component;            // component of every node
    const long long* component_size; // with twins: in nodes that none stands for
    long long n_nodes;
    long long wide_rank;             // ranks below have rows so long that a warp takes one when vectors are multiplied
    long long long_rank;             // the same when local rows are built
    // The work: ball b is that of node work[b]; its row starts at rows[b * n_outputs * radius], with all radii of the
    // first output, then those of the next.
    const int* work;
    double* rows;
    long long radius;
    long long smallest;              // first radius to compute; with 2, radius 1 comes from `first`
    const long long* outputs;        // what to write of each ball (entropy.cuh)
    long long n_outputs;
    double scale;                    // unit of the weights
    long long with_largest;          // 0: no output needs the largest eigenvalue
    double tolerance;
    long long by_component;          // 1: row b gets the outputs of the component of work[b], as radius 1
    // The queue of this launch, and the one for balls that are too large for it.
    const int* queue;
    const int* queue_length;
    int* taken;
    int* too_large;
    int* too_large_length;
    const volatile unsigned char* cancel;
    // Scratch memory of a block, for the kernel that has a block a ball.
    unsigned char* scratch;
    long long scratch_bytes;         // of one block
    long long most_nodes;
    long long most_arcs;
    long long most_steps;
    long long near_entries;          // of a vector, in shared memory
    long long words_near;            // 1: the set of visited nodes is in shared memory
};

__device__ __forceinline__ Outputs outputs_of(const Job* job) {
    return {job->outputs, (int)job->n_outputs, job->scale};
}

// Starts the row of a ball: radius 1 where it is known, else the outputs of the centre alone.
__device__ __forceinline__ double* start_row(const Job* job, int ball, bool is_writer) {
    double* row = job->rows + (long long)ball * job->n_outputs * job->radius;
    if (!is_writer) return row;
    if (job->smallest == 2) {
        for (int i = 0; i < job->n_outputs; i++) {
            row[i * job->radius] = job->first[job->work[ball] * job->n_outputs + i];
        }
    } else {
        outputs_of(job).write(1.0, {0.0, 0.0, 0.0}, 0.0, row, job->radius);
    }
    return row;
}

// Tells whether the search does not see how the ball grows with its second hop: by twins that the centre stands for.
__device__ __forceinline__ bool grows_unseen(const Job* job, int centre, int r) {
    return WITH_TWINS && r == 2 && job->copies[centre] > 1;
}

// Radius r keeps the values of the one before, or waits for those of the component.
__device__ __forceinline__ void carry_on(const Job* job, double* row, int r, bool waits) {
    for (int i = 0; i < job->n_outputs; i++) {
        double* value = row + i * job->radius + r - 1;
        if (waits) *value = nan("");
        else if (r > 1) *value = value[-1];
    }
}

__device__ __forceinline__ void hand_on(const Job* job, int ball) {
    job->too_large[atomicAdd(job->too_large_length, 1)] = ball;
}
