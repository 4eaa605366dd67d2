// SPDX-License-Identifier: Apache-2.0
/*
 * crc_replay: CRC and replay of a link's sender: nine payload flits and a tenth with sideband and
 * CRC-20 make a micropacket, 64 of them are kept until acknowledged, a nak goes back to the oldest.
 *
 * The contract, clock by clock, is in hand/README.md; hand/crc_replay.v is the same block written
 * by hand, and scripts/area.sh compares the two.
 */
#include "hls.h"

enum { CRC_REPLAY_LAST_PAYLOAD = 8, CRC_REPLAY_SIDEBAND = 9 };

struct crc_replay_in {
    u1 in_valid; /* a payload flit is offered; taken when in_ready is high */
    u48 in_flit;
    u21 sideband; /* sampled when the tenth flit is put out */
    u1 ack_valid;
    u1 ack_nak; /* with ack_valid: send again from ack_seq */
    u7 ack_seq; /* all micropackets before this one are released */
};

struct crc_replay_out {
    u1 in_ready;
    u1 out_valid;
    u1 out_last; /* the tenth flit: {sequence 7, sideband 21, CRC 20} */
    u48 out_flit;
    u1 ack_bad; /* pulse: an ack outside the window was ignored */
};

struct crc_replay {
    struct crc_replay_out out;

    u7 write_seq; /* micropacket being filled */
    u4 write_index;
    u7 base_seq; /* oldest micropacket not released */
    u7 read_seq; /* micropacket being sent, or the next one */
    u7 high_seq; /* one past the newest that was ever started */
    u1 rewind;   /* go back to base_seq at the next micropacket boundary */
    u1 busy;
    u4 read_index;

    /* stage 1, beside the memory's read register */
    u48 read_flit;
    u1 read_valid, read_last;
    u7 read_sent;

    u20 crc; /* of the flits before this one */

    HLS_BRAM u48 replay[1024]; /* {slot 6, index 4} */
};

/* 20 ones in front of the message: x^480 times this is 0xFFFFF times x^460. */
static const u20 crc_replay_start = 0x34DAF;

HLS_RESET void crc_replay_reset(struct crc_replay *self)
{
    self->out = (struct crc_replay_out){0};
    self->write_seq = 0;
    self->write_index = 0;
    self->base_seq = 0;
    self->read_seq = 0;
    self->high_seq = 0;
    self->rewind = 0;
    self->busy = 0;
    self->read_index = 0;
    self->read_valid = 0;
    self->read_last = 0;
    self->read_sent = 0;
    self->crc = crc_replay_start;
}

/*
 * The remainder of {crc, word} divided by x^20 + 0xC4047. The tenth word ends in twenty zeros,
 * which makes the last remainder the CRC of the 460 bits before them.
 */
static u20 crc_replay_step(u20 crc, u48 word)
{
    for (int i = 47; i >= 0; i--) {
        const u1 top = crc >> 19;
        crc = (u20)(crc << 1) | (u1)(word >> i);
        if (top)
            crc ^= 0xC4047;
    }
    return crc;
}

static void crc_replay_output(struct crc_replay *self, const struct crc_replay_in *in)
{
    const u28 sideband = (u28)self->read_sent << 21 | in->sideband;
    const u48 word = self->read_last ? (u48)sideband << 20 : self->read_flit;
    const u20 crc = crc_replay_step(self->crc, word);

    self->crc = self->read_valid && !self->read_last ? crc : crc_replay_start;
    self->out.out_valid = self->read_valid;
    self->out.out_last = self->read_valid && self->read_last;
    self->out.out_flit = self->read_last ? word | crc : word;
}

static u10 crc_replay_address(u7 seq, u4 index)
{
    return (u10)(u6)seq << 4 | index;
}

static void crc_replay_read(struct crc_replay *self)
{
    self->read_valid = self->busy;
    self->read_last = self->read_index == CRC_REPLAY_SIDEBAND;
    self->read_sent = self->read_seq;
    if (self->busy)
        self->read_flit = self->replay[crc_replay_address(self->read_seq, self->read_index)];
}

/* Moves on in the micropacket or, at a boundary, chooses the next one. */
static void crc_replay_advance(struct crc_replay *self)
{
    if (self->busy && self->read_index != CRC_REPLAY_SIDEBAND) {
        self->read_index++;
        return;
    }
    const u7 after = self->read_seq + self->busy;
    const u7 distance = after - self->base_seq;
    const bool behind = distance > 64; /* released while it was sent */
    const u7 next = self->rewind || behind ? self->base_seq : after;

    self->busy = next != self->write_seq;
    self->read_index = 0;
    self->read_seq = next;
    self->rewind = 0;
    if (self->busy && next == self->high_seq)
        self->high_seq++;
}

static void crc_replay_write(struct crc_replay *self, const struct crc_replay_in *in)
{
    if (in->in_valid && self->out.in_ready) {
        self->replay[crc_replay_address(self->write_seq, self->write_index)] = in->in_flit;
        if (self->write_index++ == CRC_REPLAY_LAST_PAYLOAD) {
            self->write_index = 0;
            self->write_seq++;
        }
    }
    self->out.in_ready = (u7)(self->write_seq - self->base_seq) != 64;
}

HLS_MODULE void crc_replay(struct crc_replay *self, const struct crc_replay_in *in)
{
    const u7 acked = in->ack_seq - self->base_seq;
    const u7 pending = self->high_seq - self->base_seq;
    const bool ack_good = in->ack_valid && acked <= pending;

    crc_replay_output(self, in);
    crc_replay_read(self);
    crc_replay_advance(self);
    crc_replay_write(self, in);

    self->out.ack_bad = in->ack_valid && !ack_good;
    if (ack_good) {
        self->base_seq = in->ack_seq;
        if (in->ack_nak)
            self->rewind = 1;
    }
    hls_assert((u7)(self->write_seq - self->base_seq) <= 64);
    hls_cover(ack_good && in->ack_nak);
    hls_cover((u7)(self->write_seq - self->base_seq) == 64);
}
