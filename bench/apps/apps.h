/* The applications: commands on top of the harness, which knows none of them. */

#ifndef BENCH_APPS_APPS_H
#define BENCH_APPS_APPS_H

#include "commands.h"

enum { APP_GROUPS = 1 };

/* `bench app NAME` */
#define APP_FAMILY "app"

/* Their commands, for the program's help. */
extern const CommandGroup app_groups[APP_GROUPS];

extern const Command command_classify;                 /* textures */
extern const Command command_curve;                    /* curve */
extern const Command command_train, command_recognise; /* recognise */
extern const Command command_match;                    /* match_images */
extern const Command command_train_hashsift, command_train_bad, command_train_orb,
    command_evaluate_descriptors; /* descriptors */

#endif
