
#include "backend.h"
#include "backend_runner.h"
#include "cpu_memory.h"
#include "test.h"

enum { PAGE = 4096 };

TEST(parts_begin_on_pages_of_their_own) {
    ThreadMemory memory;
    assert_ok(thread_memory_open(3, PAGE + 1, &memory));
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
    assert_ok(cpu_backend.runner->check_guards());
    thread_memory_close(&memory);
    thread_memory_close(&memory); /* empty now */
}

TEST(too_much_is_a_skip) {
    RELEASED_BY(thread_memory_close) ThreadMemory memory;
    assert_int_equal(thread_memory_open(4, SIZE_MAX / 16, &memory).code, STATUS_SKIP);
}
