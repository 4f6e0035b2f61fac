/*
 * Synthetic descriptors: two sets of rows of bytes to be matched. All arithmetic is on integers, so
 * a kind, a number and a seed give the same bytes everywhere.
 */
#ifndef DATASETS_SYNTHETIC_DESCRIPTORS_H
#define DATASETS_SYNTHETIC_DESCRIPTORS_H

#include "status.h"
#include "workload.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SYNTHETIC_DESCRIPTOR_BYTES = 128, SYNTHETIC_DESCRIPTORS_MAX = 500000 };

/* Synthetic kinds, NULL-terminated: "pairs": rows at random in the first set; in the second, in
 * another order, 60 of 100 are rows of the first with each bit flipped with probability 1/8, the
 * others random. */
extern const char *const synthetic_descriptor_kinds[];

/* Two sets of `count` rows, 1 to SYNTHETIC_DESCRIPTORS_MAX, the first above the second, without
 * padding. STATUS_USAGE for an unknown kind or another number; STATUS_SKIP when memory is short.
 * Release with image_free. */
Status synthetic_descriptors(const char *kind, int32_t count, uint64_t seed, Image *rows);

#ifdef __cplusplus
}
#endif

#endif
