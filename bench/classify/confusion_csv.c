#include "confusion_report.h"

#include <inttypes.h>

#include "atomic_file.h"
#include "csv_records.h"

static void write_matrix(FILE *stream, const Evaluation *evaluation, size_t matrix) {
    for (size_t row = 0; row < evaluation->rows; row++) {
        for (size_t column = 0; column < evaluation->columns; column++) {
            fprintf(stream, "%s,", evaluation->matrices[matrix].scale);
            csv_write_field(stream, evaluation->row_names[row]);
            fputc(',', stream);
            csv_write_field(stream, evaluation->column_names[column]);
            fprintf(stream, ",%" PRIu64 "\n", confusion_count(evaluation, matrix, row, column));
        }
    }
}

Status evaluation_write_csv(const char *path, const Evaluation *evaluation) {
    AtomicFile file;
    STATUS_TRY(atomic_file_open(&file, path));
    fputs("scale,actual,predicted,count\n", file.stream);
    for (size_t i = 0; i < evaluation->count; i++) {
        write_matrix(file.stream, evaluation, i);
    }
    return atomic_file_commit(&file);
}
