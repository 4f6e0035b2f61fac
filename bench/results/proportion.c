#include "proportion.h"

#include <math.h>

static const double z = 1.959963984540054; /* the 97.5% quantile of the normal distribution */

Proportion proportion(uint64_t count, uint64_t total) {
    if (total == 0) {
        return (Proportion){NAN, NAN, NAN};
    }
    const double n = (double)total;
    const double share = (double)count / n;
    const double scale = 1 / (1 + z * z / n);
    const double middle = scale * (share + z * z / (2 * n));
    const double half = scale * z * sqrt(share * (1 - share) / n + z * z / (4 * n * n));
    /* At 0 and 1 the bounds are exact but for rounding. */
    return (Proportion){share, count == 0 ? 0 : middle - half, count == total ? 1 : middle + half};
}
