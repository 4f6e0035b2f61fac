/* The artifact appendix: every entry is what a run stores, or says that it is not stored; and what
 * pdflatex says about it, where there is one. */
#include "claim.h"
#include "claims.h"
#include "command_line.h"
#include "document.h"
#include "needs.h"
#include "report.h"
#include "report_diff_fixture.h"
#include "stored_run.h"
#include "test.h"

static const char unknown[] = "not stored with a run";

static Document appendix_of(const StoredRun *run, const ClaimList *claims) {
    const ReportRun of = {.stored = run, .name = "the_run"};
    Document document;
    document_open(&document, "Artifact & appendix");
    artifact_build(&(Artifact){.runs = &of,
                               .count = 1,
                               .study = claims != NULL ? "a-study" : NULL,
                               .title = "A study",
                               .repeat = claims != NULL ? "bench study a-study" : NULL,
                               .check = "bench study a-study --check",
                               .claims = claims},
                   &document);
    assert_ok(document_status(&document));
    return document;
}

/* A text block that begins with the words, from there; fails without one. */
static const char *text_of(const Document *document, const char *begin) {
    for (size_t i = 0; i < document->count; i++) {
        const char *text = document->blocks[i].text;
        if (text != NULL && strncmp(text, begin, strlen(begin)) == 0) {
            return text;
        }
    }
    fail_msg("no text begins with '%s'", begin);
    return "";
}

/* 100 times as fast at 10×10, as fast as the CPU at 100×100. */
static StoredRun known_run(void) {
    StoredRun run = plain_run("X1", 0.01);
    bool open;
    argument_list_release(&run.arguments);
    command_line_split("run --algo lbp --seed 7", &run.arguments, &open);
    add_fact(&run.machine, "commit", "abc1234");
    add_fact(&run.machine, "c_compiler", "GNU 99");
    add_fact(&run.machine, "c_flags", "-O3 & more_#%");
    add_fact(&run.machine, "build_type", "Release");
    add_fact(&run.machine, "cuda_compiler", "13.9");
    add_fact(&run.machine, "cuda_architectures", "80-real 90");
    run.elapsed = 754;
    run.results.rows[2].device_peak = UINT64_C(3) << 20;
    return run;
}

TEST(what_is_stored_is_filled_in) {
    RELEASED_BY(stored_run_release) StoredRun run = known_run();
    RELEASED_BY(document_release) Document document = appendix_of(&run, NULL);
    assert_string_equal(text_of(&document, "Program: "), "Program: commit abc1234");
    assert_string_equal(text_of(&document, "Compilation: "),
                        "Compilation: C compiler GNU 99, flags -O3 & more_#%, build type Release, "
                        "nvcc 13.9, for architectures 80-real 90");
    assert_says(text_of(&document, "How much time"), "12:34");
    assert_says(text_of(&document, "A CUDA device"), "3.0 MiB");
    assert_string_equal(text_of(&document, "git checkout"),
                        "git checkout abc1234\ncmake -S . -B build -DCMAKE_BUILD_TYPE=Release "
                        "\"-DCMAKE_CUDA_ARCHITECTURES=80-real;90\"\ncmake --build build\n"
                        "build/bin/bench list");
    text_of(&document, "bench run --algo lbp --seed 7");
    assert_string_equal(text_of(&document, "texture at "),
                        "texture at 10x10, 100x100: synthetic, made by the program with seed 7");
    /* What 'bench reproduce' tests, folded: the greatest speedups, and the slowest variant's. */
    assert_string_equal(text_of(&document, "lbp, texture, 10x10 to 100x100, cuda_fast"),
                        "lbp, texture, 10x10 to 100x100, cuda_fast over the best CPU, kernel time: "
                        "100× faster (99.6 to 100 in this run) at 10x10 to 10000× faster (9960 to "
                        "10000 in this run) at 100x100");
    assert_string_equal(text_of(&document, "lbp, texture, cuda_fast"),
                        "lbp, texture, cuda_fast against the best CPU, kernel time: ahead at every "
                        "size");
    assert_says(text_of(&document, "no: "), "Is more than one size measured?");
}

/* What only says where files went is in no command, and a commit is short. */
TEST(commands_are_those_that_measure) {
    RELEASED_BY(stored_run_release) StoredRun run = known_run();
    bool open;
    argument_list_release(&run.arguments);
    command_line_split("run --algo lbp --out /tmp/x --reps 3 --no-plot --quiet", &run.arguments,
                       &open);
    run.machine.count = 0;
    machine_add_text(&run.machine, "commit", "0123456789abcdef0123456789abcdef01234567", false);
    RELEASED_BY(document_release) Document document = appendix_of(&run, NULL);
    assert_string_equal(text_of(&document, "bench run"), "bench run --algo lbp --reps 3");
    assert_string_equal(text_of(&document, "Program: "), "Program: commit 0123456789ab");
}

/* The names of many inputs are one item. */
TEST(many_inputs_are_folded) {
    RELEASED_BY(stored_run_release) StoredRun run = known_run();
    add(&run, timed_row("seq", 20, 1));
    add(&run, timed_row("seq", 30, 1));
    for (size_t i = 0; i < run.results.count; i++) {
        snprintf(run.results.rows[i].input, sizeof run.results.rows[i].input, "%zu.png", i);
    }
    assert_int_equal(run.results.count, 6);
    RELEASED_BY(document_release) Document document = appendix_of(&run, NULL);
    assert_string_equal(text_of(&document, "likewise: "), "likewise: 4.png, 5.png");
}

/* Two runs of one machine are one item, one of another machine is its own. */
TEST(runs_of_a_machine_stand_together) {
    StoredRun runs[3] = {known_run(), known_run(), known_run()};
    ReportRun of[3];
    for (size_t i = 0; i < 3; i++) {
        of[i] = (ReportRun){.stored = &runs[i], .name = i == 0 ? "a" : i == 1 ? "b" : "c"};
        runs[i].machine.count = 0;
        machine_add_text(&runs[i].machine, "cpu_model", i == 1 ? "Other" : "This", false);
        snprintf(runs[i].started, sizeof runs[i].started, "2026-01-0%zuT00:00:00Z", i + 1);
    }
    Document document;
    document_open(&document, "");
    artifact_build(&(Artifact){.runs = of, .count = 3}, &document);
    assert_string_equal(text_of(&document, "Runs a, c"),
                        "Runs a, c, the first started 2026-01-01T00:00:00Z, on This and no GPU.");
    assert_string_equal(text_of(&document, "Run b"),
                        "Run b, started 2026-01-02T00:00:00Z, on Other and no GPU.");
    document_release(&document);
    for (size_t i = 0; i < 3; i++) {
        stored_run_release(&runs[i]);
    }
}

/* A speedup that is undecided at one size stands for none. */
TEST(undecided_speedups_are_counted_alone) {
    RELEASED_BY(stored_run_release) StoredRun run = known_run();
    for (size_t i = 1; i < 4; i += 2) {
        run.results.rows[i].kernel.disturber = DISTURBER_GUESTS;
    }
    RELEASED_BY(document_release) Document document = appendix_of(&run, NULL);
    assert_string_equal(text_of(&document, "lbp, texture, 10x10, cuda_fast"),
                        "lbp, texture, 10x10, cuda_fast over the best CPU, kernel time: 100× "
                        "faster (99.6 to 100 in this run)");
    for (size_t i = 0; i < document.count; i++) {
        const char *text = document.blocks[i].text;
        assert_true(text == NULL || strstr(text, "kernel time: undecided") == NULL);
    }
}

TEST(what_is_not_stored_says_so) {
    RELEASED_BY(stored_run_release) StoredRun run = known_run();
    run.machine.count = 0;
    run.elapsed = NAN;
    run.started[0] = '\0';
    for (size_t i = 0; i < run.results.count; i++) {
        run.results.rows[i].input_hash = 0;
    }
    argument_list_release(&run.arguments);
    RELEASED_BY(document_release) Document document = appendix_of(&run, NULL);
    static const char *const entries[] = {
        "Program: ",  "Compilation: ", "Run-time environment: ",
        "Hardware: ", "How much disk", "How much time",
        "Publicly",   "Archived",      "The command line of the_run"};
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        if (strstr(text_of(&document, entries[i]), unknown) == NULL) {
            fail_msg("'%s'", text_of(&document, entries[i]));
        }
    }
    assert_says(text_of(&document, "texture at "), "its hash is not stored");
    assert_says(text_of(&document, "git checkout"), "COMMIT\ncmake -S . -B build "
                                                    "-DWITH_CUDA=OFF");
}

/* The commands build the first; every fact of a command is that of it alone. */
TEST(of_several_builds_the_first_is_installed) {
    StoredRun runs[] = {known_run(), known_run()};
    ReportRun of[2];
    Document document;
    for (size_t i = 0; i < 2; i++) {
        of[i] = (ReportRun){.stored = &runs[i], .name = "a_run"};
    }
    for (size_t i = 0; i < runs[1].machine.count; i++) {
        Fact *fact = &runs[1].machine.facts[i];
        snprintf(fact->text, sizeof fact->text, "other-%s", fact->key);
    }
    document_open(&document, "Artifact");
    artifact_build(&(Artifact){.runs = of, .count = 2}, &document);
    assert_string_equal(text_of(&document, "The runs are of several"),
                        "The runs are of several builds (abc1234; other-commit); the first is "
                        "named below.");
    assert_string_equal(text_of(&document, "git checkout"),
                        "git checkout abc1234\ncmake -S . -B build -DCMAKE_BUILD_TYPE=Release "
                        "\"-DCMAKE_CUDA_ARCHITECTURES=80-real;90\"\ncmake --build build\n"
                        "build/bin/bench list");
    document_release(&document);
    stored_run_release(&runs[0]);
    stored_run_release(&runs[1]);
}

/* The line of datasets/manifest, or that there is none. */
TEST(inputs_are_where_they_can_be_had) {
    RELEASED_BY(stored_run_release) StoredRun run = known_run();
    bool open;
    argument_list_release(&run.arguments);
    command_line_split("run --algo lbp --input x/meadow.jpg", &run.arguments, &open);
    snprintf(run.results.rows[0].input, sizeof run.results.rows[0].input, "meadow.jpg");
    snprintf(run.results.rows[1].input, sizeof run.results.rows[1].input, "brick.png");
    snprintf(run.results.rows[2].input, sizeof run.results.rows[2].input, "my own.png");
    RELEASED_BY(document_release) Document document = appendix_of(&run, NULL);
    assert_says(text_of(&document, "meadow.jpg at 10x10: "),
                ": datasets/fetch meadow.jpg (1485159 bytes, CC0-1.0, SHA-256 "
                "a5634d1ab5e41a35…)");
    assert_says(text_of(&document, "brick.png at 100x100: "),
                ": datasets/fetch textures/brick.png (");
    assert_says(text_of(&document, "my own.png at 10x10: "),
                ": a file that datasets/fetch does not have; where it is from is not "
                "stored");
}

TEST(a_study_has_the_claims_of_its_paper) {
    RELEASED_BY(stored_run_release) StoredRun run = known_run();
    ClaimList list = {.items = NULL};
    const JudgedClaim claim = {
        .of = "Table 1", .text = "fastest", .claimed = "B at all 3", .verdict = CLAIM_UNTESTED};
    assert_ok(claims_add(&list, &claim));
    Document document = appendix_of(&run, &list);
    assert_string_equal(text_of(&document, "Table 1"),
                        "Table 1, fastest: in the paper B at all 3, here not measured");
    text_of(&document, "bench study a-study --check");
    document_release(&document);
    claims_release(&list);
    /* A study without published numbers has those of its runs. */
    document = appendix_of(&run, &list);
    text_of(&document, "lbp, texture, cuda_fast against the best CPU, kernel time: ");
    document_release(&document);
}

TEST(markdown_and_latex_are_escaped) {
    RELEASED_BY(stored_run_release) StoredRun run = known_run();
    bool open;
    argument_list_release(&run.arguments);
    command_line_split("run --algo lbp --variants seq,cuda_fast", &run.arguments, &open);
    RELEASED_BY(document_release) Document document = appendix_of(&run, NULL);
    assert_ok(artifact_write(&document, test_folder, NULL));
    char *text = test_read("artifact.tex");
    assert_says(text, "\\section{Artifact \\& appendix}");
    assert_says(text, "\\subsection{Abstract}");
    assert_says(text, "\\subsubsection{Data sets}");
    assert_says(text, "flags -O3 \\& more\\_\\#\\%");
    assert_says(text, "bench run -{}-{}algo lbp -{}-{}variants "
                      "seq,\\allowbreak{}cuda\\_\\allowbreak{}fast");
    assert_null(strstr(text, "longtable"));
    text = test_read("artifact.md");
    assert_says(text, "\n## Abstract\n");
    assert_says(text, "```\nbench run --algo lbp --variants seq,cuda_fast\n```");
}

/* In one column and in two, as journals and conferences have it. */
TEST(pdflatex_takes_it) {
    if (system("pdflatex --version >/dev/null 2>&1") != 0) {
        skip_needing("pdflatex", NULL);
    }
    RELEASED_BY(stored_run_release) StoredRun run = known_run();
    RELEASED_BY(document_release) Document document = appendix_of(&run, NULL);
    assert_ok(artifact_write(&document, test_folder, NULL));
    for (int columns = 1; columns <= 2; columns++) {
        char command[1024];
        FILE *paper = fopen(test_path("paper.tex"), "w");
        assert_non_null(paper);
        fprintf(paper,
                "\\documentclass[%s]{article}\n\\usepackage[utf8]{inputenc}\n"
                "\\usepackage{booktabs,graphicx}\n\\begin{document}\n\\input{artifact.tex}\n"
                "\\end{document}\n",
                columns == 1 ? "a4paper" : "a4paper,twocolumn");
        fclose(paper);
        snprintf(command, sizeof command,
                 "cd '%.400s' && TEXMFVAR=$PWD/texmf pdflatex -interaction=nonstopmode "
                 "-halt-on-error paper.tex >out.txt 2>&1",
                 test_folder);
        const int code = system(command);
        char *said = test_read("out.txt");
        if (code != 0) {
            fail_msg("%s", strstr(said, "\n!") != NULL ? strstr(said, "\n!") : said);
        }
        assert_null(strstr(said, "Missing character"));
        assert_null(strstr(said, "Float too large"));
    }
}
