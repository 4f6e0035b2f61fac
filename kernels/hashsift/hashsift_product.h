/*
 * The product of values and factors by cuBLAS, which is loaded when the first handle is made: the
 * library takes a tenth of a second to load and some hundred megabytes, which programs that do not
 * need it, or run where it is not, should not pay.
 */
#ifndef KERNELS_HASHSIFT_HASHSIFT_PRODUCT_H
#define KERNELS_HASHSIFT_HASHSIFT_PRODUCT_H

#include <cublas_v2.h>

#include "hashsift_device.h"

/* Makes a handle that queues on cuda_stream(). STATUS_SKIP when there is no cuBLAS. */
Status hashsift_product_open(cublasHandle_t *handle);

/* Queues filling device->responses from its values and factors, in float32. */
Status hashsift_product_queue(cublasHandle_t handle, const HashsiftDevice *device);

void hashsift_product_close(cublasHandle_t handle); /* NULL is ignored */

#endif
