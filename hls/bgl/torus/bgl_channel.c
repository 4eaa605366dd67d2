// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_channel.c - what the packet in front of a FIFO asks for.
 */
#include "bgl/torus/bgl_channel.h"

#define MOVES 12 /* port and dynamic VC: bit 2 port + vc */

typedef uint(MOVES) move_set;

HLS_RESET void bgl_channel_reset(struct bgl_channel *self)
{
    *self = (struct bgl_channel){0};
}

/* Dynamic moves that are possible and available. */
static inline move_set dynamic_moves(const struct bgl_channel_in *in)
{
    move_set moves = 0;

    for (int p = 0; p < BGL_PORTS; p++) {
        u2 one = (u2)in->avail[p].one;

        moves |= (u1)(in->front.hints >> p) ? (move_set)((move_set)one << (2 * p)) : (move_set)0;
    }
    return moves;
}

/* Those of a set that have most tokens. */
static inline move_set shortest_queue(move_set moves, const struct bgl_channel_in *in)
{
    move_set high = 0;
    move_set low = 0;

    for (int m = 0; m < MOVES; m++) {
        u2 range = in->avail[m / 2].range[m % 2];

        high |= (move_set)((move_set)(u1)(range >> 1) << m);
        low |= (move_set)((move_set)(u1)range << m);
    }
    move_set best = (moves & high) != 0 ? (move_set)(moves & high) : moves;

    return (best & low) != 0 ? (move_set)(best & low) : best;
}

/* One-hot: the first one from a random place on. */
static inline move_set at_random(move_set moves, u4 random)
{
    move_set turn = moves & (move_set)((u32)0xFFF << random);
    move_set of = turn != 0 ? turn : moves;

    return (move_set)(of & -of);
}

/* The first of x, y, z that is hinted. */
static inline u3 first_port(u6 hints)
{
    u3 port = 0;

    for (int p = BGL_PORTS - 1; p >= 0; p--) {
        port = (u1)(hints >> p) ? (u3)p : port;
    }
    return port;
}

/* VC 2, or 3: one place for what goes on in its direction on that VC, two for what enters. */
static inline u1 escape_is_there(const struct bgl_channel_in *in, u3 port, u2 vc)
{
    u1 straight = in->from != FROM_HOST && port == (in->from ^ 1) && in->front.vc == vc;
    u4 places = straight ? in->avail[port].one : in->avail[port].two;

    return (u1)(places >> vc);
}

static inline struct bgl_request ask(const struct bgl_channel_in *in)
{
    const struct bgl_front *front = &in->front;
    u1 high = front->vc == 3;
    u1 here = front->hints == 0;
    move_set moves = front->dyn && !high ? dynamic_moves(in) : (move_set)0;
    move_set one = at_random(shortest_queue(moves, in), in->random);
    u3 escape = first_port(front->hints);
    u2 escape_vc = high ? (u2)3 : (u2)2;
    u1 may = moves != 0 || escape_is_there(in, escape, escape_vc);
    u3 port = escape;
    u2 vc = escape_vc;

    for (int m = 0; m < MOVES; m++) {
        if ((u1)(one >> m)) {
            port = (u3)(m / 2);
            vc = (u2)(m % 2);
        }
    }
    return (struct bgl_request){
        .valid =
            front->valid && (here ? in->room : may && in->bus_free && (!front->dp || in->room)),
        .early = front->early,
        .here = here,
        .port = port,
        .vc = vc,
        .n = front->n,
        .dp = front->dp && !here,
        .high = high,
    };
}

/* A high-priority packet that could go but for the link's present packet; its receiver keeps a bus for it. */
static inline u1 waits(const struct bgl_channel_in *in)
{
    u3 port = first_port(in->front.hints);
    u1 straight = in->from != FROM_HOST && port == (in->from ^ 1);

    return in->front.valid && in->front.vc == 3 && in->front.hints != 0 &&
           (u1)(in->avail[port].soon >> !straight);
}

HLS_MODULE void bgl_channel(struct bgl_channel *self, const struct bgl_channel_in *in)
{
    u1 answered = self->open;

    self->out.request = ask(in);
    self->out.escapes = in->front.dyn && self->out.request.vc >= 2 && !self->out.request.here;
    if (in->picked || (answered && in->granted)) {
        self->out.request.valid = 0;
    }
    self->out.waits = waits(in);
    self->open = in->picked;
    hls_cover(self->out.request.valid && self->out.escapes);
    hls_cover(self->out.request.valid && self->out.request.here);
}
