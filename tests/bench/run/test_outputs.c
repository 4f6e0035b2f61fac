/* What a command reads is not written to, by whatever name. */
#include <sys/stat.h>
#include <unistd.h>

#include "bench/scratch_folder.h"
#include "files.h"
#include "run.h"
#include "test.h"

static ScratchFolder folder;

static const char image[] = "P5 1 1 255\nx";

static void make_folder(void) {
    char path[512];
    folder = scratch_make();
    scratch_path(&folder, "set", path);
    assert_int_equal(mkdir(path, 0700), 0);
    scratch_path(&folder, "set/class", path);
    assert_int_equal(mkdir(path, 0700), 0);
    scratch_path(&folder, "set/class/deeper", path);
    assert_int_equal(mkdir(path, 0700), 0);
    scratch_write(&folder, "one.csv", "1\n");
    scratch_write(&folder, "two.csv", "2\n");
    scratch_write(&folder, "other.csv", "3\n");
    scratch_write(&folder, "set/a.pgm", image);
    scratch_write(&folder, "set/notes.txt", "no image");
    scratch_write(&folder, "set/class/b.pgm", image);
    scratch_write(&folder, "set/class/deeper/c.pgm", image);
}

static void remove_folder(void) {
    scratch_remove_tree(folder.path);
}

/* One folder for all: a file that is removed gives its inode to the next, which then counts as
 * read. */
ALL_TESTS(make_folder, remove_folder);

static void check(const char *name, bool is_read) {
    char path[512];
    scratch_path(&folder, name, path);
    assert_int_equal(input_guard_check(path).code, is_read ? STATUS_USAGE : STATUS_OK);
}

TEST(a_file_that_is_read_is_not_written) {
    char path[512], link[512];
    assert_ok(guard_input(NULL));
    scratch_path(&folder, "one.csv", path);
    check("one.csv", false);
    assert_ok(guard_input(path));
    scratch_path(&folder, "link.csv", link);
    assert_int_equal(symlink(path, link), 0);
    check("one.csv", true);
    check("link.csv", true);
    check("two.csv", false);
}

TEST(every_file_of_a_list_is_read) {
    char list[1200], one[512], two[512];
    scratch_path(&folder, "one.csv", one);
    scratch_path(&folder, "two.csv", two);
    snprintf(list, sizeof list, "%s,%s", one, two);
    assert_ok(guard_input_list(NULL));
    assert_ok(guard_input_list(list));
    check("one.csv", true);
    check("two.csv", true);
    check("other.csv", false);
}

/* Of a set its images and those of its classes. */
TEST(images_of_a_folder_are_read) {
    char path[512];
    scratch_path(&folder, "set", path);
    assert_ok(guard_input(path));
    check("set/a.pgm", true);
    check("set/class/b.pgm", true);
    check("set/class/deeper/c.pgm", false);
    check("set/notes.txt", false);
}
