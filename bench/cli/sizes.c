/* Sizes of image sets. */

#include "cli_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "image_sets.h"

const char set_images_default[] = "1000";

static Status parse_images(const char *word, int32_t *images) {
    uint64_t number = 0;
    if (strcasecmp(word, "all") != 0) {
        const Status status = parse_count(word, 1, INT32_MAX, &number);
        if (!status_is_ok(&status)) {
            return status_make(STATUS_USAGE,
                               "--images: '%.40s' is no number of images; write whole numbers "
                               "from 1 on such as 1000, or all",
                               word);
        }
    }
    *images = (int32_t)number;
    return status_ok();
}

/* "28" is 28x28. */
static Status parse_side(const char *word, SizeSpec *size) {
    char first[LIST_WORD_SIZE];
    const size_t length = strcspn(word, "xX");
    const char *second = word[length] != '\0' ? word + length + 1 : word;
    snprintf(first, sizeof first, "%.*s", (int)length, word);
    uint64_t width;
    uint64_t height;
    const Status across = parse_count(first, 1, IMAGE_SET_SIDE_MAX, &width);
    const Status down = parse_count(second, 1, IMAGE_SET_SIDE_MAX, &height);
    if (!status_is_ok(&across) || !status_is_ok(&down)) {
        return status_make(STATUS_USAGE,
                           "--side: '%.40s' is no size of images in a set; write sides from 1 to "
                           "%d, such as 28 or 24x32",
                           word, IMAGE_SET_SIDE_MAX);
    }
    size->width = (int32_t)width;
    size->height = (int32_t)height;
    return status_ok();
}

static void name_size(SizeSpec *size) {
    char count[16] = "all";
    if (size->images != 0) {
        snprintf(count, sizeof count, "%" PRId32, size->images);
    }
    snprintf(size->name, sizeof size->name, "%s", count);
    if (size->width != 0) {
        snprintf(size->name, sizeof size->name, "%sx%" PRId32 "x%" PRId32, count, size->width,
                 size->height);
    }
}

static Status add(SizeSpec *size, SizeSpec sizes[OPTIONS_SIZES_MAX], size_t *count) {
    name_size(size);
    for (size_t i = 0; i < *count; i++) {
        if (strcmp(sizes[i].name, size->name) == 0) {
            return status_ok();
        }
    }
    if (*count == OPTIONS_SIZES_MAX) {
        return status_make(STATUS_USAGE, "--images: more than %d sizes of sets; write fewer",
                           OPTIONS_SIZES_MAX);
    }
    sizes[(*count)++] = *size;
    return status_ok();
}

static Status next_word(const char *flag, const char **list, char word[LIST_WORD_SIZE]) {
    const Status status = list_next(list, word);
    return status_is_ok(&status) ? status
                                 : status_make(status.code, "--%s: %.300s", flag, status.why);
}

static Status add_sides(const char *sides, SizeSpec *size, SizeSpec sizes[OPTIONS_SIZES_MAX],
                        size_t *count) {
    if (sides == NULL) {
        return add(size, sizes, count);
    }
    while (sides != NULL) {
        char word[LIST_WORD_SIZE];
        STATUS_TRY(next_word("side", &sides, word));
        STATUS_TRY(parse_side(word, size));
        STATUS_TRY(add(size, sizes, count));
    }
    return status_ok();
}

Status set_sizes_parse(const char *images, const char *sides, SizeSpec sizes[OPTIONS_SIZES_MAX],
                       size_t *count) {
    *count = 0;
    while (images != NULL) {
        char word[LIST_WORD_SIZE];
        SizeSpec size = {.name = ""};
        STATUS_TRY(next_word("images", &images, word));
        STATUS_TRY(parse_images(word, &size.images));
        STATUS_TRY(add_sides(sides, &size, sizes, count));
    }
    return status_ok();
}
