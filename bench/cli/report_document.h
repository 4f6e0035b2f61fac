/* Stored runs as one document. */
#ifndef BENCH_REPORT_DOCUMENT_H
#define BENCH_REPORT_DOCUMENT_H

#include "document.h"
#include "overview.h"
#include "report_options.h"

enum { REPORT_NAME_SIZE = 256 };

typedef struct ReportRuns {
    StoredRun *stored;
    char (*names)[REPORT_NAME_SIZE]; /* no two alike */
    size_t count;
} ReportRuns;

/* Reads every run of the options. STATUS_FILE naming the file and what is wrong with it,
 * STATUS_SKIP when one has no rows to tell of; nothing is to be released then. */
Status report_runs_read(const ReportOptions *options, ReportRuns *runs);
void report_runs_release(ReportRuns *runs);

/* The whole report, opened here; release it. Check document_status. */
void report_document_build(const ReportOptions *options, const ReportRuns *runs,
                           Document *document);

#endif
