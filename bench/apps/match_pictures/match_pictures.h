/* Matching two images: `bench match`. */

#ifndef BENCH_APPS_MATCH_PICTURES_MATCH_PICTURES_H
#define BENCH_APPS_MATCH_PICTURES_MATCH_PICTURES_H

#include <stdio.h>

#include "base.h"

/* --- Commands --------------------------------------------------------------------------------- */

int command_match(const Invocation *given);
void command_match_help(FILE *stream);

#endif
