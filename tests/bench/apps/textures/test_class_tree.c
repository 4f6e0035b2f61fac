/* Which folders and files become which classes, and what is refused. */
#include "bench/scratch_folder.h"
#include "test.h"
#include "textures_internal.h"

static void make_folder(void) {
    static ScratchFolder folder;
    folder = scratch_make();
    test_state = &folder;
}

static void remove_folder(void) {
    const ScratchFolder *folder = test_state;
    scratch_remove_tree(folder->path);
}

EACH_TEST(make_folder, remove_folder);

static void make_inner(const ScratchFolder *folder, const char *name) {
    char path[512];
    scratch_path(folder, name, path);
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
    const ScratchFolder *folder = test_state;
    ClassTree tree;
    char path[512];
    make_inner(folder, "wood");
    make_inner(folder, "Brick");
    make_inner(folder, ".hidden");
    scratch_write(folder, "wood/b.png", "");
    scratch_write(folder, "wood/B.png", "");
    scratch_write(folder, "wood/.b.swp", "");
    scratch_write(folder, "Brick/1.jpg", "");
    assert_ok(class_tree_read(folder->path, &tree));
    assert_int_equal(tree.count, 2);
    assert_string_equal(tree.classes[0].name, "Brick");
    assert_int_equal(tree.classes[0].images.count, 1);
    assert_string_equal(tree.classes[1].name, "wood");
    assert_int_equal(tree.classes[1].images.count, 2);
    scratch_path(folder, "wood/B.png", path);
    assert_string_equal(tree.classes[1].images.paths[0], path);
    scratch_path(folder, "wood/b.png", path);
    assert_string_equal(tree.classes[1].images.paths[1], path);
    class_tree_release(&tree);
}

/* "a-b.png" comes before "a.png", but the class "a" before "a-b". */
TEST(images_are_classes_where_there_are_no_folders) {
    const ScratchFolder *folder = test_state;
    ClassTree tree;
    scratch_write(folder, "a.png", "");
    scratch_write(folder, "a-b.tar.png", "");
    scratch_write(folder, ".b.png", "");
    assert_ok(class_tree_read(folder->path, &tree));
    assert_int_equal(tree.count, 2);
    assert_string_equal(tree.classes[0].name, "a");
    assert_string_equal(tree.classes[1].name, "a-b.tar");
    assert_int_equal(tree.classes[1].images.count, 1);
    assert_says(tree.classes[1].images.paths[0], "/a-b.tar.png");
    class_tree_release(&tree);
}

TEST(a_slash_at_the_end_is_not_doubled) {
    const ScratchFolder *folder = test_state;
    ClassTree tree;
    char path[512];
    scratch_write(folder, "a.png", "");
    scratch_path(folder, "", path);
    assert_ok(class_tree_read(path, &tree));
    assert_null(strstr(tree.classes[0].images.paths[0], "//"));
    class_tree_release(&tree);
}

TEST(what_is_no_such_folder_is_refused) {
    const ScratchFolder *folder = test_state;
    char path[512];
    check_refused(folder->path, "holds no image");
    scratch_path(folder, "none", path);
    check_refused(path, "none: No such file");
    scratch_write(folder, "a.png", "");
    scratch_path(folder, "a.png", path);
    check_refused(path, "a.png is not a folder");
    scratch_write(folder, "a.jpg", "");
    check_refused(folder->path, "would both be the class 'a'");
}

TEST(files_beside_folders_are_refused) {
    const ScratchFolder *folder = test_state;
    make_inner(folder, "brick");
    scratch_write(folder, "brick/1.png", "");
    scratch_write(folder, "grass.png", "");
    check_refused(folder->path, "holds files (grass.png) and folders (brick)");
}

TEST(what_is_no_image_is_left_out) {
    const ScratchFolder *folder = test_state;
    ClassTree tree;
    make_inner(folder, "brick");
    scratch_write(folder, "brick/1.png", "");
    scratch_write(folder, "brick/Thumbs.db", "");
    scratch_write(folder, "desktop.ini", "");
    assert_ok(class_tree_read(folder->path, &tree));
    assert_int_equal(tree.count, 1);
    assert_int_equal(tree.classes[0].images.count, 1);
    class_tree_release(&tree);
}

TEST(classes_without_images_are_refused) {
    const ScratchFolder *folder = test_state;
    make_inner(folder, "brick");
    make_inner(folder, "grass");
    scratch_write(folder, "brick/1.png", "");
    check_refused(folder->path, "the class 'grass' has no images");
    scratch_write(folder, "grass/.hidden", "");
    check_refused(folder->path, "the class 'grass' has no images");
    scratch_write(folder, "grass/1.png", "");
    make_inner(folder, "brick/more");
    check_refused(folder->path, "brick/more is a folder within a class");
}
