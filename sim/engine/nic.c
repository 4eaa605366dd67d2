// SPDX-License-Identifier: Apache-2.0
/*
 * nic.c - makes packets, sends them by credit, checks what arrives.
 */
#include "sim/engine/nic.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NIC_WAITS = 32 /* clocks after reset, in which queues wipe their counts */ };

/* ---- credits ---------------------------------------------------------------------------------- */

static unsigned beyond(const struct router_model *m, unsigned used)
{
    return used > m->credit ? used - m->credit : 0;
}

void account_charge(struct account *a, const struct router_model *m, unsigned vc, unsigned flits)
{
    a->borrowed += beyond(m, a->used[vc] + flits) - beyond(m, a->used[vc]);
    a->used[vc] += flits;
    a->filled[vc >= m->machine->vcs / 2] += flits;
}

void account_free(struct account *a, const struct router_model *m, unsigned vc, unsigned flits)
{
    a->borrowed -= beyond(m, a->used[vc]) - beyond(m, a->used[vc] - flits);
    a->used[vc] -= flits;
    a->filled[vc >= m->machine->vcs / 2] -= flits;
}

uint8_t account_room(const struct account *a, const struct router_model *m)
{
    const unsigned packet = m->machine->packet;
    unsigned room = 0;
    if (a->borrowed + packet <= m->credit_shared) /* of any VC */
        return (uint8_t)((1U << m->machine->vcs) - 1);
    for (unsigned vc = 0; vc < m->machine->vcs; vc++)
        room |= (unsigned)(a->used[vc] + packet <= m->credit) << vc;
    return (uint8_t)room;
}

/* ---- packets ---------------------------------------------------------------------------------- */

static uint64_t flit_mask(const struct nics *n)
{
    return (UINT64_C(1) << n->model->machine->flit_bits) - 1;
}

/* The name of the next packet of a port: no other has it, as far as a flit can tell. */
static uint64_t next_name(const struct nics *n, const struct nic *nic)
{
    const uint64_t port = (uint64_t)(nic - n->nic);
    return ((uint64_t)nic->serial * n->count + port) & flit_mask(n);
}

/* A packet of one flit is known by what its head has room for. */
static uint64_t name_by_tag(unsigned class, unsigned sub, unsigned tag)
{
    return UINT64_C(1) << 63 | (uint64_t)class << 48 | (uint64_t)sub << 32 | tag;
}

/* Flit i of a packet; 1 is its name, the head is made elsewhere. */
static uint64_t body_flit(const struct nics *n, const struct packet *p, unsigned i)
{
    struct sim_random r = {p->name << 8 ^ (uint64_t)i};
    return i == 1 ? p->name : sim_random(&r) & flit_mask(n);
}

static uint64_t head_flit(const struct nics *n, const struct packet *p)
{
    const struct node *to = &n->topology->node[p->to];
    struct sim_random r = {p->name ^ p->made << 32};
    return n->model->machine->pack_head(&(struct head){
        .vc = n->topology->first_vc[p->class],
        .length = p->length,
        .mode = traffic_mode(&n->traffic, p->class),
        .global = to->global,
        .local = to->local,
        .sub = to->sub,
        .hash = n->traffic.routing == ROUTING_ORDERED ? p->from : (unsigned)sim_random(&r),
        .tag = p->length == 1 ? (unsigned)p->name : 0,
    });
}

/* Flit i of a packet, the last one its end if it has one. */
static uint64_t packet_flit(const struct nics *n, const struct packet *p, unsigned i)
{
    uint64_t flit[NIC_FLITS];
    if (!n->ends || i + 1U != p->length)
        return body_flit(n, p, i);
    flit[0] = head_flit(n, p);
    for (unsigned k = 1; k < i; k++)
        flit[k] = body_flit(n, p, k);
    return n->model->machine->pack_end(flit, i);
}

/* ---- tally -------------------------------------------------------------------------------------- */

static unsigned flows_of(const struct nics *n)
{
    return flows_count(&n->traffic.flows, n->topology);
}

size_t nics_made_at(const struct nics *n)
{
    return n->topology->nodes;
}

size_t nics_arrived_at(const struct nics *n)
{
    return nics_made_at(n) + flows_of(n);
}

size_t nics_tallies(const struct nics *n)
{
    return nics_arrived_at(n) + flows_of(n);
}

/* A packet of a flow; responses to one are of none. */
static void count_flow(struct nics *n, size_t at, const struct packet *p)
{
    const bool response = n->traffic.responds && p->class == 1;
    if (flows_of(n) == 0 || response)
        return;
    const unsigned flow = flows_number(&n->traffic.flows, n->topology, p->from, p->to);
    if (flow < flows_of(n))
        n->tally[at + flow] += p->length;
}

/* ---- sending ---------------------------------------------------------------------------------- */

static void make_packet(struct nics *n, struct nic *nic, struct packet p)
{
    struct packets *store = &n->store[nic->router];
    p.made = n->now;
    p.name = next_name(n, nic);
    if (p.length == 1)
        p.name = name_by_tag(p.class, n->topology->node[p.to].sub,
                             (unsigned)(p.name & (n->model->machine->tags - 1)));
    nic->serial++;
    const int32_t number = packets_add(store, &p);
    if (nic->queue[p.class].first == NIC_NOBODY)
        nic->queue[p.class].first = number;
    else
        store->packet[nic->queue[p.class].last].next = number;
    nic->queue[p.class].last = number;
    n->sums.offered += p.length;
    n->sums.made++;
    count_flow(n, nics_made_at(n), &p);
}

/* A packet begins with a probability that offers `load` flits per clock in the mean. */
void nic_make(struct nics *n, struct nic *nic)
{
    const struct traffic *f = &n->traffic;
    struct sim_random *r = &nic->random;
    if (n->closed || n->held || sim_random(r) >> 11 >= n->chance[nic->node])
        return;
    const unsigned class = f->responds ? 0 : sim_below(r, NIC_CLASSES);
    const unsigned to = traffic_destination(f, n->topology, nic->node, nic->asked++, r);
    if (n->down && (n->down[to] || n->down[nic->node]))
        return;
    make_packet(n, nic,
                (struct packet){.from = nic->node,
                                .to = to,
                                .length = (uint8_t)traffic_length(f, r),
                                .class = (uint8_t)class});
}

void nics_expect(struct nics *n, unsigned router, const struct packet *packet)
{
    packets_expect(&n->store[router], packet);
}

/* Its destination will know of it. */
static void announce(struct nics *n, const struct packet *p)
{
    const unsigned router = n->topology->node[p->to].router;
    n->sums.begun++;
    if (router >= n->first_router && router < n->last_router)
        nics_expect(n, router, p);
    else
        n->send_word(n->send_to, router, p);
}

/* The next packet for which there is room, classes in turn. */
static void begin(struct nics *n, struct nic *nic)
{
    struct packets *store = &n->store[nic->router];
    const uint8_t room = account_room(&nic->account, n->model);
    for (unsigned k = 0; k < NIC_CLASSES; k++) {
        const unsigned class = (nic->turn + k) % NIC_CLASSES;
        const int32_t number = nic->queue[class].first;
        const unsigned vc = n->topology->first_vc[class];
        if (number == NIC_NOBODY || !(room >> vc & 1))
            continue;
        const struct packet p = store->packet[number];
        if (n->down && n->down[p.to]) {
            nic->queue[class].first = p.next;
            n->sums.made--;
            packets_remove(store, number);
            continue;
        }
        account_charge(&nic->account, n->model, vc, p.length);
        nic->queue[class].first = p.next;
        nic->responses -= n->traffic.responds && class == 1;
        nic->sending = number;
        nic->sent = 0;
        nic->turn = class + 1;
        announce(n, &p);
        return;
    }
}

void nic_send(struct nics *n, struct nic *nic, struct wires_in *to)
{
    struct packets *store = &n->store[nic->router];
    if (nic->sending == NIC_NOBODY && n->now >= NIC_WAITS && !n->closed && !n->held &&
        !(n->down && n->down[nic->node]))
        begin(n, nic);
    to->valid = nic->sending != NIC_NOBODY;
    if (!to->valid)
        return;
    const struct packet *p = &store->packet[nic->sending];
    to->flit = nic->sent == 0 ? head_flit(n, p) : packet_flit(n, p, nic->sent);
    to->tail = ++nic->sent == p->length;
    if (!to->tail)
        return;
    packets_remove(store, nic->sending);
    nic->sending = NIC_NOBODY;
}

uint8_t nic_room(const struct nics *n, const struct nic *nic)
{
    const unsigned vcs = n->model->machine->vcs, all = (1U << vcs) - 1;
    const unsigned requests = ((1U << vcs / NIC_CLASSES) - 1) << n->topology->first_vc[0];
    return (uint8_t)(n->closed || nic->responses < NIC_RESPONSES ? all : all & ~requests);
}

/* ---- arriving --------------------------------------------------------------------------------- */

static void complain(struct nics *n, const struct nic *nic, const char *what, uint64_t value)
{
    const bool first = n->sums.wrong++ == 0 || n->now < n->complaint_clock ||
                       (n->now == n->complaint_clock && nic->router < n->complaint_router);
    if (!first)
        return;
    n->complaint_clock = n->now;
    n->complaint_router = nic->router;
    snprintf(n->complaint, sizeof n->complaint,
             "clock %" PRIu64 ", router %u, port %u: %s (%" PRIx64 ")", n->now, nic->router,
             nic->port, what, value);
}

/* The same, if the packet is not marked in the end. */
static void doubt(struct nics *n, struct nic *nic, const char *what, uint64_t value)
{
    if (!n->fails && !n->ends)
        complain(n, nic, what, value);
    else if (!nic->doubt) {
        nic->doubt = what;
        nic->doubted = value;
    }
}

/* The flit after the head, or the head of a packet of one flit, says which packet it is. */
static void identify(struct nics *n, struct nic *nic, uint64_t name)
{
    const struct packet *p = &nic->coming;
    nic->known = packets_come(&n->store[nic->router], name, nic->length, &nic->coming);
    if (!nic->known) {
        doubt(n, nic, "a packet that nobody has sent here", name);
        return;
    }
    const struct node *to = &n->topology->node[p->to];
    const unsigned first = n->topology->first_vc[p->class];
    const unsigned vcs = n->model->machine->vcs / NIC_CLASSES;
    if (!(to->ports >> nic->port & 1))
        doubt(n, nic, "a packet for another place", name);
    if (nic->head.global != to->global || nic->head.local != to->local || nic->head.sub != to->sub)
        doubt(n, nic, "a head with another destination", name);
    if (nic->length != p->length)
        doubt(n, nic, "a packet of another length", name);
    if (nic->head.vc < first || nic->head.vc >= first + vcs)
        doubt(n, nic, "a packet on a VC of the other class", name);
}

static unsigned bin_of(uint64_t latency)
{
    unsigned k = 0;
    while (latency >> k >= 2 * NIC_PART)
        k++;
    const unsigned bin = k * NIC_PART + (unsigned)(latency >> k);
    return bin < NIC_BINS ? bin : NIC_BINS - 1;
}

uint64_t nics_bin_from(unsigned bin)
{
    const unsigned k = bin < 2 * NIC_PART ? 0 : bin / NIC_PART - 1;
    return (uint64_t)(bin - k * NIC_PART) << k;
}

uint64_t nics_percentile(const uint64_t bins[NIC_BINS], double share, uint64_t worst)
{
    uint64_t seen = 0, packets = 0;
    for (unsigned bin = 0; bin < NIC_BINS; bin++)
        packets += bins[bin];
    for (unsigned bin = 0; bin < NIC_BINS; bin++) {
        seen += bins[bin];
        if (seen > 0 && (double)seen >= share * (double)packets) {
            const uint64_t most = nics_bin_from(bin + 1) - 1;
            return most < worst ? most : worst;
        }
    }
    return 0;
}

static void respond(struct nics *n, struct nic *nic, const struct packet *request)
{
    nic->responses++;
    make_packet(
        n, nic,
        (struct packet){
            .from = request->to, .to = request->from, .length = request->length, .class = 1});
}

static void arrived(struct nics *n, struct nic *nic)
{
    const struct packet *p = &nic->coming;
    const uint64_t latency = n->now - p->made;
    n->sums.delivered++;
    n->tally[p->to] += p->length;
    count_flow(n, nics_arrived_at(n), p);
    nic->known = false;
    if (p->beat && n->beat)
        n->beat[n->topology->node[p->from].router] = n->now;
    if (p->made >= n->measured) {
        n->sums.packets++;
        n->sums.latency += latency;
        n->worst = latency > n->worst ? latency : n->worst;
        n->sums.bins[bin_of(latency)]++;
    }
    if (n->traffic.responds && p->class == 0 && !n->closed)
        respond(n, nic, p);
}

/* All of a packet is here, or as far as it goes: its marks decide. */
static void finish(struct nics *n, struct nic *nic)
{
    nic->length = 0;
    if (nic->marked)
        n->marked++;
    else if (nic->doubt)
        complain(n, nic, nic->doubt, nic->doubted);
    if (nic->marked && n->fails)
        n->given_up += nic->known;
    else if (nic->known)
        arrived(n, nic);
}

/* Where the end frames, what came is looked at when that is here: a name alone may be that of two packets of different lengths. */
static void take_by_end(struct nics *n, struct nic *nic, const struct wires_out *from)
{
    if (nic->length == 0) {
        nic->marked = false;
        nic->doubt = NULL;
        nic->head = n->model->machine->unpack_head(from->flit);
        nic->length = NIC_FLITS;
        nic->come = 0;
        nic->known = false;
    }
    if (from->head != (nic->come == 0))
        complain(n, nic, "a head mark in the wrong flit", from->flit);
    if (nic->come == NIC_FLITS) {
        complain(n, nic, "a packet without an end", from->flit);
        nic->come--;
    }
    nic->flit[nic->come++] = from->flit;
    nic->marked |= from->bad;
    if (!from->tail)
        return;
    nic->length = nic->come;
    if (!n->ends || !nic->marked)
        identify(n, nic, nic->come > 1 ? nic->flit[1] : 0);
    for (unsigned i = 2; nic->known && i < nic->come; i++)
        if (nic->flit[i] != packet_flit(n, &nic->coming, i))
            doubt(n, nic, "another flit than was sent", nic->flit[i]);
    finish(n, nic);
}

void nic_take(struct nics *n, struct nic *nic, const struct wires_out *from)
{
    n->sums.accepted++;
    n->arrived = n->now > n->arrived ? n->now : n->arrived;
    if (from->bad && !n->fails && !n->ends)
        complain(n, nic, "a corrupted flit", from->flit);
    if (n->model->machine->by_end) {
        take_by_end(n, nic, from);
        return;
    }
    if (nic->length == 0) {
        nic->marked = false;
        nic->doubt = NULL;
        nic->head = n->model->machine->unpack_head(from->flit);
        nic->length = nic->head.length;
        nic->come = 0;
        nic->known = false;
        if (nic->length == 1)
            identify(n, nic,
                     name_by_tag(nic->head.vc >= n->topology->first_vc[1], nic->head.sub,
                                 nic->head.tag));
    } else if (nic->come == 1)
        identify(n, nic, from->flit);
    else if (nic->known && from->flit != body_flit(n, &nic->coming, nic->come))
        doubt(n, nic, "another flit than was sent", from->flit);
    nic->come++;
    nic->marked |= from->bad;
    if (from->head != (nic->come == 1) || from->tail != (nic->come == nic->length))
        complain(n, nic, "head or tail mark in the wrong flit", from->flit);
    if (nic->come == nic->length)
        finish(n, nic);
}

/* ---- failures --------------------------------------------------------------------------------- */

void nic_beat(struct nics *n, struct nic *nic, unsigned to)
{
    struct packets *store = &n->store[nic->router];
    const int32_t first = nic->queue[1].first;
    make_packet(
        n, nic,
        (struct packet){
            .from = nic->node, .to = to, .length = n->ends ? 3 : 2, .class = 1, .beat = true});
    const int32_t number = nic->queue[1].last;
    if (first == NIC_NOBODY)
        return;
    int32_t last = first;
    while (store->packet[last].next != number)
        last = store->packet[last].next;
    store->packet[last].next = NIC_NOBODY;
    store->packet[number].next = first;
    nic->queue[1].first = number;
    nic->queue[1].last = last;
}

unsigned nic_reset(struct nics *n, struct nic *nic)
{
    const unsigned halfway = nic->sending != NIC_NOBODY;
    if (halfway)
        packets_remove(&n->store[nic->router], nic->sending);
    n->given_up += nic->length > 0 && nic->known;
    nic->sending = NIC_NOBODY;
    nic->length = 0;
    nic->known = false;
    nic->account = (struct account){0};
    return halfway;
}

/* ---- all -------------------------------------------------------------------------------------- */

/* The processor ports of a router take turns among its nodes, which have numbers in a row. */
static unsigned node_of(const struct topology *t, const unsigned *first_node, unsigned router,
                        unsigned port)
{
    unsigned before = 0, count = 0;
    const unsigned first = first_node[router];
    for (unsigned p = 0; p < port; p++)
        before += t->ports[router][p].kind == PORT_PROCESSOR;
    while (first + count < t->nodes && t->node[first + count].router == router)
        count++;
    return count > 1 ? first + before % count : first;
}

void nics_new(struct nics *n, const struct router_model *model, const struct topology *t,
              const struct traffic *traffic, uint64_t seed)
{
    const double mean = (traffic->shortest + traffic->longest) / 2.0;
    *n = (struct nics){
        .model = model, .topology = t, .traffic = *traffic, .last_router = t->routers};
    n->chance = sim_alloc(t->nodes, sizeof *n->chance);
    for (unsigned k = 0; k < t->nodes; k++)
        n->chance[k] = (uint64_t)(traffic->load * traffic_share(traffic, k) / mean /
                                  (traffic->responds ? 2 : 1) * 0x1p53);
    n->tally = sim_alloc(nics_tallies(n), sizeof *n->tally);
    unsigned *first_node = sim_alloc(t->routers, sizeof *first_node);
    for (unsigned k = t->nodes; k-- > 0;)
        first_node[t->node[k].router] = k;
    n->store = sim_alloc(t->routers, sizeof *n->store);
    for (unsigned r = 0; r < t->routers; r++)
        packets_new(&n->store[r]);
    for (unsigned pass = 0; pass < 2; pass++) {
        n->count = 0;
        for (unsigned r = 0; r < t->routers; r++)
            for (unsigned p = 0; p < t->machine->ports; p++) {
                if (t->ports[r][p].kind != PORT_PROCESSOR)
                    continue;
                if (pass == 1)
                    n->nic[n->count] = (struct nic){.router = r,
                                                    .port = p,
                                                    .node = node_of(t, first_node, r, p),
                                                    .queue = {{NIC_NOBODY, 0}, {NIC_NOBODY, 0}},
                                                    .random = sim_random_of(seed, n->count),
                                                    .sending = NIC_NOBODY};
                n->count++;
            }
        if (pass == 0)
            n->nic = sim_alloc(n->count, sizeof *n->nic);
    }
    free(first_node);
}

void nics_free(struct nics *n)
{
    for (unsigned r = 0; r < n->topology->routers; r++)
        packets_free(&n->store[r]);
    free(n->store);
    free(n->nic);
    free(n->chance);
    free(n->tally);
}
