// SPDX-License-Identifier: Apache-2.0
/*
 * nic.c - makes packets, sends them by credit, checks what arrives.
 */
#include "nic.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NUMBER_BITS = 24, /* what fits into a flit of any machine */
    NIC_WAITS = 32    /* clocks after reset, in which queues wipe their counts */
};

/* ---- credits ---------------------------------------------------------------------------------- */

static unsigned beyond(const struct router_model *m, unsigned used)
{
    return used > m->credit ? used - m->credit : 0;
}

void account_charge(struct account *a, const struct router_model *m, unsigned vc, unsigned flits)
{
    a->borrowed += beyond(m, a->used[vc] + flits) - beyond(m, a->used[vc]);
    a->used[vc] += flits;
}

void account_free(struct account *a, const struct router_model *m, unsigned vc, unsigned flits)
{
    a->borrowed -= beyond(m, a->used[vc]) - beyond(m, a->used[vc] - flits);
    a->used[vc] -= flits;
}

uint8_t account_room(const struct account *a, const struct router_model *m)
{
    const unsigned packet = m->machine->packet;
    const bool lends = a->borrowed + packet <= m->credit_shared;
    unsigned room = 0;
    for (unsigned vc = 0; vc < m->machine->vcs; vc++)
        room |= (unsigned)(lends || a->used[vc] + packet <= m->credit) << vc;
    return (uint8_t)room;
}

/* ---- packets ---------------------------------------------------------------------------------- */

static int32_t packet_new(struct pool *p)
{
    if (p->free == NIC_NOBODY) {
        const uint32_t size = p->size ? p->size * 2 : 1024;
        if (size > 1U << NUMBER_BITS)
            sim_fail("more than %u packets wait; ask for fewer clocks or less load", p->size);
        struct packet *more = realloc(p->packet, size * sizeof *more);
        if (!more)
            sim_fail("out of memory for %" PRIu32 " packets", size);
        p->packet = more;
        for (uint32_t i = p->size; i < size; i++)
            p->packet[i] = (struct packet){.next = i + 1 < size ? (int32_t)i + 1 : NIC_NOBODY};
        p->free = (int32_t)p->size;
        p->size = size;
    }
    const int32_t number = p->free;
    p->free = p->packet[number].next;
    return number;
}

/* Flit i of a packet; 1 is its number, the head is made elsewhere. */
static uint64_t body_flit(const struct nics *n, int32_t number, unsigned i)
{
    const struct packet *p = &n->pool.packet[number];
    struct sim_random r = {(uint64_t)p->serial << 8 ^ (uint64_t)i};
    if (i == 1)
        return (uint64_t)number;
    return sim_random(&r) & ((UINT64_C(1) << n->model->machine->flit_bits) - 1);
}

static uint64_t head_flit(const struct nics *n, const struct packet *p)
{
    const struct node *to = &n->topology->node[p->to];
    return n->model->machine->pack_head(&(struct head){
        .vc = n->topology->first_vc[p->class],
        .length = p->length,
        .mode = traffic_mode(&n->traffic, p->class),
        .global = to->global,
        .local = to->local,
        .sub = to->sub,
        .hash = n->traffic.routing == ROUTING_ORDERED ? p->from : p->serial,
        .tag = p->tag,
    });
}

/* ---- sending ---------------------------------------------------------------------------------- */

static void make_packet(struct nics *n, struct nic *nic, struct packet p)
{
    const int32_t number = packet_new(&n->pool);
    p.made = n->now;
    p.serial = n->pool.serial++;
    p.next = NIC_NOBODY;
    n->pool.packet[number] = p;
    if (nic->queue[p.class].first == NIC_NOBODY)
        nic->queue[p.class].first = number;
    else
        n->pool.packet[nic->queue[p.class].last].next = number;
    nic->queue[p.class].last = number;
    n->offered += p.length;
    n->made++;
}

static void make_request(struct nics *n, struct nic *nic)
{
    const unsigned class = n->traffic.responds ? 0 : sim_below(&n->random, NIC_CLASSES);
    make_packet(
        n, nic,
        (struct packet){
            .from = nic->node,
            .to = traffic_destination(&n->traffic, n->topology, nic->node, nic->made++, &n->random),
            .length = (uint8_t)traffic_length(&n->traffic, &n->random),
            .class = (uint8_t)class,
        });
}

/* A packet begins with a probability that offers `load` flits per clock in the mean. */
void nics_make(struct nics *n)
{
    const double mean = (n->traffic.shortest + n->traffic.longest) / 2.0;
    const double chance = n->traffic.load / mean / (n->traffic.responds ? 2 : 1);
    for (unsigned i = 0; !n->closed && i < n->count; i++)
        if (sim_unit(&n->random) < chance && traffic_sends(&n->traffic, n->nic[i].node))
            make_request(n, &n->nic[i]);
}

/* A tag that no packet on its way to the same node has; false if none is free. Longer packets need none. */
static bool tag(struct nics *n, int32_t number)
{
    const unsigned tags = n->model->machine->tags;
    struct packet *p = &n->pool.packet[number];
    if (p->length > 1 || !n->tagged)
        return true;
    int32_t *tagged = &n->tagged[(size_t)p->to * tags];
    for (unsigned k = 0; k < tags; k++) {
        const unsigned try = (p->serial + k) % tags;
        if (tagged[try] == NIC_NOBODY) {
            tagged[try] = number;
            p->tag = (uint16_t)try;
            return true;
        }
    }
    return false;
}

/* The next packet for which there is room, classes in turn. */
static void begin(struct nics *n, struct nic *nic)
{
    const uint8_t room = account_room(&nic->account, n->model);
    for (unsigned k = 0; k < NIC_CLASSES; k++) {
        const unsigned class = (nic->turn + k) % NIC_CLASSES;
        const int32_t number = nic->queue[class].first;
        const unsigned vc = n->topology->first_vc[class];
        if (number == NIC_NOBODY || !(room >> vc & 1) || !tag(n, number))
            continue;
        struct packet *p = &n->pool.packet[number];
        account_charge(&nic->account, n->model, vc, p->length);
        nic->queue[class].first = p->next;
        nic->sending = number;
        nic->sent = 0;
        nic->turn = class + 1;
        p->flies = true;
        n->arrived = n->begun++ == n->delivered ? n->now : n->arrived;
        return;
    }
}

void nic_send(struct nics *n, struct nic *nic, struct wires_in *to)
{
    if (nic->sending == NIC_NOBODY && n->now >= NIC_WAITS && !n->closed)
        begin(n, nic);
    to->valid = nic->sending != NIC_NOBODY;
    if (!to->valid)
        return;
    const struct packet *p = &n->pool.packet[nic->sending];
    to->flit = nic->sent == 0 ? head_flit(n, p) : body_flit(n, nic->sending, nic->sent);
    if (++nic->sent == p->length)
        nic->sending = NIC_NOBODY;
}

/* ---- arriving --------------------------------------------------------------------------------- */

static void complain(struct nics *n, const struct nic *nic, const char *what, uint64_t value)
{
    if (n->wrong++ == 0)
        snprintf(n->complaint, sizeof n->complaint,
                 "clock %" PRIu64 ", router %u, port %u: %s (%" PRIx64 ")", n->now, nic->router,
                 nic->port, what, value);
}

/* The packet of one flit that a head is; what is no number of a packet if there is none. */
static uint64_t tagged_packet(struct nics *n, const struct nic *nic)
{
    const size_t node = n->first_node[nic->router] + nic->head.sub;
    if (!n->tagged || node >= n->topology->nodes)
        return UINT64_MAX;
    int32_t *tagged = &n->tagged[node * n->model->machine->tags + nic->head.tag];
    const int32_t number = *tagged;
    *tagged = NIC_NOBODY;
    return number == NIC_NOBODY ? UINT64_MAX : (uint64_t)number;
}

/* The flit after the head, or its tag, says which packet it is. */
static void identify(struct nics *n, struct nic *nic, uint64_t flit)
{
    const struct packet *p = flit < n->pool.size ? &n->pool.packet[flit] : NULL;
    nic->coming = NIC_NOBODY;
    if (!p || !p->flies) {
        complain(n, nic, "a packet that nobody has sent", flit);
        return;
    }
    const struct node *to = &n->topology->node[p->to];
    const unsigned first = n->topology->first_vc[p->class];
    const unsigned vcs = n->model->machine->vcs / NIC_CLASSES;
    nic->coming = (int32_t)flit;
    if (to->router != nic->router || !(to->ports >> nic->port & 1))
        complain(n, nic, "a packet for another place", flit);
    if (nic->head.global != to->global || nic->head.local != to->local || nic->head.sub != to->sub)
        complain(n, nic, "a head with another destination", flit);
    if (nic->head.length != p->length)
        complain(n, nic, "a head with another length", flit);
    if (nic->head.vc < first || nic->head.vc >= first + vcs)
        complain(n, nic, "a packet on a VC of the other class", flit);
}

static unsigned bin_of(uint64_t latency)
{
    unsigned k = 0;
    while (latency >> k >= 2 * NIC_PART)
        k++;
    const unsigned bin = k * NIC_PART + (unsigned)(latency >> k);
    return bin < NIC_BINS ? bin : NIC_BINS - 1;
}

uint64_t nics_percentile(const struct nics *n, double share)
{
    const double wanted = share * (double)n->packets;
    uint64_t seen = 0;
    for (unsigned bin = 0; bin < NIC_BINS; bin++) {
        const unsigned k = bin < 2 * NIC_PART ? 0 : bin / NIC_PART - 1;
        seen += n->bins[bin];
        if (seen > 0 && (double)seen >= wanted)
            return ((uint64_t)(bin - k * NIC_PART + 1) << k) - 1;
    }
    return 0;
}

static void respond(struct nics *n, struct nic *nic, const struct packet *request)
{
    make_packet(
        n, nic,
        (struct packet){
            .from = request->to, .to = request->from, .length = request->length, .class = 1});
}

static void arrived(struct nics *n, struct nic *nic)
{
    struct packet *p = &n->pool.packet[nic->coming];
    const uint64_t latency = n->now - p->made;
    const struct packet came = *p;
    n->delivered++;
    if (p->made >= n->measured) {
        n->packets++;
        n->latency += latency;
        n->worst = latency > n->worst ? latency : n->worst;
        n->bins[bin_of(latency)]++;
    }
    p->flies = false;
    p->next = n->pool.free;
    n->pool.free = nic->coming;
    nic->coming = NIC_NOBODY;
    if (n->traffic.responds && came.class == 0 && !n->closed)
        respond(n, nic, &came);
}

void nic_take(struct nics *n, struct nic *nic, const struct wires_out *from)
{
    n->accepted++;
    n->arrived = n->now;
    if (from->bad)
        complain(n, nic, "a corrupted flit", from->flit);
    if (nic->length == 0) {
        nic->head = n->model->machine->unpack_head(from->flit);
        nic->length = nic->head.length;
        nic->come = 0;
        nic->coming = NIC_NOBODY;
        if (nic->length == 1)
            identify(n, nic, tagged_packet(n, nic));
    } else if (nic->come == 1)
        identify(n, nic, from->flit);
    else if (nic->coming != NIC_NOBODY && from->flit != body_flit(n, nic->coming, nic->come))
        complain(n, nic, "another flit than was sent", from->flit);
    nic->come++;
    if (from->head != (nic->come == 1) || from->tail != (nic->come == nic->length))
        complain(n, nic, "head or tail mark in the wrong flit", from->flit);
    if (nic->come < nic->length)
        return;
    nic->length = 0;
    if (nic->coming != NIC_NOBODY)
        arrived(n, nic);
}

/* ---- all -------------------------------------------------------------------------------------- */

/* The processor ports of a router take turns among its nodes. */
static unsigned node_of(const struct topology *t, unsigned router, unsigned port)
{
    unsigned before = 0, count = 0, first = 0;
    for (unsigned p = 0; p < port; p++)
        before += t->ports[router][p].kind == PORT_PROCESSOR;
    for (unsigned n = 0; n < t->nodes; n++)
        if (t->node[n].router == router && count++ == 0)
            first = n;
    return count > 1 ? first + before % count : first;
}

void nics_new(struct nics *n, const struct router_model *model, const struct topology *t,
              const struct traffic *traffic, uint64_t seed)
{
    *n = (struct nics){.model = model, .topology = t, .traffic = *traffic};
    n->random.state = seed;
    n->pool.free = NIC_NOBODY;
    n->first_node = sim_alloc(t->routers, sizeof *n->first_node);
    for (unsigned k = t->nodes; k-- > 0;)
        n->first_node[t->node[k].router] = k;
    if (traffic->shortest == 1) {
        const size_t tags = (size_t)t->nodes * model->machine->tags;
        n->tagged = sim_alloc(tags, sizeof *n->tagged);
        for (size_t k = 0; k < tags; k++)
            n->tagged[k] = NIC_NOBODY;
    }
    for (unsigned pass = 0; pass < 2; pass++) {
        n->count = 0;
        for (unsigned r = 0; r < t->routers; r++)
            for (unsigned p = 0; p < t->machine->ports; p++) {
                if (t->ports[r][p].kind != PORT_PROCESSOR)
                    continue;
                if (pass == 1)
                    n->nic[n->count] = (struct nic){.router = r,
                                                    .port = p,
                                                    .node = node_of(t, r, p),
                                                    .queue = {{NIC_NOBODY, 0}, {NIC_NOBODY, 0}},
                                                    .sending = NIC_NOBODY,
                                                    .coming = NIC_NOBODY};
                n->count++;
            }
        if (pass == 0)
            n->nic = sim_alloc(n->count, sizeof *n->nic);
    }
}

void nics_free(struct nics *n)
{
    free(n->nic);
    free(n->pool.packet);
    free(n->tagged);
    free(n->first_node);
}
