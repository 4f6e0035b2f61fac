/* A process that another one watches: what it does, and why it ended. */

#ifndef BENCH_BASE_SUPERVISOR_H
#define BENCH_BASE_SUPERVISOR_H

#include <stdbool.h>

#include "child_process.h"
#include "status.h"

/* --- Supervised processes --------------------------------------------------------------------- */

/*
 * A module's code, or a defect of the program's own, can end a process: by a signal, by exit(), by
 * a call that never comes back. So the process that calls such code is the child of another one,
 * its supervisor, and tells it in shared memory what it is about to call. If it ends otherwise than
 * by saying that it does, the supervisor starts the program again, and the call that ended it is
 * not made again: it fails with what happened. So every error that has a row or a line has one.
 *
 * Damage that one call does may kill another one later. A subject that was not alone in its process
 * is therefore tried once more by itself, where the program offers that: if it survives, the damage
 * was another's. If what it is held to dies after it, it is the one that is not called again.
 */

/* Runs the program as child_process_run does, again and again until it has ended by itself, and
 * adds to that its `hangs` and `kept`. `end` is that of the last process; a program that cannot be
 * supervised, or that ended while it called nothing, is not started again. */
Status supervised_run(const ChildProcess *process, ChildEnd *end);

/* "by SIGSEGV (Segmentation fault)", "with exit code 3": how the process ended. */
enum { END_TEXT_SIZE = 96 };
void child_end_text(const ChildEnd *end, char text[END_TEXT_SIZE]);

/* --- In the supervised process; without a supervisor these do nothing --- */

/* Whether a supervisor has started this process, which it learns from its environment. */
bool supervisor_is_there(void);
/* Takes over the memory that is shared, and the variable out of the environment. */
void supervisor_attach(void);
bool supervisor_is_attached(void);
/* The process ends by itself, with this code. */
void supervisor_end(int code);

/* What is called. */
typedef enum CallStep {
    CALL_NONE,
    CALL_LOAD,
    CALL_AVAILABLE,
    CALL_AXIS,
    CALL_LAYOUT,
    CALL_COST,
    CALL_CHECK_WEIGHTS,
    CALL_DRAW_WEIGHTS,
    CALL_OPEN,
    CALL_UPLOAD,
    CALL_RUN,
    CALL_STAGE,
    CALL_WAIT, /* for what a device was given to do */
    CALL_DOWNLOAD,
    CALL_STREAM,
    CALL_COMPARE,
    CALL_WRITE,
    CALL_ASK, /* for a fact of an open state */
    CALL_CLOSE,
    CALL_STEPS
} CallStep;

enum { CALL_SUBJECT_SIZE = 1024, ENDED_WORD_SIZE = 32 };

/* What the calls to come are about, the same text for the same calls in every process, and seconds
 * that each may take; 0: as many as it likes. Subjects of one `owner` are the work of the same
 * code; NULL: of nobody's. STATUS_FAIL with what happened, if the subject has ended a process. */
Status call_about(const char *subject, const void *owner, double limit);
/* The calls to come are made for somebody else, as an oracle's are: what all calls of that subject
 * begin with; "": for themselves. */
void call_on_behalf(const char *subject);
/* STATUS_FAIL with what happened, if this very subject has ended a process. */
Status call_refused(const char *subject);
/* The same for any subject that begins so. */
Status call_refused_like(const char *beginning);
/* "crashed: SIGSEGV", for a table: what the first such subject did. NULL: none has ended a process.
 */
const char *call_ended_word(const char *beginning);
/* How often there was a new subject. */
unsigned call_subjects(void);

/* Before a call and, with CALL_NONE, after it. Costs about a nanosecond. */
void call_step(CallStep step);

/* From now on a subject can be tried by itself: the program looks at call_trial. */
void call_offer_trials(void);
/* The subject that alone is to be called in this process; NULL: there is no trial. The process then
 * ends without a word. */
const char *call_trial(void);

/* Ends a process that is damaged by the latest call, which has failed so. */
_Noreturn void supervisor_abandon(const char *why);

/* Where a supervisor is: STATUS_FAIL if the latest call has changed the working folder of the
 * process or the mask of its new files, which are set back. The process is abandoned if its
 * standard streams were closed or replaced, or if something was changed that others are measured
 * with: clock, arithmetic, variables of the environment; and since the call of
 * process_settings_keep that came first, OpenMP's threads, signals and limits. */
Status process_state_check(void);
void process_settings_keep(void);
/* The same of the processors that the calling thread may use, since they were kept. */
void process_processors_keep(void);
void process_processors_check(void);

/* Keeps a text for the processes that follow this one; the last one of a key counts. */
void supervisor_keep(const char *key, const char *text);
/* NULL: there is none. */
const char *supervisor_kept(const char *key);

#endif
