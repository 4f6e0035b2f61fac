#include "html.h"

#include "atomic_file.h"
#include "html_parts.h"
#include "page_files.h"

/* The policy lets nothing be loaded, from wherever. Ids of the page itself have capital letters,
 * which those of headings never have. */
static void write_start(FILE *stream, const Document *document) {
    fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
          "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n"
          "<link rel=\"icon\" href=\"data:,\">\n<title>",
          stream);
    html_escape(stream, document->title);
    fprintf(stream, "</title>\n<style>\n%s</style>\n</head>\n<body>\n", page_style);
    fputs("<a class=\"skip\" href=\"#Main\">Skip to the content</a>\n<header>\n<h1>", stream);
    html_escape(stream, document->title);
    fputs("</h1>\n</header>\n", stream);
}

static bool is_section(const Block *block) {
    return block->kind == BLOCK_HEADING && block->level <= 2;
}

static void write_contents(FILE *stream, const Document *document) {
    bool any = false;
    for (size_t i = 0; i < document->count; i++) {
        const Block *block = &document->blocks[i];
        if (!is_section(block)) {
            continue;
        }
        fputs(any ? ""
                  : "<nav aria-labelledby=\"Contents\">\n<p id=\"Contents\">Contents</p>\n<ol>\n",
              stream);
        any = true;
        fprintf(stream, "<li><a href=\"#%s\">", block->id);
        html_escape(stream, block->text);
        fputs("</a></li>\n", stream);
    }
    fputs(any ? "</ol>\n</nav>\n" : "", stream);
}

/* The link is for the pointer alone: with the keyboard there are the contents. */
static void write_heading(FILE *stream, const Block *block) {
    const int level = block->level < 2 ? 2 : block->level > 6 ? 6 : block->level;
    fprintf(stream, "<h%d id=\"%s\">", level, block->id);
    html_escape(stream, block->text);
    fprintf(stream,
            "<a class=\"anchor\" href=\"#%s\" tabindex=\"-1\" aria-hidden=\"true\">#</a></h%d>\n",
            block->id, level);
}

static void write_text_block(FILE *stream, const char *start, const char *text, const char *end) {
    fputs(start, stream);
    html_escape(stream, text);
    fputs(end, stream);
}

static Status write_block(FILE *stream, const Block *block) {
    switch (block->kind) {
    case BLOCK_HEADING: write_heading(stream, block); break;
    case BLOCK_PARAGRAPH: write_text_block(stream, "<p>", block->text, "</p>\n"); break;
    case BLOCK_ITEM: write_text_block(stream, "<li>", block->text, "</li>\n"); break;
    case BLOCK_CODE:
        write_text_block(stream, "<pre tabindex=\"0\"><code>", block->text, "</code></pre>\n");
        break;
    case BLOCK_WARNING:
        write_text_block(stream, "<p class=\"warning\" role=\"note\"><strong>Note:</strong> ",
                         block->text, "</p>\n");
        break;
    case BLOCK_TABLE: html_table_write(stream, block->table); break;
    case BLOCK_CHART: return html_chart_write(stream, block->chart);
    }
    return status_ok();
}

/* What neighbouring blocks of a kind are put into; NULL: nothing. */
static const char *wrapper_of(const Block *block, bool start) {
    switch (block->kind) {
    case BLOCK_ITEM: return start ? "<ul>\n" : "</ul>\n";
    case BLOCK_CHART: return start ? "<div class=\"charts\">\n" : "</div>\n";
    default: return NULL;
    }
}

static Status write_blocks(FILE *stream, const Document *document) {
    bool in_section = false;
    for (size_t i = 0; i < document->count; i++) {
        const Block *block = &document->blocks[i];
        const bool first = i == 0 || block[-1].kind != block->kind;
        const bool last = i + 1 == document->count || block[1].kind != block->kind;
        if (is_section(block)) {
            fputs(in_section ? "</section>\n" : "", stream);
            fprintf(stream, "<section aria-labelledby=\"%s\">\n", block->id);
            in_section = true;
        }
        if (first && wrapper_of(block, true) != NULL) {
            fputs(wrapper_of(block, true), stream);
        }
        STATUS_TRY(write_block(stream, block));
        if (last && wrapper_of(block, false) != NULL) {
            fputs(wrapper_of(block, false), stream);
        }
    }
    fputs(in_section ? "</section>\n" : "", stream);
    return status_ok();
}

static Status write_page(FILE *stream, const Document *document) {
    write_start(stream, document);
    write_contents(stream, document);
    fputs("<main id=\"Main\">\n", stream);
    STATUS_TRY(write_blocks(stream, document));
    fprintf(stream, "</main>\n<script>\n%s</script>\n</body>\n</html>\n", page_script);
    return status_ok();
}

Status html_write(const Document *document, const char *path) {
    STATUS_TRY(document_status(document));
    AtomicFile file;
    STATUS_TRY(atomic_file_open(&file, path));
    const Status status = write_page(file.stream, document);
    if (!status_is_ok(&status)) {
        atomic_file_abandon(&file);
        return status;
    }
    return atomic_file_commit(&file);
}
