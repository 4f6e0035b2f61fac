/* The report of a study. */

#include "algorithm.h"
#include "backend.h"
#include "csv_columns.h"
#include "document.h"
#include "machine.h"
#include "paths.h"
#include "row.h"
#include "row_winners.h"
#include "study_internal.h"
#include "table.h"
#include "terminal.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "registry.h"
#include "report.h"
#include "status.h"
#include "text.h"

/* === Tables of the report ===================================================================== */

static void add_count(Document *document, DocTable *table, size_t count, CellKind kind) {
    table_cell(document, table,
               &(DocCell){.text = document_text(document, "%zu", count),
                          .number = (double)count,
                          .kind = count > 0 ? kind : CELL_PLAIN});
}

/* === Machines ================================================================================= */

const char study_comparison_heading[] = "What is compared with what";

static void add_machine(Document *document, DocTable *table, const char *who, const char *what,
                        const char *numbers) {
    table_words(document, table, who);
    table_words(document, table, what);
    table_words(document, table, numbers);
}

static void add_published_machines(const StudyResult *result, Document *document, DocTable *table) {
    Tally machines = {0};
    const size_t count = result->published != NULL ? result->published->count : 0;
    for (size_t i = 0; i < count; i++) {
        const PublishedNumber *number = &result->published->numbers[i];
        tally_add(&machines, document, number->machine[0] != '\0' ? number->machine : "not named",
                  number->source[0] != '\0' ? number->source : number->table);
    }
    for (size_t i = 0; i < machines.count; i++) {
        add_machine(document, table, "Published", machines.items[i].key, machines.items[i].with);
    }
}

static const char *gpu_words(const StudyResult *result, Document *document) {
    const char *model = study_fact(result, fact_gpu_model, document);
    const char *driver = study_fact(result, fact_gpu_driver, document);
    const char *runtime = study_fact(result, fact_cuda_runtime, document);
    if (model[0] == '\0') {
        return "no GPU";
    }
    const char *words =
        driver[0] != '\0' ? text_joined(document, model, ", driver ", driver) : model;
    return runtime[0] != '\0' ? text_joined(document, words, ", CUDA ", runtime) : words;
}

/* Whether the build of any step had changes. */
static bool is_dirty(const StudyResult *result) {
    bool dirty = false;
    for (size_t i = 0; i < result->study->step_count; i++) {
        dirty |= csv_flag(csv_frame_fact(&result->records[i].table, fact_dirty));
    }
    return dirty;
}

static const char *build_words(const StudyResult *result, Document *document) {
    const char *cuda = study_fact(result, fact_cuda_compiler, document);
    const char *words =
        document_text(document, "%s %s", study_fact(result, fact_c_compiler, document),
                      study_fact(result, fact_c_flags, document));
    if (cuda[0] != '\0') {
        words = document_text(document, "%s; nvcc %s for %s", words, cuda,
                              study_fact(result, fact_cuda_architectures, document));
    }
    const char *commit = study_fact(result, fact_commit, document);
    return commit[0] == '\0' ? words
                             : document_text(document, "%s; commit %s%s", words, commit,
                                             is_dirty(result) ? " with changes" : "");
}

static void add_own_machine(const StudyResult *result, Document *document, DocTable *table) {
    const char *processor = study_processor_words(result, document);
    if (processor[0] == '\0') {
        table_words(document, table, "Measured here");
        table_cell(document, table,
                   &(DocCell){.text = "nothing was run", .number = NAN, .kind = CELL_MISSING});
        table_words(document, table, "");
        return;
    }
    const double bytes = strtod(study_fact(result, fact_memory_bytes, document), NULL);
    const char *memory = bytes > 0 ? document_text(document, ", %.0f GiB", bytes / (1 << 30)) : "";
    add_machine(document, table, "Measured here, CPU", text_joined(document, processor, "", memory),
                "CPU variants");
    add_machine(document, table, "Measured here, GPU", gpu_words(result, document),
                "CUDA variants");
    add_machine(document, table, "Built with", build_words(result, document), "all");
}

/* The section "What is compared with what". */
static void add_comparison(const StudyResult *result, Document *document) {
    const Study *study = result->study;
    document_heading(document, 2, study_comparison_heading);
    for (size_t i = 0; i < study->about.count; i++) {
        document_add(document, BLOCK_PARAGRAPH, "%s", study->about.items[i]);
    }
    DocTable *table = document_table(document, "machines", "The machines");
    TABLE_COLUMNS(document, table, WORDS("Numbers"), WORDS("Machine"), WORDS("Used for"));
    add_published_machines(result, document, table);
    add_own_machine(result, document, table);
    if (study->convention != NULL) {
        document_add(document, BLOCK_PARAGRAPH, "How the paper took its times: %s.",
                     study->convention);
    }
    if (study->differences.count > 0) {
        document_add(document, BLOCK_PARAGRAPH, "What differs besides the machines:");
    }
    for (size_t i = 0; i < study->differences.count; i++) {
        document_add(document, BLOCK_ITEM, "%s",
                     study_sentence(study->differences.items[i], document));
    }
}

/* === Build ==================================================================================== */

/* Counts every fact of machine and build with its distinct values, the measured ceilings among
 * them, and every warning with its steps. What belongs to one run alone is left out. */
static void count_facts(const StudyResult *result, Document *document, Tally *facts,
                        Tally *warnings) {
    static const char *const warned[] = {"warning", "input_note"};
    static const char *const own[] = {"started", "arguments", "interleaved", "complete"};
    for (size_t step = 0; step < result->study->step_count; step++) {
        for (size_t i = 0; i < result->records[step].table.fact_count; i++) {
            const CsvFact *fact = &result->records[step].table.facts[i];
            if (text_is_one_of(fact->key, warned, 2)) {
                tally_add(warnings, document, fact->value, result->study->steps[step].name);
            } else if (!text_is_one_of(fact->key, own, 4)) {
                tally_add(facts, document, fact->key, fact->value);
            }
        }
    }
}

/* The section "Machine and build". */
static void add_build(const StudyResult *result, Document *document) {
    Tally facts = {0}, warnings = {0};
    count_facts(result, document, &facts, &warnings);
    document_heading(document, 2, "Machine and build");
    for (size_t i = 0; i < warnings.count; i++) {
        document_add(document, BLOCK_ITEM, "Warning of the runs (%s): %s", warnings.items[i].with,
                     warnings.items[i].key);
    }
    if (facts.count == 0) {
        document_add(document, BLOCK_PARAGRAPH, "No step left a file that names them.");
        return;
    }
    DocTable *table = document_table(document, "machine", "Facts of machine and build");
    TABLE_COLUMNS(document, table, WORDS("Fact"), WORDS("Value"));
    for (size_t i = 0; i < facts.count; i++) {
        table_words(document, table, facts.items[i].key);
        table_words(document, table, facts.items[i].with);
    }
    table->note = "If the runs of the steps differ, all values are listed.";
    table->collapsed = true;
}

/* === Steps ==================================================================================== */

/* What became of a step: its cell in the table of steps, and its warning. */
typedef struct StateWords {
    const char *text, *warning;
    CellKind kind;
} StateWords;

static const StateWords states[] = {[STEP_DONE] = {"done", "", CELL_PLAIN},
                                    [STEP_LEFT_OUT] = {"left out", "was left out", CELL_MISSING},
                                    [STEP_FAILED] = {"failed", "failed", CELL_BAD},
                                    [STEP_NOT_RUN] = {"not run", "was not run", CELL_MISSING}};

static const StateWords interrupted_state = {"interrupted", "ended early", CELL_MISSING};

static const StateWords *state_words(const StepOutcome *outcome) {
    return outcome->code == EXIT_INTERRUPTED ? &interrupted_state : &states[outcome->state];
}

/* For somebody to ask for it: on-request. */
static bool waits(const StudyStep *step, const StepOutcome *outcome) {
    return step->on_request && outcome->state == STEP_NOT_RUN;
}

static bool has_run(const StepOutcome *outcome) {
    return outcome->state == STEP_DONE || outcome->state == STEP_FAILED;
}

static void add_state(Document *document, DocTable *table, const StudyStep *step,
                      const StepOutcome *outcome) {
    table_cell(document, table,
               &(DocCell){.text = waits(step, outcome) ? "on request" : state_words(outcome)->text,
                          .number = NAN,
                          .note = outcome->why[0] != '\0' ? outcome->why : NULL,
                          .kind = state_words(outcome)->kind});
    table_words(document, table,
                has_run(outcome) ? document_text(document, "%d", outcome->code) : "");
}

/* How many records of a step's file are measured, verified, not verified, skipped and failed.
 * Nothing for a file without the status of its records. */
static void add_counts(Document *document, DocTable *table, const StepRecords *records) {
    enum { MEASURED, VERIFIED, UNVERIFIED, SKIPPED, FAILED, COUNTS };
    static const size_t of[] = {[CELL_OK] = MEASURED, [CELL_SKIP] = SKIPPED, [CELL_FAIL] = FAILED};
    const StepColumn status = step_column_at(records, offsetof(Row, status));
    size_t counts[COUNTS] = {0};
    for (size_t i = 0; i < records->count; i++) {
        const StepRecord *record = &records->list[i];
        const CellStatus is = step_record_status(records, record);
        counts[of[is]]++;
        counts[VERIFIED] += is == CELL_OK && step_verified(records, record) == VERIFIED_YES;
    }
    counts[UNVERIFIED] = counts[MEASURED] - counts[VERIFIED];
    for (size_t i = 0; i < COUNTS; i++) {
        if (!step_has_column(&status)) {
            table_words(document, table, "");
        } else {
            add_count(document, table, counts[i],
                      i == UNVERIFIED || i == FAILED ? CELL_BAD : CELL_PLAIN);
        }
    }
}

/* A time below 100 seconds has a digit after the point, a longer one none. */
static void add_time(Document *document, DocTable *table, const StepOutcome *outcome) {
    const double seconds = outcome->elapsed_s;
    if (!(seconds > 0)) {
        table_words(document, table, "");
        return;
    }
    table_value(document, table, document_text(document, "%.*f", seconds < 100 ? 1 : 0, seconds),
                seconds);
}

static void add_steps(const StudyResult *result, Document *document) {
    bool timed = false;
    for (size_t i = 0; i < result->study->step_count; i++) {
        timed = timed || result->outcomes[i].elapsed_s > 0;
    }
    DocTable *table = document_table(document, "steps", "The steps and what became of their cells");
    TABLE_COLUMNS(document, table, WORDS("Step"), WORDS("State"), NUMBERS("Exit code"),
                  NUMBERS("Cells measured"), NUMBERS("Verified"), NUMBERS("Not verified"),
                  NUMBERS("Skipped"), NUMBERS("Failed"));
    if (timed) {
        TABLE_COLUMNS(document, table, NUMBERS("Took (s)"));
    }
    table->note = "A cell is one variant on one input with one choice of its parameters; its "
                  "answer is compared with that of the sequential variant.";
    for (size_t i = 0; i < result->study->step_count; i++) {
        table_words(document, table, result->study->steps[i].name);
        add_state(document, table, &result->study->steps[i], &result->outcomes[i]);
        add_counts(document, table, &result->records[i]);
        if (timed) {
            add_time(document, table, &result->outcomes[i]);
        }
    }
}

static void add_commands(const StudyResult *result, Document *document) {
    const char *lines = "";
    for (size_t i = 0; i < result->study->step_count; i++) {
        const StepOutcome *outcome = &result->outcomes[i];
        const char *line =
            outcome->command[0] != '\0'
                ? document_text(document, "# %s\n%s", result->study->steps[i].name,
                                outcome->command)
                : document_text(document, "# %s: %s", result->study->steps[i].name, outcome->why);
        lines = text_joined(document, lines, "\n", line);
    }
    document_add(document, BLOCK_PARAGRAPH, "Each step is one command:");
    document_add(document, BLOCK_CODE, "%s", lines);
}

static void add_skipped(const StudyResult *result, Document *document) {
    Tally reasons = {0};
    for (size_t step = 0; step < result->study->step_count; step++) {
        const StepRecords *records = &result->records[step];
        const StepColumn why_column = step_column_at(records, offsetof(Row, why));
        for (size_t i = 0; i < records->count; i++) {
            if (step_record_status(records, &records->list[i]) != CELL_OK) {
                char why[CSV_VALUE_SIZE], variant[CSV_VALUE_SIZE];
                step_text(&records->list[i], &why_column, why);
                step_variant(records, &records->list[i], variant);
                tally_add(&reasons, document, why, variant);
            }
        }
    }
    if (reasons.count == 0) {
        return;
    }
    DocTable *table = document_table(document, "skipped", "Cells without a number, by reason");
    TABLE_COLUMNS(document, table, WORDS("Reason"), WORDS("Variants"), NUMBERS("Cells"));
    for (size_t i = 0; i < reasons.count; i++) {
        table_words(document, table, reasons.items[i].key);
        table_words(document, table, reasons.items[i].with);
        table_count(document, table, reasons.items[i].count);
    }
    table->collapsed = true;
}

const char *study_command(const StudyResult *result, Document *document) {
    const StudySettings *settings = result->settings;
    char budget[32] = "none";
    if (isfinite(settings->budget)) {
        snprintf(budget, sizeof budget, "%gs", settings->budget);
    }
    return document_text(
        document, "bench study %s%s%s%s", result->study->name, settings->quick ? " --quick" : "",
        settings->budget > 0     ? document_text(document, " --budget %s", budget)
        : settings->launches > 0 ? document_text(document, " --launches %d", settings->launches)
                                 : "",
        settings->spread != NULL ? document_text(document, " --spread %gs", *settings->spread)
                                 : "");
}

/* The section "How it was run": the steps with their commands, what was verified, what was skipped
 * and why, and how to repeat it all. */
static void add_runs(const StudyResult *result, Document *document) {
    const StudySettings *settings = result->settings;
    const bool all = settings->device.kind == DEVICES_ALL;
    char device[DEVICE_CHOICE_SIZE];
    device_choice_text(&settings->device, device);
    document_heading(document, 2, "How it was run");
    document_add(document, BLOCK_PARAGRAPH, "To repeat it:");
    document_add(document, BLOCK_CODE, "%s%s%s", study_command(result, document),
                 all ? "" : " --device ", all ? "" : device);
    document_add(document, BLOCK_PARAGRAPH, "%s", study_launches_sentence(result, document));
    add_steps(result, document);
    add_commands(result, document);
    add_skipped(result, document);
}

/* === Warnings ================================================================================= */

/* Whether an algorithm has a variant of that name on a device. */
static bool is_device_variant(const char *name) {
    for (size_t a = 0; a < registry_algorithm_count(); a++) {
        const Algorithm *algorithm = registry_algorithm(a);
        for (size_t v = algorithm->cpu.count; v < registry_variant_count(algorithm); v++) {
            if (strcmp(registry_variant(algorithm, v)->name, name) == 0) {
                return true;
            }
        }
    }
    return false;
}

/* Whether a value is asked of a CUDA variant's records. */
static bool is_cuda(const StudyValue *value) {
    const char *variant = condition_value_of(&value->conditions, KEY_VARIANT);
    const char *backend = condition_value_of(&value->conditions, KEY_BACKEND);
    return value->column->source == COLUMN_CSV &&
           ((variant != NULL && is_device_variant(variant)) ||
            (backend != NULL && registry_find_backend(backend) == &cuda_backend));
}

/* Where no CUDA cell was measured: the reasons of those that the runs skipped, or of those that no
 * run was asked for. */
static void add_cuda_warning(const StudyResult *result, Document *document) {
    size_t measured = 0;
    Tally skipped = {0}, other = {0};
    for (size_t table = 0; table < result->study->table_count; table++) {
        for (size_t i = 0; i < result->tables[table].count; i++) {
            const StudyValue *value = &result->tables[table].values[i];
            if (is_cuda(value) && isfinite(value->measured)) {
                measured++;
            } else if (is_cuda(value) && value->why[0] != '\0') {
                tally_add(value->skipped ? &skipped : &other, document, value->why, NULL);
            }
        }
    }
    const Tally *reasons = skipped.count > 0 ? &skipped : &other;
    if (measured == 0 && reasons->count > 0) {
        document_add(document, BLOCK_WARNING, "CUDA columns were not run here: %s.",
                     tally_keys(reasons, document, "; "));
    }
}

static void add_step_warnings(const StudyStep *step, const StepOutcome *outcome,
                              Document *document) {
    if (outcome->state != STEP_DONE && !waits(step, outcome)) {
        document_add(document, BLOCK_WARNING, "Step %s %s: %s.", step->name,
                     state_words(outcome)->warning,
                     outcome->why[0] != '\0' ? outcome->why : "no reason is known");
    }
    if (outcome->stand_in && has_run(outcome)) {
        const char *options = "";
        for (size_t i = 0; i < step->otherwise.count; i++) {
            const StepArgument *argument = &step->otherwise.items[i];
            const char *option = text_joined(document, argument->option, " ", argument->value);
            options = text_joined(document, options, " ", option);
        }
        document_add(document, BLOCK_WARNING,
                     "Step %s ran on a stand-in, since its data was not there: %s.", step->name,
                     options);
    }
}

/* What a reader must know before any number: --quick, steps that failed or were left out, data that
 * was stood in for, CUDA columns that were not run. */
static void add_warnings(const StudyResult *result, Document *document) {
    if (result->settings->so_far) {
        document_add(document, BLOCK_WARNING,
                     "So far: the study goes on, launch by launch, and writes this page again at "
                     "its end.");
    }
    if (result->settings->quick) {
        document_add(document, BLOCK_WARNING,
                     "This was run with --quick: fewer sizes or samples than the study asks for. "
                     "The numbers show that everything works, and no more.");
    }
    for (size_t i = 0; i < result->study->step_count; i++) {
        add_step_warnings(&result->study->steps[i], &result->outcomes[i], document);
    }
    add_cuda_warning(result, document);
}

void study_warnings_print(FILE *stream, const StudyResult *result) {
    Document document = {.blocks = NULL};
    Tally facts = {0}, warnings = {0};
    add_warnings(result, &document);
    for (size_t i = 0; i < document.count; i++) {
        flow_line(stream, 2, "warning: %s", document.blocks[i].text);
    }
    count_facts(result, &document, &facts, &warnings);
    for (size_t i = 0; i < warnings.count; i++) {
        flow_line(stream, 2, "warning: %s%s%s", warnings.items[i].key,
                  result->study->step_count > 1 ? "; in " : "",
                  result->study->step_count > 1 ? warnings.items[i].with : "");
    }
    document_release(&document);
}

/* === Study report ============================================================================= */

/* Numbers of the paper's tables. */
typedef struct NumberCounts {
    size_t tables;                    /* those of the paper */
    size_t published, measured, both; /* printed by the paper, measured here, both */
} NumberCounts;

static NumberCounts count_numbers(const StudyResult *result) {
    NumberCounts counts = {0};
    for (size_t t = 0; t < result->study->table_count; t++) {
        const TableResult *table = &result->tables[t];
        if (table->table->extra) {
            continue;
        }
        counts.tables++;
        for (size_t i = 0; i < table->count; i++) {
            const bool published = table->values[i].paper != NULL;
            const bool measured = isfinite(table->values[i].measured);
            counts.published += published ? 1 : 0;
            counts.measured += measured ? 1 : 0;
            counts.both += published && measured ? 1 : 0;
        }
    }
    return counts;
}

/* How many of the published numbers were measured. */
static const char *both_words(const NumberCounts *counts, Document *document) {
    if (counts->both == counts->published) {
        return counts->both == 1 ? "this one" : "all of these";
    }
    return counts->both == 0 ? "none of these"
                             : document_text(document, "%zu of these", counts->both);
}

static void add_numbers(const StudyResult *result, Document *document) {
    const NumberCounts counts = count_numbers(result);
    const size_t more = counts.measured - counts.both;
    const char *tables = document_text(document, "%zu %s of the paper", counts.tables,
                                       plural(counts.tables, "table", "tables"));
    if (!study_has_paper(result)) {
        document_add(document, BLOCK_PARAGRAPH, "Measured here: %zu %s.", more,
                     plural(more, "number", "numbers"));
        return;
    }
    if (counts.published > 0) {
        tables = document_text(
            document,
            "%s with %zu published %s. Measured here: %s, and %zu more %s that the paper does not "
            "print.",
            tables, counts.published, plural(counts.published, "number", "numbers"),
            both_words(&counts, document), more, plural(more, "number", "numbers"));
    } else {
        tables = document_text(document, "%s, without published numbers. Measured here: %zu %s.",
                               tables, more, plural(more, "number", "numbers"));
    }
    document_add(document, BLOCK_PARAGRAPH, "%s", tables);
}

/* "2026-11-20", or "2026-11-20 to 2026-11-22" where the steps ran on several days. */
static const char *date_words(const StudyResult *result, Document *document) {
    enum { DAY = 10 };
    char first[DAY + 1] = "", last[DAY + 1] = "";
    for (size_t step = 0; step < result->study->step_count; step++) {
        const char *started = csv_frame_fact(&result->records[step].table, "started");
        if (strlen(started) < DAY) {
            continue;
        }
        if (first[0] == '\0' || strncmp(started, first, DAY) < 0) {
            snprintf(first, sizeof first, "%.*s", DAY, started);
        }
        if (strncmp(started, last, DAY) > 0) {
            snprintf(last, sizeof last, "%.*s", DAY, started);
        }
    }
    return strcmp(first, last) == 0 ? document_text(document, "%s", first)
                                    : document_text(document, "%s to %s", first, last);
}

/* The greatest speedup of the best on a device over the cells of all steps, of those that are
 * faster for certain; 0: none is. Beside other work, what is only a roof
 * of it does not count. */
static double most_of_devices(const StudyResult *result, SpeedupOver over) {
    double most[2] = {0}; /* of roofs and of what works */
    bool works = false;
    for (size_t step = 0; step < result->study->step_count; step++) {
        const StepRecords *records = &result->records[step];
        for (size_t i = 0; i < records->count; i++) {
            const Row *row = records->list[i].row;
            if (row == NULL || !(row->won_kernel.value > 0)) {
                continue;
            }
            const bool counts = !row_is_roof(row);
            works = works || counts;
            const Ratio ratio = row_won_ratio(row, over, TIME_KERNEL);
            if (ratio_side(&ratio) == SIDE_FASTER) {
                most[counts] = fmax(most[counts], ratio.value);
            }
        }
    }
    return most[works];
}

/* "Here the GPU is up to 35.5× faster than the best CPU variant. Over plain code on one thread: up
 * to 10100×, better algorithms included. By kernel time." What a paper prints is a ratio to
 * something else, perhaps to another GPU: its claims below say which. */
static void add_lead(const StudyResult *result, Document *document) {
    const double plain = most_of_devices(result, OVER_SEQ);
    const double best = most_of_devices(result, OVER_BEST_CPU);
    char over_plain[SIGNIFICANT_SIZE], over_best[SIGNIFICANT_SIZE];
    times_text(plain, over_plain);
    times_text(best, over_best);
    if (!(plain > 0)) {
        return;
    }
    if (!(best > 0)) {
        document_add(document, BLOCK_LEAD,
                     "Here: nowhere faster than the best CPU variant for certain. Over plain code "
                     "on one thread: up to %s, better algorithms included. By kernel time.",
                     over_plain);
    } else if (best < plain) { /* else plain code is the best that the CPU has */
        document_add(document, BLOCK_LEAD,
                     "Here: up to %s over the best CPU variant. Over plain code on one thread: up "
                     "to %s, better algorithms included. By kernel time.",
                     over_best, over_plain);
    } else {
        document_add(document, BLOCK_LEAD,
                     "Here: up to %s over plain code, beside which no CPU variant was measured. By "
                     "kernel time.",
                     over_plain);
    }
}

/* "Intel Xeon, 16 processors"; "" where nothing was measured. */
static const char *processor_short(const StudyResult *result, Document *document) {
    char name[NUMBER_WORDS_SIZE];
    const char *count = study_fact(result, fact_cpu_count, document);
    machine_short_name(study_fact(result, fact_cpu_model, document), name);
    if (study_processor_words(result, document)[0] == '\0') {
        return "";
    }
    return document_text(document, "%s, %s processor%s", name, count,
                         strcmp(count, "1") == 0 ? "" : "s");
}

/* What came out, first of all, and where and when. */
static void add_verdict(const StudyResult *result, Document *document) {
    const char *gpu = study_fact(result, fact_gpu_model, document);
    const char *processor = processor_short(result, document);
    const char *date = date_words(result, document);
    add_lead(result, document);
    ClaimList list = {.items = NULL};
    const Status judged = study_claims_judge(result, &list);
    if (!status_is_ok(&judged)) {
        document->failed = true;
    }
    char text[CLAIMS_TEXT_SIZE];
    study_claims_text(result, &list, text);
    document_add(document, BLOCK_PARAGRAPH, "%s.", text);
    claims_release(&list);
    const char *const chips[] = {gpu, processor, date};
    for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++) {
        if (chips[i][0] != '\0') {
            document_add(document, BLOCK_CHIP, "%s", chips[i]);
        }
    }
    if (processor[0] == '\0') {
        document_add(document, BLOCK_PARAGRAPH, "Nothing was measured: no step left a file.");
    }
}

/* The figure that a table stands with: the first one that draws it, of a table that is not the
 * paper's; SIZE_MAX when there is none. */
static size_t figure_of(const Study *study, const StudyTable *table) {
    for (size_t i = 0; table->extra && i < study->figure_count; i++) {
        for (size_t j = 0; j < study->figures[i].line_count; j++) {
            if (strcmp(study->figures[i].lines[j].table, table->name) == 0) {
                return i;
            }
        }
    }
    return SIZE_MAX;
}

static bool is_empty(const TableResult *table) {
    for (size_t i = 0; i < table->count; i++) {
        if (isfinite(table->values[i].measured)) {
            return false;
        }
    }
    return true;
}

/* Folded, below what they show. Those without a measured number are named alone. */
static void add_tables(const StudyResult *result, Document *document) {
    Tally empty = {0};
    bool any = false;
    for (size_t i = 0; i < result->study->table_count; i++) {
        const TableResult *table = &result->tables[i];
        if (figure_of(result->study, table->table) != SIZE_MAX) {
            continue;
        }
        if (!any) {
            document_heading(document, 2, "Tables");
            add_numbers(result, document);
            any = true;
        }
        if (is_empty(table)) {
            tally_add(&empty, document, study_heading_text(table->table->name, document), NULL);
            continue;
        }
        document_heading(document, 3, study_heading_text(table->table->name, document));
        DocTable *added = study_table_add(result, table, DIFFERENCES_ELSEWHERE, document);
        if (added != NULL) { /* without figures a page would show nothing */
            added->collapsed = result->study->figure_count > 0 || table->table->extra;
        }
    }
    if (empty.count > 0) {
        document_add(document, BLOCK_PARAGRAPH,
                     "Without a number measured here, and so left out: %s. The files in tables/ "
                     "have them, with the reasons.",
                     tally_keys(&empty, document, ", "));
    }
}

static void add_figure_tables(const StudyResult *result, size_t figure, Document *document) {
    for (size_t i = 0; i < result->study->table_count; i++) {
        const TableResult *table = &result->tables[i];
        if (figure_of(result->study, table->table) == figure && !is_empty(table)) {
            DocTable *added = study_table_add(result, table, DIFFERENCES_ELSEWHERE, document);
            if (added != NULL) {
                added->collapsed = true;
            }
        }
    }
}

static void add_figure(const StudyResult *result, size_t index, Document *document) {
    const StudyFigure *figure = &result->study->figures[index];
    document_heading(document, 3, study_heading_text(figure->name, document));
    study_figure_add(result, figure, document);
    add_figure_tables(result, index, document);
}

/* The one that stands on the first screen: the first that has a measured number; SIZE_MAX: none. */
static size_t first_figure(const StudyResult *result) {
    const Study *study = result->study;
    for (size_t i = 0; i < study->figure_count; i++) {
        for (size_t j = 0; j < study->figures[i].line_count; j++) {
            if (!is_empty(study_table_result(result, study->figures[i].lines[j].table))) {
                return i;
            }
        }
    }
    return SIZE_MAX;
}

static void add_figures(const StudyResult *result, size_t shown, Document *document) {
    bool any = false;
    for (size_t i = 0; i < result->study->figure_count; i++) {
        if (i != shown) {
            if (!any) {
                document_heading(document, 2, "Figures");
                any = true;
            }
            add_figure(result, i, document);
        }
    }
}

void study_report_build(const StudyResult *result, const StudyRuns *runs, Document *document) {
    const Study *study = result->study;
    const size_t first = first_figure(result);
    char title[512];
    snprintf(title, sizeof title, "%s%s", study->title,
             study_has_paper(result) ? ": measured again" : "");
    document_open(document, title);
    add_verdict(result, document);
    add_warnings(result, document);
    if (first != SIZE_MAX) {
        add_figure(result, first, document);
    }
    if (study->citation != NULL) {
        document_add(document, BLOCK_PARAGRAPH, "%s", study->citation);
    }
    study_verdicts_add(result, true, document);
    add_figures(result, first, document);
    document_fold(document);
    peers_add(runs->runs, runs->count, document);
    add_tables(result, document);
    add_comparison(result, document);
    add_runs(result, document);
    add_build(result, document);
    study_checklist_add(runs, document);
}

/* === Study report files ======================================================================= */

/* <out>/<name>. */
static Status path_of(const StudyResult *result, const char *name,
                      char path[ATOMIC_FILE_PATH_SIZE]) {
    return path_make(path, ATOMIC_FILE_PATH_SIZE, "%s/%s", result->settings->out, name);
}

/* The tables of the study alone: those about machines and steps are the report's. */
static Status write_tables(const StudyResult *result) {
    char folder[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(path_of(result, "tables", folder));
    Document tables;
    document_open(&tables, result->study->title);
    for (size_t i = 0; i < result->study->table_count; i++) {
        study_table_add(result, &result->tables[i], DIFFERENCES_HERE, &tables);
    }
    study_verdicts_add(result, false, &tables);
    const Status status =
        document_tables_write(&tables, folder, TABLE_CSV | TABLE_MARKDOWN | TABLE_LATEX);
    document_release(&tables);
    return status;
}

static Status write_document(const StudyResult *result, const Document *document) {
    STATUS_TRY(document_status(document));
    STATUS_TRY(write_tables(result));
    char path[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(path_of(result, "figures", path));
    /* Before the Markdown, which shows the images that are there. */
    const Status figures = document_figures_write(document, path);
    if (!document_only_lacks_images(&figures)) {
        return figures;
    }
    STATUS_TRY(path_of(result, "report.html", path));
    STATUS_TRY(html_write(document, path));
    STATUS_TRY(path_of(result, "report.md", path));
    STATUS_TRY(markdown_write(document, path, "figures"));
    return figures;
}

Status study_report_write(const StudyResult *result) {
    Document document, list;
    document_open(&list, "runs");
    const StudyRuns runs = study_runs(result, &list);
    study_report_build(result, &runs, &document);
    Status status = study_artifact_write(result, &runs);
    STATUS_THEN(status, write_document(result, &document));
    document_release(&document);
    document_release(&list);
    return status;
}
