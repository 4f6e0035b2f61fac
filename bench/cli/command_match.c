#include "commands.h"
#include "exit_codes.h"
#include "folder.h"
#include "match_options.h"
#include "match_report.h"
#include "output_target.h"

/* The tables come first: a picture that cannot be written does not take them away. */
static Status report(const MatchOptions *options, const PictureMatch *match) {
    match_print(stdout, match);
    return options->out != NULL ? match_write(options->out, match, options->request.ransac.seed)
                                : status_ok();
}

/* Found out before anything is matched. */
static Status check_targets(const MatchOptions *options) {
    const MatchRequest *request = &options->request;
    for (int i = 0; i < 2; i++) {
        STATUS_TRY(guard_input(request->pictures[i]));
        STATUS_TRY(guard_input(request->keypoint_files[i]));
    }
    STATUS_TRY(guard_input_list(request->weights));
    STATUS_TRY(guard_input(request->homography));
    if (options->out == NULL) {
        return status_ok();
    }
    STATUS_TRY(folder_make(options->out));
    return match_files_check(options->out);
}

static Status run(const MatchOptions *options) {
    PictureMatch match;
    STATUS_TRY(check_targets(options));
    Status status = picture_match_run(&options->request, &match);
    if (status_is_ok(&status)) {
        status = report(options, &match);
    }
    picture_match_release(&match);
    return status;
}

int command_match(const Invocation *given) {
    MatchOptions options;
    Status status =
        match_options_parse(given->argc - given->first, given->argv + given->first, &options);
    if (status_is_ok(&status) && options.help) {
        command_match_help(stdout);
        return EXIT_OK;
    }
    if (status_is_ok(&status)) {
        status = run(&options);
    }
    return status_is_ok(&status) ? EXIT_OK : command_error(&status);
}

void command_match_help(FILE *stream) {
    fputs("bench match A B [options]\n\n"
          "Finds what two pictures have in common. Keypoints of both are detected or read, and "
          "described\n"
          "by several methods; descriptors that are each other's nearest are a match; RANSAC looks "
          "for the\n"
          "homography that most matches agree with, its inliers. Says how many of each there are, "
          "and\n"
          "how long each part takes.\n\n"
          "Examples\n"
          "  bench match one.jpg other.jpg --out matches\n"
          "  bench match graf1.png graf3.png --homography H1to3p.txt\n"
          "  bench match a.png b.png --keypoints-file a.csv,b.csv --methods hashsift --bits 256\n",
          stream);
    match_options_print_help(stream);
}
