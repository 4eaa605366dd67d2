// SPDX-License-Identifier: Apache-2.0
/*
 * test_bgl_thread.c - two native nodes joined by x+ and x-: packets from a core's store on one node to the other's load. Each is on the wire
 * once, byte for byte with right CRCs, and is acknowledged; afterwards both ends agree on CRC-32, which is that of these bytes.
 *
 * Built for bgl: san. Recorded for bgl_node, bgl_port, bgl_deframer, bgl_framer, bgl_resend, bgl_vc_fifo, bgl_vc_queue, bgl_pipe, bgl_lane_rx, bgl_lane_tx,
 * bgl_sender, bgl_select, bgl_channel, bgl_inject, bgl_reception, bgl_axi, bgl_regs of bgl.
 */
#include "tb/bgl/bgl_bench.h"

#include <string.h>

enum { PACKETS = 40, ENOUGH = 100000 };

/* What was on the wire of node 0's x+. */
static struct {
    uint8_t text[PACKETS][257];
    unsigned chunks[PACKETS], packets;
    unsigned acked; /* by the other direction */
} seen;

static void on_packet(void *owner, const uint8_t *bytes, unsigned n)
{
    (void)owner;
    if (seen.packets < PACKETS) {
        memcpy(seen.text[seen.packets], bytes, 32 * n + 1);
        seen.chunks[seen.packets] = n;
    }
    seen.packets++;
}

static void on_ack(void *owner, const struct gold_ack *ack)
{
    (void)owner;
    seen.acked = ack->expected;
}

/* CRC-32 over all packets one behind the other: each goes on from the one before. */
static uint32_t crc_of_all(void)
{
    uint32_t sum = 0xffffffff;
    for (unsigned i = 0; i < seen.packets && i < PACKETS; i++)
        for (unsigned k = 0; k <= 32 * seen.chunks[i]; k++)
            sum = gold_crc(32, 0x04c11db7, sum, &seen.text[i][k], 1);
    return sum;
}

static void one_packet(struct bgl_bench *b)
{
    const struct bench_order order = {.from = 0, .to = 1, .fifo = 0, .chunks = 8, .vc = 2};
    const int number = bench_send(b, &order);
    tap_ok(bench_drain(b, ENOUGH), "256 bytes from a store to a load");
    tap_equal(b->wrong + b->twice + b->unexplained, 0, "unchanged, once");
    tap_note("store to load: %u clocks",
             (unsigned)(b->packet[number].came - b->packet[number].taken));
    bench_run(b, 200);
    tap_equal(seen.packets, 1, "one packet on the wire");
    tap_ok(memcmp(seen.text[0] + 8, b->packet[number].bytes + 8, 248) == 0,
           "its body is on the wire");
    tap_equal(gold_get(seen.text[0], GOLD_HINTS), 0,
              "its hint is cleared before the neighbour is the destination");
    tap_equal(seen.acked, 1, "an ack that wants the next number");
}

static void many_packets(struct bgl_bench *b)
{
    for (unsigned i = 1; i < PACKETS; i++) {
        const bool dynamic = rng_below(&b->rng, 2);
        const struct bench_order order = {
            .from = 0,
            .to = 1,
            .fifo = rng_below(&b->rng, 3),
            .chunks = 1 + rng_below(&b->rng, 8),
            .vc = dynamic ? rng_below(&b->rng, 2) : 2,
            .dynamic = dynamic,
            .group = rng_below(&b->rng, 2),
            .hints = 0x20, /* x+: in a ring of two both ways are as short */
        };
        bench_send(b, &order);
    }
    tap_ok(bench_drain(b, ENOUGH), "%u packets of all lengths", PACKETS - 1);
    bench_run(b, 2000);
    tap_equal(b->wrong + b->twice + b->unexplained, 0, "each unchanged, once");
    tap_equal(seen.packets, PACKETS, "each once on the wire");
}

int main(int argc, char **argv)
{
    static struct bgl_bench b;
    struct misses rest = {0};
    const uint64_t seed = test_seed(argc, argv);

    bench_start(&b, 2, 1, 1, 1, seed);
    tap_note("links up after %u clocks", (unsigned)b.now);
    /* the listeners hear the wire from a new epoch's first frame on */
    b.listen = true;
    b.wire[0][0].packet = on_packet;
    b.wire[1][1].ack = on_ack;
    bench_write(&b, 0, BGL_REG_PORT, 1 | 1 << 5);
    bench_run(&b, 4000);
    tap_ok(bench_up(&b), "a new epoch");
    one_packet(&b);
    many_packets(&b);
    tap_ok(bench_at_rest(&b, &rest) || (misses_why(&rest), false),
           "at rest: all tokens home, CRC-32 of both ends alike");
    tap_equal(b.wire[0][0].unexplained + b.wire[1][1].unexplained, 0,
              "every byte of the wire explained");
    tap_equal(bench_read(&b, 0, BGL_REG_PORT + 3), crc_of_all(),
              "SEND_CRC is that of the wire's packets");
    tap_equal(bench_read(&b, 1, BGL_REG_PORT + BGL_REG_PORT_STEP + 4), crc_of_all(),
              "and RECEIVE_CRC");
    bench_free(&b);
    return tap_done();
}
