/*
 * Input guard: the files that a command reads, so that it replaces none of them.
 *
 * Commands name their inputs before they try their outputs. Files are told apart by device and
 * inode, so an input is found under any of its names and behind links. Every file that
 * atomic_file.h writes is held against the list. The list lasts as long as the process.
 */
#ifndef BENCH_API_INPUT_GUARD_H
#define BENCH_API_INPUT_GUARD_H

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Adds an ordinary file; anything else, and a path that leads nowhere, is passed over: there is
 * nothing to lose. STATUS_FAIL without memory. */
Status input_guard_add(const char *path);

/* STATUS_USAGE when a file of this name is there and was added. */
Status input_guard_check(const char *path);

#ifdef __cplusplus
}
#endif

#endif
