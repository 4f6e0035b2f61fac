/* CSV after RFC 4180, with comment lines that begin with '#': reading records, writing fields. */
#ifndef BENCH_CSV_RECORDS_H
#define BENCH_CSV_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { CSV_FIELDS_MAX = 128 };

/* Of a results.csv that is read: what it is in words, and its most bytes. */
#define CSV_FILE_WORDS "a table of results"
enum { CSV_FILE_MOST = 1 << 30 };

typedef struct CsvRecord {
    size_t count;
    char *fields[CSV_FIELDS_MAX]; /* within the text that was given; fields past the last are cut */
} CsvRecord;

/* Takes the next record from `*cursor`, a text that is taken apart in place, and moves the cursor
 * behind it. Comments and empty lines are passed over. False at the end. */
bool csv_next_record(char **cursor, CsvRecord *record);

/* The index of a field; SIZE_MAX when there is none of this name. */
size_t csv_field_index(const CsvRecord *header, const char *name);

/* A field's text; empty when the record has no such field. */
const char *csv_field(const CsvRecord *record, size_t index);

/* Writes one field: in quotes only where the value needs them, controls other than line ends and
 * tabs made visible. */
void csv_write_field(FILE *stream, const char *value);

/* Writes the comment "# key: text" on one line, whatever the two hold. */
void csv_write_comment(FILE *stream, const char *key, const char *text);

#endif
