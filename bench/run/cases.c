/* Cases: awkward inputs of every kind, the shapes, contents and strides that variants get wrong. */

#include <stdlib.h>
#include <string.h>

#include "algorithm.h"
#include "datasets.h"
#include "elements.h"
#include "harness.h"
#include "image_sets.h"
#include "verify.h"

enum { LARGE_PIXELS = 8192, CLASSES = 10, CASE_KEYPOINTS = 300, CASE_DESCRIPTORS_WANTED = 10000 };

/* === Shapes =================================================================================== */

/* Around 1, vector widths, tile widths and primes, in order of size: the quick ones are the first
 * QUICK_SHAPES of them. */
static const CaseShape image_shapes[] = {
    {0, 1, 1},     {0, 1, 2},      {0, 2, 1},     {0, 2, 2},     {0, 3, 3},      {0, 1, 17},
    {0, 17, 1},    {0, 1, 64},     {0, 64, 1},    {0, 3, 5},     {0, 4, 4},      {0, 5, 4},
    {0, 7, 7},     {0, 8, 8},      {0, 9, 7},     {0, 15, 3},    {0, 16, 2},     {0, 17, 3},
    {0, 31, 31},   {0, 32, 32},    {0, 33, 33},   {0, 63, 5},    {0, 64, 64},    {0, 65, 3},
    {0, 127, 2},   {0, 128, 3},    {0, 129, 9},   {0, 47, 53},   {0, 97, 13},    {0, 5, 200},
    {0, 257, 3},   {0, 511, 2},    {0, 512, 5},   {0, 513, 4},   {0, 1021, 61},  {0, 61, 1021},
    {0, 640, 480}, {0, 1031, 769}, {0, 4099, 37}, {0, 16, 4097}, {0, 2050, 1501}};
enum { QUICK_SHAPES = 34 };

/* Numbers and sides around 1, blocks of threads, warps and vectors. */
static const CaseShape set_shapes[] = {
    {1, 4, 4},   {2, 5, 5},   {5, 9, 7},   {1, 28, 28},  {3, 28, 28},
    {1, 64, 20}, {7, 32, 32}, {2, 33, 40}, {33, 12, 28},
};

/* Numbers around 1, warps, blocks and tiles; one set empty; rows with fewer bytes than are asked
 * for. */
static const CaseShape descriptor_shapes[] = {
    {1, 128, 1},  {1, 128, 5},     {0, 128, 3},     {3, 128, 0},  {7, 128, 300},   {300, 128, 7},
    {33, 64, 31}, {130, 128, 129}, {257, 128, 256}, {40, 32, 60}, {1000, 128, 517}};

size_t case_shapes(WorkloadKind kind, bool quick, const CaseShape **shapes) {
    switch (kind) {
    case WORKLOAD_IMAGE_SET: *shapes = set_shapes; return sizeof set_shapes / sizeof set_shapes[0];
    case WORKLOAD_DESCRIPTORS:
        *shapes = descriptor_shapes;
        return sizeof descriptor_shapes / sizeof descriptor_shapes[0];
    default:
        *shapes = image_shapes;
        return quick ? QUICK_SHAPES : sizeof image_shapes / sizeof image_shapes[0];
    }
}

static const CaseShape used_images[] = {
    {0, 1920, 1080}, {0, 1280, 720}, {0, 640, 480}, {0, 320, 240}};
static const CaseShape used_keypoints[] = {{10000, 1920, 1080}, {1000, 640, 480}};
static const CaseShape used_sets[] = {{1000, 28, 28}, {100, 28, 28}};
static const CaseShape used_descriptors[] = {{2000, 128, 2000}, {500, 128, 500}};

#define USED(list, name) (*shapes = (list), *content = (name), sizeof(list) / sizeof(list)[0])

size_t case_used_shapes(WorkloadKind kind, const CaseShape **shapes, CaseContent *content) {
    switch (kind) {
    case WORKLOAD_IMAGE_SET: return USED(used_sets, CASE_DIGITS);
    case WORKLOAD_DESCRIPTORS: return USED(used_descriptors, CASE_NEAR);
    case WORKLOAD_KEYPOINTS: return USED(used_keypoints, CASE_TEXTURE);
    default: return USED(used_images, CASE_TEXTURE);
    }
}

bool case_is_large(WorkloadKind kind, CaseShape shape) {
    const int64_t rows = kind == WORKLOAD_DESCRIPTORS ? shape.count + shape.height : shape.height;
    return kind != WORKLOAD_IMAGE_SET && shape.width * rows > LARGE_PIXELS;
}

/* === Contents ================================================================================= */

static const CaseContent image_contents[] = {CASE_ZERO,  CASE_SEVEN,   CASE_FULL,    CASE_RAMP,
                                             CASE_NOISE, CASE_EXTREME, CASE_TEXTURE, CASE_CONTENTS};
static const CaseContent set_contents[] = {CASE_ZERO,   CASE_NOISE, CASE_EXTREME, CASE_HALVES,
                                           CASE_DIGITS, CASE_FULL,  CASE_CONTENTS};
static const CaseContent descriptor_contents[] = {CASE_RANDOM, CASE_TIES, CASE_NEAR, CASE_EXTREME,
                                                  CASE_CONTENTS};

const char *const case_content_names[] = {
    [CASE_ZERO] = "zero",       [CASE_SEVEN] = "seven",   [CASE_FULL] = "full",
    [CASE_RAMP] = "ramp",       [CASE_NOISE] = "noise",   [CASE_EXTREME] = "extreme",
    [CASE_TEXTURE] = "texture", [CASE_HALVES] = "halves", [CASE_DIGITS] = "digits",
    [CASE_RANDOM] = "random",   [CASE_TIES] = "ties",     [CASE_NEAR] = "near"};

const CaseContent *case_contents(WorkloadKind kind) {
    return kind == WORKLOAD_IMAGE_SET     ? set_contents
           : kind == WORKLOAD_DESCRIPTORS ? descriptor_contents
                                          : image_contents;
}

/* Of 24 bits. */
static uint32_t next_number(uint32_t *state) {
    *state = *state * 1664525U + 1013904223U;
    return *state >> 8;
}

/* From 0 to 255. */
static uint32_t next_byte(uint32_t *state) {
    return next_number(state) >> 16;
}

static uint8_t pixel(CaseContent content, int32_t x, int32_t y, uint32_t *random) {
    switch (content) {
    case CASE_SEVEN: return 7;
    case CASE_FULL: return 255;
    case CASE_RAMP: return (uint8_t)(3 * x + 5 * y);
    case CASE_NOISE: return (uint8_t)next_byte(random);
    case CASE_EXTREME: return next_byte(random) < 128 ? 0 : 255;
    default: return 0;
    }
}

static void fill_by_pixel(Image *image, CaseContent content) {
    uint32_t random = (uint32_t)(image->width * 7919 + image->height);
    for (int32_t y = 0; y < image->height; y++) {
        for (int32_t x = 0; x < image->width; x++) {
            image->pixels[(size_t)y * image->stride + (size_t)x] = pixel(content, x, y, &random);
        }
    }
}

static Status fill_with_texture(Image *image) {
    Image texture = {0};
    STATUS_TRY(synthetic_image("texture", image->width, image->height, 1, &texture));
    for (int32_t y = 0; y < image->height; y++) {
        memcpy(image->pixels + (size_t)y * image->stride, image_row(&texture, y),
               (size_t)image->width);
    }
    image_free(&texture);
    return status_ok();
}

/* === Images =================================================================================== */

/* Bytes behind a row that must not be read as pixels. */
enum { PADDING_PATTERN = 0x99 };

static Status create_image(int32_t width, int32_t height, CaseContent content, size_t padding,
                           Workload *workload) {
    Image *image = &workload->image;
    *image = (Image){.width = width, .height = height, .stride = (size_t)width + padding};
    image->pixels = malloc(image->stride * (size_t)height);
    STATUS_MEMORY(image->pixels, "for an image of %dx%d", width, height);
    memset(image->pixels, PADDING_PATTERN, image->stride * (size_t)height);
    if (content == CASE_TEXTURE) {
        return fill_with_texture(image);
    }
    fill_by_pixel(image, content);
    return status_ok();
}

/* === Images of other types ==================================================================== */

/* Levels between those of 8 bits where a content has shades. */
static uint32_t fine_level(CaseContent content, int32_t x, int32_t y, uint32_t *random) {
    const uint32_t level = pixel(content, x, y, random);
    return content == CASE_RAMP || content == CASE_NOISE ? level << 24 | next_number(random)
                                                         : level * UINT32_C(0x01010101);
}

static Status fill_elements(OutputKind element, CaseContent content, uint32_t seed, Image *image) {
    uint32_t *levels = malloc((size_t)image->width * sizeof *levels);
    uint32_t random = (uint32_t)(image->width * 7919 + image->height) + seed;
    STATUS_MEMORY(levels, "for a row of %d pixels", image->width);
    for (int32_t y = 0; y < image->height; y++) {
        for (int32_t x = 0; x < image->width; x++) {
            levels[x] = fine_level(content, x, y, &random);
        }
        elements_from_levels(element, levels, (size_t)image->width,
                             image->pixels + (size_t)y * image->stride);
    }
    free(levels);
    return status_ok();
}

static Status create_one(CaseShape shape, OutputKind element, CaseContent content, uint32_t seed,
                         Image *image) {
    if (content == CASE_TEXTURE) {
        return synthetic_elements("texture", shape.width, shape.height, seed, 0, element, image);
    }
    STATUS_TRY(image_create_elements(shape.width, shape.height, element, image));
    return fill_elements(element, content, seed, image);
}

/* The second image is another one of the same content. */
static Status create_elements(const Algorithm *algorithm, CaseShape shape, CaseContent content,
                              Workload *workload) {
    workload->element = algorithm->element;
    STATUS_TRY(create_one(shape, algorithm->element, content, 1, &workload->image));
    return algorithm->pair ? create_one(shape, algorithm->element, content, 2, &workload->second)
                           : status_ok();
}

/* === Sets ===================================================================================== */

static Status draw_digits(Workload *workload) {
    Image image = {0};
    ImageSet set = {0};
    const ImageSet *wanted = &workload->set;
    STATUS_TRY(image_set_synthetic("digits", wanted->count, wanted->width, wanted->height, 1,
                                   &image, &set));
    memcpy(workload->image.pixels, image.pixels, image_pixel_count(&image));
    memcpy(workload->set.labels, set.labels, (size_t)set.count);
    image_set_free(&image, &set);
    return status_ok();
}

/* White on one half of each image, on its left, right, top and bottom in turn: the features that
 * spread the furthest, to both signs. */
static void draw_halves(const Workload *workload) {
    const ImageSet *set = &workload->set;
    for (int32_t y = 0; y < workload->image.height; y++) {
        uint8_t *row = workload->image.pixels + (size_t)y * workload->image.stride;
        const int32_t side = y / set->height % 4;
        const bool is_above = y % set->height < set->height / 2;
        for (int32_t x = 0; x < set->width; x++) {
            const bool is_left = x < set->width / 2;
            const bool is_first = side < 2 ? is_left : is_above;
            row[x] = is_first == (side % 2 == 0) ? 255 : 0;
        }
    }
}

/* But for digits image i is labelled i mod CLASSES. */
static Status create_set(CaseShape shape, CaseContent content, Workload *workload) {
    const bool digits = content == CASE_DIGITS;
    STATUS_TRY(create_image(shape.width, shape.height * shape.count, digits ? CASE_NOISE : content,
                            0, workload));
    workload->seed = 1;
    workload->set = (ImageSet){.count = shape.count,
                               .width = shape.width,
                               .height = shape.height,
                               .labels = malloc((size_t)shape.count)};
    STATUS_MEMORY(workload->set.labels, "for %d labels", shape.count);
    for (int32_t i = 0; i < shape.count; i++) {
        workload->set.labels[i] = (uint8_t)(i % CLASSES);
    }
    if (digits) {
        STATUS_TRY(draw_digits(workload));
    } else if (content == CASE_HALVES) {
        draw_halves(workload);
    }
    workload->hash = image_set_hash(&workload->image, &workload->set);
    return status_ok();
}

/* === Keypoints ================================================================================ */

/* From 0 to 1. */
static float next_share(uint32_t *state) {
    return (float)next_number(state) / (float)0xFFFFFF;
}

/* Half of them inside. */
static float next_place(int32_t side, uint32_t *state) {
    static const float outside[] = {-1e6F, 1e7F, -20, 1e30F};
    const float last = (float)(side - 1);
    const float inside = next_share(state) * last;
    switch (next_number(state) % 12) {
    case 0: return 0;
    case 1: return last;
    case 2: return -0.5F;
    case 3: return last + 0.5F;
    case 4: return last + 10 * next_share(state);
    case 5: return outside[next_number(state) % (sizeof outside / sizeof outside[0])];
    case 6: return (float)(int32_t)inside;
    case 7: return (float)(int32_t)inside + 0.5F;
    default: return inside;
    }
}

/* Patches of 32 pixels where steps are whole: 32 at scale 1. */
static float next_size(uint32_t *state) {
    static const float odd[] = {0, 1e-30F, 0.01F, 1, 32, 64, 1000, 1e5F, 1e30F};
    const uint32_t choice = next_number(state) % 20;
    return choice < sizeof odd / sizeof odd[0] ? odd[choice] : 3 + 60 * next_share(state);
}

static float next_angle(uint32_t *state) {
    static const float odd[] = {-1, 0, 45, 90, 180, 270, 359.99F, 360};
    const uint32_t choice = next_number(state) % 16;
    return choice < sizeof odd / sizeof odd[0] ? odd[choice] : 360 * next_share(state);
}

/* Inside, on the border and far outside; of no size to one that overflows whole numbers; with and
 * without a direction. */
static void fill_keypoints(const Image *image, KeypointList *list) {
    uint32_t random = (uint32_t)(image->width * 31 + image->height);
    for (int32_t i = 0; i < list->count; i++) {
        Keypoint *keypoint = &list->keypoints[i];
        keypoint->x = next_place(image->width, &random);
        keypoint->y = next_place(image->height, &random);
        keypoint->size = next_size(&random);
        keypoint->angle = next_angle(&random);
    }
}

static Status create_keypoints(CaseShape shape, CaseContent content, size_t padding,
                               Workload *workload) {
    const int32_t count = shape.count > 0 ? shape.count : CASE_KEYPOINTS;
    STATUS_TRY(create_image(shape.width, shape.height, content, padding, workload));
    workload->keypoints = (KeypointList){.keypoints = malloc((size_t)count * sizeof(Keypoint)),
                                         .count = count,
                                         .scale = 1,
                                         .wanted = count};
    STATUS_MEMORY(workload->keypoints.keypoints, "for %d keypoints", (int)count);
    fill_keypoints(&workload->image, &workload->keypoints);
    return weights_load("random", 1, &workload->weights);
}

/* === Descriptors ============================================================================== */

/* What row `y` has at byte `x`; the rows of the second set follow those of the first. Ties: each
 * row is one of three. Near: rows of the second are rows of the first with a few bits flipped.
 * Extreme: 0 in one set and 255 in the other. */
static uint8_t byte_at(const Workload *workload, CaseContent content, int32_t x, int32_t y,
                       uint32_t *random) {
    const int32_t queries = workload->queries;
    const uint8_t *pixels = workload->image.pixels;
    const uint32_t drawn = next_byte(random);
    if (content == CASE_TIES) {
        return (uint8_t)((y * 7 % 5 % 3 + 1) * (x + 3));
    }
    if (content == CASE_NEAR && y >= queries && queries > 0) {
        const int32_t twin = (y - queries) * 5 % queries;
        const uint8_t flipped = drawn < 40 ? (uint8_t)(1U << (drawn % 8)) : 0;
        return pixels[(size_t)twin * workload->image.stride + (size_t)x] ^ flipped;
    }
    if (content == CASE_EXTREME) {
        return (y >= queries) == (y % 4 == 0) ? 0 : 255;
    }
    return (uint8_t)drawn;
}

static Status create_descriptors(CaseShape shape, CaseContent content, size_t padding,
                                 Workload *workload) {
    const int32_t rows = shape.count + shape.height;
    uint32_t random = (uint32_t)(shape.count * 7919 + shape.height);
    STATUS_TRY(create_image(shape.width, rows, CASE_ZERO, padding, workload));
    workload->queries = shape.count;
    workload->keypoints.wanted = CASE_DESCRIPTORS_WANTED;
    for (int32_t y = 0; y < rows; y++) {
        for (int32_t x = 0; x < shape.width; x++) {
            workload->image.pixels[(size_t)y * workload->image.stride + (size_t)x] =
                byte_at(workload, content, x, y, &random);
        }
    }
    return status_ok();
}

/* === Cases ==================================================================================== */

static void case_shape_text(WorkloadKind kind, CaseShape shape, char *text, size_t size) {
    if (kind == WORKLOAD_IMAGE_SET) {
        snprintf(text, size, "%dx%dx%d", shape.count, shape.width, shape.height);
    } else if (kind == WORKLOAD_DESCRIPTORS) {
        snprintf(text, size, "%d+%dx%d", shape.count, shape.height, shape.width);
    } else {
        snprintf(text, size, "%dx%d", shape.width, shape.height);
    }
}

static Status create(const Algorithm *algorithm, CaseShape shape, CaseContent content,
                     size_t padding, Workload *workload) {
    if (algorithm->element != OUTPUT_IMAGE_U8 || algorithm->pair) {
        return create_elements(algorithm, shape, content, workload);
    }
    switch (algorithm->input) {
    case WORKLOAD_IMAGE_SET: return create_set(shape, content, workload);
    case WORKLOAD_DESCRIPTORS: return create_descriptors(shape, content, padding, workload);
    case WORKLOAD_KEYPOINTS: return create_keypoints(shape, content, padding, workload);
    default: return create_image(shape.width, shape.height, content, padding, workload);
    }
}

Status case_create(const Algorithm *algorithm, CaseShape shape, CaseContent content, size_t padding,
                   Workload *workload) {
    *workload = (Workload){.struct_bytes = sizeof(Workload), .kind = algorithm->input};
    snprintf(workload->input, sizeof workload->input, "%s", case_content_names[content]);
    case_shape_text(workload->kind, shape, workload->size_name, sizeof workload->size_name);
    const Status status = create(algorithm, shape, content, padding, workload);
    if (!status_is_ok(&status)) {
        case_release(workload);
    }
    return status;
}

void case_release(Workload *workload) {
    free(workload->image.pixels);
    free(workload->second.pixels);
    free(workload->set.labels);
    free(workload->keypoints.keypoints);
    weights_release(&workload->weights);
    *workload = (Workload){.struct_bytes = sizeof(Workload), .kind = workload->kind};
}
