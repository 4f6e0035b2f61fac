#include "adaboost_write.h"

#include <inttypes.h>

#include "adaboost_weights.h"

static void write_stump(FILE *stream, uint64_t number, const AdaboostStump *stump) {
    const char *type = stump->type < HAAR_TYPES ? haar_type_names[stump->type] : "";
    fprintf(stream, "%" PRIu64 ",%" PRIu64 ",%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64,
            number, stump->candidate, type, stump->x, stump->y, stump->w, stump->h);
    fprintf(stream, ",%" PRId64 ",%" PRIu64 ",%.12f,%.12f,%" PRIu64 ",%" PRIu64 "\n",
            stump->threshold, stump->polarity, (double)stump->error / (double)ADABOOST_TOTAL,
            adaboost_factors(stump->error).alpha, stump->misses, stump->false_alarms);
}

Status adaboost_write_part(FILE *stream, const Workload *workload, const Point *answer,
                           const Output *output, size_t part) {
    (void)workload;
    (void)answer;
    const uint64_t count = *adaboost_count(output);
    if (part == ADABOOST_PART_COUNT) {
        fprintf(stream, "stumps\n%" PRIu64 "\n", count);
        return status_ok();
    }
    fprintf(stream, "round,candidate,type,x,y,w,h,threshold,polarity,error,alpha,misses,"
                    "false_alarms\n");
    for (uint64_t i = 0; i < count; ++i) {
        write_stump(stream, i + 1, &adaboost_stumps(output)[i]);
    }
    return status_ok();
}
