/* `bench profile` from outside, without a GPU: what it refuses, and a profile in a report. */
#include "program.h"
#include "test.h"

EACH_TEST(folder_enter, folder_leave);

#define RUN "--algo lbp --sizes 64x64 --variants seq --reps 3 --no-plot --no-roof --quiet --out run"

TEST(what_cannot_be_profiled_is_said) {
    check_refused(bench("profile --quiet"), 2, "--algo is needed");
    check_refused(bench("profile --quiet --algo lbp --variants seq"), 6, "name variants of cuda");
    check_refused(bench("profile nowhere --quiet --algo lbp"), 5,
                  "nowhere: No such file or directory; 'bench runs' lists");
    check_refused(bench("profile --quiet --algo lbp --reps 3"), 2, "--reps");
    check_refused(bench("profile --quiet --algo lbp --csv /nowhere/profile.csv"), 5, "/nowhere");
}

/* Inside the profiler it runs one cell, and prints nothing. */
TEST(inside_one_cell_is_run) {
    Outcome outcome = bench_ok("profile --algo lbp --variants seq,simd --sizes 64x64 --inside 2");
    assert_string_equal(outcome.out, "");
    check_refused(bench("profile --algo lbp --variants seq --sizes 64x64 --inside 9"), 2,
                  "there are 1 cells");
    /* Without --variants those of the GPU, but not CUB. */
    check_refused(bench("profile --algo integral --sizes 64x64 --tile 8 --inside 99"), 2,
                  "there are 7 cells");
}

TEST(a_profile_stands_in_the_report) {
    bench_ok(RUN);
    check_ends(bench("report run"), 0);
    char *page = read_text("run/report.html");
    assert_null(strstr(page, "counters say"));
    static const char profile[] =
        "cell,kernel,launches,kernel_s,dram_pct,l2_pct,l1_pct,compute_pct,occupancy_pct,registers,"
        "pipe,pipe_pct,stall_1,stall_1_cycles,stall_2,stall_2_cycles,stall_3,stall_3_cycles\n"
        "lbp/cuda_fast/texture/64x64,,1,2.5e-06,31.4,20,,12,48,40,alu,33,wait,2.25,,,,\n"
        "lbp/cuda_fast/texture/"
        "64x64,\"k<b>\x1b[31m\",1,2.5e-06,31.4,20,,12,48,40,alu,33,wait,2.25,,,,\n";
    write_file("run/profile.csv", profile, sizeof profile - 1);
    bench_ok("report run");
    page = read_text("run/report.html");
    check_contains(page, "What the GPU&#39;s counters say");
    check_contains(page, "alu 33%");
    check_contains(page, "wait 2.2");
    assert_null(strstr(page, "k<b>"));
    assert_null(strchr(page, '\x1b'));
    write_file("run/profile.csv", "x\n", 2);
    check_refused(bench("report run"), 5, "this is no profile");
}
