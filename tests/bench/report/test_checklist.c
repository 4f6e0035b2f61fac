/* The reviewers' checklist: each answer follows from the rows, so each is turned by a run that says
 * otherwise. */
#include "command_line.h"
#include "document.h"
#include "registry.h"
#include "report.h"
#include "report_diff_fixture.h"
#include "stored_run.h"
#include "test.h"

enum { LAUNCHES = 6 };

/* --- A run to which every answer is yes ------------------------------------------------------- */

/* Six launches around `milliseconds`. */
static Row six_launches(const char *variant, int side, int threads, double milliseconds) {
    Row row = timed_row(variant, side, milliseconds);
    row.kernel.count = row.end_to_end.count = 0;
    for (uint32_t launch = 0; launch < LAUNCHES; launch++) {
        row.kernel.origin.launch = row.end_to_end.origin.launch = launch;
        const double seconds = 1e-3 * milliseconds * (1 + 0.001 * launch);
        assert_ok(samples_add(&row.kernel, seconds));
        assert_ok(samples_add(&row.end_to_end, 2 * seconds));
    }
    assert_ok(summarize(&row.kernel, &row.kernel_summary));
    assert_ok(summarize(&row.end_to_end, &row.end_to_end_summary));
    row.threads = threads;
    row.agreement = 1;
    row.cold = true;
    row.cost = (Cost){.bytes = 1, .operations = 1, .items = 1};
    snprintf(row.bound, sizeof row.bound, "dram");
    return row;
}

static void set_arguments(StoredRun *run, const char *line) {
    bool open;
    argument_list_release(&run->arguments);
    assert_ok(command_line_split(line, &run->arguments, &open));
}

static void add_number(Machine *machine, const char *key, double number) {
    Fact *fact = &machine->facts[machine->count++];
    *fact = (Fact){.kind = FACT_NUMBER, .number = number};
    snprintf(fact->key, sizeof fact->key, "%s", key);
}

static StoredRun good_run(void) {
    static const char *const facts[] = {"cpu_model",  "kernel",        "c_compiler",
                                        "c_flags",    "commit",        "gpu_model",
                                        "gpu_driver", "cuda_compiler", "cuda_architectures"};
    static const int sides[] = {10, 20, 40};
    StoredRun run = {.complete = true, .elapsed = NAN};
    set_arguments(&run, "run --algo lbp --input a.png --launches 6");
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
        add_fact(&run.machine, facts[i], "known");
    }
    add_number(&run.machine, "cpu_count", 4);
    add_number(&run.machine, "memory_bytes", 1 << 30);
    for (size_t i = 0; i < 3; i++) {
        add(&run, six_launches("seq", sides[i], 1, 40));
        add(&run, six_launches("omp", sides[i], 4, 10));
        add(&run, six_launches("cuda_fast", sides[i], 0, 1));
    }
    results_derive(&run.results, 1);
    for (size_t i = 0; i < run.results.count; i++) {
        run.results.rows[i].roof_fraction = 0.5;
        run.results.rows[i].multimodal = false;
    }
    return run;
}

/* --- Asking ----------------------------------------------------------------------------------- */

static const char *const questions[] = {
    "Is the base of every speedup named?",
    "Does a speedup over one plain thread stand beside one over the best CPU?",
    "Is there a CPU side that is vectorised and uses all processors?",
    "Do GPU times include the transfers?",
    "Are the answers of both sides equal, in the same precision?",
    "Are all cells shown, or those left out named?",
    "Is more than one size measured?",
    "Are the inputs real?",
    "Are there times with cold caches?",
    "Do intervals say what another launch would measure?",
    "Do intervals tell GPU and CPU apart?",
    "Is a median a fair summary of the samples?",
    "Were compared cells sampled in turns?",
    "Are times compared with a measured ceiling?",
    "Are machine and build documented?",
    "Was the machine undisturbed?",
};

enum { QUESTIONS = sizeof questions / sizeof questions[0] };

/* Checks one answer and, where it is not NULL, words of the evidence. Releases the run. */
static void check_answer(StoredRun run, const char *question, const char *answer,
                         const char *evidence) {
    const ReportRun of = {.stored = &run, .name = "it"};
    Document document;
    document_open(&document, "list");
    checklist_add(&of, 1, &document);
    assert_ok(document_status(&document));
    const DocTable *table = document.blocks[0].table;
    assert_int_equal(table->row_count, QUESTIONS);
    bool found = false;
    for (size_t row = 0; row < table->row_count; row++) {
        if (strcmp(table_text_at(table, row, 0), question) == 0) {
            found = true;
            const char *said = table_text_at(table, row, 1);
            const char *why = table_text_at(table, row, 2);
            if (strcmp(said, answer) != 0 || (evidence != NULL && strstr(why, evidence) == NULL)) {
                fail_msg("%s %s (%s), not %s (%s)", question, said, why, answer,
                         evidence != NULL ? evidence : "");
            }
        }
    }
    assert_true(found);
    document_release(&document);
    stored_run_release(&run);
}

#define ROW(i) (&run.results.rows[i])
#define EACH_ROW(...)                                                                              \
    for (size_t i = 0; i < run.results.count; i++) {                                               \
        Row *row = &run.results.rows[i];                                                           \
        __VA_ARGS__;                                                                               \
    }

TEST(a_good_run_is_answered_with_yes) {
    for (size_t i = 0; i < QUESTIONS; i++) {
        check_answer(good_run(), questions[i], "yes", NULL);
    }
}

TEST(bases_and_best_cpu) {
    StoredRun run = good_run();
    ROW(2)->base[0] = '\0';
    check_answer(run, questions[0], "partly", "8 of 9");
    run = good_run();
    EACH_ROW(row->base[0] = '\0');
    check_answer(run, questions[0], "no", "0 of 9");
    run = good_run();
    ROW(2)->speedup_vs_best_cpu = NAN;
    check_answer(run, questions[1], "partly", "8 of 9");
    run = good_run();
    EACH_ROW(row->speedup_vs_best_cpu = NAN);
    check_answer(run, questions[1], "no", "0 of 9");
}

TEST(the_cpu_side) {
    StoredRun run = good_run();
    ROW(1)->threads = 2; /* of 4 */
    check_answer(run, questions[2], "partly", "2 of 3; up to 4 of 4 threads");
    run = good_run();
    EACH_ROW(row->threads = row->threads > 1 ? 2 : row->threads);
    check_answer(run, questions[2], "no", "0 of 3; up to 2 of 4 threads");
    run = good_run(); /* as many threads, no vectors */
    EACH_ROW(if (row->threads == 4) {
        row->variant = registry_find_variant(row->algorithm, "omp_seq");
    });
    check_answer(run, questions[2], "no", "0 of 3");
    run = good_run(); /* its name says nothing */
    Variant plain = *ROW(1)->variant, vectorized = plain;
    plain.name = "simd";
    plain.improves_on = vectorized.improves_on = NULL;
    vectorized.vectorized = true;
    EACH_ROW(if (row->threads == 4) { row->variant = row->width == 10 ? &vectorized : &plain; });
    check_answer(run, questions[2], "partly", "1 of 3");
    run = good_run();
    run.machine.facts[9].key[0] = '\0';
    check_answer(run, questions[2], "partly", "of how many is not stored");
    run = good_run(); /* without a GPU the CPU side is asked itself */
    EACH_ROW(if (row->threads == 0) { row->status = CELL_SKIP; });
    check_answer(run, questions[2], "yes",
                 "CPU rows with vector code on all processors beside "
                 "them: 6 of 6");
}

TEST(times_end_to_end) {
    StoredRun run = good_run();
    ROW(2)->end_to_end_summary.median = NAN;
    check_answer(run, questions[3], "partly", "2 of 3");
    run = good_run();
    EACH_ROW(row->end_to_end_summary.median = NAN);
    check_answer(run, questions[3], "no", "0 of 3");
    run = good_run();
    EACH_ROW(if (row->threads == 0) { row->status = CELL_FAIL; });
    check_answer(run, questions[3], "not asked", "0 of 0");
}

TEST(answers) {
    StoredRun run = good_run();
    ROW(2)->agreement = 0.99;
    check_answer(run, questions[4], "partly", "equal in all elements: 8");
    run = good_run();
    ROW(2)->verified = false;
    check_answer(run, questions[4], "no", "8 of 9");
    run = good_run();
    ROW(2)->status = CELL_FAIL;
    check_answer(run, questions[4], "partly", "failed cells: 1");
}

TEST(what_was_left_out) {
    StoredRun run = good_run();
    ROW(2)->status = CELL_SKIP;
    check_answer(run, questions[5], "partly", "without a reason: 1");
    run = good_run();
    ROW(2)->status = CELL_SKIP;
    snprintf(ROW(2)->why, sizeof ROW(2)->why, "no CUDA device");
    check_answer(run, questions[5], "yes", "skipped: 1");
    run = good_run();
    set_arguments(&run, "run --algo lbp --variants seq,omp");
    check_answer(run, questions[5], "partly", "the run chose variants: seq,omp");
    run = good_run();
    set_arguments(&run, "run --algo lbp --variants all");
    check_answer(run, questions[5], "yes", NULL);
    run = good_run();
    run.share = (Share){.index = 1, .count = 4};
    check_answer(run, questions[5], "partly", "share 1 of 4");
    run = good_run();
    run.complete = false;
    check_answer(run, questions[5], "no", "was cut off");
}

TEST(sizes_inputs_and_caches) {
    StoredRun run = good_run();
    EACH_ROW(row->width = row->height = 10);
    check_answer(run, questions[6], "no", "fewer: lbp");
    run = good_run();
    set_arguments(&run, "run --algo lbp --synthetic noise");
    check_answer(run, questions[7], "no", "0 of 9, the others synthetic");
    run = good_run();
    EACH_ROW(row->cold = false);
    check_answer(run, questions[8], "no", "0 of 9");
    run = good_run();
    ROW(0)->cold = false;
    check_answer(run, questions[8], "partly", "8 of 9");
}

TEST(intervals) {
    StoredRun run = good_run();
    ROW(0)->kernel_summary.launches = 3;
    check_answer(run, questions[9], "partly", "8 of 9");
    run = good_run();
    EACH_ROW(row->kernel_summary.launches = 3);
    check_answer(run, questions[9], "partly", "least to greatest of 3 launches");
    run = good_run();
    EACH_ROW(row->kernel_summary.launches = 1);
    check_answer(run, questions[9], "no", "95% in this run");
    run = good_run();
    ROW(2)->speedup_vs_best_cpu_ci_low = ROW(2)->won_kernel.low = 0.9;
    check_answer(run, questions[10], "partly", "2 of 3");
    run = good_run();
    EACH_ROW(row->speedup_vs_best_cpu_ci_low = row->won_kernel.low = NAN);
    check_answer(run, questions[10], "no", "0 of 3");
    run = good_run();
    ROW(0)->multimodal = true;
    check_answer(run, questions[11], "partly", "1 of 9");
    run = good_run();
    EACH_ROW(row->multimodal = true);
    check_answer(run, questions[11], "no", "9 of 9");
    run = good_run();
    set_arguments(&run, "run --algo lbp --no-interleave");
    check_answer(run, questions[12], "no", "0 of 1");
}

TEST(ceilings) {
    StoredRun run = good_run();
    ROW(0)->roof_fraction = NAN;
    check_answer(run, questions[13], "partly", "8 of 9; over it: 0");
    run = good_run();
    ROW(0)->over_roof = true;
    check_answer(run, questions[13], "partly", "9 of 9; over it: 1");
    run = good_run();
    EACH_ROW(row->roof_fraction = NAN);
    check_answer(run, questions[13], "no", "0 of 9");
}

TEST(machine) {
    StoredRun run = good_run();
    run.machine.facts[4].text[0] = '\0'; /* the commit */
    check_answer(run, questions[14], "partly", "10 of 11; not stored: commit");
    run = good_run();
    add_fact(&run.machine, "dirty", "yes");
    check_answer(run, questions[14], "partly", "in no commit: 1");
    run = good_run();
    run.machine.count = 0;
    check_answer(run, questions[14], "no", "0 of 11");
    static const size_t marks[] = {offsetof(Row, starved), offsetof(Row, slow_phase),
                                   offsetof(Row, stolen), offsetof(Row, throttled)};
    for (size_t i = 0; i < 4; i++) {
        run = good_run();
        *(bool *)((char *)ROW(0) + marks[i]) = true;
        check_answer(run, questions[15], "partly", "8 of 9");
    }
    run = good_run();
    EACH_ROW(row->starved = true);
    check_answer(run, questions[15], "no", "starved: 9");
    run = good_run();
    add_fact(&run.machine, "virtual_machine", "yes");
    check_answer(run, questions[15], "partly", "warnings about the machine: 1");
}

/* Two runs of two sizes each have four together. */
TEST(several_runs_are_asked_together) {
    StoredRun first = good_run(), second = good_run();
    for (size_t i = 0; i < first.results.count; i++) {
        Row *row = &first.results.rows[i];
        row->width = row->height = row->width == 10 ? 10 : 20;
        row = &second.results.rows[i];
        row->width = row->height = row->width == 10 ? 30 : 40;
    }
    const ReportRun of[] = {{.stored = &first, .name = "a"}, {.stored = &second, .name = "b"}};
    Document document;
    document_open(&document, "list");
    checklist_add(of, 2, &document);
    const DocTable *table = document.blocks[0].table;
    assert_string_equal(table_text_at(table, 6, 1), "yes");
    assert_says(table_text_at(table, 0, 2), "18 of 18");
    document_release(&document);
    stored_run_release(&first);
    stored_run_release(&second);
}

/* The roof's own rows are no evidence, and a run without any has nothing to answer. */
TEST(copies_do_not_count) {
    StoredRun run = good_run();
    Algorithm roof = *ROW(0)->algorithm;
    roof.roof = true;
    EACH_ROW(row->algorithm = &roof);
    check_answer(run, questions[0], "not asked", "0 of 0");
    run = good_run();
    EACH_ROW(row->algorithm = registry_find_algorithm("copy"));
    check_answer(run, questions[0], "not asked", "0 of 0");
    /* They are cells all the same, as the run counts them: nothing else was measured. */
    run = good_run();
    EACH_ROW(row->algorithm = registry_find_algorithm("copy"));
    check_answer(run, "Are all cells shown, or those left out named?", "yes",
                 "cells with a time: 9, skipped: 0");
}
