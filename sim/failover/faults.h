// SPDX-License-Identifier: Apache-2.0
/*
 * faults.h - what breaks in a network, and where each packet was lost.
 *
 * A cable that is cut carries nothing any more. With link control blocks (blocks.h) these find that out; without, each end
 * hears it after `silence` clocks, as a block does when it
 * gives up: its port is dead to the router, what the router still sends there is discarded, and a packet that was coming in is ended with
 * flits that are marked bad. A router that is killed takes its NICs and cables with it.
 *
 * A packet is lost where its tail is: in a cable, behind a dead port, in a dead router or NIC, or dropped by a router that has no
 * way for it. What is left of its front arrives with a mark and is thrown away. So packets begun less packets arrived are the sum of what was
 * lost at all places, and as many as their destinations wait for in vain, by name.
 */
#ifndef SIM_FAILOVER_FAULTS_H
#define SIM_FAILOVER_FAULTS_H

#include "sim/failover/desk.h"
#include "sim/engine/network.h"

/* What the status register of a link says: it is silent, or tries again, and has not been given up. */
enum link_state { LINK_UP, LINK_SILENT, LINK_DEAD, LINK_TRAINS, LINK_NO_ANSWER };

/* Packets, since the network was made. */
struct losses {
    uint64_t
        cable; /* in cables, and sent into them before their ends knew; with link control blocks also those on their way */
    uint64_t port;   /* behind dead ports */
    uint64_t router; /* in routers that were killed, and their NICs */
    uint64_t
        dropped; /* went into a router that lives and not out of it: it must have dropped them */
    uint64_t marked;  /* fronts of lost ones that arrived with a mark */
    uint64_t missing; /* by name: that destinations wait for */
    uint64_t
        unreported; /* flits lost in cables that no link control block has reported: blocks.h */
};

/* Before the first clock: fills network.cable_ops. Not with ranks. silence: clocks; nothing with link control blocks. */
void faults_begin(struct network *n, unsigned silence);

/* Between two runs of the network. The port is that of either end. */
void faults_cut(struct network *n, unsigned router, unsigned port);
void faults_kill(struct network *n, unsigned router);

/* The cable is whole again. */
void faults_mend(struct network *n, unsigned router, unsigned port);

/* A new router in its place: reset, nothing configured, its cables still dead. */
void faults_replace(struct network *n, unsigned router);

struct losses faults_losses(const struct network *n);

/* Something is at the other end of a cable, and it is whole. */
bool faults_carries(const struct network *n, unsigned router, unsigned port);

/* Ends of cables on living routers that do not know yet that nothing comes. */
unsigned faults_deaf_ends(const struct network *n);

/* ---- what a supervisor may do --------------------------------------------------------------------- */

/* The status register of the link at a port; that of a dead router cannot be read. Without link control blocks. */
enum link_state faults_link(const struct network *n, unsigned router, unsigned port);

/* Requests on the register bus of a router, one after the other; a router that is dead answers none. */
void faults_ask(struct network *n, unsigned router, const struct request *requests, size_t count);
size_t faults_pending(const struct network *n, unsigned router);

/* The sum of all that was read since it was last asked for. */
uint64_t faults_read(struct network *n, unsigned router);

/* A link that was dead trains again, unless its cable is broken; it is up when both ends have done with what was there before. Without link control blocks. */
void faults_restart(struct network *n, unsigned router, unsigned port);

/* The same of a chip's own supervisor (hls/chip/maint/REGISTERS.md), where a controller reaches it by AXI4-Lite, as it then does router and links. */
bool faults_chips(const struct network *n);
void faults_ask_chip(struct network *n, unsigned router, const struct request *requests,
                     size_t count);
size_t faults_pending_chip(const struct network *n, unsigned router);
uint64_t faults_read_chip(struct network *n, unsigned router);

/* The bit of a port's link in its registers. */
unsigned faults_link_of(const struct network *n, unsigned router, unsigned port);

/* Nodes begin no packets, or do again. */
void faults_hold(struct network *n, bool hold);

/* What nodes learn and report: which are down, by node; the clock of the last heartbeat, by router. */
void faults_nodes(struct network *n, bool *down, uint64_t *beat);

/* A router's first node sends a heartbeat to another one. */
void faults_beat(struct network *n, unsigned router, unsigned to);

uint64_t faults_now(const struct network *n);

/* ---- for blocks.c --------------------------------------------------------------------------------- */

bool faults_dead(const struct network *n, unsigned router);

/* NULL: none. */
struct l0 *faults_l0(const struct network *n);

/* The books of link control blocks, [router][port]. */
struct fault_block *faults_blocks(const struct network *n);

/* What a link control block gave its router in this clock, and what it took from it, or NULL. */
void faults_crossed(struct network *n, unsigned router, unsigned port, const struct wires_in *in,
                    const struct wires_out *taken);

#endif
