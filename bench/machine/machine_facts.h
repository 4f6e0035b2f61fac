/* Adding facts to a machine's list, for those that read them. */
#ifndef BENCH_MACHINE_FACTS_H
#define BENCH_MACHINE_FACTS_H

#include <stdbool.h>

#include "machine.h"

/* Appends a fact. Empty texts, numbers that are not finite and facts past FACTS_MAX are dropped. */
void machine_add_text(Machine *machine, const char *key, const char *text, bool identity);
void machine_add_number(Machine *machine, const char *key, double number, bool identity);

#endif
