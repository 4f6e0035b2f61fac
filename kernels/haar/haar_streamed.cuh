/* State of cuda_streamed, of which cuda_multi has one for each device. */
#ifndef KERNELS_HAAR_HAAR_STREAMED_CUH
#define KERNELS_HAAR_HAAR_STREAMED_CUH

#include "haar_fast.cuh"
#include "transfers.h"

struct HaarStreamed : HaarFast {
    BandStream *up;            /* of images */
    StagedDownload *down;      /* of records */
    unsigned long long *found; /* the cursor after each portion; page-locked */
    cudaEvent_t *searched;     /* of each portion */
    int searching;             /* portions queued in this stream() */
    int taken;                 /* portions whose records are on their way down, or down */
    uint64_t copied;           /* records of those */
    uint64_t *placed;          /* records that are in the answer; shared by those that share it */
    uint64_t own_placed;
};

/* What stream() does before the images go up: tables, and counters of this device. */
Status haar_streamed_begin(HaarStreamed *state);
/* Queues the download of the portions that have been searched since, to the next places of the
 * answer. Waits for none. */
Status haar_streamed_take(HaarStreamed *state);
/* Records found by all portions, which have been taken. */
uint64_t haar_streamed_found(const HaarStreamed *state);

#endif
