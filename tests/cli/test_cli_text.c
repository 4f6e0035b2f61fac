/* Help, lists and refusals: nothing is measured here. */
#include <fcntl.h>
#include <unistd.h>

#include <cJSON.h>

#include "needs.h"
#include "program.h"
#include "test.h"

EACH_TEST(folder_enter, folder_leave);

/* Characters of the longest line; continuation bytes of UTF-8 are none. */
static size_t widest_line(const char *text) {
    size_t widest = 0;
    size_t width = 0;
    for (; *text != '\0'; text++) {
        width = *text == '\n' ? 0 : width + (((unsigned char)*text & 0xC0) != 0x80);
        widest = width > widest ? width : widest;
    }
    return widest;
}

static void check_text(const char *line, const char *fragment) {
    Outcome outcome = bench_ok("%s", line);
    check_contains(outcome.out, fragment);
    assert_string_equal(outcome.err, "");
}

TEST(help_explains) {
    static const char *const helps[] = {"--help", "-h", "help"};
    for (size_t i = 0; i < sizeof helps / sizeof helps[0]; i++) {
        check_text(helps[i], "bench --algo lbp --sizes all");
        check_text(helps[i], "Exit codes");
        check_text(helps[i], "130   interrupted");
    }
    check_text("help run", "--ci-width RATIO");
    check_text("help run", "--threads LIST");
    check_text("run --help", "--ci-width RATIO");
    check_text("--algo nonsense --help", "--ci-width RATIO");
    check_text("help list", "bench list lbp");
    check_text("list --help", "bench list lbp");
    check_text("help roof", "bench machine roof --fresh --format json");
    check_text("roof --help", "bench machine roof --fresh --format json");
    check_text("machine roof --help", "bench machine roof --fresh --format json");
    check_text("help machine roof", "bench machine roof --fresh --format json");
    check_text("help help", "bench help [COMMAND|commands|columns|schema|environment]");
    check_text("help commands", "\napp match  ");
    check_text("app", "\n  app match  ");
    check_text("app --help", "\n  app match  ");
    check_text("help ci", "\n  ci history  ");
    check_text("help columns", "speedup_vs_best_cpu");
}

TEST(alone_it_says_what_to_type) {
    Outcome outcome = bench_ok("%s", "");
    assert_string_equal(outcome.err, "");
    assert_true(widest_line(outcome.out) <= 80);
    check_contains(outcome.out, "\n  bench --algo lbp --sizes all ");
    check_contains(outcome.out, "\n  bench --help ");
    /* Every command that --help names stands in a group. */
    char *groups = strstr(outcome.out, "\nCommands\n");
    assert_non_null(groups);
    for (char *at = groups; *at != '\0'; at++) {
        *at = (char)(*at == '\n' ? ' ' : *at);
    }
    Outcome help = bench("--help");
    size_t commands = 0;
    char name[32];
    const char *line = strstr(help.out, "\nCommands\n");
    line += sizeof "\nCommands\n" - 1;
    for (; strncmp(line, "  ", 2) == 0; line = strchr(line, '\n') + 1) {
        char word[40];
        if (line[2] == ' ' || sscanf(line, " %31s", name) != 1) {
            continue; /* of a summary that needs two lines */
        }
        snprintf(word, sizeof word, " %s ", name);
        check_contains(groups, word);
        commands++;
    }
    assert_true(commands >= 12 && commands <= 20);
}

/* Names of `bench help` and lists, whose lines fit the window. */
TEST(text_fits_the_window) {
    static const char *const lines[] = {"",           "help",         "help run",   "help study",
                                        "help train", "help compare", "help curve", "list",
                                        "list all",   "help match",   "help report"};
    static const int windows[] = {60, 80, 160};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        for (size_t k = 0; k < sizeof windows / sizeof windows[0]; k++) {
            Outcome outcome = bench_on_terminal(windows[k], "%s", lines[i]);
            check_code(&outcome, 0);
            const size_t most = windows[k] < 100 ? (size_t)windows[k] : 100;
            if (widest_line(outcome.out) > most) {
                fail_msg("bench %s: a line of %zu characters in a window of %d", lines[i],
                         widest_line(outcome.out), windows[k]);
            }
            assert_true(k == 0 || widest_line(outcome.out) > 60);
        }
    }
}

TEST(help_fits_100_columns) {
    static const char *const lines[] = {"help",      "help run",   "help list", "help roof",
                                        "help help", "list --all", "list"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        Outcome outcome = bench_ok("%s", lines[i]);
        if (widest_line(outcome.out) > 100) {
            fail_msg("bench %s: a line of %zu characters", lines[i], widest_line(outcome.out));
        }
    }
}

TEST(version) {
    Outcome outcome = bench_ok("--version");
    assert_memory_equal(outcome.out, "bench ", 6);
    check_contains(outcome.out, "commit");
}

TEST(list_shows_what_there_is) {
    Outcome outcome = bench_ok("list --all");
    static const char *const expected[] = {"lbp",     "copy",       "seq",    "simd",
                                           "omp",     "cuda_tiled", "--tile", "--threads",
                                           "360p",    "15360x8640", "native", "texture",
                                           "Devices", "cpu",        "cuda",   "improves on"};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        check_contains(outcome.out, expected[i]);
    }
    assert_string_equal(outcome.err, "");
    Outcome same = bench_ok("list all");
    assert_string_equal(same.out, outcome.out);
}

TEST(list_of_one_algorithm) {
    Outcome outcome = bench_ok("list --algo copy");
    check_contains(outcome.out, "\ncopy");
    assert_null(strstr(outcome.out, "\nlbp"));
    Outcome same = bench_ok("list copy");
    assert_string_equal(same.out, outcome.out);
}

/* A line an algorithm; three of lbp's variants run on every machine. */
TEST(list_alone_is_short) {
    Outcome outcome = bench_ok("list");
    size_t lines = 0;
    for (const char *at = outcome.out; (at = strchr(at, '\n')) != NULL; at++) {
        lines++;
    }
    assert_true(lines < 25);
    size_t here = 0, all = 0;
    const char *line = strstr(outcome.out, "\nlbp ");
    assert_non_null(line);
    assert_int_equal(sscanf(line, "\nlbp %zu of %zu 3×3 local binary", &here, &all), 2);
    assert_true(here >= 3 && here <= all);
    assert_int_equal(strstr(outcome.out, "variants cannot run here: ") != NULL, here < all);
    check_contains(outcome.out, "'bench list NAME'");
    Outcome same = bench_ok("--list");
    assert_string_equal(same.out, outcome.out);
}

TEST(list_as_json) {
    Outcome outcome = bench_ok("list lbp,haar --json");
    cJSON *root = cJSON_Parse(outcome.out);
    assert_non_null(root);
    const cJSON *algorithms = cJSON_GetObjectItem(root, "algorithms");
    assert_int_equal(cJSON_GetArraySize(algorithms), 2);
    assert_true(cJSON_GetArraySize(cJSON_GetObjectItem(root, "devices")) >= 1);
    const cJSON *lbp = cJSON_GetArrayItem(algorithms, 0);
    assert_string_equal(cJSON_GetObjectItem(lbp, "name")->valuestring, "lbp");
    const cJSON *variant;
    size_t seen = 0;
    cJSON_ArrayForEach(variant, cJSON_GetObjectItem(lbp, "variants")) {
        const char *name = cJSON_GetObjectItem(variant, "name")->valuestring;
        const bool here = cJSON_IsTrue(cJSON_GetObjectItem(variant, "available"));
        assert_true(here == (cJSON_GetObjectItem(variant, "why") == NULL));
        if (strcmp(name, "omp") == 0) {
            const cJSON *axis = cJSON_GetArrayItem(cJSON_GetObjectItem(variant, "axes"), 0);
            assert_string_equal(cJSON_GetObjectItem(axis, "name")->valuestring, "threads");
            assert_string_equal(cJSON_GetObjectItem(axis, "default")->valuestring, "most");
            assert_true(here);
            seen++;
        } else if (strcmp(name, "cuda_naive") == 0) {
            const cJSON *axis = cJSON_GetArrayItem(cJSON_GetObjectItem(variant, "axes"), 0);
            const cJSON *values = cJSON_GetObjectItem(axis, "values");
            assert_string_equal(cJSON_GetArrayItem(values, 1)->valuestring, "16");
            seen++;
        }
    }
    assert_int_equal(seen, 2);
    cJSON_Delete(root);
    outcome = bench_ok("list --json");
    root = cJSON_Parse(outcome.out);
    assert_true(cJSON_GetArraySize(cJSON_GetObjectItem(root, "algorithms")) >= 10);
    cJSON_Delete(root);
}

/* Help is given whatever else is on the line, and measures nothing. */
TEST(help_comes_first) {
    check_text("--sizes nonsense --help", "bench [run] --algo NAME");
    check_text("-h", "bench COMMAND [options]");
    check_text("study nowhere --render -h", "bench study NAME");
    check_text("plot --help", "bench runs plot [RUN...]");
    check_text("--algo lbp --list", "Algorithms and their variants");
}

TEST(refusals) {
    static const struct {
        const char *line;
        int code;
        const char *fragment;
    } cases[] = {
        {"run", 2, "--algo is needed"},
        {"--sizes 4K", 2, "--algo is needed"},
        {"list lpb", 2, "list: 'lpb' is no algorithm; did you mean 'lbp'?"},
        {"list lbp haar", 2,
         "list: unexpected argument 'haar'; name one algorithm, or several "
         "with commas"},
        {"run", 2, "'bench list'"},
        {"lits", 2, "'lits' is no command; did you mean 'list'? (known: demo, run, verify"},
        {"frobnicate", 2,
         "(known: demo, run, verify, study, ci, machine, runs, show, figure, report, compare, app, "
         "list, peers, new-algorithm, help)"},
        {"hsitory", 2, "did you mean 'ci history'?"},
        {"app matsh", 2,
         "'matsh' is no command; did you mean 'app match'? (known: classify, curve"},
        {"runs mrge", 2, "'mrge' is no command; did you mean 'runs merge'? (known: merge, "},
        {"ci hstory", 2, "'hstory' is no command; did you mean 'ci history'?"},
        {"machine 4K", 2, "(known: roof, selftest, profile)"},
        {"verify", 2, "Write --algo lbp; --algo all takes minutes"},
        {"verify --quick --quiet", 2, "Write --algo lbp; --algo all takes minutes"},
        {"help app x", 2, "'x' is no command (known: classify, "},
        {"help lits", 2, "did you mean 'list'?"},
        {"help run list", 2, "unexpected argument 'list'"},
        {"--algo lpb", 2, "did you mean 'lbp'?"},
        {"list --algo lpb", 2, "did you mean 'lbp'?"},
        {"list --sizes 4K", 2, "unknown option '--sizes'"},
        {"--algo lbp --variants opm", 2, "did you mean 'omp'?"},
        {"--algo copy --variants cuda_tiled", 3, "copy has no variant 'cuda_tiled'"},
        {"--algo lbp --szies 4K", 2, "did you mean '--sizes'?"},
        {"--algo lbp --sizes 0x0", 2, "--sizes: '0x0' has no pixels"},
        {"--algo lbp --sizes -3x5", 2, "--sizes: '-3x5' is no size"},
        {"--algo lbp --sizes 1e9x1e9", 2, "--sizes: '1e9x1e9' is no size"},
        {"--algo lbp --synthetic nosie", 2, "did you mean 'noise'?"},
        {"--algo lbp --threads 0 --sizes 8x8", 2, "threads"},
        {"--algo lbp --threads x --sizes 8x8", 2, "threads"},
        {"--algo lbp --threads 4..1 --sizes 8x8", 2, "threads"},
        {"--algo lbp --threads , --sizes 8x8", 2, "threads"},
        {"--algo lbp --variants seq --tile 8", 2, "it is an axis of"},
        {"--algo lbp --input a.png --synthetic noise", 2, "cannot be combined"},
        {"roof --algo lbp", 2, "unknown option '--algo'"},
        {"--agol lbp", 2, "unknown option '--agol'; did you mean '--algo'?"},
        {"list --agol lbp", 2, "did you mean '--algo'?"},
        {"compare --apha=1 a b", 2, "did you mean '--alpha'?"},
        {"--algo hashsift --scale x", 2, "--scale: 'x' is no scale"},
        {"--algo lbp_riu --pr x", 2, "--pr: 'x' is not points:radius"},
        {"--algo matching --keypoints 100001 --dry-run", 2, "from 0 to 100000, not '100001'"},
        {"--algo matching --keypoints 100001", 2, "from 0 to 100000, not '100001'"},
        {"--algo lbp \x1b[31m", 2, "unexpected argument '\\x1b[31m'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_refused(bench("%s", cases[i].line), cases[i].code, cases[i].fragment);
        assert_false(file_exists("reports"));
    }
}

/* A word in place of an option or a command says what was meant, with the rest of the line. */
TEST(a_word_that_is_an_argument_says_of_what) {
    static const struct {
        const char *line, *fragment;
    } cases[] = {
        {"lbp", "'lbp' is an algorithm; write: bench run --algo lbp\n"},
        {"run lbp", "'lbp' is an algorithm; write: bench run --algo lbp\n"},
        {"lbp --sizes 4K --quiet", "write: bench run --algo lbp --sizes 4K --quiet\n"},
        {"run --sizes 4K lbp", "write: bench run --algo lbp --sizes 4K\n"},
        {"verify lbp", "write: bench verify --algo lbp\n"},
        {"machine selftest lbp", "write: bench machine selftest --algo lbp\n"},
        {"selftest lbp", "write: bench machine selftest --algo lbp\n"},
        {"photo.jpg", "'photo.jpg' is an image; write: bench run --algo lbp --input photo.jpg\n"},
        {"run --algo haar a.PNG", "write: bench run --input a.PNG --algo haar\n"},
        {"it's\x1b[31m.png", "write: bench run --algo lbp --input $'it\\x27s\\x1b[31m.png'\n"},
        {"omp", "'omp' is a variant; write: bench run --algo lbp --variants omp\n"},
        {"640x480", "'640x480' is a size; write: bench run --algo lbp --sizes 640x480\n"},
        {"latest", "'latest' is a stored run; write: bench show latest\n"},
        {"lbp-2020", "'lbp-2020' is a study; write: bench study lbp-2020 --quick\n"},
        {"results.json.gz",
         "'results.json.gz' is a stored run; write: bench show results.json.gz\n"},
        {"help omp", "'omp' is a variant; write: bench run --algo lbp --variants omp\n"},
        {"run --algo lbp haar", "unexpected argument 'haar'; options begin with --"},
        {"run frob", "unexpected argument 'frob'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_refused(bench("%s", cases[i].line), 2, cases[i].fragment);
    }
    Outcome list = bench("list lbp"), help = bench("help lbp");
    assert_string_equal(help.out, list.out);
    assert_false(file_exists("reports"));
}

TEST(the_short_help_is_short) {
    Outcome brief = bench("run -h"), whole = bench("run --help"), other = bench("compare -h");
    check_code(&brief, 0);
    assert_true(widest_line(brief.out) <= 80);
    size_t lines = 0, options = 0;
    for (const char *at = brief.out; *at != '\0'; at++) {
        lines += *at == '\n';
        options += strncmp(at, "\n  --", 5) == 0;
    }
    assert_true(lines <= 25);
    assert_int_equal(options, 8);
    check_contains(brief.out, "\n  --budget TIME");
    check_contains(brief.out, "\nExamples\n  bench ");
    check_contains(brief.out, "'bench help run'");
    check_contains(whole.out, "--ci-width RATIO");
    check_contains(other.out, "--threshold RATIO"); /* has few options as it is */
    Outcome roof = bench("roof -h");
    check_contains(roof.out, "--fresh "); /* whose rows are those of run */
}

/* An axis of one algorithm stands under it; those of several come first. */
TEST(axes_stand_under_their_algorithm) {
    Outcome help = bench("help run");
    const char *several = strstr(help.out, "\nAxes of several algorithms; lists sweep");
    const char *threads = strstr(help.out, "\n  --threads LIST");
    const char *own =
        strstr(help.out, "\nAxes of lacunarity (bench list lacunarity)\n  --box LIST");
    assert_true(several != NULL && threads != NULL && own != NULL);
    assert_true(several < threads && threads < own);
}

/* Old names work as the new ones do. */
TEST(a_name_without_its_family_works) {
    static const char *const lines[][2] = {{"match --help", "app match --help"},
                                           {"help history", "help ci history"},
                                           {"help --man roof", "help --man machine roof"},
                                           {"merge -h", "runs merge -h"}};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        Outcome old = bench("%s", lines[i][0]), now = bench("%s", lines[i][1]);
        check_code(&old, 0);
        assert_string_equal(old.out, now.out);
    }
    check_refused(bench("app match"), 2, "match: name two images");
    check_refused(bench("match"), 2, "match: name two images");
}

TEST(variants_of_a_side) {
    Outcome cpu = bench_ok("--algo lbp --sizes 64x48 --variants cpu --dry-run");
    check_contains(cpu.out, "\nlbp/omp/texture/64x48");
    assert_null(strstr(cpu.out, "cuda_"));
    assert_null(strstr(cpu.out, "omp_seq")); /* on request only */
    Outcome more = bench_ok("--algo lbp --sizes 64x48 --variants gpu,simd,omp_seq --dry-run");
    check_contains(more.out, "\nlbp/simd/");
    check_contains(more.out, "\nlbp/omp_seq/");
    check_contains(more.out, "\nlbp/cuda_fast/");
    assert_null(strstr(more.out, "lbp/seq/"));
    Outcome same = bench("--algo lbp --sizes 64x48 --variants cuda,simd,omp_seq --dry-run");
    check_contains(same.out, "\nlbp/cuda_fast/");
}

/* What is asked for comes first, and many cells do not follow unasked. */
TEST(a_dry_run_says_the_time_first) {
    Outcome few = bench("--algo lbp --sizes 64x48 --variants seq,simd --dry-run");
    Outcome many = bench("--algo lbp --sizes 64x48,32x32,16x16 --variants all --dry-run");
    Outcome all = bench("--algo lbp --sizes 64x48,32x32,16x16 --variants all --dry-run --all");
    assert_memory_equal(few.out, "expected time: about ", 21);
    assert_memory_equal(many.out, "expected time: about ", 21);
    check_contains(few.out, "\nlbp/seq/texture/64x48 ");
    check_contains(many.out, "; --dry-run --all lists them\n");
    assert_null(strstr(many.out, "\nlbp/seq/"));
    check_contains(all.out, "\nlbp/seq/texture/64x48 ");
}

TEST(dry_run_plans_and_writes_nothing) {
    Outcome outcome = bench_ok("--algo lbp --sizes 64x48,32x32 --variants seq,omp --threads 1,2 "
                               "--dry-run --csv a.csv --out folder");
    check_contains(outcome.out, "lbp/seq/texture/64x48");
    check_contains(outcome.out, "lbp/omp/texture/32x32/threads:2");
    assert_false(file_exists("reports"));
    assert_false(file_exists("folder"));
    assert_false(file_exists("a.csv"));
}

TEST(a_full_device_is_reported) {
    const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
    if (full == -1) {
        skip_needing("/dev/full", NULL);
    }
    Outcome outcome = bench_into(full, "list");
    close(full);
    check_code(&outcome, 5);
    check_contains(outcome.err, "standard output could not be written");
}

TEST(a_closed_pipe_does_no_harm) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    close(ends[0]);
    Outcome outcome = bench_into(ends[1], "help run");
    close(ends[1]);
    check_code(&outcome, 0);
    assert_string_equal(outcome.err, "");
}
