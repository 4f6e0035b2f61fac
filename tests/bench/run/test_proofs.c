/* Proofs against code that is not trusted, by themselves: what is changed, and what is changed
 * back. Who is found out by them is tested in tests/cli/test_cli_cheats.c and tests/conformance. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "measure.h"
#include "proofs.h"
#include "test.h"
#include "verify.h"

/* === An input that changes ==================================================================== */

static Workload make_workload(int32_t width, int32_t height, size_t stride) {
    Workload workload = STRUCT_OF(Workload, .kind = WORKLOAD_IMAGE, .hash = 77);
    const size_t bytes = stride * (size_t)height;
    workload.image = (Image){.width = width, .height = height, .stride = stride};
    workload.image.pixels = malloc(bytes);
    for (size_t i = 0; i < bytes; i++) {
        workload.image.pixels[i] = (uint8_t)(i * 31);
    }
    return workload;
}

/* Exactly the pixels of the block have other levels, and nothing beside the rows; then nothing has.
 */
static void check_change(int32_t width, int32_t height, size_t stride, size_t share) {
    Workload workload = make_workload(width, height, stride);
    const size_t bytes = stride * (size_t)height;
    uint8_t *before = malloc(bytes);
    memcpy(before, workload.image.pixels, bytes);
    InputChange change = input_change_draw(&workload, share);
    assert_true(change.x >= 0 && change.x + change.width <= width);
    assert_true(change.y >= 0 && change.y + change.height <= height);
    assert_true(share > 1 || (change.width == width && change.height == height));
    input_change_swap(&change);
    assert_int_equal(workload.hash, 0);
    for (size_t i = 0; i < bytes; i++) {
        const int32_t x = (int32_t)(i % stride) - change.x, y = (int32_t)(i / stride) - change.y;
        const bool inside = x >= 0 && x < change.width && y >= 0 && y < change.height;
        assert_int_equal(before[i] != workload.image.pixels[i], inside);
    }
    input_change_swap(&change);
    assert_memory_equal(before, workload.image.pixels, bytes);
    assert_int_equal(workload.hash, 77);
    free(before);
    free(workload.image.pixels);
}

TEST(a_block_is_changed_and_changed_back) {
    for (size_t share = 1; share <= 1024; share *= 32) {
        for (int i = 0; i < 20; i++) {
            check_change(640, 48, 640, share);
            check_change(2000, 3, 2011, share);
            check_change(3, 2000, 4, share);
            check_change(1, 1, 9, share);
        }
    }
}

/* From 0 to 1, as the levels of an image. */
TEST(real_levels_stay_levels) {
    enum { WIDTH = 64, HEIGHT = 16 };
    Workload workload = make_workload(WIDTH, HEIGHT, WIDTH * sizeof(float));
    float *pixels = (float *)(void *)workload.image.pixels, before[WIDTH * HEIGHT];
    workload.element = OUTPUT_ARRAY_F32;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        pixels[i] = before[i] = (float)(i % 256) / 255;
    }
    InputChange change = input_change_draw(&workload, 1);
    input_change_swap(&change);
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        assert_true(pixels[i] >= 0 && pixels[i] <= 1);
        assert_int_equal(pixels[i] != before[i], before[i] != 1);
    }
    input_change_swap(&change);
    assert_memory_equal(pixels, before, sizeof before);
    free(workload.image.pixels);
}

/* A change that nobody finds has to be somewhere else each time. */
TEST(its_place_is_drawn) {
    Workload workload = make_workload(640, 480, 640);
    const InputChange first = input_change_draw(&workload, 1024);
    bool moved = false;
    for (int i = 0; i < 20; i++) {
        const InputChange other = input_change_draw(&workload, 1024);
        moved |= other.x != first.x || other.y != first.y;
    }
    assert_true(moved);
    free(workload.image.pixels);
}

/* === Answers that are damaged ================================================================= */

TEST(each_part_is_damaged_and_nothing_beside) {
    OutputLayout layout = STRUCT_OF(OutputLayout, .count = 0);
    RELEASED_BY(answer_release_plain) Output answer;
    assert_ok(output_layout_add(&layout, "one", OUTPUT_IMAGE_U8, 3, 1));
    assert_ok(output_layout_add(&layout, "two", OUTPUT_COUNTS_U64, 100, 1));
    assert_ok(answer_alloc_plain(&layout, &answer));
    for (int i = 0; i < 100; i++) {
        memset(answer.data, 0, layout.bytes);
        answer_damage(&answer);
        for (size_t p = 0; p < layout.count; p++) {
            size_t changed = 0;
            for (size_t b = 0; b < layout.parts[p].bytes; b++) {
                changed += ((uint8_t *)output_part(&answer, p))[b] != 0;
            }
            assert_true(changed > 0);
        }
        for (size_t b = 3; b < layout.parts[1].offset; b++) {
            assert_int_equal(answer.data[b], 0);
        }
    }
}

/* === Threads that go on ======================================================================= */

static atomic_bool ends;

static void *work(void *unused) {
    (void)unused;
    while (!ends) {
    }
    return NULL;
}

static void *sleep_until_end(void *unused) {
    (void)unused;
    while (!ends) {
        nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    }
    return NULL;
}

static StatusCode watch_thread(void *(*does)(void *), bool there_before) {
    RELEASED_BY(thread_watch_end) ThreadWatch watch;
    pthread_t thread;
    ends = false;
    if (!there_before) {
        thread_watch_begin(&watch);
    }
    assert_int_equal(pthread_create(&thread, NULL, does, NULL), 0);
    if (there_before) {
        thread_watch_begin(&watch);
    }
    const Status status = thread_watch_idle(&watch);
    ends = true;
    pthread_join(thread, NULL);
    return status.code;
}

TEST(a_new_thread_that_works_is_seen) {
    assert_int_equal(watch_thread(work, false), STATUS_FAIL);
    assert_int_equal(watch_thread(work, true), STATUS_OK); /* somebody else's */
    assert_int_equal(watch_thread(sleep_until_end, false), STATUS_OK);
}
