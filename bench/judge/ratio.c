/* On which side of 1 a ratio of speeds is. */

#include <math.h>

#include "ratio.h"

const CompareCriteria judge_criteria = {.alpha = JUDGE_ALPHA, .threshold = JUDGE_THRESHOLD};

Disturber disturber_of_either(Disturber first, Disturber second) {
    return first != DISTURBER_NONE ? first : second;
}

SpeedSide ratio_side(const Ratio *ratio) {
    static const double rounding = 0.005; /* "1.00×" */
    const bool known = !isnan(ratio->low) && !isnan(ratio->high);
    if (isnan(ratio->value) || ratio->disturber != DISTURBER_NONE) {
        return SIDE_UNDECIDED;
    }
    if (known ? ratio->low > 1 || ratio->high < 1 : !(fabs(ratio->value - 1) < rounding)) {
        return ratio->value < 1 ? SIDE_SLOWER : SIDE_FASTER;
    }
    const double limit = 1 + judge_criteria.threshold;
    const bool within = ratio->low * limit >= 1 && ratio->high <= limit; /* not without any */
    return within ? SIDE_SAME : SIDE_UNDECIDED;
}
