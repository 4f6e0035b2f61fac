/* Answers of haar as files. */
#include <inttypes.h>
#include <stdlib.h>

#include "haar_answer.h"
#include "haar_packing.h"
#include "haar_records.h"

static Status write_records(FILE *stream, const Output *output) {
    const OutputPart *part = &output->layout.parts[HAAR_PART_RECORDS];
    const HaarPacking packing = haar_packing_of_format(part->format);
    uint64_t *sorted = haar_sorted_records(haar_records(output), part->width);
    if (sorted == NULL) {
        return status_skip("no memory to sort %zu records", part->width);
    }
    fputs("image,type,x,y,w,h,value\n", stream);
    for (size_t i = 0; i < part->width; ++i) {
        const HaarRecord record = haar_unpack(&packing, sorted[i]);
        const HaarFeature f = record.feature;
        fprintf(stream, "%" PRIu32 ",%s,%d,%d,%d,%d,%" PRId32 "\n", record.picture,
                haar_type_names[f.type], f.x, f.y, f.w, f.h, record.value);
    }
    free(sorted);
    return status_ok();
}

Status haar_write_part(FILE *stream, const Workload *workload, const Point *answer,
                       const Output *output, size_t part) {
    (void)workload;
    (void)answer;
    if (part == HAAR_PART_RECORDS) {
        return write_records(stream, output);
    }
    fprintf(stream, "bin,count\n0,%" PRIu64 "\n", *haar_count(output));
    return status_ok();
}
