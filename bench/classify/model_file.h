/*
 * Models as a JSON file:
 *
 *   {"format": "bench lbp_riu models", "version": 1, "interp": "bilinear",
 *    "scales": [{"pr": "8:1", "bins": 10}, …],
 *    "classes": [{"name": "brick", "histograms": [[…10 counts…], …]}, …]}
 */
#ifndef BENCH_MODEL_FILE_H
#define BENCH_MODEL_FILE_H

#include "model.h"

/* Written beside and renamed. STATUS_FILE names the path. */
Status models_write(const char *path, const Models *models);

/* STATUS_FILE says what is wrong: no such file, another kind of file, another version, counts that
 * are no counts or too few, a class twice. Release with models_release. */
Status models_read(const char *path, Models *models);

/* Keeps the scales of `wanted`, in its order. STATUS_USAGE naming what `path` has when it lacks one
 * or was made with another interpolation. */
Status models_select(const char *path, const Scales *wanted, Models *models);

#endif
