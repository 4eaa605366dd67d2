// SPDX-License-Identifier: Apache-2.0
/*
 * chips_inside.h - what the files of chips share: a node's three AXI ports, as its host drives them.
 */
#ifndef SIM_HOST_CHIPS_INSIDE_H
#define SIM_HOST_CHIPS_INSIDE_H

#include "chip/chip.h"
#include "sim/host/machined/chips.h"

enum {
    CHIPS_LINE = 16,      /* bytes of a beat */
    CHIPS_BEATS = 16,     /* of a burst */
    CHIPS_STORES = 64,    /* that wait for the bus */
    CHIPS_UNDER_WAY = 64, /* accesses of memory */
    CHIPS_CABLE = 64
};

/* An access of the processor to pages and windows: up to 64 bytes, or the read of a word. */
struct chips_store {
    bool read;
    uint64_t address;
    unsigned beats;
    uint64_t strobes;
    uint8_t data[64];
};

/* An access of the NIC to host memory. */
struct chips_access {
    uint64_t address, due;
    unsigned id, beats, beat;
    bool error;
    uint8_t data[CHIPS_BEATS * CHIPS_LINE];
    uint16_t strobe[CHIPS_BEATS];
};

/* In the order of requests. */
struct chips_accesses {
    struct chips_access of[CHIPS_UNDER_WAY];
    unsigned first, count;
};

struct chips_register {
    bool valid, read, addressed, sent, refused;
    uint16_t address;
    uint64_t data;
};

struct chips_node {
    struct chips *chips;
    unsigned number;
    struct chips_store store[CHIPS_STORES];
    uint64_t stores_in, addresses_out, data_out, stores_done; /* counts */
    unsigned beat;
    bool read_out;
    uint64_t answer; /* of the last load */
    struct chips_register reg;
    struct axi_to_sub sub; /* what is driven */
    struct axil_to_sub lite;
    struct axi_to_man man;
    struct chips_accesses writes, reads;
    unsigned data_at; /* writes whose data is here */
    struct chips_count count;
};

struct chips_end {
    struct chip chip;
    struct chip_in in;
    struct cable_out cable[RTR_LINKS][CHIPS_CABLE]; /* what left, by clock modulo CHIPS_CABLE */
    struct chips_node node;
    void *rtl; /* of chips_rtl.c */
    uint32_t *in_words, *state_words;
};

struct chips {
    struct chips_config config;
    uint64_t clock;
    struct chips_end *end;
    uint64_t draw, next_error,
        errors; /* random numbers; the clock of the next wrong bit; those so far */
};

/* A chip begins, false: no memory; ends; takes a clock: chips_native.c or chips_rtl.c. */
bool chips_power_up(struct chips_end *e);
void chips_power_down(struct chips_end *e);
void chips_step(struct chips_end *e);

/* A clock of a node's host, before that of its chip: what it took and answered is in `in`. */
void chips_axi(struct chips_node *n, const struct chip_out *out, struct chip_in *in);

#endif
