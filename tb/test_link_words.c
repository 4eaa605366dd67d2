// SPDX-License-Identifier: Apache-2.0
/*
 * test_link_words.c - lane_tx and lane_rx: words over lanes, one sender after the other and one receiver.
 *
 * Frames and data of the sender are read by the golden lanes and by a frame reader here; the receiver gets them over lanes
 * that are late, stall and fall out of step with each other, and must give the same words. Then: lanes whose frames differ
 * in one bit, a start for other lanes, and lanes too far apart.
 */
#include "golden/lane.h"
#include "harness.h"
#include "hls/link/lane_rx.h"
#include "hls/link/lane_tx.h"

#include <string.h>

enum { ROUNDS = 300, PAST = 256, ASKED = 3, SKEW = 16, TRAINING = 1000, STEADY = 0xffc0 };

static struct lane_tx tx;
static struct lane_rx rx;
static struct golden_lanes golden;
static struct rng r;
static uint64_t now;
static unsigned frames_wrong, tx_wrong, rx_wrong, words_out;

static struct lane_tx_in in;
static unsigned info[2], map; /* of the frames, of the data */
static bool asked[ASKED];     /* a word is due in so many clocks */

static uint64_t fed[1 << 12]; /* words since the link came up */
static unsigned n_fed, n_read, n_got;

static uint16_t symbol[PAST][LANES]; /* what the sender put on its lanes */
static unsigned delay[LANES];
static struct lane_rx_in rx_in;

/* The sender's frames, word by word; what they say is what `in` had at their start. */
static struct {
    unsigned index, info0, info1, starts;
} frame;

static unsigned crc16(unsigned info0, unsigned info1)
{
    unsigned sum = 0xffff;
    for (unsigned i = 32; i-- > 0;)
        sum = (sum << 1 & 0xffff) ^
              ((sum >> 15 ^ ((uint32_t)info0 << 16 | info1) >> i) & 1 ? 0x1021 : 0);
    return sum;
}

static void read_frame(void)
{
    static const uint16_t sync[LANES] = {0xb5c3, 0xd64e, 0x8b79};
    if (frame.index == 0) { /* 16 frames with a count from 15 to 0 */
        frame.starts = in.start ? frame.starts + 1 : 0;
        frame.info0 = info[0] | (in.start ? 1u << 5 | (16 - frame.starts) << 1 : 0);
        frame.info1 = info[1];
    }
    const unsigned due[] = {0, frame.info0, frame.info1, crc16(frame.info0, frame.info1)};
    for (unsigned l = 0; l < LANES; l++)
        frames_wrong += tx.out.lane[l] != (frame.index ? due[frame.index] : sync[l]);
    frame.index = (frame.index + 1) % 4;
}

/* One clock of the sender; a word comes when it is due. */
static void send(void)
{
    const bool data = tx.out.data;
    in.info0 = (u16)info[0];
    in.info1 = (u16)info[1];
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
    if (!data)
        read_frame();
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
    info[1] = (unsigned)rng_next(&r) & 0xffff;
    unsigned clocks = 0;
    while (rx.out.good != up && clocks++ < TRAINING)
        run(1);
    run(60); /* what was said before is past */
    return rx.out.good == up && rx.out.told && rx.out.info0 == info[0] && rx.out.info1 == info[1];
}

/* Bring-up and data on random lanes of those that are up. */
static bool session(void)
{
    const unsigned up = 1 + rng_below(&r, 7);
    do
        map = 1 + rng_below(&r, 7);
    while (map & ~up);
    const bool found = bring_up(up);
    n_fed = n_read = n_got = 0;
    rx_in.lane_map = (u3)map;
    rx_in.arm = 1;
    run(rng_below(&r, 20));
    in.start = 1;
    run(100);
    rx_in.hunt = rng_below(&r, 2);
    run(rng_below(&r, 1000));
    for (unsigned l = 0; l < LANES; l++) /* lanes outside the map are nobody's business */
        if (!(map >> l & 1))
            rx_in.lane_up &= (u3) ~(1u << l);
    run(100);
    const unsigned lag = n_fed - n_got;
    words_out += n_got;
    in.start = 0;
    send();
    receive();
    return found && rx.out.started && n_got > 30 && lag < SKEW + 8;
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
static void frames(unsigned lanes, const unsigned a[2], const unsigned b[2])
{
    static const uint16_t sync[LANES] = {0xb5c3, 0xd64e, 0x8b79};
    rx_in = (struct lane_rx_in){.lane_valid = 7, .lane_up = 7, .hunt = 1};
    for (unsigned i = 0; i < 40 * 4; i++) {
        for (unsigned l = 0; l < LANES; l++) {
            const unsigned *says = lanes >> l & 1 ? a : b;
            const unsigned word[] = {sync[l], says[0], says[1], crc16(says[0], says[1])};
            rx_in.lane[l] = (u16)word[i % 4];
        }
        lane_rx(&rx, &rx_in);
        now++;
    }
    lane_rx(&rx, &rx_in); /* what the lanes found is compared in the next clock */
    rx_in.hunt = 0;
    lane_rx(&rx, &rx_in);
}

/* Frames of one lane, or of two, that differ from the others' in one bit: not told. */
static unsigned differing(void)
{
    unsigned wrong = 0;
    for (unsigned bit = 6; bit < 32; bit++)
        for (unsigned lanes = 0; lanes < 7; lanes++) {
            const unsigned a[2] = {(unsigned)rng_next(&r) & STEADY,
                                   (unsigned)rng_next(&r) & 0xffff};
            const unsigned b[2] = {a[0] ^ (bit < 16 ? 1u << bit : 0),
                                   a[1] ^ (bit < 16 ? 0 : 1u << (bit - 16))};
            lane_rx_reset(&rx);
            frames(lanes, b, a);
            wrong += rx.out.told != (lanes == 0);
        }
    return wrong;
}

/* A start whose frames name other lanes than ours is none. */
static bool other_lanes(void)
{
    bool pass = true;
    for (unsigned i = 0; i < 40; i++) {
        map = 1 + rng_below(&r, 7);
        pass = bring_up(7) && pass;
        rx_in.lane_map = (u3)(map ^ (1 + rng_below(&r, 7)));
        rx_in.arm = 1;
        in.start = 1;
        for (unsigned clock = 0; clock < 200; clock++) {
            run(1);
            pass = pass && !rx.out.started && !rx.out.valid;
        }
    }
    return pass;
}

/* How far apart lanes may be: a lane that is late by less than the buffer holds works, by more is told. */
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
    for (unsigned clock = 0; clock < 200; clock++) {
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
    tap_ok(frames_wrong == 0, "discovery frames: lanes, sums, counts");
    tap_ok(tx_wrong == 0, "the golden lanes read what the sender was given");
    tap_why("%u sessions good, %u words or clocks wrong", good, rx_wrong);
    tap_ok(good == ROUNDS && rx_wrong == 0, "the receiver gives the same, %u words", words_out);
    tap_ok(differing() == 0, "lanes whose frames differ in any bit are not believed");
    start_over();
    tap_ok(other_lanes(), "a start for other lanes is none");
    unsigned less = 0, more = 0;
    for (unsigned lane = 0; lane < LANES; lane++) {
        less += apart(24, lane);
        start_over();
        more += apart(40, lane);
        start_over();
    }
    tap_ok(less == 0 && more == LANES, "lanes 24 clocks apart work, 40 are an overflow");
    return tap_done();
}
