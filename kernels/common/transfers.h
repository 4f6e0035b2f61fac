/* Copies between host and device that run beside kernels: bands of rows, and staged downloads. */
#ifndef KERNELS_COMMON_TRANSFERS_H
#define KERNELS_COMMON_TRANSFERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "copies.h"
#include "cuda_state.h"
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Seconds of a clock that only goes forward. */
double host_seconds(void);

/* === Copies on the host ======================================================================= */

/* Threads that fill the memory bus one way, where there are so many processors. A copy one way
 * takes as many, whatever its size: OpenMP ends the threads that a smaller team leaves out, and the
 * next larger one starts them anew, which takes 100 to 300 µs. */
enum { HOST_COPY_THREADS = 8 };

/* So many, or all that can run together where these are fewer. */
int host_copy_threads(int wanted);

/* Copies `rows` rows of `width` bytes; strides are in bytes and at least `width`. One thread does
 * not fill the memory bus that a device copy needs filled, so rows are shared out. */
void host_copy_rows(void *to, size_t to_stride, const void *from, size_t from_stride, size_t width,
                    size_t rows);

/* === Band stream ============================================================================== */

/*
 * Band stream: an image goes to the device in bands of rows, is worked on and comes back, all at
 * once: while one band is on its way up, the one before is computed and the one before that is on
 * its way down.
 *
 * The device holds all rows, or, of an image that does not fit it, those of BAND_SLOTS bands
 * (ring).
 *
 * Copies are asynchronous only from page-locked memory. Where the caller's is, bands are copied
 * from and to it directly. Otherwise all rows are relayed (relay.h) by one kernel each way, which
 * runs beside the computation of all bands; a small kernel before each band waits for the rows that
 * come, and says which may leave. Where that cannot be, bands go through two small page-locked
 * buffers each way, filled and emptied by several threads while the device copies.
 */

/* Rows of equal length in host and in device memory. host NULL: nothing is copied. */
typedef struct BandRows {
    uint8_t *host;
    size_t host_stride; /* bytes */
    uint8_t *device;
    size_t device_stride; /* bytes */
    size_t row_bytes;
} BandRows;

/* Where row 0 is on the device, or would be if it were there with the rows of a band. */
typedef struct BandPlace {
    uint8_t *up, *down;
} BandPlace;

enum { BAND_SLOTS = 2 };

typedef struct BandJob {
    int rows;
    int first, last;  /* rows that are computed and come down; 0, 0: all */
    int halo;         /* rows above and below a band that its computation reads */
    int bands_wanted; /* more hide more of the first and last copy, and cost a few µs each */
    /* up.device and down.device have BAND_SLOTS × band_slot_rows() rows, and all rows are computed.
     * Rows of the halo that lie outside the image are set to 0. */
    bool ring;
    BandRows up, down;
    /* Queues the computation of rows [begin, end), which are at `place`, on cuda_stream(). */
    Status (*compute)(void *context, int begin, int end, BandPlace place);
    /* Queues, on cuda_stream(), what makes it right to compute all rows again. NULL: bands are not
     * relayed, since a relay that fails has them go again. */
    Status (*restart)(void *context);
    void *context;
} BandJob;

/* Whether the rows of a job do not fit the device, whatever this process holds there now: cells
 * that are measured in turns must not take each other for a small device. */
bool band_job_needs_ring(const BandJob *job);

/* Rows of a slot in the ring of a job, of which everything but device memory is set: a band's and
 * the halo's. */
int band_slot_rows(const BandJob *job);

typedef struct BandStream BandStream;

/* Allocates streams, events and page-locked buffers. On anything but STATUS_OK, `*stream` is
 * NULL. The memory that the job names stays the caller's. */
Status band_stream_open(const BandJob *job, BandStream **stream);
/* The same, closed with the state. */
Status band_stream_open_in(CudaState *state, const BandJob *job, BandStream **stream);

int band_stream_count(const BandStream *stream); /* bands */

/* The computation alone, band by band, on an image all of which is on the device. */
Status band_stream_compute(const BandStream *stream);

/* Up, compute, down. Begins after what is queued on cuda_stream(). Returns when all rows that come
 * down are in host memory; what the last computation queued may still run. */
Status band_stream_run(BandStream *stream);

/* The same of several, each on the device that was in use when it was opened, band by band in
 * turns: while one device copies, the host's threads fill the buffers of the next. Afterwards
 * device 0 is in use. */
Status band_stream_run_all(BandStream *const *streams, int count);

void band_stream_close(BandStream *stream); /* NULL is ignored */

/* === Staged download ========================================================================== */

/*
 * Staged download: pieces of device memory to host memory, asynchronous also where the host's is
 * not page-locked: then they go through page-locked buffers, which several threads empty while the
 * device copies the next piece.
 */

typedef struct StagedDownload StagedDownload;

/* For targets inside `host`, whose kind of memory decides on the buffers. On anything but
 * STATUS_OK, `*download` is NULL. */
Status staged_download_open(const void *host, StagedDownload **download);

/* Queues copies, and empties buffers that are needed for them. What they copy from must be complete
 * already, or be waited for: copies are on a stream of their own. */
Status staged_download_copy(StagedDownload *download, void *to, const void *from, size_t bytes);
Status staged_download_rows(StagedDownload *download, const Copy *rows);

/* Further copies wait, on the device, for what is queued on cuda_stream(). */
Status staged_download_wait(StagedDownload *download);

/* Returns when everything queued is in host memory. */
Status staged_download_finish(StagedDownload *download);

void staged_download_close(StagedDownload *download); /* NULL is ignored */

#ifdef __cplusplus
}
#endif

#endif
