/*
 * fast9_choice: the strongest keypoints in order, by all threads.
 *
 * Scores are counted in classes, from which it follows how low a score can be that is still among
 * the strongest. Those above it are collected in order of level, y and x; each thread takes a range
 * of classes of nearly equal size and sorts it by score alone, in a way that keeps that order.
 */
#ifndef CPU_FAST9_CHOICE_H
#define CPU_FAST9_CHOICE_H

#include "fast9_bands.h"

enum { FAST9_CLASSES = 4096 };

typedef struct Fast9Choice Fast9Choice;

/* The class of a score, 0 … FAST9_CLASSES - 1: higher scores have the same class or a higher one.
 */
int32_t fast9_score_class(int64_t score);

/* Sets work->choice. STATUS_SKIP when there is no memory; what was taken is freed by close. */
Status fast9_choice_open(Fast9Work *work);
void fast9_choice_close(Fast9Choice *choice); /* NULL is ignored */

/* Writes the answer: the strongest of the corners that stayed, with orientation. */
Status fast9_choice_make(Fast9Work *work);

#endif
