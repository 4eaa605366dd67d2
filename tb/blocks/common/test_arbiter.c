// SPDX-License-Identifier: Apache-2.0
/*
 * test_arbiter.c - arbiter.h: every set of up to eight requesters and every one that was served last, against a walk round
 * the ring; and nobody waits for more than the others once each.
 *
 * Built for aries: san.
 */
#include "tb/base/harness.h"
#include "hls/common/arbiter.h"

enum { MOST = 8 };

/* The first member of the set behind `last`, round the ring; 0 if there is none. */
static unsigned walk(unsigned set, unsigned last)
{
    for (unsigned i = 1; i <= MOST; i++) {
        if (set >> (last + i) % MOST & 1)
            return (last + i) % MOST;
    }
    return 0;
}

/* By number: mask_next. */
static void by_number(void)
{
    struct misses wrong = {0};

    for (unsigned set = 0; set < 1u << MOST; set++) {
        for (unsigned last = 0; last < MOST; last++)
            must_equal(&wrong, mask_next((u8)set, (u3)last), walk(set, last),
                       "requesters %#x, served last %u: next", set, last);
    }
    tap_misses(&wrong, "round robin by number: every set, every one served last");
}

/* By mask: mask_turn, mask_lowest, mask_index; mask_above is what is kept for the next time. */
static void by_mask(void)
{
    struct misses wrong = {0};

    for (unsigned set = 1; set < 1u << MOST; set++) {
        for (unsigned last = 0; last < MOST; last++) {
            const u8 turn = mask_turn((u8)set, mask_above((u8)(1u << last)));
            const unsigned next = walk(set, last);
            must_equal(&wrong, mask_lowest(turn), 1u << next,
                       "requesters %#x, served last %u: next, as a mask", set, last);
            must_equal(&wrong, mask_index(mask_lowest(turn)), next,
                       "requesters %#x, served last %u: number of the next", set, last);
            must_equal(&wrong, mask_above(turn), (u8)(0xFEu << next),
                       "requesters %#x, served last %u: those above the next", set, last);
        }
    }
    must_equal(&wrong, mask_lowest(0), 0, "next, as a mask, of no requester");
    must_equal(&wrong, mask_index(0), 0, "number of the next, of no requester");
    tap_misses(&wrong, "round robin by mask: the same");
}

/* With all asking at random, the turns of others before one that asks all the time: at most all others once. */
static unsigned longest_wait(struct rng *r)
{
    unsigned waits = 0, most = 0;
    u3 last = 0;
    for (unsigned i = 0; i < 100000; i++) {
        last = mask_next((u8)(rng_below(r, 1u << MOST) | 1), last);
        waits = last == 0 ? 0 : waits + 1;
        most = waits > most ? waits : most;
    }
    return most;
}

int main(int argc, char **argv)
{
    struct rng r;
    rng_seed(&r, test_seed(argc, argv));
    by_number();
    by_mask();
    const unsigned longest = longest_wait(&r);
    tap_why("%u others, expected %u", longest, MOST - 1);
    tap_ok(longest == MOST - 1, "who asks is served after %u others at most", longest);
    return tap_done();
}
