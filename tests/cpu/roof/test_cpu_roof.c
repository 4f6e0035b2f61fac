/* Ceilings of the processor: sizes of working sets by hand, loops by their answers, and values that
 * are plausible on any machine. */
#include "ceilings.h"
#include "roof_internal.h"
#include "test.h"

TEST(processors_in_a_list_are_counted) {
    assert_int_equal(cpu_list_count("0"), 1);
    assert_int_equal(cpu_list_count("0-7\n"), 8);
    assert_int_equal(cpu_list_count("0-3,16,18-19"), 7);
    assert_int_equal(cpu_list_count(""), 0);
    assert_int_equal(cpu_list_count("7-3"), 0);
}

/* `second` 0: there is one set. */
static void check_sets(const CpuLevels *levels, const CpuLevel *level, int threads, size_t first,
                       size_t second) {
    size_t sets[CPU_LEVEL_SETS];
    const size_t count = cpu_level_sets(levels, level, threads, sets);
    assert_int_equal(count, second > 0 ? 2 : 1);
    assert_int_equal(sets[0], first);
    if (second > 0) {
        assert_int_equal(sets[1], second);
    }
}

/* Cores of two threads, eight cores to a last level. */
TEST(sets_are_half_of_what_a_thread_has) {
    const CpuLevels levels = {.l1 = {32 << 10, 2}, .l2 = {1 << 20, 2}, .llc = {32 << 20, 16}};
    check_sets(&levels, &levels.l1, 1, 16 << 10, 0);
    check_sets(&levels, &levels.l1, 32, 8 << 10, 0);
    check_sets(&levels, &levels.llc, 1, 16 << 20, 3 << 19);
    check_sets(&levels, &levels.llc, 32, 1 << 20, 3 << 18);
    /* 4 × 32 MiB for one, 4 × two last levels for 32 threads. */
    assert_int_equal(cpu_memory_set(&levels, 1, 1e18), 128 << 20);
    assert_int_equal(cpu_memory_set(&levels, 32, 1e18), (256 << 20) / 32);
    /* No more than a quarter of what is available. */
    assert_int_equal(cpu_memory_set(&levels, 1, 64 << 20), 16 << 20);
    assert_int_equal(cpu_memory_set(&levels, 32, 64 << 20), (16 << 20) / 32);
}

/* Half of a share of 1.5 MiB would lie in the second level of 2 MiB. Half of 24 MiB may not be left
 * by other programs: what follows the second level is measured too. */
TEST(a_last_level_is_measured_behind_the_second) {
    const CpuLevels levels = {.l1 = {48 << 10, 1}, .l2 = {2 << 20, 1}, .llc = {24 << 20, 16}};
    check_sets(&levels, &levels.llc, 1, 12 << 20, 3 << 20);
    check_sets(&levels, &levels.llc, 16, 3 << 20, 0);
}

TEST(there_are_caches) {
    const CpuLevels levels = cpu_levels_read();
    assert_true(levels.l1.bytes > 0 || levels.l2.bytes > 0 || levels.llc.bytes > 0);
    assert_true(levels.l1.sharing >= 1 && levels.l2.sharing >= 1 && levels.llc.sharing >= 1);
}

TEST(loops_copy_and_compute) {
    enum { BYTES = 7 * ROOF_LINE };
    for (size_t i = 0; roof_kernel_sets[i] != NULL; i++) {
        const RoofKernels *kernels = roof_kernel_sets[i];
        if (!kernels->supported()) {
            continue;
        }
        _Alignas(ROOF_LINE) uint8_t from[BYTES], to[BYTES + ROOF_LINE];
        for (int byte = 0; byte < BYTES; byte++) {
            from[byte] = (uint8_t)(byte * 37);
        }
        memset(to, 0xEE, sizeof to);
        kernels->copy(to, from, BYTES);
        assert_memory_equal(to, from, BYTES);
        assert_int_equal(to[BYTES], 0xEE);
        /* 12 chains that tend to 2, in as many lanes as two operations each make up. */
        const double lanes = kernels->operations_fp32 / 24.0;
        assert_true(fabs((double)kernels->fp32(100) - 24.0 * lanes) < 1e-3 * lanes);
        /* 1…12 in the chains; after a round 3, 5, … 23 and 12 + 3: 143 + 15. */
        assert_int_equal(kernels->int32(0), 78 * (int)lanes);
        assert_int_equal(kernels->int32(1), 158 * (int)lanes);
        assert_true(kernels->operations_int32 == 12.0 * lanes);
    }
}

TEST(values_are_plausible) {
    Ceilings ceilings = {.count = 0};
    assert_ok(cpu_ceilings_measure(&ceilings));
    assert_true(ceilings.count >= 4);
    for (size_t i = 0; i < ceilings.count; i++) {
        const Ceiling *ceiling = &ceilings.list[i];
        assert_true(isfinite(ceiling->value) && ceiling->value > 0.0);
        assert_true(ceiling->threads >= 1);
        assert_true(ceiling->processor_share > 0 && ceiling->processor_share <= 1);
        assert_true((ceiling->kind == CEILING_BANDWIDTH) == (ceiling->working_set > 0.0));
    }
    const Ceiling *near = ceilings_find(&ceilings, "copy_l1", 1);
    const Ceiling *far = ceilings_find(&ceilings, "copy_dram", 1);
    assert_non_null(far);
    assert_true(near == NULL || near->value > far->value / 2);
    assert_non_null(ceilings_find(&ceilings, "int32", 1));
    assert_non_null(ceilings_find(&ceilings, "fp32", 1));
}
