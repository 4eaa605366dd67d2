// SPDX-License-Identifier: Apache-2.0
/*
 * parb.c - who goes next to host memory.
 *
 * Whole packets go out, events first though not twice running, the others in turn, one beat a clock; writes wait with their senders. Reads are one
 * word each and stand in a memory here, so that writes never wait for them; those of amo come one by one and have turns with them. An access over
 * the end of a page gets a second head, with the address of what lies behind.
 *
 * A read that must see the writes before it knows how many of its client had come, and waits here until as many are
 * answered: behind it only reads of other nodes wait. Whether they are is found out as soon as they are, though the read itself may be stopped for
 * longer than the numbers of writes last.
 */
#include "nic/target/parb.h"

HLS_RESET void parb_reset(struct parb *self)
{
    self->out = (struct parb_out){};
    for (int p = 0; p < PARB_PORTS; p++) {
        self->flying[p] = 0;
    }
    skid_reset(&self->of_target);
    skid_reset(&self->of_local);
    self->event_read = 0;
    self->event_write = 0;
    self->events = 0;
    self->event_head = 0;
    self->new_read = 0;
    self->new_write = 0;
    self->words = 0;
    self->open = 0;
    self->rest = 0;
    self->port = 0;
    self->last = 0;
    self->staged = 0;
    self->read_rest = 0;
    self->read_at = 0;
    self->write_at = 0;
    self->reads = 0;
    self->read_code = 0;
    self->check_at = 0;
    self->unchecked = 0;
    self->good = 0;
    self->came = 0;
    self->answered = 0;
    self->fetch_seen = 0;
    self->fetch_order = (struct parb_order){};
    self->fetched = 0;
}

static const u4 clients[PARB_PORTS] = {
    [PARB_TARGET] = MEM_TARGET,
    [PARB_LOCAL] = MEM_LOCAL,
    [PARB_CQ] = MEM_CQ,
    [PARB_AMO] = MEM_AMO,
};

/* Bytes (less one) from addr on go over the end of a page. */
static inline u1 crosses(u48 addr, u6 bytes)
{
    u13 last = (u13)((u13)(uint(PARB_PAGE_LOG2))addr + bytes);

    return (u1)(last >> PARB_PAGE_LOG2);
}

static inline u48 next_page(u48 addr)
{
    return (u48)((u48)((u36)(addr >> PARB_PAGE_LOG2) + 1) << PARB_PAGE_LOG2);
}

static inline u1 is_read(const struct beat *access)
{
    return access->head && !(u1)(access->word >> MEM_WRITE_AT);
}

/* ---- writes -------------------------------------------------------------------------------------- */

/* The oldest event as the beat of it that goes next. */
static inline struct beat event_beat(const struct parb *self)
{
    u48 addr = self->event_addr[self->event_read];
    u64 data = self->event_data[self->event_read];
    beat_word head = ((beat_word)MEM_CQ << MEM_CLIENT_AT) | ((beat_word)7 << MEM_BYTES_AT) |
                     ((beat_word)1 << MEM_WRITE_AT) | ((beat_word)addr << MEM_ADDR_AT);

    return (struct beat){
        .valid = self->events != 0,
        .head = !self->open,
        .tail = self->open,
        .word = self->open ? (beat_word)data : head,
    };
}

/* The same of amo's oldest value. */
static inline struct beat word_beat(const struct parb *self)
{
    u61 word = self->new_head[self->new_read];
    u64 data = self->new_data[self->new_read];
    u6 bytes = (u1)(word >> 60) ? (u6)7 : (u6)3;
    beat_word head = ((beat_word)MEM_AMO << MEM_CLIENT_AT) |
                     ((beat_word)(u12)(word >> 48) << MEM_PLACE_AT) |
                     ((beat_word)bytes << MEM_BYTES_AT) | ((beat_word)1 << MEM_WRITE_AT) |
                     ((beat_word)(u48)word << MEM_ADDR_AT);

    return (struct beat){
        .valid = self->words != 0,
        .head = !self->open,
        .tail = self->open,
        .word = self->open ? (beat_word)data : head,
    };
}

/* Ports whose next packet may begin. */
static inline parb_ports ready_ports(const struct parb *self, const struct beat *fronts)
{
    parb_ports ready = 0;

    for (int p = 0; p < PARB_PORTS; p++) {
        u1 may = fronts[p].valid && self->flying[p] < PARB_FLYING;

        ready |= (parb_ports)((parb_ports)may << p);
    }
    return ready;
}

/* Events first, but not twice running while others wait; the other three in turn. */
static inline u2 choose(const struct parb *self, parb_ports ready)
{
    u1 target = (u1)(ready >> PARB_TARGET), own = (u1)(ready >> PARB_LOCAL);
    u1 atomic = (u1)(ready >> PARB_AMO);
    u2 behind_target = own ? (u2)PARB_LOCAL : atomic ? (u2)PARB_AMO : (u2)PARB_TARGET;
    u2 behind_local = atomic ? (u2)PARB_AMO : target ? (u2)PARB_TARGET : (u2)PARB_LOCAL;
    u2 behind_amo = target ? (u2)PARB_TARGET : own ? (u2)PARB_LOCAL : (u2)PARB_AMO;
    u2 other = self->last == PARB_TARGET  ? behind_target
               : self->last == PARB_LOCAL ? behind_local
                                          : behind_amo;
    u1 event = (u1)(ready >> PARB_CQ) && !((target | own | atomic) && self->port == PARB_CQ);

    return event ? (u2)PARB_CQ : other;
}

/* The head as it leaves: with its client as the port has it, whatever happened to its bits. */
static inline beat_word head_of(beat_word word, u2 port, u1 split)
{
    word = BEAT_WITH(word, MEM_CLIENT_AT, 4, clients[port]);
    return BEAT_WITH(word, MEM_SPLIT_AT, 1, split);
}

/* The next beat of the write stream; says of which port one is taken. */
static inline parb_ports send(struct parb *self, u1 room)
{
    struct beat fronts[PARB_PORTS] = {skid_front(&self->of_target), skid_front(&self->of_local),
                                      event_beat(self), word_beat(self)};
    parb_ports ready = ready_ports(self, fronts);
    u2 port = self->open ? self->port : choose(self, ready);
    struct beat front = fronts[port];
    u48 addr = (u48)(front.word >> MEM_ADDR_AT);
    u1 begins = room && !self->open && ready != 0;
    u1 split = !front.bad && crosses(addr, BEAT_FIELD(front.word, MEM_BYTES_AT, 6));
    u1 goes_on = room && self->open && !self->rest && front.valid;

    self->out.write.valid = begins || goes_on || (room && self->rest);
    if (begins) {
        self->port = port;
        self->open = 1;
        self->rest = split;
        self->last = port == PARB_CQ ? self->last : port;
        self->out.write = front;
        self->out.write.word = head_of(front.word, port, split);
    } else if (self->rest) {
        u48 page = next_page((u48)(self->out.write.word >> MEM_ADDR_AT));

        if (room) {
            self->rest = 0;
            self->out.write.word = BEAT_WITH(self->out.write.word, MEM_ADDR_AT, 48, page);
        }
    } else if (goes_on) {
        self->open = !front.tail;
        self->out.write = front;
    }
    return (parb_ports)((parb_ports)(begins | goes_on) << port);
}

/* Writes that memory has not answered. */
static inline void account(struct parb *self, const struct parb_in *in, parb_ports begun)
{
    for (int p = 0; p < PARB_PORTS; p++) {
        u1 done = in->done.valid && in->done.client == clients[p];
        u1 sent = (u1)(begun >> p);

        hls_assume(!done || sent || self->flying[p] != 0); /* axi_master answers what it took */
        self->flying[p] = (parb_flying)(self->flying[p] + sent - done);
    }
}

/* ---- reads --------------------------------------------------------------------------------------- */

/* Writes that it has to see are not done. */
static inline u1 is_early(const struct parb *self, struct parb_order order)
{
    parb_writes since = (parb_writes)(self->answered - order.writes);

    return order.waits & (u1)(since >> (NIC_PUTS_LOG2 + 1));
}

/* A read of amo goes if it did not go last, or nothing else does; it waits for the writes that had come when it came. */
static inline void send_fetch(struct parb *self, const struct amo_fetch *fetch, u1 room, u1 other)
{
    u1 early = is_early(self, self->fetch_order);
    u1 go = room && fetch->valid && self->fetch_seen && !early && !other;

    self->fetch_order.waits = early;

    if (go) {
        self->out.read = (struct mem_read){
            .valid = 1, .atomic = 1, .bytes = fetch->wide ? (u6)7 : (u6)3, .addr = fetch->addr};
    }
    if (fetch->valid && !self->fetch_seen) {
        self->fetch_order = (struct parb_order){fetch->order, self->came};
    }
    self->fetch_seen = fetch->valid && !self->out.fetch_taken && !go;
    self->out.fetch_taken = go;
    self->fetched = room ? go : self->fetched;
}

/* The read at the front, in one word or two; not while `other` has its turn. */
static inline u1 send_read(struct parb *self, u1 room, u1 other)
{
    struct read_ecc_result fixed = read_ecc_decode(self->read_code);
    u6 bytes = (u6)fixed.data;
    u48 addr = (u48)(fixed.data >> 6);
    u1 split = !fixed.fatal && crosses(addr, bytes);
    u1 second = self->read_rest;
    u1 go = room && self->staged && self->good != 0 && (second || !other);

    self->out.read.valid = go;
    if (go) {
        self->out.read.atomic = 0;
        self->out.read.bad = fixed.fatal;
        self->out.read.split = split;
        self->out.read.bytes = bytes;
        self->out.read.addr = second ? next_page(addr) : addr;
        self->read_rest = split && !second;
        self->out.count |= (parb_counts)((parb_counts)fixed.corrected << PARB_CORRECTED);
        self->out.count |= (parb_counts)((parb_counts)fixed.fatal << PARB_FATAL);
    }
    return go && !self->read_rest;
}

/* The oldest read that is not known to be good is looked at. */
static inline void check_order(struct parb *self, u1 pushed, u1 sent)
{
    parb_order_word word = self->orders[self->check_at];
    struct parb_order order = {(u1)(word >> (NIC_PUTS_LOG2 + 2)), (parb_writes)word};
    u1 good = self->unchecked != 0 && !is_early(self, order);

    self->check_at += good;
    self->unchecked = (uint(NIC_GETS_LOG2 + 1))(self->unchecked + pushed - good);
    self->good = (uint(NIC_GETS_LOG2 + 1))(self->good + good - sent);
}

/* A FIFO in a memory, its front in registers; one that comes is there three clocks later. */
static inline void queue_reads(struct parb *self, const struct beat *access, u1 room, u1 other)
{
    u1 push = access->valid && is_read(access);
    u1 sent = send_read(self, room, other);
    u1 take = self->reads != 0 && (!self->staged || sent);
    read_ecc_data word = (read_ecc_data)(((read_ecc_data)(u48)(access->word >> MEM_ADDR_AT) << 6) |
                                         BEAT_FIELD(access->word, MEM_BYTES_AT, 6));

    /* npt: no more contexts than that; nor have `orders` more places, the staged one's may still be needed */
    hls_assume(!push || self->reads + self->staged < 1 << NIC_GETS_LOG2);
    self->staged = take || (self->staged && !sent);
    if (take) {
        self->read_code = self->codes[self->read_at];
        self->read_at++;
    }
    check_order(self, push, sent);
    if (push) {
        u1 waits = BEAT_FIELD(access->word, MEM_ORDER_AT, 1);

        self->codes[self->write_at] = read_ecc_encode(word);
        self->orders[self->write_at] =
            (parb_order_word)(((parb_order_word)waits << (NIC_PUTS_LOG2 + 2)) | self->came);
        self->write_at++;
    }
    self->reads = (uint(NIC_GETS_LOG2 + 1))(self->reads + push - take);
}

/* ---- together ------------------------------------------------------------------------------------ */

/* What the registers say of each other: of the packet that goes out, and of the two FIFOs. */
static inline void assert_state(const struct parb *self)
{
    for (int p = 0; p < PARB_PORTS; p++) {
        hls_assert(self->flying[p] <= PARB_FLYING);
    }
    hls_assert(!self->rest || self->open);
    hls_assert(!self->open || self->port != PARB_CQ || self->events != 0);
    hls_assert(!self->open || self->port != PARB_AMO || self->words != 0);
    hls_assert((u4)(self->new_write - self->new_read) == (u4)self->words);
    hls_assert((u3)(self->events + self->event_head) <= PARB_EVENTS);
    hls_assert((u2)(self->event_write - self->event_read) == (u2)self->events);
    hls_assert(self->reads <= 1 << NIC_GETS_LOG2);
    hls_assert((parb_get)(self->write_at - self->read_at) == (parb_get)self->reads);
    hls_assert(!self->read_rest || self->staged);
    hls_assert((parb_get)(self->write_at - self->check_at) == (parb_get)self->unchecked);
    hls_assert(self->good + self->unchecked == self->reads + self->staged);
}

/* What comes from the two senders that can be stopped; reads go elsewhere. */
static inline void take_accesses(struct parb *self, const struct parb_in *in, parb_ports taken)
{
    struct beat push = in->access[PARB_TARGET];
    const struct beat *local = &in->access[PARB_LOCAL];

    hls_assume(!local->valid || !is_read(local)); /* rat_net alone reads */
    push.valid = push.valid && !is_read(&push);
    self->out.room[PARB_TARGET] = skid_step(&self->of_target, &push, (u1)(taken >> PARB_TARGET));
    self->out.room[PARB_LOCAL] = skid_step(&self->of_local, local, (u1)(taken >> PARB_LOCAL));
    self->came += push.valid && push.head;
}

static inline void take_events(struct parb *self, const struct beat *beat, u1 taken)
{
    u1 sent = taken && !self->open; /* its data */

    /* cq sends a head and its data, and looks at room. */
    hls_assume(!beat->valid || (beat->head == !self->event_head && beat->tail == !beat->head));
    hls_assume(!beat->valid || self->events + (u3)self->event_head != PARB_EVENTS || !beat->head);
    if (beat->valid && beat->head) {
        self->event_addr[self->event_write] = (u48)(beat->word >> MEM_ADDR_AT);
    } else if (beat->valid) {
        self->event_data[self->event_write] = (u64)beat->word;
        self->event_write++;
    }
    self->event_head = beat->valid ? beat->head : self->event_head;
    self->event_read += sent;
    self->events = (u3)(self->events + (beat->valid && beat->tail) - sent);
    self->out.room[PARB_CQ] = (u3)(self->events + self->event_head) <= PARB_EVENTS - 3;
}

static inline void take_words(struct parb *self, const struct amo_word *word, u1 taken)
{
    u1 sent = taken && !self->open; /* its data */

    hls_assume(!word->valid || self->words != PARB_WORDS); /* amo looks at room */
    if (word->valid) {
        self->new_head[self->new_write] =
            (u61)(((u61)word->wide << 60) | ((u61)word->entry << 48) | word->addr);
        self->new_data[self->new_write] = word->data;
        self->new_write++;
    }
    self->new_read += sent;
    self->words = (u5)(self->words + word->valid - sent);
    self->out.room[PARB_AMO] = self->words <= PARB_WORDS - 8;
}

HLS_MODULE void parb(struct parb *self, const struct parb_in *in)
{
    u1 was_open = self->open;

    assert_state(self);

    parb_ports taken = send(self, in->room_write);

    self->out.count = 0;
    u1 fetch_next =
        in->fetch.valid && self->fetch_seen && !self->fetched && !is_early(self, self->fetch_order);

    queue_reads(self, &in->access[PARB_TARGET], in->room_read, fetch_next);
    send_fetch(self, &in->fetch, in->room_read, self->out.read.valid);
    account(self, in, was_open ? (parb_ports)0 : taken);
    take_accesses(self, in, taken);
    take_events(self, &in->access[PARB_CQ], (u1)(taken >> PARB_CQ));
    take_words(self, &in->word, (u1)(taken >> PARB_AMO));
    self->answered += in->done.valid && in->done.client == MEM_TARGET;
    self->out.idle = !self->staged && self->reads == 0 && !self->open && self->events == 0 &&
                     !self->event_head && self->words == 0 && !self->out.write.valid &&
                     !self->out.read.valid && !in->fetch.valid && self->of_target.count == 0 &&
                     self->of_local.count == 0;

    hls_cover(self->rest); /* a write over the end of a page */
    hls_cover(self->read_rest);
    hls_cover(self->staged && self->good == 0 && self->unchecked != 0 && in->room_read &&
              !self->out.read.valid); /* for writes before it */
    hls_cover(self->out.fetch_taken && self->staged);
    hls_cover(self->flying[PARB_TARGET] == PARB_FLYING);
}
