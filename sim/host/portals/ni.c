// SPDX-License-Identifier: Apache-2.0
/* ni.c - interfaces: processes on nodes; what a process is and whom it admits. */
#include <string.h>

#include "hls/seastar/host/seastar_map.h"
#include "sim/host/portals/portals.h"
#include "sim/host/portals/ptl_inside.h"

enum { UID = 1000, JID = 1 };

static struct ptl_ni interfaces[PTL_NIS];
static struct ptl_port *next_port;
static bool next_accelerated, begun;

void ptl_choose(struct ptl_port *port, bool accelerated)
{
    next_port = port;
    next_accelerated = accelerated;
}

struct ptl_ni *ptl_ni_at(unsigned at)
{
    return at < PTL_NIS && interfaces[at].used ? &interfaces[at] : NULL;
}

struct ptl_ni *ptl_ni_of(ptl_handle_any_t handle)
{
    return handle == PTL_INVALID_HANDLE ? NULL : ptl_ni_at(handle >> 28);
}

unsigned ptl_ni_number(const struct ptl_ni *ni)
{
    return (unsigned)(ni - interfaces);
}

ptl_handle_any_t ptl_handle(const struct ptl_ni *ni, unsigned kind, unsigned index, unsigned use)
{
    return (ptl_handle_any_t)ptl_ni_number(ni) << 28 | kind << 16 | use << 12 | index;
}

int PtlInit(int *max_interfaces)
{
    begun = true;
    *max_interfaces = PTL_NIS;
    return PTL_OK;
}

void PtlFini(void)
{
    for (unsigned n = 0; n < PTL_NIS; n++) {
        if (interfaces[n].used)
            PtlNIFini((ptl_handle_ni_t)n << 28);
        interfaces[n].used = false; /* of an operation that never ends, too */
    }
    begun = false;
}

/* The process begins or ends in the chip. */
static unsigned set_process(const struct ptl_ni *ni, bool open)
{
    const uint64_t word[7] = {ni->slot | (uint64_t)ni->pid << 4 | (uint64_t)open << 20 |
                                  (uint64_t)ni->accelerated << 21,
                              ni->uid | (uint64_t)ni->jid << 32};
    return ptl_local(ni->node, word, OP_PROCESS, 0);
}

int PtlNIInit(ptl_interface_t iface, ptl_pid_t pid, ptl_handle_ni_t *handle)
{
    struct ptl_node *node = next_port ? next_port->driver : NULL;
    unsigned at = 0, slot = 0;
    (void)iface;
    if (!begun || !node)
        return PTL_NO_INIT;
    while (at < PTL_NIS && interfaces[at].used)
        at++;
    for (unsigned n = 0; n < PTL_NIS; n++)
        if (interfaces[n].used && interfaces[n].node == node && interfaces[n].pid == pid)
            return PTL_PID_IN_USE;
    while (slot < PTL_SLOTS && node->slot[slot] != PTL_NONE)
        slot++;
    if (at == PTL_NIS || slot == PTL_SLOTS)
        return PTL_NO_SPACE;
    struct ptl_ni *ni = &interfaces[at];
    *ni = (struct ptl_ni){.used = true,
                          .accelerated = next_accelerated,
                          .slot = slot,
                          .pid = pid,
                          .uid = UID,
                          .jid = JID,
                          .node = node};
    for (unsigned p = 0; p < PTL_PORTALS; p++)
        ni->first[p] = PTL_NONE;
    ni->access[0].valid = true;
    ni->access[0].who = (struct ptl_who){PTL_NID_ANY, PTL_PID_ANY, UID, PTL_JID_ANY};
    ni->access[0].portal = PTL_PT_INDEX_ANY;
    if (set_process(ni, true) != 0) {
        ni->used = false;
        return PTL_FAIL;
    }
    node->slot[slot] = at;
    *handle = (ptl_handle_ni_t)at << 28;
    return PTL_OK;
}

int PtlNIFini(ptl_handle_ni_t handle)
{
    struct ptl_ni *ni = ptl_ni_of(handle);
    if (!ni)
        return PTL_NI_INVALID;
    struct ptl_node *node = ni->node;
    const unsigned at = ptl_ni_number(ni);
    for (unsigned p = 0; p < PTL_PORTALS; p++) {
        while (ni->first[p] != PTL_NONE) {
            const unsigned index = ni->first[p];
            if (PtlMEUnlink(ptl_handle(ni, KIND_ME, index, node->me[index].use)) != PTL_OK)
                return PTL_FAIL;
        }
    }
    for (unsigned i = 0; i < PTL_INDICES; i++)
        if (node->md[i].used && node->md[i].ni == at)
            PtlMDUnlink(ptl_handle(ni, KIND_MD, i, node->md[i].use));
    for (unsigned q = 0; q < PTL_QUEUES; q++)
        if (node->eq[q].used && node->eq[q].ni == at)
            PtlEQFree(ptl_handle(ni, KIND_EQ, q, 0));
    if (set_process(ni, false) != 0)
        return PTL_FAIL;
    node->slot[ni->slot] = PTL_NONE;
    ni->used = false;
    return PTL_OK;
}

/* Requests that nobody took: of the chip, or of the driver. */
int PtlNIStatus(ptl_handle_ni_t handle, ptl_sr_index_t index, ptl_sr_value_t *status)
{
    const struct ptl_ni *ni = ptl_ni_of(handle);
    if (!ni)
        return PTL_NI_INVALID;
    if (index != PTL_SR_DROP_COUNT)
        return PTL_SR_INDEX_INVALID;
    struct ptl_port *port = ni->node->port;
    *status =
        ni->accelerated ? (ptl_sr_value_t)port->read(port->node, SS_REG_REFUSED) : ni->dropped;
    return PTL_OK;
}

int PtlNIDist(ptl_handle_ni_t handle, ptl_process_id_t process, unsigned long *distance)
{
    const struct ptl_ni *ni = ptl_ni_of(handle);
    if (!ni)
        return PTL_NI_INVALID;
    const unsigned own = ni->node->port->nid;
    *distance = process.nid > own ? process.nid - own : own - process.nid;
    return PTL_OK;
}

int PtlNIHandle(ptl_handle_any_t handle, ptl_handle_ni_t *ni)
{
    if (!ptl_ni_of(handle))
        return PTL_HANDLE_INVALID;
    *ni = handle >> 28 << 28;
    return PTL_OK;
}

int PtlGetId(ptl_handle_ni_t handle, ptl_process_id_t *id)
{
    const struct ptl_ni *ni = ptl_ni_of(handle);
    if (!ni)
        return PTL_NI_INVALID;
    *id = (ptl_process_id_t){ni->node->port->nid, ni->pid};
    return PTL_OK;
}

int PtlGetUid(ptl_handle_ni_t handle, ptl_uid_t *uid)
{
    const struct ptl_ni *ni = ptl_ni_of(handle);
    if (!ni)
        return PTL_NI_INVALID;
    *uid = ni->uid;
    return PTL_OK;
}

int PtlGetJid(ptl_handle_ni_t handle, ptl_jid_t *jid)
{
    const struct ptl_ni *ni = ptl_ni_of(handle);
    if (!ni)
        return PTL_NI_INVALID;
    *jid = ni->jid;
    return PTL_OK;
}

int PtlACEntry(ptl_handle_ni_t handle, ptl_ac_index_t index, ptl_process_id_t match_id,
               ptl_uid_t uid, ptl_jid_t jid, ptl_pt_index_t pt)
{
    struct ptl_ni *ni = ptl_ni_of(handle);
    if (!ni)
        return PTL_NI_INVALID;
    if (index >= 8)
        return PTL_AC_INDEX_INVALID;
    if (pt != PTL_PT_INDEX_ANY && pt >= PTL_PORTALS)
        return PTL_PT_INDEX_INVALID;
    const uint64_t any_node = match_id.nid == PTL_NID_ANY, any_pid = match_id.pid == PTL_PID_ANY;
    const uint64_t any_user = uid == PTL_UID_ANY, any_job = jid == PTL_JID_ANY;
    const uint64_t any_portal = pt == PTL_PT_INDEX_ANY;
    const uint64_t word[7] = {ni->slot | (uint64_t)index << 4 | 1 << 7,
                              (match_id.nid & 0x7FFF) | any_node << 15 |
                                  (uint64_t)(match_id.pid & 0xFFFF) << 16 | any_pid << 32 |
                                  (uint64_t)jid << 33,
                              jid >> 31 | any_job << 1 | (uint64_t)uid << 2 | any_user << 34 |
                                  (uint64_t)(pt & 63) << 35 | any_portal << 41};
    if (ptl_local(ni->node, word, OP_ACCESS, 0) != 0)
        return PTL_FAIL;
    ni->access[index].valid = true;
    ni->access[index].who = (struct ptl_who){match_id.nid, match_id.pid, uid, jid};
    ni->access[index].portal = pt;
    return PTL_OK;
}
