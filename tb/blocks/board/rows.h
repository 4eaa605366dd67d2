// SPDX-License-Identifier: Apache-2.0
/*
 * rows.h - what the console of a self-test has printed, row by row, as numbers and words in columns.
 */
#ifndef TB_ROWS_H
#define TB_ROWS_H

#include <stdbool.h>
#include <stdint.h>

enum { ROW_COLUMNS = 20, ROW_WORD = 16, ROWS_MOST = 64 };

struct row {
    uint64_t clock; /* when it was whole */
    unsigned columns;
    char word[ROW_COLUMNS][ROW_WORD];
};

struct rows {
    const uint64_t *now;
    unsigned count;
    struct row row[ROWS_MOST];
    unsigned others; /* lines that are no row: do not begin with a number */
};

/* A line for session_start; to is a struct rows. */
void rows_line(void *to, const char *text);

/* The first row that was whole at this clock or later, or one without columns. */
const struct row *rows_from(const struct rows *rows, uint64_t clock);

/* A column, from 0, has this word; has a number in these bounds. Says what it has through tap_why. */
bool rows_is(const struct row *row, unsigned column, const char *word);
bool rows_within(const struct row *row, unsigned column, unsigned long least, unsigned long most);

#endif
