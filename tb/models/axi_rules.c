// SPDX-License-Identifier: Apache-2.0
/*
 * axi_rules.c - the rules of AXI4, one function for each kind.
 */
#include "tb/models/axi_rules.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tb/base/harness.h"

enum { PAGE = 4096, FIXED = 0, INCR = 1, WRAP = 2, EXOKAY = 1 };

static const char *const names[AXI_RULES] = {
    [AXI_RESET] = "no valid of the design after a reset",
    [AXI_AW_STABLE] = "AW stays until it is taken",
    [AXI_W_STABLE] = "W stays until it is taken",
    [AXI_AR_STABLE] = "AR stays until it is taken",
    [AXI_B_STABLE] = "B stays until it is taken",
    [AXI_R_STABLE] = "R stays until it is taken",
    [AXI_AW_4KB] = "no write burst over a boundary of 4 KB",
    [AXI_AR_4KB] = "no read burst over a boundary of 4 KB",
    [AXI_AW_BURST] = "AWBURST, AWLEN and AWADDR go together",
    [AXI_AR_BURST] = "ARBURST, ARLEN and ARADDR go together",
    [AXI_AW_SIZE] = "AWSIZE fits the bus",
    [AXI_AR_SIZE] = "ARSIZE fits the bus",
    [AXI_W_LAST] = "WLAST with the last beat of a burst alone",
    [AXI_W_STRB] = "WSTRB of the beat's lanes alone",
    [AXI_B_AFTER_W] = "B behind the address and the last data of its burst, once",
    [AXI_B_ORDER] = "B of one ID in order",
    [AXI_R_AFTER_AR] = "R of a read that waits, those of one ID in order",
    [AXI_R_LAST] = "RLAST with the last beat of a read alone",
    [AXI_RESP] = "responses are OKAY, SLVERR or DECERR",
};

const char *axi_rules_name(enum axi_rule rule)
{
    return names[rule];
}

void axi_rules_begin(struct axi_rules *r, unsigned bytes, bool manager)
{
    memset(r, 0, sizeof *r);
    r->bytes = bytes;
    r->manager = manager;
    r->was_reset = true;
}

uint64_t axi_rules_broken(const struct axi_rules *r)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < AXI_RULES; i++)
        sum += r->broken[i];
    return sum;
}

static void rule(struct axi_rules *r, enum axi_rule which, bool holds)
{
    r->asked[which]++;
    if (!holds && axi_rules_broken(r) == 0)
        snprintf(r->first, sizeof r->first, "clock %" PRIu64 ": %s", r->clock, names[which]);
    r->broken[which] += !holds;
}

/* ---- valid and what it offers ------------------------------------------------------------------ */

static bool same_address(const struct axi_rules_address *a, const struct axi_rules_address *b)
{
    return b->valid && a->addr == b->addr && a->id == b->id && a->len == b->len &&
           a->size == b->size && a->burst == b->burst;
}

static bool same_beat(const struct axi_rules_beat *a, const struct axi_rules_beat *b)
{
    return b->valid && a->last == b->last && a->strb == b->strb && a->id == b->id &&
           a->resp == b->resp && memcmp(a->data, b->data, sizeof a->data) == 0;
}

static bool same_answer(const struct axi_rules_answer *a, const struct axi_rules_answer *b)
{
    return b->valid && a->id == b->id && a->resp == b->resp;
}

/* What was offered and not taken in the clock before is offered still. */
static void check_stable(struct axi_rules *r, const struct axi_rules_clock *now)
{
    const struct axi_rules_clock *was = &r->before;

    if (was->aw.valid && !was->aw.ready)
        rule(r, AXI_AW_STABLE, same_address(&was->aw, &now->aw));
    if (was->ar.valid && !was->ar.ready)
        rule(r, AXI_AR_STABLE, same_address(&was->ar, &now->ar));
    if (was->w.valid && !was->w.ready)
        rule(r, AXI_W_STABLE, same_beat(&was->w, &now->w));
    if (was->r.valid && !was->r.ready)
        rule(r, AXI_R_STABLE, same_beat(&was->r, &now->r));
    if (was->b.valid && !was->b.ready)
        rule(r, AXI_B_STABLE, same_answer(&was->b, &now->b));
}

/* ---- addresses --------------------------------------------------------------------------------- */

static bool burst_exists(const struct axi_rules_address *a)
{
    const unsigned beats = a->len + 1;
    if (a->burst == WRAP)
        return (beats == 2 || beats == 4 || beats == 8 || beats == 16) &&
               a->addr % (1u << a->size) == 0;
    return a->burst == INCR || (a->burst == FIXED && beats <= 16);
}

static void check_address(struct axi_rules *r, const struct axi_rules_address *a, bool write)
{
    const uint64_t beat = 1u << a->size, first = a->addr / beat * beat;
    const uint64_t last = first + (a->burst == INCR ? a->len * beat : 0);

    rule(r, write ? AXI_AW_4KB : AXI_AR_4KB, first / PAGE == last / PAGE);
    rule(r, write ? AXI_AW_BURST : AXI_AR_BURST, burst_exists(a));
    rule(r, write ? AXI_AW_SIZE : AXI_AR_SIZE, beat <= r->bytes);
}

static void open_burst(struct axi_rules_list *l, const struct axi_rules_address *a)
{
    if (l->count == AXI_RULES_UNDER_WAY) {
        fprintf(stderr, "axi_rules: more than %d bursts are under way\n", AXI_RULES_UNDER_WAY);
        abort();
    }
    l->open[l->count++] = (struct axi_rules_open){.address = *a};
}

/* The oldest of this ID, or -1. */
static int oldest(const struct axi_rules_list *l, unsigned id)
{
    for (unsigned i = 0; i < l->count; i++)
        if (l->open[i].address.id == id)
            return (int)i;
    return -1;
}

static void close_burst(struct axi_rules_list *l, int at)
{
    l->count--;
    memmove(&l->open[at], &l->open[at + 1], (l->count - (unsigned)at) * sizeof l->open[0]);
}

/* ---- write data -------------------------------------------------------------------------------- */

/* The lanes of beat n of a burst: those of its size that its address names, the first beat from the address on. */
static unsigned lanes(const struct axi_rules *r, const struct axi_rules_address *a, unsigned n)
{
    const uint64_t beat = 1u << a->size, first = a->addr / beat * beat;
    const uint64_t span = beat * (a->len + 1), low = first / span * span;
    uint64_t at = a->burst == FIXED ? first : first + n * beat;
    unsigned skip = 0;

    if (a->burst == WRAP)
        at = low + (at - low) % span;
    if (n == 0 || a->burst == FIXED)
        skip = (unsigned)(a->addr % beat);
    return ((1u << beat) - 1) >> skip << (at % r->bytes + skip);
}

/* W beats meet their addresses in order; either may come first. */
static void join_data(struct axi_rules *r)
{
    unsigned at = 0, taken = 0;

    while (at < r->writes.count && r->writes.open[at].whole)
        at++;
    for (; taken < r->w_ahead && at < r->writes.count; taken++) {
        struct axi_rules_open *o = &r->writes.open[at];
        const struct axi_rules_beat *w = &r->ahead[taken];

        rule(r, AXI_W_STRB, (w->strb & ~lanes(r, &o->address, o->beats)) == 0);
        o->whole = o->beats++ == o->address.len;
        rule(r, AXI_W_LAST, w->last == o->whole);
        at += o->whole;
    }
    r->w_ahead -= taken;
    memmove(r->ahead, r->ahead + taken, r->w_ahead * sizeof r->ahead[0]);
}

/* ---- answers ----------------------------------------------------------------------------------- */

static void check_b(struct axi_rules *r, const struct axi_rules_answer *b)
{
    const int at = oldest(&r->writes, b->id);

    rule(r, AXI_RESP, b->resp != EXOKAY);
    rule(r, AXI_B_ORDER, at >= 0);
    if (at < 0)
        return;
    rule(r, AXI_B_AFTER_W, r->writes.open[at].whole);
    close_burst(&r->writes, at);
}

static void check_r(struct axi_rules *r, const struct axi_rules_beat *beat)
{
    const int at = oldest(&r->reads, beat->id);

    rule(r, AXI_RESP, beat->resp != EXOKAY);
    rule(r, AXI_R_AFTER_AR, at >= 0);
    if (at < 0)
        return;
    struct axi_rules_open *o = &r->reads.open[at];
    const bool last = o->beats++ == o->address.len;
    rule(r, AXI_R_LAST, beat->last == last);
    if (last)
        close_burst(&r->reads, at);
}

/* ---- a clock ------------------------------------------------------------------------------------- */

/* Answers first: what is taken in this clock cannot have caused what is answered in it. */
void axi_rules_watch(struct axi_rules *r, const struct axi_rules_clock *now, bool reset)
{
    const bool asks = now->aw.valid || now->w.valid || now->ar.valid;
    const bool answers = now->b.valid || now->r.valid;

    r->clock++;
    if (reset) {
        r->writes.count = r->reads.count = r->w_ahead = 0;
        r->was_reset = true;
        return;
    }
    if (r->was_reset)
        rule(r, AXI_RESET, !(r->manager ? asks : answers));
    else
        check_stable(r, now);
    if (now->b.valid && now->b.ready)
        check_b(r, &now->b);
    if (now->r.valid && now->r.ready)
        check_r(r, &now->r);
    if (now->aw.valid && now->aw.ready) {
        check_address(r, &now->aw, true);
        open_burst(&r->writes, &now->aw);
    }
    if (now->ar.valid && now->ar.ready) {
        check_address(r, &now->ar, false);
        open_burst(&r->reads, &now->ar);
    }
    if (now->w.valid && now->w.ready) {
        if (r->w_ahead == AXI_RULES_UNDER_WAY)
            abort();
        r->ahead[r->w_ahead++] = now->w;
    }
    join_data(r);
    r->was_reset = false;
    r->before = *now;
}

void axi_rules_tap(const struct axi_rules *r, const char *port, uint32_t wanted)
{
    for (unsigned i = 0; i < AXI_RULES; i++) {
        if (r->broken[i] != 0)
            tap_why("%" PRIu64 " times broken; first of all rules: %s", r->broken[i], r->first);
        else if (r->asked[i] == 0)
            tap_why("nothing asked for it");
        tap_ok(r->broken[i] == 0 && (r->asked[i] != 0 || (wanted >> i & 1) == 0),
               "%s: %s (%" PRIu64 ")", port, names[i], r->asked[i]);
    }
}
