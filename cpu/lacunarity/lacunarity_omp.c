/*
 * lacunarity on all processors: the positions of each threshold and box are cut into horizontal
 * bands, and each band goes through the best kernel (lacunarity_internal.h).
 *
 * A band begins with the column sums of its first boxes. Where boxes are high, counting these for
 * each band would take longer than the bands themselves; so each row of the image is counted once:
 * the rows are cut where a band's first boxes begin and where they end, the pieces are counted by
 * all threads and added up from the top, and the column sums of a band are the difference of two
 * such sums. Modulo 2^16 that is exact, as no box is higher.
 */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "cpu_memory.h"
#include "lacunarity_internal.h"

VARIANT_FUNCTIONS(lacunarity_omp);

enum {
    BANDS_PER_THREAD = 2, /* of one job: each takes the time of some rows to begin */
    TURNS_PER_THREAD = 8, /* in which a list of jobs is handed out, so that all end together */
    PREFIX_COLUMNS = 512  /* added up by one thread */
};

/* Positions: some microseconds, less does not pay for sharing the work; and some tens, less does
 * not pay for more bands than threads. */
enum { BAND_POSITIONS_MIN = 1 << 14, BAND_POSITIONS_GOOD = 1 << 17 };

/* One threshold and box. */
typedef struct Job {
    int threshold;
    int32_t box;
    bool direct;        /* each band counts the rows of its first boxes */
    int32_t *cuts;      /* 2·bands rows in order: where bands' first boxes begin and end */
    int *begins, *ends; /* bands: which of the cuts these are */
    uint16_t *columns;  /* 2·bands × width: the object pixels above each cut */
} Job;

typedef struct OmpState {
    const LacunarityKernel *kernel;
    const Image *image;
    LacunarityPlan plan;
    LacunarityRow *rows;
    int threads, bands;     /* bands of each job */
    int jobs, counted_jobs; /* of which so many are not direct */
    Job *list;
    LacunarityMoments *moments; /* jobs × bands */
    ThreadMemory memory;        /* of each thread: columns, then scratch */
    size_t columns_bytes;
    uint16_t *cut_columns; /* of all jobs */
} OmpState;

static int32_t position_rows(const Image *image, int32_t box) {
    return image->height - box + 1;
}

/* First row of positions of a band; the row behind the last one for band == bands. */
static int32_t band_start(const OmpState *omp, const Job *job, int band) {
    return (int32_t)((int64_t)position_rows(omp->image, job->box) * band / omp->bands);
}

/* Of the job that has most. */
static uint64_t most_positions(const OmpState *omp) {
    uint64_t most = 0;
    for (size_t b = 0; b < omp->plan.box_count; b++) {
        const uint64_t positions = lacunarity_positions(omp->image, omp->plan.boxes[b]);
        most = positions > most ? positions : most;
    }
    return most;
}

static int band_count(const OmpState *omp) {
    const uint64_t positions = most_positions(omp);
    const uint64_t threads = (uint64_t)omp->threads;
    const uint64_t good = positions / threads / BAND_POSITIONS_GOOD;
    const uint64_t of_one = good < BANDS_PER_THREAD ? threads : threads * BANDS_PER_THREAD;
    const uint64_t of_list = (threads * TURNS_PER_THREAD - 1) / (uint64_t)omp->jobs + 1;
    const uint64_t wanted = of_one < of_list ? of_one : of_list;
    const uint64_t worthwhile = positions / BAND_POSITIONS_MIN + 1;
    return (int)(worthwhile < wanted ? worthwhile : wanted);
}

/* Merges the rows where first boxes begin with those where they end. */
static void find_cuts(const OmpState *omp, Job *job) {
    int begun = 0;
    int ended = 0;
    while (ended < omp->bands) {
        const int32_t begin = band_start(omp, job, begun);
        const int32_t end = band_start(omp, job, ended) + job->box;
        if (begun < omp->bands && begin <= end) {
            job->begins[begun] = begun + ended;
            job->cuts[begun + ended] = begin;
            begun++;
        } else {
            job->ends[ended] = begun + ended;
            job->cuts[begun + ended] = end;
            ended++;
        }
    }
}

static Status make_jobs(OmpState *omp) {
    const LacunarityPlan *plan = &omp->plan;
    const size_t jobs = plan->threshold_count * plan->box_count;
    if (jobs > (size_t)INT32_MAX / 4) {
        return status_no_memory("for %zu pairs of a threshold and a box", jobs);
    }
    omp->jobs = (int)jobs;
    omp->bands = band_count(omp);
    const size_t bands = (size_t)omp->bands;
    omp->list = calloc(jobs, sizeof *omp->list);
    omp->moments = calloc(jobs * bands, sizeof *omp->moments);
    int *numbers = calloc(jobs * bands, 4 * sizeof *numbers);
    if (omp->list == NULL || omp->moments == NULL || numbers == NULL) {
        free(numbers);
        return status_no_memory("for %zu pairs of a threshold and a box", jobs);
    }
    for (size_t i = 0; i < jobs; i++) {
        Job *job = &omp->list[i];
        job->threshold = plan->thresholds[i / plan->box_count];
        job->box = plan->boxes[i % plan->box_count];
        job->direct = (int64_t)job->box * omp->bands <= omp->image->height;
        job->begins = numbers + i * bands * 4;
        job->ends = job->begins + bands;
        job->cuts = (int32_t *)(job->ends + bands);
        find_cuts(omp, job);
        omp->counted_jobs += job->direct ? 0 : 1;
    }
    return status_ok();
}

static size_t round_up(size_t bytes, size_t grain) {
    return (bytes + grain - 1) / grain * grain;
}

static Status allocate(OmpState *omp) {
    const size_t width = (size_t)omp->image->width;
    omp->columns_bytes = round_up(width * sizeof(uint16_t), LACUNARITY_SCRATCH_ALIGNMENT);
    const size_t bytes = omp->columns_bytes + omp->kernel->scratch_bytes(omp->image->width);
    STATUS_TRY(thread_memory_open(omp->threads, bytes, &omp->memory));
    if (omp->counted_jobs == 0) {
        return status_ok();
    }
    const size_t of_job = 2 * (size_t)omp->bands * width;
    void *memory = NULL;
    STATUS_TRY(
        cpu_backend.alloc((size_t)omp->counted_jobs * of_job * sizeof *omp->cut_columns, &memory));
    uint16_t *columns = omp->cut_columns = memory;
    for (int i = 0; i < omp->jobs; i++) {
        if (!omp->list[i].direct) {
            omp->list[i].columns = columns;
            columns += of_job;
        }
    }
    return status_ok();
}

static Status prepare(const Request *request, OmpState *omp) {
    *omp = (OmpState){
        .kernel = lacunarity_kernel_best(),
        .image = &request->workload->image,
        .rows = lacunarity_rows(request->output),
        .threads = (int)point_integer(request->tuning, "threads", 1),
    };
    STATUS_TRY(lacunarity_plan_make(omp->image, request->answer, &omp->plan));
    STATUS_TRY(make_jobs(omp));
    return allocate(omp);
}

Status lacunarity_omp_open(const Request *request, void **state) {
    OmpState *omp = malloc(sizeof *omp);
    if (omp == NULL) {
        return status_no_memory("for the state of lacunarity/omp");
    }
    const Status status = prepare(request, omp);
    if (!status_is_ok(&status)) {
        lacunarity_omp_close(omp);
        return status;
    }
    *state = omp;
    return status_ok();
}

static uint16_t *columns_above(const OmpState *omp, const Job *job, int cut) {
    return job->columns + (size_t)cut * (size_t)omp->image->width;
}

/* The object pixels between a cut and the one above it; none above the first. */
static void count_piece(const OmpState *omp, const Job *job, int cut) {
    uint16_t *columns = columns_above(omp, job, cut);
    memset(columns, 0, (size_t)omp->image->width * sizeof *columns);
    if (cut > 0) {
        omp->kernel->count_rows(omp->image, job->threshold, job->cuts[cut - 1], job->cuts[cut],
                                columns);
    }
}

/* Adds the pieces up from the top in PREFIX_COLUMNS columns. */
static void add_pieces(const OmpState *omp, const Job *job, int32_t first) {
    const int32_t left = omp->image->width - first;
    const int32_t count = left < PREFIX_COLUMNS ? left : PREFIX_COLUMNS;
    for (int cut = 1; cut < 2 * omp->bands; cut++) {
        const uint16_t *above = columns_above(omp, job, cut - 1) + first;
        uint16_t *columns = columns_above(omp, job, cut) + first;
        for (int32_t x = 0; x < count; x++) {
            columns[x] = (uint16_t)(columns[x] + above[x]);
        }
    }
}

/* The column sums of a band's first boxes. */
static void begin_band(const OmpState *omp, const Job *job, int band, uint16_t *columns) {
    const int32_t width = omp->image->width;
    if (job->direct) {
        const int32_t first = band_start(omp, job, band);
        memset(columns, 0, (size_t)width * sizeof *columns);
        omp->kernel->count_rows(omp->image, job->threshold, first, first + job->box, columns);
        return;
    }
    const uint16_t *begin = columns_above(omp, job, job->begins[band]);
    const uint16_t *end = columns_above(omp, job, job->ends[band]);
    for (int32_t x = 0; x < width; x++) {
        columns[x] = (uint16_t)(end[x] - begin[x]);
    }
}

static void process_band(const OmpState *omp, int index, int thread) {
    const Job *job = &omp->list[index / omp->bands];
    uint8_t *memory = thread_memory_part(&omp->memory, thread);
    const int band = index % omp->bands;
    const LacunarityBand rows = {
        .image = omp->image,
        .threshold = job->threshold,
        .box = job->box,
        .first = band_start(omp, job, band),
        .last = band_start(omp, job, band + 1),
        .columns = (uint16_t *)(void *)memory,
        .scratch = memory + omp->columns_bytes,
    };
    LacunarityMoments moments = {.sum_s = 0};
    if (rows.first < rows.last) {
        begin_band(omp, job, band, rows.columns);
        omp->kernel->process(&rows, &moments);
    }
    omp->moments[index] = moments;
}

static void fill_row(const OmpState *omp, int index) {
    const Job *job = &omp->list[index];
    LacunarityMoments sum = {.sum_s = 0};
    for (int band = 0; band < omp->bands; band++) {
        const LacunarityMoments *moments = &omp->moments[index * omp->bands + band];
        lacunarity_moments_add(&sum, moments->sum_s, moments->sum_s2_low, moments->sum_s2_high);
    }
    lacunarity_set_row(&omp->rows[index], omp->image, job->threshold, job->box, sum.sum_s,
                       sum.sum_s2_low, sum.sum_s2_high);
}

/* Called by all threads together. */
static void count_pieces(const OmpState *omp) {
    const int cuts = 2 * omp->bands;
    const int parts = (omp->image->width - 1) / PREFIX_COLUMNS + 1;
#pragma omp for schedule(dynamic, 1) collapse(2)
    for (int i = 0; i < omp->jobs; i++) {
        for (int cut = 0; cut < cuts; cut++) {
            if (!omp->list[i].direct) {
                count_piece(omp, &omp->list[i], cut);
            }
        }
    }
#pragma omp for schedule(dynamic, 1) collapse(2)
    for (int i = 0; i < omp->jobs; i++) {
        for (int part = 0; part < parts; part++) {
            if (!omp->list[i].direct) {
                add_pieces(omp, &omp->list[i], part * PREFIX_COLUMNS);
            }
        }
    }
}

Status lacunarity_omp_run(void *state) {
    const OmpState *omp = state;
    const int bands = omp->jobs * omp->bands;
#pragma omp parallel num_threads(omp->threads)
    {
        if (omp->counted_jobs > 0) {
            count_pieces(omp);
        }
#pragma omp for schedule(dynamic, 1)
        for (int band = 0; band < bands; band++) {
            process_band(omp, band, omp_get_thread_num());
        }
#pragma omp for schedule(static) nowait
        for (int i = 0; i < omp->jobs; i++) {
            fill_row(omp, i);
        }
    }
    return status_ok();
}

void lacunarity_omp_close(void *state) {
    OmpState *omp = state;
    if (omp != NULL) {
        thread_memory_close(&omp->memory);
        cpu_backend.release(omp->cut_columns);
        free(omp->list != NULL ? omp->list[0].begins : NULL);
        free(omp->list);
        free(omp->moments);
        lacunarity_plan_release(&omp->plan);
        free(omp);
    }
}
