/*
 * Device side of an integral cell: the image and the table in device memory.
 *
 * The table has rows of `stride` entries, and entry 1 of a row begins a line of 128 bytes: the
 * entry behind pixel x is as well aligned as the pixel, so that a thread that loads pixels from a
 * multiple of four on stores whole vectors. Entry 0 of a row is the last place of the row before.
 * Dense rows, which the answer has in host memory, would begin at every offset.
 */
#ifndef KERNELS_INTEGRAL_INTEGRAL_DEVICE_CUH
#define KERNELS_INTEGRAL_INTEGRAL_DEVICE_CUH

#include "cuda_state.h"
#include "integral.h"
#include "multi.h"

enum { INTEGRAL_ROW_BYTES = 128, INTEGRAL_COLUMN_THREADS = 128 };

struct IntegralFast;

struct IntegralDevice : CudaState {
    int width, height;   /* pixels of the rows that are on this device */
    int first_row;       /* of the image: the first of them */
    int bits;            /* of an entry */
    size_t image_stride; /* bytes; pixels between width and image_stride are anything */
    uint8_t *image;
    size_t stride;      /* entries */
    void *memory;       /* a line, then stride × (height + 1) entries */
    IntegralFast *fast; /* of cuda_fast's kernel, and of those that launch it too */
};

/* All rows of the image. */
MultiPart integral_all_rows(const Request *request);

/* Sets the sizes for rows [rows.begin, rows.end) of the image; rows on the device start at
 * multiples of `row_alignment` bytes. Then opens image and table. Table rows come down, row 0 only
 * from the device with the image's first row. */
void integral_device_size(size_t row_alignment, MultiPart rows, IntegralDevice *device);
Status integral_device_open(IntegralDevice *device);

/* The entries of the answer that lie behind the device's first row, in host memory. */
uint8_t *integral_device_target(const IntegralDevice *device);

static inline size_t integral_device_entry_bytes(const IntegralDevice *device) {
    return (size_t)device->bits / 8;
}

/* Entry 1 of table row 0. */
template <typename Sum> static inline Sum *integral_device_entries(const IntegralDevice *device) {
    return (Sum *)device->memory + INTEGRAL_ROW_BYTES / sizeof(Sum);
}

/* Entry 0 of a row. */
static inline uint8_t *integral_device_row(const IntegralDevice *device, int row) {
    const size_t entry = integral_device_entry_bytes(device);
    return (uint8_t *)device->memory + INTEGRAL_ROW_BYTES - entry +
           (size_t)row * device->stride * entry;
}

/* Opens a state that is an IntegralDevice and nothing more. */
Status integral_device_open_state(const Request *request, void **state);

/* `run` for the entries that the request asks for: Work::run<Sum>(device). */
template <typename Work>
Status integral_device_run(const IntegralDevice *device, const Work &work) {
    return device->bits == 64 ? work.template run<unsigned long long>(device)
                              : work.template run<unsigned int>(device);
}

/* The second half of the plain rungs: adds up the columns of a table whose rows are added up
 * already, a thread a column, and sets row 0 and column 0. */
Status integral_device_columns(const IntegralDevice *device);

/* cuda_fast's kernel: table rows begin + 1 … end from pixel rows [begin, end). */
enum { INTEGRAL_FAST_ROW_ALIGNMENT = 16 }; /* it reads 16 pixels at a time */
/* Sizes and opens the device with what the kernel needs, which upload clears before the image. */
Status integral_fast_open(MultiPart rows, IntegralDevice *device);
/* Part of every upload: the counts begin anew. */
void integral_fast_begin(const IntegralDevice *device);
/* Upload of every state that integral_fast_open opened. */
VARIANT_EXTERN Status integral_cuda_fast_upload(void *state);
/* What is above the rows, in table row `begin`. */
typedef enum IntegralBase {
    INTEGRAL_FROM_ZERO, /* nothing: the row becomes 0 */
    INTEGRAL_FROM_ROW   /* the row is there */
} IntegralBase;
/* Queued on cuda_stream(). */
Status integral_fast_launch(const IntegralDevice *device, int begin, int end, IntegralBase base);

/* A share after one: where this one's sums go, in memory there. */
struct IntegralTarget {
    unsigned int *above;
    unsigned long long *sent;        /* there: the latest run whose sums have come */
    const unsigned long long *begun; /* here: the latest run that it has begun */
};

/* A band of rows of an image whose other rows are on other devices (cuda_multi). The sums of the
 * columns above have come already, or kernels of the devices send them to each other while they
 * run. */
struct IntegralShare {
    const unsigned int *above; /* of each share before, the sums of its columns */
    int before;                /* shares */
    unsigned int columns;      /* sums of a share: image_stride */

    /* The rest is for kernels that send and wait, otherwise 0. */
    unsigned long long run;         /* its number, from 1 */
    bool waits;                     /* until those after it have begun the run before */
    const unsigned long long *sent; /* of each share before */
    unsigned long long *begun[CUDA_DEVICES_MAX]; /* at each share before */
    unsigned int *sums;                          /* of this share; 0 before and after each run */
    unsigned int *added;                         /* blocks that have added theirs; likewise */
    int target_count;
    IntegralTarget targets[CUDA_DEVICES_MAX];
    unsigned int tiles, blocks; /* set by the launch: all, and those that add up columns */
};
/* All rows of the device, in one pass. Table row 0 becomes 0: it is another device's. */
Status integral_fast_launch_share(const IntegralDevice *device, const IntegralShare &share);

#endif
