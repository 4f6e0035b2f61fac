/* Interrupt: Ctrl-C and SIGTERM as a flag that the sweep looks at between samples. */
#ifndef BENCH_INTERRUPT_H
#define BENCH_INTERRUPT_H

#include <stdbool.h>

/* Clears the flag and catches SIGINT and SIGTERM once each: a second one ends the process. */
void interrupt_watch(void);
/* Gives both signals back to whoever had them before. */
void interrupt_unwatch(void);
bool interrupt_requested(void);

#endif
