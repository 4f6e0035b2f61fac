/* The artifact appendix of stored runs or of a study: only what is stored. */

#include "algorithm.h"
#include "claims.h"
#include "command_line.h"
#include "document.h"
#include "paths.h"
#include "report.h"
#include "report_internal.h"
#include "stored_run.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "machine.h"
#include "options.h"
#include "registry.h"
#include "resources.h"
#include "run_options.h"
#include "text.h"
#include "warnings.h"

/* The appendix of a conference has two pages: what is longer is folded or counted. */
enum { WORDS_SIZE = 1024, CLAIMS_SHOWN = 12, INPUTS_SHOWN = 4, SUMMARIES_SHOWN = 3 };

static const char not_stored[] = "not stored with a run";

static const char *or_unknown(const char *text) {
    return text[0] != '\0' ? text : not_stored;
}

static void add_item(Document *document, const char *name, const char *text) {
    document_add(document, BLOCK_ITEM, "%s: %s", name, or_unknown(text));
}

/* === What the runs have ======================================================================= */

/* Whether two runs are of different commits, as far as these are known. */
static bool commits_differ(const Artifact *artifact) {
    const char *known = "";
    for (size_t i = 0; i < artifact->count; i++) {
        const char *commit = machine_commit(&artifact->runs[i].stored->machine);
        if (commit[0] != '\0' && known[0] != '\0' && strcmp(commit, known) != 0) {
            return true;
        }
        known = commit[0] != '\0' ? commit : known;
    }
    return false;
}

enum { COMMIT_DIGITS = 12 };

/* "" where the run does not have it; of a commit the first digits. */
static void fact_words(const ReportRun *run, const char *key, char text[FACT_VALUE_SIZE]) {
    const Fact *fact = machine_fact(&run->stored->machine, key);
    text[0] = '\0';
    if (fact != NULL) {
        fact_value_words(fact, text, FACT_VALUE_SIZE);
        if (strcmp(key, fact_commit) == 0 && strlen(text) > COMMIT_DIGITS) {
            text[COMMIT_DIGITS] = '\0';
        }
    }
}

/* That of the first run that has it; "" when none has. */
static const char *first_fact(const Artifact *artifact, Document *document, const char *key) {
    char text[FACT_VALUE_SIZE] = "";
    for (size_t i = 0; i < artifact->count && text[0] == '\0'; i++) {
        fact_words(&artifact->runs[i], key, text);
    }
    return document_text(document, "%s", text);
}

/* The values of a fact in the runs, each once; "" when none has it. */
static const char *fact_of(const Artifact *artifact, Document *document, const char *key) {
    char list[WORDS_SIZE] = "";
    for (size_t i = 0; i < artifact->count; i++) {
        char text[FACT_VALUE_SIZE];
        fact_words(&artifact->runs[i], key, text);
        if (text[0] != '\0') {
            text_add_item(list, sizeof list, "; ", text);
        }
    }
    return document_text(document, "%s", list);
}

/* "C compiler GNU 13.3.0, C flags -O3": the facts that are stored, each with its name. */
static const char *facts_of(const Artifact *artifact, Document *document,
                            const char *const (*facts)[2], size_t count) {
    char list[WORDS_SIZE] = "";
    for (size_t i = 0; i < count; i++) {
        const char *text = fact_of(artifact, document, facts[i][0]);
        if (text[0] != '\0') {
            text_append(list, sizeof list, "%s%s %s", list[0] != '\0' ? ", " : "", facts[i][1],
                        text);
        }
    }
    return document_text(document, "%s", list);
}

#define FACTS_OF(artifact, document, facts)                                                        \
    facts_of(artifact, document, facts, sizeof(facts) / sizeof((facts)[0]))

typedef struct ArtifactCounts {
    size_t cells[CELL_FAIL + 1];
    size_t devices, end_to_end, roofs, joules;
    uint64_t device_peak, host_peak;
    LaunchRange launches;
    double seconds; /* of the runs that say so */
    size_t timed_runs;
    bool cold, hot;
} ArtifactCounts;

static ArtifactCounts count_all(const Artifact *artifact) {
    ArtifactCounts counts = {.seconds = 0};
    for (size_t i = 0; i < artifact->count; i++) {
        const StoredRun *stored = artifact->runs[i].stored;
        counts.timed_runs += isfinite(stored->elapsed) && stored->elapsed > 0;
        counts.seconds += isfinite(stored->elapsed) ? stored->elapsed : 0;
        for (size_t j = 0; j < stored->results.count; j++) {
            const Row *row = &stored->results.rows[j];
            if (!row_is_wanted(stored, row)) {
                continue;
            }
            counts.cells[row->status]++;
            if (row_is_timed(row)) {
                counts.devices += !row_is_on_cpu(row);
                counts.end_to_end += isfinite(row_seconds(row, TIME_END_TO_END));
                counts.roofs += isfinite(row->roof_fraction);
                counts.joules += isfinite(row->joule);
                *(row->cold ? &counts.cold : &counts.hot) = true;
                launch_range_add_summary(&counts.launches, &row->kernel_summary);
                counts.device_peak =
                    row->device_peak > counts.device_peak ? row->device_peak : counts.device_peak;
                counts.host_peak =
                    row->host_peak > counts.host_peak ? row->host_peak : counts.host_peak;
            }
        }
    }
    return counts;
}

/* Whether a row of this algorithm is in some run. */
static bool has_algorithm(const Artifact *artifact, const Algorithm *algorithm) {
    for (size_t i = 0; i < artifact->count; i++) {
        const StoredRun *stored = artifact->runs[i].stored;
        for (size_t j = 0; j < stored->results.count; j++) {
            const Row *row = &stored->results.rows[j];
            if (row_is_wanted(stored, row) && row->algorithm == algorithm) {
                return true;
            }
        }
    }
    return false;
}

static size_t count_algorithms(const Artifact *artifact) {
    size_t count = 0;
    for (size_t i = 0; i < registry_algorithm_count(); i++) {
        count += has_algorithm(artifact, registry_algorithm(i));
    }
    return count;
}

/* "lbp (local binary patterns); …"; of many, or briefly, the names alone. */
static const char *algorithms_of(const Artifact *artifact, bool briefly, Document *document) {
    char list[WORDS_SIZE] = "";
    const bool named = briefly || count_algorithms(artifact) > SUMMARIES_SHOWN;
    for (size_t i = 0; i < registry_algorithm_count(); i++) {
        const Algorithm *algorithm = registry_algorithm(i);
        if (has_algorithm(artifact, algorithm)) {
            text_append(list, sizeof list, named ? "%s%s" : "%s%s (%s)",
                        list[0] == '\0' ? ""
                        : named         ? ", "
                                        : "; ",
                        algorithm->name, algorithm->summary);
        }
    }
    return document_text(document, "%s", list);
}

/* === Inputs =================================================================================== */

/* Where the input of a row comes from. */
static const char *source_of(const ReportRun *run, const Row *row, Document *document) {
    DataSet set;
    RunOptions request;
    request_recall(&run->stored->arguments, &request);
    if (request.input == NULL) {
        return document_text(document, "synthetic, made by the program with seed %" PRIu64,
                             request.seed);
    }
    if (data_set_find(row->input, &set)) {
        return document_text(document, "datasets/fetch %s (%s bytes, %s, SHA-256 %.16s…)", set.name,
                             set.bytes, set.licence, set.hash);
    }
    return "a file that datasets/fetch does not have; where it is from is not stored";
}

/* Whether a row at or before a place is on this input, at this size where one is asked for. */
static bool is_before(const Artifact *artifact, size_t run, size_t index, const Row *row,
                      bool same_size) {
    for (size_t i = 0; i <= run; i++) {
        const Results *results = &artifact->runs[i].stored->results;
        for (size_t j = 0; j < results->count && (i < run || j < index); j++) {
            const Row *other = &results->rows[j];
            if (row_is_timed(other) && strcmp(other->input, row->input) == 0 &&
                (!same_size || strcmp(other->size_name, row->size_name) == 0)) {
                return true;
            }
        }
    }
    return false;
}

/* "360p, 1080p"; `hashed` becomes false if the input at some size has no hash. */
static const char *sizes_of(const Artifact *artifact, const Row *of, bool *hashed,
                            Document *document) {
    char list[WORDS_SIZE] = "";
    for (size_t run = 0; run < artifact->count; run++) {
        const Results *results = &artifact->runs[run].stored->results;
        for (size_t i = 0; i < results->count; i++) {
            const Row *row = &results->rows[i];
            if (row_is_timed(row) && strcmp(row->input, of->input) == 0) {
                *hashed = *hashed && row->input_hash != 0;
                if (!is_before(artifact, run, i, row, true)) {
                    text_add_item(list, sizeof list, ", ", row->size_name);
                }
            }
        }
    }
    return document_text(document, "%s", list);
}

static void add_input(const Artifact *artifact, size_t run, const Row *row, Document *document) {
    bool hashed = true;
    const char *sizes = sizes_of(artifact, row, &hashed, document);
    document_add(document, BLOCK_ITEM, "%s at %s: %s%s", row->input, or_unknown(sizes),
                 source_of(&artifact->runs[run], row, document),
                 hashed ? "" : "; its hash is not stored");
}

/* An item for each of the first inputs, the names of the others: tables of so many columns are too
 * small in one of a paper's. */
static void add_inputs(const Artifact *artifact, Document *document) {
    char more[WORDS_SIZE] = "";
    size_t count = 0;
    for (size_t run = 0; run < artifact->count; run++) {
        const Results *results = &artifact->runs[run].stored->results;
        for (size_t i = 0; i < results->count; i++) {
            const Row *row = &results->rows[i];
            if (!row_is_timed(row) || is_before(artifact, run, i, row, false)) {
                continue;
            }
            if (count++ < INPUTS_SHOWN) {
                add_input(artifact, run, row, document);
            } else {
                text_add_item(more, sizeof more, ", ", row->input);
            }
        }
    }
    if (more[0] != '\0') {
        document_add(document, BLOCK_ITEM, "likewise: %s", more);
    }
    document_add(document, BLOCK_PARAGRAPH,
                 "results.json has a hash (FNV-1a, 64 bits) of each: of the pixels as they were "
                 "measured, scaled to the size, with labels, keypoints and weights where there are "
                 "any.");
}

/* === Sections ================================================================================= */

static bool same_machine(const ReportRun *run, const ReportRun *other) {
    const Machine *a = &run->stored->machine, *b = &other->stored->machine;
    return strcmp(machine_cpu(a), machine_cpu(b)) == 0 &&
           strcmp(machine_gpu(a), machine_gpu(b)) == 0;
}

/* An item for each kind of machine, with the names of its runs. */
static void add_machines(const Artifact *artifact, Document *document) {
    for (size_t i = 0; i < artifact->count; i++) {
        char names[WORDS_SIZE] = "";
        const ReportRun *run = &artifact->runs[i];
        size_t count = 0, first = artifact->count;
        for (size_t j = 0; j < artifact->count; j++) {
            if (same_machine(run, &artifact->runs[j])) {
                first = first < j ? first : j;
                text_add_item(names, sizeof names, ", ", artifact->runs[j].name);
                count++;
            }
        }
        if (first < i) {
            continue;
        }
        const char *gpu = machine_gpu(&run->stored->machine);
        document_add(
            document, BLOCK_ITEM, "Run%s %s, %sstarted %s, on %s and %s.", count > 1 ? "s" : "",
            names, count > 1 ? "the first " : "", or_unknown(run->stored->started),
            or_unknown(machine_cpu(&run->stored->machine)), gpu[0] != '\0' ? gpu : "no GPU");
    }
}

static void add_abstract(const Artifact *artifact, const ArtifactCounts *counts,
                         Document *document) {
    document_heading(document, 2, "Abstract");
    if (artifact->study != NULL) {
        document_add(document, BLOCK_PARAGRAPH, "The study %s: %s. It measures again: %s",
                     artifact->study, artifact->title,
                     artifact->citation != NULL ? artifact->citation : "no paper is named");
    }
    add_machines(artifact, document);
    document_add(document, BLOCK_PARAGRAPH,
                 "Measured: %s. %zu %s a time, verified against the plain variant; "
                 "%zu skipped, %zu failed.",
                 or_unknown(algorithms_of(artifact, true, document)), counts->cells[CELL_OK],
                 plural(counts->cells[CELL_OK], "cell has", "cells have"), counts->cells[CELL_SKIP],
                 counts->cells[CELL_FAIL]);
}

static const char *metrics_of(const ArtifactCounts *counts, Document *document) {
    return document_text(document, "kernel time, speedups over seq and over the best CPU%s%s%s",
                         counts->end_to_end > 0 ? ", time with copies" : "",
                         counts->roofs > 0 ? ", share of the measured roof" : "",
                         counts->joules > 0 ? ", joules of a run" : "");
}

/* What the template calls the check-list of meta information. */
static void add_meta(const Artifact *artifact, const ArtifactCounts *counts, Document *document) {
    static const char *const program[][2] = {
        {fact_bench_version, "bench"}, {fact_commit, "commit"}, {fact_dirty, "changes beside it:"}};
    static const char *const build[][2] = {{fact_c_compiler, "C compiler"},
                                           {fact_c_flags, "flags"},
                                           {fact_build_type, "build type"},
                                           {fact_cuda_compiler, "nvcc"},
                                           {fact_cuda_architectures, "for architectures"}};
    static const char *const environment[][2] = {{fact_kernel, ""},
                                                 {fact_gpu_driver, "GPU driver"},
                                                 {fact_cuda_runtime, "CUDA runtime"},
                                                 {fact_omp_proc_bind, "OMP_PROC_BIND"},
                                                 {fact_omp_places, "OMP_PLACES"},
                                                 {fact_cpu_governor, "governor"}};
    static const char *const hardware[][2] = {
        {fact_cpu_model, ""},    {fact_cpu_count, "processors:"}, {fact_memory_bytes, "memory:"},
        {fact_gpu_model, "GPU"}, {fact_gpu_memory_bytes, "with"}, {fact_gpu_ecc, "ECC"}};
    char duration[DURATION_SIZE] = "", launches[NUMBER_WORDS_SIZE];
    document_heading(document, 2, "Artifact check-list (meta-information)");
    add_item(document, "Algorithm", algorithms_of(artifact, false, document));
    add_item(document, "Program", FACTS_OF(artifact, document, program));
    add_item(document, "Compilation", FACTS_OF(artifact, document, build));
    add_item(document, "Data set", "see Data sets below");
    add_item(document, "Run-time environment", FACTS_OF(artifact, document, environment));
    add_item(document, "Hardware", FACTS_OF(artifact, document, hardware));
    interval_words(&counts->launches, launches, sizeof launches);
    add_item(document, "Execution",
             document_text(document, "%s%zu launch%s of a cell; intervals: %s; caches: %s",
                           counts->launches.least < counts->launches.most
                               ? document_text(document, "%zu to ", counts->launches.least)
                               : "",
                           counts->launches.most, counts->launches.most == 1 ? "" : "es",
                           or_unknown(launches),
                           counts->cold && counts->hot ? "hot and cold"
                           : counts->cold              ? "cold"
                                                       : "hot"));
    add_item(document, "Metrics", metrics_of(counts, document));
    add_item(document, "Output",
             "results.csv and results.json of each run, with every sample and the digest of every "
             "answer");
    add_item(document, "Experiments",
             document_text(document, "runs: %zu, cells with a time: %zu", artifact->count,
                           counts->cells[CELL_OK]));
    add_item(document, "How much disk space is required", "");
    if (counts->timed_runs > 0) {
        duration_text(counts->seconds, duration);
    }
    add_item(document, "How much time is needed to complete the experiments",
             duration[0] != '\0'
                 ? document_text(document, "%s on the machine named above, for %zu of %zu runs",
                                 duration, counts->timed_runs, artifact->count)
                 : "");
    add_item(document, "Publicly available", "");
    add_item(document, "Licences",
             "those of the data are named under Data sets; that of the "
             "program is the file LICENSE of its source tree");
    add_item(document, "Archived (DOI)", "");
}

static void add_description(const Artifact *artifact, const ArtifactCounts *counts,
                            Document *document) {
    char device[BYTES_TEXT_SIZE], host[BYTES_TEXT_SIZE];
    const char *commit = fact_of(artifact, document, fact_commit);
    bytes_text(counts->device_peak, device, sizeof device);
    bytes_text(counts->host_peak, host, sizeof host);
    document_heading(document, 2, "Description");
    document_heading(document, 3, "How to access");
    document_add(document, BLOCK_PARAGRAPH, "The source tree at commit %s. Where it is kept: %s.",
                 or_unknown(commit), not_stored);
    document_heading(document, 3, "Hardware dependencies");
    if (counts->devices > 0) {
        document_add(document, BLOCK_PARAGRAPH,
                     "A CUDA device; the largest cell held %s of its memory, and %s of the host's.",
                     device, host);
    } else {
        document_add(document, BLOCK_PARAGRAPH,
                     "No GPU: no cell of one has a time. The largest cell held %s of memory.",
                     host);
    }
    document_heading(document, 3, "Software dependencies");
    document_add(document, BLOCK_PARAGRAPH, "As built: %s%s%s.",
                 or_unknown(fact_of(artifact, document, fact_c_compiler)),
                 fact_of(artifact, document, fact_cuda_compiler)[0] != '\0' ? ", CUDA " : "",
                 fact_of(artifact, document, fact_cuda_compiler));
    document_heading(document, 3, "Data sets");
    add_inputs(artifact, document);
}

/* `architectures` in CMake's way of writing a list, quoted for a shell. */
static const char *cuda_option(Document *document, const char *architectures) {
    char list[256];
    snprintf(list, sizeof list, "%s", architectures);
    for (char *space = list; (space = strchr(space, ' ')) != NULL;) {
        *space = ';';
    }
    return document_text(document, " \"-DCMAKE_CUDA_ARCHITECTURES=%s\"", list);
}

static void add_installation(const Artifact *artifact, Document *document) {
    const char *commit = first_fact(artifact, document, fact_commit);
    const char *type = first_fact(artifact, document, fact_build_type);
    const char *architectures = first_fact(artifact, document, fact_cuda_architectures);
    const bool cuda = fact_of(artifact, document, fact_cuda_compiler)[0] != '\0';
    document_heading(document, 2, "Installation");
    if (commits_differ(artifact)) {
        document_add(document, BLOCK_WARNING,
                     "The runs are of several builds (%s); the first is named below.",
                     fact_of(artifact, document, fact_commit));
    }
    document_add(document, BLOCK_CODE,
                 "git checkout %s\ncmake -S . -B build%s%s%s\n"
                 "cmake --build build\nbuild/bin/bench list",
                 commit[0] != '\0' ? commit : "COMMIT",
                 type[0] != '\0' ? " -DCMAKE_BUILD_TYPE=" : "", type,
                 cuda ? cuda_option(document, architectures) : " -DWITH_CUDA=OFF");
}

/* Whether the option only says where files go, or how much is printed; NULL: it is a word. */
static bool is_about_files(const Option *option) {
    switch (option != NULL ? option->member : SIZE_MAX) {
    case offsetof(RunOptions, out):
    case offsetof(RunOptions, resume):
    case offsetof(RunOptions, plot):
    case offsetof(RunOptions, quiet): return true;
    default: return false;
    }
}

/* The command line of a run, "" where it is not stored. */
static void command_of(const ReportRun *run, Document *document, char line[COMMAND_LINE_SIZE]) {
    const ArgumentList *stored = &run->stored->arguments;
    char **words = calloc((size_t)stored->argc + 1, sizeof *words);
    ArgumentList list = {.argv = words};
    document->failed = document->failed || words == NULL;
    for (int i = 0, count; words != NULL && i < stored->argc; i += count) {
        const Option *option;
        count = command_argument(&command_run, stored->argc, stored->argv, i, &option);
        for (int word = 0; word < count && !is_about_files(option); word++) {
            words[list.argc++] = stored->argv[i + word];
        }
    }
    line[0] = '\0';
    if (list.argc > 0) {
        command_line_text(&list, line, COMMAND_LINE_SIZE);
    }
    free(words);
}

static void add_commands(const Artifact *artifact, Document *document) {
    const char *lines = "";
    for (size_t i = 0; i < artifact->count; i++) {
        char line[COMMAND_LINE_SIZE];
        command_of(&artifact->runs[i], document, line);
        if (line[0] == '\0') {
            document_add(document, BLOCK_PARAGRAPH, "The command line of %s is %s.",
                         artifact->runs[i].name, not_stored);
            continue;
        }
        lines = document_text(document, "%s%sbench %s", lines, lines[0] != '\0' ? "\n" : "", line);
    }
    if (lines[0] != '\0') {
        document_add(document, BLOCK_CODE, "%s", lines);
    }
}

/* The commands of the steps are in the study's report. */
static void add_steps(const Artifact *artifact, Document *document) {
    char list[WORDS_SIZE] = "";
    for (size_t i = 0; i < artifact->step_count; i++) {
        const ArtifactStep *step = &artifact->steps[i];
        char duration[DURATION_SIZE] = "a time that is not known";
        if (step->command[0] == '\0') {
            snprintf(duration, sizeof duration, "not run");
        } else if (step->seconds > 0) {
            duration_text(step->seconds, duration);
        }
        text_append(list, sizeof list, "%s%s (%s)", i > 0 ? ", " : "", step->name, duration);
    }
    document_add(document, BLOCK_PARAGRAPH,
                 "Its steps, with the time that each took: %s. report.md has the command of each.",
                 list);
}

static void add_workflow(const Artifact *artifact, Document *document) {
    document_heading(document, 2, "Experiment workflow");
    if (artifact->repeat != NULL) {
        document_add(document, BLOCK_PARAGRAPH, "All of it, with its report:");
        document_add(document, BLOCK_CODE, "%s", artifact->repeat);
    }
    if (artifact->step_count > 0) {
        add_steps(artifact, document);
    }
    if (artifact->step_count == 0) {
        add_commands(artifact, document);
    }
}

/* --- Claims ----------------------------------------------------------------------------------- */

static void add_claim(const JudgedClaim *claim, const char *place, const char *claimed,
                      Document *document) {
    document_add(document, BLOCK_ITEM, "%s%s%s, %s: %s", claim->of, place[0] != '\0' ? ", " : "",
                 place, claim->text, claimed);
}

static void add_paper_claims(const ClaimList *list, Document *document) {
    const size_t shown = list->count < CLAIMS_SHOWN ? list->count : CLAIMS_SHOWN;
    for (size_t i = 0; i < shown; i++) {
        const JudgedClaim *claim = &list->items[i];
        add_claim(claim, claim->place,
                  document_text(document, "in the paper %s, here %s", claim->claimed,
                                claim->here[0] != '\0' ? claim->here : "not measured"),
                  document);
    }
    if (list->count > shown) {
        document_add(document, BLOCK_PARAGRAPH, "%zu more claims are tested likewise.",
                     list->count - shown);
    }
}

/* Of claims with a row: whether the same is asked at several sizes. */
static bool same_question(const JudgedClaim *a, const JudgedClaim *b) {
    return a->kind == b->kind && row_same_series(a->row, b->row);
}

/* Whether no speedup of another variant is greater, at any size; or less, of kernel time. */
static bool is_extreme(const ClaimList *list, const JudgedClaim *claim) {
    double greatest = 0, least = INFINITY, own_greatest = 0, own_least = INFINITY;
    for (size_t i = 0; i < list->count; i++) {
        const JudgedClaim *other = &list->items[i];
        if (!(other->factor > 0) || !same_question(other, claim)) {
            continue;
        }
        greatest = fmax(greatest, other->factor);
        least = fmin(least, other->factor);
        if (other->row->variant == claim->row->variant) {
            own_greatest = fmax(own_greatest, other->factor);
            own_least = fmin(own_least, other->factor);
        }
    }
    return own_greatest == greatest || (claim->kind == TIME_KERNEL && own_least == least);
}

/* The speedups of a claim's kind, one a size, as one item; nothing where an earlier claim stands
 * for them. Returns their number. */
static size_t add_folded(const ClaimList *list, size_t index, Document *document) {
    const JudgedClaim *claim = &list->items[index];
    const JudgedClaim *last = claim, *least = claim, *greatest = claim;
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++) {
        const JudgedClaim *other = &list->items[i];
        if (!(other->factor > 0) || !same_question(other, claim) ||
            other->row->variant != claim->row->variant) {
            continue;
        }
        if (i < index) {
            return 0;
        }
        last = other;
        least = other->factor < least->factor ? other : least;
        greatest = other->factor > greatest->factor ? other : greatest;
        count++;
    }
    const char *claimed = claim->claimed, *place = claim->place;
    if (count > 1) {
        place = document_text(document, "%s to %s", claim->place, last->place);
        claimed = document_text(document, "%s at %s to %s at %s", least->claimed, least->place,
                                greatest->claimed, greatest->place);
    }
    add_claim(claim, place, claimed, document);
    return count;
}

/* Of each question the variants with the greatest speedups, and the slowest one; the other claims
 * are counted. The appendix is not to be longer than its paper. */
static void add_speedup_claims(const ClaimList *list, Document *document) {
    size_t shown = 0, items = 0;
    for (size_t i = 0; i < list->count && items < CLAIMS_SHOWN; i++) {
        const JudgedClaim *claim = &list->items[i];
        const bool undecided = claim->place[0] != '\0' && !(claim->factor > 0);
        if (claim->row == NULL || undecided || !is_extreme(list, claim)) {
            continue;
        }
        size_t folded = 1;
        if (claim->factor > 0) {
            folded = add_folded(list, i, document);
        } else {
            add_claim(claim, "", claim->claimed, document);
        }
        shown += folded;
        items += folded > 0;
    }
    if (list->count > shown) {
        document_add(document, BLOCK_PARAGRAPH,
                     "%zu more claims, of the other variants and of their order, are tested "
                     "likewise.",
                     list->count - shown);
    }
    if (list->count == 0) {
        document_add(document, BLOCK_PARAGRAPH, "There is no claim that could be tested.");
    }
}

/* The claims that 'bench reproduce' makes of the runs. */
static void add_run_claims(const Artifact *artifact, Document *document) {
    ClaimList list = {.items = NULL};
    for (size_t i = 0; i < artifact->count; i++) {
        const RunClaims claims = {.claimed = &artifact->runs[i].stored->results};
        const Status status = run_claims_judge(&claims, &list);
        document->failed = document->failed || !status_is_ok(&status);
    }
    document_add(document, BLOCK_PARAGRAPH,
                 "Each stored run is measured again and its claims are tested by 'bench reproduce "
                 "RUN': exit code 0 when all that can be tested hold, 1 when one does not. On "
                 "another machine speedups may differ; there the same side has to be ahead.");
    add_speedup_claims(&list, document);
    claims_release(&list);
}

static void add_evaluation(const Artifact *artifact, Document *document) {
    document_heading(document, 2, "Evaluation and expected results");
    if (artifact->claims != NULL && artifact->claims->count > 0) {
        document_add(document, BLOCK_PARAGRAPH,
                     "The claims of the paper about what is fastest, crossovers, trends and orders "
                     "are tested by the following command: exit code 0 when all that can be "
                     "tested hold, 1 when one does not.");
        document_add(document, BLOCK_CODE, "%s", artifact->check);
        add_paper_claims(artifact->claims, document);
    } else {
        const Artifact runs = {.runs = artifact->runs, .count = artifact->count};
        add_run_claims(&runs, document);
    }
}

/* --- Customisation and notes ------------------------------------------------------------------ */

/* " --bits --keypoints" */
static void answer_options(const Algorithm *algorithm, char options[WORDS_SIZE]) {
    options[0] = '\0';
    for (size_t i = 0; algorithm->answer != NULL && algorithm->answer[i] != NULL; i++) {
        text_append(options, WORDS_SIZE, " --%s", algorithm->answer[i]->name);
    }
}

/* The algorithms of the runs with the same options, from one on; "": an earlier one stands for it.
 */
static void alike_algorithms(const Artifact *artifact, size_t first, const char *options,
                             char names[WORDS_SIZE]) {
    char of_other[WORDS_SIZE];
    names[0] = '\0';
    for (size_t i = 0; i < registry_algorithm_count(); i++) {
        const Algorithm *algorithm = registry_algorithm(i);
        answer_options(algorithm, of_other);
        if (!has_algorithm(artifact, algorithm) || strcmp(of_other, options) != 0) {
            continue;
        }
        if (i < first) {
            return;
        }
        text_add_item(names, WORDS_SIZE, ", ", algorithm->name);
    }
}

static void add_customisation(const Artifact *artifact, Document *document) {
    char options[WORDS_SIZE], names[WORDS_SIZE];
    document_heading(document, 2, "Experiment customisation");
    document_add(document, BLOCK_ITEM, "variants: --variants LIST");
    for (size_t i = 0; i < registry_algorithm_count(); i++) {
        answer_options(registry_algorithm(i), options);
        alike_algorithms(artifact, i, options, names);
        if (has_algorithm(artifact, registry_algorithm(i)) && names[0] != '\0') {
            document_add(document, BLOCK_ITEM, "%s: %s%s", names,
                         options[0] != '\0' ? "options that change the answer:"
                                            : "no option changes the answer",
                         options);
        }
    }
    document_add(document, BLOCK_PARAGRAPH, "All options: 'bench help run'.");
}

static bool warns_of(const ReportRun *run, const char *text) {
    Warnings warnings;
    run_warnings(run->stored, &warnings);
    for (size_t i = 0; i < warnings.count; i++) {
        if (strcmp(warnings.text[i], text) == 0) {
            return true;
        }
    }
    return false;
}

/* The runs that warn of this, by name; NULL where one before this run does. */
static const char *warned_runs(const Artifact *artifact, size_t run, const char *text,
                               Document *document) {
    char list[WORDS_SIZE] = "";
    for (size_t i = 0; i < artifact->count; i++) {
        const bool warns = warns_of(&artifact->runs[i], text);
        if (warns && i < run) {
            return NULL;
        }
        if (warns) {
            text_add_item(list, sizeof list, ", ", artifact->runs[i].name);
        }
    }
    return document_text(document, "%s", list);
}

static void add_notes(const Artifact *artifact, Document *document) {
    document_heading(document, 2, "Notes");
    for (size_t i = 0; i < artifact->count; i++) {
        const ReportRun *run = &artifact->runs[i];
        Warnings warnings;
        run_warnings(run->stored, &warnings);
        for (size_t j = 0; j < warnings.count; j++) {
            const char *text = warnings.text[j];
            const char *names = warned_runs(artifact, i, text, document);
            if (names != NULL) {
                document_add(document, BLOCK_ITEM, "%s: %s", names, text);
            }
        }
        if (!run->stored->complete) {
            document_add(document, BLOCK_ITEM, "%s was cut off: some planned cells have no row.",
                         run->name);
        }
    }
    checklist_summarize(artifact->runs, artifact->count, document);
}

void artifact_build(const Artifact *artifact, Document *document) {
    const ArtifactCounts counts = count_all(artifact);
    add_abstract(artifact, &counts, document);
    add_meta(artifact, &counts, document);
    add_description(artifact, &counts, document);
    add_installation(artifact, document);
    add_workflow(artifact, document);
    add_evaluation(artifact, document);
    add_customisation(artifact, document);
    add_notes(artifact, document);
}

Status artifact_write(const Document *document, const char *folder, FILE *listing) {
    static const char *const names[] = {"artifact.md", "artifact.tex"};
    for (size_t i = 0; i < 2; i++) {
        char path[ATOMIC_FILE_PATH_SIZE];
        STATUS_TRY(path_in(folder, names[i], path, sizeof path));
        STATUS_TRY(i == 0 ? markdown_write(document, path, NULL) : latex_write(document, path));
        if (listing != NULL) {
            visible_line(listing, "%s", path);
        }
    }
    return status_ok();
}
