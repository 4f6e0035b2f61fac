#include "nccl.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"

/* === The library ============================================================================== */

/* What is used of its interface, which has not changed since version 2.0. */
typedef struct NcclComm *NcclComm;
typedef int NcclResult;

enum { NCCL_SUCCESS = 0, NCCL_UINT8 = 1, NCCL_FLOAT32 = 7, NCCL_SUM = 0 };

typedef struct NcclLibrary {
    NcclResult (*version)(int *version);
    NcclResult (*open_all)(NcclComm *comms, int count, const int *gpus);
    NcclResult (*close)(NcclComm comm);
    NcclResult (*begin_group)(void);
    NcclResult (*end_group)(void);
    NcclResult (*all_gather)(const void *sent, void *received, size_t count, int type,
                             NcclComm comm, void *stream);
    NcclResult (*all_reduce)(const void *sent, void *received, size_t count, int type,
                             int operation, NcclComm comm, void *stream);
    const char *(*error_text)(NcclResult result);
} NcclLibrary;

static const struct {
    size_t offset;
    const char *name;
} symbols[] = {
    {offsetof(NcclLibrary, version), "ncclGetVersion"},
    {offsetof(NcclLibrary, open_all), "ncclCommInitAll"},
    {offsetof(NcclLibrary, close), "ncclCommDestroy"},
    {offsetof(NcclLibrary, begin_group), "ncclGroupStart"},
    {offsetof(NcclLibrary, end_group), "ncclGroupEnd"},
    {offsetof(NcclLibrary, all_gather), "ncclAllGather"},
    {offsetof(NcclLibrary, all_reduce), "ncclAllReduce"},
    {offsetof(NcclLibrary, error_text), "ncclGetErrorString"},
};

static NcclLibrary library;
static bool loaded;

static const char *find_symbols(void *handle) {
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
        void *address = dlsym(handle, symbols[i].name);
        if (address == NULL) {
            return symbols[i].name;
        }
        memcpy((char *)&library + symbols[i].offset, &address, sizeof address);
    }
    return NULL;
}

/* Never closed: the library stays in use until the program ends. */
static Status load_library(void) {
    const char *given = getenv("BENCH_NCCL_LIBRARY");
    const char *name = given != NULL && given[0] != '\0' ? given : "libnccl.so.2";
    void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        return status_skip("NCCL cannot be loaded: %s; install libnccl.so.2 or name its file in "
                           "BENCH_NCCL_LIBRARY",
                           dlerror());
    }
    const char *missing = find_symbols(handle);
    if (missing != NULL) {
        return status_skip("NCCL cannot be loaded: %s has no function %s", name, missing);
    }
    loaded = true;
    return status_ok();
}

static Status use_library(void) {
    static Status first;
    static bool tried;
    if (!tried) {
        tried = true;
        first = load_library();
    }
    return first;
}

void nccl_version(char text[NCCL_VERSION_SIZE]) {
    int number = 0;
    text[0] = '\0';
    if (loaded && library.version(&number) == NCCL_SUCCESS) {
        /* 2.8.4 is 2804, and 2.28.9 is 22809. */
        const int major = number < 10000 ? 1000 : 10000;
        snprintf(text, NCCL_VERSION_SIZE, "%d.%d.%d", number / major, number % major / 100,
                 number % 100);
    }
}

/* === Communicators ============================================================================ */

/* Lists of GPUs that have communicators: as a rule the first 2, 4, 8 … GPUs. */
enum { LISTS_MAX = CUDA_DEVICES_MAX };

struct Nccl {
    int count; /* 0: free */
    int gpus[CUDA_DEVICES_MAX];
    NcclComm comms[CUDA_DEVICES_MAX];
};

static Nccl lists[LISTS_MAX];

static void close_list(Nccl *list) {
    for (int i = 0; i < list->count; i++) {
        (void)library.close(list->comms[i]);
    }
    *list = (Nccl){.count = 0};
}

void nccl_close_all(void) {
    for (int i = 0; i < LISTS_MAX; i++) {
        close_list(&lists[i]);
    }
}

static bool is_of(const Nccl *list, const int *gpus, int count) {
    return list->count == count && memcmp(list->gpus, gpus, (size_t)count * sizeof *gpus) == 0;
}

static Status check_gpus(const int *gpus, int count) {
    if (count < 1 || count > CUDA_DEVICES_MAX) {
        return status_skip("NCCL is used for 1 to %d GPUs, not %d", CUDA_DEVICES_MAX, count);
    }
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < i; j++) {
            if (gpus[j] == gpus[i]) {
                return status_skip("NCCL cannot be used: GPU %d stands for several", gpus[i]);
            }
        }
    }
    return status_ok();
}

/* The place of the list, or else a free one; NULL: there is none. */
static Nccl *find_list(const int *gpus, int count) {
    for (int i = 0; i < LISTS_MAX; i++) {
        if (is_of(&lists[i], gpus, count) || lists[i].count == 0) {
            return &lists[i];
        }
    }
    return NULL;
}

Status nccl_open(const int *gpus, int count, const Nccl **nccl) {
    STATUS_TRY(check_gpus(gpus, count));
    STATUS_TRY(use_library());
    Nccl *list = find_list(gpus, count);
    if (list == NULL) {
        return status_skip("NCCL is in use for %d lists of GPUs already", LISTS_MAX);
    }
    if (list->count == 0) {
        const NcclResult result = library.open_all(list->comms, count, gpus);
        if (result != NCCL_SUCCESS) {
            return status_skip("NCCL cannot be used: %s (ncclCommInitAll)",
                               library.error_text(result));
        }
        memcpy(list->gpus, gpus, (size_t)count * sizeof *gpus);
        list->count = count;
    }
    *nccl = list;
    return status_ok();
}

/* === Operations =============================================================================== */

static Status status_of(NcclResult result, const char *function) {
    return result == NCCL_SUCCESS
               ? status_ok()
               : status_fail("NCCL: %s (%s)", library.error_text(result), function);
}

/* Ends the group also where one of its calls has failed: NCCL would go on collecting otherwise. */
static Status end_group(NcclResult result, const char *function) {
    const NcclResult ended = library.end_group();
    STATUS_TRY(status_of(result, function));
    return status_of(ended, "ncclGroupEnd");
}

Status nccl_all_gather(const Nccl *nccl, const NcclCall *call, size_t bytes) {
    NcclResult result = library.begin_group();
    STATUS_TRY(status_of(result, "ncclGroupStart"));
    for (int i = 0; i < nccl->count && result == NCCL_SUCCESS; i++) {
        result = library.all_gather(call->sent[i], call->received[i], bytes, NCCL_UINT8,
                                    nccl->comms[i], call->streams[i]);
    }
    return end_group(result, "ncclAllGather");
}

Status nccl_all_reduce(const Nccl *nccl, const NcclCall *call, size_t count) {
    NcclResult result = library.begin_group();
    STATUS_TRY(status_of(result, "ncclGroupStart"));
    for (int i = 0; i < nccl->count && result == NCCL_SUCCESS; i++) {
        result = library.all_reduce(call->sent[i], call->received[i], count, NCCL_FLOAT32, NCCL_SUM,
                                    nccl->comms[i], call->streams[i]);
    }
    return end_group(result, "ncclAllReduce");
}
