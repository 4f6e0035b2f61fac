/* Arrays grow with their items kept, of malloc or of a structure's memory, and stay as they were
 * where memory does not suffice. */
#include "list.h"
#include "status_checks.h"
#include "test.h"

enum { MANY = 1000 };

typedef struct Numbers {
    uint32_t *items;
    size_t count, capacity;
} Numbers;

static void add_many(void **memory, Numbers *list) {
    for (uint32_t i = 0; i < MANY; i++) {
        assert_ok(LIST_ROOM(memory, list->items, list->count, list->capacity, "numbers"));
        assert_true(list->count < list->capacity);
        list->items[list->count++] = i * i;
    }
    for (uint32_t i = 0; i < MANY; i++) {
        assert_int_equal(list->items[i], i * i);
    }
    assert_true(list->capacity < 2 * MANY);
}

TEST(items_stay_while_an_array_grows) {
    Numbers list = {.count = 0};
    add_many(NULL, &list);
    free(list.items);
}

TEST(owned_arrays_are_released_with_their_memory) {
    void *memory = NULL;
    Numbers first = {.count = 0};
    Numbers second = {.count = 0};
    add_many(&memory, &first);
    add_many(&memory, &second);
    owned_release(&memory);
    assert_null(memory);
}

TEST(what_cannot_grow_is_named_and_stays) {
    void *memory = NULL;
    Numbers list = {.count = 0};
    add_many(&memory, &list);
    void **const memories[] = {NULL, &memory};
    for (size_t i = 0; i < 2; i++) {
        Numbers copy = list;
        assert_status_is(list_room(memories[i], &copy.items, SIZE_MAX / 2, &copy.capacity,
                                   sizeof *copy.items, "numbers"),
                         STATUS_SKIP, "no memory left for 9223372036854775807 numbers");
        assert_ptr_equal(copy.items, list.items);
        assert_int_equal(copy.capacity, list.capacity);
    }
    owned_release(&memory);
}
