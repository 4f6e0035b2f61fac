#include "idx_fixtures.h"
#include "test.h"

#include "image_sets_internal.h"

TEST(images_are_decoded) {
    const Bytes plain = BYTES_OF(two_images);
    const Bytes gzip = packed(&plain);
    const Bytes *const files[] = {&plain, &gzip};
    for (size_t i = 0; i < 2; i++) {
        Image image;
        ImageSet set;
        assert_ok(decode(files[i], 0, &image, &set));
        assert_is_two_images(&image, &set);
        assert_null(set.labels);
        assert_int_equal((uintptr_t)image.pixels % 64, 0);
        image_set_free(&image, &set);
        assert_null(image.pixels);
        assert_int_equal(set.count, 0);
    }
}

/* Two zeros, or the two bytes of gzip. */
TEST(the_first_bytes_tell_a_set) {
    static const struct {
        uint8_t bytes[2];
        size_t size;
        bool begins;
    } cases[] = {{{0, 0}, 2, true},  {{0x1f, 0x8b}, 2, true}, {{0, 0}, 1, false},
                 {{0, 1}, 2, false}, {{1, 0}, 2, false},      {{'P', '5'}, 2, false},
                 {{0, 0}, 0, false}, {{0x1f, 0}, 2, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(idx_begins(cases[i].bytes, cases[i].size), cases[i].begins);
    }
}

/* A file that is packed in parts, as log files and parallel packers leave them. */
TEST(gzip_of_several_members_is_one_file) {
    for (size_t cut = 0; cut <= sizeof two_images; cut++) {
        const Bytes head = bytes_of(two_images, cut);
        const Bytes tail = bytes_of(two_images + cut, sizeof two_images - cut);
        const Bytes first = packed(&head);
        const Bytes second = packed(&tail);
        const Bytes file = joined(&first, &second);
        Image image;
        ImageSet set;
        assert_ok(decode(&file, 0, &image, &set));
        assert_is_two_images(&image, &set);
        image_set_free(&image, &set);
    }
}

TEST(a_limit_takes_the_first) {
    const Bytes plain = BYTES_OF(two_images);
    const Bytes gzip = packed(&plain);
    const Bytes *const files[] = {&plain, &gzip};
    for (size_t i = 0; i < 2; i++) {
        Image image;
        ImageSet set;
        assert_ok(decode(files[i], 1, &image, &set));
        assert_int_equal(set.count, 1);
        assert_pixels(&image, 3, 2, (const uint8_t[]){1, 2, 3, 4, 5, 6});
        image_set_free(&image, &set);
        assert_ok(decode(files[i], 2, &image, &set));
        assert_is_two_images(&image, &set);
        image_set_free(&image, &set);
        assert_refused(decode(files[i], 3, &image, &set), STATUS_FILE, "holds 2 images",
                       "3 are asked for");
        assert_null(image.pixels);
    }
}

/* What is not wanted is checked all the same. */
TEST(a_limit_does_not_hide_damage) {
    const Bytes plain = BYTES_OF(two_images);
    Bytes gzip = packed(&plain);
    gzip.at[gzip.size - 8] ^= 1; /* the checksum's first byte */
    Image image;
    ImageSet set;
    assert_refused(decode(&gzip, 1, &image, &set), STATUS_FILE, "damaged gzip", "data check");
    Bytes less = plain;
    --less.size;
    gzip = packed(&less);
    assert_refused(decode(&gzip, 1, &image, &set), STATUS_FILE, "truncated", "there are 11");
    assert_null(image.pixels);
}

static Bytes changed(size_t at, uint8_t value) {
    Bytes file = BYTES_OF(two_images);
    file.at[at] = value;
    return file;
}

static void assert_both_refused(const Bytes *file, const char *word, const char *other) {
    assert_decode_refused(file, word, other);
    const Bytes gzip = packed(file);
    assert_decode_refused(&gzip, word, other);
}

TEST(a_wrong_header_is_named) {
    Bytes file = changed(0, 0x89);
    assert_decode_refused(&file, "0x89 0x00", "two zeros");
    const Bytes gzip = packed(&file);
    assert_decode_refused(&gzip, "0x89 0x00", "two zeros");
    file = changed(1, 5);
    assert_both_refused(&file, "0x00 0x05", "two zeros");
    file = changed(2, 0x0d);
    assert_both_refused(&file, "0x0d, 32-bit real", "unsigned bytes, 0x08");
    file = changed(2, 0x09);
    assert_both_refused(&file, "0x09, signed bytes", "unsigned bytes, 0x08");
    file = changed(2, 0x0a);
    assert_both_refused(&file, "0x0a, no type", "unsigned bytes, 0x08");
    file = changed(3, 4);
    assert_both_refused(&file, "4 dimensions", "images have 3");
    file = changed(3, 0);
    assert_both_refused(&file, "0 dimensions", "images have 3");
    file = changed(3, 1);
    assert_both_refused(&file, "1 dimension,", "as labels have");
}

TEST(a_dimension_of_zero_is_refused) {
    for (size_t i = 0; i < 3; i++) {
        char which[32];
        snprintf(which, sizeof which, "dimension %zu is 0", i + 1);
        const Bytes file = changed(7 + 4 * i, 0);
        assert_both_refused(&file, which, "at least 1");
    }
}

/* Nothing is allocated for them: the sanitizers' allocators would refuse, and so would a machine.
 */
TEST(absurd_dimensions_are_refused) {
    Bytes file = changed(4, 0x7f);
    assert_decode_refused(&file, "truncated", "there are 12");
    Bytes gzip = packed(&file);
    assert_decode_refused(&gzip, "truncated or forged", "packed bytes can hold");
    memset(file.at + 4, 0xff, 12);
    assert_both_refused(&file, "truncated or forged", "2^64");
    /* 65,536 images of 65,536×65,536: 2^48 bytes. */
    file = BYTES_OF(two_images);
    memcpy(file.at + 4, (const uint8_t[]){0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0}, 12);
    assert_decode_refused(&file, "281474976710656", "there are 12");
    gzip = packed(&file);
    assert_decode_refused(&gzip, "281474976710656", "packed bytes can hold");
}

/* One image of 4097×1: all of it is there, and it is too wide for a set. */
TEST(a_side_beyond_the_largest_is_refused) {
    static uint8_t file[16 + 4097] = {0, 0, 8, 3, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0x10, 0x01};
    Image image;
    ImageSet set;
    assert_refused(image_set_decode("wide", file, sizeof file, 0, &image, &set), STATUS_FILE,
                   "4097x1", "1 to 4096");
    file[15] = 0;
    assert_ok(image_set_decode("wide", file, sizeof file - 1, 0, &image, &set));
    assert_int_equal(set.width, 4096);
    image_set_free(&image, &set);
}

TEST(every_truncation_is_refused) {
    const Bytes plain = BYTES_OF(two_images);
    Bytes file = plain;
    file.size = 0;
    assert_decode_refused(&file, "file:", "is empty");
    for (file.size = 1; file.size < plain.size; file.size++) {
        assert_decode_refused(&file, "file: truncated",
                              file.size < 16 ? "IDX header" : "asks for 12 bytes");
        const Bytes gzip = packed(&file);
        assert_decode_refused(&gzip, "file: truncated",
                              file.size < 16 ? "IDX header" : "asks for 12 bytes");
    }
    const Bytes whole = packed(&plain);
    /* A single byte is no more gzip than anything else. */
    for (file = whole, file.size = 2; file.size < whole.size; file.size++) {
        assert_decode_refused(&file, "file: truncated", "gzip data end too early");
    }
}

TEST(bytes_after_the_data_are_refused) {
    const Bytes zero = {.size = 1};
    const Bytes plain = BYTES_OF(two_images);
    const Bytes longer = joined(&plain, &zero);
    assert_both_refused(&longer, "bytes follow its data", "12 bytes");
    const Bytes gzip = packed(&plain);
    const Bytes rubbish = joined(&gzip, &zero);
    assert_decode_refused(&rubbish, "1 bytes that are not gzip", "follow");
    /* A second member with data, and one that is cut. */
    const Bytes member = packed(&zero);
    Bytes twice = joined(&gzip, &member);
    assert_decode_refused(&twice, "bytes follow its data", "12 bytes");
    --twice.size;
    Image image;
    ImageSet set;
    assert_int_equal(decode(&twice, 0, &image, &set).code, STATUS_FILE);
}

TEST(damaged_gzip_is_refused) {
    const Bytes plain = BYTES_OF(two_images);
    const Bytes whole = packed(&plain);
    for (size_t i = 1; i <= 8; i++) { /* checksum and length */
        Bytes file = whole;
        file.at[file.size - i] ^= 0x40;
        assert_decode_refused(&file, "damaged gzip data", i <= 4 ? "length" : "data check");
    }
    Bytes file = whole;
    file.at[2] = 7; /* the method; 8 is deflate */
    assert_decode_refused(&file, "damaged gzip data", "method");
    file = whole;
    file.at[10] |= 6; /* a block of the reserved type */
    assert_decode_refused(&file, "damaged gzip data", "block type");
}

/* A gzip file may hold far more than its own size, but not more than deflate can. */
TEST(an_even_image_packs_a_thousandfold) {
    enum { SIDE = 1024 };
    uint8_t *plain = calloc(1, 16 + SIDE * SIDE);
    memcpy(plain, (const uint8_t[]){0, 0, 8, 3, 0, 0, 0, 1, 0, 0, 4, 0, 0, 0, 4, 0}, 16);
    const ByteSource source = {
        .name = "even", .bytes = plain, .size = 16 + SIDE * SIDE, .file_size = 16 + SIDE * SIDE};
    IdxReader reader;
    assert_ok(idx_open(&source, IDX_IMAGES, &reader));
    assert_int_equal(reader.bytes, SIDE * SIDE);
    idx_close(&reader);
    uint8_t gzip[FILE_ROOM];
    z_stream stream = {0};
    assert_int_equal(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    stream.next_in = plain;
    stream.avail_in = 16 + SIDE * SIDE;
    stream.next_out = gzip;
    stream.avail_out = sizeof gzip;
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    Image image;
    ImageSet set;
    assert_ok(image_set_decode("even", gzip, stream.total_out, 0, &image, &set));
    assert_int_equal(set.height, SIDE);
    image_set_free(&image, &set);
    deflateEnd(&stream);
    free(plain);
}

TEST(labels_have_one_dimension) {
    const ByteSource source = {
        .name = "labels", .bytes = two_labels, .size = sizeof two_labels, .file_size = 10};
    IdxReader reader;
    assert_ok(idx_open(&source, IDX_LABELS, &reader));
    assert_int_equal(reader.sizes[0], 2);
    assert_int_equal(reader.sizes[1], 1);
    uint8_t labels[2];
    assert_ok(idx_read(&reader, labels, 2));
    assert_memory_equal(labels, ((const uint8_t[]){7, 255}), 2);
    idx_close(&reader);
    const ByteSource images = {
        .name = "labels", .bytes = two_images, .size = sizeof two_images, .file_size = 28};
    assert_refused(idx_open(&images, IDX_LABELS, &reader), STATUS_FILE, "as images have",
                   "labels have 1");
}
