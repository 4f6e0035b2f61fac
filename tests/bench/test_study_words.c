/* What is said about a table: every number in the sentences here was computed by hand. */
#include "bench/words_check.h"

static const char size_rows[] = "a,360p,,1,ok,,,,,1,\nb,360p,,1,ok,,,,,2,\n"
                                "a,720p,,1,ok,,,,,5,\nb,720p,,1,ok,,,,,2.5,\n"
                                "a,4K,,1,ok,,,,,40,\nb,4K,,1,ok,,,,,10,\n";

static void columns_meet_at_sizes(void **state) {
    (void)state;
    check_words(
        "table t Times\n from main\n row small size=360p\n row HD size=720p\n row 4K size=4K\n"
        "column A ms kernel_ms_mean variant=a\ncolumn B us kernel_ms_mean variant=b\n"
        "column Ratio x ratio A B\n",
        "t,small,A,10,ms,m,T\nt,HD,A,20,ms,m,T\nt,4K,A,40,ms,m,T\n"
        "t,small,B,5000,us,m,T\nt,HD,B,8000,us,m,T\nt,4K,B,10000,us,m,T\n"
        "t,small,Ratio,2.0,x,m,T\nt,HD,Ratio,2.5,x,m,T\nt,4K,Ratio,4,x,m,T\n",
        size_rows,
        WORDS(
            "B is the fastest at 2 of 3 sizes (HD and 4K), A at 1 (small). The fastest is 2 to 4 "
            "times as fast as the second. In the paper B is the fastest at all 3 sizes, 2 to 4 "
            "times as fast as A.",
            /* Halfway between 172800 and 921600 pixels on a logarithmic axis: 399064. */
            "B is faster than A from 399 kpixel on. In the paper neither of the two overtakes "
            "the other in this range (173 kpixel to 8.29 Mpixel).",
            "Ratio: as the paper's, ours rises at every step.",
            "All 3 pairs of rows, by Ratio, stand in the same order as in the paper.",
            "A: the paper's are 1 (4K) to 10 (small) times ours. B: the paper's are 1 (4K) to 3.2 "
            "(HD) times ours. Ratio: ours are 0.25 (small) to 1 (4K) times the paper's."));
}

static void rows_meet_at_sizes(void **state) {
    (void)state;
    check_words(
        "table t Times\n from main\n extra\n row A variant=a\n row B variant=b\n"
        "column small ms kernel_ms_mean size=360p\ncolumn HD ms kernel_ms_mean size=720p\n"
        "column 4K ms kernel_ms_mean size=4K\n",
        NULL, size_rows,
        WORDS("B is the fastest at 2 of 3 sizes (HD and 4K), A at 1 (small). The fastest is "
              "2 to 4 times as fast as the second.",
              "B is faster than A from 399 kpixel on."));
}

static void one_column_can_hold_both(void **state) {
    (void)state;
    check_words("table t Times\n from main\n extra\n"
                " row \"{variant} {size}\" variant=a,b size=360p,720p\n"
                "column Time ms kernel_ms_mean\n",
                NULL, size_rows,
                WORDS("a is the fastest at 1 of 2 sizes (360p), b at 1 (720p). The fastest is 2 "
                      "times as fast as the second.",
                      "b is faster than a from 399 kpixel on."));
}

static const char thread_table[] =
    "table t Threads\n from main\n where size=360p\n row Sequential variant=seq\n"
    " row \"{threads} threads\" variant=omp threads=2,4,8\n"
    "column Time ms kernel_ms_mean\ncolumn Speedup x base Sequential Time\n";

static void rows_of_one_work_meet(void **state) {
    (void)state;
    check_words(
        thread_table,
        "t,Sequential,Time,30.0,ms,m,T\nt,2 threads,Time,15.0,ms,m,T\n"
        "t,4 threads,Time,12.0,ms,m,T\nt,8 threads,Time,10.0,ms,m,T\n"
        "t,2 threads,Speedup,2.0,x,m,T\nt,4 threads,Speedup,2.5,x,m,T\n"
        "t,8 threads,Speedup,3.0,x,m,T\n",
        "seq,360p,,1,ok,,,,,12,\nomp,360p,,2,ok,,,,,6,\nomp,360p,,4,ok,,,,,3,\n"
        "omp,360p,,8,ok,,,,,4,\n",
        WORDS(
            "4 threads is the fastest with 3 ms, 1.33 times as fast as 8 threads, 4 times as fast "
            "as Sequential. In the paper 8 threads is the fastest with 10.0 ms, 1.2 times as fast "
            "as 4 threads, 3 times as fast as Sequential.",
            "Time: the paper's falls at every step; ours falls to 4 threads and rises after.",
            "Of 6 pairs of rows, by Time, 5 stand in the same order as in the paper.",
            "Time: the paper's are 2.5 (Sequential) to 4 (4 threads) times ours. Speedup: ours are "
            "1 (2 threads) to 1.6 (4 threads) times the paper's."));
}

static void the_paper_is_held_against_itself(void **state) {
    (void)state;
    /* 19.73/0.106 is 186.1; 10/0.5 is 20; 29.99/10.00 is 2.999, of which 2.9 is cut off. */
    check_words("table t Paper\n from main\n row NTSC size=480p\n row even size=720p\n"
                " row cut size=4K\n"
                "column A ms kernel_ms_mean variant=a\ncolumn B ms kernel_ms_mean variant=b\n"
                "column Ratio x ratio A B\n",
                "t,NTSC,A,19.73,ms,m,T\nt,NTSC,B,0.106,ms,m,T\nt,NTSC,Ratio,197.3,x,m,T\n"
                "t,even,A,10.0,ms,m,T\nt,even,B,0.5,ms,m,T\nt,even,Ratio,20,x,m,T\n"
                "t,cut,A,29.99,ms,m,T\nt,cut,B,10.00,ms,m,T\nt,cut,Ratio,2.9,x,m,T\n",
                "",
                WORDS("In the paper B is the fastest at all 3 sizes, 3 to 186 times as fast as A.",
                      "In the paper neither of the two overtakes the other in this range (307 "
                      "kpixel to 8.29 Mpixel).",
                      "Ratio: the paper's own numbers give 186.1 for NTSC (it prints 197.3).",
                      "No cell has a measured number: the step left no records."));
}

static void misprints_are_told(void **state) {
    (void)state;
    /* 7412.8/6264.20 is 1.18; 7412.8/2.88 is 2574; 7412.8/2005.60 is 3.696, printed 3.69. */
    check_words(
        thread_table,
        "t,Sequential,Time,7412.8,ms,m,T\nt,2 threads,Time,6264.20,ms,m,T\n"
        "t,2 threads,Speedup,2.88,x,m,T\nt,4 threads,Time,2005.60,ms,m,T\n"
        "t,4 threads,Speedup,3.69,x,m,T\n",
        "omp,360p,,4,ok,,,,,2,\n",
        WORDS("In the paper 4 threads is the fastest with 2005.60 ms, 3.12 times as fast as "
              "2 threads, 3.7 times as fast as Sequential.",
              "Time: the paper's is 1000 times ours (4 threads).",
              "For 2 threads the paper prints 6264.20 ms and a ratio of 2.88 to Sequential, "
              "with which it would be 2570 ms: one of the two is a misprint.",
              "7 of 8 cells have no measured number: no record has variant=seq (5); no record has "
              "threads=2 (1); no record has threads=8 (1)."));
}

static void what_is_missing_is_counted_by_reason(void **state) {
    (void)state;
    check_words("table t Missing\n from main\n extra\n where size=360p\n row a variant=a\n"
                " row b variant=b\n row c variant=c\n row d variant=d\n"
                "column Time ms kernel_ms_mean\n",
                NULL,
                "a,360p,,1,ok,,,,,2,\nb,360p,,1,ok,,,,,3,\nc,360p,,0,skip,no CUDA device.,,,,,\n",
                WORDS("Of those measured here, a is the fastest with 2 ms, 1.5 times as fast as b.",
                      "2 of 4 cells have no measured number: no CUDA device (1); no record has "
                      "variant=d (1)."));
    check_words("table t Missing\n from main\n extra\n where size=360p\n row a variant=a\n"
                " row c variant=c\ncolumn Time ms kernel_ms_mean\n",
                NULL, "a,360p,,1,ok,,,,,2,\nc,360p,,0,skip,no CUDA device.,,,,,\n",
                WORDS("1 of 2 cells has no measured number: no CUDA device."));
}

static void a_single_number_has_little_to_say(void **state) {
    (void)state;
    check_words("table t One\n from main\n row only size=360p\ncolumn Time ms kernel_ms_mean\n",
                "t,only,Time,10,ms,m,T\n", "a,360p,,1,ok,,,,,5,\n",
                WORDS("Time: the paper's is 2 times ours (only)."));
    check_words("table t One\n from main\n extra\n row only size=360p\n"
                "column Time ms kernel_ms_mean\n",
                NULL, "a,360p,,1,ok,,,,,5,\n", WORDS());
}

static void equal_times_have_no_winner(void **state) {
    (void)state;
    const char *rows = "a,360p,,1,ok,,,,,3,\nb,360p,,1,ok,,,,,3,\n"
                       "a,720p,,1,ok,,,,,6,\nb,720p,,1,ok,,,,,6,\nb,4K,,1,ok,,,,,8,\n"
                       "a,4K,,1,ok,,,,,9,\n";
    check_words("table t Tie\n from main\n extra\n where size=360p\n row a variant=a\n"
                " row b variant=b\ncolumn Time ms kernel_ms_mean\n",
                NULL, rows, WORDS("a and b are equally fast with 3 ms."));
    check_words("table t Tie\n from main\n extra\n row {size} size=360p,720p\n"
                "column a ms kernel_ms_mean variant=a\ncolumn b ms kernel_ms_mean variant=b\n",
                NULL, rows,
                WORDS("The two fastest are equal at both sizes.",
                      "Neither of the two overtakes the other in this range (173 kpixel to 922 "
                      "kpixel)."));
    check_words("table t Tie\n from main\n extra\n row {size} size=360p,720p,4K\n"
                "column a ms kernel_ms_mean variant=a\ncolumn c us kernel_ms_mean variant=b\n",
                NULL, rows,
                WORDS("c is the fastest at 1 of 3 sizes (4K); at 2 the two fastest are equal (360p "
                      "and 720p). The fastest is 1 to 1.12 times as fast as the second.",
                      "c is faster than a from 922 kpixel on."));
}

/* Numbers of what is counted are of another input here, and of one run: another one's may differ.
 */
static void counts_are_not_divided_by_the_papers(void **state) {
    (void)state;
    check_words(
        "table t Counts\n from main\n row a variant=a\n row b variant=b\n"
        " row c variant=c\ncolumn Found - threads\n",
        "t,a,Found,30,-,m,T\nt,b,Found,20,-,m,T\nt,c,Found,10,-,m,T\n",
        "a,360p,,3,ok,,,,,,\nb,360p,,2,ok,,,,,,\nc,360p,,4,ok,,,,,,\n",
        WORDS("None of 3 pairs of rows, by Found, is told apart: each number is of a single "
              "run, without an interval."));
}

/* Of four, two that overtake each other now and then are not worth a sentence; of two they are. */
static void many_contestants_have_few_crossovers(void **state) {
    (void)state;
    static const char rows[] = "a,360p,,1,ok,,,,,9,\nb,360p,,1,ok,,,,,8,\n"
                               "a,720p,,1,ok,,,,,18,\nb,720p,,1,ok,,,,,20,\n"
                               "a,4K,,1,ok,,,,,90,\nb,4K,,1,ok,,,,,80,\n"
                               "c,360p,,1,ok,,,,,1,\nc,720p,,1,ok,,,,,2,\nc,4K,,1,ok,,,,,3,\n"
                               "d,360p,,1,ok,,,,,4,\nd,720p,,1,ok,,,,,4,\nd,4K,,1,ok,,,,,6,\n";
    check_words("table t Many\n from main\n extra\n row {size} size=360p,720p,4K\n"
                "column A ms kernel_ms_mean variant=a\ncolumn B ms kernel_ms_mean variant=b\n"
                "column C ms kernel_ms_mean variant=c\ncolumn D ms kernel_ms_mean variant=d\n",
                NULL, rows,
                WORDS("C is the fastest at all 3 sizes, 2 to 4 times as fast as D, 9 to 30 times "
                      "as fast as the slowest."));
}

static void kinds_of_time_are_cases(void **state) {
    (void)state;
    check_words("table t Kinds\n from main\n extra\n where size=360p\n row \"a, first\" variant=a\n"
                " row b variant=b\n"
                "column Kernel ms kernel_ms_mean\ncolumn Whole ms end_to_end_ms\n",
                NULL, "a,360p,,1,ok,,,,,1,10\nb,360p,,1,ok,,,,,2,8\n",
                WORDS("“a, first” is the fastest in 1 of 2 cases (Kernel), b in 1 (Whole). The "
                      "fastest is 1.25 to 2 times as fast as the second."));
}

static void other_axes_are_told_by_their_key(void **state) {
    (void)state;
    /* Halfway between 4 and 16 on a logarithmic axis: 8. */
    check_words("table t Boxes\n from main\n extra\n where size=360p\n row {box} box=4,16\n"
                "column A ms kernel_ms_mean variant=a\ncolumn B ms kernel_ms_mean variant=b\n",
                NULL,
                "a,360p,box:4,1,ok,,,,,1,\nb,360p,box:4,1,ok,,,,,2,\n"
                "a,360p,box:16,1,ok,,,,,4,\nb,360p,box:16,1,ok,,,,,2,\n",
                WORDS("A is the fastest in 1 of 2 cases (box 4), B in 1 (box 16). The fastest is 2 "
                      "times as fast as the second.",
                      "By box: B is faster than A from 8 on."));
}

static void each_other_work_has_its_crossover(void **state) {
    (void)state;
    /* Conditions in any order, sizes from large to small. Ratios 2 at 4K and 1/2 at 360p cross at
     * the root of 8294400 times 172800: 1197189. */
    check_words(
        "table t Works\n from main\n extra\n"
        " row \"a {size} {box}\" variant=a size=4K,360p box=4,16\n"
        " row \"b {size} {box}\" box=4,16 variant=b size=4K,360p\n"
        "column Time ms kernel_ms_mean\n",
        NULL,
        "a,360p,box:4,1,ok,,,,,1,\nb,360p,box:4,1,ok,,,,,2,\n"
        "a,4K,box:4,1,ok,,,,,4,\nb,4K,box:4,1,ok,,,,,2,\n"
        "a,360p,box:16,1,ok,,,,,4,\nb,360p,box:16,1,ok,,,,,2,\n"
        "a,4K,box:16,1,ok,,,,,8,\nb,4K,box:16,1,ok,,,,,2,\n",
        WORDS("b is the fastest in 3 of 4 cases (“box 4, 4K”, “box 16, 4K” and “box 16, "
              "360p”), a in 1 (“box 4, 360p”). The fastest is 2 to 4 times as fast as the "
              "second.",
              "For box=4: b is faster than a from 1.20 Mpixel on.",
              "For box=16: neither of the two overtakes the other in this range (173 kpixel "
              "to 8.29 Mpixel)."));
}

static void times_without_a_rival_are_no_case(void **state) {
    (void)state;
    check_words(
        "table t Rivals\n from main\n extra\n row small size=360p\n row HD size=720p\n"
        "column CPU ms kernel_ms_mean variant=a\n"
        "column GPU ms kernel_ms_mean variant=b\n"
        "column \"GPU and copies\" ms end_to_end_ms variant=b\n",
        NULL,
        "a,360p,,1,ok,,,,,1.004,\nb,360p,,0,ok,,,,,1,9\n"
        "a,720p,,1,ok,,,,,3,\nb,720p,,0,ok,,,,,2,9\n",
        WORDS("GPU is the fastest at both sizes, 1.004 to 1.5 times as fast as CPU. In 1 of "
              "these 2 the two fastest are within 10% of each other and have no intervals: "
              "their order may be chance.",
              "Neither of the two overtakes the other in this range (173 kpixel to 922 "
              "kpixel)."));
}

static void long_lists_are_not_written_out(void **state) {
    (void)state;
    check_words("table t Many\n from main\n extra\n"
                " row {size} size=360p,480p,720p,1080p,4K,8K,16K\n"
                "column a ms kernel_ms_mean variant=a\ncolumn b ms kernel_ms_mean variant=b\n",
                NULL,
                "a,360p,,1,ok,,,,,1,\na,480p,,1,ok,,,,,2,\na,720p,,1,ok,,,,,2,\n"
                "a,1080p,,1,ok,,,,,2,\na,4K,,1,ok,,,,,2,\na,8K,,1,ok,,,,,2,\n"
                "a,16K,,1,ok,,,,,2,\nb,360p,,1,ok,,,,,2,\nb,480p,,1,ok,,,,,1,\n"
                "b,720p,,1,ok,,,,,1,\nb,1080p,,1,ok,,,,,1,\nb,4K,,1,ok,,,,,1,\n"
                "b,8K,,1,ok,,,,,1,\nb,16K,,1,ok,,,,,1,\n",
                /* The root of 172800 times 307200 is 230400. */
                WORDS("b is the fastest at 6 of 7 sizes, a at 1 (360p). The fastest is 2 times as "
                      "fast as the second.",
                      "b is faster than a from 230 kpixel on."));
    char published[2048] = "t,base,Time,70,ms,m,T\n";
    for (int i = 1; i <= 7; i++) {
        char line[128];
        snprintf(line, sizeof line, "t,%d,Time,10.0,ms,m,T\nt,%d,Speedup,6.00,x,m,T\n", i, i);
        strcat(published, line);
    }
    check_words(
        "table t Many\n from main\n row base input=x\n row {images} images=1,2,3,4,5,6,7\n"
        "column Time ms kernel_ms_mean\ncolumn Speedup x base base Time\n",
        published, "",
        WORDS("Speedup: the paper's own numbers give 7.00 for 1 (it prints 6.00), 7.00 for 2 "
              "(it prints 6.00), 7.00 for 3 (it prints 6.00), 7.00 for 4 (it prints 6.00), "
              "7.00 for 5 (it prints 6.00), 7.00 for 6 (it prints 6.00) and so on, 7 in all.",
              "No cell has a measured number: the step left no records."));
}

static void a_row_beside_another_machine_counts_once(void **state) {
    (void)state;
    check_words(
        "table t Machines\n from main\n where size=360p\n row CPU variant=a\n"
        " row \"GPU, old\" variant=b\n row \"GPU, new\" variant=b\n"
        "column Time ms kernel_ms_mean\n",
        "t,CPU,Time,90,ms,m,T\nt,\"GPU, old\",Time,30,ms,m,T\n"
        "t,\"GPU, new\",Time,10,ms,n,T\n",
        "a,360p,,1,ok,,,,,6,\nb,360p,,1,ok,,,,,2,\n",
        WORDS("“GPU, old” is the fastest with 2 ms, 3 times as fast as CPU. In the paper "
              "“GPU, new” is the fastest with 10 ms, 3 times as fast as “GPU, old”, 9 times "
              "as fast as CPU.",
              "Time: the paper's are 5 (GPU, new) to 15 (CPU) times ours."));
}

static void shares_of_a_matrix_are_left_to_the_table(void **state) {
    (void)state;
    check_words("table t Matrix\n from main\n shaded\n row {size} size=360p,720p,4K\n"
                "column a - end_to_end_ms variant=a\n",
                "t,360p,a,5,-,m,T\nt,720p,a,1,-,m,T\nt,4K,a,2,-,m,T\n",
                "a,360p,,1,ok,,,,,,7\na,720p,,1,ok,,,,,,2\na,4K,,1,ok,,,,,,8\n", WORDS());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_meet_at_sizes),
        cmocka_unit_test(rows_meet_at_sizes),
        cmocka_unit_test(one_column_can_hold_both),
        cmocka_unit_test(rows_of_one_work_meet),
        cmocka_unit_test(the_paper_is_held_against_itself),
        cmocka_unit_test(misprints_are_told),
        cmocka_unit_test(what_is_missing_is_counted_by_reason),
        cmocka_unit_test(a_single_number_has_little_to_say),
        cmocka_unit_test(equal_times_have_no_winner),
        cmocka_unit_test(counts_are_not_divided_by_the_papers),
        cmocka_unit_test(many_contestants_have_few_crossovers),
        cmocka_unit_test(kinds_of_time_are_cases),
        cmocka_unit_test(other_axes_are_told_by_their_key),
        cmocka_unit_test(each_other_work_has_its_crossover),
        cmocka_unit_test(times_without_a_rival_are_no_case),
        cmocka_unit_test(long_lists_are_not_written_out),
        cmocka_unit_test(a_row_beside_another_machine_counts_once),
        cmocka_unit_test(shares_of_a_matrix_are_left_to_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
