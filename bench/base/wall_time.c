#include "wall_time.h"
#include "clock.h"

static const struct {
    const char *key, *words;
} names[WALL_PARTS] = {
    [WALL_OTHER] = {"other", "all else"},
    [WALL_START] = {"start", "starting processes and devices"},
    [WALL_INPUT] = {"input", "reading, generating and scaling images"},
    [WALL_ESTIMATES] = {"estimates", "estimating how long cells take"},
    [WALL_CEILINGS] = {"ceilings", "measuring the ceilings of the machine"},
    [WALL_ORACLE] = {"oracle", "computing the answers of seq"},
    [WALL_PROOFS] = {"proofs", "verifying answers on poisoned memory"},
    [WALL_OPENING] = {"opening", "allocating and opening variants"},
    [WALL_WARMING] = {"warming", "uncounted runs"},
    [WALL_SAMPLES] = {"samples", "kernel samples"},
    [WALL_END_TO_END] = {"end_to_end", "end-to-end samples"},
    [WALL_TRANSFERS] = {"transfers", "transfers, stages, allocation, energy"},
    [WALL_WAITING] = {"waiting", "waiting for the next launch"},
    [WALL_WRITING] = {"writing", "deriving and writing results"},
};

static WallTime spent;
static WallPart now = WALL_OTHER;
static double since; /* monotonic seconds; 0: nothing was entered yet */

static void count(void) {
    const double time = clock_now();
    if (since > 0) {
        spent.seconds[now] += time - since;
    }
    since = time;
}

WallPart wall_enter(WallPart part) {
    const WallPart before = now;
    count();
    now = part;
    return before;
}

void wall_leave(WallPart before) {
    count();
    now = before;
}

void wall_start_anew(void) {
    spent = (WallTime){{0}};
    now = WALL_OTHER;
    since = clock_now();
}

WallTime wall_time(void) {
    count();
    return spent;
}

void wall_add_child(const WallTime *child) {
    count();
    for (int i = 0; i < WALL_PARTS; i++) {
        spent.seconds[i] += child->seconds[i];
        spent.seconds[WALL_START] -= child->seconds[i];
    }
}

const char *wall_key(WallPart part) {
    return names[part].key;
}

const char *wall_words(WallPart part) {
    return names[part].words;
}

double wall_sum(const WallTime *time) {
    double sum = 0;
    for (int i = 0; i < WALL_PARTS; i++) {
        sum += time->seconds[i];
    }
    return sum;
}
