/* Image sets in folders of pictures. */
#ifndef DATASETS_IMAGE_SET_FOLDER_H
#define DATASETS_IMAGE_SET_FOLDER_H

#include "image_set_files.h"
#include "image_sets.h"

/* The first `limit` pictures of a list, all for 0. With labels when the list has them, or with room
 * for labels where `room_for_labels`. Errors leave image and set zero. */
Status image_set_folder_read(const char *folder, const SetFiles *files, int32_t limit,
                             bool room_for_labels, Image *image, ImageSet *set);

/* Number and size of the pictures, from the header of every file. */
Status image_set_folder_read_size(const char *folder, const SetFiles *files, ImageSet *set);

#endif
