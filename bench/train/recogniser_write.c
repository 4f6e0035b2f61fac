#include "recogniser_file.h"

#include <cjson/cJSON.h>
#include <inttypes.h>

#include "atomic_file.h"
#include "haar_features.h"
#include "number_text.h"
#include "visible.h"

const char *const recogniser_formats[] = {
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
            "   {\"candidate\": %" PRIu64 ", \"type\": \"%s\", \"x\": %" PRId32 ", \"y\": %" PRId32
            ", \"w\": %" PRId32 ", \"h\": %" PRId32 ", \"threshold\": %" PRId32
            ", \"polarity\": %" PRId32 ", \"alpha\": %s, \"error\": %s, \"misses\": %" PRIu64
            ", \"false_alarms\": %" PRIu64 "}",
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

Status recogniser_write(const char *path, RecogniserFileKind kind, const Recogniser *recogniser) {
    AtomicFile file;
    STATUS_TRY(atomic_file_open(&file, path));
    if (!write_recogniser(file.stream, kind, recogniser)) {
        atomic_file_abandon(&file);
        return status_skip("no memory left to write %.200s", path);
    }
    return atomic_file_commit(&file);
}
