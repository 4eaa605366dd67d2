// SPDX-License-Identifier: Apache-2.0
/*
 * test_fma_orders.c - a descriptor that changes hands: pio and nic_fma through all orders of {disable, enable for the next owner, OPEN,
 * store, CLOSE, store of another descriptor, tarb without room, with room, CONTROL.enable off, on}, ACTIONS of them one after the
 * other, at several distances.
 *
 * The rules, checked on what goes in and what comes out alone:
 *   every store is answered once tarb has room;
 *   OPEN and CLOSE alternate, requests lie between them; what was open when its descriptor was disabled ends with one CLOSE
 *   that says aborted, in the name of the owner that opened it (of the next one if that was enabled before the CLOSE went);
 *   a store that pio had when its descriptor was disabled is never done in the name of a later owner;
 *   no store is done in a transaction that lost an earlier one;
 *   the other descriptor's stores all become packets, in order, if the NIC is never switched off.
 *
 * Built for aries: fast; proto: san.
 */
#include "tb/base/harness.h"
#include "nic/initiator/nic_fma.h"

#include <stdio.h>
#include <string.h>

enum action { DISABLE, ENABLE, OPEN, STORE, CLOSE, OTHER, NO_ROOM, ROOM, OFF, ON, KINDS };

enum {
    MOST = 8,
    OTHER_UNIT = 2,
    OTHER_OWNER = 200,
    PATIENCE = 1000, /* clocks in which MOST stores are done, with room */
    QUIET = NIC_FMAS +
            8,   /* clocks without a beat or an answer: the scan has seen all, nothing is left */
    SPACE = 4,   /* clocks between two writes of nic_regs */
    LATENCY = 3, /* from a run to its head beat, whatever happens */
};

struct store {
    enum action action;
    uint64_t taken; /* clock of its address; 0: not yet */
    uint64_t done;  /* in which nic_fma took it */
    bool refused;
};

/* A packet that came out. */
struct packet {
    unsigned cmd, unit, owner;
    int store; /* whose it is; -1: none's */
    bool aborted;
    uint64_t at;
};

struct bench {
    struct pio pio;
    struct nic_fma fma;
    struct nic_fma_in fma_in;
    struct axi_to_sub axi;
    bool room, enabled, off, was_off; /* off: CONTROL.enable is 0, now or once */
    unsigned owner;
    uint64_t clock, written_at;

    struct store store[MOST];
    unsigned stores, aw, w, beat, runs, answered;
    struct packet packet[4 * MOST];
    unsigned packets, beats;
    uint64_t enabled_at[MOST + 2], disabled_at[MOST + 2]; /* by owner, from 1 on */
    unsigned aborts;                                      /* as counted */
    uint64_t last;                                        /* clock in which something happened */
};

static struct bench b;
static uint64_t now, sequences;
static unsigned worst, aborted, marked;
static const char *broken;

static void breaks(const char *rule)
{
    broken = broken == NULL ? rule : broken;
}

/* ---- what goes in ------------------------------------------------------------------------------- */

static uint64_t address_of(enum action action)
{
    static const unsigned words[KINDS] = {[OPEN] = 8, [CLOSE] = 13};
    const uint64_t window = (uint64_t)2 << (NIC_FMA_LOG2 + NIC_WINDOW_LOG2);

    if (action == STORE || action == OTHER) {
        return window | (uint64_t)(action == OTHER ? OTHER_UNIT : 0) << NIC_WINDOW_LOG2;
    }
    return words[action] * 8;
}

/* Stores wait on the bus in their order; each one's bytes are its number, but for those of the other descriptor, whole lines. */
static void drive(void)
{
    const struct store *aw = &b.store[b.aw], *w = &b.store[b.w];

    b.axi.awvalid = b.aw != b.stores;
    b.axi.awaddr = (uint(AXI_BAR_BITS))(address_of(aw->action) & ~(uint64_t)15);
    b.axi.awlen = aw->action == OTHER ? 3 : 0;
    b.axi.awsize = 4;
    b.axi.awburst = 1;
    b.axi.wvalid = b.w != b.stores;
    b.axi.wlast = w->action != OTHER || b.beat == 3;
    b.axi.wstrb = w->action == OTHER ? (u16)0xFFFF : (u16)(0xFF << (address_of(w->action) & 15));
    b.axi.wdata = (beat_data)(b.w + 1) << 8 * (address_of(w->action) & 15);
    b.axi.bready = 1;
}

static void handshakes(void)
{
    const struct axi_from_sub *from = &b.pio.out.s_axi;

    if (b.axi.awvalid && from->awready) {
        b.store[b.aw++].taken = b.clock;
    }
    if (b.axi.wvalid && from->wready) {
        b.w += b.axi.wlast;
        b.beat = b.axi.wlast ? 0 : b.beat + 1;
    }
    if (from->bvalid) {
        b.store[b.answered++].refused = from->bresp != 0;
        b.last = b.clock;
    }
}

static void collect(void)
{
    const struct beat *beat = &b.fma.out.beat;
    struct packet *p = &b.packet[b.packets];

    if (!beat->valid) {
        return;
    }
    b.last = b.clock;
    if (beat->head) {
        *p = (struct packet){.cmd = (unsigned)req_cmd(beat->word),
                             .unit = (unsigned)(beat->word >> 135) & 127,
                             .owner = (unsigned)req_ptag(beat->word),
                             .store = -1,
                             .at = b.clock};
        b.beats = 0;
        for (unsigned i = 0; i < b.runs; i++) {
            p->store = b.store[i].done + LATENCY == b.clock ? (int)i : p->store;
        }
    } else if (b.beats == 1 && p->cmd == CMD_PUT) {
        if ((unsigned)(beat->word & 0xFF) != (unsigned)p->store + 1) {
            breaks("a store's bytes");
        }
    } else if (b.beats == 2 && p->cmd == CMD_CLOSE) {
        p->aborted = beat->word >> 46 & 1;
    }
    b.beats++;
    b.packets += beat->tail;
}

static void step(void)
{
    struct pio_in in = {.config = {.ready = 1, .enable = !b.off, .drain = b.off},
                        .fma = b.fma.out.answer};

    b.clock++;
    drive();
    handshakes();
    in.s_axi = b.axi;
    in.write = b.fma_in.write;
    b.fma_in.run = b.pio.out.run;
    b.fma_in.chunk = b.pio.out.chunk;
    b.fma_in.room = b.room;
    pio(&b.pio, &in);
    nic_fma(&b.fma, &b.fma_in);
    b.fma_in.write.valid = 0;
    if (b.fma.out.answer.valid) {
        b.store[b.runs++].done = b.clock;
    }
    b.aborts += (unsigned)(b.fma.out.count >> FMA_COUNT_ABORTED) & 1;
    collect();
    now++;
}

static void write_part(unsigned unit, unsigned owner, bool enable)
{
    while (b.clock < b.written_at + SPACE) {
        step();
    }
    b.fma_in.write = (struct nic_write){
        .valid = 1,
        .addr = (u16)(0x1000 + 4 * unit),
        .data = owner | (u64)MOST << 42 | (u64)enable << 57,
    };
    b.written_at = b.clock + 1;
}

/* ---- a sequence --------------------------------------------------------------------------------- */

static void act(enum action action)
{
    switch (action) {
    case DISABLE:
        write_part(0, b.owner, false);
        b.disabled_at[b.owner] = b.enabled ? b.written_at : b.disabled_at[b.owner];
        b.enabled = false;
        break;
    case ENABLE:
        b.owner += !b.enabled;
        write_part(0, b.owner, true);
        b.enabled_at[b.owner] = b.enabled ? b.enabled_at[b.owner] : b.written_at;
        b.enabled = true;
        break;
    case ROOM:
    case NO_ROOM:
        b.room = action == ROOM;
        break;
    case OFF:
    case ON:
        b.off = action == OFF;
        b.was_off |= b.off;
        break;
    default:
        b.store[b.stores++].action = action;
        break;
    }
}

/* Of an owner's: the other descriptor has been open from the beginning. */
static void start(void)
{
    memset(&b, 0, sizeof b);
    pio_reset(&b.pio);
    nic_fma_reset(&b.fma);
    b.room = b.enabled = true;
    b.owner = 1;
    b.fma.opens[OTHER_UNIT] = b.fma.opened[OTHER_UNIT] = 1;
    write_part(OTHER_UNIT, OTHER_OWNER, true);
    step();
    write_part(0, 1, true);
    b.enabled_at[1] = b.written_at;
    for (unsigned n = 0; n < 3; n++) {
        step();
    }
}

/* A store's packet in the name of a later owner than the one that was disabled when pio had it. */
static bool is_done_late(const struct packet *p)
{
    const uint64_t taken = b.store[p->store].taken;

    for (unsigned owner = 1; owner < p->owner; owner++) {
        if (taken < b.disabled_at[owner]) {
            return true;
        }
    }
    return false;
}

/* Behind a store that was lost, in the transaction that the store `open` began. */
static bool is_torn(const struct packet *p, int open)
{
    for (int i = open + 1; i < p->store; i++) {
        if (b.store[i].refused && b.store[i].action != OTHER) {
            return true;
        }
    }
    return false;
}

/* A CLOSE that no store asked for: of what the owner that opened it, or the one that has the descriptor by then. */
static bool is_abort(const struct packet *p, unsigned opener)
{
    return p->cmd == CMD_CLOSE && p->aborted && (b.was_off || b.disabled_at[opener] != 0) &&
           (p->owner == opener || (p->owner > opener && b.enabled_at[p->owner] < p->at));
}

static void check_packet(const struct packet *p, unsigned *opener, int *open)
{
    if ((p->cmd == CMD_OPEN) != (*opener == 0)) {
        breaks("OPEN and CLOSE do not alternate");
    }
    if (p->store < 0) {
        if (!is_abort(p, *opener)) {
            breaks("a packet of no store");
        }
    } else if (p->aborted || is_done_late(p) || (p->cmd != CMD_OPEN && p->owner != *opener)) {
        breaks("a store in another's name");
    } else if (p->cmd != CMD_OPEN && is_torn(p, *open)) {
        breaks("a store behind one that was lost");
    }
    *open = p->cmd == CMD_OPEN ? p->store : *open;
    *opener = p->cmd == CMD_OPEN ? p->owner : (p->cmd == CMD_CLOSE ? 0 : *opener);
}

static void check_packets(void)
{
    unsigned opener = 0, others = 0, aborts = 0, other_aborts = 0;
    int open = -1;

    for (unsigned i = 0; i < b.packets; i++) {
        if (b.packet[i].unit == OTHER_UNIT) {
            others++;
            other_aborts += b.packet[i].aborted;
        } else {
            check_packet(&b.packet[i], &opener, &open);
            aborts += b.packet[i].aborted;
        }
    }
    for (unsigned i = 0; i < b.stores; i++) {
        others -= b.store[i].action == OTHER;
    }
    if (others != 0 && !b.was_off) {
        breaks("stores of the other descriptor");
    }
    if (aborts + other_aborts != b.aborts || (opener != 0) != b.fma.opens[0] ||
        (opener != 0 && !b.enabled)) {
        breaks("what was open is not closed");
    }
    aborted += aborts;
}

/* All that was asked is answered: with an error if it was marked. */
static void finish(void)
{
    const uint64_t begin = b.clock;

    b.room = true;
    b.off = false;
    b.last = begin;
    while (b.clock - b.last < QUIET && b.clock - begin < PATIENCE) {
        step();
    }
    worst = b.last - begin > worst ? (unsigned)(b.last - begin) : worst;
    if (b.answered != b.stores) {
        breaks("a store is not answered");
    }
    for (unsigned i = 0; i < b.answered; i++) {
        marked += b.store[i].refused;
        if (b.store[i].refused && b.store[i].action == OTHER && !b.was_off) {
            breaks("a store of the other descriptor is refused");
        }
    }
    check_packets();
}

/* An action of it changes nothing: the same as a shorter sequence. */
static bool is_longer(unsigned number, unsigned actions)
{
    bool room = true, off = false;

    for (unsigned n = 0; n < actions; n++, number /= KINDS) {
        enum action a = (enum action)(number % KINDS);

        if (a == (room ? ROOM : NO_ROOM) || a == (off ? OFF : ON)) {
            return true;
        }
        room = a == ROOM || (room && a != NO_ROOM);
        off = a == OFF || (off && a != ON);
    }
    return false;
}

static void run_sequence(unsigned number, unsigned actions, unsigned gap)
{
    start();
    for (unsigned n = 0; n < actions; n++, number /= KINDS) {
        act((enum action)(number % KINDS));
        for (unsigned i = 0; i < gap; i++) {
            step();
        }
    }
    finish();
    sequences++;
}

int main(int argc, char **argv)
{
    static const unsigned gaps[] = {1, 2, 3, 8};
    unsigned actions = NIC_FMAS > 16 ? 4 : 5, all = 1, failed = 0;
    char first[120] = "";

    test_options(argc, argv, NULL,
                 args_unsigned("--actions", &actions, 1, 8,
                               "actions of a sequence: all orders of them are tried"));
    harness_clock = &now;
    for (unsigned n = 0; n < actions; n++) {
        all *= KINDS;
    }
    for (unsigned g = 0; g < sizeof gaps / sizeof *gaps; g++) {
        for (unsigned n = 0; n < all; n++) {
            broken = NULL;
            if (!is_longer(n, actions)) {
                run_sequence(n, actions, gaps[g]);
            }
            if (broken != NULL && failed++ == 0) {
                snprintf(first, sizeof first, "%s: sequence %u, %u clocks apart", broken, n,
                         gaps[g]);
            }
        }
    }
    tap_why("%s", first);
    /* holds fma.orders, fma.torn */
    tap_ok(failed == 0, "fma: %llu orders of %u actions: %u against a rule, last answer after %u",
           (unsigned long long)sequences, actions, failed, worst);
    tap_ok(aborted > sequences / 100 && marked > sequences / 10,
           "fma: %u aborted, %u stores refused", aborted, marked);
    tap_ok(harness_covers("hls/nic/initiator/nic_fma.c") == 5, "all covers of fma are hit");
    return tap_done();
}
