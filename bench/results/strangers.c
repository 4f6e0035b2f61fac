/* Stand-ins for algorithms, variants and axes that this version does not have. */

#include "algorithm.h"
#include "backend.h"
#include "results_internal.h"
#include "variant.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "list.h"
#include "registry.h"
#include "utf8.h"

/* Each is in owned memory, and so are its texts. */
struct Strangers {
    void *memory;
    Algorithm **algorithms;
    size_t algorithm_count, algorithm_capacity;
    struct StrangeVariant {
        const Algorithm *of;
        Variant *variant;
        Stage *stages; /* room for STAGES_MAX and the end; NULL: none yet */
    } * variants;
    size_t variant_count, variant_capacity;
    Axis **axes;
    size_t axis_count, axis_capacity;
};

Strangers *strangers_open(void) {
    return calloc(1, sizeof(Strangers));
}

void strangers_release(Strangers *strangers) {
    if (strangers != NULL) {
        owned_release(&strangers->memory);
        free(strangers);
    }
}

/* Of equal names the same one. NULL without memory. */
static const Algorithm *strange_algorithm(Strangers *strangers, const char *name) {
    for (size_t i = 0; i < strangers->algorithm_count; i++) {
        if (strcmp(strangers->algorithms[i]->name, name) == 0) {
            return strangers->algorithms[i];
        }
    }
    Algorithm *algorithm = owned_take(&strangers->memory, sizeof *algorithm);
    const char *own = owned_text(&strangers->memory, name);
    const Status room =
        LIST_ROOM(&strangers->memory, strangers->algorithms, strangers->algorithm_count,
                  strangers->algorithm_capacity, "algorithms");
    if (algorithm == NULL || own == NULL || !status_is_ok(&room)) {
        return NULL;
    }
    *algorithm = STRUCT_OF(Algorithm, .name = own, .summary = "", .item = "");
    strangers->algorithms[strangers->algorithm_count++] = algorithm;
    return algorithm;
}

static const Variant *strange_variant(Strangers *strangers, const Algorithm *of, const char *name,
                                      const char *backend) {
    for (size_t i = 0; i < strangers->variant_count; i++) {
        if (strangers->variants[i].of == of &&
            strcmp(strangers->variants[i].variant->name, name) == 0) {
            return strangers->variants[i].variant;
        }
    }
    Variant *variant = owned_take(&strangers->memory, sizeof *variant);
    const char *own = owned_text(&strangers->memory, name);
    const Status room = LIST_ROOM(&strangers->memory, strangers->variants, strangers->variant_count,
                                  strangers->variant_capacity, "variants");
    if (variant == NULL || own == NULL || !status_is_ok(&room)) {
        return NULL;
    }
    *variant =
        STRUCT_OF(Variant, .name = own, .summary = "",
                  .backend = backend != NULL ? registry_find_backend(backend) : &cpu_backend);
    strangers->variants[strangers->variant_count++] =
        (struct StrangeVariant){.of = of, .variant = variant};
    return variant;
}

void strangers_add_stage(Strangers *strangers, const Variant *variant, const char *name) {
    struct StrangeVariant *of = NULL;
    for (size_t i = 0; strangers != NULL && i < strangers->variant_count; i++) {
        of = strangers->variants[i].variant == variant ? &strangers->variants[i] : of;
    }
    const size_t count = variant_stage_count(variant);
    bool known = of == NULL || count == STAGES_MAX;
    for (size_t i = 0; i < count; i++) {
        known |= strcmp(variant->stages[i].name, name) == 0;
    }
    if (!known && of->stages == NULL) {
        of->stages = owned_take(&strangers->memory, (STAGES_MAX + 1) * sizeof *of->stages);
        of->variant->stages = of->stages;
    }
    if (!known && of->stages != NULL) {
        of->stages[count].name = owned_text(&strangers->memory, name);
    }
}

static const Axis *strange_axis(Strangers *strangers, const char *name) {
    for (size_t i = 0; i < strangers->axis_count; i++) {
        if (strcmp(strangers->axes[i]->name, name) == 0) {
            return strangers->axes[i];
        }
    }
    Axis *axis = owned_take(&strangers->memory, sizeof *axis);
    const char *own = owned_text(&strangers->memory, name);
    const Status room = LIST_ROOM(&strangers->memory, strangers->axes, strangers->axis_count,
                                  strangers->axis_capacity, "axes");
    if (axis == NULL || own == NULL || !status_is_ok(&room)) {
        return NULL;
    }
    *axis = STRUCT_OF(Axis, .name = own, .help = "", .defaults = "", .kind = AXIS_TEXT);
    strangers->axes[strangers->axis_count++] = axis;
    return axis;
}

/* === Of a row ================================================================================= */

bool row_identify(Row *row, Strangers *strangers, const char *algorithm, const char *variant,
                  const char *backend) {
    row->algorithm = registry_find_algorithm(algorithm);
    row->variant = row->algorithm != NULL ? registry_find_variant(row->algorithm, variant) : NULL;
    if (row->algorithm == NULL && strangers != NULL) {
        row->algorithm = strange_algorithm(strangers, algorithm);
    }
    if (row->algorithm != NULL && row->variant == NULL && strangers != NULL) {
        row->variant = strange_variant(strangers, row->algorithm, variant, backend);
    }
    return row->variant != NULL;
}

static bool read_value(const Axis *axis, double number, const char *text, AxisValue *value) {
    if (axis->kind == AXIS_INTEGER) {
        if (!(number >= (double)axis->minimum && number <= (double)axis->maximum)) {
            return false;
        }
        value->number = (int64_t)number;
        snprintf(value->text, sizeof value->text, "%" PRId64, value->number);
        return true;
    }
    utf8_copy(value->text, sizeof value->text, text != NULL ? text : "");
    for (int64_t i = 0; axis->kind == AXIS_CHOICE && text != NULL && axis->choices[i] != NULL;
         i++) {
        if (strcmp(axis->choices[i], text) == 0) {
            value->number = i;
            return true;
        }
    }
    return axis->kind == AXIS_TEXT && text != NULL;
}

bool point_add(Point *point, Strangers *strangers, const Axis *const *axes, const char *name,
               double number, const char *text) {
    const Axis *axis = axis_in_list(axes, name);
    if (point_value(point, name) != NULL || point->count == POINT_AXES_MAX) {
        return false;
    }
    AxisValue *value = &point->values[point->count];
    *value = (AxisValue){.number = 0};
    if (axis == NULL || !read_value(axis, number, text, value)) {
        char words[AXIS_TEXT_SIZE];
        snprintf(words, sizeof words, "%.15g", number);
        axis = strangers != NULL ? strange_axis(strangers, name) : NULL;
        if (axis == NULL || !read_value(axis, number, text != NULL ? text : words, value)) {
            return false;
        }
    }
    point->axes[point->count++] = axis;
    return true;
}
