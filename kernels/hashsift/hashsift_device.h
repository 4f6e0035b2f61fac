/*
 * Device side of a hashsift cell: image, keypoints and weights in device memory, and what the
 * stages leave there: values, responses, descriptors.
 *
 * Variants differ in how they make values and responses (HashsiftMethods); signs are taken in one
 * way. A variant that needs more begins its state with a HashsiftDevice.
 */
#ifndef KERNELS_HASHSIFT_HASHSIFT_DEVICE_H
#define KERNELS_HASHSIFT_HASHSIFT_DEVICE_H

#include <cuda_runtime_api.h>
#include <stdbool.h>

#include "copies.h"
#include "hashsift.h"
#include "variant.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct HashsiftDevice HashsiftDevice;

enum { HASHSIFT_WEIGHTS_COPIES = 2 };

/* `device` is the variant's state. sift is not called where there are no keypoints, product neither
 * there nor where there are no weights; both are NULL in variants with stages of their own. */
typedef struct HashsiftMethods {
    /* Optional: what goes up in the place of bias and factors; `copies` are of width 0. */
    void (*weights)(const HashsiftDevice *device, Copy copies[HASHSIFT_WEIGHTS_COPIES]);
    Status (*upload)(HashsiftDevice *device);  /* optional: queues the rest of the upload */
    Status (*sift)(HashsiftDevice *device);    /* queues filling `values` */
    Status (*product)(HashsiftDevice *device); /* queues filling `responses` from them */
    void (*close)(HashsiftDevice *device);     /* optional: frees what is not the HashsiftDevice's;
                                                  copes with a state that is opened in part */
} HashsiftMethods;

/* Buffers that not every variant needs. */
enum { HASHSIFT_WITH_VALUES = 1, HASHSIFT_WITH_PRODUCT = 2 };

struct HashsiftDevice {
    const Request *request;
    const HashsiftMethods *methods;
    const Weights *weights; /* in host memory; NULL (--bits 1024): values are the descriptor */
    int32_t width, height;  /* pixels */
    int32_t keypoints_count;
    int32_t bits;
    float scale;

    /* Device memory. Buffers that the variant does not need are NULL. */
    uint8_t *image;      /* height rows of image_stride bytes; those beyond `width` are undefined */
    size_t image_stride; /* bytes */
    Keypoint *keypoints; /* keypoints_count */
    float *bias;         /* bits: B[b][0] */
    float *factors;      /* bits × HASHSIFT_VALUES: B[b][1 + k] */
    float *values;       /* keypoints_count × HASHSIFT_VALUES, whole numbers 0…255 */
    float *responses;    /* keypoints_count × bits, without the bias: stage "sign" adds it */
    uint8_t *descriptors; /* keypoints_count × bits / 8 */
};

/*
 * Allocates the buffers; rows of the image start at multiples of `row_alignment` bytes, `buffers`
 * is a sum of HASHSIFT_WITH_…. *device is zero before. On anything but STATUS_OK
 * hashsift_cuda_close frees what there is.
 */
Status hashsift_device_open(const Request *request, const HashsiftMethods *methods,
                            size_t row_alignment, unsigned int buffers, HashsiftDevice *device);

/* The same for all variants whose state begins with a HashsiftDevice from malloc. run is the three
 * stages, which need both buffers of HASHSIFT_WITH_…; upload, download and close need neither. */
VARIANT_FUNCTIONS(hashsift_cuda);
VARIANT_EXTERN Status hashsift_cuda_sift(void *state);
VARIANT_EXTERN Status hashsift_cuda_product(void *state);
VARIANT_EXTERN Status hashsift_cuda_sign(void *state);
/* download without waiting. */
VARIANT_EXTERN Status hashsift_cuda_queue_download(void *state);

#ifdef __cplusplus
}
#endif

#endif
