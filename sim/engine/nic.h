// SPDX-License-Identifier: Apache-2.0
/*
 * nic.h - NIC stand-ins: packets, where they wait to be sent, what must come out; and credit accounts.
 *
 * A packet is its head, its name, and flits that follow from the name, so that a lost, repeated, cut or mixed flit is
 * seen where it arrives. One of a single flit has a tag in its head instead: two of the same tag on their way to one node
 * are the same for whoever takes them in.
 *
 * Each stand-in has a random generator of its own, and what it makes, sends and takes touches its own router's store alone, but for
 * sums; so routers may be clocked in any order, each a while ahead of the others, and nothing comes out different.
 */
#ifndef SIM_NIC_H
#define SIM_NIC_H

#include "sim/engine/ranks/packets.h"
#include "sim/engine/router_model.h"
#include "sim/net/tables.h"
#include "sim/engine/traffic.h"

enum { NIC_CLASSES = 2, NIC_NOBODY = -1, NIC_COMPLAINT = 200 };

/* Responses that wait in a NIC until it takes no further request: with no such bound nothing could wait in a circle through it. */
enum { NIC_RESPONSES = 4 };

/* Latencies, exact below 64 clocks, else to one part in 64: bin(64 * 2^k * x) for 1 <= x < 2 is 64 (k + x). */
enum { NIC_PART = 64, NIC_BINS = NIC_PART * 32 };

/* What a sender knows of the input queue at the other end: flits for each VC, and more that all share. */
struct account {
    unsigned used[MACHINE_VCS];
    unsigned borrowed;            /* beyond what belongs to each VC */
    unsigned filled[NIC_CLASSES]; /* of all VCs of requests, of responses */
};

void account_charge(struct account *a, const struct router_model *m, unsigned vc, unsigned flits);
void account_free(struct account *a, const struct router_model *m, unsigned vc, unsigned flits);
uint8_t account_room(const struct account *a, const struct router_model *m); /* for any packet */

/* A processor port. */
enum { NIC_FLITS = 32 }; /* most of a packet */

struct nic {
    unsigned router, port, node; /* it sends for this node */
    unsigned asked, serial;      /* requests made, packets made */
    struct sim_random random;
    struct account account;
    struct {
        int32_t first, last;
    } queue[NIC_CLASSES];
    unsigned responses; /* of those in a queue, where they answer requests */
    unsigned turn;      /* class that goes first */
    int32_t sending;    /* packet, and its next flit */
    unsigned sent;
    /* Coming in: */
    struct packet coming; /* if known */
    bool known;
    unsigned come, length;    /* flits so far and by the head; length 0: nothing is coming */
    uint64_t flit[NIC_FLITS]; /* where the end frames: those that came */
    bool marked;              /* one of them is marked bad */
    const char
        *doubt; /* what is wrong with it, if it is not marked in the end; and with which flit */
    uint64_t doubted;
    struct head head;
};

/* What of all ranks is added up: words alone. From `made` on since the beginning. */
struct nic_sums {
    uint64_t offered, accepted, hops, packets, latency;
    uint64_t bins[NIC_BINS]; /* packets by latency */
    uint64_t made, begun, delivered, wrong;
};

struct nics {
    const struct router_model *model;
    const struct topology *topology;
    struct traffic traffic;
    struct packets *store; /* [router] */
    uint64_t *chance;      /* [node]: that a port of it makes a packet in a clock, of 2^53 */
    struct nic *nic;
    unsigned count;
    bool closed; /* no packet is made or begun any more */
    bool held;   /* none is made or begun, for a while */
    bool fails;  /* parts of packets may arrive, marked bad: they are thrown away */
    bool ends;   /* packets have an end with their core CRC, and marked copies of them may arrive */
    bool *down;  /* nodes that nobody sends to and that send nothing; NULL: none */
    uint64_t *beat; /* clock of the last heartbeat of each router, at the node that takes them */
    uint64_t marked,
        given_up; /* packets that arrived marked; those that were known by name and gave up */
    uint64_t now, measured; /* clocks; since when what follows is counted */
    struct nic_sums sums;
    uint64_t *
        tally; /* flits: [node] of packets that arrived for it; then [flow] of those made, [flow] arrived */
    uint64_t worst, arrived; /* latency; clock of the last flit out of the network */
    uint64_t complaint_clock;
    unsigned complaint_router;
    char complaint[NIC_COMPLAINT]; /* the first, of those in one clock that of the first router */

    /* A packet whose destination is not ours: nics_expect() has to be called where it is, before it can arrive. */
    void (*send_word)(void *to, unsigned router, const struct packet *packet);
    void *send_to;
    unsigned first_router, last_router; /* ours: from, up to before */
};

void nics_new(struct nics *n, const struct router_model *model, const struct topology *t,
              const struct traffic *traffic, uint64_t seed);
void nics_free(struct nics *n);

/* Words of the tally, and where those of flows begin: of packets made, of those that arrived. */
size_t nics_tallies(const struct nics *n);
size_t nics_made_at(const struct nics *n);
size_t nics_arrived_at(const struct nics *n);

/* Clocks that a share of the packets, 0 to 1, took at most, never more than the worst of them; 0 if there were none. */
uint64_t nics_percentile(const uint64_t bins[NIC_BINS], double share, uint64_t worst);

/* The least latency of a bin. */
uint64_t nics_bin_from(unsigned bin);

/* Makes the packet of this clock, if there is one. */
void nic_make(struct nics *n, struct nic *nic);

/* A packet is on its way to one of our routers. */
void nics_expect(struct nics *n, unsigned router, const struct packet *packet);

/* The flit that a NIC sends in this clock: into valid and flit. */
void nic_send(struct nics *n, struct nic *nic, struct wires_in *to);

/* VCs, a bit each, on which a NIC takes a packet now. */
uint8_t nic_room(const struct nics *n, const struct nic *nic);

/* A heartbeat: as short as a packet can be, to a node, before everything that waits. */
void nic_beat(struct nics *n, struct nic *nic, unsigned to);

/* Forgets what was halfway in or out; returns how many packets were halfway out. */
unsigned nic_reset(struct nics *n, struct nic *nic);

/* A flit that comes out of the network. */
void nic_take(struct nics *n, struct nic *nic, const struct wires_out *from);

#endif
