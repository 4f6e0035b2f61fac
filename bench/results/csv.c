/* results.csv: its columns and its head. */

#include "results_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "atomic_file.h"
#include "axis.h"
#include "base.h"
#include "ceilings.h"
#include "device_facts.h"
#include "machine.h"
#include "status.h"

/* === Csv columns ============================================================================== */

static void text_algorithm(const Row *row, char *value, size_t size) {
    snprintf(value, size, "%s", row->algorithm->name);
}

static void text_variant(const Row *row, char *value, size_t size) {
    snprintf(value, size, "%s", row->variant->name);
}

static void text_backend(const Row *row, char *value, size_t size) {
    snprintf(value, size, "%s", row->variant->backend->name);
}

static void text_input(const Row *row, char *value, size_t size) {
    snprintf(value, size, "%s", row->input);
}

static void text_size(const Row *row, char *value, size_t size) {
    snprintf(value, size, "%s", row->size_name);
}

static void text_width(const Row *row, char *value, size_t size) {
    snprintf(value, size, "%" PRId32, row->width);
}

static void text_height(const Row *row, char *value, size_t size) {
    snprintf(value, size, "%" PRId32, row->height);
}

static void text_answer(const Row *row, char *value, size_t size) {
    point_format(&row->answer, value, size);
}

static void text_tuning(const Row *row, char *value, size_t size) {
    point_format(&row->tuning, value, size);
}

static void text_threads(const Row *row, char *value, size_t size) {
    snprintf(value, size, "%d", row->threads);
}

static void text_status(const Row *row, char *value, size_t size) {
    static const char *const words[] = {
        [CELL_OK] = "ok", [CELL_SKIP] = "skip", [CELL_FAIL] = "fail"};
    snprintf(value, size, "%s", words[row->status]);
}

static void text_why(const Row *row, char *value, size_t size) {
    snprintf(value, size, "%s", row->why);
}

static void text_verified(const Row *row, char *value, size_t size) {
    snprintf(value, size, "%s", row->verified ? "yes" : "no");
}

static void text_samples(const Row *row, char *value, size_t size) {
    snprintf(value, size, "%zu", row->kernel_summary.count);
}

static void text_converged(const Row *row, char *value, size_t size) {
    const char *word = row->converged ? "yes" : "no";
    snprintf(value, size, "%s", row->status == CELL_OK ? word : "");
}

/* Pixels only: for other items the rate is in items_per_second, which is never mislabelled. */
static void text_megapixels(const Row *row, double items, char *value, size_t size) {
    const bool pixels = row->algorithm->item != NULL && strcmp(row->algorithm->item, "pixel") == 0;
    number_text(pixels ? items * 1e-6 : NAN, value, size);
}

static void text_mpixel_s(const Row *row, char *value, size_t size) {
    text_megapixels(row, row->items_per_second, value, size);
}

static void text_mpixel_per_joule(const Row *row, char *value, size_t size) {
    text_megapixels(row, row_items_per_joule(row), value, size);
}

static void text_throttle(const Row *row, char *value, size_t size) {
    snprintf(value, size, "%s", row->throttle);
}

/* Empty where no clock and no reason could be read: "no" would say more than is known. */
static void text_throttled(const Row *row, char *value, size_t size) {
    const bool known = row->throttled || isfinite(row->clock_mhz_after / row->clock_mhz_max);
    const char *word = row->throttled ? "yes" : "no";
    snprintf(value, size, "%s", row->status == CELL_OK && known ? word : "");
}

static void text_roof(const Row *row, char *value, size_t size) {
    snprintf(value, size, "%s", row->roof);
}

static void text_base(const Row *row, char *value, size_t size) {
    snprintf(value, size, "%s", row->base);
}

static void text_best_cpu(const Row *row, char *value, size_t size) {
    snprintf(value, size, "%s", row->best_cpu);
}

static void text_mode(const Row *row, char *value, size_t size) {
    snprintf(value, size, "%s", row->cold ? "cold" : "hot");
}

static void text_device(const Row *row, char *value, size_t size) {
    snprintf(value, size, "%s", row->device);
}

static void text_verified_by(const Row *row, char *value, size_t size) {
    snprintf(value, size, "%s", row->verified_by);
}

static void text_batch(const Row *row, char *value, size_t size) {
    snprintf(value, size, "%zu", row->batch);
    if (row->batch == 0) {
        value[0] = '\0';
    }
}

static void text_item(const Row *row, char *value, size_t size) {
    snprintf(value, size, "%s", row->algorithm->item != NULL ? row->algorithm->item : "");
}

static void text_improves_on(const Row *row, char *value, size_t size) {
    snprintf(value, size, "%s", row->variant->improves_on != NULL ? row->variant->improves_on : "");
}

/* Cells that held nothing (skipped, failed to open) have no peak rather than a peak of 0. */
static void mebibytes(uint64_t bytes, char *value, size_t size) {
    number_text(bytes > 0 ? (double)bytes / (1024.0 * 1024.0) : NAN, value, size);
}

static void text_device_mib(const Row *row, char *value, size_t size) {
    mebibytes(row->device_peak, value, size);
}

static void text_host_mib(const Row *row, char *value, size_t size) {
    mebibytes(row->host_peak, value, size);
}

static void text_best_tuning(const Row *row, char *value, size_t size) {
    snprintf(value, size, "%d", row->best_tuning ? 1 : 0);
}

static void text_outliers_mild(const Row *row, char *value, size_t size) {
    value[0] = '\0';
    if (row->kernel.count > 0) {
        snprintf(value, size, "%zu", row->outliers_mild);
    }
}

static void text_outliers_severe(const Row *row, char *value, size_t size) {
    value[0] = '\0';
    if (row->kernel.count > 0) {
        snprintf(value, size, "%zu", row->outliers_severe);
    }
}

static void text_autocorrelated(const Row *row, char *value, size_t size) {
    const char *word = row->autocorrelated ? "yes" : "no";
    snprintf(value, size, "%s", isfinite(row->autocorrelation) ? word : "");
}

static void text_multimodal(const Row *row, char *value, size_t size) {
    const char *word = row->multimodal ? "yes" : "no";
    snprintf(value, size, "%s", row->kernel.count >= DIP_SAMPLES_MIN ? word : "");
}

static void text_bound(const Row *row, char *value, size_t size) {
    snprintf(value, size, "%s", row->bound);
}

static void text_over_roof(const Row *row, char *value, size_t size) {
    const char *word = row->over_roof ? "yes" : "no";
    snprintf(value, size, "%s", isfinite(row->roof_fraction) ? word : "");
}

/* What studies count that leave an image on the device and work on it again and again. */
static void text_resident_min(const Row *row, char *value, size_t size) {
    const double download = isfinite(row->download) ? row->download : 0;
    number_text(1e3 * (row->kernel_summary.min + download), value, size);
}

static void text_input_hash(const Row *row, char *value, size_t size) {
    snprintf(value, size, "%016" PRIx64, row->input_hash);
    if (row->input_hash == 0) {
        value[0] = '\0';
    }
}

static void text_images(const Row *row, char *value, size_t size) {
    value[0] = '\0';
    if (row->images > 0) {
        snprintf(value, size, "%" PRId32, row->images);
    }
}

/* "integral:0.512,features:8.13" */
static void text_stages(const Row *row, char *value, size_t size) {
    const size_t count = variant_stage_count(row->variant);
    size_t used = 0;
    value[0] = '\0';
    for (size_t i = 0; i < count && used < size; i++) {
        char number[32];
        number_text(1e3 * row->stage_seconds[i], number, sizeof number);
        if (number[0] != '\0') {
            used += (size_t)snprintf(value + used, size - used, "%s%s:%s", used > 0 ? "," : "",
                                     row->variant->stages[i].name, number);
        }
    }
}

#define WORD(column, from, about)                                                                  \
    { .name = column, .unit = "", .text = from, .meaning = about }
#define NUMBER(column, of_unit, member, factor, about)                                             \
    {                                                                                              \
        .name = column, .unit = of_unit, .offset = offsetof(Row, member), .scale = factor,         \
        .meaning = about                                                                           \
    }
#define MS(column, member, about) NUMBER(column, "ms", member, 1e3, about)
#define RATIO(column, member, about) NUMBER(column, "", member, 1.0, about)

static const CsvColumn row_columns[] = {
    WORD("algorithm", text_algorithm, "what is computed"),
    WORD("variant", text_variant, "one implementation of the algorithm"),
    WORD("backend", text_backend, "cpu or cuda"),
    WORD("input", text_input, "file name or synthetic kind"),
    WORD("size", text_size, "name of the size"),
    {.name = "width",
     .unit = "pixel",
     .text = text_width,
     .meaning = "width of the input, or of each image"},
    {.name = "height",
     .unit = "pixel",
     .text = text_height,
     .meaning = "height of the input, or of each image"},
    WORD("answer", text_answer, "answer point, axis:value; it changes the answer"),
    WORD("tuning", text_tuning, "tuning point, axis:value; it changes only the speed"),
    WORD("threads", text_threads, "CPU threads used; 0 on a device"),
    WORD("status", text_status, "ok, skip or fail"),
    WORD("why", text_why, "reason of a skip or a failure"),
    WORD("verified", text_verified, "yes when the answer was right before and after timing"),
    RATIO("agreement", agreement, "share of elements equal to the oracle's, 0 to 1"),
    WORD("samples", text_samples, "kernel samples taken"),
    WORD("converged", text_converged, "yes when the interval became as narrow as asked for"),
    MS("kernel_ms_min", kernel_summary.min, "kernel time, shortest sample"),
    MS("kernel_ms_p25", kernel_summary.p25, "kernel time, first quartile"),
    MS("kernel_ms_median", kernel_summary.median, "kernel time, median"),
    MS("kernel_ms_p75", kernel_summary.p75, "kernel time, third quartile"),
    MS("kernel_ms_p99", kernel_summary.p99, "kernel time, 99th percentile"),
    MS("kernel_ms_ci_low", kernel_summary.ci_low, "lower end of the median's 95% interval"),
    MS("kernel_ms_ci_high", kernel_summary.ci_high, "upper end of the median's 95% interval"),
    MS("upload_ms", upload, "host to device, median"),
    MS("download_ms", download, "device to host, median"),
    MS("end_to_end_ms", end_to_end_summary.median, "upload, kernel and download, median"),
    MS("with_alloc_ms", with_alloc, "end to end and allocation, median"),
    {.name = "mpixel_s",
     .unit = "Mpixel/s",
     .text = text_mpixel_s,
     .meaning = "pixels by kernel median; empty when the item is not a pixel"},
    NUMBER("gb_s", "GB/s", bytes_per_second, 1e-9,
           "least bytes the algorithm must move, by kernel median"),
    WORD("roof", text_roof, "the measured ceiling that applies"),
    NUMBER("roof_pct", "%", roof_fraction, 100.0, "time the roof allows, by kernel median"),
    WORD("base", text_base, "what speedup is relative to"),
    MS("base_ms", base_seconds, "kernel median of the base"),
    RATIO("speedup", speedup, "base median by kernel median"),
    RATIO("speedup_ci_low", speedup_ci_low, "lower end of its bootstrap 95% interval"),
    RATIO("speedup_ci_high", speedup_ci_high, "upper end of its bootstrap 95% interval"),
    RATIO("speedup_end_to_end", speedup_end_to_end, "base by this, both end to end"),
    WORD("best_cpu", text_best_cpu, "the fastest CPU cell of the same workload"),
    RATIO("speedup_vs_best_cpu", speedup_vs_best_cpu, "best CPU median by kernel median"),
    NUMBER("joule", "J", joule, 1.0, "energy of one run"),
    WORD("mode", text_mode, "hot or cold caches before each sample"),
    WORD("device", text_device, "processor that ran the cell"),
    WORD("verified_by", text_verified_by, "the oracle: seq, or the variant that stood in for it"),
    WORD("batch", text_batch, "runs per kernel sample"),
    MS("kernel_ms_mean", kernel_summary.mean, "kernel time, arithmetic mean"),
    MS("kernel_ms_stddev", kernel_summary.stddev, "kernel time, standard deviation"),
    MS("end_to_end_ms_ci_low", end_to_end_summary.ci_low,
       "lower end of the end-to-end median's 95% interval"),
    MS("end_to_end_ms_ci_high", end_to_end_summary.ci_high,
       "upper end of the end-to-end median's 95% interval"),
    MS("cpu_ms", cpu_seconds, "process CPU time of one run"),
    MS("roof_ms", roof_seconds, "time the roof allows"),
    RATIO("speedup_end_to_end_ci_low", speedup_end_to_end_ci_low,
          "lower end of the 95% interval of speedup_end_to_end"),
    RATIO("speedup_end_to_end_ci_high", speedup_end_to_end_ci_high,
          "upper end of the 95% interval of speedup_end_to_end"),
    RATIO("speedup_vs_best_cpu_ci_low", speedup_vs_best_cpu_ci_low,
          "lower end of the 95% interval of speedup_vs_best_cpu"),
    RATIO("speedup_vs_best_cpu_ci_high", speedup_vs_best_cpu_ci_high,
          "upper end of the 95% interval of speedup_vs_best_cpu"),
    RATIO("speedup_end_to_end_vs_best_cpu", speedup_end_to_end_vs_best_cpu,
          "best CPU by this, both end to end"),
    RATIO("speedup_end_to_end_vs_best_cpu_ci_low", speedup_end_to_end_vs_best_cpu_ci_low,
          "lower end of its 95% interval"),
    RATIO("speedup_end_to_end_vs_best_cpu_ci_high", speedup_end_to_end_vs_best_cpu_ci_high,
          "upper end of its 95% interval"),
    WORD("best_tuning", text_best_tuning,
         "1 for the fastest tuning point of a variant on a workload, else 0"),
    WORD("improves_on", text_improves_on, "the variant one rung down the ladder"),
    WORD("item", text_item, "what is processed: pixel, position, feature, sample, keypoint, pair"),
    NUMBER("items_per_second", "1/s", items_per_second, 1.0, "items by kernel median"),
    {.name = "device_mib",
     .unit = "MiB",
     .text = text_device_mib,
     .meaning = "most device memory the cell held"},
    {.name = "host_mib",
     .unit = "MiB",
     .text = text_host_mib,
     .meaning = "most host memory the cell held"},
    WORD("input_hash", text_input_hash,
         "FNV-1a 64 of the input's pixels, labels, keypoints and weights"),
    WORD("outliers_mild", text_outliers_mild,
         "kernel samples beyond 1.5 and up to 3 interquartile ranges from the quartiles"),
    WORD("outliers_severe", text_outliers_severe,
         "kernel samples beyond 3 interquartile ranges from the quartiles"),
    RATIO("autocorrelation", autocorrelation,
          "of the ranks of neighbouring kernel samples, -1 to 1"),
    WORD("autocorrelated", text_autocorrelated, "yes when that is significant at the 5% level"),
    WORD("multimodal", text_multimodal, "yes when the kernel samples have more than one mode"),
    RATIO("exponent", exponent, "kernel time grows as items to this power, over all sizes"),
    RATIO("exponent_low", exponent_low, "lower end of its 95% interval"),
    RATIO("exponent_high", exponent_high, "upper end of its 95% interval"),
    NUMBER("clock_mhz_before", "MHz", clock_mhz_before, 1.0,
           "clock of the processor before the first sample"),
    NUMBER("clock_mhz_after", "MHz", clock_mhz_after, 1.0, "clock after the last sample"),
    NUMBER("temperature_c", "celsius", temperature_after, 1.0, "temperature after the last sample"),
    NUMBER("power_w", "W", power_after, 1.0, "power of the device after the last sample"),
    WORD("throttle", text_throttle, "why the processor held its clock down"),
    WORD("throttled", text_throttled, "yes when it ran clearly below its clock"),
    {.name = "mpixel_per_joule",
     .unit = "Mpixel/J",
     .text = text_mpixel_per_joule,
     .meaning = "pixels by joule; empty when the item is not a pixel"},
    WORD("bound", text_bound,
         "what the roof is made of: a cache level or dram, int32 or fp32, copy, launch"),
    NUMBER("ceiling_gb_s", "GB/s", ceiling_bandwidth, 1e-9,
           "bandwidth of the level that holds the cell's bytes"),
    NUMBER("ceiling_gop_s", "Gop/s", ceiling_operations, 1e-9,
           "operations a second of the threads or device used"),
    NUMBER("operations", "", cost.operations, 1.0, "least operations of one run"),
    NUMBER("bytes", "B", cost.bytes, 1.0, "least bytes read and written by one run"),
    WORD("over_roof", text_over_roof, "yes when roof_pct is over 102: an error, see the roof"),
    {.name = "resident_ms_min",
     .unit = "ms",
     .text = text_resident_min,
     .meaning = "kernel_ms_min and download_ms: the input on the device, the answer fetched"},
    WORD("images", text_images, "images in the input; empty when it is not a set of images"),
    {.name = "stages_ms",
     .unit = "ms",
     .text = text_stages,
     .meaning = "parts of the kernel timed apart, medians, stage:time"},
    MS("with_alloc_ms_mean", with_alloc_mean, "end to end and allocation, arithmetic mean"),
};

const CsvColumn *csv_columns(size_t *count) {
    *count = sizeof row_columns / sizeof row_columns[0];
    return row_columns;
}

void csv_column_value(const CsvColumn *column, const Row *row, char *value, size_t size) {
    value[0] = '\0';
    if (column->text != NULL) {
        column->text(row, value, size);
        return;
    }
    double number;
    memcpy(&number, (const char *)row + column->offset, sizeof number);
    number_text(number * column->scale, value, size);
}

void csv_columns_print(FILE *stream) {
    fprintf(stream, "%-39s %-9s %s\n", "column", "unit", "meaning");
    for (size_t i = 0; i < sizeof row_columns / sizeof row_columns[0]; i++) {
        fprintf(stream, "%-39s %-9s %s\n", row_columns[i].name, row_columns[i].unit,
                row_columns[i].meaning);
    }
}

/* === Report csv =============================================================================== */

static void write_comments(FILE *stream, const RunRecord *record) {
    char text[COMMAND_LINE_SIZE];
    csv_write_comment(stream, "started", record->started);
    if (record->options != NULL) {
        command_line_text(record->options, text, sizeof text);
        csv_write_comment(stream, "arguments", text);
        csv_write_comment(stream, "interleaved", record->options->interleave ? "yes" : "no");
    }
    csv_write_comment(stream, "complete", record->complete ? "yes" : "no");
    for (size_t i = 0; record->machine != NULL && i < record->machine->count; i++) {
        const Fact *fact = &record->machine->facts[i];
        if (fact->kind == FACT_NUMBER) {
            number_text(fact->number, text, sizeof text);
            csv_write_comment(stream, fact->key, text);
        } else {
            csv_write_comment(stream, fact->key, fact->text);
        }
    }
    for (size_t i = 0; i < record->warnings.count; i++) {
        csv_write_comment(stream, "warning", record->warnings.text[i]);
    }
    if (record->input_note[0] != '\0') {
        csv_write_comment(stream, "input_note", record->input_note);
    }
}

static void write_ceilings(FILE *stream, const Ceilings *ceilings) {
    for (size_t i = 0; i < ceilings->count; i++) {
        const Ceiling *ceiling = &ceilings->list[i];
        char key[CEILING_KEY_SIZE + 32], value[64];
        if (ceiling->threads > 0) {
            snprintf(key, sizeof key, "ceiling %s/threads:%d", ceiling->key, ceiling->threads);
        } else {
            snprintf(key, sizeof key, "ceiling %s", ceiling->key);
        }
        ceiling_text(ceiling, value, sizeof value);
        csv_write_comment(stream, key, value);
    }
}

static void write_row(FILE *stream, const Row *row) {
    size_t count;
    const CsvColumn *columns = csv_columns(&count);
    for (size_t i = 0; i < count; i++) {
        char value[CSV_VALUE_SIZE];
        csv_column_value(&columns[i], row, value, sizeof value);
        if (i > 0) {
            fputc(',', stream);
        }
        csv_write_field(stream, value);
    }
    fputc('\n', stream);
}

static void write_header(FILE *stream) {
    size_t count;
    const CsvColumn *columns = csv_columns(&count);
    for (size_t i = 0; i < count; i++) {
        fprintf(stream, "%s%s", i > 0 ? "," : "", columns[i].name);
    }
    fputc('\n', stream);
}

Status report_csv(const char *path, const RunRecord *record, const Results *results) {
    AtomicFile file;
    STATUS_TRY(atomic_file_open(&file, path));
    write_comments(file.stream, record);
    write_ceilings(file.stream, &results->ceilings);
    write_header(file.stream);
    for (size_t i = 0; i < results->count; i++) {
        write_row(file.stream, &results->rows[i]);
    }
    return atomic_file_commit(&file);
}
