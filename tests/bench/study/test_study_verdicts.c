/* What is claimed about a table, here and in the paper: every number was computed by hand. */
#include "document.h"
#include "scratch_study.h"
#include "study_internal.h"
#include "test.h"

static const char head[] = "study test\ntitle Test\n\nstep main run\n  --algo lbp\n\n";
static const char columns[] = "variant,size,answer,threads,status,why,kernel_ms_median,"
                              "kernel_ms_ci_low,kernel_ms_ci_high,kernel_ms_mean,end_to_end_ms\n";

static void check_text(const char *what, const char *label, const char *actual,
                       const char *expected) {
    if (expected != NULL && !same_texts(actual, expected)) {
        fail_msg("%s, %s: \"%s\", not \"%s\"", label, what, actual, expected);
    }
}

/* Texts are compared where they are given, numbers to half a hundredth of them. */
static void check_side(const char *label, const VerdictSide *actual, const VerdictSide *expected) {
    check_text("text", label, actual->text, expected->text);
    check_text("name", label, actual->name, expected->name);
    if (actual->count != expected->count || actual->of != expected->of ||
        actual->open != expected->open) {
        fail_msg("%s: %zu of %zu, %zu open, not %zu of %zu, %zu open", label, actual->count,
                 actual->of, actual->open, expected->count, expected->of, expected->open);
    }
    const double low = fabs(actual->low - expected->low);
    const double high = fabs(actual->high - expected->high);
    if (expected->low != 0 && !(low <= 0.005 * expected->low && high <= 0.005 * expected->high)) {
        fail_msg("%s: %g to %g, not %g to %g", label, actual->low, actual->high, expected->low,
                 expected->high);
    }
}

/* A VerdictRow as a test has it. */
typedef struct ExpectedRow {
    const StudyTable *table;
    Claim claim;
    const char *label;
    VerdictSide here, paper;
    Agreement agreement;
} ExpectedRow;

/* The claims about the first table, of one kind, or all of them (`only` below 0). */
static void check_records(const char *table, const char *published, const char *records, int only,
                          const ExpectedRow *expected, size_t count) {
    char study[4096];
    snprintf(study, sizeof study, "%s%s", head, table);
    ScratchStudy scratch;
    scratch_study_open(&scratch, study, published, records);
    scratch_study_make(&scratch);
    Document document;
    document_open(&document, "verdicts");
    VerdictList list = {0};
    study_verdicts_find(&scratch.result.tables[0], &document, &list);
    assert_ok(document_status(&document));
    size_t found = 0;
    for (size_t i = 0; i < list.count; i++) {
        const VerdictRow *row = &list.items[i];
        if (only >= 0 && row->claim != (Claim)only) {
            continue;
        }
        if (found == count) {
            fail_msg("claimed besides: %s", row->label);
        }
        assert_ptr_equal(row->table, &scratch.study.tables[0]);
        assert_string_equal(row->label, expected[found].label);
        assert_int_equal(row->claim, expected[found].claim);
        check_side(row->label, &row->here, &expected[found].here);
        check_side(row->label, &row->paper, &expected[found].paper);
        if (row->agreement != expected[found].agreement) {
            fail_msg("%s: agreement %d", row->label, row->agreement);
        }
        found++;
    }
    assert_int_equal(found, count);
    document_release(&document);
    scratch_study_close(&scratch);
}

/* The records are of the usual columns. */
static void check_claims(const char *table, const char *published, const char *rows, int only,
                         const ExpectedRow *expected, size_t count) {
    char records[4096];
    snprintf(records, sizeof records, "%s%s", columns, rows);
    check_records(table, published, records, only, expected, count);
}

#define CHECK(table, published, rows, ...)                                                         \
    check_claims(table, published, rows, -1, (const ExpectedRow[]){__VA_ARGS__},                   \
                 sizeof((const ExpectedRow[]){__VA_ARGS__}) / sizeof(ExpectedRow))
#define CHECK_ONLY(claim, table, published, rows, ...)                                             \
    check_claims(table, published, rows, claim, (const ExpectedRow[]){__VA_ARGS__},                \
                 sizeof((const ExpectedRow[]){__VA_ARGS__}) / sizeof(ExpectedRow))

#define SIDE(...)                                                                                  \
    { __VA_ARGS__ }
#define NOTHING                                                                                    \
    { 0 }
#define FASTEST(here, paper, agreement)                                                            \
    { NULL, CLAIM_FASTEST, "fastest", here, paper, agreement }
/* Of one side alone. */
#define HERE(claim, label, ...)                                                                    \
    { NULL, claim, label, {__VA_ARGS__}, {0}, AGREEMENT_NONE }
#define RATIO(column, from, to, rows)                                                              \
    { NULL, CLAIM_RATIO, column, {.low = from, .high = to, .count = rows}, {0}, AGREEMENT_NONE }

static const char size_rows[] = "a,360p,,1,ok,,,,,1,\nb,360p,,1,ok,,,,,2,\n"
                                "a,720p,,1,ok,,,,,5,\nb,720p,,1,ok,,,,,2.5,\n"
                                "a,4K,,1,ok,,,,,40,\nb,4K,,1,ok,,,,,10,\n";

TEST(columns_meet_at_sizes) {
    CHECK("table t Times\n from main\n row small size=360p\n row HD size=720p\n row 4K size=4K\n"
          "column A ms kernel_ms_mean variant=a\ncolumn B us kernel_ms_mean variant=b\n"
          "column Ratio x ratio A B\n",
          "t,small,A,10,ms,m,T\nt,HD,A,20,ms,m,T\nt,4K,A,40,ms,m,T\n"
          "t,small,B,5000,us,m,T\nt,HD,B,8000,us,m,T\nt,4K,B,10000,us,m,T\n"
          "t,small,Ratio,2.0,x,m,T\nt,HD,Ratio,2.5,x,m,T\nt,4K,Ratio,4,x,m,T\n",
          size_rows,
          FASTEST(SIDE(.text = "A at 1 (small), B at 2 (HD, 4K): 2 to 4× faster than the second; "
                               "without intervals",
                       .name = "B", .count = 2, .of = 3, .low = 2, .high = 4),
                  SIDE(.text = "B at all 3: 2 to 4× faster than A", .name = "B", .count = 3,
                       .of = 3, .low = 2, .high = 4),
                  AGREEMENT_DIFFERS),
          {NULL, CLAIM_CROSSOVER, "B faster than A", SIDE(.text = "from 922 kpixel on"),
           SIDE(.text = "at every size (173 kpixel to 8.29 Mpixel)"), AGREEMENT_DIFFERS},
          {NULL, CLAIM_TREND, "trend of Ratio", SIDE(.text = "rises at every step", .of = 3),
           SIDE(.text = "rises at every step", .of = 3), AGREEMENT_SAME},
          {NULL, CLAIM_ORDER, "the paper's order by Ratio",
           SIDE(.text = "all 3 pairs", .count = 3, .of = 3), NOTHING, AGREEMENT_SAME},
          HERE(CLAIM_RATIO, "A", .text = "1 (4K) to 10 (small)", .low = 1, .high = 10, .count = 3),
          RATIO("B", 1, 3.2, 3), RATIO("Ratio", 0.25, 1, 3));
}

/* The paper has B ahead at the smallest size too, but by 5%, which its numbers cannot show. */
TEST(a_crossover_is_open_where_the_paper_is) {
    CHECK_ONLY(
        CLAIM_CROSSOVER,
        "table t Times\n from main\n row A variant=a\n row B variant=b\n"
        "column small ms kernel_ms_mean size=360p\ncolumn HD ms kernel_ms_mean size=720p\n"
        "column 4K ms kernel_ms_mean size=4K\n",
        "t,A,small,10.5,ms,m,T\nt,A,HD,20,ms,m,T\nt,A,4K,40,ms,m,T\n"
        "t,B,small,10,ms,m,T\nt,B,HD,8,ms,m,T\nt,B,4K,10,ms,m,T\n",
        size_rows,
        {NULL, CLAIM_CROSSOVER, "B faster than A", SIDE(.text = "from 922 kpixel on"),
         SIDE(.text = "at 2 of 3 sizes (173 kpixel to 8.29 Mpixel); undecided at 173 kpixel"),
         AGREEMENT_OPEN});
}

TEST(rows_meet_at_sizes) {
    CHECK("table t Times\n from main\n extra\n row A variant=a\n row B variant=b\n"
          "column small ms kernel_ms_mean size=360p\ncolumn HD ms kernel_ms_mean size=720p\n"
          "column 4K ms kernel_ms_mean size=4K\n",
          NULL, size_rows,
          FASTEST(SIDE(.name = "B", .count = 2, .of = 3, .low = 2, .high = 4), NOTHING,
                  AGREEMENT_NONE),
          HERE(CLAIM_CROSSOVER, "B faster than A", .text = "from 922 kpixel on"));
}

TEST(one_column_can_hold_both) {
    CHECK("table t Times\n from main\n extra\n"
          " row \"{variant} {size}\" variant=a,b size=360p,720p\ncolumn Time ms kernel_ms_mean\n",
          NULL, size_rows,
          FASTEST(
              SIDE(.text =
                       "a at 1 (360p), b at 1 (720p): 2× faster than the second; without intervals",
                   .name = "a", .count = 1, .of = 2, .low = 2, .high = 2),
              NOTHING, AGREEMENT_NONE),
          HERE(CLAIM_CROSSOVER, "b faster than a", .text = "from 922 kpixel on"));
}

static const char thread_table[] =
    "table t Threads\n from main\n where size=360p\n row Sequential variant=seq\n"
    " row \"{threads} threads\" variant=omp threads=2,4,8\n"
    "column Time ms kernel_ms_mean\ncolumn Speedup x base Sequential Time\n";

TEST(rows_of_one_work_meet) {
    CHECK(thread_table,
          "t,Sequential,Time,30.0,ms,m,T\nt,2 threads,Time,15.0,ms,m,T\n"
          "t,4 threads,Time,12.0,ms,m,T\nt,8 threads,Time,10.0,ms,m,T\n"
          "t,2 threads,Speedup,2.0,x,m,T\nt,4 threads,Speedup,2.5,x,m,T\n"
          "t,8 threads,Speedup,3.0,x,m,T\n",
          "seq,360p,,1,ok,,,,,12,\nomp,360p,,2,ok,,,,,6,\nomp,360p,,4,ok,,,,,3,\n"
          "omp,360p,,8,ok,,,,,4,\n",
          FASTEST(SIDE(.text = "4 threads: 1.33× faster than 8 threads, 4× than Sequential; "
                               "without intervals",
                       .name = "4 threads", .count = 1, .of = 1, .low = 1.333, .high = 1.333),
                  SIDE(.text = "8 threads: 1.2× faster than 4 threads, 3× than Sequential",
                       .name = "8 threads", .count = 1, .of = 1, .low = 1.2, .high = 1.2),
                  AGREEMENT_DIFFERS),
          {NULL, CLAIM_TREND, "trend of Time",
           SIDE(.text = "falls to 4 threads, then rises", .count = 1, .of = 3),
           SIDE(.text = "falls at every step", .of = 3), AGREEMENT_DIFFERS},
          {NULL, CLAIM_ORDER, "the paper's order by Time",
           SIDE(.text = "5 of 6 pairs", .count = 5, .of = 6), NOTHING, AGREEMENT_DIFFERS},
          RATIO("Time", 2.5, 4, 4), RATIO("Speedup", 1, 1.6, 3));
}

TEST(the_paper_is_held_against_itself) {
    /* 19.73/0.106 is 186.1; 10/0.5 is 20; 29.99/10.00 is 2.999, of which 2.9 is cut off. */
    CHECK("table t Paper\n from main\n row NTSC size=480p\n row even size=720p\n"
          " row cut size=4K\n"
          "column A ms kernel_ms_mean variant=a\ncolumn B ms kernel_ms_mean variant=b\n"
          "column Ratio x ratio A B\n",
          "t,NTSC,A,19.73,ms,m,T\nt,NTSC,B,0.106,ms,m,T\nt,NTSC,Ratio,197.3,x,m,T\n"
          "t,even,A,10.0,ms,m,T\nt,even,B,0.5,ms,m,T\nt,even,Ratio,20,x,m,T\n"
          "t,cut,A,29.99,ms,m,T\nt,cut,B,10.00,ms,m,T\nt,cut,Ratio,2.9,x,m,T\n",
          "",
          FASTEST(NOTHING, SIDE(.name = "B", .count = 3, .of = 3, .low = 2.999, .high = 186.1),
                  AGREEMENT_NONE),
          {NULL, CLAIM_CROSSOVER, "crossover", SIDE(.text = ""), SIDE(.text = "none"),
           AGREEMENT_NONE},
          {NULL, CLAIM_SLIP, "Ratio, printed → by its numbers", NOTHING,
           SIDE(.text = "NTSC 197.3 → 186.1", .count = 1, .of = 3), AGREEMENT_NONE},
          HERE(CLAIM_MISSING, "not measured", .text = "9 of 9 cells: the step left no records",
               .count = 9, .of = 9));
}

TEST(misprints_are_told_apart) {
    /* 7412.8/6264.20 is 1.18; 7412.8/2.88 is 2574; 7412.8/2005.60 is 3.696, printed 3.69. */
    CHECK(thread_table,
          "t,Sequential,Time,7412.8,ms,m,T\nt,2 threads,Time,6264.20,ms,m,T\n"
          "t,2 threads,Speedup,2.88,x,m,T\nt,4 threads,Time,2005.60,ms,m,T\n"
          "t,4 threads,Speedup,3.69,x,m,T\n",
          "omp,360p,,4,ok,,,,,2,\n",
          FASTEST(NOTHING,
                  SIDE(.name = "4 threads", .count = 1, .of = 1, .low = 3.123, .high = 3.123),
                  AGREEMENT_NONE),
          HERE(CLAIM_RATIO, "Time", .text = "1000 (4 threads)", .low = 1002.8, .high = 1002.8,
               .count = 1),
          {NULL, CLAIM_SLIP, "Speedup, printed → by its numbers", NOTHING,
           SIDE(.text = "2 threads 2.88 or 6264.20 ms is a misprint: with 2.88 it would be "
                        "2570 ms",
                .count = 1, .of = 4),
           AGREEMENT_NONE},
          HERE(CLAIM_MISSING, "not measured",
               .text = "7 of 8 cells: no record has variant=seq (5); no record has threads=2 (1); "
                       "no record has threads=8 (1)",
               .count = 7, .of = 8));
}

TEST(what_is_missing_is_counted_by_reason) {
    CHECK("table t Missing\n from main\n extra\n where size=360p\n row a variant=a\n"
          " row b variant=b\n row c variant=c\n row d variant=d\ncolumn Time ms kernel_ms_mean\n",
          NULL, "a,360p,,1,ok,,,,,2,\nb,360p,,1,ok,,,,,3,\nc,360p,,0,skip,no CUDA device.,,,,,\n",
          FASTEST(SIDE(.text = "a: 1.5× faster than b; without intervals", .name = "a", .count = 1,
                       .of = 1, .low = 1.5, .high = 1.5),
                  NOTHING, AGREEMENT_NONE),
          HERE(CLAIM_MISSING, "not measured",
               .text = "2 of 4 cells: no CUDA device (1); no record has variant=d (1)", .count = 2,
               .of = 4));
    CHECK("table t Missing\n from main\n extra\n where size=360p\n row a variant=a\n"
          " row c variant=c\ncolumn Time ms kernel_ms_mean\n",
          NULL, "a,360p,,1,ok,,,,,2,\nc,360p,,0,skip,no CUDA device.,,,,,\n",
          HERE(CLAIM_MISSING, "not measured", .text = "1 of 2 cells: no CUDA device", .count = 1,
               .of = 2));
}

TEST(a_single_number_claims_little) {
    CHECK("table t One\n from main\n row only size=360p\ncolumn Time ms kernel_ms_mean\n",
          "t,only,Time,10,ms,m,T\n", "a,360p,,1,ok,,,,,5,\n",
          HERE(CLAIM_RATIO, "Time", .text = "2 (only)", .low = 2, .high = 2, .count = 1));
    check_claims("table t One\n from main\n extra\n row only size=360p\n"
                 "column Time ms kernel_ms_mean\n",
                 NULL, "a,360p,,1,ok,,,,,5,\n", -1, NULL, 0);
}

TEST(equal_times_have_no_winner) {
    const char *rows = "a,360p,,1,ok,,,,,3,\nb,360p,,1,ok,,,,,3,\n"
                       "a,720p,,1,ok,,,,,6,\nb,720p,,1,ok,,,,,6,\nb,4K,,1,ok,,,,,8,\n"
                       "a,4K,,1,ok,,,,,9,\n";
    CHECK("table t Tie\n from main\n extra\n where size=360p\n row a variant=a\n"
          " row b variant=b\ncolumn Time ms kernel_ms_mean\n",
          NULL, rows, FASTEST(SIDE(.text = "a = b", .of = 1, .open = 1), NOTHING, AGREEMENT_NONE));
    CHECK("table t Tie\n from main\n extra\n row {size} size=360p,720p\n"
          "column a ms kernel_ms_mean variant=a\ncolumn b ms kernel_ms_mean variant=b\n",
          NULL, rows,
          FASTEST(SIDE(.text = "equal at all 2", .of = 2, .open = 2), NOTHING, AGREEMENT_NONE),
          HERE(CLAIM_CROSSOVER, "crossover", .text = "none; 1 of 1 pair undecided", .of = 1,
               .open = 1));
    CHECK("table t Tie\n from main\n extra\n row {size} size=360p,720p,4K\n"
          "column a ms kernel_ms_mean variant=a\ncolumn c us kernel_ms_mean variant=b\n",
          NULL, rows,
          FASTEST(SIDE(.text = "c at 1 (4K), equal at 2 (360p, 720p): 1.12× faster than a; 1 "
                               "decided without intervals",
                       .name = "c", .count = 1, .of = 3, .open = 2, .low = 1.125, .high = 1.125),
                  NOTHING, AGREEMENT_NONE),
          HERE(CLAIM_CROSSOVER, "crossover", .text = "none; 1 of 1 pair undecided", .of = 1,
               .open = 1));
}

/* Counts are of another input here, and of one run: another run may have others. */
TEST(counts_are_not_divided_by_the_papers) {
    CHECK("table t Counts\n from main\n row a variant=a\n row b variant=b\n"
          " row c variant=c\ncolumn Found - threads\n",
          "t,a,Found,30,-,m,T\nt,b,Found,20,-,m,T\nt,c,Found,10,-,m,T\n",
          "a,360p,,3,ok,,,,,,\nb,360p,,2,ok,,,,,,\nc,360p,,4,ok,,,,,,\n",
          {NULL, CLAIM_ORDER, "the paper's order by Found",
           SIDE(.text = "0 of 3 pairs; 3 undecided: single runs, no intervals", .of = 3, .open = 3),
           NOTHING, AGREEMENT_OPEN});
}

/* a and b may be equal over seeds, c lies apart: of b and c, and of a and c, there is an order. */
TEST(ranges_over_seeds_decide_like_intervals) {
    const ExpectedRow expected[] = {
        {NULL, CLAIM_ORDER, "the paper's order by Found",
         SIDE(.text = "1 of 3 pairs; 1 undecided: ranges over seeds overlap", .count = 1, .of = 3,
              .open = 1),
         NOTHING, AGREEMENT_DIFFERS}};
    check_records("table t Counts\n from main\n row a method=a\n row b method=b\n"
                  " row c method=c\ncolumn Found - inliers\n",
                  "t,a,Found,30,-,m,T\nt,b,Found,10,-,m,T\nt,c,Found,20,-,m,T\n",
                  "method,inliers,seeds,inliers_low,inliers_high\n"
                  "a,519,20,519,522\nb,523,20,522,527\nc,554,20,553,557\n",
                  CLAIM_ORDER, expected, 1);
}

/* Of four, two that overtake each other now and then are not worth a row; of two they are. */
TEST(many_ways_have_few_crossovers) {
    static const char rows[] = "a,360p,,1,ok,,,,,9,\nb,360p,,1,ok,,,,,8,\n"
                               "a,720p,,1,ok,,,,,18,\nb,720p,,1,ok,,,,,20,\n"
                               "a,4K,,1,ok,,,,,90,\nb,4K,,1,ok,,,,,80,\n"
                               "c,360p,,1,ok,,,,,1,\nc,720p,,1,ok,,,,,2,\nc,4K,,1,ok,,,,,3,\n"
                               "d,360p,,1,ok,,,,,4,\nd,720p,,1,ok,,,,,4,\nd,4K,,1,ok,,,,,6,\n";
    CHECK("table t Many\n from main\n extra\n row {size} size=360p,720p,4K\n"
          "column A ms kernel_ms_mean variant=a\ncolumn B ms kernel_ms_mean variant=b\n"
          "column C ms kernel_ms_mean variant=c\ncolumn D ms kernel_ms_mean variant=d\n",
          NULL, rows,
          FASTEST(SIDE(.text = "C at all 3: 2 to 4× faster than D, 9 to 30× than the slowest; "
                               "without intervals",
                       .name = "C", .count = 3, .of = 3, .low = 2, .high = 4),
                  NOTHING, AGREEMENT_NONE));
    CHECK_ONLY(CLAIM_CROSSOVER,
               "table t Two\n from main\n extra\n row {size} size=360p,720p,4K\n"
               "column A ms kernel_ms_mean variant=a\ncolumn B ms kernel_ms_mean variant=b\n",
               NULL, rows, HERE(CLAIM_CROSSOVER, "B faster than A"));
}

TEST(kinds_of_time_are_places) {
    CHECK("table t Kinds\n from main\n extra\n where size=360p\n row \"a, first\" variant=a\n"
          " row b variant=b\ncolumn Kernel ms kernel_ms_mean\ncolumn Whole ms end_to_end_ms\n",
          NULL, "a,360p,,1,ok,,,,,1,10\nb,360p,,1,ok,,,,,2,8\n",
          FASTEST(SIDE(.text = "“a, first” at 1 (Kernel), b at 1 (Whole): 1.25 to 2× faster than "
                               "the second; without intervals",
                       .name = "“a, first”", .count = 1, .of = 2, .low = 1.25, .high = 2),
                  NOTHING, AGREEMENT_NONE));
}

TEST(other_axes_are_told_by_their_key) {
    CHECK(
        "table t Boxes\n from main\n extra\n where size=360p\n row {box} box=4,16\n"
        "column A ms kernel_ms_mean variant=a\ncolumn B ms kernel_ms_mean variant=b\n",
        NULL,
        "a,360p,box:4,1,ok,,,,,1,\nb,360p,box:4,1,ok,,,,,2,\n"
        "a,360p,box:16,1,ok,,,,,4,\nb,360p,box:16,1,ok,,,,,2,\n",
        FASTEST(SIDE(.text = "A at 1 (box 4), B at 1 (box 16): 2× faster than the second; without "
                             "intervals",
                     .name = "A", .count = 1, .of = 2, .low = 2, .high = 2),
                NOTHING, AGREEMENT_NONE),
        HERE(CLAIM_CROSSOVER, "B faster than A, by box", .text = "from 16 on"));
}

TEST(each_other_work_has_its_crossover) {
    /* Conditions in any order, sizes from large to small. */
    CHECK("table t Works\n from main\n extra\n"
          " row \"a {size} {box}\" variant=a size=4K,360p box=4,16\n"
          " row \"b {size} {box}\" box=4,16 variant=b size=4K,360p\n"
          "column Time ms kernel_ms_mean\n",
          NULL,
          "a,360p,box:4,1,ok,,,,,1,\nb,360p,box:4,1,ok,,,,,2,\n"
          "a,4K,box:4,1,ok,,,,,4,\nb,4K,box:4,1,ok,,,,,2,\n"
          "a,360p,box:16,1,ok,,,,,4,\nb,360p,box:16,1,ok,,,,,2,\n"
          "a,4K,box:16,1,ok,,,,,8,\nb,4K,box:16,1,ok,,,,,2,\n",
          FASTEST(SIDE(.text = "a at 1 (“box 4, 360p”), b at 3 (“box 4, 4K”, “box 16, 4K”, “box "
                               "16, 360p”): 2 to 4× faster than the second; without intervals",
                       .name = "b", .count = 3, .of = 4, .low = 2, .high = 4),
                  NOTHING, AGREEMENT_NONE),
          HERE(CLAIM_CROSSOVER, "b faster than a (box=4)", .text = "from 8.29 Mpixel on"),
          HERE(CLAIM_CROSSOVER, "crossover (box=16)", .text = "none"));
}

TEST(times_without_a_rival_are_no_place) {
    CHECK("table t Rivals\n from main\n extra\n row small size=360p\n row HD size=720p\n"
          "column CPU ms kernel_ms_mean variant=a\n"
          "column GPU ms kernel_ms_mean variant=b\n"
          "column \"GPU and copies\" ms end_to_end_ms variant=b\n",
          NULL,
          "a,360p,,1,ok,,,,,1.004,\nb,360p,,0,ok,,,,,1,9\n"
          "a,720p,,1,ok,,,,,3,\nb,720p,,0,ok,,,,,2,9\n",
          FASTEST(SIDE(.text = "GPU at all 2: 1.5× faster than CPU; 1 undecided: within 10%, no "
                               "intervals; 1 decided without intervals",
                       .name = "GPU", .count = 2, .of = 2, .open = 1, .low = 1.5, .high = 1.5),
                  NOTHING, AGREEMENT_NONE),
          HERE(CLAIM_CROSSOVER, "crossover", .text = "none; 1 of 1 pair undecided", .of = 1,
               .open = 1));
}

TEST(long_lists_are_cut) {
    CHECK(
        "table t Many\n from main\n extra\n row {size} size=360p,480p,720p,1080p,4K,8K,16K\n"
        "column a ms kernel_ms_mean variant=a\ncolumn b ms kernel_ms_mean variant=b\n",
        NULL,
        "a,360p,,1,ok,,,,,1,\na,480p,,1,ok,,,,,2,\na,720p,,1,ok,,,,,2,\n"
        "a,1080p,,1,ok,,,,,2,\na,4K,,1,ok,,,,,2,\na,8K,,1,ok,,,,,2,\n"
        "a,16K,,1,ok,,,,,2,\nb,360p,,1,ok,,,,,2,\nb,480p,,1,ok,,,,,1,\n"
        "b,720p,,1,ok,,,,,1,\nb,1080p,,1,ok,,,,,1,\nb,4K,,1,ok,,,,,1,\n"
        "b,8K,,1,ok,,,,,1,\nb,16K,,1,ok,,,,,1,\n",
        FASTEST(SIDE(.text = "a at 1 (360p), b at 6: 2× faster than the second; without intervals",
                     .name = "b", .count = 6, .of = 7, .low = 2, .high = 2),
                NOTHING, AGREEMENT_NONE),
        HERE(CLAIM_CROSSOVER, "b faster than a", .text = "from 307 kpixel on"));
    char published[2048];
    int used = snprintf(published, sizeof published, "t,base,Time,70,ms,m,T\n");
    for (int i = 1; i <= 7; i++) {
        used += snprintf(published + used, sizeof published - (size_t)used,
                         "t,%d,Time,10.0,ms,m,T\nt,%d,Speedup,6.00,x,m,T\n", i, i);
    }
    CHECK_ONLY(CLAIM_SLIP,
               "table t Many\n from main\n row base input=x\n row {images} images=1,2,3,4,5,6,7\n"
               "column Time ms kernel_ms_mean\ncolumn Speedup x base base Time\n",
               published, "",
               {NULL, CLAIM_SLIP, "Speedup, printed → by its numbers", NOTHING,
                SIDE(.text = "1 6.00 → 7.00; 2 6.00 → 7.00; 3 6.00 → 7.00; 4 6.00 → 7.00; "
                             "5 6.00 → 7.00; 6 6.00 → 7.00; 7 in all",
                     .count = 7, .of = 8),
                AGREEMENT_NONE});
}

/* The rows show one measurement, which is the fastest here; beside another machine of the paper it
 * is the same way. */
TEST(a_row_beside_another_machine_counts_once) {
    CHECK("table t Machines\n from main\n where size=360p\n row CPU variant=a\n"
          " row \"GPU, old\" variant=b\n row \"GPU, new\" variant=b\n"
          "column Time ms kernel_ms_mean\n",
          "t,CPU,Time,90,ms,m,T\nt,\"GPU, old\",Time,30,ms,m,T\n"
          "t,\"GPU, new\",Time,10,ms,n,T\n",
          "a,360p,,1,ok,,,,,6,\nb,360p,,1,ok,,,,,2,\n",
          FASTEST(SIDE(.text = "“GPU, old”: 3× faster than CPU; without intervals",
                       .name = "“GPU, old”", .count = 1, .of = 1, .low = 3, .high = 3),
                  SIDE(.text = "“GPU, new”: 3× faster than “GPU, old”, 9× than CPU",
                       .name = "“GPU, new”", .count = 1, .of = 1, .low = 3, .high = 3),
                  AGREEMENT_SAME),
          RATIO("Time", 5, 15, 3));
}

TEST(shares_of_a_matrix_are_left_to_the_table) {
    check_claims("table t Matrix\n from main\n shaded\n row {size} size=360p,720p,4K\n"
                 "column a - end_to_end_ms variant=a\n",
                 "t,360p,a,5,-,m,T\nt,720p,a,1,-,m,T\nt,4K,a,2,-,m,T\n",
                 "a,360p,,1,ok,,,,,,7\na,720p,,1,ok,,,,,,2\na,4K,,1,ok,,,,,,8\n", -1, NULL, 0);
}

/* --- Within intervals ------------------------------------------------------------------------- */

TEST(overlapping_intervals_are_open) {
    CHECK("table t Chance\n from main\n extra\n where size=360p\n row a variant=a\n"
          " row b variant=b\n row c variant=c\ncolumn Time ms kernel_ms_median\n",
          NULL, "a,360p,,1,ok,,4,3,5,,\nb,360p,,1,ok,,5,4.5,6,,\nc,360p,,1,ok,,8,7,9,,\n",
          FASTEST(SIDE(.text = "a: undecided (0.900 to 2.00) against b, 2× faster than c",
                       .name = "a", .count = 1, .of = 1, .open = 1),
                  NOTHING, AGREEMENT_NONE));
}

TEST(steps_within_intervals_are_level) {
    CHECK("table t Level\n from main\n where size=360p\n"
          " row \"{threads} threads\" variant=omp threads=2,4,8\n"
          "column Time ms kernel_ms_median\n",
          "t,2 threads,Time,3,ms,m,T\nt,4 threads,Time,2,ms,m,T\nt,8 threads,Time,1,ms,m,T\n",
          "omp,360p,,2,ok,,10,9,11,,\nomp,360p,,4,ok,,5,4,6,,\nomp,360p,,8,ok,,5.5,5,6,,\n",
          /* The paper's fastest is the second here, within the intervals. */
          FASTEST(
              SIDE(.text = "4 threads: undecided (0.833 to 1.50) against 8 threads, 2× faster than "
                           "2 threads",
                   .name = "4 threads", .count = 1, .of = 1, .open = 1),
              SIDE(.name = "8 threads", .count = 1, .of = 1, .low = 2, .high = 2), AGREEMENT_OPEN),
          {NULL, CLAIM_TREND, "trend of Time",
           SIDE(.text = "falls or stays level within its intervals", .of = 3),
           SIDE(.text = "falls at every step", .of = 3), AGREEMENT_OPEN},
          {NULL, CLAIM_ORDER, "the paper's order by Time",
           SIDE(.text = "2 of 3 pairs; 1 undecided", .count = 2, .of = 3, .open = 1), NOTHING,
           AGREEMENT_OPEN},
          RATIO("Time", 0.1818, 0.4, 3));
}

/* The paper's numbers have no intervals: 10, 10.5 and 11.5 at 2, 4 and 8 threads are level step by
 * step; 2 against 8 is not, and neither is 16 against any. Two of its six pairs are no claim. */
static const char level_table[] = "table t Level\n from main\n where size=360p\n"
                                  " row \"{threads} threads\" variant=omp threads=2,4,8,16\n"
                                  "column Time ms kernel_ms_median\n";
static const char level_paper[] = "t,2 threads,Time,10,ms,m,T\nt,4 threads,Time,10.5,ms,m,T\n"
                                  "t,8 threads,Time,11.5,ms,m,T\nt,16 threads,Time,20,ms,m,T\n";
#define LEVEL_PAPER                                                                                \
    SIDE(.text = "2 threads: undecided (within 10%, no intervals) against 4 threads, 2× faster "  \
                 "than 16 threads",                                                                \
         .name = "2 threads", .count = 1, .of = 1, .open = 1)

TEST(what_the_paper_does_not_tell_apart_is_open) {
    CHECK_ONLY(CLAIM_FASTEST, level_table, level_paper,
               "omp,360p,,2,ok,,12,11.9,12.1,,\nomp,360p,,4,ok,,6,5.9,6.1,,\n"
               "omp,360p,,8,ok,,18,17.9,18.1,,\nomp,360p,,16,ok,,24,23.9,24.1,,\n",
               FASTEST(SIDE(.name = "4 threads", .count = 1, .of = 1, .low = 2, .high = 2),
                       LEVEL_PAPER, AGREEMENT_OPEN));
    CHECK_ONLY(CLAIM_FASTEST, level_table, level_paper,
               "omp,360p,,2,ok,,12,11.9,12.1,,\nomp,360p,,4,ok,,18,17.9,18.1,,\n"
               "omp,360p,,8,ok,,6,5.9,6.1,,\nomp,360p,,16,ok,,24,23.9,24.1,,\n",
               FASTEST(SIDE(.name = "8 threads", .count = 1, .of = 1, .low = 2, .high = 2),
                       LEVEL_PAPER, AGREEMENT_DIFFERS));
    /* 4 before 2, and 8 before 4, which the paper leaves open: all four pairs that it has. */
    CHECK_ONLY(CLAIM_ORDER, level_table, level_paper,
               "omp,360p,,2,ok,,7,6.9,7.1,,\nomp,360p,,4,ok,,9,8.9,9.1,,\n"
               "omp,360p,,8,ok,,8,7.9,8.1,,\nomp,360p,,16,ok,,24,23.9,24.1,,\n",
               {NULL, CLAIM_ORDER, "the paper's order by Time",
                SIDE(.text = "all 4 pairs", .count = 4, .of = 4), NOTHING, AGREEMENT_SAME});
}

TEST(steps_that_are_level_in_the_paper_may_go_either_way) {
    const VerdictSide paper = {.text = "rises or stays level within 10%", .of = 4};
    CHECK_ONLY(CLAIM_TREND, level_table, level_paper,
               "omp,360p,,2,ok,,6,5.9,6.1,,\nomp,360p,,4,ok,,7,6.9,7.1,,\n"
               "omp,360p,,8,ok,,8,7.9,8.1,,\nomp,360p,,16,ok,,24,23.9,24.1,,\n",
               {NULL, CLAIM_TREND, "trend of Time", SIDE(.text = "rises at every step", .of = 4),
                paper, AGREEMENT_SAME});
    CHECK_ONLY(CLAIM_TREND, level_table, level_paper,
               "omp,360p,,2,ok,,24,23.9,24.1,,\nomp,360p,,4,ok,,7,6.9,7.1,,\n"
               "omp,360p,,8,ok,,6,5.9,6.1,,\nomp,360p,,16,ok,,5,4.9,5.1,,\n",
               {NULL, CLAIM_TREND, "trend of Time", SIDE(.text = "falls at every step", .of = 4),
                paper, AGREEMENT_DIFFERS});
    /* Here level where the paper rises: a longer run would tell. */
    CHECK_ONLY(CLAIM_TREND, level_table, level_paper,
               "omp,360p,,2,ok,,6,1,9,,\nomp,360p,,4,ok,,7,1,9,,\n"
               "omp,360p,,8,ok,,8,1,9,,\nomp,360p,,16,ok,,8.5,1,9,,\n",
               {NULL, CLAIM_TREND, "trend of Time",
                SIDE(.text = "stays level within its intervals", .of = 4), paper, AGREEMENT_OPEN});
}

/* The paper's least is at 4 threads, within 10% of 8: a turn at either is the same. */
TEST(a_turn_is_where_the_paper_tells) {
    static const char paper[] = "t,2 threads,Time,20,ms,m,T\nt,4 threads,Time,10,ms,m,T\n"
                                "t,8 threads,Time,10.5,ms,m,T\nt,16 threads,Time,20,ms,m,T\n";
    const VerdictSide turns = {.text = "falls to 4 threads, then rises", .count = 1, .of = 4};
    CHECK_ONLY(CLAIM_TREND, level_table, paper,
               "omp,360p,,2,ok,,24,23.9,24.1,,\nomp,360p,,4,ok,,9,8.9,9.1,,\n"
               "omp,360p,,8,ok,,6,5.9,6.1,,\nomp,360p,,16,ok,,12,11.9,12.1,,\n",
               {NULL, CLAIM_TREND, "trend of Time",
                SIDE(.text = "falls to 8 threads, then rises", .count = 1, .of = 4), turns,
                AGREEMENT_SAME});
    CHECK_ONLY(CLAIM_TREND, level_table, paper,
               "omp,360p,,2,ok,,6,5.9,6.1,,\nomp,360p,,4,ok,,9,8.9,9.1,,\n"
               "omp,360p,,8,ok,,6,5.9,6.1,,\nomp,360p,,16,ok,,5,4.9,5.1,,\n",
               {NULL, CLAIM_TREND, "trend of Time",
                SIDE(.text = "rises to 4 threads, then falls", .count = 1, .of = 4), turns,
                AGREEMENT_DIFFERS});
}

/* The paper's least is at 4 threads. Here no pair of points is decided against it, until 16 threads
 * are faster than 4. */
TEST(a_turn_that_intervals_may_hide_is_open) {
    static const char paper[] = "t,2 threads,Time,20,ms,m,T\nt,4 threads,Time,10,ms,m,T\n"
                                "t,8 threads,Time,13,ms,m,T\nt,16 threads,Time,16,ms,m,T\n";
    const VerdictSide turns = {.text = "falls to 4 threads, then rises", .count = 1, .of = 4};
    CHECK_ONLY(CLAIM_TREND, level_table, paper,
               "omp,360p,,2,ok,,6,1,9,,\nomp,360p,,4,ok,,7,1,9,,\n"
               "omp,360p,,8,ok,,8,1,9,,\nomp,360p,,16,ok,,8.5,1,9,,\n",
               {NULL, CLAIM_TREND, "trend of Time",
                SIDE(.text = "stays level within its intervals", .of = 4), turns, AGREEMENT_OPEN});
    CHECK_ONLY(CLAIM_TREND, level_table, paper,
               "omp,360p,,2,ok,,24,23.9,24.1,,\nomp,360p,,4,ok,,7,6,8,,\n"
               "omp,360p,,8,ok,,6.9,6,8,,\nomp,360p,,16,ok,,6.8,6,8,,\n",
               {NULL, CLAIM_TREND, "trend of Time",
                SIDE(.text = "falls or stays level within its intervals", .of = 4), turns,
                AGREEMENT_OPEN});
    CHECK_ONLY(CLAIM_TREND, level_table, paper,
               "omp,360p,,2,ok,,24,23.9,24.1,,\nomp,360p,,4,ok,,7,6,8,,\n"
               "omp,360p,,8,ok,,6.9,6,8,,\nomp,360p,,16,ok,,5,4.9,5.1,,\n",
               {NULL, CLAIM_TREND, "trend of Time",
                SIDE(.text = "falls or stays level within its intervals", .of = 4), turns,
                AGREEMENT_DIFFERS});
}

/* 5 is above 3 beyond the intervals; 2.8 is below 3 within them, but below 5 beyond: a second turn,
 * and the least is there, not at the first turn. */
TEST(turns_lie_beyond_intervals) {
    CHECK("table t Turns\n from main\n where size=360p\n"
          " row \"{threads} threads\" variant=omp threads=2,4,8,16,32\n"
          "column Time ms kernel_ms_median\n",
          "t,2 threads,Time,5,ms,m,T\nt,4 threads,Time,4,ms,m,T\nt,8 threads,Time,3,ms,m,T\n"
          "t,16 threads,Time,2,ms,m,T\nt,32 threads,Time,1,ms,m,T\n",
          "omp,360p,,2,ok,,6,5.8,6.2,,\nomp,360p,,4,ok,,3,2.7,3.3,,\n"
          "omp,360p,,8,ok,,5,4.5,5.5,,\nomp,360p,,16,ok,,4.2,3.4,5,,\n"
          "omp,360p,,32,ok,,2.8,2.6,3,,\n",
          FASTEST(SIDE(.name = "32 threads", .count = 1, .of = 1, .open = 1),
                  SIDE(.name = "32 threads", .count = 1, .of = 1, .low = 2, .high = 2),
                  AGREEMENT_OPEN),
          {NULL, CLAIM_TREND, "trend of Time",
           SIDE(.text = "turns 2 times, least at 32 threads or 4 threads", .count = 2, .of = 5),
           SIDE(.text = "falls at every step", .of = 5), AGREEMENT_DIFFERS},
          {NULL, CLAIM_ORDER, "the paper's order by Time", SIDE(.count = 6, .of = 10, .open = 2),
           NOTHING, AGREEMENT_DIFFERS},
          RATIO("Time", 0.3571, 1.3333, 5));
}

static const char two_ways[] = "table t Ways\n from main\n row {size} size=360p,720p,4K\n"
                               "column A ms kernel_ms_median variant=a\n"
                               "column B ms kernel_ms_median variant=b\n";
static const char b_is_ahead[] = "t,360p,A,2,ms,m,T\nt,360p,B,1,ms,m,T\nt,720p,A,4,ms,m,T\n"
                                 "t,720p,B,2,ms,m,T\nt,4K,A,8,ms,m,T\nt,4K,B,4,ms,m,T\n";

/* The paper has B ahead everywhere, and so have the medians here; what agrees is only what the
 * intervals show. */
TEST(an_order_that_intervals_do_not_show_is_open) {
    static const char certain[] = "a,360p,,1,ok,,2,1.9,2.1,,\nb,360p,,1,ok,,1,0.9,1.1,,\n"
                                  "a,720p,,1,ok,,4,3.9,4.1,,\nb,720p,,1,ok,,2,1.9,2.1,,\n";
    char rows[1024];
    snprintf(rows, sizeof rows, "%s%s", certain,
             "a,4K,,1,ok,,8,7.9,8.1,,\nb,4K,,1,ok,,4,3.9,4.1,,\n");
    CHECK_ONLY(CLAIM_FASTEST, two_ways, b_is_ahead, rows,
               FASTEST(SIDE(.name = "B", .count = 3, .of = 3, .low = 2, .high = 2),
                       SIDE(.name = "B", .count = 3, .of = 3, .low = 2, .high = 2),
                       AGREEMENT_SAME));
    CHECK_ONLY(CLAIM_CROSSOVER, two_ways, b_is_ahead, rows,
               {NULL, CLAIM_CROSSOVER, "crossover", SIDE(.text = "none"), SIDE(.text = "none"),
                AGREEMENT_SAME});
    /* At one size the intervals overlap. */
    snprintf(rows, sizeof rows, "%s%s", certain, "a,4K,,1,ok,,8,3,9,,\nb,4K,,1,ok,,4,3.9,4.1,,\n");
    CHECK_ONLY(CLAIM_FASTEST, two_ways, b_is_ahead, rows,
               FASTEST(SIDE(.name = "B", .count = 3, .of = 3, .open = 1, .low = 2, .high = 2),
                       SIDE(.name = "B", .count = 3, .of = 3, .low = 2, .high = 2),
                       AGREEMENT_OPEN));
    /* At two of three: no crossover is left. */
    CHECK_ONLY(CLAIM_CROSSOVER, two_ways, b_is_ahead,
               "a,360p,,1,ok,,2,1.9,2.1,,\nb,360p,,1,ok,,1,0.9,1.1,,\n"
               "a,720p,,1,ok,,4,1,4.1,,\nb,720p,,1,ok,,2,1.9,2.1,,\n"
               "a,4K,,1,ok,,8,3,9,,\nb,4K,,1,ok,,4,3.9,4.1,,\n",
               {NULL, CLAIM_CROSSOVER, "crossover",
                SIDE(.text = "none; 1 of 1 pair undecided", .of = 1, .open = 1),
                SIDE(.text = "none"), AGREEMENT_OPEN});
}

/* Not the second but the third may be as fast as the first. */
TEST(every_rival_of_the_fastest_counts) {
    CHECK_ONLY(CLAIM_FASTEST,
               "table t Three\n from main\n extra\n where size=360p\n row a variant=a\n"
               " row b variant=b\n row c variant=c\ncolumn Time ms kernel_ms_median\n",
               NULL,
               "a,360p,,1,ok,,10,9.9,10.1,,\nb,360p,,1,ok,,12,11.9,12.1,,\n"
               "c,360p,,1,ok,,13,9,20,,\n",
               FASTEST(SIDE(.text = "a: 1.2× faster than b, undecided (0.891 to 2.02) against c",
                            .name = "a", .count = 1, .of = 1, .open = 1, .low = 1.2, .high = 1.2),
                       NOTHING, AGREEMENT_NONE));
    CHECK_ONLY(CLAIM_FASTEST,
               "table t Four\n from main\n extra\n where size=360p\n row a variant=a\n"
               " row b variant=b\n row c variant=c\n row d variant=d\n"
               "column Time ms kernel_ms_median\n",
               NULL,
               "a,360p,,1,ok,,10,9.9,10.1,,\nb,360p,,1,ok,,12,11.9,12.1,,\n"
               "c,360p,,1,ok,,13,9,20,,\nd,360p,,1,ok,,20,19,21,,\n",
               FASTEST(SIDE(.text = "a: 1.2× faster than b, 2× than d; undecided against c",
                            .name = "a", .count = 1, .of = 1, .open = 1, .low = 1.2, .high = 1.2),
                       NOTHING, AGREEMENT_NONE));
}

/* The interval of B over A is 0.98 to 1.03 at 360p: as fast, which the paper's factor of two
 * contradicts, and its factor of 1.05 does not. */
static const char even_here[] = "a,360p,,1,ok,,10.1,10,10.2,,\nb,360p,,1,ok,,10,9.9,10.2,,\n"
                                "a,720p,,1,ok,,4,3.9,4.1,,\nb,720p,,1,ok,,2,1.9,2.1,,\n"
                                "a,4K,,1,ok,,8,7.9,8.1,,\nb,4K,,1,ok,,4,3.9,4.1,,\n";

TEST(as_fast_is_not_undecided) {
    CHECK_ONLY(CLAIM_FASTEST, two_ways, b_is_ahead, even_here,
               FASTEST(SIDE(.text = "B at all 3: 2× faster than A; 1 as fast (within 5%)",
                            .name = "B", .count = 3, .of = 3, .low = 2, .high = 2),
                       SIDE(.name = "B", .count = 3, .of = 3, .low = 2, .high = 2),
                       AGREEMENT_DIFFERS));
    CHECK_ONLY(CLAIM_FASTEST, two_ways,
               "t,360p,A,1.05,ms,m,T\nt,360p,B,1,ms,m,T\nt,720p,A,4,ms,m,T\n"
               "t,720p,B,2,ms,m,T\nt,4K,A,8,ms,m,T\nt,4K,B,4,ms,m,T\n",
               even_here,
               FASTEST(SIDE(.name = "B", .count = 3, .of = 3, .low = 2, .high = 2),
                       SIDE(.name = "B", .count = 3, .of = 3, .open = 1, .low = 2, .high = 2),
                       AGREEMENT_OPEN));
    CHECK_ONLY(
        CLAIM_FASTEST,
        "table t Even\n from main\n extra\n where size=360p\n row a variant=a\n"
        " row b variant=b\ncolumn Time ms kernel_ms_median\n",
        NULL, even_here,
        FASTEST(SIDE(.text = "b: as fast (within 5%) as a", .name = "b", .count = 1, .of = 1),
                NOTHING, AGREEMENT_NONE));
}

TEST(ways_that_are_as_fast_everywhere_do_not_cross) {
    static const char even[] = "a,360p,,1,ok,,10,9.9,10.2,,\nb,360p,,1,ok,,10.1,10,10.2,,\n"
                               "a,720p,,1,ok,,20,19.9,20.2,,\nb,720p,,1,ok,,20.1,20,20.2,,\n"
                               "a,4K,,1,ok,,40,39.9,40.2,,\nb,4K,,1,ok,,40.1,40,40.2,,\n";
    CHECK_ONLY(CLAIM_CROSSOVER, two_ways, b_is_ahead, even,
               {NULL, CLAIM_CROSSOVER, "crossover", SIDE(.text = "none"), SIDE(.text = "none"),
                AGREEMENT_SAME});
    /* What crosses in the paper crosses nowhere here. */
    CHECK_ONLY(CLAIM_CROSSOVER, two_ways,
               "t,360p,A,1,ms,m,T\nt,360p,B,2,ms,m,T\nt,720p,A,4,ms,m,T\n"
               "t,720p,B,2,ms,m,T\nt,4K,A,8,ms,m,T\nt,4K,B,4,ms,m,T\n",
               even,
               {NULL, CLAIM_CROSSOVER, "B faster than A",
                SIDE(.text = "as fast at every size (173 kpixel to 8.29 Mpixel)"),
                SIDE(.text = "from 922 kpixel on"), AGREEMENT_DIFFERS});
}

/* A small lead without intervals proves nothing; one of half as much again does. */
TEST(close_times_without_intervals_are_open) {
    static const char table[] =
        "table t Close\n from main\n extra\n where size=360p\n"
        " row a variant=a\n row b variant=b\ncolumn Time ms end_to_end_ms\n";
    CHECK(table, NULL, "a,360p,,1,ok,,,,,,10\nb,360p,,1,ok,,,,,,10.9\n",
          FASTEST(SIDE(.text = "a: undecided (within 10%, no intervals) against b", .name = "a",
                       .count = 1, .of = 1, .open = 1),
                  NOTHING, AGREEMENT_NONE));
    CHECK(table, NULL, "a,360p,,1,ok,,,,,,10\nb,360p,,1,ok,,,,,,15\n",
          FASTEST(SIDE(.name = "a", .count = 1, .of = 1, .low = 1.5, .high = 1.5), NOTHING,
                  AGREEMENT_NONE));
    CHECK_ONLY(CLAIM_FASTEST,
               "table t Close\n from main\n extra\n row {size} size=360p,720p\n"
               "column A ms end_to_end_ms variant=a\ncolumn B ms end_to_end_ms variant=b\n",
               NULL,
               "a,360p,,1,ok,,,,,,10\nb,360p,,1,ok,,,,,,10.5\n"
               "a,720p,,1,ok,,,,,,20\nb,720p,,1,ok,,,,,,21\n",
               FASTEST(SIDE(.text = "A at all 2; 2 undecided: within 10%, no intervals",
                            .name = "A", .count = 2, .of = 2, .open = 2),
                       NOTHING, AGREEMENT_NONE));
}

static const char four_rows[] = "table t Order\n from main\n where size=360p\n row a variant=a\n"
                                " row b variant=b\n row c variant=c\n row d variant=d\n"
                                "column Time ms ";
static const char four_published[] = "t,a,Time,1,ms,m,T\nt,b,Time,4,ms,m,T\nt,c,Time,2,ms,m,T\n"
                                     "t,d,Time,3,ms,m,T\n";

static void check_order(const char *column, const char *rows, VerdictSide here,
                        Agreement agreement) {
    char table[1024];
    snprintf(table, sizeof table, "%s%s\n", four_rows, column);
    CHECK_ONLY(CLAIM_ORDER, table, four_published, rows,
               {NULL, CLAIM_ORDER, "the paper's order by Time", here, NOTHING, agreement});
}

/* The paper has a c d b. Here a touches c, c is equal to d, b overlaps c and is before d against
 * the paper's order; a is before b and d beyond the intervals. */
TEST(pairs_within_intervals_have_no_order) {
    check_order("kernel_ms_median",
                "a,360p,,1,ok,,2,1.9,2.5,,\nb,360p,,1,ok,,2.7,2.6,2.9,,\n"
                "c,360p,,1,ok,,4,2.5,5,,\nd,360p,,1,ok,,4,3,5,,\n",
                (VerdictSide){.text = "2 of 6 pairs; 3 undecided", .count = 2, .of = 6, .open = 3},
                AGREEMENT_DIFFERS);
    /* c and d are as fast: the paper's order of them is not there. */
    check_order("kernel_ms_median",
                "a,360p,,1,ok,,2,1.9,2.5,,\nb,360p,,1,ok,,9,8.9,9.1,,\n"
                "c,360p,,1,ok,,4,3.95,4.05,,\nd,360p,,1,ok,,4.02,3.97,4.07,,\n",
                (VerdictSide){.text = "5 of 6 pairs; 1 as fast (within 5%)", .count = 5, .of = 6},
                AGREEMENT_DIFFERS);
    check_order("kernel_ms_median",
                "a,360p,,1,ok,,2,1,9,,\nb,360p,,1,ok,,5,1,9,,\n"
                "c,360p,,1,ok,,3,1,9,,\nd,360p,,1,ok,,4,1,9,,\n",
                (VerdictSide){.of = 6, .open = 6}, AGREEMENT_OPEN);
}

/* Without intervals a and c are equal, d is 9% above c; 8.8 is 11% above 7.9. */
TEST(ties_have_no_order) {
    check_order("end_to_end_ms",
                "a,360p,,1,ok,,,,,,7.9\nb,360p,,1,ok,,,,,,20\n"
                "c,360p,,1,ok,,,,,,7.9\nd,360p,,1,ok,,,,,,8.6\n",
                (VerdictSide){.text = "3 of 6 pairs; 3 undecided: within 10%, no intervals",
                              .count = 3,
                              .of = 6,
                              .open = 3},
                AGREEMENT_OPEN);
    check_order("end_to_end_ms",
                "a,360p,,1,ok,,,,,,7.9\nb,360p,,1,ok,,,,,,20\n"
                "c,360p,,1,ok,,,,,,7.9\nd,360p,,1,ok,,,,,,8.8\n",
                (VerdictSide){.count = 5, .of = 6, .open = 1}, AGREEMENT_OPEN);
}

/* Rows that show one measurement are no pair: of six, five are left. */
TEST(one_measurement_is_no_pair) {
    CHECK("table t Same\n from main\n where size=360p\n row a variant=a\n"
          " row again variant=a\n row b variant=b\n row c variant=c\n"
          "column Found - threads\n",
          "t,a,Found,1,-,m,T\nt,again,Found,2,-,m,T\nt,b,Found,3,-,m,T\nt,c,Found,4,-,m,T\n",
          "a,360p,,1,ok,,,,,,\nb,360p,,2,ok,,,,,,\nc,360p,,3,ok,,,,,,\n",
          {NULL, CLAIM_ORDER, "the paper's order by Found", SIDE(.of = 5, .open = 5), NOTHING,
           AGREEMENT_OPEN});
}
