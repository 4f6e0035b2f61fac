/*
 * Behaviour of samples: what a median and its interval do not tell. Nothing here changes or removes
 * a sample.
 *
 * Outliers, by Tukey's fences: with quartiles Q1 and Q3 (type 7) a sample beyond Q1 - 1.5 IQR or
 * Q3 + 1.5 IQR is mild, one beyond 3 IQR is severe; each is counted once. Needs
 * OUTLIER_SAMPLES_MIN samples.
 *
 * Autocorrelation at lag 1, of the samples' ranks (ties share their mean rank), so that a single
 * outlier neither makes it nor hides it:
 *     r = Σ (R[i] - m)(R[i+1] - m) / Σ (R[i] - m)²,  m = (n + 1) / 2.
 * In random order its expectation is -1/n, not 0, whatever the distribution; the samples count as
 * autocorrelated when |r + 1/n| > 1.96/√n. Needs AUTOCORRELATION_SAMPLES_MIN samples that are not
 * all equal. Intervals assume independent samples and are too narrow where this is not so.
 *
 * More than one mode, by the dip test of Hartigan and Hartigan at the 5% level (dip.h), which takes
 * nothing for granted about the shape of a single mode. Before it, samples are sorted into cells
 * MODE_RESOLUTION of the median wide, or of whole steps of the clock where most samples are ties,
 * and spread evenly within each: the steps of a clock are no modes, and modes closer than two cells
 * do not matter. Above DIP_SAMPLES_MAX samples as many quantiles stand for them. Needs
 * DIP_SAMPLES_MIN samples. A simulation in the tests holds the rates: at most 5% false alarms on
 * unimodal log-normal noise, at least 90% hits on two modes of equal share eight standard
 * deviations apart.
 */
#ifndef BENCH_BEHAVIOUR_H
#define BENCH_BEHAVIOUR_H

#include "result.h"

enum { OUTLIER_SAMPLES_MIN = 5, AUTOCORRELATION_SAMPLES_MIN = 8 };

#define MODE_RESOLUTION 0.005

typedef struct Behaviour {
    size_t outliers_mild, outliers_severe;
    double autocorrelation; /* NAN when the samples do not support it */
    bool autocorrelated, multimodal;
} Behaviour;

/* Behaviour of samples in the order taken. What too few samples do not support is 0, NAN and false.
 * STATUS_FAIL without memory. */
Status behaviour_of(const Samples *samples, Behaviour *behaviour);

#endif
