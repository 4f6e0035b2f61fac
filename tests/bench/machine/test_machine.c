/* Machine facts: the ones that every result needs are there, and differences are named. */
#include <omp.h>
#include <unistd.h>

#include "cuda_variables.h"
#include "machine.h"
#include "needs.h"
#include "status_checks.h"
#include "test.h"

TEST(this_machine_is_described) {
    static Machine machine;
    machine_read(&machine);
    static const char *const keys[] = {"host_name",  "kernel",     "cpu_count", "memory_bytes",
                                       "c_compiler", "build_type", "commit",    "dirty"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (machine_fact(&machine, keys[i]) == NULL) {
            fail_msg("there is no fact \"%s\"", keys[i]);
        }
    }
    assert_true(machine.cpu_count >= 1);
    assert_true(machine.cpu_count <= sysconf(_SC_NPROCESSORS_CONF));
    assert_null(machine_fact(&machine, "no_such_fact"));
}

/* What times of a GPU are of, though CUDA says nothing. */
TEST(variables_of_cuda_are_facts_where_they_are_set) {
    static Machine machine;
    for (size_t i = 0; i < cuda_variable_count; i++) {
        unsetenv(cuda_variables[i].name);
    }
    machine_read(&machine);
    for (size_t i = 0; i < cuda_variable_count; i++) {
        assert_null(machine_fact(&machine, cuda_variables[i].key));
        setenv(cuda_variables[i].name, "1\n2", 1);
    }
    machine_read(&machine);
    for (size_t i = 0; i < cuda_variable_count; i++) {
        assert_string_equal(machine_text(&machine, cuda_variables[i].key), "1\\x0a2");
        unsetenv(cuda_variables[i].name);
    }
}

/* MemTotal of /proc/meminfo; virtual machines may change it while the test runs. */
TEST(memory_is_what_the_kernel_says) {
    static Machine machine;
    FILE *file = fopen("/proc/meminfo", "r");
    double kibibytes = 0.0;
    if (file == NULL || fscanf(file, "MemTotal: %lf kB", &kibibytes) != 1) {
        skip_needing("MemTotal in /proc/meminfo", NULL);
    }
    fclose(file);
    machine_read(&machine);
    const double memory = machine_fact(&machine, "memory_bytes")->number;
    assert_true(memory > 0.8 * 1024.0 * kibibytes && memory < 1.25 * 1024.0 * kibibytes);
}

TEST(numbers_of_bytes_are_known_by_their_key) {
    const Fact memory = {.key = "memory_bytes", .kind = FACT_NUMBER, .number = 4096};
    const Fact clock = {.key = "cpu_mhz", .kind = FACT_NUMBER, .number = 4096};
    const Fact text = {.key = "memory_bytes", .kind = FACT_TEXT};
    assert_true(fact_is_of_bytes(&memory));
    assert_false(fact_is_of_bytes(&clock));
    assert_false(fact_is_of_bytes(&text));
}

TEST(keys_are_unique_and_values_are_there) {
    static Machine machine;
    machine_read(&machine);
    for (size_t i = 0; i < machine.count; i++) {
        const Fact *fact = &machine.facts[i];
        assert_true(fact->kind == FACT_NUMBER ? isfinite(fact->number) : fact->text[0] != '\0');
        assert_ptr_equal(machine_fact(&machine, fact->key), fact);
        assert_int_equal(strspn(fact->key, "abcdefghijklmnopqrstuvwxyz0123456789_"),
                         strlen(fact->key));
    }
}

/* Whatever the environment says: a runtime that is started reads it once. */
TEST(openmp_says_how_it_places_threads) {
    static Machine machine;
    const char *given = getenv("OMP_PROC_BIND");
    char *before = given != NULL ? strdup(given) : NULL;
    assert_int_equal(setenv("OMP_PROC_BIND", "spread", 1), 0);
    machine_read(&machine);
    if (before != NULL) {
        assert_int_equal(setenv("OMP_PROC_BIND", before, 1), 0);
    } else {
        assert_int_equal(unsetenv("OMP_PROC_BIND"), 0);
    }
    free(before);
    const omp_proc_bind_t bind = omp_get_proc_bind();
    assert_string_equal(machine_text(&machine, "omp_proc_bind"),
                        bind == omp_proc_bind_close   ? "close"
                        : bind == omp_proc_bind_false ? "false"
                                                      : machine_text(&machine, "omp_proc_bind"));
    assert_string_not_equal(machine_text(&machine, "omp_proc_bind"), "spread");
    assert_true(machine_number(&machine, "omp_num_threads") == omp_get_max_threads());
    assert_int_equal(machine_fact(&machine, "omp_place_count") != NULL, omp_get_num_places() > 0);
}

TEST(build_and_processor_are_identity) {
    static Machine machine;
    machine_read(&machine);
    static const char *const identity[] = {"cpu_count", "commit", "dirty", "c_compiler"};
    for (size_t i = 0; i < sizeof identity / sizeof identity[0]; i++) {
        assert_true(machine_fact(&machine, identity[i])->identity);
    }
    static const char *const passing[] = {"kernel", "host_name", "memory_bytes"};
    for (size_t i = 0; i < sizeof passing / sizeof passing[0]; i++) {
        assert_false(machine_fact(&machine, passing[i])->identity);
    }
}

TEST(host_name_can_be_given) {
    static Machine machine;
    assert_int_equal(setenv("BENCH_HOST_NAME", "lab machine", 1), 0);
    machine_read(&machine);
    assert_int_equal(unsetenv("BENCH_HOST_NAME"), 0);
    assert_string_equal(machine_fact(&machine, "host_name")->text, "lab machine");
}

static Machine two_facts(const char *cpu, double load) {
    Machine machine = {.count = 0};
    machine_add_text(&machine, "cpu_model", cpu, true);
    machine_add_number(&machine, "load", load, false);
    return machine;
}

TEST(same_ignores_what_changes_by_itself) {
    const Machine stored = two_facts("Abacus 9", 0.1);
    const Machine here = two_facts("Abacus 9", 7.5);
    assert_ok(machine_same(&stored, &here));
}

TEST(difference_is_named_with_both_values) {
    const Machine stored = two_facts("Abacus 9", 0.1);
    const Machine here = two_facts("Abacus 10", 0.1);
    assert_status_is(machine_same(&stored, &here), STATUS_USAGE,
                     "cpu_model differs: old Abacus 9, new Abacus 10");
}

static bool have_one_id(const Machine *a, const Machine *b) {
    char ids[2][MACHINE_ID_SIZE];
    machine_id(a, ids[0]);
    machine_id(b, ids[1]);
    assert_int_equal(strlen(ids[0]), MACHINE_ID_SIZE - 1);
    const Status comparable = machine_comparable(a, b);
    const bool alike = strcmp(ids[0], ids[1]) == 0;
    assert_int_equal(alike, status_is_ok(&comparable));
    return alike;
}

TEST(machines_that_can_be_compared_have_one_id) {
    Machine first = two_facts("Abacus 9", 0.1);
    Machine second = {.count = 0};
    machine_add_text(&first, "commit", "abc", true);
    machine_add_number(&first, "cpu_count", 4, true);
    machine_add_number(&second, "cpu_count", 4, true); /* in another order */
    assert_false(have_one_id(&first, &second));
    machine_add_text(&second, "cpu_model", "Abacus 9", true);
    assert_true(have_one_id(&first, &second));
    machine_add_text(&second, "c_flags", "-O2", true);
    assert_false(have_one_id(&first, &second));
    machine_add_text(&first, "c_flags", "-O3", true);
    assert_false(have_one_id(&first, &second));
}

TEST(absent_fact_is_a_difference_both_ways) {
    const Machine without = {.count = 0};
    const Machine with = two_facts("Abacus 9", 0.1);
    Status status = machine_same(&with, &without);
    assert_string_equal(status.why, "cpu_model differs: old Abacus 9, new not known");
    status = machine_same(&without, &with);
    assert_string_equal(status.why, "cpu_model differs: old not known, new Abacus 9");
}

TEST(facts_that_say_nothing_are_dropped) {
    Machine machine = {.count = 0};
    machine_add_text(&machine, "empty", "", false);
    machine_add_number(&machine, "unknown", (double)NAN, false);
    assert_int_equal(machine.count, 0);
    for (size_t i = 0; i < FACTS_MAX + 5; i++) {
        machine_add_number(&machine, "one_more", 1.0, false);
    }
    assert_int_equal(machine.count, FACTS_MAX);
}
