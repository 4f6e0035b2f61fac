/* What Nsight Compute wrote, as rows; profile.csv; the profiler started and failing. The numbers
 * below are computed by hand. */
#include <sys/stat.h>
#include <unistd.h>

#include "cli_internal.h"
#include "scratch_folder.h"
#include "status_checks.h"
#include "sweep.h"
#include "test.h"

static void scratch_enter(void) {
    assert_int_equal(chdir(test_folder), 0);
}

static void scratch_leave(void) {
    const int left = chdir("/");
    assert_int_equal(left, 0);
}

EACH_TEST(scratch_enter, scratch_leave);

/* Two launches of one kernel, of 30 and 10 µs, and one of another, of 60 µs. */
static const char table[] =
    "==PROF== Connected to process 1 (/usr/bin/bench)\n"
    "==PROF== Profiling \"lbp_fast\" - 0: 0%....50%....100% - 9 passes\n"
    "\"ID\",\"Kernel Name\",\"Grid Size\",\"gpu__time_duration.sum\","
    "\"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed\","
    "\"lts__throughput.avg.pct_of_peak_sustained_elapsed\","
    "\"sm__throughput.avg.pct_of_peak_sustained_elapsed\","
    "\"sm__warps_active.avg.pct_of_peak_sustained_active\",\"launch__registers_per_thread\","
    "\"sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active\","
    "\"sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_active\","
    "\"smsp__average_warps_issue_stalled_selected_per_issue_active.ratio\","
    "\"smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio\","
    "\"smsp__average_warps_issue_stalled_long_scoreboard_not_issued_per_issue_active.ratio\","
    "\"smsp__average_warps_issue_stalled_wait_per_issue_active.ratio\","
    "\"smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio\","
    "\"smsp__average_warps_issue_stalled_membar_per_issue_active.ratio\","
    "\"sm__pipe_lsu_cycles_active.avg.pct_of_peak_sustained_active\","
    "\"smsp__thread_inst_executed_pred_on_per_inst_executed.ratio\"\n"
    "\"\",\"\",\"\",\"ns\",\"%\",\"%\",\"%\",\"%\",\"register/thread\",\"%\",\"%\",\"\",\"\",\"\","
    "\"\",\"\",\"\",\"%\",\"\"\n"
    "\"0\",\"<unnamed>::lbp_fast(<unnamed>::Band, const uint8_t *, int)\",\"(64, 18, "
    "1)\",\"30,000\",\"80\",\"40\",\"20\",\"50\","
    "\"32\",\"10\",\"70\",\"1\",\"4\",\"3\",\"1\",\"2\",\"0\",\"60\",\"24\"\n"
    "\"1\",\"<unnamed>::lbp_fast(<unnamed>::Band, const uint8_t *, int)\",\"(64, 18, "
    "1)\",\"10,000\",\"40\",\"40\",\"20\",\"90\","
    "\"32\",\"30\",\"30\",\"1\",\"8\",\"3\",\"1\",\"2\",\"0\",\"34\",\"16\"\n"
    "\"2\",\"void sum<4>(int *)\",\"(1, 1, "
    "1)\",\"60,000\",\"10\",\"20\",\"n/a\",\"10\",\"168\",\"2\",\"1\","
    "\"1\",\"1\",\"3\",\"6\",\"2\",\"0\",\"1\",\"0.5632\"\n"
    "==PROF== Disconnected from process 1\n";

static Profile read_table(void) {
    Profile profile = {.rows = NULL};
    char *text = strdup(table);
    assert_ok(profile_add_ncu(&profile, "lbp/cuda_fast/texture/1080p", "GPU, new", text));
    free(text);
    return profile;
}

static void near(double got, double want) {
    assert_true(fabs(got - want) < 1e-9 * fabs(want) + 1e-15);
}

TEST(launches_are_added_by_kernel, NULL) {
    RELEASED_BY(profile_release) Profile profile = read_table();
    assert_int_equal(profile.count, 3);
    const ProfileRow *cell = &profile.rows[0], *fast = &profile.rows[1], *sum = &profile.rows[2];
    assert_true(profile_row_is_cell(cell));
    assert_string_equal(cell->cell, "lbp/cuda_fast/texture/1080p");
    near(cell->launches, 3);
    near(cell->seconds, 100e-6);
    near(cell->dram, (80 * 30 + 40 * 10 + 10 * 60) / 100.0);
    near(cell->l2, (40 * 30 + 40 * 10 + 20 * 60) / 100.0);
    near(cell->registers, 168);
    assert_true(isnan(cell->l1)); /* no such metric */
    assert_string_equal(fast->kernel, "lbp_fast");
    near(fast->launches, 2);
    near(fast->seconds, 40e-6);
    near(fast->dram, (80 * 30 + 40 * 10) / 40.0);
    near(fast->occupancy, (50 * 30 + 90 * 10) / 40.0);
    near(fast->control_flow, (24 * 30 + 16 * 10) / 40.0 / 0.32);
    near(sum->control_flow, 1.76);
    assert_string_equal(fast->pipe, "lsu");
    near(fast->pipe_used, (70 * 30 + 34 * 10) / 40.0); /* of two metrics the larger */
    assert_string_equal(sum->kernel, "sum<4>");
    assert_true(isnan(sum->compute)); /* n/a */
}

/* The most frequent first; a warp that is selected does not wait, nor does one that never does. */
TEST(reasons_to_wait_are_in_order, NULL) {
    RELEASED_BY(profile_release) Profile profile = read_table();
    const ProfileRow *fast = &profile.rows[1], *sum = &profile.rows[2];
    assert_string_equal(fast->stalls[0], "long scoreboard");
    near(fast->stalled[0], (4 * 30 + 8 * 10) / 40.0);
    assert_string_equal(fast->stalls[1], "barrier");
    assert_string_equal(fast->stalls[2], "wait");
    assert_string_equal(sum->stalls[0], "wait");
    near(sum->stalled[0], 6);
    char text[PROFILE_TEXT_SIZE];
    profile_field(fast, profile_column_count - 1, text);
    assert_string_equal(text, "long scoreboard 5.0, barrier 2.0, wait 1.0");
}

/* Hundreds of characters of template arguments would push all numbers off the screen. */
TEST(names_of_library_kernels_are_cut, NULL) {
    static const struct {
        const char *kernel, *shown;
    } cases[] = {
        {"sum<4>", "  sum<4>"},
        {"cub::Sort<cub::policy_hub<unsigned long, cub::NullType>::Policy1000, 0>",
         "  cub::Sort<…>"},
        {"a_kernel_without_arguments_whose_own_name_is_longer_than_that_is",
         "  a_kernel_without_arguments_whose_own_name_is_longer_than_that_is"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ProfileRow row = {.launches = 1};
        char text[PROFILE_TEXT_SIZE];
        strcpy(row.kernel, cases[i].kernel);
        profile_field(&row, 0, text);
        assert_string_equal(text, cases[i].shown);
    }
}

TEST(what_changed_is_said, NULL) {
    RELEASED_BY(profile_release) Profile profile = read_table();
    char text[PROFILE_TEXT_SIZE];
    profile_change(&profile.rows[2], &profile.rows[1], 2, text); /* 60 to 40 µs */
    assert_string_equal(text, "1.50× faster");
    profile_change(&profile.rows[2], &profile.rows[1], 3, text); /* 10% to 70% */
    assert_string_equal(text, "+60 points");
    profile_change(&profile.rows[2], &profile.rows[1], 9, text); /* 168 to 32 registers */
    assert_string_equal(text, "-136");
    profile_change(&profile.rows[2], &profile.rows[1], 5, text); /* not known */
    assert_string_equal(text, "");
}

TEST(a_table_without_launches_is_no_profile, NULL) {
    static const struct {
        const char *text;
        StatusCode code;
    } cases[] = {
        {"", STATUS_SKIP},
        {"==WARNING== No kernels were profiled.\n", STATUS_SKIP},
        {"\"ID\",\"Kernel Name\"\n\"\",\"\"\n\"0\",\"k\"\n", STATUS_FAIL},
        {"\"Kernel Name\",\"gpu__time_duration.sum\"\n", STATUS_FAIL},
        {"\"Kernel Name\",\"gpu__time_duration.sum\"\n\"\",\"parsec\"\n\"k\",\"1\"\n", STATUS_FAIL},
        {"\"Kernel Name\",\"gpu__time_duration.sum\"\n\"\",\"ns\"\n", STATUS_SKIP},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        RELEASED_BY(profile_release) Profile profile = {.rows = NULL};
        char *text = strdup(cases[i].text);
        assert_int_equal(profile_add_ncu(&profile, "cell", "", text).code, cases[i].code);
        assert_int_equal(profile.count, 0);
        free(text);
    }
}

TEST(where_it_cannot_be_stored_is_said) {
    RELEASED_BY(profile_release) Profile profile = read_table();
    assert_status(profile_write("nowhere/profile.csv", &profile), STATUS_FILE,
                  "nowhere/profile.csv");
}

TEST(it_is_stored_and_read) {
    Profile profile = read_table(), again;
    assert_ok(profile_write("profile.csv", &profile));
    assert_ok(profile_read("profile.csv", &again));
    assert_int_equal(again.count, profile.count);
    for (size_t i = 0; i < profile.count; i++) {
        for (size_t column = 0; column < profile_column_count; column++) {
            char before[PROFILE_TEXT_SIZE], after[PROFILE_TEXT_SIZE];
            profile_field(&profile.rows[i], column, before);
            profile_field(&again.rows[i], column, after);
            assert_string_equal(after, before);
        }
        assert_string_equal(again.rows[i].device, "GPU, new");
    }
    profile_release(&again);
    profile_release(&profile);
    char *text = test_read("profile.csv");
    assert_says(text, ",control_flow_pct,algorithm,variant,part,kernels,device\n");
    assert_says(text, ",lbp,cuda_fast,cell,3,\"GPU, new\"\n");
    assert_says(text, ",1.76,lbp,cuda_fast,kernel,1,\"GPU, new\"\n");
    FILE *stream = fopen("other.csv", "w");
    fputs("a,b\n1,2\n", stream);
    fclose(stream);
    assert_int_equal(profile_read("other.csv", &again).code, STATUS_FILE);
}

/* Cells that are profiled again are replaced. */
TEST(other_cells_stay) {
    RELEASED_BY(profile_release) Profile now = read_table();
    RELEASED_BY(profile_release) Profile before = read_table();
    for (size_t i = 1; i < before.count; i++) {
        snprintf(before.rows[i].cell, sizeof before.rows[i].cell, "lbp/cuda_tiled");
    }
    assert_ok(profile_keep(&now, &before));
    assert_int_equal(now.count, 5);
    assert_string_equal(now.rows[4].cell, "lbp/cuda_tiled");
}

/* === The profiler ============================================================================= */

/* A program called ncu in PATH, which notes its arguments in called.txt. */
static void make_profiler(const char *body) {
    char path[4096];
    FILE *stream = fopen("ncu", "w");
    assert_non_null(stream);
    fprintf(stream, "#!/bin/sh\nprintf '%%s\\n' \"$@\" >called.txt\n%s\n", body);
    fclose(stream);
    assert_int_equal(chmod("ncu", 0700), 0);
    assert_non_null(getcwd(path, sizeof path));
    assert_int_equal(setenv("PATH", path, 1), 0);
}

static Status profile_with(Profile *profile, bool *hopeless) {
    char *given[] = {"--algo", "lbp"};
    RunOptions options;
    assert_ok(options_parse(&command_profile, 2, given, &options));
    *profile = (Profile){.rows = NULL};
    *hopeless = false;
    return profiler_run(&options, 4, "cell", "", profile, hopeless);
}

TEST(the_profiler_gets_the_cell) {
    Profile profile;
    bool hopeless;
    FILE *stream = fopen("table.txt", "w");
    fputs(table, stream);
    fclose(stream);
    make_profiler("while IFS= read -r line; do printf '%s\\n' \"$line\"; done <table.txt");
    assert_ok(profile_with(&profile, &hopeless));
    assert_int_equal(profile.count, 3);
    profile_release(&profile);
    char *called = test_read("called.txt");
    assert_says(called, "--nvtx-include\nbench/\n");
    assert_says(called, "\nprofile\n--algo\nlbp\n--inside\n5\n");
}

TEST(what_stops_it_is_said) {
    Profile profile;
    bool hopeless;
    make_profiler("echo '==ERROR== ERR_NVGPUCTRPERM - The user does not have permission'; exit 1");
    assert_status(profile_with(&profile, &hopeless), STATUS_SKIP,
                  "NVreg_RestrictProfilingToAdminUsers=0");
    assert_true(hopeless);
    make_profiler("echo '==ERROR== Unknown section' >&2; exit 1");
    assert_status(profile_with(&profile, &hopeless), STATUS_FAIL, "Unknown section");
    assert_false(hopeless);
    make_profiler("exit 9");
    Status status = profile_with(&profile, &hopeless);
    assert_int_equal(status.code, STATUS_FAIL);
    assert_int_equal(unlink("ncu"), 0);
    assert_status(profile_with(&profile, &hopeless), STATUS_SKIP, "has to be in PATH");
    assert_true(hopeless);
}
