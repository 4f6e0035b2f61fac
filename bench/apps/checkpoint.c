/* Checkpoints: the files that trainings go on from. */

#include "checkpoint.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "fnv.h"

enum { LINE_SIZE = 128, WORD_SIZE = 32, DIGITS = 16 };

static const uint64_t file_size_max = 1 << 30;
static const char magic[] = "bench checkpoint ";
static const char version[] = "1";

/* What the trainings of version 1.0.0 wrote, which had no checksum. */
static const char *const earlier[] = {"bench learning1", "{\"format\": \"bench adaboost"};

/* --- Writing ---------------------------------------------------------------------------------- */

static uint64_t checksum_of(const char *training, const CheckpointPart *parts, size_t count) {
    uint64_t hash = fnv_bytes(FNV_START, training, strlen(training));
    for (size_t i = 0; i < count; i++) {
        hash = fnv_bytes(hash, parts[i].bytes, parts[i].size);
    }
    return hash;
}

Status checkpoint_file_write(const char *path, const char *training, const CheckpointPart *parts,
                             size_t count) {
    AtomicFile file;
    uint64_t size = 0;
    STATUS_TRY(atomic_file_open(&file, path));
    for (size_t i = 0; i < count; i++) {
        size += parts[i].size;
    }
    fprintf(file.stream, "%s%s %s %016" PRIx64 " %016" PRIx64 "\n", magic, version, training, size,
            checksum_of(training, parts, count));
    for (size_t i = 0; i < count; i++) {
        if (parts[i].size > 0) {
            fwrite(parts[i].bytes, 1, parts[i].size, file.stream);
        }
    }
    return atomic_file_commit(&file);
}

/* --- Reading ---------------------------------------------------------------------------------- */

typedef struct Header {
    char version[WORD_SIZE], training[WORD_SIZE];
    uint64_t size, checksum;
} Header;

static bool begins(const FileBytes *file, const char *text) {
    return file->size >= strlen(text) && memcmp(file->bytes, text, strlen(text)) == 0;
}

static Status check_kind(const char *path, const char *anew, const FileBytes *file) {
    for (size_t i = 0; i < sizeof earlier / sizeof earlier[0]; i++) {
        if (begins(file, earlier[i])) {
            return status_make(STATUS_FILE,
                               "%.200s is a checkpoint of an earlier version, which nothing shows "
                               "to be undamaged; %s",
                               path, anew);
        }
    }
    return begins(file, magic)
               ? status_ok()
               : status_make(STATUS_FILE, "%.200s is no checkpoint of a training; %s", path, anew);
}

static bool read_number(const char *text, uint64_t *number) {
    char *end = NULL;
    *number = strtoull(text, &end, 16);
    return strspn(text, "0123456789abcdef") == DIGITS && end == text + DIGITS;
}

/* "1 hashsift 0000000000001234 0123456789abcdef". */
static bool read_header(const char *line, Header *header) {
    char size[WORD_SIZE], checksum[WORD_SIZE], rest;
    return sscanf(line, "%31s %31s %31s %31s %c", header->version, header->training, size, checksum,
                  &rest) == 4 &&
           read_number(size, &header->size) && read_number(checksum, &header->checksum);
}

static Status damaged(const char *path, const char *anew) {
    return status_make(STATUS_FILE, "%.200s is damaged or cut off; %s", path, anew);
}

static Status check(const char *path, const char *training, const char *anew,
                    CheckpointFile *file) {
    char line[LINE_SIZE];
    Header header;
    STATUS_TRY(check_kind(path, anew, &file->whole));
    const char *text = (const char *)file->whole.bytes;
    const char *end = memchr(text, '\n', file->whole.size);
    const size_t length = end != NULL ? (size_t)(end - text) : file->whole.size;
    snprintf(line, sizeof line, "%.*s", (int)(length < LINE_SIZE ? length : LINE_SIZE - 1), text);
    if (end == NULL || !read_header(line + strlen(magic), &header)) {
        return damaged(path, anew);
    }
    if (strcmp(header.version, version) != 0) {
        return status_make(STATUS_FILE, "%.200s is a checkpoint of version %s, not %s; %s", path,
                           header.version, version, anew);
    }
    file->bytes = end + 1;
    file->size = file->whole.size - length - 1;
    const CheckpointPart part = {.bytes = file->bytes, .size = file->size};
    if (header.size != file->size || header.checksum != checksum_of(header.training, &part, 1)) {
        return damaged(path, anew);
    }
    return strcmp(header.training, training) == 0
               ? status_ok()
               : status_make(STATUS_FILE, "%.200s is a checkpoint of bench %s, not of bench %s",
                             path, header.training, training);
}

Status checkpoint_file_read(const char *path, const char *training, const char *anew,
                            CheckpointFile *file) {
    *file = (CheckpointFile){.size = 0};
    STATUS_TRY(file_bytes_read(path, "a checkpoint", file_size_max, &file->whole));
    const Status status = check(path, training, anew, file);
    if (!status_is_ok(&status)) {
        checkpoint_file_release(file);
    }
    return status;
}

void checkpoint_file_release(CheckpointFile *file) {
    file_bytes_free(&file->whole);
    *file = (CheckpointFile){.size = 0};
}
