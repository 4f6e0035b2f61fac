#include "curve_labels.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "text_list.h"
#include "utf8.h"

enum { STEM_SIZE = 256, LABEL_NAME_SIZE = 91 };

/* "lacunarity-brick-512" of "answers/lacunarity-brick-512-curve.csv". */
static void stem_of(const char *path, char stem[STEM_SIZE]) {
    static const char *const endings[] = {".csv", "-curve"};
    const char *slash = strrchr(path, '/');
    utf8_copy(stem, STEM_SIZE, slash != NULL ? slash + 1 : path);
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        const size_t length = strlen(stem);
        const size_t ending = strlen(endings[i]);
        if (length > ending && strcmp(stem + length - ending, endings[i]) == 0) {
            stem[length - ending] = '\0';
        }
    }
}

/* Letters at both ends that all names share, up to a '-' each. */
typedef struct Common {
    size_t head, tail;
} Common;

static size_t shared_head(const char *a, const char *b, size_t most) {
    size_t shared = 0;
    for (size_t i = 0; i < most && a[i] != '\0' && a[i] == b[i]; i++) {
        shared = a[i] == '-' ? i + 1 : shared;
    }
    return shared;
}

static size_t shared_tail(const char *a, const char *b, size_t most) {
    const size_t length_a = strlen(a);
    const size_t length_b = strlen(b);
    size_t shared = 0;
    for (size_t i = 1; i <= most && i <= length_a && i <= length_b; i++) {
        if (a[length_a - i] != b[length_b - i]) {
            break;
        }
        shared = a[length_a - i] == '-' ? i : shared;
    }
    return shared;
}

/* Of one name the algorithm stands apart, or all of it where thresholds tell its curves apart.
 * Names that are equal have nothing in common: their curves are told apart by their paths. */
static Common common_parts(const PathList *paths, bool by_threshold) {
    char first[STEM_SIZE], other[STEM_SIZE];
    stem_of(paths->paths[0], first);
    const char *dash = strchr(first, '-');
    if (paths->count == 1 && by_threshold) {
        return (Common){.head = strlen(first)};
    }
    if (paths->count == 1) {
        return (Common){.head = dash != NULL ? (size_t)(dash - first) + 1 : 0};
    }
    Common common = {strlen(first), strlen(first)};
    for (size_t i = 1; i < paths->count; i++) {
        stem_of(paths->paths[i], other);
        common.head = shared_head(first, other, common.head);
        common.tail = shared_tail(first, other, common.tail);
    }
    for (size_t i = 0; i < paths->count; i++) {
        stem_of(paths->paths[i], other);
        if (common.head + common.tail >= strlen(other)) {
            return (Common){.head = common.head};
        }
    }
    return common;
}

static bool has_equal_names(const PathList *paths) {
    char one[STEM_SIZE], two[STEM_SIZE];
    for (size_t i = 0; i < paths->count; i++) {
        for (size_t j = i + 1; j < paths->count; j++) {
            stem_of(paths->paths[i], one);
            stem_of(paths->paths[j], two);
            if (strcmp(one, two) == 0) {
                return true;
            }
        }
    }
    return false;
}

static bool has_several_thresholds(const CurveSet *set) {
    for (size_t i = 1; i < set->count; i++) {
        if (strcmp(set->curves[i].threshold, set->curves[0].threshold) != 0) {
            return true;
        }
    }
    return false;
}

/* "lacunarity, 512, box1..256, threshold128", to be parted: what all names have at their beginning
 * and end. */
static void make_title(const char *stem, Common common, char title[CURVE_TITLE_SIZE]) {
    const size_t length = strlen(stem);
    int used = 0;
    for (size_t i = 0; i < length && used + 3 < CURVE_TITLE_SIZE; i++) {
        const bool shared = i < common.head || i >= length - common.tail;
        const bool twice = stem[i] == '-' && i + 1 == common.head;
        if (shared && !(twice && common.tail > 0) && !(stem[i] == '-' && used == 0)) {
            used += snprintf(title + used, CURVE_TITLE_SIZE - (size_t)used,
                             stem[i] == '-' ? "%c " : "%c", stem[i] == '-' ? ',' : stem[i]);
        }
    }
    title[used] = '\0';
    utf8_trim(title, (size_t)used + 1);
    if (used > 1 && title[used - 1] == ' ') {
        title[used - 2] = '\0';
    }
}

/* "box paper" for "boxpaper": file names have no blank between an axis and its value. */
static void part_axis_names(char title[CURVE_TITLE_SIZE]) {
    static const char *const axes[] = {"box", "threshold"};
    char joined[CURVE_TITLE_SIZE];
    char *rest = joined;
    snprintf(joined, sizeof joined, "%s", title);
    title[0] = '\0';
    for (char *part = strtok_r(joined, ",", &rest); part != NULL;
         part = strtok_r(NULL, ",", &rest)) {
        part += *part == ' ' ? 1 : 0;
        size_t name = 0;
        for (size_t i = 0; i < sizeof axes / sizeof axes[0]; i++) {
            const size_t length = strlen(axes[i]);
            name = strncmp(part, axes[i], length) == 0 ? length : name;
        }
        text_append(title, CURVE_TITLE_SIZE, "%s%.*s%s%s", title[0] != '\0' ? ", " : "", (int)name,
                    part, name > 0 && part[name] != '\0' ? " " : "", part + name);
    }
}

static void make_label(const char *name, bool by_threshold, Curve *curve) {
    snprintf(curve->label, sizeof curve->label, "%.*s%s%s%s", (int)utf8_cut(name, LABEL_NAME_SIZE),
             name, by_threshold && name[0] != '\0' ? ", " : "", by_threshold ? "threshold " : "",
             by_threshold ? curve->threshold : "");
}

void curve_labels_make(const PathList *paths, CurveSet *set) {
    char stem[STEM_SIZE];
    const bool by_path = has_equal_names(paths);
    const bool by_threshold = has_several_thresholds(set);
    const Common common = common_parts(paths, by_threshold);
    stem_of(paths->paths[0], stem);
    make_title(stem, common, set->title);
    part_axis_names(set->title);
    for (size_t i = 0; i < set->count; i++) {
        const char *path = paths->paths[set->curves[i].file];
        stem_of(path, stem);
        stem[strlen(stem) - common.tail] = '\0';
        make_label(by_path ? path : stem + common.head, by_threshold, &set->curves[i]);
    }
}
