/*
 * Keypoint files: lists of keypoints that another program has found, as CSV.
 *
 *     # detector: fast
 *     x,y,size,angle,response
 *     441.6,262.17,31,40.1,0.093
 *
 * The first line that is no comment names the columns; x, y, size and angle (Keypoint) have to be
 * among them, in any order, and others are ignored. Each line after it is a keypoint, the strongest
 * first. A comment is a line that starts with '#'; "# detector: NAME" names what found them (sift,
 * fast, orb), which sets KeypointList.scale; without it they count as SIFT's. Numbers have a
 * decimal point in every locale; a field may stand in quotes, lines end in LF, CR LF or CR, and
 * blank lines do not count.
 */
#ifndef DATASETS_KEYPOINT_FILES_H
#define DATASETS_KEYPOINT_FILES_H

#include <stddef.h>

#include "status.h"
#include "workload.h"

#ifdef __cplusplus
extern "C" {
#endif

#define KEYPOINT_SCALE_SIFT 6.75F
#define KEYPOINT_SCALE_FAST 1.0F

/* STATUS_FILE naming file, line and what would be right: no such column or detector, no number, not
 * finite, a negative size, no keypoint, more than KEYPOINTS_MAX, semicolons or tabs for commas,
 * UTF-16; STATUS_SKIP when memory is short. `wanted` is the count. Release with keypoints_free. */
Status keypoints_read(const char *path, KeypointList *list);
/* The same from memory; `name` is used in messages. */
Status keypoints_decode(const char *name, const char *text, size_t size, KeypointList *list);
void keypoints_free(KeypointList *list);

/* FNV-1a 64 of what `hash` stands for followed by the keypoints. */
uint64_t keypoints_hash(uint64_t hash, const KeypointList *list);

#ifdef __cplusplus
}
#endif

#endif
