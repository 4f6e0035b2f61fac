#include "elements.h"
#include "datasets.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "element_names.h"
#include "image_format.h"

/* === Levels =================================================================================== */

#define STORE(type, value)                                                                         \
    for (size_t i = 0; i < count; i++) {                                                           \
        ((type *)row)[i] = (type)(value);                                                          \
    }                                                                                              \
    break

void elements_from_levels(OutputKind element, const uint32_t *levels, size_t count, void *row) {
    switch (element) {
    case OUTPUT_ARRAY_U16: STORE(uint16_t, levels[i] >> 16);
    case OUTPUT_ARRAY_I32: STORE(int32_t, levels[i] >> 24);
    case OUTPUT_ARRAY_U32: STORE(uint32_t, levels[i] >> 24);
    case OUTPUT_ARRAY_I64: STORE(int64_t, levels[i] >> 24);
    case OUTPUT_ARRAY_U64: STORE(uint64_t, levels[i] >> 24);
    case OUTPUT_ARRAY_F32: STORE(float, levels[i] / (double)UINT32_MAX);
    case OUTPUT_ARRAY_F64: STORE(double, levels[i] / (double)UINT32_MAX);
    default: STORE(uint8_t, levels[i] >> 24);
    }
}

static void convert_levels(OutputKind element, const uint16_t *levels, uint32_t white, size_t count,
                           void *row) {
    switch (element) {
    case OUTPUT_ARRAY_U16: STORE(uint16_t, (levels[i] * (uint64_t)UINT16_MAX + white / 2) / white);
    case OUTPUT_ARRAY_I32: STORE(int32_t, levels[i]);
    case OUTPUT_ARRAY_U32: STORE(uint32_t, levels[i]);
    case OUTPUT_ARRAY_I64: STORE(int64_t, levels[i]);
    case OUTPUT_ARRAY_U64: STORE(uint64_t, levels[i]);
    case OUTPUT_ARRAY_F32: STORE(float, levels[i] / (float)white);
    case OUTPUT_ARRAY_F64: STORE(double, levels[i] / (double)white);
    default: break; /* 8 bits are read as such */
    }
}

/* === Numbers ================================================================================== */

/* A finite number of any type. */
typedef struct Number {
    double real;
    uint64_t magnitude; /* of a whole one below 2^64 */
    bool whole, negative;
} Number;

static const double two_to_64 = 18446744073709551616.0;

static Number real_number(double real) {
    const double magnitude = fabs(real);
    const bool whole = magnitude < two_to_64 && floor(magnitude) == magnitude;
    return (Number){.real = real,
                    .magnitude = whole ? (uint64_t)magnitude : 0,
                    .whole = whole,
                    .negative = real < 0};
}

static Number signed_number(int64_t number) {
    return (Number){.real = (double)number,
                    .magnitude = number < 0 ? 0 - (uint64_t)number : (uint64_t)number,
                    .whole = true,
                    .negative = number < 0};
}

static Number unsigned_number(uint64_t number) {
    return (Number){.real = (double)number, .magnitude = number, .whole = true};
}

static Number number_at(OutputKind kind, const void *numbers, size_t i) {
    switch (kind) {
    case OUTPUT_ARRAY_U16: return unsigned_number(((const uint16_t *)numbers)[i]);
    case OUTPUT_ARRAY_I32: return signed_number(((const int32_t *)numbers)[i]);
    case OUTPUT_ARRAY_U32: return unsigned_number(((const uint32_t *)numbers)[i]);
    case OUTPUT_ARRAY_I64: return signed_number(((const int64_t *)numbers)[i]);
    case OUTPUT_ARRAY_U64: return unsigned_number(((const uint64_t *)numbers)[i]);
    case OUTPUT_ARRAY_F32: return real_number((double)((const float *)numbers)[i]);
    case OUTPUT_ARRAY_F64: return real_number(((const double *)numbers)[i]);
    default: return unsigned_number(((const uint8_t *)numbers)[i]);
    }
}

/* Whether a floating-point type has the number: one that is whole and beyond 2^53 may have been
 * rounded on its way to `real`. */
static bool is_real(const Number *number, double stored) {
    const double magnitude = fabs(stored);
    return number->whole ? magnitude < two_to_64 && (uint64_t)magnitude == number->magnitude
                         : stored == number->real;
}

static bool is_whole(const Number *number, uint64_t least, uint64_t most) {
    return number->whole && number->magnitude <= (number->negative ? least : most);
}

/* The bits of a whole number below 0 are those of 2^64 less its magnitude. */
static uint64_t bits_of(const Number *number) {
    return number->negative ? 0 - number->magnitude : number->magnitude;
}

#define STORE_WHOLE(type, least, most)                                                             \
    ((type *)row)[i] = (type)bits_of(&number);                                                     \
    return is_whole(&number, least, most)

/* False where the number is none of the type. */
static bool store_number(OutputKind element, Number number, void *row, size_t i) {
    switch (element) {
    case OUTPUT_ARRAY_U16: STORE_WHOLE(uint16_t, 0, UINT16_MAX);
    case OUTPUT_ARRAY_I32: STORE_WHOLE(int32_t, UINT64_C(1) << 31, INT32_MAX);
    case OUTPUT_ARRAY_U32: STORE_WHOLE(uint32_t, 0, UINT32_MAX);
    case OUTPUT_ARRAY_I64: STORE_WHOLE(int64_t, UINT64_C(1) << 63, INT64_MAX);
    case OUTPUT_ARRAY_U64: STORE_WHOLE(uint64_t, 0, UINT64_MAX);
    case OUTPUT_ARRAY_F32:
        ((float *)row)[i] = fabs(number.real) <= (double)FLT_MAX ? (float)number.real : 0;
        return is_real(&number, (double)((float *)row)[i]);
    case OUTPUT_ARRAY_F64: ((double *)row)[i] = number.real; return is_real(&number, number.real);
    default: STORE_WHOLE(uint8_t, 0, UINT8_MAX);
    }
}

static Status refuse_number(const char *name, const FilePixels *samples, OutputKind element,
                            size_t i) {
    const Number number = number_at(samples->kind, samples->image.pixels, i);
    const size_t width = (size_t)samples->image.width;
    char text[32];
    if (number.whole) {
        snprintf(text, sizeof text, "%s%" PRIu64, number.negative ? "-" : "", number.magnitude);
    } else {
        snprintf(text, sizeof text, samples->kind == OUTPUT_ARRAY_F32 ? "%.9g" : "%.17g",
                 number.real);
    }
    return status_make(STATUS_FILE,
                       "%s: has %s numbers, of which %s (column %zu, row %zu) is no %s; numbers "
                       "are taken as they are: a file of %s would be right",
                       name, element_name(samples->kind), text, i % width, i / width,
                       element_name(element), element_name(element));
}

static Status convert_numbers(const char *name, const FilePixels *samples, OutputKind element,
                              Image *image) {
    const size_t count = image_pixel_count(image);
    for (size_t i = 0; i < count; i++) {
        if (!store_number(element, number_at(samples->kind, samples->image.pixels, i),
                          image->pixels, i)) {
            return refuse_number(name, samples, element, i);
        }
    }
    return status_ok();
}

/* === FilePixels ==================================================================================
 */

static Status check_finite(const char *name, const FilePixels *samples) {
    const size_t count = image_pixel_count(&samples->image);
    const size_t width = (size_t)samples->image.width;
    for (size_t i = 0; output_element_type(samples->kind) == 'f' && i < count; i++) {
        const double number = number_at(samples->kind, samples->image.pixels, i).real;
        if (!isfinite(number)) {
            return status_make(STATUS_FILE,
                               "%s: the number in column %zu of row %zu is %s; all have to be "
                               "finite",
                               name, i % width, i / width, isnan(number) ? "NaN" : "infinite");
        }
    }
    return status_ok();
}

static Status make_converted(const char *name, const FilePixels *samples, OutputKind element,
                             Image *image) {
    STATUS_TRY(image_create_elements(samples->image.width, samples->image.height, element, image));
    if (samples->white > 0) {
        convert_levels(element, (const uint16_t *)(const void *)samples->image.pixels,
                       samples->white, image_pixel_count(image), image->pixels);
        return status_ok();
    }
    const Status status = convert_numbers(name, samples, element, image);
    if (!status_is_ok(&status)) {
        image_free(image);
    }
    return status;
}

Status image_format_convert(const char *name, FilePixels *samples, OutputKind element,
                            Image *image) {
    Status status = samples->white > 0 ? status_ok() : check_finite(name, samples);
    *image = (Image){0};
    if (status_is_ok(&status) && samples->white == 0 && samples->kind == element) {
        *image = samples->image;
        samples->image = (Image){0};
        return status;
    }
    if (status_is_ok(&status)) {
        status = make_converted(name, samples, element, image);
    }
    image_free(&samples->image);
    return status;
}
