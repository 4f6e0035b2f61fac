/* `bench reproduce` from outside: measuring again, exit codes, inputs that changed, and stored
 * command lines that are not to be trusted. */
#include <sys/stat.h>

#include "program.h"
#include "test.h"

EACH_TEST(folder_enter, folder_leave);

#define SMALL "--algo lbp --sizes 64x64,128x128 --variants seq,simd --reps 8 --no-plot --no-roof "

/* Replaces the first occurrence in a file. */
static void replace(const char *path, const char *old, const char *new) {
    char *text = read_text(path);
    char *at = strstr(text, old);
    if (at == NULL) {
        fail_msg("'%s' is not in %s", old, path);
        return;
    }
    const size_t size = strlen(text) + strlen(new) + 1;
    char *changed = malloc(size);
    assert_non_null(changed);
    snprintf(changed, size, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
    write_file(path, changed, strlen(changed));
    free(changed);
}

/* Writes the run as if seq had been simd, and simd seq. */
static void swap_variants(const char *path, const char *swapped) {
    static const char seq[] = "\"variant\":\t\"seq\"", simd[] = "\"variant\":\t\"simd\"";
    char *text = read_text(path);
    FILE *stream = fopen(swapped, "w");
    assert_non_null(stream);
    for (const char *c = text; *c != '\0';) {
        const bool is_seq = strncmp(c, seq, strlen(seq)) == 0;
        const bool is_simd = strncmp(c, simd, strlen(simd)) == 0;
        if (is_seq || is_simd) {
            fputs(is_seq ? simd : seq, stream);
            c += strlen(is_seq ? seq : simd);
        } else {
            fputc(*c++, stream);
        }
    }
    fclose(stream);
}

/* A run that was measured again. Its times decide whether claims hold (0), do not (1), or cannot be
 * decided (6), not these tests. */
static void check_measured(const Outcome *outcome) {
    if (outcome->code != 0 && outcome->code != 1 && outcome->code != 6) {
        fail_msg("exit code %d: %s%s", outcome->code, outcome->out, outcome->err);
    }
}

TEST(a_run_is_measured_again) {
    bench_ok(SMALL "--launches 2 --spread 0 --out run");
    plant_times("run/results.json");
    Outcome outcome = bench("reproduce run --out again");
    check_measured(&outcome);
    check_contains(outcome.out, "seq over the best CPU, kernel time");
    check_contains(outcome.out, "simd faster than seq, kernel time");
    check_contains(outcome.out, "The same kind of machine and build");
    check_contains(outcome.out, "\nagain\n");
    check_contains(outcome.err, "[24/24] done (0:");
    assert_true(file_exists("again/launch-6/results.json"));
    check_file_has("again/results.json", "\"--reps\", \"8\"");
}

/* At least three launches, whatever the run had and however little time there is; a time between
 * launches of the stored run is not kept. Without a limit until no claim is undecided. */
TEST(a_run_is_measured_again_within_a_budget) {
    bench_ok(SMALL "--launches 2 --spread 1s --out run");
    plant_times("run/results.json");
    Outcome outcome = bench("reproduce run --budget 1ms --out brief");
    check_measured(&outcome);
    assert_true(has_launch("brief", 3));
    assert_false(has_launch("brief", 4));
    check_file_has("brief/results.json", "\"--budget\"");
    outcome = bench("reproduce run --budget none --out again");
    check_measured(&outcome);
    check_contains(outcome.out, "simd faster than seq, kernel time");
    assert_true(has_launch("again", 6));
    assert_false(has_launch("again", 13));
}

TEST(a_run_holds_beside_itself_and_not_the_other_way_round) {
    bench_ok(SMALL "--launches 6 --spread 0 --out run");
    plant_times("run/results.json");
    check_prints(bench("reproduce run --from run"), 0, "4 of 4 tested claims hold here\n");
    check_prints(bench("reproduce run --from run --sizes 64x64 --format json"), 0, "\"hold\":\t2,",
                 "\"same_machine\":\ttrue");
    swap_variants("run/results.json", "swapped.json");
    check_prints(bench("reproduce run --from swapped.json"), 1,
                 "does not hold: lbp, texture, 64x64: seq over the best CPU",
                 "does not hold: lbp, texture, 128x128: simd faster than seq",
                 "0 of 4 tested claims hold here\n");
}

TEST(a_dry_run_lists_the_claims_and_writes_nothing) {
    bench_ok(SMALL "--out run");
    plant_times("run/results.json");
    const size_t before = count_files("");
    check_prints(bench("reproduce run --dry-run --out again"), 0, "to be tested",
                 "4 claims to test\n");
    assert_int_equal(count_files(""), before);
}

/* Writes the run as if simd had been cuda_multi on one GPU, and on two with twice the rows. The
 * cells of cuda_multi that were skipped become those of a variant that nobody has. */
static void make_weak(const char *path) {
    static const char simd[] = "\"variant\":\t\"simd\"", tuning[] = "\"tuning\":\t{";
    assert_int_equal(system("sed -i 's/\"cuda_multi\"/\"cuda_other\"/' run/results.json"), 0);
    char *text = read_text(path);
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    const char *rest = text, *at;
    for (int gpus = 1; (at = strstr(rest, simd)) != NULL; gpus++) {
        fprintf(stream, "%.*s\"weak\": true, \"variant\": \"cuda_multi\"", (int)(at - rest), rest);
        rest = at + strlen(simd);
        at = strstr(rest, tuning);
        assert_non_null(at);
        fprintf(stream, "%.*s%s\"gpus\": %d", (int)(at - rest), rest, tuning, gpus);
        rest = at + strlen(tuning);
    }
    fputs(rest, stream);
    fclose(stream);
}

/* Sizes that have grown grow again where rows of several GPUs are measured again; otherwise they
 * are sizes like others. */
TEST(weak_scaling_grows_once) {
    bench_ok("--algo lbp --sizes 64x48 --gpus 1,2 --weak --variants seq,simd,cuda_multi --reps 8 "
             "--no-plot --no-roof --out run");
    Outcome outcome = bench_ok("reproduce run --variants seq --dry-run");
    check_contains(outcome.out, " --sizes 64x48,64x96 ");
    check_contains(outcome.out, "lbp, texture  64x96  ");
    assert_null(strstr(outcome.out, "is not here"));
    make_weak("run/results.json");
    outcome = bench("reproduce run --dry-run"); /* without a GPU there is nothing to test */
    check_contains(outcome.out, " --sizes 64x48 --gpus 1,2 --weak ");
    check_contains(outcome.out, "lbp, texture  64x96  cuda_multi over the best CPU");
    assert_null(strstr(outcome.out, "is not here"));
}

/* --- Inputs ----------------------------------------------------------------------------------- */

static void write_image(const char *path, unsigned char first) {
    unsigned char image[15 + 64 * 64];
    memcpy(image, "P5 64 64 \n255\n ", 15);
    const size_t head = strlen("P5 64 64 \n255\n");
    for (size_t i = 0; i < 64 * 64; i++) {
        image[head + i] = (unsigned char)(i * 7 + i / 64);
    }
    image[head] = first;
    write_file(path, image, head + 64 * 64);
}

#define OF_A_FILE                                                                                  \
    "--algo lbp --input image.pgm --variants seq,simd --reps 8 --no-plot --no-roof --out run"

TEST(a_changed_input_is_not_measured_on) {
    write_image("image.pgm", 1);
    bench_ok(OF_A_FILE);
    write_image("image.pgm", 2);
    check_prints(bench("reproduce run --out again"), 6,
                 "cannot be tested here (2): the input image.pgm is another here: "
                 "its hash at native is not the stored one");
    assert_false(file_exists("again"));
}

TEST(a_missing_input_is_named_and_may_lie_elsewhere) {
    write_image("image.pgm", 1);
    bench_ok(OF_A_FILE);
    assert_int_equal(mkdir("elsewhere", 0700), 0);
    assert_int_equal(rename("image.pgm", "elsewhere/image.pgm"), 0);
    check_prints(bench("reproduce run --out again"), 6, "image.pgm: cannot open: No such file",
                 "; --input names its place here");
    bench_ok("reproduce run --dry-run --input elsewhere/image.pgm");
}

/* An IDX file of 12 images of 8×8. */
static void write_set(const char *path, unsigned char last) {
    unsigned char set[16 + 12 * 64] = {0, 0, 8, 3, 0, 0, 0, 12, 0, 0, 0, 8, 0, 0, 0, 8};
    for (size_t i = 16; i < sizeof set; i++) {
        set[i] = (unsigned char)(i * 7 + i / 64);
    }
    set[sizeof set - 1] = last;
    write_file(path, set, sizeof set);
}

/* The last of 12 images changed: the first 3 are still those of the run. */
TEST(sizes_that_are_the_same_are_tested) {
    write_set("set.idx", 1);
    bench_ok("--algo haar --input set.idx --images 3,12 --variants seq,simd --reps 8 --no-plot "
             "--no-roof --out run");
    plant_times("run/results.json");
    write_set("set.idx", 2);
    Outcome outcome = bench("reproduce run --launches 2 --out again");
    check_measured(&outcome);
    check_contains(outcome.out, "cannot be tested here (2): the input set.idx is another here: its "
                                "hash at 12 is not the stored one");
    char *text = read_text("again/results.csv");
    check_contains(text, "haar,seq,cpu,set.idx,3,");
    assert_null(strstr(text, "haar,seq,cpu,set.idx,12,"));
}

/* Without a hash nothing tells that the file is the one of the run. */
TEST(a_file_without_a_hash_is_not_read) {
    write_image("image.pgm", 1);
    bench_ok(OF_A_FILE);
    replace("run/results.json", "\"input_hash\":\t\"",
            "\"input_hash\":\t\"0000000000000000\", \"was\":\t\"");
    check_prints(bench("reproduce run --dry-run"), 6, "the run has no hash of its input");
}

/* --- Command lines ---------------------------------------------------------------------------- */

/* The stored list of arguments becomes another one: `given` replaces "--no-plot". */
static void store_run_with(const char *given) {
    if (!file_exists("measured.json")) {
        bench_ok(SMALL "--out run --json measured.json");
    }
    const char *measured = read_text("measured.json");
    write_file("run/results.json", measured, strlen(measured));
    replace("run/results.json", "\"--no-plot\"", given);
}

TEST(places_in_a_stored_command_line_are_not_taken_over) {
    store_run_with("\"--csv\", \"stolen.csv\", \"--json=stolen.json\", \"--save\", \"stolen\", "
                   "\"--out\", \"stolen-run\", \"--save-table\", \"--resume=run\", \"--baseline\", "
                   "\"run\", \"--first\", \"run\", \"--pass\", \"1/2\", \"--plot\", \"--energy\", "
                   "\"--dry-run\", \"--list\"");
    Outcome outcome = bench("reproduce run --launches 2 --out again");
    check_measured(&outcome);
    assert_false(file_exists("stolen.csv"));
    assert_false(file_exists("stolen.json"));
    assert_false(file_exists("stolen"));
    assert_false(file_exists("stolen-run"));
    char *text = read_text("again/results.json");
    assert_null(strstr(text, "\"stolen\""));
    assert_null(strstr(text, "stolen.csv"));
    assert_null(strstr(text, "stolen.json"));
    assert_null(strstr(text, "stolen-run"));
    assert_null(strstr(text, "\"--pass\""));
}

/* A value that looks like an option, and one that hides behind an option without a value. */
TEST(a_stored_command_line_hides_no_options) {
    store_run_with("\"--seed\", \"--csv=stolen.csv\"");
    check_refused(bench("reproduce run --out again"), 2, "--seed needs a value");
    store_run_with("\"--csv\", \"--seed\", \"x\"");
    check_refused(bench("reproduce run --out again"), 2, "--seed: 'x' is not a whole number");
    store_run_with("\"--cold\", \"x\"");
    check_refused(bench("reproduce run --out again"), 2, "'x' is no option of 'bench run'");
    store_run_with("\"--frobnicate\"");
    check_refused(bench("reproduce run --out again"), 2, "'--frobnicate' is no option");
    store_run_with("\"; touch stolen\"");
    check_refused(bench("reproduce run --out again"), 2, "is no option of 'bench run'");
    store_run_with("\"--synthetic\", \"$(touch stolen)\"");
    check_refused(bench("reproduce run --out again"), 2, "--synthetic");
    store_run_with("\"compare\"");
    check_refused(bench("reproduce run --out again"), 2, "'compare' is no option");
    assert_false(file_exists("stolen"));
    assert_false(file_exists("stolen.csv"));
    assert_false(file_exists("again"));
}

TEST(the_run_itself_is_not_overwritten) {
    bench_ok(SMALL "--out run");
    check_refused(bench("reproduce run --out run"), 2, "would be overwritten");
}

TEST(wrong_arguments_say_what_is_right) {
    check_refused(bench("reproduce"), 5, "no run has ended in this folder yet");
    bench_ok(SMALL "--out run");
    check_refused(bench("reproduce nowhere"), 5, "nowhere");
    check_refused(bench("reproduce run --from run --out again"), 2, "cannot be combined");
    check_refused(bench("reproduce run --from run --budget 9"), 2,
                  "--from and --budget cannot be combined");
    check_refused(bench("reproduce run --launches 6 --budget 9"), 2,
                  "--budget and --launches cannot be combined");
    check_refused(bench("reproduce run --budget soon"), 2, "'soon' is not a time above 0");
    check_refused(bench("reproduce run --variants omp"), 3, "the run has no 'omp'");
    check_refused(bench("reproduce run --sizes 1080p"), 3, "it has 64x64, 128x128");
    check_refused(bench("reproduce run --algo haar"), 3, "the run has no 'haar'");
}
