/* The options that name a set of pictures, for commands with a table of their own. */
#ifndef BENCH_SET_OPTIONS_H
#define BENCH_SET_OPTIONS_H

#include "picture_set.h"

/* Takes the value of --synthetic, --images. STATUS_USAGE without the flag's name. */
Status set_option_synthetic(const char *value, PictureSetRequest *set);
Status set_option_images(const char *value, PictureSetRequest *set);

/* Whether a set was named, once, and labels go with it. `command` is for messages. */
Status set_options_check(const char *command, const PictureSetRequest *set);

#endif
