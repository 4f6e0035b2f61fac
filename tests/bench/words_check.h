/* The paragraphs that are said about a table, compared with what they should be. */
#ifndef TESTS_BENCH_WORDS_CHECK_H
#define TESTS_BENCH_WORDS_CHECK_H

#include "report.h"
#include "scratch_study.h"
#include "study_internal.h"

static const char head[] = "study test\ntitle Test\n\nstep main run\n  --algo lbp\n\n";
static const char columns[] = "variant,size,answer,threads,status,why,kernel_ms_median,"
                              "kernel_ms_ci_low,kernel_ms_ci_high,kernel_ms_mean,end_to_end_ms\n";

/* The paragraphs about the first table, each compared with one of `expected` (NULL at the end). */
static inline void check_words(const char *table, const char *published, const char *rows,
                               const char *const *expected) {
    char study[4096];
    char records[4096];
    snprintf(study, sizeof study, "%s%s", head, table);
    snprintf(records, sizeof records, "%s%s", columns, rows);
    ScratchStudy scratch;
    scratch_study_open(&scratch, study, published, records);
    scratch_study_make(&scratch);
    Document document;
    document_open(&document, "words");
    study_words_add(&document, &scratch.result.tables[0]);
    check_ok(document_status(&document));
    size_t count = 0;
    for (; expected[count] != NULL; count++) {
        assert_true(count < document.count);
        assert_int_equal(document.blocks[count].kind, BLOCK_PARAGRAPH);
        assert_string_equal(document.blocks[count].text, expected[count]);
    }
    if (document.count > count) {
        fail_msg("said besides: %s", document.blocks[count].text);
    }
    document_release(&document);
    scratch_study_close(&scratch);
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__ __VA_OPT__(, ) NULL})

#endif
