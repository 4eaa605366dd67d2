// SPDX-License-Identifier: Apache-2.0
/*
 * global_clock.c - a device's time.
 *
 * Each clock adds 2^24 + slew to the time. A snapshot of the source port goes through four stages: take, compare,
 * judge, act. The first that comes after the clock was put in use, if it is 8 clocks away, and one that is 256 clocks away and
 * confirmed by the next one, set the time; others change rate and corr. Only setting can make the time go backwards, and it clears locked in the same clock.
 */
#include "chip/global_clock.h"

#define LIMIT      16384 /* of the slew: one part in 1,024 */
#define ONE        (1 << CLK_PART_BITS)
#define PARTS      CLK_REG_DELAY_PART_BITS
#define SMALL      (2 + PARTS) /* sizes of errors, as powers of two of 1/256 clocks */
#define FINE       (3 + PARTS)
#define COARSE     (8 + PARTS)
#define ERROR_MOST 65535 /* of error_low, either way */

typedef uint(CLK_DIFF_BITS) clk_diff;

/* At most LIMIT either way. */
static inline sint(16) within(sint(19) value)
{
    return value > LIMIT ? (sint(16))LIMIT : value < -LIMIT ? (sint(16))-LIMIT : (sint(16))value;
}

HLS_RESET void global_clock_reset(struct global_clock *self)
{
    *self = (struct global_clock){
        .step = ONE, .kp = CLK_REG_LOOP_KP_RESET, .ki = CLK_REG_LOOP_KI_RESET};
}

/* Stage 1: the snapshot of the source port, unless the time was set while it may have been under way. */
static inline void take(struct global_clock *self, const struct clock_snapshot *from)
{
    u1 follows = self->valid && !self->root && !self->again;

    self->took = from->valid && follows && self->quiet == 0;
    self->sent = from->sent;
    self->came = (lcb_time)(self->out.now - (u17)((u17)from->age + (u16)(self->delay >> PARTS)));
    self->part = (uint(PARTS))self->delay;
}

/* Stage 2. */
static inline void compare(struct global_clock *self)
{
    lcb_time clocks = (lcb_time)(self->sent - self->came);

    self->differs = self->took;
    self->diff = (clk_diff)((clk_diff)clocks << PARTS) | self->part;
}

/* -2^log2 <= value < 2^log2, of a signed number: all bits from there on are the sign. */
static inline u1 below(clk_diff value, int log2)
{
    clk_diff upper = value >> log2;

    return upper == 0 || upper == (clk_diff)-1 >> log2;
}

/* Stage 3. `error` is still that of the snapshot before. */
static inline void judge(struct global_clock *self)
{
    clk_diff diff = self->diff;
    u1 negative = (u1)(diff >> (CLK_DIFF_BITS - 1));
    sint(17) most = negative ? (sint(17))-ERROR_MOST : (sint(17))ERROR_MOST;

    self->judged = self->differs;
    if (self->differs) {
        self->confirms = self->candidate && below((clk_diff)(diff - self->error), FINE);
        self->error = diff;
        self->error_low = below(diff, COARSE) ? (sint(17))(u17)diff : most;
        self->size = below(diff, SMALL)    ? CLOCK_SMALL
                     : below(diff, FINE)   ? CLOCK_FINE
                     : below(diff, COARSE) ? CLOCK_COARSE
                                           : CLOCK_FAR;
    }
}

/* Eight snapshots in a row that speak against it change it. */
static inline void keep_locked(struct global_clock *self, u1 small)
{
    u1 against = small != self->out.locked;
    u1 changes = against && self->streak == 7;

    self->streak = against ? (u3)(self->streak + 1) : (u3)0;
    self->out.locked ^= changes;
}

/* Stage 4; whether the time is to be set. */
static inline u1 act(struct global_clock *self)
{
    u1 far = self->size == CLOCK_FAR;
    u1 coarse = self->size == CLOCK_COARSE;
    u1 sets = (far && self->confirms) || (self->fresh && (far || coarse));
    sint(18) scaled = (sint(18))(sint(12))self->error_low * 32; /* if it is fine */
    sint(17) limit = self->error_low < 0 ? (sint(17))-LIMIT : (sint(17))LIMIT;

    if (!far && !coarse) {
        self->rate = within((sint(19))self->rate + (scaled >> self->ki));
        self->corr = (sint(17))(scaled >> self->kp);
        self->corr_left = 1 << CLK_CORR_LOG2;
    } else if (coarse) {
        self->corr = limit;
        self->corr_left = 1 << CLK_CORR_LOG2;
    }
    self->candidate = far && !sets;
    self->fresh = 0;
    self->last_error = self->error_low;
    self->silent = 0;
    keep_locked(self, self->size == CLOCK_SMALL);
    return sets;
}

/* Link and silence of the source: what ends in holdover. */
static inline void keep_source(struct global_clock *self, u1 run)
{
    u1 follows = self->valid && !self->root;
    u1 late = (u1)(self->silent >> CLK_HOLDOVER_LOG2);
    u1 held = follows && (late || self->again);

    self->again |= run && !self->ran;
    self->ran = run;
    self->silent += !late;
    self->out.holdover = held && !self->held;
    self->held = held;
    if (held) {
        self->out.locked = 0;
        self->streak = 0;
        self->candidate = 0;
    }
}

/* What a clock adds. */
static inline clk_step step_of(const struct global_clock *self)
{
    sint(17) corr = self->corr_left == 0 ? (sint(17))0 : self->corr;

    return (clk_step)(ONE + (clk_step)within((sint(19))self->rate + corr));
}

/* The time of the next clock. */
static inline void advance(struct global_clock *self, u1 sets)
{
    uint(CLK_TIME_BITS) jump = (uint(CLK_TIME_BITS))self->error << (CLK_PART_BITS - PARTS);
    lcb_time next = (lcb_time)(self->time >> CLK_PART_BITS);
    u1 wraps = (u1)((u64)(next ^ self->out.now) >> self->pulse_log2);

    /* Bit n changes where the bits below it wrap, as now advances by 2 at most. */
    self->out.pulse = wraps && self->pulse_log2 != 0 && !self->set;
    self->out.now = next;
    self->out.stepped = self->set;
    self->time += sets ? (uint(CLK_TIME_BITS))(jump + ONE) : (uint(CLK_TIME_BITS))self->step;
    self->set = sets;
    self->quiet =
        sets ? (uint(CLK_QUIET_BITS))-1 : (uint(CLK_QUIET_BITS))(self->quiet - (self->quiet != 0));
}

static inline void forget(struct global_clock *self)
{
    self->out.locked = 0;
    self->streak = 0;
    self->candidate = 0;
    self->corr_left = 0;
    self->steps++;
}

/* ---- registers --------------------------------------------------------------------------------- */

/* A field of a register at its place; what stands at a field's place, to be cut to its type. */
#define FIELD(register, field, value) ((u64)(value) << CLK_REG_##register##_##field##_AT)
#define AT(register, field)           (data >> CLK_REG_##register##_##field##_AT)

static inline u64 read_reg(const struct global_clock *self, u16 addr)
{
    switch (addr) {
    case CLK_REG_CLOCK:
        return FIELD(CLOCK, SOURCE, self->source) | FIELD(CLOCK, ROOT, self->root) |
               FIELD(CLOCK, VALID, self->valid);
    case CLK_REG_DELAY:
        return (u64)self->delay;
    case CLK_REG_LOOP:
        return FIELD(LOOP, KP, self->kp) | FIELD(LOOP, KI, self->ki);
    case CLK_REG_RATE:
        return (u64)(u16)self->rate;
    case CLK_REG_STATUS:
        return FIELD(STATUS, LOCKED, self->out.locked) | FIELD(STATUS, HOLDOVER, self->held) |
               FIELD(STATUS, LINK_AGAIN, self->again) | FIELD(STATUS, STEPS, self->steps) |
               FIELD(STATUS, ERROR, (u17)self->last_error);
    case CLK_REG_PULSE_PERIOD:
        return (u64)self->pulse_log2;
    case CLK_REG_NOW:
        return (u64)self->out.now;
    default:
        return 0;
    }
}

static inline void write_clock(struct global_clock *self, u64 data)
{
    self->source = (uint(CLK_REG_CLOCK_SOURCE_BITS))AT(CLOCK, SOURCE);
    self->root = (u1)AT(CLOCK, ROOT);
    self->fresh = !self->valid;
    self->valid = (u1)AT(CLOCK, VALID);
    self->ran = 1; /* no link came up, another one is looked at */
    self->silent = 0;
    self->out.locked = 0;
    self->streak = 0;
    self->candidate = 0;
    self->took = 0;
    self->differs = 0;
    self->judged = 0;
}

static inline void write_reg(struct global_clock *self, u16 addr, u64 data)
{
    switch (addr) {
    case CLK_REG_CLOCK:
        write_clock(self, data);
        break;
    case CLK_REG_DELAY:
        self->delay = (u24)data;
        self->again = 0;
        break;
    case CLK_REG_LOOP:
        self->kp = (u4)AT(LOOP, KP);
        self->ki = (u4)AT(LOOP, KI);
        break;
    case CLK_REG_RATE:
        self->rate = within((sint(16))(u16)data);
        break;
    case CLK_REG_PULSE_PERIOD:
        self->pulse_log2 = (uint(CLK_REG_PULSE_PERIOD_N_BITS))data;
        break;
    default:
        break;
    }
}

static inline void serve(struct global_clock *self, const struct reg_request *bus)
{
    u16 addr = bus->addr;
    u1 known =
        bus->write ? addr <= CLK_REG_RATE || addr == CLK_REG_PULSE_PERIOD : addr <= CLK_REG_NOW;

    self->out.bus.ready = bus->valid && !self->out.bus.ready;
    if (self->out.bus.ready) {
        self->out.bus.error = !known;
        self->out.bus.rdata = read_reg(self, addr);
        if (bus->write) {
            write_reg(self, addr, bus->wdata);
        }
    }
}

/* ------------------------------------------------------------------------------------------------- */

HLS_MODULE void global_clock(struct global_clock *self, const struct global_clock_in *in)
{
    struct clock_snapshot from = {};
    clk_step step = step_of(self);
    u1 sets = 0;

    self->corr_left -= self->corr_left != 0;

    for (int i = 0; i < RTR_LINKS; i++) {
        from = self->source == i ? in->port[i] : from;
    }
    if (self->judged) {
        sets = act(self);
    }
    judge(self);
    compare(self);
    take(self, &from);
    advance(self, sets);
    self->step = step;
    if (sets) {
        forget(self);
    }
    keep_source(self, from.run);
    serve(self, &in->bus);
    hls_cover(self->out.locked);
    hls_cover(self->set && !self->fresh);
}
