/* How a study's numbers stand to the paper's. */

#include "claims.h"
#include "contenders.h"
#include "crossover.h"
#include "document.h"
#include "study_internal.h"
#include "table.h"
#include "winners.h"
#include "words.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "estimates.h"
#include "fnv.h"
#include "list.h"

/* === Texts ==================================================================================== */

/* Three significant digits without zeros at the end: "0.0925", "12800", "1.2"; four where three
 * would make it 1. */
static void short_text(double number, char text[SIGNIFICANT_SIZE]) {
    const bool near_one = number != 1 && fabs(number - 1) < 0.01;
    significant_text(number, near_one ? 4 : 3, text);
    if (strchr(text, '.') == NULL || strchr(text, 'e') != NULL) {
        return;
    }
    size_t length = strlen(text);
    while (text[length - 1] == '0') {
        text[--length] = '\0';
    }
    if (text[length - 1] == '.') {
        text[length - 1] = '\0';
    }
}

static const char *number_of(Document *document, double number) {
    char text[SIGNIFICANT_SIZE];
    short_text(number, text);
    return document_text(document, "%s", text);
}

/* "1.2 to 3.4", or one number where both look the same. */
static const char *range_of(Document *document, double low, double high) {
    const char *from = number_of(document, low);
    const char *to = number_of(document, high);
    return same_texts(from, to) ? from : document_text(document, "%s to %s", from, to);
}

/* The table whose claims are found, and where they go. */
typedef struct ClaimFinder {
    const TableResult *result;
    const StudyTable *table;
    Document *document;
    VerdictList *list;
} ClaimFinder;

static void claim_add(const ClaimFinder *finder, Claim claim, VerdictKey key, const char *label,
                      VerdictSide here, VerdictSide paper, Agreement agreement) {
    VerdictList *list = finder->list;
    const Status room =
        LIST_ROOM(&finder->document->memory, list->items, list->count, list->capacity, "verdicts");
    if (!status_is_ok(&room)) {
        finder->document->failed = true;
        return;
    }
    list->items[list->count++] =
        (VerdictRow){finder->table, claim, label, here, paper, agreement, key};
}

/* === Sides ==================================================================================== */

static bool is_time(const StudyValue *value) {
    return value->column->unit.time != NULL;
}

Contender study_contender(const StudyValue *value, bool published) {
    const double unit = is_time(value) ? unit_milliseconds(&value->column->unit) : 1;
    Contender one = {.number = {.value = unit * value->published, .low = NAN, .high = NAN},
                     .plain = !is_time(value) && !value->column->unit.ratio};
    if (!published) {
        one.number = (Estimate){
            .value = unit * value->measured, .low = unit * value->low, .high = unit * value->high};
        one.times = &value->times;
        one.run = value->records;
    }
    return one;
}

/* Why a side is undecided. */
typedef enum OpenWhy {
    OPEN_INTERVALS,
    OPEN_DISTURBED,
    OPEN_RUNS,   /* two runs have too few launches for an interval */
    OPEN_SEEDS,  /* ranges over seeds overlap */
    OPEN_BARE,   /* times or ratios without intervals, within JUDGE_BARE */
    OPEN_SINGLE, /* other numbers without intervals: how far another run's would lie is unknown */
    OPEN_WHYS
} OpenWhy;

/* How one number compares with another. */
typedef struct Judged {
    SpeedSide side;
    Ratio ratio;
    OpenWhy why;
} Judged;

static Judged judge(const Contender *one, const Contender *other) {
    Judged judged;
    const bool known = contenders_are_known(one, other);
    judged.side = contender_judge(one, other, &judged.ratio);
    judged.why = judged.ratio.disturber != DISTURBER_NONE ? OPEN_DISTURBED
                 : !known                                 ? OPEN_BARE
                 : !one->plain && isnan(judged.ratio.low) ? OPEN_RUNS
                                                          : OPEN_INTERVALS;
    return judged;
}

static bool is_open(const Judged *judged) {
    return judged->side == SIDE_UNDECIDED;
}

/* Which contradicts whoever found one of both ahead. One launch does not show it. */
static bool is_shown_equal(const Judged *judged) {
    return judged->side == SIDE_SAME && !judged->ratio.in_run;
}

static const char *why_words(OpenWhy why, Document *document) {
    static const char *const words[OPEN_WHYS] = {[OPEN_INTERVALS] = "intervals allow either",
                                                 [OPEN_DISTURBED] = "disturbed times",
                                                 [OPEN_RUNS] = "two runs of few launches",
                                                 [OPEN_SEEDS] = "ranges over seeds overlap",
                                                 [OPEN_SINGLE] = "single runs, no intervals"};
    return why == OPEN_BARE ? document_text(document, "within %g%%, no intervals", 100 * JUDGE_BARE)
                            : words[why];
}

/* "; 2 as fast (within 5%)" behind a text. */
static const char *with_equal(const char *text, size_t count, Document *document) {
    static const Ratio one = {.value = 1, .low = 1, .high = 1};
    char words[NUMBER_WORDS_SIZE];
    side_text(SIDE_SAME, &one, COMPARED_SPEED, words);
    return count > 0 ? document_text(document, "%s; %zu %s", text, count, words) : text;
}

/* "; 2 undecided", with ": " and the reason where there is one. */
static const char *with_open(const char *text, size_t count, const char *why, Document *document) {
    return count > 0 ? document_text(document, "%s; %zu %s%s%s", text, count,
                                     side_word(SIDE_UNDECIDED, COMPARED_SPEED),
                                     why[0] != '\0' ? ": " : "", why)
                     : text;
}

SpeedSide study_side(const StudyValue *first, const StudyValue *second, bool published) {
    const Contender one = study_contender(first, published);
    const Contender other = study_contender(second, published);
    return contender_side(&one, &other);
}

/* === Fastest ================================================================================== */

enum { PLACES_LISTED = 5 };

/* The order at one place. */
typedef struct PlaceLead {
    size_t place;
    Lead lead;      /* of the ways */
    SpeedSide side; /* of the leader against all others together */
    OpenWhy why;    /* that is undecided */
    bool bare;      /* decided over the second without intervals */
} PlaceLead;

/* All places where at least two have a time. */
typedef struct Leads {
    const WayTimes *way_times;
    bool published;
    PlaceLead *list;
    size_t count;
} Leads;

static bool same_record(const StudyValue *left, const StudyValue *right) {
    return left != NULL && right != NULL && left->record != NULL && left->record == right->record;
}

static Contender contender_at(const WayTimes *way_times, size_t way, size_t place, bool published) {
    const StudyValue *cell = way_times_cell(way_times, way, place);
    Contender one = {.number = {.value = NAN, .low = NAN, .high = NAN}};
    if (isfinite(way_times_time(way_times, way, place, published))) {
        one = study_contender(cell, published);
    }
    return one;
}

/* A measurement that two rows show counts once. */
static bool is_shown_before(const WayTimes *way_times, size_t way, size_t place) {
    bool before = false;
    for (size_t i = 0; i < way; i++) {
        before |=
            same_record(way_times_cell(way_times, i, place), way_times_cell(way_times, way, place));
    }
    return before;
}

/* How the leader compares with another way; it is ahead of one that has no time. */
static Judged judged_at(const Leads *leads, const PlaceLead *at, size_t other) {
    const Contender first = lead_contender(&at->lead);
    const Contender one = contender_at(leads->way_times, other, at->place, leads->published);
    return isfinite(one.number.value) ? judge(&first, &one) : (Judged){.side = SIDE_FASTER};
}

/* Adds how the leader compares with one more. One that may be ahead of the leader leaves open who
 * is first. */
static void place_add(PlaceLead *at, const Judged *judged) {
    if (is_open(judged) || judged->side == SIDE_SLOWER) {
        at->why = at->side != SIDE_UNDECIDED || judged->why < at->why ? judged->why : at->why;
        at->side = SIDE_UNDECIDED;
    } else if (judged->side == SIDE_SAME && at->side == SIDE_FASTER) {
        at->side = SIDE_SAME;
    }
}

/* `all` has room for one of each way. */
static PlaceLead find_lead(const Leads *leads, size_t place, Contender *all) {
    const WayTimes *way_times = leads->way_times;
    PlaceLead at = {.place = place, .side = SIDE_FASTER};
    for (size_t i = 0; i < way_times->way_count; i++) {
        all[i] = contender_at(way_times, i, place, leads->published);
        if (!leads->published && is_shown_before(way_times, i, place)) {
            all[i].number.value = NAN;
        }
    }
    contenders_lead(all, way_times->way_count, &at.lead);
    if (at.lead.second == WINNER_NONE) {
        return at;
    }
    const Contender first = lead_contender(&at.lead);
    for (size_t i = 0; i < way_times->way_count && !at.lead.tie; i++) {
        if (i != at.lead.first && isfinite(all[i].number.value)) {
            const Judged judged = judge(&first, &all[i]);
            place_add(&at, &judged);
        }
    }
    at.bare = !leads->published && !at.lead.tie && at.side == SIDE_FASTER &&
              !contenders_are_known(&first, &all[at.lead.second]);
    return at;
}

static Leads leads_make(const WayTimes *way_times, bool published, Document *document) {
    Leads leads = {
        .way_times = way_times,
        .published = published,
        .list = document_allocate(document, (way_times->place_count + 1) * sizeof *leads.list)};
    Contender *all = document_allocate(document, (way_times->way_count + 1) * sizeof *all);
    for (size_t place = 0; leads.list != NULL && all != NULL && place < way_times->place_count;
         place++) {
        PlaceLead at = find_lead(&leads, place, all);
        if (at.lead.second != WINNER_NONE) {
            leads.list[leads.count++] = at;
        } else {
            lead_release(&at.lead);
        }
    }
    return leads;
}

static void leads_release(Leads *leads) {
    for (size_t i = 0; i < leads->count; i++) {
        lead_release(&leads->list[i].lead);
    }
}

/* "B at 2 (HD, 4K)": a way with the places where it is the fastest, or the ties (SIZE_MAX).
 */
static const char *wins_text(const Leads *leads, size_t way, size_t *wins, Document *document) {
    const WayTimes *way_times = leads->way_times;
    const char *places = "";
    const char *name = way != SIZE_MAX ? way_times->ways[way] : "equal";
    *wins = 0;
    for (size_t i = 0; i < leads->count; i++) {
        const Lead *lead = &leads->list[i].lead;
        if (way == SIZE_MAX ? lead->tie : !lead->tie && lead->first == way) {
            places =
                text_joined(document, places, ", ", way_times->places[leads->list[i].place].name);
            *wins += 1;
        }
    }
    if (*wins == leads->count && leads->count > 1) {
        return document_text(document, "%s at all %zu", name, *wins);
    }
    if (way == SIZE_MAX && leads->count == 1) {
        name = document_text(document, "%s = %s", way_times->ways[leads->list[0].lead.first],
                             way_times->ways[leads->list[0].lead.second]);
    }
    if (leads->count > 1) {
        name = document_text(document, "%s at %zu", name, *wins);
    }
    return way_times->place_count == 1 || *wins > PLACES_LISTED
               ? name
               : document_text(document, "%s (%s)", name, places);
}

/* "undecided (0.9 to 1.2) against B", "as fast (within 5%) as B". */
static const char *judged_text(const Judged *judged, const char *other, Document *document) {
    char words[NUMBER_WORDS_SIZE];
    side_brief(judged->side, &judged->ratio, words);
    return document_text(document, "%s%s %s %s", words,
                         is_open(judged) && judged->why != OPEN_INTERVALS
                             ? document_text(document, " (%s)", why_words(judged->why, document))
                             : "",
                         side_joint(judged->side), other);
}

/* "1.1 to 3× faster than B", of the places where that is so; "the second" or "the slowest" where
 * that is not the same way at all of these. `brief`: without "faster". Where it is so nowhere the
 * side's own words if there is one place, else "". */
static const char *factor_text(const Leads *leads, bool slowest, bool brief, VerdictSide *side,
                               Document *document) {
    const char *const *ways = leads->way_times->ways;
    const char *other = NULL, *text = "";
    side->low = INFINITY;
    side->high = 0;
    for (size_t i = 0; i < leads->count; i++) {
        const PlaceLead *at = &leads->list[i];
        const size_t way = slowest ? at->lead.slowest : at->lead.second;
        const Contender one = contender_at(leads->way_times, way, at->place, leads->published);
        const Judged judged = judged_at(leads, at, way);
        if (judged.side != SIDE_FASTER || (at->lead.tie && !slowest)) {
            text = leads->count == 1 ? judged_text(&judged, ways[way], document) : text;
            continue;
        }
        const double factor = lead_factor(&at->lead, &one);
        side->low = fmin(side->low, factor);
        side->high = fmax(side->high, factor);
        other = other == NULL || other == ways[way] ? ways[way]
                : slowest                           ? "the slowest"
                                                    : "the second";
    }
    return other == NULL
               ? text
               : document_text(document, "%s×%s than %s", range_of(document, side->low, side->high),
                               brief ? "" : " faster", other);
}

/* Of one place the ways that the leader is not ahead of and that are neither second nor slowest:
 * "; undecided against C, D". */
static const char *with_others(const char *text, const Leads *leads, SpeedSide side,
                               Document *document) {
    const PlaceLead *at = &leads->list[0];
    const char *names = "";
    for (size_t way = 0; way < leads->way_times->way_count; way++) {
        const bool shown = way == at->lead.first || way == at->lead.second ||
                           way == at->lead.slowest ||
                           (!leads->published && is_shown_before(leads->way_times, way, at->place));
        if (!shown && judged_at(leads, at, way).side == side) {
            names = text_joined(document, names, ", ", leads->way_times->ways[way]);
        }
    }
    return names[0] == '\0'
               ? text
               : document_text(document, "%s; %s %s %s", text, side_word(side, COMPARED_SPEED),
                               side_joint(side), names);
}

/* The sides of the leader's places that are not ahead, behind a text. */
static const char *with_sides(const char *text, const Leads *leads, const size_t open[OPEN_WHYS],
                              Document *document) {
    if (leads->count == 1) {
        for (SpeedSide side = SIDE_SAME; side <= SIDE_UNDECIDED; side++) {
            text = side == SIDE_FASTER ? text : with_others(text, leads, side, document);
        }
        return text;
    }
    size_t equal = 0;
    for (size_t i = 0; i < leads->count; i++) {
        equal += leads->list[i].side == SIDE_SAME;
    }
    for (OpenWhy why = OPEN_INTERVALS; why < OPEN_WHYS; why++) {
        text = with_open(text, open[why], why == OPEN_INTERVALS ? "" : why_words(why, document),
                         document);
    }
    return with_equal(text, equal, document);
}

/* Of which place is won by whom. */
static uint64_t leads_hash(const Leads *leads) {
    uint64_t hash = FNV_START;
    for (size_t i = 0; i < leads->count; i++) {
        const Lead *lead = &leads->list[i].lead;
        const size_t says[] = {leads->list[i].place, lead->tie ? SIZE_MAX : lead->first};
        hash = fnv_bytes(hash, says, sizeof says);
    }
    return hash;
}

static VerdictSide fastest_side(const Leads *leads, Document *document) {
    VerdictSide side = {.of = leads->count, .says = leads_hash(leads)};
    if (leads->count == 0) {
        return side;
    }
    const char *text = "";
    size_t wins, undecided = 0, bare = 0, ties = 0;
    size_t open[OPEN_WHYS] = {0};
    bool more = false;
    for (size_t i = 0; i < leads->way_times->way_count; i++) {
        const char *item = wins_text(leads, i, &wins, document);
        text = wins > 0 ? text_joined(document, text, ", ", item) : text;
        if (wins > side.count) {
            side.count = wins;
            side.name = leads->way_times->ways[i];
        }
    }
    const char *equal = wins_text(leads, SIZE_MAX, &ties, document);
    text = ties > 0 ? text_joined(document, text, ", ", equal) : text;
    for (size_t i = 0; i < leads->count; i++) {
        const PlaceLead *at = &leads->list[i];
        open[at->why] += at->side == SIDE_UNDECIDED;
        undecided += at->side == SIDE_UNDECIDED;
        bare += at->bare;
        more = more || at->lead.slowest != at->lead.second;
    }
    side.open = undecided + ties;
    if (ties < leads->count) {
        VerdictSide slowest;
        const char *factors = factor_text(leads, false, false, &side, document);
        if (more) {
            const char *most = factor_text(leads, true, side.low <= side.high, &slowest, document);
            factors = most[0] != '\0' ? text_joined(document, factors, ", ", most) : factors;
        }
        text = factors[0] != '\0' ? text_joined(document, text, ": ", factors) : text;
        text = with_sides(text, leads, open, document);
    }
    side.text = bare == 0 ? text
                : bare == leads->count
                    ? document_text(document, "%s; without intervals", text)
                    : document_text(document, "%s; %zu decided without intervals", text, bare);
    return side;
}

/* Whether the same way is ahead, for certain, at a place. One that is shown to be as fast as the
 * paper's winner contradicts it. */
static Agreement same_winner(const Leads *here, const PlaceLead *ours, const Leads *paper,
                             const PlaceLead *theirs) {
    const WayTimes *way_times = here->way_times;
    const size_t first = ours->lead.first, their_first = theirs->lead.first;
    const StudyValue *leader = way_times_cell(way_times, first, ours->place);
    if (first != their_first &&
        !same_record(leader, way_times_cell(way_times, their_first, ours->place))) {
        const Judged mine = judged_at(here, ours, their_first);
        const bool sure = mine.side == SIDE_FASTER || is_shown_equal(&mine);
        return sure && judged_at(paper, theirs, first).side == SIDE_FASTER ? AGREEMENT_DIFFERS
                                                                           : AGREEMENT_OPEN;
    }
    for (size_t way = 0; way < way_times->way_count && !ours->lead.tie; way++) {
        const Judged mine = judged_at(here, ours, way);
        if (is_shown_equal(&mine) && way != first &&
            !same_record(leader, way_times_cell(way_times, way, ours->place)) &&
            isfinite(way_times_time(way_times, way, ours->place, true)) &&
            judged_at(paper, theirs, way).side == SIDE_FASTER) {
            return AGREEMENT_DIFFERS;
        }
    }
    return ours->lead.tie || ours->side != SIDE_FASTER ? AGREEMENT_OPEN : AGREEMENT_SAME;
}

/* The same of the places that both have. */
static Agreement same_winners(const Leads *here, const Leads *paper) {
    Agreement agreement = AGREEMENT_NONE;
    for (size_t i = 0; i < here->count * paper->count; i++) {
        const PlaceLead *ours = &here->list[i / paper->count];
        const PlaceLead *theirs = &paper->list[i % paper->count];
        const Agreement one =
            ours->place != theirs->place ? AGREEMENT_NONE : same_winner(here, ours, paper, theirs);
        agreement = one > agreement ? one : agreement;
    }
    return agreement;
}

static void find_fastest(const ClaimFinder *finder, const WayTimes *way_times) {
    Document *document = finder->document;
    Leads here = leads_make(way_times, false, document);
    Leads paper = leads_make(way_times, true, document);
    if (here.count + paper.count > 0) {
        claim_add(finder, CLAIM_FASTEST, (VerdictKey){0}, "fastest", fastest_side(&here, document),
                  fastest_side(&paper, document), same_winners(&here, &paper));
    }
    leads_release(&here);
    leads_release(&paper);
}

/* === Crossover ================================================================================ */

enum { PHRASE_SIZE = 256, FEW_WAYS = 3 };

/* The places of one curve, in the order of x. */
typedef struct Track {
    const WayTimes *way_times;
    bool sizes;         /* x is a number of pixels */
    const char *suffix; /* of labels: ", by box (input=noise)" */
    size_t first;       /* of the curve in the table's order */
    size_t *places;
    size_t count;
} Track;

/* Insertion by x; of two places with the same x the first. */
static void add_place(Track *track, size_t place) {
    const WorkPlace *places = track->way_times->places;
    size_t at = track->count;
    while (at > 0 && places[track->places[at - 1]].x > places[place].x) {
        at--;
    }
    if (at == 0 || places[track->places[at - 1]].x < places[place].x) {
        memmove(&track->places[at + 1], &track->places[at], (track->count - at) * sizeof(size_t));
        track->places[at] = place;
        track->count++;
    }
}

/* A way against another at the places that both have a time of. */
typedef struct TrackCrossover {
    Series series;
    double *x; /* of its places */
    Crossover crossover;
    CrossoverKind kind; /* CROSSOVER_UNKNOWN with fewer than two sides */
} TrackCrossover;

static void name_place(const void *places, size_t place, char text[NUMBER_WORDS_SIZE]) {
    short_text(((const double *)places)[place], text);
}

static void name_size(const void *places, size_t place, char text[NUMBER_WORDS_SIZE]) {
    amount_text(((const double *)places)[place], "pixel", text, NUMBER_WORDS_SIZE);
}

static bool has_times(const Track *track, size_t challenger, size_t champion, size_t place,
                      bool published) {
    return !isnan(way_times_time(track->way_times, challenger, place, published)) &&
           !isnan(way_times_time(track->way_times, champion, place, published));
}

/* Undecided where one has no time. */
static Judged judged_along(const Track *track, size_t challenger, size_t champion, size_t place,
                           bool published) {
    if (!has_times(track, challenger, champion, place, published)) {
        return (Judged){.side = SIDE_UNDECIDED};
    }
    const Contender one = contender_at(track->way_times, challenger, place, published);
    const Contender other = contender_at(track->way_times, champion, place, published);
    return judge(&one, &other);
}

static TrackCrossover crossover_along(const Track *track, size_t challenger, size_t champion,
                                      bool published, Document *document) {
    SpeedSide *sides = document_allocate(document, (track->count + 1) * sizeof *sides);
    double *x = document_allocate(document, (track->count + 1) * sizeof *x);
    size_t count = 0;
    for (size_t i = 0; sides != NULL && x != NULL && i < track->count; i++) {
        const size_t place = track->places[i];
        if (has_times(track, challenger, champion, place, published)) {
            x[count] = track->way_times->places[place].x;
            sides[count++] = judged_along(track, challenger, champion, place, published).side;
        }
    }
    TrackCrossover found = {.series = {.sides = sides,
                                       .count = count,
                                       .name = track->sizes ? name_size : name_place,
                                       .places = x,
                                       .noun = "size",
                                       .nouns = "sizes",
                                       .range = true},
                            .x = x,
                            .crossover = crossover_of(sides, count)};
    found.kind = found.crossover.sides < 2 ? CROSSOVER_UNKNOWN : crossover_kind(&found.crossover);
    return found;
}

static bool crosses(const TrackCrossover *crossover) {
    return crossover->crossover.changes > 0;
}

/* Among many ways, a pair that crosses several times is practically equal: no row. */
static bool is_worth_a_row(const Track *track, const TrackCrossover *crossover) {
    return crosses(crossover) &&
           (crossover->kind != CROSSOVER_MIXED || track->way_times->way_count <= FEW_WAYS);
}

static VerdictSide crossover_side(const TrackCrossover *crossover, Document *document) {
    if (crossover->series.count < 2) {
        return (VerdictSide){0};
    }
    char phrase[PHRASE_SIZE];
    crossover_words(&crossover->series, phrase, sizeof phrase);
    return (VerdictSide){
        .text = document_text(document, "%s", phrase),
        .says =
            fnv_bytes(fnv_bytes(FNV_START, crossover->x, crossover->series.count * sizeof(double)),
                      crossover->series.sides, crossover->series.count * sizeof(SpeedSide))};
}

/* Whether at some place one of the two is ahead in the paper, and here the other, or none. */
static bool contradicts(const Track *track, size_t challenger, size_t champion) {
    for (size_t i = 0; i < track->count; i++) {
        const size_t place = track->places[i];
        const Judged here = judged_along(track, challenger, champion, place, false);
        const SpeedSide paper = judged_along(track, challenger, champion, place, true).side;
        if (side_is_decided(paper) && (here.side == side_inverse(paper) || is_shown_equal(&here))) {
            return true;
        }
    }
    return false;
}

static Agreement same_crossover(const Track *track, size_t challenger, size_t champion,
                                const TrackCrossover *here, const TrackCrossover *paper) {
    if (here->series.count < 2 || paper->series.count < 2) {
        return AGREEMENT_NONE;
    }
    if (here->kind == paper->kind && here->kind != CROSSOVER_UNKNOWN) {
        return AGREEMENT_SAME;
    }
    return contradicts(track, challenger, champion) ? AGREEMENT_DIFFERS : AGREEMENT_OPEN;
}

/* Whether it may be that they cross: some place is undecided. */
static bool may_cross(const TrackCrossover *crossover) {
    bool open = false;
    for (size_t i = 0; i < crossover->series.count; i++) {
        open |= crossover->series.sides[i] == SIDE_UNDECIDED;
    }
    return open && crossover->series.count > 1 && crossover->kind == CROSSOVER_UNKNOWN;
}

/* That no pair crosses, here or in the paper. `open`: pairs of which that is not certain here. */
static void add_no_crossing(const ClaimFinder *finder, const Track *track, size_t ours,
                            size_t theirs, size_t open) {
    static const VerdictSide none = {.text = "none"};
    Document *document = finder->document;
    VerdictSide here = {.of = open > 0 ? ours : 0, .open = open};
    here.text = open == 0 ? none.text
                          : document_text(document, "none; %zu of %zu pair%s undecided", open, ours,
                                          ours == 1 ? "" : "s");
    claim_add(finder, CLAIM_CROSSOVER, (VerdictKey){.from = track->first},
              document_text(document, "crossover%s", track->suffix),
              ours > 0 ? here : (VerdictSide){0}, theirs > 0 ? none : (VerdictSide){0},
              ours == 0 || theirs == 0 ? AGREEMENT_NONE
              : open > 0               ? AGREEMENT_OPEN
                                       : AGREEMENT_SAME);
}

/* Adds a row for each pair that crosses here or in the paper; one for all pairs if none does. */
static void find_track(const ClaimFinder *finder, const Track *track) {
    Document *document = finder->document;
    const char **names = track->way_times->ways;
    size_t crossings = 0, open = 0;
    size_t ours = 0, theirs = 0; /* pairs that have times there */
    for (size_t j = 1; j < track->way_times->way_count; j++) {
        for (size_t i = 0; i < j; i++) {
            const TrackCrossover here = crossover_along(track, j, i, false, document);
            const TrackCrossover paper = crossover_along(track, j, i, true, document);
            ours += here.series.count > 1;
            theirs += paper.series.count > 1;
            crossings += crosses(&here) || crosses(&paper);
            open += may_cross(&here);
            if (is_worth_a_row(track, &here) || is_worth_a_row(track, &paper)) {
                claim_add(finder, CLAIM_CROSSOVER, (VerdictKey){j, i, track->first},
                          document_text(document, "%s faster than %s%s", names[j], names[i],
                                        track->suffix),
                          crossover_side(&here, document), crossover_side(&paper, document),
                          same_crossover(track, j, i, &here, &paper));
            }
        }
    }
    const bool enough = track->sizes || track->count > 2;
    if (enough && ours + theirs > 0 && crossings == 0) {
        add_no_crossing(finder, track, ours, theirs, open);
    }
}

static void find_crossovers(const ClaimFinder *finder, const WayTimes *way_times) {
    if (way_times->x == NULL) {
        return;
    }
    Document *document = finder->document;
    Track track = {
        .way_times = way_times,
        .sizes = way_times->x->kind == KEY_SIZE,
        .places = document_allocate(document, (way_times->place_count + 1) * sizeof *track.places)};
    const char *by = track.sizes ? "" : document_text(document, ", by %s", way_times->x->key);
    for (size_t first = 0; !document->failed && first < way_times->place_count; first++) {
        if (way_times->places[first].curve != first) {
            continue;
        }
        track.first = first;
        track.count = 0;
        for (size_t i = first; i < way_times->place_count; i++) {
            if (way_times->places[i].curve == first) {
                add_place(&track, i);
            }
        }
        track.suffix =
            way_times_is_one_curve(way_times)
                ? by
                : document_text(document, "%s (%s)", by, way_times->places[first].curve_name);
        find_track(finder, &track);
    }
}

/* === Trend ==================================================================================== */

enum { POINTS_LEAST = 3 };

/* The values of one column in rows that differ in the key alone, in its order; all have both
 * numbers. */
typedef struct Sequence {
    const Condition *by; /* of the first row that has the key */
    const StudyValue **values;
    Contender *here, *paper; /* the same */
    size_t count;
    size_t column, first; /* the row that it begins with in the table's order */
    bool others;          /* rows that have the key differ in something else */
} Sequence;

/* Distinct numbers that the rows have for a key. */
static size_t distinct_numbers(const StudyTable *table, const char *key) {
    size_t count = 0;
    for (size_t i = 0; i < table->row_count; i++) {
        const double x = condition_number(&table->rows[i].conditions, key);
        bool is_new = isfinite(x);
        for (size_t j = 0; j < i; j++) {
            is_new = is_new && !(fabs(condition_number(&table->rows[j].conditions, key) - x) <= 0);
        }
        count += is_new ? 1 : 0;
    }
    return count;
}

/* A condition on the key whose numbers order the rows; NULL when no three of them differ in one. */
static const Condition *row_key(const StudyTable *table) {
    const Condition *best = NULL;
    size_t most = POINTS_LEAST - 1;
    for (size_t i = 0; i < table->row_count; i++) {
        const ConditionList *conditions = &table->rows[i].conditions;
        for (size_t j = 0; j < conditions->count; j++) {
            const size_t count = distinct_numbers(table, conditions->items[j].key);
            if (count > most) {
                most = count;
                best = &conditions->items[j];
            }
        }
    }
    return best;
}

/* Whether the rows are in the order of a size, along which times rise by themselves. */
static bool rows_are_sizes(const StudyTable *table) {
    const Condition *by = row_key(table);
    return by != NULL && kind_is_amount(by->kind);
}

static bool is_of_times(const Sequence *sequence) {
    return is_time(sequence->values[0]);
}

static const char *label_at(const Sequence *sequence, size_t point) {
    return sequence->values[point]->row->label;
}

static const char *trend_text(const Sequence *sequence, const Trend *trend, bool published,
                              Document *document) {
    const Contender *series = published ? sequence->paper : sequence->here;
    const char *goes = trend->direction > 0 ? "rises" : "falls";
    const char *within = published ? document_text(document, " within %g%%", 100 * JUDGE_BARE)
                                   : " within its intervals";
    if (trend->direction == 0) {
        return document_text(document, "stays level%s", within);
    }
    if (trend->turns == 0 && trend->level == 0) {
        return document_text(document, "%s at every step", goes);
    }
    if (trend->turns == 0) {
        return document_text(document, "%s or stays level%s", goes, within);
    }
    if (trend->turns == 1) {
        return document_text(document, "%s to %s, then %s", goes, label_at(sequence, trend->turn),
                             trend->direction > 0 ? "falls" : "rises");
    }
    const char *peaks = label_at(sequence, trend->peak);
    for (size_t i = 0; i < sequence->count; i++) {
        if (i != trend->peak && contender_direction(&series[trend->peak], &series[i]) == 0) {
            peaks = text_joined(document, peaks, " or ", label_at(sequence, i));
        }
    }
    return document_text(document, "turns %zu times, %s at %s", trend->turns,
                         is_of_times(sequence) ? "least" : "greatest", peaks);
}

/* Whether two points are the same, or too close to each other in the paper to be distinguished. */
static bool same_point(const Sequence *sequence, size_t here, size_t paper) {
    return here == paper ||
           contender_direction(&sequence->paper[here], &sequence->paper[paper]) == 0;
}

/* Whether some pair of points that has an order in the paper has another one here, or shown none.
 */
static bool any_pair_differs(const Sequence *sequence) {
    for (size_t j = 1; j < sequence->count; j++) {
        for (size_t i = 0; i < j; i++) {
            const int paper = contender_direction(&sequence->paper[i], &sequence->paper[j]);
            const SpeedSide here = contender_side(&sequence->here[i], &sequence->here[j]);
            if (paper != 0 && here != SIDE_UNDECIDED &&
                contender_direction(&sequence->here[i], &sequence->here[j]) != paper) {
                return true;
            }
        }
    }
    return false;
}

/* Steps that may be level leave open what a longer run, or the paper's, would show. A turn of the
 * paper that is not seen here may be hidden by intervals. */
static Agreement same_trend(const Sequence *sequence, const Trend *here, const Trend *paper) {
    const bool level = here->direction == 0 || paper->direction == 0;
    if (here->turns + paper->turns == 0 && (level || here->direction == paper->direction)) {
        return here->direction == paper->direction && here->level <= paper->level ? AGREEMENT_SAME
                                                                                  : AGREEMENT_OPEN;
    }
    const size_t ours = here->turns == 1 ? here->turn : here->peak;
    const size_t theirs = here->turns == 1 ? paper->turn : paper->peak;
    if (here->direction != paper->direction || here->turns != paper->turns) {
        const bool differs = here->turns > paper->turns || any_pair_differs(sequence);
        return paper->direction != 0 && differs ? AGREEMENT_DIFFERS : AGREEMENT_OPEN;
    }
    const Contender *series = sequence->here;
    return same_point(sequence, ours, theirs)                         ? AGREEMENT_SAME
           : contender_direction(&series[ours], &series[theirs]) == 0 ? AGREEMENT_OPEN
                                                                      : AGREEMENT_DIFFERS;
}

/* "Time, HD, omp": with what the rows have besides the key, where there are others. */
static const char *sequence_name(const Sequence *sequence, Document *document) {
    const StudyRow *row = sequence->values[0]->row;
    const char *name = sequence->values[0]->column->title;
    for (size_t i = 0; sequence->others && i < row->conditions.count; i++) {
        if (!same_texts(row->conditions.items[i].key, sequence->by->key)) {
            name = text_joined(document, name, ", ", row->conditions.items[i].value);
        }
    }
    return name;
}

static void add_trend(const ClaimFinder *finder, const Sequence *sequence) {
    Document *document = finder->document;
    for (size_t i = 0; i < sequence->count; i++) {
        sequence->here[i] = study_contender(sequence->values[i], false);
        sequence->paper[i] = study_contender(sequence->values[i], true);
    }
    const Trend here = trend_of(sequence->here, sequence->count, is_of_times(sequence));
    const Trend paper = trend_of(sequence->paper, sequence->count, is_of_times(sequence));
    const Agreement agreement = same_trend(sequence, &here, &paper);
    const bool plain = paper.direction > 0 && paper.turns == 0 && paper.level == 0;
    if (is_of_times(sequence) && kind_is_amount(sequence->by->kind) && plain &&
        agreement == AGREEMENT_SAME) {
        return; /* more work takes longer */
    }
    claim_add(finder, CLAIM_TREND, (VerdictKey){.of = sequence->column, .from = sequence->first},
              document_text(document, "trend of %s", sequence_name(sequence, document)),
              (VerdictSide){.text = trend_text(sequence, &here, false, document),
                            .count = here.turns,
                            .of = sequence->count},
              (VerdictSide){.text = trend_text(sequence, &paper, true, document),
                            .count = paper.turns,
                            .of = sequence->count},
              agreement);
}

/* Whether two rows differ in the key alone. */
static bool same_but_key(const StudyRow *left, const StudyRow *right, const char *key) {
    if (left->conditions.count != right->conditions.count) {
        return false;
    }
    for (size_t i = 0; i < left->conditions.count; i++) {
        const Condition *condition = &left->conditions.items[i];
        const char *other = condition_value(&right->conditions, condition->key);
        if (other == NULL ||
            (!same_texts(condition->key, key) && !same_texts(condition->value, other))) {
            return false;
        }
    }
    return true;
}

/* Insertion by the key's number. */
static void add_value(Sequence *sequence, const StudyValue *value, double x) {
    size_t at = sequence->count++;
    while (at > 0 &&
           condition_number(&sequence->values[at - 1]->row->conditions, sequence->by->key) > x) {
        sequence->values[at] = sequence->values[at - 1];
        at--;
    }
    sequence->values[at] = value;
}

/* The sequence that begins with a row; empty where an earlier row began it. */
static void make_sequence(const TableResult *result, size_t column, size_t first,
                          Sequence *sequence) {
    const StudyTable *table = result->table;
    sequence->count = 0;
    sequence->column = column;
    sequence->first = first;
    sequence->others = false;
    for (size_t i = 0; i < table->row_count; i++) {
        const StudyValue *value = study_value(result, i, column);
        const ConditionList *conditions = &table->rows[i].conditions;
        const double x = condition_number(conditions, sequence->by->key);
        if (!same_but_key(&table->rows[first], &table->rows[i], sequence->by->key)) {
            sequence->others |= condition_of(conditions, sequence->by->key) != NULL;
        } else if (i < first) {
            sequence->count = 0;
            return;
        } else if (isfinite(value->measured) && isfinite(value->published) && isfinite(x)) {
            add_value(sequence, value, x);
        }
    }
}

/* A speedup over one row goes as the times that it is made of, which have a trend themselves. */
static bool times_have_trend(const TableResult *result, const StudyColumn *column) {
    return column->source == COLUMN_BASE &&
           study_has_published(result, study_column_index(result->table, column->over));
}

static void find_trends(const ClaimFinder *finder) {
    const StudyTable *table = finder->table;
    Sequence sequence = {.by = row_key(table)};
    if (sequence.by == NULL) {
        return;
    }
    const size_t room = table->row_count + 1;
    sequence.values = document_allocate(finder->document, room * sizeof *sequence.values);
    sequence.here = document_allocate(finder->document, room * sizeof *sequence.here);
    sequence.paper = document_allocate(finder->document, room * sizeof *sequence.paper);
    for (size_t column = 0; !finder->document->failed && column < table->column_count; column++) {
        const bool known = times_have_trend(finder->result, &table->columns[column]);
        for (size_t row = 0; row < table->row_count && !known; row++) {
            make_sequence(finder->result, column, row, &sequence);
            if (sequence.count >= POINTS_LEAST) {
                add_trend(finder, &sequence);
            }
        }
    }
}

/* === Order ==================================================================================== */

/* Fewer pairs show nothing. */
enum { PAIRS_LEAST = 3 };

/* Pairs of rows that have an order in the paper. */
typedef struct Pairs {
    size_t count, same;
    size_t against; /* the other way round, or shown to have no order */
    size_t equal;   /* as fast, of these or in one launch */
    size_t open[OPEN_WHYS];
    size_t columns;    /* that have pairs */
    const char *title; /* of the last of these */
} Pairs;

/* A number of one run that is no time has no order, whatever it is. */
static Judged judge_pair(const StudyColumn *column, const StudyValue *first,
                         const StudyValue *second) {
    const Contender one = study_contender(first, false), other = study_contender(second, false);
    Judged judged = judge(&one, &other);
    if (judged.why == OPEN_BARE && column->unit.time == NULL && !column->unit.ratio) {
        judged.side = SIDE_UNDECIDED;
        judged.why = OPEN_SINGLE;
    } else if (judged.why == OPEN_INTERVALS && (first->seeds > 0 || second->seeds > 0)) {
        judged.why = OPEN_SEEDS;
    }
    return judged;
}

/* Two rows that show the same measurement are no pair, nor are two that the paper does not tell
 * apart. */
static bool is_pair(const StudyValue *first, const StudyValue *second) {
    return isfinite(first->measured) && isfinite(second->measured) && isfinite(first->published) &&
           isfinite(second->published) && side_is_decided(study_side(first, second, true)) &&
           (first->record == NULL || first->record != second->record);
}

static void count_pairs(const TableResult *result, size_t column, Pairs *pairs) {
    const size_t before = pairs->count;
    for (size_t i = 0; i < result->table->row_count; i++) {
        for (size_t j = i + 1; j < result->table->row_count; j++) {
            const StudyValue *first = study_value(result, i, column);
            const StudyValue *second = study_value(result, j, column);
            if (!is_pair(first, second)) {
                continue;
            }
            const Judged here = judge_pair(&result->table->columns[column], first, second);
            const bool same = here.side == study_side(first, second, true);
            pairs->count++;
            pairs->same += same;
            pairs->against += (side_is_decided(here.side) && !same) || is_shown_equal(&here);
            pairs->equal += here.side == SIDE_SAME;
            pairs->open[here.why] += is_open(&here);
        }
    }
    if (pairs->count > before) {
        pairs->columns++;
        pairs->title = result->table->columns[column].title;
    }
}

/* Times always rise with the size, so over sizes the order of ratios is compared; elsewhere that of
 * times, which ratios to one base share. */
static Pairs count_columns(const TableResult *result, bool ratios) {
    Pairs pairs = {0};
    for (size_t i = 0; i < result->table->column_count; i++) {
        const StudyColumn *column = &result->table->columns[i];
        if ((column->source != COLUMN_CSV || column->unit.ratio) == ratios) {
            count_pairs(result, i, &pairs);
        }
    }
    return pairs;
}

static const char *pairs_text(const Pairs *pairs, size_t open, Document *document) {
    const char *text = pairs->same == pairs->count
                           ? document_text(document, "all %zu pairs", pairs->count)
                           : document_text(document, "%zu of %zu pairs", pairs->same, pairs->count);
    const char *why = "";
    for (OpenWhy i = OPEN_INTERVALS; i < OPEN_WHYS && open > pairs->open[OPEN_INTERVALS]; i++) {
        why =
            pairs->open[i] > 0 ? text_joined(document, why, ", or ", why_words(i, document)) : why;
    }
    return with_equal(with_open(text, open, why, document), pairs->equal, document);
}

static void find_order(const ClaimFinder *finder) {
    const bool sizes = rows_are_sizes(finder->table);
    Pairs pairs = count_columns(finder->result, sizes);
    if (pairs.count == 0 && !sizes) {
        pairs = count_columns(finder->result, true);
    }
    if (pairs.count < PAIRS_LEAST) {
        return;
    }
    size_t open = 0;
    for (size_t i = 0; i < OPEN_WHYS; i++) {
        open += pairs.open[i];
    }
    claim_add(finder, CLAIM_ORDER, (VerdictKey){0},
              document_text(finder->document, "the paper's order by %s",
                            pairs.columns > 1 ? "each column" : pairs.title),
              (VerdictSide){.text = pairs_text(&pairs, open, finder->document),
                            .count = pairs.same,
                            .of = pairs.count,
                            .open = open},
              (VerdictSide){0},
              pairs.same == pairs.count ? AGREEMENT_SAME
              : pairs.against == 0      ? AGREEMENT_OPEN
                                        : AGREEMENT_DIFFERS);
}

/* === Ratio ==================================================================================== */

/* Least and greatest ratio of a column, never a mean: of times the paper's over ours, of ratios
 * ours over the paper's. Counts have none: they depend on the input. */
static void find_ratio(const ClaimFinder *finder, size_t column) {
    const StudyColumn *of = &finder->table->columns[column];
    const bool time = of->unit.time != NULL;
    VerdictSide side = {.low = INFINITY};
    const char *low = "", *high = "";
    for (size_t row = 0; row < finder->table->row_count && (time || of->unit.ratio); row++) {
        const StudyValue *value = study_value(finder->result, row, column);
        if (!(value->measured > 0 && value->published > 0)) {
            continue;
        }
        const double faster = value->published / value->measured;
        const double ratio = time ? faster : 1 / faster;
        low = ratio < side.low ? finder->table->rows[row].label : low;
        high = ratio > side.high ? finder->table->rows[row].label : high;
        side.low = fmin(side.low, ratio);
        side.high = fmax(side.high, ratio);
        side.count++;
    }
    if (side.count == 0) {
        return;
    }
    const char *least = number_of(finder->document, side.low);
    const char *greatest = number_of(finder->document, side.high);
    side.text = same_texts(least, greatest) ? least
                                            : document_text(finder->document, "%s (%s) to %s (%s)",
                                                            least, low, greatest, high);
    if (side.count == 1) {
        side.text = document_text(finder->document, "%s (%s)", least, low);
    }
    claim_add(finder, CLAIM_RATIO, (VerdictKey){.of = column}, of->title, side, (VerdictSide){0},
              AGREEMENT_NONE);
}

/* === Slips of the paper ======================================================================= */

/* More are counted, not listed. */
enum { LISTED_MOST = 6, DIGITS_LEAST = 3, DIGITS_MOST = 6 };

/* If a printed ratio and its times differ by more than this factor, one of them is a misprint. */
#define MISPRINT_FACTOR 1.5

/* A printed number and the range that it stands for: rounded, or cut off behind its last digit. */
static Estimate printed_number(const StudyValue *value) {
    const char *point = strchr(value->paper->printed, '.');
    const size_t decimals = point != NULL ? strspn(point + 1, "0123456789") : 0;
    const double last = pow(10, -(double)decimals);
    return (Estimate){.value = value->published,
                      .low = value->published - last / 2,
                      .high = value->published + last};
}

static int printed_digits(const char *printed) {
    int digits = 0;
    for (const char *c = printed; *c != '\0'; c++) {
        digits += isdigit((unsigned char)*c) && (digits > 0 || *c != '0') ? 1 : 0;
    }
    return digits < DIGITS_LEAST ? DIGITS_LEAST : digits > DIGITS_MOST ? DIGITS_MOST : digits;
}

static bool is_printed(const StudyValue *value) {
    return value->published > 0;
}

/* "NTSC 197.3 → 186.1": printed, and by the printed numbers; NULL where numbers are not printed, or
 * agree. */
static const char *slip_text(const StudyValue *ratio, Document *document) {
    const StudyValue *over = ratio->over;
    const StudyValue *under = ratio->under;
    if (!is_printed(ratio) || !is_printed(over) || !is_printed(under)) {
        return NULL;
    }
    const Estimate printed = printed_number(ratio);
    const Estimate above = printed_number(over), below = printed_number(under);
    const Ratio quotient = ratio_scaled(estimate_ratio(&above, &below), ratio->scale);
    const Estimate computed = {quotient.value, quotient.low, quotient.high};
    /* A number below its last digit has no lower bound above 0. */
    if (below.low <= 0 || estimate_order(&computed, &printed) == 0) {
        return NULL;
    }
    const char *label = ratio->row->label;
    const char *shown = ratio->paper->printed;
    const double apart = fmax(quotient.value / ratio->published, ratio->published / quotient.value);
    if (apart >= MISPRINT_FACTOR && ratio->column->source == COLUMN_BASE) {
        const char *unit = under->column->unit.name;
        return document_text(document, "%s %s or %s %s is a misprint: with %s it would be %s %s",
                             label, shown, under->paper->printed, unit, shown,
                             number_of(document, over->published / ratio->published), unit);
    }
    char text[SIGNIFICANT_SIZE];
    significant_text(quotient.value, printed_digits(shown), text);
    return document_text(document, "%s %s → %s", label, shown, text);
}

/* Ratios of a column that the paper's own numbers contradict. */
static void find_slips(const ClaimFinder *finder, size_t column) {
    VerdictSide side = {.text = "", .of = finder->table->row_count};
    for (size_t row = 0; row < finder->table->row_count; row++) {
        const char *slip = slip_text(study_value(finder->result, row, column), finder->document);
        if (slip != NULL && side.count++ < LISTED_MOST) {
            side.text = text_joined(finder->document, side.text, "; ", slip);
        }
    }
    if (side.count > LISTED_MOST) {
        side.text = document_text(finder->document, "%s; %zu in all", side.text, side.count);
    }
    if (side.count > 0) {
        claim_add(finder, CLAIM_SLIP, (VerdictKey){.of = column},
                  document_text(finder->document, "%s, printed → by its numbers",
                                finder->table->columns[column].title),
                  (VerdictSide){0}, side, AGREEMENT_NONE);
    }
}

/* === Missing ================================================================================== */

static void find_missing(const ClaimFinder *finder) {
    Document *document = finder->document;
    VerdictSide side = {.of = finder->result->count};
    Tally tally = {0};
    for (size_t i = 0; i < side.of; i++) {
        const char *why = finder->result->values[i].why;
        const size_t length = strlen(why);
        if (!isfinite(finder->result->values[i].measured)) {
            const int kept = (int)length - (length > 0 && why[length - 1] == '.' ? 1 : 0);
            side.count++;
            tally_add(&tally, document,
                      kept > 0 ? document_text(document, "%.*s", kept, why) : "no reason is known",
                      NULL);
        }
    }
    side.text = document_text(document, "%zu of %zu cells: ", side.count, side.of);
    for (size_t i = 0; i < tally.count; i++) {
        const TallyItem *item = &tally.items[i];
        const char *count = tally.count > 1 ? document_text(document, " (%zu)", item->count) : "";
        side.text =
            document_text(document, "%s%s%s%s", side.text, i > 0 ? "; " : "", item->key, count);
    }
    if (side.count > 0) {
        claim_add(finder, CLAIM_MISSING, (VerdictKey){0}, "not measured", side, (VerdictSide){0},
                  AGREEMENT_NONE);
    }
}

/* === Verdicts ================================================================================= */

void study_verdicts_find(const TableResult *result, Document *document, VerdictList *list) {
    const StudyTable *table = result->table;
    const ClaimFinder finder = {result, table, document, list};
    WayTimes way_times;
    way_times_make(document, result, &way_times);
    find_fastest(&finder, &way_times);
    find_crossovers(&finder, &way_times);
    /* A confusion matrix is compared cell by cell, in the table itself. */
    if (!table->shaded) {
        find_trends(&finder);
        find_order(&finder);
    }
    for (size_t i = 0; i < table->column_count && !table->shaded; i++) {
        find_ratio(&finder, i);
    }
    for (size_t i = 0; i < table->column_count; i++) {
        if (table->columns[i].source == COLUMN_RATIO || table->columns[i].source == COLUMN_BASE) {
            find_slips(&finder, i);
        }
    }
    find_missing(&finder);
}

bool claim_is_of_shape(Claim claim) {
    return claim <= CLAIM_ORDER;
}

bool verdict_same_claim(const VerdictRow *a, const VerdictRow *b) {
    return a->claim == b->claim && a->key.of == b->key.of && a->key.over == b->key.over &&
           a->key.from == b->key.from;
}

uint64_t verdict_claim_key(const VerdictRow *row) {
    const uint64_t key[] = {(uintptr_t)row->table, row->claim, row->key.of, row->key.over,
                            row->key.from};
    return fnv_bytes(FNV_START, key, sizeof key);
}

/* Whether the paper claims something of which nothing was measured here. */
static bool is_missing(const VerdictRow *row) {
    return claim_is_of_shape(row->claim) && row->agreement == AGREEMENT_NONE &&
           row->paper.text != NULL && row->paper.text[0] != '\0' &&
           (row->here.text == NULL || row->here.text[0] == '\0');
}

/* "Table 8, Tiles 4K": whose claims do not hold. */
static const char *failing_tables(const ClaimList *list, Document *document) {
    Tally tables = {0};
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].verdict == CLAIM_FAILS) {
            tally_add(&tables, document, document_text(document, "%s", list->items[i].of), NULL);
        }
    }
    return tally_keys(&tables, document, ", ");
}

/* How many claims of each kind hold here as in the paper, and which tables differ. A claim of which
 * a part was measured counts as not measured, unless the part contradicts it. */
static void add_counts(const ClaimList lists[CLAIM_SHAPES], Document *document) {
    static const char *const kinds[CLAIM_SHAPES] = {[CLAIM_FASTEST] = "what is fastest",
                                                    [CLAIM_CROSSOVER] =
                                                        "from where on it is faster",
                                                    [CLAIM_TREND] = "how it rises or falls",
                                                    [CLAIM_ORDER] = "the order of the rows"};
    size_t count = 0;
    for (size_t kind = 0; kind < CLAIM_SHAPES; kind++) {
        count += lists[kind].count;
    }
    if (count == 0) {
        return;
    }
    DocTable *table = document_table(document, "verdict-counts", "Claims of the paper, by kind");
    TABLE_COLUMNS(document, table, WORDS("Claim"), NUMBERS("holds"), NUMBERS("differs"),
                  NUMBERS("undecided"), NUMBERS("not measured"), WORDS("differs in"));
    for (size_t kind = 0; kind < CLAIM_SHAPES; kind++) {
        const ClaimList *list = &lists[kind];
        const size_t counts[] = {list->verdicts[CLAIM_HOLDS], list->verdicts[CLAIM_FAILS],
                                 list->undecided, claims_untested(list)};
        if (list->count > 0) {
            table_words(document, table, kinds[kind]);
            for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
                table_words(document, table, document_text(document, "%zu", counts[i]));
            }
            table_words(document, table, failing_tables(list, document));
        }
    }
}

/* Whether too little was measured for the claim of a row, though the numbers that there are have
 * been compared. */
static bool is_in_part(const VerdictRow *row, const ClaimList lists[CLAIM_SHAPES]) {
    const uint64_t key = verdict_claim_key(row);
    bool in_part = false;
    const ClaimList *list = claim_is_of_shape(row->claim) ? &lists[row->claim] : NULL;
    for (size_t i = 0; list != NULL && row->agreement != AGREEMENT_NONE && i < list->count; i++) {
        const JudgedClaim *claim = &list->items[i];
        in_part |= claim->verdict == CLAIM_UNTESTED && !claim->undecided && claim->key == key;
    }
    return in_part;
}

/* Adds the row of a claim, or of all ratios of a table; returns how many claims that is. */
static size_t add_claims(const VerdictRow *row, size_t left, bool paper,
                         const ClaimList lists[CLAIM_SHAPES], Document *document, DocTable *table) {
    static const DocCell agreements[] = {
        [AGREEMENT_NONE] = {.number = NAN},
        [AGREEMENT_SAME] = {.text = "holds", .number = NAN},
        [AGREEMENT_OPEN] = {.text = "undecided", .number = NAN},
        [AGREEMENT_DIFFERS] = {.text = "differs", .number = NAN, .kind = CELL_STRONG}};
    const char *label = row->label, *here = row->here.text;
    size_t count = 1;
    if (row->claim == CLAIM_RATIO) {
        label = "here over the paper";
        here = "";
        for (count = 0;
             count < left && row[count].claim == CLAIM_RATIO && row[count].table == row->table;
             count++) {
            here = text_joined(
                document, here, "; ",
                document_text(document, "%s %s", row[count].label, row[count].here.text));
        }
    }
    table_words(document, table, study_heading_text(row->table->name, document));
    table_words(document, table, label);
    table_words(document, table, here);
    if (paper) {
        table_words(document, table, row->paper.text);
        static const DocCell missing = {
            .text = "not measured", .number = NAN, .kind = CELL_MISSING};
        static const DocCell part = {
            .text = "measured in part", .number = NAN, .kind = CELL_MISSING};
        table_cell(document, table,
                   is_missing(row)          ? &missing
                   : is_in_part(row, lists) ? &part
                                            : &agreements[row->agreement]);
    }
    return count;
}

static void add_verdicts(const StudyResult *result, const VerdictList *list,
                         const ClaimList lists[CLAIM_SHAPES], bool section, Document *document) {
    const bool paper = study_has_paper(result);
    if (section) {
        document_heading(document, 2, paper ? "Here beside the paper" : "What came out");
        add_counts(lists, document);
    }
    DocTable *table =
        document_table(document, "verdicts",
                       paper ? "Here beside the paper, claim by claim" : "What the numbers say");
    TABLE_COLUMNS(document, table, WORDS("Table"), WORDS("Claim"), WORDS("Here"));
    if (paper) {
        TABLE_COLUMNS(document, table, WORDS("In the paper"), WORDS("Agreement"));
    }
    for (size_t i = 0; i < list->count;) {
        i += add_claims(&list->items[i], list->count - i, paper, lists, document, table);
    }
    table->sortable = true;
    table->collapsed = section;
    const LaunchRange launches = study_all_launches(result);
    const char *intervals = study_interval_sentence(&launches, document);
    table->note = document_text(
        document,
        "As fast: the interval of the ratio has 1 in it and lies within %g%%. Undecided: the "
        "interval is wider, two runs have too few launches for one, a time was disturbed, or "
        "numbers without intervals are within %g%%. %sA crossover is between two places of the "
        "table, and not interpolated%s.%s%s",
        100 * judge_criteria.threshold, 100 * JUDGE_BARE,
        paper ? "Here over the paper: the least and the greatest ratio of a column, of times the "
                "paper's ÷ ours, of ratios ours ÷ the paper's. "
              : "",
        paper ? "; two agree if the same one overtakes" : "", intervals[0] != '\0' ? " " : "",
        intervals);
}

void study_verdicts_add(const StudyResult *result, bool section, Document *document) {
    VerdictList list = {0};
    ClaimList lists[CLAIM_SHAPES] = {{.items = NULL}};
    ClaimList *of[CLAIM_SHAPES];
    for (size_t i = 0; i < CLAIM_SHAPES; i++) {
        of[i] = &lists[i];
    }
    for (size_t i = 0; i < result->study->table_count; i++) {
        study_verdicts_find(&result->tables[i], document, &list);
    }
    const Status status = study_claims_sort(result, of);
    document->failed |= !status_is_ok(&status);
    if (list.count > 0) {
        add_verdicts(result, &list, lists, section, document);
    }
    for (size_t i = 0; i < CLAIM_SHAPES; i++) {
        claims_release(&lists[i]);
    }
}
