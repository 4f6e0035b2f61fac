/* hostile: a copy whose tables are changed when it is loaded, as the variable HOSTILE says. Without
 * it all is right, and each function holds what it is given to its number of bytes. */
#include <stdlib.h>
#include <string.h>

#include "algorithm.h"
#include "cpu_variant.h"

static Status copy_open(const Request *request, void **state) {
    if (!STRUCT_HAS(request, steps) || !STRUCT_HAS(request->workload, hash) ||
        !STRUCT_HAS(request->answer, values) || !STRUCT_HAS(request->tuning, values) ||
        !STRUCT_HAS(request->output, layout) || !STRUCT_HAS(&request->output->layout, bytes)) {
        return status_fail("something that a variant was given does not say its number of bytes");
    }
    *state = (void *)request;
    return status_ok();
}

static Status copy_run(void *state) {
    const Request *request = state;
    const Image *image = &request->workload->image;
    uint8_t *answer = output_part(request->output, 0);
    for (int32_t y = 0; y < image->height; y++) {
        memcpy(answer + (size_t)y * (size_t)image->width, image_row(image, y),
               (size_t)image->width);
    }
    return status_ok();
}

static void copy_close(void *state) {
    (void)state;
}

static Status expand(const char *word, const Workload *workload, AxisValues *values) {
    if (!STRUCT_HAS(values, values) || !STRUCT_HAS(workload, hash)) {
        return status_make(STATUS_USAGE, "an axis was given no number of bytes");
    }
    if (strcmp(word, "whole") == 0) {
        *values = (AxisValues){.count = 1, .values = {{.number = 1, .text = "1"}}};
        return status_ok();
    }
    return status_make(STATUS_NO_MATCH, "no word");
}

/* Axes and rows of a later release: what this one does not know lies behind. */
static struct {
    Axis axis;
    uint64_t later;
} level = {.axis = {.struct_bytes = sizeof(Axis),
                    .name = "level",
                    .help = "changes nothing",
                    .defaults = "1",
                    .kind = AXIS_INTEGER,
                    .minimum = 1,
                    .maximum = 9,
                    .expand = expand}};

static const Axis *const levels[] = {&level.axis, NULL};

typedef struct LaterVariant {
    Variant variant;
    uint64_t later;
} LaterVariant;

#define ROW(name, ...)                                                                             \
    { .variant = CPU_VARIANT(name, NULL, "copies", copy_open, copy_run, copy_close, __VA_ARGS__) }

static LaterVariant later_rows[] = {ROW("seq", .tuning = NULL), ROW("other", .tuning = levels)};
static Variant rows[2];

static bool is_asked(const char *what) {
    const char *asked = getenv("HOSTILE");
    return asked != NULL && strcmp(asked, what) == 0;
}

static Status layout(const Workload *workload, const Point *answer, OutputLayout *layout) {
    if (!STRUCT_HAS(workload, hash) || !STRUCT_HAS(answer, values) || !STRUCT_HAS(layout, bytes)) {
        return status_fail("a layout was asked for without numbers of bytes");
    }
    STATUS_TRY(output_layout_add(layout, "copy", OUTPUT_IMAGE_U8, (size_t)workload->image.width,
                                 (size_t)workload->image.height));
    if (is_asked("output kind")) {
        layout->parts[0].kind = (OutputKind)77;
    }
    if (is_asked("whole layout")) {
        *layout = (OutputLayout){.count = 1, .parts = {layout->parts[0]}, .bytes = layout->bytes};
    }
    return status_ok();
}

static void compare(const Output *got, const Output *want, Verdict *verdict) {
    const bool sized =
        STRUCT_HAS(got, layout) && STRUCT_HAS(want, layout) && STRUCT_HAS(verdict, why);
    verdict->accepted = sized && memcmp(got->data, want->data, got->layout.bytes) == 0;
    verdict->agreement = verdict->accepted;
    if (is_asked("whole verdict")) {
        *verdict = (Verdict){.accepted = true, .agreement = 1};
    }
}

static Cost cost(const Workload *workload, const Point *answer) {
    (void)answer;
    const double pixels = (double)image_pixel_count(&workload->image);
    return (Cost){.bytes = 2.0 * pixels, .operations = pixels, .items = pixels};
}

/* module.c declares it constant; it is what is changed here. */
extern struct {
    Algorithm algorithm;
    uint64_t later;
} hostile_algorithm;

__typeof__(hostile_algorithm) hostile_algorithm = {
    .algorithm = {.struct_bytes = sizeof(Algorithm),
                  .name = "hostile",
                  .summary = "a copy by tables of any number of bytes",
                  .item = "pixel",
                  .input = WORKLOAD_IMAGE,
                  .output_layout = layout,
                  .compare = compare,
                  .cost = cost,
                  .cpu = {.rows = rows, .count = 2}}};

static void grow_rows(uint64_t later) {
    for (size_t i = 0; i < 2; i++) {
        later_rows[i].variant.struct_bytes = sizeof later_rows[0];
        later_rows[i].later = later;
    }
    hostile_algorithm.algorithm.cpu.rows = &later_rows[0].variant;
}

__attribute__((constructor)) static void change(void) {
    Algorithm *algorithm = &hostile_algorithm.algorithm;
    const char *asked = getenv("HOSTILE");
    for (size_t i = 0; i < 2; i++) {
        rows[i] = later_rows[i].variant;
    }
    if (asked != NULL && strncmp(asked, "bytes ", 6) == 0) {
        algorithm->struct_bytes = (uint32_t)strtoul(asked + 6, NULL, 10);
    }
    if (is_asked("row")) {
        rows[1].struct_bytes += 8;
    }
    if (is_asked("axis bytes")) {
        level.axis.struct_bytes = 0;
    }
    if (is_asked("axis kind")) {
        level.axis.kind = (AxisKind)77;
    }
    if (is_asked("input")) {
        algorithm->input = (WorkloadKind)77;
    }
    if (is_asked("element")) {
        algorithm->element = OUTPUT_ROWS_U8;
    }
    if (is_asked("pair of sets")) {
        algorithm->input = WORKLOAD_IMAGE_SET;
        algorithm->pair = true;
    }
    const bool used = is_asked("later, used");
    if (used || is_asked("later")) {
        algorithm->struct_bytes += 8;
        level.axis.struct_bytes += 8;
        grow_rows(0);
        hostile_algorithm.later = used;
    }
    if (is_asked("later row, used")) {
        grow_rows(1);
    }
    if (is_asked("later axis, used")) {
        level.axis.struct_bytes += 8;
        level.later = 1;
    }
    if (is_asked("shorter")) { /* without write_part and write_table */
        algorithm->struct_bytes -= 16;
        algorithm->write_table = (void *)1;
    }
}
