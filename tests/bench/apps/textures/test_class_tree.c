/* Which folders and files become which classes, and what is refused. */
#include "bench/scratch_folder.h"
#include "test.h"
#include "textures_internal.h"

static void make_inner(const char *name) {
    const char *path = test_path(name);
    assert_int_equal(mkdir(path, 0777), 0);
}

static void check_refused(const char *path, const char *fragment) {
    ClassTree tree;
    const Status status = class_tree_read(path, &tree);
    assert_int_equal(status.code, STATUS_FILE);
    assert_says(status.why, fragment);
    assert_null(tree.classes);
}

TEST(folders_are_classes) {
    RELEASED_BY(class_tree_release) ClassTree tree;
    char path[512];
    make_inner("wood");
    make_inner("Brick");
    make_inner(".hidden");
    test_write("wood/b.png", "");
    test_write("wood/B.png", "");
    test_write("wood/.b.swp", "");
    test_write("Brick/1.jpg", "");
    assert_ok(class_tree_read(test_folder, &tree));
    assert_int_equal(tree.count, 2);
    assert_string_equal(tree.classes[0].name, "Brick");
    assert_int_equal(tree.classes[0].images.count, 1);
    assert_string_equal(tree.classes[1].name, "wood");
    assert_int_equal(tree.classes[1].images.count, 2);
    scratch_path(test_scratch(), "wood/B.png", path);
    assert_string_equal(tree.classes[1].images.paths[0], path);
    scratch_path(test_scratch(), "wood/b.png", path);
    assert_string_equal(tree.classes[1].images.paths[1], path);
}

/* "a-b.png" comes before "a.png", but the class "a" before "a-b". */
TEST(images_are_classes_where_there_are_no_folders) {
    RELEASED_BY(class_tree_release) ClassTree tree;
    test_write("a.png", "");
    test_write("a-b.tar.png", "");
    test_write(".b.png", "");
    assert_ok(class_tree_read(test_folder, &tree));
    assert_int_equal(tree.count, 2);
    assert_string_equal(tree.classes[0].name, "a");
    assert_string_equal(tree.classes[1].name, "a-b.tar");
    assert_int_equal(tree.classes[1].images.count, 1);
    assert_says(tree.classes[1].images.paths[0], "/a-b.tar.png");
}

TEST(a_slash_at_the_end_is_not_doubled) {
    RELEASED_BY(class_tree_release) ClassTree tree;
    test_write("a.png", "");
    assert_ok(class_tree_read(test_path(""), &tree));
    assert_null(strstr(tree.classes[0].images.paths[0], "//"));
}

TEST(what_is_no_such_folder_is_refused) {
    char path[512];
    check_refused(test_folder, "holds no image");
    scratch_path(test_scratch(), "none", path);
    check_refused(path, "none: No such file");
    test_write("a.png", "");
    scratch_path(test_scratch(), "a.png", path);
    check_refused(path, "a.png is not a folder");
    test_write("a.jpg", "");
    check_refused(test_folder, "would both be the class 'a'");
}

TEST(files_beside_folders_are_refused) {
    make_inner("brick");
    test_write("brick/1.png", "");
    test_write("grass.png", "");
    check_refused(test_folder, "holds files (grass.png) and folders (brick)");
}

TEST(what_is_no_image_is_left_out) {
    RELEASED_BY(class_tree_release) ClassTree tree;
    make_inner("brick");
    test_write("brick/1.png", "");
    test_write("brick/Thumbs.db", "");
    test_write("desktop.ini", "");
    assert_ok(class_tree_read(test_folder, &tree));
    assert_int_equal(tree.count, 1);
    assert_int_equal(tree.classes[0].images.count, 1);
}

TEST(classes_without_images_are_refused) {
    make_inner("brick");
    make_inner("grass");
    test_write("brick/1.png", "");
    check_refused(test_folder, "the class 'grass' has no images");
    test_write("grass/.hidden", "");
    check_refused(test_folder, "the class 'grass' has no images");
    test_write("grass/1.png", "");
    make_inner("brick/more");
    check_refused(test_folder, "brick/more is a folder within a class");
}
