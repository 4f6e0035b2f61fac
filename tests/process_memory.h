/* How much memory the test's own process has. */
#ifndef TESTS_PROCESS_MEMORY_H
#define TESTS_PROCESS_MEMORY_H

#include <unistd.h>

#include "needs.h"
#include "test.h"

/* Fields of /proc/self/statm. */
enum { MEMORY_ADDRESSES = 0, MEMORY_RESIDENT = 1, MEMORY_DATA = 5, MEMORY_FIELDS };

/* Bytes. The test is skipped where the system does not tell. */
static inline uint64_t process_memory(int field) {
    unsigned long long pages[MEMORY_FIELDS];
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL) {
        skip_needing("/proc/self/statm", NULL);
    }
    for (int i = 0; i < MEMORY_FIELDS; i++) {
        assert_int_equal(fscanf(file, "%llu", &pages[i]), 1);
    }
    fclose(file);
    return pages[field] * (uint64_t)sysconf(_SC_PAGESIZE);
}

#endif
