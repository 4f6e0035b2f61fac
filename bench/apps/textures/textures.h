/* Telling textures apart by their lbp_riu histograms: `bench classify`. */

#ifndef BENCH_APPS_TEXTURES_TEXTURES_H
#define BENCH_APPS_TEXTURES_TEXTURES_H

#include "base.h"

/* --- Commands --------------------------------------------------------------------------------- */

extern const Command command_classify;

#endif
