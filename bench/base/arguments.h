/* Lists of arguments. */

#ifndef BENCH_BASE_ARGUMENTS_H
#define BENCH_BASE_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "status.h"

/* Arguments of a process, without the program's name; NULL after the last. Owns its texts. Starts
 * zeroed. */
typedef struct ArgumentList {
    int argc;
    char **argv;
    size_t capacity; /* of argv; 0: argv is not owned */
} ArgumentList;

/* Appends a copy. STATUS_SKIP without memory. */
Status argument_list_add(ArgumentList *list, const char *argument);
/* The same of several, NULL behind the last. */
Status argument_list_add_all(ArgumentList *list, const char *const *arguments);
void argument_list_release(ArgumentList *list);

/* Whether an option, "--algo", is among what somebody typed: words that are no request yet. Of a
 * run's arguments request_recall knows. */
bool argument_list_has(const ArgumentList *list, const char *option);

#endif
