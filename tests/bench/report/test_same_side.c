/* The same cells in, the same side out: every view of a pair of cells says what the judge says. */
#include <math.h>
#include <string.h>

#include "compare_internal.h"
#include "price.h"
#include "report_diff_fixture.h"
#include "verdict.h"

enum { LAUNCHES_MOST = 9 };

/* A pair of cells: the time of the second over that of the first in each launch. */
typedef struct Case {
    const char *name;
    double factor, spread; /* of the launches: the last is that many times the first */
    size_t launches;
    SpeedSide side;
} Case;

/* A cell with a sample a launch, or with nine in one. */
static Row launched_row(const char *variant, double milliseconds, double spread, size_t launches) {
    Row row = sample_row(variant);
    row.status = CELL_OK;
    row.verified = row.converged = true;
    for (size_t i = 0; i < LAUNCHES_MOST; i++) {
        const double place = (double)(4 * i % LAUNCHES_MOST) / LAUNCHES_MOST; /* no trend */
        const double seconds = milliseconds * 1e-3 * pow(spread, place);
        row.kernel.origin.launch = row.end_to_end.origin.launch = (uint32_t)(i % launches);
        if (launches == 1 || i < launches) {
            assert_int_equal(samples_add(&row.kernel, seconds).code, STATUS_OK);
            assert_int_equal(samples_add(&row.end_to_end, seconds).code, STATUS_OK);
        }
    }
    return row;
}

/* === Two cells of one run ===================================================================== */

static StoredRun one_run(const Case *pair) {
    StoredRun run = {.complete = true, .started = "2026-01-02T03:04:05Z"};
    bool open;
    command_line_split("--algo lbp", &run.arguments, &open);
    add(&run, launched_row("seq", 10, 1, pair->launches));
    add(&run, launched_row("cuda_fast", 10 * pair->factor, pair->spread, pair->launches));
    results_derive(&run.results, 1);
    return run;
}

static void check_sentence(const Results *results, SpeedSide side) {
    static const Ink inks[] = {[SIDE_FASTER] = INK_FASTER,
                               [SIDE_SLOWER] = INK_SLOWER,
                               [SIDE_SAME] = INK_PLAIN,
                               [SIDE_UNDECIDED] = INK_PLAIN};
    RunVerdict verdict;
    assert_int_equal(verdict_of(results, &results->rows[0], &verdict).code, STATUS_OK);
    for (size_t i = 0; i < 2; i++) { /* by kernel time and end to end, which are the same */
        assert_int_equal(verdict.sentences[i].ink, inks[side]);
        assert_non_null(strstr(verdict.sentences[i].text, side_word(side, COMPARED_SPEED)));
    }
}

/* At equal prices costs are times. */
static void check_cost(const Results *results, SpeedSide side) {
    const Prices prices = {.gpu = 1, .cpu = 1};
    char text[1024];
    for (int kind = COST_KERNEL; kind <= COST_END_TO_END; kind++) {
        cost_sentence(results, &results->rows[0], &prices, (CostKind)kind, text, sizeof text);
        assert_non_null(strstr(text, side_word(side, COMPARED_COST)));
    }
}

static void check_page(Report *report, SpeedSide side) {
    char words[NUMBER_WORDS_SIZE];
    const Row *gpu = &report->stored.results.rows[1];
    const Ratio ratio = row_won_ratio(gpu, OVER_BEST_CPU, TIME_KERNEL);
    assert_int_equal(ratio_side(&ratio), side);
    side_text(side, &ratio, COMPARED_SPEED, words);
    const DocCell *found = cell(find_table(report, "summary"), 0, "GPU is", "kernel");
    assert_string_equal(found->text, words);
    assert_int_equal(found->kind, side == SIDE_SLOWER ? CELL_BAD : CELL_PLAIN);
    const char *ahead =
        cell(find_table(report, "crossover-lbp-on-texture"), 0, NULL, "end to end")->text;
    assert_string_equal(ahead, side == SIDE_FASTER   ? "ahead"
                               : side == SIDE_SLOWER ? "behind"
                                                     : "undecided");
}

TEST(a_pair_of_one_run_has_the_same_side_in_every_view) {
    static const Case cases[] = {{"half", 0.5, 1.01, 6, SIDE_FASTER},
                                 {"double", 2, 1.01, 6, SIDE_SLOWER},
                                 {"a per cent", 0.995, 1.01, 6, SIDE_SAME},
                                 {"far apart", 0.8, 1.6, 6, SIDE_UNDECIDED},
                                 {"double in one launch", 2, 1.01, 1, SIDE_SLOWER},
                                 {"far apart in one launch", 0.8, 1.6, 1, SIDE_UNDECIDED}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        print_message("%s\n", cases[i].name);
        Report report = {.stored = one_run(&cases[i])};
        build(&report);
        check_sentence(&report.stored.results, cases[i].side);
        check_cost(&report.stored.results, cases[i].side);
        check_page(&report, cases[i].side);
        release(&report);
    }
}

/* === One cell of two runs ===================================================================== */

static StoredRun other_run(double milliseconds, double spread, size_t launches) {
    StoredRun run = {.complete = true, .started = "2026-01-02T03:04:05Z"};
    bool open;
    command_line_split("--algo lbp", &run.arguments, &open);
    add(&run, launched_row("cuda_fast", milliseconds, spread, launches));
    results_derive(&run.results, 1);
    return run;
}

/* What compare finds. */
static CellJudgement compared(const StoredRun *before, const StoredRun *now) {
    MeasuredRun old_run = {.count = 0}, new_run = {.count = 0};
    Comparison comparison;
    assert_int_equal(measured_run_of_results(&before->results, &before->machine, &old_run).code,
                     STATUS_OK);
    assert_int_equal(measured_run_of_results(&now->results, &now->machine, &new_run).code,
                     STATUS_OK);
    assert_int_equal(comparison_make(&old_run, &new_run, &judge_criteria, true, &comparison).code,
                     STATUS_OK);
    assert_int_equal(comparison.count, 1);
    const CellJudgement judgement = comparison.cells[0].judgement;
    comparison_release(&comparison);
    measured_run_release(&old_run);
    measured_run_release(&new_run);
    return judgement;
}

TEST(a_cell_of_two_runs_has_the_same_side_in_every_view) {
    static const CellChange changes[] = {[SIDE_SAME] = CHANGE_SAME,
                                         [SIDE_FASTER] = CHANGE_FASTER,
                                         [SIDE_SLOWER] = CHANGE_SLOWER,
                                         [SIDE_UNDECIDED] = CHANGE_UNDECIDED};
    static const Case cases[] = {{"half", 0.5, 1.01, 9, SIDE_FASTER},
                                 {"double", 2, 1.01, 9, SIDE_SLOWER},
                                 {"a per cent", 0.995, 1.01, 9, SIDE_SAME},
                                 {"far apart", 0.9, 1.6, 9, SIDE_UNDECIDED},
                                 {"double of two launches", 2, 1.01, 2, SIDE_UNDECIDED},
                                 {"double of one launch", 2, 1.01, 1, SIDE_UNDECIDED}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const Case *pair = &cases[i];
        print_message("%s\n", pair->name);
        Report report = {.stored = other_run(10, pair->spread, pair->launches),
                         .other = other_run(10 * pair->factor, pair->spread, pair->launches)};
        const CellJudgement judgement = compared(&report.stored, &report.other);
        assert_int_equal(judgement.change, changes[pair->side]);
        assert_int_equal(judgement.difference.side, pair->side);
        const ReportRun runs[] = {{.stored = &report.stored, .name = "old"},
                                  {.stored = &report.other, .name = "new"}};
        document_open(&report.document, "Old and new");
        report_build(runs, 2, &report.document);
        assert_int_equal(document_status(&report.document).code, STATUS_OK);
        char words[NUMBER_WORDS_SIZE];
        difference_words(&judgement.difference, words);
        const DocTable *table = find_table(&report, "diff-lbp-texture-cells");
        assert_string_equal(cell(table, 0, "kernel", "B is")->text, words);
        assert_non_null(strstr(words, side_word(pair->side, COMPARED_SPEED)));
        release(&report);
    }
}
