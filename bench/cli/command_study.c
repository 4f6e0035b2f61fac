#include <stdlib.h>

#include "commands.h"
#include "exit_codes.h"
#include "interrupt.h"
#include "study_file.h"
#include "study_options.h"
#include "study_report.h"
#include "study_session.h"
#include "study_steps.h"
#include "study_summary.h"
#include "visible.h"

/* Without --quiet each step has said it already. */
static void tell_failed(const StudySession *session, const StepOutcome *outcomes) {
    size_t first = 0, count = 0;
    for (size_t i = 0; i < session->study.step_count; i++) {
        const bool failed = outcomes[i].state == STEP_FAILED && outcomes[i].code != EXIT_NO_SAMPLE;
        first = failed && count == 0 ? i : first;
        count += failed;
    }
    if (count == 1) {
        visible_line(stderr, "bench: step %s: %s", session->study.steps[first].name,
                     outcomes[first].why);
    } else if (count > 1) {
        visible_line(stderr, "bench: %zu steps failed; the first is %s: %s", count,
                     session->study.steps[first].name, outcomes[first].why);
    }
}

/* The report of what there is. A picture that cannot be drawn is only noted. All that is left is
 * writing down, so an interrupt does not end it. */
static Status report(const StudySession *session, StepOutcome *outcomes, int *code) {
    StudyResult result;
    interrupt_hold();
    STATUS_TRY(study_result_make(&session->study, &session->published, &session->settings, outcomes,
                                 &result));
    *code = study_exit_code(&result);
    Status status = study_report_write(&result);
    if (status.code == STATUS_SKIP || status.code == STATUS_INTERRUPTED) {
        const int ended = command_error(&status);
        *code = status.code == STATUS_INTERRUPTED ? ended : *code;
        status = status_ok();
    }
    if (status_is_ok(&status)) {
        study_summary_print(stdout, &result);
        putchar('\n');
        visible_line(stdout, "%s/report.html", session->out);
        if (session->settings.quiet && *code != EXIT_OK && *code != EXIT_INTERRUPTED) {
            tell_failed(session, outcomes);
        }
    }
    study_result_release(&result);
    return status;
}

static Status run(const StudySession *session, int *code) {
    bool interrupted;
    if (!session->options->render) {
        STATUS_TRY(study_record_write(session->study.name, &session->settings));
    }
    StepOutcome *outcomes = calloc(session->study.step_count, sizeof *outcomes);
    if (outcomes == NULL) {
        return status_skip("no memory left for a study");
    }
    const Status status = study_steps_run(&session->study, &session->settings, session->chosen,
                                          outcomes, &interrupted);
    if (!status_is_ok(&status)) {
        free(outcomes);
        return status;
    }
    return report(session, outcomes, code);
}

static Status run_or_show(const StudyOptions *options, int *code) {
    StudySession session;
    Status status = study_session_open(options, &session);
    if (status_is_ok(&status) && options->dry_run) {
        for (size_t i = 0; i < session.study.step_count; i++) {
            if (session.chosen[i]) {
                study_step_announce(stdout, &session.study, i, &session.settings);
            }
        }
    } else if (status_is_ok(&status)) {
        status = run(&session, code);
    }
    study_session_close(&session);
    return status;
}

int command_study(const Invocation *given) {
    StudyOptions options;
    int code = EXIT_OK;
    Status status =
        study_options_parse(given->argc - given->first, given->argv + given->first, &options);
    if (status_is_ok(&status) && options.help) {
        command_study_help(stdout);
        return EXIT_OK;
    }
    if (status_is_ok(&status)) {
        status = options.list ? study_list(stdout) : run_or_show(&options, &code);
    }
    return status_is_ok(&status) ? code : command_error(&status);
}

void command_study_help(FILE *stream) {
    fputs("bench study NAME [options]\n"
          "bench study --list\n\n"
          "Measures what a paper measured, and writes its tables and figures with the published "
          "numbers\n"
          "beside: report.html, report.md, tables as CSV, Markdown and LaTeX, figures as SVG, PDF "
          "and PNG.\n"
          "What this machine cannot run is marked. NAME is one of the list, or the folder of a "
          "study.txt;\n"
          "reports/studies/README.md describes how to write one.\n\n"
          "Examples\n"
          "  bench study lbp-2020 --quick\n"
          "  bench study lbp-2020 --device cpu --out lbp\n"
          "  bench study lbp-riu-2018 --steps gpu --out riu\n"
          "  bench study lbp-2020 --render --out lbp\n",
          stream);
    study_options_print_help(stream);
}
