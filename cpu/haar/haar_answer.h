/* The answer of haar, judged and written. */
#ifndef CPU_HAAR_ANSWER_H
#define CPU_HAAR_ANSWER_H

#include "haar.h"

/* Algorithm.compare: the number of records, and the records in whatever order. */
void haar_compare(const Output *got, const Output *want, Verdict *verdict);

/* Algorithm.write_part: "bin,count" for the number; "image,type,x,y,w,h,value" for the records,
 * sorted by these, types in the order of HaarType. */
Status haar_write_part(FILE *stream, const Workload *workload, const Point *answer,
                       const Output *output, size_t part);

#endif
