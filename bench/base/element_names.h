/* What NumPy calls the types of elements. */

#ifndef BENCH_BASE_ELEMENT_NAMES_H
#define BENCH_BASE_ELEMENT_NAMES_H

#include <stdbool.h>

#include "output.h"

/* "uint16", "float32": of OUTPUT_IMAGE_U8 and of the kinds of arrays. */
const char *element_name(OutputKind element);

/* The kind of array that a name is of; false: there is none. */
bool element_named(const char *name, OutputKind *element);

#endif
