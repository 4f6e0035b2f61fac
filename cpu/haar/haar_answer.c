#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "haar_internal.h"
#include "resources.h"

/* === Order ==================================================================================== */

static int in_order(const void *a, const void *b) {
    const uint64_t first = *(const uint64_t *)a;
    const uint64_t second = *(const uint64_t *)b;
    return (first > second) - (first < second);
}

/* The fields of a record stand in this order, the first on top. */
uint64_t *haar_sorted_records(const uint64_t *records, size_t count) {
    uint64_t *sorted = malloc((count > 0 ? count : 1) * sizeof *sorted);
    if (sorted != NULL) {
        memcpy(sorted, records, count * sizeof *sorted);
        qsort(sorted, count, sizeof *sorted, in_order);
    }
    return sorted;
}

/* === Comparing ================================================================================ */

/*
 * Judging answers whose records are in any order.
 *
 * Equal answers are recognised by sums of two different mixes of each record, without sorting
 * either. Where they differ, both are sorted to say which record it is.
 */

enum { RECORD_TEXT_SIZE = 96 };

typedef struct Digest {
    uint64_t first, second;
} Digest;

/* Steps of a multiplication and a shift that each lose nothing. */
static uint64_t mix(uint64_t number, uint64_t factor) {
    number = (number ^ number >> 32) * factor;
    number = (number ^ number >> 29) * factor;
    return number ^ number >> 31;
}

static Digest digest(const uint64_t *records, size_t count) {
    uint64_t first = 0;
    uint64_t second = 0;
#pragma omp parallel for num_threads(thread_team_default()) schedule(static) reduction(+ : first, second)
    for (size_t i = 0; i < count; i++) {
        first += mix(records[i], UINT64_C(0xD6E8FEB86659FD93));
        second += mix(~records[i], UINT64_C(0x9E3779B97F4A7C15));
    }
    return (Digest){first, second};
}

/* Records of an answer that were stored. */
static size_t records_in(const Output *output) {
    const uint64_t count = *haar_count(output);
    return count < haar_capacity(output) ? (size_t)count : haar_capacity(output);
}

static bool are_equal(const Output *got, const Output *want) {
    const size_t count = records_in(want);
    if (*haar_count(got) != *haar_count(want) || records_in(got) != count) {
        return false;
    }
    const Digest a = digest(haar_records(got), count);
    const Digest b = digest(haar_records(want), count);
    return a.first == b.first && a.second == b.second;
}

uint64_t haar_digest(const Output *answer) {
    const Digest records = digest(haar_records(answer), records_in(answer));
    return mix(records.first ^ *haar_count(answer), UINT64_C(0xD6E8FEB86659FD93)) + records.second;
}

/* --- What differs ----------------------------------------------------------------------------- */

/* Two sorted lists of records, and how far a walk through both has come. */
typedef struct Walk {
    const uint64_t *got, *want;
    size_t got_count, want_count;
    size_t g, w;
} Walk;

/* Goes on to where the lists differ, and returns how many records they had in common. */
static size_t walk_common(Walk *walk) {
    const size_t began = walk->g;
    while (walk->g < walk->got_count && walk->w < walk->want_count &&
           walk->got[walk->g] == walk->want[walk->w]) {
        walk->g++;
        walk->w++;
    }
    return walk->g - began;
}

/* Whether the walk, which stands at a difference, stands at a record that should not be there. */
static bool at_extra(const Walk *walk) {
    return walk->w == walk->want_count ||
           (walk->g < walk->got_count && walk->got[walk->g] < walk->want[walk->w]);
}

static size_t count_common(Walk walk) {
    size_t common = walk_common(&walk);
    while (walk.g < walk.got_count || walk.w < walk.want_count) {
        if (at_extra(&walk)) {
            walk.g++;
        } else {
            walk.w++;
        }
        common += walk_common(&walk);
    }
    return common;
}

static void describe_record(const HaarRecord *record, char text[RECORD_TEXT_SIZE]) {
    const HaarFeature f = record->feature;
    snprintf(text, RECORD_TEXT_SIZE, "image %" PRIu32 ", %s at (%d, %d), %d×%d", record->image,
             f.type < HAAR_TYPES ? haar_type_names[f.type] : "no type", f.x, f.y, f.w, f.h);
}

static void describe_value(const HaarPacking *packing, uint64_t got, uint64_t want, char *why,
                           size_t size) {
    const HaarRecord has = haar_unpack(packing, got);
    const HaarRecord expected = haar_unpack(packing, want);
    char text[RECORD_TEXT_SIZE];
    describe_record(&has, text);
    snprintf(why, size, "%s has value %" PRId32 ", expected %" PRId32, text, has.value,
             expected.value);
}

static void describe_one(const HaarPacking *packing, uint64_t record, const char *what, char *why,
                         size_t size) {
    const HaarRecord told = haar_unpack(packing, record);
    char text[RECORD_TEXT_SIZE];
    describe_record(&told, text);
    snprintf(why, size, "%s, value %" PRId32 " %s", text, told.value, what);
}

/* The first difference. */
static void describe(const HaarPacking *packing, Walk walk, char *why, size_t size) {
    walk_common(&walk);
    const bool got_left = walk.g < walk.got_count;
    const bool want_left = walk.w < walk.want_count;
    if (got_left && want_left &&
        walk.got[walk.g] >> packing->value_bits == walk.want[walk.w] >> packing->value_bits) {
        describe_value(packing, walk.got[walk.g], walk.want[walk.w], why, size);
    } else if (got_left && at_extra(&walk)) {
        describe_one(packing, walk.got[walk.g], "should not be there", why, size);
    } else if (want_left) {
        describe_one(packing, walk.want[walk.w], "is missing", why, size);
    }
}

static void describe_difference(const Output *want, const Walk *walk, Verdict *verdict) {
    const HaarPacking packing =
        haar_packing_of_format(want->layout.parts[HAAR_PART_RECORDS].format);
    const size_t most = walk->got_count > walk->want_count ? walk->got_count : walk->want_count;
    verdict->agreement = most == 0 ? 1 : (double)count_common(*walk) / (double)most;
    describe(&packing, *walk, verdict->why, sizeof verdict->why);
}

static void compare_sorted(const Output *got, const Output *want, Verdict *verdict) {
    const size_t got_count = records_in(got);
    const size_t want_count = records_in(want);
    uint64_t *got_sorted = haar_sorted_records(haar_records(got), got_count);
    uint64_t *want_sorted = haar_sorted_records(haar_records(want), want_count);
    if (got_sorted == NULL || want_sorted == NULL) {
        snprintf(verdict->why, sizeof verdict->why, "no memory to sort them and say which differ");
    } else {
        const Walk walk = {.got = got_sorted,
                           .want = want_sorted,
                           .got_count = got_count,
                           .want_count = want_count};
        describe_difference(want, &walk, verdict);
    }
    free(got_sorted);
    free(want_sorted);
}

void haar_compare(const Output *got, const Output *want, Verdict *verdict) {
    verdict->accepted = are_equal(got, want);
    verdict->agreement = 1;
    if (verdict->accepted) {
        return;
    }
    verdict->agreement = 0;
    snprintf(verdict->why, sizeof verdict->why, "those that there was room for are right");
    compare_sorted(got, want, verdict);
    if (*haar_count(got) != *haar_count(want)) {
        char first[sizeof verdict->why];
        snprintf(first, sizeof first, "%s", verdict->why);
        snprintf(verdict->why, sizeof verdict->why,
                 "%" PRIu64 " records, expected %" PRIu64 ": %.100s", *haar_count(got),
                 *haar_count(want), first);
    }
}

/* === Files ==================================================================================== */

/* Answers of haar as files. */

static Status write_records(FILE *stream, const Output *output) {
    const OutputPart *part = &output->layout.parts[HAAR_PART_RECORDS];
    const HaarPacking packing = haar_packing_of_format(part->format);
    uint64_t *sorted = haar_sorted_records(haar_records(output), part->width);
    if (sorted == NULL) {
        return status_no_memory("to sort %zu records", part->width);
    }
    fputs("image,type,x,y,w,h,value\n", stream);
    for (size_t i = 0; i < part->width; i++) {
        const HaarRecord record = haar_unpack(&packing, sorted[i]);
        const HaarFeature f = record.feature;
        fprintf(stream, "%" PRIu32 ",%s,%d,%d,%d,%d,%" PRId32 "\n", record.image,
                haar_type_names[f.type], f.x, f.y, f.w, f.h, record.value);
    }
    free(sorted);
    return status_ok();
}

Status haar_write_part(FILE *stream, const Workload *workload, const Point *answer,
                       const Output *output, size_t part) {
    (void)workload;
    (void)answer;
    if (part == HAAR_PART_RECORDS) {
        return write_records(stream, output);
    }
    fprintf(stream, "bin,count\n0,%" PRIu64 "\n", *haar_count(output));
    return status_ok();
}
