/* The ceilings of a device, and of several: all are there and positive. How large they are is
 * nobody's verdict. */
#include "ceilings.h"
#include "device.h"
#include "devices.h"
#include "needs.h"
#include "test.h"

static const struct {
    const char *key;
    CeilingKind kind;
} expected[] = {
    {"copy_l2", CEILING_BANDWIDTH},
    {"copy_dram", CEILING_BANDWIDTH},
    {"pcie_up_pinned", CEILING_BANDWIDTH},
    {"pcie_down_pinned", CEILING_BANDWIDTH},
    {"pcie_both_pinned", CEILING_BANDWIDTH},
    {"pcie_up_pageable", CEILING_BANDWIDTH},
    {"pcie_down_pageable", CEILING_BANDWIDTH},
    {"fp32", CEILING_OPERATIONS},
    {"int32", CEILING_OPERATIONS},
    {"shared_atomics", CEILING_OPERATIONS},
    {"empty_kernel", CEILING_TIME},
    {"launch", CEILING_TIME},
};

/* Those of several devices at once, all-reduces apart. */
static const char *const together[] = {
    "copy_l2",          "copy_dram", "pcie_up_pinned", "pcie_down_pinned",
    "pcie_both_pinned", "fp32",      "int32",          "shared_atomics",
    "empty_kernel",     "launch",    "peer_one_way",   "peer_both_ways"};
enum { TOGETHER = sizeof together / sizeof together[0], PEERS = 2, REDUCED = 9 };

/* One device stands for all: it copies to no other one, and NCCL refuses it. */
static bool stands_for_several;

/* Of 1, 2, 4 … and all devices; where NCCL cannot be used the note says why. */
static void check_several(const Ceilings *ceilings, int count) {
    const int keys = TOGETHER - (stands_for_several ? PEERS : 0);
    size_t numbers = 0;
    for (int devices = 2; devices / 2 < count; devices *= 2) {
        const int used = devices < count ? devices : count;
        numbers++;
        for (int i = 0; i < keys; i++) {
            const Ceiling *ceiling = ceilings_find_on(ceilings, used, together[i], 0);
            if (ceiling == NULL) {
                fail_msg("%s of %d devices is missing", together[i], used);
                return;
            }
            assert_true(isfinite(ceiling->value) && ceiling->value > 0.0);
            print_message("%-20s %d devices %.4g\n", ceiling->key, used, ceiling->value);
        }
    }
    const size_t reduced = ceilings->note[0] != '\0' ? 0 : REDUCED;
    assert_true(!stands_for_several || reduced == 0);
    assert_int_equal(ceilings->count,
                     sizeof expected / sizeof expected[0] + numbers * ((size_t)keys + reduced));
}

TEST(all_ceilings_are_measured_or_none_with_a_reason) {
    static Ceilings ceilings;
    const Status status = cuda_ceilings_measure(&ceilings);
    if (status.code == STATUS_SKIP) {
        assert_true(strlen(status.why) > 0);
        assert_int_equal(ceilings.count, 0);
        skip_needing(NEEDS_DEVICE, status.why);
    }
    assert_string_equal(status.why, "");
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const Ceiling *ceiling = ceilings_find(&ceilings, expected[i].key, 0);
        if (ceiling == NULL) {
            fail_msg("%s is missing", expected[i].key);
            return;
        }
        assert_int_equal(ceiling->kind, expected[i].kind);
        assert_true(isfinite(ceiling->value) && ceiling->value > 0.0);
        print_message("%-20s %.4g\n", ceiling->key, ceiling->value);
    }
    check_several(&ceilings, cuda_devices_count());
}

TEST(nothing_is_kept_on_the_device) {
    need_device();
    static Ceilings ceilings;
    /* The first time the driver, and a checker around it, set up memory of their own. */
    Status status = cuda_ceilings_measure(&ceilings);
    assert_string_equal(status.why, "");
    const uint64_t before = cuda_backend.available();
    status = cuda_ceilings_measure(&ceilings);
    assert_string_equal(status.why, "");
    assert_true(cuda_backend.available() + (64U << 20) >= before);
}

/* With an argument device 0 stands for two. */
ARGUMENTS(argc, argv) {
    static const int twice[] = {0, 0};
    (void)argv;
    stands_for_several = argc > 1;
    if (stands_for_several) {
        const Status chosen = cuda_devices_choose(twice, 2);
        if (!status_is_ok(&chosen)) {
            return 1;
        }
    }
    return RUN_TESTS;
}
