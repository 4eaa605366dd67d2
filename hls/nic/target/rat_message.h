// SPDX-License-Identifier: Apache-2.0
/*
 * rat_message.h - packets of messages in rat: bte_receive is asked for their buffer, which stands for a segment.
 */
#ifndef RAT_MESSAGE_H
#define RAT_MESSAGE_H

#include "nic/target/rat.h"
#include "nic/target/rat_head.h"

/* The head that leaves the queue is one of a message for this node: bte_receive looks for its buffer. */
static inline struct message_find find_of(const struct rat_in *in, const struct beat *front, u1 pop)
{
    beat_word head = front->word;
    nic_mdh mdh = req_mdh(head);
    u1 here = req_node(head) == in->config.node && in->config.enable && !in->is_local;

    return (struct message_find){
        .valid = pop && front->head && !front->bad && is_message(head) && is_known(head) && here,
        .aborts = aborts(head),
        .immediate = is_end(head) && !aborts(head) && (u1)(mdh >> SEND_IMMEDIATE_AT),
        .channel = (u2)(mdh >> SEND_CHANNEL_AT),
        .ptag = req_ptag(head),
        .key = (rmt_key)(((rmt_key)(u2)(req_x(head) >> 2) << 27) | ((rmt_key)req_ssid(head) << 18) |
                         req_src(head)),
    };
}

/* The buffer of a message as a segment. */
static inline struct rat_mdd segment_of(const struct message_found *found, beat_word head)
{
    return (struct rat_mdd){
        .base = found->address,
        .length = (u40)found->bytes,
        .ptag = aborts(head) ? req_ptag(head) : found->ptag,
        .valid = 1,
        .write = 1,
        .event = 1,
        .space = found->space,
    };
}

/* Why a packet of a message is refused; what gives up one that is not here has nothing to do. An empty buffer takes no bytes. */
static inline nic_status_field message_status(const struct message_found *found, u1 find,
                                              beat_word head)
{
    u1 empty = !is_end(head) && found->bytes == 0;

    return aborts(head)    ? (nic_status_field)STATUS_OK
           : !find         ? (nic_status_field)STATUS_UNREACHABLE /* enabled since */
           : !found->valid ? found->status
           : empty         ? (nic_status_field)STATUS_BOUNDS
                           : (nic_status_field)STATUS_OK;
}

#endif
