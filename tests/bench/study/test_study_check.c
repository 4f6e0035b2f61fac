/* A paper's shape claims tested by what was measured here: all of it, parts, and nothing. */
#include "claim.h"
#include "scratch_study.h"
#include "test.h"
#include "text.h"

/* In the paper B is ahead at all sizes, and by more the larger they are. */
static const char study_text[] =
    "study test\ntitle Test\n\nstep main run\n  --algo lbp\n\n"
    "table table-1 Times\n from main\n row small size=360p\n row HD size=720p\n row 4K size=4K\n"
    " row 8K size=8K\n"
    "column A ms kernel_ms_mean variant=a\ncolumn B ms kernel_ms_mean variant=b\n"
    "column Ratio x ratio A B\n";
static const char published_text[] =
    "table-1,small,A,10,ms,m,T\ntable-1,HD,A,20,ms,m,T\ntable-1,4K,A,40,ms,m,T\n"
    "table-1,8K,A,100,ms,m,T\n"
    "table-1,small,B,5,ms,m,T\ntable-1,HD,B,8,ms,m,T\ntable-1,4K,B,10,ms,m,T\n"
    "table-1,8K,B,20,ms,m,T\n"
    "table-1,small,Ratio,2,x,m,T\ntable-1,HD,Ratio,2.5,x,m,T\ntable-1,4K,Ratio,4,x,m,T\n"
    "table-1,8K,Ratio,5,x,m,T\n";
static const char columns[] = "variant,size,answer,threads,status,why,kernel_ms_median,"
                              "kernel_ms_ci_low,kernel_ms_ci_high,kernel_ms_mean,end_to_end_ms\n";

/* Times of A and of B at the four sizes; 0: not measured. */
typedef struct Measured {
    double a[4], b[4];
} Measured;

static void write_records(const Measured *measured, char *text, size_t size) {
    static const char *const sizes[] = {"360p", "720p", "4K", "8K"};
    snprintf(text, size, "%s", columns);
    for (size_t i = 0; i < 8; i++) {
        const double time = i < 4 ? measured->a[i] : measured->b[i - 4];
        if (time > 0) {
            text_append(text, size, "%s,%s,,1,ok,,,,,%g,\n", i < 4 ? "a" : "b", sizes[i % 4], time);
        }
    }
}

static void judge_study(const char *study, const char *published, const Measured *measured,
                        ClaimList *list) {
    char records[4096];
    write_records(measured, records, sizeof records);
    RELEASED_BY(scratch_study_close) ScratchStudy scratch;
    scratch_study_open(&scratch, study, published, records);
    scratch_study_make(&scratch);
    assert_ok(study_claims_judge(&scratch.result, list));
}

static void judge(const Measured *measured, ClaimList *list) {
    judge_study(study_text, published_text, measured, list);
}

static const JudgedClaim *find(const ClaimList *list, const char *text) {
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->items[i].text, text) == 0) {
            return &list->items[i];
        }
    }
    return NULL;
}

static const JudgedClaim *check(const ClaimList *list, const char *text, ClaimVerdict verdict) {
    const JudgedClaim *claim = find(list, text);
    if (claim == NULL) {
        fail_msg("no claim '%s'", text);
    } else if (claim->verdict != verdict) {
        fail_msg("'%s': verdict %d and not %d: %s claimed, %s here, %s", text, (int)claim->verdict,
                 (int)verdict, claim->claimed, claim->here, claim->why);
    }
    return claim;
}

TEST(the_same_shape_holds_at_any_factor) {
    const Measured measured = {.a = {3, 9, 40, 150}, .b = {1, 2, 5, 10}};
    RELEASED_BY(claims_release) ClaimList list = {.items = NULL};
    judge(&measured, &list);
    const JudgedClaim *claim = check(&list, "fastest", CLAIM_HOLDS);
    assert_string_equal(claim->of, "Table 1");
    assert_string_equal(claim->claimed, "B at all 4: 2 to 5× faster than A");
    assert_string_equal(claim->here, "B at all 4: 3 to 15× faster than A; without intervals");
    check(&list, "crossover", CLAIM_HOLDS);
    check(&list, "trend of Ratio", CLAIM_HOLDS);
    check(&list, "the paper's order by Ratio", CLAIM_HOLDS);
    assert_int_equal(list.count, 4);
    assert_int_equal(claims_exit_code(&list), EXIT_OK);
}

/* A is ahead at the smallest size; where it crosses takes the place of "none". */
TEST(another_shape_does_not_hold) {
    const Measured measured = {.a = {1, 5, 40, 150}, .b = {2, 2.5, 10, 10}};
    RELEASED_BY(claims_release) ClaimList list = {.items = NULL};
    judge(&measured, &list);
    check(&list, "fastest", CLAIM_FAILS);
    const JudgedClaim *claim = check(&list, "B faster than A", CLAIM_FAILS);
    assert_string_equal(claim->claimed, "at every size (173 kpixel to 33.2 Mpixel)");
    assert_null(find(&list, "crossover"));
    check(&list, "trend of Ratio", CLAIM_HOLDS);
    assert_int_equal(list.verdicts[CLAIM_FAILS], 2);
    assert_int_equal(claims_exit_code(&list), EXIT_REGRESSION);
}

/* As without the device that B runs on. */
TEST(what_rests_on_missing_cells_is_not_tested) {
    const Measured measured = {.a = {3, 9, 40, 150}};
    RELEASED_BY(claims_release) ClaimList list = {.items = NULL};
    judge(&measured, &list);
    assert_int_equal(list.count, 4);
    assert_int_equal(list.verdicts[CLAIM_UNTESTED], 4);
    assert_string_equal(check(&list, "fastest", CLAIM_UNTESTED)->why,
                        "8 of 12 cells: no record has variant=b");
    assert_int_equal(claims_exit_code(&list), EXIT_NO_SAMPLE);
}

/* Three of four sizes agree, which is not the whole claim. */
TEST(a_part_of_a_claim_does_not_make_it_hold) {
    const Measured measured = {.a = {3, 9, 40, 150}, .b = {1, 2, 5}};
    RELEASED_BY(claims_release) ClaimList list = {.items = NULL};
    judge(&measured, &list);
    assert_int_equal(list.verdicts[CLAIM_UNTESTED], 4);
}

/* What a way is called decides nothing. */
TEST(a_name_with_a_colon_makes_no_part_a_whole) {
    const Measured measured = {.a = {3, 9, 40, 150}, .b = {1, 2, 5}};
    RELEASED_BY(claims_release) ClaimList list = {.items = NULL};
    judge_study("study test\ntitle Test\n\nstep main run\n  --algo lbp\n\n"
                "table table-1 Times\n from main\n row small size=360p\n row HD size=720p\n"
                " row 4K size=4K\n row 8K size=8K\n"
                "column \"way: A\" ms kernel_ms_mean variant=a\n"
                "column \"way: B\" ms kernel_ms_mean variant=b\n",
                "table-1,small,way: A,10,ms,m,T\ntable-1,HD,way: A,20,ms,m,T\n"
                "table-1,4K,way: A,40,ms,m,T\ntable-1,8K,way: A,100,ms,m,T\n"
                "table-1,small,way: B,5,ms,m,T\ntable-1,HD,way: B,8,ms,m,T\n"
                "table-1,4K,way: B,10,ms,m,T\ntable-1,8K,way: B,20,ms,m,T\n",
                &measured, &list);
    check(&list, "fastest", CLAIM_UNTESTED);
}

/* One pair the other way round is enough, whatever the missing ones are. */
TEST(a_part_can_contradict_an_order) {
    const Measured measured = {.a = {9, 9, 10, 150}, .b = {1, 2, 5}};
    RELEASED_BY(claims_release) ClaimList list = {.items = NULL};
    judge(&measured, &list);
    check(&list, "the paper's order by Ratio", CLAIM_FAILS);
    check(&list, "trend of Ratio", CLAIM_UNTESTED);
    check(&list, "fastest", CLAIM_UNTESTED);
}

/* Ratios of 2, 2.1, 4 and 5: without intervals the first two may be the same. */
TEST(what_is_too_close_is_not_tested) {
    const Measured measured = {.a = {2, 2.1, 4, 5}, .b = {1, 1, 1, 1}};
    RELEASED_BY(claims_release) ClaimList list = {.items = NULL};
    judge(&measured, &list);
    const JudgedClaim *claim = check(&list, "the paper's order by Ratio", CLAIM_UNTESTED);
    assert_string_equal(claim->why, "what is undecided here may be either");
    check(&list, "fastest", CLAIM_HOLDS);
}
