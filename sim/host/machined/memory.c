// SPDX-License-Identifier: Apache-2.0
/*
 * memory.c - host memory of a node: that of the processes on it, where the driver has dealt it out.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/uio.h>

#include "sim/host/machined/machine.h"

/* A queue's entry appears whole. */
static void write_ring(struct ring_memory *r, uint64_t at, const void *data, unsigned bytes)
{
    if (bytes == 8 && at % 8 == 0) {
        uint64_t event;
        memcpy(&event, data, 8);
        atomic_store_explicit(&r->entries[at / 8], event, memory_order_release);
    } else
        memcpy(r->at + at, data, bytes);
}

static bool ring_access(struct program *p, uint64_t place, void *data, unsigned bytes, bool write)
{
    for (struct ring_memory *r = p->rings; r != NULL; r = r->next)
        if (place >= r->place && place - r->place + bytes <= r->bytes) {
            if (write)
                write_ring(r, place - r->place, data, bytes);
            else
                memcpy(data, r->at + (place - r->place), bytes);
            return true;
        }
    return false;
}

/* False: the process lives and has no such memory. */
static bool process_access(struct program *p, uint64_t address, void *data, unsigned bytes,
                           bool write)
{
    const struct iovec here = {data, bytes}, there = {wire_pointer(address), bytes};
    const ssize_t done = write ? process_vm_writev(p->pid, &here, 1, &there, 1, 0)
                               : process_vm_readv(p->pid, &here, 1, &there, 1, 0);
    if (done == (ssize_t)bytes || (done < 0 && errno == ESRCH))
        return true;
    if (!p->told)
        machine_says(p->machine, "process %d: its NIC cannot %s %u bytes at %#" PRIx64 ": %s",
                     (int)p->pid, write ? "write" : "read", bytes, address,
                     done < 0 ? strerror(errno) : "not all of them are mapped");
    p->told = true;
    return false;
}

bool memory_access(void *machine, unsigned node, uint64_t address, void *data, unsigned bytes,
                   bool write)
{
    struct machine *m = machine;
    const struct span *span = drv_place(m->node[node].driver, address, write ? bytes : 1);
    if (span == NULL) {
        if (m->accesses_refused++ == 0)
            machine_says(m, "node %u: the NIC %s %u bytes at %#" PRIx64 ", which is no process's",
                         node, write ? "writes" : "reads", bytes, address);
        return false;
    }
    const uint64_t in = address - span->from;
    if (span->bytes - in < bytes) /* a read of whole beats: what is behind the end is 0 */
        bytes = (unsigned)(span->bytes - in);
    if (span->owner == m->node[node].driver)
        return rdma_ring_access(&m->node[node], address, data, bytes, write);
    struct program *p = span->dead ? NULL : program_of(m, span->owner);
    if (p == NULL || p->dead)
        return true;
    return ring_access(p, address, data, bytes, write) ||
           process_access(p, span->address + in, data, bytes, write);
}
