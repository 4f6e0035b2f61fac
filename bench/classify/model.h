/*
 * Models: one set of histograms for each class, which samples are held against.
 *
 * `first`: a class's model is its first sample. `all`: the sum of all its samples, of which those
 * of the tested sample's own cell are taken away again, so that nothing is tested on what it was
 * made of. `stored`: read from a file.
 */
#ifndef BENCH_MODEL_H
#define BENCH_MODEL_H

#include <stdbool.h>

#include "class_tree.h"
#include "description.h"
#include "sample_set.h"

typedef enum ModelKind { MODEL_FIRST, MODEL_ALL, MODEL_STORED } ModelKind;

typedef struct Models {
    Scales scales;
    size_t count;         /* classes */
    char **names;         /* owned */
    uint64_t *histograms; /* owned; count × scales.bins */
} Models;

/* Room for `count` classes without names, all counts 0. STATUS_SKIP when memory is short. */
Status models_create(const Scales *scales, size_t count, Models *models);
void models_release(Models *models);

/* Models of MODEL_FIRST or MODEL_ALL, in the order of the tree. */
Status models_make(ModelKind kind, const ClassTree *tree, const Scales *scales,
                   const SampleSet *set, Models *models);

static inline uint64_t *model_histograms(const Models *models, size_t index) {
    return models->histograms + index * models->scales.bins;
}

/* Index of the class of this name; `count` when there is none. */
size_t models_find(const Models *models, const char *name);

/* STATUS_NO_MATCH naming the classes of the tree that have no model, or the only class there is. */
Status models_cover(const Models *models, const ClassTree *tree);

/* Whether a sample may be tested: not with MODEL_FIRST when it is of its model's cell, nor with
 * MODEL_ALL when its class has no other cell. */
bool model_allows_test(ModelKind kind, const SampleSet *set, size_t index);

/* Writes the model of a sample's own class without the samples of its cell: scales.bins counts. */
void model_without_cell(const Models *models, const SampleSet *set, size_t index,
                        uint64_t *histograms);

#endif
