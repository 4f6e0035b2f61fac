/*
 * What bench.h makes of one file: a module (module.h), whose tables are filled when it is loaded.
 * For C11 and C++11, so without designated initialisers. Everything is in this header, so that one
 * call of a compiler builds the module.
 */
#ifndef BENCH_API_ONE_FILE_H
#define BENCH_API_ONE_FILE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif
#ifdef __CUDACC__
#include <cuda_runtime.h>
#endif

#include "module.h"

/* The name of the algorithm, which `bench` gives. */
#ifndef BENCH_ALGORITHM
#define BENCH_ALGORITHM one_file
#endif

#define BENCH_TEXT_OF(text) #text
#define BENCH_TEXT(text) BENCH_TEXT_OF(text)
#define BENCH_LOCAL static __attribute__((unused))
/* A function that the loader calls. */
#define BENCH_AT_LOAD(name) __attribute__((constructor)) static void name(void)

/* === Types ==================================================================================== */

/* Each with the kind of array that it is an element of. */
#define BENCH_TYPES(TYPE)                                                                          \
    TYPE(uint8_t, OUTPUT_ARRAY_U8)                                                                 \
    TYPE(uint16_t, OUTPUT_ARRAY_U16)                                                               \
    TYPE(int32_t, OUTPUT_ARRAY_I32)                                                                \
    TYPE(uint32_t, OUTPUT_ARRAY_U32)                                                               \
    TYPE(int64_t, OUTPUT_ARRAY_I64)                                                                \
    TYPE(uint64_t, OUTPUT_ARRAY_U64)                                                               \
    TYPE(float, OUTPUT_ARRAY_F32)                                                                  \
    TYPE(double, OUTPUT_ARRAY_F64)

#define BENCH_TYPE_NUMBER(type, kind) BENCH_TYPE_##type,
typedef enum BenchType { BENCH_TYPES(BENCH_TYPE_NUMBER) BENCH_TYPE_COUNT } BenchType;

#define BENCH_TYPE_KIND(type, kind) kind,
BENCH_LOCAL OutputKind bench_array_of(BenchType type) {
    static const OutputKind kinds[] = {BENCH_TYPES(BENCH_TYPE_KIND)};
    return kinds[type];
}

#define BENCH_TYPE_SIZE(type, kind) sizeof(type),
BENCH_LOCAL size_t bench_size_of(BenchType type) {
    static const size_t sizes[] = {BENCH_TYPES(BENCH_TYPE_SIZE)};
    return sizes[type];
}

#define BENCH_TYPE_ADD(type, kind)                                                                 \
    case BENCH_TYPE_##type:                                                                        \
        for (size_t i = 0; i < count; i++) {                                                       \
            ((type *)sums)[i] = (type)(((type *)sums)[i] + ((const type *)more)[i]);               \
        }                                                                                          \
        break;
BENCH_LOCAL void bench_add(BenchType of, const void *more, size_t count, void *sums) {
    switch (of) {
        BENCH_TYPES(BENCH_TYPE_ADD)
    default: break;
    }
}

/* === What the file says of itself ============================================================= */

typedef enum BenchForm {
    BENCH_FORM_IMAGE,
    BENCH_FORM_NUMBERS,
    BENCH_FORM_TWO_IMAGES,
    BENCH_FORM_ARRAY
} BenchForm;

/* There is room for one axis too many, which the program refuses. */
enum { BENCH_FUNCTIONS_MAX = 8, BENCH_AXES_MAX = POINT_AXES_MAX + 1, BENCH_NAME_SIZE = 32 };

/* What a function of the file is called with. */
typedef struct BenchCall {
    const void *in[2];
    void *out;
    int width, height;
    size_t count;       /* elements of the input */
    size_t first, last; /* rows, or elements of an array */
    void *stream;       /* cudaStream_t */
} BenchCall;

typedef void (*BenchAny)(void);

/* Parameters that are options: where their values go. */
typedef struct BenchAxes {
    Axis axes[BENCH_AXES_MAX];
    char names[BENCH_AXES_MAX][BENCH_NAME_SIZE];
    int *variables[BENCH_AXES_MAX];
    const Axis *list[BENCH_AXES_MAX + 1];
    size_t count;
} BenchAxes;

static struct {
    BenchForm form;
    BenchType input, answer_type;
    size_t numbers; /* of BENCH_FORM_NUMBERS */
    /* Call one of the functions, which have the types of the form. */
    void (*call_cpu)(BenchAny function, const BenchCall *call);
    void (*call_gpu)(BenchAny function, const BenchCall *call);
    BenchAny cpu[BENCH_FUNCTIONS_MAX], gpu[BENCH_FUNCTIONS_MAX];
    size_t cpu_count; /* functions; the first one is two variants */
    char gpu_names[BENCH_FUNCTIONS_MAX][BENCH_NAME_SIZE];
    BenchAxes answer, tuning;
    Tolerance tolerance;

    const ModuleHost *host;
    Algorithm algorithm;
    Variant cpu_rows[BENCH_FUNCTIONS_MAX + 1], gpu_rows[BENCH_FUNCTIONS_MAX];
    Peer cpu_peers[BENCH_FUNCTIONS_MAX], gpu_peers[BENCH_FUNCTIONS_MAX];
    const char *cpu_versions[BENCH_FUNCTIONS_MAX], *gpu_versions[BENCH_FUNCTIONS_MAX];
    VariantTable gpu_table;
    Backend cpu_backend, gpu_backend; /* their addresses say which is meant */
    Axis threads;
    const Axis *threads_list[2];
} bench_one;

#ifdef __cplusplus
extern "C" {
#endif
__attribute__((visibility("default"))) BenchModule bench_module;
#ifdef __cplusplus
}
#endif

/* === States =================================================================================== */

typedef struct BenchState {
    BenchCall call;   /* in host memory */
    BenchCall device; /* the same on the device */
    size_t inputs;
    size_t in_bytes, out_bytes;
    int threads;
    char *shares;                  /* owned: numbers of each thread but the first */
    int values[2][BENCH_AXES_MAX]; /* of the answer's parameters, and of the tuning's */
} BenchState;

BENCH_LOCAL Status bench_status(StatusCode code, const char *why, const char *more) {
    Status status;
    memset(&status, 0, sizeof status);
    status.code = code;
    snprintf(status.why, sizeof status.why, "%s%s", why, more);
    return status;
}

BENCH_LOCAL Status bench_ok(void) {
    return bench_status(STATUS_OK, "", "");
}

BENCH_LOCAL void bench_close(void *opened) {
    BenchState *state = (BenchState *)opened;
    if (state == NULL) {
        return;
    }
    void *const memory[] = {(void *)state->device.in[0], (void *)state->device.in[1],
                            state->device.out};
    for (size_t i = 0; i < sizeof memory / sizeof memory[0]; i++) {
        if (memory[i] != NULL) {
            bench_one.host->cuda->release(memory[i]);
        }
    }
    free(state->shares);
    free(state);
}

BENCH_LOCAL int bench_value(const Point *point, const Axis *axis) {
    for (size_t i = 0; i < point->count; i++) {
        if (strcmp(point->axes[i]->name, axis->name) == 0) {
            return (int)point->values[i].number;
        }
    }
    return 1;
}

BENCH_LOCAL void bench_read_values(const BenchAxes *axes, const Point *point, int *values) {
    for (size_t i = 0; i < axes->count; i++) {
        values[i] = bench_value(point, &axes->axes[i]);
    }
}

BENCH_LOCAL void bench_set_values(const BenchState *state) {
    for (size_t i = 0; i < bench_one.answer.count; i++) {
        *bench_one.answer.variables[i] = state->values[0][i];
    }
    for (size_t i = 0; i < bench_one.tuning.count; i++) {
        *bench_one.tuning.variables[i] = state->values[1][i];
    }
}

BENCH_LOCAL Status bench_open_any(const Request *request, BenchState **opened) {
    BenchState *state = (BenchState *)calloc(1, sizeof *state);
    if (state == NULL) {
        return bench_status(STATUS_SKIP, "no memory left for a state", "");
    }
    const Image *image = &request->workload->image;
    const Output *output = request->output;
    state->call.width = image->width;
    state->call.height = image->height;
    state->call.count = image_pixel_count(image);
    state->call.last =
        bench_one.form == BENCH_FORM_ARRAY ? state->call.count : (size_t)image->height;
    state->inputs = bench_one.form == BENCH_FORM_TWO_IMAGES ? 2 : 1;
    state->call.in[0] = image->pixels;
    state->call.in[1] = state->inputs == 2 ? request->workload->second.pixels : NULL;
    state->call.out = output_part(output, 0);
    state->in_bytes = state->call.count * bench_size_of(bench_one.input);
    state->out_bytes = output->layout.parts[0].bytes;
    state->threads = bench_value(request->tuning, &bench_one.threads);
    bench_read_values(&bench_one.answer, request->answer, state->values[0]);
    bench_read_values(&bench_one.tuning, request->tuning, state->values[1]);
    *opened = state;
    return bench_ok();
}

/* === CPU variants ============================================================================= */

BENCH_LOCAL Status bench_cpu_open(const Request *request, void **opened) {
    BenchState *state = NULL;
    STATUS_TRY(bench_open_any(request, &state));
    if (bench_one.form == BENCH_FORM_NUMBERS && state->threads > 1) {
        state->shares = (char *)calloc((size_t)state->threads - 1, state->out_bytes);
        if (state->shares == NULL) {
            bench_close(state);
            return bench_status(STATUS_SKIP, "no memory left for the numbers of each thread", "");
        }
    }
    *opened = state;
    return bench_ok();
}

BENCH_LOCAL void bench_cpu_threads(const BenchState *state, BenchAny function) {
    const int threads = state->threads;
    const size_t rows = state->call.last, each = (size_t)threads;
#ifdef _OPENMP
#pragma omp parallel for schedule(static) num_threads(threads)
#endif
    for (int thread = 0; thread < threads; thread++) {
        BenchCall call = state->call;
        const size_t part = (size_t)thread;
        call.first = rows / each * part + rows % each * part / each;
        call.last = rows / each * (part + 1) + rows % each * (part + 1) / each;
        if (state->shares != NULL && thread > 0) {
            call.out = state->shares + (part - 1) * state->out_bytes;
            memset(call.out, 0, state->out_bytes);
        }
        if (call.first < call.last) {
            bench_one.call_cpu(function, &call);
        }
    }
}

BENCH_LOCAL Status bench_cpu_run(void *opened, size_t function) {
    BenchState *state = (BenchState *)opened;
    bench_set_values(state);
    if (bench_one.form == BENCH_FORM_NUMBERS) {
        memset(state->call.out, 0, state->out_bytes);
    }
    if (state->threads > 1) {
        bench_cpu_threads(state, bench_one.cpu[function]);
    } else {
        bench_one.call_cpu(bench_one.cpu[function], &state->call);
    }
    for (int thread = 1; state->shares != NULL && thread < state->threads; thread++) {
        bench_add(bench_one.answer_type, state->shares + (size_t)(thread - 1) * state->out_bytes,
                  bench_one.numbers, state->call.out);
    }
    return bench_ok();
}

/* === CUDA variants ============================================================================ */

#ifdef __CUDACC__
BENCH_LOCAL Status bench_cuda(cudaError_t error, const char *what) {
    if (error == cudaSuccess) {
        return bench_ok();
    }
    char text[STATUS_WHY_SIZE - 64]; /* more is added */
    (void)cudaGetLastError();
    if (error == cudaErrorMemoryAllocation) {
        return bench_status(STATUS_SKIP, "not enough device memory: ", what);
    }
    /* An error that stays comes back from a call that cannot fail by itself. */
    const bool lost = cudaDeviceSynchronize() != cudaSuccess;
    (void)cudaGetLastError();
    snprintf(text, sizeof text, "CUDA: %s (%s)", cudaGetErrorString(error), what);
    return bench_status(lost ? STATUS_DEVICE_LOST : STATUS_FAIL, text,
                        lost ? "; the device cannot be used any more" : "");
}

BENCH_LOCAL cudaStream_t bench_stream(void) {
    return (cudaStream_t)bench_one.host->cuda->queue();
}

BENCH_LOCAL Status bench_gpu_alloc(BenchState *state) {
    state->device = state->call;
    state->device.in[0] = state->device.in[1] = state->device.out = NULL;
    for (size_t i = 0; i < state->inputs; i++) {
        STATUS_TRY(bench_one.host->cuda->alloc(state->in_bytes, (void **)&state->device.in[i]));
    }
    return bench_one.host->cuda->alloc(state->out_bytes, &state->device.out);
}

BENCH_LOCAL Status bench_gpu_open(const Request *request, void **opened) {
    BenchState *state = NULL;
    STATUS_TRY(bench_open_any(request, &state));
    const Status status = bench_gpu_alloc(state);
    if (!status_is_ok(&status)) {
        bench_close(state);
        return status;
    }
    *opened = state;
    return status;
}

BENCH_LOCAL Status bench_gpu_upload(void *opened) {
    BenchState *state = (BenchState *)opened;
    for (size_t i = 0; i < state->inputs; i++) {
        STATUS_TRY(
            bench_cuda(cudaMemcpyAsync((void *)state->device.in[i], state->call.in[i],
                                       state->in_bytes, cudaMemcpyHostToDevice, bench_stream()),
                       "copy of the input"));
    }
    return bench_ok();
}

BENCH_LOCAL Status bench_gpu_run(void *opened, size_t function) {
    BenchState *state = (BenchState *)opened;
    bench_set_values(state);
    if (bench_one.form == BENCH_FORM_NUMBERS) {
        STATUS_TRY(
            bench_cuda(cudaMemsetAsync(state->device.out, 0, state->out_bytes, bench_stream()),
                       "zeros for the numbers"));
    }
    state->device.stream = bench_stream();
    bench_one.call_gpu(bench_one.gpu[function], &state->device);
    return bench_cuda(cudaGetLastError(), bench_one.gpu_names[function]);
}

BENCH_LOCAL Status bench_gpu_download(void *opened) {
    BenchState *state = (BenchState *)opened;
    STATUS_TRY(bench_cuda(cudaMemcpyAsync(state->call.out, state->device.out, state->out_bytes,
                                          cudaMemcpyDeviceToHost, bench_stream()),
                          "copy of the answer"));
    return bench_cuda(cudaStreamSynchronize(bench_stream()), "the kernels");
}
#define BENCH_GPU(...) __VA_ARGS__
#define BENCH_GPU_NEEDS_CUDA(...)
#else
#define BENCH_GPU(...)
#ifdef __cplusplus
#define BENCH_ASSERT static_assert
#else
#define BENCH_ASSERT _Static_assert
#endif
#define BENCH_GPU_NEEDS_CUDA(...)                                                                  \
    BENCH_ASSERT(sizeof("" #__VA_ARGS__) == 1, "functions that launch kernels need a file .cu");
#endif

/* A variant does not learn which of the table's it is: each function has a run() of its own. */
#define BENCH_EACH_FUNCTION(RUN) RUN(0) RUN(1) RUN(2) RUN(3) RUN(4) RUN(5) RUN(6) RUN(7)

#define BENCH_CPU_RUN(n)                                                                           \
    BENCH_LOCAL Status bench_cpu_run_##n(void *state) {                                            \
        return bench_cpu_run(state, n);                                                            \
    }
#define BENCH_CPU_RUN_NAME(n) bench_cpu_run_##n,
#define BENCH_CPU_VERSION(n)                                                                       \
    BENCH_LOCAL const char *bench_cpu_version_##n(const void *state) {                             \
        (void)state;                                                                               \
        return bench_one.cpu_versions[n];                                                          \
    }
#define BENCH_CPU_VERSION_NAME(n) bench_cpu_version_##n,
BENCH_EACH_FUNCTION(BENCH_CPU_RUN)
BENCH_EACH_FUNCTION(BENCH_CPU_VERSION)
#ifdef __CUDACC__
#define BENCH_GPU_RUN(n)                                                                           \
    BENCH_LOCAL Status bench_gpu_run_##n(void *state) {                                            \
        return bench_gpu_run(state, n);                                                            \
    }
#define BENCH_GPU_RUN_NAME(n) bench_gpu_run_##n,
#define BENCH_GPU_VERSION(n)                                                                       \
    BENCH_LOCAL const char *bench_gpu_version_##n(const void *state) {                             \
        (void)state;                                                                               \
        return bench_one.gpu_versions[n];                                                          \
    }
#define BENCH_GPU_VERSION_NAME(n) bench_gpu_version_##n,
BENCH_EACH_FUNCTION(BENCH_GPU_RUN)
BENCH_EACH_FUNCTION(BENCH_GPU_VERSION)
#endif

/* === The algorithm ============================================================================ */

BENCH_LOCAL Status bench_layout(const Workload *workload, const Point *answer,
                                OutputLayout *layout) {
    const Image *image = &workload->image;
    OutputPart *part = &layout->parts[0];
    (void)answer;
    memset(part, 0, sizeof *part);
    part->name = "answer";
    part->kind = bench_array_of(bench_one.answer_type);
    part->width = bench_one.form == BENCH_FORM_NUMBERS ? bench_one.numbers
                  : bench_one.form == BENCH_FORM_ARRAY ? image_pixel_count(image)
                                                       : (size_t)image->width;
    part->height = 1;
    if (bench_one.form == BENCH_FORM_IMAGE || bench_one.form == BENCH_FORM_TWO_IMAGES) {
        part->height = (size_t)image->height;
        part->kind = bench_one.answer_type == BENCH_TYPE_uint8_t ? OUTPUT_IMAGE_U8 : part->kind;
    } else if (bench_one.form == BENCH_FORM_NUMBERS &&
               bench_one.answer_type == BENCH_TYPE_uint64_t) {
        part->kind = OUTPUT_COUNTS_U64;
    }
    part->bytes = part->width * part->height * bench_size_of(bench_one.answer_type);
    layout->count = 1;
    layout->bytes = (part->bytes + OUTPUT_ALIGNMENT - 1) / OUTPUT_ALIGNMENT * OUTPUT_ALIGNMENT;
    return bench_ok();
}

BENCH_LOCAL Cost bench_cost(const Workload *workload, const Point *answer) {
    const double pixels = (double)image_pixel_count(&workload->image);
    const double answers =
        bench_one.form == BENCH_FORM_NUMBERS ? (double)bench_one.numbers : pixels;
    const double inputs = bench_one.form == BENCH_FORM_TWO_IMAGES ? 2 : 1;
    Cost cost;
    (void)answer;
    memset(&cost, 0, sizeof cost);
    cost.struct_bytes = sizeof cost;
    cost.bytes = inputs * pixels * (double)bench_size_of(bench_one.input) +
                 answers * (double)bench_size_of(bench_one.answer_type);
    cost.operations = pixels;
    cost.items = pixels;
    return cost;
}

/* The program's Cost may be of another release. */
BENCH_LOCAL void bench_give_cost(const Workload *workload, const Point *answer, Cost *given) {
    const uint32_t room = given->struct_bytes;
    Cost own = bench_cost(workload, answer);
    own.struct_bytes = room;
    memcpy(given, &own, room < sizeof own ? room : sizeof own);
}

/* OpenMP's runtime, which starts here, sees the processors of the calling thread: these are all. */
BENCH_LOCAL void bench_attach(const ModuleHost *host) {
    bench_one.host = host;
#ifdef _OPENMP
    (void)omp_get_num_procs();
#endif
}

BENCH_LOCAL void bench_add_number(AxisValues *values, int64_t number) {
    if (values->count < AXIS_VALUES_MAX) {
        AxisValue *value = &values->values[values->count++];
        value->number = number;
        snprintf(value->text, sizeof value->text, "%lld", (long long)number);
    }
}

/* max, most and all, as --threads of other algorithms has them. */
BENCH_LOCAL Status bench_expand_threads(const char *word, const Workload *workload,
                                        AxisValues *values) {
    const bool all = strcmp(word, "all") == 0, most = strcmp(word, "most") == 0;
#ifdef _OPENMP
    const int threads = omp_get_max_threads();
#else
    const int threads = 1;
#endif
    (void)workload;
    if (!all && !most && strcmp(word, "max") != 0) {
        return bench_status(STATUS_NO_MATCH, word, " is no word for a number of threads");
    }
    for (int fewer = 1; all && fewer < threads; fewer *= 2) {
        bench_add_number(values, fewer);
    }
    if (most && threads > 1) {
        bench_add_number(values, threads - 1);
    }
    bench_add_number(values, threads);
    return bench_ok();
}

/* === The tables, filled when the module is loaded ============================================= */

BENCH_LOCAL void bench_fill_axis(Axis *axis, const char *name, const char *defaults,
                                 const char *help, int64_t minimum, int64_t maximum) {
    axis->struct_bytes = sizeof *axis;
    axis->name = name;
    axis->defaults = defaults;
    axis->help = help;
    axis->kind = AXIS_INTEGER;
    axis->minimum = minimum;
    axis->maximum = maximum;
}

/* The option of the variable `block_side` is --block-side. */
BENCH_LOCAL void bench_add_axis(BenchAxes *axes, int *variable, const char *name,
                                const char *defaults, int64_t minimum, int64_t maximum,
                                const char *help) {
    const size_t index = axes->count < BENCH_AXES_MAX ? axes->count++ : BENCH_AXES_MAX - 1;
    char *option = axes->names[index];
    snprintf(option, BENCH_NAME_SIZE, "%s", name);
    for (char *c = option; *c != '\0'; c++) {
        *c = *c == '_' ? '-' : *c;
    }
    axes->variables[index] = variable;
    bench_fill_axis(&axes->axes[index], option, defaults, help, minimum, maximum);
    axes->list[index] = &axes->axes[index];
}

#define BENCH_AXIS(name, defaults, minimum, maximum, help, axes)                                   \
    static int name;                                                                               \
    BENCH_AT_LOAD(bench_axis_of_##name) {                                                          \
        bench_add_axis(&axes, &name, #name, defaults, minimum, maximum, help);                     \
    }

BENCH_LOCAL Variant *bench_fill_row(Variant *row, const char *name, const char *below,
                                    const char *summary, const Backend *backend) {
    row->struct_bytes = sizeof *row;
    row->name = name;
    row->improves_on = below;
    row->summary = summary;
    row->backend = backend;
    row->close = bench_close;
    return row;
}

BENCH_LOCAL Variant *bench_add_cpu_row(const char *name, const char *below, const char *summary,
                                       size_t function) {
    static Status (*const runs[])(void *) = {BENCH_EACH_FUNCTION(BENCH_CPU_RUN_NAME)};
    VariantTable *table = &bench_one.algorithm.cpu;
    Variant *row = bench_fill_row(&bench_one.cpu_rows[table->count], name, below, summary,
                                  &bench_one.cpu_backend);
    row->open = bench_cpu_open;
    row->run = runs[function];
    table->rows = bench_one.cpu_rows;
    table->count++;
    return row;
}

BENCH_LOCAL void bench_add_cpu(const char *name, const char *summary, BenchAny function) {
    const size_t index = bench_one.cpu_count;
    if (index == BENCH_FUNCTIONS_MAX) {
        bench_one.cpu_rows[index].summary = NULL; /* one too many: the program refuses it */
        return;
    }
    bench_one.cpu[bench_one.cpu_count++] = function;
    if (index == 0) {
        bench_add_cpu_row("seq", NULL, "one thread calls it for all rows", index);
        bench_add_cpu_row("omp", "seq", "all threads, each for rows of its own", index)->tuning =
            bench_one.threads_list;
    } else {
        bench_add_cpu_row(name, "seq", summary, index);
    }
}

/* A row whose function is other people's code improves on none. */
BENCH_LOCAL void bench_fill_peer(Variant *row, Peer *peer, const char *library,
                                 const char *(*version)(const void *)) {
    peer->struct_bytes = sizeof *peer;
    peer->library = library;
    peer->version = version;
    row->improves_on = NULL;
    row->peer = peer;
}

BENCH_LOCAL void bench_add_cpu_peer(const char *name, const char *library, const char *version,
                                    BenchAny function) {
    static const char *(*const versions[])(const void *) = {
        BENCH_EACH_FUNCTION(BENCH_CPU_VERSION_NAME)};
    const size_t index = bench_one.cpu_count;
    bench_add_cpu(name, "called once for all rows", function);
    if (index > 0 && bench_one.cpu_count > index) {
        bench_one.cpu_versions[index] = version;
        bench_fill_peer(&bench_one.cpu_rows[bench_one.algorithm.cpu.count - 1],
                        &bench_one.cpu_peers[index], library, versions[index]);
    }
}

BENCH_LOCAL void bench_set_difference(const char *name, const char *difference, double agreement) {
    for (size_t i = 0; i < BENCH_FUNCTIONS_MAX + 1; i++) {
        Variant *rows[] = {&bench_one.cpu_rows[i],
                           &bench_one.gpu_rows[i < BENCH_FUNCTIONS_MAX ? i : 0]};
        for (size_t side = 0; side < 2; side++) {
            Peer *peer = (Peer *)rows[side]->peer; /* of bench_fill_peer */
            if (peer != NULL && strcmp(rows[side]->name, name) == 0) {
                peer->difference = difference;
                peer->agreement = agreement;
            }
        }
    }
}

#ifdef __CUDACC__
/* The name stands in the text of the list, up to the next comma. */
BENCH_LOCAL const char *bench_add_gpu(const char *names, BenchAny function) {
    static Status (*const runs[])(void *) = {BENCH_EACH_FUNCTION(BENCH_GPU_RUN_NAME)};
    const char *name = names + strspn(names, " ");
    if (bench_one.gpu_table.count == BENCH_FUNCTIONS_MAX) {
        bench_one.gpu_rows[0].summary = NULL; /* one too many: the program refuses it */
        return names;
    }
    const size_t length = strcspn(name, ", ");
    const size_t index = bench_one.gpu_table.count++;
    char *own = bench_one.gpu_names[index];
    snprintf(own, BENCH_NAME_SIZE, "%.*s", (int)length, name);
    Variant *row = bench_fill_row(&bench_one.gpu_rows[index], own,
                                  index == 0 ? "seq" : bench_one.gpu_names[index - 1],
                                  "launches its kernels on one device", &bench_one.gpu_backend);
    bench_one.gpu[index] = function;
    row->tuning = (const Axis *const *)bench_one.tuning.list;
    row->open = bench_gpu_open;
    row->upload = bench_gpu_upload;
    row->run = runs[index];
    row->download = bench_gpu_download;
    bench_one.gpu_table.rows = bench_one.gpu_rows;
    bench_module.cuda = &bench_one.gpu_table;
    return name + length + strspn(name + length, ", ");
}

BENCH_LOCAL void bench_add_gpu_peer(const char *name, const char *library, const char *version,
                                    BenchAny function) {
    static const char *(*const versions[])(const void *) = {
        BENCH_EACH_FUNCTION(BENCH_GPU_VERSION_NAME)};
    const size_t index = bench_one.gpu_table.count;
    bench_add_gpu(name, function);
    if (bench_one.gpu_table.count > index) {
        bench_one.gpu_versions[index] = version;
        bench_fill_peer(&bench_one.gpu_rows[index], &bench_one.gpu_peers[index], library,
                        versions[index]);
    }
}
#endif

BENCH_LOCAL void bench_fill_algorithm(void) {
    Algorithm *algorithm = &bench_one.algorithm;
    algorithm->struct_bytes = sizeof *algorithm;
    algorithm->name = BENCH_TEXT(BENCH_ALGORITHM);
    algorithm->summary = "an algorithm of one file";
    algorithm->item = bench_one.form == BENCH_FORM_ARRAY ? "element" : "pixel";
    algorithm->input = WORKLOAD_IMAGE;
    algorithm->answer = (const Axis *const *)bench_one.answer.list;
    algorithm->output_layout = bench_layout;
    algorithm->cost = bench_cost;
    algorithm->element = bench_array_of(bench_one.input);
    algorithm->pair = bench_one.form == BENCH_FORM_TWO_IMAGES;
}

BENCH_LOCAL void bench_fill_module(void) {
    bench_module.struct_bytes = sizeof bench_module;
    bench_module.interface = BENCH_MODULE_INTERFACE;
    bench_module.magic = BENCH_MODULE_MAGIC;
    snprintf(bench_module.headers, sizeof bench_module.headers, "%s", BENCH_HEADERS);
    bench_module.algorithm = &bench_one.algorithm;
    bench_module.cpu_backend = &bench_one.cpu_backend;
    bench_module.cuda_backend = &bench_one.gpu_backend;
    bench_module.attach = bench_attach;
    bench_module.cost = bench_give_cost;
#ifdef __CUDACC__
    bench_module.cuda_runtime = CUDART_VERSION / 1000;
#endif
}

BENCH_LOCAL void bench_fill(BenchForm form, BenchType input, BenchType answer, size_t numbers) {
    bench_one.form = form;
    bench_one.input = input;
    bench_one.answer_type = answer;
    bench_one.numbers = numbers;
    bench_fill_axis(&bench_one.threads, "threads", "most",
                    "OpenMP threads; max: OMP_NUM_THREADS, or the number of processors; most: that "
                    "and one less; all: 1, 2, 4, … and that",
                    1, 1024);
    bench_one.threads.expand = bench_expand_threads;
    bench_one.threads_list[0] = &bench_one.threads;
    bench_fill_algorithm();
    bench_fill_module();
}

/* === What a form expands to =================================================================== */

#define BENCH_LIST(...) __VA_ARGS__
#define BENCH_ARGUMENTS(list) BENCH_LIST list

/* The types of the form's functions, and how they are called: `types` and `arguments` are those
 * that all of them have, in brackets. */
#define BENCH_FUNCTIONS(types, Row, arguments)                                                     \
    typedef void BenchRows(BENCH_ARGUMENTS(types), Row, Row);                                      \
    static void bench_call_cpu(BenchAny function, const BenchCall *call) {                         \
        ((BenchRows *)function)(BENCH_ARGUMENTS(arguments), (Row)call->first, (Row)call->last);    \
    }                                                                                              \
    BENCH_GPU(typedef void BenchLaunch(BENCH_ARGUMENTS(types), cudaStream_t);                      \
              static void bench_call_gpu(BenchAny function, const BenchCall *call) {               \
                  ((BenchLaunch *)function)(BENCH_ARGUMENTS(arguments),                            \
                                            (cudaStream_t)call->stream);                           \
              })

#define BENCH_DESCRIBE(form, INPUT, ANSWER, numbers, cpu, ...)                                     \
    BENCH_GPU_NEEDS_CUDA(__VA_ARGS__)                                                              \
    BENCH_AT_LOAD(bench_describe) {                                                                \
        BenchRows *const bench_rows = cpu;                                                         \
        bench_fill(form, BENCH_TYPE_##INPUT, BENCH_TYPE_##ANSWER, numbers);                        \
        bench_one.call_cpu = bench_call_cpu;                                                       \
        bench_add_cpu(#cpu, "", (BenchAny)bench_rows);                                             \
        BENCH_GPU(BenchLaunch *const bench_launches[] = {NULL, ##__VA_ARGS__}; static_assert(      \
                      sizeof bench_launches / sizeof bench_launches[0] <= BENCH_FUNCTIONS_MAX + 1, \
                      "at most eight functions may launch kernels");                               \
                  const char *names = #__VA_ARGS__; bench_one.call_gpu = bench_call_gpu;           \
                  for (size_t i = 1; i < sizeof bench_launches / sizeof bench_launches[0];         \
                       i++) { names = bench_add_gpu(names, (BenchAny)bench_launches[i]); })        \
    }

#endif
