/* The command `bench profile`: what the GPU's counters say of cells, and what changed from one to
 * another. */

#include "cli_internal.h"
#include "paths.h"
#include "registry.h"
#include "run.h"
#include "run_options.h"
#include "stored_run.h"
#include "text.h"
#include "variant.h"

#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

/* === Tables =================================================================================== */

static Status print_rows(const Profile *profile) {
    TextTable table = text_table_start(profile_columns, profile_column_count);
    table.table.wraps = true;
    for (size_t i = 0; i < profile->count; i++) {
        for (size_t column = 0; column < profile_column_count; column++) {
            char text[PROFILE_TEXT_SIZE];
            profile_field(&profile->rows[i], column, text);
            text_table_put(&table, "%s", text);
        }
    }
    return text_table_end(&table, stdout, table_print);
}

static Status print_changes(const ProfileRow *before, const ProfileRow *after) {
    TextTable table =
        TEXT_TABLE(WORDS(""), NUMBERS(before->cell), NUMBERS(after->cell), NUMBERS("change"));
    table.table.wraps = true;
    for (size_t column = 1; column < profile_column_count; column++) {
        char old[PROFILE_TEXT_SIZE], now[PROFILE_TEXT_SIZE], change[PROFILE_TEXT_SIZE];
        profile_field(before, column, old);
        profile_field(after, column, now);
        profile_change(before, after, column, change);
        text_table_put(&table, "%s", profile_columns[column].title);
        text_table_put(&table, "%s", old);
        text_table_put(&table, "%s", now);
        text_table_put(&table, "%s", change);
    }
    putchar('\n');
    return text_table_end(&table, stdout, table_print);
}

/* Of two cells also what changed from the first to the second. */
static Status print_profile(const Profile *profile) {
    const ProfileRow *cells[3] = {NULL};
    size_t count = 0;
    for (size_t i = 0; i < profile->count && count < 3; i++) {
        if (profile_row_is_cell(&profile->rows[i])) {
            cells[count++] = &profile->rows[i];
        }
    }
    STATUS_TRY(print_rows(profile));
    return count == 2 ? print_changes(cells[0], cells[1]) : status_ok();
}

/* === Files ==================================================================================== */

/* Cells that the run's profile has already and that are not profiled now stay. */
static Status store_in_run(const char *run, Profile *profile) {
    char results[PATH_SIZE], path[PATH_SIZE];
    Profile before = {.rows = NULL};
    STATUS_TRY(stored_run_path(run, results, sizeof results));
    const char *slash = strrchr(results, '/');
    const int folder = slash != NULL ? (int)(slash - results) + 1 : 0;
    STATUS_TRY(path_make(path, sizeof path, "%.*s%s", folder, results, PROFILE_FILE));
    Status status = access(path, F_OK) == 0 ? profile_read(path, &before) : status_ok();
    STATUS_THEN(status, profile_keep(profile, &before));
    STATUS_THEN(status, profile_write(path, profile));
    profile_release(&before);
    if (status_is_ok(&status)) {
        putchar('\n');
        visible_line(stdout, "%s", path);
    }
    return status;
}

static Status check_files(const RunOptions *options) {
    char path[PATH_SIZE];
    if (options->profiled != NULL) {
        STATUS_TRY(stored_run_path(options->profiled, path, sizeof path));
        if (access(path, R_OK) != 0) {
            return status_make(STATUS_FILE, "%.200s: there is no run", options->profiled);
        }
    }
    return options->csv != NULL ? run_folder_try_file(options->csv) : status_ok();
}

static Status profile_outside(const RunOptions *options, Profile *profile) {
    STATUS_TRY(check_files(options));
    STATUS_TRY(profile_cells(options, stderr, profile));
    STATUS_TRY(print_profile(profile));
    if (options->csv != NULL) {
        STATUS_TRY(profile_write(options->csv, profile));
    }
    return options->profiled != NULL ? store_in_run(options->profiled, profile) : status_ok();
}

/* Without --variants all that are on a GPU, but for other people's code. */
static void choose_variants(RunOptions *options) {
    const bool chosen = options_was_given(&options->given, "variants");
    for (size_t a = 0; !chosen && a < options->algorithm_count; a++) {
        const Algorithm *algorithm = options->algorithms[a];
        for (size_t v = 0; v < registry_variant_count(algorithm); v++) {
            const Variant *variant = registry_variant(algorithm, v);
            if (!variant_is_on_cpu(variant) && variant->peer == NULL &&
                options->variant_count < OPTIONS_VARIANTS_MAX) {
                options->variants[options->variant_count++] = variant->name;
            }
        }
    }
}

static Status profile(Invocation *given, void *of) {
    RunOptions *options = of;
    (void)given;
    Profile profile = {.rows = NULL};
    choose_variants(options);
    if (options->inside > 0) {
        return profile_inside(options);
    }
    const Status status = profile_outside(options, &profile);
    profile_release(&profile);
    return status;
}

const Command command_profile = {
    .name = "profile",
    .family = "machine",
    .summary = "what the GPU's counters say of cells, by Nsight Compute",
    .usage = "bench machine profile --algo NAME --variants LIST [--sizes LIST] [options]\n"
             "bench machine profile RUN --algo NAME ...",
    .about =
        "Runs Nsight Compute (ncu, in PATH) on the kernels of each cell that the options name, "
        "after two uncounted runs: the share of what memory, caches and pipes can do, occupancy, "
        "the share of a warp's threads for which an instruction is executed, and the three most "
        "frequent reasons for which warps wait, in cycles between two "
        "instructions of a warp. Of two cells it prints what changed. With RUN the table is "
        "stored as profile.csv beside the run's results, and stands in its report. Times in the "
        "profiler are longer than those of a run: caches are cold.",
    .examples =
        "bench machine profile --algo lbp --variants cuda_tiled,cuda_fast --sizes 1080p --tile 16\n"
        "bench machine profile latest --algo lbp --variants cuda_fast --sizes 8K\n",
    .words = "one stored run",
    .rows = run_option_rows,
    .more_rows = run_axis_rows,
    .scope = SCOPE_PROFILE,
    .size = sizeof(RunOptions),
    .defaults = &run_defaults,
    .check = run_options_check,
    .run = profile,
};
