/* A digest at the speed of memory: tells answers and kept bytes apart. Not safe against forgery. */

#ifndef BENCH_BASE_DIGEST_H
#define BENCH_BASE_DIGEST_H

#include <stddef.h>
#include <stdint.h>

/* The same bytes give the same digest, however many threads read them. Stored runs hold digests of
 * answers, which are compared by the same build alone. */
uint64_t digest_bytes(const void *data, size_t size);

#endif
