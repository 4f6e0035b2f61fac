/* The state of the GPU: what NVML says, in our units and words; against a fake of the library. */
#include <unistd.h>

#include "devices.h"
#include "fake_nvml/load_fake_nvml.h"
#include "machine_internal.h"
#include "test.h"

static void reset(void) {
    *fake = (FakeNvml){.clock_mhz = 1755,
                       .clock_mhz_max = 1980,
                       .celsius = 41,
                       .milliwatt = 325500,
                       .millijoule = 123456789012345};
    nvml_select("");
    assert_int_equal(unsetenv("CUDA_VISIBLE_DEVICES"), 0);
}

ALL_TESTS(load_fake_nvml);
EACH_TEST(reset);

static DeviceState read_now(void) {
    DeviceState state;
    gpu_state_read(&state);
    return state;
}

TEST(numbers_are_in_their_units) {
    const DeviceState state = read_now();
    assert_true(state.clock_mhz == 1755 && state.clock_mhz_max == 1980);
    assert_true(state.temperature == 41);
    assert_true(fabs(state.power - 325.5) < 1e-9);
    assert_true(fabs(gpu_energy_read(1) - 123456789012.345) < 1e-3);
    assert_string_equal(state.throttle, "");
    assert_false(state.slowed);
}

/* Bit values from NVML's list of clock event reasons. */
TEST(reasons_are_words) {
    static const struct {
        unsigned long long bits;
        const char *words;
        bool slowed;
    } cases[] = {
        {0x001, "", false},
        {0x002, "clocks set by the user", false},
        {0x004, "power cap", true},
        {0x008, "hardware slowdown", true},
        {0x010, "sync boost", true},
        {0x020, "software thermal limit", true},
        {0x048, "hardware slowdown, hardware thermal limit", true},
        {0x080, "external power brake", true},
        {0x100, "display clock setting", false},
        {0x003, "clocks set by the user", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fake->reasons = cases[i].bits;
        const DeviceState state = read_now();
        assert_string_equal(state.throttle, cases[i].words);
        assert_int_equal(state.slowed, cases[i].slowed);
    }
}

TEST(every_reason_at_once_fits) {
    fake->reasons = 0x1FF;
    const DeviceState state = read_now();
    assert_says(state.throttle, ", display clock setting");
}

TEST(other_processes_are_counted_without_this_one) {
    assert_int_equal(gpu_other_processes(), 0);
    fake->process_count = 3;
    fake->pids[0] = (unsigned)getpid();
    fake->pids[1] = 1;
    fake->pids[2] = 2;
    assert_int_equal(gpu_other_processes(), 2);
    fake->pids[0] = 3;
    assert_int_equal(gpu_other_processes(), 3);
}

/* Process ids of the host: none of them is ours, and yet one of them is this process. */
TEST(this_process_is_known_to_be_there_when_it_has_a_context) {
    fake->process_count = 2;
    fake->pids[0] = 1;
    fake->pids[1] = 2;
    nvml_select(FAKE_NVML_BUS_ID);
    assert_int_equal(gpu_other_processes(), 1);
    fake->process_count = 0;
    assert_int_equal(gpu_other_processes(), 0);
}

TEST(more_processes_than_the_list_holds_are_counted) {
    fake->process_count = FAKE_NVML_PROCESSES_MAX;
    assert_int_equal(gpu_other_processes(), FAKE_NVML_PROCESSES_MAX);
}

TEST(what_is_refused_is_unknown) {
    fake->refuses = 1;
    const DeviceState state = read_now();
    assert_true(isnan(state.clock_mhz) && isnan(state.clock_mhz_max) && isnan(state.temperature));
    assert_true(isnan(state.power) && isnan(gpu_energy_read(1)));
    assert_int_equal(gpu_other_processes(), -1);
    assert_string_equal(state.throttle, "");
}

TEST(device_is_the_one_that_cuda_uses) {
    read_now();
    assert_string_equal(fake->asked_by, "index 0");
    nvml_select(FAKE_NVML_BUS_ID);
    assert_true(read_now().clock_mhz == 1755);
    assert_string_equal(fake->asked_by, "bus id");
    nvml_select("");
    assert_int_equal(setenv("CUDA_VISIBLE_DEVICES", FAKE_NVML_UUID ",1", 1), 0);
    assert_true(read_now().clock_mhz == 1755);
    assert_string_equal(fake->asked_by, "uuid");
    assert_int_equal(setenv("CUDA_VISIBLE_DEVICES", "0,3", 1), 0);
    assert_true(read_now().clock_mhz == 1755);
}

TEST(a_device_that_is_not_visible_has_no_state) {
    static const char *const hidden[] = {"1", "-1", "GPU-9999"};
    for (size_t i = 0; i < sizeof hidden / sizeof hidden[0]; i++) {
        assert_int_equal(setenv("CUDA_VISIBLE_DEVICES", hidden[i], 1), 0);
        assert_true(isnan(read_now().clock_mhz));
        assert_int_equal(gpu_other_processes(), -1);
    }
}

TEST(machine_facts_say_how_the_gpu_is_set_up) {
    static Machine machine;
    machine = (Machine){.count = 0};
    machine_add_text(&machine, "gpu_pci_bus_id", FAKE_NVML_BUS_ID, false);
    machine_read_gpu(&machine);
    assert_string_equal(fake->asked_by, "bus id");
    assert_string_equal(machine_fact(&machine, "gpu_driver")->text, "550.1.2");
    assert_string_equal(machine_fact(&machine, "nvml_version")->text, "12.550.1.2");
    assert_string_equal(machine_fact(&machine, "gpu_persistence_mode")->text, "on");
    assert_string_equal(machine_fact(&machine, "gpu_ecc")->text, "off");
    assert_null(machine_fact(&machine, "gpu_mig"));
    assert_true(machine_fact(&machine, "gpu_power_limit_w")->number == 700);
    assert_true(machine_fact(&machine, "gpu_utilization_pct")->number == 37);
    assert_true(machine_fact(&machine, "gpu_sm_clock_mhz_max")->number == 1980);
    assert_true(machine_fact(&machine, "gpu_other_processes")->number == 0);
}

/* Those that came during the run count, those that went stay. */
TEST(the_most_processes_beside_this_one_are_kept) {
    static Machine machine;
    machine = (Machine){.count = 0};
    machine_note_gpu_processes(&machine);
    assert_null(machine_fact(&machine, "gpu_other_processes"));
    fake->process_count = 2;
    fake->pids[0] = fake->pids[1] = 1;
    machine_note_gpu_processes(&machine);
    assert_true(machine_number(&machine, "gpu_other_processes") == 2);
    fake->process_count = 1;
    machine_note_gpu_processes(&machine);
    assert_true(machine_number(&machine, "gpu_other_processes") == 2);
    assert_int_equal(machine.count, 1);
}

/* Devices 0, 1 and 2 have used 5, 6 and 7 J. */
TEST(the_energy_of_several_devices_is_their_sum) {
    fake->devices = 3;
    fake->millijoule = 5000;
    nvml_select("0000:19:00.0,0000:18:00.0,0000:1A:00.0");
    assert_true(fabs(gpu_energy_read(1) - 6) < 1e-9);
    assert_true(fabs(gpu_energy_read(2) - 11) < 1e-9);
    assert_true(fabs(gpu_energy_read(3) - 18) < 1e-9);
    assert_true(isnan(gpu_energy_read(4)));
    nvml_select("0000:19:00.0,0000:19:00.0");
    assert_true(fabs(gpu_energy_read(2) - 6) < 1e-9); /* one that stands for two */
    fake->devices = 1;
    nvml_select("0000:18:00.0,0000:19:00.0");
    assert_true(isnan(gpu_energy_read(2)));
}
