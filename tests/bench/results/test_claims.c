/* Claims of a run judged by another one: numbers, sides, orders, crossovers, and what is missing.
 */
#include "claim.h"
#include "claims.h"
#include "random.h"
#include "results.h"
#include "sample_results.h"
#include "table.h"
#include "test.h"
#include "variant.h"
#include "words.h"

enum { LAUNCHES = 6 };

static const char *const sizes[] = {"10x10", "20x20", "30x30", "40x40"};

static Row cell(const char *variant, size_t size) {
    Row row = sample_row(variant);
    row.status = CELL_OK;
    row.verified = true;
    row.width = row.height = 10 * ((int32_t)size + 1);
    snprintf(row.size_name, sizeof row.size_name, "%s", sizes[size]);
    return row;
}

/* A cell with one sample of so many milliseconds in each launch; end to end takes 100 times as
 * long on a device. */
static void add(Results *results, const char *variant, size_t size, const double *milliseconds,
                size_t launches) {
    Row row = cell(variant, size);
    const double copies = strncmp(variant, "cuda", 4) == 0 ? 100 : 1;
    for (size_t i = 0; i < launches; i++) {
        row.kernel.origin.launch = row.end_to_end.origin.launch = (uint32_t)i;
        assert_ok(samples_add(&row.kernel, 1e-3 * milliseconds[i]));
        assert_ok(samples_add(&row.end_to_end, copies * 1e-3 * milliseconds[i]));
    }
    assert_ok(results_add(results, &row));
}

/* Launches at 0.98, 0.99, 1, 1, 1.01 and 1.02 of the time. */
static void add_six(Results *results, const char *variant, size_t size, double milliseconds) {
    static const double launches[LAUNCHES] = {1, 1.01, 0.99, 1, 1.02, 0.98};
    double values[LAUNCHES];
    for (size_t i = 0; i < LAUNCHES; i++) {
        values[i] = milliseconds * launches[i];
    }
    add(results, variant, size, values, LAUNCHES);
}

static void add_flat(Results *results, const char *variant, size_t size, double milliseconds) {
    const double values[LAUNCHES] = {milliseconds, milliseconds, milliseconds,
                                     milliseconds, milliseconds, milliseconds};
    add(results, variant, size, values, LAUNCHES);
}

typedef struct Pair {
    Results claimed, here;
    ClaimList list;
} Pair;

static void judge(Pair *pair, bool same_machine) {
    const RunClaims claims = {
        .claimed = &pair->claimed, .here = &pair->here, .same_machine = same_machine};
    claims_release(&pair->list);
    assert_ok(run_claims_judge(&claims, &pair->list));
}

static void pair_release(Pair *pair) {
    results_release(&pair->claimed);
    results_release(&pair->here);
    claims_release(&pair->list);
}

/* NULL: there is no such claim. */
static const JudgedClaim *find(const Pair *pair, const char *text, const char *place) {
    for (size_t i = 0; i < pair->list.count; i++) {
        const JudgedClaim *claim = &pair->list.items[i];
        if (strcmp(claim->text, text) == 0 && strcmp(claim->place, place) == 0) {
            return claim;
        }
    }
    return NULL;
}

static const JudgedClaim *check(const Pair *pair, const char *text, const char *place,
                                ClaimVerdict verdict) {
    const JudgedClaim *claim = find(pair, text, place);
    if (claim == NULL) {
        fail_msg("no claim '%s' at '%s'", text, place);
    } else if (claim->verdict != verdict) {
        fail_msg("'%s' at '%s': verdict %d and not %d: %s claimed, %s here, %s", text, place,
                 (int)claim->verdict, (int)verdict, claim->claimed, claim->here, claim->why);
    }
    return claim;
}

#define SPEEDUP "cuda_fast over the best CPU, kernel time"
#define CROSSOVER "cuda_fast against the best CPU, kernel time"

/* simd 10 ms and cuda_fast 1 ms: 10×, 9.80 to 10.2. */
static void claim_ten(Results *claimed) {
    add_flat(claimed, "simd", 0, 10);
    add_six(claimed, "cuda_fast", 0, 1);
}

/* The interval of the change ends at 9.35/9.80 = 0.953 and at 9.26/9.80 = 0.944 < 1/1.05. */
TEST(a_speedup_fails_where_the_change_is_wholly_beyond_five_percent) {
    const double times[] = {1.07, 1.08};
    const ClaimVerdict verdicts[] = {CLAIM_HOLDS, CLAIM_FAILS};
    for (size_t i = 0; i < 2; i++) {
        RELEASED_BY(pair_release) Pair pair = {.claimed = {.rows = NULL}};
        claim_ten(&pair.claimed);
        add_flat(&pair.here, "simd", 0, 10);
        add_flat(&pair.here, "cuda_fast", 0, times[i]);
        judge(&pair, true);
        const JudgedClaim *claim = check(&pair, SPEEDUP, "10x10", verdicts[i]);
        assert_string_equal(claim->of, "lbp, texture");
        assert_string_equal(claim->claimed, "10.0× faster (9.80 to 10.2)");
        assert_string_equal(claim->why,
                            i == 0 ? "a change of the factor by 1.09× is not excluded"
                                   : "against the best CPU 1.08× slower here than claimed");
    }
}

/* It is nearer to the best CPU: 10.0× slower became 9.26× slower. */
TEST(a_loss_that_became_less_is_not_called_a_greater_factor) {
    RELEASED_BY(pair_release) Pair pair = {.claimed = {.rows = NULL}};
    add_flat(&pair.claimed, "simd", 0, 1);
    add_six(&pair.claimed, "cuda_fast", 0, 10);
    add_flat(&pair.here, "simd", 0, 1.08);
    add_flat(&pair.here, "cuda_fast", 0, 10);
    judge(&pair, true);
    const JudgedClaim *claim = check(&pair, SPEEDUP, "10x10", CLAIM_FAILS);
    assert_string_equal(claim->claimed, "10.0× slower (9.80 to 10.2)");
    assert_string_equal(claim->why, "against the best CPU 1.08× faster here than claimed");
}

/* Both ways, end to end as well: 100 ms against 10 ms on the CPU. */
TEST(a_loss_is_a_claim_too) {
    RELEASED_BY(pair_release) Pair pair = {.claimed = {.rows = NULL}};
    claim_ten(&pair.claimed);
    claim_ten(&pair.here);
    judge(&pair, true);
    const JudgedClaim *claim =
        check(&pair, "cuda_fast over the best CPU, with copies", "10x10", CLAIM_HOLDS);
    assert_string_equal(claim->claimed, "10.0× slower (9.80 to 10.2)");
    assert_null(find(&pair, "simd over the best CPU, kernel time", "10x10"));
    assert_int_equal(claims_exit_code(&pair.list), EXIT_OK);
}

/* One launch with eight samples of 0.98 to 1.02 of the time. */
static void add_once(Results *results, const char *variant, size_t size, double milliseconds) {
    static const double samples[] = {1, 1.01, 0.99, 1, 1.02, 0.98, 1, 1.005};
    Row row = cell(variant, size);
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        assert_ok(samples_add(&row.kernel, 1e-3 * milliseconds * samples[i]));
    }
    assert_ok(results_add(results, &row));
}

/* It has a side in its run, which others may confirm; of a single sample it has none. */
TEST(one_launch_has_a_side_in_its_run) {
    RELEASED_BY(pair_release) Pair pair = {.claimed = {.rows = NULL}};
    add_once(&pair.claimed, "simd", 0, 10);
    add_once(&pair.claimed, "cuda_fast", 0, 1);
    add(&pair.claimed, "simd", 1, (const double[]){10}, 1);
    add(&pair.claimed, "cuda_fast", 1, (const double[]){8}, 1);
    for (size_t size = 0; size < 2; size++) {
        add_flat(&pair.here, "simd", size, 10);
        add_six(&pair.here, "cuda_fast", size, 2);
    }
    judge(&pair, true);
    const JudgedClaim *claim = check(&pair, SPEEDUP, "10x10", CLAIM_HOLDS);
    assert_says(claim->claimed, "10.0× faster (");
    assert_says(claim->claimed, " in this run)");
    assert_string_equal(claim->why, "too few launches to compare the factors");
    claim = check(&pair, SPEEDUP, "20x20", CLAIM_UNTESTED);
    assert_string_equal(claim->claimed, "undecided");
}

/* Ten turns of one launch, each a little slower or faster than the one before. */
static void add_noisy(Results *results, const char *variant, double milliseconds, uint64_t noise) {
    Row row = cell(variant, 0);
    Random random;
    random_seed(&random, noise);
    for (size_t i = 0; i < 10; i++) {
        assert_ok(samples_add(&row.kernel, 1e-3 * milliseconds * (1 + 0.2 * random_unit(&random))));
    }
    assert_ok(results_add(results, &row));
}

static void add_noisy_run(Results *results, uint64_t seed) {
    add_noisy(results, "simd", 10, 1);
    add_noisy(results, "cuda_fast", 1, 2);
    results_derive(results, seed);
}

static void check_as_in_tables(const Results *results, const char *claimed) {
    const Ratio ratio = row_ratio(&results->rows[1], OVER_BEST_CPU, TIME_KERNEL);
    char words[NUMBER_WORDS_SIZE];
    faster_text(&ratio, words);
    assert_says(words, " in this run)");
    assert_string_equal(claimed, words);
}

/* Draws of one seed differ from those of another, and claims have those of the tables. */
TEST(one_launch_has_the_interval_of_the_tables) {
    char first[NUMBER_WORDS_SIZE] = "";
    bool differ = false;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        RELEASED_BY(pair_release) Pair pair = {.claimed = {.rows = NULL}};
        add_noisy_run(&pair.claimed, seed);
        add_noisy_run(&pair.here, seed + 10);
        judge(&pair, true);
        const JudgedClaim *claim = check(&pair, SPEEDUP, "10x10", CLAIM_HOLDS);
        check_as_in_tables(&pair.claimed, claim->claimed);
        check_as_in_tables(&pair.here, claim->here);
        differ |= first[0] != '\0' && strcmp(first, claim->claimed) != 0;
        snprintf(first, sizeof first, "%s", claim->claimed);
    }
    assert_true(differ);
}

/* The claim fails by six launches here, not by one. */
TEST(one_launch_contradicts_nothing) {
    for (int launches = 1; launches <= LAUNCHES; launches += LAUNCHES - 1) {
        RELEASED_BY(pair_release) Pair pair = {.claimed = {.rows = NULL}};
        add_once(&pair.claimed, "simd", 0, 10);
        add_once(&pair.claimed, "cuda_fast", 0, 1);
        if (launches == 1) {
            add_once(&pair.here, "simd", 0, 10);
            add_once(&pair.here, "cuda_fast", 0, 30);
        } else {
            add_flat(&pair.here, "simd", 0, 10);
            add_six(&pair.here, "cuda_fast", 0, 30);
        }
        judge(&pair, true);
        const JudgedClaim *claim =
            check(&pair, SPEEDUP, "10x10", launches == 1 ? CLAIM_UNTESTED : CLAIM_FAILS);
        assert_string_equal(claim->why,
                            launches == 1
                                ? "it is the other way round here, which one launch does not show"
                                : "it is the other way round here");
    }
}

/* Of three launches from 0.9 to 1.3 nobody is ahead; of two from 7.7 to 9.1 one is, but by how much
 * is not compared. */
TEST(few_launches_have_a_range_and_a_side_by_it) {
    static const double three[] = {9, 10, 13}, as_three[] = {11.7, 10, 11.7};
    RELEASED_BY(pair_release) Pair pair = {.claimed = {.rows = NULL}};
    add(&pair.claimed, "simd", 1, as_three, 3);
    add(&pair.claimed, "cuda_fast", 1, three, 3);
    claim_ten(&pair.claimed);
    add(&pair.here, "simd", 0, (const double[]){10, 10}, 2);
    add(&pair.here, "cuda_fast", 0, (const double[]){1.1, 1.3}, 2);
    judge(&pair, true);
    assert_string_equal(find(&pair, SPEEDUP, "20x20")->claimed, "undecided (range 0.900 to 1.30)");
    const JudgedClaim *claim = check(&pair, SPEEDUP, "10x10", CLAIM_HOLDS);
    assert_string_equal(claim->here, "8.39× faster (range 7.69 to 9.09)");
    assert_string_equal(claim->why, "too few launches to compare the factors");
}

/* 2.5× to 20×: faster, by an unknown factor. */
TEST(launches_that_differ_much_have_a_side_alone) {
    static const double wild[LAUNCHES] = {0.5, 4, 1, 2, 0.7, 3};
    RELEASED_BY(pair_release) Pair pair = {.claimed = {.rows = NULL}};
    claim_ten(&pair.claimed);
    add_flat(&pair.here, "simd", 0, 10);
    add(&pair.here, "cuda_fast", 0, wild, LAUNCHES);
    judge(&pair, true);
    const JudgedClaim *claim = check(&pair, SPEEDUP, "10x10", CLAIM_HOLDS);
    assert_says(claim->why, "a change of the factor by");
}

/* 3.3× for 10× is another machine, not a claim that fails; 1.2× slower is. */
TEST(another_machine_tests_the_side_alone) {
    static const struct {
        double claimed, here;
        ClaimVerdict verdict;
        const char *why;
    } cases[] = {
        {1, 3, CLAIM_HOLDS, ""},
        {1, 12, CLAIM_FAILS, "it is the other way round here"},
        {1, 10, CLAIM_FAILS, "no such difference here"},
        {1, 9.9, CLAIM_FAILS, "no such difference here"},
        {9.7, 10, CLAIM_UNTESTED, "undecided here"},
        {10, 3, CLAIM_UNTESTED, "no side was claimed ahead"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        RELEASED_BY(pair_release) Pair pair = {.claimed = {.rows = NULL}};
        add_flat(&pair.claimed, "simd", 0, 10);
        add_six(&pair.claimed, "cuda_fast", 0, cases[i].claimed);
        add_flat(&pair.here, "simd", 0, 10);
        add_six(&pair.here, "cuda_fast", 0, cases[i].here);
        judge(&pair, false);
        const JudgedClaim *claim = check(&pair, SPEEDUP, "10x10", cases[i].verdict);
        assert_string_equal(claim->why, cases[i].why);
    }
}

/* cuda_fast 1, cuda_tiled 1.01 with overlapping launches, simd 10: only the last pair is claimed.
 */
TEST(ties_are_no_claims_of_order) {
    RELEASED_BY(pair_release) Pair pair = {.claimed = {.rows = NULL}};
    claim_ten(&pair.claimed);
    add(&pair.claimed, "cuda_tiled", 0, (const double[]){1.03, 0.99, 1.01, 1.02, 1, 1.01},
        LAUNCHES);
    add_flat(&pair.here, "simd", 0, 10);
    add_six(&pair.here, "cuda_fast", 0, 1);
    add_six(&pair.here, "cuda_tiled", 0, 20);
    judge(&pair, true);
    assert_null(find(&pair, "cuda_fast faster than cuda_tiled, kernel time", "10x10"));
    assert_null(find(&pair, "cuda_fast faster than simd, kernel time", "10x10"));
    check(&pair, "cuda_tiled faster than simd, kernel time", "10x10", CLAIM_FAILS);
    assert_int_equal(claims_exit_code(&pair.list), EXIT_REGRESSION);
}

/* The fastest tuning point counts, on both sides another one; so does the best CPU. */
TEST(the_fastest_tuning_and_cpu_of_each_run_count) {
    RELEASED_BY(pair_release) Pair pair = {.claimed = {.rows = NULL}};
    add_flat(&pair.claimed, "cuda_fast", 0, 4);
    add_flat(&pair.claimed, "cuda_fast", 0, 1);
    add_flat(&pair.claimed, "simd", 0, 10);
    add_flat(&pair.claimed, "seq", 0, 12);
    add_flat(&pair.here, "cuda_fast", 0, 1.25);
    add_flat(&pair.here, "cuda_fast", 0, 5);
    add_flat(&pair.here, "simd", 0, 15);
    add_flat(&pair.here, "seq", 0, 12.5);
    judge(&pair, true);
    const JudgedClaim *claim = check(&pair, SPEEDUP, "10x10", CLAIM_HOLDS);
    assert_string_equal(claim->here, "10.0× faster");
    claim = check(&pair, "seq over the best CPU, kernel time", "10x10", CLAIM_FAILS);
    assert_string_equal(claim->claimed, "1.20× slower");
    assert_string_equal(claim->here, "the best CPU itself");
    check(&pair, "simd faster than seq, kernel time", "10x10", CLAIM_FAILS);
}

/* Where a cell is the best CPU by luck alone, the same pair is undecided in both of its claims. */
TEST(the_best_cpu_by_luck_contradicts_nothing) {
    RELEASED_BY(pair_release) Pair pair = {.claimed = {.rows = NULL}};
    add_flat(&pair.claimed, "simd", 0, 10);
    add_flat(&pair.claimed, "seq", 0, 13);
    add(&pair.here, "simd", 0, (double[]){10, 11, 10, 12, 9, 12}, LAUNCHES);
    add(&pair.here, "seq", 0, (double[]){11, 10, 11, 10, 10, 11}, LAUNCHES);
    judge(&pair, false);
    check(&pair, "seq over the best CPU, kernel time", "10x10", CLAIM_UNTESTED);
    check(&pair, "simd faster than seq, kernel time", "10x10", CLAIM_UNTESTED);
}

/* In each launch the CPU cell counts that the other five find fastest: simd where seq has 9 ms, seq
 * where it has 11; 10, 10, 10, 11, 11 and 11 ms. */
TEST(the_luck_of_a_launch_makes_no_best_cpu) {
    RELEASED_BY(pair_release) Pair pair = {.claimed = {.rows = NULL}};
    add_flat(&pair.claimed, "simd", 0, 10);
    add(&pair.claimed, "seq", 0, (double[]){9, 9, 9, 11, 11, 11}, LAUNCHES);
    add_flat(&pair.claimed, "cuda_fast", 0, 1);
    judge(&pair, true);
    const JudgedClaim *claim = find(&pair, SPEEDUP, "10x10");
    assert_non_null(claim);
    assert_string_equal(claim->claimed, "10.5× faster (10.0 to 11.0)");
}

/* --- Missing ---------------------------------------------------------------------------------- */

static void add_without_time(Results *results, const char *variant, CellStatus status,
                             const char *why) {
    Row row = cell(variant, 0);
    row.status = status;
    row.verified = false;
    snprintf(row.why, sizeof row.why, "%s", why);
    assert_ok(results_add(results, &row));
}

TEST(a_skipped_cell_tests_nothing_and_says_why) {
    RELEASED_BY(pair_release) Pair pair = {.claimed = {.rows = NULL}};
    claim_ten(&pair.claimed);
    add_flat(&pair.here, "simd", 0, 10);
    add_without_time(&pair.here, "cuda_fast", CELL_SKIP, "no CUDA device");
    judge(&pair, true);
    assert_string_equal(check(&pair, SPEEDUP, "10x10", CLAIM_UNTESTED)->why, "no CUDA device");
    assert_string_equal(
        check(&pair, "cuda_fast faster than simd, kernel time", "10x10", CLAIM_UNTESTED)->why,
        "no CUDA device");
    assert_int_equal(claims_exit_code(&pair.list), EXIT_NO_SAMPLE);
}

TEST(a_wrong_answer_does_not_hold) {
    RELEASED_BY(pair_release) Pair pair = {.claimed = {.rows = NULL}};
    claim_ten(&pair.claimed);
    add_flat(&pair.here, "simd", 0, 10);
    add_without_time(&pair.here, "cuda_fast", CELL_FAIL, "wrong in 3 of 100 elements");
    judge(&pair, false);
    assert_string_equal(check(&pair, SPEEDUP, "10x10", CLAIM_FAILS)->why,
                        "wrong in 3 of 100 elements");
}

TEST(a_speedup_needs_the_best_cpu_of_the_claim) {
    RELEASED_BY(pair_release) Pair pair = {.claimed = {.rows = NULL}};
    claim_ten(&pair.claimed);
    add_flat(&pair.here, "seq", 0, 200);
    add_six(&pair.here, "cuda_fast", 0, 1);
    judge(&pair, true);
    assert_string_equal(check(&pair, SPEEDUP, "10x10", CLAIM_UNTESTED)->why,
                        "simd: it was not measured here");
}

TEST(another_input_tests_nothing) {
    RELEASED_BY(pair_release) Pair pair = {.claimed = {.rows = NULL}};
    claim_ten(&pair.claimed);
    claim_ten(&pair.here);
    pair.here.rows[1].input_hash = 1;
    judge(&pair, true);
    assert_string_equal(
        check(&pair, SPEEDUP, "10x10", CLAIM_UNTESTED)->why,
        "the input is another: hash fedcba9876543210 claimed, 0000000000000001 here");
}

static const char *no_device(void *context, const Row *row) {
    (void)context;
    return variant_is_on_cpu(row->variant) ? NULL : "no CUDA device";
}

static bool is_simd_or_seq(void *context, const Row *row) {
    (void)context;
    return variant_is_on_cpu(row->variant);
}

TEST(before_measuring_a_claim_is_open_or_has_a_reason) {
    RELEASED_BY(pair_release) Pair pair = {.claimed = {.rows = NULL}};
    claim_ten(&pair.claimed);
    add_flat(&pair.claimed, "seq", 0, 200);
    RunClaims claims = {.claimed = &pair.claimed, .missing = no_device};
    assert_ok(run_claims_judge(&claims, &pair.list));
    assert_string_equal(check(&pair, SPEEDUP, "10x10", CLAIM_UNTESTED)->why, "no CUDA device");
    check(&pair, "seq over the best CPU, kernel time", "10x10", CLAIM_OPEN);
    assert_int_equal(claims_exit_code(&pair.list), EXIT_OK);
    claims_release(&pair.list);
    claims.wanted = is_simd_or_seq;
    assert_ok(run_claims_judge(&claims, &pair.list));
    assert_null(find(&pair, SPEEDUP, "10x10"));
    check(&pair, "simd faster than seq, kernel time", "10x10", CLAIM_OPEN);
}

TEST(copy_claims_nothing) {
    RELEASED_BY(pair_release) Pair pair = {.claimed = {.rows = NULL}};
    claim_ten(&pair.claimed);
    for (size_t i = 0; i < pair.claimed.count; i++) {
        pair.claimed.rows[i].algorithm = registry_find_algorithm("copy");
    }
    judge(&pair, true);
    assert_int_equal(pair.list.count, 0);
}

/* --- Crossovers ------------------------------------------------------------------------------- */

/* simd takes 10 ms at every size; cuda_fast as said, 0: not measured. */
static void add_curve(Results *results, const double times[4]) {
    for (size_t i = 0; i < 4; i++) {
        add_flat(results, "simd", i, 10);
        if (times[i] > 0) {
            add_six(results, "cuda_fast", i, times[i]);
        }
    }
}

static void check_crossover(const double claimed[4], const double here[4], bool same_machine,
                            ClaimVerdict verdict, const char *text, const char *why) {
    RELEASED_BY(pair_release) Pair pair = {.claimed = {.rows = NULL}};
    add_curve(&pair.claimed, claimed);
    add_curve(&pair.here, here);
    judge(&pair, same_machine);
    const JudgedClaim *claim = check(&pair, CROSSOVER, "", verdict);
    assert_string_equal(claim->claimed, text);
    assert_string_equal(claim->why, why);
}

static const double gets_ahead[] = {30, 20, 5, 2}, sooner[] = {30, 5, 5, 2};
static const double ahead[] = {5, 5, 5, 2}, behind[] = {30, 30, 20, 15};
static const double falls_behind[] = {2, 5, 20, 30}, one_tie[] = {30, 10, 5, 2};
static const double not_the_last[] = {30, 20, 15, 0}, tie_at_change[] = {30, 20, 10, 2};
static const double mixed[] = {30, 5, 20, 2};

TEST(a_crossover_lies_between_the_same_sizes) {
    const char *const text = "ahead from 30x30 on";
    check_crossover(gets_ahead, gets_ahead, true, CLAIM_HOLDS, text, "");
    check_crossover(gets_ahead, sooner, true, CLAIM_FAILS, text,
                    "20x20: it is the other way round here");
    check_crossover(gets_ahead, behind, true, CLAIM_FAILS, text,
                    "30x30: it is the other way round here");
    check_crossover(gets_ahead, tie_at_change, true, CLAIM_FAILS, text,
                    "30x30: no such difference here");
    check_crossover(one_tie, sooner, true, CLAIM_HOLDS, "ahead from 30x30 on; as fast at 20x20",
                    "");
    check_crossover(falls_behind, falls_behind, true, CLAIM_HOLDS, "ahead up to 20x20", "");
    check_crossover(falls_behind, gets_ahead, true, CLAIM_FAILS, "ahead up to 20x20",
                    "10x10: it is the other way round here");
}

/* The last size is beyond the change. */
TEST(only_the_sizes_around_the_change_are_needed) {
    static const double without_last[] = {30, 20, 5, 0}, without_third[] = {30, 20, 0, 2};
    const char *const text = "ahead from 30x30 on";
    check_crossover(gets_ahead, without_last, true, CLAIM_HOLDS, text, "");
    check_crossover(gets_ahead, without_third, true, CLAIM_UNTESTED, text,
                    "30x30: it was not measured here");
}

TEST(always_and_never_are_about_every_size) {
    static const double ahead_but_last[] = {5, 5, 5, 0}, behind_but_last[] = {30, 30, 20, 0};
    check_crossover(ahead, ahead, true, CLAIM_HOLDS, "ahead at every size", "");
    check_crossover(ahead, ahead_but_last, true, CLAIM_UNTESTED, "ahead at every size",
                    "40x40: it was not measured here");
    check_crossover(behind, behind, false, CLAIM_HOLDS, "ahead at no size", "");
    check_crossover(behind, behind_but_last, false, CLAIM_UNTESTED, "ahead at no size",
                    "40x40: it was not measured here");
    check_crossover(behind, gets_ahead, true, CLAIM_FAILS, "ahead at no size",
                    "30x30: it is the other way round here");
}

TEST(on_another_machine_a_crossover_may_lie_elsewhere) {
    const char *const text = "ahead from 30x30 on";
    check_crossover(gets_ahead, sooner, false, CLAIM_HOLDS, text, "");
    check_crossover(gets_ahead, ahead, false, CLAIM_FAILS, text, "another crossover");
    check_crossover(gets_ahead, falls_behind, false, CLAIM_FAILS, text, "another crossover");
    check_crossover(gets_ahead, mixed, false, CLAIM_FAILS, text, "another crossover");
    check_crossover(gets_ahead, not_the_last, false, CLAIM_UNTESTED, text,
                    "40x40: it was not measured here");
}

TEST(a_crossover_that_changes_twice_is_no_claim) {
    RELEASED_BY(pair_release) Pair pair = {.claimed = {.rows = NULL}};
    add_curve(&pair.claimed, mixed);
    add_curve(&pair.here, mixed);
    judge(&pair, true);
    assert_null(find(&pair, CROSSOVER, ""));
}

/* --- Printing --------------------------------------------------------------------------------- */

static char *printed(const ClaimList *list) {
    FILE *stream = test_stream();
    assert_ok(claims_print(stream, list, table_print_markdown));
    return test_text(stream);
}

static void add_judged(ClaimList *list, ClaimVerdict verdict, const char *why) {
    assert_ok(claims_add(list, &(JudgedClaim){.of = "lbp, a\033[2J|b",
                                              .place = "4K",
                                              .text = "x faster than y",
                                              .claimed = "2×",
                                              .here = "1×",
                                              .why = why,
                                              .verdict = verdict}));
}

TEST(the_end_names_what_does_not_hold_and_counts) {
    ClaimList list = {.items = NULL};
    add_judged(&list, CLAIM_HOLDS, NULL);
    add_judged(&list, CLAIM_UNTESTED, "no CUDA device");
    add_judged(&list, CLAIM_FAILS, "both are equal here");
    add_judged(&list, CLAIM_UNTESTED, "no CUDA device");
    char *text = printed(&list);
    assert_null(strchr(text, '\033'));
    assert_says(text, "does not hold: lbp, a\\x1b[2J|b, 4K: x faster than y; claimed: 2×; "
                      "here: 1×; both are equal here\n"
                      "cannot be tested here (2): no CUDA device\n"
                      "1 of 2 tested claims hold here, 1 does not; 2 more cannot be tested "
                      "here\n");
    claims_release(&list);
    add_judged(&list, CLAIM_UNTESTED, "no CUDA device");
    text = printed(&list);
    assert_says(text, "no claim was tested; 1 cannot be tested here\n");
    claims_release(&list);
}

/* A column of its own where it is told, and a key. */
TEST(claims_may_name_their_launches) {
    RELEASED_BY(claims_release) ClaimList list = {.items = NULL};
    add_judged(&list, CLAIM_HOLDS, NULL);
    char *text = printed(&list);
    assert_null(strstr(text, "launches"));
    assert_ok(claims_add(
        &list, &(JudgedClaim){.of = "Table 1", .verdict = CLAIM_HOLDS, .launches = "3 to 6"}));
    text = printed(&list);
    assert_says(text, "launches");
    assert_says(text, "3 to 6");
    cJSON *object = cJSON_CreateObject();
    assert_true(claims_json_add(object, &list));
    const cJSON *claims = cJSON_GetObjectItem(object, "claims");
    assert_null(cJSON_GetObjectItem(cJSON_GetArrayItem(claims, 0), "launches"));
    assert_string_equal(
        cJSON_GetStringValue(cJSON_GetObjectItem(cJSON_GetArrayItem(claims, 1), "launches")),
        "3 to 6");
    cJSON_Delete(object);
}
