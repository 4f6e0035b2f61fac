/* Cells that are compared take turns. */

#include "run_internal.h"

#include <stdlib.h>

#include "interrupt.h"
#include "resources.h"

/* === Interleave =============================================================================== */

/* Turns that the least number of samples is spread over. */
enum { INTERLEAVE_TURNS_MIN = 4 };

/* Seconds of samples after which a turn ends early: the shorter the turns, the better does a change
 * of speed spread over all lanes; the longer, the fewer runs are spent on warming up again. */
static const double turn_seconds = 0.02;

typedef struct Rotation {
    Lane *lanes;
    size_t count;
    const LaneWatch *watch;
    Warmth *warmth;
    const Lane *latest; /* whose data the caches hold; NULL: somebody else's */
} Rotation;

/* Later turns grow with the number of samples, so that a cell that needs thousands does not take
 * thousands of turns. */
static size_t samples_of_turn(const Measurement *measurement) {
    const RunOptions *options = measurement->options;
    const size_t least = (size_t)(options->reps > 0 ? options->reps : options->min_reps);
    const size_t share = (least + INTERLEAVE_TURNS_MIN - 1) / INTERLEAVE_TURNS_MIN;
    const size_t grown = measurement->samples.count / 8;
    return share > grown ? share : grown;
}

static Status warm_up(const Rotation *rotation, const Lane *lane) {
    STATUS_TRY(measure_warm_device(lane->measurement, rotation->warmth));
    return lane != rotation->latest ? measure_rewarm(lane->measurement) : status_ok();
}

static Status take_samples(Measurement *measurement) {
    const size_t most = samples_of_turn(measurement);
    double seconds = 0;
    for (size_t i = 0; i == 0 || (i < most && seconds < turn_seconds); i++) {
        if (measurement->done || interrupt_requested()) {
            break;
        }
        STATUS_TRY(measure_sample(measurement));
        seconds += measurement->latest;
    }
    return status_ok();
}

/* Ends the lanes of a lost device that are not over, with STATUS_SKIP. */
static void interleave_lose_device(Lane *lanes, size_t count, const Backend *backend) {
    for (size_t i = 0; i < count; i++) {
        if (!lanes[i].over && lanes[i].measurement->variant->backend == backend) {
            lanes[i].status = status_skip("the device was lost");
            lanes[i].over = true;
        }
    }
}

static void take_turn(Rotation *rotation, size_t index) {
    const LaneWatch *watch = rotation->watch;
    Lane *lane = &rotation->lanes[index];
    lane->status = warm_up(rotation, lane);
    rotation->latest = lane;
    if (status_is_ok(&lane->status)) {
        lane->status = take_samples(lane->measurement);
    }
    if (status_is_ok(&lane->status) && lane->measurement->done) {
        lane->status = watch->sampled(watch->context, index);
        lane->over = true;
        rotation->latest = NULL;
    }
    measure_note_warmth(lane->measurement, rotation->warmth);
    lane->over |= !status_is_ok(&lane->status);
    if (lane->status.code == STATUS_DEVICE_LOST) {
        interleave_lose_device(rotation->lanes, rotation->count,
                               lane->measurement->variant->backend);
    }
    if (watch->turn != NULL) {
        watch->turn(watch->context);
    }
}

/* One pass over the lanes that are not over; false when there was none. */
static bool take_turns(Rotation *rotation, bool forward) {
    bool any = false;
    for (size_t i = 0; i < rotation->count && !interrupt_requested(); i++) {
        const size_t index = forward ? i : rotation->count - 1 - i;
        if (!rotation->lanes[index].over) {
            take_turn(rotation, index);
            any = true;
        }
    }
    return any;
}

void interleave_sample(Lane *lanes, size_t count, Warmth *warmth, const LaneWatch *watch) {
    Rotation rotation = {.lanes = lanes, .count = count, .warmth = warmth, .watch = watch};
    bool forward = true;
    while (take_turns(&rotation, forward)) {
        forward = !forward;
    }
}

/* === Cell set ================================================================================= */

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
