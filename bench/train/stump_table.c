#include "stump_table.h"

#include <inttypes.h>
#include <string.h>

#include "haar_features.h"

typedef enum Column {
    COLUMN_CANDIDATE,
    COLUMN_TYPE,
    COLUMN_X,
    COLUMN_Y,
    COLUMN_W,
    COLUMN_H,
    COLUMN_THRESHOLD,
    COLUMN_POLARITY,
    COLUMN_ERROR,
    COLUMN_MISSES,
    COLUMN_FALSE_ALARMS,
    COLUMNS
} Column;

static const uint64_t half = UINT64_C(1) << 39; /* error, in its units */
static const int64_t reach = 1 << 24;           /* of a feature's value */

/* --- Layout ----------------------------------------------------------------------------------- */

static const OutputPart *find_part(const OutputLayout *layout, const char *name) {
    for (size_t i = 0; i < layout->count; i++) {
        if (strcmp(layout->parts[i].name, name) == 0) {
            return &layout->parts[i];
        }
    }
    return NULL;
}

Status stump_table_find(const Output *output, StumpTable *table) {
    const OutputPart *count = find_part(&output->layout, "count");
    const OutputPart *stumps = find_part(&output->layout, "stumps");
    if (count == NULL || count->bytes != sizeof(uint64_t) || stumps == NULL ||
        stumps->kind != OUTPUT_TABLE_U64 || stumps->width != COLUMNS) {
        return status_fail("adaboost's answer is not a count and a table of %d columns", COLUMNS);
    }
    *table = (StumpTable){.count = (uint64_t *)(void *)(output->data + count->offset),
                          .rows = (uint64_t *)(void *)(output->data + stumps->offset),
                          .rounds = stumps->height};
    return status_ok();
}

/* --- Rows ------------------------------------------------------------------------------------- */

static bool inside(uint64_t start, uint64_t length, int32_t side) {
    return length >= 1 && length <= (uint64_t)side && start <= (uint64_t)side - length;
}

static bool is_stump(const uint64_t *row, int32_t width, int32_t height) {
    int64_t threshold;
    memcpy(&threshold, &row[COLUMN_THRESHOLD], sizeof threshold);
    return row[COLUMN_TYPE] < HAAR_TYPES && inside(row[COLUMN_X], row[COLUMN_W], width) &&
           inside(row[COLUMN_Y], row[COLUMN_H], height) && threshold >= -reach &&
           threshold <= reach && row[COLUMN_POLARITY] <= 1 && row[COLUMN_ERROR] < half;
}

static Stump stump_of(const uint64_t *row) {
    int64_t threshold;
    memcpy(&threshold, &row[COLUMN_THRESHOLD], sizeof threshold);
    return (Stump){.candidate = row[COLUMN_CANDIDATE],
                   .type = (int32_t)row[COLUMN_TYPE],
                   .x = (int32_t)row[COLUMN_X],
                   .y = (int32_t)row[COLUMN_Y],
                   .w = (int32_t)row[COLUMN_W],
                   .h = (int32_t)row[COLUMN_H],
                   .threshold = (int32_t)threshold,
                   .polarity = (int32_t)row[COLUMN_POLARITY],
                   .alpha = stump_alpha(row[COLUMN_ERROR]),
                   .error = row[COLUMN_ERROR],
                   .misses = row[COLUMN_MISSES],
                   .false_alarms = row[COLUMN_FALSE_ALARMS]};
}

Status stump_table_read(const StumpTable *table, size_t count, int32_t width, int32_t height,
                        Classifier *classifier) {
    if (count > table->rounds || count < classifier->count) {
        return status_fail("adaboost's answer has %zu stumps after %zu, of %zu rounds", count,
                           classifier->count, table->rounds);
    }
    while (classifier->count < count) {
        const uint64_t *row = table->rows + classifier->count * COLUMNS;
        if (!is_stump(row, width, height)) {
            return status_fail("adaboost's answer has a row %zu that is no stump",
                               classifier->count + 1);
        }
        const Stump stump = stump_of(row);
        STATUS_TRY(classifier_add(classifier, &stump));
    }
    return status_ok();
}

void stump_table_fill(const StumpTable *table, const Classifier *classifier) {
    for (size_t i = 0; i < classifier->count && i < table->rounds; i++) {
        const Stump *stump = &classifier->stumps[i];
        uint64_t *row = table->rows + i * COLUMNS;
        row[COLUMN_CANDIDATE] = stump->candidate;
        row[COLUMN_TYPE] = (uint64_t)stump->type;
        row[COLUMN_X] = (uint64_t)stump->x;
        row[COLUMN_Y] = (uint64_t)stump->y;
        row[COLUMN_W] = (uint64_t)stump->w;
        row[COLUMN_H] = (uint64_t)stump->h;
        row[COLUMN_THRESHOLD] = (uint64_t)(int64_t)stump->threshold;
        row[COLUMN_POLARITY] = (uint64_t)stump->polarity;
        row[COLUMN_ERROR] = stump->error;
        row[COLUMN_MISSES] = stump->misses;
        row[COLUMN_FALSE_ALARMS] = stump->false_alarms;
    }
}
