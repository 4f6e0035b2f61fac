/* The facts that the files of a study's steps tell of machine and build, over all steps. */
#ifndef BENCH_STUDY_FACTS_H
#define BENCH_STUDY_FACTS_H

#include "study_result.h"
#include "study_tally.h"

/* The distinct values of a fact over the steps, separated by "; "; "" when none tells it. */
const char *study_fact(const StudyResult *result, const char *key, Document *document);

/* Every fact of machine and build with its distinct values as companions; the measured ceilings are
 * among them, what tells of one run alone (its arguments, its start) and the warnings are not. */
void study_facts(const StudyResult *result, Document *document, Tally *facts);

/* The distinct warnings of the steps, and notes on their inputs, each with the steps it came with.
 */
void study_warnings(const StudyResult *result, Document *document, Tally *warnings);

#endif
