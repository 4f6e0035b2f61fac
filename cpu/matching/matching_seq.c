/* seq: every row of A against every one of B, and back, one thread. */
#include <stdlib.h>

#include "matching.h"

VARIANT_FUNCTIONS(matching_seq);

typedef struct SeqState {
    MatchingSets sets;
    const Output *output;
} SeqState;

Status matching_seq_open(const Request *request, void **state) {
    SeqState *seq = malloc(sizeof *seq);
    if (seq == NULL) {
        return status_skip("not enough memory for the variant's state");
    }
    *seq = (SeqState){.sets = matching_sets(request->workload, request->answer),
                      .output = request->output};
    *state = seq;
    return status_ok();
}

static uint64_t distance(const MatchingSets *sets, const uint8_t *left, const uint8_t *right) {
    uint64_t sum = 0;
    for (int32_t i = 0; i < sets->bytes; i++) {
        const int difference = left[i] - right[i];
        sum += sets->distance == MATCHING_L2
                   ? (uint64_t)(difference * difference)
                   : (uint64_t)__builtin_popcount(left[i] ^ (unsigned)right[i]);
    }
    return sum;
}

/* The nearest of `count` rows from `rows` on to `query`. */
static Match nearest(const MatchingSets *sets, const uint8_t *query, const uint8_t *rows,
                     int32_t count) {
    Match match = {.nearest = 0, .distance = MATCHING_NONE, .mutual = 0};
    for (int32_t i = 0; i < count; i++) {
        const uint64_t found = distance(sets, query, rows + (size_t)i * sets->stride);
        if (found < match.distance) {
            match.nearest = (uint64_t)i;
            match.distance = found;
        }
    }
    return match;
}

Status matching_seq_run(void *state) {
    const SeqState *seq = state;
    const MatchingSets *sets = &seq->sets;
    Match *matches = matching_matches(seq->output);
    for (int32_t i = 0; i < sets->a_count; i++) {
        const uint8_t *query = sets->a + (size_t)i * sets->stride;
        matches[i] = nearest(sets, query, sets->b, sets->b_count);
        if (sets->b_count > 0) {
            const uint8_t *found = sets->b + matches[i].nearest * sets->stride;
            matches[i].mutual = nearest(sets, found, sets->a, sets->a_count).nearest == (uint64_t)i;
        }
    }
    return status_ok();
}

void matching_seq_close(void *state) {
    free(state);
}
