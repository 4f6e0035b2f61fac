#include "compare_formats.h"
#include "compare_words.h"
#include "visible.h"

static void print_run(FILE *stream, const char *word, const MeasuredRun *run) {
    const Fact *commit = machine_fact(&run->machine, "commit");
    const Fact *dirty = machine_fact(&run->machine, "dirty");
    const char *path = run->path[0] != '\0' ? run->path : "this run";
    if (commit != NULL) {
        const bool changed = dirty != NULL && dirty->text[0] == 'y';
        visible_line(stream, "%s  %s  (commit %s%s)", word, path, commit->text,
                     changed ? " with changes" : "");
    } else {
        visible_line(stream, "%s  %s", word, path);
    }
}

/* The name, which has no greatest length, ends the line. */
static void print_cell(FILE *stream, const ComparedCell *cell) {
    char before[COMPARE_WORDS_SIZE];
    char now[COMPARE_WORDS_SIZE];
    char interval[COMPARE_WORDS_SIZE];
    compare_words_time(cell->before->median, before);
    compare_words_time(cell->now->median, now);
    compare_words_interval(&cell->judgement, interval);
    fprintf(stream, "%-9s  %9s  %9s  %7.3f  %16s  %8.2g  ", change_name(cell->judgement.change),
            before, now, cell->judgement.ratio.value, interval, cell->judgement.p);
    text_visible_print(stream, cell->before->name);
    fputc('\n', stream);
}

static void print_reasons(FILE *stream, const Comparison *comparison) {
    if (comparison->changes[CHANGE_AMBIGUOUS] == 0) {
        return;
    }
    fputs("\nAmbiguous, because\n", stream);
    for (size_t i = 0; i < comparison->count; i++) {
        const ComparedCell *cell = &comparison->cells[i];
        if (cell->judgement.change == CHANGE_AMBIGUOUS) {
            fputs("  ", stream);
            text_visible_print(stream, cell->before->name);
            visible_line(stream, ": %s", cell->judgement.why);
        }
    }
}

static void print_list(FILE *stream, const char *title, const char *const *names, size_t count) {
    if (count > 0) {
        fprintf(stream, "\n%s\n", title);
    }
    for (size_t i = 0; i < count; i++) {
        fputs("  ", stream);
        text_visible_print(stream, names[i]);
        fputc('\n', stream);
    }
}

Status compare_print_table(FILE *stream, const Comparison *comparison, bool strict) {
    (void)strict;
    char text[COMPARE_WORDS_SIZE];
    print_run(stream, "old", comparison->before);
    print_run(stream, "new", comparison->now);
    if (comparison->difference[0] != '\0') {
        visible_line(stream, "compared all the same: %s", comparison->difference);
    }
    fprintf(stream, "\n%-9s  %9s  %9s  %7s  %16s  %8s  %s\n", "change", "old", "new", "new/old",
            "95% interval", "p", "cell");
    for (size_t i = 0; i < comparison->count; i++) {
        print_cell(stream, &comparison->cells[i]);
    }
    print_reasons(stream, comparison);
    print_list(stream, "Missing: in the old run alone", comparison->missing,
               comparison->missing_count);
    print_list(stream, "New: in the new run alone", comparison->added, comparison->added_count);
    compare_words_counts(comparison, text);
    fprintf(stream, "\n%s\n", text);
    compare_words_total(comparison, text);
    fprintf(stream, "%s\n", text);
    compare_words_rule(comparison, text);
    fprintf(stream, "%s\n", text);
    return status_ok();
}
