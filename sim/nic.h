// SPDX-License-Identifier: Apache-2.0
/*
 * nic.h - NIC stand-ins: packets, where they wait to be sent, what must come out; and credit accounts.
 *
 * A packet is its head, its number, and flits that follow from the number and a serial, so that a lost, repeated,
 * cut or mixed flit is seen where it arrives. One of a single flit has a tag in its head instead: of those on their way to one
 * node each has another.
 */
#ifndef SIM_NIC_H
#define SIM_NIC_H

#include "router_model.h"
#include "tables.h"
#include "traffic.h"

enum { NIC_CLASSES = 2, NIC_NOBODY = -1, NIC_COMPLAINT = 200 };

/* Latencies, exact below 64 clocks, else to one part in 64: bin(64 * 2^k * x) for 1 <= x < 2 is 64 (k + x). */
enum { NIC_PART = 64, NIC_BINS = NIC_PART * 32 };

/* What a sender knows of the input queue at the other end: flits for each VC, and more that all share. */
struct account {
    unsigned used[MACHINE_VCS];
    unsigned borrowed; /* beyond what belongs to each VC */
};

void account_charge(struct account *a, const struct router_model *m, unsigned vc, unsigned flits);
void account_free(struct account *a, const struct router_model *m, unsigned vc, unsigned flits);
uint8_t account_room(const struct account *a, const struct router_model *m); /* for any packet */

struct packet {
    uint64_t made;
    uint32_t serial, from, to; /* nodes */
    int32_t next;              /* in a queue, or of the free ones */
    uint16_t tag;
    uint8_t length, class;
    bool flies;
};

/* All packets of a network. */
struct pool {
    struct packet *packet;
    uint32_t size, serial;
    int32_t free;
};

/* A processor port. */
struct nic {
    unsigned router, port, node; /* it sends for this node */
    unsigned made;               /* packets */
    struct account account;
    struct {
        int32_t first, last;
    } queue[NIC_CLASSES];
    unsigned turn;   /* class that goes first */
    int32_t sending; /* packet, and its next flit */
    unsigned sent;
    /* Coming in: */
    int32_t coming;
    unsigned come, length; /* flits so far and by the head; length 0: nothing is coming */
    struct head head;
};

struct nics {
    const struct router_model *model;
    const struct topology *topology;
    struct traffic traffic;
    struct sim_random random;
    struct pool pool;
    struct nic *nic;
    unsigned count;
    bool closed;            /* no packet is made or begun any more */
    uint64_t now, measured; /* clocks; since when what follows is counted */
    uint64_t offered, accepted, packets, latency, worst;
    uint64_t bins[NIC_BINS]; /* packets by latency */
    int32_t *tagged;      /* [node][tag]: the packet that has it; with packets of one flit only */
    unsigned *first_node; /* of a router */
    uint64_t made, begun, delivered, wrong;
    uint64_t
        arrived; /* clock of the last flit out of the network, or of the first into an empty one */
    char complaint[NIC_COMPLAINT];
};

void nics_new(struct nics *n, const struct router_model *model, const struct topology *t,
              const struct traffic *traffic, uint64_t seed);
void nics_free(struct nics *n);

/* Clocks that a share of the packets took at most, 0 to 1; 0 if there were none. */
uint64_t nics_percentile(const struct nics *n, double share);

/* Makes the packets of this clock. */
void nics_make(struct nics *n);

/* The flit that a NIC sends in this clock: into valid and flit. */
void nic_send(struct nics *n, struct nic *nic, struct wires_in *to);

/* A flit that comes out of the network. */
void nic_take(struct nics *n, struct nic *nic, const struct wires_out *from);

#endif
