// SPDX-License-Identifier: Apache-2.0
/*
 * bte_packet.h - packets of block transfers: heads, the local beat of a GET, and the data of a CLOSE, of what a descriptor says.
 */
#ifndef BTE_PACKET_H
#define BTE_PACKET_H

#include "nic/bte/bte_types.h"
#include "nic/initiator/ntt.h"

/* What the packet that goes out is made of. */
struct bte_view {
    bte_place place;
    bte_place first;
    u1 unread;
    u1 message; /* it goes to a buffer that its receiver has posted */
    uint(DESC_HOW_BITS) to;
    uint(DESC_HOW_BITS) how;
    nic_offset from;
    u13 base;
    u56 event;
    u64 target;
    u18 size;
    u33 sent;
    u32 end;                 /* of the message so far: offset of its last byte */
    nic_status_field status; /* of first, if it failed */
};

#define HOW(view, f, bits) ((uint(bits))((view)->how >> DESC_##f##_AT))

/* The receiver of a message always hears of it. */
static inline u4 wants_of(const struct bte_view *view)
{
    u4 wants = (u4)(HOW(view, WANTS, 3) | (view->message ? WANT_TARGET : 0));

    return view->unread ? (u4)0 : wants;
}

/* Its handle; of a message the channel, and whether an immediate word comes with it. */
static inline nic_mdh mdh_of(const struct bte_view *view)
{
    nic_mdh mdh = HOW(view, MDH, 12);
    nic_mdh channel = (nic_mdh)((nic_mdh)((nic_mdh)HOW(view, IMMEDIATE, 1) << SEND_IMMEDIATE_AT) |
                                (nic_mdh)(u2)mdh);

    return view->message ? channel : mdh;
}

/* The head of a packet of this command; z of PUT and SEND, x of all. */
static inline beat_word head_of(const struct bte_view *view, u4 cmd, u4 x, u6 z)
{
    nic_node pe = (nic_node)(view->to >> DESC_PE_AT);
    u1 request = cmd == CMD_PUT || cmd == CMD_GET || cmd == CMD_SEND;
    u1 translated = HOW(view, NTT, 1) && (request || (cmd == CMD_CLOSE && x != 0));
    struct ntt_place place = ntt_place(pe, view->base, view->size, HOW(view, GRANULARITY, 3));
    nic_offset offset = request ? (nic_offset)((nic_offset)view->to + view->sent) : (nic_offset)0;
    beat_word word = req_with_offset(0, offset);

    word = BEAT_WITH(word, REQ_CMD_AT, 4, cmd);
    word = BEAT_WITH(word, REQ_NODE_AT, 18, pe);
    word = BEAT_WITH(word, REQ_MODE_AT, 3, HOW(view, MODE, 3));
    word = BEAT_WITH(word, REQ_X_AT, 4, x);
    word = BEAT_WITH(word, REQ_PTAG_AT, 8, HOW(view, PTAG, 8));
    word = BEAT_WITH(word, REQ_MDH_AT, 12, mdh_of(view));
    word = BEAT_WITH(word, REQ_Z_AT, 6, z);
    word = BEAT_WITH(word, VPE_GRANULARITY_AT, 3, HOW(view, GRANULARITY, 3));
    word = BEAT_WITH(word, VPE_INDEX_AT, 13, place.index);
    word = BEAT_WITH(word, VPE_REFUSED_AT, 1, (u1)(translated & place.refused));
    word = BEAT_WITH(word, VPE_NTT_AT, 1, translated);
    return req_with_channel(word, bte_channel_number(view->first));
}

static inline beat_word local_of(const struct bte_view *view, u6 bytes)
{
    beat_word word = (nic_offset)(view->from + view->sent);

    word = BEAT_WITH(word, LOCAL_MDH_AT, 12, HOW(view, LOCAL_MDH, 12));
    word = BEAT_WITH(word, LOCAL_PTAG_AT, 8, HOW(view, PTAG, 8));
    return BEAT_WITH(word, LOCAL_BYTES_AT, 6, bytes);
}

/* The two data beats of CLOSE. */
static inline beat_word close_of(const struct bte_view *view, u1 last, nic_status_field status)
{
    u64 event = view->message ? (u64)view->end : view->target;
    u64 flag = view->message ? view->target : (u64)0; /* the immediate word */
    beat_word first =
        ((beat_word)event << CLOSE_EVENT_AT) | ((beat_word)(u32)flag << CLOSE_FLAG_LO_AT);
    beat_word word = (beat_word)view->event << CLOSE_SOURCE_AT;

    word = BEAT_WITH(word, CLOSE_FLAG_HI_AT, 32, (u32)(flag >> 32));
    word = BEAT_WITH(word, CLOSE_WANTS_AT, 4, wants_of(view));
    word = BEAT_WITH(word, CLOSE_QUEUE_AT, 10, HOW(view, QUEUE, 10));
    word = BEAT_WITH(word, CLOSE_STATUS_AT, 4, status);
    return last ? word : first;
}

#endif
