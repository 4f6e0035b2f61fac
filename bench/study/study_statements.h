/* The statements of study.txt: one function each, called with a line that has as many words as the
 * statement takes, none of them empty. STATUS_FILE names line and word and says what would be
 * right. */
#ifndef BENCH_STUDY_STATEMENTS_H
#define BENCH_STUDY_STATEMENTS_H

#include "study_reader.h"

/* Reads the reader's line. */
Status study_statement_read(StudyReader *reader);

Status study_read_step(StudyReader *reader);
Status study_read_option(StudyReader *reader);
Status study_read_argument(StudyReader *reader);
Status study_read_quick(StudyReader *reader);
Status study_read_otherwise(StudyReader *reader);
Status study_read_reads(StudyReader *reader);

Status study_read_table(StudyReader *reader);
Status study_read_from(StudyReader *reader);
Status study_read_where(StudyReader *reader);
Status study_read_row(StudyReader *reader);
Status study_read_column(StudyReader *reader);
Status study_read_published(StudyReader *reader);
Status study_read_same_as(StudyReader *reader);
Status study_read_extra(StudyReader *reader);
Status study_read_shaded(StudyReader *reader);

Status study_read_figure(StudyReader *reader);
Status study_read_x(StudyReader *reader);
Status study_read_y(StudyReader *reader);
Status study_read_line(StudyReader *reader);

#endif
