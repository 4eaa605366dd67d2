// SPDX-License-Identifier: Apache-2.0
/*
 * link_text.h - ports and registers of the texts of link_bist.
 */
#ifndef LINK_TEXT_H
#define LINK_TEXT_H

#include "board/console.h"

struct link_text_in {
    text_place at;
    u5 field;
    u8 letter;
};

struct link_text_out {
    struct console_text text;
};

struct link_text {
    struct link_text_out out;
};

HLS_RESET void link_text_reset(struct link_text *self);
HLS_MODULE void link_text(struct link_text *self, const struct link_text_in *in);

#endif
