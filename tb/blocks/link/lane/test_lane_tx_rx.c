// SPDX-License-Identifier: Apache-2.0
/*
 * test_lane_tx_rx.c - lane_tx and lane_rx: words over lanes, one sender after the other and one receiver.
 *
 * Frames and data of the sender are read by the golden lanes and by a frame reader here; the receiver gets them over lanes
 * that are late, stall and fall out of step with each other, and must give the same words. Then: lanes whose frames differ
 * in one bit, a start for other lanes, lanes too far apart, lanes that lose their last start frames, a start given up on the way,
 * words before any start and after the end.
 *
 * Built for aries: san. Recorded for lane_rx.
 */
#include "tb/golden/link/lane.h"
#include "tb/base/harness.h"
#include "hls/link/lane/lane_rx.h"
#include "hls/link/lane/lane_tx.h"

#include <string.h>

enum { ROUNDS = 300, PAST = 256, ASKED = 3, SKEW = 16, TRAINING = 1000, STEADY = 0xffc0 };
enum {
    SAYS = 4,
    STARTS = 16,
    FRAME = 6
}; /* words of a frame that say something, start frames of a countdown, words of a frame */
enum { APART = 29 }; /* deskew buffer of 32 words: one stays empty, two are on their way */

static struct lane_tx tx;
static struct lane_rx rx;
static struct golden_lanes golden;
static struct rng r;
static uint64_t now;
static unsigned frames_wrong, tx_wrong, rx_wrong, words_out, late_words;

static struct lane_tx_in in;
static unsigned info[SAYS], map; /* of the frames, of the data */
static bool asked[ASKED];        /* a word is due in so many clocks */

static uint64_t fed[1 << 12]; /* words since the link came up */
static unsigned n_fed, n_read, n_got;

static uint16_t symbol[PAST][LANES]; /* what the sender put on its lanes */
static unsigned delay[LANES];
static unsigned lost[LANES]; /* so many of a lane's last start frames come with an error */
static struct lane_rx_in rx_in;

/* The sender's frames, word by word; what they say is what `in` had at their start. */
static struct {
    unsigned index, says[SAYS], starts;
} frame;

static unsigned crc16(const unsigned says[SAYS])
{
    unsigned sum = 0xffff;
    for (unsigned i = 0; i < 16 * SAYS; i++)
        sum = (sum << 1 & 0xffff) ^ ((sum >> 15 ^ says[i / 16] >> (15 - i % 16)) & 1 ? 0x1021 : 0);
    return sum;
}

static void read_frame(void)
{
    static const uint16_t sync[LANES] = {0xb5c3, 0xd64e, 0x8b79};
    frame.starts = in.start ? frame.starts : 0;
    if (frame.index == 0) { /* 16 frames with a count from 15 to 0 */
        frame.starts += in.start;
        memcpy(frame.says, info, sizeof info);
        frame.says[0] |= in.start ? 1u << 5 | (STARTS - frame.starts) << 1 : 0;
    }
    if (frame.index > 2 && frame.index <= SAYS) /* the identity is held, not noted */
        frame.says[frame.index - 1] = info[frame.index - 1];
    for (unsigned l = 0; l < LANES; l++)
        frames_wrong += tx.out.lane[l] != (frame.index == 0      ? sync[l]
                                           : frame.index <= SAYS ? frame.says[frame.index - 1]
                                                                 : crc16(frame.says));
    frame.index = (frame.index + 1) % FRAME;
}

/* One bit of a frame that a lane is to lose. */
static void spoil_frame(void)
{
    for (unsigned l = 0; l < LANES; l++)
        if (frame.starts > STARTS - lost[l] && frame.index == 1 + frame.starts % (FRAME - 1))
            symbol[now % PAST][l] ^= (uint16_t)(1u << rng_below(&r, 16));
}

/* One clock of the sender; a word comes when it is due. */
static void send(void)
{
    const bool data = tx.out.data;
    in.info0 = (u16)info[0];
    in.info1 = (u16)info[1];
    in.identity = (struct link_identity){(u16)info[2], (u6)(info[3] >> 10)};
    in.echo = (u10)info[3];
    in.lane_map = (u3)map;
    in.valid = asked[0];
    in.word = (u48)(rng_next(&r) >> 16);
    if (asked[0])
        fed[n_fed++ % (1 << 12)] = (uint64_t)in.word;
    lane_tx(&tx, &in);
    memmove(asked, asked + 1, sizeof asked - sizeof *asked);
    asked[ASKED - 1] = tx.out.advance;
    uint16_t lane[LANES];
    for (unsigned l = 0; l < LANES; l++) {
        lane[l] = (uint16_t)tx.out.lane[l];
        symbol[now % PAST][l] = lane[l];
        tx_wrong += data && !(map >> l & 1) && lane[l] != 0;
    }
    if (data) {
        frame.starts = 0;
    } else {
        spoil_frame();
        read_frame();
    }
    const bool read = golden_lanes_symbols(&golden, lane);
    tx_wrong += read != data;
    if (golden.complete)
        for (unsigned i = 0; i < GOLDEN_SLOTS; i++)
            tx_wrong += golden.plain.slot[i] != fed[n_read++ % (1 << 12)];
    if (read)
        golden_lanes_errors(&golden, (const uint16_t[LANES]){0});
}

/* One clock of the receiver: what the sender put on each lane some clocks ago, or nothing. */
static void receive(void)
{
    rx_in.lane_valid = 0;
    for (unsigned l = 0; l < LANES; l++) {
        const bool stall = rng_below(&r, 64) == 0 && delay[l] < SKEW;
        delay[l] += stall;
        rx_in.lane_valid |= (u3)(!stall << l);
        rx_in.lane[l] = stall ? (u16)rng_next(&r) : (u16)symbol[(now - delay[l]) % PAST][l];
    }
    lane_rx(&rx, &rx_in);
    rx_wrong += rx.out.overflow || (rx.out.valid && n_got >= n_fed);
    if (rx.out.valid)
        rx_wrong += (uint64_t)rx.out.word != fed[n_got++ % (1 << 12)];
    now++;
}

static void run(unsigned clocks)
{
    while (clocks-- > 0) {
        send();
        receive();
    }
}

static void new_delays(void)
{
    const unsigned most = rng_below(&r, SKEW + 1);
    for (unsigned l = 0; l < LANES; l++)
        delay[l] = rng_below(&r, most + 1);
}

/* Both ends look for each other; only lanes that are up can be found. */
static bool bring_up(unsigned up)
{
    in.start = 0;
    rx_in = (struct lane_rx_in){.lane_up = (u3)up};
    run(3); /* the receiver forgets */
    rx_in.hunt = 1;
    new_delays();
    info[0] = (unsigned)rng_next(&r) & STEADY & ~(7u << 6);
    info[0] |= map << 6;
    rx_in.epoch = (u4)(info[0] >> 12);
    info[1] = (unsigned)rng_next(&r) & 0xffff;
    info[2] = rng_below(&r, 4) ? (unsigned)rng_next(&r) & 0xffff : 0;
    info[3] = (unsigned)rng_next(&r) & 0xffff;
    unsigned clocks = 0;
    while (rx.out.good != up && clocks++ < TRAINING)
        run(1);
    run(90); /* what was said before is past */
    return rx.out.good == up && rx.out.agreed && rx.out.info0 == info[0] &&
           rx.out.info1 == info[1] && rx.out.identity.chip == info[2] &&
           rx.out.identity.port == info[3] >> 10 && rx.out.echo == (info[3] & 0x3ff);
}

/* The receiver waits for data on the lanes of the map, then the sender starts. */
static void start(void)
{
    n_fed = n_read = n_got = 0;
    rx_in.lane_map = (u3)map;
    rx_in.arm = 1;
    run(rng_below(&r, 20));
    in.start = 1;
    run(150);
}

/* The map is constant while start. */
static void stop(void)
{
    in.start = 0;
    send();
    receive();
}

/* Not armed, and armed again without a start: the words that go on coming are nobody's. */
static unsigned disarmed(void)
{
    unsigned words = 0;
    for (unsigned clock = 0; clock < 60; clock++) {
        rx_in.arm = clock >= 1 + map;
        n_got = 0; /* none is due, whichever comes is counted here */
        const unsigned before = rx_wrong;
        run(1);
        rx_wrong = before;
        words += rx.out.valid || rx.out.started || rx.out.overflow;
    }
    return words;
}

/* Bring-up and data on random lanes of those that are up. */
static bool session(void)
{
    const unsigned up = 1 + rng_below(&r, 7);
    do
        map = 1 + rng_below(&r, 7);
    while (map & ~up);
    const bool found = bring_up(up);
    start();
    rx_in.hunt = rng_below(&r, 2);
    run(rng_below(&r, 1000));
    for (unsigned l = 0; l < LANES; l++) /* lanes outside the map are nobody's business */
        if (!(map >> l & 1))
            rx_in.lane_up &= (u3) ~(1u << l);
    run(100);
    const unsigned lag = n_fed - n_got, got = n_got;
    const bool started = rx.out.started;
    words_out += n_got;
    late_words += disarmed();
    stop();
    return found && started && got > 30 && lag < SKEW + 8;
}

/* A lane that loses its last start frames, all but the first at most, counts from the last one it has. */
static unsigned lost_starts(void)
{
    unsigned pass = 0;
    for (unsigned i = 0; i < LANES * STARTS; i++) {
        lost[i % LANES] = i / LANES;
        map = 1u << i % LANES | rng_below(&r, 8);
        const bool found = bring_up(7);
        start();
        run(100);
        pass += found && rx.out.started && n_got > 30;
        lost[i % LANES] = 0;
        stop();
    }
    return pass;
}

/* After a reset, armed at once: words without a start frame are none. */
static unsigned never_started(void)
{
    unsigned words = 0;
    for (unsigned i = 1; i < 8; i++) {
        lane_rx_reset(&rx);
        for (unsigned clock = 0; clock < 100; clock++) {
            rx_in = (struct lane_rx_in){.lane_valid = 7, .lane_up = 7, .arm = 1};
            rx_in.lane_map = (u3)i;
            rx_in.hunt = 1;
            for (unsigned l = 0; l < LANES; l++)
                rx_in.lane[l] = (u16)rng_next(&r);
            lane_rx(&rx, &rx_in);
            now++;
            words += rx.out.valid || rx.out.started || rx.out.overflow;
        }
    }
    return words;
}

/* The sender is stopped for some clocks on its way to data: it counts down again, from 15. */
static unsigned stopped_starts(void)
{
    unsigned pass = 0;
    for (unsigned clocks = 1; clocks <= (STARTS + 2) * FRAME; clocks++) {
        map = 1 + rng_below(&r, 7);
        info[0] = map << 6;
        for (unsigned clock = 0; clock < clocks + 300; clock++) {
            in.start = clock > 4 && (clock < clocks || clock > clocks + clocks % 7);
            if (!in.start) {
                memset(asked, 0, sizeof asked);
                n_fed = n_read = 0;
            }
            send();
            now++;
        }
        pass += tx.out.data && n_read > 0;
        stop();
    }
    return pass;
}

/* A dead link is silent. */
static void silence(void)
{
    in.quiet = 1;
    in.start = 0;
    for (unsigned clock = 0; clock < 20; clock++) {
        lane_tx(&tx, &in);
        tx_wrong += (tx.out.lane[0] | tx.out.lane[1] | tx.out.lane[2]) != 0;
    }
    in.quiet = 0;
}

static void start_over(void)
{
    lane_tx_reset(&tx);
    lane_rx_reset(&rx);
    golden_lanes_start(&golden);
    memset(&frame, 0, sizeof frame);
    memset(asked, 0, sizeof asked);
    in.start = 0;
}

static unsigned sessions(void)
{
    unsigned pass = 0;
    for (unsigned i = 0; i < ROUNDS; i++) {
        pass += session();
        if (rng_below(&r, 8) == 0) {
            silence();
            start_over();
        }
    }
    return pass;
}

/* A frame of these infos on some lanes, and of others on the rest, until two of each have come. */
static void frames(unsigned lanes, const unsigned a[SAYS], const unsigned b[SAYS])
{
    static const uint16_t sync[LANES] = {0xb5c3, 0xd64e, 0x8b79};
    rx_in = (struct lane_rx_in){.lane_valid = 7, .lane_up = 7, .hunt = 1};
    for (unsigned i = 0; i < 40 * FRAME; i++) {
        for (unsigned l = 0; l < LANES; l++) {
            const unsigned *says = lanes >> l & 1 ? a : b;
            const unsigned word[] = {sync[l], says[0], says[1], says[2], says[3], crc16(says)};
            rx_in.lane[l] = (u16)word[i % FRAME];
        }
        lane_rx(&rx, &rx_in);
        now++;
    }
    lane_rx(&rx, &rx_in); /* what the lanes found is compared in the next clock */
    rx_in.hunt = 0;
    lane_rx(&rx, &rx_in);
}

/* Frames of one lane, or of two, that differ from the others' in one bit: not agreed. */
static unsigned differing(void)
{
    unsigned wrong = 0;
    for (unsigned bit = 6; bit < 48 + 16; bit++)
        for (unsigned lanes = 0; lanes < 7; lanes++) {
            unsigned a[SAYS], b[SAYS];
            for (unsigned i = 0; i < SAYS; i++) {
                a[i] = (unsigned)rng_next(&r) & (i == 0 ? STEADY : i == 3 ? 0xfc00 : 0xffff);
                b[i] = a[i] ^ (bit / 16 == i ? 1u << bit % 16 : 0);
            }
            if (bit >= 48 && bit < 58) /* means nothing */
                continue;
            lane_rx_reset(&rx);
            frames(lanes, b, a);
            wrong += rx.out.agreed != (lanes == 0);
        }
    return wrong;
}

/* A start whose frames name other lanes than ours, or another epoch, is none. */
static bool other_starts(void)
{
    bool pass = true;
    for (unsigned i = 0; i < 40; i++) {
        map = 1 + rng_below(&r, 7);
        pass = bring_up(7) && pass;
        rx_in.lane_map = (u3)(i & 1 ? map ^ (1 + rng_below(&r, 7)) : map);
        rx_in.epoch ^= (u4)(i & 1 ? rng_below(&r, 16) : 1u << i / 2 % 4);
        rx_in.arm = 1;
        in.start = 1;
        for (unsigned clock = 0; clock < 300; clock++) {
            run(1);
            pass = pass && !rx.out.started && !rx.out.valid;
        }
    }
    return pass;
}

/* How far apart lanes may be: a lane that is late by less than the buffer holds works, by more is reported. */
static bool apart(unsigned late, unsigned lane)
{
    bool overflow = false;
    map = 7;
    bring_up(7);
    n_fed = n_read = n_got = 0;
    delay[0] = delay[1] = delay[2] = SKEW;
    rx_in.lane_map = 7;
    rx_in.arm = 1;
    delay[lane] += late;
    run(20);
    in.start = 1;
    for (unsigned clock = 0; clock < 300; clock++) {
        const unsigned before = rx_wrong;
        run(1);
        rx_wrong = rx.out.overflow ? before : rx_wrong;
        overflow |= rx.out.overflow;
        if (overflow)
            break;
    }
    return overflow;
}

int main(int argc, char **argv)
{
    rng_seed(&r, test_seed(argc, argv));
    harness_clock = &now;
    now = PAST;
    start_over();
    const unsigned good = sessions();
    tap_equal(frames_wrong, 0, "discovery frames: lanes, sums, counts");
    /* holds link.chunks */
    tap_equal(tx_wrong, 0, "the golden lanes read what the sender was given");
    tap_why("%u sessions good, %u words or clocks wrong", good, rx_wrong);
    tap_ok(good == ROUNDS && rx_wrong == 0, "the receiver gives the same, %u words", words_out);
    tap_equal(late_words, 0,
              "a receiver that is not armed gives none, and none again before a start");
    tap_equal(never_started(), 0, "nor does one that is armed at once after its reset");
    start_over();
    const unsigned counted = lost_starts();
    tap_why("%u of %u, %u words wrong", counted, LANES * STARTS, rx_wrong);
    tap_ok(counted == LANES * STARTS && rx_wrong == 0,
           "a lane counts from whichever start frame came last, 0 to 15 before the data");
    start_over();
    const unsigned stopped = stopped_starts();
    tap_why("%u of %u, %u and %u wrong", stopped, (STARTS + 2) * FRAME, frames_wrong, tx_wrong);
    tap_ok(stopped == (STARTS + 2) * FRAME && frames_wrong + tx_wrong == 0,
           "a start that was given up begins anew");
    start_over();
    tap_equal(differing(), 0, "lanes whose frames differ in any bit are not believed");
    start_over();
    tap_ok(other_starts(), "a start for other lanes or in another epoch is none");
    unsigned less = 0, more = 0;
    for (unsigned lane = 0; lane < LANES; lane++) {
        less += apart(APART, lane);
        start_over();
        more += apart(APART + 1, lane);
        start_over();
    }
    tap_ok(less == 0 && more == LANES, "lanes %u clocks apart work, one more is an overflow",
           APART);
    return tap_done();
}
