/* stopping: copies an image. Its variant `stopped` stops the process once, in the ninth run, after
 * those that verify it; a child lets it go on. */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "algorithm.h"
#include "copy_module.h"
#include "cpu_variant.h"

enum { STOPPED_RUN = 9 };

typedef struct State {
    const Request *request;
} State;

extern const Algorithm stopping_algorithm;

static int runs; /* of `stopped`, in this process */

static Status open_copy(const Request *request, void **state) {
    State *opened = calloc(1, sizeof *opened);
    if (opened == NULL) {
        return status_no_memory("for a state");
    }
    opened->request = request;
    *state = opened;
    return status_ok();
}

static Status copy(void *of) {
    const State *state = of;
    const Image *image = &state->request->workload->image;
    const size_t width = (size_t)image->width;
    uint8_t *answer = output_part(state->request->output, 0);
    for (int32_t y = 0; y < image->height; y++) {
        memcpy(answer + (size_t)y * width, image_row(image, y), width);
    }
    return status_ok();
}

/* The state of a process is the first letter behind its name, which is in brackets. */
static bool is_stopped(pid_t process) {
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)process);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t got = file >= 0 ? read(file, text, sizeof text - 1) : 0;
    if (file >= 0) {
        close(file);
    }
    text[got > 0 ? got : 0] = '\0';
    const char *state = strrchr(text, ')');
    return state != NULL && strncmp(state, ") T", 3) == 0;
}

static void stop_and_go_on(void) {
    const pid_t stopped = getpid();
    const pid_t child = fork();
    if (child == 0) {
        while (getppid() == stopped && !is_stopped(stopped)) {
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        }
        kill(stopped, SIGCONT);
        _exit(0);
    }
    if (child > 0) {
        raise(SIGSTOP);
        waitpid(child, NULL, 0);
    }
}

static Status copy_stopped(void *state) {
    if (++runs == STOPPED_RUN) {
        stop_and_go_on();
    }
    return copy(state);
}

static const Variant rows[] = {
    CPU_VARIANT("seq", NULL, "copies", open_copy, copy, free, .tuning = NULL),
    CPU_VARIANT("stopped", NULL, "copies", open_copy, copy_stopped, free, .tuning = NULL),
};

const Algorithm stopping_algorithm = {
    .struct_bytes = sizeof(Algorithm),
    .name = "stopping",
    .summary = "a copy that stops the process",
    .item = "pixel",
    .input = WORKLOAD_IMAGE,
    .output_layout = copy_layout,
    .cost = copy_cost,
    .cpu = {.rows = rows, .count = sizeof rows / sizeof rows[0]},
};
