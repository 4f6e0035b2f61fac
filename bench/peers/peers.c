/* The table of peers, and the functions of a variant that is in Python and calls a library. */

#include "peers.h"
#include "algorithm.h"
#include "backend_runner.h"
#include "modules.h"
#include "registered_peers.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "child_process.h"
#include "cpu_variant.h"
#include "element_names.h"
#include "peers_internal.h"
#include "python.h"
#include "text.h"

/* === Rows ===================================================================================== */

/* A library of peers.def is three words of its rows. */
#define PEER(...) PEER_ROW(__VA_ARGS__)

/* A peer does not learn which row it is: each has functions of its own, which name its number. */
enum {
#define PEER_ROW(algorithm, name, ...) NUMBER_##algorithm##_##name,
#include "peers.def"
#undef PEER_ROW
    PEERS
};

/* What Python imports. */
static const char *const modules[PEERS] = {
#define PEER_ROW(algorithm, name, side, threads, library, module, ...) module,
#include "peers.def"
#undef PEER_ROW
};

#define PACKAGE(name, version, gpu, instead) {name, version, gpu, instead},
const PeerPackage peer_packages[] = {
#include "peers.def"
#undef PACKAGE
};
const size_t peer_package_count = sizeof peer_packages / sizeof peer_packages[0];

/* The file of each algorithm, behind those that it imports. */
static const struct {
    const char *algorithm, *text;
} files[] = {
    {"npp", peers_of_npp},           {"lbp", peers_of_lbp},
    {"lbp_riu", peers_of_lbp_riu},   {"lacunarity", peers_of_lacunarity},
    {"haar", peers_of_haar},         {"adaboost", peers_of_adaboost},
    {"fast", peers_of_fast9},        {"hashsift", peers_of_hashsift},
    {"bad", peers_of_bad},           {"orb", peers_of_orb},
    {"matching", peers_of_matching}, {"integral", peers_of_integral},
    {"copy", peers_of_copy},
};

/* === Python =================================================================================== */

static struct {
    bool tried;
    Status started;
    PythonObject *module; /* bench._peers */
} python;

Status peers_folder(char *path, size_t size) {
    char cache[DATA_FOLDER_PATH_SIZE];
    STATUS_TRY(cache_folder(cache, sizeof cache));
    return path_make(path, size, "%s/peers", cache);
}

/* The environment's packages are for the Python that no one has named, which has none of its own.
 */
static Status settle(void) {
    char folder[DATA_FOLDER_PATH_SIZE] = "";
    const char *named = getenv(python_variable);
    if (named == NULL || named[0] == '\0') {
        STATUS_TRY(peers_folder(folder, sizeof folder));
    }
    return python_status(python_call_of(python.module, "settle", "(s)", folder));
}

static Status start_python(void) {
    STATUS_TRY(python_start());
    python.module = python_module("_peers", peers_python);
    if (python.module == NULL) {
        return status_fail("bench/peers/peers.py cannot be run");
    }
    STATUS_TRY(settle());
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        STATUS_TRY(python_status(
            python_call_of(python.module, "take", "(ss)", files[i].algorithm, files[i].text)));
    }
    return status_ok();
}

static void start_freely(void *context) {
    (void)context;
    python.started = start_python();
}

/* Once. What is bound to a processor meanwhile is not bound in what Python learns of them. */
Status peers_start(void) {
    if (!python.tried) {
        python.tried = true;
        processors_free_during(start_freely, NULL);
    }
    return python.started;
}

/* === Whether it is there ====================================================================== */

/* "" where it is not installed. */
static Status ask_version(const Peer *peer, const char *module, char version[PEER_VERSION_SIZE]) {
    version[0] = '\0';
    STATUS_TRY(peers_start());
    PythonObject *answer =
        python_call_of(python.module, "installed", "(ss)", module, peer->install);
    const char *text = python_text(answer);
    snprintf(version, PEER_VERSION_SIZE, "%s", text != NULL ? text : "");
    python_release(answer);
    return status_ok();
}

static Status library_installed(size_t number, char version[PEER_VERSION_SIZE]) {
    const Peer *peer = registered_peers[number].variant.peer;
    const Status status = ask_version(peer, modules[number], version);
    if (!status_is_ok(&status)) {
        return status_skip("%s is called in Python: %.300s", peer->library, status.why);
    }
    return version[0] != '\0' ? status_ok()
                              : status_skip("%s is not installed: 'bench peers --install' or "
                                            "'pip install %s'",
                                            peer->library, peer->install);
}

Status peer_installed(const Variant *variant, char version[PEER_VERSION_SIZE]) {
    for (size_t i = 0; i < PEERS; i++) {
        if (&registered_peers[i].variant == variant) {
            return library_installed(i, version);
        }
    }
    const Peer *peer = variant->peer;
    if (peer->version == NULL) {
        return status_skip("%s is not built", peer->library);
    }
    snprintf(version, PEER_VERSION_SIZE, "%s", peer->version(NULL));
    return status_ok();
}

static Status peer_available(size_t number) {
    char version[PEER_VERSION_SIZE];
    return library_installed(number, version);
}

/* === What it works on ========================================================================= */

/* Lines with the arrays of a request, or with its numbers, as peers.py reads them. */
enum { LINES_SIZE = 8192 };

typedef struct Array {
    const char *name, *prefix;
    OutputKind kind;
    const void *data;
    size_t rows, columns, stride; /* bytes from a row to the next */
} Array;

static void add_array(char lines[LINES_SIZE], const Array *array) {
    text_append(lines, LINES_SIZE, "%s%s\t%s\t%" PRIuPTR "\t%zu\t%zu\t%zu\n", array->prefix,
                array->name, element_name(array->kind), (uintptr_t)array->data, array->rows,
                array->columns, array->stride);
}

static void add_image(char lines[LINES_SIZE], const char *name, OutputKind element,
                      const Image *image) {
    if (image->pixels != NULL) {
        add_array(lines, &(Array){name, "", element, image->pixels, (size_t)image->height,
                                  (size_t)image->width, image->stride});
    }
}

static void add_weights(char lines[LINES_SIZE], const WeightsList *weights) {
    for (int32_t i = 0; i < weights->count; i++) {
        const Weights *row = &weights->list[i];
        char name[WEIGHTS_KIND_SIZE + 16];
        snprintf(name, sizeof name, "%s.%" PRId32, row->kind, row->bits);
        add_array(lines,
                  &(Array){name, "weights.", OUTPUT_ARRAY_F32, row->values, (size_t)row->bits,
                           (size_t)row->columns, (size_t)row->columns * sizeof(float)});
    }
}

/* Numbers of the kinds that an array has. */
static OutputKind element_of(OutputKind kind) {
    switch (kind) {
    case OUTPUT_IMAGE_U8:
    case OUTPUT_ROWS_U8: return OUTPUT_ARRAY_U8;
    case OUTPUT_COUNTS_U64:
    case OUTPUT_TABLE_U64:
    case OUTPUT_RECORDS_U64: return OUTPUT_ARRAY_U64;
    default: return kind;
    }
}

static void add_answer(char lines[LINES_SIZE], const Output *output) {
    for (size_t i = 0; i < output->layout.count; i++) {
        const OutputPart *part = &output->layout.parts[i];
        const OutputKind kind = element_of(part->kind);
        add_array(lines, &(Array){part->name, "out.", kind, output_part(output, i), part->height,
                                  part->width, part->width * output_element_size(kind)});
    }
}

static void describe(const Request *request, char arrays[LINES_SIZE], char facts[LINES_SIZE]) {
    const Workload *workload = request->workload;
    const KeypointList *list = &workload->keypoints;
    arrays[0] = facts[0] = '\0';
    add_image(arrays, "image", workload->element, &workload->image);
    add_image(arrays, "second", workload->element, &workload->second);
    if (workload->set.labels != NULL) {
        add_array(arrays, &(Array){"labels", "", OUTPUT_ARRAY_U8, workload->set.labels, 1,
                                   (size_t)workload->set.count, (size_t)workload->set.count});
    }
    if (list->keypoints != NULL) {
        add_array(arrays,
                  &(Array){"keypoints", "", OUTPUT_ARRAY_F32, list->keypoints, (size_t)list->count,
                           sizeof(Keypoint) / sizeof(float), sizeof(Keypoint)});
    }
    add_weights(arrays, &workload->weights);
    add_answer(arrays, request->output);
    text_append(facts, LINES_SIZE,
                "images\t%" PRId32 "\nwidth\t%" PRId32 "\nheight\t%" PRId32 "\nscale\t%.9g\n"
                "queries\t%" PRId32 "\nseed\t%" PRIu64 "\n",
                workload->set.count, workload->set.width, workload->set.height, (double)list->scale,
                workload->queries, workload->seed);
}

/* === States =================================================================================== */

typedef struct State {
    PythonObject *calls, *run; /* peers.Calls, and its method */
    char version[PEER_VERSION_SIZE];
} State;

static Status peer_run(void *opened) {
    const State *state = opened;
    return python_status(python_call_object(state->run));
}

static Status peer_upload(void *opened) {
    const State *state = opened;
    return python_status(python_call_method(state->calls, "upload"));
}

static Status peer_download(void *opened) {
    const State *state = opened;
    return python_status(python_call_method(state->calls, "download"));
}

static void peer_close(void *opened) {
    State *state = opened;
    if (state != NULL) {
        python_release(state->run);
        python_release(state->calls);
        free(state);
    }
}

static const char *peer_version(const void *opened) {
    const State *state = opened;
    return state->version;
}

typedef struct Opening {
    State *state;
    size_t number;
    const Request *request;
    char arrays[LINES_SIZE], facts[LINES_SIZE];
    Status status;
} Opening;

/* The first run, in which libraries load and start what they need. */
static Status run_first(const Variant *variant, State *state) {
    const bool device = !variant_is_on_cpu(variant);
    STATUS_TRY(device ? peer_upload(state) : status_ok());
    STATUS_TRY(peer_run(state));
    return device ? variant->backend->runner->synchronize() : status_ok();
}

static Status open_calls(Opening *opening) {
    enum { POINT_SIZE = POINT_AXES_MAX * (AXIS_TEXT_SIZE + MODULE_NAME_MAX + 2) };
    const RegisteredPeer *peer = &registered_peers[opening->number];
    State *state = opening->state;
    char answer[POINT_SIZE], tuning[POINT_SIZE];
    point_format(opening->request->answer, answer, sizeof answer);
    point_format(opening->request->tuning, tuning, sizeof tuning);
    const void *stream = variant_is_on_cpu(&peer->variant) ? NULL : peer->variant.backend->queue();
    state->calls = python_call_of(python.module, "open", "(ssssssssL)", peer->algorithm->name,
                                  peer->variant.name, modules[opening->number],
                                  peer->variant.peer->install, opening->arrays, opening->facts,
                                  answer, tuning, (long long)(intptr_t)stream);
    if (state->calls == NULL || python_text(state->calls) != NULL) {
        return python_text_status(python_text(state->calls));
    }
    state->run = python_attribute(state->calls, "run");
    PythonObject *version = python_attribute(state->calls, "version");
    const char *text = python_text(version);
    snprintf(state->version, sizeof state->version, "%s", text != NULL ? text : "");
    python_release(version);
    return state->run != NULL ? run_first(&peer->variant, state)
                              : status_fail("Python gives no answer");
}

static void open_freely(void *context) {
    Opening *opening = context;
    opening->status = open_calls(opening);
}

/* Threads that the library starts meanwhile see all processors. */
static Status peer_open(size_t number, const Request *request, void **opened) {
    Opening *opening = calloc(1, sizeof *opening);
    State *state = calloc(1, sizeof *state);
    if (opening == NULL || state == NULL) {
        free(opening);
        free(state);
        return status_no_memory("for a library");
    }
    opening->state = state;
    opening->number = number;
    opening->request = request;
    describe(request, opening->arrays, opening->facts);
    processors_free_during(open_freely, opening);
    const Status status = opening->status;
    free(opening);
    if (!status_is_ok(&status)) {
        peer_close(state);
        return status;
    }
    *opened = state;
    return status;
}

/* === The table ================================================================================ */

#define PEER_ROW(algorithm, name, ...)                                                             \
    static Status open_##algorithm##_##name(const Request *request, void **state) {                \
        return peer_open(NUMBER_##algorithm##_##name, request, state);                             \
    }                                                                                              \
    static Status available_##algorithm##_##name(void) {                                           \
        return peer_available(NUMBER_##algorithm##_##name);                                        \
    }                                                                                              \
    extern const Algorithm algorithm##_algorithm;
#include "peers.def"
#undef PEER_ROW

static const Peer peers[PEERS] = {
#define PEER_ROW(algorithm, name, side, threads, library_, module, package, text, other, least)    \
    {.struct_bytes = sizeof(Peer),                                                                 \
     .library = (library_),                                                                        \
     .install = (package),                                                                         \
     .difference = (other),                                                                        \
     .agreement = (least),                                                                         \
     .version = peer_version},
#include "peers.def"
#undef PEER_ROW
};

/* The download of a CPU variant is not timed: it brings an answer into the program's form. */
#define BACKEND_CPU &cpu_backend
#define BACKEND_GPU &cuda_backend
#define UPLOAD_CPU NULL
#define UPLOAD_GPU peer_upload
#define TUNING_ONE NULL
#define TUNING_THREADS threads_tuning

const RegisteredPeer registered_peers[PEERS] = {
#define PEER_ROW(algorithm_, name_, side, threads, library, module, package, text, ...)            \
    {.algorithm = &algorithm_##_algorithm,                                                         \
     .variant = {.struct_bytes = sizeof(Variant),                                                  \
                 .name = #name_,                                                                   \
                 .summary = (text),                                                                \
                 .available = available_##algorithm_##_##name_,                                    \
                 .open = open_##algorithm_##_##name_,                                              \
                 .run = peer_run,                                                                  \
                 .download = peer_download,                                                        \
                 .close = peer_close,                                                              \
                 .peer = &peers[NUMBER_##algorithm_##_##name_],                                    \
                 .backend = BACKEND_##side,                                                        \
                 .upload = UPLOAD_##side,                                                          \
                 .tuning = TUNING_##threads}},
#include "peers.def"
#undef PEER_ROW
};

const size_t registered_peer_count = PEERS;
