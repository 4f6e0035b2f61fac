#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "study_words_parts.h"
#include "study_words_text.h"

enum { PLACES_LISTED = 5 };

/* The order at one place. */
typedef struct Lead {
    size_t place;
    size_t winner, second, slowest; /* contestants */
    double over_second, over_slowest;
    bool tie;     /* the two fastest have the same time */
    bool overlap; /* their intervals overlap */
    bool unknown; /* they are close and have no intervals */
    bool part;    /* others of the place have no time */
    size_t count; /* contestants with a time */
} Lead;

/* All places where at least two have a time. */
typedef struct Leads {
    const Contest *contest;
    bool published;
    Lead *list;
    size_t count;
    size_t *wins; /* a contestant, ties not counted */
} Leads;

static const ContestCell *cell_at(const Leads *leads, size_t contestant, size_t place) {
    return &leads->contest->cells[contestant * leads->contest->place_count + place];
}

/* What two rows show of one and the same measurement counts once. */
static double time_at(const Leads *leads, size_t contestant, size_t place) {
    const ContestCell *cell = cell_at(leads, contestant, place);
    for (size_t i = 0; i < contestant && !leads->published && cell->value != NULL; i++) {
        const ContestCell *other = cell_at(leads, i, place);
        if (other->value != NULL && other->value->record != NULL &&
            other->value->record == cell->value->record) {
            return NAN;
        }
    }
    return contest_time(leads->contest, contestant, place, leads->published);
}

static bool intervals_are_known(const ContestCell *fast, const ContestCell *slow) {
    return isfinite(fast->value->high) && isfinite(slow->value->low);
}

static bool intervals_overlap(const ContestCell *fast, const ContestCell *slow) {
    return fast->value->high * fast->milliseconds >= slow->value->low * slow->milliseconds;
}

/* False when fewer than two have a time there. */
static bool find_lead(const Leads *leads, size_t place, Lead *lead) {
    *lead = (Lead){.place = place, .winner = SIZE_MAX, .second = SIZE_MAX, .slowest = SIZE_MAX};
    double best = INFINITY;
    double next = INFINITY;
    double worst = 0;
    for (size_t i = 0; i < leads->contest->contestant_count; i++) {
        const double time = time_at(leads, i, place);
        if (isnan(time)) {
            const StudyValue *value = cell_at(leads, i, place)->value;
            lead->part = lead->part || (value != NULL && isnan(value->measured));
            continue;
        }
        lead->count++;
        if (time < best) {
            next = best;
            lead->second = lead->winner;
            best = time;
            lead->winner = i;
        } else if (time < next) {
            next = time;
            lead->second = i;
        }
        if (time > worst) {
            worst = time;
            lead->slowest = i;
        }
    }
    if (lead->count < 2) {
        return false;
    }
    lead->over_second = next / best;
    lead->over_slowest = worst / best;
    lead->tie = next <= best;
    if (!leads->published) {
        const ContestCell *fast = cell_at(leads, lead->winner, place);
        const ContestCell *slow = cell_at(leads, lead->second, place);
        lead->overlap = intervals_overlap(fast, slow);
        lead->unknown = lead->over_second < WORDS_CLOSE && !intervals_are_known(fast, slow);
    }
    return true;
}

static bool leads_make(const Contest *contest, bool published, Leads *leads) {
    *leads = (Leads){.contest = contest,
                     .published = published,
                     .list = calloc(contest->place_count + 1, sizeof *leads->list),
                     .wins = calloc(contest->contestant_count + 1, sizeof *leads->wins)};
    if (leads->list == NULL || leads->wins == NULL) {
        return false;
    }
    for (size_t place = 0; place < contest->place_count; place++) {
        Lead *lead = &leads->list[leads->count];
        if (find_lead(leads, place, lead)) {
            leads->count++;
            leads->wins[lead->winner] += lead->tie ? 0 : 1;
        }
    }
    return true;
}

static void leads_release(Leads *leads) {
    free(leads->list);
    free(leads->wins);
}

static bool places_are_sizes(const Contest *contest) {
    return contest_is_one_curve(contest) && strcmp(contest->x_key, "size") == 0;
}

static const char *at_places(const Contest *contest) {
    return places_are_sizes(contest) ? "at" : "in";
}

static const char *places_noun(const Contest *contest) {
    return places_are_sizes(contest) ? "sizes" : "cases";
}

/* "1.1 to 3 times as fast as <name>"; where that is not the same everywhere, `otherwise`. */
static void say_factor(Words *words, const Leads *leads, bool slowest, const char *otherwise) {
    double low = INFINITY;
    double high = 0;
    bool same = true;
    const Lead *first = &leads->list[0];
    for (size_t i = 0; i < leads->count; i++) {
        const Lead *lead = &leads->list[i];
        const double factor = slowest ? lead->over_slowest : lead->over_second;
        low = fmin(low, factor);
        high = fmax(high, factor);
        same = same && (slowest ? lead->slowest == first->slowest : lead->second == first->second);
    }
    const size_t other = slowest ? first->slowest : first->second;
    words_say(words, "%s times as fast as %s", words_range(words->document, low, high),
              same ? leads->contest->contestants[other] : otherwise);
}

static void say_lead(Words *words, const Leads *leads) {
    bool more = false;
    for (size_t i = 0; i < leads->count; i++) {
        more = more || leads->list[i].count > 2;
    }
    say_factor(words, leads, false, "the second");
    if (more) {
        words_say(words, ", ");
        say_factor(words, leads, true, "the slowest");
    }
}

/* The only place that has an order. */
static void say_single(Words *words, const Leads *leads) {
    const Lead *lead = &leads->list[0];
    const Contest *contest = leads->contest;
    const char *winner = contest->contestants[lead->winner];
    if (lead->tie) {
        words_say(words, "%s and %s are equally fast", winner, contest->contestants[lead->second]);
    } else {
        words_say(words, "%s is the fastest", winner);
    }
    if (contest->place_count > 1) {
        words_say(words, " for %s", contest->places[lead->place].name);
    }
    const ContestCell *cell = cell_at(leads, lead->winner, lead->place);
    const char *time = leads->published && cell->value->printed != NULL
                           ? cell->value->printed
                           : words_number(words->document, cell->value->measured);
    words_say(words, " with %s %s", time, cell->column->unit);
    if (!lead->tie) {
        words_say(words, ", ");
        say_lead(words, leads);
    }
    words_say(words, ".");
}

static void say_all_places(Words *words, const Leads *leads) {
    const Contest *contest = leads->contest;
    if (leads->count == 2) {
        words_say(words, "%s both %s", at_places(contest), places_noun(contest));
    } else {
        words_say(words, "%s all %zu %s", at_places(contest), leads->count, places_noun(contest));
    }
}

static void say_everywhere(Words *words, const Leads *leads, size_t winner) {
    const Contest *contest = leads->contest;
    words_say(words, "%s is the fastest ", contest->contestants[winner]);
    say_all_places(words, leads);
    words_say(words, ", ");
    say_lead(words, leads);
    words_say(words, ".");
}

/* " (HD and 4K)": the places that a contestant wins, or those with a tie (SIZE_MAX), where they are
 * few. */
static void say_places(Words *words, const Leads *leads, size_t winner, size_t count) {
    size_t said = 0;
    if (count > PLACES_LISTED) {
        return;
    }
    words_say(words, " (");
    for (size_t i = 0; i < leads->count; i++) {
        const Lead *lead = &leads->list[i];
        if (winner == SIZE_MAX ? lead->tie : (!lead->tie && lead->winner == winner)) {
            words_item(words, said++, count, leads->contest->places[lead->place].name);
        }
    }
    words_say(words, ")");
}

static void say_ties(Words *words, const Leads *leads, size_t ties) {
    words_say(words, "; %s %zu the two fastest are equal", at_places(leads->contest), ties);
    say_places(words, leads, SIZE_MAX, ties);
}

static void say_several(Words *words, const Leads *leads, size_t most) {
    const Contest *contest = leads->contest;
    size_t ties = leads->count;
    words_say(words, "%s is the fastest %s %zu of %zu %s", contest->contestants[most],
              at_places(contest), leads->wins[most], leads->count, places_noun(contest));
    say_places(words, leads, most, leads->wins[most]);
    for (size_t i = 0; i < contest->contestant_count; i++) {
        ties -= leads->wins[i];
        if (i != most && leads->wins[i] > 0) {
            words_say(words, ", %s %s %zu", contest->contestants[i], at_places(contest),
                      leads->wins[i]);
            say_places(words, leads, i, leads->wins[i]);
        }
    }
    if (ties > 0) {
        say_ties(words, leads, ties);
    }
    words_say(words, ". The fastest is ");
    say_lead(words, leads);
    words_say(words, ".");
}

/* "In 2 of these 5 the …", or "The …" where there is but one case. */
static void say_chance(Words *words, const Leads *leads, size_t count, const char *what) {
    if (count == 0) {
        return;
    }
    words_sentence(words);
    if (leads->count == 1) {
        words_say(words, "The");
    } else if (count == leads->count) {
        words_say(words, count == 2 ? "In both the" : "In all of them the");
    } else {
        words_say(words, "In %zu of these %zu the", count, leads->count);
    }
    words_say(words, " %s: their order may be chance.", what);
}

/* Times whose intervals overlap may change places in another run. */
static void say_chances(Words *words, const Leads *leads) {
    size_t overlaps = 0;
    size_t unknown = 0;
    for (size_t i = 0; i < leads->count; i++) {
        overlaps += leads->list[i].overlap && !leads->list[i].tie ? 1 : 0;
        unknown += leads->list[i].unknown && !leads->list[i].tie ? 1 : 0;
    }
    say_chance(words, leads, overlaps, "intervals of the two fastest overlap");
    say_chance(words, leads, unknown,
               "two fastest are within 10% of each other and have no intervals");
}

static void say_leads(Words *words, const Leads *leads) {
    size_t most = 0;
    bool part = false;
    for (size_t i = 0; i < leads->contest->contestant_count; i++) {
        most = leads->wins[i] > leads->wins[most] ? i : most;
    }
    for (size_t i = 0; i < leads->count; i++) {
        part = part || leads->list[i].part;
    }
    words_sentence(words);
    if (leads->published) {
        words_say(words, "In the paper ");
    } else if (part) {
        words_say(words, "Of those measured here, ");
    }
    if (leads->count == 1) {
        say_single(words, leads);
    } else if (leads->wins[most] == leads->count) {
        say_everywhere(words, leads, most);
    } else if (leads->wins[most] == 0) {
        words_say(words, "%s two fastest are equal ", leads->published || part ? "the" : "The");
        say_all_places(words, leads);
        words_say(words, ".");
    } else {
        say_several(words, leads, most);
    }
    say_chances(words, leads);
}

void words_winner(Document *document, const Contest *contest) {
    Words words = {.document = document};
    for (int published = 0; published < 2; published++) {
        Leads leads;
        if (!leads_make(contest, published != 0, &leads)) {
            document->failed = true;
        } else if (leads.count > 0) {
            say_leads(&words, &leads);
        }
        leads_release(&leads);
    }
    words_end(&words);
}
