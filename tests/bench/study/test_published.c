/* published.csv: numbers found by table, row and column, and each error's line and word. */
#include "bench/scratch_folder.h"
#include "study_internal.h"
#include "test.h"

/* Two tables of one published one: the second has a column more. */
static const char study_text[] = "study s\n"
                                 "title T\n"
                                 "step a run\n"
                                 "table t C\n"
                                 " from a\n"
                                 " row Seq variant=seq\n"
                                 " row \"a, \\\"b\\\"\" variant=omp\n"
                                 " column Time ms k\n"
                                 " column Speedup x base Seq Time\n"
                                 "table u D\n"
                                 " same-as t\n"
                                 " published t\n"
                                 " column Share - l\n"
                                 "table w E\n"
                                 " same-as t\n";

#define HEADER "table,row,column,value,unit,machine,source\n"

typedef struct Fixture {
    Study study;
    Published published;
} Fixture;

static void set_up(void) {
    Fixture *fixture = calloc(1, sizeof *fixture);
    test_write("study.txt", study_text);
    test_state = fixture;
    assert_true(study_file_read(test_folder, &fixture->study).code == STATUS_OK);
}

static void tear_down(void) {
    Fixture *fixture = test_state;
    published_release(&fixture->published);
    study_release(&fixture->study);
    free(fixture);
}

EACH_TEST(set_up, tear_down);

static Status read_csv(Fixture *fixture, const char *text) {
    published_release(&fixture->published);
    test_write("published.csv", text);
    return published_read(&fixture->study, &fixture->published);
}

TEST(numbers_are_found) {
    Fixture *fixture = test_state;
    const Status status =
        read_csv(fixture, "# of the paper\n\n" HEADER "t,Seq,Time,170.73334,ms,i7,Table 1\n"
                          "# in between\n"
                          "t,\"a, \"\"b\"\"\",Time,1e-3,ms,i7,\"Table 2,\nleft\"\n"
                          "t,Seq,Share,-4,-,,\n"
                          "w,Seq,Time,2.50,ms,i7,Table 3\n");
    assert_string_equal(status.why, "");
    assert_int_equal(fixture->published.count, 4);
    const StudyTable *t = &fixture->study.tables[0], *u = &fixture->study.tables[1];
    const StudyTable *w = &fixture->study.tables[2];
    const PublishedNumber *number =
        published_find(&fixture->published, t->published, "Seq", "Time");
    assert_non_null(number);
    assert_true(number->value == 170.73334);
    assert_string_equal(number->printed, "170.73334");
    assert_string_equal(number->unit, "ms");
    assert_string_equal(number->machine, "i7");
    assert_string_equal(number->source, "Table 1");
    assert_int_equal(number->line, 4);
    assert_ptr_equal(published_find(&fixture->published, u->published, "Seq", "Time"), number);
    number = published_find(&fixture->published, t->published, "a, \"b\"", "Time");
    assert_true(number->value == 0.001);
    assert_string_equal(number->source, "Table 2,\nleft");
    assert_int_equal(number->line, 6);
    number = published_find(&fixture->published, u->published, "Seq", "Share");
    assert_true(number->value == -4);
    assert_int_equal(number->line, 8);
    assert_string_equal(published_find(&fixture->published, w->published, "Seq", "Time")->printed,
                        "2.50");
    assert_null(published_find(&fixture->published, w->published, "Seq", "Speedup"));
    assert_null(published_find(&fixture->published, t->published, "a, \"b\"", "Speedup"));
}

TEST(a_study_without_the_file_has_no_numbers) {
    Fixture *fixture = test_state;
    fixture->published.count = 7;
    assert_ok(published_read(&fixture->study, &fixture->published));
    assert_int_equal(fixture->published.count, 0);
    assert_ok(read_csv(fixture, "# nothing\n"));
    assert_int_equal(fixture->published.count, 0);
}

TEST(bad_lines_are_named) {
    Fixture *fixture = test_state;
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"t,Seq,Time,1,ms,m,s\n", "published.csv:1: 't' begins the header, which is: table,row,"},
        {"#\ntable,row,column,value,unit,machine\n", "published.csv:2: 'table' begins the header"},
        {HEADER "t,Seq,Time,1,ms,m\n", "published.csv:2: 't' begins a line of 6 fields, not 7"},
        {HEADER "t,a, b,Time,1,ms,m,s\n", "published.csv:2: 't' begins a line of 8 fields"},
        {HEADER "\n#\nq,Seq,Time,1,ms,m,s\n", "published.csv:4: 'q' is no table"},
        {HEADER "t,Sqe,Time,1,ms,m,s\n",
         "published.csv:2: 'Sqe' is no row of table 't'; did you mean 'Seq'?"},
        {HEADER "t,Seq,Tiem,1,ms,m,s\n",
         "published.csv:2: 'Tiem' is no column of table 't'; did you mean 'Time'?"},
        {HEADER "w,Seq,Share,1,-,m,s\n", "published.csv:2: 'Share' is no column of table 'w'"},
        {HEADER "u,Seq,Time,1,ms,m,s\n", "published.csv:2: 'u' is no table"},
        {HEADER "t,Seq,Time,,ms,m,s\n", "published.csv:2: '' is no number"},
        {HEADER "t,Seq,Time,1.2x,ms,m,s\n", "published.csv:2: '1.2x' is no number"},
        {HEADER "t,Seq,Time,nan,ms,m,s\n", "published.csv:2: 'nan' is no number"},
        {HEADER "t,Seq,Time,1e999,ms,m,s\n", "published.csv:2: '1e999' is no number"},
        {HEADER "t,Seq,Time,\"1,5\",ms,m,s\n", "published.csv:2: '1,5' is no number"},
        {HEADER "t,Seq,Time,0x10,ms,m,s\n", "published.csv:2: '0x10' is no number"},
        {HEADER "t,Seq,Time,1,s,m,s\n",
         "published.csv:2: 's' is not the unit of column 'Time', which is 'ms'"},
        {HEADER "t,Seq,Time,1,ms,m,s\nt,Seq,Time,2,ms,m,s\n",
         "published.csv:3: 'Seq' has a number in column 'Time' already, of line 2"},
        {HEADER "t,Seq,Time,1,ms,\xff,s\n", "published.csv:2: has the byte 0xff"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const Status status = read_csv(fixture, cases[i].text);
        if (status.code != STATUS_FILE || strstr(status.why, cases[i].why) == NULL) {
            fail_msg("case %zu: code %d, '%s' instead of '%s'", i, (int)status.code, status.why,
                     cases[i].why);
        }
        assert_null(fixture->published.frame.text);
        assert_null(fixture->published.numbers);
    }
}
