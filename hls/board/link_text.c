// SPDX-License-Identifier: Apache-2.0
/*
 * link_text.c - the texts of link_bist: what a row shows, and what a person reads.
 */
#include "board/link_text.h"
#include "board/board_text.h"

/* clang-format off */
#define HEADING \
    "seconds  a    lanes     flits    lost    cut  wrong    crc replays  b    lanes     flits    lost    cut  wrong    crc replays\r\n"
#define BANNER "\r\nlink_bist: ? tells the commands\r\n" HEADING
#define HELP \
    "a and b are the ends of a link of three lanes each way\r\n" \
    "e      one wrong bit from a to b       k  kill the link at a\r\n" \
    "n      noise from a to b, on or off    r  restart both ends\r\n" \
    "0 1 2  cut or mend a lane from a to b  s  stop or start traffic\r\n" \
    "?      this text                       c  clear counters\r\n" \
    HEADING
#define ROW \
    "\200 \201 \202 \203 \204 \205 \206 \207 \210 \211 \212 \213 \214 \215 \216 \217 \220\r\n"

/* Values of end e: link_bist.c, enum end_value. */
#define VALUE(e, v) (UNIT_BIST + BIST_REG_VALUES + 8 * (e) + (v))
#define END(e) \
    {VALUE(e, 1), 1, 1}, {VALUE(e, 2), 5, 0}, {VALUE(e, 3), 9, 0}, {VALUE(e, 4), 7, 0}, {VALUE(e, 5), 6, 0}, \
    {VALUE(e, 6), 6, 0}, {COUNTER(e, COUNT_CRC), 6, 0}, {COUNTER(e, COUNT_REPLAYS), 7, 0}

static const struct text_field fields[32] = {{VALUE(0, 0), 7, 0}, END(0), END(1)};
/* clang-format on */

#include "board/board_text.inc"

HLS_RESET void link_text_reset(struct link_text *self)
{
    *self = (struct link_text){0};
}

HLS_MODULE void link_text(struct link_text *self, const struct link_text_in *in)
{
    self->out.text = text_of(in->at, in->field, in->letter);
}
