/* What files of this room and tests share. */

#ifndef BENCH_BASE_BASE_INTERNAL_H
#define BENCH_BASE_BASE_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "algorithm.h"
#include "axis.h"
#include "module.h"
#include "status.h"
#include "variant.h"

/* --- Suggestions ------------------------------------------------------------------------------ */

/*
 * Number of single-character insertions, deletions, substitutions and swaps of neighbours that turn
 * one name into the other (optimal string alignment distance), ignoring case. Only the first
 * SUGGEST_NAME_MAX characters count.
 */
enum { SUGGEST_NAME_MAX = 63 };

size_t edit_distance(const char *left, const char *right);

/* --- Child process ---------------------------------------------------------------------------- */

/* What process_state_check compares with. */
void process_state_keep(void);

/* Those of its settings that nothing changes once a process has begun: arithmetic, variables. */
void process_settings_begin(void);
/* Abandons the process if one is not as it was, or the clock is not the system's. */
void process_settings_check(void);

/* Whether the fork that this thread is making, if any, is one of child_process_run. */
bool process_forks_itself(void);

/* --- Tables of modules: module_tables.c ------------------------------------------------------- */

enum { MODULE_VARIANTS_MAX = 64, MODULE_AXES_MAX = 64 };

/* What the registry gets: copies in which the module's backends are replaced by the program's. They
 * stay where they are as long as the module is loaded. Starts zeroed. */
typedef struct ModuleTables {
    Algorithm algorithm;
    VariantTable cuda;
    Variant rows[MODULE_VARIANTS_MAX]; /* those on the CPU first */
    struct {
        const Axis *theirs;
        Axis ours;
    } axes[MODULE_AXES_MAX];
    size_t axis_count;
    Peer peers[MODULE_VARIANTS_MAX]; /* of the rows */
    WeightsKind weights;
    Tolerance tolerance;
    const Axis *lists[MODULE_VARIANTS_MAX + 1][POINT_AXES_MAX + 1]; /* NULL behind the last axis */
    size_t list_count;
} ModuleTables;

/* Copies a structure of a module, which begins with its number of bytes, to one of this program's.
 * What the module's does not have is 0. STATUS_NO_MATCH when it has something that this program's
 * does not, STATUS_USAGE when the number of bytes is none. `what` is for the message: "its
 * algorithm". */
Status module_struct_take(const void *theirs, const char *what, const char *type, void *ours,
                          size_t size);

/* STATUS_NO_MATCH when the module has something that this program does not know, STATUS_USAGE when
 * something else is wrong: the text says what, without the path. `is_option`: the program has such
 * an option; may be NULL. */
Status module_tables_take(const BenchModule *module, bool (*is_option)(const char *name),
                          ModuleTables *tables);

/* --- Python: python.c ------------------------------------------------------------------------- */

/* bench/python/start.py and the modules of bench/python/bench. */
extern const char python_beginning[], python_init[], python_read[], python_variants[],
    python_runner[];

#endif
