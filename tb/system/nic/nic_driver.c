// SPDX-License-Identifier: Apache-2.0
/*
 * nic_driver.c - an AXI4 and an AXI4-Lite manager, and the stores of the FMA interface.
 */
#include "tb/system/nic/nic_driver.h"

#include <stdlib.h>
#include <string.h>

#define WINDOW ((uint64_t)1 << (NIC_FMA_LOG2 + NIC_WINDOW_LOG2))

void driver_start(struct nic_driver *d, uint64_t seed)
{
    *d = (struct nic_driver){.axi.bready = 1, .axi.rready = 1, .lite.bready = 1, .lite.rready = 1};
    d->burst = calloc(DRIVER_QUEUE, sizeof(*d->burst));
    d->reg = calloc(DRIVER_QUEUE, sizeof(*d->reg));
    if (d->burst == NULL || d->reg == NULL) {
        abort();
    }
    rng_seed(&d->rng, seed);
}

void driver_stop(struct nic_driver *d)
{
    free(d->burst);
    free(d->reg);
}

void driver_restart(struct nic_driver *d)
{
    d->axi = (struct axi_to_sub){.bready = 1, .rready = 1};
    d->lite = (struct axil_to_sub){.bready = 1, .rready = 1};
    d->aw_out = d->w_out = d->bursts_done = d->bursts_in;
    d->regs_out = d->regs_in;
    d->w_beat = 0;
    d->lite_addr_out = d->lite_data_out = d->read_out = false;
}

bool driver_room(const struct nic_driver *d)
{
    return d->bursts_in - d->bursts_done < DRIVER_QUEUE && d->regs_in - d->regs_out < DRIVER_QUEUE;
}

void driver_burst(struct nic_driver *d, const struct driver_burst *b)
{
    d->burst[d->bursts_in++ % DRIVER_QUEUE] = *b;
}

void driver_register(struct nic_driver *d, const struct driver_register *r)
{
    d->reg[d->regs_in++ % DRIVER_QUEUE] = *r;
}

bool driver_idle(const struct nic_driver *d)
{
    return d->bursts_in == d->bursts_done && d->regs_in == d->regs_out;
}

/* ---- a clock ------------------------------------------------------------------------------------ */

/* Reads and writes keep their order among each other: a read waits until all before it is answered, and so do those behind it. */
static bool may_go(const struct nic_driver *d, uint64_t at)
{
    bool read = at != d->bursts_in && d->burst[at % DRIVER_QUEUE].read;
    bool read_before = at != d->bursts_done && d->burst[d->bursts_done % DRIVER_QUEUE].read;

    return at != d->bursts_in && (at == d->bursts_done || (!read && !read_before));
}

static void drive_writes(struct nic_driver *d)
{
    static const u2 kinds[] = {[DRIVER_INCR] = AXI_INCR, [DRIVER_FIXED] = 0, [DRIVER_WRAP] = 2};

    if (!d->axi.awvalid && may_go(d, d->aw_out) && !rng_chance(&d->rng, d->pause)) {
        const struct driver_burst *b = &d->burst[d->aw_out % DRIVER_QUEUE];

        if (!b->read) {
            d->axi.awvalid = 1;
            d->axi.awid = (axi_id)d->aw_out;
            d->axi.awaddr = (uint(AXI_BAR_BITS))b->address;
            d->axi.awlen = (u8)(b->beats - 1);
            d->axi.awsize = AXI_SIZE16;
            d->axi.awburst = kinds[b->kind];
        }
    }
    if (!d->axi.wvalid && may_go(d, d->w_out) && !rng_chance(&d->rng, d->pause)) {
        const struct driver_burst *b = &d->burst[d->w_out % DRIVER_QUEUE];

        if (!b->read) {
            d->axi.wvalid = 1;
            d->axi.wlast = d->w_beat + 1 == b->beats;
            d->axi.wstrb = (u16)(b->strobes >> (16 * d->w_beat));
            memcpy(&d->axi.wdata, b->data + 16 * d->w_beat, 16);
        }
    }
}

static void drive_read(struct nic_driver *d)
{
    const struct driver_burst *b = &d->burst[d->bursts_done % DRIVER_QUEUE];

    d->axi.arvalid = d->bursts_done != d->bursts_in && b->read && !d->read_out;
    if (d->axi.arvalid) {
        d->axi.araddr = (uint(AXI_BAR_BITS))b->address;
        d->axi.arid = 1;
        d->axi.arlen = 0;
        d->axi.arsize = 3;
        d->axi.arburst = AXI_INCR;
    }
}

static void drive_lite(struct nic_driver *d)
{
    const struct driver_register *r = &d->reg[d->regs_out % DRIVER_QUEUE];
    bool any = d->regs_out != d->regs_in;

    d->lite.awvalid = any && !r->read && !d->lite_addr_out;
    d->lite.wvalid = any && !r->read && !d->lite_data_out;
    d->lite.arvalid = any && r->read && !d->lite_addr_out;
    d->lite.awaddr = (uint(AXI_LITE_BITS))(r->address * 8);
    d->lite.araddr = (uint(AXI_LITE_BITS))(r->address * 8);
    d->lite.wdata = r->data;
    d->lite.wstrb = 0xFF;
}

void driver_drive(struct nic_driver *d)
{
    drive_writes(d);
    drive_read(d);
    drive_lite(d);
}

static void take_writes(struct nic_driver *d, const struct axi_from_sub *axi)
{
    if (d->axi.awvalid && axi->awready) {
        d->axi.awvalid = 0;
        d->aw_out++;
    }
    if (d->axi.wvalid && axi->wready) {
        d->axi.wvalid = 0;
        d->w_beat = d->axi.wlast ? 0 : d->w_beat + 1;
        d->w_out += d->axi.wlast;
    }
    if (axi->bvalid && d->axi.bready) {
        d->refused += axi->bresp != AXI_OKAY;
        d->bursts_done++;
    }
}

static void take_read(struct nic_driver *d, const struct axi_from_sub *axi)
{
    const struct driver_burst *b = &d->burst[d->bursts_done % DRIVER_QUEUE];

    if (d->axi.arvalid && axi->arready) {
        d->read_out = true;
    }
    if (axi->rvalid && d->axi.rready) {
        uint8_t data[16];

        memcpy(data, &axi->rdata, 16);
        memcpy(&d->answer, data + b->address % 16 / 8 * 8, 8);
        d->refused += axi->rresp != AXI_OKAY;
        d->read_out = false;
        d->bursts_done++;
        d->aw_out++;
        d->w_out++;
    }
}

static void take_lite(struct nic_driver *d, const struct axil_from_sub *lite)
{
    bool answered = (lite->bvalid && d->lite.bready) || (lite->rvalid && d->lite.rready);

    d->lite_addr_out |= (d->lite.awvalid && lite->awready) || (d->lite.arvalid && lite->arready);
    d->lite_data_out |= d->lite.wvalid && lite->wready;
    if (lite->rvalid) {
        d->answer = d->register_answer = lite->rdata;
    }
    if (answered) {
        d->lite_refused += (lite->bvalid ? lite->bresp : lite->rresp) != AXI_OKAY;
        d->lite_addr_out = false;
        d->lite_data_out = false;
        d->regs_out++;
    }
}

void driver_take(struct nic_driver *d, const struct axi_from_sub *axi,
                 const struct axil_from_sub *lite)
{
    take_writes(d, axi);
    take_read(d, axi);
    take_lite(d, lite);
}

/* ---- what a process writes --------------------------------------------------------------------- */

/* n bytes from address on, in beats of 16. */
static struct driver_burst store(uint64_t address, const uint8_t *data, unsigned n)
{
    struct driver_burst b = {.address = address & ~(uint64_t)15};
    unsigned at = (unsigned)(address & 15);

    b.beats = (at + n + 15) / 16;
    memcpy(b.data + at, data, n);
    b.strobes = (n == 64 ? ~(uint64_t)0 : ((uint64_t)1 << n) - 1) << at;
    return b;
}

struct driver_burst store_word(unsigned descriptor, unsigned word, uint64_t value)
{
    uint8_t bytes[8];

    memcpy(bytes, &value, 8);
    return store((uint64_t)descriptor << 12 | word << 3, bytes, 8);
}

struct driver_burst store_put(unsigned descriptor, uint64_t offset, const uint8_t *data, unsigned n)
{
    return store(2 * WINDOW | (uint64_t)descriptor << NIC_WINDOW_LOG2 | offset, data, n);
}

struct driver_burst store_get(unsigned descriptor, uint64_t offset, uint64_t local_offset,
                              unsigned n, bool flagged)
{
    uint64_t control = local_offset | (uint64_t)(n / 4 - 1) << 40 | (uint64_t)flagged << 51;
    uint8_t bytes[8];

    memcpy(bytes, &control, 8);
    return store(3 * WINDOW | (uint64_t)descriptor << NIC_WINDOW_LOG2 | offset, bytes, 8);
}

struct driver_burst store_fetch(unsigned descriptor, uint64_t offset, uint64_t local_offset,
                                unsigned opcode, bool flagged)
{
    uint64_t control = local_offset | (uint64_t)opcode << 44 | (uint64_t)flagged << 51;
    uint8_t bytes[8];

    memcpy(bytes, &control, 8);
    return store(3 * WINDOW | (uint64_t)descriptor << NIC_WINDOW_LOG2 | offset, bytes, 8);
}

struct driver_burst store_launch(unsigned descriptor, uint64_t offset, bool get, uint64_t operand)
{
    uint64_t words[2] = {offset | (uint64_t)get << 63, operand};
    uint8_t bytes[16];

    memcpy(bytes, words, 16);
    return store((uint64_t)descriptor << 12 | 24 << 3, bytes, 16);
}

struct driver_burst store_queue(unsigned queue, uint64_t value)
{
    uint8_t bytes[8];

    memcpy(bytes, &value, 8);
    return store(WINDOW | (uint64_t)queue << 12, bytes, 8);
}
