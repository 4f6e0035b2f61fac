#include "haar_unpack.h"

_Static_assert(sizeof(HaarWide) == 12, "as many bytes as in the study");

void haar_unpack_all(const HaarPacking *packing, const uint64_t *records, size_t count, int threads,
                     HaarWide *wide) {
    const HaarPacking fields = *packing;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t i = 0; i < count; i++) {
        const HaarRecord record = haar_unpack(&fields, records[i]);
        wide[i] = (HaarWide){.value = record.value, .feature = record.feature};
    }
}
