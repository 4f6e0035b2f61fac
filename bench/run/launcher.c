/* A run of several launches: each is a process of its own that measures every cell, so that what
 * differs from process to process is sampled. */

#include "budget.h"
#include "clock.h"
#include "exit_code.h"
#include "kept.h"
#include "merge.h"
#include "paths.h"
#include "plan.h"
#include "run.h"
#include "sweep.h"
#include "time_left.h"
#include "wall_time.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* === The share of one launch ================================================================== */

/* One for each of the turns that cells are compared in. */
enum { LAUNCH_SAMPLES_MIN = 8 };

static int share_of(int samples, int launches) {
    const int share = (samples + launches - 1) / launches;
    return share < LAUNCH_SAMPLES_MIN ? LAUNCH_SAMPLES_MIN : share;
}

bool launch_measures_once(const RunOptions *options) {
    return options->budget > 0 && options->pass > 0 ? options->pass == 2 : options->pass <= 1;
}

RunOptions launch_options(const RunOptions *options) {
    RunOptions own = *options;
    const int launches = options->budget > 0 ? BUDGET_LAUNCHES : options->launches;
    own.min_reps = share_of(options->reps > 0 ? options->reps : options->min_reps, launches);
    own.reps = 0;
    own.max_time = options->max_time / launches;
    own.roof &= launch_measures_once(options);
    return own;
}

/* === One launch =============================================================================== */

/* One of the programs whose launches are measured: this one, or the one it is compared with. */
typedef struct Side {
    char program[ATOMIC_FILE_PATH_SIZE]; /* empty: there is no such side */
    const char *name;                    /* of its launches, in messages */
    char folder[ATOMIC_FILE_PATH_SIZE];  /* holds launch-1 … launch-N */
    Results launches[LAUNCHES_MAX];      /* those so far */
    Results whole;                       /* of what counts of them */
    Machine machine;                     /* that its launches name */
} Side;

typedef struct Launcher {
    const RunOptions *options;
    RowStore *store;
    Progress *progress; /* of the cells of all launches */
    RunSoFar so_far;
    size_t cells_ended;  /* of launches that have ended */
    size_t cells_begun;  /* of the launch under way, or of the one before */
    BudgetClock clock;   /* of a run with a budget */
    char *leave_out;     /* cells that the launch does not measure; NULL: none. Owned */
    int begun;           /* the launch that was begun last, from 1; 0: none was */
    double begun_at;     /* monotonic seconds */
    double launch_began; /* the same of whichever program's launch is under way */
    Side now, before;
    const Side *side;  /* whose launch is measured */
    bool whole;        /* the launch that was added last was measured to its end */
    double in_samples; /* its seconds in samples of short runs, and in the uncounted ones before */
    double seconds;    /* that a stored one took; 0: nobody knows */
    double once;       /* those for what no later launch does */
    StoredRun stored;  /* the launch that is read */
    char name[64];     /* "launch 2 of 6" */
    int launch;        /* from 1 */
    char folder[ATOMIC_FILE_PATH_SIZE];
    char line[1024]; /* what the child is writing */
    size_t length;
    char said[STATUS_WHY_SIZE]; /* its last line that was no progress */
} Launcher;

/* Number of launches of all programs. */
static int sides_of(const Launcher *launcher) {
    return launcher->options->baseline_program != NULL ? 2 : 1;
}

/* What the next launch that ends will add. */
static void name_next(const Launcher *launcher, char *text, size_t size) {
    const int number = launcher->so_far.done + 1;
    if (number == 1) {
        snprintf(text, size, "first numbers");
    } else {
        snprintf(text, size, "%d launches", number);
    }
}

/* The time left, and how many cells there are with all launches that are expected. */
static void tell_time(Launcher *launcher, size_t done_now) {
    RunSoFar *so_far = &launcher->so_far;
    const RowStore *store = launcher->store;
    char next[sizeof launcher->progress->next];
    so_far->elapsed = store->elapsed_before + clock_now() - store->started;
    so_far->launch = clock_now() - launcher->launch_began;
    const TimeLeft left = time_left(so_far);
    const int coming = left.launches > so_far->done ? left.launches - so_far->done : 1;
    name_next(launcher, next, sizeof next);
    progress_tell(launcher->progress, left.run, left.factor, next, so_far->waiting + left.launch);
    progress_recount(launcher->progress, launcher->cells_ended + done_now,
                     launcher->cells_ended + (size_t)coming * launcher->cells_begun);
}

static void show_relayed(Launcher *launcher, const RelayedProgress *relayed) {
    char name[PROGRESS_LINE_SIZE];
    snprintf(name, sizeof name, "%s: %.300s", launcher->name, relayed->name);
    if (isnan(launcher->so_far.launch_left)) {
        launcher->so_far.silent = clock_now() - launcher->launch_began;
    }
    launcher->so_far.launch_left = relayed->left;
    launcher->cells_begun = relayed->total;
    tell_time(launcher, relayed->done);
    progress_show(launcher->progress, name, &relayed->known);
}

/* Progress of the child becomes progress of all launches. Its notes are those of this process. An
 * older program writes its progress for people. */
static void end_line(Launcher *launcher) {
    char *line = launcher->line;
    RelayedProgress relayed;
    launcher->line[launcher->length] = '\0';
    launcher->length = 0;
    if (progress_read(line, &relayed)) {
        show_relayed(launcher, &relayed);
    } else if (line[0] == '[') {
        progress_show(launcher->progress, launcher->name, NULL);
    } else if (line[0] != '\0') {
        snprintf(launcher->said, sizeof launcher->said, "%.380s", line);
    }
}

static void read_messages(void *context, const char *bytes, size_t count) {
    Launcher *launcher = context;
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] == '\n') {
            end_line(launcher);
        } else if (launcher->length + 1 < sizeof launcher->line) {
            launcher->line[launcher->length++] = bytes[i];
        }
    }
}

static bool has_budget(const Launcher *launcher) {
    return launcher->options->budget > 0;
}

/* The request of the launch. Answers are saved, and first verified, by launch 1. */
static Status launch_arguments(const Launcher *launcher, bool resume, ArgumentList *list) {
    const Side *side = launcher->side;
    char first[ATOMIC_FILE_PATH_SIZE];
    RunOptions own = *launcher->options;
    request_keep_launch(&own.given);
    own.pass = launcher->launch;
    options_give(&own.given, "pass");
    *(resume ? &own.resume : &own.out) = launcher->folder;
    options_give(&own.given, resume ? "resume" : "out");
    own.plot = false;
    options_give(&own.given, "no-plot");
    if (has_budget(launcher)) {
        own.budget = budget_samples(&launcher->clock, launcher->launch);
        options_give(&own.given, "budget");
    }
    if (own.max_long > 0) {
        options_give(&own.given, "max-long"); /* it is of the whole budget */
    }
    if (launcher->leave_out != NULL) {
        own.leave_out = launcher->leave_out;
        options_give(&own.given, "leave-out");
    }
    if (launcher->launch > 1) {
        STATUS_TRY(path_make(first, sizeof first, "%s/launch-1", side->folder));
        own.first = first;
        options_give(&own.given, "first");
    } else if (side == &launcher->now) {
        options_give(&own.given, "save");
        options_give(&own.given, "save-table");
    }
    STATUS_TRY(argument_list_add(list, "bench"));
    return options_print(&own, &own.given, list);
}

static Status run_child(Launcher *launcher, const ArgumentList *list, ChildEnd *end) {
    const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    const ChildProcess child = {.program = launcher->side->program,
                                .arguments = (const char *const *)list->argv,
                                .output = nothing,
                                .saves = true,
                                .take = read_messages,
                                .context = launcher};
    launcher->length = 0;
    launcher->said[0] = '\0';
    /* Of an older program it is not known what it would tell. */
    const bool own = launcher->side == &launcher->now;
    kept_offer(own);
    const Status status = own ? supervised_run(&child, end) : child_process_run(&child, end);
    kept_offer(false);
    if (own) {
        kept_seal();
    }
    end_line(launcher);
    if (nothing >= 0) {
        close(nothing);
    }
    return status;
}

/* Whether a child of this exit code has measured what it could. */
static bool has_measured(int code) {
    return code == EXIT_OK || code == EXIT_WRONG || code == EXIT_NO_SAMPLE;
}

/* A launch whose input is lost ends the run as the input would have. */
static Status launch_error(const Launcher *launcher, const ChildEnd *end) {
    char how[END_TEXT_SIZE];
    child_end_text(end, how);
    return status_make(end->code == EXIT_FILE ? STATUS_FILE : STATUS_FAIL,
                       "%s ended %s%s%.260s; go on with --resume", launcher->name, how,
                       launcher->said[0] != '\0' ? ": " : "", launcher->said);
}

static Status measure_launch(Launcher *launcher, bool resume) {
    ArgumentList list = {.argc = 0};
    ChildEnd end = {.code = 0};
    Status status = launch_arguments(launcher, resume, &list);
    if (status_is_ok(&status)) {
        const WallPart before = wall_enter(WALL_START);
        status = run_child(launcher, &list, &end);
        wall_leave(before);
    }
    argument_list_release(&list);
    STATUS_TRY(status);
    if (end.error != 0) {
        return status_fail("%s %d cannot be started: %s", launcher->side->name, launcher->launch,
                           strerror(end.error));
    }
    return has_measured(end.code) ? status_ok() : launch_error(launcher, &end);
}

/* === All launches ============================================================================= */

/* Puts the rows of all launches so far in their places. */
static Status store_rows(Launcher *launcher) {
    RowStore *store = launcher->store;
    for (size_t i = 0; i < store->plan->cell_count; i++) {
        const Row *row = plan_find(store->plan, &store->plan->cells[i], launcher->options->cold,
                                   &launcher->now.whole);
        Row copy;
        if (row != NULL) {
            STATUS_TRY(row_copy(row, &copy));
            STATUS_TRY(store_put(store, i, &copy));
        }
    }
    store->joined_so_far = launcher->launch > 1;
    store_write(store);
    store->joined_so_far = false;
    return store->trouble;
}

/* Adds what the launch has stored to its side; nothing where it has stored nothing. */
static Status add_launch(Launcher *launcher, Side *side) {
    char path[ATOMIC_FILE_PATH_SIZE];
    StoredRun *stored = &launcher->stored;
    launcher->whole = false;
    STATUS_TRY(stored_run_in(launcher->folder, path, sizeof path));
    if (access(path, F_OK) != 0) {
        return status_ok();
    }
    STATUS_TRY(stored_run_read(path, stored));
    side->machine = stored->machine;
    const double in_long_runs = budget_long_runs(&stored->results);
    side->launches[launcher->launch - 1] = stored->results;
    stored->results = (Results){.count = 0};
    results_release(&side->whole);
    const Status status = results_join(&side->whole, side->launches, (size_t)launcher->launch,
                                       has_budget(launcher) ? BUDGET_LAUNCHES : SIZE_MAX);
    launcher->whole = stored->complete;
    launcher->in_samples = stored->wall.seconds[WALL_SAMPLES] + stored->wall.seconds[WALL_WARMING] +
                           stored->wall.seconds[WALL_END_TO_END] - in_long_runs;
    launcher->seconds = isfinite(stored->elapsed) ? stored->elapsed : 0;
    launcher->once = stored->wall.seconds[WALL_CEILINGS] + stored->wall.seconds[WALL_ORACLE] +
                     stored->wall.seconds[WALL_TRANSFERS] + stored->wall.seconds[WALL_INPUT];
    wall_add_child(&stored->wall);
    stored_run_release(stored);
    return status;
}

/* The old program's launches so far are a run of their own beside the new one. */
static Status write_before(const Launcher *launcher, Side *before) {
    char path[ATOMIC_FILE_PATH_SIZE];
    RunRecord record = *launcher->store->record;
    record.machine = &before->machine;
    record.complete = launcher->launch == launcher->options->launches;
    const Status same = machine_comparable(&before->machine, launcher->store->record->machine);
    if (!status_is_ok(&same)) {
        return status_make(STATUS_USAGE, "--baseline-program is of another build: %.280s",
                           same.why);
    }
    results_derive(&before->whole, launcher->options->seed);
    STATUS_TRY(path_make(path, sizeof path, "%s/results.csv", before->folder));
    STATUS_TRY(report_csv(path, &record, &before->whole));
    STATUS_TRY(path_make(path, sizeof path, "%s/results.json", before->folder));
    return report_json(path, &record, &before->whole);
}

static Status read_stored(Launcher *launcher) {
    char path[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(stored_run_in(launcher->folder, path, sizeof path));
    return stored_run_read(path, &launcher->stored);
}

/* Whether the run that is resumed has stored this launch, and whether whole. Anything else in the
 * folder is removed: it is not this run's, or cannot be read. */
static bool is_stored(Launcher *launcher, bool *complete) {
    const Status status =
        launcher->options->resume != NULL ? read_stored(launcher) : status_skip("a new run");
    *complete = false;
    if (!status_is_ok(&status)) {
        stored_run_remove(launcher->folder);
        return false;
    }
    *complete = launcher->stored.complete;
    stored_run_release(&launcher->stored);
    return true;
}

/* Waits until the launch, or pair of launches, is due. */
static void wait_until_due(Launcher *launcher) {
    const double distance = launcher->options->spread / launcher->options->launches;
    const double due = launcher->begun > 0 ? launcher->begun_at + distance : 0;
    const struct timespec pause = {.tv_nsec = 100000000};
    double now = clock_now();
    const WallPart before = wall_enter(WALL_WAITING);
    while (launcher->begun != launcher->launch && now < due && !interrupt_requested()) {
        char left[DURATION_SIZE];
        char text[DURATION_SIZE + sizeof "launch 64 of 64 begins in  (see --spread)"];
        duration_text(due - now, left);
        snprintf(text, sizeof text, "launch %d of %d begins in %s (see --spread)", launcher->launch,
                 launcher->options->launches, left);
        launcher->so_far.waiting = due - now;
        tell_time(launcher, 0);
        progress_show(launcher->progress, text, NULL);
        nanosleep(&pause, NULL);
        now = clock_now();
    }
    launcher->so_far.waiting = 0;
    wall_leave(before);
    if (launcher->begun != launcher->launch) {
        launcher->begun = launcher->launch;
        launcher->begun_at = now;
    }
}

/* With a budget it is not known yet how many there will be. */
static void name_launch(Launcher *launcher) {
    if (has_budget(launcher)) {
        snprintf(launcher->name, sizeof launcher->name, "launch %d", launcher->launch);
    } else {
        snprintf(launcher->name, sizeof launcher->name, "%s %d of %d", launcher->side->name,
                 launcher->launch, launcher->options->launches);
    }
}

/* Of a launch that took so many seconds; 0: nobody knows. */
static void end_launch(Launcher *launcher, double seconds) {
    RunSoFar *so_far = &launcher->so_far;
    launcher->cells_ended += launcher->cells_begun;
    so_far->done++;
    if (seconds > 0) {
        so_far->last = seconds;
        so_far->last_beside = launcher->once;
        budget_launch_ended(&launcher->clock, so_far->done, seconds, launcher->in_samples,
                            launcher->once);
    }
    progress_recount(launcher->progress, launcher->cells_ended, launcher->progress->total);
}

static Status run_launch(Launcher *launcher, Side *side) {
    bool complete = false;
    launcher->side = side;
    STATUS_TRY(path_make(launcher->folder, sizeof launcher->folder, "%s/launch-%d", side->folder,
                         launcher->launch));
    const bool resume = is_stored(launcher, &complete);
    if (!complete) {
        wait_until_due(launcher);
    }
    name_launch(launcher);
    launcher->launch_began = clock_now();
    launcher->so_far.launch_left = NAN;
    launcher->so_far.silent = 0;
    tell_time(launcher, 0);
    progress_show(launcher->progress, launcher->name, NULL);
    if (interrupt_requested()) {
        return status_make(STATUS_INTERRUPTED, "interrupted");
    }
    Status status = complete ? status_ok() : measure_launch(launcher, resume);
    const double seconds = clock_now() - launcher->launch_began;
    const Status added = add_launch(launcher, side);
    STATUS_THEN(status, added);
    if (status_is_ok(&status) && !launcher->whole) {
        status = status_skip("%s was not measured to its end: %.280s; go on with --resume",
                             launcher->name, launcher->said);
    }
    if (side == &launcher->now) {
        const Status stored = store_rows(launcher);
        STATUS_THEN(status, stored);
    } else {
        STATUS_THEN(status, write_before(launcher, side));
    }
    end_launch(launcher, complete ? launcher->seconds : seconds);
    return status;
}

/* The old program first in every other launch: a machine that slows down, slows both alike. */
static Status run_pair(Launcher *launcher) {
    Side *const sides[] = {&launcher->now, &launcher->before};
    for (int turn = 0; turn < 2; turn++) {
        Side *side = sides[(turn + launcher->launch) % 2];
        if (side->program[0] != '\0') {
            STATUS_TRY(run_launch(launcher, side));
        }
    }
    return status_ok();
}

/* Whether the run that is resumed has begun this launch: it counts, however little time is left. */
static bool has_begun(const Launcher *launcher) {
    char folder[ATOMIC_FILE_PATH_SIZE], path[ATOMIC_FILE_PATH_SIZE];
    const Status named =
        path_make(folder, sizeof folder, "%s/launch-%d", launcher->now.folder, launcher->launch);
    const Status found = status_is_ok(&named) ? stored_run_in(folder, path, sizeof path) : named;
    return launcher->options->resume != NULL && launcher->launch <= LAUNCHES_MAX &&
           status_is_ok(&found) && access(path, F_OK) == 0;
}

/* Whether there is a further launch. With a budget: how many there will be is estimated anew. */
static bool goes_on(Launcher *launcher) {
    const RowStore *store = launcher->store;
    BudgetClock *clock = &launcher->clock;
    const int done = launcher->launch - 1;
    int launches = launcher->options->launches;
    if (has_budget(launcher)) {
        clock->spent = store->elapsed_before + clock_now() - store->started;
        const double undecided =
            done > 0 ? budget_undecided(store->plan, launcher->options, &launcher->now.whole, done)
                     : 0;
        const int wanted = budget_launches(clock, done, undecided);
        launches = wanted < launches ? wanted : launches;
        if (launcher->options->stop_after > 0 && launcher->options->stop_after < launches) {
            launches = launcher->options->stop_after;
        }
        launcher->so_far.undecided = undecided;
    }
    return done < launches || (has_budget(launcher) && has_begun(launcher));
}

/* What the next launch leaves out. */
static Status choose_cells(Launcher *launcher) {
    free(launcher->leave_out);
    launcher->leave_out = NULL;
    return has_budget(launcher) && launcher->launch > 1
               ? budget_leave_out(&launcher->clock, launcher->store->plan, launcher->options,
                                  &launcher->now.whole, launcher->launch - 1, &launcher->leave_out)
               : status_ok();
}

static Status run_all(Launcher *launcher) {
    Side *now = &launcher->now;
    Side *before = &launcher->before;
    const char *folder = launcher->store->folder->path;
    const char *old = launcher->options->baseline_program;
    now->name = "launch";
    before->name = "baseline launch";
    STATUS_TRY(path_make(now->program, sizeof now->program, "%s", program_again()));
    if (now->program[0] == '\0') {
        return status_fail("launches cannot be started: /proc does not tell what this program is");
    }
    STATUS_TRY(path_make(now->folder, sizeof now->folder, "%s", folder));
    STATUS_TRY(path_make(before->folder, sizeof before->folder, "%s/baseline", folder));
    if (old != NULL) { /* a file, though a bare name would be searched for in PATH */
        STATUS_TRY(path_make(before->program, sizeof before->program, "%s%s",
                             strchr(old, '/') == NULL ? "./" : "", old));
    }
    for (launcher->launch = 1; goes_on(launcher); launcher->launch++) {
        STATUS_TRY(choose_cells(launcher));
        STATUS_TRY(run_pair(launcher));
        if (launcher->launch == 1 && has_budget(launcher)) {
            launcher->store->first_summary(launcher->store->context);
        }
    }
    return status_ok();
}

static void side_release(Side *side) {
    for (size_t i = 0; i < LAUNCHES_MAX; i++) {
        results_release(&side->launches[i]);
    }
    results_release(&side->whole);
}

Status launches_run(const RunOptions *options, RowStore *store, FILE *notes) {
    Launcher *launcher = calloc(1, sizeof *launcher);
    STATUS_MEMORY(launcher, "for the launches");
    launcher->options = options;
    launcher->store = store;
    launcher->clock.budget = options->budget;
    launcher->so_far = (RunSoFar){.budget = options->budget,
                                  .launches = options->launches * sides_of(launcher),
                                  .distance = options->spread / options->launches,
                                  .first = store->launches[0],
                                  .other = store->launches[2],
                                  .once = store->launches[1] - store->launches[2]};
    launcher->cells_begun = plan_runnable(store->plan);
    const int launches = has_budget(launcher) ? BUDGET_LAUNCHES : launcher->so_far.launches;
    const size_t count = (size_t)launches * launcher->cells_begun;
    launcher->progress = &store->progress;
    progress_start(launcher->progress, notes, count, count, options->quiet);
    if (!launcher->progress->quiet) {
        progress_relay();
    }
    store_write(store); /* a run that is killed in its first launch can be resumed */
    kept_make();
    const Status status = run_all(launcher);
    kept_close();
    store->results->ceilings = launcher->now.whole.ceilings;
    free(launcher->leave_out);
    side_release(&launcher->now);
    side_release(&launcher->before);
    free(launcher);
    return status;
}
