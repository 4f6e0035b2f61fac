/* Where a report goes, and its files. */
#ifndef BENCH_REPORT_OUTPUT_H
#define BENCH_REPORT_OUTPUT_H

#include <stdio.h>

#include "atomic_file.h"
#include "document.h"
#include "report_options.h"

typedef struct ReportPlace {
    unsigned formats; /* bits of ReportFormat */
    char folder[ATOMIC_FILE_PATH_SIZE];
    char file[ATOMIC_FILE_PATH_SIZE]; /* of the one format there is; empty: report.html, report.md
                                         in the folder */
} ReportPlace;

/* What --out, --format and the runs make of it; a folder that is not there is made. STATUS_USAGE
 * when a file is named for formats that it is not of, STATUS_FILE. */
Status report_place_find(const ReportOptions *options, ReportPlace *place);

/* Writes the document and prints the path of each file and folder on `listing`. STATUS_SKIP with
 * the reason when only pictures for Markdown could not be made. */
Status report_write(const ReportPlace *place, const Document *document, FILE *listing);

#endif
