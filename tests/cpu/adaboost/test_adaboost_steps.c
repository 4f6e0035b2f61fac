/* adaboost in steps: a training that was stopped goes on to what a straight one gives. */
#include "adaboost_runs.h"
#include "status_checks.h"
#include "test.h"

enum { ROUNDS = 10 };

static Workload steps_set(void) {
    return random_set(150, 8, 8, 256, 3, 21);
}

static AdaboostPoint steps_point(void) {
    return (AdaboostPoint){
        .digit = 1, .rounds = ROUNDS, .candidates = 60, .min_side = 2, .threshold = 0};
}

/* What finished() was told, and when it says stop. */
typedef struct Watch {
    const Output *output;
    size_t calls, last, stop_after; /* 0: never */
} Watch;

static Status watch(void *context, size_t done) {
    Watch *seen = context;
    static const AdaboostStump none = {0};
    assert_int_equal(*adaboost_count(seen->output), done);
    assert_int_not_equal(adaboost_stumps(seen->output)[done - 1].w, 0);
    if (done < ROUNDS) {
        assert_memory_equal(&adaboost_stumps(seen->output)[done], &none, sizeof none);
    }
    seen->calls++;
    seen->last = done;
    return done == seen->stop_after ? status_fail("stopped by the test") : status_ok();
}

static void check_variant(const Variant *variant, int threads, const Workload *workload,
                          const Output *want) {
    const Point point = training_point(steps_point());
    for (size_t cut = 1; cut < ROUNDS; cut += 4) {
        RELEASED_BY(free_output) Output output = new_output(workload, &point);
        Watch seen = {.output = &output, .stop_after = cut};
        Steps steps = {.finished = watch, .context = &seen};
        assert_status_is(train(variant, threads, workload, &point, &output, &steps), STATUS_FAIL,
                         "stopped by the test");
        assert_int_equal(seen.calls, cut);
        assert_int_equal(*adaboost_count(&output), cut);
        seen = (Watch){.output = &output};
        steps.done = cut;
        const Status ended = train(variant, threads, workload, &point, &output, &steps);
        assert_string_equal(ended.why, "");
        assert_int_equal(seen.calls, ROUNDS - cut);
        assert_int_equal(seen.last, ROUNDS);
        assert_same_training(&output, want, variant->name, threads);
    }
}

TEST(stopped_trainings_go_on) {
    RELEASED_BY(free_set) Workload workload = steps_set();
    RELEASED_BY(free_output) Output want = train_seq(&workload, steps_point());
    assert_int_equal(*adaboost_count(&want), ROUNDS);
    for (size_t row = 0; row < adaboost_algorithm.cpu.count; row++) {
        const Variant *variant = &adaboost_algorithm.cpu.rows[row];
        check_variant(variant, 1, &workload, &want);
        if (variant->tuning != NULL) {
            check_variant(variant, 3, &workload, &want);
        }
    }
}

/* Three rounds are the first three of ten. */
TEST(rounds_only_end_a_training) {
    RELEASED_BY(free_set) Workload workload = steps_set();
    RELEASED_BY(free_output) Output ten = train_seq(&workload, steps_point());
    AdaboostPoint shorter = steps_point();
    shorter.rounds = 3;
    RELEASED_BY(free_output) Output three = train_seq(&workload, shorter);
    assert_int_equal(*adaboost_count(&three), 3);
    assert_memory_equal(adaboost_stumps(&three), adaboost_stumps(&ten), 3 * sizeof(AdaboostStump));
}

/* All rounds done: nothing is searched, and finished() has nothing to tell. */
TEST(a_whole_training_stays_as_it_is) {
    RELEASED_BY(free_set) Workload workload = steps_set();
    const Point point = training_point(steps_point());
    RELEASED_BY(free_output) Output want = train_seq(&workload, steps_point());
    RELEASED_BY(free_output) Output output = train_seq(&workload, steps_point());
    Watch seen = {.output = &output};
    const Steps steps = {.done = ROUNDS, .finished = watch, .context = &seen};
    for (size_t row = 0; row < adaboost_algorithm.cpu.count; row++) {
        const Variant *variant = &adaboost_algorithm.cpu.rows[row];
        assert_ok(train(variant, 2, &workload, &point, &output, &steps));
        assert_int_equal(seen.calls, 0);
        assert_same_training(&output, &want, variant->name, 2);
    }
}

/* After a stump without error there is no more to do, also when going on. */
TEST(a_perfect_training_stays_ended) {
    RELEASED_BY(free_set) Workload workload = steps_set();
    memset(workload.set.labels, 1, (size_t)workload.set.count);
    const Point point = training_point(steps_point());
    RELEASED_BY(free_output) Output output = train_seq(&workload, steps_point());
    assert_int_equal(*adaboost_count(&output), 1);
    const Steps steps = {.done = 1};
    assert_ok(train(&adaboost_algorithm.cpu.rows[0], 1, &workload, &point, &output, &steps));
    assert_int_equal(*adaboost_count(&output), 1);
}

/* Stumps of another training (other images, another seed) are not gone on from. */
TEST(foreign_stumps_are_refused) {
    RELEASED_BY(free_set) Workload workload = steps_set();
    const Point point = training_point(steps_point());
    RELEASED_BY(free_output) Output output = train_seq(&workload, steps_point());
    workload.seed = 99;
    const Steps steps = {.done = 5};
    assert_status(train(&adaboost_algorithm.cpu.rows[0], 1, &workload, &point, &output, &steps),
                  STATUS_FAIL, "not one of this training");
}
