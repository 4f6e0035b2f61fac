/* The noise floor: its file, and what machine facts make of it. */
#include "machine_internal.h"
#include "noise_floor.h"
#include "paths.h"
#include "scratch_folder.h"
#include "status_checks.h"
#include "test.h"

static void enter(void) {
    assert_int_equal(setenv("XDG_CACHE_HOME", test_folder, 1), 0);
}

EACH_TEST(enter);

static const NoiseCell cells[] = {
    {.name = "a", .pairs = 10, .excluding_one = 1, .typical = 0.01, .floor = 0.02},
    {.name = "b \"quoted\"", .pairs = 10, .beyond_threshold = 2, .typical = 0.02, .floor = 0.0375},
    {.name = "c", .pairs = 10, .typical = 0.001, .floor = 0.003},
};

TEST(the_greatest_floor_is_kept) {
    char path[512];
    scratch_path(test_scratch(), "deep/er/noise.json", path);
    assert_true(isnan(noise_floor_read(path)));
    assert_ok(noise_floor_write(path, "2026-01-02T03:04:05Z", 0.05, cells, 3));
    assert_true(noise_floor_read(path) == 0.0375);
    assert_true(noise_floor_of(cells, 3) == 0.0375);
    char *text = test_read("deep/er/noise.json");
    assert_says(text, "2026-01-02T03:04:05Z");
    assert_says(text, "b \\\"quoted\\\"");
    scratch_path(test_scratch(), "deep/er", path);
    assert_int_equal(scratch_count(path), 1); /* no part file */
}

TEST(other_files_have_no_floor) {
    static const char *const texts[] = {"",
                                        "{",
                                        "[]",
                                        "{}",
                                        "{\"noise_floor\": \"1\"}",
                                        "{\"noise_floor\": -1}",
                                        "{\"noise_floor\": 1e999}"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        test_write("noise.json", texts[i]);
        assert_true(isnan(noise_floor_read(test_path("noise.json"))));
    }
    assert_true(isnan(noise_floor_read(test_folder))); /* a folder */
}

TEST(what_cannot_be_written_is_said) {
    test_write("file", "");
    assert_status(noise_floor_write(test_path("file/noise.json"), "", 0.05, cells, 1), STATUS_FILE,
                  "file");
}

static Machine some_machine(const char *host, double cpus) {
    Machine machine = {.count = 0};
    machine_add_text(&machine, "host_name", host, false);
    machine_add_number(&machine, "cpu_count", cpus, true);
    machine_add_text(&machine, "commit", host, true);
    return machine;
}

TEST(each_machine_has_a_file) {
    char one[512], same[512], other[512], larger[512];
    Machine machine = some_machine("a", 4);
    assert_ok(noise_floor_path(&machine, one, sizeof one));
    assert_ptr_equal(strstr(one, test_folder), one);
    machine_add_text(&machine, "commit_of_another_build", "x", true);
    noise_floor_path(&machine, same, sizeof same);
    machine = some_machine("b", 4);
    noise_floor_path(&machine, other, sizeof other);
    machine = some_machine("a", 8);
    noise_floor_path(&machine, larger, sizeof larger);
    assert_string_equal(one, same);
    assert_string_not_equal(one, other);
    assert_string_not_equal(one, larger);
}

TEST(a_stored_floor_is_a_fact) {
    static Machine machine;
    char path[512];
    machine_read(&machine);
    assert_null(machine_fact(&machine, "noise_floor"));
    assert_ok(noise_floor_path(&machine, path, sizeof path));
    assert_ok(noise_floor_write(path, "", 0.05, cells, 1));
    machine_read(&machine);
    const Fact *fact = machine_fact(&machine, "noise_floor");
    assert_non_null(fact);
    assert_true(fact->number == 0.02);
    assert_false(fact->identity);
}

TEST(without_a_home_there_is_no_folder) {
    char path[512];
    char *home = getenv("HOME") != NULL ? strdup(getenv("HOME")) : NULL;
    setenv("XDG_CACHE_HOME", "relative", 1);
    setenv("HOME", "/home/somebody", 1);
    assert_ok(cache_folder(path, sizeof path));
    assert_string_equal(path, "/home/somebody/.cache/bench");
    assert_int_equal(cache_folder(path, 10).code, STATUS_FILE);
    unsetenv("HOME");
    assert_status(cache_folder(path, sizeof path), STATUS_FILE, "XDG_CACHE_HOME");
    if (home != NULL) {
        setenv("HOME", home, 1);
    }
    free(home);
}
