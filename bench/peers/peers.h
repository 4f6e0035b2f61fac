/*
 * Peers: other people's libraries as variants, to be compared with in the same run. They are in
 * Python, as people use them, and are loaded when a run asks for them: peers.def lists them, and
 * <algorithm>.py calls them.
 */
#ifndef BENCH_PEERS_PEERS_H
#define BENCH_PEERS_PEERS_H

#include <stdbool.h>
#include <stddef.h>

#include "status.h"

typedef struct Variant Variant; /* variant.h */

/* The folder of the environment that `bench peers --install` makes. */
Status peers_folder(char *path, size_t size);

/* A package that some peers need, with the version that was tried. */
typedef struct PeerPackage {
    const char *name;    /* for pip: "opencv-contrib-python-headless" */
    const char *version; /* "5.0.0.93" */
    bool gpu;            /* of no use without a GPU */
    const char *instead; /* it is installed in the place of this one; NULL: of none */
} PeerPackage;

extern const PeerPackage peer_packages[];
extern const size_t peer_package_count;

/* Starts Python, once, which is asked for the libraries. Else: why it cannot be asked. */
Status peers_start(void);

enum { PEER_VERSION_SIZE = 64 };

/* The version of the library that is installed, without loading it, or that a peer of the program's
 * own is compiled with. STATUS_SKIP: it is not there, and what installs it. */
Status peer_installed(const Variant *peer, char version[PEER_VERSION_SIZE]);

#endif
