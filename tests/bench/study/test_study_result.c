/* The numbers of a study's tables: which record they are from, units, intervals, ratios, and why
 * there is none. */
#include "document.h"
#include "scratch_study.h"
#include "study_internal.h"
#include "table.h"
#include "test.h"

static const char head[] = "study test\ntitle Test\n\nstep main run\n  --algo lbp\n\n";
static const char columns[] =
    "variant,size,answer,tuning,threads,status,why,samples,kernel_ms_median,kernel_ms_ci_low,"
    "kernel_ms_ci_high,kernel_ms_mean,kernel_ms_stddev,end_to_end_ms,end_to_end_ms_ci_low,"
    "end_to_end_ms_ci_high,mpixel_s,stages_ms\n";
/* Two tile widths of `omp`: the second has the faster median, the first the faster sort. */
static const char rows[] =
    "seq,4K,pr:8:1,,1,ok,,16,8,7,9,8.5,2,8,7,9,100,\n"
    "omp,4K,pr:8:1,tile:8,4,ok,,16,4,3,5,4.5,2,6,5,8,200,\"sort:1,merge:3\"\n"
    "omp,4K,pr:8:1,tile:16,4,ok,,16,2,1.5,2.5,2.75,1,7,6,9,300,\"sort:1.5,merge:0.5\"\n"
    "omp,4K,pr:16:2,tile:16,4,ok,,1,5,,,5,,5,,,50,\n"
    "wild,4K,pr:8:1,,1,ok,,4,3,,,3,8,3,,,50,\n"
    "cuda,4K,pr:8:1,tile:8,0,skip,no CUDA device: no NVIDIA driver is installed,,,,,,,,,,,\n"
    "cuda,360p,pr:8:1,tile:8,0,fail,,,,,,,,,,,,\n";

static void open_table(ScratchStudy *scratch, const char *table, const char *published) {
    char study[4096];
    char records[4096];
    snprintf(study, sizeof study, "%s%s", head, table);
    snprintf(records, sizeof records, "%s%s", columns, rows);
    scratch_study_open(scratch, study, published, records);
}

static const StudyValue *value(const ScratchStudy *scratch, size_t row, size_t column) {
    return study_value(&scratch->result.tables[0], row, column);
}

static void check(const StudyValue *of, double measured, double low, double high) {
    assert_string_equal(of->why, "");
    assert_float_equal(of->measured, measured, 1e-9);
    if (isnan(low)) {
        assert_true(isnan(of->low) && isnan(of->high));
    } else {
        assert_float_equal(of->low, low, 1e-9);
        assert_float_equal(of->high, high, 1e-9);
    }
}

static void check_why(const StudyValue *of, const char *why) {
    assert_string_equal(of->why, why);
    assert_true(isnan(of->measured) && isnan(of->low) && isnan(of->high));
    assert_null(of->record);
}

TEST(times_are_the_fastest_in_their_unit) {
    RELEASED_BY(scratch_study_close) ScratchStudy scratch;
    open_table(&scratch,
               "table t Times\n from main\n where size=4k pr=8:1\n row omp variant=omp\n"
               "column A ms kernel_ms_median\ncolumn B us kernel_ms_median\n"
               "column C s end_to_end_ms\ncolumn D ms kernel_ms_mean\n"
               "column E ms kernel_ms_median tile=8\ncolumn F furlongs end_to_end_ms\n"
               "column G min end_to_end_ms\n",
               NULL);
    scratch_study_make(&scratch);
    check(value(&scratch, 0, 0), 2, 1.5, 2.5);
    check(value(&scratch, 0, 1), 2000, 1500, 2500);
    check(value(&scratch, 0, 2), 0.006, 0.005, 0.008);
    /* 2.75 ± 1.96 · 1 / √16 */
    check(value(&scratch, 0, 3), 2.75, 2.26, 3.24);
    check(value(&scratch, 0, 4), 4, 3, 5);
    check(value(&scratch, 0, 5), 6, 5, 8);
    check(value(&scratch, 0, 6), 1e-4, 5e-3 / 60, 8e-3 / 60);
    assert_ptr_equal(value(&scratch, 0, 0)->record, &scratch.result.records[0].list[2]);
    assert_ptr_equal(value(&scratch, 0, 2)->record, &scratch.result.records[0].list[1]);
}

TEST(intervals_of_times_end_at_zero) {
    RELEASED_BY(scratch_study_close) ScratchStudy scratch;
    open_table(&scratch,
               "table t Times\n from main\n where size=4K\n row wild variant=wild\n"
               " row single variant=omp pr=16:2\ncolumn Mean ms kernel_ms_mean\n",
               NULL);
    scratch_study_make(&scratch);
    /* 3 ± 1.96 · 8 / √4 */
    check(value(&scratch, 0, 0), 3, 0, 10.84);
    check(value(&scratch, 1, 0), 5, NAN, NAN);
}

/* Columns that come with launches. Of six the mean has the interval of the median in proportion: 5
 * is 1.25 · 4, so 3 to 6 becomes 3.75 to 7.5. Three have none. Of one launch 16 samples that count
 * for 4 give 4 ± 1.96 · 2 / √4. */
TEST(intervals_rest_on_launches) {
    static const char launches[] =
        "variant,status,samples,kernel_ms_median,kernel_ms_ci_low,kernel_ms_ci_high,"
        "kernel_ms_mean,kernel_ms_stddev,launches,n_effective\n"
        "six,ok,48,4,3,6,5,2,6,6\nthree,ok,24,4,,,5,2,3,3\none,ok,16,4,3,5,4,2,1,4\n";
    char study[1024];
    snprintf(study, sizeof study,
             "%stable t Times\n from main\n row R{variant} variant=six,three,one\n"
             "column A ms kernel_ms_median\ncolumn B ms kernel_ms_mean\n"
             "column C x base Rone A\n",
             head);
    RELEASED_BY(scratch_study_close) ScratchStudy scratch;
    scratch_study_open(&scratch, study, NULL, launches);
    scratch_study_make(&scratch);
    check(value(&scratch, 0, 0), 4, 3, 6);
    check(value(&scratch, 0, 1), 5, 3.75, 7.5);
    check(value(&scratch, 1, 0), 4, NAN, NAN);
    check(value(&scratch, 1, 1), 5, NAN, NAN);
    check(value(&scratch, 2, 1), 4, 2.04, 5.96);
    assert_int_equal(value(&scratch, 0, 0)->launches.least, 6);
    assert_int_equal(value(&scratch, 1, 0)->launches.most, 3);
    assert_int_equal(value(&scratch, 0, 2)->launches.least, 1); /* of one launch over six */
    assert_int_equal(value(&scratch, 0, 2)->launches.most, 6);
}

/* Of six launches, in proportion: the least 3 is 0.75 · 4, so 3 to 6 becomes 2.25 to 4.5; resident
 * 5 is half of the end to end, 10 with 8 to 14; with allocation the mean 24 is 1.2 · 20 with 15
 * to 30. One launch has none of a least time. */
TEST(other_times_have_the_interval_of_their_median) {
    static const char launches[] =
        "variant,status,samples,kernel_ms_median,kernel_ms_ci_low,kernel_ms_ci_high,kernel_ms_min,"
        "resident_ms_min,end_to_end_ms,end_to_end_ms_ci_low,end_to_end_ms_ci_high,with_alloc_ms,"
        "with_alloc_ms_mean,launches,with_alloc_ms_ci_low,with_alloc_ms_ci_high\n"
        "six,ok,48,4,3,6,3,5,10,8,14,20,24,6,15,30\none,ok,16,4,3,5,3,5,10,8,14,20,24,1,,\n";
    char study[1024];
    snprintf(study, sizeof study,
             "%stable t Times\n from main\n row R{variant} variant=six,one\n"
             "column A ms kernel_ms_min\ncolumn B ms resident_ms_min\n"
             "column C ms with_alloc_ms\ncolumn D ms with_alloc_ms_mean\n",
             head);
    RELEASED_BY(scratch_study_close) ScratchStudy scratch;
    scratch_study_open(&scratch, study, NULL, launches);
    scratch_study_make(&scratch);
    check(value(&scratch, 0, 0), 3, 2.25, 4.5);
    check(value(&scratch, 0, 1), 5, 4, 7);
    check(value(&scratch, 0, 2), 20, 15, 30);
    check(value(&scratch, 0, 3), 24, 18, 36);
    check(value(&scratch, 1, 0), 3, NAN, NAN);
    check(value(&scratch, 1, 1), 5, NAN, NAN);
    check(value(&scratch, 1, 2), 20, NAN, NAN);
    check(value(&scratch, 1, 3), 24, NAN, NAN);
}

TEST(parts_are_of_the_fastest_run) {
    RELEASED_BY(scratch_study_close) ScratchStudy scratch;
    open_table(&scratch,
               "table t Stages\n from main\n where size=4K\n row omp variant=omp pr=8:1\n"
               " row seq variant=seq pr=8:1\n"
               "column Sort us stages_ms:sort\ncolumn Merge ms stages_ms:merge\n",
               NULL);
    scratch_study_make(&scratch);
    check(value(&scratch, 0, 0), 1500, NAN, NAN);
    check(value(&scratch, 0, 1), 0.5, NAN, NAN);
    check_why(value(&scratch, 1, 0), "the record has no number there");
}

TEST(other_numbers_must_be_of_one_record) {
    RELEASED_BY(scratch_study_close) ScratchStudy scratch;
    open_table(&scratch,
               "table t Rates\n from main\n where size=4K\n row omp variant=omp\n"
               " row one variant=seq\n"
               "column Rate Mpixel/s mpixel_s\ncolumn Tiled Mpixel/s mpixel_s pr=8:1 tile=16\n"
               "column Word - why\ncolumn None - nothing\ncolumn Text - variant\n",
               NULL);
    scratch_study_make(&scratch);
    check_why(value(&scratch, 0, 0), "3 records match");
    check(value(&scratch, 0, 1), 300, NAN, NAN);
    check(value(&scratch, 1, 0), 100, NAN, NAN);
    check_why(value(&scratch, 1, 2), "the record has no number there");
    check_why(value(&scratch, 1, 3), "the step's CSV has no column 'nothing'");
    check_why(value(&scratch, 1, 4), "'seq' is no number");
    /* What the machine does not tell is no failure; a word for a number is an error of the study.
     */
    assert_false(value(&scratch, 1, 2)->wrong);
    assert_true(value(&scratch, 1, 4)->wrong);
}

/* 2 ms of a machine at 0.36 an hour and 1 ms of one at 7.2: a million runs take 2000 and 1000 s,
 * and cost 0.2 and 2. The thriftiest of several records is that of the least joules. */
TEST(costs_and_the_least_by_another_column) {
    RELEASED_BY(scratch_study_close) ScratchStudy scratch;
    scratch_study_open(&scratch,
                       "study test\ntitle Test\nstep main run\n --algo lbp\n"
                       " --price gpu=7.2,cpu=0.36\ntable t Costs\n from main\n"
                       " row cpu backend=cpu\n row cuda backend=cuda\n"
                       " column Time ms kernel_ms_median\n column Cost EUR cost Time\n"
                       " column Joules J joule by joule\n column Fast J joule by kernel_ms_median\n"
                       " column Changed - linear Joules -2 10\n",
                       NULL,
                       "backend,status,kernel_ms_median,kernel_ms_ci_low,kernel_ms_ci_high,joule\n"
                       "cpu,ok,2,1.8,2.2,5\ncpu,ok,3,2.9,3.1,4\ncuda,ok,1,0.9,1.1,7\n"
                       "cuda,ok,8,7,9,6\n");
    scratch_study_make(&scratch);
    const TableResult *table = &scratch.result.tables[0];
    check(study_value(table, 0, 1), 0.2, 0.18, 0.22);
    check(study_value(table, 1, 1), 2, 1.8, 2.2);
    check(study_value(table, 0, 2), 4, NAN, NAN);
    check(study_value(table, 1, 2), 6, NAN, NAN);
    check(study_value(table, 0, 3), 5, NAN, NAN);
    check(study_value(table, 1, 3), 7, NAN, NAN);
    check(study_value(table, 0, 4), 2, NAN, NAN);
}

/* That a machine does not tell its joules is no failure; a record that failed is one. */
TEST(what_is_not_told_is_no_failure) {
    RELEASED_BY(scratch_study_close) ScratchStudy scratch;
    scratch_study_open(&scratch,
                       "study test\ntitle Test\nstep main run\ntable t T\n from main\n"
                       " row {size} size=1,2,3\ncolumn J J joule by joule\n",
                       NULL, "size,status,joule\n1,ok,\n2,ok,\n2,fail,\n3,ok,many\n");
    scratch_study_make(&scratch);
    for (size_t row = 0; row < 3; row++) {
        assert_string_equal(value(&scratch, row, 0)->missing, "no number");
        assert_int_equal(value(&scratch, row, 0)->wrong, row > 0);
    }
}

/* The last price counts, however its line is written. */
TEST(prices_are_those_of_the_request) {
    RELEASED_BY(scratch_study_close) ScratchStudy scratch;
    scratch_study_open(&scratch,
                       "study test\ntitle Test\nstep main run\n --price gpu=1,cpu=1\n"
                       " argument --price=gpu=7.2,cpu=0.36\n --no-such-option 5\n"
                       "table t Costs\n from main\n row cpu backend=cpu\n"
                       " column Time ms kernel_ms_median\n column Cost EUR cost Time\n",
                       NULL, "backend,status,kernel_ms_median\ncpu,ok,2\n");
    scratch_study_make(&scratch);
    check(value(&scratch, 0, 1), 0.2, NAN, NAN);
}

/* A study without a citation and published numbers is of no paper. */
TEST(a_study_may_be_of_no_paper) {
    static const char rest[] = "step main run\n --algo lbp\ntable t T\n from main\n row R\n"
                               " column Time ms kernel_ms_median\n";
    for (int paper = 0; paper < 2; paper++) {
        char text[512], words[CLAIMS_TEXT_SIZE];
        ClaimList list = {.items = NULL};
        RELEASED_BY(scratch_study_close) ScratchStudy scratch;
        snprintf(text, sizeof text, "study test\ntitle Test\n%s%s",
                 paper == 1 ? "citation \"A. Author: A paper\"\n" : "", rest);
        scratch_study_open(&scratch, text, NULL, "variant,kernel_ms_median\na,1\n");
        scratch_study_make(&scratch);
        RELEASED_BY(document_release) Document document;
        study_report_build(&scratch.result, &(StudyRuns){.count = 0}, &document);
        assert_string_equal(document.title, paper == 1 ? "Test: measured again" : "Test");
        bool named = false;
        for (size_t i = 0; i < document.count; i++) {
            const Block *block = &document.blocks[i];
            const char *note = block->kind == BLOCK_TABLE ? block->table->note : block->text;
            named |= note != NULL && strstr(note, "The paper") != NULL;
        }
        assert_int_equal(named, paper);
        study_claims_text(&scratch.result, &list, words);
        assert_int_equal(strstr(words, "There is no paper") != NULL, paper == 0);
    }
}

TEST(nearer_conditions_stand_before_wider_ones) {
    RELEASED_BY(scratch_study_close) ScratchStudy scratch;
    open_table(&scratch,
               "table t Times\n from main\n where size=4K variant=seq pr=8:1\n row table\n"
               " row own variant=omp pr=16:2\n"
               "column A ms kernel_ms_median\ncolumn B ms kernel_ms_median pr=8:1 tile=8\n",
               NULL);
    scratch_study_make(&scratch);
    check(value(&scratch, 0, 0), 8, 7, 9);
    check(value(&scratch, 1, 0), 5, NAN, NAN);
    check(value(&scratch, 1, 1), 4, 3, 5);
}

TEST(ratios_are_of_measured_numbers) {
    RELEASED_BY(scratch_study_close) ScratchStudy scratch;
    open_table(&scratch,
               "table t Ratios\n from main\n where size=4K pr=8:1\n row seq variant=seq\n"
               " row omp variant=omp\n row cuda variant=cuda\n"
               "column Kernel ms kernel_ms_median\ncolumn Whole us end_to_end_ms\n"
               "column Share x ratio Kernel Whole\ncolumn Speedup x base seq Kernel\n"
               "column Mean ms kernel_ms_median pr=16:2\ncolumn Odd x ratio Kernel Mean\n",
               "t,omp,Speedup,3.7,x,old,Table 1\nt,seq,Kernel,8.10,ms,old,Table 1\n");
    scratch_study_make(&scratch);
    /* 2 ms by 6 ms, though that is written in us; 1.5/8 to 2.5/5 */
    check(value(&scratch, 1, 2), 1.0 / 3, 0.1875, 0.5);
    /* 8 by 2; 7/2.5 to 9/1.5 */
    check(value(&scratch, 1, 3), 4, 2.8, 6);
    check(value(&scratch, 0, 3), 1, NAN, NAN);
    check_why(value(&scratch, 2, 3), "no CUDA device: no NVIDIA driver is installed");
    /* No interval without both; a reason of what is below. */
    check(value(&scratch, 1, 5), 0.4, NAN, NAN);
    check_why(value(&scratch, 0, 5), "no record has all of pr=16:2, variant=seq, size=4K");
    assert_null(value(&scratch, 1, 3)->record);
    assert_float_equal(value(&scratch, 1, 3)->published, 3.7, 0);
    assert_string_equal(value(&scratch, 0, 0)->paper->printed, "8.10");
    assert_true(isnan(value(&scratch, 0, 3)->published));
    assert_null(value(&scratch, 0, 3)->paper);
}

static const char missing_table[] =
    "table t Missing\n from main\n row skipped variant=cuda size=4K\n"
    " row failed variant=cuda size=360p\n row absent variant=other\ncolumn A ms kernel_ms_median\n";

TEST(reasons_come_from_the_record_then_the_step) {
    ScratchStudy scratch;
    open_table(&scratch, missing_table, NULL);
    scratch_study_make(&scratch);
    check_why(value(&scratch, 0, 0), "no CUDA device: no NVIDIA driver is installed");
    check_why(value(&scratch, 1, 0), "skipped");
    check_why(value(&scratch, 2, 0), "no record has variant=other");
    scratch_study_close(&scratch);

    open_table(&scratch, missing_table, NULL);
    scratch.outcomes[0].state = STEP_NOT_RUN;
    snprintf(scratch.outcomes[0].csv, sizeof scratch.outcomes[0].csv, "/nowhere/results.csv");
    scratch_study_make(&scratch);
    check_why(value(&scratch, 2, 0), "the step 'main' was not run");
    scratch_study_close(&scratch);

    open_table(&scratch, missing_table, NULL);
    scratch.settings.quick = true;
    scratch.outcomes[0].state = STEP_FAILED;
    snprintf(scratch.outcomes[0].why, sizeof scratch.outcomes[0].why, "ended with code 3");
    scratch_study_make(&scratch);
    check_why(value(&scratch, 0, 0), "no CUDA device: no NVIDIA driver is installed");
    check_why(value(&scratch, 2, 0), "ended with code 3");
    scratch_study_close(&scratch);
}

/* Only a step with options of its own for --quick leaves something out because of it. */
TEST(quick_is_a_reason_where_it_changed_the_step) {
    static const char *const studies[] = {"", "quick --reps 1\n"};
    static const char *const reasons[] = {"no record has size=8K",
                                          "no record has size=8K with --quick"};
    for (size_t i = 0; i < 2; i++) {
        char study[512];
        snprintf(study, sizeof study,
                 "%s%stable t Quick\n from main\n row 8K size=8K\ncolumn A ms kernel_ms_median\n",
                 head, studies[i]);
        RELEASED_BY(scratch_study_close) ScratchStudy scratch;
        scratch_study_open(&scratch, study, NULL, "size,kernel_ms_median\n4K,1\n");
        scratch.settings.quick = true;
        scratch_study_make(&scratch);
        check_why(value(&scratch, 0, 0), reasons[i]);
    }
}

TEST(an_empty_file_is_a_reason) {
    RELEASED_BY(scratch_study_close) ScratchStudy scratch;
    scratch_study_open(&scratch,
                       "study test\ntitle Test\nstep main run\ntable t Empty\n from main\n"
                       " row a variant=a\ncolumn A ms kernel_ms_median\n",
                       NULL, "variant,kernel_ms_median\n");
    scratch_study_make(&scratch);
    check_why(value(&scratch, 0, 0), "the step left no records");
}

TEST(unread_files_are_a_reason) {
    ScratchStudy scratch;
    open_table(&scratch, missing_table, NULL);
    snprintf(scratch.outcomes[0].csv, sizeof scratch.outcomes[0].csv, "/nowhere/results.csv");
    scratch_study_make(&scratch);
    assert_says(value(&scratch, 0, 0)->why, "/nowhere/results.csv");
    assert_int_equal(scratch.result.records[0].count, 0);
    assert_int_equal(scratch.result.outcomes[0].state, STEP_FAILED);
    scratch_study_close(&scratch);

    open_table(&scratch, missing_table, NULL);
    snprintf(scratch.outcomes[0].csv, sizeof scratch.outcomes[0].csv, "/nowhere/results.csv");
    scratch.outcomes[0].state = STEP_LEFT_OUT;
    snprintf(scratch.outcomes[0].why, sizeof scratch.outcomes[0].why, "no such picture");
    scratch_study_make(&scratch);
    check_why(value(&scratch, 2, 0), "no such picture");
    scratch_study_close(&scratch);
}

TEST(long_reasons_are_cut_between_characters) {
    RELEASED_BY(scratch_study_close) ScratchStudy scratch;
    open_table(&scratch, missing_table, NULL);
    StepOutcome *outcome = &scratch.outcomes[0];
    outcome->state = STEP_FAILED;
    for (size_t i = 0; i < 100; i++) {
        strcat(outcome->why, "é");
    }
    scratch_study_make(&scratch);
    /* 160 bytes hold 79 of two bytes each, and the end. */
    assert_int_equal(strlen(value(&scratch, 2, 0)->why), 158);
}

TEST(files_without_a_status_are_taken_as_they_are) {
    RELEASED_BY(scratch_study_close) ScratchStudy scratch;
    scratch_study_open(&scratch,
                       "study test\ntitle Test\nstep main match\n --method all\n"
                       "table t Inliers\n from main\n row HashSIFT method=hashsift bits=512\n"
                       "column Inliers - inliers\n",
                       NULL, "method,bits,inliers\nhashsift,256,400\nhashsift,512,430\n");
    scratch_study_make(&scratch);
    check(value(&scratch, 0, 0), 430, NAN, NAN);
}

/* In a profile the word is of kernels, not of processes that measure. */
TEST(launches_are_those_of_a_run) {
    RELEASED_BY(scratch_study_close) ScratchStudy scratch;
    scratch_study_open(&scratch,
                       "study test\ntitle Test\nstep main profile\n --algo haar\n"
                       "table t Counters\n from main\n where part=cell\n row fast variant=fast\n"
                       "column Registers - registers\ncolumn Launches - kernels\n",
                       NULL,
                       "cell,kernel,launches,registers,algorithm,variant,part,kernels\n"
                       "haar/fast,,3,48,haar,fast,cell,3\nhaar/fast,k,3,40,haar,fast,kernel,3\n");
    scratch_study_make(&scratch);
    check(value(&scratch, 0, 0), 48, NAN, NAN);
    check(value(&scratch, 0, 1), 3, NAN, NAN);
    assert_int_equal(value(&scratch, 0, 0)->launches.most, 0);
}

/* A range over seeds stands beside the number; of one seed there is none. */
TEST(numbers_have_ranges_over_seeds) {
    RELEASED_BY(scratch_study_close) ScratchStudy scratch;
    scratch_study_open(&scratch,
                       "study test\ntitle Test\nstep main match\n --seeds 20\n"
                       "table t Inliers\n from main\n row {method} method=a,b,c\n"
                       "column Inliers - inliers\ncolumn Matches - mutual\n",
                       NULL,
                       "method,mutual,inliers,seeds,inliers_low,inliers_high\n"
                       "a,700,430,20,425,441\nb,710,430,1,,\nc,720,430,1,430,430\n");
    scratch_study_make(&scratch);
    check(value(&scratch, 0, 0), 430, 425, 441);
    assert_int_equal(value(&scratch, 0, 0)->seeds, 20);
    assert_int_equal(value(&scratch, 0, 0)->launches.most, 0);
    check(value(&scratch, 0, 1), 700, NAN, NAN);
    assert_int_equal(value(&scratch, 0, 1)->seeds, 0);
    check(value(&scratch, 1, 0), 430, NAN, NAN);
    check(value(&scratch, 2, 0), 430, NAN, NAN);
}

/* Of each image the fastest record, and the mean of these; where one image has no time there is no
 * mean. */
TEST(numbers_are_means_over_a_key) {
    RELEASED_BY(scratch_study_close) ScratchStudy scratch;
    scratch_study_open(&scratch,
                       "study test\ntitle Test\nstep main run\n --algo x\n"
                       "table t Means\n from main\n mean-over input\n row {variant} variant=a,b,c\n"
                       "column Time ms kernel_ms_median\ncolumn \"Over b\" x base b Time\n"
                       "table u Same\n same-as t\n",
                       NULL,
                       "variant,input,tuning,status,why,kernel_ms_median,kernel_ms_ci_low,"
                       "kernel_ms_ci_high,launches\n"
                       "a,one,tile:4,ok,,2,1,3,6\na,one,tile:8,ok,,4,3,5,6\n"
                       "a,two,tile:4,ok,,9,8,9,6\na,two,tile:8,ok,,6,5,8,6\n"
                       "b,one,,ok,,20,,,6\nb,two,,ok,,28,,,6\n"
                       "c,one,,ok,,1,,,6\nc,two,,skip,no CUDA device,,,,\n");
    scratch_study_make(&scratch);
    check(value(&scratch, 0, 0), 4, 3, 5.5);
    assert_int_equal(value(&scratch, 0, 0)->averaged, 2);
    assert_int_equal(value(&scratch, 0, 0)->launches.most, 6);
    check(value(&scratch, 1, 0), 24, NAN, NAN);
    check(value(&scratch, 0, 1), 6, NAN, NAN);
    check_why(value(&scratch, 2, 0), "no CUDA device");
    check(&scratch.result.tables[1].values[0], 4, 3, 5.5);
}

static double number_of(const char *key, const char *condition) {
    Condition items[] = {{"variant", "omp", KEY_VARIANT}, {key, condition, key_kind(key)}};
    const ConditionList conditions = {.items = items, .count = 2};
    return condition_number(&conditions, key);
}

TEST(rows_have_numbers_for_an_axis) {
    assert_float_equal(number_of("threads", "8"), 8, 0);
    assert_float_equal(number_of("threshold", "0.5"), 0.5, 0);
    assert_float_equal(number_of("pr", "24:3"), 24, 0);
    assert_float_equal(number_of("size", "360p"), 172800, 0);
    assert_float_equal(number_of("size", "4k"), 8294400, 0);
    assert_float_equal(number_of("size", "32K"), 530841600, 0);
    assert_float_equal(number_of("size", "640x480"), 307200, 0);
    assert_float_equal(number_of("size", "512"), 262144, 0);
    assert_float_equal(number_of("size", "60000"), 60000, 0);
    assert_true(isnan(number_of("size", "native")));
    assert_true(isnan(number_of("size", "large")));
    assert_true(isnan(number_of("box", "4+8")));
    assert_true(isnan(number_of("tile", "")));
    const ConditionList none = {0};
    assert_true(isnan(condition_number(&none, "size")));
}
