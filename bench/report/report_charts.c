#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "atomic_file.h"
#include "chart_list.h"
#include "chart_table.h"
#include "csv_columns.h"
#include "gnuplot.h"
#include "reporters.h"

enum { FILE_NAME_SIZE = 200 };

/* Letters, digits, '.', '_' and '-' stay; runs of anything else become one '-'. */
static void append_part(char *name, const char *part) {
    size_t used = strlen(name);
    if (part[0] == '\0') {
        return;
    }
    if (used > 0 && used + 1 < FILE_NAME_SIZE) {
        name[used++] = '-';
    }
    for (const char *c = part; *c != '\0' && used + 1 < FILE_NAME_SIZE; c++) {
        const bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                           (*c >= '0' && *c <= '9') || *c == '.' || *c == '_';
        if (plain) {
            name[used++] = *c;
        } else if (used > 0 && name[used - 1] != '-') {
            name[used++] = '-';
        }
    }
    name[used] = '\0';
}

/* <algorithm>-<input>[-<answer>]-speedup, <algorithm>-<input>[-<answer>]-<variant>-<axis> */
static void chart_file_name(const Chart *chart, char name[FILE_NAME_SIZE]) {
    name[0] = '\0';
    append_part(name, chart->algorithm);
    append_part(name, chart->input);
    append_part(name, chart->answer);
    append_part(name, chart->variant);
    append_part(name, chart->axis);
    append_part(name, chart->word);
}

/* A script draws nothing where it finds too few points: then there is no part file. */
static Status keep_if_drawn(const char *part, const char *path) {
    struct stat info;
    if (stat(part, &info) != 0) {
        return status_ok();
    }
    if (info.st_size == 0) {
        unlink(part);
        return status_ok();
    }
    return atomic_file_rename(part, path);
}

/* gnuplot runs names that begin with '<' or '|' as commands; a name with a folder never does. */
static const char *plain_prefix(const char *path) {
    return path[0] == '/' ? "" : "./";
}

typedef struct ChartFile {
    char path[ATOMIC_FILE_PATH_SIZE], part[ATOMIC_FILE_PATH_SIZE];
} ChartFile;

static Status name_file(ChartFile *file, const char *folder, const char *name, const char *suffix) {
    const int length = snprintf(file->path, sizeof file->path, "%s%s/%s.%s", plain_prefix(folder),
                                folder, name, suffix);
    if (length < 0 || (size_t)length >= sizeof file->path) {
        return status_make(STATUS_FILE, "cannot write charts to %.200s…: the path is too long",
                           folder);
    }
    return atomic_file_part_name(file->path, file->part, sizeof file->part);
}

static Status draw(const Chart *chart, const char *scripts, const char *table, const char *folder) {
    char name[FILE_NAME_SIZE], script[GNUPLOT_PATH_SIZE + 64], input[CSV_VALUE_SIZE];
    ChartFile svg = {.path = ""}, png = {.path = ""};
    chart_file_name(chart, name);
    chart_table_field(chart->input, input, sizeof input);
    STATUS_TRY(name_file(&svg, folder, name, "svg"));
    STATUS_TRY(name_file(&png, folder, name, "png"));
    snprintf(script, sizeof script, "%s/%s", scripts, chart->script);
    const char *const arguments[] = {table,    chart->algorithm, input,          chart->answer,
                                     svg.part, png.part,         chart->variant, chart->axis};
    const Status drawn = gnuplot_run(script, arguments, sizeof arguments / sizeof arguments[0]);
    if (!status_is_ok(&drawn)) {
        unlink(svg.part);
        unlink(png.part);
        return drawn;
    }
    STATUS_TRY(keep_if_drawn(svg.part, svg.path));
    return keep_if_drawn(png.part, png.path);
}

static Status check_folder(const char *folder) {
    struct stat info;
    if (stat(folder, &info) != 0 || !S_ISDIR(info.st_mode)) {
        return status_make(STATUS_FILE, "cannot write charts: %s is not a folder", folder);
    }
    if (access(folder, W_OK | X_OK) != 0) {
        return status_make(STATUS_FILE, "cannot write charts: %s is not writable", folder);
    }
    return status_ok();
}

static Status draw_all(const ChartList *list, const char *scripts, const char *csv_path,
                       const char *folder) {
    ChartFile table = {.path = ""};
    STATUS_TRY(name_file(&table, folder, "charts", "tsv"));
    STATUS_TRY(chart_table_write(csv_path, table.path));
    Status status = status_ok();
    for (size_t i = 0; i < list->count && status_is_ok(&status); i++) {
        status = draw(&list->charts[i], scripts, table.path, folder);
    }
    unlink(table.path);
    return status;
}

Status report_charts(const char *csv_path, const char *folder) {
    char scripts[GNUPLOT_PATH_SIZE];
    STATUS_TRY(check_folder(folder));
    STATUS_TRY(gnuplot_script_folder(scripts, sizeof scripts));
    ChartList list;
    STATUS_TRY(chart_list_read(csv_path, &list));
    const Status status = draw_all(&list, scripts, csv_path, folder);
    chart_list_release(&list);
    return status;
}
