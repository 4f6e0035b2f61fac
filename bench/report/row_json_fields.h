/* Which key holds which member of a row: one table for the writer and the reader. */
#ifndef BENCH_ROW_JSON_FIELDS_H
#define BENCH_ROW_JSON_FIELDS_H

#include <stddef.h>

typedef struct NumberField {
    const char *key;
    size_t offset; /* of a double within Row */
} NumberField;

typedef struct TextField {
    const char *key;
    size_t offset, size; /* of a char array within Row */
} TextField;

extern const NumberField row_number_fields[];
extern const size_t row_number_field_count;
extern const TextField row_text_fields[];
extern const size_t row_text_field_count;

#endif
