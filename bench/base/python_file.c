/*
 * A file of Python as a module: its marked functions are variants, which are called in this
 * process. So work that they queue on bench's stream is held, timed and checked like that of any
 * other; what their calls cost the host is in the time of a call, not of a kernel.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend_runner.h"
#include "child_process.h"
#include "element_names.h"
#include "module.h"
#include "modules.h"
#include "output.h"
#include "paths.h"
#include "python.h"
#include "registry.h"
#include "source_file.h"
#include "text.h"
#include "zygote.h"

/* A variant does not learn which of the table's it is, nor an algorithm which file's: each has
 * functions of its own. */
#define EACH_OF_FOUR(EACH, a, b, c, d) EACH(a) EACH(b) EACH(c) EACH(d)
#define EACH_FILE(EACH) EACH_OF_FOUR(EACH, 0, 1, 2, 3)
#define EACH_VARIANT(EACH)                                                                         \
    EACH_OF_FOUR(EACH, 0, 1, 2, 3)                                                                 \
    EACH_OF_FOUR(EACH, 4, 5, 6, 7)                                                                 \
    EACH_OF_FOUR(EACH, 8, 9, 10, 11)                                                               \
    EACH_OF_FOUR(EACH, 12, 13, 14, 15)                                                             \
    EACH_OF_FOUR(EACH, 16, 17, 18, 19)                                                             \
    EACH_OF_FOUR(EACH, 20, 21, 22, 23)                                                             \
    EACH_OF_FOUR(EACH, 24, 25, 26, 27)                                                             \
    EACH_OF_FOUR(EACH, 28, 29, 30, 31)

enum { IMAGES_MAX = 2 };
enum { FILES_MAX = 4, VARIANTS_MAX = 32, AXES_MAX = 4 * POINT_AXES_MAX };

/* === Tables =================================================================================== */

/* The lists of axes of the algorithm and of each of its variants. */
typedef struct AxisList {
    const Axis *axes[POINT_AXES_MAX + 1];
    size_t count;
} AxisList;

typedef struct PythonFile {
    char *path;
    char *rows; /* the texts that the tables show are in it */
    bool here;  /* it was run in this process; else a zygote has described it */
    char name[MODULE_NAME_MAX + 1];
    char with[PYTHON_WITH_SIZE]; /* "Python 3.11.2, numpy 1.24.2" */
    OutputKind kind;             /* of the answer */
    OutputKind element;          /* of the image */
    bool array;                  /* functions take the pixels as an array of one dimension */
    Tolerance tolerance;
    double operations;
    Algorithm algorithm;
    Variant variants[VARIANTS_MAX]; /* those on the CPU first */
    Peer peers[VARIANTS_MAX];       /* of those that are other people's code */
    VariantTable cuda;
    size_t count, first; /* `first`: the number of its first variant among those of all files */
    Axis axes[AXES_MAX];
    size_t axis_count;
    AxisList parameters, tuning[VARIANTS_MAX];
} PythonFile;

static struct {
    PythonFile *list[FILES_MAX];
    size_t count;
    struct {
        PythonFile *file;
        const char *missing; /* the library that is not there, in words; "": none */
        const char *version; /* of a peer's library */
    } variants[VARIANTS_MAX];
    size_t variant_count;
} files;

static size_t file_index(const PythonFile *file) {
    size_t index = 0;
    while (files.list[index] != file) {
        index++;
    }
    return index;
}

/* === OpenMP =================================================================================== */

/* Of the calling thread. Libraries set them for loops of their own, as Numba does before its first
 * one: what they have set is set back, since other variants are measured with it. */
typedef struct OpenMp {
    int threads, dynamic, levels;
} OpenMp;

static OpenMp openmp_now(void) {
    return (OpenMp){.threads = omp_get_max_threads(),
                    .dynamic = omp_get_dynamic(),
                    .levels = omp_get_max_active_levels()};
}

static void openmp_set_back(const OpenMp *before) {
    omp_set_num_threads(before->threads);
    omp_set_dynamic(before->dynamic);
    omp_set_max_active_levels(before->levels);
}

/* === Running the file ========================================================================= */

typedef struct Import {
    PythonFile *file;
    char *text; /* what _runner.load answers, to be freed; NULL without memory */
} Import;

static const char wrong[] = "error\t";

/* Runs the person's file: what it starts sees all processors. */
static void import_freely(void *context) {
    Import *import = context;
    char trouble[STATUS_WHY_SIZE + sizeof wrong];
    const Status started = python_start();
    if (!status_is_ok(&started)) {
        snprintf(trouble, sizeof trouble, "%s%s", wrong, started.why);
        import->text = strdup(trouble);
        return;
    }
    PythonObject *answer = python_call("load", "(LsL)", (long long)file_index(import->file),
                                       import->file->path, (long long)zygote_is_this());
    const char *text = python_text(answer);
    import->text = strdup(text != NULL ? text : "error\tPython gives no answer");
    python_release(answer);
}

static char *import_here(PythonFile *file) {
    Import import = {.file = file};
    const OpenMp before = openmp_now();
    file->here = true;
    processors_free_during(import_freely, &import);
    openmp_set_back(&before);
    return import.text;
}

bool python_file_is_elsewhere(const char *algorithm) {
    for (size_t i = 0; i < files.count; i++) {
        if (strcmp(files.list[i]->name, algorithm) == 0) {
            return !files.list[i]->here;
        }
    }
    return false;
}

/* STATUS_FILE with what Python says of a file that it refuses. */
static Status check_import(const char *text) {
    STATUS_MEMORY(text, "for a file of Python");
    const char *why = text_after(text, wrong);
    return why != NULL ? status_make(STATUS_FILE, "%.370s", why) : status_ok();
}

/* Before its functions are called here. */
static Status need_here(PythonFile *file) {
    if (file->here) {
        return status_ok();
    }
    char *text = import_here(file);
    const Status status = check_import(text);
    free(text);
    return status;
}

/* === States =================================================================================== */

typedef struct State {
    PythonObject *object, *run; /* _runner.State, and its method */
    size_t number;              /* of the variant among those of all files */
    const Backend *backend;
    const Image *images[IMAGES_MAX];
    size_t image_count;
    size_t row_bytes; /* of an image */
    void *answer;     /* in host memory */
    size_t answer_bytes;
    void *device_images[IMAGES_MAX], *device_answer; /* NULL on the CPU */
} State;

static bool is_on_device(const State *state) {
    return state->device_answer != NULL;
}

/* A device whose context is broken fails whatever is asked of it. */
static Status device_checked(const State *state, Status status) {
    if (status.code == STATUS_FAIL && is_on_device(state)) {
        const Status usable = state->backend->runner->usable(1);
        return status_is_ok(&usable) ? status : status_make(STATUS_DEVICE_LOST, "%s", status.why);
    }
    return status;
}

static Status call_function(PythonObject *callable) {
    const OpenMp before = openmp_now();
    const Status status = python_status(python_call_object(callable));
    openmp_set_back(&before);
    return status;
}

static Status run(void *opened) {
    const State *state = opened;
    return device_checked(state, call_function(state->run));
}

static Status upload(void *opened) {
    const State *state = opened;
    for (size_t i = 0; i < state->image_count; i++) {
        const Image *image = state->images[i];
        STATUS_TRY(state->backend->runner->copy(state->device_images[i], state->row_bytes,
                                                image->pixels, image->stride, state->row_bytes,
                                                (size_t)image->height, true));
    }
    return status_ok();
}

static Status download(void *opened) {
    const State *state = opened;
    return state->backend->runner->copy(state->answer, state->answer_bytes, state->device_answer,
                                        state->answer_bytes, state->answer_bytes, 1, false);
}

static void close_state(void *opened) {
    State *state = opened;
    if (state == NULL) {
        return;
    }
    python_release(state->run);
    python_release(state->object);
    for (size_t i = 0; i < IMAGES_MAX; i++) {
        if (state->device_images[i] != NULL) {
            state->backend->release(state->device_images[i]);
        }
    }
    if (is_on_device(state)) {
        state->backend->release(state->device_answer);
    }
    free(state);
}

typedef struct FirstCall {
    const State *state;
    Status status;
} FirstCall;

/* Threads that a library starts meanwhile see all processors. */
static void make_first_call(void *context) {
    FirstCall *call = context;
    PythonObject *first_run = python_attribute(call->state->object, "first_run");
    call->status =
        first_run != NULL ? call_function(first_run) : status_fail("Python gives no answer");
    python_release(first_run);
}

/* Libraries compile in the first call: it is made here, where nothing is timed. */
static Status call_once(State *state) {
    PythonObject *answer = python_call_method(state->object, "is_new");
    const char *is_new = python_text(answer);
    const bool made = is_new != NULL && is_new[0] == '\0';
    python_release(answer);
    if (made) {
        return status_ok();
    }
    const bool device = is_on_device(state);
    FirstCall call = {.state = state};
    STATUS_TRY(device ? upload(state) : status_ok());
    processors_free_during(make_first_call, &call);
    STATUS_TRY(device_checked(state, call.status));
    return device ? state->backend->runner->synchronize() : status_ok();
}

static Status open_device(State *state) {
    for (size_t i = 0; i < state->image_count; i++) {
        STATUS_TRY(state->backend->alloc(state->row_bytes * (size_t)state->images[i]->height,
                                         &state->device_images[i]));
    }
    return state->backend->alloc(state->answer_bytes, &state->device_answer);
}

/* Where image `index` lies, for Python; 0: there is none. */
static long long image_address(const State *state, size_t index) {
    return index >= state->image_count ? 0
           : is_on_device(state)       ? (long long)(intptr_t)state->device_images[index]
                                       : (long long)(intptr_t)state->images[index]->pixels;
}

static long long image_stride(const State *state, size_t index) {
    const bool own = index < state->image_count && !is_on_device(state);
    return (long long)(own ? state->images[index]->stride : state->row_bytes);
}

/* The function that a state calls, with its arrays. */
static Status open_python(State *state, size_t file, size_t variant, const Request *request) {
    enum { POINT_SIZE = POINT_AXES_MAX * (AXIS_TEXT_SIZE + MODULE_NAME_MAX + 2) };
    const OutputPart *part = &request->output->layout.parts[0];
    const bool device = is_on_device(state);
    char answer[POINT_SIZE], tuning[POINT_SIZE];
    point_format(request->answer, answer, sizeof answer);
    point_format(request->tuning, tuning, sizeof tuning);
    const void *stream = device ? state->backend->queue() : NULL;
    state->object = python_call(
        "open", "(LLLLLLLLLLLssL)", (long long)file, (long long)variant, image_address(state, 0),
        image_stride(state, 0), image_address(state, 1), image_stride(state, 1),
        (long long)state->images[0]->height, (long long)state->images[0]->width,
        (long long)(intptr_t)(device ? state->device_answer : state->answer),
        (long long)part->height, (long long)part->width, answer, tuning,
        (long long)(intptr_t)stream);
    if (state->object == NULL || python_text(state->object) != NULL) {
        return device_checked(state, python_text_status(python_text(state->object)));
    }
    return status_ok();
}

static Status open_state(State *state, size_t file, size_t variant, const Request *request) {
    STATUS_TRY(variant_is_on_cpu(&files.list[file]->variants[variant]) ? status_ok()
                                                                       : open_device(state));
    STATUS_TRY(open_python(state, file, variant, request));
    STATUS_TRY(call_once(state));
    state->run = python_attribute(state->object, "run");
    return state->run != NULL ? status_ok() : status_fail("Python gives no answer");
}

/* `number` is that of the variant among those of all files. */
static Status open_variant(size_t number, const Request *request, void **opened) {
    PythonFile *file = files.variants[number].file;
    STATUS_TRY(need_here(file));
    State *state = calloc(1, sizeof *state);
    STATUS_MEMORY(state, "for a variant in Python");
    state->number = number;
    state->backend = file->variants[number - file->first].backend;
    state->images[0] = &request->workload->image;
    state->images[1] = &request->workload->second;
    state->image_count = file->algorithm.pair ? 2 : 1;
    state->row_bytes = (size_t)state->images[0]->width * output_element_size(file->element);
    state->answer = output_part(request->output, 0);
    state->answer_bytes = request->output->layout.parts[0].bytes;
    const Status status = open_state(state, file_index(file), number - file->first, request);
    if (!status_is_ok(&status)) {
        close_state(state);
        return status;
    }
    *opened = state;
    return status;
}

static Status variant_available(size_t number) {
    const char *missing = files.variants[number].missing;
    return missing[0] == '\0' ? status_ok() : status_skip("%.300s", missing);
}

static const char *peer_version(const void *opened) {
    const State *state = opened;
    return files.variants[state->number].version;
}

/* === The algorithm ============================================================================ */

/* A question is the place of a file, and height and width of an image. */
void python_file_answer(const char *question, char *text, size_t size) {
    long long index = 0, height = 0, width = 0;
    (void)sscanf(question, "%lld %lld %lld", &index, &height, &width);
    PythonObject *answer = python_call("shape", "(LLL)", index, height, width);
    const char *shape = python_text(answer);
    snprintf(text, size, "%s", shape != NULL ? shape : "error\tPython gives no answer");
    python_release(answer);
}

static Status ask_shape(size_t index, const Image *image, char *text, size_t size) {
    char question[64];
    snprintf(question, sizeof question, "%zu %d %d", index, image->height, image->width);
    char *told = files.list[index]->here ? NULL : zygote_ask(question);
    if (told != NULL) {
        snprintf(text, size, "%s", told);
        free(told);
        return status_ok();
    }
    STATUS_TRY(need_here(files.list[index]));
    python_file_answer(question, text, size);
    return status_ok();
}

static Status output_layout(size_t index, const Workload *workload, OutputLayout *layout) {
    const Image *image = &workload->image;
    unsigned long long height = 0, width = 0;
    char text[STATUS_WHY_SIZE];
    STATUS_TRY(ask_shape(index, image, text, sizeof text));
    if (sscanf(text, "%llu\t%llu", &height, &width) != 2) {
        return status_fail("%.370s", text + strcspn(text, "\t") + 1);
    }
    const OutputKind kind = files.list[index]->kind;
    const bool is_image = kind == OUTPUT_ARRAY_U8 && !files.list[index]->array &&
                          height == (unsigned long long)image->height &&
                          width == (unsigned long long)image->width;
    return output_layout_add(layout, "answer", is_image ? OUTPUT_IMAGE_U8 : kind, (size_t)width,
                             (size_t)height);
}

static Cost cost(size_t index, const Workload *workload, const Point *answer) {
    OutputLayout layout = STRUCT_OF(OutputLayout, .count = 0);
    const double pixels = (double)image_pixel_count(&workload->image);
    (void)answer;
    (void)output_layout(index, workload, &layout);
    const double bytes = layout.count > 0 ? (double)layout.parts[0].bytes : 0;
    const double image = pixels * (double)output_element_size(files.list[index]->element);
    const double images = files.list[index]->algorithm.pair ? 2 : 1;
    return STRUCT_OF(Cost, .bytes = images * image + bytes,
                     .operations = pixels * files.list[index]->operations, .items = pixels);
}

#define FILE_FUNCTIONS(n)                                                                          \
    static Status layout_##n(const Workload *workload, const Point *answer,                        \
                             OutputLayout *layout) {                                               \
        (void)answer;                                                                              \
        return output_layout(n, workload, layout);                                                 \
    }                                                                                              \
    static Cost cost_##n(const Workload *workload, const Point *answer) {                          \
        return cost(n, workload, answer);                                                          \
    }                                                                                              \
    static void give_cost_##n(const Workload *workload, const Point *answer, Cost *given) {        \
        *given = cost(n, workload, answer);                                                        \
    }
EACH_FILE(FILE_FUNCTIONS)

#define VARIANT_FUNCTIONS_OF(n)                                                                    \
    static Status open_##n(const Request *request, void **state) {                                 \
        return open_variant(n, request, state);                                                    \
    }                                                                                              \
    static Status available_##n(void) {                                                            \
        return variant_available(n);                                                               \
    }
EACH_VARIANT(VARIANT_FUNCTIONS_OF)

typedef struct FileFunctions {
    Status (*layout)(const Workload *workload, const Point *answer, OutputLayout *layout);
    Cost (*cost)(const Workload *workload, const Point *answer);
    void (*give_cost)(const Workload *workload, const Point *answer, Cost *given);
} FileFunctions;

#define FILE_FUNCTION_ROW(n) {layout_##n, cost_##n, give_cost_##n},
static const FileFunctions file_functions[FILES_MAX] = {EACH_FILE(FILE_FUNCTION_ROW)};

#define OPEN_OF(n) open_##n,
#define AVAILABLE_OF(n) available_##n,
static Status (*const opens[VARIANTS_MAX])(const Request *request,
                                           void **state) = {EACH_VARIANT(OPEN_OF)};
static Status (*const availables[VARIANTS_MAX])(void) = {EACH_VARIANT(AVAILABLE_OF)};

/* === Rows ===================================================================================== */

/* Of a line of _runner.load, whose fields have tabs between. */
enum { FIELDS_MAX = 11 };

typedef struct Fields {
    char *texts[FIELDS_MAX];
    size_t count;
} Fields;

static Fields split(char *line) {
    Fields fields = {.count = 0};
    for (char *text = line; text != NULL && fields.count < FIELDS_MAX;) {
        fields.texts[fields.count++] = text;
        text = strchr(text, '\t');
        if (text != NULL) {
            *text++ = '\0';
        }
    }
    return fields;
}

static bool is_exact(const Tolerance *tolerance) {
    return tolerance->absolute == 0 && tolerance->relative == 0 && tolerance->ulp == 0;
}

static Status take_type(const char *name, OutputKind *kind) {
    return element_named(name, kind) ? status_ok()
                                     : status_make(STATUS_FILE, "the type %s is not known", name);
}

static Status take_algorithm(PythonFile *file, const Fields *fields) {
    const FileFunctions *functions = &file_functions[file_index(file)];
    STATUS_TRY(take_type(fields->texts[2], &file->kind));
    STATUS_TRY(take_type(fields->texts[7], &file->element));
    file->array = fields->texts[9][0] == '1';
    /* Functions can take rows that have bytes between them, but not in one dimension. */
    file->element =
        file->element == OUTPUT_ARRAY_U8 && !file->array ? OUTPUT_IMAGE_U8 : file->element;
    file->tolerance = STRUCT_OF(Tolerance, .absolute = strtod(fields->texts[3], NULL),
                                .relative = strtod(fields->texts[4], NULL),
                                .ulp = strtoull(fields->texts[5], NULL, 10));
    file->operations = strtod(fields->texts[6], NULL);
    file->algorithm = STRUCT_OF(Algorithm, .name = file->name, .summary = fields->texts[1],
                                .item = file->array ? "element" : "pixel", .input = WORKLOAD_IMAGE,
                                .answer = file->parameters.axes, .output_layout = functions->layout,
                                .cost = functions->cost,
                                .tolerance = is_exact(&file->tolerance) ? NULL : &file->tolerance,
                                .element = file->element, .pair = fields->texts[8][0] == '2');
    return status_ok();
}

/* --threads of this program's own variants. */
static const Axis *threads_axis(void) {
    const Axis *axis = NULL;
    for (size_t a = 0; a < registry_algorithm_count() && axis == NULL; a++) {
        const Algorithm *algorithm = registry_algorithm(a);
        for (size_t v = 0; v < algorithm->cpu.count && axis == NULL; v++) {
            axis = axis_in_list(algorithm->cpu.rows[v].tuning, "threads");
        }
    }
    return axis;
}

static Status add_axis(AxisList *list, const Axis *axis) {
    if (axis == NULL || list->count == POINT_AXES_MAX) {
        return status_make(STATUS_FILE, "more than %d keywords are axes", POINT_AXES_MAX);
    }
    list->axes[list->count++] = axis;
    return status_ok();
}

static Status take_axis(PythonFile *file, AxisList *list, const Fields *fields) {
    if (file->axis_count == AXES_MAX) {
        return status_make(STATUS_FILE, "it has more than %d axes", AXES_MAX);
    }
    Axis *axis = &file->axes[file->axis_count++];
    *axis = STRUCT_OF(Axis, .name = fields->texts[1], .help = "a keyword of functions in Python",
                      .defaults = fields->texts[2], .kind = AXIS_INTEGER, .maximum = INT64_MAX);
    return add_axis(list, axis);
}

/* NULL: the variant is a person's own. */
static const Peer *take_peer(PythonFile *file, const Fields *fields) {
    Peer *peer = &file->peers[file->count];
    if (fields->texts[7][0] == '\0') {
        return NULL;
    }
    *peer = STRUCT_OF(Peer, .library = fields->texts[7], .install = fields->texts[7],
                      .difference = fields->texts[9][0] != '\0' ? fields->texts[9] : NULL,
                      .agreement = strtod(fields->texts[10], NULL), .version = peer_version);
    return peer;
}

static Status take_variant(PythonFile *file, const Fields *fields) {
    if (files.variant_count == VARIANTS_MAX) {
        return status_make(STATUS_FILE, "there are more than %d variants in Python", VARIANTS_MAX);
    }
    const size_t number = files.variant_count++;
    const Backend *backend = registry_find_backend(fields->texts[2]);
    const bool cuda = backend == &cuda_backend;
    AxisList *tuning = &file->tuning[file->count];
    files.variants[number].file = file;
    files.variants[number].missing = fields->texts[6];
    files.variants[number].version = fields->texts[8];
    const Peer *peer = take_peer(file, fields);
    file->variants[file->count++] =
        STRUCT_OF(Variant, .name = fields->texts[1], .summary = fields->texts[3],
                  .improves_on = fields->texts[4][0] != '\0' ? fields->texts[4] : NULL,
                  .backend = backend, .tuning = tuning->axes, .available = availables[number],
                  .open = opens[number], .upload = cuda ? upload : NULL, .run = run,
                  .download = cuda ? download : NULL, .close = close_state, .peer = peer);
    return fields->texts[5][0] == '1' ? add_axis(tuning, threads_axis()) : status_ok();
}

typedef enum RowKind {
    ROW_ALGORITHM,
    ROW_PARAMETER,
    ROW_VARIANT,
    ROW_TUNING,
    ROW_WITH,
    ROW_FORKS, /* whether launches may be forked of the process that has run the file */
    ROW_KINDS
} RowKind;

/* ROW_KINDS: none. */
static RowKind kind_of(const Fields *fields) {
    static const struct {
        const char *name;
        size_t fields;
    } known[ROW_KINDS] = {[ROW_ALGORITHM] = {"algorithm", 10},
                          [ROW_PARAMETER] = {"parameter", 3},
                          [ROW_VARIANT] = {"variant", 11},
                          [ROW_TUNING] = {"tuning", 3},
                          [ROW_WITH] = {"with", 2},
                          [ROW_FORKS] = {"forks", 2}};
    RowKind kind = 0;
    while (kind < ROW_KINDS && (strcmp(fields->texts[0], known[kind].name) != 0 ||
                                fields->count != known[kind].fields)) {
        kind++;
    }
    return kind;
}

static bool says_yes(const Fields *fields) {
    return fields->texts[1][0] == '1';
}

static Status take_row(PythonFile *file, const Fields *fields) {
    switch (kind_of(fields)) {
    case ROW_ALGORITHM: return take_algorithm(file, fields);
    case ROW_PARAMETER: return take_axis(file, &file->parameters, fields);
    case ROW_VARIANT: return take_variant(file, fields);
    case ROW_TUNING: return take_axis(file, &file->tuning[file->count - 1], fields);
    case ROW_WITH:
        snprintf(file->with, sizeof file->with, "%s", fields->texts[1]);
        return status_ok();
    case ROW_FORKS:
        if (!says_yes(fields)) {
            zygote_refuse();
        }
        return status_ok();
    default: return status_make(STATUS_FILE, "Python says '%.40s'", fields->texts[0]);
    }
}

/* Takes the next row apart in place: that behind the line end at `*rest`, which becomes the next
 * one. NULL is the end. */
static bool next_row(char **rest, Fields *fields) {
    if (*rest == NULL) {
        return false;
    }
    char *line = *rest + 1;
    *rest = strchr(line, '\n');
    if (*rest != NULL) {
        **rest = '\0';
    }
    *fields = split(line);
    return true;
}

bool python_file_forks(char *text) {
    char *rest = strchr(text, '\n');
    bool forks = false;
    for (Fields fields; next_row(&rest, &fields);) {
        forks = kind_of(&fields) == ROW_FORKS ? says_yes(&fields) : forks;
    }
    return forks;
}

/* === Loading ================================================================================== */

bool python_file_is_named(const char *path) {
    return text_ends(path, ".py");
}

static Status take_rows(PythonFile *file) {
    char *rest = strchr(file->rows, '\n');
    for (Fields fields; next_row(&rest, &fields);) {
        STATUS_TRY(take_row(file, &fields));
    }
    return status_ok();
}

/* By a zygote where there is one, which leaves this process without Python. */
static Status load(PythonFile *file) {
    if (zygote_is_this()) {
        file->rows = import_here(file);
        zygote_tell(file->rows != NULL ? file->rows : wrong);
    } else {
        if (zygote_takes_long()) {
            visible_line(stderr, "%s is importing its libraries", file->path);
        }
        file->rows = zygote_next_text();
        file->rows = file->rows != NULL ? file->rows : import_here(file);
    }
    STATUS_TRY(check_import(file->rows));
    const Status taken = take_rows(file);
    return status_is_ok(&taken) ? taken
                                : status_make(STATUS_FILE, "%.150s: %.200s", file->path, taken.why);
}

/* Its rows name the program's own backends. */
static void attach(const ModuleHost *host) {
    (void)host;
}

static void make_module(PythonFile *file, BenchModule *module) {
    Algorithm *algorithm = &file->algorithm;
    size_t on_cpu = 0;
    while (on_cpu < file->count && variant_is_on_cpu(&file->variants[on_cpu])) {
        on_cpu++;
    }
    algorithm->cpu = (VariantTable){.rows = file->variants, .count = on_cpu};
    file->cuda = (VariantTable){.rows = file->variants + on_cpu, .count = file->count - on_cpu};
    *module = STRUCT_OF(BenchModule, .interface = BENCH_MODULE_INTERFACE,
                        .magic = BENCH_MODULE_MAGIC, .headers = BENCH_HEADERS,
                        .cuda_runtime = 1, /* its rows need nothing that is compiled */
                        .algorithm = algorithm, .cuda = &file->cuda, .cpu_backend = &cpu_backend,
                        .cuda_backend = &cuda_backend, .attach = attach,
                        .cost = file_functions[file_index(file)].give_cost);
}

Status python_file_load(const char *path, BenchModule *module, char with[PYTHON_WITH_SIZE]) {
    if (files.count == FILES_MAX) {
        return status_make(STATUS_FILE, "%.150s: more than %d files of Python", path, FILES_MAX);
    }
    PythonFile *file = calloc(1, sizeof *file);
    char *own = strdup(path);
    if (file == NULL || own == NULL) {
        free(file);
        free(own);
        return status_no_memory("for a file of Python");
    }
    file->path = own;
    files.list[files.count++] = file;
    file->first = files.variant_count;
    source_file_name(path, file->name);
    const Status status = load(file);
    if (!status_is_ok(&status)) {
        files.variant_count = file->first;
        files.count--;
        free(file->rows);
        free(file->path);
        free(file);
        return status;
    }
    make_module(file, module);
    snprintf(with, PYTHON_WITH_SIZE, "%s", file->with);
    return status;
}
