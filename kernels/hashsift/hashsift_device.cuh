/*
 * Device side of a hashsift cell: image, keypoints and weights in device memory, and what the
 * stages leave there: values, responses, descriptors.
 *
 * Variants differ in how they make values and responses (HashsiftMethods); signs are taken in one
 * way.
 */
#ifndef KERNELS_HASHSIFT_HASHSIFT_DEVICE_CUH
#define KERNELS_HASHSIFT_HASHSIFT_DEVICE_CUH

#include "cuda_state.h"
#include "hashsift.h"

struct HashsiftDevice;

/* `device` is the variant's state. sift is not called where there are no keypoints, product neither
 * there nor where there are no weights; variants with stages of their own have none of them. */
typedef struct HashsiftMethods {
    Status (*sift)(HashsiftDevice *device);    /* queues filling `values` */
    Status (*product)(HashsiftDevice *device); /* queues filling `responses` from them */
} HashsiftMethods;

/* Buffers that not every variant needs. */
enum { HASHSIFT_WITH_VALUES = 1, HASHSIFT_WITH_PRODUCT = 2 };

struct HashsiftDevice : CudaState {
    const HashsiftMethods *methods; /* NULL: stages of its own */
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

    void *cublas; /* its handle, of variants with its product (hashsift_product.cuh) */
};

/* Opens the buffers; rows of the image start at multiples of `row_alignment` bytes, `buffers` is a
 * sum of HASHSIFT_WITH_…. */
Status hashsift_device_open(const HashsiftMethods *methods, size_t row_alignment,
                            unsigned int buffers, HashsiftDevice *device);

/* The same for all variants with both buffers of HASHSIFT_WITH_…; run is the three stages. */
VARIANT_EXTERN Status hashsift_cuda_run(void *state);
VARIANT_EXTERN Status hashsift_cuda_sift(void *state);
VARIANT_EXTERN Status hashsift_cuda_product(void *state);
VARIANT_EXTERN Status hashsift_cuda_sign(void *state);

#endif
