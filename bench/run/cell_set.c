#include "cell_set.h"

#include <inttypes.h>
#include <stdlib.h>

#include "available_memory.h"
#include "clock.h"
#include "interleave.h"
#include "interrupt.h"
#include "verify.h"

/* Bytes of host memory that stay free: states of the CPU are small, and unforeseen. */
static const uint64_t host_reserve = (uint64_t)64 << 20;
/* Seconds between two looks at the progress line. */
static const double progress_interval = 0.25;

typedef struct CellSet {
    SetMember *members; /* of the caller */
    size_t count;
    Lane *lanes;     /* of the cells that are open, in the order of `members` */
    size_t *indices; /* of the member that each lane belongs to */
    bool *told;      /* of each lane, whether the watch knows that it is sampled */
    size_t lane_count;
    Warmth warmth;
    const SetWatch *watch;
    Status watched;       /* the first trouble that the watch had */
    double next_progress; /* monotonic seconds */
} CellSet;

static Cell *cell_of(const CellSet *set, size_t lane) {
    return set->members[set->indices[lane]].cell;
}

/* --- Opening --------------------------------------------------------------------------------- */

static Status open_beside(const CellSet *set, Cell *cell) {
    if (set->lane_count > 0 && available_memory() < host_reserve) {
        return status_skip("no memory left beside the other cells of the set");
    }
    return cell_open(cell);
}

static void open_all(CellSet *set) {
    for (size_t i = 0; i < set->count && !interrupt_requested(); i++) {
        SetMember *member = &set->members[i];
        Cell *cell = member->cell;
        member->status = open_beside(set, cell);
        if (status_is_ok(&member->status)) {
            set->indices[set->lane_count] = i;
            set->lanes[set->lane_count++] = (Lane){.measurement = &cell->measurement};
        } else if (member->status.code == STATUS_DEVICE_LOST) {
            interleave_lose_device(set->lanes, set->lane_count, cell->job.cell->variant->backend);
        }
    }
}

/* Each backend once: poison reaches all memory had from it, whichever cell holds it. */
static void poison_all(const CellSet *set) {
    const Backend *latest = NULL;
    for (size_t i = 0; i < set->lane_count; i++) {
        const Cell *cell = cell_of(set, i);
        Lane *lane = &set->lanes[i];
        const Variant *variant = cell->job.cell->variant;
        if (variant->backend != latest && !lane->over) {
            lane->status = poison_everything(variant, cell->job.scratch, POISON_CANDIDATE);
            lane->over = !status_is_ok(&lane->status);
            latest = lane->over ? latest : variant->backend;
        }
    }
}

static void begin_all(CellSet *set) {
    poison_all(set);
    for (size_t i = 0; i < set->lane_count && !interrupt_requested(); i++) {
        Lane *lane = &set->lanes[i];
        if (lane->over) {
            continue;
        }
        lane->status = cell_begin(cell_of(set, i), &set->warmth);
        lane->over = !status_is_ok(&lane->status);
        if (lane->status.code == STATUS_DEVICE_LOST) {
            interleave_lose_device(set->lanes, set->lane_count,
                                   lane->measurement->variant->backend);
        }
    }
}

/* --- Sampling -------------------------------------------------------------------------------- */

static Status check_lane(void *context, size_t lane) {
    const CellSet *set = context;
    return cell_check(cell_of(set, lane));
}

static void show_progress(CellSet *set) {
    if (set->count == 1 || clock_now() < set->next_progress) {
        return;
    }
    set->next_progress = clock_now() + progress_interval;
    double under_way = 0;
    size_t open = 0;
    for (size_t i = 0; i < set->lane_count; i++) {
        under_way += measure_progress(set->lanes[i].measurement);
        open += !set->lanes[i].over;
    }
    char what[64];
    snprintf(what, sizeof what, "%zu cell%s sampled in turns", open, open == 1 ? "" : "s");
    set->watch->progress->under_way = under_way;
    progress_activity(set->watch->progress, what);
}

static void tell_sampled(CellSet *set) {
    for (size_t i = 0; set->watch->sampled != NULL && i < set->lane_count; i++) {
        if (cell_of(set, i)->sampled && !set->told[i]) {
            const Status status =
                set->watch->sampled(set->watch->context, &set->members[set->indices[i]]);
            set->told[i] = true;
            set->watched = status_is_ok(&set->watched) ? status : set->watched;
        }
    }
}

/* Between turns: whatever is done here, the next cell is warmed up again before its samples. */
static void after_turn(void *context) {
    CellSet *set = context;
    tell_sampled(set);
    if (set->watch->turn != NULL) {
        set->watch->turn(set->watch->context);
    }
    show_progress(set);
}

static void close_all(const CellSet *set) {
    for (size_t i = 0; i < set->lane_count; i++) {
        set->members[set->indices[i]].status = set->lanes[i].status;
        cell_close(cell_of(set, i));
    }
}

Status cell_set_sample(SetMember *members, size_t count, const SetWatch *watch) {
    CellSet set = {.members = members,
                   .count = count,
                   .lanes = calloc(count, sizeof *set.lanes),
                   .indices = calloc(count, sizeof *set.indices),
                   .told = calloc(count, sizeof *set.told),
                   .watch = watch,
                   .watched = status_ok()};
    Status status = status_skip("no memory left for a set of %zu cells", count);
    if (set.lanes != NULL && set.indices != NULL && set.told != NULL) {
        const LaneWatch lanes = {.sampled = check_lane, .turn = after_turn, .context = &set};
        open_all(&set);
        begin_all(&set);
        interleave_sample(set.lanes, set.lane_count, &set.warmth, &lanes);
        close_all(&set);
        status = set.watched;
    }
    free(set.lanes);
    free(set.indices);
    free(set.told);
    return status;
}
