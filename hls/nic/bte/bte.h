// SPDX-License-Identifier: Apache-2.0
/*
 * bte.h - ports and registers of the block transfer engine: rings of descriptors in host memory become transactions.
 */
#ifndef BTE_H
#define BTE_H

#include "nic/bte/bte_ring.h"
#include "nic/bte/bte_send.h"

struct bte_in {
    struct beat reply_ring;  /* of out.fetch, in their order */
    struct beat reply_local; /* of out.local, in their order, each without gaps */
    u1 fetch_taken;
    u1 room_word;
    u1 local_taken;
    u1 room; /* of tarb */
    u1 tags;
    struct bte_refusal refusal;
    struct bte_over over;
    struct bte_fault fault;
    struct launch_words launch; /* of nic_fma */
    u1 noted_taken;
    struct mem_done done;
    struct nic_write write;
    struct nic_wipe wipe;
    u16 read; /* nic_regs: the register that is read */
    struct nic_config config;
};

struct bte_out {
    struct beat beat;       /* to tarb: OPEN, PUT, GET with its local beat, CLOSE */
    struct beat local;      /* to rat_local: a head alone, until it is taken */
    struct mem_fetch fetch; /* to parb, client RINGS */
    struct mem_word word;
    u1 room_reply; /* to axi_master: a reply of out.local may begin; those of out.fetch always */
    struct launch_room launch; /* to nic_fma */
    struct launch_note noted;  /* the same, until it is taken */
    struct owned_value owned;  /* of in.read, a clock ago */
    u1 tells;                  /* a word may be sent in this clock */
    uint(BTE_RING_COUNTS) count;
    u1 idle;
};

struct bte {
    struct bte_out out;
    struct bte_ring ring;
    struct bte_send send;
};

HLS_RESET void bte_reset(struct bte *self);
HLS_MODULE void bte(struct bte *self, const struct bte_in *in);

#endif
