/* Mapped files: what may be mapped, what a file in a folder needs, and the end of a process whose
 * file is cut short. */
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "interrupt.h"
#include "mapped_file.h"
#include "process_memory.h"
#include "test.h"

enum { TMPFS = 0x01021994 };

static char folder[64], path[128];

static void make_folder(void) {
    snprintf(folder, sizeof folder, "/tmp/test_mapped_file_XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/pixels", folder);
}

static void remove_folder(void) {
    unlink(path);
    assert_int_equal(rmdir(folder), 0);
}

ALL_TESTS(make_folder, remove_folder);

/* `bytes` of a sparse file, the last of which is 7. */
static void write_sparse(uint64_t bytes) {
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(file >= 0);
    assert_int_equal(pwrite(file, "\7", 1, (off_t)bytes - 1), 1);
    assert_int_equal(close(file), 0);
}

static void check_says(Status status, StatusCode code, const char *words) {
    assert_int_equal(status.code, code);
    assert_says(status.why, words);
}

TEST(a_file_larger_than_memory) {
    const uint64_t bytes = (uint64_t)40 << 30;
    uint8_t *memory = NULL;
    write_sparse(bytes);
    assert_ok(mapped_file_open(path, bytes, &memory));
    assert_int_equal(memory[0], 0);
    assert_int_equal(memory[bytes - 1], 7);
    assert_true(mapped_file_holds(memory) && mapped_file_holds(memory + bytes - 1));
    assert_false(mapped_file_holds(memory + bytes) || mapped_file_holds(&bytes));
    assert_true(mapped_file_close(memory + 100));
    assert_false(mapped_file_holds(memory));
    assert_false(mapped_file_close(memory));
}

TEST(files_that_cannot_be_mapped) {
    uint8_t *memory = NULL;
    write_sparse(100);
    check_says(mapped_file_open(path, 101, &memory), STATUS_FILE,
               "the file is truncated: 100 of 101 bytes");
    check_says(mapped_file_open("/dev/zero", 100, &memory), STATUS_FILE, "an ordinary file");
    check_says(mapped_file_open("/nowhere/at all", 1, &memory), STATUS_FILE, "No such file");
    assert_null(memory);
}

TEST(pages_that_are_left_are_no_memory) {
    const uint64_t bytes = (uint64_t)64 << 20;
    uint8_t *memory = NULL;
    unsigned sum = 0;
    write_sparse(bytes);
    assert_ok(mapped_file_open(path, bytes, &memory));
    const uint64_t before = process_memory(MEMORY_RESIDENT);
    for (uint64_t i = 0; i < bytes; i += 512) {
        sum += *(volatile uint8_t *)(memory + i);
    }
    assert_int_equal(sum, 0);
    assert_true(process_memory(MEMORY_RESIDENT) >= before + bytes / 2);
    mapped_file_leave(memory, bytes);
    assert_true(process_memory(MEMORY_RESIDENT) < before + bytes / 4);
    assert_int_equal(memory[bytes - 1], 7);
    assert_true(mapped_file_close(memory));
}

TEST(memory_in_a_file) {
    uint8_t *memory = NULL;
    unlink(path);
    assert_ok(mapped_file_make(folder, 10000, &memory));
    assert_true(mapped_file_holds(memory + 9999));
    for (size_t i = 0; i < 10000; i++) {
        assert_int_equal(memory[i], 0);
    }
    memset(memory, 5, 10000);
    assert_true(mapped_file_close(memory));
    assert_int_equal(rmdir(folder), 0); /* no file is left */
    assert_int_equal(mkdir(folder, 0700), 0);
}

TEST(memory_in_a_file_needs_room) {
    uint8_t *memory = NULL;
    struct rlimit limit;
    struct statfs facts;
    check_says(mapped_file_make(folder, (uint64_t)1 << 60, &memory), STATUS_SKIP,
               "needs 1.0 EiB in ");
    check_says(mapped_file_make("/nowhere", 10, &memory), STATUS_SKIP, "/nowhere: cannot hold");
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    const struct rlimit small = {1 << 20, limit.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    const Status status = mapped_file_make(folder, 2 << 20, &memory);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    check_says(status, STATUS_SKIP, ", 1.0 MiB free");
    assert_null(memory);
    if (statfs("/dev/shm", &facts) == 0 && facts.f_type == TMPFS) {
        check_says(mapped_file_make("/dev/shm", 10, &memory), STATUS_SKIP,
                   "/dev/shm lies in memory");
    }
}

TEST(only_so_many_files) {
    uint8_t *memory[65] = {NULL};
    Status status = status_ok();
    int count = 0;
    write_sparse(1);
    while (count < 65 && status_is_ok(&status)) {
        status = mapped_file_open(path, 1, &memory[count]);
        count += status_is_ok(&status);
    }
    assert_int_equal(count, 64);
    check_says(status, STATUS_SKIP, "more than 64 files");
    while (count > 0) {
        assert_true(mapped_file_close(memory[--count]));
    }
}

static Status finish(void *context) {
    (void)context;
    puts("the results so far");
    return status_ok();
}

static int report(const Status *status) {
    fprintf(stderr, "reported: %s\n", status->why);
    return INTERRUPT_FILE_EXIT_CODE;
}

/* A process that reads from a file which is cut short; with a guard, it has results to write. */
static void read_what_is_gone(bool guarded, bool held) {
    uint8_t *memory = NULL;
    if (guarded) {
        interrupt_watch();
        interrupt_guard(report);
        interrupt_on_abandon(finish, NULL);
    }
    if (held) {
        interrupt_hold();
    }
    write_sparse(1 << 20);
    if (mapped_file_open(path, 1 << 20, &memory).code == STATUS_OK && truncate(path, 4096) == 0) {
        _exit(memory[1 << 19]);
    }
    _exit(99);
}

/* What a child printed, both streams, and its exit code. */
static int run_child(bool guarded, bool held, char *text, size_t size) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        read_what_is_gone(guarded, held);
    }
    close(ends[1]);
    size_t length = 0;
    for (ssize_t got;
         length + 1 < size && (got = read(ends[0], text + length, size - 1 - length)) > 0;) {
        length += (size_t)got;
    }
    text[length] = '\0';
    close(ends[0]);
    int state = 0;
    assert_int_equal(waitpid(child, &state, 0), child);
    return WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
}

TEST(a_file_that_is_cut_short_ends_the_process) {
    char text[1024];
    char line[256];
    snprintf(
        line, sizeof line,
        "%s: can no longer be read: the file was cut short while it was used, or its disk fails\n",
        path);
    assert_int_equal(run_child(false, false, text, sizeof text), 5);
    assert_ptr_equal(strstr(text, line), text + strlen("bench: "));
    assert_int_equal(run_child(true, false, text, sizeof text), 5);
    assert_says(text, "the results so far\n");
    assert_says(text, "reported: ");
    assert_says(text, line);
    /* Who holds the process writes results itself: the guard would wait for it for ever. */
    assert_int_equal(run_child(true, true, text, sizeof text), 5);
    assert_null(strstr(text, "the results so far\n"));
    assert_says(text, line);
}
