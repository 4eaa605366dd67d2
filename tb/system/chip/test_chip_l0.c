// SPDX-License-Identifier: Apache-2.0
/*
 * test_chip_l0.c - the controller beside a chip, over AXI4-Lite alone: registers of router, links and supervisor; a link that dies
 * is seen, raises the interrupt, is named, and comes back on its word.
 *
 * Built for gemini: fast.
 */
#include "tb/system/chip/chip_bench.h"

#include <inttypes.h>

enum { LINKS = 64, NOBODY = 3, DYING = CHIP_LINK + 2, WAIT = 200000 };
enum { CHIP, UP, DEGRADED, DEAD, RESTART, FIRST_ERROR, IRQ, MASK, BEAT, LAST = 12 };

static struct nic_bench *b;

static uint64_t get(unsigned unit, unsigned address)
{
    uint64_t value = 0;

    tap_ok(chip_bench_l0(b, 0, &(struct chip_l0){.unit = unit, .address = address}, &value),
           "unit %u, register %#x is read", unit, address);
    return value;
}

static bool try(bool write, unsigned unit, unsigned address, unsigned byte, uint64_t data)
{
    uint64_t value;

    return chip_bench_l0(
        b, 0,
        &(struct chip_l0){
            .write = write, .unit = unit, .address = address, .byte = byte, .data = data},
        &value);
}

static void put(unsigned unit, unsigned address, uint64_t data)
{
    tap_ok(try(true, unit, address, 0, data), "unit %u, register %#x is written", unit, address);
}

static void test_registers(void)
{
    const uint64_t all = ((UINT64_C(1) << CHIP_CABLES) - 1) << CHIP_LINK;
    const unsigned tile = 7 << 13 | 5 << 10 | RTR_REG_OUTPUT;

    tap_equal(get(UNIT_SUPERVISOR, UP), all, "the links with a cable are up");
    tap_equal(get(UNIT_SUPERVISOR, DEAD), 0, "none is dead");
    put(UNIT_SUPERVISOR, CHIP, 0xBEEF);
    tap_equal(get(UNIT_SUPERVISOR, CHIP), 0xBEEF, "the number of the chip");
    put(UNIT_ROUTER, tile, 0x42);
    tap_equal(get(UNIT_ROUTER, tile), 0x42, "a register of the last tile");
    put(LINKS + 39, LCB_REG_TIMEOUT, 0x1C0800);
    tap_equal(get(LINKS + 39, LCB_REG_TIMEOUT), 0x1C0800, "a register of the last link");
    tap_ok(get(LINKS + 38, LCB_REG_TIMEOUT) != 0x1C0800, "of that link alone");
    const uint64_t beat = get(UNIT_SUPERVISOR, BEAT);
    tap_ok(get(UNIT_SUPERVISOR, BEAT) > beat, "BEAT counts");
}

static void test_refused(void)
{
    /* holds maint_axil.refused */
    tap_ok(!try(false, NOBODY, 0, 0, 0) && !try(true, NOBODY, 0, 0, 1), "no unit: SLVERR");
    tap_ok(!try(false, LINKS + RTR_LINKS, 0, 0, 0), "a link too far: SLVERR");
    tap_ok(!try(false, UNIT_SUPERVISOR, LAST + 1, 0, 0), "no register: SLVERR");
    tap_ok(!try(true, UNIT_SUPERVISOR, UP, 0, 1), "a write of what is only read: SLVERR");
    tap_ok(!try(true, UNIT_SUPERVISOR, CHIP, 4, 1), "half a register: SLVERR");
    tap_ok(!try(false, UNIT_ROUTER, 7 << 10, 0, 0), "no tile: SLVERR");
}

/* Until a register of the supervisor has this value; false if it does not. */
static bool await(unsigned address, uint64_t wanted)
{
    const uint64_t limit = b->clock + WAIT;
    uint64_t value;

    do {
        if (!chip_bench_l0(b, 0, &(struct chip_l0){.unit = UNIT_SUPERVISOR, .address = address},
                           &value))
            return false;
    } while (value != wanted && b->clock < limit);
    tap_why("register %u: %#" PRIx64, address, value);
    return value == wanted;
}

static void test_death(void)
{
    const struct chip_out *out = &chip_network(b)->end[0].chip->out;
    const uint64_t all = ((UINT64_C(1) << CHIP_CABLES) - 1) << CHIP_LINK;

    put(UNIT_SUPERVISOR, IRQ, 7);
    put(UNIT_SUPERVISOR, FIRST_ERROR, 0);
    put(UNIT_SUPERVISOR, MASK, 1);
    tap_ok(!out->l0_irq, "no interrupt");
    put(LINKS + DYING, LCB_REG_LIMITS, get(LINKS + DYING, LCB_REG_LIMITS) & ~UINT64_C(0xFF00));
    chip_bench_cable(b, DYING - CHIP_LINK, LANE_DOWN);
    /* holds supervisor.died */
    tap_ok(await(DEAD, UINT64_C(1) << DYING) && out->l0_irq,
           "a link without a cable is dead: interrupt");
    tap_equal(get(UNIT_SUPERVISOR, FIRST_ERROR) & 0xFF, 0xC0 | DYING, "it is named");
    tap_equal(get(UNIT_SUPERVISOR, IRQ) & 1, 1, "IRQ.died");
    put(UNIT_SUPERVISOR, IRQ, 1);
    tap_ok(!out->l0_irq, "it is cleared");
    chip_bench_cable(b, DYING - CHIP_LINK, LANE_GOOD);
    put(UNIT_SUPERVISOR, RESTART, UINT64_C(1) << DYING);
    /* holds supervisor.restart */
    tap_ok(await(UP, all), "the cable is in: up again");
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);
    struct golden_nic *golden = gn_new(CHIPS * CHIP_NICS, false);
    const struct channel_config cable = {.delay = 12};

    b = chip_bench_new(seed, golden, &cable, NULL);
    test_registers();
    test_refused();
    test_death();
    nic_bench_free(b);
    gn_free(golden);
    return tap_done();
}
