// SPDX-License-Identifier: Apache-2.0
/*
 * test_lcb_credit_guaranteed.c - lcb_credit alone, without shared space: a VC whose guaranteed space one packet fills has room
 * again once the peer has freed it, and all VCs have room in a new epoch, whatever the old one left. A packet
 * announced in the clock of its head is announced no longer.
 *
 * Built for aries: san.
 */
#include "tb/base/harness.h"
#include "hls/link/micropacket/lcb_credit.h"

enum {
    LONGEST = 16,
    STEP = 4, /* flits in which the peer counts what it freed */
    WIPE = 2 * LCB_VCS,
    BOOKED = 5, /* clocks from what happens to the promise that knows of it */
    LENGTH_AT = LCB_FLIT_BITS - LCB_VC_BITS - LCB_LENGTH_BITS
};

static struct lcb_credit credit;
static uint64_t now;

/* Clocks with the same inputs; then room, a bit for each VC. */
static unsigned run(struct lcb_credit_in in, unsigned clocks)
{
    for (unsigned i = 0; i < clocks; i++) {
        lcb_credit(&credit, &in);
        now++;
    }
    return (unsigned)credit.out.room;
}

/* A packet of 16 flits, which a head writes as length 0, fills the VC. */
static unsigned fill(unsigned vc)
{
    struct lcb_credit_in in = {.taken = 1, .flit = (lcb_flit)vc << (LENGTH_AT + LCB_LENGTH_BITS)};
    run(in, LONGEST);
    return run((struct lcb_credit_in){}, BOOKED);
}

/* Packets of one flit, each announced in the clock in which its head is taken; the peer frees each. */
static unsigned announce_late(unsigned vc, unsigned packets)
{
    struct lcb_credit_in sent = {.taken = 1,
                                 .flit = (lcb_flit)(vc << LCB_LENGTH_BITS | 1u) << LENGTH_AT,
                                 .start_valid = 1,
                                 .start_vc = (lcb_vc)vc};
    struct lcb_credit_in given = {.credit_valid = 1, .credit_vc = (lcb_vc)vc};

    for (unsigned i = 0; i < packets; i++) {
        run(sent, 1);
        given.credit_steps = (lcb_steps)((i + 1) / STEP);
        run(given, 1);
        run((struct lcb_credit_in){}, BOOKED);
    }
    return (unsigned)credit.out.room;
}

int main(int argc, char **argv)
{
    test_no_options(argc, argv);
    const unsigned all = (1u << LCB_VCS) - 1;
    struct misses full = {0}, freed = {0}, fresh = {0}, forgotten = {0}, late = {0};

    harness_clock = &now;
    for (unsigned vc = 0; vc < LCB_VCS; vc++) {
        const struct lcb_credit_in given = {
            .credit_valid = 1, .credit_vc = (lcb_vc)vc, .credit_steps = LONGEST / STEP};
        lcb_credit_reset(&credit);
        run((struct lcb_credit_in){}, WIPE);
        must_equal(&full, fill(vc), all & ~(1u << vc), "room, VC %u is full", vc);
        run(given, 1);
        must_equal(&freed, run((struct lcb_credit_in){}, BOOKED), all, "room, VC %u is freed", vc);

        fill(vc);
        run((struct lcb_credit_in){.clear = 1}, 1);
        must_equal(&fresh, run((struct lcb_credit_in){}, WIPE), all, "room, VC %u was full", vc);

        fill(vc);
        run(given, 1);
        run((struct lcb_credit_in){}, BOOKED);
        fill(vc);
        run((struct lcb_credit_in){.clear = 1}, 1);
        must_equal(&forgotten, run((struct lcb_credit_in){}, WIPE), all,
                   "room, the peer gave of VC %u last", vc);
        must_equal(&late, announce_late(vc, 2 * LONGEST), all, "room, VC %u was announced", vc);
    }
    /* holds lcb_credit.guarantee */
    tap_misses(&full, "a packet of 16 flits fills the guaranteed space of its VC");
    tap_misses(&freed, "and the peer's count of them frees it");
    tap_misses(&fresh, "in a new epoch all VCs have room");
    tap_misses(&forgotten, "also the one of which the peer gave last");
    tap_misses(&late, "a packet announced with its head is not waited for");
    return tap_done();
}
