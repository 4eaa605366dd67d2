// SPDX-License-Identifier: Apache-2.0
/*
 * pairs.h - programs on a machine of their own: a test is run by processes on its nodes, which exchange words over a pipe beside it.
 */
#ifndef SIM_HOST_TEST_PAIRS_H
#define SIM_HOST_TEST_PAIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/host/ugni/gni_pub.h"

enum { SIDES = 2, SIDE_TEXT = 300 };

/* Where the sides are. With all nodes each has both, and domains on them in turn: side 1's is on node 1, side 0's on node 0. */
enum places { NODE_EACH, NODE_BOTH, NODES_ALL };
const char *places_say(enum places where);

/* A process of a test: what it has of the interface, and the way to its partner. */
struct side {
    unsigned rank;
    int pipe, report; /* to its partner; to who runs both */
    enum places where;
    uint64_t seed;
    char why[SIDE_TEXT]; /* the first check that failed */
    gni_cdm_handle_t cdm;
    gni_nic_handle_t nic;
    gni_cq_handle_t local, remote; /* of what it posts, of what comes */
    gni_ep_handle_t ep;            /* to the partner */
    uint32_t address, inst;
    uint8_t *memory; /* registered, with events to `remote` */
    gni_mem_handle_t handle, peer_handle;
    uint64_t peer_memory;
    uint32_t peer_address, peer_inst;
};

enum { SIDE_BYTES = 1 << 16, SIDE_PTAG = 7, SIDE_COOKIE = 4711 };

/* A check of a side: false and remembered with file and line if it does not hold. */
#define side_ok(s, holds) side_check(s, holds, #holds, __FILE__, __LINE__)
bool side_check(struct side *s, bool holds, const char *text, const char *file, int line);
/* A call whose code is this; what it was is in the text. */
#define side_code(s, call, wanted) side_result(s, call, wanted, #call, __FILE__, __LINE__)
bool side_result(struct side *s, gni_return_t code, gni_return_t wanted, const char *text,
                 const char *file, int line);

/* Begins a machine; ends it, and says whether it ended well and its NICs have refused no store of a program. */
void machine_begin(const char *program, unsigned nodes);
/* One whose memory and cables are slow, so that much is under way. */
void machine_begin_slow(const char *program, unsigned nodes);
/* One whose cables spoil one of a hundred packets. */
void machine_begin_spoiled(const char *program, unsigned nodes, uint64_t seed);
bool machine_end(void);
/* Bits that its cables have spoiled, known at its end. */
uint64_t machine_spoiled(void);
const char *machine_path(void);
int machine_pid(void);

/* Both sides run it at once; whether both found all right. */
bool pair_run(bool (*test)(struct side *s), uint64_t seed, enum places where, char why[SIDE_TEXT]);

/* Data to the partner and from it. */
void side_exchange(struct side *s, const void *out, void *in, size_t bytes);
/* Until the partner is here, too. */
void side_meet(struct side *s);

/* A byte of our memory becomes this, soon. */
bool side_arrives(const struct side *s, uint64_t at, uint8_t value);

/* Domain, queues, memory, an endpoint bound to the partner, its handle here. */
bool side_begin(struct side *s);
/* All of it destroyed. */
bool side_end(struct side *s);

/* The next event of a queue within some seconds; 0: none. Whatever its status. */
gni_cq_entry_t side_event(gni_cq_handle_t cq, gni_return_t *code);

/* A descriptor of so many bytes at offsets of both memories. */
gni_post_descriptor_t side_post(const struct side *s, gni_post_type_t type, uint64_t local,
                                uint64_t remote, uint64_t bytes);
/* Posts it, by the call of its type, and waits for its event: the code of GetCompleted. */
gni_return_t side_do(struct side *s, gni_post_descriptor_t *d);

#endif
