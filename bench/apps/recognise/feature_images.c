/* Images of the best features. */

#include "recognise_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "canvas.h"
#include "datasets.h"
#include "files.h"
#include "haar_features.h"
#include "paths.h"
#include "status.h"
#include "workload.h"

enum { CELLS_MAX = 4, GRID_COLUMNS = 5, PANEL_SIDE = 224, SHEET_PANEL_SIDE = 112 };

static const Colour positive = {255, 140, 0}, negative = {0, 110, 255};
static const double cell_share = 0.45;

/* --- What is drawn ---------------------------------------------------------------------------- */

static bool same_feature(const Stump *a, const Stump *b) {
    return a->type == b->type && a->x == b->x && a->y == b->y && a->w == b->w && a->h == b->h;
}

static bool is_taken(const Classifier *classifier, const size_t *best, size_t count, size_t index) {
    for (size_t i = 0; i < count; i++) {
        if (same_feature(&classifier->stumps[best[i]], &classifier->stumps[index])) {
            return true;
        }
    }
    return false;
}

size_t best_features(const Classifier *classifier, size_t best[FEATURE_IMAGES_BEST]) {
    size_t count = 0;
    for (; count < FEATURE_IMAGES_BEST; count++) {
        size_t largest = classifier->count;
        for (size_t i = 0; i < classifier->count; i++) {
            if (!is_taken(classifier, best, count, i) &&
                (largest == classifier->count ||
                 classifier->stumps[i].alpha > classifier->stumps[largest].alpha)) {
                largest = i;
            }
        }
        if (largest == classifier->count) {
            break;
        }
        best[count] = largest;
    }
    return count;
}

static uint64_t add_rows(const Workload *set, int32_t digit, int32_t y, uint64_t *sums) {
    const int32_t width = set->set.width;
    uint64_t images = 0;
    memset(sums, 0, (size_t)width * sizeof *sums);
    for (int32_t i = 0; i < set->set.count; i++) {
        if (set->set.labels[i] != digit) {
            continue;
        }
        const uint8_t *row = workload_image(set, i) + (size_t)y * (size_t)width;
        for (int32_t x = 0; x < width; x++) {
            sums[x] += row[x];
        }
        images++;
    }
    return images;
}

void mean_image(const Workload *set, int32_t digit, uint8_t *mean) {
    uint64_t sums[RECOGNISER_SIDE_MAX];
    for (int32_t y = 0; y < set->set.height; y++) {
        const uint64_t images = add_rows(set, digit, y, sums);
        for (int32_t x = 0; x < set->set.width; x++) {
            *mean++ = (uint8_t)(images > 0 ? (sums[x] + images / 2) / images : 0);
        }
    }
}

/* The cells of a feature in the order of haar_value. Returns how many. */
static size_t feature_cells(const Stump *f, Box cells[CELLS_MAX], bool is_positive[CELLS_MAX]) {
    const bool across = f->type != HAAR_TWO_ROWS && f->type != HAAR_THREE_ROWS;
    const bool down = f->type != HAAR_TWO_COLUMNS && f->type != HAAR_THREE_COLUMNS;
    const int32_t parts = f->type == HAAR_THREE_COLUMNS || f->type == HAAR_THREE_ROWS ? 3 : 2;
    const int32_t columns = across ? parts : 1;
    const int32_t rows = down ? parts : 1;
    const int32_t x = (int32_t)f->x, y = (int32_t)f->y;
    const int32_t w = (int32_t)f->w / columns, h = (int32_t)f->h / rows;
    size_t count = 0;
    for (int32_t row = 0; row < rows; row++) {
        for (int32_t column = 0; column < columns; column++) {
            is_positive[count] = (row + column) % 2 == 0;
            cells[count++] = (Box){x + column * w, y + row * h, w, h};
        }
    }
    return count;
}

/* --- Panels ----------------------------------------------------------------------------------- */

static void draw_feature(Canvas *canvas, int32_t x, int32_t y, const Stump *stump, int32_t scale) {
    Box cells[CELLS_MAX];
    bool is_positive[CELLS_MAX];
    const size_t count = feature_cells(stump, cells, is_positive);
    for (size_t i = 0; i < count; i++) {
        const Colour colour = is_positive[i] ? positive : negative;
        const Box box = {x + cells[i].x * scale, y + cells[i].y * scale, cells[i].w * scale,
                         cells[i].h * scale};
        canvas_fill(canvas, box, colour, cell_share);
        canvas_outline(canvas, box, colour, scale > 4 ? 2 : 1);
    }
}

/* A grid of panels with gaps between and around. */
typedef struct Grid {
    int32_t width, height; /* of an image, before it is scaled */
    int32_t scale, gap;
} Grid;

static Grid grid_of(const Recogniser *recogniser, int32_t panel_side) {
    const TrainingFacts *facts = &recogniser->facts;
    const int32_t side = facts->width > facts->height ? facts->width : facts->height;
    const int32_t scale = panel_side / side;
    return (Grid){facts->width, facts->height, scale > 1 ? scale : 1, panel_side / 28};
}

static Status create(const Grid *grid, int32_t columns, int32_t rows, Canvas *canvas) {
    return canvas_create(columns * (grid->width * grid->scale + grid->gap) + grid->gap,
                         rows * (grid->height * grid->scale + grid->gap) + grid->gap, canvas);
}

static void draw_panel(Canvas *canvas, const Grid *grid, int32_t column, int32_t row,
                       const uint8_t *mean, const Stump *stump) {
    const int32_t x = grid->gap + column * (grid->width * grid->scale + grid->gap);
    const int32_t y = grid->gap + row * (grid->height * grid->scale + grid->gap);
    canvas_image(canvas, x, y, mean, grid->width, grid->height, grid->scale);
    draw_feature(canvas, x, y, stump, grid->scale);
}

static Status write(const char *folder, const char *name, const Canvas *canvas) {
    char path[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(path_make(path, sizeof path, "%s/%s.png", folder, name));
    return image_write_png_rgb(path, canvas->width, canvas->height, canvas->rgb);
}

/* --- Images ----------------------------------------------------------------------------------- */

/* The best features of a digit from left to right and down, in an image of its own and in its row
 * of the sheet. */
static Status draw_digit(const char *folder, const Recogniser *recogniser, size_t index,
                         const uint8_t *mean, Canvas *sheet) {
    const Classifier *classifier = &recogniser->classifiers[index];
    const Grid own = grid_of(recogniser, PANEL_SIDE);
    const Grid small = grid_of(recogniser, SHEET_PANEL_SIDE);
    size_t best[FEATURE_IMAGES_BEST];
    const size_t count = best_features(classifier, best);
    Canvas canvas;
    char name[32];
    STATUS_TRY(create(&own, GRID_COLUMNS, FEATURE_IMAGES_BEST / GRID_COLUMNS, &canvas));
    for (size_t i = 0; i < count; i++) {
        const Stump *stump = &classifier->stumps[best[i]];
        draw_panel(&canvas, &own, (int32_t)i % GRID_COLUMNS, (int32_t)i / GRID_COLUMNS, mean,
                   stump);
        draw_panel(sheet, &small, (int32_t)i, (int32_t)index, mean, stump);
    }
    snprintf(name, sizeof name, "digit-%" PRId32, classifier->digit);
    const Status status = write(folder, name, &canvas);
    canvas_release(&canvas);
    return status;
}

static Status draw_digits(const char *folder, const Recogniser *recogniser, const Workload *set,
                          Canvas *sheet) {
    uint8_t *mean = malloc((size_t)set->set.width * (size_t)set->set.height);
    STATUS_MEMORY(mean, "for the mean images");
    Status status = status_ok();
    for (size_t i = 0; i < recogniser->count && status_is_ok(&status); i++) {
        mean_image(set, recogniser->classifiers[i].digit, mean);
        status = draw_digit(folder, recogniser, i, mean, sheet);
    }
    free(mean);
    return status;
}

Status feature_images_write(const char *folder, const Recogniser *recogniser, const Workload *set) {
    const Grid small = grid_of(recogniser, SHEET_PANEL_SIDE);
    Canvas sheet;
    STATUS_TRY(create(&small, FEATURE_IMAGES_BEST, (int32_t)recogniser->count, &sheet));
    Status status = draw_digits(folder, recogniser, set, &sheet);
    STATUS_THEN(status, write(folder, "digits", &sheet));
    canvas_release(&sheet);
    return status;
}
