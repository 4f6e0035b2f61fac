#include "box_choice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw.h"
#include "thread_team.h"

enum { DRAW_LIKENESS = 30, DRAW_ORDER };
enum { WEIGHT_ONE = 16384 };

/* Margins are held against a share of the bits chosen so far, in steps of this many bits. */
static const double margin_share = 0.1, margin_step = 12;
static const double alike_most = 0.85; /* share of places that two chosen tests may agree on */

static size_t rows_of(const BoxChoice *choice) {
    return 2 * (size_t)choice->points;
}

static const uint8_t *bits_of(const BoxChoice *choice, int32_t candidate) {
    return choice->bits + (size_t)candidate * rows_of(choice);
}

/* --- Bits ------------------------------------------------------------------------------------- */

/* A byte for each bit, and all of a candidate's in succession: those are what is summed over. */
static void spread(const PlaceSet *samples, BoxChoice *choice) {
    const size_t rows = rows_of(choice);
    for (int32_t view = 0; view < 2; view++) {
        for (int32_t point = 0; point < choice->points; point++) {
            const uint8_t *row = place_set_row(samples, choice->order[point], view);
            const size_t at = (size_t)view * (size_t)choice->points + (size_t)point;
            for (int32_t c = 0; c < choice->candidates; c++) {
                choice->bits[(size_t)c * rows + at] = row[c / 8] >> (7 - c % 8) & 1;
            }
        }
    }
}

static void draw_order(const PlaceSet *samples, BoxChoice *choice) {
    Draw draw = draw_start(choice->seed, DRAW_ORDER, 0);
    for (int32_t i = 0; i < choice->points; i++) {
        const int32_t other = draw_below(&draw, i + 1);
        choice->order[i] = choice->order[other];
        choice->order[other] = i;
    }
    for (int32_t i = 0; i < choice->points; i++) {
        choice->places[i] = samples->places[choice->order[i]];
    }
}

static Status allocate(BoxChoice *choice) {
    const size_t points = (size_t)choice->points;
    const size_t candidates = (size_t)choice->candidates;
    const size_t block = 2 * (size_t)BOX_CHOICE_BLOCK;
    choice->order = calloc(points, sizeof *choice->order);
    choice->places = calloc(points, sizeof *choice->places);
    choice->bits = malloc(candidates * 2 * points);
    choice->gains = malloc(candidates * points);
    choice->triplets = calloc(points, sizeof *choice->triplets);
    choice->margins = calloc(points, sizeof *choice->margins);
    choice->weights = calloc(points, sizeof *choice->weights);
    choice->passed = calloc(candidates, 1);
    choice->codes = calloc(block * (size_t)choice->most, sizeof *choice->codes);
    choice->likeness = calloc(block * block, sizeof *choice->likeness);
    return choice->order != NULL && choice->places != NULL && choice->bits != NULL &&
                   choice->gains != NULL && choice->triplets != NULL && choice->margins != NULL &&
                   choice->weights != NULL && choice->passed != NULL && choice->codes != NULL &&
                   choice->likeness != NULL
               ? status_ok()
               : status_skip("no memory left for %d candidates at %d places; fewer --candidates "
                             "need less",
                             (int)choice->candidates, (int)choice->points);
}

Status box_choice_create(const PlaceSet *samples, uint64_t seed, int32_t *chosen, int32_t most,
                         BoxChoice *choice) {
    *choice = (BoxChoice){.points = samples->points,
                          .candidates = (int32_t)(8 * samples->row),
                          .seed = seed,
                          .most = most};
    choice->chosen = chosen;
    STATUS_TRY(blas_library_threaded(&choice->blas));
    STATUS_TRY(allocate(choice));
    draw_order(samples, choice);
    spread(samples, choice);
    return status_ok();
}

void box_choice_release(BoxChoice *choice) {
    free(choice->order);
    free(choice->places);
    free(choice->bits);
    free(choice->gains);
    free(choice->triplets);
    free(choice->margins);
    free(choice->weights);
    free(choice->passed);
    free(choice->codes);
    free(choice->likeness);
    *choice = (BoxChoice){0};
}

/* --- Negatives -------------------------------------------------------------------------------- */

/* Row `row` of a block of `n` places from `first` on, as a row of all places. */
static int32_t row_of_block(const BoxChoice *choice, int32_t first, int32_t n, int32_t row) {
    return row < n ? first + row : choice->points + first + row - n;
}

/* Before anything is chosen all are alike, and any other place will do. */
static void draw_likeness(BoxChoice *choice, int32_t first, int32_t n) {
    Draw draw = draw_start(choice->seed, DRAW_LIKENESS, (uint64_t)first);
    for (size_t i = 0; i < 4 * (size_t)n * (size_t)n; i++) {
        choice->likeness[i] = (float)draw_between(&draw, 0, 1);
    }
}

static void find_likeness(BoxChoice *choice, int32_t first, int32_t n) {
    for (int32_t row = 0; row < 2 * n; row++) {
        const size_t at = (size_t)row_of_block(choice, first, n, row);
        float *code = choice->codes + (size_t)row * (size_t)choice->count;
        for (int32_t k = 0; k < choice->count; k++) {
            code[k] = bits_of(choice, choice->chosen[k])[at] ? 1 : -1;
        }
    }
    choice->blas->sgemm(BLAS_ROW_MAJOR, BLAS_AS_IT_IS, BLAS_TRANSPOSED, 2 * n, 2 * n, choice->count,
                        1, choice->codes, choice->count, choice->codes, choice->count, 0,
                        choice->likeness, 2 * n);
}

static void mine_block(BoxChoice *choice, int32_t first, int32_t n) {
    Triplet *triplets = choice->triplets + first;
    (choice->count == 0 ? draw_likeness : find_likeness)(choice, first, n);
    triplets_choose(choice->likeness, choice->places + first, n, triplets);
    for (int32_t i = 0; i < n; i++) {
        triplets[i] = (Triplet){row_of_block(choice, first, n, triplets[i].anchor),
                                row_of_block(choice, first, n, triplets[i].positive),
                                row_of_block(choice, first, n, triplets[i].negative)};
    }
}

static void find_gains(BoxChoice *choice) {
#pragma omp parallel for num_threads(thread_team_default()) schedule(static)
    for (int32_t c = 0; c < choice->candidates; c++) {
        const uint8_t *bits = bits_of(choice, c);
        int8_t *gains = choice->gains + (size_t)c * (size_t)choice->points;
        for (int32_t i = 0; i < choice->points; i++) {
            const Triplet *triplet = &choice->triplets[i];
            const uint8_t anchor = bits[triplet->anchor];
            gains[i] =
                (int8_t)((anchor ^ bits[triplet->negative]) - (anchor ^ bits[triplet->positive]));
        }
    }
}

static void add_gains(BoxChoice *choice, int32_t candidate) {
    const int8_t *gains = choice->gains + (size_t)candidate * (size_t)choice->points;
    for (int32_t i = 0; i < choice->points; i++) {
        choice->margins[i] += gains[i];
    }
}

static void mine(BoxChoice *choice) {
    for (int32_t first = 0; first < choice->points; first += BOX_CHOICE_BLOCK) {
        const int32_t left = choice->points - first;
        mine_block(choice, first, left < BOX_CHOICE_BLOCK ? left : BOX_CHOICE_BLOCK);
    }
    find_gains(choice);
    memset(choice->margins, 0, (size_t)choice->points * sizeof *choice->margins);
    for (int32_t k = 0; k < choice->count; k++) {
        add_gains(choice, choice->chosen[k]);
    }
}

/* --- Choices ---------------------------------------------------------------------------------- */

static void weigh(BoxChoice *choice) {
    const double wanted = margin_share * choice->count;
    for (int32_t i = 0; i < choice->points; i++) {
        const double behind = (wanted - choice->margins[i]) / margin_step;
        choice->weights[i] = (int16_t)(WEIGHT_ONE / (1 + exp(-behind)));
    }
}

static int64_t sum_of(const BoxChoice *choice, int32_t candidate) {
    const int8_t *gains = choice->gains + (size_t)candidate * (size_t)choice->points;
    int64_t all = 0;
    for (int32_t first = 0; first < choice->points; first += BOX_CHOICE_BLOCK) {
        const int32_t end = first + BOX_CHOICE_BLOCK;
        int32_t sum = 0;
        for (int32_t i = first; i < (end < choice->points ? end : choice->points); i++) {
            sum += gains[i] * choice->weights[i];
        }
        all += sum;
    }
    return all;
}

static int32_t best_of(BoxChoice *choice) {
    int64_t most = INT64_MIN;
    int32_t best = -1;
#pragma omp parallel for num_threads(thread_team_default()) schedule(static)
    for (int32_t c = 0; c < choice->candidates; c++) {
        const int64_t sum = choice->passed[c] ? INT64_MIN : sum_of(choice, c);
#pragma omp critical
        if (sum > most || (sum == most && sum > INT64_MIN && c < best)) {
            most = sum;
            best = c;
        }
    }
    return best;
}

/* Whether two tests agree, or disagree, at nearly all places. */
static bool are_alike(const BoxChoice *choice, int32_t left, int32_t right) {
    const uint8_t *a = bits_of(choice, left);
    const uint8_t *b = bits_of(choice, right);
    const size_t rows = rows_of(choice);
    size_t different = 0;
    for (size_t i = 0; i < rows; i++) {
        different += a[i] ^ b[i];
    }
    const double share = (double)different / (double)rows;
    return share < 1 - alike_most || share > alike_most;
}

static bool is_new(const BoxChoice *choice, int32_t candidate) {
    for (int32_t k = 0; k < choice->count; k++) {
        if (are_alike(choice, candidate, choice->chosen[k])) {
            return false;
        }
    }
    return true;
}

/* Codes of −1 and 1 are alike by 1 − 2·distance / bits. */
static TripletLoss loss_of(const BoxChoice *choice) {
    TripletLoss loss = {0};
    for (int32_t i = 0; i < choice->points; i++) {
        const double lacking = 2 * (margin_share - (double)choice->margins[i] / choice->count);
        loss.mean += lacking > 0 ? lacking / choice->points : 0;
        loss.share += lacking > 0 ? 1.0 / choice->points : 0;
    }
    return loss;
}

Status box_choice_next(BoxChoice *choice, bool given, TripletLoss *loss) {
    if (choice->count % BOX_CHOICE_MINING == 0) {
        mine(choice);
    }
    weigh(choice);
    int32_t next = given ? choice->chosen[choice->count] : best_of(choice);
    while (!given && next >= 0 && !is_new(choice, next)) {
        choice->passed[next] = 1;
        next = best_of(choice);
    }
    if (next < 0) {
        return status_make(STATUS_NO_MATCH,
                           "only %d of the candidates tell anything new; give more --candidates, "
                           "or more pictures",
                           (int)choice->count);
    }
    choice->passed[next] = 1;
    choice->chosen[choice->count++] = next;
    add_gains(choice, next);
    *loss = loss_of(choice);
    return status_ok();
}
