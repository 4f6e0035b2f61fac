#include "svg_ticks.h"

#include <math.h>
#include <string.h>

#include "significant.h"
#include "utf8.h"

typedef struct TickList {
    SvgTick *ticks;
    size_t count;
} TickList;

static SvgTick *add_tick(TickList *list, double value) {
    if (list->count == SVG_TICKS_MAX) {
        return NULL;
    }
    SvgTick *tick = &list->ticks[list->count++];
    *tick = (SvgTick){.value = value};
    return tick;
}

static void add_named(TickList *list, double value, int digits) {
    SvgTick *tick = add_tick(list, value);
    if (tick != NULL) {
        svg_tick_text(value, digits, tick->label);
    }
}

static bool within(const SvgScale *scale, double value) {
    const double slack = 1e-9 * (scale->high - scale->low);
    const double place = scale->log ? log10(value) : value;
    return svg_scale_shows(scale, value) && place >= scale->low - slack &&
           place <= scale->high + slack;
}

/* The power of ten of a number's first digit. */
static int first_power(double number) {
    return (int)floor(log10(fabs(number)) + 1e-9);
}

static void append(char text[SVG_TICK_SIZE], const char *more) {
    const size_t used = strlen(text);
    snprintf(text + used, SVG_TICK_SIZE - used, "%s", more);
}

static void append_power(char text[SVG_TICK_SIZE], int power) {
    static const char *const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    append(text, power < 0 ? "10⁻" : "10");
    char plain[16];
    snprintf(plain, sizeof plain, "%d", power < 0 ? -power : power);
    for (const char *c = plain; *c != '\0'; c++) {
        append(text, digits[*c - '0']);
    }
}

/* "12800" as "12 800", with the narrow space that does not break. */
static void group_thousands(const char *plain, char text[SVG_TICK_SIZE]) {
    const char *sign = plain[0] == '-' ? "-" : "";
    const char *first = plain + strlen(sign);
    const size_t whole = strcspn(first, ".");
    text[0] = '\0';
    append(text, sign[0] != '\0' ? "−" : "");
    for (size_t i = 0; first[i] != '\0'; i++) {
        if (whole > 4 && i > 0 && i < whole && (whole - i) % 3 == 0) {
            append(text, "\u202F");
        }
        append(text, (char[]){first[i], '\0'});
    }
}

void svg_tick_text(double number, int digits, char text[SVG_TICK_SIZE]) {
    char plain[SIGNIFICANT_SIZE];
    const int power = number != 0 ? first_power(number) : 0;
    if (power >= -3 && power < 6) {
        significant_text(number, digits, plain);
        group_thousands(plain, text);
        return;
    }
    const double times = number / pow(10, power);
    text[0] = '\0';
    if (fabs(times - 1) > 1e-9) {
        significant_text(times, digits, plain);
        group_thousands(plain, text);
        append(text, "×");
    }
    append_power(text, power);
}

static void add_round_numbers(const SvgScale *scale, TickList *list) {
    const double low = scale->log ? pow(10, scale->low) : scale->low;
    const double high = scale->log ? pow(10, scale->high) : scale->high;
    const double step = svg_round_step(high - low);
    for (double i = ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++) {
        if (within(scale, i * step)) {
            const int digits = i != 0 ? first_power(i * step) - first_power(step) + 1 : 1;
            add_named(list, i * step, digits);
        }
    }
}

/* 1, 2 and 5 times the powers of ten; named all when the range is short, else the powers alone. */
static void add_decades(const SvgScale *scale, TickList *list) {
    const double range = scale->high - scale->low;
    const bool is_short = range < 1.5;
    const int stride = 1 + (int)(range / 8);
    for (int power = (int)floor(scale->low); power <= (int)floor(scale->high); power++) {
        for (int times = 1; times < 10; times++) {
            const double value = times * pow(10, power);
            const bool named = is_short ? times == 1 || times == 2 || times == 5
                                        : times == 1 && power % stride == 0;
            if (!within(scale, value)) {
                continue;
            }
            if (named) {
                add_named(list, value, 1);
            } else if (stride == 1 || times == 1) {
                SvgTick *tick = add_tick(list, value);
                if (tick != NULL) {
                    tick->minor = true;
                }
            }
        }
    }
}

static size_t count_named(const TickList *list) {
    size_t named = 0;
    for (size_t i = 0; i < list->count; i++) {
        named += !list->ticks[i].minor;
    }
    return named;
}

static size_t characters(const char *text) {
    return utf8_width(text, strlen(text));
}

/* Keeps a name when it is clear of the one kept before it. Beside each other names take their
 * width, above each other their height: in the small letters of a large drawing and in the large
 * ones of a small drawing. */
static void drop_names_without_room(const SvgScale *scale, TickList *list) {
    enum { SMALL = 7, LARGE = 11, SMALL_HIGH = 16, LARGE_HIGH = 22 };
    const bool beside = scale->end > scale->start;
    double small_end = -INFINITY;
    double large_end = -INFINITY;
    for (size_t i = 0; i < list->count; i++) {
        SvgTick *tick = &list->ticks[i];
        if (tick->minor) {
            continue;
        }
        const double letters = (double)characters(tick->label) + 1;
        const double small = (beside ? letters * SMALL : SMALL_HIGH) / 2;
        const double large = (beside ? letters * LARGE : LARGE_HIGH) / 2;
        const double at = fabs(svg_scale_at(scale, tick->value) - scale->start);
        if (at - small < small_end) {
            tick->label[0] = '\0';
            continue;
        }
        small_end = at + small;
        tick->roomy = at - large < large_end;
        if (!tick->roomy) {
            large_end = at + large;
        }
    }
}

size_t svg_scale_ticks(const SvgScale *scale, const ChartAxis *axis, SvgTick ticks[SVG_TICKS_MAX]) {
    TickList list = {.ticks = ticks};
    for (size_t i = 0; i < axis->count; i++) {
        SvgTick *tick =
            within(scale, axis->ticks[i].value) ? add_tick(&list, axis->ticks[i].value) : NULL;
        if (tick != NULL) {
            append(tick->label, axis->ticks[i].label != NULL ? axis->ticks[i].label : "");
        }
    }
    if (list.count == 0 && scale->log) {
        add_decades(scale, &list);
        list.count = count_named(&list) >= 2 ? list.count : 0;
    }
    if (list.count == 0) {
        add_round_numbers(scale, &list);
    }
    drop_names_without_room(scale, &list);
    return list.count;
}
