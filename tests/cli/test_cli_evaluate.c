/* `bench evaluate-descriptors` from outside: the table, its files, seeds, and each bad request's
 * line and exit code. */
#include <sys/stat.h>

#include "program.h"
#include "test.h"

enum { WIDTH = 260, HEIGHT = 220, SHIFT = 12 };

static void set_up(void) {
    folder_enter();
    static const char homography[] = "1 0 -12\n0 1 0\n0 0 1\n";
    assert_int_equal(mkdir("walls", 0700), 0);
    assert_int_equal(mkdir("none", 0700), 0);
    write_wall("walls/a.pgm", WIDTH, HEIGHT, 0, 0);
    write_wall("walls/b.pgm", WIDTH, HEIGHT, 3000, 0);
    write_wall("shifted.pgm", WIDTH, HEIGHT, SHIFT, 0);
    write_file("h.txt", homography, strlen(homography));
}

EACH_TEST(set_up, folder_leave);

static double field(const char *table, const char *method, int index) {
    char start[32];
    snprintf(start, sizeof start, "\n%s,", method);
    const char *line = strstr(table, start);
    assert_non_null(line);
    line++;
    for (; index > 0; index--) {
        line = strchr(line, ',');
        assert_non_null(line);
        line++;
    }
    return strtod(line, NULL);
}

enum {
    BITS = 1,
    IMAGES,
    PLACES,
    PAIRS,
    VERIFICATION,
    FALSE_AT_95,
    MATCHING,
    RETRIEVAL,
    SEED,
    SEEDS
};

TEST(a_folder_is_evaluated) {
    check_prints(bench("evaluate-descriptors walls --weights random --bits 256 --points 60 "
                       "--csv e.csv --json e.json"),
                 0, "2 images, ",
                 "\nmethod    bits  verification AP  false at 95%  matching mAP  "
                 "retrieval mAP\n",
                 "\nhashsift   256 ", "\nsift      1024 ");
    char *table = read_text("e.csv");
    check_contains(table,
                   "method,bits,images,places,pairs,verification_ap,false_at_95,matching_map,"
                   "retrieval_map,seed,seeds,verification_ap_low,verification_ap_high,");
    assert_true(field(table, "bad", IMAGES) == 2);
    assert_true(field(table, "bad", PAIRS) == 3 * field(table, "bad", PLACES));
    for (int i = VERIFICATION; i <= RETRIEVAL; i++) {
        assert_true(field(table, "sift", i) >= 0 && field(table, "sift", i) <= 1);
    }
    assert_true(field(table, "sift", VERIFICATION) > 0.5);
    assert_true(field(table, "sift", SEEDS) == 1);
    check_contains(table, ",1,1,,,,,,,,\n");
    char *json = read_text("e.json");
    check_contains(json, "\"format\":\t\"bench evaluation\"");
    check_contains(json, "\"retrieval_map\":");
    assert_null(strstr(json, "retrieval_map_low"));
}

/* A pair that is the same wall is distinguished nearly without mistakes; the same seed gives the
 * same numbers, and a range holds the one of each seed. */
TEST(a_pair_is_evaluated_over_seeds) {
    static const char *const same =
        "evaluate-descriptors walls/a.pgm shifted.pgm --homography h.txt "
        "--methods sift --points 80";
    for (int i = 0; i < 2; i++) {
        check_prints(bench("%s --csv %s.csv", same, i == 0 ? "one" : "again"), 0, "1 image, ");
    }
    Outcome outcome = bench_ok("%s --seeds 3 --csv three.csv --json three.json", same);
    check_contains(outcome.out, "Medians of 3 seeds, from 1 on");
    assert_null(strstr(outcome.out, "is better than"));
    char *one = read_text("one.csv"), *again = read_text("again.csv");
    char *three = read_text("three.csv"), *json = read_text("three.json");
    assert_string_equal(one, again);
    assert_true(field(one, "sift", VERIFICATION) > 0.9);
    assert_true(field(one, "sift", MATCHING) > 0.8);
    assert_true(field(three, "sift", SEEDS) == 3);
    for (int i = 0; i < 4; i++) {
        const double low = field(three, "sift", SEEDS + 1 + 2 * i);
        const double high = field(three, "sift", SEEDS + 2 + 2 * i);
        const double median = field(three, "sift", VERIFICATION + i);
        const double first = field(one, "sift", VERIFICATION + i);
        assert_true(low <= median && median <= high && low <= first && first <= high);
    }
    check_contains(json, "\"matching_map_high\":");
}

TEST(bad_requests_are_refused) {
    static const struct {
        const char *arguments, *why;
        int code;
    } cases[] = {
        {"", "evaluate-descriptors: name a folder of images, or two images", 2},
        {"a b", "which places of A and B are the same has to be known: give --homography FILE", 2},
        {"walls --homography h.txt", "--homography: name the two images that it joins", 2},
        {"a b c", "unexpected argument 'c'", 2},
        {"walls --methods surf", "--methods: 'surf' is no method (known: hashsift, bad, sift", 2},
        {"walls --methods bad,", "--methods", 2},
        {"walls --bits 128", "--bits: '128' is no number of bits", 2},
        {"walls --points 3", "--points: '3' is not a whole number from 8", 2},
        {"walls --seeds 0", "--seeds: '0' is not a whole number from 1 to 1000", 2},
        {"h.txt", "h.txt is no folder", 5},
        {"none", "none", 5},
        {"walls/a.pgm nowhere.pgm --homography h.txt", "nowhere.pgm", 5},
        {"walls/a.pgm shifted.pgm --homography walls/a.pgm", "walls/a.pgm: line 1", 5},
        {"walls --weights nowhere.csv", "nowhere.csv", 5},
        {"walls --csv walls/a.pgm", "walls/a.pgm", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_refused(bench("evaluate-descriptors %s", cases[i].arguments), cases[i].code,
                      cases[i].why);
    }
}

/* A folder without trained weights stands for a program installed without them. */
TEST(a_method_without_weights_is_left_out) {
    setenv("BENCH_WEIGHTS_DIR", ".", 1);
    check_prints(bench("evaluate-descriptors walls --points 20"), 0,
                 "\nbad is left out: there are no weights of bad for 512 bits", "\nsift    1024 ");
    check_refused(bench("evaluate-descriptors walls --points 20 --methods bad"), 6,
                  "there are no weights of bad for 512 bits");
    unsetenv("BENCH_WEIGHTS_DIR");
}
