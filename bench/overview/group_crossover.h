/* From what size on a variant on a device is ahead of the fastest one on the CPU, in one group. */
#ifndef BENCH_GROUP_CROSSOVER_H
#define BENCH_GROUP_CROSSOVER_H

#include "overview_parts.h"

/* One phrase about `device` (NULL: the fastest of a size) against the fastest CPU variant, with the
 * sizes around it: "from 1.2 Mpixel on (0.9 to 1.5), between 720p and 1080p"; "" when either has no
 * time. `points`: how many sizes both have. */
void crossover_phrase(const Overview *overview, const RunGroup *group, const Variant *device,
                      TimeKind kind, char *text, size_t size, size_t *points);
Crossover group_crossover(const Overview *overview, const RunGroup *group, const Variant *device,
                          TimeKind kind);

#endif
