// SPDX-License-Identifier: Apache-2.0
/*
 * netlink.c - packets of NICs to the processor tile that has least to do, or always to the same where order counts; and
 * packets of tiles to the NIC that they name.
 */
#include "nic/netlink.h"

#include "router/masks.h"

#define REQUEST_VCS ((rtr_vcs)((1 << RTR_VCS / 2) - 1))

HLS_RESET void netlink_reset(struct netlink *self)
{
    self->out = (struct netlink_out){};
    for (int s = 0; s < NL_SOURCES; s++) {
        beat_queue_reset(&self->entry[s]);
        self->way[s] = 0;
        self->move[s] = (struct nl_move){};
        self->from[s] = 0;
        self->from_after[s] = 0;
    }
    for (int t = 0; t < NL_TILES; t++) {
        pack_reset(&self->pack[t]);
        unpack_reset(&self->unpack[t]);
        self->less[t] = 0;
    }
    self->tile_after = 0;
    self->source_after = 0;
    for (int k = 0; k < NETLINK_COUNTS; k++) {
        self->pending[k] = 0;
    }
}

/* ---- out: which tile ------------------------------------------------------------------------------ */

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
static inline nl_tiles open_tiles(const struct netlink *self, int cls)
{
    nl_tiles tiles = 0;

    for (int t = 0; t < NL_TILES; t++) {
        tiles |= (nl_tiles)((nl_tiles)self->pack[t].out.room[cls] << t);
    }
    for (int s = 0; s < NL_SOURCES; s++) {
        tiles &= ~self->way[s];
    }
    return tiles;
}

/* Those of a set that have least to do. */
static inline nl_tiles least(const struct netlink *self, nl_tiles tiles)
{
    nl_tiles best = 0;

    for (int t = 0; t < NL_TILES; t++) {
        best |= (nl_tiles)((nl_tiles)((self->less[t] & tiles) == 0) << t);
    }
    return best & tiles;
}

/* One packet may begin in a clock: the stream whose turn it is, and its tile. */
static inline void choose(struct netlink *self)
{
    nl_tiles may[NL_SOURCES];
    u8 ready = 0;
    nl_tiles open[2] = {open_tiles(self, 0), open_tiles(self, 1)};
    nl_tiles best[2] = {least(self, open[0]), least(self, open[1])};

    for (int s = 0; s < NL_SOURCES; s++) {
        const struct beat *head = &self->entry[s].out.front;
        u1 adaptive = req_mode(head->word) < MODE_NMIN_HASH;

        may[s] = adaptive ? best[s & 1] : (nl_tiles)(open[s & 1] & fixed_tile(head->word));
        ready |= (u8)((u8)(head->valid && self->way[s] == 0 && may[s] != 0) << s);
    }
    u8 turn = mask_turn(ready, self->source_after);
    u8 chosen = mask_lowest(turn);

    for (int s = 0; s < NL_SOURCES; s++) {
        if ((u1)(chosen >> s)) {
            u8 tiles = mask_turn(may[s], self->tile_after);

            self->way[s] = (nl_tiles)mask_lowest(tiles);
            self->tile_after = (nl_tiles)mask_above(tiles);
        }
    }
    if (ready != 0) {
        self->source_after = (uint(NL_SOURCES))mask_above(turn);
    }
}

static inline void entries(struct netlink *self, const struct netlink_in *in)
{
    for (int s = 0; s < NL_SOURCES; s++) {
        struct beat front = self->entry[s].out.front;
        u1 goes = front.valid && self->way[s] != 0;
        const struct netlink_nic_in *nic = &in->from_nic[s >> 1];
        struct beat_queue_in to = {.push = s & 1 ? nic->response : nic->request, .pop = goes};

        self->move[s].beat = front;
        self->move[s].to = goes ? self->way[s] : (nl_tiles)0;
        if (goes && front.tail) {
            self->way[s] = 0;
        }
        beat_queue(&self->entry[s], &to);
    }
    for (int n = 0; n < NL_NICS; n++) {
        self->out.to_nic[n].room_request = self->entry[2 * n].out.room;
        self->out.to_nic[n].room_response = self->entry[2 * n + 1].out.room;
    }
}

static inline void packs(struct netlink *self, const struct netlink_in *in,
                         const struct nl_move move[NL_SOURCES])
{
    for (int t = 0; t < NL_TILES; t++) {
        struct pack_in to = {.freed = in->from_tile[t].freed};

        for (int s = 0; s < NL_SOURCES; s++) {
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

/* ---- in: which NIC -------------------------------------------------------------------------------- */

/* Tiles at whose front a packet of stream s begins. */
static inline nl_tiles waiting(const struct netlink *self, const struct netlink_in *in, int s)
{
    nl_tiles tiles = 0;

    for (int t = 0; t < NL_TILES; t++) {
        const struct beat *front = &self->unpack[t].out.front[s & 1];
        rtr_sub nic = head_sub((rtr_flit)front->word) - in->first;

        tiles |= (nl_tiles)((nl_tiles)(front->valid && front->head && !front->bad && nic == s >> 1)
                            << t);
    }
    return tiles;
}

/* Beats to the NICs; what is popped of each tile. */
static inline void join(struct netlink *self, const struct netlink_in *in, u2 pop[NL_TILES])
{
    for (int s = 0; s < NL_SOURCES; s++) {
        const struct netlink_nic_in *nic = &in->from_nic[s >> 1];
        u1 room = s & 1 ? nic->room_response : nic->room_request;
        nl_tiles tiles = waiting(self, in, s);
        u8 turn = mask_turn(tiles, self->from_after[s]);
        struct beat beat = {};

        if (self->from[s] == 0 && room && tiles != 0) {
            self->from[s] = (nl_tiles)mask_lowest(turn);
            self->from_after[s] = (nl_tiles)mask_above(turn);
        }
        for (int t = 0; t < NL_TILES; t++) {
            const struct beat *front = &self->unpack[t].out.front[s & 1];
            u1 hit = (u1)(self->from[s] >> t) & front->valid;

            beat.valid |= hit;
            beat.head |= hit & front->head;
            beat.tail |= hit & front->tail;
            beat.bad |= hit & front->bad;
            beat.word |= hit ? front->word : (beat_word)0;
            pop[t] |= (u2)((u2)hit << (s & 1));
        }
        if (beat.valid && beat.tail) {
            self->from[s] = 0;
        }
        if (s & 1) {
            self->out.to_nic[s >> 1].response = beat;
        } else {
            self->out.to_nic[s >> 1].request = beat;
        }
    }
}

/* ---- counters ------------------------------------------------------------------------------------- */

static inline void count(struct netlink *self)
{
    u4 sum[NETLINK_COUNTS] = {};

    for (int t = 0; t < NL_TILES; t++) {
        const struct unpack_out *un = &self->unpack[t].out;
        const struct pack_out *pa = &self->pack[t].out;

        sum[NETLINK_SPOILT] += un->spoilt;
        sum[NETLINK_WRONG] += un->wrong;
        sum[NETLINK_MISSHAPED] += un->misshaped;
        sum[NETLINK_HEAD_LOST] += pa->spoilt;
        sum[NETLINK_CORRECTED] += (u4)((u4)un->corrected + pa->corrected);
        sum[NETLINK_FATAL] += (u4)((u4)un->fatal + pa->fatal);
    }
    for (int k = 0; k < NETLINK_COUNTS; k++) {
        self->pending[k] = sum[k];
    }
}

static inline void unpacks(struct netlink *self, const struct netlink_in *in,
                           const u2 pop[NL_TILES])
{
    for (int t = 0; t < NL_TILES; t++) {
        struct unpack_in to = {.valid = in->from_tile[t].valid,
                               .flit = in->from_tile[t].flit,
                               .head = in->from_tile[t].head,
                               .tail = in->from_tile[t].tail,
                               .bad = in->from_tile[t].bad,
                               .pop = pop[t]};

        unpack(&self->unpack[t], &to);
    }
}

HLS_MODULE void netlink(struct netlink *self, const struct netlink_in *in)
{
    struct nl_move move[NL_SOURCES];
    u2 pop[NL_TILES] = {};

    for (int s = 0; s < NL_SOURCES; s++) {
        move[s] = self->move[s];
    }
    for (int t = 0; t < NL_TILES; t++) {
        rtr_vcs requests = self->unpack[t].out.room[0] ? REQUEST_VCS : (rtr_vcs)0;
        rtr_vcs responses = self->unpack[t].out.room[1] ? (rtr_vcs)~REQUEST_VCS : (rtr_vcs)0;

        for (int u = 0; u < NL_TILES; u++) {
            u1 is = self->pack[u].out.load < self->pack[t].out.load;

            self->less[t] = is ? self->less[t] | (nl_tiles)((nl_tiles)1 << u)
                               : self->less[t] & ~(nl_tiles)((nl_tiles)1 << u);
        }
        self->out.to_tile[t].room = requests | responses;
        self->out.to_tile[t].spare = requests | responses;
        self->out.to_tile[t].ready = 1;
        self->out.to_tile[t].peer_load = self->unpack[t].out.load;
    }
    count(self);
    choose(self);
    join(self, in, pop);
    entries(self, in);
    packs(self, in, move);
    unpacks(self, in, pop);
    for (int t = 0; t < NL_TILES; t++) {
        self->out.to_tile[t].valid = self->pack[t].out.valid;
        self->out.to_tile[t].flit = self->pack[t].out.flit;
        self->out.to_tile[t].bad = self->pack[t].out.bad;
    }
}
