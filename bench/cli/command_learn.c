#include <inttypes.h>
#include <string.h>

#include "commands.h"
#include "exit_codes.h"
#include "interrupt.h"
#include "learn_options.h"
#include "output_target.h"
#include "run_folder.h"
#include "verification.h"
#include "visible.h"
#include "weights_files.h"

typedef Status LearnFunction(const LearnRequest *request, const PictureFolder *folder,
                             Weights *weights);

static const struct {
    const char *kind;
    LearnFunction *learn;
} learners[] = {
    [LEARN_HASHSIFT] = {WEIGHTS_HASHSIFT, learn_hashsift},
    [LEARN_BAD] = {WEIGHTS_BAD, learn_bad},
};

/* Found out before anything is learnt. */
static Status check_targets(const LearnOptions *options) {
    const LearnRequest *request = &options->request;
    STATUS_TRY(guard_input(request->folder));
    STATUS_TRY(guard_input(options->verify));
    STATUS_TRY(guard_input(options->against));
    STATUS_TRY(run_folder_try_file(request->out));
    if (request->checkpoint != NULL) {
        STATUS_TRY(run_folder_try_file(request->checkpoint));
    }
    return request->curve != NULL ? run_folder_try_file(request->curve) : status_ok();
}

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

/* The options that decide what is learnt. */
static void describe(LearnKind kind, const LearnRequest *request, const PictureFolder *folder,
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

static Status write_weights(LearnKind kind, const LearnRequest *request,
                            const PictureFolder *folder, const Weights *weights) {
    char comment[256];
    describe(kind, request, folder, comment, sizeof comment);
    STATUS_TRY(weights_write(request->out, weights, comment));
    visible_line(stdout, "weights: %s", request->out);
    return status_ok();
}

static Status learn(LearnKind kind, const LearnRequest *request, Weights *weights) {
    PictureFolder folder;
    Status status = picture_folder_load(request->folder, request->notes, &folder);
    if (status_is_ok(&status)) {
        status = learners[kind].learn(request, &folder, weights);
    }
    if (status_is_ok(&status)) {
        status = write_weights(kind, request, &folder, weights);
        if (!status_is_ok(&status)) {
            weights_free(weights);
        }
    }
    picture_folder_release(&folder);
    return status;
}

static Status verify(const LearnOptions *options, const Weights *trained, const Weights *against) {
    PictureFolder folder;
    Verification verification = {0};
    Status status = picture_folder_load(options->verify, options->request.notes, &folder);
    if (status_is_ok(&status)) {
        status = verification_make(&folder, &verification);
    }
    if (status_is_ok(&status)) {
        status = verification_print(stdout, &verification, trained, against);
    }
    verification_release(&verification);
    picture_folder_release(&folder);
    return status;
}

static Status run(LearnKind kind, const LearnOptions *options) {
    const char *path = options->against;
    Weights weights, against = {0};
    STATUS_TRY(check_targets(options));
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

static int command(LearnKind kind, const Invocation *given) {
    LearnOptions options;
    Status status =
        learn_options_parse(kind, given->argc - given->first, given->argv + given->first, &options);
    if (status_is_ok(&status) && options.help) {
        (kind == LEARN_HASHSIFT ? command_train_hashsift_help : command_train_bad_help)(stdout);
        return EXIT_OK;
    }
    options.request.notes = stderr;
    if (status_is_ok(&status)) {
        status = run(kind, &options);
    }
    return status_is_ok(&status) ? EXIT_OK : command_error(&status);
}

int command_train_hashsift(const Invocation *given) {
    return command(LEARN_HASHSIFT, given);
}

int command_train_bad(const Invocation *given) {
    return command(LEARN_BAD, given);
}

void command_train_hashsift_help(FILE *stream) {
    fputs("bench train-hashsift DIR --out FILE [options]\n\n"
          "Learns the projection of hashsift's descriptors from the pictures of a folder. Views of "
          "each are\n"
          "made by random homographies, blur, light and noise, so that it is known which places "
          "are the same;\n"
          "the projection learns to give them the same bits, and others different ones: triplets "
          "with the\n"
          "hardest negative of a batch, a margin, and tanh in place of the sign.\n\n"
          "Examples\n"
          "  bench train-hashsift pictures --bits 256 --out hashsift-256.csv --curve loss.csv\n"
          "  bench train-hashsift pictures --out w.csv --checkpoint w.checkpoint --verify others\n"
          "  bench train-hashsift pictures --out w.csv --checkpoint w.checkpoint --resume\n",
          stream);
    learn_options_print_help(LEARN_HASHSIFT, stream);
}

void command_train_bad_help(FILE *stream) {
    fputs("bench train-bad DIR --out FILE [options]\n\n"
          "Chooses the box pairs and thresholds of bad's descriptors on the pictures of a folder. "
          "Views of\n"
          "each are made by random homographies, blur, light and noise, so that it is known which "
          "places are\n"
          "the same; of many random tests those are chosen, one after the other, that help most "
          "with the places\n"
          "that are still taken for others.\n\n"
          "Examples\n"
          "  bench train-bad pictures --bits 256 --out bad-256.csv --curve loss.csv\n"
          "  bench train-bad pictures --out bad-512.csv --candidates 16384 --verify others\n",
          stream);
    learn_options_print_help(LEARN_BAD, stream);
}
