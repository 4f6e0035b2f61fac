/* A library with the functions of NCCL that the program calls, on ordinary memory: a group is
 * worked off when it ends. A test loads it as BENCH_NCCL_LIBRARY and looks at what it was asked. */
#ifndef TESTS_FAKE_NCCL_FAKE_NCCL_H
#define TESTS_FAKE_NCCL_FAKE_NCCL_H

enum { FAKE_NCCL_GPUS_MAX = 16 };

typedef struct FakeNccl {
    int refuses_to_open;               /* set by the test: a result of NCCL, 0: none */
    int refuses_to_work;               /* the same, for the operation of the second GPU */
    int opened, closed;                /* communicators, so far */
    int groups;                        /* ended */
    int gpus[FAKE_NCCL_GPUS_MAX];      /* of the last list */
    void *streams[FAKE_NCCL_GPUS_MAX]; /* of the last group */
} FakeNccl;

#endif
