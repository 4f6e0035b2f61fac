/* Variants that are other people's code, of the module tests/conformance/beside.c. How libraries
 * are called in Python is tested in tests/peers. */
#include <stdlib.h>
#include <string.h>

#include "program.h"
#include "test.h"

#define BESIDE                                                                                     \
    "run --plugin " BESIDE_MODULE " --algo beside --sizes 64x64 --reps 5 --no-roof --no-plot "

EACH_TEST(folder_enter, folder_leave);

TEST(they_are_swept_where_that_is_asked_for) {
    bench_ok(BESIDE "--launches 1 --out run");
    char *rows = read_text("run/results.csv");
    assert_null(strstr(rows, "beside,right,"));
    check_ends(bench(BESIDE "--launches 1 --peers --out with"), 4);
    check_file_has("with/results.csv", "beside,right,cpu,");
    check_file_has("with/results.json", "\"library\":\t\"Right 1.2.3\"");
}

/* Three quarters of the rows are equal: enough for 70%, not for 90%, and not without a difference.
 */
TEST(another_definition_is_held_to_its_share) {
    bench_ok(BESIDE "--variants seq,right,other --launches 2 --out run");
    check_file_has("run/results.json", "\"another_definition\":\t\"leaves rows out\"");
    check_file_has("run/results.json", "\"agreement\":\t0.75");
    Outcome outcome = bench("show run --all --plugin " BESIDE_MODULE);
    check_contains(outcome.out, "75.00%");
    check_contains(outcome.out, "other: Other 1.2.3, another definition (leaves rows out)");
    check_ends(bench(BESIDE "--variants seq,strict --launches 1 --out strict"), 4);
    check_ends(bench(BESIDE "--variants seq,wrong --launches 1 --out wrong"), 4);
    check_file_has("wrong/results.csv", "wrong answer");
}

TEST(a_stored_run_knows_them) {
    bench_ok(BESIDE "--variants seq,right --launches 1 --out run");
    Outcome outcome = bench_ok("show run --plugin " BESIDE_MODULE);
    check_contains(outcome.out, "Over the best other code at 64x64: CPU");
    check_contains(outcome.out, "Best CPU: seq.");
}

/* One that is compiled in stands behind the variants of its algorithm. */
TEST(a_list_of_variants_says_which_is_none) {
    Outcome outcome = bench_ok("list integral");
    check_contains(outcome.out, "other people's code (CUB)");
}

TEST(the_axis_of_a_peer_alone_is_an_option) {
    bench_ok("run --algo fast --variants seq,opencv --threads 1 --sizes 64x64 --dry-run");
}

/* Texts are broken between words as long as the table fits so. */
TEST(a_narrow_list_has_whole_names) {
    setenv("ASAN_OPTIONS", "detect_leaks=0", 1); /* what Python has at its end is Python's */
    Outcome outcome = bench_on_terminal(80, "peers");
    check_code(&outcome, 0);
    check_contains(outcome.out, "nppiIntegral_8u32s_C1R_Ctx\n");
}
