// SPDX-License-Identifier: Apache-2.0
/*
 * test_target.c - the target half of a NIC as its peers and its driver see it: accesses of one peer in order, settles under
 * full traffic, and what a stranger's puts lose beside others' atomic operations.
 *
 * Built for aries: fast; proto: san. Recorded for nic_memory, nic_target.
 */
#include "tb/blocks/nic/target/target_bench.h"

#include <string.h>

enum {
    IN_ORDER = 6,
    MINE = 5, /* a segment that stays */
    GONE = 4, /* ... and one that is taken away */
    PAGE = 4096,
    MOST = 6, /* accesses of a sequence */
    LARGE = NIC_AMO_LOG2 >= 6,
};

/* ---- sequences in order ------------------------------------------------------------------------- */

enum kind { GET, PUT, FETCH, ADD, CACHED, KINDS };

/* Accesses of one peer to one word, one behind the other in an ordered mode. */
struct sequence {
    unsigned count;
    enum kind kind[MOST];
    unsigned tag[MOST];
    uint64_t want[MOST]; /* the value that comes back */
    uint64_t last;       /* in memory in the end, ... */
    uint64_t offset;     /* here */
};

static unsigned late
    [2]; /* gets and puts right behind operations in other modes, whose changes may be kept back */
static unsigned pairs[KINDS][KINDS];

/* A put behind a cached operation is not seen by the next one: the variable is kept. */
static enum kind next_kind(bool no_operations)
{
    enum kind kind = (enum kind)rng_below(&tg.rng, KINDS);

    return no_operations && kind >= FETCH ? (enum kind)(kind % 2) : kind;
}

static void ask_sequence(struct sequence *s, unsigned peer, uint64_t value)
{
    uint64_t offset = 512 * peer + 8 * rng_below(&tg.rng, 64);
    bool cached = false, hidden = false, operations = true;

    s->offset = offset;
    memcpy(host_memory(tg.host) + PAGE + offset, &value, 8);
    s->count = 2 + rng_below(&tg.rng, MOST - 1);
    for (unsigned i = 0; i < s->count; i++) {
        struct target_request r = {.peer = peer,
                                   .mode = 4 + rng_below(&tg.rng, 3),
                                   .mdh = MINE,
                                   .offset = offset,
                                   .opcode = TB_ADD8,
                                   .value = rng_next(&tg.rng)};
        enum kind kind = next_kind(hidden);

        /* In another mode it waits for nothing before it, but for operations on its variable. */
        if (tg.lazy != 0 && operations && kind == CACHED) {
            r.mode = rng_below(&tg.rng, 4);
        } else if (tg.lazy != 0 && operations && i != 0 && kind < FETCH) {
            late[kind]++;
        }
        operations = operations && kind >= FETCH;

        r.cmd = kind == GET ? TB_GET : kind == PUT ? TB_PUT : kind == ADD ? TB_AMO : TB_FAMO;
        r.opcode += kind == CACHED ? TB_CACHED : 0;
        s->kind[i] = kind;
        s->want[i] = value;
        cached = cached || kind == CACHED;
        hidden = hidden || (cached && kind == PUT);
        value = kind == PUT ? r.value : kind >= FETCH ? value + r.value : value;
        s->tag[i] = target_bench_ask(&r);
        pairs[s->kind[i == 0 ? 0 : i - 1]][kind] += i != 0;
        target_bench_clocks(rng_below(&tg.rng, 4) == 0 ? rng_below(&tg.rng, 60) : 0);
    }
    s->last = value;
}

static void check_values(struct misses *wrong, const struct sequence *s, unsigned peer)
{
    for (unsigned i = 0; i < s->count; i++) {
        const struct target_answer *a = &tg.answer[peer][s->tag[i]];
        bool brings = s->kind[i] != PUT && s->kind[i] != ADD;

        must(wrong, a->came, "peer %u, access %u of its sequence, tag %u: no answer", peer, i,
             s->tag[i]);
        must_equal(wrong, a->status, 0, "peer %u, access %u, tag %u: status", peer, i, s->tag[i]);
        if (brings) {
            must_equal(wrong, a->value, s->want[i], "peer %u, access %u, tag %u: value", peer, i,
                       s->tag[i]);
        }
    }
}

static bool is_unsettled(void)
{
    return tg.dut.out.unsettled || tg.dut.out.flushing;
}

/* A flush and a settle behind it, as a driver does them. */
static void check_memory(struct misses *wrong, const struct sequence *s)
{
    unsigned clocks = 0;

    tg.flush = tg.settle = true;
    target_bench_clocks(4);
    while (is_unsettled() && clocks++ < 10000) {
        target_bench_clocks(1);
    }
    for (unsigned p = 0; p < TB_PEERS; p++) {
        uint64_t value;

        memcpy(&value, host_memory(tg.host) + PAGE + s[p].offset, 8);
        must_equal(wrong, value, s[p].last, "peer %u: memory behind flush and settle", p);
    }
}

static void test_sequences(unsigned rounds)
{
    static const unsigned lazies[] = {0, 3, 1000, 60000};
    struct misses wrong = {0};
    unsigned stood = 0, least = rounds;

    target_bench_begin(&(struct host_knobs){0});
    target_bench_segment(MINE, PAGE, PAGE, true);
    for (unsigned n = 0; n < rounds; n++) {
        struct sequence s[TB_PEERS];

        tg.lazy = lazies[n % 4];
        host_set(tg.host, &(struct host_knobs){.latency = rng_below(&tg.rng, 150),
                                               .latency_extra = rng_below(&tg.rng, 80),
                                               .stall = 0.5 * (rng_below(&tg.rng, 4) == 0)});
        for (unsigned p = 0; p < TB_PEERS; p++) {
            ask_sequence(&s[p], p, rng_next(&tg.rng));
        }
        stood += !target_bench_drain(200000);
        for (unsigned p = 0; p < TB_PEERS; p++) {
            check_values(&wrong, &s[p], p);
        }
        check_memory(&wrong, s);
    }
    for (unsigned a = 0; a < KINDS; a++) {
        for (unsigned b = 0; b < KINDS; b++) {
            least = pairs[a][b] < least ? pairs[a][b] : least;
        }
    }
    /* holds parb.order, amo.flush_settles */
    must(&wrong, late[GET] > rounds / 8 && late[PUT] > rounds / 8,
         "%u gets and %u puts behind changes that may be kept back", late[GET], late[PUT]);
    must_equal(&wrong, stood, 0, "stood");
    must_at_least(&wrong, least, 0 + 1, "least");
    tap_misses(
        &wrong,
        "%u sequences of puts, gets and operations of one peer in ordered modes: each as if alone "
        ", each pair %u times or more",
        rounds * TB_PEERS, least);
}

/* A get or put in an ordered mode behind many changes that are kept back, of words which it does not touch but one. */
static void test_behind(unsigned rounds)
{
    enum { WORDS = 3 * (1 << NIC_AMO_LOG2) / 4, PEER = 1 };
    struct misses wrong = {0};

    target_bench_begin(&(struct host_knobs){0});
    target_bench_segment(MINE, PAGE, PAGE, true);
    tg.lazy = 60000;
    for (unsigned n = 0; n < rounds; n++) {
        const unsigned word = rng_below(&tg.rng, WORDS);
        struct target_request r = {
            .peer = PEER, .cmd = TB_AMO, .mdh = MINE, .opcode = TB_ADD8 + TB_CACHED};
        uint64_t before, now, put = rng_next(&tg.rng);

        memcpy(&before, host_memory(tg.host) + PAGE + 8 * word, 8);
        for (unsigned w = 0; w < WORDS; w++) {
            r.offset = 8 * w;
            r.value = n + 1;
            target_bench_ask(&r);
        }
        must(&wrong, target_bench_drain(20000), "operations end");
        memcpy(&now, host_memory(tg.host) + PAGE + 8 * word, 8);
        must_equal(&wrong, now, before, "memory, of changes that are kept back");
        r = (struct target_request){.peer = PEER,
                                    .cmd = n % 2 ? TB_PUT : TB_GET,
                                    .mode = IN_ORDER,
                                    .mdh = MINE,
                                    .offset = 8 * word,
                                    .value = put};
        const unsigned tag = target_bench_ask(&r);

        must(&wrong, target_bench_drain(20000), "it ends");
        if (n % 2 == 0) {
            must_equal(&wrong, tg.answer[PEER][tag].value, before + n + 1, "what a get brings");
        }
        tg.flush = tg.settle = true;
        target_bench_clocks(4);
        for (unsigned c = 0; c < 10000 && is_unsettled(); c++) {
            target_bench_clocks(1);
        }
        memcpy(&now, host_memory(tg.host) + PAGE + 8 * word, 8);
        must_equal(&wrong, now, n % 2 ? put : before + n + 1, "memory at last");
    }
    /* holds amo.lazy_order */
    tap_misses(&wrong, "%u gets and puts in IN_ORDER, each behind %u changes that are kept back",
               rounds, WORDS);
}

/* ---- settled ------------------------------------------------------------------------------------- */

static void flood(unsigned peer, unsigned mdh)
{
    static const unsigned cmds[] = {TB_PUT, TB_GET, TB_AMO, TB_FAMO};
    unsigned kind = rng_below(&tg.rng, 3);
    struct target_request r = {.peer = peer,
                               .cmd = cmds[kind + (kind == 2 ? rng_below(&tg.rng, 2) : 0)],
                               .mode = rng_below(&tg.rng, 4),
                               .mdh = mdh,
                               .offset = 8 * rng_below(&tg.rng, PAGE / 8),
                               .opcode = TB_ADD8 + TB_CACHED * rng_below(&tg.rng, 2),
                               .value = rng_next(&tg.rng)};

    target_bench_ask(&r);
}

/* Peers ask for as much as goes in; a clock. */
static void flood_clock(bool both)
{
    while (tg.waiting < 8) {
        flood(rng_below(&tg.rng, TB_PEERS), MINE);
        if (both) {
            flood(rng_below(&tg.rng, TB_PEERS), GONE);
        }
    }
    target_bench_clocks(1);
}

static unsigned until_settled(void)
{
    unsigned clocks = 0;

    do {
        flood_clock(true);
        clocks++;
    } while ((clocks < 4 || is_unsettled()) && clocks < 100000);
    return clocks;
}

/* A segment is taken away; of changes that are kept back memory has the last ones after a flush alone. */
static void test_settled(unsigned rounds)
{
    const unsigned bound = LARGE ? 1000 : 1500;
    unsigned worst = 0, late = 0, flushed = 0;
    uint64_t touched = 0;

    target_bench_begin(&(struct host_knobs){.latency = 200});
    target_bench_segment(MINE, PAGE, PAGE, true);
    for (unsigned n = 0; n < rounds; n++) {
        unsigned clocks;

        tg.lazy = n % 2 == 0 ? 0 : 20000;
        tg.from = tg.to = 0;
        target_bench_segment(GONE, 4 * PAGE, PAGE, true);
        for (unsigned i = 0; i < 1500 + rng_below(&tg.rng, 200); i++) {
            flood_clock(true);
        }
        target_bench_segment(GONE, 0, 0, false);
        tg.settle = true;
        clocks = until_settled();
        worst = clocks > worst ? clocks : worst;
        late += clocks > bound;
        if (tg.lazy != 0) {
            tg.flush = tg.settle = true;
            clocks = until_settled();
            flushed = clocks > flushed ? clocks : flushed;
        }
        tg.from = 4 * PAGE;
        tg.to = 5 * PAGE;
        tg.touched = 0;
        for (unsigned i = 0; i < 600; i++) {
            flood_clock(true);
        }
        touched += tg.touched;
    }
    /* holds order.settled */
    tap_ok(
        late == 0 && touched == 0,
        "settled under full traffic, memory of 200 clocks: %u times within %u clocks, %u at most, "
        "behind a flush %u; %llu accesses afterwards",
        rounds - late, bound, worst, flushed, (unsigned long long)touched);
}

/* ---- a stranger ---------------------------------------------------------------------------------- */

/* What others have outstanding, 30 at a time. */
struct others {
    const char *name;
    unsigned opcodes[2]; /* in turn */
    bool random, pairs;  /* words at random; 8 pairs GET, PUT in IN_ORDER */
    double least;        /* of the stranger's rate alone, aries */
};

static const struct others others[] = {
    {"nothing", {0, 0}, false, false, 1},
    {"cached operations on one word",
     {TB_ADD8 + TB_CACHED, TB_ADD8 + TB_CACHED},
     false,
     false,
     0.5},
    {"uncached ones", {TB_ADD8, TB_ADD8}, false, false, 0.5},
    {"uncached ones on four and eight bytes in turn", {TB_ADD4, TB_ADD8}, false, false, 0.5},
    {"cached and uncached ones in turn", {TB_ADD8 + TB_CACHED, TB_ADD8}, false, false, 0.5},
    {"operations on random words", {TB_ADD8, TB_ADD8}, true, false, 0.5},
    {"8 pairs GET, PUT in IN_ORDER", {0, 0}, true, true, 0.5},
};

static void ask_others(const struct others *o, unsigned *turn)
{
    uint64_t offset = o->random ? 8 * rng_below(&tg.rng, 256) : 64;
    struct target_request r = {
        .peer = 1, .cmd = TB_FAMO, .mdh = MINE, .offset = offset, .value = 1};

    while (o->pairs && tg.outstanding[1] <= 14) {
        r.mode = IN_ORDER;
        r.cmd = TB_GET;
        target_bench_ask(&r);
        r.cmd = TB_PUT;
        target_bench_ask(&r);
    }
    while (o->opcodes[0] != 0 && tg.outstanding[1] < 30) {
        r.opcode = o->opcodes[(*turn)++ % 2];
        r.offset = o->random ? 8 * rng_below(&tg.rng, 256) : 64;
        target_bench_ask(&r);
    }
}

/* Puts of a stranger that are answered in so many clocks, 30 outstanding. */
static uint64_t strangers_puts(const struct others *o, unsigned clocks)
{
    unsigned turn = 0;
    uint64_t before = 0;

    target_bench_begin(&(struct host_knobs){.latency = 200});
    target_bench_segment(MINE, PAGE, PAGE, true);
    for (unsigned c = 0; c < clocks + 3000; c++) {
        before = c < 3000 ? tg.answered[0] : before;
        while (tg.outstanding[0] < 30) {
            target_bench_ask(&(struct target_request){
                .cmd = TB_PUT, .mdh = MINE, .offset = 2048 + 8 * rng_below(&tg.rng, 256)});
        }
        ask_others(o, &turn);
        target_bench_clocks(1);
    }
    return tg.answered[0] - before;
}

static void test_stranger(unsigned clocks)
{
    uint64_t alone = strangers_puts(&others[0], clocks);

    for (unsigned i = 1; i < sizeof(others) / sizeof(*others); i++) {
        double share = (double)strangers_puts(&others[i], clocks) / (double)alone;

        tap_ok(share >= (LARGE ? others[i].least : 0.2),
               "a stranger's puts beside %s: %.2f of their rate alone", others[i].name, share);
    }
}

int main(int argc, char **argv)
{
    rng_seed(&tg.rng, test_seed(argc, argv));
    harness_clock = &tg.now;
    test_sequences(400);
    test_behind(60);
    test_settled(40);
    test_stranger(10000);
    target_bench_free();
    return tap_done();
}
