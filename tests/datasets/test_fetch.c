/* datasets/fetch, against a manifest of file:// addresses: no network is needed. */
#include "fixtures.h"
#include "needs.h"

#include <sys/stat.h>
#include <sys/wait.h>

static const char contents[] = "some open data\n";
/* SHA-256 of the contents, by sha256sum. */
static const char digest[] = "bc90e78e59795fa65a969b54d04a3ea763e34033454740ffb0b45bc41d0da7de";

/* The exit code of datasets/fetch with these arguments; its output goes to <folder>/output. */
static int fetch(const Fixture *fixture, const char *arguments) {
    char command[2 * FIXTURE_PATH_SIZE];
    snprintf(command, sizeof command,
             "DATASETS_MANIFEST='%s/manifest' DATASETS_CACHE='%s/cache' "
             "'%s/datasets/fetch' %s >'%s/output' 2>&1",
             fixture->folder, fixture->folder, BENCH_SOURCE_DIR, arguments, fixture->folder);
    const int result = system(command);
    assert_true(WIFEXITED(result));
    return WEXITSTATUS(result);
}

static void assert_said(Fixture *fixture, const char *words) {
    char text[4096];
    FILE *file = fopen(fixture_path(fixture, "output"), "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    if (strstr(text, words) == NULL) {
        fail_msg("\"%s\" lacks \"%s\"", text, words);
    }
}

static bool is_there(Fixture *fixture, const char *name) {
    return access(fixture_path(fixture, name), F_OK) == 0;
}

static int prepare(void **state) {
    if (system("command -v curl >/dev/null") != 0) {
        *state = NULL;
        return 0;
    }
    if (fixture_setup(state) != 0) {
        return -1;
    }
    Fixture *fixture = *state;
    write_file(fixture_path(fixture, "source"), contents, sizeof contents - 1);
    char lines[4 * FIXTURE_PATH_SIZE];
    const int length =
        snprintf(lines, sizeof lines,
                 "# name sha256 bytes licence URL what\n"
                 "good %s 15 CC0-1.0 file://%s/source what it is\n"
                 "wrong 00%s 15 CC0-1.0 file://%s/source another sum\n"
                 "absent %s 15 CC0-1.0 file://%s/none not there\n",
                 digest, fixture->folder, digest + 2, fixture->folder, digest, fixture->folder);
    write_file(fixture_path(fixture, "manifest"), lines, (size_t)length);
    return 0;
}

static int clean(void **state) {
    return *state == NULL ? 0 : fixture_teardown(state);
}

static Fixture *prepared(void **state) {
    if (*state == NULL) {
        skip_needing("curl", NULL);
    }
    return *state;
}

static void a_file_is_had_once(void **state) {
    Fixture *fixture = prepared(state);
    assert_int_equal(fetch(fixture, "good"), 0);
    assert_true(is_there(fixture, "cache/good"));
    assert_int_equal(fetch(fixture, "good"), 0);
    assert_said(fixture, "already there");
    assert_int_equal(fetch(fixture, "--list"), 0);
    assert_said(fixture, "CC0-1.0       there    what it is");
    assert_said(fixture, "missing  another sum");
}

static void a_cut_download_goes_on(void **state) {
    Fixture *fixture = prepared(state);
    assert_int_equal(mkdir(fixture_path(fixture, "cache"), 0700), 0);
    write_file(fixture_path(fixture, "cache/good.part"), contents, 6);
    assert_int_equal(fetch(fixture, "good"), 0);
    assert_true(is_there(fixture, "cache/good"));
    assert_false(is_there(fixture, "cache/good.part"));
}

static void a_wrong_sum_leaves_nothing(void **state) {
    Fixture *fixture = prepared(state);
    assert_int_equal(fetch(fixture, "wrong"), 5);
    assert_said(fixture, "SHA-256");
    assert_false(is_there(fixture, "cache/wrong"));
    assert_false(is_there(fixture, "cache/wrong.part"));
}

static void an_address_that_fails_is_named(void **state) {
    Fixture *fixture = prepared(state);
    assert_int_equal(fetch(fixture, "all"), 5);
    assert_said(fixture, "absent: cannot download file://");
    assert_true(is_there(fixture, "cache/good"));
}

/* A package as Debian's are: an ar archive, in it data.tar.xz. Its manifest has a file that is in
 * it and one that is not. False without the programs that make one. */
static bool write_package(Fixture *fixture) {
    char command[8 * FIXTURE_PATH_SIZE];
    char lines[4 * FIXTURE_PATH_SIZE];
    if (system("command -v ar >/dev/null && command -v xz >/dev/null") != 0) {
        return false;
    }
    snprintf(command, sizeof command,
             "cd '%s' && mkdir -p tree/usr/share && cp source tree/usr/share/inner.txt && "
             "echo 2.0 >debian-binary && tar -cJf control.tar.xz -C tree . && "
             "tar -cJf data.tar.xz -C tree . && "
             "ar rc small.deb debian-binary control.tar.xz data.tar.xz",
             fixture->folder);
    assert_int_equal(system(command), 0);
    const int length =
        snprintf(lines, sizeof lines,
                 "inner %s 15 CC0-1.0 file://%s/small.deb#usr/share/inner.txt in a package\n"
                 "outer %s 15 CC0-1.0 file://%s/small.deb#usr/share/outer.txt not in it\n"
                 "false 00%s 15 CC0-1.0 file://%s/small.deb#usr/share/inner.txt another sum\n"
                 "gone %s 15 CC0-1.0 file://%s/none.deb#usr/share/inner.txt no package\n",
                 digest, fixture->folder, digest, fixture->folder, digest + 2, fixture->folder,
                 digest, fixture->folder);
    write_file(fixture_path(fixture, "manifest"), lines, (size_t)length);
    return true;
}

static void a_file_is_taken_out_of_a_package(void **state) {
    Fixture *fixture = prepared(state);
    if (!write_package(fixture)) {
        skip_needing("ar and xz", NULL);
    }
    assert_int_equal(fetch(fixture, "inner"), 0);
    assert_said(fixture, "inner: 15 bytes");
    char text[64] = "";
    FILE *file = fopen(fixture_path(fixture, "cache/inner"), "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, contents);
    assert_false(is_there(fixture, "cache/inner.part"));
    assert_false(is_there(fixture, "cache/inner.deb.part"));
    assert_int_equal(fetch(fixture, "inner"), 0);
    assert_said(fixture, "already there");
    assert_int_equal(fetch(fixture, "outer"), 5);
    assert_said(fixture, "outer: cannot take usr/share/outer.txt out of the package");
    assert_int_equal(fetch(fixture, "false"), 5);
    assert_said(fixture, "SHA-256");
    assert_int_equal(fetch(fixture, "gone"), 5);
    assert_said(fixture, "gone: cannot download file://");
    static const char *const none[] = {"cache/outer", "cache/outer.part", "cache/outer.deb.part",
                                       "cache/false", "cache/false.part", "cache/false.deb.part"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        assert_false(is_there(fixture, none[i]));
    }
}

/* A whole package that was not unpacked needs no download; a cut one goes on. */
static void a_package_in_parts_goes_on(void **state) {
    Fixture *fixture = prepared(state);
    char command[4 * FIXTURE_PATH_SIZE];
    if (!write_package(fixture)) {
        skip_needing("ar and xz", NULL);
    }
    snprintf(command, sizeof command,
             "cd '%s' && mkdir cache && head -c 100 small.deb >cache/inner.deb.part",
             fixture->folder);
    assert_int_equal(system(command), 0);
    assert_int_equal(fetch(fixture, "inner"), 0);
    snprintf(command, sizeof command,
             "cd '%s' && rm cache/inner && mv small.deb cache/inner.deb.part", fixture->folder);
    assert_int_equal(system(command), 0);
    assert_int_equal(fetch(fixture, "inner"), 0);
    assert_true(is_there(fixture, "cache/inner"));
    assert_false(is_there(fixture, "cache/inner.deb.part"));
}

static void wrong_use_is_told(void **state) {
    Fixture *fixture = prepared(state);
    assert_int_equal(fetch(fixture, ""), 2);
    assert_said(fixture, "usage:");
    assert_int_equal(fetch(fixture, "--lost"), 2);
    assert_int_equal(fetch(fixture, "gould"), 3);
    assert_said(fixture, "no data named 'gould'");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_file_is_had_once, prepare, clean),
        cmocka_unit_test_setup_teardown(a_cut_download_goes_on, prepare, clean),
        cmocka_unit_test_setup_teardown(a_wrong_sum_leaves_nothing, prepare, clean),
        cmocka_unit_test_setup_teardown(an_address_that_fails_is_named, prepare, clean),
        cmocka_unit_test_setup_teardown(a_file_is_taken_out_of_a_package, prepare, clean),
        cmocka_unit_test_setup_teardown(a_package_in_parts_goes_on, prepare, clean),
        cmocka_unit_test_setup_teardown(wrong_use_is_told, prepare, clean),
    };
    return cmocka_run_group_tests_name("fetch", tests, NULL, NULL);
}
