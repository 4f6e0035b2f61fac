/*
 * The threads of a block as fibers: each runs until it waits at a barrier, then another one does.
 *
 * Which one is drawn anew each time, so that an answer that depends on the order, as where a
 * barrier is missing, changes from run to run (EMULATION_SEED). Blocks run one after the other, in
 * an order that is drawn too: a block may wait for one that has begun before it, never for one that
 * has not.
 */
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <utility>
#include <vector>

#include "device.h"
#include "runtime.h"

namespace emulated {

Index thread_index, block_index;
dim3 block_size, grid_size;
unsigned int lane, warp;

namespace {

enum class State { fresh, ready, at_block, at_warp, done };

struct Fiber {
    void *stack_pointer;
    char *stack; /* from its first step to its end */
    State state;
    Index index;
    unsigned int lane, warp;
    unsigned int mask; /* of the warp's barrier that it waits at */
    Exchange exchange; /* what that barrier is for */
};

struct Warp {
    unsigned int present, exited, arrived; /* a bit a lane */
    Shown shown[WARP_LANES];
};

constexpr size_t STACK_BYTES = 256 * 1024;
constexpr size_t STACK_STEP = 576, STACKS_APART = 64 * 1024;
constexpr size_t SHARED_BYTES = 256 * 1024;
constexpr size_t MARGIN_BYTES = 64; /* behind a block's dynamic shared memory */
constexpr unsigned char POISON = 0xD7;

std::vector<Fiber> fibers;
std::vector<char *> stacks; /* that nobody has; the last one was used last */
size_t stacks_made;
std::vector<Fiber *> runnable; /* fresh or ready: one of them runs next */
std::vector<Warp> warps;
size_t threads;    /* of the block */
size_t alive;      /* of them, not at their end */
size_t arrived;    /* at the block's barrier */
int votes, result; /* of that barrier: being counted, and of the last one */
Fiber *running;
void *scheduler;
Body *kernel;
uint64_t blocks_begun;
alignas(128) char shared_memory[SHARED_BYTES];

extern "C" void emulated_switch(void **from, void *to);
asm(".text\n"
    ".globl emulated_switch\n"
    "emulated_switch:\n"
    "push %rbp\n push %rbx\n push %r12\n push %r13\n push %r14\n push %r15\n"
    "mov %rsp, (%rdi)\n mov %rsi, %rsp\n"
    "pop %r15\n pop %r14\n pop %r13\n pop %r12\n pop %rbx\n pop %rbp\n"
    "ret\n");

/* Takes one of those that can run, at random. */
Fiber &drawn() {
    std::swap(runnable[draws().below(runnable.size())], runnable.back());
    Fiber &fiber = *runnable.back();
    runnable.pop_back();
    return fiber;
}

void becomes(Fiber &fiber) {
    running = &fiber;
    thread_index = fiber.index;
    lane = fiber.lane;
    warp = fiber.warp;
}

void begin(Fiber &fiber);

/* The next one runs, which may be the one that waits; after the last one the scheduler. */
void wait() {
    Fiber *waiting = running;
    if (runnable.empty()) {
        running = nullptr;
        emulated_switch(&waiting->stack_pointer, scheduler);
        return;
    }
    Fiber &next = drawn();
    if (next.state == State::fresh) {
        begin(next);
    }
    becomes(next);
    if (&next != waiting) {
        emulated_switch(&waiting->stack_pointer, next.stack_pointer);
    }
}

void go_on(Fiber &fiber) {
    fiber.state = State::ready;
    runnable.push_back(&fiber);
}

void open_block_barrier() {
    arrived = 0;
    result = votes;
    votes = 0;
    for (size_t i = 0; i < threads; i++) {
        if (fibers[i].state == State::at_block) {
            go_on(fibers[i]);
        }
    }
}

/* Each lane gets what is made of the values that all have shown, before anybody goes on. */
void exchange_values(const Warp &of, const Fiber *lanes, unsigned int awaited) {
    const auto take = lanes[__builtin_ctz(awaited)].exchange.take;
    void *takers[WARP_LANES] = {};
    for (unsigned int left = awaited; left != 0; left &= left - 1) {
        const int i = __builtin_ctz(left);
        if (lanes[i].exchange.take != take) {
            stop("lanes meet at a barrier for different things");
        }
        takers[i] = lanes[i].exchange.taker;
    }
    if (take != nullptr) {
        take(takers, awaited, of.shown);
    }
}

/* The lanes that wait with one go on once all of its mask that have not ended are there. */
void open_warp_barrier(Warp &of, Fiber *lanes, const Fiber &one) {
    const unsigned int mask = one.mask & of.present;
    const unsigned int awaited = mask & ~of.exited;
    if ((of.arrived & awaited) != awaited) {
        return;
    }
    of.arrived &= ~awaited;
    for (unsigned int left = awaited; left != 0; left &= left - 1) {
        Fiber &other = lanes[__builtin_ctz(left)];
        if ((other.mask & of.present) != mask) {
            stop("lanes meet at a barrier with different masks");
        }
        go_on(other);
    }
    exchange_values(of, lanes, awaited);
}

/* An end may be what lanes with other masks wait for. */
void open_warp_barriers(unsigned int number) {
    Warp &of = warps[number];
    Fiber *lanes = &fibers[(size_t)number * WARP_LANES];
    for (int i = 0; i < WARP_LANES; i++) {
        if ((of.arrived >> i & 1) != 0) {
            open_warp_barrier(of, lanes, lanes[i]);
        }
    }
}

void end_thread() {
    Fiber *ended = running;
    ended->state = State::done;
    alive--;
    warps[ended->warp].exited |= 1U << ended->lane;
    if (alive > 0 && arrived == alive) {
        open_block_barrier();
    }
    if (warps[ended->warp].arrived != 0) {
        open_warp_barriers(ended->warp);
    }
}

/* A thread, and those that begin where it ends: they take its stack, which the caches have. */
void run_thread() {
    while (true) {
        kernel->run();
        end_thread();
        char *stack = running->stack;
        Fiber *next = runnable.empty() ? nullptr : &drawn();
        if (next == nullptr || next->state != State::fresh) {
            stacks.push_back(stack);
            void *nowhere;
            void *to = next == nullptr ? scheduler : next->stack_pointer;
            if (next == nullptr) {
                running = nullptr;
            } else {
                becomes(*next);
            }
            emulated_switch(&nowhere, to);
            abort();
        }
        next->stack = stack;
        next->state = State::ready;
        becomes(*next);
    }
}

/* Where all stacks are in use at the same distance from their ends, they have the same few lines of
 * the caches: the address that is handed out is one of its own for each. */
char *new_stack() {
    char *stack = (char *)mmap(nullptr, STACK_BYTES, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stack == MAP_FAILED || mprotect(stack, 4096, PROT_NONE) != 0) {
        stop("no memory for the stack of a thread");
    }
    const size_t apart = stacks_made++ * STACK_STEP % STACKS_APART;
    return stack + STACK_BYTES - 64 - apart;
}

void begin(Fiber &fiber) {
    if (stacks.empty()) {
        stacks.push_back(new_stack());
    }
    fiber.stack = stacks.back();
    stacks.pop_back();
    /* As emulated_switch leaves it: six registers below the address to return to. */
    void **top = (void **)fiber.stack;
    *--top = nullptr;
    *--top = (void *)run_thread;
    for (int i = 0; i < 6; i++) {
        *--top = nullptr;
    }
    fiber.stack_pointer = top;
    fiber.state = State::ready;
}

void run_threads() {
    Fiber &first = drawn();
    begin(first);
    becomes(first);
    emulated_switch(&scheduler, first.stack_pointer);
    if (alive > 0) {
        stop("threads wait at barriers that the others do not reach");
    }
}

void lay_out_threads() {
    warps.resize((threads + WARP_LANES - 1) / WARP_LANES);
    Index index = {0, 0, 0};
    for (size_t i = 0; i < threads; i++) {
        Fiber &fiber = fibers[i];
        fiber.state = State::fresh;
        fiber.lane = (unsigned int)(i % WARP_LANES);
        fiber.warp = (unsigned int)(i / WARP_LANES);
        fiber.index = index;
        if (++index.x == block_size.x) {
            index.x = 0;
            if (++index.y == block_size.y) {
                index.y = 0;
                index.z++;
            }
        }
        Warp &of = warps[fiber.warp];
        if (fiber.lane == 0) {
            of.present = of.exited = of.arrived = 0;
        }
        of.present |= 1U << fiber.lane;
        runnable.push_back(&fiber);
    }
    alive = threads;
    arrived = 0;
    votes = 0;
}

void run_block(size_t number, size_t shared_bytes) {
    block_index = {(unsigned int)(number % grid_size.x),
                   (unsigned int)(number / grid_size.x % grid_size.y),
                   (unsigned int)(number / grid_size.x / grid_size.y)};
    blocks_begun++;
    memset(shared_memory, POISON, shared_bytes + MARGIN_BYTES);
    lay_out_threads();
    run_threads();
    for (size_t i = 0; i < MARGIN_BYTES; i++) {
        if ((unsigned char)shared_memory[shared_bytes + i] != POISON) {
            stop("a block wrote behind its dynamic shared memory");
        }
    }
}

} // namespace

void stop(const char *why) {
    fprintf(stderr, "emulation: %s (block %u,%u,%u, thread %u,%u,%u)\n", why, block_index.x,
            block_index.y, block_index.z, thread_index.x, thread_index.y, thread_index.z);
    _exit(70);
}

void *dynamic_shared() {
    return shared_memory;
}

void new_to_block(void *variable, size_t bytes, uint64_t &known_to) {
    if (known_to != blocks_begun) {
        known_to = blocks_begun;
        memset(variable, POISON, bytes);
    }
}

void let_others_run() {
    if (running != nullptr) {
        go_on(*running);
        wait();
    }
}

int block_barrier(int vote) {
    votes += vote;
    arrived++;
    running->state = State::at_block;
    if (arrived == alive) {
        open_block_barrier();
    }
    wait();
    return result;
}

void warp_barrier(unsigned int mask, const Exchange &exchange) {
    if ((mask >> lane & 1) == 0) {
        stop("a lane is not in the mask that it waits with");
    }
    running->mask = mask;
    running->exchange = exchange;
    running->state = State::at_warp;
    warps[warp].arrived |= 1U << lane;
    open_warp_barrier(warps[warp], running - lane, *running);
    wait();
}

Shown &shown_by_this_lane() {
    return warps[warp].shown[lane];
}

bool grid_is_possible(const LaunchShape &shape) {
    const size_t block = (size_t)shape.block.x * shape.block.y * shape.block.z;
    return block >= 1 && block <= 1024 && shape.block.z <= 64 && shape.grid.x >= 1 &&
           shape.grid.y >= 1 && shape.grid.z >= 1 && shape.grid.x <= INT_MAX &&
           shape.grid.y <= 65535 && shape.grid.z <= 65535 &&
           shape.shared_bytes <= SHARED_BYTES - MARGIN_BYTES;
}

void run_grid(const LaunchShape &shape, Body &body) {
    block_size = shape.block;
    grid_size = shape.grid;
    kernel = &body;
    threads = (size_t)block_size.x * block_size.y * block_size.z;
    if (fibers.size() < threads) {
        fibers.resize(threads);
    }
    std::vector<size_t> order((size_t)grid_size.x * grid_size.y * grid_size.z);
    for (size_t i = 0; i < order.size(); i++) {
        order[i] = i;
    }
    for (size_t left = order.size(); left > 0; left--) {
        std::swap(order[draws().below(left)], order[left - 1]);
        run_block(order[left - 1], shape.shared_bytes);
    }
}

} // namespace emulated
