#include "chunks.h"

#include <pthread.h>
#include <stdatomic.h>

#include "child_process.h"

/* Starting a thread takes as long as reading a few hundred kilobytes. */
enum { THREADS_MOST = 16, CHUNKS_OF_THREAD = 4 };

typedef struct Chunks {
    size_t size, count;
    atomic_size_t next;
    void (*work)(void *context, size_t from, size_t to);
    void *context;
} Chunks;

static void *work_on(void *context) {
    Chunks *chunks = context;
    for (size_t i; (i = atomic_fetch_add(&chunks->next, 1)) < chunks->count;) {
        const size_t from = i * CHUNK_BYTES;
        const size_t left = chunks->size - from;
        chunks->work(chunks->context, from, from + (left < CHUNK_BYTES ? left : CHUNK_BYTES));
    }
    return NULL;
}

/* The calling thread may be pinned to one core, which those that it starts would share. */
static void work_together(void *context) {
    Chunks *chunks = context;
    const size_t wanted = chunks->count / CHUNKS_OF_THREAD;
    const size_t processors = (size_t)processors_allowed();
    pthread_t others[THREADS_MOST];
    size_t started = 0;
    while (started < THREADS_MOST && started + 1 < wanted && started + 1 < processors &&
           pthread_create(&others[started], NULL, work_on, chunks) == 0) {
        started++;
    }
    work_on(chunks);
    for (size_t i = 0; i < started; i++) {
        pthread_join(others[i], NULL);
    }
}

void chunks_each(size_t size, void (*work)(void *context, size_t from, size_t to), void *context) {
    Chunks chunks = {.size = size,
                     .count = (size + CHUNK_BYTES - 1) / CHUNK_BYTES,
                     .work = work,
                     .context = context};
    if (chunks.count < 2 * CHUNKS_OF_THREAD) {
        work_on(&chunks);
    } else {
        processors_free_during(work_together, &chunks);
    }
}
