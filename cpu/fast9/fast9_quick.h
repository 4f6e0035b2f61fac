/* What fast9_measures.h says, the same numbers, in vectors where the processor has them. */
#ifndef CPU_FAST9_QUICK_H
#define CPU_FAST9_QUICK_H

#include "fast9.h"

int64_t fast9_harris_quick(const uint8_t *pixel, size_t stride);
void fast9_moments_quick(const uint8_t *pixel, size_t stride, int64_t *m10, int64_t *m01);

#endif
