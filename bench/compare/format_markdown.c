#include "compare_formats.h"
#include "compare_words.h"
#include "markdown_text.h"

static void print_cell(FILE *stream, const ComparedCell *cell) {
    static const char *const marks[CHANGE_COUNT] = {[CHANGE_SAME] = "same",
                                                    [CHANGE_FASTER] = "faster",
                                                    [CHANGE_SLOWER] = "**slower**",
                                                    [CHANGE_AMBIGUOUS] = "ambiguous"};
    char before[COMPARE_WORDS_SIZE];
    char now[COMPARE_WORDS_SIZE];
    char interval[COMPARE_WORDS_SIZE];
    const CellJudgement *judgement = &cell->judgement;
    compare_words_time(cell->before->median, before);
    compare_words_time(cell->now->median, now);
    compare_words_interval(judgement, interval);
    fputs("| ", stream);
    markdown_cell_text(stream, cell->before->name);
    fprintf(stream, " | %s | %s | %.3f | %s | %.2g | %s", before, now, judgement->ratio.value,
            interval, judgement->p, marks[judgement->change]);
    if (judgement->why[0] != '\0') {
        fputs(": ", stream);
        markdown_cell_text(stream, judgement->why);
    }
    fputs(" |\n", stream);
}

/* The cells of one change, or all others when `changed` is false. */
static void print_cells(FILE *stream, const Comparison *comparison, bool changed) {
    fputs("| cell | old | new | new/old | 95% interval | p | change |\n"
          "|:---|---:|---:|---:|:---:|---:|:---|\n",
          stream);
    for (size_t i = 0; i < comparison->count; i++) {
        if ((comparison->cells[i].judgement.change != CHANGE_SAME) == changed) {
            print_cell(stream, &comparison->cells[i]);
        }
    }
    fputc('\n', stream);
}

static void print_list(FILE *stream, const char *title, const char *const *names, size_t count) {
    if (count == 0) {
        return;
    }
    fprintf(stream, "%s\n\n", title);
    for (size_t i = 0; i < count; i++) {
        fputs("- ", stream);
        markdown_text(stream, names[i]);
        fputc('\n', stream);
    }
    fputc('\n', stream);
}

static const char *heading(const Comparison *comparison) {
    if (comparison->changes[CHANGE_SLOWER] > 0) {
        return "Performance regression";
    }
    return comparison->changes[CHANGE_AMBIGUOUS] > 0 ? "No regression proved, some cells ambiguous"
                                                     : "No performance regression";
}

/* Cells that did not change are folded away: a comment is read for the others. */
Status compare_print_markdown(FILE *stream, const Comparison *comparison, bool strict) {
    (void)strict;
    char text[COMPARE_WORDS_SIZE];
    fprintf(stream, "### %s\n\n", heading(comparison));
    compare_words_counts(comparison, text);
    fprintf(stream, "%s. ", text);
    compare_words_total(comparison, text);
    fprintf(stream, "%s.\n\n", text);
    if (comparison->difference[0] != '\0') {
        fputs("Compared all the same: ", stream);
        markdown_text(stream, comparison->difference);
        fputs("\n\n", stream);
    }
    if (comparison->changes[CHANGE_SAME] < comparison->count) {
        print_cells(stream, comparison, true);
    }
    print_list(stream, "Missing, in the old run alone:", comparison->missing,
               comparison->missing_count);
    print_list(stream, "New, in the new run alone:", comparison->added, comparison->added_count);
    if (comparison->changes[CHANGE_SAME] > 0) {
        fprintf(stream, "<details><summary>%zu unchanged</summary>\n\n",
                comparison->changes[CHANGE_SAME]);
        print_cells(stream, comparison, false);
        fputs("</details>\n\n", stream);
    }
    compare_words_rule(comparison, text);
    fprintf(stream, "%s\n", text);
    return status_ok();
}
