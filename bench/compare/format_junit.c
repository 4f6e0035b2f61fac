#include "compare_formats.h"
#include "compare_words.h"
#include "html_text.h"

static void open_case(FILE *stream, const char *name, double seconds) {
    fputs("    <testcase classname=\"bench.compare\" name=\"", stream);
    html_escape(stream, name);
    fprintf(stream, "\" time=\"%.9f\"", seconds);
}

static void add_outcome(FILE *stream, const char *element, const char *type, const char *text) {
    fprintf(stream, ">\n      <%s%s%s%s message=\"", element, type[0] != '\0' ? " type=\"" : "",
            type, type[0] != '\0' ? "\"" : "");
    html_escape(stream, text);
    fputs("\"/>\n    </testcase>\n", stream);
}

static void print_case(FILE *stream, const ComparedCell *cell, bool strict) {
    char text[COMPARE_WORDS_SIZE];
    const CellChange change = cell->judgement.change;
    compare_words_cell(cell, text);
    open_case(stream, cell->before->name, cell->now->median);
    if (change == CHANGE_SLOWER || (change == CHANGE_AMBIGUOUS && strict)) {
        add_outcome(stream, "failure", change_name(change), text);
    } else if (change == CHANGE_AMBIGUOUS) {
        add_outcome(stream, "skipped", "", text);
    } else {
        fputs("/>\n", stream);
    }
}

Status compare_print_junit(FILE *stream, const Comparison *comparison, bool strict) {
    const size_t ambiguous = comparison->changes[CHANGE_AMBIGUOUS];
    const size_t tests = comparison->count + comparison->missing_count;
    const size_t failures = comparison->changes[CHANGE_SLOWER] + (strict ? ambiguous : 0);
    const size_t skipped = comparison->missing_count + (strict ? 0 : ambiguous);
    fprintf(stream,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuites tests=\"%zu\" failures=\"%zu\" errors=\"0\" time=\"%.9f\">\n"
            "  <testsuite name=\"bench compare\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" "
            "skipped=\"%zu\" time=\"%.9f\">\n",
            tests, failures, comparison->new_total, tests, failures, skipped,
            comparison->new_total);
    for (size_t i = 0; i < comparison->count; i++) {
        print_case(stream, &comparison->cells[i], strict);
    }
    for (size_t i = 0; i < comparison->missing_count; i++) {
        open_case(stream, comparison->missing[i], 0);
        add_outcome(stream, "skipped", "", "in the old run alone");
    }
    fputs("  </testsuite>\n</testsuites>\n", stream);
    return status_ok();
}
