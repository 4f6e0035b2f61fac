/* weighted: the sum of weights of a kind of its own. Algorithm and kind are named as the file is.
 * WEIGHTED makes the kind a wrong one, or ends the process in its check or its draw. */
#define _GNU_SOURCE /* dladdr */

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "algorithm.h"
#include "cpu_variant.h"
#include "random.h"

static char name[32] = "weighted";

static void die_in(const char *function) {
    if (getenv("WEIGHTED") != NULL && strcmp(getenv("WEIGHTED"), function) == 0) {
        _exit(3);
    }
}

static Status check(const float *row) {
    die_in("check");
    return row[1] >= 0
               ? status_ok()
               : status_make(STATUS_FILE, "the second number is %g; 0 or more would be right",
                             (double)row[1]);
}

static void draw(Draw *draw, float *row) {
    die_in("draw");
    row[0] = (float)draw_below(draw, 100);
    row[1] = (float)draw_below(draw, 100);
}

static WeightsKind kind = {
    .struct_bytes = sizeof(WeightsKind), .columns = 2, .name = name, .check = check, .draw = draw};

__attribute__((constructor)) static void change(void) {
    Dl_info file;
    if (dladdr(name, &file) != 0) {
        const char *slash = strrchr(file.dli_fname, '/');
        snprintf(name, sizeof name, "%s", slash != NULL ? slash + 1 : file.dli_fname);
        name[strcspn(name, ".")] = '\0';
    }
    const char *how = getenv("WEIGHTED") != NULL ? getenv("WEIGHTED") : "";
    kind.columns = strcmp(how, "columns") == 0 ? 0 : 2;
    kind.name = strcmp(how, "name") == 0    ? "a_name_of_sixteen"
                : strcmp(how, "taken") == 0 ? "bad"
                                            : name;
}

static const Weights *weights_of(const Workload *workload) {
    return weights_find(&workload->weights, kind.name, 256);
}

static Status sum_open(const Request *request, void **state) {
    *state = (void *)request;
    return status_ok();
}

static Status sum_run(void *state) {
    const Request *request = state;
    const Weights *weights = weights_of(request->workload);
    uint64_t *sum = output_part(request->output, 0);
    double all = 0;
    for (int32_t i = 0; i < weights->bits * weights->columns; i++) {
        all += (double)weights->values[i];
    }
    *sum = (uint64_t)all;
    return status_ok();
}

static void sum_close(void *state) {
    (void)state;
}

static Status layout(const Workload *workload, const Point *answer, OutputLayout *layout) {
    (void)answer;
    return weights_of(workload) != NULL ? output_layout_add(layout, "sum", OUTPUT_COUNTS_U64, 1, 1)
                                        : status_skip("there are no weights");
}

static Cost cost(const Workload *workload, const Point *answer) {
    (void)workload;
    (void)answer;
    return (Cost){.bytes = 2048, .operations = 512, .items = 256};
}

static const Variant rows[] = {
    CPU_VARIANT("seq", NULL, "one after the other", sum_open, sum_run, sum_close)};

extern const Algorithm weighted_algorithm;

const Algorithm weighted_algorithm = {
    .struct_bytes = sizeof(Algorithm),
    .name = name,
    .summary = "the sum of its weights",
    .item = "weight",
    .input = WORKLOAD_KEYPOINTS,
    .output_layout = layout,
    .cost = cost,
    .cpu = {.rows = rows, .count = 1},
    .weights = &kind,
};
