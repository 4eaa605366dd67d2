// SPDX-License-Identifier: Apache-2.0
/*
 * machine.h - chips, a driver for each node, and the programs that are attached to them.
 */
#ifndef SIM_HOST_MACHINE_H
#define SIM_HOST_MACHINE_H

#include <signal.h>
#include <stdio.h>
#include <sys/types.h>

#include "sim/host/driver.h"
#include "sim/host/machined/chips.h"
#include "sim/host/wire.h"

enum {
    MACHINE_PROGRAMS = 64,
    MACHINE_JOBS = 8,     /* of a program */
    MACHINE_FMAS = 128,   /* of a node, at most */
    MACHINE_CQS = 1024,   /* the same */
    MACHINE_CHANNELS = 4, /* of a node's block transfer engine, at most */
};

/* Memory of a queue's ring, mapped here too. */
struct ring_memory {
    uint64_t place, bytes;
    uint8_t *at;
    _Atomic uint64_t *entries; /* the same */
    unsigned queue;
    struct ring_memory *next;
};

struct program;
struct trace;

/* A program's part of a job: a process of the driver. */
struct job {
    uint64_t number;
    struct program *program;
    struct drv_process *process;
    int descriptor; /* that its domains share, or -1 */
    unsigned users; /* domains that do */
};

struct domain {
    unsigned key;
    uint32_t inst;
    struct job *job;
    int descriptor;
    bool own; /* the descriptor is its alone */
    struct domain *next;
};

struct program {
    struct machine *machine;
    int socket, process; /* pidfd */
    pid_t pid;
    unsigned node;
    uint32_t address; /* by which others name it: of its first node */
    bool dead;
    bool told; /* an access to its memory that failed */
    struct wire_shared *shared;
    struct job job[MACHINE_JOBS];
    unsigned jobs;
    struct ring_memory *rings;
    struct domain *domains;
};

/* Memory of a node's driver. */
struct kernel_memory {
    uint64_t place, bytes;
    uint8_t *at;
};

struct node {
    struct drv *driver;
    uint64_t
        region; /* bytes: pages of descriptors, of queues, put windows, get windows have one each */
    struct kernel_memory ring[MACHINE_CHANNELS]; /* of block transfers */
    unsigned channels;
    struct program *fma[MACHINE_FMAS], *cq[MACHINE_CQS]; /* whose they are */
};

struct machine {
    struct chips *chips;
    unsigned nodes;
    struct ptags ptags;
    struct node node[CHIPS_MOST];
    struct program *program[MACHINE_PROGRAMS];
    unsigned programs;
    unsigned next_domain;
    int listener, bell; /* bell: programs write to it when the machine sleeps */
    sigset_t signals;   /* those that are blocked while it looks */
    FILE *log;
    struct trace *trace; /* or null */
    uint64_t operations[WIRE_OPS], accesses_refused;
    struct datagram *datagrams;
    uint64_t datagram_keys, datagram_turns;
    uint64_t rings_seen; /* the clock when it was last looked what transfers are over */
};

/* A line on stderr, and in the log. */
void machine_says(struct machine *m, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- memory.c: what the NICs read and write -------------------------------------------------------- */

bool memory_access(void *machine, unsigned node, uint64_t address, void *data, unsigned bytes,
                   bool write);

/* ---- programs.c ------------------------------------------------------------------------------------ */

/* A connection that waits to be accepted. */
void program_attach(struct machine *m);
/* A request of a program, or the end of its socket. */
void program_request(struct program *p);
/* It is dead: all that it had is taken away. */
void program_end(struct program *p);
/* Stores of the ring go to the NIC, as many as its bus takes; whether one was there. */
bool program_stores(struct program *p);
struct program *program_of(struct machine *m, const void *process);

/* ---- requests.c: what a program asks for ------------------------------------------------------------- */

void request_answer(struct program *p, const struct wire_request *r, int file,
                    struct wire_answer *a);
struct job *job_of(struct program *p, uint64_t number);
struct domain *domain_of(struct program *p, uint64_t key);
struct ring_memory *ring_new(struct job *j, unsigned log2, int file, enum wire_result *result);
enum wire_result ring_end(struct job *j, unsigned queue);
enum wire_result wire_of(enum drv_result result);

/* ---- datagrams.c --------------------------------------------------------------------------------------- */

/* The domain that an address and id mean for a job: the first one there, where none has the id. */
struct domain *domain_named(const struct machine *m, uint64_t job, uint32_t address, uint32_t inst);
void datagram_post(struct domain *d, const struct wire_request *r, struct wire_answer *a);
void datagram_test(struct domain *d, const struct wire_request *r, struct wire_answer *a);
void datagram_cancel(struct domain *d, const struct wire_request *r, struct wire_answer *a);
void datagram_probe(struct domain *d, bool takes, struct wire_answer *a);
/* All of a domain are forgotten. */
void datagrams_end(struct domain *d);

/* ---- trace.c: a waveform of the nodes' ports -------------------------------------------------------------- */

/* Null: the file cannot be written. */
struct trace *trace_begin(const char *path, const struct chips *c, unsigned nodes);
void trace_clock(struct trace *t);
void trace_end(struct trace *t);

/* ---- rdma.c: block transfers ------------------------------------------------------------------------------- */

/* Rings for all channels of a node. */
void rdma_start(struct machine *m, unsigned number);
/* An access to a ring; false: there is none. */
bool rdma_ring_access(struct node *node, uint64_t place, void *data, unsigned bytes, bool write);
/* Now and then: what is over. */
void rdma_look(struct machine *m);
void rdma_post(struct job *j, const struct wire_request *r, struct wire_answer *a);

#endif
