#include "budget.h"
#include "plan.h"
#include "results.h"
#include "run_options.h"
#include "times.h"
#include "variant.h"
#include "winners.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "measure.h"
#include "oracle.h"
#include "text.h"

/* === Time ===================================================================================== */

/* Seconds of samples of a launch: at most, at least, and the first launch's share of the budget. */
static const double samples_most = 6, samples_least = 1, first_share = 0.1;
/* Of a launch's seconds: those before its first cell. */
static const double start_share = 0.15;
/* Seconds of one cell, at least and at most. */
static const double cell_least = 0.01, cell_most = 1;

static double clamp(double value, double least, double most) {
    return fmin(fmax(value, least), most);
}

double budget_samples(const BudgetClock *clock, int launch) {
    if (launch == 1 || !isfinite(clock->budget)) {
        return clamp(first_share * clock->budget, samples_least, samples_most);
    }
    const int left = launch < BUDGET_LAUNCHES ? BUDGET_LAUNCHES - launch + 1 : 1;
    const double each = (clock->budget - clock->spent) / left;
    return clamp(each - clock->last_beside, samples_least, samples_most);
}

static bool has_time(const Row *row) {
    return row->status == CELL_OK && row->kernel.count > 0;
}

double budget_long_runs(const Results *results) {
    double seconds = 0;
    for (size_t i = 0; i < results->count; i++) {
        const Row *row = &results->rows[i];
        if (has_time(row) && row->kernel_summary.median >= LONG_RUN_BRIEF) {
            seconds += row->kernel_summary.median * (double)row->kernel.count;
        }
    }
    return seconds;
}

void budget_launch_ended(BudgetClock *clock, int launch, double seconds, double samples,
                         double once) {
    clock->last = fmax(seconds - once, 0);
    clock->last_beside = fmax((launch > 1 ? clock->last : seconds) - samples, 0);
}

double budget_cell_seconds(double seconds, size_t cells) {
    return clamp(seconds / (double)(cells > 0 ? cells : 1), cell_least, cell_most);
}

double budget_share(int done, int next, double undecided) {
    return done <= BUDGET_LAUNCHES && next > BUDGET_LAUNCHES
               ? start_share + (1 - start_share) * undecided
               : 1;
}

int budget_launches(const BudgetClock *clock, int done, double undecided) {
    const int most = undecided > 0 ? BUDGET_LAUNCHES_MAX : BUDGET_LAUNCHES;
    if (done == 0) {
        return BUDGET_LAUNCHES;
    }
    const double next = clock->last * budget_share(done, done + 1, undecided);
    const double fit = (clock->budget - clock->spent) / fmax(next, 1e-3);
    const double count = clamp(done + floor(fmax(fit, 0)), BUDGET_LAUNCHES_MIN, most);
    return count > done ? (int)count : done;
}

/* === Groups =================================================================================== */

/* The cells of one question in the plan. */
typedef struct Question {
    size_t first, end;
} Question;

static bool next_question(const Plan *plan, Question *question) {
    question->first = question->end;
    if (question->first >= plan->cell_count) {
        return false;
    }
    while (question->end < plan->cell_count &&
           plan->cells[question->end].group == plan->cells[question->first].group) {
        question->end++;
    }
    return true;
}

/* The row of a cell, if it has a time; else NULL. */
static const Row *timed_row(const Plan *plan, const RunOptions *options, Results *whole,
                            size_t index) {
    const Row *row = plan_find(plan, &plan->cells[index], options->cold, whole);
    return row != NULL && has_time(row) ? row : NULL;
}

/* === Decided questions ======================================================================== */

/* Samples of the cells of one side of a question. */
typedef struct Rivals {
    const Samples *kernel[RIVALS_MAX], *end_to_end[RIVALS_MAX];
    size_t count;
} Rivals;

static void add_rival(Rivals *rivals, const Row *row) {
    if (rivals->count < RIVALS_MAX) {
        rivals->kernel[rivals->count] = &row->kernel;
        rivals->end_to_end[rivals->count++] = &row->end_to_end;
    }
}

/* Whether a run may turn out to be decided after so many launches: six, nine or twelve. Looking
 * after every one would take equal variants for different too often. A guess, of how it will end,
 * may be made at any time. */
static bool budget_looks(size_t launches, size_t least) {
    return launches >= least && (least < BUDGET_LAUNCHES || launches % BUDGET_LAUNCHES_MIN == 0);
}

bool budget_ratio_is_decided(const TimesRatio *times, size_t least) {
    static const double margin = 0.25;
    const double threshold = judge_criteria.threshold;
    const Ratio wider = ratio_widened(times->ratio, margin);
    return times->itself ||
           (budget_looks(times->count, least) && times->ratio.disturber == DISTURBER_NONE &&
            (side_is_decided(ratio_side_beyond(&wider, threshold)) ||
             ratio_side_beyond(&times->ratio, threshold) == SIDE_SAME));
}

/* A guess takes what disturbed the few launches until now for what will not return, and says so in
 * `disturbed`: one of two launches is half of them, which one of six is not. */
static bool times_are_decided(const Times *slow, const Times *fast, size_t least, bool *disturbed) {
    if (slow->count == 0 || fast->count == 0) {
        return true; /* there is no question */
    }
    TimesRatio ratio = times_ratio(slow, fast);
    if (least < BUDGET_LAUNCHES && ratio.ratio.disturber != DISTURBER_NONE) {
        *disturbed = true;
        ratio.ratio.disturber = DISTURBER_NONE;
    }
    return budget_ratio_is_decided(&ratio, least);
}

static bool question_is_decided(const Plan *plan, const RunOptions *options, Results *whole,
                                const Question *question, size_t least, bool *disturbed) {
    Rivals *sides = calloc(3, sizeof *sides); /* too large for a stack */
    bool decided = false;
    if (sides == NULL) {
        return false;
    }
    Rivals *cpu = &sides[0], *gpu = &sides[1], *seq = &sides[2];
    for (size_t i = question->first; i < question->end; i++) {
        const Row *row = timed_row(plan, options, whole, i);
        if (row != NULL && !row->peer) {
            add_rival(row_is_on_cpu(row) ? cpu : gpu, row);
        }
        if (row != NULL && plan_cell_is_seq(&plan->cells[i])) {
            add_rival(seq, row);
        }
    }
    Times best, kernel, end_to_end;
    times_of_fastest(cpu->kernel, cpu->count, cpu->kernel, &best);
    if (gpu->count > 0) {
        times_of_fastest(gpu->kernel, gpu->count, gpu->kernel, &kernel);
        times_of_fastest(gpu->end_to_end, gpu->count, gpu->end_to_end, &end_to_end);
        decided = times_are_decided(&best, &kernel, least, disturbed) &&
                  times_are_decided(&best, &end_to_end, least, disturbed);
    } else {
        times_of_fastest(seq->kernel, seq->count, seq->kernel, &kernel);
        decided = times_are_decided(&kernel, &best, least, disturbed);
    }
    free(sides);
    return decided;
}

static double seconds_of(const Samples *samples) {
    double sum = 0;
    for (size_t i = 0; i < samples->count; i++) {
        sum += samples->seconds[i];
    }
    return sum;
}

/* What a row of the CPU has end to end are its kernel samples. */
static double seconds_of_row(const Row *row) {
    return seconds_of(&row->kernel) + (row_is_on_cpu(row) ? 0 : seconds_of(&row->end_to_end));
}

static double question_seconds(const Plan *plan, const RunOptions *options, Results *whole,
                               const Question *question) {
    double sum = 0;
    for (size_t i = question->first; i < question->end; i++) {
        const Row *row = timed_row(plan, options, whole, i);
        sum += row != NULL ? seconds_of_row(row) : 0;
    }
    return sum;
}

/* === The ratio to seq ========================================================================= */

/* A question about a GPU does not ask for it, and a launch has few samples of seq, or none that
 * nothing disturbed. So seq and the fastest of each side go on when their question is decided,
 * while seq has not had this share of the budget. */
static const double seq_share = 0.2;
/* Cells that take at most so many times as long may turn out to be the fastest. */
static const double nearly_fastest = 1.25;

/* In the launch after `done`, and before six of them in the first one that leaves cells out. */
static bool seq_goes_on(const Plan *plan, const RunOptions *options, Results *whole, int done) {
    const int launches = (done < BUDGET_LAUNCHES ? BUDGET_LAUNCHES : done) + 1;
    double spent = 0;
    for (size_t i = 0; i < plan->cell_count; i++) {
        const Row *row =
            plan_cell_is_seq(&plan->cells[i]) ? timed_row(plan, options, whole, i) : NULL;
        spent += row != NULL ? seconds_of(&row->kernel) : 0;
    }
    return spent * launches / done <= seq_share * options->budget;
}

static double mean_of(const Samples *samples) {
    return seconds_of(samples) / (double)samples->count;
}

/* Means of the fastest cells; NAN: nothing goes on. */
typedef struct Fastest {
    double cpu, gpu;
} Fastest;

static const Fastest nothing_goes_on = {NAN, NAN};

/* Of a question about a GPU which has seq. */
static Fastest fastest_beside_seq(const Plan *plan, const RunOptions *options, Results *whole,
                                  const Question *question) {
    Fastest fastest = nothing_goes_on;
    bool seq = false;
    for (size_t i = question->first; i < question->end; i++) {
        const Row *row = timed_row(plan, options, whole, i);
        if (row == NULL || row->peer) {
            continue;
        }
        seq |= plan_cell_is_seq(&plan->cells[i]);
        double *least = row_is_on_cpu(row) ? &fastest.cpu : &fastest.gpu;
        *least = fmin(*least, mean_of(&row->kernel));
    }
    return seq && isfinite(fastest.gpu) ? fastest : nothing_goes_on;
}

/* Whether a cell is of that ratio. */
static bool is_of_ratio(const Plan *plan, const RunOptions *options, Results *whole, size_t index,
                        Fastest fastest) {
    const Row *row = timed_row(plan, options, whole, index);
    if (row == NULL || row->peer || isnan(fastest.gpu)) {
        return false;
    }
    return plan_cell_is_seq(&plan->cells[index]) ||
           mean_of(&row->kernel) <=
               nearly_fastest * (row_is_on_cpu(row) ? fastest.cpu : fastest.gpu);
}

static double ratio_seconds(const Plan *plan, const RunOptions *options, Results *whole,
                            const Question *question) {
    const Fastest fastest = fastest_beside_seq(plan, options, whole, question);
    double sum = 0;
    for (size_t i = question->first; i < question->end; i++) {
        const Row *row = timed_row(plan, options, whole, i);
        sum += is_of_ratio(plan, options, whole, i, fastest) ? seconds_of_row(row) : 0;
    }
    return sum;
}

double budget_undecided(const Plan *plan, const RunOptions *options, Results *whole, int done) {
    const size_t least = done < BUDGET_LAUNCHES ? (size_t)done : BUDGET_LAUNCHES;
    Question question = {.end = 0};
    if (options->may_end != NULL) {
        const bool may_end =
            budget_looks((size_t)done, least) && options->may_end(options->may_end_context, whole);
        return may_end ? 0 : 1;
    }
    size_t questions = 0, disturbed = 0;
    double all = 0, undecided = 0, of_disturbed = 0, ratios = 0;
    for (; next_question(plan, &question); questions++) {
        bool is_disturbed = false;
        const bool is_decided =
            question_is_decided(plan, options, whole, &question, least, &is_disturbed);
        const double seconds = question_seconds(plan, options, whole, &question);
        all += seconds;
        if (!is_decided) {
            undecided += seconds;
            continue;
        }
        ratios += ratio_seconds(plan, options, whole, &question);
        if (is_disturbed) {
            of_disturbed += seconds;
            disturbed++;
        }
    }
    if (2 * disturbed > questions) { /* a machine that disturbs most of them goes on so */
        undecided += of_disturbed;
    }
    if (undecided == 0) {
        return 0;
    }
    return fmin(undecided + (seq_goes_on(plan, options, whole, done) ? ratios : 0), all) / all;
}

/* === Tunings that are not their variant's best ================================================ */

/* One of the row's times, by its place. */
static const Samples *samples_at(const Row *row, size_t member) {
    return (const Samples *)((const unsigned char *)row + member);
}

/* Whether some other tuning of the cell's variant is clearly faster by this time. Of what was
 * disturbed nobody knows. */
static bool is_beaten(const Plan *plan, const RunOptions *options, Results *whole,
                      const Question *question, size_t index, size_t member) {
    const Row *row = timed_row(plan, options, whole, index);
    if (row == NULL || samples_at(row, member)->disturber != DISTURBER_NONE) {
        return false;
    }
    for (size_t i = question->first; i < question->end; i++) {
        const Row *other = plan->cells[i].variant == plan->cells[index].variant && i != index
                               ? timed_row(plan, options, whole, i)
                               : NULL;
        if (other != NULL &&
            samples_are_clearly_slower(samples_at(row, member), samples_at(other, member))) {
            return true;
        }
    }
    return false;
}

static bool is_left_out(const Plan *plan, const RunOptions *options, Results *whole,
                        const Question *question, size_t index) {
    return !options->every_tuning && !plan_cell_is_seq(&plan->cells[index]) &&
           is_beaten(plan, options, whole, question, index, offsetof(Row, kernel)) &&
           is_beaten(plan, options, whole, question, index, offsetof(Row, end_to_end));
}

/* === Long runs that decide nothing ============================================================ */

/* Cells that take at least so many times as long as the fastest of their side will not be it. */
static const double hopeless = 2;

/* The two rows of a cell's variant that have done most, of less work than the cell's. */
typedef struct Smaller {
    const Row *most, *before;
} Smaller;

static Smaller smaller_rows(const Results *rows, const PlanCell *cell) {
    Smaller smaller = {NULL, NULL};
    for (size_t i = 0; i < rows->count; i++) {
        const Row *row = &rows->rows[i];
        const double work = cost_work(&row->cost);
        if (row->variant != cell->variant || !has_time(row) || !(work < cost_work(&cell->cost)) ||
            !point_equal(&row->answer, &cell->answer) ||
            !point_equal(&row->tuning, &cell->tuning)) {
            continue;
        }
        if (smaller.most == NULL || work > cost_work(&smaller.most->cost)) {
            smaller.before = smaller.most;
            smaller.most = row;
        } else if (work < cost_work(&smaller.most->cost) &&
                   (smaller.before == NULL || work > cost_work(&smaller.before->cost))) {
            smaller.before = row;
        }
    }
    return smaller;
}

/* Seconds of a run of a cell, if they go on growing as they did from one smaller row to the next;
 * NAN: there are no two. A variant need not do the work that seq does. */
static double grown_seconds(const Smaller *smaller, const PlanCell *cell) {
    static const double steepest = 2;
    if (smaller->before == NULL) {
        return NAN;
    }
    const double most = smaller->most->kernel_summary.median;
    const double work = cost_work(&smaller->most->cost);
    const double power = log(most / smaller->before->kernel_summary.median) /
                         log(work / cost_work(&smaller->before->cost));
    return most * pow(cost_work(&cell->cost) / work, clamp(power, 0, steepest));
}

/* Of the other cells of the CPU in its group the least; INFINITY: nothing is known of them. */
static double grown_least(const Plan *plan, const Results *rows, size_t index) {
    double least = INFINITY;
    for (size_t i = 0; i < plan->cell_count; i++) {
        const PlanCell *other = &plan->cells[i];
        if (i != index && other->group == plan->cells[index].group &&
            variant_is_on_cpu(other->variant)) {
            const Smaller smaller = smaller_rows(rows, other);
            least = fmin(least, grown_seconds(&smaller, other));
        }
    }
    return least;
}

Status budget_has_time(const Plan *plan, const Results *rows, size_t index, double left,
                       double expected, double least) {
    const PlanCell *cell = &plan->cells[index];
    const Smaller smaller = smaller_rows(rows, cell);
    const double grown = grown_seconds(&smaller, cell);
    const bool has_grown = isfinite(grown);
    const double seconds = has_grown ? grown : expected; /* to verify it; and to time it */
    const double fastest = has_grown ? grown_least(plan, rows, index) : least;
    if (!variant_is_on_cpu(cell->variant) || plan_cell_is_seq(cell) || !(seconds >= LONG_RUN) ||
        2 * seconds <= left || !(seconds >= hopeless * fastest)) {
        return status_ok();
    }
    char from[64] = "from a small part of the input";
    if (has_grown) {
        snprintf(from, sizeof from, "one took %.3g s at %.31s", smaller.most->kernel_summary.median,
                 smaller.most->size_name);
    }
    return status_skip("two runs, to verify and to time it, would take about %.3g s (%s), more "
                       "than the %.3g s that the budget leaves for long runs (--max-cell allows "
                       "more)",
                       2 * seconds, from, left);
}

Status budget_has_time_again(double seconds, double left, double least) {
    return !(seconds >= LONG_RUN) || seconds <= left || seconds < hopeless * least
               ? status_ok()
               : status_skip("it is right, but the run that verified it took %.3g s, and one more, "
                             "to time it, does not fit into the %.3g s that the budget leaves for "
                             "long runs (--max-cell allows more)",
                             seconds, left);
}

/* Times of the fastest cell of a side, by kernel time and end to end. */
typedef struct Side {
    double kernel, end_to_end;
} Side;

static Side fastest_beside(const Plan *plan, const RunOptions *options, Results *whole,
                           const Question *question, const Row *one) {
    Side fastest = {INFINITY, INFINITY};
    for (size_t i = question->first; i < question->end; i++) {
        const Row *row = timed_row(plan, options, whole, i);
        if (row != NULL && !row->peer && row_is_on_cpu(row) == row_is_on_cpu(one)) {
            fastest.kernel = fmin(fastest.kernel, mean_of(&row->kernel));
            fastest.end_to_end = fmin(fastest.end_to_end, mean_of(&row->end_to_end));
        }
    }
    return fastest;
}

/* What other programs slowed down may be the fastest. */
static double least_of(const Samples *samples) {
    return samples->disturber == DISTURBER_NONE ? mean_of(samples) : samples->undisturbed;
}

/* Seconds that a launch saves without the cell; 0: it is short, or may be the fastest. */
static double saved_without(const Plan *plan, const RunOptions *options, Results *whole,
                            const Question *question, size_t index) {
    const Row *row = timed_row(plan, options, whole, index);
    if (row == NULL || mean_of(&row->kernel) < LONG_RUN_BRIEF || row->end_to_end.count == 0) {
        return 0;
    }
    const Side fastest = fastest_beside(plan, options, whole, question, row);
    const bool slow = least_of(&row->kernel) >= hopeless * fastest.kernel &&
                      least_of(&row->end_to_end) >= hopeless * fastest.end_to_end;
    return slow ? mean_of(&row->kernel) : 0;
}

/* Of the cells of seq, or of all others, the one that saves most; the number of cells: none. */
static size_t longest_of(const Plan *plan, const double *saved, bool seq) {
    size_t longest = plan->cell_count;
    double most = 0;
    for (size_t i = 0; i < plan->cell_count; i++) {
        if (saved[i] > most && plan_cell_is_seq(&plan->cells[i]) == seq) {
            longest = i;
            most = saved[i];
        }
    }
    return longest;
}

/* Seconds that the next launch lacks where the least number of launches is to fit. Of long cells it
 * runs those that are not left out, whether or not the last launch did; and the first launch has
 * run those of the CPU twice, to verify them. */
static double missing_seconds(const BudgetClock *clock, const Plan *plan, const RunOptions *options,
                              Results *whole, int done, int least, const bool *cells) {
    double next = clock->last;
    for (size_t i = 0; i < plan->cell_count; i++) {
        const Row *row = timed_row(plan, options, whole, i);
        if (row != NULL && mean_of(&row->kernel) >= LONG_RUN_BRIEF) {
            const bool twice =
                done == 1 && row_is_on_cpu(row) && !plan_cell_is_seq(&plan->cells[i]);
            const int in_last = samples_launches(&row->kernel) == (size_t)done ? 1 + twice : 0;
            next += mean_of(&row->kernel) * (!cells[i] - in_last);
        }
    }
    return next - (clock->budget - clock->spent) / (least - done);
}

/* Launches that are to fit after `done`: the least number and then those of an interval, which
 * curves over all tunings need not have; or those after which the run stops. */
static int launches_to_fit(const RunOptions *options, int done) {
    const bool least = done < BUDGET_LAUNCHES_MIN || options->every_tuning;
    const int wanted = least ? BUDGET_LAUNCHES_MIN : BUDGET_LAUNCHES;
    const int stop = options->stop_after;
    return stop > 0 && stop < wanted ? stop : wanted;
}

/* A launch takes as long as its longest runs, however little it samples. Until there are enough
 * launches, the next one leaves out the longest of those that decide nothing, as long as it does
 * not fit; seq last, whose ratio then has fewer launches, and after the least number of them not
 * where it is asked for. With options->may_end other questions are asked, which these runs may
 * decide. */
static void leave_out_long(const BudgetClock *clock, const Plan *plan, const RunOptions *options,
                           Results *whole, int done, bool *cells) {
    const int least = launches_to_fit(options, done);
    if (done >= least || options->may_end != NULL) {
        return;
    }
    double missing = missing_seconds(clock, plan, options, whole, done, least, cells);
    double *saved = missing > 0 ? calloc(plan->cell_count, sizeof *saved) : NULL;
    if (saved == NULL) { /* without memory the launch takes longer */
        return;
    }
    Question question = {.end = 0};
    while (next_question(plan, &question)) {
        const Fastest fastest = fastest_beside_seq(plan, options, whole, &question);
        const bool seq_stays = done >= BUDGET_LAUNCHES_MIN && isnan(fastest.gpu);
        for (size_t i = question.first; i < question.end; i++) {
            const bool stays = cells[i] || (seq_stays && plan_cell_is_seq(&plan->cells[i]));
            saved[i] = stays ? 0 : saved_without(plan, options, whole, &question, i);
        }
    }
    for (int seq = 0; seq < 2; seq++) {
        size_t i;
        while (missing > 0 && (i = longest_of(plan, saved, seq)) < plan->cell_count) {
            cells[i] = true;
            missing -= saved[i];
            saved[i] = 0;
        }
    }
    free(saved);
}

/* === Lists of cells =========================================================================== */

/* Longer arguments are refused by the system. */
enum { LIST_TEXT_MAX = 100000 };

/* Writes the places of the cells that are set: "3-7,12". */
static void print_list(const bool *cells, size_t count, char *text) {
    size_t length = 0;
    for (size_t i = 0; i < count && length + 48 < LIST_TEXT_MAX; i++) {
        size_t last = i;
        while (cells[i] && last + 1 < count && cells[last + 1]) {
            last++;
        }
        if (cells[i]) {
            length +=
                (size_t)snprintf(text + length, LIST_TEXT_MAX - length,
                                 last > i ? "%s%zu-%zu" : "%s%zu", length > 0 ? "," : "", i, last);
        }
        i = last;
    }
}

/* A place, or "3-7". */
static Status read_places(char *word, size_t count, bool *cells) {
    uint64_t first = 0, last = 0;
    char *dash = strchr(word, '-');
    if (dash != NULL) {
        *dash = '\0';
    }
    STATUS_TRY(parse_count(word, 0, count - 1, &first));
    STATUS_TRY(parse_count(dash != NULL ? dash + 1 : word, first, count - 1, &last));
    memset(cells + first, true, last - first + 1);
    return status_ok();
}

static Status read_list(const char *list, size_t count, bool *cells) {
    for (const char *rest = list; rest != NULL;) {
        char word[LIST_WORD_SIZE];
        Status status = list_next(&rest, word);
        STATUS_THEN(status, read_places(word, count, cells));
        if (!status_is_ok(&status)) {
            return status_make(STATUS_USAGE,
                               "--leave-out: '%.40s' is no list of cells: write places in the "
                               "plan, from 0 to %zu, such as 3-7,12",
                               list, count - 1);
        }
    }
    return status_ok();
}

Status budget_leave_out(const BudgetClock *clock, const Plan *plan, const RunOptions *options,
                        Results *whole, int done, char **text) {
    bool *cells = calloc(plan->cell_count, sizeof *cells);
    *text = calloc(LIST_TEXT_MAX, 1);
    if (cells == NULL || *text == NULL) {
        free(cells);
        free(*text);
        *text = NULL;
        return status_no_memory("for the cells of a launch");
    }
    bool open = false;
    const bool seq = done > 0 && seq_goes_on(plan, options, whole, done);
    Question question = {.end = 0};
    while (next_question(plan, &question)) {
        bool disturbed = false;
        const bool decided =
            done >= BUDGET_LAUNCHES && options->may_end == NULL &&
            question_is_decided(plan, options, whole, &question, BUDGET_LAUNCHES, &disturbed);
        const Fastest fastest =
            decided && seq ? fastest_beside_seq(plan, options, whole, &question) : nothing_goes_on;
        open |= !decided;
        for (size_t i = question.first; i < question.end; i++) {
            cells[i] = (decided && !is_of_ratio(plan, options, whole, i, fastest)) ||
                       is_left_out(plan, options, whole, &question, i);
        }
    }
    leave_out_long(clock, plan, options, whole, done, cells);
    size_t left = plan->cell_count;
    for (size_t i = 0; i < plan->cell_count; i++) {
        left -= cells[i];
    }
    if (open && left > 0 && left < plan->cell_count) {
        print_list(cells, plan->cell_count, *text);
    } else {
        free(*text);
        *text = NULL;
    }
    free(cells);
    return status_ok();
}

Status plan_leave_out(const RunOptions *options, Plan *plan) {
    if (options->leave_out == NULL) {
        return status_ok();
    }
    bool *cells = calloc(plan->cell_count, sizeof *cells);
    STATUS_MEMORY(cells, "for the cells of a launch");
    const Status status = read_list(options->leave_out, plan->cell_count, cells);
    size_t kept = 0;
    for (size_t i = 0; i < plan->cell_count && status_is_ok(&status); i++) {
        if (!cells[i]) {
            plan->cells[kept++] = plan->cells[i];
        }
    }
    plan->cell_count = status_is_ok(&status) ? kept : plan->cell_count;
    free(cells);
    return status;
}
