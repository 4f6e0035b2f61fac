#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "backend.h"
#include "cpu_memory.h"

enum { PAGE = 4096 };

static void parts_begin_on_pages_of_their_own(void **state) {
    (void)state;
    ThreadMemory memory;
    assert_int_equal(thread_memory_open(3, PAGE + 1, &memory).code, STATUS_OK);
    for (int thread = 0; thread < 3; thread++) {
        uint8_t *part = thread_memory_part(&memory, thread);
        assert_int_equal((uintptr_t)part % PAGE, 0);
        memset(part, thread, PAGE + 1);
    }
    for (int thread = 0; thread < 3; thread++) {
        const uint8_t *part = thread_memory_part(&memory, thread);
        assert_int_equal(part[0], thread);
        assert_int_equal(part[PAGE], thread);
    }
    assert_int_equal(cpu_backend.check_guards().code, STATUS_OK);
    thread_memory_close(&memory);
    thread_memory_close(&memory); /* empty now */
}

static void too_much_is_a_skip(void **state) {
    (void)state;
    ThreadMemory memory;
    assert_int_equal(thread_memory_open(4, SIZE_MAX / 16, &memory).code, STATUS_SKIP);
    thread_memory_close(&memory);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_begin_on_pages_of_their_own),
        cmocka_unit_test(too_much_is_a_skip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
