#include "study_machine.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "study_facts.h"
#include "study_places.h"

static const char comparison_heading[] = "What is compared with what";

static const char *processor_words(const StudyResult *result, Document *document) {
    const char *model = study_fact(result, "cpu_model", document);
    const char *count = study_fact(result, "cpu_count", document);
    const char *words = model[0] == '\0' || count[0] == '\0'
                            ? model
                            : document_text(document, "%s (%s processors)", model, count);
    return words != NULL ? words : "";
}

const char *study_machine_words(const StudyResult *result, Document *document) {
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

/* A processor's name alone does not say how many of them there are. */
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
        const StepRecords *records = study_column_records(result, table->table, read);
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

const char *study_differences(const StudyResult *result, DifferencesTold told, Document *document) {
    const StudyTexts *differences = &result->study->differences;
    if (told == DIFFERENCES_ELSEWHERE && differences->count > 1) {
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

void study_comparison_add(const StudyResult *result, Document *document) {
    const Study *study = result->study;
    document_heading(document, 2, comparison_heading);
    DocTable *table = document_table(document, "machines", "The machines");
    table_column(document, table, &(DocColumn){.title = "Numbers"});
    table_column(document, table, &(DocColumn){.title = "Machine"});
    table_column(document, table, &(DocColumn){.title = "Used for"});
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
