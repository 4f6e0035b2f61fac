#include "row_json_fields.h"

#include "result.h"

#define NUMBER(name, member)                                                                       \
    { .key = name, .offset = offsetof(Row, member) }
#define SUMMARY(prefix, member)                                                                    \
    NUMBER(prefix "_min_s", member.min), NUMBER(prefix "_p25_s", member.p25),                      \
        NUMBER(prefix "_median_s", member.median), NUMBER(prefix "_p75_s", member.p75),            \
        NUMBER(prefix "_p99_s", member.p99), NUMBER(prefix "_mean_s", member.mean),                \
        NUMBER(prefix "_stddev_s", member.stddev), NUMBER(prefix "_ci_low_s", member.ci_low),      \
        NUMBER(prefix "_ci_high_s", member.ci_high)

const NumberField row_number_fields[] = {
    NUMBER("agreement", agreement),
    SUMMARY("kernel", kernel_summary),
    SUMMARY("end_to_end", end_to_end_summary),
    NUMBER("cpu_s", cpu_seconds),
    NUMBER("upload_s", upload),
    NUMBER("download_s", download),
    NUMBER("with_alloc_s", with_alloc),
    NUMBER("with_alloc_mean_s", with_alloc_mean),
    NUMBER("cost_bytes", cost.bytes),
    NUMBER("cost_operations", cost.operations),
    NUMBER("cost_items", cost.items),
    NUMBER("items_per_second", items_per_second),
    NUMBER("bytes_per_second", bytes_per_second),
    NUMBER("roof_s", roof_seconds),
    NUMBER("roof_fraction", roof_fraction),
    NUMBER("base_s", base_seconds),
    NUMBER("speedup", speedup),
    NUMBER("speedup_ci_low", speedup_ci_low),
    NUMBER("speedup_ci_high", speedup_ci_high),
    NUMBER("speedup_end_to_end", speedup_end_to_end),
    NUMBER("speedup_end_to_end_ci_low", speedup_end_to_end_ci_low),
    NUMBER("speedup_end_to_end_ci_high", speedup_end_to_end_ci_high),
    NUMBER("speedup_vs_best_cpu", speedup_vs_best_cpu),
    NUMBER("speedup_vs_best_cpu_ci_low", speedup_vs_best_cpu_ci_low),
    NUMBER("speedup_vs_best_cpu_ci_high", speedup_vs_best_cpu_ci_high),
    NUMBER("speedup_end_to_end_vs_best_cpu", speedup_end_to_end_vs_best_cpu),
    NUMBER("speedup_end_to_end_vs_best_cpu_ci_low", speedup_end_to_end_vs_best_cpu_ci_low),
    NUMBER("speedup_end_to_end_vs_best_cpu_ci_high", speedup_end_to_end_vs_best_cpu_ci_high),
    NUMBER("joule", joule),
    NUMBER("ceiling_bytes_per_second", ceiling_bandwidth),
    NUMBER("ceiling_operations_per_second", ceiling_operations),
    NUMBER("clock_mhz_before", clock_mhz_before),
    NUMBER("clock_mhz_after", clock_mhz_after),
    NUMBER("clock_mhz_max", clock_mhz_max),
    NUMBER("temperature_before_c", temperature_before),
    NUMBER("temperature_after_c", temperature_after),
    NUMBER("power_before_w", power_before),
    NUMBER("power_after_w", power_after),
};
const size_t row_number_field_count = sizeof row_number_fields / sizeof row_number_fields[0];

#define TEXT(name, member)                                                                         \
    { .key = name, .offset = offsetof(Row, member), .size = sizeof((Row *)0)->member }

const TextField row_text_fields[] = {
    TEXT("input", input),   TEXT("size", size_name), TEXT("verified_by", verified_by),
    TEXT("roof", roof),     TEXT("base", base),      TEXT("best_cpu", best_cpu),
    TEXT("device", device), TEXT("bound", bound),    TEXT("throttle", throttle),
};
const size_t row_text_field_count = sizeof row_text_fields / sizeof row_text_fields[0];
