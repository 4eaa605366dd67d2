// SPDX-License-Identifier: Apache-2.0
/*
 * ss_send.c - what sends: reads a message's data and cuts it into packets.
 *
 * A packet leaves without a gap, once the router has places for all of it and its data are here. Data come in beats of eight bytes from
 * the beat on that has the first byte; a flit is put together of two of them. A read that fails makes the rest of the message zeros and
 * inverts its CRC, so that the other side ends it at once; a message that has all in its header is not sent then.
 */
#include "seastar/dma/ss_send.h"

#define PLACES (1 << SS_REPLIES_LOG2)
#define BEATS  8 /* of a packet */

typedef uint(128) beat_pair;

HLS_RESET void ss_send_reset(struct ss_send *self)
{
    self->out = (struct ss_send_out){.idle = 1};
    self->state = SS_SEND_IDLE;
    self->wait = 0;
    for (int i = 0; i < 6; i++) {
        self->header[i] = 0;
    }
    self->dst = 0;
    self->class = 0;
    self->in_header = 0;
    self->ticket = 0;
    self->status = 0;
    self->left = 0;
    self->shift = 0;
    self->before = 0;
    self->read_at = 0;
    self->reads = 0;
    self->beats = 0;
    self->asked = 0;
    self->put = 0;
    self->get = 0;
    self->held = 0;
    self->bad = 0;
    self->flit = 0;
    self->flits = 0;
    self->first = 0;
    self->last = 0;
    self->crc = 0;
    self->used[0] = 0;
    self->used[1] = 0;
}

/* A line's command may be sent: SEND of a kind that has no answer, of this class. */
static inline u1 can_send(const struct ss_command *c)
{
    u4 op = (u4)c->word[0];
    u1 list = (u1)(c->word[6] >> 48);
    u1 known = c->class ? op == SS_ACK : op == SS_PUT || op == SS_RAW;

    return ss_command_op(c) == SS_OP_SEND && known && !list;
}

static inline void take_command(struct ss_send *self, const struct ss_send_in *in)
{
    const struct ss_command *c = &in->command;
    ss_length length = c->class ? (ss_length)0 : (ss_length)c->word[7];
    u1 good = can_send(c);
    u3 shift = (u3)c->word[6];
    u64 fourth = c->word[3] & ~((u64)0x7FFF << 40);

    for (int i = 0; i < 6; i++) {
        self->header[i] = c->word[i];
    }
    if (!c->class) {
        fourth = (fourth >> 40 << 40) | length;
    }
    self->header[3] = fourth | ((u64)in->node << 40);
    self->dst = (ss_node)(c->word[6] >> 49);
    self->class = c->class;
    self->in_header = length <= SS_IN_HEADER;
    self->ticket = ss_command_ticket(c);
    self->status = good ? (ss_status)SS_OK : (ss_status)SS_ILLEGAL;
    self->left = length;
    self->shift = shift;
    self->before = 0;
    self->read_at = (u48)((u48)c->word[6] & ~(u48)7);
    self->beats =
        good ? (u38)((u41)((u41)length + shift + (length == 0 ? (u41)0 : (u41)7)) >> 3) : (u38)0;
    self->beats = length == 0 ? (u38)0 : self->beats;
    self->reads = self->beats;
    self->bad = 0;
    self->out.taken = 1;
    self->wait = 3;
    self->state = !good ? SS_SEND_TELL : shift != 0 && length != 0 ? SS_SEND_BEGIN : SS_SEND_HEADER;
}

/* Asks for beats while there are places for them. */
static inline void ask(struct ss_send *self, const struct ss_send_in *in)
{
    u1 asks = in->read_room && self->reads != 0 && self->asked != PLACES;

    self->out.read_valid = asks;
    self->out.read_addr = self->read_at;
    if (asks) {
        self->reads--;
        self->read_at += 8;
    }
    self->asked += asks;
}

/* The beat that is used next; `uses` it. */
static inline void use_beat(struct ss_send *self, u1 uses)
{
    self->get += uses;
    self->held -= uses;
    self->asked -= uses;
    self->beats -= uses;
}

/* Eight bytes of the data, of the beat that is next and the one before, if there are so many. */
static inline ss_flit data_flit(struct ss_send *self, u64 next, ss_length most)
{
    ss_length bytes = self->left < most ? self->left : most;
    u1 uses = self->beats != 0 && bytes != 0;
    u64 beat = uses ? next : (u64)0;
    beat_pair pair = (beat_pair)(((beat_pair)beat << 64) | self->before);
    u64 word = self->shift == 0 ? beat : (u64)(pair >> (u6)((u6)self->shift << 3));

    self->before = beat;
    use_beat(self, uses);
    self->left -= bytes < 8 ? bytes : (ss_length)8;
    return self->bad ? (ss_flit)0 : word & ss_bytes_mask(bytes);
}

/* The packet that comes next may go: as many places in the router, and its data are here. */
static inline u1 may_go(const struct ss_send *self, u4 flits)
{
    u1 credit = (u8)(self->used[self->class] + flits) <= SS_CREDIT;

    return credit && (self->held >= BEATS || self->held == self->beats);
}

static inline void begin_packet(struct ss_send *self, u1 first, u1 last, u4 flits)
{
    self->first = first;
    self->last = last;
    self->flits = flits;
    self->flit = 0;
    self->state = SS_SEND_FLITS;
}

/* Not whole while data are missing. */
static inline void begin_header(struct ss_send *self)
{
    u1 ready = !self->in_header || self->held == self->beats;

    if (self->in_header && self->bad && ready) {
        self->status = SS_MEMORY;
        self->state = SS_SEND_DRAIN;
    } else if (ready && (u8)(self->used[self->class] + SS_LONGEST) <= SS_CREDIT) {
        begin_packet(self, 1, self->in_header, SS_LONGEST);
    }
}

static inline void begin_data(struct ss_send *self)
{
    u1 last = self->left <= SS_LAST_BYTES;
    u4 flits = last ? (u4)(ss_last_flits((u7)self->left) + 1) : (u4)SS_LONGEST;

    if (may_go(self, flits)) {
        begin_packet(self, 0, last, flits);
    }
}

/* Flit `flit` of the packet that leaves, with its CRC if it is the last one. */
static inline ss_flit next_flit(struct ss_send *self, const struct ss_send_in *in, u64 beat)
{
    u1 ends = self->flit == (u4)(self->flits - 1);
    u1 sums = ends && (self->first || self->last);
    u1 carries = self->first ? self->in_header && self->flit >= 7 : self->flit != 0;
    ss_flit flit = 0;

    if (self->flit == 0) {
        flit =
            ss_head_make(self->dst, in->node, self->flits, self->class, 0, self->first, self->last);
    } else if (self->first && self->flit < 7) {
        flit = self->header[(u3)(self->flit - 1)];
    } else if (carries) {
        flit = data_flit(self, beat, sums ? 4 : 8);
    }
    u32 before = self->first && self->flit == 0 ? (u32)-1 : self->crc;
    ss_flit covered = self->flit == 0 ? ss_head_covered(flit) : flit;
    u32 half = ss_crc_half(before, sums ? (u32)covered : (u32)(covered >> 32));
    u32 whole = ss_crc_half(half, (u32)covered);
    u1 counts = self->first || self->flit != 0;

    self->crc = !counts ? self->crc : sums ? half : whole;
    if (sums) {
        u32 sum = self->bad && self->last ? ~half : half;

        flit |= (ss_flit)sum << 32;
    }
    return flit;
}

static inline void send_flit(struct ss_send *self, const struct ss_send_in *in, u64 beat)
{
    u1 ends = self->flit == (u4)(self->flits - 1);

    self->out.valid = 1;
    self->out.whole = self->flit == 0;
    self->out.flit = next_flit(self, in, beat);
    self->flit++;
    if (ends) {
        self->status = self->bad ? (ss_status)SS_MEMORY : self->status;
        self->state = self->last ? SS_SEND_DRAIN : SS_SEND_DATA;
    }
}

/* The end of a message is told if its ticket is not 0; one that is refused always. */
static inline void tell(struct ss_send *self, const struct ss_send_in *in)
{
    u1 tells = self->ticket != 0 || self->status == SS_ILLEGAL;

    if (!tells || in->told) {
        self->out.tell.valid = 0;
        self->state = SS_SEND_IDLE;
    } else {
        self->out.tell.valid = 1;
        self->out.tell.kind = self->status == SS_ILLEGAL ? (u3)SS_KIND_COMMAND : (u3)SS_KIND_SENT;
        self->out.tell.status = self->status;
        self->out.tell.word[0] = self->ticket;
    }
}

static inline void count_credit(struct ss_send *self, const struct ss_send_in *in)
{
    u1 freed0 = in->freed.valid && !(u1)(in->freed.vc >> 1);
    u1 freed1 = in->freed.valid && (u1)(in->freed.vc >> 1);
    u1 sent = self->out.valid;

    hls_assume(self->used[0] != 0 || !freed0);
    hls_assume(self->used[1] != 0 || !freed1);
    self->used[0] += (u8)(sent && !self->class) - (u8)freed0;
    self->used[1] += (u8)(sent && self->class) - (u8)freed1;
}

HLS_MODULE void ss_send(struct ss_send *self, const struct ss_send_in *in)
{
    u64 beat = self->replies[self->get];
    u1 some = self->held != 0;

    self->out.taken = 0;
    self->out.valid = 0;
    self->out.whole = 0;
    self->wait -= self->wait != 0;
    switch (self->state) {
    case SS_SEND_IDLE:
        if (in->command.valid && self->wait == 0 && !in->drain) {
            take_command(self, in);
        }
        break;
    case SS_SEND_BEGIN:
        if (some) {
            self->before = beat;
            use_beat(self, 1);
            self->state = SS_SEND_HEADER;
        }
        break;
    case SS_SEND_HEADER:
        begin_header(self);
        break;
    case SS_SEND_DATA:
        begin_data(self);
        break;
    case SS_SEND_FLITS:
        send_flit(self, in, beat);
        break;
    case SS_SEND_DRAIN:
        use_beat(self, some);
        if (self->beats == 0) {
            self->state = SS_SEND_TELL;
        }
        break;
    case SS_SEND_TELL:
        tell(self, in);
        break;
    }
    ask(self, in);
    if (in->reply_valid) {
        self->replies[self->put] = in->reply;
        self->put++;
        self->held++;
        self->bad |= in->reply_bad;
    }
    count_credit(self, in);
    self->out.idle = self->state == SS_SEND_IDLE;
    hls_assert(self->asked <= PLACES && self->held <= self->asked);
}
