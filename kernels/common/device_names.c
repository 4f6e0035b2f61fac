#include "device_names.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Whether this device stands in the list for the first time. */
static bool is_first(const DeviceName *names, size_t index) {
    for (size_t i = 0; i < index; i++) {
        if (names[i].number == names[index].number) {
            return false;
        }
    }
    return true;
}

static bool is_first_of_model(const DeviceName *names, size_t index) {
    for (size_t i = 0; i < index; i++) {
        if (strcmp(names[i].model, names[index].model) == 0) {
            return false;
        }
    }
    return true;
}

/* Different devices of this model, or of any (NULL). */
static size_t count_devices(const DeviceName *names, size_t count, const char *model) {
    size_t devices = 0;
    for (size_t i = 0; i < count; i++) {
        devices += is_first(names, i) && (model == NULL || strcmp(names[i].model, model) == 0);
    }
    return devices;
}

void device_names_text(const DeviceName *names, size_t count, char *text, size_t size) {
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < count && used < size; i++) {
        const size_t alike = count_devices(names, count, names[i].model);
        if (!is_first_of_model(names, i)) {
            continue;
        }
        used += (size_t)snprintf(text + used, size - used, "%s", used > 0 ? ", " : "");
        if (alike > 1 && used < size) {
            used += (size_t)snprintf(text + used, size - used, "%zu × ", alike);
        }
        if (used < size) {
            used += (size_t)snprintf(text + used, size - used, "%s", names[i].model);
        }
    }
    if (count_devices(names, count, NULL) < count && used < size) {
        snprintf(text + used, size - used, " as %zu devices", count);
    }
}
