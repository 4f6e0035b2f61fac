/* What files of this application and tests share. */

#ifndef BENCH_APPS_MATCH_IMAGES_MATCH_IMAGES_INTERNAL_H
#define BENCH_APPS_MATCH_IMAGES_MATCH_IMAGES_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "canvas.h"
#include "match_images.h"
#include "status.h"
#include "variant.h"
#include "workload.h"

/* --- Homography ------------------------------------------------------------------------------- */

/* Homography: the map between two images of one plane. */

/* A place in image A and the one in image B that shows the same; pixels. */
typedef struct Correspondence {
    double xa, ya, xb, yb;
} Correspondence;

enum { HOMOGRAPHY_POINTS = 4 }; /* correspondences that determine one */

/* Where a place of A lies in B; false when that is at infinity. */
bool homography_map(const Homography *homography, double x, double y, double mapped[2]);

/* Pixels of B between where the place of A is mapped to and that of B; INFINITY where there is no
 * such distance. */
double homography_error(const Homography *homography, const Correspondence *place);

/* The least-squares solution of the linear equations of at least HOMOGRAPHY_POINTS correspondences,
 * after both sets are moved and scaled to mean 0 and mean distance √2 (R. Hartley, "In defence of
 * the eight-point algorithm", 1997); exact for four. False when they do not determine one. */
bool homography_fit(const Correspondence *places, size_t count, Homography *homography);

/* The least-squares solution itself: makes the sum of the squares of homography_error as small as
 * it becomes from the given homography on, by the method of Levenberg and Marquardt. False, with
 * the homography unchanged, when the correspondences are too few or all at one place. */
bool homography_refine(const Correspondence *places, size_t count, Homography *homography);

/* Mean distance in B between the corners of an image A as the two map them; pixels, or INFINITY. */
double homography_corner_error(const Homography *one, const Homography *other, int32_t width,
                               int32_t height);

/* --- Ransac ----------------------------------------------------------------------------------- */

/* RANSAC: the homography that most of many partly wrong correspondences agree with. */

typedef enum RansacKind {
    RANSAC_LOCAL, /* every best sample is optimised locally */
    RANSAC_PLAIN  /* none is, as in versions before */
} RansacKind;

typedef struct RansacRequest {
    RansacKind kind;
    double inlier_px; /* how far from its place in B an inlier may be mapped, pixels */
    uint64_t seed;
} RansacRequest;

typedef struct RansacResult {
    bool found; /* false: too few correspondences, or no four that determine a homography */
    Homography homography;
    size_t inliers; /* 0 when none was found */
    size_t samples; /* of four that were drawn */
} RansacResult;

/* Draws samples of four until, with a probability of 99.9%, one was free of wrong ones (M.
 * Fischler, R. Bolles, 1981). Each sample with more inliers than all before it is optimised locally
 * (O. Chum, J. Matas, J. Kittler, "Locally optimized RANSAC", 2003): least squares (homography_fit)
 * over all within 4 times the threshold, then over narrower ones, and within the threshold until
 * the same ones come out. What has most inliers is then fitted likewise by homography_refine. So
 * the homography is the least-squares fit to its inliers, which are fewer than the most that were
 * found. RANSAC_PLAIN does without local optimisation: with the same seed it draws the same
 * samples, and more of them, and homography_fit to the inliers is kept as long as it has no fewer
 * of them. `inlier` gets a word for each correspondence. The same seed gives the same result.
 * STATUS_SKIP when memory runs out. */
Status ransac_homography(const Correspondence *places, size_t count, const RansacRequest *request,
                         bool *inlier, RansacResult *result);

/* --- Image match ------------------------------------------------------------------------------ */

/*
 * Image match: what two images of one thing have in common: keypoints, their descriptors by
 * several methods, the descriptors that belong together, and the homography most of them agree
 * with.
 */

typedef enum MatchMethod {
    METHOD_HASHSIFT,
    METHOD_BAD,
    METHOD_SIFT,
    METHOD_ORB,
    MATCH_METHODS
} MatchMethod;

/* "hashsift", "bad", "sift", "orb". */
const char *match_method_name(MatchMethod method);

/* "local", "plain". */
const char *match_ransac_name(RansacKind kind);

/* Keypoints are as many as are detected by default. */
enum { MATCH_KEYPOINTS_AUTO = -1 };

typedef struct MatchRequest {
    const char *paths[2];          /* files: A and B */
    const char *keypoint_files[2]; /* NULL: keypoints are detected */
    int32_t keypoints;             /* the strongest of each image, or MATCH_KEYPOINTS_AUTO */
    const char *scale;             /* as --scale; NULL: what goes with the keypoints */
    const char *bits;              /* "256" or "512" */
    const char *weights;           /* as --weights; NULL: the trained ones */
    const char *variant;           /* of every algorithm; NULL: the fastest of each */
    unsigned methods;              /* those that are wanted: bit i is MatchMethod i */
    const char *homography;        /* file with the true one; NULL: not known */
    RansacRequest ransac;          /* of the first seed */
    int32_t seeds;                 /* of RANSAC: that and those after it */
    FILE *notes;                   /* progress; NULL: none */
} MatchRequest;

typedef struct MatchInput {
    char name[WORKLOAD_NAME_SIZE]; /* file without folders */
    Image image;
    KeypointList keypoints;
    double detect_seconds; /* NAN: keypoints of a file */
} MatchInput;

/* Two descriptors each of which is the other's nearest. */
typedef struct KeypointMatch {
    int32_t a, b; /* keypoints */
    uint64_t distance;
    bool correct; /* by the true homography; false when that is not known */
} KeypointMatch;

typedef struct MethodResult {
    MatchMethod method;
    int32_t bits;
    Status status; /* STATUS_SKIP: the method cannot be used here, and why */
    const Variant *describer, *matcher;

    KeypointMatch *matches; /* in the order of A's keypoints; owned */
    Correspondence *places; /* the same as places; owned */
    bool *inlier;           /* for each; owned */
    size_t count, correct;
    /* Of several seeds the result is that with the median number of inliers: the lower of the two
     * in the middle, and of equal ones the first. */
    RansacResult ransac;
    uint64_t seed;
    size_t inliers_low, inliers_high; /* over all seeds */
    double corner_error;              /* pixels; NAN when either homography is not known */

    double describe_seconds[2], match_seconds; /* by the backends' kernel clocks */
    double ransac_seconds;                     /* of the host's clock */
} MethodResult;

typedef struct ImageMatch {
    MatchInput inputs[2];
    const char *keypoint_files[2]; /* of the request */
    const Variant *detector;       /* NULL: keypoints of files */
    bool has_truth;
    Homography truth;
    RansacRequest ransac; /* of the request */
    int32_t seeds;
    MethodResult methods[MATCH_METHODS]; /* those that were wanted */
    size_t count;
} ImageMatch;

/* STATUS_USAGE for an unknown variant or a scale that is none; STATUS_FILE for a file that is not
 * good; STATUS_SKIP when a variant or none of the methods can be used here. A single method that
 * cannot is no error; its status has the reason. Whatever is returned, release the match. */
Status image_match_run(const MatchRequest *request, ImageMatch *match);

void image_match_release(ImageMatch *match);

/* Seconds of all kernels of a method, detection included; what was not needed counts as 0. */
double method_seconds(const ImageMatch *match, const MethodResult *method);

/* --- Match drawing ---------------------------------------------------------------------------- */

/*
 * Match drawing: both images side by side, a line from each inlier's place in A to that in B.
 *
 * Keypoints are small yellow rings. Lines are green; where the truth is known those of inliers that
 * are wrong by it are red. An image of more than MATCH_DRAWING_WIDTH pixels is shrunk to that.
 */

enum { MATCH_DRAWING_WIDTH = 2400, MATCH_DRAWING_LINES = 200 };

/* Draws the inliers of one method, or MATCH_DRAWING_LINES of them chosen by `seed`. STATUS_SKIP
 * when memory runs out; on STATUS_OK release with canvas_release. */
Status match_draw(const ImageMatch *match, const MethodResult *method, uint64_t seed,
                  Canvas *canvas);

/* --- Match report ----------------------------------------------------------------------------- */

/* The output of a match: tables for people, CSV, images. */

/* The images, a table of what each method found, one of how long its parts took, and what is
 * missing and why. With several seeds also the ranges of the inliers, and which methods find more
 * than which: those whose ranges do not overlap. STATUS_SKIP without memory. */
Status match_print(FILE *stream, const ImageMatch *match);

/* STATUS_USAGE when one of the files that match_write may write is an input. */
Status match_files_check(const char *folder);

/* Into a folder that exists: match.csv, a line for each method; match.json, the same; and for each
 * that could be used
 * matches-NAME.csv, xa,ya,xb,yb,distance,inlier and, with the truth, correct, and matches-NAME.png
 * (match_draw), of matches drawn by `seed`. STATUS_FILE, or STATUS_SKIP. */
Status match_write(const char *folder, const ImageMatch *match, uint64_t seed);

#endif
