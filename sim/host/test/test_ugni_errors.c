// SPDX-License-Identifier: Apache-2.0
/*
 * test_ugni_errors.c - every documented error of every call is its code, and none crashes; an error of a transaction is one event,
 * and the next transaction is good.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/host/test/pairs.h"
#include "sim/host/wire.h"
#include "tb/base/harness.h"

#define STALE(type) ((type)wire_pointer(0x123456789))

static bool domains(struct side *s)
{
    gni_cdm_handle_t cdm = NULL, twin = NULL;
    gni_nic_handle_t nic = NULL;
    uint32_t address = 0, cpu = 0, value = 0;
    uint8_t ptag;
    int ids[2], n = 0;
    gni_nic_device_t type;
    gni_job_res_desc_t before, after;
    const uint32_t wrong[] = {GNI_CDM_MODE_FMA_DEDICATED | GNI_CDM_MODE_FMA_SHARED,
                              GNI_CDM_MODE_MDD_DEDICATED | GNI_CDM_MODE_MDD_SHARED,
                              GNI_CDM_MODE_ERR_NO_KILL | GNI_CDM_MODE_ERR_ALL_KILL,
                              GNI_CDM_MODE_FORK_NOCOPY | GNI_CDM_MODE_FORK_FULLCOPY,
                              GNI_CDM_MODE_FORK_FULLCOPY | GNI_CDM_MODE_FORK_PARTCOPY};
    if (!side_begin(s))
        return false;
    for (unsigned i = 0; i < 5; i++)
        side_code(s, GNI_CdmCreate(1, 1, 1, wrong[i], &cdm), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_CdmCreate(1, 1, 1, 0, NULL), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_CdmAttach(NULL, 0, &address, &nic), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_CdmAttach(STALE(gni_cdm_handle_t), 0, &address, &nic), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_CdmAttach(s->cdm, 0, NULL, &nic), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_CdmAttach(s->cdm, 0, &address, NULL), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_CdmAttach(s->cdm, 1, &address, &nic), GNI_RC_NO_MATCH);
    side_code(s, GNI_CdmAttach(s->cdm, 0, &address, &nic), GNI_RC_INVALID_STATE);
    side_code(s, GNI_CdmCreate(s->inst, SIDE_PTAG, SIDE_COOKIE, 0, &twin), GNI_RC_SUCCESS);
    side_code(s, GNI_CdmAttach(twin, 0, &address, &nic),
              GNI_RC_INVALID_PARAM); /* the id is taken here */
    side_code(s, GNI_CdmDestroy(twin), GNI_RC_SUCCESS);
    side_code(s, GNI_CdmDestroy(twin), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_CdmDestroy(NULL), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_CdmDestroy((gni_cdm_handle_t)(void *)s->nic), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_CdmDestroy(s->cdm), GNI_RC_ERROR_RESOURCE); /* queues and endpoints */
    side_code(s, GNI_CdmGetNicAddress(1, &address, &cpu), GNI_RC_NO_MATCH);
    side_code(s, GNI_CdmGetNicAddress(0, NULL, &cpu), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_CdmGetNicAddress(0, &address, NULL), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_GetNumLocalDevices(NULL), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_GetNumLocalDevices(&n), GNI_RC_SUCCESS);
    side_code(s, GNI_GetLocalDeviceIds(0, ids), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_GetLocalDeviceIds(1, NULL), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_GetLocalDeviceIds(n, ids), GNI_RC_SUCCESS);
    side_code(s, GNI_GetDeviceType(NULL), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_GetDeviceType(&type), GNI_RC_SUCCESS);
    side_ok(s, n == 1 && ids[0] == 0 && type == GNI_DEVICE_ARIES);
    unsetenv("PMI_GNI_PTAG");
    side_code(s, GNI_GetPtag(0, SIDE_COOKIE, &ptag), GNI_RC_NO_MATCH);
    side_code(s, GNI_GetPtag(0, SIDE_COOKIE, NULL), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_GetNicStat(NULL, GNI_STAT_FMA_PUTS, &value), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_GetNicStat(s->nic, GNI_NUM_STATS, &value), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_GetNicStat(s->nic, GNI_STAT_FMA_PUTS, NULL), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_GetJobResInfo(1, SIDE_PTAG, GNI_JOB_RES_MDD, &before), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_GetJobResInfo(0, SIDE_PTAG, GNI_JOB_RES_LAST, &before), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_GetJobResInfo(0, SIDE_PTAG, GNI_JOB_RES_MDD, NULL), GNI_RC_INVALID_PARAM);
    side_meet(s);
    if (s->rank == 0) {
        gni_mem_handle_t h;
        side_code(s, GNI_GetJobResInfo(0, SIDE_PTAG, GNI_JOB_RES_MDD, &before), GNI_RC_SUCCESS);
        side_code(s,
                  GNI_MemRegister(s->nic, (uintptr_t)s->memory, 5, NULL, GNI_MEM_READWRITE,
                                  UINT32_MAX, &h),
                  GNI_RC_SUCCESS);
        side_code(s, GNI_GetJobResInfo(0, SIDE_PTAG, GNI_JOB_RES_MDD, &after), GNI_RC_SUCCESS);
        side_ok(s,
                after.used == before.used + 1 && after.limit == before.limit && after.limit > 20);
        side_code(s, GNI_MemDeregister(s->nic, &h), GNI_RC_SUCCESS);
    }
    return side_end(s);
}

static bool queues(struct side *s)
{
    gni_cq_handle_t cq = NULL, two[2];
    gni_cq_entry_t e = 0;
    gni_post_descriptor_t *d = NULL;
    uint32_t which = 0;
    char text[100];
    if (!side_begin(s))
        return false;
    side_code(s, GNI_CqCreate(NULL, 10, 0, GNI_CQ_NOBLOCK, NULL, NULL, &cq), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_CqCreate(s->nic, 0, 0, GNI_CQ_NOBLOCK, NULL, NULL, &cq), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_CqCreate(s->nic, 1 << 30, 0, GNI_CQ_NOBLOCK, NULL, NULL, &cq),
              GNI_RC_INVALID_PARAM);
    side_code(s, GNI_CqCreate(s->nic, 10, 11, GNI_CQ_NOBLOCK, NULL, NULL, &cq),
              GNI_RC_INVALID_PARAM);
    side_code(s, GNI_CqCreate(s->nic, 10, 0, GNI_CQ_NOBLOCK | GNI_CQ_BLOCKING, NULL, NULL, &cq),
              GNI_RC_INVALID_PARAM);
    side_code(s, GNI_CqCreate(s->nic, 10, 0, GNI_CQ_NOBLOCK, NULL, NULL, NULL),
              GNI_RC_INVALID_PARAM);
    side_code(s, GNI_CqDestroy(NULL), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_CqDestroy(s->local), GNI_RC_ERROR_RESOURCE); /* an endpoint is on it */
    side_code(s, GNI_CqCreate(s->nic, 10, 0, GNI_CQ_BLOCKING, NULL, NULL, &cq), GNI_RC_SUCCESS);
    side_code(s, GNI_CqGetEvent(NULL, &e), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_CqGetEvent(cq, NULL), GNI_RC_INVALID_PARAM);
    e = 5;
    side_code(s, GNI_CqGetEvent(cq, &e), GNI_RC_NOT_DONE);
    side_ok(s, e == 0);
    side_code(s, GNI_CqTestEvent(NULL), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_CqTestEvent(cq), GNI_RC_NOT_DONE);
    side_code(s, GNI_CqWaitEvent(cq, 5, NULL), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_CqWaitEvent(cq, 5, &e), GNI_RC_TIMEOUT);
    two[0] = cq;
    two[1] = s->local;
    side_code(s, GNI_CqVectorMonitor(NULL, 2, 5, &which), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_CqVectorMonitor(two, 0, 5, &which), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_CqVectorMonitor(two, 2, 5, NULL), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_CqVectorMonitor(two, 2, 5, &which), GNI_RC_TIMEOUT);
    gni_post_descriptor_t put = side_post(s, GNI_POST_FMA_PUT, 0, 0, 8);
    side_code(s, GNI_PostFma(s->ep, &put), GNI_RC_SUCCESS);
    side_code(s, GNI_CqVectorMonitor(two, 2, 20000, &which), GNI_RC_SUCCESS);
    side_ok(s, which == 1);
    side_code(s, GNI_CqGetEvent(s->local, &e), GNI_RC_SUCCESS);
    side_code(s, GNI_GetCompleted(cq, e, &d), GNI_RC_INVALID_PARAM); /* of another queue */
    side_code(s, GNI_GetCompleted(s->local, e, NULL), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_GetCompleted(NULL, e, &d), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_GetCompleted(s->local, e | UINT64_C(7) << 56, &d), GNI_RC_DESCRIPTOR_ERROR);
    side_code(s, GNI_GetCompleted(s->local, e, &d), GNI_RC_SUCCESS);
    side_ok(s, d == &put && put.status == GNI_RC_SUCCESS);
    side_code(s, GNI_GetCompleted(s->local, e, &d), GNI_RC_INVALID_PARAM); /* once */
    side_code(s, GNI_CqErrorStr(e, NULL, 100), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_CqErrorStr(e, text, 0), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_CqErrorStr(e, text, 3), GNI_RC_SIZE_ERROR);
    side_code(s, GNI_CqErrorStr(e, text, sizeof text), GNI_RC_SUCCESS);
    side_ok(s, strcmp(text, "SSID_SRSP: OK") == 0);
    side_code(s, GNI_CqErrorRecoverable(e, NULL), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_CqErrorRecoverable(e, &which), GNI_RC_SUCCESS);
    side_code(s, GNI_CqDestroy(cq), GNI_RC_SUCCESS);
    side_code(s, GNI_CqDestroy(cq), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_CqGetEvent(cq, &e), GNI_RC_INVALID_PARAM);
    return side_end(s);
}

static bool memory(struct side *s)
{
    gni_mem_handle_t h = {0, 0};
    const uint64_t at = (uintptr_t)s->memory;
    if (!side_begin(s))
        return false;
    const uint64_t a = (uintptr_t)s->memory;
    (void)at;
    side_code(s, GNI_MemRegister(NULL, a, 8, NULL, 0, UINT32_MAX, &h), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_MemRegister(s->nic, a, 0, NULL, 0, UINT32_MAX, &h), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_MemRegister(s->nic, UINT64_MAX - 3, 8, NULL, 0, UINT32_MAX, &h),
              GNI_RC_INVALID_PARAM);
    side_code(s, GNI_MemRegister(s->nic, a, 8, STALE(gni_cq_handle_t), 0, UINT32_MAX, &h),
              GNI_RC_INVALID_PARAM);
    side_code(
        s,
        GNI_MemRegister(s->nic, a, 8, NULL, GNI_MEM_READWRITE | GNI_MEM_READ_ONLY, UINT32_MAX, &h),
        GNI_RC_INVALID_PARAM);
    side_code(s, GNI_MemRegister(s->nic, a, 8, NULL, GNI_MEM_USE_VMDH, 0, &h),
              GNI_RC_INVALID_PARAM);
    side_code(s, GNI_MemRegister(s->nic, a, 8, NULL, 0, UINT32_MAX, NULL), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_MemDeregister(s->nic, NULL), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_MemDeregister(s->nic, &h), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_MemDeregister(NULL, &s->handle), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_MemRegister(s->nic, a + 100, 10, NULL, GNI_MEM_READ_ONLY, UINT32_MAX, &h),
              GNI_RC_SUCCESS);
    side_ok(s, h.qword1 != 0 || h.qword2 != 0);
    gni_mem_handle_t copy = h;
    side_code(s, GNI_MemDeregister(s->nic, &h), GNI_RC_SUCCESS);
    side_code(s, GNI_MemDeregister(s->nic, &copy), GNI_RC_INVALID_PARAM); /* stale */
    copy = s->handle;
    copy.qword2 ^= 1 << 8;
    side_code(s, GNI_MemDeregister(s->nic, &copy), GNI_RC_INVALID_PARAM); /* its sum is wrong */
    return side_end(s);
}

/* ---- endpoints and posts ------------------------------------------------------------------------------------------ */

static void endpoints(struct side *s)
{
    gni_ep_handle_t ep = NULL;
    gni_post_descriptor_t d = side_post(s, GNI_POST_FMA_PUT, 0, 0, 8);
    side_code(s, GNI_EpCreate(NULL, NULL, &ep), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_EpCreate(s->nic, STALE(gni_cq_handle_t), &ep), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_EpCreate(s->nic, NULL, NULL), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_EpCreate(s->nic, NULL, &ep), GNI_RC_SUCCESS);
    side_ok(s, ((uintptr_t)ep & 0xFFFFFF) > 1 &&
                   ((uintptr_t)ep & 0xFFFFFF) != ((uintptr_t)s->ep & 0xFFFFFF));
    side_code(s, GNI_PostFma(ep, &d), GNI_RC_INVALID_PARAM); /* unbound */
    side_code(s, GNI_EpUnbind(ep), GNI_RC_INVALID_STATE);
    side_code(s, GNI_EpBind(ep, 1 << 18, 0), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_EpBind(ep, s->peer_address, 12345678),
              GNI_RC_SUCCESS); /* an id that need not exist */
    side_code(s, GNI_EpBind(ep, s->peer_address, 1), GNI_RC_INVALID_STATE);
    side_code(s, GNI_PostFma(ep, &d), GNI_RC_INVALID_PARAM); /* an event, and no queue */
    d.cq_mode = GNI_CQMODE_SILENT;
    side_code(s, GNI_PostFma(ep, &d), GNI_RC_SUCCESS);
    side_code(s, GNI_EpUnbind(ep), GNI_RC_SUCCESS);
    side_code(s, GNI_EpDestroy(ep), GNI_RC_SUCCESS);
    side_code(s, GNI_EpDestroy(ep), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_EpBind(ep, 0, 0), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_EpUnbind(NULL), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_EpSetEventData(NULL, 0, 0), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_PostFma(NULL, &d), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_PostFma(s->ep, NULL), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_PostRdma(s->ep, NULL), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_PostCqWrite(s->ep, NULL), GNI_RC_INVALID_PARAM);
}

/* A post with one field changed, and the code of the call. */
#define POST(s, kind, bytes, change, wanted)                                                       \
    do {                                                                                           \
        gni_post_descriptor_t d = side_post(s, kind, 0, 64, bytes);                                \
        change;                                                                                    \
        side_code(s,                                                                               \
                  kind == GNI_POST_RDMA_PUT || kind == GNI_POST_RDMA_GET                           \
                      ? GNI_PostRdma((s)->ep, &d)                                                  \
                  : kind == GNI_POST_CQWRITE ? GNI_PostCqWrite((s)->ep, &d)                        \
                                             : GNI_PostFma((s)->ep, &d),                           \
                  wanted);                                                                         \
    } while (0)

static void posts(struct side *s)
{
    static uint8_t stranger[64];
    POST(s, GNI_POST_FMA_PUT, 0, , GNI_RC_INVALID_PARAM);
    POST(s, GNI_POST_FMA_PUT, 4097, , GNI_RC_INVALID_PARAM);
    POST(s, GNI_POST_FMA_PUT, 8, d.local_addr = 0, GNI_RC_INVALID_PARAM);
    POST(s, GNI_POST_FMA_PUT, 8, d.cq_mode = 8, GNI_RC_INVALID_PARAM);
    POST(s, GNI_POST_FMA_PUT, 8, d.dlvr_mode = 7, GNI_RC_INVALID_PARAM);
    POST(s, GNI_POST_FMA_PUT, 8, d.remote_mem_hndl.qword2 ^= 1, GNI_RC_INVALID_PARAM);
    POST(s, GNI_POST_FMA_PUT, 8, d.remote_addr = s->peer_memory + SIDE_BYTES - 4,
         GNI_RC_INVALID_PARAM);
    POST(s, GNI_POST_FMA_PUT, 8, d.remote_addr = s->peer_memory - 8, GNI_RC_INVALID_PARAM);
    POST(s, GNI_POST_FMA_PUT_W_SYNCFLAG, 8, d.sync_flag_addr = s->peer_memory + 4,
         GNI_RC_ALIGNMENT_ERROR);
    POST(s, GNI_POST_FMA_PUT_W_SYNCFLAG, 8, d.sync_flag_addr = 8, GNI_RC_INVALID_PARAM);
    POST(s, GNI_POST_FMA_GET, 0, , GNI_RC_INVALID_PARAM);
    POST(s, GNI_POST_FMA_GET, 6, , GNI_RC_ALIGNMENT_ERROR);
    POST(s, GNI_POST_FMA_GET, 8, d.local_addr += 2, GNI_RC_ALIGNMENT_ERROR);
    POST(s, GNI_POST_FMA_GET, 8, d.remote_addr += 1, GNI_RC_ALIGNMENT_ERROR);
    POST(s, GNI_POST_FMA_GET, 8, d.local_addr = (uintptr_t)stranger & ~UINT64_C(7),
         GNI_RC_PERMISSION_ERROR);
    POST(s, GNI_POST_FMA_GET, 8, d.local_mem_hndl = (gni_mem_handle_t){0}, GNI_RC_PERMISSION_ERROR);
    POST(s, GNI_POST_FMA_GET_W_FLAG, 64, , GNI_RC_SIZE_ERROR);
    POST(s, GNI_POST_FMA_GET_W_FLAG, 8, d.remote_addr += 60, GNI_RC_SIZE_ERROR);
    POST(s, GNI_POST_FMA_GET_W_FLAG, 8, d.local_addr += SIDE_BYTES - 8, GNI_RC_PERMISSION_ERROR);
    POST(s, GNI_POST_AMO_W_FLAG, 8, d.amo_cmd = GNI_FMA_ATOMIC_ADD, GNI_RC_ILLEGAL_OP);
    POST(s, GNI_POST_CE, 8, , GNI_RC_ILLEGAL_OP);
    POST(s, GNI_POST_AMO, 8, d.amo_cmd = (gni_fma_cmd_type_t)0, GNI_RC_ILLEGAL_OP);
    POST(s, GNI_POST_AMO, 8, d.amo_cmd = (gni_fma_cmd_type_t)0x10D, GNI_RC_ILLEGAL_OP);
    POST(s, GNI_POST_AMO, 4, d.amo_cmd = GNI_FMA_ATOMIC_ADD, GNI_RC_INVALID_PARAM);
    POST(s, GNI_POST_AMO, 8, d.amo_cmd = GNI_FMA_ATOMIC2_IADD_S, GNI_RC_INVALID_PARAM);
    POST(s, GNI_POST_AMO, 8, (d.amo_cmd = GNI_FMA_ATOMIC_ADD, d.remote_addr += 4),
         GNI_RC_ALIGNMENT_ERROR);
    POST(s, GNI_POST_AMO, 8, (d.amo_cmd = GNI_FMA_ATOMIC_FADD, d.local_addr += 4),
         GNI_RC_ALIGNMENT_ERROR);
    POST(s, GNI_POST_AMO, 8, (d.amo_cmd = GNI_FMA_ATOMIC_FADD, d.local_addr = 0),
         GNI_RC_PERMISSION_ERROR);
    POST(s, GNI_POST_RDMA_PUT, 0, , GNI_RC_INVALID_PARAM);
    POST(s, GNI_POST_RDMA_PUT, 8, d.length = UINT64_C(1) << 40, GNI_RC_SIZE_ERROR);
    POST(s, GNI_POST_RDMA_PUT, SIDE_BYTES, , GNI_RC_INVALID_PARAM);
    POST(s, GNI_POST_RDMA_PUT, 8, d.local_addr = (uintptr_t)stranger, GNI_RC_PERMISSION_ERROR);
    POST(s, GNI_POST_RDMA_PUT, 8, d.src_cq_hndl = STALE(gni_cq_handle_t), GNI_RC_INVALID_PARAM);
    POST(s, GNI_POST_RDMA_GET, 6, , GNI_RC_ALIGNMENT_ERROR);
    POST(s, GNI_POST_RDMA_GET, 8, d.remote_addr += 2, GNI_RC_ALIGNMENT_ERROR);
    POST(s, GNI_POST_CQWRITE, 0, d.remote_mem_hndl = (gni_mem_handle_t){0}, GNI_RC_INVALID_PARAM);
    gni_post_descriptor_t d = side_post(s, GNI_POST_FMA_PUT, 0, 64, 8);
    side_code(s, GNI_PostRdma(s->ep, &d), GNI_RC_ILLEGAL_OP);
    side_code(s, GNI_PostCqWrite(s->ep, &d), GNI_RC_ILLEGAL_OP);
    side_ok(s, GNI_CqTestEvent(s->local) == GNI_RC_NOT_DONE); /* what is refused brings no event */
    gni_mem_handle_t read_only;
    side_code(s,
              GNI_MemRegister(s->nic, (uintptr_t)s->memory, 4096, NULL, GNI_MEM_READ_ONLY,
                              UINT32_MAX, &read_only),
              GNI_RC_SUCCESS);
    POST(s, GNI_POST_FMA_GET, 8, d.local_mem_hndl = read_only, GNI_RC_PERMISSION_ERROR);
    side_code(s, GNI_MemDeregister(s->nic, &read_only), GNI_RC_SUCCESS);
}

static bool refusals(struct side *s)
{
    if (!side_begin(s))
        return false;
    endpoints(s);
    posts(s);
    gni_smsg_attr_t a = {.msg_type = GNI_SMSG_TYPE_MBOX,
                         .msg_buffer = s->memory,
                         .mem_hndl = s->handle,
                         .buff_size = SIDE_BYTES,
                         .mbox_maxcredit = 4,
                         .msg_maxsize = 64},
                    b = a;
    unsigned bytes;
    void *header;
    uint8_t tag = 0;
    b.msg_buffer = wire_pointer(s->peer_memory);
    b.mem_hndl = s->peer_handle;
    side_code(s, GNI_SmsgBufferSizeNeeded(NULL, &bytes), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_SmsgBufferSizeNeeded(&a, NULL), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_SmsgBufferSizeNeeded(&(gni_smsg_attr_t){0}, &bytes), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_SmsgSendWTag(s->ep, NULL, 0, NULL, 0, 0, 0), GNI_RC_INVALID_STATE);
    side_code(s, GNI_SmsgGetNextWTag(s->ep, &header, &tag), GNI_RC_INVALID_STATE);
    side_code(s, GNI_SmsgRelease(s->ep), GNI_RC_INVALID_STATE);
    side_code(s, GNI_SmsgInit(NULL, &a, &b), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_SmsgInit(s->ep, NULL, &b), GNI_RC_INVALID_PARAM);
    b.mbox_maxcredit = 5;
    side_code(s, GNI_SmsgInit(s->ep, &a, &b), GNI_RC_INVALID_PARAM);
    b.mbox_maxcredit = 4;
    b.msg_maxsize = 65;
    side_code(s, GNI_SmsgInit(s->ep, &a, &b), GNI_RC_INVALID_PARAM);
    b.msg_maxsize = 64;
    b.msg_type = GNI_SMSG_TYPE_MBOX_AUTO_RETRANSMIT;
    side_code(s, GNI_SmsgInit(s->ep, &a, &b), GNI_RC_INVALID_PARAM);
    b.msg_type = GNI_SMSG_TYPE_MBOX;
    a.buff_size = 100;
    side_code(s, GNI_SmsgInit(s->ep, &a, &b), GNI_RC_INVALID_PARAM);
    a.buff_size = SIDE_BYTES;
    side_code(s, GNI_SmsgInit(s->ep, &a, &b), GNI_RC_SUCCESS);
    side_code(s, GNI_SmsgInit(s->ep, &a, &b), GNI_RC_INVALID_STATE);
    side_code(s, GNI_SmsgSendWTag(s->ep, s->memory, 60, s->memory, 60, 0, 0), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_SmsgSendWTag(s->ep, NULL, 4, NULL, 0, 0, 0), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_SmsgGetNextWTag(s->ep, NULL, &tag), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_SmsgGetNextWTag(s->ep, &header, NULL), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_SmsgSetMaxRetrans(NULL, 3), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_EpPostDataCancel(s->ep), GNI_RC_NO_MATCH);
    side_code(s, GNI_EpPostData(NULL, NULL, 0, NULL, 0), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_EpPostData(s->ep, NULL, 4, NULL, 0), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_PostDataProbeById(NULL, &(uint64_t){0}), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_PostDataProbeById(s->nic, NULL), GNI_RC_INVALID_PARAM);
    side_code(s, GNI_EpPostDataTest(s->ep, NULL, &bytes, &bytes), GNI_RC_INVALID_PARAM);
    return side_end(s);
}

/* ---- errors of transactions -------------------------------------------------------------------------------------------- */

/* Each kind of post to a handle that its owner has given back: one event with the error and its descriptor; the next one is good. */
static bool transactions(struct side *s)
{
    static const gni_post_type_t kinds[] = {GNI_POST_FMA_PUT, GNI_POST_FMA_GET, GNI_POST_AMO,
                                            GNI_POST_RDMA_PUT, GNI_POST_RDMA_GET};
    gni_mem_handle_t gone, there, dead_there;
    if (!side_begin(s))
        return false;
    side_code(s,
              GNI_MemRegister(s->nic, (uintptr_t)s->memory, 4096, NULL, GNI_MEM_READ_ONLY,
                              UINT32_MAX, &there),
              GNI_RC_SUCCESS);
    side_code(s,
              GNI_MemRegister(s->nic, (uintptr_t)s->memory, 4096, NULL, GNI_MEM_READWRITE,
                              UINT32_MAX, &gone),
              GNI_RC_SUCCESS);
    side_exchange(s, &gone, &dead_there, sizeof gone);
    side_code(s, GNI_MemDeregister(s->nic, &gone), GNI_RC_SUCCESS);
    side_meet(s);
    for (unsigned i = 0; i < 5 && s->why[0] == '\0'; i++) {
        gni_post_descriptor_t d = side_post(s, kinds[i], 0, 64, 8);
        d.amo_cmd = GNI_FMA_ATOMIC_FADD;
        d.remote_mem_hndl = dead_there;
        side_code(s, side_do(s, &d), GNI_RC_TRANSACTION_ERROR);
        side_ok(s, d.status == GNI_RC_TRANSACTION_ERROR);
        d.remote_mem_hndl = s->peer_handle;
        side_code(s, side_do(s, &d), GNI_RC_SUCCESS);
        side_ok(s, GNI_CqTestEvent(s->local) == GNI_RC_NOT_DONE);
    }
    side_meet(s);
    gni_mem_handle_t protected;
    side_exchange(s, &there, &protected, sizeof there);
    gni_post_descriptor_t d = side_post(s, GNI_POST_FMA_PUT, 0, 64, 8);
    d.remote_mem_hndl = protected;
    side_code(s, side_do(s, &d), GNI_RC_TRANSACTION_ERROR);
    d.type = GNI_POST_FMA_GET;
    side_code(s, side_do(s, &d), GNI_RC_SUCCESS);
    side_meet(s);
    side_code(s, GNI_MemDeregister(s->nic, &there), GNI_RC_SUCCESS);
    return side_end(s);
}

/* A child of fork may use nothing of its parent's, and its end ends nothing. */
static bool forks(struct side *s)
{
    int status = 1;
    if (!side_begin(s))
        return false;
    const pid_t child = fork();
    if (child == 0) {
        gni_post_descriptor_t d = side_post(s, GNI_POST_FMA_PUT, 0, 0, 8);
        gni_cq_entry_t e;
        gni_nic_handle_t nic;
        uint32_t address;
        const bool good = GNI_PostFma(s->ep, &d) == GNI_RC_INVALID_STATE &&
                          GNI_CqGetEvent(s->local, &e) == GNI_RC_INVALID_STATE &&
                          GNI_MemDeregister(s->nic, &s->handle) == GNI_RC_INVALID_STATE &&
                          GNI_EpDestroy(s->ep) == GNI_RC_INVALID_STATE &&
                          GNI_CqDestroy(s->remote) == GNI_RC_INVALID_STATE &&
                          GNI_CdmDestroy(s->cdm) == GNI_RC_INVALID_STATE &&
                          GNI_SmsgRelease(s->ep) == GNI_RC_INVALID_STATE &&
                          GNI_CdmAttach(s->cdm, 0, &address, &nic) == GNI_RC_INVALID_STATE;
        _exit(good ? 0 : 1);
    }
    waitpid(child, &status, 0);
    side_ok(s, status == 0);
    gni_post_descriptor_t d = side_post(s, GNI_POST_FMA_PUT, 0, 0, 8);
    side_code(s, side_do(s, &d), GNI_RC_SUCCESS);
    return side_end(s);
}

static void on_two(const char *what, bool (*test)(struct side *s), uint64_t seed)
{
    char why[SIDE_TEXT];
    const bool good = pair_run(test, seed, NODE_EACH, why);
    if (why[0] != '\0')
        tap_why("%s", why);
    tap_ok(good, "%s", what);
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);

    machine_begin("build/bin/machined", 2);
    on_two("domains, devices, resources", domains, seed);
    on_two("queues and completions", queues, seed);
    on_two("registrations", memory, seed);
    on_two("endpoints, posts, messages, datagrams that are refused", refusals, seed);
    on_two("errors of transactions, and good ones behind them", transactions, seed);
    on_two("a child of fork", forks, seed);
    tap_ok(machine_end(), "the machine ends");
    return tap_done();
}
