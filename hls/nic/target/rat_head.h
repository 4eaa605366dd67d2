// SPDX-License-Identifier: Apache-2.0
/*
 * rat_head.h - what the head of a request wants: rat's decisions by command.
 */
#ifndef RAT_HEAD_H
#define RAT_HEAD_H

#include "nic/packet/nic_types.h"

static inline u1 is_read(beat_word head)
{
    return req_cmd(head) == CMD_GET;
}

static inline u1 is_atomic(beat_word head)
{
    return req_cmd(head) == CMD_AMO || req_cmd(head) == CMD_FAMO;
}

/* Has bytes for memory. */
static inline u1 is_write(beat_word head)
{
    return req_cmd(head) == CMD_PUT || req_cmd(head) == CMD_PUT_MSG || req_cmd(head) == CMD_SEND;
}

/* A packet of a reduction, for ce, which alone says whether it may. */
static inline u1 is_reduction(beat_word head)
{
    return NIC_CE && (req_cmd(head) == CMD_CE_UP || req_cmd(head) == CMD_CE_DOWN);
}

/* Begins with the data of an event. */
static inline u1 is_event(beat_word head)
{
    return req_cmd(head) == CMD_PUT_MSG || req_cmd(head) == CMD_CQWRITE;
}

/* Of a message, whose buffer bte_receive knows. */
static inline u1 is_message(beat_word head)
{
    return req_cmd(head) == CMD_SEND || req_cmd(head) == CMD_SEND_END;
}

/* END or NOTE of a transaction, whose first data beat says how many were counted, and its event; or both of a message. */
static inline u1 is_end(beat_word head)
{
    return req_cmd(head) == CMD_END || req_cmd(head) == CMD_NOTE || req_cmd(head) == CMD_SEND_END;
}

/* A message is given up. */
static inline u1 aborts(beat_word head)
{
    return req_cmd(head) == CMD_SEND_END && (u1)req_x(head);
}

/* Brings a flag, which its segment must have a place for; it is written when all of its transaction is there. */
static inline u1 is_flagged(beat_word head)
{
    return is_end(head) && !is_message(head) && (u1)req_x(head);
}

/* Touches no memory now. */
static inline u1 is_bare(beat_word head)
{
    return req_cmd(head) == CMD_CQWRITE || is_end(head);
}

/* What it is to its transaction's count; operations of amo are counted when they are answered. */
static inline enum rmt_kind kind_of(beat_word head)
{
    u1 counted = req_rmt(head) && (is_write(head) || is_event(head));

    return req_cmd(head) == CMD_NOTE || aborts(head) ? RMT_OP_NOTE
           : is_end(head)                            ? RMT_OP_END
           : counted                                 ? RMT_OP_COUNT
                                                     : RMT_OP_NONE;
}

/* A write, or an event, that keeps its place among all accesses of its source. */
static inline u1 is_queued(beat_word head)
{
    return (is_write(head) || is_event(head)) && req_mode(head) >= MODE_NMIN_HASH;
}

static inline u1 is_known(beat_word head)
{
    u1 operation = is_atomic(head) && amo_exists(req_opcode(head), req_cmd(head) == CMD_FAMO);

    u1 message = !is_message(head) || (u1)(req_rmt(head) && (!is_end(head) || req_z(head) == 19));
    u1 reduces = is_reduction(head) && req_z(head) == 15;

    return message && (is_read(head) || is_write(head) || is_event(head) || is_end(head) ||
                       operation || reduces);
}

/* Bytes of memory, less one; a read of this host, its own, says them as a write does. */
static inline u6 bytes_of(beat_word head, u1 own)
{
    u6 variable = amo_is_wide(req_opcode(head)) ? (u6)7 : (u6)3;

    return is_atomic(head)         ? variable
           : is_end(head)          ? (u6)7
           : is_read(head) && !own ? (u6)(((u6)req_x(head) << 2) | 3)
                                   : req_z(head);
}

/* The first of two statuses, if it is one. */
static inline nic_status_field first_of(nic_status_field status, u1 failed, nic_status_field next)
{
    return status == STATUS_OK && failed ? next : status;
}

#endif
