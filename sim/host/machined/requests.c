// SPDX-License-Identifier: Apache-2.0
/*
 * requests.c - domains, memory and queues of programs.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "sim/host/machined/machine.h"

enum { RESTS_MOST = 1 << 20, REST_CLOCKS = 256 }; /* clocks in which what rests must become free */

enum wire_result wire_of(enum drv_result result)
{
    switch (result) {
    case DRV_OK:
        return WIRE_OK;
    case DRV_FULL:
    case DRV_RESTS:
    case DRV_MEMORY:
        return WIRE_FULL;
    case DRV_WRONG:
        return WIRE_WRONG;
    default:
        return WIRE_BROKEN;
    }
}

static struct drv *driver_of(const struct program *p)
{
    return p->machine->node[p->node].driver;
}

/* Clocks pass while what was asked for rests; `call` is made again each time. */
#define WHEN_RESTED(p, result, call)                                                               \
    for (unsigned waited_ = 0; ((result) = (call)) == DRV_RESTS && waited_ < RESTS_MOST;           \
         waited_ += REST_CLOCKS)                                                                   \
    chips_host((p)->machine->chips, (p)->node)                                                     \
        .advance(chips_host((p)->machine->chips, (p)->node).context, REST_CLOCKS)

struct job *job_of(struct program *p, uint64_t number)
{
    enum drv_result result;
    for (unsigned i = 0; i < p->jobs; i++)
        if (p->job[i].number == number)
            return &p->job[i];
    if (p->jobs == MACHINE_JOBS)
        return NULL;
    struct job *j = &p->job[p->jobs];
    *j = (struct job){.number = number, .program = p, .descriptor = -1};
    WHEN_RESTED(p, result, drv_process(driver_of(p), number, &j->process));
    if (result != DRV_OK)
        return NULL;
    p->jobs++;
    return j;
}

/* ---- domains --------------------------------------------------------------------------------------------- */

struct domain *domain_of(struct program *p, uint64_t key)
{
    struct domain *d = p->domains;
    while (d != NULL && d->key != key)
        d = d->next;
    return d;
}

static bool is_taken(const struct machine *m, uint32_t address, uint64_t job, uint32_t inst)
{
    for (unsigned i = 0; i < m->programs; i++)
        for (const struct domain *d = m->program[i]->domains; d != NULL; d = d->next)
            if (m->program[i]->address == address && d->job->number == job && d->inst == inst)
                return true;
    return false;
}

static enum drv_result new_descriptor(struct job *j, int *descriptor)
{
    const struct drv_descriptor want = {
        .transactions = chips_sizes.transactions, .requests = chips_sizes.requests, .flags = true};
    enum drv_result result;
    unsigned name = 0;
    WHEN_RESTED(j->program, result, drv_descriptor(j->process, &want, &name));
    if (result == DRV_OK) {
        *descriptor = (int)name;
        j->program->machine->node[j->program->node].fma[name] = j->program;
    }
    return result;
}

static void attach(struct program *p, const struct wire_request *r, struct wire_answer *a)
{
    struct machine *m = p->machine;
    if (is_taken(m, p->address, r->word[0], (uint32_t)r->word[1])) {
        a->result = WIRE_BUSY;
        return;
    }
    struct job *j = job_of(p, r->word[0]);
    struct domain *d = calloc(1, sizeof *d);
    if (j == NULL || d == NULL) {
        free(d);
        a->result = WIRE_FULL;
        return;
    }
    *d = (struct domain){.key = m->next_domain++, .inst = (uint32_t)r->word[1], .job = j};
    d->own = r->word[2] != 0;
    d->descriptor = d->own ? -1 : j->descriptor;
    a->result = d->descriptor >= 0 ? WIRE_OK : wire_of(new_descriptor(j, &d->descriptor));
    if (a->result != WIRE_OK) {
        free(d);
        return;
    }
    if (!d->own)
        j->descriptor = d->descriptor;
    d->next = p->domains;
    p->domains = d;
    a->word[0] = d->key;
    a->word[1] = drv_page(driver_of(p), (unsigned)d->descriptor);
    a->word[2] = drv_put_window(driver_of(p), (unsigned)d->descriptor);
    a->word[3] = drv_get_window(driver_of(p), (unsigned)d->descriptor);
    a->word[4] = drv_ptag(j->process);
}

static void detach(struct program *p, const struct wire_request *r, struct wire_answer *a)
{
    struct domain **at = &p->domains;
    while (*at != NULL && (*at)->key != r->word[0])
        at = &(*at)->next;
    struct domain *d = *at;
    if (d == NULL) {
        a->result = WIRE_WRONG;
        return;
    }
    *at = d->next;
    datagrams_end(d);
    if (d->own) {
        p->machine->node[p->node].fma[d->descriptor] = NULL;
        a->result = wire_of(drv_descriptor_end(d->job->process, (unsigned)d->descriptor));
    }
    free(d);
}

/* ---- memory ------------------------------------------------------------------------------------------------ */

static void register_memory(struct program *p, const struct wire_request *r, struct wire_answer *a)
{
    struct job *j = job_of(p, r->word[0]);
    struct drv_segment want = {.bytes = r->word[2],
                               .read = true,
                               .write = (r->word[3] & WIRE_WRITE) != 0,
                               .atomic = (r->word[3] & WIRE_WRITE) != 0,
                               .events = r->word[4] != WIRE_ANY,
                               .queue = r->word[4] == WIRE_ANY ? 0 : (unsigned)r->word[4]};
    const int name = r->word[5] == WIRE_ANY ? NAMES_ANY : (int)(r->word[5] & 0xFFFF);
    enum drv_result result = DRV_FULL;
    unsigned mdh = 0;
    if (want.events &&
        (r->word[4] >= MACHINE_CQS || p->machine->node[p->node].cq[r->word[4]] != p)) {
        a->result = WIRE_WRONG;
        return;
    }
    if (j != NULL)
        result = drv_memory(j->process, r->word[1], r->word[2], &want.place);
    if (result == DRV_OK) {
        WHEN_RESTED(p, result, drv_segment(j->process, name, &want, &mdh));
        if (result != DRV_OK)
            drv_memory_end(j->process, want.place);
    }
    a->word[0] = mdh;
    a->result = wire_of(result);
}

static void deregister(struct program *p, const struct wire_request *r, struct wire_answer *a)
{
    struct job *j = job_of(p, r->word[0]);
    uint64_t place = 0, bytes = 0;
    enum drv_result result =
        j == NULL ? DRV_WRONG : drv_segment_place(j->process, (unsigned)r->word[1], &place, &bytes);
    result = result == DRV_OK ? drv_segment_end(j->process, (unsigned)r->word[1]) : result;
    result = result == DRV_OK ? drv_memory_end(j->process, place) : result;
    a->result = wire_of(result);
}

/* ---- queues ------------------------------------------------------------------------------------------------- */

static struct ring_memory *map_ring(int file, uint64_t bytes)
{
    struct stat info;
    struct ring_memory *r = calloc(1, sizeof *r);
    if (r == NULL)
        return NULL;
    r->bytes = bytes;
    const bool fits = file < 0 || (fstat(file, &info) == 0 && (uint64_t)info.st_size >= bytes);
    void *at = !fits ? MAP_FAILED
                     : mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                            file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED, file, 0);
    if (at == MAP_FAILED) {
        free(r);
        return NULL;
    }
    r->at = at;
    r->entries = at;
    return r;
}

/* file: of the program, or -1: memory of the machine alone. */
struct ring_memory *ring_new(struct job *j, unsigned log2, int file, enum wire_result *wire)
{
    struct program *p = j->program;
    struct ring_memory *r = log2 < 6 || log2 > 20 ? NULL : map_ring(file, UINT64_C(8) << log2);
    struct drv_queue want = {.log2 = log2, .threshold = 1};
    enum drv_result result;
    *wire = WIRE_WRONG;
    if (r == NULL)
        return NULL;
    result = drv_memory(j->process, (uintptr_t)r->at, r->bytes, &want.place);
    r->place = want.place;
    if (result == DRV_OK)
        WHEN_RESTED(p, result, drv_queue(j->process, NAMES_ANY, &want, &r->queue));
    *wire = wire_of(result);
    if (result != DRV_OK) {
        munmap(r->at, r->bytes);
        free(r);
        return NULL;
    }
    p->machine->node[p->node].cq[r->queue] = p;
    r->next = p->rings;
    p->rings = r;
    return r;
}

enum wire_result ring_end(struct job *j, unsigned queue)
{
    struct program *p = j->program;
    struct ring_memory **at = &p->rings;
    while (*at != NULL && (*at)->queue != queue)
        at = &(*at)->next;
    struct ring_memory *r = *at;
    if (r == NULL)
        return WIRE_WRONG;
    enum drv_result result = drv_queue_end(j->process, queue);
    result = result == DRV_OK ? drv_memory_end(j->process, r->place) : result;
    if (result != DRV_OK)
        return wire_of(result);
    p->machine->node[p->node].cq[queue] = NULL;
    *at = r->next;
    munmap(r->at, r->bytes);
    free(r);
    return WIRE_OK;
}

static void new_queue(struct program *p, const struct wire_request *r, int file,
                      struct wire_answer *a)
{
    struct job *j = job_of(p, r->word[0]);
    enum wire_result result = WIRE_FULL;
    struct ring_memory *ring =
        j == NULL || file < 0 ? NULL : ring_new(j, (unsigned)(r->word[1] & 63), file, &result);
    a->result = result;
    if (ring != NULL) {
        a->word[0] = ring->queue;
        a->word[1] = drv_queue_page(driver_of(p), ring->queue);
    }
}

/* ---- all --------------------------------------------------------------------------------------------------- */

static void load(struct program *p, const struct wire_request *r, struct wire_answer *a)
{
    const struct nic_host host = chips_host(p->machine->chips, p->node);
    const uint64_t unit = r->word[0] / SPANS_PAGE;
    if (unit >= MACHINE_FMAS || p->machine->node[p->node].fma[unit] != p)
        a->result = WIRE_WRONG;
    else
        a->word[0] = host.load(host.context, r->word[0] / 8 * 8);
}

/* No domain of that address, or none yet: its first node. */
static void where(const struct program *p, const struct wire_request *r, struct wire_answer *a)
{
    const struct domain *d =
        domain_named(p->machine, r->word[0], (uint32_t)r->word[1], (uint32_t)r->word[2]);
    a->word[0] = d == NULL || d->inst != (uint32_t)r->word[2]
                     ? r->word[1]
                     : chips_address(p->machine->chips, d->job->program->node);
    a->word[1] = d != NULL && d->inst == (uint32_t)r->word[2];
}

static void resources(struct program *p, struct wire_answer *a)
{
    const struct drv_use use = drv_use(driver_of(p));
    a->word[0] = use.segments;
    a->word[1] = use.segments_most;
    a->word[2] = use.queues;
    a->word[3] = use.queues_most;
    a->word[4] = use.descriptors;
    a->word[5] = use.descriptors_most;
}

static void datagram(struct program *p, const struct wire_request *r, struct wire_answer *a)
{
    struct domain *d = domain_of(p, r->word[0]);
    if (d == NULL)
        a->result = WIRE_WRONG;
    else if (r->op == WIRE_DATAGRAM)
        datagram_post(d, r, a);
    else if (r->op == WIRE_TEST)
        datagram_test(d, r, a);
    else if (r->op == WIRE_CANCEL)
        datagram_cancel(d, r, a);
    else
        datagram_probe(d, r->word[1] != 0, a);
}

void request_answer(struct program *p, const struct wire_request *r, int file,
                    struct wire_answer *a)
{
    struct job *j = NULL;
    switch (r->op) {
    case WIRE_ATTACH:
        attach(p, r, a);
        break;
    case WIRE_DETACH:
        detach(p, r, a);
        break;
    case WIRE_REGISTER:
        register_memory(p, r, a);
        break;
    case WIRE_DEREGISTER:
        deregister(p, r, a);
        break;
    case WIRE_QUEUE:
        new_queue(p, r, file, a);
        break;
    case WIRE_QUEUE_END:
        j = job_of(p, r->word[0]);
        a->result = j == NULL ? WIRE_FULL : ring_end(j, (unsigned)r->word[1]);
        break;
    case WIRE_LOAD:
        load(p, r, a);
        break;
    case WIRE_RDMA:
        j = job_of(p, r->word[0]);
        if (j == NULL)
            a->result = WIRE_FULL;
        else
            rdma_post(j, r, a);
        break;
    case WIRE_WHERE:
        where(p, r, a);
        break;
    case WIRE_RESOURCES:
        resources(p, a);
        break;
    default:
        datagram(p, r, a);
        break;
    }
}
