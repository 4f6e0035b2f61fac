/* The search for the commit that changed a time. */

#include "history.h"
#include "list.h"
#include "paths.h"
#include "row.h"
#include "text.h"
#include "two_runs.h"
#include "words.h"

#include <stdlib.h>
#include <string.h>

enum { LINE_SIZE = 512 };

typedef enum Standing { UNKNOWN, SKIPPED, LIKE_GOOD, LIKE_BAD } Standing;

typedef struct Candidate {
    char commit[COMMIT_SIZE];
    Standing standing;
} Candidate;

typedef struct Bisection {
    const BisectRequest *request;
    CommitBuilds *builds;
    char good[COMMIT_SIZE];
    Candidate *candidates; /* oldest first; the last is bad */
    size_t count, capacity;
    size_t low, high; /* the change is in low < i ≤ high; candidate low - 1 is like good */
    char cell[CELL_NAME_SIZE];   /* that is followed */
    RunDifference change;        /* of it, between good and bad */
    MeasuredRun runs[SIDES];     /* of the last measurement */
    Comparison comparison;       /* the same */
    const ComparedCell *decides; /* the followed cell in it */
    size_t measured;             /* how many measurements there were */
} Bisection;

/* === Commits ================================================================================== */

static Status add_candidates(Bisection *bisection, char *text) {
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        STATUS_TRY(LIST_ROOM(NULL, bisection->candidates, bisection->count, bisection->capacity,
                             "commits"));
        Candidate *candidate = &bisection->candidates[bisection->count++];
        *candidate = (Candidate){.standing = UNKNOWN};
        snprintf(candidate->commit, COMMIT_SIZE, "%.70s", line);
    }
    return status_ok();
}

static Status list_commits(Bisection *bisection) {
    const char *repository = bisection->builds->repository;
    char bad[COMMIT_SIZE], range[2 * COMMIT_SIZE + 4];
    char *text = NULL;
    STATUS_TRY(git_commit(repository, bisection->request->good, bisection->good));
    STATUS_TRY(git_commit(repository, bisection->request->bad, bad));
    const char *const related[] = {"merge-base", "--is-ancestor", bisection->good, bad, NULL};
    const Status status = git_read(repository, related, &text);
    free(text);
    if (status.code == STATUS_FILE || strcmp(bisection->good, bad) == 0) {
        return status_make(STATUS_USAGE,
                           "%.80s is no earlier commit of %.80s's history; name an earlier commit "
                           "first, then a later one",
                           bisection->request->good, bisection->request->bad);
    }
    STATUS_TRY(status);
    snprintf(range, sizeof range, "%.70s..%.70s", bisection->good, bad);
    const char *const list[] = {"rev-list", "--first-parent", "--reverse", range, "--", NULL};
    STATUS_TRY(git_read(repository, list, &text));
    const Status added = add_candidates(bisection, text);
    free(text);
    return added;
}

static void print_commit(const Bisection *bisection, const char *commit, const char *words) {
    char subject[COMMIT_SUBJECT_SIZE];
    git_subject(bisection->builds->repository, commit, subject);
    visible_line(stdout, "%.*s  %s  %s", COMMIT_SHORT, commit, words, subject);
    fflush(stdout);
}

/* === Measuring ================================================================================ */

static void forget(Bisection *bisection) {
    comparison_release(&bisection->comparison);
    measured_run_release(&bisection->runs[SIDE_OLD]);
    measured_run_release(&bisection->runs[SIDE_NEW]);
    bisection->decides = NULL;
}

/* The followed cell; before there is one, the cell that changed most of those that surely did. */
static void find_cell(Bisection *bisection) {
    const bool follows = bisection->cell[0] != '\0';
    for (size_t i = 0; i < bisection->comparison.count; i++) {
        const ComparedCell *cell = &bisection->comparison.cells[i];
        const ComparedCell *most = bisection->decides;
        if (follows ? cell->judgement.change != CHANGE_FAILED &&
                          strcmp(cell->name, bisection->cell) == 0
                    : difference_is_greater(&cell->judgement.difference,
                                            most != NULL ? &most->judgement.difference : NULL)) {
            bisection->decides = cell;
        }
    }
}

/* STATUS_FAIL where nothing decides because a cell of either commit failed. */
static Status check_failures(const Bisection *bisection) {
    for (int side = 0; side < SIDES; side++) {
        const UntimedCell *failed = measured_run_failure(&bisection->runs[side]);
        if (failed != NULL) {
            return status_fail("%.200s failed: %.160s", failed->name, failed->why);
        }
    }
    return status_ok();
}

/* Builds and measures two commits in turns and compares them. Whatever differs besides is part of
 * the change: they are of one machine. */
static Status measure(Bisection *bisection, const char *before, const char *now) {
    const BisectRequest *request = bisection->request;
    CommitBuild builds[SIDES];
    char folder[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(commit_builds_build(bisection->builds, before, &builds[SIDE_OLD]));
    STATUS_TRY(commit_builds_build(bisection->builds, now, &builds[SIDE_NEW]));
    STATUS_TRY(path_make(folder, sizeof folder, "%.3900s/measured-%zu", bisection->builds->folder,
                         ++bisection->measured));
    const ProgramPair pair = {.builds = {&builds[SIDE_OLD], &builds[SIDE_NEW]},
                              .folder = folder,
                              .request = request->request,
                              .launches = request->launches,
                              .notes = request->notes};
    forget(bisection);
    STATUS_TRY(program_pair_measure(&pair, bisection->runs));
    const Status status = comparison_make(&bisection->runs[SIDE_OLD], &bisection->runs[SIDE_NEW],
                                          &request->criteria, true, &bisection->comparison);
    if (!status_is_ok(&status)) {
        measured_run_release(&bisection->runs[SIDE_OLD]);
        measured_run_release(&bisection->runs[SIDE_NEW]);
        return status;
    }
    find_cell(bisection);
    return bisection->decides != NULL ? status_ok() : check_failures(bisection);
}

/* "lbp/seq/texture/1080p: 1.10× slower (1.09 to 1.11), p 0.00016 of 8 launches a side" */
static void words_cell(const ComparedCell *cell, char text[LINE_SIZE]) {
    char words[NUMBER_WORDS_SIZE];
    difference_words(&cell->judgement.difference, words);
    snprintf(text, LINE_SIZE, "%.300s: %s, p %.2g of %zu launches a side", cell->name, words,
             cell->judgement.difference.p, cell->now->launch_count);
}

/* === Searching ================================================================================ */

/* The candidate nearest to the middle that is not known yet; `high` if there is none. The last one
 * is bad already. */
static size_t choose(const Bisection *bisection) {
    const size_t middle = (bisection->low + bisection->high) / 2;
    for (size_t distance = 0; distance <= bisection->high - bisection->low; distance++) {
        const size_t below = middle - distance;
        const size_t above = middle + distance;
        if (distance <= middle && below >= bisection->low && below < bisection->high &&
            bisection->candidates[below].standing == UNKNOWN) {
            return below;
        }
        if (above >= bisection->low && above < bisection->high &&
            bisection->candidates[above].standing == UNKNOWN) {
            return above;
        }
    }
    return bisection->high;
}

static bool is_end(const Bisection *bisection, size_t index) {
    return index == bisection->high || index + 1 == bisection->low;
}

/* What is no end of the search is not needed again. */
static void drop_builds(const Bisection *bisection) {
    for (size_t i = 0; i < bisection->count; i++) {
        const Standing standing = bisection->candidates[i].standing;
        if ((standing == LIKE_GOOD || standing == LIKE_BAD) && !is_end(bisection, i)) {
            commit_builds_drop(bisection->builds, bisection->candidates[i].commit);
        }
    }
}

/* A commit belongs to the end that its time is nearer to. */
static void judge(Bisection *bisection, size_t index) {
    char words[LINE_SIZE];
    Candidate *candidate = &bisection->candidates[index];
    const RunDifference *difference = &bisection->decides->judgement.difference;
    const bool bad = difference_is_near(difference, &bisection->change);
    candidate->standing = bad ? LIKE_BAD : LIKE_GOOD;
    snprintf(words, sizeof words, "new/old %.3f, like the %s end", difference->ratio.value,
             bad ? "bad" : "good");
    print_commit(bisection, candidate->commit, words);
    if (bad) {
        bisection->high = index;
    } else {
        bisection->low = index + 1;
    }
    drop_builds(bisection);
}

/* `why` may be NULL: it has been said. */
static Status skip(const Bisection *bisection, Candidate *candidate, const char *words,
                   const char *why) {
    candidate->standing = SKIPPED;
    print_commit(bisection, candidate->commit, words);
    if (why != NULL) {
        visible_line(stderr, "bench: note: %s", why);
    }
    return status_ok();
}

static Status try_candidate(Bisection *bisection, size_t index) {
    Candidate *candidate = &bisection->candidates[index];
    CommitBuild build;
    const Status built = commit_builds_build(bisection->builds, candidate->commit, &build);
    if (built.code == STATUS_SKIP || built.code == STATUS_NO_MATCH) {
        return skip(bisection, candidate, "cannot be built, skipped:", NULL);
    }
    STATUS_TRY(built);
    const Status status = measure(bisection, bisection->good, candidate->commit);
    const bool measured = status_is_ok(&status);
    if (status.code == STATUS_FAIL || status.code == STATUS_SKIP ||
        status.code == STATUS_NO_MATCH || (measured && bisection->decides == NULL)) {
        return skip(bisection, candidate, "cannot be measured, skipped:",
                    measured ? "the cell is not in its results" : status.why);
    }
    STATUS_TRY(status);
    const CellJudgement *judgement = &bisection->decides->judgement;
    if (judgement->difference.ratio.disturber != DISTURBER_NONE) {
        return skip(bisection, candidate, "was disturbed, skipped:", judgement->why);
    }
    judge(bisection, index);
    return status_ok();
}

/* The two ends first. */
static Status measure_ends(Bisection *bisection, BisectEnd *end) {
    char words[LINE_SIZE];
    Candidate *bad = &bisection->candidates[bisection->count - 1];
    STATUS_TRY(measure(bisection, bisection->good, bad->commit));
    if (bisection->decides == NULL) {
        const size_t cells =
            bisection->comparison.count - bisection->comparison.changes[CHANGE_ROOF];
        printf("good and bad do not surely differ: of %zu cell%s none is slower or faster by more "
               "than %g%% at alpha %g; nothing to search\n",
               cells, cells == 1 ? "" : "s", 100 * bisection->request->criteria.threshold,
               bisection->request->criteria.alpha);
        STATUS_TRY(compare_print_table(stdout, &bisection->comparison));
        *end = BISECT_NO_CHANGE;
        return status_ok();
    }
    bad->standing = LIKE_BAD;
    bisection->high = bisection->count - 1;
    snprintf(bisection->cell, sizeof bisection->cell, "%.500s", bisection->decides->name);
    bisection->change = bisection->decides->judgement.difference;
    words_cell(bisection->decides, words);
    visible_line(stdout, "good and bad differ: %s", words);
    printf("%zu commits to search\n", bisection->count);
    fflush(stdout);
    return status_ok();
}

/* === Result =================================================================================== */

static Status report_several(const Bisection *bisection) {
    printf("\nThe change is in one of these commits; those between could not be measured:\n");
    for (size_t i = bisection->low; i <= bisection->high; i++) {
        print_commit(bisection, bisection->candidates[i].commit,
                     i == bisection->high ? "is like the bad end" : "was skipped");
    }
    return status_ok();
}

/* The commit against the one before it, measured once more. */
static Status report_found(Bisection *bisection, BisectEnd *end) {
    char words[LINE_SIZE];
    const char *found = bisection->candidates[bisection->high].commit;
    const char *before =
        bisection->high > 0 ? bisection->candidates[bisection->high - 1].commit : bisection->good;
    STATUS_TRY(measure(bisection, before, found));
    if (bisection->decides == NULL) {
        return status_fail("%.300s is not in the results of %.12s any more", bisection->cell,
                           found);
    }
    const CellChange change = bisection->decides->judgement.change;
    *end = change == CHANGE_SLOWER || change == CHANGE_FASTER ? BISECT_FOUND : BISECT_GRADUAL;
    putchar('\n');
    print_commit(bisection, found,
                 *end == BISECT_FOUND ? "is the commit that changed it:"
                                      : "crosses the middle, but surely differs not from the one "
                                        "before:");
    words_cell(bisection->decides, words);
    visible_line(stdout, "against the commit before: %s", words);
    if (*end == BISECT_GRADUAL) {
        Detectable seen = {.cells = 0};
        detectable_add(&seen, bisection->decides->judgement.difference.detectable);
        detectable_words(&seen, "change", "cell", words, sizeof words);
        visible_line(stdout, "%s", words);
    }
    return status_ok();
}

static Status search(Bisection *bisection, BisectEnd *end) {
    STATUS_TRY(list_commits(bisection));
    STATUS_TRY(measure_ends(bisection, end));
    if (bisection->decides == NULL) {
        return status_ok();
    }
    for (size_t next; (next = choose(bisection)) != bisection->high;) {
        STATUS_TRY(try_candidate(bisection, next));
    }
    if (bisection->low < bisection->high) {
        *end = BISECT_SEVERAL;
        return report_several(bisection);
    }
    return report_found(bisection, end);
}

Status bisect_run(const BisectRequest *request, CommitBuilds *builds, BisectEnd *end) {
    Bisection *bisection = calloc(1, sizeof *bisection);
    STATUS_MEMORY(bisection, "for a bisection");
    bisection->request = request;
    bisection->builds = builds;
    Status status = commit_builds_open(builds);
    if (status_is_ok(&status)) {
        status = search(bisection, end);
        commit_builds_close(builds);
    }
    forget(bisection);
    free(bisection->candidates);
    free(bisection);
    return status;
}
