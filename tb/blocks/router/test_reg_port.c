// SPDX-License-Identifier: Apache-2.0
/*
 * test_reg_port.c - reg_port by itself, in front of a router that is played here: the first clock after reset, every
 * VC that a reply can name, every key, replies that stay in the input queue, responses that come where requests are served.
 *
 * Fields of the head stand here in words: VC on top, the length of 4 bits, if heads have one, below it.
 *
 * Built for aries: san; gemini: fast. Recorded for reg_port.
 */
#include "tb/base/harness.h"
#include "router/reg_port.h"

#include <string.h>

enum {
    DATA = (64 + RTR_FLIT_BITS - 1) / RTR_FLIT_BITS,
    KEY = (48 + RTR_FLIT_BITS - 1) / RTR_FLIT_BITS,
    REPLY = 2 + DATA,
    REQUEST = 1 + KEY + REPLY,
    VC_AT = RTR_FLIT_BITS - RTR_HEAD_VC_BITS,
    LENGTH_AT = VC_AT - 4,
    WRITE_AT = RTR_FLIT_BITS < 24 ? 21 : 23, /* in a command */
    REQUESTS = (1 << RTR_VCS / 2) - 1,       /* VCs */
    ALL = (1 << RTR_VCS) - 1,
    PATIENCE = 100, /* clocks */
    ACCESS = 0,
    REFUSED = 1,
};

#define FLIT_MASK ((UINT64_C(1) << RTR_FLIT_BITS) - 1)
#define READS     (UINT64_C(1) << 62)
#define WRITES    (UINT64_C(1) << 63)

static struct {
    struct reg_port dut;
    struct reg_port_in in;
    uint64_t clock, key;
    unsigned frees;          /* flits of ours that the input queue is still to let go */
    unsigned inside, wait;   /* flits in there; clocks until the register bus answers */
    unsigned delay;          /* of that bus */
    unsigned asked, refused; /* requests on the bus, packets refused */
    struct misses unready;   /* clocks in which it did not take flits or responses */
    struct reg_request request;
    uint64_t reply[REPLY]; /* the last one */
    unsigned flits;        /* of all replies */
    struct misses wrong;   /* in the check under way; where the end frames also wrong marks of it */
} t;

struct request {
    uint64_t flit[REQUEST];
};

/* What the router's output says in a clock. */
struct beat {
    uint64_t flit;
    bool valid, head, tail, bad, start;
    unsigned vc; /* of start */
};

/* ---- the router ---------------------------------------------------------------------------------- */

/* The register bus: answers a request once, some clocks after it has come. */
static void answer(void)
{
    const bool asks = t.dut.out.bus.valid;

    t.in.bus.ready = asks && t.wait == 0;
    t.wait = asks && t.wait != 0 ? t.wait - 1 : t.delay;
    if (t.in.bus.ready) {
        t.asked++;
        t.request = t.dut.out.bus;
    }
}

static void step(const struct beat *b)
{
    const struct port_in *out = &t.dut.out.to_router;
    const bool frees = t.inside != 0 && t.frees != 0;

    must_be(&t.unready, out->ready, 1);
    must_be(&t.unready, (unsigned)out->room | REQUESTS, ALL);
    must_be(&t.unready, out->spare, ALL & ~REQUESTS);
    if (out->valid)
        t.reply[t.flits++ % REPLY] = (uint64_t)out->flit;
#if RTR_LENGTH_BITS == 0
    if (out->valid)
        must_equal(&t.wrong, out->tail, t.flits % REPLY == 0, "end at flit %u", t.flits);
    if (out->valid && out->tail)
        must_be(&t.wrong, out->ok, OK_GOOD);
#endif
    t.inside += out->valid;
    t.inside -= frees;
    t.frees -= frees;
    answer();
    t.in.from_router = (struct port_out){
        .freed.valid = frees,
        .valid = b->valid,
        .flit = (rtr_flit)b->flit,
        .head = b->head,
        .tail = b->tail,
        .bad = b->bad,
        .start = {.valid = b->start, .vc = (rtr_vc)b->vc},
    };
    reg_port(&t.dut, &t.in);
    t.refused += t.dut.out.refused;
    t.clock++;
}

static void idle(unsigned clocks)
{
    const struct beat none = {0};

    while (clocks-- > 0)
        step(&none);
}

/* Over the local bus; the value is what a read gives. */
static uint64_t local(bool write, unsigned addr, uint64_t data)
{
    t.in.local = (struct reg_request){.valid = 1, .write = write, .addr = (u16)addr, .wdata = data};
    do
        idle(1);
    while (!t.dut.out.local.ready);
    t.in.local.valid = 0;
    return (uint64_t)t.dut.out.local.rdata;
}

/* Whether the local bus says that there is no such register. */
static bool is_refused(bool write, unsigned addr)
{
    local(write, addr, 0);
    return t.dut.out.local.error;
}

static void start(void)
{
    reg_port_reset(&t.dut);
    memset(&t.in, 0, sizeof t.in);
    t.frees = UINT32_MAX;
    t.inside = t.wait = t.asked = t.refused = t.flits = 0;
    t.unready = (struct misses){0};
    t.delay = 3;
}

/* With these rights for who has the key. */
static void start_open(struct rng *rng, uint64_t rights)
{
    start();
    t.key = rng_next(rng) >> 16;
    local(true, ACCESS, rights | t.key);
}

/* A packet as output_mux sends it: announced when there is room, its first flit some clocks later. Returns whether there was. */
static bool send(const uint64_t *flit, unsigned flits, bool bad)
{
    const unsigned vc = (unsigned)(flit[0] >> VC_AT), after = (unsigned)(t.clock % 3);
    const struct beat announced = {.start = true, .vc = vc};

    for (unsigned i = 0; !((unsigned)t.dut.out.to_router.room >> vc & 1); i++, idle(1))
        if (i == PATIENCE)
            return false;
    step(&announced);
    idle(after);
    for (unsigned i = 0; i < flits; i++) {
        const struct beat b = {.valid = true,
                               .flit = flit[i],
                               .head = i == 0,
                               .tail = i == flits - 1,
                               .bad = bad && i == flits - 1};

        step(&b);
    }
    return true;
}

static uint64_t on_vc(uint64_t flit, unsigned vc)
{
    return (flit & ((UINT64_C(1) << VC_AT) - 1)) | (uint64_t)vc << VC_AT;
}

/* A request with the key, the head of whose reply says a wrong length. */
static struct request make_request(struct rng *rng, unsigned vc, bool write)
{
    struct request r;

    for (unsigned i = 0; i < REQUEST; i++)
        r.flit[i] = rng_next(rng) & FLIT_MASK;
    r.flit[0] = on_vc(r.flit[0], rng_below(rng, RTR_VCS / 2));
    for (unsigned i = 0; i < KEY; i++)
        r.flit[1 + i] = t.key >> RTR_FLIT_BITS * i & FLIT_MASK;
    r.flit[1 + KEY] = on_vc(r.flit[1 + KEY], vc);
    r.flit[2 + KEY] = (r.flit[2 + KEY] & ~(UINT64_C(1) << WRITE_AT)) | (uint64_t)write << WRITE_AT;
    return r;
}

static uint64_t data_of(const uint64_t *flit)
{
    uint64_t data = 0;

    for (unsigned i = 0; i < DATA; i++)
        data |= flit[i] << RTR_FLIT_BITS * i;
    return data;
}

/* So many requests on the bus, packets refused, flits of replies. */
static void must_count(unsigned asked, unsigned refused, unsigned flits)
{
    must_be(&t.wrong, t.asked, asked);
    must_be(&t.wrong, t.refused, refused);
    must_be(&t.wrong, t.flits, flits);
}

/* The bus saw this request, and the reply is that head with its length, the command and the data. */
static void must_serve(const struct request *r, bool write)
{
    const uint64_t *reply = &r->flit[1 + KEY];
    const uint64_t sized = (reply[0] & ~(UINT64_C(15) << LENGTH_AT)) | (uint64_t)REPLY << LENGTH_AT;
    const uint64_t head = RTR_LENGTH_BITS ? sized : reply[0];
    const uint64_t data = write ? data_of(&reply[2]) : (uint64_t)t.in.bus.rdata;

    must_be(&t.wrong, t.request.write, write);
    must_be(&t.wrong, t.request.addr, reply[1] & UINT16_MAX);
    if (write)
        must_be(&t.wrong, t.request.wdata, data);
    must_equal(&t.wrong, t.reply[0], head, "head of a reply");
    must_equal(&t.wrong, t.reply[1], reply[1], "command of a reply");
    must_equal(&t.wrong, data_of(&t.reply[2]), data, "data of a reply");
}

/* ---- tests --------------------------------------------------------------------------------------- */

/* Also when reset comes in the midst of a request. Closed: not even who has the key, 0, is served. */
static void test_reset(struct rng *rng)
{
    start();
    t.key = 0;
    const struct request first = make_request(rng, RTR_VCS - 1, true);
    const struct request second = make_request(rng, RTR_VCS - 1, false);
    const struct reg_port_out *out = &t.dut.out;

    send(first.flit, REQUEST, false);
    start();
    must_be(&t.wrong, out->to_router.ready, 1);
    must_be(&t.wrong, out->to_router.room, ALL);
    must_be(&t.wrong, out->to_router.spare, ALL & ~REQUESTS);
    must_be(&t.wrong, out->to_router.valid, 0);
    must_be(&t.wrong, out->bus.valid, 0);
    must_be(&t.wrong, out->refused, 0);
    tap_taken(&t.wrong,
              "after reset: ready, with room for all, for one request at a time, and silent");
    must_be(&t.wrong, send(first.flit, REQUEST, false), 1);
    must_be(&t.wrong, send(second.flit, REQUEST, false), 1);
    idle(PATIENCE);
    /* holds reg_port.closed */
    must_count(0, 2, 0);
    must_be(&t.wrong, local(false, ACCESS, 0), 0);
    must_be(&t.wrong, local(false, REFUSED, 0), UINT64_C(2) << 32);
    tap_taken(&t.wrong, "and closed: a write and a read are refused and counted");
}

static void test_local(void)
{
    start();
    must_be(&t.wrong, is_refused(false, ACCESS), 0);
    must_be(&t.wrong, is_refused(true, ACCESS), 0);
    must_be(&t.wrong, is_refused(false, REFUSED), 0);
    must_be(&t.wrong, is_refused(true, REFUSED), 1);
    must_be(&t.wrong, is_refused(false, 2), 1);
    must_be(&t.wrong, is_refused(true, 0x8000), 1);
    tap_taken(&t.wrong, "the local bus: two registers, one of them read-only, else an error");
}

static void test_served(struct rng *rng)
{
    const unsigned requests = 200;

    start_open(rng, READS | WRITES);
    for (unsigned i = 0; i < requests; i++) {
        const bool write = rng_below(rng, 2);
        const struct request r = make_request(rng, RTR_VCS - 1, write);

        t.in.bus.rdata = rng_next(rng);
        must_be(&t.wrong, send(r.flit, REQUEST, false), 1);
        idle(PATIENCE);
        must_serve(&r, write);
        must_count(i + 1, 0, REPLY * (i + 1));
    }
    /* holds reg_port.layout */
    tap_taken(&t.wrong, "%u requests: the bus asked once each, replies as the layout says",
              requests);
}

/* The upper half of the VCs are responses; the field of the head may name more than there are. */
static void test_vcs(struct rng *rng)
{
    const unsigned vcs = 1 << RTR_HEAD_VC_BITS;

    for (unsigned vc = 0; vc < vcs; vc++) {
        const bool response = vc >= RTR_VCS / 2 && vc < RTR_VCS;

        start_open(rng, READS);
        const struct request r = make_request(rng, vc, false);

        send(r.flit, REQUEST, false);
        idle(PATIENCE);
        must_equal(&t.wrong, t.asked, response, "requests on the bus, VC %u", vc);
        must_equal(&t.wrong, t.refused, !response, "packets refused, VC %u", vc);
        must_equal(&t.wrong, t.flits, response ? REPLY : 0, "flits of the reply, VC %u", vc);
        if (response)
            must_serve(&r, false);
        else
            must_equal(&t.wrong, local(false, REFUSED, 0), 1 << 16, "REFUSED, VC %u", vc);
    }
    tap_taken(&t.wrong, "a reply on VC %u to %u is served, on any other of %u refused", RTR_VCS / 2,
              RTR_VCS - 1, vcs);
}

/* Each bit of the key, and each of the two rights. */
static void test_access(struct rng *rng)
{
    const unsigned cases = 49 * 8;

    for (unsigned i = 0; i < cases; i++) {
        const uint64_t rights = (uint64_t)(i & 3) << 62;
        const bool write = i & 4;

        start_open(rng, rights);
        const uint64_t key = t.key;
        t.key ^= i / 8 < 48 ? UINT64_C(1) << i / 8 : 0;
        const struct request r = make_request(rng, RTR_VCS - 1, write);
        const bool serves = t.key == key && (rights & (write ? WRITES : READS));

        send(r.flit, REQUEST, false);
        idle(PATIENCE);
        must_equal(&t.wrong, local(false, ACCESS, 0), rights | key, "ACCESS, case %u", i);
        must_equal(&t.wrong, t.asked, serves, "requests on the bus, case %u", i);
        must_equal(&t.wrong, local(false, REFUSED, 0), (uint64_t)!serves << 32, "REFUSED, case %u",
                   i);
    }
    /* holds reg_port.key, reg_port.denied */
    tap_taken(&t.wrong, "%u cases: served with all bits of the key and the right, else denied",
              cases);
}

/* Packets of every other length, or marked bad, are refused as malformed; the next request is served. */
static void test_malformed(struct rng *rng)
{
    uint64_t flit[RTR_PACKET] = {0};

    for (unsigned length = 1; length <= RTR_PACKET; length++) {
        start_open(rng, READS | WRITES);
        const struct request r = make_request(rng, RTR_VCS - 1, true);

        for (unsigned i = 0; i < length; i++) /* its last flits are a request's, too */
            flit[i] =
                r.flit[i + REQUEST >= length ? (i + REQUEST - length) % REQUEST : i % REQUEST];
        flit[0] = r.flit[0];
        send(flit, length, length == REQUEST);
        idle(PATIENCE);
        must_equal(&t.wrong, t.asked, 0, "requests on the bus, packet of %u flits", length);
        must_equal(&t.wrong, local(false, REFUSED, 0), 1 << 16, "REFUSED, packet of %u flits",
                   length);
        send(r.flit, REQUEST, false);
        idle(PATIENCE);
        must_equal(&t.wrong, t.asked, 1, "requests on the bus behind a packet of %u flits", length);
        must_serve(&r, true);
    }
    /* holds reg_port.malformed */
    tap_taken(&t.wrong, "packets of 1 to %u flits, of the right length marked bad: refused",
              RTR_PACKET);
}

/* The next reply waits until the last flit of the one before has left the input queue. */
static void test_one_reply(struct rng *rng)
{
    for (unsigned left = 0; left <= REPLY; left++) {
        start_open(rng, WRITES);
        const struct request a = make_request(rng, RTR_VCS / 2, true);
        const struct request b = make_request(rng, RTR_VCS - 1, true);

        t.frees = REPLY - left;
        send(a.flit, REQUEST, false);
        idle(PATIENCE);
        must_serve(&a, true);
        must_count(1, 0, REPLY);
        send(b.flit, REQUEST, false);
        idle(PATIENCE);
        must_count(2, 0, left == 0 ? 2 * REPLY : REPLY);
        must(&t.wrong, left == 0 || !((unsigned)t.dut.out.to_router.room & REQUESTS),
             "room for a request with %u flits of a reply in the input queue", left);
        t.frees = left + REPLY;
        idle(PATIENCE);
        must_count(2, 0, 2 * REPLY);
        must_serve(&b, true);
    }
    /* holds reg_port.one_reply */
    tap_taken(&t.wrong, "with 0 to %u flits of a reply in the input queue the next waits",
              (unsigned)REPLY);
}

/*
 * Responses in every clock of a request's service, requests by their shape or not, while the register bus or the input queue takes its
 * time: each is taken without a wait and counted, and the request is served as if it were alone.
 */
static void test_responses(struct rng *rng)
{
    unsigned taken = 0;
    const unsigned rounds = 200;

    for (unsigned i = 0; i < rounds; i++) {
        start_open(rng, READS | WRITES);
        const struct request r = make_request(rng, RTR_VCS - 1, true);
        const struct request first = make_request(rng, RTR_VCS - 1, true);
        const unsigned stalled = rng_below(rng, REPLY + 1);

        send(first.flit, REQUEST, false);
        t.frees = stalled;
        t.delay = rng_below(rng, 30);
        idle(PATIENCE);
        send(r.flit, REQUEST, false);
        unsigned sent = 0;
        for (; sent < 20; sent++) {
            struct request other = make_request(rng, RTR_VCS - 1, true);

            other.flit[0] = on_vc(other.flit[0], RTR_VCS / 2 + rng_below(rng, RTR_VCS / 2));
            send(other.flit, rng_below(rng, 2) ? REQUEST : 1 + rng_below(rng, REQUEST), false);
        }
        t.frees = UINT32_MAX;
        idle(PATIENCE);
        taken += sent;
        must_be(&t.wrong, t.asked, 2);
        must_serve(&r, true);
        misses_add(&t.wrong, &t.unready);
        must_be(&t.wrong, local(false, REFUSED, 0), sent);
    }
    /* holds reg_port.responses, reg_port.one, reg_port.unasked: unready counts clocks in which requests had room to spare */
    tap_taken(&t.wrong, "%u responses during %u requests: taken at once, refused, counted", taken,
              rounds);
}

int main(int argc, char **argv)
{
    struct rng rng;

    rng_seed(&rng, test_seed(argc, argv));
    harness_clock = &t.clock;
    test_reset(&rng);
    test_local();
    test_served(&rng);
    test_vcs(&rng);
    test_access(&rng);
    test_malformed(&rng);
    test_one_reply(&rng);
    test_responses(&rng);
    return tap_done();
}
