/* Copies between pageable and page-locked host memory on several threads. */
#ifndef KERNELS_COMMON_HOST_COPY_H
#define KERNELS_COMMON_HOST_COPY_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Copies `rows` rows of `width` bytes; strides are in bytes and at least `width`. One thread does
 * not fill the memory bus that a device copy needs filled, so rows are shared out. */
void host_copy_rows(void *to, size_t to_stride, const void *from, size_t from_stride, size_t width,
                    size_t rows);

#ifdef __cplusplus
}
#endif

#endif
