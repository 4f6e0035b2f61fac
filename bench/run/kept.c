/* What launches keep for each other: a file in memory, and what of inputs and oracles it holds. */

#define _GNU_SOURCE /* memfd_create */

#include "kept.h"
#include "oracle.h"
#include "plan.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "datasets.h"
#include "digest.h"
#include "elements.h"
#include "resources.h"
#include "verify.h"

/* === File ===================================================================================== */

/* Entries follow each other. Each is a head and blocks; each block is a head and its bytes. The
 * head of an entry is written last: an entry without one is not there. */
typedef enum EntryKind { ENTRY_WORKLOAD = 1, ENTRY_ORACLE = 2 } EntryKind;

typedef struct EntryHead {
    uint64_t kind, index, size; /* bytes behind this head */
} EntryHead;

typedef struct BlockHead {
    uint64_t size, digest;
} BlockHead;

/* A place in an entry; `good` becomes false when a step fails, and stays so. */
typedef struct Place {
    uint64_t at;
    bool good;
} Place;

static const char variable[] = "BENCH_KEPT_FILE";
/* Of this process; -1: none. */
static int file = -1;

void kept_make(void) {
    kept_close();
    file = memfd_create("bench-inputs", MFD_CLOEXEC | MFD_ALLOW_SEALING);
}

void kept_offer(bool offered) {
    char number[16];
    if (file < 0) {
        return;
    }
    snprintf(number, sizeof number, "%d", file);
    (void)fcntl(file, F_SETFD, offered ? 0 : FD_CLOEXEC);
    (void)(offered ? setenv(variable, number, 1) : unsetenv(variable));
}

void kept_seal(void) {
    if (file >= 0) {
        (void)fcntl(file, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL);
    }
}

void kept_close(void) {
    if (file >= 0) {
        close(file);
    }
    file = -1;
}

/* Only a file in memory has seals: a number that someone else has left there is no descriptor of
 * anything else. */
void kept_attach(void) {
    const char *text = getenv(variable);
    char *end = NULL;
    const long number = text != NULL ? strtol(text, &end, 10) : -1;
    if (text != NULL && end != text && *end == '\0' && number > STDERR_FILENO &&
        number <= INT32_MAX && fcntl((int)number, F_GET_SEALS) >= 0) {
        file = (int)number;
        (void)fcntl(file, F_SETFD, FD_CLOEXEC);
    }
    unsetenv(variable);
}

bool kept_is_sealed(void) {
    const int seals = file >= 0 ? fcntl(file, F_GET_SEALS) : -1;
    return seals >= 0 && (seals & F_SEAL_WRITE) != 0;
}

static void write_all(Place *place, const void *bytes, size_t size) {
    const char *from = bytes;
    while (place->good && size > 0) {
        const ssize_t written = pwrite(file, from, size, (off_t)place->at);
        place->good = written > 0 || (written < 0 && errno == EINTR);
        if (written > 0) {
            from += written;
            size -= (size_t)written;
            place->at += (uint64_t)written;
        }
    }
}

static void read_all(Place *place, void *bytes, size_t size) {
    char *to = bytes;
    while (place->good && size > 0) {
        const ssize_t got = pread(file, to, size, (off_t)place->at);
        place->good = got > 0 || (got < 0 && errno == EINTR);
        if (got > 0) {
            to += got;
            size -= (size_t)got;
            place->at += (uint64_t)got;
        }
    }
}

/* The blocks of an entry; a place that is not good: there is none. `end` is set to where the next
 * one goes. */
static Place find_entry(EntryKind kind, size_t index, uint64_t *end) {
    Place place = {.at = 0, .good = file >= 0};
    EntryHead head;
    for (;;) {
        *end = place.at;
        read_all(&place, &head, sizeof head);
        if (!place.good || head.kind == 0 || (head.kind == kind && head.index == index)) {
            place.good &= head.kind != 0;
            return place;
        }
        place.at += head.size;
    }
}

static Place begin_entry(EntryKind kind, size_t index) {
    uint64_t end = 0;
    const Place found = find_entry(kind, index, &end);
    return (Place){.at = end + sizeof(EntryHead), .good = file >= 0 && !found.good};
}

static void end_entry(const Place *end, EntryKind kind, size_t index, uint64_t begin) {
    Place place = {.at = begin, .good = end->good};
    const EntryHead head = {kind, index, end->at - begin - sizeof head};
    write_all(&place, &head, sizeof head);
}

static void add_block(Place *place, const void *bytes, size_t size) {
    const BlockHead head = {size, place->good ? digest_bytes(bytes, size) : 0};
    write_all(place, &head, sizeof head);
    write_all(place, bytes, size);
}

static void take_block(Place *place, void *bytes, size_t size) {
    BlockHead head = {0};
    read_all(place, &head, sizeof head);
    place->good &= head.size == size;
    read_all(place, bytes, size);
    place->good = place->good && digest_bytes(bytes, size) == head.digest;
}

/* The same into new memory, which the caller frees; NULL: there is none. */
static void *take_new(Place *place, size_t size) {
    void *bytes = place->good ? malloc(size > 0 ? size : 1) : NULL;
    place->good &= bytes != NULL;
    if (bytes != NULL) {
        take_block(place, bytes, size);
    }
    return bytes;
}

/* Whether so much may be kept: other cells still find the memory that they need. */
static bool has_room(const Plan *plan, uint64_t bytes) {
    uint64_t most = 0;
    for (size_t i = 0; i < plan->cell_count; i++) {
        most = plan->cells[i].host_bytes > most ? plan->cells[i].host_bytes : most;
    }
    return file >= 0 && bytes + most <= available_memory() / 2;
}

/* === Inputs =================================================================================== */

static size_t image_bytes(const Image *image) {
    return image->stride * (size_t)image->height;
}

static size_t keypoint_bytes(const Workload *workload) {
    return (size_t)workload->keypoints.count * sizeof(Keypoint);
}

static size_t weights_bytes(const Weights *weights) {
    return (size_t)weights->bits * (size_t)weights->columns * sizeof *weights->values;
}

void kept_add_workload(const Plan *plan, size_t index, const Workload *workload) {
    const Image *image = &workload->image;
    const Image *second = &workload->second;
    const size_t bytes = image_bytes(image), second_bytes = image_bytes(second);
    const size_t pixel = output_element_size(workload->element);
    const bool dense = image->stride == (size_t)image->width * pixel && !image_is_mapped(image);
    if (!dense || !has_room(plan, bytes + second_bytes)) {
        return;
    }
    Place place = begin_entry(ENTRY_WORKLOAD, index);
    const uint64_t begin = place.at - sizeof(EntryHead);
    add_block(&place, workload, sizeof *workload);
    add_block(&place, image->pixels, bytes);
    if (second->pixels != NULL) {
        add_block(&place, second->pixels, second_bytes);
    }
    if (workload->set.labels != NULL) {
        add_block(&place, workload->set.labels, (size_t)workload->set.count);
    }
    if (workload->keypoints.keypoints != NULL) {
        add_block(&place, workload->keypoints.keypoints, keypoint_bytes(workload));
    }
    for (int32_t i = 0; i < workload->weights.count; i++) {
        add_block(&place, workload->weights.list[i].values,
                  weights_bytes(&workload->weights.list[i]));
    }
    end_entry(&place, ENTRY_WORKLOAD, index, begin);
}

static bool has_shape(const Workload *workload, const Workload *shape) {
    return workload->kind == shape->kind && workload->seed == shape->seed &&
           workload->element == shape->element && workload->second.width == shape->second.width &&
           workload->image.width == shape->image.width &&
           workload->image.height == shape->image.height &&
           strcmp(workload->input, shape->input) == 0 &&
           strcmp(workload->size_name, shape->size_name) == 0;
}

static void take_image(Place *place, const Image *kept, OutputKind element, Image *image) {
    const Status status = image_create_elements(kept->width, kept->height, element, image);
    place->good &= status_is_ok(&status);
    take_block(place, image->pixels, image_bytes(image));
}

/* `kept` has the addresses of another process. */
static void take_memory(Place *place, const Workload *kept, Workload *workload) {
    take_image(place, &kept->image, kept->element, &workload->image);
    if (kept->second.pixels != NULL) {
        take_image(place, &kept->second, kept->element, &workload->second);
    }
    if (kept->set.labels != NULL) {
        workload->set.labels = take_new(place, (size_t)kept->set.count);
    }
    if (kept->keypoints.keypoints != NULL) {
        workload->keypoints.keypoints = take_new(place, keypoint_bytes(kept));
    }
    for (int32_t i = 0; i < kept->weights.count; i++) {
        workload->weights.list[i].values = take_new(place, weights_bytes(&kept->weights.list[i]));
    }
}

bool kept_workload(size_t index, const Workload *shape, Workload *workload) {
    uint64_t end = 0;
    Workload kept;
    Place place = find_entry(ENTRY_WORKLOAD, index, &end);
    take_block(&place, &kept, sizeof kept);
    if (!place.good || !has_shape(&kept, shape)) {
        return false;
    }
    *workload = kept;
    workload->image.pixels = workload->second.pixels = NULL;
    workload->set.labels = NULL;
    workload->keypoints.keypoints = NULL;
    for (int i = 0; i < WEIGHTS_MAX; i++) {
        workload->weights.list[i].values = NULL;
    }
    take_memory(&place, &kept, workload);
    if (!place.good) {
        workload_release(workload);
    }
    return place.good;
}

/* === Oracles ================================================================================== */

void kept_add_oracle(const Plan *plan, size_t group, const Oracle *oracle) {
    const Output *answer = &oracle->answer;
    if (answer->data == NULL || !has_room(plan, answer->layout.bytes)) {
        return;
    }
    Place place = begin_entry(ENTRY_ORACLE, group);
    const uint64_t begin = place.at - sizeof(EntryHead);
    add_block(&place, oracle, sizeof *oracle);
    add_block(&place, answer->data, answer->layout.bytes);
    end_entry(&place, ENTRY_ORACLE, group, begin);
}

bool kept_oracle(size_t group, const OutputLayout *layout, Oracle *oracle) {
    uint64_t end = 0;
    Oracle kept;
    Place place = find_entry(ENTRY_ORACLE, group, &end);
    take_block(&place, &kept, sizeof kept);
    if (!place.good || kept.answer.layout.bytes != layout->bytes) {
        return false;
    }
    *oracle = kept;
    const Status status = answer_alloc_plain(layout, &oracle->answer);
    place.good = status_is_ok(&status);
    take_block(&place, oracle->answer.data, layout->bytes);
    if (!place.good) {
        oracle_release(oracle);
    }
    return place.good;
}
