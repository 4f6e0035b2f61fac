/* Finding items by their hashes. */
#include "hash_index.h"
#include "test.h"

TEST(an_empty_index_has_nothing) {
    RELEASED_BY(hash_index_release) HashIndex index = {.count = 0};
    assert_true(hash_index_first(&index, 0) == HASH_INDEX_END);
}

/* Hashes 0 to 9, a thousand of each, through all growth; 10 is in no item. */
TEST(items_of_a_hash_come_in_their_order) {
    enum { ITEMS = 10000, HASHES = 10 };
    HashIndex index = {.count = 0};
    for (size_t i = 0; i < ITEMS; i++) {
        assert_ok(hash_index_add(&index, i % HASHES));
    }
    for (uint64_t hash = 0; hash < HASHES; hash++) {
        size_t want = hash;
        for (size_t i = hash_index_first(&index, hash); i != HASH_INDEX_END;
             i = hash_index_next(&index, i)) {
            assert_int_equal(i, want);
            want += HASHES;
        }
        assert_int_equal(want, ITEMS + hash);
    }
    assert_true(hash_index_first(&index, HASHES) == HASH_INDEX_END);
    hash_index_release(&index);
    assert_true(hash_index_first(&index, 0) == HASH_INDEX_END);
}

/* The upper half of a hash counts too: these differ in nothing else. */
TEST(hashes_that_share_a_bucket_are_told_apart) {
    RELEASED_BY(hash_index_release) HashIndex index = {.count = 0};
    static const uint64_t hashes[] = {1, UINT64_C(1) << 32, (UINT64_C(1) << 38) | 1, 1};
    for (size_t i = 0; i < sizeof hashes / sizeof hashes[0]; i++) {
        assert_ok(hash_index_add(&index, hashes[i]));
    }
    assert_int_equal(hash_index_first(&index, 1), 0);
    assert_int_equal(hash_index_next(&index, 0), 3);
    assert_int_equal(hash_index_first(&index, hashes[1]), 1);
    assert_true(hash_index_next(&index, 1) == HASH_INDEX_END);
    assert_int_equal(hash_index_first(&index, hashes[2]), 2);
}
