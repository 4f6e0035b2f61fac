/* What the files of the run room, and tests, use beside run.h. */

#ifndef BENCH_RUN_RUN_INTERNAL_H
#define BENCH_RUN_RUN_INTERNAL_H

#include "run.h"
#include "stops.h"

/* --- Inputs: inputs.c ------------------------------------------------------------------------- */

/* Whether a selected algorithm takes inputs of the kind. */
bool kind_is_wanted(const RunOptions *options, WorkloadKind kind);

/* The sizes that a request names for inputs of a kind. */
const SizeSpec *kind_sizes(const RunOptions *options, WorkloadKind kind, size_t *count);

/* The default synthetic input of a kind, with seeded weights; independent of any request. */
Input input_default(WorkloadKind kind);

/* Describes a workload without loading it: shape and names, but no pixels, labels, keypoints,
 * values of weights, seed and hash. STATUS_USAGE for a synthetic input at its own size, and for
 * more images than a set has. */
Status workload_describe(const Input *input, const SizeSpec *size, Workload *workload);

/* A part of a workload, of which less is computed: the top left corner of an image, at most `side`
 * × `side` pixels; the first `side` images of a set; the first `side` keypoints; of two sets of
 * descriptors the last `side` of the first and the first `side` of the second. The crop shares the
 * memory of the workload, which outlives it. */
Workload workload_crop(const Workload *workload, int32_t side);

/* Whether nothing was left out. */
bool workload_crop_is_whole(const Workload *crop, const Workload *workload);

/* --- Keypoints, descriptors and weights: keypoints.c -------------------------------------------
 */

/* Appends keypoints at seeded random places, sizes of FAST's levels and angles until the list has
 * `count`. */
Status keypoints_fill(int32_t width, int32_t height, int32_t count, uint64_t seed,
                      KeypointList *list);

/* Reads the keypoints and the weights that a request names, and notes in `input` how many there
 * are. STATUS_FILE, or STATUS_USAGE as weights_load. */
Status keypoint_input_check(const RunOptions *options, Input *input);

/* Adds keypoints and weights to a workload that is described as an image. */
void keypoint_input_describe(const Input *input, Workload *workload);

/* Loads keypoints and weights of a described workload that has its pixels. Unless STATUS_OK,
 * nothing has to be released but the pixels. */
Status keypoint_input_load(const Input *input, Workload *workload);

/* Continues an FNV-1a 64 hash with the values of those weights that every input of keypoints has in
 * its hash (algorithm NULL), or of those that only this algorithm's rows have. */
uint64_t weights_list_hash(uint64_t hash, const WeightsList *list, const char *algorithm);

/* Row.input_hash: the workload's, and what else this algorithm reads. */
uint64_t workload_hash_of(const Workload *workload, const Algorithm *algorithm);

/* --- Plan: plan.c ----------------------------------------------------------------------------- */

/* The run as a list of cells, made before anything runs. Each cell ends as one row. */

/* Numbers of GPUs, a bit each: bit 2 is two GPUs. */
typedef uint32_t GpuNumbers;

typedef struct PlanWorkload {
    const Input *input;
    SizeSpec size;
    Workload shape; /* described, not loaded */
    /* With --weak: whether the request names the size, the numbers of GPUs that it has grown for,
     * and the place in Plan.workloads of the size that it has grown from. */
    bool given;
    GpuNumbers gpus;
    size_t base;
} PlanWorkload;

typedef struct PlanCell {
    const Algorithm *algorithm;
    const Variant *variant;
    size_t workload; /* index in Plan.workloads */
    size_t group;    /* cells of one workload, algorithm and answer point: one oracle */
    Point answer, tuning;
    bool roof;           /* `copy`, which nobody asked for: measured for the roof of the others */
    GpuNumbers gpus;     /* with --weak: those that the question has grown for; 0: any */
    Status ready;        /* STATUS_SKIP with the reason when it cannot run here */
    uint64_t host_bytes; /* of memory: input and answers */
    Cost cost;           /* of the shape: of the pixels it may be less */
} PlanCell;

/* The numbers of GPUs that --weak compares. */
typedef struct WeakNumbers {
    int list[CUDA_DEVICES_MAX];
    size_t count; /* 0: without --weak */
} WeakNumbers;

/* Ordered by workload, algorithm, answer point, variant, tuning point. */
typedef struct Plan {
    WeakNumbers weak;
    PlanWorkload *workloads;
    size_t workload_count;
    PlanCell *cells;
    size_t cell_count, cell_capacity;
    size_t group_count;
    uint32_t *numbers; /* of a share: the places of its cells in the whole plan; else NULL */
} Plan;

/* Expands a request. `inputs` outlives the plan. STATUS_USAGE for wrong axis values,
 * STATUS_NO_MATCH if no cell is selected or no selected variant has an axis that is given. */
Status plan_make(const RunOptions *options, const InputList *inputs, Plan *plan);

/* Leaves only the cells of the share that the options name; without one, all. Groups are divided so
 * that shares are expected to take as long as each other, for one command line in the same way on
 * every machine. STATUS_USAGE if there are fewer groups than shares. */
Status plan_take_share(const RunOptions *options, Plan *plan);

void plan_release(Plan *plan);

/* Bytes of memory that the pixels of an input take; 0: they lie in a mapped file. */
uint64_t plan_pixel_bytes(const PlanWorkload *workload);

/* How many answers of so many bytes a group holds in memory: 2, as anywhere where the input is not
 * mapped; 1, beside a digest, where memory has no room for two that are compared byte by byte; 0,
 * in a file, where it has none for one. */
int plan_answers_in_memory(const Algorithm *algorithm, bool mapped, uint64_t bytes);

/* Whether a cell is that of the oracle's variant, row 0. */
bool plan_cell_is_seq(const PlanCell *cell);

/* The row of a cell, without results. */
Row plan_row(const Plan *plan, const PlanCell *cell, bool cold);

/* CPU threads of a cell: its threads axis, 1 without one, 0 on a device. */
int plan_threads(const Variant *variant, const Point *tuning);

/* Its gpus axis, 1 without one. */
int plan_gpus(const Point *tuning);

/* Prints every cell: name, estimated time, host memory, why it will be skipped. The time is
 * estimated from a short run of seq on a small synthetic input. STATUS_SKIP without memory. */
Status plan_print(FILE *stream, const RunOptions *options, const Plan *plan);

/* The values that a request gives for the axis, or its defaults. */
const char *options_axis_list(const RunOptions *options, const Axis *axis);

/* --- Weak scaling: weak.c --------------------------------------------------------------------- */

/* Which part of a question grows with the number of GPUs. */
typedef enum WeakGrowth {
    GROWS_NOT,
    GROWS_INPUT, /* rows of the image, images of the set */
    GROWS_ANSWER /* Algorithm.weak_axis */
} WeakGrowth;

/* Reads --gpus where the request has --weak. STATUS_USAGE if that is one number. */
Status weak_numbers(const RunOptions *options, WeakNumbers *numbers);

/* GROWS_NOT also for algorithms without a variant for several GPUs. weak_reason: STATUS_SKIP with
 * the reason for that. */
WeakGrowth weak_growth(const Algorithm *algorithm);
Status weak_reason(const Algorithm *algorithm);

/* The size at which each of so many GPUs has the share that one has of `size`: WxH with as many
 * times the rows, as many times the images. STATUS_USAGE if that is too large, and for more images
 * than a set has. */
Status weak_size(const Input *input, const SizeSpec *size, int gpus, SizeSpec *grown);

/* Answer points that have grown, each once, and for which numbers of GPUs. */
typedef struct WeakPoints {
    Point *points;    /* owned */
    GpuNumbers *gpus; /* owned */
    size_t count;
} WeakPoints;

/* Each answer at each number of GPUs. STATUS_USAGE for more than the axis has. Release with
 * weak_points_release. */
Status weak_points(const Algorithm *algorithm, const WeakNumbers *numbers, const PointList *answers,
                   WeakPoints *points);
void weak_points_release(WeakPoints *points);

/* --- Calls: calls.c --------------------------------------------------------------------------- */

/*
 * Everything that an algorithm and its variants bring is called through these, so that a supervisor
 * (base.h) knows what is called, and what comes back is right: a status that a variant may return,
 * a layout whose parts lie in it, values that are the axis's own. A call that has ended a process
 * before is not made: STATUS_FAIL with what happened.
 */

/* Seconds that a call of a module's may take before it counts as one that does not come back. */
enum { CALL_SECONDS = 60, PART_NAME_MAX = 31 };
void calls_limit(double seconds);
/* Words before the subjects of calls whose answers nobody sees, as those of an estimate; "": none.
 * They must last. */
void calls_purpose(const char *words);

/* Opens a state. STATUS_SKIP also if its threads cannot be started. */
Status variant_open(const Variant *variant, const Request *request, void **state);
/* STATUS_OK where the variant has no such function. */
Status variant_upload(const Variant *variant, void *state);
Status variant_download(const Variant *variant, void *state);
Status variant_run(const Variant *variant, void *state);
Status variant_stream(const Variant *variant, void *state);
/* Waits for the backend. */
Status variant_wait(const Variant *variant, const void *state);
void variant_close(const Variant *variant, void *state);

/* Around calls that are made on the clock, which the functions above would disturb: what is called,
 * and the status that came back. */
void variant_enter(const Variant *variant, const void *state, CallStep step);
Status variant_returned(const Variant *variant, Status status);
void variant_leave(void);
/* Before a state is opened on the clock. STATUS_FAIL if the request has ended a process. */
Status variant_ended(const Variant *variant, const Request *request);

/* Variant.is_whole_pass, exchanges_by and path of an open state; "" without one. */
bool is_whole_pass(const Variant *variant, const void *state);
const char *variant_exchanges_by(const Variant *variant, const void *state);
const char *variant_path(const Variant *variant, const void *state);

/* Errors of Algorithm.output_layout; STATUS_FAIL for a layout that is none. */
Status algorithm_layout(const Algorithm *algorithm, const Workload *workload, const Point *answer,
                        OutputLayout *layout);
/* NAN for an amount that is none. */
Cost algorithm_cost(const Algorithm *algorithm, const Workload *workload, const Point *answer);
/* Before the algorithm writes an answer; around its write_part and write_table; and whether it has
 * ended a process there: STATUS_FAIL with what happened. */
Status algorithm_writes(const Algorithm *algorithm, const Workload *workload, const Point *answer);
Status algorithm_returned(const Algorithm *algorithm, Status status);
Status algorithm_has_written(const Algorithm *algorithm);
/* axis_parse; STATUS_FAIL for values that are not the axis's. */
Status axis_read(const Axis *axis, const char *list, const Workload *workload, AxisValues *values);

/* The beginning of what the calls of a request are about, for a supervisor. */
void call_subject(const Variant *variant, const Workload *workload, const Point *answer,
                  const Point *tuning, char text[CALL_SUBJECT_SIZE]);
/* In a trial (call_trial): whether it is one of this cell. True without one. */
bool cell_is_due(const Plan *plan, const PlanCell *cell);
/* What is called from now on is called for this cell, as its oracle is; NULL: for itself. */
void call_for_cell(const Plan *plan, const PlanCell *cell);
/* STATUS_FAIL if something that was called for the cell has ended a process after it. */
Status cell_ended(const Plan *plan, const PlanCell *cell);

/* --- Verification: verify.c ------------------------------------------------------------------- */

/* Allocates answer memory without guards, which no variant writes to. STATUS_SKIP "needs X, Y
 * free". Release with answer_release_plain. */
Status answer_alloc_plain(const OutputLayout *layout, Output *output);

void answer_release_plain(Output *output);

/* answer_alloc_guarded in a mapped file in `folder`: for an answer that memory has no room for.
 * STATUS_SKIP "needs X in FOLDER, Y free". Release with answer_release_guarded. */
Status answer_alloc_in_file(const char *folder, const OutputLayout *layout, Output *output);

/* cpu_backend.alloc in such a file, which its release, poison and guards know: backend_cpu.c. */
Status cpu_alloc_in_file(const char *folder, size_t bytes, void **memory);

/* STATUS_SKIP if the threads of a tuning point do not run together now: those of its threads axis,
 * or one for each of its GPUs. */
Status tuning_check_threads(const Point *tuning);

/* upload, so many times run, download (each if there is one) of an open state. Returns when the
 * answer is in host memory: the device may not have reported its end yet. */
Status run_until_answer(const Variant *variant, void *state, int runs);
/* The same with one run, then waits for the backend. */
Status run_once(const Variant *variant, void *state);
/* Poisons everything and runs once, again after a stop; the seconds of the run. Where every try was
 * stopped they are too few: the answer does not depend on them. */
Status run_on_poison(const Variant *variant, void *state, const Output *output, uint8_t pattern,
                     double *seconds);

/* Poisons all memory of a variant's backend and of cpu_backend, the answer included. */
Status poison_everything(const Variant *variant, const Output *output, uint8_t pattern);

/* STATUS_FAIL if a guard band of the variant's backend or of cpu_backend was written, which around
 * the answer names its part, or if a module's variant has changed the process. */
Status check_all_guards(const Variant *variant, const Output *answer);

/* Whether a guard band of this memory of cpu_backend was written, and how far before its start or
 * past its end; 0: not there. backend_cpu.c */
bool cpu_damage_of(const void *memory, size_t *before, size_t *after);

/* Compares two answers for the same answer point by the variant's own comparison, else by the
 * algorithm's, else byte by byte. */
void answer_compare(const Algorithm *algorithm, const Variant *variant, const Point *answer,
                    const Output *got, const Output *want, Verdict *verdict);

/* Checks the guards, then compares. `agreement` is set if the answers were compared. STATUS_FAIL
 * "wrong answer: …". */
Status verify_answer(const Algorithm *algorithm, const Variant *variant, const Point *answer,
                     const Output *got, const Output *want, double *agreement);

/* The algorithm's digest of an answer, or a hash of all its bytes: 1 … ANSWER_DIGESTS, which a JSON
 * number holds exactly. 0: right answers of the algorithm have no digest in common. */
#define ANSWER_DIGESTS ((uint64_t)1 << 52)
uint64_t answer_digest(const Algorithm *algorithm, const Output *output);

/* Poisons, uploads, runs, downloads and verifies an open state. */
Status verify_state(const Algorithm *algorithm, const Variant *variant, const Point *answer,
                    void *state, const Output *got, const Output *want, double *agreement);

/* --- Cases: cases.c --------------------------------------------------------------------------- */

/* The content that looks like an image: the synthetic texture. */
#define CASE_TEXTURE "texture"

/* Images: count 0. Sets: `count` images. Descriptors: `count` rows of `width` bytes in the first
 * set, `height` in the second. */
typedef struct CaseShape {
    int32_t count, width, height;
} CaseShape;

/* The usual shapes of a kind; `quick` leaves out large images. */
size_t case_shapes(WorkloadKind kind, bool quick, const CaseShape **shapes);

/* The contents of a kind, NULL behind the last. */
const char *const *case_contents(WorkloadKind kind);

/* No set is large. */
bool case_is_large(WorkloadKind kind, CaseShape shape);

void case_shape_text(WorkloadKind kind, CaseShape shape, char *text, size_t size);

/* A workload of its own memory: `padding` bytes after each row hold values that must not be read;
 * sets have none. Keypoint workloads have random weights of every kind. STATUS_SKIP without memory.
 * Release with case_release. */
Status case_create(WorkloadKind kind, CaseShape shape, const char *content, size_t padding,
                   Workload *workload);
void case_release(Workload *workload);

/* --- Profiler: profile.c ---------------------------------------------------------------------- */

/* Starts `ncu` on this program with the same request of one cell, and adds what it counted under
 * the cell's name, on `device`. `*hopeless` becomes true if it would fail for every other cell too.
 * Errors as those of profile_cells. */
Status profiler_run(const RunOptions *options, size_t cell, const char *name, const char *device,
                    Profile *profile, bool *hopeless);

/* --- History: oracle.c ------------------------------------------------------------------------ */

/* What a run has measured so far: the speed of seq and of the CPU variants that were verified. */

enum {
    HISTORY_VARIANTS_MAX = 128,
    HISTORY_ALGORITHMS_MAX = OPTIONS_ALGORITHMS_MAX + 1,
    HISTORY_SPEEDS_MAX = 256
};

/* A CPU variant that has agreed with seq, and its time on the largest such workload. */
typedef struct Verified {
    const Algorithm *algorithm;
    const Variant *variant;
    Point tuning;
    double work, seconds;
} Verified;

/* The time of seq on the largest workload that it has run on. */
typedef struct SeqRate {
    const Algorithm *algorithm;
    double work, seconds;
    char where[WORKLOAD_SIZE_NAME_SIZE]; /* that workload's size */
} SeqRate;

/* The time of one run of a CPU variant on a small input, for estimates. */
typedef struct Speed {
    const PlanCell *cell; /* the first of the plan with this variant and answer point */
    double work;          /* of the small input, by variant_work */
    double seconds;
} Speed;

/* Starts zeroed. */
typedef struct History {
    Verified verified[HISTORY_VARIANTS_MAX];
    size_t verified_count;
    SeqRate rates[HISTORY_ALGORITHMS_MAX];
    size_t rate_count;
    Speed speeds[HISTORY_SPEEDS_MAX];
    size_t speed_count;
} History;

/* The amount of work that run time is assumed to be proportional to: operations, or bytes for an
 * algorithm without any. */
double cost_work(const Cost *cost);

/* Adds one run of a variant that agreed with seq. */
void history_note_verified(History *history, const Algorithm *algorithm, const Variant *variant,
                           const Point *tuning, double work, double seconds);

/* Adds one run of seq on the size `where`. */
void history_note_seq(History *history, const Algorithm *algorithm, double work, double seconds,
                      const char *where);

/* NULL if seq has not run. */
const SeqRate *history_rate(const History *history, const Algorithm *algorithm);

/* Seconds that one run of seq would take; NAN if seq has not run. */
double history_estimate(const History *history, const Algorithm *algorithm, double work);

/* The verified variant with the least time for its work; NULL if there is none. */
const Verified *history_fastest(const History *history, const Algorithm *algorithm);

/* --- Oracle: oracle.c ------------------------------------------------------------------------- */

/* The right answer of one workload at one answer point, computed once by row 0 (seq). If one run of
 * seq is estimated to take longer than --max-cell, the fastest CPU variant that was verified
 * against seq on a smaller workload stands in. */
typedef struct Oracle {
    Output answer;             /* plain memory; without data where `digest` replaces it */
    uint64_t digest;           /* answer_digest of an answer that memory has no room for twice */
    char by[64];               /* "seq", or the stand-in: "omp/threads:16" */
    double seconds;            /* of its run */
    bool stood_in;             /* seq takes too long here */
    char why[STATUS_WHY_SIZE]; /* why seq was not run */
} Oracle;

/* Measures the speed of seq on growing crops of a workload, up to 1024×1024, unless it is known
 * already; takes some tens of milliseconds. On crops that have no answer at this point it uses the
 * default one. Without memory nothing is measured. */
void oracle_probe(History *history, const Algorithm *algorithm, const Workload *workload,
                  const Point *answer);

/* Seconds of the second of two runs of a CPU variant, each newly opened, with upload and download.
 * The answer is not looked at, the guards around it are. */
Status oracle_time(const Algorithm *algorithm, const Variant *variant, const Workload *workload,
                   const Point *answer, const Point *tuning, double *seconds);

/* Computes the oracle. `scratch` is guarded answer memory of the same layout. Where memory has no
 * room for a second answer, and answers are compared byte by byte, their digest is kept.
 * STATUS_SKIP if there is no memory or no variant that can stand in; any other failure is the
 * oracle's own. Release with oracle_release, whatever was returned. */
Status oracle_compute(History *history, const RunOptions *options, const Algorithm *algorithm,
                      const Workload *workload, const Point *answer, const Output *scratch,
                      Oracle *oracle);

void oracle_release(Oracle *oracle);

/* --- Where cells of one thread run: placement.c ----------------------------------------------- */

/* Shares of their time by which places may differ and count as equally idle. */
#define PLACE_MARGIN 0.1

/* The idlest of `count` places: the current one if it is, else the last, since the first ones have
 * the interrupts. `current` == count: there is none yet. */
size_t place_choose(const double *load, size_t count, size_t current);

/* Two pieces of work that are always the same, timed in each turn of a CPU cell to tell how fast
 * the machine is. Starts zeroed. */
typedef struct Sentinel {
    Samples chain; /* dependent multiplications: the clock, and who shares the core */
    Samples copy;  /* of memory that fits an L2 cache */
} Sentinel;

/* Takes about 0.2 ms, again after a stop, which `repeated` counts. STATUS_SKIP without memory. */
Status sentinel_sample(Sentinel *sentinel, size_t *repeated);

/* Seconds; NAN without samples. */
void sentinel_medians(const Sentinel *sentinel, double *chain, double *copy);

void sentinel_release(Sentinel *sentinel);

/* The share of a cell's turns in which other guests had its processors, and how often a CPU quota
 * stopped them. */
typedef struct Stolen {
    double seconds, watched;     /* of processors, in the turns so far */
    double began, began_stolen;  /* of the turn under way */
    StopMark mark;               /* the same: of a turn with a stop nothing counts */
    double share;                /* NAN: there is nothing to read it from */
    ThrottlingCounters counters; /* of the CPU quota, of the turn under way */
    double throttled;            /* periods in which it stopped the turns so far */
} Stolen;

/* Around a turn, or a part of one, of a cell with so many threads, 0 on a device: those of one
 * thread watch the processors that the thread may use now, others all that the process may use. */
void stolen_begin(Stolen *stolen, int threads);
void stolen_end(Stolen *stolen, int threads);

/* Notes in the row what was found. */
void stolen_note(const Stolen *stolen, Row *row);

/* --- Threads that work: thread_watch.c -------------------------------------------------------- */

typedef struct ThreadTime {
    long thread;
    double cpu; /* seconds */
} ThreadTime;

typedef struct ThreadTimes {
    ThreadTime *list;
    size_t count;
} ThreadTimes;

/* Threads and their times at the start. */
typedef struct ThreadWatch {
    ThreadTimes before;  /* without the calling one; list NULL: not known */
    double own, process; /* CPU seconds of the calling thread and of all */
} ThreadWatch;

/* Release with thread_watch_end. The count, and the check, may be asked for in between by the same
 * thread: how many threads have worked since, at least; 0 where that is not known. */
void thread_watch_begin(ThreadWatch *watch);
int thread_watch_count(const ThreadWatch *watch);
void thread_watch_end(ThreadWatch *watch);

/* STATUS_SKIP when fewer than `threads` have worked. */
Status thread_watch_check(const ThreadWatch *watch, int threads);

/* --- Samples of a cell: measure.c ------------------------------------------------------------- */

/* The samples of one open cell. A cell advances one sample at a time, so that the caller chooses
 * the order in which several cells are sampled. Every timing is taken again when the process was
 * stopped in it (stops.h), STATUS_SKIP where that happens each time. */

/* Sampling stops at this number, since more samples would not narrow the interval and each is
 * stored. A fixed number (--reps) is not limited. */
enum { SAMPLES_MAX = 10000 };

/* A run of this many seconds is its own warm-up: next to it a page fault or a cache that is not
 * filled is nothing. */
#define LONG_RUN 1.0

typedef struct Measurement {
    const RunOptions *options;
    const Variant *variant;
    void *state;           /* open and uploaded */
    double timer_overhead; /* seconds, of the variant's backend */
    int threads;           /* of the CPU; 0 on a device */
    int gpus;              /* devices of its backend that it works on */
    /* Of a cell whose runs are long: its answer, which is poisoned before each sample. NULL: not
     * long. */
    const Output *poisoned;

    Samples samples;    /* seconds per run; owned, may be moved out */
    size_t batch;       /* runs per sample */
    size_t repeated;    /* timings of all kinds that were taken again because of a stop */
    StopMark warm;      /* before the latest run that fills the caches */
    double cpu_seconds; /* process CPU time of all counted runs */
    double spent;       /* wall-clock seconds in samples, and in the runs that precede them */
    double latest;      /* seconds of the latest sample or probe, all its runs together */
    double fastest;     /* seconds per run of the fastest sample or probe; 0: none yet */
    size_t next_check;  /* number of samples at which the interval is computed again */
    bool done, converged;
    bool held; /* Backend.hold before the runs of a sample: decided by measure_begin */

    Samples end_to_end;       /* of a variant with transfers; owned, may be moved out */
    double end_to_end_spent;  /* wall-clock seconds in them, uncounted passes included */
    double end_to_end_latest; /* seconds of the latest one */
    bool end_to_end_done;

    Sentinel sentinel; /* of a cell on the CPU */
    Stolen stolen;
} Measurement;

/*
 * OpenMP binds the main thread to its first place, where the system and other programs run as well.
 * So a cell of one thread runs elsewhere: placement_enter moves the calling thread to the idlest
 * place of OpenMP on its NUMA node, and placement_leave moves it back, where the runtime believes
 * that it is. Every three seconds the thread first sleeps for 0.06 s to see what works meanwhile.
 * In a cell of a device the thread may run on all these places, and so may the threads that a
 * driver starts, which inherit its set. Both kinds of cells wait for OpenMP's other threads, which
 * spin for milliseconds after their last work, 30 ms at most. Nothing of this is done for other
 * cells, where OpenMP binds no threads, and with cold caches, which all threads flush before each
 * sample.
 */
void placement_enter(const Measurement *measurement);
void placement_leave(void);

/* The device that worked last, and until when. Starts zeroed. */
typedef struct Warmth {
    const Backend *backend;
    double left;   /* monotonic seconds */
    StopMark mark; /* since a stop it is idle */
} Warmth;

/* Seconds of one call by the backend's clock; `step` NULL: of nothing. After a stop it is called
 * again, and `repeated`, which may be NULL, counts that. */
Status measure_step(const Backend *backend, Status (*step)(void *state), void *state,
                    double *seconds, size_t *repeated);

/* Seconds that a clock_start and clock_stop with nothing between them report. */
Status measure_timer_overhead(const Backend *backend, double *seconds);

/* Warms up, decides whether the device is held while the runs of a sample are queued (not if they
 * wait for it, nor if one takes 0.1 s or more), and chooses the batch size. Of a cell with
 * `poisoned` set, whose `latest` is known, it runs nothing: a batch is one run. */
Status measure_begin(Measurement *measurement);

/* Uncounted runs before the samples of a cell, a run of which takes `run` seconds. */
int measure_warmups(const RunOptions *options, double run);

/* Whether upload, run and download, or stream(), are more than the run: without transfers the
 * kernel samples are the end-to-end samples. */
bool measure_has_transfers(const Variant *variant);

/* Takes one kernel sample and decides whether it was the last. Only the time spent here and in
 * measure_rewarm counts against --max-time, not that of samples which a stop made worthless. */
Status measure_sample(Measurement *measurement);

/* upload, run and download, or stream(), from and to host memory; returns when the answer is there.
 */
Status measure_pass(const Measurement *measurement);

/*
 * Takes the end-to-end samples of a turn that goes on with at most `coming` kernel samples: as many
 * as keep up with these, so that both are of the same times. An uncounted pass precedes them, but
 * for long ones and with cold caches. There are at most 30, or `options->reps` if that is less, and
 * without it they end after a quarter of --max-time. Does nothing without transfers.
 */
Status measure_end_to_end(Measurement *measurement, size_t coming);

/* Whether it has all samples that it needs, of the kernel and end to end. */
bool measure_is_done(const Measurement *measurement);

/* Refills caches and predictors after another cell: uncounted batches, at least two, until two in a
 * row agree within 1%, at most eight or a tenth of a second; one for samples of 5 ms or more. Does
 * nothing in cold mode and for samples so long that they warm themselves. */
Status measure_rewarm(Measurement *measurement);

/* Keeps a device that was idle for more than 10 ms busy for 50 ms of its own time, at most a
 * quarter of a second of the host's, because its clock takes tens of milliseconds to rise; not if
 * a batch takes as long as the cell's fastest one so far. Does nothing on the CPU. */
Status measure_warm_device(Measurement *measurement, Warmth *warmth);

/* Records that the cell's device, if it is on one, has worked until now. */
void measure_note_warmth(const Measurement *measurement, Warmth *warmth);

/* Estimated progress of sampling, 0 … 1. */
double measure_progress(const Measurement *measurement);

/* Median seconds of upload and of download; NAN if the variant has no such step, or its run is the
 * whole pass. */
Status measure_transfers(Measurement *measurement, double *upload, double *download);

/* Median seconds by wall clock of one run, from the call until the device has finished: of 15,
 * fewer if they take longer than a tenth of a second. */
Status measure_call(Measurement *measurement, double *seconds);

/* Wall-clock samples of open, upload, run and download: `options->reps` or 5 of them, fewer if they
 * take longer than a quarter of --max-time; as the share of a launch of several up to 5, one where
 * it takes 20 ms. No other state of the variant is open meanwhile. */
Status measure_with_alloc(const RunOptions *options, const Variant *variant, const Request *request,
                          Samples *samples, size_t *repeated);

/*
 * Median seconds of each stage of an open and uploaded state; NAN for stages that the variant does
 * not have. Each stage starts on an idle processor and is waited for, so their sum exceeds the run
 * by a launch and a wait per stage. A stage may need the result of the one before it, so whole
 * passes are repeated: one uncounted and up to 5 counted, within a quarter of --max-time; a single
 * pass if a run, which takes about `run_seconds`, is a LONG_RUN. In cold mode caches are
 * flushed before each pass. Ends early when interrupted.
 */
Status measure_stages(Measurement *measurement, double run_seconds, double seconds[STAGES_MAX]);

/* --- Turns: turns.c --------------------------------------------------------------------------- */

/* Several open cells sampled in turns, A B C … C B A, A B C … A change of the machine's speed
 * meanwhile affects all of them alike. A turn of a cell with transfers has end-to-end samples, then
 * kernel samples. A cell that has the samples it needs keeps taking short turns until the last one
 * has: were it to leave, it would not share the times in which the others are measured. */

typedef struct Lane {
    Measurement *measurement; /* begun; owned by the caller */
    Status status;            /* unless STATUS_OK: why it takes no more turns */
    bool over;                /* takes no more turns; starts false */
    bool done;                /* has the samples it needs; starts false */
    bool done_now;            /* since its latest turn */
    uint32_t needed;          /* turns until it was done */
    uint32_t turns;           /* it has taken; starts 0 */
} Lane;

typedef struct LaneWatch {
    /* Called before each turn but the first; its status becomes the lane's. May be NULL. */
    Status (*anew)(void *context, size_t lane);
    /* Called directly after the turn in which a lane became done, before any other runs, and again
     * after all turns when it has taken more; its status becomes the lane's. */
    Status (*sampled)(void *context, size_t lane);
    /* Called after each turn of a lane; may be NULL. */
    void (*turn)(void *context, size_t lane);
    void *context;
} LaneWatch;

/* Samples until every lane is done or over, or interrupt_requested(). A lane that fails is over and
 * the others continue, except those on a device that was lost: they are over with STATUS_SKIP. */
void interleave_sample(Lane *lanes, size_t count, Warmth *warmth, const LaneWatch *watch);

/* --- Devices: sweep.c ------------------------------------------------------------------------- */

enum { DEVICES_MAX = 8 };

/* What a run knows of a backend. */
typedef struct Device {
    const Backend *backend;
    char description[RESULT_LABEL_SIZE];
    double timer_overhead; /* seconds; NAN if it could not be measured */
    Status usable;         /* STATUS_SKIP with the reason: not here, or lost since */
    Status lost;           /* the same of one of several devices: Backend.usable knows which */
    Status pinning;        /* STATUS_SKIP with the reason if memory could not be page-locked */
} Device;

/* Starts zeroed. */
typedef struct Devices {
    Device rows[DEVICES_MAX];
    size_t count;
} Devices;

/* The device of a backend; the first time, probes it and measures its clock. Never NULL. */
Device *devices_get(Devices *devices, const Backend *backend);

/* Whether a variant of `backend` on so many GPUs cannot go on since `lost` has lost a device. */
bool device_is_lost(const Backend *lost, const Backend *backend, int gpus);

/* --- State of the processor around a cell: cell.c ----------------------------------------------
 */

/* What is kept between the two readings. */
typedef struct Telemetry {
    double throttle_events;
} Telemetry;

/* Fills clock_mhz, temperature and power of the row (…_before) before the first sample. The row has
 * its variant. What cannot be read stays NAN. */
void telemetry_before(Telemetry *telemetry, Row *row);

/* Fills …_after, clock_mhz_max, throttle and throttled, directly after the last sample, before the
 * clock changes. */
void telemetry_after(const Telemetry *telemetry, Row *row);

/* Joules of one run of the measurement's open, uploaded state: repeats the run for at least a
 * second and divides what the energy counter of its processor (NVML's of its `gpus` devices, RAPL's
 * of all CPU packages) advanced by the number of runs; idle power is included. `run_seconds` is
 * about one run. After a stop it begins anew. NAN without a counter and when interrupted. */
Status telemetry_energy(Measurement *measurement, double run_seconds, double *joule);

/* --- Cell: cell.c ----------------------------------------------------------------------------- */

/*
 * One variant at one point, from its verification to its row, in steps, so that several cells can
 * be sampled in turns:
 *
 *   cell_verify   alone: open, poison, upload, run, download, guards, compare, close
 *   cell_open     any number of cells at once
 *   cell_begin    after everything was poisoned: upload, warm up
 *                 … samples of cell.measurement, of the kernel and end to end …
 *   cell_check    directly after the last sample: compare again
 *   cell_close
 *   cell_sampled_row   the row so far, to store it
 *   cell_finish   alone: transfers, stages, allocation, energy, each compared again; fills the row
 *
 * Each step returns STATUS_OK, or why the cell has no numbers. If interrupt_requested() afterwards,
 * the cell is unfinished and its row means nothing.
 */

typedef struct CellJob {
    const RunOptions *options;
    const Plan *plan;
    const PlanCell *cell; /* of the plan */
    const Workload *workload;
    const Oracle *oracle;
    const Row *known;      /* of the first launch: its answer_digest replaces the oracle; or NULL */
    const Output *scratch; /* guarded memory for the answer, shared by all cells */
    Device *device;        /* of the variant's backend */
} CellJob;

/* Must not move while its state is open. */
typedef struct Cell {
    CellJob job;
    char name[CELL_NAME_SIZE];
    Request request;
    Measurement measurement; /* its state is NULL while the cell is not open */
    Telemetry telemetry;
    double run_seconds;  /* of the run that was verified first, with its transfers */
    double anew_seconds; /* that cell_open_anew took; starts 0 */
    Row row;             /* its samples are the cell's until it is moved out */
    bool compared;       /* the answer was verified at least once */
    bool sampled;        /* has every sample, and the answer was right afterwards */
    Status status;       /* of cell_set_sample: why it has not */
} Cell;

void cell_init(Cell *cell, const CellJob *job);

/* Closes the state and releases the samples, those of the row included. */
void cell_release(Cell *cell);

Status cell_verify(Cell *cell);
Status cell_open(Cell *cell);
Status cell_begin(Cell *cell, Warmth *warmth);

/* Between two turns: verifies the latest answer of a cell of a device and opens its state again, so
 * that its memory lies at other addresses. Does nothing on the CPU, nor once that has taken long.
 * The state may be NULL after a failure. */
Status cell_open_anew(Cell *cell);

/* Seconds above which that has taken long: about one turn. Tests of a loaded machine change it. */
extern double cell_anew_limit;
Status cell_check(Cell *cell);
void cell_close(Cell *cell);
Status cell_finish(Cell *cell);

/* Makes the row of a sampled cell, with a copy of its samples and without what cell_finish
 * measures. STATUS_FAIL without memory. */
Status cell_sampled_row(const Cell *cell, Row *row);

/* Gives a verified cell the samples of such a row; cell_finish is left. STATUS_FAIL without memory.
 */
Status cell_restore(Cell *cell, const Row *row);

/* Drops every number measured, before the cell is sampled again or its row gets a reason instead.
 */
void cell_drop_numbers(Cell *cell);

/* --- Set of cells: turns.c -------------------------------------------------------------------- */

/* "0.123 ms, 36.7× faster than seq": the median of some of the samples so far, and its ratio to
 * seq's `seq` seconds where these are known and the cell is not seq. "" without samples. */
enum { CELL_KNOWN_SIZE = 96 };
void cell_known(const Cell *cell, double seq, char text[CELL_KNOWN_SIZE]);

typedef struct SetWatch {
    Progress *progress;
    const double *prices; /* expected seconds of each cell of the plan; NULL: cells are no steps */
    double seq;           /* seconds of a run of seq where it is not in the set; NAN: not known */
    /* Called between turns, soon after a cell has all its samples and was right afterwards. Its
     * first failure is returned by cell_set_sample in the end. May be NULL. */
    Status (*sampled)(void *context, const Cell *cell);
    void (*turn)(void *context); /* called after each turn; may be NULL */
    void *context;
} SetWatch;

/*
 * Samples verified cells in turns: opens as many of them as fit into memory together, except those
 * that are sampled already, and closes them all. A cell that is not `sampled` afterwards did not
 * fit or failed, which its status says. A failure may be the fault of another cell, so that only a
 * set of one cell, or STATUS_DEVICE_LOST, is a verdict. STATUS_FAIL without memory for the set.
 */
Status cell_set_sample(Cell *cells, size_t count, const SetWatch *watch);

/* --- Resume: resume.c ------------------------------------------------------------------------- */

/* Reads the run in the folder. STATUS_USAGE if it is of another machine, build or request. Release
 * with stored_run_release. */
Status resume_read(const char *folder, const RunOptions *options, const Machine *machine,
                   StoredRun *stored);

/* Moves the row with the name, size and mode of `planned` out of the stored run: true and the row,
 * whose samples now belong to the caller, or false. */
bool resume_extract(StoredRun *stored, const Row *planned, Row *row);

/* Whether a row has all its samples. */
bool resume_is_sampled(const Row *row);

/* Whether it also has what is measured after them. Any other row is measured again. */
bool resume_is_finished(const Row *row);

/* STATUS_USAGE if an input file is no longer the one that the stored rows were measured on. */
Status resume_check_inputs(const StoredRun *stored, const Plan *plan, uint64_t seed);

/* --- Run folder: outputs.c -------------------------------------------------------------------- */

typedef struct RunFolder {
    char path[ATOMIC_FILE_PATH_SIZE - 64]; /* room for file names */
    char csv[ATOMIC_FILE_PATH_SIZE];
    char json[ATOMIC_FILE_PATH_SIZE];
    bool created;       /* did not exist before */
    bool holds_results; /* of an earlier run */
    int lock;           /* of folder_lock */
} RunFolder;

/* Makes the folder (--resume, --out, or <time>-<algorithms> in the folder of runs) and the one of
 * --save, and tries to write there and to --csv and --json. Removes part files that a killed run
 * left there. STATUS_FILE names the path, also if another run is being written there; STATUS_USAGE
 * if it holds another run, without --force. */
Status run_folder_open(const RunOptions *options, RunFolder *folder);

/* Lets another run be written there. */
void run_folder_close(RunFolder *folder);

/* Removes a folder that run_folder_open made, if it is empty. */
void run_folder_discard(const RunFolder *folder);

/* --- Rows of a run: store.c ------------------------------------------------------------------- */

/* The rows of a run, in the order of the plan, written to its files as they come: whole, or to the
 * journal beside results.json while rewriting them would take too large a share of the time. */
typedef struct RowStore {
    const Plan *plan;
    const RunFolder *folder;
    StoredRun *earlier; /* the run that is resumed, whose rows are kept; NULL: none */
    RunRecord *record;
    Machine *machine; /* that of the record, which gets what a CPU quota did to the run */
    Results *results;

    /* Set by store_open. */
    size_t *places; /* of each row of results, its cell's index in the plan */
    bool *finished; /* of each cell of the plan, whether its row is its last */
    size_t finished_count;
    Progress progress;
    double *prices;        /* expected seconds of each cell of the plan; 0 where nobody is told */
    double launches[2];    /* and of the first launch, and each of the others */
    double started;        /* monotonic seconds */
    double elapsed_before; /* seconds that the earlier run took */
    Throttling throttled_before;   /* the same of a CPU quota */
    ThrottlingCounters throttling; /* at the start */
    WriteClock writes;             /* of the run's files */
    Journal journal;               /* rows that are not in results.json yet */
    Status trouble;                /* why the results could not be written the last time */
} RowStore;

/* Starts the clock and the progress, and adds the rows of the earlier run. The members down to
 * `results` are set. STATUS_USAGE if the earlier run has measured rows that the plan has no cell
 * for, STATUS_FAIL without memory; nothing has to be released then. */
Status store_open(RowStore *store, FILE *notes);

void store_close(RowStore *store);

/* Adds the last row of cell `index`; `ran` when time was spent on it. A cell has one row: the next
 * replaces it. The samples belong to the results afterwards, whatever is returned. STATUS_FAIL
 * without memory; that files could not be written is `trouble`. */
Status store_add(RowStore *store, size_t index, Row *row, bool ran);

/* The same for the row of a cell that is sampled and not finished (cell_sampled_row). */
Status store_add_samples(RowStore *store, size_t index, Row *row);

/* Adds a row without results: a failure for STATUS_FAIL, else a skip. */
Status store_add_reason(RowStore *store, size_t index, const Status *why);

/* Puts the row of a cell of the plan that was measured elsewhere in its place, which is no progress
 * of this process; its samples belong to the results afterwards, whatever is returned. STATUS_FAIL
 * without memory. */
Status store_put(RowStore *store, size_t index, Row *row);

/* The row that a cell has now; NULL: none. Valid until the next one is added. */
const Row *store_row(const RowStore *store, size_t index);

/* Writes results.csv and results.json, unless that would replace the results of an earlier run by
 * none (store_has_result). A failure is reported once and kept in `trouble`. */
void store_write(RowStore *store);

/* The same if there are rows in the journal alone and there is time for it. */
void store_catch_up(RowStore *store);

/* Notes in the facts of the machine what a CPU quota did to the run so far. */
void store_note_throttling(RowStore *store);

/* Whether a cell was measured or wrong, not only skipped. */
bool store_has_result(const RowStore *store);

/* --- Sweep: sweep.c --------------------------------------------------------------------------- */

/* Measures the cells of a plan in this process, and adds a row for each to the store. */
typedef struct Sweep {
    const RunOptions *options;
    const Plan *plan;
    RowStore *store;  /* open */
    StoredRun *first; /* the first launch of this run; NULL: this is it, or it is unknown */
    History history;
    Devices devices;
    Status save_trouble; /* why an answer could not be saved */
    bool oracle_failed;  /* cells were skipped because an oracle failed */
} Sweep;

/* Runs every cell that is not finished, until the end or an interrupt. The members down to `store`
 * are set, the others zero. STATUS_FILE if an input can no longer be read; cells that fail are
 * rows, not errors. */
Status sweep_run(Sweep *sweep);

/* --- Shares on one host: host_lock.c ---------------------------------------------------------- */

/* Opens the locks by which shares of a plan take turns on this host; `device` names the GPU, "" is
 * any. Without this call the functions below do nothing. STATUS_FILE. */
Status host_lock_open(const char *device);

/* Waits until no other share measures here, as CPU cells, copies and verification need it. Called
 * again, it first lets others that wait have their turn. */
void host_lock_alone(void);

/* Waits until no other share is alone or uses the device: kernels of several devices may run
 * together. */
void host_lock_device(void);

bool host_lock_is_open(void);

void host_lock_close(void);

/* --- Expected time: expect.c ------------------------------------------------------------------ */

/* Measures how fast seq of each algorithm of the plan is on a small input, and for about a second
 * how fast its CPU variants are there at the plan's answer points. The plan must outlive the
 * history. */
void expect_probe(const RunOptions *options, const Plan *plan, History *history);

/* Of one run of the cell; 0 where that is not known. */
double expect_sample(const PlanCell *cell, const History *history);

/* Seconds that a cell of the plan is expected to take in this process, with the oracle before it;
 * 0: it cannot run. The options are those of one launch. */
double expect_cell(const RunOptions *options, const Plan *plan, size_t index,
                   const History *history);

/* Speeds that are the same on every machine, and with them the seconds that a cell adds to its
 * share of a plan, whether it can run here or not. */
void expect_assumed(const Plan *plan, History *history);
double expect_share(const RunOptions *options, const Plan *plan, size_t index,
                    const History *history);

/* The same of launch 1, 2, … of the request, and of the whole request with all its launches and the
 * time between them; without ceilings and charts. */
double expect_launch(const RunOptions *options, const Plan *plan, const History *history,
                     int launch);
double expect_run(const RunOptions *options, const Plan *plan, const History *history);

/* Seconds from the beginning of the first launch to the end of the last, where the first takes
 * `first` seconds and each of the others `other`. */
double expect_launches(const RunOptions *options, double first, double other);

/* --- Launches: launcher.c --------------------------------------------------------------------- */

/* The request of one launch: its share of the samples, and of a later launch no ceilings. */
RunOptions launch_options(const RunOptions *options);

/*
 * Measures every launch of a run in a child process of its own, one after the other, in the folders
 * launch-1 … launch-N of the run's folder, and adds the rows of each to the open store. A launch
 * that the resumed run has stored whole is not measured again, one that is stored in part is
 * continued. Launches of options->baseline_program alternate with them (old, new, new, old, …), in
 * the folder "baseline", which becomes a run of its own. STATUS_INTERRUPTED when interrupted;
 * STATUS_FAIL when a launch ended otherwise than by measuring; STATUS_USAGE when that program was
 * built otherwise than this one.
 */
Status launches_run(const RunOptions *options, RowStore *store, FILE *notes);

/* --- Self-test: selftest.c -------------------------------------------------------------------- */

/* Fills the statistics of `pairs` ≥ 1 ratios ≥ 0 with their intervals. A pair without an interval
 * counts for the floor only. */
void selftest_summarize(const Ratio *ratios, size_t pairs, NoiseCell *cell);

/* --- Ceilings: roofs.c ------------------------------------------------------------------------ */

/* What other programs do, in seconds that only grow. */
typedef struct RoofLoad {
    double wall;
    double others; /* CPU time of other programs, for each processor on average; NAN: not known */
} RoofLoad;

/* How ceilings are measured and where they are stored; a parameter for tests. */
typedef struct RoofSource {
    Status (*measure_cpu)(Ceilings *ceilings);
    Status (*measure_device)(Ceilings *ceilings);
    RoofLoad (*load)(void);
    void (*pause)(double seconds);
    int attempts;       /* measurements at most */
    const char *folder; /* of stored ceilings; NULL: nothing is stored */
    int64_t now;        /* seconds since 1970 */
} RoofSource;

/* roofs_read from another source. Ceilings that cannot be trusted are measured again, with a pause
 * before that doubles, and the best value of each is kept; if they never agree nothing is stored.
 * They are trusted if they do not contradict each other, each was measured at least once with 0.9
 * of the processors' time, and other programs had less than 0.1 of it during the last measurement.
 */
void roofs_read_from(const RoofSource *source, const Machine *machine, bool fresh, FILE *notes,
                     Ceilings *ceilings);

/* "<folder>/roof-<fingerprint>.json". STATUS_FILE if that is too long. */
Status roofs_path(const char *folder, const Machine *machine, char *path, size_t size);

/* --- Saved answers: save.c -------------------------------------------------------------------- */

/* STATUS_USAGE if an input (input_guard.h) has the name of a file that a part of one of the plan's
 * answers is written to. `folder` may be NULL: nothing is written. */
Status save_check(const char *folder, const Plan *plan);

#endif
