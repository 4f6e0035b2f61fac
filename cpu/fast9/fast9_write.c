#include "fast9_write.h"

#include <inttypes.h>

#include "fast9.h"
#include "pyramid_place.h"

_Static_assert(PYRAMID_DISC_SIDE == 2 * FAST9_DISC_RADIUS + 1,
               "a keypoint is as large as its disc");

/* In the digits that tell one float from the next: what reads them has the keypoints that were
 * found, to the last bit. */
static void write_keypoint(FILE *stream, const Image *image, const Fast9Keypoint *keypoint) {
    const PyramidCorner corner = {.level = keypoint->level,
                                  .x = keypoint->x,
                                  .y = keypoint->y,
                                  .m10 = keypoint->m10,
                                  .m01 = keypoint->m01};
    const PyramidPlace place = pyramid_place(image->width, image->height, &corner);
    fprintf(stream, "%.9g,%.9g,%.9g,%.9g,%" PRId64 ",%" PRIu64 "\n", (double)(float)place.x,
            (double)(float)place.y, (double)(float)place.size, (double)(float)place.angle,
            keypoint->score, keypoint->level);
}

Status fast9_write_part(FILE *stream, const Workload *workload, const Point *answer,
                        const Output *output, size_t part) {
    const uint64_t count = *fast9_count(output);
    (void)answer;
    if (part == FAST9_PART_COUNT) {
        fprintf(stream, "bin,count\n0,%" PRIu64 "\n", count);
        return status_ok();
    }
    /* For readers of keypoint files: how large a patch of such a keypoint is. */
    fputs("# detector: fast\nx,y,size,angle,response,level\n", stream);
    for (uint64_t i = 0; i < count; ++i) {
        write_keypoint(stream, &workload->image, &fast9_keypoints(output)[i]);
    }
    return status_ok();
}
