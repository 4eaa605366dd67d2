// SPDX-License-Identifier: Apache-2.0
/*
 * pkt_tx.h - ports and registers of the sender of packets.
 *
 * Flits come from the router, words of two phits go to lane_tx; what is said in records comes from pkt_rx and pkt_credit.
 * README.md has the contract, clock by clock.
 */
#ifndef PKT_TX_H
#define PKT_TX_H

#include "link/flit/lcb_window.h"
#include "link/packet/phit.h"
#include "link/packet/phit_store.h"

struct pkt_tx_in {
    u1 flit_valid; /* a flit is offered; taken if flit_ready was 1 before this clock */
    u1 flit_head;
    u1 flit_tail;
    u1 flit_bad; /* poisoned: its packet arrives with a soft error */
    lcb_flit flit;

    u1 advance; /* from lane_tx: emit one word, its slots in the next two clocks but one */
    u1 run;     /* the link is in data mode; once 0 it stays 0 for at least 4 clocks */
    u1 flush;   /* the link is dead: report what was not acknowledged, take and report the rest */
    u1 clear;   /* a new epoch begins: forget all positions; only while idle */

    u1 ack_valid; /* the peer's acknowledgement arrived, for one clock */
    lcb_seq ack;  /* the position that the peer expects next */
    u1 nak;       /* the peer misses what is there */

    lcb_seq
        expected; /* our own acknowledgement: what pkt_rx expects next, and whether it misses it */
    u1 gap;
    lcb_load load;
    u1 empty;         /* our input queue holds nothing of the peer's */
    lcb_vc credit_vc; /* the credit that is due, */
    lcb_steps credit_steps;
    u1 owed; /* and so much of it that a record is to go */

    u12 hold;       /* phits from a SEEK until the same nak counts again: a round trip */
    u12 timeout;    /* phits without progress before a replay */
    lcb_phits clip; /* phits of the longest packet, 2 at least */
    u8 every;       /* phits between two records */
};

struct pkt_tx_out {
    u1 flit_ready;

    u1 valid; /* word goes to the lanes */
    lcb_word word;

    u1 report_valid; /* a flit that a dead link did not deliver for certain */
    u1 report_head;
    u1 report_tail;
    u1 report_bad; /* it is uncorrectable in the replay buffer, or poisoned */
    lcb_flit report_flit;

    lcb_phits
        made; /* phits of a packet that is whole since this clock, as the peer will count them; else 0 */
    u1 flushing; /* flits are being reported, or the rest of a packet cut by the death is still to be taken */

    u1 ack_sent;  /* an ACK with the credit of credit_vc */
    u1 seek_sent; /* a SEEK, which says whether our input queue is empty */

    u1 waits; /* something waits for its acknowledgement */

    /* Events, each for one clock. */
    u1 acked;     /* the oldest packet was acknowledged */
    u1 replayed;  /* the end of a repeated packet was sent */
    u1 nak_taken; /* goes back because of a nak */
    u1 timed_out; /* goes back because nothing was acknowledged for too long */
    u1 ack_bad;   /* an acknowledgement outside the window was ignored */
    u1 clipped;   /* a packet was too long, waited too long or had no end of its own: cut, soft */
    u1 ecc_corrected; /* a single-bit error in the replay buffer was corrected */
    u1 ecc_fatal;     /* a double-bit error: the packet goes with a soft error */
    u1 lost; /* the replay buffer has no packet where one should begin: a new epoch is needed */
};

/* A phit on its way through the stages. */
struct tx_phit {
    u1 valid;
    u1 second;        /* slot B */
    u1 first;         /* of a packet or record: the CRC begins */
    u1 record;        /* of a record */
    lcb_seq position; /* with first: of its packet */
    struct phit phit;
};

struct pkt_tx {
    struct pkt_tx_out out;

    /* Window: base <= resend <= next, positions modulo 2^LCB_SEQ_BITS, all of them borders of packets. */
    lcb_seq base; /* oldest without ack */
    lcb_seq
        resend; /* of the packet that is on the wire, or comes next; behind next while a replay is pending */
    lcb_seq sent;         /* resend - base */
    lcb_seq next;         /* behind the last whole packet in the replay buffer */
    lcb_seq went_back_to; /* where the last replay began */
    struct tx_heard heard;
    u12 holding; /* phits until a nak for went_back_to counts again */
    u12 timer;   /* phits since the window last moved */
    u1 expired;  /* they are as many as may be */
    u1 fits;     /* the longest packet fits into the replay buffer */

    /* Schedule. */
    u1 go;                    /* this clock makes a phit */
    u1 second;                /* it is slot B */
    u1 closed;                /* run is 0, and all from base on waits for a replay */
    u1 dump;                  /* dead link: flits go to the report port, not to the lanes */
    u1 seek;                  /* a SEEK goes before any packet */
    u1 due;                   /* a record goes before the next packet */
    u1 record;                /* slot B is the end of a record */
    u8 since;                 /* phits since the last record */
    uint(LCB_SEEK_LOG2) acks; /* since the last SEEK; behind the last one of them it is due */
    u1 seeks;                 /* that SEEK is due */
    u1 told;                  /* the last ACK reported the gap */

    /* The packet on the wire. */
    u1 busy;         /* there is one */
    u1 fed;          /* its phits come out of the replay buffer */
    u1 moved;        /* since it began resend went to base: it does not move it at its end */
    u1 spoilt;       /* a phit of it had a double-bit error */
    lcb_phits count; /* of it that were sent */

    /* The packet that the router hands over, stored from next on. */
    u1 open;
    lcb_phits filled; /* phits of it that are stored */
    u1 bad;           /* one of its flits is poisoned, or it has no right frame */
    u1 force;         /* its end is made here, in the next slot */
    u1 drop;          /* its end was made here, and the rest is taken off */
    u1 rest;          /* with force: the packet's tail is still to come */
    u12 waited;       /* clocks for the next flit */

    /* Reading the replay buffer: address, the memory's register, decoded. */
    u1 aim; /* the stages begin anew at resend, once the packet on the wire does not need them */
    lcb_seq fetch;
    u1 read_valid;
    phit_stored read;
    u1 ready;
    struct phit_read fixed;

    /* Stages behind the choice: CRC, end. */
    struct tx_phit picked;
    struct tx_phit summed;
    pkt_crc core;    /* of what routers do not change */
    pkt_crc apart;   /* of the rest */
    u1 leads;        /* the next phit may be a head that routers take off */
    phit_bits upper; /* slot A of the word, in parts */

    HLS_BRAM phit_stored buffer[1 << LCB_WINDOW_LOG2];
};

HLS_RESET void pkt_tx_reset(struct pkt_tx *self);
HLS_MODULE void pkt_tx(struct pkt_tx *self, const struct pkt_tx_in *in);

#endif
