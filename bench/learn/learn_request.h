/* What a person asks of a training of descriptors. */
#ifndef BENCH_LEARN_REQUEST_H
#define BENCH_LEARN_REQUEST_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "picture_folder.h"
#include "status.h"
#include "weights.h"

typedef struct LearnRequest {
    const char *folder; /* of pictures to learn from */
    const char *out;    /* file of the weights */
    int32_t bits;
    uint64_t seed;
    const char *checkpoint; /* file; NULL: none is kept */
    bool resume;            /* from the checkpoint */
    const char *curve;      /* CSV file; NULL: none */
    bool quiet;
    FILE *notes; /* progress, and pictures that are left out */

    uint64_t steps; /* of hashsift */
    int32_t batch;
    int32_t candidates; /* of bad */
} LearnRequest;

/*
 * Learn from the pictures and fill the weights, which are the caller's to write; release them with
 * weights_free. STATUS_NO_MATCH when there are too few keypoints to learn from; STATUS_INTERRUPTED
 * after interrupt_requested(), with the checkpoint written when there is one; errors of the
 * checkpoint as learn_checkpoint.h has them.
 */
Status learn_hashsift(const LearnRequest *request, const PictureFolder *folder, Weights *weights);
Status learn_bad(const LearnRequest *request, const PictureFolder *folder, Weights *weights);

#endif
