/* The runs of a report: families of groups of rows, their names and columns. */

#include "algorithm.h"
#include "document.h"
#include "report.h"
#include "report_internal.h"
#include "stored_run.h"
#include "table.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "axis.h"

/* === Runs of a report ========================================================================= */

enum { FAMILY_SHOWN_MAX = 3, ANSWER_SIZE = POINT_AXES_MAX * 2 * AXIS_TEXT_SIZE };

static Family *find_family(const RunPage *page, const Row *row) {
    for (size_t i = 0; i < page->count; i++) {
        if (row_same_input(page->families[i].head, row)) {
            return &page->families[i];
        }
    }
    return NULL;
}

static void add_to_family(RunPage *page, const RunGroup *group) {
    Document *document = page->document;
    Family *family = find_family(page, group->rows[0]);
    if (family == NULL && DOCUMENT_ROOM(document, page->families, page->count, page->capacity)) {
        family = &page->families[page->count++];
        *family = (Family){.head = group->rows[0]};
    }
    if (family != NULL &&
        DOCUMENT_ROOM(document, family->groups, family->count, family->capacity)) {
        family->groups[family->count++] = group;
    }
}

static bool is_copy(const RunGroup *group) {
    return row_is_roof(group->rows[0]);
}

/* The copy is measured with every algorithm, as its roof; it is a family when it is all there is.
 */
static bool has_others(const RunGroups *groups) {
    for (size_t i = 0; i < groups->count; i++) {
        if (!is_copy(&groups->groups[i])) {
            return true;
        }
    }
    return false;
}

/* Whether two rows differ in algorithm and input. */
static void note_columns(const Row *first, const Row *row, GroupColumns *columns) {
    columns->algorithm |= row->algorithm != first->algorithm;
    columns->input |= strcmp(row->input, first->input) != 0;
}

static void link_twins(RunReport *report) {
    for (size_t run = 0; run < report->count && report->count > 1; run++) {
        for (size_t i = 0; i < report->of[run].count; i++) {
            Family *family = &report->of[run].families[i];
            family->twin = find_family(&report->of[1 - run], family->head);
        }
    }
}

/* The same columns for every run of the report. */
static void set_columns(RunReport *report) {
    GroupColumns columns = {.algorithm = false};
    GroupColumns row_columns = {.algorithm = false};
    const Row *first = NULL, *head = NULL;
    for (size_t run = 0; run < report->count; run++) {
        const RunPage *page = &report->of[run];
        for (size_t i = 0; i < page->groups.count; i++) {
            const Row *row = page->groups.groups[i].rows[0];
            first = first != NULL ? first : row;
            note_columns(first, row, &row_columns);
        }
        for (size_t i = 0; i < page->count; i++) {
            const Family *family = &page->families[i];
            head = head != NULL ? head : family->head;
            note_columns(head, family->head, &columns);
            columns.answer |= family->count > 1 ||
                              (family->twin != NULL &&
                               !point_equal(&family->head->answer, &family->twin->head->answer));
        }
    }
    row_columns.answer = columns.answer;
    for (size_t run = 0; run < report->count; run++) {
        report->of[run].columns = columns;
        report->of[run].row_columns = row_columns;
    }
}

static RunPage page_of(const ReportRun *run, Document *document) {
    RunPage page = {.run = run, .results = &run->stored->results, .document = document};
    page.groups = run_groups_make(page.results, document);
    const bool others = has_others(&page.groups);
    for (size_t i = 0; i < page.groups.count; i++) {
        const RunGroup *group = &page.groups.groups[i];
        if (!others || !is_copy(group)) {
            add_to_family(&page, group);
        }
    }
    return page;
}

bool family_shows(const Family *family, size_t index) {
    return family->count <= FAMILY_SHOWN_MAX || index == 0 || index == family->count / 2 ||
           index == family->count - 1;
}

const char *family_name(Document *document, const Family *family) {
    return document_text(document, "%s on %s", family->head->algorithm->name, family->head->input);
}

const char *family_slug(Document *document, const Family *family) {
    enum { SLUG_SIZE = 64 };
    char slug[SLUG_SIZE] = "";
    document_slug(family_name(document, family), slug, sizeof slug);
    return document_text(document, "%s", slug);
}

const char *group_title(const RunPage *page, const Family *family, const RunGroup *group) {
    const char *answer = answer_words(page->document, family, &group->rows[0]->answer, true);
    return document_text(page->document, "%s, %s%s%s", family->head->algorithm->name,
                         family->head->input, answer[0] != '\0' ? ", " : "", answer);
}

/* Whether some group of `other` has another value than the family's first. They have the same axes.
 */
static bool axis_differs(const Family *family, const Family *other, size_t axis) {
    const Point *first = &family->groups[0]->rows[0]->answer;
    for (size_t i = 0; i < other->count; i++) {
        const Point *answer = &other->groups[i]->rows[0]->answer;
        if (axis < answer->count && axis < first->count &&
            strcmp(answer->values[axis].text, first->values[axis].text) != 0) {
            return true;
        }
    }
    return false;
}

/* The axes of the answer, a bit each, that differ within the family and its twin, or those that do
 * not within the family. */
static unsigned answer_axes(const Family *family, const Point *answer, bool differing) {
    unsigned axes = 0;
    for (size_t i = 0; i < answer->count; i++) {
        const bool differs =
            axis_differs(family, family, i) ||
            (differing && family->twin != NULL && axis_differs(family, family->twin, i));
        axes |= (unsigned)(differs == differing) << i;
    }
    return axes;
}

/* Never NULL. */
static const char *answer_text(Document *document, const Point *point, unsigned axes) {
    char words[ANSWER_SIZE];
    point_words(point, axes, words, sizeof words);
    return document_text(document, "%s", words);
}

const char *answer_words(Document *document, const Family *family, const Point *answer,
                         bool differing) {
    return answer_text(document, answer, answer_axes(family, answer, differing));
}

const char *answer_words_without(Document *document, const Family *family, const Point *answer,
                                 size_t axis) {
    return answer_text(document, answer, answer_axes(family, answer, true) & ~(1U << axis));
}

RunPage page_of_rows(const RunPage *page) {
    RunPage all = *page;
    all.columns = page->row_columns;
    return all;
}

void group_columns(const RunPage *page, DocTable *table) {
    if (page->columns.algorithm) {
        TABLE_COLUMNS(page->document, table, WORDS("algorithm"));
    }
    if (page->columns.input) {
        TABLE_COLUMNS(page->document, table, WORDS("input"));
    }
    if (page->columns.answer) {
        TABLE_COLUMNS(page->document, table, WORDS("answer"));
    }
}

/* The number that the value of a single axis begins with, for sorting: "box 16" after "box 4". */
static double answer_number(const Point *answer, unsigned axes) {
    double number = NAN;
    for (size_t i = 0; i < answer->count; i++) {
        const char *text = answer->values[i].text;
        if (axes == 1U << i && *text >= '0' && *text <= '9') {
            number = leading_number(text, NULL);
        }
    }
    return number;
}

static void answer_cell(const RunPage *page, DocTable *table, const Row *row) {
    const Family *family = find_family(page, row);
    const unsigned axes = family != NULL ? answer_axes(family, &row->answer, true) : 0;
    table_cell(page->document, table,
               &(DocCell){.text = answer_text(page->document, &row->answer, axes),
                          .number = answer_number(&row->answer, axes)});
}

void group_cells(const RunPage *page, DocTable *table, const Row *row) {
    if (page->columns.algorithm) {
        table_words(page->document, table, row->algorithm->name);
    }
    if (page->columns.input) {
        table_words(page->document, table, row->input);
    }
    if (page->columns.answer) {
        answer_cell(page, table, row);
    }
}

const char *const run_letters[2] = {"A", "B"};

void run_warn(const RunReport *report, size_t run, const char *text) {
    if (report->count > 1) {
        document_add(report->document, BLOCK_WARNING, "%s: %s.", run_letters[run], text);
    } else if (text[0] != '\0') {
        document_add(report->document, BLOCK_WARNING, "%c%s.", toupper((unsigned char)text[0]),
                     text + 1);
    }
}

RunReport run_report_make(const ReportRun *runs, size_t count, Document *document) {
    RunReport report = {.document = document, .count = count};
    for (size_t run = 0; run < count; run++) {
        report.of[run] = page_of(&runs[run], document);
    }
    link_twins(&report);
    set_columns(&report);
    return report;
}
