#include "sizes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "datasets.h"
#include "suggest.h"
#include "text_list.h"

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
    uint64_t width;
    uint64_t height;
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

static bool same_size(const SizeSpec *left, const SizeSpec *right) {
    return left->width == right->width && left->height == right->height;
}

static Status sizes_add(SizeSpec sizes[OPTIONS_SIZES_MAX], size_t *count, const SizeSpec *size) {
    for (size_t i = 0; i < *count; i++) {
        if (same_size(&sizes[i], size)) {
            return status_ok();
        }
    }
    if (*count == OPTIONS_SIZES_MAX) {
        return status_make(STATUS_USAGE, "more than %d sizes; write fewer", OPTIONS_SIZES_MAX);
    }
    sizes[(*count)++] = *size;
    return status_ok();
}

Status sizes_parse(const char *list, SizeSpec sizes[OPTIONS_SIZES_MAX], size_t *count) {
    *count = 0;
    while (list != NULL) {
        char word[LIST_WORD_SIZE];
        STATUS_TRY(list_next(&list, word));
        if (strcasecmp(word, "all") != 0) {
            SizeSpec size;
            STATUS_TRY(size_parse(word, &size));
            STATUS_TRY(sizes_add(sizes, count, &size));
            continue;
        }
        for (size_t i = 0; i < named_size_count; i++) {
            if (named_sizes[i].in_all) {
                STATUS_TRY(sizes_add(sizes, count, &named_sizes[i].size));
            }
        }
    }
    return status_ok();
}
