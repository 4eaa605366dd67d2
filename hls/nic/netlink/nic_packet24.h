// SPDX-License-Identifier: Apache-2.0
/*
 * nic_packet24.h - the NIC's packets on the wire of machines of 24-bit phits: 22 bits of each are the packet's.
 *
 *  request
 *   0      head: router/flit/packet.h; below its mode the node, as many bits as there are
 *   1      21          18 17                          8 7                            0
 *         +--------------+-----------------------------+------------------------------+
 *         |     cmd      |             tag             |             ptag             |
 *         +--------------+-----------------------------+------------------------------+
 *   2     |                  src 18                                   |      x 4      |
 *   3     | gen 2 |           mdh 12               |          offset[39:32]           |
 *   4     |                            offset[31:10]                                  |
 *   5     |         offset[9:0]            |             y[15:4]                      |
 *   6     |   y[3:0]     |                       0 18                                 |
 *   7 ... data, three phits for 8 bytes: bits 21-0, 43-22, 63-44
 *   last  the end: core CRC in [15:0]; the link fills in the upper 6
 *
 *  response
 *   0      head
 *   1      21       12 11 10   9     8    7                  4    3      2    1   0
 *         +-----------+-----+-----+------+--------------------+------+------+------+
 *         |    tag    | gen | err | note | status, or words-1 | data | more |  0   |
 *         +-----------+-----+-----+------+--------------------+------+------+------+
 *   2 ... data as above, as many words of 4 bytes as that says; or, behind an ack with more: another ack's word
 *   last  the end
 *
 * An ack is such a word alone; a packet has ACKS_MOST at most, all with the head's node and mode. The node that says an error is not sent: 0
 * in the beat. y is that of all commands, {ssid 9, rmt 1, z 6}; a GET's is 0 in the beat that comes in.
 *
 * Core CRC: that of link/packet/phit.h over all 22 bits of each flit, the head's VC and the upper 6 of the end as zeros, from 0. It goes from
 * NIC to NIC; links check it against what the router gives them.
 */
#ifndef NIC_PACKET24_H
#define NIC_PACKET24_H

#include "link/packet/phit.h"
#include "nic/packet/nic_packet.h"

#if RTR_LENGTH_BITS != 0 || RTR_FLIT_BITS != LCB_FLIT_BITS
#error "nic_packet24: for machines whose packets the end frames"
#endif
#if RTR_PACKET < 32
#error "config: a put of 64 bytes takes 32 phits"
#endif

#define PKT_HEAD_PHITS  7 /* of a request */
#define PKT_GROUP_BYTES 8 /* of data in three phits */
#define ACKS_MOST       8 /* in a packet */

/* ---- heads ------------------------------------------------------------------------------------- */

/* The mode of a beat as a head has it; there is one adaptive mode and one hash. */
static inline u3 rah_of(u3 mode)
{
    return mode <= MODE_ADAPTIVE3  ? (u3)RAH_ADAPTIVE
           : mode == MODE_IN_ORDER ? (u3)RAH_IN_ORDER
                                   : (u3)RAH_HASH;
}

/* Flit 0 of a packet for the node and in the mode of a head beat, on a VC of its class. */
static inline rtr_flit pkt_head(beat_word word, u1 response)
{
    rtr_flit node = (rtr_flit)(req_node(word) & (((nic_node)1 << (HEAD_MODE_AT - 1) << 1) - 1));
    rtr_flit mode = (rtr_flit)((rtr_flit)rah_of(req_mode(word)) << HEAD_MODE_AT);
    rtr_flit vc = response ? (rtr_flit)((rtr_flit)(RTR_VCS / 2) << HEAD_VC_AT) : (rtr_flit)0;

    return vc | mode | node;
}

/* Whether a head names a mode that NICs use. */
static inline u1 pkt_head_ok(rtr_flit head)
{
    return (u3)(head >> HEAD_MODE_AT) <= RAH_ADAPTIVE;
}

/* What a head beat has of it. */
static inline beat_word head_beat(rtr_flit head)
{
    beat_word node = (beat_word)(head & (rtr_flit)(((rtr_flit)1 << HEAD_MODE_AT) - 1));

    return (node << REQ_NODE_AT) | ((beat_word)head_mode(head) << REQ_MODE_AT);
}

/* ---- the other flits of a request's head, 1 to 6 ---------------------------------------------- */

static inline rtr_flit request_flit(beat_word w, u3 at)
{
    nic_offset offset = req_offset(w);
    u16 y = BEAT_FIELD(w, REQ_Y_AT, 16);
    const rtr_flit flit[8] = {
        [1] = (rtr_flit)(((rtr_flit)req_cmd(w) << 18) | ((rtr_flit)req_tag(w) << 8) | req_ptag(w)),
        [2] = (rtr_flit)(((rtr_flit)req_src(w) << 4) | req_x(w)),
        [3] = (rtr_flit)(((rtr_flit)req_gen(w) << 20) | ((rtr_flit)req_mdh(w) << 8) |
                         (u8)(offset >> 32)),
        [4] = (rtr_flit)(offset >> 10),
        [5] = (rtr_flit)(((rtr_flit)(u10)offset << 12) | (u12)(y >> 4)),
        [6] = (rtr_flit)((rtr_flit)(u4)y << 18),
    };

    return flit[at];
}

/* What a head beat has of that flit. */
static inline beat_word request_fields(rtr_flit flit, u3 at)
{
    beat_word f = flit;
    const beat_word fields[8] = {
        [1] = ((beat_word)(u4)(flit >> 18) << REQ_CMD_AT) |
              ((beat_word)(u10)(flit >> 8) << REQ_TAG_AT) | ((beat_word)(u8)flit << REQ_PTAG_AT),
        [2] = ((beat_word)(u18)(flit >> 4) << REQ_SRC_AT) | ((beat_word)(u4)flit << REQ_X_AT),
        [3] = ((beat_word)(u2)(flit >> 20) << REQ_GEN_AT) |
              ((beat_word)(u12)(flit >> 8) << REQ_MDH_AT) |
              ((beat_word)(u8)flit << (REQ_OFFSET_HI_AT + 12)),
        [4] = ((f >> 10) << REQ_OFFSET_HI_AT) | ((beat_word)(u6)(flit >> 4) << REQ_OFFSET_MI_AT) |
              ((beat_word)(u4)flit << (REQ_OFFSET_LO_AT + 10)),
        [5] = ((beat_word)(u10)(flit >> 12) << REQ_OFFSET_LO_AT) |
              ((beat_word)(u12)flit << (REQ_Y_AT + 4)),
        [6] = (f >> 18) << REQ_Y_AT,
    };

    return fields[at];
}

/* ---- the word of a response ------------------------------------------------------------------- */

/* clang-format off */
static inline u1 word_err(rtr_flit word)  { return (u1)(word >> 9); }
static inline u1 word_data(rtr_flit word) { return (u1)(word >> 3); }
static inline u1 word_more(rtr_flit word) { return (u1)(word >> 2); }
static inline u1 word_is_ack(rtr_flit word) { return !word_err(word) && !word_data(word); }
/* clang-format on */

#define WORD_MORE ((rtr_flit)1 << 2)

static inline rtr_flit response_word(beat_word w)
{
    rsp_length length = BEAT_FIELD(w, REQ_LENGTH_AT, RSP_LENGTH_BITS);
    u1 err = rsp_err(w);
    u1 data = !err && length > RSP_LENGTH_WORDS;
    u4 words = (u4)(length - RSP_LENGTH_WORDS - 1);
    u4 what = err ? rsp_status(w) : data ? words : (u4)0;

    return (rtr_flit)(((rtr_flit)rsp_tag(w) << 12) | ((rtr_flit)rsp_gen(w) << 10) |
                      ((rtr_flit)err << 9) | ((rtr_flit)rsp_note(w) << 8) | ((rtr_flit)what << 4) |
                      ((rtr_flit)data << 3));
}

static inline beat_word response_fields(rtr_flit word)
{
    u1 err = word_err(word);
    u4 what = (u4)(word >> 4);
    rsp_length length = err               ? (rsp_length)2
                        : word_data(word) ? (rsp_length)((rsp_length)what + RSP_LENGTH_WORDS + 1)
                                          : (rsp_length)1;

    return ((beat_word)(u10)(word >> 12) << RSP_TAG_AT) |
           ((beat_word)(u2)(word >> 10) << RSP_GEN_AT) | ((beat_word)err << RSP_ERR_AT) |
           ((beat_word)(u1)(word >> 8) << RSP_NOTE_AT) | ((beat_word)length << REQ_LENGTH_AT) |
           (err ? (beat_word)what << RSP_STATUS_AT : (beat_word)0);
}

/* Nothing stands where nothing may: an error has no data, an ack no status, and only an ack is followed by another. */
static inline u1 word_ok(rtr_flit word)
{
    return (u2)word == 0 && !(word_err(word) && word_data(word)) &&
           (word_is_ack(word) ? (u4)(word >> 4) == 0 : !word_more(word));
}

#endif
