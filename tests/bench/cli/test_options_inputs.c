/* Which inputs and sizes go with which algorithms: images with lbp, image sets with haar,
 * images with keypoints with hashsift, descriptors with matching. */
#include "cli_internal.h"
#include "run_options.h"
#include "size_spec.h"
#include "test.h"

enum { WORDS_MAX = 32, LINE_MAX_SIZE = 256 };

typedef struct Parsed {
    char line[LINE_MAX_SIZE]; /* texts of the options point into it */
    RunOptions options;
    Status status;
} Parsed;

static void parse_in(const Command *command, const char *line, Parsed *parsed) {
    char *argv[WORDS_MAX];
    int argc = 0;
    snprintf(parsed->line, sizeof parsed->line, "%s", line);
    for (char *word = strtok(parsed->line, " "); word != NULL; word = strtok(NULL, " ")) {
        argv[argc++] = word;
    }
    parsed->status = options_parse(command, argc, argv, &parsed->options);
}

static const RunOptions *parse_good(const char *line, Parsed *parsed) {
    parse_in(&command_run, line, parsed);
    if (parsed->status.code != STATUS_OK) {
        fail_msg("%s: %s", line, parsed->status.why);
    }
    return &parsed->options;
}

static void check_set_size(const SizeSpec *size, const char *name, int32_t images, int32_t width,
                           int32_t height) {
    assert_string_equal(size->name, name);
    assert_int_equal(size->images, images);
    assert_int_equal(size->width, width);
    assert_int_equal(size->height, height);
}

TEST(synthetic_sets_have_defaults) {
    Parsed parsed;
    const RunOptions *options = parse_good("--algo haar", &parsed);
    assert_string_equal(options->synthetic, "digits");
    assert_int_equal(options->size_count, 0);
    assert_int_equal(options->set_size_count, 1);
    check_set_size(&options->set_sizes[0], "1000", 1000, 28, 28);
    options = parse_good("--algo haar --images 10,20 --synthetic noise", &parsed);
    assert_string_equal(options->synthetic, "noise");
    assert_int_equal(options->set_size_count, 2);
    check_set_size(&options->set_sizes[1], "20", 20, 28, 28);
    options = parse_good("--side 24x32 --algo haar", &parsed);
    check_set_size(&options->set_sizes[0], "1000x24x32", 1000, 24, 32);
}

TEST(sets_in_files_are_taken_as_they_are) {
    Parsed parsed;
    const RunOptions *options = parse_good("--algo haar --input digits.idx --labels l", &parsed);
    assert_null(options->synthetic);
    assert_string_equal(options->labels, "l");
    assert_int_equal(options->set_size_count, 1);
    check_set_size(&options->set_sizes[0], "all", 0, 0, 0);
    options = parse_good("--algo haar --input digits.idx --images 5,all --side 16", &parsed);
    assert_int_equal(options->set_size_count, 2);
    check_set_size(&options->set_sizes[0], "5x16x16", 5, 16, 16);
    check_set_size(&options->set_sizes[1], "allx16x16", 0, 16, 16);
}

TEST(each_kind_of_algorithm_has_its_sizes) {
    Parsed parsed;
    const RunOptions *options = parse_good("--algo lbp,haar --sizes 512 --images 7", &parsed);
    assert_string_equal(options->synthetic, "texture");
    assert_string_equal(options->sizes[0].name, "512");
    assert_string_equal(options->set_sizes[0].name, "7");
}

TEST(a_kind_of_either_will_do) {
    Parsed parsed;
    parse_good("--algo lbp,haar --synthetic digits", &parsed);
    parse_good("--algo lbp,haar --synthetic checker", &parsed);
    parse_good("--algo lbp,haar --synthetic random --density 10%", &parsed);
    const RunOptions *options = parse_good("--algo all", &parsed);
    assert_int_equal(options->size_count, 1);
    assert_int_equal(options->set_size_count, 1);
}

TEST(a_self_test_takes_sets) {
    Parsed parsed;
    parse_in(&command_selftest, "--algo haar --images 30", &parsed);
    assert_ok(parsed.status);
    assert_string_equal(parsed.options.set_sizes[0].name, "30");
    parse_in(&command_selftest, "", &parsed);
    assert_ok(parsed.status);
    assert_string_equal(parsed.options.synthetic, "texture");
    assert_int_equal(parsed.options.set_size_count, 0);
}

TEST(keypoints_need_images) {
    Parsed parsed;
    const RunOptions *options = parse_good("--algo hashsift", &parsed);
    assert_string_equal(options->synthetic, "texture");
    assert_string_equal(options->sizes[0].name, "1080p");
    assert_null(options->keypoints_file);
    assert_null(options->weights);
    options = parse_good("--algo bad --input a.png --keypoints-file k.csv --weights w,v", &parsed);
    assert_string_equal(options->sizes[0].name, "native");
    assert_string_equal(options->keypoints_file, "k.csv");
    assert_string_equal(options->weights, "w,v");
    parse_good("--algo bad --synthetic random --density 10%", &parsed);
    parse_good("--algo lbp,hashsift --weights random --sizes 480p", &parsed);
}

/* What they do not take is for the others. */
TEST(descriptors_have_no_sizes) {
    Parsed parsed;
    const RunOptions *options = parse_good("--algo matching --keypoints 5", &parsed);
    assert_string_equal(options->synthetic, "pairs");
    assert_int_equal(options->size_count, 0);
    assert_int_equal(options->set_size_count, 0);
    options = parse_good("--algo matching,lbp --sizes 480p", &parsed);
    assert_string_equal(options->synthetic, "texture");
    assert_int_equal(options->size_count, 1);
    parse_good("--algo matching,lbp --input a.png", &parsed);
    parse_good("--algo matching,haar --images 5 --synthetic pairs", &parsed);
}

TEST(what_does_not_go_together) {
    static const struct {
        const char *line, *fragment;
    } cases[] = {
        {"--algo lbp --images 10", "--images is for algorithms that take image sets; lbp "
                                   "takes one image: write --sizes"},
        {"--algo lbp,copy --side 10", "--side is for algorithms that take image sets; lbp, "
                                      "copy takes one"},
        {"--algo lbp --input a --labels b", "--labels is for algorithms that take image sets"},
        {"--algo haar --sizes 4K", "--sizes is for algorithms that take one image; haar takes an "
                                   "image set: write --images and --side"},
        {"--algo haar --density 10%", "--density is for algorithms that take one image; haar takes "
                                      "an image set: leave it out"},
        {"--algo haar --labels b", "--labels: the labels belong to the images of --input; write "
                                   "--input"},
        {"--algo haar --synthetic texture", "--synthetic: 'texture' is one image; haar "
                                            "takes an image set: write digits, noise"},
        {"--algo lbp --synthetic digits", "--synthetic: 'digits' is an image set; lbp takes "
                                          "one image: write texture"},
        {"--algo haar --synthetic digit", "did you mean 'digits'?"},
        {"--algo haar --synthetic sky", "cantor; for sets digits, noise; for descriptors pairs)"},
        {"--algo haar --images all", "--images: all means all of the input and needs --input; "
                                     "write a number"},
        {"--algo haar --images 0", "--images: '0' is no number of images"},
        {"--algo haar --side 0", "--side: '0' is no size"},
        {"--algo haar --image 5", "did you mean '--images'?"},
        {"--algo lbp,haar --input a", "--input is either images or one image set; leave haar "
                                      "(sets) or lbp (images) out of --algo"},
        {"--algo lbp,haar --synthetic digits --density 1%", "write --synthetic random, even"},
        {"--algo lbp --weights random", "--weights is for algorithms that take keypoints; lbp "
                                        "takes one image: leave it out"},
        {"--algo matching --weights a", "--weights is for algorithms that take keypoints; matching "
                                        "takes two sets of descriptors: leave it out"},
        {"--algo haar --keypoints-file a", "--keypoints-file is for algorithms that take "
                                           "keypoints; haar takes an image set: leave it out"},
        {"--algo hashsift --images 5", "--images is for algorithms that take image sets; "
                                       "hashsift takes one image: write --sizes"},
        {"--algo matching --sizes 4K", "--sizes is for algorithms that take one image; matching "
                                       "takes two sets of descriptors: leave it out"},
        {"--algo matching --images 4", "matching takes two sets of descriptors: leave it out"},
        {"--algo matching --input a", "--input is for algorithms that take images; matching "
                                      "takes two sets of descriptors: leave it out"},
        {"--algo matching --density 1%", "matching takes two sets of descriptors: leave it out"},
        {"--algo matching --synthetic noise", "--synthetic: 'noise' is "},
        {"--algo matching --synthetic texture", "'texture' is one image; matching takes two "
                                                "sets of descriptors: write pairs"},
        {"--algo lbp --synthetic pairs", "'pairs' is two sets of descriptors; lbp takes one "
                                         "image: write texture"},
        {"--algo hashsift,haar --input a", "leave haar (sets) or hashsift (images) out of "
                                           "--algo"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Parsed parsed;
        parse_in(&command_run, cases[i].line, &parsed);
        assert_int_equal(parsed.status.code, STATUS_USAGE);
        if (strstr(parsed.status.why, cases[i].fragment) == NULL) {
            fail_msg("%s: '%s' does not say '%s'", cases[i].line, parsed.status.why,
                     cases[i].fragment);
        }
        assert_null(strchr(parsed.status.why, '\n'));
    }
}
