#include "output.h"

/* Of each kind the type of an element, as NumPy names it: a letter, and its bytes. */
static const char types[OUTPUT_KINDS][3] = {
    [OUTPUT_IMAGE_U8] = "u1",    [OUTPUT_COUNTS_U64] = "u8", [OUTPUT_TABLE_U64] = "u8",
    [OUTPUT_RECORDS_U64] = "u8", [OUTPUT_ROWS_U8] = "u1",    [OUTPUT_ARRAY_U32] = "u4",
    [OUTPUT_ARRAY_U64] = "u8",   [OUTPUT_ARRAY_U8] = "u1",   [OUTPUT_ARRAY_U16] = "u2",
    [OUTPUT_ARRAY_I32] = "i4",   [OUTPUT_ARRAY_I64] = "i8",  [OUTPUT_ARRAY_F32] = "f4",
    [OUTPUT_ARRAY_F64] = "f8"};

size_t output_element_size(OutputKind kind) {
    return (unsigned)kind < OUTPUT_KINDS ? (size_t)(types[kind][1] - '0') : 1;
}

char output_element_type(OutputKind kind) {
    return (char)((unsigned)kind < OUTPUT_KINDS ? types[kind][0] : 'u');
}

bool output_kind_is_element(OutputKind kind) {
    return kind == OUTPUT_IMAGE_U8 || (kind >= OUTPUT_ARRAY_U32 && kind <= OUTPUT_ARRAY_F64);
}

Status output_layout_add(OutputLayout *layout, const char *name, OutputKind kind, size_t width,
                         size_t height) {
    if (layout->count == OUTPUT_PARTS_MAX) {
        return status_fail("an answer has at most %d parts", OUTPUT_PARTS_MAX);
    }
    size_t bytes = 0, end = 0;
    if (__builtin_mul_overflow(width, height, &bytes) ||
        __builtin_mul_overflow(bytes, output_element_size(kind), &bytes) ||
        __builtin_add_overflow(layout->bytes, bytes, &end) ||
        __builtin_add_overflow(end, (size_t)(OUTPUT_ALIGNMENT - 1), &end)) {
        return status_skip("the answer part '%s' of %zu×%zu elements is larger than memory can be",
                           name, width, height);
    }
    layout->parts[layout->count++] = (OutputPart){.name = name,
                                                  .kind = kind,
                                                  .width = width,
                                                  .height = height,
                                                  .offset = layout->bytes,
                                                  .bytes = bytes};
    layout->bytes = end / OUTPUT_ALIGNMENT * OUTPUT_ALIGNMENT;
    return status_ok();
}
