/* Facts of the machine, the system and the build, stored with every run. */

#include "algorithm.h"
#include "cpu_quota.h"
#include "cpu_state.h"
#include "machine_internal.h"
#include "modules.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <omp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "build_info.h"
#include "child_process.h"
#include "devices.h"
#include "fnv.h"
#include "json.h"
#include "registry.h"
#include "source_file.h"
#include "text.h"
#include "topology.h"
#include "utf8.h"

/* In front of an algorithm's name. */
static const char module_hash_key[] = "module_hash_";

/* === List of facts ============================================================================ */

static Fact *next_fact(Machine *machine, const char *key, bool identity) {
    if (machine->count == FACTS_MAX) {
        return NULL;
    }
    Fact *fact = &machine->facts[machine->count++];
    *fact = (Fact){.identity = identity};
    snprintf(fact->key, sizeof fact->key, "%s", key);
    return fact;
}

void machine_add_text(Machine *machine, const char *key, const char *text, bool identity) {
    Fact *fact = text[0] != '\0' ? next_fact(machine, key, identity) : NULL;
    if (fact != NULL) {
        fact->kind = FACT_TEXT;
        /* Escaped as results store it: the stored machine is compared with this one. */
        text_visible(text, fact->text, sizeof fact->text);
    }
}

void machine_add_number(Machine *machine, const char *key, double number, bool identity) {
    Fact *fact = isfinite(number) ? next_fact(machine, key, identity) : NULL;
    if (fact != NULL) {
        fact->kind = FACT_NUMBER;
        fact->number = number;
    }
}

const Fact *machine_fact(const Machine *machine, const char *key) {
    for (size_t i = 0; i < machine->count; i++) {
        if (strcmp(machine->facts[i].key, key) == 0) {
            return &machine->facts[i];
        }
    }
    return NULL;
}

const char *machine_text(const Machine *machine, const char *key) {
    const Fact *fact = machine_fact(machine, key);
    return fact != NULL ? fact->text : "";
}

bool machine_says(const Machine *machine, const char *key, const char *text) {
    return strcmp(machine_text(machine, key), text) == 0;
}

bool machine_scales_clock(const Machine *machine) {
    return machine_text(machine, fact_cpu_governor)[0] != '\0' &&
           !machine_says(machine, fact_cpu_governor, "performance");
}

bool fact_is_of_bytes(const Fact *fact) {
    return fact->kind == FACT_NUMBER && fact->number >= 0 && text_ends(fact->key, "_bytes");
}

#define FACT(key) const char fact_##key[] = #key;
#include "facts.def"

const char *machine_cpu(const Machine *machine) {
    return machine_text(machine, fact_cpu_model);
}

const char *machine_gpu(const Machine *machine) {
    return machine_text(machine, fact_gpu_model);
}

double machine_processors(const Machine *machine) {
    return machine_number(machine, fact_cpu_count);
}

const char *machine_commit(const Machine *machine) {
    return machine_text(machine, fact_commit);
}

bool machine_is_dirty(const Machine *machine) {
    return machine_says(machine, fact_dirty, "yes");
}

void machine_short_name(const char *model, char text[NUMBER_WORDS_SIZE]) {
    static const char *const without[] = {"NVIDIA ", "Tesla ", "GeForce ",  "(R)",
                                          "(TM)",    " CPU",   " Processor"};
    snprintf(text, NUMBER_WORDS_SIZE, "%s", model);
    for (size_t i = 0; i < sizeof without / sizeof without[0]; i++) {
        char *at;
        while ((at = strstr(text, without[i])) != NULL) {
            memmove(at, at + strlen(without[i]), strlen(at + strlen(without[i])) + 1);
        }
    }
    char *clock = strstr(text, " @");
    if (clock != NULL) {
        *clock = '\0';
    }
}

double machine_number(const Machine *machine, const char *key) {
    const Fact *fact = machine_fact(machine, key);
    return fact != NULL && fact->kind == FACT_NUMBER ? fact->number : (double)NAN;
}

void machine_set_number(Machine *machine, const char *key, double number) {
    for (size_t i = 0; i < machine->count; i++) {
        if (strcmp(machine->facts[i].key, key) == 0) {
            machine->facts[i].number = number;
            return;
        }
    }
    machine_add_number(machine, key, number, false);
}

const char *machine_gpus(const Machine *machine) {
    const char *several = machine_text(machine, fact_gpu_devices);
    return several[0] != '\0' ? several : machine_gpu(machine);
}

/* === Files of the system ====================================================================== */

enum { LINE_SIZE = 4096, NUMBER_SIZE = 64 };

const char *system_root(void) {
    const char *root = getenv("BENCH_SYSTEM_ROOT");
    return root != NULL ? root : "";
}

static bool read_line(const char *path, char *line, size_t size) {
    line[0] = '\0';
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return false;
    }
    const bool read = fgets(line, (int)size, file) != NULL;
    line[read ? strcspn(line, "\n") : 0] = '\0';
    fclose(file);
    return read;
}

bool system_line(char *line, size_t size, const char *format, ...) {
    char path[SYSTEM_PATH_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(path, sizeof path, format, arguments);
    va_end(arguments);
    return read_line(path, line, size);
}

double system_number(const char *format, ...) {
    char path[SYSTEM_PATH_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(path, sizeof path, format, arguments);
    va_end(arguments);
    char line[NUMBER_SIZE];
    char *end = line;
    const double number = read_line(path, line, sizeof line) ? strtod(line, &end) : (double)NAN;
    return end != line ? number : (double)NAN;
}

/* The value of a line "key<tabs>: value"; NULL if it has another key. */
static const char *value_of(const char *line, const char *key) {
    const char *rest = text_after(line, key);
    rest = rest != NULL ? rest + strspn(rest, " \t") : "";
    return rest[0] == ':' ? rest + 1 + strspn(rest + 1, " \t") : NULL;
}

/* A line of flags may have a kilobyte. Longer lines are read in parts, which start with no key. */
static bool search(FILE *file, int processor, const char *key, char *value, size_t size) {
    char line[LINE_SIZE];
    bool here = false;
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        const char *number = value_of(line, "processor");
        if (number != NULL) {
            here = strtol(number, NULL, 10) == processor;
        }
        const char *found = here ? value_of(line, key) : NULL;
        if (found != NULL) {
            snprintf(value, size, "%s", found);
            return true;
        }
    }
    return false;
}

bool system_cpuinfo(const char *root, int processor, const char *key, char *value, size_t size) {
    char path[SYSTEM_PATH_SIZE];
    snprintf(path, sizeof path, "%s/proc/cpuinfo", root);
    value[0] = '\0';
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return false;
    }
    const bool found = search(file, processor, key, value, size);
    fclose(file);
    return found;
}

bool system_has_word(const char *text, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word)) {
        const bool starts = at == text || at[-1] == ' ';
        if (starts && (at[length] == ' ' || at[length] == ',' || at[length] == '\0')) {
            return true;
        }
    }
    return false;
}

/* === Processor ================================================================================ */

/* The next processor after `processor` that this process may use; -1: there is none. Begin with -1.
 */
static int next_allowed(int processor) {
    const long configured = sysconf(_SC_NPROCESSORS_CONF);
    const int count =
        configured > 0 && configured < PROCESSORS_MAX ? (int)configured : PROCESSORS_MAX;
    for (processor++; processor < count; processor++) {
        if (processor_is_allowed(processor)) {
            return processor;
        }
    }
    return -1;
}

/* Of the first processor that this process may use. */
static bool own_cpuinfo(const char *root, const char *key, char *value, size_t size) {
    return system_cpuinfo(root, next_allowed(-1), key, value, size);
}

/* Adds the greatest clock that a file of cpufreq has for the processors that may be used, and the
 * least where they differ. False when no processor has the file. */
static bool add_clock(Machine *machine, const char *root, const char *key, const char *file) {
    char least_key[FACT_KEY_SIZE];
    double greatest = NAN, least = NAN;
    for (int i = next_allowed(-1); i >= 0; i = next_allowed(i)) {
        const double mhz =
            system_number("%s/sys/devices/system/cpu/cpu%d/cpufreq/%s", root, i, file) * 1e-3;
        greatest = fmax(greatest, mhz); /* NAN counts for nothing */
        least = fmin(least, mhz);
    }
    machine_add_number(machine, key, greatest, false);
    if (least < greatest) {
        snprintf(least_key, sizeof least_key, "%s_least", key);
        machine_add_number(machine, least_key, least, false);
    }
    return !isnan(greatest);
}

/* Adds the different words that a file of cpufreq has for the processors that may be used. */
static void add_words(Machine *machine, const char *root, const char *key, const char *file) {
    char words[FACT_VALUE_SIZE] = "";
    for (int i = next_allowed(-1); i >= 0; i = next_allowed(i)) {
        char word[NUMBER_SIZE];
        if (system_line(word, sizeof word, "%s/sys/devices/system/cpu/cpu%d/cpufreq/%s", root, i,
                        file) &&
            !system_has_word(words, word)) {
            text_append(words, sizeof words, "%s%s", words[0] != '\0' ? ", " : "", word);
        }
    }
    machine_add_text(machine, key, words, false);
}

/* no_turbo of intel_pstate is the opposite of boost of other drivers. */
static void add_boost(Machine *machine, const char *root) {
    const double no_turbo = system_number("%s/sys/devices/system/cpu/intel_pstate/no_turbo", root);
    const double boost = system_number("%s/sys/devices/system/cpu/cpufreq/boost", root);
    if (!isnan(no_turbo)) {
        machine_add_text(machine, fact_cpu_boost, no_turbo != 0 ? "off" : "on", false);
    } else if (!isnan(boost)) {
        machine_add_text(machine, fact_cpu_boost, boost != 0 ? "on" : "off", false);
    }
}

/* Without a driver /proc/cpuinfo has the clock of now. */
static void add_frequency(Machine *machine, const char *root) {
    char now[FACT_VALUE_SIZE];
    if (!add_clock(machine, root, fact_cpu_mhz, "cpuinfo_max_freq") &&
        own_cpuinfo(root, "cpu MHz", now, sizeof now)) {
        machine_add_number(machine, fact_cpu_mhz, strtod(now, NULL), false);
    }
    add_words(machine, root, fact_cpu_governor, "scaling_governor");
    add_words(machine, root, fact_cpu_frequency_driver, "scaling_driver");
    add_clock(machine, root, fact_cpu_base_mhz, "base_frequency");
    add_boost(machine, root);
}

/* Whether the host has told since the system was started that it gave a processor to others. */
static bool steal_is_seen(const char *root) {
    ProcessorTimes times;
    double sum = 0;
    processor_times_read(root, &times);
    for (size_t i = 0; i < times.count; i++) {
        sum += times.stolen[i];
    }
    return sum > 0;
}

static void add_cpuinfo(Machine *machine, const char *root) {
    char text[SYSTEM_FLAGS_SIZE];
    if (own_cpuinfo(root, "microcode", text, FACT_VALUE_SIZE)) {
        machine_add_text(machine, fact_cpu_microcode, text, false);
    }
    if (own_cpuinfo(root, "flags", text, sizeof text)) {
        const bool guest = system_has_word(text, "hypervisor");
        machine_add_text(machine, fact_virtual_machine, guest ? "yes" : "no", false);
        if (guest) {
            machine_add_text(machine, fact_steal_time, steal_is_seen(root) ? "seen" : "never seen",
                             false);
        }
    }
}

/* "1.04 0.79 1.01 3/128 31942": of 128 tasks 3 can run now, this one among them. */
static void add_runnable(Machine *machine, const char *root) {
    char line[FACT_VALUE_SIZE];
    system_line(line, sizeof line, "%s/proc/loadavg", root);
    const char *slash = strchr(line, '/');
    while (slash != NULL && slash > line && slash[-1] >= '0' && slash[-1] <= '9') {
        slash--;
    }
    const long runnable = slash != NULL ? strtol(slash, NULL, 10) : 0;
    if (runnable > 0) {
        machine_add_number(machine, fact_other_runnable_tasks, (double)(runnable - 1), false);
    }
}

/* "always [madvise] never": the setting is in brackets. */
static void add_huge_pages(Machine *machine, const char *root) {
    char line[FACT_VALUE_SIZE];
    system_line(line, sizeof line, "%s/sys/kernel/mm/transparent_hugepage/enabled", root);
    char *chosen = strchr(line, '[');
    if (chosen != NULL) {
        chosen[strcspn(chosen, "]")] = '\0';
        machine_add_text(machine, fact_transparent_huge_pages, chosen + 1, false);
    }
}

void machine_read_processor(Machine *machine, const char *root) {
    add_frequency(machine, root);
    const double smt = system_number("%s/sys/devices/system/cpu/smt/active", root);
    if (!isnan(smt)) {
        machine_add_text(machine, fact_cpu_smt, smt != 0 ? "on" : "off", false);
    }
    add_cpuinfo(machine, root);
    add_huge_pages(machine, root);
    add_runnable(machine, root);
}

void machine_read_limits(Machine *machine, const char *root) {
    const int processors = processors_allowed();
    machine_add_number(machine, fact_cpu_allowed, processors > 0 ? processors : (double)NAN, false);
    machine_add_number(machine, fact_cpu_online, (double)sysconf(_SC_NPROCESSORS_ONLN), false);
    add_clock(machine, root, fact_cpu_limit_mhz, "scaling_max_freq");
    CpuQuota quota;
    cpu_quota_find(root, &quota);
    machine_add_number(machine, fact_cpu_quota, quota.processors, false);
    cpu_quota_release(&quota);
}

/* === Topology ================================================================================= */

static const char *cache_type(hwloc_obj_cache_type_t type) {
    switch (type) {
    case HWLOC_OBJ_CACHE_UNIFIED: return "Unified";
    case HWLOC_OBJ_CACHE_DATA: return "Data";
    case HWLOC_OBJ_CACHE_INSTRUCTION: return "Instruction";
    }
    return "Unified";
}

/* One entry for each kind of cache, that of the first processor. */
static void read_caches(hwloc_topology_t topology, Machine *machine) {
    static const hwloc_obj_type_t types[] = {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L1ICACHE,
                                             HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE,
                                             HWLOC_OBJ_L4CACHE};
    const size_t capacity = sizeof machine->caches / sizeof machine->caches[0];
    for (size_t i = 0; i < sizeof types / sizeof types[0] && machine->cache_count < capacity; i++) {
        const hwloc_obj_t object = hwloc_get_obj_by_type(topology, types[i], 0);
        if (object == NULL) {
            continue;
        }
        Cache *cache = &machine->caches[machine->cache_count++];
        *cache = (Cache){.level = (int)object->attr->cache.depth,
                         .size = (size_t)object->attr->cache.size,
                         .sharing = hwloc_bitmap_weight(object->cpuset)};
        snprintf(cache->type, sizeof cache->type, "%s", cache_type(object->attr->cache.type));
    }
}

/* hwloc has the model with the package, or with the machine if packages are unknown. */
static const char *cpu_model(hwloc_topology_t topology) {
    const hwloc_obj_t package = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, 0);
    const char *model = package != NULL ? hwloc_obj_get_info_by_name(package, "CPUModel") : NULL;
    if (model == NULL) {
        model = hwloc_obj_get_info_by_name(hwloc_get_root_obj(topology), "CPUModel");
    }
    return model != NULL ? model : "";
}

static void read_counts(hwloc_topology_t topology, Machine *machine) {
    static const struct {
        const char *key;
        hwloc_obj_type_t type;
    } counts[] = {{"cpu_packages", HWLOC_OBJ_PACKAGE},
                  {fact_cpu_cores, HWLOC_OBJ_CORE},
                  {fact_numa_nodes, HWLOC_OBJ_NUMANODE}};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        const int count = hwloc_get_nbobjs_by_type(topology, counts[i].type);
        if (count > 0) {
            machine_add_number(machine, counts[i].key, count, false);
        }
    }
}

/* hwloc: processor model, packages, cores, threads, caches, NUMA nodes. */
static void machine_read_topology(Machine *machine) {
    hwloc_topology_t topology = topology_load();
    if (topology == NULL) {
        return;
    }
    machine->cpu_count = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU);
    machine_add_text(machine, fact_cpu_model, cpu_model(topology), true);
    machine_add_number(machine, fact_cpu_count, machine->cpu_count, true);
    read_counts(topology, machine);
    read_caches(topology, machine);
    hwloc_topology_destroy(topology);
}

/* === Operating system ========================================================================= */

/* BENCH_HOST_NAME replaces the host's name in results that are to be published. */
static void read_names(Machine *machine) {
    char host[FACT_VALUE_SIZE] = "";
    const char *given = getenv("BENCH_HOST_NAME");
    if (given != NULL && given[0] != '\0') {
        snprintf(host, sizeof host, "%s", given);
    } else if (gethostname(host, sizeof host - 1) != 0) {
        host[0] = '\0';
    }
    machine_add_text(machine, fact_host_name, host, false);
    struct utsname names;
    if (uname(&names) == 0) {
        char kernel[FACT_VALUE_SIZE];
        snprintf(kernel, sizeof kernel, "%.60s %.100s", names.sysname, names.release);
        machine_add_text(machine, fact_kernel, kernel, false);
        machine_add_text(machine, "architecture", names.machine, false);
    }
}

static void read_load(Machine *machine) {
    static const char *const keys[] = {fact_load_average_1_min, fact_load_average_5_min,
                                       fact_load_average_15_min};
    double loads[3];
    const int count = getloadavg(loads, 3);
    for (int i = 0; i < count; i++) {
        machine_add_number(machine, keys[i], loads[i], false);
    }
}

/* All memory of the kernel. hwloc sums up nodes, which misses memory that was added later. */
static void read_memory(Machine *machine) {
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long page_size = sysconf(_SC_PAGESIZE);
    if (pages > 0 && page_size > 0) {
        machine_add_number(machine, fact_memory_bytes, (double)pages * (double)page_size, false);
    }
}

static const char *bind_name(omp_proc_bind_t bind) {
    switch (bind) {
    case omp_proc_bind_false: return "false";
    case omp_proc_bind_true: return "true";
    case omp_proc_bind_master: return "primary";
    case omp_proc_bind_close: return "close";
    case omp_proc_bind_spread: return "spread";
    default: return "";
    }
}

/* What OpenMP itself says of its threads and their places, which affect the times of every threaded
 * variant: it may not have read, or not understood, what the environment says. */
static void read_openmp(Machine *machine) {
    const int places = omp_get_num_places();
    const char *given = getenv("OMP_PLACES");
    double processors = 0;
    machine_add_text(machine, fact_omp_proc_bind, bind_name(omp_get_proc_bind()), false);
    machine_add_number(machine, "omp_num_threads", omp_get_max_threads(), false);
    if (omp_get_thread_limit() < INT_MAX) {
        machine_add_number(machine, fact_omp_thread_limit, omp_get_thread_limit(), false);
    }
    for (int i = 0; i < places; i++) {
        processors += omp_get_place_num_procs(i);
    }
    if (places > 0) {
        machine_add_text(machine, fact_omp_places, given != NULL ? given : "", false);
        machine_add_number(machine, "omp_place_count", places, false);
        machine_add_number(machine, "omp_place_processors", processors, false);
    }
}

/* Operating system: kernel, host name, memory, load, address-space randomisation, OpenMP. */
static void machine_read_system(Machine *machine) {
    char line[FACT_VALUE_SIZE];
    read_names(machine);
    system_line(line, sizeof line, "%s/proc/sys/kernel/randomize_va_space", system_root());
    if (line[0] != '\0') {
        machine_add_text(machine, fact_aslr, strcmp(line, "0") != 0 ? "yes" : "no", false);
    }
    read_memory(machine);
    read_load(machine);
    read_openmp(machine);
}

/* === GPU ====================================================================================== */

enum { VERSION_SIZE = 96 };

static void add_switch(Machine *machine, const char *key, int error, bool on) {
    machine_add_text(machine, key, error != NVML_SUCCESS ? "" : on ? "on" : "off", false);
}

static void add_versions(const Nvml *nvml, Machine *machine) {
    char text[VERSION_SIZE];
    if (nvml->driver_version != NULL && nvml->driver_version(text, sizeof text) == NVML_SUCCESS) {
        machine_add_text(machine, fact_gpu_driver, text, false);
    }
    if (nvml->nvml_version != NULL && nvml->nvml_version(text, sizeof text) == NVML_SUCCESS) {
        machine_add_text(machine, "nvml_version", text, false);
    }
}

static void add_modes(const Nvml *nvml, NvmlDevice device, Machine *machine) {
    int on = 0, later = 0;
    if (nvml->persistence != NULL) {
        const int error = nvml->persistence(device, &on);
        add_switch(machine, "gpu_persistence_mode", error, on != 0);
    }
    if (nvml->ecc != NULL) {
        const int error = nvml->ecc(device, &on, &later);
        add_switch(machine, fact_gpu_ecc, error, on != 0);
    }
    unsigned mig = 0, mig_later = 0;
    if (nvml->mig != NULL) {
        const int error = nvml->mig(device, &mig, &mig_later);
        add_switch(machine, fact_gpu_mig, error, mig != 0);
    }
}

static void add_numbers(const Nvml *nvml, NvmlDevice device, Machine *machine) {
    unsigned milliwatt = 0;
    if (nvml->power_limit != NULL && nvml->power_limit(device, &milliwatt) == NVML_SUCCESS) {
        machine_add_number(machine, fact_gpu_power_limit_w, milliwatt * 1e-3, false);
    }
    NvmlUtilization utilization = {0};
    if (nvml->utilization != NULL && nvml->utilization(device, &utilization) == NVML_SUCCESS) {
        machine_add_number(machine, fact_gpu_utilization_pct, utilization.gpu, false);
    }
    DeviceState state;
    gpu_state_read(&state);
    machine_add_number(machine, fact_gpu_sm_clock_mhz_max, state.clock_mhz_max, false);
    machine_add_number(machine, "gpu_temperature_c", state.temperature, false);
    const int others = gpu_other_processes();
    if (others >= 0) {
        machine_add_number(machine, fact_gpu_other_processes, others, false);
    }
}

void machine_note_gpu_processes(Machine *machine) {
    const int others = gpu_other_processes();
    const double before = machine_number(machine, fact_gpu_other_processes);
    if (others > (isnan(before) ? 0 : before)) {
        machine_set_number(machine, fact_gpu_other_processes, others);
    }
}

void machine_read_gpu(Machine *machine) {
    const char *several = machine_text(machine, fact_gpu_bus_ids);
    nvml_select(several[0] != '\0' ? several : machine_text(machine, fact_gpu_pci_bus_id));
    NvmlDevice device = NULL;
    bool in_use = false;
    if (nvml_device(&device, &in_use)) {
        add_versions(nvml_library(), machine);
        add_modes(nvml_library(), device, machine);
        add_numbers(nvml_library(), device, machine);
    }
    machine_read_links(machine);
}

/* === Build ==================================================================================== */

/* This binary: version, commit, compilers, flags, CUDA architectures. */
static void machine_read_build(Machine *machine) {
    machine_add_text(machine, fact_bench_version, BUILD_VERSION, false);
    machine_add_text(machine, fact_commit, BUILD_COMMIT, true);
    machine_add_text(machine, fact_dirty, BUILD_DIRTY, true);
    machine_add_text(machine, fact_build_type, BUILD_TYPE, false);
    machine_add_text(machine, fact_c_compiler, BUILD_C_COMPILER, true);
    machine_add_text(machine, fact_c_flags, BUILD_C_FLAGS, true);
    machine_add_text(machine, fact_cuda_compiler, BUILD_CUDA_COMPILER, true);
    machine_add_text(machine, fact_cuda_architectures, BUILD_CUDA_ARCHITECTURES, true);
}

/* === Reading and comparing ==================================================================== */

void machine_read(Machine *machine) {
    *machine = (Machine){.count = 0};
    machine_read_system(machine);
    machine_read_topology(machine);
    machine_read_processor(machine, system_root());
    const double mhz = machine_number(machine, fact_cpu_mhz);
    machine->mhz = isfinite(mhz) ? mhz : 0.0;
    machine_read_limits(machine, system_root());
    machine->count +=
        cuda_device_facts(machine->facts + machine->count, FACTS_MAX - machine->count);
    machine_read_gpu(machine);
    machine_read_cuda_variables(machine);
    machine_read_watchers(machine, system_root());
    machine_read_noise(machine);
    machine_read_spread(machine);
    machine_read_build(machine);
}

static void fact_value(const Fact *fact, char *value, size_t size) {
    if (fact == NULL) {
        snprintf(value, size, "not known");
    } else if (fact->kind == FACT_TEXT) {
        snprintf(value, size, "%s", fact->text);
    } else {
        snprintf(value, size, "%.17g", fact->number);
    }
}

static bool is_of_version(const char *key) {
    return strcmp(key, fact_commit) == 0 || strcmp(key, fact_dirty) == 0 ||
           text_after(key, module_hash_key) != NULL;
}

/* Compares the identity facts of both machines. */
static Status compare_facts(const Machine *before, const Machine *now, bool versions) {
    const Machine *const machines[] = {before, now};
    for (size_t m = 0; m < 2; m++) {
        for (size_t i = 0; i < machines[m]->count; i++) {
            const Fact *fact = &machines[m]->facts[i];
            char old_value[FACT_VALUE_SIZE], new_value[FACT_VALUE_SIZE];
            fact_value(machine_fact(before, fact->key), old_value, sizeof old_value);
            fact_value(machine_fact(now, fact->key), new_value, sizeof new_value);
            if (fact->identity && (versions || !is_of_version(fact->key)) &&
                strcmp(old_value, new_value) != 0) {
                return status_make(STATUS_USAGE, "%s differs: old %.100s, new %.100s", fact->key,
                                   old_value, new_value);
            }
        }
    }
    return status_ok();
}

Status machine_same(const Machine *before, const Machine *now) {
    return compare_facts(before, now, true);
}

Status machine_comparable(const Machine *before, const Machine *now) {
    return compare_facts(before, now, false);
}

/* A sum, so that the order of the facts does not matter. */
void machine_id(const Machine *machine, char id[MACHINE_ID_SIZE]) {
    uint64_t sum = 0;
    for (size_t i = 0; i < machine->count; i++) {
        const Fact *fact = &machine->facts[i];
        if (fact->identity && !is_of_version(fact->key)) {
            char value[FACT_VALUE_SIZE];
            fact_value(fact, value, sizeof value);
            const uint64_t key = fnv_bytes(FNV_START, fact->key, strlen(fact->key) + 1);
            sum += fnv_bytes(key, value, strlen(value));
        }
    }
    snprintf(id, MACHINE_ID_SIZE, "%016" PRIx64, sum);
}

/* === Facts of a results file ================================================================== */

static bool is_identity(const cJSON *identity, const char *key) {
    const cJSON *item;
    cJSON_ArrayForEach(item, identity) {
        const char *text = cJSON_GetStringValue(item);
        if (text != NULL && strcmp(text, key) == 0) {
            return true;
        }
    }
    return false;
}

enum { HASH_SIZE = 32 };

static void hash_text(const Module *module, char hash[HASH_SIZE]) {
    snprintf(hash, HASH_SIZE, "%016" PRIx64, module->hash);
}

void machine_add_module(Machine *machine, const Algorithm *algorithm) {
    const Module *module = module_of(algorithm);
    if (module == NULL) {
        return;
    }
    char key[FACT_KEY_SIZE], hash[HASH_SIZE];
    snprintf(key, sizeof key, "module_%s", algorithm->name);
    machine_add_text(machine, key, module->path, false);
    snprintf(key, sizeof key, "%s%s", module_hash_key, algorithm->name);
    hash_text(module, hash);
    machine_add_text(machine, key, hash, true);
    if (module->with[0] != '\0') {
        snprintf(key, sizeof key, "module_with_%s", algorithm->name);
        machine_add_text(machine, key, module->with, false);
    }
    char source[FACT_VALUE_SIZE], command[FACT_VALUE_SIZE];
    if (source_file_of_module(module->path, source, command, sizeof source)) {
        snprintf(key, sizeof key, "module_source_%s", algorithm->name);
        machine_add_text(machine, key, source, false);
        snprintf(key, sizeof key, "module_compiled_%s", algorithm->name);
        machine_add_text(machine, key, command, false);
    }
}

/* `hash` is that of the run. */
static Status module_check(const char *name, const char *hash, const char *run) {
    const Algorithm *algorithm = registry_find_algorithm(name);
    const Module *module = algorithm != NULL ? module_of(algorithm) : NULL;
    char here[HASH_SIZE];
    if (module == NULL) {
        return status_make(STATUS_USAGE,
                           "%.150s was made with the module '%.40s', whose file has the hash "
                           "%.20s: name that file with --plugin FILE",
                           run, name, hash);
    }
    hash_text(module, here);
    return strcmp(hash, here) == 0
               ? status_ok()
               : status_make(STATUS_USAGE,
                             "%.100s was made with another module '%.40s': its file has the hash "
                             "%.20s, and %.80s has %s",
                             run, name, hash, module->path, here);
}

Status machine_modules_check(const Machine *stored, const char *run,
                             bool (*wanted)(void *context, const char *algorithm), void *context) {
    for (size_t i = 0; i < stored->count; i++) {
        const Fact *fact = &stored->facts[i];
        const char *name = text_after(fact->key, module_hash_key);
        if (name != NULL && (wanted == NULL || wanted(context, name))) {
            STATUS_TRY(module_check(name, fact->text, run));
        }
    }
    return status_ok();
}

void machine_json_read(const cJSON *context, Machine *machine) {
    const cJSON *facts = cJSON_GetObjectItemCaseSensitive(context, "machine");
    const cJSON *identity = cJSON_GetObjectItemCaseSensitive(context, "machine_identity");
    const cJSON *item;
    cJSON_ArrayForEach(item, facts) {
        /* Those of a list have no key. */
        if (machine->count == FACTS_MAX || item->string == NULL ||
            (!cJSON_IsString(item) &&
             !(cJSON_IsNumber(item) && number_possible(item->valuedouble)))) {
            continue;
        }
        Fact *fact = &machine->facts[machine->count++];
        utf8_copy(fact->key, sizeof fact->key, item->string);
        fact->identity = is_identity(identity, item->string);
        if (cJSON_IsNumber(item)) {
            fact->kind = FACT_NUMBER;
            fact->number = item->valuedouble;
        } else {
            fact->kind = FACT_TEXT;
            utf8_copy(fact->text, sizeof fact->text, item->valuestring);
        }
    }
    launch_spread_json_read(context, &machine->spread);
}
