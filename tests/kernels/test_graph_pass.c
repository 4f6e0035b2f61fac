/* cuda_graph of images: a captured pass finds the input of each launch, wherever it lies, and
 * everything it relies on after its memory was overwritten. Skipped without a device. */
#include "algorithm.h"
#include "axis.h"
#include "backend_runner.h"
#include "descriptor_weights.h"
#include "device.h"
#include "output.h"
#include "registry.h"
#include "status.h"
#include "test.h"
#include "variant.h"
#include "workload.h"

enum {
    PADDING = 3,
    OFFSET = 5,
    POISON = 0x5A,
    KEYPOINTS = 37, /* in the list, of which DESCRIBED are asked for */
    DESCRIBED = 29
};

static const char *const algorithms[] = {"lbp", "lbp_riu", "fast", "hashsift"};

static const struct {
    int width, height;
} sizes[] = {
    {45, 37},
    {200, 150}, /* several blocks; more corners than fast's list has room for at first */
    {8000, 7},  /* rows of which a block has room for one, and those around it */
    {22000, 5}, /* rows that no block has room for */
};

static const Point no_tuning = {.count = 0};

/* A cell whose input and answer lie in memory of its own. */
typedef struct Cell {
    const Algorithm *algorithm;
    const Variant *variant;
    Workload workload;
    Point answer;
    Output output, want;
    void *input;
    size_t input_bytes;
    /* Where the algorithm takes them; or NULL. */
    Keypoint *keypoints;
    float *weights;
    bool pinned;
    Request request;
    void *state;
} Cell;

static void assert_cell_ok(const Cell *cell, Status status) {
    if (!status_is_ok(&status)) {
        fail_msg("%s: %s", cell->algorithm->name, status.why);
    }
}

static uint8_t random_byte(uint32_t *random) {
    *random = *random * 1664525U + 1013904223U;
    return (uint8_t)(*random >> 24);
}

static void fill(Cell *cell, uint32_t random) {
    uint8_t *bytes = cell->input;
    for (size_t i = 0; i < cell->input_bytes; i++) {
        bytes[i] = random_byte(&random);
    }
    for (int i = 0; cell->keypoints != NULL && i < KEYPOINTS; i++) {
        cell->keypoints[i] = (Keypoint){.x = (float)random_byte(&random),
                                        .y = (float)random_byte(&random) / 4,
                                        .size = (float)random_byte(&random) / 8,
                                        .angle = (float)random_byte(&random)};
    }
}

/* Keypoints and weights of 256 bits, for an algorithm that describes keypoints. */
static void add_keypoints(Cell *cell) {
    enum { BITS = 256, VALUES = BITS * WEIGHTS_HASHSIFT_COLUMNS };
    Workload *workload = &cell->workload;
    uint32_t random = 3;
    cell->keypoints = calloc(KEYPOINTS, sizeof *cell->keypoints);
    cell->weights = calloc(VALUES, sizeof *cell->weights);
    assert_non_null(cell->keypoints);
    assert_non_null(cell->weights);
    for (int i = 0; i < VALUES; i++) {
        cell->weights[i] = (float)random_byte(&random) - 128;
    }
    workload->keypoints = (KeypointList){
        .keypoints = cell->keypoints, .count = KEYPOINTS, .scale = 1, .wanted = DESCRIBED};
    workload->weights.count = 1;
    workload->weights.list[0] = (Weights){.kind = WEIGHTS_HASHSIFT,
                                          .bits = BITS,
                                          .columns = WEIGHTS_HASHSIFT_COLUMNS,
                                          .values = cell->weights};
}

static void choose_defaults(Cell *cell) {
    const Axis *const *axes = cell->algorithm->answer;
    for (size_t i = 0; axes != NULL && axes[i] != NULL; i++) {
        AxisValues values = {.count = 0};
        assert_cell_ok(cell, axis_parse(axes[i], axes[i]->defaults, &cell->workload, &values));
        cell->answer.axes[i] = axes[i];
        cell->answer.values[i] = values.values[0];
        cell->answer.count++;
    }
}

static Output make_output(const Cell *cell, const OutputLayout *layout) {
    Output output = {.layout = *layout};
    void *memory = NULL;
    assert_cell_ok(cell, cpu_backend.alloc(layout->bytes, &memory));
    output.data = memory;
    memset(output.data, 0, layout->bytes);
    return output;
}

static const Variant *find_graph(const Algorithm *algorithm) {
    for (size_t i = 0; i < registry_variant_count(algorithm); i++) {
        if (strcmp(registry_variant(algorithm, i)->name, "cuda_graph") == 0) {
            return registry_variant(algorithm, i);
        }
    }
    fail_msg("%s has no cuda_graph", algorithm->name);
    return NULL;
}

static void open_cell(Cell *cell, const char *algorithm, int width, int height, bool pinned) {
    *cell = (Cell){.algorithm = registry_find_algorithm(algorithm), .pinned = pinned};
    assert_non_null(cell->algorithm);
    cell->variant = find_graph(cell->algorithm);
    const size_t stride = (size_t)width + PADDING;
    cell->input_bytes = stride * (size_t)height + OFFSET;
    cell->input = malloc(cell->input_bytes);
    assert_non_null(cell->input);
    cell->workload = (Workload){.kind = cell->algorithm->input,
                                .image = {.width = width,
                                          .height = height,
                                          .stride = stride,
                                          .pixels = (uint8_t *)cell->input + OFFSET}};
    if (cell->workload.kind == WORKLOAD_KEYPOINTS) {
        add_keypoints(cell);
    }
    fill(cell, 1);
    choose_defaults(cell);
    OutputLayout layout = {.count = 0};
    assert_cell_ok(cell, cell->algorithm->output_layout(&cell->workload, &cell->answer, &layout));
    cell->output = make_output(cell, &layout);
    cell->want = make_output(cell, &layout);
    if (pinned) {
        assert_cell_ok(cell, cuda_backend.runner->pin(cell->input, cell->input_bytes));
        assert_cell_ok(cell, cuda_backend.runner->pin(cell->output.data, layout.bytes));
        if (cell->keypoints != NULL) {
            assert_cell_ok(cell,
                           cuda_backend.runner->pin(cell->keypoints, KEYPOINTS * sizeof(Keypoint)));
        }
    }
    cell->request = (Request){.workload = &cell->workload,
                              .answer = &cell->answer,
                              .tuning = &no_tuning,
                              .output = &cell->output};
    assert_cell_ok(cell, cell->variant->open(&cell->request, &cell->state));
}

static void close_cell(Cell *cell) {
    cell->variant->close(cell->state);
    if (cell->pinned) {
        cuda_backend.runner->unpin(cell->input);
        cuda_backend.runner->unpin(cell->output.data);
        if (cell->keypoints != NULL) {
            cuda_backend.runner->unpin(cell->keypoints);
        }
    }
    cpu_backend.release(cell->output.data);
    cpu_backend.release(cell->want.data);
    free(cell->input);
    free(cell->keypoints);
    free(cell->weights);
}

/* What is in memory before must not be taken for an answer or a table. The answer's gaps stay 0. */
static void poison(const Cell *cell) {
    for (size_t i = 0; i < cell->output.layout.count; i++) {
        memset(output_part(&cell->output, i), POISON, cell->output.layout.parts[i].bytes);
    }
    assert_cell_ok(cell, cuda_backend.runner->poison(POISON));
}

static void assert_right(Cell *cell, const char *after) {
    const Variant *seq = registry_variant(cell->algorithm, 0);
    Request request = cell->request;
    request.output = &cell->want;
    void *state = NULL;
    assert_cell_ok(cell, seq->open(&request, &state));
    assert_cell_ok(cell, seq->run(state));
    seq->close(state);
    assert_cell_ok(cell, cuda_backend.runner->synchronize());
    assert_cell_ok(cell, cuda_backend.runner->check_guards());
    Verdict verdict = {
        .accepted = memcmp(cell->output.data, cell->want.data, cell->want.layout.bytes) == 0};
    if (!verdict.accepted && cell->algorithm->compare != NULL) {
        cell->algorithm->compare(&cell->output, &cell->want, &verdict);
    }
    if (!verdict.accepted) {
        fail_msg("%s, %d × %d%s: wrong after %s", cell->algorithm->name, cell->workload.image.width,
                 cell->workload.image.height, cell->pinned ? ", page-locked" : "", after);
    }
}

static void stream(const Cell *cell) {
    assert_cell_ok(cell, cell->variant->stream(cell->state));
}

static void for_each_cell(void (*check)(Cell *cell)) {
    need_device();
    for (size_t i = 0; i < sizeof algorithms / sizeof algorithms[0]; i++) {
        for (size_t j = 0; j < sizeof sizes / sizeof sizes[0]; j++) {
            for (int pinned = 0; pinned < 2; pinned++) {
                RELEASED_BY(close_cell) Cell cell;
                open_cell(&cell, algorithms[i], sizes[j].width, sizes[j].height, pinned != 0);
                check(&cell);
            }
        }
    }
}

static void check_again(Cell *cell) {
    for (int i = 0; i < 2; i++) {
        poison(cell);
        stream(cell);
        assert_right(cell, "poison");
    }
    for (int i = 0; i < 2; i++) {
        stream(cell);
        assert_right(cell, "a pass before");
    }
}

TEST(it_needs_nothing_that_was_there_before) {
    for_each_cell(check_again);
}

static void check_changed_input(Cell *cell) {
    for (uint32_t seed = 2; seed < 4; seed++) {
        fill(cell, seed);
        stream(cell);
        assert_right(cell, "another image in the same place");
    }
}

TEST(each_launch_reads_the_image_as_it_is_then) {
    for_each_cell(check_changed_input);
}

/* Two at once, each with memory of its own. */
static void check_other_memory(Cell *cell) {
    Cell other;
    open_cell(&other, cell->algorithm->name, cell->workload.image.width,
              cell->workload.image.height, cell->pinned);
    fill(&other, 9);
    stream(&other);
    stream(cell);
    assert_right(&other, "a pass of another state");
    assert_right(cell, "a pass of another state");
    close_cell(&other);
    poison(cell);
    stream(cell);
    assert_right(cell, "another state was closed");
}

TEST(states_do_not_share_memory) {
    for_each_cell(check_other_memory);
}

/* As the harness mixes them: what a launch leaves must do for the runs after it. */
static void check_mixed(Cell *cell) {
    poison(cell);
    assert_cell_ok(cell, cell->variant->upload(cell->state));
    static const int runs[] = {1, 1, 2, 1};
    for (size_t turn = 0; turn < sizeof runs / sizeof runs[0]; turn++) {
        stream(cell);
        for (int i = 0; i < runs[turn]; i++) {
            assert_cell_ok(cell, cell->variant->run(cell->state));
        }
        memset(output_part(&cell->output, 0), POISON, cell->output.layout.parts[0].bytes);
        assert_cell_ok(cell, cell->variant->download(cell->state));
        assert_right(cell, "runs after a launch");
    }
}

TEST(runs_and_launches_can_be_mixed) {
    for_each_cell(check_mixed);
}
