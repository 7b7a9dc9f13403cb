// Sums, maxima and running counts over the threads of a team: one warp, or a whole block.
//
// Every thread of the team must call, and every thread receives the result. Partial results are combined in an order
// that the shape of the team alone decides, so floating-point sums have the same bits in every run.
#pragma once

#define FULL 0xffffffffu

template <int THREADS>
struct Team {
    static constexpr int WARPS = THREADS / 32;

    static __device__ __forceinline__ int thread() { return threadIdx.x; }
    static __device__ __forceinline__ int warp() { return WARPS == 1 ? 0 : threadIdx.x >> 5; }
    static __device__ __forceinline__ int lane() { return threadIdx.x & 31; }

    static __device__ __forceinline__ void sync() {
        if (WARPS == 1) {
            __syncwarp();
        } else {
            __syncthreads();
        }
    }

    template <class T, class Combine>
    static __device__ __forceinline__ T reduced(T value, Combine combine) {
        for (int step = 16; step > 0; step >>= 1) value = combine(value, __shfl_xor_sync(FULL, value, step));
        if (WARPS == 1) {
            __syncwarp();
            return value;
        }
        __shared__ T partial[32];
        if (lane() == 0) partial[warp()] = value;
        __syncthreads();
        value = partial[lane() < WARPS ? lane() : 0];
        // Lanes beyond the last warp repeat the first partial result; it must not be counted twice.
        for (int step = WARPS / 2; step > 0; step >>= 1) value = combine(value, __shfl_xor_sync(FULL, value, step));
        value = __shfl_sync(FULL, value, 0);
        __syncthreads();
        return value;
    }

    template <class T>
    static __device__ __forceinline__ T sum(T value) {
        return reduced(value, [](T a, T b) { return a + b; });
    }

    template <class T>
    static __device__ __forceinline__ T largest(T value) {
        return reduced(value, [](T a, T b) { return a > b ? a : b; });
    }

    template <class T>
    static __device__ __forceinline__ T smallest(T value) {
        return reduced(value, [](T a, T b) { return a < b ? a : b; });
    }

    // The sum over all threads before this one; `total` receives the sum over all.
    static __device__ __forceinline__ int before(int value, int& total) {
        int running = value;
        for (int step = 1; step < 32; step <<= 1) {
            int other = __shfl_up_sync(FULL, running, step);
            if (lane() >= step) running += other;
        }
        if (WARPS == 1) {
            total = __shfl_sync(FULL, running, 31);
            return running - value;
        }
        __shared__ int ends[32];
        if (lane() == 31) ends[warp()] = running;
        __syncthreads();
        int earlier = 0;
        total = 0;
        for (int w = 0; w < WARPS; w++) {
            if (w < warp()) earlier += ends[w];
            total += ends[w];
        }
        __syncthreads();
        return earlier + running - value;
    }
};
