#include <inttypes.h>

#include "atomic_file.h"
#include "number_text.h"
#include "recognition_report.h"

static void write_picture(FILE *stream, const Recognition *of, int32_t index) {
    const Recogniser *recogniser = of->recogniser;
    fprintf(stream, "%" PRId32 ",%" PRId32 ",", index,
            recogniser->classifiers[of->predicted[index]].digit);
    if (of->set->set.labels != NULL) {
        fprintf(stream, "%d", of->set->set.labels[index]);
    }
    for (size_t i = 0; i < recogniser->count; i++) {
        char score[40];
        number_text(of->scores[(size_t)index * recogniser->count + i], score, sizeof score);
        fprintf(stream, ",%s", score);
    }
    fputc('\n', stream);
}

Status recognition_write_csv(const char *path, const Recognition *recognition) {
    AtomicFile file;
    STATUS_TRY(atomic_file_open(&file, path));
    fputs("image,predicted,label", file.stream);
    for (size_t i = 0; i < recognition->recogniser->count; i++) {
        fprintf(file.stream, ",score_%" PRId32, recognition->recogniser->classifiers[i].digit);
    }
    fputc('\n', file.stream);
    for (int32_t i = 0; i < recognition->set->set.count; i++) {
        write_picture(file.stream, recognition, i);
    }
    return atomic_file_commit(&file);
}

Status recognition_write_matrix(const char *path, const Recognition *recognition) {
    AtomicFile file;
    STATUS_TRY(atomic_file_open(&file, path));
    fputs("actual,predicted,count\n", file.stream);
    confusion_matrix_write_lines(file.stream, &recognition->confusion, NULL);
    return atomic_file_commit(&file);
}

Status recognition_draw(const char *folder, const Recognition *recognition) {
    char title[160];
    const ConfusionMatrix *matrix = &recognition->confusion;
    const uint64_t total = confusion_matrix_total(matrix);
    snprintf(title, sizeof title, "%.1f%% of %" PRIu64 " right",
             100 * (double)confusion_matrix_correct(matrix) / (double)total, total);
    return confusion_matrix_draw(matrix, title, folder, "confusion-digits");
}
