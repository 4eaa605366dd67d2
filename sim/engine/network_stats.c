// SPDX-License-Identifier: Apache-2.0
/*
 * network_stats.c - what happened in a network, counted by the ranks together.
 */
#include <assert.h>
#include <string.h>

#include "sim/engine/network_state.h"

void net_measure(struct network *n)
{
    struct nics *s = &n->nics;
    struct nic_sums *sums = &s->sums;
    *sums = (struct nic_sums){.made = sums->made,
                              .begun = sums->begun,
                              .delivered = sums->delivered,
                              .wrong = sums->wrong};
    s->worst = 0;
    s->measured = n->measured = s->now;
    memset(n->sent, 0, (size_t)n->topology->routers * MACHINE_PORTS * sizeof *n->sent);
    memset(s->tally, 0, nics_tallies(s) * sizeof *s->tally);
}

/* Together: what ranks have counted of their own routers. */
void net_gather(struct network *n)
{
    memcpy(n->tally, n->nics.tally, nics_tallies(&n->nics) * sizeof *n->tally);
    if (!n->border)
        return;
    n->config.ranks->sum(n->tally, nics_tallies(&n->nics));
    const size_t begin = (size_t)n->first * MACHINE_PORTS, end = (size_t)n->last * MACHINE_PORTS;
    memset(n->sent, 0, begin * sizeof *n->sent);
    memset(n->sent + end, 0,
           ((size_t)n->topology->routers * MACHINE_PORTS - end) * sizeof *n->sent);
    n->config.ranks->sum(n->sent, (size_t)n->topology->routers * MACHINE_PORTS);
}

uint64_t net_port_flits(const struct network *n, unsigned router, unsigned port)
{
    return n->sent[router * MACHINE_PORTS + port];
}

uint64_t net_node_flits(const struct network *n, unsigned node)
{
    return n->tally[node];
}

uint64_t net_flow_offered(const struct network *n, unsigned flow)
{
    return n->tally[nics_made_at(&n->nics) + flow];
}

uint64_t net_flow_accepted(const struct network *n, unsigned flow)
{
    return n->tally[nics_arrived_at(&n->nics) + flow];
}

struct net_stats net_stats(const struct network *n)
{
    struct nic_sums s = n->nics.sums;
    uint64_t worst = n->nics.worst;
    if (n->border) {
        n->config.ranks->sum((uint64_t *)&s, sizeof s / sizeof(uint64_t));
        n->config.ranks->most(&worst, 1);
    }
    return (struct net_stats){
        .clocks = n->nics.now - n->measured,
        .offered = s.offered,
        .accepted = s.accepted,
        .hops = s.hops,
        .packets = s.packets,
        .latency = s.latency,
        .worst = worst,
        .median = nics_percentile(s.bins, 0.5, worst),
        .p99 = nics_percentile(s.bins, 0.99, worst),
        .p999 = nics_percentile(s.bins, 0.999, worst),
        .waiting = s.made - s.begun,
        .in_flight = s.begun - s.delivered,
        .made = s.made,
        .delivered = s.delivered,
        .wrong = s.wrong,
    };
}

static_assert((unsigned)NET_BINS == NIC_BINS, "the same bins");

void net_latencies(const struct network *n, uint64_t bins[NET_BINS])
{
    uint64_t all[NIC_BINS];
    memcpy(all, n->nics.sums.bins, sizeof all);
    if (n->border)
        n->config.ranks->sum(all, NIC_BINS);
    for (unsigned bin = 0; bin < NIC_BINS; bin++)
        bins[bin] += all[bin];
}

uint64_t net_bin_from(unsigned bin)
{
    return nics_bin_from(bin);
}

uint64_t net_percentile(const uint64_t bins[NET_BINS], double share, uint64_t worst)
{
    return nics_percentile(bins, share, worst);
}

unsigned net_sources(const struct network *n)
{
    return n->nics.count;
}

/* Of the ranks the one whose complaint came first tells it the others. */
const char *net_complaint(struct network *n)
{
    struct nics *s = &n->nics;
    uint64_t first = ~(s->complaint_clock << 24 | s->complaint_router), mine;
    uint64_t text[(NIC_COMPLAINT + 7) / 8] = {0};
    if (!n->border)
        return s->complaint;
    mine = first = s->sums.wrong ? first : 0;
    n->config.ranks->most(&first, 1);
    if (first == mine)
        memcpy(text, s->complaint, sizeof s->complaint);
    n->config.ranks->sum(text, sizeof text / sizeof *text);
    memcpy(s->complaint, text, sizeof s->complaint);
    return s->complaint;
}
