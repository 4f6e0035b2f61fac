/* Recognising digits: `bench train` and `bench recognise`. */

#ifndef BENCH_APPS_RECOGNISE_RECOGNISE_H
#define BENCH_APPS_RECOGNISE_RECOGNISE_H

#include "base.h"

/* --- Commands --------------------------------------------------------------------------------- */

extern const Command command_train, command_recognise;

#endif
