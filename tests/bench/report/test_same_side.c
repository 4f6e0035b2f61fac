/* The same cells in, the same side out: every view of a pair of cells says what the judge says. */
#include <math.h>
#include <string.h>

#include "builder.h"
#include "claims.h"
#include "command_line.h"
#include "compare_internal.h"
#include "document.h"
#include "history.h"
#include "price.h"
#include "report.h"
#include "report_diff_fixture.h"
#include "results.h"
#include "row_winners.h"
#include "study_internal.h"
#include "table.h"
#include "times.h"
#include "verdict.h"
#include "words.h"

enum { LAUNCHES_MOST = 9, SIDE_LENGTH = 100 };

/* A pair of cells: the time of the second over that of the first in each launch. */
typedef struct Case {
    const char *name;
    double factor, spread; /* of the launches: the last is that many times the first */
    size_t launches;
    SpeedSide side;
} Case;

/* A cell with a sample a launch, or with nine in one. */
static Row launched_row(const char *variant, int side, double milliseconds, double spread,
                        size_t launches) {
    Row row = sample_row(variant);
    row.status = CELL_OK;
    row.verified = row.converged = true;
    row.width = row.height = side;
    snprintf(row.size_name, sizeof row.size_name, "%dx%d", side, side);
    for (size_t i = 0; i < LAUNCHES_MOST; i++) {
        const double place = (double)(4 * i % LAUNCHES_MOST) / LAUNCHES_MOST; /* no trend */
        const double seconds = milliseconds * 1e-3 * pow(spread, place);
        row.kernel.origin.launch = row.end_to_end.origin.launch = (uint32_t)(i % launches);
        if (launches == 1 || i < launches) {
            assert_ok(samples_add(&row.kernel, seconds));
            assert_ok(samples_add(&row.end_to_end, seconds));
        }
    }
    return row;
}

/* === Two cells of one run ===================================================================== */

static StoredRun one_run(const Case *pair) {
    StoredRun run = {.complete = true, .started = "2026-01-02T03:04:05Z"};
    bool open;
    command_line_split("--algo lbp", &run.arguments, &open);
    add(&run, launched_row("seq", SIDE_LENGTH, 10, 1, pair->launches));
    add(&run,
        launched_row("cuda_fast", SIDE_LENGTH, 10 * pair->factor, pair->spread, pair->launches));
    results_derive(&run.results, 1);
    return run;
}

static void check_sentence(const Results *results, SpeedSide side) {
    static const Ink inks[] = {[SIDE_FASTER] = INK_FASTER,
                               [SIDE_SLOWER] = INK_SLOWER,
                               [SIDE_SAME] = INK_PLAIN,
                               [SIDE_UNDECIDED] = INK_PLAIN};
    RunVerdict verdict;
    assert_ok(verdict_of(results, &results->rows[0], &verdict));
    for (size_t i = 0; i < 2; i++) { /* by kernel time and end to end, which are the same */
        assert_int_equal(verdict.sentences[i].ink, inks[side]);
        assert_says(verdict.sentences[i].text, side_word(side, COMPARED_SPEED));
    }
}

/* At equal prices costs are times. */
static void check_cost(const Results *results, SpeedSide side) {
    const Prices prices = {.gpu = 1, .cpu = 1};
    char text[1024];
    for (int kind = COST_KERNEL; kind <= COST_END_TO_END; kind++) {
        cost_sentence(results, &results->rows[0], &prices, (CostKind)kind, text, sizeof text);
        assert_says(text, side_word(side, COMPARED_COST));
    }
}

/* What `reproduce` says of the claims of a run, by the run itself. */
static ClaimList claims_of(const Results *results) {
    ClaimList list = {.count = 0};
    const RunClaims claims = {.claimed = results, .here = results, .same_machine = true};
    assert_ok(run_claims_judge(&claims, &list));
    return list;
}

static void check_claims(const Results *results, SpeedSide side) {
    RELEASED_BY(claims_release) ClaimList list = claims_of(results);
    assert_true(list.count >= 2);
    for (size_t i = 0; i < 2; i++) { /* by kernel time and end to end */
        assert_says(list.items[i].claimed, side_word(side, COMPARED_SPEED));
        assert_string_equal(list.items[i].claimed, list.items[i].here);
    }
}

/* A value of a study's table. */
static StudyValue value_of(const Row *row, const StepRecords *records, const StudyColumn *column) {
    const Summary *summary = &row->kernel_summary;
    return (StudyValue){.column = column,
                        .measured = 1000 * summary->median,
                        .low = 1000 * summary->ci_low,
                        .high = 1000 * summary->ci_high,
                        .records = records,
                        .times = times_from(&row->kernel)};
}

/* The cells are of one step of the study or of two. */
static void check_study(const Row *base, const Row *other, bool two_steps, SpeedSide side) {
    static const StepRecords steps[2];
    const StudyColumn column = {.title = "Time", .unit = study_unit("ms")};
    const StudyValue slow = value_of(base, &steps[0], &column);
    const StudyValue fast = value_of(other, &steps[two_steps], &column);
    assert_int_equal(study_side(&fast, &slow, false), side);
    assert_int_equal(study_side(&slow, &fast, false), side_inverse(side));
}

static void check_page(Report *report, SpeedSide side) {
    char words[NUMBER_WORDS_SIZE];
    const Row *gpu = &report->stored.results.rows[1];
    Ratio ratio = row_won_ratio(gpu, OVER_BEST_CPU, TIME_KERNEL);
    assert_int_equal(ratio_side(&ratio), side);
    ratio.in_run = false; /* which launches it is of stands below the table */
    side_text(side, &ratio, COMPARED_SPEED, words);
    const DocCell *found = cell(find_table(report, "fastest"), 0, "GPU is", "kernel");
    assert_string_equal(found->text, words);
    assert_int_equal(found->kind, CELL_PLAIN);
    const char *ahead =
        cell(find_table(report, "crossover-lbp-on-texture"), 0, NULL, "with copies")->text;
    assert_string_equal(ahead, side == SIDE_FASTER   ? "ahead"
                               : side == SIDE_SLOWER ? "behind"
                                                     : side_word(side, COMPARED_SPEED));
}

/* `stolen`: the share of the first cell's processor that other guests had. */
static void check_views(const Case *pair, double stolen) {
    RELEASED_BY(release) Report report = {.stored = one_run(pair)};
    report.stored.results.rows[0].stolen_share = stolen;
    results_derive(&report.stored.results, 1);
    build(&report);
    check_sentence(&report.stored.results, pair->side);
    check_cost(&report.stored.results, pair->side);
    check_claims(&report.stored.results, pair->side);
    check_study(&report.stored.results.rows[0], &report.stored.results.rows[1], false, pair->side);
    check_page(&report, pair->side);
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
        check_views(&cases[i], NAN);
    }
}

/* Whatever the times say: other guests had the processor of one of them for half of the time. */
TEST(a_disturbed_pair_has_no_side_in_any_view) {
    static const Case cases[] = {{"half", 0.5, 1.01, 6, SIDE_UNDECIDED},
                                 {"double", 2, 1.01, 6, SIDE_UNDECIDED},
                                 {"a per cent", 0.995, 1.01, 6, SIDE_UNDECIDED},
                                 {"half in three launches", 0.5, 1.01, 3, SIDE_UNDECIDED},
                                 {"half in one launch", 0.5, 1.01, 1, SIDE_UNDECIDED}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        print_message("%s\n", cases[i].name);
        check_views(&cases[i], 0.5);
    }
}

/* --- Along the sizes -------------------------------------------------------------------------- */

/* Slower at 10×10, and as the case has it at 100×100. */
static StoredRun run_of_sizes(const Case *pair) {
    StoredRun run = one_run(pair);
    add(&run, launched_row("seq", 10, 1, 1, pair->launches));
    add(&run, launched_row("cuda_fast", 10, 2, 1, pair->launches));
    results_derive(&run.results, 1);
    return run;
}

static bool is_marked(StoredRun *run) {
    const PaperRequest request = {.type = &chart_types[SUBJECT_CROSSOVER],
                                  .measure = PAPER_KERNEL,
                                  .style = {.width = 85,
                                            .font_size = 8,
                                            .formats = FIGURE_SVG,
                                            .x_range = {NAN, NAN},
                                            .y_range = {NAN, NAN}}};
    const ReportRun view = {.stored = run, .name = "run"};
    RELEASED_BY(document_release) Document document;
    PaperFigure figure;
    document_open(&document, "");
    assert_ok(paper_build(&request, &view, 1, &document, &figure));
    const bool marked = find_series(figure.chart, "crossover") != NULL;
    return marked;
}

TEST(a_crossover_is_the_same_in_every_view) {
    static const char *const words[] = {[SIDE_FASTER] = "from 100",
                                        [SIDE_SLOWER] = "at no size",
                                        [SIDE_SAME] = "at none of 2 sizes; as fast at 100",
                                        [SIDE_UNDECIDED] = "at none of 2 sizes; undecided at 100"};
    static const Case cases[] = {{"half", 0.5, 1.01, 6, SIDE_FASTER},
                                 {"double", 2, 1.01, 6, SIDE_SLOWER},
                                 {"a per cent", 0.995, 1.01, 6, SIDE_SAME},
                                 {"far apart", 0.8, 1.6, 6, SIDE_UNDECIDED}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const SpeedSide side = cases[i].side;
        const Prices prices = {.gpu = 1, .cpu = 1};
        char cost[1024];
        RunVerdict verdict;
        RELEASED_BY(release) Report report = {.stored = run_of_sizes(&cases[i])};
        const Results *results = &report.stored.results;
        print_message("%s\n", cases[i].name);
        build(&report);
        assert_ok(verdict_of(results, &results->rows[0], &verdict));
        assert_says(verdict.sentences[0].text, words[side]);
        cost_sentence(results, &results->rows[0], &prices, COST_KERNEL, cost, sizeof cost);
        assert_says(cost, words[side]);
        /* The page has the range behind the words. */
        const char *page = cell(find_table(&report, "crossover"), 0, NULL, "by kernel time")->text;
        assert_memory_equal(page, words[side], strcspn(words[side], ";"));
        assert_says(page, side_is_decided(side) ? "" : strchr(words[side], ';'));
        assert_int_equal(is_marked(&report.stored), side == SIDE_FASTER);
        RELEASED_BY(claims_release) ClaimList list = claims_of(results);
        for (size_t j = 0; j < list.count; j++) {
            if (strstr(list.items[j].text, "against the best CPU") != NULL) {
                assert_says(list.items[j].claimed, words[side]);
            }
        }
    }
}

/* === One cell of two runs ===================================================================== */

static StoredRun other_run(double milliseconds, double spread, size_t launches) {
    StoredRun run = {.complete = true, .started = "2026-01-02T03:04:05Z"};
    bool open;
    command_line_split("--algo lbp", &run.arguments, &open);
    add(&run, launched_row("cuda_fast", SIDE_LENGTH, milliseconds, spread, launches));
    results_derive(&run.results, 1);
    return run;
}

/* The change that `history` finds where five commits have the times of one run and the next five
 * those of the other; undecided without one. */
static SpeedSide changed_in_history(const StoredRun *before, const StoredRun *now) {
    enum { COMMITS = 5 };
    static const char *const names[2 * COMMITS] = {"a1", "a2", "a3", "a4", "a5",
                                                   "b1", "b2", "b3", "b4", "b5"};
    double launches[2][LAUNCHES_MAX];
    HistoryEntry entries[2 * COMMITS];
    RELEASED_BY(history_view_release) HistoryView view;
    const size_t counts[] = {samples_launch_medians(&before->results.rows[0].kernel, launches[0]),
                             samples_launch_medians(&now->results.rows[0].kernel, launches[1])};
    for (size_t i = 0; i < 2 * COMMITS; i++) {
        entries[i] = (HistoryEntry){.run = names[i],
                                    .commit = names[i],
                                    .cell = "cell",
                                    .input_hash = "1",
                                    .mode = "hot",
                                    .when = (double)i,
                                    .launches = launches[i / COMMITS],
                                    .launch_count = counts[i / COMMITS]};
    }
    const MachineHistory history = {
        .machine = "m", .build = "b", .entries = entries, .count = 2 * COMMITS};
    assert_ok(history_view(&history, 0.05, 200, &view));
    assert_int_equal(view.count, 1);
    const HistorySeries *series = &view.series[0];
    const SpeedSide side = series->change_count == 0      ? SIDE_UNDECIDED
                           : series->changes[0].ratio > 1 ? SIDE_SLOWER
                                                          : SIDE_FASTER;
    return side;
}

/* What compare finds. */
static CellJudgement compared(const StoredRun *before, const StoredRun *now) {
    MeasuredRun old_run = {.count = 0}, new_run = {.count = 0};
    Comparison comparison;
    assert_ok(measured_run_of_results(&before->results, &before->machine, &old_run));
    assert_ok(measured_run_of_results(&now->results, &now->machine, &new_run));
    assert_ok(comparison_make(&old_run, &new_run, &judge_criteria, true, &comparison));
    assert_int_equal(comparison.count, 1);
    const CellJudgement judgement = comparison.cells[0].judgement;
    comparison_release(&comparison);
    measured_run_release(&old_run);
    measured_run_release(&new_run);
    return judgement;
}

/* Builds the page of both runs, whose cell has the words of what compare finds: `words`. */
static void check_page_cell(Report *report, const CellJudgement *judgement,
                            char words[NUMBER_WORDS_SIZE]) {
    const ReportRun runs[] = {{.stored = &report->stored, .name = "old"},
                              {.stored = &report->other, .name = "new"}};
    document_open(&report->document, "Old and new");
    report_build(runs, 2, &report->document);
    assert_ok(document_status(&report->document));
    difference_words(&judgement->difference, words);
    const DocTable *table = find_table(report, "diff-lbp-texture-cells");
    assert_string_equal(cell(table, 0, "kernel", "B is")->text, words);
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
        RELEASED_BY(release)
        Report report = {.stored = other_run(10, pair->spread, pair->launches),
                         .other = other_run(10 * pair->factor, pair->spread, pair->launches)};
        const CellJudgement judgement = compared(&report.stored, &report.other);
        assert_int_equal(judgement.change, changes[pair->side]);
        assert_int_equal(judgement.difference.side, pair->side);
        /* A study decides no exit code and has no threshold: of times within 5% it may say more. */
        if (pair->side != SIDE_SAME) {
            check_study(&report.stored.results.rows[0], &report.other.results.rows[0], true,
                        pair->side);
        }
        char words[NUMBER_WORDS_SIZE];
        check_page_cell(&report, &judgement, words);
        assert_says(words, side_word(pair->side, COMPARED_SPEED));
        const DocTable *table = find_table(&report, "diff-first");
        assert_string_equal(cell(table, 0, NULL, "kernel only")->text, words);
        const Ratio speeds = difference_speeds(&judgement.difference);
        char brief[NUMBER_WORDS_SIZE];
        side_brief(pair->side, &speeds, brief);
        const ReportRun runs[] = {{.stored = &report.stored, .name = "old"},
                                  {.stored = &report.other, .name = "new"}};
        assert_says(report_finding(runs, 2, &report.document),
                    document_text(&report.document, " is %s %s ", brief, side_joint(pair->side)));
        const char *most = cell(find_table(&report, "diff-winner"), 0, NULL, "kernel")->text;
        assert_says(most, pair->side == SIDE_FASTER   ? "at the one size"
                          : pair->side == SIDE_SLOWER ? "not at the one size"
                                                      : side_word(pair->side, COMPARED_SPEED));
        /* More commits than two runs show more, but never the other side. */
        const SpeedSide history = changed_in_history(&report.stored, &report.other);
        assert_true(side_is_decided(pair->side) ? history == pair->side
                                                : history != SIDE_SLOWER || pair->factor > 1);
    }
}

/* Other guests had half of the new run's processor: it may be no slower, but it is faster if it is
 * so all the same, and slower where they cannot have made it so. A study gives it no side. */
TEST(a_disturbed_cell_of_two_runs_has_the_same_side_in_both_views) {
    static const Case cases[] = {{"half", 0.5, 1.01, 9, SIDE_FASTER},
                                 {"a per cent", 0.995, 1.01, 9, SIDE_UNDECIDED},
                                 {"half as long again", 1.5, 1.01, 9, SIDE_UNDECIDED},
                                 {"double", 2, 1.01, 9, SIDE_UNDECIDED},
                                 {"five times", 5, 1.01, 9, SIDE_SLOWER}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const Case *pair = &cases[i];
        print_message("%s\n", pair->name);
        RELEASED_BY(release)
        Report report = {.stored = other_run(10, pair->spread, pair->launches),
                         .other = other_run(10 * pair->factor, pair->spread, pair->launches)};
        report.other.results.rows[0].stolen_share = 0.5;
        results_derive(&report.other.results, 1);
        const CellJudgement judgement = compared(&report.stored, &report.other);
        assert_int_equal(judgement.difference.side, pair->side);
        check_study(&report.stored.results.rows[0], &report.other.results.rows[0], true,
                    SIDE_UNDECIDED);
        char words[NUMBER_WORDS_SIZE];
        check_page_cell(&report, &judgement, words);
        const bool reason = strstr(words, disturber_clause(DISTURBER_GUESTS)) != NULL;
        assert_true(reason == (pair->side == SIDE_UNDECIDED));
    }
}

/* Six launches a side decide one cell, but not five together: the fastest is one of those five. */
TEST(the_fastest_of_two_runs_have_the_side_of_their_cell) {
    static const char *const variants[] = {"seq", "simd", "omp", "cuda_naive", "cuda_fast"};
    enum { CELLS = sizeof variants / sizeof variants[0], LAUNCHES = 6 };
    RELEASED_BY(release)
    Report report = {.stored = {.complete = true, .started = "2026-01-02T03:04:05Z"},
                     .other = {.complete = true, .started = "2026-01-02T03:04:05Z"}};
    StoredRun *const both[] = {&report.stored, &report.other};
    for (size_t run = 0; run < 2; run++) {
        bool open;
        command_line_split("--algo lbp", &both[run]->arguments, &open);
        for (size_t i = 0; i < CELLS; i++) {
            const double milliseconds = 100.0 / (double)(i + 1) / (double)(run + 1);
            add(both[run], launched_row(variants[i], SIDE_LENGTH, milliseconds, 1.01, LAUNCHES));
        }
        results_derive(&both[run]->results, 1);
    }
    const ReportRun runs[] = {{.stored = &report.stored, .name = "old"},
                              {.stored = &report.other, .name = "new"}};
    document_open(&report.document, "Old and new");
    report_build(runs, 2, &report.document);
    assert_ok(document_status(&report.document));
    const char *of_cell =
        cell(find_table(&report, "diff-lbp-texture-cells"), CELLS - 1, "kernel", "B is")->text;
    assert_says(of_cell, side_word(SIDE_UNDECIDED, COMPARED_SPEED));
    const DocTable *first = find_table(&report, "diff-first");
    assert_string_equal(cell(first, 0, NULL, "kernel only")->text, of_cell);
    assert_says(report_finding(runs, 2, &report.document), of_cell);
}
