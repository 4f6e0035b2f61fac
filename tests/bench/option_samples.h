/* Values that the options of all commands take, drawn at random. */
#ifndef TESTS_BENCH_OPTION_SAMPLES_H
#define TESTS_BENCH_OPTION_SAMPLES_H

#include <inttypes.h>

#include "arguments.h"
#include "options.h"
#include "random.h"
#include "test.h"
#include "text.h"

enum { SAMPLE_SIZE = 128 };

/* Of options with a `handle`: what some of them take. Axes take numbers. */
static const struct {
    const char *name, *values[4];
} handled_samples[] = {
    {"algo", {"lbp", "lacunarity", "all", "lbp,haar"}},
    {"sizes", {"1080p", "all", "4k,640X480,native", "32K,all"}},
    {"variants", {"seq", "all", "omp,simd", "cuda_fast,seq"}},
    {"synthetic", {"noise", "texture", "flat", "checker"}},
    {"budget", {"60", "none", "500ms", "2min"}},
    {"pass", {"1/1", "1/6", "1/64", "1/2"}},
    {"shard", {"1/1", "2/3", "7/9", "1/40"}},
    {"price", {"gpu=3.2,cpu=0.8", "gpu=1,cpu=1", "cpu=0.1,gpu=0.2", "gpu=3,cpu=1"}},
    {"color", {"never", "never", "never", "never"}},
    {"plugin", {"a.so", "./b.so", "c.so", "d.so"}},
    {"range", {"1:100", "x=1:2", "x=1e5:1e8,y=1:", "y=2:3"}},
    {"width", {"85mm", "3.5in", "ieee", "acm"}},
    {"font", {"Times,9", "Arial", "7", "Times,7.5"}},
    {"format", {"table", "markdown", "github", "json"}},
    {"device", {"all", "7", "0", "1"}},
    {"images", {"all", "1000", "1", "60000"}},
    {"keypoints-file", {"a.csv", "b.csv", "c", "d"}},
    {"methods", {"hashsift", "bad", "hashsift,bad", "bad,hashsift"}},
    {"rotate", {"0", "0,90", "30", "45,60"}},
    {"model", {"first", "all", "a.model", "b.model"}},
};

/* A run takes 16 axes at once, and each is drawn twice at most. */
enum { SAMPLE_AXES_MOST = 8 };

static inline bool sample_is_axis(const Option *row) {
    return row->group != NULL && strncmp(row->group, "Axes", 4) == 0;
}

static inline const char *sample_of_handled(const Option *row, Random *random) {
    const char *name = row->name != NULL ? row->name : "algo";
    static const char *const numbers[] = {"1", "2,4", "8", "1..3"};
    if (strcmp(row->argument, "NAME") == 0) {
        return "lacunarity"; /* the one that has curves */
    }
    for (size_t i = 0; i < sizeof handled_samples / sizeof handled_samples[0]; i++) {
        if (strcmp(handled_samples[i].name, name) == 0) {
            return handled_samples[i].values[random_bits(random) % 4];
        }
    }
    return numbers[random_bits(random) % 4];
}

/* Letters, and what a shell or a parser might take for something else. */
static inline void sample_text(const Option *row, Random *random, char text[SAMPLE_SIZE]) {
    static const char letters[] = "abz09 -=,'\"$\\%/.\xc3\xa9";
    const size_t length = 1 + random_bits(random) % 12;
    for (size_t i = 0; i < length; i++) {
        text[i] = letters[random_bits(random) % (sizeof letters - 1)];
    }
    text[length] = '\0';
    if (row->name == NULL && row->kind != OPTION_REST) {
        text[0] = 'w'; /* a word is no option */
    }
}

static inline void sample_words(const Option *row, Random *random, char text[SAMPLE_SIZE]) {
    size_t count = 0;
    while (row->words[count] != NULL) {
        count++;
    }
    const size_t words = row->kind == OPTION_WORDS ? 1 + random_bits(random) % 3 : 1;
    text[0] = '\0';
    for (size_t i = 0; i < words; i++) {
        text_append(text, SAMPLE_SIZE, "%s%s", i > 0 ? "," : "",
                    row->words[random_bits(random) % count]);
    }
}

static inline uint64_t sample_number(const Option *row, Random *random) {
    const uint64_t range = row->most - row->least + 1;
    return range == 0 ? random_bits(random) : row->least + random_bits(random) % range;
}

/* A value that the parser takes. */
static inline void sample_value(const Option *row, Random *random, char text[SAMPLE_SIZE]) {
    static const char *const units[] = {"", "us", "ms", "s", "min"};
    switch (row->kind) {
    case OPTION_SET:
    case OPTION_CLEAR: text[0] = '\0'; break;
    case OPTION_INT:
    case OPTION_WHOLE: snprintf(text, SAMPLE_SIZE, "%" PRIu64, sample_number(row, random)); break;
    case OPTION_REAL:
        snprintf(text, SAMPLE_SIZE, "%.17f",
                 (double)row->least + random_unit(random) * (double)(row->most - row->least));
        break;
    case OPTION_DURATION:
    case OPTION_PAUSE:
        snprintf(text, SAMPLE_SIZE, "%.*f%s", (int)(random_bits(random) % 20),
                 1 + 1000 * random_unit(random), units[random_bits(random) % 5]);
        break;
    case OPTION_RATIO:
    case OPTION_SHARE:
        if (random_bits(random) % 2 == 0) {
            snprintf(text, SAMPLE_SIZE, "%.*f%%", (int)(random_bits(random) % 16),
                     1 + 98 * random_unit(random));
        } else {
            snprintf(text, SAMPLE_SIZE, "%.20f", random_unit(random));
        }
        break;
    case OPTION_WORD:
    case OPTION_CHOICE:
    case OPTION_WORDS: sample_words(row, random, text); break;
    case OPTION_HANDLED:
        snprintf(text, SAMPLE_SIZE, "%s",
                 row->argument != NULL ? sample_of_handled(row, random) : "");
        break;
    default: sample_text(row, random, text); break;
    }
}

/* Appends the option, or the word, with the value. */
static inline void sample_add(const Option *row, const char *value, ArgumentList *list) {
    char text[2 * SAMPLE_SIZE];
    if (row->name == NULL) {
        assert_ok(argument_list_add(list, value));
        return;
    }
    const bool valued = row->argument != NULL;
    snprintf(text, sizeof text, "--%s%s%s", row->name, valued ? "=" : "", valued ? value : "");
    assert_ok(argument_list_add(list, text));
}

#endif
