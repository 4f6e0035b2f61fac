/* Models: first, all without the tested cell, and as files. */
#include "bench/classify_fixture.h"
#include "bench/scratch_folder.h"
#include "status_checks.h"
#include "test.h"
#include "textures_internal.h"

static void check_counts(const uint64_t *counts, uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
    assert_int_equal(counts[0], a);
    assert_int_equal(counts[1], b);
    assert_int_equal(counts[2], c);
    assert_int_equal(counts[3], d);
}

static Models make_models(ModelKind kind) {
    RELEASED_BY(sample_set_release) SampleSet set = fixture_set();
    Models models;
    assert_ok(models_make(kind, &fixture_tree, &fixture_scales, &set, &models));
    return models;
}

TEST(the_first_sample_is_the_model) {
    RELEASED_BY(models_release) Models models = make_models(MODEL_FIRST);
    assert_int_equal(models.count, 2);
    assert_string_equal(models.names[1], "dog");
    check_counts(model_histograms(&models, 0), 3, 1, 1, 3);
    check_counts(model_histograms(&models, 1), 1, 3, 3, 1);
}

TEST(all_samples_are_summed_without_the_tested_cell) {
    RELEASED_BY(sample_set_release) SampleSet set = fixture_set();
    RELEASED_BY(models_release) Models models = make_models(MODEL_ALL);
    uint64_t rest[FIXTURE_BINS];
    check_counts(model_histograms(&models, 0), 9, 7, 7, 9);
    check_counts(model_histograms(&models, 1), 2, 10, 8, 4);
    model_without_cell(&models, &set, 0, rest); /* and its neighbour in the same cell */
    check_counts(rest, 4, 4, 4, 4);
    model_without_cell(&models, &set, 1, rest);
    check_counts(rest, 4, 4, 4, 4);
    model_without_cell(&models, &set, 3, rest);
    check_counts(rest, 8, 4, 6, 6);
    model_without_cell(&models, &set, 6, rest);
    check_counts(rest, 1, 3, 3, 1);
}

TEST(what_a_model_was_made_of_is_not_tested) {
    static const bool with_first[] = {false, false, true, true, false, true, true};
    RELEASED_BY(sample_set_release) SampleSet set = fixture_set();
    for (size_t i = 0; i < set.count; i++) {
        assert_int_equal(model_allows_test(MODEL_FIRST, &set, i), with_first[i]);
        assert_true(model_allows_test(MODEL_ALL, &set, i));
        assert_true(model_allows_test(MODEL_STORED, &set, i));
    }
    set.count = 5; /* the dog has one cell left, and no model without it */
    assert_true(model_allows_test(MODEL_ALL, &set, 0));
    assert_false(model_allows_test(MODEL_ALL, &set, 4));
    assert_true(model_allows_test(MODEL_STORED, &set, 4));
}

/* --- Files ------------------------------------------------------------------------------------ */

TEST(a_file_gives_the_same_models) {
    const char *path = test_path("models.json");
    RELEASED_BY(models_release) Models written = make_models(MODEL_ALL);
    RELEASED_BY(models_release) Models read;
    model_histograms(&written, 0)[0] = UINT64_C(999999999999999);
    assert_ok(models_write(path, &written));
    assert_int_equal(scratch_count(test_folder), 1); /* no part file */
    assert_ok(models_read(path, &read));
    assert_int_equal(read.count, 2);
    assert_string_equal(read.names[0], "cat");
    assert_string_equal(read.scales.interp, "bilinear");
    assert_int_equal(read.scales.count, 2);
    assert_string_equal(read.scales.list[1].pr, "8:1");
    assert_int_equal(read.scales.list[1].offset, 2);
    assert_memory_equal(read.histograms, written.histograms, 2 * FIXTURE_BINS * sizeof(uint64_t));
}

#define HEAD "{\"format\":\"bench lbp_riu models\",\"version\":1,\"interp\":\"nearest\","
#define SCALES HEAD "\"scales\":[{\"pr\":\"1:1\",\"bins\":3}],"
#define CLASSES(list) SCALES "\"classes\":[" list "]}"
#define CLASS(histogram) CLASSES("{\"name\":\"cat\",\"histograms\":[" histogram "]}")

TEST(broken_files_are_refused) {
    static const char *const broken[][2] = {
        {"", "is empty"},
        {"{\"format\":", "not valid JSON"},
        {"[1]", "holds no models"},
        {"{\"format\":\"other\"}", "holds no models"},
        {"{\"format\":\"bench lbp_riu models\",\"version\":2}", "not of version 1"},
        {"{\"format\":\"bench lbp_riu models\"}", "not of version 1"},
        {HEAD "\"scales\":[]}", "at which scales"},
        {HEAD "\"scales\":{\"pr\":1}}", "at which scales"},
        {HEAD "\"scales\":[{\"pr\":\"1:1\"}]}", "number of bins"},
        {HEAD "\"scales\":[{\"pr\":\"1:1\",\"bins\":1e9}]}", "number of bins"},
        {HEAD "\"scales\":[{\"pr\":5,\"bins\":3}]}", "without P:R"},
        {SCALES "\"classes\":[]}", "holds no classes"},
        {SCALES "\"classes\":7}", "holds no classes"},
        {CLASSES("{\"histograms\":[[1,2,3]]}"), "a class without a name"},
        {CLASSES("{\"name\":\"cat\"}"), "not one histogram for each scale"},
        {CLASS(""), "not one histogram for each scale"},
        {CLASS("[1,2,3],[1,2,3]"), "not one histogram for each scale"},
        {CLASS("[1,2]"), "has not the 3 counts"},
        {CLASS("[1,2,3,4]"), "has not the 3 counts"},
        {CLASS("3"), "has not the 3 counts"},
        {CLASS("[1,2,-3]"), "no count"},
        {CLASS("[1,2,0.5]"), "no count"},
        {CLASS("[1,2,\"3\"]"), "no count"},
        {CLASS("[1,2,null]"), "no count"},
        {CLASS("[1,2,1e999]"), "no count"},
        {CLASS("[1,2,1e17]"), "no count"},
        {CLASS("[0,0,0]"), "counts nothing"},
        {CLASSES("{\"name\":\"cat\",\"histograms\":[[1,2,3]]},"
                 "{\"name\":\"cat\",\"histograms\":[[1,2,3]]}"),
         "the class 'cat' twice"},
    };
    const char *path = test_path("broken.json");
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        Models models;
        test_write("broken.json", broken[i][0]);
        const Status status = models_read(path, &models);
        assert_int_equal(status.code, STATUS_FILE);
        if (strstr(status.why, broken[i][1]) == NULL || strstr(status.why, "broken.json") == NULL) {
            fail_msg("%s: \"%s\" does not say \"%s\"", broken[i][0], status.why, broken[i][1]);
        }
        assert_null(models.histograms);
    }
    test_write("broken.json", CLASS("[1,2,3]"));
    RELEASED_BY(models_release) Models models;
    assert_ok(models_read(path, &models));
}

/* Six terabytes, were they made before anything is known of the classes. */
TEST(room_is_made_only_for_what_is_there) {
    enum { CLASSES = 65536, TEXT_SIZE = 256 * 1024 };
    char *text = malloc(TEXT_SIZE);
    assert_non_null(text);
    int used = snprintf(text, TEXT_SIZE, HEAD "\"scales\":[");
    for (int i = 0; i < SCALES_MAX; i++) {
        used += snprintf(text + used, TEXT_SIZE - (size_t)used,
                         "%s{\"pr\":\"8:%d\",\"bins\":1000000}", i > 0 ? "," : "", i + 1);
    }
    used += snprintf(text + used, TEXT_SIZE - (size_t)used, "],\"classes\":[0");
    for (int i = 1; i < CLASSES; i++) {
        used += snprintf(text + used, TEXT_SIZE - (size_t)used, ",0");
    }
    snprintf(text + used, TEXT_SIZE - (size_t)used, "]}");
    Models models;
    test_write("many.json", text);
    assert_status(models_read(test_path("many.json"), &models), STATUS_FILE,
                  "a class without a name");
    free(text);
}

TEST(scales_are_selected_in_the_wanted_order) {
    RELEASED_BY(models_release) Models models = make_models(MODEL_FIRST);
    const Scales other_way = {
        .count = 2,
        .list = {{.pr = "8:1", .bins = 2, .offset = 0}, {.pr = "4:1", .bins = 2, .offset = 2}},
        .bins = 4,
        .interp = "bilinear"};
    assert_ok(models_select("file", &other_way, &models));
    check_counts(model_histograms(&models, 0), 1, 3, 3, 1);
    assert_string_equal(models.names[1], "dog");
    const Scales one = {
        .count = 1, .list = {{.pr = "4:1", .bins = 2}}, .bins = 2, .interp = "bilinear"};
    assert_ok(models_select("file", &one, &models));
    assert_int_equal(model_histograms(&models, 1)[1], 3);
}

TEST(scales_that_a_file_does_not_have_are_refused) {
    RELEASED_BY(models_release) Models models = make_models(MODEL_FIRST);
    Scales wanted = fixture_scales;
    strcpy(wanted.list[0].pr, "24:3");
    assert_status(models_select("file", &wanted, &models), STATUS_USAGE,
                  "at 24:3 (it has 4:1, 8:1)");
    wanted = fixture_scales;
    wanted.list[1].bins = 3;
    assert_int_equal(models_select("file", &wanted, &models).code, STATUS_USAGE);
    wanted = fixture_scales;
    strcpy(wanted.interp, "nearest");
    assert_status(models_select("file", &wanted, &models), STATUS_USAGE, "--interp bilinear");
}
