/*
 * Trainings on the device, whose rounds are queued many at a time: against those of seq, with more
 * rounds than are queued together, with steps, and with candidates on several devices. One device
 * stands for three of them.
 */
#include "backend_runner.h"
#include "device.h"
#include "devices.h"
#include "test.h"

#include "cpu/adaboost_runs.h"

enum { DEVICES = 3, QUEUED = 128 /* rounds, in adaboost_device.cuh */ };

extern const VariantTable adaboost_cuda_variants;

/* One run on poisoned memory, and its status; the answer is downloaded whatever that is. */
static Status train_on_device(const Variant *variant, int gpus, const Workload *workload,
                              const Point *point, const Output *output, const Steps *steps) {
    Point tuning = {.count = 0};
    if (variant->tuning != NULL) {
        tuning = (Point){.count = 1, .axes = {variant->tuning[0]}, .values = {{.number = gpus}}};
    }
    const Request request = {
        .workload = workload, .answer = point, .tuning = &tuning, .output = output, .steps = steps};
    void *state = NULL;
    const Status opened = variant->open(&request, &state);
    assert_string_equal(opened.why, "");
    assert_ok(variant->backend->runner->poison(0xA5));
    assert_ok(variant->upload(state));
    const Status status = variant->run(state);
    if (status_is_ok(&status)) {
        assert_ok(variant->download(state));
    }
    const Status guards = variant->backend->runner->check_guards();
    assert_string_equal(guards.why, "");
    variant->close(state);
    return status;
}

/* Calls `check` with each variant, and with one device and all for the one that has several. */
static void with_each(void (*check)(const Variant *variant, int gpus, const void *context),
                      const void *context) {
    for (size_t row = 0; row < adaboost_cuda_variants.count; row++) {
        const Variant *variant = &adaboost_cuda_variants.rows[row];
        check(variant, 1, context);
        if (variant->tuning != NULL) {
            check(variant, DEVICES, context);
        }
    }
}

static const Variant *variant_named(const char *name) {
    for (size_t row = 0; row < adaboost_cuda_variants.count; row++) {
        if (strcmp(adaboost_cuda_variants.rows[row].name, name) == 0) {
            return &adaboost_cuda_variants.rows[row];
        }
    }
    fail_msg("no variant is called %s", name);
    return NULL;
}

typedef struct Training {
    Workload workload;
    AdaboostPoint point;
    Output want; /* of seq */
} Training;

static Training training_of(Workload workload, AdaboostPoint point) {
    Training training = {.workload = workload, .point = point};
    training.want = train_seq(&training.workload, point);
    return training;
}

static void training_release(Training *training) {
    free_output(&training->want);
    free_set(&training->workload);
}

static void check_as_seq(const Variant *variant, int gpus, const void *context) {
    const Training *training = context;
    const Point point = training_point(training->point);
    RELEASED_BY(free_output) Output output = new_output(&training->workload, &point);
    const Status status =
        train_on_device(variant, gpus, &training->workload, &point, &output, NULL);
    assert_string_equal(status.why, "");
    assert_same_training(&output, &training->want, variant->name, gpus);
}

static void check_all(Workload workload, AdaboostPoint point) {
    RELEASED_BY(training_release) Training training = training_of(workload, point);
    with_each(check_as_seq, &training);
}

/* Few candidates and random labels: no stump is without error. */
static Workload long_set(void) {
    return random_set(70, 8, 8, 256, 2, 5);
}

static AdaboostPoint long_point(void) {
    return (AdaboostPoint){
        .digit = 1, .rounds = QUEUED + 9, .candidates = 10, .min_side = 3, .threshold = 0};
}

static void choose_devices(void) {
    const int one_for_all[DEVICES] = {0};
    (void)cuda_devices_choose(one_for_all, DEVICES);
}

ALL_TESTS(choose_devices);

TEST(more_rounds_than_are_queued) {
    need_device();
    const AdaboostPoint point = long_point();
    RELEASED_BY(training_release) Training training = training_of(long_set(), point);
    assert_int_equal(*adaboost_count(&training.want), point.rounds);
    with_each(check_as_seq, &training);
}

/* Two candidates for three devices, and many equal values. */
TEST(fewer_candidates_than_devices) {
    need_device();
    check_all(
        random_set(90, 6, 6, 2, 3, 8),
        (AdaboostPoint){.digit = 2, .rounds = 7, .candidates = 2, .min_side = 2, .threshold = 0});
}

/* A stump without error ends a training in the middle of the rounds queued. */
TEST(a_stump_without_error_ends_it) {
    need_device();
    const AdaboostPoint point = {
        .digit = 1, .rounds = 20, .candidates = 9, .min_side = 2, .threshold = 0};
    Workload workload = random_set(60, 6, 6, 256, 2, 4);
    memset(workload.set.labels, 1, (size_t)workload.set.count);
    RELEASED_BY(training_release) Training training = training_of(workload, point);
    assert_int_equal(*adaboost_count(&training.want), 1);
    with_each(check_as_seq, &training);
}

/* Equal images with labels half and half: no stump is better than chance. */
TEST(no_better_than_chance) {
    need_device();
    const AdaboostPoint point = {
        .digit = 1, .rounds = 5, .candidates = 4, .min_side = 2, .threshold = 0};
    Workload workload = random_set(40, 6, 6, 256, 2, 4);
    const size_t pixels = 36;
    for (size_t i = 0; i < 40; i++) {
        memcpy(workload.image.pixels + i * pixels, workload.image.pixels, pixels);
        workload.set.labels[i] = (uint8_t)(i % 2);
    }
    RELEASED_BY(training_release) Training training = training_of(workload, point);
    assert_int_equal(*adaboost_count(&training.want), 0);
    with_each(check_as_seq, &training);
}

/* A run of the packed order goes over several groups; the last is not full. */
TEST(images_of_several_groups) {
    need_device();
    check_all(
        random_set(9001, 5, 4, 16, 3, 3),
        (AdaboostPoint){.digit = 2, .rounds = 3, .candidates = 11, .min_side = 2, .threshold = 0});
}

/* The packed order has indices of 16 bits: beyond it the plain one is searched. */
TEST(images_around_what_can_be_packed) {
    need_device();
    const AdaboostPoint point = {
        .digit = 2, .rounds = 2, .candidates = 2, .min_side = 2, .threshold = 0};
    Training packed = training_of(random_set(65534, 4, 3, 256, 3, 3), point);
    check_as_seq(variant_named("cuda_fast"), 1, &packed);
    training_release(&packed);
    RELEASED_BY(training_release)
    Training plain = training_of(random_set(65536, 4, 3, 256, 3, 3), point);
    check_as_seq(variant_named("cuda_fast"), 1, &plain);
    check_as_seq(variant_named("cuda_multi"), 2, &plain);
}

/* What finished() was told, and when it says stop. */
typedef struct Watch {
    const Output *output;
    size_t calls, stop_after; /* 0: never */
} Watch;

static Status watch(void *context, size_t done) {
    Watch *seen = context;
    assert_int_equal(*adaboost_count(seen->output), done);
    assert_int_not_equal(adaboost_stumps(seen->output)[done - 1].w, 0);
    seen->calls++;
    return done == seen->stop_after ? status_fail("stopped by the test") : status_ok();
}

static void check_steps(const Variant *variant, int gpus, const void *context) {
    const Training *training = context;
    const Point point = training_point(training->point);
    const size_t rounds = (size_t)training->point.rounds;
    static const size_t cuts[] = {1, QUEUED + 2};
    for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; i++) {
        const size_t cut = cuts[i];
        RELEASED_BY(free_output) Output output = new_output(&training->workload, &point);
        Watch seen = {.output = &output, .stop_after = cut};
        Steps steps = {.finished = watch, .context = &seen};
        const Status stopped =
            train_on_device(variant, gpus, &training->workload, &point, &output, &steps);
        assert_int_equal(stopped.code, STATUS_FAIL);
        assert_string_equal(stopped.why, "stopped by the test");
        assert_int_equal(seen.calls, cut);
        seen = (Watch){.output = &output};
        steps.done = cut;
        const Status ended =
            train_on_device(variant, gpus, &training->workload, &point, &output, &steps);
        assert_string_equal(ended.why, "");
        assert_int_equal(seen.calls, rounds - cut);
        assert_same_training(&output, &training->want, variant->name, gpus);
    }
}

/* Also after more rounds than are queued together. */
TEST(stopped_trainings_go_on) {
    need_device();
    RELEASED_BY(training_release) Training training = training_of(long_set(), long_point());
    with_each(check_steps, &training);
}

/* All rounds done: only what each gets wrong is counted again. */
static void check_whole(const Variant *variant, int gpus, const void *context) {
    const Training *training = context;
    const Point point = training_point(training->point);
    RELEASED_BY(free_output) Output output = train_seq(&training->workload, training->point);
    const Steps steps = {.done = (size_t)training->point.rounds};
    adaboost_stumps(&output)[steps.done - 1].misses = 12345;
    const Status status =
        train_on_device(variant, gpus, &training->workload, &point, &output, &steps);
    assert_string_equal(status.why, "");
    assert_same_training(&output, &training->want, variant->name, gpus);
}

TEST(a_whole_training_stays_as_it_is) {
    need_device();
    RELEASED_BY(training_release) Training training = training_of(long_set(), long_point());
    with_each(check_whole, &training);
}

static void check_foreign(const Variant *variant, int gpus, const void *context) {
    Training training = *(const Training *)context;
    const Point point = training_point(training.point);
    RELEASED_BY(free_output) Output output = train_seq(&training.workload, training.point);
    const Steps steps = {.done = 5};
    training.workload.seed = 99;
    const Status status =
        train_on_device(variant, gpus, &training.workload, &point, &output, &steps);
    assert_int_equal(status.code, STATUS_FAIL);
    assert_says(status.why, "not one of this training");
}

TEST(foreign_stumps_are_refused) {
    need_device();
    AdaboostPoint point = long_point();
    point.rounds = 10;
    RELEASED_BY(training_release) Training training = training_of(long_set(), point);
    with_each(check_foreign, &training);
}
