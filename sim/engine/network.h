// SPDX-License-Identifier: Apache-2.0
/*
 * network.h - a network of native routers, cables and NIC stand-ins, clock by clock.
 *
 * A cable carries a flit per clock and VC credits back, each after a fixed number of clocks, and loses
 * nothing: the port protocol of hls/router. Or (lcb) it has a link control block at each end and three lanes that may have
 * bit errors. A NIC stand-in is at every processor port: it sends the
 * packets that traffic.h makes, of two classes in turn, and takes what comes; no request while responses wait in it.
 */
#ifndef SIM_NETWORK_H
#define SIM_NETWORK_H

#include "sim/engine/ranks/ranks.h"
#include "sim/engine/router_model.h"
#include "sim/net/tables.h"
#include "sim/engine/traffic.h"

enum {
    NET_DELAY = 2000,
    NET_CLASSES = 2,
    NET_STALL = 5000,
    NET_KINDS = 12,
    NET_BINS = 2048 /* of latencies */
};

struct net_config {
    unsigned delay
        [NET_KINDS]; /* clocks of a cable, 1 to NET_DELAY, by the kind of the port that sends into it */
    unsigned bias;            /* of ADAPTIVE0: load that a non-minimal way must save, 0 to 127 */
    int bias_more[NET_KINDS]; /* that much more for packets that come by a port of this kind */
    bool alike;   /* packets from processors have no less a turn at outputs than those in transit */
    bool lcb;     /* link control blocks at both ends of each cable */
    bool checked; /* with those, in packet mode: packets go up when they are known to be good */
    double ber;   /* with those: chance of a wrong bit on a lane */
    struct traffic traffic;
    uint64_t seed;
    struct ranks *ranks; /* with whom we simulate it; NULL: alone */
};

/* Since net_measure(), except what is marked. */
struct net_stats {
    uint64_t clocks;
    uint64_t offered, accepted; /* flits: of packets made, and out of the network */
    uint64_t hops;              /* flits that went over a cable */
    uint64_t packets;           /* made and delivered since then, and */
    uint64_t latency;           /* the sum of their latencies: from made to the tail's arrival */
    uint64_t worst;
    uint64_t median, p99, p999; /* clocks that half of them took at most, 99 %, 99.9 % */
    uint64_t waiting;           /* now: packets that no flit of has been sent */
    uint64_t in_flight;         /* now: begun to be sent and not arrived */
    uint64_t made, delivered;   /* packets, since the beginning */
    uint64_t wrong; /* since the beginning: lost marks, wrong place, flit, length or class */
};

struct network;

/*
 * With several ranks, each has its own groups and what is said here is done together, with the same arguments: all but
 * net_new, net_free and what tells of ports, nodes and flows end when all ranks have come, and answer for the whole network.
 */

/* Flits that a router sent by a port since net_measure(), into a cable or to a NIC; of other ranks' routers as of the last net_gather(). */
void net_gather(struct network *n);
uint64_t net_port_flits(const struct network *n, unsigned router, unsigned port);

/* As of the last net_gather(), of packets that arrived since net_measure(): flits for a node. Of a flow of the traffic, by its number (flows.h),
 * flits of packets made since then, and arrived; responses are of no flow. */
uint64_t net_node_flits(const struct network *n, unsigned node);
uint64_t net_flow_offered(const struct network *n, unsigned flow);
uint64_t net_flow_accepted(const struct network *n, unsigned flow);

/* Ends the program if what the ranks of this machine have of such a network, each as much as this one, is larger than its memory. */
void net_room(const struct router_model *model, const struct topology *t,
              const struct net_config *config);

struct network *net_new(const struct router_model *model, const struct tables *tables,
                        const struct net_config *config);
void net_free(struct network *n);

/*
 * One clock, or many: the same, and faster, because a router runs ahead of the others as many clocks as the shortest cable
 * takes and stays in the processor's caches meanwhile.
 */
void net_clock(struct network *n);
void net_run(struct network *n, uint64_t clocks);

void net_measure(struct network *n);
struct net_stats net_stats(const struct network *n);

/*
 * Packets by latency since net_measure(), added to bins: exact below 64 clocks, else to one part in 64. From which latency on
 * a bin is, and the most that a share of all those packets, 0 to 1, took, at most the worst of them; 0 if there are none.
 */
void net_latencies(const struct network *n, uint64_t bins[NET_BINS]);
uint64_t net_bin_from(unsigned bin);
uint64_t net_percentile(const uint64_t bins[NET_BINS], double share, uint64_t worst);

unsigned net_sources(const struct network *n); /* processor ports */

/* True if something is in flight and nothing has arrived for NET_STALL clocks, as far as the last net_run() saw. */
bool net_stalled(const struct network *n);

/* What was wrong first; empty if nothing. */
const char *net_complaint(struct network *n);

/* Begins no more packets and runs until all have arrived; false after `limit` clocks or a stall, or some more. */
bool net_drain(struct network *n, uint64_t limit);

#endif
