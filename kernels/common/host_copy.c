#include "host_copy.h"

#include <omp.h>
#include <stdint.h>
#include <string.h>

/* Below this much, starting threads (about 5 µs) costs more than they save. */
enum { PARALLEL_BYTES = 1 << 17 };

void host_copy_rows(void *to, size_t to_stride, const void *from, size_t from_stride, size_t width,
                    size_t rows) {
    uint8_t *target = to;
    const uint8_t *source = from;
    const int parallel = width * rows >= PARALLEL_BYTES && omp_get_max_threads() > 1;
#pragma omp parallel for schedule(static) if (parallel)
    for (size_t row = 0; row < rows; row++) {
        memcpy(target + row * to_stride, source + row * from_stride, width);
    }
}
