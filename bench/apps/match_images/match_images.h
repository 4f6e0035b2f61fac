/* Matching two images: `bench match`. */

#ifndef BENCH_APPS_MATCH_IMAGES_MATCH_IMAGES_H
#define BENCH_APPS_MATCH_IMAGES_MATCH_IMAGES_H

#include "base.h"

/* --- Commands --------------------------------------------------------------------------------- */

extern const Command command_match;

#endif
