/* The axes --box and --threshold of lacunarity, and Otsu's threshold. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lacunarity.h"
#include "lacunarity_internal.h"

/* === Otsu's threshold ========================================================================= */

/*
 * Otsu's threshold, exactly: the threshold t that maximises the variance between the classes
 * pixel < t and pixel ≥ t.
 *
 * With n pixels of sum g in all, and n₀ of sum g₀ below t, that variance is, up to a factor that
 * does not depend on t,
 *
 *     (g₀·n − g·n₀)² / (n₀·(n − n₀)).
 *
 * Numerators have more than 64 bits, so it is computed in floating point; thresholds with the same
 * pixels below them have the same numbers, so that ties are ties.
 */

enum { GREY_VALUES = 256 };

int lacunarity_otsu(const Image *image) {
    uint64_t histogram[GREY_VALUES] = {0};
    uint64_t sum = 0;
    for (int32_t y = 0; y < image->height; y++) {
        const uint8_t *row = image_row(image, y);
        for (int32_t x = 0; x < image->width; x++) {
            histogram[row[x]]++;
            sum += row[x];
        }
    }
    const double n = (double)image_pixel_count(image);
    /* Where one class is empty at every threshold, all pixels have this value. */
    int best = image_row(image, 0)[0];
    double best_variance = 0;
    double n0 = 0;
    double g0 = 0;
    for (int t = 1; t < GREY_VALUES; t++) {
        n0 += (double)histogram[t - 1];
        g0 += (double)histogram[t - 1] * (t - 1);
        if (n0 > 0 && n0 < n) {
            const double moved = g0 * n - (double)sum * n0;
            const double variance = moved / n0 * (moved / (n - n0));
            if (variance > best_variance) {
                best_variance = variance;
                best = t;
            }
        }
    }
    return best;
}

/* === Axes ===================================================================================== */

enum {
    OTSU = -1, /* stands for the threshold that an image will give */
    SEEN_WORDS = (LACUNARITY_BOX_MAX + 2 + 63) / 64,
    DIGITS_MAX = 9 /* the sum of two numbers of so many digits fits int32_t */
};

/* Numbers in the order in which they were first named. */
typedef struct NumberSet {
    size_t count, capacity;
    int32_t *numbers;          /* owned */
    uint64_t seen[SEEN_WORDS]; /* bit n + 1: n is in the set */
} NumberSet;

typedef struct Grammar {
    const char *name, *what;
    int32_t minimum, maximum;
    size_t most; /* members */
    /* Adds what a word stands for; nothing that depends on an image when `shape` is NULL.
     * STATUS_NO_MATCH for any other text. */
    Status (*add_word)(const char *word, const Image *shape, NumberSet *set);
} Grammar;

static Status set_add(NumberSet *set, int32_t number) {
    const size_t bit = (size_t)(number + 1);
    const uint64_t mask = UINT64_C(1) << bit % 64;
    if (set->seen[bit / 64] & mask) {
        return status_ok();
    }
    if (set->count == set->capacity) {
        const size_t capacity = set->capacity == 0 ? 16 : 2 * set->capacity;
        int32_t *numbers = realloc(set->numbers, capacity * sizeof *numbers);
        if (numbers == NULL) {
            return status_no_memory("for a list of %zu numbers", capacity);
        }
        set->numbers = numbers;
        set->capacity = capacity;
    }
    set->seen[bit / 64] |= mask;
    set->numbers[set->count++] = number;
    return status_ok();
}

/* 1 at least, so that the smallest image has a box too. */
static int32_t half_shorter_side(const Image *shape) {
    const int32_t shorter = shape->width < shape->height ? shape->width : shape->height;
    const int32_t half = shorter / 2 > 1 ? shorter / 2 : 1;
    return half < LACUNARITY_BOX_MAX ? half : LACUNARITY_BOX_MAX;
}

static Status add_box_word(const char *word, const Image *shape, NumberSet *set) {
    const bool log = strcmp(word, "log") == 0;
    if (!log && strcmp(word, "paper") != 0) {
        return status_make(STATUS_NO_MATCH, "'%s' is no word for a box", word);
    }
    const int32_t last = shape == NULL ? 0 : half_shorter_side(shape);
    for (int32_t box = 1; box <= last; box += log ? box : 1) {
        STATUS_TRY(set_add(set, box));
    }
    return status_ok();
}

static Status add_threshold_word(const char *word, const Image *shape, NumberSet *set) {
    (void)shape;
    if (strcmp(word, "otsu") != 0) {
        return status_make(STATUS_NO_MATCH, "'%s' is no word for a threshold", word);
    }
    return set_add(set, OTSU);
}

static const Grammar box_grammar = {
    .name = "box",
    .what = "sides from 1 to 65535 pixels (8), ranges (1..64, 8..64:8), log and paper",
    .minimum = 1,
    .maximum = LACUNARITY_BOX_MAX,
    .most = LACUNARITY_BOX_MAX,
    .add_word = add_box_word,
};
static const Grammar threshold_grammar = {
    .name = "threshold",
    .what = "grey values from 0 to 255 (128), ranges (1..64, 0..255:16) and otsu",
    .minimum = 0,
    .maximum = 255,
    .most = LACUNARITY_THRESHOLDS_MAX,
    .add_word = add_threshold_word,
};

static Status item_usage(const Grammar *grammar, const char *item) {
    return status_make(STATUS_USAGE,
                       "--%s takes %s, joined by + for one cell, with each: in front for a cell of "
                       "each; not '%s'",
                       grammar->name, grammar->what, item);
}

/* Reads a decimal number at *text and moves *text behind it. */
static bool scan_number(const char **text, int32_t *number) {
    const size_t digits = strspn(*text, "0123456789");
    if (digits == 0 || digits > DIGITS_MAX) {
        return false;
    }
    *number = 0;
    for (size_t i = 0; i < digits; i++) {
        *number = *number * 10 + ((*text)[i] - '0');
    }
    *text += digits;
    return true;
}

/* Reads N, A..B or A..B:S; nothing may follow. */
static bool scan_range(const char *text, int32_t *first, int32_t *last, int32_t *step) {
    *step = 1;
    if (!scan_number(&text, first)) {
        return false;
    }
    *last = *first;
    if (strncmp(text, "..", 2) == 0) {
        text += 2;
        if (!scan_number(&text, last)) {
            return false;
        }
        if (*text == ':') {
            text++;
            if (!scan_number(&text, step)) {
                return false;
            }
        }
    }
    return *text == '\0';
}

static Status add_item(const Grammar *grammar, const char *item, const Image *shape,
                       NumberSet *set) {
    const Status word = grammar->add_word(item, shape, set);
    if (word.code != STATUS_NO_MATCH) {
        return word;
    }
    int32_t first = 0;
    int32_t last = 0;
    int32_t step = 0;
    if (!scan_range(item, &first, &last, &step) || first < grammar->minimum ||
        first > grammar->maximum || last < grammar->minimum || last > grammar->maximum) {
        return item_usage(grammar, item);
    }
    if (first > last || step < 1) {
        return status_make(STATUS_USAGE,
                           "--%s: a range goes from the smaller to the larger number in steps of "
                           "at least 1, unlike '%s'",
                           grammar->name, item);
    }
    for (int32_t number = first; number <= last; number += step) {
        STATUS_TRY(set_add(set, number));
    }
    return status_ok();
}

/* The members of one value of an axis. Release set->numbers, also after an error. */
static Status parse_set(const Grammar *grammar, const char *text, const Image *shape,
                        NumberSet *set) {
    *set = (NumberSet){.count = 0};
    for (const char *at = text;;) {
        const size_t length = strcspn(at, "+");
        char item[AXIS_TEXT_SIZE];
        if (length == 0 || length >= sizeof item) {
            return item_usage(grammar, text);
        }
        memcpy(item, at, length);
        item[length] = '\0';
        STATUS_TRY(add_item(grammar, item, shape, set));
        if (at[length] == '\0') {
            break;
        }
        at += length + 1;
    }
    if (set->count > grammar->most) {
        return status_make(STATUS_USAGE, "--%s takes at most %zu values in a set, '%s' is more",
                           grammar->name, grammar->most, text);
    }
    return status_ok();
}

static Status check_set(const Grammar *grammar, const char *text) {
    NumberSet set;
    const Status status = parse_set(grammar, text, NULL, &set);
    free(set.numbers);
    return status;
}

static Status check_box(const char *value) {
    return check_set(&box_grammar, value);
}

static Status check_threshold(const char *value) {
    return check_set(&threshold_grammar, value);
}

static Status add_text(AxisValues *values, const char *text) {
    for (size_t i = 0; i < values->count; i++) {
        if (strcmp(values->values[i].text, text) == 0) {
            return status_ok();
        }
    }
    if (values->count == AXIS_VALUES_MAX) {
        return status_make(STATUS_USAGE, "an axis takes at most %d values", AXIS_VALUES_MAX);
    }
    AxisValue *value = &values->values[values->count++];
    *value = (AxisValue){.number = 0};
    snprintf(value->text, sizeof value->text, "%s", text);
    return status_ok();
}

static Status expand_each(const Grammar *grammar, const char *word, const Workload *workload,
                          AxisValues *values) {
    static const char each[] = "each:";
    if (strncmp(word, each, sizeof each - 1) != 0) {
        return status_make(STATUS_NO_MATCH, "'%s' is one set", word);
    }
    NumberSet set;
    const Image *shape = workload == NULL ? NULL : &workload->image;
    Status status = parse_set(grammar, word + sizeof each - 1, shape, &set);
    for (size_t i = 0; status_is_ok(&status) && i < set.count; i++) {
        status = set.numbers[i] == OTSU ? add_text(values, "otsu")
                                        : axis_values_add(values, set.numbers[i]);
    }
    free(set.numbers);
    return status;
}

static Status expand_box(const char *word, const Workload *workload, AxisValues *values) {
    return expand_each(&box_grammar, word, workload, values);
}

static Status expand_threshold(const char *word, const Workload *workload, AxisValues *values) {
    return expand_each(&threshold_grammar, word, workload, values);
}

const Axis lacunarity_box_axis = {
    .struct_bytes = sizeof(Axis),
    .name = "box",
    .help = "box sides in pixels: 4+8+16, 1..128, log or paper in one cell; each:… one cell each",
    .defaults = "log",
    .kind = AXIS_TEXT,
    .check = check_box,
    .expand = expand_box,
    .title = "box side (pixels)",
};

const Axis lacunarity_threshold_axis = {
    .struct_bytes = sizeof(Axis),
    .name = "threshold",
    .help = "grey values from which on a pixel counts: 64+128, 0..255:16 or otsu in one cell; "
            "each:… one cell each",
    .defaults = "128",
    .kind = AXIS_TEXT,
    .check = check_threshold,
    .expand = expand_threshold,
};

static Status plan_thresholds(const Image *image, const Point *answer, LacunarityPlan *plan) {
    NumberSet set;
    const Status status =
        parse_set(&threshold_grammar, point_text(answer, "threshold"), NULL, &set);
    if (status_is_ok(&status)) {
        plan->threshold_count = set.count;
        for (size_t i = 0; i < set.count; i++) {
            const bool otsu = set.numbers[i] == OTSU;
            const int found = otsu && image->pixels != NULL ? lacunarity_otsu(image) : 0;
            plan->thresholds[i] = otsu ? found : set.numbers[i];
        }
    }
    free(set.numbers);
    return status;
}

Status lacunarity_plan_make(const Image *image, const Point *answer, LacunarityPlan *plan) {
    *plan = (LacunarityPlan){.boxes = NULL};
    NumberSet set;
    const Status status = parse_set(&box_grammar, point_text(answer, "box"), image, &set);
    plan->boxes = set.numbers;
    plan->box_count = set.count;
    STATUS_TRY(status);
    for (size_t i = 0; i < plan->box_count; i++) {
        if (plan->boxes[i] > image->width || plan->boxes[i] > image->height) {
            return status_skip("a box of %d×%d pixels does not fit into an image of %d×%d",
                               plan->boxes[i], plan->boxes[i], image->width, image->height);
        }
    }
    return plan_thresholds(image, answer, plan);
}

void lacunarity_plan_release(LacunarityPlan *plan) {
    free(plan->boxes);
    *plan = (LacunarityPlan){.boxes = NULL};
}
