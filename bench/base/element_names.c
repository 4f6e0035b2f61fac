#include "element_names.h"

#include <stddef.h>
#include <string.h>

/* That of images is last: a name is that of an array first. */
static const struct {
    OutputKind kind;
    const char *name;
} names[] = {
    {OUTPUT_ARRAY_U8, "uint8"},    {OUTPUT_ARRAY_U16, "uint16"},  {OUTPUT_ARRAY_I32, "int32"},
    {OUTPUT_ARRAY_U32, "uint32"},  {OUTPUT_ARRAY_I64, "int64"},   {OUTPUT_ARRAY_U64, "uint64"},
    {OUTPUT_ARRAY_F32, "float32"}, {OUTPUT_ARRAY_F64, "float64"}, {OUTPUT_IMAGE_U8, "uint8"}};

enum { COUNT = sizeof names / sizeof names[0] };

const char *element_name(OutputKind element) {
    size_t i = 0;
    while (i + 1 < COUNT && names[i].kind != element) {
        i++;
    }
    return names[i].name;
}

bool element_named(const char *name, OutputKind *element) {
    for (size_t i = 0; i < COUNT; i++) {
        if (strcmp(names[i].name, name) == 0) {
            *element = names[i].kind;
            return true;
        }
    }
    return false;
}
