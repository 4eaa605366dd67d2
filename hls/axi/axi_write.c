// SPDX-License-Identifier: Apache-2.0
/*
 * axi_write.c - from packets of bytes to bursts of lanes.
 *
 * A data beat is rotated so that its first byte stands in the lane of its address; the lanes it has too many are carried
 * into the next beat. A packet's last lanes leave in the clock in which the head behind it comes, so 64 bytes take five
 * clocks at any address. Nothing waits for AWREADY but the address that comes next but one, and that waits only for
 * addresses whose data has left.
 *
 * A burst is noted with its last beat. Its B takes the note; the last burst of an access answers the client, with the
 * worst that happened to any.
 */
#include "axi/axi_write.h"

HLS_RESET void axi_write_reset(struct axi_write *self)
{
    self->out = (struct axi_write_out){.room = 1};
    skid_reset(&self->skid);
    self->next = (struct axi_address){};
    self->writer = 0;
    self->place = 0;
    self->uncorrectable = 0;
    self->first = 0;
    self->second = 0;
    self->early = 0;
    self->flush = 0;
    self->turn = 0;
    self->fresh = 0;
    self->begin = 0;
    self->end = 0;
    self->burst = 0;
    self->rest = 0;
    self->carry = 0;
    self->carry_bad = 0;
    for (int i = 0; i < WRITERS; i++) {
        self->begun[i] = 0;
        self->ended[i] = 0;
        self->worst[i] = 0;
    }
    self->b_valid = 0;
    self->b_writer = 0;
    self->b_error = 0;
    self->b_code = 0;
}

static const u4 client_of[WRITERS] = WRITER_CLIENTS;
static const axi_flying bursts_of[WRITERS] = WRITER_BURSTS;
static const axi_flying_at first_of[WRITERS] = WRITER_FIRST;

/* One-hot, or none: that client does not write. */
static inline mem_writer_set writers_of(u4 client)
{
    mem_writer_set set = 0;

    for (int w = 0; w < WRITERS; w++) {
        set |= (mem_writer_set)((mem_writer_set)(u1)(client == client_of[w]) << w);
    }
    return set;
}

static inline mem_writer writer_of(mem_writer_set set)
{
    mem_writer writer = 0;

    for (int w = 0; w < WRITERS; w++) {
        writer |= (u1)(set >> w) ? (mem_writer)w : (mem_writer)0;
    }
    return writer;
}

static inline axi_flying_at flying_at(mem_writer writer, axi_flying count)
{
    return (axi_flying_at)(first_of[writer] |
                           (axi_flying_at)(count & (axi_flying)(bursts_of[writer] - 1)));
}

static inline beat_data rotate_up(beat_data data, u4 lanes)
{
    for (int k = 0; k < 4; k++) {
        int bits = 8 << k;

        data = (u1)(lanes >> k) ? (beat_data)((data << bits) | (data >> (128 - bits))) : data;
    }
    return data;
}

/* Byte i of the result is byte i of data where lane i of lanes is 1. */
static inline beat_data only(beat_data data, u16 lanes)
{
    beat_data mask = 0;

    for (int i = 0; i < BEAT_BYTES; i++) {
        u8 byte = (u1)(lanes >> i) ? (u8)0xFF : (u8)0;

        mask |= (beat_data)((beat_data)byte << (8 * i));
    }
    return data & mask;
}

/* ---- addresses ----------------------------------------------------------------------------------- */

/* The AW channel goes on. Says whether it takes one more address in this clock. */
static inline u1 shift_addresses(struct axi_write *self, u1 ready)
{
    if (!self->out.aw.valid || ready) {
        self->out.aw = self->next;
        self->next.valid = 0;
    }
    return !self->next.valid;
}

static inline void push_address(struct axi_write *self, struct axi_address address)
{
    if (self->out.aw.valid) {
        self->next = address;
    } else {
        self->out.aw = address;
    }
}

/* ---- heads --------------------------------------------------------------------------------------- */

/* The first head of an access. */
static inline void begin_access(struct axi_write *self, beat_word head)
{
    u48 addr = (u48)(head >> MEM_ADDR_AT);
    u4 lane = (u4)addr;
    u1 skip = BEAT_FIELD(head, MEM_SKIP_AT, 1);
    u1 split = BEAT_FIELD(head, MEM_SPLIT_AT, 1);
    u7 behind =
        (u7)((u7)lane + BEAT_FIELD(head, MEM_BYTES_AT, 6) + 1); /* lanes from the first beat's on */
    u3 beats = (u3)((u7)(behind + 15) >> 4);
    u3 in_page =
        (u3)(0 - (u3)(addr >> 4)); /* beats up to the page's end, if there are fewer than 5 */

    self->writer = writer_of(writers_of(BEAT_FIELD(head, MEM_CLIENT_AT, 4)));
    self->place = BEAT_FIELD(head, MEM_PLACE_AT, 12);
    self->uncorrectable = 0;
    self->first = 1;
    self->second = split;
    self->early = skip && lane < 8;
    self->turn = skip ? (u4)(lane + 8) : lane;
    self->fresh = (u16)(0xFFFF << self->turn);
    self->begin = (u16)(0xFFFF << lane);
    self->end = (u4)behind == 0 ? (u16)0xFFFF : (u16) ~(0xFFFF << (u4)behind);
    self->burst = split ? in_page : beats;
    self->rest = split ? (u3)(beats - in_page) : (u3)0;
    push_address(self, (struct axi_address){.valid = 1,
                                            .id = BEAT_FIELD(head, MEM_CLIENT_AT, 4),
                                            .addr = addr,
                                            .len = (u8)(u3)(self->burst - 1)});
}

/* The second one: the burst behind a page's end. */
static inline void split_access(struct axi_write *self, beat_word head)
{
    self->second = 0;
    push_address(self, (struct axi_address){.valid = 1,
                                            .id = BEAT_FIELD(head, MEM_CLIENT_AT, 4),
                                            .addr = (u48)(head >> MEM_ADDR_AT),
                                            .len = (u8)(u3)(self->rest - 1)});
}

/* ---- data ---------------------------------------------------------------------------------------- */

/* One beat to the W channel: of the lanes that are carried, and of those of data. Notes the burst that it ends. */
static inline void write_lanes(struct axi_write *self, beat_data data, u1 bad)
{
    u1 last = self->burst == 1;
    u1 whole = last && self->rest == 0;
    u16 lanes =
        (u16)((bad ? (u16)0 : self->fresh) | (self->carry_bad ? (u16)0 : (u16)~self->fresh));

    lanes &= self->first ? self->begin : (u16)0xFFFF;
    lanes &= whole ? self->end : (u16)0xFFFF;
    self->out.wvalid = 1;
    self->out.wdata = only(data, self->fresh) | only(self->carry, (u16)~self->fresh);
    self->out.wstrb = lanes;
    self->out.wlast = last;
    self->first = 0;
    self->burst = last ? self->rest : (u3)(self->burst - 1);
    if (last) {
        u1 leaves =
            self->b_valid && self->b_writer == self->writer; /* in this clock: its note is read */
        axi_flying under_way =
            (axi_flying)(self->begun[self->writer] - self->ended[self->writer] + leaves);
        flying_ecc_data note =
            (flying_ecc_data)(((flying_ecc_data)whole << 13) |
                              ((flying_ecc_data)self->uncorrectable << 12) | self->place);

        hls_assume(under_way < bursts_of[self->writer]); /* parb: WRITER_WRITES */
        self->rest = 0;
        self->flying[flying_at(self->writer, self->begun[self->writer])] =
            (axi_flying_word)(((axi_flying_word)note << FLYING_AGAIN_AT) | flying_ecc_encode(note));
        self->begun[self->writer]++;
    }
}

/* A data beat, or (flush) the rest of the one before. */
static inline void step_data(struct axi_write *self, const struct beat *beat, u1 flush)
{
    beat_data data = rotate_up((beat_data)beat->word, self->turn);
    u1 bad = !flush && beat->bad;
    u1 writes = self->burst != 0 && (flush || !self->early);

    self->uncorrectable |= bad;
    if (writes) {
        write_lanes(self, data, bad);
    }
    if (flush) {
        self->flush = 0;
    } else {
        self->early = 0;
        self->carry = data;
        self->carry_bad = bad;
        self->flush = beat->tail && self->burst != 0;
    }
}

/* ---- answers ------------------------------------------------------------------------------------- */

static inline void take_b(struct axi_write *self, const struct axi_write_in *in)
{
    mem_writer_set set = writers_of(in->bid);
    mem_writer writer = writer_of(set);
    u1 takes = in->bvalid && set != 0 && self->begun[writer] != self->ended[writer];

    self->b_valid = takes;
    self->out.count |=
        (axi_write_counts)((axi_write_counts)(u1)(in->bvalid && !takes) << AXI_WRITE_STRAY);
    if (takes) {
        self->b_writer = writer;
        self->b_error = in->bresp != AXI_OKAY;
        self->b_code = self->flying[flying_at(writer, self->ended[writer])];
        self->ended[writer]++;
    }
}

static inline u2 worse(u2 a, u2 b)
{
    return a > b ? a : b;
}

/* The note of the B that came in the clock before. */
static inline void answer(struct axi_write *self)
{
    struct flying_ecc_result fixed = flying_ecc_decode((flying_ecc_word)self->b_code);
    flying_ecc_data again = (flying_ecc_data)(self->b_code >> FLYING_AGAIN_AT);
    flying_ecc_data note = fixed.fatal ? again : fixed.data;
    u1 last = (u1)(note >> 13);
    u1 uncorrectable = (u1)(note >> 12) || fixed.fatal;
    u2 now = uncorrectable ? (u2)MEM_WRONG_BITS : self->b_error ? (u2)MEM_BUS_ERROR : (u2)MEM_DONE;
    u2 status = worse(self->worst[self->b_writer], now);

    self->worst[self->b_writer] = last ? (u2)MEM_DONE : status;
    self->out.done = (struct mem_done){
        .valid = last, .client = client_of[self->b_writer], .place = (u12)note, .status = status};
    self->out.count |= (axi_write_counts)((axi_write_counts)fixed.corrected << AXI_WRITE_CORRECTED);
    self->out.count |= (axi_write_counts)((axi_write_counts)fixed.fatal << AXI_WRITE_FATAL);
    self->out.count |= (axi_write_counts)((axi_write_counts)self->b_error << AXI_WRITE_ERROR);
}

/* ---- together ------------------------------------------------------------------------------------ */

/* What the registers say of each other: a B that is taken has a note, and none is written over. */
static inline void assert_state(const struct axi_write *self)
{
    for (int i = 0; i < WRITERS; i++) {
        hls_assert((axi_flying)(self->begun[i] - self->ended[i]) <= bursts_of[i]);
    }
}

/* Every burst that has left is answered. */
static inline u1 is_quiet(const struct axi_write *self)
{
    u1 quiet = !self->b_valid && !self->flush;

    for (int i = 0; i < WRITERS; i++) {
        quiet &= self->begun[i] == self->ended[i];
    }
    return quiet;
}

HLS_MODULE void axi_write(struct axi_write *self, const struct axi_write_in *in)
{
    struct beat beat = skid_front(&self->skid);
    u1 addresses = shift_addresses(self, in->awready);
    u1 go = !self->out.wvalid || in->wready;
    u1 take = go && beat.valid && (beat.head ? addresses : !self->flush);
    u1 flush = go && self->flush;
    u1 data = take && !beat.head;

    assert_state(self);
    self->out.count = 0;
    self->out.done.valid = 0;
    if (go) {
        self->out.wvalid = 0;
    }
    if (self->b_valid) {
        answer(self);
    }
    take_b(self, in);
    if (data || flush) {
        step_data(self, &beat, flush);
    }
    if (take && beat.head) {
        hls_assume(!beat.bad); /* rat drops such */
        hls_assume(writers_of(BEAT_FIELD(beat.word, MEM_CLIENT_AT, 4)) != 0);
        if (self->second) {
            split_access(self, beat.word);
        } else {
            begin_access(self, beat.word);
        }
    }

    self->out.room = skid_step(&self->skid, &in->write, take);
    self->out.idle =
        self->skid.count == 0 && !self->out.wvalid && !self->out.aw.valid && is_quiet(self);

    hls_cover(self->second);
    hls_cover(self->flush); /* lanes that are carried */
    hls_cover(self->uncorrectable);
    hls_cover(self->worst[0] != MEM_DONE); /* of two bursts */
}
