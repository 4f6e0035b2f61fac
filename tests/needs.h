/* The one way for a test to be skipped: with a line that says what it needs, which tests/skipped.sh
 * counts. */
#ifndef TESTS_NEEDS_H
#define TESTS_NEEDS_H

#include "test.h"

#define NEEDS_SHARED_DATA "../shared/data"
#define NEEDS_DEVICE "a CUDA device"
#define NEEDS_GNUPLOT "gnuplot"
#define NEEDS_NO_ROOT "a user other than root"
#define NEEDS_NUMPY "Python 3.9 with its shared library, and NumPy"
#define NEEDS_QUOTA "a control group of one's own with a CPU quota"
#define NEEDS_ADDRESSES "a build without address or thread sanitizer"

/* Defined where one of these is built in, which takes terabytes of addresses and keeps what is
 * freed. gcc and clang say so in ways of their own. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED_ADDRESSES
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED_ADDRESSES
#endif
#endif

/* Ends the test. `what` is a thing to be had, in the same words wherever it is needed; `why` says
 * what was found instead, or is NULL. */
static inline void skip_needing(const char *what, const char *why) {
    print_message("skipped: needs %s%s%s\n", what, why != NULL ? ": " : "", why != NULL ? why : "");
    skip();
}

#endif
