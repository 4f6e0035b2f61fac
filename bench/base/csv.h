/* Comma-separated files. */

#ifndef BENCH_BASE_CSV_H
#define BENCH_BASE_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "status.h"

/* RFC 4180, and comment lines that begin with '#'. */

enum { CSV_VALUE_SIZE = 512, CSV_FIELDS_MAX = 128 };

typedef struct CsvRecord {
    size_t count;
    int line;                     /* of a frame's record: that of its beginning, from 1 */
    char *fields[CSV_FIELDS_MAX]; /* point into the text; further fields are dropped */
} CsvRecord;

/* Reads the next record at `*cursor` and moves the cursor past it. The text is changed: fields are
 * unquoted and terminated in place. Comments and empty lines are skipped. False at the end. */
bool csv_next_record(char **cursor, CsvRecord *record);

/* The same for one record of any number of fields, of which at most `most` are kept. Returns how
 * many. */
size_t csv_split(char *text, char **fields, size_t most);

/* The index of the field of this name; SIZE_MAX when there is none. */
size_t csv_field_index(const CsvRecord *header, const char *name);

/* The text of a field; "" when the record is shorter. */
const char *csv_field(const CsvRecord *record, size_t index);

/* A comment line "# key: value". */
typedef struct CsvFact {
    const char *key, *value;
} CsvFact;

/* A whole CSV file: header, records and comments. */
typedef struct CsvFrame {
    char *text;
    CsvRecord header; /* no fields: there is none */
    CsvRecord *records;
    size_t count, capacity;
    CsvFact *facts;
    size_t fact_count, fact_capacity;
} CsvFrame;

/* The frame owns `text`, which was allocated with malloc. False without memory. Release the frame
 * in either case. */
bool csv_frame_make(char *text, CsvFrame *frame);

/* STATUS_FILE when the file cannot be read or has no header; the frame is empty then. */
Status csv_frame_read(const char *path, CsvFrame *frame);
void csv_frame_release(CsvFrame *frame);

/* The first of that key; "" when there is none. */
const char *csv_frame_fact(const CsvFrame *frame, const char *key);

/* Writes one field, in quotes if necessary. Controls except line ends and tabs are escaped. */
void csv_write_field(FILE *stream, const char *value);

/* Writes the comment "# key: text" on one line; line ends in either become blanks. */
void csv_write_comment(FILE *stream, const char *key, const char *text);

#endif
