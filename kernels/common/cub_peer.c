#include "cub_peer.h"

const Peer cub_peer = {
    .struct_bytes = sizeof(Peer),
    .library = "CUB",
    .install = "the CUDA toolkit",
    .version = CUDA_OP(cub_version),
};
