/* Cells that are compared are sampled in turns. */

#include <math.h>
#include <stdlib.h>

#include "cell.h"
#include "clock.h"
#include "interrupt.h"
#include "plan.h"
#include "proofs.h"
#include "resources.h"
#include "sweep.h"
#include "text.h"
#include "verify.h"
#include "wall_time.h"
#include "words.h"

/* === Lanes ==================================================================================== */

/* Turns that the minimum number of samples is spread over. */
enum { INTERLEAVE_TURNS_MIN = 8 };

/* Seconds of samples after which a turn ends early, and the share of the lane's time so far. Short
 * turns spread a change of speed evenly over all lanes; turns that grow keep their number small
 * beside a lane that takes long. */
static const double turn_seconds = 0.02;
static const double turn_share = 0.125;

typedef struct Rotation {
    Lane *lanes;
    size_t count;
    const LaneWatch *watch;
    Warmth *warmth;
    const Lane *latest; /* whose data the caches hold; NULL: of none */
} Rotation;

/* Later turns grow with the number of samples, so that a cell that needs thousands does not take
 * thousands of turns. */
static size_t samples_of_turn(const Lane *lane) {
    const RunOptions *options = lane->measurement->options;
    const size_t least = (size_t)(options->reps > 0 ? options->reps : options->min_reps);
    const size_t share = (least + INTERLEAVE_TURNS_MIN - 1) / INTERLEAVE_TURNS_MIN;
    const size_t grown = lane->measurement->samples.count / 8;
    const size_t brief = measure_turn_least(lane->measurement);
    const size_t wanted = share > grown ? share : grown;
    return lane->measurement->done ? 1 : wanted > brief ? wanted : brief;
}

/* Whether a turn still has kernel samples: a fixed number of them is not exceeded, and the answer
 * of the last long run is verified before another cell writes there. */
static bool wants_samples(const Measurement *measurement) {
    const RunOptions *options = measurement->options;
    if (measurement->done && options->budget > 0 && measure_is_long(options, measurement->latest)) {
        return false;
    }
    return !measurement->done ||
           (options->reps == 0 && measurement->poisoned == NULL &&
            measurement->samples.count < SAMPLES_MAX && measurement->spent < options->max_time);
}

static Status kernel_samples(Lane *lane, size_t most) {
    Measurement *measurement = lane->measurement;
    const double long_turn = measurement->done ? 0 : turn_share * measurement->spent;
    const double limit = long_turn > turn_seconds ? long_turn : turn_seconds;
    const size_t least = measurement->done ? 1 : measure_turn_least(measurement);
    double seconds = 0;
    for (size_t i = 0; i == 0 || (i < most && (i < least || seconds < limit) && !measurement->done);
         i++) {
        if (interrupt_requested()) {
            break;
        }
        STATUS_TRY(measure_sample(measurement));
        seconds += measurement->latest;
    }
    return status_ok();
}

/* Kernels do not need the host alone. What happens while others have it is not this cell's. The
 * lock of a device is that of the first, so a cell of several devices shares nothing. */
static Status share_host(Rotation *rotation, Measurement *measurement) {
    if (!host_lock_is_open() || measurement->gpus > 1) {
        return status_ok();
    }
    stolen_end(&measurement->stolen, measurement->threads);
    host_lock_device();
    stolen_begin(&measurement->stolen, measurement->threads);
    return measure_warm_device(measurement, rotation->warmth);
}

/* End to end comes first: the answer of the latest kernel sample, which is verified after the last
 * turn, stays on the device. */
static Status sample_turn(Rotation *rotation, Lane *lane) {
    Measurement *measurement = lane->measurement;
    const size_t most = samples_of_turn(lane);
    const size_t before = measurement->end_to_end.count;
    measurement->samples.origin.turn = measurement->end_to_end.origin.turn = lane->turns++;
    wall_enter(WALL_WARMING);
    STATUS_TRY(measure_warm_device(measurement, rotation->warmth));
    if (variant_is_on_cpu(measurement->variant)) {
        STATUS_TRY(sentinel_sample(&measurement->sentinel, &measurement->repeated));
    }
    wall_enter(WALL_END_TO_END);
    STATUS_TRY(measure_end_to_end(measurement, most));
    if (!wants_samples(measurement) || interrupt_requested()) {
        return status_ok();
    }
    if (!variant_is_on_cpu(measurement->variant)) {
        STATUS_TRY(share_host(rotation, measurement));
    }
    if (measurement->answer != NULL && measurement->poisoned == NULL) {
        answer_damage(measurement->answer); /* a run that leaves it so is found out at the end */
    }
    if (lane != rotation->latest || measurement->end_to_end.count > before) {
        wall_enter(WALL_WARMING);
        STATUS_TRY(measure_rewarm(measurement));
    }
    wall_enter(WALL_SAMPLES);
    return kernel_samples(lane, most);
}

/* Ends the open lanes of a lost device with STATUS_SKIP. */
static void lose_device(Lane *lanes, size_t count, const Backend *backend) {
    for (size_t i = 0; i < count; i++) {
        const Measurement *measurement = lanes[i].measurement;
        if (!lanes[i].over &&
            device_is_lost(backend, measurement->variant->backend, measurement->gpus)) {
            lanes[i].status = status_skip("the device was lost");
            lanes[i].over = true;
        }
    }
}

/* Whether the lane can go on, at other addresses. */
static bool begins_anew(Rotation *rotation, size_t index) {
    const LaneWatch *watch = rotation->watch;
    Lane *lane = &rotation->lanes[index];
    if (watch->anew != NULL && lane->turns > 0) {
        wall_enter(WALL_OPENING);
        lane->status = watch->anew(watch->context, index);
        rotation->latest = NULL;
    }
    return status_is_ok(&lane->status);
}

static void end_turn(const Rotation *rotation, size_t index) {
    const LaneWatch *watch = rotation->watch;
    Lane *lane = &rotation->lanes[index];
    if (status_is_ok(&lane->status) && watch->ended != NULL && !interrupt_requested()) {
        wall_enter(WALL_PROOFS);
        lane->status = watch->ended(watch->context, index);
    }
}

static void run_turn(Rotation *rotation, size_t index) {
    const LaneWatch *watch = rotation->watch;
    Lane *lane = &rotation->lanes[index];
    const WallPart before = wall_enter(WALL_WARMING);
    placement_enter(lane->measurement);
    stolen_begin(&lane->measurement->stolen, lane->measurement->threads);
    if (begins_anew(rotation, index)) {
        lane->status = sample_turn(rotation, lane);
    }
    stolen_end(&lane->measurement->stolen, lane->measurement->threads);
    rotation->latest = lane;
    end_turn(rotation, index);
    lane->done_now =
        status_is_ok(&lane->status) && measure_is_done(lane->measurement) && !lane->done;
    if (lane->done_now) {
        lane->done = true;
        lane->needed = lane->turns;
        wall_enter(WALL_PROOFS);
        lane->status = watch->sampled(watch->context, index);
        rotation->latest = NULL;
    }
    placement_leave();
    wall_enter(WALL_WAITING);
    host_lock_alone();
    wall_leave(before);
    measure_note_warmth(lane->measurement, rotation->warmth);
    lane->over |= !status_is_ok(&lane->status);
    if (lane->status.code == STATUS_DEVICE_LOST) {
        lose_device(rotation->lanes, rotation->count, lane->measurement->variant->backend);
    }
    if (watch->turn != NULL) {
        watch->turn(watch->context, index);
    }
}

static bool is_any_left(const Rotation *rotation) {
    for (size_t i = 0; i < rotation->count; i++) {
        if (!rotation->lanes[i].over && !rotation->lanes[i].done) {
            return true;
        }
    }
    return false;
}

/* A lane that is done must not take the time of those that are not: it goes on for as many
 * turns as it has needed, of one sample each, within the limits of a cell. */
static bool takes_turn(const Lane *lane) {
    return !lane->over &&
           !(lane->done && (!wants_samples(lane->measurement) || lane->turns >= 2 * lane->needed));
}

/* One pass over the lanes. */
static void run_turns(Rotation *rotation, bool forward) {
    for (size_t i = 0; i < rotation->count && !interrupt_requested(); i++) {
        const size_t index = forward ? i : rotation->count - 1 - i;
        if (takes_turn(&rotation->lanes[index])) {
            run_turn(rotation, index);
        }
    }
}

/* Samples taken since a lane became done have not been verified. */
static void end_lane(const Rotation *rotation, size_t index) {
    Lane *lane = &rotation->lanes[index];
    if (lane->done && !lane->done_now && !lane->over) {
        const WallPart before = wall_enter(WALL_PROOFS);
        lane->status = rotation->watch->sampled(rotation->watch->context, index);
        wall_leave(before);
    }
    lane->over = true;
}

void interleave_sample(Lane *lanes, size_t count, Warmth *warmth, const LaneWatch *watch) {
    Rotation rotation = {.lanes = lanes, .count = count, .warmth = warmth, .watch = watch};
    bool forward = true;
    while (is_any_left(&rotation) && !interrupt_requested()) {
        run_turns(&rotation, forward);
        forward = !forward;
    }
    for (size_t i = 0; i < count && !interrupt_requested(); i++) {
        end_lane(&rotation, i);
    }
}

/* === Set of cells ============================================================================= */

/* Bytes of host memory that stay free: states of the CPU are small and their sizes unknown. */
static const uint64_t host_reserve = (uint64_t)64 << 20;
/* Seconds between two updates of the progress line. */
static const double progress_interval = 0.25;

typedef struct CellSet {
    Cell *cells; /* of the caller */
    Lane *lanes; /* of each cell; over from the start where it is not open */
    size_t count;
    Warmth warmth;
    const SetWatch *watch;
    Status watched;       /* the first failure of the watch */
    double next_progress; /* monotonic seconds */
} CellSet;

static bool is_open(const Cell *cell) {
    return cell->measurement.state != NULL;
}

static Status open_beside(Cell *cell, size_t open) {
    if (open > 0 && available_memory() < host_reserve) {
        return status_no_memory("beside the other cells of the set");
    }
    return cell_open(cell);
}

static void open_all(CellSet *set) {
    size_t open = 0;
    for (size_t i = 0; i < set->count && !interrupt_requested(); i++) {
        Cell *cell = &set->cells[i];
        if (cell->sampled) {
            continue;
        }
        cell->status = open_beside(cell, open);
        if (status_is_ok(&cell->status)) {
            set->lanes[i].over = false;
            open++;
        } else if (cell->status.code == STATUS_DEVICE_LOST) {
            lose_device(set->lanes, set->count, cell->measurement.variant->backend);
        }
    }
}

static void set_status(Lane *lane, Status status) {
    lane->status = status;
    lane->over = !status_is_ok(&status);
}

/* Each backend once: poison reaches all memory allocated from it, whichever cell holds it. */
static void poison_all(const CellSet *set) {
    const Backend *latest = NULL;
    for (size_t i = 0; i < set->count; i++) {
        Lane *lane = &set->lanes[i];
        const Variant *variant = lane->measurement->variant;
        if (variant->backend != latest && !lane->over) {
            set_status(lane,
                       poison_everything(variant, set->cells[i].job.scratch, POISON_CANDIDATE));
            latest = lane->over ? latest : variant->backend;
        }
    }
}

static void begin_all(CellSet *set) {
    poison_all(set);
    for (size_t i = 0; i < set->count && !interrupt_requested(); i++) {
        Lane *lane = &set->lanes[i];
        if (lane->over) {
            continue;
        }
        placement_enter(lane->measurement);
        set_status(lane, cell_begin(&set->cells[i], &set->warmth));
        placement_leave();
        if (lane->status.code == STATUS_DEVICE_LOST) {
            lose_device(set->lanes, set->count, lane->measurement->variant->backend);
        }
    }
}

static Status look_at_lane(void *context, size_t lane) {
    const CellSet *set = context;
    return cell_look(&set->cells[lane]);
}

static Status check_lane(void *context, size_t lane) {
    const CellSet *set = context;
    return cell_check(&set->cells[lane]);
}

/* A set closes what is open, and takes the status from there. Every launch has addresses of its own
 * anyway: one with little time keeps them. */
static Status open_lane_anew(void *context, size_t lane) {
    const CellSet *set = context;
    Cell *cell = &set->cells[lane];
    if (cell->job.options->budget > 0) {
        return status_ok();
    }
    const Status status = cell_open_anew(cell);
    if (!status_is_ok(&status)) {
        cell->status = status;
    }
    return status;
}

/* Of at most so many of the samples, evenly spread; NAN without any. */
static double rough_median(const Samples *samples) {
    enum { ENOUGH = 101 };
    double some[ENOUGH];
    const size_t count = samples->count < ENOUGH ? samples->count : ENOUGH;
    for (size_t i = 0; i < count; i++) {
        some[i] = samples->seconds[i * samples->count / count];
    }
    return count > 0 ? median_in_place(some, count) : NAN;
}

void cell_show(const Cell *cell, double seq, Progress *progress) {
    char words[NUMBER_WORDS_SIZE + RATIO_WORDS_SIZE], factor[RATIO_WORDS_SIZE], over[64];
    const double seconds = rough_median(&cell->measurement.samples);
    ProgressKnown known = {.words = NULL};
    if (isfinite(seconds)) {
        seconds_text(seconds, words);
        known.words = words;
    }
    if (isfinite(seq) && seconds > 0 && !plan_cell_is_seq(cell->job.cell)) {
        const Ratio ratio = {.value = seq / seconds, .low = NAN, .high = NAN};
        factor_words(&ratio, factor);
        text_append(words, sizeof words, ", %s", factor);
        snprintf(over, sizeof over, "%s seq", ratio_joint(&ratio));
        known.over = over;
    }
    progress_show(progress, cell->name, &known);
}

/* Seconds of seq so far: in the set, or before it. */
static double seq_seconds(const CellSet *set) {
    for (size_t i = 0; i < set->count; i++) {
        if (plan_cell_is_seq(set->cells[i].job.cell)) {
            return rough_median(&set->cells[i].measurement.samples);
        }
    }
    return set->watch->seq;
}

/* The cell whose turn is over stands for all. */
static void show_progress(CellSet *set, const Cell *cell) {
    const SetWatch *watch = set->watch;
    if (watch->progress->quiet || clock_now() < set->next_progress) {
        return;
    }
    set->next_progress = clock_now() + progress_interval;
    double under_way = 0;
    for (size_t i = 0; i < set->count && watch->prices != NULL; i++) {
        const Measurement *measurement = &set->cells[i].measurement;
        const size_t index = (size_t)(set->cells[i].job.cell - set->cells[i].job.plan->cells);
        under_way += is_open(&set->cells[i]) || set->cells[i].sampled
                         ? watch->prices[index] * measure_progress(measurement)
                         : 0;
    }
    if (watch->prices != NULL) {
        progress_under_way(watch->progress, under_way);
    }
    cell_show(cell, seq_seconds(set), watch->progress);
}

/* Between turns: whatever is done here, the next cell is warmed up again before its samples. */
static void after_turn(void *context, size_t lane) {
    CellSet *set = context;
    const SetWatch *watch = set->watch;
    if (set->lanes[lane].done_now && set->cells[lane].sampled && watch->sampled != NULL) {
        const Status status = watch->sampled(watch->context, &set->cells[lane]);
        set->watched = status_is_ok(&set->watched) ? status : set->watched;
    }
    if (watch->turn != NULL) {
        watch->turn(watch->context);
    }
    show_progress(set, &set->cells[lane]);
}

static void close_all(const CellSet *set) {
    for (size_t i = 0; i < set->count; i++) {
        if (is_open(&set->cells[i])) {
            set->cells[i].status = set->lanes[i].status;
            cell_close(&set->cells[i]);
        }
    }
}

Status cell_set_sample(Cell *cells, size_t count, const SetWatch *watch) {
    CellSet set = {.cells = cells,
                   .lanes = calloc(count, sizeof *set.lanes),
                   .count = count,
                   .watch = watch,
                   .watched = status_ok()};
    STATUS_MEMORY(set.lanes, "for a set of %zu cells", count);
    for (size_t i = 0; i < count; i++) {
        set.lanes[i] = (Lane){.measurement = &cells[i].measurement, .over = true};
        cells[i].status = status_ok();
    }
    const LaneWatch lanes = {.anew = open_lane_anew,
                             .sampled = check_lane,
                             .ended = look_at_lane,
                             .turn = after_turn,
                             .context = &set};
    const WallPart before = wall_enter(WALL_OPENING);
    open_all(&set);
    wall_enter(WALL_WARMING);
    begin_all(&set);
    wall_leave(before);
    interleave_sample(set.lanes, count, &set.warmth, &lanes);
    close_all(&set);
    free(set.lanes);
    return set.watched;
}
