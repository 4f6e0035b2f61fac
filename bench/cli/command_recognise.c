#include "commands.h"
#include "exit_codes.h"
#include "folder.h"
#include "output_target.h"
#include "recognise_options.h"
#include "recogniser_file.h"
#include "recognition_report.h"
#include "run_folder.h"

/* Found out before anything is recognised. */
static Status check_targets(const RecogniseOptions *options, const Workload *set) {
    if (set->set.labels == NULL && (options->matrix != NULL || options->plot != NULL)) {
        return status_make(STATUS_USAGE,
                           "%s needs labels, which %.200s has not; give a file of them with "
                           "--labels",
                           options->matrix != NULL ? "--matrix" : "--plot", set->input);
    }
    STATUS_TRY(guard_input(options->model));
    STATUS_TRY(guard_input(options->set.path));
    STATUS_TRY(guard_input(options->set.labels));
    if (options->csv != NULL) {
        STATUS_TRY(run_folder_try_file(options->csv));
    }
    if (options->matrix != NULL) {
        STATUS_TRY(run_folder_try_file(options->matrix));
    }
    return options->plot != NULL ? folder_make(options->plot) : status_ok();
}

/* The table comes first: a chart that cannot be drawn does not take it away. */
static Status report(const RecogniseOptions *options, const Recognition *recognition) {
    STATUS_TRY(recognition_print(stdout, recognition));
    if (options->csv != NULL) {
        STATUS_TRY(recognition_write_csv(options->csv, recognition));
    }
    if (options->matrix != NULL) {
        STATUS_TRY(recognition_write_matrix(options->matrix, recognition));
    }
    return options->plot != NULL ? recognition_draw(options->plot, recognition) : status_ok();
}

static Status run_on(const RecogniseOptions *options, const Recogniser *recogniser,
                     const Workload *set) {
    Recognition recognition;
    STATUS_TRY(check_targets(options, set));
    Status status = recognise(recogniser, set, options->rounds, &recognition);
    if (status_is_ok(&status)) {
        status = report(options, &recognition);
    }
    recognition_release(&recognition);
    return status;
}

static Status run(const RecogniseOptions *options) {
    Recogniser recogniser;
    Workload set;
    STATUS_TRY(recogniser_read(options->model, RECOGNISER_FILE, &recogniser));
    Status status = picture_set_load(&options->set, &set);
    if (status_is_ok(&status)) {
        status = run_on(options, &recogniser, &set);
        picture_set_release(&set);
    }
    recogniser_release(&recogniser);
    return status;
}

int command_recognise(const Invocation *given) {
    RecogniseOptions options;
    Status status =
        recognise_options_parse(given->argc - given->first, given->argv + given->first, &options);
    if (status_is_ok(&status) && options.help) {
        command_recognise_help(stdout);
        return EXIT_OK;
    }
    if (status_is_ok(&status)) {
        status = run(&options);
    }
    return status_is_ok(&status) ? EXIT_OK : command_error(&status);
}

void command_recognise_help(FILE *stream) {
    fputs("bench recognise MODEL IMAGES [options]\n"
          "bench recognise MODEL --synthetic digits [options]\n\n"
          "Recognises pictures by a model that bench train wrote. The score of a digit is the sum "
          "of its\n"
          "stumps' weights, + for those that take the picture for it, - for the others. A picture "
          "goes to\n"
          "the digit of the largest score, of equal ones to the lowest. With labels: accuracy with "
          "its 95%\n"
          "interval, misses and false alarms of each digit's own classifier (a score of at least 0 "
          "says yes),\n"
          "and the confusion matrix.\n\n"
          "Examples\n"
          "  bench recognise digits.json t10k-images-idx3-ubyte.gz --plot charts\n"
          "  bench recognise digits.json unknown/ --csv predictions.csv\n"
          "  bench recognise two.json --synthetic digits --seed 2\n",
          stream);
    recognise_options_print_help(stream);
}
