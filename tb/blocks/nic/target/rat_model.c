// SPDX-License-Identifier: Apache-2.0
/*
 * rat_model.c - what rat has to make of a request, by the tables as they are: the order of checks is that of the contract page.
 */
#include "tb/blocks/nic/target/rat_model.h"
#include "tb/blocks/nic/target/rat_messages.h"
#include "tb/golden/nic/nic_amo.h"
#include "tb/models/nic_beats.h"

bool rat_model_exists(const struct request *r)
{
    if (is_message(r)) {
        return r->rmt && (r->cmd == SEND || r->bytes == 20);
    }
    return is_operation(r)
               ? gn_amo_of(r->opcode, r->cmd == FAMO).exists
               : r->cmd == GET || r->cmd == PUT || r->cmd == PUT_MSG || r->cmd == CQWRITE ||
                     is_end(r) || (is_reduction(r) && r->bytes == 16);
}

bool rat_model_touches(const struct request *r)
{
    return r->cmd != CQWRITE && !is_end(r);
}

bool rat_model_flagged(const struct request *r)
{
    return is_end(r) && !is_message(r) && (r->flags & 1) != 0;
}

static bool lacks_right(const struct request *r, const struct segment *s)
{
    return (r->cmd == GET && !s->read) || ((r->cmd == PUT || r->cmd == PUT_MSG) && !s->write) ||
           ((r->cmd == PUT_MSG || r->cmd == CQWRITE || (is_end(r) && (r->flags & 2) != 0)) &&
            !s->event) ||
           (rat_model_flagged(r) && !s->write) || (is_operation(r) && !s->atomic);
}

unsigned rat_bench_status(const struct request *r, struct outcome *o)
{
    unsigned handle = r->mdh, bytes = rat_model_flagged(r) ? 8 : r->bytes;
    bool claims = rat_model_touches(r) || rat_model_flagged(r);
    const struct segment *s;

    if (!rb.local && !rb.enabled) {
        return 11; /* UNREACHABLE */
    }
    if (!rat_model_exists(r)) {
        return 2; /* BAD_COMMAND */
    }
    if (is_reduction(r)) {
        return 0;
    }
    if (is_message(r)) {
        return rat_messages_status(r, o);
    }
    if (!rb.local && r->ptag < VMDHS && rb.blocks[r->ptag].valid) {
        if (r->mdh >= rb.blocks[r->ptag].size) {
            return 4; /* VMDH */
        }
        handle += rb.blocks[r->ptag].base;
    }
    if (handle >= MDDS || !rb.segments[handle].valid) {
        return 5; /* MDD */
    }
    o->handle = handle;
    s = &rb.segments[handle];
    o->queue = s->queue;
    if (s->ptag != r->ptag) {
        return 6; /* PROTECTION */
    }
    if (claims && r->offset + bytes > s->length) {
        return 7; /* BOUNDS */
    }
    if (lacks_right(r, s)) {
        return 6;
    }
    o->address = s->base + r->offset;
    if ((r->cmd == GET && !rb.local && r->offset % 4 != 0) ||
        ((is_operation(r) || rat_model_flagged(r)) && o->address % bytes != 0)) {
        return 2;
    }
    o->space = s->mmu ? s->tc << 1 | 1 : 0;
    if (claims && !s->mmu &&
        (o->address < rb.phys_base || o->address + bytes > rb.phys_base + rb.phys_size)) {
        return 3; /* TRANSLATION */
    }
    return 0;
}

void rat_bench_expect(unsigned status)
{
    rb.expected[RAT_UNCORRECTABLE] += status == 1;
    rb.expected[RAT_BAD_COMMAND] += status == 2;
    rb.expected[RAT_TRANSLATION] += status == 3;
    rb.expected[RAT_VMDH] += status == 4;
    rb.expected[RAT_MDD] += status == 5;
    rb.expected[RAT_PROTECTION] += status == 6;
    rb.expected[RAT_BOUNDS] += status == 7;
    rb.expected[RAT_UNREACHABLE] += status == 11;
}

struct outcome rat_model(const struct request *r)
{
    struct outcome o = {0};

    o.dropped = !rb.local && (r->bad == 0 || r->node != NODE);
    rb.expected[RAT_LOST] += r->bad == 0;
    if (o.dropped) {
        rb.expected[RAT_STRAY] += r->bad != 0;
        return o;
    }
    o.status = r->bad == 0 ? 1 : rat_bench_status(r, &o);
    o.context = o.status != 0 || !(rb.local || is_operation(r) || is_reduction(r));
    o.memory = o.status == 0 && rat_model_touches(r);
    o.read = o.memory && r->cmd == GET;
    o.ready = !o.memory;
    o.event = r->event;
    rat_bench_expect(o.status);
    if (o.status == 0 && !rat_model_touches(r) && (r->bad == 1 || (is_end(r) && r->bad == 2))) {
        o.status = 10; /* DATA */
    }
    return o;
}
