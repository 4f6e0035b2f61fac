/* What the sections of an overview share, and the sections, each in a file of its own. */
#ifndef BENCH_OVERVIEW_PARTS_H
#define BENCH_OVERVIEW_PARTS_H

#include "overview.h"
#include "run_groups.h"

/* The most variants that a table or a chart shows. */
enum { VARIANTS_MAX = 64 };

/* Groups of one algorithm and input: they differ in the answer point. */
typedef struct Family {
    const Row *head; /* the first row */
    const RunGroup **groups;
    size_t count, capacity;
} Family;

typedef struct Overview {
    const OverviewRun *run;
    const Results *results;
    Document *document;
    RunGroups groups; /* all, the copies that are only roofs among them */
    Family *families; /* without those */
    size_t count, capacity;
    bool many_algorithms, many_inputs,
        many_answers; /* which columns it takes to tell groups apart */
} Overview;

/* Without memory the document has failed. */
void overview_open(const OverviewRun *run, Document *document, Overview *overview);
void overview_close(Overview *overview);
/* Makes the document fail unless `status` is good; returns whether it is. */
bool overview_check(const Overview *overview, Status status);

/* Of a family of many groups the first, the middle and the last stand for all. */
bool family_shows(const Family *family, size_t index);
/* "lbp on meadow.jpg" */
void family_name(const Family *family, char *text, size_t size);
/* "lbp_riu, texture, pr 8:1": a group within its family, for titles. */
const char *group_title(const Overview *overview, const Family *family, const RunGroup *group);
/* "pr 8:1, interp bilinear": the axes of the answer that differ within the family, or those that do
 * not; "" when there are none. */
void answer_words(const Family *family, const RunGroup *group, bool differing, char *text,
                  size_t size);
/* The axes that differ but for one, which is given by its place. */
void answer_words_without(const Family *family, const RunGroup *group, size_t axis, char *text,
                          size_t size);
/* The row of the greatest size that has a verified time; NULL when there is none. */
const Row *group_largest(const RunGroup *group);
/* The same number for a variant in every chart. */
int variant_colour(const Row *row);

/* The overview with the columns that it takes to tell all rows apart, those of the copy that is
 * only a roof among them. It owns nothing. */
Overview overview_of_rows(const Overview *overview);
/* Columns that tell groups apart, as far as this run needs them, and their cells. */
void group_columns(const Overview *overview, DocTable *table);
void group_cells(const Overview *overview, DocTable *table, const Row *row);

void overview_summary(const Overview *overview);
void overview_words(const Overview *overview); /* the paragraphs of the summary */
void overview_crossovers(const Overview *overview);
/* Where one size was measured: at how many answer points each variant on a device is ahead. */
void one_size_table(const Overview *overview, const Family *family);
/* There: from which value of each axis of the answer that is a number. */
void answer_crossovers(const Overview *overview, const Family *family);
void overview_charts(const Overview *overview);
/* Nothing where no kernel was timed in parts. */
void overview_stages(const Overview *overview);
void overview_rooflines(const Overview *overview);
void overview_verification(const Overview *overview);
void overview_cells(const Overview *overview);
void overview_reasons(const Overview *overview);
void overview_machine(const Overview *overview);
void overview_method(const Overview *overview);

#endif
