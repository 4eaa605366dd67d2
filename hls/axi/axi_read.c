// SPDX-License-Identifier: Apache-2.0
/*
 * axi_read.c - reads of host memory, and places for what comes back.
 *
 * A read is asked for only when its reply has a place, so R never waits. All reads have one ID, so they come back in the
 * order in which they were asked for; a place is filled beat by beat as they come, and given out, rotated, when its last
 * beat is there and the receiver has room:
 *
 *   clock 0  beat read from the place, one more than there are data beats: the head goes with the first
 *   clock 1  decoded
 *   clock 2  lanes of two beats rotated down to bytes
 *
 * How many beats a burst has is what was asked for; RLAST is only looked at. A beat that comes before the host has taken the
 * address of its burst is none of ours.
 */
#include "axi/axi_read.h"

HLS_RESET void axi_read_reset(struct axi_read *self)
{
    self->out = (struct axi_read_out){.room = 1};
    self->queued[0] = (struct mem_read){};
    self->queued[1] = (struct mem_read){};
    self->second = 0;
    self->rest = 0;
    self->asked = 0;
    self->filled = 0;
    self->given = 0;
    self->bursts = 0;
    self->got = (struct axi_got){};
    self->beat = 0;
    self->status = 0;
    self->slot = 0;
    self->stored = (struct axi_step){};
    self->decoded = (struct axi_step){};
    self->code = 0;
    self->older = 0;
    self->newer = 0;
    self->older_bad = 0;
    self->newer_bad = 0;
}

static inline u17 pack_shape(struct axi_shape shape)
{
    return (u17)((u17)((u17)shape.atomic << 16) | (u17)((u17)shape.first << 13) |
                 (u17)((u17)shape.beats << 10) | (u17)((u17)shape.bytes << 4) | shape.lane);
}

static inline struct axi_shape unpack_shape(u17 word)
{
    return (struct axi_shape){.lane = (u4)word,
                              .bytes = (u6)(word >> 4),
                              .beats = (u3)(word >> 10),
                              .first = (u3)(word >> 13),
                              .atomic = (u1)(word >> 16)};
}

static inline struct axi_shape shape_of(const struct mem_read *read)
{
    u7 behind = (u7)((u7)(u4)read->addr + read->bytes + 1);
    u3 beats = (u3)((u7)(behind + 15) >> 4);
    u3 in_page =
        (u3)(0 - (u3)(read->addr >> 4)); /* beats up to the page's end, if there are fewer than 5 */

    return (struct axi_shape){
        .atomic = read->atomic,
        .lane = (u4)read->addr,
        .bytes = read->bytes,
        .beats = beats,
        .first = read->split ? in_page : beats,
    };
}

static inline u2 worse(u2 a, u2 b)
{
    return a > b ? a : b;
}

/* ---- what is asked for --------------------------------------------------------------------------- */

/* The oldest read goes to AR. A bad one is not asked for; says whether its place is filled without. */
static inline u1 ask(struct axi_read *self, const struct axi_read_in *in)
{
    struct mem_read read = self->queued[0];
    struct axi_shape shape = shape_of(&read);
    u1 free = (axi_place_count)(self->asked - self->given) != AXI_PLACES;
    u1 bad = read.bad && !self->second;
    u1 asks = read.valid && !bad && (free || self->second) && (!self->out.arvalid || in->arready);
    u1 bad_done = read.valid && bad && free && self->asked == self->filled;
    u1 taken = asks || bad_done;

    if (in->arready) {
        self->out.arvalid = 0;
    }
    if (asks) {
        self->out.arvalid = 1;
        self->out.araddr = read.addr;
        self->out.arlen = (u8)(u3)((self->second ? self->rest : shape.first) - 1);
        self->rest = (u3)(shape.beats - shape.first);
    }
    if (taken && !self->second) {
        self->shapes[(axi_place)self->asked] = pack_shape(shape);
        self->asked++;
    }
    if (taken) {
        self->second = !bad && read.split && !self->second;
    }
    hls_assume(!in->read.valid || !self->queued[1].valid || taken); /* parb looks at room */
    if (taken) {
        self->queued[0] = self->queued[1];
        self->queued[1].valid = 0;
    }
    if (in->read.valid) {
        self->queued[self->queued[0].valid] = in->read;
    }
    self->out.room = !self->queued[0].valid;
    return bad_done;
}

/* ---- what comes ---------------------------------------------------------------------------------- */

/* A beat goes to its place; says whether it fills it, with self->status. */
static inline u1 fill(struct axi_read *self, struct axi_shape shape)
{
    const struct axi_got *got = &self->got;
    u1 awaited = got->awaited && got->id == MEM_TARGET && self->asked != self->filled;
    u3 next = (u3)(self->beat + 1);
    u1 final = next == shape.beats;
    u1 ends = final || next == shape.first;
    u1 torn = got->last != ends;
    u1 error = got->resp != AXI_OKAY;
    u2 now = got->poison ? (u2)MEM_WRONG_BITS : error || torn ? (u2)MEM_BUS_ERROR : (u2)MEM_DONE;
    struct beat beat = {.word = got->data};

    self->out.count |=
        (axi_read_counts)((axi_read_counts)(u1)(got->valid && !awaited) << AXI_READ_STRAY);
    if (awaited) {
        self->data[(axi_place_beat)(((axi_place_beat)(axi_place)self->filled << 3) | self->beat)] =
            beat_encode(&beat);
        self->status = self->beat == 0 ? now : worse(self->status, now);
        self->beat = final ? (u3)0 : next;
        self->bursts = (axi_burst_count)(self->bursts - ends);
        self->out.count |= (axi_read_counts)((axi_read_counts)error << AXI_READ_ERROR);
        self->out.count |= (axi_read_counts)((axi_read_counts)got->poison << AXI_READ_POISON);
        self->out.count |= (axi_read_counts)((axi_read_counts)torn << AXI_READ_RLAST);
    }
    return awaited && final;
}

/* ---- replies ------------------------------------------------------------------------------------- */

static inline beat_data rotate_down(beat_data data, u4 lanes)
{
    for (int k = 0; k < 4; k++) {
        int bits = 8 << k;

        data = (u1)(lanes >> k) ? (beat_data)((data >> bits) | (data << (128 - bits))) : data;
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

/* Clock 2: the head, or 16 bytes; of the last ones only those that were asked for. */
static inline void give(struct axi_read *self)
{
    struct axi_step step = self->decoded;
    u16 upper = (u16)(0xFFFF << step.lane);
    u16 asked = step.tail ? (u16) ~(0xFFFE << (u4)step.bytes) : (u16)0xFFFF;
    beat_data lanes = only(self->older, upper) | only(self->newer, (u16)~upper);
    u4 client = step.atomic ? (u4)MEM_AMO : (u4)MEM_TARGET;
    beat_word head = ((beat_word)client << MEM_CLIENT_AT) |
                     ((beat_word)step.bytes << MEM_BYTES_AT) |
                     ((beat_word)step.status << MEM_STATUS_AT);

    self->out.reply.valid = step.valid;
    if (step.valid) {
        self->out.reply.head = step.head;
        self->out.reply.tail = step.tail;
        self->out.atomic = step.atomic;
        self->out.reply.bad =
            !step.head && (self->older_bad || (self->newer_bad && step.lane != 0));
        self->out.reply.word =
            step.head ? head : (beat_word)only(rotate_down(lanes, step.lane), asked);
    }
}

/* Clock 1. */
static inline void decode(struct axi_read *self)
{
    struct beat_fixed fixed = beat_decode(self->code);
    u1 counts = self->stored.valid && self->stored.used;

    self->decoded = self->stored;
    if (self->stored.valid) {
        self->older = self->newer;
        self->older_bad = self->newer_bad;
        self->newer = (beat_data)fixed.word;
        self->newer_bad = fixed.fatal && self->stored.used;
    }
    self->out.count |=
        (axi_read_counts)((axi_read_counts)(u1)(counts && fixed.corrected) << AXI_READ_CORRECTED);
    self->out.count |=
        (axi_read_counts)((axi_read_counts)(u1)(counts && fixed.fatal) << AXI_READ_FATAL);
}

/* Clock 0: the next step of the oldest reply that is complete. */
static inline void step(struct axi_read *self, struct axi_shape shape, u2 status, u1 room)
{
    u1 begins = self->slot == 0;
    u1 valid = begins ? room && self->given != self->filled : (u1)1;
    u1 tail = begins ? status != MEM_DONE : self->slot == (u3)((u3)(shape.bytes >> 4) + 1);

    self->stored = (struct axi_step){
        .valid = valid,
        .head = begins,
        .tail = tail,
        .used = status == MEM_DONE && self->slot < shape.beats,
        .atomic = shape.atomic,
        .lane = shape.lane,
        .bytes = shape.bytes,
        .status = status,
    };
    if (valid) {
        self->code = self->data[(axi_place_beat)(((axi_place_beat)(axi_place)self->given << 3) |
                                                 self->slot)];
        self->slot = tail ? (u3)0 : (u3)(self->slot + 1);
        self->given += tail;
    }
}

/* ---- together ------------------------------------------------------------------------------------ */

HLS_MODULE void axi_read(struct axi_read *self, const struct axi_read_in *in)
{
    struct axi_shape coming = unpack_shape(self->shapes[(axi_place)self->filled]);
    struct axi_shape going = unpack_shape(self->shapes[(axi_place)self->given]);
    u2 status = self->statuses[(axi_place)self->given];

    /* Invariant I8: what comes finds its place free. */
    hls_assert((axi_place_count)(self->asked - self->given) <= AXI_PLACES);
    hls_assert((axi_place_count)(self->filled - self->given) <=
               (axi_place_count)(self->asked - self->given));
    hls_assert(self->slot == 0 || self->given != self->filled);
    self->out.count = 0;
    self->out.idle = self->asked == self->given && !self->queued[0].valid && !in->read.valid &&
                     !self->stored.valid && !self->decoded.valid;
    give(self);
    decode(self);
    step(self, going, status, in->room_reply);

    u1 full = fill(self, coming);
    u1 pending = self->bursts != 0;
    u1 begins = self->out.arvalid && in->arready;
    u1 bad_done = ask(self, in);

    self->bursts = (axi_burst_count)(self->bursts + begins);

    self->out.filled = (full && !coming.atomic) || bad_done; /* amo asks for no bad ones */
    if (full || bad_done) {
        self->statuses[(axi_place)self->filled] = full ? self->status : (u2)MEM_WRONG_BITS;
        self->filled++;
    }
    self->got = (struct axi_got){
        .valid = in->rvalid,
        .awaited = in->rvalid && pending,
        .id = in->rid,
        .data = in->rdata,
        .resp = in->rresp,
        .last = in->rlast,
        .poison = in->ruser,
    };

    hls_cover(self->second);
    hls_cover((axi_place_count)(self->asked - self->given) ==
              AXI_PLACES); /* all places are taken */
    hls_cover(bad_done);
}
