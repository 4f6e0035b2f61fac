/* haar: every kernel and every CPU variant against counting pixels, and, where that would take
 * long, against seq. */
#include "backend_runner.h"
#include "cpu/haar_sets.h"
#include "haar_internal.h"
#include "test.h"
#include "variant_runs.h"

enum { THREADS = 5, NOTHING_KEPT = (1 << 24) - 1 };

static void assert_equal_answers(const Output *got, const Output *want, const char *name,
                                 const Workload *workload, HaarPoint point) {
    Verdict verdict = STRUCT_OF(Verdict, .accepted = false);
    haar_algorithm.compare(got, want, &verdict);
    if (!verdict.accepted) {
        fail_msg("%s, %d images of %d×%d, min-side %d, threshold %d: %s", name, workload->set.count,
                 workload->set.width, workload->set.height, point.min_side, point.threshold,
                 verdict.why);
    }
}

static void check_all_variants(const Workload *workload, HaarPoint point, const Output *want,
                               size_t first) {
    const Point answer = haar_answer_point(point.min_side, point.threshold);
    const OutputLayout layout = haar_layout(workload, &answer);
    assert_int_equal(layout.parts[HAAR_PART_RECORDS].width, *haar_count(want));
    for (size_t i = first; i < haar_algorithm.cpu.count; i++) {
        const Variant *variant = &haar_algorithm.cpu.rows[i];
        const int threads = 1 + (workload->set.count + point.min_side) % THREADS;
        Output got = haar_output(&layout);
        haar_run(variant, workload, &answer, threads, &got);
        assert_equal_answers(&got, want, variant->name, workload, point);
        cpu_backend.release(got.data);
    }
}

/* The kernel on its own, batch after batch. */
static void check_kernel(const HaarKernel *kernel, const Workload *workload, HaarPoint point,
                         const Output *want) {
    HaarBatch all = {.workload = workload, .point = point};
    uint64_t counted = 0;
    assert_ok(haar_packing(&workload->set, &all.packing));
    assert_ok(cpu_backend.alloc(haar_scratch_bytes(kernel, &workload->set), &all.scratch));
    Output got = haar_output(&want->layout);
    HaarSinkTarget target = haar_sink_target(&got);
    void *buffer = NULL;
    assert_ok(cpu_backend.alloc(HAAR_SINK_BYTES, &buffer));
    HaarSink sink = haar_sink(&target, buffer);
    for (int32_t i = 0; i < haar_batch_count(kernel, &workload->set); i++) {
        const HaarBatch batch = haar_batch_at(kernel, &all, i);
        assert_ok(cpu_backend.runner->check_guards());
        counted += kernel->count(&batch);
        kernel->collect(&batch, &sink);
    }
    assert_string_equal(cpu_backend.runner->check_guards().why, "");
    haar_sink_finish(&sink);
    assert_int_equal(counted, target.found);
    assert_int_equal(counted, *haar_count(want));
    *haar_count(&got) = target.found;
    assert_equal_answers(&got, want, kernel->name, workload, point);
    cpu_backend.release(got.data);
    cpu_backend.release(all.scratch);
    cpu_backend.release(buffer);
}

static void check_all(const Workload *workload, HaarPoint point) {
    Output want = haar_brute_force(workload, point);
    for (const HaarKernel *const *kernel = haar_kernels; *kernel != NULL; kernel++) {
        if ((*kernel)->supported()) {
            check_kernel(*kernel, workload, point, &want);
        }
    }
    check_all_variants(workload, point, &want, 0);
    free(want.data);
}

/* Odd and even sides, fewer and more images than vectors have lanes, every shortest side. */
TEST(variants_count_pixels) {
    static const struct {
        int32_t images, width, height;
    } sets[] = {{1, 1, 1},  {1, 7, 1},  {2, 1, 6},  {3, 2, 3},  {7, 6, 6},   {8, 9, 5},
                {9, 5, 11}, {16, 7, 8}, {17, 8, 7}, {33, 3, 4}, {5, 12, 13}, {2, 19, 6}};
    for (size_t i = 0; i < COUNT_OF(sets); i++) {
        Workload workload = haar_noise(sets[i].images, sets[i].width, sets[i].height, (uint32_t)i);
        for (int32_t min_side = 1; min_side <= 7; min_side++) {
            static const int32_t thresholds[] = {0, 1, 300, 1500, 4000};
            const int32_t threshold = thresholds[((size_t)min_side + i) % COUNT_OF(thresholds)];
            check_all(&workload, (HaarPoint){min_side, threshold});
        }
        free(workload.image.pixels);
    }
}

/* Every value that occurs, as threshold: what is equal to it is not kept. */
TEST(thresholds_are_exclusive) {
    Workload workload = haar_noise(3, 6, 5, 77);
    for (int32_t threshold = 0; threshold < 1800; threshold += threshold < 20 ? 1 : 67) {
        check_all(&workload, (HaarPoint){2, threshold});
    }
    free(workload.image.pixels);
}

/* x² + 2y² + xy: no feature with cells of at least a pixel is 0. */
TEST(all_features_can_be_kept) {
    Workload workload = haar_set(20, 6, 6);
    for (int32_t i = 0; i < 20 * 36; i++) {
        const int32_t x = i % 6;
        const int32_t y = i / 6 % 6;
        workload.image.pixels[i] = (uint8_t)(x * x + 2 * y * y + x * y);
    }
    Output want = haar_brute_force(&workload, (HaarPoint){3, 0});
    assert_int_equal(*haar_count(&want), 20 * HAAR_TYPES * haar_rectangles(6, 6, 3));
    free(want.data);
    check_all(&workload, (HaarPoint){3, 0});
    free(workload.image.pixels);
}

/* Sums of white images cancel, and no sum is beyond the largest threshold. */
TEST(none_can_be_kept) {
    Workload noise = haar_noise(18, 11, 9, 5);
    check_all(&noise, (HaarPoint){1, NOTHING_KEPT});
    check_all(&noise, (HaarPoint){10, 0});
    check_all(&noise, (HaarPoint){255, 0});
    memset(noise.image.pixels, 255, 18 * 11 * 9);
    check_all(&noise, (HaarPoint){1, 0});
    free(noise.image.pixels);
}

/* As the study's images are, and the longest sides, against seq. */
TEST(variants_agree_on_large_images) {
    static const struct {
        int32_t images, width, height, min_side, threshold;
    } cases[] = {
        {35, 28, 28, 4, 2000}, {5, 28, 28, 5, 0},      {3, 29, 31, 1, 2000},
        {2, 255, 6, 1, 1000},  {2, 6, 255, 1, 1000},   {3, 255, 255, 235, 20000},
        {1, 255, 255, 235, 0}, {16, 64, 48, 40, 4000}, {40, 24, 16, 4, 1000},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const HaarPoint point = {cases[i].min_side, cases[i].threshold};
        const Point answer = haar_answer_point(point.min_side, point.threshold);
        Workload workload =
            haar_noise(cases[i].images, cases[i].width, cases[i].height, 100 + (uint32_t)i);
        const OutputLayout layout = haar_layout(&workload, &answer);
        assert_true(layout.parts[HAAR_PART_RECORDS].width > 1000);
        Output want = haar_output(&layout);
        haar_run(&haar_algorithm.cpu.rows[0], &workload, &answer, 1, &want);
        /* Runs of others poison all memory of the backend. */
        uint8_t *own = aligned_alloc(OUTPUT_ALIGNMENT, layout.bytes);
        assert_non_null(own);
        memcpy(own, want.data, layout.bytes);
        cpu_backend.release(want.data);
        want.data = own;
        check_all_variants(&workload, point, &want, 1);
        free(own);
        free(workload.image.pixels);
    }
}

/* One half white: the largest values there can be, of both signs. */
TEST(variants_agree_on_extremes) {
    Workload workload = haar_set(17, 12, 12);
    for (int32_t i = 0; i < 17 * 144; i++) {
        const int32_t x = i % 12;
        const int32_t y = i / 12 % 12;
        const bool white[] = {x < 6, y >= 6, x / 4 != 1, y / 4 == 1, (x < 6) == (y < 6)};
        workload.image.pixels[i] = white[i / 144 % 5] ? 255 : 0;
    }
    for (int type = 0; type < HAAR_TYPES; type++) {
        const int32_t reach = haar_reach(type, 12, 12);
        check_all(&workload, (HaarPoint){4, reach - 1});
        check_all(&workload, (HaarPoint){4, reach});
    }
    free(workload.image.pixels);
}

/* Nothing is written behind an answer that is too small, and the count says how many there are. */
TEST(records_without_room_are_counted) {
    static const size_t rooms[] = {0, 1, 7, 1000};
    const Point answer = haar_answer_point(2, 100);
    Workload workload = haar_noise(40, 9, 9, 3);
    const size_t count = haar_layout(&workload, &answer).parts[HAAR_PART_RECORDS].width;
    assert_true(count > 5000);
    for (size_t i = 0; i < haar_algorithm.cpu.count * COUNT_OF(rooms); i++) {
        OutputLayout layout = {.count = 0};
        output_layout_add(&layout, "count", OUTPUT_COUNTS_U64, 1, 1);
        output_layout_add(&layout, "records", OUTPUT_RECORDS_U64, rooms[i % COUNT_OF(rooms)], 1);
        /* The guard band begins behind the last record. */
        layout.bytes =
            layout.parts[HAAR_PART_RECORDS].offset + layout.parts[HAAR_PART_RECORDS].bytes;
        Output output = haar_output(&layout);
        haar_run(&haar_algorithm.cpu.rows[i / COUNT_OF(rooms)], &workload, &answer, 3, &output);
        assert_int_equal(*haar_count(&output), count);
        cpu_backend.release(output.data);
    }
    free(workload.image.pixels);
}

TEST_BEST_KERNEL(HaarKernel, haar_kernels, haar_kernel_best(), haar_kernel_plain)

TEST(stages_make_up_the_run) {
    static const char *const names[] = {"integral", "features", NULL};
    const Point answer = haar_answer_point(2, 500);
    Workload workload = haar_noise(5, 8, 8, 3);
    check_stages(&haar_algorithm, &workload, &answer, names);
    free(workload.image.pixels);
}
