/* What `bench list` says of inputs; the table of algorithms is checked against README elsewhere. */
#include "cli_internal.h"
#include "registry.h"
#include "run_options.h"
#include "test.h"

static char *list_of(const char *algorithm) {
    FILE *stream = test_stream();
    const RunOptions options = {.algorithm_count = 1,
                                .algorithms = {registry_find_algorithm(algorithm)}};
    list_print(stream, &options);
    return test_text(stream);
}

TEST(algorithms_that_take_sets_say_so) {
    char *haar = list_of("haar");
    assert_says(haar, "image sets, labelled or not: --images and --side");
    char *lbp = list_of("lbp");
    assert_null(strstr(lbp, "image sets, labelled or not"));
}

TEST(algorithms_on_keypoints_and_descriptors_say_so) {
    char *text = list_of("hashsift");
    assert_says(text, "input:");
    assert_says(text, "images with keypoints: --keypoints-file, or");
    assert_says(text, "--weights");
    text = list_of("matching");
    assert_says(text, "two sets of descriptors, synthetic");
    const char *descriptors = strstr(text, "\nSynthetic sets of descriptors\n");
    assert_non_null(descriptors);
    assert_says(descriptors, "pairs (default)");
}

TEST(sizes_and_kinds_of_sets_are_listed) {
    char *text = list_of("haar");
    const char *sizes = strstr(text, "\nSizes of image sets\n");
    assert_non_null(sizes);
    assert_says(sizes, "--images LIST");
    assert_says(sizes, "28 or 24x32");
    const char *pictures = strstr(text, "\nSynthetic images\n");
    const char *sets = strstr(text, "\nSynthetic image sets\n");
    assert_non_null(pictures);
    assert_says(pictures, "texture (default), noise");
    assert_non_null(sets);
    assert_says(sets, "digits (default), noise");
    for (const char *line = text; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        assert_true(length <= 100);
        line += length + (line[length] == '\n');
    }
}
