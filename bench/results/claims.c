/* What a run claims by its numbers, and whether another run says the same. */

#include "claims.h"
#include "algorithm.h"
#include "claim.h"
#include "contenders.h"
#include "crossover.h"
#include "json.h"
#include "list.h"
#include "results.h"
#include "results_internal.h"
#include "row_winners.h"
#include "run_options.h"
#include "table.h"
#include "terminal.h"
#include "text.h"
#include "times.h"
#include "two_runs.h"
#include "variant.h"
#include "words.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* === List of claims =========================================================================== */

static const char *const verdict_names[CLAIM_VERDICTS] = {
    [CLAIM_HOLDS] = "holds",
    [CLAIM_FAILS] = "does not hold",
    [CLAIM_UNTESTED] = "cannot be tested",
    [CLAIM_OPEN] = "to be tested",
};

static const char *verdict_name(const JudgedClaim *claim) {
    return claim->undecided ? "undecided" : verdict_names[claim->verdict];
}

size_t claims_untested(const ClaimList *list) {
    return list->verdicts[CLAIM_UNTESTED] - list->undecided;
}

Status claims_add(ClaimList *list, const JudgedClaim *claim) {
    STATUS_TRY(LIST_ROOM(&list->memory, list->items, list->count, list->capacity, "claims"));
    JudgedClaim own = *claim;
    const char **const texts[] = {&own.of,   &own.place, &own.text,    &own.claimed,
                                  &own.here, &own.why,   &own.launches};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        *texts[i] = owned_text(&list->memory, *texts[i]);
        STATUS_MEMORY(*texts[i], "for %zu claims", list->count + 1);
    }
    list->items[list->count++] = own;
    list->verdicts[own.verdict]++;
    list->undecided += own.undecided;
    return status_ok();
}

void claims_release(ClaimList *list) {
    owned_release(&list->memory);
    *list = (ClaimList){.items = NULL};
}

ExitCode claims_exit_code(const ClaimList *list) {
    if (list->verdicts[CLAIM_FAILS] > 0) {
        return EXIT_REGRESSION;
    }
    return list->verdicts[CLAIM_HOLDS] + list->verdicts[CLAIM_OPEN] > 0 ? EXIT_OK : EXIT_NO_SAMPLE;
}

/* --- Printing --------------------------------------------------------------------------------- */

static void put_claim(TextTable *table, const JudgedClaim *claim, bool launches) {
    text_table_put_kind(table, CELL_PLAIN, claim->of);
    text_table_put_kind(table, CELL_PLAIN, claim->place);
    text_table_put_kind(table, CELL_PLAIN, claim->text);
    text_table_put_kind(table, CELL_PLAIN, claim->claimed);
    text_table_put_kind(table, CELL_PLAIN, claim->here);
    const DocCell verdict = {.text = verdict_name(claim),
                             .number = NAN,
                             .kind = claim->verdict == CLAIM_FAILS ? CELL_STRONG : CELL_PLAIN,
                             .ink = claim->verdict == CLAIM_FAILS   ? INK_SLOWER
                                    : claim->verdict == CLAIM_HOLDS ? INK_FASTER
                                                                    : INK_PLAIN};
    text_table_put_cell(table, &verdict);
    text_table_put_kind(table, CELL_PLAIN, claim->why);
    if (launches) {
        text_table_put_kind(table, CELL_PLAIN, claim->launches);
    }
}

/* Whether it is told of a claim how many launches it rests on. */
static bool has_launches(const ClaimList *list) {
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].launches[0] != '\0') {
            return true;
        }
    }
    return false;
}

/* "does not hold: lbp, meadow.jpg, 4K: cuda_fast over the best CPU, kernel time; claimed: …; here:
 * …" */
static void print_failed(FILE *stream, const JudgedClaim *claim) {
    Flow flow = flow_whole(stream, 2);
    char words[4096];
    snprintf(words, sizeof words, " %s%s%s: %s; claimed: %s; here: %s%s%s", claim->of,
             claim->place[0] != '\0' ? ", " : "", claim->place, claim->text, claim->claimed,
             claim->here[0] != '\0' ? claim->here : "no time", claim->why[0] != '\0' ? "; " : "",
             claim->why);
    flow_words(&flow, INK_SLOWER, "does not hold:");
    flow_words(&flow, INK_PLAIN, words);
    flow_end(&flow);
}

/* "cannot be tested here (40): no CUDA device", once for each reason. */
static void print_untested(FILE *stream, const ClaimList *list, size_t index) {
    const bool undecided = list->items[index].undecided;
    size_t same = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].verdict == CLAIM_UNTESTED && list->items[i].undecided == undecided &&
            strcmp(list->items[i].why, list->items[index].why) == 0) {
            if (i < index) {
                return;
            }
            same++;
        }
    }
    flow_line(stream, 2, "%s (%zu): %s", undecided ? "undecided" : "cannot be tested here", same,
              list->items[index].why);
}

void claims_text(const ClaimList *list, const char *whose, char text[CLAIMS_TEXT_SIZE]) {
    const size_t holds = list->verdicts[CLAIM_HOLDS];
    const size_t fail = list->verdicts[CLAIM_FAILS];
    const size_t tested = holds + fail;
    const size_t untested = claims_untested(list);
    const size_t open = list->verdicts[CLAIM_OPEN];
    if (list->count == 0) {
        snprintf(text, CLAIMS_TEXT_SIZE, "there is no claim%s to test", whose);
        return;
    }
    if (open > 0) {
        snprintf(text, CLAIMS_TEXT_SIZE, "%zu claim%s%s to test", open, open == 1 ? "" : "s",
                 whose);
    } else if (tested == 0) {
        snprintf(text, CLAIMS_TEXT_SIZE, "no claim%s was tested", whose);
    } else {
        snprintf(text, CLAIMS_TEXT_SIZE, "%zu of %zu tested claim%s%s hold%s here", holds, tested,
                 tested == 1 ? "" : "s", whose, tested == 1 ? "s" : "");
        if (fail > 0 && holds > 0) {
            text_append(text, CLAIMS_TEXT_SIZE, ", %zu %s not", fail, fail == 1 ? "does" : "do");
        }
    }
    const char *more = tested > 0 ? " more" : "";
    if (list->undecided > 0) {
        text_append(text, CLAIMS_TEXT_SIZE, "; %zu%s %s undecided", list->undecided, more,
                    plural(list->undecided, "is", "are"));
    }
    if (untested > 0) {
        text_append(text, CLAIMS_TEXT_SIZE, "; %zu%s cannot be tested here", untested, more);
    }
}

Status claims_print(FILE *stream, const ClaimList *list,
                    void (*write)(FILE *stream, const DocTable *table)) {
    static const DocColumn columns[] = {{.title = "of"},
                                        {.title = "size"},
                                        {.title = "claim"},
                                        {.title = "claimed", .rank = 1},
                                        {.title = "here"},
                                        {.title = "verdict"},
                                        {.title = "why", .rank = 2},
                                        {.title = "launches", .rank = 3}};
    const bool launches = has_launches(list);
    TextTable table =
        text_table_start(columns, sizeof columns / sizeof columns[0] - (launches ? 0 : 1));
    table.table.wraps = true;
    for (size_t i = 0; i < list->count; i++) {
        put_claim(&table, &list->items[i], launches);
    }
    STATUS_TRY(text_table_end(&table, stream, write));
    fputc('\n', stream);
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].verdict == CLAIM_FAILS) {
            print_failed(stream, &list->items[i]);
        }
    }
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].verdict == CLAIM_UNTESTED) {
            print_untested(stream, list, i);
        }
    }
    char counts[CLAIMS_TEXT_SIZE];
    detectable_words(&list->detectable, "change of a factor", "claim", counts, sizeof counts);
    if (counts[0] != '\0') {
        flow_line(stream, 2, "%s", counts);
    }
    claims_text(list, "", counts);
    flow_line(stream, 0, "%s", counts);
    return status_ok();
}

static bool add_entry(cJSON *array, const JudgedClaim *claim) {
    cJSON *entry = json_add_object(array);
    return json_add_text(entry, "of", claim->of) && json_add_text(entry, "size", claim->place) &&
           json_add_text(entry, "claim", claim->text) &&
           json_add_text(entry, "claimed", claim->claimed) &&
           json_add_text(entry, "here", claim->here) &&
           json_add_text(entry, "verdict", verdict_name(claim)) &&
           json_add_text(entry, "why", claim->why) &&
           (claim->launches[0] == '\0' || json_add_text(entry, "launches", claim->launches));
}

bool claims_json_add(cJSON *object, const ClaimList *list) {
    cJSON *array = cJSON_AddArrayToObject(object, "claims");
    bool complete = array != NULL;
    for (size_t i = 0; complete && i < list->count; i++) {
        complete = add_entry(array, &list->items[i]);
    }
    return complete && json_add_number(object, "hold", (double)list->verdicts[CLAIM_HOLDS]) &&
           json_add_number(object, "do_not_hold", (double)list->verdicts[CLAIM_FAILS]) &&
           json_add_number(object, "cannot_be_tested", (double)claims_untested(list)) &&
           json_add_number(object, "to_be_tested", (double)list->verdicts[CLAIM_OPEN]) &&
           json_add_number(object, "undecided", (double)list->undecided);
}

/* === Times ==================================================================================== */

enum { PLACES_MAX = OPTIONS_SIZES_MAX, TEXT_SIZE = 256, WHY_SIZE = 2 * TEXT_SIZE };

static const char *const kind_names[TIME_KINDS] = {"kernel time", "with copies"};

/* The fastest of some cells. */
typedef struct Fastest {
    const Row *row; /* over all launches; NULL: none has a time */
    Times times[TIME_KINDS];
} Fastest;

typedef struct Judge {
    const RunClaims *claims;
    ClaimList *list;
    size_t numbers; /* claims of a number, which are tested together */
} Judge;

static bool is_timed(const Row *row) {
    return row->status == CELL_OK && row->verified && row->kernel.count > 0;
}

static bool is_wanted(const Judge *judge, const Row *row) {
    const RunClaims *claims = judge->claims;
    return !row_is_roof(row) && !row->peer && is_timed(row) &&
           (claims->wanted == NULL || claims->wanted(claims->context, row));
}

/* A CPU variant copies nothing. */
static const Samples *samples_of(const Row *row, TimeKind kind) {
    const bool copies = row->end_to_end.count > 0 || !row_is_on_cpu(row);
    return kind == TIME_END_TO_END && copies ? &row->end_to_end : &row->kernel;
}

/* The fastest cell of a variant, or of any variant on the CPU (NULL) but one, by kernel time. */
static Fastest fastest_but(const Results *results, const Row *question, const Variant *variant,
                           const Variant *but) {
    const Samples *samples[TIME_KINDS][RIVALS_MAX];
    const Row *rows[RIVALS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < results->count && count < RIVALS_MAX; i++) {
        const Row *row = &results->rows[i];
        if (is_timed(row) && row_same_question(row, question) &&
            (variant != NULL ? row->variant == variant
                             : row_is_of_side(row, SIDE_CPU) && row->variant != but)) {
            for (TimeKind kind = TIME_KERNEL; kind < TIME_KINDS; kind++) {
                samples[kind][count] = samples_of(row, kind);
            }
            rows[count++] = row;
        }
    }
    Fastest fast = {.row = NULL};
    for (TimeKind kind = TIME_KERNEL; kind < TIME_KINDS; kind++) {
        const size_t best =
            times_of_fastest(samples[TIME_KERNEL], count, samples[kind], &fast.times[kind]);
        fast.row = best != WINNER_NONE ? rows[best] : NULL;
    }
    return fast;
}

static Fastest fastest(const Results *results, const Row *question, const Variant *variant) {
    return fastest_but(results, question, variant, NULL);
}

static TimesRatio ratio_of(const Fastest *slow, const Fastest *fast, TimeKind kind) {
    return times_ratio(&slow->times[kind], &fast->times[kind]);
}

static bool is_known(const TimesRatio *ratio) {
    return ratio->count > 0;
}

static void claimed_text(const TimesRatio *ratio, char text[TEXT_SIZE]) {
    char words[NUMBER_WORDS_SIZE];
    side_text(ratio->side, &ratio->ratio, COMPARED_SPEED, words);
    snprintf(text, TEXT_SIZE, "%s", ratio->itself ? "the best CPU itself" : words);
}

/* === Judging ================================================================================== */

typedef struct Judgement {
    ClaimVerdict verdict;
    bool undecided; /* more launches may decide it */
    char why[WHY_SIZE];
} Judgement;

static Judgement judgement_of(ClaimVerdict verdict, const char *why) {
    Judgement judgement = {.verdict = verdict};
    snprintf(judgement.why, sizeof judgement.why, "%s", why);
    return judgement;
}

static Judgement judgement_by(const ClaimTest *test) {
    char why[CLAIM_REASON_SIZE];
    claim_reason_words(test, why);
    Judgement judgement = judgement_of(test->verdict, why);
    judgement.undecided = claim_is_undecided(test);
    return judgement;
}

static Judgement judge_side(const TimesRatio *claimed, const TimesRatio *here) {
    const ClaimTest test = claim_of_side(claimed, here);
    return judgement_by(&test);
}

/* --- What is missing here --------------------------------------------------------------------- */

/* Of the rows of a variant the reason of the first; `found` gets one with a time. */
static Judgement find_here(const RunClaims *claims, const Row *claimed, const Row **found) {
    Judgement judgement = judgement_of(CLAIM_UNTESTED, "it was not measured here");
    bool reason = false;
    *found = NULL;
    for (size_t i = 0; claims->here != NULL && i < claims->here->count && *found == NULL; i++) {
        const Row *row = &claims->here->rows[i];
        if (row->variant != claimed->variant || !row_same_question(row, claimed)) {
            continue;
        }
        if (is_timed(row)) {
            *found = row;
        } else if (!reason) {
            reason = true;
            judgement = judgement_of(row->status == CELL_FAIL ? CLAIM_FAILS : CLAIM_UNTESTED,
                                     row->why[0] != '\0' ? row->why : "it has no verified time");
        }
    }
    const char *missing = claims->missing != NULL && !reason && *found == NULL
                              ? claims->missing(claims->context, claimed)
                              : NULL;
    if (missing != NULL) {
        return judgement_of(CLAIM_UNTESTED, missing);
    }
    return claims->here == NULL ? judgement_of(CLAIM_OPEN, "") : judgement;
}

/* CLAIM_HOLDS if the row's variant has a time here, of the same input. */
static Judgement judge_presence(const RunClaims *claims, const Row *claimed) {
    const Row *row;
    const Judgement missing = find_here(claims, claimed, &row);
    if (row == NULL) {
        return missing;
    }
    if (row->input_hash != claimed->input_hash && row->input_hash != 0 &&
        claimed->input_hash != 0) {
        char why[TEXT_SIZE];
        snprintf(why, sizeof why,
                 "the input is another: hash %016" PRIx64 " claimed, %016" PRIx64 " here",
                 claimed->input_hash, row->input_hash);
        return judgement_of(CLAIM_UNTESTED, why);
    }
    return judgement_of(CLAIM_HOLDS, "");
}

/* The same for a ratio. The claim is about `first`; what is wrong with the other names it. */
static Judgement judge_presences(const RunClaims *claims, const Row *first, const Row *second) {
    Judgement judgement = judge_presence(claims, first);
    if (judgement.verdict == CLAIM_UNTESTED || judgement.verdict == CLAIM_FAILS ||
        first->variant == second->variant) {
        return judgement;
    }
    const Judgement other = judge_presence(claims, second);
    if (other.verdict == CLAIM_UNTESTED || other.verdict == CLAIM_FAILS) {
        judgement.verdict = CLAIM_UNTESTED;
        snprintf(judgement.why, sizeof judgement.why, "%s: %.400s", second->variant->name,
                 other.why);
    }
    return judgement;
}

/* === Claims of a run ========================================================================== */

/* "lbp, meadow.jpg, box:4, cold" */
static void question_text(const Row *row, char text[TEXT_SIZE]) {
    char answer[TEXT_SIZE];
    point_format(&row->answer, answer, sizeof answer);
    snprintf(text, TEXT_SIZE, "%s, %.100s%s%.100s%s", row->algorithm->name, row->input,
             answer[0] != '\0' ? ", " : "", answer, row->cold ? ", cold" : "");
}

/* Adds what a claim about the row's question has as `claim`. */
static Status add_claim(const Judge *judge, const Row *row, JudgedClaim claim,
                        const Judgement *judgement) {
    char of[TEXT_SIZE];
    question_text(row, of);
    claim.of = of;
    claim.why = judgement->why;
    claim.verdict = judgement->verdict;
    claim.undecided = judgement->undecided;
    return claims_add(judge->list, &claim);
}

/* --- Speedups --------------------------------------------------------------------------------- */

static Status judge_speedup(const Judge *judge, const TimesRatio *claimed, const TimesRatio *here,
                            Judgement *judgement) {
    ClaimTest test;
    if (!is_known(here)) {
        *judgement = judgement_of(CLAIM_UNTESTED, "it has no such time here");
        return status_ok();
    }
    if (judge->claims->same_machine) {
        STATUS_TRY(claim_of_number(claimed, here, judge->numbers, &test));
        if (test.reason != CLAIM_CHANGED) {
            detectable_add(&judge->list->detectable, test.detectable);
        }
    } else {
        test = claim_of_side(claimed, here);
    }
    *judgement = judgement_by(&test);
    return status_ok();
}

static Status add_speedup(const Judge *judge, const Fastest *own, const Fastest *best,
                          TimeKind kind) {
    const RunClaims *claims = judge->claims;
    const TimesRatio claimed = ratio_of(best, own, kind);
    if (!is_known(&claimed) || claimed.itself) {
        return status_ok();
    }
    char text[TEXT_SIZE], there[TEXT_SIZE], now[TEXT_SIZE] = "";
    Judgement judgement = judge_presences(claims, own->row, best->row);
    if (judgement.verdict == CLAIM_HOLDS) {
        const Fastest best_here = fastest(claims->here, own->row, NULL);
        const Fastest own_here = fastest(claims->here, own->row, own->row->variant);
        TimesRatio here = ratio_of(&best_here, &own_here, kind);
        const bool itself = here.itself;
        if (itself) { /* perhaps by luck: how far the others are behind it decides */
            const Fastest rival = fastest_but(claims->here, own->row, NULL, own->row->variant);
            here = rival.row != NULL ? ratio_of(&rival, &own_here, kind) : here;
        }
        STATUS_TRY(judge_speedup(judge, &claimed, &here, &judgement));
        here.itself |= itself && here.side == SIDE_FASTER;
        claimed_text(&here, now);
    }
    claimed_text(&claimed, there);
    snprintf(text, sizeof text, "%s over the best CPU, %s", own->row->variant->name,
             kind_names[kind]);
    return add_claim(
        judge, own->row,
        (JudgedClaim){.place = own->row->size_name,
                      .text = text,
                      .claimed = there,
                      .here = now,
                      .row = own->row,
                      .kind = kind,
                      .factor = claimed.side != SIDE_UNDECIDED ? claimed.ratio.value : 0},
        &judgement);
}

/* --- Orders ----------------------------------------------------------------------------------- */

static Status add_order(const Judge *judge, const Fastest *fast, const Fastest *slow) {
    const RunClaims *claims = judge->claims;
    const TimesRatio claimed = ratio_of(slow, fast, TIME_KERNEL);
    if (claimed.side != SIDE_FASTER) {
        return status_ok();
    }
    char text[TEXT_SIZE], there[TEXT_SIZE], now[TEXT_SIZE] = "";
    Judgement judgement = judge_presences(claims, fast->row, slow->row);
    if (judgement.verdict == CLAIM_HOLDS) {
        const Fastest slow_here = fastest(claims->here, fast->row, slow->row->variant);
        const Fastest fast_here = fastest(claims->here, fast->row, fast->row->variant);
        const TimesRatio here = ratio_of(&slow_here, &fast_here, TIME_KERNEL);
        judgement = judge_side(&claimed, &here);
        claimed_text(&here, now);
    }
    claimed_text(&claimed, there);
    snprintf(text, sizeof text, "%s faster than %s, %s", fast->row->variant->name,
             slow->row->variant->name, kind_names[TIME_KERNEL]);
    return add_claim(
        judge, fast->row,
        (JudgedClaim){.place = fast->row->size_name, .text = text, .claimed = there, .here = now},
        &judgement);
}

/* --- One question ----------------------------------------------------------------------------- */

enum { VARIANTS_MAX = OPTIONS_VARIANTS_MAX };

/* The variants of a question at their fastest tuning, by kernel time. */
typedef struct Ladder {
    Fastest variants[VARIANTS_MAX];
    size_t count;
} Ladder;

static double middle(const Fastest *fast) {
    return estimate_of_times(&fast->times[TIME_KERNEL]).value;
}

static void ladder_insert(Ladder *ladder, const Fastest *fast) {
    size_t at = ladder->count++;
    while (at > 0 && middle(&ladder->variants[at - 1]) > middle(fast)) {
        ladder->variants[at] = ladder->variants[at - 1];
        at--;
    }
    ladder->variants[at] = *fast;
}

/* Rows that are asked for, one of each variant. */
static void make_ladder(const Judge *judge, const Row *question, Ladder *ladder) {
    const Results *results = judge->claims->claimed;
    ladder->count = 0;
    for (size_t i = 0; i < results->count && ladder->count < VARIANTS_MAX; i++) {
        const Row *row = &results->rows[i];
        bool known = !is_wanted(judge, row) || !row_same_question(row, question);
        for (size_t j = 0; j < ladder->count && !known; j++) {
            known = ladder->variants[j].row->variant == row->variant;
        }
        if (!known) {
            const Fastest fast = fastest(results, row, row->variant);
            ladder_insert(ladder, &fast);
        }
    }
}

static Status add_question(const Judge *judge, const Row *question) {
    const Fastest best = fastest(judge->claims->claimed, question, NULL);
    Ladder *ladder = malloc(sizeof *ladder);
    STATUS_MEMORY(ladder, "for the claims of a run");
    make_ladder(judge, question, ladder);
    Status status = status_ok();
    for (size_t i = 0; i < ladder->count; i++) {
        const Fastest *own = &ladder->variants[i];
        const TimeKind last = row_is_on_cpu(own->row) ? TIME_KERNEL : TIME_END_TO_END;
        for (TimeKind kind = TIME_KERNEL; kind <= last && status_is_ok(&status); kind++) {
            status = add_speedup(judge, own, &best, kind);
        }
    }
    for (size_t i = 1; i < ladder->count && status_is_ok(&status); i++) {
        status = add_order(judge, &ladder->variants[i - 1], &ladder->variants[i]);
    }
    free(ladder);
    return status;
}

/* --- Crossovers ------------------------------------------------------------------------------- */

/* A device variant against the best CPU over the sizes, in both runs. */
typedef struct Track {
    size_t count;
    const Row *rows[PLACES_MAX];
    TimesRatio claimed[PLACES_MAX];
    SpeedSide sides[PLACES_MAX], here[PLACES_MAX];
    Judgement judgements[PLACES_MAX]; /* whether the claimed side is ahead here */
    bool missing[PLACES_MAX];         /* it has no time here */
} Track;

static void name_place(const void *places, size_t place, char text[NUMBER_WORDS_SIZE]) {
    snprintf(text, NUMBER_WORDS_SIZE, "%s", ((const Track *)places)->rows[place]->size_name);
}

/* "ahead from 4K on"; "" for less than two sizes with a side. */
static void crossover_text(const Track *track, const SpeedSide *sides, char text[TEXT_SIZE]) {
    const Crossover crossover = crossover_of(sides, track->count);
    text[0] = '\0';
    if (crossover.sides > 1) {
        char words[TEXT_SIZE - 8];
        const Series series = {.sides = sides,
                               .count = track->count,
                               .name = name_place,
                               .places = track,
                               .noun = "size",
                               .nouns = "sizes"};
        crossover_words(&series, words, sizeof words);
        snprintf(text, TEXT_SIZE, "ahead %s", words);
    }
}

/* "4K: " before the reason. */
static Judgement judgement_at(const Track *track, size_t place) {
    Judgement at = {.verdict = track->judgements[place].verdict,
                    .undecided = track->judgements[place].undecided};
    snprintf(at.why, sizeof at.why, "%s: %.400s", track->rows[place]->size_name,
             track->judgements[place].why);
    return at;
}

/* At the sizes of the claim. */
static Judgement judge_crossover_there(const Track *track, const Crossover *claimed, bool open) {
    ClaimVerdict verdicts[PLACES_MAX];
    for (size_t i = 0; i < track->count; i++) {
        verdicts[i] = open && track->judgements[i].verdict == CLAIM_OPEN
                          ? CLAIM_HOLDS
                          : track->judgements[i].verdict;
    }
    const size_t place = claim_of_crossover(claimed, track->sides, verdicts);
    return place != SIZE_MAX ? judgement_at(track, place)
                             : judgement_of(open ? CLAIM_OPEN : CLAIM_HOLDS, "");
}

/* On another machine: it gets ahead there too, at whatever size. */
static Judgement judge_crossover_elsewhere(const Track *track, const Crossover *claimed) {
    const Crossover here = crossover_of(track->here, track->count);
    const ClaimTest test = claim_of_crossover_elsewhere(claimed, &here);
    const bool whole = test.verdict == CLAIM_HOLDS && claimed->changes > 0;
    for (size_t i = 0; i < track->count && !whole; i++) {
        if (side_is_decided(track->sides[i]) && track->missing[i]) {
            return judgement_at(track, i);
        }
    }
    return judgement_by(&test);
}

static Judgement judge_crossover(const RunClaims *claims, const Track *track,
                                 const Crossover *claimed) {
    return claims->here != NULL && !claims->same_machine
               ? judge_crossover_elsewhere(track, claimed)
               : judge_crossover_there(track, claimed, claims->here == NULL);
}

/* False where the run itself has no such ratio. */
static bool judge_place(const Judge *judge, TimeKind kind, Track *track, size_t place) {
    const RunClaims *claims = judge->claims;
    const Row *row = track->rows[place];
    const Fastest best = fastest(claims->claimed, row, NULL);
    const Fastest own = fastest(claims->claimed, row, row->variant);
    Judgement *judgement = &track->judgements[place];
    track->claimed[place] = ratio_of(&best, &own, kind);
    track->sides[place] = track->claimed[place].side;
    track->here[place] = SIDE_UNDECIDED;
    track->missing[place] = false;
    if (!is_known(&track->claimed[place])) {
        return false;
    }
    *judgement = judge_presences(claims, own.row, best.row);
    if (judgement->verdict == CLAIM_HOLDS) {
        const Fastest best_here = fastest(claims->here, row, NULL);
        const Fastest own_here = fastest(claims->here, row, row->variant);
        const TimesRatio here = ratio_of(&best_here, &own_here, kind);
        track->here[place] = here.side;
        *judgement = is_known(&here) ? judge_side(&track->claimed[place], &here)
                                     : judgement_of(CLAIM_UNTESTED, "it has no such time here");
        track->missing[place] = !is_known(&here);
    } else {
        track->missing[place] = true;
    }
    return true;
}

/* Insertion by size; of equal sizes, as of other tunings, the first. */
static void add_place(const Row *row, Track *track) {
    const double size = row_size(row);
    size_t at = track->count;
    while (at > 0 && row_size(track->rows[at - 1]) > size) {
        at--;
    }
    const bool known = at > 0 && !(row_size(track->rows[at - 1]) < size);
    if (!known && track->count < PLACES_MAX) {
        memmove(&track->rows[at + 1], &track->rows[at], (track->count - at) * sizeof(const Row *));
        track->rows[at] = row;
        track->count++;
    }
}

static Status add_crossover(const Judge *judge, const Row *row, TimeKind kind, Track *track) {
    const Results *results = judge->claims->claimed;
    memset(track, 0, sizeof *track);
    for (size_t i = 0; i < results->count; i++) {
        if (is_wanted(judge, &results->rows[i]) && row_same_growth(&results->rows[i], row)) {
            add_place(&results->rows[i], track);
        }
    }
    size_t known = 0; /* places where both have a time */
    for (size_t i = 0; i < track->count; i++) {
        track->rows[known] = track->rows[i];
        known += judge_place(judge, kind, track, known);
    }
    track->count = known;
    const Crossover claimed = crossover_of(track->sides, track->count);
    if (claimed.sides < 2 || claimed.changes > 1) {
        return status_ok();
    }
    char text[TEXT_SIZE], there[TEXT_SIZE], now[TEXT_SIZE];
    const Judgement judgement = judge_crossover(judge->claims, track, &claimed);
    snprintf(text, sizeof text, "%s against the best CPU, %s", row->variant->name,
             kind_names[kind]);
    crossover_text(track, track->sides, there);
    crossover_text(track, track->here, now);
    return add_claim(
        judge, row,
        (JudgedClaim){.text = text, .claimed = there, .here = now, .row = row, .kind = kind},
        &judgement);
}

static Status add_crossovers(const Judge *judge, const Row *row) {
    Track *track = malloc(sizeof *track);
    Status status = track != NULL ? status_ok() : status_no_memory("for the crossovers of a run");
    for (TimeKind kind = TIME_KERNEL; kind < TIME_KINDS && status_is_ok(&status); kind++) {
        status = add_crossover(judge, row, kind, track);
    }
    free(track);
    return status;
}

/* --- All -------------------------------------------------------------------------------------- */

/* Whether `same` says so of no earlier row that is asked for. */
static bool is_first(const Judge *judge, size_t index, bool (*same)(const Row *a, const Row *b)) {
    const Row *rows = judge->claims->claimed->rows;
    for (size_t i = 0; i < index; i++) {
        if (is_wanted(judge, &rows[i]) && same(&rows[i], &rows[index])) {
            return false;
        }
    }
    return true;
}

static Status judge_all(const Judge *judge) {
    const Results *results = judge->claims->claimed;
    for (size_t i = 0; i < results->count; i++) {
        if (is_wanted(judge, &results->rows[i]) && is_first(judge, i, row_same_question)) {
            STATUS_TRY(add_question(judge, &results->rows[i]));
        }
    }
    for (size_t i = 0; i < results->count; i++) {
        const Row *row = &results->rows[i];
        if (is_wanted(judge, row) && !row_is_on_cpu(row) && is_first(judge, i, row_same_growth)) {
            STATUS_TRY(add_crossovers(judge, row));
        }
    }
    return status_ok();
}

static bool same_way(const Row *a, const Row *b) {
    return a->variant == b->variant && row_same_question(a, b);
}

/* A speedup of each variant, of a device two. */
static size_t count_numbers(const Judge *judge) {
    const Results *results = judge->claims->claimed;
    size_t count = 0;
    for (size_t i = 0; i < results->count; i++) {
        const Row *row = &results->rows[i];
        if (is_wanted(judge, row) && is_first(judge, i, same_way)) {
            count += row_is_on_cpu(row) ? 1 : TIME_KINDS;
        }
    }
    return count;
}

Status run_claims_judge(const RunClaims *claims, ClaimList *list) {
    Judge judge = {.claims = claims, .list = list};
    judge.numbers = count_numbers(&judge);
    return judge_all(&judge);
}
