/* Byte stream: reads a file that is in memory, unpacking it if it is gzip. */
#ifndef BENCH_API_BYTE_STREAM_H
#define BENCH_API_BYTE_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "status.h"

/* A file in memory, or its beginning. */
typedef struct ByteSource {
    const char *name; /* for messages */
    const uint8_t *bytes;
    size_t size;
    uint64_t file_size; /* of all of it; `size` when everything is there */
} ByteSource;

typedef struct ByteStream {
    const ByteSource *source;
    size_t position; /* bytes of the source consumed */
    bool gzip, ended;
    struct z_stream_s *unpacking; /* zlib's, owned; NULL for a plain file */
} ByteStream;

/* Whether the bytes begin with the signature of gzip. */
bool byte_stream_is_gzip(const uint8_t *bytes, size_t size);

/* The source must outlive the stream. Close the stream only if the status is STATUS_OK. */
Status byte_stream_open(const ByteSource *source, ByteStream *stream);
void byte_stream_close(ByteStream *stream);

/* Reads `wanted` bytes, or fewer at the end of the data: `*got`. STATUS_FILE when the gzip
 * data are damaged, end too early, or are followed by something that is not gzip. */
Status byte_stream_read(ByteStream *stream, uint8_t *bytes, size_t wanted, size_t *got);

/* The most bytes that the whole file can unpack to. */
uint64_t byte_stream_most(const ByteStream *stream);

#endif
