// SPDX-License-Identifier: Apache-2.0
/*
 * ss_receive.c - what receives, a packet at a time.
 *
 * Data whose record has no DEPOSIT yet hold up their class, and that alone. A flit is one write of up to eight bytes, or two where its
 * place is no multiple of 8: the part that is left waits for the next flit and is written at the end of the packet. An entry that ends a
 * message goes to the ring when memory has answered all writes.
 */
#include "seastar/dma/ss_receive.h"

#include "seastar/dma/ss_unpack.inc"

HLS_RESET void ss_receive_reset(struct ss_receive *self)
{
    self->out = (struct ss_receive_out){.room = 15, .idle = 1};
    for (int c = 0; c < 2; c++) {
        self->put[c] = 0;
        self->whole[c] = 0;
        self->get[c] = 0;
        self->front[c] = 0;
    }
    self->coming_class = 0;
    self->coming_wrong = 0;
    self->fetching = 0;
    self->shown = 0;
    self->state = SS_RECEIVE_IDLE;
    self->class = 0;
    self->head = 0;
    self->flit = 0;
    self->waits = 0;
    for (int i = 0; i < 8; i++) {
        self->flits[i] = 0;
    }
    self->crc = 0;
    self->used = 0;
    for (int r = 0; r < SS_RECORDS; r++) {
        self->keys[r] = 0;
    }
    self->record = 0;
    self->now = (struct ss_record){};
    self->uses = 0;
    self->status = 0;
    self->small = 0;
    self->ends = 0;
    self->again = 0;
    self->beat_at = 0;
    self->beat = 0;
    self->beat_strb = 0;
    self->writes = 0;
    self->failed = 0;
    self->rest = 0;
}

/* ---- records --------------------------------------------------------------------------------- */

struct found {
    u1 there;
    ss_record_index at;
};

static inline struct found find(const struct ss_receive *self, ss_key key)
{
    struct found f = {};

    for (int r = 0; r < SS_RECORDS; r++) {
        u1 hit = (u1)(self->used >> r) && self->keys[r] == key;

        f.there = f.there || hit;
        f.at |= hit ? (ss_record_index)r : (ss_record_index)0;
    }
    return f;
}

static inline struct found find_free(const struct ss_receive *self)
{
    struct found f = {};

    for (int r = SS_RECORDS - 1; r >= 0; r--) {
        u1 hit = !(u1)(self->used >> r);

        f.there = f.there || hit;
        f.at = hit ? (ss_record_index)r : f.at;
    }
    return f;
}

/* ---- packets --------------------------------------------------------------------------------- */

/* The next flit of the class in work is used up. */
static inline void pop(struct ss_receive *self, u1 class)
{
    self->shown &= ~(class ? (u2)2 : (u2)1);
}

/* Begins the packet of a class that has one and does not wait, responses first. */
static inline void begin(struct ss_receive *self, struct ss_record record, u1 there)
{
    u1 class = self->class;
    ss_flit head = self->front[class];

    self->head = head;
    self->flit = 1;
    self->small = 0;
    self->ends = 0;
    self->status = SS_OK;
    if (ss_head_length(head) == 1) {
        self->out.events.stray = 1;
        pop(self, class);
    } else if (ss_head_first(head)) {
        self->crc = ss_crc_flit((u32)-1, ss_head_covered(head));
        self->state = SS_RECEIVE_HEADER;
        pop(self, class);
    } else if (!there) {
        self->out.events.stray = 1;
        self->state = SS_RECEIVE_SKIP;
        pop(self, class);
    } else if (record.state == SS_RECORD_WAITS) {
        self->waits |= class ? (u2)2 : (u2)1;
    } else {
        self->now = record;
        self->crc = record.crc;
        self->beat_strb = 0;
        self->beat_at = record.addr & ~(u48)7;
        self->state = SS_RECEIVE_DATA;
        pop(self, class);
    }
}

static inline u1 at_end(const struct ss_receive *self)
{
    return self->flit == (u4)(ss_head_length(self->head) - 1);
}

static inline void take_header(struct ss_receive *self)
{
    ss_flit flit = self->front[self->class];
    u32 upper = at_end(self) ? (u32)flit : (u32)(flit >> 32);
    u32 half = ss_crc_half(self->crc, upper);

    self->flits[(u3)(self->flit - 1)] = flit;
    self->crc = at_end(self) ? half : ss_crc_half(half, (u32)flit);
    self->state = at_end(self) ? SS_RECEIVE_JUDGE : SS_RECEIVE_HEADER;
    self->flit++;
    pop(self, self->class);
}

/* A header that can be one: its codes, its node, an op of its class, data where they must be. */
static inline u1 is_sound(const struct ss_receive *self, ss_length bytes)
{
    u4 op = (u4)self->flits[0];
    u1 known = self->class ? op == SS_ACK : op == SS_PUT || op == SS_RAW;

    return ss_head_length(self->head) == SS_LONGEST && (u32)(self->flits[7] >> 32) == self->crc &&
           (ss_node)(self->flits[3] >> 40) == ss_head_src(self->head) && known &&
           ss_head_last(self->head) == (bytes <= SS_IN_HEADER);
}

/* An entry for the ring. */
static inline void tell_header(struct ss_receive *self, u1 whole)
{
    self->out.tell.kind = whole ? (u3)SS_KIND_MESSAGE : (u3)SS_KIND_HEADER;
    self->out.tell.stream = ss_head_stream(self->head);
    self->out.tell.use = self->uses;
    self->out.tell.status = SS_OK;
    for (int w = 0; w < 7; w++) {
        self->out.tell.word[w] = self->flits[w];
    }
    self->out.tell.last = (u32)self->flits[7];
    self->out.tell.valid = 1;
    self->state = SS_RECEIVE_TELL;
}

/* The end of a message goes to whom its header went. */
static inline void tell_end(struct ss_receive *self)
{
    ss_status status = self->failed && self->status == SS_OK ? (ss_status)SS_MEMORY : self->status;

    if (!self->small) {
        self->used &= ~(u8)((u8)1 << self->record);
    }
    if (self->now.engine) {
        self->out.end = (struct ss_end){.valid = !self->now.silent,
                                        .record = self->small ? (u4)SS_RECORDS : (u4)self->record,
                                        .status = status};
        self->state = SS_RECEIVE_ENDED;
        return;
    }
    for (int w = 0; w < 7; w++) {
        self->out.tell.word[w] = 0;
    }
    self->out.tell.kind = SS_KIND_RECEIVED;
    self->out.tell.stream = (u2)self->keys[self->record];
    self->out.tell.use = self->now.use;
    self->out.tell.status = status;
    self->out.tell.word[0] = self->keys[self->record];
    self->out.tell.word[1] = self->now.written;
    self->out.tell.last = 0;
    self->out.tell.valid = 1;
    self->state = SS_RECEIVE_TELL;
}

/* A record for the message whose header is here. */
static inline void open_record(struct ss_receive *self, ss_record_index at, struct ss_record record)
{
    self->record = at;
    self->keys[at] = ss_head_key(self->head);
    self->used |= (u8)((u8)1 << at);
    self->now = record;
}

/* The engine decides about a message. */
static inline void ask_engine(struct ss_receive *self, u1 whole, ss_record_index at)
{
    self->small = whole;
    self->record = at;
    self->out.ask.valid = 1;
    self->out.ask.record = whole ? (u4)SS_RECORDS : (u4)at;
    self->out.ask.node = ss_head_src(self->head);
    for (int w = 0; w < 6; w++) {
        self->out.ask.flit[w] = self->flits[w];
    }
    self->state = SS_RECEIVE_ASK;
}

/* Its answer. Returns whether a record is written. */
static inline u1 decided(struct ss_receive *self, const struct ss_receive_in *in)
{
    ss_length bytes = (ss_length)self->flits[3];
    struct ss_record record = {.state = SS_RECORD_WRITES,
                               .addr = in->decision.addr,
                               .write_left = in->decision.bytes,
                               .wire_left = bytes,
                               .crc = self->crc,
                               .engine = 1,
                               .silent = !in->decision.takes};

    if (!in->decision.valid) {
        return 0;
    }
    self->out.ask.valid = 0;
    self->out.events.refused = !in->decision.takes;
    if (self->small) {
        self->now = record;
        self->flit = 7;
        self->beat_strb = 0;
        self->beat_at = record.addr & ~(u48)7;
        self->state = in->decision.takes ? SS_RECEIVE_SMALL : SS_RECEIVE_IDLE;
    } else {
        open_record(self, self->record, record);
        self->state = SS_RECEIVE_IDLE;
    }
    return !self->small;
}

/* The header is here. Returns whether a record is written. */
static inline u1 judge(struct ss_receive *self, const struct ss_receive_in *in,
                       struct ss_record record)
{
    u1 engine =
        in->accelerated && (u4)self->flits[0] == SS_PUT && (u16)(self->flits[0] >> 16) == in->pid;
    ss_length bytes = self->class ? (ss_length)0 : (ss_length)self->flits[3];
    u1 whole = bytes <= SS_IN_HEADER;
    struct found open = find(self, ss_head_key(self->head));
    struct found place = find_free(self);

    if (!is_sound(self, bytes)) {
        self->out.events.header = 1;
        self->state = SS_RECEIVE_IDLE;
    } else if (open.there) { /* it was cut */
        self->record = open.at;
        self->now = record;
        self->status = SS_CUT;
        self->again = 1;
        self->state = SS_RECEIVE_END;
    } else if (!whole && !place.there) {
        self->out.events.full = 1;
        self->state = SS_RECEIVE_IDLE;
    } else if (engine) {
        ask_engine(self, whole, place.at);
    } else if (whole) {
        tell_header(self, 1);
    } else {
        open_record(
            self, place.at,
            (struct ss_record){
                .state = SS_RECORD_WAITS, .wire_left = bytes, .crc = self->crc, .use = self->uses});
        tell_header(self, 0);
        return 1;
    }
    return 0;
}

typedef uint(128) beat_pair;

/* Eight bytes of the message, of which the first `bytes` are data and the first `stored` of those are wanted. */
static inline void store(struct ss_receive *self, ss_flit flit, u4 bytes)
{
    struct ss_record *now = &self->now;
    ss_length most = now->write_left < bytes ? now->write_left : (ss_length)bytes;
    u4 stored = (u4)most;
    u3 shift = (u3)now->addr;
    beat_pair pair = (beat_pair)((beat_pair)flit << (u6)((u6)shift << 3));
    u16 strb = (u16)((u16)(((u16)1 << stored) - 1) << shift);
    u8 low = self->beat_strb | (u8)strb;
    u64 below = self->beat;

    for (int i = 0; i < 8; i++) {
        u64 mask = (u64)0xFF << (8 * i);

        below = (u1)(strb >> i) ? (below & ~mask) | ((u64)pair & mask) : below;
    }
    self->out.write =
        (struct ss_write){.valid = low != 0, .addr = self->beat_at, .data = below, .strb = low};
    self->writes += low != 0;
    self->beat = (u64)(pair >> 64);
    self->beat_strb = (u8)(strb >> 8);
    self->beat_at += 8;
    now->addr += most;
    now->write_left -= most;
    now->written += most;
    now->wire_left -= bytes;
}

/* Data of a header packet: flit 7, then half of flit 8. */
static inline void take_small(struct ss_receive *self)
{
    u4 most = self->flit == 7 ? (u4)8 : (u4)4;
    u4 bytes = self->now.wire_left < most ? (u4)self->now.wire_left : most;

    store(self, self->flits[(u3)(self->flit - 1)], bytes);
    self->ends = 1;
    self->state = self->flit == 7 ? SS_RECEIVE_SMALL : SS_RECEIVE_FLUSH;
    self->flit++;
}

/* A flit of data. In the last one of a message the upper half is the CRC. */
static inline void take_data(struct ss_receive *self)
{
    ss_flit flit = self->front[self->class];
    u1 last = ss_head_last(self->head) && at_end(self);
    u4 most = last ? (u4)4 : (u4)8;
    u4 bytes = self->now.wire_left < most ? (u4)self->now.wire_left : most;
    u32 half = ss_crc_half(self->crc, last ? (u32)flit : (u32)(flit >> 32));

    store(self, flit, bytes);
    self->crc = last ? half : ss_crc_half(half, (u32)flit);
    if (last) {
        self->ends = 1;
        self->status = half != (u32)(flit >> 32)  ? (ss_status)SS_CRC
                       : self->now.wire_left != 0 ? (ss_status)SS_CUT
                                                  : (ss_status)SS_OK;
    }
    if (at_end(self)) {
        self->state = SS_RECEIVE_FLUSH;
    }
    self->flit++;
    pop(self, self->class);
}

/* The packet has ended: what is left of a beat is written, and the record kept. */
static inline void flush(struct ss_receive *self)
{
    self->out.write = (struct ss_write){.valid = self->beat_strb != 0,
                                        .addr = self->beat_at,
                                        .data = self->beat,
                                        .strb = self->beat_strb};
    self->writes += self->beat_strb != 0;
    self->beat_strb = 0;
    self->now.crc = self->crc;
    self->state = self->ends ? SS_RECEIVE_END : SS_RECEIVE_IDLE;
}

/* The entry was taken by the ring: the packet is done, or its header is judged again behind the END of a message that it cut. */
static inline void told(struct ss_receive *self, const struct ss_receive_in *in)
{
    if (in->told) {
        self->out.tell.valid = 0;
        self->uses += self->out.tell.kind == SS_KIND_HEADER;
        self->failed = 0;
        self->state = self->again ? SS_RECEIVE_JUDGE : SS_RECEIVE_IDLE;
        self->again = 0;
    }
}

static inline void ended(struct ss_receive *self, const struct ss_receive_in *in)
{
    if (in->ended || self->now.silent) {
        self->out.end.valid = 0;
        self->failed = 0;
        self->state = self->again ? SS_RECEIVE_JUDGE : SS_RECEIVE_IDLE;
        self->again = 0;
    }
}

/* ---- deposits -------------------------------------------------------------------------------- */

/* A DEPOSIT of a record that waits says where its data go; any other is told to be illegal. Returns whether the record is written. */
static inline u1 deposit(struct ss_receive *self, const struct ss_receive_in *in,
                         struct ss_record record, struct found open)
{
    const struct ss_command *c = &in->deposit;
    u1 good = ss_command_op(c) == SS_OP_DEPOSIT && open.there && record.state == SS_RECORD_WAITS &&
              record.use == (u4)(c->word[1] >> 18) && !(u1)(c->word[0] >> 48);

    self->out.deposit_taken = 1;
    self->rest = 4;
    self->waits = 0;
    if (!good) {
        self->out.command_tell.valid = 1;
        self->out.command_tell.kind = SS_KIND_COMMAND;
        self->out.command_tell.status = SS_ILLEGAL;
        self->out.command_tell.word[0] = ss_command_ticket(c);
    }
    return good;
}

HLS_MODULE void ss_receive(struct ss_receive *self, const struct ss_receive_in *in)
{
    u2 ready = self->shown & ~self->waits;
    u1 idle = self->state == SS_RECEIVE_IDLE;
    u1 deposits = idle && in->deposit.valid && ss_command_op(&in->deposit) < SS_OP_ME &&
                  self->rest == 0 && !self->out.command_tell.valid;
    u1 next = (u1)(ready >> 1); /* class */
    ss_key key = deposits ? (ss_key)in->deposit.word[1]
                 : idle   ? ss_head_key(self->front[next])
                          : ss_head_key(self->head);
    struct found open = find(self, key);
    struct ss_record record = self->records[open.at];
    u1 writes = 0;
    ss_record_index place = open.at;
    struct ss_record now = record;
    u1 some = (u1)(self->shown >> self->class);

    self->out.deposit_taken = 0;
    self->out.write.valid = 0;
    self->out.events = (struct ss_receive_events){};
    self->rest -= self->rest != 0;
    if (in->command_told) {
        self->out.command_tell.valid = 0;
    }
    switch (self->state) {
    case SS_RECEIVE_IDLE:
        if (deposits) {
            writes = deposit(self, in, record, open);
            now.state = SS_RECORD_WRITES;
            now.addr = (u48)in->deposit.word[0];
            now.write_left = (ss_length)in->deposit.word[7];
        } else if (ready != 0) {
            self->class = next;
            self->record = open.at;
            begin(self, record, open.there);
        }
        break;
    case SS_RECEIVE_HEADER:
        if (some) {
            take_header(self);
        }
        break;
    case SS_RECEIVE_JUDGE:
        writes = judge(self, in, record);
        place = self->record;
        now = self->now;
        break;
    case SS_RECEIVE_ASK:
        writes = decided(self, in);
        place = self->record;
        now = self->now;
        break;
    case SS_RECEIVE_SMALL:
        if (in->write_room) {
            take_small(self);
        }
        break;
    case SS_RECEIVE_DATA:
        if (some && in->write_room) {
            take_data(self);
        }
        break;
    case SS_RECEIVE_FLUSH:
        if (in->write_room) {
            flush(self);
            writes = !self->small;
            place = self->record;
            now = self->now;
        }
        break;
    case SS_RECEIVE_END:
        if (self->writes == 0) {
            tell_end(self);
        }
        break;
    case SS_RECEIVE_TELL:
        told(self, in);
        break;
    case SS_RECEIVE_ENDED:
        ended(self, in);
        break;
    case SS_RECEIVE_SKIP:
        if (some) {
            self->state = at_end(self) ? SS_RECEIVE_IDLE : SS_RECEIVE_SKIP;
            self->flit++;
            pop(self, self->class);
        }
        break;
    }
    if (writes) {
        self->records[place] = now;
    }
    self->writes -= in->done;
    self->failed |= in->done && in->fail;
    unpack_fetch(self);
    unpack_flit(self, in);
    unpack_room(self);
    self->out.idle = self->state == SS_RECEIVE_IDLE && self->used == 0;
}
