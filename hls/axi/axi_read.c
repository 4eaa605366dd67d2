// SPDX-License-Identifier: Apache-2.0
/*
 * axi_read.c - reads of host memory, and places for what comes back.
 *
 * A client's read comes only when its reply has a place, so R never waits, nor does one client for another. Each client has
 * an ID: its own replies come back in the order of its reads, those of different clients in any, beat by beat. A place is filled as they
 * come, and given out, rotated, when its last beat is there and its client has room; clients take turns:
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
    for (int r = 0; r < READERS; r++) {
        self->asked[r] = 0;
        self->filled[r] = 0;
        self->given[r] = 0;
        self->bursts[r] = 0;
        self->beat[r] = 0;
        self->status[r] = 0;
    }
    self->got = (struct axi_got){};
    self->walks = 0;
    self->walk_beat = 0;
    self->turn = 0;
    self->slot = 0;
    self->stored = (struct axi_step){};
    self->decoded = (struct axi_step){};
    self->code = 0;
    self->older = 0;
    self->newer = 0;
    self->older_bad = 0;
    self->newer_bad = 0;
}

static const u4 client_of[READERS] = READER_CLIENTS;
static const axi_place_count places_of[READERS] = READER_PLACES;
static const axi_place first_of[READERS] = READER_FIRST;
static const u3 beats_of[READERS] = READER_BEATS;
static const axi_place_beat beat_at[READERS] = READER_BEAT_AT;

/* Place n, since the beginning, of a client. */
static inline axi_place place_of(mem_reader reader, axi_place_count n)
{
    return (axi_place)(first_of[reader] |
                       (axi_place)(n & (axi_place_count)(places_of[reader] - 1)));
}

/* A beat of that place. */
static inline axi_place_beat beat_of(mem_reader reader, axi_place_count n, u3 beat)
{
    axi_place_beat place = (axi_place_beat)(n & (axi_place_count)(places_of[reader] - 1));

    return (axi_place_beat)(beat_at[reader] + (axi_place_beat)(beats_of[reader] * place) + beat);
}

static inline mem_reader_set one(u1 condition, mem_reader reader)
{
    return (mem_reader_set)((mem_reader_set)condition << reader);
}

static inline u18 pack_shape(struct axi_shape shape)
{
    return (u18)((u18)((u18)shape.fault << 16) | (u18)((u18)shape.first << 13) |
                 (u18)((u18)shape.beats << 10) | (u18)((u18)shape.bytes << 4) | shape.lane);
}

static inline struct axi_shape unpack_shape(u18 word)
{
    return (struct axi_shape){.lane = (u4)word,
                              .bytes = (u6)(word >> 4),
                              .beats = (u3)(word >> 10),
                              .first = (u3)(word >> 13),
                              .fault = (u2)(word >> 16)};
}

static inline struct axi_shape shape_of(const struct mem_read *read)
{
    u7 behind = (u7)((u7)(u4)read->addr + read->bytes + 1);
    u3 beats = (u3)((u7)(behind + 15) >> 4);
    u3 in_page =
        (u3)(0 - (u3)(read->addr >> 4)); /* beats up to the page's end, if there are fewer than 5 */

    return (struct axi_shape){
        .fault = read->fault,
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

/* The oldest read goes to AR. A bad one is not asked for; says whose place is filled without. */
static inline mem_reader_set ask(struct axi_read *self, const struct axi_read_in *in)
{
    struct mem_read read = self->queued[0];
    struct axi_shape shape = shape_of(&read);
    mem_reader reader = read.reader;
    u1 free = (axi_place_count)(self->asked[reader] - self->given[reader]) != places_of[reader];
    u1 bad = read.fault != MEM_DONE && !self->second;
    u1 channel = !self->out.arvalid || in->arready;
    u1 walks = in->walk.valid && !self->out.walk_taken && channel;
    u1 asks = read.valid && !bad && (free || self->second) && channel && !walks;
    u1 bad_done = read.valid && bad && free && self->asked[reader] == self->filled[reader];
    u1 taken = asks || bad_done;

    if (in->arready) {
        self->out.arvalid = 0;
    }
    self->out.walk_taken = walks;
    if (walks) {
        self->out.arvalid = 1;
        self->out.arid = MEM_WALKER;
        self->out.araddr = in->walk.addr;
        self->out.arlen = 3;
    }
    if (asks) {
        self->out.arvalid = 1;
        self->out.arid = client_of[reader];
        self->out.araddr = read.addr;
        self->out.arlen = (u8)(u3)((self->second ? self->rest : shape.first) - 1);
        self->rest = (u3)(shape.beats - shape.first);
    }
    hls_assume(!read.valid || bad || shape.beats <= beats_of[reader]);
    if (taken && !self->second) {
        self->shapes[place_of(reader, self->asked[reader])] = pack_shape(shape);
        self->asked[reader]++;
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
    return one(bad_done, reader);
}

/* ---- what comes ---------------------------------------------------------------------------------- */

/* What the host drives, for the clock after this one: whose it is, if a burst of that ID has beats to come. */
static inline struct axi_got get(const struct axi_read *self, const struct axi_read_in *in)
{
    struct axi_got got = {
        .valid = in->rvalid,
        .data = in->rdata,
        .resp = in->rresp,
        .last = in->rlast,
        .poison = in->ruser,
    };

    got.walked = in->rvalid && in->rid == MEM_WALKER && self->walks != 0;
    for (int r = 0; r < READERS; r++) {
        u1 awaited = in->rvalid && in->rid == client_of[r] && self->bursts[r] != 0;

        got.awaited |= awaited;
        got.reader |= awaited ? (mem_reader)r : (mem_reader)0;
    }
    return got;
}

/* What the host says of a beat. */
static inline u2 now_of(const struct axi_got *got)
{
    return got->poison             ? (u2)MEM_WRONG_BITS
           : got->resp != AXI_OKAY ? (u2)MEM_BUS_ERROR
                                   : (u2)MEM_DONE;
}

/* A beat goes to its place; says whether it fills it, with self->status. */
static inline u1 fill(struct axi_read *self, struct axi_shape shape)
{
    const struct axi_got *got = &self->got;
    mem_reader reader = got->reader;
    u1 awaited = got->awaited && self->asked[reader] != self->filled[reader];
    u3 at = self->beat[reader];
    u3 next = (u3)(at + 1);
    u1 final = next == shape.beats || next == AXI_PLACE_BEATS;
    u1 ends = final || next == shape.first;
    u1 torn = got->last != ends;
    u1 error = got->resp != AXI_OKAY;
    u2 said = now_of(got);
    u2 now = said == MEM_DONE && torn ? (u2)MEM_BUS_ERROR : said;
    struct beat beat = {.word = got->data};

    self->out.count |=
        (axi_read_counts)((axi_read_counts)(u1)(got->valid && !awaited && !got->walked)
                          << AXI_READ_STRAY);
    u1 line_ends = self->walk_beat == 3;
    u1 line_torn = got->walked && got->last != line_ends;

    self->out.walked = (struct mem_walked){
        .valid = got->walked,
        .data = got->data,
        .status = line_torn ? (u2)MEM_BUS_ERROR : now_of(got),
    };
    self->walk_beat += got->walked;
    self->walks -= got->walked && line_ends;
    self->out.count |= (axi_read_counts)((axi_read_counts)line_torn << AXI_READ_RLAST);
    self->out.count |=
        (axi_read_counts)((axi_read_counts)(u1)(got->walked && error) << AXI_READ_ERROR);
    if (awaited) {
        self->data[beat_of(reader, self->filled[reader], at)] = beat_encode(&beat);
        self->status[reader] = at == 0 ? now : worse(self->status[reader], now);
        self->beat[reader] = final ? (u3)0 : next;
        self->bursts[reader] = (axi_burst_count)(self->bursts[reader] - ends);
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
    beat_word head = ((beat_word)client_of[step.reader] << MEM_CLIENT_AT) |
                     ((beat_word)step.bytes << MEM_BYTES_AT) |
                     ((beat_word)step.status << MEM_STATUS_AT);

    self->out.reply.valid = step.valid;
    if (step.valid) {
        self->out.reply.head = step.head;
        self->out.reply.tail = step.tail;
        self->out.reader = step.reader;
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

/* Whose reply goes on or, if there is one that is whole and has room, begins: the next client's in turn. */
static inline struct axi_turn turn_of(const struct axi_read *self, mem_reader_set room)
{
    mem_reader_set ready = 0;
    struct axi_turn turn = {.valid = self->slot != 0, .reader = self->turn};

    for (int r = 0; r < READERS; r++) {
        ready |= one(self->given[r] != self->filled[r], (mem_reader)r);
    }
    ready &= room;
    if (self->slot == 0) {
        mem_reader_set behind = (mem_reader_set)((mem_reader_set) ~(mem_reader_set)1 << self->turn);
        mem_reader_set first = (ready & behind) != 0 ? ready & behind : ready;

        turn.valid = ready != 0;
        for (int r = READERS - 1; r >= 0; r--) {
            turn.reader = (u1)(first >> r) ? (mem_reader)r : turn.reader;
        }
    }
    return turn;
}

/* Clock 0: the next step of that reply. */
static inline void step(struct axi_read *self, struct axi_turn turn)
{
    axi_place place = place_of(turn.reader, self->given[turn.reader]);
    struct axi_shape shape = unpack_shape(self->shapes[place]);
    u2 filled = self->statuses[place];
    u2 status = shape.fault != MEM_DONE ? shape.fault : filled;
    u1 begins = self->slot == 0;
    u1 last = self->slot == (u3)((u3)(shape.bytes >> 4) + 1) || self->slot == AXI_PLACE_BEATS - 1;
    u1 tail = begins ? status != MEM_DONE : last;

    self->out.given = one(turn.valid && tail, turn.reader);
    self->stored = (struct axi_step){
        .valid = turn.valid,
        .head = begins,
        .tail = tail,
        .used = status == MEM_DONE && self->slot < shape.beats,
        .reader = turn.reader,
        .lane = shape.lane,
        .bytes = shape.bytes,
        .status = status,
    };
    if (turn.valid && self->stored.used) {
        self->code = self->data[beat_of(turn.reader, self->given[turn.reader], self->slot)];
    }
    if (turn.valid) {
        self->turn = turn.reader;
        self->slot = tail ? (u3)0 : (u3)(self->slot + 1);
        self->given[turn.reader] += tail;
    }
}

/* ---- together ------------------------------------------------------------------------------------ */

/* Invariant I8: what comes finds its place free. */
static inline void assert_places(const struct axi_read *self)
{
    for (int r = 0; r < READERS; r++) {
        axi_place_count asked = (axi_place_count)(self->asked[r] - self->given[r]);

        hls_assert(asked <= places_of[r]);
        hls_assert((axi_place_count)(self->filled[r] - self->given[r]) <= asked);
        hls_assert(self->beat[r] < AXI_PLACE_BEATS);
    }
    hls_assert(self->slot < AXI_PLACE_BEATS);
    hls_assert(self->slot == 0 || self->given[self->turn] != self->filled[self->turn]);
}

static inline u1 is_idle(const struct axi_read *self, const struct axi_read_in *in)
{
    u1 idle = self->walks == 0 && !in->walk.valid && !self->queued[0].valid && !in->read.valid &&
              !self->stored.valid && !self->decoded.valid;

    for (int r = 0; r < READERS; r++) {
        idle &= self->asked[r] == self->given[r];
    }
    return idle;
}

HLS_MODULE void axi_read(struct axi_read *self, const struct axi_read_in *in)
{
    axi_place place = place_of(self->got.reader, self->filled[self->got.reader]);
    struct axi_shape coming = unpack_shape(self->shapes[place]);
    struct axi_turn turn = turn_of(self, in->room_reply);

    assert_places(self);
    self->out.count = 0;
    self->out.idle = is_idle(self, in);
    give(self);
    decode(self);
    step(self, turn);

    mem_reader of = self->got.reader;
    u1 full = fill(self, coming);
    u2 status = self->status[of];
    struct axi_got got = get(self, in);
    u1 begins = self->out.arvalid && in->arready;

    for (int r = 0; r < READERS; r++) {
        self->bursts[r] += (u1)(begins && self->out.arid == client_of[r]);
    }
    self->walks += (u1)(begins && self->out.arid == MEM_WALKER);
    self->out.filled = ask(self, in) | one(full, of);
    if (full) {
        self->statuses[place] = status;
    }
    for (int r = 0; r < READERS; r++) {
        self->filled[r] += (u1)(self->out.filled >> r);
    }
    self->got = got;

    hls_cover(self->second);
    hls_cover((axi_place_count)(self->asked[0] - self->given[0]) ==
              1 << NIC_GETS_LOG2);                           /* all places are taken */
    hls_cover((self->out.filled & one(1, 0)) != 0 && !full); /* a bad one */
    hls_cover(self->beat[0] != 0 && self->beat[1] != 0);     /* bursts of two clients in turn */
}
