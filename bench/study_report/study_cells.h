/* The cells of a study's table: a measured value and a published one, as they are shown. */
#ifndef BENCH_STUDY_CELLS_H
#define BENCH_STUDY_CELLS_H

#include "document.h"
#include "significant.h"
#include "study_result.h"

/* Where a value stands. */
typedef struct CellPlace {
    const StudyResult *result;
    const TableResult *table;
    size_t row, column;
} CellPlace;

/* The number with four significant digits where it is a time, three where it is a ratio, and in
 * full where it is a whole number of anything else. */
void study_number_text(double number, const char *unit, char text[SIGNIFICANT_SIZE]);

/* "ms", "µs", "×"; "" for a unit that is none. */
const char *study_unit_text(const char *unit);

/* Whether the run came to what the cell asks for and skipped it. */
bool study_cell_is_skipped(const CellPlace *place);

/* The cell's text is two or three words where the value was not measured; its note is the interval
 * and where the number is from, or the reason. */
DocCell study_measured_cell(const CellPlace *place, Document *document);

/* As the paper prints it, with its machine and source as note; empty where it has none. */
DocCell study_published_cell(const CellPlace *place, Document *document);

#endif
