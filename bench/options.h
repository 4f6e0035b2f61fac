/* RunOptions: a whole `bench run` request, parsed and checked, as main hands it to the runner. */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "algorithm.h"

enum {
    OPTIONS_ALGORITHMS_MAX = 32,
    OPTIONS_SIZES_MAX = 64,
    OPTIONS_VARIANTS_MAX = 64,
    OPTIONS_AXES_MAX = 16
};

/* A size by name, of a picture or of a set of pictures. Width and height 0: `native`, the input's
 * own. */
typedef struct SizeSpec {
    char name[WORKLOAD_SIZE_NAME_SIZE];
    int32_t width, height;
    int32_t images; /* of a set; 0: all there are. Of two sets of descriptors the rows of each. Not
                       looked at for a picture */
} SizeSpec;

/* What the person gave for one axis: --tile 4,8 is {"tile", "4,8"}. Expanded by the planner. */
typedef struct AxisRequest {
    const char *name;
    const char *list;
} AxisRequest;

typedef struct RunOptions {
    size_t algorithm_count;
    const Algorithm *algorithms[OPTIONS_ALGORITHMS_MAX];
    size_t size_count;
    SizeSpec sizes[OPTIONS_SIZES_MAX]; /* of pictures: --sizes */
    size_t set_size_count;
    SizeSpec set_sizes[OPTIONS_SIZES_MAX]; /* of sets: --images × --side */
    const char *images, *side;             /* those lists as given; NULL: not given */
    size_t variant_count;                  /* 0: all */
    const char *variants[OPTIONS_VARIANTS_MAX];
    size_t axis_count;
    AxisRequest axes[OPTIONS_AXES_MAX];

    const char *input;          /* file or folder; NULL: synthetic */
    const char *labels;         /* file of an image set's labels; NULL: the one beside the input */
    const char *keypoints_file; /* list of keypoints; NULL: they are found in the picture */
    const char *weights;        /* files with commas between, or "random"; NULL: trained ones */
    const char *synthetic;      /* kind; "texture" by default, "digits" for sets */
    uint64_t seed;              /* default 1 */
    double density;             /* share of ones of a synthetic image, 0…1; 0: the kind's own */

    int reps;        /* fixed number of samples; 0: stop by interval */
    double ci_width; /* relative width of the median's 95% interval, default 0.01 */
    int min_reps;    /* default 15 */
    double max_time; /* seconds of sampling per cell, default 10 */
    double max_cell; /* seconds: seq is skipped when one run is estimated longer, default 60 */
    int warmup;      /* default 3, at least 1 */
    bool cold;       /* flush caches before each sample */
    bool pinned;     /* the user's memory is page-locked */
    bool energy;     /* repeat each cell for a second and read the energy counters */
    bool interleave; /* sample the cells that are compared in turns; default true */
    bool roof;       /* measure ceilings, and `copy` at each size; default true */
    int pairs;       /* selftest: pairs of each cell, default 100 */

    const char *baseline;    /* stored run to compare with; NULL: none */
    double alpha;            /* probability of a false alarm in that comparison, default 0.01 */
    double threshold;        /* relative change that does not matter yet, default 0.05 */
    bool strict;             /* an ambiguous comparison counts */
    size_t only_count;       /* 0: all cells */
    const char *const *only; /* row_name of the cells to keep of the plan */

    const char *out;    /* folder; NULL: reports/runs/<time>-<algorithms> */
    const char *csv;    /* extra copy of the CSV; NULL: none */
    const char *json;   /* extra copy of the JSON; NULL: none */
    const char *save;   /* folder for verified answers; NULL: none */
    bool save_table;    /* what Algorithm.write_table writes as well; needs `save` */
    const char *resume; /* run folder to go on with; NULL: none */
    bool plot;          /* default true */
    bool dry_run;
    bool quiet;
    bool fresh;         /* roof: measure again what is stored */
    const char *format; /* roof: "table" (NULL as well) or "json" */

    int argc; /* as given, for the record */
    char **argv;
} RunOptions;

#endif
