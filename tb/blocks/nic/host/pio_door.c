// SPDX-License-Identifier: Apache-2.0
/*
 * pio_door.c - the manager's channels; fma and cq.
 */
#include "tb/blocks/nic/host/pio_door.h"

#include <stdio.h>
#include <string.h>

uint64_t door_now;

void door_start(struct door *d, uint64_t seed)
{
    memset(d, 0, sizeof *d);
    pio_reset(&d->dut);
    rng_seed(&d->rng, seed);
    d->in.config.ready = d->in.config.enable = 1;
    d->offer = d->ready = 1;
    d->illegal = 20;
}

/* ---- its channels ------------------------------------------------------------------------------- */

static void drive_addresses(struct door *d)
{
    struct axi_to_sub *axi = &d->in.s_axi;
    struct queue *w = &d->writes, *r = &d->reads;

    axi->awvalid =
        (axi->awvalid || (!d->no_writes && rng_chance(&d->rng, d->offer))) && w->aw != w->in;
    if (axi->awvalid) {
        const struct burst *b = &w->burst[w->aw % WAITING];
        axi->awid = (axi_id)b->id;
        axi->awaddr = (uint(AXI_BAR_BITS))b->addr;
        axi->awlen = (u8)b->len;
        axi->awsize = (u3)b->size;
        axi->awburst = (u2)b->kind;
    }
    axi->arvalid =
        (axi->arvalid || (!d->no_reads && rng_chance(&d->rng, d->offer))) && r->aw != r->in;
    if (axi->arvalid) {
        const struct burst *b = &r->burst[r->aw % WAITING];
        axi->arid = (axi_id)b->id;
        axi->araddr = (uint(AXI_BAR_BITS))b->addr;
        axi->arlen = (u8)b->len;
        axi->arsize = (u3)b->size;
        axi->arburst = (u2)b->kind;
    }
}

static void drive_data(struct door *d)
{
    struct axi_to_sub *axi = &d->in.s_axi;
    struct queue *w = &d->writes;

    axi->wvalid =
        (axi->wvalid || (!d->no_writes && rng_chance(&d->rng, d->offer))) && w->w != w->in;
    if (axi->wvalid) {
        const struct burst *b = &w->burst[w->w % WAITING];
        unsigned chunk = ((unsigned)b->addr >> 4) + w->beat & 3;

        axi->wdata = 0;
        axi->wstrb = 0;
        for (unsigned i = 0; i < 16; i++) {
            axi->wdata |= (beat_data)b->byte[16 * chunk + i] << 8 * i;
            axi->wstrb |= (u16)((u16)b->strobe[16 * chunk + i] << i);
        }
        axi->wlast = w->beat + 1 == b->beats;
    }
    axi->bready = rng_chance(&d->rng, d->ready);
    axi->rready = rng_chance(&d->rng, d->ready);
}

/* What was taken in the call that is made now. */
static void handshakes(struct door *d)
{
    const struct axi_to_sub *to = &d->in.s_axi;
    const struct axi_from_sub *from = &d->dut.out.s_axi;
    struct queue *w = &d->writes, *r = &d->reads;

    if (to->awvalid && from->awready) {
        w->aw++;
    }
    if (to->arvalid && from->arready) {
        r->aw++;
    }
    if (to->wvalid && from->wready) {
        const struct burst *b = &w->burst[w->w % WAITING];
        w->beat = to->wlast ? 0 : w->beat + 1;
        w->w += b != 0 && to->wlast;
    }
    /* a response stays as it is until it is taken */
    if (d->last.bvalid && !d->last_bready &&
        (!from->bvalid || from->bid != d->last.bid || from->bresp != d->last.bresp)) {
        miss(&d->wrong, "B changed before it was taken: valid %u id %u resp %u, expected 1 %u %u",
             (unsigned)from->bvalid, (unsigned)from->bid, (unsigned)from->bresp,
             (unsigned)d->last.bid, (unsigned)d->last.bresp);
    }
    if (d->last.rvalid && !d->last_rready &&
        (!from->rvalid || from->rid != d->last.rid || from->rresp != d->last.rresp ||
         from->rdata != d->last.rdata || from->rlast != d->last.rlast)) {
        miss(&d->wrong,
             "R changed before it was taken: valid %u id %u resp %u last %u data %#llx, expected 1 "
             "%u %u "
             "%u %#llx",
             (unsigned)from->rvalid, (unsigned)from->rid, (unsigned)from->rresp,
             (unsigned)from->rlast, (unsigned long long)from->rdata, (unsigned)d->last.rid,
             (unsigned)d->last.rresp, (unsigned)d->last.rlast, (unsigned long long)d->last.rdata);
    }
    d->last = *from;
    d->last_bready = to->bready;
    d->last_rready = to->rready;
}

/* What pio counts of a burst that is over. */
static void count_burst(struct door *d, const struct burst *b)
{
    if (b->reason != 0) {
        d->expected[b->reason - 1]++;
    }
    d->refused += b->legal && b->refused;
    d->illegal_seen += !b->legal;
    d->responses++;
}

/* The NIC was disabled before the read. */
static void cut_short(struct door *d, struct burst *b, axi_resp resp)
{
    if (d->toggles && b->read && resp == 2 && b->legal && b->answered < b->runs) {
        b->runs = b->answered;
        b->refused = true;
        b->reason = 1 + PIO_DISABLED;
    }
}

static void check_response(struct door *d)
{
    const struct axi_to_sub *to = &d->in.s_axi;
    const struct axi_from_sub *from = &d->dut.out.s_axi;

    if (from->bvalid && to->bready) {
        struct burst *b = &d->writes.burst[d->writes.out % WAITING];

        cut_short(d, b, from->bresp);
        if (d->writes.out == d->writes.w || d->writes.out == d->writes.aw || from->bid != b->id ||
            from->bresp != (b->legal && !b->refused ? 0 : 2) || b->answered != b->runs) {
            miss(&d->wrong,
                 "burst %u: B id %u resp %u, expected %u %u; %u of %u addresses, %u of its %u runs "
                 "answered",
                 d->writes.out, (unsigned)from->bid, (unsigned)from->bresp, b->id,
                 b->legal && !b->refused ? 0 : 2, d->writes.aw, d->writes.w, b->answered, b->runs);
        }
        count_burst(d, b);
        d->writes.out++;
    }
    if (from->rvalid && to->rready) {
        struct burst *b = &d->reads.burst[d->reads.out % WAITING];

        cut_short(d, b, from->rresp);
        bool ok = b->legal && !b->refused;

        d->rleft = d->rleft == 0 ? b->len + 1 : d->rleft;
        d->rleft--;
        if (d->reads.out == d->reads.aw || from->rid != b->id || from->rresp != (ok ? 0 : 2) ||
            (uint64_t)from->rdata != (ok ? b->data : 0) || from->rdata >> 64 != 0 ||
            from->rlast != (d->rleft == 0) || b->answered != b->runs) {
            miss(&d->wrong,
                 "read %u: R id %u resp %u last %u data %#llx, expected %u %u %u %#llx; %u of its "
                 "%u "
                 "runs answered",
                 d->reads.out, (unsigned)from->rid, (unsigned)from->rresp, (unsigned)from->rlast,
                 (unsigned long long)from->rdata, b->id, ok ? 0 : 2, d->rleft == 0,
                 (unsigned long long)(ok ? b->data : 0), b->answered, b->runs);
        }
        d->r_beats++;
        if (d->rleft == 0) {
            count_burst(d, b);
            d->reads.out++;
        }
    }
}

/* ---- fma and cq --------------------------------------------------------------------------------- */

/* The burst whose run this is: of writes or reads the first that is not answered, passing over those without runs. */
static struct burst *asked(struct door *d, bool read)
{
    struct queue *q = read ? &d->reads : &d->writes;

    for (;;) {
        struct burst *b = &q->burst[q->run % WAITING];

        while (b->legal && b->answered < b->runs && b->run[b->answered].dropped) {
            b->answered++;
            d->expected[PIO_NO_WORD]++;
        }
        if (q->run == q->in || b->answered < b->runs) {
            return b;
        }
        q->run++;
    }
}

static void take_run(struct door *d, const struct pio_run *run)
{
    struct burst *b = asked(d, run->read);
    bool shut = d->shut && !b->read;
    bool refuse = rng_chance(&d->rng, 0.05) || b->gone || shut;
    uint64_t data = rng_next(&d->rng);

    d->gone += b->gone;
    d->shuts += shut;
    if (b->answered >= b->runs || b->region == 1 || run->region != b->region ||
        run->gone != b->gone || run->shut != shut || run->unit != b->unit ||
        run->offset != b->run[b->answered].offset ||
        (!b->read && run->bytes + 1u != b->run[b->answered].bytes)) {
        miss(&d->wrong,
             "run region %u unit %u offset %x bytes %u gone %u shut %u, expected %d %u %x %u %u %u",
             (unsigned)run->region, (unsigned)run->unit, (unsigned)run->offset,
             (unsigned)run->bytes + 1, (unsigned)run->gone, (unsigned)run->shut, b->region, b->unit,
             b->run[b->answered].offset, b->run[b->answered].bytes, b->gone, shut);
        d->fma = (struct page_reply){.valid = 1};
        return;
    }
    for (unsigned i = 0; !b->read && i < b->run[b->answered].bytes; i++) {
        unsigned at = (b->run[b->answered].offset + i) % 64;

        must_equal(&d->wrong, d->store[run->line][at], b->byte[at], "unit %u: byte %u of line %u",
                   b->unit, at, (unsigned)run->line);
    }
    b->answered++;
    b->refused |= refuse;
    b->data = data;
    d->fma = (struct page_reply){.valid = 1, .refused = refuse, .data = data};
    d->runs++;
}

static void take_access(struct door *d, const struct page_access *a)
{
    struct burst *b = asked(d, !a->write);
    bool refuse = rng_chance(&d->rng, 0.05);
    uint64_t data = rng_next(&d->rng), word = 0;

    for (unsigned i = 0; i < 4; i++) {
        word |= (uint64_t)b->byte[i] << 8 * i;
    }
    if (b->answered >= b->runs || b->region != 1 || a->unit != b->unit ||
        a->word != b->run[b->answered].offset / 8 ||
        (a->write && a->word % 8 == 0 && a->data != word)) {
        miss(&d->wrong,
             "%s of queue %u word %u data %#llx, expected region 1: %d, %u %u %#llx, run %u of %u",
             a->write ? "write" : "read", (unsigned)a->unit, (unsigned)a->word,
             (unsigned long long)a->data, b->region, b->unit, b->run[b->answered].offset / 8,
             (unsigned long long)word, b->answered, b->runs);
    }
    b->answered++;
    b->refused |= refuse;
    b->data = data;
    d->cq = (struct page_reply){.valid = 1, .refused = refuse, .data = data};
    d->runs++;
}

/* Their next registers, from what pio's registers say. */
static void neighbours(struct door *d, const struct pio_out *out)
{
    const struct page_reply fma = d->fma;

    d->fma = (struct page_reply){};
    d->cq = (struct page_reply){};
    if (d->accessed && d->patience-- == 0) {
        take_access(d, &d->access);
        d->accessed = false;
    }
    if (out->access.valid) {
        if (d->accessed || d->pending) {
            miss(&d->wrong, "queue %u word %u is asked for while %s waits",
                 (unsigned)out->access.unit, (unsigned)out->access.word,
                 d->accessed ? "an access" : "a run");
        }
        d->access = out->access;
        d->accessed = true;
        d->patience = rng_chance(&d->rng, d->slow) ? rng_below(&d->rng, 20) : 0;
    }
    if (out->run.valid && !fma.valid) {
        if (!d->pending) {
            d->patience = rng_chance(&d->rng, d->slow) ? rng_below(&d->rng, 20) : 0;
            d->shut = !d->enabled;
        }
        d->pending = d->patience-- != 0;
        if (!d->pending) {
            take_run(d, &out->run);
        }
    } else if (!out->run.valid && d->pending) {
        miss(&d->wrong, "a run went away before it was answered, %u of %u writes, %u of %u reads",
             d->writes.out, d->writes.in, d->reads.out, d->reads.in);
        d->pending = false;
    }
    if (out->chunk.valid) {
        for (unsigned i = 0; i < 16; i++) {
            d->store[out->chunk.place >> 2][16 * (out->chunk.place & 3) + i] =
                (uint8_t)(out->chunk.data >> 8 * i);
        }
    }
}

/*
 * The driver writes something; a descriptor that it disables takes with it the stores whose address pio has, as far as their runs were
 * not taken. had: addresses taken before this clock.
 */
static void drive_write(struct door *d, unsigned had)
{
    struct queue *w = &d->writes;
    unsigned unit = w->run != w->in ? w->burst[(w->run + rng_below(&d->rng, 4)) % WAITING].unit
                                    : rng_below(&d->rng, NIC_FMAS);
    bool enables = rng_below(&d->rng, 3) == 0, other = rng_below(&d->rng, 4) == 0;

    d->in.write.valid = rng_chance(&d->rng, d->disables) && unit < NIC_FMAS;
    d->in.write.addr = (u16)((other ? 0x2000 : 0x1000) + 4 * unit + rng_below(&d->rng, 2) * other);
    d->in.write.data = rng_next(&d->rng) & ~((uint64_t)1 << 57);
    d->in.write.data |= (uint64_t)enables << 57;
    if (!d->in.write.valid || enables || other) {
        return;
    }
    for (unsigned n = w->run; (int)(had - n) > 0; n++) {
        struct burst *b = &w->burst[n % WAITING];

        b->gone |= b->region != 1 && b->unit == unit;
    }
}

void door_step(struct door *d)
{
    const struct pio_out out = d->dut.out;
    const unsigned had = d->writes.aw;

    asked(d, false); /* those that are over give their place to new ones */
    asked(d, true);
    if (!d->quiet) {
        if (d->writes.in - d->writes.out < WAITING) {
            door_draw(d, &d->writes, false);
        }
        if (d->reads.in - d->reads.out < WAITING && !d->whole_lines && !d->singles) {
            door_draw(d, &d->reads, true);
        }
    }
    drive_addresses(d);
    drive_data(d);
    d->in.fma = d->fma;
    d->in.cq = d->cq;
    handshakes(d);
    check_response(d);
    neighbours(d, &out);
    drive_write(d, had);
    d->enabled = d->in.config.enable;
    pio(&d->dut, &d->in);
    for (unsigned i = 0; i < PIO_COUNTS; i++) {
        d->counted[i] += (u1)(d->dut.out.count >> i);
    }
    door_now++;
}

/* ---- tests -------------------------------------------------------------------------------------- */

void door_run(struct door *d, unsigned clocks)
{
    for (unsigned n = 0; n < clocks; n++) {
        door_step(d);
    }
}

bool door_drain(struct door *d)
{
    d->quiet = true;
    d->offer = d->ready = 1;
    d->slow = 0;
    for (unsigned n = 0;
         n < 40000 && (d->writes.out != d->writes.in || d->reads.out != d->reads.in); n++) {
        door_step(d);
    }
    door_run(d, 20);
    bool idle = d->writes.out == d->writes.in && d->reads.out == d->reads.in;

    for (unsigned i = 0; i < PIO_COUNTS; i++) {
        must_equal(&d->wrong, d->counted[i], d->expected[i], "counter %u", i);
    }
    must(&d->wrong, idle, "not all is answered: %u of %u writes, %u of %u reads",
         (unsigned)d->writes.out, (unsigned)d->writes.in, (unsigned)d->reads.out,
         (unsigned)d->reads.in);
    return misses_why(&d->wrong);
}
