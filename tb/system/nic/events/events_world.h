// SPDX-License-Identifier: Apache-2.0
/*
 * events_world.h - two nodes as far as events at the target go: the C of ssid and of rmt, a register of outstanding requests, and a channel
 * that loses, delays and reorders. Transactions use one id, one after the other.
 *
 * A step is one thing that happens: a beat's packet comes to ssid, a packet arrives, an answer, a timeout. ssid and rmt then run until they
 * wait for the next one. An answer may also come in any clock of a CLOSE or of a NOTE.
 */
#ifndef TB_NIC_EVENTS_WORLD_H
#define TB_NIC_EVENTS_WORLD_H

#include "nic/initiator/ssid.h"
#include "nic/target/rmt.h"

#include <stdbool.h>
#include <stdint.h>

enum { PACKETS_MOST = 3, TRANSACTIONS_MOST = 3, MESSAGES = PACKETS_MOST + 2, KEY_BYTES = 256 };

/* Places in a transaction's messages, behind its packets. */
enum { AT_END = PACKETS_MOST, AT_NOTE };

/* Where a message is. */
enum flight { NOT_SENT, UNDER_WAY, PARKED, ANSWER_OK, ANSWER_NOTE, ANSWER_FAILS, GONE };

/* What may happen at all, and how often in one history. */
struct world_limits {
    unsigned packets, transactions;
    unsigned losses, errors, full,
        early; /* packets or answers lost; target errors; no place in rmt; timeouts before an answer */
    unsigned refused; /* requests that ssid gets as refused by ntt */
    unsigned wants;   /* bit t: transaction t wants the event ... */
    unsigned flags;   /* ... and a flag, which memory writes in the same step */
};

/* A packet as ssid sent it. */
struct message {
    uint8_t flight;
    uint8_t use, wants, flag;
    uint8_t total;
    bool outstanding;
};

/* What a history must not have done; of a flag what is said of an event. */
enum fault {
    FAULT_MISSING = 1, /* the source says OK, and the event has not come */
    FAULT_TWICE = 2,
    FAULT_EARLY = 4, /* before all that was posted is in memory */
    FAULT_UNWANTED = 8,
    FAULT_SOURCE = 16, /* not one event at the source */
    FAULT_LEFT = 64,   /* over, its id free, and something of it is on its way or counted */
    FAULT_STUCK = 32,  /* nothing more can happen, and not everything is over */
};

struct world {
    struct ssid ssid;
    struct rmt rmt;
    struct message message[TRANSACTIONS_MOST][MESSAGES];
    uint8_t now;                       /* the transaction that has the id */
    uint8_t posted[TRANSACTIONS_MOST]; /* requests, refused ones too */
    uint8_t memory[TRANSACTIONS_MOST]; /* bit per packet: its data is there */
    uint8_t events[TRANSACTIONS_MOST]; /* at the target */
    uint8_t flags[TRANSACTIONS_MOST];  /* the same */
    uint8_t status[TRANSACTIONS_MOST]; /* 1 + that of the event at the source; 0: none yet */
    bool opened, closed;               /* it */
    uint8_t losses, errors, full, early, refused; /* so far */
    uint8_t faults;
    const char *step; /* by which it came */
};

/* A history goes on to here by the step of that name. */
typedef void world_visit(void *whose, const struct world *next, const char *step);

/* Before the first OPEN. */
void world_begin(struct world *w, const struct world_limits *limits);

/* Every world that one step makes; the value is how many. */
unsigned world_steps(const struct world *w, const struct world_limits *limits, world_visit *visit,
                     void *whose);

/* All that what comes later depends on; the value is its length. */
unsigned world_key(const struct world *w, uint8_t key[KEY_BYTES]);

/* Faults that are seen between steps: an event that has not come. */
void world_judge(struct world *w, const struct world_limits *limits);

/* All transactions are over, and nothing of them is left anywhere. */
bool world_is_over(const struct world *w, const struct world_limits *limits);

#endif
