/* Match method: the descriptors of one kind for both pictures, and what becomes of them. */
#ifndef BENCH_MATCH_METHOD_H
#define BENCH_MATCH_METHOD_H

#include "algorithm.h"
#include "picture_match.h"

/* What a method is made of. */
typedef struct MethodRow {
    const char *name;
    const char *algorithm; /* that describes keypoints */
    const char *bits;      /* NULL: those of the request */
    const char *distance;  /* as --distance of `matching` */
} MethodRow;

extern const MethodRow method_rows[MATCH_METHODS];

/* The variant of this name, or the fastest that can run. STATUS_USAGE, or STATUS_SKIP. */
Status match_variant(const char *algorithm, const char *name, const Algorithm **found,
                     const Variant **variant);

/* Describes the keypoints of both pictures, matches them and looks for the homography. The reason
 * is in result->status as well when this is STATUS_SKIP. Release with method_release. */
Status method_run(const MatchRequest *request, const PictureMatch *match,
                  const WeightsList *weights, MethodResult *result);
void method_release(MethodResult *result);

#endif
