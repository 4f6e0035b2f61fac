#include "workload.h"

#include <stddef.h>
#include <string.h>

const Weights *weights_find(const WeightsList *weights, const char *kind, int32_t bits) {
    for (int32_t i = 0; i < weights->count; i++) {
        if (weights->list[i].bits == bits && strcmp(weights->list[i].kind, kind) == 0) {
            return &weights->list[i];
        }
    }
    return NULL;
}
