/* Learning orb's pairs, as E. Rublee, V. Rabaud, K. Konolige and G. Bradski describe it ("ORB: an
 * efficient alternative to SIFT or SURF", ICCV 2011, section 4.3). */

#include "descriptors_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "descriptor_weights.h"
#include "fnv.h"
#include "interrupt.h"
#include "list.h"
#include "resources.h"
#include "status.h"
#include "text.h"
#include "weights_files.h"
#include "workload.h"

/* === Patches ================================================================================== */

enum {
    POINTS = 400, /* of an image */
    VIEWS = 2,
    FIRST =
        -13,   /* the least coordinate of a position, whose window stays in the patch's 31 pixels */
    GRID = 26, /* positions along a side */
    POSITIONS = GRID * GRID,
    WINDOW_RADIUS = 2, /* pixels: of the square that is averaged at a position */
    WINDOW = 2 * WINDOW_RADIUS + 1,
    FRACTION = 256, /* an average is a whole number of these parts of a grey level */
    WORD = 64       /* patches come in as many; those that are missing are 0 everywhere */
};

static const double pi = 3.14159265358979323846;
static const double patch_side = 31;

/* The averages at each position of a patch that is turned as its keypoint: those of one position in
 * succession, of all patches. */
typedef struct PairPatches {
    int32_t count, room;
    uint16_t *values; /* POSITIONS × room */
} PairPatches;

/* Of a position, in pixels from the keypoint. */
static int32_t column_of(int32_t position) {
    return FIRST + position % GRID;
}

static int32_t row_of(int32_t position) {
    return FIRST + position / GRID;
}

/* Entry (x, y) is the sum of the pixels left of x and above y. */
static uint32_t *integrate(const Image *image) {
    const size_t stride = (size_t)image->width + 1;
    uint32_t *sums = calloc(stride * ((size_t)image->height + 1), sizeof *sums);
    for (int32_t y = 0; sums != NULL && y < image->height; y++) {
        const uint8_t *pixels = image_row(image, y);
        uint32_t *row = sums + ((size_t)y + 1) * stride;
        uint32_t sum = 0;
        for (int32_t x = 0; x < image->width; x++) {
            sum += pixels[x];
            row[x + 1] = row[x + 1 - (ptrdiff_t)stride] + sum;
        }
    }
    return sums;
}

static int32_t clamp(double position, int32_t most) {
    return position < 0 ? 0 : position > most ? most : (int32_t)position;
}

/* Of the pixels within `radius` of a place, as far as they are in the image. */
static uint16_t average(const Image *image, const uint32_t *sums, double x, double y,
                        double radius) {
    const size_t stride = (size_t)image->width + 1;
    const int32_t left = clamp(x - radius, image->width - 1);
    const int32_t top = clamp(y - radius, image->height - 1);
    const int32_t right = clamp(x + radius, image->width - 1) + 1;
    const int32_t bottom = clamp(y + radius, image->height - 1) + 1;
    const uint32_t *upper = sums + (size_t)top * stride;
    const uint32_t *lower = sums + (size_t)bottom * stride;
    const uint64_t sum = lower[right] - lower[left] - upper[right] + upper[left];
    return (uint16_t)(sum * FRACTION / ((uint64_t)(right - left) * (uint64_t)(bottom - top)));
}

static void add_patch(const Image *image, const uint32_t *sums, Keypoint keypoint,
                      PairPatches *patches) {
    const double s = keypoint.size / patch_side;
    const double radius = floor(s * WINDOW_RADIUS + 0.5);
    const double c = s * cos(keypoint.angle * pi / 180);
    const double n = s * sin(keypoint.angle * pi / 180);
    for (int32_t p = 0; p < POSITIONS; p++) {
        const double px = column_of(p);
        const double py = row_of(p);
        const double x = floor(keypoint.x + c * px - n * py + 0.5);
        const double y = floor(keypoint.y + n * px + c * py + 0.5);
        patches->values[(size_t)p * (size_t)patches->room + (size_t)patches->count] =
            average(image, sums, x, y, radius);
    }
    patches->count++;
}

static Status add_views(const Views *views, PairPatches *patches) {
    for (int32_t v = 0; v < views->views; v++) {
        uint32_t *sums = integrate(&views->images[v]);
        STATUS_MEMORY(sums, "for sums of an image");
        for (int32_t i = 0; i < views->points; i++) {
            add_patch(&views->images[v], sums, views->keypoints[v * views->points + i], patches);
        }
        free(sums);
    }
    return status_ok();
}

static Status take_patches(const LearnRequest *request, const ImageFolder *folder,
                           PairPatches *patches) {
    patches->room = (folder->count * POINTS * VIEWS + WORD - 1) / WORD * WORD;
    patches->values = calloc((size_t)POSITIONS * (size_t)patches->room, sizeof *patches->values);
    STATUS_MEMORY(patches->values, "for the patches of %" PRId32 " images", folder->count);
    for (int32_t i = 0; i < folder->count; i++) {
        const ViewRequest of_image = {
            .points = POINTS, .views = VIEWS, .seed = place_set_seed(request->seed, 0, i)};
        Views views;
        Status status = views_make(&folder->images[i], &of_image, &views);
        STATUS_THEN(status, add_views(&views, patches));
        views_release(&views);
        STATUS_TRY(status);
    }
    return patches->count > 1 ? status_ok()
                              : status_make(STATUS_NO_MATCH,
                                            "%.200s: the images have no keypoints to learn from; "
                                            "give larger ones, or others",
                                            request->folder);
}

/* === Tests ==================================================================================== */

/* Two positions, and of how many patches the first is the darker. */
typedef struct PairTest {
    int16_t first, second;
    int32_t ones;
    int32_t imbalance; /* by how much twice the ones differ from the patches */
} PairTest;

/* Windows of one test do not overlap. */
static bool are_apart(int32_t first, int32_t second) {
    return abs(column_of(first) - column_of(second)) >= WINDOW ||
           abs(row_of(first) - row_of(second)) >= WINDOW;
}

static int32_t list_tests(PairTest *tests) {
    int32_t count = 0;
    for (int32_t first = 0; first < POSITIONS; first++) {
        for (int32_t second = first + 1; second < POSITIONS; second++) {
            if (are_apart(first, second)) {
                tests[count++] = (PairTest){.first = (int16_t)first, .second = (int16_t)second};
            }
        }
    }
    return count;
}

static const uint16_t *values_of(const PairPatches *patches, int32_t position) {
    return patches->values + (size_t)position * (size_t)patches->room;
}

static void count_ones(const PairPatches *patches, PairTest *tests, int32_t count) {
#pragma omp parallel for num_threads(thread_team_default()) schedule(static)
    for (int32_t t = 0; t < count; t++) {
        const uint16_t *first = values_of(patches, tests[t].first);
        const uint16_t *second = values_of(patches, tests[t].second);
        int32_t ones = 0;
        for (int32_t i = 0; i < patches->count; i++) {
            ones += first[i] < second[i];
        }
        tests[t].ones = ones;
        tests[t].imbalance = abs(2 * ones - patches->count);
    }
}

/* The most balanced first; of equal ones that of the earlier positions. */
static int by_balance(const void *left, const void *right) {
    const PairTest *a = left;
    const PairTest *b = right;
    if (a->imbalance != b->imbalance) {
        return a->imbalance < b->imbalance ? -1 : 1;
    }
    return a->first != b->first ? a->first - b->first : a->second - b->second;
}

/* === Choice =================================================================================== */

enum { TESTS_BETWEEN_LOOKS = 1024 };
enum { CORRELATION_LEAST = 20, CORRELATION_STEP = 2, CORRELATION_MOST = 100 }; /* percent */

/* How far the choice is: what a checkpoint keeps. */
typedef struct PairPlace {
    int32_t percent;                   /* correlation that is allowed */
    int32_t next;                      /* test to look at */
    int32_t count;                     /* chosen so far */
    int32_t chosen[WEIGHTS_BITS_MANY]; /* numbers of tests */
} PairPlace;

typedef struct PairChoice {
    const LearnRequest *request;
    const PairPatches *patches;
    const PairTest *tests;
    int32_t tests_count;
    int32_t words;  /* of a test's bits at all patches */
    uint64_t *bits; /* of those that are chosen and of the next, most + 1 rows */
    int32_t most;
    PairPlace place;
    LearnCurve curve; /* has no points */
    LearnState state; /* of the checkpoint; its data is the place */
    WriteClock writes;
    Progress progress;
} PairChoice;

static uint64_t *bits_of(const PairChoice *choice, int32_t row) {
    return choice->bits + (size_t)row * (size_t)choice->words;
}

/* The lowest bits of 64 bytes, in an order that is the same for all. */
static uint64_t pack(const uint8_t *bytes) {
    uint64_t packed = 0;
    for (int32_t i = 0; i < WORD; i += 8) {
        uint64_t eight;
        memcpy(&eight, bytes + i, sizeof eight);
        packed |= eight * 0x0102040810204080U >> 56 << i;
    }
    return packed;
}

static void take_bits(const PairChoice *choice, const PairTest *test, uint64_t *row) {
    const uint16_t *first = values_of(choice->patches, test->first);
    const uint16_t *second = values_of(choice->patches, test->second);
    for (int32_t w = 0; w < choice->words; w++) {
        uint8_t less[WORD];
        for (int32_t i = 0; i < WORD; i++) {
            less[i] = first[w * WORD + i] < second[w * WORD + i];
        }
        row[w] = pack(less);
    }
}

#define COUNT_UNEQUAL(ones, others, words, count)                                                  \
    for (int32_t w = 0; w < (words); w++) {                                                        \
        (count) += __builtin_popcountll((ones)[w] ^ (others)[w]);                                  \
    }

#ifdef __x86_64__
/* By an instruction that the oldest processors do not have, in a third of the time. */
__attribute__((target("popcnt"))) static int64_t
count_by_instruction(const uint64_t *ones, const uint64_t *others, int32_t words) {
    int64_t count = 0;
    COUNT_UNEQUAL(ones, others, words, count)
    return count;
}
#endif

static int64_t count_unequal(const uint64_t *ones, const uint64_t *others, int32_t words) {
#ifdef __x86_64__
    if (__builtin_cpu_supports("popcnt")) {
        return count_by_instruction(ones, others, words);
    }
#endif
    int64_t count = 0;
    COUNT_UNEQUAL(ones, others, words, count)
    return count;
}

/* The absolute correlation of two tests over all patches; 1 where one of them is always the same.
 */
static double correlation(const PairChoice *choice, const PairTest *one, const uint64_t *ones,
                          const PairTest *other, const uint64_t *others) {
    const double n = choice->patches->count;
    const int64_t unequal = count_unequal(ones, others, choice->words);
    const double both = ((double)one->ones + other->ones - (double)unequal) / 2;
    const double spread = one->ones * (n - one->ones) * other->ones * (n - other->ones);
    return spread > 0 ? fabs(n * both - (double)one->ones * other->ones) / sqrt(spread) : 1;
}

static bool is_new(const PairChoice *choice, const PairTest *test) {
    const PairPlace *place = &choice->place;
    const uint64_t *bits = bits_of(choice, place->count);
    for (int32_t k = 0; k < place->count; k++) {
        const PairTest *other = &choice->tests[place->chosen[k]];
        if (correlation(choice, test, bits, other, bits_of(choice, k)) > place->percent / 100.0) {
            return false;
        }
    }
    return true;
}

/* --- Checkpoint ------------------------------------------------------------------------------- */

/* Every option that affects the result (hashed into the checkpoint). */
static uint64_t facts_of(const LearnRequest *request, const ImageFolder *folder) {
    const uint64_t facts[] = {(uint64_t)request->bits, request->seed, POINTS, VIEWS, folder->hash};
    return fnv_bytes(FNV_START, facts, sizeof facts);
}

static Status check_kept(const PairChoice *choice) {
    const PairPlace *place = &choice->place;
    bool good = place->percent >= CORRELATION_LEAST && place->percent <= CORRELATION_MOST &&
                place->next >= 0 && place->next <= choice->tests_count && place->count >= 0 &&
                place->count <= choice->most;
    for (int32_t k = 0; good && k < place->count; k++) {
        good = place->chosen[k] >= 0 && place->chosen[k] < choice->tests_count;
    }
    return good ? status_ok()
                : status_make(STATUS_FILE,
                              "%.200s is damaged; leave --resume out to start from the beginning",
                              choice->request->checkpoint);
}

/* The bits of what was chosen before are taken again. */
static Status resume(PairChoice *choice) {
    const LearnRequest *request = choice->request;
    STATUS_TRY(learn_checkpoint_read(request->checkpoint, &choice->state));
    STATUS_TRY(check_kept(choice));
    for (int32_t k = 0; k < choice->place.count; k++) {
        take_bits(choice, &choice->tests[choice->place.chosen[k]], bits_of(choice, k));
    }
    if (!request->quiet) {
        visible_line(request->notes, "continues from %s", request->checkpoint);
    }
    return status_ok();
}

static Status keep(PairChoice *choice) {
    const double began = clock_now();
    if (choice->request->checkpoint == NULL) {
        return status_ok();
    }
    choice->state.done++;
    STATUS_TRY(learn_checkpoint_write(choice->request->checkpoint, &choice->state));
    write_clock_count(&choice->writes, began, clock_now());
    return status_ok();
}

/* Between two tests, at times: what was asked for meanwhile. After an interrupt the process stays
 * held until it has ended. */
static Status look(PairChoice *choice) {
    char what[64];
    snprintf(what, sizeof what, "correlation up to %d%%", (int)choice->place.percent);
    progress_steps(&choice->progress, (size_t)choice->place.count, what);
    interrupt_hold();
    if (interrupt_requested()) {
        STATUS_TRY(keep(choice));
        return learn_interrupted(choice->request, true);
    }
    const Status status = write_is_due(&choice->writes, learn_checkpoint_interval, clock_now())
                              ? keep(choice)
                              : status_ok();
    interrupt_release();
    return status;
}

/* --- All of it -------------------------------------------------------------------------------- */

/* The tests from the most balanced on that are not too like an earlier one. */
static Status choose_below(PairChoice *choice) {
    PairPlace *place = &choice->place;
    for (; place->next < choice->tests_count && place->count < choice->most; place->next++) {
        const PairTest *test = &choice->tests[place->next];
        if (place->next % TESTS_BETWEEN_LOOKS == 0) {
            STATUS_TRY(look(choice));
        }
        take_bits(choice, test, bits_of(choice, place->count));
        if (is_new(choice, test)) {
            place->chosen[place->count++] = place->next;
        }
    }
    return status_ok();
}

/* With a larger and larger correlation, until there are enough. */
static Status choose_all(PairChoice *choice) {
    PairPlace *place = &choice->place;
    STATUS_TRY(choose_below(choice));
    while (place->count < choice->most) {
        if (place->percent == CORRELATION_MOST) {
            return status_make(STATUS_NO_MATCH,
                               "only %d of the pairs differ from the others; give more images",
                               (int)place->count);
        }
        *place = (PairPlace){.percent = place->percent + CORRELATION_STEP};
        STATUS_TRY(choose_below(choice));
    }
    return status_ok();
}

static Status choose(const ImageFolder *folder, PairChoice *choice) {
    const LearnRequest *request = choice->request;
    choice->place.percent = CORRELATION_LEAST;
    choice->writes = write_clock_start(clock_now());
    choice->state = (LearnState){.training = "train-orb",
                                 .facts = facts_of(request, folder),
                                 .curve = &choice->curve,
                                 .data = &choice->place,
                                 .bytes = sizeof choice->place};
    STATUS_TRY(request->resume ? resume(choice) : status_ok());
    progress_start(&choice->progress, request->notes, (size_t)choice->most, (size_t)choice->most,
                   request->quiet);
    const Status status = choose_all(choice);
    progress_end(&choice->progress);
    return status;
}

/* === Learning ================================================================================= */

static Status learn(const LearnRequest *request, const ImageFolder *folder, PairPatches *patches,
                    void **memory, PairChoice *choice) {
    enum { PAIRS = POSITIONS * (POSITIONS - 1) / 2 };
    STATUS_TRY(take_patches(request, folder, patches));
    PairTest *tests = owned_take(memory, PAIRS * sizeof *tests);
    *choice = (PairChoice){.request = request,
                           .patches = patches,
                           .tests = tests,
                           .words = (patches->count + WORD - 1) / WORD,
                           .most = request->bits};
    choice->bits = owned_take(memory, ((size_t)choice->most + 1) * (size_t)choice->words *
                                          sizeof *choice->bits);
    STATUS_MEMORY(tests != NULL && choice->bits != NULL, "for the tests at %" PRId32 " patches",
                  patches->count);
    choice->tests_count = list_tests(tests);
    count_ones(patches, tests, choice->tests_count);
    qsort(tests, (size_t)choice->tests_count, sizeof *tests, by_balance);
    return choose(folder, choice);
}

static Status make_weights(const LearnRequest *request, const PairChoice *choice,
                           Weights *weights) {
    STATUS_TRY(weights_create(request->out, &orb_weights, request->bits, weights));
    for (int32_t k = 0; k < request->bits; k++) {
        const PairTest *test = &choice->tests[choice->place.chosen[k]];
        float *row = weights_row(weights, k);
        row[0] = (float)column_of(test->first);
        row[1] = (float)row_of(test->first);
        row[2] = (float)column_of(test->second);
        row[3] = (float)row_of(test->second);
    }
    weights_finish(weights);
    return status_ok();
}

Status learn_orb(const LearnRequest *request, const ImageFolder *folder, Weights *weights,
                 LearnCurve *curve) {
    PairPatches patches = {.values = NULL};
    PairChoice choice = {.words = 0};
    void *memory = NULL;
    *curve = (LearnCurve){0};
    Status status = learn(request, folder, &patches, &memory, &choice);
    STATUS_THEN(status, make_weights(request, &choice, weights));
    owned_release(&memory);
    free(patches.values);
    return status;
}
