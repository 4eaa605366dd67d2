// SPDX-License-Identifier: Apache-2.0
/*
 * ss_receive.c - what receives, a packet at a time.
 *
 * Data whose record has no DEPOSIT yet hold up their class, and that alone. A flit is one write of up to eight bytes, or two where its
 * place is no multiple of 8: the part that is left waits for the next flit and is written at the end of the packet. A message that ends
 * leaves a mark behind its writes; when memory has answered them the engine or the ring hears of it, and its record is free.
 */
#include "seastar/dma/ss_receive.h"

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
    self->writes = 0;
    self->answered = 0;
    self->failed = 0;
    self->mark_put = 0;
    self->mark_get = 0;
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

/* A record that is not used, and of which the engine owes no ack any more; requests and answers have their own. */
static inline struct found find_free(const struct ss_receive *self, const struct ss_receive_in *in)
{
    struct found f = {};
    u8 requests = (1 << SS_REQUEST_RECORDS) - 1;
    u8 free = (self->class ? (u8)~requests : requests) & ~self->used & ~(u8)in->busy;

    for (int r = SS_RECORDS - 1; r >= 0; r--) {
        u1 hit = (u1)(free >> r);

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

/* Begins the packet of a class that has one and does not wait, responses first; data while nothing is delivered. */
static inline void begin(struct ss_receive *self, struct ss_record record, u1 there)
{
    u1 class = self->class;
    ss_flit head = self->front[class];

    self->head = head;
    self->flit = 1;
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
        self->small = 0;
        self->ends = 0;
        self->status = SS_OK;
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
    u8 bit = (u8)((u8)1 << self->record);

    self->open &= ~bit;
    self->used &= self->now.silent ? (u8)~bit : (u8)-1;
    self->state = self->again ? SS_RECEIVE_JUDGE : SS_RECEIVE_IDLE;
    self->again = 0;
    return !self->now.silent;
}

static inline struct ss_mark mark_of(const struct ss_receive *self)
{
    return (struct ss_mark){.at = self->writes,
                            .engine = self->now.engine,
                            .place = self->small ? self->place : (ss_place)self->record,
                            .status = self->status,
                            .key = self->keys[self->record],
                            .use = self->now.use,
                            .written = self->now.written};
}

/* A record for the message whose header is here. */
static inline void open_record(struct ss_receive *self, ss_record_index at, ss_key key,
                               struct ss_record record)
{
    self->record = at;
    self->keys[at] = key;
    self->used |= (u8)((u8)1 << at);
    self->open |= (u8)((u8)1 << at);
    self->now = record;
}

/* The engine decides about a message. */
static inline void ask_engine(struct ss_receive *self, u1 whole, ss_record_index at)
{
    self->small = whole;
    self->asked = at;
    self->out.ask.valid = 1;
    self->out.ask.class = self->class;
    self->out.ask.whole = whole;
    self->out.ask.place = (ss_place)at;
    self->out.ask.node = ss_head_src(self->head);
    for (int w = 0; w < 6; w++) {
        self->out.ask.flit[w] = self->flits[w];
    }
    self->last[0] = self->flits[6];
    self->last[1] = self->flits[7];
    self->second = 0;
    self->bytes = bytes_of(self);
    self->asked_crc = self->crc;
    self->key = ss_head_key(self->head);
    self->delivers = SS_DELIVER_ASK;
    self->state = SS_RECEIVE_IDLE;
}

/* Its answer. Returns whether a record is written. */
static inline u1 decided(struct ss_receive *self, const struct ss_receive_in *in)
{
    u1 takes = in->decision.takes;
    struct ss_record record = {.state = SS_RECORD_WRITES,
                               .addr = in->decision.addr,
                               .write_left = takes ? in->decision.bytes : (ss_length)0,
                               .wire_left = self->bytes,
                               .crc = self->asked_crc,
                               .engine = 1,
                               .silent = !takes};

    if (!in->decision.valid) {
        return 0;
    }
    self->out.ask.valid = 0;
    self->stays = ASK_STAYS;
    self->place = in->decision.place;
    if (self->small) {
        self->now = record;
        self->status = SS_OK;
        self->beat_strb = 0;
        self->beat_at = record.addr & ~(u48)7;
        self->delivers = takes && record.write_left != 0 ? SS_DELIVER_SMALL : SS_DELIVER_NONE;
    } else {
        open_record(self, self->asked, self->key, record);
        self->delivers = SS_DELIVER_NONE;
    }
    return !self->small;
}

/* Messages of accelerated processes are the engine's, and all replies. */
static inline u1 is_engines(const struct ss_receive *self, const struct ss_receive_in *in)
{
    u4 op = (u4)self->flits[0];
    u1 mine = op == SS_REPLY;

    for (int s = 0; s < SS_PROCESSES; s++) {
        mine = mine || (op != SS_RAW && in->process[s].accelerated &&
                        in->process[s].pid == (u16)(self->flits[0] >> 16));
    }
    return mine;
}

/* A request waits for a record or a place, which a response may have to leave for first: class 1 goes on. */
static inline void park(struct ss_receive *self)
{
    self->state = SS_RECEIVE_JUDGE;
    if (!self->class) {
        self->parked = 1;
        self->parked_head = self->head;
        for (int i = 0; i < 8; i++) {
            self->parked_flits[i] = self->flits[i];
        }
        self->parked_crc = self->crc;
        self->state = SS_RECEIVE_IDLE;
    }
}

static inline void unpark(struct ss_receive *self)
{
    self->parked = 0;
    self->class = 0;
    self->head = self->parked_head;
    for (int i = 0; i < 8; i++) {
        self->flits[i] = self->parked_flits[i];
    }
    self->crc = self->parked_crc;
    self->state = SS_RECEIVE_JUDGE;
}

/* The header is here. Returns whether a record is written. */
static inline u1 judge(struct ss_receive *self, const struct ss_receive_in *in,
                       struct ss_record record)
{
    ss_length bytes = bytes_of(self);
    u1 whole = bytes <= SS_IN_HEADER;
    u1 engines = is_engines(self, in);
    struct found open = find(self, ss_head_key(self->head));
    struct found place = find_free(self, in);
    u8 mine = self->class ? (u8)(0xFF << SS_REQUEST_RECORDS) : (u8)((1 << SS_REQUEST_RECORDS) - 1);
    u1 ending = (mine & ~self->open) != 0; /* one will be free without a packet of this class */

    if (!is_sound(self, bytes)) {
        self->out.events.header = 1;
        self->state = SS_RECEIVE_IDLE;
    } else if (open.there) { /* it was cut */
        self->record = open.at;
        self->now = record;
        self->status = SS_CUT;
        self->again = 1;
        self->small = 0;
        self->state = SS_RECEIVE_END;
    } else if (!whole && !place.there && !ending) {
        self->out.events.full = 1;
        self->state = SS_RECEIVE_IDLE;
    } else if ((!whole && !place.there) || (whole && engines && !self->class && !in->place_room)) {
        park(self);
    } else if (engines) {
        ask_engine(self, whole, place.at);
    } else if (whole) {
        tell_header(self, 1);
    } else {
        open_record(
            self, place.at, ss_head_key(self->head),
            (struct ss_record){
                .state = SS_RECORD_WAITS, .wire_left = bytes, .crc = self->crc, .use = self->uses});
        tell_header(self, 0);
        return 1;
    }
    return 0;
}

#include "seastar/dma/ss_data.inc"

/* ---- ends ------------------------------------------------------------------------------------ */

/* The oldest mark whose writes are answered goes to the engine or to the ring. */
static inline void show_end(struct ss_receive *self, struct ss_mark mark)
{
    u1 fails = (u1)(self->failed >> mark.place);
    u1 ready = self->mark_put != self->mark_get && (u10)(self->answered - mark.at) < 512;
    ss_status status = fails && mark.status == SS_OK ? (ss_status)SS_MEMORY : mark.status;
    u1 shows = ready && !self->out.end.valid && !self->out.end_tell.valid;
    uint(SS_PLACES) bit = (uint(SS_PLACES))((uint(SS_PLACES))1 << mark.place);

    if (shows) {
        self->out.end =
            (struct ss_end){.valid = mark.engine, .place = mark.place, .status = status};
        self->out.end_tell.valid = !mark.engine;
        self->out.end_tell.kind = SS_KIND_RECEIVED;
        self->out.end_tell.stream = (u2)mark.key;
        self->out.end_tell.use = mark.use;
        self->out.end_tell.status = status;
        self->out.end_tell.word[0] = (u64)mark.key;
        self->out.end_tell.word[1] = (u64)mark.written;
        self->failed &= ~bit;
        self->used &= ~(u8)bit;
        self->mark_get++;
    }
}

static inline void end_heard(struct ss_receive *self, const struct ss_receive_in *in)
{
    if (in->ended) {
        self->out.end.valid = 0;
    }
    if (in->end_told) {
        self->out.end_tell.valid = 0;
    }
}

/* An answer of memory, for the place whose write is the oldest. */
static inline void take_answer(struct ss_receive *self, const struct ss_receive_in *in,
                               ss_place owner)
{
    uint(SS_PLACES) bit = (uint(SS_PLACES))((uint(SS_PLACES))1 << owner);

    self->failed |= in->done && in->fail ? bit : (uint(SS_PLACES))0;
    self->answered += in->done;
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
    u2 ready = self->shown & ~self->waits & (self->parked ? (u2)2 : (u2)3);
    u1 idle = self->state == SS_RECEIVE_IDLE;
    u1 delivers = self->delivers != SS_DELIVER_NONE;
    u1 deposits = idle && !delivers && in->deposit.valid &&
                  ss_command_op(&in->deposit) < SS_OP_ME && self->rest == 0 &&
                  !self->out.command_tell.valid;
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
    struct ss_mark mark = self->marks[(ss_place)self->mark_get];
    ss_place owner = self->owners[(uint(SS_UNDER_WAY))self->answered];
    u1 room = in->write_room && (u10)(self->writes - self->answered) < (1 << SS_UNDER_WAY) - 8;
    u1 marks = 0;
    struct ss_mark new_mark = {};
    enum ss_deliver_state delivery = self->delivers;

    self->out.deposit_taken = 0;
    self->out.write.valid = 0;
    self->out.events = (struct ss_receive_events){};
    self->rest -= self->rest != 0;
    self->stays -= self->stays != 0;
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
        } else if (ready != 0 && delivers && !ss_head_first(self->front[next])) {
            /* data wait */
        } else if (ready != 0) {
            self->class = next;
            self->record = open.at;
            begin(self, record, open.there);
        } else if (self->parked) {
            unpark(self);
        }
        break;
    case SS_RECEIVE_HEADER:
        if (some) {
            take_header(self);
        }
        break;
    case SS_RECEIVE_JUDGE:
        if (!delivers && self->stays == 0) {
            writes = judge(self, in, record);
            place = self->record;
            now = self->now;
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
            place = self->record;
            now = self->now;
        }
        break;
    case SS_RECEIVE_END:
        new_mark = mark_of(self);
        marks = end(self);
        break;
    case SS_RECEIVE_TELL:
        told(self, in);
        break;
    case SS_RECEIVE_SKIP:
        if (some) {
            self->state = at_end(self) ? SS_RECEIVE_IDLE : SS_RECEIVE_SKIP;
            self->flit++;
            pop(self, self->class);
        }
        break;
    }
    switch (delivery) {
    case SS_DELIVER_NONE:
        break;
    case SS_DELIVER_ASK:
        writes = decided(self, in);
        place = self->record;
        now = self->now;
        marks =
            in->decision.valid && in->decision.takes && self->small && self->now.write_left == 0;
        new_mark = mark_of(self);
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
        new_mark = mark_of(self);
        marks = 1;
        self->delivers = SS_DELIVER_NONE;
        break;
    }
    if (writes) {
        self->records[place] = now;
    }
    end_heard(self, in);
    show_end(self, mark);
    take_answer(self, in, owner);
    if (marks) {
        self->marks[(ss_place)self->mark_put] = new_mark;
        self->mark_put++;
    }
    if (self->out.write.valid) {
        self->owners[(uint(SS_UNDER_WAY))(self->writes - 1)] =
            self->small ? self->place : (ss_place)self->record;
    }
    unpack_fetch(self);
    unpack_flit(self, in);
    unpack_room(self);
    self->out.idle = self->state == SS_RECEIVE_IDLE && !delivers && self->used == 0 &&
                     self->mark_put == self->mark_get;
}
