// SPDX-License-Identifier: Apache-2.0
/*
 * ce_types.h - sizes of the collective engines, results, operations, and what their parts say to each other.
 *
 * A child of an engine is an endpoint, a process of this host that joins by its FMA descriptor, or an engine, mostly of another
 * node, whose result comes as CE_UP. A place is a child of an engine: {engine 2, child 5}.
 */
#ifndef CE_TYPES_H
#define CE_TYPES_H

#include "nic/amo/amo_alu.h"
#include "nic/packet/nic_types.h"
#include "nic/regs/nic_map.h"

#define CE_ENGINES  NR_CE_ENTRIES
#define CE_CHILDREN 32

typedef u2 ce_engine;
typedef u5 ce_child;
typedef u7 ce_place;
typedef u4 ce_engines; /* a bit each */
typedef u32 ce_children;
typedef u6 ce_count; /* of children */
typedef u15
    ce_id; /* of a reduction: its processes count them, modulo; one is newer than the 16,384 before it */

enum ce_kind { CE_NOBODY, CE_ENDPOINT, CE_ENGINE };

static inline ce_place ce_place_of(ce_engine engine, ce_child child)
{
    return (ce_place)(((ce_place)engine << 5) | child);
}

static inline ce_engines ce_one(u1 condition, ce_engine engine)
{
    return (ce_engines)((ce_engines)condition << engine);
}

/* The next engine behind `last` of those that want something; one at least does. */
static inline ce_engine ce_next(ce_engines wants, ce_engine last)
{
    ce_engines behind = (ce_engines)(wants & (ce_engines)((ce_engines)0xE << last));
    ce_engines first = behind != 0 ? behind : wants;

    return (u1)first          ? (ce_engine)0
           : (u1)(first >> 1) ? (ce_engine)1
           : (u1)(first >> 2) ? (ce_engine)2
                              : (ce_engine)3;
}

/* ---- results and operations ---------------------------------------------------------------------- */

/* The result of an endpoint, 24 bytes: control, which is written last, and the two results. */
#define RESULT_STATUS_AT     0  /* 4 */
#define RESULT_EXCEPTIONS_AT 4  /* 4 */
#define RESULT_REASON_AT     8  /* 2: of status CE, enum ce_reason */
#define RESULT_ID_AT         16 /* 15 */
#define RESULT_DONE_AT       63 /* 1 */

enum ce_reason { CE_OTHER, CE_WRONG_ID, CE_WRONG_OPERATION, CE_TWICE };

enum ce_exception { CE_INVALID = 1, CE_OVERFLOW = 2, CE_UNDERFLOW = 4, CE_INEXACT = 8 };

/* An operation is {greatest index 1, base 4, 64 bits 1}: its base is that of atomic operations. */
static inline u4 ce_base(u6 operation)
{
    return (u4)(operation >> 1);
}

/* Minimum and maximum: their second operand says whose the first one is. */
static inline u1 ce_picks(u6 operation)
{
    u4 base = ce_base(operation);

    return (u1)(base >> 3) && (u2)base < 2;
}

static inline u1 ce_exists(u6 operation)
{
    u4 base = ce_base(operation);
    u1 greatest = (u1)(operation >> 5);
    u1 plain = base <= AMO_XOR || base == AMO_IADD || base == AMO_FPADD;

    return ce_picks(operation) || (plain && !greatest);
}

/*
 * Channels of the request stream: two of each engine, one for what goes up and one for what goes down, behind those of block
 * transfers.
 */
#if NIC_BTE_PLACES_LOG2 > 6 || NIC_CHANNEL_LOG2 != 8
#error "config: the collective engines need channels of their own behind those of block transfers"
#endif
#define CE_CHANNELS_AT 64
typedef u3 ce_channel; /* {engine 2, down 1} */

static inline nic_channel ce_channel_number(ce_channel channel)
{
    return (nic_channel)(((nic_channel)CHANNEL_BTE << 7) | CE_CHANNELS_AT | channel);
}

/* ---- between the parts -------------------------------------------------------------------------- */

/* Of an engine, by ce_gather; it stands while the engine is busy. */
struct ce_config {
    u1 enable;
    u1 root;
    nic_ptag ptag;
    u2 rounding;
    u3 mode;
    u1 event;  /* one for each endpoint at the end */
    u1 errors; /* one for each endpoint if a reduction fails */
    ce_count children;
    u8 timeout;
    nic_node parent;
    ce_engine parent_engine;
    ce_child as; /* which child of its parent it is */
};

/* A child in the tables of ce_gather and ce_send. */
struct ce_relative {
    nic_node node;
    ce_engine engine;
    u2 kind; /* enum ce_kind */
    u7 fma;
};

#define CE_RELATIVE_BITS 29

static inline struct ce_relative ce_relative_of(uint(CE_RELATIVE_BITS) word)
{
    return (struct ce_relative){
        .node = (nic_node)(word >> NR_CE2_NODE_AT),
        .engine = (ce_engine)(word >> NR_CE2_ENGINE_AT),
        .kind = (u2)(word >> NR_CE2_KIND_AT),
        .fma = (u7)(word >> NR_CE2_FMA_AT),
    };
}

#define ECC      child_ecc
#define ECC_DATA CE_RELATIVE_BITS
#define ECC_BITS 7
#include "common/ecc.inc"

/* ce_gather to ce_fold: a child's operands. */
struct ce_part {
    u1 valid;
    ce_place place;
    u4 exceptions;
    nic_status_field status;
    u64 first, second;
};

/* ce_gather to ce_send: an entry of the table of children is written. */
struct ce_entry {
    u1 valid;
    ce_place place;
    child_ecc_word code;
};

/* What an endpoint said of its result when it joined. */
struct ce_endpoint {
    nic_mdh mdh;
    nic_offset offset;
    u10 queue;
    u56 event;
};

struct ce_joined {
    u1 valid;
    u8 place; /* {turn 1, engine 2, child 5} */
    struct ce_endpoint endpoint;
};

/* ce_gather to ce_send: the result came down. */
struct ce_result {
    u1 valid;
    ce_engine engine;
    nic_status_field status;
    u4 exceptions;
    u64 first, second;
};

/* ce_gather to ce_send: a join was refused; stands until it is taken. */
struct ce_refusal {
    u1 valid;
    ce_engine engine;
    nic_ptag ptag;
    nic_status_field status;
    u2 reason;
    ce_id id;
    struct ce_endpoint endpoint;
};

/* ssid: a transaction of a channel is over; its id is free again. */
struct ce_over {
    u1 valid;
    ce_channel channel;
    nic_status_field status;
};

/* A word that could not be written for an endpoint, by its place: {unused, child}. */
struct ce_failure {
    u1 valid;
    u12 place;
    nic_status_field status;
};

#endif
