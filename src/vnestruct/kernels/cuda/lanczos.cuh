// Largest Laplacian eigenvalue of a ball by the Lanczos method, all in double precision.
//
// The method, its start and its stopping rule are those of the CPU: the hub h is the node of largest degree d1.
// Deleting its row and column and taking absolute values gives a matrix B whose Collatz-Wielandt quotient for any
// positive vector bounds the second eigenvalue of L. Where that bound stays clear of d1 + 1 <= lambda_max, the start
// is the hub's star alone, and Kato and Temple's inequality ends the iteration: a Ritz value theta with residual res
// misses the largest eigenvalue by at most res**2 / (theta - bound). Elsewhere the start has a random part as large as
// the rest, keyed by the rank of each node, and the residual itself must be small.
//
// Vectors are kept unnormalised, with their inverse norm beside them. One step is one product, a sum, an update, a
// sum.
#pragma once
#include "entropy.cuh"
#include "local_graph.cuh"
#include "ritz.cuh"
#include "team.cuh"

#define CLEAR 0.99
#define BOUND_STEPS 5
#define RESIDUAL 2e-11
#define FINE_RESIDUAL 1e-14  // of weighted balls of few rows: kernels/lanczos.py says why
#define FEW_ROWS 16

// What is known of a ball before the iteration.
struct Facts {
    int hub;
    double largest;  // the hub's degree
    double runner;   // the second largest degree
};

template <class TEAM, class GRAPH>
__device__ __forceinline__ void find_hub(const GRAPH& g, const int* ranks, Facts& facts) {
    double largest = 0.0;
    for (int i = TEAM::thread(); i < g.k; i += TEAM::WARPS * 32) largest = fmax(largest, g.degree(i));
    facts.largest = TEAM::largest(largest);
    unsigned long long key = ~0ull;
    for (int i = TEAM::thread(); i < g.k; i += TEAM::WARPS * 32) {
        unsigned long long own = ((unsigned long long)ranks[i] << 32) | (unsigned)i;
        if (g.degree(i) == facts.largest && own < key) key = own;
    }
    facts.hub = (int)(TEAM::smallest(key) & 0xffffffffu);
    double runner = 0.0;
    for (int i = TEAM::thread(); i < g.k; i += TEAM::WARPS * 32) {
        if (i != facts.hub) runner = fmax(runner, g.degree(i));
    }
    facts.runner = TEAM::largest(runner);
}

// Returns a bound on the second eigenvalue, or infinity where none of use was found. Overwrites both vectors.
template <class TEAM, class GRAPH>
__device__ __forceinline__ double second_bound(const GRAPH& g, Facts& facts, double limit) {
    const double infinity = 1e308 * 10.0;
    if (facts.runner >= limit) return infinity;
    for (int i = TEAM::thread(); i <= g.k; i += TEAM::WARPS * 32) {
        g.set(i, i == facts.hub || i == g.k ? 0.0 : g.count(i) * g.degree(i));
    }
    TEAM::sync();
#pragma unroll 1
    for (int step = 0; step < BOUND_STEPS; step++) {
        double quotient = 0.0;
        g.template for_rows<TEAM>([&](int i, double sum) {
            double own = g.get(i);
            double product = i == facts.hub ? 0.0 : g.outer_degree(i) * own + g.count(i) * sum;
            g.other[i] = product;
            if (own > 0.0) quotient = fmax(quotient, product / own);
        });
        quotient = TEAM::largest(quotient);
        if (quotient < limit) return quotient;
        for (int i = TEAM::thread(); i < g.k; i += TEAM::WARPS * 32) g.set(i, g.other[i]);
        TEAM::sync();
    }
    return infinity;
}

// Writes the start: the eigenvector of the star around the hub to first order, with noise where `noisy`.
template <class TEAM, class GRAPH, bool WEIGHTED>
__device__ __forceinline__ void start_vector(const GRAPH& g, const int* ranks, const Facts& facts, bool noisy) {
    const int threads = TEAM::WARPS * 32;
    int begin = g.start[facts.hub];
    int end = begin + g.length[facts.hub];
    for (int i = TEAM::thread(); i <= g.k; i += threads) {
        g.set(i, 0.0);
        if (i < g.k) g.other[i] = 0.0;
    }
    double first = 0.0;
    double second = 0.0;
    for (int p = begin + TEAM::thread(); p < end; p += threads) {
        double square = WEIGHTED ? g.weights[p] * g.weights[p] : g.count(g.columns[p]);
        first += square;
        second += square * g.degree(g.columns[p]);
    }
    first = TEAM::sum(first);
    second = TEAM::sum(second);
    double own = g.count(facts.hub);
    double shift = g.outer_degree(facts.hub) + own * (first + second / facts.largest) / facts.largest;
    if (WITH_TWINS) shift = fmax(shift, facts.largest + 1.0);
    for (int p = begin + TEAM::thread(); p < end; p += threads) {
        double entry = WEIGHTED ? g.weights[p] : own * g.count(g.columns[p]);
        g.set(g.columns[p], -entry / (shift - g.degree(g.columns[p])));
    }
    if (TEAM::thread() == 0) g.set(facts.hub, own);
    TEAM::sync();
    if (!noisy) return;
    double norm = 0.0;
    double random = 0.0;
    for (int i = TEAM::thread(); i < g.k; i += threads) {
        double share = g.degree(i) / facts.largest;
        double x = noise(ranks[i]) * (share * share);
        norm += g.term(i, g.get(i) * g.get(i));
        random += x * x * g.count(i);
    }
    double scale = sqrt(TEAM::sum(norm) / TEAM::sum(random));
    for (int i = TEAM::thread(); i < g.k; i += threads) {
        double share = g.degree(i) / facts.largest;
        g.set(i, g.get(i) + scale * (noise(ranks[i]) * (share * share) * g.count(i)));
    }
    TEAM::sync();
}

// Returns the largest eigenvalue, or -1 if `last` steps, with which alpha and beta2 are full, do not settle it and
// `must_settle` is set. `ritz` is two doubles of shared memory.
template <class TEAM, class GRAPH, bool WEIGHTED>
__device__ __forceinline__ double largest_eigenvalue(const GRAPH& g, const int* ranks, Facts& facts, double tolerance,
                                                     double* alpha, double* beta2, int last, bool must_settle,
                                                     double* ritz) {
    const int threads = TEAM::WARPS * 32;
    double second = second_bound<TEAM>(g, facts, CLEAR * (facts.largest + (WEIGHTED ? 0.0 : 1.0)));
    TEAM::sync();
    start_vector<TEAM, GRAPH, WEIGHTED>(g, ranks, facts, second > 1e308);
    double norm2 = 0.0;
    for (int i = TEAM::thread(); i < g.k; i += threads) norm2 += g.term(i, g.get(i) * g.get(i));
    double inverse = 1.0 / sqrt(TEAM::sum(norm2));
    double carry = 0.0;
    double theta = 0.0;
    const double enough = WEIGHTED && g.k <= FEW_ROWS ? FINE_RESIDUAL : RESIDUAL;
    for (int t = 0;; t++) {
        double total = 0.0;
        g.template for_rows<TEAM>([&](int i, double sum) {
            double own = g.get(i);
            double x = (g.outer_degree(i) * own - g.count(i) * sum) * inverse - carry * g.other[i];
            total += g.term(i, x * own);
            g.other[i] = x;
        });
        total = TEAM::sum(total);
        double along = total * inverse * inverse;
        norm2 = 0.0;
        for (int i = TEAM::thread(); i < g.k; i += threads) {
            double own = g.get(i);
            double x = g.other[i] - along * own;
            norm2 += g.term(i, x * x);
            g.set(i, x);
            g.other[i] = own;
        }
        norm2 = TEAM::sum(norm2);
        if (TEAM::thread() == 0) {
            alpha[t] = total * inverse;
            if (t < last) beta2[t + 1] = norm2;
        }
        bool is_end = t == last || norm2 == 0.0;
        if (is_checked(t) || is_end) {
            TEAM::sync();
            if (TEAM::warp() == 0) {
                double x = largest_ritz(alpha, beta2, t, theta, TEAM::lane());
                double component2 = last_component2(alpha, beta2, t, x);
                if (TEAM::lane() == 0) {
                    ritz[0] = x;
                    ritz[1] = norm2 * component2;
                }
            }
            TEAM::sync();
            theta = ritz[0];
            double residual2 = ritz[1];
            TEAM::sync();
            if (residual2 <= enough * theta * (enough * theta) || norm2 == 0.0) return theta;
            if (theta > second && residual2 <= tolerance * theta * (theta - second)) return theta;
            if (is_end) return must_settle ? -1.0 : theta;
        }
        double beta = sqrt(norm2);
        carry = beta * inverse;
        inverse = 1.0 / beta;
    }
}
