/* The reviewers' checklist: questions about how runs were measured, answered by their rows. */

#include "algorithm.h"
#include "document.h"
#include "report.h"
#include "report_internal.h"
#include "stored_run.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "machine.h"
#include "registry.h"
#include "run_options.h"
#include "text.h"
#include "variant.h"
#include "warnings.h"

enum { EVIDENCE_SIZE = 640, NAMES_SIZE = 200, SIZES_ENOUGH = 3 };

typedef enum Answer { ANSWER_NOT_ASKED, ANSWER_NO, ANSWER_PARTLY, ANSWER_YES } Answer;

/* The runs that are asked, and the answer that a question gives. */
typedef struct Inquiry {
    const ReportRun *runs;
    size_t count;
    Answer answer;
    char evidence[EVIDENCE_SIZE];
} Inquiry;

/* Adds a clause to the evidence. */
STATUS_PRINTF(2, 3)
static void tell(Inquiry *inquiry, const char *format, ...) {
    char clause[EVIDENCE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(clause, sizeof clause, format, arguments);
    va_end(arguments);
    text_append(inquiry->evidence, sizeof inquiry->evidence, "%s%s",
                inquiry->evidence[0] != '\0' ? "; " : "", clause);
}

/* Of `all` cases so many are right. */
static void answer_by_share(Inquiry *inquiry, size_t right, size_t all) {
    inquiry->answer = all == 0       ? ANSWER_NOT_ASKED
                      : right == 0   ? ANSWER_NO
                      : right == all ? ANSWER_YES
                                     : ANSWER_PARTLY;
}

/* What is answered in full at best is so in part. */
static void answer_at_most(Inquiry *inquiry, Answer most) {
    inquiry->answer = inquiry->answer > most ? most : inquiry->answer;
}

/* === Rows ===================================================================================== */

/* All rows of all runs that row_is_wanted means, as a run counts its cells; where `timed` those
 * with a time, without the copies, which are roofs. */
typedef struct RowWalk {
    const Inquiry *inquiry;
    bool timed;
    size_t run, next;
} RowWalk;

static const Row *walk(RowWalk *rows) {
    for (; rows->run < rows->inquiry->count; rows->run++, rows->next = 0) {
        const StoredRun *stored = rows->inquiry->runs[rows->run].stored;
        while (rows->next < stored->results.count) {
            const Row *row = &stored->results.rows[rows->next++];
            if (rows->timed ? row_is_timed(row) && !row_is_roof(row) : row_is_wanted(stored, row)) {
                return row;
            }
        }
    }
    return NULL;
}

static RowWalk timed_rows(const Inquiry *inquiry) {
    return (RowWalk){.inquiry = inquiry, .timed = true};
}

static RowWalk all_rows(const Inquiry *inquiry) {
    return (RowWalk){.inquiry = inquiry};
}

static bool is_true(const Row *row) {
    (void)row;
    return true;
}

static bool on_device(const Row *row) {
    return !row_is_on_cpu(row);
}

/* The rows with a time that are `asked`, and of these the ones that are `right`. */
typedef struct RowCount {
    size_t right, all;
} RowCount;

static RowCount count_timed(const Inquiry *inquiry, bool (*asked)(const Row *row),
                            bool (*right)(const Row *row)) {
    RowCount count = {.all = 0};
    RowWalk rows = timed_rows(inquiry);
    for (const Row *row = walk(&rows); row != NULL; row = walk(&rows)) {
        count.all += asked(row);
        count.right += asked(row) && right(row);
    }
    return count;
}

/* === Bases ==================================================================================== */

static bool has_speedup(const Row *row) {
    return isfinite(row->speedup) || isfinite(row->speedup_vs_best_cpu);
}

static bool names_bases(const Row *row) {
    return (!isfinite(row->speedup) || (row->base[0] != '\0' && isfinite(row->base_seconds))) &&
           (!isfinite(row->speedup_vs_best_cpu) || row->best_cpu[0] != '\0');
}

static bool has_speedup_over_seq(const Row *row) {
    return isfinite(row->speedup);
}

static bool has_speedup_over_best(const Row *row) {
    return isfinite(row->speedup_vs_best_cpu);
}

static bool is_vector_code(const Row *row) {
    const Variant *variant = row->variant;
    while (variant != NULL && !variant->vectorized) {
        variant = variant->improves_on != NULL
                      ? registry_find_variant(row->algorithm, variant->improves_on)
                      : NULL;
    }
    return variant != NULL;
}

/* Whether some CPU row of the question of `row` is vector code on all processors. */
static bool has_whole_cpu(const StoredRun *stored, const Row *row) {
    const double processors = machine_processors(&stored->machine);
    for (size_t i = 0; i < stored->results.count; i++) {
        const Row *rival = &stored->results.rows[i];
        if (row_is_of_side(rival, SIDE_CPU) && row_is_timed(rival) &&
            !(rival->threads < processors) && is_vector_code(rival) &&
            row_same_question(rival, row)) {
            return true;
        }
    }
    return false;
}

/* What a GPU is compared with: of each GPU row. Without one the CPU side is asked itself. */
static void ask_whole_cpu(Inquiry *inquiry) {
    const bool devices = count_timed(inquiry, on_device, is_true).right > 0;
    size_t all = 0, right = 0;
    double processors = 0;
    int threads = 0;
    char bases[NAMES_SIZE] = "";
    RowWalk rows = timed_rows(inquiry);
    for (const Row *row = walk(&rows); row != NULL; row = walk(&rows)) {
        const StoredRun *stored = inquiry->runs[rows.run].stored;
        processors = fmax(processors, machine_processors(&stored->machine));
        threads = row->threads > threads ? row->threads : threads;
        if (on_device(row) == devices) {
            all++;
            right += has_whole_cpu(stored, row);
            if (row->best_cpu[0] != '\0') {
                name_list_add(bases, sizeof bases, row->best_cpu);
            }
        }
    }
    answer_by_share(inquiry, right, all);
    tell(inquiry, "%s rows with vector code on all processors beside them: %zu of %zu",
         devices ? "GPU" : "CPU", right, all);
    if (processors > 0) {
        tell(inquiry, "up to %d of %.0f threads", threads, processors);
    } else {
        tell(inquiry, "up to %d threads, of how many is not stored", threads);
        answer_at_most(inquiry, ANSWER_PARTLY);
    }
    if (bases[0] != '\0') {
        tell(inquiry, "best CPU: %s", bases);
    }
}

/* === Times ==================================================================================== */

static bool has_end_to_end(const Row *row) {
    return isfinite(row_seconds(row, TIME_END_TO_END));
}

static bool has_launch_interval(const Row *row) {
    return row->kernel_summary.launches >= MEDIAN_INTERVAL_MIN &&
           isfinite(row->kernel_summary.ci_low);
}

static bool has_launches(const Row *row) {
    return row->kernel_summary.launches > 1;
}

static void ask_intervals(Inquiry *inquiry) {
    const RowCount some = count_timed(inquiry, is_true, has_launches);
    LaunchRange launches = {.most = 0};
    char words[NUMBER_WORDS_SIZE];
    RowWalk timed = timed_rows(inquiry);
    for (const Row *row = walk(&timed); row != NULL; row = walk(&timed)) {
        launch_range_add_summary(&launches, &row->kernel_summary);
    }
    if (inquiry->answer == ANSWER_NO && some.right > 0) {
        inquiry->answer = ANSWER_PARTLY;
    }
    interval_words(&launches, words, sizeof words);
    if (words[0] != '\0') {
        tell(inquiry, "intervals: %s", words);
    }
}

static bool is_compared(const Row *row) {
    return on_device(row) && isfinite(row->speedup_vs_best_cpu);
}

static bool has_a_side(const Row *row) {
    const Ratio ratio = row_won_ratio(row, OVER_BEST_CPU, TIME_KERNEL);
    return isfinite(ratio.low) && isfinite(ratio.high) && side_is_decided(ratio_side(&ratio));
}

static bool has_one_mode(const Row *row) {
    return !row->multimodal;
}

static void ask_modes(Inquiry *inquiry) {
    const RowCount rows = count_timed(inquiry, is_true, has_one_mode);
    answer_by_share(inquiry, rows.right, rows.all);
    tell(inquiry, "rows whose samples have more than one mode: %zu of %zu", rows.all - rows.right,
         rows.all);
}

static void ask_turns(Inquiry *inquiry) {
    size_t right = 0;
    for (size_t i = 0; i < inquiry->count; i++) {
        RunOptions request;
        request_recall(&inquiry->runs[i].stored->arguments, &request);
        right += request.interleave;
    }
    answer_by_share(inquiry, right, inquiry->count);
    tell(inquiry, "runs whose compared cells took turns: %zu of %zu", right, inquiry->count);
}

/* === What was run ============================================================================= */

/* Adds the names of the choices that leave cells out. */
static void tell_choices(Inquiry *inquiry) {
    for (size_t i = 0; i < inquiry->count; i++) {
        const ReportRun *run = &inquiry->runs[i];
        RunOptions request;
        request_recall(&run->stored->arguments, &request);
        const char *words = options_given_value(&request.given, "variants");
        const char *name = inquiry->count > 1 ? run->name : "the run";
        if (words != NULL && strcmp(words, "all") != 0) {
            tell(inquiry, "%s chose variants: %s", name, words);
            answer_at_most(inquiry, ANSWER_PARTLY);
        }
        if (run->stored->share.count > 0) {
            tell(inquiry, "%s is share %d of %d of a plan", name, run->stored->share.index,
                 run->stored->share.count);
            answer_at_most(inquiry, ANSWER_PARTLY);
        }
        if (run->stored->ignored > 0) {
            char what[ROWS_IGNORED_SIZE];
            rows_ignored_text(run->stored->ignored, what);
            tell(inquiry, "%s: %s", name, what);
            answer_at_most(inquiry, ANSWER_PARTLY);
        }
        if (!run->stored->complete) {
            tell(inquiry, "%s was cut off", name);
            answer_at_most(inquiry, ANSWER_NO);
        }
    }
}

static void ask_whole(Inquiry *inquiry) {
    size_t counts[CELL_FAIL + 1] = {0}, unexplained = 0;
    RowWalk rows = all_rows(inquiry);
    for (const Row *row = walk(&rows); row != NULL; row = walk(&rows)) {
        counts[row->status]++;
        unexplained += row->status != CELL_OK && row->why[0] == '\0';
    }
    inquiry->answer = unexplained > 0 ? ANSWER_PARTLY : ANSWER_YES;
    tell(inquiry, "cells with a time: %zu, skipped: %zu, failed: %zu", counts[CELL_OK],
         counts[CELL_SKIP], counts[CELL_FAIL]);
    tell(inquiry, "without a reason: %zu", unexplained);
    tell_choices(inquiry);
}

/* Whether the algorithm has times at SIZES_ENOUGH sizes, of all runs together; `any`: at one. */
static bool has_sizes(const Inquiry *inquiry, const Algorithm *algorithm, bool *any) {
    const Row *sizes[SIZES_ENOUGH] = {NULL};
    size_t count = 0;
    RowWalk rows = timed_rows(inquiry);
    for (const Row *row = walk(&rows); row != NULL && count < SIZES_ENOUGH; row = walk(&rows)) {
        bool is_new = row->algorithm == algorithm;
        for (size_t i = 0; i < count && is_new; i++) {
            is_new = row_size(sizes[i]) != row_size(row);
        }
        if (is_new) {
            sizes[count++] = row;
        }
    }
    *any = count > 0;
    return count == SIZES_ENOUGH;
}

static void ask_sizes(Inquiry *inquiry) {
    size_t all = 0, right = 0;
    char few[NAMES_SIZE] = "";
    for (size_t i = 0; i < registry_algorithm_count(); i++) {
        bool any;
        const bool enough = has_sizes(inquiry, registry_algorithm(i), &any);
        all += any;
        right += enough;
        if (any && !enough) {
            name_list_add(few, sizeof few, registry_algorithm(i)->name);
        }
    }
    answer_by_share(inquiry, right, all);
    tell(inquiry, "algorithms at three sizes or more: %zu of %zu", right, all);
    if (few[0] != '\0') {
        tell(inquiry, "fewer: %s", few);
    }
}

static bool is_of_a_file(const ReportRun *run) {
    RunOptions request;
    request_recall(&run->stored->arguments, &request);
    return request.input != NULL;
}

static void ask_inputs(Inquiry *inquiry) {
    size_t real = 0, hashed = 0, all = 0, run = SIZE_MAX;
    bool of_file = false;
    char names[NAMES_SIZE] = "";
    RowWalk rows = timed_rows(inquiry);
    for (const Row *row = walk(&rows); row != NULL; row = walk(&rows)) {
        if (run != rows.run) {
            run = rows.run;
            of_file = is_of_a_file(&inquiry->runs[run]);
        }
        real += of_file;
        hashed += row->input_hash != 0;
        all++;
        if (row->input[0] != '\0') {
            name_list_add(names, sizeof names, row->input);
        }
    }
    answer_by_share(inquiry, real, all);
    tell(inquiry, "rows of a file's content: %zu of %zu, the others synthetic", real, all);
    tell(inquiry, "with a hash of the input: %zu of %zu", hashed, all);
    if (names[0] != '\0') {
        tell(inquiry, "inputs: %s", names);
    }
}

static bool is_cold(const Row *row) {
    return row->cold;
}

/* === Answers and ceilings ===================================================================== */

static void ask_answers(Inquiry *inquiry) {
    size_t all = 0, equal = 0, verified = 0, failed = 0;
    RowWalk rows = all_rows(inquiry);
    for (const Row *row = walk(&rows); row != NULL; row = walk(&rows)) {
        all += row_is_timed(row);
        equal += row_is_timed(row) && row->verified && !(row->agreement < 1);
        verified += row_is_timed(row) && row->verified;
        failed += row->status == CELL_FAIL;
    }
    answer_by_share(inquiry, equal, all);
    if (verified < all) {
        answer_at_most(inquiry, ANSWER_NO);
    } else if (failed > 0) {
        answer_at_most(inquiry, ANSWER_PARTLY);
    }
    tell(inquiry, "rows verified against the plain variant: %zu of %zu", verified, all);
    tell(inquiry, "equal in all elements: %zu", equal);
    tell(inquiry, "failed cells: %zu", failed);
}

static bool has_roof(const Row *row) {
    return isfinite(row->roof_fraction);
}

static bool is_under_roof(const Row *row) {
    return has_roof(row) && !row->over_roof;
}

static void ask_roof(Inquiry *inquiry) {
    const RowCount under = count_timed(inquiry, has_roof, is_under_roof);
    if (under.right < under.all) {
        answer_at_most(inquiry, ANSWER_PARTLY);
    }
    tell(inquiry, "over it: %zu", under.all - under.right);
}

/* === Machine ================================================================================== */

static bool is_undisturbed(const Row *row) {
    return !row->starved && !row->slow_phase && !row->stolen && !row->throttled;
}

static void ask_disturbed(Inquiry *inquiry) {
    static const struct {
        const char *name;
        size_t offset;
    } marks[] = {{"starved", offsetof(Row, starved)},
                 {"in a slow phase", offsetof(Row, slow_phase)},
                 {"stolen from", offsetof(Row, stolen)},
                 {"throttled", offsetof(Row, throttled)}};
    size_t warnings = 0;
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        size_t count = 0;
        RowWalk timed = timed_rows(inquiry);
        for (const Row *row = walk(&timed); row != NULL; row = walk(&timed)) {
            count += *(const bool *)((const char *)row + marks[i].offset);
        }
        if (count > 0) {
            tell(inquiry, "%s: %zu", marks[i].name, count);
        }
    }
    for (size_t i = 0; i < inquiry->count; i++) {
        Warnings list;
        run_warnings(inquiry->runs[i].stored, &list);
        warnings += list.count;
    }
    tell(inquiry, "warnings about the machine: %zu", warnings);
    if (warnings > 0) {
        answer_at_most(inquiry, ANSWER_PARTLY);
    }
}

/* Whether machine and build can be had again: which facts are not stored. */
static void ask_setup(Inquiry *inquiry) {
    static const char *const facts[] = {
        fact_cpu_model,     fact_cpu_count,         fact_memory_bytes,
        fact_kernel,        fact_c_compiler,        fact_c_flags,
        fact_commit,        fact_gpu_model,         fact_gpu_driver,
        fact_cuda_compiler, fact_cuda_architectures};
    enum { FACTS = sizeof facts / sizeof facts[0], WITHOUT_GPU = 7 };
    const bool devices = count_timed(inquiry, on_device, is_true).right > 0;
    const size_t asked = devices ? FACTS : WITHOUT_GPU;
    size_t known = 0, changed = 0;
    char missing[NAMES_SIZE] = "";
    for (size_t i = 0; i < inquiry->count; i++) {
        const Machine *machine = &inquiry->runs[i].stored->machine;
        for (size_t j = 0; j < asked; j++) {
            const Fact *fact = machine_fact(machine, facts[j]);
            const bool there = fact != NULL && (fact->kind == FACT_NUMBER || fact->text[0] != '\0');
            char words[FACT_KEY_SIZE];
            known += there;
            fact_key_words(facts[j], words);
            if (!there) {
                name_list_add(missing, sizeof missing, words);
            }
        }
        changed += machine_is_dirty(machine);
    }
    answer_by_share(inquiry, known, asked * inquiry->count);
    tell(inquiry, "facts of machine and build that are stored: %zu of %zu", known,
         asked * inquiry->count);
    if (missing[0] != '\0') {
        tell(inquiry, "not stored: %s", missing);
    }
    if (changed > 0) {
        tell(inquiry, "runs of a tree with changes that are in no commit: %zu", changed);
        answer_at_most(inquiry, ANSWER_PARTLY);
    }
}

/* === The list ================================================================================= */

/* The answer is the share of the rows with a time that are `asked` which are `right`, where
 * `counted` says what is counted; `ask` does and adds the rest. */
typedef struct Question {
    const char *question, *after;
    bool (*asked)(const Row *row), (*right)(const Row *row);
    const char *counted, *others; /* "rows with …", ", the others …" */
    void (*ask)(Inquiry *inquiry);
} Question;

static const Question questions[] = {
    {"Is the base of every speedup named?", "Hoefler & Belli, rule 1", has_speedup, names_bases,
     .counted = "rows with a speedup whose base is named, with its time"},
    {"Does a speedup over one plain thread stand beside one over the best CPU?",
     "Lee et al.; Hoefler & Belli, rule 1", has_speedup_over_seq, has_speedup_over_best,
     .counted = "rows with a speedup over one plain thread that have one over the best CPU"},
    {"Is there a CPU side that is vectorised and uses all processors?", "Pakin; Lee et al.",
     .ask = ask_whole_cpu},
    {"Do GPU times include the transfers?", "Pakin", on_device, has_end_to_end,
     .counted = "GPU rows with a time with copies, upload and download"},
    {"Are the answers of both sides equal, in the same precision?", "Pakin", .ask = ask_answers},
    {"Are all cells shown, or those left out named?", "Hoefler & Belli, rule 2", .ask = ask_whole},
    {"Is more than one size measured?", "Pakin", .ask = ask_sizes},
    {"Are the inputs real?", "Pakin", .ask = ask_inputs},
    {"Are there times with cold caches?", "Hoefler & Belli, rule 9", is_true, is_cold,
     .counted = "rows with caches flushed before each sample", .others = ", the others hot"},
    {"Do intervals say what another launch would measure?", "Hoefler & Belli, rule 5", is_true,
     has_launch_interval, "rows with a 95% interval over launches", .ask = ask_intervals},
    {"Do intervals tell GPU and CPU apart?", "Hoefler & Belli, rule 7", is_compared, has_a_side,
     .counted = "GPU rows whose interval over the best CPU leaves 1 out"},
    {"Is a median a fair summary of the samples?", "Hoefler & Belli, rules 6 and 8",
     .ask = ask_modes},
    {"Were compared cells sampled in turns?", "Hoefler & Belli, rule 9", .ask = ask_turns},
    {"Are times compared with a measured ceiling?", "Hoefler & Belli, rule 11", is_true, has_roof,
     "rows with a share of their measured roof", .ask = ask_roof},
    {"Are machine and build documented?", "Hoefler & Belli, rule 9", .ask = ask_setup},
    {"Was the machine undisturbed?", "Hoefler & Belli, rule 9", is_true, is_undisturbed,
     "rows without a mark of disturbance", .ask = ask_disturbed},
};

static Inquiry inquire(const ReportRun *runs, size_t count, const Question *question) {
    Inquiry inquiry = {.runs = runs, .count = count};
    if (question->counted != NULL) {
        const RowCount rows = count_timed(&inquiry, question->asked, question->right);
        answer_by_share(&inquiry, rows.right, rows.all);
        tell(&inquiry, "%s: %zu of %zu%s", question->counted, rows.right, rows.all,
             question->others != NULL ? question->others : "");
    }
    if (question->ask != NULL) {
        question->ask(&inquiry);
    }
    return inquiry;
}

static const DocCell answers[] = {
    [ANSWER_NOT_ASKED] = {.text = "not asked", .number = NAN, .kind = CELL_FAINT},
    [ANSWER_NO] = {.text = "no", .number = 0, .kind = CELL_STRONG},
    [ANSWER_PARTLY] = {.text = "partly", .number = 1},
    [ANSWER_YES] = {.text = "yes", .number = 2}};

void checklist_add(const ReportRun *runs, size_t count, Document *document) {
    DocTable *table = document_table(document, "checklist", "Reviewers' checklist");
    TABLE_COLUMNS(document, table, WORDS("question"), WORDS("answer"), WORDS("evidence"),
                  WORDS("after"));
    for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++) {
        const Inquiry inquiry = inquire(runs, count, &questions[i]);
        table_words(document, table, questions[i].question);
        table_cell(document, table, &answers[inquiry.answer]);
        table_words(document, table, inquiry.evidence);
        table_words(document, table, questions[i].after);
    }
    table->collapsed = true;
    table->note =
        "Every answer is counted from the rows and facts that are stored, without those of "
        "copy. Not asked: there is no such row. After S. Pakin, \"Ten ways to fool the masses "
        "when giving performance results on GPUs\" (2011). V. W. Lee et al., \"Debunking the "
        "100X GPU vs. CPU myth\" (2010). T. Hoefler, R. Belli, \"Scientific benchmarking of "
        "parallel computing systems: twelve ways to tell the masses when reporting "
        "performance results\" (2015).";
}

/* "partly: Is more than one size measured? …" */
static void add_questions(const ReportRun *runs, size_t count, Answer answer, Document *document) {
    const char *list = "";
    for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++) {
        if (inquire(runs, count, &questions[i]).answer == answer) {
            list = document_text(document, "%s %s", list, questions[i].question);
        }
    }
    if (list[0] != '\0') {
        document_add(document, BLOCK_ITEM, "%s:%s", answers[answer].text, list);
    }
}

void checklist_summarize(const ReportRun *runs, size_t count, Document *document) {
    const size_t asked = sizeof questions / sizeof questions[0];
    size_t yes = 0;
    document_heading(document, 3, "Reviewers' checklist");
    for (size_t i = 0; i < asked; i++) {
        yes += inquire(runs, count, &questions[i]).answer == ANSWER_YES;
    }
    for (Answer answer = ANSWER_NOT_ASKED; answer < ANSWER_YES; answer++) {
        add_questions(runs, count, answer, document);
    }
    document_add(document, BLOCK_PARAGRAPH,
                 "%zu of %zu questions after Pakin, Lee et al., Hoefler and Belli have the answer "
                 "yes%s. 'bench report' shows all with their evidence.",
                 yes, asked, yes < asked ? "; the others are above" : "");
}
