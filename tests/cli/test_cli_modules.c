/* Modules and what holds them to their promises, from outside: --plugin, BENCH_PATH, `bench
 * verify`, `bench new-algorithm`. The module is tests/conformance/faulty.c. */
#include <sys/stat.h>
#include <unistd.h>

#include "crossing.h"
#include "module.h"
#include "program.h"
#include "search_path.h"
#include "test.h"

EACH_TEST(folder_enter, folder_leave);

#define SMALL "--sizes 64x64 --reps 3 --no-plot --no-roof --quiet "
#define WITH_FAULTY "--plugin " FAULTY_MODULE " --algo faulty "

/* === A module's bytes ========================================================================= */

typedef struct Bytes {
    unsigned char *bytes;
    size_t size;
} Bytes;

static Bytes read_module_file(const char *path) {
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    fseek(stream, 0, SEEK_END);
    Bytes module = {.size = (size_t)ftell(stream)};
    module.bytes = malloc(module.size);
    assert_non_null(module.bytes);
    rewind(stream);
    assert_int_equal(fread(module.bytes, 1, module.size, stream), module.size);
    fclose(stream);
    return module;
}

static Bytes read_module(void) {
    return read_module_file(FAULTY_MODULE);
}

/* BenchModule begins with its number of bytes and that of its interface; the magic follows. */
static unsigned char *symbol_of(const Bytes *module) {
    for (size_t i = 8; i + 8 < module->size; i++) {
        if (memcmp(module->bytes + i, "bench.mo", 8) == 0) {
            return module->bytes + i - 8;
        }
    }
    fail_msg("the module has no magic");
    return NULL;
}

enum { AT_BYTES = 0, AT_INTERFACE = 4, AT_MAGIC = 8 };

/* Writes the module with one byte changed at `offset` of its symbol, or of the file. */
static void write_changed(const char *path, bool in_symbol, size_t offset, unsigned char value) {
    Bytes module = read_module();
    unsigned char *at = (in_symbol ? symbol_of(&module) : module.bytes) + offset;
    *at = value;
    write_file(path, module.bytes, module.size);
    free(module.bytes);
}

static void write_start(const char *path, size_t size) {
    Bytes module = read_module();
    assert_true(size < module.size);
    write_file(path, module.bytes, size);
    free(module.bytes);
}

/* The same module in another file: bytes behind its end mean nothing. */
static void write_longer(const char *path, size_t more) {
    Bytes module = read_module();
    unsigned char *longer = realloc(module.bytes, module.size + more);
    assert_non_null(longer);
    memset(longer + module.size, 0, more);
    write_file(path, longer, module.size + more);
    free(longer);
}

/* === What is no module ======================================================================== */

TEST(files_that_are_no_modules_are_refused) {
    check_refused(bench("list --plugin nowhere.so"), 5, "nowhere.so: cannot open");
    write_file("text.so", "int main;\n", 10);
    check_refused(bench("list --plugin text.so"), 5, "text.so: this is no shared object");
    write_file("empty.so", "", 0);
    check_refused(bench("list --plugin empty.so"), 5, "empty.so: this is no shared object");
    assert_int_equal(mkdir("folder.so", 0700), 0);
    check_refused(bench("list --plugin folder.so"), 5, "folder.so");
#ifdef __SANITIZE_ADDRESS__ /* has fixed addresses */
    check_refused(bench("list --plugin %s", BENCH_PROGRAM), 5, "this is no shared object");
#else
    check_refused(bench("list --plugin %s", BENCH_PROGRAM), 5, "position-independent executable");
#endif
}

TEST(a_file_that_is_cut_off_is_refused) {
    const Bytes module = read_module();
    const size_t sizes[] = {10, 40, 64, 500, module.size / 2, module.size - 1};
    free(module.bytes);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        write_start("cut.so", sizes[i]);
        check_refused(bench("list --plugin cut.so"), 5, "cut.so: the file is cut off");
    }
}

TEST(a_module_of_another_processor_is_refused) {
    write_changed("other.so", false, 18, 0xF3); /* e_machine: RISC-V */
    check_refused(bench("list --plugin other.so"), 5, "it is built for another processor");
    write_changed("narrow.so", false, 4, 1); /* 32 bits */
    check_refused(bench("list --plugin narrow.so"), 5, "it is built for another processor");
}

TEST(another_interface_is_refused) {
    write_changed("other.so", true, AT_INTERFACE, 9);
    check_refused(bench("list --plugin other.so"), 5,
                  "other.so: built with the headers of bench " BENCH_HEADERS
                  ": interface 9, this bench has interface 2; build it again");
    write_changed("none.so", true, AT_BYTES, 0);
    check_refused(bench("list --plugin=none.so"), 5, "it has a wrong number of bytes, 0; ");
    write_changed("magic.so", true, AT_MAGIC, 'B');
    check_refused(bench("list --plugin magic.so"), 5, "is not that of a module");
}

/* === Tables of other releases ================================================================= */

#define WITH_HOSTILE "--plugin " HOSTILE_MODULE " --algo hostile "

static Outcome hostile(const char *how, const char *arguments) {
    assert_int_equal(setenv("HOSTILE", how, 1), 0);
    Outcome outcome = bench("%s", arguments);
    unsetenv("HOSTILE");
    return outcome;
}

/* What this program does not know is 0, or what the module does not know is: both are used. */
TEST(tables_of_other_releases_are_taken_over) {
    static const char *const ways[] = {"", "later", "shorter"};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        Outcome outcome = hostile(ways[i], "verify " WITH_HOSTILE "--quick");
        check_code(&outcome, 0);
        check_contains(outcome.out, "2 of 2 variants right");
        outcome = hostile(ways[i], WITH_HOSTILE SMALL "--level 2,3 --out run --save all --force");
        check_code(&outcome, 0);
        check_file_has("run/results.csv", "hostile,other,cpu,texture,64x64,64,64,,level:3,1,ok");
    }
}

TEST(what_is_not_known_is_refused) {
    static const struct {
        const char *how, *line;
    } cases[] = {
        {"later, used", "built with the headers of bench " BENCH_HEADERS
                        ": its algorithm has members that the headers of this bench, "},
        {"later row, used", "row 1 of its variants has members that the headers of this bench, "},
        {"later axis, used", "an axis has members that the headers of this bench, "},
        {"input", "the input of 'hostile' is of kind 77, which the headers of this bench, "},
        {"element", "the element of 'hostile' is of kind 4, which the headers of this bench, "},
        {"pair of sets", "the algorithm 'hostile' takes no single images, whose type or number it "
                         "says"},
        {"axis kind", "its axis 'level' is of kind 77, which the headers of this bench, "},
        {"bytes 0", "its algorithm has a wrong number of bytes, 0; its struct_bytes is "
                    "sizeof(Algorithm)"},
        {"bytes 20", "its algorithm has a wrong number of bytes, 20"},
        {"bytes 4000000000", "its algorithm has a wrong number of bytes, 4000000000"},
        {"bytes 16", "it"}, /* it has a name, and nothing else */
        {"row", "row 2 of its variants has another number of bytes than the first"},
        {"axis bytes", "an axis has a wrong number of bytes, 0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_refused(hostile(cases[i].how, "list --plugin " HOSTILE_MODULE), 5, cases[i].line);
    }
}

/* What a module fills has the program's number of bytes, before and afterwards. */
TEST(what_is_assigned_as_a_whole_is_a_failure) {
    static const struct {
        const char *how, *arguments, *line;
    } cases[] = {
        {"whole layout", "verify " WITH_HOSTILE "--quick", "it assigned OutputLayout as a whole"},
        {"whole verdict", "verify " WITH_HOSTILE "--quick", "it assigned Verdict as a whole"},
        {"output kind", "verify " WITH_HOSTILE "--quick",
         "part 'copy' of its output layout is of kind 77, which this bench does not know"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Outcome outcome = hostile(cases[i].how, cases[i].arguments);
        check_code(&outcome, 4);
        check_contains(outcome.err, cases[i].line);
    }
    check_refused(bench(WITH_HOSTILE SMALL "--variants other --level whole"), 4,
                  "it assigned AxisValues as a whole");
}

/* === Weights of a module ====================================================================== */

#define WITH_WEIGHTED "--plugin " WEIGHTED_MODULE " --algo weighted "

static void write_weights(const char *path, const char *kind, double second) {
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    fprintf(stream, "bench weights 1\nkind,%s\nbits,256\ncolumns,2\n", kind);
    for (int row = 0; row < 256; row++) {
        fprintf(stream, "%d,%g\n", row, second);
    }
    fclose(stream);
}

/* The program knows the kind from the module alone: it reads, draws and finds trained ones. */
TEST(a_module_has_weights_of_a_kind_of_its_own) {
    write_weights("mine.csv", "weighted", 3);
    bench_ok(WITH_WEIGHTED SMALL "--weights mine.csv --out run --save saved");
    check_file_has("saved/weighted-texture-64x64-sum.csv", "0,33408"); /* 255 · 256 / 2 + 3 · 256 */
    bench_ok("verify " WITH_WEIGHTED "--quick");
    assert_int_equal(mkdir("trained", 0700), 0);
    write_weights("trained/weighted-256.csv", "weighted", 1);
    assert_int_equal(setenv("BENCH_WEIGHTS_DIR", "trained", 1), 0);
    Outcome outcome = bench(WITH_WEIGHTED SMALL "--out run --force --save saved");
    unsetenv("BENCH_WEIGHTS_DIR");
    check_code(&outcome, 0);
    check_file_has("saved/weighted-texture-64x64-sum.csv", "0,32896"); /* 1 · 256 */
}

TEST(wrong_weights_of_a_module_are_named) {
    write_weights("low.csv", "weighted", -1);
    check_refused(bench(WITH_WEIGHTED SMALL "--weights low.csv"), 5,
                  "low.csv: line 5: the second number is -1; 0 or more would be right");
    write_weights("other.csv", "bads", 1);
    check_refused(bench(WITH_WEIGHTED SMALL "--weights other.csv"), 5,
                  "kind,hashsift, kind,bad, kind,orb or kind,weighted would be right");
    write_weights("mine.csv", "weighted", 3);
    check_refused(bench("--algo bad " SMALL "--weights mine.csv"), 5,
                  "kind,hashsift, kind,bad or kind,orb would be right");
    static const struct {
        const char *how, *line;
    } cases[] = {{"columns", "its weights 'weighted' have 0 columns; 1 to 4096 would be right"},
                 {"name", "its kind of weights has no name of at most 15 small letters"},
                 {"taken", "weights of the kind 'bad' are there with other columns"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(setenv("WEIGHTED", cases[i].how, 1), 0);
        Outcome outcome = bench("list --plugin " WEIGHTED_MODULE);
        unsetenv("WEIGHTED");
        check_refused(outcome, 5, cases[i].line);
    }
}

/* In a run the algorithm has a row that says so; the others go on. */
TEST(weights_that_end_their_process_fail_their_algorithm) {
    static const struct {
        const char *function, *weights;
    } cases[] = {{"draw", "random"}, {"check", "mine.csv"}};
    write_weights("mine.csv", "weighted", 3);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char line[128];
        snprintf(line, sizeof line, "ended its process with exit code 3 in %s of its weights",
                 cases[i].function);
        assert_int_equal(setenv("WEIGHTED", cases[i].function, 1), 0);
        check_says(bench("--plugin " WEIGHTED_MODULE " --algo weighted,bad --variants seq " SMALL
                         "--weights %s --keypoints 9 --out run --force",
                         cases[i].weights),
                   4, line);
        check_file_has("run/results.csv", "\nbad,seq,cpu,texture,64x64,64,64,\"bits:256,");
        check_file_has("run/results.csv", ",ok,,yes,");
        check_file_has("run/results.csv",
                       "\nweighted,seq,cpu,texture,64x64,64,64,,,1,fail,ended its process ");
    }
    assert_int_equal(setenv("WEIGHTED", "draw", 1), 0);
    Outcome outcome = bench("verify --quick --plugin " WEIGHTED_MODULE
                            " --algo bad,weighted --variants seq --shapes 64x64 --contents noise");
    unsetenv("WEIGHTED");
    check_code(&outcome, 4);
    check_contains(outcome.err,
                   "bench: weighted/seq: ended its process with exit code 3 in draw of "
                   "its weights\n");
    check_verdict(&outcome, "bad", "seq", " right");
}

/* Those of the program are three. */
TEST(a_kind_of_weights_too_many_is_refused) {
    const Bytes module = read_module_file(WEIGHTED_MODULE);
    char path[64] = "";
    for (int i = 4; i <= 9; i++) {
        char name[16];
        snprintf(name, sizeof name, "w%d.so", i);
        write_file(name, module.bytes, module.size);
        snprintf(path + strlen(path), sizeof path - strlen(path), "%s%s", i > 4 ? ":" : "", name);
        if (i == 8) {
            assert_int_equal(setenv("BENCH_PATH", path, 1), 0);
        }
    }
    free(module.bytes);
    bench_ok("verify --algo w8 --quick");
    Outcome outcome = bench("list --plugin w9.so");
    unsetenv("BENCH_PATH");
    check_refused(outcome, 5,
                  "w9.so: its weights 'w9' are of one kind too many: there is room for 8");
}

/* === Names ==================================================================================== */

TEST(a_name_that_is_taken_is_refused) {
    write_longer("twin.so", 1);
    check_refused(bench("list --plugin " FAULTY_MODULE " --plugin twin.so"), 5,
                  "twin.so: the name 'faulty' is taken");
    bench_ok("list faulty --plugin " FAULTY_MODULE " --plugin " FAULTY_MODULE);
}

/* === A module that is loaded ================================================================== */

TEST(its_algorithm_is_one_like_the_others) {
    check_prints(bench("list --plugin " FAULTY_MODULE), 0,
                 "faulty     12 of 12   a copy, wrong in several ways");
    bench_ok(WITH_FAULTY SMALL "--variants seq,right --step 2,3 --out run");
    check_file_has("run/results.csv", "faulty,right,cpu,texture,64x64,");
    check_file_has("run/results.csv", "step:3");
    check_file_has("run/results.json", "\"module_faulty\":\t\"" FAULTY_MODULE "\"");
    check_file_has("run/results.json", "\"module_hash_faulty\":\t\"");
    check_prints(bench("show run --all --plugin " FAULTY_MODULE), 0, "step:3");
    check_refused(bench("run --algo faulty"), 2, "faulty");
}

TEST(its_launches_load_it_too) {
    bench_ok(WITH_FAULTY SMALL "--variants seq,right --step 2 --launches 2 --out run");
    assert_true(file_exists("run/launch-2/results.json"));
    check_file_has("run/results.csv", "faulty,right,cpu,");
}

TEST(a_wrong_variant_has_no_time) {
    check_prints(bench(WITH_FAULTY SMALL "--sizes 33x17 --variants seq,last --out run"), 4,
                 "wrong answer");
}

/* The hash is a fact of the build: a run goes on only with the same module. */
TEST(another_module_does_not_continue_a_run) {
    write_longer("one.so", 1);
    write_longer("two.so", 2);
    bench_ok("--plugin one.so --algo faulty " SMALL "--variants seq --out run");
    check_refused(bench("--plugin two.so --algo faulty " SMALL "--variants seq,right --resume run"),
                  2, "module_hash_faulty differs");
}

/* A run that was made with a module needs the same file, named on the command line. */
TEST(a_run_names_the_module_that_it_needs) {
    write_longer("other.so", 1);
    bench_ok(WITH_FAULTY SMALL "--variants seq,right --step 2 --out run");
    static const char *const commands[] = {"reproduce run --dry-run", "--resume run"};
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        check_refused(bench("%s", commands[i]), 2, "run was made with the module 'faulty', whose ");
        check_refused(bench("%s --plugin other.so", commands[i]), 2,
                      "run was made with another module 'faulty'");
        check_prints(bench("%s --plugin " FAULTY_MODULE, commands[i]), 0, "faulty");
    }
    check_file_has("run/results.json", "\"module_hash_faulty\":\t\"");
}

/* What changes no number may be said when a run is resumed. */
TEST(a_run_is_resumed_with_what_changes_no_number) {
    bench_ok(WITH_FAULTY SMALL "--variants seq --out run");
    static const char *const more[] = {
        "--plugin " FAULTY_MODULE " --resume run", "--resume run --plugin=" FAULTY_MODULE,
        WITH_FAULTY SMALL "--variants seq --resume run --color never",
        "--plugin " FAULTY_MODULE " --resume run --all --color=never --price gpu=3,cpu=1"};
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++) {
        bench_ok("%s", more[i]);
    }
    check_refused(bench("--plugin " FAULTY_MODULE " --resume run --reps 4"), 2, "--reps");
}

/* Writes a stored run of `lbp` in two launches, of which nothing is left, with more arguments. */
static void write_stored(const char *more) {
    static const char before[] = "\"--no-roof\"", complete[] = "\"complete\":\ttrue";
    check_ends(
        bench("--algo lbp --variants seq --launches 2 --spread 0 " SMALL "--out run --force"), 0);
    char *text = read_text("run/results.json");
    char *at = strstr(text, before);
    assert_non_null(at);
    FILE *stream = fopen("run/results.json", "w");
    assert_non_null(stream);
    fprintf(stream, "%.*s%s, %s", (int)(at - text), text, more, at);
    fclose(stream);
    text = read_text("run/results.json");
    at = strstr(text, complete);
    assert_non_null(at);
    memcpy(at + strlen(complete) - 4, "null", 4);
    write_file("run/results.json", text, strlen(text));
    assert_int_equal(unlink("run/launch-1/results.json"), 0);
    assert_int_equal(unlink("run/launch-2/results.json"), 0);
}

/* A stored command line is a text from anybody: what it names is not loaded, by no process. */
TEST(a_stored_run_loads_nothing) {
    static const char *const more[] = {"\"--plugin\", \"" FAULTY_MODULE "\"",
                                       "\"--plugin=" FAULTY_MODULE "\""};
    assert_int_equal(setenv("FAULTY_LOADED", "loaded.txt", 1), 0);
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++) {
        write_stored(more[i]);
        bench_ok("--resume run --quiet");
        (void)bench("reproduce run --dry-run");
        assert_false(file_exists("loaded.txt"));
    }
    bench_ok("list --plugin " FAULTY_MODULE);
    assert_true(file_exists("loaded.txt"));
    unsetenv("FAULTY_LOADED");
}

TEST(folders_of_the_path_are_searched) {
    assert_int_equal(mkdir("modules", 0700), 0);
    write_longer("modules/good.so", 1);
    write_file("modules/broken.so", "x", 1);
    write_file("modules/notes.txt", "x", 1);
    assert_int_equal(setenv("BENCH_PATH", "nowhere:modules", 1), 0);
    Outcome outcome = bench("list faulty");
    check_code(&outcome, 0); /* the rest of the program works */
    check_contains(outcome.err, "BENCH_PATH: modules/broken.so: this is no shared object");
    check_contains(outcome.err, "BENCH_PATH: nowhere: cannot open");
    assert_null(strstr(outcome.err, "notes.txt"));
    check_contains(outcome.out, "right");
    assert_int_equal(setenv("BENCH_PATH", "modules/good.so", 1), 0);
    outcome = bench_ok("list faulty");
    assert_string_equal(outcome.err, "");
    unsetenv("BENCH_PATH");
}

/* === bench verify ============================================================================= */

TEST(every_fault_is_found) {
    Outcome outcome = bench("verify " WITH_FAULTY);
    check_code(&outcome, 4);
    static const char *const wrong[] = {"last", "late",    "outside", "stride", "silent",
                                        "axis", "default", "end",     "large"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        check_verdict(&outcome, "faulty", wrong[i], " WRONG");
    }
    check_verdict(&outcome, "faulty", "seq", " right");
    check_verdict(&outcome, "faulty", "right", " right");
    check_contains(outcome.out, "\n2 of 11 variants right\n");
    check_contains(outcome.out, "1 cannot run here: faulty/never ran none of 1267 requests: it "
                                "always does\n");
    check_contains(
        outcome.err,
        "faulty/outside: zero 1x1 [level:1], stride 1, first run: the answer part 'copy' of 1 "
        "bytes (output_layout) was written out of bounds, 64 bytes past its end");
    check_contains(outcome.err,
                   "faulty/late: zero 1x1 [level:1], stride 1, run again: wrong answer");
    check_contains(outcome.err,
                   "faulty/axis: zero 1x1 [level:5] [step:5], stride 1, first run: wrong answer");
    check_contains(outcome.err, "faulty/default: zero 1x1 [level:40], stride 1, first run: wrong");
    check_contains(outcome.err, "faulty/end: zero 1x1 [level:60], stride 1, first run: wrong");
    check_contains(outcome.err, "faulty/large: texture 1920x1080 [level:40], stride 1920, first");
}

/* Of 34 shapes noise on each and the five other contents in turn; those that are named on all. */
TEST(quick_finds_faults_with_fewer_cases) {
    static const char *const wrong[] = {"last", "late", "outside", "stride", "silent", "axis"};
    Outcome outcome = bench("verify " WITH_FAULTY "--quick");
    check_code(&outcome, 4);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        check_verdict(&outcome, "faulty", wrong[i], " WRONG");
    }
    check_contains(outcome.out, "faulty/never ran none of 91 requests");
    check_prints(bench("verify " WITH_FAULTY "--quick --variants right,never --contents zero,full"),
                 0, "faulty/never ran none of 68 requests", "1 of 1 variants right");
}

/* What the user chooses is all that is tried. */
TEST(a_choice_is_not_added_to) {
    bench_ok("verify " WITH_FAULTY "--variants default,end --level 7 --quick");
    bench_ok("verify " WITH_FAULTY "--variants large --shapes 3x2");
}

TEST(only_what_was_asked_for_is_verified) {
    check_prints(
        bench("verify " WITH_FAULTY "--quick --variants seq,right,last --except faulty/last"), 0,
        "\n2 of 2 variants right\n");
    Outcome outcome = bench("verify " WITH_FAULTY "--quick --variants axis --step 1,2"); /* not 5 */
    check_code(&outcome, 0);
    outcome = bench("verify " WITH_FAULTY "--variants last --shapes 2x2,64x3 --contents noise");
    check_code(&outcome, 0); /* even widths */
    check_contains(outcome.out, "12 of 12 ");
    check_ends(bench("verify " WITH_FAULTY "--variants last --shapes 3x2 --contents noise"), 4);
}

TEST(names_that_are_misspelt_are_refused) {
    check_refused(bench("verify --algo lbp --except lbp/sek"), 2, "there is no 'lbp/sek'");
    check_refused(bench("verify --algo lbp --shapes 3y2"), 2, "'3y2' is neither WxH");
    check_refused(bench("verify --algo lbp --shapes 0x2"), 2, "'0x2' is neither WxH");
    check_refused(bench("verify --algo lbp --contents grey"), 2, "there is no 'grey'");
    check_refused(bench("verify --algo lbp --contents digits"), 2, "none of them is for 'lbp'");
    check_refused(bench("verify --algo lbp --box 3"), 2, "--box: nothing that is verified");
    check_refused(bench("verify --algo lbp --backend gpu"), 2, "'gpu' is no backend");
    check_refused(bench("verify --algo lbp --variants seq --backend cuda"), 3, "no variant is of");
    check_refused(bench("verify --algo lacunarity --box 0"), 2, "--box");
    check_refused(bench("verify --algo lbp --device 0,x"), 2, "'0,x' is no list of devices");
}

TEST(without_a_sanitizer_a_line_says_so) {
    char *path = search_path_set("/nowhere", true);
    check_refused(bench("verify --algo lbp --sanitizer"), 6, "compute-sanitizer cannot be started");
    search_path_restore(path);
}

/* The program is started anew in the tool that PATH finds. */
TEST(the_sanitizer_runs_the_same_command) {
    static const char tool[] =
        "#!/bin/sh\necho \"$@\" >called.txt\n[ $BENCH_SUPERVISE = no ] && exit 4\n";
    assert_int_equal(mkdir("bin", 0700), 0);
    write_file("bin/compute-sanitizer", tool, sizeof tool - 1);
    assert_int_equal(chmod("bin/compute-sanitizer", 0700), 0);
    char *before = search_path_set("bin", false);
    static const struct {
        const char *tool, *called;
    } cases[] = {
        {"racecheck", "--tool racecheck --error-exitcode 4 --quiet /"},
        /* errors of calls that a library makes to find out are none of ours */
        {"memcheck", "--tool memcheck --error-exitcode 4 --quiet --report-api-errors no "}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_ends(bench("verify --algo lbp --sanitizer %s --variants seq", cases[i].tool), 4);
        check_file_has("called.txt", cases[i].called);
        check_file_has("called.txt", " verify --algo lbp --variants seq --quick\n");
    }
    search_path_restore(before);
}

/* === bench new-algorithm ====================================================================== */

TEST(a_project_is_written) {
    Outcome outcome = bench_ok("new-algorithm blur --full");
    check_contains(outcome.out, "bench verify --plugin build/blur.so --algo blur\n");
    /* Of a program that is not installed: lines that can be typed as they are. */
    check_contains(outcome.out, "\nThen\n  cmake --install ");
    check_contains(outcome.out, " --prefix \"$HOME/.local\"\n  cd blur\n");
    check_contains(outcome.out, "-DCMAKE_PREFIX_PATH=\"$HOME/.local\" && cmake --build build\n");
    static const char *const files[] = {
        "CMakeLists.txt",   "README.md",     "blur_answer.h",
        "blur_algorithm.c", "blur_seq.c",    "blur_omp.c",
        "blur_variants.c",  "blur_naive.cu", ".github/workflows/bench.yml",
        ".gitlab-ci.yml",   ".gitignore"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char path[64];
        snprintf(path, sizeof path, "blur/%s", files[i]);
        char *text = read_text(path);
        assert_null(strcasestr(text, "invert"));
    }
    check_file_has("blur/blur_answer.h", "#ifndef BLUR_ANSWER_H\n");
}

/* One file, which is verified where it lies. */
TEST(one_file_is_written) {
    static const struct {
        const char *language, *file;
    } cases[] = {{"c", "blend/blend.c"}, {"c++", "blend/blend.cpp"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Outcome outcome = bench_ok("new-algorithm blend --language %s", cases[i].language);
        char line[64];
        snprintf(line, sizeof line, "bench run %s --sizes all\n", strchr(cases[i].file, '/') + 1);
        check_contains(outcome.out, line);
        assert_int_equal(count_files(".c") + count_files(".cpp") + count_files(".cu"), 1);
        bench_ok("verify %s --shapes 33x17 --contents noise", cases[i].file);
        check_file_has("blend/README.md", strchr(cases[i].file, '/') + 1);
        check_file_has("blend/.github/workflows/bench.yml", strchr(cases[i].file, '/') + 1);
        check_file_has("blend/.gitlab-ci.yml", strchr(cases[i].file, '/') + 1);
        check_file_has("blend/.gitignore", "\n/bench-runs/\n");
        assert_int_equal(unlink(cases[i].file), 0);
        assert_int_equal(rename("blend", i == 0 ? "first" : "second"), 0);
    }
    bench_ok("new-algorithm blend --language cuda");
    check_file_has("blend/blend.cu", "bench run blend.cu --sizes all");
    bench_ok("new-algorithm blend with-opencv --opencv");
    check_file_has("with-opencv/CMakeLists.txt", "bench_add_algorithm(blend FILE blend.cpp)");
    check_refused(bench("new-algorithm blend two --full --opencv"), 2, "give one of them");
    check_refused(bench("new-algorithm blend two --language perl"), 2, "perl");
}

TEST(nothing_is_overwritten) {
    assert_int_equal(mkdir("mine", 0700), 0);
    write_file("mine/.notes", "x", 1);
    check_refused(bench("new-algorithm blur mine"), 5, "mine is not empty");
    assert_int_equal(unlink("mine/.notes"), 0);
    bench_ok("new-algorithm blur mine --full");
    assert_true(file_exists("mine/blur_seq.c"));
    check_refused(bench("new-algorithm blur mine"), 5, "mine is not empty");
}

TEST(names_have_to_be_usable) {
    const size_t before = count_files("");
    check_refused(bench("new-algorithm"), 2, "name the algorithm");
    check_refused(bench("new-algorithm lbp"), 2, "'lbp' is taken");
    static const char *const reserved[] = {
        "test",   "all",      "codegen", "m",     "dl",  "bool",    "true",    "linux",
        "unix",   "main",     "errno",   "stdin", "int", "while",   "class",   "and",
        "inline", "restrict", "false",   "i386",  "new", "nullptr", "default", "xor_eq"};
    for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; i++) {
        char fragment[64];
        snprintf(fragment, sizeof fragment, "'%s' is taken: it is a ", reserved[i]);
        check_refused(bench("new-algorithm %s", reserved[i]), 2, fragment);
        assert_false(file_exists(reserved[i]));
    }
    static const char *const wrong[] = {"Blur", "2d", "a-b", "../x", "a.b", "_x", "$(ls)"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        check_refused(bench("new-algorithm %s", wrong[i]), 2, "is no name of an algorithm");
    }
    assert_true(count_files("") <= before + 2); /* what programs said */
    assert_int_equal(count_files(".h"), 0);
}
