// SPDX-License-Identifier: Apache-2.0
/*
 * script.c - what a driver does, step by step, while everything else goes on.
 */
#include <stdlib.h>

#include "tb/system/chip/abuse/world.h"

enum {
    ENABLE = 1 << NR_CONTROL_ENABLE_AT,
    SETTLE = 1 << NR_CONTROL_SETTLE_AT,
    FLUSH = 1 << NR_CONTROL_FLUSH_AT,
    READY_BIT = 1 << NR_STATUS_READY_AT,
    SETTLED_BIT = 1 << NR_STATUS_SETTLED_AT,
    WORD_STATUS = 16
};

_Static_assert(PROCESSES *DESCRIPTOR_LIMIT <= NIC_SSIDS,
               "a descriptor with more than there are ids is refused");
_Static_assert(PROCESSES *REQUESTS <= NIC_TAGS - 8,
               "together as many as leave the stream of stores free");

/* ---- steps ------------------------------------------------------------------------------------------- */

bool script_idle(const struct node *n)
{
    return n->script.at == n->script.count;
}

void script_add(struct node *n, const struct step *s)
{
    struct script *t = &n->script;

    if (script_idle(n)) {
        t->at = t->count = 0;
    }
    if (t->count == STEPS) {
        abort();
    }
    t->step[t->count++] = *s;
}

void script_write(struct node *n, unsigned address, uint64_t value)
{
    script_add(n, &(struct step){.kind = STEP_WRITE, .address = (uint16_t)address, .value = value});
}

void script_until(struct node *n, uint64_t bits)
{
    script_add(n, &(struct step){.kind = STEP_UNTIL, .value = bits});
}

void script_clocks(struct node *n, uint64_t clocks)
{
    script_add(n, &(struct step){.kind = STEP_CLOCKS, .value = clocks});
}

void script_then(struct node *n, script_call *call, unsigned argument)
{
    script_add(n, &(struct step){.kind = STEP_CALL, .call = call, .argument = argument});
}

static void barrier(struct node *n, unsigned process)
{
    script_add(n, &(struct step){.kind = STEP_BARRIER, .argument = process});
}

static void begin_step(struct node *n, const struct step *s)
{
    struct nic_driver *d = &n->driver;
    struct script *t = &n->script;
    struct driver_burst read = store_word(s->argument, WORD_STATUS, 0);

    t->waits = true;
    t->since = n->world->clock;
    switch (s->kind) {
    case STEP_WRITE:
        driver_register(d, &(struct driver_register){.address = s->address, .data = s->value});
        t->target = d->regs_in;
        break;
    case STEP_UNTIL:
        driver_register(d, &(struct driver_register){.read = true, .address = NR_STATUS});
        t->target = d->regs_in;
        break;
    case STEP_BARRIER:
        read.read = true;
        driver_burst(d, &read);
        t->target = d->bursts_in;
        break;
    case STEP_CALL:
        s->call(n, s->argument);
        break;
    default:
        break;
    }
}

/* What others ask for, and what was asked for afterwards, does not hold it back. */
static void look_settled(struct node *n, uint64_t clocks)
{
    struct verdict *v = &n->world->verdict;

    v->worst_settle = clocks > v->worst_settle ? clocks : v->worst_settle;
    if (clocks > BOUND_SETTLE) {
        found(v, STUCK, "node %u: settled after %llu clocks", n->number,
              (unsigned long long)clocks);
    }
}

static bool step_over(struct node *n, const struct step *s)
{
    const struct nic_driver *d = &n->driver;
    struct script *t = &n->script;

    switch (s->kind) {
    case STEP_WRITE:
        return d->regs_out >= t->target;
    case STEP_UNTIL:
        if (d->regs_out < t->target) {
            return false;
        }
        if ((d->register_answer & s->value) != s->value) { /* again */
            driver_register(&n->driver,
                            &(struct driver_register){.read = true, .address = NR_STATUS});
            t->target = d->regs_in;
            return false;
        }
        if (s->value == SETTLED_BIT && !n->frozen) {
            look_settled(n, n->world->clock - t->since);
        }
        return true;
    case STEP_BARRIER:
        return d->bursts_done >= t->target;
    case STEP_CLOCKS:
        return n->world->clock - t->since >= s->value;
    default:
        return true;
    }
}

void script_clock(struct node *n)
{
    struct script *t = &n->script;

    if (script_idle(n)) {
        return;
    }
    if (!t->waits) {
        begin_step(n, &t->step[t->at]);
    }
    if (step_over(n, &t->step[t->at])) {
        t->waits = false;
        t->at++;
    }
}

/* ---- registers --------------------------------------------------------------------------------------- */

static void set_segments(struct node *n, unsigned process, unsigned ptag, bool valid)
{
    uint64_t block = BLOCKS_AT + (uint64_t)process * BLOCK_BYTES;

    for (enum segment s = 0; s < SEGMENTS; s++) {
        const struct extent *e = &extents[s];
        unsigned at = NR_MDD + NR_MDD_STEP * handle_of(process, s);

        script_write(
            n, at,
            (block + e->at) | (uint64_t)e->read << NR_MDD_READ_AT |
                (uint64_t)e->write << NR_MDD_WRITE_AT | (uint64_t)e->atomic << NR_MDD_ATOMIC_AT |
                (uint64_t)e->event << NR_MDD_EVENT_AT | (uint64_t)valid << NR_MDD_VALID_AT);
        if (valid) { /* else word 0 is enough */
            script_write(n, at + 1,
                         e->bytes | (uint64_t)ptag << NR_MDD1_PTAG_AT |
                             (uint64_t)queue_of(process, true) << NR_MDD1_QUEUE_AT);
        }
    }
}

static void set_queues(struct node *n, unsigned process, unsigned ptag, bool enabled)
{
    uint64_t block = BLOCKS_AT + (uint64_t)process * BLOCK_BYTES;

    for (unsigned target = 0; target < 2; target++) {
        unsigned at = NR_CQ + NR_CQ_STEP * queue_of(process, target != 0);

        script_write(n, at, block + (target != 0 ? TARGET_EVENTS_AT : EVENTS_AT));
        script_write(n, at + 1,
                     (uint64_t)enabled << NR_CQ1_ENABLE_AT | (uint64_t)RING_LOG2 << NR_CQ1_LOG2_AT |
                         (uint64_t)ptag << NR_CQ1_PTAG_AT | (uint64_t)1 << NR_CQ1_THRESHOLD_AT);
    }
}

static void set_descriptor(struct node *n, unsigned process, unsigned ptag, bool enabled)
{
    unsigned at = NR_FMA + NR_FMA_STEP * process;

    if (enabled) {
        script_write(n, at + 1, (uint64_t)REQUESTS << NR_FMA1_REQUESTS_AT);
    }
    script_write(n, at,
                 (uint64_t)ptag << NR_FMA_PTAG_AT | (uint64_t)DESCRIPTOR_LIMIT << NR_FMA_LIMIT_AT |
                     (uint64_t)enabled << NR_FMA_ENABLE_AT);
}

static void set_process(struct node *n, unsigned process, unsigned ptag)
{
    set_segments(n, process, ptag, true);
    set_queues(n, process, ptag, true);
    set_descriptor(n, process, ptag, true);
}

/* ---- a NIC that was reset ------------------------------------------------------------------------------ */

/* Its memory is its own again, also where a hand-over had got as far as taking it away. */
static void restart_process(struct node *n, unsigned process)
{
    n->block[process].segments_open = n->block[process].rings_open = true;
    process_restart(&n->process[process]);
}

static void is_up(struct node *n, unsigned argument)
{
    (void)argument;
    n->down = false;
    for (unsigned p = 0; p < HONEST; p++) {
        n->process[p].alive = true;
    }
    note(&n->world->verdict, "node %u is set up", n->number);
}

void script_configure(struct node *n)
{
    script_until(n, READY_BIT);
    script_clocks(n, 2 * EPOCH);
    script_write(n, NR_NODE, ring_address(n->number));
    script_write(n, NR_ORB_EPOCH, EPOCH);
    script_write(n, NR_PHYS_BASE, 0);
    script_write(n, NR_PHYS_SIZE, MEMORY);
    for (unsigned p = 0; p < PROCESSES; p++) {
        script_then(n, restart_process, p);
        set_process(n, p, n->process[p].ptag);
    }
    script_write(n, NR_CONTROL, ENABLE);
    script_then(n, is_up, 0);
}

/* ---- settle, flush, hand-over -------------------------------------------------------------------------- */

void script_settle(struct node *n)
{
    script_write(n, NR_CONTROL, ENABLE | SETTLE);
    script_until(n, SETTLED_BIT);
}

void script_flush(struct node *n)
{
    script_write(n, NR_CONTROL, ENABLE | FLUSH);
}

static void end_process(struct node *n, unsigned process)
{
    process_abandon(&n->process[process]);
    note(&n->world->verdict, "node %u, process %u: its descriptor is disabled", n->number, process);
}

static void close_segments(struct node *n, unsigned process)
{
    n->block[process].segments_open = false;
    note(&n->world->verdict, "node %u, process %u: its segments are settled", n->number, process);
}

static void close_rings(struct node *n, unsigned process)
{
    n->block[process].rings_open = false;
    note(&n->world->verdict, "node %u, process %u: its rings are settled", n->number, process);
}

static void begin_other(struct node *n, unsigned argument)
{
    unsigned process = argument % PROCESSES, ptag = argument / PROCESSES;

    process_begin(&n->process[process], n, process, ptag, rng_next(&n->world->rng));
    n->process[process].alive = false; /* until its tables are written */
}

static void is_alive(struct node *n, unsigned process)
{
    n->process[process].alive = true;
    note(&n->world->verdict, "node %u, process %u: a new owner of domain %u", n->number, process,
         n->process[process].ptag);
}

void script_hand_over(struct node *n, unsigned process, unsigned ptag)
{
    set_descriptor(n, process, n->process[process].ptag, false);
    script_then(n, end_process, process);
    barrier(n, process);
    set_segments(n, process, n->process[process].ptag, false);
    script_settle(n);
    script_flush(n);
    script_settle(n);
    script_then(n, close_segments, process);
    set_queues(n, process, n->process[process].ptag, false);
    script_settle(n);
    script_then(n, close_rings, process);
    script_then(n, begin_other, process + PROCESSES * ptag);
    set_process(n, process, ptag);
    script_then(n, is_alive, process);
}

static void doubt_process(struct node *n, unsigned process)
{
    process_doubt(&n->process[process]);
}

void script_flap(struct node *n, unsigned process, unsigned clocks)
{
    script_then(n, doubt_process, process);
    set_descriptor(n, process, n->process[process].ptag, false);
    if (clocks != 0) {
        script_clocks(n, clocks);
    }
    set_descriptor(n, process, n->process[process].ptag, true);
    script_then(n, doubt_process, process);
}
