// SPDX-License-Identifier: Apache-2.0
/*
 * parb.c - who goes next to host memory.
 *
 * Whole packets go out, events first though not twice running, the others in turn, one beat a clock; writes wait with their senders. Reads are one
 * word each and stand in a memory here, so that writes never wait for them; those of amo come one by one and have turns with them. An access over
 * the end of a page gets a second head, with the address of what lies behind.
 *
 * Order of other nodes' accesses (order.h): a read in an ordered mode waits here for the writes and atomic operations that were accepted before
 * it, and behind it reads of other nodes alone. A write in an ordered mode waits in a queue for the reads and atomic operations before it, which all
 * other writes pass; so does an event of one, which then is released to npt.
 */
#include "nic/host/parb.h"

#include "common/arbiter.h"

HLS_RESET void parb_reset(struct parb *self)
{
    self->out = (struct parb_out){};
    for (int w = 0; w < WRITERS; w++) {
        self->flying[w] = 0;
    }
    write_queue_reset(&self->queue);
    self->queued_flying = 0;
    skid_reset(&self->of_target);
    skid_reset(&self->of_local);
    self->event_read = 0;
    self->event_write = 0;
    self->events = 0;
    self->event_head = 0;
    words_reset(&self->words);
    words_reset(&self->backs);
    self->open = 0;
    self->rest = 0;
    self->port = 0;
    self->last = 0;
    self->last_urgent = 0;
    self->staged = 0;
    self->read_rest = 0;
    self->read_at = 0;
    self->write_at = 0;
    self->reads = 0;
    self->read_code = 0;
    self->first = (struct parb_read){};
    read_lines_reset(&self->lines);
    for (int r = 0; r < READERS; r++) {
        self->held[r] = 0;
    }
}

static const u4 client_of[WRITERS] = WRITER_CLIENTS;
static const parb_flying writes_of[WRITERS] = WRITER_WRITES;
static const mem_writer writer_of[PARB_PORTS] = PARB_WRITERS;

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

/* The oldest event as the beat of it that goes next: its data comes a clock behind its head. */
static inline struct beat event_beat(const struct parb *self)
{
    u53 at = self->event_at[self->event_read];
    u64 data = self->event_data[self->event_read];
    beat_word head = ((beat_word)MEM_CQ << MEM_CLIENT_AT) | ((beat_word)7 << MEM_BYTES_AT) |
                     ((beat_word)1 << MEM_WRITE_AT) | ((beat_word)(u48)at << MEM_ADDR_AT) |
                     ((beat_word)(mem_space)(at >> 48) << MEM_SPACE_AT);

    return (struct beat){
        .valid = self->events != 0 || self->event_head,
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
        mem_writer writer = writer_of[p];
        u1 may = fronts[p].valid && self->flying[writer] < writes_of[writer];

        ready |= (parb_ports)((parb_ports)may << p);
    }
    return ready;
}

/* Urgent ports first, but not twice running while others wait; the others in turn. */
static inline parb_port_number choose(const struct parb *self, parb_ports ready)
{
    parb_ports urgent = ready & PARB_URGENT;
    parb_ports others = ready & (parb_ports)~PARB_URGENT;
    u1 again = (u1)(PARB_URGENT >> self->port);
    u1 goes_first = urgent != 0 && (others == 0 || !again);

    return goes_first ? mask_next(urgent, self->last_urgent) : mask_next(others, self->last);
}

/* The head as it leaves: with its client as the port has it, whatever happened to its bits. */
static inline beat_word head_of(beat_word word, parb_port_number port, u1 split)
{
    word = BEAT_WITH(word, MEM_CLIENT_AT, 4, client_of[writer_of[port]]);
    return BEAT_WITH(word, MEM_SPLIT_AT, 1, split);
}

/* The next beat of the write stream; says of which port one is taken. */
static inline parb_ports send(struct parb *self, const struct beat *local, u1 room)
{
    struct beat fronts[PARB_PORTS] = {
        [PARB_TARGET] = skid_front(&self->of_target),
        [PARB_LOCAL] = *local,
        [PARB_QUEUED] = write_queue_front(&self->queue),
        [PARB_AMO] = words_front(&self->words, MEM_AMO, self->open),
        [PARB_RINGS] = words_front(&self->backs, MEM_RINGS, self->open),
        [PARB_CQ] = event_beat(self),
    };

    fronts[PARB_LOCAL].valid &= !is_read(local);
    parb_ports ready = ready_ports(self, fronts);
    parb_port_number port = self->open ? self->port : choose(self, ready);
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
        self->last = (u1)(PARB_URGENT >> port) ? self->last : port;
        self->last_urgent = (u1)(PARB_URGENT >> port) ? port : self->last_urgent;
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
    u1 queued = (u1)(begun >> PARB_QUEUED);
    u1 queued_done = in->done.valid && in->done.client == MEM_TARGET && (u1)in->done.place;
    mem_writer_set sent = 0;

    for (int p = 0; p < PARB_PORTS; p++) {
        sent |= (mem_writer_set)((mem_writer_set)(u1)(begun >> p) << writer_of[p]);
    }
    for (int w = 0; w < WRITERS; w++) {
        u1 done = in->done.valid && in->done.client == client_of[w];
        u1 more = (u1)(sent >> w);

        hls_assume(!done || more || self->flying[w] != 0); /* axi_master answers what it took */
        self->flying[w] = (parb_flying)(self->flying[w] + more - done);
    }
    hls_assume(!queued_done || queued || self->queued_flying != 0);
    self->queued_flying = (parb_flying)(self->queued_flying + queued - queued_done);
}

/* ---- reads --------------------------------------------------------------------------------------- */

static const parb_places places_of[READERS] = READER_PLACES;

/* A place is taken by the first word of a read, and given back with its reply. */
static inline void hold(struct parb *self, mem_reader_set given, u1 second)
{
    const struct mem_read *read = &self->out.read;

    for (int r = 0; r < READERS; r++) {
        u1 taken = read->valid && !second && read->reader == r;
        u1 back = (u1)(given >> r);

        hls_assume(!back || self->held[r] != 0); /* axi_master gives back what was taken */
        self->held[r] = (parb_places)(self->held[r] + taken - back);
    }
}

/* A read that is held until it is taken. */
static inline struct parb_read read_of(const struct mem_fetch *fetch, u1 taken)
{
    return (struct parb_read){.valid = fetch->valid && !taken,
                              .space = fetch->space,
                              .bytes = fetch->bytes,
                              .addr = fetch->addr};
}

/* One of rat_local, which has its place among the writes; a refused one, too, whose reply says so. */
static inline struct parb_read local_read(const struct beat *front)
{
    return (struct parb_read){.valid = front->valid && is_read(front),
                              .bad = front->bad,
                              .space = BEAT_FIELD(front->word, MEM_SPACE_AT, 5),
                              .bytes = BEAT_FIELD(front->word, MEM_BYTES_AT, 6),
                              .addr = (u48)(front->word >> MEM_ADDR_AT)};
}

/* The next word: of the read that goes out, or the first one of a client's in turn. Says whose read has left. */
static inline mem_reader_set send_read(struct parb *self, const struct parb_in *in,
                                       const struct beat *local)
{
    u1 amo_taken = (u1)(self->out.fetch_taken >> PARB_FETCH_AMO);
    u1 ring_taken = (u1)(self->out.fetch_taken >> PARB_FETCH_RINGS);
    struct parb_read fronts[READERS] = {
        [READER_TARGET] = self->first,
        [READER_LOCAL] = local_read(local),
        [READER_AMO] = read_of(&in->fetch[PARB_FETCH_AMO], amo_taken),
        [READER_RINGS] = read_of(&in->fetch[PARB_FETCH_RINGS], ring_taken),
    };
    mem_reader_set ready = 0;

    fronts[READER_TARGET].valid &= self->lines.out.may;
    for (int r = 0; r < READERS; r++) {
        u1 may = fronts[r].valid && self->held[r] != places_of[r];

        ready |= (mem_reader_set)((mem_reader_set)may << r);
    }
    u1 second = self->read_rest;
    mem_reader last = self->out.read.reader;
    mem_reader reader = second ? last : (mem_reader)mask_next(ready, last);
    struct parb_read front = fronts[reader];
    u1 go = in->room_read && (second || ready != 0);
    u1 split = !front.bad && crosses(front.addr, front.bytes);

    self->out.read.valid = go;
    if (go) {
        self->out.read = (struct mem_read){
            .valid = 1,
            .reader = reader,
            .fault = front.bad ? (u2)MEM_WRONG_BITS : (u2)MEM_DONE,
            .split = split,
            .space = front.space,
            .bytes = front.bytes,
            .addr = second ? next_page(front.addr) : front.addr,
        };
        self->read_rest = split && !second;
    }
    return (mem_reader_set)((mem_reader_set)(u1)(go && !self->read_rest) << reader);
}

/* What a read waits for, which comes or leaves. */
static inline struct read_lines_in to_lines(const struct parb_in *in, u1 push, u1 sent)
{
    const struct order_counts *n = &in->counts;

    return (struct read_lines_in){
        .push = push,
        .waits = BEAT_FIELD(in->target.word, MEM_ORDER_AT, 1),
        .pop = sent,
        .accepted = {n->accepted[ORDER_PUTS], n->accepted[ORDER_QUEUED],
                     n->accepted[ORDER_ATOMICS]},
        .answered = {n->answered[ORDER_PUTS], n->answered[ORDER_QUEUED],
                     n->answered[ORDER_ATOMICS]},
    };
}

/* TARGET's: a FIFO in a memory, its front decoded in registers; one that comes is there four clocks later. */
static inline void queue_reads(struct parb *self, const struct parb_in *in, u1 sent)
{
    const struct beat *access = &in->target;
    u1 push = access->valid && is_read(access);
    u1 decodes = self->staged && (!self->first.valid || sent);
    u1 take = self->reads != 0 && (!self->staged || decodes);
    struct read_ecc_result fixed = read_ecc_decode((read_ecc_word)self->read_code);
    struct space_ecc_result space =
        space_ecc_decode((space_ecc_word)(self->read_code >> PARB_SPACE_AT));
    u1 corrected = fixed.corrected || space.corrected, fatal = fixed.fatal || space.fatal;
    read_ecc_data word = (read_ecc_data)(((read_ecc_data)(u48)(access->word >> MEM_ADDR_AT) << 6) |
                                         BEAT_FIELD(access->word, MEM_BYTES_AT, 6));

    /* npt: no more contexts than that; nor have the lines more places, those of the last two may still be needed */
    hls_assume(!push || self->reads + self->staged + self->first.valid < 1 << NIC_GETS_LOG2);
    self->first.valid &= !sent;
    if (decodes) {
        self->first = (struct parb_read){.valid = 1,
                                         .bad = fatal,
                                         .space = space.data,
                                         .bytes = (u6)fixed.data,
                                         .addr = (u48)(fixed.data >> 6)};
        self->out.count |= (parb_counts)((parb_counts)corrected << PARB_CORRECTED);
        self->out.count |= (parb_counts)((parb_counts)fatal << PARB_FATAL);
    }
    self->staged = take || (self->staged && !decodes);
    if (take) {
        self->read_code = self->codes[self->read_at];
        self->read_at++;
    }
    struct read_lines_in lines = to_lines(in, push, sent);

    read_lines(&self->lines, &lines);
    if (push) {
        self->codes[self->write_at] = (parb_read_code)(((parb_read_code)space_ecc_encode(BEAT_FIELD(
                                                            access->word, MEM_SPACE_AT, 5))
                                                        << PARB_SPACE_AT) |
                                                       read_ecc_encode(word));
        self->write_at++;
    }
    self->reads = (uint(NIC_GETS_LOG2 + 1))(self->reads + push - take);
}

/* ---- together ------------------------------------------------------------------------------------ */

/* What the registers say of each other: of the packet that goes out, and of the two FIFOs. */
static inline void assert_state(const struct parb *self)
{
    for (int w = 0; w < WRITERS; w++) {
        hls_assert(self->flying[w] <= writes_of[w]);
    }
    hls_assert(!self->rest || self->open);
    hls_assert(!self->open || self->port != PARB_CQ || self->events != 0);
    hls_assert(!self->open || self->port != PARB_AMO || self->words.count != 0);
    hls_assert(!self->open || self->port != PARB_RINGS || self->backs.count != 0);
    hls_assert((u3)(self->events + self->event_head) <= PARB_EVENTS);
    hls_assert((u2)(self->event_write - self->event_read) == (u2)self->events);
    hls_assert(self->reads <= 1 << NIC_GETS_LOG2);
    hls_assert((parb_get)(self->write_at - self->read_at) == (parb_get)self->reads);
    hls_assert(!self->read_rest || self->out.read.reader != READER_TARGET || self->first.valid);
    hls_assert(self->lines.out.count == self->reads + self->staged + self->first.valid);
}

/* What comes from the two senders that can be stopped; reads go elsewhere. */
static inline void take_accesses(struct parb *self, const struct parb_in *in, parb_ports taken,
                                 u1 local_gone)
{
    struct beat push = in->target;

    push.valid = push.valid && !is_read(&push);
    self->out.room_target = skid_step(&self->of_target, &push, (u1)(taken >> PARB_TARGET));
    self->out.room_local = skid_step(&self->of_local, &in->local, local_gone);
}

static inline void take_events(struct parb *self, const struct beat *beat, u1 taken)
{
    u1 sent = taken && !self->open; /* its data */

    /* cq sends a head and in the next clock its data, and looks at room. */
    hls_assume(beat->valid || !self->event_head);
    hls_assume(!beat->valid || (beat->head == !self->event_head && beat->tail == !beat->head));
    hls_assume(!beat->valid || self->events + (u3)self->event_head != PARB_EVENTS || !beat->head);
    if (beat->valid && beat->head) {
        self->event_at[self->event_write] =
            (u53)(((u53)BEAT_FIELD(beat->word, MEM_SPACE_AT, 5) << 48) |
                  (u48)(beat->word >> MEM_ADDR_AT));
    } else if (beat->valid) {
        self->event_data[self->event_write] = (u64)beat->word;
        self->event_write++;
    }
    self->event_head = beat->valid ? beat->head : self->event_head;
    self->event_read += sent;
    self->events = (u3)(self->events + (beat->valid && beat->tail) - sent);
    self->out.room_event = (u3)(self->events + self->event_head) <= PARB_EVENTS - 3;
}

HLS_MODULE void parb(struct parb *self, const struct parb_in *in)
{
    u1 was_open = self->open;
    u1 second = self->read_rest; /* a word of a read that leaves now is its second one */

    assert_state(self);
    hls_cover(self->first.valid && !self->lines.out.may &&
              self->lines.out.count > 1); /* for what came before it */

    struct beat local = skid_front(&self->of_local);
    parb_ports taken = send(self, &local, in->room_write);

    struct write_queue_in to_queue = {.push = in->queued,
                                      .pop = (u1)(taken >> PARB_QUEUED),
                                      .quiet = self->queued_flying == 0,
                                      .counts = in->counts};
    u1 queue_empty = self->queue.out.empty;
    u1 fetches = 0;

    for (int f = 0; f < PARB_FETCHES; f++) {
        fetches |= in->fetch[f].valid;
    }
    self->out.count = (parb_counts)(((parb_counts)self->queue.out.corrected << PARB_CORRECTED) |
                                    ((parb_counts)self->queue.out.lost << PARB_FATAL));

    mem_reader_set read = send_read(self, in, &local);
    u1 local_gone = (u1)(taken >> PARB_LOCAL) | (u1)(read >> READER_LOCAL);

    self->out.fetch_taken =
        (parb_fetches)(((parb_fetches)(u1)(read >> READER_RINGS) << PARB_FETCH_RINGS) |
                       (parb_fetches)((parb_fetches)(u1)(read >> READER_AMO) << PARB_FETCH_AMO));
    queue_reads(self, in, (u1)(read >> READER_TARGET));
    account(self, in, was_open ? (parb_ports)0 : taken);
    hold(self, in->given, second);
    take_accesses(self, in, taken, local_gone);
    take_events(self, &in->event, (u1)(taken >> PARB_CQ));
    /* A word goes when its data does. */
    self->out.room_word =
        words_step(&self->words, &in->word, was_open & (u1)(taken >> PARB_AMO), 8);
    self->out.room_back =
        words_step(&self->backs, &in->back, was_open & (u1)(taken >> PARB_RINGS), 2);
    write_queue(&self->queue, &to_queue);
    self->out.room_queued = self->queue.out.room;
    self->out.room_packets = self->queue.out.room_packets;
    self->out.released = self->queue.out.released;
    self->out.lost = self->queue.out.lost;
    self->out.idle = !self->first.valid && !self->staged && self->reads == 0 && !self->open &&
                     self->events == 0 && !self->event_head && self->words.count == 0 &&
                     self->backs.count == 0 && !self->out.write.valid && !self->out.read.valid &&
                     !fetches && self->of_target.count == 0 && self->of_local.count == 0 &&
                     queue_empty && !in->queued.valid;

    hls_cover(self->rest); /* a write over the end of a page */
    hls_cover(self->read_rest);
    hls_cover(self->out.fetch_taken != 0 && self->staged);
    hls_cover(self->flying[WRITER_TARGET] == writes_of[WRITER_TARGET]);
}
