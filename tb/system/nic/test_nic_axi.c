// SPDX-License-Identifier: Apache-2.0
/*
 * test_nic_axi.c - the three AXI ports of a NIC against the rules of AXI4 and AXI4-Lite (tb/models/axi_rules.h), rule by rule: its
 * processor and its driver do everything that a manager may do, its memory everything that a subordinate may.
 *
 * What the accesses do is tested elsewhere (test_pio, test_nic_regs, test_axi_master). Here each must be answered once, by the
 * rules, and no channel may wait for another: while B is held for ever reads end, while R is held writes end.
 *
 * Built for proto: san.
 */
#include <inttypes.h>
#include <string.h>

#include "nic/nic.h"
#include "tb/models/axi_rules.h"
#include "tb/models/axi_abuser.h"
#include "tb/models/host.h"

enum { DESCRIPTORS = NIC_FMA_LOG2 < 4 ? 1 << NIC_FMA_LOG2 : 16 };
enum { MEMORY = 1 << 20, PATIENCE = 20000, CLOCKS = 60000, HOLD = 30000, WIPED = 9000 };

static struct nic dut;
static struct nic_in in;
static struct host *host;
static struct abuser door;
static struct lite_abuser lite;
static struct axi_rules rules[3];
static uint64_t now;
static struct rng rng;

/* What an abusive driver may write without an end of all traffic. */
static const uint16_t harmless[] = {NR_AMO_CONFIG, NR_IRQ_PENDING, NR_IRQ_MASK, NR_IRQ_TIMER,
                                    NR_FIRST_ERROR};

static void watch(bool reset)
{
    struct axi_rules_clock c;

    AXI_RULES_OF_AXI(&c, &in.s_axi, &dut.out.s_axi);
    axi_rules_watch(&rules[0], &c, reset);
    AXI_RULES_OF_AXI(&c, &dut.out.m_axi, &in.m_axi);
    axi_rules_watch(&rules[1], &c, reset);
    AXI_RULES_OF_LITE(&c, &in.s_axil, &dut.out.s_axil);
    axi_rules_watch(&rules[2], &c, reset);
}

/* The NIC hears itself: what it asks of the network it is asked, and answered. */
static void clock(void)
{
    struct nic_in seen;

    host_step(host, &dut.out.m_axi, &in.m_axi);
    in.request = dut.out.to_request;
    in.response = dut.out.to_response;
    in.room_request = dut.out.request_room;
    in.room_response = dut.out.response_room;
    watch(false);
    seen = in;
    nic(&dut, &seen);
    now++;
}

static void step(void)
{
    const struct axi_from_sub door_before = dut.out.s_axi;
    const struct axil_from_sub lite_before = dut.out.s_axil;

    abuser_drive(&door);
    lite_abuser_drive(&lite);
    in.s_axi = door.axi;
    in.s_axil = lite.axi;
    clock();
    abuser_take(&door, &door_before);
    lite_abuser_take(&lite, &lite_before);
}

/* ---- set-up, by a driver that keeps to one access at a time ----------------------------------------------- */

static void write_register(uint16_t address, uint64_t data)
{
    in.s_axil = (struct axil_to_sub){.awvalid = 1, .wvalid = 1, .wstrb = 0xFF, .bready = 1};
    in.s_axil.awaddr = (typeof(in.s_axil.awaddr))(8 * address);
    in.s_axil.wdata = data;
    for (bool done = false; !done;) {
        const struct axil_from_sub before = dut.out.s_axil;
        clock();
        in.s_axil.awvalid &= !before.awready;
        in.s_axil.wvalid &= !before.wready;
        done = before.bvalid;
    }
    in.s_axil = (struct axil_to_sub){0};
}

static void set_up(void)
{
    const uint64_t rights = 1ull << NR_MDD_READ_AT | 1ull << NR_MDD_WRITE_AT |
                            1ull << NR_MDD_ATOMIC_AT | 1ull << NR_MDD_VALID_AT;

    for (unsigned i = 0; i < WIPED; i++)
        clock();
    write_register(NR_NODE, 0);
    write_register(NR_PHYS_SIZE, MEMORY);
    for (unsigned i = 0; i < 256; i++) {
        write_register((uint16_t)(NR_MDD + NR_MDD_STEP * i), rights | 1024u * i);
        write_register((uint16_t)(NR_MDD + NR_MDD_STEP * i + 1), 4096);
    }
    for (unsigned i = 0; i < DESCRIPTORS; i++)
        write_register((uint16_t)(NR_FMA + NR_FMA_STEP * i),
                       1ull << NR_FMA_ENABLE_AT | 4ull << NR_FMA_LIMIT_AT);
    write_register(NR_CONTROL, 1);
}

/* A store of 8 bytes by a well-behaved processor. */
static void store(uint64_t address, uint64_t data)
{
    in.s_axi = (struct axi_to_sub){.awvalid = 1, .awsize = 4, .awburst = AXI_INCR, .bready = 1};
    in.s_axi.awaddr = (typeof(in.s_axi.awaddr))address;
    in.s_axi.wvalid = in.s_axi.wlast = 1;
    memcpy((uint8_t *)&in.s_axi.wdata + address % 16, &data, 8);
    in.s_axi.wstrb = (u16)(0xFFu << address % 16);
    for (bool done = false; !done;) {
        const struct axi_from_sub before = dut.out.s_axi;
        clock();
        in.s_axi.awvalid &= !before.awready;
        in.s_axi.wvalid &= !before.wready;
        done = before.bvalid;
    }
    in.s_axi = (struct axi_to_sub){0};
}

/* Transactions that are open, so that windows bring traffic to memory: remote offset 0 on, local segment 1, as BASE and MODES say. */
static void open_all(void)
{
    enum { BASE = 0, MODES = 1, OPEN = 8 };

    for (unsigned i = 0; i < DESCRIPTORS; i++) {
        const uint64_t page = (uint64_t)i << 12;
        store(page + 8 * BASE, 0);
        store(page + 8 * MODES, 2 * i | (2 * i + 1) << 12);
        store(page + 8 * OPEN, 0);
    }
}

/* ---- tests ---------------------------------------------------------------------------------------------- */

static void restart(uint64_t seed)
{
    nic_reset(&dut);
    memset(&in, 0, sizeof in);
    host_restart(host);
    abuser_start(&door, seed);
    lite_abuser_start(&lite, seed + 1, harmless, sizeof harmless / sizeof harmless[0]);
    watch(true);
    set_up();
    open_all();
}

static bool answered(void)
{
    return door.b == door.writes && door.r == door.reads && lite.b == lite.writes &&
           lite.r == lite.reads;
}

/* The managers ask nothing new, and take all responses. */
static bool drain(void)
{
    door.mood = lite.mood = (struct abuser_mood){0, 256, 256, 256, 256, 256, false, false};
    for (unsigned i = 0; i < PATIENCE; i++) {
        step();
        if (answered() && door.aw_in == door.aw_out && door.beats_in == door.beats_out &&
            !lite.axi.awvalid && !lite.axi.wvalid && lite.aw_ahead == lite.w_ahead)
            return true;
    }
    tap_why("writes %" PRIu64 " of %" PRIu64 ", reads %" PRIu64 " of %" PRIu64
            "; registers %" PRIu64 " of %" PRIu64 ", %" PRIu64 " of %" PRIu64,
            door.b, door.writes, door.r, door.reads, lite.b, lite.writes, lite.r, lite.reads);
    return false;
}

static void any_mood(void)
{
    static const unsigned chances[] = {4, 64, 200, 256};
    struct abuser_mood *m[] = {&door.mood, &lite.mood};

    for (unsigned i = 0; i < 2; i++)
        *m[i] = (struct abuser_mood){128,
                                     chances[rng_below(&rng, 4)],
                                     chances[rng_below(&rng, 4)],
                                     chances[rng_below(&rng, 4)],
                                     chances[rng_below(&rng, 4)],
                                     chances[rng_below(&rng, 4)],
                                     false,
                                     false};
    host_set(host, &(struct host_knobs){.latency = rng_below(&rng, 60),
                                        .latency_extra = rng_below(&rng, 3) * 20,
                                        .stall = rng_below(&rng, 3) * 0.3,
                                        .in_order = rng_below(&rng, 2),
                                        .taking = (enum host_taking)rng_below(&rng, 3),
                                        .holes = true});
}

static void test_everything(uint64_t seed)
{
    bool good = true;

    restart(seed);
    for (unsigned i = 0; i < CLOCKS; i++) {
        if (i % 2000 == 0)
            any_mood();
        step();
    }
    good = drain();
    tap_ok(good && door.writes > 2000 && door.reads > 1000 && lite.writes > 1000 &&
               lite.reads > 1000,
           "each access is answered once: %" PRIu64 " writes, %" PRIu64
           " reads, of registers %" PRIu64 " and %" PRIu64,
           door.writes, door.reads, lite.writes, lite.reads);
    /* holds pio.illegal, pio.data_first */
    tap_ok(door.by_kind[0] > 100 && door.by_kind[2] > 100 && door.narrow > 300 &&
               door.unaligned > 300 && door.w_before_aw > 100 && lite.refused > 300,
           "FIXED, WRAP, narrow, unaligned, data before addresses, registers that are none");
}

/* One kind of response is held for ever: the other kind of access goes on, on the same port. */
static void test_held(bool b, uint64_t seed)
{
    restart(seed);
    host_set(host, &(struct host_knobs){.latency = 20, .holes = true});
    door.mood.b_never = lite.mood.b_never = b;
    door.mood.r_never = lite.mood.r_never = !b;
    for (unsigned i = 0; i < HOLD; i++)
        step();
    const uint64_t pages = b ? door.r : door.b, registers = b ? lite.r : lite.b;
    /* holds pio.held */
    tap_ok(pages > HOLD / 200, "%s of pages is held for ever: %" PRIu64 " %s end", b ? "B" : "R",
           pages, b ? "reads" : "writes");
    tap_ok(registers > HOLD / 400, "%s of registers is held for ever: %" PRIu64 " %s end",
           b ? "B" : "R", registers, b ? "reads" : "writes");
    tap_ok(drain(), "and when it is taken all end");
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);

    rng_seed(&rng, seed);
    harness_clock = &now;
    host = host_new(MEMORY, seed, NULL, NULL);
    axi_rules_begin(&rules[0], 16, false);
    axi_rules_begin(&rules[1], 16, true);
    axi_rules_begin(&rules[2], 8, false);
    test_everything(seed);
    test_held(true, seed);
    test_held(false, seed);
    axi_rules_tap(&rules[0], "s_axi", (1u << AXI_RULES) - 1);
    axi_rules_tap(&rules[1], "m_axi",
                  (1u << AXI_RULES) - 1 - (1u << AXI_B_STABLE | 1u << AXI_R_STABLE));
    axi_rules_tap(&rules[2], "s_axil", (1u << AXI_RULES) - 1);
    host_free(host);
    return tap_done();
}
