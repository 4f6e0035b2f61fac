#include "output.h"

size_t output_element_size(OutputKind kind) {
    switch (kind) {
    case OUTPUT_IMAGE_U8:
    case OUTPUT_ROWS_U8: return 1;
    case OUTPUT_COUNTS_U64:
    case OUTPUT_TABLE_U64:
    case OUTPUT_RECORDS_U64:
    case OUTPUT_ARRAY_U64: return sizeof(uint64_t);
    case OUTPUT_ARRAY_U32: return sizeof(uint32_t);
    }
    return 1;
}

Status output_layout_add(OutputLayout *layout, const char *name, OutputKind kind, size_t width,
                         size_t height) {
    if (layout->count == OUTPUT_PARTS_MAX) {
        return status_fail("an answer has at most %d parts", OUTPUT_PARTS_MAX);
    }
    size_t bytes = 0;
    size_t end = 0;
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
