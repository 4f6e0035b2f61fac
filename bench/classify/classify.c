#include "classify.h"

#include <stdio.h>

#include "model_file.h"
#include "text_list.h"

static const char default_interp[] = "bilinear";

/* "8:1,16:2" of a file's scales. */
static void scale_list(const Scales *scales, char *list, size_t size) {
    list[0] = '\0';
    for (size_t i = 0; i < scales->count; i++) {
        text_append(list, size, "%s%s", i == 0 ? "" : ",", scales->list[i].pr);
    }
}

/* What the person did not say is as the model file has it. */
static Status open_as_stored(const ClassifyRequest *request, Classification *classification,
                             Describer *describer) {
    char list[SCALES_MAX * AXIS_TEXT_SIZE];
    Models *models = &classification->models;
    STATUS_TRY(models_read(request->model_file, models));
    scale_list(&models->scales, list, sizeof list);
    const Status status = describer_open(
        classification->variant, request->pr != NULL ? request->pr : list,
        request->interp != NULL ? request->interp : models->scales.interp, describer);
    if (!status_is_ok(&status) && request->pr == NULL && request->interp == NULL) {
        return status_make(STATUS_FILE, "%.120s: %.240s", request->model_file, status.why);
    }
    STATUS_TRY(status);
    return models_select(request->model_file, &describer->scales, models);
}

static Status open_describer(const ClassifyRequest *request, Classification *classification,
                             Describer *describer) {
    STATUS_TRY(description_variant(request->variant, &classification->variant));
    if (request->kind == MODEL_STORED) {
        return open_as_stored(request, classification, describer);
    }
    return describer_open(classification->variant, request->pr,
                          request->interp != NULL ? request->interp : default_interp, describer);
}

static Status check_tested(ModelKind kind, const Evaluation *evaluation) {
    for (size_t row = 0; row < evaluation->rows; row++) {
        if (confusion_row_total(evaluation, 0, row) == 0) {
            return status_make(STATUS_NO_MATCH,
                               "nothing of the class '%.60s' is left to test: %s; add pictures, or "
                               "cut more pieces with a smaller --crop",
                               evaluation->row_names[row],
                               kind == MODEL_FIRST ? "its only sample, or cell, is its model"
                                                   : "without its only sample, or cell, it has no "
                                                     "model");
        }
    }
    return status_ok();
}

static Status test_samples(const ClassifyRequest *request, const Describer *describer,
                           const SampleSet *set, Classification *classification) {
    Models *models = &classification->models;
    const ClassTree *tree = &classification->tree;
    classification->samples = set->count;
    if (request->kind != MODEL_STORED) {
        STATUS_TRY(models_make(request->kind, tree, &describer->scales, set, models));
    }
    return evaluation_make(request->kind, tree, set, models, &classification->evaluation);
}

Status classify(const ClassifyRequest *request, bool untested_classes,
                Classification *classification) {
    Describer describer;
    SampleSet set;
    *classification = (Classification){.samples = 0};
    STATUS_TRY(open_describer(request, classification, &describer));
    STATUS_TRY(class_tree_read(request->folder, &classification->tree));
    if (request->kind == MODEL_STORED) {
        STATUS_TRY(models_cover(&classification->models, &classification->tree));
    }
    Status status = gather_samples(&classification->tree, &request->gather, &describer, &set);
    if (status_is_ok(&status)) {
        status = test_samples(request, &describer, &set, classification);
    }
    sample_set_release(&set);
    STATUS_TRY(status);
    return untested_classes ? status_ok()
                            : check_tested(request->kind, &classification->evaluation);
}

void classification_release(Classification *classification) {
    evaluation_release(&classification->evaluation);
    models_release(&classification->models);
    class_tree_release(&classification->tree);
}
