#include "fast9_internal.h"

#include <stdlib.h>
#include <string.h>

#include "backend.h"

enum {
    EXACT_CLASSES = 256, /* of scores from 0 on, one each: all FAST scores */
    EXACT_DOUBLINGS = 8, /* 2^8 is the first behind them */
    STEP_BITS = 5,       /* of 2^5 classes for each doubling */
    SORTED_BY_INSERTION = 12
};

typedef struct Candidate {
    int64_t score;
    int32_t level, x, y;
    uint32_t number; /* of its disc, if it is a sure one */
} Candidate;

/* The disc around a sure candidate. */
typedef struct Disc {
    int32_t level, x, y;
    int64_t m10, m01;
} Disc;

struct Fast9Choice {
    size_t *band_starts;    /* bands + 1: how many spots the bands before have */
    size_t *share_totals;   /* threads: spots of a share of the classes */
    uint32_t *totals;       /* FAST9_CLASSES: spots of a class */
    size_t *class_starts;   /* FAST9_CLASSES + 1: how many spots the higher classes have */
    int32_t lowest;         /* the lowest class that the strongest reach into */
    size_t count;           /* candidates: spots of that class and the higher ones */
    size_t capacity;        /* candidates there is room for */
    Candidate *list, *room; /* candidates in order; room to sort them */
    Disc *discs;            /* of the sure candidates, by level, y and x */
};

/* Floating-point-style buckets: exact for small scores, then the width doubles. */
static int32_t magnitude_class(uint64_t magnitude) {
    if (magnitude < EXACT_CLASSES) {
        return (int32_t)magnitude;
    }
    const int exponent = 63 - __builtin_clzll(magnitude);
    const int step = (int)(magnitude >> (exponent - STEP_BITS)) & ((1 << STEP_BITS) - 1);
    return EXACT_CLASSES + ((exponent - EXACT_DOUBLINGS) << STEP_BITS) + step;
}

enum { CLASS_OF_0 = FAST9_CLASSES / 2 };

int32_t fast9_score_class(int64_t score) {
    return score >= 0 ? CLASS_OF_0 + magnitude_class((uint64_t)score)
                      : CLASS_OF_0 - 1 - magnitude_class((uint64_t)(-(score + 1)));
}

/* Whether all scores of the class are equal. */
static bool is_exact(int32_t class) {
    return class >= CLASS_OF_0 - EXACT_CLASSES && class < CLASS_OF_0 + EXACT_CLASSES;
}

/* The least score that has this class or a higher one; INT64_MAX if none has. */
static int64_t lowest_score(int32_t class) {
    int64_t low = INT64_MIN;
    int64_t high = INT64_MAX;
    while (low < high) {
        const int64_t middle = (low >> 1) + (high >> 1);
        if (fast9_score_class(middle) >= class) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

static Status take_candidates(Fast9Choice *choice, size_t capacity) {
    void *list = NULL;
    void *room = NULL;
    void *discs = NULL;
    cpu_backend.release(choice->list);
    cpu_backend.release(choice->room);
    cpu_backend.release(choice->discs);
    choice->list = NULL;
    choice->room = NULL;
    choice->discs = NULL;
    choice->capacity = 0;
    STATUS_TRY(cpu_backend.alloc(capacity * sizeof(Candidate), &list));
    choice->list = list;
    STATUS_TRY(cpu_backend.alloc(capacity * sizeof(Candidate), &room));
    choice->room = room;
    STATUS_TRY(cpu_backend.alloc(capacity * sizeof(Disc), &discs));
    choice->discs = discs;
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
    choice->class_starts = calloc(FAST9_CLASSES + 1, sizeof *choice->class_starts);
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
        cpu_backend.release(choice->discs);
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

/* Sure candidates have a higher class than the lowest: all are in the answer. */
static size_t sure_count(const Fast9Choice *choice) {
    return choice->class_starts[choice->lowest];
}

/* Those of the shares before, whose counts are the share's until it places its own. */
static uint32_t sure_before(const Fast9Choice *choice, const uint32_t *counts) {
    uint32_t before = 0;
    for (int32_t c = choice->lowest + 1; c < FAST9_CLASSES; c++) {
        before += counts[c];
    }
    return before;
}

/* (4) */
static void place_share(const Fast9Work *work, int share) {
    const Fast9Choice *choice = work->choice;
    uint32_t *counts = share_counts(work, share);
    uint32_t number = sure_before(choice, counts);
    const int64_t least = lowest_score(choice->lowest);
    const Part part = part_of_spots(work, share);
    for (int32_t band = 0; band < work->band_count; band++) {
        const int32_t level = work->bands[band].level;
        for (Piece piece = piece_of(work, band, part); piece.at != piece.end; piece.at++) {
            const Fast9Spot spot = *piece.at;
            if (spot.score < least) {
                continue;
            }
            const int32_t class = fast9_score_class(spot.score);
            choice->list[choice->class_starts[class] + counts[class]++] =
                (Candidate){spot.score, level, spot.x, spot.y, number};
            if (class > choice->lowest) {
                choice->discs[number++] = (Disc){.level = level, .x = spot.x, .y = spot.y};
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
        if (choice->totals[c] > 1 && !is_exact(c)) {
            sort_by_score(choice->list + start, choice->totals[c], choice->room + start);
        }
    }
}

/* --- Answer ----------------------------------------------------------------------------------- */

static void sum_disc(const Fast9Work *work, Disc *disc) {
    const Image level = fast9_work_level(work, disc->level);
    work->kernel->moments(image_row(&level, disc->y) + disc->x, level.stride, &disc->m10,
                          &disc->m01);
}

/* (5) of a share of the sure candidates. */
static void sum_share(const Fast9Work *work, int share) {
    const Fast9Choice *choice = work->choice;
    const size_t end = share_start(work, sure_count(choice), share + 1);
    for (size_t i = share_start(work, sure_count(choice), share); i < end; i++) {
        sum_disc(work, &choice->discs[i]);
    }
}

static Fast9Keypoint keypoint(const Candidate *candidate, const Disc *disc) {
    return (Fast9Keypoint){
        .level = (uint64_t)candidate->level,
        .x = (uint64_t)candidate->x,
        .y = (uint64_t)candidate->y,
        .score = candidate->score,
        .m10 = disc->m10,
        .m01 = disc->m01,
    };
}

/* Which of the lowest class are in the answer is known when it is sorted. */
static Fast9Keypoint lowest_keypoint(const Fast9Work *work, const Candidate *candidate) {
    Disc disc = {.level = candidate->level, .x = candidate->x, .y = candidate->y};
    sum_disc(work, &disc);
    return keypoint(candidate, &disc);
}

/* Sorts the candidates and writes the first `used` of them, and rows of 0 behind. */
static void write_answer(const Fast9Work *work, size_t used) {
    const Fast9Choice *choice = work->choice;
    const size_t sure = sure_count(choice);
    Fast9Keypoint *keypoints = fast9_keypoints(work->output);
#pragma omp parallel num_threads(work->threads)
    {
#pragma omp for schedule(static)
        for (int share = 0; share < work->threads; share++) {
            place_share(work, share);
        }
#pragma omp for schedule(static)
        for (int share = 0; share < work->threads; share++) {
            sum_share(work, share);
            sort_share(work, share);
        }
#pragma omp for schedule(static) nowait
        for (size_t i = 0; i < sure; i++) {
            const Candidate *candidate = &choice->list[i];
            keypoints[i] = keypoint(candidate, &choice->discs[candidate->number]);
        }
#pragma omp for schedule(static) nowait
        for (size_t i = sure; i < used; i++) {
            keypoints[i] = lowest_keypoint(work, &choice->list[i]);
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
