#include "thread_memory.h"

#include "backend.h"

enum { PAGE_BYTES = 4096 };

static size_t round_to_pages(size_t bytes) {
    return (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
}

Status thread_memory_open(int threads, size_t bytes, ThreadMemory *memory) {
    const size_t part_bytes = round_to_pages(bytes);
    void *allocated = NULL;
    *memory = (ThreadMemory){.allocated = NULL};
    STATUS_TRY(cpu_backend.alloc((size_t)threads * part_bytes + PAGE_BYTES, &allocated));
    const size_t to_page = round_to_pages((uintptr_t)allocated) - (uintptr_t)allocated;
    *memory = (ThreadMemory){
        .allocated = allocated,
        .parts = (uint8_t *)allocated + to_page,
        .part_bytes = part_bytes,
    };
    return status_ok();
}

void thread_memory_close(ThreadMemory *memory) {
    cpu_backend.release(memory->allocated);
    *memory = (ThreadMemory){.allocated = NULL};
}
