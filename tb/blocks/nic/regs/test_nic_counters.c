// SPDX-License-Identifier: Apache-2.0
/*
 * test_nic_counters.c - what counts and is raised in nic_counters and nic_regs: counters and sums, the histogram, the first
 * error, interrupts. Blocks raise all of it in any clock, a driver reads it.
 *
 * Built for aries: fast; proto: san. Recorded for nic_regs, nic_counters.
 */
#include "tb/blocks/nic/regs/nic_regs_bench.h"

#include <stdlib.h>
#include <string.h>

static struct misses missed; /* by the check that comes next */

/* All that counts, in a clock: everything, most, or some. */
static void raise(struct door *b, int how)
{
    nic_counts some = (nic_counts)((nic_counts)rng_next(&b->rng) << 64 | rng_next(&b->rng));
    const unsigned most = how == 0 ? 1 : 128;

    b->in.count = how == 0 ? (nic_counts)-1 : some;
    if (how == 2) {
        b->in.count &= (nic_counts)((nic_counts)rng_next(&b->rng) << 64 | rng_next(&b->rng));
    }
    b->in.sent.request_bytes = (nic_amount)(127 - rng_below(&b->rng, most));
    b->in.sent.request_flits = (nic_amount)(127 - rng_below(&b->rng, most));
    b->in.sent.response_bytes = (nic_amount)(127 - rng_below(&b->rng, most));
    b->in.received.request_bytes = (nic_amount)(127 - rng_below(&b->rng, most));
    b->in.received.response_flits = (nic_amount)(127 - rng_below(&b->rng, most));
}

static void check_counters(struct door *b)
{
    for (int i = 0; i < COUNTER_COUNT; i++) {
        must_equal(&missed, door_get(b, (uint16_t)(COUNTERS + i)), b->counted[i], "counter %d", i);
    }
    for (int i = 0; i < SUM_COUNT; i++) {
        must_equal(&missed, door_get(b, (uint16_t)(SUMS + i)), b->added[i], "sum %d", i);
    }
}

static void clear_counters(struct door *b)
{
    door_put(b, CONTROL, 8);
    for (int i = 0; i < 140; i++) {
        door_tick(b);
    }
    for (int i = 0; i < COUNTER_COUNT; i++) {
        b->counted[i] = 0;
    }
    for (int i = 0; i < SUM_COUNT; i++) {
        b->added[i] = 0;
    }
}

/* holds nic_regs.counts: all of them in every clock, sums by their most */
static void test_counters(struct door *b)
{
    clear_counters(b);
    for (int i = 0; i < 20000; i++) {
        raise(b, i < 10000 ? 0 : i < 15000 ? 1 : 2);
        door_tick(b);
    }
    check_counters(b);
    tap_taken(&missed, "all counters and sums at once, 10,000 clocks as much as they can");
    clear_counters(b);
    check_counters(b);
    tap_taken(&missed, "cleared");
}

/* holds nic_regs.bins: each response is in the bin whose number is how many of the limits its time has reached, whatever these are. */
static void test_histogram(struct door *b)
{
    uint64_t bins[8] = {0};

    for (int round = 0; round < 40; round++) {
        uint64_t limits = rng_next(&b->rng) >> 1;

        door_put(b, HIST_LIMIT, limits);
        for (int i = 0; i < 50; i++) {
            unsigned near = (unsigned)(limits >> 9 * rng_below(&b->rng, 7) & 0x1FF);
            unsigned time = (near + 511 + rng_below(&b->rng, 3)) % 512, bin = 0;

            for (int k = 0; k < 7; k++) {
                bin += time >= (limits >> 9 * k & 0x1FF);
            }
            b->in.time = (struct nic_time){1, (u9)time};
            bins[bin]++;
            b->counted[TIME0 - COUNTERS + bin]++;
            door_tick(b);
        }
    }
    door_tick(b);
    for (unsigned k = 0; k < 8; k++) {
        must_equal(&missed, door_get(b, (uint16_t)(TIME0 + k)), bins[k], "bin %u", k);
        must_at_least(&missed, bins[k], 1, "responses for bin %u", k);
    }
    tap_taken(&missed, "times at, below and above the limits, each in its bin");
}

/*
 * The class of each counter: Corrected, kritical, Transaction, Address translation, traNsient, Informational, Unknown
 * transaction; by number as IRQ_PENDING.classes has them.
 */
static const char classes[] =
    "TCTTTTIIIIITNAIITATKKNIIUTKNKKINTTKIKTTTATTTTIKTKTTTTKTTKKNNNKKKIIIIIIIIIIIKTTKTKNTITK";

static unsigned class_of(int counter)
{
    static const char names[] = "CKTANIDU";

    return (unsigned)(strchr(names, classes[counter]) - names);
}

/* What the first error is about: pio 2-5, orb 22-29, rat_net 36-45, netlink 58-63; of the others nothing is known. */
static void info_of(const struct nic_regs_in *in, int counter, uint64_t info[2])
{
    nic_info from = 0;

    if (counter >= 2 && counter < 6) {
        from = in->pio;
    } else if (counter >= 22 && counter < 30) {
        from = in->orb;
    } else if (counter >= 36 && counter < 46) {
        from = in->rat;
    } else if (counter >= 58 && counter < 64) {
        from = in->netlink;
    }
    info[0] = (uint64_t)from;
    info[1] = (uint64_t)(from >> 64);
}

static nic_info any_info(struct door *b)
{
    return (nic_info)((nic_info)rng_next(&b->rng) << 64 | rng_next(&b->rng));
}

/* The lowest counter of a set that is an error, or -1. */
static int lowest_error(nic_counts set)
{
    for (int i = 0; i < COUNTER_COUNT; i++) {
        if ((u1)(set >> i) && strchr("CID", classes[i]) == NULL) {
            return i;
        }
    }
    return -1;
}

static uint64_t classes_of(nic_counts set)
{
    uint64_t pending = 0;

    for (int i = 0; i < COUNTER_COUNT; i++) {
        pending |= (uint64_t)((u1)(set >> i)) << class_of(i);
    }
    return pending;
}

/*
 * Counters count in one clock, others in the next: all their classes are pending; the first error is the lowest of the first
 * clock that has one, with its class, its clock (two later), and what it is about.
 */
static void check_first(struct door *b, nic_counts now, nic_counts then)
{
    const nic_counts set[2] = {now, then};
    uint64_t info[2] = {0}, at = 0;
    int first = -1;

    door_put(b, FIRST_ERROR, 1);
    door_put(b, IRQ_PENDING, ~(uint64_t)0);
    for (int k = 0; k < 2; k++) {
        b->in.pio = (uint(AXI_BAR_BITS))rng_next(&b->rng);
        b->in.orb = any_info(b);
        b->in.rat = any_info(b);
        b->in.netlink = any_info(b);
        b->in.count = set[k];
        if (first < 0 && lowest_error(set[k]) >= 0) {
            first = lowest_error(set[k]);
            info_of(&b->in, first, info);
            at = b->clock;
        }
        door_tick(b);
    }
    door_tick(b);
    const uint64_t error = door_get(b, FIRST_ERROR), wanted = 1 | (uint64_t)first << 8;
    must_equal(&missed, door_get(b, IRQ_PENDING) >> 32, classes_of(now | then),
               "classes that are pending");
    if (first < 0) {
        must_equal(&missed, error & 1, 0, "no error: FIRST_ERROR is valid");
        return;
    }
    must_equal(&missed, error, wanted | (uint64_t)class_of(first) << 16, "counter %d: FIRST_ERROR",
               first);
    must_equal(&missed, door_get(b, FIRST_TIME), at + 2, "counter %d: FIRST_TIME", first);
    must_equal(&missed, door_get(b, FIRST_INFO0), info[0], "counter %d: FIRST_INFO0", first);
    must_equal(&missed, door_get(b, FIRST_INFO1), info[1], "counter %d: FIRST_INFO1", first);
}

/* holds nic_regs.first, nic_regs.classes: each counter alone, and up to six in two clocks */
static void test_first(struct door *b)
{
    for (int i = 1; i < COUNTER_COUNT; i++) { /* the first one is the door's own */
        check_first(b, (nic_counts)((nic_counts)1 << i), 0);
    }
    tap_taken(&missed,
              "each counter alone: its class is pending, and if it is an error it is the first");
    for (int i = 0; i < 2000; i++) {
        nic_counts set[2];

        for (int k = 0; k < 2; k++) {
            set[k] = 0;
            for (unsigned n = rng_below(&b->rng, 4); n > 0; n--) {
                set[k] |= (nic_counts)((nic_counts)2 << rng_below(&b->rng, COUNTER_COUNT - 1));
            }
        }
        check_first(b, set[0], set[1]);
    }
    tap_taken(&missed,
              "of several in one clock, or one after the other, the first one, the lowest");
    door_put(b, NODE, 5);
    door_put(b, FIRST_ERROR, 1);
    door_put(b, 0x0031, 1);
    must_be(&missed, door_get(b, FIRST_ERROR), (1 | 2 << 16));
    must_be(&missed, door_get(b, FIRST_INFO0), 0x0031 * 8);
    must_be(&missed, door_get(b, FIRST_INFO1), 0);
    tap_taken(&missed, "a register that is refused: its address");
}

static void test_irq(struct door *b)
{
    door_put(b, IRQ_MASK, 1 << 5);
    door_put(b, IRQ_PENDING, ~(uint64_t)0);
    b->in.raised = 1 << 4;
    door_tick(b);
    door_tick(b);
    must_hold(&missed, !b->dut.out.irq);
    must_be(&missed, (door_get(b, IRQ_PENDING) & 0xFFFFFFFF), 1 << 4);
    tap_taken(&missed, "a masked one waits");
    b->in.raised = 1 << 5;
    door_tick(b);
    door_tick(b);
    tap_ok(b->dut.out.irq, "one that is not reaches the wire");
    door_put(b, IRQ_PENDING, 1 << 5);
    door_tick(b);
    must_hold(&missed, !b->dut.out.irq);
    must_be(&missed, (door_get(b, IRQ_PENDING) & 0xFFFFFFFF), 1 << 4);
    tap_taken(&missed, "1 clears");
}

int main(int argc, char **argv)
{
    struct door *b = calloc(1, sizeof(*b));
    uint64_t seed = test_seed(argc, argv);

    if (b == NULL) {
        return 1;
    }
    harness_clock = &b->clock;
    for (int round = 0; round < 2; round++) {
        door_start(b, seed + (uint64_t)round);
        door_wait_ready(b);
        b->slow = round == 0 ? 0 : 0.5;
        tap_note("%s", round == 0 ? "a driver without pauses" : "a driver with pauses");
        test_counters(b);
        test_histogram(b);
        test_first(b);
        test_irq(b);
    }
    free(b);
    must_be(&missed, harness_covers("hls/nic/regs/nic_counters.c"), 1);
    tap_taken(&missed, "all covers are hit");
    return tap_done();
}
