/*
 * Feature pictures: the features that tell most about a digit, drawn over the mean of its training
 * pictures. Cells that count as positive (white in the study's figures) are orange, those that
 * count as negative (black) are blue.
 */
#ifndef BENCH_FEATURE_PICTURES_H
#define BENCH_FEATURE_PICTURES_H

#include "recogniser.h"

enum { FEATURE_PICTURES_BEST = 10 };

/* The indexes of a classifier's stumps of largest alpha, largest first, equal ones in the order
 * they were taken; of those that share a feature only the first. Returns how many there are, at
 * most FEATURE_PICTURES_BEST. */
size_t best_features(const Classifier *classifier, size_t best[FEATURE_PICTURES_BEST]);

/* The mean of the pictures with this label, width × height values 0…255 rounded to the nearest; all
 * 0 when there is no such picture. */
void mean_picture(const Workload *set, int32_t digit, uint8_t *mean);

/* Writes digit-<n>.png for each classifier, and digits.png with a row for each, into a folder that
 * exists. `set` is the labelled training set. STATUS_FILE names the file that cannot be written. */
Status feature_pictures_write(const char *folder, const Recogniser *recogniser,
                              const Workload *set);

#endif
