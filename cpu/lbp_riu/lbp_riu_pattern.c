/* Offsets and integer weights of the sampling points; see lbp_riu.h for the definition. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lbp_riu.h"

enum {
    OFFSET_UNITS = 100000, /* of an offset to a pixel: 5 decimals */
    RADIUS_UNITS = 1000,
    RADIUS_DECIMALS = 3,
    WHOLE_DIGITS = 2 /* of LBP_RIU_POINTS_MAX and LBP_RIU_RADIUS_MAX */
};

static const double two_pi = 6.28318530717958647692;

static Status pr_error(const char *text) {
    return status_make(
        STATUS_USAGE,
        "--pr: '%.40s' is not points:radius; points are 1 to %d and the radius is more "
        "than 0, at most %d, with at most %d decimals, as in 8:1 or 16:2.5",
        text, LBP_RIU_POINTS_MAX, LBP_RIU_RADIUS_MAX, RADIUS_DECIMALS);
}

/* Reads 1 to `digits_max` digits at *text, which moves behind them; how many there were, or 0. */
static int read_digits(const char **text, int digits_max, int *value) {
    int digits = 0;
    *value = 0;
    for (; **text >= '0' && **text <= '9' && digits < digits_max; (*text)++, digits++) {
        *value = 10 * *value + (**text - '0');
    }
    return digits;
}

/* A number with at most three decimals at *text, which moves behind it, in thousandths. */
static bool read_thousandths(const char **text, int *thousandths) {
    int whole = 0;
    int decimals = 0;
    if (read_digits(text, WHOLE_DIGITS, &whole) == 0) {
        return false;
    }
    if (**text == '.') {
        (*text)++;
        const int digits = read_digits(text, RADIUS_DECIMALS, &decimals);
        if (digits == 0) {
            return false;
        }
        for (int i = digits; i < RADIUS_DECIMALS; i++) {
            decimals *= 10;
        }
    }
    *thousandths = whole * RADIUS_UNITS + decimals;
    return true;
}

Status lbp_riu_parse_pr(const char *text, int *points, int *radius_thousandths) {
    const char *rest = text;
    if (read_digits(&rest, WHOLE_DIGITS, points) == 0 || *rest != ':') {
        return pr_error(text);
    }
    rest++;
    if (!read_thousandths(&rest, radius_thousandths) || *rest != '\0') {
        return pr_error(text);
    }
    const bool fits = *points >= 1 && *points <= LBP_RIU_POINTS_MAX && *radius_thousandths >= 1 &&
                      *radius_thousandths <= LBP_RIU_RADIUS_MAX * RADIUS_UNITS;
    return fits ? status_ok() : pr_error(text);
}

/* One of the four pixels round a point, while the units that are left are given out. */
typedef struct Share {
    int64_t remainder;
    int64_t anticlockwise, outward; /* place relative to the ray from the centre to the point */
    int index;
} Share;

static int compare_shares(const void *a, const void *b) {
    const Share *left = a;
    const Share *right = b;
    if (left->remainder != right->remainder) {
        return left->remainder > right->remainder ? -1 : 1;
    }
    if (left->anticlockwise != right->anticlockwise) {
        return left->anticlockwise > right->anticlockwise ? -1 : 1;
    }
    return left->outward > right->outward ? -1 : 1;
}

/* `x`, `y`: the point, `a`, `b`: its distance from the tap's first pixel, in OFFSET_UNITS. */
static void set_weights(LbpRiuTap *tap, int64_t x, int64_t y, int64_t a, int64_t b) {
    const int64_t unit = OFFSET_UNITS;
    const int64_t real[4] = {(unit - a) * (unit - b), a * (unit - b), (unit - a) * b, a * b};
    Share shares[4];
    int left = LBP_RIU_WEIGHT_SUM;
    for (int i = 0; i < 4; i++) {
        const int64_t scaled = real[i] * LBP_RIU_WEIGHT_SUM;
        const int64_t px = tap->dx + i % 2;
        const int64_t py = tap->dy + i / 2;
        tap->weight[i] = (int32_t)(scaled / (unit * unit));
        left -= tap->weight[i];
        /* y points down: anticlockwise is towards the negative cross product. */
        shares[i] = (Share){.remainder = scaled % (unit * unit),
                            .anticlockwise = y * px - x * py,
                            .outward = x * px + y * py,
                            .index = i};
    }
    qsort(shares, 4, sizeof shares[0], compare_shares);
    for (int i = 0; i < left; i++) {
        tap->weight[shares[i].index]++;
    }
}

static int64_t floor_divide(int64_t value, int64_t divisor) {
    const int64_t quotient = value / divisor;
    return value % divisor < 0 ? quotient - 1 : quotient;
}

static void place_bilinear(LbpRiuTap *tap, int64_t x, int64_t y) {
    tap->dx = (int32_t)floor_divide(x, OFFSET_UNITS);
    tap->dy = (int32_t)floor_divide(y, OFFSET_UNITS);
    set_weights(tap, x, y, x - (int64_t)tap->dx * OFFSET_UNITS,
                y - (int64_t)tap->dy * OFFSET_UNITS);
}

/* Halves away from 0. */
static int32_t nearest_pixel(int64_t offset) {
    const int64_t size = (llabs(offset) + OFFSET_UNITS / 2) / OFFSET_UNITS;
    return (int32_t)(offset < 0 ? -size : size);
}

static void place_nearest(LbpRiuTap *tap, int64_t x, int64_t y) {
    tap->dx = nearest_pixel(x);
    tap->dy = nearest_pixel(y);
    memset(tap->weight, 0, sizeof tap->weight);
    tap->weight[0] = LBP_RIU_WEIGHT_SUM;
}

static int tap_reach(const LbpRiuTap *tap) {
    int reach = 0;
    for (int i = 0; i < 4; i++) {
        const int x = abs(tap->dx + i % 2);
        const int y = abs(tap->dy + i / 2);
        const int far = x > y ? x : y;
        reach = tap->weight[i] != 0 && far > reach ? far : reach;
    }
    return reach;
}

Status lbp_riu_pattern(const Point *answer, LbpRiuPattern *pattern) {
    int thousandths = 0;
    *pattern = (LbpRiuPattern){
        .bilinear = strcmp(point_text(answer, "interp"), "bilinear") == 0,
        .store = strcmp(point_text(answer, "store"), "bins") == 0,
    };
    STATUS_TRY(lbp_riu_parse_pr(point_text(answer, "pr"), &pattern->points, &thousandths));
    const double radius = (double)thousandths * OFFSET_UNITS / RADIUS_UNITS;
    for (int p = 0; p < pattern->points; p++) {
        LbpRiuTap *tap = &pattern->taps[p];
        const double angle = two_pi * p / pattern->points;
        const int64_t x = llround(radius * cos(angle));
        const int64_t y = llround(-radius * sin(angle));
        if (pattern->bilinear) {
            place_bilinear(tap, x, y);
        } else {
            place_nearest(tap, x, y);
        }
        tap->x = (double)x / OFFSET_UNITS;
        tap->y = (double)y / OFFSET_UNITS;
        const int reach = tap_reach(tap);
        pattern->reach = reach > pattern->reach ? reach : pattern->reach;
    }
    return status_ok();
}
