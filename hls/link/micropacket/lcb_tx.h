// SPDX-License-Identifier: Apache-2.0
/*
 * lcb_tx.h - ports and registers of the sending half of the link control block.
 *
 * Flits come from the router, words go to lane_tx; acknowledgements and the values to be sent in
 * the sideband come from lcb_rx and the credit and clock blocks. README.md has the contract, clock
 * by clock.
 */
#ifndef LCB_TX_H
#define LCB_TX_H

#include "link/flit/lcb_window.h"
#include "link/micropacket/secded.h"
#include "link/micropacket/sideband.h"

struct lcb_tx_in {
    u1 flit_valid; /* a flit is offered; taken if flit_ready was 1 before this clock */
    u1 flit_bad;   /* it is marked bad, and arrives with that mark: any flit may be */
    lcb_flit flit;

    u1 advance; /* from lane_tx: emit one word in the next clock */
    u1 run;     /* the link is in data mode; once 0 it stays 0 for at least 4 clocks */
    u1 flush;   /* the link is dead: report what was not acknowledged, take and report the rest */
    u1 clear;   /* a new epoch begins: forget all sequence numbers; only while idle */

    u1 ack_valid; /* the peer's acknowledgement arrived, for one clock */
    lcb_seq ack;  /* the sequence number that the peer expects next */
    u1 nak;       /* the peer misses it */

    lcb_seq expected; /* our own acknowledgement, sent in the sideband: */
    u1 gap;           /* what lcb_rx expects next, and whether it misses it */
    lcb_load load;
    u1 empty;         /* our input queue holds nothing of the peer's: idle micropackets say so */
    u1 hush;          /* the next new micropacket takes no flits, so that it is idle */
    lcb_vc credit_vc; /* the credit that is due */
    lcb_steps credit_steps;
    lcb_body clock_part; /* the part of the time that is due */

    u12 hold;    /* slots from a replay until the same nak counts again: a round trip */
    u12 timeout; /* slots without progress before a replay */
};

struct lcb_tx_out {
    u1 flit_ready;

    u1 valid;      /* word goes to the lanes */
    u1 reports;    /* word is a flit that a dead link did not deliver for certain */
    u1 report_bad; /* it is uncorrectable in the replay buffer, or marked bad */
    lcb_word word;

    u1 flushing; /* flits are being reported, or the rest of a packet cut by the death is still to be taken */

    u1 credit_sent; /* the credit was put into a tail */
    u1 clock_sent;  /* the clock part was put into a tail */

    u1 waits; /* a micropacket waits for its acknowledgement */

    /* Events, each for one clock. */
    u1 idle;          /* the tail of an idle micropacket was sent */
    u1 acked;         /* the oldest micropacket was acknowledged */
    u1 replayed;      /* the tail of a repeated micropacket was sent */
    u1 nak_taken;     /* went back because of a nak */
    u1 timed_out;     /* went back because nothing was acknowledged for too long */
    u1 ack_bad;       /* an acknowledgement outside the window was ignored */
    u1 ecc_corrected; /* one bit of the replay buffer was corrected */
    u1 ecc_fatal;     /* two were wrong, uncorrectable: the micropacket is sent with a wrong CRC */
};

struct lcb_tx {
    struct lcb_tx_out out;

    /* Window: base <= resend <= next, modulo 2^LCB_SEQ_BITS. */
    lcb_seq base;         /* oldest without ack */
    lcb_seq resend;       /* to be sent next; behind next while a replay is pending */
    lcb_seq sent;         /* resend - base */
    lcb_seq next;         /* the next new one */
    lcb_seq went_back_to; /* where the last replay began */
    struct tx_heard heard;
    u12 holding; /* slots until a nak for went_back_to counts again */
    u12 timer;   /* slots since the window last moved */
    u1 expired;  /* they are as many as may be */

    /* Schedule. */
    u1 go;     /* this clock emits the word of slot */
    u1 closed; /* run is 0, and the open micropacket has its number and waits for a replay */
    u1 dump;   /* dead link: flits go to the report port, not to the lanes */
    lcb_slot slot;
    u1 at_tail;               /* slot is LCB_TAIL */
    u1 repeats;               /* its word is a flit of the replay buffer */
    uint(LCB_TURN_BITS) turn; /* schedule of tails: even for acks, odd for credits and the clock */
    u1 was_urgent; /* the last tail reported a gap or had a mark: this one keeps to the schedule */

    /* The micropacket being sent. */
    u1 replay;       /* from the replay buffer, not new */
    u1 open;         /* may still take flits */
    u1 poison;       /* a flit of it is uncorrectable: its CRC is made wrong */
    u1 bad;          /* its last flit is marked bad */
    lcb_count count; /* flits in it */
    lcb_seq seq;
    lcb_crc crc;
    lcb_length left; /* flits of the current packet still to be taken */

    /* The micropacket after it, if it comes out of the replay buffer; the read pipeline of that buffer. */
    u1 replay_next;
    lcb_seq fetch;              /* the micropacket that is being read */
    lcb_stored read;            /* the memory's register */
    lcb_stored stored;          /* what it held before */
    struct secded_result fixed; /* decoded */

    HLS_BRAM lcb_stored buffer[1 << (LCB_WINDOW_LOG2 + LCB_SLOT_LOG2)];
};

HLS_RESET void lcb_tx_reset(struct lcb_tx *self);
HLS_MODULE void lcb_tx(struct lcb_tx *self, const struct lcb_tx_in *in);

#endif
