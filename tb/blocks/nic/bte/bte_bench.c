// SPDX-License-Identifier: Apache-2.0
/* bte_bench.c - what surrounds a block transfer engine, and what it should send. */
#include "tb/blocks/nic/bte/bte_bench.h"

#include <string.h>

#include "tb/golden/nic/nic_packet.h"

uint64_t bte_now;

#define NOTHING UINT64_MAX /* no byte of a message was seen */

enum {
    STREAM = 32, /* beats that the stream's queue holds */
    REFUSAL = 6,
    BROKEN = 13, /* statuses */
    BAD_COMMAND = 2,
    RINGS = 3,
    SEND = 8,
    END_BYTES = 20,
    STEP = 16, /* registers of a channel */
    REGISTERS = 0x200,
    DESCRIPTORS = 0x1000, /* registers of the process's side, four each */
};

static uint64_t ring_base(unsigned channel)
{
    return 0x100000000 + 0x10000 * (uint64_t)channel;
}

static uint8_t byte_of(unsigned mdh, uint64_t offset)
{
    return (uint8_t)(offset * 131 + (offset >> 8) * 7 + mdh * 29);
}

/* Offsets from which a broken segment cannot be read. */
static bool is_broken(uint64_t offset)
{
    return (offset & 0xFFFFFFFFFF) / 64 % 3 == 0;
}

static struct bte_posted *posted(struct bte_lane *lane, unsigned number)
{
    return &lane->posted[number % BTE_POSTED];
}

/* ---- what is posted ----------------------------------------------------------------------------- */

static void write_register(struct bte_bench *b, unsigned addr, uint64_t data)
{
    b->in.write = (struct nic_write){.valid = 1, .addr = (u16)addr, .data = data};
    bte_bench_step(b);
    b->in.write.valid = 0;
}

void bte_bench_start(struct bte_bench *b, uint64_t seed)
{
    memset(b, 0, sizeof *b);
    bte_reset(&b->dut);
    rng_seed(&b->rng, seed);
    b->latency = 20;
    b->room = b->answer = 1;
    b->limit = BTE_SLOTS;
    b->launch = BTE_LAUNCH_CLOCKS;
    b->in.room = b->in.room_word = b->in.tags = 1;
    for (unsigned i = 0; i < BTE_PLACES; i++) {
        b->in.wipe = (struct nic_wipe){1, (u13)i};
        bte_bench_step(b);
    }
    b->in.wipe.valid = 0;
    for (unsigned c = 0; c < BTE_CHANNELS; c++) {
        write_register(b, REGISTERS + STEP * c, ring_base(c));
        write_register(b, DESCRIPTORS + 4 * c, (uint64_t)1 << 57);
    }
}

static void enable(struct bte_bench *b)
{
    for (unsigned c = 0; c < BTE_CHANNELS; c++) {
        write_register(b, REGISTERS + STEP * c + 1,
                       1u | (unsigned)b->lane[c].launches << 1 | BTE_RING_LOG2 << 4 |
                           b->limit << 8);
    }
}

bool bte_bench_space(const struct bte_bench *b, unsigned channel)
{
    return b->lane[channel].in - b->lane[channel].freed < BTE_POSTED;
}

void bte_bench_post(struct bte_bench *b, unsigned channel, const struct nic_transfer *t)
{
    if (!b->enabled) {
        b->enabled = true;
        enable(b);
    }
    struct bte_lane *lane = &b->lane[channel];
    struct bte_posted *p = posted(lane, lane->in++);

    *p = (struct bte_posted){.t = *t};
    if (lane->launches) { /* a process can ask for neither */
        p->t.write_back = p->t.concatenate = false;
    }
    b->transfers++;
}

/* The transfer behind the last one of a chain. */
static unsigned behind_chain(struct bte_lane *lane, unsigned first)
{
    unsigned number = first;

    while (posted(lane, number)->t.concatenate && number - first + 1 < BTE_SLOTS) {
        number++;
    }
    return number + 1;
}

/* ---- memory ------------------------------------------------------------------------------------- */

static struct bte_reply *push(struct bte_bench *b, struct bte_replies *r)
{
    struct bte_reply *last = &r->at[(r->in - 1) % BTE_REPLIES];
    struct bte_reply *next = &r->at[r->in % BTE_REPLIES];
    uint64_t ready = bte_now + b->latency + (b->spread != 0 ? rng_below(&b->rng, b->spread) : 0);

    *next = (struct bte_reply){.ready = r->in != 0 && last->ready > ready ? last->ready : ready};
    r->in++;
    return next;
}

static void take_fetch(struct bte_bench *b, const struct mem_fetch *fetch)
{
    const unsigned c = (unsigned)((uint64_t)fetch->addr - ring_base(0)) / 0x10000;
    struct bte_lane *lane = &b->lane[c % BTE_CHANNELS];
    struct bte_reply *r = push(b, &b->ring);
    const uint64_t at = ring_base(c) + 64 * (lane->fetched % (1u << BTE_RING_LOG2));

    must_equal(&b->wrong, fetch->addr, at, "channel %u, transfer %u: address of its descriptor", c,
               lane->fetched);
    must_equal(&b->wrong, fetch->bytes, 63, "bytes of a descriptor, less one");
    must_at_least(&b->wrong, lane->in - lane->fetched, 1, "channel %u fetches %u", c,
                  lane->fetched);
    nic_transfer_words(&posted(lane, lane->fetched++)->t, r->word);
}

static void take_local(struct bte_bench *b, beat_word head)
{
    uint64_t flit[3] = {(uint64_t)(u48)head, (uint64_t)(u48)(head >> 48),
                        (uint64_t)(u48)(head >> 96)};
    struct bte_reply *r = push(b, &b->local);

    must_equal(&b->wrong, nic_get(flit, NIC_CMD), NIC_GET, "command of a local read");
    r->local = true;
    r->mdh = (unsigned)nic_get(flit, NIC_MDH);
    r->offset = nic_get(flit, NIC_OFFSET);
    r->bytes = (unsigned)nic_get(flit, NIC_Z) + 1;
    if (r->mdh >= BTE_REFUSED_MDH) {
        r->status = 3;
        b->refusal[b->refusal_in % BTE_REPLIES].due = bte_now + 4;
        b->refusal[b->refusal_in++ % BTE_REPLIES].first = (unsigned)nic_get(flit, NIC_TAG);
    } else if (r->mdh >= BTE_BROKEN_MDH) {
        r->status = is_broken(r->offset) ? 2 : 0;
    }
}

static struct beat reply_beat(const struct bte_bench *b)
{
    const struct bte_reply *r = &b->reply;
    struct beat beat = {.valid = 1, .head = b->beat == 0, .tail = b->beat + 1 == b->beats};

    if (b->beat == 0) {
        beat.word = (beat_word)(r->local ? 2 : RINGS) |
                    (beat_word)((r->local ? r->bytes : 64) - 1) << 16 | (beat_word)r->status << 24;
    } else if (r->local) {
        for (unsigned i = 0; i < 16 && 16 * (b->beat - 1) + i < r->bytes; i++) {
            beat.word |= (beat_word)byte_of(r->mdh, r->offset + 16 * (b->beat - 1) + i) << (8 * i);
        }
    } else {
        beat.word =
            (beat_word)r->word[2 * (b->beat - 1)] | (beat_word)r->word[2 * (b->beat - 1) + 1] << 64;
    }
    return beat;
}

/* The manager of AXI: replies one after the other, each without gaps, three clocks behind its beginning. */
static void drive_replies(struct bte_bench *b, bool room)
{
    bool ring = b->ring.in != b->ring.out && b->ring.at[b->ring.out % BTE_REPLIES].ready <= bte_now;
    bool local = b->local.in != b->local.out && room &&
                 b->local.at[b->local.out % BTE_REPLIES].ready <= bte_now;

    b->in.reply_local = b->in.reply_ring = (struct beat){0};
    *(b->way_local[2] ? &b->in.reply_local : &b->in.reply_ring) = b->way[2];
    memmove(&b->way[1], &b->way[0], 2 * sizeof b->way[0]);
    memmove(&b->way_local[1], &b->way_local[0], 2 * sizeof b->way_local[0]);
    b->way[0] = (struct beat){0};
    if (b->beat == b->beats && (ring || local)) {
        struct bte_replies *r = local && !(ring && rng_below(&b->rng, 2)) ? &b->local : &b->ring;

        b->reply = r->at[r->out++ % BTE_REPLIES];
        b->beat = 0;
        b->beats = b->reply.status != 0 ? 1 : b->reply.local ? 1 + (b->reply.bytes + 15) / 16 : 5;
    }
    if (b->beat != b->beats) {
        b->way[0] = reply_beat(b);
        b->way_local[0] = b->reply.local;
        b->beat++;
    }
}

/* A word that is written back: of a transfer that is over, once. */
static void take_word(struct bte_bench *b, const struct mem_word *word)
{
    const unsigned c = (unsigned)((uint64_t)word->addr - ring_base(0)) / 0x10000;
    const unsigned place =
        ((unsigned)((uint64_t)word->addr - ring_base(c)) / 64) % (1u << BTE_RING_LOG2);
    struct bte_lane *lane = &b->lane[c % BTE_CHANNELS];
    unsigned number = lane->freed;

    while (number != lane->in && number % (1u << BTE_RING_LOG2) != place) {
        number++;
    }
    struct bte_posted *p = posted(lane, number);

    must(&b->wrong,
         number != lane->in && p->over && p->t.write_back && !p->told && word->wide &&
             (uint64_t)word->addr % 64 == 56,
         "channel %u, place %u: a word that nobody wants is written", c, place);
    must_equal(&b->wrong, word->data, 1ull << 63 | p->status, "channel %u, transfer %u: word", c,
               number);
    p->told = true;
    b->undone++;
}

/* ---- transactions ------------------------------------------------------------------------------- */

/* One that is closed is over; or a request of one that is open fails. */
static void drive_ssid(struct bte_bench *b)
{
    const unsigned c = rng_below(&b->rng, BTE_CHANNELS), s = rng_below(&b->rng, BTE_SLOTS);
    struct bte_lane *lane = &b->lane[c];
    struct bte_open *open = &lane->slot[s];

    b->in.over.valid = b->in.fault.valid = 0;
    if (open->closed && rng_chance(&b->rng, b->answer)) {
        const unsigned status = rng_below(&b->rng, 4) == 0 ? rng_below(&b->rng, 16) : 0;

        b->in.over = (struct bte_over){1, bte_place_of((bte_channel)c, (bte_slot)s), 0, (u4)status};
        open->closed = open->open = false;
        lane->flying--;
        for (unsigned i = open->first; i != open->behind; i++) {
            posted(lane, i)->over = true;
            posted(lane, i)->status = status;
        }
    } else if (open->open && !open->closed && rng_chance(&b->rng, b->fault)) {
        b->in.fault = (struct bte_fault){1, bte_place_of((bte_channel)c, (bte_slot)s)};
        open->fault = true;
    }
    for (unsigned i = 0; i < BTE_CHANNELS; i++) {
        lane = &b->lane[i];
        while (lane->freed != lane->opened && posted(lane, lane->freed)->over &&
               (posted(lane, lane->freed)->told || !posted(lane, lane->freed)->t.write_back) &&
               (!lane->launches || lane->noted != lane->freed)) {
            lane->freed++;
        }
    }
}

/* Why a transfer fails here, 0: it does not. */
static unsigned reason(const struct nic_transfer *t)
{
    const bool reads = t->op != NIC_BTE_GET && t->bytes != 0;
    unsigned status = !nic_transfer_legal(t)                     ? BAD_COMMAND
                      : reads && t->local_mdh >= BTE_REFUSED_MDH ? REFUSAL
                                                                 : 0;

    for (uint64_t at = 0; status == 0 && reads && t->local_mdh >= BTE_BROKEN_MDH && at < t->bytes;
         at += nic_transfer_piece(t, at)) {
        status = is_broken(t->local + at) ? BROKEN : 0;
        if (status != 0) {
            break;
        }
    }
    return status;
}

/* The same in a chain, where messages stand among themselves. */
static unsigned reason_in(struct bte_lane *lane, const struct bte_open *open, unsigned number)
{
    const struct nic_transfer *t = &posted(lane, number)->t;
    const bool send = posted(lane, open->first)->t.op == NIC_BTE_SEND;

    return (t->op == NIC_BTE_SEND) != send ? BAD_COMMAND : reason(t);
}

/* Nothing of a transfer may be missing: its own or an earlier one of its chain. */
static bool may_stop(struct bte_lane *lane, const struct bte_open *open, unsigned number)
{
    bool stops = open->fault;

    for (unsigned i = open->first; i != number + 1; i++) {
        stops |= reason_in(lane, open, i) != 0;
    }
    return stops;
}

/* ---- packets ------------------------------------------------------------------------------------ */

static uint64_t field(beat_word head, enum nic_field f)
{
    uint64_t flit[3] = {(uint64_t)(u48)head, (uint64_t)(u48)(head >> 48),
                        (uint64_t)(u48)(head >> 96)};

    return nic_get(flit, f);
}

static void see_open(struct bte_bench *b, unsigned number)
{
    const unsigned c = number / BTE_SLOTS % BTE_CHANNELS, s = number % BTE_SLOTS;
    struct bte_lane *lane = &b->lane[c];
    struct bte_posted *p = posted(lane, lane->opened);

    must(&b->wrong,
         lane->opened != lane->in && s == lane->opened % BTE_SLOTS && !lane->slot[s].open,
         "channel %u opens transfer %u in slot %u", c, lane->opened, s);
    must(&b->wrong, !p->t.fence || lane->flying == 0,
         "channel %u: transfer %u, with fence, begins beside %u", c, lane->opened, lane->flying);
    must_at_most(&b->wrong, ++lane->flying, b->limit, "channel %u: transactions", c);
    must_equal(&b->wrong, field(b->head, NIC_X),
               p->t.op == NIC_BTE_SEND || (p->t.wants & NIC_BTE_TARGET) != 0, "x of OPEN");
    lane->slot[s] = (struct bte_open){.open = true,
                                      .first = lane->opened,
                                      .now = lane->opened,
                                      .end = NOTHING,
                                      .behind = behind_chain(lane, lane->opened)};
    b->fences += p->t.fence;
    lane->opened = lane->slot[s].behind;
}

/* What stands in the place of the handle: of a message its channel, and whether it brings an immediate word. */
static unsigned handle_of(const struct nic_transfer *t, bool send)
{
    return send ? (t->mdh & 3) + (t->immediate ? 4 : 0) : t->mdh;
}

static unsigned command_of(const struct nic_transfer *t)
{
    return t->op == NIC_BTE_GET ? NIC_GET : t->op == NIC_BTE_SEND ? SEND : NIC_PUT;
}

/* Whether the head that is seen is the next packet of a transfer; pieces of one that may stop can be missing. */
static bool is_next(struct bte_bench *b, struct bte_lane *lane, const struct bte_open *open,
                    unsigned number)
{
    struct bte_posted *p = posted(lane, number);
    const uint64_t at = (field(b->head, NIC_OFFSET) - p->t.offset) & 0xFFFFFFFFFF;
    uint64_t next = p->at;

    if (handle_of(&p->t, p->t.op == NIC_BTE_SEND) != field(b->head, NIC_MDH) ||
        command_of(&p->t) != b->cmd) {
        return false;
    }
    while (next < p->t.bytes && next < at && may_stop(lane, open, number)) {
        next += nic_transfer_piece(&p->t, next);
    }
    if (next == at && next < p->t.bytes) {
        p->at = next;
    }
    return next == at && next < p->t.bytes;
}

/* The head of a request: the next bytes of a transfer of its chain, whose order among each other is free. */
static void see_request(struct bte_bench *b, struct bte_lane *lane, struct bte_open *open)
{
    const bool get = b->cmd == NIC_GET;
    const uint64_t bytes = get ? 4 * (field(b->head, NIC_X) + 1) : field(b->head, NIC_Z) + 1;
    unsigned number = open->first;

    while (number + 1 != open->behind && !is_next(b, lane, open, number)) {
        number++;
    }
    struct bte_posted *p = posted(lane, number);

    must(&b->wrong, is_next(b, lane, open, number),
         "command %u, offset %llx: no packet of transfers %u to %u", b->cmd,
         (unsigned long long)field(b->head, NIC_OFFSET), open->first, open->behind - 1);
    open->now = number;
    must_equal(&b->wrong, b->cmd, command_of(&p->t), "command");
    must(&b->wrong, nic_transfer_legal(&p->t), "a packet of a transfer that is none");
    must_equal(&b->wrong, field(b->head, NIC_OFFSET), (p->t.offset + p->at) & 0xFFFFFFFFFF,
               "transfer %u at %llu of %llu: offset", open->now, (unsigned long long)p->at,
               (unsigned long long)p->t.bytes);
    must_equal(&b->wrong, bytes, nic_transfer_piece(&p->t, p->at), "transfer %u at %llu: bytes",
               open->now, (unsigned long long)p->at);
    must_equal(&b->wrong, field(b->head, NIC_MDH), handle_of(&p->t, p->t.op == NIC_BTE_SEND),
               "mdh");
    open->end = field(b->head, NIC_OFFSET) + bytes - 1;
    must_equal(&b->wrong, field(b->head, NIC_NODE), p->t.pe, "PE");
    must_equal(&b->wrong, field(b->head, NIC_PTAG), p->t.ptag, "ptag");
    must_equal(&b->wrong, field(b->head, NIC_MODE), p->t.mode, "mode");
    b->piece = (unsigned)bytes;
    b->packets++;
    b->bytes += bytes;
    if (b->first_head == 0) {
        b->first_head = bte_now;
    }
}

static void see_data(struct bte_bench *b, const struct beat *beat, struct bte_posted *p)
{
    const unsigned from = 16 * (b->beats_seen - 1);
    beat_word expected = 0;

    if (b->cmd == NIC_GET) {
        expected = (beat_word)((p->t.local + p->at) & 0xFFFFFFFFFF) |
                   (beat_word)p->t.local_mdh << 40 | (beat_word)p->t.ptag << 52 |
                   (beat_word)(b->piece - 1) << 60;
    } else {
        for (unsigned i = from; i < b->piece && i < from + 16; i++) {
            expected |= (beat_word)byte_of(p->t.local_mdh, (p->t.local + p->at + i) & 0xFFFFFFFFFF)
                        << (8 * (i - from));
        }
    }
    must(&b->wrong, beat->word == expected, "byte %llu of %llu: beat %u of its packet is wrong",
         (unsigned long long)p->at, (unsigned long long)p->t.bytes, b->beats_seen);
    must_equal(&b->wrong, beat->tail, b->cmd == NIC_GET || from + 16 >= b->piece, "the last beat");
    if (beat->tail) {
        p->at += b->piece;
    }
}

/* What a transaction ends with. */
static void see_close(struct bte_bench *b, const struct beat *beat, struct bte_lane *lane,
                      struct bte_open *open)
{
    struct bte_posted *p = posted(lane, open->behind - 1);
    const bool send = posted(lane, open->first)->t.op == NIC_BTE_SEND;
    const bool target = send || (p->t.wants & NIC_BTE_TARGET) != 0;

    if (b->beats_seen == 1) {
        const bool any = open->end == NOTHING || may_stop(lane, open, open->behind - 1);
        const uint64_t last = any ? (uint64_t)(u32)(beat->word >> 32) : open->end & 0xFFFFFFFF;
        const beat_word flag = send ? (beat_word)(uint32_t)p->t.target << 96 : 0;

        must(&b->wrong, beat->word == (flag | (beat_word)(send ? last : p->t.target) << 32),
             "target event of CLOSE, or length and immediate word"); /* of what fails, any length */
        must_equal(&b->wrong, field(b->head, NIC_MDH), handle_of(&p->t, send), "mdh of CLOSE");
        must_equal(&b->wrong, field(b->head, NIC_Z), END_BYTES - 1, "z of CLOSE, as END has it");
        return;
    }
    unsigned reasons = 0;
    bool stops = may_stop(lane, open, open->behind - 1);

    for (unsigned i = open->first; i != open->behind; i++) {
        const struct bte_posted *q = posted(lane, i);

        reasons |= 1u << reason_in(lane, open, i);
        must(&b->wrong, stops || q->at == q->t.bytes, "transfer %u: CLOSE at %llu of %llu bytes", i,
             (unsigned long long)q->at, (unsigned long long)q->t.bytes);
    }
    const uint64_t seen = (uint64_t)(beat->word >> 32) & 0xFFFFFFFF;
    const unsigned told = (unsigned)(seen >> 15 & 15);

    must_equal(&b->wrong, (u32)beat->word, send ? p->t.target >> 32 : 0, "immediate word");
    must_equal(&b->wrong, field(b->head, NIC_X), (target && told == 0 ? 2 : 0) + (send ? 4 : 0),
               "x of CLOSE");
    must(&b->wrong, told != 0 ? reasons >> told & 1 : reasons == 1 || open->fault,
         "transfer %u: status %u of CLOSE, expected one of %x", open->first, told, reasons);
    must_equal(&b->wrong, seen & 0x7FFF,
               p->t.wants | (send ? NIC_BTE_TARGET : 0u) | p->t.queue << 4,
               "wants and queue of CLOSE");
    must(&b->wrong, (uint64_t)(beat->word >> 64) == p->t.event, "source event of CLOSE");
    must_hold(&b->wrong, beat->tail);
    open->closed = true;
    b->failed += told != 0;
}

static void see_beat(struct bte_bench *b, const struct beat *beat)
{
    if (beat->head) {
        b->head = beat->word;
        b->cmd = (unsigned)field(beat->word, NIC_CMD);
        b->number = (unsigned)field(beat->word, NIC_SSID);
        b->beats_seen = 0;
        must_equal(&b->wrong, b->number >> 7, 1, "kind of channel");
    }
    const unsigned c = b->number % 128 / BTE_SLOTS % BTE_CHANNELS, s = b->number % BTE_SLOTS;
    struct bte_lane *lane = &b->lane[c];
    struct bte_open *open = &lane->slot[s];

    if (beat->head && b->cmd == 14) {
        see_open(b, b->number % 128);
        return;
    }
    if (!must(&b->wrong, open->open && !open->closed,
              "command %u for channel %u, slot %u, that is not open", b->cmd, c, s)) {
        return;
    }
    if (b->cmd == 15 && b->beats_seen != 0) {
        see_close(b, beat, lane, open);
    } else if (b->cmd != 15 && beat->head) {
        see_request(b, lane, open);
    } else if (b->cmd != 15) {
        see_data(b, beat, posted(lane, open->now));
    }
    b->beats_seen++;
    b->last_tail = bte_now;
}

/* ---- a clock ------------------------------------------------------------------------------------ */

static void drive(struct bte_bench *b)
{
    const unsigned c = rng_below(&b->rng, BTE_CHANNELS);
    struct bte_lane *lane = &b->lane[c];

    drive_replies(b, b->dut.out.room_reply);
    drive_ssid(b);
    b->in.refusal.valid = 0;
    if (b->refusal_in != b->refusal_out &&
        b->refusal[b->refusal_out % BTE_REPLIES].due <= bte_now) {
        b->in.refusal = (struct bte_refusal){
            1, (bte_place)b->refusal[b->refusal_out++ % BTE_REPLIES].first, REFUSAL};
    }
    b->in.local_taken = b->dut.out.local.valid && rng_chance(&b->rng, b->room);
    b->in.fetch_taken = b->dut.out.fetch.valid && rng_chance(&b->rng, b->room);
    b->in.done =
        (struct mem_done){.valid = b->undone != 0 && rng_chance(&b->rng, b->room), .client = RINGS};
    b->undone -= b->in.done.valid;
    bte_bench_launch(b, c);
    if (!b->in.write.valid && lane->written != lane->in && !lane->launches) {
        lane->written = lane->in;
        b->in.write = (struct nic_write){
            .valid = 1, .addr = (u16)(REGISTERS + STEP * c + 2), .data = lane->in & 1023};
    }
}

void bte_bench_step(struct bte_bench *b)
{
    drive(b);
    if (b->in.fetch_taken) {
        take_fetch(b, &b->dut.out.fetch);
    }
    if (b->in.local_taken) {
        take_local(b, b->dut.out.local.word);
    }
    bte(&b->dut, &b->in);
    if (b->in.write.addr % STEP == 2) {
        b->in.write.valid = 0;
    }
    if (b->dut.out.word.valid) {
        take_word(b, &b->dut.out.word);
    }
    if (b->dut.out.beat.valid) {
        see_beat(b, &b->dut.out.beat);
        must_at_most(&b->wrong, ++b->queued, STREAM, "beats in the stream's queue");
    }
    b->queued -= b->queued != 0 && rng_chance(&b->rng, b->room);
    b->in.room = b->queued <= STREAM - BEAT_ROOM;
    b->in.room_word = rng_chance(&b->rng, b->room);
    b->in.tags = b->room == 1 || rng_below(&b->rng, 16) != 0;
    bte_now++;
}

/* READ_INDEX or STATUS of a channel, as nic_regs reads them. */
static uint64_t read_register(struct bte_bench *b, unsigned addr)
{
    b->in.read = (u16)(REGISTERS + addr);
    bte_bench_step(b);
    must_hold(&b->wrong, b->dut.out.owned.known);
    return (uint64_t)b->dut.out.owned.data;
}

void bte_bench_drain(struct bte_bench *b, uint64_t clocks)
{
    const uint64_t begin = bte_now;
    bool rests = false;

    while (!rests && must_at_most(&b->wrong, bte_now - begin, clocks, "clocks until all is over")) {
        bte_bench_step(b);
        rests = b->undone == 0;
        for (unsigned c = 0; c < BTE_CHANNELS; c++) {
            rests &= b->lane[c].freed == b->lane[c].in;
        }
    }
    for (unsigned i = 0; i < 20; i++) {
        bte_bench_step(b);
    }
    for (unsigned c = 0; c < BTE_CHANNELS; c++) {
        const struct bte_lane *lane = &b->lane[c];

        must_equal(&b->wrong, read_register(b, STEP * c + 3), lane->launches ? 0 : lane->in & 1023,
                   "channel %u: read index", c);
        must_equal(&b->wrong, lane->noted, lane->launches ? lane->in : 0,
                   "channel %u: transfers that were launched and are over", c);
        must_equal(&b->wrong, read_register(b, STEP * c + 8), b->enabled, "channel %u: status", c);
    }
    must_hold(&b->wrong, b->dut.out.idle);
}
