/* The words of --device. */

#include "device_choice.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "text.h"

enum { NUMBER_MOST = 255 }; /* of three digits, as DEVICE_CHOICE_SIZE has it */

static const char every_device[] = "all", no_device[] = "cpu";

static Status read_numbers(const char *list, DeviceChoice *choice) {
    choice->kind = DEVICES_LISTED;
    for (const char *rest = list; rest != NULL;) {
        char word[LIST_WORD_SIZE];
        uint64_t number = 0;
        STATUS_TRY(list_next(&rest, word));
        const Status status = parse_count(word, 0, NUMBER_MOST, &number);
        if (!status_is_ok(&status) || choice->count == CUDA_DEVICES_MAX) {
            return status_make(STATUS_USAGE,
                               "'%.60s' is no list of devices: write numbers of CUDA devices, such "
                               "as 0 or 0,1, at most %d, or all",
                               list, CUDA_DEVICES_MAX);
        }
        choice->numbers[choice->count++] = (int)number;
    }
    return status_ok();
}

Status device_choice_read(const char *text, bool cpu, DeviceChoice *choice) {
    *choice = (DeviceChoice){.kind = DEVICES_ALL};
    if (cpu && strcmp(text, no_device) == 0) {
        choice->kind = DEVICES_NONE;
        return status_ok();
    }
    return strcmp(text, every_device) == 0 ? status_ok() : read_numbers(text, choice);
}

void device_choice_text(const DeviceChoice *choice, char text[DEVICE_CHOICE_SIZE]) {
    snprintf(text, DEVICE_CHOICE_SIZE, "%s",
             choice->kind == DEVICES_ALL    ? every_device
             : choice->kind == DEVICES_NONE ? no_device
                                            : "");
    for (size_t i = 0; i < choice->count; i++) {
        text_append(text, DEVICE_CHOICE_SIZE, "%s%d", i > 0 ? "," : "", choice->numbers[i]);
    }
}
