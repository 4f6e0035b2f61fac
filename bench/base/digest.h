/* A digest at the speed of memory: tells answers and kept bytes apart. Not safe against forgery. */

#ifndef BENCH_BASE_DIGEST_H
#define BENCH_BASE_DIGEST_H

#include <stddef.h>
#include <stdint.h>

/* Stored runs hold digests of answers: the same bytes give the same digest in every version. */
uint64_t digest_bytes(const void *data, size_t size);

#endif
