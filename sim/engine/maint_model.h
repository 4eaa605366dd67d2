// SPDX-License-Identifier: Apache-2.0
/*
 * maint_model.h - the maintenance of a chip behind plain C types: AXI4-Lite, the bus to router, links and supervisor.
 *
 * hls/chip/maint has the blocks; link i is the i-th port that has a link.
 */
#ifndef SIM_MAINT_MODEL_H
#define SIM_MAINT_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/net/machines.h"

/* Units of an address: hls/chip/maint/maint_bus.h. */
enum { MODEL_ROUTER = 0, MODEL_SUPERVISOR = 1, MODEL_LINKS = 64 };

/* AXI4-Lite, of a controller beside the chip. Addresses are those of registers, in words. */
struct maint_ask {
    bool awvalid, wvalid, bready, arvalid, rready;
    unsigned awunit, awaddress, arunit, araddress;
    uint64_t wdata;
};

struct maint_say {
    bool awready, wready, arready, bvalid, rvalid;
    bool error; /* SLVERR, of B or R */
    uint64_t rdata;
};

/* What the chip's parts say to it, and are told. */
struct maint_parts {
    uint64_t up, degraded, dead; /* links */
    bool ready, error;           /* the unit that was asked has answered */
    uint64_t reply;
};

struct maint_tells {
    bool valid, write; /* to a unit, until it answers */
    unsigned unit, address;
    uint64_t data;
    uint64_t restart; /* links, for one clock */
    unsigned number;  /* of the chip, 0 if it was given none */
    bool irq;
};

struct maint_model {
    size_t size;
    void (*reset)(void *maint);
    /* One clock; say and tells are as after it. */
    void (*clock)(void *maint, const struct maint_ask *ask, const struct maint_parts *parts,
                  struct maint_say *say, struct maint_tells *tells);
};

/* Of this machine; of size 0 if it has none that AXI4-Lite reaches. */
extern const struct maint_model THIS_MAINT;

#endif
