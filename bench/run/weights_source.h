/* Weights source: the weights that a request names, and the trained ones for what it does not. */
#ifndef BENCH_WEIGHTS_SOURCE_H
#define BENCH_WEIGHTS_SOURCE_H

#include "status.h"
#include "weights.h"

/*
 * `files` is what --weights was given: names of files separated by commas, or "random" for seeded
 * weights of every kind and number of bits; NULL: nothing. What it leaves out comes from the
 * trained weights: datasets/descriptors/<kind>-<bits>.csv of the folder in BENCH_WEIGHTS_DIR, or of
 * the one installed with the program, or of the source tree it was built from. Where there is no
 * such file those weights are left out, without an error. STATUS_FILE for a file that is named and
 * is not good; STATUS_USAGE when two are for the same kind and number of bits.
 * Release with weights_release.
 */
Status weights_load(const char *files, uint64_t seed, WeightsList *list);
void weights_release(WeightsList *list);

/* FNV-1a 64 of what `hash` stands for followed by all the weights. */
uint64_t weights_list_hash(uint64_t hash, const WeightsList *list);

#endif
