#include "fast9_internal.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"

enum {
    EXACT_CLASSES = 64, /* of the lowest positive scores, one each */
    STEPS_PER_DOUBLING = 32,
    SORTED_BY_INSERTION = 12
};

typedef struct Candidate {
    int64_t score;
    int32_t level, x, y;
} Candidate;

struct Fast9Choice {
    size_t *band_starts;       /* bands + 1: where a band's candidates begin among all */
    int32_t *ranges;           /* threads + 1: classes from the highest on, as counted below */
    size_t *range_starts;      /* threads + 1: where a range begins in order */
    size_t capacity;           /* candidates there is room for */
    Candidate *found, *sorted; /* in order of place; in order of score */
    uint32_t *totals;          /* FAST9_CLASSES: spots of each class */
};

/* Floating-point-style buckets: exact for small scores, then the width doubles. */
static int32_t magnitude_class(uint64_t magnitude) {
    if (magnitude < EXACT_CLASSES) {
        return (int32_t)magnitude;
    }
    const int exponent = 63 - __builtin_clzll(magnitude);
    const int doublings = exponent - 5;
    return doublings * STEPS_PER_DOUBLING + (int32_t)(magnitude >> doublings);
}

int32_t fast9_score_class(int64_t score) {
    const int32_t middle = FAST9_CLASSES / 2;
    return score >= 0 ? middle + magnitude_class((uint64_t)score)
                      : middle - 1 - magnitude_class((uint64_t)(-(score + 1)));
}

static Status take_candidates(Fast9Choice *choice, size_t capacity) {
    void *found = NULL;
    void *sorted = NULL;
    cpu_backend.release(choice->found);
    cpu_backend.release(choice->sorted);
    choice->found = NULL;
    choice->sorted = NULL;
    STATUS_TRY(cpu_backend.alloc(capacity * sizeof(Candidate), &found));
    choice->found = found;
    STATUS_TRY(cpu_backend.alloc(capacity * sizeof(Candidate), &sorted));
    choice->sorted = sorted;
    choice->capacity = capacity;
    return status_ok();
}

enum { FIRST_CAPACITY = 1024 };

Status fast9_choice_open(Fast9Work *work) {
    const size_t threads = (size_t)work->threads;
    Fast9Choice *choice = work->choice = calloc(1, sizeof *choice);
    if (choice == NULL) {
        return status_no_memory("to choose keypoints");
    }
    choice->band_starts = calloc((size_t)work->band_count + 1, sizeof *choice->band_starts);
    choice->ranges = calloc(threads + 1, sizeof *choice->ranges);
    choice->range_starts = calloc(threads + 1, sizeof *choice->range_starts);
    choice->totals = calloc(FAST9_CLASSES, sizeof *choice->totals);
    if (choice->band_starts == NULL || choice->ranges == NULL || choice->range_starts == NULL ||
        choice->totals == NULL) {
        return status_no_memory("to choose keypoints with %d threads", work->threads);
    }
    return take_candidates(choice, FIRST_CAPACITY);
}

void fast9_choice_close(Fast9Choice *choice) {
    if (choice != NULL) {
        free(choice->band_starts);
        free(choice->ranges);
        free(choice->range_starts);
        free(choice->totals);
        cpu_backend.release(choice->found);
        cpu_backend.release(choice->sorted);
        free(choice);
    }
}

static void count_classes(const Fast9Work *work) {
    uint32_t *totals = work->choice->totals;
    memset(totals, 0, FAST9_CLASSES * sizeof *totals);
#pragma omp parallel num_threads(work->threads)
    {
        uint32_t *counts = thread_memory_part(&work->memory, omp_get_thread_num());
        memset(counts, 0, FAST9_CLASSES * sizeof *counts);
#pragma omp for schedule(dynamic, 4)
        for (int32_t i = 0; i < work->band_count; i++) {
            const Fast9Spot *kept = work->kept + work->bands[i].spots;
            for (size_t k = 0; k < work->bands[i].kept; k++) {
                counts[fast9_score_class(kept[k].score)]++;
            }
        }
#pragma omp critical(fast9_count_classes)
        for (int32_t c = 0; c < FAST9_CLASSES; c++) {
            totals[c] += counts[c];
        }
    }
}

/* The lowest class that the strongest `most` reach into; `*count`: spots in it and above. */
static int32_t lowest_class(const Fast9Choice *choice, size_t most, size_t *count) {
    int32_t lowest = FAST9_CLASSES;
    *count = 0;
    while (lowest > 0 && *count < most) {
        *count += choice->totals[--lowest];
    }
    return lowest;
}

/* As many ranges of classes as threads, from the highest class down. A class belongs to the range
 * in whose part of all places its first spot has its place. */
static void cut_ranges(Fast9Work *work, int32_t lowest, size_t count) {
    Fast9Choice *choice = work->choice;
    int32_t class = FAST9_CLASSES;
    size_t start = 0;
    for (int t = 0; t < work->threads; t++) {
        choice->ranges[t] = class;
        choice->range_starts[t] = start;
        const size_t end = count * (size_t)(t + 1) / (size_t)work->threads;
        while (class > lowest && start < end) {
            start += choice->totals[--class];
        }
    }
    choice->ranges[work->threads] = lowest;
    choice->range_starts[work->threads] = count;
}

/* Copies the spots of a band from class `lowest` on, or only counts them where `to` is NULL. */
static size_t take_band(const Fast9Work *work, const Fast9Band *band, int32_t lowest,
                        Candidate *to) {
    const Fast9Spot *kept = work->kept + band->spots;
    size_t count = 0;
    for (size_t k = 0; k < band->kept; k++) {
        if (fast9_score_class(kept[k].score) < lowest) {
            continue;
        }
        if (to != NULL) {
            to[count] = (Candidate){
                .score = kept[k].score, .level = band->level, .x = kept[k].x, .y = kept[k].y};
        }
        count++;
    }
    return count;
}

static void collect(const Fast9Work *work, int32_t lowest) {
    size_t *starts = work->choice->band_starts;
    starts[0] = 0;
#pragma omp parallel num_threads(work->threads)
    {
#pragma omp for schedule(static)
        for (int32_t i = 0; i < work->band_count; i++) {
            starts[i + 1] = take_band(work, &work->bands[i], lowest, NULL);
        }
#pragma omp single
        for (int32_t i = 0; i < work->band_count; i++) {
            starts[i + 1] += starts[i];
        }
#pragma omp for schedule(static)
        for (int32_t i = 0; i < work->band_count; i++) {
            take_band(work, &work->bands[i], lowest, work->choice->found + starts[i]);
        }
    }
}

/* Higher scores first, equal ones in the order in which they are. */
static void sort_by_insertion(Candidate *list, size_t count) {
    for (size_t i = 1; i < count; i++) {
        const Candidate next = list[i];
        size_t at = i;
        for (; at > 0 && list[at - 1].score < next.score; --at) {
            list[at] = list[at - 1];
        }
        list[at] = next;
    }
}

/* The same by merging; `spare` has room for half of the list. */
static void sort_by_score(Candidate *list, size_t count, Candidate *spare) {
    if (count <= SORTED_BY_INSERTION) {
        sort_by_insertion(list, count);
        return;
    }
    const size_t half = count / 2;
    sort_by_score(list, half, spare);
    sort_by_score(list + half, count - half, spare);
    if (list[half - 1].score >= list[half].score) {
        return;
    }
    memcpy(spare, list, half * sizeof *list);
    size_t left = 0;
    size_t right = half;
    for (size_t to = 0; left < half; to++) {
        const bool from_right = right < count && list[right].score > spare[left].score;
        list[to] = from_right ? list[right++] : spare[left++];
    }
}

/* A range of classes in order of place, and then sorted. `found` is where all ranges are collected
 * from, so none may use it as room to sort before all have been. */
static void collect_range(const Fast9Choice *choice, int range, size_t count) {
    const int32_t lowest = choice->ranges[range + 1];
    const int32_t end = choice->ranges[range];
    Candidate *to = choice->sorted + choice->range_starts[range];
    for (size_t i = 0; lowest < end && i < count; i++) {
        const int32_t class = fast9_score_class(choice->found[i].score);
        if (class >= lowest && class < end) {
            *to++ = choice->found[i];
        }
    }
}

static void sort_range(const Fast9Choice *choice, int range) {
    const size_t start = choice->range_starts[range];
    const size_t count = choice->range_starts[range + 1] - start;
    sort_by_score(choice->sorted + start, count, choice->found + start);
}

static Fast9Keypoint keypoint(const Fast9Work *work, const Candidate *candidate) {
    const Image level = fast9_work_level(work, candidate->level);
    Fast9Keypoint made = {
        .level = (uint64_t)candidate->level,
        .x = (uint64_t)candidate->x,
        .y = (uint64_t)candidate->y,
        .score = candidate->score,
    };
    const uint8_t *pixel = image_row(&level, candidate->y) + candidate->x;
    fast9_moments_quick(pixel, level.stride, &made.m10, &made.m01);
    return made;
}

/* Keypoints lie far from each other: the next one's disc is on its way while one is summed. */
static void fetch_disc(const Fast9Work *work, const Candidate *candidate) {
    const Image level = fast9_work_level(work, candidate->level);
    const uint8_t *row = image_row(&level, candidate->y - FAST9_DISC_RADIUS) + candidate->x;
    for (int y = -FAST9_DISC_RADIUS; y <= FAST9_DISC_RADIUS; y++, row += level.stride) {
        __builtin_prefetch(row - FAST9_DISC_RADIUS);
        __builtin_prefetch(row + FAST9_DISC_RADIUS);
    }
}

/* Sorts `count` candidates and writes the first `used` of them, and rows of 0 behind. */
static void write_answer(const Fast9Work *work, size_t count, size_t used) {
    const Fast9Choice *choice = work->choice;
    Fast9Keypoint *keypoints = fast9_keypoints(work->output);
#pragma omp parallel num_threads(work->threads)
    {
#pragma omp for schedule(static)
        for (int range = 0; range < work->threads; range++) {
            collect_range(choice, range, count);
        }
#pragma omp for schedule(static)
        for (int range = 0; range < work->threads; range++) {
            sort_range(choice, range);
        }
#pragma omp for schedule(static) nowait
        for (size_t i = 0; i < used; i++) {
            if (i + 1 < used) {
                fetch_disc(work, &choice->sorted[i + 1]);
            }
            keypoints[i] = keypoint(work, &choice->sorted[i]);
        }
#pragma omp for schedule(static) nowait
        for (size_t i = used; i < (size_t)work->point.max_keypoints; i++) {
            keypoints[i] = (Fast9Keypoint){.level = 0};
        }
    }
    *fast9_count(work->output) = used;
}

Status fast9_choice_make(Fast9Work *work) {
    const size_t most = (size_t)work->point.max_keypoints;
    size_t count = 0;
    count_classes(work);
    const int32_t lowest = lowest_class(work->choice, most, &count);
    if (count > work->choice->capacity) {
        STATUS_TRY(take_candidates(work->choice, count));
    }
    cut_ranges(work, lowest, count);
    collect(work, lowest);
    write_answer(work, count, count < most ? count : most);
    return status_ok();
}
