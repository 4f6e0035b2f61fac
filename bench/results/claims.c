/* What a run claims by its numbers, and whether another run says the same. */

#include "claims.h"
#include "json.h"
#include "list.h"
#include "results_internal.h"
#include "text.h"

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

/* NULL without memory. */
static const char *own_text(ClaimList *list, const char *text) {
    const size_t size = strlen(text != NULL ? text : "") + 1;
    char *copy = owned_take(&list->memory, size);
    return copy != NULL && text != NULL ? memcpy(copy, text, size) : copy;
}

Status claims_add(ClaimList *list, const JudgedClaim *claim) {
    STATUS_TRY(LIST_ROOM(&list->memory, list->items, list->count, list->capacity, "claims"));
    JudgedClaim own = *claim;
    const char **const texts[] = {&own.of,      &own.place, &own.text,
                                  &own.claimed, &own.here,  &own.why};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        *texts[i] = own_text(list, *texts[i]);
        if (*texts[i] == NULL) {
            return status_no_memory("for %zu claims", list->count + 1);
        }
    }
    list->items[list->count++] = own;
    list->verdicts[own.verdict]++;
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

static void put_claim(TextTable *table, const JudgedClaim *claim) {
    text_table_put_kind(table, CELL_PLAIN, claim->of);
    text_table_put_kind(table, CELL_PLAIN, claim->place);
    text_table_put_kind(table, CELL_PLAIN, claim->text);
    text_table_put_kind(table, CELL_PLAIN, claim->claimed);
    text_table_put_kind(table, CELL_PLAIN, claim->here);
    const DocCell verdict = {.text = verdict_names[claim->verdict],
                             .number = NAN,
                             .kind = claim->verdict == CLAIM_FAILS ? CELL_STRONG : CELL_PLAIN,
                             .ink = claim->verdict == CLAIM_FAILS   ? INK_SLOWER
                                    : claim->verdict == CLAIM_HOLDS ? INK_FASTER
                                                                    : INK_PLAIN};
    text_table_put_cell(table, &verdict);
    text_table_put_kind(table, CELL_PLAIN, claim->why);
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
    size_t same = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].verdict == CLAIM_UNTESTED &&
            strcmp(list->items[i].why, list->items[index].why) == 0) {
            if (i < index) {
                return;
            }
            same++;
        }
    }
    flow_line(stream, 2, "cannot be tested here (%zu): %s", same, list->items[index].why);
}

void claims_text(const ClaimList *list, const char *whose, char text[CLAIMS_TEXT_SIZE]) {
    const size_t holds = list->verdicts[CLAIM_HOLDS];
    const size_t fail = list->verdicts[CLAIM_FAILS];
    const size_t tested = holds + fail;
    const size_t untested = list->verdicts[CLAIM_UNTESTED];
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
    if (untested > 0) {
        text_append(text, CLAIMS_TEXT_SIZE, "; %zu%s cannot be tested here", untested,
                    tested > 0 ? " more" : "");
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
                                        {.title = "why", .rank = 2}};
    TextTable table = text_table_start(columns, sizeof columns / sizeof columns[0]);
    table.table.wraps = true;
    for (size_t i = 0; i < list->count; i++) {
        put_claim(&table, &list->items[i]);
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
    claims_text(list, "", counts);
    flow_line(stream, 0, "%s", counts);
    return status_ok();
}

static bool add_entry(cJSON *array, const JudgedClaim *claim) {
    cJSON *entry = cJSON_CreateObject();
    const bool complete = json_add_text(entry, "of", claim->of) &&
                          json_add_text(entry, "size", claim->place) &&
                          json_add_text(entry, "claim", claim->text) &&
                          json_add_text(entry, "claimed", claim->claimed) &&
                          json_add_text(entry, "here", claim->here) &&
                          json_add_text(entry, "verdict", verdict_names[claim->verdict]) &&
                          json_add_text(entry, "why", claim->why);
    entry = json_whole(entry, complete);
    return entry != NULL && cJSON_AddItemToArray(array, entry);
}

bool claims_json_add(cJSON *object, const ClaimList *list) {
    cJSON *array = cJSON_AddArrayToObject(object, "claims");
    bool complete = array != NULL;
    for (size_t i = 0; complete && i < list->count; i++) {
        complete = add_entry(array, &list->items[i]);
    }
    return complete && json_add_number(object, "hold", (double)list->verdicts[CLAIM_HOLDS]) &&
           json_add_number(object, "do_not_hold", (double)list->verdicts[CLAIM_FAILS]) &&
           json_add_number(object, "cannot_be_tested", (double)list->verdicts[CLAIM_UNTESTED]) &&
           json_add_number(object, "to_be_tested", (double)list->verdicts[CLAIM_OPEN]);
}

/* === Times ==================================================================================== */

enum { PLACES_MAX = OPTIONS_SIZES_MAX, TEXT_SIZE = 256, WHY_SIZE = 2 * TEXT_SIZE };

/* Kernel time and end to end. */
enum { KERNEL, END_TO_END, KINDS };

static const char *const kind_names[KINDS] = {"kernel time", "end to end"};

/* The launch medians of the fastest of some cells. */
typedef struct Times {
    const Row *row; /* the fastest over all launches; NULL: none has a time */
    double seconds[KINDS][LAUNCHES_MAX];
    size_t launches;
} Times;

typedef struct Judge {
    const RunClaims *claims;
    ClaimList *list;
} Judge;

static bool is_timed(const Row *row) {
    return row->status == CELL_OK && row->verified && row->kernel.count > 0;
}

static bool on_cpu(const Row *row) {
    return variant_is_on_cpu(row->variant);
}

static bool is_wanted(const Judge *judge, const Row *row) {
    const RunClaims *claims = judge->claims;
    return strcmp(row->algorithm->name, "copy") != 0 && is_timed(row) &&
           (claims->wanted == NULL || claims->wanted(claims->context, row));
}

/* The launches that a row does not have are NAN. */
static void read_medians(const Row *row, int kind, double medians[LAUNCHES_MAX]) {
    const bool copies = row->end_to_end.count > 0 || !on_cpu(row);
    const Samples *samples = kind == END_TO_END && copies ? &row->end_to_end : &row->kernel;
    for (size_t i = samples_launch_medians(samples, medians); i < LAUNCHES_MAX; i++) {
        medians[i] = NAN;
    }
}

/* The fastest cell of a variant, or of any variant on the CPU (NULL), by kernel time. Of several
 * launches each takes the one that the others find the fastest: its luck does not count. */
static Times fastest(const Results *results, const Row *question, const Variant *variant) {
    const Samples *samples[RIVALS_MAX];
    const Row *rows[RIVALS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < results->count && count < RIVALS_MAX; i++) {
        const Row *row = &results->rows[i];
        if (is_timed(row) && row_same_question(row, question) &&
            (variant != NULL ? row->variant == variant : on_cpu(row))) {
            samples[count] = &row->kernel;
            rows[count++] = row;
        }
    }
    const LaunchWinners winners = launches_choose(samples, count);
    Times times = {.row = winners.all != WINNER_NONE ? rows[winners.all] : NULL,
                   .launches = winners.launches};
    for (size_t launch = 0; times.row != NULL && launch < times.launches; launch++) {
        const size_t chosen = winners.of[launch] != WINNER_NONE ? winners.of[launch] : winners.all;
        const Row *winner = rows[chosen];
        for (int kind = 0; kind < KINDS; kind++) {
            double medians[LAUNCHES_MAX];
            read_medians(winner, kind, medians);
            times.seconds[kind][launch] = medians[launch];
        }
    }
    return times;
}

/* === Ratios =================================================================================== */

/* Of one launch alone, the launch to launch spread is unknown. So far 95% of repeated launches were
 * within these factors of each other (times on a CPU, and on a GPU). */
static const double one_launch_cpu = 1.5, one_launch_gpu = 1.25;

/* An interval whose ends are this factor apart would agree with almost anything. */
static const double useless_width = 4;

/* How many times faster one is than the other. */
typedef struct Factor {
    LaunchSummary ratio; /* launches 0: not known */
    double low, high;    /* 95% interval, whatever it rests on */
    bool cpu;            /* one of both is on a CPU */
    bool same;           /* both are one cell */
} Factor;

/* `other`: the same ratio in another run of the same machine, whose launches differ as much; NULL:
 * none. */
static void bound(Factor *factor, const LaunchSummary *other) {
    const LaunchSummary *ratios[] = {&factor->ratio, other};
    double half = log(factor->cpu ? one_launch_cpu : one_launch_gpu);
    double squares = 0;
    size_t degrees = 0;
    for (size_t i = 0; i < 2; i++) {
        if (ratios[i] != NULL && ratios[i]->launches > 1) {
            degrees += ratios[i]->launches - 1;
            squares += (double)(ratios[i]->launches - 1) * pow(ratios[i]->spread, 2);
        }
    }
    if (degrees > 0) {
        half = student_quantile(0.975, degrees) *
               sqrt(squares / (double)degrees / (double)factor->ratio.launches);
    }
    const LaunchSummary *own = &factor->ratio;
    half = factor->same ? 0 : half; /* a cell over itself is known */
    factor->low = own->is_interval ? own->low : own->median * exp(-half);
    factor->high = own->is_interval ? own->high : own->median * exp(half);
}

static Factor factor_of(const Times *slow, const Times *fast, int kind) {
    const size_t launches = slow->launches < fast->launches ? slow->launches : fast->launches;
    Factor factor = {.ratio = launches_none()};
    if (slow->row != NULL && fast->row != NULL) {
        factor.ratio = launches_ratio(slow->seconds[kind], fast->seconds[kind], launches);
        factor.cpu = on_cpu(slow->row) || on_cpu(fast->row);
        factor.same = slow->row == fast->row;
        bound(&factor, NULL);
    }
    return factor;
}

static bool is_known(const Factor *factor) {
    return factor->ratio.launches > 0;
}

/* "36.7× faster (36.2 to 37.1)", "as fast (0.98 to 1.03)", "1.70× slower (1 launch)", "1.10×, not
 * undecided (1 launch)", "3.10× faster (3.0 to 3.3, 3 launches)" */
static void factor_text(const Factor *factor, char text[TEXT_SIZE]) {
    char times[RATIO_WORDS_SIZE];
    char interval[NUMBER_WORDS_SIZE];
    const LaunchSummary *ratio = &factor->ratio;
    const Ratio speeds = {.value = ratio->median, .low = ratio->low, .high = ratio->high};
    const bool one = ratio->launches == 1; /* its bounds are those of `bound` */
    const bool even = one ? factor->low <= 1 && factor->high >= 1 : ratio_is_even(&speeds);
    const bool slower = ratio->median < 1 && !even;
    text[0] = '\0';
    if (!is_known(factor)) {
        return;
    }
    if (factor->same) {
        snprintf(text, TEXT_SIZE, "the best CPU itself");
        return;
    }
    interval_text(slower ? 1 / ratio->high : ratio->low, slower ? 1 / ratio->low : ratio->high,
                  interval);
    if (one && even) {
        times_text(ratio->median, times);
        text_append(text, TEXT_SIZE, "%s, undecided", times);
    } else {
        factor_words(&speeds, times);
        text_append(text, TEXT_SIZE, "%s", times);
    }
    if (one) {
        text_append(text, TEXT_SIZE, " (1 launch)");
    } else if (ratio->is_interval) {
        text_append(text, TEXT_SIZE, " (%s)", interval);
    } else {
        text_append(text, TEXT_SIZE, " (%s, %zu launches)", interval, ratio->launches);
    }
}

/* === Judging ================================================================================== */

typedef struct Judgement {
    ClaimVerdict verdict;
    char why[WHY_SIZE];
} Judgement;

static Judgement judgement_of(ClaimVerdict verdict, const char *why) {
    Judgement judgement = {.verdict = verdict};
    snprintf(judgement.why, sizeof judgement.why, "%s", why);
    return judgement;
}

/* Whether two runs of one machine measured the same ratio. */
static Judgement judge_number(Factor claimed, Factor here) {
    bound(&claimed, &here.ratio);
    bound(&here, &claimed.ratio);
    const double low = here.low / claimed.high;
    const double high = here.high / claimed.low;
    if (low > 1 + CLAIM_TOLERANCE || high < 1 / (1 + CLAIM_TOLERANCE)) {
        char times[SIGNIFICANT_SIZE];
        char why[TEXT_SIZE];
        const double change = here.ratio.median / claimed.ratio.median;
        times_text(change > 1 ? change : 1 / change, times);
        snprintf(why, sizeof why, "the factor is %s %s here", times,
                 change > 1 ? "greater" : "smaller");
        return judgement_of(CLAIM_FAILS, why);
    }
    if (here.high > useless_width * here.low || claimed.high > useless_width * claimed.low) {
        return judgement_of(CLAIM_UNTESTED, "the launches differ too much to tell");
    }
    return judgement_of(CLAIM_HOLDS, "");
}

static Factor inverse(Factor factor) {
    const double low = factor.low;
    factor.low = 1 / factor.high;
    factor.high = 1 / low;
    return factor;
}

/* 1: the first is faster, -1: slower, 0: the interval allows both. */
static int side_of(const Factor *factor) {
    return !is_known(factor) ? 0 : factor->low > 1 ? 1 : factor->high < 1 ? -1 : 0;
}

/* Whether the same side is ahead; `claimed` has a side. */
static Judgement judge_side(Factor claimed, Factor here) {
    static const double beyond = 1 + CLAIM_TOLERANCE;
    const bool ahead = claimed.low > 1;
    claimed = ahead ? claimed : inverse(claimed);
    here = ahead ? here : inverse(here);
    if (here.low > 1) {
        return judgement_of(CLAIM_HOLDS, "");
    }
    if (here.high < 1 / beyond) {
        return judgement_of(CLAIM_FAILS, "it is the other way round here");
    }
    if (here.low > 1 / beyond && here.high < beyond && claimed.low > beyond) {
        return judgement_of(CLAIM_FAILS, "both are equal here");
    }
    return judgement_of(CLAIM_UNTESTED, "too close to tell which is ahead");
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

static Status add_claim(const Judge *judge, const Row *row, const char *place, const char *text,
                        const char *claimed, const char *here, const Judgement *judgement) {
    char of[TEXT_SIZE];
    question_text(row, of);
    return claims_add(judge->list, &(JudgedClaim){.of = of,
                                                  .place = place,
                                                  .text = text,
                                                  .claimed = claimed,
                                                  .here = here,
                                                  .why = judgement->why,
                                                  .verdict = judgement->verdict});
}

/* --- Speedups --------------------------------------------------------------------------------- */

static Judgement judge_speedup(const RunClaims *claims, const Factor *claimed, const Factor *here) {
    if (!is_known(here)) {
        return judgement_of(CLAIM_UNTESTED, "it has no such time here");
    }
    if (claims->same_machine) {
        return judge_number(*claimed, *here);
    }
    return side_of(claimed) != 0
               ? judge_side(*claimed, *here)
               : judgement_of(CLAIM_UNTESTED, "another machine, and no side was claimed ahead");
}

static Status add_speedup(const Judge *judge, const Times *own, const Times *best, int kind) {
    const RunClaims *claims = judge->claims;
    const Factor claimed = factor_of(best, own, kind);
    if (!is_known(&claimed) || own->row == best->row) {
        return status_ok();
    }
    char text[TEXT_SIZE], there[TEXT_SIZE], now[TEXT_SIZE] = "";
    Judgement judgement = judge_presences(claims, own->row, best->row);
    if (judgement.verdict == CLAIM_HOLDS) {
        const Times best_here = fastest(claims->here, own->row, NULL);
        const Times own_here = fastest(claims->here, own->row, own->row->variant);
        const Factor here = factor_of(&best_here, &own_here, kind);
        judgement = judge_speedup(claims, &claimed, &here);
        factor_text(&here, now);
    }
    factor_text(&claimed, there);
    snprintf(text, sizeof text, "%s over the best CPU, %s", own->row->variant->name,
             kind_names[kind]);
    return add_claim(judge, own->row, own->row->size_name, text, there, now, &judgement);
}

/* --- Orders ----------------------------------------------------------------------------------- */

static Status add_order(const Judge *judge, const Times *fast, const Times *slow) {
    const RunClaims *claims = judge->claims;
    const Factor claimed = factor_of(slow, fast, KERNEL);
    if (side_of(&claimed) != 1) {
        return status_ok();
    }
    char text[TEXT_SIZE], there[TEXT_SIZE], now[TEXT_SIZE] = "";
    Judgement judgement = judge_presences(claims, fast->row, slow->row);
    if (judgement.verdict == CLAIM_HOLDS) {
        const Times slow_here = fastest(claims->here, fast->row, slow->row->variant);
        const Times fast_here = fastest(claims->here, fast->row, fast->row->variant);
        const Factor here = factor_of(&slow_here, &fast_here, KERNEL);
        judgement = judge_side(claimed, here);
        factor_text(&here, now);
    }
    factor_text(&claimed, there);
    snprintf(text, sizeof text, "%s faster than %s, %s", fast->row->variant->name,
             slow->row->variant->name, kind_names[KERNEL]);
    return add_claim(judge, fast->row, fast->row->size_name, text, there, now, &judgement);
}

/* --- One question ----------------------------------------------------------------------------- */

enum { VARIANTS_MAX = OPTIONS_VARIANTS_MAX };

/* The variants of a question at their fastest tuning, by kernel time. */
typedef struct Ladder {
    Times variants[VARIANTS_MAX];
    size_t count;
} Ladder;

static double middle(const Times *times) {
    return launches_summarize(times->seconds[KERNEL], times->launches).median;
}

static void ladder_insert(Ladder *ladder, const Times *times) {
    size_t at = ladder->count++;
    while (at > 0 && middle(&ladder->variants[at - 1]) > middle(times)) {
        ladder->variants[at] = ladder->variants[at - 1];
        at--;
    }
    ladder->variants[at] = *times;
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
            const Times times = fastest(results, row, row->variant);
            ladder_insert(ladder, &times);
        }
    }
}

static Status add_question(const Judge *judge, const Row *question) {
    const Times best = fastest(judge->claims->claimed, question, NULL);
    Ladder *ladder = malloc(sizeof *ladder);
    if (ladder == NULL) {
        return status_no_memory("for the claims of a run");
    }
    make_ladder(judge, question, ladder);
    Status status = status_ok();
    for (size_t i = 0; i < ladder->count; i++) {
        const Times *own = &ladder->variants[i];
        const int kinds = on_cpu(own->row) ? KERNEL + 1 : KINDS;
        for (int kind = 0; kind < kinds && status_is_ok(&status); kind++) {
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

/* A device variant against the best CPU at one size, in both runs. */
typedef struct Place {
    const Row *row;
    double size;
    Factor claimed, here;
    Judgement presence; /* CLAIM_HOLDS: it has a time here */
} Place;

typedef struct Track {
    Place *places;
    size_t count;
} Track;

/* Over the sizes at which a side is ahead. */
typedef struct Course {
    CrossoverKind kind;
    size_t sides;         /* how many these are */
    size_t first, last;   /* the outermost of them */
    size_t before, after; /* those around the change, if it is one */
} Course;

static double size_of(const Row *row) {
    return (double)row->width * row->height * (row->images > 0 ? row->images : 1);
}

static Course course_of(const Track *track, bool here) {
    Course course = {.kind = CROSSOVER_UNKNOWN};
    int before = 0;
    size_t changes = 0;
    for (size_t i = 0; i < track->count; i++) {
        const int side = side_of(here ? &track->places[i].here : &track->places[i].claimed);
        if (side == 0) {
            continue;
        }
        if (course.sides++ == 0) {
            course.first = i;
        } else if (side != before) {
            changes++;
            course.before = course.last;
            course.after = i;
        }
        course.last = i;
        before = side;
    }
    if (course.sides > 1) {
        course.kind = changes > 1    ? CROSSOVER_MIXED
                      : changes == 1 ? (before > 0 ? CROSSOVER_AT : CROSSOVER_UNTIL)
                      : before > 0   ? CROSSOVER_ALWAYS
                                     : CROSSOVER_NEVER;
    }
    return course;
}

static void course_text(const Track *track, const Course *course, char text[TEXT_SIZE]) {
    const Place *places = track->places;
    const char *first = places[course->first].row->size_name;
    const char *last = places[course->last].row->size_name;
    const char *before = places[course->before].row->size_name;
    const char *after = places[course->after].row->size_name;
    switch (course->kind) {
    case CROSSOVER_AT:
        snprintf(text, TEXT_SIZE, "gets ahead between %s and %s", before, after);
        break;
    case CROSSOVER_UNTIL:
        snprintf(text, TEXT_SIZE, "falls behind between %s and %s", before, after);
        break;
    case CROSSOVER_ALWAYS: snprintf(text, TEXT_SIZE, "ahead from %s to %s", first, last); break;
    case CROSSOVER_NEVER: snprintf(text, TEXT_SIZE, "behind from %s to %s", first, last); break;
    case CROSSOVER_MIXED: snprintf(text, TEXT_SIZE, "changes more than once"); break;
    case CROSSOVER_UNKNOWN: text[0] = '\0'; break;
    }
}

/* Whether the claim needs a side at this place here: at both ends of the change, or without one at
 * every size. */
static bool is_needed(const Course *course, size_t place) {
    return (course->kind != CROSSOVER_AT && course->kind != CROSSOVER_UNTIL) ||
           place == course->before || place == course->after;
}

/* ": at 4K" behind the reason. */
static Judgement judgement_at(const Judgement *judgement, const Place *place) {
    Judgement at = {.verdict = judgement->verdict};
    snprintf(at.why, sizeof at.why, "%s: %.400s", place->row->size_name, judgement->why);
    return at;
}

/* On the same machine: the same side is ahead at each size. */
static Judgement judge_course_there(const Track *track, const Course *claimed) {
    Judgement open = judgement_of(CLAIM_HOLDS, "");
    for (size_t i = 0; i < track->count; i++) {
        const Place *place = &track->places[i];
        if (side_of(&place->claimed) == 0) {
            continue;
        }
        const Judgement judgement = place->presence.verdict == CLAIM_HOLDS
                                        ? judge_side(place->claimed, place->here)
                                        : place->presence;
        if (judgement.verdict == CLAIM_FAILS) {
            return judgement_at(&judgement, place);
        }
        if (judgement.verdict != CLAIM_HOLDS && open.verdict == CLAIM_HOLDS &&
            is_needed(claimed, i)) {
            open = judgement_at(&judgement, place);
        }
    }
    return open;
}

/* On another machine: it gets ahead there too, at whatever size. */
static Judgement judge_course_elsewhere(const Track *track, const Course *claimed) {
    const Course here = course_of(track, true);
    if (here.kind == claimed->kind &&
        (claimed->kind == CROSSOVER_AT || claimed->kind == CROSSOVER_UNTIL)) {
        return judgement_of(CLAIM_HOLDS, "");
    }
    for (size_t i = 0; i < track->count; i++) {
        const Place *place = &track->places[i];
        if (side_of(&place->claimed) != 0 && place->presence.verdict != CLAIM_HOLDS) {
            return judgement_at(&place->presence, place);
        }
    }
    if (here.kind == CROSSOVER_UNKNOWN) {
        return judgement_of(CLAIM_UNTESTED, "too close to tell which is ahead");
    }
    return here.kind == claimed->kind
               ? judgement_of(CLAIM_HOLDS, "")
               : judgement_of(CLAIM_FAILS, "another machine, and another course");
}

static Judgement judge_course(const RunClaims *claims, const Track *track, const Course *claimed) {
    if (claims->here == NULL) {
        for (size_t i = 0; i < track->count; i++) {
            const Place *place = &track->places[i];
            if (side_of(&place->claimed) != 0 && is_needed(claimed, i) &&
                place->presence.verdict == CLAIM_UNTESTED) {
                return judgement_at(&place->presence, place);
            }
        }
        return judgement_of(CLAIM_OPEN, "");
    }
    return claims->same_machine ? judge_course_there(track, claimed)
                                : judge_course_elsewhere(track, claimed);
}

static bool same_track(const Row *a, const Row *b) {
    return a->algorithm == b->algorithm && a->variant == b->variant &&
           strcmp(a->input, b->input) == 0 && a->cold == b->cold &&
           point_equal(&a->answer, &b->answer);
}

static Place make_place(const Judge *judge, const Row *row, int kind) {
    const RunClaims *claims = judge->claims;
    const Times best = fastest(claims->claimed, row, NULL);
    const Times own = fastest(claims->claimed, row, row->variant);
    Place place = {.row = row, .size = size_of(row), .claimed = factor_of(&best, &own, kind)};
    if (!is_known(&place.claimed)) {
        return place;
    }
    place.presence = judge_presences(claims, own.row, best.row);
    if (place.presence.verdict == CLAIM_HOLDS) {
        const Times best_here = fastest(claims->here, row, NULL);
        const Times own_here = fastest(claims->here, row, row->variant);
        place.here = factor_of(&best_here, &own_here, kind);
        if (!is_known(&place.here)) {
            place.presence = judgement_of(CLAIM_UNTESTED, "it has no such time here");
        }
    }
    return place;
}

/* Insertion by size; of equal sizes, as of other tunings, the first. */
static void add_place(const Judge *judge, const Row *row, int kind, Track *track) {
    const double size = size_of(row);
    size_t at = track->count;
    while (at > 0 && track->places[at - 1].size >= size) {
        at--;
        if (track->places[at].size <= size) {
            return;
        }
    }
    const Place place = make_place(judge, row, kind);
    if (track->count < PLACES_MAX && is_known(&place.claimed)) {
        memmove(&track->places[at + 1], &track->places[at],
                (track->count - at) * sizeof *track->places);
        track->places[at] = place;
        track->count++;
    }
}

static Status add_crossover(const Judge *judge, const Row *row, int kind, Track *track) {
    const Results *results = judge->claims->claimed;
    track->count = 0;
    for (size_t i = 0; i < results->count; i++) {
        if (is_wanted(judge, &results->rows[i]) && same_track(&results->rows[i], row)) {
            add_place(judge, &results->rows[i], kind, track);
        }
    }
    const Course claimed = course_of(track, false);
    if (claimed.kind == CROSSOVER_UNKNOWN || claimed.kind == CROSSOVER_MIXED) {
        return status_ok();
    }
    const Course here = course_of(track, true);
    char text[TEXT_SIZE], there[TEXT_SIZE], now[TEXT_SIZE];
    const Judgement judgement = judge_course(judge->claims, track, &claimed);
    snprintf(text, sizeof text, "%s against the best CPU, %s", row->variant->name,
             kind_names[kind]);
    course_text(track, &claimed, there);
    course_text(track, &here, now);
    return add_claim(judge, row, "", text, there, now, &judgement);
}

static Status add_crossovers(const Judge *judge, const Row *row) {
    Track track = {.places = calloc(PLACES_MAX + 1, sizeof *track.places)};
    Status status =
        track.places != NULL ? status_ok() : status_no_memory("for the crossovers of a run");
    for (int kind = 0; kind < KINDS && status_is_ok(&status); kind++) {
        status = add_crossover(judge, row, kind, &track);
    }
    free(track.places);
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
        if (is_wanted(judge, row) && !on_cpu(row) && is_first(judge, i, same_track)) {
            STATUS_TRY(add_crossovers(judge, row));
        }
    }
    return status_ok();
}

Status run_claims_judge(const RunClaims *claims, ClaimList *list) {
    const Judge judge = {.claims = claims, .list = list};
    return judge_all(&judge);
}
