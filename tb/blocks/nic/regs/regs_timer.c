// SPDX-License-Identifier: Apache-2.0
/* regs_timer.c - see regs_timer.h. */
#include "tb/blocks/nic/regs/regs_timer.h"

static struct misses missed; /* by the check that comes next */

/* A write of a register of the HPET that is taken, in so many halves. */
static void timer_taken(struct door *b, uint32_t byte, uint8_t strobes, unsigned halves)
{
    const uint64_t data = rng_next(&b->rng);
    const unsigned writes = b->timer_writes;

    must_equal(&missed, door_put_strobed(b, byte, data, strobes), OKAY, "write of byte %x", byte);
    must_equal(&missed, b->timer_writes, writes + 1, "writes that the HPET got of byte %x", byte);
    must_equal(&missed, b->timer.addr, (byte >> 3) & 127, "register of byte %x", byte);
    must_equal(&missed, b->timer.data, data, "data of byte %x", byte);
    must_equal(&missed, b->timer.halves, halves, "halves of byte %x", byte);
}

/* holds nic_regs.halves: registers of the HPET, and of them alone halves */
void test_timer(struct door *b)
{
    static const uint16_t there[] = {0,    2,    4,    0x1E, 0x20, 0x21, 0x22,
                                     0x24, 0x25, 0x26, 0x28, 0x29, 0x2A};
    static const uint8_t odd[] = {0, 0x01, 0x3C, 0x7F, 0xF1, 0xFE};
    uint64_t data, refused;

    for (unsigned i = 0; i < sizeof there / sizeof *there; i++) {
        const uint32_t byte = (HPET + there[i]) * 8u;
        const bool read_only = there[i] == 0 || (there[i] >= 0x20 && there[i] % 4 == 2);

        must_equal(&missed, door_get_byte(b, byte, &data), OKAY, "read of %x", byte);
        must_equal(&missed, data, door_timer_value(there[i]), "value of %x", byte);
        must_equal(&missed, door_get_byte(b, byte + 4, &data), OKAY, "read of %x", byte + 4);
        must_equal(&missed, data, door_timer_value(there[i]), "value of %x", byte + 4);
        if (read_only) {
            must_equal(&missed, door_put(b, (uint16_t)(HPET + there[i]), 1), SLVERR, "write of %x",
                       byte);
            continue;
        }
        timer_taken(b, byte, 0xFF, 3);
        timer_taken(b, byte, 0x0F, 1);
        timer_taken(b, byte, 0xF0, 2);
        timer_taken(b, byte + 4, 0xF0, 2);
    }
    const unsigned writes = b->timer_writes;
    for (unsigned i = 0; i < sizeof odd; i++) {
        must_equal(&missed, door_put_strobed(b, (HPET + 2) * 8u, 1, odd[i]), SLVERR, "strobes %x",
                   odd[i]);
    }
    must_be(&missed, door_put_strobed(b, (HPET + 2) * 8 + 4, 1, 0x0F), SLVERR);
    must_be(&missed, door_put_strobed(b, (HPET + 2) * 8 + 4, 1, 0xFF), SLVERR);
    must_be(&missed, door_put_strobed(b, (HPET + 2) * 8 + 2, 1, 0xF0), SLVERR);
    must_be(&missed, door_put_strobed(b, NODE * 8 + 4, 1, 0xF0), SLVERR);
    must_be(&missed, door_get_byte(b, (HPET + 2) * 8 + 2, &data), SLVERR);
    for (unsigned i = 0; i < 128; i++) {
        bool exists = false;

        for (unsigned k = 0; k < sizeof there / sizeof *there; k++) {
            exists |= there[k] == i;
        }
        refused = door_get_byte(b, (HPET + i) * 8u, &data);
        must_equal(&missed, refused, exists ? OKAY : SLVERR, "register %x of the HPET", i);
    }
    must_be(&missed, b->timer_writes, writes);
    tap_taken(&missed, "registers of the HPET: each, whole and by halves, and no others");
}

void test_timer_interrupts(struct door *b)
{
    door_put(b, IRQ_MASK, (uint64_t)1 << 41);
    door_put(b, IRQ_PENDING, ~(uint64_t)0);
    for (unsigned i = 0; i < 4; i++) {
        b->in.timers = (u4)(1 << i);
        door_tick(b);
        must_equal(&missed, door_get(b, IRQ_PENDING), (uint64_t)1 << (40 + i), "timer %u", i);
        must_equal(&missed, b->dut.out.irq, i == 1, "irq of timer %u", i);
        door_put(b, IRQ_PENDING, (uint64_t)1 << (40 + i));
    }
    b->in.clock = 1;
    door_tick(b);
    must_be(&missed, door_get(b, IRQ_PENDING), (uint64_t)1 << (32 + 5));
    door_put(b, IRQ_PENDING, ~(uint64_t)0);
    must_be(&missed, door_get(b, IRQ_PENDING), 0);
    tap_taken(&missed, "interrupts of timers, pulses and the global clock");
}
