/* Profiles: a profiler's numbers for cells of a run. */

#ifndef BENCH_RESULTS_PROFILE_H
#define BENCH_RESULTS_PROFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "devices.h"
#include "row.h"
#include "status.h"
#include "table.h"

/* What a profiler counted of a cell's kernels, beside its times. */

enum { PROFILE_STALLS = 3, PROFILE_WORD_SIZE = 48 };

#define PROFILE_FILE "profile.csv"

/* Of a kernel, or of the whole cell; shares are weighed by the kernels' times. NAN: not known. */
typedef struct ProfileRow {
    char cell[CELL_NAME_SIZE];    /* as row_name writes it */
    char kernel[CELL_NAME_SIZE];  /* "": the whole cell */
    char device[FACT_VALUE_SIZE]; /* as cuda_devices_name; "": not known */
    double launches;
    double seconds;               /* all launches together, in the profiler */
    double dram, l2, l1, compute; /* percent of what each can do */
    double occupancy;             /* warps, percent of what fits a multiprocessor */
    double registers;             /* a thread, the most of all kernels */
    double control_flow; /* threads that an instruction is executed for, percent of a warp's */
    char pipe[PROFILE_WORD_SIZE]; /* the busiest pipe; "": not known */
    double pipe_used;             /* percent */
    /* Why warps wait, the most frequent first: cycles between two instructions of a warp. */
    char stalls[PROFILE_STALLS][PROFILE_WORD_SIZE];
    double stalled[PROFILE_STALLS];
} ProfileRow;

typedef struct Profile {
    ProfileRow *rows; /* of each cell the whole, then its kernels */
    size_t count, capacity;
} Profile;

/* Appends the rows of a cell, profiled on `device`, from what `ncu --csv --page raw --print-units
 * base` wrote, which is changed. STATUS_SKIP when no kernel was profiled, STATUS_FAIL for a table
 * without times. */
Status profile_add_ncu(Profile *profile, const char *cell, const char *device, char *text);

/* Appends the rows of cells that `profile` does not have. */
Status profile_keep(Profile *profile, const Profile *before);

/* profile.csv: a line for each row. STATUS_FILE. Release what was read with profile_release. */
Status profile_write(const char *path, const Profile *profile);
Status profile_read(const char *path, Profile *profile);
void profile_release(Profile *profile);

bool profile_row_is_cell(const ProfileRow *row);

/* A row for readers: titles, and the text of a column, "" where nothing is known. Kernels stand
 * indented under their cell. */
enum { PROFILE_TEXT_SIZE = 640 };
extern const DocColumn profile_columns[];
extern const size_t profile_column_count;
void profile_field(const ProfileRow *row, size_t column, char text[PROFILE_TEXT_SIZE]);

/* How a number changed from one cell to another: "2.1× faster", "+12 points", "-8"; "" for words.
 */
void profile_change(const ProfileRow *before, const ProfileRow *after, size_t column,
                    char text[PROFILE_TEXT_SIZE]);

#endif
