/*
 * Staged download: pieces of device memory to host memory, asynchronous also where the host's is
 * not page-locked: then they go through page-locked buffers, which several threads empty while the
 * device copies the next piece.
 */
#ifndef KERNELS_COMMON_STAGED_DOWNLOAD_H
#define KERNELS_COMMON_STAGED_DOWNLOAD_H

#include <stddef.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct StagedDownload StagedDownload;

/* For targets inside `host`, whose kind of memory decides on the buffers. On anything but
 * STATUS_OK, `*download` is NULL. */
Status staged_download_open(const void *host, StagedDownload **download);

/* Queues a copy, and empties buffers that are needed for it. What it copies from must be complete
 * already: copies are on a stream of their own, which waits for no other. */
Status staged_download_copy(StagedDownload *download, void *to, const void *from, size_t bytes);

/* Returns when everything queued is in host memory. */
Status staged_download_finish(StagedDownload *download);

void staged_download_close(StagedDownload *download); /* NULL is ignored */

#ifdef __cplusplus
}
#endif

#endif
