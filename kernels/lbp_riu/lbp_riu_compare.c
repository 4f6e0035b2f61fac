#include "lbp_riu_compare.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lbp_riu.h"

/* Share of pixels whose bins the 8-bit weights of a texture filter may change. */
static const double share_allowed = 0.02;

/* What two answers have in common, as far as it decides. */
typedef struct Judgement {
    double pixels;    /* in the image */
    double different; /* pixels with another bin; of histograms: counts in other bins */
    bool consistent;  /* the histogram is one of this many pixels, and of the bins where there are
                         some */
} Judgement;

static size_t bin_count(const Output *output) {
    return output->layout.parts[LBP_RIU_PART_HISTOGRAM].width;
}

static uint64_t sum_of_counts(const Output *output) {
    const uint64_t *counts = lbp_riu_histogram(output);
    uint64_t sum = 0;
    for (size_t bin = 0; bin < bin_count(output); bin++) {
        /* Counts that were never written may be anything. */
        if (__builtin_add_overflow(sum, counts[bin], &sum)) {
            return UINT64_MAX;
        }
    }
    return sum;
}

/* Recounts the bins; false, with the first bin whose count is another in `why`, when the histogram
 * is not theirs. */
static bool histogram_is_of_bins(const Output *got, size_t pixels, Verdict *verdict) {
    const uint64_t *counts = lbp_riu_histogram(got);
    const uint8_t *bins = lbp_riu_bins(got);
    uint64_t recount[UINT8_MAX + 1] = {0};
    for (size_t i = 0; i < pixels; i++) {
        recount[bins[i]]++;
    }
    for (size_t bin = 0; bin <= UINT8_MAX; bin++) {
        const uint64_t count = bin < bin_count(got) ? counts[bin] : 0;
        if (count != recount[bin]) {
            snprintf(verdict->why, sizeof verdict->why,
                     "histogram [%zu] is %" PRIu64 ", but %" PRIu64 " pixels have this bin", bin,
                     count, recount[bin]);
            return false;
        }
    }
    return true;
}

static Judgement judge_bins(const Output *got, const Output *want, Verdict *verdict) {
    const OutputPart *part = &want->layout.parts[LBP_RIU_PART_BINS];
    const uint8_t *got_bins = lbp_riu_bins(got);
    const uint8_t *want_bins = lbp_riu_bins(want);
    size_t different = 0;
    size_t first = 0;
    for (size_t i = 0; i < part->bytes; i++) {
        if (got_bins[i] != want_bins[i]) {
            first = different == 0 ? i : first;
            different++;
        }
    }
    if (different > 0) {
        snprintf(verdict->why, sizeof verdict->why,
                 "bins (%zu, %zu) is %d, expected %d; %zu of %zu pixels differ",
                 first % part->width, first / part->width, got_bins[first], want_bins[first],
                 different, part->bytes);
    }
    return (Judgement){
        .pixels = (double)part->bytes,
        .different = (double)different,
        .consistent = histogram_is_of_bins(got, part->bytes, verdict),
    };
}

static Judgement judge_histogram(const Output *got, const Output *want, Verdict *verdict) {
    const uint64_t *got_counts = lbp_riu_histogram(got);
    const uint64_t *want_counts = lbp_riu_histogram(want);
    const uint64_t pixels = sum_of_counts(want);
    const uint64_t counted = sum_of_counts(got);
    double moved = 0;
    for (size_t bin = bin_count(want); bin-- > 0;) {
        if (got_counts[bin] != want_counts[bin]) {
            moved += fabs((double)got_counts[bin] - (double)want_counts[bin]);
            snprintf(verdict->why, sizeof verdict->why,
                     "histogram [%zu] is %" PRIu64 ", expected %" PRIu64, bin, got_counts[bin],
                     want_counts[bin]);
        }
    }
    if (counted != pixels) {
        snprintf(verdict->why, sizeof verdict->why,
                 "the histogram counts %" PRIu64 " pixels of %" PRIu64, counted, pixels);
    }
    return (Judgement){
        .pixels = (double)pixels,
        .different = moved / 2,
        .consistent = counted == pixels,
    };
}

void lbp_riu_compare_filtered(const Point *answer, const Output *got, const Output *want,
                              Verdict *verdict) {
    const Judgement judgement = lbp_riu_bins(want) != NULL ? judge_bins(got, want, verdict)
                                                           : judge_histogram(got, want, verdict);
    const double n = judgement.pixels;
    const bool filtered = strcmp(point_text(answer, "interp"), "bilinear") == 0;
    const double deviation = sqrt(share_allowed * (1 - share_allowed) * n);
    const double allowed = filtered ? share_allowed * n + 4 * deviation : 0;
    verdict->accepted = judgement.consistent && judgement.different <= allowed;
    verdict->agreement = fmax(0, 1 - judgement.different / n);
}
