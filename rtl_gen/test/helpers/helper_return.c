// SPDX-License-Identifier: Apache-2.0
/*
 * helper_return: a helper with several returns, some from inside loops and switches.
 */
#include "hls.h"

struct helper_return_in {
    u8 text[4]; /* up to four digits, anything else ends the number */
};
struct helper_return_out {
    u14 value;
    u3 sort;
    u3 length;
};
struct helper_return {
    struct helper_return_out out;
};

static u3 digits(const u8 *text)
{
    for (u3 i = 0; i < 4; i++) {
        if (text[i] < '0' || text[i] > '9') {
            return i;
        }
    }
    return 4;
}

static u3 class_of(u8 c)
{
    if (c & 0x80) {
        return 7;
    }
    switch (c >> 5) {
    case 0:
        return 1;
    case 1:
        if (c & 0x10) {
            return 2;
        }
        break;
    case 2:
        return c & 1 ? 3 : 4;
    }
    return c == 0x7f ? 5 : 6;
}

HLS_RESET void helper_return_reset(struct helper_return *self)
{
    *self = (struct helper_return){0};
}

HLS_MODULE void helper_return(struct helper_return *self, const struct helper_return_in *in)
{
    u8 text[4];
    for (int i = 0; i < 4; i++) {
        text[i] = in->text[i] & 0xf0 ? (u8)(in->text[i] & 0x1f) | 0x20 : in->text[i];
    }
    self->out.sort = class_of(in->text[0]);
    self->out.length = digits(text);
    u14 value = 0;
    for (int i = 0; i < 4; i++) {
        if (i < self->out.length) {
            value = value * 10 + (text[i] - '0');
        }
    }
    self->out.value = value;
}
