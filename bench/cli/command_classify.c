#include <string.h>

#include "classify_options.h"
#include "commands.h"
#include "confusion_report.h"
#include "exit_codes.h"
#include "folder.h"
#include "model_file.h"
#include "output_target.h"
#include "run_folder.h"
#include "visible.h"

/* Found out before anything is described. */
static Status check_targets(const ClassifyOptions *options) {
    STATUS_TRY(guard_input(options->request.folder));
    STATUS_TRY(guard_input(options->request.model_file));
    if (options->csv != NULL) {
        STATUS_TRY(run_folder_try_file(options->csv));
    }
    if (options->save_model != NULL) {
        STATUS_TRY(run_folder_try_file(options->save_model));
    }
    return options->plot != NULL ? folder_make(options->plot) : status_ok();
}

static const char *model_words(const ClassifyRequest *request) {
    switch (request->kind) {
    case MODEL_FIRST: return "the first of each class";
    case MODEL_ALL: return "all of each class, without what is tested";
    case MODEL_STORED: break;
    }
    return request->model_file;
}

static void print_head(const ClassifyOptions *options, const Classification *result) {
    const Sampling *sampling = &options->request.gather.sampling;
    visible_line(stdout, "%s, %s, interp %s", description_algorithm()->name, result->variant->name,
                 result->models.scales.interp);
    printf("samples: %zu of %zu classes, %zu tested", result->samples, result->tree.count,
           result->evaluation.tested);
    if (sampling->crop > 0) {
        printf("; %d×%d pixels", sampling->crop, sampling->crop);
    }
    if (sampling->angle_count > 0) {
        printf(" at %zu angle%s", sampling->angle_count, sampling->angle_count > 1 ? "s" : "");
    }
    putchar('\n');
    visible_line(stdout, "models: %s", model_words(&options->request));
    putchar('\n');
}

/* The table comes first: a chart that cannot be drawn does not take it away. */
static Status report(const ClassifyOptions *options, const Classification *result) {
    print_head(options, result);
    STATUS_TRY(evaluation_print(stdout, &result->evaluation));
    if (options->save_model != NULL) {
        STATUS_TRY(models_write(options->save_model, &result->models));
    }
    if (options->csv != NULL) {
        STATUS_TRY(evaluation_write_csv(options->csv, &result->evaluation));
    }
    return options->plot != NULL ? evaluation_draw(options->plot, &result->evaluation)
                                 : status_ok();
}

static int run(const ClassifyOptions *options) {
    Classification result = {.samples = 0};
    Status status = check_targets(options);
    if (status_is_ok(&status)) {
        status = classify(&options->request, options->save_model != NULL, &result);
    }
    if (status_is_ok(&status)) {
        status = report(options, &result);
    }
    classification_release(&result);
    return status_is_ok(&status) ? EXIT_OK : command_error(&status);
}

int command_classify(const Invocation *given) {
    ClassifyOptions options;
    const Status status =
        classify_options_parse(given->argc - given->first, given->argv + given->first, &options);
    if (!status_is_ok(&status)) {
        return command_error(&status);
    }
    if (options.help) {
        command_classify_help(stdout);
        return EXIT_OK;
    }
    options.request.gather.notes = stderr;
    options.request.gather.progress = options.quiet ? NULL : stderr;
    return run(&options);
}

void command_classify_help(FILE *stream) {
    fputs("bench classify DIR [options]\n\n"
          "Tells textures apart by their lbp_riu histograms. DIR has a folder of pictures for each "
          "class,\n"
          "named after it, or a picture for each class. A sample goes to the class whose model "
          "makes it most\n"
          "likely: the sum of its counts times the logarithm of the model's shares is largest. "
          "Bins that the\n"
          "model never saw count as one pixel, and the first of equal classes is taken. Prints the "
          "accuracy\n"
          "of each class at each scale and with the sums over the scales.\n\n"
          "Examples\n"
          "  bench classify textures --plot charts --csv confusion.csv\n"
          "  bench classify textures --crop 128 --rotate 0,15,30,45,60,75,90\n"
          "  bench classify known --model all --save-model known.json\n"
          "  bench classify unknown --model known.json\n",
          stream);
    classify_options_print_help(stream);
}
