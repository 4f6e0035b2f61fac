/* The terminal of a stream: width and colours. */
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "terminal.h"
#include "test.h"

static int terminal; /* what a terminal program holds */
static FILE *window; /* what is written to */

static void open_terminal(void) {
    terminal = posix_openpt(O_RDWR | O_NOCTTY);
    assert_true(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
    window = fopen(ptsname(terminal), "r+");
    setenv("TERM", "xterm", 1);
    unsetenv("NO_COLOR");
    assert_non_null(window);
}

static void close_terminal(void) {
    terminal_choose_colour(COLOUR_AUTO);
    fclose(window);
    assert_int_equal(close(terminal), 0);
}

EACH_TEST(open_terminal, close_terminal);

static int columns_of(unsigned short columns) {
    const struct winsize size = {.ws_row = 24, .ws_col = columns};
    assert_int_equal(ioctl(terminal, TIOCSWINSZ, &size), 0);
    return terminal_columns(window);
}

TEST(the_width_is_that_of_the_window) {
    assert_int_equal(columns_of(100), 100);
    assert_int_equal(columns_of(20), 60);
    assert_int_equal(columns_of(500), 200);
    assert_int_equal(columns_of(0), 80);
    assert_int_equal(terminal_columns(NULL), 80);
    FILE *file = tmpfile();
    assert_int_equal(terminal_columns(file), 80);
    fclose(file);
}

TEST(colour_is_for_terminals_that_want_it) {
    assert_true(terminal_has_colour(window));
    setenv("NO_COLOR", "", 1);
    assert_true(terminal_has_colour(window));
    setenv("NO_COLOR", "0", 1);
    assert_false(terminal_has_colour(window));
    terminal_choose_colour(COLOUR_ALWAYS);
    assert_true(terminal_has_colour(window));
    terminal_choose_colour(COLOUR_AUTO);
    unsetenv("NO_COLOR");
    setenv("TERM", "dumb", 1);
    assert_false(terminal_has_colour(window));
    setenv("TERM", "xterm", 1);
    terminal_choose_colour(COLOUR_NEVER);
    assert_false(terminal_has_colour(window));
    terminal_choose_colour(COLOUR_AUTO);
    FILE *file = tmpfile();
    assert_false(terminal_has_colour(file));
    fclose(file);
}

static void check_written(ColourChoice choice, const char *expected) {
    FILE *file = tmpfile();
    char text[64] = "";
    terminal_choose_colour(choice);
    terminal_write(file, INK_FASTER, "2×\033[5m");
    rewind(file);
    assert_non_null(fgets(text, sizeof text, file));
    fclose(file);
    assert_string_equal(text, expected);
}

TEST(ink_surrounds_a_visible_text) {
    check_written(COLOUR_ALWAYS, "\033[32m2×\\x1b[5m\033[0m");
    check_written(COLOUR_NEVER, "2×\\x1b[5m");
}

TEST(choices_have_names) {
    ColourChoice choice = COLOUR_AUTO;
    assert_true(colour_choice_parse("never", &choice));
    assert_int_equal(choice, COLOUR_NEVER);
    assert_false(colour_choice_parse("yes", &choice));
    assert_int_equal(choice, COLOUR_NEVER);
}
