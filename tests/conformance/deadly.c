/* deadly: copies an image, by variants that end their process in one step each. DEADLY says how:
 * segv, abort, fpe, int, exit, uexit, kill, loop, heap, close, or sleep, which lasts 2 s and ends
 * nothing; DEADLY_IN a function of the algorithm, or "seq", that does it as well; DEADLY_WIDTH the
 * only width of images at which. It is an OpenBLAS too, whose product ends the process. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "algorithm.h"
#include "cpu_variant.h"

extern const Algorithm deadly_algorithm;

/* What the compiler does not see through. */
static void *volatile nowhere;
static void *volatile block;
static volatile int zero;

static void die(void) {
    const char *how = getenv("DEADLY");
    if (how == NULL) {
        return;
    }
    if (strcmp(how, "segv") == 0) {
        *(volatile int *)nowhere = 1;
    } else if (strcmp(how, "abort") == 0) {
        abort();
    } else if (strcmp(how, "fpe") == 0) {
        raise(SIGFPE);
    } else if (strcmp(how, "int") == 0) {
        raise(SIGINT);
    } else if (strcmp(how, "kill") == 0) {
        raise(SIGKILL);
    } else if (strcmp(how, "exit") == 0) {
        exit(zero);
    } else if (strcmp(how, "uexit") == 0) {
        _exit(3);
    } else if (strcmp(how, "close") == 0) {
        for (int i = 0; i < 64; i++) {
            close(i);
        }
    } else if (strcmp(how, "sleep") == 0) {
        sleep(2);
    } else if (strcmp(how, "heap") == 0) { /* somebody finds it later */
        block = malloc(24);
        memset(block, 0x41, 4096);
    }
    while (strcmp(how, "loop") == 0) {
        usleep(1000);
    }
}

static bool is_chosen(const char *where) {
    const char *chosen = getenv("DEADLY_IN");
    return chosen != NULL && strcmp(chosen, where) == 0;
}

/* For the functions of the algorithm, which have no variant. */
static void die_in(const char *where) {
    if (is_chosen(where)) {
        die();
    }
}

__attribute__((constructor)) static void load(void) {
    die_in("load");
}

/* === The OpenBLAS ============================================================================= */

#define SEEN __attribute__((visibility("default")))

SEEN void cblas_sgemm(void);
SEEN void openblas_set_num_threads(int threads);
SEEN int openblas_get_num_threads(void);

void cblas_sgemm(void) {
    die();
}

void openblas_set_num_threads(int threads) {
    (void)threads;
}

int openblas_get_num_threads(void) {
    return 1;
}

/* === Variants ================================================================================= */

typedef enum Step { STEP_NONE, STEP_OPEN, STEP_UPLOAD, STEP_RUN, STEP_DOWNLOAD, STEP_CLOSE } Step;

typedef struct State {
    const Request *request;
    Step step;     /* in which it dies */
    int runs_left; /* that it survives */
} State;

static bool is_width(const State *state) {
    const char *width = getenv("DEADLY_WIDTH");
    return width == NULL || atoi(width) == state->request->workload->image.width;
}

static void die_at(const State *state, Step step) {
    if (state->step == step && is_width(state)) {
        die();
    }
}

static Status open_for(const Request *request, Step step, int runs_left, void **state) {
    State *opened = calloc(1, sizeof *opened);
    if (opened == NULL) {
        return status_no_memory("for a state");
    }
    *opened = (State){.request = request, .step = step, .runs_left = runs_left};
    die_at(opened, STEP_OPEN);
    *state = opened;
    return status_ok();
}

static Status upload(void *of) {
    die_at(of, STEP_UPLOAD);
    return status_ok();
}

static Status run(void *of) {
    State *state = of;
    const Image *image = &state->request->workload->image;
    const size_t width = (size_t)image->width;
    uint8_t *answer = output_part(state->request->output, 0);
    if (is_chosen("write")) { /* the answer is a number */
        memset(answer, 0, sizeof(uint64_t));
    }
    for (int32_t y = 0; y < image->height && !is_chosen("write"); y++) {
        memcpy(answer + (size_t)y * width, image_row(image, y), width);
    }
    if (state->runs_left-- == 0) {
        die_at(state, STEP_RUN);
    }
    return status_ok();
}

static Status download(void *of) {
    die_at(of, STEP_DOWNLOAD);
    return status_ok();
}

static void close_state(void *of) {
    die_at(of, STEP_CLOSE);
    free(of);
}

#define OPENS(name, step, runs)                                                                    \
    static Status open_##name(const Request *request, void **state) {                              \
        return open_for(request, step, runs, state);                                               \
    }

OPENS(seq, is_chosen("seq") ? STEP_RUN : STEP_NONE, 0)
OPENS(right, STEP_NONE, 0)
OPENS(in_open, STEP_OPEN, 0)
OPENS(in_upload, STEP_UPLOAD, 0)
OPENS(in_run, STEP_RUN, 0)
OPENS(in_later_run, STEP_RUN, 2)
OPENS(in_download, STEP_DOWNLOAD, 0)
OPENS(in_close, STEP_CLOSE, 0)

static Status refuse_memory(void *state) {
    return is_width(state) ? status_no_memory("for what it pretends to do") : run(state);
}

static Status available(void) {
    die_in("available");
    return status_ok();
}

/* === The algorithm ============================================================================ */

static Status check_word(const char *value) {
    die_in("axis");
    return strcmp(value, "a") == 0 ? status_ok() : status_make(STATUS_USAGE, "--word takes a");
}

static Status expand_word(const char *word, const Workload *workload, AxisValues *values) {
    (void)workload;
    if (strcmp(word, "many") != 0) {
        return status_make(STATUS_NO_MATCH, "no such word");
    }
    values->count = AXIS_VALUES_MAX + 1;
    return status_ok();
}

static const Axis word_axis = {.struct_bytes = sizeof(Axis),
                               .name = "word",
                               .help = "changes nothing",
                               .defaults = "a",
                               .kind = AXIS_TEXT,
                               .check = check_word,
                               .expand = expand_word};

static const Axis *const word_tuning[] = {&word_axis, NULL};

#define ROW(text, opens, ...)                                                                      \
    CPU_VARIANT(text, NULL, "copies", open_##opens, run, close_state, __VA_ARGS__)
#define WITH_TRANSFERS .upload = upload, .download = download

static const Variant rows[] = {
    ROW("seq", seq, .tuning = NULL),
    ROW("right", right, .tuning = word_tuning, .available = available),
    ROW("in_open", in_open, .on_request = true),
    ROW("in_upload", in_upload, WITH_TRANSFERS, .on_request = true),
    ROW("in_run", in_run, .on_request = true),
    ROW("in_later_run", in_later_run, .on_request = true),
    ROW("in_download", in_download, WITH_TRANSFERS, .on_request = true),
    ROW("in_close", in_close, .on_request = true),
    CPU_VARIANT("no_memory", NULL, "refuses", open_right, refuse_memory, close_state,
                .on_request = true),
    ROW("last", right, .on_request = true),
};

static Status layout(const Workload *workload, const Point *answer, OutputLayout *layout) {
    (void)answer;
    die_in("layout");
    if (is_chosen("parts")) {
        layout->count = 1000;
        layout->bytes = 64;
        return status_ok();
    }
    if (is_chosen("write")) {
        return output_layout_add(layout, "counts", OUTPUT_COUNTS_U64, 1, 1);
    }
    STATUS_TRY(output_layout_add(layout, is_chosen("name") ? "../x" : "copy", OUTPUT_IMAGE_U8,
                                 (size_t)workload->image.width, (size_t)workload->image.height));
    if (is_chosen("bytes")) {
        layout->parts[0].bytes *= 2;
    } else if (is_chosen("small")) { /* less than is written */
        layout->parts[0].height /= 2;
        layout->parts[0].bytes = layout->parts[0].width * layout->parts[0].height;
        layout->bytes = (layout->parts[0].bytes + 63) / 64 * 64;
    }
    return status_ok();
}

static Cost cost(const Workload *workload, const Point *answer) {
    (void)answer;
    die_in("cost");
    const double pixels = (double)image_pixel_count(&workload->image);
    return (Cost){.bytes = 2.0 * pixels, .operations = pixels, .items = pixels};
}

static Status write_counts(FILE *stream, const Workload *workload, const Point *answer,
                           const Output *output, size_t part) {
    (void)workload;
    (void)answer;
    (void)output;
    fprintf(stream, "part,%zu\n", part);
    die_in("write");
    return status_ok();
}

const Algorithm deadly_algorithm = {
    .struct_bytes = sizeof(Algorithm),
    .name = "deadly",
    .summary = "a copy that ends its process",
    .item = "pixel",
    .input = WORKLOAD_IMAGE,
    .output_layout = layout,
    .cost = cost,
    .write_part = write_counts,
    .cpu = {.rows = rows, .count = sizeof rows / sizeof rows[0]},
};
