// SPDX-License-Identifier: Apache-2.0
/*
 * test_link_axis.c - the LCB as two AXI4-Stream channels: two lcb_axis back to back, a user at each.
 *
 * Users send numbered packets on all VCs, with gaps between the beats, and take beats at a pace that
 * changes. Some beats are marked bad. Numbers, marks and last beats must come out as they went in. The cable has no errors:
 * what those do is the other test_link_*.c's.
 */
#include "harness.h"
#include "link/lcb_axis.h"

static uint64_t now;

/* A user of lcb_axis: sends numbered packets on one VC after the other, with gaps, and checks. */
struct user {
    struct lcb_axis axis;
    struct axis_beat beat;
    bool taken; /* in the clock before */
    unsigned left, vc;
    uint64_t sent, got, wrong;
    unsigned got_left;
};

static bool marked_bad(uint64_t number)
{
    return number * 0x9E3779B97F4A7C15 >> 58 == 0;
}

static void user_offer(struct user *u, struct rng *rng)
{
    if (u->taken) {
        u->sent++;
        u->left--;
    }
    if (u->taken || !u->beat.tvalid) {
        u48 mark = 0;

        if (u->left == 0) {
            u->left = 1 + rng_below(rng, 16);
            u->vc = rng_below(rng, 8);
            mark = ((u48)u->vc << 45) | ((u48)(u->left & 15) << 41);
        }
        u->beat.tvalid = rng_below(rng, 4) != 0;
        u->beat.tdata = u->beat.tvalid ? mark | (u48)u->sent : (u48)0;
        u->beat.tlast = u->left == 1;
        u->beat.tuser = marked_bad(u->sent);
        u->left = u->beat.tvalid || mark == 0 ? u->left : 0;
    }
    u->taken = u->beat.tvalid && u->axis.out.s_axis.tready;
}

static void user_take(struct user *u, u1 tready)
{
    struct axis_beat_marked beat = u->axis.out.m_axis;

    if (!beat.tvalid || !tready) {
        return;
    }
    bool head = u->got_left == 0;

    u->got_left = head ? ((unsigned)(beat.tdata >> 41) & 15) : u->got_left;
    u->got_left = (u->got_left - 1) & 15;
    u->wrong += (uint64_t)(beat.tdata & 0xFFFFFFFFFF) != u->got;
    u->wrong += beat.tlast != (u->got_left == 0) || beat.tuser != marked_bad(u->got);
    u->wrong += head && beat.tid != (unsigned)(beat.tdata >> 45);
    u->got++;
}

static void test_axis(struct rng *rng)
{
    static struct user user[2];
    unsigned pace = 4;
    uint64_t misframed = 0;

    for (int i = 0; i < 2; i++) {
        lcb_axis_reset(&user[i].axis);
    }
    for (int clock = 0; clock < 60000; clock++) {
        struct lcb_axis_in in[2] = {};

        now = (uint64_t)clock;
        pace = clock % 5000 == 0 ? rng_below(rng, 5) : pace;
        for (int i = 0; i < 2; i++) {
            user_offer(&user[i], rng);
            in[i].s_axis = user[i].beat;
            in[i].m_axis.tready = rng_below(rng, 4) < pace;
            in[i].rx_lane_valid = in[i].rx_lane_up = 7;
            for (int lane = 0; lane < LANES; lane++) {
                in[i].rx_lane[lane] = user[!i].axis.out.tx_lane[lane];
            }
            user_take(&user[i], in[i].m_axis.tready);
            misframed += user[i].axis.out.misframed;
        }
        for (int i = 0; i < 2; i++) {
            lcb_axis(&user[i].axis, &in[i]);
        }
    }
    tap_note("sent %llu and %llu, got %llu and %llu", (unsigned long long)user[0].sent,
             (unsigned long long)user[1].sent, (unsigned long long)user[1].got,
             (unsigned long long)user[0].got);
    tap_ok(user[0].got > 10000 && user[1].got > 10000 && user[0].sent - user[1].got < 2000 &&
               user[1].sent - user[0].got < 2000 && misframed == 0 &&
               user[0].wrong + user[1].wrong == 0,
           "streams arrive in order, with marks and last beats, at any pace of the taker");
}

int main(int argc, char **argv)
{
    uint64_t seed = test_seed(argc, argv);
    struct rng rng;

    harness_clock = &now;
    rng_seed(&rng, seed);
    test_axis(&rng);
    return tap_done();
}
