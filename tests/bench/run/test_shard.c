/* Shares of a plan, --shard: how they are read, and which cells are whose. */
#include "bench/fakes.h"
#include "plan.h"
#include "run.h"
#include "run_options.h"
#include "share.h"
#include "status_checks.h"
#include "test.h"

static void check_share(const char *text, int index, int count) {
    Share share = {.count = -1};
    const Status status = share_read(text, &share);
    assert_string_equal(status.why, "");
    assert_int_equal(share.index, index);
    assert_int_equal(share.count, count);
}

static void check_refused(const char *text, const char *fragment) {
    Share share;
    const Status status = share_read(text, &share);
    assert_int_equal(status.code, STATUS_USAGE);
    if (strstr(status.why, fragment) == NULL) {
        fail_msg("'%s': %s", text, status.why);
    }
}

static const char *const variables[] = {"SLURM_ARRAY_TASK_ID",
                                        "SLURM_ARRAY_TASK_COUNT",
                                        "SLURM_ARRAY_TASK_MIN",
                                        "SLURM_ARRAY_TASK_STEP",
                                        "SLURM_PROCID",
                                        "SLURM_NTASKS",
                                        "OMPI_COMM_WORLD_RANK",
                                        "OMPI_COMM_WORLD_SIZE",
                                        "PMI_RANK",
                                        "PMI_SIZE"};

static void forget_scheduler(void) {
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        unsetenv(variables[i]);
    }
}

TEST(a_share_is_one_of_several) {
    static const char *const wrong[] = {"", "0/4", "5/4", "2/", "/2", "2", "-1/2", "2/4x"};
    check_share("1/1", 1, 1);
    check_share("2/4", 2, 4);
    check_share("4/4", 4, 4);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        check_refused(wrong[i], "is no share");
    }
}

/* Numbers of an array go from MIN on in steps; inside of an array of one the other variables
 * count, and one alone is a share too. */
TEST(a_scheduler_tells_the_share, forget_scheduler, forget_scheduler) {
    check_refused("auto", "no scheduler has told this process its share");
    setenv("SLURM_ARRAY_TASK_ID", "5", 1);
    check_refused("auto", "no scheduler has told this process its share");
    setenv("SLURM_ARRAY_TASK_COUNT", "3", 1);
    check_refused("auto", "SLURM_ARRAY_TASK_ID is 5 and SLURM_ARRAY_TASK_COUNT 3");
    setenv("SLURM_ARRAY_TASK_MIN", "1", 1);
    setenv("SLURM_ARRAY_TASK_STEP", "2", 1);
    check_share("auto", 3, 3);
    setenv("SLURM_PROCID", "1", 1);
    setenv("SLURM_NTASKS", "2", 1);
    check_share("auto", 3, 3);
    setenv("SLURM_ARRAY_TASK_ID", "1", 1);
    setenv("SLURM_ARRAY_TASK_COUNT", "1", 1);
    check_share("auto", 2, 2);
    setenv("SLURM_NTASKS", "1", 1);
    setenv("SLURM_PROCID", "0", 1);
    check_share("auto", 1, 1);
}

static Input texture = {.kind = WORKLOAD_IMAGE, .name = "texture", .stem = "texture"};
static const InputList inputs = {.inputs = &texture, .count = 1};

/* Four sizes, of which the third has as many pixels as the other three together. */
static RunOptions options_of_share(int index, int count) {
    static const SizeSpec sizes[] = {{.name = "a", .width = 4096, .height = 4096},
                                     {.name = "b", .width = 2048, .height = 8192},
                                     {.name = "c", .width = 4096, .height = 12288},
                                     {.name = "d", .width = 8192, .height = 2048}};
    RunOptions options = fake_options(&fake_algorithm);
    fake_select(&options, "seq");
    fake_select(&options, "simd");
    options.size_count = sizeof sizes / sizeof sizes[0];
    memcpy(options.sizes, sizes, sizeof sizes);
    options.share = (Share){.index = index, .count = count};
    return options;
}

/* The sizes of a share's cells, a letter each. */
static void check_cells(int index, int count, const char *want) {
    const RunOptions options = options_of_share(index, count);
    char names[32] = "";
    RELEASED_BY(plan_release) Plan plan;
    const Status status = plan_make(&options, &inputs, &plan);
    assert_string_equal(status.why, "");
    for (size_t i = 0; i < plan.cell_count; i++) {
        names[i] = plan_row(&plan, &plan.cells[i], false).size_name[0];
        assert_true(i == 0 || plan.numbers[i] > plan.numbers[i - 1]);
    }
    assert_string_equal(names, want);
}

/* The dearest first, each to the share that has least: c takes as long as the others together. All
 * cells of a size are compared with each other, and stay together. */
TEST(shares_take_as_long_as_each_other) {
    check_cells(1, 1, "aabbccdd");
    check_cells(1, 2, "cc");
    check_cells(2, 2, "aabbdd");
    check_cells(1, 3, "cc");
    check_cells(2, 3, "aadd");
    check_cells(3, 3, "bb");
    check_cells(4, 4, "dd");
}

TEST(more_shares_than_groups_are_refused) {
    const RunOptions options = options_of_share(1, 5);
    Plan plan;
    assert_status(plan_make(&options, &inputs, &plan), STATUS_USAGE, "4 groups of cells");
}
