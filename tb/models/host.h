// SPDX-License-Identifier: Apache-2.0
/*
 * host.h - the memory of a host behind an AXI4 manager: sparse, slow in any way, wrong where asked to be, with a checker of
 * the protocol.
 *
 * Reads of different IDs are answered in any order and their beats mixed, as AXI4 allows; those of one ID in order. A
 * write is in memory when its B goes out, not before; each access is then shown to whoever wants to explain it.
 */
#ifndef NIC_HOST_H
#define NIC_HOST_H

#include "axi/axi.h"
#include "tb/base/harness.h"

enum { HOST_TEXT = 160, HOST_UNDER_WAY = 1024, HOST_EARLY = 64 };

/* Each is allowed: AWREADY may wait for WVALID, and WREADY for AWVALID. */
enum host_taking { HOST_ADDRESS_FIRST, HOST_DATA_FIRST, HOST_AS_IT_COMES };

/* How slow: clocks and chances per clock. */
struct host_knobs {
    unsigned latency; /* from the last beat of a write to B, from AR to the first beat of a read */
    unsigned latency_extra;  /* and up to that many more at random */
    double stall;            /* a ready is 0, or an answer waits */
    double pause;            /* begins a pause of everything ... */
    unsigned pause_clocks;   /* ... of up to that many clocks */
    bool in_order;           /* answers of all IDs in the order of requests */
    uint32_t silent;         /* IDs, a bit each, whose reads are not answered */
    enum host_taking taking; /* what comes first, an address or its data */
    bool dead;               /* takes and answers nothing at all */
    bool holes; /* strobes of a write need not be one run of bytes: each run is shown by itself */
};

/* Addresses that answer with an error, or with data known to be wrong. */
struct host_fault {
    uint64_t from, to;
    bool bus_error, poison;
};

/* Rules of AXI4 that the manager broke: one count each. */
struct host_broken {
    uint64_t aw_changed, w_changed, ar_changed; /* while valid and not ready */
    uint64_t crosses_4k, burst_kind, too_long, wlast, strobes;
    char first[HOST_TEXT];
};

struct host;
typedef void host_access(void *whose, uint64_t address, const uint8_t *data, unsigned bytes,
                         bool write, unsigned id);

/* size bytes from address 0 on; access may be NULL. */
struct host *host_new(uint64_t size, uint64_t seed, host_access *access, void *whose);
void host_free(struct host *h);
/* Its manager was reset, and so is what it had under way; memory stays as it is. */
void host_restart(struct host *h);
void host_set(struct host *h, const struct host_knobs *knobs);
/* Up to 8 faults at once. */
void host_add_fault(struct host *h, const struct host_fault *fault);
void host_clear_faults(struct host *h);

/* Before a clock of the manager: what it drives, and what it shall see. */
void host_step(struct host *h, const struct axi_from_man *from, struct axi_to_man *to);

/* Memory as it is now; inside of size. */
uint8_t *host_memory(struct host *h);
bool host_idle(const struct host *h);
bool host_paused(const struct host *h); /* it takes and answers nothing in this clock */
const struct host_broken *host_broken(const struct host *h);
uint64_t host_broken_rules(const struct host *h);

#endif
