#include "fake_nccl.h"

#include <stdlib.h>
#include <string.h>

/* Values as NCCL's documentation has them. */
enum { SUCCESS = 0, INVALID_ARGUMENT = 4, INVALID_USAGE = 5 };
enum { UINT8 = 1, FLOAT32 = 7, SUM = 0 };

typedef struct ncclComm {
    int rank, count;
} * ncclComm_t;

typedef struct Call {
    const char *sent;
    char *received;
    size_t count;
    int type;
    ncclComm_t comm;
} Call;

/* Seen from outside: the functions by the program, the answers by the test. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

FakeNccl fake_nccl;
static Call calls[FAKE_NCCL_GPUS_MAX];
static int call_count, in_group;

int ncclGetVersion(int *version) {
    *version = 22809;
    return SUCCESS;
}

const char *ncclGetErrorString(int result) {
    return result == INVALID_USAGE ? "invalid usage" : "unhandled cuda error";
}

int ncclCommInitAll(ncclComm_t *comms, int count, const int *gpus) {
    if (fake_nccl.refuses_to_open != 0) {
        return fake_nccl.refuses_to_open;
    }
    for (int i = 0; i < count; i++) {
        comms[i] = malloc(sizeof *comms[i]);
        comms[i]->rank = i;
        comms[i]->count = count;
        fake_nccl.gpus[i] = gpus[i];
        fake_nccl.opened++;
    }
    return SUCCESS;
}

int ncclCommDestroy(ncclComm_t comm) {
    free(comm);
    fake_nccl.closed++;
    return SUCCESS;
}

int ncclGroupStart(void) {
    call_count = 0;
    in_group = 1;
    return SUCCESS;
}

static int collect(Call call, int type, void *stream) {
    if (!in_group || call.type != type || call.comm->rank != call_count) {
        return INVALID_ARGUMENT;
    }
    if (call_count == 1 && fake_nccl.refuses_to_work != 0) {
        return fake_nccl.refuses_to_work;
    }
    fake_nccl.streams[call_count] = stream;
    calls[call_count++] = call;
    return SUCCESS;
}

int ncclAllGather(const void *sent, void *received, size_t count, int type, ncclComm_t comm,
                  void *stream) {
    const Call call = {sent, received, count, type, comm};
    return collect(call, UINT8, stream);
}

int ncclAllReduce(const void *sent, void *received, size_t count, int type, int operation,
                  ncclComm_t comm, void *stream) {
    const Call call = {sent, received, count, type, comm};
    return operation == SUM ? collect(call, FLOAT32, stream) : INVALID_ARGUMENT;
}

static void gather(const Call *to) {
    for (int i = 0; i < call_count; i++) {
        memmove(to->received + (size_t)i * to->count, calls[i].sent, to->count);
    }
}

/* Memory may be sent and received: all sums are there before the first is written. */
static int reduce(void) {
    const size_t count = calls[0].count;
    float *sums = calloc(count, sizeof *sums);
    for (int i = 0; i < call_count; i++) {
        for (size_t j = 0; j < count; j++) {
            float number;
            memcpy(&number, calls[i].sent + j * sizeof number, sizeof number);
            sums[j] += number;
        }
    }
    for (int i = 0; i < call_count; i++) {
        memcpy(calls[i].received, sums, count * sizeof *sums);
    }
    free(sums);
    return SUCCESS;
}

int ncclGroupEnd(void) {
    in_group = 0;
    fake_nccl.groups++;
    if (call_count == 0 || call_count != calls[0].comm->count) {
        return INVALID_USAGE;
    }
    if (calls[0].type == FLOAT32) {
        return reduce();
    }
    for (int i = 0; i < call_count; i++) {
        gather(&calls[i]);
    }
    return SUCCESS;
}
