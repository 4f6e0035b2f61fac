/* Learning orb's pairs, as E. Rublee, V. Rabaud, K. Konolige and G. Bradski describe it ("ORB: an
 * efficient alternative to SIFT or SURF", ICCV 2011, section 4.3). */

#include "descriptors_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base.h"
#include "interrupt.h"
#include "list.h"
#include "resources.h"
#include "status.h"
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
        if (sums == NULL) {
            return status_no_memory("for sums of an image");
        }
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
    if (patches->values == NULL) {
        return status_no_memory("for the patches of %" PRId32 " images", folder->count);
    }
    for (int32_t i = 0; i < folder->count; i++) {
        const ViewRequest of_image = {
            .points = POINTS, .views = VIEWS, .seed = place_set_seed(request->seed, 0, i)};
        Views views;
        Status status = views_make(&folder->images[i], &of_image, &views);
        if (status_is_ok(&status)) {
            status = add_views(&views, patches);
        }
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
enum { CORRELATION_LEAST = 20, CORRELATION_STEP = 2 }; /* percent */

typedef struct PairChoice {
    const PairPatches *patches;
    const PairTest *tests;
    int32_t tests_count;
    int32_t words;   /* of a test's bits at all patches */
    uint64_t *bits;  /* of those that are chosen and of the next, most + 1 rows */
    int32_t *chosen; /* numbers of tests */
    int32_t count, most;
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

/* The absolute correlation of two tests over all patches; 1 where one of them is always the same.
 */
static double correlation(const PairChoice *choice, const PairTest *one, const uint64_t *ones,
                          const PairTest *other, const uint64_t *others) {
    const double n = choice->patches->count;
    int64_t unequal = 0;
    for (int32_t w = 0; w < choice->words; w++) {
        unequal += __builtin_popcountll(ones[w] ^ others[w]);
    }
    const double both = ((double)one->ones + other->ones - (double)unequal) / 2;
    const double spread = one->ones * (n - one->ones) * other->ones * (n - other->ones);
    return spread > 0 ? fabs(n * both - (double)one->ones * other->ones) / sqrt(spread) : 1;
}

static bool is_new(const PairChoice *choice, const PairTest *test, double most) {
    const uint64_t *bits = bits_of(choice, choice->count);
    for (int32_t k = 0; k < choice->count; k++) {
        const PairTest *other = &choice->tests[choice->chosen[k]];
        if (correlation(choice, test, bits, other, bits_of(choice, k)) > most) {
            return false;
        }
    }
    return true;
}

/* The tests from the most balanced on that are not too like an earlier one. */
static Status choose_below(double most, PairChoice *choice) {
    choice->count = 0;
    for (int32_t t = 0; t < choice->tests_count && choice->count < choice->most; t++) {
        if (t % TESTS_BETWEEN_LOOKS == 0 && interrupt_requested()) {
            return status_make(STATUS_INTERRUPTED, "interrupted; nothing is kept");
        }
        take_bits(choice, &choice->tests[t], bits_of(choice, choice->count));
        if (is_new(choice, &choice->tests[t], most)) {
            choice->chosen[choice->count++] = t;
        }
    }
    return status_ok();
}

/* With a larger and larger correlation, until there are enough. */
static Status choose(const LearnRequest *request, PairChoice *choice) {
    Progress progress;
    Status status = status_ok();
    progress_start(&progress, request->notes, (size_t)choice->most, (size_t)choice->most,
                   request->quiet);
    for (int percent = CORRELATION_LEAST; status_is_ok(&status) && choice->count < choice->most;
         percent += CORRELATION_STEP) {
        char what[64];
        snprintf(what, sizeof what, "correlation up to %d%%", percent);
        progress_steps(&progress, (size_t)choice->count, what);
        status = percent <= 100
                     ? choose_below(percent / 100.0, choice)
                     : status_make(STATUS_NO_MATCH,
                                   "only %d of the pairs differ from the others; give more "
                                   "images",
                                   (int)choice->count);
    }
    progress_end(&progress);
    return status;
}

/* === Learning ================================================================================= */

static Status learn(const LearnRequest *request, const ImageFolder *folder, PairPatches *patches,
                    void **memory, PairChoice *choice) {
    enum { PAIRS = POSITIONS * (POSITIONS - 1) / 2 };
    STATUS_TRY(take_patches(request, folder, patches));
    PairTest *tests = owned_take(memory, PAIRS * sizeof *tests);
    *choice = (PairChoice){.patches = patches,
                           .tests = tests,
                           .words = (patches->count + WORD - 1) / WORD,
                           .most = request->bits};
    choice->bits = owned_take(memory, ((size_t)choice->most + 1) * (size_t)choice->words *
                                          sizeof *choice->bits);
    choice->chosen = owned_take(memory, (size_t)choice->most * sizeof *choice->chosen);
    if (tests == NULL || choice->bits == NULL || choice->chosen == NULL) {
        return status_no_memory("for the tests at %" PRId32 " patches", patches->count);
    }
    choice->tests_count = list_tests(tests);
    count_ones(patches, tests, choice->tests_count);
    qsort(tests, (size_t)choice->tests_count, sizeof *tests, by_balance);
    return choose(request, choice);
}

static Status make_weights(const LearnRequest *request, const PairChoice *choice,
                           Weights *weights) {
    STATUS_TRY(weights_create(request->out, WEIGHTS_ORB, request->bits, weights));
    for (int32_t k = 0; k < request->bits; k++) {
        const PairTest *test = &choice->tests[choice->chosen[k]];
        float *row = weights_row(weights, k);
        row[0] = (float)column_of(test->first);
        row[1] = (float)row_of(test->first);
        row[2] = (float)column_of(test->second);
        row[3] = (float)row_of(test->second);
    }
    weights_finish(weights);
    return status_ok();
}

Status learn_orb(const LearnRequest *request, const ImageFolder *folder, Weights *weights) {
    PairPatches patches = {.values = NULL};
    PairChoice choice = {.count = 0};
    void *memory = NULL;
    Status status = learn(request, folder, &patches, &memory, &choice);
    if (status_is_ok(&status)) {
        status = make_weights(request, &choice, weights);
    }
    owned_release(&memory);
    free(patches.values);
    return status;
}
