// SPDX-License-Identifier: Apache-2.0
/*
 * npt.h - ports and registers of the target's answers: contexts of what other nodes asked for, answered when host memory
 * has answered.
 */
#ifndef NPT_H
#define NPT_H

#include "nic/packet/nic_types.h"
#include "nic/target/rat.h" /* RAT_AHEAD */

/* Bits of out.count; class of each. */
enum npt_count {
    NPT_CORRECTED, /* a single-bit error in a memory: CORRECTABLE_MEMORY */
    NPT_LOST,      /* two in a context: no answer is sent, its tag times out: CRITICAL */
    NPT_BUS,       /* answered with this status: TRANSACTION */
    NPT_DATA,
    NPT_COUNTS
};

typedef uint(NPT_COUNTS) npt_counts;
typedef uint(NIC_PUTS_LOG2) npt_put;
typedef uint(NIC_PUTS_LOG2 + 2) npt_gathered; /* of both FIFOs */
typedef uint(NIC_PUTS_LOG2 + 1) npt_put_at;   /* {queued, place} */
typedef uint(NIC_PUTS_LOG2 + 1) npt_puts;     /* a number of them */
typedef uint(NIC_GETS_LOG2) npt_get;
typedef uint(NIC_GETS_LOG2 + 1) npt_gets;

/* Whom to answer, and how. */
struct npt_whom {
    nic_node src;
    nic_tag tag;
    nic_gen gen;
    u3 mode;
};

#define ECC      put_ecc
#define ECC_DATA 56 /* whom 33, status 4, event 1, ptag 8, queue 10 */
#define ECC_BITS 7
#include "common/ecc.inc"

#define ECC      event_ecc
#define ECC_DATA 56
#define ECC_BITS 7
#include "common/ecc.inc"

#define ECC      get_ecc
#define ECC_DATA 33
#define ECC_BITS 7
#include "common/ecc.inc"

#define ECC      seq_ecc
#define ECC_DATA 51 /* slot 4, message 1, total 32, wants 1, use 2, ssid 9, kind 2 */
#define ECC_BITS 7
#include "common/ecc.inc"

#define ECC      flag_place_ecc
#define ECC_DATA 53 /* wanted 1, offset 40, handle 12 */
#define ECC_BITS 7
#include "common/ecc.inc"

#define ECC      flag_value_ecc
#define ECC_DATA 64
#define ECC_BITS 8
#include "common/ecc.inc"

/* Of END and NOTE, which are never queued. */
#if NIC_PUTS_LOG2 <= 6
#define NPT_FLAG HLS_LUTRAM(1)
#else
#define NPT_FLAG HLS_BRAM
#endif

struct npt_in {
    struct npt_context context; /* of rat_net, with room of its kind */
    struct mem_done done;       /* axi_master's */
    u1 released;                /* parb's: the next queued event may be posted */
    u1 lost;                    /* parb's: the next queued write is not done */
    struct beat
        reply; /* of reads, in the order of their contexts, without gaps inside; its head three
                                   clocks after axi_master saw room_reply */
    struct amo_answer atomic;
    struct rmt_result result;  /* of rmt or bte_receive, to out.op */
    struct amo_answer settled; /* of the same, to a parked END, until it is taken */
#if NIC_CE
    struct amo_answer collective; /* of ce, to a packet of a reduction, the same */
#endif
    u1 room_response; /* netlink's */
    u1 room_event;    /* cq's: two more events */
    struct nic_config config;
};

struct npt_out {
    u1 room_write; /* RAT_AHEAD more contexts of writes fit */
    u1 room_read;  /* ... and of reads */
    u1 room_reply; /* axi_master may begin one */
    u1 taken;      /* for one clock: in.atomic was taken */
    u1 taken_end;  /* the same of in.settled */
#if NIC_CE
    u1 taken_collective; /* ... of in.collective */
#endif
    struct rmt_op op; /* to rmt or bte_receive: what is answered next, if END counts it */
    struct beat response;
    struct nic_event event;
    u1 idle; /* everything is answered */
    npt_counts count;
};

struct npt {
    struct npt_out out;

    /*
     * Writes, and what needs no memory: two FIFOs, those that were queued in the second one, each as memory answers it. The oldest of
     * either goes to the front registers when it is answered.
     */
    u1 put_staged; /* put_code, event_code, put_ready and put_memory are of one that is answered */
    u1 put_last;   /* the FIFO that it is or was of */
    put_ecc_word put_code;
    event_ecc_word event_code;
    u1 put_ready;   /* it waited for nothing */
    u2 put_memory;  /* else how memory answered: enum mem_status */
    u1 put_counted; /* rmt has to say how it is answered: */
    seq_ecc_word seq_code;
    flag_place_ecc_word flag_place;
    flag_value_ecc_word flag_value;
    u1 asked;
    u1 told;      /* it has: */
    u1 told_note; /* so */
    u1 parked;    /* not now */
    npt_put put_read[2];
    npt_puts waiting[2]; /* in the FIFO */
    npt_puts puts;       /* all, with the one in front */

    /* How memory answered; events that were released. */
    npt_put status_read[2];
    npt_puts answered[2];
    npt_puts released;

    /* Reads. */
    u1 get_staged;
    npt_get get_read, get_write;
    npt_gets gets;
    get_ecc_word get_code;
    u1 passes; /* data of a reply goes out */

    /* Replies fill the stream for as long as axi_master sees room, and acks need gaps. */
    u1 yields; /* no reply begins until the acks that are ready have gone */
    u5 waited; /* clocks that one has, or that replies have */

    /* Atomic operations. */
    u2 shown;       /* room_reply in the two clocks before, bit 1 the earlier */
    u1 op_asked;    /* rmt was asked of in.atomic: */
    u1 op_told;     /* it has said */
    u1 op_note;     /* this */
    u1 asking;      /* rmt has not answered, */
    u1 asking_op;   /* of in.atomic */
    u1 old_follows; /* the response that began brings this old value */
    u64 old;
    u1 acked; /* of acks and answers, an ack went last */

    HLS_BRAM put_ecc_word put_codes[2 << NIC_PUTS_LOG2]; /* of the two FIFOs */
    HLS_BRAM event_ecc_word event_codes[2 << NIC_PUTS_LOG2];
    HLS_BRAM seq_ecc_word seq_codes[2 << NIC_PUTS_LOG2];
    NPT_FLAG flag_place_ecc_word flag_places[1 << NIC_PUTS_LOG2]; /* of the first FIFO alone */
    NPT_FLAG flag_value_ecc_word flag_values[1 << NIC_PUTS_LOG2];
    HLS_LUTRAM(1) u1 counted[2 << NIC_PUTS_LOG2]; /* seq_codes has a kind */
    HLS_LUTRAM(1) u1 plain_readies[1 << NIC_PUTS_LOG2];
    HLS_LUTRAM(1) u1 queued_readies[1 << NIC_PUTS_LOG2];
    HLS_LUTRAM(1) u2 plain_statuses[1 << NIC_PUTS_LOG2]; /* enum mem_status */
    HLS_LUTRAM(1) u2 queued_statuses[1 << NIC_PUTS_LOG2];
    HLS_BRAM get_ecc_word get_codes[1 << NIC_GETS_LOG2];
};

HLS_RESET void npt_reset(struct npt *self);
HLS_MODULE void npt(struct npt *self, const struct npt_in *in);

#endif
