// SPDX-License-Identifier: Apache-2.0
/*
 * nl_send.c - packets of NICs to the processor tile that has least to do, or always to the same where order counts.
 *
 * A packet waits for its tile at the front of its stream's queue. One packet a clock may begin; its beats then follow each
 * other into the tile's own queue, and nobody else's come between.
 */
#include "nic/netlink/nl_send.h"

#include "router/flit/masks.h"

HLS_RESET void nl_send_reset(struct nl_send *self)
{
    self->out = (struct nl_send_out){};
    for (int s = 0; s < NL_STREAMS; s++) {
        nl_entry_reset(&self->entry[s]);
        self->choice[s] = 0;
    }
    for (int t = 0; t < NL_TILES; t++) {
        pack_reset(&self->pack[t]);
        self->less[t] = 0;
    }
    self->tile_after = 0;
    self->stream_after = 0;
}

/* ---- which tile ----------------------------------------------------------------------------------- */

/* Tiles that may begin a packet of a class. */
static inline nl_tiles open_tiles(const struct nl_send *self, int cls)
{
    nl_tiles tiles = 0;

    for (int t = 0; t < NL_TILES; t++) {
        tiles |= (nl_tiles)((nl_tiles)self->pack[t].out.room[cls] << t);
    }
    for (int s = 0; s < NL_STREAMS; s++) {
        tiles &= ~self->choice[s];
    }
    return tiles;
}

/* Those of a set that have least to do. */
static inline nl_tiles least(const struct nl_send *self, nl_tiles tiles)
{
    nl_tiles best = 0;

    for (int t = 0; t < NL_TILES; t++) {
        best |= (nl_tiles)((nl_tiles)((self->less[t] & tiles) == 0) << t);
    }
    return best & tiles;
}

/* One packet may begin in a clock: the stream whose turn it is, and its tile. */
static inline void choose(struct nl_send *self)
{
    nl_tiles may[NL_STREAMS];
    u8 ready = 0;
    nl_tiles open[2] = {open_tiles(self, 0), open_tiles(self, 1)};
    nl_tiles best[2] = {least(self, open[0]), least(self, open[1])};

    for (int s = 0; s < NL_STREAMS; s++) {
        const struct nl_entry_out *front = &self->entry[s].out;
        nl_tiles fixed = (nl_tiles)((nl_tiles)1 << front->tile);

        may[s] = front->adaptive ? best[s & 1] : (nl_tiles)(open[s & 1] & fixed);
        ready |= (u8)((u8)(front->valid && self->choice[s] == 0 && may[s] != 0) << s);
    }
    u8 turn = mask_turn(ready, self->stream_after);
    u8 chosen = mask_lowest(turn);

    for (int s = 0; s < NL_STREAMS; s++) {
        if ((u1)(chosen >> s)) {
            u8 tiles = mask_turn(may[s], self->tile_after);

            self->choice[s] = (nl_tiles)mask_lowest(tiles);
            self->tile_after = (nl_tiles)mask_above(tiles);
        }
    }
    if (ready != 0) {
        self->stream_after = (nl_streams)mask_above(turn);
    }
}

/* The fronts of streams that have chosen a tile go into the queues of their tiles. */
static inline void packs(struct nl_send *self, const struct nl_send_in *in)
{
    for (int t = 0; t < NL_TILES; t++) {
        struct pack_in to = {.freed = in->freed[t]};

        for (int s = 0; s < NL_STREAMS; s++) {
            u1 hit = (u1)(self->choice[s] >> t) & self->entry[s].out.valid;

            to.push |= hit;
            to.push_class |= hit & (u1)(s & 1);
            to.code |= hit ? self->entry[s].out.code : (beat_code)0;
        }
        pack(&self->pack[t], &to);
    }
}

static inline void entries(struct nl_send *self, const struct nl_send_in *in)
{
    for (int s = 0; s < NL_STREAMS; s++) {
        const struct nl_beats *nic = &in->nic[s >> 1];
        u1 goes = self->entry[s].out.valid && self->choice[s] != 0;
        u1 ends = goes && self->entry[s].out.tail;
        struct nl_entry_in to = {.push = s & 1 ? nic->response : nic->request,
                                 .reset = (u1)(in->reset >> (s >> 1)),
                                 .pop = goes};

        self->choice[s] = ends ? (nl_tiles)0 : self->choice[s];
        nl_entry(&self->entry[s], &to);
    }
    for (int n = 0; n < NL_NICS; n++) {
        self->out.room[n].request = self->entry[2 * n].out.room;
        self->out.room[n].response = self->entry[2 * n + 1].out.room;
    }
}

/* Which tiles have less to do than which. */
static inline void compare(struct nl_send *self)
{
    for (int t = 0; t < NL_TILES; t++) {
        nl_tiles less = 0;

        for (int u = 0; u < NL_TILES; u++) {
            less |= (nl_tiles)((nl_tiles)(self->pack[u].out.load < self->pack[t].out.load) << u);
        }
        self->less[t] = less;
    }
}

static inline void count(struct nl_send *self)
{
    self->out.sum = (struct nl_counts){};
    for (int t = 0; t < NL_TILES; t++) {
        const struct pack_out *pack = &self->pack[t].out;

        self->out.sum.of[NETLINK_HEAD_LOST] += pack->uncorrectable;
        self->out.sum.of[NETLINK_CORRECTED] += pack->corrected;
        self->out.sum.of[NETLINK_FATAL] += pack->fatal;
    }
    for (int s = 0; s < NL_STREAMS; s++) {
        self->out.sum.of[NETLINK_CORRECTED] += self->entry[s].out.corrected;
        self->out.sum.of[NETLINK_FATAL] += self->entry[s].out.fatal;
    }
}

HLS_MODULE void nl_send(struct nl_send *self, const struct nl_send_in *in)
{
    choose(self);
    hls_cover(self->entry[0].out.valid && self->choice[0] == 0); /* waits for a tile */
    compare(self);
    count(self);
    packs(self, in);
    entries(self, in);
    for (int t = 0; t < NL_TILES; t++) {
        self->out.tile[t].valid = self->pack[t].out.valid;
        self->out.tile[t].flit = self->pack[t].out.flit;
        self->out.tile[t].bad = self->pack[t].out.bad;
#if RTR_LENGTH_BITS == 0
        self->out.tile[t].tail = self->pack[t].out.tail;
#endif
    }
}
