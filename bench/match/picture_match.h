/*
 * Picture match: what two pictures of one thing have in common: keypoints, their descriptors by
 * several methods, the descriptors that belong together, and the homography most of them agree
 * with.
 */
#ifndef BENCH_PICTURE_MATCH_H
#define BENCH_PICTURE_MATCH_H

#include "ransac.h"
#include "variant.h"
#include "workload.h"

typedef enum MatchMethod { METHOD_HASHSIFT, METHOD_BAD, METHOD_SIFT, MATCH_METHODS } MatchMethod;

/* "hashsift", "bad", "sift". */
const char *match_method_name(MatchMethod method);

/* Keypoints are as many as are detected by default. */
enum { MATCH_KEYPOINTS_AUTO = -1 };

/* Pixels of B: a match is right when it is as near to where the true homography takes it. */
#define MATCH_CORRECT_PX 3.0

typedef struct MatchRequest {
    const char *pictures[2];       /* files: A and B */
    const char *keypoint_files[2]; /* NULL: keypoints are detected */
    int32_t keypoints;             /* the strongest of each picture, or MATCH_KEYPOINTS_AUTO */
    const char *scale;             /* as --scale; NULL: what goes with the keypoints */
    const char *bits;              /* "256" or "512" */
    const char *weights;           /* as --weights; NULL: the trained ones */
    const char *variant;           /* of every algorithm; NULL: the fastest of each */
    bool methods[MATCH_METHODS];   /* which are wanted */
    const char *homography;        /* file with the true one; NULL: not known */
    RansacRequest ransac;
} MatchRequest;

typedef struct MatchPicture {
    char name[WORKLOAD_NAME_SIZE]; /* file without folders */
    Image image;
    KeypointList keypoints;
    double detect_seconds; /* NAN: keypoints of a file */
} MatchPicture;

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
    RansacResult ransac;
    double corner_error; /* pixels; NAN when either homography is not known */

    double describe_seconds[2], match_seconds; /* by the backends' kernel clocks */
    double ransac_seconds;                     /* of the host's clock */
} MethodResult;

typedef struct PictureMatch {
    MatchPicture pictures[2];
    const char *keypoint_files[2]; /* of the request */
    const Variant *detector;       /* NULL: keypoints of files */
    bool has_truth;
    Homography truth;
    MethodResult methods[MATCH_METHODS]; /* those that were wanted */
    size_t count;
} PictureMatch;

/* STATUS_USAGE for an unknown variant or a scale that is none; STATUS_FILE for a file that is not
 * good; STATUS_SKIP when a variant or none of the methods can be used here. A single method that
 * cannot is no error and says so in its status. Whatever is returned, release the match. */
Status picture_match_run(const MatchRequest *request, PictureMatch *match);
void picture_match_release(PictureMatch *match);

/* Seconds of all kernels of a method, detection included; what was not needed counts as 0. */
double method_seconds(const PictureMatch *match, const MethodResult *method);

#endif
