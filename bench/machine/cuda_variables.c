/* Variables of the environment that change what a GPU's time is of, without a word of CUDA. */

#include "cuda_variables.h"
#include "machine_internal.h"

#include <stdlib.h>
#include <string.h>

static const char watched[] =
    "a profiler or another tool is loaded into the program: launches, copies and kernels take "
    "longer";

const CudaVariable cuda_variables[] = {
    {"cuda_launch_blocking", "CUDA_LAUNCH_BLOCKING", "0",
     "each launch waits for its kernel, so kernel times contain the launches"},
    {"cuda_injection64_path", "CUDA_INJECTION64_PATH", "", watched},
    {"nsys_profiling_session_id", "NSYS_PROFILING_SESSION_ID", "", watched},
    {"nv_nsight_injection_transport_type", "NV_NSIGHT_INJECTION_TRANSPORT_TYPE", "", watched},
    {"cuda_force_ptx_jit", "CUDA_FORCE_PTX_JIT", "0",
     "the driver compiles the kernels anew: the times are not those of this program's own"},
    {"cuda_device_max_connections", "CUDA_DEVICE_MAX_CONNECTIONS", "8",
     "streams have another number of queues than the usual 8, so copies and kernels overlap "
     "otherwise"},
    {"cuda_scale_launch_queues", "CUDA_SCALE_LAUNCH_QUEUES", "1x",
     "another number of launches fits into a queue, and a full one ends the hold of a sample"},
    {"cuda_persisting_l2_cache_percentage",
     "CUDA_DEVICE_DEFAULT_PERSISTING_L2_CACHE_PERCENTAGE_LIMIT", "0",
     "a part of the L2 cache is reserved, and kernels have the rest, but for --cold"},
    {"cuda_mps_active_thread_percentage", "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", "100",
     "where MPS runs, kernels have a part of the GPU alone"},
};
const size_t cuda_variable_count = sizeof cuda_variables / sizeof cuda_variables[0];

void machine_read_cuda_variables(Machine *machine) {
    for (size_t i = 0; i < cuda_variable_count; i++) {
        const char *value = getenv(cuda_variables[i].name);
        machine_add_text(machine, cuda_variables[i].key, value != NULL ? value : "", false);
    }
}

bool cuda_variables_watch(void) {
    for (size_t i = 0; i < cuda_variable_count; i++) {
        const char *value = getenv(cuda_variables[i].name);
        if (cuda_variables[i].effect == watched && value != NULL && value[0] != '\0') {
            return true;
        }
    }
    return false;
}

bool cuda_variable_matters(const Machine *machine, size_t index) {
    const char *value = machine_text(machine, cuda_variables[index].key);
    return value[0] != '\0' && strcmp(value, cuda_variables[index].usual) != 0;
}
