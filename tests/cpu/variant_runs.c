#include "variant_runs.h"
#include "backend_runner.h"
#include "test.h"

enum { PADDING_VALUE = 0xEE, THREADS = 5 };

static uint8_t pixel_value(Fill fill, int32_t x, int32_t y, uint32_t *random) {
    *random = *random * 1664525U + 1013904223U;
    switch (fill) {
    case FILL_CONSTANT: return 77;
    case FILL_RAMP: return (uint8_t)(3 * x + 7 * y);
    case FILL_NOISE: return (uint8_t)(*random >> 24);
    case FILL_EXTREME: return *random >> 31 ? 255 : 0;
    case FILL_ZERO:
    case FILLS: break;
    }
    return 0;
}

Image test_image(int32_t width, int32_t height, size_t padding, Fill fill, uint32_t seed) {
    const size_t stride = (size_t)width + padding;
    const size_t bytes = stride * (size_t)(height - 1) + (size_t)width;
    Image image = {.width = width, .height = height, .stride = stride, .pixels = malloc(bytes)};
    assert_non_null(image.pixels);
    memset(image.pixels, PADDING_VALUE, bytes);
    uint32_t random = seed;
    for (int32_t y = 0; y < height; y++) {
        for (int32_t x = 0; x < width; x++) {
            image.pixels[(size_t)y * stride + (size_t)x] = pixel_value(fill, x, y, &random);
        }
    }
    return image;
}

void test_image_free(Image *image) {
    free(image->pixels);
    image->pixels = NULL;
}

const Variant *cpu_variant(const Algorithm *algorithm, const char *name) {
    for (size_t i = 0; i < algorithm->cpu.count; i++) {
        if (strcmp(algorithm->cpu.rows[i].name, name) == 0) {
            return &algorithm->cpu.rows[i];
        }
    }
    fail_msg("%s has no variant %s", algorithm->name, name);
    return NULL;
}

static Output make_output(const Algorithm *algorithm, const Workload *workload,
                          const Point *answer) {
    Output output = {.data = NULL};
    assert_ok(algorithm->output_layout(workload, answer, &output.layout));
    void *memory = NULL;
    assert_ok(cpu_backend.alloc(output.layout.bytes, &memory));
    output.data = memory;
    return output;
}

void output_free(Output *output) {
    free(output->data);
    output->data = NULL;
}

/* Moves an answer out of the backend's memory, which the next variant's test poisons. */
static void move_to_own_memory(Output *output) {
    uint8_t *own = aligned_alloc(OUTPUT_ALIGNMENT, output->layout.bytes);
    assert_non_null(own);
    memcpy(own, output->data, output->layout.bytes);
    cpu_backend.release(output->data);
    output->data = own;
}

static void run_twice(const Variant *variant, const Request *request) {
    void *state = NULL;
    const Status opened = variant->open(request, &state);
    assert_string_equal(opened.why, "");
    for (uint8_t pattern = 0x5A; pattern != 0; pattern = pattern == 0x5A ? 0xA5 : 0) {
        /* The scratch of the variant and the answer; inputs are not the backend's. */
        memset(request->output->data, pattern, request->output->layout.bytes);
        assert_ok(cpu_backend.runner->poison(pattern));
        if (variant->upload != NULL) {
            assert_ok(variant->upload(state));
        }
        assert_ok(variant->run(state));
        if (variant->download != NULL) {
            assert_ok(variant->download(state));
        }
        const Status guards = cpu_backend.runner->check_guards();
        assert_string_equal(guards.why, "");
    }
    variant->close(state);
    variant->close(NULL);
}

Output variant_answer(const Algorithm *algorithm, const Variant *variant, const Image *image,
                      int threads) {
    const Point answer = {.count = 0};
    return variant_answer_at(algorithm, variant, image, &answer, threads);
}

Output variant_answer_at(const Algorithm *algorithm, const Variant *variant, const Image *image,
                         const Point *answer, int threads) {
    const Workload workload = {.kind = WORKLOAD_IMAGE, .image = *image};
    return variant_answer_of(algorithm, variant, &workload, answer, threads);
}

static Point tuning_of(const Variant *variant, int threads) {
    if (variant->tuning == NULL) {
        return (Point){.count = 0};
    }
    assert_string_equal(variant->tuning[0]->name, "threads");
    return (Point){.count = 1, .axes = {variant->tuning[0]}, .values = {{.number = threads}}};
}

Output variant_answer_of(const Algorithm *algorithm, const Variant *variant,
                         const Workload *workload, const Point *answer, int threads) {
    const Point tuning = tuning_of(variant, threads);
    Output output = make_output(algorithm, workload, answer);
    const Request request = {
        .workload = workload, .answer = answer, .tuning = &tuning, .output = &output};
    run_twice(variant, &request);
    move_to_own_memory(&output);
    return output;
}

void assert_same_answer(const Output *got, const Output *want, const char *name, const Image *image,
                        Fill fill, int threads) {
    assert_int_equal(got->layout.count, want->layout.count);
    for (size_t part = 0; part < want->layout.count; part++) {
        const uint8_t *a = output_part(got, part);
        const uint8_t *b = output_part(want, part);
        for (size_t i = 0; i < want->layout.parts[part].bytes; i++) {
            if (a[i] != b[i]) {
                fail_msg("%s, %d×%d, stride %zu, fill %d, %d threads: part %s differs at byte %zu "
                         "(%u, expected %u)",
                         name, image->width, image->height, image->stride, fill, threads,
                         want->layout.parts[part].name, i, a[i], b[i]);
            }
        }
    }
}

static void run_stages(const Variant *variant, void *state, const char *const *names) {
    size_t stage = 0;
    for (; names[stage] != NULL; stage++) {
        assert_string_equal(variant->stages[stage].name, names[stage]);
        assert_ok(variant->stages[stage].run(state));
    }
    assert_null(variant->stages[stage].name);
}

void check_stages(const Algorithm *algorithm, const Workload *workload, const Point *answer,
                  const char *const *names) {
    enum { TURNS = 4, TWO = 2 };
    size_t with_stages = 0;
    for (size_t row = 0; row < algorithm->cpu.count; row++) {
        const Variant *variant = &algorithm->cpu.rows[row];
        if (variant->stages == NULL) {
            continue;
        }
        const Point tuning = tuning_of(variant, TWO);
        Output want = variant_answer_of(algorithm, variant, workload, answer, TWO);
        Output got = make_output(algorithm, workload, answer);
        const Request request = {
            .workload = workload, .answer = answer, .tuning = &tuning, .output = &got};
        void *state = NULL;
        assert_ok(variant->open(&request, &state));
        for (int turn = 0; turn < TURNS; turn++) {
            memset(got.data, 0xA5, got.layout.bytes);
            if (turn % 2 == 0) {
                run_stages(variant, state, names);
            } else {
                assert_ok(variant->run(state));
            }
            assert_same_answer(&got, &want, variant->name, &workload->image, FILL_NOISE, TWO);
        }
        variant->close(state);
        cpu_backend.release(got.data);
        output_free(&want);
        with_stages++;
    }
    assert_true(with_stages > 0);
}

void check_kernel_work(const KernelWork *work, const void *kernel, const char *name,
                       const Workload *workload, const Point *answer, const Output *want) {
    void *memory = NULL;
    void *opened = NULL;
    assert_ok(cpu_backend.alloc(want->layout.bytes, &memory));
    const Output got = {.layout = want->layout, .data = memory};
    const Request request = {.workload = workload, .answer = answer, .output = &got};
    assert_ok(work->open(&request, 3, &opened));
    /* The one that it has chosen is the best, which there is memory for: that of most lanes. */
    memcpy((char *)opened + work->kernel, &kernel, sizeof kernel);
    assert_ok(cpu_backend.runner->poison(0xC3));
    assert_ok(work->run(opened));
    assert_string_equal(cpu_backend.runner->check_guards().why, "");
    assert_same_answer(&got, want, name, &workload->image, FILL_NOISE, 3);
    work->close(opened);
    cpu_backend.release(memory);
}

void check_variants(const Algorithm *algorithm, int32_t width, int32_t height, size_t padding,
                    Fill fill) {
    const Point answer = {.count = 0};
    check_variants_at(algorithm, &answer, width, height, padding, fill);
}

void check_variants_at(const Algorithm *algorithm, const Point *answer, int32_t width,
                       int32_t height, size_t padding, Fill fill) {
    RELEASED_BY(test_image_free) Image image = test_image(width, height, padding, fill, 12345);
    RELEASED_BY(output_free)
    Output want = variant_answer_at(algorithm, &algorithm->cpu.rows[0], &image, answer, 1);
    for (size_t row = 1; row < algorithm->cpu.count; row++) {
        const Variant *variant = &algorithm->cpu.rows[row];
        /* Starting and stopping threads takes most of the time: small images take turns. */
        const bool all = image_pixel_count(&image) > 5000;
        const int turn = 1 + (width + height + (int)fill) % THREADS;
        const int first = variant->tuning == NULL || all ? 1 : turn;
        const int last = variant->tuning == NULL ? 1 : all ? THREADS : turn;
        for (int threads = first; threads <= last; threads++) {
            RELEASED_BY(output_free)
            Output got = variant_answer_at(algorithm, variant, &image, answer, threads);
            assert_same_answer(&got, &want, variant->name, &image, fill, threads);
        }
    }
}
