/* Fuzzes recogniser_read, of models and of checkpoints: what is taken can be used as it is, what is
 * not has a reason. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fnv.h"
#include "fuzz_input.h"
#include "recognise_internal.h"

enum { ENTRIES_MAX = (RECOGNISER_SIDE_MAX + 1) * (RECOGNISER_SIDE_MAX + 1) };

static void check_stump(const TrainingFacts *facts, const Stump *stump) {
    require(stump->type >= 0 && stump->type < 5);
    require(stump->x >= 0 && stump->y >= 0 && stump->w >= 1 && stump->h >= 1);
    require(stump->x + stump->w <= facts->width && stump->y + stump->h <= facts->height);
    require(stump->polarity == 0 || stump->polarity == 1);
    require(isfinite(stump->alpha) && stump->alpha > 0);
    require(stump->error >= 0 && stump->error < INT64_C(1) << 39);
    require(stump->candidate >= 0 && stump->candidate < facts->candidates);
    require(stump->misses >= 0 && stump->misses <= facts->images);
    require(stump->false_alarms >= 0 && stump->false_alarms <= facts->images);
}

static void check_facts(const TrainingFacts *facts) {
    require(facts->width >= 1 && facts->width <= RECOGNISER_SIDE_MAX);
    require(facts->height >= 1 && facts->height <= RECOGNISER_SIDE_MAX);
    require(facts->input[0] != '\0' && facts->variant[0] != '\0');
    require(facts->images >= 1 && facts->rounds >= 1 && facts->rounds <= RECOGNISER_ROUNDS_MAX);
    require(facts->digit_count >= 1 && facts->digit_count <= RECOGNISER_DIGITS_MAX);
}

static void check_recogniser(RecogniserFileKind kind, const Recogniser *recogniser) {
    static int32_t integral[ENTRIES_MAX];
    double scores[RECOGNISER_DIGITS_MAX];
    const TrainingFacts *facts = &recogniser->facts;
    check_facts(facts);
    require(recogniser->count >= 1 && recogniser->count <= facts->digit_count);
    require(kind == CHECKPOINT_FILE || recogniser->count == facts->digit_count);
    for (size_t i = 0; i < recogniser->count; i++) {
        const Classifier *classifier = &recogniser->classifiers[i];
        require(classifier->digit == facts->digits[i]);
        require(classifier->count >= 1 && classifier->count <= (size_t)facts->rounds);
        for (size_t k = 0; k < classifier->count; k++) {
            check_stump(facts, &classifier->stumps[k]);
        }
    }
    recogniser_scores(recogniser, 0, integral, scores);
    require(recogniser_decide(recogniser, scores) < recogniser->count);
}

/* In a checkpoint with the right checksum, so that its contents are reached. */
static const char *checkpoint_of(const uint8_t *bytes, size_t size) {
    static uint8_t whole[1 << 16];
    static const char training[] = "train";
    const uint64_t hash = fnv_bytes(fnv_bytes(FNV_START, training, strlen(training)), bytes, size);
    const int head = snprintf((char *)whole, sizeof whole,
                              "bench checkpoint 1 %s %016" PRIx64 " %016" PRIx64 "\n", training,
                              (uint64_t)size, hash);
    require(size <= sizeof whole - (size_t)head);
    memcpy(whole + head, bytes, size);
    return fuzz_input_file(whole, (size_t)head + size);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static Recogniser recogniser;
    for (RecogniserFileKind kind = RECOGNISER_FILE; kind <= CHECKPOINT_FILE; kind++) {
        const char *path =
            kind == CHECKPOINT_FILE ? checkpoint_of(bytes, size) : fuzz_input_file(bytes, size);
        const Status status = recogniser_read(path, kind, &recogniser);
        if (status_is_ok(&status)) {
            check_recogniser(kind, &recogniser);
            recogniser_release(&recogniser);
        } else {
            require(status.code == STATUS_FILE);
            require_reason(&status);
            require(recogniser.count == 0);
        }
    }
    return 0;
}
