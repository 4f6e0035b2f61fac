/* Curves of lacunarity: computed or read, drawn; the command `bench curve`. */

#include "apps.h"
#include "curve_internal.h"
#include "options.h"

#include <dirent.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "algorithm.h"
#include "axis.h"
#include "csv.h"
#include "datasets.h"
#include "files.h"
#include "gnuplot.h"
#include "harness.h"
#include "list.h"
#include "output.h"
#include "progress.h"
#include "registry.h"
#include "size_spec.h"
#include "status.h"
#include "table.h"
#include "text.h"
#include "utf8.h"
#include "variant.h"
#include "workload.h"

/* === Curve files ============================================================================== */

static int is_curve(const struct dirent *entry) {
    static const char ending[] = "-curve.csv";
    const size_t length = strlen(entry->d_name);
    return length >= sizeof ending - 1 &&
           strcmp(entry->d_name + length - (sizeof ending - 1), ending) == 0;
}

Status path_list_add_curves(PathList *list, const char *path) {
    const size_t before = list->count;
    if (!folder_exists(path)) {
        return path_list_add(list, path);
    }
    STATUS_TRY(path_list_add_folder(list, path, is_curve));
    return list->count > before
               ? status_ok()
               : status_make(STATUS_FILE, "%s: the folder holds no …-curve.csv", path);
}

/* === Curve compute ============================================================================ */

/* Computing curves: an algorithm's tables for several inputs, sizes and answer points, saved as
 * `bench run --save` does. */

enum { CURVE_INPUTS_MAX = 64 };

typedef struct CurveRequest {
    const Algorithm *algorithm;
    const char *variant;    /* NULL: the best one of the CPU */
    size_t synthetic_count; /* kinds */
    const char *synthetic[CURVE_INPUTS_MAX];
    OptionTexts inputs; /* files and folders */
    size_t size_count;
    SizeSpec sizes[OPTIONS_SIZES_MAX];
    size_t axis_count;
    AxisRequest axes[OPTIONS_AXES_MAX]; /* of the answer */
    uint64_t seed;
    double density; /* of a synthetic kind */

    FILE *notes; /* images of a folder that are left out */
    bool quiet;  /* no progress */
} CurveRequest;

/* What the curves of one request share. */
typedef struct Computation {
    const CurveRequest *request;
    const Variant *variant;
    const char *folder;
    PathList *paths;
    InputList *lists; /* one of each kind, file or folder */
    size_t list_count;
    Progress progress; /* a step is an input at a size */
} Computation;

/* --- One curve -------------------------------------------------------------------------------- */

static bool is_listed(const PathList *paths, const char *path) {
    for (size_t i = 0; i < paths->count; i++) {
        if (strcmp(paths->paths[i], path) == 0) {
            return true;
        }
    }
    return false;
}

/* Names of the tables that were written. */
static Status list_tables(Computation *of, const SavedAnswer *saved) {
    const OutputLayout *layout = &saved->output->layout;
    for (size_t part = 0; part < layout->count; part++) {
        char path[SAVE_PATH_SIZE];
        if (layout->parts[part].kind != OUTPUT_TABLE_U64) {
            continue;
        }
        STATUS_TRY(save_path(of->folder, saved, layout->parts[part].name, "csv", path));
        if (is_listed(of->paths, path)) {
            return status_make(STATUS_USAGE,
                               "two inputs would be saved as %.250s; compute them in two calls",
                               path);
        }
        STATUS_TRY(path_list_add(of->paths, path));
    }
    return status_ok();
}

static Status compute_curve(Computation *of, const char *stem, const Workload *workload,
                            const Point *answer) {
    const Algorithm *algorithm = of->request->algorithm;
    Output output;
    STATUS_TRY(one_answer_prove(algorithm, of->variant, answer));
    STATUS_TRY(one_answer_compute(algorithm, of->variant, workload, answer, &output));
    const SavedAnswer saved = {.algorithm = algorithm,
                               .input_stem = stem,
                               .workload = workload,
                               .answer = answer,
                               .output = &output};
    Status status = list_tables(of, &saved);
    STATUS_THEN(status, save_answer(of->folder, &saved));
    answer_release_guarded(&output);
    return status;
}

/* --- Answer points ---------------------------------------------------------------------------- */

static Status compute_points(Computation *of, const char *stem, const Workload *workload) {
    const CurveRequest *request = of->request;
    PointList list;
    STATUS_TRY(points_expand(request->axes, request->axis_count, request->algorithm->answer,
                             workload, &list));
    Status status = status_ok();
    for (size_t i = 0; i < list.count && status_is_ok(&status); i++) {
        status = compute_curve(of, stem, workload, &list.points[i]);
    }
    free(list.points);
    return status;
}

/* --- Inputs and sizes ------------------------------------------------------------------------- */

static Status compute_input(Computation *of, const Input *input) {
    const CurveRequest *request = of->request;
    for (size_t i = 0; i < request->size_count; i++) {
        Workload workload;
        char pressed[WORKLOAD_NAME_SIZE + 128];
        char name[WORKLOAD_NAME_SIZE + 128];
        snprintf(name, sizeof name, "%s of %s, %s", request->algorithm->name, input->name,
                 request->sizes[i].name);
        progress_show(&of->progress, name, NULL);
        STATUS_TRY(workload_load(input, &request->sizes[i], request->seed, &workload));
        if (workload_is_distorted(input, &workload, pressed, sizeof pressed)) {
            char text[sizeof pressed + 8];
            snprintf(text, sizeof text, "note: %s", pressed);
            progress_note(&of->progress, text);
        }
        const Status status = compute_points(of, input->stem, &workload);
        workload_release(&workload);
        progress_done(&of->progress, 1);
        STATUS_TRY(status);
    }
    return status_ok();
}

static Status open_list(Computation *of, const char *file, const char *kind) {
    const double density = kind != NULL ? of->request->density : 0;
    STATUS_TRY(images_open(file, kind, density, of->request->notes, &of->lists[of->list_count]));
    of->list_count++;
    return status_ok();
}

static Status open_lists(Computation *of) {
    const CurveRequest *request = of->request;
    const size_t most = request->synthetic_count + request->inputs.count;
    of->lists = calloc(most > 0 ? most : 1, sizeof *of->lists);
    STATUS_MEMORY(of->lists, "for the inputs");
    for (size_t i = 0; i < request->synthetic_count; i++) {
        STATUS_TRY(open_list(of, NULL, request->synthetic[i]));
    }
    for (size_t i = 0; i < request->inputs.count; i++) {
        STATUS_TRY(open_list(of, request->inputs.texts[i], NULL));
    }
    return status_ok();
}

static void close_lists(Computation *of) {
    for (size_t i = 0; i < of->list_count; i++) {
        inputs_release(&of->lists[i]);
    }
    free(of->lists);
}

static Status compute_lists(Computation *of) {
    const CurveRequest *request = of->request;
    size_t steps = 0;
    for (size_t i = 0; i < of->list_count; i++) {
        steps += of->lists[i].count * request->size_count;
    }
    progress_start(&of->progress, stderr, steps, steps, request->quiet);
    progress_be_patient(&of->progress);
    Status status = status_ok();
    for (size_t i = 0; i < of->list_count; i++) {
        for (size_t j = 0; j < of->lists[i].count && status_is_ok(&status); j++) {
            status = compute_input(of, &of->lists[i].inputs[j]);
        }
    }
    progress_end(&of->progress);
    return status;
}

/*
 * Computes every curve and saves it into the folder; `paths` gets the names of the files. The
 * variant is compared with the oracle on a small image first. STATUS_USAGE when two inputs would be
 * saved under one name. What was saved before an error stays.
 */
static Status curves_compute(const CurveRequest *request, const char *folder, PathList *paths) {
    Computation of = {.request = request, .folder = folder, .paths = paths};
    STATUS_TRY(one_answer_variant(request->algorithm, request->variant, &of.variant));
    Status status = open_lists(&of);
    STATUS_THEN(status, compute_lists(&of));
    close_lists(&of);
    return status;
}

/* === Curve draw =============================================================================== */

typedef double (*CurveValue)(const LacunarityPoint *point);

static double lambda_of(const LacunarityPoint *point) {
    return point->lambda;
}

static double log_normalised(const LacunarityPoint *point) {
    return log10(point->normalised);
}

static bool has_values(const CurveSet *set, CurveValue value) {
    for (size_t i = 0; i < set->count; i++) {
        for (size_t j = 0; j < set->curves[i].count; j++) {
            if (isfinite(value(&set->curves[i].points[j]))) {
                return true;
            }
        }
    }
    return false;
}

static void add_panel(LineChart *chart, const CurveSet *set, CurveValue value, const char *title,
                      bool log) {
    line_chart_panel(chart, title, log);
    for (size_t i = 0; i < set->count; i++) {
        const Curve *curve = &set->curves[i];
        line_chart_line(chart, curve->label, (int)i);
        for (size_t j = 0; j < curve->count; j++) {
            line_chart_point(chart, curve->points[j].box, value(&curve->points[j]));
        }
    }
}

/* Whether there are two boxes to draw a line between. */
static bool is_line(const CurveSet *set) {
    for (size_t i = 0; i < set->count; i++) {
        for (size_t j = 0; j < set->curves[i].count; j++) {
            if (set->curves[i].points[j].box != set->curves[0].points[0].box) {
                return true;
            }
        }
    }
    return false;
}

Status curve_set_draw(const CurveSet *set, const char *folder, const char *name) {
    STATUS_TRY(chart_folder_check(folder));
    if (!is_line(set)) {
        return status_ok();
    }
    LineChart *chart = line_chart_open(set->title, "box side r (pixels, logarithmic)", true);
    add_panel(chart, set, lambda_of, "lacunarity Λ(r)", true);
    if (has_values(set, log_normalised)) {
        add_panel(chart, set, log_normalised, "log₁₀ Λ(r) / Λ(1)", false);
    }
    return line_chart_draw(chart, folder, name);
}

/* === Curve labels ============================================================================= */

enum { STEM_SIZE = 256, LABEL_NAME_SIZE = 91 };

/* "lacunarity-brick-512" of "answers/lacunarity-brick-512-curve.csv". */
static void stem_of(const char *path, char stem[STEM_SIZE]) {
    static const char *const endings[] = {".csv", "-curve"};
    utf8_copy(stem, STEM_SIZE, path_name(path));
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        if (text_ends(stem, endings[i])) {
            stem[strlen(stem) - strlen(endings[i])] = '\0';
        }
    }
}

/* Letters at both ends that all names share, up to a '-' each. */
typedef struct Common {
    size_t head, tail;
} Common;

static size_t shared_head(const char *a, const char *b, size_t most) {
    size_t shared = 0;
    for (size_t i = 0; i < most && a[i] != '\0' && a[i] == b[i]; i++) {
        shared = a[i] == '-' ? i + 1 : shared;
    }
    return shared;
}

static size_t shared_tail(const char *a, const char *b, size_t most) {
    const size_t length_a = strlen(a);
    const size_t length_b = strlen(b);
    size_t shared = 0;
    for (size_t i = 1; i <= most && i <= length_a && i <= length_b; i++) {
        if (a[length_a - i] != b[length_b - i]) {
            break;
        }
        shared = a[length_a - i] == '-' ? i : shared;
    }
    return shared;
}

/* With one name the head is the algorithm, or the whole name where its curves differ by threshold.
 * Equal names have nothing in common: the paths distinguish their curves. */
static Common common_parts(const PathList *paths, bool by_threshold) {
    char first[STEM_SIZE], other[STEM_SIZE];
    stem_of(paths->paths[0], first);
    const char *dash = strchr(first, '-');
    if (paths->count == 1 && by_threshold) {
        return (Common){.head = strlen(first)};
    }
    if (paths->count == 1) {
        return (Common){.head = dash != NULL ? (size_t)(dash - first) + 1 : 0};
    }
    Common common = {strlen(first), strlen(first)};
    for (size_t i = 1; i < paths->count; i++) {
        stem_of(paths->paths[i], other);
        common.head = shared_head(first, other, common.head);
        common.tail = shared_tail(first, other, common.tail);
    }
    for (size_t i = 0; i < paths->count; i++) {
        stem_of(paths->paths[i], other);
        if (common.head + common.tail >= strlen(other)) {
            return (Common){.head = common.head};
        }
    }
    return common;
}

static bool has_equal_names(const PathList *paths) {
    char one[STEM_SIZE], two[STEM_SIZE];
    for (size_t i = 0; i < paths->count; i++) {
        for (size_t j = i + 1; j < paths->count; j++) {
            stem_of(paths->paths[i], one);
            stem_of(paths->paths[j], two);
            if (strcmp(one, two) == 0) {
                return true;
            }
        }
    }
    return false;
}

static bool has_several_thresholds(const CurveSet *set) {
    for (size_t i = 1; i < set->count; i++) {
        if (strcmp(set->curves[i].threshold, set->curves[0].threshold) != 0) {
            return true;
        }
    }
    return false;
}

/* "lacunarity, 512, box 1..256, threshold 128": the parts that all names share. File names have no
 * blank between an axis and its value. */
static void make_title(const char *stem, Common common, char title[CURVE_TITLE_SIZE]) {
    static const char *const axes[] = {"box", "threshold"};
    char shared[STEM_SIZE + 1];
    char *rest = NULL;
    snprintf(shared, sizeof shared, "%.*s-%s", (int)common.head, stem,
             stem + strlen(stem) - common.tail);
    title[0] = '\0';
    for (char *part = strtok_r(shared, "-", &rest); part != NULL;
         part = strtok_r(NULL, "-", &rest)) {
        size_t name = 0;
        for (size_t i = 0; i < sizeof axes / sizeof axes[0]; i++) {
            const size_t length = strlen(axes[i]);
            name = strncmp(part, axes[i], length) == 0 ? length : name;
        }
        text_append(title, CURVE_TITLE_SIZE, "%s%.*s%s%s", title[0] != '\0' ? ", " : "", (int)name,
                    part, name > 0 && part[name] != '\0' ? " " : "", part + name);
    }
}

static void make_label(const char *name, bool by_threshold, Curve *curve) {
    snprintf(curve->label, sizeof curve->label, "%.*s%s%s%s", (int)utf8_cut(name, LABEL_NAME_SIZE),
             name, by_threshold && name[0] != '\0' ? ", " : "", by_threshold ? "threshold " : "",
             by_threshold ? curve->threshold : "");
}

void curve_labels_make(const PathList *paths, CurveSet *set) {
    char stem[STEM_SIZE];
    const bool by_path = has_equal_names(paths);
    const bool by_threshold = has_several_thresholds(set);
    const Common common = common_parts(paths, by_threshold);
    stem_of(paths->paths[0], stem);
    make_title(stem, common, set->title);
    for (size_t i = 0; i < set->count; i++) {
        const char *path = paths->paths[set->curves[i].file];
        stem_of(path, stem);
        stem[strlen(stem) - common.tail] = '\0';
        make_label(by_path ? path : stem + common.head, by_threshold, &set->curves[i]);
    }
}

/* === Curve set ================================================================================ */

enum { COLUMN_BOX, COLUMN_LAMBDA, COLUMN_REQUIRED, COLUMN_THRESHOLD = 2, COLUMN_NORMALISED };

static const char *const column_names[] = {
    [COLUMN_BOX] = "box",
    [COLUMN_LAMBDA] = "lambda",
    [COLUMN_THRESHOLD] = "threshold",
    [COLUMN_NORMALISED] = "lambda_normalised",
};

enum { FILE_SIZE_MAX = 1 << 26 };
enum { COLUMN_COUNT = sizeof column_names / sizeof column_names[0] };

/* The curve of a file and threshold, made where there is none yet. */
static Status find_curve(CurveSet *set, size_t file, const char *threshold, Curve **curve) {
    for (size_t i = 0; i < set->count; i++) {
        *curve = &set->curves[i];
        if ((*curve)->file == file && strcmp((*curve)->threshold, threshold) == 0) {
            return status_ok();
        }
    }
    if (set->count == CURVES_MAX) {
        return status_make(STATUS_USAGE,
                           "more than %d curves (files times thresholds) in one chart; name fewer",
                           CURVES_MAX);
    }
    *curve = &set->curves[set->count++];
    **curve = (Curve){.file = file};
    snprintf((*curve)->threshold, sizeof(*curve)->threshold, "%s", threshold);
    return status_ok();
}

static Status add_point(Curve *curve, const LacunarityPoint *point) {
    LIST_ADD(NULL, curve->points, curve->count, curve->capacity, "points of a curve", *point);
    return status_ok();
}

/* A positive number, or NAN for an empty field. */
static Status read_number(const char *path, const char *text, double *number) {
    char *end;
    *number = text[0] != '\0' ? strtod(text, &end) : (double)NAN;
    if (text[0] != '\0' && (*end != '\0' || !isfinite(*number) || *number <= 0)) {
        return status_make(STATUS_FILE, "%s: '%.40s' is not a positive number", path, text);
    }
    return status_ok();
}

static Status read_row(const char *path, size_t file, const CsvRecord *record,
                       const size_t *columns, CurveSet *set) {
    LacunarityPoint point;
    Curve *curve;
    const char *threshold = csv_field(record, columns[COLUMN_THRESHOLD]);
    if (strlen(threshold) >= CURVE_THRESHOLD_SIZE) {
        return status_make(STATUS_FILE, "%s: the threshold '%.40s' is longer than %d characters",
                           path, threshold, CURVE_THRESHOLD_SIZE - 1);
    }
    STATUS_TRY(find_curve(set, file, threshold, &curve));
    STATUS_TRY(read_number(path, csv_field(record, columns[COLUMN_BOX]), &point.box));
    STATUS_TRY(read_number(path, csv_field(record, columns[COLUMN_LAMBDA]), &point.lambda));
    STATUS_TRY(read_number(path, csv_field(record, columns[COLUMN_NORMALISED]), &point.normalised));
    const bool defined = !isnan(point.box) && !isnan(point.lambda);
    return defined ? add_point(curve, &point) : status_ok();
}

static Status read_records(const char *path, size_t file, char *text, CurveSet *set) {
    CsvRecord record;
    size_t columns[COLUMN_COUNT];
    if (!csv_next_record(&text, &record)) {
        return status_make(STATUS_FILE, "%s is empty", path);
    }
    for (size_t i = 0; i < COLUMN_COUNT; i++) {
        columns[i] = csv_field_index(&record, column_names[i]);
        if (i < COLUMN_REQUIRED && columns[i] == SIZE_MAX) {
            return status_make(STATUS_FILE,
                               "%s has no column \"%s\": it is no curve of lacunarity, which "
                               "bench run --save writes",
                               path, column_names[i]);
        }
    }
    while (csv_next_record(&text, &record)) {
        STATUS_TRY(read_row(path, file, &record, columns, set));
    }
    return status_ok();
}

static Status read_file(const char *path, size_t file, CurveSet *set) {
    char *text;
    size_t length;
    STATUS_TRY(file_text_read(path, "a table of curves", FILE_SIZE_MAX, &text, &length));
    const Status status = read_records(path, file, text, set);
    free(text);
    return status;
}

static int by_box(const void *left, const void *right) {
    const LacunarityPoint *a = left;
    const LacunarityPoint *b = right;
    return (a->box > b->box) - (a->box < b->box);
}

Status curve_set_read(const PathList *paths, CurveSet *set) {
    set->count = 0;
    set->title[0] = '\0';
    for (size_t i = 0; i < paths->count; i++) {
        STATUS_TRY(read_file(paths->paths[i], i, set));
    }
    for (size_t i = 0; i < set->count; i++) {
        Curve *curve = &set->curves[i];
        if (curve->count > 1) {
            qsort(curve->points, curve->count, sizeof *curve->points, by_box);
        }
    }
    if (paths->count > 0) {
        curve_labels_make(paths, set);
    }
    return status_ok();
}

void curve_set_release(CurveSet *set) {
    for (size_t i = 0; i < set->count; i++) {
        free(set->curves[i].points);
    }
    set->count = 0;
}

/* === Options ================================================================================== */

enum { CURVE_FILES_MAX = 256 };

typedef struct CurveOptions {
    OptionTexts files;    /* saved curves, and folders that hold some */
    CurveRequest request; /* to compute; without inputs: nothing */
    const char *out;      /* NULL: beside the input */
    bool quiet;
} CurveOptions;

static Status choose_algorithm(const char *name, CurveRequest *request) {
    request->algorithm = registry_find_algorithm(name);
    if (request->algorithm == NULL) {
        return status_make(STATUS_USAGE, "'%.40s' is no algorithm; see 'bench list'", name);
    }
    if (request->algorithm->write_part == NULL) {
        return status_make(STATUS_USAGE, "%s has no curve; lacunarity has one", name);
    }
    return status_ok();
}

static Status set_algorithm(const Option *option, const char *value, void *of) {
    CurveOptions *options = of;
    (void)option;
    return choose_algorithm(value, &options->request);
}

static Status add_synthetic(const char *word, CurveRequest *request) {
    const char *known = NULL;
    STATUS_TRY(synthetic_find(word, &known));
    if (request->synthetic_count == CURVE_INPUTS_MAX) {
        return status_make(STATUS_USAGE, "%d kinds are the most", CURVE_INPUTS_MAX);
    }
    request->synthetic[request->synthetic_count++] = known;
    return status_ok();
}

static Status set_synthetic(const Option *option, const char *value, void *of) {
    CurveOptions *options = of;
    char word[LIST_WORD_SIZE];
    (void)option;
    options->request.synthetic_count = 0;
    for (const char *list = value; list != NULL;) {
        STATUS_TRY(list_next(&list, word));
        STATUS_TRY(add_synthetic(word, &options->request));
    }
    return status_ok();
}

static Status set_sizes(const Option *option, const char *value, void *of) {
    CurveOptions *options = of;
    (void)option;
    return sizes_parse(value, options->request.sizes, &options->request.size_count);
}

/* The option has the name of its axis. */
static Status set_axis(const Option *option, const char *value, void *of) {
    CurveOptions *options = of;
    CurveRequest *request = &options->request;
    size_t i = 0;
    while (i < request->axis_count && strcmp(request->axes[i].name, option->name) != 0) {
        i++;
    }
    request->axes[i] = (AxisRequest){.name = option->name, .list = value};
    request->axis_count += i == request->axis_count;
    return status_ok();
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
        STATUS_TRY(choose_algorithm("lacunarity", request));
    }
    for (size_t i = 0; i < request->axis_count; i++) {
        if (axis_in_list(request->algorithm->answer, request->axes[i].name) == NULL) {
            return status_make(STATUS_USAGE, "--%s is no axis of %s", request->axes[i].name,
                               request->algorithm->name);
        }
    }
    for (size_t i = 0; i < request->size_count && request->synthetic_count > 0; i++) {
        if (request->sizes[i].width == 0) {
            return status_make(STATUS_USAGE, "--sizes: native is an image's own size, and "
                                             "synthetic images have none; write 512, or WxH");
        }
    }
    if (request->size_count == 0) {
        request->size_count = 1;
        STATUS_TRY(size_parse(request->synthetic_count > 0 ? "512" : "native", request->sizes));
    }
    return check_density(request);
}

static Status check(void *of, const OptionsGiven *given) {
    CurveOptions *options = of;
    CurveRequest *request = &options->request;
    (void)given;
    const bool computes = request->inputs.count > 0 || request->synthetic_count > 0;
    if (!computes && options->files.count == 0) {
        return status_make(STATUS_USAGE, "curve: name saved curves (…-curve.csv) or folders of "
                                         "them, or what to compute: --synthetic or --input");
    }
    return computes ? complete(request) : status_ok();
}

#define MEMBER(name) .member = offsetof(CurveOptions, name)

static const CurveOptions defaults = {.request = {.seed = 1}};

static const Option option_rows[] = {
    {NULL, "FILE|DIR", NULL, .takes = TAKES_FILE, .kind = OPTION_TEXTS, MEMBER(files),
     .most = CURVE_FILES_MAX},
    {"algo", "NAME", "algorithm that computes the curves. Default: lacunarity",
     .kind = OPTION_HANDLED, .handle = set_algorithm},
    {"synthetic", "KIND[,KIND...]",
     "compute the curves of synthetic images; 'bench list --all' names their kinds",
     .takes = TAKES_LIST, .kind = OPTION_HANDLED, .handle = set_synthetic},
    {"input", "FILE|DIR", "compute the curve of an image, or of each in a folder; may be repeated",
     .takes = TAKES_FILE, .kind = OPTION_TEXTS, MEMBER(request.inputs), .most = CURVE_INPUTS_MAX},
    ORIENT_OPTION(.group = NULL),
    {"sizes", "LIST", "sizes to compute at. Default: 512, and native with --input alone",
     .takes = TAKES_LIST, .kind = OPTION_HANDLED, .handle = set_sizes},
    {"box", "LIST",
     "box sides, as for bench run; paper: every side up to half the shorter side of the image. "
     "Default: log, powers of two up to there",
     .takes = TAKES_LIST, .kind = OPTION_HANDLED, .handle = set_axis},
    {"threshold", "LIST",
     "least grey value of a pixel that counts, as for bench run; 64+128: a curve each in one file. "
     "Default: 128",
     .takes = TAKES_LIST, .kind = OPTION_HANDLED, .handle = set_axis},
    {"density", "SHARE",
     "share of ones in random, even, clustered and cantor. Default: that of the Cantor dust",
     .kind = OPTION_SHARE, MEMBER(request.density)},
    {"seed", "N", "seed of synthetic images. Default: 1", .kind = OPTION_WHOLE,
     MEMBER(request.seed), .most = UINT64_MAX},
    {"variant", "NAME", "variant of the algorithm. Default: the best CPU variant",
     .kind = OPTION_TEXT, MEMBER(request.variant)},
    {"out", "STEM",
     "the chart is STEM.svg and STEM.png, and computed curves are saved beside it; for a folder "
     "it is lacunarity-curve in it. Default: beside the input, brick-curve for brick.png; "
     "lacunarity-curve for several inputs and synthetic ones",
     .kind = OPTION_TEXT, MEMBER(out)},
    {"quiet", NULL, "no progress on standard error", .kind = OPTION_SET, MEMBER(quiet)},
    OPTIONS_END};

/* === Command curve ============================================================================ */

static const char default_name[] = "lacunarity-curve";

/* Where the files go. */
typedef struct Target {
    char folder[ATOMIC_FILE_PATH_SIZE];
    const char *name; /* of the chart, without suffix */
} Target;

/* "photos/brick-curve" of the only input photos/brick.png, "brick-curve-chart" of a saved
 * brick-curve.csv; with several inputs the default name beside the first. Saved curves that are a
 * folder's get it within; an image folder does not, or the chart would be one of its images the
 * next time. */
static Status default_out(const CurveOptions *options, char out[ATOMIC_FILE_PATH_SIZE]) {
    const CurveRequest *request = &options->request;
    const OptionTexts *given = options->files.count > 0 ? &options->files : &request->inputs;
    if (given->count == 0) {
        return path_make(out, ATOMIC_FILE_PATH_SIZE, "%s", default_name);
    }
    char path[ATOMIC_FILE_PATH_SIZE];
    char folder[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(path_make(path, sizeof path, "%s", given->texts[0]));
    for (size_t length = strlen(path); length > 1 && path[length - 1] == '/'; length--) {
        path[length - 1] = '\0';
    }
    const bool within = folder_exists(path);
    if (within && given == &options->files) {
        return path_make(out, ATOMIC_FILE_PATH_SIZE, "%s/", path);
    }
    STATUS_TRY(path_folder(path, folder, sizeof folder));
    const char *own = path_name(path);
    const char *name = own + strspn(own, "."); /* the chart of a hidden image is none */
    if (options->files.count + request->inputs.count + request->synthetic_count > 1 ||
        name[0] == '\0') {
        return path_make(out, ATOMIC_FILE_PATH_SIZE, "%s/%s", folder, default_name);
    }
    const char *dot = within ? NULL : strrchr(name, '.');
    const size_t length = dot != NULL && dot > name ? (size_t)(dot - name) : strlen(name);
    return path_make(out, ATOMIC_FILE_PATH_SIZE, "%s/%.*s%s", folder, (int)length, name,
                     given == &options->files ? "-chart" : "-curve");
}

/* "charts/brick" is the name brick in charts; a folder gets the default name. */
static Status choose_target(const CurveOptions *options, char path[ATOMIC_FILE_PATH_SIZE],
                            Target *target) {
    STATUS_TRY(options->out != NULL ? path_make(path, ATOMIC_FILE_PATH_SIZE, "%s", options->out)
                                    : default_out(options, path));
    const char *slash = strrchr(path, '/');
    const bool folder = (slash != NULL && slash[1] == '\0') || folder_exists(path);
    STATUS_TRY(folder ? path_make(target->folder, sizeof target->folder, "%s", path)
                      : path_folder(path, target->folder, sizeof target->folder));
    for (size_t length = strlen(target->folder); length > 1 && target->folder[length - 1] == '/';
         length--) {
        target->folder[length - 1] = '\0';
    }
    target->name = folder ? default_name : path_name(path);
    return folder_make(target->folder);
}

static Status list_files(const CurveOptions *options, PathList *paths) {
    for (size_t i = 0; i < options->files.count; i++) {
        STATUS_TRY(path_list_add_curves(paths, options->files.texts[i]));
    }
    return status_ok();
}

static Status print_curves(const PathList *paths, const CurveSet *set, const Target *target) {
    TextTable table = TEXT_TABLE(WORDS("curve"), NUMBERS("boxes"), WORDS("file"));
    for (size_t i = 0; i < set->count; i++) {
        const Curve *curve = &set->curves[i];
        text_table_put(&table, "%s", curve->label);
        text_table_put(&table, "%zu", curve->count);
        text_table_put_kind(&table, CELL_PLAIN, paths->paths[curve->file]);
    }
    STATUS_TRY(text_table_end(&table, stdout, table_print));
    putchar('\n');
    visible_line(stdout, "%s/%s.svg", target->folder, target->name);
    visible_line(stdout, "%s/%s.png", target->folder, target->name);
    return status_ok();
}

/* At least one curve has to have two points, or there is nothing to draw. */
static Status check_points(const CurveSet *set) {
    for (size_t i = 0; i < set->count; i++) {
        if (set->curves[i].count > 1) {
            return status_ok();
        }
    }
    return status_make(STATUS_NO_MATCH,
                       "no curve has two boxes with a defined lacunarity; the boxes of one "
                       "curve are written as 1..64, 4+8+16, log or paper");
}

static Status draw(const PathList *paths, const Target *target) {
    CurveSet set = {.count = 0};
    Status status = curve_set_read(paths, &set);
    STATUS_THEN(status, check_points(&set));
    STATUS_THEN(status, curve_set_draw(&set, target->folder, target->name));
    STATUS_THEN(status, print_curves(paths, &set, target));
    curve_set_release(&set);
    return status;
}

/* Checked before anything is computed. */
static Status check_chart(const CurveOptions *options, const PathList *paths,
                          const Target *target) {
    static const char *const suffixes[] = {"svg", "png"};
    for (size_t i = 0; i < paths->count; i++) {
        STATUS_TRY(guard_input(paths->paths[i]));
    }
    for (size_t i = 0; i < options->request.inputs.count; i++) {
        STATUS_TRY(guard_input(options->request.inputs.texts[i]));
    }
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        char path[2 * ATOMIC_FILE_PATH_SIZE];
        snprintf(path, sizeof path, "%s/%s.%s", target->folder, target->name, suffixes[i]);
        STATUS_TRY(input_guard_check(path));
    }
    return status_ok();
}

static Status run_on(const CurveOptions *options, PathList *paths) {
    Target target;
    char out[ATOMIC_FILE_PATH_SIZE]; /* has the target's name */
    const bool computes = options->request.synthetic_count > 0 || options->request.inputs.count > 0;
    STATUS_TRY(list_files(options, paths));
    STATUS_TRY(choose_target(options, out, &target));
    STATUS_TRY(check_chart(options, paths, &target));
    if (computes) {
        STATUS_TRY(curves_compute(&options->request, target.folder, paths));
    }
    const Status drawn = draw(paths, &target);
    if (computes && drawn.code == STATUS_SKIP) {
        /* The curves are there; their chart can be drawn at any time. */
        visible_line(stderr, "bench: %s", drawn.why);
        return status_ok();
    }
    return drawn;
}

static Status run(Invocation *given, void *of) {
    CurveOptions *options = of;
    PathList paths = {.count = 0};
    (void)given;
    options->request.notes = stderr;
    options->request.quiet = options->quiet;
    const Status status = run_on(options, &paths);
    path_list_release(&paths);
    return status;
}

const Command command_curve = {
    .name = "curve",
    .family = APP_FAMILY,
    .summary = "draw lacunarity against box side, of saved answers or of images",
    .usage = "bench app curve FILE|DIR... [options]\n"
             "bench app curve --synthetic KIND[,KIND...] | --input FILE|DIR [options]\n",
    .about = "Draws lacunarity against box side, all curves in one chart: the values and, below "
             "them, log10 of the values over that of box side 1. Curves are read from what 'bench "
             "run --save' wrote (…-curve.csv, a line for each threshold of each file), or "
             "computed and saved beside the chart. Undefined values are left out.",
    .examples = "bench app curve answers\n"
                "bench app curve answers/lacunarity-brick-512-*-curve.csv --out charts/brick\n"
                "bench app curve --synthetic random,even,clustered,cantor --sizes 512 --box paper "
                "--out charts/kinds\n"
                "bench app curve --input brick.png --input grass.png --threshold otsu\n",
    .words = "saved curves",
    .rows = option_rows,
    .size = sizeof(CurveOptions),
    .defaults = &defaults,
    .check = check,
    .run = run,
    .measures = true,
};
