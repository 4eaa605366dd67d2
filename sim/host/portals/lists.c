// SPDX-License-Identifier: Apache-2.0
/* lists.c - match entries and memory descriptors: indices, and what is told to the chip or to the host's own lists. */
#include <string.h>

#include "sim/host/portals/portals.h"
#include "sim/host/portals/ptl_inside.h"

enum { ILLEGAL = 7, IN_USE = 8, NO_UPDATE = 9, FIRST = 0, LAST = 1, BEFORE = 2, BEHIND = 3 };

/* The index that was freed longest ago: so a stale handle is seen for long. */
static unsigned free_index(struct ptl_node *node)
{
    for (unsigned n = 1; n <= PTL_INDICES; n++) {
        const unsigned i = (node->last_index + n) % PTL_INDICES;
        if (!node->me[i].used && !node->md[i].used) {
            node->last_index = i;
            return i;
        }
    }
    return PTL_NONE;
}

static struct ptl_entry *entry_of(ptl_handle_me_t handle)
{
    struct ptl_ni *ni = ptl_ni_of(handle);
    if (!ni || ptl_handle_kind(handle) != KIND_ME || ptl_handle_index(handle) >= PTL_INDICES)
        return NULL;
    struct ptl_entry *e = &ni->node->me[ptl_handle_index(handle)];
    return e->used && e->use == ptl_handle_use(handle) ? e : NULL;
}

static struct ptl_descriptor *descriptor_of(ptl_handle_md_t handle)
{
    struct ptl_ni *ni = ptl_ni_of(handle);
    if (!ni || ptl_handle_kind(handle) != KIND_MD || ptl_handle_index(handle) >= PTL_INDICES)
        return NULL;
    struct ptl_descriptor *d = &ni->node->md[ptl_handle_index(handle)];
    return d->used && d->use == ptl_handle_use(handle) ? d : NULL;
}

/* ---- entries --------------------------------------------------------------------------------- */

static int chip_insert(struct ptl_ni *ni, unsigned index, unsigned place, unsigned other)
{
    const struct ptl_entry *e = &ni->node->me[index];
    const struct ptl_who *w = &e->who;
    const uint64_t word[7] = {
        index | (uint64_t)e->portal << 12 | (uint64_t)ni->slot << 18 | (uint64_t)place << 22 |
            (uint64_t)other << 24 | (uint64_t)e->unlink << 36,
        e->match,
        e->ignore,
        (w->nid & 0x7FFF) | (uint64_t)(w->nid == PTL_NID_ANY) << 15 |
            (uint64_t)(w->pid & 0xFFFF) << 16 | (uint64_t)(w->pid == PTL_PID_ANY) << 32 |
            (uint64_t)1 << 33 | (uint64_t)1 << 34,
    };
    if (ptl_local(ni->node, word, OP_ME, 0) != 0)
        return PTL_FAIL;
    ni->node->me[index].use = ni->node->answer.word[1] >> 12 & 15;
    return PTL_OK;
}

static int insert(struct ptl_ni *ni, unsigned portal, unsigned place, unsigned other,
                  ptl_process_id_t id, ptl_match_bits_t match, ptl_match_bits_t ignore,
                  ptl_unlink_t unlink, ptl_handle_me_t *handle)
{
    struct ptl_node *node = ni->node;
    const unsigned index = free_index(node);
    if (portal >= PTL_PORTALS)
        return PTL_PT_INDEX_INVALID;
    if (index == PTL_NONE)
        return PTL_NO_SPACE;
    struct ptl_entry *e = &node->me[index];
    *e = (struct ptl_entry){.unlink = unlink == PTL_UNLINK,
                            .portal = portal,
                            .use = e->use,
                            .match = match,
                            .ignore = ignore,
                            .who = {id.nid, id.pid, PTL_UID_ANY, PTL_JID_ANY}};
    /* the order of lists is known to the library in both modes; matching is the chip's or the host's */
    int status = ni->accelerated ? chip_insert(ni, index, place, other) : PTL_OK;
    if (status == PTL_OK)
        status = generic_insert(ni, portal, index, place, other);
    e->used = status == PTL_OK;
    *handle = ptl_handle(ni, KIND_ME, index, e->use);
    return status;
}

int PtlMEAttach(ptl_handle_ni_t handle, ptl_pt_index_t pt, ptl_process_id_t match_id,
                ptl_match_bits_t match, ptl_match_bits_t ignore, ptl_unlink_t unlink,
                ptl_ins_pos_t position, ptl_handle_me_t *me)
{
    struct ptl_ni *ni = ptl_ni_of(handle);
    if (!ni)
        return PTL_NI_INVALID;
    return insert(ni, pt, position == PTL_INS_BEFORE ? FIRST : LAST, 0, match_id, match, ignore,
                  unlink, me);
}

int PtlMEAttachAny(ptl_handle_ni_t handle, ptl_pt_index_t *pt, ptl_process_id_t match_id,
                   ptl_match_bits_t match, ptl_match_bits_t ignore, ptl_unlink_t unlink,
                   ptl_handle_me_t *me)
{
    const struct ptl_ni *ni = ptl_ni_of(handle);
    if (!ni)
        return PTL_NI_INVALID;
    for (unsigned p = PTL_PORTALS; p-- > 0;) {
        if (ni->first[p] == PTL_NONE) {
            *pt = p;
            return PtlMEAttach(handle, p, match_id, match, ignore, unlink, PTL_INS_AFTER, me);
        }
    }
    return PTL_NO_SPACE;
}

int PtlMEInsert(ptl_handle_me_t base, ptl_process_id_t match_id, ptl_match_bits_t match,
                ptl_match_bits_t ignore, ptl_unlink_t unlink, ptl_ins_pos_t position,
                ptl_handle_me_t *me)
{
    const struct ptl_entry *e = entry_of(base);
    if (!e)
        return PTL_ME_INVALID;
    return insert(ptl_ni_of(base), e->portal, position == PTL_INS_BEFORE ? BEFORE : BEHIND,
                  ptl_handle_index(base), match_id, match, ignore, unlink, me);
}

int PtlMEUnlink(ptl_handle_me_t handle)
{
    struct ptl_ni *ni = ptl_ni_of(handle);
    struct ptl_entry *e = entry_of(handle);
    if (!e)
        return PTL_ME_INVALID;
    const unsigned index = ptl_handle_index(handle);
    struct ptl_descriptor *d = &ni->node->md[index];
    if (ni->accelerated) {
        const uint64_t word[7] = {(handle & 0xFFFF) | (uint64_t)e->portal << 17 |
                                  (uint64_t)ni->slot << 23};
        const unsigned status = ptl_local(ni->node, word, OP_UNLINK, 0);
        if (status != 0)
            return status == IN_USE ? PTL_ME_IN_USE : PTL_ME_INVALID;
    } else if (d->used && d->of_me && d->pending) {
        return PTL_ME_IN_USE;
    }
    generic_remove(ni, e->portal, index);
    e->used = false;
    e->use = (e->use + 1) & 15;
    if (d->used && d->of_me) {
        d->used = false;
        d->use = (d->use + 1) & 15;
    }
    return PTL_OK;
}

/* ---- descriptors ------------------------------------------------------------------------------- */

static bool within(const struct ptl_ni *ni, const ptl_md_t *md)
{
    const struct ptl_port *port = ni->node->port;
    const uint8_t *start = md->start;
    return start >= port->memory && start + md->length <= port->memory + port->heap;
}

static struct ptl_descriptor values(const struct ptl_ni *ni, const ptl_md_t *md, bool unlink)
{
    const uint8_t *start = md->start;
    const bool queue = md->eq_handle != PTL_EQ_NONE;
    return (struct ptl_descriptor){
        .unlink = unlink,
        .ni = ptl_ni_number(ni),
        .queue = queue ? ptl_handle_index(md->eq_handle) : PTL_NONE,
        .start = (uint64_t)(start - ni->node->port->memory),
        .length = md->length,
        .max_size = md->max_size,
        .threshold = (uint32_t)md->threshold,
        .options = md->options,
        .inactive = md->threshold == 0,
        .user_ptr = md->user_ptr,
    };
}

static void descriptor_words(uint64_t word[7], const struct ptl_ni *ni, unsigned index,
                             const struct ptl_descriptor *d)
{
    const bool queue = d->queue != PTL_NONE;
    word[0] = index | (uint64_t)(d->options & 0x7FF) << 12 | (uint64_t)d->unlink << 23 |
              (uint64_t)d->of_me << 24 | (uint64_t)(queue ? d->queue : 0) << 25 |
              (uint64_t)queue << 33 | (uint64_t)ni->slot << 34;
    word[1] = d->start;
    word[2] = d->max_size;
    word[3] = d->threshold;
}

static int make(struct ptl_ni *ni, unsigned index, bool of_me, const ptl_md_t *md, bool unlink,
                ptl_handle_md_t *handle)
{
    struct ptl_descriptor *d = &ni->node->md[index];
    const unsigned use = d->use;
    uint64_t word[7] = {0};
    if (!within(ni, md) || md->threshold < PTL_MD_THRESH_INF)
        return PTL_MD_ILLEGAL;
    if (md->eq_handle != PTL_EQ_NONE && ptl_ni_of(md->eq_handle) != ni)
        return PTL_EQ_INVALID;
    struct ptl_descriptor made = values(ni, md, unlink);
    made.of_me = of_me;
    made.use = use;
    descriptor_words(word, ni, index, &made);
    if (ni->accelerated) {
        if (ptl_local(ni->node, word, OP_MD, made.length) != 0)
            return PTL_MD_ILLEGAL;
        made.use = ni->node->answer.word[1] >> 12 & 15;
    }
    made.used = true;
    *d = made;
    *handle = ptl_handle(ni, KIND_MD, index, made.use);
    return PTL_OK;
}

int PtlMDAttach(ptl_handle_me_t me, ptl_md_t md, ptl_unlink_t unlink, ptl_handle_md_t *handle)
{
    struct ptl_entry *e = entry_of(me);
    if (!e)
        return PTL_ME_INVALID;
    if (e->has_md || ptl_ni_of(me)->node->md[ptl_handle_index(me)].used)
        return PTL_ME_IN_USE;
    const int status =
        make(ptl_ni_of(me), ptl_handle_index(me), true, &md, unlink == PTL_UNLINK, handle);
    e->has_md = status == PTL_OK;
    return status;
}

int PtlMDBind(ptl_handle_ni_t handle, ptl_md_t md, ptl_unlink_t unlink, ptl_handle_md_t *bound)
{
    struct ptl_ni *ni = ptl_ni_of(handle);
    if (!ni)
        return PTL_NI_INVALID;
    const unsigned index = free_index(ni->node);
    return index == PTL_NONE ? PTL_NO_SPACE
                             : make(ni, index, false, &md, unlink == PTL_UNLINK, bound);
}

int PtlMDUnlink(ptl_handle_md_t handle)
{
    struct ptl_ni *ni = ptl_ni_of(handle);
    struct ptl_descriptor *d = descriptor_of(handle);
    if (!d)
        return PTL_MD_INVALID;
    if (ni->accelerated) {
        const uint64_t word[7] = {(handle & 0xFFFF) | 1 << 16 | (uint64_t)ni->slot << 23};
        const unsigned status = ptl_local(ni->node, word, OP_UNLINK, 0);
        if (status != 0)
            return status == IN_USE ? PTL_MD_IN_USE : PTL_MD_INVALID;
    } else if (d->pending) {
        return PTL_MD_IN_USE;
    }
    if (d->of_me)
        ni->node->me[ptl_handle_index(handle)].has_md = false;
    d->used = false;
    d->use = (d->use + 1) & 15;
    return PTL_OK;
}

/* The values before, if they are wanted; new ones only while the tested queue is empty. */
int PtlMDUpdate(ptl_handle_md_t handle, ptl_md_t *before, const ptl_md_t *after,
                ptl_handle_eq_t test)
{
    struct ptl_ni *ni = ptl_ni_of(handle);
    struct ptl_descriptor *d = descriptor_of(handle);
    uint64_t word[7] = {0};
    if (!d || d->ends)
        return PTL_MD_INVALID;
    if (before)
        *before = (ptl_md_t){
            .start = ni->node->port->memory + d->start,
            .length = d->length,
            .threshold = (int)d->threshold,
            .max_size = d->max_size,
            .options = d->options,
            .user_ptr = d->user_ptr,
            .eq_handle = d->queue == PTL_NONE ? PTL_EQ_NONE : ptl_handle(ni, KIND_EQ, d->queue, 0)};
    if (!after)
        return PTL_OK;
    if (!within(ni, after))
        return PTL_MD_ILLEGAL;
    struct ptl_descriptor next = values(ni, after, d->unlink);
    next.used = true;
    next.of_me = d->of_me;
    next.use = d->use;
    next.pending = d->pending;
    descriptor_words(word, ni, ptl_handle_index(handle), &next);
    if (ni->accelerated) {
        if (test != PTL_EQ_NONE)
            word[0] |= (uint64_t)ptl_handle_index(test) << 38 | (uint64_t)1 << 46;
        const unsigned status = ptl_local(ni->node, word, OP_UPDATE, next.length);
        if (status != 0)
            return status == NO_UPDATE ? PTL_MD_NO_UPDATE : PTL_MD_INVALID;
    } else if (test != PTL_EQ_NONE) {
        const struct ptl_queue *q = &ni->node->eq[ptl_handle_index(test)];
        if (q->read != q->written)
            return PTL_MD_NO_UPDATE;
    }
    *d = next;
    return PTL_OK;
}
