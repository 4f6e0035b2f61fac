/* Matching two images: `bench match`. */

#ifndef BENCH_APPS_MATCH_PICTURES_MATCH_PICTURES_H
#define BENCH_APPS_MATCH_PICTURES_MATCH_PICTURES_H

#include "base.h"

/* --- Commands --------------------------------------------------------------------------------- */

extern const Command command_match;

#endif
