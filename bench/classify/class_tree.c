#include "class_tree.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef enum EntryKind { ENTRY_FILE, ENTRY_FOLDER, ENTRY_OTHER } EntryKind;

typedef struct Entry {
    char *path; /* owned */
    EntryKind kind;
} Entry;

typedef struct Listing {
    size_t count;
    Entry *entries;
} Listing;

static Status no_memory(void) {
    return status_skip("no memory left for the list of pictures");
}

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static int is_visible(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

static int by_bytes(const struct dirent **left, const struct dirent **right) {
    return strcmp((*left)->d_name, (*right)->d_name); /* the same order in every locale */
}

static void listing_release(Listing *listing) {
    for (size_t i = 0; i < listing->count; i++) {
        free(listing->entries[i].path);
    }
    free(listing->entries);
    *listing = (Listing){0};
}

static char *join(const char *folder, const char *name) {
    const size_t length = strlen(folder);
    const bool ends_in_slash = length > 0 && folder[length - 1] == '/';
    const size_t size = length + strlen(name) + 2;
    char *path = malloc(size);
    if (path != NULL) {
        snprintf(path, size, "%s%s%s", folder, ends_in_slash ? "" : "/", name);
    }
    return path;
}

/* A link that leads nowhere counts as a file: reading it says what is wrong with it. */
static EntryKind kind_of(const char *path) {
    struct stat facts;
    if (stat(path, &facts) != 0) {
        return ENTRY_FILE;
    }
    return S_ISDIR(facts.st_mode)   ? ENTRY_FOLDER
           : S_ISREG(facts.st_mode) ? ENTRY_FILE
                                    : ENTRY_OTHER;
}

static Status take_entries(const char *folder, struct dirent **names, int count, Listing *listing) {
    listing->entries = calloc(count > 0 ? (size_t)count : 1, sizeof *listing->entries);
    if (listing->entries == NULL) {
        return no_memory();
    }
    for (int i = 0; i < count; i++) {
        Entry entry = {.path = join(folder, names[i]->d_name)};
        if (entry.path == NULL) {
            return no_memory();
        }
        entry.kind = kind_of(entry.path);
        if (entry.kind == ENTRY_OTHER) {
            free(entry.path);
        } else {
            listing->entries[listing->count++] = entry;
        }
    }
    return status_ok();
}

static Status list_folder(const char *folder, Listing *listing) {
    struct dirent **names = NULL;
    *listing = (Listing){0};
    const int count = scandir(folder, &names, is_visible, by_bytes);
    if (count < 0) {
        return status_make(STATUS_FILE, "%.250s: the folder cannot be read: %s", folder,
                           strerror(errno));
    }
    const Status status = take_entries(folder, names, count, listing);
    for (int i = 0; i < count; i++) {
        free(names[i]);
    }
    free(names);
    if (!status_is_ok(&status)) {
        listing_release(listing);
    }
    return status;
}

static const Entry *first_of(const Listing *listing, EntryKind kind) {
    for (size_t i = 0; i < listing->count; i++) {
        if (listing->entries[i].kind == kind) {
            return &listing->entries[i];
        }
    }
    return NULL;
}

/* --- A folder per class ----------------------------------------------------------------------- */

/* Takes the paths out of the listing. */
static Status take_pictures(const char *folder, Listing *listing, TextureClass *class) {
    const Entry *inner = first_of(listing, ENTRY_FOLDER);
    if (inner != NULL) {
        return status_make(
            STATUS_FILE,
            "%.200s is a folder within a class; the pictures of a class lie directly "
            "in its folder",
            inner->path);
    }
    if (listing->count == 0) {
        return status_make(STATUS_FILE, "the class '%.60s' has no pictures: %.200s is empty",
                           class->name, folder);
    }
    class->pictures = calloc(listing->count, sizeof *class->pictures);
    if (class->pictures == NULL) {
        return no_memory();
    }
    for (; class->count < listing->count; class->count++) {
        class->pictures[class->count] = listing->entries[class->count].path;
        listing->entries[class->count].path = NULL;
    }
    return status_ok();
}

static Status read_class(const char *folder, TextureClass *class) {
    class->name = strdup(base_name(folder));
    if (class->name == NULL) {
        return no_memory();
    }
    Listing listing;
    STATUS_TRY(list_folder(folder, &listing));
    const Status status = take_pictures(folder, &listing, class);
    listing_release(&listing);
    return status;
}

/* --- A picture per class ---------------------------------------------------------------------- */

static Status make_class(const char *path, TextureClass *class) {
    class->name = strdup(base_name(path));
    class->pictures = calloc(1, sizeof *class->pictures);
    if (class->name == NULL || class->pictures == NULL) {
        return no_memory();
    }
    char *dot = strrchr(class->name, '.');
    if (dot != NULL && dot != class->name) {
        *dot = '\0';
    }
    class->pictures[0] = strdup(path);
    class->count = 1;
    return class->pictures[0] != NULL ? status_ok() : no_memory();
}

static int by_name(const void *left, const void *right) {
    return strcmp(((const TextureClass *)left)->name, ((const TextureClass *)right)->name);
}

/* Without their ends names may sort otherwise, and be the same. */
static Status sort_classes(ClassTree *tree) {
    qsort(tree->classes, tree->count, sizeof *tree->classes, by_name);
    for (size_t i = 1; i < tree->count; i++) {
        if (by_name(&tree->classes[i - 1], &tree->classes[i]) == 0) {
            return status_make(
                STATUS_FILE,
                "%.120s and %.120s would both be the class '%.40s'; name them apart, "
                "or make a folder for each class",
                tree->classes[i - 1].pictures[0], tree->classes[i].pictures[0],
                tree->classes[i].name);
        }
    }
    return status_ok();
}

/* ---------------------------------------------------------------------------------------------- */

static Status read_classes(const char *folder, const Listing *listing, ClassTree *tree) {
    const Entry *file = first_of(listing, ENTRY_FILE);
    const Entry *inner = first_of(listing, ENTRY_FOLDER);
    if (listing->count == 0) {
        return status_make(STATUS_FILE,
                           "%.250s is empty; it takes a folder of pictures for each class, or a "
                           "picture for each class",
                           folder);
    }
    if (file != NULL && inner != NULL) {
        return status_make(STATUS_FILE,
                           "%.120s holds files (%.60s) and folders (%.60s); it takes either a "
                           "folder of pictures for each class or a picture for each class",
                           folder, base_name(file->path), base_name(inner->path));
    }
    tree->classes = calloc(listing->count, sizeof *tree->classes);
    if (tree->classes == NULL) {
        return no_memory();
    }
    for (tree->count = 0; tree->count < listing->count;) {
        const char *path = listing->entries[tree->count].path;
        TextureClass *class = &tree->classes[tree->count++];
        STATUS_TRY(inner != NULL ? read_class(path, class) : make_class(path, class));
    }
    return sort_classes(tree);
}

Status class_tree_read(const char *folder, ClassTree *tree) {
    struct stat facts;
    *tree = (ClassTree){0};
    if (stat(folder, &facts) != 0) {
        return status_make(STATUS_FILE, "%.250s: %s", folder, strerror(errno));
    }
    if (!S_ISDIR(facts.st_mode)) {
        return status_make(
            STATUS_FILE,
            "%.250s is not a folder; it takes one with a folder of pictures for each "
            "class, or a picture for each class",
            folder);
    }
    Listing listing;
    STATUS_TRY(list_folder(folder, &listing));
    const Status status = read_classes(folder, &listing, tree);
    listing_release(&listing);
    if (!status_is_ok(&status)) {
        class_tree_release(tree);
    }
    return status;
}

void class_tree_release(ClassTree *tree) {
    for (size_t i = 0; i < tree->count; i++) {
        TextureClass *class = &tree->classes[i];
        for (size_t j = 0; j < class->count; j++) {
            free(class->pictures[j]);
        }
        free(class->pictures);
        free(class->name);
    }
    free(tree->classes);
    *tree = (ClassTree){0};
}
