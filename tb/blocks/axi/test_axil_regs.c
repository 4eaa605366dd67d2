// SPDX-License-Identifier: Apache-2.0
/*
 * test_axil_regs.c - axil_regs between a host that does everything AXI4-Lite allows and a register bus that answers when it likes.
 *
 * The golden side is a memory of registers, some of which are read-only or absent, written when the bus is, and lists: what the host
 * asked for, in the order of its acceptance, must be answered in that order on each channel; an access reaches the bus once, and
 * only if it is whole. While a host holds B for ever reads go on, and writes while it holds R.
 *
 * Built for aries: san. Recorded for axil_regs.
 */
#include <inttypes.h>

#include "tb/base/harness.h"
#include "axi/axil_regs.h"

enum { CLOCKS = 400000, REGS = 1 << 16, DEEP = 8, PATIENT = 200 };

struct access {
    uint32_t addr;
    uint64_t data; /* of a read: what the bus had */
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
static bool hold_b, hold_r; /* the host takes none of these any more */
static int last;            /* 1: a write was served last */
static uint64_t writes, reads, refused, both;
static struct misses wrong;

static void check(bool pass, const char *what)
{
    must(&wrong, pass, "%s", what);
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

/* Registers of the bus: the last two of sixteen are absent, the one before is read-only. */
static bool exists(uint32_t addr, bool write)
{
    return addr % 16 < (write ? 13u : 14u);
}

/* What an access that is not whole, or of no such register, is answered. */
static bool is_good(const struct access *a, bool write, uint8_t strb)
{
    return a->addr % 8 == 0 && (!write || strb == 0xFF) && exists(a->addr / 8, write);
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
    h->bready = !hold_b && often(10);
    h->rready = !hold_r && often(10);
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
    struct access *a = ask->write ? &aw.of[aw.begun % DEEP] : &ar.of[ar.begun % DEEP];
    check(l->begun != l->ended && a->addr % 8 == 0, "the bus is asked for what nobody wants");
    must_equal(&wrong, ask->addr, a->addr / 8, "address on the bus");
    if (ask->write) {
        check(w.begun != w.ended && w.of[w.begun % DEEP].strb == 0xFF,
              "written without a whole word of data");
        must_equal(&wrong, ask->wdata, w.of[w.begun % DEEP].data, "data written to %u",
                   (unsigned)ask->addr);
        if (exists(ask->addr, true))
            memory[ask->addr] = ask->wdata;
    } else {
        a->data = memory[ask->addr];
    }
    in.bus = (struct reg_reply){
        .ready = 1, .error = !exists(ask->addr, ask->write), .rdata = memory[ask->addr]};
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
        /* holds axil_regs.slverr */
        const bool good = is_good(&aw.of[aw.begun % DEEP], true, w.of[w.begun % DEEP].strb);
        check(aw.begun != aw.ended && w.begun != w.ended, "an answer to no write");
        must_equal(&wrong, s->bresp, good ? 0 : 2, "BRESP of byte %u", aw.of[aw.begun % DEEP].addr);
        if (good)
            must_equal(&wrong, memory[aw.of[aw.begun % DEEP].addr / 8], w.of[w.begun % DEEP].data,
                       "byte %u of memory behind OKAY", aw.of[aw.begun % DEEP].addr);
        aw.begun++, w.begun++, writes++;
        refused += !good;
    }
    if (s->rvalid && h->rready) {
        const struct access *a = &ar.of[ar.begun % DEEP];
        check(ar.begun != ar.ended, "an answer to no read");
        const bool good = is_good(a, false, 0);
        must_equal(&wrong, s->rresp, good ? 0 : 2, "RRESP of byte %u", a->addr);
        must_equal(&wrong, s->rdata, good ? a->data : 0, "RDATA of byte %u", a->addr);
        ar.begun++, reads++;
        refused += !good;
    }
}

/* Whether one that was taken in an earlier clock can be served: its answer has a place. */
static bool ready(unsigned taken, bool valid, bool leaves)
{
    return taken > valid && (!valid || leaves);
}

/* holds axil_regs.turns: of two that can be served the kind goes that was not served last; `write`, `read`: can they? */
static void watch_turns(const struct axil_regs_out *before, const struct axil_to_sub *host,
                        bool write, bool read)
{
    const struct axil_from_sub *s = &dut.out.s_axil;

    if (before->bus.valid)
        return;
    if (dut.out.bus.valid) {
        check(!write || !read || (int)dut.out.bus.write != last, "not its turn");
        last = (int)dut.out.bus.write;
    } else if (s->bvalid && (!before->s_axil.bvalid || host->bready)) {
        last = 1; /* refused without the bus */
    } else if (s->rvalid && (!before->s_axil.rvalid || host->rready)) {
        last = 0;
    }
}

static void step(void)
{
    const struct axil_regs_out outputs = dut.out;
    const struct axil_from_sub before = dut.out.s_axil;
    struct axil_regs_in seen;
    host_offers();
    bus_answers();
    seen = in;
    const unsigned pairs = (aw.ended < w.ended ? aw.ended : w.ended) - aw.begun;
    const bool write = ready(pairs, before.bvalid, seen.s_axil.bready);
    const bool read = ready(ar.ended - ar.begun, before.rvalid, seen.s_axil.rready);
    count(&before);
    axil_regs(&dut, &seen);
    now++;
    watch_turns(&outputs, &seen.s_axil, write, read);
    /* holds axil_regs.pace: an answer stays until it is taken */
    if (before.bvalid && !seen.s_axil.bready)
        check(dut.out.s_axil.bvalid && dut.out.s_axil.bresp == before.bresp, "B changes");
    if (before.rvalid && !seen.s_axil.rready)
        check(dut.out.s_axil.rvalid && dut.out.s_axil.rdata == before.rdata, "R changes");
    both += aw.begun != aw.ended && w.begun != w.ended && ar.begun != ar.ended;
    /* a B that the host holds is written, and ends no wait but that of writes */
    const bool write_waits = aw.begun != aw.ended && w.begun != w.ended && !hold_b;
    const bool read_waits = ar.begun != ar.ended && !hold_r;
    const bool moves =
        (before.bvalid && !hold_b) || (before.rvalid && !hold_r) || dut.out.bus.valid;
    quiet = (write_waits || read_waits) && !moves ? quiet + 1 : 0;
    check(quiet < PATIENT, "nothing happens any more");
}

static void reset(void)
{
    axil_regs_reset(&dut);
    in = (struct axil_regs_in){0};
    aw = w = ar = (struct list){0};
    asked = false;
    quiet = 0;
    last = 0;
}

/* Writes and reads that are answered within some clocks. */
static void run(unsigned clocks, bool holds_b, bool holds_r, uint64_t done[2])
{
    const uint64_t w_before = writes, r_before = reads;
    hold_b = holds_b;
    hold_r = holds_r;
    for (unsigned i = 0; i < clocks; i++)
        step();
    done[0] = writes - w_before;
    done[1] = reads - r_before;
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
    /* holds axil_regs.taken: AW and W at random, in any order */
    tap_misses(&wrong, "each access reaches the bus once, and is answered with what is true");
    tap_ok(writes > 10000 && reads > 10000 && refused > 2000 && both > 10000,
           "reads, writes, both at once, and such as are refused");
    uint64_t done[2];
    run(20000, false, false, done);
    const double share = (double)done[0] / (double)done[1];
    tap_ok(share > 0.8 && share < 1.25, "reads and writes take turns");
    /* holds axil_regs.held */
    run(20000, true, false, done);
    tap_ok(done[0] == 0 && done[1] > 1000, "B is held for ever: %" PRIu64 " reads go on", done[1]);
    run(20000, false, false, done);
    run(20000, false, true, done);
    tap_ok(done[0] > 1000 && done[1] == 0, "R is held for ever: %" PRIu64 " writes go on", done[0]);
    run(20000, false, false, done);
    tap_ok(misses_why(&wrong) && done[0] > 1000 && done[1] > 1000, "and both when it is taken");
    tap_ok(harness_covers("hls/axi/axil_regs.c") == 3, "all covers are hit");
    return tap_done();
}
