/*
 * What crosses between the program and a module, each compiled with its own release of these
 * headers.
 *
 * A structure that crosses begins with its number of bytes, `struct_bytes`, as the side that made
 * it knows it. It grows at its end alone, and the numbers of an enumeration stay what they are. A
 * member is there if the number of bytes covers it. So the two sides need not be of one release:
 *
 * - The program takes the tables of a module (Algorithm, Variant, Axis, WeightsKind) over into its
 *   own. What an older module does not have is 0. A newer module is refused if what this program
 *   does not know is not 0, or if an enumeration has a number that it does not know.
 * - A module asks STRUCT_HAS before it reads or writes a member that is newer than the oldest
 *   program that it is to work with.
 * - What the program gives a module to fill (Verdict, OutputLayout, AxisValues) is filled member by
 *   member, never assigned as a whole: the program's may be the smaller one.
 *
 * Rows of variants lie as far apart as the first one says. Cost is returned by value; module.c
 * hands over as much of it as the program has room for. Whatever else is returned by value or
 * stands in an array or in the middle of another structure has no number of bytes and never
 * changes: FIXED_SIZE.
 */
#ifndef BENCH_API_CROSSING_H
#define BENCH_API_CROSSING_H

#include <stddef.h>
#include <stdint.h>

/* Whether the structure that `pointer` shows has this member. */
#define STRUCT_HAS(pointer, member)                                                                \
    ((size_t)((const char *)(&(pointer)->member + 1) - (const char *)(pointer)) <=                 \
     (pointer)->struct_bytes)

/* A structure with its number of bytes: STRUCT_OF(Point, .count = 0). */
#define STRUCT_OF(type, ...) ((type){.struct_bytes = sizeof(type), __VA_ARGS__})

#ifdef __cplusplus
#define FIXED_SIZE(type, size) static_assert(sizeof(type) == (size), #type " never changes")
#else
#define FIXED_SIZE(type, size) _Static_assert(sizeof(type) == (size), #type " never changes")
#endif

#endif
