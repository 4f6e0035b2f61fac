/* What devices tell each other: one device stands for three, for which NCCL is not made. */
#include "backend_runner.h"
#include "device.h"
#include "devices.h"
#include "test.h"

#include <cuda_runtime_api.h>

#include "cuda_device.h"
#include "exchange.h"

enum { DEVICES = 3, BYTES = 40, EXCHANGES = 5 };

static void *memory[DEVICES];

static void fails_not(Status status) {
    assert_string_equal(status.why, "");
}

static Status open_memory(void *context, int part) {
    (void)context;
    STATUS_TRY(cuda_backend.alloc((size_t)DEVICES * BYTES, &memory[part]));
    CUDA_TRY(cudaMemsetAsync(memory[part], 0xEE, (size_t)DEVICES * BYTES, cuda_stream()));
    CUDA_TRY(cudaStreamSynchronize(cuda_stream())); /* before others send to it */
    return status_ok();
}

/* A place differs from device to device, and from exchange to exchange. */
static int pattern(int exchange, int device) {
    return 16 * exchange + device;
}

static Status fill_own(void *context, int part) {
    const int exchange = *(const int *)context;
    CUDA_TRY(cudaMemsetAsync((char *)memory[part] + (size_t)part * BYTES, pattern(exchange, part),
                             BYTES, cuda_stream()));
    return status_ok();
}

static Status check_all(void *context, int part) {
    const int exchange = *(const int *)context;
    char got[DEVICES][BYTES];
    CUDA_TRY(cudaMemcpyAsync(got, memory[part], sizeof got, cudaMemcpyDeviceToHost, cuda_stream()));
    CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
    for (int i = 0; i < DEVICES; i++) {
        for (int j = 0; j < BYTES; j++) {
            if (got[i][j] != (char)pattern(exchange, i)) {
                return status_fail("exchange %d: device %d has another byte %d of device %d",
                                   exchange, part, j, i);
            }
        }
    }
    return status_ok();
}

static void choose_devices(void) {
    const int one_for_all[DEVICES] = {0};
    (void)cuda_devices_choose(one_for_all, DEVICES);
}

ALL_TESTS(choose_devices);

TEST(every_device_has_the_places_of_all) {
    Exchange *exchange = NULL;
    need_device();
    fails_not(multi_each(DEVICES, open_memory, NULL));
    fails_not(exchange_open(DEVICES, &exchange));
    for (int i = 0; i < EXCHANGES; i++) {
        fails_not(multi_each(DEVICES, fill_own, &i));
        fails_not(exchange_queue(exchange, memory, BYTES));
        assert_int_equal(cuda_used_device(), 0);
        fails_not(multi_each(DEVICES, check_all, &i));
    }
    fails_not(cuda_backend.runner->check_guards());
    exchange_close(exchange);
    for (int i = 0; i < DEVICES; i++) {
        cuda_backend.release(memory[i]);
    }
}

TEST(name_says_why_not_nccl) {
    Exchange *exchange = NULL;
    need_device();
    fails_not(exchange_open(DEVICES, &exchange));
    assert_string_equal(exchange_name(exchange),
                        "peer copies; NCCL cannot be used: GPU 0 stands for several");
    exchange_close(exchange);
    exchange_close(NULL);
}
