#include "host_copy.h"

#include <stdint.h>
#include <string.h>

#include "resources.h"

/* Below this much, starting threads (about 5 µs) costs more than they save. */
enum { PARALLEL_BYTES = 1 << 17 };

void host_copy_rows(void *to, size_t to_stride, const void *from, size_t from_stride, size_t width,
                    size_t rows) {
    uint8_t *target = to;
    const uint8_t *source = from;
    const int threads = width * rows >= PARALLEL_BYTES ? thread_team_default() : 1;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t row = 0; row < rows; row++) {
        memcpy(target + row * to_stride, source + row * from_stride, width);
    }
}
