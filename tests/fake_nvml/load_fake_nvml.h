/* Makes the program under test load the fake of NVML; before the first reading. */
#ifndef TESTS_LOAD_FAKE_NVML_H
#define TESTS_LOAD_FAKE_NVML_H

#include <dlfcn.h>
#include <stdlib.h>

#include "fake_nvml/fake_nvml.h"

/* What the fake answers, to be set at any time. NULL when it cannot be loaded. */
static inline FakeNvml *load_fake_nvml(const char *path) {
    setenv("BENCH_NVML_LIBRARY", path, 1);
    unsetenv("CUDA_VISIBLE_DEVICES");
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    return library != NULL ? dlsym(library, "fake_nvml") : NULL;
}

#endif
