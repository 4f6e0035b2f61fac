#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base.h"

static char text[4096];

static const char *written(FILE *stream) {
    rewind(stream);
    text[fread(text, 1, sizeof text - 1, stream)] = '\0';
    return text;
}

static void a_file_gets_a_line_per_cell(void **state) {
    (void)state;
    FILE *stream = tmpfile();
    Progress progress;
    progress_start(&progress, stream, 3, 2, false);
    assert_false(progress.terminal);
    progress_cell(&progress, "lbp/seq/texture/720p");
    progress_done(&progress, true);
    progress_activity(&progress, "oracle");
    progress_cell(&progress, "lbp/simd/texture/720p");
    progress_note(&progress, "the disk is full");
    progress_end(&progress);
    written(stream);
    assert_memory_equal(text, "[1/3] lbp/seq/texture/720p (0:00)\n[2/3] lbp/simd/texture/720p (0:",
                        strlen("[1/3] lbp/seq/texture/720p (0:00)\n[2/3] lbp/simd/texture/720p "
                               "(0:"));
    assert_non_null(strstr(text, " left)\nthe disk is full\n"));
    assert_null(strchr(text, '\r'));
    fclose(stream);
}

static void a_terminal_gets_one_line_that_is_cleared(void **state) {
    (void)state;
    FILE *stream = tmpfile();
    Progress progress;
    progress_start(&progress, stream, 2, 2, false);
    progress.terminal = true;
    progress_activity(&progress, "oracle of a");
    progress_cell(&progress, "a");
    progress_cell(&progress, "b");
    progress_end(&progress);
    written(stream);
    assert_null(strchr(text, '\n'));
    assert_non_null(strstr(text, "oracle of a"));
    const size_t length = strlen(text);
    assert_true(text[length - 1] == '\r' && text[length - 2] == ' ');
    fclose(stream);
}

/* Four cells are announced before the first of them has its row. */
static void cells_in_turns_are_numbered_on(void **state) {
    (void)state;
    FILE *stream = tmpfile();
    Progress progress;
    progress_start(&progress, stream, 6, 6, false);
    progress_cell(&progress, "a");
    progress_cell(&progress, "b");
    progress_cell(&progress, "c");
    progress.started -= 60; /* a minute ago */
    progress.under_way = 1.5;
    progress.terminal = true;
    progress_activity(&progress, "all"); /* 1.5 of 6 in 60 s leave 180 s */
    progress.terminal = false;
    progress_done(&progress, true);
    progress_done(&progress, true);
    progress_cell(&progress, "d"); /* 2 of 6 in 60 s leave 120 s */
    progress_settle(&progress);
    progress_cell(&progress, "e");
    written(stream);
    assert_non_null(strstr(text, "[1/6] a (0:00)\n[2/6] b (0:00)\n[3/6] c (0:00)\n"));
    assert_non_null(strstr(text, "[3/6] all (1:00, about 3:00 left)"));
    assert_non_null(strstr(text, "[4/6] d (1:00, about 2:00 left)\n"));
    assert_non_null(strstr(text, "[3/6] e"));
    fclose(stream);
}

/* Of 5 cells 4 are to run: the one that is taken over took no time and tells nothing of the others.
 */
static void cells_that_are_taken_over_do_not_shorten_the_rest(void **state) {
    (void)state;
    FILE *stream = tmpfile();
    Progress progress;
    progress_start(&progress, stream, 5, 4, false);
    progress_done(&progress, false);
    progress.started -= 60;
    progress_cell(&progress, "a");
    progress_done(&progress, true);
    progress_cell(&progress, "b"); /* 1 of 4 in 60 s leave 180 s */
    written(stream);
    assert_non_null(strstr(text, "[2/5] a (1:00)\n"));
    assert_non_null(strstr(text, "[3/5] b (1:00, about 3:00 left)\n"));
    fclose(stream);
}

static void quiet_leaves_notes_only(void **state) {
    (void)state;
    FILE *stream = tmpfile();
    Progress progress;
    progress_start(&progress, stream, 2, 2, true);
    progress_cell(&progress, "a");
    progress_note(&progress, "careful");
    progress_end(&progress);
    assert_string_equal(written(stream), "careful\n");
    fclose(stream);
}

/* Of 100 steps 40 were done before: 20 in a minute leave 40 for two minutes. */
static void short_steps_share_a_line(void **state) {
    (void)state;
    FILE *stream = tmpfile();
    Progress progress;
    progress_start(&progress, stream, 100, 60, false);
    progress.done = 40;
    progress_steps(&progress, 50, false, "too soon");
    progress.started -= 60;
    progress.shown -= 3;
    progress_steps(&progress, 60, false, "a");
    progress_steps(&progress, 99, false, "too soon");
    progress_steps(&progress, 100, true, "b");
    assert_string_equal(written(stream),
                        "[60/100] a (1:00, about 2:00 left)\n[100/100] b (1:00)\n");
    fclose(stream);
}

static void no_stream_is_quiet(void **state) {
    (void)state;
    Progress progress;
    progress_start(&progress, NULL, 2, 2, false);
    progress_cell(&progress, "a");
    progress_steps(&progress, 1, true, "b");
    progress_end(&progress);
    assert_int_equal(progress.done, 1);
}

/* At once, then not before the interval, and only as long as all writes take less than 5%. */
static void writes_take_a_small_share(void **state) {
    (void)state;
    WriteClock clock = write_clock_start(100);
    assert_true(write_is_due(&clock, 10, 100));
    write_clock_count(&clock, 100, 100.1);
    assert_false(write_is_due(&clock, 10, 110));
    assert_true(write_is_due(&clock, 10, 110.1));
    assert_true(write_is_due(&clock, 0, 100.1));
    write_clock_count(&clock, 110.5, 111);        /* 0.6 s in all, and 0.5 s again: 1.1 s */
    assert_false(write_is_due(&clock, 0, 116.9)); /* 0.25 s + 5% of 16.9 s */
    assert_true(write_is_due(&clock, 0, 117.1));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_gets_a_line_per_cell),
        cmocka_unit_test(a_terminal_gets_one_line_that_is_cleared),
        cmocka_unit_test(cells_in_turns_are_numbered_on),
        cmocka_unit_test(cells_that_are_taken_over_do_not_shorten_the_rest),
        cmocka_unit_test(quiet_leaves_notes_only),
        cmocka_unit_test(short_steps_share_a_line),
        cmocka_unit_test(no_stream_is_quiet),
        cmocka_unit_test(writes_take_a_small_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
