/* The table of applications. */

#include "apps.h"

static const Command command_app = {
    .name = APP_FAMILY,
    .summary = "applications: textures, digits, descriptors, what images have in common",
    .usage = "bench app COMMAND ...\n",
    .about = "Programs on top of the algorithms, which train, classify, match and evaluate.",
    .examples = "bench app match one.jpg other.jpg --out matches\n"
                "bench app classify textures --csv confusion.csv\n"
                "bench help app match\n",
};

static const Command *const applications[] = {
    &command_app,       &command_classify,  &command_curve,
    &command_train,     &command_recognise, &command_train_hashsift,
    &command_train_bad, &command_train_orb, &command_evaluate_descriptors,
    &command_match};

const CommandGroup app_groups[APP_GROUPS] = {
    {"applications", sizeof applications / sizeof applications[0], applications}};
