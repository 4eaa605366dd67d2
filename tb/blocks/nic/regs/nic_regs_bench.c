// SPDX-License-Identifier: Apache-2.0
/*
 * nic_regs_bench.c - see nic_regs_bench.h.
 */
#include "tb/blocks/nic/regs/nic_regs_bench.h"

uint64_t door_timer_value(unsigned number)
{
    return UINT64_C(0x9E3779B97F4A7C15) * (number + 1);
}

/* As hpet does: a register that is asked for is there a clock later. */
static void tick_timer(struct door *b)
{
    b->in.timer = door_timer_value(b->timer_read);
    b->timer_read = (unsigned)b->dut.out.timer.read;
    b->in.owned = (struct owned_value){.known = b->read == OWNED, .data = b->owned};
    b->read = (unsigned)b->dut.out.read;
    if (b->dut.out.timer.write) {
        b->timer = b->dut.out.timer;
        b->timer_writes++;
    }
    b->in.timers = 0;
    b->in.clock = 0;
}

void door_tick(struct door *b)
{
    nic_regs(&b->dut, &b->in);
    tick_timer(b);
    b->clock++;
    for (int i = 0; i < COUNTER_COUNT; i++) {
        b->counted[i] += (uint64_t)(b->in.count >> i) & 1;
    }
    b->rmt_halves += b->dut.out.config.rmt;
    b->added[0] += (uint64_t)b->in.sent.request_bytes;
    b->added[1] += (uint64_t)b->in.sent.request_flits;
    b->added[2] += (uint64_t)b->in.sent.response_bytes;
    b->added[3] += (uint64_t)b->in.received.request_bytes;
    b->added[4] += (uint64_t)b->in.received.response_flits;
    if (b->dut.out.write.valid) {
        b->last = b->dut.out.write;
        b->writes++;
    }
    b->settles += b->dut.out.settle;
    b->epochs += b->dut.out.config.epoch;
    b->halves += b->dut.out.config.half && !b->was_half;
    b->was_half = (b->was_half || b->dut.out.config.half) && !b->dut.out.config.epoch;
    b->wiped += b->dut.out.wipe.valid;
    b->in.count = 0;
    b->in.raised = 0;
    b->in.sent = (struct nic_sent){};
    b->in.received = (struct nic_received){};
    b->in.time.valid = 0;
}

unsigned door_put_strobed(struct door *b, uint32_t byte, uint64_t data, uint8_t strobes)
{
    bool addr = false, word = false;
    unsigned response;

    for (int patience = 20000; !(addr && word); patience--) {
        b->in.s_axil.awvalid = b->in.s_axil.awvalid || (!addr && !rng_chance(&b->rng, b->slow));
        b->in.s_axil.wvalid = b->in.s_axil.wvalid || (!word && !rng_chance(&b->rng, b->slow));
        b->in.s_axil.awaddr = (uint(AXI_LITE_BITS))byte;
        b->in.s_axil.wdata = data;
        b->in.s_axil.wstrb = strobes;
        addr |= b->in.s_axil.awvalid && b->dut.out.s_axil.awready;
        word |= b->in.s_axil.wvalid && b->dut.out.s_axil.wready;
        door_tick(b);
        b->in.s_axil.awvalid = b->in.s_axil.awvalid && !addr;
        b->in.s_axil.wvalid = b->in.s_axil.wvalid && !word;
        if (patience == 0) {
            return 99;
        }
    }
    for (int patience = 20000;; patience--) {
        bool ready = !rng_chance(&b->rng, b->slow), valid = b->dut.out.s_axil.bvalid;

        response = (unsigned)b->dut.out.s_axil.bresp;
        b->in.s_axil.bready = ready;
        door_tick(b);
        if ((ready && valid) || patience == 0) {
            return patience == 0 ? 99 : response;
        }
    }
}

unsigned door_put(struct door *b, uint16_t address, uint64_t data)
{
    return door_put_strobed(b, (uint32_t)address * 8, data, 0xFF);
}

unsigned door_get_byte(struct door *b, uint32_t byte, uint64_t *data)
{
    b->in.s_axil.arvalid = 1;
    b->in.s_axil.araddr = (uint(AXI_LITE_BITS))byte;
    while (!b->dut.out.s_axil.arready) {
        door_tick(b);
    }
    door_tick(b);
    b->in.s_axil.arvalid = 0;
    for (;;) {
        bool ready = !rng_chance(&b->rng, b->slow), valid = b->dut.out.s_axil.rvalid;
        unsigned response = (unsigned)b->dut.out.s_axil.rresp;

        *data = b->dut.out.s_axil.rdata;
        b->in.s_axil.rready = ready;
        door_tick(b);
        if (ready && valid) {
            return response;
        }
    }
}

uint64_t door_get(struct door *b, uint16_t address)
{
    uint64_t data;

    return door_get_byte(b, (uint32_t)address * 8, &data) == OKAY ? data : ~(uint64_t)0;
}

void door_start(struct door *b, uint64_t seed)
{
    *b = (struct door){.in.idle = 1};
    nic_regs_reset(&b->dut);
    b->wiped = b->dut.out.wipe.valid; /* no block has a clock before it */
    rng_seed(&b->rng, seed);
}

void door_wait_ready(struct door *b)
{
    while (!b->dut.out.config.ready && b->clock < 10000) {
        door_tick(b);
    }
}
