/* fast9: stages of the CPU variants, and their room. They are held to the oracle by conformance. */
#include "cpu/fast9_points.h"
#include "test.h"
#include "variant_runs.h"

/* Crosses of four pixels each: every pixel that a corner can have, so that first room, which is for
 * photographs, is too little; in bands of one and of several rows. */
TEST(dense_corners_find_room) {
    const Fast9Point points[] = {{1000000, 2, 1, 1, FAST9_SCORE_FAST},
                                 {50, 2, 1, 1, FAST9_SCORE_HARRIS}};
    for (size_t p = 0; p < COUNT_OF(points); p++) {
        const Point answer = fast9_answer_point(points[p]);
        RELEASED_BY(test_image_free) Image image = fast9_flat_image(200, 49, 100);
        for (int32_t i = 0; i < 200 * 49; i++) {
            const bool dot = i % 200 % 4 == 0 && i / 200 % 4 == 0;
            *fast9_pixel(&image, i % 200, i / 200) = dot ? 200 : (uint8_t)(100 + i % 3);
        }
        Output want =
            variant_answer_at(&fast9_algorithm, &fast9_algorithm.cpu.rows[0], &image, &answer, 1);
        assert_true(*fast9_count(&want) >= 50);
        for (size_t row = 1; row < fast9_algorithm.cpu.count; row++) {
            const Variant *variant = &fast9_algorithm.cpu.rows[row];
            RELEASED_BY(output_free)
            Output got = variant_answer_at(&fast9_algorithm, variant, &image, &answer, 3);
            assert_same_answer(&got, &want, variant->name, &image, FILL_CONSTANT, 3);
        }
        output_free(&want);
    }
}

TEST(stages_make_up_the_run) {
    static const char *const names[] = {"pyramid", "corners", "suppress", "select", NULL};
    const Point answer = fast9_answer_point((Fast9Point){300, 8, 20, 1, FAST9_SCORE_FAST});
    RELEASED_BY(test_image_free) Image image = test_image(150, 120, 3, FILL_NOISE, 9);
    const Workload workload = {.kind = WORKLOAD_IMAGE, .image = image};
    check_stages(&fast9_algorithm, &workload, &answer, names);
}
