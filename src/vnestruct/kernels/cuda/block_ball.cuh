// A ball as a block of threads keeps it: where its arrays are, the search for its nodes, and their local ids.
//
// The set of visited nodes is a bit set over all nodes, with the number of members before each of its words beside it.
// A look-up tells both whether a node is in the ball and its local id, and members come out in ascending rank, that
// is, descending degree, without sorting. In what order the threads find them changes nothing.
#pragma once
#include "job.cuh"
#include "local_graph.cuh"
#include "team.cuh"

#if SHORT_COLUMNS
using Column = unsigned short;
#else
using Column = int;
#endif
using Block = Team<BLOCK_THREADS>;
using Local = LocalGraph<Column, WITH_WEIGHTS, false>;

// The arrays of one block.
struct Space {
    unsigned* words;   // bit set of the ball
    int* counts;       // members before each word
    int* found;        // members in the order they were found
    int* ball;         // members in ascending rank
    int* start;
    int* length;
    double* strength;
    int* copies;
    double* near;
    double* far;
    double* other;
    double* alpha;
    double* beta2;
    Column* columns;
    double* weights;
};

template <class T>
__device__ __forceinline__ T* take(unsigned char*& memory, long long count) {
    T* array = (T*)memory;
    memory += (count * (long long)sizeof(T) + 15) & ~15ll;
    return array;
}

// Lays the arrays out; `Scratch.bytes` in job.py counts the same bytes.
__device__ __forceinline__ Space make_space(const Job* job, unsigned char* shared) {
    unsigned char* memory = job->scratch + blockIdx.x * job->scratch_bytes;
    long long words = (job->n_nodes + 31) / 32;
    Space space;
    space.near = take<double>(shared, job->near_entries);
    unsigned char*& place = job->words_near ? shared : memory;
    space.words = take<unsigned>(place, words);
    space.counts = take<int>(place, words);
    space.found = take<int>(memory, job->most_nodes);
    space.ball = take<int>(memory, job->most_nodes);
    space.start = take<int>(memory, job->most_nodes);
    space.length = take<int>(memory, job->most_nodes);
    space.strength = take<double>(memory, WITH_WEIGHTS || WITH_TWINS ? job->most_nodes : 0);
    space.copies = take<int>(memory, WITH_TWINS ? job->most_nodes : 0);
    space.far = take<double>(memory, job->most_nodes + 1);
    space.other = take<double>(memory, job->most_nodes);
    space.alpha = take<double>(memory, job->most_steps);
    space.beta2 = take<double>(memory, job->most_steps);
    space.columns = take<Column>(memory, job->most_arcs);
    space.weights = take<double>(memory, WITH_WEIGHTS ? job->most_arcs : 0);
    return space;
}

__device__ __forceinline__ bool is_member(const Space& space, int u) { return space.words[u >> 5] >> (u & 31) & 1; }

__device__ __forceinline__ int local_id(const Space& space, int u) {
    return space.counts[u >> 5] + __popc(space.words[u >> 5] & ((1u << (u & 31)) - 1));
}

// Adds a node to the ball; threads that call together share one addition to `count`.
__device__ __forceinline__ void insert(const Job* job, const Space& space, int u, bool wanted, int* count) {
    unsigned bit = 1u << (u & 31);
    if (wanted) wanted = !(space.words[u >> 5] & bit);
    if (wanted) wanted = !(atomicOr(&space.words[u >> 5], bit) & bit);
    unsigned fresh = __ballot_sync(FULL, wanted);
    if (fresh == 0) return;
    int lane = Block::lane();
    int base = 0;
    if (lane == 0) base = atomicAdd(count, __popc(fresh));
    int place = __shfl_sync(FULL, base, 0) + __popc(fresh & ((1u << lane) - 1));
    if (wanted && place < job->most_nodes) space.found[place] = u;
}

// Adds the neighbours of found[begin..end-1].
__device__ __forceinline__ void next_level(const Job* job, const Space& space, int begin, int end, int* count) {
    for (int x = begin + Block::warp(); x < end; x += Block::WARPS) {
        int u = space.found[x];
        long long last = job->search_indptr[u + 1];
        for (long long base = job->search_indptr[u]; base < last; base += 32) {
            long long a = base + Block::lane();
            insert(job, space, a < last ? job->search_indices[a] : 0, a < last, count);
        }
    }
    __syncthreads();
}

// Lists the members in ascending rank, and counts those before each word.
__device__ __forceinline__ void list_members(const Job* job, const Space& space) {
    int n_words = (int)((job->n_nodes + 31) / 32);
    int reached = 0;
    for (int base = 0; base < n_words; base += BLOCK_THREADS) {
        int w = base + Block::thread();
        unsigned word = w < n_words ? space.words[w] : 0;
        int total;
        int place = reached + Block::before(__popc(word), total);
        if (w < n_words) space.counts[w] = place;
        while (word) {
            space.ball[place++] = 32 * w + __ffs(word) - 1;
            word &= word - 1;
        }
        reached += total;
    }
    __syncthreads();
}

// The number of members below a rank.
__device__ __forceinline__ int members_below(const Job* job, const Space& space, int k, long long rank) {
    return rank >= job->n_nodes ? k : local_id(space, (int)rank);
}
