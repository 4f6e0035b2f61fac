#include <string.h>
#include <sys/stat.h>

#include "atomic_file.h"
#include "commands.h"
#include "curve_options.h"
#include "curve_set.h"
#include "exit_codes.h"
#include "folder.h"
#include "input_guard.h"
#include "output_target.h"
#include "visible.h"

static const char default_name[] = "lacunarity-curve";

/* Where the files go. */
typedef struct Target {
    char folder[ATOMIC_FILE_PATH_SIZE];
    const char *name; /* of the chart, without suffix */
} Target;

static bool is_folder(const char *path) {
    struct stat facts;
    return path[0] != '\0' &&
           (path[strlen(path) - 1] == '/' || (stat(path, &facts) == 0 && S_ISDIR(facts.st_mode)));
}

/* "charts/brick" is the name brick in charts; a folder gets the default name. */
static Status choose_target(const char *out, Target *target) {
    const char *path = out != NULL ? out : default_name;
    const char *slash = strrchr(path, '/');
    const bool folder = is_folder(path);
    const size_t length = folder          ? strlen(path)
                          : slash == NULL ? 0
                                          : (size_t)(slash - path) + (slash == path);
    if (length >= sizeof target->folder - 64) {
        return status_make(STATUS_FILE, "the path %.100s… is too long", path);
    }
    memcpy(target->folder, path, length);
    target->folder[length] = '\0';
    while (length > 1 && strlen(target->folder) > 1 &&
           target->folder[strlen(target->folder) - 1] == '/') {
        target->folder[strlen(target->folder) - 1] = '\0';
    }
    if (length == 0) {
        memcpy(target->folder, ".", 2);
    }
    target->name = folder ? default_name : slash != NULL ? slash + 1 : path;
    return folder_make(target->folder);
}

static Status list_files(const CurveOptions *options, PathList *paths) {
    for (size_t i = 0; i < options->file_count; i++) {
        STATUS_TRY(path_list_add_curves(paths, options->files[i]));
    }
    return status_ok();
}

static void print_curves(const PathList *paths, const CurveSet *set, const Target *target) {
    for (size_t i = 0; i < set->count; i++) {
        const Curve *curve = &set->curves[i];
        visible_line(stdout, "%-40s %5zu boxes  %s", curve->label, curve->count,
                     paths->paths[curve->file]);
    }
    visible_line(stdout, "%s/%s.svg", target->folder, target->name);
    visible_line(stdout, "%s/%s.png", target->folder, target->name);
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
    if (status_is_ok(&status)) {
        status = check_points(&set);
    }
    if (status_is_ok(&status)) {
        status = curve_set_draw(&set, target->folder, target->name);
    }
    if (status_is_ok(&status)) {
        print_curves(paths, &set, target);
    }
    curve_set_release(&set);
    return status;
}

/* Found out before anything is computed. */
static Status check_chart(const CurveOptions *options, const PathList *paths,
                          const Target *target) {
    static const char *const suffixes[] = {"svg", "png"};
    for (size_t i = 0; i < paths->count; i++) {
        STATUS_TRY(guard_input(paths->paths[i]));
    }
    for (size_t i = 0; i < options->request.input_count; i++) {
        STATUS_TRY(guard_input(options->request.inputs[i]));
    }
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        char path[2 * ATOMIC_FILE_PATH_SIZE];
        snprintf(path, sizeof path, "%s/%s.%s", target->folder, target->name, suffixes[i]);
        STATUS_TRY(input_guard_check(path));
    }
    return status_ok();
}

static Status run(const CurveOptions *options, PathList *paths) {
    Target target;
    const bool computes = options->request.synthetic_count > 0 || options->request.input_count > 0;
    STATUS_TRY(list_files(options, paths));
    STATUS_TRY(choose_target(options->out, &target));
    STATUS_TRY(check_chart(options, paths, &target));
    if (computes) {
        STATUS_TRY(curves_compute(&options->request, target.folder, paths));
    }
    const Status drawn = draw(paths, &target);
    if (computes && drawn.code == STATUS_SKIP) {
        /* The curves are there; their picture can be drawn of them at any time. */
        visible_line(stderr, "bench: %s", drawn.why);
        return status_ok();
    }
    return drawn;
}

int command_curve(const Invocation *given) {
    static CurveOptions options;
    Status status =
        curve_options_parse(given->argc - given->first, given->argv + given->first, &options);
    if (status_is_ok(&status) && options.help) {
        command_curve_help(stdout);
        return EXIT_OK;
    }
    PathList paths = {.count = 0};
    options.request.notes = stderr;
    options.request.progress = options.quiet ? NULL : stderr;
    if (status_is_ok(&status)) {
        status = run(&options, &paths);
    }
    path_list_release(&paths);
    return status_is_ok(&status) ? EXIT_OK : command_error(&status);
}

void command_curve_help(FILE *stream) {
    fputs("bench curve FILE|DIR... [options]\n"
          "bench curve --synthetic KIND[,KIND...] | --input FILE|DIR [options]\n\n"
          "Draws lacunarity against box side, all curves in one chart: the values and, beside "
          "them, log10 of\n"
          "the values over that of box side 1. Curves are read from what 'bench run --save' wrote "
          "(…-curve.csv,\n"
          "a line for each threshold of each file), or computed and saved beside the chart. "
          "Undefined values\n"
          "are left out.\n\n"
          "Examples\n"
          "  bench curve answers\n"
          "  bench curve answers/lacunarity-brick-512-*-curve.csv --out charts/brick\n"
          "  bench curve --synthetic random,even,clustered,cantor --sizes 512 --box paper --out "
          "charts/kinds\n"
          "  bench curve --input brick.png --input grass.png --threshold otsu\n",
          stream);
    curve_options_print_help(stream);
}
