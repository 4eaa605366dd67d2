// SPDX-License-Identifier: Apache-2.0
/*
 * device_text.c - the texts of device_bist: what a row shows, and what a person reads.
 */
#include "board/device_text.h"
#include "board/board_text.h"

/* clang-format off */
#define HEADING \
    "seconds | 0: flits    lost    cut  wrong | 1: flits    lost    cut  wrong | link 0 lanes    crc replays | link 1 lanes    crc replays\r\n"
#define BANNER "\r\ndevice_bist: ? tells the commands\r\n" HEADING
#define HELP \
    "processors 0 and 1 send to themselves, and to each other over links 0 and 1, joined by a cable\r\n" \
    "e      one wrong bit from 0 to 1       k  kill link 0\r\n" \
    "n      noise from 0 to 1, on or off    r  restart both links\r\n" \
    "0 1 2  cut or mend a lane from 0 to 1  s  stop or start traffic\r\n" \
    "?      this text                       c  clear counters\r\n" \
    HEADING
#define ROW \
    "\200 |\201 \202 \203 \204 |\205 \206 \207 \210 |  \211 \212 \213 \214 |  \215 \216 \217 \220\r\n"

/* Values: device_bist.c, enum device_value. */
#define VALUE(v) (UNIT_BIST + BIST_REG_VALUES + (v))
#define PROCESSOR(p) \
    {VALUE(1 + 4 * (p)), 9, 0}, {VALUE(2 + 4 * (p)), 7, 0}, {VALUE(3 + 4 * (p)), 6, 0}, {VALUE(4 + 4 * (p)), 6, 0}
#define LINK(l) \
    {VALUE(9 + 2 * (l)), 1, 1}, {VALUE(10 + 2 * (l)), 5, 0}, {COUNTER(l, COUNT_CRC), 6, 0}, {COUNTER(l, COUNT_REPLAYS), 7, 0}

static const struct text_field fields[32] = {{VALUE(0), 7, 0}, PROCESSOR(0), PROCESSOR(1), LINK(0), LINK(1)};
/* clang-format on */

#include "board/board_text.inc"

HLS_RESET void device_text_reset(struct device_text *self)
{
    *self = (struct device_text){0};
}

HLS_MODULE void device_text(struct device_text *self, const struct device_text_in *in)
{
    self->out.text = text_of(in->at, in->field, in->letter);
}
