/* What a profiler counted of cells: read from Nsight Compute's CSV, stored as profile.csv beside a
 * run. */

#include "profile.h"
#include "number.h"
#include "paths.h"
#include "words.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "files.h"
#include "list.h"
#include "text.h"
#include "utf8.h"

enum { FIELDS_MAX = 2048, NAMED_MAX = 64 };

/* === Columns of a profile ===================================================================== */

#define PEAK_ELAPSED ".avg.pct_of_peak_sustained_elapsed"
#define PEAK_ACTIVE ".avg.pct_of_peak_sustained_active"

/* Of a warp. */
#define THREADS_PERCENT (100.0 / 32)

/* Numbers of a row, in the order of the CSV. Those that are shares have metrics, of which the first
 * counts that the processor has, and what makes percent of them. */
static const struct {
    const char *key;
    size_t member;
    const char *metrics[2];
    double percent;
} numbers[] = {
    {"launches", offsetof(ProfileRow, launches), {NULL}, 1},
    {"kernel_s", offsetof(ProfileRow, seconds), {NULL}, 1},
    {"dram_pct",
     offsetof(ProfileRow, dram),
     {"gpu__dram_throughput" PEAK_ELAPSED, "dram__throughput" PEAK_ELAPSED},
     1},
    {"l2_pct", offsetof(ProfileRow, l2), {"lts__throughput" PEAK_ELAPSED}, 1},
    {"l1_pct",
     offsetof(ProfileRow, l1),
     {"l1tex__throughput" PEAK_ACTIVE, "l1tex__throughput" PEAK_ELAPSED},
     1},
    {"compute_pct", offsetof(ProfileRow, compute), {"sm__throughput" PEAK_ELAPSED}, 1},
    {"occupancy_pct", offsetof(ProfileRow, occupancy), {"sm__warps_active" PEAK_ACTIVE}, 1},
    {"registers", offsetof(ProfileRow, registers), {NULL}, 1},
    {"control_flow_pct",
     offsetof(ProfileRow, control_flow),
     {"smsp__thread_inst_executed_pred_on_per_inst_executed.ratio",
      "smsp__average_thread_inst_executed_pred_on_per_inst_executed.ratio"},
     THREADS_PERCENT},
};

/* The words stand between these and what came later. */
enum { NUMBERS = sizeof numbers / sizeof numbers[0], NUMBERS_FIRST = 8 };

static double *number_of(ProfileRow *row, size_t index) {
    void *member = (unsigned char *)row + numbers[index].member;
    return member;
}

/* === Nsight Compute's table =================================================================== */

/*
 * `ncu --csv --page raw --print-units base`: a line of names, a line of units, then a line for each
 * launch of a kernel; other lines, which do not begin with a quotation mark, are messages. Which
 * metrics there are depends on the processor.
 */

typedef struct Line {
    char *fields[FIELDS_MAX];
    size_t count;
} Line;

/* A number that the profiler gives per pipe or per reason to wait. */
typedef struct NamedShare {
    char name[PROFILE_WORD_SIZE];
    double value; /* weighed by time */
} NamedShare;

/* One kernel, or the whole cell, while launches are added. */
typedef struct Sum {
    char kernel[CELL_NAME_SIZE];
    double launches, seconds, registers;
    double weighed[NUMBERS]; /* of those that are shares */
    bool known[NUMBERS];
    NamedShare pipes[NAMED_MAX], stalls[NAMED_MAX];
    size_t pipe_count, stall_count;
} Sum;

/* Where the metrics stand; SIZE_MAX: nowhere. */
typedef struct Places {
    size_t kernel, seconds, registers;
    size_t shares[NUMBERS];
} Places;

static size_t place_of(const Line *names, const char *name) {
    for (size_t i = 0; i < names->count; i++) {
        if (strcmp(names->fields[i], name) == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}

static const char *field(const Line *line, size_t place) {
    return place < line->count ? line->fields[place] : "";
}

/* NAN where there is no number; thousands may be parted by commas. */
static double number_in(const Line *line, size_t place) {
    char digits[64];
    size_t used = 0;
    for (const char *c = field(line, place); *c != '\0' && used + 1 < sizeof digits; c++) {
        if (*c != ',') {
            digits[used++] = *c;
        }
    }
    digits[used] = '\0';
    char *end = digits;
    const double number = strtod(digits, &end);
    return end != digits && *end == '\0' ? number : (double)NAN;
}

/* Seconds of a unit of time; NAN: it is none. */
static double unit_seconds(const char *unit) {
    static const struct {
        const char *unit;
        double seconds;
    } units[] = {{"ns", 1e-9}, {"nsecond", 1e-9}, {"us", 1e-6}, {"usecond", 1e-6},
                 {"ms", 1e-3}, {"msecond", 1e-3}, {"s", 1.0},   {"second", 1.0}};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(unit, units[i].unit) == 0) {
            return units[i].seconds;
        }
    }
    return NAN;
}

static Places find_places(const Line *names) {
    Places places = {.kernel = place_of(names, "Kernel Name"),
                     .seconds = place_of(names, "gpu__time_duration.sum"),
                     .registers = place_of(names, "launch__registers_per_thread")};
    for (size_t i = 0; i < NUMBERS; i++) {
        places.shares[i] = SIZE_MAX;
        for (size_t m = 0; m < 2 && places.shares[i] == SIZE_MAX && numbers[i].metrics[m] != NULL;
             m++) {
            places.shares[i] = place_of(names, numbers[i].metrics[m]);
        }
    }
    return places;
}

/* The word between `before` and `after` in the name of a metric; false: it is another one. */
static bool word_between(const char *name, const char *before, const char *after,
                         char word[PROFILE_WORD_SIZE]) {
    const char *rest = text_after(name, before);
    if (rest == NULL || !text_ends(rest, after)) {
        return false;
    }
    snprintf(word, PROFILE_WORD_SIZE, "%.*s", (int)(strlen(rest) - strlen(after)), rest);
    for (char *c = word; *c != '\0'; c++) {
        *c = *c == '_' ? ' ' : *c;
    }
    return true;
}

/* The entry of this name, made with 0 where there is none; NULL: the list is full. */
static NamedShare *share_named(NamedShare *shares, size_t *count, const char *name) {
    size_t i = 0;
    while (i < *count && strcmp(shares[i].name, name) != 0) {
        i++;
    }
    if (i == NAMED_MAX) {
        return NULL;
    }
    if (i == *count) {
        snprintf(shares[i].name, sizeof shares[i].name, "%s", name);
        shares[i].value = 0.0;
        *count += 1;
    }
    return &shares[i];
}

static void add_share(NamedShare *shares, size_t *count, const char *name, double weighed) {
    NamedShare *share = isnan(weighed) ? NULL : share_named(shares, count, name);
    if (share != NULL) {
        share->value += weighed;
    }
}

/* A pipe may have two metrics, its instructions and its cycles: the larger counts. */
static void add_pipes(const Line *names, const Line *launch, double seconds, Sum *sum) {
    NamedShare pipes[NAMED_MAX];
    size_t count = 0;
    char word[PROFILE_WORD_SIZE];
    for (size_t i = 0; i < names->count; i++) {
        if (word_between(names->fields[i], "sm__inst_executed_pipe_", PEAK_ACTIVE, word) ||
            word_between(names->fields[i], "sm__pipe_", "_cycles_active" PEAK_ACTIVE, word)) {
            NamedShare *pipe = share_named(pipes, &count, word);
            if (pipe != NULL) {
                pipe->value = fmax(pipe->value, number_in(launch, i));
            }
        }
    }
    for (size_t i = 0; i < count; i++) {
        add_share(sum->pipes, &sum->pipe_count, pipes[i].name, pipes[i].value * seconds);
    }
}

/* A warp that is selected is not waiting. */
static void add_stalls(const Line *names, const Line *launch, double seconds, Sum *sum) {
    char word[PROFILE_WORD_SIZE];
    for (size_t i = 0; i < names->count; i++) {
        if (word_between(names->fields[i], "smsp__average_warps_issue_stalled_",
                         "_per_issue_active.ratio", word) &&
            strcmp(word, "selected") != 0 && strstr(word, "not issued") == NULL) {
            add_share(sum->stalls, &sum->stall_count, word, number_in(launch, i) * seconds);
        }
    }
}

static void add_launch(const Line *names, const Places *places, double unit, const Line *launch,
                       Sum *sum) {
    const double seconds = number_in(launch, places->seconds) * unit;
    sum->launches += 1;
    sum->seconds += seconds;
    sum->registers = fmax(sum->registers, number_in(launch, places->registers));
    for (size_t i = 0; i < NUMBERS; i++) {
        const double share = number_in(launch, places->shares[i]);
        if (isfinite(share)) {
            sum->weighed[i] += share * numbers[i].percent * seconds;
            sum->known[i] = true;
        }
    }
    add_pipes(names, launch, seconds, sum);
    add_stalls(names, launch, seconds, sum);
}

/* Takes the largest share out of the list. */
static NamedShare take_largest(NamedShare *shares, size_t count) {
    NamedShare none = {.name = "", .value = NAN};
    NamedShare *largest = NULL;
    for (size_t i = 0; i < count; i++) {
        if (shares[i].value > 0 && (largest == NULL || shares[i].value > largest->value)) {
            largest = &shares[i];
        }
    }
    if (largest != NULL) {
        none = *largest;
        largest->value = 0.0;
    }
    return none;
}

static ProfileRow row_of(const char *cell, const char *device, Sum *sum) {
    ProfileRow row = {.launches = sum->launches,
                      .seconds = sum->seconds,
                      .registers = sum->registers > 0 ? sum->registers : (double)NAN};
    snprintf(row.cell, sizeof row.cell, "%s", cell);
    snprintf(row.kernel, sizeof row.kernel, "%s", sum->kernel);
    snprintf(row.device, sizeof row.device, "%s", device);
    for (size_t i = 0; i < NUMBERS; i++) {
        if (numbers[i].metrics[0] != NULL) {
            *number_of(&row, i) = sum->known[i] ? sum->weighed[i] / sum->seconds : (double)NAN;
        }
    }
    const NamedShare pipe = take_largest(sum->pipes, sum->pipe_count);
    snprintf(row.pipe, sizeof row.pipe, "%s", pipe.name);
    row.pipe_used = pipe.value / sum->seconds;
    for (size_t i = 0; i < PROFILE_STALLS; i++) {
        const NamedShare stall = take_largest(sum->stalls, sum->stall_count);
        snprintf(row.stalls[i], sizeof row.stalls[i], "%s", stall.name);
        row.stalled[i] = stall.value / sum->seconds;
    }
    return row;
}

/* A line of the table, whose fields are all in quotation marks; NULL at the end. */
static char *next_table_line(char **text) {
    while (**text != '\0') {
        char *line = *text;
        char *end = line + strcspn(line, "\n");
        *text = *end == '\0' ? end : end + 1;
        *end = '\0';
        if (line[0] == '"') {
            return line;
        }
    }
    return NULL;
}

static bool next_line(char **text, Line *line) {
    char *from = next_table_line(text);
    line->count = from != NULL ? csv_split(from, line->fields, FIELDS_MAX) : 0;
    return from != NULL;
}

typedef struct Sums {
    Sum *sums; /* the first is the whole cell */
    size_t count, capacity;
} Sums;

/* That of a kernel, which is new if need be; the first one made is the whole cell's. NULL without
 * memory. */
static Sum *find_sum(Sums *sums, const char *kernel) {
    for (size_t i = 1; i < sums->count; i++) {
        if (strcmp(sums->sums[i].kernel, kernel) == 0) {
            return &sums->sums[i];
        }
    }
    const Status room = LIST_ROOM(NULL, sums->sums, sums->count, sums->capacity, "kernels");
    if (!status_is_ok(&room)) {
        return NULL;
    }
    Sum *sum = &sums->sums[sums->count++];
    memset(sum, 0, sizeof *sum);
    snprintf(sum->kernel, sizeof sum->kernel, "%s", kernel);
    return sum;
}

/* The kernel's name without its result, its unnamed namespace and its arguments. */
static void short_kernel(const char *name, char *text, size_t size) {
    static const char *const before[] = {"void ", "<unnamed>::", "(anonymous namespace)::"};
    for (size_t i = 0; i < sizeof before / sizeof before[0]; i++) {
        const char *rest = text_after(name, before[i]);
        name = rest != NULL ? rest : name;
    }
    snprintf(text, size, "%.*s", (int)strcspn(name, "("), name);
}

static Status add_launches(char *text, Line *names, Line *line, Sums *sums) {
    if (!next_line(&text, names)) {
        return status_skip("the profiler wrote no table");
    }
    const Places places = find_places(names);
    if (places.kernel == SIZE_MAX || places.seconds == SIZE_MAX || !next_line(&text, line)) {
        return status_fail("the profiler's table has no kernels' names and times");
    }
    const double unit = unit_seconds(field(line, places.seconds));
    if (isnan(unit)) {
        return status_fail("the profiler's times are in '%.20s'", field(line, places.seconds));
    }
    while (next_line(&text, line)) {
        char kernel[CELL_NAME_SIZE];
        short_kernel(field(line, places.kernel), kernel, sizeof kernel);
        const bool whole = sums->count > 0 || find_sum(sums, "") != NULL;
        Sum *sum = whole ? find_sum(sums, kernel) : NULL;
        STATUS_MEMORY(sum, "for the kernels of a cell");
        add_launch(names, &places, unit, line, &sums->sums[0]);
        add_launch(names, &places, unit, line, sum);
    }
    return sums->count > 0 ? status_ok() : status_skip("no kernel was profiled");
}

static Status add_row(Profile *profile, const ProfileRow *row) {
    LIST_ADD(NULL, profile->rows, profile->count, profile->capacity, "rows of a profile", *row);
    return status_ok();
}

static Status add_rows(Profile *profile, const char *cell, const char *device, Sums *sums) {
    for (size_t i = 0; i < sums->count; i++) {
        const ProfileRow row = row_of(cell, device, &sums->sums[i]);
        STATUS_TRY(add_row(profile, &row));
    }
    return status_ok();
}

Status profile_add_ncu(Profile *profile, const char *cell, const char *device, char *text) {
    Sums sums = {.sums = NULL};
    Line *lines = malloc(2 * sizeof *lines);
    STATUS_MEMORY(lines, "for a profiler's table");
    Status status = add_launches(text, &lines[0], &lines[1], &sums);
    STATUS_THEN(status, add_rows(profile, cell, device, &sums));
    free(sums.sums);
    free(lines);
    return status;
}

void profile_release(Profile *profile) {
    free(profile->rows);
    *profile = (Profile){.rows = NULL};
}

/* === profile.csv ============================================================================== */

static void write_number(FILE *stream, double number) {
    fputc(',', stream);
    if (isfinite(number)) {
        fprintf(stream, "%.9g", number);
    }
}

static void write_word(FILE *stream, const char *word, double number) {
    fputc(',', stream);
    csv_write_field(stream, word);
    write_number(stream, number);
}

static void write_numbers(FILE *stream, const ProfileRow *row, size_t from, size_t to) {
    ProfileRow copy = *row;
    for (size_t i = from; i < to; i++) {
        write_number(stream, *number_of(&copy, i));
    }
}

/* For readers that look for a row by its fields: what the name of a cell begins with,
 * "lbp/cuda_fast/", whether the row is a cell, and launches by a name that means nothing else. */
static void write_keys(FILE *stream, const ProfileRow *row) {
    const char *part = row->cell;
    for (int i = 0; i < 2; i++) {
        char word[CELL_NAME_SIZE];
        const size_t length = strcspn(part, "/");
        snprintf(word, sizeof word, "%.*s", (int)length, part);
        fputc(',', stream);
        csv_write_field(stream, word);
        part += part[length] == '/' ? length + 1 : length;
    }
    fputs(profile_row_is_cell(row) ? ",cell" : ",kernel", stream);
    write_number(stream, row->launches);
}

static void write_row(FILE *stream, const ProfileRow *row) {
    csv_write_field(stream, row->cell);
    fputc(',', stream);
    csv_write_field(stream, row->kernel);
    write_numbers(stream, row, 0, NUMBERS_FIRST);
    write_word(stream, row->pipe, row->pipe_used);
    for (size_t i = 0; i < PROFILE_STALLS; i++) {
        write_word(stream, row->stalls[i], row->stalled[i]);
    }
    write_numbers(stream, row, NUMBERS_FIRST, NUMBERS);
    write_keys(stream, row);
    fputc(',', stream);
    csv_write_field(stream, row->device);
    fputc('\n', stream);
}

static void write_header(FILE *stream) {
    fputs("cell,kernel", stream);
    for (size_t i = 0; i < NUMBERS_FIRST; i++) {
        fprintf(stream, ",%s", numbers[i].key);
    }
    fputs(",pipe,pipe_pct", stream);
    for (size_t i = 0; i < PROFILE_STALLS; i++) {
        fprintf(stream, ",stall_%zu,stall_%zu_cycles", i + 1, i + 1);
    }
    for (size_t i = NUMBERS_FIRST; i < NUMBERS; i++) {
        fprintf(stream, ",%s", numbers[i].key);
    }
    fputs(",algorithm,variant,part,kernels,device\n", stream);
}

Status profile_write(const char *path, const Profile *profile) {
    AtomicFile file;
    STATUS_TRY(atomic_file_open(&file, path));
    write_header(file.stream);
    for (size_t i = 0; i < profile->count; i++) {
        write_row(file.stream, &profile->rows[i]);
    }
    return atomic_file_commit(&file);
}

/* NAN where the field is empty or no number. */
static double number_at(const CsvFrame *frame, size_t record, const char *name) {
    const char *text = csv_field(&frame->records[record], csv_field_index(&frame->header, name));
    return whole_number(text);
}

static void word_at(const CsvFrame *frame, size_t record, const char *name, char *word,
                    size_t size) {
    utf8_copy(word, size,
              csv_field(&frame->records[record], csv_field_index(&frame->header, name)));
}

static ProfileRow read_row(const CsvFrame *frame, size_t record) {
    ProfileRow row = {.launches = 0};
    word_at(frame, record, "cell", row.cell, sizeof row.cell);
    word_at(frame, record, "kernel", row.kernel, sizeof row.kernel);
    word_at(frame, record, "device", row.device, sizeof row.device);
    for (size_t i = 0; i < NUMBERS; i++) {
        *number_of(&row, i) = number_at(frame, record, numbers[i].key);
    }
    word_at(frame, record, "pipe", row.pipe, sizeof row.pipe);
    row.pipe_used = number_at(frame, record, "pipe_pct");
    for (size_t i = 0; i < PROFILE_STALLS; i++) {
        char name[32];
        snprintf(name, sizeof name, "stall_%zu", i + 1);
        word_at(frame, record, name, row.stalls[i], sizeof row.stalls[i]);
        snprintf(name, sizeof name, "stall_%zu_cycles", i + 1);
        row.stalled[i] = number_at(frame, record, name);
    }
    return row;
}

Status profile_read(const char *path, Profile *profile) {
    CsvFrame frame;
    *profile = (Profile){.rows = NULL};
    STATUS_TRY(csv_frame_read(path, &frame));
    Status status = csv_field_index(&frame.header, "cell") != SIZE_MAX &&
                            csv_field_index(&frame.header, "kernel_s") != SIZE_MAX
                        ? status_ok()
                        : status_make(STATUS_FILE, "%s: this is no profile", path);
    for (size_t i = 0; status_is_ok(&status) && i < frame.count; i++) {
        const ProfileRow row = read_row(&frame, i);
        status = add_row(profile, &row);
    }
    csv_frame_release(&frame);
    if (!status_is_ok(&status)) {
        profile_release(profile);
    }
    return status;
}

static bool has_cell(const Profile *profile, const char *cell) {
    for (size_t i = 0; i < profile->count; i++) {
        if (strcmp(profile->rows[i].cell, cell) == 0) {
            return true;
        }
    }
    return false;
}

Status profile_keep(Profile *profile, const Profile *before) {
    const Profile now = *profile;
    for (size_t i = 0; i < before->count; i++) {
        if (!has_cell(&now, before->rows[i].cell)) {
            STATUS_TRY(add_row(profile, &before->rows[i]));
        }
    }
    return status_ok();
}

/* === Words ==================================================================================== */

bool profile_row_is_cell(const ProfileRow *row) {
    return row->kernel[0] == '\0';
}

static void stalls_text(const ProfileRow *row, char *text, size_t size) {
    text[0] = '\0';
    for (size_t i = 0; i < PROFILE_STALLS; i++) {
        if (row->stalls[i][0] != '\0') {
            text_append(text, size, "%s%s %.1f", i > 0 ? ", " : "", row->stalls[i],
                        row->stalled[i]);
        }
    }
}

/* Columns for readers, and what each shows. */
typedef enum Field {
    FIELD_NAME,
    FIELD_COUNT,
    FIELD_TIME,
    FIELD_PERCENT,
    FIELD_PIPE,
    FIELD_STALLS
} Field;

static const struct {
    Field field;
    size_t member; /* of those with a number */
} fields[] = {
    {FIELD_NAME, 0},
    {FIELD_COUNT, offsetof(ProfileRow, launches)},
    {FIELD_TIME, offsetof(ProfileRow, seconds)},
    {FIELD_PERCENT, offsetof(ProfileRow, dram)},
    {FIELD_PERCENT, offsetof(ProfileRow, l2)},
    {FIELD_PERCENT, offsetof(ProfileRow, l1)},
    {FIELD_PERCENT, offsetof(ProfileRow, compute)},
    {FIELD_PIPE, 0},
    {FIELD_PERCENT, offsetof(ProfileRow, occupancy)},
    {FIELD_COUNT, offsetof(ProfileRow, registers)},
    {FIELD_PERCENT, offsetof(ProfileRow, control_flow)},
    {FIELD_STALLS, 0},
};

const DocColumn profile_columns[] = {{.title = "cell or kernel"},
                                     {.title = "kernels", .numeric = true, .rank = 4},
                                     {.title = "time", .numeric = true},
                                     {.title = "DRAM", .numeric = true},
                                     {.title = "L2", .numeric = true},
                                     {.title = "L1", .numeric = true, .rank = 3},
                                     {.title = "compute", .numeric = true},
                                     {.title = "busiest pipe", .rank = 2},
                                     {.title = "occupancy", .numeric = true},
                                     {.title = "registers", .numeric = true, .rank = 3},
                                     {.title = "active threads", .numeric = true, .rank = 4},
                                     {.title = "warps wait for", .rank = 1}};

enum { FIELDS = sizeof fields / sizeof fields[0] };

_Static_assert(FIELDS == sizeof profile_columns / sizeof profile_columns[0], "a title a field");

const size_t profile_column_count = FIELDS;

static double value_of(const ProfileRow *row, size_t column) {
    double value;
    memcpy(&value, (const unsigned char *)row + fields[column].member, sizeof value);
    return value;
}

/* A library's kernel may have hundreds of characters of template arguments. */
static void name_text(const ProfileRow *row, char text[PROFILE_TEXT_SIZE]) {
    enum { LONG = 60 };
    const int bare = (int)strcspn(row->kernel, "<");
    if (profile_row_is_cell(row)) {
        snprintf(text, PROFILE_TEXT_SIZE, "%s", row->cell);
    } else if (strlen(row->kernel) > LONG && row->kernel[bare] != '\0') {
        snprintf(text, PROFILE_TEXT_SIZE, "  %.*s<…>", bare, row->kernel);
    } else {
        snprintf(text, PROFILE_TEXT_SIZE, "  %s", row->kernel);
    }
}

void profile_field(const ProfileRow *row, size_t column, char text[PROFILE_TEXT_SIZE]) {
    const double value = value_of(row, column);
    text[0] = '\0';
    switch (fields[column].field) {
    case FIELD_NAME: name_text(row, text); break;
    case FIELD_TIME: seconds_text(value, text); break;
    case FIELD_PIPE:
        if (row->pipe[0] != '\0') {
            snprintf(text, PROFILE_TEXT_SIZE, "%s %.0f%%", row->pipe, row->pipe_used);
        }
        break;
    case FIELD_STALLS: stalls_text(row, text, PROFILE_TEXT_SIZE); break;
    default:
        if (isfinite(value)) {
            snprintf(text, PROFILE_TEXT_SIZE,
                     fields[column].field == FIELD_PERCENT ? "%.0f%%" : "%.0f", value);
        }
    }
}

void profile_change(const ProfileRow *before, const ProfileRow *after, size_t column,
                    char text[PROFILE_TEXT_SIZE]) {
    const double old = value_of(before, column), now = value_of(after, column);
    text[0] = '\0';
    if (fields[column].field == FIELD_TIME && old > 0 && now > 0) {
        const Ratio ratio = {.value = old / now, .low = NAN, .high = NAN};
        faster_text(&ratio, text);
    } else if (fields[column].field == FIELD_PERCENT && isfinite(now - old)) {
        snprintf(text, PROFILE_TEXT_SIZE, "%+.0f points", now - old);
    } else if (fields[column].field == FIELD_COUNT && isfinite(now - old)) {
        snprintf(text, PROFILE_TEXT_SIZE, "%+.0f", now - old);
    }
}
