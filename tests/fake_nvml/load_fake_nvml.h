/* Makes the program under test load the fake of NVML: ALL_TESTS(load_fake_nvml). */
#ifndef TESTS_LOAD_FAKE_NVML_H
#define TESTS_LOAD_FAKE_NVML_H

#include <dlfcn.h>

#include "fake_nvml/fake_nvml.h"
#include "test.h"

/* What the fake answers, to be set at any time. */
static FakeNvml *fake;

static inline void load_fake_nvml(void) {
    assert_int_equal(setenv("BENCH_NVML_LIBRARY", FAKE_NVML, 1), 0);
    unsetenv("CUDA_VISIBLE_DEVICES");
    void *library = dlopen(FAKE_NVML, RTLD_NOW | RTLD_LOCAL);
    fake = library != NULL ? dlsym(library, "fake_nvml") : NULL;
    assert_non_null(fake);
}

#endif
