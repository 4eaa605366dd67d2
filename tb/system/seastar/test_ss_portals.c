// SPDX-License-Identifier: Apache-2.0
/*
 * test_ss_portals.c - accelerated mode: puts that the chip matches itself, with two events each and no interrupt.
 *
 * Random match lists and puts against the golden rules (golden/seastar/portals.h): which descriptor takes a message, how much of it,
 * where it stands, what START and END say. No byte elsewhere is written, and the driver's ring hears of nothing.
 *
 * Built for seastar2: san.
 */
#include <inttypes.h>
#include <string.h>

#include "tb/golden/seastar/portals.h"
#include "tb/system/seastar/ss_pair.h"

enum {
    WAIT = 4000,
    FROM = 0x1000,
    DATA = 0x2000, /* of descriptor n at DATA + n x SPAN */
    SPAN = 0x200,
    QUEUE = 0xC000,
    QUEUE_LOG2 = 4,
    ENTRIES = 16,
    PID = 7,
    USER = 0x5678
};

static struct ss_pair p;
static struct rng r;
static struct golden_portals golden;
static unsigned events, rounds;
static uint64_t
    handle[ENTRIES]; /* of the entries that are there, with the portal above: as UNLINK has it */
static bool there[ENTRIES];
static uint64_t made; /* the handle that the last command made */

/* A local command of chip 1; the status that the driver is told. */
static unsigned local(unsigned op, const uint64_t words[7], uint64_t length)
{
    struct ss_entry e;
    uint64_t word[8];
    memcpy(word, words, 7 * sizeof *word);
    word[7] = (uint64_t)op << 56 | (uint64_t)3 << 40 | length;
    if (pair_mail(&p, 1, LINE_LOCAL, word, 8) != 0 || !pair_entry(&p, 1, &e, WAIT))
        return 99;
    made = e.word[1];
    return entry_kind(&e) == 5 && e.word[0] == 3 ? entry_status(&e) : 98;
}

/* The process begins anew, without entries. */
static unsigned process(void)
{
    for (unsigned n = 0; n < ENTRIES; n++) {
        const uint64_t unlink[7] = {handle[n]};
        if (there[n] && local(10, unlink, 0) != 0)
            return 97;
        there[n] = false;
    }
    const uint64_t word[7] = {(uint64_t)PID << 4 | 1 << 20 | 1 << 21,
                              USER | (uint64_t)0x1234 << 32};
    memset(&golden, 0, sizeof golden);
    golden.pid = PID;
    golden.user = USER;
    return local(13, word, 0);
}

static unsigned queue(void)
{
    const uint64_t word[7] = {0 | (QUEUE_LOG2 - 1) << 12, QUEUE};
    struct ss_host *h = &p.host[1];
    memset(h->memory + QUEUE, 0, 64 << QUEUE_LOG2);
    memset(h->allowed + QUEUE, 1, 64 << QUEUE_LOG2);
    events = 0;
    return local(12, word, 0);
}

static unsigned attach(unsigned portal, const struct golden_me *me, bool last)
{
    const struct golden_md *md = &me->md;
    const uint64_t entry[7] = {
        me->name | (uint64_t)portal << 12 | (uint64_t)last << 22,
        me->match,
        me->ignore,
        me->node | (uint64_t)me->any_node << 15 | (uint64_t)me->pid << 16 |
            (uint64_t)me->any_pid << 32 | (uint64_t)me->any_job << 33 |
            (uint64_t)me->any_user << 34,
        me->user | (uint64_t)me->job << 32,
    };
    const uint64_t options = (uint64_t)md->put | (uint64_t)md->remote << 2 |
                             (uint64_t)md->truncate << 4 | (uint64_t)md->has_max << 7 |
                             (uint64_t)md->no_start << 9 | (uint64_t)md->no_end << 10;
    const uint64_t descriptor[7] = {me->name | options << 12 | (uint64_t)1 << 24 |
                                        (uint64_t)1 << 33,
                                    md->start, md->max_size, md->threshold};
    unsigned status = local(8, entry, 0);
    if (status == 0) {
        handle[me->name] = made | (uint64_t)portal << 17;
        there[me->name] = true;
    }
    if (me->has_md)
        status |= local(9, descriptor, md->length);
    golden_attach(&golden, portal, me, last);
    return status;
}

/* The next event of the queue; false if there is none in time. */
static bool event(uint64_t word[8], unsigned limit)
{
    const struct ss_host *h = &p.host[1];
    const unsigned at = QUEUE + events % (1 << QUEUE_LOG2) * 64;
    for (;; pair_step(&p)) {
        memcpy(word, h->memory + at, 64);
        if (word[7] >> 40 == ((events + 1) & 0xFFFFFF))
            break;
        if (limit-- == 0)
            return false;
    }
    events++;
    const uint64_t index[8] = {events};
    return pair_mail(&p, 1, 0x800, index, 1) == 0;
}

/* An event says what the golden outcome does. */
static bool says(const uint64_t word[8], unsigned type, const struct golden_put *put,
                 const struct golden_outcome *o)
{
    const bool head = (word[0] & 0x3FFF) == (type | put->portal << 8);
    return head && (word[0] >> 16 & 0xFFF) == o->name &&
           word[1] == (put->from_node | (uint64_t)put->from_pid << 16 | (uint64_t)put->job << 32) &&
           word[2] == (put->user | (uint64_t)o->threshold << 32) && word[3] == put->bits &&
           word[4] == ~put->bits && word[5] == put->requested && word[6] == o->manipulated &&
           (word[7] & 0xFFFFFFFFFF) == o->offset;
}

/* A put of chip 0 with these fields; what it does at chip 1 is held against the golden outcome. */
static bool put(struct golden_put *g, unsigned from)
{
    struct ss_host *sender = &p.host[0], *h = &p.host[1];
    const unsigned n = sender->due_put % 64, bytes = (unsigned)g->requested;
    static uint8_t before[HOST_BYTES];
    uint64_t start[8], end[8];
    uint64_t word[8] = {GOLDEN_SS_PUT | (uint64_t)g->access << 5 | (uint64_t)g->portal << 8 |
                            (uint64_t)g->pid << 16 | (uint64_t)g->from_pid << 32,
                        g->bits,
                        ~g->bits,
                        0,
                        g->offset,
                        g->user | (uint64_t)g->job << 32,
                        (uint64_t)1 << 49 | from,
                        (uint64_t)1 << 56 | bytes};
    memcpy(sender->due_data[n], sender->memory + from, bytes);
    sender->due[n] =
        (struct golden_ss_message){.dst = 1, .src = 0, .data = sender->due_data[n], .bytes = bytes};
    memcpy(sender->due[n].header, word, 6 * sizeof *word);
    sender->due[n].header[3] = bytes;
    sender->due_put++;
    memcpy(before, h->memory, sizeof before);
    const struct golden_outcome o = golden_put(&golden, g);
    const uint64_t refused = pair_read(&p, 1, SS_REG_REFUSED);
    if (o.taken)
        memset(h->allowed + o.at, 1, o.manipulated);
    if (pair_mail(&p, 0, LINE_REQUESTS, word, 8) != 0)
        return false;
    bool good = true;
    if (o.taken && o.start)
        good = event(start, WAIT) && says(start, 2, g, &o);
    if (o.taken && o.end)
        good = good && event(end, WAIT) && says(end, 3, g, &o);
    if (good && o.taken && o.start && o.end)
        good = start[0] >> 32 == end[0] >> 32;
    if (!o.taken || !o.end)
        pair_run(&p, 700);
    if (o.taken)
        golden_end(&golden, o.name);
    good = good && pair_read(&p, 1, SS_REG_REFUSED) == refused + !o.taken;
    if (o.taken) {
        memset(h->allowed + o.at, 0, o.manipulated);
        memcpy(before + o.at, sender->due_data[n], o.manipulated);
    }
    memcpy(before + HOST_RING, h->memory + HOST_RING, sizeof before - HOST_RING); /* ring, events */
    return good && memcmp(before, h->memory, sizeof before) == 0;
}

static bool clean(void)
{
    return !p.host[0].wrong_flits && !p.host[0].astray && !p.host[1].astray;
}

static void two_events(void)
{
    const struct golden_me me = {.match = 0x42,
                                 .any_node = true,
                                 .any_pid = true,
                                 .any_user = true,
                                 .any_job = true,
                                 .has_md = true,
                                 .md = {.start = DATA,
                                        .length = SPAN,
                                        .threshold = GOLDEN_FOR_EVER,
                                        .put = true,
                                        .active = true}};
    struct golden_put g = {.pid = PID,
                           .portal = 5,
                           .from_pid = 9,
                           .user = USER,
                           .job = 0x1234,
                           .bits = 0x42,
                           .requested = 100};
    tap_ok(process() == 0 && queue() == 0 && attach(5, &me, true) == 0,
           "a process, its queue, an entry with a descriptor");
    const uint64_t quiet = p.interrupts[1];
    const uint64_t entries = pair_read(&p, 1, SS_REG_RING_WRITE);
    tap_ok(put(&g, FROM), "100 bytes into a descriptor: START and END");
    g.requested = 0;
    tap_ok(put(&g, FROM), "0 bytes: START and END");
    g.requested = 12;
    tap_ok(put(&g, FROM + 5), "12 bytes, behind the hundred");
    g.bits = 0x43;
    tap_ok(put(&g, FROM), "other match bits: dropped, counted, no event");
    g.bits = 0x42;
    g.user++;
    tap_ok(put(&g, FROM), "another user: not admitted");
    g.user--;
    g.requested = SPAN;
    tap_ok(put(&g, FROM), "more than is free, without TRUNCATE: dropped");
    /* holds ss_engine.quiet */
    tap_ok(p.interrupts[1] == quiet && pair_read(&p, 1, SS_REG_RING_WRITE) == entries && clean(),
           "no interrupt, no entry in the driver's ring, no byte astray");
}

static struct golden_me random_entry(unsigned name)
{
    return (struct golden_me){
        .name = name,
        .match = rng_below(&r, 4),
        .ignore = rng_below(&r, 3) ? 0 : rng_below(&r, 4),
        .any_node = rng_below(&r, 2),
        .pid = 9 + rng_below(&r, 2),
        .any_pid = rng_below(&r, 2),
        .user = USER,
        .any_user = rng_below(&r, 2),
        .job = 0x1234 + rng_below(&r, 2),
        .any_job = rng_below(&r, 2),
        .has_md = rng_below(&r, 8),
        .md = {.start = DATA + (uint64_t)name * SPAN + rng_below(&r, 8),
               .length = rng_below(&r, SPAN - 8),
               .max_size = rng_below(&r, 200),
               .threshold = rng_below(&r, 3) ? 1 + rng_below(&r, 3) : GOLDEN_FOR_EVER,
               .put = rng_below(&r, 6),
               .remote = rng_below(&r, 3) == 0,
               .truncate = rng_below(&r, 2),
               .has_max = rng_below(&r, 3) == 0,
               .no_start = rng_below(&r, 5) == 0,
               .no_end = rng_below(&r, 5) == 0,
               .active = true},
    };
}

/* Lists of all entries on two portals, then puts. */
static bool random_round(void)
{
    bool good = process() == 0 && queue() == 0;
    for (unsigned n = 0; n < ENTRIES && good; n++) {
        const struct golden_me me = random_entry(n);
        good = attach(3 + rng_below(&r, 2), &me, rng_below(&r, 3)) == 0;
    }
    for (unsigned n = 0; n < 25 && good; n++) {
        struct golden_put g = {.pid = PID,
                               .portal = 3 + rng_below(&r, 8) % 3,
                               .access = rng_below(&r, 10) == 0,
                               .from_pid = 9 + rng_below(&r, 2),
                               .user = USER,
                               .job = 0x1234 + rng_below(&r, 2),
                               .bits = rng_below(&r, 4),
                               .requested =
                                   rng_below(&r, 3) ? rng_below(&r, 14) : rng_below(&r, 300),
                               .offset = rng_below(&r, 600)};
        good = put(&g, FROM + rng_below(&r, 64));
        rounds += good;
    }
    return good;
}

/* A full queue drops events, and the next one says so. */
static void full_queue(void)
{
    struct ss_host *h = &p.host[1];
    const struct golden_me me = {.any_node = true,
                                 .any_pid = true,
                                 .any_user = true,
                                 .any_job = true,
                                 .has_md = true,
                                 .md = {.start = DATA,
                                        .length = SPAN,
                                        .threshold = GOLDEN_FOR_EVER,
                                        .put = true,
                                        .remote = true,
                                        .active = true}};
    struct golden_put g = {.pid = PID, .portal = 5, .from_pid = 9, .user = USER, .job = 1};
    uint64_t word[8] = {GOLDEN_SS_PUT | 5 << 8 | (uint64_t)PID << 16 | (uint64_t)9 << 32,
                        0,
                        ~UINT64_C(0),
                        0,
                        0,
                        USER | (uint64_t)1 << 32,
                        (uint64_t)1 << 49,
                        (uint64_t)1 << 56};
    bool good = process() == 0 && queue() == 0 && attach(5, &me, true) == 0;
    for (unsigned n = 0; n < 9; n++) {
        const unsigned slot = p.host[0].due_put++ % 64;
        p.host[0].due[slot] = (struct golden_ss_message){.dst = 1, .src = 0};
        memcpy(p.host[0].due[slot].header, word, 6 * sizeof *word);
        good = pair_mail(&p, 0, LINE_REQUESTS, word, 8) == 0 && good;
        pair_run(&p, 400);
    }
    uint64_t e[8];
    for (unsigned n = 0; n < 16; n++)
        good = event(e, 0) && !(e[0] >> 14 & 1) && good;
    good = good && !event(e, 500);
    const struct golden_outcome o = golden_put(&golden, &g);
    const unsigned slot = p.host[0].due_put++ % 64;
    p.host[0].due[slot] = (struct golden_ss_message){.dst = 1, .src = 0};
    memcpy(p.host[0].due[slot].header, word, 6 * sizeof *word);
    good = pair_mail(&p, 0, LINE_REQUESTS, word, 8) == 0 && event(e, WAIT) && good;
    const bool told = e[0] >> 14 & 1;
    good = event(e, WAIT) && !(e[0] >> 14 & 1) && o.taken && good;
    tap_ok(good && told && clean() && h->memory[QUEUE] != 0,
           "a full queue drops events; the next one says so, the one behind it does not");
}

static void illegal(void)
{
    const uint64_t none[7] = {512}, slot[7] = {4}, none_of[7] = {3}, of_none[7] = {1 << 24},
                   again[7] = {0};
    tap_ok(process() == 0 && local(8, none, 0) == 7 && local(10, none_of, 0) == 7 &&
               local(9, of_none, 0) == 7 && local(13, slot, 0) == 7 && local(15, again, 0) == 7 &&
               local(8, again, 0) == 0 && local(8, again, 0) == 7,
           "illegal: no such entry, unlink, a descriptor of no entry, no such slot, op 10, in use");
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);
    rng_seed(&r, seed);
    tap_ok(pair_start(&p, NULL), "two chips come up");
    for (unsigned i = 0; i < 2; i++)
        for (unsigned at = 0; at < HOST_RING; at++)
            p.host[i].memory[at] = (uint8_t)rng_next(&r);
    two_events();
    bool good = true;
    for (unsigned n = 0; n < 20 && good; n++)
        good = random_round();
    /* holds ss_engine.rules */
    tap_ok(good && clean(), "%u random puts into random lists: as the golden rules have it",
           rounds);
    full_queue();
    illegal();
    pair_free(&p);
    return tap_done();
}
