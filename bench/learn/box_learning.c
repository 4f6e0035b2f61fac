/* Learning bad's tests: the bits of many candidates at places in several views, by bad itself, and
 * a choice of the best. */
#include <string.h>

#include "box_candidates.h"
#include "box_choice.h"
#include "fnv.h"
#include "learn_progress.h"
#include "learn_request.h"
#include "weights_files.h"
#include "weights_table.h"

enum { POINTS = 400, VIEWS = 2 };

typedef struct BoxLearning {
    const LearnRequest *request;
    const PictureFolder *folder;
    BoxCandidates candidates;
    PlaceSet samples;
    BoxChoice choice;
    int32_t chosen[BOX_TABLE_BITS];
    LearnState state;
    LearnProgress progress;
} BoxLearning;

/* All that decides what comes out. */
static uint64_t facts_of(const BoxLearning *learning) {
    const LearnRequest *request = learning->request;
    const uint64_t facts[] = {
        (uint64_t)request->bits, request->seed, (uint64_t)request->candidates, POINTS, VIEWS,
        learning->folder->hash};
    return fnv_bytes(FNV_START, facts, sizeof facts);
}

static Status describe_all(BoxLearning *learning) {
    const LearnRequest *request = learning->request;
    const ViewRequest views = {.points = POINTS, .views = VIEWS, .seed = request->seed};
    ViewDescriber describer;
    STATUS_TRY(box_candidates_draw(request->candidates, request->seed, &learning->candidates));
    STATUS_TRY(view_describer_make(WEIGHTS_BAD, BOX_TABLE_BITS, learning->candidates.tables,
                                   learning->candidates.table_count, &describer));
    STATUS_TRY(place_set_make(learning->folder, &describer, &views, 0, &learning->samples));
    return learning->samples.points > 1
               ? status_ok()
               : status_make(STATUS_NO_MATCH,
                             "%.200s: the pictures have no keypoints to learn from; give larger "
                             "ones, or others",
                             request->folder);
}

static Status check_kept(const BoxLearning *learning) {
    bool good = learning->state.done <= (uint64_t)learning->request->bits;
    for (uint64_t k = 0; good && k < learning->state.done; k++) {
        good = learning->chosen[k] >= 0 && learning->chosen[k] < learning->candidates.count;
    }
    return good ? status_ok()
                : status_make(STATUS_FILE, "%.200s is damaged; leave --resume out to begin anew",
                              learning->request->checkpoint);
}

/* What was chosen before is chosen again: the sums that the rest needs come from it. */
static Status choose_all(BoxLearning *learning) {
    const uint64_t kept = learning->state.done;
    TripletLoss loss;
    STATUS_TRY(check_kept(learning));
    for (uint64_t k = 0; k < (uint64_t)learning->request->bits; k++) {
        STATUS_TRY(box_choice_next(&learning->choice, k < kept, &loss));
        if (k >= kept) {
            STATUS_TRY(learn_progress_point(&learning->progress,
                                            (LearnCurvePoint){k + 1, loss.mean, loss.share}));
        }
    }
    return status_ok();
}

static Status run(BoxLearning *learning) {
    const LearnRequest *request = learning->request;
    learning->state = (LearnState){
        .facts = facts_of(learning), .data = learning->chosen, .bytes = sizeof learning->chosen};
    STATUS_TRY(learn_progress_start(request, (uint64_t)request->bits, (size_t)request->bits,
                                    &learning->state, &learning->progress));
    STATUS_TRY(describe_all(learning));
    STATUS_TRY(box_choice_create(&learning->samples, request->seed, learning->chosen, request->bits,
                                 &learning->choice));
    STATUS_TRY(choose_all(learning));
    return learn_progress_finish(&learning->progress);
}

static Status make_weights(const BoxLearning *learning, Weights *weights) {
    const LearnRequest *request = learning->request;
    STATUS_TRY(weights_create(request->out, WEIGHTS_BAD, request->bits, weights));
    for (int32_t k = 0; k < request->bits; k++) {
        memcpy(weights_row(weights, k), box_candidate(&learning->candidates, learning->chosen[k]),
               WEIGHTS_BAD_COLUMNS * sizeof(float));
    }
    weights_finish(weights);
    return status_ok();
}

Status learn_bad(const LearnRequest *request, const PictureFolder *folder, Weights *weights) {
    BoxLearning learning = {.request = request, .folder = folder};
    Status status = run(&learning);
    if (status_is_ok(&status)) {
        status = make_weights(&learning, weights);
    }
    learn_progress_release(&learning.progress);
    box_choice_release(&learning.choice);
    place_set_release(&learning.samples);
    box_candidates_release(&learning.candidates);
    return status;
}
