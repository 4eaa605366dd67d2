// SPDX-License-Identifier: Apache-2.0
/*
 * netlink.c - the two halves of a netlink, and its counters.
 */
#include "nic/netlink/netlink.h"

HLS_RESET void netlink_reset(struct netlink *self)
{
    self->out = (struct netlink_out){};
    nl_send_reset(&self->send);
    nl_receive_reset(&self->receive);
    for (int t = 0; t < NL_TILES; t++) {
        self->out.to_tile[t].ready = 1;
    }
    for (int k = 0; k < NETLINK_COUNTS; k++) {
        self->pending[k] = 0;
    }
}

/* What counts several times in a clock is passed on in as many. */
static inline void count(struct netlink *self)
{
    u1 waits = 0;

    self->out.count = 0;
    for (int k = 0; k < NETLINK_COUNTS; k++) {
        u6 total =
            (u6)((u6)self->pending[k] + self->send.out.sum.of[k] + self->receive.out.sum.of[k]);
        u1 counts = total != 0;

        waits |= self->pending[k] != 0;
        total = (u6)(total - counts);
        self->out.count |= (uint(NETLINK_COUNTS))((uint(NETLINK_COUNTS))counts << k);
        self->pending[k] = total > 31 ? (u5)31 : (u5)total;
    }
    self->out.info = waits ? (nic_info)0 : self->receive.out.info;
}

static inline void forward(struct netlink *self)
{
    for (int n = 0; n < NL_NICS; n++) {
        self->out.to_nic[n].request = self->receive.out.nic[n].request;
        self->out.to_nic[n].response = self->receive.out.nic[n].response;
        self->out.to_nic[n].room_request = self->send.out.room[n].request;
        self->out.to_nic[n].room_response = self->send.out.room[n].response;
    }
    for (int t = 0; t < NL_TILES; t++) {
        self->out.to_tile[t].valid = self->send.out.tile[t].valid;
        self->out.to_tile[t].flit = self->send.out.tile[t].flit;
        self->out.to_tile[t].bad = self->send.out.tile[t].bad;
#if RTR_LENGTH_BITS == 0
        self->out.to_tile[t].tail = self->send.out.tile[t].tail;
#endif
        self->out.to_tile[t].room = self->receive.out.tile[t].room;
        self->out.to_tile[t].spare = self->receive.out.tile[t].room;
        self->out.to_tile[t].peer_load = self->receive.out.tile[t].load;
    }
}

HLS_MODULE void netlink(struct netlink *self, const struct netlink_in *in)
{
    struct nl_send_in to_send = {};
    struct nl_receive_in to_receive = {.first = in->first};
    nl_nics reset = 0;

    for (int n = 0; n < NL_NICS; n++) {
        to_send.nic[n].request = in->from_nic[n].request;
        to_send.nic[n].response = in->from_nic[n].response;
        reset |= (nl_nics)((nl_nics)in->from_nic[n].reset << n);
        to_receive.room[n].request = in->from_nic[n].room_request;
        to_receive.room[n].response = in->from_nic[n].room_response;
    }
    for (int t = 0; t < NL_TILES; t++) {
        to_send.freed[t] = in->from_tile[t].freed;
        to_receive.tile[t] = in->from_tile[t];
    }
    to_send.reset = reset;
    to_receive.reset = reset;
    count(self);
    nl_send(&self->send, &to_send);
    nl_receive(&self->receive, &to_receive);
    forward(self);
}
