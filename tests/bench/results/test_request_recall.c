/* What a stored run was asked for, as far as this version knows its options. */
#include "command_line.h"
#include "run_options.h"
#include "test.h"

#include <string.h>

static ArgumentList arguments;

static void recall(const char *line, RunOptions *request) {
    bool open;
    argument_list_release(&arguments);
    assert_ok(command_line_split(line, &arguments, &open));
    request_recall(&arguments, request);
}

static void release(void) {
    argument_list_release(&arguments);
}

ALL_TESTS(NULL, release);

TEST(options_are_read_by_their_rows) {
    RunOptions request;
    recall("run --algo=lbp --reps 7 --no-interleave --price gpu=3.2,cpu=0.8 --max-cell 2min "
           "--input 'a --pinned b.png' --variants omp --variants seq,simd",
           &request);
    assert_int_equal(request.algorithm_count, 1);
    assert_int_equal(request.reps, 7);
    assert_false(request.interleave);
    assert_false(request.pinned);
    assert_true(request.prices.gpu == 3.2 && request.prices.cpu == 0.8);
    assert_true(request.max_cell == 120);
    assert_string_equal(request.input, "a --pinned b.png");
    assert_string_equal(options_given_value(&request.given, "variants"), "seq,simd");
    assert_null(options_given_value(&request.given, "no-interleave"));
    assert_null(options_given_value(&request.given, "seed"));
    assert_true(request.seed == 1);
}

/* What this version does not have hides nothing. */
TEST(what_is_not_known_is_passed_over) {
    RunOptions request;
    recall("word --no-such-option 5 --no-such-flag --reps 7 --seed", &request);
    assert_int_equal(request.reps, 7);
    assert_true(request.seed == 1);
    assert_true(options_was_given(&request.given, "seed"));
    assert_int_equal(request.given.count, 2);
}

TEST(what_cannot_be_read_was_given) {
    RunOptions request;
    recall("--algo of_a_module --variants=of_a_module --min-reps many --warmup 2", &request);
    assert_int_equal(request.algorithm_count, 0);
    assert_int_equal(request.min_reps, run_defaults.min_reps);
    assert_int_equal(request.warmup, 2);
    assert_string_equal(options_given_value(&request.given, "algo"), "of_a_module");
    assert_string_equal(options_given_value(&request.given, "variants"), "of_a_module");
    assert_string_equal(options_given_value(&request.given, "min-reps"), "many");
}
