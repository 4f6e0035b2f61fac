#include "answer_proof.h"

#include "one_answer.h"
#include "verify.h"
#include "workload_source.h"

/* Of what a variant has to get right, by the kind of its input. */
static const SizeSpec proof_sizes[] = {
    [WORKLOAD_IMAGE] = {.name = "64x64", .width = 64, .height = 64},
    [WORKLOAD_IMAGE_SET] = {.name = "64", .width = 28, .height = 28, .images = 64},
    [WORKLOAD_KEYPOINTS] = {.name = "640x480", .width = 640, .height = 480},
    [WORKLOAD_DESCRIPTORS] = {.name = "1024", .images = 1024},
};
static const uint64_t proof_seed = 1;

Status one_answer_prove(const Algorithm *algorithm, const Variant *variant, const Point *answer) {
    const WorkloadKind kind = algorithm->input;
    const Input input = input_default(kind);
    Workload workload;
    Output got;
    STATUS_TRY(workload_load(&input, &proof_sizes[kind], proof_seed, &workload));
    Status status = one_answer_compute(algorithm, variant, &workload, answer, &got);
    if (status_is_ok(&status)) {
        status = one_answer_check(algorithm, variant, &workload, answer, &got);
        answer_release_guarded(&got);
    }
    workload_release(&workload);
    return status.code == STATUS_SKIP ? status_ok() : status;
}
