// SPDX-License-Identifier: Apache-2.0
/*
 * test_netlink_bits.c - wrong bits in what waits inside the netlink: one is put right, two in a head lose its packet, two in
 * its data mark it; each is counted once, and no other packet is any different. And the loads that routers and nl_send see,
 * and what is counted when much is to be counted at a time.
 *
 * Both ways stand still at first, so that it is known where each beat waits: packets have five beats, puts of 64 bytes or
 * responses with as many.
 *
 * Built for aries: fast; proto: san. Recorded for netlink, nl_receive, nl_send.
 */
#include <string.h>

#include "nic/netlink/netlink.h"
#include "tb/models/nic_beats.h"

enum {
    PACKET_BEATS = 5,
    PACKETS = 256, /* more than any queue takes */
    SLOTS = 32,    /* beats of a class in a queue */
    FLITS = RTR_INQ_GUARANTEED + RTR_INQ_CREDIT_SHARED / 2,
};

static struct netlink dut;
static struct rng rng;
static uint64_t now;
static unsigned count[NETLINK_COUNTS];
static unsigned first; /* sub of NIC 0 */

/* One case: which class, which tile (or to which NIC), how many wrong bits, of which beat of a packet. */
struct error {
    bool response;
    unsigned bits;
    unsigned beat; /* 0: the head */
};

static struct nic_packet packet(bool response, unsigned number, uint32_t node)
{
    struct nic_packet p = {
        .response = response,
        .vc = response ? RTR_VCS / 2 : 0,
        .mode = 6, /* IN_ORDER: all to one node go by one tile */
        .node = node,
        .tag = number,
        .cmd = response ? 0 : NIC_PUT,
        .z = response ? 0 : 63,
        .bytes = 64,
    };

    for (unsigned i = 0; i < p.bytes; i++) {
        p.data[i] = (uint8_t)rng_next(&rng);
    }
    return p;
}

static void clock_once(struct netlink_in *in)
{
    in->first = (rtr_sub)first;
    netlink(&dut, in);
    now++;
    for (unsigned k = 0; k < NETLINK_COUNTS; k++) {
        count[k] += (unsigned)(dut.out.count >> k) & 1;
    }
}

static void start(void)
{
    netlink_reset(&dut);
    first = rng_below(&rng, 4 / NL_NICS) * NL_NICS;
    memset(count, 0, sizeof count);
}

/* Bits of one of the three words of a beat fall over. */
static void harm(beat_code *code, unsigned bits)
{
    const unsigned word = rng_below(&rng, 3) * RTR_CODE_BITS;
    const unsigned first = rng_below(&rng, RTR_CODE_BITS);
    const unsigned second = (first + 1 + rng_below(&rng, RTR_CODE_BITS - 1)) % RTR_CODE_BITS;

    *code ^= (beat_code)1 << (word + first);
    if (bits == 2) {
        *code ^= (beat_code)1 << (word + second);
    }
}

/* What has to be counted, and nothing else. */
static void counted(const struct error *e, struct misses *wrong)
{
    unsigned want[NETLINK_COUNTS] = {0};

    want[e->bits == 1 ? NETLINK_CORRECTED : NETLINK_FATAL] = 1;
    want[NETLINK_HEAD_LOST] = e->bits == 2 && e->beat == 0;
    for (unsigned k = 0; k < NETLINK_COUNTS; k++) {
        must_equal(wrong, count[k], want[k], "%u bits of beat %u: counter %u", e->bits, e->beat, k);
    }
}

/* ---- to the router ---------------------------------------------------------------------------------- */

static struct nic_packet sent[PACKETS];
static unsigned made;

/* NIC 0 sends as long as it has room. */
static void fill(const struct error *e, uint32_t node)
{
    struct beat beat[BEATS];
    unsigned beats = 0, at = 0;

    made = 0;
    for (unsigned t = 0; t < 4000; t++) {
        struct netlink_in in = {};
        const struct netlink_nic_out *nic = &dut.out.to_nic[0];

        if (at == beats && (e->response ? nic->room_response : nic->room_request)) {
            sent[made] = packet(e->response, made, node);
            beats = nic_beats(&sent[made++], beat);
            at = 0;
        }
        if (at != beats) {
            *(e->response ? &in.from_nic[0].response : &in.from_nic[0].request) = beat[at++];
        }
        clock_once(&in);
    }
}

/* The tile where beats of a class wait. */
static unsigned tile_of(bool response)
{
    for (unsigned t = 0; t < NL_TILES; t++) {
        if (dut.send.pack[t].queue.out.beats[response] != 0) {
            return t;
        }
    }
    return NL_TILES;
}

/* Packets that leave by the tile, with all flits given back: those that were sent, but for the one that was harmed. */
static void drains(const struct error *e, unsigned tile, unsigned used, unsigned harmed,
                   struct misses *wrong)
{
    uint64_t flit[NIC_FLITS], got[NIC_FLITS] = {0};
    unsigned flits = 0, next = 0, at = 0;
    bool bad = false;

    /* the flits that the router has already are of the first packets */
    next = used / nic_encode(&sent[0], flit);
    at = used % nic_encode(&sent[0], flit);
    flits = nic_encode(&sent[next], flit);
    memcpy(got, flit, sizeof got);
    for (unsigned t = 0; t < 8000; t++) {
        struct netlink_in in = {};
        const struct port_in *port = &dut.out.to_tile[tile];

        if (t < used || port->valid) {
            in.from_tile[tile].freed = (struct head_vc_note){
                .valid = 1, .vc = (head_vc_field)(e->response ? RTR_VCS / 2 : 0)};
        }
        clock_once(&in);
        if (!port->valid) {
            continue;
        }
        if (at == 0) {
            next += e->bits == 2 && e->beat == 0 && next == harmed;
            flits = nic_encode(&sent[next], flit);
            bad = false;
        }
        got[at] = port->flit;
        bad |= port->bad;
        if (++at == flits) {
            const bool marked = e->bits == 2 && e->beat != 0 && next == harmed;

            must_at_most(wrong, next + 1, made, "packets by tile %u", tile);
            must_equal(wrong, bad, marked, "tile %u, packet %u: marked", tile, next);
            for (unsigned i = 0; i < flits && !marked; i++) {
                must_equal(wrong, got[i], flit[i], "tile %u, packet %u, flit %u", tile, next, i);
            }
            next++;
            at = 0;
        }
    }
    next += e->bits == 2 && e->beat == 0 && next == harmed;
    must_equal(wrong, next, made, "packets by tile %u in the end", tile);
    must_equal(wrong, at, 0, "flits of an open packet by tile %u in the end", tile);
}

static void sends(const struct error *e, struct misses *wrong)
{
    start();
    fill(e, rng_below(&rng, 1 << 18));

    const unsigned tile = tile_of(e->response);

    if (tile == NL_TILES) {
        miss(wrong, "no beat waits at any tile");
        return;
    }
    struct pack *pack = &dut.send.pack[tile];
    const struct beat_queue2 *queue = &pack->queue;
    const unsigned used = (unsigned)pack->used[e->response];
    const unsigned written = (unsigned)queue->wr[e->response];
    const unsigned waiting = (unsigned)queue->out.beats[e->response];
    /* All beats that were ever written, modulo twice the places; what went out says how many times round that is. */
    unsigned total = used / 14 * PACKET_BEATS;

    while (total % (2 * SLOTS) != written) {
        total++;
    }
    unsigned at = total - waiting + 2;

    while (at % PACKET_BEATS != e->beat) {
        at++;
    }
    must_at_most(wrong, at + 1, total, "tile %u: place of the beat to harm, of those written",
                 tile);
    must_at_most(wrong, used, FLITS, "tile %u: flits that the router has", tile);
    must_equal(wrong, pack->out.load, used / 4 + waiting, "tile %u: load", tile);
    harm(&pack->queue.codes[(e->response ? SLOTS : 0) + at % SLOTS], e->bits);
    drains(e, tile, used, at / PACKET_BEATS, wrong);
    counted(e, wrong);
}

/* ---- to a NIC --------------------------------------------------------------------------------------- */

static struct beat expected[PACKETS * PACKET_BEATS];
static unsigned beats_expected;

/* The router sends packets to NIC n by a tile for as long as there is room; the NIC has none. */
static void pour(const struct error *e, unsigned tile, unsigned n)
{
    uint64_t flit[NIC_FLITS];
    struct beat beat[BEATS];
    unsigned flits = 0, at = 0;

    made = beats_expected = 0;
    for (unsigned t = 0; t < 1000; t++) {
        struct netlink_in in = {};
        const rtr_vcs room = dut.out.to_tile[tile].room;

        if (at == flits && (u1)(room >> (e->response ? RTR_VCS / 2 : 0))) {
            struct nic_packet p = packet(e->response, made++, first + n);

            flits = nic_encode(&p, flit);
            at = 0;
            for (unsigned i = 0, beats = nic_beats_of_flits(flit, &p, beat); i < beats; i++) {
                expected[beats_expected++] = beat[i];
            }
        }
        if (at != flits) {
            in.from_tile[tile] = (struct port_out){
                .valid = 1, .flit = (rtr_flit)flit[at], .head = at == 0, .tail = at == flits - 1};
            at++;
        }
        clock_once(&in);
    }
}

static void receives(const struct error *e, unsigned tile, unsigned n, struct misses *wrong)
{
    start();
    pour(e, tile, n);

    struct beat_store *store = &dut.receive.unpack[tile].store;
    const unsigned waiting = beats_expected - 1; /* one is the front */
    unsigned at = 2 + rng_below(&rng, waiting - PACKET_BEATS - 2);

    must_equal(wrong, dut.out.to_tile[tile].peer_load, waiting, "tile %u: peer_load", tile);
    must_equal(wrong, store->out.beats[e->response], waiting, "tile %u: beats that wait", tile);
    while (at % PACKET_BEATS != e->beat) {
        at++;
    }
    harm(&store->codes[(e->response ? SLOTS : 0) + at % SLOTS], e->bits);

    const unsigned harmed = at / PACKET_BEATS * PACKET_BEATS;
    unsigned next = 0;

    for (unsigned t = 0; t < 500; t++) {
        struct netlink_in in = {};

        *(e->response ? &in.from_nic[n].room_response : &in.from_nic[n].room_request) = 1;
        clock_once(&in);
        const struct netlink_nic_out *nic = &dut.out.to_nic[n];
        const struct beat *got = e->response ? &nic->response : &nic->request;

        if (!got->valid) {
            continue;
        }
        next += e->bits == 2 && e->beat == 0 && next == harmed ? PACKET_BEATS : 0;
        if (e->bits == 2 && next == at) {
            must(wrong, got->bad && !got->head && got->tail == expected[at].tail,
                 "NIC %u, beat %u, harmed: bad %u head %u tail %u, expected 1 0 %u", n, next,
                 (unsigned)got->bad, (unsigned)got->head, (unsigned)got->tail,
                 (unsigned)expected[at].tail);
        } else {
            must(wrong, next < beats_expected && nic_same_beat(got, &expected[next]),
                 "NIC %u, beat %u of %u: head %u tail %u bad %u word %#llx, expected another", n,
                 next, beats_expected, (unsigned)got->head, (unsigned)got->tail, (unsigned)got->bad,
                 (unsigned long long)got->word);
        }
        next++;
    }
    next += e->bits == 2 && e->beat == 0 && next == harmed ? PACKET_BEATS : 0;
    must_equal(wrong, next, beats_expected, "NIC %u: beats in the end", n);
    must_equal(wrong, dut.out.to_tile[tile].peer_load, 0, "tile %u: peer_load in the end", tile);
    counted(e, wrong);
}

/* ---- counters --------------------------------------------------------------------------------------- */

/* How often MARKED is counted when so many tiles get a marked packet of one flit in each of so many clocks. */
static unsigned marked(unsigned tiles, unsigned clocks)
{
    const struct nic_packet ack = {.response = true, .vc = RTR_VCS / 2};
    uint64_t flit[NIC_FLITS];

    start();
    nic_encode(&ack, flit);
    for (unsigned t = 0; t < clocks + 100; t++) {
        struct netlink_in in = {};

        for (unsigned i = 0; t < clocks && i < tiles; i++) {
            in.from_tile[i] = (struct port_out){
                .valid = 1, .flit = (rtr_flit)flit[0], .head = 1, .tail = 1, .bad = 1};
        }
        clock_once(&in);
    }
    return count[NETLINK_MARKED];
}

/* Registers are 0 after a reset, but for `ready`, which is always 1. */
static void begins_with_zeros(struct misses *wrong)
{
    static struct netlink fresh;
    const unsigned char *byte = (const unsigned char *)&fresh;

    netlink_reset(&fresh);
    for (unsigned t = 0; t < NL_TILES; t++) {
        must(wrong, fresh.out.to_tile[t].ready, "tile %u: ready is 0", t);
        fresh.out.to_tile[t].ready = 0;
    }
    for (size_t i = 0; i < sizeof fresh; i++) {
        must_equal(wrong, byte[i], 0, "byte %zu of the registers", i);
    }
}

int main(int argc, char **argv)
{
    rng_seed(&rng, test_seed(argc, argv));
    harness_clock = &now;
    for (unsigned response = 0; response < 2; response++) {
        for (unsigned bits = 1; bits <= 2; bits++) {
            struct misses out = {0}, in = {0};

            for (unsigned k = 0; k < 4 * PACKET_BEATS; k++) {
                const struct error e = {response, bits, k % PACKET_BEATS};

                sends(&e, &out);
                receives(&e, k % NL_TILES, k / NL_TILES % NL_NICS, &in);
            }
            /* holds nl_entry.tails */
            tap_misses(&out, "%s to the router, %u wrong bits where they wait",
                       response ? "responses" : "requests", bits);
            /* holds netlink.dropped */
            tap_misses(&in, "%s from the router, %u wrong bits where they wait",
                       response ? "responses" : "requests", bits);
        }
    }
    const unsigned one = marked(1, 100), two = marked(2, 100);
    const unsigned some = marked(NL_TILES, 10), many = marked(NL_TILES, 100);

    struct misses late = {0}, stale = {0};

    must_equal(&late, one, 100, "one tile, 100 clocks");
    must_equal(&late, two, 100 + 31, "two tiles, 100 clocks");
    must_equal(&late, some, 10 * NL_TILES, "all tiles, 10 clocks");
    must_equal(&late, many, 100 + 31, "all tiles, 100 clocks");
    tap_misses(
        &late,
        "counts of several tiles in a clock follow in the next ones, up to 31: %u, %u, %u, %u", one,
        two, some, many);
    begins_with_zeros(&stale);
    tap_misses(&stale, "registers are 0 after a reset");
    return tap_done();
}
