#include "learn_checkpoint.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "atomic_file.h"
#include "file_bytes.h"

typedef struct Header {
    char magic[16];
    uint64_t facts, done, points, bytes;
} Header;

enum { FILE_SIZE_MAX = 1 << 30 };
static const char magic[16] = "bench learning1";

Status learn_checkpoint_write(const char *path, const LearnState *state) {
    Header header = {.facts = state->facts,
                     .done = state->done,
                     .points = state->curve->count,
                     .bytes = state->bytes};
    AtomicFile file;
    memcpy(header.magic, magic, sizeof magic);
    STATUS_TRY(atomic_file_open(&file, path));
    const size_t points = state->curve->count;
    const bool written =
        fwrite(&header, sizeof header, 1, file.stream) == 1 &&
        fwrite(state->curve->points, sizeof *state->curve->points, points, file.stream) == points &&
        fwrite(state->data, 1, state->bytes, file.stream) == state->bytes;
    if (!written) {
        const int reason = errno;
        atomic_file_abandon(&file);
        return status_make(STATUS_FILE, "%.200s cannot be written: %s", path, strerror(reason));
    }
    return atomic_file_commit(&file);
}

static Status take(const char *path, const char *bytes, size_t length, LearnState *state) {
    Header header;
    if (length < sizeof header || memcmp(bytes, magic, sizeof magic) != 0) {
        return status_make(STATUS_FILE, "%.200s is no checkpoint of a training", path);
    }
    memcpy(&header, bytes, sizeof header);
    if (header.facts != state->facts || header.bytes != state->bytes ||
        header.points > state->curve->room) {
        return status_make(STATUS_USAGE,
                           "%.200s is of a training with other options or pictures; give it the "
                           "same, or leave --resume out to begin anew",
                           path);
    }
    const size_t curve = (size_t)header.points * sizeof *state->curve->points;
    if (length != sizeof header + curve + state->bytes) {
        return status_make(STATUS_FILE,
                           "%.200s is not whole: %zu bytes are there, not %zu; leave --resume out "
                           "to begin anew",
                           path, length, sizeof header + curve + state->bytes);
    }
    memcpy(state->curve->points, bytes + sizeof header, curve);
    memcpy(state->data, bytes + sizeof header + curve, state->bytes);
    state->curve->count = (size_t)header.points;
    state->done = header.done;
    return status_ok();
}

Status learn_checkpoint_read(const char *path, LearnState *state) {
    char *bytes;
    size_t length;
    STATUS_TRY(file_text_read(path, "a checkpoint", FILE_SIZE_MAX, &bytes, &length));
    const Status status = take(path, bytes, length, state);
    free(bytes);
    return status;
}
