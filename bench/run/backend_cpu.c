/* The CPU as a backend: memory with guards, clock, caches. */

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "backend_runner.h"
#include "clock.h"
#include "mapped_file.h"
#include "resources.h"
#include "topology.h"
#include "verify.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

enum {
    ALIGNMENT = 256,
    GUARD_SIZE = 4096, /* catches a write that is off by a row of a small image */
    GUARD_PATTERN = 0xB5,
    MINCORE_PAGES = 4096 /* per call of mincore */
};

/* Bytes kept for page tables, stacks and small allocations, which are not allocated here. */
static const uint64_t memory_reserve = (uint64_t)4 << 20;

/* Bytes of small allocations that are not asked for one by one, which takes a dozen files of the
 * system each time. */
static const uint64_t memory_granted = (uint64_t)16 << 20;

typedef struct Allocation {
    struct Allocation *next;
    uint8_t *memory;
    size_t bytes;
    bool in_file;    /* in a mapped file, which takes no memory */
    uint64_t number; /* counts from 1 in this process, for messages */
} Allocation;

static struct {
    Allocation *first; /* in order of allocation */
    uint64_t count;    /* allocations made so far */
    uint64_t in_use, peak;
    uint64_t granted;      /* what is left of memory_granted */
    double started;        /* clock_start */
    uint8_t *eviction;     /* flush_caches: made on first use, kept until the process ends */
    size_t eviction_bytes; /* 0: not made yet */
} host;

static void read_model_name(char *name, size_t size) {
    FILE *file = fopen("/proc/cpuinfo", "r");
    if (file == NULL) {
        return;
    }
    char line[512];
    while (name[0] == '\0' && fgets(line, sizeof line, file) != NULL) {
        const char *value = strstr(line, ": ");
        /* x86 has "model name", other processors "cpu", "Model" or "uarch". */
        const bool is_name = strncmp(line, "model name", 10) == 0 ||
                             strncmp(line, "Model\t", 6) == 0 || strncmp(line, "cpu\t", 4) == 0 ||
                             strncmp(line, "uarch", 5) == 0;
        if (value != NULL && is_name) {
            snprintf(name, size, "%.*s", (int)strcspn(value + 2, "\n"), value + 2);
        }
    }
    fclose(file);
}

static Status cpu_probe(char *description, size_t size) {
    if (size == 0) {
        return status_ok();
    }
    description[0] = '\0';
    read_model_name(description, size);
    struct utsname system;
    if (description[0] == '\0' && uname(&system) == 0) {
        snprintf(description, size, "%s processor", system.machine);
    }
    return status_ok();
}

/* Bytes of an allocation that have been written, in whole pages. */
static uint64_t resident_bytes(const Allocation *allocation) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t into_page = (uintptr_t)allocation->memory & (page - 1);
    uint8_t *first = allocation->memory - into_page;
    const size_t pages = (into_page + allocation->bytes + page - 1) / page;
    unsigned char there[MINCORE_PAGES];
    uint64_t bytes = 0;
    for (size_t at = 0; at < pages; at += MINCORE_PAGES) {
        const size_t count = pages - at < MINCORE_PAGES ? pages - at : MINCORE_PAGES;
        if (mincore(first + at * page, count * page, there) != 0) {
            break;
        }
        for (size_t i = 0; i < count; i++) {
            bytes += (there[i] & 1) != 0 ? page : 0;
        }
    }
    return bytes < allocation->bytes ? bytes : allocation->bytes;
}

/* Bytes of all allocations that have not been written yet. The system allocates more memory than it
 * has, and kills a process that then writes to all of it. */
static uint64_t unwritten_bytes(void) {
    uint64_t bytes = 0;
    for (const Allocation *at = host.first; at != NULL; at = at->next) {
        bytes += at->in_file ? 0 : at->bytes - resident_bytes(at);
    }
    return bytes;
}

/* Returns released memory that the allocator still holds. */
static void trim_allocator(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

/* STATUS_SKIP "needs X, Y free" when `bytes` more do not fit, in which X and Y include the memory
 * in use. Unwritten memory is counted only if that decides. */
static Status check_room(uint64_t bytes) {
    if (bytes <= host.granted) {
        host.granted -= bytes;
        return status_ok();
    }
    const uint64_t free_now = available_memory_beside(host.in_use + memory_reserve);
    host.granted = bytes <= free_now && free_now - bytes >= memory_granted ? memory_granted : 0;
    if (bytes <= free_now) {
        return status_ok();
    }
    trim_allocator();
    const uint64_t unwritten = unwritten_bytes();
    const uint64_t available = available_memory_beside(unwritten + memory_reserve);
    const uint64_t all = bytes < UINT64_MAX - host.in_use ? bytes + host.in_use : UINT64_MAX;
    return bytes <= available ? status_ok() : memory_short(all, available + host.in_use);
}

/* Takes over the block, in which `bytes` bytes have a guard on both sides. */
static Status add_allocation(uint8_t *block, size_t bytes, bool in_file, void **memory) {
    Allocation *allocation = malloc(sizeof *allocation);
    STATUS_MEMORY(allocation, "for an allocation");
    *allocation = (Allocation){
        .memory = block + GUARD_SIZE, .bytes = bytes, .in_file = in_file, .number = ++host.count};
    memset(block, GUARD_PATTERN, GUARD_SIZE);
    memset(allocation->memory + bytes, GUARD_PATTERN, GUARD_SIZE);
    Allocation **last = &host.first;
    while (*last != NULL) {
        last = &(*last)->next;
    }
    *last = allocation;
    host.in_use += in_file ? 0 : bytes;
    host.peak = host.in_use > host.peak ? host.in_use : host.peak;
    *memory = allocation->memory;
    return status_ok();
}

static Status cpu_alloc(size_t bytes, void **memory) {
    *memory = NULL;
    size_t total = 0;
    if (__builtin_add_overflow(bytes, (size_t)(2 * GUARD_SIZE + ALIGNMENT - 1), &total)) {
        total = SIZE_MAX;
    }
    STATUS_TRY(check_room(total));
    uint8_t *block = aligned_alloc(ALIGNMENT, total / ALIGNMENT * ALIGNMENT);
    if (block == NULL) {
        return memory_short(bytes, available_memory());
    }
    const Status status = add_allocation(block, bytes, false, memory);
    if (!status_is_ok(&status)) {
        free(block);
    }
    return status;
}

Status cpu_alloc_in_file(const char *folder, size_t bytes, void **memory) {
    uint8_t *block = NULL;
    *memory = NULL;
    STATUS_TRY(mapped_file_make(folder, (uint64_t)bytes + 2 * GUARD_SIZE, &block));
    const Status status = add_allocation(block, bytes, true, memory);
    if (!status_is_ok(&status)) {
        mapped_file_close(block);
    }
    return status;
}

static void cpu_release(void *memory) {
    for (Allocation **link = &host.first; *link != NULL; link = &(*link)->next) {
        Allocation *allocation = *link;
        if (allocation->memory == memory) {
            *link = allocation->next;
            host.in_use -= allocation->in_file ? 0 : allocation->bytes;
            if (!mapped_file_close(allocation->memory)) {
                free(allocation->memory - GUARD_SIZE);
            }
            free(allocation);
            return;
        }
    }
}

static Status cpu_poison(uint8_t pattern) {
    for (const Allocation *at = host.first; at != NULL; at = at->next) {
        memset(at->memory, pattern, at->bytes);
    }
    return status_ok();
}

/* Distance of the first damaged byte of a guard from the memory, going by `step` from the byte next
 * to it; 0: none. */
static size_t find_damage(const uint8_t *next_to_memory, int step) {
    for (size_t i = 0; i < GUARD_SIZE; i++) {
        if (next_to_memory[(ptrdiff_t)i * step] != GUARD_PATTERN) {
            return i + 1;
        }
    }
    return 0;
}

bool cpu_damage_of(const void *memory, size_t *before, size_t *after) {
    for (const Allocation *at = host.first; at != NULL; at = at->next) {
        if (at->memory == memory) {
            *before = find_damage(at->memory - 1, -1);
            *after = find_damage(at->memory + at->bytes, 1);
            return *before != 0 || *after != 0;
        }
    }
    return false;
}

bool cpu_guard_is_overrun(void) {
    for (const Allocation *at = host.first; at != NULL; at = at->next) {
        if (at->memory[-GUARD_SIZE] != GUARD_PATTERN ||
            at->memory[at->bytes + GUARD_SIZE - 1] != GUARD_PATTERN) {
            return true;
        }
    }
    return false;
}

static Status cpu_check_guards(void) {
    for (const Allocation *at = host.first; at != NULL; at = at->next) {
        const size_t before = find_damage(at->memory - 1, -1);
        const size_t after = find_damage(at->memory + at->bytes, 1);
        if (before != 0 || after != 0) {
            return status_fail("host allocation %llu of %zu bytes was written out of bounds, %zu "
                               "bytes %s",
                               (unsigned long long)at->number, at->bytes,
                               before != 0 ? before : after,
                               before != 0 ? "before its start" : "past its end");
        }
    }
    return status_ok();
}

static Status cpu_clock_start(void) {
    host.started = clock_now();
    return status_ok();
}

static Status cpu_clock_stop(double *seconds) {
    *seconds = clock_now() - host.started;
    return status_ok();
}

static Status cpu_synchronize(void) {
    return status_ok();
}

/* Bytes of all last-level caches together: threads may run on cores of any of them. */
static size_t last_level_bytes(void) {
    size_t bytes = 0;
    hwloc_topology_t topology = topology_load();
    if (topology != NULL) {
        const hwloc_obj_type_t levels[] = {HWLOC_OBJ_L4CACHE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L2CACHE};
        for (size_t i = 0; bytes == 0 && i < sizeof levels / sizeof levels[0]; i++) {
            hwloc_obj_t cache = NULL;
            while ((cache = hwloc_get_next_obj_by_type(topology, levels[i], cache)) != NULL) {
                bytes += (size_t)cache->attr->cache.size;
            }
        }
        hwloc_topology_destroy(topology);
    }
    const size_t usual = (size_t)32 << 20;
    return bytes != 0 ? bytes : usual;
}

static Status make_eviction_buffer(void) {
    const size_t bytes = 2 * last_level_bytes();
    const uint64_t available = available_memory();
    uint8_t *buffer = bytes <= available ? malloc(bytes) : NULL;
    if (buffer == NULL) {
        return memory_short(bytes, available);
    }
    /* Unwritten pages all map to one page of zeros, which evicts nothing. */
    memset(buffer, 1, bytes);
    host.eviction = buffer;
    host.eviction_bytes = bytes;
    return status_ok();
}

static Status cpu_flush_caches(void) {
    if (host.eviction == NULL) {
        STATUS_TRY(make_eviction_buffer());
    }
    /* Reads, since dirty lines would be written back during the next sample; with all threads,
     * since each core has private caches. */
    const volatile uint8_t *const buffer = host.eviction;
    const size_t bytes = host.eviction_bytes;
    unsigned sum = 0;
#pragma omp parallel for num_threads(thread_team_default()) schedule(static) reduction(+ : sum)
    for (size_t i = 0; i < bytes; i += 64) {
        sum += buffer[i];
    }
    return sum == (unsigned)(bytes / 64) ? status_ok()
                                         : status_fail("the cache eviction buffer was overwritten");
}

static uint64_t cpu_in_use(void) {
    return host.in_use;
}

static uint64_t cpu_peak(void) {
    return host.peak;
}

static void cpu_reset_peak(void) {
    host.peak = host.in_use;
}

static const BackendRunner cpu_runner = {
    .poison = cpu_poison,
    .check_guards = cpu_check_guards,
    .clock_start = cpu_clock_start,
    .clock_stop = cpu_clock_stop,
    .synchronize = cpu_synchronize,
    .flush_caches = cpu_flush_caches,
    .peak = cpu_peak,
    .reset_peak = cpu_reset_peak,
};

const Backend cpu_backend = {
    .struct_bytes = sizeof(Backend),
    .name = "cpu",
    .probe = cpu_probe,
    .alloc = cpu_alloc,
    .release = cpu_release,
    .available = available_memory,
    .in_use = cpu_in_use,
    .runner = &cpu_runner,
};
