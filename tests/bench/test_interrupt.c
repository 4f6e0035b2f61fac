#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "interrupt.h"

static void a_signal_is_noted_once(void **state) {
    (void)state;
    const int signals[] = {SIGINT, SIGTERM};
    for (size_t i = 0; i < 2; i++) {
        interrupt_watch();
        assert_false(interrupt_requested());
        raise(signals[i]);
        assert_true(interrupt_requested());
        interrupt_unwatch();
    }
    interrupt_watch(); /* starts anew */
    assert_false(interrupt_requested());
    interrupt_unwatch();
}

static void a_second_signal_ends_the_process(void **state) {
    (void)state;
    const pid_t child = fork();
    if (child == 0) {
        interrupt_watch();
        raise(SIGINT);
        raise(SIGINT);
        _exit(0);
    }
    int how = 0;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFSIGNALED(how));
    assert_int_equal(WTERMSIG(how), SIGINT);
}

static int seen;

static void see(int number) {
    seen = number;
}

static void the_previous_handler_comes_back(void **state) {
    (void)state;
    signal(SIGTERM, see);
    interrupt_watch();
    interrupt_unwatch();
    raise(SIGTERM);
    assert_int_equal(seen, SIGTERM);
    assert_false(interrupt_requested());
    signal(SIGTERM, SIG_DFL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_signal_is_noted_once),
        cmocka_unit_test(a_second_signal_ends_the_process),
        cmocka_unit_test(the_previous_handler_comes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
