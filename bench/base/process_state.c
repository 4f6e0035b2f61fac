/* What code that is called must leave as it is: streams, working folder, mask of new files. */

#define _GNU_SOURCE /* O_PATH */

#include "base_internal.h"
#include "supervisor.h"

#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

/* Copies of descriptors lie here, where a loop that closes those of a program seldom comes. */
enum { HIGH_DESCRIPTOR = 512, STREAMS = 3 };

static struct {
    bool kept;
    int streams[STREAMS], folder; /* copies; -1: none */
    mode_t mask;
} before;

static int keep(int descriptor) {
    const int high = fcntl(descriptor, F_DUPFD_CLOEXEC, HIGH_DESCRIPTOR);
    return high >= 0 ? high : fcntl(descriptor, F_DUPFD_CLOEXEC, STREAMS);
}

void process_state_keep(void) {
    const int folder = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    for (int i = 0; i < STREAMS; i++) {
        before.streams[i] = keep(i);
    }
    before.folder = folder >= 0 ? keep(folder) : -1;
    before.mask = umask(0);
    umask(before.mask);
    before.kept = true;
    process_settings_begin();
    if (folder >= 0) {
        close(folder);
    }
}

static bool same_file(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_rdev == b->st_rdev;
}

/* Descriptors that are gone or are others now cannot be told from those of the harness that were
 * closed with them. */
static void check_streams(void) {
    for (int i = 0; i < STREAMS; i++) {
        struct stat was, is;
        if (before.streams[i] >= 0 &&
            (fstat(before.streams[i], &was) != 0 || fstat(i, &is) != 0 || !same_file(&was, &is))) {
            supervisor_abandon("it closed or replaced files of the process");
        }
    }
}

Status process_state_check(void) {
    struct stat was, is;
    if (!before.kept) {
        return status_ok();
    }
    check_streams();
    process_settings_check();
    const mode_t mask = umask(before.mask);
    if (before.folder >= 0 && fstat(before.folder, &was) == 0 &&
        (stat(".", &is) != 0 || !same_file(&was, &is))) {
        return fchdir(before.folder) == 0
                   ? status_fail("it changed the working folder of the process")
                   : status_fail("it left the working folder of the process for good");
    }
    return mask == before.mask ? status_ok()
                               : status_fail("it changed the mask of new files of the process");
}
