/* Numbers that have no launches, perhaps an interval: of papers, of means, of single measurements.
 */

#include "judge_internal.h"

#include <math.h>
#include <stdbool.h>

/* Half the 95% interval of a mean, in standard errors. */
static const double mean_errors = 1.96;

bool estimate_has_interval(const Estimate *number) {
    return isfinite(number->low) && isfinite(number->high);
}

Ratio estimate_ratio(const Estimate *over, const Estimate *under) {
    const bool both = estimate_has_interval(over) && estimate_has_interval(under);
    return (Ratio){.value = over->value / under->value,
                   .low = both ? over->low / under->high : (double)NAN,
                   .high = both ? over->high / under->low : (double)NAN};
}

SpeedSide estimate_side(const Estimate *first, const Estimate *second) {
    const bool both = estimate_has_interval(first) && estimate_has_interval(second);
    const bool less = both ? first->high < second->low : first->value < second->value;
    const bool more = both ? second->high < first->low : first->value > second->value;
    return less ? SIDE_FASTER : more ? SIDE_SLOWER : SIDE_UNDECIDED;
}

Estimate estimate_of_mean(double mean, double stddev, double independent) {
    const double half = mean_errors * stddev / sqrt(independent);
    return (Estimate){.value = mean, .low = fmax(mean - half, 0), .high = mean + half};
}

Estimate estimate_within(double value, double factor) {
    return (Estimate){.value = value, .low = value / factor, .high = value * factor};
}

SpeedSide change_side(double ratio) {
    return ratio > 1 ? SIDE_SLOWER : SIDE_FASTER;
}
