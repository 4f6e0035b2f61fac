/* Training plan: what a request for a training comes to, with every option checked. */
#ifndef BENCH_TRAINING_PLAN_H
#define BENCH_TRAINING_PLAN_H

#include "algorithm.h"
#include "training.h"

typedef struct TrainingPlan {
    const Algorithm *algorithm;
    const Variant *variant;
    const Workload *workload;
    Point answer; /* of the first digit */
    Point tuning;
    TrainingFacts facts;
} TrainingPlan;

/* Errors as train() has them. */
Status training_plan_make(const TrainRequest *request, const Workload *workload,
                          TrainingPlan *plan);

/* The answer point of a digit. */
Point training_plan_point(const TrainingPlan *plan, int32_t digit);

/* One that is quick to compute, for a proof of the variant: no more than a few rounds and
 * candidates. */
Point training_plan_proof(const TrainingPlan *plan);

#endif
