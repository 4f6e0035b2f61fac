/*
 * Device side of a matching cell: what all its variants have in common. They differ in how they
 * find the nearest ones (MatchingMethod), both of each of A and of each of B; which of them are
 * mutual is decided in one way.
 */
#ifndef KERNELS_MATCHING_MATCHING_DEVICE_CUH
#define KERNELS_MATCHING_MATCHING_DEVICE_CUH

#include <climits>

#include "cuda_state.h"
#include "matching.h"

/* === The device side ========================================================================== */

/* Distance in the upper, index in the lower 32 bits: the least key is the nearest row, of several
 * the one with the lowest index. A type that CUDA has atomic operations for. */
typedef unsigned long long MatchingKey;

struct MatchingDevice;

/* What a variant does in its own way. */
typedef struct MatchingMethod {
    Status (*open)(MatchingDevice *device); /* optional: opens what follows the MatchingDevice */
    /* Queues finding the keys of all rows. Not called where a set is empty. */
    Status (*search)(const MatchingDevice *device);
    /* The same and matching_device_match in one; optional. */
    Status (*search_and_match)(const MatchingDevice *device);
} MatchingMethod;

/* What every state begins with. Buffers are in device memory. */
struct MatchingDevice : CudaState {
    const MatchingMethod *method;
    MatchingSets sets;   /* the rows in host memory */
    uint8_t *a, *b;      /* rows of sets.bytes without gaps, sets.a_count and sets.b_count */
    MatchingKey *a_keys; /* for each of A, its nearest of B */
    MatchingKey *b_keys; /* for each of B, its nearest of A; in the same allocation, after a_keys */
    Match *matches;      /* sets.a_count */
    const char *path;    /* cuda_fast: the instruction of its products */
};

/* Opens what every state begins with, for sets that are the request's or a part of them. */
Status matching_device_open(const MatchingSets *sets, const MatchingMethod *method,
                            MatchingDevice *device);

/* Queues setting all bits of all keys: farther than any row, for searches that lower them. */
Status matching_clear_keys(const MatchingDevice *device);

/* The two steps of a run, queued on cuda_stream(). All keys, with method->search; nothing where a
 * set is empty. */
Status matching_device_search(const MatchingDevice *device);
/* The matches of the keys of A with those of a set of `b_count` rows. */
Status matching_device_match(const MatchingDevice *device, const MatchingKey *b_keys,
                             int32_t b_count);

/* The same for all variants. */
VARIANT_EXTERN Status matching_cuda_run(void *state);

/* Opens a State that is or begins with a MatchingDevice. */
template <typename State>
Status matching_cuda_open_sets(const Request *request, const MatchingSets *sets,
                               const MatchingMethod *method, void **state) {
    return cuda_open_state<State>(
        request, state, [&](State *opened) { return matching_device_open(sets, method, opened); });
}

/* The same, for the sets of the request. */
template <typename State>
Status matching_cuda_open_with(const Request *request, const MatchingMethod *method, void **state) {
    const MatchingSets sets = matching_sets(request->workload, request->answer);
    return matching_cuda_open_sets<State>(request, &sets, method, state);
}

/* The tiles of a slice, a multiple of `step`, with which `across` blocks for each slice, of which
 * `slots` run at once, end first. One slice alone is not it where a few blocks are left for a
 * second wave: at 70,000 rows 274 blocks on 264 places took as long as 528. */
int matching_slice(int tiles, int step, int across, int slots);

/* Whether a kernel is compiled for this device, whose body is empty where it is not: such a kernel
 * has no shared memory that is not dynamic. */
Status matching_is_compiled(const void *kernel, bool *compiled);

/* cuda_fast's state for these sets, and the same for squared distances of bytes; of these the one
 * where matching_l2_has_wgmma, and elsewhere. */
Status matching_fast_open_sets(const Request *request, const MatchingSets *sets, void **state);
Status matching_l2_open_sets(const Request *request, const MatchingSets *sets, void **state);
Status matching_l2_has_wgmma(const MatchingSets *sets, bool *has);
Status matching_l2_wgmma_open_sets(const Request *request, const MatchingSets *sets, void **state);

/* === Kinds ==================================================================================== */

/* Kinds of descriptors and distances, for kernels that are compiled for each. */

template <int WORDS_OF_ROW, MatchingDistance MEASURE> struct MatchingKind {
    static constexpr int WORDS = WORDS_OF_ROW; /* of 32 bits */
    static constexpr MatchingDistance DISTANCE = MEASURE;
};

template <MatchingDistance DISTANCE, typename Call>
Status matching_for_words(int32_t bytes, const Call &call) {
    switch (bytes) {
    case 32: return call(MatchingKind<8, DISTANCE>{});
    case 64: return call(MatchingKind<16, DISTANCE>{});
    default: return call(MatchingKind<32, DISTANCE>{});
    }
}

/* call(MatchingKind) of the one that these sets have. */
template <typename Call> Status matching_for_kind(const MatchingSets *sets, const Call &call) {
    return sets->distance == MATCHING_L2 ? matching_for_words<MATCHING_L2>(sets->bytes, call)
                                         : matching_for_words<MATCHING_HAMMING>(sets->bytes, call);
}

/* Finder::find<Kind>(rows, count, others, other_count, keys) queues lowering the keys of `rows` to
 * those of the nearest of `others`; this does it for A and for B. */
template <typename Finder> Status matching_find_both(const MatchingDevice *device) {
    const MatchingSets *sets = &device->sets;
    STATUS_TRY(matching_clear_keys(device));
    return matching_for_kind(sets, [&](auto kind) {
        using Kind = decltype(kind);
        STATUS_TRY(Finder::template find<Kind>(device->a, sets->a_count, device->b, sets->b_count,
                                               device->a_keys));
        return Finder::template find<Kind>(device->b, sets->b_count, device->a, sets->a_count,
                                           device->b_keys);
    });
}

/* A row in registers, or on its way there. */
template <typename Kind> struct MatchingRow { uint4 parts[Kind::WORDS / 4]; };

template <MatchingDistance DISTANCE>
static __device__ __forceinline__ unsigned int matching_word_distance(uint32_t a, uint32_t b,
                                                                      unsigned int sum) {
    if (DISTANCE == MATCHING_L2) {
        const uint32_t differences = __vabsdiffu4(a, b);
        return __dp4a(differences, differences, sum);
    }
    return sum + (unsigned int)__popc(a ^ b);
}

template <typename Kind>
static __device__ __forceinline__ unsigned int matching_distance(const MatchingRow<Kind> &a,
                                                                 const MatchingRow<Kind> &b) {
    unsigned int sum = 0;
#pragma unroll
    for (int i = 0; i < Kind::WORDS / 4; i++) {
        sum = matching_word_distance<Kind::DISTANCE>(a.parts[i].x, b.parts[i].x, sum);
        sum = matching_word_distance<Kind::DISTANCE>(a.parts[i].y, b.parts[i].y, sum);
        sum = matching_word_distance<Kind::DISTANCE>(a.parts[i].z, b.parts[i].z, sum);
        sum = matching_word_distance<Kind::DISTANCE>(a.parts[i].w, b.parts[i].w, sum);
    }
    return sum;
}

static __device__ __forceinline__ MatchingKey matching_key(unsigned int distance, int index) {
    return (MatchingKey)distance << 32 | (unsigned int)index;
}

/* The key of the nearest of rows[0 … count − 1] to `row`, the first of which has index `first`. */
template <typename Kind>
static __device__ __forceinline__ MatchingKey matching_nearest(const MatchingRow<Kind> &row,
                                                               const MatchingRow<Kind> *rows,
                                                               int count, int first) {
    unsigned int least = UINT_MAX;
    int nearest = 0;
#pragma unroll 2
    for (int i = 0; i < count; i++) {
        const unsigned int distance = matching_distance<Kind>(row, rows[i]);
        if (distance < least) {
            least = distance;
            nearest = first + i;
        }
    }
    return matching_key(least, nearest);
}

#endif
