/*
 * IDX: the file format of MNIST and the sets made after it. Two zero bytes, a type code, the number
 * of dimensions, each dimension as 32 bits, highest byte first, then the data, the last dimension
 * running fastest. Here: unsigned bytes only, plain or gzip.
 *
 * Errors are STATUS_FILE and name the file, STATUS_SKIP when memory is short.
 */
#ifndef DATASETS_IDX_H
#define DATASETS_IDX_H

#include "byte_stream.h"

/* What a file is asked for; the number of dimensions is that of IDX. */
typedef enum IdxKind { IDX_LABELS = 1, IDX_PICTURES = 3 } IdxKind;

typedef struct IdxReader {
    ByteStream stream;
    uint32_t sizes[IDX_PICTURES]; /* as many as the kind has dimensions; the rest 1 */
    uint64_t bytes;               /* of data: the product of the sizes, which fits 64 bits */
} IdxReader;

/* Whether bytes begin as IDX does; gzip counts, since nothing else that is read here is gzip. */
bool idx_begins(const uint8_t *bytes, size_t size);

/*
 * Reads the header. Sizes of 0, and more data than the file can hold, are refused; nothing is
 * allocated for the data. The source must outlive the reader. Close it when the status is
 * STATUS_OK.
 */
Status idx_open(const ByteSource *source, IdxKind kind, IdxReader *reader);
void idx_close(IdxReader *reader);

/* Reads the first `wanted` bytes of the data, at most reader->bytes, and checks that the rest is
 * there, undamaged, and that nothing follows it. Once for each opened reader. */
Status idx_read(IdxReader *reader, uint8_t *data, size_t wanted);

#endif
