// SPDX-License-Identifier: Apache-2.0
/*
 * portals.h - names, types and codes of the Portals 3.3 interface, for programs over modelled SeaStar chips.
 *
 * Several processes share one program here, so a network interface is a process on a node: ptl_choose() (ptl_port.h) says which node and which
 * mode the next PtlNIInit is for. Buffers of descriptors lie in the memory of that node.
 */
#ifndef SIM_HOST_PORTALS_H
#define SIM_HOST_PORTALS_H

#include <stdint.h>

typedef uint32_t ptl_handle_any_t, ptl_handle_ni_t, ptl_handle_me_t, ptl_handle_md_t,
    ptl_handle_eq_t;
typedef uint64_t ptl_match_bits_t, ptl_hdr_data_t, ptl_size_t;
typedef uint32_t ptl_nid_t, ptl_pid_t, ptl_uid_t, ptl_jid_t, ptl_pt_index_t, ptl_ac_index_t;
typedef uint32_t ptl_interface_t, ptl_seq_t, ptl_sr_value_t, ptl_time_t;

typedef struct {
    ptl_nid_t nid;
    ptl_pid_t pid;
} ptl_process_id_t;

typedef enum {
    PTL_OK,
    PTL_FAIL,
    PTL_NO_INIT,
    PTL_NO_SPACE,
    PTL_NI_INVALID,
    PTL_PT_INDEX_INVALID,
    PTL_AC_INDEX_INVALID,
    PTL_PROCESS_INVALID,
    PTL_ME_INVALID,
    PTL_ME_IN_USE,
    PTL_MD_INVALID,
    PTL_MD_ILLEGAL,
    PTL_MD_IN_USE,
    PTL_MD_NO_UPDATE,
    PTL_EQ_INVALID,
    PTL_EQ_EMPTY,
    PTL_EQ_DROPPED,
    PTL_EQ_IN_USE,
    PTL_SR_INDEX_INVALID,
    PTL_HANDLE_INVALID,
    PTL_PID_IN_USE,
} ptl_err_t;

typedef enum { PTL_RETAIN, PTL_UNLINK } ptl_unlink_t;
typedef enum { PTL_INS_BEFORE, PTL_INS_AFTER } ptl_ins_pos_t;
typedef enum { PTL_NOACK_REQ, PTL_ACK_REQ } ptl_ack_req_t;
typedef enum { PTL_SR_DROP_COUNT } ptl_sr_index_t;

typedef enum {
    PTL_EVENT_GET_START,
    PTL_EVENT_GET_END,
    PTL_EVENT_PUT_START,
    PTL_EVENT_PUT_END,
    PTL_EVENT_REPLY_START,
    PTL_EVENT_REPLY_END,
    PTL_EVENT_SEND_START,
    PTL_EVENT_SEND_END,
    PTL_EVENT_ACK,
    PTL_EVENT_UNLINK,
} ptl_event_kind_t;

typedef struct {
    void *start;
    ptl_size_t length;
    int threshold;
    ptl_size_t max_size;
    unsigned options;
    void *user_ptr;
    ptl_handle_eq_t eq_handle;
} ptl_md_t;

typedef struct {
    ptl_event_kind_t type;
    ptl_process_id_t initiator;
    ptl_uid_t uid;
    ptl_jid_t jid;
    ptl_pt_index_t pt_index;
    ptl_match_bits_t match_bits;
    ptl_size_t rlength, mlength, offset;
    ptl_handle_md_t md_handle;
    uint32_t threshold; /* behind it */
    ptl_hdr_data_t hdr_data;
    ptl_seq_t link, sequence;
    unsigned ni_fail_type; /* 0: none */
} ptl_event_t;

#define PTL_INVALID_HANDLE ((ptl_handle_any_t)0xFFFFFFFF)
#define PTL_EQ_NONE        PTL_INVALID_HANDLE
#define PTL_NID_ANY        ((ptl_nid_t)0xFFFFFFFF)
#define PTL_PID_ANY        ((ptl_pid_t)0xFFFFFFFF)
#define PTL_UID_ANY        ((ptl_uid_t)0xFFFFFFFF)
#define PTL_JID_ANY        ((ptl_jid_t)0xFFFFFFFF)
#define PTL_PT_INDEX_ANY   ((ptl_pt_index_t)0xFFFFFFFF)
#define PTL_MD_THRESH_INF  (-1)
#define PTL_TIME_FOREVER   ((ptl_time_t)0xFFFFFFFF)

#define PTL_MD_OP_PUT              (1U << 0)
#define PTL_MD_OP_GET              (1U << 1)
#define PTL_MD_MANAGE_REMOTE       (1U << 2)
#define PTL_MD_TRUNCATE            (1U << 4)
#define PTL_MD_ACK_DISABLE         (1U << 5)
#define PTL_MD_MAX_SIZE            (1U << 7)
#define PTL_MD_EVENT_START_DISABLE (1U << 9)
#define PTL_MD_EVENT_END_DISABLE   (1U << 10)

int PtlInit(int *max_interfaces);
void PtlFini(void);
int PtlNIInit(ptl_interface_t iface, ptl_pid_t pid, ptl_handle_ni_t *ni);
int PtlNIFini(ptl_handle_ni_t ni);
int PtlNIStatus(ptl_handle_ni_t ni, ptl_sr_index_t index, ptl_sr_value_t *status);
int PtlNIDist(ptl_handle_ni_t ni, ptl_process_id_t process, unsigned long *distance);
int PtlNIHandle(ptl_handle_any_t handle, ptl_handle_ni_t *ni);
int PtlGetId(ptl_handle_ni_t ni, ptl_process_id_t *id);
int PtlGetUid(ptl_handle_ni_t ni, ptl_uid_t *uid);
int PtlGetJid(ptl_handle_ni_t ni, ptl_jid_t *jid);

int PtlMEAttach(ptl_handle_ni_t ni, ptl_pt_index_t pt, ptl_process_id_t match_id,
                ptl_match_bits_t match, ptl_match_bits_t ignore, ptl_unlink_t unlink,
                ptl_ins_pos_t position, ptl_handle_me_t *me);
int PtlMEAttachAny(ptl_handle_ni_t ni, ptl_pt_index_t *pt, ptl_process_id_t match_id,
                   ptl_match_bits_t match, ptl_match_bits_t ignore, ptl_unlink_t unlink,
                   ptl_handle_me_t *me);
int PtlMEInsert(ptl_handle_me_t base, ptl_process_id_t match_id, ptl_match_bits_t match,
                ptl_match_bits_t ignore, ptl_unlink_t unlink, ptl_ins_pos_t position,
                ptl_handle_me_t *me);
int PtlMEUnlink(ptl_handle_me_t me);

int PtlMDAttach(ptl_handle_me_t me, ptl_md_t md, ptl_unlink_t unlink, ptl_handle_md_t *handle);
int PtlMDBind(ptl_handle_ni_t ni, ptl_md_t md, ptl_unlink_t unlink, ptl_handle_md_t *handle);
int PtlMDUnlink(ptl_handle_md_t md);
int PtlMDUpdate(ptl_handle_md_t md, ptl_md_t *before, const ptl_md_t *after, ptl_handle_eq_t test);

int PtlEQAlloc(ptl_handle_ni_t ni, ptl_size_t count, ptl_handle_eq_t *eq);
int PtlEQFree(ptl_handle_eq_t eq);
int PtlEQGet(ptl_handle_eq_t eq, ptl_event_t *event);
int PtlEQWait(ptl_handle_eq_t eq, ptl_event_t *event);
int PtlEQPoll(ptl_handle_eq_t *eqs, int size, ptl_time_t timeout, ptl_event_t *event, int *which);

int PtlACEntry(ptl_handle_ni_t ni, ptl_ac_index_t index, ptl_process_id_t match_id, ptl_uid_t uid,
               ptl_jid_t jid, ptl_pt_index_t pt);

int PtlPut(ptl_handle_md_t md, ptl_ack_req_t ack, ptl_process_id_t target, ptl_pt_index_t pt,
           ptl_ac_index_t ac, ptl_match_bits_t bits, ptl_size_t remote_offset, ptl_hdr_data_t data);
int PtlPutRegion(ptl_handle_md_t md, ptl_size_t offset, ptl_size_t length, ptl_ack_req_t ack,
                 ptl_process_id_t target, ptl_pt_index_t pt, ptl_ac_index_t ac,
                 ptl_match_bits_t bits, ptl_size_t remote_offset, ptl_hdr_data_t data);
int PtlGet(ptl_handle_md_t md, ptl_process_id_t target, ptl_pt_index_t pt, ptl_ac_index_t ac,
           ptl_match_bits_t bits, ptl_size_t remote_offset);
int PtlGetRegion(ptl_handle_md_t md, ptl_size_t offset, ptl_size_t length, ptl_process_id_t target,
                 ptl_pt_index_t pt, ptl_ac_index_t ac, ptl_match_bits_t bits,
                 ptl_size_t remote_offset);

#endif
