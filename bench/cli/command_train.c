#include "commands.h"
#include "exit_codes.h"
#include "feature_pictures.h"
#include "folder.h"
#include "output_target.h"
#include "run_folder.h"
#include "train_options.h"
#include "visible.h"

/* Found out before anything is trained. */
static Status check_targets(const TrainOptions *options) {
    STATUS_TRY(guard_input(options->set.path));
    STATUS_TRY(guard_input(options->set.labels));
    STATUS_TRY(run_folder_try_file(options->request.model));
    return options->pictures != NULL ? folder_make(options->pictures) : status_ok();
}

/* The table comes first: pictures that cannot be written do not take it away. */
static Status report(const TrainOptions *options, const Workload *set,
                     const Recogniser *recogniser) {
    STATUS_TRY(training_print(stdout, recogniser));
    putchar('\n');
    visible_line(stdout, "model: %s", options->request.model);
    return options->pictures != NULL ? feature_pictures_write(options->pictures, recogniser, set)
                                     : status_ok();
}

static Status run_on(const TrainOptions *options, const Workload *set) {
    Recogniser recogniser;
    STATUS_TRY(check_targets(options));
    Status status = train(&options->request, set, &recogniser);
    if (status_is_ok(&status)) {
        status = report(options, set, &recogniser);
    }
    recogniser_release(&recogniser);
    return status;
}

static int run(const TrainOptions *options) {
    Workload set;
    Status status = picture_set_load(&options->set, &set);
    if (status_is_ok(&status)) {
        status = run_on(options, &set);
        picture_set_release(&set);
    }
    return status_is_ok(&status) ? EXIT_OK : command_error(&status);
}

int command_train(const Invocation *given) {
    TrainOptions options;
    const Status status =
        train_options_parse(given->argc - given->first, given->argv + given->first, &options);
    if (!status_is_ok(&status)) {
        return command_error(&status);
    }
    if (options.help) {
        command_train_help(stdout);
        return EXIT_OK;
    }
    options.request.notes = stderr;
    return run(&options);
}

void command_train_help(FILE *stream) {
    fputs("bench train IMAGES --model FILE [options]\n"
          "bench train --synthetic digits --model FILE [options]\n\n"
          "Trains a recogniser: for each digit a classifier that tells it from the rest, by "
          "AdaBoost over\n"
          "decision stumps on Haar-like features (the algorithm adaboost). IMAGES is an IDX file, "
          "plain or\n"
          "gzip, or a folder of pictures of one size. What is done is kept in FILE.checkpoint; the "
          "same\n"
          "command after an interruption goes on from there and gives the same model. A variant is "
          "held\n"
          "against the sequential one on a small set first.\n\n"
          "Examples\n"
          "  bench train train-images-idx3-ubyte.gz --model digits.json --rounds 200\n"
          "  bench train train-images-idx3-ubyte.gz --model digits.json --variant cuda_fast "
          "--pictures features\n"
          "  bench train --synthetic digits --images 2000 --digits 3,8 --model two.json\n",
          stream);
    train_options_print_help(stream);
}
