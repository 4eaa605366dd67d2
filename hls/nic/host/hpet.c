// SPDX-License-Identifier: Apache-2.0
/*
 * hpet.c - main counter, three timers with comparators.
 *
 * The timers are looked at in turn, one a clock, that of a comparator which is written at once: one fires if its comparator was ahead
 * of the main counter and is not any more. So an interrupt comes a few clocks late, and the global time may go 2 on in a
 * clock. Where the global time was set each timer fires, for what is between the old time and the new one may be any of them.
 */
#include "nic/host/hpet.h"

#define FIELD(register, field, value) ((u64)(value) << NR_HPET_##register##_##field##_AT)
#define AT(data, register, field)     ((u1)((data) >> NR_HPET_##register##_##field##_AT))
#define WORD(register)                ((uint(NIC_TIMER_LOG2))(NR_HPET_##register - NR_HPET_ID))

HLS_RESET void hpet_reset(struct hpet *self)
{
    self->out = (struct hpet_out){};
    self->enable = 0;
    self->clock_use = 0;
    self->follows = 0;
    self->counter = 0;
    self->status = 0;
    for (int i = 0; i < HPET_TIMERS; i++) {
        self->timer[i] = (struct hpet_timer){};
    }
    self->jumped = 0;
    self->at = 0;
    self->wiped = 0;
}

/* ---- time ---------------------------------------------------------------------------------------- */

static inline void count(struct hpet *self, const struct global_time *time)
{
    u1 global = self->enable && self->clock_use;

    if (global && self->follows && time->stepped) {
        self->jumped = (uint(HPET_TIMERS))-1;
    }
    self->counter = global ? (u64)time->now : (u64)(self->counter + self->enable);
    self->follows = global;
}

/* A register after a write of one half or both. */
static inline u64 written(u64 old, const struct timer_access *access)
{
    u32 low = (u1)access->halves ? (u32)access->data : (u32)old;
    u32 high = (u1)(access->halves >> 1) ? (u32)(access->data >> 32) : (u32)(old >> 32);

    return (u64)((u64)high << 32) | low;
}

static inline u1 writes_comparator(const struct timer_access *access)
{
    return access->write && access->addr >= WORD(TIMER) && (u2)access->addr == 1;
}

/* What is written to the memories in a clock: an entry of each. */
struct hpet_entry {
    u1 sets_comparator;
    u1 sets_period;
    u2 at;
    u64 comparator;
    u64 period;
};

/*
 * One timer: whether it fires. A write of its comparator counts behind that; of a periodic timer the value is the period, and the
 * comparator's only if that was asked for.
 */
static inline u1 look(struct hpet *self, u2 at, const struct timer_access *access,
                      struct hpet_entry *entry)
{
    uint(HPET_TIMERS) which = (uint(HPET_TIMERS))((u4)1 << at);
    struct hpet_timer t = {};
    u64 comparator = self->comparator[at];
    u64 period = self->period[at];
    u64 behind = self->counter - comparator;

    for (int i = 0; i < HPET_TIMERS; i++) {
        t = (u1)(which >> i) ? self->timer[i] : t;
    }
    u1 jumps = (self->jumped & which) != 0;
    u1 ahead = t.narrow ? (u1)(behind >> 31) : (u1)(behind >> 63);
    u1 fires = self->enable && ((t.ahead && !ahead) || jumps);
    u1 written_too = writes_comparator(access);
    u1 replaced = written_too && (!t.periodic || t.set_value);

    for (int i = 0; i < HPET_TIMERS; i++) {
        if ((u1)(which >> i)) {
            self->timer[i].ahead = !replaced && ahead;
            self->timer[i].set_value = t.set_value && !written_too;
        }
    }
    self->jumped &= (uint(HPET_TIMERS))~which;
    *entry = (struct hpet_entry){
        .sets_comparator = replaced || (fires && t.periodic),
        .sets_period = written_too && t.periodic,
        .at = at,
        .comparator = replaced ? written(comparator, access)
                               : (u64)((jumps ? self->counter : comparator) + period),
        .period = written(period, access),
    };
    return fires;
}

/* The entries of the memories, once after reset. */
static inline struct hpet_entry wiped_entry(const struct hpet *self)
{
    return (struct hpet_entry){
        .sets_comparator = 1,
        .sets_period = 1,
        .at = (u2)self->wiped,
        .comparator = NR_HPET_TIMER1_COMPARATOR_RESET,
    };
}

static inline void raise_interrupts(struct hpet *self, uint(HPET_TIMERS) fired, u1 pulse)
{
    self->out.raised = (u4)((u4)pulse << HPET_TIMERS);
    for (int i = 0; i < HPET_TIMERS; i++) {
        struct hpet_timer t = self->timer[i];
        u1 raises = (u1)(fired >> i) && t.interrupts;

        self->status |= (uint(HPET_TIMERS))((uint(HPET_TIMERS))(raises && t.level) << i);
        self->out.raised |=
            (u4)((u4)(t.level ? t.interrupts && (u1)(self->status >> i) : raises) << i);
    }
}

/* ---- registers ----------------------------------------------------------------------------------- */

static inline u64 config_of(const struct hpet_timer *t)
{
    return FIELD(TIMER, LEVEL_TRIGGERED, t->level) | FIELD(TIMER, INTERRUPTS, t->interrupts) |
           FIELD(TIMER, PERIODIC, t->periodic) |
           FIELD(TIMER, MAY_BE_PERIODIC, NR_HPET_TIMER_MAY_BE_PERIODIC_RESET) |
           FIELD(TIMER, WIDE, NR_HPET_TIMER_WIDE_RESET) | FIELD(TIMER, SET_VALUE, t->set_value) |
           FIELD(TIMER, NARROW, t->narrow) | FIELD(TIMER, ROUTES, NR_HPET_TIMER_ROUTES_RESET);
}

static inline u64 value_of(const struct hpet *self, uint(NIC_TIMER_LOG2) addr)
{
    u64 value = 0;

    if (addr == WORD(ID)) {
        value = FIELD(ID, REVISION, NR_HPET_ID_REVISION_RESET) |
                FIELD(ID, TIMERS, NR_HPET_ID_TIMERS_RESET) |
                FIELD(ID, WIDE, NR_HPET_ID_WIDE_RESET) |
                FIELD(ID, VENDOR, NR_HPET_ID_VENDOR_RESET) | FIELD(ID, PERIOD, HPET_PERIOD);
    } else if (addr == WORD(CONFIG)) {
        value = FIELD(CONFIG, ENABLE, self->enable) | FIELD(CONFIG, CLOCK_USE, self->clock_use);
    } else if (addr == WORD(STATUS)) {
        value = (u64)self->status;
    } else if (addr == WORD(COUNTER)) {
        value = self->counter;
    }
    for (int i = 0; i < HPET_TIMERS; i++) {
        if (addr >> 2 == WORD(TIMER) / NR_HPET_TIMER_STEP + i && (u2)addr == 0) {
            value = config_of(&self->timer[i]);
        }
    }
    return addr >= WORD(TIMER) && (u2)addr == 1 ? self->comparator[(u2)(addr >> 2)] : value;
}

static inline void write_config(struct hpet_timer *t, u64 data)
{
    t->level = AT(data, TIMER, LEVEL_TRIGGERED);
    t->interrupts = AT(data, TIMER, INTERRUPTS);
    t->periodic = AT(data, TIMER, PERIODIC);
    t->set_value = AT(data, TIMER, SET_VALUE);
    t->narrow = AT(data, TIMER, NARROW);
    t->ahead = 0;
}

static inline void write_configs(struct hpet *self, const struct timer_access *access)
{
    for (int i = 0; i < HPET_TIMERS; i++) {
        if ((u2)(access->addr >> 2) == i && (u2)access->addr == 0 && (u1)access->halves) {
            write_config(&self->timer[i], access->data);
        }
    }
}

static inline void write_register(struct hpet *self, const struct timer_access *access, u1 ran)
{
    u1 low = (u1)access->halves;

    if (access->addr >= WORD(TIMER)) {
        write_configs(self, access);
    } else if (access->addr == WORD(CONFIG) && low) {
        self->enable = AT(access->data, CONFIG, ENABLE);
        self->clock_use = AT(access->data, CONFIG, CLOCK_USE);
        for (int i = 0; i < HPET_TIMERS; i++) {
            self->timer[i].ahead = 0;
        }
    } else if (access->addr == WORD(STATUS) && low) {
        self->status &= (uint(HPET_TIMERS))~access->data;
    } else if (access->addr == WORD(COUNTER) && !ran) {
        self->counter = written(self->counter, access);
    }
}

HLS_MODULE void hpet(struct hpet *self, const struct hpet_in *in)
{
    const struct timer_access *access = &in->access;
    u1 wipes = self->wiped != 4;
    u1 ran = self->enable;
    u1 replaces = writes_comparator(access);
    u2 at = replaces ? (u2)(access->addr >> 2) : self->at;
    struct hpet_entry entry = {};
    uint(HPET_TIMERS) fired = 0;

    self->out.value = value_of(self, access->read);
    count(self, &in->time);
    if (wipes) {
        entry = wiped_entry(self);
        self->wiped++;
    } else {
        fired = (uint(HPET_TIMERS))((u4)look(self, at, access, &entry) << at);
        self->at = self->at == HPET_TIMERS - 1 ? (u2)0 : (u2)(self->at + 1);
    }
    raise_interrupts(self, fired, in->time.pulse);
    if (access->write) {
        write_register(self, access, ran);
    }
    if (entry.sets_comparator) {
        self->comparator[entry.at] = entry.comparator;
    }
    if (entry.sets_period) {
        self->period[entry.at] = entry.period;
    }
    hls_cover(fired != 0);
    hls_cover(self->jumped != 0);
}
