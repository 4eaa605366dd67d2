// SPDX-License-Identifier: Apache-2.0
/*
 * parb.c - who goes next to host memory.
 *
 * Whole packets go out, events first though not twice running, the others in turn, one beat a clock; writes wait with their senders. Reads are one
 * word each and stand in a memory here, so that writes never wait for them. An access over the end of a page
 * gets a second head, with the address of what lies behind.
 *
 * A read that must see the writes before it knows how many of its client had come, and waits here until as many are
 * answered: behind it only reads of other nodes wait.
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
    self->open = 0;
    self->rest = 0;
    self->port = 0;
    self->local_next = 0;
    self->staged = 0;
    self->read_rest = 0;
    self->read_at = 0;
    self->write_at = 0;
    self->reads = 0;
    self->read_code = 0;
    self->read_order = (struct parb_order){};
    self->came = 0;
    self->answered = 0;
}

static const u4 clients[PARB_PORTS] = {
    [PARB_TARGET] = MEM_TARGET,
    [PARB_LOCAL] = MEM_LOCAL,
    [PARB_CQ] = MEM_CQ,
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

/* Events first, but not twice running while others wait; the other two in turn. */
static inline u2 choose(const struct parb *self, parb_ports ready)
{
    u1 target = (u1)(ready >> PARB_TARGET), own = (u1)(ready >> PARB_LOCAL);
    u2 other = own && (!target || self->local_next) ? (u2)PARB_LOCAL : (u2)PARB_TARGET;
    u1 event = (u1)(ready >> PARB_CQ) && !((target | own) && self->port == PARB_CQ);

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
    struct beat fronts[4] = {skid_front(&self->of_target), skid_front(&self->of_local),
                             event_beat(self)};
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
        self->local_next = port == PARB_CQ ? self->local_next : port == PARB_TARGET;
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

/* The read at the front, in one word or two. */
static inline u1 send_read(struct parb *self, u1 room)
{
    struct read_ecc_result fixed = read_ecc_decode(self->read_code);
    u6 bytes = (u6)fixed.data;
    u48 addr = (u48)(fixed.data >> 6);
    u1 split = !fixed.fatal && crosses(addr, bytes);
    u1 early = (u1)((parb_writes)(self->answered - self->read_order.writes) >> (NIC_PUTS_LOG2 + 1));
    u1 go = room && self->staged && !(self->read_order.waits && early);
    u1 second = self->read_rest;

    self->out.read.valid = go;
    if (go) {
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

/* A FIFO in two memories, its front in registers; one that comes is there three clocks later. */
static inline void queue_reads(struct parb *self, const struct beat *access, u1 room)
{
    u1 push = access->valid && is_read(access);
    u1 sent = send_read(self, room);
    u1 take = self->reads != 0 && (!self->staged || sent);
    uint(NIC_PUTS_LOG2 + 3) order = self->orders[self->read_at];
    read_ecc_data word = (read_ecc_data)(((read_ecc_data)(u48)(access->word >> MEM_ADDR_AT) << 6) |
                                         BEAT_FIELD(access->word, MEM_BYTES_AT, 6));

    hls_assume(!push || self->reads != 1 << NIC_GETS_LOG2); /* npt: no more contexts than that */
    self->staged = take || (self->staged && !sent);
    if (take) {
        self->read_code = self->codes[self->read_at];
        self->read_order =
            (struct parb_order){(u1)(order >> (NIC_PUTS_LOG2 + 2)), (parb_writes)order};
        self->read_at++;
    }
    if (push) {
        u1 waits = BEAT_FIELD(access->word, MEM_ORDER_AT, 1);

        self->codes[self->write_at] = read_ecc_encode(word);
        self->orders[self->write_at] = (uint(NIC_PUTS_LOG2 + 3))(
            ((uint(NIC_PUTS_LOG2 + 3)) waits << (NIC_PUTS_LOG2 + 2)) | self->came);
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
    hls_assert(self->port < PARB_PORTS);
    hls_assert(!self->rest || self->open);
    hls_assert(!self->open || self->port != PARB_CQ || self->events != 0);
    hls_assert((u3)(self->events + self->event_head) <= PARB_EVENTS);
    hls_assert((u2)(self->event_write - self->event_read) == (u2)self->events);
    hls_assert(self->reads <= 1 << NIC_GETS_LOG2);
    hls_assert((parb_get)(self->write_at - self->read_at) == (parb_get)self->reads);
    hls_assert(!self->read_rest || self->staged);
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

HLS_MODULE void parb(struct parb *self, const struct parb_in *in)
{
    u1 was_open = self->open;

    assert_state(self);

    parb_ports taken = send(self, in->room_write);

    self->out.count = 0;
    queue_reads(self, &in->access[PARB_TARGET], in->room_read);
    account(self, in, was_open ? (parb_ports)0 : taken);
    take_accesses(self, in, taken);
    take_events(self, &in->access[PARB_CQ], (u1)(taken >> PARB_CQ));
    self->answered += in->done.valid && in->done.client == MEM_TARGET;
    self->out.idle = !self->staged && self->reads == 0 && !self->open && self->events == 0 &&
                     !self->event_head && !self->out.write.valid && !self->out.read.valid &&
                     self->of_target.count == 0 && self->of_local.count == 0;

    hls_cover(self->rest); /* a write over the end of a page */
    hls_cover(self->read_rest);
    hls_cover(self->staged && self->read_order.waits && in->room_read &&
              !self->out.read.valid); /* for writes before it */
    hls_cover(self->flying[PARB_TARGET] == PARB_FLYING);
}
