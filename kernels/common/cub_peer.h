/* What the tables of variants name that are CUB's functions for whole devices: those are other
 * people's code, to be compared with. */
#ifndef KERNELS_COMMON_CUB_PEER_H
#define KERNELS_COMMON_CUB_PEER_H

#include "cuda_variant.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const Peer cub_peer;

/* Peer.version of CUB: that of the toolkit that compiled this program. */
const char *cub_version(const void *state);

#ifdef __cplusplus
}
#endif

#endif
