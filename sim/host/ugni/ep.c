// SPDX-License-Identifier: Apache-2.0
/*
 * ep.c - endpoints: a peer's address and id, and event data. Nothing here asks the machine, unless a program has several nodes.
 */
#include "sim/host/ugni/inside.h"

#include <stdlib.h>

gni_return_t GNI_EpCreate(gni_nic_handle_t nic, gni_cq_handle_t queue, gni_ep_handle_t *ep)
{
    sigset_t signals;
    gni_return_t code = GNI_RC_SUCCESS;
    if (ep == NULL)
        return GNI_RC_INVALID_PARAM;
    ugni_lock(&signals);
    struct nic *n = handle_get(KIND_NIC, nic);
    struct cq *q = handle_get(KIND_CQ, queue);
    struct ep *e = calloc(1, sizeof *e);
    const uint64_t handle = e == NULL ? 0 : handle_new(KIND_EP, e);
    if (n == NULL || n->cdm == NULL || (queue != NULL && q == NULL))
        code = GNI_RC_INVALID_PARAM;
    else if (machine_forked())
        code = GNI_RC_INVALID_STATE;
    else if (handle == 0)
        code = GNI_RC_ERROR_NOMEM;
    else
        code = nic_settle(n);
    if (code == GNI_RC_SUCCESS && q != NULL && q->nic->way != n->way)
        code = GNI_RC_INVALID_PARAM; /* a queue of another node */
    if (code == GNI_RC_SUCCESS) {
        *e = (struct ep){.nic = n, .cq = q, .number = (uint32_t)handle & 0xFFFFFF};
        n->endpoints++;
        if (q != NULL)
            q->users++;
        *ep = HANDLE(gni_ep_handle_t, handle);
    } else {
        if (handle != 0)
            handle_drop(HANDLE(void *, handle));
        free(e);
    }
    ugni_unlock(&signals);
    return code;
}

/* A call on an endpoint: that of a handle, under the lock; null: not for this process, or no handle. */
static struct ep *begin(gni_ep_handle_t ep, sigset_t *signals, gni_return_t *code)
{
    ugni_lock(signals);
    struct ep *e = handle_get(KIND_EP, ep);
    *code = e == NULL          ? GNI_RC_INVALID_PARAM
            : machine_forked() ? GNI_RC_INVALID_STATE
                               : GNI_RC_SUCCESS;
    return *code == GNI_RC_SUCCESS ? e : NULL;
}

/* A program with several nodes has one address: where a domain of it is the machine says, once the domain has a node. */
uint32_t ep_node(struct ep *e)
{
    const uint64_t words[] = {e->nic->job, e->address, e->inst};
    struct wire_answer a;
    if (e->found || atomic_load(&e->nic->way->shared->spread) == 0)
        return e->node;
    if (machine_ask(e->nic->way, WIRE_WHERE, words, 3, -1, &a) == WIRE_OK) {
        e->node = (uint32_t)a.word[0];
        e->found = a.word[1] != 0;
    }
    return e->node;
}

gni_return_t GNI_EpBind(gni_ep_handle_t ep, uint32_t address, uint32_t inst_id)
{
    sigset_t signals;
    gni_return_t code;
    struct ep *e = begin(ep, &signals, &code);
    if (e != NULL && (e->bound || address >= 1u << 18))
        code = e->bound ? GNI_RC_INVALID_STATE : GNI_RC_INVALID_PARAM;
    else if (e != NULL) {
        e->bound = true;
        e->address = address;
        e->inst = inst_id;
        e->found = false;
        e->node = address;
    }
    ugni_unlock(&signals);
    return code;
}

gni_return_t GNI_EpUnbind(gni_ep_handle_t ep)
{
    sigset_t signals;
    gni_return_t code;
    struct ep *e = begin(ep, &signals, &code);
    if (e != NULL && !e->bound)
        code = GNI_RC_INVALID_STATE;
    else if (e != NULL && (e->posts != 0 || e->datagram.any))
        code = GNI_RC_NOT_DONE;
    else if (e != NULL) {
        e->bound = false;
        smsg_end(e);
    }
    ugni_unlock(&signals);
    return code;
}

gni_return_t GNI_EpSetEventData(gni_ep_handle_t ep, uint32_t local, uint32_t remote)
{
    sigset_t signals;
    gni_return_t code;
    struct ep *e = begin(ep, &signals, &code);
    if (e != NULL) {
        e->has_data = true;
        e->local_data = local;
        e->remote_data = remote;
    }
    ugni_unlock(&signals);
    return code;
}

gni_return_t GNI_EpDestroy(gni_ep_handle_t ep)
{
    sigset_t signals;
    gni_return_t code;
    struct ep *e = begin(ep, &signals, &code);
    if (e != NULL) {
        datagram_end(e);
        smsg_end(e);
        posts_of_endpoint_end(e);
        e->nic->endpoints--;
        if (e->cq != NULL)
            e->cq->users--;
        handle_drop(ep);
        free(e);
    }
    ugni_unlock(&signals);
    return code;
}
