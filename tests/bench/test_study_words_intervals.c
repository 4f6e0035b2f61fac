/* What is said about a table given the intervals of its times: who wins, and how they go. Every
 * number in the sentences here was computed by hand. */
#include "bench/words_check.h"

static void overlapping_intervals_are_told(void **state) {
    (void)state;
    check_words("table t Chance\n from main\n extra\n where size=360p\n row a variant=a\n"
                " row b variant=b\n row c variant=c\ncolumn Time ms kernel_ms_median\n",
                NULL, "a,360p,,1,ok,,4,3,5,,\nb,360p,,1,ok,,5,4.5,6,,\nc,360p,,1,ok,,8,7,9,,\n",
                WORDS("a is the fastest with 4 ms, 1.25 times as fast as b, 2 times as fast as c. "
                      "The intervals of the two fastest overlap: their order may be chance."));
}

static void steps_within_intervals_are_level(void **state) {
    (void)state;
    check_words(
        "table t Level\n from main\n where size=360p\n"
        " row \"{threads} threads\" variant=omp threads=2,4,8\n"
        "column Time ms kernel_ms_median\n",
        "t,2 threads,Time,3,ms,m,T\nt,4 threads,Time,2,ms,m,T\nt,8 threads,Time,1,ms,m,T\n",
        "omp,360p,,2,ok,,10,9,11,,\nomp,360p,,4,ok,,5,4,6,,\nomp,360p,,8,ok,,5.5,5,6,,\n",
        WORDS("4 threads is the fastest with 5 ms, 1.1 times as fast as 8 threads, 2 times as fast "
              "as 2 threads. The intervals of the two fastest overlap: their order may be chance. "
              "In the paper 8 threads is the fastest with 1 ms, 2 times as fast as 4 threads, 3 "
              "times as fast as 2 threads.",
              "Time: the paper's falls at every step; ours falls or stays level within its "
              "intervals.",
              "Of 3 pairs of rows, by Time, 2 stand in the same order as in the paper.",
              "Time: the paper's are 0.182 (8 threads) to 0.4 (4 threads) times ours."));
}

/* 5 is above 3 beyond the intervals; 2.8 is below 3 within them, but below 5 beyond: a second turn,
 * and the least is there, not at the first turn. */
static void turns_are_told_beyond_intervals(void **state) {
    (void)state;
    check_words(
        "table t Turns\n from main\n where size=360p\n"
        " row \"{threads} threads\" variant=omp threads=2,4,8,16,32\n"
        "column Time ms kernel_ms_median\n",
        "t,2 threads,Time,5,ms,m,T\nt,4 threads,Time,4,ms,m,T\nt,8 threads,Time,3,ms,m,T\n"
        "t,16 threads,Time,2,ms,m,T\nt,32 threads,Time,1,ms,m,T\n",
        "omp,360p,,2,ok,,6,5.8,6.2,,\nomp,360p,,4,ok,,3,2.7,3.3,,\nomp,360p,,8,ok,,5,4.5,5.5,,\n"
        "omp,360p,,16,ok,,4.2,3.4,5,,\nomp,360p,,32,ok,,2.8,2.6,3,,\n",
        WORDS("32 threads is the fastest with 2.8 ms, 1.07 times as fast as 4 threads, 2.14 times "
              "as fast as 2 threads. The intervals of the two fastest overlap: their order may be "
              "chance. In the paper 32 threads is the fastest with 1 ms, 2 times as fast as 16 "
              "threads, 5 times as fast as 2 threads.",
              "Time: the paper's falls at every step; ours turns 2 times, with its least at 32 "
              "threads.",
              "Of 10 pairs of rows, by Time, 8 stand in the same order as in the paper.",
              "Time: the paper's are 0.357 (32 threads) to 1.33 (4 threads) times ours."));
}

/* A small lead without intervals proves nothing; one of half as much again does. */
static void close_times_without_intervals_may_be_chance(void **state) {
    (void)state;
    static const char table[] =
        "table t Close\n from main\n extra\n where size=360p\n"
        " row a variant=a\n row b variant=b\ncolumn Time ms end_to_end_ms\n";
    check_words(
        table, NULL, "a,360p,,1,ok,,,,,,10\nb,360p,,1,ok,,,,,,10.9\n",
        WORDS("a is the fastest with 10 ms, 1.09 times as fast as b. The two fastest are "
              "within 10% of each other and have no intervals: their order may be chance."));
    check_words(table, NULL, "a,360p,,1,ok,,,,,,10\nb,360p,,1,ok,,,,,,15\n",
                WORDS("a is the fastest with 10 ms, 1.5 times as fast as b."));
    check_words("table t Close\n from main\n extra\n row {size} size=360p,720p\n"
                "column A ms end_to_end_ms variant=a\ncolumn B ms end_to_end_ms variant=b\n",
                NULL,
                "a,360p,,1,ok,,,,,,10\nb,360p,,1,ok,,,,,,10.5\n"
                "a,720p,,1,ok,,,,,,20\nb,720p,,1,ok,,,,,,21\n",
                WORDS("A is the fastest at both sizes, 1.05 times as fast as B. In both the two "
                      "fastest are within 10% of each other and have no intervals: their order may "
                      "be chance.",
                      "Neither of the two overtakes the other in this range (173 kpixel to 922 "
                      "kpixel)."));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overlapping_intervals_are_told),
        cmocka_unit_test(steps_within_intervals_are_level),
        cmocka_unit_test(turns_are_told_beyond_intervals),
        cmocka_unit_test(close_times_without_intervals_may_be_chance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
