/* The table of applications. */

#include "apps.h"

static const Command *const classifying[] = {&command_classify, &command_curve, &command_train,
                                             &command_recognise};

static const Command *const describing[] = {&command_train_hashsift, &command_train_bad,
                                            &command_train_orb, &command_evaluate_descriptors,
                                            &command_match};

const CommandGroup app_groups[APP_GROUPS] = {
    {"applications", sizeof classifying / sizeof classifying[0], classifying},
    {"descriptors", sizeof describing / sizeof describing[0], describing}};
