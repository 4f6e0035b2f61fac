/* The summary in words: for each algorithm what was measured, what is fastest at the largest size,
 * and where the GPU gets ahead, or does not. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "group_crossover.h"
#include "overview_parts.h"
#include "overview_table.h"
#include "significant.h"
#include "size_best.h"
#include "text_list.h"

enum { WORDS_SIZE = 1024 };

/* ", 36.8 times as fast as omp/threads:16 (95% interval 36.2 to 37.1)"; nothing for what is not
 * known and for a row over itself. */
static void append_ratio(const Row *row, SpeedupOver over, TimeKind kind, const char *before,
                         const char *of, char *text) {
    const Ratio ratio = row_ratio(row, over, kind);
    char number[SIGNIFICANT_SIZE];
    char ends[OVERVIEW_TEXT_SIZE];
    if (!isfinite(ratio.value) || (ratio.value == 1.0 && ratio.low == ratio.high)) {
        return;
    }
    significant_text(ratio.value, OVERVIEW_DIGITS, number);
    interval_text(ratio.low, ratio.high, ends);
    text_append(text, WORDS_SIZE, "%s%s times as fast as %s%s", before, number, of,
                over == OVER_SEQ ? "seq on one thread" : row->best_cpu);
    if (ends[0] != '\0') {
        text_append(text, WORDS_SIZE, " (95%% interval %s)", ends);
    }
}

static void append_label(const Row *row, char *text) {
    char label[RESULT_LABEL_SIZE];
    variant_label(row->variant, &row->tuning, label, sizeof label);
    text_append(text, WORDS_SIZE, "%s", label);
}

static void append_time(const Row *row, TimeKind kind, char *text) {
    char time[OVERVIEW_TEXT_SIZE];
    seconds_text(row_seconds(row, kind), time);
    text_append(text, WORDS_SIZE, "%s", time);
}

/* "; the best GPU variant, cuda_streamed, takes 5.85 ms and is 0.58 times as fast …" */
static void append_loser(const Row *device, TimeKind kind, char *text) {
    if (device == NULL) {
        return;
    }
    text_append(text, WORDS_SIZE, "; the best GPU variant, ");
    append_label(device, text);
    text_append(text, WORDS_SIZE, ", takes ");
    append_time(device, kind, text);
    append_ratio(device, OVER_BEST_CPU, kind, " and is ", "", text);
    text_append(text, WORDS_SIZE, ": the GPU does not win here");
}

static void append_kernel(const SizeBest *best, char *text) {
    const Row *fastest = best->fastest[TIME_KERNEL];
    append_label(fastest, text);
    text_append(text, WORDS_SIZE, " has the fastest kernel with ");
    append_time(fastest, TIME_KERNEL, text);
    append_ratio(fastest, OVER_SEQ, TIME_KERNEL, ", ", "", text);
    if (row_is_on_cpu(fastest)) {
        append_loser(best->device[TIME_KERNEL], TIME_KERNEL, text);
    } else {
        append_ratio(fastest, OVER_BEST_CPU, TIME_KERNEL,
                     isfinite(fastest->speedup) ? " and " : ", ", "the best CPU variant, ", text);
    }
    if (best->cpu[TIME_KERNEL] == NULL) {
        text_append(text, WORDS_SIZE, "; no CPU variant has a time to compare with");
    } else if (!isfinite(fastest->speedup)) {
        text_append(text, WORDS_SIZE, "; seq has no time here");
    }
    text_append(text, WORDS_SIZE, ".");
}

static void append_whole(const Overview *overview, const SizeBest *best, char *text) {
    const Row *fastest = best->fastest[TIME_END_TO_END];
    char value[8];
    if (fastest == NULL || best->device[TIME_END_TO_END] == NULL) {
        return;
    }
    text_append(text, WORDS_SIZE, " End to end, %s memory and back, ",
                run_argument(overview->run, "--pinned", value, sizeof value) ? "from page-locked"
                                                                             : "from ordinary");
    append_label(fastest, text);
    text_append(text, WORDS_SIZE, " is fastest with ");
    append_time(fastest, TIME_END_TO_END, text);
    if (row_is_on_cpu(fastest)) {
        append_loser(best->device[TIME_END_TO_END], TIME_END_TO_END, text);
    } else {
        append_ratio(fastest, OVER_BEST_CPU, TIME_END_TO_END, ", ", "the best CPU variant, ", text);
    }
    text_append(text, WORDS_SIZE, ".");
}

static void append_crossover(const Overview *overview, const RunGroup *group, char *text) {
    char kernel[OVERVIEW_TEXT_SIZE * 3];
    char whole[OVERVIEW_TEXT_SIZE * 3];
    size_t kernel_sizes;
    size_t whole_sizes;
    crossover_phrase(overview, group, NULL, TIME_KERNEL, kernel, sizeof kernel, &kernel_sizes);
    crossover_phrase(overview, group, NULL, TIME_END_TO_END, whole, sizeof whole, &whole_sizes);
    if (kernel_sizes < 2 || whole_sizes < 2) {
        return; /* one size has been told about */
    }
    text_append(text, WORDS_SIZE,
                " The fastest GPU variant is ahead of the fastest CPU variant by kernel time: %s; "
                "end to end: %s.",
                kernel, whole);
}

static void add_group(const Overview *overview, const Family *family, const RunGroup *group) {
    SizeBest *sizes;
    size_t count;
    if (!overview_check(overview, size_best_find(group, &sizes, &count)) || count == 0) {
        return;
    }
    char text[WORDS_SIZE];
    char words[OVERVIEW_TEXT_SIZE];
    char answer[POINT_AXES_MAX * 2 * AXIS_TEXT_SIZE];
    const SizeBest *largest = &sizes[count - 1];
    size_words(largest->fastest[TIME_KERNEL], words);
    answer_words(family, group, true, answer, sizeof answer);
    snprintf(text, sizeof text, "At %s%s%.300s, ", words, answer[0] != '\0' ? " with " : "",
             answer);
    append_kernel(largest, text);
    append_whole(overview, largest, text);
    append_crossover(overview, group, text);
    document_add(overview->document, BLOCK_PARAGRAPH, "%s", text);
    free(sizes);
}

/* --- What was measured --------------------------------------------------------------------------
 */

/* "seq, simd and omp on the CPU": variants with a verified time in some group, those on the CPU or
 * the others. */
static void append_variants(const Family *family, bool cpu, const char *processor, char *text) {
    const Variant *named[VARIANTS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < family->count; i++) {
        for (size_t j = 0; j < family->groups[i]->count; j++) {
            const Row *row = family->groups[i]->rows[j];
            size_t place = 0;
            while (place < count && named[place] != row->variant) {
                place++;
            }
            if (place == count && count < VARIANTS_MAX && row_is_on_cpu(row) == cpu &&
                isfinite(row_seconds(row, TIME_KERNEL))) {
                named[count++] = row->variant;
            }
        }
    }
    for (size_t i = 0; i < count; i++) {
        text_append(text, WORDS_SIZE, "%s%s",
                    i == 0           ? ""
                    : i + 1 == count ? " and "
                                     : ", ",
                    named[i]->name);
    }
    if (count > 0) {
        text_append(text, WORDS_SIZE, " on the %s", processor);
    } else {
        text_append(text, WORDS_SIZE, "no %s variant has a time", cpu ? "CPU" : "GPU");
    }
}

/* Smallest and largest of the family, and how many there are. */
static void append_sizes(const Overview *overview, const Family *family, char *text) {
    const Row *least = NULL;
    const Row *most = NULL;
    size_t number = 0;
    for (size_t i = 0; i < family->count; i++) {
        SizeBest *sizes;
        size_t count;
        if (!overview_check(overview, size_best_find(family->groups[i], &sizes, &count)) ||
            count == 0) {
            continue;
        }
        const Row *first = sizes[0].fastest[TIME_KERNEL];
        const Row *last = sizes[count - 1].fastest[TIME_KERNEL];
        least = least == NULL || row_size(first) < row_size(least) ? first : least;
        most = most == NULL || row_size(last) > row_size(most) ? last : most;
        number = count > number ? count : number;
        free(sizes);
    }
    char from[OVERVIEW_TEXT_SIZE];
    char to[OVERVIEW_TEXT_SIZE];
    if (most == NULL) {
        return;
    }
    size_words(most, to);
    if (row_is_picture(least)) {
        size_words(least, from);
    } else {
        size_short(least, from); /* the unit is said once */
    }
    if (number == 1 && row_size(least) == row_size(most)) {
        text_append(text, WORDS_SIZE, " at one size, %s", to);
    } else {
        text_append(text, WORDS_SIZE, " at %zu sizes, %s to %s", number, from, to);
    }
}

static const char *device_name(const Overview *overview) {
    const Fact *fact = machine_fact(&overview->run->stored->machine, "gpu_model");
    return fact != NULL ? fact->text : "GPU";
}

static const char *processor_name(const Overview *overview) {
    const Fact *fact = machine_fact(&overview->run->stored->machine, "cpu_model");
    return fact != NULL ? fact->text : "CPU";
}

static void add_measured(const Overview *overview, const Family *family) {
    char text[WORDS_SIZE] = "";
    char answer[POINT_AXES_MAX * 2 * AXIS_TEXT_SIZE];
    family_name(family, text, sizeof text);
    answer_words(family, family->groups[0], false, answer, sizeof answer);
    if (answer[0] != '\0') {
        text_append(text, WORDS_SIZE, ", %.300s,", answer);
    }
    append_sizes(overview, family, text);
    if (family->count > 1) {
        text_append(text, WORDS_SIZE, ", and %zu answer points", family->count);
    }
    text_append(text, WORDS_SIZE, ": ");
    append_variants(family, true, processor_name(overview), text);
    text_append(text, WORDS_SIZE, "; ");
    append_variants(family, false, device_name(overview), text);
    text_append(text, WORDS_SIZE, ".");
    document_add(overview->document, BLOCK_PARAGRAPH, "%s", text);
}

static bool has_times(const Family *family) {
    for (size_t i = 0; i < family->count; i++) {
        if (group_largest(family->groups[i]) != NULL) {
            return true;
        }
    }
    return false;
}

void overview_words(const Overview *overview) {
    if (overview->count == 0) {
        document_add(overview->document, BLOCK_WARNING, "This run has no cells.");
    }
    for (size_t i = 0; i < overview->count; i++) {
        const Family *family = &overview->families[i];
        char name[256];
        family_name(family, name, sizeof name);
        if (!has_times(family)) {
            document_add(overview->document, BLOCK_WARNING,
                         "%s: no cell has a verified time; the reasons are below.", name);
            continue;
        }
        add_measured(overview, family);
        for (size_t j = 0; j < family->count; j++) {
            if (family_shows(family, j)) {
                add_group(overview, family, family->groups[j]);
            }
        }
    }
}
