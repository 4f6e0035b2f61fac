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
        WORDS(
            "4 threads is the fastest with 5 ms, 1.1 times as fast as 8 threads, 2 times as fast "
            "as 2 threads. The intervals of the two fastest overlap: their order may be chance. "
            "In the paper 8 threads is the fastest with 1 ms, 2 times as fast as 4 threads, 3 "
            "times as fast as 2 threads.",
            "Time: the paper's falls at every step; ours falls or stays level within its "
            "intervals.",
            "Of 3 pairs of rows, by Time, 2 stand in the same order as in the paper; 1 is not told "
            "apart: intervals overlap.",
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
              "Of 10 pairs of rows, by Time, 6 stand in the same order as in the paper; 2 are not "
              "told "
              "apart: intervals overlap.",
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

static const char four_rows[] = "table t Order\n from main\n where size=360p\n row a variant=a\n"
                                " row b variant=b\n row c variant=c\n row d variant=d\n";
static const char four_published[] = "t,a,Time,1,ms,m,T\nt,b,Time,4,ms,m,T\nt,c,Time,2,ms,m,T\n"
                                     "t,d,Time,3,ms,m,T\n";

/* The last paragraph but one, about order, of four rows with a column of times. */
static void check_order(const char *column, const char *rows, const char *order) {
    char study[1024];
    char records[1024];
    snprintf(study, sizeof study, "%s%scolumn Time ms %s\n", head, four_rows, column);
    snprintf(records, sizeof records, "%s%s", columns, rows);
    ScratchStudy scratch;
    scratch_study_open(&scratch, study, four_published, records);
    scratch_study_make(&scratch);
    Document document;
    document_open(&document, "words");
    study_words_add(&document, &scratch.result.tables[0]);
    check_ok(document_status(&document));
    assert_true(document.count >= 2);
    assert_string_equal(document.blocks[document.count - 2].text, order);
    document_release(&document);
    scratch_study_close(&scratch);
}

/* The paper has a c d b. Here a touches c, c is equal to d, b overlaps c and is before d against
 * the paper's order; a is before b and d beyond the intervals. */
static void pairs_within_intervals_have_no_order(void **state) {
    (void)state;
    check_order("kernel_ms_median",
                "a,360p,,1,ok,,2,1.9,2.5,,\nb,360p,,1,ok,,2.7,2.6,2.9,,\n"
                "c,360p,,1,ok,,4,2.5,5,,\nd,360p,,1,ok,,4,3,5,,\n",
                "Of 6 pairs of rows, by Time, 2 stand in the same order as in the paper; 3 are not "
                "told apart: intervals overlap.");
    check_order("kernel_ms_median",
                "a,360p,,1,ok,,2,1,9,,\nb,360p,,1,ok,,5,1,9,,\n"
                "c,360p,,1,ok,,3,1,9,,\nd,360p,,1,ok,,4,1,9,,\n",
                "None of 6 pairs of rows, by Time, is told apart: intervals overlap.");
}

/* Without intervals a and c are equal, d is 9% above c; 8.8 is 11% above 7.9. */
static void ties_have_no_order(void **state) {
    (void)state;
    check_order("end_to_end_ms",
                "a,360p,,1,ok,,,,,,7.9\nb,360p,,1,ok,,,,,,20\n"
                "c,360p,,1,ok,,,,,,7.9\nd,360p,,1,ok,,,,,,8.6\n",
                "Of 6 pairs of rows, by Time, 3 stand in the same order as in the paper; 3 are not "
                "told apart: numbers without intervals are within 10% of each other.");
    check_order("end_to_end_ms",
                "a,360p,,1,ok,,,,,,7.9\nb,360p,,1,ok,,,,,,20\n"
                "c,360p,,1,ok,,,,,,7.9\nd,360p,,1,ok,,,,,,8.8\n",
                "Of 6 pairs of rows, by Time, 5 stand in the same order as in the paper; 1 is not "
                "told apart: numbers without intervals are within 10% of each other.");
}

/* Rows that show one and the same measurement are no pair: of six, five are left. */
static void one_measurement_is_no_pair(void **state) {
    (void)state;
    check_words(
        "table t Same\n from main\n where size=360p\n row a variant=a\n"
        " row again variant=a\n row b variant=b\n row c variant=c\n"
        "column Found - threads\n",
        "t,a,Found,1,-,m,T\nt,again,Found,2,-,m,T\nt,b,Found,3,-,m,T\nt,c,Found,4,-,m,T\n",
        "a,360p,,1,ok,,,,,,\nb,360p,,2,ok,,,,,,\nc,360p,,3,ok,,,,,,\n",
        WORDS("None of 5 pairs of rows, by Found, is told apart: each number is of a single "
              "run, without an interval."));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overlapping_intervals_are_told),
        cmocka_unit_test(steps_within_intervals_are_level),
        cmocka_unit_test(turns_are_told_beyond_intervals),
        cmocka_unit_test(close_times_without_intervals_may_be_chance),
        cmocka_unit_test(pairs_within_intervals_have_no_order),
        cmocka_unit_test(ties_have_no_order),
        cmocka_unit_test(one_measurement_is_no_pair),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
