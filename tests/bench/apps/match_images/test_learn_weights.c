/* The trained weights of the repository: how many matches of the Oxford graf pair, which they were
 * not learnt from, they get right, next to the published and to random ones. */
#include <unistd.h>

#include "graf_pair.h"
#include "test.h"

/* Correct matches by method. `weights` NULL: the trained ones. */
static void count_correct(const char *bits, const char *weights, size_t correct[MATCH_METHODS]) {
    MatchRequest request = graf_request(bits, weights);
    RELEASED_BY(image_match_release) ImageMatch match;
    request.methods |= 1 << METHOD_ORB;
    assert_ok(image_match_run(&request, &match));
    assert_int_equal(match.count, 3);
    for (size_t i = 0; i < match.count; i++) {
        assert_ok(match.methods[i].status);
        correct[match.methods[i].method] = match.methods[i].correct;
    }
}

static void skip_without_data(void) {
    need_graf();
    setenv("BENCH_WEIGHTS_DIR", BENCH_SOURCE_DIR "/datasets/descriptors", 1);
}

/* Published: hashsift-512 422, bad-512 372. */
TEST(trained_weights_of_512_bits_hold_their_own) {
    size_t trained[MATCH_METHODS], random[MATCH_METHODS];
    skip_without_data();
    count_correct("512", NULL, trained);
    count_correct("512", "random", random);
    assert_true(trained[METHOD_HASHSIFT] >= 401);
    assert_true(trained[METHOD_HASHSIFT] > 372);
    assert_true(trained[METHOD_HASHSIFT] > trained[METHOD_BAD]);
    assert_true(trained[METHOD_HASHSIFT] > random[METHOD_HASHSIFT]);
    assert_true(trained[METHOD_BAD] >= 353);
    assert_true(trained[METHOD_BAD] > random[METHOD_BAD]);
}

/* Published: hashsift-256 416, bad-256 329, orb with OpenCV's pairs 228. */
TEST(trained_weights_of_256_bits_hold_their_own) {
    size_t trained[MATCH_METHODS], random[MATCH_METHODS];
    skip_without_data();
    count_correct("256", NULL, trained);
    count_correct("256", "random", random);
    assert_true(trained[METHOD_HASHSIFT] >= 395);
    assert_true(trained[METHOD_HASHSIFT] > random[METHOD_HASHSIFT]);
    assert_true(trained[METHOD_BAD] >= 312);
    assert_true(trained[METHOD_BAD] > random[METHOD_BAD]);
    assert_true(trained[METHOD_ORB] > 228);
    assert_true(trained[METHOD_ORB] > random[METHOD_ORB]);
}
