/* `bench match` from outside: two images of one wall, what is written about them, and each bad
 * input's line and exit code. */
#include <unistd.h>

#include "program.h"
#include "test.h"

enum { WIDTH = 240, HEIGHT = 200, SHIFT_X = 12, SHIFT_Y = 7 };

static void write_text(const char *path, const char *text) {
    write_file(path, text, strlen(text));
}

/* What is at (x, y) of A is at (x − 12, y − 7) of B. */
static void set_up(void) {
    folder_enter();
    write_wall("a.pgm", WIDTH, HEIGHT, 0, 0);
    write_wall("b.pgm", WIDTH, HEIGHT, SHIFT_X, SHIFT_Y);
    write_text("h.txt", "1 0 -12\n0 1 -7\n0 0 1\n");
}

EACH_TEST(set_up, folder_leave);

static double field(const char *line, int index) {
    for (; index > 0; index--) {
        line = strchr(line, ',');
        assert_non_null(line);
        line++;
    }
    return strtod(line, NULL);
}

enum { MUTUAL = 7, INLIERS = 8, CORRECT = 9, CORNERS = 10, H13 = 20 };

/* The line of a method in match.csv. */
static void check_method(const char *table, const char *name) {
    char start[32];
    snprintf(start, sizeof start, "\n%s,", name);
    const char *line = strstr(table, start);
    assert_non_null(line);
    line++;
    assert_true(field(line, MUTUAL) > 100);
    assert_true(field(line, CORRECT) > 0.7 * field(line, MUTUAL));
    assert_true(field(line, INLIERS) > 0.9 * field(line, CORRECT));
    assert_true(field(line, CORNERS) < 1);
    assert_true(field(line, H13) > -13 && field(line, H13) < -11);
}

TEST(a_shift_is_found_by_every_method) {
    Outcome outcome =
        bench_ok("match a.pgm b.pgm --weights random --homography h.txt --keypoints 600 "
                 "--out new/folder");
    assert_string_equal(outcome.err, "");
    check_contains(outcome.out, "A: a.pgm, 240×200 pixels, ");
    check_contains(outcome.out, "\nmethod    bits  keypoints A  keypoints B  mutual  inliers  "
                                "correct  corners, px\n");
    check_contains(outcome.out, "\nhashsift   512 ");
    check_contains(outcome.out, "\nsift      1024 ");
    check_contains(outcome.out, "\norb        256 ");
    check_contains(outcome.out, "  detect A  detect B  describe A  describe B ");
    char *table = read_text("new/folder/match.csv");
    check_method(table, "hashsift");
    check_method(table, "bad");
    check_method(table, "sift");
    check_method(table, "orb");
    check_file_has("new/folder/matches-sift.csv", "xa,ya,xb,yb,distance,inlier,correct\n");
    assert_true(file_exists("new/folder/matches-hashsift.png"));
    assert_true(file_exists("new/folder/matches-bad.png"));
    assert_int_equal(count_files(".part"), 0);
}

TEST(methods_bits_and_variants_are_chosen) {
    Outcome outcome = bench_ok("match a.pgm b.pgm --methods bad,sift --bits 256 --weights random "
                               "--keypoints=100 --variant seq --out o");
    check_contains(outcome.out, "\nbad      256          100          100 ");
    check_contains(outcome.out, "\nsift    seq ");
    assert_null(strstr(outcome.out, "hashsift"));
    assert_null(strstr(outcome.out, "correct"));
    check_file_has("o/match.csv", "\nbad,256,seq,seq,seq,100,100,");
}

/* Corners of stones, as another program might list them; a wrong angle does no harm to both. */
TEST(keypoints_of_files_are_used) {
    char a[4096] = "x,y,size,angle\n";
    char b[4096] = "x,y,size,angle\n";
    for (int i = 0; i < 60; i++) {
        const int x = 60 + i % 10 * 12;
        const int y = 60 + i / 10 * 12;
        snprintf(a + strlen(a), sizeof a - strlen(a), "%d,%d,5,-1\n", x, y);
        snprintf(b + strlen(b), sizeof b - strlen(b), "%d,%d,5,-1\n", x - SHIFT_X, y - SHIFT_Y);
    }
    write_text("a.csv", a);
    write_text("b.csv", b);
    static const char *const ways[] = {"--keypoints-file a.csv,b.csv",
                                       "--keypoints-file a.csv --keypoints-file=b.csv"};
    for (size_t i = 0; i < 2; i++) {
        Outcome outcome =
            bench_ok("match a.pgm b.pgm --methods sift --homography h.txt %s", ways[i]);
        check_contains(outcome.out, "A: a.pgm, 240×200 pixels, 60 keypoints of a.csv\n");
        check_contains(outcome.out,
                       "\nsift    1024           60           60      60       60       60 ");
        assert_null(strstr(outcome.out, "detect"));
    }
}

TEST(too_few_matches_are_no_error) {
    FILE *file = fopen("flat.pgm", "wb");
    assert_non_null(file);
    fprintf(file, "P5 100 100 255\n");
    for (int i = 0; i < 10000; i++) {
        fputc(77, file);
    }
    assert_int_equal(fclose(file), 0);
    check_prints(bench("match flat.pgm b.pgm --methods sift --homography h.txt --out o"), 0,
                 "A: flat.pgm, 100×100 pixels, 0 keypoints\n",
                 "sift: no homography: 0 mutual matches, and it takes 4\n");
    assert_true(file_exists("o/matches-sift.png"));
    check_prints(bench("match a.pgm b.pgm --methods sift --keypoints 2"), 0, " mutual match",
                 ", and it takes 4\n");
    bench_ok("match a.pgm b.pgm --methods bad --weights random --keypoints 0");
}

TEST(the_same_seed_gives_the_same_files) {
    for (int i = 0; i < 2; i++) {
        bench_ok("match a.pgm b.pgm --methods sift --keypoints 300 --seed 9 "
                 "--out o%d",
                 i);
    }
    char *one = read_text("o0/matches-sift.csv");
    char *other = read_text("o1/matches-sift.csv");
    assert_string_equal(one, other);
}

TEST(several_seeds_give_a_range) {
    check_prints(bench("match a.pgm b.pgm --methods sift,bad --weights random --keypoints 600 "
                       "--seed 3 --seeds 5 --ransac plain --out s"),
                 0,
                 "\nInliers over 5 seeds of RANSAC, from 3 on; all else is of the "
                 "seed with the median\nmethod  least  median  most\n");
    char *table = read_text("s/match.csv");
    check_contains(table, ",h33,seeds,seed,inliers_low,inliers_high\n");
    const char *line = strstr(table, "\nsift,");
    assert_non_null(line);
    line++;
    assert_true(field(line, H13 + 7) == 5);
    assert_true(field(line, H13 + 8) >= 3 && field(line, H13 + 8) <= 7);
    assert_true(field(line, H13 + 9) <= field(line, INLIERS));
    assert_true(field(line, H13 + 10) >= field(line, INLIERS));
    check_file_has("s/match.json", "\"ransac\":\t\"plain\"");
    check_file_has("s/match.json", "\"seeds\":\t5");
}

TEST(bad_command_lines_are_refused) {
    static const struct {
        const char *arguments, *why;
    } cases[] = {
        {"", "match: name two images, A and B"},
        {"a.pgm", "name two images"},
        {"a.pgm b.pgm c.pgm", "unexpected argument 'c.pgm'"},
        {"a.pgm b.pgm --methods surf", "'surf' is no method (known: hashsift, bad, sift, orb)"},
        {"a.pgm b.pgm --methods sift,", "--methods"},
        {"a.pgm b.pgm --variant fastest", "'fastest' is no variant of matching (there are seq"},
        {"a.pgm b.pgm --bits 1024", "--bits: '1024' is no number of bits"},
        {"a.pgm b.pgm --keypoints -1", "--keypoints"},
        {"a.pgm b.pgm --keypoints 2000000", "--keypoints"},
        {"a.pgm b.pgm --scale 0", "--scale: '0' is no scale"},
        {"a.pgm b.pgm --scale 1,2", "--scale: '1,2' are several values"},
        {"a.pgm b.pgm --inlier-px 0", "--inlier-px: '0' is no distance"},
        {"a.pgm b.pgm --inlier-px 3px", "'3px' is no distance"},
        {"a.pgm b.pgm --keypoints-file a.csv", "--keypoints-file: a file for each image"},
        {"a.pgm b.pgm --keypoints-file a,b,c", "--keypoints-file"},
        {"a.pgm b.pgm --keypoints-file a,b --keypoints-file c", "this is a third file"},
        {"a.pgm b.pgm --keypoints-file ,b", "is no list of one or two files"},
        {"a.pgm b.pgm --seeds 0", "--seeds: '0' is not a whole number from 1 to 100000"},
        {"a.pgm b.pgm --seeds few", "--seeds: 'few' is not a whole number"},
        {"a.pgm b.pgm --ransac good", "'good' is no kind of RANSAC (known: local, plain)"},
        {"a.pgm b.pgm --sede 1", "did you mean"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_refused(bench("match %s", cases[i].arguments), 2, cases[i].why);
    }
}

TEST(bad_files_are_named) {
    write_text("short.txt", "1 0 0\n0 1\n0 0 1\n");
    write_text("broken.pgm", "P5 100 100 255\nabc");
    write_text("bad.csv", "x,y,size,angle\n1,2,3,4\n1,nan,3,4\n");
    static const struct {
        const char *arguments, *why;
    } cases[] = {
        {"a.pgm nowhere.png", "nowhere.png"},
        {"broken.pgm b.pgm", "broken.pgm"},
        {"a.pgm b.pgm --homography short.txt", "short.txt: line 2: too few numbers"},
        {"a.pgm b.pgm --homography nowhere.txt", "nowhere.txt"},
        {"a.pgm b.pgm --keypoints-file bad.csv,bad.csv", "bad.csv: line 3"},
        {"a.pgm b.pgm --keypoints 9 --weights nowhere.csv", "nowhere.csv"},
        {"a.pgm b.pgm --out a.pgm/folder", "a.pgm"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_refused(bench("match %s", cases[i].arguments), 5, cases[i].why);
    }
}

/* A folder without trained weights stands for a program installed without them. */
TEST(a_method_without_weights_is_left_out) {
    setenv("BENCH_WEIGHTS_DIR", ".", 1);
    check_prints(bench("match a.pgm b.pgm --keypoints 50"), 0,
                 "\nhashsift is left out: there are no weights of hashsift for 512 "
                 "bits; give a file of them with --weights\n",
                 "\nbad is left out: there are no weights of bad for 512 bits",
                 "\norb is left out: there are no weights of orb for 256 bits", "\nsift    1024 ");
    check_refused(bench("match a.pgm b.pgm --keypoints 50 --methods bad"), 6,
                  "there are no weights of bad for 512 bits");
    unsetenv("BENCH_WEIGHTS_DIR");
}

TEST(help_explains) {
    check_prints(bench("match --help"), 0, "bench app match A B [options]\n",
                 "--keypoints-file A.csv,B.csv");
}
