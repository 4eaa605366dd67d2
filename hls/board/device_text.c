// SPDX-License-Identifier: Apache-2.0
/*
 * device_text.c - the texts of device_bist: characters, fields, commands.
 */
#include "board/device_text.h"
#include "board/board_text.h"
#include "link/lcb_map.h"

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
#define FLIPPED "one wrong bit\r\n"
#define NOISE   "noise\r\n"
#define LANE    "a lane\r\n"
#define KILLED  "killed\r\n"
#define RESTART "restart\r\n"
#define TRAFFIC "traffic\r\n"
#define CLEARED "cleared\r\n"

enum {
    AT_BANNER,
    AT_HELP = AT_BANNER + sizeof BANNER,
    AT_ROW = AT_HELP + sizeof HELP,
    AT_FLIPPED = AT_ROW + sizeof ROW,
    AT_NOISE = AT_FLIPPED + sizeof FLIPPED,
    AT_LANE = AT_NOISE + sizeof NOISE,
    AT_KILLED = AT_LANE + sizeof LANE,
    AT_RESTART = AT_KILLED + sizeof KILLED,
    AT_TRAFFIC = AT_RESTART + sizeof RESTART,
    AT_CLEARED = AT_TRAFFIC + sizeof TRAFFIC,
    AT_WORDS = AT_CLEARED + sizeof CLEARED,
};

static const unsigned char characters[TEXT_PLACES] =
    BANNER "\0" HELP "\0" ROW "\0" FLIPPED "\0" NOISE "\0" LANE "\0" KILLED "\0" RESTART "\0" TRAFFIC "\0" CLEARED "\0" LINK_WORDS;

/* Values: device_bist.c, enum device_value. */
#define VALUE(v)      (UNIT_BIST + BIST_REG_VALUES + (v))
#define COUNTER(l, c) ((UNIT_LINK0 << (l)) + LCB_REG_COUNTERS + (c))
#define PROCESSOR(p) \
    {VALUE(1 + 4 * (p)), 9, 0}, {VALUE(2 + 4 * (p)), 7, 0}, {VALUE(3 + 4 * (p)), 6, 0}, {VALUE(4 + 4 * (p)), 6, 0}
#define LINK(l) \
    {VALUE(9 + 2 * (l)), 1, 1}, {VALUE(10 + 2 * (l)), 5, 0}, {COUNTER(l, COUNT_CRC), 6, 0}, {COUNTER(l, COUNT_REPLAYS), 7, 0}

static const struct text_field fields[32] = {{VALUE(0), 7, 0}, PROCESSOR(0), PROCESSOR(1), LINK(0), LINK(1)};

static const struct text_command commands[] = {
    {0, 0, 0, AT_BANNER},
    {'?', 0, 0, AT_HELP},
    {'e', UNIT_BIST + BIST_REG_CONTROL, BIST_FLIP, AT_FLIPPED},
    {'n', UNIT_BIST + BIST_REG_CONTROL, BIST_NOISE, AT_NOISE},
    {'0', UNIT_BIST + BIST_REG_CONTROL, 1 << BIST_CUT_AT, AT_LANE},
    {'1', UNIT_BIST + BIST_REG_CONTROL, 2 << BIST_CUT_AT, AT_LANE},
    {'2', UNIT_BIST + BIST_REG_CONTROL, 4 << BIST_CUT_AT, AT_LANE},
    {'k', UNIT_LINK0 + LCB_REG_CONTROL, ORDER_KILL, AT_KILLED},
    {'r', UNIT_LINK0 + UNIT_LINK1 + LCB_REG_CONTROL, ORDER_RESTART, AT_RESTART},
    {'s', UNIT_BIST + BIST_REG_CONTROL, BIST_TRAFFIC, AT_TRAFFIC},
    {'c', UNIT_ALL + LCB_REG_CONTROL, ORDER_CLEAR, AT_CLEARED},
};
/* clang-format on */

HLS_RESET void device_text_reset(struct device_text *self)
{
    *self = (struct device_text){0};
}

HLS_MODULE void device_text(struct device_text *self, const struct device_text_in *in)
{
    struct console_text text = {
        .character = characters[in->at],
        .field.addr = fields[in->field].addr,
        .field.width = fields[in->field].width,
        .field.is_word = fields[in->field].is_word,
        .row = AT_ROW,
        .words = AT_WORDS,
    };

    for (unsigned i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (in->letter == commands[i].letter) {
            text.command.known = 1;
            text.command.addr = commands[i].addr;
            text.command.wdata = commands[i].wdata;
            text.command.answer = commands[i].answer;
        }
    }
    self->out.text = text;
}
