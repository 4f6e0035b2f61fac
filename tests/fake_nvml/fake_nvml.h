/* A library with the names of NVML, whose answers a test sets. Its devices are found by number and
 * by PCI bus id, the first also by a UUID. Readings of clocks, energy and processes are of all. */
#ifndef TESTS_FAKE_NVML_H
#define TESTS_FAKE_NVML_H

enum { FAKE_NVML_PROCESSES_MAX = 80, FAKE_NVML_DEVICES_MAX = 16, FAKE_NVML_LINKS = 18 };

/* What the other end of an NVLink is: FAKE_LINK_TO(device), a switch, hidden, or nothing. */
enum { FAKE_LINK_OFF = 0, FAKE_LINK_TO_SWITCH = -1, FAKE_LINK_HIDDEN = -2 };
#define FAKE_LINK_TO(device) ((device) + 1)

/* Of device 0; that of device n has bus 18 + n, hexadecimal. */
#define FAKE_NVML_BUS_ID "0000:18:00.0"
#define FAKE_NVML_UUID "GPU-0123"

/* The library's symbol `fake_nvml`. */
typedef struct FakeNvml {
    unsigned clock_mhz, clock_mhz_max, celsius, milliwatt;
    /* Of device 0; device n has 1000·n more. The step is added at each reading. */
    unsigned long long millijoule, millijoule_step;
    unsigned long long reasons;
    unsigned pids[FAKE_NVML_PROCESSES_MAX];
    unsigned process_count;
    unsigned devices; /* how many there are; 0: one */
    int nvlinks[FAKE_NVML_DEVICES_MAX][FAKE_NVML_LINKS];
    int copies_over_nvlink;                                   /* between all devices */
    unsigned nvlink_mbps;                                     /* 0: not supported */
    int levels[FAKE_NVML_DEVICES_MAX][FAKE_NVML_DEVICES_MAX]; /* NVML's; of i < j; -1: refused */
    unsigned pcie[FAKE_NVML_DEVICES_MAX][2];                  /* generation and lanes; 0: refused */
    int refuses;          /* readings answer that they are not supported */
    const char *asked_by; /* "index 0", "bus id", "uuid": how the device was looked for last */
} FakeNvml;

#endif
