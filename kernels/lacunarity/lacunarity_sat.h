/*
 * Summed-area table of the thresholded image, for cuda_sat, and for cuda_fast where a cell is
 * beyond its limits.
 */
#ifndef KERNELS_LACUNARITY_LACUNARITY_SAT_H
#define KERNELS_LACUNARITY_LACUNARITY_SAT_H

#include "lacunarity_device.h"

typedef struct LacunaritySat LacunaritySat;

/* Allocates the table, (width + 1) × (height + 1) counts of 32 bits. On anything but STATUS_OK,
 * `*sat` is NULL. */
Status lacunarity_sat_open(const LacunarityDevice *device, LacunaritySat **sat);
void lacunarity_sat_close(LacunaritySat *sat); /* NULL is ignored */

/* Queues the sums of all thresholds and boxes of the plan on cuda_stream(). The sums have been
 * cleared. */
Status lacunarity_sat_compute(const LacunarityDevice *device, const LacunaritySat *sat);

#endif
