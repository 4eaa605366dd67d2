// SPDX-License-Identifier: Apache-2.0
/*
 * test_device_rows.c - two devices of the large machine back to back, all links: bad cables, cables that die and
 * long ones. Every packet arrives once, whole and where it belongs, or (behind a cable that died) is given back.
 *
 * Built for aries: fast.
 */
#include <inttypes.h>

#include "hls/link/lcb_map.h"
#include "tb/system/device/device_bench.h"

/* 35 m of fibre, 4.9 ns each, at 875 MHz: Aries' longest. */
enum { UP = 20000, CLOCKS = 6000, DRAIN = 100000, CABLE_35M = 150, DEATH = 200000, REPLY = 20 };

static struct device_bench b;

static bool begin(const struct device_bench_config *config, uint64_t seed)
{
    device_bench_start(&b, config, seed);
    return tap_ok(device_bench_await(&b, UP), "all %d links up, bit error rate %g, %u clocks",
                  RTR_LINKS, config->cable.ber, config->cable.delay);
}

/* Flits that came over a link. */
static unsigned links_in_use(void)
{
    unsigned count = 0;
    for (unsigned l = 0; l < RTR_LINKS; l++)
        count += b.end[0].golden.from[l] > 0 && b.end[1].golden.from[l] > 0;
    return count;
}

/* Each link says who it is and whom it hears: the same port of the other device, whose number has all its bits. */
static void test_identities(void)
{
    static const unsigned regs[] = {LCB_REG_IDENTITY, LCB_REG_PEER};
    unsigned right = 0;

    for (unsigned n = 0; n < 2; n++)
        for (unsigned i = 0; i < 2; i++)
            for (unsigned l = 0; l < RTR_LINKS; l++) {
                struct reg_request *bus = &b.end[i].in.manage[l].bus;
                const struct reg_reply *reply = &b.end[i].device->out.status[l].bus;

                *bus = (struct reg_request){.valid = 1, .addr = (u16)regs[n]};
                for (unsigned waited = 0; waited < REPLY && !reply->ready; waited++)
                    device_bench_run(&b, 1);
                right += reply->ready && (uint64_t)reply->rdata >> 16 == l;
                *bus = (struct reg_request){0};
                device_bench_run(&b, 2);
            }
    /* holds device.identity */
    tap_ok(right == 4 * RTR_LINKS, "%u of %d links know their port, and that of their peer",
           right / 2, 2 * RTR_LINKS);
}

static void test_errors(double ber, double load, double ready, uint64_t seed)
{
    struct device_bench_config config = device_bench_defaults();
    config.cable.ber = ber;
    config.cable.burst_rate = ber;
    config.load = load;
    config.ready = ready;
    if (begin(&config, seed)) {
        if (ber == 0)
            test_identities();
        device_bench_run(&b, CLOCKS);
        const bool drained = device_bench_drain(&b, DRAIN), clean = device_bench_clean(&b);
        const uint64_t again = device_bench_link_count(&b, COUNT_REPLAYS);
        if (!drained)
            tap_why("%" PRIu64 " packets are not there", golden_router_lost(&b.fabric));
        tap_ok(drained && clean && b.fabric.packets_in > CLOCKS / 2 &&
                   links_in_use() == RTR_LINKS && (again > 0) == (ber > 0),
               "%" PRIu64 " packets over %u links arrive once, whole, where they belong; %" PRIu64
               " micropackets were sent again",
               b.fabric.packets_in, links_in_use(), again);
    }
    device_bench_free(&b);
}

/* One link, a long cable, one VC: flits per clock; the link carries 0.9. */
static void test_long(unsigned shortest, unsigned longest, unsigned vcs, uint64_t seed)
{
    struct device_bench_config config = device_bench_defaults();
    config.cable.ber = config.cable.burst_rate = 0;
    config.cable.delay = CABLE_35M;
    config.across = true;
    config.links = 1;
    config.load = 1;
    config.min_length = shortest;
    config.max_length = longest;
    config.vcs = vcs;
    if (begin(&config, seed)) {
        device_bench_run(&b, CLOCKS / 2);
        const uint64_t came[2] = {b.end[0].golden.from[0], b.end[1].golden.from[0]};
        device_bench_run(&b, CLOCKS);
        double rate[2];
        for (unsigned i = 0; i < 2; i++)
            rate[i] = (double)(b.end[i].golden.from[0] - came[i]) / CLOCKS;
        const bool drained = device_bench_drain(&b, DRAIN);
        /* holds device.rate: but for a micropacket and a packet that are under way at the end */
        const double least = 0.9 - (9.0 + longest) / CLOCKS;
        tap_ok(rate[0] >= least && rate[1] >= least && drained && device_bench_clean(&b),
               "35 m, packets of %u to %u flits on VCs %#x: %.4f and %.4f flits per clock",
               shortest, longest, vcs, rate[0], rate[1]);
    }
    device_bench_free(&b);
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);
    test_errors(0, 1, 1, seed);
    test_errors(1e-5, 0.8, 0.8, seed + 1);
    test_errors(1e-4, 0.3, 1, seed + 2);
    test_long(1, RTR_PACKET, 1, seed + 3);
    test_long(RTR_PACKET, RTR_PACKET, 1 << (RTR_VCS - 1), seed + 4);
    test_long(1, 1, 1, seed + 5);
    return tap_done();
}
