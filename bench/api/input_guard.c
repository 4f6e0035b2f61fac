#include "input_guard.h"

#include <stdlib.h>
#include <sys/stat.h>

typedef struct FileIdentity {
    dev_t device;
    ino_t inode;
} FileIdentity;

static FileIdentity *inputs;
static size_t input_count, input_room;

static bool identify(const char *path, FileIdentity *file) {
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) {
        return false;
    }
    *file = (FileIdentity){.device = info.st_dev, .inode = info.st_ino};
    return true;
}

Status input_guard_add(const char *path) {
    FileIdentity file;
    if (!identify(path, &file)) {
        return status_ok();
    }
    if (input_count == input_room) {
        const size_t room = input_room > 0 ? 2 * input_room : 16;
        FileIdentity *grown = realloc(inputs, room * sizeof *grown);
        if (grown == NULL) {
            return status_skip("no memory left for the list of inputs");
        }
        inputs = grown;
        input_room = room;
    }
    inputs[input_count++] = file;
    return status_ok();
}

Status input_guard_check(const char *path) {
    FileIdentity file;
    const size_t count = identify(path, &file) ? input_count : 0;
    for (size_t i = 0; i < count; i++) {
        if (inputs[i].device == file.device && inputs[i].inode == file.inode) {
            return status_make(STATUS_USAGE,
                               "%.250s is read by this command and would be overwritten; name "
                               "another file to write to",
                               path);
        }
    }
    return status_ok();
}
