// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_sequence.h - what packet numbers mean to the two ends of a link; numbers are modulo 256, at most BGL_WINDOW packets are not acknowledged.
 */
#ifndef BGL_SEQUENCE_H
#define BGL_SEQUENCE_H

#include "hls.h"

#define BGL_WINDOW 64 /* packets, and chunks */

/* ---- the sender: base <= acked <= sent <= number --------------------------------------------- */

/* One packet more may be kept. */
static inline u1 window_open(u8 base, u8 number)
{
    return (u8)(number - base) < BGL_WINDOW;
}

/* An ack wants a packet next that has been on the wire, or the one behind. */
static inline u1 ack_in_window(u8 expected, u8 acked, u8 sent)
{
    return (u8)(expected - acked) <= (u8)(sent - acked);
}

/* `sent` after packet `send` was on the wire again. */
static inline u8 sent_after(u8 sent, u8 send)
{
    return (u8)(sent + (send == sent));
}

/* ---- the receiver ---------------------------------------------------------------------------- */

/* What a right header's number makes of its packet. */
struct bgl_arrival {
    u1 next;  /* the one that is expected */
    u1 again; /* one that was accepted */
    u1 gap;   /* one behind a packet that was lost */
};

static inline struct bgl_arrival arrival_of(u8 expected, u8 number)
{
    u8 behind = (u8)(expected - number);
    u1 again = behind != 0 && behind <= BGL_WINDOW;

    return (struct bgl_arrival){.next = behind == 0, .again = again, .gap = behind > BGL_WINDOW};
}

#endif
