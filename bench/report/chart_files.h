/* The files of a chart, SVG and PNG, drawn beside and renamed. */
#ifndef BENCH_CHART_FILES_H
#define BENCH_CHART_FILES_H

#include <stddef.h>

#include "atomic_file.h"

enum { CHART_NAME_SIZE = 200 };

/* What a chart script is given; see plot/style.gp. Texts without double quotes, tabs or line ends
 * (chart_table_field). */
typedef struct ChartDrawing {
    const char *script; /* within the folder of the scripts */
    const char *table;  /* path of the file that it reads */
    /* Its further arguments; NULL: empty. */
    const char *algorithm, *input, *answer, *variant, *axis, *size;
} ChartDrawing;

/* Appends a part to a file name: letters, digits, '.' and '_' stay, runs of anything else become
 * one
 * '-', which also stands between parts. An empty part adds nothing. */
void chart_name_append(char name[CHART_NAME_SIZE], const char *part);

/* STATUS_FILE when charts cannot be written there: no folder, or not writable. */
Status chart_folder_check(const char *folder);

/* Writes the path of a file in the folder. STATUS_FILE when it is too long. */
Status chart_path(const char *folder, const char *name, const char *suffix,
                  char path[ATOMIC_FILE_PATH_SIZE]);

/* Renames what gnuplot has drawn, by the suffix of `path`, if it is whole. STATUS_FILE, with
 * nothing left, when it is not: gnuplot ends well on a full disk too. */
Status chart_file_keep(const char *part, const char *path);

/* The status of a drawing that went wrong: STATUS_FILE where it could not be written. */
Status chart_file_trouble(const Status *drawn, const char *part, const char *path);

/* Draws <name>.svg and <name>.png in the folder; a script that finds too little to draw leaves
 * none. STATUS_SKIP without gnuplot. */
Status chart_files_draw(const ChartDrawing *drawing, const char *scripts, const char *folder,
                        const char *name);

#endif
