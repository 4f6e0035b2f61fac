/* backend_cpu: guard bands, poison, accounts, and refusals before memory is touched. */
#include "backend.h"
#include "backend_runner.h"
#include "needs.h"
#include "status.h"
#include "test.h"

/* Holds writes out of bounds, as a broken variant makes them, where the compiler cannot see them.
 */
static void write_at(uint8_t *memory, ptrdiff_t offset, uint8_t value) {
    volatile uint8_t *const at = memory;
    at[offset] = value;
}

static uint8_t *allocate(size_t bytes) {
    void *memory = NULL;
    const Status status = cpu_backend.alloc(bytes, &memory);
    assert_string_equal(status.why, "");
    assert_non_null(memory);
    return memory;
}

TEST(probe_names_the_processor) {
    char description[128] = "";
    assert_ok(cpu_backend.probe(description, sizeof description));
    assert_true(strlen(description) > 0);
    assert_null(strchr(description, '\n'));
    char cut[4];
    assert_ok(cpu_backend.probe(cut, sizeof cut));
    assert_int_equal(strlen(cut), 3);
}

TEST(memory_is_aligned) {
    for (size_t bytes = 0; bytes < 1000; bytes += 37) {
        uint8_t *memory = allocate(bytes);
        assert_int_equal((uintptr_t)memory % 256, 0);
        memset(memory, 0, bytes);
        assert_ok(cpu_backend.runner->check_guards());
        cpu_backend.release(memory);
    }
    cpu_backend.release(NULL);
}

TEST(poison_fills_every_live_allocation) {
    uint8_t *first = allocate(1000);
    uint8_t *second = allocate(1);
    assert_ok(cpu_backend.runner->poison(0xA5));
    for (int i = 0; i < 1000; ++i) {
        assert_int_equal(first[i], 0xA5);
    }
    assert_int_equal(second[0], 0xA5);
    assert_ok(cpu_backend.runner->check_guards());
    cpu_backend.release(first);
    assert_ok(cpu_backend.runner->poison(0x5A));
    assert_int_equal(second[0], 0x5A);
    cpu_backend.release(second);
}

static void assert_damage(const char *expected) {
    const Status status = cpu_backend.runner->check_guards();
    assert_int_equal(status.code, STATUS_FAIL);
    assert_says(status.why, expected);
}

TEST(guards_catch_writes_on_both_sides) {
    enum { BYTES = 100 };
    uint8_t *other = allocate(50);
    uint8_t *memory = allocate(BYTES);
    /* Guards have 4096 bytes. */
    const ptrdiff_t offsets[] = {-1, -256, -4096, BYTES, BYTES + 255, BYTES + 4095};
    const char *const expected[] = {
        "of 100 bytes was written out of bounds, 1 bytes before its start",
        "of 100 bytes was written out of bounds, 256 bytes before its start",
        "of 100 bytes was written out of bounds, 4096 bytes before its start",
        "of 100 bytes was written out of bounds, 1 bytes past its end",
        "of 100 bytes was written out of bounds, 256 bytes past its end",
        "of 100 bytes was written out of bounds, 4096 bytes past its end",
    };
    for (size_t i = 0; i < sizeof offsets / sizeof offsets[0]; ++i) {
        const uint8_t before = memory[offsets[i]];
        write_at(memory, offsets[i], (uint8_t)(before + 1));
        assert_damage(expected[i]);
        write_at(memory, offsets[i], before);
        assert_ok(cpu_backend.runner->check_guards());
    }
    /* The first damaged allocation is the one that is named. */
    write_at(memory, -1, 0);
    write_at(other, 50, 0);
    assert_damage("of 50 bytes was written out of bounds, 1 bytes past its end");
    cpu_backend.release(other);
    assert_damage("of 100 bytes");
    cpu_backend.release(memory);
    assert_ok(cpu_backend.runner->check_guards());
}

TEST(memory_is_accounted_for) {
    cpu_backend.runner->reset_peak();
    assert_int_equal(cpu_backend.in_use(), 0);
    assert_int_equal(cpu_backend.runner->peak(), 0);
    assert_true(cpu_backend.available() > 0);
    uint8_t *first = allocate(1000);
    uint8_t *second = allocate(500);
    cpu_backend.release(first);
    assert_int_equal(cpu_backend.in_use(), 500);
    assert_int_equal(cpu_backend.runner->peak(), 1500);
    cpu_backend.runner->reset_peak();
    assert_int_equal(cpu_backend.runner->peak(), 500);
    cpu_backend.release(second);
    assert_int_equal(cpu_backend.in_use(), 0);
}

TEST(too_much_is_refused) {
    const size_t sizes[] = {SIZE_MAX, SIZE_MAX - 100, SIZE_MAX / 2};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        void *memory = &memory;
        const Status status = cpu_backend.alloc(sizes[i], &memory);
        assert_int_equal(status.code, STATUS_SKIP);
        assert_null(memory);
        double needed = 0;
        double available = 0;
        char unit[4] = "";
        char free_unit[4] = "";
        assert_int_equal(sscanf(status.why, "needs %lf %3[KMGTPEiB], %lf %3[KMGTPEiB] free",
                                &needed, unit, &available, free_unit),
                         4);
    }
    assert_int_equal(cpu_backend.in_use(), 0);
}

TEST(more_than_is_available_is_refused) {
    if (cpu_backend.available() > SIZE_MAX / 4) {
        skip_needing("a system that says how much memory is available", NULL);
    }
    void *block = NULL;
    assert_int_equal(cpu_backend.alloc((size_t)cpu_backend.available() * 2, &block).code,
                     STATUS_SKIP);
    assert_null(block);
}

/* The system takes memory for pages that are written, not for those that are allocated. */
TEST(unwritten_memory_is_not_given_twice) {
    if (cpu_backend.available() > SIZE_MAX / 4) {
        skip_needing("a known amount of memory", NULL);
    }
    const size_t bytes = (size_t)(0.6 * (double)cpu_backend.available());
    void *first = NULL;
    void *second = NULL;
    assert_ok(cpu_backend.alloc(bytes, &first));
    const Status status = cpu_backend.alloc(bytes, &second);
    cpu_backend.release(first);
    assert_int_equal(status.code, STATUS_SKIP);
    assert_null(second);
    assert_ok(cpu_backend.alloc(bytes, &second));
    cpu_backend.release(second);
}

TEST(clock_measures_an_interval) {
    double seconds = -1.0;
    assert_ok(cpu_backend.runner->clock_start());
    assert_ok(cpu_backend.runner->synchronize());
    assert_ok(cpu_backend.runner->clock_stop(&seconds));
    assert_true(seconds >= 0.0);
    assert_true(seconds < 60.0);
}

TEST(flushing_is_no_memory_of_variants) {
    cpu_backend.runner->reset_peak();
    assert_ok(cpu_backend.runner->flush_caches());
    assert_ok(cpu_backend.runner->flush_caches());
    assert_int_equal(cpu_backend.runner->peak(), 0);
}
