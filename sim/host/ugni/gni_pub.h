// SPDX-License-Identifier: Apache-2.0
/*
 * gni_pub.h - the names of the Generic Network Interface over a modelled NIC: what programs of Gemini and Aries are compiled with.
 *
 * Names, the order of return codes, opcodes of atomic operations and the layout of memory handles are those of the field; the text is
 * our own. What each call does, where it differs, and which error comes when: sim/host/ugni/README.md.
 */
#ifndef HEDDLE_GNI_PUB_H
#define HEDDLE_GNI_PUB_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- results ------------------------------------------------------------------------------------------ */

typedef enum gni_return {
    GNI_RC_SUCCESS = 0,
    GNI_RC_NOT_DONE,
    GNI_RC_INVALID_PARAM,
    GNI_RC_ERROR_RESOURCE,
    GNI_RC_TIMEOUT,
    GNI_RC_PERMISSION_ERROR,
    GNI_RC_DESCRIPTOR_ERROR,
    GNI_RC_ALIGNMENT_ERROR,
    GNI_RC_INVALID_STATE,
    GNI_RC_NO_MATCH,
    GNI_RC_SIZE_ERROR,
    GNI_RC_TRANSACTION_ERROR,
    GNI_RC_ILLEGAL_OP,
    GNI_RC_ERROR_NOMEM
} gni_return_t;

/* The name of each. */
extern const char *gni_err_str[];

/* ---- handles ------------------------------------------------------------------------------------------- */

/* Not pointers: {generation, index from 2 on of 24 bits}. */
typedef struct gni_cdm *gni_cdm_handle_t;
typedef struct gni_nic *gni_nic_handle_t;
typedef struct gni_ep *gni_ep_handle_t;
typedef struct gni_cq *gni_cq_handle_t;
typedef struct gni_err *gni_err_handle_t;

/*
 * A registered region: {page of its address 52, memory handle 12} and {pages 28, log2 of a page 6, flags 8, generation 14, sum 8},
 * each from bit 63, or 27 for the first of the second word, as libfabric packs them.
 */
typedef struct gni_mem_handle {
    uint64_t qword1;
    uint64_t qword2;
} gni_mem_handle_t;

typedef enum gni_nic_device { GNI_DEVICE_GEMINI = 0, GNI_DEVICE_ARIES = 1 } gni_nic_device_t;

/* ---- communication domains -------------------------------------------------------------------------------- */

#define GNI_CDM_MODE_FORK_NOCOPY            0x000001
#define GNI_CDM_MODE_FORK_FULLCOPY          0x000002
#define GNI_CDM_MODE_FORK_PARTCOPY          0x000004
#define GNI_CDM_MODE_ERR_NO_KILL            0x000008
#define GNI_CDM_MODE_ERR_ALL_KILL           0x000010
#define GNI_CDM_MODE_FAST_DATAGRAM_POLL     0x000020
#define GNI_CDM_MODE_BTE_SINGLE_CHANNEL     0x000040
#define GNI_CDM_MODE_USE_PCI_IOMMU          0x000080
#define GNI_CDM_MODE_MDD_DEDICATED          0x000100
#define GNI_CDM_MODE_MDD_SHARED             0x000200
#define GNI_CDM_MODE_FMA_DEDICATED          0x000400
#define GNI_CDM_MODE_FMA_SHARED             0x000800
#define GNI_CDM_MODE_CACHED_AMO_ENABLED     0x001000
#define GNI_CDM_MODE_CQ_NIC_LOCAL_PLACEMENT 0x002000
#define GNI_CDM_MODE_FMA_SMALL_WINDOW       0x004000

/* ---- completion queues ------------------------------------------------------------------------------------- */

typedef uint64_t gni_cq_entry_t;

/* {overrun 1, status 4, source 3, type 2, rest by type}; no event is 0. */
#define GNI_CQ_EVENT_TYPE_POST  0
#define GNI_CQ_EVENT_TYPE_SMSG  1
#define GNI_CQ_EVENT_TYPE_DMAPP 2
#define GNI_CQ_EVENT_TYPE_MSGQ  3

#define GNI_CQ_OVERRUN(entry)         (((entry) >> 63) & 1)
#define GNI_CQ_REM_OVERRUN(entry)     ((uint64_t)(entry) * 0)
#define GNI_CQ_GET_STATUS(entry)      (((entry) >> 59) & 0xF)
#define GNI_CQ_STATUS_OK(entry)       (GNI_CQ_GET_STATUS(entry) == 0)
#define GNI_CQ_GET_SOURCE(entry)      (((entry) >> 56) & 7)
#define GNI_CQ_GET_TYPE(entry)        (((entry) >> 54) & 3)
#define GNI_CQ_GET_DATA(entry)        ((entry) & 0x00FFFFFFFFFFFFFFull)
#define GNI_CQ_GET_TID(entry)         ((entry) & 0xFFFFFF)   /* number of a post */
#define GNI_CQ_GET_MSG_ID(entry)      ((entry) & 0xFFFFFFFF) /* of a local event of a message */
#define GNI_CQ_GET_INST_ID(entry)     (((entry) >> 30) & 0xFFFFFF) /* of a remote event */
#define GNI_CQ_GET_REM_INST_ID(entry) GNI_CQ_GET_INST_ID(entry)

#define GNI_CQ_NOBLOCK    0x1
#define GNI_CQ_BLOCKING   0x2
#define GNI_CQ_PHYS_PAGES 0x4

/* ---- memory -------------------------------------------------------------------------------------------------- */

#define GNI_MEM_READWRITE           0x001
#define GNI_MEM_READ_ONLY           0x002
#define GNI_MEM_USE_VMDH            0x004
#define GNI_MEM_USE_GART            0x008
#define GNI_MEM_RELAXED_PI_ORDERING 0x010
#define GNI_MEM_STRICT_PI_ORDERING  0x020
#define GNI_MEM_PI_FLUSH            0x040
#define GNI_MEM_RESERVE_REGION      0x080

/* ---- posts --------------------------------------------------------------------------------------------------- */

typedef enum gni_post_type {
    GNI_POST_RDMA_PUT = 1,
    GNI_POST_RDMA_GET = 2,
    GNI_POST_FMA_PUT = 3,
    GNI_POST_FMA_PUT_W_SYNCFLAG = 4,
    GNI_POST_FMA_GET = 5,
    GNI_POST_AMO = 6,
    GNI_POST_CQWRITE = 7,
    GNI_POST_CE = 8,
    GNI_POST_FMA_GET_W_FLAG = 9,
    GNI_POST_AMO_W_FLAG = 10
} gni_post_type_t;

/* 0x100: nothing comes back; 0x200: 32 bits; the low 7 bits are the NIC's opcode. */
typedef enum gni_fma_cmd_type {
    GNI_FMA_ATOMIC_FADD = 0x008,
    GNI_FMA_ATOMIC_FADD_C = 0x018,
    GNI_FMA_ATOMIC_FAND = 0x009,
    GNI_FMA_ATOMIC_FAND_C = 0x019,
    GNI_FMA_ATOMIC_FOR = 0x00A,
    GNI_FMA_ATOMIC_FOR_C = 0x01A,
    GNI_FMA_ATOMIC_FXOR = 0x00B,
    GNI_FMA_ATOMIC_FXOR_C = 0x01B,
    GNI_FMA_ATOMIC_FAX = 0x00C,
    GNI_FMA_ATOMIC_FAX_C = 0x01C,
    GNI_FMA_ATOMIC_CSWAP = 0x00D,
    GNI_FMA_ATOMIC_CSWAP_C = 0x01D,
    GNI_FMA_ATOMIC_ADD = 0x108,
    GNI_FMA_ATOMIC_ADD_C = 0x118,
    GNI_FMA_ATOMIC_AND = 0x109,
    GNI_FMA_ATOMIC_AND_C = 0x119,
    GNI_FMA_ATOMIC_OR = 0x10A,
    GNI_FMA_ATOMIC_OR_C = 0x11A,
    GNI_FMA_ATOMIC_XOR = 0x10B,
    GNI_FMA_ATOMIC_XOR_C = 0x11B,
    GNI_FMA_ATOMIC_AX = 0x10C,
    GNI_FMA_ATOMIC_AX_C = 0x11C,
    GNI_FMA_ATOMIC2_FAND_S = 0x240,
    GNI_FMA_ATOMIC2_FAND_SC = 0x260,
    GNI_FMA_ATOMIC2_FAND = 0x041,
    GNI_FMA_ATOMIC2_FAND_C = 0x061,
    GNI_FMA_ATOMIC2_FOR_S = 0x242,
    GNI_FMA_ATOMIC2_FOR_SC = 0x262,
    GNI_FMA_ATOMIC2_FOR = 0x043,
    GNI_FMA_ATOMIC2_FOR_C = 0x063,
    GNI_FMA_ATOMIC2_FXOR_S = 0x244,
    GNI_FMA_ATOMIC2_FXOR_SC = 0x264,
    GNI_FMA_ATOMIC2_FXOR = 0x045,
    GNI_FMA_ATOMIC2_FXOR_C = 0x065,
    GNI_FMA_ATOMIC2_FSWAP_S = 0x246,
    GNI_FMA_ATOMIC2_FSWAP_SC = 0x266,
    GNI_FMA_ATOMIC2_FSWAP = 0x047,
    GNI_FMA_ATOMIC2_FSWAP_C = 0x067,
    GNI_FMA_ATOMIC2_FAX_S = 0x248,
    GNI_FMA_ATOMIC2_FAX_SC = 0x268,
    GNI_FMA_ATOMIC2_FAX = 0x049,
    GNI_FMA_ATOMIC2_FAX_C = 0x069,
    GNI_FMA_ATOMIC2_FCSWAP_S = 0x24A,
    GNI_FMA_ATOMIC2_FCSWAP_SC = 0x26A,
    GNI_FMA_ATOMIC2_FCSWAP = 0x04B,
    GNI_FMA_ATOMIC2_FCSWAP_C = 0x06B,
    GNI_FMA_ATOMIC2_FIMIN_S = 0x250,
    GNI_FMA_ATOMIC2_FIMIN_SC = 0x270,
    GNI_FMA_ATOMIC2_FIMIN = 0x051,
    GNI_FMA_ATOMIC2_FIMIN_C = 0x071,
    GNI_FMA_ATOMIC2_FIMAX_S = 0x252,
    GNI_FMA_ATOMIC2_FIMAX_SC = 0x272,
    GNI_FMA_ATOMIC2_FIMAX = 0x053,
    GNI_FMA_ATOMIC2_FIMAX_C = 0x073,
    GNI_FMA_ATOMIC2_FIADD_S = 0x254,
    GNI_FMA_ATOMIC2_FIADD_SC = 0x274,
    GNI_FMA_ATOMIC2_FIADD = 0x055,
    GNI_FMA_ATOMIC2_FIADD_C = 0x075,
    GNI_FMA_ATOMIC2_FFPMIN_S = 0x258,
    GNI_FMA_ATOMIC2_FFPMIN_SC = 0x278,
    GNI_FMA_ATOMIC2_FFPMIN = 0x059,
    GNI_FMA_ATOMIC2_FFPMIN_C = 0x079,
    GNI_FMA_ATOMIC2_FFPMAX_S = 0x25A,
    GNI_FMA_ATOMIC2_FFPMAX_SC = 0x27A,
    GNI_FMA_ATOMIC2_FFPMAX = 0x05B,
    GNI_FMA_ATOMIC2_FFPMAX_C = 0x07B,
    GNI_FMA_ATOMIC2_FFPADD_S = 0x25C,
    GNI_FMA_ATOMIC2_FFPADD_SC = 0x27C,
    GNI_FMA_ATOMIC2_FFPADD = 0x05D,
    GNI_FMA_ATOMIC2_FFPADD_C = 0x07D,
    GNI_FMA_ATOMIC2_AND_S = 0x340,
    GNI_FMA_ATOMIC2_AND_SC = 0x360,
    GNI_FMA_ATOMIC2_AND = 0x141,
    GNI_FMA_ATOMIC2_AND_C = 0x161,
    GNI_FMA_ATOMIC2_OR_S = 0x342,
    GNI_FMA_ATOMIC2_OR_SC = 0x362,
    GNI_FMA_ATOMIC2_OR = 0x143,
    GNI_FMA_ATOMIC2_OR_C = 0x163,
    GNI_FMA_ATOMIC2_XOR_S = 0x344,
    GNI_FMA_ATOMIC2_XOR_SC = 0x364,
    GNI_FMA_ATOMIC2_XOR = 0x145,
    GNI_FMA_ATOMIC2_XOR_C = 0x165,
    GNI_FMA_ATOMIC2_SWAP_S = 0x346,
    GNI_FMA_ATOMIC2_SWAP_SC = 0x366,
    GNI_FMA_ATOMIC2_SWAP = 0x147,
    GNI_FMA_ATOMIC2_SWAP_C = 0x167,
    GNI_FMA_ATOMIC2_AX_S = 0x348,
    GNI_FMA_ATOMIC2_AX_SC = 0x368,
    GNI_FMA_ATOMIC2_AX = 0x149,
    GNI_FMA_ATOMIC2_AX_C = 0x169,
    GNI_FMA_ATOMIC2_CSWAP_S = 0x34A,
    GNI_FMA_ATOMIC2_CSWAP_SC = 0x36A,
    GNI_FMA_ATOMIC2_CSWAP = 0x14B,
    GNI_FMA_ATOMIC2_CSWAP_C = 0x16B,
    GNI_FMA_ATOMIC2_IMIN_S = 0x350,
    GNI_FMA_ATOMIC2_IMIN_SC = 0x370,
    GNI_FMA_ATOMIC2_IMIN = 0x151,
    GNI_FMA_ATOMIC2_IMIN_C = 0x171,
    GNI_FMA_ATOMIC2_IMAX_S = 0x352,
    GNI_FMA_ATOMIC2_IMAX_SC = 0x372,
    GNI_FMA_ATOMIC2_IMAX = 0x153,
    GNI_FMA_ATOMIC2_IMAX_C = 0x173,
    GNI_FMA_ATOMIC2_IADD_S = 0x354,
    GNI_FMA_ATOMIC2_IADD_SC = 0x374,
    GNI_FMA_ATOMIC2_IADD = 0x155,
    GNI_FMA_ATOMIC2_IADD_C = 0x175,
    GNI_FMA_ATOMIC2_FPMIN_S = 0x358,
    GNI_FMA_ATOMIC2_FPMIN_SC = 0x378,
    GNI_FMA_ATOMIC2_FPMIN = 0x159,
    GNI_FMA_ATOMIC2_FPMIN_C = 0x179,
    GNI_FMA_ATOMIC2_FPMAX_S = 0x35A,
    GNI_FMA_ATOMIC2_FPMAX_SC = 0x37A,
    GNI_FMA_ATOMIC2_FPMAX = 0x15B,
    GNI_FMA_ATOMIC2_FPMAX_C = 0x17B,
    GNI_FMA_ATOMIC2_FPADD_S = 0x35C,
    GNI_FMA_ATOMIC2_FPADD_SC = 0x37C,
    GNI_FMA_ATOMIC2_FPADD = 0x15D,
    GNI_FMA_ATOMIC2_FPADD_C = 0x17D,
} gni_fma_cmd_type_t;

#define GNI_CQMODE_SILENT       0
#define GNI_CQMODE_LOCAL_EVENT  1
#define GNI_CQMODE_GLOBAL_EVENT 2
#define GNI_CQMODE_REMOTE_EVENT 4
#define GNI_CQMODE_DUAL_EVENTS  6

#define GNI_DLVMODE_PERFORMANCE 0x0000
#define GNI_DLVMODE_ADAPTIVE0   0x0000
#define GNI_DLVMODE_ADAPTIVE1   0x0001
#define GNI_DLVMODE_ADAPTIVE2   0x0002
#define GNI_DLVMODE_ADAPTIVE3   0x0003
#define GNI_DLVMODE_NMIN_HASH   0x0004
#define GNI_DLVMODE_NO_ADAPT    0x0004
#define GNI_DLVMODE_MIN_HASH    0x0005
#define GNI_DLVMODE_MNON_HASH   0x0006
#define GNI_DLVMODE_IN_ORDER    0x0006

#define GNI_RDMAMODE_PHYS_ADDR 0x1
#define GNI_RDMAMODE_FENCE     0x2

typedef struct gni_post_descriptor {
    struct gni_post_descriptor
        *next_descr; /* the client's, as all that is not of the post's type */
    struct gni_post_descriptor *prev_descr;
    uint64_t post_id;
    uint64_t status; /* a gni_return_t, written by GNI_GetCompleted */
    uint16_t cq_mode_complete;
    gni_post_type_t type;
    uint16_t cq_mode;
    uint16_t dlvr_mode;
    uint64_t local_addr;
    gni_mem_handle_t local_mem_hndl;
    uint64_t remote_addr;
    gni_mem_handle_t remote_mem_hndl;
    uint64_t length;
    uint16_t rdma_mode;
    gni_cq_handle_t src_cq_hndl; /* of an RDMA post; null: the endpoint's */
    uint64_t sync_flag_value;
    uint64_t sync_flag_addr;
    gni_fma_cmd_type_t amo_cmd;
    uint64_t first_operand;
    uint64_t second_operand;
    uint64_t cqwrite_value; /* its low 48 bits */
} gni_post_descriptor_t;

/* ---- messages -------------------------------------------------------------------------------------------------- */

typedef enum gni_smsg_type {
    GNI_SMSG_TYPE_INVALID = 0,
    GNI_SMSG_TYPE_MBOX = 1,
    GNI_SMSG_TYPE_MBOX_AUTO_RETRANSMIT = 2
} gni_smsg_type_t;

#define GNI_SMSG_ANY_TAG 0xFF

typedef struct gni_smsg_attr {
    gni_smsg_type_t msg_type;
    void *msg_buffer;
    uint32_t buff_size;
    gni_mem_handle_t mem_hndl;
    uint32_t mbox_offset;
    uint16_t mbox_maxcredit;
    uint32_t msg_maxsize;
} gni_smsg_attr_t;

/* ---- datagrams --------------------------------------------------------------------------------------------------- */

#define GNI_DATAGRAM_MAXSIZE 128

typedef enum gni_post_state {
    GNI_POST_PENDING = 0,
    GNI_POST_COMPLETED,
    GNI_POST_ERROR,
    GNI_POST_TIMEOUT,
    GNI_POST_TERMINATED,
    GNI_POST_REMOTE_DATA
} gni_post_state_t;

/* ---- statistics and resources ------------------------------------------------------------------------------------- */

typedef enum gni_statistic {
    GNI_STAT_SMSG_BYTES_SENT = 0,
    GNI_STAT_SMSG_BYTES_RCVD,
    GNI_STAT_FMA_PUTS,
    GNI_STAT_FMA_GETS,
    GNI_STAT_FMA_AMOS,
    GNI_STAT_RDMA_PUTS,
    GNI_STAT_RDMA_GETS,
    GNI_STAT_REGISTRATIONS,
    GNI_STAT_DATAGRAMS,
    GNI_NUM_STATS
} gni_statistic_t;

extern const char *gni_statistic_str[];

typedef enum gni_job_res {
    GNI_JOB_RES_MDD = 0,
    GNI_JOB_RES_CQ,
    GNI_JOB_RES_FMA,
    GNI_JOB_RES_CE,
    GNI_JOB_RES_LAST
} gni_job_res_t;

typedef struct gni_job_res_desc {
    uint64_t used;
    uint64_t limit;
} gni_job_res_desc_t;

/* ---- calls ----------------------------------------------------------------------------------------------------------- */

typedef void gni_cq_handler_t(gni_cq_entry_t *entry, void *context);

gni_return_t GNI_CdmCreate(uint32_t inst_id, uint8_t ptag, uint32_t cookie, uint32_t modes,
                           gni_cdm_handle_t *cdm);
gni_return_t GNI_CdmDestroy(gni_cdm_handle_t cdm);
gni_return_t GNI_CdmAttach(gni_cdm_handle_t cdm, uint32_t device, uint32_t *address,
                           gni_nic_handle_t *nic);
gni_return_t GNI_CdmGetNicAddress(uint32_t device, uint32_t *address, uint32_t *cpu);
gni_return_t GNI_GetNumLocalDevices(int *count);
gni_return_t GNI_GetLocalDeviceIds(int length, int *ids);
gni_return_t GNI_GetDeviceType(gni_nic_device_t *type);
gni_return_t GNI_GetPtag(uint32_t device, uint32_t cookie, uint8_t *ptag);
gni_return_t GNI_GetNicStat(gni_nic_handle_t nic, gni_statistic_t which, uint32_t *value);
gni_return_t GNI_GetJobResInfo(uint32_t device, uint8_t ptag, gni_job_res_t which,
                               gni_job_res_desc_t *info);

gni_return_t GNI_CqCreate(gni_nic_handle_t nic, uint32_t entries, uint32_t delay, uint32_t mode,
                          gni_cq_handler_t *handler, void *context, gni_cq_handle_t *cq);
gni_return_t GNI_CqDestroy(gni_cq_handle_t cq);
gni_return_t GNI_CqGetEvent(gni_cq_handle_t cq, gni_cq_entry_t *entry);
gni_return_t GNI_CqTestEvent(gni_cq_handle_t cq);
gni_return_t GNI_CqWaitEvent(gni_cq_handle_t cq, uint64_t timeout, gni_cq_entry_t *entry);
gni_return_t GNI_CqVectorMonitor(gni_cq_handle_t *cqs, uint32_t count, uint64_t timeout,
                                 uint32_t *which);
gni_return_t GNI_CqErrorStr(gni_cq_entry_t entry, void *text, uint32_t length);
gni_return_t GNI_CqErrorRecoverable(gni_cq_entry_t entry, uint32_t *recoverable);
gni_return_t GNI_GetCompleted(gni_cq_handle_t cq, gni_cq_entry_t entry,
                              gni_post_descriptor_t **descriptor);

gni_return_t GNI_MemRegister(gni_nic_handle_t nic, uint64_t address, uint64_t length,
                             gni_cq_handle_t queue, uint32_t flags, uint32_t vmdh,
                             gni_mem_handle_t *handle);
gni_return_t GNI_MemDeregister(gni_nic_handle_t nic, gni_mem_handle_t *handle);

gni_return_t GNI_EpCreate(gni_nic_handle_t nic, gni_cq_handle_t queue, gni_ep_handle_t *ep);
gni_return_t GNI_EpBind(gni_ep_handle_t ep, uint32_t address, uint32_t inst_id);
gni_return_t GNI_EpUnbind(gni_ep_handle_t ep);
gni_return_t GNI_EpSetEventData(gni_ep_handle_t ep, uint32_t local, uint32_t remote);
gni_return_t GNI_EpDestroy(gni_ep_handle_t ep);

gni_return_t GNI_PostFma(gni_ep_handle_t ep, gni_post_descriptor_t *descriptor);
gni_return_t GNI_PostRdma(gni_ep_handle_t ep, gni_post_descriptor_t *descriptor);
gni_return_t GNI_PostCqWrite(gni_ep_handle_t ep, gni_post_descriptor_t *descriptor);

gni_return_t GNI_SmsgBufferSizeNeeded(gni_smsg_attr_t *attributes, unsigned int *bytes);
gni_return_t GNI_SmsgInit(gni_ep_handle_t ep, gni_smsg_attr_t *local, gni_smsg_attr_t *remote);
gni_return_t GNI_SmsgSetMaxRetrans(gni_nic_handle_t nic, uint16_t tries);
gni_return_t GNI_SmsgSend(gni_ep_handle_t ep, void *header, uint32_t header_bytes, void *data,
                          uint32_t data_bytes, uint32_t msg_id);
gni_return_t GNI_SmsgSendWTag(gni_ep_handle_t ep, void *header, uint32_t header_bytes, void *data,
                              uint32_t data_bytes, uint32_t msg_id, uint8_t tag);
gni_return_t GNI_SmsgGetNext(gni_ep_handle_t ep, void **header);
gni_return_t GNI_SmsgGetNextWTag(gni_ep_handle_t ep, void **header, uint8_t *tag);
gni_return_t GNI_SmsgRelease(gni_ep_handle_t ep);

gni_return_t GNI_EpPostData(gni_ep_handle_t ep, void *in, uint16_t in_bytes, void *out,
                            uint16_t out_bytes);
gni_return_t GNI_EpPostDataWId(gni_ep_handle_t ep, void *in, uint16_t in_bytes, void *out,
                               uint16_t out_bytes, uint64_t id);
gni_return_t GNI_EpPostDataTest(gni_ep_handle_t ep, gni_post_state_t *state, uint32_t *address,
                                uint32_t *inst_id);
gni_return_t GNI_EpPostDataTestById(gni_ep_handle_t ep, uint64_t id, gni_post_state_t *state,
                                    uint32_t *address, uint32_t *inst_id);
gni_return_t GNI_EpPostDataWait(gni_ep_handle_t ep, uint32_t timeout, gni_post_state_t *state,
                                uint32_t *address, uint32_t *inst_id);
gni_return_t GNI_EpPostDataWaitById(gni_ep_handle_t ep, uint64_t id, uint32_t timeout,
                                    gni_post_state_t *state, uint32_t *address, uint32_t *inst_id);
gni_return_t GNI_EpPostDataCancel(gni_ep_handle_t ep);
gni_return_t GNI_EpPostDataCancelById(gni_ep_handle_t ep, uint64_t id);
gni_return_t GNI_PostDataProbe(gni_nic_handle_t nic, uint32_t *address, uint32_t *inst_id);
gni_return_t GNI_PostDataProbeById(gni_nic_handle_t nic, uint64_t *id);
gni_return_t GNI_PostdataProbeWaitById(gni_nic_handle_t nic, uint32_t timeout, uint64_t *id);
gni_return_t GNI_PostDataProbeWaitById(gni_nic_handle_t nic, uint32_t timeout, uint64_t *id);

#ifdef __cplusplus
}
#endif

#endif
