/*
 * Stages: how long the parts of a variant's run take, each timed apart.
 *
 * Every stage begins on an idle processor and is waited for, so that their sum is a little more
 * than the time of a run in one piece: by a launch and a wait for each stage on a device.
 */
#ifndef BENCH_STAGES_H
#define BENCH_STAGES_H

#include "measure.h"

/* Passes that are timed, and a run so long that one pass has to be enough and warms itself. */
enum { STAGE_PASSES = 5 };
#define STAGES_LONG_RUN 10.0

/*
 * Median seconds of each stage of an open and uploaded state; NAN for those that the variant does
 * not have. A stage may need what the one before it left, so whole passes are repeated: one that is
 * not counted and up to STAGE_PASSES that are, as far as a quarter of --max-time goes, or a single
 * one where a run, which takes about `run_seconds`, is longer than STAGES_LONG_RUN. In cold mode
 * caches are emptied before each pass. Ends early when interrupted.
 */
Status measure_stages(const Measurement *measurement, double run_seconds,
                      double seconds[STAGES_MAX]);

#endif
