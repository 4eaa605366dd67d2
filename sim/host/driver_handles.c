// SPDX-License-Identifier: Apache-2.0
/*
 * driver_handles.c - what processes get: descriptors, memory, memory handles, queues, nodes.
 */
#include "sim/host/driver_inside.h"

#include <stddef.h>

static enum drv_result no_name(int name)
{
    return name == NAMES_RESTS ? DRV_RESTS : DRV_FULL;
}

/* Of a process that is alive a name rests until all of its descriptors have been seen idle, and its transfers are over. */
static void give_back(struct names *n, unsigned name, const struct drv_process *p)
{
    names_give_back(n, name, &p->waits);
}

/* ---- descriptors ----------------------------------------------------------------------------------- */

static unsigned fma_at(unsigned descriptor)
{
    return NR_FMA + descriptor * NR_FMA_STEP;
}

enum drv_result drv_disable(struct drv *d, unsigned descriptor)
{
    if (!drv_write(d, fma_at(descriptor), 0))
        return DRV_REFUSED;
    d->host.load(d->host.context, drv_page(d, descriptor) + DRV_STATUS);
    return DRV_OK;
}

unsigned drv_transactions(const struct drv *d)
{
    unsigned transactions = 0;
    for (unsigned i = 0; i < d->fmas.count; i++)
        if (d->fmas.name[i].state != NAME_FREE)
            transactions += d->fma[i].transactions;
    for (unsigned c = 0; c < d->channels; c++)
        transactions += d->channel[c].ring.transactions;
    for (unsigned e = 0; e < DRV_ENGINES; e++)
        transactions += d->engine[e].owner != NULL ? DRV_OF_ENGINE : 0;
    return transactions;
}

/* Whether the NIC has so much left; what a descriptor that rests had may still be in flight. */
static bool within_limits(const struct drv *d, const struct drv_descriptor *want)
{
    unsigned requests = want->requests;
    for (unsigned i = 0; i < d->fmas.count; i++)
        if (d->fmas.name[i].state != NAME_FREE)
            requests += d->fma[i].requests;
    return drv_transactions(d) + want->transactions <= d->transactions && requests <= d->requests;
}

static uint64_t fma_word(const struct drv_process *p, const struct drv_descriptor *want)
{
    const uint64_t nodes = !want->is_virtual ? 0
                                             : FIELD(FMA, NTT, 1) | FIELD(FMA, BASE, want->nodes) |
                                                   FIELD(FMA, SIZE, want->pes) |
                                                   FIELD(FMA, GRANULARITY, want->granularity);
    return nodes | FIELD(FMA, PTAG, p->ptag) | FIELD(FMA, LIMIT, want->transactions) |
           FIELD(FMA, FLAGS, want->flags) | FIELD(FMA, CHANNELS, want->channels) |
           FIELD(FMA, ENABLE, 1);
}

enum drv_result drv_descriptor(struct drv_process *p, const struct drv_descriptor *want,
                               unsigned *descriptor)
{
    struct drv *d = p->drv;
    if (want->transactions == 0 || want->requests == 0 || want->channels >> d->channels != 0 ||
        (want->is_virtual && !drv_owns_nodes(p, want->nodes, want->pes, want->granularity)))
        return DRV_WRONG;
    drv_rest(d);
    if (!within_limits(d, want))
        return DRV_FULL;
    const int name = names_take(&d->fmas, NAMES_ANY, p, p->ptag);
    if (name < 0)
        return no_name(name);
    *descriptor = (unsigned)name;
    d->fma[name].transactions = want->transactions;
    d->fma[name].requests = want->requests;
    set_add(&p->waits, *descriptor);
    const bool written =
        drv_write(d, fma_at(*descriptor), 0) &&
        drv_write(d, fma_at(*descriptor) + 1, FIELD(FMA1, REQUESTS, want->requests)) &&
        drv_write(d, fma_at(*descriptor), fma_word(p, want));
    return written ? DRV_OK : DRV_REFUSED;
}

enum drv_result drv_descriptor_end(struct drv_process *p, unsigned descriptor)
{
    bool joins = false;
    for (unsigned e = 0; e < DRV_ENGINES; e++)
        joins = joins || drv_is_endpoint(p->drv, descriptor, e);
    if (joins || !names_owned(&p->drv->fmas, descriptor, p))
        return DRV_WRONG;
    const enum drv_result result = drv_disable(p->drv, descriptor);
    if (result == DRV_OK)
        drv_rest_descriptor(p->drv, descriptor);
    return result;
}

/* ---- memory ------------------------------------------------------------------------------------------ */

enum drv_result drv_memory(struct drv_process *p, uint64_t address, uint64_t bytes, uint64_t *place)
{
    if (bytes == 0)
        return DRV_WRONG;
    *place = spans_take(&p->drv->spans, p, address, bytes);
    return *place == UINT64_MAX ? DRV_FULL : DRV_OK;
}

const struct span *drv_place(const struct drv *d, uint64_t from, uint64_t bytes)
{
    return spans_at(&d->spans, from, bytes);
}

static bool owns(const struct drv_process *p, uint64_t place, uint64_t bytes)
{
    const struct span *span = bytes == 0 ? NULL : spans_at(&p->drv->spans, place, bytes);
    return span != NULL && span->owner == p;
}

enum drv_result drv_memory_end(struct drv_process *p, uint64_t place)
{
    struct drv *d = p->drv;
    const struct span *span = spans_at(&d->spans, place, 1);
    if (span == NULL || span->owner != p || span->from != place || drv_is_mapped(p, span))
        return DRV_WRONG;
    for (unsigned i = 0; i < d->mdds.count; i++)
        if (names_owned(&d->mdds, i, p) && d->mdd[i].pages == NULL &&
            spans_at(&d->spans, d->mdd[i].place, 1) == span)
            return DRV_WRONG;
    for (unsigned i = 0; i < d->cqs.count; i++)
        if (names_owned(&d->cqs, i, p) && !d->cq[i].ended &&
            spans_at(&d->spans, d->cq[i].place, 1) == span)
            return DRV_WRONG;
    spans_give_back(&d->spans, p, place);
    return DRV_OK;
}

/* Both words of an entry of a table. */
static enum drv_result clear_entry(struct drv *d, unsigned at)
{
    return drv_write(d, at, 0) && drv_write(d, at + 1, 0) ? DRV_OK : DRV_REFUSED;
}

/* ---- memory handles ------------------------------------------------------------------------------------ */

static unsigned mdd_at(unsigned mdh)
{
    return NR_MDD + mdh * NR_MDD_STEP;
}

enum drv_result drv_invalidate(struct drv *d, unsigned mdh)
{
    return clear_entry(d, mdd_at(mdh));
}

/* Its bytes are the process's, or addresses of one of its spaces. */
static bool has_segment(const struct drv_process *p, const struct drv_segment *want)
{
    const struct drv_pages *s = want->pages;
    return s == NULL ? owns(p, want->place, want->bytes)
                     : s->owner == p && want->bytes != 0 && want->place < s->tables.addresses &&
                           want->bytes <= s->tables.addresses - want->place;
}

enum drv_result drv_segment(struct drv_process *p, int wanted, const struct drv_segment *want,
                            unsigned *mdh)
{
    struct drv *d = p->drv;
    const bool queue_fits = names_owned(&d->cqs, want->queue, p) && !d->cq[want->queue].ended;
    if (!has_segment(p, want) || (want->events && !queue_fits))
        return DRV_WRONG;
    drv_rest(d);
    const int name = names_take(&d->mdds, wanted, p, p->ptag);
    if (name < 0)
        return no_name(name);
    *mdh = (unsigned)name;
    d->mdd[name].place = want->place;
    d->mdd[name].bytes = want->bytes;
    d->mdd[name].events = want->events;
    d->mdd[name].writes = want->write;
    d->mdd[name].queue = want->queue;
    d->mdd[name].pages = want->pages;
    if (want->events)
        d->cq[want->queue].segments++;
    const uint64_t low = want->place | FIELD(MDD, READ, want->read) |
                         FIELD(MDD, WRITE, want->write) | FIELD(MDD, ATOMIC, want->atomic) |
                         FIELD(MDD, EVENT, want->events) | FIELD(MDD, VALID, 1) |
                         FIELD(MDD, MMU, want->pages != NULL) |
                         FIELD(MDD, TC, want->pages == NULL ? 0 : want->pages->context);
    const uint64_t high = want->bytes | FIELD(MDD1, PTAG, p->ptag) |
                          FIELD(MDD1, QUEUE, want->events ? want->queue : 0);
    return drv_write(d, mdd_at(*mdh), low) && drv_write(d, mdd_at(*mdh) + 1, high) ? DRV_OK
                                                                                   : DRV_REFUSED;
}

/* A queue without handles that name it, whose owner has ended it. */
static void end_name_of_queue(struct drv_process *p, unsigned queue)
{
    if (p->drv->cq[queue].ended && p->drv->cq[queue].segments == 0)
        give_back(&p->drv->cqs, queue, p);
}

enum drv_result drv_segment_end(struct drv_process *p, unsigned mdh)
{
    struct drv *d = p->drv;
    if (!names_owned(&d->mdds, mdh, p) || drv_is_posted(d, mdh))
        return DRV_WRONG;
    enum drv_result result = drv_invalidate(d, mdh);
    result = result == DRV_OK ? drv_settle(d) : result;
    result = result == DRV_OK ? drv_forget_variables(d) : result;
    if (result != DRV_OK)
        return result;
    give_back(&d->mdds, mdh, p);
    if (d->mdd[mdh].events) {
        d->cq[d->mdd[mdh].queue].segments--;
        end_name_of_queue(p, d->mdd[mdh].queue);
    }
    return DRV_OK;
}

enum drv_result drv_segment_place(const struct drv_process *p, unsigned mdh, uint64_t *place,
                                  uint64_t *bytes)
{
    if (!names_owned(&p->drv->mdds, mdh, p))
        return DRV_WRONG;
    *place = p->drv->mdd[mdh].place;
    *bytes = p->drv->mdd[mdh].bytes;
    return DRV_OK;
}

/* ---- queues ---------------------------------------------------------------------------------------------- */

static unsigned cq_at(unsigned queue)
{
    return NR_CQ + queue * NR_CQ_STEP;
}

enum drv_result drv_disable_queue(struct drv *d, unsigned queue)
{
    return clear_entry(d, cq_at(queue));
}

enum drv_result drv_queue(struct drv_process *p, int wanted, const struct drv_queue *want,
                          unsigned *queue)
{
    struct drv *d = p->drv;
    const bool fits = want->log2 >= 6 && want->log2 <= 20 && want->place % 64 == 0 &&
                      want->irq < 32 && want->threshold < 1 << NR_CQ1_THRESHOLD_BITS;
    if (!fits || !owns(p, want->place, UINT64_C(8) << want->log2))
        return DRV_WRONG;
    drv_rest(d);
    const int name = names_take(&d->cqs, wanted, p, p->ptag);
    if (name < 0)
        return no_name(name);
    *queue = (unsigned)name;
    d->cq[name].place = want->place;
    d->cq[name].segments = 0;
    d->cq[name].ended = false;
    const uint64_t high = FIELD(CQ1, ENABLE, 1) | FIELD(CQ1, LOG2, want->log2) |
                          FIELD(CQ1, PTAG, p->ptag) | FIELD(CQ1, IRQ, want->irq) |
                          FIELD(CQ1, THRESHOLD, want->threshold);
    return drv_write(d, cq_at(*queue), want->place) && drv_write(d, cq_at(*queue) + 1, high)
               ? DRV_OK
               : DRV_REFUSED;
}

enum drv_result drv_queue_end(struct drv_process *p, unsigned queue)
{
    struct drv *d = p->drv;
    if (!names_owned(&d->cqs, queue, p) || d->cq[queue].ended)
        return DRV_WRONG;
    enum drv_result result = drv_disable_queue(d, queue);
    result = result == DRV_OK ? drv_settle(d) : result;
    if (result != DRV_OK)
        return result;
    d->cq[queue].ended = true;
    end_name_of_queue(p, queue);
    return DRV_OK;
}

/* ---- nodes ------------------------------------------------------------------------------------------------- */

bool drv_owns_nodes(const struct drv_process *p, unsigned first, unsigned pes, unsigned granularity)
{
    if (granularity > 7)
        return false;
    const unsigned entries = (pes + (1u << granularity) - 1) >> granularity;
    for (unsigned i = 0; i < entries; i++)
        if (first + i >= p->drv->entries || p->drv->ntt[first + i].owner != p)
            return false;
    return true;
}

static unsigned free_entries(const struct drv *d, unsigned from)
{
    const uint64_t under_way = drv_first_under_way(d);
    unsigned count = 0;
    while (from + count < d->entries && d->ntt[from + count].owner == NULL &&
           d->ntt[from + count].transfers <= under_way)
        count++;
    return count;
}

enum drv_result drv_nodes(struct drv_process *p, const uint32_t *node, unsigned count,
                          unsigned *base)
{
    struct drv *d = p->drv;
    unsigned from = 0;
    while (from < d->entries && free_entries(d, from) < count)
        from += free_entries(d, from) + 1;
    if (count == 0 || from >= d->entries)
        return count == 0 ? DRV_WRONG : DRV_FULL;
    *base = from;
    for (unsigned i = 0; i < count; i++) {
        d->ntt[from + i].owner = p;
        if (!drv_write(d, NR_NTT + from + i, node[i] | FIELD(NTT, VALID, 1)))
            return DRV_REFUSED;
    }
    return DRV_OK;
}
