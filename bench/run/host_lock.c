/* Shares of a plan on one host take turns: what uses the processors or the bus has the host alone,
 * kernels share it with kernels on other devices. */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "interrupt.h"
#include "paths.h"
#include "sweep.h"

/*
 * Three files with a lock each. Who wants to change what it holds first takes the turnstile, so
 * that a process that lets go of the host and wants it again comes after one that waits for it;
 * flock alone is not fair. The order is always turnstile, host, device, so nobody waits in a
 * circle. The system lets go of the locks of a process that ends, however it ends.
 */
typedef enum LockFile { TURNSTILE, HOST, DEVICE, LOCK_FILES } LockFile;

static struct {
    bool open, held;
    int files[LOCK_FILES];
} locks;

static const char *lock_folder(void) {
    const char *folder = getenv("BENCH_LOCK_FOLDER");
    return folder != NULL && folder[0] != '\0' ? folder : "/tmp";
}

/* A file of this user, no link: others may write to the folder. */
static Status open_file(const char *name, int *file) {
    char path[ATOMIC_FILE_PATH_SIZE];
    struct stat facts;
    STATUS_TRY(path_make(path, sizeof path, "%s/bench-%lu-%s.lock", lock_folder(),
                         (unsigned long)geteuid(), name));
    *file = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (*file < 0) {
        return status_make(STATUS_FILE,
                           "%.200s: %s; shares of one host take turns by it, and BENCH_LOCK_FOLDER "
                           "names another folder",
                           path, strerror(errno));
    }
    if (fstat(*file, &facts) != 0 || facts.st_uid != geteuid() || !S_ISREG(facts.st_mode)) {
        return status_make(STATUS_FILE,
                           "%.200s: is not a file of this user; BENCH_LOCK_FOLDER names another "
                           "folder",
                           path);
    }
    return status_ok();
}

Status host_lock_open(const char *device) {
    const char *names[] = {
        [TURNSTILE] = "turn", [HOST] = "host", [DEVICE] = device[0] != '\0' ? device : "device"};
    locks.open = true;
    locks.held = false;
    for (int i = 0; i < LOCK_FILES; i++) {
        locks.files[i] = -1;
    }
    Status status = status_ok();
    for (int i = 0; i < LOCK_FILES && status_is_ok(&status); i++) {
        status = open_file(names[i], &locks.files[i]);
    }
    if (!status_is_ok(&status)) {
        host_lock_close();
    }
    return status;
}

/* An interrupt ends the waiting; what follows notices it too. */
static void lock_file(LockFile file, int how) {
    while (flock(locks.files[file], how) != 0 && errno == EINTR && !interrupt_requested()) {
    }
}

static void let_go(void) {
    lock_file(DEVICE, LOCK_UN);
    lock_file(HOST, LOCK_UN);
    locks.held = false;
}

static void take(bool alone) {
    if (!locks.open) {
        return;
    }
    if (locks.held) {
        let_go();
    }
    lock_file(TURNSTILE, LOCK_EX);
    lock_file(HOST, alone ? LOCK_EX : LOCK_SH);
    if (!alone) {
        lock_file(DEVICE, LOCK_EX);
    }
    lock_file(TURNSTILE, LOCK_UN);
    locks.held = true;
}

void host_lock_alone(void) {
    take(true);
}

void host_lock_device(void) {
    take(false);
}

bool host_lock_is_open(void) {
    return locks.open;
}

void host_lock_close(void) {
    for (int i = 0; i < LOCK_FILES && locks.open; i++) {
        if (locks.files[i] >= 0) {
            close(locks.files[i]);
        }
    }
    locks.open = locks.held = false;
}
