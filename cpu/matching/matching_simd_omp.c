/* matching on one thread (simd) and on all processors (omp): the same work with teams of 1 and of
 * --threads. */
#include <stdlib.h>
#include <string.h>

#include "matching_internal.h"

/* === Rows of B for kernels ==================================================================== */

enum {
    BLOCKS_AT_ONCE = 2,           /* of those of a vector kernel, at most */
    ALL_BYTES_OF_127 = 0x7F7F7F7F /* 127 - b in two's complement is b with these bits flipped */
};

/* Rows of B with those that fill the last blocks. */
static size_t matching_padded_rows(const MatchingWork *work) {
    const size_t grain = (size_t)work->kernel->lanes * BLOCKS_AT_ONCE;
    return ((size_t)work->sets.b_count + grain - 1) / grain * grain;
}

static bool takes_products(const MatchingWork *work) {
    return work->kernel->products && work->sets.distance == MATCHING_L2;
}

/* One row of B into its lane. */
static void pack_row(const MatchingWork *work, size_t place, const uint8_t *row) {
    const size_t lanes = (size_t)work->kernel->lanes;
    const size_t words = (size_t)work->sets.bytes / sizeof(uint32_t);
    const uint32_t flip = takes_products(work) ? ALL_BYTES_OF_127 : 0;
    uint32_t *to = work->b_words + place / lanes * lanes * words + place % lanes;
    for (size_t w = 0; w < words; w++) {
        uint32_t word = 0;
        memcpy(&word, row + w * sizeof word, sizeof word);
        to[w * lanes] = word ^ flip;
    }
}

/* Σv² + factor · Σv of a row's bytes v, where it stands in a key; modulo 2^32. */
static uint32_t offset_of(const MatchingWork *work, const uint8_t *row, uint32_t factor) {
    uint32_t sum = 0;
    if (takes_products(work)) {
        for (int32_t i = 0; i < work->sets.bytes; i++) {
            sum += row[i] * (row[i] + factor);
        }
    }
    return sum << MATCHING_INDEX_BITS;
}

/* Fills b_words, a_offsets and b_offsets. All threads of a team call it, and share the work. */
static void matching_pack(const MatchingWork *work) {
    const MatchingSets *sets = &work->sets;
    const size_t padded = matching_padded_rows(work);
#pragma omp for schedule(static)
    for (int32_t i = 0; i < sets->a_count; i++) {
        work->a_offsets[i] = offset_of(work, sets->a + (size_t)i * sets->stride, (uint32_t)-254);
    }
#pragma omp for schedule(static)
    for (size_t i = 0; i < padded; i++) {
        const size_t last = (size_t)sets->b_count - 1;
        const uint8_t *row = sets->b + (i < last ? i : last) * sets->stride;
        pack_row(work, i, row);
        work->b_offsets[i] = offset_of(work, row, 0);
    }
}

/* === Stages =================================================================================== */

static Status take(size_t count, size_t size, void **memory) {
    return cpu_backend.alloc(count * size + size, memory);
}

static Status take_memory(MatchingWork *work) {
    const MatchingSets *sets = &work->sets;
    const size_t padded = matching_padded_rows(work);
    const size_t a_count = (size_t)sets->a_count;
    STATUS_TRY(take(padded, (size_t)sets->bytes, (void **)&work->b_words));
    STATUS_TRY(take(a_count, sizeof *work->a_offsets, (void **)&work->a_offsets));
    STATUS_TRY(take(padded, sizeof *work->b_offsets, (void **)&work->b_offsets));
    STATUS_TRY(take(a_count, sizeof *work->a_nearest, (void **)&work->a_nearest));
    return thread_memory_open(work->threads, (size_t)sets->b_count * sizeof(Nearest),
                              &work->b_nearest);
}

Status matching_work_open(const Request *request, int threads, void **state) {
    MatchingWork *work = malloc(sizeof *work);
    if (work == NULL) {
        return status_no_memory("for the state of matching");
    }
    *work = (MatchingWork){
        .kernel = matching_kernel_best(),
        .sets = matching_sets(request->workload, request->answer),
        .output = request->output,
        .threads = threads,
    };
    const Status status = take_memory(work);
    if (!status_is_ok(&status)) {
        matching_work_close(work);
        return status;
    }
    *state = work;
    return status_ok();
}

void matching_work_close(void *state) {
    MatchingWork *work = state;
    if (work != NULL) {
        thread_memory_close(&work->b_nearest);
        cpu_backend.release(work->a_nearest);
        cpu_backend.release(work->b_offsets);
        cpu_backend.release(work->a_offsets);
        cpu_backend.release(work->b_words);
        free(work);
    }
}

static int32_t smaller(int32_t a, int32_t b) {
    return a < b ? a : b;
}

static void start(Nearest *nearest, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        nearest[i] = matching_nearest(MATCHING_NONE, 0);
    }
}

/* The pairs of a tile of a part of A; the first rows of both sets are given. */
static void match_tile(const MatchingWork *work, int part, int32_t a_first, int32_t a_end,
                       int32_t b_first) {
    const MatchingSets *sets = &work->sets;
    Nearest *b_nearest = thread_memory_part(&work->b_nearest, part);
    const size_t row_words = (size_t)sets->bytes / sizeof(uint32_t);
    const MatchingTile tile = {
        .sets = sets,
        .a_first = a_first,
        .a_count = smaller(MATCHING_TILE_ROWS, a_end - a_first),
        .b_first = b_first,
        .b_count = smaller(MATCHING_TILE_ROWS, sets->b_count - b_first),
        .b_words = work->b_words + (size_t)b_first * row_words,
        .a_offsets = work->a_offsets + a_first,
        .b_offsets = work->b_offsets + b_first,
        .a_nearest = work->a_nearest + a_first,
        .b_nearest = b_nearest + b_first,
    };
    (sets->distance == MATCHING_L2 ? work->kernel->l2 : work->kernel->hamming)(&tile);
}

/* A part of A with all of B. */
static void match_part(const MatchingWork *work, int part) {
    const int64_t rows = work->sets.a_count;
    const int32_t first = (int32_t)(rows * part / work->threads);
    const int32_t end = (int32_t)(rows * (part + 1) / work->threads);
    Nearest *b_nearest = thread_memory_part(&work->b_nearest, part);
    start(work->a_nearest + first, end - first);
    start(b_nearest, work->sets.b_count);
    for (int32_t b = 0; b < work->sets.b_count; b += MATCHING_TILE_ROWS) {
        for (int32_t a = first; a < end; a += MATCHING_TILE_ROWS) {
            match_tile(work, part, a, end, b);
        }
    }
}

/* The nearest row of A to a row of B: the smallest of what was found in all parts. */
static int32_t nearest_of_a(const MatchingWork *work, int32_t b) {
    Nearest nearest = UINT64_MAX;
    for (int part = 0; part < work->threads; part++) {
        const Nearest *found = thread_memory_part(&work->b_nearest, part);
        nearest = found[b] < nearest ? found[b] : nearest;
    }
    return (int32_t)(uint32_t)nearest;
}

static Match match_of(const MatchingWork *work, int32_t a) {
    const Nearest nearest = work->a_nearest[a];
    const uint32_t row = (uint32_t)nearest;
    return (Match){
        .nearest = row,
        .distance = nearest >> 32,
        .mutual = work->sets.b_count > 0 && nearest_of_a(work, (int32_t)row) == a,
    };
}

Status matching_work_run(void *state) {
    const MatchingWork *work = state;
    Match *matches = matching_matches(work->output);
#pragma omp parallel num_threads(work->threads)
    {
        matching_pack(work);
#pragma omp for schedule(static)
        for (int part = 0; part < work->threads; part++) {
            match_part(work, part);
        }
#pragma omp for schedule(static)
        for (int32_t i = 0; i < work->sets.a_count; i++) {
            matches[i] = match_of(work, i);
        }
    }
    return status_ok();
}

/* === simd and omp ============================================================================= */

VARIANT_FUNCTIONS(matching_simd);
VARIANT_FUNCTIONS(matching_omp);

Status matching_simd_open(const Request *request, void **state) {
    return matching_work_open(request, 1, state);
}

Status matching_omp_open(const Request *request, void **state) {
    return matching_work_open(request, (int)point_integer(request->tuning, "threads", 1), state);
}
