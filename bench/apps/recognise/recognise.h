/* Recognising digits: `bench train` and `bench recognise`. */

#ifndef BENCH_APPS_RECOGNISE_RECOGNISE_H
#define BENCH_APPS_RECOGNISE_RECOGNISE_H

#include <stdio.h>

#include "base.h"

/* --- Commands --------------------------------------------------------------------------------- */

int command_train(const Invocation *given);
int command_recognise(const Invocation *given);
void command_train_help(FILE *stream);
void command_recognise_help(FILE *stream);

#endif
