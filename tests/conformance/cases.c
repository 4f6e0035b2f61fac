#include "cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets.h"

/* In order of size: the quick set is the first QUICK_SHAPES of them. */
static const Shape all_shapes[] = {
    {1, 1},     {1, 2},     {2, 1},      {2, 2},     {3, 3},     {1, 17},      {17, 1},
    {1, 64},    {64, 1},    {3, 5},      {4, 4},     {5, 4},     {7, 7},       {8, 8},
    {9, 7},     {15, 3},    {16, 2},     {17, 3},    {31, 31},   {32, 32},     {33, 33},
    {63, 5},    {64, 64},   {65, 3},     {127, 2},   {128, 3},   {129, 9},     {47, 53},
    {97, 13},   {5, 200},   {257, 3},    {511, 2},   {512, 5},   {513, 4},     {1021, 61},
    {61, 1021}, {640, 480}, {1031, 769}, {4099, 37}, {16, 4097}, {2050, 1501},
};
enum { QUICK_SHAPES = 34, ALL_SHAPES = sizeof all_shapes / sizeof all_shapes[0] };

size_t case_shapes(bool quick, const Shape **shapes) {
    *shapes = all_shapes;
    return quick ? QUICK_SHAPES : ALL_SHAPES;
}

const char *case_content_name(CaseContent content) {
    static const char *const names[CONTENT_COUNT] = {"zero",  "seven",   "full",   "ramp",
                                                     "noise", "extreme", "texture"};
    return names[content];
}

static uint32_t next_random(uint32_t *state) {
    *state = *state * 1664525U + 1013904223U;
    return *state >> 24;
}

static uint8_t pixel(CaseContent content, int32_t x, int32_t y, uint32_t *random) {
    switch (content) {
    case CONTENT_ZERO: return 0;
    case CONTENT_SEVEN: return 7;
    case CONTENT_FULL: return 255;
    case CONTENT_RAMP: return (uint8_t)(3 * x + 5 * y);
    case CONTENT_NOISE: return (uint8_t)next_random(random);
    case CONTENT_EXTREME: return next_random(random) < 128 ? 0 : 255;
    case CONTENT_TEXTURE:
    case CONTENT_COUNT: break;
    }
    return 0;
}

static bool fill_with_texture(Image *image) {
    Image texture = {0};
    const Status status = synthetic_image("texture", image->width, image->height, 1, &texture);
    for (int32_t y = 0; status_is_ok(&status) && y < image->height; y++) {
        memcpy(image->pixels + (size_t)y * image->stride, image_row(&texture, y),
               (size_t)image->width);
    }
    image_free(&texture);
    return status_is_ok(&status);
}

static void fill_by_pixel(Image *image, CaseContent content) {
    uint32_t random = (uint32_t)(image->width * 7919 + image->height);
    for (int32_t y = 0; y < image->height; y++) {
        for (int32_t x = 0; x < image->width; x++) {
            image->pixels[(size_t)y * image->stride + (size_t)x] = pixel(content, x, y, &random);
        }
    }
}

bool case_create(Shape shape, CaseContent content, size_t padding, Workload *workload) {
    Image image = {
        .width = shape.width, .height = shape.height, .stride = (size_t)shape.width + padding};
    image.pixels = malloc(image.stride * (size_t)shape.height);
    if (image.pixels == NULL) {
        return false;
    }
    memset(image.pixels, 0x99, image.stride * (size_t)shape.height);
    if (content != CONTENT_TEXTURE) {
        fill_by_pixel(&image, content);
    } else if (!fill_with_texture(&image)) {
        free(image.pixels);
        return false;
    }
    *workload = (Workload){.kind = WORKLOAD_IMAGE, .image = image};
    snprintf(workload->input, sizeof workload->input, "%s", case_content_name(content));
    snprintf(workload->size_name, sizeof workload->size_name, "%dx%d", shape.width, shape.height);
    return true;
}

void case_release(Workload *workload) {
    free(workload->image.pixels);
    workload->image.pixels = NULL;
}
