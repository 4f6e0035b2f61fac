/* lacunarity_answer: the forms in which an answer is saved; see Algorithm.write_part and
 * Algorithm.write_table. */
#ifndef CPU_LACUNARITY_ANSWER_H
#define CPU_LACUNARITY_ANSWER_H

#include <stdio.h>

#include "lacunarity.h"

/* threshold,box,positions,sum_s,sum_s2,lambda,lambda_normalised: sums exact, Λ empty where it is
 * undefined. */
Status lacunarity_write_part(FILE *stream, const Workload *workload, const Point *answer,
                             const Output *output, size_t part);

/* threshold,box,s,count for every mass that occurs. STATUS_FAIL when the counts do not add up to
 * the sums of the answer. */
Status lacunarity_write_table(FILE *stream, const Workload *workload, const Point *answer,
                              const Output *output);

#endif
