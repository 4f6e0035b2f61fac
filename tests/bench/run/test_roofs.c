/* Ceilings: stored, read back, measured again when what is stored is of no use. */
#include <signal.h>

#include "bench/scratch_folder.h"
#include "ceilings_file.h"
#include "machine.h"
#include "results_internal.h"
#include "run.h"
#include "status_checks.h"
#include "stops.h"
#include "sweep.h"
#include "test.h"

static char cache[600];
static int measured;
static double bandwidth;
static double two_threads[2]; /* int32 of two threads, at first and later; 0: not measured */
static double shares[4];      /* of the processors' time that copy_dram had, by measurement */
static double loads[4];       /* that other programs had, by measurement */
static bool load_is_known;
static RoofLoad load;
static double paused;
static Status cpu_status, device_status;

static char noted[1000];

static const int64_t day = 24 * 60 * 60;

static bool stopped; /* the process is, while it measures */

static Status fake_cpu(Ceilings *ceilings) {
    measured++;
    if (stopped) {
        raise(SIGCONT);
    }
    ceilings_add(ceilings, "copy_dram", CEILING_BANDWIDTH, 1, bandwidth, 128e6);
    ceilings->list[0].processor_share = shares[(measured - 1) % 4];
    load.wall += 2;
    load.others += 2 * loads[(measured - 1) % 4];
    ceilings_add(ceilings, "int32", CEILING_OPERATIONS, 4, 400e9, 0);
    const double value = two_threads[measured > 1];
    if (value > 0) {
        ceilings_add(ceilings, "int32", CEILING_OPERATIONS, 1, 100e9, 0);
        ceilings_add(ceilings, "int32", CEILING_OPERATIONS, 2, value, 0);
    }
    return cpu_status;
}

static const char *gpu_note = "";

static Status fake_gpu(Ceilings *ceilings) {
    snprintf(ceilings->note, sizeof ceilings->note, "%s", gpu_note);
    if (status_is_ok(&device_status)) {
        ceilings_add(ceilings, "empty_kernel", CEILING_TIME, 0, 4.25e-6, 0);
    }
    return device_status;
}

static RoofLoad read_load(void) {
    return load_is_known ? load : (RoofLoad){.wall = load.wall, .others = NAN};
}

static int attempts;
static double share_now;

static double fake_share(void) {
    return share_now;
}

static void pause_for(double seconds) {
    paused += seconds;
    load.wall += seconds;
    load.others += 0.9 * seconds; /* does not count */
}

static void set_up(void) {
    snprintf(cache, sizeof cache, "%s/a/b", test_folder);
    measured = 0;
    bandwidth = 21.5e9;
    two_threads[0] = two_threads[1] = 0;
    memset(shares, 0, sizeof shares);
    memset(loads, 0, sizeof loads);
    load_is_known = true;
    stopped = false;
    paused = 0;
    attempts = 4;
    share_now = 0;
    cpu_status = device_status = status_ok();
}

EACH_TEST(set_up);

static Machine make_machine(const char *gpu) {
    Machine machine = {.count = 2};
    machine.facts[0] = (Fact){.key = "cpu_model", .text = "Test CPU", .identity = true};
    machine.facts[1] = (Fact){.key = "gpu_model", .identity = true};
    snprintf(machine.facts[1].text, sizeof machine.facts[1].text, "%s", gpu);
    return machine;
}

static Ceilings read_at(int64_t now, const Machine *machine, bool fresh) {
    const RoofSource source = {.measure_cpu = fake_cpu,
                               .measure_device = fake_gpu,
                               .load = read_load,
                               .share = fake_share,
                               .pause = pause_for,
                               .attempts = attempts,
                               .folder = cache,
                               .now = now};
    Ceilings ceilings;
    FILE *notes = tmpfile();
    roofs_read_from(&source, machine, fresh, notes, &ceilings);
    memset(noted, 0, sizeof noted);
    rewind(notes);
    (void)fread(noted, 1, sizeof noted - 1, notes);
    fclose(notes);
    return ceilings;
}

TEST(ceilings_are_found_by_key_and_threads) {
    Ceilings ceilings = {.count = 0};
    ceilings_add(&ceilings, "int32", CEILING_OPERATIONS, 1, 1, 0);
    ceilings_add(&ceilings, "int32", CEILING_OPERATIONS, 8, 2, 0);
    ceilings_add(&ceilings, "fp32", CEILING_OPERATIONS, 8, 3, 0);
    assert_true(ceilings_find(&ceilings, "int32", 8)->value == 2);
    assert_true(ceilings_find(&ceilings, "fp32", 8)->value == 3);
    assert_null(ceilings_find(&ceilings, "fp32", 1));
    assert_null(ceilings_find(&ceilings, "int", 1));
    for (int i = 0; i < CEILINGS_MAX + 5; i++) {
        ceilings_add(&ceilings, "more", CEILING_TIME, i, 1, 0);
    }
    assert_int_equal(ceilings.count, CEILINGS_MAX);
}

TEST(the_second_run_takes_what_the_first_stored) {
    const Machine machine = make_machine("Test GPU");
    const Ceilings first = read_at(1000 * day, &machine, false);
    assert_int_equal(first.count, 3);
    bandwidth = 99e9;
    const Ceilings second = read_at(1007 * day, &machine, false);
    assert_int_equal(measured, 1);
    assert_int_equal(second.count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(second.list[i].key, first.list[i].key);
        assert_int_equal(second.list[i].kind, first.list[i].kind);
        assert_int_equal(second.list[i].threads, first.list[i].threads);
        assert_true(second.list[i].value == first.list[i].value);
        assert_true(second.list[i].working_set == first.list[i].working_set);
    }
}

TEST(fresh_measures_again_and_stores) {
    const Machine machine = make_machine("Test GPU");
    read_at(1000 * day, &machine, false);
    bandwidth = 30e9;
    assert_true(read_at(1000 * day, &machine, true).list[0].value == 30e9);
    assert_int_equal(measured, 2);
    assert_true(read_at(1000 * day, &machine, false).list[0].value == 30e9);
    assert_int_equal(measured, 2);
}

TEST(after_a_week_it_is_measured_again) {
    const Machine machine = make_machine("Test GPU");
    read_at(1000 * day, &machine, false);
    read_at(1007 * day + 1, &machine, false);
    assert_int_equal(measured, 2);
    read_at(1000 * day, &machine, false); /* stored in the future: the clock was wrong */
    assert_int_equal(measured, 3);
}

TEST(another_host_has_ceilings_of_its_own) {
    const Machine machine = make_machine("Test GPU");
    Machine other = machine;
    machine_add_text(&other, "host_name", "other", false);
    read_at(1000 * day, &machine, false);
    read_at(1000 * day, &other, false);
    assert_int_equal(measured, 2);
    read_at(1000 * day, &machine, false);
    assert_int_equal(measured, 2);
}

/* What one device reaches says nothing of two, and what was measured of one stays. */
TEST(another_choice_of_devices_has_ceilings_of_its_own) {
    Machine one = make_machine("Test GPU");
    machine_add_text(&one, "gpu_pci_bus_id", "0000:18:00.0", false);
    Machine second = make_machine("Test GPU");
    machine_add_text(&second, "gpu_pci_bus_id", "0000:2A:00.0", false);
    Machine both = one;
    machine_add_text(&both, "gpu_bus_ids", "0000:18:00.0,0000:2A:00.0", false);
    const Machine *const choices[] = {&one, &second, &both};
    for (int again = 0; again < 2; again++) {
        for (int i = 0; i < 3; i++) {
            read_at(1000 * day, choices[i], false);
            assert_int_equal(measured, again > 0 ? 3 : i + 1);
        }
    }
}

/* Each of them alone is reason enough, in either direction, and is named. */
TEST(a_machine_that_changed_is_measured_again) {
    static const char *const keys[] = {"cpu_count",
                                       "cpu_allowed",
                                       "memory_bytes",
                                       "cpu_microcode",
                                       "cpu_governor",
                                       "cpu_limit_mhz",
                                       "cpu_quota",
                                       "kernel",
                                       "gpu_driver",
                                       "gpu_sm_clock_mhz_max",
                                       "gpu_power_limit_w",
                                       "gpu_ecc",
                                       "gpu_mig",
                                       "gpu_count",
                                       "gpu_pcie",
                                       "gpu_links",
                                       "cuda_launch_blocking"};
    char line[200];
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        Machine before = make_machine("Test GPU");
        Machine after = before;
        machine_add_text(&before, keys[i], "old", false);
        machine_add_text(&after, keys[i], "new one", false);
        read_at(1000 * day, &before, true);
        measured = 0;
        read_at(1000 * day, &before, false);
        assert_int_equal(measured, 0);
        read_at(1000 * day, &after, false);
        assert_int_equal(measured, 1);
        snprintf(line, sizeof line,
                 "measuring this machine's ceilings: the stored ones are older than a change: %s "
                 "changed from old to new one\n",
                 keys[i]);
        assert_string_equal(noted, line);
        read_at(1000 * day, &after, false);
        assert_int_equal(measured, 1); /* stored */
        const Machine without = make_machine("Test GPU");
        read_at(1000 * day, &without, false);
        assert_int_equal(measured, 2);
        snprintf(line, sizeof line, "%s changed from new one to unknown\n", keys[i]);
        assert_says(noted, line);
    }
    Machine machine = make_machine("Other GPU");
    snprintf(machine.facts[0].text, sizeof machine.facts[0].text, "Other CPU");
    read_at(1000 * day, &machine, false);
    assert_says(noted, "change: cpu_model changed from Test CPU to Other CPU, gpu_model "
                       "changed from Test GPU to Other GPU\n");
}

/* As an earlier version stored them. */
TEST(ceilings_without_facts_are_those_of_a_changed_machine) {
    Machine machine = make_machine("Test GPU");
    static const char *const keys[] = {"cpu_microcode", "kernel", "gpu_driver", "gpu_ecc"};
    char path[1024];
    const Ceilings stored = read_at(1000 * day, &machine, false);
    for (size_t i = 0; i < 4; i++) {
        machine_add_text(&machine, keys[i], "known", false);
    }
    assert_ok(roofs_path(cache, &machine, path, sizeof path));
    assert_ok(
        ceilings_file_write(path, "cpu_model=Test CPU\ngpu_model=Test GPU\n", 1000 * day, &stored));
    read_at(1000 * day, &machine, false);
    assert_int_equal(measured, 2);
    assert_string_equal(noted, "measuring this machine's ceilings: the stored ones are older than "
                               "a change: cpu_microcode changed from unknown to known, kernel "
                               "changed from unknown to known, gpu_driver changed from unknown to "
                               "known and 1 more\n");
}

/* A fact whose key is the beginning of another's. */
TEST(a_changed_fact_is_found_by_its_whole_key) {
    Machine machine = make_machine("Test GPU");
    char path[1024];
    const Ceilings stored = read_at(1000 * day, &machine, false);
    Ceilings read;
    assert_ok(roofs_path(cache, &machine, path, sizeof path));
    assert_ok(ceilings_file_write(path, "cpu_count=4\ncpu=old\n", 1000 * day, &stored));
    assert_status_is(
        ceilings_file_read(path, "cpu_count=4\ncpu=new\n", 999 * day, 1001 * day, &read),
        STATUS_FILE, "are older than a change: cpu changed from old to new");
}

TEST(a_machine_that_is_not_known_is_not_stored) {
    const Machine unknown = {.count = 0};
    read_at(1000 * day, &unknown, false);
    read_at(1000 * day, &unknown, false);
    assert_int_equal(measured, 2);
}

TEST(what_is_damaged_is_measured_again) {
    static const char *const damaged[] = {
        "", "{", "[]", "{\"version\": 2}", "{\"version\": 2, \"identity\": \"\"}",
        "{\"version\": 2, \"identity\": \"cpu_model\"}",
        "{\"version\": 2, \"identity\": \"\\ncpu_model\\n=\\n=\"}",
        /* launches were measured otherwise */
        "{\"version\": 1, \"identity\": \"cpu_model=Test CPU\\ngpu_model=Test GPU\\n\", "
        "\"measured_unix_s\": 86400000, \"ceilings\": [{\"key\": \"int32\", \"kind\": "
        "\"operations\", \"threads\": 1, \"value\": 5}]}",
        "{\"version\": 2, \"identity\": \"cpu_model=Test CPU\\ngpu_model=Test GPU\\n\", "
        "\"measured_unix_s\": 86400000, \"ceilings\": []}",
        "{\"version\": 2, \"identity\": \"cpu_model=Test CPU\\ngpu_model=Test GPU\\n\", "
        "\"measured_unix_s\": 86400000, \"ceilings\": [{\"key\": \"int32\", \"kind\": "
        "\"operations\", \"threads\": 1, \"value\": -5}]}"};
    const Machine machine = make_machine("Test GPU");
    char path[1024];
    read_at(1000 * day, &machine, false);
    assert_ok(roofs_path(cache, &machine, path, sizeof path));
    for (size_t i = 0; i < sizeof damaged / sizeof damaged[0]; i++) {
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fputs(damaged[i], file);
        fclose(file);
        assert_int_equal(read_at(1000 * day, &machine, false).count, 3);
        assert_int_equal(measured, (int)i + 2);
        read_at(1000 * day, &machine, false);
        assert_int_equal(measured, (int)i + 2); /* and whole again */
    }
}

TEST(without_a_device_the_rest_is_stored) {
    const Machine machine = make_machine("none");
    device_status = status_skip("no device");
    assert_int_equal(read_at(1000 * day, &machine, false).count, 2);
    assert_int_equal(read_at(1000 * day, &machine, false).count, 2);
    assert_int_equal(measured, 1);
}

TEST(what_went_wrong_is_not_stored) {
    const Machine machine = make_machine("Test GPU");
    device_status = status_fail("kernel went wrong");
    assert_int_equal(read_at(1000 * day, &machine, false).count, 2);
    read_at(1000 * day, &machine, false);
    assert_int_equal(measured, 2);
}

/* Without NCCL, say: the rest is whole, and stored. */
TEST(what_is_left_out_on_purpose_is_noted_once) {
    const Machine machine = make_machine("Test GPU");
    gpu_note = "no ceilings of an all-reduce: NCCL cannot be loaded";
    loads[0] = 0.6; /* measured twice */
    read_at(1000 * day, &machine, false);
    assert_string_equal(noted,
                        "measuring this machine's ceilings\n"
                        "measuring the ceilings again in 1 s: the machine is busy: other programs "
                        "had 60% of the processors' time\n"
                        "no ceilings of an all-reduce: NCCL cannot be loaded\n");
    read_at(1000 * day, &machine, false);
    assert_string_equal(noted, "");
    assert_int_equal(measured, 2);
    gpu_note = "";
}

/* Under a limit of memory, say: the next run may have more. */
TEST(a_processor_measured_in_part_is_not_stored) {
    const Machine machine = make_machine("Test GPU");
    cpu_status = status_no_memory("left for the copy");
    read_at(1000 * day, &machine, false);
    cpu_status = status_ok();
    read_at(1000 * day, &machine, false);
    assert_int_equal(measured, 2);
    read_at(1000 * day, &machine, false); /* stored now */
    assert_int_equal(measured, 2);
}

TEST(a_folder_that_cannot_be_had_is_no_error) {
    const Machine machine = make_machine("Test GPU");
    snprintf(cache, sizeof cache, "/dev/null/bench");
    assert_int_equal(read_at(1000 * day, &machine, false).count, 3);
    assert_int_equal(read_at(1000 * day, &machine, false).count, 3);
    assert_int_equal(measured, 2);
}

static bool contradicts(const char *first, int threads, double value, const char *second,
                        int of_threads, double of) {
    Ceilings ceilings = {.count = 0};
    char why[200] = "";
    ceilings_add(&ceilings, first, CEILING_BANDWIDTH, threads, value, 0);
    ceilings_add(&ceilings, second, CEILING_BANDWIDTH, of_threads, of, 0);
    const bool found = ceilings_contradict(&ceilings, why, sizeof why);
    assert_true(found == (why[0] != '\0'));
    return found;
}

TEST(contradictions_are_found) {
    assert_true(contradicts("fp32", 2, 0.6, "fp32", 1, 53));
    assert_true(contradicts("fp32", 2, 42, "fp32", 1, 53));
    assert_false(contradicts("fp32", 2, 43, "fp32", 1, 53));
    assert_false(contradicts("copy_l1", 16, 23, "copy_l1", 1, 1));
    assert_true(contradicts("copy_l1", 16, 25, "copy_l1", 1, 1));
    assert_false(contradicts("fp32", 2, 0.6, "int32", 1, 53));
    assert_false(contradicts("fp32", 0, 60000, "fp32", 1, 53)); /* of a device */
    assert_true(contradicts("copy_dram", 4, 31, "copy_llc", 4, 20));
    assert_true(contradicts("copy_dram", 0, 31, "copy_l2", 0, 20));
    assert_false(contradicts("copy_dram", 4, 29, "copy_llc", 4, 20));
    assert_false(contradicts("copy_dram", 4, 31, "copy_llc", 1, 20));
    assert_true(contradicts("copy_l2", 1, 31, "copy_l1", 1, 20));
    assert_false(contradicts("copy_l1", 1, 31, "copy_l2", 1, 20));
    assert_false(contradicts("pcie_up_pinned", 0, 31, "copy_dram", 0, 20));
}

static bool devices_contradict(const char *key, CeilingKind kind, int fewer, double of_fewer,
                               int more, double of_more, char why[200]) {
    Ceilings ceilings = {.count = 0};
    ceilings_add_on(&ceilings, fewer, key, kind, 0, of_fewer, 0);
    ceilings_add_on(&ceilings, more, key, kind, 0, of_more, 0);
    return ceilings_contradict(&ceilings, why, 200);
}

/* Two may share a link, so that they have no more than one, and a slow second one makes it less;
 * but the first is no faster beside the second than alone. */
TEST(devices_that_share_do_not_contradict) {
    const CeilingKind rate = CEILING_BANDWIDTH;
    char why[200];
    assert_false(devices_contradict("pcie_up_pinned", rate, 1, 50e9, 2, 50e9, why));
    assert_false(devices_contradict("pcie_up_pinned", rate, 1, 50e9, 2, 12e9, why));
    assert_false(devices_contradict("pcie_up_pinned", rate, 1, 50e9, 2, 149e9, why));
    assert_true(devices_contradict("pcie_up_pinned", rate, 1, 50e9, 2, 151e9, why));
    assert_string_equal(why, "pcie_up_pinned is 151.0 GB/s on 2 devices and 50.0 GB/s on 1");
    assert_false(devices_contradict("fp32", CEILING_OPERATIONS, 2, 100e9, 4, 299e9, why));
    assert_true(devices_contradict("fp32", CEILING_OPERATIONS, 2, 100e9, 4, 301e9, why));
    assert_false(devices_contradict("launch", CEILING_TIME, 1, 1.5e-6, 2, 1.01e-6, why));
    assert_true(devices_contradict("launch", CEILING_TIME, 1, 1.5e-6, 2, 0.99e-6, why));
    /* Four may go round the slow link that two have to use. */
    assert_false(devices_contradict("allreduce_1mb", CEILING_TIME, 2, 100e-6, 4, 20e-6, why));
    assert_false(devices_contradict("allreduce_1mb_busbw", rate, 2, 10e9, 4, 75e9, why));
}

TEST(the_levels_of_several_devices_are_compared_with_each_other) {
    Ceilings ceilings = {.count = 0};
    char why[200];
    ceilings_add(&ceilings, "copy_l2", CEILING_BANDWIDTH, 0, 20e9, 0);
    ceilings_add_on(&ceilings, 2, "copy_dram", CEILING_BANDWIDTH, 0, 31e9, 0);
    assert_false(ceilings_contradict(&ceilings, why, sizeof why));
    ceilings_add_on(&ceilings, 2, "copy_l2", CEILING_BANDWIDTH, 0, 20e9, 0);
    assert_true(ceilings_contradict(&ceilings, why, sizeof why));
}

/* 1 MB in 20 µs is 50 GB/s; each of four devices sends 2 · 3/4 of it in a ring: 75 GB/s. */
TEST(an_all_reduce_has_both_bandwidths) {
    Ceilings ceilings = {.count = 0};
    ceilings_add_all_reduce(&ceilings, 4, "allreduce_1mb", 1e6, 20e-6);
    ceilings_add_all_reduce(&ceilings, 2, "allreduce_1mb", 1e6, 10e-6);
    assert_int_equal(ceilings.count, 6);
    assert_true(ceilings_find_on(&ceilings, 4, "allreduce_1mb", 0)->value == 20e-6);
    assert_int_equal(ceilings_find_on(&ceilings, 4, "allreduce_1mb", 0)->kind, CEILING_TIME);
    const double algorithm = ceilings_find_on(&ceilings, 4, "allreduce_1mb_algbw", 0)->value;
    const double bus = ceilings_find_on(&ceilings, 4, "allreduce_1mb_busbw", 0)->value;
    assert_true(fabs(algorithm - 50e9) < 1 && fabs(bus - 75e9) < 1);
    const double of_two = ceilings_find_on(&ceilings, 2, "allreduce_1mb_busbw", 0)->value;
    assert_true(fabs(of_two - 100e9) < 1); /* of two: 2 · 1/2 */
    assert_null(ceilings_find(&ceilings, "allreduce_1mb", 0));
}

/* What an earlier version stored has no number of devices: one. */
TEST(the_number_of_devices_is_stored_where_it_is_not_one) {
    Ceilings stored = {.count = 0}, read;
    ceilings_add(&stored, "pcie_up_pinned", CEILING_BANDWIDTH, 0, 50e9, 0);
    ceilings_add_on(&stored, 2, "pcie_up_pinned", CEILING_BANDWIDTH, 0, 80e9, 0);
    cJSON *root = cJSON_CreateObject();
    assert_true(ceilings_json_add(root, &stored));
    cJSON *list = cJSON_GetObjectItemCaseSensitive(root, "ceilings");
    assert_false(cJSON_HasObjectItem(cJSON_GetArrayItem(list, 0), "devices"));
    assert_true(ceilings_json_read(root, &read));
    assert_int_equal(read.count, 2);
    assert_true(ceilings_find(&read, "pcie_up_pinned", 0)->value == 50e9);
    assert_true(ceilings_find_on(&read, 2, "pcie_up_pinned", 0)->value == 80e9);
    cJSON *devices = cJSON_GetObjectItemCaseSensitive(cJSON_GetArrayItem(list, 1), "devices");
    cJSON_SetNumberValue(devices, 0);
    assert_false(ceilings_json_read(root, &read));
    assert_int_equal(read.count, 1);
    cJSON_Delete(root);
}

static void check_table(const Ceilings *ceilings, const char *expected) {
    char text[1000] = "";
    FILE *stream = tmpfile();
    assert_ok(ceilings_print(stream, ceilings));
    rewind(stream);
    text[fread(text, 1, sizeof text - 1, stream)] = '\0';
    fclose(stream);
    assert_string_equal(text, expected);
}

TEST(several_devices_have_a_table_of_their_own) {
    Ceilings ceilings = {.count = 0};
    ceilings_add(&ceilings, "copy_dram", CEILING_BANDWIDTH, 0, 4000e9, 2e9);
    ceilings_add_on(&ceilings, 4, "copy_dram", CEILING_BANDWIDTH, 0, 15900e9, 8e9);
    ceilings_add_on(&ceilings, 4, "allreduce_2kb", CEILING_TIME, 0, 20e-6, 2048);
    ceilings_add_on(&ceilings, 2, "copy_dram", CEILING_BANDWIDTH, 0, 7980e9, 4e9);
    check_table(&ceilings, "ceiling    value  unit  working set\n"
                           "---------  -----  ----  -----------\n"
                           "copy_dram   4000  GB/s      1.9 GiB\n"
                           "\n"
                           "devices at the same time     1     2      4  unit\n"
                           "------------------------  ----  ----  -----  ----\n"
                           "copy_dram                 4000  7980  15900  GB/s\n"
                           "allreduce_2kb                          20.0  µs\n");
    ceilings.count = 2;
    check_table(&ceilings, "ceiling    value  unit  working set\n"
                           "---------  -----  ----  -----------\n"
                           "copy_dram   4000  GB/s      1.9 GiB\n"
                           "\n"
                           "devices at the same time     1      4  unit\n"
                           "------------------------  ----  -----  ----\n"
                           "copy_dram                 4000  15900  GB/s\n"
                           "No all-reduce: NCCL could not be used when these were measured.\n");
    ceilings.count = 1;
    check_table(&ceilings, "ceiling    value  unit  working set\n"
                           "---------  -----  ----  -----------\n"
                           "copy_dram   4000  GB/s      1.9 GiB\n");
}

/* The ceilings of a processor where copies past the cache are faster than within the last level. */
TEST(a_slow_last_level_is_no_contradiction) {
    assert_false(contradicts("copy_llc", 1, 18.7e9, "copy_dram", 1, 21.1e9));
}

TEST(contradictions_are_measured_again) {
    const Machine machine = make_machine("Test GPU");
    two_threads[0] = 0.6e9;
    two_threads[1] = 180e9;
    const Ceilings ceilings = read_at(1000 * day, &machine, false);
    assert_int_equal(measured, 2);
    assert_int_equal(ceilings.count, 5);
    assert_true(ceilings_find(&ceilings, "int32", 2)->value == 180e9);
    assert_string_equal(noted, "measuring this machine's ceilings\n"
                               "measuring the ceilings again in 1 s: int32 is 0.600 Gop/s on 2 "
                               "threads and 100.0 Gop/s on one\n");
    assert_true(paused == 1);
    read_at(1000 * day, &machine, false); /* stored */
    assert_int_equal(measured, 2);
}

/* Not believed and not stored; all that was measured is there. */
TEST(contradictions_that_stay_are_told_and_not_stored) {
    const Machine machine = make_machine("Test GPU");
    two_threads[0] = 0.6e9;
    two_threads[1] = 0.7e9;
    const Ceilings ceilings = read_at(1000 * day, &machine, false);
    assert_int_equal(measured, 4);
    assert_true(paused == 1 + 2 + 4);
    assert_true(ceilings_find(&ceilings, "int32", 2)->value == 0.7e9);
    assert_string_equal(noted, "measuring this machine's ceilings\n"
                               "measuring the ceilings again in 1 s: int32 is 0.600 Gop/s on 2 "
                               "threads and 100.0 Gop/s on one\n"
                               "measuring the ceilings again in 2 s: int32 is 0.700 Gop/s on 2 "
                               "threads and 100.0 Gop/s on one\n"
                               "measuring the ceilings again in 4 s: int32 is 0.700 Gop/s on 2 "
                               "threads and 100.0 Gop/s on one\n"
                               "the ceilings are not stored, after 4 measurements: int32 is 0.700 "
                               "Gop/s on 2 threads and 100.0 Gop/s on one\n");
    read_at(1000 * day, &machine, false);
    assert_int_equal(measured, 8);
}

/* One starved ceiling is measured again; which of the measurements had the processors, and which
 * value is the better one, does not matter. */
TEST(a_starved_ceiling_is_measured_again) {
    const Machine machine = make_machine("Test GPU");
    shares[0] = 0.89;
    shares[1] = 0.9;
    read_at(1000 * day, &machine, false);
    assert_int_equal(measured, 2);
    assert_string_equal(noted,
                        "measuring this machine's ceilings\n"
                        "measuring the ceilings again in 1 s: the machine is busy: copy_dram "
                        "on 1 thread had 89% of the processors' time\n");
    read_at(1000 * day, &machine, false); /* stored */
    assert_int_equal(measured, 2);
}

/* The first had processors of its own on a busy machine, the second the reverse. */
TEST(one_measurement_of_its_own_is_enough) {
    const Machine machine = make_machine("Test GPU");
    const double first[4] = {0.95, 0.3, 0.2, 0.2};
    const double busy[4] = {0.6, 0.05, 0.6, 0.6};
    memcpy(shares, first, sizeof shares);
    memcpy(loads, busy, sizeof loads);
    read_at(1000 * day, &machine, false);
    assert_int_equal(measured, 2);
    read_at(1000 * day, &machine, false); /* stored */
    assert_int_equal(measured, 2);
}

TEST(what_stays_starved_is_not_stored) {
    const Machine machine = make_machine("Test GPU");
    for (size_t i = 0; i < 4; i++) {
        shares[i] = 0.2 + 0.1 * (double)i;
    }
    read_at(1000 * day, &machine, false);
    assert_int_equal(measured, 4);
    assert_says(noted, "the ceilings are not stored, after 4 measurements: the machine "
                       "is busy: copy_dram on 1 thread had 50% of the processors' "
                       "time\n");
    read_at(1000 * day, &machine, false);
    assert_int_equal(measured, 8);
}

TEST(other_programs_make_the_machine_busy) {
    const Machine machine = make_machine("Test GPU");
    loads[0] = 0.6;
    loads[1] = 0.11;
    loads[2] = 0.09;
    read_at(1000 * day, &machine, false);
    assert_int_equal(measured, 3);
    assert_says(noted, "again in 1 s: the machine is busy: other programs had 60% of the "
                       "processors' time\n");
    assert_says(noted, "again in 2 s: the machine is busy: other programs had 11% of");
    read_at(1000 * day, &machine, false); /* stored */
    assert_int_equal(measured, 3);
}

/* What others did meanwhile disturbed no timing. */
TEST(others_may_work_while_this_process_is_stopped) {
    const Machine machine = make_machine("Test GPU");
    stops_watch();
    loads[0] = 0.6;
    stopped = true;
    read_at(1000 * day, &machine, false);
    assert_int_equal(measured, 1);
    assert_string_equal(noted, "measuring this machine's ceilings\n");
}

TEST(a_load_that_is_not_known_is_none) {
    const Machine machine = make_machine("Test GPU");
    load_is_known = false;
    read_at(1000 * day, &machine, false);
    read_at(1000 * day, &machine, false);
    assert_int_equal(measured, 1);
}

/* As a version before this one stored it. */
TEST(a_stored_contradiction_is_not_believed) {
    const Machine machine = make_machine("Test GPU");
    char path[1024];
    Ceilings stored = read_at(1000 * day, &machine, false);
    ceilings_add(&stored, "int32", CEILING_OPERATIONS, 1, 100e9, 0);
    ceilings_add(&stored, "int32", CEILING_OPERATIONS, 2, 0.6e9, 0);
    assert_ok(roofs_path(cache, &machine, path, sizeof path));
    assert_ok(
        ceilings_file_write(path, "cpu_model=Test CPU\ngpu_model=Test GPU\n", 1000 * day, &stored));
    assert_int_equal(read_at(1000 * day, &machine, false).count, 3);
    assert_int_equal(measured, 2);
}

TEST(values_have_units) {
    const Ceiling ceilings[] = {{.kind = CEILING_BANDWIDTH, .value = 21.54e9},
                                {.kind = CEILING_OPERATIONS, .value = 15.8e12},
                                {.kind = CEILING_TIME, .value = 4.254e-6}};
    static const char *const texts[] = {"21.5 GB/s", "15800 Gop/s", "4.25 µs"};
    for (size_t i = 0; i < 3; i++) {
        char text[64];
        ceiling_text(&ceilings[i], text, sizeof text);
        assert_string_equal(text, texts[i]);
    }
}

TEST(names_say_on_what) {
    static const struct {
        Ceiling ceiling;
        const char *name;
    } named[] = {{{.key = "fp32", .threads = 16, .devices = 1}, "fp32/threads:16"},
                 {{.key = "fp32", .threads = 0, .devices = 1}, "fp32"},
                 {{.key = "fp32", .threads = 0, .devices = 4}, "fp32/gpus:4"}};
    for (size_t i = 0; i < 3; i++) {
        char name[64];
        ceiling_name(&named[i].ceiling, name, sizeof name);
        assert_string_equal(name, named[i].name);
    }
}

/* A busy processor is asked for 0.1 s whether it is, and the device is measured none the less. */
TEST(with_one_measurement_a_busy_processor_has_none) {
    const Machine machine = make_machine("Test GPU");
    attempts = 1;
    share_now = 0.89;
    Ceilings ceilings = read_at(1, &machine, false);
    assert_int_equal(measured, 0);
    assert_null(ceilings_find(&ceilings, "copy_dram", 1));
    assert_non_null(ceilings_find(&ceilings, "empty_kernel", 0));
    assert_says(noted, "processor are incomplete: it is busy: a thread on each had 89%");
    share_now = 0.9;
    ceilings = read_at(2, &machine, false);
    assert_int_equal(measured, 1); /* nothing was stored */
    assert_non_null(ceilings_find(&ceilings, "copy_dram", 1));
}

/* A busy machine's would be measured again and again, for ten seconds of the sixty there are. */
TEST(a_budget_has_time_for_one_measurement) {
    assert_int_equal(roofs_attempts_of_run(&(RunOptions){.budget = 60}), 1);
    assert_int_equal(roofs_attempts_of_run(&(RunOptions){.launches = 6}), 2);
}
