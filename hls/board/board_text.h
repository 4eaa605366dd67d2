// SPDX-License-Identifier: Apache-2.0
/*
 * board_text.h - what the tables of the consoles are written with; link_text.c, device_text.c, and board_text.inc, which they share.
 */
#ifndef BOARD_TEXT_H
#define BOARD_TEXT_H

#include "board/bist_regs.h"
#include "board/board_bus.h"
#include "board/console.h"
#include "link/lcb_map.h"

#define TEXT_PLACES (1 << 10)

struct text_field {
    u16 addr;
    u4 width;
    u1 is_word;
};

/* One letter of the console. */
struct text_command {
    u8 letter;
    u16 addr;
    u16 wdata;
    text_place answer;
};

/* A counter of link 0 or 1. */
#define COUNTER(link, which) ((UNIT_LINK0 << (link)) + LCB_REG_COUNTERS + (which))

/* enum link_state, for fields that are words. */
#define LINK_WORDS                                                                                 \
    " dead\0\0\0"                                                                                  \
    "train\0\0\0"                                                                                  \
    "ready\0\0\0"                                                                                  \
    "start\0\0\0"                                                                                  \
    "  run\0\0\0"                                                                                  \
    "flush\0\0\0"                                                                                  \
    " loop\0\0\0"                                                                                  \
    "    ?"

#endif
