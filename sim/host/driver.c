// SPDX-License-Identifier: Apache-2.0
/*
 * driver.c - a node's driver: the NIC as a whole, processes and their end.
 */
#include "sim/host/driver_inside.h"

#include <stdlib.h>

const char *drv_says(enum drv_result result)
{
    static const char *const says[] = {
        [DRV_OK] = "done",
        [DRV_FULL] = "all are in use",
        [DRV_RESTS] = "it rests after its last owner",
        [DRV_WRONG] = "no such handle or memory of this process",
        [DRV_REFUSED] = "the NIC refused a register",
        [DRV_STUCK] = "the NIC does not settle",
        [DRV_MEMORY] = "out of memory",
    };
    return says[result];
}

/* ---- registers ----------------------------------------------------------------------------------- */

bool drv_write(struct drv *d, unsigned address, uint64_t value)
{
    return d->host.reg_write(d->host.context, (uint16_t)address, value);
}

bool drv_await(struct drv *d, unsigned bit)
{
    for (unsigned n = 0; n < DRV_PATIENCE; n++) {
        if (d->host.reg_read(d->host.context, NR_STATUS) >> bit & 1)
            return true;
        d->host.advance(d->host.context, DRV_LOOK);
    }
    return false;
}

enum drv_result drv_settle(struct drv *d)
{
    const bool written = drv_write(d, NR_CONTROL, ENABLED | 1 << NR_CONTROL_SETTLE_AT);
    return !written ? DRV_REFUSED : drv_await(d, NR_STATUS_SETTLED_AT) ? DRV_OK : DRV_STUCK;
}

/* Variables of atomic operations that the NIC keeps are read from memory again. */
enum drv_result drv_forget_variables(struct drv *d)
{
    return drv_write(d, NR_CONTROL, ENABLED | 1 << NR_CONTROL_FLUSH_AT) ? drv_settle(d)
                                                                        : DRV_REFUSED;
}

enum drv_result drv_variables(struct drv *d, unsigned rounding, unsigned together)
{
    if (rounding > 3 || together >= 1u << NR_AMO_CONFIG_LAZY_BITS)
        return DRV_WRONG;
    const uint64_t config = (uint64_t)rounding << NR_AMO_CONFIG_ROUNDING_AT |
                            (uint64_t)together << NR_AMO_CONFIG_LAZY_AT;
    return drv_write(d, NR_AMO_CONFIG, config) ? DRV_OK : DRV_REFUSED;
}

/* ---- begin and end --------------------------------------------------------------------------------- */

static unsigned size_of(uint64_t id, unsigned at)
{
    return 1u << (id >> at & 0xFF);
}

static bool allocate(struct drv *d)
{
    const uint64_t id = d->host.reg_read(d->host.context, NR_ID);
    d->transactions = size_of(id, NR_ID_SSID_AT);
    d->requests = size_of(id, NR_ID_TAG_AT) - DRV_TAGS_KEPT;
    d->entries = size_of(id, NR_ID_NTT_AT);
    d->channels = 1u << (id >> NR_ID_BTE_AT & ((1 << NR_ID_BTE_BITS) - 1));
    const unsigned fmas = size_of(id, NR_ID_FMA_AT), mdds = size_of(id, NR_ID_MDD_AT),
                   queues = size_of(id, NR_ID_CQ_AT);
    d->fma = calloc(fmas, sizeof *d->fma);
    d->mdd = calloc(mdds, sizeof *d->mdd);
    d->cq = calloc(queues, sizeof *d->cq);
    d->ntt = calloc(d->entries, sizeof *d->ntt);
    return names_start(&d->fmas, fmas) && names_start(&d->mdds, mdds) &&
           names_start(&d->cqs, queues) && d->fma != NULL && d->mdd != NULL && d->cq != NULL &&
           d->ntt != NULL;
}

static void free_spaces(struct drv *d, const struct drv_process *p)
{
    for (unsigned c = 0; c < DRV_SPACES; c++)
        if (d->space[c] != NULL && (p == NULL || d->space[c]->owner == p))
            drv_free_space(d->space[c]);
}

static void release(struct drv *d)
{
    free_spaces(d, NULL);
    while (d->processes != NULL) {
        struct drv_process *p = d->processes;
        d->processes = p->next;
        free(p);
    }
    spans_free(&d->spans);
    names_free(&d->fmas);
    names_free(&d->mdds);
    names_free(&d->cqs);
    free(d->fma);
    free(d->mdd);
    free(d->cq);
    free(d->ntt);
    for (unsigned c = 0; c < DRV_CHANNELS; c++) {
        free(d->channel[c].posts);
        free(d->receiver[c].posts);
    }
    free(d);
}

static enum drv_result configure(struct drv *d)
{
    const struct drv_config *c = &d->config;
    const bool written =
        drv_await(d, NR_STATUS_READY_AT) && drv_write(d, NR_NODE, c->node) &&
        drv_write(d, NR_ORB_EPOCH, c->epoch) && drv_write(d, NR_PHYS_BASE, c->memory) &&
        drv_write(d, NR_PHYS_SIZE, c->memory_bytes) && drv_write(d, NR_CONTROL, ENABLED);
    return written ? DRV_OK : DRV_REFUSED;
}

enum drv_result drv_start(struct drv **d, const struct nic_host *host,
                          const struct drv_config *config)
{
    struct drv *new = calloc(1, sizeof *new);
    *d = NULL;
    if (new == NULL)
        return DRV_MEMORY;
    new->host = *host;
    new->config = *config;
    spans_start(&new->spans, config->memory, config->memory_bytes);
    const enum drv_result result = allocate(new) ? configure(new) : DRV_MEMORY;
    if (result != DRV_OK)
        release(new);
    else
        *d = new;
    return result;
}

static enum drv_result worse(enum drv_result a, enum drv_result b)
{
    return a != DRV_OK ? a : b;
}

enum drv_result drv_stop(struct drv *d)
{
    const enum drv_result ended = worse(drv_end_engines(d, NULL), drv_end_receivers(d, NULL));
    const bool written = drv_write(d, NR_CONTROL, 0);
    const bool drained = drv_await(d, NR_STATUS_DRAINED_AT);
    release(d);
    return !written ? DRV_REFUSED : drained ? ended : DRV_STUCK;
}

/* ---- processes ------------------------------------------------------------------------------------- */

enum drv_result drv_process(struct drv *d, uint64_t job, struct drv_process **process)
{
    *process = NULL;
    drv_rest(d);
    const int ptag = ptags_take(d->config.ptags, job, d->host.clocks(d->host.context));
    if (ptag < 0)
        return ptag == PTAGS_RESTS ? DRV_RESTS : DRV_FULL;
    struct drv_process *p = calloc(1, sizeof *p);
    if (p == NULL)
        return DRV_MEMORY;
    *p = (struct drv_process){.drv = d, .ptag = (uint8_t)ptag, .next = d->processes};
    d->processes = p;
    if (d->holds[ptag]++ == 0)
        ptags_hold(d->config.ptags, p->ptag);
    *process = p;
    return DRV_OK;
}

unsigned drv_ptag(const struct drv_process *p)
{
    return p->ptag;
}

static enum drv_result disable_descriptors(struct drv_process *p)
{
    struct drv *d = p->drv;
    enum drv_result result = DRV_OK;
    for (unsigned i = 0; i < d->fmas.count; i++)
        if (names_owned(&d->fmas, i, p))
            result = worse(result, drv_disable(d, i));
    return result;
}

static enum drv_result invalidate_segments(struct drv_process *p)
{
    struct drv *d = p->drv;
    enum drv_result result = DRV_OK;
    for (unsigned i = 0; i < d->mdds.count; i++)
        if (names_owned(&d->mdds, i, p))
            result = worse(result, drv_invalidate(d, i));
    return result;
}

static enum drv_result disable_queues(struct drv_process *p)
{
    struct drv *d = p->drv;
    enum drv_result result = DRV_OK;
    for (unsigned i = 0; i < d->cqs.count; i++)
        if (names_owned(&d->cqs, i, p) && !d->cq[i].ended)
            result = worse(result, drv_disable_queue(d, i));
    return result;
}

static enum drv_result disable_spaces(const struct drv_process *p)
{
    enum drv_result result = DRV_OK;
    for (unsigned c = 0; c < DRV_SPACES; c++)
        if (p->drv->space[c] != NULL && p->drv->space[c]->owner == p)
            result = worse(result, drv_disable_space(p->drv->space[c]));
    return result;
}

static void rest_all(struct names *n, const struct drv_process *p, const struct names_set *until)
{
    for (unsigned i = 0; i < n->count; i++)
        if (names_owned(n, i, p))
            names_give_back(n, i, until);
}

static void forget(struct drv_process *p)
{
    struct drv *d = p->drv;
    struct drv_process **at = &d->processes;
    for (unsigned i = 0; i < d->entries; i++)
        if (d->ntt[i].owner == p) {
            d->ntt[i].owner = NULL;
            d->ntt[i].transfers = p->waits.transfers;
        }
    while (*at != p)
        at = &(*at)->next;
    *at = p->next;
    d->ended[p->ptag] += 1;
    free(p);
    drv_rest(d);
}

enum drv_result drv_process_end(struct drv_process *p)
{
    struct drv *d = p->drv;
    spans_die(&d->spans, p);
    enum drv_result result = disable_descriptors(p);
    result = worse(result, drv_end_engines(d, p));
    result = worse(result, drv_end_receivers(d, p));
    result = worse(result, invalidate_segments(p));
    result = worse(result, drv_settle(d));
    result = worse(result, drv_forget_variables(d));
    result = worse(result, disable_queues(p));
    result = worse(result, disable_spaces(p));
    result = worse(result, drv_settle(d));
    if (result != DRV_OK)
        return result; /* the NIC may still have its memory: nothing is given to others */
    free_spaces(d, p);
    spans_give_back_all(&d->spans, p);
    drv_disown_transfers(p);
    rest_all(&d->mdds, p, &p->waits);
    rest_all(&d->cqs, p, &p->waits);
    for (unsigned i = 0; i < d->fmas.count; i++)
        if (names_owned(&d->fmas, i, p))
            drv_rest_descriptor(d, i);
    forget(p);
    return DRV_OK;
}

/* ---- names that rest --------------------------------------------------------------------------------- */

/* A descriptor that nothing of its last owner is in flight of. */
static bool is_idle(struct drv *d, unsigned descriptor)
{
    return (d->host.load(d->host.context, drv_page(d, descriptor) + DRV_STATUS) & DRV_FLIGHT) == 0;
}

/* Of a domain that no process and no name has any more two epochs pass until another job may have it. */
static void let_go(struct drv *d)
{
    const uint64_t from = d->host.clocks(d->host.context) + 2 * d->config.epoch;
    for (unsigned t = 0; t < PTAGS; t++) {
        const unsigned names = names_of(&d->fmas, (uint8_t)t) + names_of(&d->mdds, (uint8_t)t) +
                               names_of(&d->cqs, (uint8_t)t);
        if (d->holds[t] != 0 && d->ended[t] == d->holds[t] && names == 0) {
            d->holds[t] = 0;
            d->ended[t] = 0;
            ptags_let_go(d->config.ptags, t, from);
        }
    }
}

static unsigned resting(const struct names *n)
{
    unsigned count = 0;
    for (unsigned i = 0; i < n->count; i++)
        count += n->name[i].state == NAME_RESTS;
    return count;
}

static unsigned in_use(const struct names *n)
{
    unsigned count = 0;
    for (unsigned i = 0; i < n->count; i++)
        count += n->name[i].state != NAME_FREE;
    return count;
}

struct drv_use drv_use(const struct drv *d)
{
    return (struct drv_use){in_use(&d->mdds), d->mdds.count,    in_use(&d->cqs),
                            d->cqs.count,     in_use(&d->fmas), d->fmas.count};
}

void drv_rest_descriptor(struct drv *d, unsigned descriptor)
{
    struct names_set alone = {.transfers = 0};
    set_add(&alone, descriptor);
    names_give_back(&d->fmas, descriptor, &alone);
}

/* Nothing is in flight of it: nothing that rests waits for it any more, nor do names that a live owner gives back later. */
static void see_idle(struct drv *d, unsigned descriptor)
{
    names_idle(&d->mdds, descriptor);
    names_idle(&d->cqs, descriptor);
    names_idle(&d->fmas, descriptor);
    for (struct drv_process *p = d->processes; p != NULL; p = p->next)
        if (!names_owned(&d->fmas, descriptor, p))
            set_remove(&p->waits, descriptor);
}

/* The same of block transfers whose number is less. */
static void see_over(struct drv *d, uint64_t number)
{
    names_over(&d->mdds, number);
    names_over(&d->cqs, number);
    for (struct drv_process *p = d->processes; p != NULL; p = p->next)
        if (p->waits.transfers <= number)
            p->waits.transfers = 0;
}

unsigned drv_rest(struct drv *d)
{
    struct names_set waits = {.transfers = 0};
    see_over(d, drv_look_at_rings(d));
    names_waits(&d->fmas, &waits);
    names_waits(&d->mdds, &waits);
    names_waits(&d->cqs, &waits);
    for (unsigned i = 0; i < d->fmas.count; i++)
        if (set_has(&waits, i) && is_idle(d, i))
            see_idle(d, i);
    let_go(d);
    return resting(&d->fmas) + resting(&d->mdds) + resting(&d->cqs);
}

/* ---- addresses ----------------------------------------------------------------------------------------- */

static uint64_t region(const struct drv *d, unsigned which)
{
    return which * ((uint64_t)d->fmas.count << d->config.window_log2);
}

uint64_t drv_page(const struct drv *d, unsigned descriptor)
{
    return region(d, 0) + (uint64_t)descriptor * SPANS_PAGE;
}

uint64_t drv_queue_page(const struct drv *d, unsigned queue)
{
    return region(d, 1) + (uint64_t)queue * SPANS_PAGE;
}

uint64_t drv_put_window(const struct drv *d, unsigned descriptor)
{
    return region(d, 2) + ((uint64_t)descriptor << d->config.window_log2);
}

uint64_t drv_get_window(const struct drv *d, unsigned descriptor)
{
    return region(d, 3) + ((uint64_t)descriptor << d->config.window_log2);
}
