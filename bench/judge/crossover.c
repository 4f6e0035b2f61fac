/* What the sides along a series say together. */

#include "crossover.h"
#include "judge_internal.h"

#include <stdio.h>

bool side_is_decided(SpeedSide side) {
    return side == SIDE_FASTER || side == SIDE_SLOWER;
}

SpeedSide side_inverse(SpeedSide side) {
    return side == SIDE_FASTER ? SIDE_SLOWER : side == SIDE_SLOWER ? SIDE_FASTER : side;
}

void crossover_add(Crossover *crossover, SpeedSide side) {
    const size_t place = crossover->places++;
    if (!side_is_decided(side)) {
        return;
    }
    if (crossover->sides++ == 0) {
        crossover->first = place;
    } else if (side != crossover->side) {
        crossover->changes++;
        crossover->before = crossover->last;
        crossover->after = place;
    }
    crossover->last = place;
    crossover->side = side;
}

Crossover crossover_of(const SpeedSide *sides, size_t count) {
    Crossover crossover = {.places = 0};
    for (size_t i = 0; i < count; i++) {
        crossover_add(&crossover, sides[i]);
    }
    return crossover;
}

CrossoverKind crossover_kind(const Crossover *crossover) {
    const bool ahead = crossover->side == SIDE_FASTER;
    return crossover->sides == 0     ? CROSSOVER_UNKNOWN
           : crossover->changes > 1  ? CROSSOVER_MIXED
           : crossover->changes == 1 ? (ahead ? CROSSOVER_FROM : CROSSOVER_UP_TO)
           : ahead                   ? CROSSOVER_ALWAYS
                                     : CROSSOVER_NEVER;
}
