// SPDX-License-Identifier: Apache-2.0
/* portals.c - what a put or get does at its target. */
#include "tb/golden/seastar/portals.h"

/* Where an entry of this name is in its list; the list's length if nowhere. */
static unsigned place_of(const struct golden_portals *p, unsigned portal, unsigned name)
{
    unsigned at = 0;
    while (at < p->entries[portal] && p->list[portal][at].name != name)
        at++;
    return at;
}

bool golden_insert(struct golden_portals *p, unsigned portal, const struct golden_me *me,
                   enum golden_place place, unsigned other)
{
    struct golden_me *list = p->list[portal];
    unsigned at = place == GOLDEN_LAST ? p->entries[portal] : 0;
    if (place == GOLDEN_BEFORE || place == GOLDEN_BEHIND) {
        at = place_of(p, portal, other);
        if (at == p->entries[portal])
            return false;
        at += place == GOLDEN_BEHIND;
    }
    for (unsigned i = p->entries[portal]++; i > at; i--)
        list[i] = list[i - 1];
    list[at] = *me;
    p->md[me->name] = me->md;
    return true;
}

void golden_attach(struct golden_portals *p, unsigned portal, const struct golden_me *me, bool last)
{
    golden_insert(p, portal, me, last ? GOLDEN_LAST : GOLDEN_FIRST, 0);
}

static void take_out(struct golden_portals *p, unsigned portal, unsigned at)
{
    p->entries[portal]--;
    for (; at < p->entries[portal]; at++)
        p->list[portal][at] = p->list[portal][at + 1];
}

bool golden_unlink(struct golden_portals *p, unsigned portal, unsigned name)
{
    const unsigned at = place_of(p, portal, name);
    if (at == p->entries[portal] || p->md[name].pending)
        return false;
    take_out(p, portal, at);
    return true;
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
    if (!md->active || md->ended || md->threshold == 0 || !(put->get ? md->get : md->put))
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

/* A descriptor that has become inactive ends if it shall; its entry leaves the list with it, or stays without one. */
static void end_inactive(struct golden_portals *p, unsigned portal, unsigned at)
{
    struct golden_me *me = &p->list[portal][at];
    struct golden_md *md = &p->md[me->name];
    if (md->active || !md->unlink)
        return;
    md->ended = true;
    md->with_entry = me->unlink;
    me->has_md = false;
    if (me->unlink)
        take_out(p, portal, at);
}

struct golden_outcome golden_put(struct golden_portals *p, const struct golden_put *put)
{
    struct golden_outcome o = {0};
    if (!admitted(p, put))
        return o;
    for (unsigned i = 0; i < p->entries[put->portal]; i++) {
        struct golden_me *me = &p->list[put->portal][i];
        struct golden_md *md = &p->md[me->name];
        if (!matches(me, put) || !me->has_md || !accepts(md, put, &o.manipulated))
            continue;
        o.taken = true;
        o.name = me->name;
        o.offset = offset_of(md, put);
        o.at = md->start + o.offset;
        commit(md, o.manipulated);
        md->pending++;
        o.threshold = md->threshold;
        o.start = !md->no_start;
        o.end = !md->no_end;
        o.acks = put->ack && !put->get && !md->no_ack;
        end_inactive(p, put->portal, i);
        return o;
    }
    return o;
}

bool golden_end(struct golden_portals *p, unsigned name)
{
    struct golden_md *md = &p->md[name];
    return --md->pending == 0 && md->ended;
}
