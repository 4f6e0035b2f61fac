#include "graph_pass.h"

#include <stdlib.h>
#include <string.h>

#include "cuda_state.h"
#include "resources.h"
#include "transfers.h"

typedef struct GraphPass {
    const GraphMethod *method;
    const Request *caller;
    /* The caller's, with memory that is page-locked. */
    Request request;
    Workload workload;
    Output output;
    /* Page-locked; NULL: the caller's memory is. */
    uint8_t *image, *answer;
    Keypoint *keypoints;

    void *state; /* the method's */
    cudaGraphExec_t graph;
    unsigned int captured_version; /* of the memory that the graph knows */
} GraphPass;

/* === The stage ================================================================================ */

/* More is page-locked too slowly for what one graph launch saves. */
#define STAGE_BYTES_MAX ((size_t)1 << 30)

static Status allocate(size_t bytes, void **memory) {
    if (bytes > STAGE_BYTES_MAX) {
        return status_skip("graphs are for small images: one side of the copies has %zu bytes",
                           bytes);
    }
    STATUS_TRY(free_memory_check("the stage of a graph", bytes));
    CUDA_TRY(cudaMallocHost(memory, bytes > 0 ? bytes : 1));
    return status_ok();
}

/* Memory that is page-locked ends with a page, of which what lies behind it may be the other part:
 * then only its first bytes are page-locked. */
static bool is_pinned(const void *memory, size_t bytes) {
    return cuda_is_pinned(memory) &&
           (bytes == 0 || cuda_is_pinned((const uint8_t *)memory + bytes - 1));
}

static Status stage_image(GraphPass *pass) {
    Image *image = &pass->workload.image;
    if (is_pinned(image->pixels,
                  image->stride * (size_t)(image->height - 1) + (size_t)image->width)) {
        return status_ok();
    }
    image->stride = round_up((size_t)image->width, GRAPH_ROW_ALIGNMENT);
    STATUS_TRY(allocate(image->stride * (size_t)image->height, (void **)&pass->image));
    image->pixels = pass->image;
    return status_ok();
}

/* Of a list only as many as are asked for: it may be a hundred times as long. */
static Status stage_keypoints(GraphPass *pass) {
    KeypointList *list = &pass->workload.keypoints;
    list->count = (int32_t)point_integer(pass->request.answer, "keypoints", list->count);
    const size_t bytes = (size_t)list->count * sizeof *list->keypoints;
    if (list->keypoints == NULL || is_pinned(list->keypoints, bytes)) {
        return status_ok();
    }
    STATUS_TRY(allocate(bytes, (void **)&pass->keypoints));
    list->keypoints = pass->keypoints;
    return status_ok();
}

static Status stage_answer(GraphPass *pass) {
    if (is_pinned(pass->output.data, pass->output.layout.bytes)) {
        return status_ok();
    }
    STATUS_TRY(allocate(pass->output.layout.bytes, (void **)&pass->answer));
    pass->output.data = pass->answer;
    return status_ok();
}

static void copy_in(const GraphPass *pass) {
    const Workload *from = pass->caller->workload;
    const Image *image = &from->image;
    if (pass->image != NULL) {
        host_copy_rows(pass->image, pass->workload.image.stride, image->pixels, image->stride,
                       (size_t)image->width, (size_t)image->height);
    }
    if (pass->keypoints != NULL) {
        memcpy(pass->keypoints, from->keypoints.keypoints,
               (size_t)pass->workload.keypoints.count * sizeof *pass->keypoints);
    }
}

/* Part by part: between them is nothing of ours. */
static void copy_out(const GraphPass *pass) {
    const Output *to = pass->caller->output;
    for (size_t i = 0; pass->answer != NULL && i < to->layout.count; i++) {
        const OutputPart *part = &to->layout.parts[i];
        const size_t row = part->height > 0 ? part->bytes / part->height : 0;
        host_copy_rows(to->data + part->offset, row, pass->answer + part->offset, row, row,
                       part->height);
    }
}

/* === Open and close =========================================================================== */

static Status queue_pass(const GraphPass *pass) {
    const GraphMethod *method = pass->method;
    if (method->queue_pass != NULL) {
        return method->queue_pass(pass->state);
    }
    STATUS_TRY(method->upload(pass->state));
    STATUS_TRY(method->run(pass->state));
    return method->queue_download(pass->state);
}

static Status instantiate(cudaGraph_t graph, GraphPass *pass) {
    CUDA_TRY(cudaGraphInstantiateWithFlags(&pass->graph, graph, 0));
    return status_ok();
}

static unsigned int memory_version(const GraphPass *pass) {
    return pass->method->memory_version != NULL ? pass->method->memory_version(pass->state) : 0;
}

static void drop_graph(GraphPass *pass) {
    if (pass->graph != NULL) {
        (void)cudaGraphExecDestroy(pass->graph);
        pass->graph = NULL;
    }
}

/* A capture is ended whatever happened in it. */
static Status capture(GraphPass *pass) {
    cudaGraph_t graph = NULL;
    drop_graph(pass);
    pass->captured_version = memory_version(pass);
    CUDA_TRY(cudaStreamBeginCapture(cuda_stream(), cudaStreamCaptureModeThreadLocal));
    Status status = queue_pass(pass);
    const cudaError_t ended = cudaStreamEndCapture(cuda_stream(), &graph);
    if (status_is_ok(&status)) {
        CUDA_TRY(ended);
        status = instantiate(graph, pass);
    }
    if (graph != NULL) {
        (void)cudaGraphDestroy(graph);
    }
    return status;
}

static Status open_parts(const Request *request, GraphPass *pass) {
    pass->caller = request;
    pass->workload = *request->workload;
    pass->output = *request->output;
    pass->request = *request;
    pass->request.workload = &pass->workload;
    pass->request.output = &pass->output;
    STATUS_TRY(stage_image(pass));
    STATUS_TRY(stage_keypoints(pass));
    STATUS_TRY(stage_answer(pass));
    STATUS_TRY(pass->method->open(&pass->request, &pass->state));
    return capture(pass);
}

Status graph_pass_open_with(const Request *request, const GraphMethod *method, void **state) {
    GraphPass *pass = calloc(1, sizeof *pass);
    if (pass == NULL) {
        return status_no_memory("for the state of a graph");
    }
    pass->method = method;
    const Status status = open_parts(request, pass);
    if (!status_is_ok(&status)) {
        graph_pass_close(pass);
        return status;
    }
    *state = pass;
    return status;
}

void graph_pass_close(void *state) {
    GraphPass *pass = state;
    if (pass == NULL) {
        return;
    }
    drop_graph(pass);
    cuda_state_close(pass->state);
    (void)cudaFreeHost(pass->image);
    (void)cudaFreeHost(pass->keypoints);
    (void)cudaFreeHost(pass->answer);
    free(pass);
}

/* === Passes =================================================================================== */

Status graph_pass_upload(void *state) {
    const GraphPass *pass = state;
    copy_in(pass);
    return pass->method->upload(pass->state);
}

Status graph_pass_run(void *state) {
    const GraphPass *pass = state;
    return pass->method->run(pass->state);
}

Status graph_pass_download(void *state) {
    const GraphPass *pass = state;
    STATUS_TRY(pass->method->queue_download(pass->state));
    CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
    copy_out(pass);
    return status_ok();
}

static Status finish(const GraphPass *pass) {
    if (pass->method->finish != NULL) {
        return pass->method->finish(pass->state);
    }
    CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
    return status_ok();
}

static Status capture_if_moved(GraphPass *pass) {
    const bool known = pass->graph != NULL && memory_version(pass) == pass->captured_version;
    return known ? status_ok() : capture(pass);
}

Status graph_pass_stream(void *state) {
    GraphPass *pass = state;
    copy_in(pass);
    STATUS_TRY(capture_if_moved(pass));
    if (pass->method->prepare != NULL) {
        pass->method->prepare(pass->state);
    }
    CUDA_TRY(cudaGraphLaunch(pass->graph, cuda_stream()));
    STATUS_TRY(finish(pass));
    copy_out(pass);
    /* A pass that had to move memory took long as it is: the next one takes no longer than all. */
    return capture_if_moved(pass);
}
