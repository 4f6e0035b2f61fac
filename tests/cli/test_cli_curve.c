/* `bench curve`: curves computed and drawn, the law of the Cantor dust in them, saved ones drawn
 * again, and what is refused. */
#include "program.h"
#include "search_path.h"
#include "test.h"

EACH_TEST(folder_enter, folder_leave);

#define FILE_OF(kind) "kinds/lacunarity-" kind "-512-boxlog-threshold128-curve.csv"

/* log10 Λ of the boxes in the file, which is one threshold's. */
static size_t read_curve(const char *path, double *boxes, double *lambdas, size_t capacity) {
    char *text = read_text(path);
    size_t count = 0;
    char *line = strchr(text, '\n');
    for (; line != NULL && line[1] != '\0'; line = strchr(line + 1, '\n')) {
        double box = 0, lambda = 0;
        assert_int_equal(sscanf(line + 1, "%*d,%lf,%*[0-9],%*[0-9],%*[0-9],%lf", &box, &lambda), 2);
        assert_true(count < capacity);
        boxes[count] = log10(box);
        lambdas[count++] = log10(lambda);
    }
    return count;
}

/* Slope of the least-squares line through `count` points, and their correlation. */
static double fit(const double *x, const double *y, size_t count, double *correlation) {
    double sx = 0, sy = 0, sxx = 0, sxy = 0, syy = 0;
    const double n = (double)count;
    for (size_t i = 0; i < count; i++) {
        sx += x[i];
        sy += y[i];
        sxx += x[i] * x[i];
        sxy += x[i] * y[i];
        syy += y[i] * y[i];
    }
    const double up = n * sxy - sx * sy;
    *correlation = up / sqrt((n * sxx - sx * sx) * (n * syy - sy * sy));
    return up / (n * sxx - sx * sx);
}

/* Charts need gnuplot: without it the curves are saved all the same. */
static void check_drawn(Outcome *outcome, const char *stem) {
    char path[64];
    if (strstr(outcome->err, "gnuplot is not installed") == NULL) {
        check_code(outcome, 0);
        for (int i = 0; i < 2; i++) {
            snprintf(path, sizeof path, "%s.%s", stem, i == 0 ? "svg" : "png");
            assert_true(file_exists(path));
            check_contains(outcome->out, path);
        }
    }
}

TEST(computed_curves_are_kept_without_gnuplot) {
    char *path = search_path_set(".", true);
    Outcome outcome =
        bench("curve --synthetic random --sizes 64x64 --box log --out kinds/ --quiet");
    search_path_restore(path);
    check_code(&outcome, 0);
    check_contains(outcome.err, "gnuplot is not installed");
    assert_int_equal(count_files("-curve.csv"), 1);
}

/* tests/datasets/test_dots_lacunarity.c has the theory: slope log 3 / log 2 − 2 between a few
 * pixels and an eighth of the side, here for one dust. */
TEST(the_kinds_of_the_study) {
    Outcome outcome =
        bench("curve --synthetic random,even,clustered,cantor --sizes 512 --out kinds/ --quiet");
    assert_string_equal(outcome.err, "");
    check_drawn(&outcome, "kinds/lacunarity-curve");
    assert_int_equal(count_files("-curve.csv"), 4);
    double x[16], y[16], even[16], random[16], clustered[16], correlation;
    assert_int_equal(read_curve(FILE_OF("cantor"), x, y, 16), 9);
    const double slope = fit(x + 2, y + 2, 5, &correlation);
    assert_true(fabs(slope - (log(3) / log(2) - 2)) < 0.03);
    assert_true(correlation < -0.999);
    read_curve(FILE_OF("even"), x, even, 16);
    read_curve(FILE_OF("random"), x, random, 16);
    read_curve(FILE_OF("clustered"), x, clustered, 16);
    for (size_t i = 4; i <= 5; i++) { /* boxes of 16 and 32 pixels */
        assert_true(even[i] < random[i] && random[i] < y[i] && y[i] < clustered[i]);
    }
}

TEST(saved_curves_are_drawn_again) {
    bench_ok("--algo lacunarity --synthetic random --density 0.25 --sizes 64x48 "
             "--reps 3 --variants seq,omp --no-roof --no-plot --quiet --out run "
             "--box 1+2+4 --save answers --save-table");
    assert_true(file_exists("answers/lacunarity-random-64x48-box1+2+4-threshold128-curve.csv"));
    char *table = read_text("answers/lacunarity-random-64x48-box1+2+4-threshold128-table.csv");
    check_contains(table, "threshold,box,s,count\n128,1,0,");
    check_contains(table, "\n128,4,");
    Outcome outcome = bench("curve answers --out charts/mine");
    check_contains(outcome.out, "      3  answers/lacunarity-random-64x48");
    check_drawn(&outcome, "charts/mine");
    assert_int_equal(count_files(".part"), 0);
    assert_int_equal(count_files(".tsv"), 0);
}

TEST(a_pressed_image_is_noted) {
    write_file("wide.pgm", "P2\n4 1\n255\n0 255 0 0\n", 21);
    Outcome outcome = bench("curve --input wide.pgm --sizes 8x8,8x2 --box 1 --out kinds/ --quiet");
    check_contains(outcome.err, "note: wide.pgm: 4x1 scaled to 8x8, aspect ratio changed from 4 to "
                                "1\n");
    assert_null(strstr(outcome.err, "8x2"));
}

/* Without --out; what is read is never written over. */
TEST(files_are_beside_their_input) {
    static const char image[] = "P2\n2 2\n255\n0 255 0 0\n";
    static const char saved[] = "box,lambda\n1,2\n2,1\n";
    assert_int_equal(system("mkdir photos more saved"), 0);
    write_file("photos/x.pgm", image, sizeof image - 1);
    write_file("more/y.pgm", image, sizeof image - 1);
    write_file("photos/.z.pgm", image, sizeof image - 1);
    write_file("saved/z-curve.csv", saved, sizeof saved - 1);
    static const struct {
        const char *line, *stem;
    } cases[] = {
        {"--input photos/x.pgm --box 1+2", "photos/x-curve"},
        {"--input photos/.z.pgm --box 1+2", "photos/z-curve"}, /* not hidden */
        {"--input more --box 1+2", "./more-curve"},
        {"--input photos/x.pgm --input more --box 1+2", "photos/lacunarity-curve"},
        {"saved/z-curve.csv", "saved/z-curve-chart"},
        {"saved/", "saved/lacunarity-curve"},
        {"--synthetic random --sizes 16x16", "./lacunarity-curve"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Outcome outcome = bench("curve %s --quiet", cases[i].line);
        check_drawn(&outcome, cases[i].stem);
    }
    assert_true(file_exists("photos/lacunarity-x-native-box1+2-threshold128-curve.csv"));
    assert_int_equal(count_files(".pgm"), 3);
    assert_string_equal(read_text("saved/z-curve.csv"), saved);
}

TEST(seed_and_density_matter) {
    static const char *const lines[] = {"--out a/", "--out b/ --seed 2", "--out c/ --density 50%"};
    char *texts[3];
    for (int i = 0; i < 3; i++) {
        char path[64];
        bench_ok("curve --synthetic random --sizes 32x32 --quiet %s", lines[i]);
        snprintf(path, sizeof path, "%c/lacunarity-random-32x32-boxlog-threshold128-curve.csv",
                 'a' + i);
        texts[i] = read_text(path);
    }
    assert_string_not_equal(texts[0], texts[1]);
    assert_string_not_equal(texts[0], texts[2]);
}

TEST(what_means_nothing_is_refused) {
    static const struct {
        const char *line;
        int code;
        const char *fragment;
    } cases[] = {
        {"curve", 2, "name saved curves"},
        {"curve --synthetic", 2, "--synthetic needs a value"},
        {"curve --synthetic cantors", 2, "did you mean 'cantor'?"},
        {"curve --synthetic even,", 2, "--synthetic: "},
        {"curve --algo lbp --synthetic even", 2, "lbp has no curve"},
        {"curve --synthetic even --variant opm", 2, "'opm' is no variant of lacunarity"},
        {"curve --synthetic even --box 0", 2, "0"},
        {"curve --synthetic even --sizes native", 2, "synthetic images have none"},
        {"curve --synthetic noise --density 0.5", 2, "--density: noise has none"},
        {"curve --synthetic even --frob", 2, "unknown option '--frob'"},
        {"curve missing-curve.csv", 5, "missing-curve.csv"},
        {"curve --input missing.png", 5, "missing.png"},
        {"curve empty", 5, "holds no …-curve.csv"},
        {"curve other.csv", 5, "has no column \"box\""},
        {"curve one.csv", 3, "no curve has two boxes"},
        {"curve two.csv --out other.csv/here", 5, "other.csv"},
    };
    write_file("other.csv", "bin,count\n0,1\n", 14);
    write_file("one.csv", "box,lambda\n1,2\n", 15);
    write_file("two.csv", "box,lambda\n1,2\n2,1\n", 19);
    assert_int_equal(system("mkdir empty"), 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Outcome outcome = bench("%s --quiet", cases[i].line);
        check_refused(outcome, cases[i].code, cases[i].fragment);
    }
    assert_int_equal(count_files(".part"), 0);
}

TEST(two_inputs_of_one_name_are_refused) {
    assert_int_equal(system("mkdir a b"), 0);
    write_file("a/x.pgm", "P2\n2 2\n255\n0 255 0 0\n", 21);
    write_file("b/x.pgm", "P2\n2 2\n255\n0 255 255 0\n", 23);
    check_refused(bench("curve --input a --input b --quiet"), 2, "two inputs would be saved as");
}

TEST(help_explains_every_option) {
    Outcome outcome = bench_ok("help curve");
    static const char *const flags[] = {"--synthetic KIND", "--input FILE|DIR", "--box LIST",
                                        "--threshold LIST", "--density SHARE",  "--out STEM"};
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        check_contains(outcome.out, flags[i]);
    }
}
