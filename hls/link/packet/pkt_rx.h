// SPDX-License-Identifier: Apache-2.0
/*
 * pkt_rx.h - ports and registers of the receiver of packets.
 *
 * Words come from lane_rx; flits go up to the router before the CRC of their packet is known, the end with the verdict. What
 * records carried goes to pkt_tx and pkt_credit. README.md has the contract.
 */
#ifndef PKT_RX_H
#define PKT_RX_H

#include "link/packet/phit.h"

enum pkt_ok {
    PKT_GOOD,
    PKT_SOFT,
    PKT_CUT
}; /* good; corrupted before this link; a copy with a transmit error: the packet comes again */

struct pkt_rx_in {
    u1 valid; /* word is the next one; never in two clocks in a row */
    lcb_word word;
    u1 run;         /* data mode; while 0 an open packet ends, and the next word is the first */
    u1 clear;       /* a new epoch begins */
    lcb_phits clip; /* phits of the longest packet */
};

struct pkt_rx_out {
    u1 flit_valid;
    u1 head;
    u1 tail;
    u2 ok; /* with tail: enum pkt_ok */
    lcb_flit flit;

    lcb_phits counted; /* phits of a packet that is believed, in the clock of its tail; else 0 */
    u1 holds;          /* a flit waits here, or a packet is open */

    /* For pkt_tx: the acknowledgement to send, and the one that came. */
    lcb_seq expected;
    u1 gap; /* in recovery: all is discarded until a SEEK to `expected` */
    u1 ack_valid;
    lcb_seq ack;
    u1 nak;
    lcb_vc credit_vc; /* with ack_valid */
    lcb_steps credit_steps;

    u1 seek_valid;
    u1 empty;      /* with it: the peer's input queue holds nothing of ours */
    lcb_load load; /* of the peer, by the last SEEK; 0 in a new epoch, until one came */

    /* For pkt_fault: a phit of a packet, as lanes carry it. */
    u1 seen;
    u1 seen_head;
    u1 seen_odd; /* of an odd word since data began: with two lanes the chunks of words alternate */
    u1 seen_second; /* slot B */
    phit_bits seen_parts;

    /* Events, each for one clock. */
    u1 good;       /* a packet or record with a right CRC */
    u1 crc_error;  /* an error of kind, length, count or CRC, or of silence inside a packet */
    u1 accepted;   /* a packet is believed */
    u1 soft_error; /* and had a soft error */
    u1 repeated;   /* a SEEK to another position */
    u1 cut;        /* a copy of which a flit went up was ended here */
    u1 silent;     /* no right record for too long: train again */
};

struct pkt_rx {
    struct pkt_rx_out out;

    /* Slot B of the word that came in the clock before. */
    u1 second;
    u1 odd; /* number of the word since data began */
    phit_bits lower;

    /* Grammar. */
    u1 inside;       /* a packet has begun, and not ended */
    u1 ended;        /* its end is kept until the next phit is seen */
    u1 record;       /* slot A was the first phit of a record */
    u1 recorded;     /* slot B was its end: the verdict comes with the next phit */
    u1 fits;         /* length, count and soft bit of the end are right */
    u1 right;        /* the SEEK that came names the position that is expected */
    lcb_phits count; /* phits of the packet */
    lcb_seq place;   /* position behind the last phit, if all was right */
    lcb_flit body;   /* first phit of the record */
    lcb_flit end;    /* the end that is kept, with its core CRC */
    u13 quiet; /* clocks since the last phit of the packet; in recovery since the last right record */
    u1 late;   /* the packet has waited too long: its next phit does not count */

    pkt_crc crc;   /* 0 behind an end with a right one */
    pkt_crc apart; /* of what the core CRC leaves out */
    u1 leads;      /* the next phit may be a head that routers take off */

    /* A flit that waits behind an end that went up in its clock. */
    u1 waits;
    struct pkt_up {
        u1 head;
        u1 tail;
        u2 ok;
        lcb_flit flit;
    } waiting;
};

HLS_RESET void pkt_rx_reset(struct pkt_rx *self);
HLS_MODULE void pkt_rx(struct pkt_rx *self, const struct pkt_rx_in *in);

#endif
