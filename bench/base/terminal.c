/* The terminal that a stream is shown on: its width, and colours. */

#include "terminal.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static ColourChoice chosen = COLOUR_AUTO;

bool stream_is_terminal(FILE *stream) {
    return stream != NULL && isatty(fileno(stream)) == 1;
}

int terminal_columns(FILE *stream) {
    struct winsize window = {.ws_col = 0};
    if (!stream_is_terminal(stream) || ioctl(fileno(stream), TIOCGWINSZ, &window) != 0 ||
        window.ws_col == 0) {
        return TERMINAL_USUAL;
    }
    const int columns = window.ws_col;
    return columns < TERMINAL_LEAST  ? TERMINAL_LEAST
           : columns > TERMINAL_MOST ? TERMINAL_MOST
                                     : columns;
}

bool colour_choice_parse(const char *text, ColourChoice *choice) {
    static const char *const names[] = {
        [COLOUR_AUTO] = "auto", [COLOUR_ALWAYS] = "always", [COLOUR_NEVER] = "never"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(text, names[i]) == 0) {
            *choice = (ColourChoice)i;
            return true;
        }
    }
    return false;
}

void terminal_choose_colour(ColourChoice choice) {
    chosen = choice;
}

/* NO_COLOR: any text but the empty one (no-color.org). */
bool terminal_has_colour(FILE *stream) {
    const char *refused = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");
    if (chosen != COLOUR_AUTO) {
        return chosen == COLOUR_ALWAYS;
    }
    return stream_is_terminal(stream) && (refused == NULL || refused[0] == '\0') &&
           terminal != NULL && strcmp(terminal, "dumb") != 0;
}

/* Of the sixteen that every terminal has, so that its theme, dark or light, keeps them legible. */
static const char *const inks[] = {
    [INK_FASTER] = "\033[32m",
    [INK_SLOWER] = "\033[31m",
    [INK_STRONG] = "\033[1m",
    [INK_FAINT] = "\033[2m",
};

void terminal_write(FILE *stream, Ink ink, const char *text) {
    const bool coloured = ink != INK_PLAIN && terminal_has_colour(stream);
    if (coloured) {
        fputs(inks[ink], stream);
    }
    text_visible_print(stream, text);
    if (coloured) {
        fputs("\033[0m", stream);
    }
}
