/* Answer proof: what a variant has to get right before its answers are believed. */
#ifndef BENCH_ANSWER_PROOF_H
#define BENCH_ANSWER_PROOF_H

#include "algorithm.h"

/* Holds the variant against the oracle at this point, on a small synthetic input.
 * STATUS_FAIL "… gave a wrong answer: …". A point that it has no answer for is passed over. */
Status one_answer_prove(const Algorithm *algorithm, const Variant *variant, const Point *answer);

#endif
