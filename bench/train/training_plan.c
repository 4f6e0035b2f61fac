#include "training_plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "default_point.h"
#include "one_answer.h"
#include "registry.h"
#include "visible.h"

static const char algorithm_name[] = "adaboost";
enum { PROOF_ROUNDS = 5, PROOF_CANDIDATES = 50 };

/* --- Axes ------------------------------------------------------------------------------------- */

static AxisValue *find_value(Point *point, const char *name, const Axis **axis) {
    for (size_t i = 0; i < point->count; i++) {
        if (strcmp(point->axes[i]->name, name) == 0) {
            *axis = point->axes[i];
            return &point->values[i];
        }
    }
    return NULL;
}

static void set_number(AxisValue *value, int64_t number) {
    value->number = number;
    snprintf(value->text, sizeof value->text, "%" PRId64, number);
}

static Status parse_one(const Axis *axis, const char *text, const Workload *workload,
                        AxisValue *value) {
    AxisValues *values = calloc(1, sizeof *values);
    if (values == NULL) {
        return status_skip("no memory left for axis values");
    }
    Status status = axis_parse(axis, text, workload, values);
    if (status_is_ok(&status) && values->count != 1) {
        status =
            status_make(STATUS_USAGE, "--%s: a training takes one value, not the %zu of '%.40s'",
                        axis->name, values->count, text);
    } else if (status_is_ok(&status)) {
        *value = values->values[0];
    }
    free(values);
    return status;
}

/* `of` has the axes of this point. A text that is NULL leaves the default. */
static Status set_value(Point *point, const char *of, const char *name, const char *text,
                        const Workload *workload) {
    const Axis *axis = NULL;
    AxisValue *value = find_value(point, name, &axis);
    if (text == NULL) {
        return status_ok();
    }
    return value != NULL ? parse_one(axis, text, workload, value)
                         : status_make(STATUS_USAGE, "--%s: %s has no such axis", name, of);
}

static Status set_points(const TrainRequest *request, TrainingPlan *plan) {
    const Workload *workload = plan->workload;
    const Algorithm *algorithm = plan->algorithm;
    STATUS_TRY(default_point(algorithm->answer, workload, &plan->answer));
    STATUS_TRY(default_point(plan->variant->tuning, workload, &plan->tuning));
    const struct {
        const char *name, *text;
    } given[] = {{"rounds", request->rounds},
                 {"candidates", request->candidates},
                 {"min-side", request->min_side},
                 {"threshold", request->threshold}};
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++) {
        STATUS_TRY(
            set_value(&plan->answer, algorithm->name, given[i].name, given[i].text, workload));
    }
    return set_value(&plan->tuning, plan->variant->name, "threads", request->threads, workload);
}

/* --- Digits ----------------------------------------------------------------------------------- */

static void count_labels(const ImageSet *set, int32_t counts[RECOGNISER_DIGITS_MAX]) {
    memset(counts, 0, RECOGNISER_DIGITS_MAX * sizeof *counts);
    for (int32_t i = 0; i < set->count; i++) {
        counts[set->labels[i]]++;
    }
}

static Status list_digits(const Axis *axis, const char *list, const Workload *workload,
                          TrainingFacts *facts) {
    AxisValues *values = calloc(1, sizeof *values);
    if (values == NULL) {
        return status_skip("no memory left for the list of digits");
    }
    Status status = axis_parse(axis, list, workload, values);
    for (size_t i = 0; status_is_ok(&status) && i < values->count; i++) {
        const int64_t digit = values->values[i].number;
        if (digit < 0 || digit >= RECOGNISER_DIGITS_MAX) {
            status = status_make(STATUS_USAGE, "--digits: digits are numbers from 0 to 255");
            break;
        }
        facts->digits[facts->digit_count++] = (uint8_t)digit;
    }
    free(values);
    return status;
}

/* Each digit needs pictures of it and pictures of others. */
static Status check_digits(const Workload *workload, const TrainingFacts *facts,
                           const int32_t counts[RECOGNISER_DIGITS_MAX]) {
    for (size_t i = 0; i < facts->digit_count; i++) {
        const int32_t digit = facts->digits[i];
        if (counts[digit] == 0 || counts[digit] == workload->set.count) {
            return status_make(STATUS_USAGE,
                               "%s of the %" PRId32 " pictures of %.100s is labelled %" PRId32
                               "; a training needs pictures of a digit and pictures of others",
                               counts[digit] == 0 ? "none" : "each", workload->set.count,
                               workload->input, digit);
        }
    }
    return status_ok();
}

static Status choose_digits(const char *list, TrainingPlan *plan) {
    const Workload *workload = plan->workload;
    int32_t counts[RECOGNISER_DIGITS_MAX];
    const Axis *axis = NULL;
    if (find_value(&plan->answer, "digit", &axis) == NULL) {
        return status_fail("%s has no axis --digit", plan->algorithm->name);
    }
    count_labels(&workload->set, counts);
    for (int32_t i = 0; list == NULL && i < RECOGNISER_DIGITS_MAX; i++) {
        if (counts[i] > 0) {
            plan->facts.digits[plan->facts.digit_count++] = (uint8_t)i;
        }
    }
    if (list != NULL) {
        STATUS_TRY(list_digits(axis, list, workload, &plan->facts));
    }
    return check_digits(workload, &plan->facts, counts);
}

/* ---------------------------------------------------------------------------------------------- */

static void note_facts(TrainingPlan *plan) {
    TrainingFacts *facts = &plan->facts;
    const Workload *workload = plan->workload;
    facts->width = workload->set.width;
    facts->height = workload->set.height;
    facts->images = workload->set.count;
    facts->hash = workload->hash;
    facts->seed = workload->seed;
    facts->rounds = (int32_t)point_integer(&plan->answer, "rounds", 0);
    facts->candidates = (int32_t)point_integer(&plan->answer, "candidates", 0);
    facts->min_side = (int32_t)point_integer(&plan->answer, "min-side", 0);
    facts->threshold = (int32_t)point_integer(&plan->answer, "threshold", 0);
    text_visible(workload->input, facts->input, sizeof facts->input);
    snprintf(facts->variant, sizeof facts->variant, "%s", plan->variant->name);
}

Status training_plan_make(const TrainRequest *request, const Workload *workload,
                          TrainingPlan *plan) {
    *plan =
        (TrainingPlan){.workload = workload, .algorithm = registry_find_algorithm(algorithm_name)};
    if (plan->algorithm == NULL) {
        return status_fail("%s is not compiled in", algorithm_name);
    }
    if (workload->set.labels == NULL) {
        return status_make(STATUS_USAGE,
                           "%.200s has no labels, which say what each picture is; give a file of "
                           "them with --labels",
                           workload->input);
    }
    STATUS_TRY(one_answer_variant(plan->algorithm, request->variant, &plan->variant));
    STATUS_TRY(set_points(request, plan));
    STATUS_TRY(choose_digits(request->digits, plan));
    note_facts(plan);
    plan->answer = training_plan_point(plan, plan->facts.digits[0]);
    return status_ok();
}

static void set_axis(Point *point, const char *name, int64_t number) {
    const Axis *axis = NULL;
    AxisValue *value = find_value(point, name, &axis);
    if (value != NULL) {
        set_number(value, number);
    }
}

Point training_plan_point(const TrainingPlan *plan, int32_t digit) {
    Point point = plan->answer;
    set_axis(&point, "digit", digit);
    return point;
}

Point training_plan_proof(const TrainingPlan *plan) {
    Point point = plan->answer;
    const TrainingFacts *facts = &plan->facts;
    set_axis(&point, "rounds", facts->rounds < PROOF_ROUNDS ? facts->rounds : PROOF_ROUNDS);
    set_axis(&point, "candidates",
             facts->candidates < PROOF_CANDIDATES ? facts->candidates : PROOF_CANDIDATES);
    return point;
}
