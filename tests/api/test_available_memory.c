/* available_memory: limits of control groups, written here as files, and byte counts as text. */
#include <sys/mman.h>
#include <unistd.h>

#include "resources.h"
#include "status_checks.h"
#include "test.h"

static char folder[64];

static const char *const files[] = {"memory.max", "memory.current", "memory.stat",
                                    "memory.limit_in_bytes", "memory.usage_in_bytes"};

static void write_file(const char *name, const char *text) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void make_folder(void) {
    snprintf(folder, sizeof folder, "/tmp/test_available_memory_XXXXXX");
    assert_non_null(mkdtemp(folder));
}

static void remove_folder(void) {
    for (size_t i = 0; i < sizeof files / sizeof files[0]; ++i) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        unlink(path);
    }
    assert_int_equal(rmdir(folder), 0);
}

EACH_TEST(make_folder, remove_folder);

TEST(version_2) {
    write_file("memory.max", "1000000\n");
    write_file("memory.current", "400000\n");
    assert_int_equal(available_in_group(folder), 600000);
    /* Page cache can be dropped, also that of files which are in use. */
    write_file("memory.stat", "anon 300000\nfile 100000\ninactive_file 50000\nactive_file 20000\n");
    assert_int_equal(available_in_group(folder), 670000);
    write_file("memory.current", "2000000\n");
    assert_int_equal(available_in_group(folder), 0);
}

TEST(version_2_without_limit) {
    write_file("memory.max", "max\n");
    write_file("memory.current", "400000\n");
    assert_true(available_in_group(folder) == UINT64_MAX);
}

TEST(version_1) {
    write_file("memory.limit_in_bytes", "5000\n");
    write_file("memory.usage_in_bytes", "2000\n");
    write_file("memory.stat", "inactive_file 1\ntotal_inactive_file 500\ntotal_active_file 30\n");
    assert_int_equal(available_in_group(folder), 3530);
}

TEST(version_1_without_a_limit) {
    write_file("memory.limit_in_bytes", "9223372036854771712\n");
    write_file("memory.usage_in_bytes", "2000\n");
    assert_true(available_in_group(folder) == UINT64_MAX);
}

TEST(addresses) {
    char usage[128];
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    snprintf(usage, sizeof usage, "%s/memory.stat", folder);
    write_file("memory.stat", "100 40 30 1 0 50 0\n");
    assert_int_equal(available_addresses(usage, 150 * page), 50 * page);
    assert_int_equal(available_addresses(usage, 90 * page), 0);
    assert_true(available_addresses(usage, UINT64_MAX) == UINT64_MAX);
    assert_int_equal(available_data(usage, 60 * page), 10 * page);
    assert_int_equal(available_data(usage, 40 * page), 0);
    assert_true(available_data(usage, UINT64_MAX) == UINT64_MAX);
    write_file("memory.stat", "100\n");
    assert_true(available_data(usage, 60 * page) == UINT64_MAX);
}

TEST(the_peak_is_of_now_after_a_reset, NULL) {
    const size_t bytes = (size_t)64 << 20;
    peak_memory_reset();
    const uint64_t before = peak_memory();
    uint8_t *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(memory != MAP_FAILED);
    memset(memory, 1, bytes);
    assert_int_equal(munmap(memory, bytes), 0);
    assert_in_range(peak_memory(), before + bytes - (1 << 20), before + bytes + (32 << 20));
    peak_memory_reset();
    if (access("/proc/self/clear_refs", W_OK) == 0) {
        assert_true(peak_memory() < before + bytes / 2);
    }
}

TEST(promised_memory_is_not_free, NULL) {
    assert_int_equal(available_memory_beside(UINT64_MAX), 0);
    assert_true(available_memory_beside(available_memory() / 2) < available_memory());
}

TEST(no_group) {
    assert_true(available_in_group(folder) == UINT64_MAX);
}

TEST(this_machine_has_some, NULL) {
    assert_true(available_memory() > 0);
}

TEST(bytes_as_text, NULL) {
    char text[32];
    bytes_text(0, text, sizeof text);
    assert_string_equal(text, "0 B");
    bytes_text(1023, text, sizeof text);
    assert_string_equal(text, "1023 B");
    bytes_text(1536, text, sizeof text);
    assert_string_equal(text, "1.5 KiB");
    bytes_text(((uint64_t)1 << 20) - 1, text, sizeof text);
    assert_string_equal(text, "1.0 MiB");
    bytes_text((uint64_t)12 << 30, text, sizeof text);
    assert_string_equal(text, "12.0 GiB");
    bytes_text(UINT64_MAX, text, sizeof text);
    assert_string_equal(text, "16.0 EiB");
}

TEST(what_does_not_fit_is_named, NULL) {
    assert_status_is(memory_short(3 << 20, 512), STATUS_SKIP, "needs 3.0 MiB, 512 B free");
    const Status large = free_memory_check("x.png", UINT64_MAX);
    assert_int_equal(large.code, STATUS_SKIP);
    assert_int_equal(strncmp(large.why, "x.png needs 16.0 EiB of memory, ", 32), 0);
}
