/* output: where the parts of an answer lie in its block. */
#include "output.h"
#include "test.h"

TEST(parts_are_aligned) {
    OutputLayout layout = {0};
    /* 5×3 bytes take one block of 64; 256 counts take 2048; a single byte takes 64 again. */
    assert_ok(output_layout_add(&layout, "codes", OUTPUT_IMAGE_U8, 5, 3));
    assert_ok(output_layout_add(&layout, "histogram", OUTPUT_COUNTS_U64, 256, 1));
    assert_ok(output_layout_add(&layout, "last", OUTPUT_IMAGE_U8, 1, 1));
    assert_int_equal(layout.count, 3);
    assert_int_equal(layout.parts[0].offset, 0);
    assert_int_equal(layout.parts[0].bytes, 15);
    assert_int_equal(layout.parts[1].offset, 64);
    assert_int_equal(layout.parts[1].bytes, 2048);
    assert_int_equal(layout.parts[2].offset, 64 + 2048);
    assert_int_equal(layout.bytes, 64 + 2048 + 64);
    assert_string_equal(layout.parts[1].name, "histogram");
    assert_int_equal(layout.parts[0].width, 5);
    assert_int_equal(layout.parts[0].height, 3);

    uint8_t memory[64 + 2048 + 64];
    const Output output = {.layout = layout, .data = memory};
    assert_ptr_equal(output_part(&output, 1), memory + 64);
}

TEST(a_whole_block_is_not_rounded) {
    OutputLayout layout = {0};
    assert_ok(output_layout_add(&layout, "codes", OUTPUT_IMAGE_U8, 8, 8));
    assert_int_equal(layout.bytes, 64);
}

TEST(sizes_beyond_memory_are_skipped) {
    OutputLayout layout = {0};
    assert_int_equal(output_layout_add(&layout, "a", OUTPUT_IMAGE_U8, SIZE_MAX, 2).code,
                     STATUS_SKIP);
    assert_int_equal(output_layout_add(&layout, "a", OUTPUT_COUNTS_U64, SIZE_MAX / 8 + 1, 1).code,
                     STATUS_SKIP);
    assert_int_equal(output_layout_add(&layout, "a", OUTPUT_IMAGE_U8, SIZE_MAX - 10, 1).code,
                     STATUS_SKIP);
    assert_int_equal(layout.count, 0);
    assert_int_equal(layout.bytes, 0);
    assert_ok(output_layout_add(&layout, "a", OUTPUT_IMAGE_U8, SIZE_MAX / 2, 1));
    assert_int_equal(output_layout_add(&layout, "b", OUTPUT_IMAGE_U8, SIZE_MAX / 2, 1).code,
                     STATUS_SKIP);
    assert_int_equal(layout.count, 1);
}

TEST(the_number_of_parts_is_limited) {
    OutputLayout layout = {0};
    for (int i = 0; i < OUTPUT_PARTS_MAX; ++i) {
        assert_ok(output_layout_add(&layout, "part", OUTPUT_IMAGE_U8, 1, 1));
    }
    assert_int_equal(output_layout_add(&layout, "part", OUTPUT_IMAGE_U8, 1, 1).code, STATUS_FAIL);
    assert_int_equal(layout.count, OUTPUT_PARTS_MAX);
}

TEST(elements_have_a_type_and_a_size) {
    assert_int_equal(output_element_type(OUTPUT_ARRAY_F32), 'f');
    assert_int_equal(output_element_size(OUTPUT_ARRAY_F32), 4);
    assert_int_equal(output_element_type(OUTPUT_ARRAY_I64), 'i');
    assert_int_equal(output_element_size(OUTPUT_ARRAY_I64), 8);
    assert_int_equal(output_element_type(OUTPUT_COUNTS_U64), 'u');
    assert_int_equal(output_element_size(OUTPUT_ARRAY_U16), 2);
    for (unsigned kind = 0; kind < OUTPUT_KINDS; kind++) {
        assert_true(output_element_size((OutputKind)kind) > 0);
    }
}
