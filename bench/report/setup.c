/* The sections about what was measured on and how, of one run or two. */

#include "command_line.h"
#include "document.h"
#include "report.h"
#include "report_internal.h"
#include "stored_run.h"

#include <math.h>
#include <string.h>

#include "ceilings.h"
#include "ceilings_file.h"
#include "machine.h"
#include "resources.h"
#include "run_options.h"
#include "warnings.h"

enum { TEXT_SIZE = 96, METHOD_FACTS_MAX = 32 };

/* === Facts ==================================================================================== */

/* A fact as it is shown. */
typedef struct ShownFact {
    const char *name, *text;
    double number; /* NAN: none */
    bool identity;
} ShownFact;

typedef struct FactList {
    ShownFact facts[FACTS_MAX + METHOD_FACTS_MAX];
    size_t count;
} FactList;

static void add_fact(FactList *list, const char *name, const char *text) {
    list->facts[list->count++] = (ShownFact){.name = name, .text = text, .number = NAN};
}

static void add_machine_facts(const RunPage *page, FactList *list) {
    const Machine *machine = &page->run->stored->machine;
    for (size_t i = 0; i < machine->count; i++) {
        const Fact *fact = &machine->facts[i];
        char name[FACT_KEY_SIZE], text[FACT_VALUE_SIZE];
        fact_key_words(fact->key, name);
        fact_value_words(fact, text, sizeof text);
        list->facts[list->count++] =
            (ShownFact){.name = document_text(page->document, "%s", name),
                        .text = document_text(page->document, "%s", text),
                        .number = fact->kind == FACT_NUMBER ? fact->number : (double)NAN,
                        .identity = fact->identity};
    }
}

static const ShownFact *find_fact(const FactList *list, const char *name) {
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->facts[i].name, name) == 0) {
            return &list->facts[i];
        }
    }
    return NULL;
}

/* Two facts may be shown alike and have other numbers. */
static bool facts_differ(const ShownFact *a, const ShownFact *b) {
    return a == NULL || b == NULL || strcmp(a->text, b->text) != 0 ||
           (a->number != b->number && !(isnan(a->number) && isnan(b->number)));
}

static void fact_cell(Document *document, DocTable *table, const ShownFact *fact) {
    if (fact == NULL || fact->text[0] == '\0') {
        missing_cell(document, table, "not known");
        return;
    }
    table_cell(document, table,
               &(DocCell){.text = fact->text,
                          .number = fact->number,
                          .kind = fact->identity ? CELL_STRONG : CELL_PLAIN});
}

/* A row a fact, a column a run: the facts of A in their order, then those that only B has. */
static DocTable *facts_table(const RunReport *report, const FactList lists[2], bool differing,
                             const char *name, const char *caption) {
    Document *document = report->document;
    DocTable *table = document_table(document, name, caption);
    TABLE_COLUMNS(document, table, WORDS("fact"));
    for (size_t run = 0; run < report->count; run++) {
        const char *title = report->count == 1 ? "value"
                                               : document_text(document, "%s: %s", run_letters[run],
                                                               report->of[run].run->name);
        TABLE_COLUMNS(document, table, WORDS(title));
    }
    for (size_t run = 0; run < report->count && !document->failed; run++) {
        for (size_t i = 0; i < lists[run].count; i++) {
            const char *fact = lists[run].facts[i].name;
            const ShownFact *of[] = {find_fact(&lists[0], fact), find_fact(&lists[1], fact)};
            if ((run > 0 && of[0] != NULL) || (differing && !facts_differ(of[0], of[1]))) {
                continue;
            }
            table_words(document, table, fact);
            for (size_t j = 0; j < report->count; j++) {
                fact_cell(document, table, of[j]);
            }
        }
    }
    return table;
}

/* === Method =================================================================================== */

typedef struct MethodCounts {
    size_t measured, batched, devices, cold, unconverged, least, most;
} MethodCounts;

static MethodCounts count_rows(const Results *results) {
    MethodCounts counts = {.measured = 0};
    for (size_t i = 0; i < results->count; i++) {
        const Row *row = &results->rows[i];
        counts.cold += row->cold;
        if (row->status != CELL_OK) {
            continue;
        }
        const size_t samples = row->kernel_summary.count;
        counts.least = counts.measured == 0 || samples < counts.least ? samples : counts.least;
        counts.most = samples > counts.most ? samples : counts.most;
        counts.measured++;
        counts.batched += row->batch > 1;
        counts.devices += !row_is_on_cpu(row);
        counts.unconverged += !row->converged;
    }
    return counts;
}

static void add_origin(const RunPage *page, FactList *list) {
    const StoredRun *stored = page->run->stored;
    char seconds[REPORT_TEXT_SIZE] = "";
    if (isfinite(stored->elapsed)) {
        seconds_text(stored->elapsed, seconds);
    }
    add_fact(list, "started", stored->started);
    add_fact(list, "took", document_text(page->document, "%s", seconds));
    add_fact(list, "run complete", stored->complete ? "yes" : "no: some planned cells have no row");
}

/* Whether time alone ended the sampling. Runs of several launches that say nothing of their number
 * have a budget; of older programs they were of one launch. */
static bool has_budget(const RunPage *page, const RunOptions *request) {
    return options_was_given(&request->given, "budget")
               ? isfinite(request->budget)
               : !options_are_exact(&request->given) && run_launches(page).most > 1;
}

/* When a cell had enough samples. */
static void add_stopping(const RunPage *page, const RunOptions *request, FactList *list) {
    Document *document = page->document;
    char percent[TEXT_SIZE];
    add_fact(list, "warm-up runs",
             request->warmup > 0 ? document_text(document, "%d", request->warmup) : "at most 3");
    if (has_budget(page, request)) {
        add_fact(list, "samples asked for", "as many as the time allows");
        add_fact(list, "time for all launches",
                 document_text(document, "%g s",
                               request->budget > 0 ? request->budget : BUDGET_SECONDS));
        return;
    }
    number_text(100.0 * request->ci_width, percent, sizeof percent);
    const bool exactly = request->reps > 0;
    add_fact(list, "samples asked for",
             document_text(document, "%s %d a cell", exactly ? "exactly" : "at least",
                           exactly ? request->reps : request->min_reps));
    if (!exactly) {
        add_fact(list, "95% interval of the median asked for",
                 document_text(document, "±%s%%", percent));
        add_fact(list, "sampling ends after", document_text(document, "%g s", request->max_time));
    }
}

static void add_counts(const RunPage *page, const MethodCounts *counts, FactList *list) {
    Document *document = page->document;
    const LaunchRange launches = run_launches(page);
    if (counts->measured == 0) {
        return;
    }
    add_fact(list, "cells with a time", document_text(document, "%zu", counts->measured));
    add_fact(list, "launches (processes) of a cell",
             launches.least == launches.most
                 ? document_text(document, "%zu", launches.most)
                 : document_text(document, "%zu to %zu", launches.least, launches.most));
    add_fact(list, "intervals", run_interval_words(page));
    add_fact(list, "samples of a cell",
             document_text(document, "%zu to %zu", counts->least, counts->most));
    add_fact(list, "cells with a wider interval than asked for",
             document_text(document, "%zu", counts->unconverged));
    add_fact(list, "cells whose samples are means of several runs",
             document_text(document, "%zu", counts->batched));
}

static void add_conditions(const RunPage *page, const RunOptions *request,
                           const MethodCounts *counts, FactList *list) {
    const bool all_cold = counts->cold == page->results->count;
    add_fact(list, "caches", counts->cold == 0 ? "hot" : all_cold ? "cold" : "hot and cold");
    add_fact(list, "order of samples",
             request->interleave ? "compared cells in turns" : "cell after cell");
    if (counts->devices > 0) {
        add_fact(list, "host memory of copies",
                 request->pinned ? "page-locked" : "ordinary (pageable)");
    }
    const bool long_runs =
        has_budget(page, request) && !options_was_given(&request->given, "max-cell");
    add_fact(list, "seq skipped above",
             document_text(page->document, "%g s a run, estimated%s", request->max_cell,
                           long_runs ? ", or what the budget has for long runs" : ""));
    add_fact(list, "energy",
             request->energy ? document_text(page->document,
                                             "windows of %g s, of the whole board of a GPU, of "
                                             "CPU packages without their memory",
                                             request->energy_window)
                             : "no");
}

static void add_method_facts(const RunPage *page, FactList *list) {
    const MethodCounts counts = count_rows(page->results);
    RunOptions request;
    request_recall(&page->run->stored->arguments, &request);
    add_origin(page, list);
    add_stopping(page, &request, list);
    add_counts(page, &counts, list);
    add_conditions(page, &request, &counts, list);
}

void method_section(const RunReport *report) {
    const RunPage *page = &report->of[0];
    const StoredRun *stored = page->run->stored;
    FactList lists[2] = {{.count = 0}};
    document_heading(report->document, 2, "How it was measured");
    if (stored->arguments.argc > 0) {
        char line[COMMAND_LINE_SIZE];
        command_line_text(&stored->arguments, line, sizeof line);
        document_add(report->document, BLOCK_CODE, "bench %s", line);
    }
    add_method_facts(page, &lists[0]);
    DocTable *table = facts_table(report, lists, false, "method", "How the cells were sampled");
    table->note =
        "A launch is one process that measures every cell, and counts as one value, its "
        "median. Of 6 launches or more a time is the median, with the 95% interval of their "
        "order statistics, which holds for launches like these; speedups, crossovers and "
        "exponents are formed within each launch. Of 2 to 5 launches the least and the "
        "greatest are shown, which are no 95% interval. The interval of one launch (of order "
        "statistics, of a speedup by bootstrap) knows the noise in this run alone: the next "
        "launch is often outside of it. "
        "Kernel: the work alone, by events on the GPU's stream or by the monotonic clock on "
        "the CPU. With copies: upload, kernel and download by wall clock, which streamed "
        "variants overlap; on the CPU it is the kernel. Neither has the creation of the CUDA "
        "context. Hot caches flatter small inputs; sampling in turns spreads a drift of the "
        "machine over the cells that are compared.";
}

/* === Caches and ceilings ====================================================================== */

static void caches_table(const RunReport *report) {
    Document *document = report->document;
    const Machine *machine = &report->of[0].run->stored->machine;
    DocTable *table = document_table(document, "caches", "Caches of the processor");
    TABLE_COLUMNS(document, table, NUMBERS("level"), WORDS("type"), NUMBERS("size"),
                  NUMBERS("shared by logical processors"));
    for (size_t i = 0; i < machine->cache_count; i++) {
        const Cache *cache = &machine->caches[i];
        char text[TEXT_SIZE];
        bytes_text(cache->size, text, sizeof text);
        table_count(document, table, (size_t)cache->level);
        table_words(document, table, cache->type);
        table_value(document, table, text, (double)cache->size);
        table_count(document, table, (size_t)cache->sharing);
    }
}

/* On a device, by one thread, or by all there are, however many that is on either machine. */
static int place_of(const Ceiling *ceiling) {
    return ceiling->threads > 1 ? 2 : ceiling->threads;
}

static const Ceiling *find_like(const Ceilings *ceilings, const Ceiling *wanted) {
    for (size_t i = 0; i < ceilings->count; i++) {
        const Ceiling *ceiling = &ceilings->list[i];
        if (strcmp(ceiling->key, wanted->key) == 0 && ceiling->kind == wanted->kind &&
            ceiling->devices == wanted->devices && place_of(ceiling) == place_of(wanted)) {
            return ceiling;
        }
    }
    return NULL;
}

static DocTable *open_ceilings(const RunReport *report) {
    const bool single = report->count == 1;
    DocTable *table =
        document_table(report->document, single ? "ceilings" : "diff-ceilings",
                       single ? "What the machine does at best, as measured"
                              : "What both machines do at best, as measured by either run");
    TABLE_COLUMNS(report->document, table, WORDS("ceiling"), WORDS("on"));
    if (single) {
        TABLE_COLUMNS(report->document, table, NUMBERS("value"), NUMBERS("working set"));
    } else {
        TABLE_COLUMNS(report->document, table, NUMBERS("A"), NUMBERS("B"), NUMBERS("B/A"));
    }
    table->note = "Bandwidths count bytes read and written. 'bench roof' measures these.";
    return table;
}

/* On the GPU, on how many of them at once, or by how many threads; of two machines by one or by
 * all, however many that is. */
static void place_cell(const RunReport *report, DocTable *table, const Ceiling *ceiling) {
    static const char *const places[] = {"GPU", "one thread", "all threads"};
    const int threads = ceiling->threads;
    if (ceiling->devices > 1) {
        table_words(report->document, table,
                    document_text(report->document, "%d GPUs", ceiling->devices));
        return;
    }
    table_words(
        report->document, table,
        threads == 0 || report->count > 1
            ? places[place_of(ceiling)]
            : document_text(report->document, "%d thread%s", threads, threads == 1 ? "" : "s"));
}

static void ceiling_row(const RunReport *report, DocTable *table, const Ceiling *const of[2]) {
    Document *document = report->document;
    char text[TEXT_SIZE];
    table_words(document, table, of[0]->key);
    place_cell(report, table, of[0]);
    for (size_t run = 0; run < report->count; run++) {
        ceiling_text(of[run], text, sizeof text);
        table_value(document, table, text, of[run]->value);
    }
    if (report->count > 1) {
        table_number(document, table, of[1]->value / of[0]->value, REPORT_DIGITS);
        return;
    }
    const double bytes = of[0]->working_set > 0 ? of[0]->working_set : (double)NAN;
    text[0] = '\0';
    if (isfinite(bytes)) {
        bytes_text((uint64_t)bytes, text, sizeof text);
    }
    table_value(document, table, text, bytes);
}

/* Of two runs those that both have measured; closed where they are the same, as runs of one machine
 * share what was measured once. */
static void ceilings_table(const RunReport *report) {
    const Ceilings *ceilings = &report->of[0].results->ceilings;
    DocTable *table = NULL;
    bool differ = report->count == 1;
    for (size_t i = 0; i < ceilings->count; i++) {
        const Ceiling *of[] = {&ceilings->list[i], NULL};
        if (report->count > 1) {
            of[1] = find_like(&report->of[1].results->ceilings, of[0]);
            if (of[1] == NULL) {
                continue;
            }
            differ = differ || of[0]->value != of[1]->value;
        }
        table = table != NULL ? table : open_ceilings(report);
        ceiling_row(report, table, of);
    }
    if (table != NULL) {
        table->collapsed = !differ;
    }
}

/* === Machine ================================================================================== */

static void one_machine(const RunReport *report) {
    const Machine *machine = &report->of[0].run->stored->machine;
    FactList lists[2] = {{.count = 0}};
    add_machine_facts(&report->of[0], &lists[0]);
    if (machine->count > 0) {
        DocTable *table = facts_table(report, lists, false, "machine", "What was measured on");
        table->note = "Strong: what makes a machine and a build the same; only runs that agree "
                      "in it are compared by 'bench compare'.";
    }
    if (machine->cache_count > 0) {
        caches_table(report);
    }
}

static void both_machines(const RunReport *report) {
    FactList lists[2] = {{.count = 0}};
    for (size_t run = 0; run < 2; run++) {
        const RunPage *page = &report->of[run];
        char line[COMMAND_LINE_SIZE];
        command_line_text(&page->run->stored->arguments, line, sizeof line);
        add_fact(&lists[run], "arguments", document_text(report->document, "%s", line));
        add_method_facts(page, &lists[run]);
        add_machine_facts(page, &lists[run]);
    }
    DocTable *differing = facts_table(report, lists, true, "diff-facts", "Facts that differ");
    if (differing->row_count == 0) {
        differing->note = "Nothing that is known of them differs.";
    }
    DocTable *all =
        facts_table(report, lists, false, "diff-all-facts", "All facts of both runs and machines");
    all->collapsed = true;
}

void machine_section(const RunReport *report) {
    document_heading(report->document, 2,
                     report->count == 1 ? "Machine" : "What differs besides the times");
    for (size_t run = 0; run < report->count; run++) {
        Warnings warnings;
        run_warnings(report->of[run].run->stored, &warnings);
        for (size_t i = 0; i < warnings.count; i++) {
            run_warn(report, run, warnings.text[i]);
        }
    }
    if (report->count == 1) {
        one_machine(report);
    } else {
        both_machines(report);
    }
    ceilings_table(report);
}
