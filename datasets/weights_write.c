#include "weights_files.h"

#include <inttypes.h>
#include <stdio.h>

#include "files.h"
#include "plain_locale.h"
#include "weights_table.h"

/* Bytes that no text has become spaces: a file that has them is not taken for text. */
static void write_comment(FILE *stream, const char *comment) {
    bool begins = true;
    for (const char *at = comment; *at != '\0'; at++) {
        if (begins) {
            fputs("# ", stream);
        }
        begins = *at == '\n';
        fputc((unsigned char)*at < ' ' && !begins ? ' ' : *at, stream);
    }
    if (!begins) {
        fputc('\n', stream);
    }
}

static void write_rows(FILE *stream, const Weights *weights) {
    for (int32_t row = 0; row < weights->bits; row++) {
        const float *values = weights_row(weights, row);
        for (int32_t i = 0; i < weights->columns; i++) {
            fprintf(stream, "%s%.9g", i > 0 ? "," : "", (double)values[i]);
        }
        fputc('\n', stream);
    }
}

Status weights_write(const char *path, const Weights *weights, const char *comment) {
    AtomicFile file;
    STATUS_TRY(atomic_file_open(&file, path));
    const PlainLocale locale = plain_locale_enter();
    write_comment(file.stream, comment != NULL ? comment : "");
    fprintf(file.stream, WEIGHTS_FIRST_LINE "\nkind,%s\nbits,%" PRId32 "\ncolumns,%" PRId32 "\n",
            weights->kind, weights->bits, weights->columns);
    write_rows(file.stream, weights);
    plain_locale_leave(&locale);
    return atomic_file_commit(&file);
}
