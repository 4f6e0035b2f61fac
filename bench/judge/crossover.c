/* Crossovers: the size from which on one curve of times is below another. */

#include "judge_internal.h"
#include "text.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* The number that stands for a time: its value or an end of its interval. */
typedef enum Choice { CHOOSE_VALUE, CHOOSE_LOW, CHOOSE_HIGH } Choice;

/* The sides over the sizes that both curves have, and where its last change is. */
typedef struct Walk {
    Course course;
    double from, to;
    double turn;                   /* NAN without a change */
    double position, disadvantage; /* of the last size, logarithms */
} Walk;

static bool is_positive(double number) {
    return isfinite(number) && number > 0;
}

static double chosen_time(const CurvePoint *point, Choice choice) {
    const double end = choice == CHOOSE_LOW ? point->low : point->high;
    return choice != CHOOSE_VALUE && is_positive(end) ? end : point->value;
}

/* `disadvantage` is the logarithm of the challenger's time over the champion's. */
static void walk_on(Walk *walk, double x, double disadvantage) {
    const double position = log(x);
    const size_t changes = walk->course.changes;
    walk->from = walk->course.places == 0 ? x : walk->from;
    course_add(&walk->course, disadvantage < 0 ? SIDE_FASTER : SIDE_SLOWER);
    if (walk->course.changes > changes) {
        const double share = walk->disadvantage / (walk->disadvantage - disadvantage);
        walk->turn = exp(walk->position + share * (position - walk->position));
    }
    walk->to = x;
    walk->position = position;
    walk->disadvantage = disadvantage;
}

typedef struct Curve {
    const CurvePoint *points;
    size_t count;
    Choice choice;
} Curve;

static Walk walk_along(const Curve *challenger, const Curve *champion) {
    Walk walk = {.turn = NAN, .from = NAN, .to = NAN};
    size_t i = 0;
    size_t j = 0;
    while (i < challenger->count && j < champion->count) {
        const CurvePoint *left = &challenger->points[i];
        const CurvePoint *right = &champion->points[j];
        if (left->x < right->x) {
            i++;
            continue;
        }
        if (right->x < left->x) {
            j++;
            continue;
        }
        if (is_positive(left->x) && is_positive(left->value) && is_positive(right->value)) {
            walk_on(&walk, left->x,
                    log(chosen_time(left, challenger->choice)) -
                        log(chosen_time(right, champion->choice)));
        }
        i++;
        j++;
    }
    return walk;
}

/* The last change, if it is to that side; NAN without such a change. */
static double turn_to(const Walk *walk, SpeedSide side) {
    return walk->course.side == side ? walk->turn : (double)NAN;
}

/* Sizes at which the intervals allow either to be ahead: at best the challenger, at worst not. */
static size_t count_open(const Curve *challenger, const Curve *champion) {
    size_t open = 0;
    for (size_t i = 0, j = 0; i < challenger->count && j < champion->count;) {
        const CurvePoint *left = &challenger->points[i];
        const CurvePoint *right = &champion->points[j];
        const bool left_alone = left->x < right->x;
        const bool right_alone = right->x < left->x;
        if (!left_alone && !right_alone && is_positive(left->x) && is_positive(left->value) &&
            is_positive(right->value)) {
            open += chosen_time(left, CHOOSE_LOW) < chosen_time(right, CHOOSE_HIGH) &&
                    !(chosen_time(left, CHOOSE_HIGH) < chosen_time(right, CHOOSE_LOW));
        }
        i += !right_alone;
        j += !left_alone;
    }
    return open;
}

/* Whether what the medians say of every size may be otherwise at some, and from no size on is
 * certain (`certain_from` NAN). `other` is the walk that the intervals allow. */
static bool is_unsure(const Walk *other, SpeedSide side, double certain_from) {
    return isnan(certain_from) && (other->course.changes > 0 || other->course.side != side);
}

Crossover crossover_find(const CurvePoint *challenger, size_t challenger_count,
                         const CurvePoint *champion, size_t champion_count) {
    Curve left = {.points = challenger, .count = challenger_count, .choice = CHOOSE_VALUE};
    Curve right = {.points = champion, .count = champion_count, .choice = CHOOSE_VALUE};
    const Walk likely = walk_along(&left, &right);
    left.choice = CHOOSE_LOW;
    right.choice = CHOOSE_HIGH;
    const Walk best = walk_along(&left, &right);
    left.choice = CHOOSE_HIGH;
    right.choice = CHOOSE_LOW;
    const Walk worst = walk_along(&left, &right);
    Crossover crossover = {.kind = course_kind(&likely.course),
                           .x = NAN,
                           .low = turn_to(&best, SIDE_FASTER),
                           .high = turn_to(&worst, SIDE_FASTER),
                           .from = likely.from,
                           .to = likely.to,
                           .points = likely.course.places,
                           .open = count_open(&left, &right)};
    if (crossover.kind == CROSSOVER_UNTIL) {
        crossover.x = likely.turn;
        crossover.low = turn_to(&worst, SIDE_SLOWER);
        crossover.high = turn_to(&best, SIDE_SLOWER);
    } else {
        crossover.x = turn_to(&likely, SIDE_FASTER);
    }
    if (crossover.kind == CROSSOVER_ALWAYS) {
        crossover.unsure = is_unsure(&worst, SIDE_FASTER, crossover.high);
    } else if (crossover.kind == CROSSOVER_NEVER) {
        crossover.unsure = is_unsure(&best, SIDE_SLOWER, crossover.low);
    }
    return crossover;
}

bool crossover_is_even(const Crossover *crossover) {
    return crossover->points > 0 &&
           (crossover->launches == 0 ? crossover->open == crossover->points
                                     : crossover->points == 1 && crossover->unsure);
}

/* --- Over launches ---------------------------------------------------------------------------- */

/* The size at which the launch gets ahead (falls behind: `until`) for good: -INFINITY before the
 * measured sizes, INFINITY beyond them, NAN where the launch says nothing. */
static double place_in_launch(const Crossover *launch, bool until) {
    switch (launch->kind) {
    case CROSSOVER_AT: return until ? (double)INFINITY : launch->x;
    case CROSSOVER_UNTIL: return until ? launch->x : (double)INFINITY;
    case CROSSOVER_ALWAYS: return until ? (double)INFINITY : -(double)INFINITY;
    case CROSSOVER_NEVER: return until ? -(double)INFINITY : (double)INFINITY;
    case CROSSOVER_MIXED:
        if (isnan(launch->x)) { /* behind at the end */
            return until ? -(double)INFINITY : (double)INFINITY;
        }
        return until ? (double)INFINITY : launch->x;
    case CROSSOVER_UNKNOWN: break;
    }
    return NAN;
}

/* What the median of the places, which may be outside of the measured sizes, makes of `whole`. */
static CrossoverKind kind_over_launches(const Crossover *whole, double median, bool until) {
    if (isnan(median) || (whole->kind == CROSSOVER_MIXED && median > 0)) {
        return whole->kind;
    }
    if (isinf(median)) {
        return (median > 0) == until ? CROSSOVER_ALWAYS : CROSSOVER_NEVER;
    }
    return until ? CROSSOVER_UNTIL : CROSSOVER_AT;
}

/* Sorts. The mean of two equal infinities is that; of two opposite ones NAN. */
static double median_place(double *places, size_t count) {
    qsort(places, count, sizeof *places, compare_doubles);
    const double below = places[(count - 1) / 2];
    const double above = places[count / 2];
    return below == above ? below : (below + above) / 2;
}

Crossover crossover_over_launches(const Crossover *whole, const Crossover *launches, size_t count) {
    const bool until = whole->kind == CROSSOVER_UNTIL;
    double places[LAUNCHES_MAX];
    size_t known = 0;
    for (size_t i = 0; i < count && known < LAUNCHES_MAX; i++) {
        places[known] = place_in_launch(&launches[i], until);
        known += !isnan(places[known]);
    }
    if (known == 0) {
        return *whole;
    }
    const LaunchSummary summary = launches_summarize(places, known);
    const double median = median_place(places, known);
    Crossover crossover = *whole;
    crossover.launches = known;
    crossover.unsure = false;
    crossover.kind = kind_over_launches(whole, median, until);
    if (!isnan(median)) {
        crossover.x = isfinite(median) ? median : (double)NAN;
    }
    crossover.low = isfinite(summary.low) ? summary.low : (double)NAN;
    crossover.high = isfinite(summary.high) ? summary.high : (double)NAN;
    if (isinf(median)) {
        const double end = median > 0 ? summary.low : summary.high;
        crossover.unsure = until ? end != median : isinf(end) && end != median;
        crossover.low = until ? (double)NAN : crossover.low;
        crossover.high = until ? (double)NAN : crossover.high;
    }
    return crossover;
}

/* --- Cells ------------------------------------------------------------------------------------ */

/* `medians`: those of a launch each, of which there are `launches`. */
typedef struct CellCurve {
    CurvePoint *points;
    double (*medians)[LAUNCHES_MAX];
    size_t count, launches;
} CellCurve;

/* The point of a cell, and the times of its launches, whose number is returned. */
static size_t read_cell(const CurveCell *cell, CurvePoint *point, double medians[LAUNCHES_MAX]) {
    const WinnerChoice *winner = cell->winner;
    size_t launches;
    *point = (CurvePoint){.x = cell->x, .value = cell->summary->median};
    if (winner == NULL) {
        summary_range(cell->summary, &point->low, &point->high);
        launches = samples_launch_medians(cell->samples, medians);
    } else {
        point->value = winner->seconds;
        point->low = winner->low;
        point->high = winner->high;
        launches = winner->by_launch.launches;
        memcpy(medians, winner->by_launch.seconds, launches * sizeof *medians);
    }
    point->value *= cell->weight;
    point->low *= cell->weight;
    point->high *= cell->weight;
    return launches;
}

/* False without memory; release it in either case. */
static bool curve_of_cells(const CurveCell *cells, size_t count, CellCurve *curve) {
    *curve = (CellCurve){.points = calloc(count + 1, sizeof *curve->points),
                         .medians = calloc(count + 1, sizeof *curve->medians),
                         .count = count};
    const bool complete = curve->points != NULL && curve->medians != NULL;
    for (size_t i = 0; complete && i < count; i++) {
        const CurveCell *cell = &cells[i];
        CurvePoint *point = &curve->points[i];
        const size_t launches = read_cell(cell, point, curve->medians[i]);
        for (size_t launch = 0; launch < LAUNCHES_MAX; launch++) {
            curve->medians[i][launch] =
                launch < launches ? cell->weight * curve->medians[i][launch] : (double)NAN;
        }
        curve->launches = launches > curve->launches ? launches : curve->launches;
    }
    return complete;
}

static void curve_release(CellCurve *curve) {
    free(curve->points);
    free(curve->medians);
}

/* The same curve as one launch has it. */
static void use_launch(CellCurve *curve, size_t launch) {
    for (size_t i = 0; i < curve->count; i++) {
        curve->points[i].value = curve->medians[i][launch];
        curve->points[i].low = curve->points[i].high = NAN;
    }
}

static Crossover crossover_of_curves(CellCurve *ahead, CellCurve *behind, bool by_launch) {
    const Crossover whole =
        crossover_find(ahead->points, ahead->count, behind->points, behind->count);
    Crossover launches[LAUNCHES_MAX];
    const size_t both = ahead->launches < behind->launches ? ahead->launches : behind->launches;
    const size_t count = by_launch && both > 1 ? both : 0;
    for (size_t i = 0; i < count; i++) {
        use_launch(ahead, i);
        use_launch(behind, i);
        launches[i] = crossover_find(ahead->points, ahead->count, behind->points, behind->count);
    }
    return crossover_over_launches(&whole, launches, count);
}

Crossover crossover_of_cells(const CurveCell *challenger, size_t challenger_count,
                             const CurveCell *champion, size_t champion_count, bool by_launch) {
    CellCurve ahead;
    CellCurve behind;
    Crossover crossover = {.kind = CROSSOVER_UNKNOWN, .x = NAN};
    const bool first = curve_of_cells(challenger, challenger_count, &ahead);
    const bool second = curve_of_cells(champion, champion_count, &behind);
    if (first && second) {
        crossover = crossover_of_curves(&ahead, &behind, by_launch);
    }
    curve_release(&ahead);
    curve_release(&behind);
    return crossover;
}
