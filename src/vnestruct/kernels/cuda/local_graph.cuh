// The graph induced on one ball, as the threads of a team see it, and products with its matrix.
//
// Row i has length[i] entries from columns[start[i]] on. Starts are multiples of four, and rows are filled up to a
// multiple of four with column k, where every vector holds 0: a lane then loads four columns at once and needs no
// test.
//
// Columns are gathered from the vector v, so v lies in shared memory as far as it fits: its first `cap` entries there,
// the rest in device memory. Local ids ascend with rank, that is, fall with degree, so the first entries are gathered
// most. The second vector, `other`, is read and written in order only.
//
// Compiled WITH_TWINS, a row may stand for several nodes, and an entry of a vector holds the sum over them;
// kernels/balls.py explains the product.
//
// Rows of nodes of large degree come first: a warp each. All others take four lanes each, eight rows a warp.
#pragma once
#include "team.cuh"

struct __align__(8) Short4 {
    unsigned short x, y, z, w;
};
struct __align__(16) Int4 {
    int x, y, z, w;
};
template <class Column>
struct Four {
    using type = Int4;
};
template <>
struct Four<unsigned short> {
    using type = Short4;
};

template <class COLUMN, bool WEIGHTED, bool ALL_NEAR>
struct LocalGraph {
    int k;
    int wide = 0;
    const int* start;
    const int* length;
    const double* strength = nullptr;  // degrees, where the length of a row is not the degree
    const int* copies = nullptr;       // nodes that a row stands for; below 0 where they are joined to one another
    const COLUMN* columns;
    const double* weights = nullptr;
    double* near;
    int cap;
    double* far = nullptr;
    double* other;

    __device__ __forceinline__ double get(int i) const {
        if (ALL_NEAR || i < cap) return near[i];
        return far[i];
    }

    __device__ __forceinline__ void set(int i, double value) const {
        if (ALL_NEAR || i < cap) near[i] = value;
        else far[i] = value;
    }

    __device__ __forceinline__ double degree(int i) const {
        return WEIGHTED || WITH_TWINS ? strength[i] : (double)length[i];
    }

    __device__ __forceinline__ double count(int i) const { return WITH_TWINS ? (double)abs(copies[i]) : 1.0; }

    // A term of an inner product of two vectors; most rows stand for one node, and a division takes long.
    __device__ __forceinline__ double term(int i, double product) const {
        return WITH_TWINS && abs(copies[i]) != 1 ? product / count(i) : product;
    }

    // The degree, less the neighbours for which the same row stands.
    __device__ __forceinline__ double outer_degree(int i) const {
        return WITH_TWINS && copies[i] < 0 ? degree(i) - (count(i) - 1.0) : degree(i);
    }

    // The sum over row i of weight times v, in all of the `LANES` lanes that share the row.
    template <int LANES>
    __device__ __forceinline__ double row_sum(int i, int lane) const {
        double sum = 0.0;
        if (i < k) {
            int end = start[i] + ((length[i] + 3) & ~3);
            for (int p = start[i] + 4 * lane; p < end; p += 4 * LANES) {
                auto four = *(const typename Four<COLUMN>::type*)(columns + p);
                if (WEIGHTED) {
                    sum += weights[p] * get(four.x) + weights[p + 1] * get(four.y);
                    sum += weights[p + 2] * get(four.z) + weights[p + 3] * get(four.w);
                } else {
                    sum += (get(four.x) + get(four.y)) + (get(four.z) + get(four.w));
                }
            }
        }
        for (int step = LANES / 2; step > 0; step >>= 1) sum += __shfl_xor_sync(FULL, sum, step);
        return sum;
    }

    // Calls visit(i, row sum) for every row, in one thread each; which thread, and in what order, is always the same.
    template <class TEAM, class VISIT>
    __device__ __forceinline__ void for_rows(VISIT visit) const {
        int lane = TEAM::lane();
        for (int i = TEAM::warp(); i < wide; i += TEAM::WARPS) {
            double sum = row_sum<32>(i, lane);
            if (lane == 0) visit(i, sum);
        }
        for (int base = wide + 8 * TEAM::warp(); base < k; base += 8 * TEAM::WARPS) {
            int i = base + (lane >> 2);
            double sum = row_sum<4>(i, lane & 3);
            if ((lane & 3) == 0 && i < k) visit(i, sum);
        }
    }
};
