/* What tsan.sh runs under ThreadSanitizer: the OpenMP variants with every number of threads, twice
 * in a row, on images with fewer rows than threads and with many. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "copy.h"
#include "cpu/lbp_riu_points.h"
#include "lbp.h"
#include "variant_runs.h"

static void check_threads(const Algorithm *algorithm) {
    check_variants(algorithm, 2600, 2, 0, FILL_NOISE);
    check_variants(algorithm, 130, 41, 3, FILL_NOISE);
    check_variants(algorithm, 640, 100, 0, FILL_RAMP);
    check_variants(algorithm, 1, 1, 0, FILL_NOISE);
}

static void lbp(void **state) {
    (void)state;
    check_threads(&lbp_algorithm);
}

static void copy(void **state) {
    (void)state;
    check_threads(&copy_algorithm);
}

static void lbp_riu(void **state) {
    (void)state;
    const Point answer = make_answer("8:1", "bilinear", "bins");
    check_variants_at(&lbp_riu_algorithm, &answer, 2600, 2, 0, FILL_NOISE);
    check_variants_at(&lbp_riu_algorithm, &answer, 130, 41, 3, FILL_NOISE);
    check_variants_at(&lbp_riu_algorithm, &answer, 400, 160, 0, FILL_RAMP);
    check_variants_at(&lbp_riu_algorithm, &answer, 1, 1, 0, FILL_NOISE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lbp),
        cmocka_unit_test(lbp_riu),
        cmocka_unit_test(copy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
