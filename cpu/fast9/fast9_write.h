/* Answers of fast9 as files. */
#ifndef CPU_FAST9_WRITE_H
#define CPU_FAST9_WRITE_H

#include "fast9.h"

/* Algorithm.write_part: the keypoints as a keypoint file, x,y,size,angle,response,level, in pixels
 * of the image; or how many there are. */
Status fast9_write_part(FILE *stream, const Workload *workload, const Point *answer,
                        const Output *output, size_t part);

#endif
