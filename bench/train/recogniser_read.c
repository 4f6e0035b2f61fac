#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "haar_features.h"
#include "json_file.h"
#include "recogniser_file.h"

static const double error_unit = 0x1p-40;
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

static Status read_integer(const Place *place, const cJSON *object, const char *key, double minimum,
                           double maximum, double *number) {
    const cJSON *item = member(object, key);
    if (!cJSON_IsNumber(item) || !(item->valuedouble >= minimum && item->valuedouble <= maximum) ||
        item->valuedouble != floor(item->valuedouble)) {
        char what[120];
        snprintf(what, sizeof what, "has no \"%s\" that is a whole number from %.0f to %.0f", key,
                 minimum, maximum);
        return wrong(place, what);
    }
    *number = item->valuedouble;
    return status_ok();
}

static Status read_int32(const Place *place, const cJSON *object, const char *key, int32_t minimum,
                         int32_t maximum, int32_t *number) {
    double value = 0;
    STATUS_TRY(read_integer(place, object, key, minimum, maximum, &value));
    *number = (int32_t)value;
    return status_ok();
}

static Status read_text(const Place *place, const cJSON *object, const char *key, char *text,
                        size_t size) {
    const char *value = cJSON_GetStringValue(member(object, key));
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

static Status read_head(const Place *place, RecogniserFileKind kind, const cJSON *root) {
    const char *format = cJSON_GetStringValue(member(root, "format"));
    const cJSON *version = member(root, "version");
    if (format == NULL || strcmp(format, recogniser_formats[kind]) != 0) {
        return wrong(place, kind == CHECKPOINT_FILE
                                ? "is no checkpoint of bench train"
                                : "holds no recogniser; bench train --model writes such files");
    }
    if (!cJSON_IsNumber(version) || version->valuedouble != RECOGNISER_VERSION) {
        return status_make(STATUS_FILE,
                           "%.200s is not of version %d, the only one that is understood",
                           place->path, RECOGNISER_VERSION);
    }
    return status_ok();
}

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

static Status read_type(const Place *place, const cJSON *object, int32_t *type) {
    const char *name = cJSON_GetStringValue(member(object, "type"));
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
    STATUS_TRY(read_int32(place, object, "x", 0, facts->width - 1, &stump->x));
    STATUS_TRY(read_int32(place, object, "y", 0, facts->height - 1, &stump->y));
    STATUS_TRY(read_int32(place, object, "w", 1, facts->width, &stump->w));
    STATUS_TRY(read_int32(place, object, "h", 1, facts->height, &stump->h));
    return stump->x + stump->w <= facts->width && stump->y + stump->h <= facts->height
               ? status_ok()
               : wrong(place, "has a feature that is not inside the picture");
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
    stump->error = (uint64_t)units;
    return status_ok();
}

static Status read_stump(const Place *place, const cJSON *object, const TrainingFacts *facts,
                         Stump *stump) {
    double candidate = 0, misses = 0, false_alarms = 0;
    const int32_t reach = 1 << 24; /* no feature of a picture that large has a larger value */
    STATUS_TRY(read_integer(place, object, "candidate", 0, facts->candidates - 1, &candidate));
    STATUS_TRY(read_feature(place, object, facts, stump));
    STATUS_TRY(read_int32(place, object, "threshold", -reach, reach, &stump->threshold));
    STATUS_TRY(read_int32(place, object, "polarity", 0, 1, &stump->polarity));
    STATUS_TRY(read_weights(place, object, stump));
    STATUS_TRY(read_integer(place, object, "misses", 0, facts->images, &misses));
    STATUS_TRY(read_integer(place, object, "false_alarms", 0, facts->images, &false_alarms));
    stump->candidate = (uint64_t)candidate;
    stump->misses = (uint64_t)misses;
    stump->false_alarms = (uint64_t)false_alarms;
    return status_ok();
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
    STATUS_TRY(read_head(&place, kind, root));
    STATUS_TRY(read_facts(&place, root, &recogniser->facts));
    return read_classifiers(&place, kind, root, recogniser);
}

Status recogniser_read(const char *path, RecogniserFileKind kind, Recogniser *recogniser) {
    cJSON *root;
    *recogniser = (Recogniser){.count = 0};
    STATUS_TRY(json_file_read(path, "a model", FILE_SIZE_MAX, &root));
    const Status status = read_recogniser(path, kind, root, recogniser);
    cJSON_Delete(root);
    if (!status_is_ok(&status)) {
        recogniser_release(recogniser);
    }
    return status;
}
