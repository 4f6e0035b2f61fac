#include "blas.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "resources.h"

/* Of address space: the library's code and tables, and what each thread that works in it maps: two
 * buffers, of which it keeps the better, and a stack. Measured with release 0.3.21. */
static const size_t library_bytes = (size_t)64 << 20, thread_bytes = (size_t)288 << 20;

static const char threads_variable[] = "OPENBLAS_NUM_THREADS";

static const struct {
    size_t offset;
    const char *name;
} symbols[] = {
    {offsetof(Blas, sgemm), "cblas_sgemm"},
    {offsetof(Blas, set_threads), "openblas_set_num_threads"},
    {offsetof(Blas, get_threads), "openblas_get_num_threads"},
};

static Blas library;
static bool loaded;
static int most_callers; /* that there was room for: their buffers are kept */

static bool find_symbols(void *handle) {
    bool found = true;
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
        void *address = dlsym(handle, symbols[i].name);
        memcpy((char *)&library + symbols[i].offset, &address, sizeof address);
        found = found && address != NULL;
    }
    return found;
}

/* OpenBLAS tries again without end where it cannot map a buffer. */
static Status check_room(int callers) {
    if (callers <= most_callers) {
        return status_ok();
    }
    const int more = callers - most_callers;
    const size_t bytes = (size_t)more * thread_bytes + (loaded ? 0 : library_bytes);
    void *room = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED) {
        return status_skip("OpenBLAS needs %zu MiB more of address space for %d thread%s, which "
                           "this process may not have (ulimit -v)",
                           bytes >> 20, callers, callers == 1 ? "" : "s");
    }
    munmap(room, bytes);
    return status_ok();
}

/* Never closed: the library stays in use until the program ends. */
static void *open_library(void) {
    static const char *const names[] = {"libopenblas.so.0", "libopenblas.so"};
    const char *given = getenv("BENCH_OPENBLAS_LIBRARY");
    if (given != NULL && given[0] != '\0') {
        return dlopen(given, RTLD_NOW | RTLD_LOCAL);
    }
    void *handle = dlopen(names[0], RTLD_NOW | RTLD_LOCAL);
    return handle != NULL ? handle : dlopen(names[1], RTLD_NOW | RTLD_LOCAL);
}

/* It starts its threads while it is loaded. The setting is not for programs that this one
 * starts. */
static void *open_with_one_thread(void) {
    const char *given = getenv(threads_variable);
    char *kept = given != NULL ? strdup(given) : NULL;
    setenv(threads_variable, "1", 1);
    void *handle = open_library();
    if (kept != NULL) {
        setenv(threads_variable, kept, 1);
    } else {
        unsetenv(threads_variable);
    }
    free(kept);
    return handle;
}

static Status load(void) {
    void *handle = open_with_one_thread();
    if (handle == NULL || !find_symbols(handle)) {
        const char *reason = dlerror();
        return status_skip("OpenBLAS cannot be loaded: %.200s; install libopenblas0",
                           reason != NULL ? reason : "a function is missing");
    }
    loaded = true;
    return status_ok();
}

Status blas_library(int callers, const Blas **blas) {
    STATUS_TRY(check_room(callers));
    if (!loaded) {
        STATUS_TRY(load());
    }
    most_callers = callers > most_callers ? callers : most_callers;
    *blas = &library;
    return status_ok();
}

Status blas_library_threaded(const Blas **blas) {
    const int threads = thread_team_default();
    STATUS_TRY(blas_library(threads, blas));
    (*blas)->set_threads(threads);
    return status_ok();
}
