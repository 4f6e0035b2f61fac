/* Machine facts: what a stranger needs to know about where numbers were measured. */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

#include <stddef.h>

#include "status.h"

enum { FACT_KEY_SIZE = 48, FACT_VALUE_SIZE = 256, FACTS_MAX = 96 };

typedef enum FactKind { FACT_TEXT, FACT_NUMBER } FactKind;

typedef struct Fact {
    char key[FACT_KEY_SIZE]; /* snake_case: "cpu_model", "gpu_memory_bytes" */
    FactKind kind;
    char text[FACT_VALUE_SIZE];
    double number;
    bool identity; /* differs → not the same machine or build: --resume and compare refuse */
} Fact;

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
