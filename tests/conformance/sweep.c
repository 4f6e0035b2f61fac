#include "sweep.h"

#include <stdio.h>
#include <string.h>

enum { LARGE_PIXELS = 8192 };

/* Copies the word before the next comma and moves behind it; false at the end. */
static bool next_word(const char **list, char *word, size_t size) {
    const size_t length = strcspn(*list, ",");
    if (length == 0) {
        return false;
    }
    snprintf(word, size, "%.*s", (int)length, *list);
    *list += length;
    *list += **list == ',' ? 1 : 0;
    return true;
}

static bool add_shape(Shape shape, CaseSweep *sweep) {
    const bool fits = sweep->shape_count < SWEEP_SHAPES_MAX && shape.width > 0 && shape.height > 0;
    if (fits) {
        sweep->shapes[sweep->shape_count++] = shape;
    }
    return fits;
}

static bool add_set_shape(SetShape shape, CaseSweep *sweep) {
    const bool fits = sweep->set_shape_count < SWEEP_SHAPES_MAX && shape.count > 0 &&
                      shape.width > 0 && shape.height > 0;
    if (fits) {
        sweep->set_shapes[sweep->set_shape_count++] = shape;
    }
    return fits;
}

static bool parse_shapes(const char *list, CaseSweep *sweep) {
    char word[32];
    sweep->shape_count = sweep->set_shape_count = 0;
    while (next_word(&list, word, sizeof word)) {
        int a = 0;
        int b = 0;
        int c = 0;
        const int numbers = sscanf(word, "%dx%dx%d", &a, &b, &c);
        const bool taken = numbers == 3   ? add_set_shape((SetShape){a, b, c}, sweep)
                           : numbers == 2 ? add_shape((Shape){a, b}, sweep)
                                          : false;
        if (!taken) {
            printf("--shapes takes at most %d of the form WxH, or of sets NxWxH, not '%s'\n",
                   SWEEP_SHAPES_MAX, word);
            return false;
        }
    }
    return sweep->shape_count + sweep->set_shape_count > 0;
}

/* A content of images, of sets, or of both. */
static bool add_content(const char *word, CaseSweep *sweep) {
    bool known = false;
    for (int i = 0; i < CONTENT_COUNT; i++) {
        if (strcmp(case_content_name((CaseContent)i), word) == 0 &&
            sweep->content_count < CONTENT_COUNT) {
            sweep->contents[sweep->content_count++] = (CaseContent)i;
            known = true;
        }
    }
    for (int i = 0; i < SET_CONTENT_COUNT; i++) {
        if (strcmp(set_case_content_name((SetContent)i), word) == 0 &&
            sweep->set_content_count < SET_CONTENT_COUNT) {
            sweep->set_contents[sweep->set_content_count++] = (SetContent)i;
            known = true;
        }
    }
    return known;
}

static bool parse_contents(const char *list, CaseSweep *sweep) {
    char word[32];
    sweep->contents_named = true;
    sweep->content_count = sweep->set_content_count = 0;
    while (next_word(&list, word, sizeof word)) {
        if (!add_content(word, sweep)) {
            printf("--contents does not know '%s', or takes fewer\n", word);
            return false;
        }
    }
    return sweep->content_count + sweep->set_content_count > 0;
}

static bool parse_answer(const char *text, CaseSweep *sweep) {
    const size_t length = strcspn(text, "=");
    Setting *setting = &sweep->answers.list[sweep->answers.count];
    if (text[length] == '\0' || length >= sizeof setting->axis ||
        sweep->answers.count == POINT_AXES_MAX) {
        printf("--answer takes NAME=LIST, at most %d times, not '%s'\n", POINT_AXES_MAX, text);
        return false;
    }
    snprintf(setting->axis, sizeof setting->axis, "%.*s", (int)length, text);
    setting->list = text + length + 1;
    sweep->answers.count++;
    return true;
}

static bool parse_value(const char *option, const char *value, CaseSweep *sweep) {
    if (strcmp(option, "--backend") == 0) {
        sweep->backend = value;
    } else if (strcmp(option, "--only") == 0) {
        sweep->only = value;
    } else if (strcmp(option, "--except") == 0) {
        sweep->except = value;
    } else if (strcmp(option, "--answer") == 0) {
        return parse_answer(value, sweep);
    } else if (strcmp(option, "--shapes") == 0) {
        return parse_shapes(value, sweep);
    } else if (strcmp(option, "--contents") == 0) {
        return parse_contents(value, sweep);
    } else {
        printf("there is no option %s\n", option);
        return false;
    }
    return true;
}

static void take_usual_sets(CaseSweep *sweep) {
    if (sweep->set_shape_count == 0) {
        const SetShape *shapes = NULL;
        sweep->set_shape_count = set_case_shapes(&shapes);
        memcpy(sweep->set_shapes, shapes, sweep->set_shape_count * sizeof *shapes);
    }
    if (sweep->set_content_count == 0) {
        for (int content = 0; content < SET_CONTENT_COUNT; content++) {
            sweep->set_contents[sweep->set_content_count++] = (SetContent)content;
        }
    }
}

static void take_usual_images(CaseSweep *sweep) {
    if (sweep->shape_count == 0) {
        const Shape *shapes = NULL;
        sweep->shape_count = case_shapes(sweep->quick, &shapes);
        memcpy(sweep->shapes, shapes, sweep->shape_count * sizeof *shapes);
    }
    if (sweep->content_count == 0) {
        for (int content = 0; content < CONTENT_COUNT; content++) {
            sweep->contents[sweep->content_count++] = (CaseContent)content;
        }
    }
}

bool sweep_parse(int argc, char **argv, CaseSweep *sweep) {
    *sweep = (CaseSweep){.backend = "cpu"};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--quick") == 0) {
            sweep->quick = true;
        } else if (strcmp(argv[i], "--wide") == 0) {
            sweep->wide = true;
        } else if (i + 1 == argc) {
            printf("%s is not an option or lacks its value\n", argv[i]);
            return false;
        } else if (!parse_value(argv[i], argv[i + 1], sweep)) {
            return false;
        } else {
            i++;
        }
    }
    take_usual_images(sweep);
    take_usual_sets(sweep);
    return true;
}

static bool list_names(const char *list, const char *algorithm, const char *variant) {
    char name[64];
    char word[64];
    snprintf(name, sizeof name, "%s/%s", algorithm, variant);
    while (next_word(&list, word, sizeof word)) {
        if (strcmp(word, algorithm) == 0 || strcmp(word, name) == 0) {
            return true;
        }
    }
    return false;
}

bool sweep_selects(const CaseSweep *sweep, const Algorithm *algorithm, const Variant *variant) {
    return strcmp(variant->backend->name, sweep->backend) == 0 &&
           (sweep->only == NULL || list_names(sweep->only, algorithm->name, variant->name)) &&
           (sweep->except == NULL || !list_names(sweep->except, algorithm->name, variant->name));
}

bool sweep_is_large(Shape shape) {
    return (int64_t)shape.width * shape.height > LARGE_PIXELS;
}

bool sweep_tries_image(const CaseSweep *sweep, const Variant *variant, bool is_oracle, Shape shape,
                       CaseContent content) {
    const bool exact = variant->compare == NULL;
    return (sweep->contents_named || exact == (content != CONTENT_TEXTURE)) &&
           !(is_oracle && sweep_is_large(shape));
}

static bool takes_one_answer(const CaseSweep *sweep, const SweepCase *at) {
    return sweep->quick || at->large;
}

bool sweep_tries(const CaseSweep *sweep, const SweepCase *at, size_t answers) {
    if (sweep->wide) {
        return (at->answer + at->shape) % at->contents == at->content &&
               (!sweep->quick || at->answer % at->shapes == at->shape);
    }
    /* Different steps, so that neither a shape nor a content always meets the same points. */
    return !takes_one_answer(sweep, at) || (at->shape + 5 * at->content) % answers == at->answer;
}

bool sweep_tries_tuning(const CaseSweep *sweep, const SweepCase *at, size_t answers, size_t tuning,
                        size_t tunings) {
    if (answers == 1 || (!sweep->wide && takes_one_answer(sweep, at))) {
        return true;
    }
    return (at->answer / at->contents + at->answer + at->shape + at->content) % tunings == tuning;
}
