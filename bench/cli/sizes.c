#include "sizes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "datasets.h"
#include "suggest.h"
#include "text_list.h"

const NamedSize named_sizes[] = {
    {.size = {"360p", 480, 360, 0}, .in_all = true},
    {.size = {"480p", 640, 480, 0}, .in_all = true},
    {.size = {"720p", 1280, 720, 0}, .in_all = true},
    {.size = {"1080p", 1920, 1080, 0}, .in_all = true},
    {.size = {"4K", 3840, 2160, 0}, .in_all = true},
    {.size = {"8K", 7680, 4320, 0}, .in_all = true},
    {.size = {"16K", 15360, 8640, 0}, .in_all = true},
    {.size = {"32K", 30720, 17280, 0}, .in_all = false},
    {.size = {"512", 512, 512, 0}, .in_all = false},
    {.size = {"1024", 1024, 1024, 0}, .in_all = false},
    {.size = {"2048", 2048, 2048, 0}, .in_all = false},
    {.size = {"4096", 4096, 4096, 0}, .in_all = false},
    {.size = {"8192", 8192, 8192, 0}, .in_all = false},
    {.size = {"native", 0, 0, 0}, .in_all = false},
};
const size_t named_size_count = sizeof named_sizes / sizeof named_sizes[0];

static bool is_digit(char letter) {
    return letter >= '0' && letter <= '9';
}

/* Reads digits; saturates instead of overflowing, so that the limit below still judges them. */
static const char *read_side(const char *text, uint64_t *side) {
    const uint64_t too_large = (uint64_t)IMAGE_SIDE_MAX + 1;
    *side = 0;
    while (is_digit(*text)) {
        *side = *side * 10 + (uint64_t)(*text++ - '0');
        *side = *side > too_large ? too_large : *side;
    }
    return text;
}

/* False when the text is not digits, an x and digits. */
static bool read_pair(const char *text, uint64_t *width, uint64_t *height) {
    const char *cross = read_side(text, width);
    if (cross == text || (*cross != 'x' && *cross != 'X')) {
        return false;
    }
    const char *end = read_side(cross + 1, height);
    return end != cross + 1 && *end == '\0';
}

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
    Suggestion suggestion = suggest_start(text);
    for (size_t i = 0; i < named_size_count; i++) {
        if (strcasecmp(text, named_sizes[i].size.name) == 0) {
            *size = named_sizes[i].size;
            return status_ok();
        }
        suggest_offer(&suggestion, named_sizes[i].size.name);
    }
    uint64_t width;
    uint64_t height;
    if (read_pair(text, &width, &height)) {
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
