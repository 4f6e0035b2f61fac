/*
 * Status: what every operation that can go wrong returns.
 *
 * A skip is not a failure: this machine or this input cannot run a cell. A failure means that
 * something should have worked and did not, or that an answer was wrong. The text in `why` is one
 * sentence for a person: what is wrong and, if possible, what would be right, without a newline.
 */
#ifndef BENCH_API_STATUS_H
#define BENCH_API_STATUS_H

#include <stdbool.h>

#include "crossing.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum StatusCode {
    STATUS_OK = 0,
    STATUS_SKIP = 1, /* cannot be done here: no device, not enough memory, not supported */
    STATUS_FAIL = 2, /* should have worked and did not */
    STATUS_DEVICE_LOST =
        3,                 /* the device cannot be used again in this process (sticky CUDA error) */
    STATUS_USAGE = 4,      /* the command line asks for something that does not exist */
    STATUS_NO_MATCH = 5,   /* the request is well formed and selects nothing */
    STATUS_FILE = 6,       /* an input cannot be read or an output cannot be written */
    STATUS_INTERRUPTED = 7 /* a signal ended it early */
} StatusCode;

enum { STATUS_WHY_SIZE = 384 };

typedef struct Status {
    StatusCode code;
    char why[STATUS_WHY_SIZE]; /* empty when code is STATUS_OK */
} Status;

FIXED_SIZE(Status, 388); /* it is returned by value */

#if defined(__GNUC__)
#define STATUS_PRINTF(format_index, first_argument)                                                \
    __attribute__((format(printf, format_index, first_argument)))
#else
#define STATUS_PRINTF(format_index, first_argument)
#endif

Status status_ok(void);

/* Builds a status of any code but STATUS_OK with a printf-style reason, cut to STATUS_WHY_SIZE. */
Status status_make(StatusCode code, const char *format, ...) STATUS_PRINTF(2, 3);
#define status_skip(...) status_make(STATUS_SKIP, __VA_ARGS__)
#define status_fail(...) status_make(STATUS_FAIL, __VA_ARGS__)

/* STATUS_SKIP "no memory left " and the text: "for 12 result rows", "to write run.json". The format
 * is a literal. */
#define status_no_memory(...) status_make(STATUS_SKIP, "no memory left " __VA_ARGS__)

static inline bool status_is_ok(const Status *status) {
    return status->code == STATUS_OK;
}

/* Returns from the calling function, with the status, when `expression` is not STATUS_OK. */
#define STATUS_TRY(expression)                                                                     \
    do {                                                                                           \
        const Status status_try_result = (expression);                                             \
        if (status_try_result.code != STATUS_OK) {                                                 \
            return status_try_result;                                                              \
        }                                                                                          \
    } while (0)

/* Goes on with `expression`, whose status `status` becomes, unless an earlier step failed: for
 * steps that have something to release behind them. */
#define STATUS_THEN(status, expression)                                                            \
    do {                                                                                           \
        if (status_is_ok(&(status))) {                                                             \
            (status) = (expression);                                                               \
        }                                                                                          \
    } while (0)

/* Returns from the calling function, with status_no_memory of the text, unless `allocated`: a
 * pointer, or a condition on several. */
#define STATUS_MEMORY(allocated, ...)                                                              \
    do {                                                                                           \
        if (!(allocated)) {                                                                        \
            return status_no_memory(__VA_ARGS__);                                                  \
        }                                                                                          \
    } while (0)

#ifdef __cplusplus
}
#endif

#endif
