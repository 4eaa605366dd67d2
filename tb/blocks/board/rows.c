// SPDX-License-Identifier: Apache-2.0
/*
 * rows.c - what the console of a self-test has printed, in columns.
 */
#include "tb/blocks/board/rows.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "tb/base/harness.h"

/* Columns are parted by blanks and bars. */
static void split(struct row *row, const char *text)
{
    const char *apart = " |";

    for (text += strspn(text, apart); *text && row->columns < ROW_COLUMNS;
         text += strspn(text, apart)) {
        const size_t length = strcspn(text, apart);
        const size_t kept = length < ROW_WORD ? length : ROW_WORD - 1;
        memcpy(row->word[row->columns], text, kept);
        row->word[row->columns++][kept] = 0;
        text += length;
    }
}

void rows_line(void *to, const char *text)
{
    struct rows *rows = to;
    struct row row = {.clock = *rows->now};

    split(&row, text);
    if (row.columns > 8 && isdigit((unsigned char)row.word[0][0]) && rows->count < ROWS_MOST)
        rows->row[rows->count++] = row;
    else
        rows->others++;
}

const struct row *rows_from(const struct rows *rows, uint64_t clock)
{
    static const struct row none;

    for (unsigned i = 0; i < rows->count; i++)
        if (rows->row[i].clock >= clock)
            return &rows->row[i];
    return &none;
}

bool rows_is(const struct row *row, unsigned column, const char *word)
{
    tap_why("\"%s\" in column %u of second %s", row->word[column], column, row->word[0]);
    return strcmp(row->word[column], word) == 0;
}

bool rows_within(const struct row *row, unsigned column, unsigned long least, unsigned long most)
{
    const unsigned long number = strtoul(row->word[column], NULL, 10);

    tap_why("%lu in column %u of second %s", number, column, row->word[0]);
    return row->columns > column && number >= least && number <= most;
}
