// SPDX-License-Identifier: Apache-2.0
/* lcb_loop.c - see lcb_loop.h. Flits that come are freed in the next clock: the queue is fast. */
#include "lcb_loop.h"

void lcb_loop_reset(struct lcb_loop *self)
{
    self->out = (struct lcb_loop_out){};
    self->now = 0;
    for (int i = 0; i < 2; i++) {
        lcb_reset(&self->lcb[i]);
        self->end[i] = (struct lcb_loop_end){};
        self->end[i].noise = i == 0 ? 0x9e3779b97f4a7c15 : 0xd1b54a32d192ed03;
    }
}

static inline u64 xorshift(u64 x)
{
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    return x;
}

/* Next flit: a head for a VC that has room, or the next one of the packet under way. */
static inline void offer(struct lcb_loop_end *end, const struct lcb_out *lcb)
{
    u3 vc = (u3)end->noise;
    end->noise = xorshift(end->noise);
    if (end->left != 0) {
        end->left--;
        end->offers = 1;
        end->flit = (u48)end->noise;
    } else if (lcb->room >> vc & 1) {
        u4 length = (u4)(end->noise >> 8);
        end->left = length - 1;
        end->offers = 1;
        end->flit = (u48)vc << 45 | (u48)length << 41 | (u48)(end->noise >> 23);
    } else {
        end->offers = 0;
    }
}

HLS_MODULE void lcb_loop(struct lcb_loop *self, const struct lcb_loop_in *in)
{
    struct lcb_in wires[2];

    for (int i = 0; i < 2; i++) {
        const struct lcb_out *mine = &self->lcb[i].out;
        const struct lcb_out *peer = &self->lcb[1 - i].out;
        struct lcb_loop_end *end = &self->end[i];

        wires[i] = (struct lcb_in){
            .flit_valid = end->offers && in->enable,
            .flit = end->flit,
            .freed_valid = end->freed,
            .freed_vc = end->freed_vc,
            .now = self->now,
            .rx_lane_valid = 7,
            .rx_lane_up = 7,
        };
        for (int lane = 0; lane < LANES; lane++)
            wires[i].rx_lane[lane] = peer->tx_lane[lane];

        u1 taken = end->offers && in->enable && mine->flit_ready;
        self->out.taken += taken;
        if (taken || !end->offers)
            offer(end, mine);

        end->freed = mine->rx_valid;
        if (mine->rx_head)
            end->vc = (u3)(mine->rx_flit >> 45);
        end->freed_vc = end->vc;
        if (mine->rx_valid) {
            self->out.came++;
            self->out.checksum = (self->out.checksum << 5 | self->out.checksum >> 27) ^
                                 (u32)mine->rx_flit ^ (u32)(mine->rx_flit >> 16);
        }
    }
    self->now++;
    for (int i = 0; i < 2; i++)
        lcb(&self->lcb[i], &wires[i]);
}
