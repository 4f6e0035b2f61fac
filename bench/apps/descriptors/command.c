/* The commands `bench train-hashsift` and `bench train-bad`. */

#include "descriptors_internal.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base.h"
#include "interrupt.h"
#include "run.h"
#include "status.h"
#include "weights_files.h"
#include "workload.h"

/* === Options ================================================================================== */

enum {
    BATCH_LEAST = 8,
    BATCH_MOST = 8192,
    CANDIDATE_TABLE = 512, /* candidates come in as many */
    CANDIDATES_MOST = 1 << 18,
    STEPS_MOST = 10000000
};

/* Bits of Option.scope. */
typedef enum LearnKind { LEARN_HASHSIFT = 1, LEARN_BAD = 2 } LearnKind;

static Status check(void *of, const OptionsGiven *given) {
    LearnOptions *options = of;
    LearnRequest *request = &options->request;
    const char *command = given->command->name;
    request->bits = strcmp(options->bits, "256") == 0 ? 256 : 512;
    if (request->folder == NULL) {
        return status_make(STATUS_USAGE, "%s: name the folder of images to learn from", command);
    }
    if (request->out == NULL) {
        return status_make(STATUS_USAGE,
                           "%s: name the file that the weights go to, as in --out weights.csv",
                           command);
    }
    if (request->candidates % CANDIDATE_TABLE != 0) {
        return status_make(STATUS_USAGE, "--candidates: '%" PRId32 "' is no multiple of %d",
                           request->candidates, CANDIDATE_TABLE);
    }
    if (request->resume && request->checkpoint == NULL) {
        return status_make(STATUS_USAGE, "--resume: name the checkpoint to continue from, as in "
                                         "--checkpoint training.checkpoint");
    }
    if (options->against != NULL && options->verify == NULL) {
        return status_make(STATUS_USAGE,
                           "--against: name the images to verify on, as in --verify DIR");
    }
    return status_ok();
}

#define MEMBER(name) .member = offsetof(LearnOptions, name)

static const char *const bits_words[] = {"256", "512", NULL};

static const LearnOptions defaults = {
    .request = {.seed = 1, .steps = 3000, .batch = 512, .candidates = 8192}, .bits = "512"};

static const Option option_rows[] = {
    {NULL, "DIR", NULL, .kind = OPTION_INPUT, MEMBER(request.folder)},
    {"bits", "N", "bits of a descriptor, 256 or 512. Default: 512", .kind = OPTION_WORD,
     MEMBER(bits), .words = bits_words, .noun = "number of bits of a descriptor"},
    {"steps", "N", "batches to learn from. Default: 3000", .kind = OPTION_WHOLE,
     MEMBER(request.steps), .least = 1, .most = STEPS_MOST, .scope = LEARN_HASHSIFT},
    {"batch", "N", "places in a batch, from 16 images. Default: 512", .kind = OPTION_INT,
     MEMBER(request.batch), .least = BATCH_LEAST, .most = BATCH_MOST, .scope = LEARN_HASHSIFT},
    {"candidates", "N",
     "tests that the bits of the descriptor are chosen from, a multiple of 512. Default: 8192",
     .kind = OPTION_INT, MEMBER(request.candidates), .least = CANDIDATE_TABLE,
     .most = CANDIDATES_MOST, .scope = LEARN_BAD},
    {"seed", "N", "seed of everything random. Default: 1", .kind = OPTION_WHOLE,
     MEMBER(request.seed), .most = UINT64_MAX},
    {"out", "FILE", "weights to write; needed", .kind = OPTION_OUTPUT, MEMBER(request.out)},
    {"checkpoint", "FILE",
     "file that stores the progress, about every ten seconds and when the training is interrupted",
     .kind = OPTION_OUTPUT, MEMBER(request.checkpoint)},
    {"resume", NULL,
     "continue from the checkpoint; the weights are those of a training that was not interrupted",
     .kind = OPTION_SET, MEMBER(request.resume)},
    {"curve", "FILE", "write the loss of each step as CSV, and draw a chart of it beside it",
     .kind = OPTION_OUTPUT, MEMBER(request.curve)},
    {"verify", "DIR",
     "folder of other images, on which the weights are compared with random ones: false-positive "
     "rate at 95% recall and matching score",
     .kind = OPTION_INPUT, MEMBER(verify)},
    {"against", "FILE", "other weights to verify as well", .kind = OPTION_INPUT, MEMBER(against)},
    {"quiet", NULL, "no progress on standard error", .kind = OPTION_SET, MEMBER(request.quiet)},
    OPTIONS_END};

/* === Learning ================================================================================= */

typedef Status LearnFunction(const LearnRequest *request, const ImageFolder *folder,
                             Weights *weights);

static const struct {
    const char *kind;
    LearnFunction *learn;
} learners[] = {
    [LEARN_HASHSIFT] = {WEIGHTS_HASHSIFT, learn_hashsift},
    [LEARN_BAD] = {WEIGHTS_BAD, learn_bad},
};

static Status read_against(const char *path, const char *kind, Weights *against) {
    STATUS_TRY(weights_read(path, against));
    if (strcmp(against->kind, kind) != 0) {
        const Status status =
            status_make(STATUS_USAGE, "--against: %.200s holds weights of %s; name some of %s",
                        path, against->kind, kind);
        weights_free(against);
        return status;
    }
    return status_ok();
}

/* Every option that affects the weights. */
static void describe(LearnKind kind, const LearnRequest *request, const ImageFolder *folder,
                     char *text, size_t size) {
    const int length = snprintf(text, size,
                                "learnt from %" PRId32 " pictures by bench train-%s --bits %" PRId32
                                " --seed %" PRIu64,
                                folder->count, learners[kind].kind, request->bits, request->seed);
    if (kind == LEARN_HASHSIFT) {
        snprintf(text + length, size - (size_t)length, " --steps %" PRIu64 " --batch %" PRId32,
                 request->steps, request->batch);
    } else {
        snprintf(text + length, size - (size_t)length, " --candidates %" PRId32,
                 request->candidates);
    }
}

static Status write_weights(LearnKind kind, const LearnRequest *request, const ImageFolder *folder,
                            const Weights *weights) {
    char comment[256];
    describe(kind, request, folder, comment, sizeof comment);
    STATUS_TRY(weights_write(request->out, weights, comment));
    visible_line(stdout, "weights: %s", request->out);
    return status_ok();
}

static Status learn(LearnKind kind, const LearnRequest *request, Weights *weights) {
    ImageFolder folder;
    Status status = image_folder_load(request->folder, request->notes, &folder);
    if (status_is_ok(&status)) {
        status = learners[kind].learn(request, &folder, weights);
    }
    if (status_is_ok(&status)) {
        status = write_weights(kind, request, &folder, weights);
        if (!status_is_ok(&status)) {
            weights_free(weights);
        }
    }
    image_folder_release(&folder);
    return status;
}

static Status verify(const LearnOptions *options, const Weights *trained, const Weights *against) {
    ImageFolder folder;
    Verification verification = {0};
    Status status = image_folder_load(options->verify, options->request.notes, &folder);
    if (status_is_ok(&status)) {
        status = verification_make(&folder, &verification);
    }
    if (status_is_ok(&status)) {
        status = verification_print(stdout, &verification, trained, against);
    }
    verification_release(&verification);
    image_folder_release(&folder);
    return status;
}

static Status run(LearnKind kind, LearnOptions *options) {
    const char *path = options->against;
    Weights weights, against = {0};
    options->request.notes = stderr;
    if (path != NULL) {
        STATUS_TRY(read_against(path, learners[kind].kind, &against));
    }
    Status status = learn(kind, &options->request, &weights);
    if (status_is_ok(&status)) {
        if (interrupt_requested()) { /* while the curve was drawn, which is no reason to lose them
                                      */
            status = status_make(STATUS_INTERRUPTED, "interrupted; the weights are written");
        } else if (options->verify != NULL) {
            status = verify(options, &weights, path != NULL ? &against : NULL);
        }
        weights_free(&weights);
    }
    if (path != NULL) {
        weights_free(&against);
    }
    return status;
}

static Status run_hashsift(Invocation *given, void *options) {
    (void)given;
    STATUS_TRY(command_files_check(&command_train_hashsift, options));
    return run(LEARN_HASHSIFT, options);
}

static Status run_bad(Invocation *given, void *options) {
    (void)given;
    STATUS_TRY(command_files_check(&command_train_bad, options));
    return run(LEARN_BAD, options);
}

const Command command_train_hashsift = {
    .name = "train-hashsift",
    .summary = "learn the projection of hashsift's descriptors from images",
    .usage = "bench train-hashsift DIR --out FILE [options]",
    .about = "Learns the projection of hashsift's descriptors from the images of a folder. Views "
             "of each are made by random homographies, blur, light and noise, so it is known "
             "which places are the same. The projection learns to give the same place the same "
             "bits and different places different ones: triplets with the hardest negative of a "
             "batch, a margin, and tanh in place of the sign.",
    .examples =
        "bench train-hashsift images --bits 256 --out hashsift-256.csv --curve loss.csv\n"
        "bench train-hashsift images --out w.csv --checkpoint w.checkpoint --verify others\n"
        "bench train-hashsift images --out w.csv --checkpoint w.checkpoint --resume\n",
    .words = "one folder of images",
    .rows = option_rows,
    .scope = LEARN_HASHSIFT,
    .size = sizeof(LearnOptions),
    .defaults = &defaults,
    .check = check,
    .run = run_hashsift,
};

const Command command_train_bad = {
    .name = "train-bad",
    .summary = "learn the box pairs of bad's descriptors from images",
    .usage = "bench train-bad DIR --out FILE [options]",
    .about = "Chooses the box pairs and thresholds of bad's descriptors on the images of a folder. "
             "Views of each are made by random homographies, blur, light and noise, so it is "
             "known which places are the same. Of many random tests those are chosen, one after "
             "the other, that best separate the places that are still confused.",
    .examples = "bench train-bad images --bits 256 --out bad-256.csv --curve loss.csv\n"
                "bench train-bad images --out bad-512.csv --candidates 16384 --verify others\n",
    .words = "one folder of images",
    .rows = option_rows,
    .scope = LEARN_BAD,
    .size = sizeof(LearnOptions),
    .defaults = &defaults,
    .check = check,
    .run = run_bad,
};
