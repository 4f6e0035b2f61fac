#include <inttypes.h>
#include <unistd.h>

#include "atomic_file.h"
#include "chart_files.h"
#include "chart_table.h"
#include "confusion_matrix.h"
#include "gnuplot.h"

/* Share of a class that was taken for another one; 0 where nothing was tested. */
static double share_of(uint64_t count, uint64_t total) {
    return total > 0 ? (double)count / (double)total : 0;
}

static void write_row(FILE *stream, const ConfusionMatrix *matrix, size_t row) {
    const uint64_t total = confusion_matrix_row_total(matrix, row);
    for (size_t column = 0; column < matrix->columns; column++) {
        const uint64_t count = confusion_matrix_count(matrix, row, column);
        fprintf(stream, "%zu\t%zu\t%" PRIu64 "\t%.6f\t", row, column, count,
                share_of(count, total));
        chart_table_put(stream, matrix->row_names[row]);
        fputc('\t', stream);
        chart_table_put(stream, matrix->column_names[column]);
        fputc('\n', stream);
    }
}

static Status write_table(const char *path, const ConfusionMatrix *matrix) {
    AtomicFile file;
    STATUS_TRY(atomic_file_open(&file, path));
    fputs("row\tcolumn\tcount\tshare\tactual\tpredicted\n", file.stream);
    for (size_t row = 0; row < matrix->rows; row++) {
        write_row(file.stream, matrix, row);
    }
    return atomic_file_commit(&file);
}

Status confusion_matrix_draw(const ConfusionMatrix *matrix, const char *title, const char *folder,
                             const char *name) {
    char scripts[GNUPLOT_PATH_SIZE], table[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(chart_folder_check(folder));
    STATUS_TRY(gnuplot_script_folder(scripts, sizeof scripts));
    STATUS_TRY(chart_path(folder, name, "tsv", table));
    STATUS_TRY(write_table(table, matrix));
    const ChartDrawing drawing = {.script = "confusion.gp", .table = table, .algorithm = title};
    const Status status = chart_files_draw(&drawing, scripts, folder, name);
    unlink(table);
    return status;
}
