// SPDX-License-Identifier: Apache-2.0
/*
 * test_nic_counts.c - which counter counts what a block reports, and when a NIC is idle: each bit of each block's register is
 * set by hand, and the registers two joins further on must see that counter and no other. And what goes the other way: the
 * wipe comes to both halves, an interrupt that is pending and not masked to the port.
 *
 * Built for aries: fast; proto: san.
 */
#include "tb/base/harness.h"
#include "nic/nic.h"

static struct nic dut;
static uint64_t now, rows;
static struct misses wrong;
static bool room; /* for responses */

static void step(unsigned netlink)
{
    struct nic_in in = {.netlink = (uint(NETLINK_COUNTS))netlink, .room_response = room};

    nic(&dut, &in);
    now++;
}

static void check(const char *block, unsigned bit, unsigned counter)
{
    step(0);
    rows++;
    must(&wrong, dut.regs.seen == (nic_counts)1 << (counter - 0x80),
         "bit %u of %s: %016llx %016llx, expected counter 0x%02x alone", bit, block,
         (unsigned long long)(dut.regs.seen >> 64), (unsigned long long)dut.regs.seen, counter);
    step(0);
    must(&wrong, dut.regs.seen == 0, "bit %u of %s: counted twice, expected once", bit, block);
}

/* Bits [from, from + n) of a block's counts are counters from `counter` on. */
#define COUNTS(block, from, n, counter)                                                            \
    for (unsigned i = 0; i < (n); i++) {                                                           \
        dut.block = (typeof(dut.block))1 << ((from) + i);                                          \
        step(0);                                                                                   \
        check(#block, (from) + i, (counter) + i);                                                  \
    }

enum { CORRECTED = 0x81, UNCORRECTABLE = 0xB3, LOCAL_REFUSED = 0xAF };

static void test_initiator(void)
{
    COUNTS(initiator.pio.out.count, 0, 4, 0x82)
    COUNTS(initiator.fma.out.count, 0, 6, 0x86)
    COUNTS(initiator.tarb.out.count, 0, 1, CORRECTED)
    COUNTS(initiator.tarb.out.count, 1, 1, 0x8C)
    COUNTS(initiator.tarb.out.count, 2, 1, 0xC0)
    COUNTS(initiator.ntt.out.count, 0, 1, CORRECTED)
    COUNTS(initiator.ntt.out.count, 1, 1, 0x8D)
    COUNTS(initiator.ssid.out.count, 0, 7, 0x8E)
    COUNTS(initiator.ssid.out.count, 7, 1, CORRECTED)
    COUNTS(initiator.ssid.out.count, 8, 1, 0x95)
    COUNTS(initiator.ssid.out.count, 9, 1, 0xCA)
    COUNTS(initiator.orb.out.count, 0, 8, 0x96)
    COUNTS(initiator.orb.out.count, 8, 1, CORRECTED)
}

static void test_target(void)
{
    COUNTS(target.cq.out.count, 0, 6, 0x9E)
    COUNTS(target.cq.out.count, 6, 1, CORRECTED)
    COUNTS(target.rat_net.out.count, 0, 1, CORRECTED)
    COUNTS(target.rat_net.out.count, 1, 10, 0xA4)
    COUNTS(target.rat_local.out.count, 0, 1, CORRECTED)
    COUNTS(target.rat_local.out.count, 1, 1, 0xAE)
    for (unsigned status = 3; status <= 10; status++) {
        COUNTS(target.rat_local.out.count, status, 1, LOCAL_REFUSED)
    }
    COUNTS(target.npt.out.count, 0, 1, CORRECTED)
    COUNTS(target.npt.out.count, 1, 3, 0xB0)
    COUNTS(target.amo.out.count, 0, 1, CORRECTED)
    COUNTS(target.amo.out.count, 1, 3, 0xCB)
    COUNTS(target.memory.out.count, 0, 1, CORRECTED)
    COUNTS(target.memory.out.count, 1, 1, UNCORRECTABLE)
    COUNTS(target.memory.out.write_count, 0, 1, CORRECTED)
    COUNTS(target.memory.out.write_count, 1, 1, UNCORRECTABLE)
    COUNTS(target.memory.out.write_count, 2, 2, 0xB4)
    COUNTS(target.memory.out.read_count, 0, 1, CORRECTED)
    COUNTS(target.memory.out.read_count, 1, 1, UNCORRECTABLE)
    COUNTS(target.memory.out.read_count, 2, 4, 0xB6)
}

static void test_netlink(void)
{
    static const struct {
        unsigned bit, counter;
    } counts[] = {{NETLINK_CORRECTED, CORRECTED}, {NETLINK_MARKED, 0xBA}, {NETLINK_WRONG, 0xBB},
                  {NETLINK_MISSHAPED, 0xBC},      {NETLINK_NO_NIC, 0xBD}, {NETLINK_HEAD_LOST, 0xBE},
                  {NETLINK_FATAL, 0xBF}};

    for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++) {
        step(1u << counts[i].bit);
        rows++;
        must(&wrong, dut.regs.seen == (nic_counts)1 << (counts[i].counter - 0x80),
             "bit %u of netlink: %016llx %016llx, expected counter 0x%02x alone", counts[i].bit,
             (unsigned long long)(dut.regs.seen >> 64), (unsigned long long)dut.regs.seen,
             counts[i].counter);
        step(0);
        must(&wrong, dut.regs.seen == 0, "bit %u of netlink: counted twice, expected once",
             counts[i].bit);
    }
}

/* A head of a request of `bytes` of payload, as golden/nic_packet.h numbers commands; z and x say so. */
static struct beat request_of(unsigned cmd, unsigned bytes)
{
    struct beat beat = {.valid = 1, .head = 1, .tail = 1};
    const unsigned z = cmd == 4               ? bytes - 9
                       : cmd == 2 || cmd == 3 ? (bytes == 16 ? 12 : 8)
                                              : bytes - 1;

    beat.word = (beat_word)cmd | (beat_word)(cmd == 0 ? 0 : z) << 128;
    return beat;
}

/* Sums: bytes and flits of requests that leave, bytes of those that come, bytes and flits of responses. */
static bool test_sums(void)
{
    static const struct {
        unsigned cmd, least, most, step;
    } kinds[] = {{0, 0, 0, 1},  {1, 1, 64, 1}, {2, 8, 16, 8},
                 {3, 8, 16, 8}, {4, 9, 64, 1}, {5, 8, 8, 1}};
    bool right = true;

    for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        for (unsigned n = kinds[k].least; n <= kinds[k].most; n += kinds[k].step) {
            struct nic_in in = {.request = request_of(kinds[k].cmd, n), .room_response = room};
            const unsigned flits = 1 + n % 12;

            nic_reset(&dut);

            dut.initiator.orb.out.forward = request_of(kinds[k].cmd, n);
            dut.initiator.orb.out.brought = (nic_amount)n;
            dut.target.npt.out.response = (struct beat){.valid = 1, .head = 1, .tail = 1};
            dut.target.npt.out.response.word = (beat_word)flits << 41;
            nic(&dut, &in);
            now++;
            right = right && dut.initiator.out.sent.request_bytes == n &&
                    dut.initiator.out.sent.request_flits == (n == 0 ? 3 : 3 + (n + 7) / 6) &&
                    dut.initiator.out.sent.response_bytes == n &&
                    dut.target.out.received.request_bytes == n &&
                    dut.target.out.received.response_flits == flits &&
                    (u1)(dut.target.out.count >> 0x41);
            step(0);
            right = right && dut.regs.counters.grown[0] == n &&
                    dut.regs.counters.grown[1] == (n == 0 ? 3 : 3 + (n + 7) / 6) &&
                    dut.regs.counters.grown[2] == n && dut.regs.counters.grown[3] == n &&
                    dut.regs.counters.grown[4] == flits;
        }
    }
    return right;
}

/* All blocks but `busy` say that they are idle. */
static void say_idle(unsigned busy)
{
    u1 *const idle[] = {
        &dut.initiator.tarb.out.idle,      &dut.initiator.ssid.out.idle,
        &dut.initiator.orb.out.idle,       &dut.target.rat_local.out.idle,
        &dut.target.cq.out.idle,           &dut.target.memory.out.idle_parb,
        &dut.target.memory.out.idle_write, &dut.target.memory.out.idle_read,
        &dut.target.rat_net.out.idle,      &dut.target.npt.out.idle,
    };

    for (unsigned i = 0; i < sizeof idle / sizeof *idle; i++) {
        *idle[i] = i != busy;
    }
}

enum { BLOCKS = 10, OF_INITIATOR = 3 };

static bool test_idle(void)
{
    bool right = true;

    for (unsigned busy = 0; busy <= BLOCKS; busy++) {
        say_idle(busy);
        step(0);
        right = right && dut.initiator.out.idle == (busy >= OF_INITIATOR) &&
                dut.target.out.idle == (busy < OF_INITIATOR || busy == BLOCKS);
    }
    return right;
}

/* STATUS over the port: ready, drained, settled, as NIC_STATUS has them from bit 0 on. */
static unsigned read_status(void)
{
    struct nic_in in = {.room_response = room, .s_axil = {.araddr = 8, .arvalid = 1, .rready = 1}};

    for (unsigned i = 0; i < 20; i++, now++) {
        const bool taken = dut.out.s_axil.arready;

        nic(&dut, &in);
        in.s_axil.arvalid = in.s_axil.arvalid && !taken;
        if (dut.out.s_axil.rvalid)
            return (unsigned)dut.out.s_axil.rdata;
    }
    return ~0u;
}

enum { READY = 1, DRAINED = 2, SETTLED = 4 };

/* A tag is out: the initiator is not idle; a read waits for its data: the target is not; both halves are asked. */
static bool test_drained(void)
{
    bool right = read_status() == (READY | DRAINED | SETTLED);

    dut.initiator.orb.free.out.count--;
    right = right && read_status() == (READY | SETTLED);
    dut.initiator.orb.free.out.count++;
    right = right && read_status() == (READY | DRAINED | SETTLED);
    dut.target.memory.axi.read.asked[0]++;
    right = right && read_status() == (READY | SETTLED);
    dut.target.memory.axi.read.asked[0]--;
    return right;
}

/* CONTROL.settle waits for what is accepted by then, not for what comes later, nor for what memory has answered. */
static bool test_settled(void)
{
    struct order_counts *counts = &dut.target.memory.order.out.counts;
    bool right = true;

    dut.target.rat_net.out.context = (struct npt_context){.valid = 1, .ready = 1};
    step(0);
    counts->accepted[ORDER_EVENTS]++;
    step(0);
    dut.regs.out.settle = 1;
    for (unsigned i = 0; i < 3; i++) {
        right &= read_status() == READY; /* nor drained: an answer to another node waits for room */
    }
    counts->accepted[ORDER_EVENTS]++;
    counts->answered[ORDER_EVENTS]++;
    step(0);
    step(0);
    right &= read_status() == (READY | SETTLED);
    counts->answered[ORDER_EVENTS]++;
    room = true;
    for (unsigned i = 0; i < 8; i++) {
        step(0);
    }
    return right && read_status() == (READY | DRAINED | SETTLED);
}

/* A head of rat_local with a double-bit error that make a read of it does not wait for room of reads, and is refused. */
static bool test_bad_local(void)
{
    static struct nic_target target;
    struct nic_target_in in = {.config = {.ready = 1, .enable = 1}};
    unsigned refused = 0;

    nic_target_reset(&target);
    nic_target(&target, &in);
    target.rat_local.queue.out.front = (struct beat){.valid = 1, .head = 1, .tail = 1, .bad = 1};
    for (unsigned i = 0; i < 10; i++, now++) {
        nic_target(&target, &in);
        refused += target.out.refused.valid && target.out.refused.status == STATUS_UNCORRECTABLE;
    }
    return refused == 1 && !target.rat_local.queue.out.front.valid;
}

/* What was in tables before a reset is gone behind it. */
static bool test_wipe(void)
{
    dut.initiator.ntt.entries[5] = (ntt_ecc_word)-1;
    dut.target.rat_net.mdds[5] = (mdd_code)-1;
    dut.target.rat_local.mdds[5] = (mdd_code)-1;
    dut.target.cq.configs[5] = (cq_config_ecc_word)-1;
    dut.initiator.fma.gates[5] = 3;
    dut.initiator.ssid.gone[5] = 1;
    dut.initiator.orb.returned[5] = 1;
    nic_reset(&dut);
    for (unsigned i = 0; i < 8300; i++) {
        step(0);
    }
    return dut.regs.out.config.ready && dut.initiator.ntt.entries[5] == 0 &&
           dut.target.rat_net.mdds[5] == 0 && dut.target.rat_local.mdds[5] == 0 &&
           dut.target.cq.configs[5] == 0 && dut.initiator.fma.gates[5] == 0 &&
           dut.initiator.ssid.gone[5] == 0 &&
           dut.initiator.orb.returned[5] == dut.initiator.orb.given[5].gen;
}

/* Pending and not masked; each alone does nothing. */
static bool test_irq(void)
{
    bool right = true;

    for (unsigned k = 0; k < 4; k++) {
        dut.regs.irq_pending = k & 1 ? 4 : 0;
        dut.regs.irq_mask = k & 2 ? 4 : 0;
        step(0);
        step(0);
        right = right && dut.out.irq == (k == 3);
    }
    return right;
}

int main(int argc, char **argv)
{
    test_seed(argc, argv);
    harness_clock = &now;
    nic_reset(&dut);
    test_initiator();
    test_target();
    test_netlink();
    tap_misses(&wrong, "%llu reports of blocks, each its counter and no other",
               (unsigned long long)rows);
    tap_ok(test_idle(), "each block that is not idle is seen");
    tap_ok(test_wipe(), "tables of both halves are wiped");
    /* holds rat.local_head */
    tap_ok(test_bad_local(),
           "a local head with a double-bit error is refused, whatever they make of it");
    tap_ok(test_drained(), "STATUS: drained only if both halves are idle");
    tap_ok(test_settled(), "STATUS: settled when what others asked for is answered");
    tap_ok(test_irq(), "an interrupt comes to the port");
    tap_ok(test_sums(),
           "sums: bytes and flits of each command and size, bytes and flits of responses");
    return tap_done();
}
