#include "build_info.h"
#include "machine_facts.h"
#include "machine_parts.h"

void machine_read_build(Machine *machine) {
    machine_add_text(machine, "bench_version", BUILD_VERSION, false);
    machine_add_text(machine, "commit", BUILD_COMMIT, true);
    machine_add_text(machine, "dirty", BUILD_DIRTY, true);
    machine_add_text(machine, "build_type", BUILD_TYPE, false);
    machine_add_text(machine, "c_compiler", BUILD_C_COMPILER, true);
    machine_add_text(machine, "c_flags", BUILD_C_FLAGS, true);
    machine_add_text(machine, "cuda_compiler", BUILD_CUDA_COMPILER, true);
    machine_add_text(machine, "cuda_architectures", BUILD_CUDA_ARCHITECTURES, true);
}
