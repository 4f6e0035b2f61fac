/* beside: copies an image, also as libraries would that one compares with: one that is right, one
 * of another definition, which leaves every fourth row out, and two that are not as right as they
 * say.
 */
#include <stdlib.h>
#include <string.h>

#include "algorithm.h"
#include "copy_module.h"
#include "cpu_variant.h"

typedef struct State {
    const Request *request;
    int left_out; /* every such row; 0: none */
} State;

extern const Algorithm beside_algorithm;

static Status open_leaving(const Request *request, void **state, int left_out) {
    State *opened = calloc(1, sizeof *opened);
    if (opened == NULL) {
        return status_no_memory("for a state");
    }
    *opened = (State){request, left_out};
    *state = opened;
    return status_ok();
}

static Status open_all(const Request *request, void **state) {
    return open_leaving(request, state, 0);
}

static Status open_some(const Request *request, void **state) {
    return open_leaving(request, state, 4);
}

static Status run(void *of) {
    const State *state = of;
    const Image *image = &state->request->workload->image;
    const size_t width = (size_t)image->width;
    uint8_t *answer = output_part(state->request->output, 0);
    for (int32_t y = 0; y < image->height; y++) {
        const uint8_t *row = image_row(image, y);
        for (size_t x = 0; x < width; x++) {
            const bool out = state->left_out > 0 && y % state->left_out == 0;
            answer[(size_t)y * width + x] = (uint8_t)(out ? row[x] ^ 1 : row[x]);
        }
    }
    return status_ok();
}

static const char *version(const void *state) {
    (void)state;
    return "1.2.3";
}

static const Peer right = {sizeof(Peer), "Right", "a package", NULL, 0, version};
static const Peer other = {sizeof(Peer), "Other", "a package", "leaves rows out", 0.7, version};
static const Peer strict = {sizeof(Peer), "Strict", "a package", "leaves rows out", 0.9, version};

static const Variant rows[] = {
    CPU_VARIANT("seq", NULL, "copies", open_all, run, free, .tuning = NULL),
    CPU_VARIANT("right", NULL, "copies", open_all, run, free, .peer = &right),
    CPU_VARIANT("other", NULL, "copies", open_some, run, free, .peer = &other),
    CPU_VARIANT("strict", NULL, "copies", open_some, run, free, .peer = &strict),
    CPU_VARIANT("wrong", NULL, "copies", open_some, run, free, .peer = &right),
};

const Algorithm beside_algorithm = {
    .struct_bytes = sizeof(Algorithm),
    .name = "beside",
    .summary = "a copy, also by libraries",
    .item = "pixel",
    .input = WORKLOAD_IMAGE,
    .output_layout = copy_layout,
    .cost = copy_cost,
    .cpu = {.rows = rows, .count = sizeof rows / sizeof rows[0]},
};
