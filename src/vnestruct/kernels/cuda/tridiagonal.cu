// Symmetric matrices reduced to tridiagonal form, a block of threads each, or several blocks for a large one.
//
// Householder's reduction from the last row up, as in vnestruct/kernels/householder.py: each step makes one pass over
// the leading rows that are left, for the update of the step before and the product with the new reflector. The whole
// square is kept, in shared memory where it fits (IN_SHARED), else in global memory. A lane has some columns and a warp
// every WARPS-th row of them, so that lanes add up products by themselves. Who adds what depends on the number of rows
// and of threads alone, not on the number of blocks, and the same holds for the bits.
//
// The blocks of a matrix share its columns and wait for one another once in each step, so all of them must run at the
// same time. Everything else they do all alike.
//
// Compile with BLOCK_THREADS and IN_SHARED.
#include "team.cuh"

#define TILES 4  // columns of a lane, 32 apart, and
#define ROWS 2   // rows that it reads before it writes any
#define WIDTH (32 * TILES)
#define CANCEL_EVERY 64  // steps

#if IN_SHARED
#define READ(place) (*(place))
#else
#define READ(place) __ldcg(place)  // other blocks may have written there
#endif

using Block = Team<BLOCK_THREADS>;

// The update that is left over is v w' + w v'.
struct __align__(16) Pair {
    double v;
    double w;
};

// Waits until `expected` blocks have come here, or for nothing any more if the work is cancelled.
__device__ __forceinline__ void meet(unsigned long long* arrived, unsigned long long expected,
                                     const unsigned char* cancel) {
    Block::sync();
    if (gridDim.y == 1) return;
    if (Block::thread() == 0) {
        __threadfence();
        atomicAdd(arrived, 1ull);
        while (*(volatile unsigned long long*)arrived < expected && *(const volatile unsigned char*)cancel == 0) {}
        __threadfence();
    }
    Block::sync();
}

// Reduces the matrices in queue[4 * b ..]: first row, number of rows n, place of n * n + 2 n doubles in `squares`, and
// 0 for `meet`. The entries of row i besides the diagonal are ptr[i] .. ptr[i + 1] - 1. The diagonal is replaced, and
// off[i] set to the entry between i and i + 1. Shared memory: 32 n bytes, 8 TILES for each thread, and the square.
extern "C" __global__ void __launch_bounds__(BLOCK_THREADS)
    tridiagonalise(long long* queue, const long long* __restrict__ ptr, const int* __restrict__ columns,
                   const double* __restrict__ values, double* squares, double* diagonal, double* off,
                   const unsigned char* cancel) {
    extern __shared__ __align__(16) unsigned char memory[];
    __shared__ double next_to_diagonal;
    long long* facts = queue + 4 * blockIdx.x;
    long long first = facts[0];
    int n = (int)facts[1];
    unsigned long long* arrived = (unsigned long long*)(facts + 3);
    unsigned long long meetings = 0;
    int thread = Block::thread(), lane = Block::lane(), warp = Block::warp();
    int block = blockIdx.y, blocks = gridDim.y;
    Pair* pairs = (Pair*)memory;
    double* x = (double*)(pairs + n);
    double* product = x + n;
    double* sums = product + n;
#if IN_SHARED
    double* square = sums + TILES * BLOCK_THREADS;
    double* products = product;
#else
    double* square = squares + facts[2];
    double* products = square + n * n;
#endif
    for (int j = thread; j < n; j += BLOCK_THREADS) pairs[j].v = pairs[j].w = 0.0;
    for (int row = block * Block::WARPS + warp; row < n; row += blocks * Block::WARPS) {
        double* cells = square + row * n;
        for (int c = lane; c < n; c += 32) cells[c] = 0.0;
        __syncwarp();
        for (long long a = ptr[first + row] + lane; a < ptr[first + row + 1]; a += 32) cells[columns[a]] = values[a];
        if (lane == 0) cells[row] = diagonal[first + row];
    }
    meet(arrived, ++meetings * blocks, cancel);
    for (int i = n - 1; i > 0; i--) {
        // All threads of a block have to see the same.
        if (i % CANCEL_EVERY == 0 && !__syncthreads_and(*(const volatile unsigned char*)cancel == 0)) return;
        // Row i left of the diagonal becomes a multiple of the last unit vector, by a reflection along x.
        const double* row = square + i * n;
        Pair own = pairs[i];
        double squared = 0.0;
        for (int j = thread; j <= i; j += BLOCK_THREADS) {
            double value = READ(row + j) - own.v * pairs[j].w - own.w * pairs[j].v;
            x[j] = value;
            if (j == i && block == 0) diagonal[first + i] = value;
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
            if (block == 0) off[first + i - 1] = target;
            x[i - 1] = head - target;
        }
        Block::sync();
        // The columns of this block.
        int share = ((i + blocks - 1) / blocks + 31) & ~31;
        int end = min(i, (block + 1) * share);
        double* found = blocks > 1 ? products + (i & 1) * n : product;
        for (int begin = block * share; begin < end; begin += WIDTH) {
            double v[TILES], w[TILES], sum[TILES];
#pragma unroll
            for (int t = 0; t < TILES; t++) {
                int c = begin + lane + 32 * t;
                v[t] = c < end ? pairs[c].v : 0.0;
                w[t] = c < end ? pairs[c].w : 0.0;
                sum[t] = 0.0;
            }
            for (int r = warp; r < i; r += ROWS * Block::WARPS) {
                double entry[ROWS][TILES];
                double* cell = square + r * n + begin + lane;
#pragma unroll
                for (int k = 0; k < ROWS; k++) {
#pragma unroll
                    for (int t = 0; t < TILES; t++) {
                        bool is_there = r + k * Block::WARPS < i && begin + lane + 32 * t < end;
                        entry[k][t] = is_there ? READ(cell + k * Block::WARPS * n + 32 * t) : 0.0;
                    }
                }
#pragma unroll
                for (int k = 0; k < ROWS; k++) {
                    int other = r + k * Block::WARPS;
                    if (other >= i) break;
                    Pair pair = pairs[other];
                    double factor = x[other];
#pragma unroll
                    for (int t = 0; t < TILES; t++) {
                        entry[k][t] = entry[k][t] - pair.v * w[t] - pair.w * v[t];
                        sum[t] += entry[k][t] * factor;
                        if (begin + lane + 32 * t < end) cell[k * Block::WARPS * n + 32 * t] = entry[k][t];
                    }
                }
            }
#pragma unroll
            for (int t = 0; t < TILES; t++) sums[warp * WIDTH + 32 * t + lane] = sum[t];
            Block::sync();
            for (int j = thread; j < WIDTH && begin + j < end; j += BLOCK_THREADS) {
                double total = 0.0;
                for (int k = 0; k < Block::WARPS; k++) total += sums[k * WIDTH + j];
                found[begin + j] = total;
            }
            Block::sync();
        }
        meet(arrived, ++meetings * blocks, cancel);
        double inner = 0.0;
        for (int c = thread; c < i; c += BLOCK_THREADS) {
            if (blocks > 1) product[c] = READ(found + c);
            inner += product[c] * x[c];
        }
        inner = 0.5 * beta * beta * Block::sum(inner);
        for (int c = thread; c < i; c += BLOCK_THREADS) {
            pairs[c].v = x[c];
            pairs[c].w = beta * product[c] - inner * x[c];
        }
        Block::sync();
    }
    if (thread == 0 && block == 0) diagonal[first] = READ(square) - 2.0 * pairs[0].v * pairs[0].w;
}
