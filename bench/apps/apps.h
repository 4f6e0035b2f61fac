/* The applications: their commands, for the table of commands. */

#ifndef BENCH_APPS_APPS_H
#define BENCH_APPS_APPS_H

#include "commands.h"

extern const Command command_classify;                 /* textures */
extern const Command command_curve;                    /* curve */
extern const Command command_train, command_recognise; /* recognise */
extern const Command command_match;                    /* match_images */
extern const Command command_train_hashsift, command_train_bad, command_train_orb,
    command_evaluate_descriptors; /* descriptors */

#endif
