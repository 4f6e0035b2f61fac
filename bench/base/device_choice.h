/* What --device chooses. */

#ifndef BENCH_BASE_DEVICE_CHOICE_H
#define BENCH_BASE_DEVICE_CHOICE_H

#include <stdbool.h>
#include <stddef.h>

#include "backend.h"
#include "status.h"

typedef enum DeviceChoiceKind {
    DEVICES_ALL,   /* there are: without the option */
    DEVICES_NONE,  /* the CPU alone */
    DEVICES_LISTED /* by CUDA's numbers, which may be there several times */
} DeviceChoiceKind;

typedef struct DeviceChoice {
    DeviceChoiceKind kind;
    size_t count; /* of DEVICES_LISTED, at least 1 */
    int numbers[CUDA_DEVICES_MAX];
} DeviceChoice;

/* Reads "all", "0,1" or, if `cpu` says that it is such a word, "cpu". STATUS_USAGE. */
Status device_choice_read(const char *text, bool cpu, DeviceChoice *choice);

enum { DEVICE_CHOICE_SIZE = 4 * CUDA_DEVICES_MAX };

/* The text that is read as this. */
void device_choice_text(const DeviceChoice *choice, char text[DEVICE_CHOICE_SIZE]);

#endif
