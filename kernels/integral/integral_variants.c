/* The CUDA rows of integral. Built with and without CUDA, so that every machine lists the same
 * rows. */
#include "cuda_variant.h"
#include "variant.h"

const VariantTable integral_cuda_variants = {.rows = NULL, .count = 0};
