// SPDX-License-Identifier: Apache-2.0
/*
 * ss_receive.c - what receives, a packet at a time.
 *
 * Data whose record has no DEPOSIT yet hold up their class, and that alone. A flit is one write of up to eight bytes, or two where its
 * place is no multiple of 8: the part that is left waits for the next flit and is written at the end of the packet. A message that ends
 * leaves a mark behind its writes; when memory has answered them the engine or the ring hears of it, and its record is free.
 */
#include "seastar/dma/ss_receive.h"

#include "common/arbiter.h"
#include "seastar/dma/ss_unpack.inc"

#define ASK_STAYS 4 /* clocks behind the decision */

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
    self->parked = 0;
    self->parked_head = 0;
    for (int i = 0; i < 8; i++) {
        self->parked_flits[i] = 0;
    }
    self->parked_crc = 0;
    self->used = 0;
    self->open = 0;
    self->decided = 0;
    self->after[0] = 0;
    self->after[1] = 0;
    for (int s = 0; s < SS_AWAY_SETS; s++) {
        self->away[s] = 0;
    }
    self->looked = 0;
    self->judging = 0;
    self->ages = 0;
    for (int r = 0; r < SS_RECORDS; r++) {
        self->seen[r] = 0;
    }
    self->until = 0;
    self->still = 0;
    self->drops = 0;
    for (int r = 0; r < SS_RECORDS; r++) {
        self->keys[r] = 0;
    }
    self->record = 0;
    self->now = (struct ss_record){};
    self->uses = 0;
    self->status = 0;
    self->small = 0;
    self->place = 0;
    self->delivers = SS_DELIVER_NONE;
    self->last[0] = 0;
    self->last[1] = 0;
    self->second = 0;
    self->stays = 0;
    self->asked = 0;
    self->bytes = 0;
    self->asked_crc = 0;
    self->key = 0;
    self->ends = 0;
    self->again = 0;
    self->beat_at = 0;
    self->beat = 0;
    self->beat_strb = 0;
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
        u1 hit = (u1)(self->open >> r) && self->keys[r] == key;

        f.there = f.there || hit;
        f.at |= hit ? (ss_record_index)r : (ss_record_index)0;
    }
    return f;
}

static inline u8 records_of(u1 class)
{
    u8 requests = (1 << SS_REQUEST_RECORDS) - 1;

    return class ? (u8)~requests : requests;
}

static inline u8 record_bit(ss_record_index at)
{
    return (u8)((u8)1 << at);
}

static inline u2 class_bit(u1 class)
{
    return class ? (u2)2 : (u2)1;
}

/* A record of the class that is not used, and of which the engine owes no ack any more. */
static inline struct found find_free(const struct ss_receive *self, const struct ss_receive_in *in,
                                     u1 class)
{
    struct found f = {};
    u8 free = records_of(class) & ~self->used & ~(u8)in->busy;

    for (int r = SS_RECORDS - 1; r >= 0; r--) {
        u1 hit = (u1)(free >> r);

        f.there = f.there || hit;
        f.at = hit ? (ss_record_index)r : f.at;
    }
    return f;
}

/* What a step wants of records: one of these. */
struct wish {
    u1 looks, rooms; /* what may be in host memory is looked for; a record is needed */
    u1 ages;         /* ... because it is old */
    u1 opens;        /* `now` is the record of a message */
    u1 decided;
    u1 cuts, again; /* a message ends here; and then the header in `flits` is judged */
    u1 parks;
    u1 marks;
    ss_record_index at;
    ss_key key;
    ss_epoch age; /* epoch of its last packet */
};

#include "seastar/dma/ss_away.inc"

/* ---- packets --------------------------------------------------------------------------------- */

/* The next flit of the class in work is used up. */
static inline void pop(struct ss_receive *self, u1 class)
{
    self->shown &= ~(class ? (u2)2 : (u2)1);
}

/* The data of a record are taken. Where nobody has said for too long where they go, they go nowhere. */
static inline void begin_data(struct ss_receive *self, struct ss_record record)
{
    u1 drops = record.state == SS_RECORD_WAITS;

    self->small = 0;
    self->ends = 0;
    self->status = SS_OK;
    self->now = record;
    self->now.state = SS_RECORD_WRITES;
    self->now.write_left = drops ? (ss_length)0 : record.write_left;
    self->now.cut = record.cut || drops;
    self->decided |= record_bit(self->record);
    self->out.events.valved = drops;
    self->crc = record.crc;
    self->beat_strb = 0;
    self->beat_at = record.addr & ~(u48)7;
    self->state = SS_RECEIVE_DATA;
}

/* Begins the packet of a class that has one and does not wait, responses first; data while nothing is delivered. */
static inline void begin(struct ss_receive *self, struct ss_record record, u1 there, u1 away,
                         struct wish *w)
{
    ss_flit head = self->front[self->class];
    u1 alone = ss_head_length(head) == 1, first = ss_head_first(head);
    u1 undecided = record.state == SS_RECORD_WAITS && !self->drops;

    self->head = head;
    self->flit = 1;
    if (alone) {
        self->out.events.stray = 1;
    } else if (first) {
        self->crc = ss_crc_flit((u32)-1, ss_head_covered(head));
        self->state = SS_RECEIVE_HEADER;
    } else if (there && undecided) {
        self->waits |= class_bit(self->class);
    } else if (there) {
        begin_data(self, record);
    } else if (away) {
        w->looks = 1;
    } else {
        self->looked &= ~class_bit(self->class);
        self->out.events.stray = 1;
        self->state = SS_RECEIVE_SKIP;
    }
    if (alone || first || (there ? !undecided : !away)) {
        pop(self, self->class);
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

/* Bytes of data of the message: gets and acks have none. */
static inline ss_length bytes_of(const struct ss_receive *self)
{
    u4 op = (u4)self->flits[0];

    return op == SS_GET || op == SS_ACK ? (ss_length)0 : (ss_length)self->flits[3];
}

/* A header that can be one: its codes, its node, an op of its class, data where they must be. */
static inline u1 is_sound(const struct ss_receive *self, ss_length bytes)
{
    u4 op = (u4)self->flits[0];
    u1 known =
        self->class ? op == SS_ACK || op == SS_REPLY : op == SS_PUT || op == SS_GET || op == SS_RAW;

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

/* The message of a record ends when memory has answered its writes. Returns whether it leaves a mark. */
static inline u1 end(struct ss_receive *self)
{
    u8 bit = record_bit(self->record);

    self->open &= ~bit;
    self->used &= self->now.silent ? (u8)~bit : (u8)-1;
    self->state = self->again ? SS_RECEIVE_JUDGE : SS_RECEIVE_IDLE;
    self->again = 0;
    return !self->now.silent;
}

static inline void leave_mark(struct ss_receive *self)
{
    self->out.mark = (struct ss_mark){.valid = 1,
                                      .engine = self->now.engine,
                                      .place = self->small ? self->place : (ss_place)self->record,
                                      .status = self->status,
                                      .key = self->keys[self->record],
                                      .use = self->now.use,
                                      .written = self->now.written};
}

#include "seastar/dma/ss_ask.inc"

/* The header is here. */
static inline void judge(struct ss_receive *self, const struct ss_receive_in *in, struct found open,
                         struct found place, u1 away, struct wish *w)
{
    ss_length bytes = bytes_of(self);
    u1 whole = bytes <= SS_IN_HEADER;
    u1 engines = is_engines(self, in);
    u1 sound = is_sound(self, bytes);
    u1 needs = !whole && !place.there; /* a record */
    u1 goes = sound && !away && !open.there;

    if (!sound) {
        self->out.events.header = 1;
        self->state = SS_RECEIVE_IDLE;
    } else if (away) { /* it may have been cut */
        w->looks = 1;
    } else if (open.there) { /* it was cut */
        w->cuts = 1;
        w->again = 1;
        w->at = open.at;
    } else if (needs && is_full(self, in)) {
        self->out.events.full = 1;
        self->state = SS_RECEIVE_IDLE;
    } else if (needs) {
        w->rooms = 1;
    } else if (whole && engines && !self->class && !in->place_room) {
        w->parks = 1;
    } else if (engines) {
        ask_engine(self, whole, place.at);
    } else {
        tell_header(self, whole);
    }
    if (goes && !engines && !whole && place.there) {
        self->now = (struct ss_record){
            .state = SS_RECORD_WAITS, .wire_left = bytes, .crc = self->crc, .use = self->uses};
        w->opens = 1;
        w->at = place.at;
        w->key = ss_head_key(self->head);
        w->age = self->out.epoch;
    }
    if (self->state != SS_RECEIVE_JUDGE) {
        self->looked &= ~class_bit(self->class);
    }
}

#include "seastar/dma/ss_age.inc"
#include "seastar/dma/ss_data.inc"

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
    self->drops = 0;
    self->record = open.at;
    self->now = record;
    self->now.state = SS_RECORD_WRITES;
    self->now.addr = (u48)c->word[0];
    self->now.write_left = (ss_length)c->word[7];
    if (good) {
        self->decided |= record_bit(open.at);
        self->seen[open.at] = self->out.epoch;
    } else {
        self->out.command_tell.valid = 1;
        self->out.command_tell.kind = SS_KIND_COMMAND;
        self->out.command_tell.status = SS_ILLEGAL;
        self->out.command_tell.word[0] = ss_command_ticket(c);
    }
    return good;
}

/* ---- the program ------------------------------------------------------------------------------- */

/* What there is to be done in this clock. */
struct now {
    u1 idle, deposits, ends_old;
    u1 next;  /* class whose packet comes next */
    u2 ready; /* class c: it has one */
    ss_key key;
    struct found open;
    ss_record_index oldest;
    u1 class;
};

static inline struct now look_around(const struct ss_receive *self, const struct ss_receive_in *in)
{
    u1 delivers = self->delivers != SS_DELIVER_NONE;
    u8 old = old_records(self, in);
    struct now n = {.idle = self->state == SS_RECEIVE_IDLE,
                    .ready = self->shown & ~self->waits & (self->parked ? (u2)2 : (u2)3)};

    n.deposits = n.idle && !delivers && in->deposit.valid &&
                 ss_command_op(&in->deposit) < SS_OP_ME && self->rest == 0 &&
                 !self->out.command_tell.valid;
    n.ends_old = n.idle && !n.deposits && !delivers && old != 0;
    n.oldest = mask_index(mask_lowest(old));
    n.next = (u1)(n.ready >> 1);
    n.key = n.deposits ? (ss_key)in->deposit.word[1]
            : n.idle   ? ss_head_key(self->front[n.next])
                       : ss_head_key(self->head);
    n.open = find(self, n.key);
    n.class = !n.idle ? self->class : n.ready != 0 ? n.next : (u1)(in->old.key >> 17);
    return n;
}

/* A packet, an old record, a header that was set aside: one of them, if anything comes. */
static inline void idle(struct ss_receive *self, const struct ss_receive_in *in,
                        const struct now *n, struct ss_record record, u1 away, struct wish *w)
{
    u1 delivers = self->delivers != SS_DELIVER_NONE;

    if (n->ends_old) {
        self->out.events.aged = 1;
        w->cuts = 1;
        w->at = n->oldest;
    } else if (n->ready != 0 && delivers && !ss_head_first(self->front[n->next])) {
        /* data wait */
    } else if (n->ready != 0) {
        self->class = n->next;
        self->record = n->open.at;
        begin(self, record, n->open.there, away, w);
    } else if (self->parked) {
        unpark(self);
    } else if (in->old.valid && !delivers) { /* it comes back, to end */
        self->class = n->class;
        w->looks = 1;
        w->ages = 1;
        w->key = in->old.key;
    }
}

/* The data of a header that the engine takes. */
static inline void deliver(struct ss_receive *self, const struct ss_receive_in *in, u1 room,
                           enum ss_deliver_state delivery, struct wish *w)
{
    switch (delivery) {
    case SS_DELIVER_NONE:
        break;
    case SS_DELIVER_ASK:
        decided(self, in, w);
        break;
    case SS_DELIVER_SMALL:
        if (room) {
            take_small(self);
        }
        break;
    case SS_DELIVER_FLUSH:
        if (room) {
            write_rest(self);
            self->delivers = SS_DELIVER_END;
        }
        break;
    case SS_DELIVER_END:
        w->marks = 1;
        self->delivers = SS_DELIVER_NONE;
        break;
    }
}

static inline void skip(struct ss_receive *self)
{
    self->state = at_end(self) ? SS_RECEIVE_IDLE : SS_RECEIVE_SKIP;
    self->flit++;
    pop(self, self->class);
}

/* What a step wants is done. */
static inline void grant(struct ss_receive *self, const struct ss_receive_in *in,
                         const struct now *n, struct found place, struct ss_record record,
                         const struct wish *w)
{
    if (w->cuts) {
        cut(self, w, record);
    }
    if (w->looks || w->rooms) {
        look_for(self, in, place, w->ages ? w->key : n->key, w);
    }
    if (w->parks || ((w->looks || w->rooms) && self->state == SS_RECEIVE_JUDGE)) {
        park(self);
    }
    if (w->opens) {
        open_record(self, w);
    }
    if (w->marks) {
        leave_mark(self);
    }
}

HLS_MODULE void ss_receive(struct ss_receive *self, const struct ss_receive_in *in)
{
    struct now n = look_around(self, in);
    struct found place = find_free(self, in, n.class);
    u1 goes = self->state == SS_RECEIVE_SPILL;
    struct ss_record record = self->records[goes         ? self->record
                                            : n.ends_old ? n.oldest
                                                         : n.open.at];
    u1 away = !n.open.there && is_away(self, n.key);
    u1 some = (u1)(self->shown >> self->class);
    u1 room = in->write_room;
    u1 writes = 0;
    struct wish w = {};
    enum ss_deliver_state delivery = self->delivers;

    self->out.deposit_taken = 0;
    self->out.write.valid = 0;
    self->out.mark.valid = 0;
    self->out.note.valid = 0;
    self->out.events = (struct ss_receive_events){};
    self->rest -= self->rest != 0;
    self->stays -= self->stays != 0;
    self->used &= ~(u8)in->freed;
    if (in->command_told) {
        self->out.command_tell.valid = 0;
    }
    switch (self->state) {
    case SS_RECEIVE_IDLE:
        if (n.deposits) {
            writes = deposit(self, in, record, n.open);
        } else {
            idle(self, in, &n, record, away, &w);
        }
        break;
    case SS_RECEIVE_HEADER:
        if (some) {
            take_header(self);
        }
        break;
    case SS_RECEIVE_JUDGE:
        if (delivery == SS_DELIVER_NONE && self->stays == 0) {
            judge(self, in, n.open, place, away, &w);
        }
        break;
    case SS_RECEIVE_DATA:
        if (some && room) {
            take_data(self);
        }
        break;
    case SS_RECEIVE_FLUSH:
        if (room) {
            flush(self);
            writes = 1;
        }
        break;
    case SS_RECEIVE_END:
        w.marks = end(self);
        break;
    case SS_RECEIVE_TELL:
        writes = tell(self, in, record);
        break;
    case SS_RECEIVE_SKIP:
        if (some) {
            skip(self);
        }
        break;
    case SS_RECEIVE_SPILL:
        spill(self, in, record, &w);
        break;
    case SS_RECEIVE_FETCH:
        fetched(self, in, &w);
        break;
    }
    deliver(self, in, room, delivery, &w);
    grant(self, in, &n, place, record, &w);
    if (writes || w.opens) {
        self->records[self->record] = self->now;
    }
    self->out.write_place = self->small ? self->place : (ss_place)self->record;
    count_epochs(self, in);
    count_still(self, in);
    self->out.away = !none_away(self);
    unpack_fetch(self);
    unpack_flit(self, in);
    unpack_room(self);
    self->out.idle = self->state == SS_RECEIVE_IDLE && delivery == SS_DELIVER_NONE &&
                     self->used == 0 && !self->out.away;
}
