// SPDX-License-Identifier: Apache-2.0
/*
 * lcb_link.h - ports and registers of the link's state machine.
 *
 * Bring-up, lane maps, epochs, re-initialisation and death. Reads what the detectors in lane_rx
 * found and the verdicts of lcb_rx; controls both lane sides and both LCB halves.
 */
#ifndef LCB_LINK_H
#define LCB_LINK_H

#include "link/lane/frame.h"
#include "link/flit/link_types.h"

enum link_state {
    LINK_DEAD,  /* flushing, silent, waits for a restart */
    LINK_TRAIN, /* searching lanes */
    LINK_READY, /* lanes chosen, waits until the peer knows them and has chosen its own */
    LINK_START, /* counting down and sending data, the peer's data is not there yet */
    LINK_RUN,   /* data in both directions */
    LINK_FLUSH, /* a restart or the peer's new epoch: packets that it cuts are being reported and closed */
    LINK_LOOP, /* hears its own frames: as dead as DEAD, but sends frames and waits for others' */
};

struct lcb_link_in {
    /* lane_rx */
    lcb_lanes lane_up;
    lcb_lanes good;
    u1 agreed; /* peer_info0, peer_info1, peer and peer_echo are valid */
    u16 peer_info0;
    u16 peer_info1;
    struct link_identity peer;
    u10 peer_echo; /* whom the peer hears */
    u1 started;
    u1 overflow;
    /* lane_tx */
    u1 data;
    /* lcb_rx */
    u1 rx_good;
    u1 rx_crc_error;
    u1 rx_accepted;
    u1 rx_closed;
    u1 rx_lost; /* the framing of packets is lost: a new epoch */
    u1 drained; /* lcb_credit: the input queue is empty */
    /* lcb_tx */
    u1 tx_acked;
    u1 tx_took; /* a flit */
    u1 tx_ecc_fatal;
    u1 tx_flushing;
    /* requests and limits from the register bus and the outside */
    u1 restart;
    u1 kill;
    u1 loopback;     /* our own frames count as a peer's */
    lcb_lanes lanes; /* lanes that may be used */
    u8 bad_limit;
    u8 retry_limit;
    u16 train_limit;
    u9 shared_space;               /* shared input queue space that we grant, in eights */
    struct link_identity identity; /* ours */
};

struct lcb_link_out {
    enum link_state state;
    u1 quiet; /* lane_tx */
    lcb_lanes tx_map;
    u16 info0;
    u16 info1;
    u1 hunt; /* lane_rx */
    u1 arm;  /* and run for lcb_rx */
    lcb_lanes rx_map;
    u1 run; /* lcb_tx, and start for lane_tx */
    u1 flush;
    u1 clear; /* all: a new epoch */
    u12 hold;
    u1 close; /* lcb_rx */
    u4 epoch;
    u12 round_trip; /* clocks, as last measured in a bring-up */
    u9 peer_shared;
    /* Events, each for one clock. */
    u1 reinit;
    u1 died;
};

/* What the peer's frames said a clock ago, and of whom they were. */
struct link_heard {
    u1 agreed;
    u16 info0;
    u16 info1;
    struct link_identity peer;
    u1 echoed;   /* the peer hears us, or we have no identity */
    u1 ours;     /* our own identity */
    u1 stranger; /* neither that of the partner nor none, which says nothing if the partner is new */
    u1 partner_ours; /* the partner has our own identity */
};

struct lcb_link {
    struct lcb_link_out out;
    struct link_heard heard;
    u1 late;  /* this bring-up takes too long */
    u1 fresh; /* no data sent and no flit accepted in this epoch */
    u1 used;  /* a flit was taken to send, accepted or acknowledged in this epoch */
    struct link_identity partner; /* with whom data was last exchanged */
    u1 sent;                      /* data was sent in this epoch */
    u4 goal;                      /* the epoch that follows FLUSH */
    u16 timer;                    /* clocks of this bring-up */
    u10 settle;                   /* clocks since the first lane was good */
    u8 bad;                       /* CRC errors in a row */
    u1 ran;                       /* out.run was 1 before the last clock: the partner is not new */
    u1 broken;   /* START, RUN: so many, or another trouble, that the link is trained again */
    u8 retries;  /* re-initialisations without progress */
    u1 spent;    /* as many as there may be, as of a clock ago */
    u9 progress; /* good micropackets since data mode began */
    u2 ping;
    u2 pong;
    u2 echoes;   /* pings that came back since the reset, up to three */
    u1 pinged;   /* trip is that of a ping of this bring-up */
    u1 measured; /* round_trip is of this bring-up */
    u12 trip;    /* clocks since ping changed, this one with them */
};

HLS_RESET void lcb_link_reset(struct lcb_link *self);
HLS_MODULE void lcb_link(struct lcb_link *self, const struct lcb_link_in *in);

#endif
