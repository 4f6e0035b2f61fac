/* How the chosen GPUs are linked, to the host and with each other, as NVML tells it. */

#include "backend.h"
#include "machine_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"
#include "text.h"

enum {
    LINK_WORDS_SIZE = 96,
    LABEL_SIZE = 16,
    NVLINKS_MAX = 64, /* more than a device has; the library refuses those beyond */
    PAIRS_MAX = CUDA_DEVICES_MAX * (CUDA_DEVICES_MAX - 1) / 2,
    LABELS_LENGTH_MAX = 100 /* of the labels of one group; longer lists are counted instead */
};

/* Constants of NVML. */
enum { NVML_REMOTE_SWITCH = 2, NVML_FIELD_NVLINK_SPEED = 90, NVML_P2P_NVLINK = 2, NVML_P2P_OK = 0 };

static const struct {
    int level;
    const char *words;
} levels[] = {
    {0, "PCIe on one board"},
    {10, "PCIe through one switch"},
    {20, "PCIe through several switches"},
    {30, "PCIe through one host bridge"},
    {40, "PCIe through the host bridges of one NUMA node"},
    {50, "PCIe across NUMA nodes"},
};

/* A chosen device. */
typedef struct LinkedDevice {
    char number[LABEL_SIZE]; /* CUDA's */
    unsigned domain, bus, device;
    NvmlDevice handle;
} LinkedDevice;

typedef struct LinkedDevices {
    const Nvml *nvml;
    LinkedDevice list[CUDA_DEVICES_MAX];
    size_t count;
} LinkedDevices;

/* What is known of a device or a pair; without words: nothing. */
typedef struct LinkItem {
    char label[2 * LABEL_SIZE], words[LINK_WORDS_SIZE];
} LinkItem;

/* === One fact of several items ================================================================ */

static size_t count_like(const LinkItem *items, size_t count, const char *words) {
    size_t alike = 0;
    for (size_t i = 0; i < count; i++) {
        alike += strcmp(items[i].words, words) == 0;
    }
    return alike;
}

/* "0-1, 2-3", or "12 pairs" where that would be long. */
static void add_labels(const LinkItem *items, size_t count, const char *words, const char *noun,
                       char *text, size_t size) {
    char labels[FACT_VALUE_SIZE] = "";
    for (size_t i = 0; i < count; i++) {
        if (strcmp(items[i].words, words) == 0) {
            text_append(labels, sizeof labels, "%s%s", labels[0] != '\0' ? ", " : "",
                        items[i].label);
        }
    }
    if (strlen(labels) > LABELS_LENGTH_MAX) {
        text_append(text, size, "%zu %s", count_like(items, count, words), noun);
    } else {
        text_append(text, size, "%s", labels);
    }
}

/* The words that most items have, the first of several; NULL where some item has none. */
static const char *most_common(const LinkItem *items, size_t count) {
    const char *most = NULL;
    size_t alike = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t of_this = count_like(items, count, items[i].words);
        if (items[i].words[0] == '\0') {
            return NULL;
        }
        if (of_this > alike) {
            most = items[i].words;
            alike = of_this;
        }
    }
    return most;
}

static bool is_new(const LinkItem *items, size_t index) {
    return items[index].words[0] != '\0' && count_like(items, index, items[index].words) == 0;
}

/* The words alone where all items have the same; otherwise "0-1: words; others: words". Items that
 * nothing is known of are left out, and then there are no others. */
static void items_text(const LinkItem *items, size_t count, const char *noun,
                       char text[FACT_VALUE_SIZE]) {
    const char *rest = most_common(items, count);
    text[0] = '\0';
    if (rest != NULL && count_like(items, count, rest) == count) {
        snprintf(text, FACT_VALUE_SIZE, "%s", rest);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (is_new(items, i) && (rest == NULL || strcmp(items[i].words, rest) != 0)) {
            text_append(text, FACT_VALUE_SIZE, "%s", text[0] != '\0' ? "; " : "");
            add_labels(items, count, items[i].words, noun, text, FACT_VALUE_SIZE);
            text_append(text, FACT_VALUE_SIZE, ": %s", items[i].words);
        }
    }
    if (rest != NULL) {
        text_append(text, FACT_VALUE_SIZE, "; others: %s", rest);
    }
}

/* === One pair ================================================================================= */

typedef struct NvLinks {
    int direct;    /* active links from one to the other */
    int to_switch; /* active links of one that end in a switch */
} NvLinks;

static NvLinks count_nvlinks(const Nvml *nvml, const LinkedDevice *one, const LinkedDevice *other) {
    NvLinks links = {.direct = 0};
    for (unsigned i = 0; nvml->nvlink_state != NULL && i < NVLINKS_MAX; i++) {
        int active = 0, type = -1;
        NvmlPci pci = {.domain = 0};
        if (nvml->nvlink_state(one->handle, i, &active) != NVML_SUCCESS || active == 0) {
            continue;
        }
        if (nvml->nvlink_remote_type != NULL &&
            nvml->nvlink_remote_type(one->handle, i, &type) == NVML_SUCCESS &&
            type == NVML_REMOTE_SWITCH) {
            links.to_switch++;
        } else if (nvml->nvlink_remote != NULL &&
                   nvml->nvlink_remote(one->handle, i, &pci) == NVML_SUCCESS) {
            links.direct +=
                pci.domain == other->domain && pci.bus == other->bus && pci.device == other->device;
        }
    }
    return links;
}

/* MB/s of one link, each way; 0: unknown. NVML has a version too, but numbers it differently from
 * driver to driver. */
static unsigned nvlink_speed(const Nvml *nvml, const LinkedDevice *device) {
    NvmlField field = {.field = NVML_FIELD_NVLINK_SPEED};
    const bool known = nvml->field_values != NULL &&
                       nvml->field_values(device->handle, 1, &field) == NVML_SUCCESS &&
                       field.error == NVML_SUCCESS;
    return known ? field.value.whole : 0;
}

/* Whether copies between the two go over NVLink, where its ends are hidden, as from a guest. */
static bool copies_over_nvlink(const Nvml *nvml, const LinkedDevice *one,
                               const LinkedDevice *other) {
    int status = -1;
    return nvml->p2p_status != NULL &&
           nvml->p2p_status(one->handle, other->handle, NVML_P2P_NVLINK, &status) == NVML_SUCCESS &&
           status == NVML_P2P_OK;
}

/* "18 × NVLink through a switch, 26.6 GB/s each"; without the number where `links` is 0. */
static void nvlink_words(const Nvml *nvml, const LinkedDevice *device, int links, bool switched,
                         char words[LINK_WORDS_SIZE]) {
    const unsigned speed = nvlink_speed(nvml, device);
    words[0] = '\0';
    if (links > 0) {
        snprintf(words, LINK_WORDS_SIZE, "%d × ", links);
    }
    text_append(words, LINK_WORDS_SIZE, "NVLink%s", switched ? " through a switch" : "");
    if (speed > 0) {
        char value[SIGNIFICANT_SIZE];
        significant_text(speed * 1e-3, 3, value);
        text_append(words, LINK_WORDS_SIZE, ", %s GB/s each", value);
    }
}

static void pcie_words(const Nvml *nvml, const LinkedDevice *one, const LinkedDevice *other,
                       char words[LINK_WORDS_SIZE]) {
    int level = -1;
    words[0] = '\0';
    if (nvml->common_ancestor == NULL ||
        nvml->common_ancestor(one->handle, other->handle, &level) != NVML_SUCCESS) {
        return;
    }
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        if (levels[i].level == level) {
            snprintf(words, LINK_WORDS_SIZE, "%s", levels[i].words);
        }
    }
}

static void pair_words(const Nvml *nvml, const LinkedDevice *one, const LinkedDevice *other,
                       char words[LINK_WORDS_SIZE]) {
    if (one->handle == other->handle) {
        snprintf(words, LINK_WORDS_SIZE, "one device");
        return;
    }
    const NvLinks links = count_nvlinks(nvml, one, other);
    const NvLinks back = count_nvlinks(nvml, other, one);
    const int switched = links.to_switch < back.to_switch ? links.to_switch : back.to_switch;
    if (links.direct > 0) {
        nvlink_words(nvml, one, links.direct, false, words);
    } else if (switched > 0) {
        nvlink_words(nvml, one, switched, true, words);
    } else if (copies_over_nvlink(nvml, one, other)) {
        nvlink_words(nvml, one, 0, false, words);
    } else {
        pcie_words(nvml, one, other, words);
    }
}

/* === The facts ================================================================================ */

/* Those possible in this slot: an idle device lowers what it uses now. */
static void host_words(const Nvml *nvml, const LinkedDevice *device, char words[LINK_WORDS_SIZE]) {
    unsigned generation = 0, lanes = 0;
    words[0] = '\0';
    if (nvml->pcie_generation_max != NULL && nvml->pcie_width_max != NULL &&
        nvml->pcie_generation_max(device->handle, &generation) == NVML_SUCCESS &&
        nvml->pcie_width_max(device->handle, &lanes) == NVML_SUCCESS && generation > 0 &&
        lanes > 0) {
        snprintf(words, LINK_WORDS_SIZE, "generation %u, %u lanes", generation, lanes);
    }
}

static void add_hosts(const LinkedDevices *devices, Machine *machine) {
    static LinkItem items[CUDA_DEVICES_MAX];
    char text[FACT_VALUE_SIZE];
    for (size_t i = 0; i < devices->count; i++) {
        snprintf(items[i].label, sizeof items[i].label, "%s", devices->list[i].number);
        host_words(devices->nvml, &devices->list[i], items[i].words);
    }
    items_text(items, devices->count, "devices", text);
    machine_add_text(machine, fact_gpu_pcie, text, false);
}

static void add_pairs(const LinkedDevices *devices, Machine *machine) {
    static LinkItem items[PAIRS_MAX];
    size_t count = 0;
    char text[FACT_VALUE_SIZE];
    for (size_t i = 0; i < devices->count; i++) {
        for (size_t j = i + 1; j < devices->count; j++) {
            LinkItem *item = &items[count++];
            snprintf(item->label, sizeof item->label, "%s-%s", devices->list[i].number,
                     devices->list[j].number);
            pair_words(devices->nvml, &devices->list[i], &devices->list[j], item->words);
        }
    }
    items_text(items, count, "pairs", text);
    machine_add_text(machine, fact_gpu_links, text, false);
}

/* False if NVML does not know it. */
static bool find_device(const Nvml *nvml, const char *bus_id, LinkedDevice *device) {
    return nvml->device_by_bus_id != NULL &&
           nvml->device_by_bus_id(bus_id, &device->handle) == NVML_SUCCESS &&
           sscanf(bus_id, "%x:%x:%x", &device->domain, &device->bus, &device->device) == 3;
}

/* Several devices have lists of their places and numbers; one has its place alone. */
static bool find_devices(const Machine *machine, LinkedDevices *devices) {
    const char *ids = machine_text(machine, fact_gpu_bus_ids);
    const char *numbers = machine_text(machine, fact_gpu_numbers);
    ids = ids[0] != '\0' ? ids : machine_text(machine, fact_gpu_pci_bus_id);
    while (ids != NULL && ids[0] != '\0' && devices->count < CUDA_DEVICES_MAX) {
        char id[LIST_WORD_SIZE], number[LIST_WORD_SIZE] = "";
        LinkedDevice *device = &devices->list[devices->count++];
        const Status next = list_next(&ids, id);
        if (numbers != NULL && numbers[0] != '\0') {
            (void)list_next(&numbers, number);
        }
        snprintf(device->number, sizeof device->number, "%.8s", number);
        if (!status_is_ok(&next) || !find_device(devices->nvml, id, device)) {
            return false;
        }
    }
    return devices->count > 0;
}

void machine_read_links(Machine *machine) {
    LinkedDevices devices = {.nvml = nvml_library()};
    if (devices.nvml == NULL || !find_devices(machine, &devices)) {
        return;
    }
    add_hosts(&devices, machine);
    if (devices.count > 1) {
        add_pairs(&devices, machine);
    }
}
