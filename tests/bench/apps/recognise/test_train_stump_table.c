/* The answer of adaboost as it is read and filled. */
#include "algorithm.h"
#include "recognise_internal.h"
#include "registry.h"
#include "test.h"

enum { COLUMNS = 11, ROUNDS = 3 };

typedef struct Answer {
    Output output;
    uint64_t *count, *rows;
} Answer;

static Answer make_answer(const char *count, const char *stumps, size_t columns) {
    static _Alignas(OUTPUT_ALIGNMENT) uint8_t memory[4096];
    Answer answer = {.output = {.data = memory}};
    OutputLayout *layout = &answer.output.layout;
    memset(memory, 0xA5, sizeof memory);
    assert_ok(output_layout_add(layout, count, OUTPUT_COUNTS_U64, 1, 1));
    assert_ok(output_layout_add(layout, stumps, OUTPUT_TABLE_U64, columns, ROUNDS));
    answer.count = output_part(&answer.output, 0);
    answer.rows = output_part(&answer.output, 1);
    return answer;
}

static const uint64_t row[COLUMNS] = {
    41, 4, 1, 0, 3, 2, (uint64_t)-500, 1, UINT64_C(1) << 38, 6, 7,
};

TEST(rows_become_stumps) {
    const Answer answer = make_answer("count", "stumps", COLUMNS);
    StumpTable table;
    Classifier classifier = {.digit = 1};
    assert_ok(stump_table_find(&answer.output, &table));
    assert_int_equal(table.rounds, ROUNDS);
    memcpy(answer.rows, row, sizeof row);
    assert_ok(stump_table_read(&table, 1, 4, 2, &classifier));
    assert_int_equal(classifier.count, 1);
    const Stump *stump = classifier.stumps;
    assert_int_equal(stump->candidate, 41);
    assert_int_equal(stump->type, 4);
    assert_int_equal(stump->x, 1);
    assert_int_equal(stump->y, 0);
    assert_int_equal(stump->w, 3);
    assert_int_equal(stump->h, 2);
    assert_int_equal(stump->threshold, -500);
    assert_int_equal(stump->polarity, 1);
    assert_true(stump->error == UINT64_C(1) << 38 && stump->alpha == stump_alpha(stump->error));
    assert_int_equal(stump->misses, 6);
    assert_int_equal(stump->false_alarms, 7);
    /* Filled in again, they are the same row. */
    memset(answer.rows, 0, sizeof row);
    stump_table_fill(&table, &classifier);
    assert_memory_equal(answer.rows, row, sizeof row);
    free(classifier.stumps);
}

TEST(rows_that_are_no_stumps_are_refused) {
    static const struct {
        size_t column;
        uint64_t value;
    } cases[] = {{1, 5},        {2, 2}, {2, UINT64_MAX},       {3, 1}, {4, 0}, {5, 3},
                 {6, 1u << 25}, {7, 2}, {8, UINT64_C(1) << 39}};
    const Answer answer = make_answer("count", "stumps", COLUMNS);
    StumpTable table;
    assert_ok(stump_table_find(&answer.output, &table));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Classifier classifier = {.digit = 1};
        memcpy(answer.rows, row, sizeof row);
        answer.rows[cases[i].column] = cases[i].value;
        assert_int_equal(stump_table_read(&table, 1, 4, 2, &classifier).code, STATUS_FAIL);
        assert_int_equal(classifier.count, 0);
    }
    Classifier classifier = {.digit = 1};
    assert_int_equal(stump_table_read(&table, ROUNDS + 1, 4, 2, &classifier).code, STATUS_FAIL);
}

TEST(other_answers_are_refused) {
    StumpTable table;
    Answer answer = make_answer("count", "rows", COLUMNS);
    assert_int_equal(stump_table_find(&answer.output, &table).code, STATUS_FAIL);
    answer = make_answer("number", "stumps", COLUMNS);
    assert_int_equal(stump_table_find(&answer.output, &table).code, STATUS_FAIL);
    answer = make_answer("count", "stumps", COLUMNS + 1);
    assert_int_equal(stump_table_find(&answer.output, &table).code, STATUS_FAIL);
}

/* The columns are those of the algorithm that is compiled in. */
TEST(adaboost_has_this_answer) {
    const Algorithm *algorithm = registry_find_algorithm("adaboost");
    const Workload set = {.kind = WORKLOAD_IMAGE_SET, .set = {.count = 9, .width = 9, .height = 9}};
    Output output = {.data = NULL};
    StumpTable table;
    const Point defaults = {.count = 0};
    assert_non_null(algorithm);
    assert_ok(algorithm->output_layout(&set, &defaults, &output.layout));
    output.data = calloc(1, output.layout.bytes);
    assert_non_null(output.data);
    assert_ok(stump_table_find(&output, &table));
    assert_int_equal(table.rounds, 100);
    free(output.data);
}
