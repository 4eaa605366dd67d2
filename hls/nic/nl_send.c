// SPDX-License-Identifier: Apache-2.0
/*
 * nl_send.c - packets of NICs to the processor tile that has least to do, or always to the same where order counts.
 *
 * A packet waits for its tile at the front of its stream's queue. One packet a clock may begin; its beats then follow each
 * other through `move` to the tile's own queue, and nobody else's come between.
 */
#include "nic/nl_send.h"

#include "router/masks.h"

HLS_RESET void nl_send_reset(struct nl_send *self)
{
    self->out = (struct nl_send_out){};
    for (int s = 0; s < NL_STREAMS; s++) {
        beat_queue_reset(&self->entry[s]);
        self->way[s] = 0;
        self->move[s] = (struct nl_move){};
    }
    for (int t = 0; t < NL_TILES; t++) {
        pack_reset(&self->pack[t]);
        self->less[t] = 0;
    }
    self->tile_after = 0;
    self->stream_after = 0;
}

/* ---- which tile ----------------------------------------------------------------------------------- */

/* The tile of all packets to one destination, or to one line of it. */
static inline nl_tiles fixed_tile(beat_word word)
{
    rtr_flit head = (rtr_flit)word;
    u18 place = req_node(word);
    u8 line = req_mode(word) == MODE_IN_ORDER ? (u8)0 : head_hash(head);
    u18 sum = place ^ line;
    u3 number = 0;

    for (int i = 0; i < 6; i++) {
        number ^= (u3)(sum >> (3 * i));
    }
    return (nl_tiles)((nl_tiles)1 << (number & (NL_TILES - 1)));
}

/* Tiles that may begin a packet of a class. */
static inline nl_tiles open_tiles(const struct nl_send *self, int cls)
{
    nl_tiles tiles = 0;

    for (int t = 0; t < NL_TILES; t++) {
        tiles |= (nl_tiles)((nl_tiles)self->pack[t].out.room[cls] << t);
    }
    for (int s = 0; s < NL_STREAMS; s++) {
        tiles &= ~self->way[s];
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
        const struct beat *head = &self->entry[s].out.front;
        u1 adaptive = req_mode(head->word) < MODE_NMIN_HASH;

        may[s] = adaptive ? best[s & 1] : (nl_tiles)(open[s & 1] & fixed_tile(head->word));
        ready |= (u8)((u8)(head->valid && self->way[s] == 0 && may[s] != 0) << s);
    }
    u8 turn = mask_turn(ready, self->stream_after);
    u8 chosen = mask_lowest(turn);

    for (int s = 0; s < NL_STREAMS; s++) {
        if ((u1)(chosen >> s)) {
            u8 tiles = mask_turn(may[s], self->tile_after);

            self->way[s] = (nl_tiles)mask_lowest(tiles);
            self->tile_after = (nl_tiles)mask_above(tiles);
        }
    }
    if (ready != 0) {
        self->stream_after = (nl_streams)mask_above(turn);
    }
}

static inline void entries(struct nl_send *self, const struct nl_send_in *in)
{
    for (int s = 0; s < NL_STREAMS; s++) {
        struct beat front = self->entry[s].out.front;
        u1 goes = front.valid && self->way[s] != 0;
        const struct nl_beats *nic = &in->nic[s >> 1];
        struct beat_queue_in to = {.push = s & 1 ? nic->response : nic->request, .pop = goes};

        self->move[s].beat = front;
        self->move[s].to = goes ? self->way[s] : (nl_tiles)0;
        if (goes && front.tail) {
            self->way[s] = 0;
        }
        beat_queue(&self->entry[s], &to);
    }
    for (int n = 0; n < NL_NICS; n++) {
        self->out.room[n].request = self->entry[2 * n].out.room;
        self->out.room[n].response = self->entry[2 * n + 1].out.room;
    }
}

static inline void packs(struct nl_send *self, const struct nl_send_in *in,
                         const struct nl_move move[NL_STREAMS])
{
    for (int t = 0; t < NL_TILES; t++) {
        struct pack_in to = {.freed = in->freed[t]};

        for (int s = 0; s < NL_STREAMS; s++) {
            u1 hit = (u1)(move[s].to >> t);

            to.push.valid |= hit;
            to.push.tail |= hit & move[s].beat.tail;
            to.push.bad |= hit & move[s].beat.bad;
            to.push.word |= hit ? move[s].beat.word : (beat_word)0;
            to.push_class |= hit & (u1)(s & 1);
        }
        pack(&self->pack[t], &to);
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

        self->out.sum.of[NETLINK_HEAD_LOST] += pack->spoilt;
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
    struct nl_move move[NL_STREAMS];

    for (int s = 0; s < NL_STREAMS; s++) {
        move[s] = self->move[s];
    }
    choose(self);
    compare(self);
    count(self);
    entries(self, in);
    packs(self, in, move);
    for (int t = 0; t < NL_TILES; t++) {
        self->out.tile[t].valid = self->pack[t].out.valid;
        self->out.tile[t].flit = self->pack[t].out.flit;
        self->out.tile[t].bad = self->pack[t].out.bad;
    }
}
