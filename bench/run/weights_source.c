#include "weights_source.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "data_folder.h"
#include "fnv.h"
#include "weights_files.h"

/* All that there can be. */
static const struct {
    const char *kind;
    int32_t bits;
} known[] = {
    {WEIGHTS_HASHSIFT, 256}, {WEIGHTS_HASHSIFT, 512}, {WEIGHTS_BAD, 256}, {WEIGHTS_BAD, 512}};
enum { KNOWN = sizeof known / sizeof known[0] };
_Static_assert((int)KNOWN <= (int)WEIGHTS_MAX, "a list has room for all");

static Status add_random(uint64_t seed, WeightsList *list) {
    for (size_t i = 0; i < KNOWN; i++) {
        STATUS_TRY(weights_random(known[i].kind, known[i].bits, seed, &list->list[list->count]));
        list->count++;
    }
    return status_ok();
}

static Status add_file(const char *path, WeightsList *list) {
    Weights read;
    STATUS_TRY(weights_read(path, &read));
    const Weights *other = weights_find(list, read.kind, read.bits);
    if (other == NULL) {
        list->list[list->count++] = read;
        return status_ok();
    }
    const Status status = status_make(STATUS_USAGE,
                                      "--weights: %.100s and %.100s are both for %s with %" PRId32
                                      " bits; write one of them",
                                      other->name, read.name, read.kind, read.bits);
    weights_free(&read);
    return status;
}

static Status add_files(const char *files, WeightsList *list) {
    for (;;) {
        char path[DATA_FOLDER_PATH_SIZE];
        const size_t length = strcspn(files, ",");
        if (length == 0 || length >= sizeof path) {
            return status_make(
                STATUS_USAGE, "--weights: %s; write names of files with a comma between, or random",
                length == 0 ? "a name is empty" : "a name is too long");
        }
        snprintf(path, sizeof path, "%.*s", (int)length, files);
        STATUS_TRY(add_file(path, list));
        if (files[length] == '\0') {
            return status_ok();
        }
        files += length + 1;
    }
}

/* What is not in the list yet, as far as the folder has it. */
static Status add_trained(WeightsList *list) {
    static const DataFolder trained = {.variable = "BENCH_WEIGHTS_DIR",
                                       .installed = "descriptors",
                                       .source = "datasets/descriptors",
                                       .what = "the trained weights"};
    char folder[DATA_FOLDER_PATH_SIZE];
    const Status found = data_folder_find(&trained, folder, sizeof folder);
    for (size_t i = 0; i < KNOWN && status_is_ok(&found); i++) {
        char path[DATA_FOLDER_PATH_SIZE];
        const int length = snprintf(path, sizeof path, "%s/%s-%" PRId32 ".csv", folder,
                                    known[i].kind, known[i].bits);
        if (weights_find(list, known[i].kind, known[i].bits) == NULL && length > 0 &&
            (size_t)length < sizeof path && access(path, R_OK) == 0) {
            STATUS_TRY(add_file(path, list));
        }
    }
    return status_ok();
}

Status weights_load(const char *files, uint64_t seed, WeightsList *list) {
    const bool random = files != NULL && strcmp(files, "random") == 0;
    memset(list, 0, sizeof *list);
    Status status = random ? add_random(seed, list) : status_ok();
    if (files != NULL && !random) {
        status = add_files(files, list);
    }
    if (status_is_ok(&status)) {
        status = add_trained(list);
    }
    if (!status_is_ok(&status)) {
        weights_release(list);
    }
    return status;
}

void weights_release(WeightsList *list) {
    for (int32_t i = 0; i < list->count; i++) {
        weights_free(&list->list[i]);
    }
    list->count = 0;
}

uint64_t weights_list_hash(uint64_t hash, const WeightsList *list) {
    for (int32_t i = 0; i < list->count; i++) {
        const Weights *weights = &list->list[i];
        hash = fnv_bytes(hash, weights->values,
                         (size_t)weights->bits * (size_t)weights->columns * sizeof(float));
    }
    return hash;
}
