#include "confusion_report.h"

#include "atomic_file.h"

Status evaluation_write_csv(const char *path, const Evaluation *evaluation) {
    AtomicFile file;
    STATUS_TRY(atomic_file_open(&file, path));
    fputs("scale,actual,predicted,count\n", file.stream);
    for (size_t i = 0; i < evaluation->count; i++) {
        const ConfusionMatrix matrix = evaluation_matrix(evaluation, i);
        confusion_matrix_write_lines(file.stream, &matrix, evaluation->matrices[i].scale);
    }
    return atomic_file_commit(&file);
}
