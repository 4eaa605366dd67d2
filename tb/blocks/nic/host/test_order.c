// SPDX-License-Identifier: Apache-2.0
/*
 * test_order.c - accepted and answered accesses, and settles among them.
 *
 * The model gives each access a number of its own, keeps for each kind the list of those that are not answered, and notes at each settle
 * which of them it must wait for. The two stages that mark, rat_net and rat_local, take any time; what is accepted until both have marked may be
 * waited for as well, but nothing that comes later.
 *
 * Built for aries: fast; proto: san. Recorded for order.
 */
#include "nic/host/order.h"
#include "tb/base/harness.h"

#include <string.h>

enum { MOST = 400, STEPS = 300000 };

/* How a run is loaded: chances per clock; clocks that a mark takes, at most; and accesses of a kind that may be under way. */
struct load {
    double accepts, answers, settles;
    unsigned marks, most;
};

static struct order dut;
static struct rng r;
static uint64_t now;
static struct misses wrong;                                   /* in this load */
static uint64_t accepted[ORDER_KINDS], answered[ORDER_KINDS]; /* since the reset */
static uint64_t least[ORDER_KINDS],
    most[ORDER_KINDS]; /* what the settle under way waits for, at least and at most */
static bool under_way, again, marked;
static unsigned net_left, local_left; /* clocks until they mark, more by one; 0: they do not */
static unsigned settles, over;        /* written; seen to be done */

static void reset(void)
{
    order_reset(&dut);
    memset(accepted, 0, sizeof(accepted));
    memset(answered, 0, sizeof(answered));
    under_way = again = marked = false;
    net_left = local_left = 0;
}

/* All that a settle has to wait for, and all that it may. */
static bool reached(const uint64_t *numbers)
{
    bool all = true;

    for (unsigned k = 0; k < ORDER_KINDS; k++) {
        all = all && answered[k] >= numbers[k];
    }
    return all;
}

static void check(void)
{
    bool settled = !dut.out.unsettled;

    for (unsigned k = 0; k < ORDER_KINDS; k++) {
        must_equal(&wrong, dut.out.counts.accepted[k], (order_number)accepted[k],
                   "kind %u: accepted", k);
        must_equal(&wrong, dut.out.counts.answered[k], (order_number)answered[k],
                   "kind %u: answered", k);
        if (settled && under_way) {
            must_at_least(&wrong, answered[k], least[k], "settled: answered of kind %u", k);
        }
    }
    must(&wrong, !settled || !again, "settle %u: settled, and the one written later has not begun",
         settles);
}

static void step(const struct load *load)
{
    static unsigned late; /* clocks for which all that may be waited for is answered */
    struct order_in in = {.settle = rng_chance(&r, load->settles)};
    bool was_settled = !dut.out.unsettled;

    for (unsigned k = 0; k < ORDER_KINDS; k++) {
        bool comes = accepted[k] - answered[k] < load->most && rng_chance(&r, load->accepts);
        bool goes = answered[k] != accepted[k] && rng_chance(&r, load->answers);

        in.accepted |= (order_kinds)(comes << k);
        in.answered |= (order_kinds)(goes << k);
    }
    in.net_marked = net_left == 1;
    in.local_marked = local_left == 1;
    if (in.settle) {
        settles++;
        again = under_way;
        if (!under_way) {
            memcpy(least, accepted, sizeof(least));
        }
        under_way = true;
    }
    net_left -= net_left != 0;
    local_left -= local_left != 0;
    order(&dut, &in);
    now++;
    for (unsigned k = 0; k < ORDER_KINDS; k++) {
        accepted[k] += (unsigned)in.accepted >> k & 1;
        answered[k] += (unsigned)in.answered >> k & 1;
    }
    if (dut.out.mark) {
        must(&wrong, net_left == 0 && local_left == 0 && under_way,
             "settle %u: a mark, expected none: %s", settles,
             under_way ? "the last one is on its way" : "none is under way");
        if (again && !was_settled) { /* the next one begins */
            again = false;
        }
        memcpy(least, accepted, sizeof(least));
        net_left = 1 + 3 + rng_below(&r, load->marks);
        local_left = 1 + 3 + rng_below(&r, load->marks);
        marked = false;
    }
    if (!marked && under_way && !dut.out.mark && net_left == 0 && local_left == 0) {
        marked = true;
        memcpy(most, accepted, sizeof(most));
        for (unsigned k = 0; k < ORDER_KINDS;
             k++) { /* one clock more: the second mark is seen a clock later */
            most[k]++;
        }
    }
    check();
    late = under_way && marked && !again && reached(most) && dut.out.unsettled ? late + 1 : 0;
    if (!must_at_most(&wrong, late, 4, "settle %u: clocks not settled, all before it is answered",
                      settles)) {
        late = 0;
    }
    if (under_way && !dut.out.unsettled && (marked || reached(least)) && !in.settle) {
        under_way = false;
        over++;
    }
}

static void test_load(const struct load *load, const char *what)
{
    static const struct load rest = {0, 1, 0, 8, MOST};
    unsigned before = over;

    wrong = (struct misses){0};
    reset();
    for (unsigned i = 0; i < STEPS; i++) {
        step(load);
    }
    for (unsigned i = 0; i < 2 * MOST + 100; i++) {
        step(&rest);
    }
    /* holds order.marks */
    must(&wrong, !dut.out.unsettled, "expected !dut.out.unsettled");
    must_at_least(&wrong, over - before, 10 + 1, "over - before");
    tap_misses(
        &wrong,
        "%s: %u settles are done, none before what was accepted is answered, none much later", what,
        over - before);
}

int main(int argc, char **argv)
{
    static const struct load loads[] = {
        {0.3, 0.3, 0.01, 8, 60},
        {0.9, 0.9, 0.005, 200, 128},
        {0.5, 0.1, 0.0001, 4, MOST},
        {0.02, 0.5, 0.2, 1, 10},
    };
    static const char *const names[] = {"as many as are answered", "full rate, slow marks",
                                        "memory that hardly answers",
                                        "settles one behind the other"};

    rng_seed(&r, test_seed(argc, argv));
    harness_clock = &now;
    for (unsigned i = 0; i < sizeof(loads) / sizeof(*loads); i++) {
        test_load(&loads[i], names[i]);
    }
    /* holds order.again */
    tap_ok(settles > over, "%u were written, %u of them while another was under way", settles,
           settles - over);
    tap_ok(harness_covers("hls/nic/host/order.c") == 2, "all covers are hit");
    return tap_done();
}
