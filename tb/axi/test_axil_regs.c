// SPDX-License-Identifier: Apache-2.0
/*
 * test_axil_regs.c - axil_regs between a host that does everything AXI4-Lite allows and a register bus that answers when it likes.
 *
 * The golden side is a memory of all registers, written when the bus is, and two lists: what the host asked for, in the order
 * of its acceptance, must be answered in that order; an access reaches the bus once, and only if it is whole.
 */
#include "tb/base/harness.h"
#include "axi/axil_regs.h"

enum { CLOCKS = 400000, REGS = 1 << 16, DEEP = 8, PATIENT = 200 };

struct access {
    uint32_t addr;
    uint64_t data;
    uint8_t strb;
};

struct list {
    struct access of[DEEP];
    unsigned begun, ended;
};

static struct axil_regs dut;
static struct axil_regs_in in;
static struct rng r;
static uint64_t now, memory[REGS];
static struct list aw, w, ar; /* taken, not answered */
static unsigned wait_bus, quiet;
static bool asked, bus_write;
static uint64_t wrong, writes, reads, refused, both;
static const char *fault = "nothing";

static void check(bool pass, const char *what)
{
    fault = pass || wrong ? fault : what;
    wrong += !pass;
}

static bool often(unsigned in_16)
{
    return rng_below(&r, 16) < in_16;
}

static uint32_t some_address(void)
{
    const uint32_t odd = often(2) ? rng_below(&r, 8) : 0;
    return rng_below(&r, 16) * (often(8) ? 8 : 8 * 4096) % (REGS * 8) + odd;
}

static void push(struct list *l, struct access a)
{
    l->of[l->ended++ % DEEP] = a;
}

/* What the host offers stays until it is taken. */
static void host_offers(void)
{
    struct axil_to_sub *h = &in.s_axil;
    if (!h->awvalid && often(6)) {
        h->awvalid = 1;
        h->awaddr = (uint(19))some_address();
    }
    if (!h->wvalid && often(6)) {
        h->wvalid = 1;
        h->wdata = rng_next(&r);
        h->wstrb = often(14) ? 0xFF : (u8)rng_below(&r, 256);
    }
    if (!h->arvalid && often(6)) {
        h->arvalid = 1;
        h->araddr = (uint(19))some_address();
    }
    h->bready = often(10);
    h->rready = often(10);
}

/* The bus answers for one clock, some clocks after it was asked. */
static void bus_answers(void)
{
    const struct reg_request *ask = &dut.out.bus;
    const bool answered = in.bus.ready;
    in.bus = (struct reg_reply){.rdata = rng_next(&r)};
    if (!ask->valid || answered) {
        asked = false;
        return;
    }
    if (!asked) {
        asked = true;
        wait_bus = often(8) ? 0 : rng_below(&r, 20);
        bus_write = ask->write;
    }
    if (wait_bus-- > 0)
        return;
    const struct list *l = ask->write ? &aw : &ar;
    const struct access *a = &l->of[l->begun % DEEP];
    check(l->begun != l->ended && a->addr % 8 == 0 && ask->addr == a->addr / 8,
          "the bus is asked for what nobody wants");
    if (ask->write) {
        check(w.begun != w.ended && w.of[w.begun % DEEP].strb == 0xFF &&
                  ask->wdata == w.of[w.begun % DEEP].data,
              "other data is written");
        memory[ask->addr] = ask->wdata;
    }
    in.bus = (struct reg_reply){.ready = 1, .rdata = memory[ask->addr]};
}

/* Handshakes of this clock, by what was offered on both sides before it. */
static void count(const struct axil_from_sub *s)
{
    struct axil_to_sub *h = &in.s_axil;
    if (h->awvalid && s->awready) {
        push(&aw, (struct access){.addr = (uint32_t)h->awaddr});
        h->awvalid = 0;
    }
    if (h->wvalid && s->wready) {
        push(&w, (struct access){.data = h->wdata, .strb = h->wstrb});
        h->wvalid = 0;
    }
    if (h->arvalid && s->arready) {
        push(&ar, (struct access){.addr = (uint32_t)h->araddr});
        h->arvalid = 0;
    }
    if (s->bvalid && h->bready) {
        const bool good = aw.of[aw.begun % DEEP].addr % 8 == 0 && w.of[w.begun % DEEP].strb == 0xFF;
        check(aw.begun != aw.ended && w.begun != w.ended, "an answer to no write");
        check(s->bresp == (good ? 0 : 2), "BRESP");
        check(!good || memory[aw.of[aw.begun % DEEP].addr / 8] == w.of[w.begun % DEEP].data,
              "answered OKAY and not written");
        aw.begun++, w.begun++, writes++;
        refused += !good;
    }
    if (s->rvalid && h->rready) {
        const struct access *a = &ar.of[ar.begun % DEEP];
        check(ar.begun != ar.ended, "an answer to no read");
        check(s->rresp == (a->addr % 8 ? 2 : 0), "RRESP");
        check(s->rdata == (a->addr % 8 ? 0 : memory[a->addr / 8]), "RDATA");
        ar.begun++, reads++;
        refused += a->addr % 8 != 0;
    }
}

static void step(void)
{
    const struct axil_from_sub before = dut.out.s_axil;
    struct axil_regs_in seen;
    host_offers();
    bus_answers();
    seen = in;
    count(&before);
    axil_regs(&dut, &seen);
    now++;
    if (before.bvalid && !seen.s_axil.bready)
        check(dut.out.s_axil.bvalid && dut.out.s_axil.bresp == before.bresp, "B changes");
    if (before.rvalid && !seen.s_axil.rready)
        check(dut.out.s_axil.rvalid && dut.out.s_axil.rdata == before.rdata, "R changes");
    both += aw.begun != aw.ended && w.begun != w.ended && ar.begun != ar.ended;
    const bool waits = (aw.begun != aw.ended && w.begun != w.ended) || ar.begun != ar.ended;
    quiet = waits && !(before.bvalid || before.rvalid || dut.out.bus.valid) ? quiet + 1 : 0;
    check(quiet < PATIENT, "nothing happens any more");
}

static void reset(void)
{
    axil_regs_reset(&dut);
    in = (struct axil_regs_in){0};
    aw = w = ar = (struct list){0};
    asked = false;
    quiet = 0;
}

int main(int argc, char **argv)
{
    rng_seed(&r, test_seed(argc, argv));
    harness_clock = &now;
    for (unsigned life = 0; life < 20; life++) {
        reset();
        check(!dut.out.s_axil.awready && !dut.out.s_axil.bvalid && !dut.out.bus.valid,
              "after reset");
        for (unsigned i = 0; i < CLOCKS / 20; i++)
            step();
    }
    if (wrong)
        tap_why("%s", fault);
    tap_ok(wrong == 0, "each access reaches the bus once, and is answered with what is true");
    tap_ok(writes > 10000 && reads > 10000 && refused > 2000 && both > 10000,
           "reads, writes, both at once, and such as are refused");
    const uint64_t w_before = writes, r_before = reads;
    for (unsigned i = 0; i < 20000; i++)
        step();
    const double share = (double)(writes - w_before) / (double)(reads - r_before);
    tap_ok(share > 0.8 && share < 1.25, "reads and writes take turns");
    tap_ok(harness_covers("hls/axi/axil_regs.c") == 2, "all covers are hit");
    return tap_done();
}
