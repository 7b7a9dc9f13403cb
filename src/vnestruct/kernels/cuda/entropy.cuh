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

// What is added up while the rows of a ball are copied: Tr(L), Tr(L**2), the squared weights of its arcs.
struct Totals {
    double trace;
    double squares;
    double links;
};

// What is asked for of every ball: places in OUTPUTS of kernels/closed_form.py, and the unit of the weights.
struct Outputs {
    const long long* numbers;
    int count;
    double scale;

    // Writes all outputs of a ball, `stride` apart.
    __device__ __forceinline__ void write(double nodes, const Totals& totals, double largest, double* values,
                                          long long stride) const {
        double quadratic = quadratic_entropy(totals.trace, totals.squares);
        for (int i = 0; i < count; i++) {
            double value = 0.0;
            switch (numbers[i]) {
                case 0: value = approximate_entropy(totals.trace, totals.squares, largest); break;
                case 1: value = quadratic; break;
                case 2: value = quadratic > 0.0 ? -quadratic * (log(largest) + log(scale)) : 0.0; break;
                case 3: value = nodes; break;
                case 4: value = 0.5 * totals.trace * scale; break;
                case 5: value = (totals.squares - totals.links) * scale * scale; break;
                case 6: value = totals.trace > 0.0 ? largest * scale : 0.0; break;
            }
            values[i * stride] = value;
        }
    }
};

// A pseudo-random number of size 1 to 2 and either sign that depends on the integer `key` alone (splitmix64).
__device__ __forceinline__ double noise(int key) {
    unsigned long long z = (unsigned long long)(long long)key + 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    z = z ^ (z >> 31);
    double x = (double)(z >> 11) * (2.0 / 9007199254740992.0) - 1.0;
    return x < 0.0 ? x - 1.0 : x + 1.0;
}
