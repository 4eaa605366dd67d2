// SPDX-License-Identifier: Apache-2.0
/*
 * test_tile_ctl.c - tile_ctl alone: random events and requests, against counts in plain sums.
 *
 * A counter has its turn every 16 clocks; a read of it is answered then, with all events of the clocks before. After a clear
 * each counter begins anew within 16 clocks, so events of these may count or not; half of the clears are followed by silence,
 * or by another clear, which counts the 16 clocks from itself.
 *
 * Built for aries: san. Recorded for tile_ctl.
 */
#include "tb/base/harness.h"
#include "router/tile_ctl.h"

#include <string.h>

enum { COUNTERS = 16, TURN = 16, LIVES = 100, NONE = COUNTERS };

/* Events that are errors. */
static const unsigned errors =
    1u << RTR_ILLEGAL | 1u << RTR_NO_ROUTE | 1u << RTR_CORRECTED | 1u << RTR_FATAL;

static struct tile_ctl ctl;
static struct rng r;
static uint64_t clocks, age; /* calls; calls since the reset */
static unsigned row, col;

/* Since the last clear. */
static struct {
    uint64_t least[COUNTERS], most[COUNTERS];
    bool captured, vague; /* vague: an error of the clocks of the clear may be the first */
    unsigned events;
    uint32_t time;
    unsigned dropped,
        dropped_least; /* by the valve; least: without those while the clear was under way */
} model;

static unsigned first_rows, patience; /* what was written last */
static unsigned clearing;             /* clocks left in which counters begin anew */
static bool silence;                  /* no events in them */
static unsigned reading;              /* the counter that is being read, or NONE */

static struct {
    struct misses ready, data, counter, first, config, start, first_rows, dropped;
    unsigned rows_read, drops_read;
    unsigned reads, writes, exact, captured;
} seen;

/* ---- what happens -------------------------------------------------------------------------------- */

/* Up to 16 events at once, often none; those of a VC come one at a time. */
static unsigned some_events(struct tile_ctl_in *in)
{
    const unsigned mask =
        (unsigned)rng_next(&r) & (rng_below(&r, 2) ? 0xff00 : (unsigned)rng_next(&r) & 0x0f00);
    const bool comes = rng_below(&r, 2);
    const unsigned v = rng_below(&r, RTR_VCS);
    unsigned events = rng_below(&r, 8) ? mask & ~errors : mask;

    if (clearing > 0 && silence)
        return 0;
    events |= comes ? 1u << v : 0;
    in->input.incoming = (struct vc_note){comes, (rtr_vc)v};
    in->input.row_bus_stall = events >> RTR_ROWBUS_STALL & 1;
    in->stall_request = events >> RTR_COLBUF_STALL_REQUEST & 1;
    in->stall_response = events >> RTR_COLBUF_STALL_RESPONSE & 1;
    in->input.nonminimal = events >> RTR_NONMINIMAL & 1;
    in->input.illegal = events >> RTR_ILLEGAL & 1;
    in->input.no_route = events >> RTR_NO_ROUTE & 1;
    const unsigned from = 1 + rng_below(&r, 3); /* the input, the rest of the tile, or both */
    const bool corrected = events >> RTR_CORRECTED & 1, fatal = events >> RTR_FATAL & 1;
    in->input.corrected = corrected && from & 1;
    in->corrected = corrected && from & 2;
    in->input.fatal = fatal && from & 1;
    in->fatal = fatal && from & 2;
    return events;
}

/* For this tile, for all, or for one that shares a row or column with it; some clears come close behind another. */
static struct reg_request some_request(void)
{
    if (clearing > 0 && rng_below(&r, 4) == 0)
        return (struct reg_request){.valid = 1,
                                    .write = 1,
                                    .addr = (u16)(row << 13 | col << 10 | RTR_REG_CONTROL),
                                    .wdata = 1};
    static const unsigned regs[] = {RTR_REG_CONTROL,
                                    RTR_REG_FIRST_ERROR,
                                    RTR_REG_ROUTE,
                                    RTR_REG_OUTPUT,
                                    RTR_REG_VALVE,
                                    0x004,
                                    0x1f0};
    const unsigned kind = rng_below(&r, 8);
    const unsigned reg = rng_below(&r, 2) ? RTR_REG_COUNTERS + rng_below(&r, COUNTERS)
                                          : regs[rng_below(&r, sizeof regs / sizeof *regs)];
    const unsigned to_row = kind == 0 ? row ^ 1 : row, to_col = kind == 1 ? col ^ 2 : col;

    return (struct reg_request){
        .valid = 1,
        .write = rng_below(&r, 4) == 0,
        .addr = (u16)(to_row << 13 | to_col << 10 | reg |
                      (kind < 3 ? rng_below(&r, 2) * RTR_REG_ALL : 0)),
        .wdata = (u64)(rng_next(&r) & (rng_below(&r, 4) ? ~UINT64_C(1) : ~UINT64_C(0))),
    };
}

/* ---- what must be -------------------------------------------------------------------------------- */

static void count(unsigned events, uint32_t now)
{
    for (unsigned n = 0; n < COUNTERS; n++) {
        model.most[n] += events >> n & 1;
        model.least[n] += clearing == 0 ? events >> n & 1 : 0;
    }
    if ((events & errors) == 0 || model.captured || model.vague)
        return;
    model.vague = clearing > 0;
    model.captured = clearing == 0;
    model.events = events;
    model.time = now;
}

static void clear(void)
{
    memset(&model, 0, sizeof model);
    clearing = TURN;
    silence = rng_below(&r, 2);
}

/* One clock after the clear it may still say what was. */
static void check_first(uint64_t value)
{
    const uint64_t want = (uint64_t)model.time << 16 | model.events;

    if (!model.vague && clearing < TURN) {
        must_equal(&seen.first, value >> 63, model.captured, "first error: valid");
        if (model.captured)
            must_equal(&seen.first, value << 1 >> 1, want, "first error: time and events");
    }
    seen.captured += model.captured;
}

static void check_valve(uint64_t value)
{
    if (clearing < TURN) {
        must_at_least(&seen.dropped, value, model.dropped_least, "flits the valve dropped");
        must_at_most(&seen.dropped, value, model.dropped, "flits the valve dropped");
    }
    seen.drops_read += value != 0 && model.dropped_least == model.dropped;
}

/* A read that is answered at once. */
static void check_read(unsigned reg)
{
    const uint64_t value = (uint64_t)ctl.out.bus.rdata;

    if (reg == RTR_REG_FIRST_ERROR)
        check_first(value);
    else if (reg == RTR_REG_VALVE)
        check_valve(value);
    else
        must_equal(&seen.data, value,
                   reg == RTR_REG_CONTROL  ? row << 3 | col
                   : reg == RTR_REG_OUTPUT ? first_rows | patience << 8
                                           : 0,
                   "row %u, column %u, register %#x", row, col, reg);
}

/* The answer of a counter comes in the clock of its turn. */
static void check_counter(bool turn)
{
    const uint64_t value = (uint64_t)ctl.out.bus.rdata;

    must_equal(&seen.ready, ctl.out.bus.ready, turn, "counter %u, in clock %u of a turn: ready",
               reading, (unsigned)(age % TURN));
    if (!turn)
        return;
    must_at_least(&seen.counter, value, model.least[reading], "counter %u", reading);
    must_at_most(&seen.counter, value, model.most[reading], "counter %u", reading);
    seen.exact += model.least[reading] == model.most[reading] && value > 0;
    seen.reads++;
    reading = NONE;
}

static void check_config(const struct reg_request *bus, bool meant)
{
    const struct route_write *config = &ctl.out.config;
    const uint64_t data = (uint64_t)bus->wdata;
    const bool want = meant && bus->write && (bus->addr & 0x1ff) == RTR_REG_ROUTE;

    must_equal(&seen.config, config->valid, want, "routing word, bus address %#x: valid",
               (unsigned)bus->addr);
    if (want) {
        must_equal(&seen.config, config->kind, data >> 61, "routing word: kind");
        must_equal(&seen.config, config->index, data >> 48 & 0xfff, "routing word: index");
        must_equal(&seen.config, config->data, data & 0xffffffffffff, "routing word: data");
    }
    seen.writes += want;
}

static void check(const struct tile_ctl_in *in)
{
    const struct reg_request *bus = &in->bus;
    const unsigned reg = (unsigned)bus->addr & 0x1ff;
    const bool here = bus->addr >> 13 == row && (bus->addr >> 10 & 7) == col;
    const bool meant = bus->valid && (here || (bus->write && bus->addr & RTR_REG_ALL));
    const bool counter = reg >= RTR_REG_COUNTERS && reg < RTR_REG_COUNTERS + COUNTERS;

    if (reading != NONE)
        check_counter(age % TURN == reading);
    else
        must_equal(&seen.ready, ctl.out.bus.ready, meant && (bus->write || !counter),
                   "row %u, column %u, %s bus address %#x: ready", row, col,
                   !bus->valid  ? "no request,"
                   : bus->write ? "write to"
                                : "read of",
                   (unsigned)bus->addr);
    if (meant && !bus->write && !counter)
        check_read(reg);
    if (meant && !bus->write && counter)
        reading = reg - RTR_REG_COUNTERS;
    if (meant && bus->write && reg == RTR_REG_OUTPUT)
        first_rows = (unsigned)bus->wdata & ((1u << RTR_ROWS) - 1);
    if (meant && bus->write && reg == RTR_REG_OUTPUT)
        patience = (unsigned)bus->wdata >> 8 & 3;
    must_equal(&seen.first_rows, ctl.out.first, first_rows, "rows that go first");
    must_equal(&seen.first_rows, ctl.out.patience, patience, "patience");
    seen.rows_read += meant && !bus->write && reg == RTR_REG_OUTPUT && first_rows != 0;
    if (!ctl.out.bus.ready || (meant && bus->write))
        must_equal(&seen.data, ctl.out.bus.rdata, 0, "no read is answered, register %#x: data",
                   reg);
    check_config(bus, meant);
}

static void step(void)
{
    struct tile_ctl_in in = {.here = {(rtr_row)row, (rtr_col)col}, .now = (u32)rng_next(&r)};
    const unsigned events = some_events(&in);

    in.bus.addr = (u16)rng_next(&r);
    if (reading == NONE && rng_below(&r, 4) == 0)
        in.bus = some_request();
    in.dropped = rng_below(&r, 4) == 0 && !(clearing > 0 && silence);
    tile_ctl(&ctl, &in);
    check(&in);
    clocks++;
    age++;
    model.dropped += (unsigned)in.dropped;
    model.dropped_least += clearing == 0 && in.dropped;
    count(events, (uint32_t)in.now);
    clearing -= clearing > 0;
    if (in.bus.valid && in.bus.write && (in.bus.addr & 0x1ff) == RTR_REG_CONTROL &&
        in.bus.wdata & 1 &&
        ((in.bus.addr >> 13 == row && (in.bus.addr >> 10 & 7) == col) || in.bus.addr & RTR_REG_ALL))
        clear();
}

/* The registers begin anew, the counters in memory keep what they hold. */
static void reset(void)
{
    tile_ctl_reset(&ctl);
    row = rng_below(&r, RTR_ROWS);
    col = rng_below(&r, RTR_COLS);
    reading = NONE;
    first_rows = patience = 0;
    age = 0;
    clear();
    must_equal(&seen.start, ctl.out.config.valid, 0, "routing word after a reset: valid");
    must_equal(&seen.start, ctl.out.bus.ready, 0, "bus after a reset: ready");
    must_equal(&seen.start, ctl.out.bus.rdata, 0, "bus after a reset: data");
}

int main(int argc, char **argv)
{
    rng_seed(&r, test_seed(argc, argv));
    harness_clock = &clocks;
    for (unsigned i = 0; i < LIVES; i++) {
        reset();
        for (unsigned n = rng_below(&r, i % 2 ? 60 : 4000); n > 0; n--)
            step();
    }
    tap_misses(&seen.ready, "ctl: requests are answered at once, of counters in their turn");
    tap_misses(&seen.data, "ctl: with what the register says, else 0");
    tap_misses(&seen.counter, "ctl: counters say what was counted since the last clear");
    tap_misses(&seen.first, "ctl: the first error is kept, with its clock");
    must_at_least(&seen.dropped, seen.drops_read, 50, "reads of what the valve dropped");
    tap_misses(&seen.dropped, "ctl: what the valve dropped since the last clear (%u read)",
               seen.drops_read);
    tap_misses(&seen.config, "ctl: routing words go on, of this tile and of all");
    /* holds output_mux.sixteenth */
    must_at_least(&seen.first_rows, seen.rows_read, 50, "reads of rows that go first");
    tap_misses(&seen.first_rows,
               "ctl: rows that go first are as written last, 0 after a reset (%u read)",
               seen.rows_read);
    tap_misses(&seen.start, "ctl: after a reset nothing is reported");
    tap_why("%u counters read, %u exact, %u routing words, %u first errors, expected more than "
            "1000, 500, 50, 100",
            seen.reads, seen.exact, seen.writes, seen.captured);
    tap_ok(seen.reads > 1000 && seen.exact > 500 && seen.writes > 50 && seen.captured > 100,
           "ctl: %llu clocks, %u counters read, %u with nothing to doubt, %u routing words, %u "
           "first errors",
           (unsigned long long)clocks, seen.reads, seen.exact, seen.writes, seen.captured);
    return tap_done();
}
