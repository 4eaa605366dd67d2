// SPDX-License-Identifier: Apache-2.0
/*
 * nl_receive.c - whole packets of processor tiles to the NICs that they name, those of a stream in turn.
 */
#include "nic/netlink/nl_receive.h"

#include "router/flit/masks.h"

#define ALL_TILES   ((nl_tiles) - 1)
#define REQUEST_VCS ((rtr_vcs)((1 << RTR_VCS / 2) - 1))

HLS_RESET void nl_receive_reset(struct nl_receive *self)
{
    self->out = (struct nl_receive_out){};
    for (int s = 0; s < NL_STREAMS; s++) {
        self->from[s] = 0;
        self->from_after[s] = 0;
    }
    for (int t = 0; t < NL_TILES; t++) {
        unpack_reset(&self->unpack[t]);
    }
    self->drops = 0;
    self->lost[0] = 0;
    self->lost[1] = 0;
}

/* ---- which NIC ------------------------------------------------------------------------------------ */

/* Marks of the fronts of one class, a bit per tile. */
struct nl_fronts {
    nl_tiles valid, head, tail, bad;
};

static inline struct nl_fronts look(const struct nl_receive *self, int cls)
{
    struct nl_fronts fronts = {};

    for (int t = 0; t < NL_TILES; t++) {
        const struct beat *front = &self->unpack[t].out.front[cls];

        fronts.valid |= (nl_tiles)((nl_tiles)front->valid << t);
        fronts.head |= (nl_tiles)((nl_tiles)front->head << t);
        fronts.tail |= (nl_tiles)((nl_tiles)front->tail << t);
        fronts.bad |= (nl_tiles)((nl_tiles)front->bad << t);
    }
    return fronts;
}

/* Tiles whose front of that class names NIC n; one beyond the last: none of ours. */
static inline nl_tiles naming(const struct nl_receive *self, int cls, rtr_sub first, int n)
{
    nl_tiles tiles = 0;

    for (int t = 0; t < NL_TILES; t++) {
        rtr_sub nic = (rtr_sub)(self->unpack[t].out.front[cls].word >> REQ_NODE_AT) - first;

        tiles |= (nl_tiles)((nl_tiles)(n == NL_NICS ? (u4)nic >= NL_NICS : nic == n) << t);
    }
    return tiles;
}

/* The tile whose packet goes to stream s: whole packets, in turn. room: of its NIC, or that is reset. */
static inline void turn_to(struct nl_receive *self, int s, nl_tiles tiles, u1 room)
{
    u8 turn = mask_turn(tiles, self->from_after[s]);

    if (self->from[s] == 0 && room && tiles != 0) {
        self->from[s] = (nl_tiles)mask_lowest(turn);
        self->from_after[s] = (nl_tiles)mask_above(turn);
    }
}

/*
 * The beat that goes to stream s, and from which tile: valid, head, tail and bad of all fronts of its class are given. reset: its NIC
 * is reset, so this beat and the others of its packet go nowhere.
 */
static inline struct beat pass(struct nl_receive *self, int s, const struct nl_fronts *fronts,
                               u1 reset, nl_tiles *taken)
{
    nl_tiles hit = self->from[s] & fronts->valid;
    u1 tail = (hit & fronts->tail) != 0;
    u1 drops = reset | (u1)(self->drops >> s);
    u1 goes_on = self->from[s] != 0 && !tail;
    struct beat beat = {
        .valid = hit != 0 && !drops,
        .head = (hit & fronts->head) != 0,
        .tail = tail,
        .bad = (hit & fronts->bad) != 0,
    };

    for (int t = 0; t < NL_TILES; t++) {
        beat.word |= (u1)(hit >> t) ? self->unpack[t].out.front[s & 1].word : (beat_word)0;
    }
    *taken |= hit;
    self->from[s] = tail ? (nl_tiles)0 : self->from[s];
    self->drops &= (nl_streams) ~((nl_streams)1 << s);
    self->drops |= (nl_streams)((nl_streams)(u1)(drops & goes_on) << s);
    return beat;
}

/* Beats to the NICs; taken[c]: the tiles whose front of class c goes. What names no NIC, or has an uncorrectable head, goes nowhere; astray[c]: tiles with one that names none. */
static inline void join(struct nl_receive *self, const struct nl_receive_in *in, nl_tiles taken[2],
                        nl_tiles astray[2])
{
    for (int c = 0; c < 2; c++) {
        struct nl_fronts fronts = look(self, c);
        nl_tiles begin = fronts.valid & fronts.head;
        nl_tiles uncorrectable = begin & fronts.bad;
        nl_tiles good = begin & ~fronts.bad;
        nl_tiles no_nic = good & naming(self, c, in->first, NL_NICS);
        nl_tiles lost = self->lost[c] | uncorrectable | no_nic;

        taken[c] = lost & fronts.valid;
        self->lost[c] = lost & ~(fronts.valid & fronts.tail);
        for (int n = 0; n < NL_NICS; n++) {
            nl_tiles here = good & naming(self, c, in->first, n);
            u1 reset = (u1)(in->reset >> n);
            int s = 2 * n + c;

            turn_to(self, s, here, (c ? in->room[n].response : in->room[n].request) | reset);
            if (c) {
                self->out.nic[n].response = pass(self, s, &fronts, reset, &taken[c]);
            } else {
                self->out.nic[n].request = pass(self, s, &fronts, reset, &taken[c]);
            }
        }
        astray[c] = no_nic;
        for (int t = 0; t < NL_TILES; t++) {
            self->out.sum.of[NETLINK_HEAD_LOST] += (u1)(uncorrectable >> t);
            self->out.sum.of[NETLINK_NO_NIC] += (u1)(no_nic >> t);
        }
    }
}

/* ---- tiles ---------------------------------------------------------------------------------------- */

static inline void unpacks(struct nl_receive *self, const struct nl_receive_in *in,
                           const nl_tiles taken[2])
{
    for (int t = 0; t < NL_TILES; t++) {
        u1 request = (u1)(taken[0] >> t), response = (u1)(taken[1] >> t);
        struct unpack_in to = {
            .valid = in->tile[t].valid,
            .flit = in->tile[t].flit,
            .head = in->tile[t].head,
            .tail = in->tile[t].tail,
            .bad = in->tile[t].bad,
            .pop = (u2)((u2)((u2)response << 1) | request),
            .ahead = response,
        };

        unpack(&self->unpack[t], &to);
    }
}

/* What the drop of the lowest counter is about: of several tiles the first. */
static inline nic_info info_of(const struct nl_receive *self, const nl_tiles astray[2])
{
    nl_tiles marked = 0, wrong = 0, misshaped = 0;
    nic_info info = 0;

    for (int t = 0; t < NL_TILES; t++) {
        marked |= (nl_tiles)((nl_tiles)self->unpack[t].out.marked << t);
        wrong |= (nl_tiles)((nl_tiles)self->unpack[t].out.wrong << t);
        misshaped |= (nl_tiles)((nl_tiles)self->unpack[t].out.misshaped << t);
    }
    nl_tiles dropped = marked != 0 ? marked : (wrong != 0 ? wrong : misshaped);
    nl_tiles first[2] = {dropped == 0 ? astray[0] : (nl_tiles)0,
                         dropped == 0 && astray[0] == 0 ? astray[1] : (nl_tiles)0};
    u8 from = mask_lowest(dropped), from_class[2] = {mask_lowest(first[0]), mask_lowest(first[1])};

    for (int t = 0; t < NL_TILES; t++) {
        info |= (u1)(from >> t) ? self->unpack[t].out.info : (nic_info)0;
        for (int c = 0; c < 2; c++) {
            info |= (u1)(from_class[c] >> t) ? (nic_info)self->unpack[t].out.front[c].word
                                             : (nic_info)0;
        }
    }
    return info;
}

/* Room and load for the router, and what the unpacks count. */
static inline void report(struct nl_receive *self)
{
    self->out.sum = (struct nl_counts){};
    for (int t = 0; t < NL_TILES; t++) {
        const struct unpack_out *un = &self->unpack[t].out;
        rtr_vcs requests = un->room[0] ? REQUEST_VCS : (rtr_vcs)0;
        rtr_vcs responses = un->room[1] ? (rtr_vcs)~REQUEST_VCS : (rtr_vcs)0;

        self->out.tile[t].room = requests | responses;
        self->out.tile[t].load = un->load;
        self->out.sum.of[NETLINK_MARKED] += un->marked;
        self->out.sum.of[NETLINK_WRONG] += un->wrong;
        self->out.sum.of[NETLINK_MISSHAPED] += un->misshaped;
        self->out.sum.of[NETLINK_CORRECTED] += un->corrected;
        self->out.sum.of[NETLINK_FATAL] += un->fatal;
    }
}

HLS_MODULE void nl_receive(struct nl_receive *self, const struct nl_receive_in *in)
{
    nl_tiles taken[2], astray[2];

    report(self);
    join(self, in, taken, astray);
    self->out.info = info_of(self, astray);
    unpacks(self, in, taken);

    hls_cover(self->drops != 0);
    hls_cover(self->lost[0] != 0);
    hls_cover(self->lost[1] != 0);
}
