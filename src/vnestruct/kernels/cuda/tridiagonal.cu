// Symmetric matrices reduced to tridiagonal form, a block of threads each.
//
// Householder's reduction from the last row up, as in vnestruct/kernels/householder.py: each step makes one pass over
// the leading rows that are left, for the update of the step before and the product with the new reflector. The whole
// square is kept, in shared memory where it fits (IN_SHARED) and in global memory elsewhere. A thread has a column, or
// every G-th row of it where there are threads enough, so that it adds up its part of the product by itself. Who adds
// what depends on the number of rows and of threads alone, and the same holds for the bits.
//
// Compile with BLOCK_THREADS and IN_SHARED.
#include "team.cuh"

#define TOGETHER 8      // entries that a thread reads before it writes any
#define CANCEL_EVERY 64  // steps

using Block = Team<BLOCK_THREADS>;

// The update that is left over is v w' + w v'.
struct __align__(16) Pair {
    double v;
    double w;
};

// Reduces the matrices in queue[3 * b ..]: first row, number of rows n, place of the square among `squares`. The entries
// of row i besides the diagonal are ptr[i] .. ptr[i + 1] - 1. The diagonal is replaced; off[i] stands between i and i + 1.
// Shared memory: 24 n bytes, 8 more for each of n or BLOCK_THREADS, whichever is more, and the square.
extern "C" __global__ void __launch_bounds__(BLOCK_THREADS)
    tridiagonalise(const long long* __restrict__ queue, const long long* __restrict__ ptr,
                   const int* __restrict__ columns, const double* __restrict__ values, double* squares,
                   double* diagonal, double* off, const unsigned char* cancel) {
    extern __shared__ __align__(16) unsigned char memory[];
    __shared__ double next_to_diagonal;
    long long first = queue[3 * blockIdx.x];
    int n = (int)queue[3 * blockIdx.x + 1];
    int thread = Block::thread();
    Pair* pairs = (Pair*)memory;
    double* x = (double*)(pairs + n);
    double* sums = x + n;
#if IN_SHARED
    double* square = sums + (n > BLOCK_THREADS ? n : BLOCK_THREADS);
#else
    double* square = squares + queue[3 * blockIdx.x + 2];
#endif
    long long cells = (long long)n * n;
    for (long long cell = thread; cell < cells; cell += BLOCK_THREADS) square[cell] = 0.0;
    for (int j = thread; j < n; j += BLOCK_THREADS) pairs[j].v = pairs[j].w = 0.0;
    Block::sync();
    for (int row = Block::warp(); row < n; row += Block::WARPS) {
        double* cell = square + (long long)row * n;
        for (long long a = ptr[first + row] + Block::lane(); a < ptr[first + row + 1]; a += 32) {
            cell[columns[a]] = values[a];
        }
        if (Block::lane() == 0) cell[row] = diagonal[first + row];
    }
    Block::sync();
    for (int i = n - 1; i > 0; i--) {
        // All threads have to see the same.
        if (i % CANCEL_EVERY == 0 && !__syncthreads_and(*(const volatile unsigned char*)cancel == 0)) return;
        // Row i left of the diagonal becomes a multiple of the last unit vector, by a reflection along x.
        const double* row = square + (long long)i * n;
        Pair own = pairs[i];
        double squared = 0.0;
        for (int j = thread; j <= i; j += BLOCK_THREADS) {
            double value = row[j] - own.v * pairs[j].w - own.w * pairs[j].v;
            x[j] = value;
            if (j == i) diagonal[first + i] = value;
            if (j == i - 1) next_to_diagonal = value;
            if (j < i - 1) squared += value * value;
        }
        squared = Block::sum(squared);
        double head = next_to_diagonal;
        double target = head;
        double beta = 0.0;  // 2 / |x|^2, or 0 where there is nothing to reflect
        if (squared > 0.0) {
            double length = sqrt(head * head + squared);
            target = head > 0.0 ? -length : length;
            beta = 1.0 / (target * (target - head));
        }
        if (thread == 0) {
            off[first + i - 1] = target;
            x[i - 1] = head - target;
        }
        Block::sync();
        int width = (i + 31) & ~31;
        if (width > BLOCK_THREADS) width = BLOCK_THREADS;
        int groups = BLOCK_THREADS / width;
        int group = thread / width;
        for (int c = thread - group * width; c < i && group < groups; c += width) {
            Pair mine = pairs[c];
            double sum = 0.0;
            double* cell = square + (long long)group * n + c;
            long long step = (long long)groups * n;
            int r = group;
            for (; r + (TOGETHER - 1) * groups < i; r += TOGETHER * groups) {
                double entry[TOGETHER];
#pragma unroll
                for (int k = 0; k < TOGETHER; k++) entry[k] = cell[k * step];
#pragma unroll
                for (int k = 0; k < TOGETHER; k++) {
                    Pair other = pairs[r + k * groups];
                    entry[k] = entry[k] - other.v * mine.w - other.w * mine.v;
                    sum += entry[k] * x[r + k * groups];
                }
#pragma unroll
                for (int k = 0; k < TOGETHER; k++) cell[k * step] = entry[k];
                cell += TOGETHER * step;
            }
            for (; r < i; r += groups) {
                double entry = *cell - pairs[r].v * mine.w - pairs[r].w * mine.v;
                sum += entry * x[r];
                *cell = entry;
                cell += step;
            }
            sums[group * width + c] = sum;
        }
        Block::sync();
        double product = 0.0;
        for (int c = thread; c < i; c += BLOCK_THREADS) {
            double sum = sums[c];
            for (int g = 1; g < groups; g++) sum += sums[g * width + c];
            sums[c] = sum;
            product += sum * x[c];
        }
        double inner = 0.5 * beta * beta * Block::sum(product);
        for (int c = thread; c < i; c += BLOCK_THREADS) {
            pairs[c].v = x[c];
            pairs[c].w = beta * sums[c] - inner * x[c];
        }
        Block::sync();
    }
    if (thread == 0) diagonal[first] = square[0] - 2.0 * pairs[0].v * pairs[0].w;
}
