/*
 * Recognisers as JSON files, a line for each stump:
 *
 *   {"format": "bench adaboost recogniser", "version": 1,
 *    "width": 28, "height": 28,                    of each picture, pixels
 *    "input": "train-images-idx3-ubyte.gz",        what it was trained on
 *    "hash": "9f0c…",                              16 hexadecimal digits, of its pixels and labels
 *    "images": 60000, "seed": "1",
 *    "rounds": 100, "candidates": 1000, "min_side": 4, "threshold": 4000, "variant": "omp",
 *    "digits": [0, 1, …],
 *    "classifiers": [
 *     {"digit": 0, "stumps": [
 *      {"candidate": 17, "type": "two_rows", "x": 3, "y": 4, "w": 12, "h": 8, "threshold": -511,
 *       "polarity": 1, "alpha": 1.49…, "error": 0.048…, "misses": 80, "false_alarms": 912}, …]},
 *     …]}
 *
 * A checkpoint, of a training that is not done, is the same with the format "bench adaboost
 * training": fewer classifiers than digits, and fewer stumps than rounds in the last one.
 */
#ifndef BENCH_RECOGNISER_FILE_H
#define BENCH_RECOGNISER_FILE_H

#include "recogniser.h"

typedef enum RecogniserFileKind { RECOGNISER_FILE, CHECKPOINT_FILE } RecogniserFileKind;

extern const char *const recogniser_formats[]; /* by RecogniserFileKind */
enum { RECOGNISER_VERSION = 1 };

/* Written beside and renamed: the same recogniser gives the same bytes. STATUS_FILE names the path.
 */
Status recogniser_write(const char *path, RecogniserFileKind kind, const Recogniser *recogniser);

/* STATUS_FILE says what is wrong: no such file, another kind of file, another version, a number out
 * of range, a feature that is not inside the picture, a classifier missing or without stumps.
 * Release with recogniser_release; there is nothing to release on an error. */
Status recogniser_read(const char *path, RecogniserFileKind kind, Recogniser *recogniser);

#endif
