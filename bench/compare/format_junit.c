#include "compare_formats.h"
#include "compare_words.h"

/* Bytes of the UTF-8 sequence that starts here; 0 when there is none, as in overlong forms. */
static size_t sequence_length(const unsigned char *text) {
    if (text[0] < 0x80) {
        return 1;
    }
    const size_t length = text[0] >= 0xC2 && text[0] < 0xE0   ? 2
                          : text[0] >= 0xE0 && text[0] < 0xF0 ? 3
                          : text[0] >= 0xF0 && text[0] < 0xF5 ? 4
                                                              : 0;
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xC0) != 0x80) {
            return 0;
        }
    }
    const bool wrong = (text[0] == 0xE0 && text[1] < 0xA0) || (text[0] == 0xED && text[1] > 0x9F) ||
                       (text[0] == 0xF0 && text[1] < 0x90) || (text[0] == 0xF4 && text[1] > 0x8F) ||
                       (text[0] == 0xEF && text[1] == 0xBF && text[2] > 0xBD);
    return wrong ? 0 : length;
}

/* The five signs as entities; what no XML document may hold becomes a question mark. */
static void print_escaped(FILE *stream, const char *text) {
    const unsigned char *at = (const unsigned char *)text;
    while (*at != '\0') {
        const size_t length = sequence_length(at);
        switch (*at) {
        case '&': fputs("&amp;", stream); break;
        case '<': fputs("&lt;", stream); break;
        case '>': fputs("&gt;", stream); break;
        case '"': fputs("&quot;", stream); break;
        case '\'': fputs("&apos;", stream); break;
        default:
            if (length == 0 || *at < 0x20) {
                fputc('?', stream);
            } else {
                fwrite(at, 1, length, stream);
            }
        }
        at += length > 0 ? length : 1;
    }
}

static void open_case(FILE *stream, const char *name, double seconds) {
    fputs("    <testcase classname=\"bench.compare\" name=\"", stream);
    print_escaped(stream, name);
    fprintf(stream, "\" time=\"%.9f\"", seconds);
}

static void add_outcome(FILE *stream, const char *element, const char *type, const char *text) {
    fprintf(stream, ">\n      <%s%s%s%s message=\"", element, type[0] != '\0' ? " type=\"" : "",
            type, type[0] != '\0' ? "\"" : "");
    print_escaped(stream, text);
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
