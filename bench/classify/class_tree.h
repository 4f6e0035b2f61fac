/*
 * Class tree: which pictures belong to which class, as a folder shows it.
 *
 *   DIR/brick/1.png DIR/brick/2.png DIR/grass/1.png    a folder per class, named after it
 *   DIR/brick.png DIR/grass.png                        a picture per class, named without its end
 *
 * Classes and pictures are in the order of the bytes of their names. Names that begin with a dot
 * are passed over, and so is what is neither a file nor a folder.
 */
#ifndef BENCH_CLASS_TREE_H
#define BENCH_CLASS_TREE_H

#include <stddef.h>

#include "status.h"

typedef struct TextureClass {
    char *name;      /* owned */
    size_t count;    /* pictures, at least one */
    char **pictures; /* paths, owned */
} TextureClass;

typedef struct ClassTree {
    size_t count; /* at least one */
    TextureClass *classes;
} ClassTree;

/* Opens no picture. STATUS_FILE when the folder cannot be read, is empty, holds files beside
 * folders, a class without pictures, a folder within a class, or two pictures of one class name.
 * Nothing is to be released then. */
Status class_tree_read(const char *folder, ClassTree *tree);
void class_tree_release(ClassTree *tree);

#endif
