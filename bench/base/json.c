/* JSON files: reading and writing whole documents. */

#include "base_internal.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "atomic_file.h"
#include "byte_stream.h"
#include "file_bytes.h"
#include "free_memory.h"
#include "status.h"
#include "utf8.h"

/* --- Unpacking -------------------------------------------------------------------------------- */

/* Text that is unpacked starts with room for this many times the packed bytes, and doubles. */
enum { PACKED_RATIO = 8 };

static Status reserve(const char *path, uint64_t room, FileBytes *text) {
    STATUS_TRY(free_memory_check(path, room));
    uint8_t *grown = room < SIZE_MAX ? realloc(text->bytes, (size_t)room + 1) : NULL;
    if (grown == NULL) {
        return free_memory_short(path, room);
    }
    text->bytes = grown;
    return status_ok();
}

/* Memory grows with what comes out: what a small file claims to hold is not believed. One byte more
 * than `most` is asked for, to tell a text that ends there from one that goes on. */
static Status unpack_stream(ByteStream *stream, const char *what, uint64_t most, FileBytes *text) {
    const char *path = stream->source->name;
    uint64_t room = stream->source->size * PACKED_RATIO;
    size_t got;
    do {
        room = room <= most ? room : most + 1;
        STATUS_TRY(reserve(path, room, text));
        STATUS_TRY(
            byte_stream_read(stream, text->bytes + text->size, (size_t)room - text->size, &got));
        text->size += got;
        if (text->size > most) {
            return status_make(STATUS_FILE,
                               "%s: unpacks to more than %" PRIu64 " bytes; %s of at most %" PRIu64
                               " is read",
                               path, most, what, most);
        }
        room *= 2;
    } while (text->size * 2 == room);
    text->bytes[text->size] = '\0';
    return status_ok();
}

static Status unpack(const ByteSource *source, const char *what, uint64_t most, FileBytes *text) {
    ByteStream stream;
    *text = (FileBytes){.bytes = NULL};
    STATUS_TRY(byte_stream_open(source, &stream));
    const Status status = unpack_stream(&stream, what, most, text);
    byte_stream_close(&stream);
    if (!status_is_ok(&status)) {
        file_bytes_free(text);
    }
    return status;
}

/* A file's text, unpacked where the file begins as gzip does, whatever its name. */
static Status read_text(const char *path, const char *what, uint64_t most, FileBytes *text) {
    FileBytes file;
    Status status = file_bytes_read(path, what, most, &file);
    *text = file;
    if (status_is_ok(&status) && byte_stream_is_gzip(file.bytes, file.size)) {
        const ByteSource source = {
            .name = path, .bytes = file.bytes, .size = file.size, .file_size = file.file_size};
        status = unpack(&source, what, most, text);
        file_bytes_free(&file);
    }
    if (status.code == STATUS_SKIP) {
        status.code = STATUS_FILE;
    }
    return status;
}

/* --- Reading and writing ---------------------------------------------------------------------- */

Status json_file_read(const char *path, const char *what, uint64_t most, cJSON **root) {
    *root = NULL;
    FileBytes file;
    STATUS_TRY(read_text(path, what, most, &file));
    const char *text = (const char *)file.bytes;
    Status status = status_ok();
    const char *end = NULL;
    *root = cJSON_ParseWithLengthOpts(text, file.size + 1, &end, true);
    if (*root == NULL) {
        size_t line = 1;
        for (const char *c = text; end != NULL && c < end && *c != '\0'; c++) {
            line += *c == '\n';
        }
        status = file.size == 0
                     ? status_make(STATUS_FILE, "%s is empty", path)
                     : status_make(STATUS_FILE, "%s is not valid JSON or was cut off (line %zu)",
                                   path, line);
    }
    file_bytes_free(&file);
    return status;
}

Status json_file_write(const char *path, cJSON *root) {
    char *text = root != NULL ? cJSON_Print(root) : NULL;
    cJSON_Delete(root);
    if (text == NULL) {
        return status_skip("no memory left to write %.200s", path);
    }
    AtomicFile file;
    Status status = atomic_file_open(&file, path);
    if (status_is_ok(&status)) {
        visible_json_write(file.stream, text);
        fputc('\n', file.stream);
        status = atomic_file_commit(&file);
    }
    cJSON_free(text);
    return status;
}

bool json_copy_text(const cJSON *object, const char *key, char *text, size_t size) {
    const char *value = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
    utf8_copy(text, size, value != NULL ? value : "");
    return value != NULL;
}
