#include "confusion_report.h"

#include <string.h>

#include "chart_files.h"

enum { TITLE_SIZE = 160 };

static void make_title(const Evaluation *evaluation, size_t matrix, char title[TITLE_SIZE]) {
    const char *scale = evaluation->matrices[matrix].scale;
    char percent[64] = "nothing tested";
    if (evaluation->tested > 0) {
        char accuracy[16];
        snprintf(accuracy, sizeof accuracy, "%.1f%%", 100 * confusion_accuracy(evaluation, matrix));
        snprintf(percent, sizeof percent, "%s of %zu right", accuracy, evaluation->tested);
    }
    if (strcmp(scale, COMBINED_SCALE) == 0) {
        snprintf(title, TITLE_SIZE, "Scales combined: %s", percent);
    } else {
        snprintf(title, TITLE_SIZE, "(P, R) = (%.*s, %s): %s", (int)strcspn(scale, ":"), scale,
                 scale + strcspn(scale, ":") + 1, percent);
    }
}

static Status draw_matrix(const Evaluation *evaluation, size_t index, const char *folder) {
    char name[CHART_NAME_SIZE] = "", title[TITLE_SIZE];
    const ConfusionMatrix matrix = evaluation_matrix(evaluation, index);
    chart_name_append(name, "confusion");
    chart_name_append(name, evaluation->matrices[index].scale);
    make_title(evaluation, index, title);
    return confusion_matrix_draw(&matrix, title, folder, name);
}

Status evaluation_draw(const char *folder, const Evaluation *evaluation) {
    for (size_t i = 0; i < evaluation->count; i++) {
        STATUS_TRY(draw_matrix(evaluation, i, folder));
    }
    return status_ok();
}
