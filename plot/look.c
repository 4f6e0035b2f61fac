/* How variants look: one colour and one mark by name, in every chart, report and study. */

#include "look.h"

#include <stdbool.h>
#include <string.h>

#include "fnv.h"

/* === Looks ==================================================================================== */

typedef struct NamedLook {
    const char *name; /* NULL: in reserve for variants of other names */
    Look look;
} NamedLook;

/*
 * Variants on a GPU are dark with full marks, those on the CPU light with hollow ones, so that a
 * grey print tells them apart; tests/structure/look_distances.py checks that, and that eyes without
 * red, green or blue cones see different colours. On a dark page GPUs are the light ones.
 */
static const NamedLook looks[] = {
    {"cuda_fast", {"#0072B2", "#66AFF4", MARKER_CIRCLE, "", false}},
    {"cuda_naive", {"#473B00", "#D4BF81", MARKER_SQUARE, "", false}},
    {"cuda_tiled", {"#6A003C", "#FFACCC", MARKER_TRIANGLE, "", false}},
    {"cuda_texture", {"#000FEF", "#DCC9FC", MARKER_DIAMOND, "", false}},
    {"cuda_streamed", {"#984F00", "#F19A51", MARKER_TRIANGLE_DOWN, "", false}},
    {"cuda_sat", {"#371794", "#D4B7FD", MARKER_PENTAGON, "", false}},
    {"cuda_pipeline", {"#804976", "#DB9ECE", MARKER_TRIANGLE_DOWN, "10, 3", false}},
    {"seq", {"#8C959D", "#727B83", MARKER_CIRCLE, "", true}},
    {"simd", {"#EC8A6A", "#C4684A", MARKER_SQUARE, "", true}},
    {"omp", {"#DF73FF", "#BB51DB", MARKER_TRIANGLE, "", true}},
    {"seq_pipeline", {"#FF7200", "#CF5B00", MARKER_DIAMOND, "", true}},
    {NULL, {"#A700CE", "#E888FF", MARKER_SQUARE, "10, 3", false}},
    {NULL, {"#3154FF", "#AB9FFE", MARKER_TRIANGLE, "10, 3", false}},
    {NULL, {"#5D672F", "#AAB477", MARKER_DIAMOND, "10, 3", false}},
    {NULL, {"#B38E7A", "#967360", MARKER_TRIANGLE_DOWN, "", true}},
    {NULL, {"#8AAAD3", "#6586AD", MARKER_PENTAGON, "", true}},
    {"cuda_multi", {"#2D004B", "#A5F000", MARKER_DIAMOND, "", false}},
};

enum { LOOKS = sizeof looks / sizeof looks[0] };

/* A machine's colour and mark, then those of its processor. */
static const Look machines[MACHINE_LOOKS][2] = {
    {{"#0072B2", "#66AFF4", MARKER_CIRCLE, "", false},
     {"#8C959D", "#8D979F", MARKER_CIRCLE, "", true}},
    {{"#7A1F00", "#FF9E80", MARKER_SQUARE, "", false},
     {"#8C959D", "#8D979F", MARKER_SQUARE, "2, 3", true}},
    {{"#35AD74", "#5FE0A4", MARKER_TRIANGLE, "", false},
     {"#8C959D", "#8D979F", MARKER_TRIANGLE, "8, 2, 2, 2", true}},
    {{"#111111", "#FFFFFF", MARKER_DIAMOND, "", false},
     {"#8C959D", "#8D979F", MARKER_DIAMOND, "4, 3", true}},
    {{"#B07AD0", "#D9B3F0", MARKER_TRIANGLE_DOWN, "", false},
     {"#8C959D", "#8D979F", MARKER_TRIANGLE_DOWN, "1, 4", true}},
    {{"#D55E00", "#FFB070", MARKER_PENTAGON, "", false},
     {"#8C959D", "#8D979F", MARKER_PENTAGON, "12, 3", true}},
    {{"#806000", "#E0C060", MARKER_CIRCLE, "10, 3", false},
     {"#8C959D", "#8D979F", MARKER_CIRCLE, "12, 2, 1, 2", true}},
    {{"#56B4E9", "#9AD8FF", MARKER_SQUARE, "10, 3", false},
     {"#8C959D", "#8D979F", MARKER_SQUARE, "6, 6", true}},
};

size_t look_count(void) {
    return LOOKS + sizeof machines / sizeof machines[0][0];
}

/* Negative numbers, which nobody should give, count from the end. */
static size_t wrapped(int number) {
    return (unsigned)number % (unsigned)look_count();
}

Look look_numbered(int number) {
    const size_t place = wrapped(number);
    return place < LOOKS ? looks[place].look : machines[(place - LOOKS) / 2][(place - LOOKS) % 2];
}

int machine_look_number(size_t machine, bool cpu) {
    return LOOKS + 2 * (int)(machine % MACHINE_LOOKS) + cpu;
}

int variant_look_known(const char *name) {
    for (size_t i = 0; name != NULL && i < LOOKS; i++) {
        if (looks[i].name != NULL && strcmp(looks[i].name, name) == 0) {
            return (int)i;
        }
    }
    return -1;
}

/* === Other names ============================================================================== */

/* The reserve of one side, by a hash of the name: the same on every machine, whatever else is built
 * in. */
static int reserved_number(const char *name, bool device) {
    size_t reserve[LOOKS];
    size_t count = 0;
    for (size_t i = 0; i < LOOKS; i++) {
        if (looks[i].name == NULL && looks[i].look.hollow != device) {
            reserve[count++] = i;
        }
    }
    return (int)reserve[fnv_bytes(FNV_START, name, strlen(name)) % count];
}

int variant_look_number(const char *name, bool device) {
    const int known = variant_look_known(name);
    return known >= 0 || name == NULL ? known : reserved_number(name, device);
}
