/*
 * Stand-ins for what the kernels take from CUB and Thrust: the same results, computed in the
 * plainest way. Functions for whole devices are queued on the stream like kernels.
 */
#ifndef TESTS_EMULATION_CUB_H
#define TESTS_EMULATION_CUB_H

#include <algorithm>
#include <functional>

#include "device.h"

/* Of no CUB that there is. */
#define CUB_MAJOR_VERSION 0
#define CUB_MINOR_VERSION 0
#define CUB_SUBMINOR_VERSION 0

namespace cuda::std {
using ::std::equal_to;
} // namespace cuda::std

namespace thrust {
template <typename Change, typename Iterator> struct TransformIterator {
    Iterator from;
    Change change;
    auto operator[](size_t i) const {
        return change(from[i]);
    }
};
template <typename Change, typename Iterator>
TransformIterator<Change, Iterator> make_transform_iterator(Iterator from, Change change) {
    return {from, change};
}
template <typename T> struct CountingIterator {
    T first;
    T operator[](size_t i) const {
        return first + (T)i;
    }
};
template <typename T> CountingIterator<T> make_counting_iterator(T first) {
    return {first};
}
template <typename Element, typename Places> struct PermutationIterator {
    Element elements;
    Places places;
    auto &operator[](size_t i) const {
        return elements[places[i]];
    }
};
template <typename Element, typename Places>
PermutationIterator<Element, Places> make_permutation_iterator(Element elements, Places places) {
    return {elements, places};
}
} // namespace thrust

namespace cub {

enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockReduceAlgorithm {
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
    BLOCK_REDUCE_RAKING,
    BLOCK_REDUCE_WARP_REDUCTIONS
};
enum BlockLoadAlgorithm {
    BLOCK_LOAD_DIRECT,
    BLOCK_LOAD_STRIPED,
    BLOCK_LOAD_VECTORIZE,
    BLOCK_LOAD_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE
};

/* COUNT values in shared memory. */
template <typename T, int COUNT> struct Storage {
    alignas(16) unsigned char bytes[COUNT * sizeof(T)];
    T *values() {
        return (T *)bytes;
    }
};

inline unsigned int thread_of_block() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

/* === Warps ==================================================================================== */

template <typename T, int LANES = 32> struct WarpScan {
    typedef Storage<T, 1> TempStorage;
    explicit WarpScan(TempStorage &storage) {
        (void)storage;
    }
    /* Of this lane and those before it, and of all. */
    void sums(T value, T &inclusive, T &total) {
        struct Sums {
            T inclusive, total;
        };
        const auto of_all = [](emulated::Lanes<T> values, unsigned int lanes, Sums *sums) {
            const int first = __builtin_ctz(lanes) / LANES * LANES;
            T sum = values[first];
            sums[first].inclusive = sum;
            for (int i = first + 1; i < first + LANES; i++) {
                sum = sum + values[i];
                sums[i].inclusive = sum;
            }
            for (int i = first; i < first + LANES; i++) {
                sums[i].total = sum;
            }
        };
        const Sums own = emulated::once_for_lanes<Sums>(mask(), value, of_all);
        inclusive = own.inclusive;
        total = own.total;
    }
    static unsigned int mask() {
        return (LANES == 32 ? UINT_MAX : (1U << LANES % 32) - 1)
               << (emulated::lane / LANES * LANES);
    }
    void InclusiveSum(T value, T &sum) {
        T total;
        sums(value, sum, total);
    }
    void InclusiveSum(T value, T &sum, T &total) {
        sums(value, sum, total);
    }
    void ExclusiveSum(T value, T &sum) {
        T total;
        ExclusiveSum(value, sum, total);
    }
    void ExclusiveSum(T value, T &sum, T &total) {
        sums(value, sum, total);
        sum = sum - value;
    }
};

template <typename T, int LANES = 32> struct WarpReduce {
    typedef Storage<T, 1> TempStorage;
    explicit WarpReduce(TempStorage &storage) {
        (void)storage;
    }
    template <typename Join> T Reduce(T value, Join join) {
        return emulated::joined(WarpScan<T, LANES>::mask(), value, join);
    }
    T Sum(T value) {
        return Reduce(value, [](T a, T b) { return a + b; });
    }
};

/* === Blocks =================================================================================== */

template <typename T, int X, BlockScanAlgorithm ALGORITHM = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1>
class BlockScan {
  public:
    typedef Storage<T, X * Y * Z + 1> TempStorage; /* of each thread, and of all */
    explicit BlockScan(TempStorage &of) : storage(of) {
    }

    void InclusiveSum(T value, T &sum) {
        T total;
        InclusiveSum(value, sum, total);
    }
    void InclusiveSum(T value, T &sum, T &total) {
        ExclusiveSum(value, sum, total);
        sum = sum + value;
    }
    void ExclusiveSum(T value, T &sum) {
        T total;
        ExclusiveSum(value, sum, total);
    }
    void ExclusiveSum(T value, T &sum, T &total) {
        const unsigned int own = thread_of_block();
        storage.values()[own] = value;
        __syncthreads();
        if (own == 0) {
            T before{};
            for (int i = 0; i < X * Y * Z; i++) {
                const T next = before + storage.values()[i];
                storage.values()[i] = before;
                before = next;
            }
            storage.values()[X * Y * Z] = before;
        }
        __syncthreads();
        sum = storage.values()[own];
        total = storage.values()[X * Y * Z];
        __syncthreads();
    }
    template <int ITEMS> void InclusiveSum(T (&values)[ITEMS], T (&sums)[ITEMS]) {
        T total;
        InclusiveSum(values, sums, total);
    }
    template <int ITEMS> void InclusiveSum(T (&values)[ITEMS], T (&sums)[ITEMS], T &total) {
        scan_items(values, sums, total, [](T before, T value) { return before + value; });
    }
    template <int ITEMS> void ExclusiveSum(T (&values)[ITEMS], T (&sums)[ITEMS]) {
        T total;
        ExclusiveSum(values, sums, total);
    }
    template <int ITEMS> void ExclusiveSum(T (&values)[ITEMS], T (&sums)[ITEMS], T &total) {
        scan_items(values, sums, total, [](T before, T value) {
            (void)value;
            return before;
        });
    }
    /* `prefix` is called by the first warp with the sum of all, and says what is before them. */
    template <int ITEMS, typename Prefix>
    void InclusiveSum(T (&values)[ITEMS], T (&sums)[ITEMS], Prefix &prefix) {
        T total;
        InclusiveSum(values, sums, total);
        add_prefix(sums, total, prefix);
    }
    template <int ITEMS, typename Prefix>
    void ExclusiveSum(T (&values)[ITEMS], T (&sums)[ITEMS], Prefix &prefix) {
        T total;
        ExclusiveSum(values, sums, total);
        add_prefix(sums, total, prefix);
    }

  private:
    TempStorage &storage;

    template <int ITEMS, typename Prefix>
    void add_prefix(T (&sums)[ITEMS], T total, Prefix &prefix) {
        if (thread_of_block() < warpSize) {
            const T before = prefix(total);
            if (thread_of_block() == 0) {
                storage.values()[0] = before;
            }
        }
        __syncthreads();
        const T before = storage.values()[0];
        for (T &sum : sums) {
            sum = sum + before;
        }
        __syncthreads();
    }

    template <int ITEMS, typename Choose>
    void scan_items(T (&values)[ITEMS], T (&sums)[ITEMS], T &total, const Choose &choose) {
        T own{};
        for (const T value : values) {
            own = own + value;
        }
        T before{};
        ExclusiveSum(own, before, total);
        for (int i = 0; i < ITEMS; i++) {
            const T value = values[i];
            sums[i] = choose(before, value);
            before = before + value;
        }
    }
};

template <typename T, int X, BlockReduceAlgorithm ALGORITHM = BLOCK_REDUCE_WARP_REDUCTIONS,
          int Y = 1, int Z = 1>
class BlockReduce {
  public:
    typedef Storage<T, X * Y * Z> TempStorage;
    explicit BlockReduce(TempStorage &of) : storage(of) {
    }

    /* Thread 0 alone gets it, as on a device: the others have their own value. */
    template <typename Join> T Reduce(T value, Join join) {
        const unsigned int own = thread_of_block();
        storage.values()[own] = value;
        __syncthreads();
        for (int i = 1; own == 0 && i < X * Y * Z; i++) {
            value = join(value, storage.values()[i]);
        }
        __syncthreads();
        return value;
    }
    T Sum(T value) {
        return Reduce(value, [](T a, T b) { return a + b; });
    }

  private:
    TempStorage &storage;
};

template <typename T, int X, int ITEMS, BlockLoadAlgorithm ALGORITHM = BLOCK_LOAD_DIRECT, int Y = 1,
          int Z = 1>
struct BlockLoad {
    typedef Storage<T, 1> TempStorage;
    BlockLoad() {
    }
    explicit BlockLoad(TempStorage &storage) {
        (void)storage;
    }
    template <typename Iterator> void Load(Iterator from, T (&items)[ITEMS]) {
        Load(from, items, X * Y * Z * ITEMS);
    }
    template <typename Iterator> void Load(Iterator from, T (&items)[ITEMS], int valid) {
        for (int i = 0; i < ITEMS; i++) {
            const int at = (int)thread_of_block() * ITEMS + i;
            if (at < valid) {
                items[i] = from[at];
            }
        }
    }
    template <typename Iterator, typename Default>
    void Load(Iterator from, T (&items)[ITEMS], int valid, Default otherwise) {
        for (T &item : items) {
            item = (T)otherwise;
        }
        Load(from, items, valid);
    }
};

/* === Devices ================================================================================== */

template <typename T> struct DoubleBuffer {
    T *d_buffers[2];
    int selector = 0;
    DoubleBuffer(T *current, T *alternate) : d_buffers{current, alternate} {
    }
    T *Current() {
        return d_buffers[selector];
    }
    T *Alternate() {
        return d_buffers[selector ^ 1];
    }
};

/* Without memory a function says how much it needs; otherwise `work` is queued. */
template <typename Work>
cudaError_t queue_or_size(void *memory, size_t &bytes, cudaStream_t stream, const Work &work) {
    if (memory == nullptr) {
        bytes = 256;
        return cudaSuccess;
    }
    emulated::LaunchShape one = {1, 1, 0, stream};
    emulated::queue_function(one, work);
    return cudaSuccess;
}

struct DeviceReduce {
    template <typename From, typename To, typename Count, typename Join, typename T>
    static cudaError_t Reduce(void *memory, size_t &bytes, From from, To to, Count count, Join join,
                              T start, cudaStream_t stream = 0) {
        return queue_or_size(memory, bytes, stream, [=] {
            T all = start;
            for (Count i = 0; i < count; i++) {
                all = join(all, from[i]);
            }
            *to = all;
        });
    }
};

struct DeviceScan {
    template <typename From, typename To, typename Count>
    static cudaError_t InclusiveSum(void *memory, size_t &bytes, From from, To to, Count count,
                                    cudaStream_t stream = 0) {
        return queue_or_size(memory, bytes, stream, [=] {
            std::decay_t<decltype(to[0])> sum{};
            for (Count i = 0; i < count; i++) {
                sum += from[i];
                to[i] = sum;
            }
        });
    }
    template <typename Keys, typename From, typename To, typename Count, typename Equal>
    static cudaError_t InclusiveSumByKey(void *memory, size_t &bytes, Keys keys, From from, To to,
                                         Count count, Equal equal, cudaStream_t stream = 0) {
        return queue_or_size(memory, bytes, stream, [=] {
            std::decay_t<decltype(from[0])> sum{};
            for (Count i = 0; i < count; i++) {
                sum = i > 0 && equal(keys[i - 1], keys[i]) ? sum + from[i] : from[i];
                to[i] = sum;
            }
        });
    }
};

struct DeviceFor {
    template <typename Count, typename Work>
    static cudaError_t Bulk(Count count, Work work, cudaStream_t stream = 0) {
        emulated::LaunchShape one = {1, 1, 0, stream};
        emulated::queue_function(one, [=]() mutable {
            for (Count i = 0; i < count; i++) {
                work(i);
            }
        });
        return cudaSuccess;
    }
};

struct DeviceHistogram {
    template <typename From, typename Counter, typename Level, typename Count>
    static cudaError_t HistogramEven(void *memory, size_t &bytes, From from, Counter *counters,
                                     int levels, Level lower, Level upper, Count count,
                                     cudaStream_t stream = 0) {
        return queue_or_size(memory, bytes, stream, [=] {
            std::fill(counters, counters + levels - 1, 0);
            for (Count i = 0; i < count; i++) {
                if (from[i] >= lower && from[i] < upper) {
                    counters[(from[i] - lower) * (levels - 1) / (upper - lower)]++;
                }
            }
        });
    }
};

struct DeviceRadixSort {
    template <typename Key, typename Count>
    static void sort(Key *keys, Count count, int begin, int end) {
        const Key mask =
            end - begin >= (int)(8 * sizeof(Key)) ? (Key) ~(Key)0 : ((Key)1 << (end - begin)) - 1;
        std::stable_sort(keys, keys + count,
                         [=](Key a, Key b) { return (a >> begin & mask) < (b >> begin & mask); });
    }
    template <typename Key, typename Count>
    static cudaError_t SortKeys(void *memory, size_t &bytes, DoubleBuffer<Key> &keys, Count count,
                                int begin = 0, int end = 8 * sizeof(Key), cudaStream_t stream = 0) {
        Key *current = keys.Current();
        return queue_or_size(memory, bytes, stream, [=] { sort(current, count, begin, end); });
    }
    template <typename Key, typename Count>
    static cudaError_t SortKeys(void *memory, size_t &bytes, const Key *from, Key *to, Count count,
                                int begin = 0, int end = 8 * sizeof(Key), cudaStream_t stream = 0) {
        return queue_or_size(memory, bytes, stream, [=] {
            std::copy(from, from + count, to);
            sort(to, count, begin, end);
        });
    }
};

struct DeviceMergeSort {
    template <typename Iterator, typename Count, typename Less>
    static cudaError_t SortKeys(void *memory, size_t &bytes, Iterator keys, Count count, Less less,
                                cudaStream_t stream = 0) {
        return queue_or_size(memory, bytes, stream,
                             [=] { std::stable_sort(keys, keys + count, less); });
    }
};

} // namespace cub

#endif
