#include "progress.h"

#include <string.h>
#include <unistd.h>

#include "clock.h"

void progress_start(Progress *progress, FILE *stream, size_t total, size_t to_run, bool quiet) {
    *progress = (Progress){.stream = stream,
                           .quiet = quiet,
                           .terminal = isatty(fileno(stream)) == 1,
                           .total = total,
                           .to_run = to_run,
                           .started = clock_now()};
}

static void format_duration(double seconds, char *text, size_t size) {
    const long whole = (long)(seconds + 0.5);
    if (whole < 3600) {
        snprintf(text, size, "%ld:%02ld", whole / 60, whole % 60);
    } else {
        snprintf(text, size, "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
    }
}

static void clear_line(Progress *progress) {
    if (progress->line_width > 0) {
        fprintf(progress->stream, "\r%*s\r", (int)progress->line_width, "");
        progress->line_width = 0;
    }
}

void progress_cell(Progress *progress, const char *name) {
    if (progress->quiet) {
        return;
    }
    const double elapsed = clock_now() - progress->started;
    char spent[32];
    char rest[48] = "";
    format_duration(elapsed, spent, sizeof spent);
    if (progress->ran > 0 && progress->to_run > progress->ran) {
        const double each = elapsed / (double)progress->ran;
        char left[32];
        format_duration(each * (double)(progress->to_run - progress->ran), left, sizeof left);
        snprintf(rest, sizeof rest, ", about %s left", left);
    }
    char line[512];
    snprintf(line, sizeof line, "[%zu/%zu] %s (%s%s)", progress->done + 1, progress->total, name,
             spent, rest);
    if (!progress->terminal) {
        fprintf(progress->stream, "%s\n", line);
        return;
    }
    clear_line(progress);
    fputs(line, progress->stream);
    fflush(progress->stream);
    progress->line_width = strlen(line);
}

void progress_activity(Progress *progress, const char *what) {
    if (progress->terminal) {
        progress_cell(progress, what);
    }
}

void progress_done(Progress *progress, bool ran) {
    progress->done++;
    progress->ran += ran;
}

void progress_note(Progress *progress, const char *text) {
    clear_line(progress);
    fprintf(progress->stream, "%s\n", text);
    fflush(progress->stream);
}

void progress_end(Progress *progress) {
    clear_line(progress);
    fflush(progress->stream);
}
