/* `bench classify` from outside: what is printed and written, and each bad input's line and exit
 * code. */
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "needs.h"
#include "program.h"
#include "test.h"

EACH_TEST(folder_enter, folder_leave);

typedef uint8_t (*Texture)(int x, int y, uint32_t *random);

static uint8_t stripes(int x, int y, uint32_t *random) {
    (void)y;
    *random = *random * 1664525u + 1013904223u;
    return (uint8_t)(x % 6 < 3 ? 60 + (*random >> 28) : 180 + (*random >> 28));
}

static uint8_t noise(int x, int y, uint32_t *random) {
    (void)x;
    (void)y;
    *random = *random * 1664525u + 1013904223u;
    return (uint8_t)(*random >> 24);
}

static void write_image(const char *path, int width, int height, Texture texture, uint32_t seed) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fprintf(file, "P5 %d %d 255\n", width, height);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            fputc(texture(x, y, &seed), file);
        }
    }
    assert_int_equal(fclose(file), 0);
}

/* Two classes of three images of 48×40 pixels. */
static void make_classes(void) {
    char path[64];
    assert_int_equal(mkdir("set", 0777), 0);
    assert_int_equal(mkdir("set/stripes", 0777), 0);
    assert_int_equal(mkdir("set/noise", 0777), 0);
    for (unsigned i = 1; i <= 3; i++) {
        snprintf(path, sizeof path, "set/stripes/%u.pgm", i);
        write_image(path, 48, 40, stripes, i);
        snprintf(path, sizeof path, "set/noise/%u.pgm", i);
        write_image(path, 48, 40, noise, 10 + i);
    }
}

static void check_out(const char *arguments, const char *fragment) {
    Outcome outcome = bench_ok("classify %s", arguments);
    check_contains(outcome.out, fragment);
    assert_string_equal(outcome.err, "");
}

TEST(classes_in_folders) {
    make_classes();
    check_out("set", "lbp_riu, omp, interp bilinear\n"
                     "samples: 6 of 2 classes, 4 tested\n"
                     "models: the first of each class\n\n"
                     "class           8:1        16:2        24:3    combined\n"
                     "-------  ----------  ----------  ----------  ----------\n"
                     "noise    2/2 100.0%  2/2 100.0%  2/2 100.0%  2/2 100.0%\n"
                     "stripes  2/2 100.0%  2/2 100.0%  2/2 100.0%  2/2 100.0%\n"
                     "all      4/4 100.0%  4/4 100.0%  4/4 100.0%  4/4 100.0%\n");
    check_out("set --model all", "6 of 2 classes, 6 tested\n");
    check_out("set --variant seq --interp nearest", "lbp_riu, seq, interp nearest\n");
    /* 2×2 cells an image; a cell of each class is its model. */
    check_out("set --crop 20", "samples: 24 of 2 classes, 22 tested; 20×20 pixels\n");
    /* 12·√2 and what bilinear reads: 18 pixels, 2×2 cells at two angles; the model's is not
     * tested at the other one either. */
    check_out("set --crop 12 --rotate 0,45",
              "samples: 48 of 2 classes, 44 tested; 12×12 pixels at 2 angles\n");
    check_out("set --crop 12 --rotate -7.5", "12×12 pixels at 1 angle\n");
    /* One scale has no combination. */
    Outcome outcome = bench_ok("classify set --pr 4:1.5");
    check_contains(outcome.out, "class         4:1.5\n");
    assert_null(strstr(outcome.out, "combined"));
}

TEST(a_image_for_each_class) {
    assert_int_equal(mkdir("set", 0777), 0);
    write_image("set/stripes.pgm", 64, 64, stripes, 1);
    write_image("set/noise.pgm", 64, 64, noise, 2);
    check_out("set --crop 32", "noise    3/3 100.0%");
    check_refused(bench("classify set"), 3, "nothing of the class 'noise' is left to test");
    check_refused(bench("classify set --model all"), 3, "nothing of the class 'noise' is left");
    check_refused(bench("classify set --crop 64"), 3, "smaller --crop");
}

TEST(files_are_written_whole) {
    make_classes();
    check_out("set --csv confusion.csv --save-model models.json --pr 8:1", "4/4 100.0%");
    char *text = read_text("confusion.csv");
    assert_string_equal(text, "scale,actual,predicted,count\n"
                              "8:1,noise,noise,2\n8:1,noise,stripes,0\n"
                              "8:1,stripes,noise,0\n8:1,stripes,stripes,2\n");
    check_file_has("models.json", "\"format\":\t\"bench lbp_riu models\"");
    assert_int_equal(count_files(".part"), 0);
    check_refused(bench("classify set --csv nowhere/c.csv"), 5, "nowhere/c.csv");
    check_refused(bench("classify set --save-model set"), 5, "set: is a folder");
    check_refused(bench("classify set --plot confusion.csv"), 5, "confusion.csv");
}

TEST(stored_models_are_used_again) {
    make_classes();
    check_out("set --model all --save-model models.json --pr 8:1,4:1 --interp nearest",
              "6/6 100.0%");
    /* Scales and interpolation are those of the file, and everything is tested. */
    check_out("set --model models.json", "lbp_riu, omp, interp nearest\n"
                                         "samples: 6 of 2 classes, 6 tested\n"
                                         "models: models.json\n\n"
                                         "class           8:1         4:1    combined\n");
    check_out("set --model models.json --pr 4:1", "class           4:1\n");
    check_refused(bench("classify set --model models.json --pr 16:2"), 2, "it has 8:1, 4:1");
    check_refused(bench("classify set --model models.json --interp bilinear"), 2, "nearest");
    check_refused(bench("classify set --model none.json"), 5, "none.json");
    check_refused(bench("classify set --model set/noise/1.pgm"), 5, "not valid JSON");
    assert_int_equal(rename("set/noise", "set/static"), 0);
    check_refused(bench("classify set --model models.json"), 3, "there is no model of: static");
    static const char bad[] =
        "{\"format\":\"bench lbp_riu models\",\"version\":1,\"interp\":\"nearest\","
        "\"scales\":[{\"pr\":\"x\",\"bins\":1}],"
        "\"classes\":[{\"name\":\"a\",\"histograms\":[[1]]}]}";
    write_file("bad.json", bad, sizeof bad - 1);
    check_refused(bench("classify set --model bad.json"), 5, "bad.json");
}

/* Models alone may be wanted. */
TEST(models_may_be_stored_with_nothing_to_test) {
    assert_int_equal(mkdir("set", 0777), 0);
    write_image("set/stripes.pgm", 30, 30, stripes, 1);
    write_image("set/noise.pgm", 30, 30, noise, 2);
    check_out("set --save-model models.json --pr 8:1", "samples: 2 of 2 classes, 0 tested\n");
    check_out("set --model models.json", "all      2/2 100.0%\n");
}

TEST(heat_maps_are_drawn) {
    make_classes();
    Outcome outcome = bench("classify set --plot charts/new");
    if (outcome.code == 6) {
        skip_needing(NEEDS_GNUPLOT, NULL);
    }
    check_code(&outcome, 0);
    assert_int_equal(count_files(".svg"), 4);
    assert_int_equal(count_files(".png"), 4);
    assert_true(file_exists("charts/new/confusion-16-2.svg"));
    assert_true(file_exists("charts/new/confusion-combined.png"));
    assert_int_equal(count_files(".tsv"), 0);
    assert_int_equal(count_files(".part"), 0);
}

TEST(folders_that_are_none_are_one_line) {
    make_classes();
    check_refused(bench("classify none"), 5, "none: No such file");
    check_refused(bench("classify set/noise/1.pgm"), 5, "1.pgm is not a folder");
    assert_int_equal(mkdir("set/empty", 0777), 0);
    check_refused(bench("classify set/empty"), 5, "holds no image");
    check_refused(bench("classify set"), 5, "the class 'empty' has no images");
    write_image("set/a.pgm", 8, 8, noise, 1);
    check_refused(bench("classify set"), 5, "holds files (a.pgm) and folders (empty)");
    assert_int_equal(mkdir("one", 0777), 0);
    write_image("one/a.pgm", 40, 40, noise, 1);
    check_refused(bench("classify one --crop 10"), 3, "'a' is the only class");
}

TEST(unreadable_images_are_refused_or_left_out) {
    make_classes();
    write_file("set/noise/4.png", "no image", strlen("no image"));
    check_refused(bench("classify set"), 5, "set/noise/4.png");
    Outcome outcome = bench_ok("classify set --skip-unreadable --quiet");
    check_contains(outcome.out, "samples: 6 of 2 classes, 4 tested\n");
    check_contains(outcome.err, "left out: set/noise/4.png");
    assert_int_equal(mkdir("set/void", 0777), 0);
    write_file("set/void/1\n.png", "", 0);
    outcome = bench("classify set --skip-unreadable");
    check_code(&outcome, 5);
    check_contains(outcome.err, "left out: set/void/1\\x0a.png");
    check_contains(outcome.err, "the class 'void' has no image that can be read");
    assert_string_equal(outcome.out, "");
}

TEST(sizes_have_to_fit) {
    make_classes();
    write_image("set/stripes/4.pgm", 30, 20, stripes, 9);
    check_refused(bench("classify set"), 5,
                  "set/noise/1.pgm is 48×40 pixels and set/stripes/4.pgm is 30×20");
    check_out("set --mixed-sizes", "stripes  3/3 100.0%");
    check_out("set --crop 20", "samples: 25 of 2 classes, 23 tested");
    check_refused(bench("classify set --crop 24"), 5,
                  "set/stripes/4.pgm is 30×20 pixels; --crop 24 needs at least 24×24");
    check_refused(bench("classify set --crop 16 --rotate 45"), 5,
                  "--crop 16 turned by each angle of --rotate needs at least 23×23");
}

TEST(wrong_arguments_say_what_is_right) {
    make_classes();
    check_refused(bench("classify"), 2, "name a folder");
    check_refused(bench("classify a b"), 2, "unexpected argument 'b'");
    check_refused(bench("classify set --corp 8"), 2, "did you mean '--crop'?");
    check_refused(bench("classify set --crop 0"), 2, "--crop: '0' is not a whole number from 1");
    check_refused(bench("classify set --crop"), 2, "--crop needs a value");
    check_refused(bench("classify set --rotate 0,90"), 2, "give their size as well");
    check_refused(bench("classify set --crop 8 --rotate 0,x"), 2, "--rotate: 'x' is no angle");
    check_refused(bench("classify set --crop 8 --rotate 361"), 2, "'361' is no angle");
    check_refused(bench("classify set --crop 8 --rotate nan"), 2, "'nan' is no angle");
    check_refused(bench("classify set --crop 8 --rotate 0,"), 2, "--rotate: the list ends");
    check_refused(bench("classify set --pr 8"), 2, "--pr: '8' is not points:radius");
    check_refused(bench("classify set --pr 40:1"), 2, "'40:1' is not points:radius");
    check_refused(bench("classify set --interp cubic"), 2, "--interp takes nearest or bilinear");
    check_refused(bench("classify set --variant fast"), 2, "'fast' is no variant of lbp_riu");
    check_refused(bench("classify set --model m.json --save-model n.json"), 2, "would only copy");
    check_refused(bench("classify set --quiet=yes"), 2, "--quiet takes no value");
}

/* A line every few seconds, and Ctrl-C between two samples: what was to be written is not. */
TEST(long_work_is_told_and_can_be_stopped) {
    char path[64];
    make_classes();
    write_image("large.pgm", 500, 500, noise, 5);
    for (unsigned i = 0; i < 60; i++) {
        snprintf(path, sizeof path, "set/noise/large%u.pgm", i);
        assert_int_equal(symlink("../../large.pgm", path), 0);
    }
    const pid_t process =
        bench_start("classify set --crop 20 --variant seq --pr 32:9,31:9,30:9 "
                    "--rotate 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25 "
                    "--csv confusion.csv");
    const bool told = wait_for_text(process, "stderr.txt", "/66] ", 60);
    kill(process, SIGINT);
    Outcome outcome = bench_wait(process);
    check_code(&outcome, 130);
    assert_true(told);
    check_contains(outcome.err, "/66] ");
    check_contains(outcome.err, "bench: interrupted\n");
    assert_string_equal(outcome.out, "");
    assert_false(file_exists("confusion.csv"));
    assert_int_equal(count_files(".part"), 0);
}

TEST(help_explains_the_options) {
    Outcome asked = bench("classify --help");
    Outcome helped = bench("help classify");
    check_code(&asked, 0);
    assert_string_equal(asked.out, helped.out);
    check_contains(asked.out, "--rotate LIST");
    check_contains(asked.out, "0.2113");
}

/* The five textures of the shared data: models from one crop of each, tests from crops that do not
 * overlap it, at seven angles. */
TEST(real_textures_are_told_apart) {
    static const char folder[] = SHARED_DATA "/textures";
    if (!file_exists(folder)) {
        skip_needing(NEEDS_SHARED_DATA, NULL);
    }
    Outcome outcome =
        bench_ok("classify %s --crop 128 --rotate 0,15,30,45,60,75,90 --quiet", folder);
    check_contains(outcome.out, "samples: 434 of 5 classes, 399 tested");
    const char *last = strstr(outcome.out, "\nall ");
    assert_non_null(last);
    const char *combined = strrchr(last, '/');
    assert_non_null(combined);
    double percent = 0;
    int tested = 0;
    assert_int_equal(sscanf(combined, "/%d %lf%%", &tested, &percent), 2);
    assert_int_equal(tested, 399);
    assert_true(percent >= 95);
}
