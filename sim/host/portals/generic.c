// SPDX-License-Identifier: Apache-2.0
/*
 * generic.c - generic mode: the host matches, tells events and answers, by the rules of hls/seastar/portals/README.md, with what the chip
 * tells it in the driver's ring.
 */
#include <string.h>

#include "sim/host/portals/portals.h"
#include "sim/host/portals/ptl_inside.h"

enum {
    KIND_HEADER = 1,
    KIND_MESSAGE,
    KIND_RECEIVED,
    KIND_SENT,
    KIND_REPLY = 6,
    ILLEGAL = 7,
    HEADER_BYTES = 12,
};

static const uint64_t length_mask = (UINT64_C(1) << 40) - 1;

static void spend(const struct ptl_node *node, unsigned clocks)
{
    node->port->spend(node->port->node, clocks);
}

/* ---- lists ------------------------------------------------------------------------------------- */

int generic_insert(struct ptl_ni *ni, unsigned portal, unsigned index, unsigned place,
                   unsigned other)
{
    struct ptl_entry *me = ni->node->me;
    unsigned *link = &ni->first[portal];
    if (place == 1) {
        while (*link != PTL_NONE)
            link = &me[*link].next;
    } else if (place >= 2) {
        while (*link != PTL_NONE && *link != other)
            link = &me[*link].next;
        if (*link == PTL_NONE)
            return PTL_ME_INVALID;
        if (place == 3)
            link = &me[*link].next;
    }
    me[index].next = *link;
    *link = index;
    return PTL_OK;
}

int generic_remove(struct ptl_ni *ni, unsigned portal, unsigned index)
{
    struct ptl_entry *me = ni->node->me;
    unsigned *link = &ni->first[portal];
    while (*link != PTL_NONE && *link != index)
        link = &me[*link].next;
    if (*link == PTL_NONE)
        return PTL_ME_INVALID;
    *link = me[index].next;
    return PTL_OK;
}

/* ---- events -------------------------------------------------------------------------------------- */

static void push_words(struct ptl_node *node, const struct ptl_descriptor *d, uint64_t w[8])
{
    if (d->queue == PTL_NONE)
        return;
    struct ptl_queue *q = &node->eq[d->queue];
    if ((q->written - q->read) >> q->log2 != 0) {
        q->missed = true;
        return;
    }
    w[0] |= (uint64_t)q->missed << 14;
    w[7] |= (uint64_t)((q->written + 1) & 0xFFFFFF) << 40;
    q->missed = false;
    memcpy(node->port->memory + q->base + 64 * (uint64_t)(q->written & ((1U << q->log2) - 1)), w,
           64);
    q->written++;
}

/* An event of an operation; `gone`: its descriptor goes with it. */
static void push_event(struct ptl_node *node, const struct ptl_op *op, unsigned type,
                       unsigned status, bool gone)
{
    const struct ptl_descriptor *d = &node->md[op->md];
    const bool starts = type < PTL_EVENT_ACK && type % 2 == 0;
    const bool data =
        type == PTL_EVENT_PUT_START || type == PTL_EVENT_PUT_END || type == PTL_EVENT_SEND_START;
    uint64_t w[8] = {type | (uint64_t)status << 4 | (uint64_t)op->portal << 8 |
                         (uint64_t)gone << 15 | (uint64_t)op->md << 16 | (uint64_t)d->use << 28 |
                         (uint64_t)op->link << 32,
                     op->node | op->pid << 16 | op->identity >> 32 << 32,
                     (uint32_t)op->identity | (uint64_t)op->threshold << 32,
                     op->bits,
                     data ? op->data : 0,
                     op->requested,
                     op->manipulated,
                     op->offset};
    if (type == PTL_EVENT_SEND_END) {
        w[1] &= 0xFFFFFFFF;
        w[2] &= ~UINT64_C(0xFFFFFFFF);
        w[3] = 0;
    }
    if (!(d->options & (starts ? PTL_MD_EVENT_START_DISABLE : PTL_MD_EVENT_END_DISABLE)))
        push_words(node, d, w);
}

/* Behind its last operation a descriptor that ends is freed. */
static void free_ended(struct ptl_node *node, const struct ptl_op *op)
{
    struct ptl_descriptor *d = &node->md[op->md];
    struct ptl_entry *e = &node->me[op->md];
    uint64_t w[8] = {PTL_EVENT_UNLINK | (uint64_t)op->md << 16 | (uint64_t)d->use << 28 |
                         (uint64_t)op->link << 32,
                     0, (uint64_t)d->threshold << 32};
    if (!d->ends || d->pending)
        return;
    if (!(d->options & PTL_MD_EVENT_END_DISABLE))
        push_words(node, d, w);
    d->used = false;
    d->use = (d->use + 1) & 15;
    if (d->of_me)
        e->has_md = false;
    if (d->entry_ends) {
        e->used = false;
        e->use = (e->use + 1) & 15;
    }
}

/* The END of an operation. */
static void end_event(struct ptl_node *node, const struct ptl_op *op, unsigned type,
                      unsigned status)
{
    struct ptl_descriptor *d = &node->md[op->md];
    d->pending--;
    push_event(node, op, type, status, d->ends && d->pending == 0);
    free_ended(node, op);
}

/* ---- operations ---------------------------------------------------------------------------------- */

/* Operation 0 is none: a ticket of 0 is not told. */
static struct ptl_op *new_op(struct ptl_node *node, unsigned kind)
{
    for (;;) {
        for (unsigned n = 1; n < PTL_OPS; n++) {
            if (node->op[n].kind == 0) {
                node->op[n] = (struct ptl_op){.kind = kind, .link = ++node->links};
                return &node->op[n];
            }
        }
        ptl_serve(node);
        spend(node, 1);
    }
}

static unsigned ticket_of(const struct ptl_node *node, const struct ptl_op *op)
{
    return (unsigned)(op - node->op);
}

static void send(struct ptl_node *node, bool response, const uint64_t header[6], uint64_t dst,
                 uint64_t at, uint64_t length, unsigned ticket)
{
    uint64_t word[7];
    memcpy(word, header, 6 * sizeof *word);
    word[6] = dst << 49 | at;
    spend(node, node->port->cost_command);
    ptl_command(node, response ? LINE_RESPONSES : LINE_REQUESTS, word, OP_SEND, ticket, length);
}

int generic_move(struct ptl_ni *ni, unsigned md, bool get, bool ack, ptl_process_id_t target,
                 unsigned portal, unsigned access, uint64_t bits, uint64_t remote, uint64_t data,
                 uint64_t offset, uint64_t length)
{
    struct ptl_node *node = ni->node;
    struct ptl_descriptor *d = &node->md[md];
    struct ptl_op *op = new_op(node, get ? MSG_GET : MSG_PUT);
    op->md = md;
    op->portal = portal;
    op->node = target.nid;
    op->pid = target.pid;
    op->bits = bits;
    op->data = data;
    op->requested = length;
    op->manipulated = length;
    op->offset = offset;
    op->identity = ni->uid | (uint64_t)ni->jid << 32;
    op->threshold = d->threshold;
    if (d->inactive || d->threshold == 0) {
        op->manipulated = 0;
        push_event(node, op, get ? PTL_EVENT_REPLY_END : PTL_EVENT_SEND_END, ILLEGAL, false);
        op->kind = 0;
        return PTL_OK;
    }
    if (d->threshold != UINT32_MAX)
        d->threshold--;
    d->inactive = d->threshold == 0;
    d->ends = d->inactive && d->unlink;
    d->pending += ack && !get ? 2 : 1;
    op->threshold = d->threshold;
    op->waits_ack = ack && !get;
    op->leaving = !get;
    if (!get)
        push_event(node, op, PTL_EVENT_SEND_START, 0, false);
    const uint64_t header[6] = {(get ? MSG_GET : MSG_PUT) | (uint64_t)op->waits_ack << 4 |
                                    (uint64_t)access << 5 | (uint64_t)portal << 8 |
                                    (uint64_t)target.pid << 16 | (uint64_t)ni->pid << 32 |
                                    (uint64_t)ticket_of(node, op) << 48,
                                bits,
                                get ? 0 : data,
                                length,
                                remote,
                                op->identity};
    send(node, false, header, target.nid, d->start + offset, length, ticket_of(node, op));
    return PTL_OK;
}

/* ---- a request that comes -------------------------------------------------------------------------- */

static bool admits(const struct ptl_who *w, const uint64_t flit[6], uint64_t node)
{
    return (w->nid == PTL_NID_ANY || w->nid == node) &&
           (w->pid == PTL_PID_ANY || w->pid == (flit[0] >> 32 & 0xFFFF)) &&
           (w->uid == PTL_UID_ANY || w->uid == (uint32_t)flit[5]) &&
           (w->jid == PTL_JID_ANY || w->jid == flit[5] >> 32);
}

static struct ptl_ni *process_of(const struct ptl_node *node, uint64_t pid)
{
    for (unsigned s = 0; s < PTL_SLOTS; s++) {
        struct ptl_ni *ni = node->slot[s] == PTL_NONE ? NULL : ptl_ni_at(node->slot[s]);
        if (ni && !ni->accelerated && ni->pid == pid)
            return ni;
    }
    return NULL;
}

static uint64_t left_of(const struct ptl_descriptor *d, uint64_t offset)
{
    return offset < d->length ? d->length - offset : 0;
}

/* Whether the descriptor takes the request: how much, and from which offset on. */
static bool accepts(const struct ptl_descriptor *d, bool get, uint64_t requested, uint64_t remote,
                    struct ptl_op *op)
{
    const uint64_t offset = d->options & PTL_MD_MANAGE_REMOTE ? remote : d->offset;
    uint64_t room = left_of(d, offset);
    if (d->options & PTL_MD_MAX_SIZE && d->max_size < room)
        room = d->max_size;
    if (d->inactive || d->ends || d->threshold == 0 ||
        !(d->options & (get ? PTL_MD_OP_GET : PTL_MD_OP_PUT)))
        return false;
    if (requested > room && !(d->options & PTL_MD_TRUNCATE))
        return false;
    op->offset = offset;
    op->manipulated = requested < room ? requested : room;
    return true;
}

/* The first entry of the list that matches and whose descriptor accepts; PTL_NONE if there is none. */
static unsigned match(const struct ptl_ni *ni, const uint64_t flit[6], uint64_t node, bool get,
                      struct ptl_op *op)
{
    const unsigned portal = flit[0] >> 8 & 63, access = flit[0] >> 5 & 7;
    if (!ni->access[access].valid || !admits(&ni->access[access].who, flit, node) ||
        (ni->access[access].portal != PTL_PT_INDEX_ANY && ni->access[access].portal != portal))
        return PTL_NONE;
    for (unsigned i = ni->first[portal]; i != PTL_NONE; i = ni->node->me[i].next) {
        const struct ptl_entry *e = &ni->node->me[i];
        spend(ni->node, ni->node->port->cost_me);
        if (admits(&e->who, flit, node) && ((flit[1] ^ e->match) & ~e->ignore) == 0 && e->has_md &&
            accepts(&ni->node->md[i], get, flit[3] & length_mask, flit[4] & length_mask, op))
            return i;
    }
    return PTL_NONE;
}

static void commit(struct ptl_ni *ni, unsigned index, struct ptl_op *op)
{
    struct ptl_descriptor *d = &ni->node->md[index];
    struct ptl_entry *e = &ni->node->me[index];
    const bool local = !(d->options & PTL_MD_MANAGE_REMOTE);
    if (local)
        d->offset += op->manipulated;
    if (d->threshold != UINT32_MAX)
        d->threshold--;
    d->inactive = d->threshold == 0 ||
                  (d->options & PTL_MD_MAX_SIZE && local && left_of(d, d->offset) < d->max_size);
    d->ends = d->inactive && d->unlink;
    d->entry_ends = d->ends && e->unlink;
    d->pending++;
    if (d->entry_ends)
        generic_remove(ni, op->portal, index);
    else if (d->ends)
        e->has_md = false;
    op->threshold = d->threshold;
}

/* The ack of a put, with source and target swapped. */
static void send_ack(struct ptl_node *node, const struct ptl_op *op, unsigned status)
{
    const struct ptl_ni *ni = ptl_ni_at(node->md[op->md].ni);
    const uint64_t header[6] = {MSG_ACK | (uint64_t)op->portal << 8 | op->pid << 16 |
                                    (uint64_t)(ni ? ni->pid : 0) << 32 | op->tag << 48,
                                op->bits,
                                op->manipulated,
                                op->requested,
                                op->offset | (uint64_t)status << 40,
                                op->identity};
    send(node, true, header, op->node, 0, 0, 0);
}

static void finish_put(struct ptl_node *node, struct ptl_op *op, unsigned status)
{
    const bool acks = op->ack && !(node->md[op->md].options & PTL_MD_ACK_DISABLE);
    end_event(node, op, PTL_EVENT_PUT_END, status);
    if (acks)
        send_ack(node, op, status);
    op->kind = 0;
}

static void deposit(struct ptl_node *node, const uint64_t word[8], uint64_t at, uint64_t bytes)
{
    const uint64_t key = (word[3] >> 40 & 0x7FFF) << 2 | (word[7] >> 51 & 3);
    const uint64_t command[7] = {at, key | (word[7] >> 53 & 15) << 18};
    spend(node, node->port->cost_command);
    ptl_command(node, LINE_LOCAL, command, OP_DEPOSIT, 0, bytes);
}

static void take_request(struct ptl_node *node, const uint64_t word[8], bool whole)
{
    const bool get = (word[0] & 15) == MSG_GET;
    const uint64_t from = word[3] >> 40 & 0x7FFF;
    struct ptl_ni *ni = process_of(node, word[0] >> 16 & 0xFFFF);
    struct ptl_op *op = new_op(node, get ? MSG_REPLY : MSG_PUT);
    op->portal = word[0] >> 8 & 63;
    const unsigned index = ni ? match(ni, word, from, get, op) : PTL_NONE;
    if (index == PTL_NONE) {
        if (ni)
            ni->dropped++;
        if (!whole)
            deposit(node, word, 0, 0);
        op->kind = 0;
        node->links--;
        return;
    }
    op->md = index;
    op->node = from;
    op->pid = word[0] >> 32 & 0xFFFF;
    op->bits = word[1];
    op->data = word[2];
    op->requested = word[3] & length_mask;
    op->identity = word[5];
    op->tag = word[0] >> 48;
    op->ack = word[0] >> 4 & 1;
    op->at = (from << 2 | (word[7] >> 51 & 3)) | (word[7] >> 53 & 15) << 18;
    commit(ni, index, op);
    const uint64_t to = node->md[index].start + op->offset;
    push_event(node, op, get ? PTL_EVENT_GET_START : PTL_EVENT_PUT_START, 0, false);
    if (get) {
        const uint64_t header[6] = {MSG_REPLY | (uint64_t)op->portal << 8 | op->pid << 16 |
                                        (uint64_t)ni->pid << 32 | op->tag << 48,
                                    op->bits,
                                    0,
                                    op->manipulated,
                                    op->offset,
                                    op->identity};
        send(node, true, header, from, to, op->manipulated, ticket_of(node, op));
    } else if (whole) {
        uint8_t bytes[HEADER_BYTES];
        memcpy(bytes, &word[6], 8);
        memcpy(bytes + 8, &word[7], 4);
        memcpy(node->port->memory + to, bytes, op->manipulated);
        finish_put(node, op, 0);
    } else {
        op->kind = MSG_COMING;
        deposit(node, word, to, op->manipulated);
    }
}

/* ---- entries of the ring ----------------------------------------------------------------------------- */

static void take_received(struct ptl_node *node, const uint64_t word[8])
{
    const uint64_t key = word[0] | (word[7] >> 53 & 15) << 18;
    for (unsigned n = 1; n < PTL_OPS; n++) {
        struct ptl_op *op = &node->op[n];
        if (op->kind == MSG_COMING && op->at == key) {
            finish_put(node, op, word[7] >> 32 & 15);
            return;
        }
    }
}

static void take_sent(struct ptl_node *node, const uint64_t word[8])
{
    struct ptl_op *op = &node->op[word[0] % PTL_OPS];
    const unsigned status = word[7] >> 32 & 15;
    if (op->kind == MSG_REPLY) {
        end_event(node, op, PTL_EVENT_GET_END, status);
        op->kind = 0;
    } else if (op->kind == MSG_PUT) {
        op->leaving = false;
        end_event(node, op, PTL_EVENT_SEND_END, status);
        op->kind = op->waits_ack ? MSG_PUT : 0;
    }
}

static void take_ack(struct ptl_node *node, const uint64_t word[8])
{
    struct ptl_op *op = &node->op[(word[0] >> 48) % PTL_OPS];
    if (op->kind != MSG_PUT || !op->waits_ack || op->node != (word[3] >> 40 & 0x7FFF))
        return;
    struct ptl_descriptor *d = &node->md[op->md];
    struct ptl_op ack = *op;
    if (d->threshold != UINT32_MAX && d->threshold != 0)
        d->threshold--;
    d->inactive = d->inactive || d->threshold == 0;
    d->ends = d->ends || (d->inactive && d->unlink);
    ack.threshold = d->threshold;
    ack.manipulated = word[2] & length_mask;
    ack.offset = word[4] & length_mask;
    op->waits_ack = false;
    op->kind = op->leaving ? MSG_PUT : 0;
    end_event(node, &ack, PTL_EVENT_ACK, word[4] >> 40 & 15);
}

/* The host sees a reply when it is in memory, so START and END come together. */
static void take_reply(struct ptl_node *node, const uint64_t word[8])
{
    struct ptl_op *op = &node->op[(word[0] & 0xFFFF) % PTL_OPS];
    if (op->kind != MSG_GET)
        return;
    op->manipulated = word[1];
    op->threshold = node->md[op->md].threshold;
    push_event(node, op, PTL_EVENT_REPLY_START, 0, false);
    end_event(node, op, PTL_EVENT_REPLY_END, word[7] >> 32 & 15);
    op->kind = 0;
}

void generic_entry(struct ptl_node *node, const uint64_t word[8])
{
    const unsigned kind = word[7] >> 48 & 7;
    spend(node, node->port->cost_entry);
    if (kind == KIND_RECEIVED)
        take_received(node, word);
    else if (kind == KIND_SENT)
        take_sent(node, word);
    else if (kind == KIND_REPLY)
        take_reply(node, word);
    else if ((word[0] & 15) == MSG_ACK)
        take_ack(node, word);
    else if (kind == KIND_HEADER || kind == KIND_MESSAGE)
        take_request(node, word, kind == KIND_MESSAGE);
}
