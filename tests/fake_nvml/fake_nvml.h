/* A library with the names of NVML, whose answers a test sets. It has one device, number 0, also
 * under a PCI bus id and a UUID. */
#ifndef TESTS_FAKE_NVML_H
#define TESTS_FAKE_NVML_H

enum { FAKE_NVML_PROCESSES_MAX = 80 };

#define FAKE_NVML_BUS_ID "0000:18:00.0"
#define FAKE_NVML_UUID "GPU-0123"

/* The library's symbol `fake_nvml`. */
typedef struct FakeNvml {
    unsigned clock_mhz, clock_mhz_max, celsius, milliwatt;
    unsigned long long millijoule, millijoule_step; /* added at each reading of the energy */
    unsigned long long reasons;
    unsigned pids[FAKE_NVML_PROCESSES_MAX];
    unsigned process_count;
    int refuses;          /* readings answer that they are not supported */
    const char *asked_by; /* "index 0", "bus id", "uuid": how the device was looked for last */
} FakeNvml;

#endif
