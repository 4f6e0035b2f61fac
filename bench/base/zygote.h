/*
 * A zygote: a process of this program that has loaded the files of Python and done nothing else, of
 * which the launches of a run are forked. Libraries such as PyTorch take many seconds to import;
 * so they are imported once for a run, not by the launcher and by each launch. It has called no
 * variant, and touched no device: every launch has a context of its own there.
 */
#ifndef BENCH_BASE_ZYGOTE_H
#define BENCH_BASE_ZYGOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "child_process.h"

/* --- In the process that starts launches ------------------------------------------------------ */

/* A comparison has one for each side: the one that is meant from now on, 0 at first. */
enum { ZYGOTES = 2 };
void zygote_choose(size_t which);

/* This process, which was started with these arguments, measures by launches: from now on a zygote
 * loads what it would load. */
void zygote_want(char **argv);

/* Starts the zygote, and waits for two seconds: whether it has still not told its next text. */
bool zygote_takes_long(void);
/* The next text that the zygote tells, to be freed; it is started before the first. NULL: no zygote
 * is wanted, or it has ended. */
char *zygote_next_text(void);
/* What it answers to a question, to be freed. NULL: as above. */
char *zygote_ask(const char *question);
/* Launches are not to be forked of it. */
void zygote_refuse(void);
/* It ends, if it is there, and none is wanted any more. */
void zygote_end(void);

/* Has it fork the process instead of starting its program anew; `messages` takes what that writes.
 * False where there is no zygote, or it cannot. */
bool zygote_fork(const ChildProcess *process, int messages, pid_t *child);

/* --- In the zygote ---------------------------------------------------------------------------- */

bool zygote_is_this(void);
/* Once this process is started as it will stay: programs that it starts do not know of the zygote.
 */
void zygote_attach(void);
void zygote_tell(const char *text);

/* Answers questions, and forks launches until the process that wants them has ended. Returns in
 * each launch, with the arguments of that. */
void zygote_serve(void (*answer)(const char *question, char *text, size_t size), int *argc,
                  char ***argv);

#endif
