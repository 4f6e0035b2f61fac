#include "chart_files.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gnuplot.h"

void chart_name_append(char name[CHART_NAME_SIZE], const char *part) {
    size_t used = strlen(name);
    if (part[0] == '\0') {
        return;
    }
    if (used > 0 && used + 1 < CHART_NAME_SIZE) {
        name[used++] = '-';
    }
    for (const char *c = part; *c != '\0' && used + 1 < CHART_NAME_SIZE; c++) {
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

Status chart_folder_check(const char *folder) {
    struct stat info;
    if (stat(folder, &info) != 0 || !S_ISDIR(info.st_mode)) {
        return status_make(STATUS_FILE, "cannot write charts: %s is not a folder", folder);
    }
    if (access(folder, W_OK | X_OK) != 0) {
        return status_make(STATUS_FILE, "cannot write charts: %s is not writable", folder);
    }
    return status_ok();
}

/* gnuplot runs names that begin with '<' or '|' as commands; a name with a folder never does. */
static const char *plain_prefix(const char *path) {
    return path[0] == '/' ? "" : "./";
}

Status chart_path(const char *folder, const char *name, const char *suffix,
                  char path[ATOMIC_FILE_PATH_SIZE]) {
    const int length = snprintf(path, ATOMIC_FILE_PATH_SIZE, "%s%s/%s.%s", plain_prefix(folder),
                                folder, name, suffix);
    if (length < 0 || length >= ATOMIC_FILE_PATH_SIZE) {
        return status_make(STATUS_FILE, "cannot write charts to %.200s…: the path is too long",
                           folder);
    }
    return status_ok();
}

typedef struct ChartFile {
    char path[ATOMIC_FILE_PATH_SIZE], part[ATOMIC_FILE_PATH_SIZE];
} ChartFile;

static Status name_file(ChartFile *file, const char *folder, const char *name, const char *suffix) {
    STATUS_TRY(chart_path(folder, name, suffix, file->path));
    return atomic_file_part_make(file->path, file->part);
}

/* A script draws nothing where it finds too few points: then the part file is empty. */
static Status keep_if_drawn(const ChartFile *file) {
    struct stat info;
    if (stat(file->part, &info) != 0 || info.st_size == 0) {
        unlink(file->part);
        return status_ok();
    }
    return atomic_file_rename(file->part, file->path);
}

static const char *or_empty(const char *text) {
    return text != NULL ? text : "";
}

static Status draw_files(const ChartDrawing *drawing, const char *scripts, const ChartFile *svg,
                         const ChartFile *png) {
    char script[GNUPLOT_PATH_SIZE + 64], table[ATOMIC_FILE_PATH_SIZE + 2];
    snprintf(script, sizeof script, "%s/%s", scripts, drawing->script);
    snprintf(table, sizeof table, "%s%s", plain_prefix(drawing->table), drawing->table);
    const char *const arguments[] = {table,
                                     or_empty(drawing->algorithm),
                                     or_empty(drawing->input),
                                     or_empty(drawing->answer),
                                     svg->part,
                                     png->part,
                                     or_empty(drawing->variant),
                                     or_empty(drawing->axis),
                                     or_empty(drawing->size)};
    STATUS_TRY(gnuplot_run(script, arguments, sizeof arguments / sizeof arguments[0]));
    STATUS_TRY(keep_if_drawn(svg));
    return keep_if_drawn(png);
}

Status chart_files_draw(const ChartDrawing *drawing, const char *scripts, const char *folder,
                        const char *name) {
    ChartFile svg = {.path = ""}, png = {.path = ""};
    Status status = name_file(&svg, folder, name, "svg");
    if (status_is_ok(&status)) {
        status = name_file(&png, folder, name, "png");
    }
    if (status_is_ok(&status)) {
        status = draw_files(drawing, scripts, &svg, &png);
    }
    if (!status_is_ok(&status)) {
        unlink(svg.part);
        unlink(png.part);
    }
    return status;
}
