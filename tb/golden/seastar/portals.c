// SPDX-License-Identifier: Apache-2.0
/* portals.c - what a put does at its target. */
#include "tb/golden/seastar/portals.h"

void golden_attach(struct golden_portals *p, unsigned portal, const struct golden_me *me, bool last)
{
    struct golden_me *list = p->list[portal];
    unsigned at = p->entries[portal]++;
    if (!last)
        for (; at > 0; at--)
            list[at] = list[at - 1];
    list[at] = *me;
}

/* Who may: access entry 0 admits the own user, to portals that exist. */
static bool admitted(const struct golden_portals *p, const struct golden_put *put)
{
    return put->pid == p->pid && put->access == 0 && put->user == p->user &&
           put->portal < GOLDEN_PORTALS;
}

static bool matches(const struct golden_me *me, const struct golden_put *put)
{
    return (me->any_node || me->node == put->from_node) &&
           (me->any_pid || me->pid == put->from_pid) && (me->any_user || me->user == put->user) &&
           (me->any_job || me->job == put->job) && ((put->bits ^ me->match) & ~me->ignore) == 0;
}

static uint64_t offset_of(const struct golden_md *md, const struct golden_put *put)
{
    return md->remote ? put->offset : md->offset;
}

static uint64_t free_of(const struct golden_md *md, uint64_t offset)
{
    const uint64_t left = offset < md->length ? md->length - offset : 0;
    return md->has_max && md->max_size < left ? md->max_size : left;
}

/* Bytes that the descriptor takes; false if it does not accept. */
static bool accepts(const struct golden_md *md, const struct golden_put *put, uint64_t *bytes)
{
    const uint64_t left = free_of(md, offset_of(md, put));
    if (!md->active || md->threshold == 0 || !md->put)
        return false;
    *bytes = put->requested <= left ? put->requested : left;
    return put->requested <= left || md->truncate;
}

static void commit(struct golden_md *md, uint64_t bytes)
{
    if (!md->remote)
        md->offset += bytes;
    if (md->threshold != GOLDEN_FOR_EVER)
        md->threshold--;
    if (md->threshold == 0)
        md->active = false;
    if (md->has_max && !md->remote &&
        (md->offset > md->length || md->length - md->offset < md->max_size))
        md->active = false;
}

struct golden_outcome golden_put(struct golden_portals *p, const struct golden_put *put)
{
    struct golden_outcome o = {0};
    if (!admitted(p, put))
        return o;
    for (unsigned i = 0; i < p->entries[put->portal]; i++) {
        struct golden_me *me = &p->list[put->portal][i];
        if (!matches(me, put) || !me->has_md || !accepts(&me->md, put, &o.manipulated))
            continue;
        o.taken = true;
        o.name = me->name;
        o.offset = offset_of(&me->md, put);
        o.at = me->md.start + o.offset;
        commit(&me->md, o.manipulated);
        o.threshold = me->md.threshold;
        o.start = !me->md.no_start;
        o.end = !me->md.no_end;
        return o;
    }
    return o;
}
