/* Learning bad's box pairs. */

#include "descriptors_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "blas.h"
#include "descriptor_weights.h"
#include "fnv.h"
#include "list.h"
#include "random.h"
#include "resources.h"
#include "status.h"
#include "weights_files.h"
#include "workload.h"

/* === Box candidates =========================================================================== */

enum { BOX_TABLE_BITS = 512 };

enum { DRAW_CANDIDATES = 20, RADIUS_MAX = 7 };

static const double threshold_deviation = 8; /* grey levels */

/* Small boxes are drawn more often: there are more places for them. */
static void draw_row(Draw *draw, float *row) {
    const double share = draw_between(draw, 0, 1);
    const int32_t radius = (int32_t)((RADIUS_MAX + 1) * share * share);
    do {
        for (int i = 0; i < 4; i++) {
            row[i] = (float)(radius + draw_below(draw, WEIGHTS_BAD_SIDE - 2 * radius));
        }
    } while (row[0] == row[2] && row[1] == row[3]);
    row[4] = (float)radius;
    row[5] = (float)(threshold_deviation * draw_normal(draw));
}

Status box_candidates_draw(int32_t count, uint64_t seed, BoxCandidates *candidates) {
    Draw draw = draw_start(seed, DRAW_CANDIDATES, 0);
    const int32_t tables = count / BOX_TABLE_BITS;
    *candidates = (BoxCandidates){.tables = calloc((size_t)tables, sizeof(Weights))};
    STATUS_MEMORY(candidates->tables, "for %d candidates", (int)count);
    for (int32_t t = 0; t < tables; t++) {
        Weights *table = &candidates->tables[t];
        STATUS_TRY(weights_create("candidates", &bad_weights, BOX_TABLE_BITS, table));
        candidates->table_count++;
        for (int32_t b = 0; b < BOX_TABLE_BITS; b++) {
            draw_row(&draw, weights_row(table, b));
        }
        weights_finish(table);
    }
    candidates->count = count;
    return status_ok();
}

void box_candidates_release(BoxCandidates *candidates) {
    for (int32_t t = 0; t < candidates->table_count; t++) {
        weights_free(&candidates->tables[t]);
    }
    free(candidates->tables);
    *candidates = (BoxCandidates){0};
}

const float *box_candidate(const BoxCandidates *candidates, int32_t index) {
    return weights_row(&candidates->tables[index / BOX_TABLE_BITS], index % BOX_TABLE_BITS);
}

/* === Box choice =============================================================================== */

enum { BOX_CHOICE_MINING = 16, BOX_CHOICE_BLOCK = 512 };

enum { DRAW_LIKENESS = 30, DRAW_ORDER };
enum { WEIGHT_ONE = 16384 };

/* Margins are compared with a share of the bits chosen so far, in steps of this many bits. */
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
    void **memory = &choice->memory;
    choice->order = owned_take(memory, points * sizeof *choice->order);
    choice->places = owned_take(memory, points * sizeof *choice->places);
    choice->bits = owned_take(memory, candidates * 2 * points);
    choice->gains = owned_take(memory, candidates * points);
    choice->triplets = owned_take(memory, points * sizeof *choice->triplets);
    choice->margins = owned_take(memory, points * sizeof *choice->margins);
    choice->weights = owned_take(memory, points * sizeof *choice->weights);
    choice->passed = owned_take(memory, candidates);
    choice->codes = owned_take(memory, block * (size_t)choice->most * sizeof *choice->codes);
    choice->likeness = owned_take(memory, block * block * sizeof *choice->likeness);
    return choice->order != NULL && choice->places != NULL && choice->bits != NULL &&
                   choice->gains != NULL && choice->triplets != NULL && choice->margins != NULL &&
                   choice->weights != NULL && choice->passed != NULL && choice->codes != NULL &&
                   choice->likeness != NULL
               ? status_ok()
               : status_no_memory("for %d candidates at %d places; fewer --candidates need less",
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
    owned_release(&choice->memory);
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
    triplets_choose(choice->likeness, choice->places + first, n, (TripletRule){0}, triplets);
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
        return status_make(
            STATUS_NO_MATCH,
            "only %d of the candidates differ enough from the others; give more --candidates, "
            "or more images",
            (int)choice->count);
    }
    choice->passed[next] = 1;
    choice->chosen[choice->count++] = next;
    add_gains(choice, next);
    *loss = loss_of(choice);
    return status_ok();
}

/* === Box learning ============================================================================= */

enum { POINTS = 400, VIEWS = 2 };

typedef struct BoxLearning {
    const LearnRequest *request;
    const ImageFolder *folder;
    BoxCandidates candidates;
    PlaceSet samples;
    BoxChoice choice;
    int32_t chosen[BOX_TABLE_BITS];
    LearnState state;
    LearnProgress progress;
} BoxLearning;

/* Every option that affects the result (hashed into the checkpoint). */
static uint64_t facts_of(const BoxLearning *learning) {
    const LearnRequest *request = learning->request;
    const uint64_t facts[] = {
        (uint64_t)request->bits, request->seed, (uint64_t)request->candidates, POINTS, VIEWS,
        learning->folder->hash};
    return fnv_bytes(FNV_START, facts, sizeof facts);
}

static Status describe_all(BoxLearning *learning) {
    const LearnRequest *request = learning->request;
    const ViewRequest views = {.points = POINTS, .views = VIEWS, .seed = request->seed};
    STATUS_TRY(box_candidates_draw(request->candidates, request->seed, &learning->candidates));
    const ViewDescriber describer = {.algorithm = WEIGHTS_BAD,
                                     .bits = BOX_TABLE_BITS,
                                     .weights = learning->candidates.tables,
                                     .weights_count = learning->candidates.table_count};
    STATUS_TRY(place_set_make(learning->folder, &describer, &views, 0, &learning->samples));
    return place_set_check(&learning->samples, request->folder);
}

static Status check_kept(const BoxLearning *learning) {
    bool good = learning->state.done <= (uint64_t)learning->request->bits;
    for (uint64_t k = 0; good && k < learning->state.done; k++) {
        good = learning->chosen[k] >= 0 && learning->chosen[k] < learning->candidates.count;
    }
    return good ? status_ok()
                : status_make(STATUS_FILE,
                              "%.200s is damaged; leave --resume out to start from the beginning",
                              learning->request->checkpoint);
}

/* What was chosen before is chosen again: the sums that the rest needs come from it. */
static Status choose_all(BoxLearning *learning) {
    const uint64_t kept = learning->state.done;
    TripletLoss loss;
    STATUS_TRY(check_kept(learning));
    for (uint64_t k = 0; k < (uint64_t)learning->request->bits; k++) {
        STATUS_TRY(box_choice_next(&learning->choice, k < kept, &loss));
        if (k >= kept) {
            STATUS_TRY(learn_progress_point(&learning->progress,
                                            (LearnCurvePoint){k + 1, loss.mean, loss.share}));
        }
    }
    return status_ok();
}

static Status run(BoxLearning *learning) {
    const LearnRequest *request = learning->request;
    learning->state = (LearnState){.training = "train-bad",
                                   .facts = facts_of(learning),
                                   .data = learning->chosen,
                                   .bytes = sizeof learning->chosen};
    STATUS_TRY(learn_progress_start(request, (uint64_t)request->bits, (size_t)request->bits,
                                    &learning->state, &learning->progress));
    STATUS_TRY(describe_all(learning));
    STATUS_TRY(box_choice_create(&learning->samples, request->seed, learning->chosen, request->bits,
                                 &learning->choice));
    STATUS_TRY(choose_all(learning));
    return status_ok();
}

static Status make_weights(const BoxLearning *learning, Weights *weights) {
    const LearnRequest *request = learning->request;
    STATUS_TRY(weights_create(request->out, &bad_weights, request->bits, weights));
    for (int32_t k = 0; k < request->bits; k++) {
        memcpy(weights_row(weights, k), box_candidate(&learning->candidates, learning->chosen[k]),
               WEIGHTS_BAD_COLUMNS * sizeof(float));
    }
    weights_finish(weights);
    return status_ok();
}

Status learn_bad(const LearnRequest *request, const ImageFolder *folder, Weights *weights,
                 LearnCurve *curve) {
    BoxLearning learning = {.request = request, .folder = folder};
    Status status = run(&learning);
    STATUS_THEN(status, make_weights(&learning, weights));
    learn_progress_end(&learning.progress, status_is_ok(&status) ? curve : NULL);
    box_choice_release(&learning.choice);
    place_set_release(&learning.samples);
    box_candidates_release(&learning.candidates);
    return status;
}
