/* Telling textures apart by their lbp_riu histograms: `bench classify`. */

#ifndef BENCH_APPS_TEXTURES_TEXTURES_H
#define BENCH_APPS_TEXTURES_TEXTURES_H

#include <stdio.h>

#include "base.h"

/* --- Commands --------------------------------------------------------------------------------- */

int command_classify(const Invocation *given);
void command_classify_help(FILE *stream);

#endif
