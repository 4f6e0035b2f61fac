/* Answer points of lbp_riu from texts, and what lbp_riu/seq answers there. */
#ifndef TESTS_CPU_LBP_RIU_POINTS_H
#define TESTS_CPU_LBP_RIU_POINTS_H

#include "lbp_riu.h"
#include "test.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

VARIANT_FUNCTIONS(lbp_riu_seq);

/* The texts are not checked. */
static inline Point make_answer(const char *pr, const char *interp, const char *store) {
    const char *const texts[] = {pr, interp, store};
    static const char *const names[] = {"pr", "interp", "store"};
    Point point = {.count = COUNT_OF(texts)};
    for (size_t i = 0; i < point.count; i++) {
        point.axes[i] = lbp_riu_algorithm.answer[i];
        assert_string_equal(point.axes[i]->name, names[i]);
        snprintf(point.values[i].text, AXIS_TEXT_SIZE, "%s", texts[i]);
    }
    return point;
}

/* Runs twice, on memory that holds something else before. The caller frees output.data. */
static inline Output seq_answer(const Image *image, const char *pr, const char *interp,
                                const char *store) {
    const Workload workload = {.kind = WORKLOAD_IMAGE, .image = *image};
    const Point answer = make_answer(pr, interp, store);
    const Point tuning = {.count = 0};
    Output output = {.data = NULL};
    const Status laid_out = lbp_riu_algorithm.output_layout(&workload, &answer, &output.layout);
    assert_string_equal(laid_out.why, "");
    output.data = aligned_alloc(OUTPUT_ALIGNMENT, output.layout.bytes);
    assert_non_null(output.data);
    memset(output.data, 0x5A, output.layout.bytes);
    const Request request = {
        .workload = &workload, .answer = &answer, .tuning = &tuning, .output = &output};
    void *state = NULL;
    const Status opened = lbp_riu_seq_open(&request, &state);
    assert_string_equal(opened.why, "");
    assert_ok(lbp_riu_seq_run(state));
    assert_ok(lbp_riu_seq_run(state));
    lbp_riu_seq_close(state);
    return output;
}

#endif
