// SPDX-License-Identifier: Apache-2.0
/*
 * nic_packet.h - fields of the NIC's packets, and nothing reads or writes them but through this file.
 *
 * On the wire (aries, proto: flits of 48 bits; the fields above bit 18 of flit 0 are router/flit/packet.h's):
 *
 *  request
 *   flit 0   47   45 44    41 40  38 37   36 35    28 27   20 19 18 17                        4 3    0
 *           +-------+--------+------+-------+--------+-------+-----+--------------------------+------+
 *           |  vc   | length | mode | phase | global | local | sub |       offset[13:0]       | cmd  |
 *           +-------+--------+------+-------+--------+-------+-----+--------------------------+------+
 *   flit 1   47         38 37 36 35              18 17       10 9              4 3    0
 *           +-------------+-----+------------------+-----------+----------------+------+
 *           |     tag     | gen |       src        |   ptag    | offset[19:14]  |  x   |
 *           +-------------+-----+------------------+-----------+----------------+------+
 *   flit 2   47              32 31          20 19                              0
 *           +------------------+--------------+---------------------------------+
 *           |        y         |     mdh      |         offset[39:20]           |
 *           +------------------+--------------+---------------------------------+
 *   flit 3 ...  payload, byte i at bits 8 * (i mod 6) of flit 3 + i / 6; the last flit's [47:32] is the CRC
 *
 *  x, y   GET: words - 1 (of 4 bytes) and the CRC; all others: by command, and {ssid 9, rmt 1, z 6}
 *
 *  response
 *   flit 0   47                          18 17             8 7   6  5     4   3     0
 *           +------------------------------+---------------+-----+-----+------+-------+
 *           |  vc ... sub, as a request's  |      tag      | gen | err | note |  chk  |
 *           +------------------------------+---------------+-----+-----+------+-------+
 *   ack     that alone: one flit
 *   data    flit 1 ...: payload as above, CRC in [47:32] of the last flit
 *   error   flit 1: {CRC 16, node 18 that says so, status 4, 0 10}
 *
 * Inside the NIC a packet's head beat has flits 0, 1 and 2 of a request at [47:0], [95:48] and [143:96], or flits 0 and
 * 1 of an error; for other responses [95:48] is 0. Data beats have 16 bytes at [127:0], the first lowest. The length of a
 * request is filled in by `pack`; that of a response says its flits on both sides, `npt` writes it (rsp_flits), because
 * nothing else says how many bytes of its last beat count (48 and 52 bytes have the same: such data always comes in as
 * four beats, the last empty for 48). A GET is followed by a second beat, the local one (where its
 * data shall go), up to the ORB. Until `ntt` the node is a virtual PE and src says how to translate it; until `ssid` the
 * place of the ssid names the channel.
 */
#ifndef NIC_PACKET_H
#define NIC_PACKET_H

#include "axi/memory.h"
#include "common/beat/beat.h"
#include "router/flit/packet.h"

/*
 * cmd; 12 and 13 are not built, nor in machines without NIC_CE 10 and 11: they are answered BAD_COMMAND.
 */
enum nic_cmd {
    CMD_GET = 0,
    CMD_PUT = 1,
    CMD_AMO = 2,
    CMD_FAMO = 3,
    CMD_PUT_MSG = 4,
    CMD_CQWRITE = 5,
    CMD_END = 6,
    CMD_NOTE = 7,
    CMD_SEND = 8,
    CMD_SEND_END = 9,
    CMD_CE_UP = 10,
    CMD_CE_DOWN = 11,
    CMD_BAD12 = 12,
    CMD_BAD13 = 13,
    CMD_OPEN = 14,  /* inside the initiator only: fma to ssid */
    CMD_CLOSE = 15, /* the same */
};

/* How a request ended: in responses and events. */
enum nic_status {
    STATUS_OK = 0,
    STATUS_UNCORRECTABLE = 1,
    STATUS_BAD_COMMAND = 2,
    STATUS_TRANSLATION = 3,
    STATUS_VMDH = 4,
    STATUS_MDD = 5,
    STATUS_PROTECTION = 6,
    STATUS_BOUNDS = 7,
    STATUS_SEQUENCE = 8,
    STATUS_TIMEOUT = 9,
    STATUS_DATA = 10,
    STATUS_UNREACHABLE = 11,
    STATUS_NO_BUFFER = 12,
    STATUS_BUS = 13,
    STATUS_CE = 14,
    STATUS_OVERFLOW = 15,
};

typedef u4 nic_status_field; /* an enum nic_status as it stands in packets and memories */
typedef u18 nic_node;
typedef u10 nic_tag;
typedef u2 nic_gen;
typedef u8 nic_ptag;
typedef u12 nic_mdh;
typedef u40 nic_offset;
typedef u9 nic_ssid;
typedef u16 nic_crc;
typedef uint(
    128) nic_info; /* what an error is about: the low bits of a packet's head beat, or an address */

/* On the wire of machines of 24-bit phits: nic_packet24.h. */

/* ---- places of the fields in a head beat ------------------------------------------------------- */

#define REQ_CMD_AT       0   /* 4 */
#define REQ_OFFSET_LO_AT 4   /* 14: offset[13:0] */
#define REQ_HASH_AT      10  /* 8: offset[13:6], of one line of 64 bytes */
#define REQ_NODE_AT      18  /* 18: {global, local, sub} */
#define REQ_PHASE_AT     36  /* 2 */
#define REQ_MODE_AT      38  /* 3 */
#define REQ_LENGTH_AT    41  /* 4 */
#define REQ_VC_AT        45  /* 3 */
#define REQ_X_AT         48  /* 4 */
#define REQ_OFFSET_MI_AT 52  /* 6: offset[19:14] */
#define REQ_PTAG_AT      58  /* 8 */
#define REQ_SRC_AT       66  /* 18 */
#define REQ_GEN_AT       84  /* 2 */
#define REQ_TAG_AT       86  /* 10 */
#define REQ_OFFSET_HI_AT 96  /* 20: offset[39:20] */
#define REQ_MDH_AT       116 /* 12 */
#define REQ_Y_AT         128 /* 16 */
#define REQ_Z_AT         128 /* 6: bytes - 1, or the opcode */
#define REQ_RMT_AT       134 /* 1 */
#define REQ_SSID_AT      135 /* 9 */

#define RSP_CHK_AT    0  /* 4 */
#define RSP_NOTE_AT   4  /* 1 */
#define RSP_ERR_AT    5  /* 1 */
#define RSP_GEN_AT    6  /* 2 */
#define RSP_TAG_AT    8  /* 10 */
#define RSP_STATUS_AT 58 /* 4, of flit 1 of an error */
#define RSP_WHO_AT    62 /* 18: the node that says so */

/* clang-format off */
static inline u4 req_cmd(beat_word w)          { return BEAT_FIELD(w, REQ_CMD_AT, 4); }
static inline nic_node req_node(beat_word w)   { return BEAT_FIELD(w, REQ_NODE_AT, 18); }
static inline u3 req_mode(beat_word w)         { return BEAT_FIELD(w, REQ_MODE_AT, 3); }
static inline u4 req_x(beat_word w)            { return BEAT_FIELD(w, REQ_X_AT, 4); }
static inline nic_ptag req_ptag(beat_word w)   { return BEAT_FIELD(w, REQ_PTAG_AT, 8); }
static inline nic_node req_src(beat_word w)    { return BEAT_FIELD(w, REQ_SRC_AT, 18); }
static inline nic_gen req_gen(beat_word w)     { return BEAT_FIELD(w, REQ_GEN_AT, 2); }
static inline nic_tag req_tag(beat_word w)     { return BEAT_FIELD(w, REQ_TAG_AT, 10); }
static inline nic_mdh req_mdh(beat_word w)     { return BEAT_FIELD(w, REQ_MDH_AT, 12); }
static inline u6 req_z(beat_word w)            { return BEAT_FIELD(w, REQ_Z_AT, 6); }
static inline u1 req_rmt(beat_word w)          { return BEAT_FIELD(w, REQ_RMT_AT, 1); }
static inline nic_ssid req_ssid(beat_word w)   { return BEAT_FIELD(w, REQ_SSID_AT, 9); }
static inline u4 rsp_chk(beat_word w)          { return BEAT_FIELD(w, RSP_CHK_AT, 4); }
static inline u1 rsp_note(beat_word w)         { return BEAT_FIELD(w, RSP_NOTE_AT, 1); }
static inline u1 rsp_err(beat_word w)          { return BEAT_FIELD(w, RSP_ERR_AT, 1); }
static inline nic_gen rsp_gen(beat_word w)     { return BEAT_FIELD(w, RSP_GEN_AT, 2); }
static inline nic_tag rsp_tag(beat_word w)     { return BEAT_FIELD(w, RSP_TAG_AT, 10); }
static inline u4 rsp_status(beat_word w)       { return BEAT_FIELD(w, RSP_STATUS_AT, 4); }
static inline nic_node rsp_who(beat_word w)    { return BEAT_FIELD(w, RSP_WHO_AT, 18); }
/* clang-format on */

static inline nic_offset req_offset(beat_word w)
{
    return (nic_offset)(((nic_offset)BEAT_FIELD(w, REQ_OFFSET_HI_AT, 20) << 20) |
                        ((nic_offset)BEAT_FIELD(w, REQ_OFFSET_MI_AT, 6) << 14) |
                        BEAT_FIELD(w, REQ_OFFSET_LO_AT, 14));
}

static inline beat_word req_with_offset(beat_word w, nic_offset offset)
{
    w = BEAT_WITH(w, REQ_OFFSET_LO_AT, 14, (u14)offset);
    w = BEAT_WITH(w, REQ_OFFSET_MI_AT, 6, (u6)(offset >> 14));
    return BEAT_WITH(w, REQ_OFFSET_HI_AT, 20, (u20)(offset >> 20));
}

/*
 * Opcodes of two operands, AX and CSWAP: 0C and 0D of the first generation (10 more: cached), 08 to 0B of the second
 * (40 more; 20 more: cached).
 */
static inline u1 amo_is_double(u7 opcode)
{
    u1 first = (u1)((opcode & 0x6E) == 0x0C);
    u1 second = (u1)((opcode & 0x5C) == 0x48);

    return first | second;
}

/* An atomic operation that exists; CSWAP of the first generation fetches. */
static inline u1 amo_exists(u7 opcode, u1 fetch)
{
    u1 second = (u1)(opcode >> 6);
    u4 base = (u4)(opcode >> 1);
    u1 whole = (u1)(base >> 3) ? (u2)base != 3 : (u3)base <= 5;
    u1 first = (opcode & 0x68) == 0x08 && (u3)opcode <= (fetch ? 5 : 4);

    return second ? whole : first;
}

/* Of 64 bits: all of the first generation, the odd ones of the second. */
static inline u1 amo_is_wide(u7 opcode)
{
    return !(u1)(opcode >> 6) | (u1)opcode;
}

/* Of AMO and FAMO. */
static inline u7 req_opcode(beat_word w)
{
    return (u7)(((u7)(u1)req_x(w) << 6) | req_z(w));
}

/* Bytes of payload of a request on the wire, 0 to 64. */
static inline u7 req_payload(beat_word w)
{
    u4 cmd = req_cmd(w);
    u7 opcode = req_opcode(w);
    u7 bytes = (u7)((u7)req_z(w) + 1);

    if (cmd == CMD_GET) {
        bytes = 0;
    } else if (cmd == CMD_AMO || cmd == CMD_FAMO) {
        bytes = amo_is_double(opcode) ? (u7)16 : (u7)8;
    } else if (cmd == CMD_PUT_MSG) {
        bytes = (u7)(bytes + 8);
    }
    return bytes;
}

/* Fields that a request's command does not use are 0, and counts that it does not need are what they must be. */
static inline u1 req_reserved_ok(beat_word w)
{
    u4 x = req_x(w);
    u6 z = req_z(w);
    u1 unused = req_rmt(w) || (x >> 2) == 0;

    switch (req_cmd(w)) {
    case CMD_GET:
        return 1;
    case CMD_PUT:
    case CMD_PUT_MSG:
    case CMD_SEND:
        return (u1)(unused && (x & 3) == 0);
    case CMD_CQWRITE:
        return (u1)(unused && (x & 3) == 0 && z == 7);
    case CMD_AMO:
    case CMD_FAMO:
        return (u1)(unused && (x & 2) == 0);
    case CMD_END:
    case CMD_NOTE:
        return (u1)(unused && z == 19);
    default:
        return unused;
    }
}

#if RTR_FLIT_BITS == BEAT_WORD_BITS

/* How long a response is, in its head beat at REQ_LENGTH_AT: its flits. */
#define RSP_LENGTH_BITS 4
typedef u4 rsp_length;

/* Flits that so many bytes of payload, 1 to 72, and the CRC take: six bytes each, looked up by pairs of bytes. */
static inline u4 payload_flits(u7 bytes)
{
    static const u4 flits[64] = {1, 1, 1, 2, 2, 2, 3, 3, 3,  4,  4,  4,  5,  5,  5,  6,  6,  6, 7,
                                 7, 7, 8, 8, 8, 9, 9, 9, 10, 10, 10, 11, 11, 11, 12, 12, 12, 13};

    return flits[(u6)((bytes + 1) >> 1)];
}

/* Flits of a request: three of its head; its CRC is behind its payload, or, of a GET, in the head. */
static inline u4 req_flits(beat_word w)
{
    u7 bytes = req_payload(w);

    return bytes == 0 ? (u4)3 : (u4)(payload_flits(bytes) + 3);
}

/* Flits of a response: an ack (0 bytes), an error, or data; what `npt` writes at REQ_LENGTH_AT. */
static inline u4 rsp_flits(u1 err, u7 bytes)
{
    return err ? (u4)2 : (bytes == 0 ? (u4)1 : (u4)(payload_flits(bytes) + 1));
}

/* The same, of that field. */
static inline u4 rsp_flits_of(rsp_length length)
{
    return length;
}

#else

/* How long a response is, in its head beat at REQ_LENGTH_AT: 1 an ack, 2 an error, else words of 4 bytes, 1 to 16, and 2. */
#define RSP_LENGTH_BITS  5
#define RSP_LENGTH_WORDS 2 /* of no words */
typedef u5 rsp_length;

/* Groups of 8 bytes that so many bytes of payload take, three phits each. */
static inline u4 payload_groups(u7 bytes)
{
    return (u4)((u7)(bytes + 7) >> 3);
}

/* Phits of a request: seven of its head, its payload, its end. */
static inline u6 req_flits(beat_word w)
{
    u6 groups = payload_groups(req_payload(w));

    return (u6)(8 + groups + groups + groups);
}

/* The length of a response: an ack (0 bytes), an error, or data; what `npt` writes at REQ_LENGTH_AT. */
static inline rsp_length rsp_flits(u1 err, u7 bytes)
{
    rsp_length words = (rsp_length)((u7)(bytes + 3) >> 2);

    return err          ? (rsp_length)2
           : bytes == 0 ? (rsp_length)1
                        : (rsp_length)(RSP_LENGTH_WORDS + words);
}

/* Phits of a response of that length, in a packet of its own. */
static inline u6 rsp_flits_of(rsp_length length)
{
    u6 words = length > RSP_LENGTH_WORDS ? (u6)(length - RSP_LENGTH_WORDS) : (u6)0;
    u6 groups = (u6)((u6)(words + 1) >> 1);

    return (u6)(3 + groups + groups + groups);
}

#endif

/* ---- inside the initiator ---------------------------------------------------------------------- */

/* The channel that a request belongs to, in the place of the ssid: {kind 2, number 7}. */
enum nic_channel_kind { CHANNEL_FMA = 0, CHANNEL_BTE = 1, CHANNEL_CE = 2 };
typedef u9 nic_channel;

/*
 * Up to ssid a head has its channel's number, and whether it is of BTE, once more in each of its other words, and in all whether it is a
 * CLOSE: two wrong bits are in one of them. Words as beat_code.h cuts them: the fields of whose places these are, pack and orb write later.
 */
#define CHANNEL_LOW_AT    REQ_LENGTH_AT /* 7: the number; is a CLOSE: by its command */
#define CHANNEL_BTE_AT    REQ_PHASE_AT  /* 1: is of BTE */
#define CHANNEL_MIDDLE_AT REQ_TAG_AT    /* 9: {is of BTE 1, number 7, is a CLOSE 1} */
#define CHANNEL_HIGH_AT   REQ_RMT_AT    /* 9: the same, as in the place of the ssid */

/* clang-format off */
static inline u10 majority(u10 a, u10 b, u10 c) { return (u10)((a & b) | (a & c) | (b & c)); }
/* clang-format on */

static inline beat_word req_with_channel(beat_word w, nic_channel channel)
{
    u7 number = (u7)channel;
    u1 bte = (u1)(channel >> 7);
    u9 all = (u9)((u9)((u9)(u8)channel << 1) | (req_cmd(w) == CMD_CLOSE));

    w = BEAT_WITH(w, REQ_SSID_AT, 9, channel);
    w = BEAT_WITH(w, CHANNEL_LOW_AT, 7, number);
    w = BEAT_WITH(w, CHANNEL_BTE_AT, 1, bte);
    w = BEAT_WITH(w, CHANNEL_MIDDLE_AT, 9, all);
    return BEAT_WITH(w, CHANNEL_HIGH_AT, 9, all);
}

/* {is of BTE 1, number 7, is a CLOSE 1}, whatever double-bit error there is in one word. */
static inline u9 req_channel(beat_word w)
{
    u9 low = (u9)((u9)((u9)BEAT_FIELD(w, CHANNEL_BTE_AT, 1) << 8) |
                  (u9)((u9)BEAT_FIELD(w, CHANNEL_LOW_AT, 7) << 1) | (req_cmd(w) == CMD_CLOSE));

    return (u9)majority(low, BEAT_FIELD(w, CHANNEL_MIDDLE_AT, 9),
                        BEAT_FIELD(w, CHANNEL_HIGH_AT, 9));
}

/* The same of the tag in a head from orb to rat_local: in the places of node, tag, and rmt with ssid. */
static inline beat_word req_with_tags(beat_word w, nic_tag tag)
{
    w = BEAT_WITH(w, REQ_NODE_AT, 10, tag);
    w = BEAT_WITH(w, REQ_TAG_AT, 10, tag);
    return BEAT_WITH(w, REQ_RMT_AT, 10, tag);
}

static inline nic_tag req_tag_of_three(beat_word w)
{
    return majority(BEAT_FIELD(w, REQ_NODE_AT, 10), req_tag(w), BEAT_FIELD(w, REQ_RMT_AT, 10));
}

/* In the place of src, up to ntt (refused: up to ssid). */
#define VPE_GRANULARITY_AT 66 /* 3 */
#define VPE_INDEX_AT       69 /* 13: entry of the NTT */
#define VPE_REFUSED_AT     82 /* 1: PE beyond the job, or no entry */
#define VPE_NTT_AT         83 /* 1: translate; behind ntt: two bits of its entry are wrong */

/* x of OPEN: bit 0 says that its packets are counted at the target. */

/* The local beat of GET: where the data shall go. */
#define LOCAL_OFFSET_AT  0  /* 40 */
#define LOCAL_MDH_AT     40 /* 12 */
#define LOCAL_PTAG_AT    52 /* 8 */
#define LOCAL_BYTES_AT   60 /* 6: bytes - 1 */
#define LOCAL_FLAGGED_AT 66 /* 1 */

/* END and NOTE: x[0] a flag, x[1] an event at the target; their 20 bytes. */
#define END_COUNT_AT 0  /* 32: packets with rmt */
#define END_EVENT_AT 32 /* 64 */
#define END_FLAG_AT  96 /* 32 of the flag's value; the others begin the next beat */

/*
 * SEND: mdh is {0 9, immediate word 1, channel 2}. SEND_END the same: x[0] its sender gives the message up, x[1] it is whole; its 20 bytes are
 * those of END with bytes - 1 of the message as the event and the immediate word as the flag's value.
 */
#define SEND_CHANNEL_AT   0 /* 2, of mdh */
#define SEND_IMMEDIATE_AT 2 /* 1, of mdh */

/*
 * CLOSE: head as END (x[0] flag, x[1] event at the target, x[2] it goes on as SEND_END), then two data beats: {flag[31:0], event 64, count 32} and
 * {source event 64, 0 13, status 4, aborted 1, source queue 10, wants 4, flag[63:32]}.
 */
#define CLOSE_BYTES      20 /* that go on as END */
#define CLOSE_COUNT_AT   0  /* 32, beat 1 */
#define CLOSE_EVENT_AT   32 /* 64 */
#define CLOSE_FLAG_LO_AT 96 /* 32 */
#define CLOSE_FLAG_HI_AT 0  /* 32, beat 2 */
#define CLOSE_WANTS_AT   32 /* 4 */
#define CLOSE_QUEUE_AT   36 /* 10 */
#define CLOSE_ABORTED_AT 46 /* 1 */
#define CLOSE_STATUS_AT  47 /* 4: why its sender ended it; 0: as its requests end */
#define CLOSE_SOURCE_AT  64 /* 64 */

/* Bits of wants. */
#define WANT_LOCAL  1 /* an event here, when all data has left its memory */
#define WANT_GLOBAL 2 /* an event here, when all is done at the target */
#define WANT_TARGET 4 /* an event at the target */
#define WANT_FLAG   8 /* a flag written there */

/* ---- collective engines -------------------------------------------------------------------------- */

/*
 * CE_UP and CE_DOWN: in the place of the offset; their 16 bytes are the two operands, or results. A join comes from nic_fma as a CE_UP with
 * the local handle as its mdh and the descriptor as its tag, and a second data beat.
 */
#define CE_ID_AT         0  /* 15 */
#define CE_ENGINE_AT     15 /* 2: of the receiver */
#define CE_CHILD_AT      17 /* 5: which child of the parent sent it, or gets it */
#define CE_OPERATION_AT  22 /* 6 */
#define CE_EXCEPTIONS_AT 28 /* 4 */
#define CE_STATUS_AT     32 /* 4: how the reduction went so far */

/* The second data beat of a join. */
#define JOIN_OFFSET_AT 0  /* 40: of the result in the local segment; the low 3 bits count as 0 */
#define JOIN_QUEUE_AT  40 /* 10: of the event */
#define JOIN_EVENT_AT  64 /* 56: its data */

/* ---- memory port: axi/memory.h ------------------------------------------------------------------ */

/* What memory says, as the initiator hears it. */
static inline nic_status_field status_of_memory(u2 memory)
{
    static const u4 statuses[4] = {
        [MEM_DONE] = STATUS_OK,
        [MEM_UNTRANSLATED] = STATUS_TRANSLATION,
        [MEM_BUS_ERROR] = STATUS_BUS,
        [MEM_WRONG_BITS] = STATUS_DATA,
    };

    return statuses[memory];
}

#endif
