/* Supervised processes: what they tell their supervisor, and what it makes of their end. */

#define _GNU_SOURCE /* memfd_create, on_exit */

#include "supervisor.h"
#include "base_internal.h"
#include "exit_code.h"
#include "list.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The descriptor of the shared memory. */
static const char variable[] = "BENCH_SUPERVISED";

/* More cells than a run has time for to end a process each. */
enum { WHY_SIZE = 256, ENDED_MAX = 4096, KEPT_SIZE = 1 << 20 };

/* Seconds for which a process may go on after it has said that it ends, and after an interrupt. */
static const double end_seconds = 30;

/* A subject that has ended a process, and how. */
typedef struct Ended {
    char subject[CALL_SUBJECT_SIZE], why[WHY_SIZE], word[ENDED_WORD_SIZE];
} Ended;

/* What the process tells, and what it is asked for. Code that damages memory may write here as
 * well: the supervisor believes no number. */
typedef struct Told {
    atomic_int attached;
    atomic_int code;    /* with which it ends by itself, plus 1; 0: it has not said so */
    atomic_uint calls;  /* grows with every step */
    atomic_int step;    /* CallStep */
    atomic_int latest;  /* the last one that was no CALL_NONE */
    atomic_int limit;   /* milliseconds; 0: none */
    atomic_int owned;   /* the subject has an owner */
    atomic_int several; /* there were subjects of several owners */
    atomic_int trials;  /* the program offers them */
    char subject[CALL_SUBJECT_SIZE]; /* empty: none yet */
    char behalf[CALL_SUBJECT_SIZE];  /* on whose behalf it is called; empty: on its own */
    char abandoned[WHY_SIZE];        /* why the process ended itself; empty: it did not */
    char trial[CALL_SUBJECT_SIZE];   /* of the supervisor: what alone is to be called; empty: all */
} Told;

typedef struct Shared {
    Told told;
    size_t kept_size;
    char kept[KEPT_SIZE]; /* keys and texts, each with its end */
    /* Written by the supervisor, before the process begins. */
    size_t ended_count;
    Ended ended[ENDED_MAX];
} Shared;

/* === The supervised process =================================================================== */

static Told nobody; /* is told where there is no supervisor */
static Told *told = &nobody;
static Shared *shared;           /* NULL: there is none */
static const void *owner_before; /* of the first subject that had one */
static unsigned subjects;
static volatile sig_atomic_t is_copy;

bool supervisor_is_there(void) {
    return getenv(variable) != NULL;
}

bool supervisor_is_attached(void) {
    return shared != NULL;
}

void supervisor_end(int code) {
    atomic_store(&told->code, code + 1);
}

/* In a child that the called code has forked: it would go on as a second copy of the program. */
static void note_copy(void) {
    is_copy |= !process_forks_itself();
}

/* exit() out of a call prints nothing that the process has only begun to say, and calls nothing. */
static void leave_call(int code, void *unused) {
    (void)unused;
    if (atomic_load(&told->step) != CALL_NONE) {
        _exit(code);
    }
}

void supervisor_attach(void) {
    const char *text = getenv(variable);
    const int file = text != NULL ? atoi(text) : -1;
    if (file > STDERR_FILENO) {
        void *memory = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (memory != MAP_FAILED) {
            shared = memory;
            told = &shared->told;
            close(file);
            pthread_atfork(NULL, NULL, note_copy);
            on_exit(leave_call, NULL);
            interrupt_tell(supervisor_end);
            process_state_keep();
            atomic_store(&told->attached, 1);
        }
    }
    unsetenv(variable);
}

void call_step(CallStep step) {
    if (is_copy) {
        _exit(EXIT_WRONG);
    }
    if (step != CALL_NONE) {
        atomic_store_explicit(&told->latest, (int)step, memory_order_relaxed);
    }
    atomic_store_explicit(&told->step, (int)step, memory_order_relaxed);
    const unsigned calls = atomic_load_explicit(&told->calls, memory_order_relaxed);
    atomic_store_explicit(&told->calls, calls + 1, memory_order_relaxed);
}

void supervisor_abandon(const char *why) {
    snprintf(told->abandoned, sizeof told->abandoned, "%s", why);
    _exit(EXIT_WRONG);
}

void call_on_behalf(const char *subject) {
    if (supervisor_is_attached()) {
        snprintf(told->behalf, sizeof told->behalf, "%s", subject);
    }
}

/* The first subject of which so many bytes are those of `text`; NULL: none has ended a process. */
static const Ended *find_ended(const char *text, size_t length) {
    for (size_t i = 0; shared != NULL && i < shared->ended_count && i < ENDED_MAX; i++) {
        if (strncmp(shared->ended[i].subject, text, length) == 0) {
            return &shared->ended[i];
        }
    }
    return NULL;
}

static Status refused(const char *text, size_t length) {
    const Ended *ended = find_ended(text, length);
    return ended == NULL ? status_ok() : status_fail("%s", ended->why);
}

Status call_refused(const char *subject) {
    return refused(subject, strlen(subject) + 1);
}

Status call_refused_like(const char *beginning) {
    return refused(beginning, strlen(beginning));
}

const char *call_ended_word(const char *beginning) {
    const Ended *ended = find_ended(beginning, strlen(beginning));
    return ended != NULL ? ended->word : NULL;
}

unsigned call_subjects(void) {
    return subjects;
}

Status call_about(const char *subject, const void *owner, double limit) {
    char text[CALL_SUBJECT_SIZE];
    if (!supervisor_is_attached()) {
        return status_ok();
    }
    snprintf(text, sizeof text, "%s", subject);
    STATUS_TRY(call_refused(text));
    subjects++;
    memcpy(told->subject, text, sizeof text);
    atomic_store(&told->owned, owner != NULL);
    atomic_store(&told->limit, (int)(limit < 1e6 ? limit * 1e3 : 0));
    if (owner != NULL) {
        owner_before = owner_before != NULL ? owner_before : owner;
        atomic_fetch_or(&told->several, owner != owner_before);
    }
    return status_ok();
}

void call_offer_trials(void) {
    atomic_store(&told->trials, 1);
}

const char *call_trial(void) {
    return told->trial[0] != '\0' ? told->trial : NULL;
}

/* Behind the text at `at`; the end of what is kept where there is none. */
static size_t behind(size_t at) {
    return at + strnlen(shared->kept + at, shared->kept_size - at) + 1;
}

const char *supervisor_kept(const char *key) {
    const char *found = NULL;
    for (size_t at = 0;
         shared != NULL && at < shared->kept_size && shared->kept_size <= KEPT_SIZE;) {
        const size_t text = behind(at);
        if (text >= shared->kept_size) {
            break;
        }
        found = strcmp(shared->kept + at, key) == 0 ? shared->kept + text : found;
        at = behind(text);
    }
    return found;
}

/* What there is no room for, a later process finds out again. */
void supervisor_keep(const char *key, const char *text) {
    const size_t sizes[] = {strlen(key) + 1, strlen(text) + 1};
    if (supervisor_is_attached() && shared->kept_size <= KEPT_SIZE &&
        sizes[0] + sizes[1] <= KEPT_SIZE - shared->kept_size) {
        memcpy(shared->kept + shared->kept_size, key, sizes[0]);
        memcpy(shared->kept + shared->kept_size + sizes[0], text, sizes[1]);
        shared->kept_size += sizes[0] + sizes[1];
    }
}

/* === The supervisor =========================================================================== */

typedef struct Supervisor {
    const ChildProcess *process;
    Shared *shared;
    int file;
    double ending;  /* seconds since the process said that it ends, or was interrupted */
    double called;  /* seconds that the call has taken so far */
    unsigned calls; /* the one that `called` is of */
    Ended *ended;   /* of our own, whatever is written to the shared memory */
    size_t ended_count, ended_capacity;
    char tried[CALL_SUBJECT_SIZE]; /* the last subject that was tried by itself */
} Supervisor;

static int step_of(const atomic_int *step) {
    const int value = atomic_load(step);
    return value > CALL_NONE && value < CALL_STEPS ? value : CALL_NONE;
}

/* Time in which this process did not run itself, as one that was stopped with the other, does not
 * count. */
static bool hangs(void *context, double passed) {
    Supervisor *supervisor = context;
    const Told *of = &supervisor->shared->told;
    const unsigned calls = atomic_load(&of->calls);
    const double limit = atomic_load(&of->limit) / 1e3;
    const double counted = passed < 1 ? passed : 1;
    const bool ends = atomic_load(&of->code) != 0 || interrupt_requested();
    supervisor->ending += ends ? counted : 0;
    supervisor->called = calls == supervisor->calls ? supervisor->called + counted : 0;
    supervisor->calls = calls;
    return supervisor->ending > end_seconds ||
           (limit > 0 && step_of(&of->step) != CALL_NONE && supervisor->called > limit);
}

static void take(void *context, const char *bytes, size_t count) {
    const ChildProcess *process = ((const Supervisor *)context)->process;
    process->take(process->context, bytes, count);
}

/* What the process before has told is not this one's, but for what it keeps. */
static void begin(Supervisor *supervisor) {
    Told *of = &supervisor->shared->told;
    atomic_store(&of->attached, 0);
    atomic_store(&of->code, 0);
    atomic_store(&of->step, CALL_NONE);
    atomic_store(&of->latest, CALL_NONE);
    atomic_store(&of->several, 0);
    atomic_store(&of->trials, 0);
    of->subject[0] = of->behalf[0] = of->abandoned[0] = '\0';
    supervisor->shared->ended_count = supervisor->ended_count;
    for (size_t i = 0; i < supervisor->ended_count; i++) {
        supervisor->shared->ended[i] = supervisor->ended[i];
    }
    supervisor->ending = supervisor->called = 0;
}

static Status run_once(Supervisor *supervisor, ChildEnd *end) {
    char number[16];
    ChildProcess child = *supervisor->process;
    child.take = child.take != NULL ? take : NULL;
    child.hangs = hangs;
    child.context = supervisor;
    child.kept = supervisor->file;
    begin(supervisor);
    snprintf(number, sizeof number, "%d", supervisor->file);
    if (setenv(variable, number, 1) != 0) {
        return status_no_memory("to supervise a process");
    }
    const Status status = child_process_run(&child, end);
    unsetenv(variable);
    return status;
}

/* === How a process ended ====================================================================== */

/* What a C library may not tell: the names of signals, and which of them a program gets for a
 * mistake of its own. */
static const struct {
    int number;
    const char *name;
    bool crash;
} signals[] = {
    {SIGSEGV, "SIGSEGV", true}, {SIGBUS, "SIGBUS", true},    {SIGFPE, "SIGFPE", true},
    {SIGILL, "SIGILL", true},   {SIGABRT, "SIGABRT", true},  {SIGTRAP, "SIGTRAP", true},
    {SIGSYS, "SIGSYS", true},   {SIGKILL, "SIGKILL", false}, {SIGTERM, "SIGTERM", false},
    {SIGINT, "SIGINT", false},  {SIGHUP, "SIGHUP", false},   {SIGXCPU, "SIGXCPU", false}};

static bool signal_name(int number, char text[ENDED_WORD_SIZE]) {
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        if (signals[i].number == number) {
            snprintf(text, ENDED_WORD_SIZE, "%s", signals[i].name);
            return signals[i].crash;
        }
    }
    snprintf(text, ENDED_WORD_SIZE, "signal %d", number);
    return false;
}

void child_end_text(const ChildEnd *end, char text[END_TEXT_SIZE]) {
    char name[ENDED_WORD_SIZE];
    if (end->signal != 0) {
        (void)signal_name(end->signal, name);
        snprintf(text, END_TEXT_SIZE, "by %s (%s)", name, strsignal(end->signal));
    } else {
        snprintf(text, END_TEXT_SIZE, "with exit code %d", end->code);
    }
}

/* As a variant's functions are called in variant.h. */
static const char *const step_words[CALL_STEPS] = {[CALL_NONE] = "nothing",
                                                   [CALL_LOAD] = "loading",
                                                   [CALL_AVAILABLE] = "available",
                                                   [CALL_AXIS] = "its axis",
                                                   [CALL_LAYOUT] = "output_layout",
                                                   [CALL_COST] = "cost",
                                                   [CALL_CHECK_WEIGHTS] = "check of its weights",
                                                   [CALL_DRAW_WEIGHTS] = "draw of its weights",
                                                   [CALL_OPEN] = "open",
                                                   [CALL_UPLOAD] = "upload",
                                                   [CALL_RUN] = "run",
                                                   [CALL_STAGE] = "a stage of run",
                                                   [CALL_WAIT] = "its kernels",
                                                   [CALL_DOWNLOAD] = "download",
                                                   [CALL_STREAM] = "stream",
                                                   [CALL_COMPARE] = "its comparison",
                                                   [CALL_WRITE] = "writing its answer",
                                                   [CALL_ASK] = "a question about its state",
                                                   [CALL_CLOSE] = "close"};

/* "crashed: SIGSEGV" */
static void end_word(const Told *of, const ChildEnd *end, char word[ENDED_WORD_SIZE]) {
    char name[ENDED_WORD_SIZE];
    const bool crashed = end->signal != 0 && signal_name(end->signal, name);
    if (of->abandoned[0] != '\0') {
        snprintf(word, ENDED_WORD_SIZE, "abandoned");
    } else if (end->late) {
        snprintf(word, ENDED_WORD_SIZE, "did not come back");
    } else if (end->signal != 0) {
        snprintf(word, ENDED_WORD_SIZE, "%s: %.16s", crashed ? "crashed" : "ended", name);
    } else {
        snprintf(word, ENDED_WORD_SIZE, "ended: exit code %d", end->code);
    }
}

static void end_sentence(const ChildEnd *end, char text[WHY_SIZE]) {
    char how[END_TEXT_SIZE], name[ENDED_WORD_SIZE];
    child_end_text(end, how);
    if (end->signal != 0 && signal_name(end->signal, name)) {
        snprintf(text, WHY_SIZE, "crashed: %s (%s)", name, strsignal(end->signal));
    } else {
        snprintf(text, WHY_SIZE, "ended its process %s", how);
    }
}

static void describe(const Told *of, const ChildEnd *end, Ended *ended) {
    char how[WHY_SIZE];
    const int step = step_of(&of->step);
    const char *word = step_words[step != CALL_NONE ? step : step_of(&of->latest)];
    end_word(of, end, ended->word);
    end_sentence(end, how);
    if (of->abandoned[0] != '\0') {
        snprintf(ended->why, WHY_SIZE, "%.*s", WHY_SIZE - 1, of->abandoned);
    } else if (end->late) {
        snprintf(ended->why, WHY_SIZE, "did not come back from %s within %g s", word,
                 atomic_load(&of->limit) / 1e3);
    } else {
        snprintf(ended->why, WHY_SIZE, "%.120s %s %s%s", how, step == CALL_NONE ? "after" : "in",
                 word,
                 end->signal == SIGKILL ? ", as the system does when memory runs out"
                 : step == CALL_NONE    ? "; it may have damaged memory"
                                        : "");
    }
}

/* Notes the subject; false where there is no room, or it was noted before and so was not called. */
static bool convict(Supervisor *supervisor, const Ended *how, const char *subject) {
    const Status room = LIST_ROOM(NULL, supervisor->ended, supervisor->ended_count,
                                  supervisor->ended_capacity, "subjects");
    if (!status_is_ok(&room) || supervisor->ended_count == ENDED_MAX) {
        return false;
    }
    for (size_t i = 0; i < supervisor->ended_count; i++) {
        if (strcmp(supervisor->ended[i].subject, subject) == 0) {
            return false;
        }
    }
    Ended *ended = &supervisor->ended[supervisor->ended_count++];
    *ended = *how;
    snprintf(ended->subject, sizeof ended->subject, "%s", subject);
    return true;
}

/* What is before the first comma: whose calls they are. */
static bool same_code(const char *subject, const char *other) {
    const size_t length = strcspn(subject, ",");
    return length == strcspn(other, ",") && strncmp(subject, other, length) == 0;
}

static void copy_text(char to[CALL_SUBJECT_SIZE], const char *from) {
    snprintf(to, CALL_SUBJECT_SIZE, "%.*s", CALL_SUBJECT_SIZE - 1, from);
}

/* Whether the program is to be started again, without what has ended it, or to try that alone. */
static bool goes_on_without(Supervisor *supervisor, const ChildEnd *end, const char *trial) {
    Told *of = &supervisor->shared->told;
    char subject[CALL_SUBJECT_SIZE], whose[CALL_SUBJECT_SIZE];
    Ended ended = {.subject = ""};
    copy_text(subject, of->subject);
    copy_text(whose, of->behalf[0] != '\0' ? of->behalf : of->subject);
    const bool alone = end->late || atomic_load(&of->several) == 0;
    const bool triable = atomic_load(&of->trials) != 0 && atomic_load(&of->owned) != 0 &&
                         strcmp(supervisor->tried, whose) != 0;
    if (!alone && trial[0] == '\0' && triable) {
        copy_text(supervisor->tried, whose);
        copy_text(of->trial, whose);
        return true;
    }
    describe(of, end, &ended);
    if (alone || trial[0] == '\0' || same_code(trial, subject)) {
        /* What happens between calls is no fault of the latest, unless the process ended itself for
         * it: others may make that call too. */
        const bool called =
            end->late || step_of(&of->step) != CALL_NONE || of->abandoned[0] != '\0';
        return convict(supervisor, &ended, called ? subject : whose);
    }
    const size_t used = strlen(ended.why);
    snprintf(ended.why + used, sizeof ended.why - used, "; the latest call was one of %.80s",
             subject);
    return convict(supervisor, &ended, trial);
}

static bool goes_on(Supervisor *supervisor, const ChildEnd *end) {
    Told *of = &supervisor->shared->told;
    char trial[CALL_SUBJECT_SIZE];
    copy_text(trial, of->trial);
    of->trial[0] = '\0';
    if (interrupt_requested() || end->error != 0 || atomic_load(&of->attached) == 0) {
        return false;
    }
    if (atomic_load(&of->code) != 0) {
        return trial[0] != '\0' && end->code != INTERRUPT_EXIT_CODE;
    }
    return of->subject[0] != '\0' && goes_on_without(supervisor, end, trial);
}

static Status run_until_end(Supervisor *supervisor, ChildEnd *end) {
    do {
        STATUS_TRY(run_once(supervisor, end));
        const int code = atomic_load(&supervisor->shared->told.code);
        if (code > 0 && code <= 256) { /* whatever its end did after it had said so */
            *end = (ChildEnd){.code = code - 1};
        }
    } while (goes_on(supervisor, end));
    return status_ok();
}

/* Why there is no memory to share with the process. */
static const char *why_not(int error) {
    return error == EFBIG ? "the limit on the size of files is below 8 MiB; raise it (ulimit -f)"
                          : strerror(error);
}

Status supervised_run(const ChildProcess *process, ChildEnd *end) {
    Supervisor supervisor = {.process = process, .shared = MAP_FAILED};
    *end = (ChildEnd){.code = 0};
    supervisor.file = memfd_create("bench", MFD_CLOEXEC);
    if (supervisor.file >= 0 && ftruncate(supervisor.file, sizeof(Shared)) == 0) {
        supervisor.shared =
            mmap(NULL, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED, supervisor.file, 0);
    }
    const Status status =
        supervisor.shared != MAP_FAILED
            ? run_until_end(&supervisor, end)
            : status_make(STATUS_FILE, "a process cannot be supervised: %s", why_not(errno));
    if (supervisor.shared != MAP_FAILED) {
        munmap(supervisor.shared, sizeof(Shared));
    }
    if (supervisor.file >= 0) {
        close(supervisor.file);
    }
    free(supervisor.ended);
    return status;
}
