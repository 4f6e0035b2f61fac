#include "fast9_internal.h"

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
    size_t *band_starts;    /* bands + 1: how many spots the bands before have */
    size_t *share_totals;   /* threads: spots of a share of the classes */
    uint32_t *totals;       /* FAST9_CLASSES: spots of a class */
    size_t *class_starts;   /* FAST9_CLASSES: how many spots the higher classes have */
    int32_t lowest;         /* the lowest class that the strongest reach into */
    size_t count;           /* candidates: spots of that class and the higher ones */
    size_t capacity;        /* candidates there is room for */
    Candidate *list, *room; /* candidates in order; room to sort them */
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
    void *list = NULL;
    void *room = NULL;
    cpu_backend.release(choice->list);
    cpu_backend.release(choice->room);
    choice->list = NULL;
    choice->room = NULL;
    STATUS_TRY(cpu_backend.alloc(capacity * sizeof(Candidate), &list));
    choice->list = list;
    STATUS_TRY(cpu_backend.alloc(capacity * sizeof(Candidate), &room));
    choice->room = room;
    choice->capacity = capacity;
    return status_ok();
}

enum { FIRST_CAPACITY = 1024 };

Status fast9_choice_open(Fast9Work *work) {
    Fast9Choice *choice = work->choice = calloc(1, sizeof *choice);
    if (choice == NULL) {
        return status_no_memory("to choose keypoints");
    }
    choice->band_starts = calloc((size_t)work->band_count + 1, sizeof *choice->band_starts);
    choice->share_totals = calloc((size_t)work->threads, sizeof *choice->share_totals);
    choice->totals = calloc(FAST9_CLASSES, sizeof *choice->totals);
    choice->class_starts = calloc(FAST9_CLASSES, sizeof *choice->class_starts);
    if (choice->band_starts == NULL || choice->share_totals == NULL || choice->totals == NULL ||
        choice->class_starts == NULL) {
        return status_no_memory("to choose keypoints with %d threads", work->threads);
    }
    return take_candidates(choice, FIRST_CAPACITY);
}

void fast9_choice_close(Fast9Choice *choice) {
    if (choice != NULL) {
        free(choice->band_starts);
        free(choice->share_totals);
        free(choice->totals);
        free(choice->class_starts);
        cpu_backend.release(choice->list);
        cpu_backend.release(choice->room);
        free(choice);
    }
}

/* --- Shares ----------------------------------------------------------------------------------- */

/* Where share `share` of `count` things begins, one share for each thread. */
static size_t share_start(const Fast9Work *work, size_t count, int share) {
    return count * (size_t)share / (size_t)work->threads;
}

static uint32_t *share_counts(const Fast9Work *work, int share) {
    return thread_memory_part(&work->memory, share);
}

static void add_up_bands(const Fast9Work *work) {
    size_t *starts = work->choice->band_starts;
    starts[0] = 0;
    for (int32_t i = 0; i < work->band_count; i++) {
        starts[i + 1] = starts[i] + work->bands[i].kept;
    }
}

/* Spots first … last - 1 of all. */
typedef struct Part {
    size_t first, last;
} Part;

static Part part_of_spots(const Fast9Work *work, int share) {
    const size_t count = work->choice->band_starts[work->band_count];
    return (Part){share_start(work, count, share), share_start(work, count, share + 1)};
}

/* Spots of one band. */
typedef struct Piece {
    const Fast9Spot *at, *end;
} Piece;

/* What of a band belongs to the part; nothing where they do not meet. */
static Piece piece_of(const Fast9Work *work, int32_t band, Part part) {
    const size_t *starts = work->choice->band_starts;
    const size_t from = part.first > starts[band] ? part.first : starts[band];
    const size_t to = part.last < starts[band + 1] ? part.last : starts[band + 1];
    const Fast9Spot *kept = work->kept + work->bands[band].spots;
    return from < to ? (Piece){kept + (from - starts[band]), kept + (to - starts[band])}
                     : (Piece){kept, kept};
}

/* --- Counting sort ---------------------------------------------------------------------------- */

/* (1) */
static void count_share(const Fast9Work *work, int share) {
    uint32_t *counts = share_counts(work, share);
    memset(counts, 0, FAST9_CLASSES * sizeof *counts);
    const Part part = part_of_spots(work, share);
    for (int32_t band = 0; band < work->band_count; band++) {
        for (Piece piece = piece_of(work, band, part); piece.at != piece.end; piece.at++) {
            counts[fast9_score_class(piece.at->score)]++;
        }
    }
}

/* (2) of a share of the classes: each share's counts become those of the shares before it. */
static void add_up_shares(const Fast9Work *work, int share) {
    const size_t first = share_start(work, FAST9_CLASSES, share);
    const size_t last = share_start(work, FAST9_CLASSES, share + 1);
    uint32_t *totals = work->choice->totals;
    memset(totals + first, 0, (last - first) * sizeof *totals);
    for (int before = 0; before < work->threads; before++) {
        uint32_t *counts = share_counts(work, before);
        for (size_t c = first; c < last; c++) {
            const uint32_t own = counts[c];
            counts[c] = totals[c];
            totals[c] += own;
        }
    }
    size_t total = 0;
    for (size_t c = first; c < last; c++) {
        total += totals[c];
    }
    work->choice->share_totals[share] = total;
}

/* (3) of a share of the classes, from the highest down. One share at most has the class with which
 * there are enough candidates; the others leave `lowest` and `count` alone. */
static void add_up_classes(const Fast9Work *work, int share) {
    Fast9Choice *choice = work->choice;
    const size_t most = (size_t)work->point.max_keypoints;
    const size_t first = share_start(work, FAST9_CLASSES, share);
    size_t before = 0;
    for (int higher = share + 1; higher < work->threads; higher++) {
        before += choice->share_totals[higher];
    }
    for (size_t c = share_start(work, FAST9_CLASSES, share + 1); c-- > first;) {
        const size_t with = before + choice->totals[c];
        choice->class_starts[c] = before;
        if (before < most && with >= most) {
            choice->lowest = (int32_t)c;
            choice->count = with;
        }
        before = with;
    }
}

/* Counts all spots and finds which are candidates: all, unless a class has the last one wanted. */
static void count_candidates(const Fast9Work *work) {
    Fast9Choice *choice = work->choice;
    add_up_bands(work);
    const bool any = work->point.max_keypoints > 0;
    choice->lowest = any ? 0 : FAST9_CLASSES;
    choice->count = any ? choice->band_starts[work->band_count] : 0;
#pragma omp parallel num_threads(work->threads)
    {
#pragma omp for schedule(static)
        for (int share = 0; share < work->threads; share++) {
            count_share(work, share);
        }
#pragma omp for schedule(static)
        for (int share = 0; share < work->threads; share++) {
            add_up_shares(work, share);
        }
#pragma omp for schedule(static)
        for (int share = 0; share < work->threads; share++) {
            add_up_classes(work, share);
        }
    }
}

/* (4) */
static void place_share(const Fast9Work *work, int share) {
    const Fast9Choice *choice = work->choice;
    uint32_t *counts = share_counts(work, share);
    const Part part = part_of_spots(work, share);
    for (int32_t band = 0; band < work->band_count; band++) {
        const int32_t level = work->bands[band].level;
        for (Piece piece = piece_of(work, band, part); piece.at != piece.end; piece.at++) {
            const int32_t class = fast9_score_class(piece.at->score);
            if (class >= choice->lowest) {
                choice->list[choice->class_starts[class] + counts[class]++] = (Candidate){
                    .score = piece.at->score, .level = level, .x = piece.at->x, .y = piece.at->y};
            }
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

/* The highest class whose candidates begin at `place` or behind it; -1: there is none. */
static int32_t class_from(const Fast9Choice *choice, size_t place) {
    int32_t low = -1;
    int32_t high = FAST9_CLASSES - 1;
    while (low < high) {
        const int32_t middle = low + (high - low + 1) / 2;
        if (choice->class_starts[middle] >= place) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

/* (5) of the classes that begin in a share of the places. */
static void sort_share(const Fast9Work *work, int share) {
    const Fast9Choice *choice = work->choice;
    const int32_t last = class_from(choice, share_start(work, choice->count, share + 1));
    for (int32_t c = class_from(choice, share_start(work, choice->count, share)); c > last; c--) {
        const size_t start = choice->class_starts[c];
        if (choice->totals[c] > 1) {
            sort_by_score(choice->list + start, choice->totals[c], choice->room + start);
        }
    }
}

/* --- Answer ----------------------------------------------------------------------------------- */

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

/* Sorts the candidates and writes the first `used` of them, and rows of 0 behind. */
static void write_answer(const Fast9Work *work, size_t used) {
    const Fast9Choice *choice = work->choice;
    Fast9Keypoint *keypoints = fast9_keypoints(work->output);
#pragma omp parallel num_threads(work->threads)
    {
#pragma omp for schedule(static)
        for (int share = 0; share < work->threads; share++) {
            place_share(work, share);
        }
#pragma omp for schedule(static)
        for (int share = 0; share < work->threads; share++) {
            sort_share(work, share);
        }
#pragma omp for schedule(static) nowait
        for (size_t i = 0; i < used; i++) {
            if (i + 1 < used) {
                fetch_disc(work, &choice->list[i + 1]);
            }
            keypoints[i] = keypoint(work, &choice->list[i]);
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
    Fast9Choice *choice = work->choice;
    count_candidates(work);
    if (choice->count > choice->capacity) {
        STATUS_TRY(take_candidates(choice, choice->count));
    }
    write_answer(work, choice->count < most ? choice->count : most);
    return status_ok();
}
