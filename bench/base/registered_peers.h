/* The libraries that the program knows for an algorithm of its own: bench/peers. They are variants
 * that are found by name, but none of the registry's. */

#ifndef BENCH_BASE_REGISTERED_PEERS_H
#define BENCH_BASE_REGISTERED_PEERS_H

#include <stddef.h>

#include "variant.h"

typedef struct Algorithm Algorithm; /* algorithm.h */

typedef struct RegisteredPeer {
    const Algorithm *algorithm;
    Variant variant;
} RegisteredPeer;

extern const RegisteredPeer registered_peers[];
extern const size_t registered_peer_count;

#endif
