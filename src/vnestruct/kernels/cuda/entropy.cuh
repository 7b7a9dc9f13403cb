// The entropies, and the random numbers of start vectors: the same formulas as on the CPU.
#pragma once

// Q = 1 - Tr(L**2) / Tr(L)**2; 0 without edges.
__device__ __forceinline__ double quadratic_entropy(double trace, double squares) {
    if (!(trace > 0.0)) return 0.0;
    return fmax((trace * trace - squares) / (trace * trace), 0.0);
}

// H_hat = -Q ln(lambda_max / Tr(L)); 0 for a graph of at most one edge.
__device__ __forceinline__ double approximate_entropy(double trace, double squares, double largest) {
    double quadratic = quadratic_entropy(trace, squares);
    if (quadratic == 0.0 || !(largest < trace)) return 0.0;
    return -quadratic * log(largest / trace);
}

// A pseudo-random number of size 1 to 2 and either sign that depends on the integer `key` alone (splitmix64).
__device__ __forceinline__ double noise(int key) {
    unsigned long long z = (unsigned long long)(long long)key + 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    z = z ^ (z >> 31);
    double x = (double)(z >> 11) * (2.0 / 9007199254740992.0) - 1.0;
    return x < 0.0 ? x - 1.0 : x + 1.0;
}
