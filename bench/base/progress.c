/* Progress of long computations, and when they store what is done. */

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "clock.h"
#include "list.h"
#include "number.h"
#include "progress.h"
#include "terminal.h"
#include "text.h"
#include "utf8.h"

/* Threads may report at once; lines and numbers stay whole and in order. */
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

/* === Warnings that were printed ============================================================= */

enum { SUBJECT_SIZE = 256, SAID_SIZE = 512, SCREENFUL = 10 };

typedef struct Said {
    char subject[SUBJECT_SIZE]; /* "": the machine */
    char text[SAID_SIZE];
    size_t line; /* lines that had been written before it */
} Said;

/* The warnings of this process, and the lines written to the stream of the last of them. */
static struct {
    Said *list;
    size_t count, capacity;
    size_t lines;
} said;

/* === Time left ================================================================================ */

/*
 * The time at which all is expected to be done is kept, and only moved:
 *   earlier  a little at a time, so that one quick step does not promise too much;
 *   later    only when the time left is off by a lot. Until then the time shown runs down.
 */

/* Seconds in which two thirds of a move to an earlier end are made, at least; of a long time left
 * this share of it. */
static const double settling = 5, settling_share = 0.1;
/* Off by a lot: this many times as long, and so many seconds more. */
static const double off_factor = 1.5, off_seconds = 10;
/* Work in predicted seconds: the prediction weighs as much as so much of the work, less and less
 * towards the end, beside the time that the work so far has taken. */
static const double prior_share = 0.15;
/* A step that reports nothing, such as an oracle, is taken to go on as predicted until so much of
 * the time left is over. */
static const double silent_share = 0.5;
/* How far off the estimate may be. */
static const double usual_factor = 1.25;
/* Steps, and seconds, before the time left of steps is estimated. */
static const double least_steps = 0.5, least_seconds = 1;

static double share_done(const Progress *progress, double now) {
    if (progress->told) {
        const double elapsed = now - progress->started;
        return elapsed > 0 ? elapsed / (elapsed + fmax(progress->ends - now, 0)) : 0;
    }
    const double worked = progress->worked + progress->under_way;
    return progress->work > 0 ? fmin(worked / progress->work, 1) : 0;
}

/* Seconds left by the work done so far; NAN: not known. */
static double plain_rest(Progress *progress, double now) {
    const double worked = progress->worked + progress->under_way;
    const double left = fmax(progress->work - worked, 0);
    if (worked != progress->seen) {
        progress->seen = worked;
        progress->seen_at = now;
    }
    const double elapsed = progress->seen_at - progress->started;
    double rest;
    if (progress->priced) {
        const double prior = prior_share * left;
        rest = left > 0 ? left * (elapsed + prior) / (worked + prior) : 0;
    } else if (worked >= least_steps && elapsed >= least_seconds) {
        rest = left * elapsed / worked;
    } else {
        return NAN;
    }
    return rest - fmin(now - progress->seen_at, silent_share * rest);
}

static void estimate(Progress *progress, double now) {
    if (progress->told) {
        return;
    }
    const double rest = plain_rest(progress, now);
    const double before = progress->ends - now;
    if (isnan(rest)) {
        return;
    }
    if (isnan(before) || rest > off_factor * fmax(before, 0) + off_seconds) {
        progress->ends = now + rest;
    } else if (rest < before) {
        const double part =
            1 - exp(-(now - progress->estimated) / fmax(settling, settling_share * before));
        progress->ends -= part * (before - rest);
    }
    progress->estimated = now;
}

/* "20–30 s left"; "" before the estimate has a base, and when nothing is left. */
static void format_rest(const Progress *progress, double now, char *text, size_t size) {
    text[0] = '\0';
    if (!isnan(progress->ends) && progress->done < progress->total) {
        const double rest = fmax(progress->ends - now, 0);
        char range[NUMBER_WORDS_SIZE];
        time_range_text(rest / progress->factor, rest * progress->factor, range);
        snprintf(text, size, "%s left", range);
    }
}

/* "first summary in 5–10 s". */
static void format_next(const Progress *progress, double now, char *text, size_t size) {
    text[0] = '\0';
    if (progress->next[0] != '\0' && progress->done < progress->total) {
        const double rest = fmax(progress->next_at - now, 0);
        char range[NUMBER_WORDS_SIZE];
        time_range_text(rest / progress->factor, rest * progress->factor, range);
        snprintf(text, size, "%s in %s", progress->next, range);
    }
}

/* === Line ===================================================================================== */

/* Seconds between two lines: on a terminal, in a file, and for another program. */
static const double terminal_interval = 0.1, file_interval = 10, relay_interval = 1;

/* Columns of a name that is cut, at least. */
enum { NAME_LEAST = 8 };

static const char ellipsis[] = "…";

static size_t columns_of(const char *text) {
    return utf8_width(text, strlen(text));
}

/* Cuts a text to so many columns; the last of them is "…". `size` has room for that. */
static void cut_to_columns(char *text, size_t columns) {
    if (columns_of(text) <= columns) {
        return;
    }
    size_t bytes = 0;
    uint32_t code;
    for (;;) {
        const size_t next = bytes + utf8_decode(text + bytes, &code);
        if (utf8_width(text, next) + 1 > columns) {
            break;
        }
        bytes = next;
    }
    memcpy(text + bytes, columns > 0 ? ellipsis : "", columns > 0 ? sizeof ellipsis : 1);
}

typedef struct Parts {
    char count[64]; /* "[12/38] " */
    char name[PROGRESS_LINE_SIZE / 2];
    char known[96];            /* " 0.123 ms, 4.2× faster" */
    char over[64];             /* " than seq" */
    char spent[DURATION_SIZE]; /* "0:41" */
    char percent[16], next[NUMBER_WORDS_SIZE + 64], rest[NUMBER_WORDS_SIZE + 64];
} Parts;

/* How much of the parts a line has. Left out where the window is too narrow, first to last: the
 * time spent with the next result, the percent, what a ratio is to, the end of the name, and what
 * is known. */
typedef enum Fit { WHOLE, NO_TIME, NO_PERCENT, NO_BASELINE, NO_RATIO, FITS } Fit;

static void join(const Parts *parts, Fit fit, char *line, size_t size) {
    const bool spent = fit < NO_TIME, percent = fit < NO_PERCENT;
    const char *const times[] = {spent ? parts->spent : "", percent ? parts->percent : "",
                                 spent ? parts->next : "", parts->rest};
    bool any = false;
    line[0] = '\0';
    text_append(line, size, "%s%s%s%s", parts->count, parts->name,
                fit < NO_RATIO ? parts->known : "", fit < NO_BASELINE ? parts->over : "");
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        if (times[i][0] != '\0') {
            text_append(line, size, "%s%s", any ? ", " : " (", times[i]);
            any = true;
        }
    }
    text_append(line, size, "%s", any ? ")" : "");
}

/* Joins what fits. */
static void join_fitting(Parts *parts, size_t columns, char *line, size_t size) {
    for (Fit fit = WHOLE; fit < FITS; fit++) {
        join(parts, fit, line, size);
        const size_t width = columns_of(line);
        const size_t over = width > columns ? width - columns : 0;
        const size_t name = columns_of(parts->name);
        const bool cuts = fit >= NO_BASELINE && name >= over + NAME_LEAST;
        if (over > 0 && (cuts || fit == NO_RATIO)) {
            cut_to_columns(parts->name, name > over ? name - over : 0);
            join(parts, fit, line, size);
            cut_to_columns(line, columns);
        }
        if (over == 0 || cuts) {
            return;
        }
    }
}

/* " TEXT", or nothing. */
static void make_part(const char *text, char *part, size_t size) {
    if (text != NULL) {
        part[0] = ' ';
        text_visible(text, part + 1, size - 1);
    }
}

static void make_parts(Progress *progress, const char *name, const ProgressKnown *known, double now,
                       Parts *parts) {
    *parts = (Parts){.count = ""};
    snprintf(parts->count, sizeof parts->count, "[%zu/%zu] ", progress->done, progress->total);
    text_visible(name, parts->name, sizeof parts->name);
    if (known != NULL) {
        make_part(known->words, parts->known, sizeof parts->known);
        make_part(known->over, parts->over, sizeof parts->over);
    }
    duration_text(now - progress->started, parts->spent);
    if ((progress->told || (progress->priced && progress->work > 0)) &&
        progress->done < progress->total) {
        snprintf(parts->percent, sizeof parts->percent, "%.0f%%", floor(100 * progress->share));
    }
    format_next(progress, now, parts->next, sizeof parts->next);
    format_rest(progress, now, parts->rest, sizeof parts->rest);
}

/* A window that became narrower than the line has wrapped it: the rows above are cleared too. */
static void clear_line(Progress *progress) {
    if (progress->line_width > 0) {
        const size_t window = (size_t)terminal_columns(progress->stream);
        for (size_t rows = (progress->line_width - 1) / window; rows > 0; rows--) {
            fputs("\r\033[K\033[A", progress->stream);
        }
        fputs("\r\033[K", progress->stream);
        progress->line_width = 0;
    }
}

/* One column less than the window has: a full line makes some terminals begin the next. */
static void draw(Progress *progress, Parts *parts) {
    char line[2 * PROGRESS_LINE_SIZE];
    join_fitting(parts, (size_t)terminal_columns(progress->stream) - 1, line, sizeof line);
    clear_line(progress);
    fputs(line, progress->stream);
    fflush(progress->stream);
    progress->line_width = columns_of(line);
}

/* No number is written twice. */
static void write_line(Progress *progress, const Parts *parts) {
    char line[2 * PROGRESS_LINE_SIZE];
    const int percent = progress->priced || progress->told ? (int)(100 * progress->share) : 0;
    if (progress->written > 0 && progress->written_done == progress->done &&
        progress->written_percent == percent) {
        return;
    }
    join(parts, WHOLE, line, sizeof line);
    fprintf(progress->stream, "%s\n", line);
    fflush(progress->stream);
    progress->written++;
    said.lines++;
    progress->written_done = progress->done;
    progress->written_percent = percent;
}

/* === Relay ==================================================================================== */

static const char relay_variable[] = "BENCH_PROGRESS_RELAY";

/* Starts a line that is for a program: no text for people does. */
enum { RELAY_MARK = 0x1E };

void progress_relay(void) {
    setenv(relay_variable, "1", 1);
}

static void relay(const Progress *progress, const Parts *parts, double now) {
    fprintf(progress->stream, "%c%zu %zu %.4f %.1f %s%s%s%s%s\n", RELAY_MARK, progress->done,
            progress->total, progress->share,
            isnan(progress->ends) ? -1 : fmax(progress->ends - now, 0), parts->name,
            parts->known[0] != '\0' ? "\t" : "", parts->known, parts->over[0] != '\0' ? "\t" : "",
            parts->over);
    fflush(progress->stream);
}

/* Ends the text at its first tab. Returns what is behind it and its blank; NULL without a tab. */
static char *end_at_tab(char *text) {
    char *tab = text != NULL ? strchr(text, '\t') : NULL;
    if (tab == NULL) {
        return NULL;
    }
    *tab = '\0';
    return tab + 1 + (tab[1] == ' ');
}

bool progress_read(char *line, RelayedProgress *relayed) {
    int used = 0;
    *relayed = (RelayedProgress){.left = NAN};
    if (line[0] != RELAY_MARK ||
        sscanf(line + 1, "%zu %zu %lf %lf %n", &relayed->done, &relayed->total, &relayed->share,
               &relayed->left, &used) != 4 ||
        used == 0) {
        return false;
    }
    relayed->name = line + 1 + used;
    relayed->left = relayed->left < 0 ? NAN : relayed->left;
    char *words = end_at_tab(line);
    relayed->known.over = end_at_tab(words);
    relayed->known.words = words;
    return true;
}

/* === Progress ================================================================================= */

/* A dumb terminal cannot clear a line. */
static bool can_draw(FILE *stream) {
    const char *kind = getenv("TERM");
    return stream_is_terminal(stream) && (kind == NULL || strcmp(kind, "dumb") != 0);
}

void progress_start(Progress *progress, FILE *stream, size_t total, size_t to_run, bool quiet) {
    const double now = clock_now();
    const bool relayed = stream == stderr && getenv(relay_variable) != NULL;
    *progress = (Progress){.stream = stream,
                           .quiet = (quiet && !relayed) || stream == NULL,
                           .terminal = !relayed && can_draw(stream),
                           .relayed = relayed,
                           .clock = clock_now,
                           .total = total,
                           .work = (double)to_run,
                           .started = now,
                           .seen_at = now,
                           .shown = -1,
                           .estimated = now,
                           .ends = NAN,
                           .factor = usual_factor};
}

void progress_be_patient(Progress *progress) {
    progress->patient = true;
    progress->shown = progress->terminal ? progress->shown : progress->started;
}

void progress_expect(Progress *progress, double seconds) {
    pthread_mutex_lock(&guard);
    progress->priced = true;
    progress->work = seconds;
    pthread_mutex_unlock(&guard);
}

void progress_tell(Progress *progress, double left, double factor, const char *next,
                   double next_left) {
    pthread_mutex_lock(&guard);
    const double now = progress->clock();
    progress->told = true;
    progress->ends = now + left;
    progress->factor = factor;
    progress->next_at = now + next_left;
    snprintf(progress->next, sizeof progress->next, "%s", next);
    pthread_mutex_unlock(&guard);
}

void progress_replan(Progress *progress, size_t total, double rest) {
    pthread_mutex_lock(&guard);
    progress->priced = true;
    progress->total = total;
    progress->under_way = 0;
    progress->work = progress->worked + rest;
    progress->ends = progress->clock() + rest;
    pthread_mutex_unlock(&guard);
}

static double interval_of(const Progress *progress) {
    return progress->relayed    ? relay_interval
           : progress->terminal ? terminal_interval
                                : file_interval;
}

/* A line, if the last one is old enough. The time left is estimated anyway. */
static void show(Progress *progress, const char *name, const ProgressKnown *known, bool at_once) {
    if (progress->quiet) {
        return;
    }
    const double now = progress->clock();
    estimate(progress, now);
    progress->share = fmax(progress->share, share_done(progress, now));
    if (progress->shown >= 0 && !at_once && now - progress->shown < interval_of(progress)) {
        return;
    }
    Parts parts;
    make_parts(progress, name, known, now, &parts);
    progress->shown = now;
    if (progress->relayed) {
        relay(progress, &parts, now);
    } else if (progress->terminal) {
        draw(progress, &parts);
    } else {
        write_line(progress, &parts);
    }
}

void progress_show(Progress *progress, const char *name, const ProgressKnown *known) {
    pthread_mutex_lock(&guard);
    const size_t most = sizeof progress->name - 1;
    const bool another = strncmp(progress->name, name, most) != 0;
    strncpy(progress->name, name, most);
    show(progress, name, known, another && progress->terminal);
    pthread_mutex_unlock(&guard);
}

void progress_done(Progress *progress, double work) {
    pthread_mutex_lock(&guard);
    progress->done += progress->done < progress->total;
    progress->worked += work;
    progress->under_way = fmax(progress->under_way - work, 0);
    pthread_mutex_unlock(&guard);
}

void progress_recount(Progress *progress, size_t done, size_t total) {
    pthread_mutex_lock(&guard);
    progress->done = done > progress->done ? done : progress->done;
    progress->total = total > progress->done ? total : progress->done;
    pthread_mutex_unlock(&guard);
}

void progress_leave_out(Progress *progress, double work) {
    pthread_mutex_lock(&guard);
    progress->work = fmax(progress->work - work, 0);
    pthread_mutex_unlock(&guard);
}

void progress_under_way(Progress *progress, double work) {
    pthread_mutex_lock(&guard);
    progress->under_way = work;
    pthread_mutex_unlock(&guard);
}

void progress_steps(Progress *progress, size_t done, const char *what) {
    pthread_mutex_lock(&guard);
    if (done > progress->done) {
        progress->worked += (double)(done - progress->done);
        progress->done = done;
    }
    if (done >= progress->done) {
        show(progress, what, NULL,
             done == progress->total && (!progress->patient || progress->written > 0));
    }
    pthread_mutex_unlock(&guard);
}

void progress_pause(Progress *progress) {
    pthread_mutex_lock(&guard);
    clear_line(progress);
    fflush(progress->stream);
    pthread_mutex_unlock(&guard);
}

/* The last line. */
static bool is_told_of_end(const Progress *progress) {
    return !progress->terminal && !progress->relayed &&
           (!progress->patient || progress->written > 0) && progress->total > 0 &&
           progress->done == progress->total;
}

void progress_end(Progress *progress) {
    pthread_mutex_lock(&guard);
    if (is_told_of_end(progress)) {
        show(progress, "done", NULL, true);
    }
    if (progress->stream != NULL) {
        clear_line(progress);
        fflush(progress->stream);
    }
    progress->quiet = true;
    pthread_mutex_unlock(&guard);
}

/* === Notes and warnings ======================================================================= */

static void note(Progress *progress, const char *text) {
    clear_line(progress);
    visible_line(progress->stream, "%s", text);
    fflush(progress->stream);
    said.lines++;
}

void progress_note(Progress *progress, const char *text) {
    pthread_mutex_lock(&guard);
    note(progress, text);
    pthread_mutex_unlock(&guard);
}

static bool is_said(const char *subject, const char *text) {
    for (size_t i = 0; i < said.count; i++) {
        if (strcmp(said.list[i].subject, subject) == 0 && strcmp(said.list[i].text, text) == 0) {
            return true;
        }
    }
    return false;
}

static void print_warning(FILE *stream, const Said *warning) {
    const bool whole = warning->subject[0] == '\0';
    flow_line(stream, 2, "warning: %s%s%s", warning->subject, whole ? "" : ": ", warning->text);
}

void progress_warning(Progress *progress, const char *subject, const char *text) {
    pthread_mutex_lock(&guard);
    Said warning = {.line = said.lines};
    snprintf(warning.subject, sizeof warning.subject, "%s", subject != NULL ? subject : "");
    snprintf(warning.text, sizeof warning.text, "%s", text);
    const Status room = LIST_ROOM(NULL, said.list, said.count, said.capacity, "warnings");
    if (progress->stream != NULL && !is_said(warning.subject, warning.text)) {
        clear_line(progress);
        print_warning(progress->stream, &warning);
        fflush(progress->stream);
        said.lines++;
        if (status_is_ok(&room)) {
            said.list[said.count++] = warning;
        }
    }
    pthread_mutex_unlock(&guard);
}

static bool same_file(FILE *a, FILE *b) {
    struct stat first, second;
    return fstat(fileno(a), &first) == 0 && fstat(fileno(b), &second) == 0 &&
           first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

void warnings_again(FILE *stream) {
    pthread_mutex_lock(&guard);
    const bool results_between = same_file(stream, stdout);
    for (int cells = 0; cells < 2; cells++) {
        for (size_t i = 0; i < said.count; i++) {
            const Said *warning = &said.list[i];
            const bool seen = !results_between && said.lines - warning->line <= SCREENFUL;
            if (!seen && (warning->subject[0] != '\0') == (cells == 1)) {
                print_warning(stream, warning);
            }
        }
    }
    fflush(stream);
    free(said.list);
    said.list = NULL;
    said.count = said.capacity = 0;
    pthread_mutex_unlock(&guard);
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
