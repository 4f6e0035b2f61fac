/* What the conformance program tries on whom: its command line, and who takes turns. */
#ifndef TESTS_CONFORMANCE_SWEEP_H
#define TESTS_CONFORMANCE_SWEEP_H

#include <stdbool.h>
#include <stddef.h>

#include "algorithm.h"
#include "cases.h"
#include "points.h"
#include "set_cases.h"

enum { SWEEP_SHAPES_MAX = 64 };

typedef struct CaseSweep {
    const char *backend;
    const char *only;   /* comma list of "algorithm" and "algorithm/variant"; NULL: all */
    const char *except; /* the same, left out; NULL: none */
    bool quick, wide;
    bool contents_named;
    Settings answers; /* --answer */
    size_t shape_count, content_count;
    Shape shapes[SWEEP_SHAPES_MAX];
    CaseContent contents[CONTENT_COUNT];
    size_t set_shape_count, set_content_count; /* the same for algorithms that take sets */
    SetShape set_shapes[SWEEP_SHAPES_MAX];
    SetContent set_contents[SET_CONTENT_COUNT];
} CaseSweep;

/* One case by its numbers: which of so many shapes, contents, answer points. */
typedef struct SweepCase {
    size_t shape, content, answer;
    size_t shapes, contents;
    bool large; /* tried at few points */
} SweepCase;

/* Prints what is wrong and returns false when the arguments are not understood. */
bool sweep_parse(int argc, char **argv, CaseSweep *sweep);

/* Of images; no set is large. */
bool sweep_is_large(Shape shape);

bool sweep_selects(const CaseSweep *sweep, const Algorithm *algorithm, const Variant *variant);

/*
 * The oracle is only held to itself, for which no large image is needed. A variant with a
 * comparison of its own promises something about images only: it gets the textured content, and
 * the others, whose answers are exact, all but that. Contents that were named are for all.
 */
bool sweep_tries_image(const CaseSweep *sweep, const Variant *variant, bool is_oracle, Shape shape,
                       CaseContent content);

/*
 * Whether this case is tried. Ordinarily every image is, at every answer point; of a large image,
 * and with --quick of every image, one answer point, in turn. With --wide every shape is tried at
 * every answer point with one content, in turn; with --quick too, every answer point at one shape.
 */
bool sweep_tries(const CaseSweep *sweep, const SweepCase *at, size_t answers);

/* Where there are several answer points, each takes one tuning point, in turn; those of an image
 * that takes only one, all. */
bool sweep_tries_tuning(const CaseSweep *sweep, const SweepCase *at, size_t answers, size_t tuning,
                        size_t tunings);

#endif
