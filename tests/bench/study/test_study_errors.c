/* study.txt: each error says line and word, and what would be right. */
#include "status_checks.h"
#include "study_internal.h"
#include "test.h"

static Status parse(const char *text, Study *study) {
    return study_parse("s.txt", text, strlen(text), study);
}

#define HEAD "study s\ntitle T\n"
#define STEP HEAD "step a run\n --algo lbp\n" /* the next line is 5 */

typedef struct BadCase {
    const char *text, *why; /* a part of the sentence, with line and word */
} BadCase;

static void check_refused(const BadCase *cases, size_t count) {
    for (size_t i = 0; i < count; i++) {
        Study study;
        const Status status = parse(cases[i].text, &study);
        if (status.code != STATUS_FILE || strstr(status.why, cases[i].why) == NULL) {
            fail_msg("case %zu: code %d, '%s' instead of '%s'", i, (int)status.code, status.why,
                     cases[i].why);
        }
        assert_null(study.memory);
    }
}

#define ROW_COLUMN " row R variant=seq\n column T ms k\n" /* after `from` */

TEST(bad_lines_are_named) {
    static const BadCase cases[] = {
        {"", "s.txt:1: the file has no statements; begin with: study NAME"},
        {"title T\n", "s.txt:1: 'title' stands before the study; begin with: study NAME"},
        {"\n\nstudy a/b\n", "s.txt:3: 'a/b' is no name"},
        {"study .a\n", "s.txt:1: '.a' is no name"},
        {HEAD "study t\n", "s.txt:3: 'study' stands once, as the first statement"},
        {HEAD "title U\n", "s.txt:3: 'title' is given twice"},
        {"study s\n", "s.txt:1: 's' has no title; write: title TEXT"},
        {HEAD, "s.txt:1: 's' has no step; write: step NAME COMMAND"},
        {HEAD "about\n", "s.txt:3: 'about' needs an argument; write: about TEXT"},
        {HEAD "about \"\"\n", "s.txt:3: 'about' has an empty argument"},
        {HEAD "about two words\n", "s.txt:3: 'words' is one argument too many; write: about TEXT"},
        {HEAD "about \"two words\n",
         "s.txt:3: 'two words' has a double quote that does not end on its line"},
        {HEAD "abuot x\n", "s.txt:3: 'abuot' is no statement of the head; did you mean 'about'?"},
        {HEAD "--algo lbp\n", "s.txt:3: '--algo' is a statement of a step, and here is the head"},
        {HEAD "row R\n", "s.txt:3: 'row' is a statement of a table, and here is the head"},
        {HEAD "about \x01\n", "s.txt:3: has the control character 0x01"},
        {HEAD "about \xff\n", "s.txt:3: has the byte 0xff, which is not UTF-8"},
        {HEAD "about \xc0\xaf\n", "s.txt:3: has the byte 0xc0, which is not UTF-8"},
    };
    check_refused(cases, sizeof cases / sizeof cases[0]);
}

TEST(bad_steps_are_named) {
    static const BadCase cases[] = {
        {HEAD "step a\n", "s.txt:3: 'step' needs more arguments; write: step NAME COMMAND"},
        {STEP "step a run\n", "s.txt:5: 'a' is the name of a step already, of line 3"},
        {HEAD "step a run\n quick --reps 1\n", "s.txt:4: 'quick' stands before any option"},
        {HEAD "quick --reps 1\n", "s.txt:3: 'quick' is a statement of a step"},
        {STEP "quick reps 1\n", "s.txt:5: 'reps' is no option; write: quick --option value…"},
        {STEP "otherwise reps\n", "s.txt:5: 'reps' is no option; write: otherwise --option"},
        {STEP "--a=1 2\n", "s.txt:5: '2' is a second value of '--a'"},
        {STEP "-- x\n", "s.txt:5: '--' is no statement of a step"},
        {STEP "colunm T ms k\n", "s.txt:5: 'colunm' is no statement of a step"},
        {STEP "column T ms k\n", "s.txt:5: 'column' is a statement of a table, and here is a step"},
        {HEAD "step a file\n", "s.txt:3: 'a' takes a file; write one line below it: argument FILE"},
        {HEAD "step a file\nargument x\nargument y\n", "s.txt:3: 'a' takes a file"},
        {HEAD "step a file\nargument x\n--algo lbp\n", "s.txt:3: 'a' takes a file"},
        {HEAD "step a file\nargument x\notherwise argument y\n", "s.txt:3: 'a' takes a file"},
        {STEP "reads ../x.csv\n", "s.txt:5: '../x.csv' is not in the step's folder"},
        {STEP "reads a\nreads b\n", "s.txt:6: 'reads' is given twice"},
        {STEP "title T\n", "s.txt:5: 'title' is a statement of the head, and here is a step"},
    };
    check_refused(cases, sizeof cases / sizeof cases[0]);
}

TEST(bad_tables_are_named) {
    static const BadCase cases[] = {
        {STEP "table t C\n colunm T ms k\n",
         "s.txt:6: 'colunm' is no statement of a table; did you mean 'column'?"},
        {STEP "table t C\n row R\n", "s.txt:6: 'row' stands before the table's step"},
        {STEP "table t C\n", "s.txt:5: 't' has no step; write: from STEP"},
        {STEP "table t C\n from a\n column T ms k\n", "s.txt:5: 't' has no rows"},
        {STEP "table t C\n from a\n row R\n", "s.txt:5: 't' has no columns"},
        {STEP "table t C\n from b\n" ROW_COLUMN, "s.txt:5: 'b' is no step"},
        {STEP "table t C\n from a\n from a\n", "s.txt:7: 'from' is given twice"},
        {STEP "table t C\n from a\n" ROW_COLUMN "table T D\n",
         "s.txt:9: 'T' is the name of a table already, of line 5"},
        {STEP "table All C\n", "s.txt:5: 'All' is what all tables together are called"},
        {STEP "table t C\n where size\n", "s.txt:6: 'size' is no condition; write key=value"},
        {STEP "table t C\n where =a\n", "s.txt:6: '=a' is no condition"},
        {STEP "table t C\n where size=\n", "s.txt:6: 'size=' is no condition"},
        {STEP "table t C\n where size=1,2\n", "s.txt:6: 'size=1,2' has several values"},
        {STEP "table t C\n where a=1 a=2\n", "s.txt:6: 'a=2' is a second condition on 'a'"},
        {STEP "table t C\n same-as u\n", "s.txt:6: 'u' is no earlier table"},
        {STEP "table t C\n same-as t\n", "s.txt:6: 't' is no earlier table"},
        {STEP "table one C\n from a\n" ROW_COLUMN "table u D\n same-as oen\n",
         "s.txt:10: 'oen' is no earlier table; did you mean 'one'?"},
        {STEP "table t C\n from a\n" ROW_COLUMN "table u D\n from a\n row R\n same-as t\n",
         "s.txt:12: 'same-as' stands before the rows and columns"},
    };
    check_refused(cases, sizeof cases / sizeof cases[0]);
}

#define TABLE_A STEP "table t C\n from a\n" /* the next line is 7 */

TEST(bad_rows_and_columns_are_named) {
    static const BadCase cases[] = {
        {TABLE_A "row R\nrow R\n", "s.txt:8: 'R' is the label of a row already, of line 7"},
        {TABLE_A "row R size=1,2\n", "s.txt:7: 'R' is the label of a row already, of line 7; a "
                                     "{key} in the label tells rows of a list apart"},
        {TABLE_A "row {sze} size=1\n", "s.txt:7: '{sze}' has {sze}, which is no key of the row"},
        {TABLE_A "row R size=1, 2\n", "s.txt:7: '2' is no condition"},
        {TABLE_A "row R size=1,,2\n", "s.txt:7: 'size' has an empty value in its list"},
        {TABLE_A "row R size=,2\n", "s.txt:7: 'size' has an empty value in its list"},
        {TABLE_A "row R a=1 a=2\n", "s.txt:7: 'a=2' is a second condition on 'a'"},
        {TABLE_A "column T ms\n", "s.txt:7: 'column' needs more arguments; write: column TITLE"},
        {TABLE_A "column T ms k\ncolumn T ms l\n",
         "s.txt:8: 'T' is the title of a column already, of line 7"},
        {TABLE_A "column T ms :k\n", "s.txt:7: ':k' is no column of a CSV"},
        {TABLE_A "column T ms k:\n", "s.txt:7: 'k:' is no column of a CSV"},
        {TABLE_A "column T ms k from\n", "s.txt:7: 'from' is followed by one step"},
        {TABLE_A "column T ms k size=1,2\n", "s.txt:7: 'size=1,2' has several values"},
        {TABLE_A "column T x ratio A\n", "s.txt:7: 'ratio' takes two arguments; write: ratio"},
        {TABLE_A "column T x base A B C\n", "s.txt:7: 'base' takes two arguments; write: base"},
        {TABLE_A "row R\ncolumn T ms k from c\n", "s.txt:8: 'c' is no step"},
        {TABLE_A "row R\ncolumn Time ms k\ncolumn S x ratio Time Tiem\n",
         "s.txt:9: 'Tiem' is no column of table 't'; did you mean 'Time'?"},
        {TABLE_A "row Base\ncolumn T ms k\ncolumn S x base Bsae T\n",
         "s.txt:9: 'Bsae' is no row of table 't'; did you mean 'Base'?"},
        {TABLE_A "row R\ncolumn S x base R T\n", "s.txt:8: 'T' is no column of table 't'"},
        {TABLE_A "column T x cost A B\n", "s.txt:7: 'cost' takes one argument; write: cost TITLE"},
        {TABLE_A "row R\ncolumn Time ms k\ncolumn C EUR cost Time\n",
         "'C' is a cost, but the step 'a' has no --price gpu=NUMBER,cpu=NUMBER"},
        {TABLE_A "row R\ncolumn N - k\ncolumn C EUR cost N\n",
         "'N' is no column of times, of which a cost could be made"},
        {TABLE_A "column T x linear A 1\n", "'linear' takes three arguments"},
        {TABLE_A "column T x linear A 1 two\n", "'two' is no number; write: linear TITLE"},
        {TABLE_A "column T ms k by\n", "'by' is followed by one column of the CSV, once"},
        {TABLE_A "column T ms k by a by b\n", "'by' is followed by one column of the CSV, once"},
        {TABLE_A "row R\ncolumn S x ratio S S\n",
         "s.txt:8: 'S' is no column before 'S', which is computed of it"},
    };
    check_refused(cases, sizeof cases / sizeof cases[0]);
}

#define FIGURE                                                                                     \
    TABLE_A "row {size} size=1,2\ncolumn T ms k\nfigure f F\n" /* the next line is 10              \
                                                                */

TEST(bad_figures_are_named) {
    static const BadCase cases[] = {
        {FIGURE "y ms\nline L t T\n", "s.txt:9: 'f' has no 'x'; write: x KEY TITLE"},
        {FIGURE "x size s\nline L t T\n", "s.txt:9: 'f' has no 'y'; write: y TITLE"},
        {FIGURE "x size s\ny ms\n", "s.txt:9: 'f' has no 'line'; write: line NAME TABLE"},
        {FIGURE "x size s lgo\n", "s.txt:10: 'lgo' is not expected here; 'log' is"},
        {FIGURE "x size s\nx size s\n", "s.txt:11: 'x' is given twice"},
        {FIGURE "y ms lin\n", "s.txt:10: 'lin' is not expected here"},
        {FIGURE "x size s\ny ms\nline L u T\n", "s.txt:12: 'u' is no table"},
        {FIGURE "x size s\ny ms\nline L t U\n", "s.txt:12: 'U' is no column of table 't'"},
        {FIGURE "x tile s\ny ms\nline L t T\n",
         "s.txt:12: 'tile' is a condition of no row of table 't'"},
        {FIGURE "line L t T\nline L t T\n",
         "s.txt:11: 'L' is the name of a line already, of line 10"},
        {FIGURE "figure F G\n", "s.txt:10: 'F' is the name of a figure already, of line 9"},
    };
    check_refused(cases, sizeof cases / sizeof cases[0]);
}

TEST(a_text_with_nul_is_refused) {
    Study study;
    assert_status_is(study_parse("s.txt", "study s\n\0", 9, &study), STATUS_FILE,
                     "s.txt:2: has the control character 0x00; text is expected");
}

TEST(endless_things_are_refused) {
    Study study;
    char *line = calloc(1, 4096);
    strcpy(line, HEAD "step a run\n--x");
    for (int i = 0; i < 300; i++) {
        strcat(line, " y");
    }
    Status status = parse(line, &study);
    assert_string_equal(status.why, "s.txt:4: 'y' is one word too many; a line has at most 256");
    /* 8⁵ rows. */
    snprintf(line, 4096, TABLE_A "row {a}{b}{c}{d}{e}");
    for (char key = 'a'; key <= 'e'; key++) {
        snprintf(line + strlen(line), 64, " %c=1,2,3,4,5,6,7,8", key);
    }
    status = parse(line, &study);
    assert_string_equal(status.why, "s.txt:7: '21111' is one row too many; a table may have 4096");
    free(line);
}
