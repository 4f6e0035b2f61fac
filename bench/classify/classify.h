/*
 * Texture classification: a folder of pictures is described, tested against models, and counted.
 *
 * The samples of DIR are described at each scale; each tested one goes to the class whose model has
 * the largest log-likelihood, at each scale and for the sum over the scales.
 */
#ifndef BENCH_CLASSIFY_H
#define BENCH_CLASSIFY_H

#include "confusion.h"
#include "gather.h"

typedef struct ClassifyRequest {
    const char *folder;
    const char *variant; /* NULL: the best CPU variant */
    const char *pr;      /* list of scales; NULL: those of the model file, or else the axis's own */
    const char *interp;  /* NULL: the model file's, or else bilinear */
    ModelKind kind;
    const char *model_file; /* with MODEL_STORED */
    GatherOptions gather;
} ClassifyRequest;

/* Holds on to all that its evaluation borrows from. */
typedef struct Classification {
    const Variant *variant;
    ClassTree tree;
    Models models;
    Evaluation evaluation;
    size_t samples; /* described, tested or not */
} Classification;

/*
 * STATUS_USAGE, STATUS_FILE and STATUS_SKIP as the parts say. A class of which nothing can be
 * tested is STATUS_NO_MATCH, unless `untested_classes` allows it, for the sake of models that will
 * be stored. Released with classification_release, whatever was returned.
 */
Status classify(const ClassifyRequest *request, bool untested_classes,
                Classification *classification);
void classification_release(Classification *classification);

#endif
