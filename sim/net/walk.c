// SPDX-License-Identifier: Apache-2.0
/*
 * walk.c - follows packets through a network by its tables and VC maps.
 */
#include "sim/net/walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/program.h"

enum { MOST_CANDIDATES = MACHINE_DRAWS * MACHINE_CANDIDATES };

/* What the two tables of a tile say of the destination, each candidate once. */
struct walk_candidates {
    uint32_t stamp;
    uint8_t count[2];
    struct candidate candidate[2][MOST_CANDIDATES];
};

void walk_new(struct walker *w, const struct tables *tables, bool minimal)
{
    const struct topology *t = tables->topology;
    *w = (struct walker){.tables = tables, .minimal = minimal, .global = UINT32_MAX};
    w->candidates = sim_alloc((size_t)t->routers * t->machine->ports, sizeof *w->candidates);
}

size_t walk_bytes(const struct topology *t)
{
    return (size_t)t->routers * t->machine->ports * sizeof(struct walk_candidates);
}

void walk_free(struct walker *w)
{
    free(w->candidates);
    w->candidates = NULL;
}

void walk_aim(struct walker *w, unsigned global, unsigned local)
{
    const uint32_t last = w->stamp[0] > w->stamp[1] ? w->stamp[0] : w->stamp[1];
    w->stamp[1] = last + 1;
    if (global != w->global)
        w->stamp[0] = last + 2;
    w->global = global;
    w->local = local;
}

size_t walk_number(const struct topology *t, const struct walk_state *s)
{
    const struct machine *m = t->machine;
    return (((size_t)s->router * m->ports + s->port) * m->vcs + s->vc) * m->phases + s->phase;
}

size_t walk_numbers(const struct topology *t)
{
    return (size_t)t->routers * t->machine->ports * t->machine->vcs * t->machine->phases;
}

static bool same_candidate(const struct candidate *a, const struct candidate *b)
{
    return a->col == b->col && a->rows == b->rows && a->type == b->type;
}

static void add_word(const struct machine *m, uint64_t word, struct walk_candidates *candidates,
                     bool nonminimal)
{
    struct candidate pair[MACHINE_CANDIDATES];
    m->unpack_entry(word, pair);
    for (unsigned i = 0; i < MACHINE_CANDIDATES; i++) {
        unsigned k = 0;
        if (!pair[i].valid)
            continue;
        while (k < candidates->count[nonminimal] &&
               !same_candidate(&candidates->candidate[nonminimal][k], &pair[i]))
            k++;
        if (k == candidates->count[nonminimal])
            candidates->candidate[nonminimal][candidates->count[nonminimal]++] = pair[i];
    }
}

static const struct walk_candidates *candidates_of(struct walker *w, unsigned router, unsigned port)
{
    const struct topology *t = w->tables->topology;
    struct walk_candidates *candidates = &w->candidates[(size_t)router * t->machine->ports + port];
    const bool local = t->here[router].global == w->global;
    if (candidates->stamp == w->stamp[local])
        return candidates;
    *candidates = (struct walk_candidates){.stamp = w->stamp[local]};
    for (unsigned nonminimal = 0; nonminimal < 2; nonminimal++) {
        uint64_t words[MACHINE_DRAWS];
        const struct question q = {.router = router,
                                   .port = port,
                                   .nonminimal = nonminimal,
                                   .local = local,
                                   .index = local ? w->local : topo_index(t, router, w->global)};
        tables_entries(w->tables, &q, words);
        for (unsigned draw = 0; draw < MACHINE_DRAWS; draw++)
            add_word(t->machine, words[draw], candidates, nonminimal);
    }
    return candidates;
}

static struct hop hop_of(const struct walker *w, const struct walk_state *at, bool nonminimal,
                         unsigned type)
{
    const struct topology *t = w->tables->topology;
    const struct machine *m = t->machine;
    const uint64_t word =
        w->tables->map
            ? tables_map(w->tables, at->router, at->port,
                         m->hop_at(nonminimal, type, at->vc, at->phase))
            : m->pack_hop(t->hop(t, at->router, at->port, nonminimal, type, at->vc, at->phase));
    return m->unpack_hop(word);
}

static struct walk_step step_by(const struct topology *t, const struct walk_state *at,
                                const struct candidate *candidate, unsigned row, struct hop hop)
{
    const struct port *port = &t->ports[at->router][row * t->machine->cols + candidate->col];
    struct walk_step step = {.col = candidate->col,
                             .row = (uint8_t)row,
                             .vc = (uint8_t)hop.vc,
                             .ejected = port->router == TOPO_NOBODY};
    if (!step.ejected)
        step.next = (struct walk_state){(uint32_t)port->router, port->port, (uint8_t)hop.vc,
                                        (uint8_t)hop.phase};
    return step;
}

/* The same without tables. */
static unsigned every_step(const struct walker *w, const struct walk_state *at,
                           struct walk_step step[WALK_STEPS])
{
    const struct topology *t = w->tables->topology;
    const struct here *here = &t->here[at->router];
    const bool local = here->global == w->global, own = local && here->local == w->local;
    unsigned count = 0;
    for (unsigned nonminimal = 0; nonminimal < (at->phase & 1 ? 1 : 2); nonminimal++) {
        struct candidate_list list = {0};
        struct question q = {.router = at->router,
                             .port = at->port,
                             .nonminimal = nonminimal,
                             .local = local,
                             .index = local ? w->local : topo_index(t, at->router, w->global)};
        for (; q.sub < (own ? MACHINE_DRAWS : 1); q.sub++)
            t->candidates(t, &q, &list);
        for (unsigned i = 0; i < list.count; i++) {
            const struct candidate *candidate = &list.candidate[i];
            const struct hop hop = hop_of(w, at, nonminimal, candidate->type);
            for (unsigned row = 0; row < t->machine->rows; row++)
                if (candidate->rows >> row & 1 && count < WALK_STEPS)
                    step[count++] = step_by(t, at, candidate, row, hop);
        }
    }
    return count;
}

unsigned walk_steps(struct walker *w, const struct walk_state *at,
                    struct walk_step step[WALK_STEPS])
{
    const struct topology *t = w->tables->topology;
    if (w->every)
        return every_step(w, at, step);
    const struct walk_candidates *candidates = candidates_of(w, at->router, at->port);
    const unsigned kinds = w->minimal || at->phase & 1 ? 1 : 2;
    unsigned count = 0;
    for (unsigned nonminimal = 0; nonminimal < kinds; nonminimal++)
        for (unsigned i = 0; i < candidates->count[nonminimal]; i++) {
            const struct candidate *candidate = &candidates->candidate[nonminimal][i];
            const struct hop hop = hop_of(w, at, nonminimal, candidate->type);
            if (hop.vc >= t->machine->vcs && !w->any)
                return 0;
            for (unsigned row = 0; row < t->machine->rows && hop.vc < t->machine->vcs; row++)
                if (candidate->rows >> row & 1)
                    step[count++] = step_by(t, at, candidate, row, hop);
        }
    return count;
}

/* ---- longest routes ----------------------------------------------------------------------------- */

enum { UNKNOWN = 0, ENTERED = 1, KNOWN = 2 }; /* KNOWN + n: n links */

struct paths {
    struct walker walker;
    const struct node *node;
    uint16_t *links; /* of each state */
    char *error;
};

static bool wrong(struct paths *p, const struct walk_state *at, const char *what)
{
    const struct node *n = p->node;
    snprintf(p->error, TABLES_ERROR, "router %u, port %u, VC %u: %s global %u local %u", at->router,
             at->port, at->vc, what, n->global, n->local);
    return false;
}

static bool longest_from(struct paths *p, const struct walk_state *at, unsigned *links)
{
    const struct topology *t = p->walker.tables->topology;
    const size_t number = walk_number(t, at);
    if (p->links[number] == ENTERED)
        return wrong(p, at, "a packet may go round for ever to");
    if (p->links[number] >= KNOWN) {
        *links = p->links[number] - KNOWN;
        return true;
    }
    p->links[number] = ENTERED;

    struct walk_step *step = sim_alloc(WALK_STEPS, sizeof *step);
    const unsigned count = walk_steps(&p->walker, at, step);
    bool good = count != 0 || wrong(p, at, "no route to");
    *links = 0;
    for (unsigned i = 0; good && i < count; i++) {
        const unsigned port = step[i].row * t->machine->cols + step[i].col;
        unsigned rest = 0;
        if (step[i].ejected)
            good = (at->router == p->node->router && p->node->ports >> port & 1) ||
                   t->ports[at->router][port].kind == PORT_PROCESSOR ||
                   wrong(p, at, "out by a port without a link to");
        else
            good = longest_from(p, &step[i].next, &rest);
        if (good && step[i].ejected && at->router != p->node->router)
            good = wrong(p, at, "ejected here on the way to");
        if (good && !step[i].ejected && rest + 1 > *links)
            *links = rest + 1;
    }
    free(step);
    p->links[number] = (uint16_t)(KNOWN + *links);
    return good;
}

/* The entry of the own router for this sub leads to ports of that node alone. */
static bool ejects(struct paths *p)
{
    const struct topology *t = p->walker.tables->topology;
    const struct node *n = p->node;
    const bool by_sub = t->here[n->router].local == n->local;
    for (unsigned port = 0; port < t->machine->ports; port++) {
        uint64_t words[MACHINE_DRAWS];
        const struct walk_state at = {.router = n->router, .port = (uint8_t)port};
        const struct question q = {
            .router = n->router, .port = port, .local = true, .index = n->local};
        struct walk_candidates candidates = {0};
        if (t->ports[n->router][port].kind == PORT_UNUSED)
            continue;
        tables_entries(p->walker.tables, &q, words);
        for (unsigned draw = 0; draw < MACHINE_DRAWS; draw++)
            if (!by_sub || draw == n->sub)
                add_word(t->machine, words[draw], &candidates, false);
        for (unsigned i = 0; i < candidates.count[0]; i++)
            for (unsigned row = 0; row < t->machine->rows; row++)
                if (candidates.candidate[0][i].rows >> row & 1 &&
                    !(n->ports >> (row * t->machine->cols + candidates.candidate[0][i].col) & 1))
                    return wrong(p, &at, "ejected to another node than");
        if (candidates.count[0] == 0)
            return wrong(p, &at, "no route out to");
    }
    return true;
}

bool walk_paths(const struct tables *tables, unsigned node, bool minimal, unsigned *longest,
                char error[TABLES_ERROR])
{
    const struct topology *t = tables->topology;
    struct paths p = {.node = &t->node[node], .error = error};
    p.links = sim_alloc(walk_numbers(t), sizeof *p.links);
    walk_new(&p.walker, tables, minimal);
    walk_aim(&p.walker, p.node->global, p.node->local);

    bool good = ejects(&p);
    *longest = 0;
    for (unsigned r = 0; good && r < t->routers; r++)
        for (unsigned port = 0; good && port < t->machine->ports; port++)
            for (unsigned c = 0; good && c < t->classes; c++) {
                const struct walk_state at = {r, (uint8_t)port, (uint8_t)t->first_vc[c], 0};
                unsigned links;
                if (t->ports[r][port].kind != PORT_PROCESSOR)
                    continue;
                good = longest_from(&p, &at, &links);
                *longest = good && links > *longest ? links : *longest;
            }
    walk_free(&p.walker);
    free(p.links);
    return good;
}
