/*
 * Fuzzes image_decode and image_decode_elements. A crash, a leak, undefined behaviour or memory
 * beyond the limit is found by the sanitizers; the harness checks what the interface promises of
 * every file.
 */
#include <string.h>
#include <zlib.h>

#include "datasets.h"
#include "elements.h"
#include "fuzz_input.h"

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t size_max, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t size_max);

enum { SIGNATURE_SIZE = 8, CHUNK_FRAME = 12 };

static void check_refusal(const Status *status, const Image *image) {
    require(status->code == STATUS_FILE || status->code == STATUS_SKIP);
    require(status->why[0] != '\0' && strchr(status->why, '\n') == NULL);
    require(image->pixels == NULL);
}

/* In one of the types, by the file's size: at its own size, and at another one. */
static void decode_elements(const uint8_t *bytes, size_t size) {
    const OutputKind element =
        (OutputKind)(OUTPUT_ARRAY_U32 + size % (OUTPUT_KINDS - OUTPUT_ARRAY_U32));
    Image image;
    Status status = image_decode_elements("fuzzed", bytes, size, element, 0, 0, &image);
    if (!status_is_ok(&status)) {
        check_refusal(&status, &image);
        return;
    }
    require(image.width >= 1 && image.height >= 1);
    require(image.stride == (size_t)image.width * output_element_size(element));
    const volatile uint8_t last = image.pixels[image.stride * (size_t)image.height - 1];
    (void)last;
    const int32_t half = image.width / 2 + 1;
    image_free(&image);
    status = image_decode_elements("fuzzed", bytes, size, element, half, 3, &image);
    require(status_is_ok(&status) ? image.width == half && image.height == 3
                                  : image.pixels == NULL);
    image_free(&image);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    Image image;
    const Status status = image_decode("fuzzed", bytes, size, &image);
    if (status_is_ok(&status)) {
        require(image.width >= 1 && image.height >= 1 && image.stride >= (size_t)image.width);
        (void)image_hash(&image); /* reads every pixel */
        image_free(&image);
    } else {
        check_refusal(&status, &image);
    }
    decode_elements(bytes, size);
    return 0;
}

static uint32_t get_uint32(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void put_uint32(uint8_t *bytes, uint32_t number) {
    for (unsigned i = 0; i < 4; ++i) {
        bytes[i] = (uint8_t)(number >> (24 - 8 * i));
    }
}

/* A changed byte would nearly always stop at a PNG's checksums, so most of them are made right. */
static void mend_checksums(uint8_t *bytes, size_t size) {
    size_t at = SIGNATURE_SIZE;
    while (size - at >= CHUNK_FRAME) {
        const uint32_t length = get_uint32(bytes + at);
        if (length > size - at - CHUNK_FRAME) {
            return;
        }
        put_uint32(bytes + at + 8 + length, (uint32_t)crc32(0, bytes + at + 4, length + 4));
        at += CHUNK_FRAME + length;
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t size_max, unsigned seed) {
    const size_t changed = LLVMFuzzerMutate(bytes, size, size_max);
    if (changed > SIGNATURE_SIZE && memcmp(bytes, "\x89PNG", 4) == 0 && seed % 8 != 0) {
        mend_checksums(bytes, changed);
    }
    return changed;
}
