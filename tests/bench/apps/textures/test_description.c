/* Describing images: the right histograms at each scale, and proof that a variant gives them. */
#include "harness.h"
#include "status_checks.h"
#include "test.h"
#include "textures_internal.h"

enum { SIDE = 9 };

static uint8_t grey[SIDE * SIDE];
static const Image flat = {.width = SIDE, .height = SIDE, .stride = SIDE, .pixels = grey};

static Describer open_seq(const char *pr) {
    const Variant *variant;
    Describer describer;
    assert_ok(one_answer_variant(description_algorithm(), "seq", &variant));
    assert_ok(describer_open(variant, pr, "nearest", &describer));
    return describer;
}

/* All of a black image is ≥ its neighbours, the black outside included: P ones. In a white one
 * the outside is darker: with 4 points at distance 1 corners have 2 ones, edges 3, the inside 4. */
TEST(histograms_of_flat_images) {
    Describer describer = open_seq("4:1,8:1");
    uint64_t counts[16];
    assert_int_equal(describer.scales.bins, 6 + 10);
    assert_int_equal(describer.scales.list[1].offset, 6);
    memset(grey, 0, sizeof grey);
    assert_ok(describer_run(&describer, &flat, counts));
    for (size_t i = 0; i < 16; i++) {
        assert_int_equal(counts[i], i == 4 || i == 6 + 8 ? SIDE * SIDE : 0);
    }
    memset(grey, 255, sizeof grey);
    assert_ok(describer_run(&describer, &flat, counts));
    assert_int_equal(counts[2], 4);
    assert_int_equal(counts[3], 4 * (SIDE - 2));
    assert_int_equal(counts[4], (SIDE - 2) * (SIDE - 2));
}

TEST(every_cpu_variant_describes_alike) {
    uint64_t want[54];
    uint64_t got[54];
    Describer describer = open_seq(NULL);
    assert_int_equal(describer.scales.count, 3);
    assert_int_equal(describer.scales.bins, 54);
    for (int i = 0; i < SIDE * SIDE; i++) {
        grey[i] = (uint8_t)(i * i * 7 + i);
    }
    assert_ok(describer_run(&describer, &flat, want));
    const Algorithm *algorithm = description_algorithm();
    for (size_t i = 1; i < algorithm->cpu.count; i++) {
        assert_ok(describer_open(&algorithm->cpu.rows[i], NULL, "nearest", &describer));
        assert_ok(describer_run(&describer, &flat, got));
        assert_memory_equal(got, want, sizeof want);
    }
}

TEST(the_best_cpu_variant_is_the_default) {
    const Variant *variant;
    assert_ok(one_answer_variant(description_algorithm(), NULL, &variant));
    assert_string_equal(variant->name, "omp");
    assert_status(one_answer_variant(description_algorithm(), "som", &variant), STATUS_USAGE,
                  "there are seq, simd, omp");
}

TEST(wrong_requests_say_what_is_right) {
    const Variant *variant;
    Describer describer;
    assert_ok(one_answer_variant(description_algorithm(), "seq", &variant));
    static const char *const wrong[][3] = {
        {"8", "bilinear", "not points:radius"},
        {"8:1,", "bilinear", "single commas"},
        {"33:1", "bilinear", "33:1"},
        {"8:1", "cubic", "nearest or bilinear"},
        {"8:1", "nearest,bilinear", "are several values"},
        {"1:1,2:1,3:1,4:1,5:1,6:1,7:1,8:1,9:1,10:1,11:1,12:1,13:1", "nearest", "at most 12"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const Status status = describer_open(variant, wrong[i][0], wrong[i][1], &describer);
        assert_int_equal(status.code, STATUS_USAGE);
        assert_says(status.why, wrong[i][2]);
    }
}

/* --- A variant that is wrong ------------------------------------------------------------------ */

static uint64_t wrong_counts[2]; /* of bins 0 and 1 */

static Status wrong_open(const Request *request, void **state) {
    *state = (void *)request; /* only read */
    return status_ok();
}

static Status wrong_run(void *state) {
    const Request *request = state;
    memset(output_part(request->output, 0), 0, request->output->layout.parts[0].bytes);
    memcpy(output_part(request->output, 0), wrong_counts, sizeof wrong_counts);
    return status_ok();
}

static void wrong_close(void *state) {
    (void)state;
}

static const Variant wrong_variant = {.name = "wrong",
                                      .backend = &cpu_backend,
                                      .open = wrong_open,
                                      .run = wrong_run,
                                      .close = wrong_close};

TEST(a_wrong_variant_is_found_out) {
    Describer describer = open_seq("4:1");
    uint64_t counts[6];
    describer.variant = &wrong_variant;
    wrong_counts[0] = SIDE * SIDE;
    wrong_counts[1] = 0;
    memset(grey, 0, sizeof grey);
    assert_status(describer_run(&describer, &flat, counts), STATUS_FAIL,
                  "wrong gave a wrong answer: histogram [0] is 81");
    describer.proven = true; /* from here on only the sum is looked at */
    assert_ok(describer_run(&describer, &flat, counts));
    wrong_counts[1] = 1;
    assert_status(describer_run(&describer, &flat, counts), STATUS_FAIL, "counted 82 pixels of 81");
}
