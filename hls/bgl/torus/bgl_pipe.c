// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_pipe.c - a receiver's input pipeline: bytes to words, headers checked on the fly.
 */
#include "bgl/torus/bgl_pipe.h"

/* What is wrong with a header that CRC-8 let through. */
struct pipe_verdict {
    u1 impossible;
    u1 wrong_node;
    u1 lost_way;
};

HLS_RESET void bgl_pipe_reset(struct bgl_pipe *self)
{
    *self = (struct bgl_pipe){0};
}

/* Both directions of a dimension, or back; VCs 0, 1 without `dyn`; a broadcast with two hints, or on VC 3. */
static inline u1 is_impossible(u64 h, u3 port)
{
    u6 hints = header_hints(h);
    u1 both = (hints & (hints >> 1) & 0x15) != 0;
    u1 fixed = header_vc(h) < 2 && !header_dynamic(h);
    u1 several = (hints & (u6)(hints - 1)) != 0;

    return both || (u1)((u8)hints >> port) || fixed ||
           (header_deposit(h) && (several || header_vc(h) == 3));
}

/* A packet that came along a dimension whose hint is still set although that coordinate is ours would run round for ever. */
static inline u1 is_lost(u64 h, const struct bgl_pipe_in *in)
{
    u6 hints = header_hints(h);
    u6 mine = (u6)(3 << (in->own_port & 6));
    u8 theirs = in->own_port < 2 ? header_x(h) : in->own_port < 4 ? header_y(h) : header_z(h);
    u8 ours = in->own_port < 2 ? in->at.node.x : in->own_port < 4 ? in->at.node.y : in->at.node.z;

    return (hints & mine) != 0 && theirs == ours;
}

static inline struct pipe_verdict look(u64 h, const struct bgl_pipe_in *in)
{
    u1 impossible = is_impossible(h, in->own_port);
    u1 lost = is_lost(h, in);

    return (struct pipe_verdict){
        .impossible = impossible,
        .wrong_node = !impossible && header_hints(h) == 0 && !header_here(h, &in->at),
        .lost_way = !impossible && lost,
    };
}

/* The header is whole. */
static inline void judge(struct bgl_pipe *self, const struct bgl_pipe_in *in, u64 word)
{
    struct pipe_verdict verdict = look(word, in);
    u1 refused = verdict.impossible || verdict.wrong_node || verdict.lost_way;

    self->takes = in->head && !refused;
    self->counts = in->head && refused;
    self->out.impossible = in->head && verdict.impossible;
    self->out.wrong_node = in->head && verdict.wrong_node;
    self->out.lost_way = in->head && verdict.lost_way;
    self->out.vc = header_vc(word);
    self->out.size = in->n;
}

/* Bytes 0 to 2 are gathered: where the packet may go. One that has arrived needs no sender and is not shown. */
static inline void show_early(struct bgl_pipe *self, const struct bgl_pipe_in *in)
{
    u64 header = (u64)((u64)self->gather << 40);
    u1 inner = self->head && in->bus.ctl == BUS_INNER;

    if (self->phase == 3) {
        self->out.early =
            front_of(header, header_hints(header), inner && header_hints(header) != 0);
        self->out.early.early = 1;
        self->out.early.n = in->n;
    } else {
        self->out.early.valid = self->out.early.valid && inner && self->phase < 7;
    }
}

static inline void take_byte(struct bgl_pipe *self, const struct bgl_pipe_in *in)
{
    u64 word = (u64)((u64)self->gather << 8) | in->bus.data;
    u1 first = in->bus.ctl == BUS_FIRST;
    u1 wrong = bus_wrong(in->bus);

    if (first) {
        self->phase = 0;
        self->head = 1;
        self->takes = 0;
        self->counts = 0;
    }
    self->out.parity = wrong && !(self->bad && !first);
    self->bad = wrong || (self->bad && !first);
    if (in->bus.ctl != BUS_LAST) {
        if (self->phase == 7) {
            if (self->head) {
                judge(self, in, word);
            }
            self->out.write = self->takes;
            self->out.first = self->head;
            self->out.word = word;
            self->head = 0;
        }
        self->gather = (u56)word;
        self->phase++;
    }
}

HLS_MODULE void bgl_pipe(struct bgl_pipe *self, const struct bgl_pipe_in *in)
{
    self->out.write = 0;
    self->out.done = 0;
    self->out.good = 0;
    self->out.dropped = 0;
    self->out.impossible = 0;
    self->out.wrong_node = 0;
    self->out.lost_way = 0;
    self->out.parity = 0;
    show_early(self, in);
    if (in->bus.ctl != BUS_NONE) {
        take_byte(self, in);
    }
    if (in->over) {
        self->out.done = self->takes;
        self->out.good = self->takes && in->accepted;
        self->out.valid = in->whole && !self->bad;
        self->out.dropped = self->counts && in->accepted;
        self->takes = 0;
        self->counts = 0;
    }
    hls_cover(self->out.write && self->out.first);
    hls_cover(self->out.early.valid);
    hls_cover(self->out.dropped);
}
