/*
 * The product of values and factors by cuBLAS, which is loaded when the first handle is made: the
 * library takes a tenth of a second to load and some hundred megabytes, which programs that do not
 * need it, or run where it is not, should not pay.
 */
#ifndef KERNELS_HASHSIFT_HASHSIFT_PRODUCT_CUH
#define KERNELS_HASHSIFT_HASHSIFT_PRODUCT_CUH

#include "hashsift_device.cuh"

/* Makes device->cublas, which queues on cuda_stream(), where there are weights. STATUS_SKIP when
 * there is no cuBLAS. */
Status hashsift_product_open(HashsiftDevice *device);

/* Queues filling device->responses from its values and factors, in float32. */
Status hashsift_product_queue(HashsiftDevice *device);

#endif
