/* Takes the place of registry_variant for a conformance program that has to fail: whatever variant
 * it asks for refuses every request. */
#include "algorithm.h"
#include "status.h"
#include "variant.h"

const Variant *__real_registry_variant(const Algorithm *algorithm, size_t index);
const Variant *__wrap_registry_variant(const Algorithm *algorithm, size_t index);

static Status refuse(const Request *request, void **state) {
    (void)request;
    (void)state;
    return status_skip("it always does");
}

const Variant *__wrap_registry_variant(const Algorithm *algorithm, size_t index) {
    static Variant refusing[256];
    static size_t count;
    Variant *row = &refusing[count++ % (sizeof refusing / sizeof refusing[0])];
    *row = *__real_registry_variant(algorithm, index);
    row->open = refuse;
    return row;
}
