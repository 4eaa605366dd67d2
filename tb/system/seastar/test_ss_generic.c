// SPDX-License-Identifier: Apache-2.0
/*
 * test_ss_generic.c - generic mode: two chips, messages sent and received by their drivers.
 *
 * A header of 0 bytes stands in the other's ring, with an interrupt; 100 bytes come by DEPOSIT; then random messages both ways, at any
 * alignment, cut short or refused by their DEPOSITs: every flit as the golden message has it, every byte where it belongs and no
 * other written. Then what must be refused, and memories that fail.
 *
 * Built for seastar2: san. Recorded for ss_nic of seastar2.
 */
#include <inttypes.h>
#include <string.h>

#include "tb/system/seastar/ss_pair.h"

enum { WAIT = 20000, FROM = 0x1000, TO = 0x4000, ROOM = 0x400 };

static struct ss_pair p;
static struct rng r;

static void fill(unsigned i)
{
    for (unsigned at = 0; at < HOST_RING; at++)
        p.host[i].memory[at] = (uint8_t)rng_next(&r);
}

static bool clean(void)
{
    bool good = true;
    for (unsigned i = 0; i < 2; i++) {
        const struct ss_host *h = &p.host[i];
        if (h->wrong_flits || h->astray || h->due_get != h->due_put)
            tap_note("host %u: %" PRIu64 " wrong flits, %" PRIu64 " bytes astray, %u messages due",
                     i, h->wrong_flits, h->astray, h->due_put - h->due_get);
        good = good && !h->wrong_flits && !h->astray && h->due_get == h->due_put;
    }
    return good;
}

/* The header of message n of host `from` is in the entry as it was sent. */
static bool is_header(unsigned from, unsigned n, const struct ss_entry *e, unsigned kind)
{
    const struct golden_ss_message *m = &p.host[from].due[n % 64];
    uint64_t flit[GOLDEN_SS_FLITS];
    golden_ss_packet(m, 0, flit);
    return entry_kind(e) == kind && entry_status(e) == 0 &&
           memcmp(e->word, flit + 1, 7 * sizeof *flit) == 0 &&
           (uint32_t)e->word[7] == (uint32_t)flit[8];
}

static void empty_message(void)
{
    struct ss_entry e;
    const unsigned n = p.host[0].due_put;
    const bool quiet = !p.host[1].chip->out.irq;
    const bool sent = pair_put(&p, 0, FROM, 0, 0, 1) == 0;
    const uint64_t began = p.clock;
    while (!p.host[1].chip->out.irq && p.clock < began + WAIT)
        pair_step(&p);
    const uint64_t took = p.clock - began;
    const bool there = pair_entry(&p, 1, &e, 0) && is_header(0, n, &e, 2);
    /* holds ss_ring.irq, ss_chip.empty */
    tap_ok(quiet && sent && there && took <= 171 && !p.host[1].chip->out.irq &&
               p.interrupts[1] == 1,
           "0 bytes: the header is in the ring and an interrupt says so, %" PRIu64
           " clocks behind the command; read, it is quiet",
           took);
    pair_run(&p, 500);
    tap_ok(p.interrupts[0] == 0 && p.interrupts[1] == 1 && clean(),
           "no other entry: one interrupt at the target, none at the sender");
}

/* A PUT of so many bytes of i, taken by a DEPOSIT of up to `take`. Returns whether all was as it should be. */
static bool message(unsigned i, unsigned from, unsigned bytes, unsigned to, unsigned take,
                    unsigned ticket, unsigned status)
{
    struct ss_host *h = &p.host[1 - i];
    struct ss_entry e;
    const unsigned n = p.host[i].due_put, kept = take < bytes ? take : bytes;
    uint8_t before[ROOM + 512];
    bool good = pair_put(&p, i, from, bytes, ticket, rng_next(&r)) == 0;
    memcpy(before, h->memory + TO, sizeof before);
    good = pair_entry(&p, 1 - i, &e, WAIT) && good;
    good = good && is_header(i, n, &e, bytes > 12 ? 1 : 2);
    if (bytes > 12) {
        memset(h->allowed + to, 1, kept);
        good = pair_deposit(&p, 1 - i, &e, to, take) == 0 && good;
        good = pair_entry(&p, 1 - i, &e, WAIT) && good;
        memset(h->allowed + to, 0, kept);
        good = good && entry_kind(&e) == 3 && entry_status(&e) == status;
        good = good && (e.word[0] >> 2) == i && e.word[1] == kept;
    }
    if (ticket) {
        struct ss_entry sent;
        good = pair_entry(&p, i, &sent, WAIT) && good;
        good = good && entry_kind(&sent) == 4 && sent.word[0] == ticket;
    }
    if (bytes > 12 && status == 0)
        memcpy(before + (to - TO), p.host[i].due_data[n % 64], kept);
    return good && (status || memcmp(before, h->memory + TO, sizeof before) == 0);
}

static void hundred_bytes(void)
{
    const uint64_t before = p.interrupts[1];
    const bool good = message(0, FROM, 100, TO, 100, 77, 0);
    tap_ok(good && clean() && p.interrupts[1] - before == 2,
           "100 bytes by DEPOSIT: two entries, two interrupts, the bytes; the sender is told");
    const bool small = message(0, FROM + 3, 12, TO, 0, 0, 0);
    /* holds ss_ring.interrupts */
    tap_ok(small && clean() && p.interrupts[1] - before == 3,
           "12 bytes: one entry, one interrupt, no DEPOSIT");
}

static void random_messages(unsigned count)
{
    unsigned good = 0;
    for (unsigned n = 0; n < count && good == n; n++) {
        const unsigned bytes = rng_below(&r, 4) ? rng_below(&r, 301) : 56 + rng_below(&r, 12);
        const unsigned take = rng_below(&r, 4) ? bytes : rng_below(&r, bytes + 1);
        good += message(rng_below(&r, 2), FROM + rng_below(&r, 64), bytes,
                        TO + 64 + rng_below(&r, 64), take, rng_below(&r, 3), 0);
    }
    /* holds ss_receive.deposit */
    tap_equal(good, count, "random messages of 0 to 300 bytes, any alignment, cut or refused");
    /* holds ss_send.packets, ss_receive.astray */
    tap_ok(clean(), "every flit as the golden message has it, no byte astray");
}

/* The next entry of host i of one of the kinds, others kept in `other`: headers may come before the end of the message before. */
static bool next_of(unsigned i, unsigned kind, struct ss_entry *e, struct ss_entry *other,
                    bool *has_other)
{
    if (*has_other && entry_kind(other) == kind) {
        *e = *other;
        *has_other = false;
        return true;
    }
    if (!pair_entry(&p, i, e, WAIT))
        return false;
    if (entry_kind(e) == kind)
        return true;
    if (*has_other)
        return false;
    *other = *e;
    *has_other = true;
    return pair_entry(&p, i, e, WAIT) && entry_kind(e) == kind;
}

/* Both send at once, several messages each, before anyone deposits. */
static void both_ways(void)
{
    struct ss_entry e, other[2];
    bool good = true, has_other[2] = {false, false};
    const unsigned first[2] = {p.host[0].due_put, p.host[1].due_put};
    for (unsigned n = 0; n < 5; n++)
        for (unsigned i = 0; i < 2; i++)
            good = pair_put(&p, i, FROM + 100 * n, 90 + n, 0, n + 1) == 0 && good;
    pair_run(&p, 3000);
    for (unsigned n = 0; n < 5; n++) {
        for (unsigned i = 0; i < 2; i++) {
            struct ss_host *h = &p.host[i];
            const uint8_t *sent = p.host[1 - i].due_data[(first[1 - i] + n) % 64];
            good = next_of(i, 1, &e, &other[i], &has_other[i]) && good;
            good = good && is_header(1 - i, first[1 - i] + n, &e, 1);
            memset(h->allowed + TO, 1, 90 + n);
            good = pair_deposit(&p, i, &e, TO, 90 + n) == 0 && good;
            good = next_of(i, 3, &e, &other[i], &has_other[i]) && !entry_status(&e) && good;
            good = good && memcmp(h->memory + TO, sent, 90 + n) == 0;
            memset(h->allowed + TO, 0, 90 + n);
        }
    }
    tap_ok(good && clean(), "five messages each way wait for their DEPOSITs, in order");
}

/* A message of host i as it will leave, and its SEND. */
static bool send(unsigned i, unsigned line, const uint64_t header[6], unsigned from, unsigned bytes,
                 unsigned ticket, uint64_t tag)
{
    struct ss_host *h = &p.host[i];
    const unsigned n = h->due_put++ % 64;
    const unsigned data = (header[0] & 15) == GOLDEN_SS_GET ? 0 : bytes;
    uint64_t word[8];
    memcpy(word, header, 6 * sizeof *word);
    word[6] = (uint64_t)(1 - i) << 49 | from;
    word[7] = (uint64_t)1 << 56 | (uint64_t)ticket << 40 | bytes;
    memcpy(h->due_data[n], h->memory + from, data);
    h->due[n] = (struct golden_ss_message){.dst = 1 - i,
                                           .src = i,
                                           .class = line == LINE_RESPONSES,
                                           .data = h->due_data[n],
                                           .bytes = data};
    memcpy(h->due[n].header, header, 6 * sizeof *word);
    h->due[n].header[0] |= tag << 48;
    h->due[n].header[3] = (uint64_t)i << 40 | (data ? data : header[3]);
    return pair_mail(&p, i, line, word, 8) == 0;
}

/* A GET of the driver, answered by the other one with a REPLY: as much as was asked for is in memory, no byte more. */
static bool get(unsigned n, unsigned from, unsigned asked, unsigned to, unsigned given)
{
    struct ss_entry e;
    struct ss_host *h = &p.host[0];
    uint8_t before[ROOM];
    const uint64_t tag = (uint64_t)(n % 16) << 12; /* pending 0, each time another use of it */
    const unsigned kept = given < asked ? given : asked;
    const uint64_t gets[6] = {GOLDEN_SS_GET | 5 << 8 | (uint64_t)7 << 16, 1, 0, asked, 0, 0};
    bool good = send(0, LINE_REQUESTS, gets, to, asked, 21, tag);
    good = pair_entry(&p, 1, &e, WAIT) && entry_kind(&e) == 2 && e.word[0] >> 48 == tag && good;
    const uint64_t replies[6] = {GOLDEN_SS_REPLY | tag << 48, 1, 0, given, 0, 0};
    memcpy(before, h->memory + TO, sizeof before);
    memset(h->allowed + to, 1, kept);
    good = send(1, LINE_RESPONSES, replies, from, given, 0, 0) && good;
    good = pair_entry(&p, 0, &e, WAIT) && entry_kind(&e) == 6 && good;
    memset(h->allowed + to, 0, kept);
    memcpy(before + (to - TO), p.host[1].due_data[(p.host[1].due_put - 1) % 64], kept);
    return good && entry_status(&e) == (given > asked ? 2 : 0) && e.word[1] == kept &&
           e.word[0] == (21 | tag << 18) && memcmp(before, h->memory + TO, sizeof before) == 0;
}

static void gets(void)
{
    unsigned good = 0;
    for (unsigned n = 0; n < 40 && good == n; n++) {
        const unsigned asked = rng_below(&r, 2) ? rng_below(&r, 14) : rng_below(&r, 300);
        const unsigned given = rng_below(&r, 4) ? asked : rng_below(&r, 300);
        good += get(n, FROM + rng_below(&r, 64), asked, TO + rng_below(&r, 64), given);
    }
    /* holds ss_engine.get */
    tap_ok(good == 40 && clean(), "%u of 40 GETs: their replies where they belong, cut if longer",
           good);
}

static void refused(void)
{
    struct ss_entry e;
    uint64_t word[8] = {4, 0, 0, 0, 0, 0, (uint64_t)1 << 49, (uint64_t)1 << 56 | (uint64_t)9 << 40};
    bool good = pair_mail(&p, 0, LINE_REQUESTS, word, 8) == 0 && pair_entry(&p, 0, &e, WAIT);
    /* holds ss_engine.illegal */
    tap_ok(good && entry_kind(&e) == 5 && entry_status(&e) == 7 && e.word[0] == 9,
           "a REPLY is no request: its ticket is told as illegal");
    word[0] = 1;
    word[6] |= (uint64_t)1 << 48;
    good = pair_mail(&p, 0, LINE_REQUESTS, word, 8) == 0 && pair_entry(&p, 0, &e, WAIT);
    tap_ok(good && entry_kind(&e) == 5 && entry_status(&e) == 7, "neither is a list");
    word[7] = (uint64_t)2 << 56 | (uint64_t)3 << 40;
    good = pair_mail(&p, 0, LINE_LOCAL, word, 8) == 0 && pair_entry(&p, 0, &e, WAIT);
    tap_ok(good && entry_kind(&e) == 5 && entry_status(&e) == 7 && e.word[0] == 3,
           "a DEPOSIT of no record is told as illegal");
    /* holds ss_mail.refused */
    tap_ok(pair_mail(&p, 0, LINE_REQUESTS, word, 4) == 2 && pair_mail(&p, 0, 0x300, word, 8) == 2 &&
               pair_mail(&p, 0, 0x208, word, 8) == 2 && pair_mail(&p, 0, 0x1000, word, 8) == 2,
           "SLVERR: half a command, no line, in the middle of a line, a driver's line of another "
           "page");
    pair_write(&p, 0, SS_REG_CONTROL, 1);
    unsigned taken = 0;
    for (unsigned n = 0; n < 20; n++)
        taken += pair_put(&p, 0, FROM, 0, 0, n) == 0;
    p.host[0].due_put -= 20 - taken;
    pair_write(&p, 0, SS_REG_CONTROL, 0);
    unsigned came = 0;
    while (pair_entry(&p, 1, &e, WAIT / 4))
        came++;
    tap_ok(taken == came && taken >= 16 && taken <= 18 && clean(),
           "a full line answers SLVERR: %u of 20 commands taken, %u messages", taken, came);
    tap_ok(pair_entry(&p, 0, &e, 500) == false, "nothing is told that nobody asked for");
}

static void memory_fails(void)
{
    struct ss_entry e;
    struct ss_host *to = &p.host[1], *from = &p.host[0];
    from->bad_read = FROM + 64;
    const unsigned n = from->due_put;
    bool good = pair_put(&p, 0, FROM, 200, 5, 1) == 0;
    good = pair_entry(&p, 1, &e, WAIT) && is_header(0, n, &e, 1) && good;
    memset(to->allowed + TO, 1, 200);
    good = pair_deposit(&p, 1, &e, TO, 200) == 0 && pair_entry(&p, 1, &e, WAIT) && good;
    tap_ok(good && entry_kind(&e) == 3 && entry_status(&e) == 1,
           "a read that fails: the target's message ends with CRC");
    good = pair_entry(&p, 0, &e, WAIT);
    /* holds ss_send.memory */
    tap_ok(good && entry_kind(&e) == 4 && entry_status(&e) == 4 && e.word[0] == 5,
           "and its sender is told that memory failed");
    from->bad_read = 0;
    from->wrong_flits = 0; /* zeros and a CRC that is inverted are not what the message had */
    to->bad_write = TO + 72;
    memset(to->allowed + TO, 0, 200);
    good = message(0, FROM, 100, TO, 100, 0, 4);
    to->bad_write = 0;
    /* holds ss_receive.memory */
    tap_ok(good && clean(), "a write that fails: the message ends with MEMORY");
    good = message(0, FROM, 100, TO, 100, 0, 0);
    tap_ok(good && clean(), "and the next one is whole");
}

/* What comes damaged to the node's port: dropped and counted, nothing told, the next message whole. */
static void damaged(void)
{
    struct ss_entry e;
    const uint64_t dropped = pair_read(&p, 1, SS_REG_DROPPED);
    pair_write(&p, 0, SS_REG_ROUTE_LOCAL, (uint64_t)7 | (uint64_t)5 << 7 | (uint64_t)1 << 19);
    pair_write(&p, 1, SS_REG_ROUTE_LOCAL, (uint64_t)7 | (uint64_t)5 << 7 | (uint64_t)0 << 19);
    const uint64_t word[8] = {1, 0, 0, 0, 0, 0, (uint64_t)5 << 49, (uint64_t)1 << 56};
    p.host[0].due[p.host[0].due_put++ % 64] = (struct golden_ss_message){.dst = 5, .header = {1}};
    bool good = pair_mail(&p, 0, LINE_REQUESTS, word, 8) == 0;
    pair_run(&p, 500);
    /* holds ss_receive.dropped */
    tap_ok(good && pair_read(&p, 1, SS_REG_DROPPED) == dropped + 1 && !pair_entry(&p, 1, &e, 100),
           "a packet for another node: dropped, counted, not told");
    good = message(0, FROM, 100, TO, 100, 0, 0);
    tap_ok(good && clean(), "and the next message is whole");
    tap_equal(pair_read(&p, 1, SS_REG_HEADER) + pair_read(&p, 1, SS_REG_STRAY) +
                  pair_read(&p, 1, SS_REG_FULL),
              0, "nothing else was counted");
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);
    rng_seed(&r, seed);
    tap_ok(pair_start(&p, NULL), "two chips come up");
    for (unsigned i = 0; i < 2; i++)
        fill(i);
    empty_message();
    hundred_bytes();
    random_messages(300);
    both_ways();
    gets();
    refused();
    memory_fails();
    damaged();
    tap_ok(pair_read(&p, 0, SS_REG_STATUS) == 3 && pair_read(&p, 1, SS_REG_STATUS) == 3 &&
               pair_read(&p, 0, SS_REG_ID) == (0x5353 | 3 << 16),
           "both are idle at the end");
    pair_free(&p);
    return tap_done();
}
