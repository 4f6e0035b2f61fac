/* Progress as a person sees it: on terminals of several widths, and in a pipe. */
#include "program.h"
#include "test.h"

EACH_TEST(folder_enter, folder_leave);

#define CELLS "--algo lbp --sizes 256x256 --variants seq,simd --no-plot --no-roof "
/* No interval is ever that narrow: the cells take all of their time. */
#define SLOW CELLS "--ci-width 0.000000001 --max-time 1200ms "
#define MANY                                                                                       \
    "--algo lbp --sizes 16x16,24x24,32x32,40x40,48x48,56x56,64x64,72x72 --variants seq,simd,omp "  \
    "--threads 1 --reps 3 --no-plot --no-roof "

static const int widths[] = {60, 80, 100, 160};

enum { WIDTHS = sizeof widths / sizeof widths[0] };

/* Lines of progress, drawn over each other or not; and the widest of them. */
typedef struct Drawn {
    size_t count, widest;
} Drawn;

/* UTF-8: one column a character, which no continuation byte begins. */
static size_t columns_of(const char *text, size_t bytes) {
    size_t columns = 0;
    for (size_t i = 0; i < bytes; i++) {
        columns += ((unsigned char)text[i] & 0xC0) != 0x80;
    }
    return columns;
}

/* Between carriage returns, escapes and line ends; those of progress begin with "[". */
static Drawn drawn_of(const char *text) {
    Drawn drawn = {.count = 0};
    for (const char *at = text; *at != '\0';) {
        const size_t length = strcspn(at, "\r\n\033");
        if (length > 2 && at[0] == '[' && at[1] >= '0' && at[1] <= '9') {
            const size_t columns = columns_of(at, length);
            drawn.widest = columns > drawn.widest ? columns : drawn.widest;
            drawn.count++;
        }
        at += length;
        if (strncmp(at, "\033[", 2) == 0) {
            at += 2 + strspn(at + 2, "0123456789;");
        }
        at += *at != '\0';
    }
    return drawn;
}

/* Numbers before the slash of each line, which only grow. */
static void check_counts_grow(const char *text) {
    long before = 0;
    for (const char *at = text; (at = strchr(at, '[')) != NULL; at++) {
        char *end;
        const long count = strtol(at + 1, &end, 10);
        if (end > at + 1 && *end == '/') {
            assert_true(count >= before);
            before = count;
        }
    }
}

TEST(a_line_is_no_wider_than_the_window) {
    for (int i = 0; i < WIDTHS; i++) {
        Outcome outcome = bench_on_terminal(widths[i], SLOW "--out run%d", i);
        check_code(&outcome, 0);
        const Drawn drawn = drawn_of(outcome.out);
        assert_true(drawn.count >= 4);
        assert_true(drawn.widest < (size_t)widths[i]);
        check_counts_grow(outcome.out);
        check_contains(outcome.out, "[0/2] oracle of lbp on texture 256x256 (");
        check_contains(outcome.out, widths[i] > 80 ? " than seq (" : "er (");
        check_contains(outcome.out, " left)");
        /* The last one is gone. */
        const char *table = strstr(outcome.out, "256x256  ");
        assert_non_null(table);
        assert_int_equal(drawn_of(table).count, 0);
    }
}

TEST(all_launches_share_a_line) {
    for (int i = 0; i < WIDTHS; i++) {
        Outcome outcome =
            bench_on_terminal(widths[i], CELLS "--reps 8 --launches 2 --out run%d", i);
        check_code(&outcome, 0);
        assert_true(drawn_of(outcome.out).widest < (size_t)widths[i]);
        check_counts_grow(outcome.out);
        check_contains(outcome.out, "[0/4] launch 1 of 2 (");
        check_contains(outcome.out, "] launch 1 of 2: ");
        check_contains(outcome.out, "[2/4] launch 2 of 2 (");
        assert_null(strstr(outcome.out, "[0/2]"));
    }
}

/* One a tenth of a minute at most, whatever the number of cells, besides the first and the last. */
TEST(a_pipe_gets_few_lines) {
    Outcome outcome = bench_ok(MANY "--out run");
    const size_t count = drawn_of(outcome.err).count;
    assert_true(count >= 2 && count < 12);
    check_counts_grow(outcome.err);
    check_contains(outcome.err, "[0/24] ");
    check_contains(outcome.err, "[24/24] done (0:");
    assert_null(strchr(outcome.err, '\r'));
    assert_null(strchr(outcome.err, '\033'));
}

TEST(quiet_draws_nothing) {
    Outcome outcome = bench_on_terminal(80, CELLS "--reps 3 --quiet --all --out run");
    check_code(&outcome, 0);
    assert_int_equal(drawn_of(outcome.out).count, 0);
    assert_null(strstr(outcome.out, "warning: "));
}

/* Printed before the run; the summary counts them. */
TEST(warnings_are_said_once_and_counted) {
    Outcome outcome = bench_on_terminal(100, CELLS "--reps 3 --out run");
    check_code(&outcome, 0);
    size_t count[2] = {0, 0};
    const char *table = strstr(outcome.out, "256x256  ");
    assert_non_null(table);
    for (const char *at = outcome.out; (at = strstr(at, "warning: ")) != NULL; at++) {
        count[at > table]++;
    }
    assert_int_equal(count[1], 0);
    if (count[0] > 0) {
        check_contains(strstr(table, "Noise: "), "warning");
    }
}

TEST(a_dry_run_begins_with_the_time_of_all_launches) {
    Outcome outcome = bench_ok(CELLS "--dry-run");
    assert_int_equal(strncmp(outcome.out, "expected time: about ", 21), 0);
    check_contains(outcome.out, "\n2 cells\n");
    check_contains(outcome.out, "The estimate rests on the CPU variants, run now");
    check_contains(outcome.out, ", up to 12 launches of about ");
    check_contains(outcome.out, " one run "); /* how much is sampled the budget says */
    check_contains(outcome.out, " about ");
    assert_null(strstr(outcome.out, "10 s of"));
    assert_string_equal(outcome.err, "");
    check_prints(bench(CELLS "--launches 64 --dry-run"), 0, ", 64 launches of about ");
    check_prints(bench(CELLS "--budget 1ms --dry-run"), 0,
                 ", as 3 launches take more than the budget\n");
    assert_int_equal(count_files("/results.json"), 0);
}

TEST(a_study_shows_its_step) {
    static const char study[] = "study two\ntitle \"Two\"\n"
                                "step one run\n  --algo lbp\n  --sizes 64x48\n  --variants seq\n"
                                "  --reps 9\n  --no-roof\n"
                                "step again run\n  --algo lbp\n  --sizes 32x24\n  --variants seq\n"
                                "  --reps 9\n  --no-roof\n";
    write_file("study.txt", study, sizeof study - 1);
    write_file("published.csv", "", 0);
    setenv("BENCH_PYTHON", "/no/python", 1); /* whatever libraries are installed */
    /* A dry run times nothing: it knows what has run here before. */
    check_prints(bench("study . --dry-run --quick --out o"), 0,
                 "\nexpected time: not known\nNothing was started. ");
    Outcome outcome = bench_on_terminal(80, "study . --quick --out o");
    check_code(&outcome, 0);
    assert_true(drawn_of(outcome.out).widest < 80);
    check_counts_grow(outcome.out);
    check_contains(outcome.out, "[0/2] one (");
    check_contains(outcome.out, "[1/2] again (");
    assert_null(strchr(outcome.out, 0x1E));
    check_prints(bench("study . --dry-run --quick --out o"), 0, "\nexpected time: about 0:0",
                 "\nThat is what the same steps took in this folder before.\n");
    char *log = read_text("o/runs/one/log.txt");
    assert_null(strchr(log, 0x1E));
}
