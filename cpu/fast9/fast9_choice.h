/*
 * fast_choice: the strongest keypoints in order, by all threads.
 *
 * Scores are counted in classes, from which it follows how low a score can be that is still among
 * the strongest. Those above it are collected in order of level, y and x; each thread takes a range
 * of classes of nearly equal size and sorts it by score alone, in a way that keeps that order.
 */
#ifndef CPU_FAST_CHOICE_H
#define CPU_FAST_CHOICE_H

#include "fast9_work.h"

enum { FAST_CLASSES = 4096 };

typedef struct FastChoice FastChoice;

/* The class of a score, 0 … FAST_CLASSES - 1: higher scores have the same class or a higher one. */
int32_t fast_score_class(int64_t score);

Status fast_choice_open(FastWork *work);
void fast_choice_close(FastChoice *choice); /* NULL is ignored */

#endif
