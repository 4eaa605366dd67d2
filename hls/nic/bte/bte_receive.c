// SPDX-License-Identifier: Apache-2.0
/*
 * bte_receive.c - posted buffers and the messages that fill them.
 *
 *   find     a head of rat_net: the buffer of its message, or the next one of its channel, in the clock behind
 *   op       a packet of npt, in two clocks: counted, or SEND_END with its total, or the word that its sender gives up
 *   post     a process: the next descriptor of a channel is read ahead
 *   tend     a process: a message that is whole or has failed, step by step: immediate word, length, event, answer to SEND_END; one
 *            visit for each write, so several messages wait for memory at once
 *
 * A packet flies from find until npt has said how it ended, refused ones too. Nothing is given back while one flies, however long memory takes; but a
 * double-bit error in a context of npt leaves one that never lands: then the age of the messages of that time counts.
 */
#include "nic/bte/bte_receive.h"

HLS_RESET void bte_receive_reset(struct bte_receive *self)
{
    self->out = (struct bte_receive_out){};
    for (int c = 0; c < BTE_CHANNELS; c++) {
        self->log2[c] = 0;
        self->written[c] = 0;
        self->fetched[c] = 0;
        self->taken[c] = 0;
    }
    self->enabled = 0;
    self->failed = 0;
    self->busy = 0;
    self->post_at = POST_IDLE;
    self->turn = 0;
    self->used = 0;
    for (int m = 0; m < BTE_MESSAGES; m++) {
        self->keys[m] = 0;
        self->channels[m] = 0;
        self->steps[m] = RX_OPEN;
        self->flying[m] = 0;
    }
    self->fresh = 0;
    self->parked = 0;
    self->immediate = 0;
    self->aged = 0;
    self->old = 0;
    self->leaky = 0;
    self->op = (struct rmt_op){};
    self->count = 0;
    self->total = (struct bte_total){};
    self->tend_at = TEND_IDLE;
    self->at = 0;
    self->step = RX_OPEN;
    self->buffer = (struct bte_buffer){};
    self->place = (struct bte_posted_at){};
    self->tail = (struct bte_tail){};
    self->end = (struct bte_total){};
    self->status = 0;
}

static inline bte_messages one_message(u1 condition, bte_message message)
{
    return (bte_messages)((bte_messages)condition << message);
}

static inline bte_message lowest(bte_messages set)
{
    bte_message lowest = 0;

    for (int m = BTE_MESSAGES - 1; m >= 0; m--) {
        lowest = (u1)(set >> m) ? (bte_message)m : lowest;
    }
    return lowest;
}

/* The next one behind `last`; one at least is in the set. */
static inline bte_message next_message(bte_messages set, bte_message last)
{
    bte_messages behind = (bte_messages)(set & (bte_messages)((bte_messages)-2 << last));

    return lowest(behind != 0 ? behind : set);
}

static inline bte_ahead ahead_at(bte_channel c, bte_index index)
{
    return (bte_ahead)(((bte_ahead)c << BTE_BUFFERS_LOG2) | (uint(BTE_BUFFERS_LOG2))index);
}

/* ---- registers ---------------------------------------------------------------------------------- */

#define REGISTER(word, f) ((uint(NR_BTE##f##_BITS))((word) >> NR_BTE##f##_AT))

enum { RX_BASE = 4, RX_CONFIG, RX_WRITE, RX_READ, RX_STATUS = 9 };

static inline u1 is_ours(u16 addr)
{
    return addr >> (NIC_BTE_LOG2 + 4) == NR_BTE >> (NIC_BTE_LOG2 + 4);
}

static inline void configure(struct bte_receive *self, bte_channel c, u64 data)
{
    u1 enable = REGISTER(data, 5_ENABLE);
    bte_channels it = bte_one_channel(1, c);
    u1 begins = enable && !(u1)((self->enabled | self->busy) >> c);

    if (begins) {
        self->written[c] = 0;
        self->fetched[c] = 0;
        self->taken[c] = 0;
        self->log2[c] = REGISTER(data, 5_LOG2);
        self->failed &= (bte_channels)~it;
        self->enabled |= it;
    } else if (!enable) {
        self->enabled &= (bte_channels)~it;
    }
}

static inline void write_registers(struct bte_receive *self, const struct nic_write *write)
{
    u1 ours = write->valid && is_ours(write->addr);
    bte_channel c = (bte_channel)(write->addr >> 4);

    if (ours && (u4)write->addr == RX_BASE) {
        self->bases[c] =
            (struct bte_base){REGISTER(write->data, 4_ADDRESS), REGISTER(write->data, 4_MMU),
                              REGISTER(write->data, 4_TC)};
    }
    if (ours && (u4)write->addr == RX_CONFIG) {
        configure(self, c, write->data);
    }
    if (ours && (u4)write->addr == RX_WRITE) {
        self->written[c] = REGISTER(write->data, 6_INDEX);
    }
}

static inline struct owned_value show(const struct bte_receive *self, u16 addr)
{
    bte_channel c = (bte_channel)(addr >> 4);
    u1 index = (u4)addr == RX_READ;
    u64 status = (u64)(u1)(self->enabled >> c) << NR_BTE9_ENABLED_AT |
                 (u64)(u1)(self->busy >> c) << NR_BTE9_BUSY_AT |
                 (u64)(u1)(self->failed >> c) << NR_BTE9_FAILED_AT;

    return (struct owned_value){
        .known = is_ours(addr) && (index || (u4)addr == RX_STATUS),
        .data = index ? (u64)self->taken[c] : status,
    };
}

/* ---- buffers that were posted ------------------------------------------------------------------- */

/* Channels with a descriptor that is not read yet, and a place for it. */
static inline bte_channels to_post(const struct bte_receive *self)
{
    bte_channels wants = 0;

    for (int c = 0; c < BTE_CHANNELS; c++) {
        u1 more = self->written[c] != self->fetched[c];
        u1 fits = (bte_index)(self->fetched[c] - self->taken[c]) < 1 << BTE_BUFFERS_LOG2;

        wants |= bte_one_channel(more && fits, (bte_channel)c);
    }
    return (bte_channels)(wants & self->enabled);
}

/* Where a descriptor of a ring of 1 << log2 is. */
static inline u48 address_of(u48 base, bte_index index, u4 log2)
{
    bte_index mask = (bte_index)((1 << log2) - 1);

    return (u48)(base + ((u15)(index & mask) << RX_LOG2));
}

static inline struct bte_buffer buffer_of(beat_data data)
{
    u64 high = (u64)(data >> 64);

    return (struct bte_buffer){
        .address = (u48)data,
        .space = (u1)(data >> RX_MMU_AT) ? (mem_space)(data >> RX_MMU_AT) : (mem_space)0,
        .bytes = (u33)(high >> RX_BYTES_AT),
        .queue = (u10)(high >> RX_QUEUE_AT),
        .ptag = (nic_ptag)(high >> RX_PTAG_AT),
        .event = (u1)(high >> RX_EVENT_AT),
    };
}

/* Its bytes lie in the 48 bits of an address, and are no more than a message may have. */
static inline u1 is_buffer(const struct bte_buffer *b)
{
    return b->bytes <= (u33)1 << 32 && (u49)((u49)b->address + b->bytes) <= (u49)1 << 48;
}

/* The data of a reply, or its head, if it has none: the channel goes on, or stops. */
static inline void take_buffer(struct bte_receive *self, const struct beat *reply)
{
    bte_channel c = self->turn;
    struct bte_buffer buffer = buffer_of((beat_data)reply->word);
    u1 good = !reply->head && !reply->bad && is_buffer(&buffer);
    bte_channels bad = bte_one_channel(!good, c);

    self->ahead[ahead_at(c, self->fetched[c])] = buffer;
    self->fetched[c] += good;
    self->failed |= bad;
    self->enabled &= (bte_channels)~bad;
    self->out.count |= (uint(BTE_RING_COUNTS))((uint(BTE_RING_COUNTS))(u1)!good << BTE_RING_FAILED);
}

static inline void post(struct bte_receive *self, const struct bte_receive_in *in)
{
    bte_channels wants = to_post(self);
    struct bte_base base = self->bases[self->turn];
    u1 replied = in->reply.valid && in->reply.tail;

    HLS_PROCESS(self->post_at, POST_IDLE, POST_READ, POST_TAKEN, POST_REPLY);
    for (;;) {
        HLS_WAIT_UNTIL(POST_IDLE, wants != 0);
        self->turn = bte_next_channel(wants, self->turn);
        HLS_WAIT_UNTIL(POST_READ, !in->fetch_waits);
        self->out.fetch = (struct mem_fetch){
            .valid = 1,
            .space = bte_space_of(&base),
            .bytes = RX_READ_BYTES - 1,
            .addr = address_of(base.address, self->fetched[self->turn], self->log2[self->turn]),
        };
        HLS_WAIT_UNTIL(POST_TAKEN, in->fetch_taken);
        self->out.fetch.valid = 0;
        HLS_WAIT_UNTIL(POST_REPLY, replied);
        take_buffer(self, &in->reply);
    }
}

/* ---- heads of rat_net --------------------------------------------------------------------------- */

/* What is known of the message of a head. */
struct bte_look {
    u1 hit;
    bte_message at; /* it, or a free place */
    u1 free;        /* there is one */
    u1 ahead;       /* a buffer is */
    struct bte_buffer next, own;
    bte_index index; /* of next */
    enum bte_step step;
};

static inline struct bte_look look(const struct bte_receive *self, const struct message_find *find)
{
    bte_channel c = (bte_channel)find->channel;
    u1 exists = (u3)find->channel >> NIC_BTE_LOG2 == 0;
    bte_messages hits = 0;

    for (int m = 0; m < BTE_MESSAGES; m++) {
        hits |= one_message(self->keys[m] == find->key, (bte_message)m);
    }
    hits &= self->used;
    u1 hit = hits != 0;
    bte_message at = lowest(hit ? hits : (bte_messages)~self->used);

    return (struct bte_look){
        .hit = hit,
        .at = at,
        .free = (bte_messages)~self->used != 0,
        .ahead = exists && (u1)(self->enabled >> c) && self->fetched[c] != self->taken[c],
        .next = self->ahead[ahead_at(c, self->taken[c])],
        .own = self->buffers[at],
        .index = self->taken[c],
        .step = self->steps[at],
    };
}

/* A message begins. */
static inline void bind(struct bte_receive *self, const struct message_find *find,
                        const struct bte_look *l)
{
    bte_channel c = (bte_channel)find->channel;
    bte_messages others = (bte_messages)~one_message(1, l->at);

    self->used |= one_message(1, l->at);
    self->keys[l->at] = find->key;
    self->channels[l->at] = c;
    self->steps[l->at] = RX_OPEN;
    self->buffers[l->at] = l->next;
    self->places[l->at] = (struct bte_posted_at){c, l->index};
    self->fresh |= one_message(1, l->at);
    self->parked &= others;
    self->immediate &= others;
    self->leaky &= others;
    self->taken[c]++;
}

/* The value: the message has one packet more that flies. */
static inline bte_messages find(struct bte_receive *self, const struct message_find *find,
                                const struct bte_look *l)
{
    struct bte_buffer buffer = l->hit ? l->own : l->next;
    u1 here = l->hit || (l->ahead && l->free && !find->aborts);
    u1 foreign = buffer.ptag != find->ptag;
    u1 late = l->hit && l->step != RX_OPEN;
    u1 goes = find->valid && here && !foreign && !late;

    if (find->valid) {
        self->out.found = (struct message_found){
            .valid = goes,
            .slot = l->at,
            .address = buffer.address,
            .bytes = buffer.bytes,
            .ptag = buffer.ptag,
            .space = buffer.space,
            .status = !here     ? (nic_status_field)STATUS_NO_BUFFER
                      : foreign ? (nic_status_field)STATUS_PROTECTION
                      : late    ? (nic_status_field)STATUS_SEQUENCE
                                : (nic_status_field)STATUS_OK,
        };
    }
    if (goes && !l->hit) {
        bind(self, find, l);
    }
    if (goes && find->immediate) {
        self->immediate |= one_message(1, l->at);
    }
    hls_cover(find->valid && !l->hit && l->ahead && !l->free);
    hls_cover(find->valid && late);
    return one_message(goes, l->at);
}

/* ---- packets of npt ----------------------------------------------------------------------------- */

/* A message ends so, whatever still flies. */
struct bte_closing {
    u1 valid;
    bte_message at;
    nic_status_field status;
};

/* The packet that was read is counted, or parks, or its sender gives the message up. */
static inline struct bte_closing land(struct bte_receive *self)
{
    const struct rmt_op *op = &self->op;
    bte_message m = (bte_message)op->slot;
    u1 counts = op->valid && op->kind == RMT_OP_COUNT && !op->failed;
    u1 ends = op->valid && op->kind == RMT_OP_END && !op->failed;
    u1 aborts = op->valid && op->kind == RMT_OP_NOTE;
    u1 parked = (u1)(self->parked >> m);
    u32 count = (u1)(self->fresh >> m) ? (u32)counts : (u32)(self->count + counts);
    u32 total = ends ? op->total : self->total.packets;
    u1 whole = (ends || (counts && parked)) && count == total;
    u1 open = self->steps[m] == RX_OPEN;

    self->out.result = (struct rmt_result){.valid = op->valid, .parked = ends};
    if (op->valid) {
        self->counts[m] = count;
        self->fresh &= (bte_messages)~one_message(1, m);
    }
    if (ends) {
        self->totals[m] = (struct bte_total){op->total, op->whom};
    }
    self->parked |= one_message(ends, m);
    hls_cover(whole && counts);
    hls_cover(whole && ends);
    hls_cover(aborts && open);
    return (struct bte_closing){
        .valid = open && (whole || aborts),
        .at = m,
        .status = whole ? (nic_status_field)STATUS_OK : (nic_status_field)STATUS_SEQUENCE,
    };
}

/* One whose channel is not enabled any more, or that is too old. */
static inline struct bte_closing wreck(const struct bte_receive *self)
{
    bte_messages off = 0, open = 0;

    for (int m = 0; m < BTE_MESSAGES; m++) {
        u1 enabled = (u1)(self->enabled >> self->channels[m]);

        off |= one_message(!enabled, (bte_message)m);
        open |= one_message(self->steps[m] == RX_OPEN, (bte_message)m);
    }
    bte_messages wrecks = (bte_messages)(self->used & open & (off | self->old));
    bte_message m = lowest(wrecks);

    return (struct bte_closing){
        .valid = wrecks != 0,
        .at = m,
        .status =
            (u1)(off >> m) ? (nic_status_field)STATUS_SEQUENCE : (nic_status_field)STATUS_TIMEOUT,
    };
}

/* What ends in this clock: one of both. */
static inline void close(struct bte_receive *self)
{
    struct bte_closing landed = land(self), wrecked = wreck(self);
    struct bte_closing c = landed.valid ? landed : wrecked;

    if (c.valid) {
        self->statuses[c.at] = c.status;
        self->steps[c.at] = RX_CLOSING;
    }
    hls_cover(landed.valid && wrecked.valid);
}

/* ---- what becomes of a message ------------------------------------------------------------------ */

/* Messages for which something is to be done. */
static inline bte_messages to_tend(const struct bte_receive *self)
{
    bte_messages wants = 0;

    for (int m = 0; m < BTE_MESSAGES; m++) {
        enum bte_step step = self->steps[m];
        u1 rests = self->flying[m] == 0 || (u1)((self->old & self->leaky) >> m);
        u1 tends = (step == RX_CLOSING && rests) || step == RX_LENGTH || step == RX_EVENT;

        wants |= one_message(tends, (bte_message)m);
    }
    return (bte_messages)(wants & self->used);
}

/* What is read of the message that is tended. */
static inline void read(struct bte_receive *self)
{
    self->step = self->steps[self->at];
    self->buffer = self->buffers[self->at];
    self->place = self->places[self->at];
    self->tail = self->tails[self->at];
    self->end = self->totals[self->at];
    self->status = self->statuses[self->at];
}

/* Bytes, if it is whole. */
static inline u33 length_of(const struct bte_receive *self)
{
    u1 none = self->end.packets == 0 || self->status != STATUS_OK;

    return none ? (u33)0 : (u33)((u33)self->tail.length + 1);
}

/* The immediate word, and behind it the one that says how the message ended. */
static inline void write_back(struct bte_receive *self, const struct bte_base *base, u1 immediate)
{
    const struct bte_posted_at *at = &self->place;
    u48 addr = address_of(base->address, at->index, self->log2[at->channel]);
    u1 first = immediate && self->step == RX_CLOSING;
    u64 last = ((u64)1 << RX_DONE_AT) | ((u64)immediate << RX_VALID_AT) |
               ((u64)(u18)self->keys[self->at] << RX_SRC_AT) | ((u64)self->status << RX_STATUS_AT) |
               length_of(self);

    self->out.word = (struct mem_word){
        .valid = 1,
        .wide = 1,
        .place = (u12)(BTE_OF_RECEIVE | self->at),
        .space = bte_space_of(base),
        .addr = first ? (u48)(addr | RX_IMMEDIATE_BYTE) : (u48)(addr | RX_LAST_BYTE),
        .data = first ? self->tail.immediate : last,
    };
    self->steps[self->at] = first ? RX_IMMEDIATE : RX_TELLING;
}

static inline void tell(struct bte_receive *self)
{
    u56 data = (u56)(((u56)self->place.channel << RX_EVENT_CHANNEL_AT) |
                     ((u56)self->place.index << RX_EVENT_INDEX_AT) | length_of(self));

    self->out.event = (struct nic_event){
        .valid = self->buffer.event,
        .queue = self->buffer.queue,
        .ptag = self->buffer.ptag,
        .word = event_word(self->status, EVENT_RMT_DREQ, data),
    };
}

static inline void answer(struct bte_receive *self)
{
    u1 ok = self->status == STATUS_OK;

    self->out.answer = (struct amo_answer){
        .valid = 1,
        .whom = self->end.whom,
        .status = ok ? (nic_status_field)STATUS_OK : (nic_status_field)STATUS_SEQUENCE,
    };
}

static inline void tend(struct bte_receive *self, const struct bte_receive_in *in)
{
    bte_messages wants = to_tend(self);
    struct bte_base base = self->bases[self->place.channel];
    u1 immediate = self->status == STATUS_OK && (u1)(self->immediate >> self->at);
    u1 parked = (u1)(self->parked >> self->at);

    HLS_PROCESS(self->tend_at, TEND_IDLE, TEND_READ, TEND_LOOK, TEND_WORD, TEND_EVENT, TEND_TURN,
                TEND_ANSWER);
    for (;;) {
        HLS_WAIT_UNTIL(TEND_IDLE, wants != 0);
        self->at = next_message(wants, self->at);
        HLS_WAIT(TEND_READ);
        read(self);
        HLS_WAIT(TEND_LOOK);
        if (self->step != RX_EVENT) {
            HLS_WAIT_UNTIL(TEND_WORD, in->room_word);
            write_back(self, &base, immediate);
            continue;
        }
        tell(self);
        HLS_WAIT_UNTIL(TEND_EVENT, in->event_taken || !self->out.event.valid);
        self->out.event.valid = 0;
        if (parked) {
            HLS_WAIT_UNTIL(TEND_TURN, !in->answer_waits);
            answer(self);
            HLS_WAIT_UNTIL(TEND_ANSWER, in->answer_taken);
            self->out.answer.valid = 0;
        }
        self->used &= (bte_messages)~one_message(1, self->at);
    }
}

/* Memory has a word. */
static inline void take_done(struct bte_receive *self, const struct mem_done *done)
{
    u1 ours = done->valid && done->client == MEM_RINGS && (done->place & BTE_OF_RECEIVE) != 0;
    bte_message m = (bte_message)done->place;

    u1 lost = ours && done->status != MEM_DONE;

    self->out.count |= (uint(BTE_RING_COUNTS))((uint(BTE_RING_COUNTS))lost << BTE_RING_LOST);
    if (ours) {
        self->steps[m] = self->steps[m] == RX_IMMEDIATE ? RX_LENGTH : RX_EVENT;
    }
}

/* ---- a clock ------------------------------------------------------------------------------------ */

/* Packets that fly, and the age of messages, of which one has come (found) or has landed in this clock. */
static inline void count_packets(struct bte_receive *self, bte_messages was, bte_messages found,
                                 bte_messages landed, u1 epoch)
{
    bte_messages moves = found | landed;

    for (int m = 0; m < BTE_MESSAGES; m++) {
        bte_packets before = (u1)(was >> m) ? self->flying[m] : (bte_packets)0;
        u1 lands = (u1)(landed >> m) && before != 0;

        self->flying[m] = (bte_packets)(before + (u1)(found >> m) - lands);
    }
    self->old = (bte_messages)((self->old | (epoch ? self->aged : (bte_messages)0)) & ~moves);
    self->aged = (bte_messages)((self->aged | (epoch ? self->used : (bte_messages)0)) & ~moves);
}

static inline void report(struct bte_receive *self)
{
    bte_messages closing = 0;
    u1 posting = self->post_at != POST_IDLE;

    self->busy = bte_one_channel(posting, self->turn);
    for (int m = 0; m < BTE_MESSAGES; m++) {
        u1 used = (u1)(self->used >> m);

        self->busy |= bte_one_channel(used, self->channels[m]);
        closing |= one_message(self->steps[m] != RX_OPEN, (bte_message)m);
    }
    self->out.idle = !posting && (self->used & (closing | self->parked)) == 0;
}

HLS_MODULE void bte_receive(struct bte_receive *self, const struct bte_receive_in *in)
{
    u32 count = self->counts[(bte_message)in->op.slot];
    struct bte_total total = self->totals[(bte_message)in->op.slot];
    struct bte_look looked = look(self, &in->find);
    bte_messages was = self->used;

    hls_assume(!in->op.valid || !self->op.valid); /* npt waits for the result */
    self->out.owned = show(self, in->read);
    self->out.count = 0;
    self->out.word.valid = 0;
    tend(self, in);
    take_done(self, &in->done);
    post(self, in);
    self->out.replies = in->reply.valid ? !in->reply.tail : self->out.replies;

    bte_messages landed = one_message(self->op.valid, (bte_message)self->op.slot);

    close(self);

    bte_messages found = find(self, &in->find, &looked);

    count_packets(self, was, found, landed, in->config.rmt);
    self->leaky |= in->leaks ? self->used : (bte_messages)0;
    if (in->tail.valid) {
        self->tails[(bte_message)in->tail.slot] =
            (struct bte_tail){in->tail.immediate, in->tail.length};
    }
    self->op = in->op;
    self->count = count;
    self->total = total;
    write_registers(self, &in->write);
    report(self);
}
