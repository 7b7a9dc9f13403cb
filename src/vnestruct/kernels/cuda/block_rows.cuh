// The rows of the graph induced on a ball (local_graph.cuh), copied out of the graph by a block of threads.
//
// Every neighbour of a member is looked up once, or twice in a long row, whose length is counted first. Rows keep the
// order of the graph's rows; where a row is put depends on which warp asks first, what it holds does not.
#pragma once
#include "block_ball.cuh"

#define CHUNK 512

// Room for rows: each warp takes it in chunks, so that few threads meet at the cursor.
struct Room {
    int next;
    int left;

    __device__ __forceinline__ int take(int need, int* cursor) {
        bool alone = need > left && need >= CHUNK / 4;
        if (need > left) {
            int size = alone ? need : CHUNK;
            int base = 0;
            if (Block::lane() == 0) base = atomicAdd(cursor, size);
            base = __shfl_sync(FULL, base, 0);
            // A long row has room of its own and leaves the chunk to others.
            if (alone) return base;
            next = base;
            left = size;
        }
        int start = next;
        next += need;
        left -= need;
        return start;
    }
};

__device__ __forceinline__ void put(const Job* job, const Space& space, long long place, int u, long long a) {
    space.columns[place] = (Column)local_id(space, u);
    if (WITH_WEIGHTS) space.weights[place] = job->weights[a];
}

// Fills a row up to a multiple of four with column k, of weight 0.
__device__ __forceinline__ void pad(const Space& space, int start, int length, int k, int lane) {
    if (lane < (-length & 3)) {
        space.columns[start + length + lane] = (Column)k;
        if (WITH_WEIGHTS) space.weights[start + length + lane] = 0.0;
    }
}

// What one row adds to the traces, kept by one thread.
struct Tally {
    unsigned long long nodes;
    unsigned long long degrees;
    unsigned long long degrees2;
    double trace;
    double squares;
    double links;

    __device__ __forceinline__ void add(const Job* job, const Space& space, int i, int start, int length,
                                        double strength, double weights2) {
        space.start[i] = start;
        space.length[i] = length;
        if (WITH_TWINS) {
            int copies = job->copies[space.ball[i]];
            unsigned long long count = abs(copies);
            unsigned long long degree = (unsigned long long)strength + (copies < 0 ? count - 1 : 0);
            space.copies[i] = copies;
            space.strength[i] = (double)degree;
            nodes += count;
            degrees += count * degree;
            degrees2 += count * degree * degree;
            return;
        }
        degrees += length;
        degrees2 += (unsigned long long)length * length;
        if (WITH_WEIGHTS) {
            space.strength[i] = strength;
            trace += strength;
            squares += strength * strength + weights2;
            links += weights2;
        }
    }
};

// Row i by a whole warp: count, take room, copy.
__device__ __forceinline__ bool build_long_row(const Job* job, const Space& space, int i, int k, Room& room,
                                               int* cursor, Tally& tally) {
    int lane = Block::lane();
    int u = space.ball[i];
    long long begin = job->indptr[u];
    long long end = job->indptr[u + 1];
    int length = 0;
    for (long long a = begin + lane; a < end; a += 32) length += is_member(space, job->indices[a]);
    for (int step = 16; step > 0; step >>= 1) length += __shfl_xor_sync(FULL, length, step);
    int start = room.take((length + 3) & ~3, cursor);
    if (start + length + 3 > job->most_arcs) return false;
    int reached = start;
    double strength = 0.0;
    double weights2 = 0.0;
    for (long long base = begin; base < end; base += 32) {
        long long a = base + lane;
        int w = a < end ? job->indices[a] : 0;
        bool hit = a < end && is_member(space, w);
        unsigned hits = __ballot_sync(FULL, hit);
        if (hit) put(job, space, reached + __popc(hits & ((1u << lane) - 1)), w, a);
        if (WITH_WEIGHTS && hit) {
            strength += job->weights[a];
            weights2 += job->weights[a] * job->weights[a];
        }
        if (WITH_TWINS && hit) strength += abs(job->copies[w]);
        reached += __popc(hits);
    }
    pad(space, start, length, k, lane);
    if (WITH_WEIGHTS || WITH_TWINS) {
        for (int step = 16; step > 0; step >>= 1) {
            strength += __shfl_xor_sync(FULL, strength, step);
            weights2 += __shfl_xor_sync(FULL, weights2, step);
        }
    }
    if (lane == 0) tally.add(job, space, i, start, length, strength, weights2);
    return true;
}

// Rows i = base..base+3 of at most 32 entries each: eight lanes a row, everything read once.
__device__ __forceinline__ bool build_short_rows(const Job* job, const Space& space, int base, int k, Room& room,
                                                 int* cursor, Tally& tally) {
    int lane = Block::lane();
    int own = lane & 7;
    int shift = lane & 24;
    int i = base + (lane >> 3);
    long long begin = 0;
    long long end = 0;
    if (i < k) {
        int u = space.ball[i];
        begin = job->indptr[u];
        end = job->indptr[u + 1];
    }
    int neighbour[4];
    int place[4];
    int length = 0;
    for (int c = 0; c < 4; c++) {
        long long a = begin + 8 * c + own;
        neighbour[c] = a < end ? job->indices[a] : 0;
        bool hit = a < end && is_member(space, neighbour[c]);
        unsigned hits = __ballot_sync(FULL, hit) >> shift & 255u;
        place[c] = hit ? length + __popc(hits & ((1u << own) - 1)) : -1;
        length += __popc(hits);
    }
    int need = (length + 3) & ~3;
    int need0 = __shfl_sync(FULL, need, 0);
    int need1 = __shfl_sync(FULL, need, 8);
    int need2 = __shfl_sync(FULL, need, 16);
    int need3 = __shfl_sync(FULL, need, 24);
    int start = room.take(need0 + need1 + need2 + need3, cursor);
    if (start + need0 + need1 + need2 + need3 > job->most_arcs) return false;
    start += (shift > 0 ? need0 : 0) + (shift > 8 ? need1 : 0) + (shift > 16 ? need2 : 0);
    double strength = 0.0;
    double weights2 = 0.0;
    for (int c = 0; c < 4; c++) {
        if (place[c] < 0) continue;
        long long a = begin + 8 * c + own;
        put(job, space, start + place[c], neighbour[c], a);
        if (WITH_WEIGHTS) {
            strength += job->weights[a];
            weights2 += job->weights[a] * job->weights[a];
        }
        if (WITH_TWINS) strength += abs(job->copies[neighbour[c]]);
    }
    pad(space, start, length, k, own);
    if (WITH_WEIGHTS || WITH_TWINS) {
        for (int step = 4; step > 0; step >>= 1) {
            strength += __shfl_xor_sync(FULL, strength, step);
            weights2 += __shfl_xor_sync(FULL, weights2, step);
        }
    }
    if (own == 0 && i < k) tally.add(job, space, i, start, length, strength, weights2);
    return true;
}

// Copies the rows of the induced graph, and counts the nodes that they stand for; false if they do not fit.
__device__ __forceinline__ bool build_rows(const Job* job, const Space& space, int k, Totals& totals, int& nodes) {
    __shared__ int cursor;
    if (Block::thread() == 0) cursor = 0;
    __syncthreads();
    int boundary = members_below(job, space, k, job->long_rank);
    Room room = {0, 0};
    Tally tally = {0, 0, 0, 0.0, 0.0, 0.0};
    bool fits = true;
    for (int i = Block::warp(); i < boundary && fits; i += Block::WARPS) {
        fits = build_long_row(job, space, i, k, room, &cursor, tally);
    }
    for (int base = boundary + 4 * Block::warp(); base < k && fits; base += 4 * Block::WARPS) {
        fits = build_short_rows(job, space, base, k, room, &cursor, tally);
    }
    if (!__syncthreads_and(fits)) return false;
    if (WITH_TWINS) nodes = (int)Block::sum(tally.nodes);
    if (WITH_WEIGHTS) {
        totals.trace = Block::sum(tally.trace);
        totals.squares = Block::sum(tally.squares);
        totals.links = Block::sum(tally.links);
    } else {
        unsigned long long twice = Block::sum(tally.degrees);
        totals.trace = totals.links = (double)twice;
        totals.squares = (double)(Block::sum(tally.degrees2) + twice);
    }
    return true;
}
