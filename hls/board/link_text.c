// SPDX-License-Identifier: Apache-2.0
/*
 * link_text.c - the texts of link_bist: characters, fields, commands.
 */
#include "board/link_text.h"
#include "board/board_text.h"
#include "link/lcb_map.h"

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

/* Values of end e: link_bist.c, enum end_value. */
#define VALUE(e, v)   (UNIT_BIST + BIST_REG_VALUES + 8 * (e) + (v))
#define COUNTER(e, c) ((UNIT_LINK0 << (e)) + LCB_REG_COUNTERS + (c))
#define END(e) \
    {VALUE(e, 1), 1, 1}, {VALUE(e, 2), 5, 0}, {VALUE(e, 3), 9, 0}, {VALUE(e, 4), 7, 0}, {VALUE(e, 5), 6, 0}, \
    {VALUE(e, 6), 6, 0}, {COUNTER(e, COUNT_CRC), 6, 0}, {COUNTER(e, COUNT_REPLAYS), 7, 0}

static const struct text_field fields[32] = {{VALUE(0, 0), 7, 0}, END(0), END(1)};

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

HLS_RESET void link_text_reset(struct link_text *self)
{
    *self = (struct link_text){0};
}

HLS_MODULE void link_text(struct link_text *self, const struct link_text_in *in)
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
