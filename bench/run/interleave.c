#include "interleave.h"

#include "interrupt.h"

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

void interleave_lose_device(Lane *lanes, size_t count, const Backend *backend) {
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
