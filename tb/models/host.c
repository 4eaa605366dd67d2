// SPDX-License-Identifier: Apache-2.0
/*
 * host.c - a memory behind AXI4, and what it has under way.
 */
#include "tb/models/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 16, PAGE = 4096, FAULTS = 8, MOST_BEATS = 16, IDS = 1 << AXI_ID_BITS };

struct burst {
    uint64_t address;
    unsigned beats, beat, id;
    uint64_t due;  /* the clock from which it may be answered */
    uint64_t turn; /* of its request, for answers in order */
    bool whole;    /* a write: all data is here */
    bool error;    /* a read: a beat was answered so */
    uint8_t data[MOST_BEATS * LINE];
    uint16_t strobe[MOST_BEATS];
};

/* Data that came before its address. */
struct early {
    uint8_t data[LINE];
    uint16_t strobe;
    bool last;
};

/* Bursts in the order of their requests; those answered are taken out. */
struct list {
    struct burst *burst;
    unsigned count;
};

struct host {
    uint64_t size, clock, turns, pause_until;
    uint8_t *memory;
    struct host_knobs knobs;
    struct host_fault fault[FAULTS];
    unsigned faults;
    struct rng rng;
    host_access *access;
    void *whose;
    struct list writes, reads;
    unsigned data_at; /* the write whose data comes next */
    struct early early[HOST_EARLY];
    unsigned early_count, early_bursts;
    struct axi_from_man before; /* and what was not taken of it */
    bool aw_waits, w_waits, ar_waits;
    bool b_out, r_out; /* offered, and not taken */
    struct host_broken broken;
};

struct host *host_new(uint64_t size, uint64_t seed, host_access *access, void *whose)
{
    struct host *h = calloc(1, sizeof(*h));

    if (h == NULL) {
        abort();
    }
    h->size = size;
    h->access = access;
    h->whose = whose;
    h->memory = calloc(size, 1);
    h->writes.burst = calloc(HOST_UNDER_WAY, sizeof(struct burst));
    h->reads.burst = calloc(HOST_UNDER_WAY, sizeof(struct burst));
    if (h->memory == NULL || h->writes.burst == NULL || h->reads.burst == NULL) {
        abort();
    }
    rng_seed(&h->rng, seed);
    return h;
}

void host_free(struct host *h)
{
    free(h->memory);
    free(h->writes.burst);
    free(h->reads.burst);
    free(h);
}

void host_restart(struct host *h)
{
    h->writes.count = 0;
    h->reads.count = 0;
    h->data_at = 0;
    h->early_count = 0;
    h->early_bursts = 0;
    h->before = (struct axi_from_man){};
    h->aw_waits = h->w_waits = h->ar_waits = false;
    h->b_out = h->r_out = false;
}

void host_set(struct host *h, const struct host_knobs *knobs)
{
    h->knobs = *knobs;
}

void host_add_fault(struct host *h, const struct host_fault *fault)
{
    if (h->faults == FAULTS) {
        abort();
    }
    h->fault[h->faults++] = *fault;
}

void host_clear_faults(struct host *h)
{
    h->faults = 0;
}

uint8_t *host_memory(struct host *h)
{
    return h->memory;
}

bool host_idle(const struct host *h)
{
    return h->writes.count == 0 && h->reads.count == 0 && h->early_count == 0;
}

bool host_paused(const struct host *h)
{
    return h->knobs.dead || h->clock <= h->pause_until;
}

const struct host_broken *host_broken(const struct host *h)
{
    return &h->broken;
}

uint64_t host_broken_rules(const struct host *h)
{
    const struct host_broken *b = &h->broken;

    return b->aw_changed + b->w_changed + b->ar_changed + b->crosses_4k + b->burst_kind +
           b->too_long + b->wlast + b->strobes;
}

/* ---- the checker ------------------------------------------------------------------------------- */

static void broke(struct host *h, uint64_t *rule, const char *what)
{
    if (host_broken_rules(h) == 0) {
        snprintf(h->broken.first, HOST_TEXT, "clock %llu: %s", (unsigned long long)h->clock, what);
    }
    ++*rule;
}

static void check_stable(struct host *h, const struct axi_from_man *now)
{
    const struct axi_from_man *was = &h->before;

    if (h->aw_waits && (!now->awvalid || now->awaddr != was->awaddr || now->awlen != was->awlen ||
                        now->awid != was->awid)) {
        broke(h, &h->broken.aw_changed, "AW changed before it was taken");
    }
    if (h->w_waits && (!now->wvalid || now->wdata != was->wdata || now->wstrb != was->wstrb ||
                       now->wlast != was->wlast)) {
        broke(h, &h->broken.w_changed, "W changed before it was taken");
    }
    if (h->ar_waits && (!now->arvalid || now->araddr != was->araddr || now->arlen != was->arlen ||
                        now->arid != was->arid)) {
        broke(h, &h->broken.ar_changed, "AR changed before it was taken");
    }
}

static void check_burst(struct host *h, uint64_t address, unsigned len, unsigned size,
                        unsigned kind)
{
    uint64_t first = address / LINE * LINE, last = first + (uint64_t)len * LINE;

    if (kind != AXI_INCR || size != AXI_SIZE16) {
        broke(h, &h->broken.burst_kind, "a burst that is not INCR of 16 bytes");
    }
    if (len + 1 > MOST_BEATS) {
        broke(h, &h->broken.too_long, "a burst of more than 16 beats");
    }
    if (first / PAGE != last / PAGE) {
        broke(h, &h->broken.crosses_4k, "a burst over a boundary of 4 KB");
    }
}

/* ---- requests ----------------------------------------------------------------------------------- */

static struct burst *append(struct host *h, struct list *l, uint64_t address, unsigned len,
                            unsigned id)
{
    struct burst *b = &l->burst[l->count++];

    *b = (struct burst){
        .address = address,
        .beats = len + 1 > MOST_BEATS ? MOST_BEATS : len + 1,
        .id = id,
        .turn = h->turns++,
        .due = h->clock + h->knobs.latency +
               (h->knobs.latency_extra != 0 ? rng_below(&h->rng, h->knobs.latency_extra) : 0)};
    return b;
}

static bool fault_at(const struct host *h, uint64_t address, bool poison)
{
    for (unsigned i = 0; i < h->faults; i++) {
        const struct host_fault *f = &h->fault[i];

        if (address < f->to && address + LINE > f->from && (poison ? f->poison : f->bus_error)) {
            return true;
        }
    }
    return false;
}

static void take_aw(struct host *h, const struct axi_from_man *from)
{
    check_burst(h, from->awaddr, from->awlen, from->awsize, from->awburst);
    append(h, &h->writes, from->awaddr, from->awlen, (unsigned)from->awid);
}

static void take_w(struct host *h, const struct axi_from_man *from)
{
    struct early *e = &h->early[h->early_count++];

    memcpy(e->data, &from->wdata, LINE);
    e->strobe = from->wstrb;
    e->last = from->wlast;
    h->early_bursts += e->last;
}

/* A beat of data that has its address. */
static void join(struct host *h)
{
    struct burst *b = &h->writes.burst[h->data_at];
    struct early e = h->early[0];

    memmove(h->early, h->early + 1, --h->early_count * sizeof(e));
    h->early_bursts -= e.last;
    memcpy(b->data + LINE * b->beat, e.data, LINE);
    b->strobe[b->beat] = e.strobe;
    b->beat++;
    if (e.last != (b->beat == b->beats)) {
        broke(h, &h->broken.wlast, "WLAST is not at the last beat");
    }
    if (b->beat == b->beats) {
        b->whole = true;
        b->due += h->clock > b->due - h->knobs.latency ? h->clock - (b->due - h->knobs.latency) : 0;
        h->data_at++;
    }
}

static bool takes_aw(const struct host *h)
{
    return h->writes.count < HOST_UNDER_WAY &&
           (h->knobs.taking != HOST_DATA_FIRST || h->early_bursts > 0);
}

static bool takes_w(const struct host *h)
{
    return h->early_count < HOST_EARLY &&
           (h->knobs.taking != HOST_ADDRESS_FIRST || h->data_at < h->writes.count);
}

/* ---- answers ------------------------------------------------------------------------------------ */

/* The index of one that may be answered now: the first of its ID, and by chance which ID; or -1. */
static int choose(struct host *h, const struct list *l, bool writes)
{
    uint32_t ids = 0, seen = 0;
    unsigned at;

    for (unsigned i = 0; i < l->count; i++) {
        const struct burst *b = &l->burst[i];

        bool silent = !writes && (h->knobs.silent >> b->id & 1) != 0;

        if ((seen >> b->id & 1) == 0 && b->due <= h->clock && (!writes || b->whole) && !silent) {
            ids |= 1u << b->id;
        }
        seen |= 1u << b->id;
        if (h->knobs.in_order) {
            break;
        }
    }
    if (ids == 0) {
        return -1;
    }
    at = rng_bit(&h->rng, ids);
    for (unsigned i = 0; i < l->count; i++) {
        if (l->burst[i].id == at) {
            return (int)i;
        }
    }
    return -1;
}

static void take_out(struct list *l, unsigned at)
{
    memmove(&l->burst[at], &l->burst[at + 1], (--l->count - at) * sizeof(struct burst));
}

static bool strobe(const struct burst *b, unsigned byte)
{
    return byte < b->beats * LINE && (b->strobe[byte / LINE] >> byte % LINE & 1) != 0;
}

/* The bytes from `first` on that are written without a gap. */
static unsigned run_at(const struct burst *b, unsigned first)
{
    unsigned bytes = 0;

    while (strobe(b, first + bytes)) {
        bytes++;
    }
    return bytes;
}

/* A write is in memory: shown as one run of bytes; strobes must be one, but where holes are allowed. */
static bool commit(struct host *h, struct burst *b)
{
    uint64_t base = b->address / LINE * LINE;
    unsigned start = b->address % LINE, all = b->beats * LINE, bytes = 0;
    bool error = base + all > h->size;

    for (unsigned i = 0; i < all; i++) {
        bytes += strobe(b, i);
    }
    if (!h->knobs.holes && (bytes == 0 || run_at(b, start) != bytes)) {
        broke(h, &h->broken.strobes, "strobes are not one run of bytes from the address on");
        return true;
    }
    for (unsigned i = 0; i < b->beats; i++) {
        error |= fault_at(h, base + i * LINE, false);
    }
    for (unsigned i = 0; i < all && !error; i += 1 + bytes) {
        bytes = run_at(b, i);
        if (bytes != 0) {
            memcpy(h->memory + base + i, b->data + i, bytes);
            if (h->access != NULL) {
                h->access(h->whose, base + i, b->data + i, bytes, true, b->id);
            }
        }
    }
    return error;
}

static void drive_b(struct host *h, const struct axi_from_man *from, struct axi_to_man *to,
                    bool quiet)
{
    int at = h->b_out || quiet ? -1 : choose(h, &h->writes, true);

    if (at >= 0) {
        struct burst b = h->writes.burst[at];

        take_out(&h->writes, (unsigned)at);
        h->data_at--;
        to->bvalid = 1;
        to->bid = (axi_id)b.id;
        to->bresp = commit(h, &b) ? AXI_SLVERR : AXI_OKAY;
        h->b_out = true;
    }
    to->bvalid = h->b_out;
    h->b_out = h->b_out && !from->bready;
}

static void drive_r(struct host *h, const struct axi_from_man *from, struct axi_to_man *to,
                    bool quiet)
{
    int at = h->r_out || quiet ? -1 : choose(h, &h->reads, false);

    if (at >= 0) {
        struct burst *b = &h->reads.burst[at];
        uint64_t line = b->address / LINE * LINE + (uint64_t)b->beat * LINE;
        bool error = line + LINE > h->size || fault_at(h, line, false);

        to->rid = (axi_id)b->id;
        to->rresp = error ? AXI_SLVERR : AXI_OKAY;
        to->ruser = fault_at(h, line, true);
        memset(&to->rdata, 0, LINE);
        if (!error) {
            memcpy(&to->rdata, h->memory + line, LINE);
            memcpy(b->data + LINE * b->beat, h->memory + line, LINE);
        }
        b->error |= error;
        b->beat++;
        to->rlast = b->beat == b->beats;
        h->r_out = true;
        if (to->rlast) {
            uint64_t end = b->address / LINE * LINE + (uint64_t)b->beats * LINE;

            if (h->access != NULL && !b->error) {
                h->access(h->whose, b->address, b->data + b->address % LINE,
                          (unsigned)(end - b->address), false, b->id);
            }
            take_out(&h->reads, (unsigned)at);
        }
    }
    to->rvalid = h->r_out;
    h->r_out = h->r_out && !from->rready;
}

void host_step(struct host *h, const struct axi_from_man *from, struct axi_to_man *to)
{
    bool paused;

    h->clock++;
    if (h->clock > h->pause_until && rng_chance(&h->rng, h->knobs.pause)) {
        h->pause_until = h->clock + 1 + rng_below(&h->rng, h->knobs.pause_clocks);
    }
    paused = host_paused(h);
    check_stable(h, from);
    drive_b(h, from, to, paused || rng_chance(&h->rng, h->knobs.stall));
    drive_r(h, from, to, paused || rng_chance(&h->rng, h->knobs.stall));
    to->awready = !paused && takes_aw(h) && !rng_chance(&h->rng, h->knobs.stall);
    to->arready =
        !paused && h->reads.count < HOST_UNDER_WAY && !rng_chance(&h->rng, h->knobs.stall);
    if (from->awvalid && to->awready) {
        take_aw(h, from);
    }
    to->wready = !paused && takes_w(h) && !rng_chance(&h->rng, h->knobs.stall);
    if (from->wvalid && to->wready) {
        take_w(h, from);
    }
    while (h->early_count != 0 && h->data_at < h->writes.count) {
        join(h);
    }
    if (from->arvalid && to->arready) {
        check_burst(h, from->araddr, from->arlen, from->arsize, from->arburst);
        append(h, &h->reads, from->araddr, from->arlen, (unsigned)from->arid);
    }
    h->aw_waits = from->awvalid && !to->awready;
    h->w_waits = from->wvalid && !to->wready;
    h->ar_waits = from->arvalid && !to->arready;
    h->before = *from;
}
