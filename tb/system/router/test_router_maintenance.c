// SPDX-License-Identifier: Apache-2.0
/*
 * test_router_maintenance.c - a router that is configured and read by packets: a register port at its last port, and a
 * terminal at port 0 that sends it source-routed requests.
 *
 * Held against a second router of the same C that is configured over its register bus. The packets are made and read
 * by the golden router's description of the head, not by hls/router/flit/packet.h.
 *
 * Built for routers: fast.
 */
#include <inttypes.h>

#include "hls/router/reg_port.h"
#include "hls/router/rtr_regs.h"
#include "tb/system/router/router_bench.h"
#include "tb/system/router/router_tables.h"

enum {
    TERMINAL = 0,
    PORT =
        RTR_PORTS -
        (RTR_PORTS == 64 ? 2 : 1), /* where the registers are; a list of hops cannot name port 63 */
    DATA = (64 + RTR_FLIT_BITS - 1) / RTR_FLIT_BITS,
    KEY = (48 + RTR_FLIT_BITS - 1) / RTR_FLIT_BITS, /* flits */
    WRITE_AT = RTR_FLIT_BITS < 24 ? 21 : 23,        /* in a command */
    TAGS = 1 << (WRITE_AT - 16),
    REQUEST = 3 + KEY + DATA,
    COMMAND = 2 + KEY,
    REPLY = 2 + DATA,
    LONGEST = 16,
    PATIENCE = 2000, /* clocks */
    WRITTEN = 8,     /* clocks after which a write is in its memory */
    STALL = 1000,
    OUTSTANDING = 30, /* requests that are sent without waiting for replies */
};

#define KEY_BITS UINT64_C(0x5eedfacecafe)

struct packet {
    uint64_t flit[LONGEST];
    unsigned length;
};

static struct {
    struct router router;
    struct reg_port port;
    struct router_in in;
    struct reg_request local; /* of management, to the register port */
    uint64_t clock, refused;
    unsigned inside;       /* flits of ours in the router's input queue */
    unsigned queued, most; /* and of the register port's in its own; at most so many */
    uint64_t stalls;       /* takes nothing until this clock */
    struct packet got[OUTSTANDING + 1];
    unsigned replies, flits; /* whole ones, and flits of the one that comes */
    bool bad;
} t;

static struct router_bench direct;

/* ---- the terminal ------------------------------------------------------------------------------ */

static void step(const uint64_t *flit, bool bad, bool tail)
{
    const bool ready = t.clock >= t.stalls;
    (void)tail; /* not where heads have a length */
    const struct port_out *out = &t.router.out.to_link[TERMINAL];
    const struct reg_port_in to_port = {t.router.out.to_link[PORT], t.router.out.bus, t.local};
    if (out->valid && ready && t.replies <= OUTSTANDING) {
        struct packet *p = &t.got[t.replies];
        p->flit[t.flits++ % LONGEST] = (uint64_t)out->flit;
        p->length = t.flits;
        t.bad |= out->bad;
        if (out->tail) {
            t.replies++;
            t.flits = 0;
        }
    }
    t.queued += t.port.out.to_router.valid;
    t.queued -= to_port.from_router.freed.valid;
    t.most = t.queued > t.most ? t.queued : t.most;
    t.inside += flit != NULL;
    t.inside -= out->freed.valid;
    t.in.from_link[TERMINAL] = (struct port_in){
        .valid = flit != NULL,
        .flit = flit ? (rtr_flit)*flit : 0,
        .bad = bad,
#if RTR_LENGTH_BITS == 0
        .tail = tail,
#endif
        .ready = ready,
        .room = (rtr_vcs)-1,
    };
    t.in.from_link[PORT] = t.port.out.to_router;
    t.in.bus = t.port.out.bus;
    t.refused += t.port.out.refused;
    router(&t.router, &t.in);
    reg_port(&t.port, &to_port);
    t.clock++;
}

static uint64_t make_head(unsigned vc, unsigned length, unsigned port)
{
    const struct golden_machine *m = router_bench_machine();
    uint64_t head = packet_set(m, 0, PACKET_VC, vc);
    head = packet_set(m, head, PACKET_LENGTH, length);
    head = packet_set_mode(m, head, PACKET_SOURCE);
    head = packet_set(m, head, PACKET_HOPS,
                      2); /* so that the head goes on, where a router takes off what has one */
    return packet_set(m, head, PACKET_LIST, port / m->cols << 3 | port % m->cols);
}

/* A request whose reply goes to the terminal with the highest VC. */
static struct packet make_request(bool write, unsigned tag, unsigned addr, uint64_t data)
{
    struct packet p = {.length = REQUEST};
    p.flit[0] = make_head(0, REQUEST, PORT);
    for (unsigned i = 0; i < KEY; i++)
        p.flit[1 + i] = KEY_BITS >> RTR_FLIT_BITS * i & ((UINT64_C(1) << RTR_FLIT_BITS) - 1);
    p.flit[1 + KEY] = make_head(RTR_VCS - 1, 1, TERMINAL);
    p.flit[COMMAND] = (uint64_t)write << WRITE_AT | (uint64_t)tag << 16 | addr;
    for (unsigned i = 0; i < DATA; i++)
        p.flit[COMMAND + 1 + i] = data >> RTR_FLIT_BITS * i & ((UINT64_C(1) << RTR_FLIT_BITS) - 1);
    return p;
}

static void send(const struct packet *p, bool bad)
{
    for (unsigned waited = 0; t.inside > 0 && waited < PATIENCE; waited++)
        step(NULL, false, false);
    for (unsigned i = 0; i < p->length; i++)
        step(&p->flit[i], bad && i == p->length - 1, i == p->length - 1);
}

static bool await(unsigned replies)
{
    for (unsigned waited = 0; t.replies < replies && waited < PATIENCE; waited++)
        step(NULL, false, false);
    return t.replies == replies;
}

static void forget(void)
{
    t.replies = 0;
    t.flits = 0;
    t.bad = false;
}

/* The data of a reply; what is not as the request wanted it is a miss. */
static uint64_t data_of(const struct packet *p, unsigned command, struct misses *wrong)
{
    uint64_t data = 0;
    const struct golden_machine *m = router_bench_machine();
    for (unsigned i = 0; i < DATA; i++)
        data |= p->flit[2 + i] << RTR_FLIT_BITS * i;
    must_equal(wrong, p->length, REPLY, "reply to %#x: flits", command);
    if (!packet_by_end(m))
        must_equal(wrong, packet_length(m, p->flit[0]), REPLY, "reply to %#x: length in its head",
                   command);
    must_equal(wrong, packet_get(m, p->flit[0], PACKET_VC), RTR_VCS - 1, "reply to %#x: VC",
               command);
    must_equal(wrong, p->flit[1], command, "command that is answered");
    return data;
}

static uint64_t ask(bool write, unsigned addr, uint64_t data, struct misses *wrong)
{
    static unsigned tag;
    const struct packet p = make_request(write, ++tag % TAGS, addr, data);
    forget();
    send(&p, false);
    if (!await(1)) {
        miss(wrong, "%s of %#x: %u replies in %d clocks", write ? "write" : "read", addr, t.replies,
             PATIENCE);
        return 0;
    }
    must(wrong, !t.bad, "%s of %#x: a flit of the reply is marked", write ? "write" : "read", addr);
    return data_of(&t.got[0], (unsigned)p.flit[COMMAND], wrong);
}

/* ---- the tests --------------------------------------------------------------------------------- */

/* As it comes out of reset no packet reaches a register; then management opens the port. */
static void test_closed(void)
{
    const struct packet p = make_request(true, 1, RTR_REG_ALL | RTR_REG_CONTROL, 1);
    send(&p, false);
    struct misses open = {0};
    must(&open, !await(1), "%u replies", t.replies);
    must_equal(&open, t.refused, 1, "requests refused");
    t.refused = 0;
    t.local = (struct reg_request){
        .valid = 1, .write = 1, .addr = REG_PORT_ACCESS, .wdata = UINT64_C(3) << 62 | KEY_BITS};
    step(NULL, false, false);
    t.local.valid = 0;
    tap_misses(&open, "closed after reset: a request with the key is refused");
}

static void test_places(void)
{
    struct misses wrong = {0}, absent = {0};
    for (unsigned p = 0; p < RTR_PORTS; p++)
        must_equal(&wrong, ask(false, router_bench_address(p, RTR_REG_CONTROL), 0, &wrong),
                   p / RTR_COLS << 3 | p % RTR_COLS, "place of tile %u", p);
    tap_misses(&wrong, "every tile says its place");
    must_equal(&absent, ask(false, 7 << 13 | 7 << 10 | RTR_REG_CONTROL, 0, &absent),
               RTR_PORTS == 64 ? 63 : 0, "tile 7.7");
    tap_misses(&absent, "a tile that does not exist reads as 0");
}

static unsigned writes;
static struct misses write_errors;

static void write_packet(void *unused, unsigned addr, uint64_t data)
{
    (void)unused;
    writes++;
    must_equal(&write_errors, ask(true, addr, data, &write_errors), data,
               "data of the reply to a write of %#x", addr);
}

#if RTR_LENGTH_BITS != 0
static bool same_bias(route_biases a, route_biases b)
{
    return a == b;
}
#else
static bool same_bias(struct route_bias a, struct route_bias b)
{
    return a.add == b.add && a.add_minimal == b.add_minimal && a.halve == b.halve &&
           a.halve_minimal == b.halve_minimal;
}
#endif

static bool same_tables(const struct route *a, const struct route *b)
{
    bool same = same_bias(a->bias, b->bias) && a->global == b->global && a->local == b->local;
    for (unsigned i = 0; i < sizeof a->vc_map / sizeof *a->vc_map; i++)
        same &= a->vc_map[i] == b->vc_map[i];
    for (unsigned i = 0; i < sizeof a->minimal_table / sizeof *a->minimal_table; i++)
        same &= a->minimal_table[i] == b->minimal_table[i] &&
                a->nonminimal_table[i] == b->nonminimal_table[i];
    return same;
}

static void test_tables(void)
{
    struct router_bench_config config;
    struct misses other_tables = {0};
    router_bench_defaults(&config);
    config.bias[1] = 5;
    for (unsigned p = 0; p < RTR_PORTS; p++)
        config.source[p].load = 0;
    router_bench_start(&direct, &config, 1);
    router_tables_write(&config.plan, config.bias, write_packet, NULL);
    for (unsigned i = 0; i < WRITTEN; i++)
        router_bench_step(&direct);
    const struct router *other = direct.dut.self;
    for (unsigned p = 0; p < RTR_PORTS; p++)
        must(&other_tables, same_tables(&t.router.tile[p].queue.route, &other->tile[p].queue.route),
             "tile %u", p);
    must_at_least(&write_errors, writes, RTR_PORTS + 1, "writes");
    tap_misses(&write_errors, "%u writes, each answered", writes);
    /* holds reg_port.tables */
    tap_misses(&other_tables, "all %u tiles have the tables that the register bus writes",
               (unsigned)RTR_PORTS);
    router_bench_free(&direct);
}

/* Requests one behind the other, while nobody takes the replies for a time: each is answered in the end, in order. */
static void test_many(void)
{
    struct misses wrong = {0}, full = {0};
    struct packet p[OUTSTANDING];
    forget();
    t.stalls = t.clock + STALL;
    for (unsigned i = 0; i < OUTSTANDING; i++) {
        p[i] = make_request(false, i, router_bench_address(i % RTR_PORTS, RTR_REG_CONTROL), 0);
        send(&p[i], false);
    }
    (void)await(OUTSTANDING);
    for (unsigned i = 0; i < t.replies && i < OUTSTANDING; i++)
        must_equal(&wrong, data_of(&t.got[i], (unsigned)p[i].flit[COMMAND], &wrong),
                   i % RTR_PORTS / RTR_COLS << 3 | i % RTR_PORTS % RTR_COLS, "reply %u", i);
    must_equal(&wrong, t.replies, OUTSTANDING, "replies");
    tap_misses(&wrong, "%u requests at once: as many replies, in order", t.replies);
    must_at_least(&full, t.most, 1, "flits in it");
    must_at_most(&full, t.most, REPLY, "flits in it");
    tap_misses(&full, "never more than one reply in the input queue of the register port");
}

/* What is not a request is refused and changes nothing; the next request is served. */
static void test_refused(void)
{
    const unsigned addr = router_bench_address(0, RTR_REG_COUNTERS + RTR_INCOMING_FLIT_VC0);
    struct misses wrong = {0}, taken = {0}, kept = {0};
    struct packet shorter = make_request(true, 1, RTR_REG_ALL | RTR_REG_CONTROL, ~UINT64_C(0));
    struct packet longer = shorter, request_vc = shorter, corrupted = shorter,
                  on_response = shorter, wrong_key = shorter;
    shorter.flit[0] = make_head(RTR_VCS - 1, --shorter.length, PORT);
    longer.length = LONGEST - 2;
    longer.flit[0] = make_head(RTR_VCS - 1, longer.length, PORT);
    for (unsigned i = REQUEST; i < longer.length; i++)
        longer.flit[i] = longer.flit[i - REPLY + 1];
    request_vc.flit[1 + KEY] = make_head(0, 1, TERMINAL);
    on_response.flit[0] = make_head(RTR_VCS - 1, REQUEST, PORT);
    wrong_key.flit[KEY] ^= 1;
    const uint64_t before = ask(false, addr, 0, &wrong);
    forget();
    send(&shorter, false);
    send(&longer, false);
    send(&request_vc, false);
    send(&on_response, false);
    send(&wrong_key, false);
    send(&corrupted, true);
    must(&taken, !await(1), "%u replies", t.replies);
    const uint64_t after = ask(false, addr, 0, &wrong);
    must_equal(&taken, t.refused, 6, "requests refused");
    tap_misses(
        &taken,
        "too short, too long, a reply that is no response, on a VC of responses, with another "
        "key, corrupted: %" PRIu64 " refused",
        t.refused);
    must_at_least(&wrong, before, 1, "flits counted before");
    must_at_least(&wrong, after, before + 1, "flits counted behind");
    tap_misses(&wrong, "counters go on, nothing was cleared");
    ask(true, RTR_REG_ALL | RTR_REG_CONTROL, 1, &kept);
    must_at_most(&kept, ask(false, addr, 0, &kept), before - 1, "flits counted");
    tap_misses(&kept, "until a request clears them");
}

int main(int argc, char **argv)
{
    test_no_options(argc, argv);
    router_reset(&t.router);
    reg_port_reset(&t.port);
    harness_clock = &t.clock;
    for (unsigned p = 0; p < RTR_PORTS; p++) {
        t.in.from_link[p].ready = 1;
        t.in.from_link[p].room = (rtr_vcs)-1;
    }
    for (unsigned v = 0; v < RTR_VCS; v++) /* nothing may come so soon after a reset */
        step(NULL, false, false);
    test_closed();
    test_places();
    test_many();
    test_refused();
    test_tables();
    return tap_done();
}
