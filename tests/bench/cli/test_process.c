/* Which command lines measure by launches, for which a zygote is started. */

#include "test.h"

#include "cli.h"

#include <stdbool.h>
#include <stddef.h>

#include "arguments.h"
#include "command_line.h"

static bool launches(const char *line) {
    RELEASED_BY(argument_list_release) ArgumentList list = {.argc = 0};
    bool open;
    int used;
    assert_ok(command_line_split(line, &list, &open));
    const Command *command =
        command_named(list.argc - 1, (const char *const *)list.argv + 1, &used);
    const bool answer = process_launches(command, list.argc, list.argv);
    return answer;
}

TEST(a_run_is_of_launches_unless_its_options_make_it_one) {
    static const struct {
        const char *line;
        bool launches;
    } cases[] = {
        {"bench run --algo lbp", true},
        {"bench --algo lbp", true}, /* a command line that begins with an option */
        {"bench run --algo of_a_module --sizes 64x64", true},
        {"bench run --algo lbp --launches 2", true},
        {"bench run --algo lbp --launches=2 --reps 3", true},
        {"bench run --algo lbp --baseline runs/lbp", true},
        {"bench run --algo lbp --launches 1", false},
        {"bench run --algo lbp --launches many", false},
        {"bench run --algo lbp --reps 3", false},
        {"bench run --algo lbp --max-time=1s", false},
        {"bench run --algo lbp --shard 1/2", false},
        {"bench run --algo lbp --dry-run", false},
        {"bench machine selftest --launches 6", false},
        {"bench verify --algo lbp", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (launches(cases[i].line) != cases[i].launches) {
            fail_msg("%s", cases[i].line);
        }
    }
}
