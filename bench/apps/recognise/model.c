/* The model of a recogniser, its file and checkpoints. */

#include "recognise_internal.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "checkpoint.h"
#include "clock.h"
#include "files.h"
#include "haar_features.h"
#include "json.h"
#include "list.h"
#include "number.h"
#include "output.h"
#include "paths.h"
#include "status.h"
#include "text.h"

/* === Recogniser =============================================================================== */

/* Appends. STATUS_SKIP when memory runs out. */
static Status classifier_add(Classifier *classifier, const Stump *stump) {
    LIST_ADD(NULL, classifier->stumps, classifier->count, classifier->capacity, "stumps", *stump);
    return status_ok();
}

void recogniser_release(Recogniser *recogniser) {
    for (size_t i = 0; i < recogniser->count; i++) {
        free(recogniser->classifiers[i].stumps);
    }
    recogniser->count = 0;
}

double stump_alpha(int64_t error) {
    const double e = error > 0 ? (double)error * 0x1p-40 : 0x1p-41;
    return 0.5 * log((1 - e) / e);
}

static size_t stumps_used(const Classifier *classifier, size_t rounds) {
    return rounds > 0 && rounds < classifier->count ? rounds : classifier->count;
}

static double stump_vote(const Stump *stump, const int32_t *integral, int32_t stride) {
    const HaarFeature feature = {.type = (uint8_t)stump->type,
                                 .x = (uint8_t)stump->x,
                                 .y = (uint8_t)stump->y,
                                 .w = (uint8_t)stump->w,
                                 .h = (uint8_t)stump->h};
    const bool reached = haar_value(integral, stride, feature) >= stump->threshold;
    return reached == (stump->polarity == 1) ? stump->alpha : -stump->alpha;
}

void recogniser_scores(const Recogniser *recogniser, size_t rounds, const int32_t *integral,
                       double *scores) {
    for (size_t i = 0; i < recogniser->count; i++) {
        const Classifier *classifier = &recogniser->classifiers[i];
        const size_t used = stumps_used(classifier, rounds);
        scores[i] = 0;
        for (size_t k = 0; k < used; k++) {
            scores[i] += stump_vote(&classifier->stumps[k], integral, recogniser->facts.width + 1);
        }
    }
}

size_t recogniser_decide(const Recogniser *recogniser, const double *scores) {
    const Classifier *classifiers = recogniser->classifiers;
    size_t best = 0;
    for (size_t i = 1; i < recogniser->count; i++) {
        const bool tie =
            scores[i] == scores[best] && classifiers[i].digit < classifiers[best].digit;
        if (scores[i] > scores[best] || tie) {
            best = i;
        }
    }
    return best;
}

/* === Recogniser write ========================================================================= */

enum { RECOGNISER_VERSION = 1 };

static const char *const recogniser_formats[] = {
    [RECOGNISER_FILE] = "bench adaboost recogniser", [CHECKPOINT_FILE] = "bench adaboost training"};

/* In quotes and escaped. False when memory is short. */
static bool write_text(FILE *stream, const char *key, const char *value) {
    cJSON *item = cJSON_CreateString(value);
    char *text = cJSON_PrintUnformatted(item);
    if (text != NULL) {
        fprintf(stream, " \"%s\": ", key);
        visible_json_write(stream, text);
        fputs(",\n", stream);
    }
    cJSON_free(text);
    cJSON_Delete(item);
    return text != NULL;
}

static bool write_facts(FILE *stream, const TrainingFacts *facts) {
    fprintf(stream, " \"width\": %" PRId32 ", \"height\": %" PRId32 ",\n", facts->width,
            facts->height);
    bool fits = write_text(stream, "input", facts->input);
    fprintf(stream,
            " \"hash\": \"%016" PRIx64 "\", \"images\": %" PRId32 ", \"seed\": \"%" PRIu64 "\",\n",
            facts->hash, facts->images, facts->seed);
    fprintf(stream,
            " \"rounds\": %" PRId32 ", \"candidates\": %" PRId32 ", \"min_side\": %" PRId32
            ", \"threshold\": %" PRId32 ",\n",
            facts->rounds, facts->candidates, facts->min_side, facts->threshold);
    fits = write_text(stream, "variant", facts->variant) && fits;
    fputs(" \"digits\": [", stream);
    for (size_t i = 0; i < facts->digit_count; i++) {
        fprintf(stream, "%s%d", i == 0 ? "" : ", ", facts->digits[i]);
    }
    fputs("],\n", stream);
    return fits;
}

static void write_stump(FILE *stream, const Stump *stump) {
    char alpha[40], error[40];
    number_text_exact(stump->alpha, alpha, sizeof alpha);
    number_text_exact((double)stump->error * 0x1p-40, error, sizeof error);
    fprintf(stream,
            "   {\"candidate\": %" PRId64 ", \"type\": \"%s\", \"x\": %" PRId64 ", \"y\": %" PRId64
            ", \"w\": %" PRId64 ", \"h\": %" PRId64 ", \"threshold\": %" PRId64
            ", \"polarity\": %" PRId64 ", \"alpha\": %s, \"error\": %s, \"misses\": %" PRId64
            ", \"false_alarms\": %" PRId64 "}",
            stump->candidate, haar_type_names[stump->type], stump->x, stump->y, stump->w, stump->h,
            stump->threshold, stump->polarity, alpha, error, stump->misses, stump->false_alarms);
}

static void write_classifier(FILE *stream, const Classifier *classifier) {
    fprintf(stream, "  {\"digit\": %" PRId32 ", \"stumps\": [\n", classifier->digit);
    for (size_t i = 0; i < classifier->count; i++) {
        write_stump(stream, &classifier->stumps[i]);
        fputs(i + 1 < classifier->count ? ",\n" : "\n", stream);
    }
    fputs("  ]}", stream);
}

static bool write_recogniser(FILE *stream, RecogniserFileKind kind, const Recogniser *recogniser) {
    fprintf(stream, "{\"format\": \"%s\", \"version\": %d,\n", recogniser_formats[kind],
            RECOGNISER_VERSION);
    const bool fits = write_facts(stream, &recogniser->facts);
    fputs(" \"classifiers\": [\n", stream);
    for (size_t i = 0; i < recogniser->count; i++) {
        write_classifier(stream, &recogniser->classifiers[i]);
        fputs(i + 1 < recogniser->count ? ",\n" : "\n", stream);
    }
    fputs(" ]}\n", stream);
    return fits;
}

/* Allocates the text. */
static Status make_text(const char *path, RecogniserFileKind kind, const Recogniser *recogniser,
                        char **text, size_t *size) {
    FILE *stream = open_memstream(text, size);
    bool whole = stream != NULL && write_recogniser(stream, kind, recogniser);
    if (stream != NULL) {
        whole = fclose(stream) == 0 && whole;
    }
    if (stream != NULL && !whole) {
        free(*text);
    }
    return whole ? status_ok() : status_no_memory("to write %.200s", path);
}

static Status write_model(const char *path, const char *text, size_t size) {
    AtomicFile file;
    STATUS_TRY(atomic_file_open(&file, path));
    fwrite(text, 1, size, file.stream);
    return atomic_file_commit(&file);
}

Status recogniser_write(const char *path, RecogniserFileKind kind, const Recogniser *recogniser) {
    char *text;
    size_t size;
    STATUS_TRY(make_text(path, kind, recogniser, &text, &size));
    const CheckpointPart part = {.bytes = text, .size = size};
    const Status status = kind == CHECKPOINT_FILE ? checkpoint_file_write(path, "train", &part, 1)
                                                  : write_model(path, text, size);
    free(text);
    return status;
}

/* === Recogniser read ========================================================================== */

static const double error_unit = 0x1p-40;
static const int64_t reach = 1 << 24; /* no feature of an image that large has a larger value */

enum { FILE_SIZE_MAX = 1 << 28 };

/* Where a number is read, for messages. */
typedef struct Place {
    const char *path;
    int32_t digit; /* -1: not in a classifier */
    size_t stump;
} Place;

static Status wrong(const Place *place, const char *what) {
    if (place->digit < 0) {
        return status_make(STATUS_FILE, "%.200s %s", place->path, what);
    }
    return status_make(STATUS_FILE, "%.200s: stump %zu of digit %" PRId32 " %s", place->path,
                       place->stump + 1, place->digit, what);
}

/* --- Members ---------------------------------------------------------------------------------- */

static const cJSON *member(const cJSON *object, const char *key) {
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

static Status read_integer(const Place *place, const cJSON *object, const char *key,
                           int64_t minimum, int64_t maximum, int64_t *number) {
    const cJSON *item = member(object, key);
    const double value = cJSON_IsNumber(item) ? item->valuedouble : NAN;
    if (!(value >= (double)minimum && value <= (double)maximum) || value != floor(value)) {
        char what[120];
        snprintf(what, sizeof what,
                 "has no \"%s\" that is a whole number from %" PRId64 " to %" PRId64, key, minimum,
                 maximum);
        return wrong(place, what);
    }
    *number = (int64_t)value;
    return status_ok();
}

static Status read_int32(const Place *place, const cJSON *object, const char *key, int32_t minimum,
                         int32_t maximum, int32_t *number) {
    int64_t value = 0;
    STATUS_TRY(read_integer(place, object, key, minimum, maximum, &value));
    *number = (int32_t)value;
    return status_ok();
}

static Status read_text(const Place *place, const cJSON *object, const char *key, char *text,
                        size_t size) {
    const char *value = json_text(object, key);
    if (value == NULL || value[0] == '\0' || strlen(value) >= size) {
        char what[120];
        snprintf(what, sizeof what, "has no \"%s\" of 1 to %zu characters", key, size - 1);
        return wrong(place, what);
    }
    snprintf(text, size, "%s", value);
    return status_ok();
}

/* Numbers of 64 bits are texts, which a JSON number cannot hold. */
static bool parse_uint64(const char *text, int base, uint64_t *number) {
    char again[24];
    *number = strtoull(text, NULL, base);
    snprintf(again, sizeof again, base == 16 ? "%016" PRIx64 : "%" PRIu64, *number);
    /* What does not come out as it went in was too large, or no number as it is written here. */
    return strcmp(again, text) == 0;
}

/* --- What it was trained on ------------------------------------------------------------------- */

static Status read_source(const Place *place, const cJSON *root, TrainingFacts *facts) {
    char hash[17], seed[24];
    STATUS_TRY(read_int32(place, root, "width", 1, RECOGNISER_SIDE_MAX, &facts->width));
    STATUS_TRY(read_int32(place, root, "height", 1, RECOGNISER_SIDE_MAX, &facts->height));
    STATUS_TRY(read_text(place, root, "input", facts->input, sizeof facts->input));
    STATUS_TRY(read_text(place, root, "hash", hash, sizeof hash));
    STATUS_TRY(read_int32(place, root, "images", 1, INT32_MAX, &facts->images));
    STATUS_TRY(read_text(place, root, "seed", seed, sizeof seed));
    if (!parse_uint64(hash, 16, &facts->hash)) {
        return wrong(place, "has a \"hash\" that is not 16 hexadecimal digits");
    }
    if (!parse_uint64(seed, 10, &facts->seed)) {
        return wrong(place, "has a \"seed\" that is no whole number");
    }
    return status_ok();
}

static Status read_digits(const Place *place, const cJSON *root, TrainingFacts *facts) {
    bool seen[RECOGNISER_DIGITS_MAX] = {false};
    const cJSON *list = member(root, "digits");
    const int count = cJSON_GetArraySize(list);
    if (!cJSON_IsArray(list) || count < 1 || count > RECOGNISER_DIGITS_MAX) {
        return wrong(place, "has no list of \"digits\"");
    }
    const cJSON *item;
    cJSON_ArrayForEach(item, list) {
        const double digit = cJSON_IsNumber(item) ? item->valuedouble : -1;
        if (!(digit >= 0 && digit < RECOGNISER_DIGITS_MAX) || digit != floor(digit) ||
            seen[(int)digit]) {
            return wrong(place, "has \"digits\" that are not different numbers from 0 to 255");
        }
        seen[(int)digit] = true;
        facts->digits[facts->digit_count++] = (uint8_t)digit;
    }
    return status_ok();
}

static Status read_facts(const Place *place, const cJSON *root, TrainingFacts *facts) {
    STATUS_TRY(read_source(place, root, facts));
    STATUS_TRY(read_int32(place, root, "rounds", 1, RECOGNISER_ROUNDS_MAX, &facts->rounds));
    STATUS_TRY(
        read_int32(place, root, "candidates", 1, RECOGNISER_CANDIDATES_MAX, &facts->candidates));
    STATUS_TRY(read_int32(place, root, "min_side", 1, RECOGNISER_SIDE_MAX, &facts->min_side));
    STATUS_TRY(read_int32(place, root, "threshold", 0, (1 << 24) - 1, &facts->threshold));
    STATUS_TRY(read_text(place, root, "variant", facts->variant, sizeof facts->variant));
    return read_digits(place, root, facts);
}

/* --- Classifiers ------------------------------------------------------------------------------ */

static Status read_type(const Place *place, const cJSON *object, int64_t *type) {
    const char *name = json_text(object, "type");
    for (*type = 0; name != NULL && *type < HAAR_TYPES; ++*type) {
        if (strcmp(name, haar_type_names[*type]) == 0) {
            return status_ok();
        }
    }
    return wrong(place, "has a \"type\" that no feature has");
}

static Status read_feature(const Place *place, const cJSON *object, const TrainingFacts *facts,
                           Stump *stump) {
    STATUS_TRY(read_type(place, object, &stump->type));
    STATUS_TRY(read_integer(place, object, "x", 0, facts->width - 1, &stump->x));
    STATUS_TRY(read_integer(place, object, "y", 0, facts->height - 1, &stump->y));
    STATUS_TRY(read_integer(place, object, "w", 1, facts->width, &stump->w));
    STATUS_TRY(read_integer(place, object, "h", 1, facts->height, &stump->h));
    return stump->x + stump->w <= facts->width && stump->y + stump->h <= facts->height
               ? status_ok()
               : wrong(place, "has a feature that is not inside the image");
}

static Status read_weights(const Place *place, const cJSON *object, Stump *stump) {
    const cJSON *alpha = member(object, "alpha");
    const cJSON *error = member(object, "error");
    if (!cJSON_IsNumber(alpha) || !isfinite(alpha->valuedouble) || !(alpha->valuedouble > 0)) {
        return wrong(place, "has no \"alpha\" above 0");
    }
    const double units = cJSON_IsNumber(error) ? error->valuedouble / error_unit : -1;
    if (!(units >= 0 && units < 0.5 / error_unit) || units != floor(units)) {
        return wrong(place, "has no \"error\" from 0 to below 0.5, in whole units of 2^-40");
    }
    stump->alpha = alpha->valuedouble;
    stump->error = (int64_t)units;
    return status_ok();
}

static Status read_stump(const Place *place, const cJSON *object, const TrainingFacts *facts,
                         Stump *stump) {
    STATUS_TRY(
        read_integer(place, object, "candidate", 0, facts->candidates - 1, &stump->candidate));
    STATUS_TRY(read_feature(place, object, facts, stump));
    STATUS_TRY(read_integer(place, object, "threshold", -reach, reach, &stump->threshold));
    STATUS_TRY(read_integer(place, object, "polarity", 0, 1, &stump->polarity));
    STATUS_TRY(read_weights(place, object, stump));
    STATUS_TRY(read_integer(place, object, "misses", 0, facts->images, &stump->misses));
    return read_integer(place, object, "false_alarms", 0, facts->images, &stump->false_alarms);
}

static Status read_classifier(Place *place, const cJSON *object, const TrainingFacts *facts,
                              Classifier *classifier) {
    const cJSON *list = member(object, "stumps");
    const int count = cJSON_GetArraySize(list);
    if (!cJSON_IsArray(list) || count < 1 || count > facts->rounds) {
        return status_make(STATUS_FILE,
                           "%.200s: digit %" PRId32 " has not 1 to %" PRId32
                           " stumps, as many as rounds",
                           place->path, classifier->digit, facts->rounds);
    }
    place->digit = classifier->digit;
    place->stump = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, list) {
        Stump stump = {0};
        STATUS_TRY(read_stump(place, item, facts, &stump));
        STATUS_TRY(classifier_add(classifier, &stump));
        place->stump++;
    }
    place->digit = -1;
    return status_ok();
}

static Status read_classifiers(Place *place, RecogniserFileKind kind, const cJSON *root,
                               Recogniser *recogniser) {
    const TrainingFacts *facts = &recogniser->facts;
    const cJSON *list = member(root, "classifiers");
    const int count = cJSON_GetArraySize(list);
    const int least = kind == CHECKPOINT_FILE ? 1 : (int)facts->digit_count;
    if (!cJSON_IsArray(list) || count < least || count > (int)facts->digit_count) {
        return wrong(place, "has not one classifier for each of its digits");
    }
    const cJSON *item;
    cJSON_ArrayForEach(item, list) {
        const cJSON *digit = member(item, "digit");
        Classifier *classifier = &recogniser->classifiers[recogniser->count];
        *classifier = (Classifier){.digit = facts->digits[recogniser->count]};
        if (!cJSON_IsNumber(digit) || digit->valuedouble != classifier->digit) {
            return status_make(STATUS_FILE, "%.200s: classifier %zu is not that of digit %" PRId32,
                               place->path, recogniser->count + 1, classifier->digit);
        }
        recogniser->count++;
        STATUS_TRY(read_classifier(place, item, facts, classifier));
    }
    return status_ok();
}

static Status read_recogniser(const char *path, RecogniserFileKind kind, const cJSON *root,
                              Recogniser *recogniser) {
    Place place = {.path = path, .digit = -1};
    STATUS_TRY(json_format_check(path, root, recogniser_formats[kind], RECOGNISER_VERSION,
                                 kind == CHECKPOINT_FILE
                                     ? "is no checkpoint of bench app train"
                                     : "holds no recogniser; bench app train --model writes such "
                                       "files"));
    STATUS_TRY(read_facts(&place, root, &recogniser->facts));
    return read_classifiers(&place, kind, root, recogniser);
}

static Status read_checkpoint_root(const char *path, cJSON **root) {
    CheckpointFile file;
    *root = NULL;
    STATUS_TRY(checkpoint_file_read(path, "train", "--fresh starts from the beginning", &file));
    const Status status = json_text_read(path, file.bytes, file.size, root);
    checkpoint_file_release(&file);
    return status;
}

Status recogniser_read(const char *path, RecogniserFileKind kind, Recogniser *recogniser) {
    cJSON *root;
    *recogniser = (Recogniser){.count = 0};
    STATUS_TRY(kind == CHECKPOINT_FILE ? read_checkpoint_root(path, &root)
                                       : json_file_read(path, "a model", FILE_SIZE_MAX, &root));
    const Status status = read_recogniser(path, kind, root, recogniser);
    cJSON_Delete(root);
    if (!status_is_ok(&status)) {
        recogniser_release(recogniser);
    }
    return status;
}

/* === Checkpoint =============================================================================== */

Status checkpoint_name(const char *model, Checkpoint *checkpoint) {
    checkpoint->writes = write_clock_start(clock_now());
    return path_make(checkpoint->path, sizeof checkpoint->path, "%s.checkpoint", model);
}

/* --- Whether it is of the same training ------------------------------------------------------- */

/* "--rounds 50 instead of 100" for the first of those that differ; empty when none does. */
static void describe_difference(const TrainingFacts *there, const TrainingFacts *here, char *text,
                                size_t size) {
    const struct {
        const char *option;
        int32_t there, here;
    } numbers[] = {{"rounds", there->rounds, here->rounds},
                   {"candidates", there->candidates, here->candidates},
                   {"min-side", there->min_side, here->min_side},
                   {"threshold", there->threshold, here->threshold}};
    text[0] = '\0';
    if (there->hash != here->hash || there->images != here->images || there->width != here->width ||
        there->height != here->height) {
        snprintf(text, size,
                 "on other images or labels (%.60s, %" PRId32 " of %" PRId32 "×%" PRId32 ")",
                 there->input, there->images, there->width, there->height);
        return;
    }
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (numbers[i].there != numbers[i].here) {
            snprintf(text, size, "with --%s %" PRId32 ", not %" PRId32, numbers[i].option,
                     numbers[i].there, numbers[i].here);
            return;
        }
    }
    if (there->seed != here->seed) {
        snprintf(text, size, "with --seed %" PRIu64 ", not %" PRIu64, there->seed, here->seed);
    } else if (strcmp(there->variant, here->variant) != 0) {
        snprintf(text, size, "with --variant %s, not %s", there->variant, here->variant);
    } else if (there->digit_count != here->digit_count ||
               memcmp(there->digits, here->digits, there->digit_count) != 0) {
        snprintf(text, size, "of other --digits");
    }
}

Status checkpoint_resume(const Checkpoint *checkpoint, Recogniser *recogniser) {
    Recogniser stored;
    char difference[160];
    if (access(checkpoint->path, F_OK) != 0) {
        return status_ok();
    }
    STATUS_TRY(recogniser_read(checkpoint->path, CHECKPOINT_FILE, &stored));
    describe_difference(&stored.facts, &recogniser->facts, difference, sizeof difference);
    if (difference[0] != '\0') {
        recogniser_release(&stored);
        return status_make(
            STATUS_USAGE,
            "%.120s is of a training %s; give it the same, or --fresh to start from the beginning",
            checkpoint->path, difference);
    }
    recogniser->count = stored.count;
    memcpy(recogniser->classifiers, stored.classifiers,
           stored.count * sizeof *recogniser->classifiers);
    return status_ok();
}

/* --- Writing ---------------------------------------------------------------------------------- */

Status checkpoint_write(Checkpoint *checkpoint, const Recogniser *recogniser) {
    const double began = clock_now();
    STATUS_TRY(recogniser_write(checkpoint->path, CHECKPOINT_FILE, recogniser));
    write_clock_count(&checkpoint->writes, began, clock_now());
    return status_ok();
}

void checkpoint_remove(const Checkpoint *checkpoint) {
    unlink(checkpoint->path);
}

/* === Stump table ============================================================================== */

static const int64_t half = INT64_C(1) << 39; /* error, in its units */

/* --- Layout ----------------------------------------------------------------------------------- */

static const OutputPart *find_part(const OutputLayout *layout, const char *name) {
    for (size_t i = 0; i < layout->count; i++) {
        if (strcmp(layout->parts[i].name, name) == 0) {
            return &layout->parts[i];
        }
    }
    return NULL;
}

Status stump_table_find(const Output *output, StumpTable *table) {
    const OutputPart *count = find_part(&output->layout, "count");
    const OutputPart *stumps = find_part(&output->layout, "stumps");
    if (count == NULL || count->bytes != sizeof(uint64_t) || stumps == NULL ||
        stumps->kind != OUTPUT_TABLE_U64 || stumps->width != STUMP_NUMBERS) {
        return status_fail("adaboost's answer is not a count and a table of %d columns",
                           STUMP_NUMBERS);
    }
    *table = (StumpTable){.count = (uint64_t *)(void *)(output->data + count->offset),
                          .rows = (uint64_t *)(void *)(output->data + stumps->offset),
                          .rounds = stumps->height};
    return status_ok();
}

/* --- Rows ------------------------------------------------------------------------------------- */

static bool is_within(int64_t number, int64_t least, int64_t most) {
    return number >= least && number <= most;
}

static bool is_stump(const Stump *stump, int32_t width, int32_t height) {
    return is_within(stump->type, 0, HAAR_TYPES - 1) && is_within(stump->w, 1, width) &&
           is_within(stump->x, 0, width - stump->w) && is_within(stump->h, 1, height) &&
           is_within(stump->y, 0, height - stump->h) &&
           is_within(stump->threshold, -reach, reach) && is_within(stump->polarity, 0, 1) &&
           is_within(stump->error, 0, half - 1);
}

Status stump_table_read(const StumpTable *table, size_t count, int32_t width, int32_t height,
                        Classifier *classifier) {
    if (count > table->rounds || count < classifier->count) {
        return status_fail("adaboost's answer has %zu stumps after %zu, of %zu rounds", count,
                           classifier->count, table->rounds);
    }
    while (classifier->count < count) {
        Stump stump;
        memcpy(&stump, table->rows + classifier->count * STUMP_NUMBERS, offsetof(Stump, alpha));
        if (!is_stump(&stump, width, height)) {
            return status_fail("adaboost's answer has a row %zu that is no stump",
                               classifier->count + 1);
        }
        stump.alpha = stump_alpha(stump.error);
        STATUS_TRY(classifier_add(classifier, &stump));
    }
    return status_ok();
}

void stump_table_fill(const StumpTable *table, const Classifier *classifier) {
    for (size_t i = 0; i < classifier->count && i < table->rounds; i++) {
        memcpy(table->rows + i * STUMP_NUMBERS, &classifier->stumps[i], offsetof(Stump, alpha));
    }
}
