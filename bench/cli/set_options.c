#include "set_options.h"

#include <string.h>

#include "image_sets.h"
#include "options_values.h"
#include "suggest.h"
#include "text_list.h"

Status set_option_synthetic(const char *value, PictureSetRequest *set) {
    char known[STATUS_WHY_SIZE / 2] = "", nearest[SUGGEST_TEXT_SIZE];
    Suggestion suggestion = suggest_start(value);
    for (size_t i = 0; synthetic_set_kinds[i] != NULL; i++) {
        if (strcmp(synthetic_set_kinds[i], value) == 0) {
            set->synthetic = value;
            return status_ok();
        }
        suggest_offer(&suggestion, synthetic_set_kinds[i]);
        text_append(known, sizeof known, "%s%s", i == 0 ? "" : ", ", synthetic_set_kinds[i]);
    }
    return status_make(STATUS_USAGE, "'%.40s' is no kind of synthetic set%s (there are %s)", value,
                       suggest_text(&suggestion, nearest), known);
}

Status set_option_images(const char *value, PictureSetRequest *set) {
    uint64_t number = 0;
    if (strcmp(value, "all") == 0) {
        set->images = 0;
        return status_ok();
    }
    STATUS_TRY(parse_count(value, 1, INT32_MAX, &number));
    set->images = (int32_t)number;
    return status_ok();
}

Status set_options_check(const char *command, const PictureSetRequest *set) {
    if ((set->path == NULL) == (set->synthetic == NULL)) {
        return status_make(
            STATUS_USAGE, "%s: name %s: an IDX file or a folder of pictures, or --synthetic KIND",
            command, set->path == NULL ? "a set of pictures" : "one set of pictures");
    }
    if (set->labels != NULL && set->synthetic != NULL) {
        return status_make(STATUS_USAGE, "--labels: synthetic sets have labels of their own");
    }
    return status_ok();
}
