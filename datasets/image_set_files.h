/* Image set files: which files of a folder make a set, in which order, with which labels. */
#ifndef DATASETS_IMAGE_SET_FILES_H
#define DATASETS_IMAGE_SET_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "status.h"

typedef struct SetFile {
    char *path;   /* owned by the list */
    size_t place; /* in its folder, from 0 */
    uint8_t label;
} SetFile;

typedef struct SetFiles {
    SetFile *items;
    size_t count, room;
    bool labelled;
} SetFiles;

/*
 * The files of a folder by their names, byte by byte; or, when it holds folders, those of folders
 * named by numbers 0 … 255, in turns: the first of each folder, the second of each, and so on.
 * Names that begin with a dot are passed over. STATUS_FILE for a folder without files, with both
 * files and folders, and for a folder of another name. Errors leave the list empty.
 */
Status set_files_list(const char *folder, SetFiles *files);
void set_files_free(SetFiles *files);

/* Links are followed. */
bool set_files_is_folder(const char *path);

#endif
