#include "ceilings.h"

#include <stdio.h>
#include <string.h>

void ceilings_add(Ceilings *ceilings, const char *key, CeilingKind kind, int threads, double value,
                  double working_set) {
    if (ceilings->count == CEILINGS_MAX) {
        return;
    }
    Ceiling *ceiling = &ceilings->list[ceilings->count++];
    *ceiling =
        (Ceiling){.kind = kind, .threads = threads, .value = value, .working_set = working_set};
    snprintf(ceiling->key, sizeof ceiling->key, "%s", key);
}

const Ceiling *ceilings_find(const Ceilings *ceilings, const char *key, int threads) {
    for (size_t i = 0; i < ceilings->count; i++) {
        const Ceiling *ceiling = &ceilings->list[i];
        if (ceiling->threads == threads && strcmp(ceiling->key, key) == 0) {
            return ceiling;
        }
    }
    return NULL;
}
