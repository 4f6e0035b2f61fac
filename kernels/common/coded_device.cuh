/*
 * Device side of algorithms that give each pixel a code, by the pixels around it, and count the
 * codes: lbp, lbp_riu. The image, the codes where they are part of the answer, and two histograms:
 * a run fills one while it clears the other for the next.
 *
 * Besides, what streams an image in bands of rows, and what divides it among several devices.
 */
#ifndef KERNELS_COMMON_CODED_DEVICE_CUH
#define KERNELS_COMMON_CODED_DEVICE_CUH

#include "cuda_state.h"
#include "multi.h"

/* Device histograms are atomically added to, which CUDA offers for this type. */
typedef unsigned long long CodedCount;

/* What is opened. */
struct CodedPlan {
    int rows;             /* of the image */
    size_t row_alignment; /* bytes: every row of the image starts at a multiple of it */
    int margin;           /* pixels of 0 on all four sides; 0: none */
    size_t tail;          /* zeros behind the image and its margin, bytes */
    int bins;             /* of the answer */
    int room;             /* for bins of a histogram, at least as many */
    MultiPart own;        /* rows that are computed and come down */
    uint8_t *codes;       /* host memory: row 0 of the codes; NULL: they are not wanted */
    uint64_t *counts;     /* host memory: `bins` counts */
    /* Of streams: rows that a row's computation reads above and below, and bands. */
    int halo, bands_wanted;
};

struct BandStream;
struct CodedMethod;

struct CodedDevice : CudaState {
    int width, height;   /* pixels, without the margin */
    MultiPart own;       /* rows that are computed */
    size_t image_stride; /* bytes; what lies between rows is 0 */
    size_t codes_stride; /* bytes */
    uint8_t *memory;     /* image and margin */
    uint8_t *image;      /* pixel (0, 0), within memory */
    uint8_t *codes;      /* NULL: they are not wanted */
    int bins, room;
    CodedCount *histograms; /* two of `room`, all 0 after upload */
    CodedCount *histogram;  /* the one that the last run filled */

    /* Of variants that stream or divide the rows. */
    const CodedMethod *method;
    BandStream *bands;
    bool ring;        /* the device holds two bands at a time */
    uint64_t *counts; /* of a share, in page-locked memory */
    uint64_t *answer; /* the sum of those of all shares */
};

/* Rows of an image on the device, of which some are computed. */
struct CodedBand {
    const uint8_t *image;   /* where row 0 is, or would be */
    uint8_t *codes;         /* likewise */
    int row_begin, row_end; /* the rows that their codes depend on are there */
    CodedCount *add;        /* their counts are added to this */
    CodedCount *clear;      /* set to 0 by the same kernel, NULL: nothing is */
};

/* Opens the buffers. The codes of a row start as the image's do. */
Status coded_device_open(const CodedPlan *plan, CodedDevice *device);

/* All rows that are computed, and the other histogram's turn: that of the run before is cleared. */
CodedBand coded_device_turn(CodedDevice *device);

/* GraphMethod.prepare of cuda_graph, whose graph fills the histogram that was next when it was
 * captured: the next run must find its own cleared, as it is after a graph launch. */
void coded_graph_prepare(void *state);

/* Queues setting the histogram to 0. */
Status coded_device_clear(const CodedDevice *device);

/* === Streams ================================================================================== */

/* What an algorithm does in its own way; its kernels are those of cuda_fast. */
struct CodedMethod {
    size_t bytes; /* of the state, which begins with a CodedDevice */
    Status (*plan)(const Request *request, CodedPlan *plan); /* of the whole image */
    Status (*open)(const CodedPlan *plan, CodedDevice *device);
    Status (*launch)(const CodedDevice *device, const CodedBand *band); /* queues */
};

/* cuda_streamed, and cuda_multi of bands of rows, one on each device. A device has its rows and the
 * halo above and below, which go up with them, so that nothing is exchanged. Each counts its own
 * rows; the host adds the histograms when they have come down. */
Status coded_streamed_open_with(const Request *request, const CodedMethod *method, void **state);
Status coded_multi_open_with(const Request *request, const CodedMethod *method, void **state);

#endif
