/* The table of integral: its axis, what its answer looks like, what it costs at least, and its CPU
 * variants. */
#include "cpu_variant.h"
#include "integral.h"

VARIANT_FUNCTIONS(integral_seq);
VARIANT_FUNCTIONS(integral_simd);
VARIANT_FUNCTIONS(integral_omp);

static const char *const sums[] = {"32", "64", NULL};

static const Axis sum_axis = {
    .struct_bytes = sizeof(Axis),
    .name = "sum",
    .help = "bits of a sum: 32 (modulo 2^32) or 64 (exact)",
    .defaults = "32",
    .kind = AXIS_CHOICE,
    .choices = sums,
};

static const Axis *const answer_axes[] = {&sum_axis, NULL};

static Status integral_output_layout(const Workload *workload, const Point *answer,
                                     OutputLayout *layout) {
    const Image *image = &workload->image;
    const OutputKind kind = integral_bits(answer) == 64 ? OUTPUT_ARRAY_U64 : OUTPUT_ARRAY_U32;
    return output_layout_add(layout, "table", kind, (size_t)image->width + 1,
                             (size_t)image->height + 1);
}

static Cost integral_cost(const Workload *workload, const Point *answer) {
    const Image *image = &workload->image;
    const double pixels = (double)image_pixel_count(image);
    const double entries = ((double)image->width + 1) * ((double)image->height + 1);
    const double words = (double)integral_entry_bytes(answer) / sizeof(uint32_t);
    /* Every known method adds to get an entry; with 64 bits that is an operation for each half. */
    return (Cost){
        .bytes = pixels + entries * (double)integral_entry_bytes(answer),
        .operations = words * pixels,
        .items = pixels,
        .operation = "int32",
    };
}

static const Variant cpu_variants[] = {
    CPU_VARIANT("seq", NULL, "a running sum of the row added to the entry above, one thread",
                integral_seq_open, integral_seq_run, integral_seq_close),
    CPU_VARIANT("simd", "seq",
                "vectors of entries, four rows at once, one thread; stores bypass the cache where "
                "the table does not fit it",
                integral_simd_open, integral_simd_run, integral_simd_close, .vectorized = true),
    CPU_VARIANT("omp", "simd",
                "bands of rows on all processors; sums of their columns come first, from rows that "
                "stay in the cache",
                integral_omp_open, integral_simd_run, integral_simd_close,
                .tuning = threads_tuning),
};

const Algorithm integral_algorithm = {
    .struct_bytes = sizeof(Algorithm),
    .name = "integral",
    .summary = "summed-area table (integral image)",
    .item = "pixel",
    .input = WORKLOAD_IMAGE,
    .answer = answer_axes,
    .output_layout = integral_output_layout,
    .cost = integral_cost,
    .cpu = {.rows = cpu_variants, .count = sizeof cpu_variants / sizeof cpu_variants[0]},
    /* Around the widths of vectors, lines and tiles; the last one has pixels enough for the wide
     * tiles of cuda_fast on a large device. */
    .verify = "--wide --contents noise,full,extreme,ramp "
              "--shapes 1x1,2x1,1x2,2x2,3x3,1x17,17x1,4x4,5x4,7x7,15x3,16x2,17x3,31x31,32x32,33x33,"
              "63x5,64x64,65x3,127x2,128x3,129x9,5x200,255x3,256x17,257x33,511x2,512x16,513x40,"
              "1021x61,61x1021,640x480,1031x769,70000x3,3x70000,2050x1501,4099x2211",
};
