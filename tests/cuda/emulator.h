// Runs CUDA kernels on the CPU, for tests: the threads of a block are fibers that take turns at barriers.
//
// Blocks run one after the other, those of a grid's second dimension at the same time. Warp operations wait for all 32 lanes, so a kernel in which some lane never arrives is
// reported instead of giving an answer.
//
// A fiber starts with setcontext and goes on with longjmp, which, unlike swapcontext, does not ask the system.
#include <setjmp.h>
#include <ucontext.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

// Blocks that run at the same time, a thread of the CPU each, have a state of their own. Others need not pay for that.
#if defined(IN_SHARED) && !IN_SHARED
#define PER_BLOCK static thread_local
#else
#define PER_BLOCK static
#endif
#define __device__
#define __global__
#define __shared__ PER_BLOCK
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __restrict__

struct Index {
    int x, y;
};
PER_BLOCK Index threadIdx, blockIdx, blockDim, gridDim;

namespace emulator {
constexpr int STACK = 64 << 10;
struct Barrier {
    int arrived = 0;
    unsigned generation = 0;
};
struct Fiber {
    ucontext_t context;
    std::vector<char> stack;
    jmp_buf place;
    bool started = false;
    bool ended = false;
};
PER_BLOCK jmp_buf scheduler;
PER_BLOCK std::vector<Fiber> fibers;
PER_BLOCK std::vector<Barrier> warps;
PER_BLOCK Barrier block;
PER_BLOCK std::vector<unsigned long long> slots;
PER_BLOCK bool moved;
PER_BLOCK int votes;
PER_BLOCK std::vector<unsigned char> shared;

inline void yield() {
    int own = threadIdx.x;
    if (!_setjmp(fibers[own].place)) _longjmp(scheduler, 1);
    threadIdx.x = own;
}
inline void resume(Fiber& fiber) {
    if (_setjmp(scheduler)) return;
    if (fiber.started) _longjmp(fiber.place, 1);
    fiber.started = true;
    setcontext(&fiber.context);
}
inline void wait(Barrier& barrier, int expected) {
    moved = true;
    unsigned generation = barrier.generation;
    if (++barrier.arrived == expected) {
        barrier.arrived = 0;
        barrier.generation++;
        return;
    }
    while (barrier.generation == generation) yield();
    moved = true;
}
template <class T>
T exchange(T value, int from) {
    int base = threadIdx.x & ~31;
    Barrier& barrier = warps[threadIdx.x >> 5];
    memcpy(&slots[threadIdx.x], &value, sizeof(T));
    wait(barrier, 32);
    T result;
    memcpy(&result, &slots[base + from], sizeof(T));
    wait(barrier, 32);
    return result;
}
}  // namespace emulator

inline void __syncthreads() { emulator::wait(emulator::block, blockDim.x); }
inline void __syncwarp() { emulator::wait(emulator::warps[threadIdx.x >> 5], 32); }
inline int __syncthreads_and(int value) {
    __syncthreads();
    if (threadIdx.x == 0) emulator::votes = 0;
    __syncthreads();
    emulator::votes += value != 0;
    __syncthreads();
    int result = emulator::votes == blockDim.x;
    __syncthreads();
    return result;
}
template <class T>
T __shfl_sync(unsigned, T value, int from) {
    return emulator::exchange(value, from);
}
template <class T>
T __shfl_xor_sync(unsigned, T value, int step) {
    return emulator::exchange(value, (threadIdx.x & 31) ^ step);
}
template <class T>
T __shfl_up_sync(unsigned, T value, int step) {
    int lane = threadIdx.x & 31;
    return emulator::exchange(value, lane >= step ? lane - step : lane);
}
inline unsigned __ballot_sync(unsigned, bool value) {
    int base = threadIdx.x & ~31;
    emulator::Barrier& barrier = emulator::warps[threadIdx.x >> 5];
    emulator::slots[threadIdx.x] = value;
    emulator::wait(barrier, 32);
    unsigned bits = 0;
    for (int lane = 0; lane < 32; lane++) bits |= (unsigned)emulator::slots[base + lane] << lane;
    emulator::wait(barrier, 32);
    return bits;
}
inline int __popc(unsigned word) { return __builtin_popcount(word); }
inline int __ffs(unsigned word) { return __builtin_ffs(word); }
template <class T, class U>
T atomicAdd(T* place, U amount) {
    if constexpr (sizeof(T) == 8 && T(1) / 2 == 0) return __atomic_fetch_add(place, amount, __ATOMIC_SEQ_CST);
    T before = *place;
    *place += amount;
    return before;
}
inline void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
template <class T>
T __ldcg(const T* place) {
    return *place;
}
inline unsigned atomicOr(unsigned* place, unsigned bits) {
    unsigned before = *place;
    *place |= bits;
    return before;
}
inline int atomicCAS(int* place, int expected, int wanted) {
    int before = *place;
    if (before == expected) *place = wanted;
    return before;
}
inline long long min(long long a, long long b) { return a < b ? a : b; }
inline int min(int a, int b) { return a < b ? a : b; }

namespace emulator {
typedef unsigned long long Word;
static void (*kernel)();
static const Word* arguments;

inline void body() {
    const Word* a = arguments;
    ((void (*)(Word, Word, Word, Word, Word, Word, Word, Word))kernel)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]);
    fibers[threadIdx.x].ended = true;
    moved = true;
    _longjmp(scheduler, 1);
}
}  // namespace emulator

namespace emulator {
inline int run(int blocks, int together, int number, int threads, int bytes) {
    blockDim.x = threads;
    gridDim.x = blocks;
    gridDim.y = together;
    fibers = std::vector<Fiber>(threads);
    for (Fiber& fiber : fibers) fiber.stack.resize(STACK);
    slots.assign(threads, 0);
    if ((int)shared.size() < bytes + 64) shared.resize(bytes + 64);
    for (int b = 0; b < blocks; b++) {
        // Memory of a block holds anything when it starts.
        memset(shared.data(), 0xA5, shared.size());
        warps.assign((threads + 31) / 32, Barrier());
        block = Barrier();
        for (int t = 0; t < threads; t++) {
            Fiber& fiber = fibers[t];
            fiber.started = fiber.ended = false;
            getcontext(&fiber.context);
            fiber.context.uc_stack.ss_sp = fiber.stack.data();
            fiber.context.uc_stack.ss_size = STACK;
            fiber.context.uc_link = nullptr;
            makecontext(&fiber.context, body, 0);
        }
        int left = threads;
        while (left > 0) {
            moved = false;
            left = 0;
            for (int t = 0; t < threads; t++) {
                if (fibers[t].ended) continue;
                threadIdx.x = t;
                blockIdx.x = b;
                blockIdx.y = number;
                resume(fibers[t]);
                left += !fibers[t].ended;
            }
            if (left > 0 && !moved) return 1;
        }
    }
    return 0;
}
}  // namespace emulator

// Returns 0, or 1 if threads wait for others that will never come.
extern "C" int emulator_launch(void* kernel, const unsigned long long* arguments, int blocks, int together, int threads,
                               int bytes) {
    emulator::kernel = (void (*)())kernel;
    emulator::arguments = arguments;
    if (together == 1) return emulator::run(blocks, 1, 0, threads, bytes);
    std::vector<std::thread> running;
    std::vector<int> stuck(together);
    for (int number = 0; number < together; number++) {
        running.emplace_back([&, number] { stuck[number] = emulator::run(blocks, together, number, threads, bytes); });
    }
    int any = 0;
    for (int number = 0; number < together; number++) {
        running[number].join();
        any |= stuck[number];
    }
    return any;
}
