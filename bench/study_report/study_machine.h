/* The machines of a study: those of the paper and the one that it was measured on here. */
#ifndef BENCH_STUDY_MACHINE_H
#define BENCH_STUDY_MACHINE_H

#include "document.h"
#include "study_result.h"
#include "study_tally.h"

/* "Intel(R) Xeon(R) Processor (16 processors), NVIDIA H200", from the facts of the steps' files;
 * "" when no step left any. */
const char *study_machine_words(const StudyResult *result, Document *document);

/* Counts the machines of the paper's numbers in a column of a table, or in all (SIZE_MAX). */
void study_published_machines(const StudyResult *result, const TableResult *table, size_t column,
                              Document *document, Tally *machines);

/* Counts the devices that the measured numbers of a column of a table are from, or of all
 * (SIZE_MAX), and the whole machine for those whose file names no device. */
void study_devices(const StudyResult *result, const TableResult *table, size_t column,
                   Document *document, Tally *devices);

typedef enum DifferencesTold {
    DIFFERENCES_HERE,     /* all of them, for a table that stands alone */
    DIFFERENCES_ELSEWHERE /* more than one by pointing to the report's section */
} DifferencesTold;

/* "The hardware differs …" and the study's `difference` lines as sentences. */
const char *study_differences(const StudyResult *result, DifferencesTold told, Document *document);

/* The section "What is compared with what". */
void study_comparison_add(const StudyResult *result, Document *document);

/* The section "Machine and build". */
void study_build_add(const StudyResult *result, Document *document);

#endif
