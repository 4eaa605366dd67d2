// SPDX-License-Identifier: Apache-2.0
/*
 * test_link_claims.c - what the blocks of an LCB assume of each other and of what stands behind them holds in two whole
 * ones, whatever management and the cable do to them: no check of hls/link may fail, and afterwards both ends are up and
 * have all credits back.
 *
 * Every clock counts where something begins anew, so each event comes at each distance from a new epoch, a reset, a
 * re-initialisation; then in any order. Sources announce packets far ahead and hand them over late; the shared space
 * that an end grants is written at any time.
 *
 * Built for aries: fast.
 */
#include "tb/base/harness.h"
#include "hls/link/lcb.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    VCS = 8,
    AHEAD = 40,  /* packets that may be announced at a time */
    HELD = 4096, /* flits of the input queue */
    NEAR = 40,   /* clocks from one event to the next */
    UP_LIMIT = 60000,
    PATIENCE = 1500, /* clocks until a dead end is restarted */
    DRAIN = 3000,
    LIVES = 60,
    KILL = 0x72, /* written to CONTROL */
};

/* Both router sides: where packets come from, and the input queue. */
struct user {
    unsigned ahead; /* packets that it announces at most; 0: it only offers */
    unsigned line[AHEAD], in_line;
    bool start; /* the announcement made in the clock before */
    unsigned start_vc;
    bool offers;
    u48 flit;
    unsigned left;      /* flits of the packet that is being taken */
    unsigned coming_vc; /* of the packet that comes */
    uint8_t held[HELD]; /* VCs of flits in the input queue */
    unsigned in, out;
};

struct pair {
    struct lcb end[2];
    struct user user[2];
    struct reg_request bus[2];
    bool restart[2];
    u3 up[2]; /* lanes into end i */
    bool noise[2];
    bool stopped;           /* no new packets */
    unsigned takes, drains; /* of 16 clocks */
};

static struct pair p, running[2]; /* offering, announcing */
static struct rng r;
static uint64_t now;

static bool often(unsigned of16)
{
    return rng_below(&r, 16) < of16;
}

/* ---- one clock ---------------------------------------------------------------------------------- */

static u48 head_of(unsigned vc)
{
    return (u48)(((uint64_t)vc << 45) | (uint64_t)rng_below(&r, 16) << 41 | rng_below(&r, 1 << 30));
}

/* Announces packets as a router does: room is a clock old, so in two clocks running only where there is room to spare. */
static void announce(struct user *u, const struct lcb_out *out, struct lcb_in *in)
{
    const bool before = u->start;
    const unsigned vc = rng_below(&r, VCS), rooms = (unsigned)(before ? out->spare : out->room);
    in->start_valid = u->start;
    in->start_vc = (u3)u->start_vc;
    u->start = !p.stopped && u->in_line < u->ahead && (rooms >> vc & 1);
    if (u->start) {
        u->start_vc = vc;
        u->line[u->in_line++] = vc;
    }
}

/* Offers the next flit; once offered it stays until it is taken. */
static void offer(struct user *u, const struct lcb_out *out, struct lcb_in *in)
{
    const unsigned vc = rng_below(&r, VCS);
    const bool announced = u->in_line > (unsigned)(u->start + in->start_valid);
    if (!u->offers && u->left > 0) {
        u->offers = often(15);
        u->flit = (u48)(rng_next(&r) >> 16);
    } else if (!u->offers && announced && often(p.takes)) {
        u->offers = true;
        u->flit = head_of(u->line[0]);
        memmove(u->line, u->line + 1, --u->in_line * sizeof *u->line);
    } else if (!u->offers && u->ahead == 0 && !p.stopped && (out->room >> vc & 1)) {
        u->offers = true;
        u->flit = head_of(vc);
    }
    in->flit_valid = u->offers;
    in->flit = u->flit;
    if (u->offers && out->flit_ready) {
        const unsigned length = (unsigned)(u->flit >> 41) & 15;
        u->left = (u->left ? u->left : length ? length : 16) - 1;
        u->offers = false;
    }
}

/* The input queue passes on flits in the order in which they came. */
static void pass_on(struct user *u, const struct lcb_out *out, struct lcb_in *in)
{
    if (out->rx_valid) {
        if (out->rx_head)
            u->coming_vc = (unsigned)(out->rx_flit >> 45);
        u->held[u->in++ % HELD] = (uint8_t)u->coming_vc;
    }
    in->freed_valid = u->out != u->in && often(p.drains);
    in->freed_vc = (u3)u->held[u->out % HELD];
    u->out += in->freed_valid;
}

static void step(void)
{
    struct lcb_in in[2] = {};
    for (unsigned i = 0; i < 2; i++) {
        const struct lcb_out *out = &p.end[i].out;
        announce(&p.user[i], out, &in[i]);
        offer(&p.user[i], out, &in[i]);
        pass_on(&p.user[i], out, &in[i]);
        in[i].now = (lcb_time)now;
        in[i].bus = p.bus[i];
        in[i].restart = p.restart[i];
        in[i].rx_lane_valid = in[i].rx_lane_up = p.up[i];
        for (unsigned l = 0; l < LANES; l++)
            in[i].rx_lane[l] = p.noise[i] ? (u16)rng_next(&r) : p.end[!i].out.tx_lane[l];
    }
    for (unsigned i = 0; i < 2; i++) {
        lcb(&p.end[i], &in[i]);
        p.restart[i] = false;
        p.bus[i].valid &= !p.end[i].out.bus.ready;
    }
    now++;
}

static void run(unsigned clocks)
{
    while (clocks-- > 0)
        step();
}

/* ---- what is done to them ------------------------------------------------------------------------ */

static void power_up(unsigned i)
{
    const unsigned ahead = p.user[i].ahead;
    lcb_reset(&p.end[i]);
    p.user[i] = (struct user){.ahead = ahead};
    p.bus[i].valid = 0;
}

static void write_reg(unsigned i, unsigned addr, uint64_t data)
{
    p.bus[i] = (struct reg_request){.valid = 1, .write = 1, .addr = (u16)addr, .wdata = data};
}

static void grant(unsigned i, unsigned eights)
{
    write_reg(i, LCB_REG_TIMEOUT, LCB_TIMEOUT | (uint64_t)eights << 16);
}

enum event { KILLED, RESTARTED, RESET, CUT, CORRUPTED, GRANTED, EVENTS };

static const char *const name_of[EVENTS] = {"killed",  "restarted", "reset",
                                            "cut off", "corrupted", "granted other space"};

static void happen(enum event what, unsigned i)
{
    switch (what) {
    case KILLED:
        write_reg(i, LCB_REG_CONTROL, KILL);
        break;
    case RESTARTED:
        p.restart[i] = true;
        break;
    case RESET:
        power_up(i);
        break;
    case CUT:
        p.up[i] = (u3)rng_below(&r, 8);
        run(1 + rng_below(&r, 3));
        p.up[i] = 7;
        break;
    case CORRUPTED:
        p.noise[i] = true;
        run(20 + rng_below(&r, 300));
        p.noise[i] = false;
        break;
    default:
        grant(i, rng_below(&r, 2) ? rng_below(&r, 8) : rng_below(&r, 512));
        break;
    }
}

static bool both(enum link_state state)
{
    return p.end[0].out.state == state && p.end[1].out.state == state;
}

/* Until both ends run; dead ones are restarted. */
static bool recover(void)
{
    unsigned runs = 0;
    for (unsigned clock = 1; clock < UP_LIMIT && runs < 300; clock++) {
        step();
        runs = both(LINK_RUN) ? runs + 1 : 0;
        for (unsigned i = 0; i < 2; i++)
            p.restart[i] = clock % PATIENCE == 0 && p.end[i].out.state == LINK_DEAD;
    }
    return runs > 0;
}

/* Nothing is sent for a while: all credits are back. */
static bool drained(void)
{
    bool all = true;
    p.stopped = true;
    p.takes = p.drains = 16;
    run(DRAIN);
    p.stopped = false;
    for (unsigned i = 0; i < 2; i++)
        all = all && p.end[i].out.room == 0xff && p.end[i].credit.committed == 0 &&
              p.end[i].credit.pending == 0 && p.end[i].credit.out.drained;
    return all;
}

/* ---- each event at each distance ------------------------------------------------------------------ */

enum since { NOTHING, EPOCH, AGAIN, POWER_UP, SINCE };

static const char *const began[SINCE] = {"traffic", "a new epoch", "a re-initialisation",
                                         "a reset"};

/* Up to the clock in which something begins anew at end 0. */
static bool until(enum since what)
{
    const u4 epoch = p.end[0].out.epoch;
    unsigned clock = 0;
    if (what == EPOCH) {
        happen(KILLED, 0);
        run(300);
        happen(RESTARTED, 0);
        while (p.end[0].out.epoch == epoch && clock++ < UP_LIMIT)
            step();
    } else if (what == AGAIN) {
        p.up[0] = 0;
        step();
        p.up[0] = 7;
    } else if (what == POWER_UP) {
        power_up(0);
    }
    return clock < UP_LIMIT;
}

static void at_each_distance(enum since first, enum event then, unsigned end)
{
    unsigned lost = 0, worst = 0;
    uint64_t failures = 0;
    for (unsigned distance = 0; distance < NEAR; distance++) {
        p = running[distance % 2];
        p.takes = p.drains = 16;
        run(20);
        const bool there = until(first);
        run(distance);
        happen(then, end);
        run(200);
        const bool up = there && recover() && drained();
        const uint64_t failed = harness_take_failures();
        failures += failed;
        lost += !up;
        worst = !up || failed ? distance : worst;
    }
    tap_why("%" PRIu64 " checks failed, %u times not whole again; at %u clocks", failures, lost,
            worst);
    tap_ok(failures == 0 && lost == 0, "end %u is %s 0 to %d clocks after %s of end 0", end,
           name_of[then], NEAR - 1, began[first]);
}

/* ---- in any order ---------------------------------------------------------------------------------- */

static void lives(unsigned ahead, const char *name)
{
    uint64_t failures = 0;
    unsigned lost = 0, full = 0;
    for (unsigned life = 0; life < LIVES; life++) {
        p = running[ahead > 0];
        p.user[0].ahead = p.user[1].ahead = ahead;
        for (unsigned n = 0; n < 60; n++) {
            p.takes = rng_below(&r, 2) ? 16 : rng_below(&r, 4);
            p.drains = rng_below(&r, 2) ? 16 : rng_below(&r, 4);
            run(rng_below(&r, rng_below(&r, 3) ? 60 : 1500));
            full += p.user[0].in_line >= 14;
            happen((enum event)rng_below(&r, EVENTS), rng_below(&r, 2));
        }
        p.takes = p.drains = 16;
        lost += !(recover() && drained());
        failures += harness_take_failures();
    }
    tap_why("%" PRIu64 " checks failed, %u lives not whole again", failures, lost);
    tap_ok(failures == 0 && lost == 0, "%s, %d lives, %u times 14 packets and more", name, LIVES,
           full);
}

/* The space that an end grants is used up; then it grants none, which the peer learns in a re-initialisation. */
static void less_space(void)
{
    enum { TRIALS = 100 };
    unsigned lost = 0, used = 0;
    for (unsigned n = 0; n < TRIALS; n++) {
        p = running[0];
        p.drains = 1 + rng_below(&r, 4);
        run(400 + rng_below(&r, 400));
        used += p.end[0].credit.committed > p.end[0].credit.pending * 16;
        grant(1, 0);
        run(3);
        p.up[rng_below(&r, 2)] = 0;
        step();
        p.up[0] = p.up[1] = 7;
        lost += !(recover() && drained());
    }
    const uint64_t failures = harness_take_failures();
    tap_why("%" PRIu64 " checks failed, %u times not whole again, %u times lent", failures, lost,
            used);
    tap_ok(failures == 0 && lost == 0 && used == TRIALS,
           "the shared space is taken back in a re-initialisation");
}

int main(int argc, char **argv)
{
    rng_seed(&r, test_seed(argc, argv));
    harness_clock = &now;
    for (unsigned i = 0; i < 2; i++) {
        p = (struct pair){.up = {7, 7}, .takes = 16, .drains = 16};
        p.user[0].ahead = p.user[1].ahead = 2 * i;
        power_up(0);
        power_up(1);
        const bool up = recover();
        tap_ok(up, "both ends run");
        running[i] = p;
    }
    for (unsigned first = 0; first < SINCE; first++)
        for (unsigned then = 0; then < EVENTS; then++)
            for (unsigned end = 0; end < 2; end++)
                at_each_distance((enum since)first, (enum event)then, end);
    less_space();
    lives(0, "any events, packets offered");
    lives(2, "any events, two packets announced ahead");
    lives(AHEAD, "any events, packets announced as long as there is room");
    return tap_done();
}
