// SPDX-License-Identifier: Apache-2.0
/*
 * nl_entry.c - a FIFO of encoded beats; the read register of its memory is the front.
 */
#include "nic/netlink/nl_entry.h"

#include "nic/packet/nic_packet.h"

#if 1 << NL_ENTRY_LOG2 < BEAT_ROOM + BEATS
#error "nl_entry: room would never be given while a packet waits"
#endif

HLS_RESET void nl_entry_reset(struct nl_entry *self)
{
    self->out = (struct nl_entry_out){};
    self->rd = 0;
    self->wr = 0;
    self->inside = 0;
    self->cut = 0;
}

/* The tile of all packets to one destination, or (not IN_ORDER) to one line of it. */
static inline nl_tile fixed_tile(beat_word word)
{
    u8 line = req_mode(word) == MODE_IN_ORDER ? (u8)0 : BEAT_FIELD(word, REQ_HASH_AT, 8);
    u18 sum = req_node(word) ^ line;
    u3 tile = 0;

    for (int i = 0; i < 6; i++) {
        tile ^= (u3)(sum >> (3 * i));
    }
    return (nl_tile)tile;
}

#define TAIL_MARKS 0x1F

/* From the low end: tail five times, adaptive, tile. */
static inline nl_mark_ecc_data marks_of(const struct beat *beat)
{
    u1 adaptive = req_mode(beat->word) < MODE_NMIN_HASH;
    nl_mark_ecc_data tail = beat->tail ? (nl_mark_ecc_data)TAIL_MARKS : (nl_mark_ecc_data)0;

    return (nl_mark_ecc_data)(tail | ((nl_mark_ecc_data)adaptive << 5) |
                              ((nl_mark_ecc_data)fixed_tile(beat->word) << 6));
}

/* What comes in: a beat of the NIC, or the tail of a packet of which a reset has taken the rest. */
static inline struct beat take(struct nl_entry *self, const struct nl_entry_in *in)
{
    struct beat beat = in->push;

    hls_assume(!self->cut ||
               !in->push.valid); /* a NIC sends nothing in the clock behind its reset */
    beat.valid |= self->cut;
    beat.tail |= self->cut;
    beat.bad |= self->cut;
    self->inside = beat.valid ? !beat.tail : self->inside;
    self->cut = in->reset && self->inside;
    return beat;
}

HLS_MODULE void nl_entry(struct nl_entry *self, const struct nl_entry_in *in)
{
    u1 free = !self->out.valid || in->pop;
    u1 read = free && self->rd != self->wr;
    struct beat push = take(self, in);

    hls_assume(!in->pop || self->out.valid); /* nl_send looks at valid first */
    /* NICs heed room: beat.h. */
    hls_assume(!push.valid || (nl_entry_count)(self->wr - self->rd) != 1 << NL_ENTRY_LOG2);

    nl_mark_ecc_word mark = self->marks[(nl_entry_place)self->rd];
    struct nl_mark_ecc_result fixed = nl_mark_ecc_decode(mark);

    self->out.corrected = read && fixed.corrected;
    self->out.fatal = read && fixed.fatal;
    if (free) {
        self->out.valid = read;
    }
    if (read) {
        self->out.code = self->codes[(nl_entry_place)self->rd];
        self->out.tail =
            __builtin_popcount((unsigned)(u5)mark) >= 3; /* as it stands: 3 of 5 are right */
        self->out.adaptive = (u1)(fixed.data >> 5);
        self->out.tile = (nl_tile)(fixed.data >> 6);
        self->rd++;
    }
    if (push.valid) {
        self->codes[(nl_entry_place)self->wr] = beat_encode(&push);
        self->marks[(nl_entry_place)self->wr] = nl_mark_ecc_encode(marks_of(&push));
        self->wr++;
    }
    self->out.room = (nl_entry_count)(self->wr - self->rd) <= (1 << NL_ENTRY_LOG2) - BEAT_ROOM;
    hls_cover(in->pop && !read && in->push.valid); /* the last one goes as the next one comes */
    hls_cover(in->pop && !self->out.room);
    hls_cover(self->cut);
    hls_cover(self->out.corrected && self->out.tail);
    hls_cover(self->out.fatal && self->out.tail);
}
