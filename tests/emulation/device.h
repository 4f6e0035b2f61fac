/*
 * What CUDA C++ finds on a device, on the CPU: indices, barriers, shuffles, votes, atomics, packed
 * arithmetic, textures. For files that translate.py has rewritten; fibers.cpp runs their kernels.
 *
 * Answers are those of a device but for approximations (rcp.approx) and interpolation in textures,
 * which round in a way of their own.
 */
#ifndef TESTS_EMULATION_DEVICE_H
#define TESTS_EMULATION_DEVICE_H

#include <channel_descriptor.h>
#include <cuda_runtime_api.h>
#include <vector_functions.h>
#include <vector_types.h>
#ifdef EMULATED_WITH_HALVES
#include <cuda_fp16.h>
#endif

#include <cfenv>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <type_traits>

#include "runtime.h"

#undef __global__
#undef __device__
#undef __host__
#undef __shared__
#undef __constant__
#undef __forceinline__
#undef __noinline__
#undef __launch_bounds__
#undef __grid_constant__
#undef __restrict__
#undef __align__
#define __global__
#define __device__
#define __host__
#define __constant__ static
#define __forceinline__ inline
#define __noinline__
#define __launch_bounds__(...)
#define __grid_constant__
#define __restrict__
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __CUDA_ARCH__ 900

/* === Threads ================================================================================== */

namespace emulated {

enum { WARP_LANES = 32 };

struct Index {
    unsigned int x, y, z;
};

/* Of the thread that runs. */
extern Index thread_index, block_index;
extern dim3 block_size, grid_size;
extern unsigned int lane, warp;

/* Says what went wrong and where, and ends the program: the code under test is at fault. */
[[noreturn]] void stop(const char *why);

void *dynamic_shared();
/* A __shared__ variable that the thread comes to: the first one of a block finds poison in it.
 * `known_to` is the variable's own, 0 at first. */
void new_to_block(void *variable, size_t bytes, uint64_t &known_to);

/* The sum of all threads' votes. */
int block_barrier(int vote);
void let_others_run();

/* A value that a lane shows the others of its warp. */
struct Shown {
    uint64_t words[4];
};
Shown &shown_by_this_lane();

/* What the lanes that meet do with the values that they show: take(takers, lanes, values) is called
 * once all are there, with a bit for each of them and the taker of each. Values are read at that
 * moment, so that no lane waits a second time until all have read. */
struct Exchange {
    void (*take)(void *const *takers, unsigned int lanes, const Shown *values);
    void *taker;
};
void warp_barrier(unsigned int mask, const Exchange &exchange = {nullptr, nullptr});

/* The values of a type that the lanes show. */
template <typename T> class Lanes {
    const Shown *shown;

  public:
    explicit Lanes(const Shown *of) : shown(of) {
    }
    T operator[](int i) const {
        T value;
        memcpy(&value, &shown[i], sizeof value);
        return value;
    }
};

/* Queues a kernel of which each thread calls `function`. */
template <typename Function> void queue_function(const LaunchShape &shape, Function function) {
    struct Calling : Body {
        Function function;
        explicit Calling(Function &of) : function(of) {
        }
        void run() override {
            function();
        }
    };
    queue_kernel(shape, new Calling(function));
}

/* Arguments are copied when a kernel is queued, as on a device. */
template <typename Kernel, typename... Arguments>
void launch(LaunchShape shape, Kernel kernel, Arguments... arguments) {
    queue_function(shape, [=]() mutable { kernel(arguments...); });
}

/* Shows `value` to the lanes of the mask, and is use(values of 32 lanes). */
template <typename T, typename Use> auto among_lanes(unsigned int mask, T value, const Use &use) {
    static_assert(sizeof(T) <= sizeof(Shown), "values of up to 32 bytes");
    memcpy(&shown_by_this_lane(), &value, sizeof value);
    struct Taker {
        const Use &use;
        decltype(use(Lanes<T>(nullptr))) result;
    } taker = {use, {}};
    warp_barrier(mask, {[](void *const *takers, unsigned int lanes, const Shown *values) {
                            for (unsigned int left = lanes; left != 0; left &= left - 1) {
                                Taker &by = *(Taker *)takers[__builtin_ctz(left)];
                                by.result = by.use(Lanes<T>(values));
                            }
                        },
                        &taker});
    return taker.result;
}

template <typename T> T of_lane(unsigned int mask, T value, int source) {
    return among_lanes(mask, value, [=](Lanes<T> values) { return values[source]; });
}

/* Shows `value`; compute(values of 32 lanes, lanes that are there, results of 32 lanes) is called
 * once for all of them. */
template <typename Result, typename T, typename Compute>
Result once_for_lanes(unsigned int mask, T value, const Compute &compute) {
    static_assert(sizeof(T) <= sizeof(Shown), "values of up to 32 bytes");
    memcpy(&shown_by_this_lane(), &value, sizeof value);
    struct Taker {
        const Compute &compute;
        Result result;
    } taker = {compute, {}};
    warp_barrier(mask, {[](void *const *takers, unsigned int lanes, const Shown *values) {
                            Result results[WARP_LANES] = {};
                            const Taker &first = *(Taker *)takers[__builtin_ctz(lanes)];
                            first.compute(Lanes<T>(values), lanes, results);
                            for (unsigned int left = lanes; left != 0; left &= left - 1) {
                                const int i = __builtin_ctz(left);
                                ((Taker *)takers[i])->result = results[i];
                            }
                        },
                        &taker});
    return taker.result;
}

template <typename T, typename Join> T joined(unsigned int mask, T value, Join join) {
    const auto all = [=](Lanes<T> values, unsigned int lanes, T *results) {
        T sum = values[__builtin_ctz(lanes)];
        for (unsigned int left = lanes & (lanes - 1); left != 0; left &= left - 1) {
            sum = join(sum, values[__builtin_ctz(left)]);
        }
        for (int i = 0; i < WARP_LANES; i++) {
            results[i] = sum;
        }
    };
    return once_for_lanes<T>(mask, value, all);
}

} // namespace emulated

/* A kernel never starts before the one before it has ended, whatever the attributes allow. */
template <typename... Expected, typename... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(Expected...),
                               Arguments... arguments) {
    const auto &[grid, block, shared, stream, attributes, count] = *config;
    emulated::launch({grid, block, shared, stream}, kernel, Expected(arguments)...);
    return cudaSuccess;
}

inline void cudaTriggerProgrammaticLaunchCompletion() {
}
inline void cudaGridDependencySynchronize() {
}

#define threadIdx (emulated::thread_index)
#define blockIdx (emulated::block_index)
#define blockDim (emulated::block_size)
#define gridDim (emulated::grid_size)
#define warpSize 32

/* === Barriers, votes, shuffles ================================================================ */

inline void __syncthreads() {
    (void)emulated::block_barrier(0);
}
inline int __syncthreads_count(int predicate) {
    return emulated::block_barrier(predicate != 0);
}
inline int __syncthreads_or(int predicate) {
    return emulated::block_barrier(predicate != 0) != 0;
}
inline int __syncthreads_and(int predicate) {
    return emulated::block_barrier(predicate == 0) == 0;
}
inline void __syncwarp(unsigned int mask = UINT_MAX) {
    emulated::warp_barrier(mask);
}
/* The hardware promises no more than that the thread itself is one of them. */
inline unsigned int __activemask() {
    return 1U << emulated::lane;
}
inline unsigned int __ballot_sync(unsigned int mask, int predicate) {
    const unsigned int own = predicate != 0 ? 1U << emulated::lane : 0U;
    return emulated::joined(mask, own, [](unsigned int a, unsigned int b) { return a | b; });
}
inline int __any_sync(unsigned int mask, int predicate) {
    return __ballot_sync(mask, predicate) != 0;
}
inline int __all_sync(unsigned int mask, int predicate) {
    return __ballot_sync(mask, predicate == 0) == 0;
}

template <typename T> T __shfl_sync(unsigned int mask, T value, int source, int width = warpSize) {
    const int first = (int)emulated::lane / width * width;
    return emulated::of_lane(mask, value, first + (source & (width - 1)));
}
template <typename T>
T __shfl_up_sync(unsigned int mask, T value, unsigned int by, int width = warpSize) {
    const int lane = (int)emulated::lane;
    const int source = lane - (int)by;
    return emulated::of_lane(mask, value, source < lane / width * width ? lane : source);
}
template <typename T>
T __shfl_down_sync(unsigned int mask, T value, unsigned int by, int width = warpSize) {
    const int lane = (int)emulated::lane;
    const int source = lane + (int)by;
    return emulated::of_lane(mask, value, source >= (lane / width + 1) * width ? lane : source);
}
template <typename T> T __shfl_xor_sync(unsigned int mask, T value, int by, int width = warpSize) {
    const int lane = (int)emulated::lane;
    const int source = lane ^ by;
    return emulated::of_lane(mask, value, source >= (lane / width + 1) * width ? lane : source);
}
template <typename T> T __reduce_add_sync(unsigned int mask, T value) {
    return emulated::joined(mask, value, [](T a, T b) { return a + b; });
}
template <typename T> T __reduce_max_sync(unsigned int mask, T value) {
    return emulated::joined(mask, value, [](T a, T b) { return a > b ? a : b; });
}
template <typename T> T __reduce_min_sync(unsigned int mask, T value) {
    return emulated::joined(mask, value, [](T a, T b) { return a < b ? a : b; });
}
inline unsigned int __reduce_or_sync(unsigned int mask, unsigned int value) {
    return emulated::joined(mask, value, [](unsigned int a, unsigned int b) { return a | b; });
}
inline unsigned int __reduce_and_sync(unsigned int mask, unsigned int value) {
    return emulated::joined(mask, value, [](unsigned int a, unsigned int b) { return a & b; });
}
template <typename T> unsigned int __match_any_sync(unsigned int mask, T value) {
    return emulated::among_lanes(mask, value, [=](emulated::Lanes<T> values) {
        unsigned int same = 0;
        for (int i = 0; i < warpSize; i++) {
            same |= (mask >> i & 1) != 0 && values[i] == value ? 1U << i : 0U;
        }
        return same;
    });
}

/* === Memory =================================================================================== */

inline void __threadfence() {
    emulated::let_others_run();
}
[[noreturn]] inline void __trap() {
    emulated::stop("a kernel trapped");
}
inline void __threadfence_system() {
    emulated::let_others_run();
}
inline void __threadfence_block() {
}
inline void __nanosleep(unsigned int nanoseconds) {
    (void)nanoseconds;
    emulated::let_others_run();
}
template <typename T> T __ldg(const T *from) {
    return *from;
}
template <typename T> T __ldcs(const T *from) {
    return *from;
}
template <typename T> T __ldcg(const T *from) {
    emulated::let_others_run(); /* who waits for another thread reads like this */
    return *from;
}
template <typename T> T __ldcv(const T *from) {
    return __ldcg(from);
}
template <typename T> void __stcs(T *to, T value) {
    *to = value;
}
template <typename T> void __stcg(T *to, T value) {
    *to = value;
}
/* Shared memory has addresses of 32 bits, and so have the variables of this program: it is linked
 * without -pie. */
inline size_t __cvta_generic_to_shared(const void *generic) {
    return (size_t)generic;
}

inline void __pipeline_memcpy_async(void *shared, const void *global, size_t bytes) {
    memcpy(shared, global, bytes);
}
inline void __pipeline_commit() {
}
inline void __pipeline_wait_prior(size_t prior) {
    (void)prior;
}

/* A thread goes on until it waits, so each of these is atomic as it is. */
#define EMULATED_ATOMIC(name, changed)                                                             \
    template <typename T, typename U> T name(T *at, U given) {                                     \
        const T old = *at;                                                                         \
        const T value = (T)given;                                                                  \
        *at = (T)(changed);                                                                        \
        return old;                                                                                \
    }
EMULATED_ATOMIC(atomicAdd, old + value)
EMULATED_ATOMIC(atomicSub, old - value)
EMULATED_ATOMIC(atomicMax, old > value ? old : value)
EMULATED_ATOMIC(atomicMin, old < value ? old : value)
EMULATED_ATOMIC(atomicOr, old | value)
EMULATED_ATOMIC(atomicAnd, old &value)
EMULATED_ATOMIC(atomicXor, old ^ value)
EMULATED_ATOMIC(atomicInc, old >= value ? 0 : old + 1)
EMULATED_ATOMIC(atomicExch, value)
template <typename T, typename U, typename V> T atomicCAS(T *at, U expected, V given) {
    const T old = *at;
    *at = old == (T)expected ? (T)given : old;
    return old;
}

namespace cuda {
template <typename T = void> struct maximum {
    T operator()(T a, T b) const {
        return a < b ? b : a;
    }
};
template <typename T = void> struct minimum {
    T operator()(T a, T b) const {
        return b < a ? b : a;
    }
};
} // namespace cuda

/* === Arithmetic =============================================================================== */

inline int __popc(unsigned int value) {
    return __builtin_popcount(value);
}
inline int __popcll(unsigned long long value) {
    return __builtin_popcountll(value);
}
inline int __clz(int value) {
    return value == 0 ? 32 : __builtin_clz((unsigned int)value);
}
inline int __clzll(long long value) {
    return value == 0 ? 64 : __builtin_clzll((unsigned long long)value);
}
inline int __ffs(int value) {
    return __builtin_ffs(value);
}
inline unsigned int __brev(unsigned int value) {
    unsigned int reversed = 0;
    for (int i = 0; i < 32; i++) {
        reversed |= (value >> i & 1) << (31 - i);
    }
    return reversed;
}
/* Each nibble of `selector` names a byte of b:a, or with its high bit the sign of that byte. */
inline unsigned int __byte_perm(unsigned int a, unsigned int b, unsigned int selector) {
    const uint64_t bytes = (uint64_t)b << 32 | a;
    unsigned int chosen = 0;
    for (int i = 0; i < 4; i++) {
        const unsigned int nibble = selector >> (4 * i) & 0xF;
        const unsigned int byte = (unsigned int)(bytes >> (8 * (nibble & 7))) & 0xFF;
        const unsigned int sign = (byte & 0x80) != 0 ? 0xFFU : 0U;
        chosen |= ((nibble & 8) != 0 ? sign : byte) << (8 * i);
    }
    return chosen;
}
inline unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int by) {
    return (unsigned int)(((uint64_t)high << 32 | low) << (by & 31) >> 32);
}
inline unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int by) {
    return (unsigned int)(((uint64_t)high << 32 | low) >> (by & 31));
}
inline unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int by) {
    return by >= 32 ? high : __funnelshift_r(low, high, by);
}
inline unsigned int __umulhi(unsigned int a, unsigned int b) {
    return (unsigned int)((uint64_t)a * b >> 32);
}
inline int __dp4a(int a, int b, int sum) {
    for (int i = 0; i < 32; i += 8) {
        sum += (int8_t)(a >> i) * (int8_t)(b >> i);
    }
    return sum;
}
/* Two halves of `a` by the lower two bytes of `b`. */
inline unsigned int __dp2a_lo(unsigned int a, unsigned int b, unsigned int sum) {
    return sum + (a & 0xFFFF) * (b & 0xFF) + (a >> 16) * (b >> 8 & 0xFF);
}
inline unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int sum) {
    for (int i = 0; i < 32; i += 8) {
        sum += (a >> i & 0xFF) * (b >> i & 0xFF);
    }
    return sum;
}

namespace emulated {
/* Joins lanes of 32 / LANES bits, each by itself. */
template <int LANES, typename Join>
unsigned int packed(unsigned int a, unsigned int b, const Join &join) {
    constexpr int BITS = 32 / LANES;
    constexpr unsigned int MASK = (unsigned int)((1ULL << BITS) - 1);
    unsigned int result = 0;
    for (int i = 0; i < 32; i += BITS) {
        result |= ((unsigned int)join(a >> i & MASK, b >> i & MASK) & MASK) << i;
    }
    return result;
}
} // namespace emulated

#define EMULATED_PACKED(name, lanes, joined)                                                       \
    inline unsigned int name(unsigned int first, unsigned int second) {                            \
        return emulated::packed<lanes>(first, second,                                              \
                                       [](unsigned int a, unsigned int b) { return joined; });     \
    }
EMULATED_PACKED(__vadd2, 2, a + b)
EMULATED_PACKED(__vsub2, 2, a - b)
EMULATED_PACKED(__vmaxu2, 2, a > b ? a : b)
EMULATED_PACKED(__vminu2, 2, a < b ? a : b)
inline unsigned int __vimax3_u16x2(unsigned int a, unsigned int b, unsigned int c) {
    return __vmaxu2(__vmaxu2(a, b), c);
}
EMULATED_PACKED(__vadd4, 4, a + b)
EMULATED_PACKED(__vsub4, 4, a - b)
EMULATED_PACKED(__vmaxu4, 4, a > b ? a : b)
EMULATED_PACKED(__vminu4, 4, a < b ? a : b)
EMULATED_PACKED(__vabsdiffu4, 4, a > b ? a - b : b - a)
EMULATED_PACKED(__vsetgeu4, 4, a >= b ? 1U : 0U)
EMULATED_PACKED(__vsetltu4, 4, a < b ? 1U : 0U)
EMULATED_PACKED(__vcmpltu4, 4, a < b ? 0xFFU : 0U)
EMULATED_PACKED(__vcmpgtu4, 4, a > b ? 0xFFU : 0U)
EMULATED_PACKED(__vcmpgeu4, 4, a >= b ? 0xFFU : 0U)

namespace emulated {
template <typename Compute> float rounding(int mode, const Compute &compute) {
    if (mode == FE_TONEAREST) { /* as everything is outside of here */
        return compute();
    }
    const int before = fegetround();
    fesetround(mode);
    const float result = compute();
    fesetround(before);
    return result;
}
} // namespace emulated

/* volatile: neither joined into multiply-adds nor moved out of the rounding mode. */
#define EMULATED_ROUNDED(name, mode, operation)                                                    \
    inline float name(float first, float second) {                                                 \
        volatile float a = first;                                                                  \
        volatile float b = second;                                                                 \
        return emulated::rounding(mode, [&] {                                                      \
            volatile float result = a operation b;                                                 \
            return (float)result;                                                                  \
        });                                                                                        \
    }
EMULATED_ROUNDED(__fadd_rn, FE_TONEAREST, +)
EMULATED_ROUNDED(__fadd_rz, FE_TOWARDZERO, +)
EMULATED_ROUNDED(__fadd_rd, FE_DOWNWARD, +)
EMULATED_ROUNDED(__fsub_rn, FE_TONEAREST, -)
EMULATED_ROUNDED(__fmul_rn, FE_TONEAREST, *)
inline float __fmaf_rn(float a, float b, float c) {
    return fmaf(a, b, c);
}
inline int __float2int_rn(float value) {
    return (int)nearbyintf(value);
}
inline int __float2int_rd(float value) {
    return (int)floorf(value);
}
inline float rsqrtf(float value) {
    return 1.0F / sqrtf(value);
}
inline float __saturatef(float value) {
    return value > 0.0F ? fminf(value, 1.0F) : 0.0F;
}

namespace emulated {
template <typename To, typename From> To same_bits(From from) {
    static_assert(sizeof(To) == sizeof(From), "");
    To to;
    memcpy(&to, &from, sizeof to);
    return to;
}
} // namespace emulated

inline unsigned int __float_as_uint(float value) {
    return emulated::same_bits<unsigned int>(value);
}
inline int __float_as_int(float value) {
    return emulated::same_bits<int>(value);
}
inline float __uint_as_float(unsigned int value) {
    return emulated::same_bits<float>(value);
}
inline float __int_as_float(int value) {
    return emulated::same_bits<float>(value);
}

/* As on a device, of numbers of one kind and of two. */
namespace emulated {
template <typename A, typename B>
using Common = std::enable_if_t<!std::is_class<A>::value && !std::is_class<B>::value,
                                std::common_type_t<decltype(+A()), decltype(+B())>>;
} // namespace emulated
template <typename A, typename B> emulated::Common<A, B> min(A a, B b) {
    typedef emulated::Common<A, B> Number;
    return (Number)b < (Number)a ? (Number)b : (Number)a;
}
template <typename A, typename B> emulated::Common<A, B> max(A a, B b) {
    typedef emulated::Common<A, B> Number;
    return (Number)a < (Number)b ? (Number)b : (Number)a;
}

/* === Textures ================================================================================= */

namespace emulated {

struct Texture {
    cudaResourceDesc resource;
    cudaTextureDesc description;
};

struct TexelMemory {
    const char *texels;
    long width, height;
    size_t pitch; /* bytes */
};

const Texture &texture(cudaTextureObject_t object);
TexelMemory texel_memory(const Texture &texture, size_t texel_bytes);

template <typename T> T texel(cudaTextureObject_t object, long x, long y) {
    const Texture &of = texture(object);
    const TexelMemory memory = texel_memory(of, sizeof(T));
    const auto inside = [](long at, long count) { return at < 0 ? 0 : min(at, count - 1); };
    const bool out_x = x < 0 || x >= memory.width;
    const bool out_y = y < 0 || y >= memory.height;
    if ((out_x && of.description.addressMode[0] == cudaAddressModeBorder) ||
        (out_y && of.description.addressMode[1] == cudaAddressModeBorder)) {
        return T{};
    }
    T value;
    memcpy(&value,
           memory.texels + (size_t)inside(y, memory.height) * memory.pitch +
               (size_t)inside(x, memory.width) * sizeof value,
           sizeof value);
    return value;
}

/* The hardware's weights have eight bits after the point. */
inline float interpolated(cudaTextureObject_t object, float x, float y) {
    const float left = floorf(x - 0.5F);
    const float top = floorf(y - 0.5F);
    const float across = roundf((x - 0.5F - left) * 256) / 256;
    const float down = roundf((y - 0.5F - top) * 256) / 256;
    const auto at = [&](int dx, int dy) {
        return (float)texel<uint8_t>(object, (long)left + dx, (long)top + dy) / 255.0F;
    };
    return (1 - down) * ((1 - across) * at(0, 0) + across * at(1, 0)) +
           down * ((1 - across) * at(0, 1) + across * at(1, 1));
}

} // namespace emulated

template <typename T> T tex2D(cudaTextureObject_t object, float x, float y) {
    const cudaTextureDesc &description = emulated::texture(object).description;
    if (description.readMode == cudaReadModeElementType) {
        return emulated::texel<T>(object, (long)floorf(x), (long)floorf(y));
    }
    if (description.filterMode == cudaFilterModePoint) {
        return (T)((float)emulated::texel<uint8_t>(object, (long)floorf(x), (long)floorf(y)) /
                   255.0F);
    }
    return (T)emulated::interpolated(object, x, y);
}
template <typename T> T tex1Dfetch(cudaTextureObject_t object, int x) {
    return emulated::texel<T>(object, x, 0);
}

/* `x` is in bytes. Beyond the edges a device traps. */
template <typename T> void surf2Dwrite(T value, cudaSurfaceObject_t object, int x, int y) {
    const emulated::TexelMemory memory = emulated::texel_memory(emulated::texture(object), 1);
    if (x < 0 || x % (int)sizeof value != 0 || x + (long)sizeof value > memory.width || y < 0 ||
        y >= memory.height) {
        emulated::stop("a surface is written beyond its edges, or not at a multiple of the size");
    }
    memcpy((char *)memory.texels + (size_t)y * memory.pitch + x, &value, sizeof value);
}

#include "ptx.h"

#endif
