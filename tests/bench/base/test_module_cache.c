/* Modules that are kept: which go, and that none goes which somebody uses or compiles. */
#include "test.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "module_cache.h"
#include "paths.h"

enum { DAY = 24 * 60 * 60 };

static char cache[] = "/tmp/bench-modules-XXXXXX";

static void make_cache(void) {
    snprintf(cache, sizeof cache, "/tmp/bench-modules-XXXXXX");
    assert_non_null(mkdtemp(cache));
}

static void remove_cache(void) {
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", cache);
    assert_int_equal(system(command), 0);
}

/* "cache/<request>/<name>", or the request's folder where `name` is negative. */
static const char *path_of(int request, int name, const char *file) {
    static char path[256];
    int length = snprintf(path, sizeof path, "%s/%016x", cache, (unsigned)request);
    if (name >= 0) {
        length += snprintf(path + length, sizeof path - (size_t)length, "/%016x", (unsigned)name);
    }
    snprintf(path + length, sizeof path - (size_t)length, "%s", file);
    return path;
}

static bool is_there(int request, int name) {
    return access(path_of(request, name, ""), F_OK) == 0;
}

static void write_sparse(const char *path, off_t bytes) {
    const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    assert_true(file >= 0 && ftruncate(file, bytes) == 0);
    close(file);
}

static void set_age(const char *path, long seconds) {
    const struct timespec then = {.tv_sec = time(NULL) - seconds};
    const struct timespec times[] = {then, then};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void add(int request, int name, off_t bytes, long age) {
    assert_true(folder_make(path_of(request, name, "")).code == STATUS_OK);
    write_sparse(path_of(request, name, "/a.so"), bytes);
    write_sparse(path_of(request, name, "/a.so.built"), 10);
    write_sparse(path_of(request, -1, "/files"), 10);
    set_age(path_of(request, name, ""), age);
}

TEST(what_was_not_used_for_long_goes) {
    make_cache();
    add(1, 1, 1000, (MODULE_CACHE_DAYS - 1) * DAY);
    add(1, 2, 1000, (MODULE_CACHE_DAYS + 1) * DAY);
    add(2, 1, 1000, (MODULE_CACHE_DAYS + 1) * DAY);
    /* What a compiler has left that was killed. */
    assert_true(folder_make(path_of(3, -1, "")).code == STATUS_OK);
    write_sparse(path_of(3, -1, "/new.so"), 10);
    set_age(path_of(3, -1, ""), (MODULE_CACHE_DAYS + 1) * DAY);
    /* Nothing of ours. */
    char other[64];
    snprintf(other, sizeof other, "%s/mine", cache);
    assert_int_equal(mkdir(other, 0777), 0);
    set_age(other, 1000L * DAY);
    module_cache_prune(cache);
    assert_true(is_there(1, 1));
    assert_false(is_there(1, 2));
    assert_int_equal(access(path_of(1, -1, "/files"), F_OK), 0);
    assert_false(is_there(2, -1));
    assert_false(is_there(3, -1));
    assert_int_equal(access(other, F_OK), 0);
    module_cache_prune("/nowhere/at/all");
    remove_cache();
}

TEST(of_too_many_the_longest_unused_go) {
    const off_t third = (off_t)(MODULE_CACHE_BYTES / 3 + 1);
    make_cache();
    add(1, 1, third, 3L * DAY);
    add(1, 2, third, 1L * DAY);
    add(2, 1, third, 4L * DAY);
    add(3, 1, third, 2L * DAY);
    module_cache_prune(cache);
    assert_false(is_there(2, -1));
    assert_false(is_there(1, 1));
    assert_true(is_there(1, 2));
    assert_true(is_there(3, 1));
    remove_cache();
}

TEST(what_is_used_or_compiled_stays) {
    int lock = -1;
    make_cache();
    add(1, 1, 1000, 100L * DAY);
    add(2, 1, 1000, 100L * DAY);
    add(3, 1, 1000, 100L * DAY);
    assert_true(module_cache_use(path_of(1, 1, "/a.so")));
    set_age(path_of(1, 1, ""), 100L * DAY); /* the lock alone has to keep it */
    assert_true(folder_lock_wait(path_of(2, -1, ""), &lock).code == STATUS_OK);
    module_cache_prune(cache);
    assert_true(is_there(1, 1));
    assert_true(is_there(2, 1));
    assert_false(is_there(3, -1));
    assert_false(module_cache_use(path_of(3, 1, "/a.so")));
    close(lock);
    module_cache_prune(cache);
    assert_false(is_there(2, -1));
    remove_cache();
}

TEST(use_makes_it_young) {
    make_cache();
    add(1, 1, 1000, 100L * DAY);
    const pid_t child = fork();
    if (child == 0) {
        _exit(module_cache_use(path_of(1, 1, "/a.so")) ? 0 : 1);
    }
    int state = -1;
    assert_true(waitpid(child, &state, 0) == child && state == 0);
    module_cache_prune(cache);
    assert_true(is_there(1, 1));
    remove_cache();
}

/* Makes the module where it is not there, as a compiler does, uses it, and looks whether it stays.
 * Returns an exit code. */
static int use_for_a_while(void) {
    const struct timespec while_used = {.tv_nsec = 300000};
    for (int tries = 0; !module_cache_use(path_of(1, 1, "/a.so")); tries++) {
        int lock = -1;
        const Status status = folder_lock_wait(path_of(1, -1, ""), &lock);
        if (status.code != STATUS_OK || tries == 1000) {
            return 1;
        }
        (void)mkdir(path_of(1, 1, ""), 0777);
        const int file = open(path_of(1, 1, "/a.so"), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
        if (file < 0) {
            return 2; /* the folder was removed while it was locked */
        }
        close(file);
        close(lock);
    }
    nanosleep(&while_used, NULL);
    return access(path_of(1, 1, "/a.so"), F_OK) == 0 ? 0 : 3;
}

static _Noreturn void remove_again_and_again(void) {
    for (;;) {
        const struct timespec times[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
        (void)utimensat(AT_FDCWD, path_of(1, 1, ""), times, 0);
        (void)utimensat(AT_FDCWD, path_of(1, -1, ""), times, 0);
        module_cache_prune(cache);
    }
}

/* Two processes that remove beside two that use. */
TEST(nothing_is_removed_under_a_user) {
    pid_t removers[2], users[2];
    make_cache();
    for (int i = 0; i < 2; i++) {
        removers[i] = fork();
        if (removers[i] == 0) {
            (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
            remove_again_and_again();
        }
    }
    int worst = 0;
    for (int round = 0; round < 200; round++) {
        for (int i = 0; i < 2; i++) {
            users[i] = fork();
            if (users[i] == 0) {
                _exit(use_for_a_while());
            }
        }
        for (int i = 0; i < 2; i++) {
            int state = -1;
            assert_int_equal(waitpid(users[i], &state, 0), users[i]);
            worst = state != 0 ? state : worst;
        }
    }
    for (int i = 0; i < 2; i++) {
        kill(removers[i], SIGKILL);
        (void)waitpid(removers[i], NULL, 0);
    }
    assert_int_equal(worst, 0);
    remove_cache();
}
