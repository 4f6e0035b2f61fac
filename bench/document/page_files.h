/* The style sheet and the script of HTML pages: page.css and page.js, put into the program when it
 * is built. */
#ifndef BENCH_PAGE_FILES_H
#define BENCH_PAGE_FILES_H

extern const char page_style[], page_script[]; /* texts with a NUL at their end */

#endif
