/* The state of the CPU, read from folders that look like /sys and /proc of several machines. */
#include <sched.h>
#include <unistd.h>

#include "test.h"

#include "bench/fake_system.h"
#include "child_process.h"
#include "cpu_state.h"
#include "machine_internal.h"
#include "needs.h"

static CpuState read_processor(int processor) {
    CpuState state;
    cpu_state_read(test_folder, processor, &state);
    return state;
}

TEST(nothing_is_there) {
    const CpuState state = read_processor(0);
    assert_true(isnan(state.clock_mhz) && isnan(state.clock_mhz_max));
    assert_true(isnan(state.clock_mhz_base) && isnan(state.temperature));
    assert_true(isnan(state.throttle_events));
    CpuEnergy energy;
    cpu_energy_read(test_folder, &energy);
    assert_int_equal(energy.count, 0);
    assert_true(isnan(cpu_energy_between(&energy, &energy)));
    static Machine machine;
    machine_read_processor(&machine, test_folder);
    assert_int_equal(machine.count, 0);
}

/* Of processor 0, which every test may use: 1 + 2 + 3 + 6 + 7 + 8 ticks at 100 a second. The last
 * two fields are part of the first two. No process may use the other one. */
TEST(time_that_programs_used) {
    int processors = -1;
    assert_true(isnan(cpu_time_used(test_folder, &processors)));
    assert_int_equal(processors, 0);
    int first = 0;
    while (!processor_is_allowed(first)) {
        first++;
    }
    char text[300];
    snprintf(text, sizeof text,
             "cpu  9000 9000 9000 9000 0 0 0 0 0 0\ncpu%d 1 2 3 4000 5000 6 7 8 900 900\n"
             "cpu99999 1000 0 0 0 0 0 0 0 0 0\nintr 5\ncpu%d 70 0 0 0 0 0 0 0 0 0\n",
             first, first);
    system_write("proc/stat", text);
    const double used = cpu_time_used(test_folder, &processors);
    assert_int_equal(processors, 1);
    assert_true(fabs(used * (double)sysconf(_SC_CLK_TCK) - 27) < 1e-9);
}

TEST(limits_of_the_owner) {
    static Machine machine;
    machine = (Machine){.count = 0};
    machine_read_limits(&machine, test_folder);
    assert_int_equal(machine.count, 2);
    int allowed = 0;
    for (int processor = 0; processor < 1024; processor++) {
        allowed += processor_is_allowed(processor);
    }
    assert_true(machine_number(&machine, "cpu_allowed") == allowed);
    machine = (Machine){.count = 0};
    system_write(FAKE_CPUFREQ(0, "scaling_max_freq"), "2400000\n");
    system_write("proc/self/cgroup", "0::/a/b\n");
    system_write("sys/fs/cgroup/a/b/cpu.max", "250000 100000\n");
    machine_read_limits(&machine, test_folder);
    assert_true(fabs(machine_number(&machine, "cpu_limit_mhz") - 2400) < 1e-9);
    assert_true(machine_number(&machine, "cpu_quota") == 2.5);
    machine = (Machine){.count = 0};
    system_write("sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
    machine_read_limits(&machine, test_folder);
    assert_true(isnan(machine_number(&machine, "cpu_quota")));
}

TEST(first_version_of_control_groups) {
    static Machine machine;
    system_write("proc/self/cgroup", "4:cpu,cpuacct:/a\n");
    system_write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
    system_write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
    machine_read_limits(&machine, test_folder);
    assert_null(machine_fact(&machine, "cpu_quota"));
    machine = (Machine){.count = 0};
    system_write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "150000\n");
    machine_read_limits(&machine, test_folder);
    assert_true(machine_number(&machine, "cpu_quota") == 1.5);
}

TEST(clocks_of_the_frequency_driver) {
    system_write(FAKE_CPUFREQ(0, "scaling_cur_freq"), "800000\n");
    system_write(FAKE_CPUFREQ(3, "scaling_cur_freq"), "3412345\n");
    system_write(FAKE_CPUFREQ(3, "cpuinfo_max_freq"), "3800000\n");
    system_write(FAKE_CPUFREQ(3, "base_frequency"), "2100000\n");
    const CpuState state = read_processor(3);
    assert_true(fabs(state.clock_mhz - 3412.345) < 1e-6);
    assert_true(fabs(state.clock_mhz_max - 3800) < 1e-6);
    assert_true(fabs(state.clock_mhz_base - 2100) < 1e-6);
}

static const char cpuinfo[] = "processor\t: 0\n"
                              "model name\t: Abacus 9\n"
                              "microcode\t: 0x1000065\n"
                              "cpu MHz\t\t: 2596.138\n"
                              "flags\t\t: fpu vme hypervisor sse2\n"
                              "\n"
                              "processor\t: 1\n"
                              "cpu MHz\t\t: 1200.500\n"
                              "flags\t\t: fpu vme hypervisor sse2\n";

static const char counted_cpuinfo[] = "processor\t: 0\n"
                                      "cpu MHz\t\t: 2596.138\n"
                                      "flags\t\t: fpu aperfmperf\n"
                                      "\n"
                                      "processor\t: 1\n"
                                      "cpu MHz\t\t: 1200.500\n"
                                      "flags\t\t: fpu aperfmperf\n";

TEST(nominal_clock_is_no_reading) {
    system_write("proc/cpuinfo", cpuinfo);
    assert_true(isnan(read_processor(0).clock_mhz));
}

TEST(clock_of_cpuinfo_where_there_is_no_driver) {
    system_write("proc/cpuinfo", counted_cpuinfo);
    assert_true(fabs(read_processor(0).clock_mhz - 2596.138) < 1e-9);
    assert_true(fabs(read_processor(1).clock_mhz - 1200.5) < 1e-9);
    assert_true(isnan(read_processor(2).clock_mhz));
    assert_true(isnan(read_processor(0).clock_mhz_max));
}

TEST(temperature_of_the_processor_s_own_sensor) {
    system_write("sys/class/hwmon/hwmon0/name", "nvme\n");
    system_write("sys/class/hwmon/hwmon0/temp1_input", "33000\n");
    system_write("sys/class/hwmon/hwmon2/name", "coretemp\n");
    system_write("sys/class/hwmon/hwmon2/temp1_input", "57125\n");
    system_write("sys/class/thermal/thermal_zone0/type", "x86_pkg_temp\n");
    system_write("sys/class/thermal/thermal_zone0/temp", "40000\n");
    assert_true(fabs(read_processor(0).temperature - 57.125) < 1e-9);
}

TEST(temperature_of_a_thermal_zone) {
    system_write("sys/class/thermal/thermal_zone0/type", "acpitz\n");
    system_write("sys/class/thermal/thermal_zone0/temp", "20000\n");
    system_write("sys/class/thermal/thermal_zone1/type", "x86_pkg_temp\n");
    system_write("sys/class/thermal/thermal_zone1/temp", "61000\n");
    assert_true(fabs(read_processor(0).temperature - 61) < 1e-9);
}

TEST(times_it_was_too_hot) {
    system_write("sys/devices/system/cpu/cpu0/thermal_throttle/package_throttle_count", "17\n");
    assert_true(read_processor(0).throttle_events == 17);
}

static void write_rapl(const char *first, const char *second) {
    system_write(FAKE_RAPL(0, "name"), "package-0\n");
    system_write(FAKE_RAPL(0, "energy_uj"), first);
    system_write(FAKE_RAPL(0, "max_energy_range_uj"), "262143328850\n");
    system_write(FAKE_RAPL(1, "name"), "package-1\n");
    system_write(FAKE_RAPL(1, "energy_uj"), second);
    system_write(FAKE_RAPL(1, "max_energy_range_uj"), "262143328850\n");
}

TEST(energy_is_that_of_all_packages) {
    CpuEnergy before, after;
    write_rapl("1000000\n", "7000000\n");
    cpu_energy_read(test_folder, &before);
    assert_int_equal(before.count, 2);
    write_rapl("3500000\n", "7250000\n");
    cpu_energy_read(test_folder, &after);
    assert_true(fabs(cpu_energy_between(&before, &after) - 2.75) < 1e-9);
}

/* 262143.32885 J - 262143 J + 1 J */
TEST(a_counter_that_started_again_is_understood) {
    CpuEnergy before, after;
    write_rapl("262143000000\n", "0\n");
    cpu_energy_read(test_folder, &before);
    write_rapl("1000000\n", "500000\n");
    cpu_energy_read(test_folder, &after);
    assert_true(fabs(cpu_energy_between(&before, &after) - (1.32885 + 0.5)) < 1e-6);
}

TEST(the_same_energy_is_not_counted_twice) {
    CpuEnergy energy;
    write_rapl("1000000\n", "1000000\n");
    system_write(FAKE_RAPL(1, "name"), "psys\n");
    system_write("sys/class/powercap/intel-rapl-mmio:0/name", "package-0\n");
    system_write("sys/class/powercap/intel-rapl-mmio:0/energy_uj", "1000000\n");
    cpu_energy_read(test_folder, &energy);
    assert_int_equal(energy.count, 1);
}

TEST(counters_for_the_superuser_alone_are_none) {
    CpuEnergy energy;
    write_rapl("1000000\n", "1000000\n");
    const char *path = test_path(FAKE_RAPL(1, "energy_uj"));
    assert_int_equal(unlink(path), 0);
    cpu_energy_read(test_folder, &energy);
    assert_int_equal(energy.count, 0);
}

static const char *fact(const Machine *machine, const char *key) {
    const Fact *found = machine_fact(machine, key);
    return found != NULL ? found->text : "absent";
}

TEST(facts_say_how_the_processor_is_set_up) {
    static Machine machine;
    machine = (Machine){.count = 0};
    system_write("proc/cpuinfo", cpuinfo);
    system_write("proc/loadavg", "1.04 0.79 1.01 12/128 31942\n");
    system_write("proc/stat", "cpu  1 1 1 1 1 1 1 3\ncpu0 1 1 1 1 1 1 1 3\n");
    system_write(FAKE_CPUFREQ(0, "scaling_driver"), "intel_pstate\n");
    system_write(FAKE_CPUFREQ(0, "base_frequency"), "2100000\n");
    system_write("sys/devices/system/cpu/intel_pstate/no_turbo", "1\n");
    system_write("sys/devices/system/cpu/smt/active", "1\n");
    system_write("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
    machine_read_processor(&machine, test_folder);
    assert_string_equal(fact(&machine, "cpu_frequency_driver"), "intel_pstate");
    assert_true(fabs(machine_fact(&machine, "cpu_base_mhz")->number - 2100) < 1e-9);
    assert_string_equal(fact(&machine, "cpu_boost"), "off");
    assert_string_equal(fact(&machine, "cpu_smt"), "on");
    assert_string_equal(fact(&machine, "cpu_microcode"), "0x1000065");
    assert_string_equal(fact(&machine, "virtual_machine"), "yes");
    assert_string_equal(fact(&machine, "steal_time"), "seen");
    assert_string_equal(fact(&machine, "transparent_huge_pages"), "madvise");
    assert_true(machine_fact(&machine, "other_runnable_tasks")->number == 11);
}

static void write_cpufreq(int processor, const char *file, const char *text) {
    char path[128];
    snprintf(path, sizeof path, "sys/devices/system/cpu/cpu%d/cpufreq/%s", processor, file);
    system_write(path, text);
}

/* The first processor of a computer is not one that the process may use. */
TEST(facts_are_of_the_processors_that_may_be_used) {
    static Machine machine;
    cpu_set_t all, one;
    int used[2], count = 0;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    for (int i = 0; i < CPU_SETSIZE && count < 2; i++) {
        if (CPU_ISSET((size_t)i, &all)) {
            used[count++] = i;
        }
    }
    if (count < 2) {
        skip_needing("two processors", NULL);
    }
    write_cpufreq(used[0], "scaling_governor", "performance\n");
    write_cpufreq(used[0], "cpuinfo_max_freq", "5000000\n");
    write_cpufreq(used[0], "scaling_max_freq", "4000000\n");
    write_cpufreq(used[1], "scaling_governor", "powersave\n");
    write_cpufreq(used[1], "cpuinfo_max_freq", "2000000\n");
    write_cpufreq(used[1], "scaling_max_freq", "2000000\n");
    CPU_ZERO(&one);
    CPU_SET((size_t)used[1], &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    machine = (Machine){.count = 0};
    machine_read_processor(&machine, test_folder);
    machine_read_limits(&machine, test_folder);
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
    assert_string_equal(fact(&machine, "cpu_governor"), "powersave");
    assert_true(fabs(machine_number(&machine, "cpu_mhz") - 2000) < 1e-9);
    assert_true(fabs(machine_number(&machine, "cpu_limit_mhz") - 2000) < 1e-9);
    assert_null(machine_fact(&machine, "cpu_mhz_least"));
    machine = (Machine){.count = 0};
    machine_read_processor(&machine, test_folder);
    assert_string_equal(fact(&machine, "cpu_governor"), "performance, powersave");
    assert_true(fabs(machine_number(&machine, "cpu_mhz") - 5000) < 1e-9);
    assert_true(fabs(machine_number(&machine, "cpu_mhz_least") - 2000) < 1e-9);
}

TEST(boost_of_other_drivers) {
    static Machine machine;
    machine = (Machine){.count = 0};
    system_write("sys/devices/system/cpu/cpufreq/boost", "1\n");
    system_write("sys/devices/system/cpu/smt/active", "0\n");
    system_write("proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu nohypervisor sse\n");
    machine_read_processor(&machine, test_folder);
    assert_string_equal(fact(&machine, "cpu_boost"), "on");
    assert_string_equal(fact(&machine, "cpu_smt"), "off");
    assert_string_equal(fact(&machine, "virtual_machine"), "no");
    assert_null(machine_fact(&machine, "steal_time"));
}
