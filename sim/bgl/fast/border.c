// SPDX-License-Identifier: Apache-2.0
/*
 * border.c - what crosses to other ranks at the end of a window: letters, and how much each rank has left.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/bgl/fast/state.h"

/* Letters over one link in a window, at most: packets are 38 clocks apart, acks 10. */
enum { LETTERS = 4 };

/* Links from this rank's nodes to those of others, by rank; as many come back. */
static void count_links(const struct model *m, size_t *links)
{
    const struct shape *s = &m->config.shape;
    for (uint32_t i = 0; i < s->nodes; i++)
        for (unsigned p = 0; is_here(m, i) && p < SHAPE_PORTS; p++)
            links[m->owner[shape_node(s, shape_neighbour(s, m->node[i].place, p))]]++;
}

void border_new(struct model *m)
{
    const unsigned ranks = m->config.ranks->count;
    if (ranks == 1)
        return;
    size_t *links = sim_alloc(ranks, sizeof *links);
    count_links(m, links);
    m->out = sim_alloc(ranks, sizeof *m->out);
    m->in = sim_alloc(ranks, sizeof *m->in);
    for (unsigned r = 0; r < ranks; r++) {
        const size_t room = sizeof(struct left) + LETTERS * links[r] * sizeof(struct letter);
        if (r == m->config.ranks->rank)
            continue;
        m->out[r] = (struct parcel){.data = sim_alloc(1, room), .room = room};
        m->in[r] = (struct parcel){.data = sim_alloc(1, room), .room = room};
    }
    free(links);
}

void border_free(struct model *m)
{
    for (unsigned r = 0; m->out && r < m->config.ranks->count; r++) {
        free(m->out[r].data);
        free(m->in[r].data);
    }
    free(m->out);
    free(m->in);
}

static void pack(struct parcel *to, const struct left *left, struct letters *l)
{
    const size_t bytes = l->count * sizeof *l->letter;
    if (sizeof *left + bytes > to->room)
        sim_fail("%u letters in a window are more than its links can carry", l->count);
    memcpy(to->data, left, sizeof *left);
    if (bytes)
        memcpy(to->data + sizeof *left, l->letter, bytes);
    to->size = sizeof *left + bytes;
    l->count = 0;
}

/* Takes in a parcel, and adds what its sender has left. */
static void unpack(struct worker *w, const struct parcel *from, struct left *all)
{
    struct left left;
    memcpy(&left, from->data, sizeof left);
    all->inside += left.inside;
    all->idle += left.idle;
    for (size_t at = sizeof left; at < from->size; at += sizeof(struct letter)) {
        struct letter letter;
        memcpy(&letter, from->data + at, sizeof letter);
        letter_take(w, &letter);
    }
}

struct left border_cross(struct worker *w)
{
    struct model *m = w->model;
    struct ranks *ranks = m->config.ranks;
    struct left all = w->left;
    for (unsigned r = 0; r < ranks->count; r++)
        if (r != ranks->rank)
            pack(&m->out[r], &w->left, &w->out[w->side][r]);
    ranks->swap(ranks, m->out, m->in);
    for (unsigned r = 0; r < ranks->count; r++)
        if (r != ranks->rank)
            unpack(w, &m->in[r], &all);
    return all;
}
