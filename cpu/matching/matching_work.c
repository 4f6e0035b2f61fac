#include "matching_work.h"

#include <stdlib.h>

#include "matching_pack.h"

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
        return status_skip("no memory for the state of matching");
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
    for (int32_t i = 0; i < count; ++i) {
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
    for (int part = 0; part < work->threads; ++part) {
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
        for (int part = 0; part < work->threads; ++part) {
            match_part(work, part);
        }
#pragma omp for schedule(static)
        for (int32_t i = 0; i < work->sets.a_count; ++i) {
            matches[i] = match_of(work, i);
        }
    }
    return status_ok();
}
