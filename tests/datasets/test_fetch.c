/* datasets/fetch, against a manifest of file:// addresses: no network is needed. */
#include "fixtures.h"
#include "needs.h"
#include "search_path.h"
#include "test.h"

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
    assert_says(text, words);
}

static bool is_there(Fixture *fixture, const char *name) {
    return access(fixture_path(fixture, name), F_OK) == 0;
}

static bool has_package; /* ar, tar and xz are installed */

static void prepare(void) {
    if (system("command -v curl >/dev/null") != 0) {
        test_state = NULL;
        return;
    }
    fixture_setup();
    Fixture *fixture = test_state;
    write_file(fixture_path(fixture, "source"), contents, sizeof contents - 1);
    /* A package as small as they come: an ar archive whose data.tar holds the file. */
    char command[4 * FIXTURE_PATH_SIZE];
    snprintf(command, sizeof command,
             "cd '%s' && mkdir -p usr && cp source usr/inside && echo 2.0 >debian-binary && "
             "cp source usr/beside && "
             "tar -cJf control.tar.xz debian-binary && tar -cJf data.tar.xz ./usr && "
             "ar rc small.deb debian-binary control.tar.xz data.tar.xz",
             fixture->folder);
    has_package = system(command) == 0;
    char lines[6 * FIXTURE_PATH_SIZE];
    const int length = snprintf(
        lines, sizeof lines,
        "# name sha256 bytes licence URL what\n"
        "good %s 15 CC0-1.0 file://%s/source what it is\n"
        "wrong 00%s 15 CC0-1.0 file://%s/source another sum\n"
        "absent %s 15 CC0-1.0 file://%s/none not there\n"
        "packed %s 15 CC0-1.0 file://%s/small.deb#usr/inside in a package\n"
        "beside %s 15 CC0-1.0 file://%s/small.deb#usr/beside in the same one\n"
        "lost %s 15 CC0-1.0 file://%s/small.deb#usr/outside in no package\n"
        "folder/deep %s 15 CC0-1.0 file://%s/source in a folder\n",
        digest, fixture->folder, digest + 2, fixture->folder, digest, fixture->folder, digest,
        fixture->folder, digest, fixture->folder, digest, fixture->folder, digest, fixture->folder);
    write_file(fixture_path(fixture, "manifest"), lines, (size_t)length);
}

static void clean(void) {
    if (test_state != NULL) {
        fixture_teardown();
    }
}

EACH_TEST(prepare, clean);

static Fixture *prepared(void) {
    if (test_state == NULL) {
        skip_needing("curl", NULL);
    }
    return test_state;
}

TEST(a_file_is_had_once) {
    Fixture *fixture = prepared();
    assert_int_equal(fetch(fixture, "good"), 0);
    assert_true(is_there(fixture, "cache/good"));
    assert_int_equal(fetch(fixture, "good"), 0);
    assert_said(fixture, "already there");
    assert_int_equal(fetch(fixture, "--list"), 0);
    assert_said(fixture, "CC0-1.0       there    what it is");
    assert_said(fixture, "missing  another sum");
    assert_int_equal(fetch(fixture, "folder/deep"), 0);
    assert_true(is_there(fixture, "cache/folder/deep"));
}

/* The script finds its folder, though a shell has been told where else folders may be. */
TEST(cdpath_leads_nowhere) {
    Fixture *fixture = prepared();
    char command[2 * FIXTURE_PATH_SIZE];
    snprintf(
        command, sizeof command,
        "cd '%s' && mkdir -p '%s/datasets' && CDPATH='.:%s' datasets/fetch --list >'%s/output' "
        "2>&1",
        BENCH_SOURCE_DIR, fixture->folder, fixture->folder, fixture->folder);
    assert_int_equal(system(command), 0);
    assert_said(fixture, "meadow.jpg");
}

TEST(a_cut_download_goes_on) {
    Fixture *fixture = prepared();
    assert_int_equal(mkdir(fixture_path(fixture, "cache"), 0700), 0);
    write_file(fixture_path(fixture, "cache/good.part"), contents, 6);
    assert_int_equal(fetch(fixture, "good"), 0);
    assert_true(is_there(fixture, "cache/good"));
    assert_false(is_there(fixture, "cache/good.part"));
}

TEST(a_wrong_sum_leaves_nothing) {
    Fixture *fixture = prepared();
    assert_int_equal(fetch(fixture, "wrong"), 5);
    assert_said(fixture, "SHA-256");
    assert_false(is_there(fixture, "cache/wrong"));
    assert_false(is_there(fixture, "cache/wrong.part"));
}

TEST(an_address_that_fails_is_named) {
    Fixture *fixture = prepared();
    assert_int_equal(fetch(fixture, "all"), 5);
    assert_said(fixture, "absent: cannot download file://");
    assert_true(is_there(fixture, "cache/good"));
}

TEST(a_file_in_a_package_is_taken_out) {
    Fixture *fixture = prepared();
    if (!has_package) {
        skip_needing("ar, tar and xz", NULL);
    }
    assert_int_equal(fetch(fixture, "packed"), 0);
    assert_true(is_there(fixture, "cache/packed"));
    assert_false(is_there(fixture, "cache/packed.deb.part"));
    assert_int_equal(fetch(fixture, "packed"), 0);
    assert_said(fixture, "already there");
    assert_int_equal(fetch(fixture, "lost"), 5);
    assert_said(fixture, "lost: usr/outside cannot be unpacked from file://");
    assert_false(is_there(fixture, "cache/lost"));
    assert_false(is_there(fixture, "cache/lost.part"));
    assert_false(is_there(fixture, "cache/small.deb"));
    assert_false(is_there(fixture, "cache/small.deb.part"));
}

/* The stand-in for curl, which notes each download, is not asked for a package twice. */
TEST(a_package_is_had_once_for_all_of_its_files) {
    Fixture *fixture = prepared();
    if (!has_package) {
        skip_needing("ar, tar and xz", NULL);
    }
    char text[FIXTURE_PATH_SIZE + 256];
    snprintf(text, sizeof text,
             "#!/bin/sh\necho \"$*\" >>'%s/downloads'\nPATH=${PATH#*:} exec curl \"$@\"\n",
             fixture->folder);
    assert_int_equal(mkdir(fixture_path(fixture, "bin"), 0700), 0);
    write_file(fixture_path(fixture, "bin/curl"), text, strlen(text));
    assert_int_equal(chmod(fixture_path(fixture, "bin/curl"), 0700), 0);
    char *path = search_path_set(fixture_path(fixture, "bin"), false);
    const int code = fetch(fixture, "packed beside");
    search_path_restore(path);
    assert_int_equal(code, 0);
    assert_true(is_there(fixture, "cache/packed") && is_there(fixture, "cache/beside"));
    assert_false(is_there(fixture, "cache/small.deb"));
    FILE *downloads = fopen(fixture_path(fixture, "downloads"), "r");
    assert_non_null(downloads);
    int lines = 0;
    for (int c = fgetc(downloads); c != EOF; c = fgetc(downloads)) {
        lines += c == '\n';
    }
    fclose(downloads);
    assert_int_equal(lines, 1);
}

TEST(wrong_use_is_told) {
    Fixture *fixture = prepared();
    assert_int_equal(fetch(fixture, ""), 2);
    assert_said(fixture, "usage:");
    assert_int_equal(fetch(fixture, "--lost"), 2);
    assert_int_equal(fetch(fixture, "gould"), 3);
    assert_said(fixture, "no data named 'gould'");
}
