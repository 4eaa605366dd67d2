// SPDX-License-Identifier: Apache-2.0
/*
 * pkt_queue.c - the input queue in packet mode; pkt_queue.h says what it does.
 */
#include "tb/models/pkt_queue.h"

#include <string.h>

enum { LONGEST = 32 };

void pkt_queue_start(struct pkt_queue *q, unsigned vcs, unsigned vc_lsb, double drain,
                     uint64_t seed)
{
    memset(q, 0, sizeof *q);
    rng_seed(&q->rng, seed);
    q->vcs = vcs;
    q->vc_lsb = vc_lsb;
    q->drain = drain;
    q->coming = -1;
}

static uint32_t mix(uint32_t sum, uint32_t flit)
{
    return (sum ^ flit) * 0x9E3779B1u + 1;
}

static unsigned space(const struct pkt_queue_vc *v)
{
    return PKT_QUEUE_PART - (unsigned)(v->written - v->read);
}

static void put(struct pkt_queue *q, struct pkt_queue_vc *v, uint32_t flit, bool head, bool tail,
                bool poisoned)
{
    must(&q->misses, space(v) > 0, "a part of the input queue overflows");
    const unsigned at = v->written++ % PKT_QUEUE_PART;
    v->flit[at].flit = flit;
    v->flit[at].head = head;
    v->flit[at].tail = tail;
    v->flit[at].poisoned = poisoned;
}

/* The end of a packet that is not to be believed. */
static void end_copy(struct pkt_queue *q, struct pkt_queue_vc *v)
{
    if (v->read <= v->began) {
        v->written = v->began;
        q->rolled_back++;
        return;
    }
    must(&q->misses, v->mute == 0, "a second truncated packet of a VC");
    v->owed -= q->held;
    put(q, v, 0, false, true, true);
    v->mute = (unsigned)(v->written - v->read);
    must_at_most(&q->misses, v->mute, LONGEST, "flits of a truncated packet");
    q->truncated++;
}

void pkt_queue_take(struct pkt_queue *q, bool valid, uint32_t flit, bool head, bool tail,
                    unsigned ok)
{
    const bool stops = valid && tail && ok == 2;
    q->refused = false;
    if (valid && head) {
        must(&q->misses, q->coming < 0, "a head inside a packet");
        q->coming = (int)(flit >> q->vc_lsb) % (int)q->vcs;
        q->vc[q->coming].began = q->vc[q->coming].written;
        q->held = 0;
        q->full = false;
        q->coming_sum = 0;
    }
    if (valid && must(&q->misses, q->coming >= 0, "a flit outside a packet")) {
        struct pkt_queue_vc *v = &q->vc[q->coming];
        q->full |= !tail && space(v) <= 1;
        if (!tail) {
            q->coming_sum = mix(q->coming_sum, flit);
            if (!q->full)
                put(q, v, flit, head, false, false);
        } else if (ok == 2) {
            end_copy(q, v);
        } else {
            q->refused = q->full;
            q->refusals += q->full;
            put(q, v, flit, head, true, q->full);
            if (!q->full)
                v->sums[v->came++ % PKT_QUEUE_SUMS] = mix(q->coming_sum, flit);
        }
        if (tail) {
            q->coming = -1;
            q->held = 0;
        }
    }
    if (q->stands || stops || !rng_chance(&q->rng, q->drain))
        return;
    const unsigned n = rng_below(&q->rng, q->vcs);
    for (unsigned i = 0; i < q->vcs; i++) {
        const unsigned which = (n + i) % q->vcs;
        struct pkt_queue_vc *v = &q->vc[which];
        if (v->read == v->written)
            continue;
        const unsigned at = v->read++ % PKT_QUEUE_PART;
        v->sum = v->open ? v->sum : 0;
        must(&q->misses, v->flit[at].head == !v->open, "a packet does not begin with its head");
        v->open = !v->flit[at].tail;
        v->sum = mix(v->sum, v->flit[at].flit);
        if (v->mute > 0) {
            v->mute--;
        } else {
            v->owed++;
            q->held += (int)which == q->coming && v->read > v->began;
        }
        if (v->flit[at].tail && v->flit[at].poisoned)
            q->poisoned_out++;
        else if (v->flit[at].tail) {
            must_equal(&q->misses, v->sum, v->sums[v->left++ % PKT_QUEUE_SUMS],
                       "a packet that leaves");
            q->good_out++;
        }
        return;
    }
}

bool pkt_queue_free(struct pkt_queue *q, unsigned *vc)
{
    for (unsigned v = 0; v < q->vcs; v++) {
        const unsigned waits = (int)v == q->coming ? q->held : 0;
        must(&q->misses, q->vc[v].owed >= waits, "more credit waits for a verdict than is owed");
        if (q->vc[v].owed > waits) {
            q->vc[v].owed--;
            *vc = v;
            return true;
        }
    }
    return false;
}

bool pkt_queue_empty(const struct pkt_queue *q)
{
    for (unsigned v = 0; v < q->vcs; v++)
        if (q->vc[v].read != q->vc[v].written || q->vc[v].owed)
            return false;
    return true;
}
