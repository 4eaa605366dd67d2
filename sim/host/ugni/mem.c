// SPDX-License-Identifier: Apache-2.0
/*
 * mem.c - registered memory and its handles.
 *
 * A handle names the page of its address, so an offset is counted from there; what the NIC lets pass ends at the region's end, up to a
 * multiple of 4. A registration has a generation in its handle: a stale one is told apart here, and gives messages another key.
 */
#include "sim/host/ugni/inside.h"

static struct registration {
    bool used;
    bool writable;
    unsigned generation;
    uint64_t page, from, to; /* page of the address, region up to a multiple of 4 */
    uint64_t job;
    gni_cq_handle_t queue; /* of its events, or null */
} registrations[REGISTRATIONS];

/* ---- words of a handle ------------------------------------------------------------------------------------- */

enum {
    GENERATION_AT = 8,
    GENERATION_BITS = 14,
    FLAGS_AT = 22,
    PAGE_AT = 30,
    PAGES_AT = 36,
    PAGE_LOG2 = 12,
    NAME_TRIES = 16 /* names that are not free on all nodes of a process */
};

static uint8_t sum(const gni_mem_handle_t *h)
{
    uint64_t x = h->qword1 ^ (h->qword2 >> 8) * UINT64_C(0x9E3779B97F4A7C15);
    x ^= x >> 32;
    x ^= x >> 16;
    return (uint8_t)((x ^ x >> 8) | 1); /* so that no handle is {0, 0} */
}

bool mem_is_handle(const gni_mem_handle_t *h)
{
    return (uint8_t)h->qword2 == sum(h) && (h->qword2 >> PAGE_AT & 63) == PAGE_LOG2;
}

unsigned mem_mdh(const gni_mem_handle_t *h)
{
    return (unsigned)(h->qword1 & 0xFFF);
}

uint32_t mem_tag(const gni_mem_handle_t *h)
{
    const unsigned generation = h->qword2 >> GENERATION_AT & ((1u << GENERATION_BITS) - 1);
    return generation << 12 | mem_mdh(h);
}

static uint64_t page_of(const gni_mem_handle_t *h)
{
    return h->qword1 & ~UINT64_C(0xFFF);
}

bool mem_offset(const gni_mem_handle_t *h, uint64_t address, uint64_t bytes, uint64_t *offset)
{
    const uint64_t all = (h->qword2 >> PAGES_AT) << PAGE_LOG2;
    *offset = address - page_of(h);
    return mem_is_handle(h) && address >= page_of(h) && *offset <= all && all - *offset >= bytes;
}

gni_return_t mem_local(const gni_mem_handle_t *h, uint64_t address, uint64_t bytes, bool write)
{
    const struct registration *r = &registrations[mem_mdh(h)];
    const bool known =
        mem_is_handle(h) && r->used && r->page == page_of(h) &&
        r->generation == (h->qword2 >> GENERATION_AT & ((1u << GENERATION_BITS) - 1));
    if (!known || address < r->page || address > r->to || r->to - address < bytes)
        return GNI_RC_PERMISSION_ERROR;
    return write && !r->writable ? GNI_RC_PERMISSION_ERROR : GNI_RC_SUCCESS;
}

/* ---- calls --------------------------------------------------------------------------------------------------- */

static gni_mem_handle_t handle_of(unsigned mdh)
{
    const struct registration *r = &registrations[mdh];
    const uint64_t pages = (r->to - r->page + PAGE - 1) / PAGE;
    gni_mem_handle_t h = {.qword1 = r->page | mdh,
                          .qword2 = pages << PAGES_AT | (uint64_t)PAGE_LOG2 << PAGE_AT |
                                    (uint64_t)r->generation << GENERATION_AT};
    h.qword2 |= sum(&h);
    return h;
}

/* What is registered on each node of the process. */
struct region {
    uint64_t job, page, bytes, rights;
    const struct cq *queue;
};

/* On one node; mdh: this one, or WIRE_ANY. */
static gni_return_t register_at(unsigned way, const struct region *r, uint64_t *mdh)
{
    struct way *w = machine_way(way);
    const bool events = r->queue != NULL && r->queue->nic->way == w;
    const uint64_t words[] = {
        r->job, r->page, r->bytes, r->rights, events ? r->queue->queue : WIRE_ANY, *mdh};
    struct wire_answer a;
    const gni_return_t code = code_of(machine_ask(w, WIRE_REGISTER, words, 6, -1, &a));
    *mdh = a.word[0];
    return code;
}

static gni_return_t deregister_at(unsigned way, uint64_t job, uint64_t mdh)
{
    const uint64_t words[] = {job, mdh};
    struct wire_answer a;
    return code_of(machine_ask(machine_way(way), WIRE_DEREGISTER, words, 2, -1, &a));
}

/* On all nodes with one name. One that another node has given away is held until the next one is found. */
static gni_return_t register_everywhere(const struct region *r, uint64_t *mdh)
{
    uint64_t held[NAME_TRIES];
    unsigned tries = 0;
    gni_return_t code;
    do {
        *mdh = WIRE_ANY;
        code = register_at(0, r, mdh);
        if (code != GNI_RC_SUCCESS)
            break;
        unsigned done = 1;
        for (; done < machine_ways() && code == GNI_RC_SUCCESS; done++) {
            uint64_t wanted = *mdh;
            code = register_at(done, r, &wanted);
        }
        for (unsigned i = 1; code != GNI_RC_SUCCESS && i + 1 < done; i++)
            deregister_at(i, r->job, *mdh);
        if (code != GNI_RC_SUCCESS)
            held[tries++] = *mdh;
    } while (code == GNI_RC_ERROR_RESOURCE && tries < NAME_TRIES);
    for (unsigned i = 0; i < tries; i++)
        deregister_at(0, r->job, held[i]);
    return code;
}

static gni_return_t register_region(struct nic *n, uint64_t address, uint64_t length,
                                    gni_cq_handle_t queue, uint32_t flags, gni_mem_handle_t *handle)
{
    static unsigned generation;
    const uint64_t page = address / PAGE * PAGE, to = (address + length + 3) / 4 * 4;
    const bool writable = (flags & GNI_MEM_READ_ONLY) == 0;
    const struct region r = {n->job, page, to - page, writable ? WIRE_READ | WIRE_WRITE : WIRE_READ,
                             handle_get(KIND_CQ, queue)};
    uint64_t mdh;
    const gni_return_t code = register_everywhere(&r, &mdh);
    if (code != GNI_RC_SUCCESS)
        return code;
    generation = (generation + 1) % (1u << GENERATION_BITS);
    registrations[mdh] = (struct registration){.used = true,
                                               .writable = writable,
                                               .generation = generation,
                                               .page = page,
                                               .from = address,
                                               .to = to,
                                               .job = n->job,
                                               .queue = queue};
    n->stat[GNI_STAT_REGISTRATIONS]++;
    *handle = handle_of((unsigned)mdh);
    return GNI_RC_SUCCESS;
}

gni_return_t GNI_MemRegister(gni_nic_handle_t nic, uint64_t address, uint64_t length,
                             gni_cq_handle_t queue, uint32_t flags, uint32_t vmdh,
                             gni_mem_handle_t *handle)
{
    sigset_t signals;
    const uint32_t both = GNI_MEM_READWRITE | GNI_MEM_READ_ONLY;
    if (handle == NULL || length == 0 || length >= UINT64_C(1) << 40 ||
        address + length < address || (flags & both) == both || (flags & GNI_MEM_USE_VMDH) != 0 ||
        vmdh != UINT32_MAX)
        return GNI_RC_INVALID_PARAM;
    ugni_lock(&signals);
    struct nic *n = handle_get(KIND_NIC, nic);
    const bool good = n != NULL && (queue == NULL || handle_get(KIND_CQ, queue) != NULL);
    const gni_return_t code = !good ? GNI_RC_INVALID_PARAM
                              : machine_forked()
                                  ? GNI_RC_INVALID_STATE
                                  : register_region(n, address, length, queue, flags, handle);
    ugni_unlock(&signals);
    return code;
}

gni_return_t GNI_MemDeregister(gni_nic_handle_t nic, gni_mem_handle_t *handle)
{
    sigset_t signals;
    if (handle == NULL)
        return GNI_RC_INVALID_PARAM;
    ugni_lock(&signals);
    const struct nic *n = handle_get(KIND_NIC, nic);
    gni_return_t code = n == NULL || mem_local(handle, page_of(handle), 0, false) != GNI_RC_SUCCESS
                            ? GNI_RC_INVALID_PARAM
                        : machine_forked() ? GNI_RC_INVALID_STATE
                                           : GNI_RC_SUCCESS;
    if (code == GNI_RC_SUCCESS) {
        struct registration *r = &registrations[mem_mdh(handle)];
        for (unsigned i = 0; i < machine_ways(); i++) {
            const gni_return_t here = deregister_at(i, r->job, mem_mdh(handle));
            code = code == GNI_RC_SUCCESS ? here : code;
        }
        r->used = false;
        cq_forget(handle_get(KIND_CQ, r->queue), mem_tag(handle));
    }
    ugni_unlock(&signals);
    return code;
}
