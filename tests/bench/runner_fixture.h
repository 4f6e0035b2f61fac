/* Runs a request on the fakes and keeps all that came of it. */
#ifndef TESTS_BENCH_RUNNER_FIXTURE_H
#define TESTS_BENCH_RUNNER_FIXTURE_H

#include "bench/fakes.h"
#include "bench/scratch_folder.h"
#include "interrupt.h"
#include "machine.h"
#include "results.h"
#include "row.h"
#include "run.h"
#include "run_options.h"
#include "test.h"

typedef struct Outcome {
    ScratchFolder folder;
    char run[512]; /* the run's folder */
    Machine machine;
    Results results;
    Status status;
    int exit_code;
    char *printed; /* standard output */
    char *noted;   /* standard error */
} Outcome;

static inline char *take_text(FILE *stream) {
    const long length = ftell(stream);
    char *text = calloc(1, (size_t)length + 1);
    rewind(stream);
    assert_int_equal(fread(text, 1, (size_t)length, stream), length);
    fclose(stream);
    return text;
}

static inline void run_in(RunOptions *options, Outcome *outcome) {
    FILE *output = tmpfile();
    FILE *notes = tmpfile();
    scratch_path(&outcome->folder, "run", outcome->run);
    if (options->out == NULL && options->resume == NULL) {
        options->out = outcome->run;
    }
    outcome->exit_code = -1;
    interrupt_watch(); /* as the program does */
    outcome->results = (Results){0};
    outcome->status = runner_run_on(options, &outcome->machine, output, notes, &outcome->results,
                                    &outcome->exit_code);
    outcome->printed = take_text(output);
    outcome->noted = take_text(notes);
}

static inline Outcome run(RunOptions options) {
    Outcome outcome = {.folder = scratch_make()};
    run_in(&options, &outcome);
    return outcome;
}

static inline void forget_results(Outcome *outcome) {
    results_release(&outcome->results);
    free(outcome->printed);
    free(outcome->noted);
}

static inline void finish(Outcome *outcome) {
    forget_results(outcome);
    scratch_remove_tree(outcome->folder.path);
    assert_int_equal(fake_device.in_use, 0);
    assert_int_equal(fake_device.opened, fake_device.closed);
    assert_int_equal(cpu_backend.in_use(), 0);
}

static bool in_turns; /* whether the cells that requests ask for are sampled in turns */

static inline void reset(void) {
    memset(&fake_device, 0, sizeof fake_device);
    in_turns = false;
}

static inline void reset_in_turns(void) {
    reset();
    in_turns = true;
}

static inline RunOptions request(const char *first, const char *second, const char *third) {
    RunOptions options = fake_options(&fake_algorithm);
    options.interleave = in_turns;
    fake_select(&options, first);
    if (second != NULL) {
        fake_select(&options, second);
    }
    if (third != NULL) {
        fake_select(&options, third);
    }
    return options;
}

/* The row is what a failure has to look like: a reason and not one time. */
static inline void check_failed(const Row *row, const char *reason) {
    assert_int_equal(row->status, CELL_FAIL);
    assert_says(row->why, reason);
    assert_false(row->verified);
    assert_int_equal(row->kernel.count, 0);
    assert_int_equal(row->end_to_end.count, 0);
    assert_true(isnan(row->kernel_summary.median) && isnan(row->end_to_end_summary.median));
    assert_true(isnan(row->upload) && isnan(row->download) &&
                isnan(row->with_alloc_summary.median));
    assert_true(isnan(row->speedup) && isnan(row->items_per_second));
}

static inline void check_ok(const Row *row, const char *variant) {
    assert_string_equal(row->variant->name, variant);
    if (row->status != CELL_OK) {
        fail_msg("%s: %s", variant, row->why);
    }
    assert_true(row->verified);
    assert_string_equal(row->verified_by, "seq");
    assert_true(row->agreement == 1);
    assert_true(row->kernel_summary.median > 0);
}

/* Cells one after the other, and in turns. */
#define TEST_BOTH(function)                                                                        \
    static void function(void);                                                                    \
    TEST_REGISTER(function##_in_turns, .name = #function "_in_turns", .run = function,             \
                  .own = true, .fixture = {reset_in_turns})                                        \
    TEST(function)

#endif
