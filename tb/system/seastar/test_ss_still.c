// SPDX-License-Identifier: Apache-2.0
/*
 * test_ss_still.c - what moves no more: a message whose packets are lost, a driver that gives no DEPOSIT, one that does not empty its ring. Each ends
 * after its time, RX_TIMEOUT or VALVE, is counted, and the next message is whole.
 *
 * Built for seastar2: fast.
 */
#include <inttypes.h>
#include <string.h>

#include "tb/system/seastar/ss_pair.h"

enum {
    FROM = 0x1000,
    TO = 0x4000,
    WAIT = 20000,
    TIMEOUT = 3000,
    VALVE = 4000,
    SLACK = 400,
    SHORT = 600,
    DROP_AFTER = 64, /* while the driver does not move */
    MOVES = 30,
    CUT = 2,
    KEPT = 64, /* entries that are left for the ends of messages */
    ALL_INPUTS = 7,
    NO_PORT = 7,
};

static struct ss_pair p;
static struct rng r;

static void route(unsigned port)
{
    pair_write(&p, 0, SS_REG_ROUTE_LOCAL, ALL_INPUTS | (uint64_t)1 << 7 | (uint64_t)port << 19);
}

/* What is left of a message that is lost on its way is not held against the golden one. */
static void forget_packets(void)
{
    struct ss_host *h = &p.host[0];
    h->due_get = h->due_put;
    h->packet = 0;
    h->flit = 0;
}

/* A message of so many bytes from chip 0, taken whole. */
static bool whole(unsigned bytes)
{
    struct ss_entry e;
    struct ss_host *h = &p.host[1];
    const unsigned n = p.host[0].due_put % 64;
    bool good = pair_put(&p, 0, FROM, bytes, 0, rng_next(&r)) == 0 && pair_entry(&p, 1, &e, WAIT) &&
                entry_kind(&e) == (bytes > 12 ? 1 : 2);
    if (!good || bytes <= 12)
        return good;
    memset(h->allowed + TO, 1, bytes);
    good = pair_deposit(&p, 1, &e, TO, bytes) == 0 && pair_entry(&p, 1, &e, WAIT) &&
           entry_kind(&e) == 3 && entry_status(&e) == 0;
    memset(h->allowed + TO, 0, bytes);
    return good && memcmp(h->memory + TO, p.host[0].due_data[n], bytes) == 0;
}

/* The data of a message of 500 bytes are lost. `busy`: others come in meanwhile, the other way. */
static void lost_packets(bool busy)
{
    struct ss_entry e, other;
    const uint64_t aged = pair_read(&p, 1, SS_REG_AGED);
    pair_run(&p, rng_below(&r, 2 * TIMEOUT));
    p.host[0].latency = 600; /* the header leaves long before the data */
    bool good = pair_put(&p, 0, FROM, 500, 0, 1) == 0 && pair_entry(&p, 1, &e, WAIT);
    route(NO_PORT);
    pair_run(&p, 1500);
    route(1);
    p.host[0].latency = 100;
    forget_packets();
    pair_run(&p, 3 * TIMEOUT);
    const bool undecided = pair_read(&p, 1, SS_REG_AGED) == aged;
    memset(p.host[1].allowed + TO, 1, 500);
    good = pair_deposit(&p, 1, &e, TO, 500) == 0 && good;
    const uint64_t from = p.clock;
    unsigned told = 0, sent = 0;
    while (told == 0 && p.clock < from + 3 * TIMEOUT) {
        if (busy && p.clock % 400 == 0)
            sent += pair_put(&p, 1, FROM, 8, 0, 2) == 0;
        if (pair_entry(&p, 1, &other, 0))
            told += entry_kind(&other) == 3 && entry_status(&other) == CUT && other.word[1] == 0;
        pair_step(&p);
    }
    const uint64_t took = p.clock - from;
    for (unsigned n = 0; n < sent; n++)
        good = pair_entry(&p, 0, &e, WAIT) && good;
    memset(p.host[1].allowed + TO, 0, 500);
    /* holds ss_receive.aged */
    tap_ok(good && undecided && told == 1 && took + SLACK >= TIMEOUT &&
               took <= 2 * TIMEOUT + SLACK && pair_read(&p, 1, SS_REG_AGED) == aged + 1,
           "%s: data are lost: CUT %" PRIu64 " clocks behind the DEPOSIT, of %d to %d",
           busy ? "under load" : "idle", took, TIMEOUT, 2 * TIMEOUT);
    tap_ok(whole(300), "the next message is whole");
}

/* No DEPOSIT comes. */
static void dead_driver(void)
{
    struct ss_entry e;
    bool good = true;
    const uint64_t before = pair_read(&p, 1, SS_REG_VALVED);
    pair_run(&p, rng_below(&r, VALVE));
    for (unsigned n = 0; n < 3; n++)
        good = pair_put(&p, 0, FROM, 100, 0, n) == 0 && good;
    unsigned headers = 0, cut = 0;
    const uint64_t from = p.clock;
    while (pair_read(&p, 1, SS_REG_VALVED) < before + 3 && p.clock < from + 3 * VALVE)
        pair_run(&p, 20);
    const uint64_t took = p.clock - from;
    while (pair_entry(&p, 1, &e, 500)) {
        headers += entry_kind(&e) == 1;
        cut += entry_kind(&e) == 3 && entry_status(&e) == CUT && e.word[1] == 0;
    }
    /* holds ss_receive.valve */
    tap_ok(good && headers == 3 && cut == 3 && took > VALVE && took < VALVE + 1500 &&
               pair_read(&p, 1, SS_REG_VALVED) == before + 3,
           "no DEPOSIT: the first message is dropped after %d clocks, two more behind it: %" PRIu64,
           VALVE, took);
    const bool late = pair_deposit(&p, 1, &e, TO, 100) == 0 && pair_entry(&p, 1, &e, WAIT);
    tap_ok(late && entry_kind(&e) == 5 && entry_status(&e) == 7,
           "a DEPOSIT that is late is illegal");
    tap_ok(whole(200), "and from then on messages are whole");
}

/* Messages of 0 bytes until the ring takes no more of them, and some beyond. */
static void full_ring(void)
{
    struct ss_entry e;
    const uint64_t before = pair_read(&p, 1, SS_REG_VALVED);
    const unsigned fit = HOST_ENTRIES - KEPT, more = 5;
    bool good = true;
    for (unsigned n = 0; n < fit + more; n++) {
        while (pair_put(&p, 0, FROM, 0, 0, n))
            p.host[0].due_put--;
        pair_run(&p, 20);
    }
    pair_run(&p, 2 * VALVE);
    const uint64_t dropped = pair_read(&p, 1, SS_REG_VALVED) - before;
    unsigned came = 0;
    while (pair_entry(&p, 1, &e, 500))
        came++;
    tap_ok(good && came + dropped == fit + more && came >= fit && dropped > 0,
           "a ring that is full: %u entries, %" PRIu64 " messages dropped", came, dropped);
    tap_ok(whole(100) && whole(8), "and once it is read messages are whole");
}

/* Messages of 0 bytes until one waits for the ring; how many. */
static unsigned fill_ring(void)
{
    const struct ss_receive *rx = &p.host[1].chip->nic.dma.receive;
    unsigned sent = 0;
    while (!rx->out.tell.valid || rx->still < 20) {
        sent += !pair_put(&p, 0, FROM, 0, 0, sent);
        for (unsigned t = 0; t < 300 && (!rx->out.tell.valid || rx->still < 20); t++)
            pair_step(&p);
    }
    return sent;
}

/*
 * A full ring gets free around the clock in which the message that waits for it is dropped: the message has its entry, or is counted as dropped, and
 * never both.
 */
static void ring_moves(void)
{
    struct ss_entry e;
    const struct ss_receive *rx = &p.host[1].chip->nic.dma.receive;
    const uint64_t before = pair_read(&p, 1, SS_REG_VALVED);
    unsigned sent = 0, came = 0;
    pair_write(&p, 1, SS_REG_VALVE, SHORT);
    for (unsigned n = 0; n < MOVES; n++) {
        sent += fill_ring();
        const unsigned limit = rx->drops ? DROP_AFTER : SHORT;
        while (rx->out.tell.valid && rx->still < limit - n)
            pair_step(&p);
        came += pair_entry(&p, 1, &e, 0);
    }
    while (pair_entry(&p, 1, &e, 500))
        came++;
    const uint64_t dropped = pair_read(&p, 1, SS_REG_VALVED) - before;
    /* holds ss_receive.withdrawn */
    tap_ok(came + dropped == sent && dropped > 1 && dropped < MOVES - 1,
           "a ring that moves as messages are dropped: %u sent, %u entries, %" PRIu64 " dropped",
           sent, came, dropped);
    tap_ok(whole(100), "and once it is read messages are whole");
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);
    rng_seed(&r, seed);
    tap_ok(pair_start(&p, NULL), "two chips come up");
    for (unsigned i = 0; i < 2; i++)
        for (unsigned at = 0; at < HOST_RING; at++)
            p.host[i].memory[at] = (uint8_t)rng_next(&r);
    pair_write(&p, 1, SS_REG_RX_TIMEOUT, TIMEOUT);
    lost_packets(false);
    lost_packets(true);
    pair_write(&p, 1, SS_REG_VALVE, VALVE);
    dead_driver();
    full_ring();
    ring_moves();
    tap_ok(p.host[0].wrong_flits == 0 && p.host[1].astray == 0 &&
               pair_read(&p, 0, SS_REG_STATUS) == 3 && pair_read(&p, 1, SS_REG_STATUS) == 3,
           "no byte astray, both are idle at the end");
    pair_free(&p);
    return tap_done();
}
