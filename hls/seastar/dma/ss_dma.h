// SPDX-License-Identifier: Apache-2.0
/*
 * ss_dma.h - ports of the DMA engines: what sends, what receives, and their way to host memory.
 */
#ifndef SS_DMA_H
#define SS_DMA_H

#include "seastar/dma/ss_ends.h"
#include "seastar/dma/ss_memory.h"
#include "seastar/dma/ss_receive.h"
#include "seastar/dma/ss_send.h"
#include "seastar/dma/ss_spill.h"

/* What the driver has set. */
struct ss_dma_settings {
    ss_node node;
    u1 spills;   /* records may go to host memory, ... */
    u48 streams; /* ... to this area */
    u32 rx_timeout, valve;
    u1 ring_moved; /* it has read entries, for one clock */
};

struct ss_dma_in {
    struct ss_port_out from_router;
    struct ss_axi_to_man m_axi;
    struct ss_dma_settings settings;
    struct ss_command deposit;
    /* engine */
    struct ss_send_push push;
    u2 left_taken;
    struct ss_process process[SS_PROCESSES];
    uint(SS_PLACES) busy;
    u1 place_room;
    struct ss_decision decision;
    u1 ended;
    u1 moves;
    struct ss_moved_cell cell_gone;
    struct ss_write event;
    /* ring: of a header, an end, a command the entry was taken */
    u1 told, end_told, command_told;
    struct ss_write entry;
};

struct ss_dma_out {
    struct ss_port_in to_router;
    struct ss_axi_from_man man;
    u1 deposit_taken;
    /* engine */
    u2 send_room;
    struct ss_left left[2];
    struct ss_ask ask;
    struct ss_end end;
    struct ss_move move;
    struct ss_moved_cell cell_back;
    /* ring */
    struct ss_entry_push tell, end_tell, command_tell;
    uint(SS_WRITERS) room; /* bit 1: entries, bit 2: events may be written */
    uint(SS_WRITERS) done; /* bit 1: an entry is in memory */
    struct ss_receive_events events;
    u1 send_idle, receive_idle, ends_idle;
};

struct ss_dma {
    struct ss_dma_out out;
    struct ss_send send;
    struct ss_receive receive;
    struct ss_ends ends;
    struct ss_spill spill;
    struct ss_memory memory;
};

HLS_RESET void ss_dma_reset(struct ss_dma *self);
HLS_MODULE void ss_dma(struct ss_dma *self, const struct ss_dma_in *in);

#endif
