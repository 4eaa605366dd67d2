// SPDX-License-Identifier: Apache-2.0
/*
 * cdm.c - communication domains, and what there is of devices and resources.
 */
#include "sim/host/ugni/inside.h"

#include <stdlib.h>

static struct descriptor *descriptors;

static uint64_t job_of(uint8_t ptag, uint32_t cookie)
{
    return (uint64_t)ptag << 32 | cookie;
}

static bool exclude(uint32_t modes, uint32_t one, uint32_t other)
{
    return (modes & one) != 0 && (modes & other) != 0;
}

gni_return_t GNI_CdmCreate(uint32_t inst_id, uint8_t ptag, uint32_t cookie, uint32_t modes,
                           gni_cdm_handle_t *cdm)
{
    if (cdm == NULL || exclude(modes, GNI_CDM_MODE_FMA_DEDICATED, GNI_CDM_MODE_FMA_SHARED) ||
        exclude(modes, GNI_CDM_MODE_MDD_DEDICATED, GNI_CDM_MODE_MDD_SHARED) ||
        exclude(modes, GNI_CDM_MODE_ERR_NO_KILL, GNI_CDM_MODE_ERR_ALL_KILL) ||
        exclude(modes, GNI_CDM_MODE_FORK_NOCOPY,
                GNI_CDM_MODE_FORK_FULLCOPY | GNI_CDM_MODE_FORK_PARTCOPY) ||
        exclude(modes, GNI_CDM_MODE_FORK_FULLCOPY, GNI_CDM_MODE_FORK_PARTCOPY))
        return GNI_RC_INVALID_PARAM;
    struct cdm *c = calloc(1, sizeof *c);
    sigset_t signals;
    ugni_lock(&signals);
    const uint64_t handle = c == NULL ? 0 : handle_new(KIND_CDM, c);
    if (handle != 0)
        *c = (struct cdm){.inst = inst_id, .cookie = cookie, .modes = modes, .ptag = ptag};
    else
        free(c);
    ugni_unlock(&signals);
    *cdm = HANDLE(gni_cdm_handle_t, handle);
    return handle != 0 ? GNI_RC_SUCCESS : GNI_RC_ERROR_NOMEM;
}

/* ---- descriptors --------------------------------------------------------------------------------------- */

static struct descriptor *share_descriptor(struct way *w, const struct wire_answer *a)
{
    for (struct descriptor *d = descriptors; d != NULL; d = d->next)
        if (d->fma.context == w && d->fma.page == a->word[1]) {
            d->users++;
            return d;
        }
    struct descriptor *d = calloc(1, sizeof *d);
    if (d == NULL)
        return NULL;
    d->fma = (struct fma){a->word[1], a->word[2], a->word[3], w, machine_store};
    d->users = 1;
    d->next = descriptors;
    descriptors = d;
    return d;
}

/* One that nobody uses stays: transactions of it may be under way, and the process will have it again. */
static void leave_descriptor(struct descriptor *d)
{
    d->users--;
}

/* ---- attach and destroy ---------------------------------------------------------------------------------- */

gni_return_t nic_settle(struct nic *n)
{
    if (n->way != NULL)
        return GNI_RC_SUCCESS;
    struct way *w = machine_next_way();
    const uint64_t words[] = {n->job, n->cdm->inst,
                              (n->cdm->modes & GNI_CDM_MODE_FMA_DEDICATED) != 0};
    struct wire_answer a;
    const gni_return_t code = code_of(machine_ask(w, WIRE_ATTACH, words, 3, -1, &a));
    struct descriptor *d = code == GNI_RC_SUCCESS ? share_descriptor(w, &a) : NULL;
    if (d == NULL)
        return code != GNI_RC_SUCCESS ? code : GNI_RC_ERROR_NOMEM;
    n->domain = a.word[0];
    n->ptag = (unsigned)a.word[4];
    n->descriptor = d;
    n->way = w;
    return GNI_RC_SUCCESS;
}

/* Of those of this process that have no node yet the machine does not know. */
static bool is_taken(const struct cdm *c)
{
    uint32_t at = 0;
    for (const struct nic *n; (n = handle_each(KIND_NIC, &at)) != NULL;)
        if (n->cdm != NULL && n->job == job_of(c->ptag, c->cookie) && n->cdm->inst == c->inst)
            return true;
    return false;
}

static gni_return_t new_nic(struct cdm *c, gni_nic_handle_t *nic)
{
    struct nic *n = calloc(1, sizeof *n);
    const bool taken = is_taken(c);
    const uint64_t number = n == NULL || taken ? 0 : handle_new(KIND_NIC, n);
    if (number == 0) {
        free(n);
        return taken ? GNI_RC_INVALID_PARAM : GNI_RC_ERROR_NOMEM;
    }
    *n = (struct nic){.cdm = c, .job = job_of(c->ptag, c->cookie), .retransmit = RETRANSMIT};
    const gni_return_t code = machine_ways() > 1 ? GNI_RC_SUCCESS : nic_settle(n);
    if (code != GNI_RC_SUCCESS) {
        handle_drop(HANDLE(void *, number));
        free(n);
        return code;
    }
    c->nic = n;
    *nic = HANDLE(gni_nic_handle_t, number);
    return GNI_RC_SUCCESS;
}

gni_return_t GNI_CdmAttach(gni_cdm_handle_t cdm, uint32_t device, uint32_t *address,
                           gni_nic_handle_t *nic)
{
    sigset_t signals;
    if (address == NULL || nic == NULL || device != 0)
        return address == NULL || nic == NULL ? GNI_RC_INVALID_PARAM : GNI_RC_NO_MATCH;
    ugni_lock(&signals);
    struct cdm *c = handle_get(KIND_CDM, cdm);
    gni_return_t code = c == NULL        ? GNI_RC_INVALID_PARAM
                        : c->nic != NULL ? GNI_RC_INVALID_STATE
                                         : machine_attach();
    code = code == GNI_RC_SUCCESS ? new_nic(c, nic) : code;
    if (code == GNI_RC_SUCCESS)
        *address = machine_address();
    ugni_unlock(&signals);
    return code;
}

/* The domain's nic handle is kept as a name: memory of the process is registered and deregistered by any that it has had. */
gni_return_t GNI_CdmDestroy(gni_cdm_handle_t cdm)
{
    sigset_t signals;
    ugni_lock(&signals);
    struct cdm *c = handle_get(KIND_CDM, cdm);
    gni_return_t code = c == NULL ? GNI_RC_INVALID_PARAM : GNI_RC_SUCCESS;
    struct nic *n = c == NULL ? NULL : c->nic;
    if (n != NULL && machine_forked())
        code = GNI_RC_INVALID_STATE;
    else if (n != NULL && (n->queues != 0 || n->endpoints != 0))
        code = GNI_RC_ERROR_RESOURCE;
    else if (c != NULL) {
        struct wire_answer a;
        if (n != NULL && n->way != NULL) {
            code = code_of(machine_ask(n->way, WIRE_DETACH, &n->domain, 1, -1, &a));
            leave_descriptor(n->descriptor);
        }
        if (n != NULL)
            n->cdm = NULL;
        handle_drop(cdm);
        free(c);
    }
    ugni_unlock(&signals);
    return code;
}

/* ---- devices ------------------------------------------------------------------------------------------------ */

gni_return_t GNI_CdmGetNicAddress(uint32_t device, uint32_t *address, uint32_t *cpu)
{
    sigset_t signals;
    if (address == NULL || cpu == NULL)
        return GNI_RC_INVALID_PARAM;
    if (device != 0)
        return GNI_RC_NO_MATCH;
    ugni_lock(&signals);
    const gni_return_t code = machine_attach();
    if (code == GNI_RC_SUCCESS)
        *address = machine_address();
    *cpu = 0;
    ugni_unlock(&signals);
    return code;
}

gni_return_t GNI_GetNumLocalDevices(int *count)
{
    if (count == NULL)
        return GNI_RC_INVALID_PARAM;
    *count = 1;
    return GNI_RC_SUCCESS;
}

gni_return_t GNI_GetLocalDeviceIds(int length, int *ids)
{
    if (length < 1 || ids == NULL)
        return GNI_RC_INVALID_PARAM;
    ids[0] = 0;
    return GNI_RC_SUCCESS;
}

gni_return_t GNI_GetDeviceType(gni_nic_device_t *type)
{
    if (type == NULL)
        return GNI_RC_INVALID_PARAM;
    *type = GNI_DEVICE_ARIES;
    return GNI_RC_SUCCESS;
}

gni_return_t GNI_GetPtag(uint32_t device, uint32_t cookie, uint8_t *ptag)
{
    const char *given = getenv("PMI_GNI_PTAG");
    (void)cookie;
    if (ptag == NULL)
        return GNI_RC_INVALID_PARAM;
    if (device != 0 || given == NULL)
        return GNI_RC_NO_MATCH;
    *ptag = (uint8_t)strtoul(given, NULL, 10);
    return GNI_RC_SUCCESS;
}

gni_return_t GNI_GetNicStat(gni_nic_handle_t nic, gni_statistic_t which, uint32_t *value)
{
    sigset_t signals;
    ugni_lock(&signals);
    const struct nic *n = handle_get(KIND_NIC, nic);
    const bool good = n != NULL && value != NULL && (unsigned)which < GNI_NUM_STATS;
    if (good)
        *value = n->stat[which];
    ugni_unlock(&signals);
    return good ? GNI_RC_SUCCESS : GNI_RC_INVALID_PARAM;
}

gni_return_t GNI_GetJobResInfo(uint32_t device, uint8_t ptag, gni_job_res_t which,
                               gni_job_res_desc_t *info)
{
    sigset_t signals;
    struct wire_answer a;
    (void)ptag;
    if (info == NULL || device != 0 || (unsigned)which >= GNI_JOB_RES_LAST)
        return GNI_RC_INVALID_PARAM;
    ugni_lock(&signals);
    gni_return_t code = machine_attach();
    if (code == GNI_RC_SUCCESS)
        code = code_of(machine_ask(machine_way(0), WIRE_RESOURCES, NULL, 0, -1, &a));
    ugni_unlock(&signals);
    if (code != GNI_RC_SUCCESS)
        return code;
    const bool none = which == GNI_JOB_RES_CE; /* collective engines are not built */
    info->used = none ? 0 : a.word[2 * which];
    info->limit = none ? 0 : a.word[2 * which + 1];
    return GNI_RC_SUCCESS;
}
