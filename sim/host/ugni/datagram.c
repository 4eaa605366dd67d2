// SPDX-License-Identifier: Apache-2.0
/*
 * datagram.c - datagrams, which the machine's drivers exchange: one at a time of an endpoint.
 */
#include "sim/host/ugni/inside.h"

#include <errno.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { CHECK_MS = 1000 /* between looks whether the machine lives */ };

static gni_return_t post(struct ep *e, const void *in, uint16_t in_bytes, void *out,
                         uint16_t out_bytes, uint64_t id)
{
    struct wire_request r = {.op = WIRE_DATAGRAM, .bytes = in_bytes};
    struct wire_answer a;
    if (in_bytes > GNI_DATAGRAM_MAXSIZE || out_bytes > GNI_DATAGRAM_MAXSIZE)
        return GNI_RC_SIZE_ERROR;
    if ((in_bytes != 0 && in == NULL) || (out_bytes != 0 && out == NULL))
        return GNI_RC_INVALID_PARAM;
    if (e->datagram.any)
        return GNI_RC_ERROR_RESOURCE;
    r.word[0] = e->nic->domain;
    r.word[1] = e->bound;
    r.word[2] = e->address;
    r.word[3] = e->inst;
    r.word[4] = id;
    r.word[5] = out_bytes;
    if (in_bytes != 0)
        memcpy(r.data, in, in_bytes);
    const gni_return_t code = code_of(machine_ask_data(e->nic->way, &r, &a));
    if (code == GNI_RC_SUCCESS) {
        e->datagram.any = true;
        e->datagram.key = a.word[0];
        e->datagram.id = id;
        e->datagram.buffer = out;
        e->datagram.bytes = out_bytes;
        e->nic->stat[GNI_STAT_DATAGRAMS]++;
    }
    return code;
}

gni_return_t GNI_EpPostDataWId(gni_ep_handle_t ep, void *in, uint16_t in_bytes, void *out,
                               uint16_t out_bytes, uint64_t id)
{
    sigset_t signals;
    ugni_lock(&signals);
    struct ep *e = handle_get(KIND_EP, ep);
    const gni_return_t code = e == NULL          ? GNI_RC_INVALID_PARAM
                              : machine_forked() ? GNI_RC_INVALID_STATE
                                                 : post(e, in, in_bytes, out, out_bytes, id);
    ugni_unlock(&signals);
    return code;
}

gni_return_t GNI_EpPostData(gni_ep_handle_t ep, void *in, uint16_t in_bytes, void *out,
                            uint16_t out_bytes)
{
    return GNI_EpPostDataWId(ep, in, in_bytes, out, out_bytes, 0);
}

/* ---- test and wait ------------------------------------------------------------------------------------------------- */

static gni_return_t test(struct ep *e, gni_post_state_t *state, uint32_t *address,
                         uint32_t *inst_id)
{
    const uint64_t words[] = {e->nic->domain, e->datagram.key};
    struct wire_answer a;
    const gni_return_t code = code_of(machine_ask(e->nic->way, WIRE_TEST, words, 2, -1, &a));
    if (code != GNI_RC_SUCCESS)
        return code;
    *state = (gni_post_state_t)a.word[0];
    *address = (uint32_t)a.word[1];
    *inst_id = (uint32_t)a.word[2];
    if (*state == GNI_POST_PENDING)
        return GNI_RC_SUCCESS;
    if (a.bytes != 0 && e->datagram.buffer != NULL)
        memcpy(e->datagram.buffer, a.data, a.bytes);
    e->datagram.any = false;
    return a.word[3] != 0 ? GNI_RC_SIZE_ERROR : GNI_RC_SUCCESS;
}

/* *id: the datagram's; null: whichever the endpoint has. */
static gni_return_t test_any(gni_ep_handle_t ep, const uint64_t *id, gni_post_state_t *state,
                             uint32_t *address, uint32_t *inst_id)
{
    sigset_t signals;
    if (state == NULL || address == NULL || inst_id == NULL)
        return GNI_RC_INVALID_PARAM;
    ugni_lock(&signals);
    struct ep *e = handle_get(KIND_EP, ep);
    const gni_return_t code = e == NULL          ? GNI_RC_INVALID_PARAM
                              : machine_forked() ? GNI_RC_INVALID_STATE
                              : !e->datagram.any || (id && *id != e->datagram.id)
                                  ? GNI_RC_NO_MATCH
                                  : test(e, state, address, inst_id);
    ugni_unlock(&signals);
    return code;
}

gni_return_t GNI_EpPostDataTest(gni_ep_handle_t ep, gni_post_state_t *state, uint32_t *address,
                                uint32_t *inst_id)
{
    return test_any(ep, NULL, state, address, inst_id);
}

gni_return_t GNI_EpPostDataTestById(gni_ep_handle_t ep, uint64_t id, gni_post_state_t *state,
                                    uint32_t *address, uint32_t *inst_id)
{
    return test_any(ep, &id, state, address, inst_id);
}

static uint64_t milliseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* What the machine writes for a domain; null: it has no node yet, or there is no domain. */
static struct wire_shared *shared_of(const struct nic *n)
{
    return n == NULL || n->way == NULL ? NULL : n->way->shared;
}

static struct wire_shared *shared_of_nic(gni_nic_handle_t nic)
{
    sigset_t signals;
    ugni_lock(&signals);
    struct wire_shared *shared = shared_of(handle_get(KIND_NIC, nic));
    ugni_unlock(&signals);
    return shared;
}

static struct wire_shared *shared_of_ep(gni_ep_handle_t ep)
{
    sigset_t signals;
    ugni_lock(&signals);
    const struct ep *e = handle_get(KIND_EP, ep);
    struct wire_shared *shared = shared_of(e == NULL ? NULL : e->nic);
    ugni_unlock(&signals);
    return shared;
}

/* Until `turn` changes, a signal comes, or so many milliseconds have passed. No lock is held: a thread may be cancelled here. */
static void wait_turn(struct wire_shared *shared, uint32_t turn, uint64_t most)
{
    const uint64_t wait = most < CHECK_MS ? most : CHECK_MS;
    const struct timespec t = {.tv_sec = (time_t)(wait / 1000),
                               .tv_nsec = (long)(wait % 1000) * 1000000};
    if (shared != NULL)
        syscall(SYS_futex, &shared->turn, FUTEX_WAIT, turn, &t, NULL, 0);
    else
        nanosleep(&t, NULL);
    machine_check();
}

static uint64_t left(uint64_t begin, uint32_t timeout)
{
    const uint64_t passed = milliseconds() - begin;
    return timeout == UINT32_MAX ? CHECK_MS : passed < timeout ? timeout - passed : 0;
}

static gni_return_t wait_any(gni_ep_handle_t ep, const uint64_t *id, uint32_t timeout,
                             gni_post_state_t *state, uint32_t *address, uint32_t *inst_id)
{
    const uint64_t begin = milliseconds();
    for (;;) {
        struct wire_shared *shared = shared_of_ep(ep);
        const uint32_t turn = shared == NULL ? 0 : atomic_load(&shared->turn);
        const gni_return_t code = test_any(ep, id, state, address, inst_id);
        if (code != GNI_RC_SUCCESS || *state != GNI_POST_PENDING)
            return code;
        if (left(begin, timeout) == 0) {
            *state = GNI_POST_TIMEOUT;
            return GNI_RC_TIMEOUT;
        }
        wait_turn(shared, turn, left(begin, timeout));
    }
}

gni_return_t GNI_EpPostDataWait(gni_ep_handle_t ep, uint32_t timeout, gni_post_state_t *state,
                                uint32_t *address, uint32_t *inst_id)
{
    return wait_any(ep, NULL, timeout, state, address, inst_id);
}

gni_return_t GNI_EpPostDataWaitById(gni_ep_handle_t ep, uint64_t id, uint32_t timeout,
                                    gni_post_state_t *state, uint32_t *address, uint32_t *inst_id)
{
    return wait_any(ep, &id, timeout, state, address, inst_id);
}

/* ---- cancel ---------------------------------------------------------------------------------------------------------- */

static gni_return_t cancel_any(gni_ep_handle_t ep, const uint64_t *id)
{
    sigset_t signals;
    struct wire_answer a;
    ugni_lock(&signals);
    struct ep *e = handle_get(KIND_EP, ep);
    gni_return_t code = e == NULL                                           ? GNI_RC_INVALID_PARAM
                        : machine_forked()                                  ? GNI_RC_INVALID_STATE
                        : !e->datagram.any || (id && *id != e->datagram.id) ? GNI_RC_NO_MATCH
                                                                            : GNI_RC_SUCCESS;
    if (code == GNI_RC_SUCCESS) {
        const uint64_t words[] = {e->nic->domain, e->datagram.key, 0};
        code = code_of(machine_ask(e->nic->way, WIRE_CANCEL, words, 3, -1, &a));
    }
    ugni_unlock(&signals);
    return code;
}

gni_return_t GNI_EpPostDataCancel(gni_ep_handle_t ep)
{
    return cancel_any(ep, NULL);
}

gni_return_t GNI_EpPostDataCancelById(gni_ep_handle_t ep, uint64_t id)
{
    return cancel_any(ep, &id);
}

void datagram_end(struct ep *e)
{
    const uint64_t words[] = {e->nic->domain, e->datagram.key, 1};
    struct wire_answer a;
    if (e->datagram.any)
        machine_ask(e->nic->way, WIRE_CANCEL, words, 3, -1, &a);
    e->datagram.any = false;
}

/* ---- probes ------------------------------------------------------------------------------------------------------------ */

/* Nothing is asked while the shared word says that no datagram is over. */
static gni_return_t probe(gni_nic_handle_t nic, bool takes, struct wire_answer *a)
{
    sigset_t signals;
    ugni_lock(&signals);
    const struct nic *n = handle_get(KIND_NIC, nic);
    gni_return_t code = n == NULL || n->cdm == NULL ? GNI_RC_INVALID_PARAM
                        : machine_forked()          ? GNI_RC_INVALID_STATE
                        : n->way == NULL || atomic_load(&n->way->shared->datagrams) == 0
                            ? GNI_RC_NO_MATCH
                            : GNI_RC_SUCCESS;
    if (code == GNI_RC_SUCCESS)
        code = code_of(
            machine_ask(n->way, WIRE_PROBE, (const uint64_t[]){n->domain, takes}, 2, -1, a));
    ugni_unlock(&signals);
    return code;
}

gni_return_t GNI_PostDataProbe(gni_nic_handle_t nic, uint32_t *address, uint32_t *inst_id)
{
    struct wire_answer a;
    if (address == NULL || inst_id == NULL)
        return GNI_RC_INVALID_PARAM;
    const gni_return_t code = probe(nic, false, &a);
    if (code == GNI_RC_SUCCESS) {
        *address = (uint32_t)a.word[1];
        *inst_id = (uint32_t)a.word[2];
    }
    return code;
}

static gni_return_t probe_id(gni_nic_handle_t nic, bool takes, uint64_t *id)
{
    struct wire_answer a;
    if (id == NULL)
        return GNI_RC_INVALID_PARAM;
    const gni_return_t code = probe(nic, takes, &a);
    if (code == GNI_RC_SUCCESS)
        *id = a.word[0];
    return code;
}

gni_return_t GNI_PostDataProbeById(gni_nic_handle_t nic, uint64_t *id)
{
    return probe_id(nic, true, id);
}

gni_return_t GNI_PostdataProbeWaitById(gni_nic_handle_t nic, uint32_t timeout, uint64_t *id)
{
    const uint64_t begin = milliseconds();
    for (;;) {
        struct wire_shared *shared = shared_of_nic(nic);
        const uint32_t turn = shared == NULL ? 0 : atomic_load(&shared->turn);
        const gni_return_t code = probe_id(nic, false, id);
        if (code != GNI_RC_NO_MATCH)
            return code;
        if (left(begin, timeout) == 0)
            return GNI_RC_TIMEOUT;
        wait_turn(shared, turn, left(begin, timeout));
    }
}

gni_return_t GNI_PostDataProbeWaitById(gni_nic_handle_t nic, uint32_t timeout, uint64_t *id)
{
    return GNI_PostdataProbeWaitById(nic, timeout, id);
}
