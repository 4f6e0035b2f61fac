/* What a command says on the terminal while it runs. */

#ifndef BENCH_BASE_PROGRESS_H
#define BENCH_BASE_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * The state of a long computation, shown on standard error or another stream: how much is done,
 * what is under way, and about how long is left. On a terminal one line is drawn again and again,
 * cut to the window. Elsewhere a line is written every ten seconds at most, and one at the end.
 * Quiet, or without a stream, nothing is shown. Safe to call from several threads at once.
 *
 * Work is counted in any unit: steps of equal work, or the seconds that were predicted of each.
 */

enum { PROGRESS_LINE_SIZE = 512 };

typedef struct Progress {
    FILE *stream;
    bool quiet, terminal;
    bool relayed;          /* lines are for the program that started this one (progress_relay) */
    bool patient;          /* progress_be_patient */
    bool priced;           /* work is in predicted seconds */
    double (*clock)(void); /* clock_now; another one in tests */
    size_t done, total;    /* cells, or steps */
    double work;           /* what was left to do at the start, and is not left out since */
    double worked;         /* of that, in steps that have ended */
    double under_way;      /* of that, in steps that have begun */
    double started, shown; /* when the last line was written; negative: there is none */
    double seen, seen_at;  /* work done, and when it was last found to have grown */
    double estimated;      /* when `ends` was */
    double ends;           /* when all is expected to be done; NAN: not known yet */
    double factor;         /* how far off that may be, as progress_tell says */
    bool told;             /* by progress_tell */
    char next[48];         /* the next result; "": none is named */
    double next_at;        /* when it is expected */
    double share;          /* largest one so far */
    size_t written;        /* lines of a stream that is no terminal */
    size_t written_done;   /* number in the last of them, and its percent */
    int written_percent;
    char name[64];     /* what was shown last, or its beginning */
    size_t line_width; /* columns of the line that is on the terminal now */
} Progress;

/* `total` steps, of which `to_run` need time, each as much as the others. */
void progress_start(Progress *progress, FILE *stream, size_t total, size_t to_run, bool quiet);

/* Elsewhere than on a terminal nothing is written in the first ten seconds: for what usually takes
 * less. */
void progress_be_patient(Progress *progress);

/* What is to be done will take about so many seconds: from now on work is in predicted seconds. */
void progress_expect(Progress *progress, double seconds);

/* So many steps in all, and so many seconds left: both are estimated anew. */
void progress_replan(Progress *progress, size_t total, double rest);

/* Who knows more than the work done so far tells: `left` seconds are left, which may be `factor`
 * times too many or too few, and the next result is there in `next_left` seconds ("" as `next`:
 * none is named). From now on nothing is estimated here, and percents are shares of the time. */
void progress_tell(Progress *progress, double left, double factor, const char *next,
                   double next_left);

/* There are `total` steps in all, of which `done` have ended; fewer than before do not count. */
void progress_recount(Progress *progress, size_t done, size_t total);

/* What is known so far of what is under way. */
typedef struct ProgressKnown {
    const char *words; /* "0.123 ms, 4.2× faster"; NULL: nothing */
    const char *over;  /* what the ratio in them is to, "than seq"; NULL: there is none */
} ProgressKnown;

/* Shows what is under way, and what is known of it; NULL: nothing. Where the window is narrow what
 * a ratio is to is left out first, then the name is cut. */
void progress_show(Progress *progress, const char *name, const ProgressKnown *known);

/* A step has ended that was `work` of the whole; 0: it took no time. */
void progress_done(Progress *progress, double work);

/* So much of the whole is not going to be done. */
void progress_leave_out(Progress *progress, double work);

/* So much of the whole is done of steps that have not ended. */
void progress_under_way(Progress *progress, double work);

/* For many short steps of equal work: `done` is their number so far. A number below the last one,
 * of a thread that was overtaken, is ignored. */
void progress_steps(Progress *progress, size_t done, const char *what);

/* A line of its own, also when quiet. */
void progress_note(Progress *progress, const char *text);

/* The line "warning: …", which warnings_again repeats. `subject` is the cell that it is about;
 * NULL: the whole machine or run. Also when quiet. */
void progress_warning(Progress *progress, const char *subject, const char *text);

/* Leaves the terminal with an empty line, for what others write. */
void progress_pause(Progress *progress);

/* The same for good; elsewhere writes the last line. */
void progress_end(Progress *progress);

/* Prints the warnings of this process once more below its results, each once: those of the whole
 * machine, then those of cells. Does nothing where they still stand just above. Afterwards there
 * are none. Flush standard output before. */
void warnings_again(FILE *stream);

/* A program that starts this one as a child draws one line for both. From now on children of this
 * process write their progress for it to their standard error, also when quiet. */
void progress_relay(void);

/* A line of a child's standard error. */
typedef struct RelayedProgress {
    size_t done, total;
    double share;        /* of its work */
    double left;         /* seconds; NAN: not known */
    const char *name;    /* points into the line */
    ProgressKnown known; /* the same */
} RelayedProgress;

/* Whether the line is one of progress. Its tabs become ends of texts. */
bool progress_read(char *line, RelayedProgress *relayed);

/* When a long computation stores its state: writing costs a small share of its time. */
typedef struct WriteClock {
    double started, written; /* monotonic seconds; written: end of the last write, negative: none */
    double spent, latest;    /* seconds of all writes, and of the last one */
} WriteClock;

WriteClock write_clock_start(double now);

/* Whether the last write is `least` seconds old, and another one as long would keep the share of
 * all writes below 5% (besides a quarter of a second). The first one is due at once. */
bool write_is_due(const WriteClock *clock, double least, double now);

/* Counts a write from `began` to `now`. */
void write_clock_count(WriteClock *clock, double began, double now);

#endif
