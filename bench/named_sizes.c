#include "named_sizes.h"

#include <strings.h>

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

const SizeSpec *named_size_find(const char *name) {
    for (size_t i = 0; i < named_size_count; i++) {
        if (strcasecmp(name, named_sizes[i].size.name) == 0) {
            return &named_sizes[i].size;
        }
    }
    return NULL;
}

static bool is_digit(char letter) {
    return letter >= '0' && letter <= '9';
}

/* Reads digits; saturates instead of overflowing. */
static const char *read_side(const char *text, uint64_t *side) {
    const uint64_t most = UINT32_MAX;
    *side = 0;
    while (is_digit(*text)) {
        *side = *side * 10 + (uint64_t)(*text++ - '0');
        *side = *side > most ? most : *side;
    }
    return text;
}

bool size_sides_read(const char *text, uint64_t *width, uint64_t *height) {
    const char *cross = read_side(text, width);
    if (cross == text || (*cross != 'x' && *cross != 'X')) {
        return false;
    }
    const char *end = read_side(cross + 1, height);
    return end != cross + 1 && *end == '\0';
}
