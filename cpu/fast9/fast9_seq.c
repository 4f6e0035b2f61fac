/* fast9 as plainly as it is defined, on one thread. */
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "fast9.h"
#include "fast9_internal.h"

VARIANT_FUNCTIONS(fast9_seq);
VARIANT_EXTERN Status fast9_seq_pyramid(void *state);
VARIANT_EXTERN Status fast9_seq_corners(void *state);
VARIANT_EXTERN Status fast9_seq_suppress(void *state);
VARIANT_EXTERN Status fast9_seq_select(void *state);

/* Of a score map; no Harris score is as low. */
#define NO_CORNER INT64_MIN

enum { FIRST_CAPACITY = 4096 };

typedef struct SeqState {
    const Image *image;
    Fast9Point point;
    const Output *output;
    Fast9Levels levels;
    uint8_t *pyramid;       /* as levels.offset says; level 0 is not copied there */
    int64_t *scores;        /* of one level */
    Fast9Keypoint *corners; /* in order of level, y, x */
    size_t count, capacity;
} SeqState;

static Image level_image(const SeqState *seq, int32_t level) {
    if (level == 0) {
        return *seq->image;
    }
    return (Image){
        .width = seq->levels.width[level],
        .height = seq->levels.height[level],
        .stride = (size_t)seq->levels.width[level],
        .pixels = seq->pyramid + seq->levels.offset[level],
    };
}

static Status allocate(size_t bytes, void *member) {
    void *memory = NULL;
    STATUS_TRY(cpu_backend.alloc(bytes, &memory));
    memcpy(member, &memory, sizeof memory);
    return status_ok();
}

static Status prepare(const Request *request, SeqState *seq) {
    const Image *image = &request->workload->image;
    *seq = (SeqState){
        .image = image, .point = fast9_point(request->answer), .output = request->output};
    seq->levels = fast9_levels(image->width, image->height, seq->point.levels);
    STATUS_TRY(allocate(seq->levels.pixels + 1, &seq->pyramid));
    STATUS_TRY(allocate(image_pixel_count(image) * sizeof *seq->scores, &seq->scores));
    STATUS_TRY(allocate(FIRST_CAPACITY * sizeof *seq->corners, &seq->corners));
    seq->capacity = FIRST_CAPACITY;
    return status_ok();
}

Status fast9_seq_open(const Request *request, void **state) {
    SeqState *seq = malloc(sizeof *seq);
    if (seq == NULL) {
        return status_no_memory("for the state of fast/seq");
    }
    const Status status = prepare(request, seq);
    if (!status_is_ok(&status)) {
        fast9_seq_close(seq);
        return status;
    }
    *state = seq;
    return status_ok();
}

static uint8_t sample(const Image *from, int32_t place_x, int32_t place_y) {
    const int32_t x = place_x >> 8;
    const int32_t y = place_y >> 8;
    const int32_t right = x + 1 < from->width ? x + 1 : x;
    const uint8_t *top = image_row(from, y);
    const uint8_t *bottom = image_row(from, y + 1 < from->height ? y + 1 : y);
    return fast9_blend(top[x], top[right], bottom[x], bottom[right], place_x & 255, place_y & 255);
}

Status fast9_seq_pyramid(void *state) {
    const SeqState *seq = state;
    for (int32_t l = 1; l < seq->levels.count; l++) {
        const Image from = level_image(seq, l - 1);
        const Image to = level_image(seq, l);
        for (int32_t y = 0; y < to.height; y++) {
            const int32_t place_y = fast9_sample_place(y, from.height, to.height);
            for (int32_t x = 0; x < to.width; x++) {
                const int32_t place_x = fast9_sample_place(x, from.width, to.width);
                to.pixels[(size_t)y * to.stride + (size_t)x] = sample(&from, place_x, place_y);
            }
        }
    }
    return status_ok();
}

static Status add_corner(SeqState *seq, Fast9Keypoint corner) {
    if (seq->count == seq->capacity) {
        Fast9Keypoint *longer = NULL;
        STATUS_TRY(allocate(2 * seq->capacity * sizeof *longer, &longer));
        memcpy(longer, seq->corners, seq->count * sizeof *longer);
        cpu_backend.release(seq->corners);
        seq->corners = longer;
        seq->capacity *= 2;
    }
    seq->corners[seq->count++] = corner;
    return status_ok();
}

static Status find_corners(SeqState *seq, int32_t level) {
    const Image image = level_image(seq, level);
    for (int32_t y = FAST9_BORDER; y < image.height - FAST9_BORDER; y++) {
        for (int32_t x = FAST9_BORDER; x < image.width - FAST9_BORDER; x++) {
            const uint8_t *pixel = image_row(&image, y) + x;
            if (fast9_is_corner(pixel, image.stride, seq->point.corner_threshold)) {
                const int64_t score = seq->point.score == FAST9_SCORE_FAST
                                          ? fast9_score(pixel, image.stride)
                                          : fast9_harris(pixel, image.stride);
                STATUS_TRY(add_corner(seq, (Fast9Keypoint){.level = (uint64_t)level,
                                                           .x = (uint64_t)x,
                                                           .y = (uint64_t)y,
                                                           .score = score}));
            }
        }
    }
    return status_ok();
}

Status fast9_seq_corners(void *state) {
    SeqState *seq = state;
    seq->count = 0;
    for (int32_t l = 0; l < seq->levels.count; l++) {
        STATUS_TRY(find_corners(seq, l));
    }
    return status_ok();
}

/* Corners are no nearer to an edge than FAST9_RADIUS_MAX. */
static bool stays(const SeqState *seq, const Fast9Keypoint *corner, int32_t width) {
    const int32_t radius = seq->point.radius;
    const int64_t *at = seq->scores + corner->y * (uint64_t)width + corner->x;
    for (int32_t y = -radius; y <= radius; y++) {
        for (int32_t x = -radius; x <= radius; x++) {
            const int64_t other = at[(ptrdiff_t)y * width + x];
            const bool earlier = y < 0 || (y == 0 && x < 0);
            if (other > corner->score || (other == corner->score && earlier)) {
                return false;
            }
        }
    }
    return true;
}

/* Corners first … end - 1 are those of a level; the ones that stay go to `kept` and behind it. */
static size_t suppress_level(SeqState *seq, int32_t level, size_t first, size_t end, size_t kept) {
    const int32_t width = seq->levels.width[level];
    const size_t pixels = (size_t)width * (size_t)seq->levels.height[level];
    for (size_t i = 0; i < pixels; i++) {
        seq->scores[i] = NO_CORNER;
    }
    for (size_t i = first; i < end; i++) {
        const Fast9Keypoint *corner = &seq->corners[i];
        seq->scores[corner->y * (uint64_t)width + corner->x] = corner->score;
    }
    for (size_t i = first; i < end; i++) {
        if (stays(seq, &seq->corners[i], width)) {
            seq->corners[kept++] = seq->corners[i];
        }
    }
    return kept;
}

Status fast9_seq_suppress(void *state) {
    SeqState *seq = state;
    size_t first = 0;
    size_t kept = 0;
    for (int32_t l = 0; l < seq->levels.count; l++) {
        size_t end = first;
        while (end < seq->count && seq->corners[end].level == (uint64_t)l) {
            end++;
        }
        kept = suppress_level(seq, l, first, end, kept);
        first = end;
    }
    seq->count = kept;
    return status_ok();
}

static int compare_keypoints(const void *a, const void *b) {
    return fast9_comes_before(a, b) ? -1 : fast9_comes_before(b, a) ? 1 : 0;
}

Status fast9_seq_select(void *state) {
    SeqState *seq = state;
    const size_t most = (size_t)seq->point.max_keypoints;
    const size_t count = seq->count < most ? seq->count : most;
    Fast9Keypoint *keypoints = fast9_keypoints(seq->output);
    qsort(seq->corners, seq->count, sizeof *seq->corners, compare_keypoints);
    for (size_t i = 0; i < count; i++) {
        keypoints[i] = seq->corners[i];
        const Image image = level_image(seq, (int32_t)keypoints[i].level);
        fast9_moments(image_row(&image, (int32_t)keypoints[i].y) + keypoints[i].x, image.stride,
                      &keypoints[i].m10, &keypoints[i].m01);
    }
    memset(keypoints + count, 0, (most - count) * sizeof *keypoints);
    *fast9_count(seq->output) = count;
    return status_ok();
}

Status fast9_seq_run(void *state) {
    STATUS_TRY(fast9_seq_pyramid(state));
    STATUS_TRY(fast9_seq_corners(state));
    STATUS_TRY(fast9_seq_suppress(state));
    return fast9_seq_select(state);
}

void fast9_seq_close(void *state) {
    SeqState *seq = state;
    if (seq != NULL) {
        cpu_backend.release(seq->pyramid);
        cpu_backend.release(seq->scores);
        cpu_backend.release(seq->corners);
        free(seq);
    }
}
