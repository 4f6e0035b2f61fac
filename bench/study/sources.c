/* Where the numbers of a study are from: conventions, machines, devices, samples. */

#include "csv_columns.h"
#include "document.h"
#include "machine.h"
#include "row.h"
#include "study_internal.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "list.h"
#include "status.h"
#include "text.h"

/* === Study tally ============================================================================== */

const char *text_joined(Document *document, const char *list, const char *separator,
                        const char *item) {
    const bool empty = list == NULL || list[0] == '\0';
    return document_text(document, "%s%s%s", empty ? "" : list, empty ? "" : separator,
                         item != NULL ? item : "");
}

const char *text_listed(Document *document, const char *name) {
    return strchr(name, ',') != NULL ? document_text(document, "“%s”", name) : name;
}

bool same_texts(const char *left, const char *right) {
    return strcmp(left != NULL ? left : "", right != NULL ? right : "") == 0;
}

bool text_is_one_of(const char *text, const char *const *texts, size_t count) {
    size_t i = 0;
    while (i < count && strcmp(texts[i], text) != 0) {
        i++;
    }
    return i < count;
}

static TallyItem *item_of(Tally *tally, Document *document, const char *key) {
    for (size_t i = 0; i < tally->count; i++) {
        if (strcmp(tally->items[i].key, key) == 0) {
            return &tally->items[i];
        }
    }
    const Status room =
        LIST_ROOM(&document->memory, tally->items, tally->count, tally->capacity, "texts");
    if (!status_is_ok(&room)) {
        document->failed = true;
        return NULL;
    }
    tally->items[tally->count] = (TallyItem){.key = document_text(document, "%s", key)};
    return &tally->items[tally->count++];
}

void tally_add(Tally *tally, Document *document, const char *key, const char *with) {
    TallyItem *item = key != NULL ? item_of(tally, document, key) : NULL;
    if (item == NULL) {
        return;
    }
    item->count++;
    if (with != NULL && with[0] != '\0' &&
        (item->with == NULL || !text_has_item(item->with, ", ", with))) {
        item->with = text_joined(document, item->with, ", ", with);
    }
}

const char *tally_keys(const Tally *tally, Document *document, const char *separator) {
    const char *text = "";
    for (size_t i = 0; i < tally->count; i++) {
        text = text_joined(document, text, separator, tally->items[i].key);
    }
    return text;
}

const char *tally_text(const Tally *tally, Document *document) {
    const char *text = "";
    for (size_t i = 0; i < tally->count; i++) {
        const TallyItem *item = &tally->items[i];
        text = text_joined(document, text, "; ",
                           document_text(document, "%s (%s)", item->key, item->with));
    }
    return text;
}

/* === Machines ================================================================================= */

/* The distinct values of a fact in the files of all steps, separated by "; "; "" when none has it.
 */
const char *study_fact(const StudyResult *result, const char *key, Document *document) {
    Tally values = {0};
    for (size_t step = 0; step < result->study->step_count; step++) {
        const char *value = csv_frame_fact(&result->records[step].table, key);
        if (value[0] != '\0') {
            tally_add(&values, document, value, NULL);
        }
    }
    return tally_keys(&values, document, "; ");
}

const char *study_processor_words(const StudyResult *result, Document *document) {
    const char *model = study_fact(result, fact_cpu_model, document);
    const char *count = study_fact(result, fact_cpu_count, document);
    return model[0] == '\0' || count[0] == '\0'
               ? model
               : document_text(document, "%s (%s processors)", model, count);
}

/* The processor and the GPU: "…, NVIDIA H200". */
static const char *study_machine_words(const StudyResult *result, Document *document) {
    const char *processor = study_processor_words(result, document);
    const char *gpu = study_fact(result, fact_gpu_model, document);
    return gpu[0] != '\0' ? text_joined(document, processor, ", ", gpu) : processor;
}

/* === Differences ============================================================================== */

const char *study_sentence(const char *text, Document *document) {
    const size_t length = strlen(text);
    const char last = length > 0 ? text[length - 1] : '.';
    return last == '.' || last == '!' || last == '?' ? text : document_text(document, "%s.", text);
}

const char *study_differences(const StudyResult *result, DifferencesShown shown,
                              Document *document) {
    const StudyTexts *differences = &result->study->differences;
    if (shown == DIFFERENCES_ELSEWHERE && differences->count > 1) {
        return document_text(document, "The hardware differs, and %zu other things: see \"%s\".",
                             differences->count, study_comparison_heading);
    }
    const char *words = "The hardware differs.";
    for (size_t i = 0; i < differences->count; i++) {
        words = text_joined(document, words, " ", study_sentence(differences->items[i], document));
    }
    return words;
}

/* === Sources ================================================================================== */

/* How the paper took its times does not concern a table without any. */
static const char *convention_of(const StudyResult *result, const StudyTable *table) {
    bool times = false;
    for (size_t i = 0; i < table->column_count; i++) {
        times = times || table->columns[i].unit.time != NULL;
    }
    return table->convention != NULL || !times ? table->convention : result->study->convention;
}

/* The device of a value's record, or the whole machine; a processor with how many there are. */
static const char *device_words(const StudyResult *result, const StudyValue *value,
                                Document *document) {
    char device[CSV_VALUE_SIZE];
    study_value_text(value, csv_column_at(offsetof(Row, device)), device);
    if (device[0] == '\0') {
        return study_machine_words(result, document);
    }
    const char *model = study_fact(result, fact_cpu_model, document);
    return strcmp(device, model) == 0 ? study_processor_words(result, document)
                                      : document_text(document, "%s", device);
}

static void add_samples(const StudyValue *value, StudySources *sources) {
    const double number =
        study_value_number(value, csv_column_at(offsetof(Row, kernel_summary.count)));
    if (value->column->unit.time != NULL && isfinite(value->measured) && number > 0) {
        const long samples = lround(number);
        sources->least = sources->least == 0 || samples < sources->least ? samples : sources->least;
        sources->most = samples > sources->most ? samples : sources->most;
    }
}

static void add_source(Tally *tally, Document *document, const char *words) {
    if (words[0] != '\0') {
        tally_add(tally, document, words, NULL);
    }
}

void study_sources_add(const StudyResult *result, const TableResult *table, size_t column,
                       Document *document, StudySources *sources) {
    const StudyTable *study = table->table;
    /* A ratio has no records; its table has those of what it is made of. */
    const bool all = column == SIZE_MAX || study->columns[column].source != COLUMN_CSV;
    if (study_has_published(table, column)) {
        sources->published = true;
        tally_add(&sources->conventions, document, convention_of(result, study), NULL);
    }
    for (size_t i = 0; i < table->count; i++) {
        const StudyValue *value = &table->values[i];
        const bool asked = column == SIZE_MAX || column == i % study->column_count;
        if (asked && value->paper != NULL) {
            add_source(&sources->machines, document, value->paper->machine);
        }
        if ((asked || all) && isfinite(value->measured) && value->column->source == COLUMN_CSV) {
            const char *device = device_words(result, value, document);
            add_source(&sources->devices, document,
                       device[0] != '\0' ? device : "a machine that no run of the study names");
        }
        add_samples(value, sources);
    }
}

/* "15 samples, on Processor P"; `unknown` without either. */
static const char *words_on(const char *what, const char *machines, const char *unknown,
                            Document *document) {
    if (machines[0] == '\0') {
        return what[0] != '\0' ? what : unknown;
    }
    return text_joined(document, what, ", ", document_text(document, "on %s", machines));
}

static const char *published_words(const char *conventions, const char *machines,
                                   Document *document) {
    return machines[0] == '\0' ? text_joined(document, conventions, ", ", "machine not named")
                               : words_on(conventions, machines, "", document);
}

static const char *samples_words(const StudySources *sources, Document *document) {
    if (sources->most == 0) {
        return "";
    }
    return sources->least == sources->most
               ? document_text(document, "%ld sample%s each", sources->most,
                               sources->most == 1 ? "" : "s")
               : document_text(document, "%ld to %ld samples", sources->least, sources->most);
}

const char *study_sources_words(const StudySources *sources, Document *document) {
    const char *conventions = tally_keys(&sources->conventions, document, "; ");
    const char *machines = tally_keys(&sources->machines, document, "; ");
    const char *devices = tally_keys(&sources->devices, document, "; ");
    const char *samples = samples_words(sources, document);
    if (document->failed) {
        return "";
    }
    const char *measured =
        document_text(document, "Measured: %s.", words_on(samples, devices, "nothing", document));
    return sources->published
               ? document_text(document, "Published: %s. %s",
                               published_words(conventions, machines, document), measured)
               : measured;
}
