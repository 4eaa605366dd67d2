// SPDX-License-Identifier: Apache-2.0
/*
 * netlink.c - packets of NICs to the processor tile that has least to do, or always to the same where order counts; and
 * packets of tiles to the NIC that they name.
 */
#include "nic/netlink.h"

#include "router/masks.h"

#define ALL_TILES   ((nl_tiles) - 1)
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
        self->out.to_tile[t].ready = 1;
    }
    self->lost[0] = 0;
    self->lost[1] = 0;
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

/* Where the packets at the fronts of one class begin that may go on: bit t of to[n] is tile t's to NIC n. */
struct nl_heads {
    nl_tiles to[NL_NICS];
    nl_tiles bad;    /* spoilt */
    nl_tiles no_nic; /* for a `sub` that is not ours */
};

static inline struct nl_heads heads(const struct netlink *self, const struct netlink_in *in,
                                    int cls)
{
    struct nl_heads heads = {};

    for (int t = 0; t < NL_TILES; t++) {
        const struct beat *front = &self->unpack[t].out.front[cls];
        nl_tiles bit = (nl_tiles)((nl_tiles)(front->valid & front->head) << t);
        rtr_sub nic = head_sub((rtr_flit)front->word) - in->first;

        heads.bad |= front->bad ? bit : (nl_tiles)0;
        heads.no_nic |= !front->bad && nic >= NL_NICS ? bit : (nl_tiles)0;
        for (int n = 0; n < NL_NICS; n++) {
            heads.to[n] |= !front->bad && nic == n ? bit : (nl_tiles)0;
        }
    }
    return heads;
}

/* Packets that go nowhere are taken off; in front are those of a class. */
static inline nl_tiles forget(struct netlink *self, const struct nl_heads *heads, int cls)
{
    nl_tiles lost = self->lost[cls] | heads->bad | heads->no_nic;
    nl_tiles taken = 0;

    for (int t = 0; t < NL_TILES; t++) {
        const struct beat *front = &self->unpack[t].out.front[cls];
        nl_tiles bit = (nl_tiles)((nl_tiles)1 << t);

        taken |= front->valid ? lost & bit : (nl_tiles)0;
        lost &= front->valid && front->tail ? (nl_tiles)~bit : ALL_TILES;
    }
    self->lost[cls] = lost;
    return taken;
}

/* The tile whose packet goes to stream s: whole packets, in turn. */
static inline void turn_to(struct netlink *self, int s, nl_tiles tiles, u1 room)
{
    u8 turn = mask_turn(tiles, self->from_after[s]);

    if (self->from[s] == 0 && room && tiles != 0) {
        self->from[s] = (nl_tiles)mask_lowest(turn);
        self->from_after[s] = (nl_tiles)mask_above(turn);
    }
}

/* The beat that goes to stream s, and from which tile. */
static inline struct beat pass(struct netlink *self, int s, nl_tiles *taken)
{
    struct beat beat = {};

    for (int t = 0; t < NL_TILES; t++) {
        const struct beat *front = &self->unpack[t].out.front[s & 1];
        u1 hit = (u1)(self->from[s] >> t) & front->valid;

        beat.valid |= hit;
        beat.head |= hit & front->head;
        beat.tail |= hit & front->tail;
        beat.bad |= hit & front->bad;
        beat.word |= hit ? front->word : (beat_word)0;
        *taken |= (nl_tiles)((nl_tiles)hit << t);
    }
    if (beat.valid && beat.tail) {
        self->from[s] = 0;
    }
    return beat;
}

/* Beats to the NICs; taken[c]: the tiles whose front of class c goes. */
static inline void join(struct netlink *self, const struct netlink_in *in, nl_tiles taken[2],
                        nl_counts *sum)
{
    for (int c = 0; c < 2; c++) {
        struct nl_heads begin = heads(self, in, c);

        taken[c] = forget(self, &begin, c);
        for (int n = 0; n < NL_NICS; n++) {
            const struct netlink_nic_in *nic = &in->from_nic[n];
            int s = 2 * n + c;

            turn_to(self, s, begin.to[n], c ? nic->room_response : nic->room_request);
            if (c) {
                self->out.to_nic[n].response = pass(self, s, &taken[c]);
            } else {
                self->out.to_nic[n].request = pass(self, s, &taken[c]);
            }
        }
        for (int t = 0; t < NL_TILES; t++) {
            sum->of[NETLINK_HEAD_LOST] += (u1)(begin.bad >> t);
            sum->of[NETLINK_NO_NIC] += (u1)(begin.no_nic >> t);
        }
    }
}

/* ---- counters ------------------------------------------------------------------------------------- */

/* All that the blocks say; several at once are told one after the other. */
static inline void count(struct netlink *self, nl_counts *sum)
{
    for (int t = 0; t < NL_TILES; t++) {
        const struct unpack_out *in = &self->unpack[t].out;
        const struct pack_out *out = &self->pack[t].out;

        sum->of[NETLINK_SPOILT] += in->spoilt;
        sum->of[NETLINK_WRONG] += in->wrong;
        sum->of[NETLINK_MISSHAPED] += in->misshaped;
        sum->of[NETLINK_HEAD_LOST] += out->spoilt;
        sum->of[NETLINK_CORRECTED] += (u5)((u5)in->corrected + out->corrected);
        sum->of[NETLINK_FATAL] += (u5)((u5)in->fatal + out->fatal);
    }
    for (int s = 0; s < NL_SOURCES; s++) {
        sum->of[NETLINK_CORRECTED] += self->entry[s].out.corrected;
        sum->of[NETLINK_FATAL] += self->entry[s].out.fatal;
    }
    self->out.count = 0;
    for (int k = 0; k < NETLINK_COUNTS; k++) {
        u6 total = (u6)((u6)self->pending[k] + sum->of[k]);
        u1 tells = total != 0;

        total = (u6)(total - tells);
        self->out.count |= (uint(NETLINK_COUNTS))((uint(NETLINK_COUNTS))tells << k);
        self->pending[k] = total > 31 ? (u5)31 : (u5)total;
    }
}

/* ---- tiles ---------------------------------------------------------------------------------------- */

static inline void unpacks(struct netlink *self, const struct netlink_in *in,
                           const nl_tiles taken[2])
{
    for (int t = 0; t < NL_TILES; t++) {
        u1 request = (u1)(taken[0] >> t), response = (u1)(taken[1] >> t);
        struct unpack_in to = {
            .valid = in->from_tile[t].valid,
            .flit = in->from_tile[t].flit,
            .head = in->from_tile[t].head,
            .tail = in->from_tile[t].tail,
            .bad = in->from_tile[t].bad,
            .pop = (u2)((u2)((u2)response << 1) | request),
            .ahead = response,
        };

        unpack(&self->unpack[t], &to);
    }
}

/* What the router is told beside flits; its packets are as long as they are, so room for one is room for any. */
static inline void tell_router(struct netlink *self)
{
    for (int t = 0; t < NL_TILES; t++) {
        rtr_vcs requests = self->unpack[t].out.room[0] ? REQUEST_VCS : (rtr_vcs)0;
        rtr_vcs responses = self->unpack[t].out.room[1] ? (rtr_vcs)~REQUEST_VCS : (rtr_vcs)0;

        self->out.to_tile[t].room = requests | responses;
        self->out.to_tile[t].spare = requests | responses;
        self->out.to_tile[t].peer_load = self->unpack[t].out.load;
    }
}

/* Which tiles have less to do than which. */
static inline void compare(struct netlink *self)
{
    for (int t = 0; t < NL_TILES; t++) {
        nl_tiles less = 0;

        for (int u = 0; u < NL_TILES; u++) {
            less |= (nl_tiles)((nl_tiles)(self->pack[u].out.load < self->pack[t].out.load) << u);
        }
        self->less[t] = less;
    }
}

HLS_MODULE void netlink(struct netlink *self, const struct netlink_in *in)
{
    struct nl_move move[NL_SOURCES];
    nl_tiles taken[2];
    nl_counts sum = {};

    for (int s = 0; s < NL_SOURCES; s++) {
        move[s] = self->move[s];
    }
    choose(self);
    compare(self);
    join(self, in, taken, &sum);
    count(self, &sum);
    tell_router(self);
    entries(self, in);
    packs(self, in, move);
    unpacks(self, in, taken);
    for (int t = 0; t < NL_TILES; t++) {
        self->out.to_tile[t].valid = self->pack[t].out.valid;
        self->out.to_tile[t].flit = self->pack[t].out.flit;
        self->out.to_tile[t].bad = self->pack[t].out.bad;
    }
}
