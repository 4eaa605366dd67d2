// SPDX-License-Identifier: Apache-2.0
/*
 * driver_engines.c - collective engines: whose they are, and their end.
 */
#include "sim/host/driver_engines.h"
#include "sim/host/driver_inside.h"

#include <stddef.h>

enum { PARENT = 1, CHILD = 2, STATUS = CHILD + DRV_CHILDREN, KIND_ENDPOINT = 1, KIND_ENGINE = 2 };

static unsigned engine_at(unsigned engine)
{
    return NR_CE + engine * NR_CE_STEP;
}

/* The process of the job whose descriptor it is, or null. */
static const struct drv_process *owner_of(const struct drv_process *p, unsigned descriptor)
{
    const struct drv_process *q = p->drv->processes;
    while (q != NULL && (q->ptag != p->ptag || !names_owned(&p->drv->fmas, descriptor, q)))
        q = q->next;
    return q;
}

static bool is_engine(const struct drv_process *p, const struct drv_engine *want)
{
    bool right = want->children <= DRV_CHILDREN && want->rounding < 4 && want->mode < 7 &&
                 want->epochs < 256 && want->parent >> 18 == 0 &&
                 want->parent_engine < DRV_ENGINES && want->place < DRV_CHILDREN;
    for (unsigned k = 0; right && k < want->children; k++) {
        const struct drv_child *c = &want->child[k];
        right = c->is_engine ? c->node >> 18 == 0 && c->engine < DRV_ENGINES
                             : owner_of(p, c->descriptor) != NULL;
    }
    return right;
}

static uint64_t child_word(const struct drv_child *c)
{
    return c->is_engine ? FIELD(CE2, NODE, c->node) | FIELD(CE2, ENGINE, c->engine) |
                              FIELD(CE2, KIND, KIND_ENGINE)
                        : FIELD(CE2, KIND, KIND_ENDPOINT) | FIELD(CE2, FMA, c->descriptor);
}

static uint64_t config_word(const struct drv_process *p, const struct drv_engine *want)
{
    return FIELD(CE, PTAG, p->ptag) | FIELD(CE, ROUNDING, want->rounding) |
           FIELD(CE, MODE, want->mode) | FIELD(CE, EVENT, want->events) |
           FIELD(CE, ERRORS, want->errors) | FIELD(CE, CHILDREN, want->children) |
           FIELD(CE, TIMEOUT, want->epochs) | FIELD(CE, ROOT, want->is_root) | FIELD(CE, ENABLE, 1);
}

enum drv_result drv_engine(struct drv_process *p, unsigned wanted, const struct drv_engine *want)
{
    struct drv *d = p->drv;
    if (wanted >= DRV_ENGINES || !is_engine(p, want))
        return DRV_WRONG;
    if (d->engine[wanted].owner != NULL || drv_transactions(d) + DRV_OF_ENGINE > d->transactions)
        return DRV_FULL;
    const unsigned at = engine_at(wanted);
    bool written =
        drv_write(d, at + PARENT,
                  FIELD(CE1, NODE, want->parent) | FIELD(CE1, ENGINE, want->parent_engine) |
                      FIELD(CE1, CHILD, want->place));
    for (unsigned k = 0; k < want->children; k++)
        written = written && drv_write(d, at + CHILD + k, child_word(&want->child[k]));
    if (!written || !drv_write(d, at, config_word(p, want)))
        return DRV_REFUSED;
    d->engine[wanted].owner = p;
    d->engine[wanted].endpoints = 0;
    for (unsigned k = 0; k < want->children; k++)
        if (!want->child[k].is_engine)
            d->engine[wanted].endpoint[d->engine[wanted].endpoints++] = want->child[k].descriptor;
    return DRV_OK;
}

/* Disabled, until nothing of it is under way. */
static enum drv_result disable(struct drv *d, unsigned engine)
{
    if (!drv_write(d, engine_at(engine), 0))
        return DRV_REFUSED;
    for (unsigned n = 0; n < DRV_PATIENCE; n++) {
        const uint64_t status =
            d->host.reg_read(d->host.context, (uint16_t)(engine_at(engine) + STATUS));
        if ((status & (FIELD(CE3, BUSY, 1) | FIELD(CE3, ACTIVE, 1))) == 0) {
            d->engine[engine].owner = NULL;
            return DRV_OK;
        }
        d->host.advance(d->host.context, DRV_LOOK);
    }
    return DRV_STUCK;
}

enum drv_result drv_engine_end(struct drv_process *p, unsigned engine)
{
    return engine >= DRV_ENGINES || p->drv->engine[engine].owner != p ? DRV_WRONG
                                                                      : disable(p->drv, engine);
}

bool drv_is_endpoint(const struct drv *d, unsigned descriptor, unsigned engine)
{
    bool is = false;
    for (unsigned k = 0; d->engine[engine].owner != NULL && k < d->engine[engine].endpoints; k++)
        is = is || d->engine[engine].endpoint[k] == descriptor;
    return is;
}

static bool has_endpoint(const struct drv_process *p, unsigned engine)
{
    bool has = false;
    for (unsigned i = 0; i < p->drv->fmas.count; i++)
        has = has || (names_owned(&p->drv->fmas, i, p) && drv_is_endpoint(p->drv, i, engine));
    return has;
}

enum drv_result drv_end_engines(struct drv *d, const struct drv_process *p)
{
    enum drv_result result = DRV_OK;
    for (unsigned e = 0; e < DRV_ENGINES; e++) {
        const struct drv_process *owner = d->engine[e].owner;
        if (owner != NULL && (p == NULL || owner == p || has_endpoint(p, e))) {
            const enum drv_result end = disable(d, e);
            result = result != DRV_OK ? result : end;
        }
    }
    return result;
}
