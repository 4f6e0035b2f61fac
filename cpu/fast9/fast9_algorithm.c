/* The table of fast9: its axes, what its answer looks like, what it costs at least, its CPU
 * variants; and the sizes of its levels, how its answer is written. */
#include <inttypes.h>

#include "cpu_variant.h"
#include "fast9.h"
#include "keypoints.h"

/* === Levels =================================================================================== */

/* The values of an answer's axes, and the levels that follow from them. */

enum { DEFAULT_KEYPOINTS = 10000, DEFAULT_LEVELS = 8, DEFAULT_THRESHOLD = 20, DEFAULT_RADIUS = 1 };

Fast9Point fast9_point(const Point *answer) {
    return (Fast9Point){
        .max_keypoints = (int32_t)point_integer(answer, "max-keypoints", DEFAULT_KEYPOINTS),
        .levels = (int32_t)point_integer(answer, "levels", DEFAULT_LEVELS),
        .corner_threshold = (int32_t)point_integer(answer, "corner-threshold", DEFAULT_THRESHOLD),
        .radius = (int32_t)point_integer(answer, "radius", DEFAULT_RADIUS),
        .score = (Fast9Score)point_integer(answer, "score", FAST9_SCORE_FAST),
    };
}

Fast9Levels fast9_levels(int32_t width, int32_t height, int32_t levels) {
    Fast9Levels made = {.count = 0};
    while (made.count < levels && made.count < FAST9_LEVELS_MAX) {
        const int32_t w = pyramid_side(width, made.count);
        const int32_t h = pyramid_side(height, made.count);
        if (w < FAST9_SIDE_MIN || h < FAST9_SIDE_MIN) {
            break;
        }
        made.width[made.count] = w;
        made.height[made.count] = h;
        made.stride[made.count] = w;
        made.offset[made.count] = made.pixels;
        made.pixels += (size_t)w * (size_t)h;
        made.count++;
    }
    return made;
}

/* === Files ==================================================================================== */

_Static_assert(PYRAMID_DISC_SIDE == 2 * FAST9_DISC_RADIUS + 1,
               "a keypoint is as large as its disc");

/* Nine digits identify a float: a reader gets the same keypoints to the last bit. */
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

/* Algorithm.write_part: the keypoints as a keypoint file, x,y,size,angle,response,level, in pixels
 * of the image; or how many there are. */
static Status fast9_write_part(FILE *stream, const Workload *workload, const Point *answer,
                               const Output *output, size_t part) {
    const uint64_t count = *fast9_count(output);
    (void)answer;
    if (part == FAST9_PART_COUNT) {
        fprintf(stream, "bin,count\n0,%" PRIu64 "\n", count);
        return status_ok();
    }
    /* For readers of keypoint files: how large a patch of such a keypoint is. */
    fputs("# detector: fast\nx,y,size,angle,response,level\n", stream);
    for (uint64_t i = 0; i < count; i++) {
        write_keypoint(stream, &workload->image, &fast9_keypoints(output)[i]);
    }
    return status_ok();
}

/* === The table ================================================================================ */

#define FAST9_VARIANT_FUNCTIONS(prefix)                                                            \
    VARIANT_FUNCTIONS(prefix);                                                                     \
    VARIANT_EXTERN Status prefix##_pyramid(void *state);                                           \
    VARIANT_EXTERN Status prefix##_corners(void *state);                                           \
    VARIANT_EXTERN Status prefix##_suppress(void *state);                                          \
    VARIANT_EXTERN Status prefix##_select(void *state)

FAST9_VARIANT_FUNCTIONS(fast9_seq);
FAST9_VARIANT_FUNCTIONS(fast9_work);
VARIANT_FUNCTIONS(fast9_simd);
VARIANT_FUNCTIONS(fast9_omp);

static const Axis max_keypoints_axis = {
    .struct_bytes = sizeof(Axis),
    .name = "max-keypoints",
    .help = "keypoints in the answer at most: the strongest",
    .defaults = "10000",
    .kind = AXIS_INTEGER,
    .minimum = 0,
    .maximum = 1000000,
};

static const Axis levels_axis = {
    .struct_bytes = sizeof(Axis),
    .name = "levels",
    .help = "levels of the pyramid at most, each 1.2 times smaller than the one before",
    .defaults = "8",
    .kind = AXIS_INTEGER,
    .minimum = 1,
    .maximum = FAST9_LEVELS_MAX,
};

static const Axis corner_threshold_axis = {
    .struct_bytes = sizeof(Axis),
    .name = "corner-threshold",
    .help = "a corner differs by more from 9 neighbouring pixels of its circle, grey values",
    .defaults = "20",
    .kind = AXIS_INTEGER,
    .minimum = 1,
    .maximum = 254,
};

static const char *const score_words[] = {"fast", "harris", NULL};

static const Axis score_axis = {
    .struct_bytes = sizeof(Axis),
    .name = "score",
    .help = "how strong a corner is: the largest threshold (fast), or Harris's measure",
    .defaults = "fast",
    .kind = AXIS_CHOICE,
    .choices = score_words,
};

static const Axis radius_axis = {
    .struct_bytes = sizeof(Axis),
    .name = "radius",
    .help = "a corner yields to stronger ones as near as this, pixels of its level",
    .defaults = "1",
    .kind = AXIS_INTEGER,
    .minimum = 1,
    .maximum = FAST9_RADIUS_MAX,
};

static const Axis *const answer_axes[] = {&max_keypoints_axis, &levels_axis, &corner_threshold_axis,
                                          &score_axis,         &radius_axis, NULL};

static Status fast9_output_layout(const Workload *workload, const Point *answer,
                                  OutputLayout *layout) {
    (void)workload;
    const size_t rows = (size_t)fast9_point(answer).max_keypoints;
    STATUS_TRY(output_layout_add(layout, "count", OUTPUT_COUNTS_U64, 1, 1));
    return output_layout_add(layout, "keypoints", OUTPUT_TABLE_U64, FAST9_COLUMNS, rows);
}

/* 9 pixels in a row have one of each two that are opposite on the circle. So a pixel is none when
 * both of a pair are near it, or the one of a pair that is not is brighter and that of another pair
 * darker: two pairs, four comparisons. */
enum { COMPARISONS_PER_PIXEL = 4 };

static double candidates(int32_t width, int32_t height) {
    return (double)(width - 2 * FAST9_BORDER) * (height - 2 * FAST9_BORDER);
}

static Cost fast9_cost(const Workload *workload, const Point *answer) {
    const Image *image = &workload->image;
    const Fast9Point point = fast9_point(answer);
    const Fast9Levels levels = fast9_levels(image->width, image->height, point.levels);
    const double pixels = (double)image_pixel_count(image);
    double tested = 0;
    for (int32_t l = 0; l < levels.count; l++) {
        tested += candidates(levels.width[l], levels.height[l]);
    }
    return (Cost){
        .bytes = pixels + sizeof(uint64_t) + (double)point.max_keypoints * sizeof(Fast9Keypoint),
        .operations = COMPARISONS_PER_PIXEL * tested,
        .items = pixels,
        .operation = "int32",
        .oracle_work = (double)levels.pixels,
    };
}

static const Stage seq_stages[] = {{"pyramid", fast9_seq_pyramid},
                                   {"corners", fast9_seq_corners},
                                   {"suppress", fast9_seq_suppress},
                                   {"select", fast9_seq_select},
                                   {NULL, NULL}};

static const Stage work_stages[] = {{"pyramid", fast9_work_pyramid},
                                    {"corners", fast9_work_corners},
                                    {"suppress", fast9_work_suppress},
                                    {"select", fast9_work_select},
                                    {NULL, NULL}};

static const Variant cpu_variants[] = {
    CPU_VARIANT("seq", NULL, "every pixel's circle gone round, all corners sorted, one thread",
                fast9_seq_open, fast9_seq_run, fast9_seq_close, .stages = seq_stages),
    CPU_VARIANT("simd", "seq",
                "circles and scores of vectors of pixels, only the strongest sorted; "
                "instruction set chosen at run time",
                fast9_simd_open, fast9_work_run, fast9_work_close, .stages = work_stages,
                .vectorized = true),
    CPU_VARIANT("omp", "simd", "bands of rows of all levels on all processors", fast9_omp_open,
                fast9_work_run, fast9_work_close, .tuning = threads_tuning, .stages = work_stages),
};

const Algorithm fast9_algorithm = {
    .struct_bytes = sizeof(Algorithm),
    .name = "fast",
    .summary = "FAST-9 keypoints on a pyramid, the strongest first, with orientation",
    .item = "pixel",
    .input = WORKLOAD_IMAGE,
    .answer = answer_axes,
    .output_layout = fast9_output_layout,
    .cost = fast9_cost,
    .cpu = {.rows = cpu_variants, .count = sizeof cpu_variants / sizeof cpu_variants[0]},
    /* Shapes with no level, one and several; no corner, few, nearly all pixels. */
    .verify = "--wide --score fast,harris --radius 1,3 --corner-threshold 1,20,254 --levels 1,8 "
              "--max-keypoints 0,5,1000,100000 --contents noise,texture,extreme,zero,full "
              "--shapes 1x1,39x40,40x40,41x57,64x64,130x97,257x131",
    .write_part = fast9_write_part,
};
