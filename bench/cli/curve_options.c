#include "curve_options.h"

#include <string.h>

#include "datasets.h"
#include "flag_table.h"
#include "input_kinds.h"
#include "options_table.h"
#include "options_values.h"
#include "registry.h"
#include "sizes.h"
#include "text_list.h"

/* --- What is computed ---------------------------------------------------------------------------
 */

static Status take_algorithm(const char *name, CurveRequest *request) {
    request->algorithm = registry_find_algorithm(name);
    if (request->algorithm == NULL) {
        return status_make(STATUS_USAGE, "'%.40s' is no algorithm; see 'bench list'", name);
    }
    if (request->algorithm->write_part == NULL) {
        return status_make(STATUS_USAGE, "%s has no curve; lacunarity has one", name);
    }
    return status_ok();
}

static Status set_algo(const char *value, void *of) {
    CurveOptions *options = of;
    return take_algorithm(value, &options->request);
}

static Status add_synthetic(const char *word, CurveRequest *request) {
    const char *known = NULL;
    STATUS_TRY(synthetic_find(word, &known));
    if (request->synthetic_count == CURVE_INPUTS_MAX) {
        return status_make(STATUS_USAGE, "takes at most %d kinds", CURVE_INPUTS_MAX);
    }
    request->synthetic[request->synthetic_count++] = known;
    return status_ok();
}

static Status set_synthetic(const char *value, void *of) {
    CurveOptions *options = of;
    char word[LIST_WORD_SIZE];
    options->request.synthetic_count = 0;
    for (const char *list = value; list != NULL;) {
        STATUS_TRY(list_next(&list, word));
        STATUS_TRY(add_synthetic(word, &options->request));
    }
    return status_ok();
}

static Status add_input(const char *value, void *of) {
    CurveOptions *options = of;
    if (options->request.input_count == CURVE_INPUTS_MAX) {
        return status_make(STATUS_USAGE, "at most %d of them; name a folder of pictures",
                           CURVE_INPUTS_MAX);
    }
    options->request.inputs[options->request.input_count++] = value;
    return status_ok();
}

static Status set_sizes(const char *value, void *of) {
    CurveOptions *options = of;
    return sizes_parse(value, options->request.sizes, &options->request.size_count);
}

static Status set_axis(const char *name, const char *value, CurveRequest *request) {
    size_t i = 0;
    while (i < request->axis_count && strcmp(request->axes[i].name, name) != 0) {
        i++;
    }
    request->axes[i] = (AxisRequest){.name = name, .list = value};
    request->axis_count += i == request->axis_count;
    return status_ok();
}

static Status set_box(const char *value, void *of) {
    CurveOptions *options = of;
    return set_axis("box", value, &options->request);
}

static Status set_threshold(const char *value, void *of) {
    CurveOptions *options = of;
    return set_axis("threshold", value, &options->request);
}

static Status set_density(const char *value, void *of) {
    CurveOptions *options = of;
    return parse_share(value, &options->request.density);
}

static Status set_seed(const char *value, void *of) {
    CurveOptions *options = of;
    return parse_count(value, 0, UINT64_MAX, &options->request.seed);
}

static Status set_variant(const char *value, void *of) {
    CurveOptions *options = of;
    options->request.variant = value;
    return status_ok();
}

/* --- Others
 * --------------------------------------------------------------------------------------- */

static Status set_out(const char *value, void *of) {
    CurveOptions *options = of;
    options->out = value;
    return status_ok();
}

static Status set_quiet(const char *value, void *of) {
    (void)value;
    CurveOptions *options = of;
    options->quiet = true;
    return status_ok();
}

static Status set_help(const char *value, void *of) {
    (void)value;
    CurveOptions *options = of;
    options->help = true;
    return status_ok();
}

static Status add_file(const char *path, void *of) {
    CurveOptions *options = of;
    if (options->file_count == CURVE_FILES_MAX) {
        return status_make(STATUS_USAGE, "curve: more than %d files; name their folder",
                           CURVE_FILES_MAX);
    }
    options->files[options->file_count++] = path;
    return status_ok();
}

static const FlagRow rows[] = {
    {.flag = "algo",
     .argument = "NAME",
     .set = set_algo,
     .help = "what is computed. Default: lacunarity"},
    {.flag = "synthetic",
     .argument = "KIND[,KIND...]",
     .set = set_synthetic,
     .help = "compute the curves of synthetic images; 'bench list' names their kinds"},
    {.flag = "input",
     .argument = "FILE|DIR",
     .set = add_input,
     .help = "compute the curve of an image, or of each in a folder; may be repeated"},
    {.flag = "sizes",
     .argument = "LIST",
     .set = set_sizes,
     .help = "sizes to compute at. Default: 512, and native with --input alone"},
    {.flag = "box",
     .argument = "LIST",
     .set = set_box,
     .help = "box sides, as for bench run; paper: every side up to half the shorter side of the "
             "image. Default: log, powers of two up to there"},
    {.flag = "threshold",
     .argument = "LIST",
     .set = set_threshold,
     .help = "grey values from which a pixel counts, as for bench run; 64+128: a curve each in one "
             "file. Default: 128"},
    {.flag = "density",
     .argument = "SHARE",
     .set = set_density,
     .help = "share of ones in random, even, clustered and cantor. Default: that of the dust"},
    {.flag = "seed",
     .argument = "N",
     .set = set_seed,
     .help = "seed of synthetic images. Default: 1"},
    {.flag = "variant",
     .argument = "NAME",
     .set = set_variant,
     .help = "what computes them. Default: the best one of the CPU"},
    {.flag = "out",
     .argument = "STEM",
     .set = set_out,
     .help = "the chart is STEM.svg and STEM.png, and computed curves are saved beside it; of a "
             "folder, lacunarity-curve in it. Default: lacunarity-curve"},
    {.flag = "quiet", .set = set_quiet, .help = "no progress on standard error"},
    {.flag = "help", .set = set_help, .help = "this text"},
};
static const FlagTable table = {
    .command = "curve", .rows = rows, .count = sizeof rows / sizeof rows[0], .word = add_file};

void curve_options_print_help(FILE *stream) {
    flags_print_help(stream, &table);
}

/* --- What belongs together
 * ------------------------------------------------------------------------ */

static bool has_axis(const Algorithm *algorithm, const char *name) {
    for (size_t i = 0; algorithm->answer != NULL && algorithm->answer[i] != NULL; i++) {
        if (strcmp(algorithm->answer[i]->name, name) == 0) {
            return true;
        }
    }
    return false;
}

static Status check_density(const CurveRequest *request) {
    for (size_t i = 0; i < request->synthetic_count && request->density > 0; i++) {
        if (!synthetic_has_density(request->synthetic[i])) {
            return status_make(STATUS_USAGE,
                               "--density: %s has none; random, even, clustered and cantor have",
                               request->synthetic[i]);
        }
    }
    return status_ok();
}

static Status complete(CurveRequest *request) {
    if (request->algorithm == NULL) {
        STATUS_TRY(take_algorithm("lacunarity", request));
    }
    for (size_t i = 0; i < request->axis_count; i++) {
        if (!has_axis(request->algorithm, request->axes[i].name)) {
            return status_make(STATUS_USAGE, "--%s is no axis of %s", request->axes[i].name,
                               request->algorithm->name);
        }
    }
    for (size_t i = 0; i < request->size_count && request->synthetic_count > 0; i++) {
        if (request->sizes[i].width == 0) {
            return status_make(STATUS_USAGE, "--sizes: native is a picture's own size, and "
                                             "synthetic images have none; write 512, or WxH");
        }
    }
    if (request->size_count == 0) {
        request->size_count = 1;
        STATUS_TRY(size_parse(request->synthetic_count > 0 ? "512" : "native", request->sizes));
    }
    return check_density(request);
}

Status curve_options_parse(int argc, char **argv, CurveOptions *options) {
    *options = (CurveOptions){.request = {.seed = 1}};
    STATUS_TRY(flags_parse(&table, argc, argv, options));
    CurveRequest *request = &options->request;
    if (options->help) {
        return status_ok();
    }
    const bool computes = request->input_count > 0 || request->synthetic_count > 0;
    if (!computes && options->file_count == 0) {
        return status_make(STATUS_USAGE, "curve: name saved curves (…-curve.csv) or folders of "
                                         "them, or what to compute: --synthetic or --input");
    }
    return computes ? complete(request) : status_ok();
}
