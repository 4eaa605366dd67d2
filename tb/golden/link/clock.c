// SPDX-License-Identifier: Apache-2.0
/*
 * clock.c - golden model of a device's global clock.
 */
#include "tb/golden/link/clock.h"

#include <stdlib.h>
#include <string.h>

#define CLOCKS (UINT64_C(1) << 52)
#define PARTS  (INT64_C(1) << 24)
#define LIMIT  (PARTS >> 10)

enum { DECIDED = 2, ACTED = 3, CORRECTED = 1 << 11, DEAF = 1 << 15, SILENT = 1 << 20, EIGHT = 8 };
enum { CLOCK = 0, DELAY = 1, LOOP = 2, RATE = 3, STATUS = 4, PULSES = 5, NOW = 6 };

void golden_clock_reset(struct golden_clock *g)
{
    *g = (struct golden_clock){.kp = 2, .ki = 8, .add = PARTS, .next_add = PARTS};
}

static int64_t limited(int64_t slew)
{
    return slew > LIMIT ? LIMIT : slew < -LIMIT ? -LIMIT : slew;
}

/* Rounds down, as a shift does. */
static int64_t divided(int64_t value, unsigned log2)
{
    const int64_t by = INT64_C(1) << log2;
    return value >= 0 ? value / by : -((-value + by - 1) / by);
}

/* The difference of two times, of 52 bits: the shorter way round. */
static int64_t behind(uint64_t a, uint64_t b)
{
    const uint64_t d = (a - b) % CLOCKS;
    return d < CLOCKS / 2 ? (int64_t)d : (int64_t)d - (int64_t)CLOCKS;
}

/* Within n clocks: -n <= error < n. */
static bool within(int64_t error, int64_t n)
{
    return error >= -256 * n && error < 256 * n;
}

static void add(struct golden_clock *g, int64_t parts)
{
    const int64_t sum = (int64_t)g->time[1] + parts;
    const int64_t whole = divided(sum, 24);
    g->time[1] = (uint64_t)(sum - whole * PARTS);
    g->time[0] = (g->time[0] + (uint64_t)whole) % CLOCKS;
}

static void hear(struct golden_clock *g, const struct golden_snapshot *s)
{
    if (!s->valid || !g->used || g->root || g->again || g->clock < g->deaf_until)
        return;
    const int64_t late = behind(s->sent + (g->delay >> 8), (g->now - s->age) % CLOCKS);
    g->waits = true;
    g->due = g->clock + ACTED;
    g->error = late * 256 + g->delay % 256;
}

static void unlock(struct golden_clock *g)
{
    g->locked = false;
    g->against = 0;
    g->far = false;
}

static void set_time(struct golden_clock *g)
{
    const int64_t whole = divided(g->error, 8);
    g->time[0] = (g->time[0] + (uint64_t)whole) % CLOCKS;
    add(g, (g->error - whole * 256) * (PARTS / 256));
    g->jumped = true;
    g->steps = (g->steps + 1) % 65536;
    g->corr = 0;
    g->deaf_until = g->clock + DEAF;
    unlock(g);
}

/* Whether the time is set. */
static bool decide(struct golden_clock *g)
{
    const bool close = within(g->error, 256), fine = within(g->error, 8),
               set = (!close && g->confirmed) || (!fine && g->first);
    if (fine) {
        g->rate = limited(g->rate + divided(g->error * 32, g->ki));
        g->corr = divided(g->error * 32, g->kp);
        g->corr_from = g->clock + 1;
    } else if (close) {
        g->corr = g->error < 0 ? -LIMIT : LIMIT;
        g->corr_from = g->clock + 1;
    }
    g->far = !close && !set;
    g->far_error = g->error;
    g->first = false;
    g->last = close ? g->error : g->error < 0 ? -65535 : 65535;
    g->heard = g->clock;
    if (within(g->error, 4) == g->locked) {
        g->against = 0;
    } else if (++g->against == EIGHT) {
        g->against = 0;
        g->locked = !g->locked;
    }
    return set;
}

static void watch(struct golden_clock *g, bool up)
{
    const bool follows = g->used && !g->root, silent = g->clock - g->heard >= SILENT,
               held = follows && (silent || g->again);
    g->again |= up && !g->was_up;
    g->was_up = up;
    g->holdover = held && !g->held;
    g->held = held;
    if (held)
        unlock(g);
}

static void apply(struct golden_clock *g, const struct golden_clock_write *w)
{
    switch (w->addr) {
    case CLOCK:
        g->source = w->data & 63;
        g->root = w->data >> 6 & 1;
        g->first = !g->used;
        g->used = w->data >> 7 & 1;
        g->was_up = true;
        g->heard = g->clock + 1;
        g->waits = false;
        unlock(g);
        break;
    case DELAY:
        g->delay = w->data & 0xffffff;
        g->again = false;
        break;
    case LOOP:
        g->kp = w->data & 15;
        g->ki = w->data >> 4 & 15;
        break;
    case RATE:
        g->rate = limited((int16_t)(w->data & 0xffff));
        break;
    case PULSES:
        g->pulse_log2 = w->data & 63;
        break;
    default:
        break;
    }
}

void golden_clock_step(struct golden_clock *g, const struct golden_snapshot *port, unsigned count,
                       const struct golden_clock_write *write)
{
    const struct golden_snapshot nothing = {0};
    const struct golden_snapshot *from = g->source < count ? &port[g->source] : &nothing;
    const uint64_t before = g->now, next = g->time[0];
    const unsigned period = g->pulse_log2;
    const bool corrects = g->clock >= g->corr_from && g->clock < g->corr_from + CORRECTED;
    const int64_t slew = limited(g->rate + (corrects ? g->corr : 0));
    bool set = false;

    g->stepped = g->jumped;
    g->pulse = period > 0 && period < 52 && next >> period != before >> period && !g->jumped;
    g->jumped = false;
    if (g->waits && g->clock == g->due - ACTED + DECIDED)
        g->confirmed = g->far && within(g->error - g->far_error, 8);
    if (g->waits && g->clock == g->due) {
        g->waits = false;
        set = decide(g);
    }
    hear(g, from);
    if (set) {
        add(g, PARTS);
        set_time(g);
    } else {
        add(g, g->add);
    }
    g->add = PARTS + slew;
    g->now = next;
    watch(g, from->run);
    if (write->valid)
        apply(g, write);
    g->clock++;
}

uint64_t golden_clock_read(const struct golden_clock *g, unsigned addr)
{
    switch (addr) {
    case CLOCK:
        return g->source | (uint64_t)g->root << 6 | (uint64_t)g->used << 7;
    case DELAY:
        return g->delay;
    case LOOP:
        return g->kp | g->ki << 4;
    case RATE:
        return (uint64_t)g->rate & 0xffff;
    case STATUS:
        return (uint64_t)g->locked | (uint64_t)g->held << 1 | (uint64_t)g->again << 2 |
               (uint64_t)g->steps << 16 | ((uint64_t)g->last & 0x1ffff) << 32;
    case PULSES:
        return g->pulse_log2;
    case NOW:
        return g->now;
    default:
        return 0;
    }
}
