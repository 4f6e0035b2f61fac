/* Recorded runs of tests/data/compare, and comparisons of two of them. */
#ifndef TESTS_BENCH_COMPARE_FIXTURE_H
#define TESTS_BENCH_COMPARE_FIXTURE_H

#include "compare_internal.h"
#include "test.h"

#define SEQ "lbp/seq/texture/1080p"
#define SIMD "lbp/simd/texture/1080p"
#define OMP "lbp/omp/texture/1080p/threads:2"

#define COPY "copy/seq/texture/1080p"

typedef struct RecordedPair {
    MeasuredRun before, now;
    Comparison comparison;
} RecordedPair;

static const CompareCriteria usual_criteria = {.alpha = 0.01, .threshold = 0.05};

/* Judges a cell that is compared with `cells` − 1 others, of which none has changed. */
static inline CellJudgement judge_among(const MeasuredCell *before, const MeasuredCell *now,
                                        const CompareCriteria *criteria, size_t cells) {
    double one = 1;
    const MeasuredCell still = {.launches = &one, .launch_count = 1, .median = 1};
    ComparedCell *compared = calloc(cells, sizeof *compared);
    assert_non_null(compared);
    for (size_t i = 0; i < cells; i++) {
        compared[i] =
            (ComparedCell){.before = i == 0 ? before : &still, .now = i == 0 ? now : &still};
    }
    assert_ok(judge_cells(compared, cells, criteria));
    const CellJudgement judgement = compared[0].judgement;
    free(compared);
    return judgement;
}

static inline void read_recorded(const char *name, MeasuredRun *run) {
    char path[1024];
    snprintf(path, sizeof path, "%s/compare/%s.json", TEST_DATA, name);
    assert_ok(measured_run_read(path, run));
}

static inline Status compare_status(const char *before, const char *now, bool force,
                                    RecordedPair *pair) {
    read_recorded(before, &pair->before);
    read_recorded(now, &pair->now);
    return comparison_make(&pair->before, &pair->now, &usual_criteria, force, &pair->comparison);
}

static inline RecordedPair *compare_recorded(const char *before, const char *now, bool force) {
    RecordedPair *pair = calloc(1, sizeof *pair);
    assert_non_null(pair);
    assert_ok(compare_status(before, now, force, pair));
    return pair;
}

static inline void pair_release(RecordedPair *pair) {
    comparison_release(&pair->comparison);
    measured_run_release(&pair->before);
    measured_run_release(&pair->now);
    free(pair);
}

static inline const CellJudgement *judgement_of(const RecordedPair *pair, const char *name) {
    for (size_t i = 0; i < pair->comparison.count; i++) {
        if (strcmp(pair->comparison.cells[i].name, name) == 0) {
            return &pair->comparison.cells[i].judgement;
        }
    }
    fail_msg("no cell %s", name);
    return NULL;
}

#endif
