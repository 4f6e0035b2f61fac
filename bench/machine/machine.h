/* Facts of machine and build that numbers were measured with. */

#ifndef BENCH_MACHINE_MACHINE_H
#define BENCH_MACHINE_MACHINE_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

#include "devices.h"
#include "spread.h"
#include "status.h"
#include "text_sizes.h"

typedef struct Algorithm Algorithm; /* algorithm.h */

enum { FACTS_MAX = 96 };

/* key, kind, text, number, identity. Different identity facts mean another machine or build, which
 * --resume and compare refuse. */
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
    LaunchSpread spread;
} Machine;

/* Reads the facts of this machine and build. Facts that cannot be read are missing. */
void machine_read(Machine *machine);

/* Adds the path of the module that the algorithm comes from, and the hash of its file, which is one
 * of the version, as the commit is. Nothing for the program's own. */
void machine_add_module(Machine *machine, const Algorithm *algorithm);

/* STATUS_USAGE unless each module that the run `run` was made with on `stored` is loaded here with
 * the same hash; it names the first that is not. `wanted` says for which algorithms this is asked;
 * NULL: all. */
Status machine_modules_check(const Machine *stored, const char *run,
                             bool (*wanted)(void *context, const char *algorithm), void *context);

/* NULL if the fact is missing. */
const Fact *machine_fact(const Machine *machine, const char *key);
/* Whether it is a number of bytes: keys have their unit last, which is all that a file says of it.
 */
bool fact_is_of_bytes(const Fact *fact);
/* Its text, "" if there is none; its number, NAN if there is none. */
const char *machine_text(const Machine *machine, const char *key);
/* Whether that is its text: "yes", "seen". */
bool machine_says(const Machine *machine, const char *key, const char *text);
/* Whether a governor changes the clock of the processors with the load. */
bool machine_scales_clock(const Machine *machine);

/* The keys of facts.def, of facts of stored runs too: fact_cpu_model is "cpu_model". */
#define FACT(key) extern const char fact_##key[];
#include "facts.def"

/* Facts: "" and NAN where they are not known. `gpu`: of the first one. */
const char *machine_cpu(const Machine *machine);
const char *machine_gpu(const Machine *machine);
double machine_processors(const Machine *machine);
const char *machine_commit(const Machine *machine);

/* Whether the program was built with changes that its commit does not have. */
bool machine_is_dirty(const Machine *machine);

/* "H200" for "NVIDIA H200", "Intel Xeon Gold 6326" for "Intel(R) Xeon(R) Gold 6326 CPU @ 2.90GHz".
 */
void machine_short_name(const char *model, char text[NUMBER_WORDS_SIZE]);
double machine_number(const Machine *machine, const char *key);
/* The GPUs of a run for people: "NVIDIA H200", "2 × NVIDIA H200"; "" if there was none. */
const char *machine_gpus(const Machine *machine);

/* STATUS_USAGE naming the first identity fact that differs between two machines. */
Status machine_same(const Machine *before, const Machine *now);

/* The same, but the commit may differ: comparing versions is what comparison is for. */
Status machine_comparable(const Machine *before, const Machine *now);

/* The same text for machines and builds that machine_comparable finds alike, another one otherwise:
 * 16 hexadecimal digits. */
enum { MACHINE_ID_SIZE = 17 };
void machine_id(const Machine *machine, char id[MACHINE_ID_SIZE]);

/* Appends a fact. Empty texts, numbers that are not finite and facts past FACTS_MAX are dropped. */
void machine_add_text(Machine *machine, const char *key, const char *text, bool identity);

void machine_add_number(Machine *machine, const char *key, double number, bool identity);
/* The same, in the place of the fact with that key if there is one. */
void machine_set_number(Machine *machine, const char *key, double number);

/* Notes other processes that compute on the GPU now, if they are more than before. */
void machine_note_gpu_processes(Machine *machine);

/* Adds the facts in "machine" of a results file's context; those named in "machine_identity" are
 * identity facts. Facts that are neither text nor number are left out. Reads "launch_spread". */
void machine_json_read(const cJSON *context, Machine *machine);

/* Whether a debugger, a profiler or a preloaded library watches this process, which may see none
 * that it starts. */
bool machine_is_watched(void);

#endif
