// SPDX-License-Identifier: Apache-2.0
/*
 * axi_abuser.c - bursts drawn at random, and their channels one by one.
 */
#include "tb/models/axi_abuser.h"

#include <string.h>

#include "nic/host/pio.h"

enum { FIXED = 0, INCR = 1, WRAP = 2, PAGE = 4096 };

static bool chance(struct rng *r, unsigned in_256)
{
    return rng_below(r, 256) < in_256;
}

void abuser_start(struct abuser *a, uint64_t seed)
{
    memset(a, 0, sizeof *a);
    rng_seed(&a->rng, seed);
    a->mood = (struct abuser_mood){128, 128, 128, 128, 128, 128, false, false};
}

/* ---- bursts --------------------------------------------------------------------------------------- */

struct shape {
    uint64_t addr;
    unsigned len, size, burst;
};

/* A burst that AXI4 allows; half of them are such as the NIC does: INCR of whole beats in a line. */
static struct shape draw(struct rng *r)
{
    struct shape s = {.addr = rng_next(r) & ((1ull << AXI_BAR_BITS) - 1), .size = 4, .burst = INCR};

    if (s.addr >> (AXI_BAR_BITS - 2) ==
        0) /* pages of the lower descriptors are the bench's: they stay open */
        s.addr |= 1ull << (PAGE_BITS + NIC_FMA_LOG2 - 1);

    if (rng_below(r, 2)) {
        s.addr = s.addr / 16 * 16;
        s.len = rng_below(r, 4 - s.addr / 16 % 4);
        return s;
    }
    s.size = rng_below(r, 5);
    s.burst = rng_below(r, 3);
    if (s.burst == WRAP) {
        s.len = (2u << rng_below(r, 4)) - 1;
        s.addr = s.addr >> s.size << s.size;
        return s;
    }
    s.len = rng_below(r, s.burst == FIXED ? 16 : rng_below(r, 8) ? 8 : 256);
    if (s.burst == INCR) {
        const uint64_t beat = 1u << s.size, left = (PAGE - s.addr % PAGE + beat - 1) / beat;
        s.len = s.len < left ? s.len : (unsigned)left - 1;
    }
    return s;
}

/* The lanes of beat n (ARM IHI 0022, address of each beat of a burst). */
static uint16_t lanes(const struct shape *s, unsigned n)
{
    const unsigned beat = 1u << s->size, total = beat * (s->len + 1);
    const unsigned aligned = (unsigned)(s->addr % PAGE) / beat * beat;
    const unsigned low = (unsigned)(s->addr % PAGE) / total * total;
    unsigned at = s->burst == FIXED ? aligned : aligned + n * beat;
    unsigned skip = n == 0 || s->burst == FIXED ? (unsigned)(s->addr % beat) : 0;

    if (s->burst == WRAP)
        at = low + (aligned - low + n * beat) % total;
    return (uint16_t)(((1u << beat) - 1) >> skip << (at % 16 + skip));
}

static void note_shape(struct abuser *a, const struct shape *s)
{
    a->by_kind[s->burst]++;
    a->narrow += s->size < 4;
    a->unaligned += s->addr % (1u << s->size) != 0;
    a->long_ones += s->len > 15;
}

/* The control word of a get that a process may ask for, instead of what the only beat of a burst has. */
static void make_get(struct abuser *a, struct shape *s, struct abuser_beat *b)
{
    const uint64_t word = rng_below(&a->rng, 1000) * 4 | (uint64_t)rng_below(&a->rng, 16) << 40;

    s->addr = s->addr / 8 * 8;
    b->strb = (uint16_t)(0xFF << s->addr % 16);
    memcpy(b->data + s->addr % 16, &word, 8);
}

/* A burst's address and beats, where there is room for all of them. */
static void queue_write(struct abuser *a)
{
    struct shape s = draw(&a->rng);
    struct abuser_beat *b = NULL;

    if (s.len + 1 > ABUSER_DEEP - (a->beats_in - a->beats_out) ||
        a->aw_in - a->aw_out == ABUSER_DEEP)
        return;
    for (unsigned i = 0; i <= s.len; i++) {
        b = &a->beat[a->beats_in++ % ABUSER_DEEP];
        for (unsigned n = 0; n < 2; n++) {
            const uint64_t word = rng_next(&a->rng);
            memcpy(b->data + 8 * n, &word, 8);
        }
        b->strb = lanes(&s, i) & (rng_below(&a->rng, 2) ? 0xFFFF : (uint16_t)rng_next(&a->rng));
        b->last = i == s.len;
    }
    if (s.addr >> (AXI_BAR_BITS - 2) == REGION_GET && s.len == 0 && s.size == 4)
        make_get(a, &s, b);
    struct axi_to_sub *aw = &a->address[a->aw_in++ % ABUSER_DEEP];
    *aw = (struct axi_to_sub){.awid = (axi_id)rng_below(&a->rng, 16),
                              .awlen = (u8)s.len,
                              .awsize = (u3)s.size,
                              .awburst = (u2)s.burst};
    aw->awaddr = (typeof(aw->awaddr))s.addr;
    note_shape(a, &s);
}

static void offer_aw(struct abuser *a)
{
    const struct axi_to_sub *aw = &a->address[a->aw_out % ABUSER_DEEP];

    a->axi.awvalid = 1;
    a->axi.awid = aw->awid;
    a->axi.awaddr = aw->awaddr;
    a->axi.awlen = aw->awlen;
    a->axi.awsize = aw->awsize;
    a->axi.awburst = aw->awburst;
}

static void offer_w(struct abuser *a)
{
    const struct abuser_beat *b = &a->beat[a->beats_out % ABUSER_DEEP];

    a->axi.wvalid = 1;
    memcpy(&a->axi.wdata, b->data, 16);
    a->axi.wstrb = b->strb;
    a->axi.wlast = b->last;
}

static void offer_ar(struct abuser *a)
{
    const struct shape s = draw(&a->rng);

    a->axi.arvalid = 1;
    a->axi.arid = (axi_id)rng_below(&a->rng, 16);
    a->axi.araddr = (typeof(a->axi.araddr))s.addr;
    a->axi.arlen = (u8)s.len;
    a->axi.arsize = (u3)s.size;
    a->axi.arburst = (u2)s.burst;
    note_shape(a, &s);
}

/* ---- channels -------------------------------------------------------------------------------------- */

void abuser_drive(struct abuser *a)
{
    if (chance(&a->rng, a->mood.begin))
        queue_write(a);
    if (!a->axi.awvalid && a->aw_out != a->aw_in && chance(&a->rng, a->mood.aw))
        offer_aw(a);
    if (!a->axi.wvalid && a->beats_out != a->beats_in && chance(&a->rng, a->mood.w))
        offer_w(a);
    if (!a->axi.arvalid && a->mood.begin != 0 && chance(&a->rng, a->mood.ar))
        offer_ar(a);
    a->axi.bready = !a->mood.b_never && chance(&a->rng, a->mood.bready);
    a->axi.rready = !a->mood.r_never && chance(&a->rng, a->mood.rready);
}

void abuser_take(struct abuser *a, const struct axi_from_sub *from)
{
    if (a->axi.awvalid && from->awready) {
        a->axi.awvalid = 0;
        a->aw_out++;
        a->writes++;
    }
    if (a->axi.wvalid && from->wready) {
        const bool last = a->axi.wlast;
        a->w_begun += !a->w_inside;
        a->w_before_aw += !a->w_inside && a->w_begun > a->writes;
        a->w_inside = !last;
        a->axi.wvalid = 0;
        a->beats_out++;
    }
    if (a->axi.arvalid && from->arready) {
        a->axi.arvalid = 0;
        a->reads++;
    }
    a->b += from->bvalid && a->axi.bready;
    a->r += from->rvalid && a->axi.rready && from->rlast;
}

/* ---- registers -------------------------------------------------------------------------------------- */

void lite_abuser_start(struct lite_abuser *a, uint64_t seed, const uint16_t *writable, unsigned n)
{
    memset(a, 0, sizeof *a);
    rng_seed(&a->rng, seed);
    a->mood = (struct abuser_mood){128, 128, 128, 128, 128, 128, false, false};
    a->writable = writable;
    a->writables = n;
}

/* Any byte address: of a register that may be written, or of one that is none or cannot be; odd now and then. */
static uint32_t some_address(struct lite_abuser *a, bool write)
{
    uint32_t word = a->writable[rng_below(&a->rng, a->writables)];

    if (rng_below(&a->rng, 4) == 0)
        word = write ? 0x60 + rng_below(&a->rng, 0x20) : (uint32_t)rng_next(&a->rng) & 0xFFFF;
    return 8 * word + (rng_below(&a->rng, 8) == 0 ? rng_below(&a->rng, 8) : 0);
}

void lite_abuser_drive(struct lite_abuser *a)
{
    /* an address and its data are never further apart than one access; where one has been taken the other follows */
    const bool begins = a->mood.begin != 0;

    if (!a->axi.awvalid && a->aw_ahead == 0 && (begins || a->w_ahead != 0) &&
        chance(&a->rng, a->mood.aw)) {
        a->axi.awvalid = 1;
        a->axi.awaddr = (typeof(a->axi.awaddr))some_address(a, true);
    }
    if (!a->axi.wvalid && a->w_ahead == 0 && (begins || a->aw_ahead != 0) &&
        chance(&a->rng, a->mood.w)) {
        a->axi.wvalid = 1;
        a->axi.wdata = rng_below(&a->rng, 1u << 16);
        a->axi.wstrb = rng_below(&a->rng, 4) ? 0xFF : (u8)rng_next(&a->rng);
    }
    if (!a->axi.arvalid && begins && chance(&a->rng, a->mood.ar)) {
        a->axi.arvalid = 1;
        a->axi.araddr = (typeof(a->axi.araddr))some_address(a, false);
    }
    a->axi.bready = !a->mood.b_never && chance(&a->rng, a->mood.bready);
    a->axi.rready = !a->mood.r_never && chance(&a->rng, a->mood.rready);
}

void lite_abuser_take(struct lite_abuser *a, const struct axil_from_sub *from)
{
    if (a->axi.awvalid && from->awready) {
        a->axi.awvalid = 0;
        a->writes++;
        a->aw_ahead++;
    }
    if (a->axi.wvalid && from->wready) {
        a->axi.wvalid = 0;
        a->w_ahead++;
    }
    if (a->aw_ahead != 0 && a->w_ahead != 0) {
        a->aw_ahead--;
        a->w_ahead--;
    }
    if (a->axi.arvalid && from->arready) {
        a->axi.arvalid = 0;
        a->reads++;
    }
    a->b += from->bvalid && a->axi.bready;
    a->r += from->rvalid && a->axi.rready;
    a->refused += (from->bvalid && a->axi.bready && from->bresp != AXI_OKAY) ||
                  (from->rvalid && a->axi.rready && from->rresp != AXI_OKAY);
}
