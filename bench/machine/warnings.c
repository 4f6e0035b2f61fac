/* Warnings: properties of a machine that make its numbers doubtful. */

#include "warnings.h"
#include "cpu_quota.h"
#include "cuda_variables.h"
#include "machine_internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "text.h"

/* Share of the processors that other programs may keep busy without a warning. */
static const double busy_share = 0.5;
/* Share of the highest clock below which that of another processor is not the same. */
static const double clock_share = 0.95;
/* Use of the GPU by others, %, without a warning. */
static const double busy_gpu_pct = 10;

STATUS_PRINTF(2, 3)
static void warn(Warnings *warnings, const char *format, ...) {
    if (warnings->count == WARNINGS_MAX) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(warnings->text[warnings->count++], WARNING_SIZE, format, arguments);
    va_end(arguments);
}

static void warn_of_clocks(const Machine *machine, Warnings *warnings) {
    const char *governor = machine_text(machine, fact_cpu_governor);
    const double greatest = machine_number(machine, fact_cpu_mhz);
    const double least = machine_number(machine, fact_cpu_mhz_least);
    if (machine_scales_clock(machine)) {
        warn(warnings,
             strchr(governor, ',') == NULL
                 ? "the CPU frequency governor is '%.40s', not 'performance': clocks change with "
                   "load"
                 : "the processors have different frequency governors (%.80s): clocks change with "
                   "load",
             governor);
    }
    if (least < clock_share * greatest) {
        warn(warnings,
             "the processors differ: their highest clocks are %.0f to %.0f MHz, and a time depends "
             "on where it was measured",
             least, greatest);
    }
    if (machine_says(machine, fact_steal_time, "seen")) {
        warn(warnings,
             "this is a virtual machine: the time that other guests take is seen, changes "
             "of the clock are not");
    } else if (machine_says(machine, fact_virtual_machine, "yes")) {
        warn(warnings, "this is a virtual machine: other guests and changes of the clock cannot be "
                       "seen");
    }
}

static void warn_of_load(const Machine *machine, Warnings *warnings) {
    const double limit = busy_share * machine->cpu_count;
    const double load = machine_number(machine, fact_load_average_1_min);
    const double others = machine_number(machine, fact_other_runnable_tasks);
    if (load > limit) {
        warn(warnings,
             "the machine was busy: load average %.2f in the last minute on %d processors", load,
             machine->cpu_count);
    }
    if (others > 0 && others >= limit) {
        warn(warnings, "other programs are running: %.0f task%s besides this one on %d processors",
             others, others == 1 ? "" : "s", machine->cpu_count);
    }
}

/* How many processors the process may use; runs that are older than the fact have those of the
 * machine. */
static double allowed_processors(const Machine *machine) {
    const double allowed = machine_number(machine, fact_cpu_allowed);
    return isnan(allowed) ? machine->cpu_count : allowed;
}

static void warn_of_threads(const Machine *machine, int threads, Warnings *warnings) {
    const double cores = machine_number(machine, fact_cpu_cores);
    const double allowed = allowed_processors(machine);
    const double limit = machine_number(machine, fact_omp_thread_limit);
    if (allowed > 0 && threads > allowed) {
        warn(warnings, "up to %d threads share the time of %.0f processor%s", threads, allowed,
             allowed == 1 ? "" : "s");
    } else if (machine_says(machine, fact_cpu_smt, "on") && threads > cores) {
        warn(warnings, "up to %d threads run on %.0f cores: they share cores (SMT)", threads,
             cores);
    }
    if (threads > 1 && allowed < machine_number(machine, fact_cpu_online)) {
        warn(
            warnings,
            "the program may use %.0f of %.0f processors (affinity mask or cpuset): the others are "
            "not measured",
            allowed, machine_number(machine, fact_cpu_online));
    }
    if (limit < allowed) {
        warn(warnings,
             "OpenMP runs no more than %.0f thread%s on %.0f processors (OMP_THREAD_LIMIT)", limit,
             limit == 1 ? "" : "s", allowed);
    }
}

static void warn_of_quota(const Machine *machine, int threads, Warnings *warnings) {
    const double quota = machine_number(machine, fact_cpu_quota);
    const Throttling stopped = machine_throttling(machine);
    if (quota < (threads > 1 ? threads : 1)) {
        warn(warnings,
             "a CPU quota allows the control group the time of %.3g processor%s: up to %d thread%s "
             "stopped when it is used up",
             quota, quota == 1 ? "" : "s", threads > 1 ? threads : 1,
             threads > 1 ? "s are" : " is");
    }
    if (stopped.throttled > 0) {
        warn(warnings,
             "the CPU quota of the control group stopped this run in %.0f of %.0f periods (%.3g s "
             "in all)",
             stopped.throttled, stopped.periods, stopped.seconds);
    }
}

static void warn_of_gpu(const Machine *machine, Warnings *warnings) {
    const double processes = machine_number(machine, fact_gpu_other_processes);
    const double utilization = machine_number(machine, fact_gpu_utilization_pct);
    if (processes > 0) {
        warn(warnings, "the GPU is shared: %.0f other process%s compute%s on it", processes,
             processes == 1 ? "" : "es", processes == 1 ? "s" : "");
    }
    if (machine_text(machine, fact_cuda_mps)[0] != '\0') {
        warn(warnings,
             "MPS is running: kernels of other programs may run at the same time on the GPU");
    }
    if (utilization >= busy_gpu_pct) {
        warn(warnings, "the GPU was busy before the run: %.0f%% of the time", utilization);
    }
}

/* Variables of one effect, such as those that a profiler sets, are one warning. */
static void warn_of_cuda_variables(const Machine *machine, Warnings *warnings) {
    for (size_t i = 0; i < cuda_variable_count; i++) {
        const char *effect = cuda_variables[i].effect;
        char names[WARNING_SIZE / 2] = "";
        bool first = true;
        size_t count = 0;
        for (size_t j = 0; j < cuda_variable_count; j++) {
            if (cuda_variables[j].effect == effect && cuda_variable_matters(machine, j)) {
                first &= count++ > 0 || j == i;
                text_append(names, sizeof names, "%s%s", count > 1 ? ", " : "",
                            cuda_variables[j].name);
            }
        }
        if (count > 0 && first && cuda_variable_matters(machine, i)) {
            warn(warnings, "%s %s set: %s", names, count == 1 ? "is" : "are", effect);
        }
    }
}

static void warn_of_watchers(const Machine *machine, Warnings *warnings) {
    const char *tracer = machine_text(machine, fact_traced_by);
    const char *preloaded = machine_text(machine, fact_ld_preload);
    if (tracer[0] != '\0') {
        warn(warnings,
             "%.40s traces the program, as a debugger or profiler does: what it stops takes longer",
             tracer);
    }
    if (preloaded[0] != '\0') {
        warn(warnings,
             "LD_PRELOAD loads %.120s into the program: a profiler or another allocator changes "
             "times",
             preloaded);
    }
}

void machine_warnings(const Machine *machine, const MachineUse *use, Warnings *warnings) {
    *warnings = (Warnings){.count = 0};
    warn_of_clocks(machine, warnings);
    warn_of_load(machine, warnings);
    warn_of_threads(machine, use->threads, warnings);
    warn_of_watchers(machine, warnings);
    if (use->gpu) {
        warn_of_gpu(machine, warnings);
        warn_of_cuda_variables(machine, warnings);
    }
    warn_of_quota(machine, use->threads, warnings);
}
