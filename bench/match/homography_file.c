#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "file_bytes.h"
#include "homography.h"
#include "plain_locale.h"
#include "text_lines.h"

enum { FILE_SIZE_MAX = 1 << 16 }; /* nine numbers, and what is said about them */

static const char between[] = " \t,";

static Status bad_line(const TextLines *lines, const char *problem) {
    return status_make(STATUS_FILE,
                       "%.200s: line %zu: %s; a homography is three lines of three numbers",
                       lines->name, lines->number, problem);
}

static const char *skip(const char *at, const char *end) {
    while (at < end && strchr(between, *at) != NULL) {
        at++;
    }
    return at;
}

/* After the line comes another or the zero byte behind the text, so that no number goes on there.
 */
static Status read_row(const TextLines *lines, TextSpan line, double row[3]) {
    const char *end = line.text + line.size;
    const char *at = skip(line.text, end);
    for (int i = 0; i < 3; i++) {
        if (at == end) {
            return bad_line(lines, "too few numbers");
        }
        char *after = NULL;
        row[i] = strtod(at, &after);
        if (after == at || (after < end && strchr(between, *after) == NULL) || !isfinite(row[i])) {
            return bad_line(lines, "no finite number");
        }
        at = skip(after, end);
    }
    return at == end ? status_ok() : bad_line(lines, "too many numbers");
}

static Status parse(TextLines *lines, Homography *homography) {
    int rows = 0;
    TextSpan line;
    while (text_next_line(lines, &line)) {
        if (text_is_comment(line, NULL)) {
            continue;
        }
        if (rows == 3) {
            return bad_line(lines, "a fourth line");
        }
        STATUS_TRY(read_row(lines, line, homography->h + (ptrdiff_t)3 * rows++));
    }
    return rows == 3 ? status_ok() : bad_line(lines, "it ends too early");
}

/* Whether it takes the plane to a line or a point. */
static bool is_singular(const Homography *homography) {
    const double *h = homography->h;
    const double determinant = h[0] * (h[4] * h[8] - h[5] * h[7]) -
                               h[1] * (h[3] * h[8] - h[5] * h[6]) +
                               h[2] * (h[3] * h[7] - h[4] * h[6]);
    return determinant == 0;
}

Status homography_read(const char *path, Homography *homography) {
    char *text = NULL;
    size_t length = 0;
    STATUS_TRY(file_text_read(path, "a homography", FILE_SIZE_MAX, &text, &length));
    TextLines lines = text_lines(path, text, length);
    const PlainLocale locale = plain_locale_enter();
    const Status status = parse(&lines, homography);
    plain_locale_leave(&locale);
    free(text);
    STATUS_TRY(status);
    return is_singular(homography)
               ? status_make(STATUS_FILE,
                             "%.200s: the matrix is singular, so that it is no homography", path)
               : status_ok();
}
