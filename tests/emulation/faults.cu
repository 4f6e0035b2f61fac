/*
 * Does the emulation compute what a device does, and find what would go wrong on one? Each case is
 * a small program: `faults CASE` prints "right", "wrong", or ends with what the emulation says.
 */
#include <cstdio>
#include <cstring>
#include <cub/block/block_scan.cuh>
#include <cuda_runtime_api.h>

namespace {

constexpr int THREADS = 256;
constexpr int BLOCKS = 8;

/* Each thread takes over its neighbour's number through shared memory. */
template <bool BARRIER> __global__ void shift(int *numbers) {
    __shared__ int row[THREADS];
    const int i = (int)threadIdx.x;
    row[i] = numbers[blockIdx.x * THREADS + i];
    if (BARRIER) {
        __syncthreads();
    }
    numbers[blockIdx.x * THREADS + i] = row[(i + 1) % THREADS];
}

/* The first number becomes all of them. */
__global__ void spread(int *numbers) {
    const int i = (int)(blockIdx.x * THREADS + threadIdx.x);
    if (i > 0) {
        numbers[i] = numbers[0];
    }
}

__global__ void some_wait(int *numbers) {
    if (threadIdx.x < 10) {
        __syncthreads();
    } else {
        __syncwarp();
    }
    numbers[threadIdx.x] = 1;
}

__global__ void write_behind(int *numbers) {
    extern __shared__ int row[];
    row[THREADS] = (int)threadIdx.x;
    numbers[0] = row[THREADS];
}

/* Blocks take numbers; each waits for the sum of the block that took the number before. */
__global__ void chained_sum(const int *numbers, volatile int *sums, unsigned int *next) {
    __shared__ unsigned int taken;
    if (threadIdx.x == 0) {
        taken = atomicAdd(next, 1U);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        int before = 0;
        while (taken > 0 && (before = __ldcg((const int *)&sums[taken - 1])) == 0) {
        }
        sums[taken] = before + numbers[taken];
    }
}

__global__ void scan(int *numbers) {
    typedef cub::BlockScan<int, THREADS> Scan;
    __shared__ typename Scan::TempStorage storage;
    int sum = 0;
    Scan(storage).InclusiveSum(numbers[threadIdx.x], sum);
    const unsigned int odd = __ballot_sync(0xFFFFFFFFU, sum % 2);
    const int last = __shfl_sync(0xFFFFFFFFU, sum, 31);
    numbers[threadIdx.x] = sum + (__popc(odd) == 16 ? 0 : 1000) + (last < sum ? 1000 : 0);
}

__global__ void fill(int *numbers, int value) {
    numbers[blockIdx.x * THREADS + threadIdx.x] = value;
}

struct Memory {
    int *device;
    int host[BLOCKS * THREADS];
};

Memory memory;

void begin() {
    (void)cudaMalloc((void **)&memory.device, sizeof memory.host);
    for (int i = 0; i < BLOCKS * THREADS; i++) {
        memory.host[i] = i;
    }
    (void)cudaMemcpy(memory.device, memory.host, sizeof memory.host, cudaMemcpyHostToDevice);
}

void end() {
    (void)cudaMemcpy(memory.host, memory.device, sizeof memory.host, cudaMemcpyDeviceToHost);
}

template <bool BARRIER> bool shift_is_right() {
    begin();
    shift<BARRIER><<<BLOCKS, THREADS>>>(memory.device);
    end();
    for (int i = 0; i < BLOCKS * THREADS; i++) {
        if (memory.host[i] != i / THREADS * THREADS + (i + 1) % THREADS) {
            return false;
        }
    }
    return true;
}

bool chain_is_right() {
    begin();
    unsigned int *next = nullptr;
    int *sums = nullptr;
    (void)cudaMalloc((void **)&next, sizeof *next);
    (void)cudaMalloc((void **)&sums, BLOCKS * sizeof *sums);
    (void)cudaMemsetAsync(next, 0, sizeof *next, nullptr);
    (void)cudaMemsetAsync(sums, 0, BLOCKS * sizeof *sums, nullptr);
    chained_sum<<<BLOCKS - 1, THREADS>>>(memory.device + 1, sums, next);
    (void)cudaMemcpy(memory.host, sums, BLOCKS * sizeof *sums, cudaMemcpyDeviceToHost);
    return memory.host[BLOCKS - 2] == BLOCKS * (BLOCKS - 1) / 2;
}

bool scan_is_right() {
    begin();
    scan<<<1, THREADS>>>(memory.device);
    end();
    for (int i = 0; i < THREADS; i++) {
        if (memory.host[i] != i * (i + 1) / 2) {
            return false;
        }
    }
    return true;
}

/* One stream fills what another copies to the host, with and without waiting. */
template <bool WAITS> bool order_is_right() {
    int wrong = 0;
    cudaStream_t first = nullptr;
    cudaStream_t second = nullptr;
    cudaEvent_t filled = nullptr;
    begin();
    (void)cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    (void)cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    (void)cudaEventCreateWithFlags(&filled, cudaEventDisableTiming);
    for (int i = 1; i <= 20; i++) {
        fill<<<BLOCKS, THREADS, 0, first>>>(memory.device, i);
        (void)cudaEventRecord(filled, first);
        if (WAITS) {
            (void)cudaStreamWaitEvent(second, filled, 0);
        }
        (void)cudaMemcpyAsync(memory.host, memory.device, sizeof memory.host,
                              cudaMemcpyDeviceToHost, second);
        wrong += memory.host[0] != i;
        (void)cudaStreamSynchronize(first);
    }
    return wrong == 0;
}

/* A fill and a copy to the host, captured once and launched for several numbers. */
template <bool PAGEABLE> bool graph_is_right() {
    static int pageable[BLOCKS * THREADS];
    int *number = nullptr;
    int *answer = nullptr;
    cudaStream_t stream = nullptr;
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t launched = nullptr;
    begin();
    (void)cudaMallocHost((void **)&number, sizeof *number);
    (void)cudaMallocHost((void **)&answer, sizeof pageable);
    (void)cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    (void)cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    (void)cudaMemcpyAsync(memory.device, number, sizeof *number, cudaMemcpyHostToDevice, stream);
    spread<<<BLOCKS, THREADS, 0, stream>>>(memory.device);
    (void)cudaMemcpyAsync(PAGEABLE ? pageable : answer, memory.device, sizeof pageable,
                          cudaMemcpyDeviceToHost, stream);
    (void)cudaStreamEndCapture(stream, &graph);
    (void)cudaGraphInstantiateWithFlags(&launched, graph, 0);
    (void)cudaGraphDestroy(graph);
    int wrong = 0;
    for (int i = 1; i <= 3; i++) {
        *number = i;
        (void)cudaGraphLaunch(launched, stream);
        (void)cudaStreamSynchronize(stream);
        wrong += answer[BLOCKS * THREADS - 1] != i;
    }
    return wrong == 0;
}

bool capture_does_not_wait() {
    cudaStream_t stream = nullptr;
    begin();
    (void)cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    (void)cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    (void)cudaStreamSynchronize(stream);
    return true;
}

bool waiting_ends() {
    begin();
    some_wait<<<1, THREADS>>>(memory.device);
    end();
    return true;
}

bool stays_inside() {
    begin();
    write_behind<<<1, 1, THREADS * sizeof(int)>>>(memory.device);
    end();
    return true;
}

bool copy_fits() {
    begin();
    (void)cudaMemcpy(memory.device + 1, memory.host, sizeof memory.host, cudaMemcpyHostToDevice);
    return true;
}

struct Case {
    const char *name;
    bool (*is_right)();
};

const Case cases[] = {{"barrier", shift_is_right<true>},
                      {"no-barrier", shift_is_right<false>},
                      {"chain", chain_is_right},
                      {"scan", scan_is_right},
                      {"event", order_is_right<true>},
                      {"no-event", order_is_right<false>},
                      {"graph", graph_is_right<false>},
                      {"pageable-graph", graph_is_right<true>},
                      {"waiting-capture", capture_does_not_wait},
                      {"waits-for-ever", waiting_ends},
                      {"behind-shared-memory", stays_inside},
                      {"behind-an-allocation", copy_fits}};

} // namespace

int main(int count, char **words) {
    for (const Case &known : cases) {
        if (count == 2 && strcmp(words[1], known.name) == 0) {
            puts(known.is_right() ? "right" : "wrong");
            return 0;
        }
    }
    return 2;
}
