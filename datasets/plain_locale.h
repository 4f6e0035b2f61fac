/* Plain locale: numbers are read and written with a point, whatever locale the program has. */
#ifndef DATASETS_PLAIN_LOCALE_H
#define DATASETS_PLAIN_LOCALE_H

#include <locale.h>

typedef struct PlainLocale {
    locale_t plain, before;
} PlainLocale;

/* For the calling thread alone, until plain_locale_leave. Without memory for it the program's
 * locale stays. */
static inline PlainLocale plain_locale_enter(void) {
    PlainLocale locale;
    locale.plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale.before = uselocale(locale.plain);
    return locale;
}

static inline void plain_locale_leave(const PlainLocale *locale) {
    uselocale(locale->before);
    if (locale->plain != (locale_t)0) {
        freelocale(locale->plain);
    }
}

#endif
