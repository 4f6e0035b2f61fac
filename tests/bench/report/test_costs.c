/* The section "Cost and energy" of a page: joules over launches, and idle power beside them. */
#include "document.h"
#include "report.h"
#include "report_fixture.h"
#include "report_internal.h"
#include "stored_run.h"
#include "test.h"

/* Three launches of one window each; no joules: the counter could not be read. */
static void add_row(StoredRun *stored, const char *variant, const double joules[3], double idle) {
    Row row = measured_row(variant, 0.001);
    for (uint32_t launch = 0; joules != NULL && launch < 3; launch++) {
        row.energy_samples.origin = (SampleOrigin){.launch = launch};
        assert_ok(samples_add(&row.energy_samples, joules[launch]));
    }
    row.idle_watt = idle;
    assert_ok(results_add(&stored->results, &row));
}

static Report report_of(const double cpu[3], double cpu_idle) {
    static const double gpu[] = {0.0021, 0.0019, 0.002};
    Report report = {.stored = {.elapsed = NAN, .complete = true}};
    add_row(&report.stored, "seq", cpu, cpu_idle);
    add_row(&report.stored, "cuda_fast", gpu, 71.25);
    results_derive(&report.stored.results, 1);
    build(&report);
    return report;
}

TEST(joules_have_their_launches_and_idle_power_beside_them) {
    static const double cpu[] = {0.02, 0.03, 0.04};
    RELEASED_BY(release) Report report = report_of(cpu, 12);
    const DocTable *costs = find_table(&report, "costs");
    assert_string_equal(cell(costs, 0, NULL, "GPU energy")->text, "2.00 mJ (1.90 mJ to 2.10 mJ)");
    assert_string_equal(cell(costs, 0, NULL, "GPU idle")->text, "71.2 W");
    assert_string_equal(cell(costs, 0, NULL, "CPU energy")->text, "30.0 mJ (20.0 mJ to 40.0 mJ)");
    assert_string_equal(cell(costs, 0, NULL, "CPU idle")->text, "12.0 W");
    assert_says(costs->note, "of its whole board without its host");
    assert_says(costs->note, "without memory and board");
}

/* In a virtual machine the processor's counter is seldom there. */
TEST(a_side_without_joules_has_no_columns) {
    RELEASED_BY(release) Report report = report_of(NULL, NAN);
    const DocTable *costs = find_table(&report, "costs");
    for (size_t i = 0; i < costs->column_count; i++) {
        assert_null(strstr(costs->columns[i].title, "CPU"));
    }
    assert_string_equal(cell(costs, 0, NULL, "GPU idle")->text, "71.2 W");
}
