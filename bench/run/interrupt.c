#include "interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t requested;
static struct sigaction previous_interrupt, previous_terminate;

static void note(int signal_number) {
    (void)signal_number;
    requested = 1;
}

void interrupt_watch(void) {
    requested = 0;
    /* One shot: the second signal meets the default action and ends the process. */
    struct sigaction action = {.sa_handler = note, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, &previous_interrupt);
    sigaction(SIGTERM, &action, &previous_terminate);
}

void interrupt_unwatch(void) {
    sigaction(SIGINT, &previous_interrupt, NULL);
    sigaction(SIGTERM, &previous_terminate, NULL);
}

bool interrupt_requested(void) {
    return requested != 0;
}
