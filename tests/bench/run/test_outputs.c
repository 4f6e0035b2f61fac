/* What a command reads is not written to, by whatever name. */
#include <sys/stat.h>
#include <unistd.h>

#include "bench/scratch_folder.h"
#include "files.h"
#include "run.h"
#include "test.h"

static const char image[] = "P5 1 1 255\nx";

static void make_folder(void) {
    char path[512];
    scratch_path(test_scratch(), "set", path);
    assert_int_equal(mkdir(path, 0700), 0);
    scratch_path(test_scratch(), "set/class", path);
    assert_int_equal(mkdir(path, 0700), 0);
    scratch_path(test_scratch(), "set/class/deeper", path);
    assert_int_equal(mkdir(path, 0700), 0);
    test_write("one.csv", "1\n");
    test_write("two.csv", "2\n");
    test_write("other.csv", "3\n");
    test_write("set/a.pgm", image);
    test_write("set/notes.txt", "no image");
    test_write("set/class/b.pgm", image);
    test_write("set/class/deeper/c.pgm", image);
}

/* One folder for all: a file that is removed gives its inode to the next, which then counts as
 * read. */
ALL_TESTS(make_folder);

static void check(const char *name, bool is_read) {
    const char *path = test_path(name);
    assert_int_equal(input_guard_check(path).code, is_read ? STATUS_USAGE : STATUS_OK);
}

TEST(a_file_that_is_read_is_not_written) {
    char path[512], link[512];
    assert_ok(guard_input(NULL));
    scratch_path(test_scratch(), "one.csv", path);
    check("one.csv", false);
    assert_ok(guard_input(path));
    scratch_path(test_scratch(), "link.csv", link);
    assert_int_equal(symlink(path, link), 0);
    check("one.csv", true);
    check("link.csv", true);
    check("two.csv", false);
}

TEST(every_file_of_a_list_is_read) {
    char list[1200], one[512], two[512];
    scratch_path(test_scratch(), "one.csv", one);
    scratch_path(test_scratch(), "two.csv", two);
    snprintf(list, sizeof list, "%s,%s", one, two);
    assert_ok(guard_input_list(NULL));
    assert_ok(guard_input_list(list));
    check("one.csv", true);
    check("two.csv", true);
    check("other.csv", false);
}

/* Of a set its images and those of its classes. */
TEST(images_of_a_folder_are_read) {
    assert_ok(guard_input(test_path("set")));
    check("set/a.pgm", true);
    check("set/class/b.pgm", true);
    check("set/class/deeper/c.pgm", false);
    check("set/notes.txt", false);
}
