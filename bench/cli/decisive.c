/* The rows of a stored run whose claims decide most. */

#include "cli_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "registry.h"

/* Seconds of a launch that each run of seq stands for: it is verified, warmed up and sampled. */
static const double runs_of_launch = 4;

enum { PLACES_MAX = 64, LAUNCHES_LEAST = 3 };

/* One size of a track, with what is fastest there. */
typedef struct Place {
    const Row *row;                /* any of this size */
    const Row *best;               /* of the CPU */
    const Row *rivals[TIME_KINDS]; /* the best of a device by each time; without one: seq */
    SpeedSide sides[TIME_KINDS];   /* of the rivals over the best CPU */
    double seconds;                /* of a launch */
    bool chosen;
} Place;

/* The sizes of one algorithm on one input, the smallest first. */
typedef struct Track {
    Place places[PLACES_MAX];
    size_t count;
} Track;

static bool counts(const Row *row) {
    return row->status == CELL_OK && !row_is_roof(row) && isfinite(row->kernel_summary.median);
}

/* Of answers that differ by options the first one stands for all. */
static bool same_subject(const Row *a, const Row *b) {
    return a->algorithm == b->algorithm && strcmp(a->input, b->input) == 0;
}

static bool same_track(const Row *a, const Row *b) {
    return same_subject(a, b) && a->cold == b->cold && point_equal(&a->answer, &b->answer);
}

static const Row *plain_row(const Results *results, const Row *of) {
    for (size_t i = 0; i < results->count; i++) {
        const Row *row = &results->rows[i];
        if (counts(row) && row_same_question(row, of) &&
            row->variant == &row->algorithm->cpu.rows[0]) {
            return row;
        }
    }
    return NULL;
}

static Place place_of(const Results *results, const Row *row) {
    Place place = {.row = row, .best = results_best_cpu(results, row).row};
    const Row *plain = plain_row(results, row);
    for (TimeKind kind = TIME_KERNEL; kind < TIME_KINDS; kind++) {
        const Row *device = results_best(results, row, SIDE_DEVICE, kind).row;
        const Row *rival = device != NULL ? device : plain;
        place.rivals[kind] = rival;
        if (rival != NULL) {
            const Ratio ratio = row_won_ratio(rival, OVER_BEST_CPU, kind);
            place.sides[kind] = ratio_side(&ratio);
            place.seconds += rival->kernel_summary.median;
        }
    }
    const Row *slowest = plain != NULL ? plain : place.best;
    place.seconds += slowest != NULL ? runs_of_launch * slowest->kernel_summary.median : 0;
    return place;
}

static void add_place(Track *track, const Results *results, const Row *row) {
    size_t at = track->count;
    for (size_t i = 0; i < track->count; i++) {
        if (row_same_question(track->places[i].row, row)) {
            return;
        }
    }
    if (track->count == PLACES_MAX) {
        return;
    }
    while (at > 0 && row_size(track->places[at - 1].row) > row_size(row)) {
        track->places[at] = track->places[at - 1];
        at--;
    }
    track->places[at] = place_of(results, row);
    track->count++;
}

static bool side_changes(const Place *a, const Place *b) {
    return a->sides[TIME_KERNEL] != b->sides[TIME_KERNEL] ||
           a->sides[TIME_END_TO_END] != b->sides[TIME_END_TO_END];
}

/* The ends, and where another side is ahead from one size to the next. */
static void choose_places(Track *track) {
    track->places[0].chosen = track->places[track->count - 1].chosen = true;
    for (size_t i = 1; i < track->count; i++) {
        if (side_changes(&track->places[i - 1], &track->places[i])) {
            track->places[i - 1].chosen = track->places[i].chosen = true;
        }
    }
}

/* Drops the places that take longest until the launches that a run has at least fit. */
static void fit_places(Track *track, double seconds) {
    for (;;) {
        Place *longest = NULL;
        double sum = 0;
        for (size_t i = 0; i < track->count; i++) {
            Place *place = &track->places[i];
            sum += place->chosen ? place->seconds : 0;
            if (place->chosen && (longest == NULL || place->seconds > longest->seconds)) {
                longest = place;
            }
        }
        if (longest == NULL || LAUNCHES_LEAST * sum <= seconds) {
            return;
        }
        longest->chosen = false;
    }
}

static bool is_of(const Row *row, const Place *place) {
    bool is = place->best != NULL && row->variant == place->best->variant;
    for (TimeKind kind = TIME_KERNEL; kind < TIME_KINDS; kind++) {
        is |= place->rivals[kind] != NULL && row->variant == place->rivals[kind]->variant;
    }
    return is;
}

static void mark(const Results *results, const Track *track, bool *chosen) {
    for (size_t i = 0; i < results->count; i++) {
        const Row *row = &results->rows[i];
        for (size_t j = 0; j < track->count && counts(row); j++) {
            const Place *place = &track->places[j];
            chosen[i] |= place->chosen && row_same_question(row, place->row) && is_of(row, place);
        }
    }
}

static bool is_first_of(const Results *results, size_t index) {
    for (size_t i = 0; i < index; i++) {
        if (counts(&results->rows[i]) && same_subject(&results->rows[i], &results->rows[index])) {
            return false;
        }
    }
    return true;
}

static size_t count_subjects(const Results *results) {
    size_t count = 0;
    for (size_t i = 0; i < results->count; i++) {
        count += counts(&results->rows[i]) && is_first_of(results, i);
    }
    return count;
}

Status decisive_rows(const Results *results, double seconds, bool *chosen) {
    const size_t subjects = count_subjects(results);
    Track *track = malloc(sizeof *track);
    if (track == NULL) {
        return status_no_memory("for the claims of a run");
    }
    for (size_t i = 0; i < results->count; i++) {
        if (!counts(&results->rows[i]) || !is_first_of(results, i)) {
            continue;
        }
        track->count = 0;
        for (size_t j = i; j < results->count; j++) {
            if (counts(&results->rows[j]) && same_track(&results->rows[j], &results->rows[i])) {
                add_place(track, results, &results->rows[j]);
            }
        }
        choose_places(track);
        fit_places(track, seconds / (double)subjects);
        mark(results, track, chosen);
    }
    free(track);
    return status_ok();
}
