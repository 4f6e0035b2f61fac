/* Kinds of descriptors and distances, for kernels that are compiled for each. */
#ifndef KERNELS_MATCHING_MATCHING_KIND_CUH
#define KERNELS_MATCHING_MATCHING_KIND_CUH

#include <climits>

#include "matching_device.cuh"

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
