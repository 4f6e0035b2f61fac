/* Shares on one host take turns: who is alone, who may run beside whom. */
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/fake_system.h"
#include "needs.h"
#include "status_checks.h"
#include "sweep.h"
#include "test.h"

enum { PROCESSES = 3, ROUNDS = 60, PATIENCE = 20 };

/* What the processes know of each other. */
typedef struct Board {
    int alone, on_first, on_second; /* processes inside */
    int together;                   /* times that both devices worked at once */
    int broken;                     /* times that somebody was inside who should not be */
    int turns[PROCESSES];
} Board;

static void look(Board *board) {
    const int alone = __atomic_load_n(&board->alone, __ATOMIC_SEQ_CST);
    const int first = __atomic_load_n(&board->on_first, __ATOMIC_SEQ_CST);
    const int second = __atomic_load_n(&board->on_second, __ATOMIC_SEQ_CST);
    const bool wrong = alone > 1 || first > 1 || second > 1 || (alone > 0 && first + second > 0);
    __atomic_fetch_add(&board->broken, wrong, __ATOMIC_SEQ_CST);
    __atomic_fetch_add(&board->together, first > 0 && second > 0, __ATOMIC_SEQ_CST);
}

static void work(Board *board, size_t member) {
    int *inside = (int *)(void *)((char *)board + member);
    __atomic_fetch_add(inside, 1, __ATOMIC_SEQ_CST);
    for (int i = 0; i < 4; i++) {
        look(board);
        usleep(200);
    }
    __atomic_fetch_sub(inside, 1, __ATOMIC_SEQ_CST);
}

static void be_a_share(Board *board, int number) {
    const bool on_first = number < 2;
    const Status opened = host_lock_open(on_first ? "0000:18:00.0" : "0000:19:00.0");
    if (!status_is_ok(&opened)) {
        _exit(1);
    }
    alarm(PATIENCE);
    for (int i = 0; i < ROUNDS; i++) {
        host_lock_alone();
        work(board, offsetof(Board, alone));
        host_lock_device();
        work(board, on_first ? offsetof(Board, on_first) : offsetof(Board, on_second));
        board->turns[number]++;
    }
    host_lock_close();
    _exit(0);
}

/* Memory that all processes see, and a new folder for the locks; and their end. */
static Board *begin(ScratchFolder *folder) {
    Board *board =
        mmap(NULL, sizeof *board, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(board != MAP_FAILED);
    *folder = scratch_make();
    setenv("BENCH_LOCK_FOLDER", folder->path, 1);
    return board;
}

static void end(Board *board, const ScratchFolder *folder) {
    unsetenv("BENCH_LOCK_FOLDER");
    munmap(board, sizeof *board);
    scratch_remove_tree(folder->path);
}

TEST(shares_do_not_disturb_each_other) {
    ScratchFolder folder;
    Board *board = begin(&folder);
    pid_t processes[PROCESSES];
    for (int i = 0; i < PROCESSES; i++) {
        processes[i] = fork();
        if (processes[i] == 0) {
            be_a_share(board, i);
        }
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status = 0;
        assert_int_equal(waitpid(processes[i], &status, 0), processes[i]);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        assert_int_equal(board->turns[i], ROUNDS);
    }
    assert_int_equal(board->broken, 0);
    assert_true(board->together > 0);
    end(board, &folder);
}

/* Who lets go of the host and wants it again comes after one that waits. */
TEST(nobody_waits_for_ever) {
    ScratchFolder folder;
    Board *board = begin(&folder);
    assert_ok(host_lock_open(""));
    host_lock_alone();
    const pid_t other = fork();
    if (other == 0) {
        host_lock_close();
        const Status opened = host_lock_open("");
        alarm(PATIENCE);
        if (status_is_ok(&opened)) {
            host_lock_alone();
            __atomic_store_n(&board->alone, 1, __ATOMIC_SEQ_CST);
        }
        _exit(0);
    }
    int turns = 0;
    usleep(100000); /* the other one waits by now */
    while (__atomic_load_n(&board->alone, __ATOMIC_SEQ_CST) == 0 && turns < 1000) {
        host_lock_alone();
        turns++;
        usleep(1000);
    }
    assert_true(turns < 1000);
    assert_int_equal(waitpid(other, NULL, 0), other);
    host_lock_close();
    end(board, &folder);
}

TEST(without_shares_nothing_is_locked) {
    host_lock_alone();
    host_lock_device();
    assert_false(host_lock_is_open());
    host_lock_close();
}

TEST(a_file_of_somebody_else_is_refused) {
    char path[512], target[512];
    setenv("BENCH_LOCK_FOLDER", test_folder, 1);
    snprintf(path, sizeof path, "%s/bench-%lu-host.lock", test_folder, (unsigned long)geteuid());
    snprintf(target, sizeof target, "%s/elsewhere", test_folder);
    assert_int_equal(symlink(target, path), 0);
    assert_status(host_lock_open(""), STATUS_FILE, "BENCH_LOCK_FOLDER");
    assert_int_not_equal(access(target, F_OK), 0);
    setenv("BENCH_LOCK_FOLDER", "/nowhere/at/all", 1);
    assert_int_equal(host_lock_open("").code, STATUS_FILE);
    unsetenv("BENCH_LOCK_FOLDER");
}
