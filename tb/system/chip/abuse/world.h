// SPDX-License-Identifier: Apache-2.0
/*
 * world.h - hosts, processors and processes of all NICs, and the ring and the rogue between them.
 *
 * Process p of each node belongs to a job, whose domain its descriptor, segments and queues have; it talks to the processes
 * p of the same job. Four are honest, the fifth writes nonsense.
 */
#ifndef ABUSE_WORLD_H
#define ABUSE_WORLD_H

#include "tb/system/chip/abuse/block.h"
#include "tb/system/chip/abuse/rogue.h"
#include "tb/models/host.h"
#include "tb/system/nic/nic_driver.h"

enum {
    HONEST = 4,
    ROUGH = HONEST,
    PROCESSES,
    LIMIT = 3,      /* transactions in flight of a process */
    OPERATIONS = 4, /* of a transaction */
    /* twice what a process may have, for what the owner before has left in flight */
    DESCRIPTOR_LIMIT = 2 * LIMIT,
    REQUESTS = DESCRIPTOR_LIMIT * OPERATIONS,
    /* as short as the scrubber allows, and longer than load alone keeps a request: one in an ordered mode waits for all atomic
     * operations before it, 1,500 clocks in proto (hls/nic/host/README.md, Settled), and behind others in such a mode */
    EPOCH = NIC_TAGS < 512 ? 16 * NIC_TAGS : 4 * NIC_TAGS,
    MEMORY = 0x20000, /* bytes of a host */
    STEPS = 256,
    PTAG_ROUGH = 5,
    /* STATUS.settled comes within that many clocks, if memory answers */
    BOUND_SETTLE = 1000,
    /* a transaction that nothing disturbs ends within that many clocks from the store of its first word on */
    BOUND_FOREIGN = 4 * EPOCH
};

struct world;
struct node;
struct process;

/* ---- transactions (process.c) ---- */

enum kind {
    KIND_PUT,
    KIND_GET,
    KIND_AMO,
    KIND_FAMO,
    KIND_ADD,
    KIND_FETCH_ADD,
    KIND_MESSAGE,
    KIND_CQWRITE,
    KINDS
};

struct operation {
    enum kind kind;
    unsigned to, index, life; /* node; slot, variable or counter of its block; whose life that is */
    int local, local_life;    /* slot here, or -1 */
};

struct transaction {
    bool used, closed;
    bool wants_local, local_came;
    bool doubtful; /* its events may not come at all */
    bool flood;    /* to a process that takes no events */
    bool resting;  /* it is over, its id is not yet free */
    uint32_t serial;
    uint64_t posted, close_at, rest_until;
    unsigned operations;
    struct operation operation[OPERATIONS];
};

struct process {
    struct node *node;
    unsigned number;
    bool alive;  /* it begins transactions */
    bool deaf;   /* it takes no events */
    bool greedy; /* of a rough one: it sends all it can to a node that never answers */
    unsigned ptag;
    uint32_t next_serial;
    unsigned floods, flood_to;
    int open; /* the transaction that is open, or -1 */
    bool
        overrun; /* its ring of messages may have been full: an event will say so; in that episode several, where its read index waits in a drain */
    bool unclosed;    /* a CLOSE may have been refused: it closes once more */
    uint32_t closing; /* the data of that one */
    uint64_t begin_at;
    uint64_t events, target_events, told, target_told; /* taken; read indices written */
    struct transaction transaction[LIMIT];
    struct rng rng;
};

/* ---- the driver (script.c) ---- */

typedef void script_call(struct node *n, unsigned argument);
enum step_kind { STEP_WRITE, STEP_UNTIL, STEP_BARRIER, STEP_CLOCKS, STEP_CALL };
struct step {
    enum step_kind kind;
    uint16_t address;
    uint64_t value; /* of a write; bits to wait for; clocks */
    unsigned argument;
    script_call *call;
};

struct script {
    struct step step[STEPS];
    unsigned count, at;
    bool waits;      /* the step has begun */
    uint64_t since;  /* when */
    uint64_t target; /* of a count of the driver's */
};

struct node {
    unsigned number;
    struct world *world;
    struct host *host;
    struct axi_to_man m_axi;
    struct nic_driver driver;
    struct host_knobs knobs;
    bool down; /* its NIC is in reset or not yet set up */
    bool held; /* its NIC is in reset */
    bool frozen, faulty;
    bool handed[PROCESSES]; /* in this episode */
    uint64_t rules;         /* of AXI4 that it has broken */
    struct script script;
    struct process process[PROCESSES];
    struct block block[PROCESSES];
};

struct world {
    struct ring *ring, *kept;
    struct rogue rogue;
    struct node node[RING_NODES];
    struct verdict verdict;
    struct rng rng;
    uint64_t clock;
    bool traffic;
    double pace;     /* mean clocks between two transactions of a process */
    double nonsense; /* of stores of the rough one, per clock */
    bool source;     /* mode SOURCE is among them */
    /* how many things disturb what process p of a node asks of another, and until when the last one did */
    unsigned disturbing[PROCESSES][RING_NODES][RING_NODES];
    uint64_t disturbed[PROCESSES][RING_NODES][RING_NODES];
};

struct world *world_new(uint64_t seed);
void world_free(struct world *w);
/* As after world_new, with other random numbers. */
void world_restore(struct world *w, uint64_t seed);
void world_clock(struct world *w);
/* From now on, or no longer, what process p (PROCESSES: each) of a node asks of any other, and they of it, may fail or take long. */
void world_disturb(struct world *w, unsigned p, unsigned node, bool on);
bool world_disturbed(const struct world *w, unsigned p, unsigned from, unsigned to, uint64_t since);
/* The NIC of a node, and its host's ports, are reset: what its processes had under way is lost. */
void world_halt(struct world *w, unsigned node);
/* The same, and its driver begins again. */
void world_restart(struct world *w, unsigned node);

/* ---- process.c ---- */

/* A new owner of descriptor, block and queues begins. */
void process_begin(struct process *p, struct node *n, unsigned number, unsigned ptag,
                   uint64_t seed);
/* The same owner begins again, with its memory as it is and empty rings. */
void process_restart(struct process *p);
void process_clock(struct process *p);
/* Its events, and those that messages bring. */
void process_poll(struct process *p);
/* Nobody hears any more how its transactions end. */
void process_abandon(struct process *p);
/* Their events may not come; those that have not when all is over are given up. */
void process_doubt(struct process *p);
/* All its transactions but those in doubt are over. */
bool process_heard(const struct process *p);
bool process_in_doubt(const struct process *p);
/* Whatever has not ended is given up; says of how many nobody was in doubt. */
unsigned process_give_up(struct process *p);
unsigned queue_of(unsigned process, bool target);
unsigned handle_of(unsigned process, enum segment s);
/* So many transactions of queue writes to a process of another node, one behind the other. */
void process_flood(struct process *p, unsigned to, unsigned transactions);

/* ---- rough.c ---- */

void rough_clock(struct process *p);
/* What it has open is closed. */
void rough_close(struct process *p);
/* A register of the driver's gets a value that no rule allows. */
void rough_register(struct node *n, struct rng *rng);

/* ---- script.c ---- */

bool script_idle(const struct node *n);
void script_add(struct node *n, const struct step *s);
void script_write(struct node *n, unsigned address, uint64_t value);
void script_clocks(struct node *n, uint64_t clocks);
void script_then(struct node *n, script_call *call, unsigned argument);
/* STATUS has all these bits. */
void script_until(struct node *n, uint64_t bits);
void script_clock(struct node *n);
/* A NIC behind its reset: registers, tables, all processes as new owners. Waits until it is wiped, and two epochs. */
void script_configure(struct node *n);
void script_settle(struct node *n);
void script_flush(struct node *n);
/* A process is taken away by the rules of a driver, and its resources given to one of another domain. */
void script_hand_over(struct node *n, unsigned process, unsigned ptag);
/* Its descriptor is disabled and enabled again, clocks later. */
void script_flap(struct node *n, unsigned process, unsigned clocks);

#endif
