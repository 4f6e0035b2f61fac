/* Picture folder: the pictures that are learnt from, or held out to verify what was learnt. */
#ifndef BENCH_PICTURE_FOLDER_H
#define BENCH_PICTURE_FOLDER_H

#include <stdio.h>

#include "image.h"
#include "status.h"

/* Sides longer than this are shrunk: sizes and the density of keypoints are then alike in all. */
enum { PICTURE_FOLDER_SIDE = 1280 };

typedef struct PictureFolder {
    int32_t count;
    Image *images;
    uint64_t hash; /* of all pixels */
} PictureFolder;

/* Every picture of a folder by name, grey; those that cannot be read are named on `notes` and left
 * out. STATUS_FILE when there is none. Release with picture_folder_release, whatever was returned.
 */
Status picture_folder_load(const char *path, FILE *notes, PictureFolder *folder);
void picture_folder_release(PictureFolder *folder);

#endif
