#include <inttypes.h>
#include <stdlib.h>

#include "text_table.h"
#include "training.h"
#include "visible.h"

static void fill_line(const Classifier *classifier, int32_t images, TextRow *line) {
    const Stump *last = &classifier->stumps[classifier->count - 1];
    const double wrong = (double)(last->misses + last->false_alarms) / images;
    snprintf(line->cells[0], TEXT_TABLE_CELL_SIZE, "%" PRId32, classifier->digit);
    snprintf(line->cells[1], TEXT_TABLE_CELL_SIZE, "%zu", classifier->count);
    snprintf(line->cells[2], TEXT_TABLE_CELL_SIZE, "%.2f%%", 100 * wrong);
    snprintf(line->cells[3], TEXT_TABLE_CELL_SIZE, "%" PRIu64, last->misses);
    snprintf(line->cells[4], TEXT_TABLE_CELL_SIZE, "%" PRIu64, last->false_alarms);
}

Status training_print(FILE *stream, const Recogniser *recogniser) {
    static const TextColumn columns[] = {{.title = "digit"},
                                         {.title = "stumps"},
                                         {.title = "training error"},
                                         {.title = "misses"},
                                         {.title = "false alarms"}};
    const TrainingFacts *facts = &recogniser->facts;
    TextRow *lines = calloc(recogniser->count, sizeof *lines);
    if (lines == NULL) {
        return status_skip("no memory left for the table");
    }
    visible_line(stream,
                 "adaboost, %s: %" PRId32 " pictures of %" PRId32 "×%" PRId32
                 " pixels, %s; %" PRId32 " candidates",
                 facts->variant, facts->images, facts->width, facts->height, facts->input,
                 facts->candidates);
    fputc('\n', stream);
    for (size_t i = 0; i < recogniser->count; i++) {
        fill_line(&recogniser->classifiers[i], facts->images, &lines[i]);
    }
    text_table_print(stream, columns, sizeof columns / sizeof columns[0], lines, recogniser->count);
    free(lines);
    return status_ok();
}
