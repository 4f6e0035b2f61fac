#include "text_list.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "utf8.h"

Status list_next(const char **list, char word[LIST_WORD_SIZE]) {
    const char *start = *list;
    const size_t length = strcspn(start, ",");
    if (length == 0) {
        return status_make(STATUS_USAGE,
                           start[0] == '\0' ? "the list ends without a name; write names separated "
                                              "by single commas"
                                            : "there is an empty name before a comma; write names "
                                              "separated by single commas");
    }
    if (length >= LIST_WORD_SIZE) {
        return status_make(STATUS_USAGE, "'%.24s…' is too long for a name", start);
    }
    memcpy(word, start, length);
    word[length] = '\0';
    *list = start[length] == ',' ? start + length + 1 : NULL;
    return status_ok();
}

void text_append(char *buffer, size_t size, const char *format, ...) {
    const size_t used = strlen(buffer);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(buffer + used, size - used, format, arguments);
    va_end(arguments);
    utf8_trim(buffer, size);
}
