#include "bench/runner_fixture.h"
#include "test.h"

#include <signal.h>

#include "datasets.h"
#include "exit_code.h"
#include "stored_run.h"
#include "verify.h"

EACH_TEST(reset);

TEST_BOTH(files_and_folder_are_written) {
    RELEASED_BY(finish) Outcome outcome = run(request("seq", NULL, NULL));
    ScratchFolder folder;
    memcpy(folder.path, outcome.run, sizeof folder.path);
    char *csv = scratch_read(&folder, "results.csv");
    char *json = scratch_read(&folder, "results.json");
    assert_says(csv, "fake,seq,");
    assert_says(json, "fake/seq/texture/16x8");
    /* The folder is the last line of standard output. */
    char last[600];
    snprintf(last, sizeof last, "%s\n", outcome.run);
    assert_string_equal(outcome.printed + strlen(outcome.printed) - strlen(last), last);
    assert_string_equal(outcome.noted, ""); /* quiet */
    assert_int_equal(scratch_count(outcome.run), 2);
}

TEST(an_output_folder_that_cannot_be_is_refused_first) {
    RELEASED_BY(finish) Outcome outcome = {.folder = scratch_make()};
    RunOptions options = request("seq", NULL, NULL);
    char path[512];
    scratch_write(&outcome.folder, "file", "text");
    scratch_path(&outcome.folder, "file/below", path);
    options.out = path;
    run_in(&options, &outcome);
    assert_int_equal(outcome.status.code, STATUS_FILE);
    assert_int_equal(outcome.exit_code, EXIT_FILE);
    assert_int_equal(fake_device.runs, 0);
    assert_int_equal(outcome.results.count, 0);
}

TEST(a_copy_that_cannot_be_written_leaves_no_folder) {
    RELEASED_BY(finish) Outcome outcome = {.folder = scratch_make()};
    RunOptions options = request("seq", NULL, NULL);
    options.csv = "/no such folder/results.csv";
    run_in(&options, &outcome);
    assert_int_equal(outcome.exit_code, EXIT_FILE);
    assert_int_equal(fake_device.runs, 0);
    assert_int_equal(scratch_count(outcome.folder.path), 0);
}

TEST(a_missing_input_is_exit_code_5) {
    RunOptions options = request("seq", NULL, NULL);
    options.input = "/no such picture.png";
    RELEASED_BY(finish) Outcome outcome = run(options);
    assert_int_equal(outcome.exit_code, EXIT_FILE);
    assert_int_equal(scratch_count(outcome.folder.path), 0);
}

TEST(a_dry_run_writes_nothing) {
    RunOptions options = request("seq", "omp", "never");
    options.dry_run = true;
    RELEASED_BY(finish) Outcome outcome = run(options);
    assert_int_equal(outcome.exit_code, EXIT_OK);
    assert_int_equal(outcome.results.count, 0);
    assert_int_equal(scratch_count(outcome.folder.path), 0);
    assert_says(outcome.printed, "fake/seq/texture/16x8");
    assert_says(outcome.printed, "fake/omp/texture/16x8/threads:2");
    assert_says(outcome.printed, "this processor has no fake instructions");
    assert_says(outcome.printed, "4 cells");
}

TEST_BOTH(answers_are_saved) {
    RELEASED_BY(finish) Outcome outcome = {.folder = scratch_make()};
    RunOptions options = request("simd", NULL, NULL);
    char path[512];
    scratch_path(&outcome.folder, "answers", path);
    options.save = path;
    run_in(&options, &outcome);
    assert_int_equal(outcome.exit_code, EXIT_OK);
    assert_int_equal(scratch_count(path), 2);
    char *csv = scratch_read(&outcome.folder, "answers/fake-texture-16x8-counts.csv");
    assert_memory_equal(csv, "bin,count\n0,", 12);
}

static Status write_size(FILE *stream, const Workload *workload, const Point *answer,
                         const Output *output) {
    (void)answer;
    fprintf(stream, "width,parts\n%d,%zu\n", (int)workload->image.width, output->layout.count);
    return status_ok();
}

TEST(tables_are_saved_where_they_are_asked_for) {
    Algorithm algorithm = fake_algorithm;
    algorithm.write_table = write_size;
    for (int tables = 0; tables <= 1; tables++) {
        RELEASED_BY(finish) Outcome outcome = {.folder = scratch_make()};
        RunOptions options = fake_options(&algorithm);
        char path[512];
        scratch_path(&outcome.folder, "answers", path);
        fake_select(&options, "seq");
        options.save = path;
        options.save_table = tables == 1;
        run_in(&options, &outcome);
        assert_int_equal(outcome.exit_code, EXIT_OK);
        assert_int_equal(scratch_count(path), 2 + tables);
        char *csv = scratch_read(&outcome.folder, "answers/fake-texture-16x8-table.csv");
        assert_string_equal(csv, tables == 1 ? "width,parts\n16,2\n" : "");
    }
}

TEST_BOTH(wrong_answers_are_not_saved) {
    RELEASED_BY(finish) Outcome outcome = {.folder = scratch_make()};
    RunOptions options = request("one_wrong", NULL, NULL);
    char path[512];
    scratch_path(&outcome.folder, "answers", path);
    options.save = path;
    run_in(&options, &outcome);
    assert_int_equal(outcome.exit_code, EXIT_WRONG);
    assert_int_equal(scratch_count(path), 0);
}

/* Accepts what differs in at most a tenth of the pixels, as filtered textures may. */
static void compare_roughly(const Output *got, const Output *want, Verdict *verdict) {
    const uint8_t *left = output_part(got, 0);
    const uint8_t *right = output_part(want, 0);
    const size_t bytes = want->layout.parts[0].bytes;
    size_t equal = 0;
    for (size_t i = 0; i < bytes; i++) {
        equal += left[i] == right[i];
    }
    verdict->agreement = (double)equal / (double)bytes;
    verdict->accepted = verdict->agreement >= 0.9;
}

/* Its last pixel differs from seq's, by 1 and then by as many as its tuning says. */
static Status run_roughly(void *state) {
    const FakeState *fake = state;
    const Point *tuning = fake->request->tuning;
    fake_run_together(state);
    *fake_last_pixel(fake) ^= (uint8_t)(tuning->count > 0 ? tuning->values[0].number : 1);
    return status_ok();
}

/* seq, simd as good; two that are not, one of them with a tuning. */
static const Variant rough_variants[] = {
    FAKE_CPU("seq", fake_run),
    FAKE_CPU("simd", fake_run),
    FAKE_CPU("rough", run_roughly),
    {.name = "tuned",
     .summary = "tuned",
     .backend = &cpu_backend,
     .tuning = fake_omp_tuning,
     .open = fake_open,
     .run = run_roughly,
     .close = fake_close},
};

static int last_pixel_of(const Outcome *outcome, const char *name) {
    char path[512];
    RELEASED_BY(image_free) Image image = {0};
    scratch_path(&outcome->folder, name, path);
    if (image_read(path, &image).code != STATUS_OK) {
        fail_msg("%s is not there", name);
    }
    const int pixel = image_row(&image, image.height - 1)[image.width - 1];
    return pixel;
}

static Outcome save_of(const char *first, const char *second, const char *third, size_t files) {
    static Algorithm rough; /* rows point to it */
    rough = fake_algorithm;
    rough.compare = compare_roughly;
    rough.cpu.rows = rough_variants;
    rough.cpu.count = sizeof rough_variants / sizeof rough_variants[0];
    Outcome outcome = {.folder = scratch_make()};
    RunOptions options = request(first, second, third);
    char path[512];
    scratch_path(&outcome.folder, "answers", path);
    options.algorithms[0] = &rough;
    options.save = path;
    run_in(&options, &outcome);
    assert_int_equal(outcome.exit_code, EXIT_OK);
    assert_int_equal(scratch_count(path), 2 * files);
    return outcome;
}

/* Alone it has the plain name. */
TEST_BOTH(an_answer_of_its_own_is_saved_as_it_is) {
    Outcome exact = save_of("simd", NULL, NULL, 1);
    const int right = last_pixel_of(&exact, "answers/fake-texture-16x8-inverse.png");
    finish(&exact);
    RELEASED_BY(finish) Outcome rough = save_of("rough", NULL, NULL, 1);
    assert_true(rough.results.rows[0].agreement < 1);
    assert_int_equal(last_pixel_of(&rough, "answers/fake-texture-16x8-inverse.png"), right ^ 1);
}

TEST_BOTH(answers_that_differ_are_named_by_variant) {
    Outcome both = save_of("seq", "simd", "rough", 2);
    const int right = last_pixel_of(&both, "answers/fake-texture-16x8-inverse.png");
    assert_int_equal(last_pixel_of(&both, "answers/fake-texture-16x8-rough-inverse.png"),
                     right ^ 1);
    finish(&both);
    /* None of them has seq's answer; of two tunings each has its own. */
    RELEASED_BY(finish) Outcome tuned = save_of("rough", "tuned", NULL, 3);
    assert_int_equal(last_pixel_of(&tuned, "answers/fake-texture-16x8-rough-inverse.png"),
                     right ^ 1);
    assert_int_equal(last_pixel_of(&tuned, "answers/fake-texture-16x8-tuned-threads1-inverse.png"),
                     right ^ 1);
    assert_int_equal(last_pixel_of(&tuned, "answers/fake-texture-16x8-tuned-threads2-inverse.png"),
                     right ^ 2);
}

/* Pressed at two of the three sizes: said once, in the files too. */
TEST(pictures_that_are_pressed_are_noted) {
    RELEASED_BY(finish) Outcome outcome = {.folder = scratch_make()};
    ScratchFolder written;
    RunOptions options = request("seq", NULL, NULL);
    static const char note[] = "wide.png: 32x8 scaled to 16x8, aspect ratio changed from 4 to 2; "
                               "1 more like this";
    uint8_t pixels[32 * 8] = {0};
    const Image image = {32, 8, 32, pixels};
    char path[512];
    char line[200];
    scratch_path(&outcome.folder, "wide.png", path);
    assert_ok(image_write_png(path, &image));
    options.input = path;
    options.size_count = 3;
    options.sizes[1] = (SizeSpec){.name = "16x4", .width = 16, .height = 4};
    options.sizes[2] = (SizeSpec){.name = "8x8", .width = 8, .height = 8};
    options.quiet = false;
    run_in(&options, &outcome);
    assert_int_equal(outcome.exit_code, EXIT_OK);
    snprintf(line, sizeof line, "note: %s\n", note);
    assert_says(outcome.noted, line);
    memcpy(written.path, outcome.run, sizeof written.path);
    char *csv = scratch_read(&written, "results.csv");
    snprintf(line, sizeof line, "\n# input_note: %s\n", note);
    assert_says(csv, line);
    scratch_path(&written, "results.json", path);
    RELEASED_BY(stored_run_release) StoredRun stored;
    assert_ok(stored_run_read(path, &stored));
    assert_string_equal(stored.input_note, note);
}

TEST(cold_samples_are_preceded_by_a_flush) {
    RunOptions options = request("dev_good", NULL, NULL);
    options.cold = true;
    RELEASED_BY(finish) Outcome outcome = run(options);
    assert_int_equal(outcome.exit_code, EXIT_OK);
    assert_true(outcome.results.rows[0].cold);
    assert_int_equal(outcome.results.rows[0].batch, 1);
    assert_in_range(fake_device.flushes, 14, 40); /* 7 of the kernel, 7 end to end */
}

static Status run_and_interrupt(void *state) {
    raise(SIGINT);
    return fake_run(state);
}

TEST(an_interrupt_keeps_what_was_measured) {
    static const Variant variants[] = {FAKE_CPU("seq", fake_run), FAKE_CPU("simd", fake_run),
                                       FAKE_CPU("stopper", run_and_interrupt),
                                       FAKE_CPU("last", fake_run)};
    RunOptions options = fake_options_of(variants, 4);
    options.plot = true;
    RELEASED_BY(finish) Outcome outcome = run(options);
    assert_int_equal(outcome.exit_code, EXIT_INTERRUPTED);
    assert_int_equal(scratch_count(outcome.run), 2); /* no time for charts */
    assert_int_equal(outcome.results.count, 2);
    check_ok(&outcome.results.rows[0], "seq");
    check_ok(&outcome.results.rows[1], "simd");
    ScratchFolder folder;
    memcpy(folder.path, outcome.run, sizeof folder.path);
    char *csv = scratch_read(&folder, "results.csv");
    assert_says(csv, "fake,simd,");
    assert_null(strstr(csv, "stopper"));
    char *json = scratch_read(&folder, "results.json");
    assert_says(json, "\"complete\":");
}

/* --- Files while the sweep runs --------------------------------------------------------------- */

static char watched_csv[600];
static int seen_checkpoints;

static Status run_and_look(void *state) {
    seen_checkpoints += access(watched_csv, F_OK) == 0;
    return fake_run(state);
}

static Status run_and_obstruct(void *state) {
    unlink(watched_csv);
    mkdir(watched_csv, 0777);
    return fake_run(state);
}

static Outcome run_watched(Status (*second_run)(void *state)) {
    const Variant variants[] = {FAKE_CPU("seq", fake_run), FAKE_CPU("second", second_run)};
    RunOptions options = fake_options_of(variants, 2);
    Outcome outcome = {.folder = scratch_make()};
    snprintf(watched_csv, sizeof watched_csv, "%.500s/run/results.csv", outcome.folder.path);
    run_in(&options, &outcome);
    for (size_t i = 0; i < outcome.results.count; i++) {
        outcome.results.rows[i].algorithm = &fake_algorithm; /* outlives this function */
        outcome.results.rows[i].variant = &fake_variants[i];
    }
    return outcome;
}

TEST(results_are_on_disk_before_the_end) {
    seen_checkpoints = 0;
    RELEASED_BY(finish) Outcome outcome = run_watched(run_and_look);
    assert_int_equal(outcome.exit_code, EXIT_OK);
    assert_true(seen_checkpoints > 0);
}

TEST(results_that_cannot_be_written_are_still_printed) {
    RELEASED_BY(finish) Outcome outcome = run_watched(run_and_obstruct);
    assert_int_equal(outcome.exit_code, EXIT_FILE);
    assert_int_equal(outcome.status.code, STATUS_FILE);
    assert_says(outcome.status.why, "results.csv");
    assert_int_equal(outcome.results.count, 2);
    assert_says(outcome.printed, "second");
}

TEST_BOTH(user_memory_is_pinned_while_cells_run) {
    RunOptions options = request("seq", "dev_good", NULL);
    options.pinned = true;
    RELEASED_BY(finish) Outcome outcome = run(options);
    assert_int_equal(outcome.exit_code, EXIT_OK);
    assert_int_equal(fake_device.pinned_in_all, 2); /* the picture and the answer */
    assert_int_equal(fake_device.pins, 0);          /* and both given back */
}

/* The fakes look at bytes alone: an image of floats is one that is four times as wide. */
TEST_BOTH(images_that_were_converted_are_pinned) {
    Algorithm algorithm = fake_algorithm;
    algorithm.element = OUTPUT_ARRAY_F32;
    algorithm.pair = true;
    RunOptions options = request("seq", "dev_good", NULL);
    options.algorithms[0] = &algorithm;
    options.pinned = true;
    RELEASED_BY(finish) Outcome outcome = run(options);
    assert_int_equal(outcome.exit_code, EXIT_OK);
    assert_int_equal(fake_device.pinned_in_all, 3); /* two pictures and the answer */
    assert_int_equal(fake_device.pinned_bytes_most,
                     outcome.results.rows[0].width * outcome.results.rows[0].height * 4);
    assert_int_equal(fake_device.pins, 0);
    for (size_t i = 0; i < outcome.results.count; i++) {
        outcome.results.rows[i].algorithm = &fake_algorithm; /* outlives this function */
    }
}

TEST_BOTH(keypoints_and_weights_are_pinned_as_well) {
    Algorithm algorithm = fake_algorithm;
    algorithm.input = WORKLOAD_KEYPOINTS;
    RunOptions options = request("seq", "dev_good", NULL);
    options.algorithms[0] = &algorithm;
    options.weights = "random";
    options.pinned = true;
    RELEASED_BY(finish) Outcome outcome = run(options);
    assert_int_equal(outcome.exit_code, EXIT_OK);
    /* The picture, its keypoints, the weights of three algorithms at 256 and 512 bits, the answer.
     */
    assert_int_equal(fake_device.pinned_in_all, 1 + 1 + 3 * 2 + 1);
    assert_int_equal(fake_device.pins, 0);
    for (size_t i = 0; i < outcome.results.count; i++) {
        outcome.results.rows[i].algorithm = &fake_algorithm; /* outlives this function */
    }
}

/* Refused for the picture of the first size, had for those of the second. */
TEST_BOTH(memory_that_cannot_be_pinned_skips_the_device) {
    fake_device.refusals = 1;
    RunOptions options = request("seq", "dev_good", NULL);
    options.pinned = true;
    options.size_count = 2;
    options.sizes[1] = (SizeSpec){.name = "8x8", .width = 8, .height = 8};
    RELEASED_BY(finish) Outcome outcome = run(options);
    assert_int_equal(outcome.exit_code, EXIT_OK);
    check_ok(&outcome.results.rows[0], "seq");
    assert_int_equal(outcome.results.rows[1].status, CELL_SKIP);
    assert_says(outcome.results.rows[1].why, "page-locked: not lockable");
    check_ok(&outcome.results.rows[3], "dev_good");
}

static char vanishing_input[600];

/* Asked while planning, after the inputs were looked at. */
static Status make_input_vanish(void) {
    unlink(vanishing_input);
    return status_ok();
}

TEST(an_input_that_vanishes_leaves_no_folder) {
    const Variant variants[] = {{.name = "seq",
                                 .backend = &cpu_backend,
                                 .available = make_input_vanish,
                                 .open = fake_open,
                                 .run = fake_run,
                                 .close = fake_close}};
    RELEASED_BY(finish) Outcome outcome = {.folder = scratch_make()};
    scratch_write(&outcome.folder, "p.pgm", "P2 2 2 255 1 2 3 4\n");
    snprintf(vanishing_input, sizeof vanishing_input, "%s/p.pgm", outcome.folder.path);
    RunOptions options = fake_options_of(variants, 1);
    options.input = vanishing_input;
    options.sizes[0] = (SizeSpec){.name = "native"};
    run_in(&options, &outcome);
    assert_int_equal(outcome.exit_code, EXIT_FILE);
    assert_int_equal(outcome.status.code, STATUS_FILE);
    assert_int_equal(scratch_count(outcome.folder.path), 0);
}

TEST_BOTH(the_roof_is_that_of_the_ceilings) {
    RunOptions options = request("seq", NULL, NULL);
    options.roof = true;
    RELEASED_BY(finish) Outcome outcome = {.folder = scratch_make()};
    machine_read(&outcome.machine); /* that of the fixture's ceilings; any other's are measured */
    run_in(&options, &outcome);
    assert_int_equal(outcome.exit_code, EXIT_OK);
    assert_int_equal(outcome.results.count, 1);
    const Row *seq = &outcome.results.rows[0];
    assert_string_equal(seq->algorithm->name, "fake");
    assert_true(outcome.results.ceilings.count > 0);
    assert_true(seq->roof[0] != '\0' && seq->bound[0] != '\0');
    assert_true(seq->roof_fraction > 0);
}

TEST_BOTH(a_picture_larger_than_memory_is_skipped) {
    RunOptions options = request("seq", "simd", NULL);
    options.size_count = 2;
    options.sizes[1] = (SizeSpec){.name = "huge", .width = 1 << 20, .height = 1 << 20};
    RELEASED_BY(finish) Outcome outcome = run(options);
    assert_int_equal(outcome.exit_code, EXIT_OK);
    assert_int_equal(outcome.results.count, 4);
    check_ok(&outcome.results.rows[1], "simd");
    assert_int_equal(outcome.results.rows[3].status, CELL_SKIP);
    assert_says(outcome.results.rows[3].why, "needs ");
    assert_says(outcome.results.rows[3].why, " free");
}

/* A cell whose answer the first launch has verified is opened for its samples alone; without that
 * launch for its verification too, and to estimate its time. Its answer is compared all the same.
 */
TEST_BOTH(later_launches_do_not_verify_twice) {
    RELEASED_BY(finish) Outcome outcome = {.folder = scratch_make()};
    static const char *const names[] = {"one", "two", "three"};
    char paths[3][512];
    int opened[3];
    /* So that stored rows of it can be read. */
    if (registry_find_algorithm(fake_algorithm.name) == NULL) {
        assert_ok(registry_add(&fake_algorithm, NULL));
    }
    for (int i = 0; i < 3; i++) {
        RunOptions options = request("seq", "simd", NULL);
        options.launches = 2;
        options.pass = i == 0 ? 1 : 2;
        options.first = i == 2 ? paths[0] : NULL;
        options.quiet = false;
        scratch_path(&outcome.folder, names[i], paths[i]);
        options.out = paths[i];
        const int before = fake_device.opened;
        run_in(&options, &outcome);
        opened[i] = fake_device.opened - before;
        assert_int_equal(outcome.exit_code, EXIT_OK);
        assert_int_equal(outcome.results.count, 2);
        for (size_t j = 0; j < 2; j++) {
            check_ok(&outcome.results.rows[j], j == 0 ? "seq" : "simd");
        }
        if (i < 2) {
            forget_results(&outcome);
        }
    }
    assert_true(opened[1] >= 1 + 2 + 2); /* the oracle, then each cell twice */
    assert_int_equal(opened[2], 2);
}

static char watched[512];
static ino_t seen;
static int written;

/* Files are replaced, so each time they are written there is another one. */
static Status run_watching(void *state) {
    struct stat facts;
    if (stat(watched, &facts) == 0 && facts.st_ino != seen) {
        seen = facts.st_ino;
        written++;
    }
    return fake_run(state);
}

/* A launch writes its files with its first row and at its end; rows between are in the journal. */
TEST(a_launch_writes_its_results_once) {
    static const Variant variants[] = {FAKE_CPU("seq", run_watching), FAKE_CPU("a", run_watching),
                                       FAKE_CPU("b", run_watching), FAKE_CPU("c", run_watching)};
    static Algorithm watching; /* rows point to it */
    watching = fake_algorithm;
    watching.cpu = (VariantTable){variants, 4};
    for (int pass = 0; pass < 2; pass++) {
        RELEASED_BY(finish) Outcome outcome = {.folder = scratch_make()};
        RunOptions options = fake_options(&watching);
        options.launches = 1 + pass;
        options.pass = pass;
        scratch_path(&outcome.folder, "run/results.json", watched);
        seen = 0;
        written = 0;
        run_in(&options, &outcome);
        assert_int_equal(outcome.exit_code, EXIT_OK);
        assert_int_equal(outcome.results.count, 4);
        assert_true(pass == 0 ? written > 1 : written == 1);
    }
}

/* Right every time, but seldom twice the same. */
static Status run_wavering(void *state) {
    const FakeState *fake = state;
    fake_run(state);
    *fake_last_pixel(fake) ^= (uint8_t)(fake_device.runs % 2);
    return status_ok();
}

static uint64_t digest_of_last_pixel(const Output *output) {
    return ((const uint8_t *)output_part(output, 0))[output->layout.parts[0].bytes - 1];
}

/* A later launch is compared with the digest of the first: one that changes while it is right says
 * nothing. */
TEST_BOTH(an_answer_that_changes_has_no_digest) {
    static const Variant variants[] = {FAKE_CPU("seq", fake_run), FAKE_CPU("wavers", run_wavering)};
    static Algorithm wavering; /* rows point to it */
    wavering = fake_algorithm;
    wavering.compare = compare_roughly;
    wavering.digest = digest_of_last_pixel;
    wavering.cpu.rows = variants;
    wavering.cpu.count = sizeof variants / sizeof variants[0];
    RunOptions options = request("seq", "wavers", NULL);
    options.algorithms[0] = &wavering;
    RELEASED_BY(finish) Outcome outcome = run(options);
    assert_int_equal(outcome.exit_code, EXIT_OK);
    check_ok(&outcome.results.rows[0], "seq");
    assert_true(outcome.results.rows[0].answer_digest > 0);
    assert_int_equal(outcome.results.rows[1].status, CELL_OK);
    assert_int_equal(outcome.results.rows[1].answer_digest, 0);
}
