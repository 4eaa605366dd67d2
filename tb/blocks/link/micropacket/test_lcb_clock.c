// SPDX-License-Identifier: Apache-2.0
/*
 * test_lcb_clock.c - lcb_clock alone: the seven parts that are taken from it are one snapshot of the time, and the peer's
 * time comes out when, and only when, its seven parts came in order, at most 128 micropackets apart, with the link up all the while,
 * with what the own time advanced since the first of them.
 *
 * Built for aries: san.
 */
#include "tb/base/harness.h"
#include "hls/link/micropacket/lcb_clock.h"

enum {
    CLOCKS = 200000,
    TURNS = 32,
    MOST = 4 * TURNS,
    PARTS = 7,
    PART = 8,
    TIME = 52,
    AGES = 1 << 15,
    NONE = PARTS + 1
};

static struct rng r;
static uint64_t now;

static uint64_t joined(const unsigned part[PARTS])
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < PARTS; i++)
        sum |= (uint64_t)(part[i] & ((1u << PART) - 1)) << (PART * i);
    return sum & ((UINT64_C(1) << TIME) - 1);
}

/* Parts are taken at any distance of two clocks or more; each is confirmed in the clock behind. */
static struct misses taken_wrong(void)
{
    static struct lcb_clock c;
    struct misses wrong = {0};
    unsigned number = 0, part[PARTS];
    uint64_t time = 0, snapshot = 0, left = 3;
    bool took = false;
    lcb_clock_reset(&c);
    for (unsigned clock = 0; clock < CLOCKS; clock++) {
        const bool takes = !took && clock > 0 && left == 0;
        left -= left != 0;
        if (takes) {
            part[number] = (unsigned)c.out.part;
            must_equal(&wrong, part[number] >> PART, number, "number of a part");
            snapshot = number == 0 ? time : snapshot; /* of the clock before */
            number = (number + 1) % PARTS;
            if (number == 0)
                must_equal(&wrong, joined(part), snapshot, "time of seven parts");
            left = rng_below(&r, 2) ? 0 : rng_below(&r, 12);
        }
        time = rng_next(&r) >> 12;
        const struct lcb_clock_in in = {.now = (lcb_time)time, .sent = took, .run = 1};
        lcb_clock(&c, &in);
        took = takes;
        now++;
    }
    return wrong;
}

/* What came: the parts so far of a time, and how many micropackets since the last one. */
struct peer {
    unsigned part[PARTS], have, since;
    uint64_t began; /* own time when part 0 came */
};

/* The time that is complete with this part, or UINT64_MAX. */
static uint64_t due(struct peer *p, unsigned part, uint64_t time)
{
    const unsigned number = part >> PART;
    p->have = number == 0 ? 0 : p->have == number && p->since <= MOST ? number : NONE;
    p->since = 0;
    p->began = number == 0 ? time : p->began;
    if (p->have == NONE)
        return UINT64_MAX;
    p->part[p->have++] = part;
    return number == PARTS - 1 ? joined(p->part) : UINT64_MAX;
}

/* Mostly as a peer sends them; else at another distance, with another number, or the link goes down. */
static struct misses received_wrong(unsigned *times)
{
    static struct lcb_clock c;
    struct peer p = {.have = NONE};
    struct misses wrong = {0};
    unsigned number = 0, wait = 5;
    uint64_t own = rng_next(&r) >> 12, held = 0;
    lcb_clock_reset(&c);
    for (unsigned clock = 0; clock < 10 * CLOCKS; clock++) {
        own = (own + rng_below(&r, 20)) & ((UINT64_C(1) << TIME) - 1);
        struct lcb_clock_in in = {.now = (lcb_time)own, .run = 1};
        uint64_t time = UINT64_MAX;
        in.peer_part = (lcb_body)rng_next(&r);
        in.verdict = rng_below(&r, 4) != 0;
        p.since += in.verdict;
        if (in.verdict && --wait == 0) {
            in.peer_part_valid = 1;
            in.peer_part = (lcb_body)((lcb_body)number << PART | rng_below(&r, 1u << PART));
            time = due(&p, (unsigned)in.peer_part, own);
            number = rng_below(&r, 20) ? (number + 1) % PARTS : rng_below(&r, PARTS);
            wait = rng_below(&r, 20)  ? TURNS
                   : rng_below(&r, 4) ? 1 + rng_below(&r, 2 * MOST)
                                      : MOST + rng_below(&r, 2);
        } else if (rng_below(&r, 500) == 0) {
            in.run = 0;
            p.have = NONE;
        }
        lcb_clock(&c, &in);
        now++;
        must_be(&wrong, c.out.peer_now_valid, time != UINT64_MAX);
        held = time != UINT64_MAX ? time : held;
        must_be(&wrong, c.out.peer_now, held);
        if (c.out.peer_now_valid)
            must_be(&wrong, c.out.peer_age, (own - p.began) % AGES);
        *times += time != UINT64_MAX;
        if (rng_below(&r, 20000) == 0) {
            lcb_clock_reset(&c);
            p.have = NONE;
            held = 0;
        }
    }
    return wrong;
}

int main(int argc, char **argv)
{
    unsigned times = 0;
    rng_seed(&r, test_seed(argc, argv));
    harness_clock = &now;
    const struct misses taken = taken_wrong();
    tap_misses(&taken, "seven parts that are taken are one snapshot");
    const struct misses received = received_wrong(&times);
    /* holds lcb_clock.age */
    tap_ok(misses_why(&received) && times > 1000,
           "the peer's time and its age, %u times, from seven parts in their order", times);
    return tap_done();
}
