#include "fast_write.h"

#include <inttypes.h>
#include <math.h>

#include "fast_levels.h"

enum { DISC_SIDE = 2 * FAST_DISC_RADIUS + 1, NO_ANGLE = -1 };

/* Degrees from 0 to below 360, from the x axis towards the y axis. */
static double angle_degrees(int64_t m10, int64_t m01) {
    if (m10 == 0 && m01 == 0) {
        return NO_ANGLE;
    }
    const double degrees = atan2((double)m01, (double)m10) * (180 / acos(-1));
    return degrees < 0 ? degrees + 360 : degrees;
}

/* The middles of pixels of a level are at the middles of what they cover in the image. */
static double in_image(uint64_t place, int32_t image_side, int32_t level_side) {
    return ((double)place + 0.5) * image_side / level_side - 0.5;
}

static void write_keypoint(FILE *stream, const FastLevels *levels, const FastKeypoint *keypoint) {
    const uint64_t level = keypoint->level;
    const int32_t *width = levels->width;
    const int32_t *height = levels->height;
    fprintf(stream, "%.6f,%.6f,%.6f,%.6f,%" PRId64 ",%" PRIu64 "\n",
            in_image(keypoint->x, width[0], width[level]),
            in_image(keypoint->y, height[0], height[level]),
            (double)DISC_SIDE * width[0] / width[level],
            angle_degrees(keypoint->m10, keypoint->m01), keypoint->score, level);
}

Status fast_write_part(FILE *stream, const Workload *workload, const Point *answer,
                       const Output *output, size_t part) {
    const uint64_t count = *fast_count(output);
    if (part == FAST_PART_COUNT) {
        fprintf(stream, "bin,count\n0,%" PRIu64 "\n", count);
        return status_ok();
    }
    const Image *image = &workload->image;
    const FastLevels levels = fast_levels(image->width, image->height, fast_point(answer).levels);
    fputs("x,y,size,angle,response,level\n", stream);
    for (uint64_t i = 0; i < count; ++i) {
        write_keypoint(stream, &levels, &fast_keypoints(output)[i]);
    }
    return status_ok();
}
