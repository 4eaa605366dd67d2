// SPDX-License-Identifier: Apache-2.0
/*
 * bte_ring.c - rings of the block transfer engine.
 *
 * Two processes and a stream:
 *
 *   fetch   one descriptor after the other, of the channels in turn, or one that was launched: it gets the next slot of its channel
 *   replies words of a descriptor as they come, to bte_send, in the slot that was given out when it was asked for
 *   free    slots in their order, when the transaction of their chain is over: completion, then the slot is free
 */
#include "nic/bte/bte_ring.h"

HLS_RESET void bte_ring_reset(struct bte_ring *self)
{
    self->out = (struct bte_ring_out){};
    for (int c = 0; c < BTE_CHANNELS; c++) {
        self->log2[c] = 0;
        self->written[c] = 0;
        self->fetched[c] = 0;
        self->next[c] = 0;
        self->oldest[c] = 0;
        self->first[c] = 0;
        self->used[c] = 0;
        self->queued[c] = 0;
    }
    self->over = 0;
    self->unread = 0;
    self->launched = 0;
    self->launch_put = 0;
    self->launch_got = 0;
    self->launching = 0;
    self->launch_beat = 0;
    self->launch_place = 0;
    self->launch_unit = 0;
    self->launch_on = 0;
    self->ask = 0;
    self->answer = 0;
    self->asking = 0;
    self->beat = 0;
    self->at = RING_IDLE;
    self->turn = 0;
    self->index = 0;
    self->writing = 0;
    self->free_at = FREE_IDLE;
    self->free_turn = 0;
    self->free_place = 0;
    self->free_first = 0;
}

/* ---- registers ---------------------------------------------------------------------------------- */

#define REGISTER(word, f) ((uint(NR_BTE##f##_BITS))((word) >> NR_BTE##f##_AT))

enum { BTE_BASE, BTE_CONFIG, BTE_WRITE_INDEX, BTE_READ_INDEX, BTE_STATUS = 8 };

/* A register of a channel of this machine. */
static inline u1 is_ours(u16 addr)
{
    return addr >> (NIC_BTE_LOG2 + 4) == NR_BTE >> (NIC_BTE_LOG2 + 4);
}

static inline void configure(struct bte_ring *self, bte_channel c, u64 data)
{
    u1 enable = REGISTER(data, 1_ENABLE);
    u1 was = (u1)(self->out.enabled >> c);
    u1 begins = enable && !was && !(u1)(self->out.busy >> c);
    u5 limit = REGISTER(data, 1_LIMIT);

    if (begins) {
        self->written[c] = 0;
        self->fetched[c] = 0;
        self->out.read_index[c] = 0;
        self->out.failed &= (bte_channels)~bte_one_channel(1, c);
        self->log2[c] = REGISTER(data, 1_LOG2);
        self->out.limit[c] =
            limit == 0 || limit > BTE_SLOTS ? (bte_count)BTE_SLOTS : (bte_count)limit;
    }
    u1 on = begins || (was && enable);
    bte_channels others = (bte_channels)~bte_one_channel(1, c);

    self->out.enabled = (bte_channels)((self->out.enabled & others) | bte_one_channel(on, c));
    self->launch_on = (bte_channels)((self->launch_on & others) |
                                     bte_one_channel(on && REGISTER(data, 1_LAUNCH), c));
}

static inline void write_registers(struct bte_ring *self, const struct bte_ring_in *in)
{
    u16 addr = in->write.addr;
    u64 data = in->write.data;
    u1 ours = in->write.valid && is_ours(addr);
    bte_channel c = (bte_channel)(addr >> 4);

    if (ours && (u4)addr == BTE_BASE) {
        self->bases[c] =
            (struct bte_base){REGISTER(data, _ADDRESS), REGISTER(data, _MMU), REGISTER(data, _TC)};
    }
    if (ours && (u4)addr == BTE_CONFIG) {
        configure(self, c, data);
    }
    if (ours && (u4)addr == BTE_WRITE_INDEX) {
        self->written[c] = REGISTER(data, 2_INDEX);
    }
}

/* ---- replies ------------------------------------------------------------------------------------ */

/* Words of what is launched go out where no reply comes. */
static inline u1 has_launch_words(const struct bte_ring *self, const struct bte_ring_in *in)
{
    return self->at == RING_LAUNCH && !in->reply.valid;
}

/* Words as they come; of a descriptor that could not be read its head alone, or with a beat that is bad. */
static inline void take_reply(struct bte_ring *self, const struct bte_ring_in *in)
{
    const struct beat *reply = &in->reply;
    bte_place place = self->asked[self->answer];
    u1 failed = reply->head ? BEAT_FIELD(reply->word, MEM_STATUS_AT, 2) != MEM_DONE : reply->bad;
    u1 ends = reply->valid && reply->tail;
    u1 stopped = (u1)(self->out.failed >> bte_channel_of(place));
    u1 stops = reply->valid && failed;
    bte_places all =
        (bte_places)(self->unread | bte_one_place(reply->valid && (failed || stopped), place));
    u1 launches = has_launch_words(self, in);
    beat_data launch = self->launches[((u4)self->launch_got << 2) | self->launch_beat];

    self->out.words = (struct bte_words){
        .valid = launches || (reply->valid && (!reply->head || reply->tail)),
        .beat = launches ? self->launch_beat : (reply->head ? (u2)3 : self->beat),
        .bad = !launches && (u1)(all >> place),
        .place = launches ? self->launch_place : place,
        .launched = launches,
        .unit = self->launch_unit,
        .data = launches ? launch : (beat_data)reply->word,
    };
    self->unread = all;
    self->out.failed |= bte_one_channel(stops, bte_channel_of(place));
    self->out.enabled &= (bte_channels)~bte_one_channel(stops, bte_channel_of(place));
    self->out.count |= (uint(BTE_RING_COUNTS))((uint(BTE_RING_COUNTS))stops << BTE_RING_FAILED);
    if (self->out.words.valid && self->out.words.beat == 0) {
        u64 how = (u64)(self->out.words.data >> 64);

        self->fates[self->out.words.place] =
            (struct bte_fate){(u1)(how >> DESC_WRITE_BACK_AT), (u1)(how >> DESC_CONCATENATE_AT)};
    }
    if (reply->valid) {
        self->beat = reply->head ? (u2)0 : (u2)(self->beat + 1);
    }
    self->answer += ends;
    self->asking = (uint(BTE_FETCHES_LOG2 + 1))(self->asking - ends);
}

/* ---- accesses ----------------------------------------------------------------------------------- */

/* Channels that have a descriptor to be fetched, and a slot. */
static inline bte_channels to_fetch(const struct bte_ring *self, const struct bte_ring_in *in)
{
    bte_channels wants = 0;

    for (int c = 0; c < BTE_CHANNELS; c++) {
        u1 half = (u1)(self->launch_on >> c) & (self->used[c] >= BTE_SLOTS / 2);
        u1 waits = self->written[c] != self->fetched[c] && self->used[c] != BTE_SLOTS && !half;

        wants |= bte_one_channel(waits, (bte_channel)c);
    }
    u1 may = !(u1)(self->asking >> BTE_FETCHES_LOG2) && !in->config.drain;

    return may ? wants & self->out.enabled : (bte_channels)0;
}

/* The next descriptor of a channel gets its slot; one of a ring is asked for. */
static inline void give_slot(struct bte_ring *self, bte_channel c, u1 launched, bte_unit unit)
{
    bte_place place = bte_place_of(c, self->next[c]);
    bte_places others = (bte_places)~bte_one_place(1, place);

    self->unread &= others;
    self->launched = (bte_places)((self->launched & others) | bte_one_place(launched, place));
    self->next[c]++;
    self->used[c]++;
    if (launched) {
        self->launch_place = place;
        self->launch_unit = unit;
        self->units[place] = unit;
        self->queued[c]--;
    } else {
        self->index = self->fetched[c];
        self->indices[place] = self->index;
        self->asked[self->ask] = place;
        self->ask++;
        self->asking++;
        self->fetched[c]++;
    }
}

/* Where a descriptor of a ring of 1 << log2 is. */
static inline u48 address_of(u48 base, bte_index index, u4 log2)
{
    bte_index mask = (bte_index)((1 << log2) - 1);

    return (u48)(base + ((u16)(index & mask) << 6));
}

static inline void fetch(struct bte_ring *self, const struct bte_ring_in *in)
{
    bte_channels wants = to_fetch(self, in);
    struct bte_base base = self->bases[self->turn];
    u1 waits = self->launching != 0;
    u1 begins = in->launch.valid && in->launch.beat == 0;
    bte_channel to = waits ? self->launch_to[self->launch_got] : (bte_channel)in->launch.channel;
    bte_unit by = waits ? self->launch_by[self->launch_got] : (bte_unit)in->launch.unit;
    u1 launches = waits || begins;
    u1 goes = has_launch_words(self, in);

    HLS_PROCESS(self->at, RING_IDLE, RING_READ, RING_TAKEN, RING_LAUNCH);
    for (;;) {
        HLS_WAIT_UNTIL(RING_IDLE, wants != 0 || launches);
        if (launches) {
            give_slot(self, to, 1, by);
            do {
                HLS_WAIT_UNTIL(RING_LAUNCH, goes);
                self->launch_beat++;
            } while (self->launch_beat != 0);
            self->launch_got++;
            self->launching--;
            continue;
        }
        self->turn = bte_next_channel(wants, self->turn);
        give_slot(self, self->turn, 0, 0);
        HLS_WAIT(RING_READ);
        self->out.fetch = (struct mem_fetch){
            .valid = 1,
            .space = bte_space_of(&base),
            .bytes = 63,
            .addr = address_of(base.address, self->index, self->log2[self->turn]),
        };
        HLS_WAIT_UNTIL(RING_TAKEN, in->fetch_taken);
        self->out.fetch.valid = 0;
    }
}

/* ---- completions -------------------------------------------------------------------------------- */

/* Channels whose oldest chain is over. */
static inline bte_channels to_free(const struct bte_ring *self)
{
    bte_channels wants = 0;

    for (int c = 0; c < BTE_CHANNELS; c++) {
        bte_place first = bte_place_of((bte_channel)c, self->first[c]);

        wants |= bte_one_channel((u1)(self->over >> first), (bte_channel)c);
    }
    return wants;
}

/* What is known of the slot that is looked at. */
struct bte_looked {
    struct bte_fate fate;
    struct bte_end end;
    bte_index index;
    bte_unit unit;
    struct bte_base base;
};

static inline void tell(struct bte_ring *self, const struct bte_looked *was)
{
    u48 at = address_of(was->base.address, was->index, self->log2[self->free_turn]);

    self->out.word = (struct mem_word){
        .valid = 1,
        .wide = 1,
        .space = bte_space_of(&was->base),
        .addr = at | 56,
        .data = ((u64)1 << DESC_DONE_AT) | was->end.status,
    };
    self->writing++;
}

static inline void free_slots(struct bte_ring *self, const struct bte_ring_in *in)
{
    bte_channels wants = to_free(self);
    bte_channel c = self->free_turn;
    u1 unread = (u1)(self->unread >> self->free_place);
    u1 launched = (u1)(self->launched >> self->free_place);
    struct bte_looked was = {self->fates[self->free_place], self->ends[self->free_first],
                             self->indices[self->free_place], self->units[self->free_place],
                             self->bases[c]};
    u1 ends = bte_chain_ends(was.fate.concatenate && !unread, self->free_place, self->free_first);

    HLS_PROCESS(self->free_at, FREE_IDLE, FREE_LOOK, FREE_TELL, FREE_NOTE);
    for (;;) {
        HLS_WAIT_UNTIL(FREE_IDLE, wants != 0);
        self->free_turn = bte_next_channel(wants, self->free_turn);
        self->free_place = bte_place_of(self->free_turn, self->oldest[self->free_turn]);
        self->free_first = bte_place_of(self->free_turn, self->first[self->free_turn]);
        HLS_WAIT(FREE_LOOK);
        if (was.fate.write_back && !unread) {
            while (!in->room_word)
                HLS_WAIT(FREE_TELL);
            tell(self, &was);
        }
        if (launched) {
            self->out.noted = (struct launch_note){1, was.unit, was.end.failed};
            HLS_WAIT_UNTIL(FREE_NOTE, in->noted_taken);
            self->out.noted.valid = 0;
        }
        self->oldest[c]++;
        self->used[c]--;
        if (ends) {
            self->over &= (bte_places)~bte_one_place(1, self->free_first);
            self->first[c] = self->oldest[c];
        }
    }
}

/* What bte_send, ssid and memory say. */
static inline void listen(struct bte_ring *self, const struct bte_ring_in *in)
{
    u1 ours =
        in->done.valid && in->done.client == MEM_RINGS && (in->done.place & BTE_OF_RECEIVE) == 0;
    bte_channel c = bte_channel_of(in->sent.place);

    self->writing = (bte_writes)(self->writing - ours);
    self->out.count |= (uint(BTE_RING_COUNTS))(
        (uint(BTE_RING_COUNTS))(u1)(ours && in->done.status != MEM_DONE) << BTE_RING_LOST);
    if (in->sent.valid && !(u1)((self->unread | self->launched) >> in->sent.place)) {
        self->out.read_index[c]++;
    }
    if (in->over.valid) {
        self->ends[in->over.first] = (struct bte_end){in->over.failed, in->over.status};
    }
    self->over |= bte_one_place(in->over.valid, in->over.first);
}

/* Words of a transfer that is launched, one a clock: nic_fma has seen space for it. The first one lets it begin, so those behind it are never late. */
static inline void take_launch(struct bte_ring *self, const struct launch_words *words)
{
    bte_channel c = (bte_channel)words->channel;
    u1 begins = words->valid && words->beat == 0;
    u1 ends = words->valid && words->beat == 3;

    hls_assume(!words->valid || !(u1)(self->launching >> BTE_LAUNCHES_LOG2));
    if (words->valid) {
        self->launches[((u4)self->launch_put << 2) | words->beat] = words->data;
    }
    if (begins) {
        self->launch_to[self->launch_put] = c;
        self->launch_by[self->launch_put] = (bte_unit)words->unit;
        self->launching++;
        self->queued[c]++;
    }
    self->launch_put += ends;
}

/* Where there is space for one more transfer that is launched, beside one that is on its way. */
static inline struct launch_room room_to_launch(const struct bte_ring *self)
{
    bte_channels free = 0;
    u1 any = self->launching < (1 << BTE_LAUNCHES_LOG2) - 1;

    for (int c = 0; c < BTE_CHANNELS; c++) {
        u1 fits = self->used[c] + self->queued[c] < BTE_SLOTS - 1;

        free |= bte_one_channel(any && fits, (bte_channel)c);
    }
    return (struct launch_room){.open = self->launch_on, .free = free};
}

/* READ_INDEX and STATUS of the channel that is read. */
static inline struct owned_value show(const struct bte_ring *self, u16 addr)
{
    bte_channel c = (bte_channel)(addr >> 4);
    u64 status = (u64)(u1)(self->out.enabled >> c) << NR_BTE8_ENABLED_AT |
                 (u64)(u1)(self->out.busy >> c) << NR_BTE8_BUSY_AT |
                 (u64)(u1)(self->out.failed >> c) << NR_BTE8_FAILED_AT;
    u1 index = (u4)addr == BTE_READ_INDEX;

    return (struct owned_value){
        .known = is_ours(addr) && (index || (u4)addr == BTE_STATUS),
        .data = index ? (u64)self->out.read_index[c] : status,
    };
}

static inline void report(struct bte_ring *self, const struct bte_ring_in *in)
{
    bte_channels busy = 0;

    self->out.owned = show(self, in->read);

    for (int c = 0; c < BTE_CHANNELS; c++) {
        busy |= bte_one_channel(self->used[c] != 0 || self->queued[c] != 0, (bte_channel)c);
    }
    self->out.busy = busy;
    self->out.tells = self->free_at == FREE_LOOK || self->free_at == FREE_TELL;
    self->out.launch = room_to_launch(self);
    self->out.idle = busy == 0 && self->writing == 0;
}

HLS_MODULE void bte_ring(struct bte_ring *self, const struct bte_ring_in *in)
{
    self->out.count = 0;
    self->out.word.valid = 0;
    free_slots(self, in);
    take_reply(self, in);
    fetch(self, in);
    take_launch(self, &in->launch);
    listen(self, in);
    write_registers(self, in);
    report(self, in);
    hls_cover(self->out.word.valid && self->asking != 0);
    hls_cover(self->out.failed != 0 && self->asking != 0);
}
