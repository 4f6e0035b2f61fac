#include "commands.h"
#include "exit_codes.h"
#include "output_target.h"
#include "report_document.h"
#include "report_output.h"
#include "visible.h"

static void note_ignored(const ReportRuns *runs) {
    for (size_t i = 0; i < runs->count; i++) {
        if (runs->stored[i].ignored > 0) {
            visible_line(stderr,
                         "bench: note: %s: %zu rows are of algorithms, variants or axes that this "
                         "version does not have; they are left out",
                         runs->names[i], runs->stored[i].ignored);
        }
    }
}

static Status build_and_write(const ReportOptions *options, const ReportRuns *runs) {
    ReportPlace place;
    for (size_t i = 0; i < options->run_count; i++) {
        STATUS_TRY(guard_run(options->runs[i]));
    }
    STATUS_TRY(report_place_find(options, &place));
    Document document;
    report_document_build(options, runs, &document);
    Status status = report_write(&place, &document, stdout);
    document_release(&document);
    if (status.code == STATUS_SKIP) {
        visible_line(stderr, "bench: note: charts are tables in the Markdown: %s", status.why);
        status = status_ok();
    }
    return status;
}

int command_report(const Invocation *given) {
    ReportOptions options;
    Status status =
        report_options_parse(given->argc - given->first, given->argv + given->first, &options);
    if (status_is_ok(&status) && options.help) {
        command_report_help(stdout);
        return EXIT_OK;
    }
    ReportRuns runs = {.stored = NULL};
    if (status_is_ok(&status)) {
        status = report_runs_read(&options, &runs);
    }
    if (status_is_ok(&status)) {
        note_ignored(&runs);
        status = build_and_write(&options, &runs);
    }
    report_runs_release(&runs);
    return status_is_ok(&status) ? EXIT_OK : command_error(&status);
}

void command_report_help(FILE *stream) {
    fputs("bench report RUN... [options]\n\n"
          "Tells about stored runs in one HTML page that needs nothing else: the fastest variant "
          "of each\n"
          "size and its speedups, from which size on the GPU is ahead, charts, rooflines, every "
          "cell, what\n"
          "was skipped and why, the machine, how it was measured. RUN is the folder of a run or "
          "its\n"
          "results.json; several runs are sections of one page. With --diff two runs, of other "
          "machines or\n"
          "versions, are shown on shared axes; 'bench compare' judges whether one is a regression. "
          "Prints\n"
          "the path of what was written.\n\n"
          "Examples\n"
          "  bench report reports/runs/20261122-101500-lbp\n"
          "  bench report runs/lbp runs/haar --out report --format html,md,csv\n"
          "  bench report --diff runs/laptop runs/server --out laptop-server.html\n",
          stream);
    report_options_print_help(stream);
}
