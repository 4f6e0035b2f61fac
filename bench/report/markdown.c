/* A document as Markdown. */

#include "document.h"
#include "report.h"
#include "report_internal.h"
#include "table.h"

#include <string.h>
#include <unistd.h>

#include "files.h"
#include "markup_text.h"
#include "status.h"

typedef struct MarkdownFile {
    FILE *stream;
    const char *path;
    const char *figures; /* NULL: charts are tables */
} MarkdownFile;

static void write_table(FILE *stream, const DocTable *table) {
    if (table->caption != NULL && table->caption[0] != '\0') {
        fputs("**", stream);
        markdown_text(stream, table->caption);
        fputs("**\n\n", stream);
    }
    table_print_markdown(stream, table);
    if (table->note != NULL) {
        fputc('\n', stream);
        markdown_text(stream, table->note);
        fputc('\n', stream);
    }
}

/* Whether the figure lies in its folder beside the file that is written. */
static bool figure_is_there(const MarkdownFile *file, const DocChart *chart) {
    char path[ATOMIC_FILE_PATH_SIZE];
    const char *slash = strrchr(file->path, '/');
    const int folder = slash != NULL ? (int)(slash - file->path) + 1 : 0;
    if (file->figures == NULL || chart->name == NULL) {
        return false;
    }
    const int length = snprintf(path, sizeof path, "%.*s%s/%s.svg", folder, file->path,
                                file->figures, chart->name);
    return length > 0 && (size_t)length < sizeof path && access(path, R_OK) == 0;
}

static Status write_chart(const MarkdownFile *file, const DocChart *chart) {
    if (figure_is_there(file, chart)) {
        fputs("![", file->stream);
        markdown_text(file->stream, chart->title != NULL ? chart->title : "");
        fputs("](", file->stream);
        markdown_link_path(file->stream, file->figures);
        fputc('/', file->stream);
        markdown_link_path(file->stream, chart->name);
        fputs(".svg)\n", file->stream);
        if (chart->note != NULL) {
            fputc('\n', file->stream);
            markdown_text(file->stream, chart->note);
            fputc('\n', file->stream);
        }
    } else {
        STATUS_TRY(chart_table_write(file->stream, chart, write_table));
    }
    if (chart->description != NULL) {
        fputc('\n', file->stream);
        markdown_text(file->stream, chart->description);
        fputc('\n', file->stream);
    }
    return status_ok();
}

static void write_line(FILE *stream, const char *before, const char *text) {
    fputs(before, stream);
    markdown_text(stream, text != NULL ? text : "");
    fputc('\n', stream);
}

static Status write_block(const MarkdownFile *file, const Block *block) {
    static const char hashes[] = "####";
    FILE *stream = file->stream;
    switch (block->kind) {
    case BLOCK_HEADING:
        fprintf(stream, "%.*s ", block->level, hashes);
        write_line(stream, "", block->text);
        break;
    case BLOCK_PARAGRAPH:
    case BLOCK_LEAD: write_line(stream, "", block->text); break;
    case BLOCK_CHIP:
    case BLOCK_ITEM: write_line(stream, "- ", block->text); break;
    case BLOCK_WARNING: write_line(stream, "> **Warning:** ", block->text); break;
    case BLOCK_CODE: markdown_code(stream, block->text != NULL ? block->text : ""); break;
    case BLOCK_TABLE: write_table(stream, block->table); break;
    case BLOCK_CHART: return write_chart(file, block->chart);
    }
    return status_ok();
}

static Status write_document(const MarkdownFile *file, const Document *document) {
    write_line(file->stream, "# ", document->title);
    for (size_t i = 0; i < document->count; i++) {
        const Block *block = &document->blocks[i];
        const bool same_list = i > 0 && (block->kind == BLOCK_ITEM || block->kind == BLOCK_CHIP) &&
                               document->blocks[i - 1].kind == block->kind;
        if (!same_list) {
            fputc('\n', file->stream);
        }
        STATUS_TRY(write_block(file, block));
    }
    return status_ok();
}

Status markdown_write(const Document *document, const char *path, const char *figures) {
    AtomicFile file;
    STATUS_TRY(document_status(document));
    STATUS_TRY(atomic_file_open(&file, path));
    const MarkdownFile markdown = {.stream = file.stream, .path = path, .figures = figures};
    return atomic_file_end(&file, write_document(&markdown, document));
}

Status markdown_table_write(const DocTable *table, const char *path) {
    AtomicFile file;
    STATUS_TRY(atomic_file_open(&file, path));
    write_table(file.stream, table);
    return atomic_file_commit(&file);
}
