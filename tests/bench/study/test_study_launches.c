/* Numbers of a study whose step left a run: ratios are formed in each launch, and sides are those
 * of the judge. */
#include "bench/sample_results.h"
#include "bench/scratch_study.h"
#include "cost.h"
#include "document.h"
#include "registry.h"
#include "report_internal.h"
#include "results.h"
#include "results_internal.h"
#include "stored_run.h"
#include "study_internal.h"
#include "test.h"

enum { LAUNCHES = 6 };

static const char text[] =
    "study test\ntitle Test\n\nstep main run\n  --algo lbp\n\n"
    "table t Times\n from main\n row Plain variant=seq\n row Vectors variant=simd\n"
    " row Threads variant=omp\ncolumn Time ms kernel_ms_median\n"
    "column Mean ms kernel_ms_mean\ncolumn Gain x base Plain Time\n";

/* A cell with a sample of so many milliseconds in each launch; tuned to threads unless 0. */
static void add(Results *results, const char *variant, int threads, const double *milliseconds) {
    Row row = sample_row(variant);
    row.status = CELL_OK;
    row.verified = true;
    row.cost = (Cost){.bytes = 24, .operations = 96, .items = 12};
    for (uint32_t i = 0; i < LAUNCHES; i++) {
        row.kernel.origin.launch = row.end_to_end.origin.launch = i;
        assert_ok(samples_add(&row.kernel, 1e-3 * milliseconds[i]));
        assert_ok(samples_add(&row.end_to_end, 1e-3 * milliseconds[i]));
    }
    if (threads > 0) {
        set_threads(&row, threads);
    }
    row_complete_summaries(&row);
    assert_ok(results_add(results, &row));
}

/* The run is results.csv and results.json in the step's folder. */
static void make_study_of(Results *results, const char *published, ScratchStudy *study) {
    char path[512];
    scratch_study_open(study, text, published, "");
    scratch_path(&study->folder, "results.csv", path);
    assert_ok(report_csv(path, sample_record(), results));
    scratch_path(&study->folder, "results.json", path);
    assert_ok(report_json(path, sample_record(), results));
    scratch_study_make(study);
}

static void make_study(Results *results, ScratchStudy *study) {
    make_study_of(results, NULL, study);
}

static const StudyValue *value(const ScratchStudy *study, size_t row, size_t column) {
    return study_value(&study->result.tables[0], row, column);
}

/* Launches take from 1 to 2 times as long, and simd always 0.9 of seq: the intervals overlap, the
 * ratios do not have 1 in them. */
TEST(a_ratio_is_formed_in_each_launch) {
    RELEASED_BY(results_release) Results results = {.rows = NULL};
    add(&results, "seq", 0, (const double[]){10, 12, 14, 16, 18, 20});
    add(&results, "simd", 0, (const double[]){9, 10.8, 12.6, 14.4, 16.2, 18});
    add(&results, "omp", 2, (const double[]){20, 18, 16, 14, 12, 10});
    RELEASED_BY(scratch_study_close) ScratchStudy study;
    make_study(&results, &study);
    const StudyValue *gain = value(&study, 1, 2);
    assert_near(gain->measured, 1 / 0.9, 1e-6);
    assert_near(gain->low, 1 / 0.9, 1e-6);
    assert_near(gain->high, 1 / 0.9, 1e-6);
    const StudyValue *seq = value(&study, 0, 0), *simd = value(&study, 1, 0);
    assert_true(simd->high > seq->low);
    assert_int_equal(study_side(simd, seq, false), SIDE_FASTER);
    assert_int_equal(study_side(seq, simd, false), SIDE_SLOWER);
    assert_int_equal(study_side(seq, value(&study, 2, 0), false), SIDE_UNDECIDED);
    assert_int_equal(study_side(value(&study, 1, 1), value(&study, 0, 1), false), SIDE_FASTER);
}

/* Claims say how many launches they rest on. */
TEST(a_claim_names_its_launches) {
    static const char published[] = "t,Plain,Time,20,ms,m,T\nt,Vectors,Time,10,ms,m,T\n";
    RELEASED_BY(results_release) Results results = {.rows = NULL};
    add(&results, "seq", 0, (const double[]){10, 12, 14, 16, 18, 20});
    add(&results, "simd", 0, (const double[]){9, 10.8, 12.6, 14.4, 16.2, 18});
    RELEASED_BY(scratch_study_close) ScratchStudy study;
    RELEASED_BY(claims_release) ClaimList list = {.items = NULL};
    make_study_of(&results, published, &study);
    assert_ok(study_claims_judge(&study.result, &list));
    assert_true(list.count > 0);
    for (size_t i = 0; i < list.count; i++) {
        assert_string_equal(list.items[i].launches, "6");
    }
}

/* Of two tunings each launch takes the one that the other five find faster: 10, 10, 10, 11, 11 and
 * 11 ms, and not the least of the medians, 10. */
TEST(the_luck_of_a_launch_makes_no_best) {
    RELEASED_BY(results_release) Results results = {.rows = NULL};
    add(&results, "seq", 0, (const double[]){100, 100, 100, 100, 100, 100});
    add(&results, "simd", 0, (const double[]){50, 50, 50, 50, 50, 50});
    add(&results, "omp", 2, (const double[]){10, 10, 10, 10, 10, 10});
    add(&results, "omp", 4, (const double[]){9, 9, 9, 11, 11, 11});
    RELEASED_BY(scratch_study_close) ScratchStudy study;
    make_study(&results, &study);
    assert_near(value(&study, 2, 0)->measured, 10.5, 1e-6);
}

static void check_lead(Results *results, const char *expected) {
    Document document;
    ScratchStudy study;
    make_study(results, &study);
    study_report_build(&study.result, &(StudyRuns){.count = 0}, &document);
    assert_ok(document_status(&document));
    const char *lead = "";
    for (size_t i = 0; i < document.count; i++) {
        lead = document.blocks[i].kind == BLOCK_LEAD ? document.blocks[i].text : lead;
    }
    assert_string_equal(lead, expected);
    document_release(&document);
    scratch_study_close(&study);
    results_release(results);
}

/* The same on a device: the ratios are 50/10, three times, and 50/11, and not those of the cell
 * whose median is the least, 50/9 and 50/11. */
TEST(the_luck_of_a_launch_is_not_in_the_lead) {
    Results results = {.rows = NULL};
    add(&results, "seq", 0, (const double[]){100, 100, 100, 100, 100, 100});
    add(&results, "simd", 0, (const double[]){50, 50, 50, 50, 50, 50});
    add(&results, "cuda_naive", 0, (const double[]){10, 10, 10, 10, 10, 10});
    add(&results, "cuda_tiled", 0, (const double[]){9, 9, 9, 11, 11, 11});
    check_lead(&results, "Here: up to 4.77× over the best CPU variant. Over plain code on one "
                         "thread: up to 9.55×, better algorithms included. By kernel time.");
}

/* At another size the factors are ten times as great, but other guests had the host's processors:
 * they are no lead. */
TEST(a_disturbed_cell_is_no_lead) {
    Results results = {.rows = NULL};
    for (size_t size = 0; size < 2; size++) {
        const double device = size == 0 ? 10 : 1;
        add(&results, "seq", 0, (const double[]){100, 100, 100, 100, 100, 100});
        add(&results, "simd", 0, (const double[]){50, 50, 50, 50, 50, 50});
        add(&results, "cuda_naive", 0,
            (const double[]){device, device, device, device, device, device});
        for (size_t i = results.count - 3; i < results.count && size > 0; i++) {
            results.rows[i].width *= 2;
            snprintf(results.rows[i].size_name, sizeof results.rows[i].size_name, "wide");
        }
    }
    Row *disturbed = &results.rows[results.count - 1];
    disturbed->held = false;
    disturbed->stolen_share = 0.5;
    check_lead(&results, "Here: up to 5.00× over the best CPU variant. Over plain code on one "
                         "thread: up to 10.0×, better algorithms included. By kernel time.");
}

/* Rows of `copy`, at another size, whose factors are a hundred times as great. */
static void add_copies(Results *results) {
    const size_t first = results->count;
    add(results, "seq", 0, (const double[]){100, 100, 100, 100, 100, 100});
    add(results, "simd", 0, (const double[]){50, 50, 50, 50, 50, 50});
    add(results, "cuda_naive", 0, (const double[]){0.1, 0.1, 0.1, 0.1, 0.1, 0.1});
    for (size_t i = first; i < results->count; i++) {
        Row *row = &results->rows[i];
        row->algorithm = registry_find_algorithm("copy");
        row->variant = registry_find_variant(row->algorithm, row->variant->name);
        row->cost.operations = 0;
        row->width *= 2;
        snprintf(row->size_name, sizeof row->size_name, "wide");
    }
}

TEST(a_copy_is_no_lead_beside_what_computes) {
    Results results = {.rows = NULL};
    add(&results, "seq", 0, (const double[]){100, 100, 100, 100, 100, 100});
    add(&results, "simd", 0, (const double[]){50, 50, 50, 50, 50, 50});
    add(&results, "cuda_naive", 0, (const double[]){10, 10, 10, 10, 10, 10});
    add_copies(&results);
    check_lead(&results, "Here: up to 5.00× over the best CPU variant. Over plain code on one "
                         "thread: up to 10.0×, better algorithms included. By kernel time.");
}

TEST(a_copy_leads_where_nothing_else_was_measured) {
    Results results = {.rows = NULL};
    add_copies(&results);
    check_lead(&results, "Here: up to 500× over the best CPU variant. Over plain code on one "
                         "thread: up to 1000×, better algorithms included. By kernel time.");
}

TEST(a_device_that_is_nowhere_faster_does_not_lead) {
    Results results = {.rows = NULL};
    add(&results, "seq", 0, (const double[]){100, 100, 100, 100, 100, 100});
    add(&results, "simd", 0, (const double[]){50, 50, 50, 50, 50, 50});
    add(&results, "cuda_naive", 0, (const double[]){80, 80, 80, 80, 80, 80});
    check_lead(&results, "Here: nowhere faster than the best CPU variant for certain. Over plain "
                         "code on one thread: up to 1.25×, better algorithms included. By kernel "
                         "time.");
}

/* Of one launch: even turns take 10 ms, odd ones `odd`. */
static void add_turns(Results *results, int threads, double odd) {
    enum { TURNS = 24 };
    Row row = sample_row("omp");
    row.status = CELL_OK;
    row.verified = true;
    row.cost = (Cost){.bytes = 24, .operations = 96, .items = 12};
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        row.kernel.origin.turn = turn;
        const double noise = 1 + 1e-3 * (turn / 2 % 5);
        const double seconds = 1e-3 * noise * (turn % 2 == 1 ? odd : 10);
        assert_ok(samples_add(&row.kernel, seconds));
    }
    set_threads(&row, threads);
    row_complete_summaries(&row);
    assert_ok(results_add(results, &row));
}

/* The tuning that odd turns find the faster one has the time of its even turns: noise of 0, 0, 0,
 * 1, 1, 1, 2, 2, 3, 3, 4 and 4 thousandths has the median 1.5. */
TEST(the_luck_of_a_turn_makes_no_best) {
    RELEASED_BY(results_release) Results results = {.rows = NULL};
    add_turns(&results, 2, 10);
    add_turns(&results, 4, 9.98);
    RELEASED_BY(scratch_study_close) ScratchStudy study;
    make_study(&results, &study);
    assert_near(value(&study, 2, 0)->measured, 10.015, 1e-6);
    assert_near(value(&study, 2, 0)->times.launches[0], 0.010015, 1e-6);
    assert_true(study_value_number(value(&study, 2, 0), csv_column_find("threads")) == 4);
}

/* Without the run beside it the CSV has its intervals, and these overlap. */
TEST(a_table_alone_has_its_intervals) {
    RELEASED_BY(results_release) Results results = {.rows = NULL};
    add(&results, "seq", 0, (const double[]){10, 12, 14, 16, 18, 20});
    add(&results, "simd", 0, (const double[]){9, 10.8, 12.6, 14.4, 16.2, 18});
    RELEASED_BY(scratch_study_close) ScratchStudy study;
    char path[512];
    scratch_study_open(&study, text, NULL, "");
    scratch_path(&study.folder, "results.csv", path);
    assert_ok(report_csv(path, sample_record(), &results));
    scratch_study_make(&study);
    assert_int_equal(study_side(value(&study, 1, 0), value(&study, 0, 0), false), SIDE_UNDECIDED);
}

/* A step that is a run has the rows of its results.json, by the columns of row.def, and its facts;
 * the table beside them is not read. */
TEST(a_run_is_read_as_its_rows) {
    RELEASED_BY(results_release) Results results = {.rows = NULL};
    RunRecord record = *sample_record();
    add(&results, "seq", 0, (const double[]){10, 12, 14, 16, 18, 20});
    record.warnings.count = 1;
    snprintf(record.warnings.text[0], WARNING_SIZE, "the machine was \"busy\"");
    RELEASED_BY(scratch_study_close) ScratchStudy study;
    char path[512];
    scratch_study_open(&study, text, NULL, "variant,status,kernel_ms_median\nseq,ok,1\n");
    scratch_path(&study.folder, "results.json", path);
    assert_ok(report_json(path, &record, &results));
    scratch_study_make(&study);
    const StepRecords *records = &study.result.records[0];
    assert_near(value(&study, 0, 0)->measured, 15, 1e-6);
    assert_string_equal(csv_frame_fact(&records->table, "started"), record.started);
    assert_string_equal(csv_frame_fact(&records->table, "warning"), "the machine was \"busy\"");
    assert_int_equal(records->count, 1);
    assert_ptr_equal(records->list[0].row, &records->run->results.rows[0]);
}

/* Another table of the same folder is read as that. */
TEST(another_table_beside_a_run_is_a_table) {
    RELEASED_BY(results_release) Results results = {.rows = NULL};
    add(&results, "seq", 0, (const double[]){10, 12, 14, 16, 18, 20});
    RELEASED_BY(scratch_study_close) ScratchStudy study;
    char path[512];
    scratch_study_open(&study, text, NULL, "");
    scratch_path(&study.folder, "results.json", path);
    assert_ok(report_json(path, sample_record(), &results));
    scratch_write(&study.folder, "profile.csv", "variant,status,kernel_ms_median\nseq,ok,3\n");
    scratch_path(&study.folder, "profile.csv", study.outcomes[0].csv);
    scratch_study_make(&study);
    assert_near(value(&study, 0, 0)->measured, 3, 1e-6);
    assert_null(value(&study, 0, 0)->record->row);
}
