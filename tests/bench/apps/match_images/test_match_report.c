
#include <cjson/cJSON.h>

#include "bench/match_fixture.h"
#include "bench/scratch_folder.h"
#include "match_images_internal.h"
#include "status_checks.h"
#include "test.h"

static void check_printed(const ImageMatch *match, const char *want) {
    FILE *stream = test_stream();
    assert_string_equal(match_print(stream, match).why, "");
    char *text = test_text(stream);
    assert_string_equal(text, want);
}

TEST(the_table_says_what_was_found_and_how_long_it_took) {
    MatchFixture fixture;
    match_fixture(&fixture);
    check_printed(
        &fixture.match,
        "A: one.png, 40×30 pixels, 3 keypoints\n"
        "B: two.png, 40×30 pixels, 2 keypoints\n\n"
        "method  bits  keypoints A  keypoints B  mutual  inliers  correct  corners, px\n"
        "------  ----  -----------  -----------  ------  -------  -------  -----------\n"
        "bad      256            3            2       3        2        1         0.25\n\n"
        "Milliseconds: kernel time of each part and their sum; RANSAC on the host\n"
        "method  variant  detect A  detect B  describe A  describe B  match     sum  RANSAC\n"
        "------  -------  --------  --------  ----------  ----------  -----  ------  ------\n"
        "bad     omp         1.000     2.000       3.000       4.000  5.000  15.000   6.000\n");
}

/* Without the truth nothing is correct, and keypoints of files take no time. */
TEST(what_is_not_known_is_left_out) {
    MatchFixture fixture;
    match_fixture(&fixture);
    fixture.match.has_truth = false;
    fixture.match.methods[0].corner_error = NAN;
    fixture.match.inputs[1].keypoints.count = 1;
    for (int i = 0; i < 2; i++) {
        fixture.match.inputs[i].detect_seconds = NAN;
        fixture.match.keypoint_files[i] = i == 0 ? "some/one.csv" : "two.csv";
    }
    check_printed(&fixture.match,
                  "A: one.png, 40×30 pixels, 3 keypoints of one.csv\n"
                  "B: two.png, 40×30 pixels, 1 keypoint of two.csv\n\n"
                  "method  bits  keypoints A  keypoints B  mutual  inliers\n"
                  "------  ----  -----------  -----------  ------  -------\n"
                  "bad      256            3            1       3        2\n\n"
                  "Milliseconds: kernel time of each part and their sum; RANSAC on the host\n"
                  "method  variant  describe A  describe B  match     sum  RANSAC\n"
                  "------  -------  ----------  ----------  -----  ------  ------\n"
                  "bad     omp           3.000       4.000  5.000  12.000   6.000\n");
}

static void check_part(const ImageMatch *match, const char *want) {
    FILE *stream = test_stream();
    assert_string_equal(match_print(stream, match).why, "");
    char *text = test_text(stream);
    assert_says(text, want);
}

/* Bad's range ends where sift's begins, hashsift's lies above both. */
TEST(methods_are_ordered_where_ranges_of_seeds_do_not_overlap) {
    static const struct {
        MatchMethod method;
        size_t low, median, high;
    } ranges[] = {{METHOD_HASHSIFT, 553, 554, 557},
                  {METHOD_BAD, 519, 519, 522},
                  {METHOD_SIFT, 522, 523, 527}};
    MatchFixture fixture;
    match_fixture(&fixture);
    fixture.match.seeds = 20;
    fixture.match.count = 3;
    for (int i = 0; i < 3; i++) {
        MethodResult *method = &fixture.match.methods[i];
        *method = fixture.match.methods[0];
        method->method = ranges[i].method;
        method->inliers_low = ranges[i].low;
        method->ransac.inliers = ranges[i].median;
        method->inliers_high = ranges[i].high;
    }
    check_part(
        &fixture.match,
        "\nInliers over 20 seeds of RANSAC, from 5 on; all else is of the seed with the median\n"
        "method    least  median  most\n"
        "--------  -----  ------  ----\n"
        "hashsift    553     554   557\n"
        "bad         519     519   522\n"
        "sift        522     523   527\n"
        "hashsift finds more inliers than sift, bad\n"
        "between sift and bad it is undecided: their ranges overlap\n\n");
    fixture.match.methods[1].inliers_high = 521;
    check_part(&fixture.match, "\nsift finds more inliers than bad\n\n");
    fixture.match.methods[1].status = status_skip("there are no weights");
    check_part(&fixture.match, "\nhashsift finds more inliers than sift\n\n");
}

static void check_note(const ImageMatch *match, const char *want) {
    FILE *stream = test_stream();
    assert_string_equal(match_print(stream, match).why, "");
    char *text = test_text(stream);
    assert_true(strlen(text) > strlen(want));
    assert_string_equal(text + strlen(text) - strlen(want), want);
}

TEST(what_is_missing_is_said) {
    MatchFixture fixture;
    match_fixture(&fixture);
    MethodResult *method = &fixture.match.methods[0];
    method->ransac = (RansacResult){.found = false};
    check_note(&fixture.match, "bad: no homography: 3 mutual matches, and it takes 4\n");
    method->count = 1;
    check_note(&fixture.match, "bad: no homography: 1 mutual match, and it takes 4\n");
    method->count = 4;
    check_note(&fixture.match, "bad: no homography: no four of the matches determine one\n");
    method->status = status_skip("there are no weights");
    check_note(&fixture.match, "bad is left out: there are no weights\n");
}

static void check_file(const char *name, const char *want) {
    assert_string_equal(test_read(name), want);
}

TEST(files_have_a_line_for_each_method_and_match) {
    MatchFixture fixture;
    match_fixture(&fixture);
    assert_ok(match_write(test_folder, &fixture.match, 1));
    check_file("match.csv",
               "method,bits,detect_variant,describe_variant,match_variant,keypoints_a,keypoints_b,"
               "mutual,inliers,correct,corner_error_px,detect_a_ms,detect_b_ms,describe_a_ms,"
               "describe_b_ms,match_ms,kernels_ms,ransac_ms,h11,h12,h13,h21,h22,h23,h31,h32,h33,"
               "seeds,seed,inliers_low,inliers_high\n"
               "bad,256,simd,omp,seq,3,2,3,2,1,0.25,1,2,3,4,5,15,6,1,0,0.25,0,1,0,0,0,1,1,5,,\n");
    check_file("matches-bad.csv", "xa,ya,xb,yb,distance,inlier,correct\n"
                                  "10,5,10,5,7,1,1\n10,15,10.5,15,8,1,0\n10,25,10,25,9,0,0\n");
    char *image = test_read("matches-bad.png");
    assert_memory_equal(image, "\x89PNG", 4);
    assert_int_equal(scratch_count(test_folder), 4);
}

TEST(files_have_ranges_of_seeds) {
    MatchFixture fixture;
    match_fixture(&fixture);
    fixture.match.seeds = 20;
    fixture.match.methods[0].seed = UINT64_MAX;
    fixture.match.methods[0].inliers_high = 3;
    assert_ok(match_write(test_folder, &fixture.match, 1));
    char *text = test_read("match.csv");
    assert_says(text, ",0,0,0,1,20,18446744073709551615,2,3\n");
    text = test_read("match.json");
    cJSON *root = cJSON_Parse(text);
    assert_non_null(root);
    assert_string_equal(cJSON_GetObjectItem(root, "format")->valuestring, "bench match");
    assert_string_equal(cJSON_GetObjectItem(root, "ransac")->valuestring, "local");
    assert_int_equal(cJSON_GetObjectItem(root, "seeds")->valueint, 20);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(root, "images")), 2);
    const cJSON *method = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "methods"), 0);
    assert_string_equal(cJSON_GetObjectItem(method, "method")->valuestring, "bad");
    assert_string_equal(cJSON_GetObjectItem(method, "seed")->valuestring, "18446744073709551615");
    assert_int_equal(cJSON_GetObjectItem(method, "inliers")->valueint, 2);
    assert_int_equal(cJSON_GetObjectItem(method, "inliers_low")->valueint, 2);
    assert_int_equal(cJSON_GetObjectItem(method, "inliers_high")->valueint, 3);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(method, "homography")), 9);
    cJSON_Delete(root);
}

TEST(files_leave_out_what_is_not_known) {
    MatchFixture fixture;
    match_fixture(&fixture);
    MethodResult *methods = fixture.match.methods;
    fixture.match.has_truth = false;
    fixture.match.detector = NULL;
    fixture.match.count = 2;
    methods[1] = (MethodResult){.method = METHOD_SIFT, .status = status_skip("no such weights")};
    methods[0].count = 1;
    methods[0].ransac = (RansacResult){.found = false};
    methods[0].corner_error = methods[0].match_seconds = methods[0].ransac_seconds = NAN;
    for (int i = 0; i < 2; i++) {
        fixture.match.inputs[i].detect_seconds = NAN;
    }
    assert_ok(match_write(test_folder, &fixture.match, 1));
    char *text = test_read("match.csv");
    assert_says(text, "\nbad,256,,omp,seq,3,2,1,0,,,,,3,4,,7,,,,,,,,,,,1,5,,\n");
    assert_null(strstr(text, "sift"));
    check_file("matches-bad.csv", "xa,ya,xb,yb,distance,inlier\n10,5,10,5,7,1\n");
    assert_int_equal(scratch_count(test_folder), 4);
    scratch_remove_tree(test_folder);
    assert_status(match_write(test_folder, &fixture.match, 1), STATUS_FILE, "match.csv");
}
