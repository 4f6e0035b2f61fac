/* Progress of long computations, and when they store what is done. */

#include "base_internal.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* === Progress ================================================================================= */

/* Cells after which the time of the others is estimated. */
static const double least_to_estimate = 0.5;

/* Seconds between the lines of short steps. */
static const double terminal_interval = 0.1, file_interval = 2;

void progress_start(Progress *progress, FILE *stream, size_t total, size_t to_run, bool quiet) {
    const double now = clock_now();
    *progress = (Progress){.stream = stream,
                           .quiet = quiet || stream == NULL,
                           .terminal = stream_is_terminal(stream),
                           .total = total,
                           .to_run = to_run,
                           .started = now,
                           .shown = now};
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

/* ", about 0:42 left", or nothing before the estimate has a base. */
static void format_rest(const Progress *progress, double elapsed, char *text, size_t size) {
    const double worked = (double)progress->ran + progress->under_way;
    const double rest = (double)progress->to_run - worked;
    text[0] = '\0';
    if (worked >= least_to_estimate && rest > 0) {
        char left[32];
        format_duration(elapsed / worked * rest, left, sizeof left);
        snprintf(text, size, ", about %s left", left);
    }
}

static void show(Progress *progress, size_t number, const char *what) {
    progress->shown = clock_now();
    const double elapsed = progress->shown - progress->started;
    char spent[32];
    char rest[48];
    format_duration(elapsed, spent, sizeof spent);
    format_rest(progress, elapsed, rest, sizeof rest);
    char line[512];
    char name[sizeof line - 128];
    text_visible(what, name, sizeof name);
    snprintf(line, sizeof line, "[%zu/%zu] %s (%s%s)",
             number < progress->total ? number : progress->total, progress->total, name, spent,
             rest);
    if (!progress->terminal) {
        fprintf(progress->stream, "%s\n", line);
        return;
    }
    clear_line(progress);
    fputs(line, progress->stream);
    fflush(progress->stream);
    progress->line_width = strlen(line);
}

static size_t cell_number(const Progress *progress) {
    return progress->done + (progress->announced > 0 ? progress->announced : 1);
}

void progress_cell(Progress *progress, const char *name) {
    progress->announced++;
    if (!progress->quiet) {
        show(progress, cell_number(progress), name);
    }
}

void progress_activity(Progress *progress, const char *what) {
    if (progress->terminal && !progress->quiet) {
        show(progress, cell_number(progress), what);
    }
}

void progress_done(Progress *progress, bool ran) {
    progress->done++;
    progress->ran += ran;
    if (ran) {
        progress->announced -= progress->announced > 0;
        progress->under_way -= progress->under_way < 1 ? progress->under_way : 1;
    }
}

void progress_settle(Progress *progress) {
    progress->announced = 0;
    progress->under_way = 0;
}

void progress_steps(Progress *progress, size_t done, bool at_once, const char *what) {
    const double interval = progress->terminal ? terminal_interval : file_interval;
    progress->ran += done - progress->done;
    progress->done = done;
    if (!progress->quiet && (at_once || clock_now() - progress->shown >= interval)) {
        show(progress, done, what);
    }
}

void progress_note(Progress *progress, const char *text) {
    clear_line(progress);
    visible_line(progress->stream, "%s", text);
    fflush(progress->stream);
}

void progress_end(Progress *progress) {
    if (progress->stream != NULL) {
        clear_line(progress);
        fflush(progress->stream);
    }
}

/* === Writing now and then ===================================================================== */

static const double write_seconds = 0.25, write_share = 0.05;

WriteClock write_clock_start(double now) {
    return (WriteClock){.started = now, .written = -1};
}

bool write_is_due(const WriteClock *clock, double least, double now) {
    const double allowed = write_seconds + write_share * (now - clock->started);
    return clock->written < 0 ||
           (now - clock->written >= least && clock->spent + clock->latest <= allowed);
}

void write_clock_count(WriteClock *clock, double began, double now) {
    clock->latest = now - began;
    clock->spent += clock->latest;
    clock->written = now;
}
