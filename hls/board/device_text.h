// SPDX-License-Identifier: Apache-2.0
/*
 * device_text.h - ports and registers of the texts of device_bist.
 */
#ifndef DEVICE_TEXT_H
#define DEVICE_TEXT_H

#include "board/console.h"

struct device_text_in {
    text_place at;
    u5 field;
    u8 letter;
};

struct device_text_out {
    struct console_text text;
};

struct device_text {
    struct device_text_out out;
};

HLS_RESET void device_text_reset(struct device_text *self);
HLS_MODULE void device_text(struct device_text *self, const struct device_text_in *in);

#endif
