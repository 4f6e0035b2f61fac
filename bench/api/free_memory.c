#include "free_memory.h"

#include "available_memory.h"

enum { AMOUNT_SIZE = 32 };

static Status too_large(const char *what, uint64_t bytes, uint64_t available) {
    char needed[AMOUNT_SIZE];
    char free_now[AMOUNT_SIZE];
    format_bytes(bytes, needed, sizeof needed);
    format_bytes(available, free_now, sizeof free_now);
    return status_skip("%s needs %s of memory, %s free", what, needed,
                       available == UINT64_MAX ? "less" : free_now);
}

Status free_memory_check(const char *what, uint64_t bytes) {
    const uint64_t available = available_memory();
    return bytes > available ? too_large(what, bytes, available) : status_ok();
}

Status free_memory_short(const char *what, uint64_t bytes) {
    return too_large(what, bytes, available_memory());
}
