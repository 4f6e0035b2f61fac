/* Sets of images for the tests of haar, the records they have by counting pixels, and runs of
 * variants. */
#ifndef TESTS_CPU_HAAR_SETS_H
#define TESTS_CPU_HAAR_SETS_H

#include "backend_runner.h"
#include "haar.h"
#include "haar_internal.h"
#include "test.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

extern const Algorithm haar_algorithm;

static inline Point haar_answer_point(int32_t min_side, int32_t threshold) {
    const Axis *const *axes = haar_algorithm.answer;
    assert_string_equal(axes[0]->name, "min-side");
    assert_string_equal(axes[1]->name, "threshold");
    return (Point){.count = 2,
                   .axes = {axes[0], axes[1]},
                   .values = {{.number = min_side}, {.number = threshold}}};
}

/* Owned by the caller: free(workload.image.pixels). The hash is none: nothing is remembered. */
static inline Workload haar_set(int32_t count, int32_t width, int32_t height) {
    const size_t bytes = (size_t)count * (size_t)width * (size_t)height;
    uint8_t *pixels = calloc(bytes, 1);
    assert_non_null(pixels);
    return (Workload){
        .kind = WORKLOAD_IMAGE_SET,
        .image = {.width = width,
                  .height = height * count,
                  .stride = (size_t)width,
                  .pixels = pixels},
        .set = {.count = count, .width = width, .height = height},
    };
}

/* Noise, of which every third image is only black and white, and every seventh only black. */
static inline Workload haar_noise(int32_t count, int32_t width, int32_t height, uint32_t seed) {
    Workload workload = haar_set(count, width, height);
    const size_t of_one = (size_t)width * (size_t)height;
    uint32_t random = seed;
    for (size_t i = 0; i < (size_t)count * of_one; i++) {
        const size_t image = i / of_one;
        random = random * 1664525U + 1013904223U;
        const uint8_t extreme = random >> 31 ? 255 : 0;
        const uint8_t any = (uint8_t)(random >> 24);
        workload.image.pixels[i] = image % 7 == 6 ? 0 : image % 3 == 2 ? extreme : any;
    }
    return workload;
}

/* What a pixel counts for that is `dx` and `dy` from the corner of a feature. */
static inline int32_t haar_pixel_weight(HaarFeature f, int32_t dx, int32_t dy) {
    static const int32_t two[] = {1, -1, 0};
    static const int32_t three[] = {1, -2, 1, 0, 0};
    const int32_t half_w = f.w / 2 > 0 ? dx / (f.w / 2) : 2;
    const int32_t half_h = f.h / 2 > 0 ? dy / (f.h / 2) : 2;
    const int32_t third_w = f.w / 3 > 0 ? dx / (f.w / 3) : 3;
    const int32_t third_h = f.h / 3 > 0 ? dy / (f.h / 3) : 3;
    switch (f.type) {
    case HAAR_TWO_COLUMNS: return half_w < 2 ? two[half_w] : 0;
    case HAAR_TWO_ROWS: return half_h < 2 ? two[half_h] : 0;
    case HAAR_THREE_COLUMNS: return third_w < 3 ? three[third_w] : 0;
    case HAAR_THREE_ROWS: return third_h < 3 ? three[third_h] : 0;
    default: return half_w < 2 && half_h < 2 ? two[half_w] * two[half_h] : 0;
    }
}

static inline int32_t haar_brute_value(const uint8_t *image, int32_t width, HaarFeature f) {
    int32_t value = 0;
    for (int32_t dy = 0; dy < f.h; dy++) {
        for (int32_t dx = 0; dx < f.w; dx++) {
            value += haar_pixel_weight(f, dx, dy) * image[(f.y + dy) * width + f.x + dx];
        }
    }
    return value;
}

/* An answer by pixel counting, in memory of its own. */
static inline Output haar_brute_force(const Workload *workload, HaarPoint point) {
    const ImageSet *set = &workload->set;
    const int64_t rectangles = haar_rectangles(set->width, set->height, point.min_side);
    const size_t most = (size_t)rectangles * HAAR_TYPES * (size_t)set->count;
    HaarPacking packing;
    Output output = {.data = NULL};
    assert_ok(haar_packing(set, &packing));
    output_layout_add(&output.layout, "count", OUTPUT_COUNTS_U64, 1, 1);
    output_layout_add(&output.layout, "records", OUTPUT_RECORDS_U64, most, 1);
    output.layout.parts[HAAR_PART_RECORDS].format = haar_packing_format(&packing);
    output.data = aligned_alloc(OUTPUT_ALIGNMENT, output.layout.bytes);
    assert_non_null(output.data);
    uint64_t found = 0;
    for (int32_t i = 0; i < set->count; i++) {
        const uint8_t *image = workload_image(workload, i);
        for (int32_t c = 0; c < set->width * set->height * HAAR_TYPES; c++) {
            const int32_t corner = c / HAAR_TYPES;
            HaarFeature f = {.type = (uint8_t)(c % HAAR_TYPES),
                             .x = (uint8_t)(corner % set->width),
                             .y = (uint8_t)(corner / set->width)};
            for (int32_t h = point.min_side; f.y + h <= set->height; h++) {
                for (int32_t w = point.min_side; f.x + w <= set->width; w++) {
                    f.w = (uint8_t)w;
                    f.h = (uint8_t)h;
                    const int32_t value = haar_brute_value(image, set->width, f);
                    if (value > point.threshold || value < -point.threshold) {
                        haar_records(&output)[found++] = haar_pack(&packing, (uint32_t)i, f, value);
                    }
                }
            }
        }
    }
    *haar_count(&output) = found;
    output.layout.parts[HAAR_PART_RECORDS].width = found;
    return output;
}

/* An empty answer of `layout`, between guard bands: cpu_backend.release(output.data). */
static inline Output haar_output(const OutputLayout *layout) {
    void *memory = NULL;
    assert_ok(cpu_backend.alloc(layout->bytes, &memory));
    return (Output){.layout = *layout, .data = memory};
}

/* Runs a variant into `output`, twice in poisoned memory, as the runner does. */
static inline void haar_run(const Variant *variant, const Workload *workload, const Point *answer,
                            int threads, const Output *output) {
    Point tuning = {.count = 0};
    if (variant->tuning != NULL) {
        tuning = (Point){.count = 1, .axes = {variant->tuning[0]}, .values = {{.number = threads}}};
    }
    const Request request = {
        .workload = workload, .answer = answer, .tuning = &tuning, .output = output};
    void *state = NULL;
    const Status opened = variant->open(&request, &state);
    assert_string_equal(opened.why, "");
    for (int pattern = 0x5A; pattern <= 0xA5; pattern += 0xA5 - 0x5A) {
        assert_ok(cpu_backend.runner->poison((uint8_t)pattern));
        const Status run = variant->run(state);
        assert_string_equal(run.why, "");
        const Status guards = cpu_backend.runner->check_guards();
        assert_string_equal(guards.why, "");
    }
    variant->close(state);
    variant->close(NULL);
}

static inline OutputLayout haar_layout(const Workload *workload, const Point *answer) {
    OutputLayout layout = {.count = 0};
    const Status status = haar_algorithm.output_layout(workload, answer, &layout);
    assert_string_equal(status.why, "");
    return layout;
}

#endif
