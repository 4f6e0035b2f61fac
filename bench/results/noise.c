/* The noise of rows: what made single times less sure, as marks, in one line, and in full. */

#include "number.h"
#include "results.h"
#include "results_internal.h"
#include "table.h"
#include "terminal.h"
#include "text.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* === Marks ==================================================================================== */

const NoiseMark noise_marks[NOISE_MARKS] = {
    {'!', offsetof(Row, throttled), "throttled", "throttling",
     "the processor ran clearly below its clock, or a CPU quota stopped the program"},
    {'%', offsetof(Row, starved), "starved", "other programs",
     "other programs took more than a tenth of the processor's time"},
    {'$', offsetof(Row, stolen), "stolen", "other guests of the host",
     "other guests of the host had the processors for over 1% of the time"},
    {'~', offsetof(Row, slow_phase), "slow phase", "slow phases",
     "the machine was over 5% slower than at its best in this run"},
    {'^', offsetof(Row, multimodal), "multimodal", "several modes",
     "the samples have more than one mode, a median may jump"},
    {'>', offsetof(Row, over_roof), "over the roof", "a wrong roof",
     "the cost model or a ceiling is wrong ('bench machine roof --fresh')"},
};

_Static_assert(NOISE_MARKS + 2 <= CONSOLE_MARKS_SIZE, "a blank, every mark and the end fit");

bool noise_mark_applies(const NoiseMark *mark, const Row *row) {
    return *(const bool *)((const char *)row + mark->offset);
}

static bool is_noisy(const Row *row) {
    for (size_t i = 0; i < NOISE_MARKS; i++) {
        if (noise_mark_applies(&noise_marks[i], row)) {
            return true;
        }
    }
    return false;
}

static size_t noise_count(const NoiseMark *mark, const RowList *rows) {
    size_t count = 0;
    for (size_t i = 0; i < rows->count; i++) {
        count += noise_mark_applies(mark, rows->rows[i]);
    }
    return count;
}

void row_marks(const Row *row, char marks[CONSOLE_MARKS_SIZE]) {
    size_t length = 0;
    for (size_t i = 0; i < NOISE_MARKS; i++) {
        if (noise_mark_applies(&noise_marks[i], row)) {
            marks[length] = length == 0 ? ' ' : marks[length];
            length += length == 0;
            marks[length++] = noise_marks[i].letter;
        }
    }
    marks[length] = '\0';
}

/* In the width of the window. */
static void say(FILE *stream, const char *text) {
    Flow flow = {.stream = stream, .indent = 2, .columns = (size_t)terminal_columns(stream) - 1};
    flow_words(&flow, INK_PLAIN, text);
    flow_end(&flow);
}

/* "% starved: other programs took …"; without the letter where the table has names. */
static void explain(FILE *stream, const RowList *rows, bool letters) {
    for (size_t i = 0; i < NOISE_MARKS; i++) {
        const NoiseMark *mark = &noise_marks[i];
        if (noise_count(mark, rows) > 0) {
            const char letter[] = {mark->letter, ' ', '\0'};
            char text[160];
            snprintf(text, sizeof text, "%s%s: %s", letters ? letter : "", mark->name,
                     mark->meaning);
            say(stream, text);
        }
    }
}

void row_marks_explain(FILE *stream, const RowList *rows) {
    explain(stream, rows, true);
}

/* === In one line ============================================================================== */

static double launches_aside(const RowList *rows) {
    double most = 0;
    for (size_t i = 0; i < rows->count; i++) {
        most = fmax(most, rows->rows[i]->set_aside); /* NAN is no number */
    }
    return most;
}

void noise_words(const RowList *rows, size_t warnings, char *text, size_t size) {
    const double aside = launches_aside(rows);
    size_t noisy = 0;
    const char *before = " (";
    text[0] = '\0';
    for (size_t i = 0; i < rows->count; i++) {
        noisy += is_noisy(rows->rows[i]);
    }
    if (noisy > 0) {
        text_append(text, size, "%zu of %zu times shown %s noisy", noisy, rows->count,
                    noisy == 1 ? "is" : "are");
    }
    for (size_t i = 0; i < NOISE_MARKS; i++) {
        if (noise_count(&noise_marks[i], rows) > 0) {
            text_append(text, size, "%s%s", before, noise_marks[i].by);
            before = ", ";
        }
    }
    text_append(text, size, "%s", noisy > 0 ? ")" : "");
    if (aside > 0) {
        text_append(text, size, "%sup to %.0f launch%s of a time set aside", noisy > 0 ? "; " : "",
                    aside, aside > 1 ? "es" : "");
    }
    if (warnings > 0) {
        text_append(text, size, "%s%zu warning%s", text[0] != '\0' ? "; " : "", warnings,
                    warnings == 1 ? "" : "s");
    }
}

/* === In full ================================================================================== */

static void put_share(TextTable *table, double share, double least) {
    char text[SIGNIFICANT_SIZE] = "";
    if (share >= least) {
        percent_text(share, share < 0.1 ? 1 : 0, text);
    }
    text_table_put_kind(table, CELL_PLAIN, text);
}

static void put_names(TextTable *table, const Row *row) {
    char text[160] = "";
    for (size_t i = 0; i < NOISE_MARKS; i++) {
        if (noise_mark_applies(&noise_marks[i], row)) {
            text_append(text, sizeof text, "%s%s", text[0] != '\0' ? ", " : "",
                        noise_marks[i].name);
        }
    }
    text_table_put(table, "%s", text);
}

static void print_noisy(FILE *stream, const RowList *rows) {
    static const double seen = 0.001;
    TextTable table = TEXT_TABLE(WORDS("cell"), WORDS("noise"), NUMBERS("stolen", .rank = 2),
                                 NUMBERS("slower", .rank = 3), NUMBERS("set aside", .rank = 1));
    table.table.wraps = stream_is_terminal(stream); /* names of cells are long */
    for (size_t i = 0; i < rows->count; i++) {
        const Row *row = rows->rows[i];
        char name[512];
        row_name(row, name, sizeof name);
        text_table_put(&table, "%s", name);
        put_names(&table, row);
        put_share(&table, row->stolen_share, seen);
        put_share(&table, row->slowdown - 1, seen);
        if (row->set_aside > 0) {
            text_table_put(&table, "%.0f", row->set_aside);
        } else {
            text_table_skip(&table);
        }
    }
    text_table_show(&table, stream);
}

void report_noise(FILE *stream, const RunRecord *record, const Results *results) {
    RowList noisy = {.rows = calloc(results->count + 1, sizeof *noisy.rows)};
    size_t timed = 0;
    for (size_t i = 0; noisy.rows != NULL && i < results->count; i++) {
        const Row *row = &results->rows[i];
        timed += row_is_measured(row);
        if (row_is_measured(row) && (is_noisy(row) || row->set_aside > 0)) {
            noisy.rows[noisy.count++] = row;
        }
    }
    visible_line(stream, "%zu of %zu %s %s noisy.", noisy.count, timed,
                 plural(timed, "cell", "cells"), plural(noisy.count, "is", "are"));
    if (noisy.count > 0) {
        fputc('\n', stream);
        print_noisy(stream, &noisy);
        fputc('\n', stream);
        explain(stream, &noisy, false);
        say(stream, "columns: stolen, share of the time that other guests had; slower, than the "
                    "machine at its best in this run; set aside, launches that no number is of");
    }
    for (size_t i = 0; i < record->warnings.count; i++) {
        char text[WARNING_SIZE + 16];
        snprintf(text, sizeof text, "warning: %s", record->warnings.text[i]);
        say(stream, text);
    }
    free(noisy.rows);
}
