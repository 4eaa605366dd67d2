// SPDX-License-Identifier: Apache-2.0
/*
 * test_ss_programs.c - random programs on four chips, in accelerated and in generic mode: puts and gets of any length and alignment, acks,
 * descriptors that are used once or twice and unlinked, memories that stall.
 *
 * A program is drawn from the seed alone, so both modes run the same one. Every message goes to an entry of its own, whose match bits name
 * it; so what it does depends on no times: its bytes, at both ends, and each of its events are known before. Every byte of all memories is
 * compared at the end of a program, every event when it comes; then the two modes' events are. With --messages N so many in each mode;
 * writes build/reports/seastar-soak.json.
 *
 * Built for seastar2: fast.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/host/portals/portals.h"
#include "tb/base/harness.h"
#include "tb/system/seastar/ss_nodes.h"

enum {
    CHIPS = 4,
    PID = 30,
    ROUND = 16,     /* messages of a program */
    SPAN = 1 << 12, /* bytes around the buffers of a message */
    LONGEST = 3000,
    EVENTS = 512,
    LIMIT = 400000, /* clocks in which a program is done */
};

/* A message, at its initiator and its target. */
struct message {
    unsigned from, to, length, offset, room; /* room: bytes that its target's descriptor has */
    bool get, ack, truncate, no_ack, matched;
    uint64_t data;
    unsigned source_shift, target_shift;
    /* what came of it */
    unsigned seen[10]; /* events by type, */
    unsigned wrong;    /* and those that said anything else */
};

static struct ss_nodes nodes;
static struct rng r;
static struct message message[ROUND];
static ptl_handle_ni_t ni[CHIPS];
static ptl_handle_eq_t eq[CHIPS];
static uint8_t *wanted[CHIPS];
static struct {
    uint64_t messages, unexplained, start_without_end, not_whole, differ;
} total;

static uint64_t source_of(unsigned n)
{
    return (uint64_t)n * 2 * SPAN + 64 + message[n].source_shift;
}

static uint64_t target_of(unsigned n)
{
    return (uint64_t)n * 2 * SPAN + SPAN + 64 + message[n].target_shift;
}

/* ---- programs -------------------------------------------------------------------------------------- */

static void draw(void)
{
    for (unsigned n = 0; n < ROUND; n++) {
        struct message *m = &message[n];
        *m = (struct message){.from = rng_below(&r, CHIPS),
                              .length =
                                  rng_below(&r, 3) ? rng_below(&r, 80) : rng_below(&r, LONGEST),
                              .get = rng_below(&r, 3) == 0,
                              .ack = rng_below(&r, 2),
                              .truncate = rng_below(&r, 3) == 0,
                              .matched = rng_below(&r, 12),
                              .data = rng_next(&r),
                              .source_shift = rng_below(&r, 64),
                              .target_shift = rng_below(&r, 64)};
        m->to = (m->from + rng_below(&r, CHIPS)) % CHIPS;
        m->offset = rng_below(&r, 200);
        m->room = m->offset + m->length;
        if (m->truncate)
            m->room = m->offset + rng_below(&r, m->length + 1);
        m->ack = m->ack && !m->get && m->matched; /* of what is dropped no ack comes */
    }
}

static unsigned taken(const struct message *m)
{
    const unsigned room = m->room - m->offset;
    return !m->matched ? 0 : m->length < room ? m->length : room;
}

static bool begin(bool accelerated)
{
    int interfaces;
    if (PtlInit(&interfaces) != PTL_OK || !nodes_start(&nodes, CHIPS))
        return false;
    bool good = true;
    for (unsigned i = 0; i < CHIPS; i++) {
        ptl_choose(&nodes.node[i].port, accelerated);
        good = good && PtlNIInit(0, PID + i, &ni[i]) == PTL_OK &&
               PtlEQAlloc(ni[i], EVENTS, &eq[i]) == PTL_OK;
        for (unsigned at = 0; at < ROUND * 2 * SPAN; at++)
            nodes.node[i].memory[at] = (uint8_t)rng_next(&r);
        memcpy(wanted[i], nodes.node[i].memory, ROUND * 2 * SPAN);
    }
    return good;
}

/* Entries of all targets, each with a descriptor that ends with its message. */
static bool attach(void)
{
    bool good = true;
    for (unsigned n = 0; n < ROUND; n++) {
        const struct message *m = &message[n];
        const ptl_process_id_t from = {m->from, PID + m->from};
        ptl_handle_me_t me;
        ptl_handle_md_t md;
        const ptl_md_t target = {.start = nodes.node[m->to].memory + target_of(n),
                                 .length = m->room,
                                 .threshold = 1,
                                 .options = (m->get ? PTL_MD_OP_GET : PTL_MD_OP_PUT) |
                                            PTL_MD_MANAGE_REMOTE |
                                            (m->truncate ? PTL_MD_TRUNCATE : 0),
                                 .eq_handle = eq[m->to]};
        if (!m->matched)
            continue;
        good = good &&
               PtlMEAttach(ni[m->to], n % 5, from, n, 0, PTL_UNLINK,
                           n % 2 ? PTL_INS_AFTER : PTL_INS_BEFORE, &me) == PTL_OK &&
               PtlMDAttach(me, target, PTL_UNLINK, &md) == PTL_OK;
    }
    return good;
}

static bool send_all(void)
{
    bool good = true;
    for (unsigned n = 0; n < ROUND; n++) {
        const struct message *m = &message[n];
        const ptl_process_id_t to = {m->to, PID + m->to};
        ptl_handle_md_t md;
        const ptl_md_t source = {.start = nodes.node[m->from].memory + source_of(n),
                                 .length = m->length,
                                 .threshold = m->ack ? 2 : 1,
                                 .eq_handle = eq[m->from]};
        good = good && PtlMDBind(ni[m->from], source, PTL_UNLINK, &md) == PTL_OK &&
               (m->get ? PtlGet(md, to, n % 5, 0, n, m->offset)
                       : PtlPut(md, m->ack ? PTL_ACK_REQ : PTL_NOACK_REQ, to, n % 5, 0, n,
                                m->offset, m->data)) == PTL_OK;
    }
    return good;
}

/* ---- what must come of them ------------------------------------------------------------------------- */

/* How often an event of a type comes of a message. */
static unsigned due(const struct message *m, unsigned type)
{
    switch (type) {
    case PTL_EVENT_GET_START:
    case PTL_EVENT_GET_END:
    case PTL_EVENT_REPLY_START:
    case PTL_EVENT_REPLY_END:
        return m->get && m->matched;
    case PTL_EVENT_PUT_START:
    case PTL_EVENT_PUT_END:
        return !m->get && m->matched;
    case PTL_EVENT_SEND_START:
    case PTL_EVENT_SEND_END:
        return !m->get;
    case PTL_EVENT_ACK:
        return m->ack;
    default: /* UNLINK: of the target's descriptor, and of the initiator's when nothing of it is pending */
        return m->matched + (m->matched || !m->get);
    }
}

static bool all_came(void)
{
    bool all = true;
    for (unsigned n = 0; n < ROUND; n++)
        for (unsigned type = 0; type < 10; type++)
            all = all && message[n].seen[type] >= due(&message[n], type);
    return all;
}

/* Match bits name the message where an event has them; else the descriptor it is of does. */
static unsigned named(unsigned at, const ptl_event_t *e, unsigned (*of)[512])
{
    unsigned *known = &of[at][e->md_handle & 511];
    const bool named = e->type != PTL_EVENT_SEND_END && e->type != PTL_EVENT_UNLINK;
    if (named)
        *known = (unsigned)e->match_bits % ROUND;
    return *known;
}

static void take_event(unsigned at, const ptl_event_t *e, unsigned (*of)[512])
{
    struct message *m = &message[named(at, e, of)];
    const unsigned got = taken(m);
    const bool target = e->type <= PTL_EVENT_PUT_END;
    bool right = e->ni_fail_type == 0;
    m->seen[e->type]++;
    if (e->type == PTL_EVENT_UNLINK)
        right = right && (at == m->from || at == m->to);
    else
        right = right && at == (target ? m->to : m->from) && e->rlength == m->length &&
                e->mlength == (e->type == PTL_EVENT_SEND_START || e->type == PTL_EVENT_SEND_END
                                   ? m->length
                                   : got);
    if (target)
        right = right && e->initiator.nid == m->from && e->initiator.pid == PID + m->from &&
                e->offset == m->offset && (m->get || e->hdr_data == m->data);
    m->wrong += !right;
}

static void run_events(void)
{
    static unsigned of[CHIPS][512];
    memset(of, 0, sizeof of);
    for (unsigned t = 0; t < LIMIT && !all_came(); t++) {
        for (unsigned i = 0; i < CHIPS; i++) {
            ptl_event_t e;
            const int status = PtlEQGet(eq[i], &e);
            if (status == PTL_OK)
                take_event(i, &e, of);
            else if (status != PTL_EQ_EMPTY)
                total.unexplained++;
        }
        nodes_step(&nodes);
    }
    for (unsigned t = 0; t < 2000; t++) /* nothing else comes */
        nodes_step(&nodes);
    for (unsigned i = 0; i < CHIPS; i++) {
        ptl_event_t e;
        while (PtlEQGet(eq[i], &e) != PTL_EQ_EMPTY)
            take_event(i, &e, of);
    }
}

/* Memories: what was put or got, and no other byte. */
static void check_memories(void)
{
    for (unsigned n = 0; n < ROUND; n++) {
        const struct message *m = &message[n];
        uint8_t *to = wanted[m->to] + target_of(n) + m->offset;
        uint8_t *from = wanted[m->from] + source_of(n);
        if (m->get)
            memcpy(from, to, taken(m));
        else
            memcpy(to, from, taken(m));
    }
    for (unsigned i = 0; i < CHIPS; i++)
        for (unsigned at = 0; at < ROUND * 2 * SPAN; at++)
            total.unexplained += wanted[i][at] != nodes.node[i].memory[at];
}

/* The first message that is not whole. */
static void note_message(unsigned n)
{
    const struct message *m = &message[n];
    tap_note("%s of %u bytes from %u to %u into %u from %u on%s%s: %u events with other values",
             m->get ? "get" : "put", m->length, m->from, m->to, m->room, m->offset,
             m->ack ? ", ack" : "", m->matched ? "" : ", not matched", m->wrong);
    for (unsigned type = 0; type < 10; type++)
        if (m->seen[type] != due(m, type))
            tap_note("event %u: %u, wanted %u", type, m->seen[type], due(m, type));
}

static void check_events(void)
{
    for (unsigned n = 0; n < ROUND; n++) {
        const struct message *m = &message[n];
        bool whole = m->wrong == 0;
        for (unsigned type = 0; type < 10; type++)
            whole = whole && m->seen[type] == due(m, type);
        if (!whole && total.not_whole++ == 0)
            note_message(n);
        for (unsigned type = 0; type < 8; type += 2)
            total.start_without_end += m->seen[type] != m->seen[type + 1];
    }
}

static bool program(bool accelerated, uint64_t seed, unsigned stall)
{
    rng_seed(&r, seed);
    draw();
    nodes = (struct ss_nodes){.interrupt = 50, .stall = stall, .random = seed};
    harness_clock = &nodes.clock;
    const bool good = begin(accelerated) && attach() && send_all();
    if (good)
        run_events();
    check_memories();
    check_events();
    total.messages += ROUND;
    PtlFini();
    nodes_free(&nodes);
    return good;
}

static bool both_modes(uint64_t seed)
{
    static struct message first[ROUND];
    const unsigned stall = seed % 3 ? 0 : 2 + seed % 7;
    bool good = program(true, seed, stall);
    memcpy(first, message, sizeof first);
    good = program(false, seed, stall) && good;
    for (unsigned n = 0; n < ROUND; n++)
        total.differ += memcmp(first[n].seen, message[n].seen, sizeof first[n].seen) != 0;
    return good;
}

static bool write_report(const char *path)
{
    cJSON *o = cJSON_CreateObject();
    cJSON_AddNumberToObject(o, "messages", (double)total.messages);
    cJSON_AddNumberToObject(o, "unexplained", (double)total.unexplained);
    cJSON_AddNumberToObject(o, "start_without_end", (double)total.start_without_end);
    cJSON_AddNumberToObject(o, "not_whole", (double)total.not_whole);
    cJSON_AddNumberToObject(o, "modes_differ", (double)total.differ);
    return report_write(path, o);
}

int main(int argc, char **argv)
{
    uint64_t seed = 1, messages = 8 * ROUND;
    const char *json = "build/reports/seastar-soak.json";
    const struct args_option rows[] = {
        args_number("--messages", &messages, 1, 100000000, "messages in each mode"),
        args_text("--json", "FILE", &json, "report"), args_end()};
    harness_options(argc, argv, &seed, rows);
    bool good = true;
    for (unsigned i = 0; i < CHIPS; i++)
        wanted[i] = malloc(ROUND * 2 * SPAN);
    for (uint64_t n = 0; n < messages && good; n += ROUND)
        good = both_modes(seed * 1000003 + n / ROUND);
    tap_ok(good, "programs begin: entries, descriptors, commands");
    tap_equal(total.unexplained, 0, "bytes that no message explains");
    tap_equal(total.start_without_end, 0, "STARTs without END");
    tap_equal(total.not_whole, 0, "messages whose events are not those wanted, of %" PRIu64,
              total.messages);
    tap_equal(total.differ, 0, "messages that differ between the modes");
    for (unsigned i = 0; i < CHIPS; i++)
        free(wanted[i]);
    return write_report(json) ? tap_done() : 1;
}
