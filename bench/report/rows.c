/* What is asked of groups of rows, points and lists of names. */

#include "report_internal.h"

#include <math.h>
#include <string.h>

#include "axis.h"
#include "text.h"
#include "variant.h"

void point_words(const Point *point, unsigned axes, char *text, size_t size) {
    text[0] = '\0';
    for (size_t i = 0; i < point->count; i++) {
        if ((axes >> i & 1) != 0) {
            text_append(text, size, "%s%s %s", text[0] != '\0' ? ", " : "", point->axes[i]->name,
                        point->values[i].text);
        }
    }
}

bool name_list_has(const char *list, const char *name) {
    const size_t length = strlen(name);
    for (const char *found = strstr(list, name); found != NULL; found = strstr(found + 1, name)) {
        const bool begins = found == list || found[-1] == ' ';
        if (begins && (found[length] == '\0' || found[length] == ',')) {
            return true;
        }
    }
    return false;
}

void name_list_add(char *list, size_t size, const char *name) {
    if (!name_list_has(list, name)) {
        text_append(list, size, "%s%s", list[0] != '\0' ? ", " : "", name);
    }
}

const Row *group_largest(const RunGroup *group) {
    const Row *largest = NULL;
    for (size_t i = 0; i < group->count; i++) {
        const Row *row = group->rows[i];
        if (isfinite(row_seconds(row, TIME_KERNEL)) &&
            (largest == NULL || row_size(row) > row_size(largest))) {
            largest = row;
        }
    }
    return largest;
}

bool group_has_time(const RunGroup *group, const Variant *variant) {
    for (size_t i = 0; i < group->count; i++) {
        if (group->rows[i]->variant == variant &&
            isfinite(row_seconds(group->rows[i], TIME_KERNEL))) {
            return true;
        }
    }
    return false;
}
