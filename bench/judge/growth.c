/* How kernel time grows with the number of items: a power, and the interval of its exponent. */

#include "growth.h"
#include "judge_internal.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* Fewer different sizes have no exponent: a line through two points always fits. */
enum { COMPLEXITY_SIZES_MIN = 3 };

static const double pi = 3.14159265358979323846;

/* P(|T| ≤ t): the finite series for whole degrees of freedom in the angle atan(t/√degrees). */
static double student_within(double t, size_t degrees) {
    const double angle = atan(t / sqrt((double)degrees));
    const double square = cos(angle) * cos(angle);
    const bool odd = degrees % 2 == 1;
    double term = odd ? cos(angle) : 1;
    double sum = 0;
    /* Terms of cos to the powers 1, 3, 5 … or 0, 2, 4 …, up to degrees - 2. */
    for (size_t power = odd ? 1 : 0; power + 2 <= degrees; power += 2) {
        sum += term;
        term *= square * (double)(power + 1) / (double)(power + 2);
    }
    return odd ? 2 / pi * (angle + sin(angle) * sum) : sin(angle) * sum;
}

double student_quantile(double p, size_t degrees) {
    const double within = 2 * p - 1;
    double low = 0;
    double high = 1;
    while (student_within(high, degrees) < within && high < 1e300) {
        high *= 2;
    }
    for (double middle = (low + high) / 2; low < middle && middle < high;
         middle = (low + high) / 2) {
        if (student_within(middle, degrees) < within) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return high;
}

static size_t count_different(const double *values, size_t n) {
    size_t different = 0;
    for (size_t i = 0; i < n; i++) {
        size_t j = 0;
        while (j < i && values[j] != values[i]) {
            j++;
        }
        different += j == i;
    }
    return different;
}

PowerFit power_fit(const double *items, const double *seconds, size_t n) {
    if (count_different(items, n) < COMPLEXITY_SIZES_MIN) {
        return (PowerFit){.exponent = NAN, .low = NAN, .high = NAN};
    }
    double mean_x = 0;
    double mean_y = 0;
    for (size_t i = 0; i < n; i++) {
        mean_x += log(items[i]) / (double)n;
        mean_y += log(seconds[i]) / (double)n;
    }
    double squares_x = 0;
    double products = 0;
    for (size_t i = 0; i < n; i++) {
        const double x = log(items[i]) - mean_x;
        squares_x += x * x;
        products += x * (log(seconds[i]) - mean_y);
    }
    const double slope = products / squares_x;
    double squares_left = 0;
    for (size_t i = 0; i < n; i++) {
        const double left = log(seconds[i]) - mean_y - slope * (log(items[i]) - mean_x);
        squares_left += left * left;
    }
    const double error = sqrt(squares_left / (double)(n - 2) / squares_x);
    const double half = student_quantile(0.975, n - 2) * error;
    return (PowerFit){.exponent = slope, .low = slope - half, .high = slope + half};
}
