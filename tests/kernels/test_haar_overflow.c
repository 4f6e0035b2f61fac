/* CUDA variants of haar that find more records than they have room for, in the buffer that they
 * begin with or in the answer: nothing is lost without a word. Skipped without a device. */
#include "algorithm.h"
#include "axis.h"
#include "backend_runner.h"
#include "device.h"
#include "haar.h"
#include "output.h"
#include "registry.h"
#include "status.h"
#include "test.h"
#include "variant.h"
#include "workload.h"

enum {
    IMAGES = 3,
    SIDE = 28,
    MIN_SIDE = 4,
    BUFFER_MOST = 1 << 16, /* more than any variant begins with for so few images */
    ROOM = 1000,           /* records of an answer that is too small */
    BEHIND = 0x5A
};

static uint8_t pixels[IMAGES * SIDE * SIDE];

static const Axis min_side_axis = {.name = "min-side", .kind = AXIS_INTEGER};
static const Axis threshold_axis = {.name = "threshold", .kind = AXIS_INTEGER};

/* Every feature whose value is not 0. */
static const Point everything = {
    .count = 2,
    .axes = {&min_side_axis, &threshold_axis},
    .values = {{.number = MIN_SIDE, .text = "4"}, {.number = 0, .text = "0"}},
};

static const Point no_tuning = {.count = 0};

static Workload noise(void) {
    uint32_t random = 1;
    for (size_t i = 0; i < sizeof pixels; i++) {
        random = random * 1664525U + 1013904223U;
        pixels[i] = (uint8_t)(random >> 24);
    }
    return (Workload){
        .kind = WORKLOAD_IMAGE_SET,
        .image = {.width = SIDE, .height = SIDE * IMAGES, .stride = SIDE, .pixels = pixels},
        .set = {.count = IMAGES, .width = SIDE, .height = SIDE},
        .hash = 0x6F766572666C6F77,
    };
}

static void assert_variant_ok(Status status, const char *variant) {
    if (!status_is_ok(&status)) {
        fail_msg("%s: %s", variant, status.why);
    }
}

static Output make_output(const OutputLayout *layout) {
    Output output = {.layout = *layout};
    void *memory = NULL;
    assert_variant_ok(cpu_backend.alloc(layout->bytes, &memory), "answer");
    output.data = memory;
    return output;
}

static Output seq_answer(const Workload *workload) {
    const Algorithm *haar = registry_find_algorithm("haar");
    assert_non_null(haar);
    OutputLayout layout = {.count = 0};
    assert_variant_ok(haar->output_layout(workload, &everything, &layout), "layout");
    Output output = make_output(&layout);
    const Variant *seq = registry_variant(haar, 0);
    const Request request = {
        .workload = workload, .answer = &everything, .tuning = &no_tuning, .output = &output};
    void *state = NULL;
    assert_variant_ok(seq->open(&request, &state), seq->name);
    assert_variant_ok(seq->run(state), seq->name);
    seq->close(state);
    assert_true(*haar_count(&output) > BUFFER_MOST);
    return output;
}

/* What is in device memory and in the answer before must not be taken for what was found. */
static void poison(const Output *output, const char *variant) {
    memset(output->data, BEHIND, output->layout.bytes);
    assert_variant_ok(cuda_backend.runner->poison(BEHIND), variant);
}

static void run_variant(const Variant *variant, void *state) {
    assert_variant_ok(variant->upload(state), variant->name);
    assert_variant_ok(variant->run(state), variant->name);
    if (variant->download != NULL) {
        assert_variant_ok(variant->download(state), variant->name);
    }
    assert_variant_ok(cuda_backend.runner->synchronize(), variant->name);
    assert_variant_ok(cuda_backend.runner->check_guards(), variant->name);
}

/* Calls check(variant, a request for `output`) for every CUDA variant that can run. */
static void for_each_variant(const Workload *workload, const Output *output, const Output *want,
                             void (*check)(const Variant *variant, const Request *request,
                                           const Output *want)) {
    const Algorithm *haar = registry_find_algorithm("haar");
    const Request request = {
        .workload = workload, .answer = &everything, .tuning = &no_tuning, .output = output};
    for (size_t i = 0; i < registry_variant_count(haar); i++) {
        const Variant *variant = registry_variant(haar, i);
        if (variant->backend == &cuda_backend) {
            assert_variant_ok(registry_variant_available(variant), variant->name);
            check(variant, &request, want);
        }
    }
}

static void assert_same(const Variant *variant, const Output *got, const Output *want) {
    Verdict verdict = {.accepted = false};
    registry_find_algorithm("haar")->compare(got, want, &verdict);
    if (!verdict.accepted) {
        fail_msg("%s: %s", variant->name, verdict.why);
    }
}

/* The first answer makes the buffer larger, the second finds it large enough. */
static void finds_everything_twice(const Variant *variant, const Request *request,
                                   const Output *want) {
    void *state = NULL;
    assert_variant_ok(variant->open(request, &state), variant->name);
    for (int i = 0; i < 2; i++) {
        poison(request->output, variant->name);
        run_variant(variant, state);
        assert_same(variant, request->output, want);
    }
    variant->close(state);
}

static void streams_everything(const Variant *variant, const Request *request, const Output *want) {
    if (variant->stream == NULL) {
        return;
    }
    void *state = NULL;
    assert_variant_ok(variant->open(request, &state), variant->name);
    for (int i = 0; i < 2; i++) {
        poison(request->output, variant->name);
        assert_variant_ok(variant->stream(state), variant->name);
        assert_variant_ok(cuda_backend.runner->synchronize(), variant->name);
        assert_variant_ok(cuda_backend.runner->check_guards(), variant->name);
        assert_same(variant, request->output, want);
    }
    variant->close(state);
}

/* Whether every byte behind the answer's room is as it was. */
static bool is_untouched_behind(const Output *output) {
    const uint64_t *records = haar_records(output);
    const size_t records_offset = output->layout.parts[HAAR_PART_RECORDS].offset;
    const uint8_t *byte = (const uint8_t *)(records + ROOM);
    const uint8_t *end = (const uint8_t *)records + (output->layout.bytes - records_offset);
    while (byte < end && *byte == BEHIND) {
        byte++;
    }
    return byte == end;
}

static void tells_how_many_there_were(const Variant *variant, const Request *request,
                                      const Output *want) {
    void *state = NULL;
    assert_variant_ok(variant->open(request, &state), variant->name);
    poison(request->output, variant->name);
    run_variant(variant, state);
    variant->close(state);
    if (*haar_count(request->output) != *haar_count(want)) {
        fail_msg("%s says that there are %llu records of %llu", variant->name,
                 (unsigned long long)*haar_count(request->output),
                 (unsigned long long)*haar_count(want));
    }
    if (!is_untouched_behind(request->output)) {
        fail_msg("%s wrote behind an answer that is too small", variant->name);
    }
}

TEST(a_full_buffer_grows_and_the_answer_is_whole) {
    need_device();
    const Workload workload = noise();
    Output want = seq_answer(&workload);
    Output got = make_output(&want.layout);
    for_each_variant(&workload, &got, &want, finds_everything_twice);
    for_each_variant(&workload, &got, &want, streams_everything);
    cpu_backend.release(got.data);
    cpu_backend.release(want.data);
}

/* As if the answer had been counted wrongly. */
TEST(an_answer_too_small_is_not_written_behind) {
    need_device();
    const Workload workload = noise();
    Output want = seq_answer(&workload);
    Output got = make_output(&want.layout);
    got.layout.parts[HAAR_PART_RECORDS].width = ROOM;
    got.layout.parts[HAAR_PART_RECORDS].bytes = ROOM * sizeof(uint64_t);
    for_each_variant(&workload, &got, &want, tells_how_many_there_were);
    cpu_backend.release(got.data);
    cpu_backend.release(want.data);
}
