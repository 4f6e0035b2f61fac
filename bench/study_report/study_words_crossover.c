#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "amount_text.h"
#include "crossover.h"
#include "study_words_parts.h"
#include "study_words_text.h"

enum { PHRASE_SIZE = 256, FEW_CONTESTANTS = 3 };

/* The places of one `rest` that have an x, in its order. */
typedef struct Track {
    const Contest *contest;
    bool only; /* the contest has no other track */
    const char *rest;
    size_t *places;
    size_t count;
} Track;

static void pixels_text(double x, char *text, size_t size) {
    amount_text(x, "pixel", text, size);
}

static void number_only(double x, char *text, size_t size) {
    char number[SIGNIFICANT_SIZE];
    words_number_write(x, number);
    snprintf(text, size, "%s", number);
}

static bool same_rest(const ContestPlace *place, const char *rest) {
    return strcmp(place->rest != NULL ? place->rest : "", rest) == 0;
}

/* Insertion by x; of two places with the same x the first. */
static void add_place(Track *track, size_t place) {
    const ContestPlace *places = track->contest->places;
    size_t at = track->count;
    while (at > 0 && places[track->places[at - 1]].x > places[place].x) {
        at--;
    }
    if (at > 0 && places[track->places[at - 1]].x >= places[place].x) {
        return;
    }
    memmove(&track->places[at + 1], &track->places[at], (track->count - at) * sizeof(size_t));
    track->places[at] = place;
    track->count++;
}

static CurvePoint point_of(const Track *track, size_t contestant, size_t place, bool published) {
    const Contest *contest = track->contest;
    const ContestCell *cell = &contest->cells[contestant * contest->place_count + place];
    const bool interval = !published && cell->value != NULL;
    return (CurvePoint){.x = contest->places[place].x,
                        .value = contest_time(contest, contestant, place, published),
                        .low = interval ? cell->milliseconds * cell->value->low : NAN,
                        .high = interval ? cell->milliseconds * cell->value->high : NAN};
}

static Crossover find(const Track *track, size_t challenger, size_t champion, bool published) {
    CurvePoint *points = calloc(2 * track->count + 1, sizeof *points);
    if (points == NULL) {
        return (Crossover){.kind = CROSSOVER_UNKNOWN};
    }
    for (size_t i = 0; i < track->count; i++) {
        points[i] = point_of(track, challenger, track->places[i], published);
        points[track->count + i] = point_of(track, champion, track->places[i], published);
    }
    const Crossover crossover =
        crossover_find(points, track->count, points + track->count, track->count);
    free(points);
    return crossover;
}

static bool crosses(const Crossover *crossover) {
    return crossover->kind == CROSSOVER_AT || crossover->kind == CROSSOVER_UNTIL ||
           crossover->kind == CROSSOVER_MIXED;
}

/* Among many, two that overtake each other now and then are as good as equal. */
static bool is_worth_saying(const Crossover *crossover, const Contest *contest) {
    return crossover->kind != CROSSOVER_MIXED || contest->contestant_count <= FEW_CONTESTANTS;
}

static bool is_size(const Contest *contest) {
    return strcmp(contest->x_key, "size") == 0;
}

/* "In the paper ", "By box in the paper: ": numbers other than pixels are told by their key.
 * Returns whether nothing of the sentence is said yet. */
static bool say_start(Words *words, const Track *track, bool published) {
    const bool opens = track->only || words->text != NULL;
    words_sentence(words);
    if (!is_size(track->contest)) {
        words_say(words, "%s %s%s: ", opens ? "By" : "by", track->contest->x_key,
                  published ? " in the paper" : "");
        return false;
    }
    if (published) {
        words_say(words, "%s the paper ", opens ? "In" : "in");
    }
    return opens && !published;
}

typedef void (*NumberText)(double x, char *text, size_t size);

static NumberText x_text(const Contest *contest) {
    return is_size(contest) ? pixels_text : number_only;
}

/* What became of the pairs. */
typedef struct PairCount {
    size_t pairs, crossings; /* with at least two common places; of those, that cross */
    double from, to;         /* range of x that they have */
    bool brackets;           /* a sentence has an interval */
} PairCount;

/* Says which pairs cross. */
static PairCount say_crossings(Words *words, const Track *track, bool published) {
    const Contest *contest = track->contest;
    PairCount count = {.from = INFINITY, .to = 0};
    for (size_t j = 1; j < contest->contestant_count; j++) {
        for (size_t i = 0; i < j; i++) {
            const Crossover crossover = find(track, j, i, published);
            if (crossover.kind == CROSSOVER_UNKNOWN || crossover.points < 2) {
                continue;
            }
            count.pairs++;
            count.from = fmin(count.from, crossover.from);
            count.to = fmax(count.to, crossover.to);
            if (!crosses(&crossover)) {
                continue;
            }
            count.crossings++;
            if (!is_worth_saying(&crossover, contest)) {
                continue;
            }
            char phrase[PHRASE_SIZE];
            crossover_words(&crossover, x_text(contest), phrase, sizeof phrase);
            say_start(words, track, published);
            words_say(words, "%s is faster than %s %s.", contest->contestants[j],
                      contest->contestants[i], phrase);
            count.brackets = count.brackets ||
                             (crossover.kind != CROSSOVER_MIXED && strchr(phrase, '(') != NULL);
        }
    }
    if (count.brackets) {
        words_sentence(words);
        words_say(words, "In brackets: where it lies given the intervals.");
    }
    return count;
}

static void say_none(Words *words, const Track *track, bool published, const PairCount *count) {
    char from[64];
    char to[64];
    x_text(track->contest)(count->from, from, sizeof from);
    x_text(track->contest)(count->to, to, sizeof to);
    const bool opens = say_start(words, track, published);
    if (count->pairs == 1) {
        words_say(words, "%s of the two overtakes the other", opens ? "Neither" : "neither");
    } else {
        words_say(words, "%s overtakes another", opens ? "None" : "none");
    }
    words_say(words, " in this range (%s to %s).", from, to);
}

static void say_track(Document *document, const Track *track) {
    Words words = {.document = document};
    for (int published = 0; published < 2; published++) {
        const PairCount count = say_crossings(&words, track, published != 0);
        const bool told = is_size(track->contest) || track->count > 2;
        if (count.pairs > 0 && count.crossings == 0 && told) {
            say_none(&words, track, published != 0, &count);
        }
    }
    if (words.text != NULL && !track->only) {
        words.text = document_text(document, "For %s: %s", track->rest, words.text);
    }
    words_end(&words);
}

void words_crossover(Document *document, const Contest *contest) {
    if (contest->x_key == NULL) {
        return;
    }
    Track track = {.contest = contest,
                   .only = contest_is_one_curve(contest),
                   .places = calloc(contest->place_count + 1, sizeof *track.places)};
    if (track.places == NULL) {
        document->failed = true;
        return;
    }
    for (size_t first = 0; first < contest->place_count; first++) {
        track.rest = contest->places[first].rest != NULL ? contest->places[first].rest : "";
        bool done = false;
        for (size_t i = 0; i < first; i++) {
            done = done || same_rest(&contest->places[i], track.rest);
        }
        track.count = 0;
        for (size_t i = first; i < contest->place_count && !done; i++) {
            if (same_rest(&contest->places[i], track.rest)) {
                add_place(&track, i);
            }
        }
        if (!done) {
            say_track(document, &track);
        }
    }
    free(track.places);
}
