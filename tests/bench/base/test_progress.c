

#include <limits.h>

#include "progress.h"
#include "test.h"
#include "utf8.h"

static char text[65536];

static const char *written(FILE *stream) {
    rewind(stream);
    text[fread(text, 1, sizeof text - 1, stream)] = '\0';
    return text;
}

/* --- A clock that is set ---------------------------------------------------------------------- */

static double now;

static double set_clock(void) {
    return now;
}

static Progress start_at_0(FILE *stream, size_t total, size_t to_run) {
    Progress progress;
    progress_start(&progress, stream, total, to_run, false);
    now = 0;
    progress.clock = set_clock;
    progress.started = progress.estimated = progress.seen_at = 0;
    return progress;
}

/* --- Lines ------------------------------------------------------------------------------------ */

TEST(a_file_gets_a_line_every_ten_seconds) {
    FILE *stream = tmpfile();
    Progress progress = start_at_0(stream, 3, 3);
    assert_false(progress.terminal);
    progress_expect(&progress, 40);
    progress_show(&progress, "a", NULL);
    now = 9.5;
    progress_show(&progress, "a", &(ProgressKnown){.words = "too soon"});
    now = 10;
    progress_done(&progress, 10);
    progress_show(&progress, "b", &(ProgressKnown){.words = "2 ms"});
    progress_note(&progress, "the disk is full");
    now = 40;
    progress_done(&progress, 10);
    progress_done(&progress, 20);
    progress_end(&progress);
    assert_string_equal(written(stream), "[0/3] a (0:00, 0%, 30–50 s left)\n"
                                         "[1/3] b 2 ms (0:10, 25%, 25–40 s left)\n"
                                         "the disk is full\n"
                                         "[3/3] done (0:40)\n");
    fclose(stream);
}

/* Ten seconds later nothing more is done: no number is written twice. */
TEST(a_number_is_written_once) {
    FILE *stream = tmpfile();
    Progress progress = start_at_0(stream, 6, 6);
    static const size_t reports[] = {1, 2, 5, 5, 4, 5, 6, 6};
    for (size_t i = 0; i < sizeof reports / sizeof reports[0]; i++) {
        now += 20;
        progress_steps(&progress, reports[i], "a");
    }
    progress_end(&progress);
    written(stream);
    static const char *const counts[] = {"[1/6] a", "[2/6] a", "[5/6] a", "[6/6] a"};
    const char *at = text;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        assert_memory_equal(at, counts[i], strlen(counts[i]));
        at = strchr(at, '\n') + 1;
    }
    assert_string_equal(at, "");
    fclose(stream);
}

/* 8 threads, 4000 steps each, which report how many there are together. */
TEST(counts_of_threads_only_grow) {
    enum { STEPS = 32000 };
    FILE *stream = tmpfile();
    Progress progress = start_at_0(stream, STEPS, STEPS);
    progress.relayed = true; /* writes the most lines */
    size_t together = 0;
#pragma omp parallel for num_threads(8)
    for (int i = 0; i < STEPS; i++) {
        size_t done;
#pragma omp atomic capture
        done = ++together;
#pragma omp atomic
        now += 0.5;
        progress_steps(&progress, done, "a");
    }
    assert_int_equal(progress.done, STEPS);
    rewind(stream);
    char line[PROGRESS_LINE_SIZE];
    size_t before = 0;
    size_t lines = 0;
    RelayedProgress relayed;
    while (fgets(line, sizeof line, stream) != NULL) {
        assert_true(progress_read(line, &relayed));
        assert_true(relayed.done > before);
        before = relayed.done;
        lines++;
    }
    assert_int_equal(before, STEPS);
    assert_true(lines > 100);
    fclose(stream);
}

TEST(a_terminal_gets_one_line_that_is_cleared) {
    FILE *stream = tmpfile();
    Progress progress = start_at_0(stream, 2, 2);
    progress.terminal = true;
    progress_show(&progress, "oracle of a", NULL);
    now = 0.05;
    progress_show(&progress, "oracle of a", &(ProgressKnown){.words = "too soon"});
    progress_show(&progress, "b", NULL);
    progress_end(&progress);
    assert_string_equal(written(stream), "[0/2] oracle of a (0:00)\r\033[K[0/2] b (0:00)\r\033[K");
    fclose(stream);
}

/* A stream that is no terminal counts as one of 80 columns. In a long line the time spent goes
 * first, then the percent, then the end of the name. Each × and … is a column and two or three
 * bytes. */
TEST(a_long_line_keeps_what_matters) {
    static const struct {
        size_t name;
        ProgressKnown known;
        const char *end;
    } rows[] = {
        {20, {"2 ms", NULL}, " 2 ms (0:00, 0%, 1–2 min left)"},
        {46, {"2 ms", NULL}, " 2 ms (0%, 1–2 min left)"},
        {51, {"2 ms", NULL}, " 2 ms (1–2 min left)"},
        {20, {"2 ms, 3.00× faster", "than seq"}, " faster than seq (0:00, 0%, 1–2 min left)"},
        {70, {"2 ms, 3.00× faster", "than seq"}, "… 2 ms, 3.00× faster (1–2 min left)"},
        {70, {"2 ms, as fast", "as seq"}, "… 2 ms, as fast (1–2 min left)"},
        {70,
         {"2 ms, and so on and on and on and on, on and on, on and on", NULL},
         "… (1–2 min left)"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char name[200] = "";
        for (size_t column = 0; column < rows[i].name; column++) {
            memcpy(name + 2 * column, "é", sizeof "é");
        }
        FILE *stream = tmpfile();
        Progress progress = start_at_0(stream, 2, 2);
        progress_expect(&progress, 100);
        progress.terminal = true;
        progress_show(&progress, name, &rows[i].known);
        written(stream);
        const size_t length = strlen(text);
        assert_true(utf8_width(text, length) <= 79);
        assert_true(length >= strlen(rows[i].end));
        assert_string_equal(text + length - strlen(rows[i].end), rows[i].end);
        fclose(stream);
    }
}

/* A line of 150 columns has wrapped to two rows of a window of 80. */
TEST(a_narrower_window_keeps_no_remains) {
    FILE *stream = tmpfile();
    Progress progress = start_at_0(stream, 2, 2);
    progress.terminal = true;
    progress.line_width = 150;
    progress_show(&progress, "a", NULL);
    assert_string_equal(written(stream), "\r\033[K\033[A\r\033[K[0/2] a (0:00)");
    fclose(stream);
}

/* --- Time left -------------------------------------------------------------------------------- */

/* A minute into six steps of which one and a half are done: 180 s are left. */
TEST(steps_that_are_under_way_count) {
    FILE *stream = tmpfile();
    Progress progress = start_at_0(stream, 7, 6);
    progress_done(&progress, 0); /* taken over: it took no time */
    now = 60;
    progress_done(&progress, 1);
    progress_under_way(&progress, 0.5);
    progress_show(&progress, "c", NULL);
    assert_string_equal(written(stream), "[2/7] c (1:00, 2–4 min left)\n");
    fclose(stream);
}

/* Of 100 steps 40 were done before: 20 in a minute leave 40 for two minutes. */
TEST(steps_of_an_earlier_run_took_no_time) {
    FILE *stream = tmpfile();
    Progress progress = start_at_0(stream, 100, 60);
    progress.done = 40;
    now = 60;
    progress_steps(&progress, 60, "a");
    now = 61;
    progress_steps(&progress, 61, "too soon");
    progress_steps(&progress, 100, "b");
    assert_string_equal(written(stream), "[60/100] a (1:00, 2–3 min left)\n[100/100] b (1:01)\n");
    fclose(stream);
}

/* Seconds left that the last line names; 0: a few. */
static double left_of(const Progress *progress) {
    const double rest = progress->ends - now;
    return rest > 0 ? rest : 0;
}

/* Cells of 10 ms to 100 s whose times are `wrong` times what was predicted, and differ from that by
 * up to 20 %, in an order that begins with the short ones or the long ones. Returns how often the
 * estimate grew, and the largest error at half time. */
static size_t simulate(double wrong, bool short_first, double *error) {
    enum { CELLS = 60, TICKS = 25 };
    FILE *stream = tmpfile();
    Progress progress = start_at_0(stream, CELLS, CELLS);
    double predicted[CELLS], real[CELLS];
    double sum = 0;
    double whole = 0;
    for (int i = 0; i < CELLS; i++) {
        const int rank = short_first ? i : CELLS - 1 - i;
        predicted[i] = 0.01 * pow(10, 4.0 * rank / (CELLS - 1));
        real[i] = predicted[i] * wrong * (1 + 0.2 * ((i * 7) % 11 - 5) / 5);
        sum += predicted[i];
        whole += real[i];
    }
    progress_expect(&progress, sum);
    progress_show(&progress, "start", NULL);
    size_t grown = 0;
    double before = left_of(&progress);
    *error = NAN;
    for (int i = 0; i < CELLS; i++) {
        for (int tick = 1; tick <= TICKS; tick++) {
            now += real[i] / TICKS;
            progress_under_way(&progress, predicted[i] * tick / TICKS);
            progress_show(&progress, "cell", NULL);
            grown += left_of(&progress) > before + 1e-9;
            before = left_of(&progress);
            if (isnan(*error) && now >= whole / 2) {
                *error = left_of(&progress) / (whole - now);
            }
        }
        progress_done(&progress, predicted[i]);
    }
    fclose(stream);
    return grown;
}

TEST(the_time_left_does_not_grow) {
    static const double wrong[] = {0.3, 0.4, 0.5};
    for (size_t i = 0; i < 2 * sizeof wrong / sizeof wrong[0]; i++) {
        double error;
        assert_int_equal(simulate(wrong[i / 2], i % 2 == 0, &error), 0);
        assert_true(error > 0.5 && error < 3);
    }
}

/* As long as predicted on the whole, but not in every part: it is corrected twice at most. */
TEST(a_correction_is_rare) {
    static const double wrong[] = {0.8, 1, 1.2};
    for (size_t i = 0; i < 2 * sizeof wrong / sizeof wrong[0]; i++) {
        double error;
        assert_true(simulate(wrong[i / 2], i % 2 == 0, &error) <= 2);
        assert_true(error > 0.5 && error < 2);
    }
}

/* Off by a lot: it is set right, in a few steps rather than in every line, and then it holds. */
TEST(a_wrong_prediction_is_set_right) {
    for (int first = 0; first < 2; first++) {
        double error;
        const size_t grown = simulate(6, first == 1, &error);
        assert_true(grown >= 1 && grown <= 8);
        assert_true(error > 0.4 && error < 2);
    }
}

/* What a run of launches knows replaces the estimate from the work done. */
TEST(what_is_told_is_shown) {
    FILE *stream = tmpfile();
    Progress progress = start_at_0(stream, 84, 84);
    progress_expect(&progress, 500);
    progress_tell(&progress, 60, 1.5, "first numbers", 12);
    progress_show(&progress, "a", NULL);
    now = 20;
    progress_recount(&progress, 28, 168);
    progress_tell(&progress, 30, 1.2, "2 launches", 3);
    progress_show(&progress, "b", NULL);
    now = 40;
    progress_recount(&progress, 20, 10); /* neither falls */
    progress_tell(&progress, 8, 1.2, "", 0);
    progress_show(&progress, "c", NULL);
    assert_string_equal(written(stream),
                        "[0/84] a (0:00, 0%, first numbers in 8–18 s, 40–90 s left)\n"
                        "[28/168] b (0:20, 40%, 2 launches in a few seconds, 25–35 s left)\n"
                        "[28/28] c (0:40)\n");
    fclose(stream);
}

TEST(what_is_left_out_needs_no_time) {
    FILE *stream = tmpfile();
    Progress progress = start_at_0(stream, 3, 3);
    progress_expect(&progress, 300);
    progress_leave_out(&progress, 200);
    progress_done(&progress, 0);
    progress_show(&progress, "b", NULL);
    assert_string_equal(written(stream), "[1/3] b (0:00, 0%, 1–2 min left)\n");
    fclose(stream);
}

/* --- Relay ------------------------------------------------------------------------------------ */

TEST(a_relayed_line_is_read_again) {
    FILE *stream = tmpfile();
    Progress progress = start_at_0(stream, 38, 38);
    progress.relayed = true;
    progress_expect(&progress, 40);
    progress_done(&progress, 10);
    progress_show(&progress, "lbp/\tsimd", &(ProgressKnown){"2 ms, 3.00× faster", "than seq"});
    written(stream);
    text[strcspn(text, "\n")] = '\0';
    RelayedProgress relayed;
    assert_true(progress_read(text, &relayed));
    assert_int_equal(relayed.done, 1);
    assert_int_equal(relayed.total, 38);
    assert_true(relayed.share == 0.25);
    assert_true(relayed.left > 0);
    assert_string_equal(relayed.name, "lbp/\\x09simd");
    assert_string_equal(relayed.known.words, "2 ms, 3.00× faster");
    assert_string_equal(relayed.known.over, "than seq");
    fclose(stream);
    char other[] = "[1/38] lbp/simd";
    assert_false(progress_read(other, &relayed));
    char cut[] = "\x1e"
                 "1 38";
    assert_false(progress_read(cut, &relayed));
}

/* --- Notes and warnings ----------------------------------------------------------------------- */

TEST(quiet_leaves_notes_only) {
    FILE *stream = tmpfile();
    Progress progress;
    progress_start(&progress, stream, 2, 2, true);
    progress_show(&progress, "a", NULL);
    progress_note(&progress, "careful");
    progress_warning(&progress, NULL, "busy");
    progress_end(&progress);
    warnings_again(stream);
    assert_string_equal(written(stream), "careful\nwarning: busy\n");
    fclose(stream);
}

/* Those of the machine first, each once. */
TEST(warnings_stand_again_after_a_screenful) {
    static const char said[] = "warning: lbp/omp: slow\nwarning: the machine is busy\n";
    FILE *stream = tmpfile();
    Progress progress = start_at_0(stream, 100, 100);
    progress_warning(&progress, "lbp/omp", "slow");
    progress_warning(&progress, NULL, "the machine is busy");
    progress_warning(&progress, "lbp/omp", "slow");
    assert_string_equal(written(stream), said);
    for (int i = 0; i < 12; i++) {
        progress_note(&progress, "a line");
    }
    warnings_again(stream);
    written(stream);
    const char *again = strstr(text, "a line\nwarning: ");
    assert_non_null(again);
    assert_string_equal(again, "a line\nwarning: the machine is busy\nwarning: lbp/omp: slow\n");
    fclose(stream);
    stream = tmpfile();
    warnings_again(stream);
    assert_string_equal(written(stream), "");
    fclose(stream);
}

TEST(warnings_just_above_are_not_repeated) {
    FILE *stream = tmpfile();
    Progress progress = start_at_0(stream, 1, 1);
    progress_warning(&progress, NULL, "the machine is busy");
    progress_done(&progress, 1);
    progress_end(&progress);
    warnings_again(stream);
    assert_string_equal(written(stream), "warning: the machine is busy\n[1/1] done (0:00)\n");
    fclose(stream);
}

TEST(no_stream_is_quiet) {
    Progress progress;
    progress_start(&progress, NULL, 2, 2, false);
    progress_show(&progress, "a", NULL);
    progress_steps(&progress, 1, "b");
    progress_warning(&progress, NULL, "c");
    progress_end(&progress);
    assert_int_equal(progress.done, 1);
}

TEST(what_is_usually_short_is_silent_in_a_file) {
    for (int seconds = 9; seconds <= 10; seconds++) {
        FILE *stream = tmpfile();
        Progress progress = start_at_0(stream, 2, 2);
        progress_be_patient(&progress);
        now = seconds;
        progress_steps(&progress, 1, "a");
        progress_steps(&progress, 2, "b");
        progress_end(&progress);
        assert_int_equal(written(stream)[0] == '\0', seconds == 9);
        fclose(stream);
    }
}

/* At once, then not before the interval, and only as long as all writes take less than 5%. */
TEST(writes_take_a_small_share) {
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
