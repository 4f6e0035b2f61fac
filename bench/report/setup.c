/* The sections about what was measured on and how. */

#include "report_internal.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base.h"
#include "ceilings.h"
#include "machine.h"
#include "resources.h"
#include "results.h"

/* === Overview machine ========================================================================= */

enum { TEXT_SIZE = 96 };

static void add_facts(Document *document, const Machine *machine) {
    DocTable *table = document_table(document, "machine", "What was measured on");
    table_column(document, table, &(DocColumn){.title = "fact"});
    table_column(document, table, &(DocColumn){.title = "value"});
    for (size_t i = 0; i < machine->count; i++) {
        const Fact *fact = &machine->facts[i];
        char name[FACT_KEY_SIZE];
        char text[FACT_VALUE_SIZE];
        fact_key_words(fact->key, name);
        fact_value_words(fact, text, sizeof text);
        table_words(document, table, name);
        table_cell(document, table,
                   &(DocCell){.text = text,
                              .number = fact->kind == FACT_NUMBER ? fact->number : (double)NAN,
                              .kind = fact->identity ? CELL_STRONG : CELL_PLAIN});
    }
    if (table != NULL) {
        table->note = "Strong: what makes a machine and a build the same; only runs that agree in "
                      "it are compared by 'bench compare'.";
    }
}

static void count_cell(Document *document, DocTable *table, int count) {
    char text[32];
    snprintf(text, sizeof text, "%d", count);
    table_cell(document, table, &(DocCell){.text = text, .number = count});
}

static void add_caches(Document *document, const Machine *machine) {
    DocTable *table = document_table(document, "caches", "Caches of the processor");
    table_column(document, table, &(DocColumn){.title = "level", .numeric = true});
    table_column(document, table, &(DocColumn){.title = "type"});
    table_column(document, table, &(DocColumn){.title = "size", .numeric = true});
    table_column(document, table,
                 &(DocColumn){.title = "shared by logical processors", .numeric = true});
    for (size_t i = 0; i < machine->cache_count; i++) {
        const Cache *cache = &machine->caches[i];
        char text[TEXT_SIZE];
        count_cell(document, table, cache->level);
        table_words(document, table, cache->type);
        format_bytes(cache->size, text, sizeof text);
        table_cell(document, table, &(DocCell){.text = text, .number = (double)cache->size});
        count_cell(document, table, cache->sharing);
    }
}

static void add_ceilings(Document *document, const Ceilings *ceilings) {
    DocTable *table =
        document_table(document, "ceilings", "What the machine does at best, as measured");
    table_column(document, table, &(DocColumn){.title = "ceiling"});
    table_column(document, table, &(DocColumn){.title = "on"});
    table_column(document, table, &(DocColumn){.title = "value", .numeric = true});
    table_column(document, table, &(DocColumn){.title = "working set", .numeric = true});
    for (size_t i = 0; i < ceilings->count; i++) {
        const Ceiling *ceiling = &ceilings->list[i];
        char text[TEXT_SIZE];
        table_words(document, table, ceiling->key);
        snprintf(text, sizeof text, "%d thread%s", ceiling->threads,
                 ceiling->threads == 1 ? "" : "s");
        table_words(document, table, ceiling->threads > 0 ? text : "GPU");
        ceiling_text(ceiling, text, sizeof text);
        table_cell(document, table, &(DocCell){.text = text, .number = ceiling->value});
        text[0] = '\0';
        if (ceiling->working_set > 0) {
            format_bytes((uint64_t)ceiling->working_set, text, sizeof text);
        }
        table_cell(
            document, table,
            &(DocCell){.text = text,
                       .number = ceiling->working_set > 0 ? ceiling->working_set : (double)NAN});
    }
    if (table != NULL) {
        table->note = "Bandwidths count bytes read and written. 'bench roof' measures these.";
    }
}

static void add_warnings(const Overview *overview) {
    Warnings warnings;
    run_warnings(overview->run->stored, &warnings);
    for (size_t i = 0; i < warnings.count; i++) {
        const char *text = warnings.text[i];
        document_add(overview->document, BLOCK_WARNING, "%c%s.", toupper((unsigned char)text[0]),
                     text + (text[0] != '\0'));
    }
}

void overview_machine(const Overview *overview) {
    const StoredRun *stored = overview->run->stored;
    document_heading(overview->document, 2, "Machine");
    add_warnings(overview);
    if (stored->machine.count > 0) {
        add_facts(overview->document, &stored->machine);
    }
    if (stored->machine.cache_count > 0) {
        add_caches(overview->document, &stored->machine);
    }
    if (stored->results.ceilings.count > 0) {
        add_ceilings(overview->document, &stored->results.ceilings);
    }
}

/* === Overview method ========================================================================== */

enum { VALUE_SIZE = 64 };

static bool has(const Overview *overview, const char *flag) {
    char value[VALUE_SIZE];
    return run_argument(overview->run, flag, value, sizeof value);
}

/* What was given, or else the default. */
static const char *value_or(const Overview *overview, const char *flag, const char *fallback) {
    char value[VALUE_SIZE];
    const bool given = run_argument(overview->run, flag, value, sizeof value) && value[0] != '\0';
    return document_text(overview->document, "%s", given ? value : fallback);
}

typedef struct MethodCounts {
    size_t measured, batched, devices, cold, unconverged, least, most;
} MethodCounts;

static MethodCounts count_rows(const Results *results) {
    MethodCounts counts = {.measured = 0};
    for (size_t i = 0; i < results->count; i++) {
        const Row *row = &results->rows[i];
        if (row->status != CELL_OK) {
            continue;
        }
        const size_t samples = row->kernel_summary.count;
        counts.least = counts.measured == 0 || samples < counts.least ? samples : counts.least;
        counts.most = samples > counts.most ? samples : counts.most;
        counts.measured++;
        counts.batched += row->batch > 1;
        counts.devices += !row_is_on_cpu(row);
        counts.cold += row->cold;
        counts.unconverged += !row->converged;
    }
    return counts;
}

static void add_origin(const Overview *overview) {
    const StoredRun *stored = overview->run->stored;
    Document *document = overview->document;
    if (stored->arguments.argc > 0) {
        char line[COMMAND_LINE_SIZE];
        command_line_text(&stored->arguments, line, sizeof line);
        document_add(document, BLOCK_CODE, "bench %s", line);
    }
    char seconds[OVERVIEW_TEXT_SIZE] = "an unknown time";
    if (isfinite(stored->elapsed)) {
        seconds_text(stored->elapsed, seconds);
    }
    document_add(document, BLOCK_PARAGRAPH, "Started %s, took %s, %s.",
                 stored->started[0] != '\0' ? stored->started : "at an unknown time", seconds,
                 stored->complete ? "complete" : "not complete: some planned cells have no row");
}

/* "1 warm-up run", "3 warm-up runs" */
static const char *warm_up(const Overview *overview) {
    const char *count = value_or(overview, "--warmup", "3");
    const bool one = count != NULL && strcmp(count, "1") == 0;
    return document_text(overview->document, "%s warm-up run%s", count, one ? "" : "s");
}

static void add_stopping(const Overview *overview) {
    Document *document = overview->document;
    if (has(overview, "--reps")) {
        document_add(document, BLOCK_ITEM, "Samples: exactly %s a cell, after %s.",
                     value_or(overview, "--reps", ""), warm_up(overview));
        return;
    }
    char width[VALUE_SIZE];
    run_argument(overview->run, "--ci-width", width, sizeof width);
    char percent[VALUE_SIZE];
    number_text(100.0 * (width[0] != '\0' ? strtod(width, NULL) : 0.01), percent, sizeof percent);
    document_add(document, BLOCK_ITEM,
                 "Samples: after %s, until the 95%% interval of the median is within %s%% of it on "
                 "either side and there are %s samples, or %s s of sampling are over.",
                 warm_up(overview), percent, value_or(overview, "--min-reps", "15"),
                 value_or(overview, "--max-time", "10"));
}

static void add_counts(const Overview *overview, const MethodCounts *counts) {
    Document *document = overview->document;
    if (counts->measured == 0) {
        return;
    }
    document_add(
        document, BLOCK_ITEM,
        "Cells with a time: %zu, of %zu to %zu samples each; %zu of them did not become as "
        "narrow as asked for.",
        counts->measured, counts->least, counts->most, counts->unconverged);
    if (counts->batched > 0) {
        document_add(document, BLOCK_ITEM,
                     "In %zu of them a sample is the mean of several runs, because one is short "
                     "beside the cost of the timer.",
                     counts->batched);
    }
}

static void add_conventions(const Overview *overview, const MethodCounts *counts) {
    Document *document = overview->document;
    document_add(document, BLOCK_ITEM,
                 "Times are medians; their intervals are of order statistics and take no "
                 "distribution for granted. Speedups are ratios of medians with bootstrap "
                 "intervals. Intervals know the noise within a run, not from one day to the next.");
    if (counts->devices > 0) {
        document_add(document, BLOCK_ITEM,
                     "Kernel is the work alone, by events on the stream of the GPU and by the "
                     "monotonic clock on the CPU. End to end is upload, kernel and download by "
                     "wall clock, from and to %s memory; streamed variants overlap the three. "
                     "Creating the CUDA context is in neither. On the CPU both are the same.",
                     has(overview, "--pinned") ? "page-locked" : "ordinary (pageable)");
    } else {
        document_add(document, BLOCK_ITEM,
                     "Kernel is the work alone, by the monotonic clock. Nothing is copied on the "
                     "CPU, so end to end is the same.");
    }
    document_add(
        document, BLOCK_ITEM, "%s",
        counts->cold > 0
            ? "Caches were emptied before each sample (cold)."
            : "Caches were warm (hot): samples of a turn follow each other, which flatters "
              "small inputs.");
    document_add(document, BLOCK_ITEM, "%s",
                 has(overview, "--no-interleave")
                     ? "Cells were sampled one after the other, so that a drift of the machine "
                       "falls on some of them alone."
                     : "The cells that are compared with each other were sampled in turns, so that "
                       "a drift of the machine falls on all of them.");
    document_add(
        document, BLOCK_ITEM,
        "Where one run of seq was estimated to take longer than %s s, its cell is skipped, "
        "the fastest verified CPU variant is the oracle, and speedups over seq are left "
        "empty.",
        value_or(overview, "--max-cell", "60"));
    if (has(overview, "--energy")) {
        document_add(document, BLOCK_ITEM,
                     "Energy was read while each cell was repeated for a "
                     "second; it is in the results file.");
    }
}

void overview_method(const Overview *overview) {
    const MethodCounts counts = count_rows(overview->results);
    document_heading(overview->document, 2, "How it was measured");
    add_origin(overview);
    add_stopping(overview);
    add_counts(overview, &counts);
    add_conventions(overview, &counts);
}
