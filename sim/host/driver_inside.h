// SPDX-License-Identifier: Apache-2.0
/*
 * driver_inside.h - what the files of the driver share: its state, and steps that ends, handles and rings take.
 */
#ifndef SIM_HOST_DRIVER_INSIDE_H
#define SIM_HOST_DRIVER_INSIDE_H

#include "sim/host/driver_engines.h"
#include "sim/host/driver_pages.h"
#include "sim/host/driver_posts.h"
#include "hls/nic/regs/nic_map.h"

#define FIELD(register, field, value) ((uint64_t)(value) << NR_##register##_##field##_AT)

enum {
    DRV_CHANNELS = NR_BTE_ENTRIES,
    DRV_PATIENCE = 1 << 20, /* looks at STATUS until the NIC is stuck */
    DRV_LOOK = 4,           /* clocks from one to the next */
    DRV_OF_ENGINE = 2,      /* transactions of a collective engine */
    DRV_TAGS_KEPT = 8,      /* tags that limits of requests must leave (hls/nic/regs/README.md) */
    DRV_STATUS = 0x80,      /* of a descriptor's page */
    DRV_FLIGHT = 0x1FF,     /* of that word: transactions in flight */
    ENABLED = 1 << NR_CONTROL_ENABLE_AT
};

/* A transfer in a ring. */
struct posted {
    struct drv_process *owner; /* null: it has ended */
    uint64_t tag, number;      /* of all of this driver */
    unsigned status;
};

/*
 * A channel and its ring. Transfers are counted from its first one on: posted >= over >= told >= posted - size. `first`: the one that is in
 * place 0 since the channel was enabled last.
 */
struct channel {
    struct drv_ring ring;
    struct posted *posts; /* null: no ring */
    uint64_t posted, over, told, first;
};

/* A buffer in a channel's ring. */
struct buffered {
    uint64_t tag;
    unsigned mdh;
    bool told;
};

/* A channel's buffers, counted from the first one on: all before `told` were reported. */
struct receiver {
    const struct drv_process *owner; /* null: the channel takes no messages */
    struct drv_posts ring;
    struct buffered *posts;
    uint64_t posted, told;
};

struct drv {
    struct nic_host host;
    struct drv_config config;
    unsigned transactions, requests, entries; /* of the whole NIC */
    struct names fmas, mdds, cqs;
    struct {
        unsigned transactions, requests;
    } *fma; /* what each descriptor takes of them; until its name is free */
    struct {
        uint64_t place, bytes;
        bool events, writes;
        unsigned queue;
        const struct drv_pages *pages;
    } *mdd;
    struct {
        uint64_t place;
        unsigned segments; /* handles that name it */
        bool ended;
    } *cq;
    struct {
        const struct drv_process *owner;
        uint64_t
            transfers; /* without an owner: block transfers below this number may still need it */
    } *ntt;
    unsigned channels;
    struct channel channel[DRV_CHANNELS];
    struct receiver receiver[DRV_CHANNELS];
    uint64_t transfers;                  /* posted so far, in all channels */
    struct drv_pages *space[DRV_SPACES]; /* by their contexts */
    struct {
        const struct drv_process *owner; /* null: it is free */
        unsigned endpoints, endpoint[DRV_CHILDREN];
    } engine[DRV_ENGINES];
    struct spans spans;
    struct drv_process *processes;
    unsigned holds[PTAGS],
        ended[PTAGS]; /* processes that this node has had of a domain, and how many have ended */
};

/* A space of addresses; pages of its first table are in front of those of second ones. */
struct drv_pages {
    struct drv_process *owner;
    unsigned context, first;
    struct drv_tables tables;
    bool *used;     /* pages of tables that the first one names */
    unsigned empty; /* tables that are used no more when the NIC has settled */
};

struct drv_process {
    struct drv *drv;
    uint8_t ptag;
    struct names_set
        waits; /* for descriptors and transfers that may have something in flight for it */
    struct drv_process *next;
};

bool drv_write(struct drv *d, unsigned address, uint64_t value);
bool drv_await(struct drv *d, unsigned bit); /* of STATUS */
enum drv_result drv_settle(struct drv *d);
enum drv_result drv_forget_variables(struct drv *d);

/* A descriptor is disabled, and none of its owner's stores is on the bus any more. */
enum drv_result drv_disable(struct drv *d, unsigned descriptor);
/* Its name rests until nothing of it is in flight. */
void drv_rest_descriptor(struct drv *d, unsigned descriptor);
enum drv_result drv_invalidate(struct drv *d, unsigned mdh);
enum drv_result drv_disable_queue(struct drv *d, unsigned queue);

/* Whether entries of the NTT are the process's: those that PEs of such a granularity need. */
bool drv_owns_nodes(const struct drv_process *p, unsigned first, unsigned pes,
                    unsigned granularity);
/* Transactions that descriptors and rings have of the NIC's. */
unsigned drv_transactions(const struct drv *d);

/* A descriptor may join this engine. */
bool drv_is_endpoint(const struct drv *d, unsigned descriptor, unsigned engine);
/* Engines of a process, or where it may join, end; all if it is null. */
enum drv_result drv_end_engines(struct drv *d, const struct drv_process *p);

/* Whether a page of a span is mapped in a space of its process. */
bool drv_is_mapped(const struct drv_process *p, const struct span *span);
/* A space has no table any more; when the NIC has settled it can be freed. */
enum drv_result drv_disable_space(const struct drv_pages *pages);
void drv_free_space(struct drv_pages *pages);

/* Transfers that are over are seen to be; the number of the first one that is not. */
uint64_t drv_look_at_rings(struct drv *d);
uint64_t drv_first_under_way(const struct drv *d);
/* Channels take no messages for a process, or for nobody if it is null; buffers of a handle are posted. */
enum drv_result drv_end_receivers(struct drv *d, const struct drv_process *p);
bool drv_is_posted(const struct drv *d, unsigned mdh);

/* The process has ended: nobody hears of its transfers. */
void drv_disown_transfers(const struct drv_process *p);

#endif
