/* A run that is added to the history: where its time comes from. */
#include <signal.h>

#include "bench/scratch_folder.h"
#include "history.h"
#include "interrupt.h"
#include "status_checks.h"
#include "test.h"

/* A run without a date, whose commit the repository, which is none, does not know. */
static Status add_undated(void) {
    const HistoryAddition addition = {
        .folder = test_folder, .run = TEST_DATA "/compare/base.json", .repository = test_folder};
    HistoryAdded added = {.added = 0};
    const Status status = history_add(&addition, stderr, &added);
    assert_int_equal(added.added, 0);
    assert_int_equal(scratch_count(test_folder), 0);
    return status;
}

/* Then nobody knows whether git knows the commit. */
TEST(an_interrupted_git_is_no_unknown_commit) {
    assert_status(add_undated(), STATUS_USAGE, "git does not know commit 0123456789ab");
    interrupt_watch();
    raise(SIGINT);
    assert_int_equal(add_undated().code, STATUS_INTERRUPTED);
    interrupt_watch();
}
