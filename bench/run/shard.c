/* Shares of a plan, for several machines: which one this is, and which groups are whose. */

#include "oracle.h"
#include "plan.h"
#include "run.h"

#include <stdlib.h>
#include <string.h>

/* === Which share this is ====================================================================== */

/* The number of a variable; false where it is not set, STATUS_USAGE if it is no number. */
static Status read_variable(const char *name, uint64_t *number, bool *is_set) {
    const char *text = getenv(name);
    *is_set = text != NULL && text[0] != '\0';
    if (!*is_set) {
        return status_ok();
    }
    const Status status = parse_count(text, 0, INT32_MAX, number);
    return status_is_ok(&status)
               ? status
               : status_make(STATUS_USAGE, "auto: %s is '%.40s', which is no number", name, text);
}

/* Variables by which a scheduler tells a task its number and how many there are. */
typedef struct Scheduler {
    const char *index, *count;
    const char *first, *step; /* of an array's numbers: the least, and the distance; NULL: 0, 1 */
} Scheduler;

static const Scheduler schedulers[] = {
    {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN",
     "SLURM_ARRAY_TASK_STEP"},
    {"SLURM_PROCID", "SLURM_NTASKS", NULL, NULL},
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", NULL, NULL},
    {"PMI_RANK", "PMI_SIZE", NULL, NULL},
};

static Status ask(const Scheduler *scheduler, Share *share) {
    uint64_t index = 0, count = 0, first = 0, step = 1;
    bool has_index, has_count, has_first = false;
    STATUS_TRY(read_variable(scheduler->index, &index, &has_index));
    STATUS_TRY(read_variable(scheduler->count, &count, &has_count));
    if (!has_index || !has_count) {
        return status_ok();
    }
    if (scheduler->first != NULL) {
        bool has_step;
        STATUS_TRY(read_variable(scheduler->first, &first, &has_first));
        STATUS_TRY(read_variable(scheduler->step, &step, &has_step));
    }
    step = step > 0 ? step : 1;
    const uint64_t place = index >= first ? (index - first) / step : UINT64_MAX;
    if (place >= count || count > SHARES_MAX) {
        return status_make(STATUS_USAGE,
                           "auto: %s is %llu and %s %llu, which name no share (at most %d "
                           "shares)",
                           scheduler->index, (unsigned long long)index, scheduler->count,
                           (unsigned long long)count, SHARES_MAX);
    }
    *share = (Share){.index = (int)place + 1, .count = (int)count};
    return status_ok();
}

/* An array of one task inside of which many run has both kinds of variables: the first that tells
 * of more than one share counts. */
static Status ask_all(Share *share) {
    bool is_told = false;
    for (size_t i = 0; i < sizeof schedulers / sizeof schedulers[0]; i++) {
        Share told = {.count = 0};
        STATUS_TRY(ask(&schedulers[i], &told));
        if (told.count > 0 && (!is_told || (share->count == 1 && told.count > 1))) {
            *share = told;
            is_told = true;
        }
    }
    return is_told ? status_ok()
                   : status_make(STATUS_USAGE,
                                 "auto: no scheduler has told this process its share "
                                 "(SLURM_ARRAY_TASK_ID, SLURM_PROCID, OMPI_COMM_WORLD_RANK and "
                                 "PMI_RANK are not set); write --shard I/N");
}

Status share_read(const char *text, Share *share) {
    if (strcmp(text, "auto") == 0) {
        return ask_all(share);
    }
    return share_parse(text, SHARES_MAX, share)
               ? status_ok()
               : status_make(STATUS_USAGE,
                             "'%.40s' is no share: write I/N, share I of N, such as 2/4 (N up to "
                             "%d), or auto",
                             text, SHARES_MAX);
}

/* === Whose cells these are ==================================================================== */

/* The cells of one oracle stay together: baseline, best CPU and GPU on one machine. With --weak so
 * do those of an algorithm and input, since a number of GPUs is compared with one. */
typedef struct Unit {
    size_t number; /* in the order of the plan */
    double price;  /* expected seconds */
    int share;     /* from 1 */
} Unit;

typedef struct Units {
    Unit *list;
    size_t count;
    size_t *of_cell; /* by place in the plan */
} Units;

static bool stay_together(const Plan *plan, const PlanCell *a, const PlanCell *b) {
    return a->group == b->group ||
           (plan->weak.count > 0 && a->algorithm == b->algorithm &&
            plan->workloads[a->workload].input == plan->workloads[b->workload].input);
}

/* The unit of a cell; a new one where no cell before it has it. */
static size_t unit_of(const Plan *plan, size_t i, Units *units) {
    for (size_t j = i; j > 0; j--) {
        const PlanCell *before = &plan->cells[j - 1];
        if (stay_together(plan, before, &plan->cells[i])) {
            return units->of_cell[j - 1];
        }
        if (plan->weak.count == 0) {
            break; /* the cells of a group follow each other */
        }
    }
    units->list[units->count] = (Unit){.number = units->count};
    return units->count++;
}

/* Expected times that are the same on every machine and in every launch: they rest on the cost
 * model and on assumed speeds, not on what this machine measures, and on the usual number of
 * samples. */
static Status find_units(const RunOptions *options, const Plan *plan, Units *units) {
    const RunOptions usual = {.min_reps = run_defaults.min_reps,
                              .max_time = run_defaults.max_time,
                              .max_cell = options->max_cell};
    History *history = calloc(1, sizeof *history); /* too large for a stack */
    STATUS_MEMORY(history, "for the shares of a plan");
    expect_assumed(plan, history);
    for (size_t i = 0; i < plan->cell_count; i++) {
        units->of_cell[i] = unit_of(plan, i, units);
        units->list[units->of_cell[i]].price += expect_share(&usual, plan, i, history);
    }
    free(history);
    return status_ok();
}

/* The dearest first; of equal ones that which comes first in the plan. */
static int compare_prices(const void *left, const void *right) {
    const Unit *a = left, *b = right;
    if (a->price != b->price) {
        return a->price > b->price ? -1 : 1;
    }
    return a->number < b->number ? -1 : 1;
}

static int compare_numbers(const void *left, const void *right) {
    const Unit *a = left, *b = right;
    return a->number < b->number ? -1 : a->number > b->number;
}

/* Each unit, from the dearest on, goes to the share that has least so far. */
static Status divide(Units *units, int shares) {
    double *sums = calloc((size_t)shares, sizeof *sums);
    STATUS_MEMORY(sums, "for the shares of a plan");
    qsort(units->list, units->count, sizeof *units->list, compare_prices);
    for (size_t i = 0; i < units->count; i++) {
        int least = 0;
        for (int s = 1; s < shares; s++) {
            least = sums[s] < sums[least] ? s : least;
        }
        sums[least] += units->list[i].price;
        units->list[i].share = least + 1;
    }
    qsort(units->list, units->count, sizeof *units->list, compare_numbers);
    free(sums);
    return status_ok();
}

static void keep_share(Plan *plan, const Units *units, int share) {
    size_t kept = 0;
    for (size_t i = 0; i < plan->cell_count; i++) {
        if (units->list[units->of_cell[i]].share == share) {
            plan->numbers[kept] = (uint32_t)i;
            plan->cells[kept++] = plan->cells[i];
        }
    }
    plan->cell_count = kept;
}

static Status take_share(const RunOptions *options, Units *units, Plan *plan) {
    const Share *share = &options->share;
    STATUS_TRY(find_units(options, plan, units));
    if ((size_t)share->count > units->count) {
        return status_make(STATUS_USAGE,
                           "--shard: the plan has %zu group%s of cells that are compared with each "
                           "other; write at most %zu share%s",
                           units->count, units->count == 1 ? "" : "s", units->count,
                           units->count == 1 ? "" : "s");
    }
    STATUS_TRY(divide(units, share->count));
    keep_share(plan, units, share->index);
    return status_ok();
}

Status plan_take_share(const RunOptions *options, Plan *plan) {
    if (options->share.count == 0) {
        return status_ok();
    }
    Units units = {.list = calloc(plan->cell_count, sizeof *units.list),
                   .of_cell = calloc(plan->cell_count, sizeof *units.of_cell)};
    plan->numbers = calloc(plan->cell_count, sizeof *plan->numbers);
    const Status status = units.list != NULL && units.of_cell != NULL && plan->numbers != NULL
                              ? take_share(options, &units, plan)
                              : status_no_memory("for the shares of a plan");
    free(units.list);
    free(units.of_cell);
    return status;
}
