
#include "algorithm.h"
#include "cli_internal.h"
#include "registry.h"
#include "run_options.h"
#include "status_checks.h"
#include "test.h"

enum { WORDS_MAX = 64, LINE_MAX_SIZE = 512 };

/* A command line taken apart at spaces; "''" stands for an empty argument. */
typedef struct ArgumentWords {
    char line[LINE_MAX_SIZE];
    char *argv[WORDS_MAX];
    int argc;
} ArgumentWords;

static void split(const char *line, ArgumentWords *words) {
    words->argc = 0;
    snprintf(words->line, sizeof words->line, "%s", line);
    for (char *word = strtok(words->line, " "); word != NULL; word = strtok(NULL, " ")) {
        words->argv[words->argc++] = strcmp(word, "''") == 0 ? word + 2 : word;
    }
}

static void parse_good(const char *line, ArgumentWords *words, RunOptions *options) {
    split(line, words);
    const Status status = options_parse(&command_run, words->argc, words->argv, options);
    if (status.code != STATUS_OK) {
        fail_msg("%s: %s", line, status.why);
    }
    assert_false(options->list);
}

TEST(defaults) {
    ArgumentWords words;
    RunOptions options;
    parse_good("--algo lbp", &words, &options);
    assert_int_equal(options.algorithm_count, 1);
    assert_ptr_equal(options.algorithms[0], registry_find_algorithm("lbp"));
    assert_int_equal(options.size_count, 1);
    assert_string_equal(options.sizes[0].name, "1080p");
    assert_int_equal(options.variant_count, 0);
    assert_int_equal(options.axis_count, 0);
    assert_null(options.input);
    assert_string_equal(options.synthetic, "texture");
    assert_int_equal(options.seed, 1);
    assert_int_equal(options.reps, 0);
    assert_true(options.ci_width == 0.01);
    assert_int_equal(options.min_reps, 15);
    assert_true(options.max_time == 10.0);
    assert_true(options.max_cell == 60.0);
    assert_true(options.max_long == 30.0); /* half of the budget */
    assert_int_equal(options.warmup, 0);
    assert_true(options.roof && options.plot);
    assert_false(options.cold || options.pinned || options.dry_run || options.quiet);
    assert_true(options.interleave);
    assert_null(options.out);
    assert_null(options.csv);
    assert_null(options.json);
    assert_null(options.save);
    assert_null(options.resume);
}

/* A run of seq that takes longer leaves the others no time. A module's call may: it would fail. A
 * launch is told. */
TEST(half_of_the_budget_is_the_most_of_a_run_of_seq) {
    static const struct {
        const char *line;
        double seq, cell;
    } lines[] = {
        {"--algo lbp --budget 20s", 10, 60},
        {"--algo lbp --budget 10min", 300, 60},
        {"--algo lbp --budget none", 0, 60},
        {"--algo lbp --budget 20s --max-cell 45s", 0, 45},
        {"--algo lbp --launches 6", 0, 60},
        {"--algo lbp --budget 2s --pass 1/12", 0, 60},
        {"--algo lbp --budget 2s --pass 1/12 --max-long 10s", 10, 60},
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        ArgumentWords words;
        RunOptions options;
        parse_good(lines[i].line, &words, &options);
        assert_float_equal(options.max_long, lines[i].seq, 0);
        assert_float_equal(options.max_cell, lines[i].cell, 0);
    }
}

TEST(every_option) {
    ArgumentWords words;
    RunOptions options;
    parse_good("--algo=lbp,copy --sizes 4k,64x48 --input p.png --variants seq,omp,seq --threads "
               "1,2 --ci-width 2.5% --min-reps 7 --max-time 500ms --max-cell 2min --warmup 5 "
               "--cold --pinned --seed 18446744073709551615 --csv a.csv --json=a.json --out o "
               "--save s --no-plot --no-roof --no-interleave --dry-run --quiet",
               &words, &options);
    assert_int_equal(options.algorithm_count, 2);
    assert_string_equal(options.algorithms[1]->name, "copy");
    assert_int_equal(options.size_count, 2);
    assert_string_equal(options.sizes[0].name, "4K");
    assert_string_equal(options.input, "p.png");
    assert_null(options.synthetic);
    assert_int_equal(options.variant_count, 2);
    assert_string_equal(options.variants[1], "omp");
    assert_int_equal(options.axis_count, 1);
    assert_string_equal(options.axes[0].name, "threads");
    assert_string_equal(options.axes[0].list, "1,2");
    assert_true(options.ci_width == 0.025);
    assert_int_equal(options.min_reps, 7);
    assert_true(options.max_time == 0.5);
    assert_true(options.max_cell == 120.0);
    assert_int_equal(options.warmup, 5);
    assert_true(options.cold && options.pinned && options.dry_run && options.quiet);
    assert_false(options.interleave);
    assert_false(options.plot || options.roof);
    assert_true(options.seed == UINT64_MAX);
    assert_string_equal(options.csv, "a.csv");
    assert_string_equal(options.json, "a.json");
    assert_string_equal(options.out, "o");
    assert_string_equal(options.save, "s");
}

TEST(values_in_other_forms) {
    ArgumentWords words;
    RunOptions options;
    parse_good("--algo all --variants all --reps=1 --max-time 0.25", &words, &options);
    assert_int_equal(options.algorithm_count, registry_algorithm_count());
    assert_int_equal(options.variant_count, 0);
    assert_int_equal(options.reps, 1);
    assert_true(options.max_time == 0.25);
    parse_good("--algo lbp --input x --max-time 3s --ci-width 0.05 --variants seq,all", &words,
               &options);
    assert_string_equal(options.sizes[0].name, "native");
    assert_int_equal(options.sizes[0].width, 0);
    assert_int_equal(options.variant_count, 0);
    assert_true(options.max_time == 3.0);
    assert_true(options.ci_width == 0.05);
}

TEST(a_density_is_a_share) {
    ArgumentWords words;
    RunOptions options;
    parse_good("--algo lbp --synthetic cantor", &words, &options);
    assert_true(options.density == 0);
    assert_false(options.save_table);
    parse_good("--algo lbp --synthetic random --density 12.5%", &words, &options);
    assert_true(options.density == 0.125);
    parse_good("--algo lbp --synthetic even --density 1", &words, &options);
    assert_true(options.density == 1);
}

TEST(the_last_one_counts) {
    ArgumentWords words;
    RunOptions options;
    parse_good("--algo copy --algo lbp --reps 3 --reps 4 --cold --hot --no-plot --plot --sizes 4K "
               "--sizes 1x1 --threads 1 --threads 2 --variants seq --variants omp",
               &words, &options);
    assert_int_equal(options.algorithm_count, 1);
    assert_string_equal(options.algorithms[0]->name, "lbp");
    assert_int_equal(options.reps, 4);
    assert_false(options.cold);
    assert_true(options.plot);
    assert_int_equal(options.size_count, 1);
    assert_string_equal(options.sizes[0].name, "1x1");
    assert_int_equal(options.axis_count, 1);
    assert_string_equal(options.axes[0].list, "2");
    assert_int_equal(options.variant_count, 1);
    assert_string_equal(options.variants[0], "omp");
}

static void check_bad(const char *line, StatusCode code, const char *fragment) {
    ArgumentWords words;
    RunOptions options;
    split(line, &words);
    const Status status = options_parse(&command_run, words.argc, words.argv, &options);
    if (status.code != code || strstr(status.why, fragment) == NULL) {
        fail_msg("%s: status %d '%s' instead of %d '%s'", line, status.code, status.why, code,
                 fragment);
    }
    assert_null(strchr(status.why, '\n'));
}

TEST(wrong_command_lines) {
    static const struct {
        const char *line, *fragment;
    } cases[] = {
        {"", "--algo is needed"},
        {"--algo lbp --pass 5/6 --launches 4", "--pass: there is no launch 5 of 4"},
        {"--sizes 4K", "'bench list'"},
        {"--algo", "--algo needs a value"},
        {"--algo --sizes 4K", "--algo needs a value"},
        {"--algo=", "--algo: the value is empty"},
        {"--algo ''", "--algo: the value is empty"},
        {"--algo lbp,", "--algo: the list ends without a name"},
        {"--algo ,lbp", "--algo: there is an empty name"},
        {"--algo lpb", "'lpb' is no algorithm; did you mean 'lbp'?"},
        {"--algo fourier", "'fourier' is no algorithm (known: lbp"},
        {"--algo lbp --variants opm", "--variants: 'opm' is no variant; did you mean 'omp'?"},
        {"--algo lbp --variants opencl", "'opencl' is no variant (see 'bench list')"},
        {"--algo lbp --sizes 0x0", "--sizes: '0x0' has no pixels"},
        {"--algo lbp --sizes -3x5", "--sizes: '-3x5' is no size"},
        {"--algo lbp --sizes 1e9x1e9", "--sizes: '1e9x1e9' is no size"},
        {"--algo lbp --sizes 1080q", "did you mean '1080p'?"},
        {"--algo lbp --sizes ''", "--sizes: the value is empty"},
        {"--algo lbp --sizes native", "native is the input's own size and needs --input"},
        {"--algo lbp --synthetic textur", "did you mean 'texture'?"},
        {"--algo lbp --synthetic sky", "'sky' is no synthetic kind (known: "},
        {"--algo lbp --reps 0", "--reps: '0' is not a whole number from 1 to 1000000"},
        {"--algo lbp --reps -5", "--reps: '-5' is not a whole number"},
        {"--algo lbp --reps +5", "not a whole number"},
        {"--algo lbp --reps 5x", "not a whole number"},
        {"--algo lbp --reps 1.5", "not a whole number"},
        {"--algo lbp --reps 99999999999999999999999", "not a whole number"},
        {"--algo lbp --reps 4294967297", "not a whole number"},
        {"--algo lbp --warmup 0", "--warmup: '0'"},
        {"--algo lbp --seed -1", "--seed: '-1'"},
        {"--algo lbp --seed 18446744073709551616", "--seed: "},
        {"--algo lbp --save-table", "--save-table needs the folder to write to"},
        {"--algo lbp --save s --save-table", "--save-table: lbp has no table"},
        {"--algo lbp --density 0.1", "write --synthetic random, even, clustered or cantor"},
        {"--algo lbp --input a --density 0.1", "--density is the share of ones"},
        {"--algo lbp --synthetic even --density 0", "--density: '0' is not a share"},
        {"--algo lbp --synthetic even --density 101%", "'101%' is not a share"},
        {"--algo lbp --ci-width 0", "--ci-width: '0' is not a ratio"},
        {"--algo lbp --ci-width 100%", "not a ratio"},
        {"--algo lbp --ci-width 1%%", "not a ratio"},
        {"--algo lbp --ci-width nan", "not a ratio"},
        {"--algo lbp --ci-width -1%", "not a ratio"},
        {"--algo lbp --max-time 0", "--max-time: '0' is not a time"},
        {"--algo lbp --max-time inf", "not a time"},
        {"--algo lbp --max-time 1e9", "not a time"},
        {"--algo lbp --max-time 0x10", "not a time"},
        {"--algo lbp --max-time 10m", "write 10, 10s, 500ms or 2min"},
        {"--algo lbp --max-time .", "not a time"},
        {"--algo lbp --max-time 1.2.3", "not a time"},
        {"--algo lbp --quiet=1", "--quiet takes no value"},
        {"--algo lbp --size 4K", "unknown option '--size'; did you mean '--sizes'?"},
        {"--algo lbp --thraeds 2", "did you mean '--threads'?"},
        {"--algo lbp --frobnicate", "unknown option '--frobnicate'; --help lists"},
        {"-algo lbp", "unknown option '-algo'; write --algo"},
        {"--algo lbp copy", "unexpected argument 'copy'"},
        {"--algo lbp --", "unexpected argument '--'"},
        {"--algo lbp --threads", "--threads needs a value"},
        {"--algo lbp --threads=", "--threads: the value is empty"},
        {"--algo lbp --variants seq --threads 2",
         "--threads: nothing that is selected of lbp has this axis"},
        {"--algo lbp --input a --synthetic noise", "--input and --synthetic cannot be combined"},
        {"--algo lbp --reps 3 --ci-width 1%", "--reps and --ci-width cannot be combined"},
        {"--algo lbp --reps 3 --min-reps 5", "--reps and --min-reps cannot be combined"},
        {"--algo lbp --resume a --out b", "--resume and --out cannot be combined"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_bad(cases[i].line, STATUS_USAGE, cases[i].fragment);
    }
}

TEST(an_axis_says_whose_it_is) {
    check_bad("--algo lbp --variants seq --threads 2", STATUS_USAGE, "it is an axis of lbp (omp");
    char owners[256];
    axis_owners("threads", owners, sizeof owners);
    assert_says(owners, "lbp (omp");
    axis_owners("no_such_axis", owners, sizeof owners);
    assert_string_equal(owners, "");
}

/* Variants are never hard-coded in the parser, so the test looks for one that copy lacks. */
TEST(a_variant_of_another_algorithm_matches_nothing) {
    const Algorithm *lbp = registry_find_algorithm("lbp");
    const Algorithm *copy = registry_find_algorithm("copy");
    for (size_t i = 0; i < registry_variant_count(lbp); i++) {
        const char *name = registry_variant(lbp, i)->name;
        if (registry_find_variant(copy, name) == NULL) {
            char line[LINE_MAX_SIZE];
            snprintf(line, sizeof line, "--algo copy --variants %s", name);
            check_bad(line, STATUS_NO_MATCH, "--variants: copy has no variant");
            return;
        }
    }
    fail_msg("copy has every variant of every algorithm");
}

TEST(every_axis_is_an_option) {
    const AxisCatalog catalog = axis_catalog();
    assert_true(catalog.count > 0);
    assert_non_null(axis_catalog_find(&catalog, "threads"));
    for (size_t i = 0; i < catalog.count; i++) {
        ArgumentWords words;
        RunOptions options;
        char line[LINE_MAX_SIZE];
        snprintf(line, sizeof line, "--algo all --%s=1", catalog.axes[i]->name);
        parse_good(line, &words, &options);
        assert_int_equal(options.axis_count, 1);
        assert_string_equal(options.axes[0].name, catalog.axes[i]->name);
    }
}

TEST(a_list_needs_no_algorithm) {
    static const char *const lines[] = {"--list", "--list --algo lbp"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        ArgumentWords words;
        RunOptions options;
        split(lines[i], &words);
        assert_ok(options_parse(&command_run, words.argc, words.argv, &options));
        assert_true(options.list);
    }
}

TEST(commands_take_only_their_options) {
    ArgumentWords words;
    RunOptions options;
    void *list = malloc(command_list.size);
    assert_non_null(list);
    split("--algo lbp", &words);
    Status status = options_parse(&command_list, words.argc, words.argv, list);
    assert_ok(status);
    split("--sizes 4K", &words);
    status = options_parse(&command_list, words.argc, words.argv, list);
    assert_int_equal(status.code, STATUS_USAGE);
    free(list);
    status = options_parse(&command_roof, words.argc, words.argv, &options);
    assert_int_equal(status.code, STATUS_USAGE);
    split("--fresh --format json --quiet", &words);
    status = options_parse(&command_roof, words.argc, words.argv, &options);
    assert_ok(status);
    assert_true(options.fresh && options.quiet);
    assert_int_equal(options.format, ROOF_JSON);
    split("--format jason", &words);
    assert_status(options_parse(&command_roof, words.argc, words.argv, &options), STATUS_USAGE,
                  "did you mean");
    split("--algo lbp", &words);
    status = options_parse(&command_roof, words.argc, words.argv, &options);
    assert_int_equal(status.code, STATUS_USAGE);
}

TEST(resume_alone_needs_no_algorithm) {
    ArgumentWords words;
    RunOptions options;
    parse_good("--resume runs/a --quiet", &words, &options);
    assert_string_equal(options.resume, "runs/a");
    assert_int_equal(options.algorithm_count, 0);
}

TEST(help_fits_the_terminal) {
    FILE *stream = test_stream();
    command_print_start(stream, &command_run);
    command_print_options(stream, &command_run);
    char *text = test_text(stream);
    assert_says(text, "--sizes LIST|all");
    assert_says(text, "--resume DIR");
    for (const char *line = text; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        assert_true(length <= 100);
        line += length + (line[length] == '\n');
    }
}
