// SPDX-License-Identifier: Apache-2.0
/*
 * lcb_rx.h - ports and registers of the receiving half of the link control block.
 *
 * Words come from lane_rx; checked flits go up to the router, what the sidebands carried goes to
 * lcb_tx, the credit block and the clock block. README.md has the contract.
 */
#ifndef LCB_RX_H
#define LCB_RX_H

#include "link/micropacket/crc.h"
#include "link/micropacket/secded.h"

struct lcb_rx_in {
    u1 valid; /* word is the next one of the micropacket stream */
    lcb_word word;
    u1 run;   /* data mode; while 0 the next word is slot 0 */
    u1 close; /* the link is dead: finish an open packet and mark it bad */
    u1 clear; /* a new epoch begins */
};

struct lcb_rx_out {
    u1 flit_valid;
    u1 head;
    u1 tail;
    u1 bad; /* marked by its sender, or uncorrectable; with tail also: a dead link cut the packet, its last flits are filler */
#if LCB_WHOLE
    u1 whole; /* with head: the rest of the packet has been accepted and follows without a gap */
#endif
    lcb_flit flit;

    u1 holds;  /* flits that are acknowledged, in the buffer or on their way up */
    u1 closed; /* while close: no packet is open and none is held */

    /* For lcb_tx: the acknowledgement to send, and the one that came. */
    lcb_seq expected;
    u1 gap;
    u1 ack_valid;
    lcb_seq ack;
    u1 nak;

    lcb_load load; /* of the peer, by the last tail; 0 in a new epoch, until one came */
    u1 credit_valid;
    lcb_vc credit_vc;
    lcb_steps credit_steps;
    u1 clock_valid;
    lcb_body clock_part;

    /* Verdict on a micropacket, for one clock, two clocks after its tail came in. */
    u1 good;      /* the CRC was right */
    u1 crc_error; /* it was wrong */
    u1 accepted;  /* it carried flits and was the expected one */
    u1 repeated;  /* it carried flits that were accepted before */
    lcb_side side;

    /* The receive buffer, for one clock each. */
    u1 ecc_corrected; /* one bit of a flit was wrong */
    u1 ecc_fatal;     /* two were, uncorrectable: the flit is bad */
    u1 lost;          /* and it was a head: framing is lost until a new epoch */
};

struct lcb_rx {
    struct lcb_rx_out out;

    lcb_slot slot;
    lcb_crc crc;
    u1 complete; /* residue and side are those of a whole micropacket */
    lcb_crc residue;
    lcb_side side;

    /* A payload word that came a clock ago, and its slot: it is written when the verdict on the micropacket before it is known. */
    u1 came;
    lcb_slot place;
    lcb_flit payload;

    /* Receive buffer: read <= commit, and the micropacket coming in stands from commit on. */
    uint(LCB_RX_LOG2) read;
    uint(LCB_RX_LOG2) commit;
    u1 marked; /* the last accepted flit, at commit - 1, is marked bad */

    /* A flit that was read, not corrected yet. */
    u1 fetched;
    u1 fetched_bad; /* it is marked */
    lcb_flit raw;
    secded_syndrome syndrome;

    lcb_length left; /* flits of the current packet still to be handed up */
    u1 lost;         /* framing is lost: nothing is handed up or accepted until clear */

    HLS_LUTRAM(1) lcb_stored buffer[1 << LCB_RX_LOG2];
};

HLS_RESET void lcb_rx_reset(struct lcb_rx *self);
HLS_MODULE void lcb_rx(struct lcb_rx *self, const struct lcb_rx_in *in);

#endif
