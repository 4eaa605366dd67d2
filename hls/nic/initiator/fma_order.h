// SPDX-License-Identifier: Apache-2.0
/*
 * fma_order.h - clock 1 of nic_fma: what a run asks for, what refuses it, and the order for fma_packet.
 */
#ifndef FMA_ORDER_H
#define FMA_ORDER_H

#include "nic/initiator/nic_fma.h"

#define REFUSED(e) ((fma_refusal)((fma_refusal)1 << (e)))

/* What kind of write it is; one at most is 1. */
struct fma_kind {
    u1 put;
    u1 get;
    u1 launch; /* besides one of these */
    u1 open;
    u1 close;
    u1 cqwrite;
    u1 transfer; /* a block transfer is launched */
    u1 join;     /* of a reduction */
    u1 store;    /* of a word that is kept */
    u1 pair;     /* besides: BASE and MODES in one */
    u1 status;
    u1 unknown; /* no such word */
    u1 part;    /* of a word */
};

static inline u1 is_join_word(u9 number)
{
    return NIC_CE && number == FMA_WORD_CE;
}

static inline struct fma_kind kind_of(const struct fma_taken *t)
{
    u1 page = t->region == REGION_PAGE && !t->abort;
    u9 number = (u9)(t->offset >> 3);
    u1 whole = (u3)t->offset == 0 && t->bytes == 7;
    u1 launch_word = number >> 1 == FMA_WORD_LAUNCH >> 1;
    u1 launch = page && number == FMA_WORD_LAUNCH && (u3)t->offset == 0 && t->bytes == 15;
    u1 launch_get = (u1)(t->chunk >> LAUNCH_GET_AT);
    u1 kept = number <= FMA_WORD_OPERANDS + 1 && number != 2;
    u1 known = kept || launch_word || number == FMA_WORD_OPEN || number == FMA_WORD_CQWRITE ||
               number == FMA_WORD_TRANSFER || number == FMA_WORD_CLOSE ||
               number == FMA_WORD_STATUS || is_join_word(number);
    u1 word = page && whole;
    u1 pair = page && t->offset == 0 && t->bytes == 15;

    return (struct fma_kind){
        .put = (t->region == REGION_PUT && !t->abort) || (launch && !launch_get),
        .get = (t->region == REGION_GET && !t->abort) || (launch && launch_get),
        .launch = launch,
        .open = word && number == FMA_WORD_OPEN,
        .close = t->abort || (word && number == FMA_WORD_CLOSE),
        .cqwrite = word && number == FMA_WORD_CQWRITE,
        .transfer = word && number == FMA_WORD_TRANSFER,
        .join = word && is_join_word(number),
        .store = (word && kept) || pair,
        .pair = pair,
        .status = word && number == FMA_WORD_STATUS,
        .unknown = page && !known,
        .part = (page && !launch && !pair && (!whole || launch_word)) ||
                (t->region == REGION_GET && !whole),
    };
}

/* CLOSE wants the flag written, which its descriptor may not. */
static inline u1 lacks_right(const struct fma_kind *kind, const struct fma_first *first, u64 word)
{
    return kind->close && (u1)(word >> CLOSE_FLAG_BIT) && !(u1)(first->may >> 9);
}

/* TRANSFER in a channel where its descriptor may not launch, or nobody. */
static inline u1 lacks_channel(const struct fma_first *first, const struct launch_room *launch,
                               u64 word)
{
    u4 may = (u4)(first->may >> 10) & launch->open;

    return !(u1)(may >> (u2)(word >> TRANSFER_CHANNEL_AT));
}

static inline u7 opcode_of(const struct fma_kind *kind, const struct fma_first *first, u64 word)
{
    return kind->get ? (u7)(word >> CONTROL_OPCODE_AT) : (u7)(first->modes >> 3);
}

/*
 * What speaks against it: of a disabled descriptor, or a write of another size, that alone; a command that does not exist has
 * no alignment.
 */
static inline fma_refusal checks(const struct fma_taken *t, const struct fma_kind *kind,
                                 const struct fma_first *first, const struct fma_order *order,
                                 const struct launch_room *launch)
{
    u7 opcode = opcode_of(kind, first, order->word);
    u1 message = kind->put && opcode == 1;
    u1 atomic = (kind->put && opcode > 1) || (kind->get && opcode != 0);
    u1 two = amo_is_double(opcode);
    u1 wide = amo_is_wide(opcode);
    u3 align = kind->get ? (u3)3 : (kind->put && atomic ? (wide ? (u3)7 : (u3)3) : (u3)0);
    u1 needs_open = kind->put || kind->get || kind->close || kind->cqwrite;
    u1 full = !(u1)(launch->free >> (u2)(order->word >> TRANSFER_CHANNEL_AT));
    u1 no_id =
        ((kind->open || kind->transfer) && t->flight >= (u9)first->may) || (kind->transfer && full);
    u1 not_open = (needs_open && !t->open) || (kind->open && t->open);
    u1 sent = kind->put || kind->get || kind->cqwrite || kind->transfer; /* by its mode */
    u1 source = (u1)(first->modes >> 12);
    u1 bad_command =
        kind->unknown || lacks_right(kind, first, order->word) || (sent && source) ||
        (kind->join && (u1)(opcode >> 6)) || /* no number of an operation */
        (kind->transfer && lacks_channel(first, launch, order->word)) ||
        (atomic && !amo_exists(opcode, kind->get)) ||
        (atomic && kind->put && kind->launch && two) ||
        (message && (kind->launch || t->bytes > 55)) ||
        (kind->get && opcode == 0 && order->flagged && (u4)(order->word >> CONTROL_WORDS_AT) == 15);
    u1 crooked = ((u3)order->global & align) != 0 || (kind->get && (u2)order->word != 0) ||
                 (atomic && kind->put && !kind->launch && t->bytes != (two ? 15 : 7));
    fma_refusal all = 0;

    all |= no_id && !(kind->transfer && bad_command) ? REFUSED(FMA_NO_ID) : (fma_refusal)0;
    all |= not_open ? REFUSED(FMA_NOT_OPEN) : (fma_refusal)0;
    all |= bad_command ? REFUSED(FMA_BAD_COMMAND) : (fma_refusal)0;
    all |= crooked && !bad_command ? REFUSED(FMA_BAD_ALIGNMENT) : (fma_refusal)0;
    all = kind->part ? REFUSED(FMA_BAD_ALIGNMENT) : all;
    return t->abort ? (fma_refusal)0 : (t->enabled ? all : REFUSED(FMA_DISABLED));
}

static inline u4 command_of(const struct fma_kind *kind, u7 opcode)
{
    u4 put = opcode == 0 ? (u4)CMD_PUT : (opcode == 1 ? (u4)CMD_PUT_MSG : (u4)CMD_AMO);
    u4 get = opcode == 0 ? (u4)CMD_GET : (u4)CMD_FAMO;
    u4 join = kind->join ? (u4)CMD_CE_UP : (u4)CMD_CQWRITE;
    u4 control = kind->open ? (u4)CMD_OPEN : (kind->close ? (u4)CMD_CLOSE : join);

    return kind->put ? put : (kind->get ? get : control);
}

/* The words of a transfer take four clocks, and as many behind them until the next run finds what is left of its channel. */
enum { FMA_TRANSFER_BEATS = 4, FMA_TRANSFER_WAIT = 6, FMA_JOIN_BEATS = 3 };

/* What a packet says in x and z; what it needs no place for is 0. */
static inline void describe(struct fma_order *o, u7 opcode, u6 bytes)
{
    switch (o->cmd) {
    case CMD_GET:
        o->x = (u4)(o->word >> CONTROL_WORDS_AT);
        break;
    case CMD_AMO:
    case CMD_FAMO:
        o->x = (u1)(opcode >> 6);
        o->z = (u6)opcode;
        break;
    case CMD_OPEN:
        o->x = (u1)o->word;
        break;
    case CMD_CLOSE:
        o->x = (u4)(((u4)(u1)(o->word >> 58) << 1) | (u1)(o->word >> CLOSE_FLAG_BIT));
        o->z = 19;
        break;
    default:
        o->z = bytes;
        break;
    }
}

/* Beats of a packet with that many bytes of payload, - 1. */
static inline u3 beats_of(u4 cmd, u7 bytes)
{
    u3 beats = (u3)((bytes >> 4) + 2);

    switch (cmd) {
    case CMD_OPEN:
        beats = 1;
        break;
    case CMD_GET:
        beats = 2;
        break;
    case CMD_FAMO:
    case CMD_CLOSE:
        beats = 3;
        break;
    default:
        break;
    }
    return beats;
}

static inline struct fma_order order_of(const struct fma_taken *t, const struct fma_kind *kind,
                                        const struct fma_first *first)
{
    u1 upper = (u1)(t->offset >> 3) | kind->launch | kind->pair;
    u64 word = t->abort ? (u64)WANT_GLOBAL << 56 : (upper ? (u64)(t->chunk >> 64) : (u64)t->chunk);
    u7 opcode = opcode_of(kind, first, word);
    u1 brief = (u1)(first->modes >> 11) && opcode == 0;
    u6 bytes = kind->launch ? (brief ? (u6)3 : (u6)7) : t->bytes;
    u1 message = kind->put && opcode == 1;
    u7 payload = (u7)((u7)bytes + ((u7)message << 3));
    fma_global from = kind->launch ? (fma_global)t->chunk : first->base;
    fma_offset half = (fma_offset)(t->offset >> 1);
    fma_offset by = t->region == REGION_PUT ? t->offset : half;
    u1 window = (u1)(t->region >> 1) && !t->abort;
    u1 transfer = kind->transfer;
    struct fma_order o = {
        .number = (u3)((u3)(t->offset >> 3) | kind->pair),
        .unit = t->unit,
        .cmd = command_of(kind, opcode),
        .aborted = t->abort,
        .flagged = (u1)(first->modes >> 10) | (u1)(word >> CONTROL_FLAGGED_AT),
        .transfer = transfer,
        .ends = (u4)payload,
        .line = t->line,
        .begin = (u6)(((u6)t->offset | ((u6)kind->launch << 3)) - ((u6)message << 3)),
        .pe = (u3)first->modes,
        .global = (fma_global)(from + (window ? by : (fma_offset)0)),
        .word = word,
    };

    describe(&o, opcode, bytes);
    o.beats = transfer     ? (u3)FMA_TRANSFER_BEATS
              : kind->join ? (u3)FMA_JOIN_BEATS
                           : beats_of(o.cmd, payload);
    o.z = kind->join ? (u6)opcode : o.z;
    return o;
}

#endif
