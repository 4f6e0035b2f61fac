/* Files that are there whole or not at all. */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "files.h"
#include "needs.h"
#include "status_checks.h"
#include "test.h"

static char folder[64];
static char path[128];

static void make_folder(void) {
    strcpy(folder, "/tmp/bench-test-XXXXXX");
    snprintf(path, sizeof path, "%s/file", mkdtemp(folder));
}

static void remove_folder(void) {
    unlink(path);
    assert_int_equal(rmdir(folder), 0); /* fails when a part file was left behind */
}

EACH_TEST(make_folder, remove_folder);

static void expect_content(const char *want) {
    char text[64];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, want);
}

static void write_word(const char *word) {
    AtomicFile file;
    assert_ok(atomic_file_open(&file, path));
    fputs(word, file.stream);
    assert_ok(atomic_file_commit(&file));
}

TEST(committed_text_replaces_the_file) {
    write_word("old");
    write_word("new");
    expect_content("new");
}

TEST(target_is_untouched_until_commit) {
    write_word("old");
    AtomicFile file;
    assert_ok(atomic_file_open(&file, path));
    fputs("new", file.stream);
    fflush(file.stream);
    expect_content("old");
    atomic_file_abandon(&file);
    atomic_file_abandon(&file);
    expect_content("old");
}

TEST(missing_folder_is_named) {
    AtomicFile file;
    assert_status(atomic_file_open(&file, "/tmp/no/such/folder/file"), STATUS_FILE,
                  "/tmp/no/such/folder/file");
}

TEST(folder_as_target_is_refused) {
    AtomicFile file;
    assert_int_equal(atomic_file_open(&file, folder).code, STATUS_FILE);
}

TEST(full_device_shows_at_commit) {
    if (access("/dev/full", W_OK) != 0) {
        skip_needing("/dev/full", NULL);
    }
    AtomicFile file;
    assert_ok(atomic_file_open(&file, "/dev/full"));
    fputs("text", file.stream);
    assert_int_equal(atomic_file_commit(&file).code, STATUS_FILE);
}

TEST(overlong_path_is_refused) {
    static char longest[ATOMIC_FILE_PATH_SIZE];
    memset(longest, 'a', sizeof longest - 1);
    AtomicFile file;
    assert_int_equal(atomic_file_open(&file, longest).code, STATUS_FILE);
}

/* --- Part files ------------------------------------------------------------------------------- */

static const char *in_folder(const char *name) {
    static char paths[2][512];
    static int next;
    next = !next;
    snprintf(paths[next], sizeof paths[next], "%s/%s", folder, name);
    return paths[next];
}

static void make_file(const char *name) {
    FILE *file = fopen(in_folder(name), "w");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
}

TEST(a_link_in_the_place_of_a_part_file_is_not_followed) {
    make_file("victim");
    assert_int_equal(symlink("victim", in_folder("file.part")), 0);
    write_word("text");
    struct stat info;
    assert_int_equal(stat(in_folder("victim"), &info), 0);
    assert_int_equal(info.st_size, 0);
    assert_int_equal(unlink(in_folder("victim")), 0);
    assert_int_equal(unlink(in_folder("file.part")), 0);
}

TEST(writers_of_one_file_do_not_meet) {
    AtomicFile one, other;
    assert_ok(atomic_file_open(&one, path));
    assert_ok(atomic_file_open(&other, path));
    assert_string_not_equal(one.part, other.part);
    fputs("one", one.stream);
    fputs("other", other.stream);
    assert_ok(atomic_file_commit(&other));
    expect_content("other");
    assert_ok(atomic_file_commit(&one));
    expect_content("one");
}

TEST(a_part_file_has_the_mode_of_any_new_file) {
    const mode_t before = umask(027);
    write_word("text");
    umask(before);
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
}

TEST(the_longest_name_can_be_written) {
    char name[256] = "";
    memset(name, 'n', 255);
    AtomicFile file;
    assert_ok(atomic_file_open(&file, in_folder(name)));
    assert_string_equal(file.part + strlen(file.part) - 5, ".part");
    assert_ok(atomic_file_commit(&file));
    assert_int_equal(unlink(in_folder(name)), 0);
}

/* --- Abandoned part files --------------------------------------------------------------------- */

/* Starts a process that writes the file and tells its part file's name, and waits for ever. */
static pid_t start_writer(char part[ATOMIC_FILE_PATH_SIZE]) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const pid_t process = fork();
    if (process == 0) {
        AtomicFile file;
        const Status status = atomic_file_open(&file, path);
        if (status_is_ok(&status) && write(ends[1], file.part, sizeof file.part) > 0) {
            alarm(60); /* should the test fail */
            pause();
        }
        _exit(1);
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], part, ATOMIC_FILE_PATH_SIZE), ATOMIC_FILE_PATH_SIZE);
    close(ends[0]);
    return process;
}

static void kill_writer(pid_t process) {
    assert_int_equal(kill(process, SIGKILL), 0);
    assert_int_equal(waitpid(process, NULL, 0), process);
}

/* No name of another program's file is taken for one, nor that of another target. */
TEST(what_a_killed_process_left_is_removed) {
    static const char *const kept[] = {"file.part", "file.0123abcx.part", "file.0123abcd",
                                       "file2.0123abcd.part", "file.0123abcd.part.txt"};
    char part[ATOMIC_FILE_PATH_SIZE], other[ATOMIC_FILE_PATH_SIZE];
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        make_file(kept[i]);
    }
    const pid_t living = start_writer(other);
    kill_writer(start_writer(part));
    assert_int_equal(access(part, F_OK), 0);
    write_word("text");
    assert_int_not_equal(access(part, F_OK), 0);
    assert_int_equal(access(other, F_OK), 0);
    kill_writer(living);
    write_word("text");
    assert_int_not_equal(access(other, F_OK), 0);
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        assert_int_equal(unlink(in_folder(kept[i])), 0);
    }
}

/* Of a whole folder, whatever the target was. */
TEST(a_folder_is_swept) {
    char part[ATOMIC_FILE_PATH_SIZE];
    make_file("results.csv.0123abcd.part");
    make_file("file.part");
    assert_int_equal(symlink("file.part", in_folder("link.0123abcd.part")), 0);
    const pid_t living = start_writer(part);
    atomic_file_sweep(folder);
    assert_int_not_equal(access(in_folder("results.csv.0123abcd.part"), F_OK), 0);
    assert_int_equal(access(part, F_OK), 0);
    kill_writer(living);
    atomic_file_sweep(folder);
    assert_int_not_equal(access(part, F_OK), 0);
    assert_int_equal(unlink(in_folder("link.0123abcd.part")), 0);
    assert_int_equal(unlink(in_folder("file.part")), 0);
    atomic_file_sweep("/tmp/no/such/folder");
}

/* --- Links, rights and mounts ----------------------------------------------------------------- */

static void assert_is_link(const char *name) {
    struct stat info;
    assert_int_equal(lstat(in_folder(name), &info), 0);
    assert_true(S_ISLNK(info.st_mode));
}

static void write_named(const char *name, const char *word) {
    static char named[512];
    AtomicFile file;
    snprintf(named, sizeof named, "%s", in_folder(name));
    assert_ok(output_follow_links(named));
    assert_ok(atomic_file_open(&file, named));
    fputs(word, file.stream);
    assert_ok(atomic_file_commit(&file));
}

/* A chain of links, relative to the folders that they are in, to a file that comes to be. */
TEST(a_link_that_a_person_names_is_followed) {
    assert_int_equal(mkdir(in_folder("inner"), 0777), 0);
    assert_int_equal(symlink("inner/second", in_folder("first")), 0);
    assert_int_equal(symlink("../file", in_folder("inner/second")), 0);
    for (int i = 0; i < 2; i++) {
        write_named("first", i == 0 ? "old" : "new");
        assert_is_link("first");
        assert_is_link("inner/second");
        expect_content(i == 0 ? "old" : "new");
    }
    assert_int_equal(unlink(in_folder("first")), 0);
    assert_int_equal(unlink(in_folder("inner/second")), 0);
    assert_int_equal(rmdir(in_folder("inner")), 0);
}

TEST(a_circle_of_links_is_refused) {
    static char named[512];
    AtomicFile file;
    snprintf(named, sizeof named, "%s", in_folder("one"));
    assert_int_equal(symlink("two", in_folder("one")), 0);
    assert_int_equal(symlink("one", in_folder("two")), 0);
    assert_ok(output_follow_links(named));
    assert_int_equal(atomic_file_open(&file, named).code, STATUS_FILE);
    assert_int_equal(unlink(in_folder("one")), 0);
    assert_int_equal(unlink(in_folder("two")), 0);
}

/* Nobody has named it: it may have come with a folder from anybody. */
TEST(another_link_is_replaced) {
    struct stat info;
    make_file("victim");
    assert_int_equal(symlink("victim", path), 0);
    write_word("text");
    assert_int_equal(lstat(path, &info), 0);
    assert_true(S_ISREG(info.st_mode));
    assert_int_equal(stat(in_folder("victim"), &info), 0);
    assert_int_equal(info.st_size, 0);
    assert_int_equal(unlink(in_folder("victim")), 0);
}

TEST(mode_and_owner_are_kept) {
    enum { SOMEBODY = 12345, SOME_GROUP = 54321 };
    struct stat info;
    write_word("old");
    assert_int_equal(chmod(path, 0604), 0);
    const bool root = chown(path, SOMEBODY, SOME_GROUP) == 0;
    write_word("new");
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 07777, 0604);
    assert_int_equal(info.st_uid, root ? SOMEBODY : geteuid());
    assert_true(!root || info.st_gid == SOME_GROUP);
    expect_content("new");
}

/* Runs the test in a process with mounts of its own; true when it passed. */
static bool with_mounts(bool (*test)(void)) {
    int end = 0;
    const pid_t process = fork();
    if (process == 0) {
        _exit(unshare(CLONE_NEWNS) == 0 && mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0
                  ? !test()
                  : 2);
    }
    assert_int_equal(waitpid(process, &end, 0), process);
    if (WIFEXITED(end) && WEXITSTATUS(end) == 2) {
        skip_needing("mounts of one's own", NULL);
    }
    return WIFEXITED(end) && WEXITSTATUS(end) == 0;
}

static bool write_text(const char *text) {
    AtomicFile file;
    const Status opened = atomic_file_open(&file, path);
    if (!status_is_ok(&opened) || fputs(text, file.stream) < 0) {
        return false;
    }
    const Status written = atomic_file_commit(&file);
    return status_is_ok(&written);
}

static bool onto_a_mounted_file(void) {
    return mount(in_folder("host"), path, NULL, MS_BIND, NULL) == 0 &&
           write_text("longer than it") && write_text("new");
}

/* As a container has a file of its host: neither it nor its folder may be replaced. */
static bool into_a_folder_that_is_read_only(void) {
    return mount(folder, folder, NULL, MS_BIND, NULL) == 0 &&
           mount(in_folder("host"), path, NULL, MS_BIND, NULL) == 0 &&
           mount(folder, folder, NULL, MS_REMOUNT | MS_BIND | MS_RDONLY, NULL) == 0 &&
           write_text("longer than it") && write_text("new");
}

static void check_in_place(bool (*test)(void)) {
    char text[64];
    write_word("below");
    make_file("host");
    assert_true(with_mounts(test));
    expect_content("below");
    FILE *file = fopen(in_folder("host"), "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, "new");
    assert_int_equal(unlink(in_folder("host")), 0);
}

TEST(what_cannot_be_replaced_is_written_in_place) {
    check_in_place(onto_a_mounted_file);
    check_in_place(into_a_folder_that_is_read_only);
}

/* What a program prints after it comes behind it, though it goes to a file. */
TEST(a_descriptor_is_written_where_it_is) {
    AtomicFile file;
    char name[64];
    FILE *output = fopen(path, "w");
    assert_non_null(output);
    fputs("before ", output);
    fflush(output);
    snprintf(name, sizeof name, "/dev/fd/%d", fileno(output));
    assert_ok(atomic_file_open(&file, name));
    fputs("text ", file.stream);
    assert_ok(atomic_file_commit(&file));
    fputs("after", output);
    fclose(output);
    expect_content("before text after");
}
