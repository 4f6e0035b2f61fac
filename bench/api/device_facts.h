/*
 * Facts about a device, as its backend reports them for the record that every result carries.
 *
 * This is all that the harness knows of a device beyond its name: a backend fills a list, the
 * harness stores and prints it without knowing what the keys mean.
 */
#ifndef BENCH_API_DEVICE_FACTS_H
#define BENCH_API_DEVICE_FACTS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { FACT_KEY_SIZE = 48, FACT_VALUE_SIZE = 256 };

typedef enum FactKind { FACT_TEXT, FACT_NUMBER } FactKind;

typedef struct DeviceFact {
    char key[FACT_KEY_SIZE]; /* snake_case with the unit last: "gpu_memory_bytes" */
    FactKind kind;
    char text[FACT_VALUE_SIZE]; /* FACT_TEXT: the value; FACT_NUMBER: empty */
    double number;              /* FACT_NUMBER: the value; FACT_TEXT: 0 */
    bool identity;              /* differs → not the same machine or build */
} DeviceFact;

/*
 * Fills at most `capacity` facts and returns how many were filled: 0 when CUDA was not compiled in
 * or there is no device. Keys: gpu_model (identity), gpu_compute_capability ("9.0"),
 * gpu_multiprocessors, gpu_clock_mhz, gpu_memory_clock_mhz, gpu_memory_bytes, gpu_l2_bytes,
 * gpu_pci_bus_id ("0000:18:00.0"), cuda_driver ("13.0"), cuda_runtime ("13.0"). A fact that cannot
 * be read is absent.
 */
size_t cuda_device_facts(DeviceFact *facts, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
