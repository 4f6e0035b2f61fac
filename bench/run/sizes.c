/* Sizes as texts: of images, and of image sets. */

#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "datasets.h"
#include "image_sets.h"
#include "inputs.h"
#include "run.h"
#include "run_options.h"
#include "text.h"

/* === One size ================================================================================= */

static Status pair_check(const char *text, uint64_t width, uint64_t height, SizeSpec *size) {
    if (width == 0 || height == 0) {
        return status_make(STATUS_USAGE,
                           "'%.40s' has no pixels; write sides of at least 1, such as 640x480",
                           text);
    }
    if (width > (uint64_t)IMAGE_SIDE_MAX || height > (uint64_t)IMAGE_SIDE_MAX) {
        return status_make(STATUS_USAGE, "'%.40s' is too large; write sides of at most %" PRId32,
                           text, IMAGE_SIDE_MAX);
    }
    if (width * height > IMAGE_PIXELS_MAX) {
        return status_make(STATUS_USAGE, "'%.40s' is too large; write at most %" PRIu64 " pixels",
                           text, IMAGE_PIXELS_MAX);
    }
    *size = (SizeSpec){.width = (int32_t)width, .height = (int32_t)height};
    snprintf(size->name, sizeof size->name, "%" PRId32 "x%" PRId32, size->width, size->height);
    return status_ok();
}

Status size_of_sides(uint64_t width, uint64_t height, SizeSpec *size) {
    char text[WORKLOAD_SIZE_NAME_SIZE];
    snprintf(text, sizeof text, "%" PRIu64 "x%" PRIu64, width, height);
    return pair_check(text, width, height, size);
}

Status size_parse(const char *text, SizeSpec *size) {
    const SizeSpec *named = named_size_find(text);
    if (named != NULL) {
        *size = *named;
        return status_ok();
    }
    Suggestion suggestion = suggest_start(text);
    for (size_t i = 0; i < named_size_count; i++) {
        suggest_offer(&suggestion, named_sizes[i].size.name);
    }
    uint64_t width, height;
    if (size_sides_read(text, &width, &height)) {
        return pair_check(text, width, height, size);
    }
    /* Between numbers and crosses every name is near; a suggestion helps only with words. */
    char nearest[SUGGEST_TEXT_SIZE] = "";
    if (strpbrk(text, "xX") == NULL) {
        suggest_text(&suggestion, nearest);
    }
    return status_make(STATUS_USAGE,
                       "'%.40s' is no size%s%s write a name such as 1080p, 4K or 512, WxH such as "
                       "640x480, native or all",
                       text, nearest, nearest[0] == '\0' ? ";" : "");
}

/* "28" is 28x28. */
static Status side_parse(const char *text, SizeSpec *size) {
    uint64_t width = 0, height = 0;
    if (!size_sides_read(text, &width, &height)) {
        const Status square = parse_count(text, 1, IMAGE_SET_SIDE_MAX, &width);
        height = status_is_ok(&square) ? width : 0;
    }
    if (width < 1 || width > IMAGE_SET_SIDE_MAX || height < 1 || height > IMAGE_SET_SIDE_MAX) {
        return status_make(STATUS_USAGE,
                           "'%.40s' is no size of images in a set; write sides from 1 to %d, such "
                           "as 28 or 24x32",
                           text, IMAGE_SET_SIDE_MAX);
    }
    size->width = (int32_t)width;
    size->height = (int32_t)height;
    return status_ok();
}

Status set_images_parse(const char *text, int32_t *images) {
    uint64_t number = 0;
    if (strcasecmp(text, "all") != 0) {
        const Status status = parse_count(text, 1, INT32_MAX, &number);
        if (!status_is_ok(&status)) {
            return status_make(STATUS_USAGE,
                               "'%.40s' is no number of images; write whole numbers from 1 on "
                               "such as 1000, or all",
                               text);
        }
    }
    *images = (int32_t)number;
    return status_ok();
}

static void name_set(SizeSpec *size) {
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

SizeSpec set_size_of(const SizeSpec *size, int32_t images) {
    SizeSpec of = *size;
    const char *sides = strchr(size->name, 'x'); /* only those that were given are named */
    of.images = images;
    snprintf(of.name, sizeof of.name, "%" PRId32 "%.20s", images, sides != NULL ? sides : "");
    return of;
}

/* === Lists ==================================================================================== */

static bool same_size(const SizeSpec *left, const SizeSpec *right) {
    return left->width == right->width && left->height == right->height &&
           left->images == right->images;
}

/* `of_what` is "" or " of sets". */
static Status sizes_add(SizeSpec sizes[OPTIONS_SIZES_MAX], size_t *count, const SizeSpec *size,
                        const char *of_what) {
    for (size_t i = 0; i < *count; i++) {
        if (same_size(&sizes[i], size)) {
            return status_ok();
        }
    }
    if (*count == OPTIONS_SIZES_MAX) {
        return status_make(STATUS_USAGE, "more than %d sizes%s; write fewer", OPTIONS_SIZES_MAX,
                           of_what);
    }
    sizes[(*count)++] = *size;
    return status_ok();
}

Status sizes_add_named(const char *name, SizeSpec sizes[OPTIONS_SIZES_MAX], size_t *count) {
    SizeSpec size;
    STATUS_TRY(size_parse(name, &size));
    return sizes_add(sizes, count, &size, "");
}

Status sizes_parse(const char *list, SizeSpec sizes[OPTIONS_SIZES_MAX], size_t *count) {
    *count = 0;
    while (list != NULL) {
        char word[LIST_WORD_SIZE];
        STATUS_TRY(list_next(&list, word));
        if (strcasecmp(word, "all") != 0) {
            STATUS_TRY(sizes_add_named(word, sizes, count));
            continue;
        }
        for (size_t i = 0; i < named_size_count; i++) {
            if (named_sizes[i].in_all) {
                STATUS_TRY(sizes_add(sizes, count, &named_sizes[i].size, ""));
            }
        }
    }
    return status_ok();
}

static bool are_all_named(const SizeSpec *sizes, size_t count) {
    size_t all = 0;
    for (size_t i = 0; i < named_size_count; i++) {
        if (named_sizes[i].in_all) {
            if (all >= count || !same_size(&sizes[all], &named_sizes[i].size)) {
                return false;
            }
            all++;
        }
    }
    return all == count;
}

void sizes_print(const SizeSpec *sizes, size_t count, FILE *stream) {
    if (are_all_named(sizes, count)) {
        fputs("all", stream);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        fprintf(stream, "%s%s", i > 0 ? "," : "", sizes[i].name);
    }
}

static Status of_option(const char *option, const Status *status) {
    return status_is_ok(status) ? *status
                                : status_make(status->code, "--%s: %.400s", option, status->why);
}

static Status next_images(const char **images, int32_t *number) {
    char word[LIST_WORD_SIZE];
    STATUS_TRY(list_next(images, word));
    return set_images_parse(word, number);
}

static Status next_side(const char **sides, SizeSpec *size) {
    char word[LIST_WORD_SIZE];
    STATUS_TRY(list_next(sides, word));
    return side_parse(word, size);
}

Status set_sizes_parse(const char *images, const char *sides, SizeSpec sizes[OPTIONS_SIZES_MAX],
                       size_t *count) {
    *count = 0;
    while (images != NULL) {
        SizeSpec size = {.name = ""};
        const char *rest = sides;
        Status status = next_images(&images, &size.images);
        STATUS_TRY(of_option("images", &status));
        do {
            status = rest != NULL ? next_side(&rest, &size) : status_ok();
            STATUS_TRY(of_option("side", &status));
            name_set(&size);
            status = sizes_add(sizes, count, &size, " of sets");
            STATUS_TRY(of_option("images", &status));
        } while (rest != NULL);
    }
    return status_ok();
}
