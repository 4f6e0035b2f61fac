/* The stumps of a training as CSV. */
#ifndef CPU_ADABOOST_WRITE_H
#define CPU_ADABOOST_WRITE_H

#include "adaboost.h"

/* Algorithm.write_part. "stumps": round,candidate,type,x,y,w,h,threshold,polarity,error,alpha,
 * misses,false_alarms with a row for each stump taken; error is a share of the weights, 0…1.
 * "count": stumps. */
Status adaboost_write_part(FILE *stream, const Workload *workload, const Point *answer,
                           const Output *output, size_t part);

#endif
