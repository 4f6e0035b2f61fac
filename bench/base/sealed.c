/* Pages that are closed while code is called that is not trusted. */

#define _GNU_SOURCE /* sigaction with SA_SIGINFO under C11 */

#include "sealed.h"
#include "supervisor.h"

#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>

enum { SEALS_MAX = 8 };

typedef struct Seal {
    uintptr_t begin; /* 0: there is none */
    size_t bytes;
    const char *why;
} Seal;

static Seal seals[SEALS_MAX];

static Seal *find_seal(uintptr_t address) {
    for (size_t i = 0; i < SEALS_MAX; i++) {
        if (seals[i].begin != 0 && address >= seals[i].begin &&
            address - seals[i].begin < seals[i].bytes) {
            return &seals[i];
        }
    }
    return NULL;
}

static void protect(const Seal *sealed, int access) {
    void *begin = (void *)sealed->begin; // NOLINT(performance-no-int-to-ptr)
    (void)mprotect(begin, sealed->bytes, access);
}

static void on_broken(int number, siginfo_t *information, void *context) {
    (void)context;
    const Seal *sealed = find_seal((uintptr_t)information->si_addr);
    if (sealed != NULL) {
        supervisor_abandon(sealed->why);
    }
    signal(number, SIG_DFL); /* the access is repeated, and ends the process */
}

void seal_watch(void) {
    struct sigaction action = {.sa_sigaction = on_broken, .sa_flags = SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, NULL);
}

void seal(void *memory, size_t bytes, const char *why) {
    for (size_t i = 0; i < SEALS_MAX; i++) {
        if (seals[i].begin == 0) {
            seals[i] = (Seal){.begin = (uintptr_t)memory, .bytes = bytes, .why = why};
            protect(&seals[i], PROT_NONE);
            return;
        }
    }
}

void seal_lift(const void *memory) {
    const Seal *sealed = find_seal((uintptr_t)memory);
    if (sealed != NULL) {
        protect(sealed, PROT_READ | PROT_WRITE);
    }
}

void seal_lower(const void *memory) {
    const Seal *sealed = find_seal((uintptr_t)memory);
    if (sealed != NULL) {
        protect(sealed, PROT_NONE);
    }
}

void seal_break(const void *memory) {
    Seal *sealed = find_seal((uintptr_t)memory);
    if (sealed != NULL) {
        protect(sealed, PROT_READ | PROT_WRITE);
        sealed->begin = 0;
    }
}
