/* Machine facts: what a stranger needs to know about where numbers were measured. */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

#include <stddef.h>

#include "device_facts.h"
#include "status.h"

enum { FACTS_MAX = 96 };

/* key, kind, text, number, identity: a fact of the host has the shape of a device's. Identity
 * facts that differ mean another machine or build: --resume and compare refuse. */
typedef DeviceFact Fact;

typedef struct Cache {
    int level;
    char type[16]; /* "Data", "Instruction", "Unified" */
    size_t size;   /* bytes */
    int sharing;   /* logical processors sharing it */
} Cache;

typedef struct Machine {
    size_t count;
    Fact facts[FACTS_MAX];
    size_t cache_count;
    Cache caches[8];
    int cpu_count; /* logical processors this process may use */
    double mhz;
} Machine;

/* Reads the facts of this machine and build. Facts that cannot be read are absent. */
void machine_read(Machine *machine);
/* NULL when the fact is absent. */
const Fact *machine_fact(const Machine *machine, const char *key);
/* STATUS_USAGE naming the first identity fact that differs between two machines. */
Status machine_same(const Machine *stored, const Machine *here);

#endif
