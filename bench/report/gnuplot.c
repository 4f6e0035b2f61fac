#include "gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "data_folder.h"

extern char **environ;

Status gnuplot_script_folder(char *folder, size_t size) {
    static const DataFolder scripts = {.variable = "BENCH_PLOT_DIR",
                                       .installed = "plot",
                                       .source = "plot",
                                       .holds = "style.gp",
                                       .what = "the chart scripts"};
    return data_folder_find(&scripts, folder, size);
}

/* Reads to the end, so that gnuplot never waits for a full pipe; keeps the beginning. */
static void read_messages(int descriptor, char *messages, size_t size) {
    size_t used = 0;
    char buffer[512];
    for (;;) {
        const ssize_t got = read(descriptor, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            break;
        }
        for (ssize_t i = 0; i < got && used + 1 < size; i++) {
            /* One line for a person: gnuplot puts its messages on several. */
            const bool blank = buffer[i] == '\n' || buffer[i] == '\t' || buffer[i] == ' ';
            if (!blank || (used > 0 && messages[used - 1] != ' ')) {
                messages[used++] = blank ? ' ' : buffer[i];
            }
        }
    }
    messages[used > 0 && messages[used - 1] == ' ' ? used - 1 : used] = '\0';
}

static int spawn(char *const *argv, int output, pid_t *child) {
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0) {
        return error;
    }
    error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (error == 0) {
        error = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    }
    if (error == 0) {
        error = posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
    }
    if (error == 0) {
        error = posix_spawnp(child, argv[0], &actions, NULL, argv, environ);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

static Status wait_for(pid_t child, const char *script, const char *messages) {
    int state;
    while (waitpid(child, &state, 0) < 0) {
        if (errno != EINTR) {
            return status_fail("gnuplot was lost: %s", strerror(errno));
        }
    }
    if (WIFEXITED(state) && WEXITSTATUS(state) == 0) {
        return status_ok();
    }
    /* Some systems find out that there is no program only after the process exists. */
    if (WIFEXITED(state) && WEXITSTATUS(state) == 127) {
        return status_skip("no charts: gnuplot is not installed");
    }
    return status_fail("gnuplot failed on %.100s: %.240s", script,
                       messages[0] != '\0' ? messages : "it said nothing");
}

Status gnuplot_run(const char *script, const char *const *arguments, size_t count) {
    const char *argv[GNUPLOT_ARGUMENTS_MAX + 4] = {"gnuplot", "-c", script};
    for (size_t i = 0; i < count && i < GNUPLOT_ARGUMENTS_MAX; i++) {
        argv[3 + i] = arguments[i];
    }
    int ends[2];
    if (pipe(ends) != 0) {
        return status_fail("cannot start gnuplot: %s", strerror(errno));
    }
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    pid_t child;
    const int error = spawn((char *const *)argv, ends[1], &child);
    close(ends[1]);
    Status status;
    if (error == 0) {
        char messages[512];
        read_messages(ends[0], messages, sizeof messages);
        status = wait_for(child, script, messages);
    } else if (error == ENOENT) {
        status = status_skip("no charts: gnuplot is not installed");
    } else {
        status = status_fail("cannot start gnuplot: %s", strerror(error));
    }
    close(ends[0]);
    return status;
}
