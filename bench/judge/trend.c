/* Whether a series of numbers rises, falls or turns. */

#include "contenders.h"

int contender_direction(const Contender *from, const Contender *to) {
    const SpeedSide side = contender_side(from, to);
    return (side == SIDE_FASTER) - (side == SIDE_SLOWER);
}

/* The direction to a place from the first before it that gives one; 0: none. */
static int first_direction(const Contender *series, size_t place) {
    int direction = 0;
    for (size_t i = 0; i < place && direction == 0; i++) {
        direction = contender_direction(&series[i], &series[place]);
    }
    return direction;
}

static void find_turns(const Contender *series, size_t count, Trend *trend) {
    int direction = 0;
    size_t farthest = 0;
    for (size_t i = 1; i < count; i++) {
        const double further = series[i].number.value - series[farthest].number.value;
        if (direction == 0) {
            direction = trend->direction = first_direction(series, i);
            farthest = i;
        } else if (further * direction > 0) {
            farthest = i;
        } else if (contender_direction(&series[farthest], &series[i]) == -direction) {
            trend->turn = trend->turns++ == 0 ? farthest : trend->turn;
            direction = -direction;
            farthest = i;
        }
    }
}

Trend trend_of(const Contender *series, size_t count, bool times) {
    Trend trend = {.direction = 0};
    const double sign = times ? -1 : 1;
    for (size_t i = 0; i < count; i++) {
        if (sign * series[i].number.value > sign * series[trend.peak].number.value) {
            trend.peak = i;
        }
        trend.level += i > 0 && contender_direction(&series[i - 1], &series[i]) == 0;
    }
    find_turns(series, count, &trend);
    return trend;
}
