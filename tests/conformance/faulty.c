/* faulty: copies an image, by variants that are wrong in one way each. Its axes change nothing. If
 * FAULTY_EXIT is set, `late` ends the program with that code. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algorithm.h"
#include "copy_module.h"
#include "cpu_variant.h"

typedef enum Fault {
    FAULT_NONE,
    FAULT_LAST,    /* the last pixel of images with an odd width */
    FAULT_LATE,    /* from the second run on */
    FAULT_OUTSIDE, /* writes a byte behind the answer */
    FAULT_STRIDE,  /* takes rows to be dense */
    FAULT_SILENT,  /* writes nothing */
    FAULT_NEVER,   /* refuses every request */
    FAULT_AXIS,    /* at one value of its tuning axis */
    FAULT_DEFAULT, /* at the default of the answer's axis */
    FAULT_END,     /* at its largest value */
    FAULT_LARGE    /* of 1080p */
} Fault;

typedef struct State {
    const Request *request;
    int runs;
} State;

extern const Algorithm faulty_algorithm;

/* Whoever loads the module leaves a trace in the file that this variable names. */
__attribute__((constructor)) static void note_loading(void) {
    const char *path = getenv("FAULTY_LOADED");
    FILE *stream = path != NULL ? fopen(path, "a") : NULL;
    if (stream != NULL) {
        fputs("loaded\n", stream);
        fclose(stream);
    }
}

static Status copy_open(const Request *request, void **state) {
    State *opened = calloc(1, sizeof *opened);
    if (opened == NULL) {
        return status_no_memory("for a state");
    }
    opened->request = request;
    *state = opened;
    return status_ok();
}

static Status refuse(const Request *request, void **state) {
    (void)request;
    (void)state;
    return status_skip("it always does");
}

static Status copy(void *of, Fault fault) {
    State *state = of;
    const Image *image = &state->request->workload->image;
    const size_t width = (size_t)image->width;
    const size_t bytes = width * (size_t)image->height;
    uint8_t *answer = output_part(state->request->output, 0);
    state->runs++;
    if (fault == FAULT_LATE && getenv("FAULTY_EXIT") != NULL) {
        exit((int)strtol(getenv("FAULTY_EXIT"), NULL, 10));
    }
    for (int32_t y = 0; fault != FAULT_SILENT && y < image->height; y++) {
        const uint8_t *row =
            fault == FAULT_STRIDE ? image->pixels + (size_t)y * width : image_row(image, y);
        memcpy(answer + (size_t)y * width, row, width);
    }
    const int64_t level = point_integer(state->request->answer, "level", 0);
    const bool flip =
        (fault == FAULT_DEFAULT && level == 40) || (fault == FAULT_END && level == 60) ||
        (fault == FAULT_LARGE && width == 1920) || (fault == FAULT_LAST && width % 2 == 1) ||
        (fault == FAULT_LATE && state->runs > 1) ||
        (fault == FAULT_AXIS && point_integer(state->request->tuning, "step", 0) == 5);
    if (flip) {
        answer[bytes - 1] ^= 1;
    }
    if (fault == FAULT_OUTSIDE) {
        answer[(bytes + OUTPUT_ALIGNMENT - 1) / OUTPUT_ALIGNMENT * OUTPUT_ALIGNMENT] = 0;
    }
    return status_ok();
}

#define RUN(name, fault)                                                                           \
    static Status run_##name(void *state) {                                                        \
        return copy(state, fault);                                                                 \
    }

RUN(right, FAULT_NONE)
RUN(last, FAULT_LAST)
RUN(late, FAULT_LATE)
RUN(outside, FAULT_OUTSIDE)
RUN(stride, FAULT_STRIDE)
RUN(silent, FAULT_SILENT)
RUN(axis, FAULT_AXIS)
RUN(default, FAULT_DEFAULT)
RUN(end, FAULT_END)
RUN(large, FAULT_LARGE)

static const Axis step_axis = {.struct_bytes = sizeof(Axis),
                               .name = "step",
                               .help = "changes nothing",
                               .defaults = "1",
                               .kind = AXIS_INTEGER,
                               .minimum = 1,
                               .maximum = 9};

static const Axis level_axis = {.struct_bytes = sizeof(Axis),
                                .name = "level",
                                .help = "changes nothing",
                                .defaults = "40",
                                .kind = AXIS_INTEGER,
                                .minimum = 1,
                                .maximum = 60};

static const Axis *const level_answer[] = {&level_axis, NULL};
static const Axis *const step_tuning[] = {&step_axis, NULL};

#define ROW(text, opens, name, ...)                                                                \
    CPU_VARIANT(text, NULL, "copies", opens, run_##name, free, __VA_ARGS__)

static const Variant rows[] = {
    ROW("seq", copy_open, right, .tuning = NULL),
    ROW("right", copy_open, right, .tuning = step_tuning),
    ROW("last", copy_open, last, .tuning = NULL),
    ROW("late", copy_open, late, .tuning = NULL),
    ROW("outside", copy_open, outside, .tuning = NULL),
    ROW("stride", copy_open, stride, .tuning = NULL),
    ROW("silent", copy_open, silent, .tuning = NULL),
    ROW("never", refuse, right, .tuning = NULL),
    ROW("axis", copy_open, axis, .tuning = step_tuning),
    ROW("default", copy_open, default, .tuning = NULL),
    ROW("end", copy_open, end, .tuning = NULL),
    ROW("large", copy_open, large, .tuning = NULL),
};

const Algorithm faulty_algorithm = {
    .struct_bytes = sizeof(Algorithm),
    .name = "faulty",
    .summary = "a copy, wrong in several ways",
    .item = "pixel",
    .input = WORKLOAD_IMAGE,
    .answer = level_answer,
    .output_layout = copy_layout,
    .cost = copy_cost,
    .cpu = {.rows = rows, .count = sizeof rows / sizeof rows[0]},
};
