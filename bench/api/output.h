/*
 * Output: an answer in host memory, made of named parts in one block.
 *
 * Every variant of an algorithm fills the same layout, so the runner can poison, compare and save
 * answers without knowing the algorithm. Parts start at multiples of OUTPUT_ALIGNMENT bytes; the
 * runner zeroes the gaps between them, and variants do not write there.
 */
#ifndef BENCH_API_OUTPUT_H
#define BENCH_API_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum OutputKind {
    OUTPUT_IMAGE_U8 = 0,   /* width × height bytes, dense rows; saved as PNG */
    OUTPUT_COUNTS_U64 = 1, /* width uint64_t counts, height 1; saved as CSV "bin,count" */
    OUTPUT_TABLE_U64 = 2,  /* height rows of width uint64_t; saved as CSV by Algorithm.write_part */
    OUTPUT_RECORDS_U64 =
        3,              /* width uint64_t in any order, height 1; saved by Algorithm.write_part */
    OUTPUT_ROWS_U8 = 4, /* height rows of width bytes; saved as a line of hexadecimal digits each */
    OUTPUT_ARRAY_U32 = 5, /* height rows of width uint32_t; saved as NumPy's .npy */
    OUTPUT_ARRAY_U64 = 6, /* height rows of width uint64_t; saved as NumPy's .npy */
    OUTPUT_ARRAY_U8 = 7,  /* the same of uint8_t, and so on */
    OUTPUT_ARRAY_U16 = 8,
    OUTPUT_ARRAY_I32 = 9,
    OUTPUT_ARRAY_I64 = 10,
    OUTPUT_ARRAY_F32 = 11,
    OUTPUT_ARRAY_F64 = 12
} OutputKind;

enum { OUTPUT_KINDS = OUTPUT_ARRAY_F64 + 1 };

enum { OUTPUT_PARTS_MAX = 8, OUTPUT_ALIGNMENT = 64 };

typedef struct OutputPart {
    const char *name; /* the word in saved file names: "codes", "histogram" */
    OutputKind kind;
    size_t width, height; /* elements */
    size_t offset, bytes; /* within Output.data */
    int peak;             /* images: the largest possible value, saved as white; 0: 255 */
    uint32_t format;      /* records: their format, a number that the algorithm defines */
} OutputPart;

FIXED_SIZE(OutputPart, 56);

typedef struct OutputLayout {
    uint32_t struct_bytes;
    size_t count;
    OutputPart parts[OUTPUT_PARTS_MAX];
    size_t bytes; /* of the whole block, a multiple of OUTPUT_ALIGNMENT */
} OutputLayout;

typedef struct Output {
    uint32_t struct_bytes;
    uint8_t *data;       /* layout.bytes, aligned to OUTPUT_ALIGNMENT */
    OutputLayout layout; /* the last member for ever: it may grow */
} Output;

/* The result of comparing two answers, which the comparison fills member by member. It is given
 * with `accepted` false and nothing in `why`. */
typedef struct Verdict {
    uint32_t struct_bytes;
    bool accepted;    /* the answer counts as right */
    double agreement; /* share of equal elements, 0…1 */
    char why[160];    /* the first difference; empty: none */
} Verdict;

/*
 * How far elements may be from the oracle's: one is right if it is within `absolute`, or within
 * `relative` times the right value, or if at most `ulp` numbers of its type lie from one to the
 * other. Two that are not numbers (NaN) are equal; an infinity is near to nothing else.
 */
typedef struct Tolerance {
    uint32_t struct_bytes;
    double absolute, relative; /* at least 0 */
    uint64_t ulp;              /* units in the last place; of whole numbers: their difference */
} Tolerance;

/* Bytes of one element. */
size_t output_element_size(OutputKind kind);

/* Whether an image may have pixels of this type: OUTPUT_IMAGE_U8, or an array's. */
bool output_kind_is_element(OutputKind kind);

/* Its type as NumPy names it: 'u' for whole numbers from 0 on, 'i' for whole numbers, 'f' for
 * floating point. */
char output_element_type(OutputKind kind);

/* Appends a part. STATUS_SKIP when the size does not fit size_t. */
Status output_layout_add(OutputLayout *layout, const char *name, OutputKind kind, size_t width,
                         size_t height);

/* The memory of part `index` (0 is the first part added). */
static inline void *output_part(const Output *output, size_t index) {
    return output->data + output->layout.parts[index].offset;
}

#ifdef __cplusplus
}
#endif

#endif
