/* The report of a study. */

#include "study_internal.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base.h"
#include "files.h"
#include "report.h"
#include "status.h"

/* === Study tally ============================================================================== */

const char *text_joined(Document *document, const char *list, const char *separator,
                        const char *item) {
    const bool empty = list == NULL || list[0] == '\0';
    return document_text(document, "%s%s%s", empty ? "" : list, empty ? "" : separator,
                         item != NULL ? item : "");
}

const char *text_listed(Document *document, const char *name) {
    const char *listed = strchr(name, ',') != NULL ? document_text(document, "“%s”", name) : name;
    return listed != NULL ? listed : "";
}

/* Whether `item` is one of the entries of a list separated by ", ". */
static bool is_listed(const char *list, const char *item) {
    const size_t length = strlen(item);
    for (const char *found = strstr(list, item); found != NULL; found = strstr(found + 1, item)) {
        const bool starts =
            found == list || (found - list >= 2 && strncmp(found - 2, ", ", 2) == 0);
        const bool ends = found[length] == '\0' || strncmp(found + length, ", ", 2) == 0;
        if (starts && ends) {
            return true;
        }
    }
    return false;
}

static TallyItem *item_of(Tally *tally, Document *document, const char *key) {
    for (size_t i = 0; i < tally->count; i++) {
        if (strcmp(tally->items[i].key, key) == 0) {
            return &tally->items[i];
        }
    }
    const Status room = LIST_ROOM(NULL, tally->items, tally->count, tally->capacity, "texts");
    if (!status_is_ok(&room)) {
        document->failed = true;
        return NULL;
    }
    const char *copy = document_text(document, "%s", key);
    if (copy == NULL) {
        return NULL;
    }
    tally->items[tally->count] = (TallyItem){.key = copy};
    return &tally->items[tally->count++];
}

void tally_add(Tally *tally, Document *document, const char *key, const char *with) {
    TallyItem *item = key != NULL ? item_of(tally, document, key) : NULL;
    if (item == NULL) {
        return;
    }
    item->count++;
    if (with != NULL && with[0] != '\0' && (item->with == NULL || !is_listed(item->with, with))) {
        item->with = text_joined(document, item->with, ", ", with);
    }
}

const char *tally_keys(const Tally *tally, Document *document, const char *separator) {
    const char *text = "";
    for (size_t i = 0; i < tally->count; i++) {
        text = text_joined(document, text, separator, tally->items[i].key);
    }
    return text != NULL ? text : "";
}

void tally_release(Tally *tally) {
    free(tally->items);
    *tally = (Tally){0};
}

/* === Study facts ============================================================================== */

/* The facts of machine and build in the files of a study's steps, over all steps. */

static const CsvFact *fact_at(const StudyResult *result, size_t step, size_t index) {
    const CsvFrame *records = &result->records[step];
    return index < records->fact_count ? &records->facts[index] : NULL;
}

/* The distinct values of a fact over the steps, separated by "; "; "" when none has it. */
static const char *study_fact(const StudyResult *result, const char *key, Document *document) {
    Tally values = {0};
    for (size_t step = 0; step < result->study->step_count; step++) {
        const char *value = csv_frame_fact(&result->records[step], key);
        if (value[0] != '\0') {
            tally_add(&values, document, value, NULL);
        }
    }
    const char *text = tally_keys(&values, document, "; ");
    tally_release(&values);
    return text;
}

static bool is_of_the_run(const char *key) {
    static const char *const keys[] = {"started",  "arguments", "interleaved",
                                       "complete", "warning",   "input_note"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (strcmp(keys[i], key) == 0) {
            return true;
        }
    }
    return false;
}

/* Every fact of machine and build with its distinct values as companions; the measured ceilings are
 * among them, what belongs to one run alone (its arguments, its start) and the warnings are not. */
static void study_facts(const StudyResult *result, Document *document, Tally *facts) {
    for (size_t step = 0; step < result->study->step_count; step++) {
        const CsvFact *fact;
        for (size_t i = 0; (fact = fact_at(result, step, i)) != NULL; i++) {
            if (!is_of_the_run(fact->key)) {
                tally_add(facts, document, fact->key, fact->value);
            }
        }
    }
}

/* The distinct warnings of the steps, and notes on their inputs, each with the steps it came with.
 */
static void study_warnings(const StudyResult *result, Document *document, Tally *warnings) {
    for (size_t step = 0; step < result->study->step_count; step++) {
        const CsvFact *fact;
        for (size_t i = 0; (fact = fact_at(result, step, i)) != NULL; i++) {
            if (strcmp(fact->key, "warning") == 0 || strcmp(fact->key, "input_note") == 0) {
                tally_add(warnings, document, fact->value, result->study->steps[step].name);
            }
        }
    }
}

/* Columns of words, and behind them columns of numbers. */
static void add_titles(Document *document, DocTable *table, const char *const *titles, size_t words,
                       size_t numbers) {
    for (size_t i = 0; i < words + numbers; i++) {
        table_column(document, table, &(DocColumn){.title = titles[i], .numeric = i >= words});
    }
}

/* === Study machine ============================================================================ */

static const char comparison_heading[] = "What is compared with what";

static const char *processor_words(const StudyResult *result, Document *document) {
    const char *model = study_fact(result, "cpu_model", document);
    const char *count = study_fact(result, "cpu_count", document);
    const char *words = model[0] == '\0' || count[0] == '\0'
                            ? model
                            : document_text(document, "%s (%s processors)", model, count);
    return words != NULL ? words : "";
}

/* "Intel(R) Xeon(R) Processor (16 processors), NVIDIA H200", from the facts of the steps' files;
 * "" when no step left any. */
static const char *study_machine_words(const StudyResult *result, Document *document) {
    const char *processor = processor_words(result, document);
    const char *gpu = study_fact(result, "gpu_model", document);
    const char *words = gpu[0] != '\0' ? text_joined(document, processor, ", ", gpu) : processor;
    return words != NULL ? words : "";
}

void study_published_machines(const StudyResult *result, const TableResult *table, size_t column,
                              Document *document, Tally *machines) {
    const StudyTable *study = table->table;
    for (size_t i = 0; i < study->row_count * study->column_count; i++) {
        const PublishedNumber *number =
            study_published_number(result, table, i / study->column_count, i % study->column_count);
        const bool asked = column == SIZE_MAX || column == i % study->column_count;
        if (asked && number != NULL && number->machine[0] != '\0') {
            tally_add(machines, document, number->machine, NULL);
        }
    }
}

/* A processor's name alone leaves open how many of them there are. */
static const char *device_words(const StudyResult *result, const char *device, Document *document) {
    const char *model = study_fact(result, "cpu_model", document);
    return strcmp(device, model) == 0 ? processor_words(result, document) : device;
}

void study_devices(const StudyResult *result, const TableResult *table, size_t column,
                   Document *document, Tally *devices) {
    /* A ratio has no records; its table has those of what it is made of. */
    const bool all = column == SIZE_MAX || table->table->columns[column].source != COLUMN_CSV;
    for (size_t i = 0; i < table->table->row_count * table->table->column_count; i++) {
        const size_t place = i % table->table->column_count;
        const StudyColumn *read = &table->table->columns[place];
        const StudyValue *value = &table->values[i];
        if (!isfinite(value->measured) || read->source != COLUMN_CSV || (!all && place != column)) {
            continue;
        }
        const CsvFrame *records = study_column_records(result, table->table, read);
        const char *device = study_record_text(records, value->record, "device");
        const char *words = device[0] != '\0' ? device_words(result, device, document)
                                              : study_machine_words(result, document);
        if (words[0] != '\0') {
            tally_add(devices, document, words, NULL);
        }
    }
}

static const char *sentence(const char *text, Document *document) {
    const size_t length = strlen(text);
    const char last = length > 0 ? text[length - 1] : '.';
    return last == '.' || last == '!' || last == '?' ? text : document_text(document, "%s.", text);
}

const char *study_differences(const StudyResult *result, DifferencesShown shown,
                              Document *document) {
    const StudyTexts *differences = &result->study->differences;
    if (shown == DIFFERENCES_ELSEWHERE && differences->count > 1) {
        return document_text(document, "The hardware differs, and %zu things besides: see \"%s\".",
                             differences->count, comparison_heading);
    }
    const char *words = "The hardware differs.";
    for (size_t i = 0; i < differences->count; i++) {
        words = text_joined(document, words, " ", sentence(differences->items[i], document));
    }
    return words;
}

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
    tally_release(&machines);
}

static const char *gpu_words(const StudyResult *result, Document *document) {
    const char *model = study_fact(result, "gpu_model", document);
    if (model[0] == '\0') {
        return "no GPU";
    }
    const char *driver = study_fact(result, "gpu_driver", document);
    const char *runtime = study_fact(result, "cuda_runtime", document);
    const char *words = model;
    words = driver[0] == '\0' ? words : document_text(document, "%s, driver %s", words, driver);
    return runtime[0] == '\0' ? words : document_text(document, "%s, CUDA %s", words, runtime);
}

static const char *build_words(const StudyResult *result, Document *document) {
    const char *cuda = study_fact(result, "cuda_compiler", document);
    const char *words = document_text(document, "%s %s", study_fact(result, "c_compiler", document),
                                      study_fact(result, "c_flags", document));
    if (cuda[0] != '\0') {
        words = document_text(document, "%s; nvcc %s for %s", words, cuda,
                              study_fact(result, "cuda_architectures", document));
    }
    const char *commit = study_fact(result, "commit", document);
    const bool dirty = strstr(study_fact(result, "dirty", document), "yes") != NULL;
    return commit[0] == '\0' ? words
                             : document_text(document, "%s; commit %s%s", words, commit,
                                             dirty ? " with changes" : "");
}

static void add_own_machine(const StudyResult *result, Document *document, DocTable *table) {
    const char *processor = processor_words(result, document);
    if (processor[0] == '\0') {
        table_words(document, table, "Measured here");
        table_cell(document, table,
                   &(DocCell){.text = "nothing was run", .number = NAN, .kind = CELL_MISSING});
        table_words(document, table, "");
        return;
    }
    const double bytes = strtod(study_fact(result, "memory_bytes", document), NULL);
    const char *memory = bytes > 0 ? document_text(document, ", %.0f GiB", bytes / (1 << 30)) : "";
    add_machine(document, table, "Measured here, CPU", text_joined(document, processor, "", memory),
                "CPU variants");
    add_machine(document, table, "Measured here, GPU", gpu_words(result, document),
                "CUDA variants");
    add_machine(document, table, "Built with", build_words(result, document), "all");
}

/* The section "What is compared with what". */
static void study_comparison_add(const StudyResult *result, Document *document) {
    const Study *study = result->study;
    document_heading(document, 2, comparison_heading);
    DocTable *table = document_table(document, "machines", "The machines");
    add_titles(document, table, (const char *const[]){"Numbers", "Machine", "Used for"}, 3, 0);
    add_published_machines(result, document, table);
    add_own_machine(result, document, table);
    if (study->convention != NULL) {
        document_add(document, BLOCK_PARAGRAPH, "How the paper took its times: %s.",
                     study->convention);
    }
    if (study->differences.count > 0) {
        document_add(document, BLOCK_PARAGRAPH, "What else differs, besides the machines:");
    }
    for (size_t i = 0; i < study->differences.count; i++) {
        document_add(document, BLOCK_ITEM, "%s", sentence(study->differences.items[i], document));
    }
}

/* === Study build ============================================================================== */

/* The section "Machine and build". */
static void study_build_add(const StudyResult *result, Document *document) {
    Tally facts = {0}, warnings = {0};
    study_facts(result, document, &facts);
    study_warnings(result, document, &warnings);
    document_heading(document, 2, "Machine and build");
    for (size_t i = 0; i < warnings.count; i++) {
        document_add(document, BLOCK_ITEM, "Warning of the runs (%s): %s", warnings.items[i].with,
                     warnings.items[i].key);
    }
    if (facts.count == 0) {
        document_add(document, BLOCK_PARAGRAPH, "No step left a file that tells them.");
    } else {
        DocTable *table = document_table(document, "machine", "Facts of machine and build");
        add_titles(document, table, (const char *const[]){"Fact", "Value"}, 2, 0);
        for (size_t i = 0; i < facts.count; i++) {
            table_words(document, table, facts.items[i].key);
            table_words(document, table, facts.items[i].with);
        }
        if (table != NULL) {
            table->collapsed = true;
            table->note = "Where the runs of the steps differ, all their values.";
        }
    }
    tally_release(&facts);
    tally_release(&warnings);
}

/* === Study course ============================================================================= */

/* How a study was run: its steps and what became of them. */

/* The cells of a step's file. */
typedef struct CellCounts {
    size_t measured, verified, unverified, skipped, failed;
} CellCounts;

static CellCounts count_cells(const CsvFrame *records) {
    CellCounts counts = {0};
    for (size_t i = 0; i < records->count; i++) {
        const CsvRecord *record = &records->records[i];
        const char *status = study_record_text(records, record, "status");
        const bool ok = strcmp(status, "ok") == 0;
        const bool verified = strcmp(study_record_text(records, record, "verified"), "yes") == 0;
        counts.measured += ok ? 1 : 0;
        counts.verified += ok && verified ? 1 : 0;
        counts.unverified += ok && !verified ? 1 : 0;
        counts.skipped += strcmp(status, "skip") == 0 ? 1 : 0;
        counts.failed += strcmp(status, "fail") == 0 ? 1 : 0;
    }
    return counts;
}

static void add_count(Document *document, DocTable *table, size_t count, CellKind kind) {
    table_cell(document, table,
               &(DocCell){.text = document_text(document, "%zu", count),
                          .number = (double)count,
                          .kind = count > 0 ? kind : CELL_PLAIN});
}

/* Nothing for a file without the status of its records. */
static void add_counts(Document *document, DocTable *table, const CsvFrame *records) {
    enum { COLUMNS = 5 };
    if (csv_field_index(&records->header, "status") == SIZE_MAX) {
        for (int i = 0; i < COLUMNS; i++) {
            table_words(document, table, "");
        }
        return;
    }
    const CellCounts counts = count_cells(records);
    add_count(document, table, counts.measured, CELL_PLAIN);
    add_count(document, table, counts.verified, CELL_PLAIN);
    add_count(document, table, counts.unverified, CELL_BAD);
    add_count(document, table, counts.skipped, CELL_PLAIN);
    add_count(document, table, counts.failed, CELL_BAD);
}

static void add_state(Document *document, DocTable *table, const StepOutcome *outcome) {
    static const char *const words[] = {[STEP_DONE] = "done",
                                        [STEP_LEFT_OUT] = "left out",
                                        [STEP_FAILED] = "failed",
                                        [STEP_NOT_RUN] = "not run"};
    static const CellKind kinds[] = {[STEP_DONE] = CELL_PLAIN,
                                     [STEP_LEFT_OUT] = CELL_MISSING,
                                     [STEP_FAILED] = CELL_BAD,
                                     [STEP_NOT_RUN] = CELL_MISSING};
    const bool ran = outcome->state == STEP_DONE || outcome->state == STEP_FAILED;
    table_cell(document, table,
               &(DocCell){.text = words[outcome->state],
                          .number = NAN,
                          .note = outcome->why[0] != '\0' ? outcome->why : NULL,
                          .kind = kinds[outcome->state]});
    table_words(document, table, ran ? document_text(document, "%d", outcome->code) : "");
}

/* A moment has a digit after the point, a long time none. */
static void add_time(Document *document, DocTable *table, const StepOutcome *outcome) {
    const double seconds = outcome->elapsed_s;
    if (!(seconds > 0)) {
        table_words(document, table, "");
        return;
    }
    table_cell(document, table,
               &(DocCell){.text = document_text(document, "%.*f", seconds < 100 ? 1 : 0, seconds),
                          .number = seconds});
}

static bool times_are_known(const StudyResult *result) {
    for (size_t i = 0; i < result->study->step_count; i++) {
        if (result->outcomes[i].elapsed_s > 0) {
            return true;
        }
    }
    return false;
}

static void add_steps_table(const StudyResult *result, Document *document) {
    static const char *const titles[] = {"Step",           "State",          "Exit code",
                                         "Cells measured", "Verified right", "Not verified",
                                         "Skipped",        "Failed",         "Took (s)"};
    DocTable *table = document_table(document, "steps", "The steps and what became of their cells");
    const bool timed = times_are_known(result);
    add_titles(document, table, titles, 2, timed ? 7 : 6);
    for (size_t i = 0; i < result->study->step_count; i++) {
        table_words(document, table, result->study->steps[i].name);
        add_state(document, table, &result->outcomes[i]);
        add_counts(document, table, &result->records[i]);
        if (timed) {
            add_time(document, table, &result->outcomes[i]);
        }
    }
    if (table != NULL) {
        table->note = "A cell is one variant on one input with one choice of its parameters; its "
                      "answer is compared with that of the sequential variant.";
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
    document_add(document, BLOCK_CODE, "%s", lines != NULL ? lines : "");
}

static void add_skipped(const StudyResult *result, Document *document) {
    Tally reasons = {0};
    for (size_t step = 0; step < result->study->step_count; step++) {
        const CsvFrame *records = &result->records[step];
        for (size_t i = 0; i < records->count; i++) {
            const CsvRecord *record = &records->records[i];
            const char *status = study_record_text(records, record, "status");
            if (strcmp(status, "skip") == 0 || strcmp(status, "fail") == 0) {
                tally_add(&reasons, document, study_record_text(records, record, "why"),
                          study_record_text(records, record, "variant"));
            }
        }
    }
    if (reasons.count > 0) {
        DocTable *table = document_table(document, "skipped", "Cells without a number, by reason");
        add_titles(document, table, (const char *const[]){"Reason", "Variants", "Cells"}, 2, 1);
        for (size_t i = 0; i < reasons.count; i++) {
            table_words(document, table, reasons.items[i].key);
            table_words(document, table, reasons.items[i].with);
            add_count(document, table, reasons.items[i].count, CELL_PLAIN);
        }
        if (table != NULL) {
            table->collapsed = true;
        }
    }
    tally_release(&reasons);
}

/* The section "How it was run": the steps with their commands, what was verified, what was skipped
 * and why, and how to repeat it all. */
static void study_course_add(const StudyResult *result, Document *document) {
    const StudySettings *settings = result->settings;
    const bool all = settings->device == NULL || strcmp(settings->device, "all") == 0;
    document_heading(document, 2, "How it was run");
    document_add(document, BLOCK_PARAGRAPH, "To repeat it:");
    document_add(document, BLOCK_CODE, "bench study %s%s%s%s", result->study->name,
                 settings->quick ? " --quick" : "", all ? "" : " --device ",
                 all ? "" : settings->device);
    add_steps_table(result, document);
    add_commands(result, document);
    add_skipped(result, document);
}

/* === Study course warnings ==================================================================== */

static bool names_cuda(const Condition *condition) {
    return (strcmp(condition->key, "variant") == 0 && strncmp(condition->value, "cuda", 4) == 0) ||
           (strcmp(condition->key, "backend") == 0 && strcmp(condition->value, "cuda") == 0);
}

/* Whether a number is asked of a CUDA variant's records. */
static bool is_cuda(const StudyTable *table, const StudyRow *row, const StudyColumn *column) {
    ConditionList conditions;
    bool cuda = false;
    if (column->source == COLUMN_CSV && cell_conditions(table, row, column, &conditions)) {
        for (size_t i = 0; i < conditions.count; i++) {
            cuda = cuda || names_cuda(&conditions.items[i]);
        }
        free(conditions.items);
    }
    return cuda;
}

/* The CUDA cells of a study. */
typedef struct CudaCells {
    size_t measured;
    Tally skipped; /* reasons of those that the runs came to */
    Tally other;   /* reasons of those that no run was asked for */
} CudaCells;

static void count_cuda(const StudyResult *result, const TableResult *table, Document *document,
                       CudaCells *cells) {
    const StudyTable *study = table->table;
    for (size_t i = 0; i < study->row_count * study->column_count; i++) {
        const CellPlace place = {result, table, i / study->column_count, i % study->column_count};
        const char *why = table->values[i].why;
        if (!is_cuda(study, &study->rows[place.row], &study->columns[place.column])) {
            continue;
        }
        if (isfinite(table->values[i].measured)) {
            cells->measured++;
        } else if (why[0] != '\0') {
            const bool skipped = study_cell_is_skipped(&place);
            tally_add(skipped ? &cells->skipped : &cells->other, document, why, NULL);
        }
    }
}

static void add_cuda_warning(const StudyResult *result, Document *document) {
    CudaCells cells = {0};
    for (size_t i = 0; i < result->study->table_count; i++) {
        count_cuda(result, &result->tables[i], document, &cells);
    }
    const Tally *reasons = cells.skipped.count > 0 ? &cells.skipped : &cells.other;
    if (cells.measured == 0 && reasons->count > 0) {
        document_add(document, BLOCK_WARNING, "CUDA columns were not run here: %s.",
                     tally_keys(reasons, document, "; "));
    }
    tally_release(&cells.skipped);
    tally_release(&cells.other);
}

static void add_step_warning(const StudyStep *step, const StepOutcome *outcome,
                             Document *document) {
    static const char *const words[] = {
        [STEP_LEFT_OUT] = "was left out", [STEP_FAILED] = "failed", [STEP_NOT_RUN] = "was not run"};
    if (outcome->state != STEP_DONE) {
        document_add(document, BLOCK_WARNING, "Step %s %s: %s.", step->name, words[outcome->state],
                     outcome->why[0] != '\0' ? outcome->why : "no reason is known");
    }
    const bool ran = outcome->state == STEP_DONE || outcome->state == STEP_FAILED;
    if (outcome->stand_in && ran) {
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
static void study_warnings_add(const StudyResult *result, Document *document) {
    if (result->settings->quick) {
        document_add(document, BLOCK_WARNING,
                     "This was run with --quick: fewer sizes or samples than the study asks for. "
                     "The numbers show that everything works, and no more.");
    }
    for (size_t i = 0; i < result->study->step_count; i++) {
        add_step_warning(&result->study->steps[i], &result->outcomes[i], document);
    }
    add_cuda_warning(result, document);
}

/* === Study report ============================================================================= */

/* Numbers of the paper's tables. */
typedef struct NumberCounts {
    size_t tables; /* those of the paper */
    size_t published, both,
        measured; /* printed; of these measured here; measured, printed or not */
} NumberCounts;

static NumberCounts count_numbers(const StudyResult *result) {
    NumberCounts counts = {0};
    for (size_t t = 0; t < result->study->table_count; t++) {
        const TableResult *table = &result->tables[t];
        if (table->table->extra) {
            continue;
        }
        counts.tables++;
        for (size_t i = 0; i < table->table->row_count * table->table->column_count; i++) {
            const bool published = isfinite(table->values[i].published);
            const bool measured = isfinite(table->values[i].measured);
            counts.published += published ? 1 : 0;
            counts.measured += measured ? 1 : 0;
            counts.both += published && measured ? 1 : 0;
        }
    }
    return counts;
}

static const char *plural(size_t count, const char *one, const char *many) {
    return count == 1 ? one : many;
}

/* How many of the published numbers were measured. */
static const char *both_words(const NumberCounts *counts, Document *document) {
    if (counts->both == counts->published) {
        return counts->both == 1 ? "this one" : "all of these";
    }
    return counts->both == 0 ? "none of these"
                             : document_text(document, "%zu of these", counts->both);
}

static void add_summary(const StudyResult *result, Document *document) {
    const NumberCounts counts = count_numbers(result);
    const char *machine = study_machine_words(result, document);
    const size_t besides = counts.measured - counts.both;
    const char *tables = document_text(document, "%zu %s of the paper", counts.tables,
                                       plural(counts.tables, "table", "tables"));
    if (counts.published > 0) {
        tables = document_text(
            document,
            "%s with %zu published %s. Measured here: %s, and %zu %s besides that "
            "the paper does not print.",
            tables, counts.published, plural(counts.published, "number", "numbers"),
            both_words(&counts, document), besides, plural(besides, "number", "numbers"));
    } else {
        tables = document_text(document,
                               "%s, which prints no numbers of them; %zu were measured "
                               "here.",
                               tables, besides);
    }
    document_add(document, BLOCK_PARAGRAPH, "%s Measured on: %s.", tables,
                 machine[0] != '\0' ? machine : "nothing, no step left a file");
}

static bool is_drawn(const StudyFigure *figure, const StudyTable *table) {
    for (size_t i = 0; i < figure->line_count; i++) {
        if (strcmp(figure->lines[i].table, table->name) == 0) {
            return true;
        }
    }
    return false;
}

/* The first figure that draws a table; SIZE_MAX when none does. */
static size_t figure_of(const Study *study, const StudyTable *table) {
    for (size_t i = 0; i < study->figure_count; i++) {
        if (is_drawn(&study->figures[i], table)) {
            return i;
        }
    }
    return SIZE_MAX;
}

/* A table that is there for its figure stands with it. */
static bool stands_with_figure(const Study *study, const StudyTable *table) {
    return table->extra && figure_of(study, table) != SIZE_MAX;
}

static void add_tables(const StudyResult *result, Document *document) {
    bool any = false;
    for (size_t i = 0; i < result->study->table_count; i++) {
        const TableResult *table = &result->tables[i];
        if (stands_with_figure(result->study, table->table)) {
            continue;
        }
        if (!any) {
            document_heading(document, 2, "Tables");
            any = true;
        }
        document_heading(document, 3, study_heading_text(table->table->name, document));
        study_table_add(result, table, DIFFERENCES_ELSEWHERE, document);
    }
}

static void add_figure_tables(const StudyResult *result, size_t figure, Document *document) {
    for (size_t i = 0; i < result->study->table_count; i++) {
        const TableResult *table = &result->tables[i];
        if (table->table->extra && figure_of(result->study, table->table) == figure) {
            DocTable *added = study_table_add(result, table, DIFFERENCES_ELSEWHERE, document);
            if (added != NULL) {
                added->collapsed = true;
            }
        }
    }
}

static void add_figures(const StudyResult *result, Document *document) {
    if (result->study->figure_count > 0) {
        document_heading(document, 2, "Figures");
    }
    for (size_t i = 0; i < result->study->figure_count; i++) {
        const StudyFigure *figure = &result->study->figures[i];
        document_heading(document, 3, study_heading_text(figure->name, document));
        if (study_figure_add(result, figure, document) != NULL) {
            document_add(document, BLOCK_PARAGRAPH, "%s",
                         study_figure_note(result, figure, document));
        }
        add_figure_tables(result, i, document);
    }
}

void study_report_build(const StudyResult *result, Document *document) {
    const Study *study = result->study;
    char title[512];
    snprintf(title, sizeof title, "%s: measured again", study->title);
    document_open(document, title);
    if (study->citation != NULL) {
        document_add(document, BLOCK_PARAGRAPH, "%s", study->citation);
    }
    for (size_t i = 0; i < study->about.count; i++) {
        document_add(document, BLOCK_PARAGRAPH, "%s", study->about.items[i]);
    }
    add_summary(result, document);
    study_warnings_add(result, document);
    study_comparison_add(result, document);
    study_verdicts_add(result, true, document);
    add_tables(result, document);
    add_figures(result, document);
    study_course_add(result, document);
    study_build_add(result, document);
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
    Document document;
    study_report_build(result, &document);
    const Status status = write_document(result, &document);
    document_release(&document);
    return status;
}
