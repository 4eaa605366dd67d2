// SPDX-License-Identifier: Apache-2.0
/*
 * nic_peers.h - one NIC with its host, and peers that keep as many requests outstanding as they are told: what one of
 * them costs the others.
 *
 * Peers are beats in place of a network: a request comes PEER_DELAY clocks after the answer whose place it takes; what the NIC asks of node
 * PEER_ANSWERS is answered as late, and of all other nodes never.
 */
#ifndef NIC_PEERS_H
#define NIC_PEERS_H

#include "nic/nic.h"
#include "tb/models/host.h"
#include "tb/system/nic/nic_driver.h"

enum {
    PEERS_NODE = 0x400, /* its own node */
    PEER_ANSWERS = 0x500,
    PEER_DEAD = 0x600,
    PEER_DELAY = 40,
    PEER_MOST = 64, /* requests outstanding of one */
    PEERS = 2,
    PEERS_MEMORY = 1 << 20,
    PEERS_PTAG = 3,
    PEERS_HANDLE = 7, /* all of memory */
    PEERS_PATIENCE = 100000
};

/* Request number n of a peer: its head, and how many bytes of data follow. */
typedef unsigned peer_request(struct rng *rng, uint64_t n, beat_word *head);

struct peer {
    unsigned node;
    peer_request *request; /* null: it sends nothing */
    unsigned outstanding;  /* at most */
    bool busy[PEER_MOST];
    uint64_t free_at[PEER_MOST];
    uint64_t sent, answered;
};

struct peer_answer {
    uint64_t due;
    beat_word head;
};

struct nic_peers {
    struct nic nic;
    struct nic_in in;
    struct host *host;
    struct nic_driver driver;
    struct peer peer[PEERS];
    struct beat packet[BEATS]; /* of the request on its way in */
    unsigned beats, beat, turn;
    struct peer_answer answer[1024]; /* to the NIC's own requests */
    uint64_t answers_in, answers_out;
    uint64_t clock;
    struct rng rng;
};

/* Wiped and enabled; memory takes so many clocks. */
struct nic_peers *nic_peers_new(uint64_t seed, unsigned latency, uint64_t epoch);
void nic_peers_free(struct nic_peers *p);
void nic_peers_clock(struct nic_peers *p);
void nic_peers_run(struct nic_peers *p, uint64_t clocks);
/* A peer keeps so many of these requests outstanding from now on. */
void nic_peers_ask(struct nic_peers *p, unsigned peer, peer_request *request, unsigned outstanding);
void nic_peers_write(struct nic_peers *p, unsigned address, uint64_t value);

/* Heads of requests to the NIC's memory. */
beat_word peer_head(unsigned cmd, uint64_t offset, unsigned x, unsigned z, unsigned mode);

#endif
