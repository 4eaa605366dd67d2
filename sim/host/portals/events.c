// SPDX-License-Identifier: Apache-2.0
/* events.c - event queues: rings in the process's memory, whoever writes them. */
#include <string.h>

#include "sim/host/portals/portals.h"
#include "sim/host/portals/ptl_inside.h"

enum { PAGE = 0x1000, INDICES = 0x800, LEAST_LOG2 = 4, MOST_LOG2 = 16 };

static struct ptl_queue *queue_of(ptl_handle_eq_t handle)
{
    struct ptl_ni *ni = ptl_ni_of(handle);
    if (!ni || ptl_handle_kind(handle) != KIND_EQ || ptl_handle_index(handle) >= PTL_QUEUES)
        return NULL;
    struct ptl_queue *q = &ni->node->eq[ptl_handle_index(handle)];
    return q->used && q->ni == ptl_ni_number(ni) ? q : NULL;
}

static unsigned tell_chip(const struct ptl_ni *ni, unsigned q, unsigned log2, uint64_t base)
{
    const uint64_t word[7] = {q | (uint64_t)ni->slot << 8 | (uint64_t)(log2 ? log2 - 1 : 0) << 12,
                              base};
    return ni->accelerated ? ptl_local(ni->node, word, OP_EQ, 0) : 0;
}

int PtlEQAlloc(ptl_handle_ni_t handle, ptl_size_t count, ptl_handle_eq_t *eq)
{
    const struct ptl_ni *ni = ptl_ni_of(handle);
    unsigned q = 0, log2 = LEAST_LOG2;
    if (!ni)
        return PTL_NI_INVALID;
    while (q < PTL_QUEUES && ni->node->eq[q].used)
        q++;
    while (log2 < MOST_LOG2 && (UINT64_C(1) << log2) < count)
        log2++;
    const uint64_t base = ptl_alloc(ni->node, UINT64_C(64) << log2);
    if (q == PTL_QUEUES || !base)
        return PTL_NO_SPACE;
    if (tell_chip(ni, q, log2, base) != 0)
        return PTL_FAIL;
    ni->node->eq[q] =
        (struct ptl_queue){.used = true, .ni = ptl_ni_number(ni), .log2 = log2, .base = base};
    *eq = ptl_handle(ni, KIND_EQ, q, 0);
    return PTL_OK;
}

int PtlEQFree(ptl_handle_eq_t handle)
{
    struct ptl_queue *q = queue_of(handle);
    if (!q)
        return PTL_EQ_INVALID;
    const struct ptl_ni *ni = ptl_ni_of(handle);
    for (unsigned i = 0; i < PTL_INDICES; i++)
        if (ni->node->md[i].used && ni->node->md[i].queue == ptl_handle_index(handle))
            return PTL_EQ_IN_USE;
    tell_chip(ni, ptl_handle_index(handle), 0, 0);
    q->used = false;
    return PTL_OK;
}

/* What an UNLINK event says has become of the library's own picture. */
static void forget(struct ptl_node *node, unsigned index)
{
    struct ptl_descriptor *d = &node->md[index];
    struct ptl_entry *e = &node->me[index];
    d->used = false;
    d->use = (d->use + 1) & 15;
    if (d->of_me && e->used) {
        e->has_md = false;
        if (e->unlink) {
            generic_remove(ptl_ni_at(d->ni), e->portal, index);
            e->used = false;
            e->use = (e->use + 1) & 15;
        }
    }
}

static void translate(const struct ptl_ni *ni, const uint64_t w[8], ptl_event_t *event)
{
    *event =
        (ptl_event_t){.type = (ptl_event_kind_t)(w[0] & 15),
                      .initiator = {w[1] & 0x7FFF, w[1] >> 16 & 0xFFFF},
                      .uid = (ptl_uid_t)w[2],
                      .jid = (ptl_jid_t)(w[1] >> 32),
                      .pt_index = w[0] >> 8 & 63,
                      .match_bits = w[3],
                      .rlength = w[5],
                      .mlength = w[6],
                      .offset = w[7] & 0xFFFFFFFFFF,
                      .md_handle = ptl_handle(ni, KIND_MD, w[0] >> 16 & 0xFFF, w[0] >> 28 & 15),
                      .threshold = (uint32_t)(w[2] >> 32),
                      .hdr_data = w[4],
                      .link = (ptl_seq_t)(w[0] >> 32),
                      .sequence = (ptl_seq_t)(w[7] >> 40),
                      .ni_fail_type = w[0] >> 4 & 15};
}

int PtlEQGet(ptl_handle_eq_t handle, ptl_event_t *event)
{
    struct ptl_queue *q = queue_of(handle);
    if (!q)
        return PTL_EQ_INVALID;
    struct ptl_ni *ni = ptl_ni_of(handle);
    struct ptl_port *port = ni->node->port;
    uint64_t w[8];
    memcpy(w, port->memory + q->base + 64 * (uint64_t)(q->read & ((1U << q->log2) - 1)), sizeof w);
    if (w[7] >> 40 != ((q->read + 1) & 0xFFFFFF))
        return PTL_EQ_EMPTY;
    q->read++;
    translate(ni, w, event);
    if (ni->accelerated) {
        const uint64_t index[1] = {q->read};
        port->mail(port->node, PAGE * ni->slot + INDICES + 8 * ptl_handle_index(handle), index, 1);
        if (event->type == PTL_EVENT_UNLINK)
            forget(ni->node, ptl_handle_index(event->md_handle));
    }
    return w[0] >> 14 & 1 ? PTL_EQ_DROPPED : PTL_OK;
}

int PtlEQPoll(ptl_handle_eq_t *eqs, int size, ptl_time_t timeout, ptl_event_t *event, int *which)
{
    for (uint64_t t = 0; timeout == PTL_TIME_FOREVER ? t < PTL_WAIT_LIMIT : t <= timeout; t++) {
        for (int i = 0; i < size; i++) {
            const int status = PtlEQGet(eqs[i], event);
            *which = i;
            if (status != PTL_EQ_EMPTY)
                return status;
        }
        if (size == 0)
            return PTL_EQ_EMPTY;
        struct ptl_port *port = ptl_ni_of(eqs[0])->node->port;
        port->spend(port->node, 1);
    }
    return PTL_EQ_EMPTY;
}

int PtlEQWait(ptl_handle_eq_t eq, ptl_event_t *event)
{
    int which;
    return PtlEQPoll(&eq, 1, PTL_TIME_FOREVER, event, &which);
}
