/* A study's result as files. */
#ifndef BENCH_STUDY_REPORT_H
#define BENCH_STUDY_REPORT_H

#include "document.h"
#include "study_result.h"

/* The whole report: about, how it was measured, each table and figure with its words, steps and
 * commands, machine facts, what was not run and why. */
void study_report_build(const StudyResult *result, Document *document);

/*
 * Writes into settings->out: report.html, report.md, tables/<name>.csv|.md|.tex, tables/all.tex,
 * figures/<name>.csv|.svg|.pdf|.png. STATUS_SKIP with the reason when all but pictures could be
 * written.
 */
Status study_report_write(const StudyResult *result);

#endif
