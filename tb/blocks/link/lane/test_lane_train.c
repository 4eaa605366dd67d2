// SPDX-License-Identifier: Apache-2.0
/*
 * test_lane_train.c - lane_train alone, frame by frame: the score (+1 for a good frame, -4 for what is wrong in one, good
 * from 32 on, a clock later), what two good frames in a row say, and starts; with gaps in the words and searches that end
 * and begin again.
 *
 * Built for aries: san. Recorded for lane_train.
 */
#include "tb/base/harness.h"
#include "hls/link/lane/lane_train.h"

enum {
    SAYS = 4,
    /* info0, info1, chip, port */ FRAMES = 60000,
    GOOD = 32,
    FULL = 63,
    LOSS = 4,
    SYNC = 0xd64e
};

static struct lane_train train;
static struct rng r;
static uint64_t now;
static unsigned wrong;

static struct {
    int score;
    bool good; /* as the score was a clock ago */
    unsigned last[SAYS], shown[SAYS];
    bool same; /* the frame that comes says so far what the last one said */
    unsigned map, epoch;
} due;

/* CRC-16, bit by bit. */
static unsigned check_of(const unsigned says[SAYS])
{
    unsigned sum = 0xffff;
    for (unsigned i = 0; i < 16 * SAYS; i++) {
        const unsigned out = (sum >> 15 ^ says[i / 16] >> (15 - i % 16)) & 1;
        sum = (sum << 1 & 0xffff) ^ (out ? 0x1021 : 0);
    }
    return sum;
}

/* One clock, and what it must show. */
static void step(unsigned word, bool valid, bool hunt, bool arm, unsigned start)
{
    const struct lane_train_in in = {.valid = valid,
                                     .word = (u16)word,
                                     .sync = SYNC,
                                     .hunt = hunt,
                                     .arm = arm,
                                     .lane_map = (u3)due.map,
                                     .epoch = (u4)due.epoch};
    lane_train(&train, &in);
    now++;
    wrong += train.out.good != (hunt && due.good) || train.out.info0 != due.shown[0] ||
             train.out.info1 != due.shown[1] || train.out.identity.chip != due.shown[2] ||
             train.out.identity.port != due.shown[3] >> 10 ||
             train.out.echo != (due.shown[3] & 0x3ff) || train.out.start != (start >> 4) ||
             (train.out.start && train.out.count != (start & 15));
    due.good = due.score >= GOOD;
}

/* Perhaps a gap, with anything on the lane. */
static void gap(bool arm)
{
    while (rng_below(&r, 4) == 0)
        step(rng_below(&r, 2) ? SYNC : rng_below(&r, 1u << 16), false, true, arm, 0);
}

/* What a word of a frame means: not all bits do. */
static unsigned meant(unsigned i, unsigned word)
{
    return word & (i == 0 ? 0xffc0u : 0xffffu);
}

/* Word i of what a frame says. */
static void send(unsigned i, unsigned word, bool arm)
{
    gap(arm);
    step(word, true, true, arm, 0);
    due.same = due.same && due.last[i] == meant(i, word);
    due.last[i] = meant(i, word);
}

static void lose(void)
{
    due.score = due.score < LOSS ? 0 : due.score - LOSS;
}

/* A whole frame with a right check came. Returns 16 + count if it is a start that is to be believed. */
static unsigned take(unsigned info0, bool arm)
{
    due.score += due.score < FULL;
    for (unsigned i = 0; i < SAYS && due.same; i++)
        due.shown[i] = due.last[i];
    const bool ours = (info0 >> 6 & 7) == due.map && info0 >> 12 == due.epoch;
    return arm && (info0 >> 5 & 1) && ours ? 16 | (info0 >> 1 & 15) : 0;
}

/* A word of the frame, or its check, looks like the sync word: what searches for one begins there. */
static bool looks_like_sync(const unsigned says[SAYS], unsigned check)
{
    bool looks = check == SYNC;
    for (unsigned i = 0; i < SAYS; i++)
        looks |= says[i] == SYNC;
    return looks;
}

static void frame(const unsigned says[SAYS], bool arm, bool sync_wrong, bool check_wrong)
{
    const unsigned check = check_of(says) ^ (check_wrong ? 1u << rng_below(&r, 16) : 0);
    sync_wrong = sync_wrong && !looks_like_sync(says, check);
    gap(arm);
    if (sync_wrong)
        lose();
    const bool lost = sync_wrong && due.score == 0; /* then any word may be the sync word */
    step(sync_wrong ? SYNC ^ 1u << rng_below(&r, 16) : SYNC, true, true, arm, 0);
    due.same = true;
    for (unsigned i = 0; i < SAYS && !lost; i++)
        send(i, says[i], arm);
    gap(arm);
    if (check_wrong && !lost)
        lose();
    step(check, true, true, arm, !check_wrong && !lost ? take(says[0], arm) : 0);
}

/* The search ends, at once and in the middle of a frame too. */
static void pause_search(void)
{
    const unsigned words = rng_below(&r, SAYS + 1);
    for (unsigned i = 0; i < words; i++) {
        if (i == 0)
            step(SYNC, true, true, false, 0);
        else
            send(i - 1, rng_below(&r, 1u << 15), false);
    }
    due.score = 0;
    step(SYNC, true, false, true, 0);
}

int main(int argc, char **argv)
{
    unsigned info[SAYS] = {0}, goods = 0, ten_thousandths = 0;
    rng_seed(&r, test_seed(argc, argv));
    harness_clock = &now;
    lane_train_reset(&train);
    for (unsigned i = 0; i < FRAMES; i++) {
        if (rng_below(&r, 3) == 0) /* one bit, or all */
            info[rng_below(&r, SAYS)] ^=
                rng_below(&r, 2) ? 1u << rng_below(&r, 16) : rng_below(&r, 1u << 16);
        if (rng_below(&r, 50) == 0)
            ten_thousandths = rng_below(&r, 4) * 1000;
        due.map = rng_below(&r, 8) ? info[0] >> 6 & 7 : rng_below(&r, 8);
        due.epoch = rng_below(&r, 8) ? info[0] >> 12 : rng_below(&r, 16);
        frame(info, rng_below(&r, 4) != 0, rng_below(&r, 10000) < ten_thousandths,
              rng_below(&r, 10000) < ten_thousandths);
        goods += train.out.good;
        if (rng_below(&r, 1000) == 0)
            pause_search();
    }
    tap_why("%u wrong", wrong);
    tap_ok(wrong == 0 && goods > FRAMES / 4 && goods < FRAMES - FRAMES / 4,
           "%u of %u frames come while the lane is good", goods, FRAMES);
    return tap_done();
}
