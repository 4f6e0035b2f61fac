/* A fact about a machine as a reader is told of it. */
#ifndef BENCH_FACT_WORDS_H
#define BENCH_FACT_WORDS_H

#include <stddef.h>

#include "machine.h"

/* "gpu_memory_bytes" is "gpu memory bytes". */
void fact_key_words(const char *key, char words[FACT_KEY_SIZE]);
/* The value; a number of bytes in the unit that fits. */
void fact_value_words(const Fact *fact, char *text, size_t size);

#endif
