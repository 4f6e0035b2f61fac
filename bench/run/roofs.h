/* Roofs: the ceilings of this machine, measured or taken from where they were stored. */
#ifndef BENCH_ROOFS_H
#define BENCH_ROOFS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "ceilings.h"
#include "machine.h"

/* Stored ceilings are measured again after this. */
enum { ROOFS_FRESH_DAYS = 7 };

/* Where ceilings come from; a parameter for the sake of tests. */
typedef struct RoofSource {
    Status (*measure_cpu)(Ceilings *ceilings);
    Status (*measure_device)(Ceilings *ceilings);
    const char *folder; /* of stored ceilings; NULL: nothing is stored */
    int64_t now;        /* seconds since 1970 */
} RoofSource;

/*
 * The ceilings of `machine`: those stored for it in the last ROOFS_FRESH_DAYS, unless `fresh`, and
 * otherwise measured and stored. Ceilings that contradict each other are measured once more, the
 * better of the two are taken, and they are stored only if they agree then. `notes` gets a line
 * when that takes its seconds, and when something went wrong; NULL: no notes. A part that could not
 * be measured is left out.
 */
void roofs_read_from(const RoofSource *source, const Machine *machine, bool fresh, FILE *notes,
                     Ceilings *ceilings);

/* The same for the machine that this program runs on. Ceilings are stored in
 * $XDG_CACHE_HOME/bench, or else $HOME/.cache/bench. */
void roofs_read(const Machine *machine, bool fresh, FILE *notes, Ceilings *ceilings);

/* "<folder>/roof-<fingerprint>.json". STATUS_FILE when that is too long. */
Status roofs_path(const char *folder, const Machine *machine, char *path, size_t size);

#endif
