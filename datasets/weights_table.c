#include "weights_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fnv.h"
#include "resources.h"

int32_t weights_columns(const char *kind) {
    if (strcmp(kind, WEIGHTS_HASHSIFT) == 0) {
        return WEIGHTS_HASHSIFT_COLUMNS;
    }
    return strcmp(kind, WEIGHTS_BAD) == 0 ? WEIGHTS_BAD_COLUMNS : 0;
}

Status weights_create(const char *name, const char *kind, int32_t bits, Weights *weights) {
    const char *slash = strrchr(name, '/');
    *weights = (Weights){.bits = bits, .columns = weights_columns(kind)};
    snprintf(weights->kind, sizeof weights->kind, "%s", kind);
    snprintf(weights->name, sizeof weights->name, "%s", slash != NULL ? slash + 1 : name);
    const size_t count = (size_t)bits * (size_t)weights->columns;
    weights->values = calloc(count, sizeof *weights->values);
    if (weights->values == NULL) {
        *weights = (Weights){0};
        return free_memory_short(name, count * sizeof *weights->values);
    }
    return status_ok();
}

void weights_finish(Weights *weights) {
    const size_t count = (size_t)weights->bits * (size_t)weights->columns;
    weights->hash = fnv_bytes(FNV_START, weights->values, count * sizeof *weights->values);
}

void weights_free(Weights *weights) {
    free(weights->values);
    *weights = (Weights){0};
}
