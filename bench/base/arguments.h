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

/* The value of an option, "--launches", which follows it or is with it; given twice, the last
 * counts. "" of a flag; NULL: it is not among the arguments, which keep the text. */
const char *argument_list_value(const ArgumentList *list, const char *option);
bool argument_list_has(const ArgumentList *list, const char *option);

#endif
