// SPDX-License-Identifier: Apache-2.0
/*
 * bram_read_first: a block memory where a read and a write of one address meet: the read gets the
 * old value. The read register has no enable: it follows the address at every clock.
 */
#include "hls.h"

struct bram_read_first_in {
    u5 ra, wa;
    u1 we;
    u17 data;
};
struct bram_read_first_out {
    u17 read;
    u17 echo;
};
struct bram_read_first {
    struct bram_read_first_out out;
    HLS_BRAM_READ_FIRST u17 word[32];
};

HLS_RESET void bram_read_first_reset(struct bram_read_first *self)
{
    self->out.echo = 0x155;
}

HLS_MODULE void bram_read_first(struct bram_read_first *self, const struct bram_read_first_in *in)
{
    self->out.echo += self->out.read ^ in->ra;
    self->out.read = self->word[in->ra];
    if (in->we) {
        self->word[in->wa] = in->data;
    }
}
