// Largest Ritz value of a growing Lanczos tridiagonal matrix, found by one warp.
//
// After step t the matrix T has diagonal alpha[0..t] and squared off-diagonals beta2[1..t]; beta2[j] couples steps j-1
// and j. A point x lies right of all eigenvalues if and only if every pivot of the factorisation of T - x I is
// negative:
//
//     delta_j(x) = alpha_j - x - beta2_j / delta_{j-1}(x).
//
// The root is enclosed on both sides; the 32 lanes of the warp try 32 points between at once, so that each round wins
// five bits. No derivative, no pole: tied eigenvalues need no special care. The enclosure starts at the Ritz value of
// the step before, which is never larger, and ends at the larger root of (x - alpha_t)(x - theta_{t-1}) = beta2_t,
// which is never smaller; where steps in between were not looked at, at Gershgorin's bound.
#pragma once
#include "team.cuh"

#define RITZ_EACH 40
#define RITZ_EVERY 16
#define RITZ_ROUNDS 14

// Tells whether the Ritz value is computed after `step` (counted from 0): it costs O(step).
__device__ __forceinline__ bool is_checked(int step) { return step < RITZ_EACH || step % RITZ_EVERY == 0; }

__device__ __forceinline__ bool is_right(const double* alpha, const double* beta2, int last, double x) {
    double pivot = alpha[0] - x;
#pragma unroll 1
    for (int j = 1; j <= last && pivot < 0.0; j++) pivot = (alpha[j] - x) - beta2[j] / pivot;
    return pivot < 0.0;
}

__device__ __forceinline__ double upper_end(const double* alpha, const double* beta2, int last, double theta,
                                            int lane) {
    double high = theta;
    if (last < RITZ_EACH) {
        double half = 0.5 * (alpha[last] - theta);
        high = theta + half + sqrt(half * half + beta2[last]);
    } else {
#pragma unroll 1
        for (int j = lane; j <= last; j += 32) {
            double low_coupling = j > 0 ? sqrt(beta2[j]) : 0.0;
            double high_coupling = j < last ? sqrt(beta2[j + 1]) : 0.0;
            high = fmax(high, alpha[j] + low_coupling + high_coupling);
        }
        for (int step = 16; step > 0; step >>= 1) high = fmax(high, __shfl_xor_sync(FULL, high, step));
    }
    return high + 1e-15 * fabs(high);
}

// Returns the largest eigenvalue, to the last bits and never below; `theta` is that of the last step looked at.
__device__ __forceinline__ double largest_ritz(const double* alpha, const double* beta2, int last, double theta,
                                               int lane) {
    if (last == 0) return alpha[0];
    double low = theta;
    double high = upper_end(alpha, beta2, last, theta, lane);
#pragma unroll 1
    for (int round = 0; round < RITZ_ROUNDS; round++) {
        double width = high - low;
        if (!(width > 4e-16 * high)) break;
        double point = low + width * ((lane + 1) * (1.0 / 33.0));
        unsigned right = __ballot_sync(FULL, is_right(alpha, beta2, last, point));
        int first = right == 0 ? 32 : __ffs(right) - 1;
        double below = __shfl_sync(FULL, point, first > 0 ? first - 1 : 0);
        double above = __shfl_sync(FULL, point, first < 32 ? first : 31);
        low = first > 0 ? below : low;
        high = first < 32 ? above : high;
    }
    return high;
}

// Returns the squared last component of the unit eigenvector at x, by the recurrence from that component up.
__device__ __forceinline__ double last_component2(const double* alpha, const double* beta2, int last, double x) {
    double pivot = alpha[last] - x;
    double share = 1.0;
    double total = 1.0;
#pragma unroll 1
    for (int j = last; j > 0; j--) {
        share *= pivot * pivot / beta2[j];
        total += share;
        pivot = (alpha[j - 1] - x) - beta2[j] / (pivot == 0.0 ? -1e-300 : pivot);
    }
    return 1.0 / total;
}
