#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "image_sets.h"
#include "image_sets_internal.h"
#include "random.h"
#include "resources.h"
#include "synthetic.h"

/* === Digits =================================================================================== */

/*
 * A digit is a few strokes, each a smooth curve (Catmull and Rom, 1974) through points that a hand
 * passes. A hand is an affine map near the identity, an error at every point, and a pen. What is
 * within the pen's radius of a curve is ink. The proportions are those of MNIST: digits 20 of 28
 * pixels high, a pen of about 2.5 of 28 pixels, black ground.
 */

enum {
    POINTS_MAX = 13,
    STYLE_A = 1,
    STYLE_B = 2,
    STYLES = STYLE_A | STYLE_B,
    CENTRE_X = 320, /* of the strokes below, whose box is 640 wide and 1000 high */
    CENTRE_Y = 500,
    BOX = 1000,
    BOX_SHARE = 20, /* the box is 20/28 of the image */
    BOX_OF = 28,
    ONE = 1024,      /* of the affine map's factors */
    PIXEL = 256,     /* coordinates in images are in units of 1/256 pixel */
    STEPS = 8,       /* straight pieces between two points */
    PART_ONE = 4096, /* position along a piece */
    NOISE_RANGE = 32 /* ink is up to 31/256 paler than the pen */
};

typedef struct Point {
    int64_t x, y;
} Point;

typedef struct Stroke {
    uint8_t digit, styles, count;
    int16_t points[POINTS_MAX][2];
} Stroke;

static const Stroke strokes[] = {
    {.digit = 0,
     .styles = STYLES,
     .count = 9,
     .points = {{330, 0},
                {110, 150},
                {20, 500},
                {110, 860},
                {320, 1000},
                {540, 850},
                {620, 500},
                {540, 150},
                {320, 10}}},
    {.digit = 1, .styles = STYLES, .count = 3, .points = {{330, 0}, {325, 500}, {320, 1000}}},
    {.digit = 1, .styles = STYLE_B, .count = 2, .points = {{180, 200}, {330, 0}}},
    {.digit = 2,
     .styles = STYLES,
     .count = 8,
     .points = {{60, 220},
                {180, 40},
                {380, 0},
                {560, 120},
                {560, 330},
                {410, 570},
                {210, 800},
                {30, 970}}},
    {.digit = 2, .styles = STYLES, .count = 3, .points = {{30, 970}, {330, 950}, {640, 980}}},
    {.digit = 3,
     .styles = STYLES,
     .count = 6,
     .points = {{80, 120}, {280, 0}, {500, 60}, {540, 260}, {420, 430}, {250, 480}}},
    {.digit = 3,
     .styles = STYLES,
     .count = 6,
     .points = {{250, 480}, {490, 540}, {600, 740}, {480, 940}, {260, 1000}, {60, 890}}},
    {.digit = 4, .styles = STYLE_A, .count = 3, .points = {{130, 30}, {90, 300}, {60, 570}}},
    {.digit = 4, .styles = STYLE_A, .count = 3, .points = {{60, 570}, {330, 590}, {630, 540}}},
    {.digit = 4, .styles = STYLE_A, .count = 3, .points = {{510, 30}, {490, 500}, {460, 1000}}},
    {.digit = 4, .styles = STYLE_B, .count = 3, .points = {{450, 0}, {250, 320}, {30, 640}}},
    {.digit = 4, .styles = STYLE_B, .count = 3, .points = {{30, 640}, {340, 650}, {640, 630}}},
    {.digit = 4, .styles = STYLE_B, .count = 3, .points = {{450, 0}, {450, 500}, {440, 1000}}},
    {.digit = 5, .styles = STYLES, .count = 3, .points = {{590, 20}, {380, 10}, {160, 20}}},
    {.digit = 5, .styles = STYLES, .count = 3, .points = {{160, 20}, {130, 220}, {100, 450}}},
    {.digit = 5,
     .styles = STYLES,
     .count = 7,
     .points =
         {{100, 450}, {310, 390}, {530, 480}, {590, 700}, {480, 920}, {260, 1000}, {50, 910}}},
    {.digit = 6,
     .styles = STYLES,
     .count = 11,
     .points = {{500, 0},
                {270, 180},
                {110, 450},
                {60, 720},
                {150, 930},
                {330, 1000},
                {520, 910},
                {580, 730},
                {470, 570},
                {280, 560},
                {90, 720}}},
    {.digit = 7, .styles = STYLES, .count = 3, .points = {{40, 60}, {320, 50}, {600, 40}}},
    {.digit = 7,
     .styles = STYLES,
     .count = 4,
     .points = {{600, 40}, {440, 380}, {310, 700}, {240, 1000}}},
    {.digit = 7, .styles = STYLE_B, .count = 2, .points = {{170, 530}, {540, 510}}},
    {.digit = 8,
     .styles = STYLES,
     .count = 13,
     .points = {{530, 140},
                {330, 0},
                {120, 110},
                {150, 320},
                {330, 470},
                {530, 640},
                {550, 870},
                {320, 1000},
                {80, 870},
                {120, 640},
                {330, 480},
                {520, 320},
                {530, 150}}},
    {.digit = 9,
     .styles = STYLES,
     .count = 7,
     .points = {{540, 170}, {340, 10}, {120, 120}, {70, 330}, {220, 480}, {430, 420}, {540, 180}}},
    {.digit = 9,
     .styles = STYLE_A,
     .count = 4,
     .points = {{545, 130}, {540, 450}, {500, 740}, {450, 1000}}},
    {.digit = 9,
     .styles = STYLE_B,
     .count = 5,
     .points = {{545, 130}, {560, 560}, {490, 880}, {300, 1000}, {120, 930}}},
};

/* Places in an image's random sequence; points and pixels follow. */
typedef enum DigitDraw {
    DRAW_STYLE,
    DRAW_SCALE_X,
    DRAW_SCALE_Y,
    DRAW_SLANT,
    DRAW_TURN,
    DRAW_SHIFT_X,
    DRAW_SHIFT_Y,
    DRAW_RADIUS,
    DRAW_INK,
    DRAW_POINTS = 16,
    DRAW_PIXELS = 4096
} DigitDraw;

/* How one person writes one digit: the map in units of 1/1024, shifts in those of the strokes. */
typedef struct Hand {
    uint64_t seed;
    int64_t scale_x, scale_y, slant, turn, shift_x, shift_y;
    int64_t radius; /* 1/256 pixel */
    int64_t ink;    /* 0 … 255 */
    unsigned style;
} Hand;

typedef struct Canvas {
    int32_t width, height;
    uint8_t *pixels;
} Canvas;

static int64_t draw_between(uint64_t seed, uint64_t place, int64_t least, int64_t most) {
    const uint64_t count = (uint64_t)(most - least) + 1;
    return least + (int64_t)(random_at(seed, place) % count);
}

static Hand hand_of(uint64_t seed, int32_t width, int32_t height) {
    const int64_t side = width < height ? width : height;
    return (Hand){.seed = seed,
                  .style = draw_between(seed, DRAW_STYLE, 0, 2) == 0 ? STYLE_B : STYLE_A,
                  .scale_x = draw_between(seed, DRAW_SCALE_X, 760, 1420),
                  .scale_y = draw_between(seed, DRAW_SCALE_Y, 760, 1020),
                  .slant = draw_between(seed, DRAW_SLANT, -160, 420),
                  .turn = draw_between(seed, DRAW_TURN, -180, 180),
                  .shift_x = draw_between(seed, DRAW_SHIFT_X, -90, 90),
                  .shift_y = draw_between(seed, DRAW_SHIFT_Y, -70, 70),
                  .radius = draw_between(seed, DRAW_RADIUS, 200, 410) * side / BOX_OF,
                  .ink = draw_between(seed, DRAW_INK, 225, 255)};
}

/* Where a point of a stroke is in the image. */
static Point placed(const Hand *hand, const Canvas *canvas, const int16_t point[2],
                    uint64_t place) {
    const int64_t x = point[0] - CENTRE_X + draw_between(hand->seed, place, -75, 75);
    const int64_t y = point[1] - CENTRE_Y + draw_between(hand->seed, place + 1, -65, 65);
    const int64_t across = (x * hand->scale_x - y * hand->slant) / ONE;
    const int64_t down = y * hand->scale_y / ONE;
    const int64_t turned_x = across - down * hand->turn / ONE + hand->shift_x;
    const int64_t turned_y = down + across * hand->turn / ONE + hand->shift_y;
    const int64_t scale = (int64_t)BOX_SHARE * PIXEL;
    const int64_t unit = (int64_t)BOX_OF * BOX;
    return (Point){.x = turned_x * canvas->width * scale / unit + canvas->width * (PIXEL / 2),
                   .y = turned_y * canvas->height * scale / unit + canvas->height * (PIXEL / 2)};
}

static int64_t curve_between(int64_t before, int64_t from, int64_t to, int64_t after, int64_t k) {
    const int64_t sum = 2 * from * STEPS * STEPS * STEPS + (to - before) * k * STEPS * STEPS +
                        (2 * before - 5 * from + 4 * to - after) * k * k * STEPS +
                        (3 * from - before - 3 * to + after) * k * k * k;
    return sum / (2 * STEPS * STEPS * STEPS);
}

static int64_t square_of_distance(Point pixel, Point from, Point to) {
    const int64_t along_x = to.x - from.x;
    const int64_t along_y = to.y - from.y;
    const int64_t length = along_x * along_x + along_y * along_y;
    const int64_t dot = (pixel.x - from.x) * along_x + (pixel.y - from.y) * along_y;
    const int64_t inside = dot < 0 ? 0 : dot > length ? length : dot;
    const int64_t part = length == 0 ? 0 : inside * PART_ONE / length;
    const int64_t x = pixel.x - from.x - along_x * part / PART_ONE;
    const int64_t y = pixel.y - from.y - along_y * part / PART_ONE;
    return x * x + y * y;
}

/* How much of a pixel is ink: a ramp of one pixel about the pen's radius, on squares, so that no
 * root is needed. */
static uint8_t coverage(int64_t square, int64_t radius) {
    const int64_t inner = radius > PIXEL / 2 ? radius - PIXEL / 2 : 0;
    const int64_t outer = radius + PIXEL / 2;
    if (square >= outer * outer) {
        return 0;
    }
    if (square <= inner * inner) {
        return UINT8_MAX;
    }
    return (uint8_t)((outer * outer - square) * UINT8_MAX / (outer * outer - inner * inner));
}

static int32_t pixel_at(int64_t place, int32_t side) {
    const int64_t pixel = place / PIXEL;
    return place < 0 ? 0 : pixel >= side ? side - 1 : (int32_t)pixel;
}

static void draw_piece(const Canvas *canvas, Point from, Point to, int64_t radius) {
    const int64_t reach = radius + PIXEL;
    const int32_t left = pixel_at((from.x < to.x ? from.x : to.x) - reach, canvas->width);
    const int32_t right = pixel_at((from.x < to.x ? to.x : from.x) + reach, canvas->width);
    const int32_t top = pixel_at((from.y < to.y ? from.y : to.y) - reach, canvas->height);
    const int32_t bottom = pixel_at((from.y < to.y ? to.y : from.y) + reach, canvas->height);
    for (int32_t y = top; y <= bottom; y++) {
        uint8_t *row = canvas->pixels + (size_t)y * (size_t)canvas->width;
        for (int32_t x = left; x <= right; x++) {
            const Point centre = {.x = (int64_t)x * PIXEL + PIXEL / 2,
                                  .y = (int64_t)y * PIXEL + PIXEL / 2};
            const uint8_t ink = coverage(square_of_distance(centre, from, to), radius);
            row[x] = ink > row[x] ? ink : row[x];
        }
    }
}

static void draw_stroke(const Canvas *canvas, const Hand *hand, const Stroke *stroke,
                        uint64_t place) {
    /* A point before the first and one after the last, as far as their neighbours. */
    Point points[POINTS_MAX + 2];
    const size_t count = stroke->count;
    for (size_t i = 0; i < count; i++) {
        points[i + 1] = placed(hand, canvas, stroke->points[i], place + 2 * i);
    }
    points[0] = (Point){.x = 2 * points[1].x - points[2].x, .y = 2 * points[1].y - points[2].y};
    points[count + 1] = (Point){.x = 2 * points[count].x - points[count - 1].x,
                                .y = 2 * points[count].y - points[count - 1].y};
    for (size_t i = 1; i < count; i++) {
        const Point *p = &points[i];
        Point from = p[0];
        for (int64_t k = 1; k <= STEPS; k++) {
            const Point to = {.x = curve_between(p[-1].x, p[0].x, p[1].x, p[2].x, k),
                              .y = curve_between(p[-1].y, p[0].y, p[1].y, p[2].y, k)};
            draw_piece(canvas, from, to, hand->radius);
            from = to;
        }
    }
}

/* The ground stays black. */
static void apply_ink(const Canvas *canvas, const Hand *hand) {
    const size_t count = (size_t)canvas->width * (size_t)canvas->height;
    for (size_t i = 0; i < count; i++) {
        if (canvas->pixels[i] != 0) {
            const int64_t paler = draw_between(hand->seed, DRAW_PIXELS + i, 0, NOISE_RANGE - 1);
            const int64_t ink = canvas->pixels[i] * hand->ink / UINT8_MAX;
            canvas->pixels[i] = (uint8_t)(ink - ink * paler / PIXEL);
        }
    }
}

void synthetic_digit_draw(int digit, uint64_t seed, int32_t width, int32_t height,
                          uint8_t *pixels) {
    const Canvas canvas = {.width = width, .height = height, .pixels = pixels};
    const Hand hand = hand_of(seed, width, height);
    memset(pixels, 0, (size_t)width * (size_t)height);
    for (size_t i = 0; i < sizeof strokes / sizeof strokes[0]; i++) {
        if (strokes[i].digit == digit && (strokes[i].styles & hand.style) != 0) {
            draw_stroke(&canvas, &hand, &strokes[i], DRAW_POINTS + i * (size_t)(2 * POINTS_MAX));
        }
    }
    apply_ink(&canvas, &hand);
}

/* === Sets ===================================================================================== */

/* Fills one image; it depends on its own seed, size and label alone. */
typedef void DrawImage(const ImageSet *set, uint8_t label, uint64_t seed, uint8_t *pixels);

/* What the number of an image's random sequence is for. */
enum { DRAW_LABEL, DRAW_IMAGE };

static void draw_digit(const ImageSet *set, uint8_t label, uint64_t seed, uint8_t *pixels) {
    synthetic_digit_draw(label, seed, set->width, set->height, pixels);
}

/* Uniform bytes: eight from each number, the lowest first. */
static void draw_noise(const ImageSet *set, uint8_t label, uint64_t seed, uint8_t *pixels) {
    (void)label;
    const size_t count = (size_t)set->width * (size_t)set->height;
    uint64_t bits = 0;
    for (size_t i = 0; i < count; i++) {
        bits = i % 8 == 0 ? random_at(seed, i / 8) : bits >> 8;
        pixels[i] = (uint8_t)bits;
    }
}

typedef enum KindIndex { KIND_DIGITS, KIND_NOISE, KIND_COUNT } KindIndex;

const char *const synthetic_set_kinds[KIND_COUNT + 1] = {
    [KIND_DIGITS] = "digits", [KIND_NOISE] = "noise"};

static DrawImage *const drawers[KIND_COUNT] = {
    [KIND_DIGITS] = draw_digit, [KIND_NOISE] = draw_noise};

static DrawImage *drawer_of(const char *kind) {
    for (size_t i = 0; i < KIND_COUNT; i++) {
        if (strcmp(kind, synthetic_set_kinds[i]) == 0) {
            return drawers[i];
        }
    }
    return NULL;
}

static Status check_wanted(const char *kind, int32_t count, int32_t width, int32_t height) {
    /* Negative numbers are as wrong as 0. */
    return image_set_check(STATUS_USAGE, kind, count < 0 ? 0 : (uint64_t)count,
                           width < 0 ? 0 : (uint64_t)width, height < 0 ? 0 : (uint64_t)height);
}

Status image_set_synthetic(const char *kind, int32_t count, int32_t width, int32_t height,
                           uint64_t seed, Image *image, ImageSet *set) {
    *image = (Image){0};
    *set = (ImageSet){0};
    DrawImage *draw = drawer_of(kind);
    if (draw == NULL) {
        return status_make(STATUS_USAGE, "no synthetic set '%s'; there are digits and noise", kind);
    }
    STATUS_TRY(check_wanted(kind, count, width, height));
    STATUS_TRY(image_set_create(kind, count, width, height, true, image, set));
#pragma omp parallel for num_threads(thread_team_default()) schedule(static)
    for (int32_t i = 0; i < count; i++) {
        const uint64_t own = random_at(seed, (uint64_t)i);
        const uint8_t label = (uint8_t)(random_at(own, DRAW_LABEL) % SYNTHETIC_DIGIT_COUNT);
        set->labels[i] = label;
        draw(set, label, random_at(own, DRAW_IMAGE), image_set_pixels(image, set, i));
    }
    return status_ok();
}
