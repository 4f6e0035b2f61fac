/* Things that go wrong on a device, on purpose. Only when built with CUDA. */
#ifndef TESTS_KERNELS_FAULT_H
#define TESTS_KERNELS_FAULT_H

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An illegal address: the context is lost. */
Status fault_illegal_address(void);
/* More threads than a block may have: refused, nothing is lost. */
Status fault_bad_launch(void);

#ifdef __cplusplus
}
#endif

#endif
