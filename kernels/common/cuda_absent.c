/* The CUDA backend of a program built without CUDA: its probe reports that. */
#include "backend_runner.h"
#include "ceilings.h"
#include "devices.h"

static Status absent_probe(char *description, size_t size) {
    if (size > 0) {
        description[0] = '\0';
    }
    return status_skip(
        "built without CUDA; where nvcc is, ./bench.sh --cuda or cmake -DWITH_CUDA=ON builds it");
}

static const BackendRunner absent_runner;

#define ABSENT_BACKEND                                                                             \
    {                                                                                              \
        .struct_bytes = sizeof(Backend), .name = "cuda", .probe = absent_probe,                    \
        .runner = &absent_runner,                                                                  \
    }

const Backend cuda_backend = ABSENT_BACKEND;
const Backend cuda_multi_backend = ABSENT_BACKEND;

Status cuda_devices_choose(const int *numbers, size_t count) {
    (void)numbers;
    (void)count;
    return status_ok();
}

int cuda_devices_count(void) {
    return 0;
}

void cuda_devices_name(int count, char *text, size_t size) {
    (void)count;
    if (size > 0) {
        text[0] = '\0';
    }
}

size_t cuda_device_facts(DeviceFact *facts, size_t capacity) {
    (void)facts;
    (void)capacity;
    return 0;
}

Status cuda_ceilings_measure(Ceilings *ceilings) {
    (void)ceilings;
    char description[1];
    return absent_probe(description, sizeof description);
}
