/* Awkward keypoints: the places, sizes and directions that variants get wrong. */
#ifndef TESTS_CONFORMANCE_KEYPOINT_CASES_H
#define TESTS_CONFORMANCE_KEYPOINT_CASES_H

#include "cases.h"

enum { KEYPOINT_CASE_COUNT = 300 };

/* case_create with KEYPOINT_CASE_COUNT keypoints inside, on the border and far outside, of no size
 * to one that overflows whole numbers, with and without a direction; and with random weights of
 * every kind. Release with keypoint_case_release. Returns false when memory runs out. */
bool keypoint_case_create(Shape shape, CaseContent content, size_t padding, Workload *workload);
void keypoint_case_release(Workload *workload);

#endif
