#include "report_output.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "document_files.h"
#include "folder.h"
#include "html.h"
#include "markdown.h"
#include "report_paths.h"
#include "visible.h"

/* The format that a file of this name has; 0 when the ending says nothing. */
static unsigned format_of_name(const char *path) {
    static const struct {
        const char *ending;
        ReportFormat format;
    } endings[] = {{".html", REPORT_HTML}, {".md", REPORT_MARKDOWN}};
    const size_t length = strlen(path);
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        const size_t ending = strlen(endings[i].ending);
        if (length > ending && strcmp(path + length - ending, endings[i].ending) == 0) {
            return endings[i].format;
        }
    }
    return 0;
}

/* --out names a file. */
static Status place_file(const char *path, unsigned format, unsigned asked, ReportPlace *place) {
    if (asked != 0 && asked != format) {
        return status_make(STATUS_USAGE,
                           "--out: %.100s is one file, of %s, and --format asks for other ones; "
                           "name a folder",
                           path, format == REPORT_HTML ? "html" : "md");
    }
    place->formats = format;
    STATUS_TRY(report_path_keep(path, place->file));
    return report_parent_folder(path, place->folder);
}

static Status place_by_name(const ReportOptions *options, ReportPlace *place) {
    struct stat facts;
    const bool exists = stat(options->out, &facts) == 0;
    const unsigned format = format_of_name(options->out);
    if (format != 0 && !(exists && S_ISDIR(facts.st_mode))) {
        return place_file(options->out, format, options->formats, place);
    }
    if (exists && !S_ISDIR(facts.st_mode)) {
        return status_make(STATUS_FILE,
                           "--out: %.200s is a file; name a folder, or a file that ends in .html "
                           "or .md",
                           options->out);
    }
    STATUS_TRY(report_path_keep(options->out, place->folder));
    return folder_make(place->folder);
}

Status report_place_find(const ReportOptions *options, ReportPlace *place) {
    *place = (ReportPlace){.formats = options->formats != 0 ? options->formats : REPORT_HTML};
    if (options->out != NULL) {
        return place_by_name(options, place);
    }
    if (options->run_count == 1) {
        STATUS_TRY(report_run_folder(options->runs[0], place->folder));
    }
    if (options->run_count > 1 || access(place->folder, W_OK | X_OK) != 0) {
        snprintf(place->folder, sizeof place->folder, ".");
    }
    return status_ok();
}

/* --- Files ------------------------------------------------------------------------------------ */

/* The file of a format that is one file, or the folder of what is many. */
static Status path_of(const ReportPlace *place, const char *name,
                      char path[ATOMIC_FILE_PATH_SIZE]) {
    if (place->file[0] != '\0') {
        return report_path_keep(place->file, path);
    }
    return report_path_in(place->folder, name, path);
}

static Status write_html(const ReportPlace *place, const Document *document, FILE *listing) {
    char path[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(path_of(place, "report.html", path));
    STATUS_TRY(html_write(document, path));
    visible_line(listing, "%s", path);
    return status_ok();
}

/* Pictures first: the Markdown shows those that are there. */
static Status write_markdown(const ReportPlace *place, const Document *document, FILE *listing) {
    char path[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(report_path_in(place->folder, "figures", path));
    const Status figures = document_figures_write(document, path);
    if (!document_only_lacks_pictures(&figures)) {
        return figures;
    }
    STATUS_TRY(path_of(place, "report.md", path));
    STATUS_TRY(markdown_write(document, path, "figures"));
    visible_line(listing, "%s", path);
    return figures;
}

static Status write_tables(const ReportPlace *place, const Document *document, FILE *listing) {
    char path[ATOMIC_FILE_PATH_SIZE];
    const unsigned formats = ((place->formats & REPORT_LATEX) != 0 ? TABLE_LATEX : 0) |
                             ((place->formats & REPORT_CSV) != 0 ? TABLE_CSV : 0);
    STATUS_TRY(report_path_in(place->folder, "tables", path));
    STATUS_TRY(document_tables_write(document, path, formats));
    visible_line(listing, "%s", path);
    return status_ok();
}

Status report_write(const ReportPlace *place, const Document *document, FILE *listing) {
    if ((place->formats & REPORT_HTML) != 0) {
        STATUS_TRY(write_html(place, document, listing));
    }
    if ((place->formats & (REPORT_LATEX | REPORT_CSV)) != 0) {
        STATUS_TRY(write_tables(place, document, listing));
    }
    return (place->formats & REPORT_MARKDOWN) != 0 ? write_markdown(place, document, listing)
                                                   : status_ok();
}
