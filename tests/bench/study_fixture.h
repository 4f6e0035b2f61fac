/* The study of tests/data/study-example, as if its one step had left the results.csv there. */
#ifndef TESTS_BENCH_STUDY_FIXTURE_H
#define TESTS_BENCH_STUDY_FIXTURE_H

#include "document.h"
#include "report_internal.h"
#include "study_internal.h"
#include "table.h"
#include "test.h"

static const char example_folder[] = TEST_DATA "/study-example";

typedef struct StudyFixture {
    Study study;
    Published published;
    StudySettings settings;
    StudyResult result;
} StudyFixture;

/* The outcome of the step may be changed between this and study_fixture_make. */
static inline StepOutcome *study_fixture_open(StudyFixture *fixture, const char *out) {
    *fixture = (StudyFixture){.settings = {.data = "data", .out = out}};
    Status status = study_file_read(example_folder, &fixture->study);
    assert_string_equal(status.why, "");
    status = published_read(&fixture->study, &fixture->published);
    assert_string_equal(status.why, "");
    StepOutcome *outcome = calloc(1, sizeof *outcome);
    assert_non_null(outcome);
    snprintf(outcome->command, sizeof outcome->command, "bench run --algo lbp --sizes 360p,1080p");
    snprintf(outcome->csv, sizeof outcome->csv, "%s/results.csv", example_folder);
    return outcome;
}

static inline void study_fixture_make(StudyFixture *fixture, StepOutcome *outcome) {
    const Status status = study_result_make(&fixture->study, &fixture->published,
                                            &fixture->settings, outcome, &fixture->result);
    assert_string_equal(status.why, "");
}

static inline void study_fixture_release(StudyFixture *fixture) {
    study_result_release(&fixture->result);
    published_release(&fixture->published);
    study_release(&fixture->study);
}

/* The first block of a kind whose text has `part` in it; NULL when there is none. */
static inline const Block *find_text(const Document *document, BlockKind kind, const char *part) {
    for (size_t i = 0; i < document->count; i++) {
        const Block *block = &document->blocks[i];
        if (block->kind == kind && block->text != NULL && strstr(block->text, part) != NULL) {
            return block;
        }
    }
    return NULL;
}

static inline const DocTable *find_table(const Document *document, const char *name) {
    for (size_t i = 0; i < document->count; i++) {
        const Block *block = &document->blocks[i];
        if (block->kind == BLOCK_TABLE && strcmp(block->table->name, name) == 0) {
            return block->table;
        }
    }
    return NULL;
}

static inline const DocChart *find_chart(const Document *document, const char *name) {
    for (size_t i = 0; i < document->count; i++) {
        const Block *block = &document->blocks[i];
        if (block->kind == BLOCK_CHART && strcmp(block->chart->name, name) == 0) {
            return block->chart;
        }
    }
    return NULL;
}

/* The report of the study. */
typedef struct Built {
    StudyFixture fixture;
    Document document;
} Built;

static inline void build_from(Built *built, StepOutcome *outcome) {
    study_fixture_make(&built->fixture, outcome);
    study_report_build(&built->fixture.result, &(StudyRuns){.count = 0}, &built->document);
    const Status status = document_status(&built->document);
    assert_string_equal(status.why, "");
}

static inline void build(Built *built) {
    build_from(built, study_fixture_open(&built->fixture, "unused"));
}

static inline void release(Built *built) {
    document_release(&built->document);
    study_fixture_release(&built->fixture);
}

static inline void assert_cell(const DocTable *table, size_t row, size_t column, const char *text,
                               CellKind kind) {
    const DocCell *cell = table_at(table, row, column);
    assert_non_null(cell);
    assert_string_equal(cell->text != NULL ? cell->text : "", text);
    assert_int_equal(cell->kind, kind);
}

static inline void assert_column(const DocTable *table, size_t column, const char *group,
                                 const char *title) {
    assert_true(column < table->column_count);
    assert_string_equal(table->columns[column].title, title);
    if (group == NULL) {
        assert_null(table->columns[column].group);
    } else {
        assert_string_equal(table->columns[column].group, group);
    }
}

#endif
