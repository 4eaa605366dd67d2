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
    unsigned unready;        /* clocks in which it did not take flits or responses */
    struct reg_request request;
    uint64_t reply[REPLY]; /* the last one */
    unsigned flits;        /* of all replies */
    unsigned unended;      /* where the end frames: flits of theirs with a wrong mark of it */
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

    t.unready += !out->ready || ((unsigned)out->room | REQUESTS) != ALL ||
                 (unsigned)out->spare != (ALL & ~REQUESTS);
    if (out->valid)
        t.reply[t.flits++ % REPLY] = (uint64_t)out->flit;
#if RTR_LENGTH_BITS == 0
    t.unended +=
        out->valid && (out->tail != (t.flits % REPLY == 0) || (out->tail && out->ok != OK_GOOD));
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
    t.inside = t.wait = t.asked = t.refused = t.flits = t.unready = 0;
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

/* The bus saw this request, and the reply is that head with its length, the command and the data. */
static bool served(const struct request *r, bool write)
{
    const uint64_t *reply = &r->flit[1 + KEY];
    const uint64_t sized = (reply[0] & ~(UINT64_C(15) << LENGTH_AT)) | (uint64_t)REPLY << LENGTH_AT;
    const uint64_t head = RTR_LENGTH_BITS ? sized : reply[0];
    const uint64_t data = write ? data_of(&reply[2]) : (uint64_t)t.in.bus.rdata;

    return (bool)t.request.write == write && (uint64_t)t.request.addr == (reply[1] & UINT16_MAX) &&
           (!write || (uint64_t)t.request.wdata == data) && t.reply[0] == head && t.unended == 0 &&
           t.reply[1] == reply[1] && data_of(&t.reply[2]) == data;
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
    tap_ok(out->to_router.ready && (unsigned)out->to_router.room == ALL &&
               (unsigned)out->to_router.spare == (ALL & ~REQUESTS) && !out->to_router.valid &&
               !out->bus.valid && !out->refused,
           "after reset: ready, with room for all, for one request at a time, and silent");
    const bool sent = send(first.flit, REQUEST, false) && send(second.flit, REQUEST, false);
    idle(PATIENCE);
    /* holds reg_port.closed */
    tap_ok(sent && t.asked == 0 && t.flits == 0 && t.refused == 2 && local(false, ACCESS, 0) == 0 &&
               local(false, REFUSED, 0) == UINT64_C(2) << 32,
           "and closed: a write and a read are refused and counted");
}

static void test_local(void)
{
    start();
    tap_ok(!is_refused(false, ACCESS) && !is_refused(true, ACCESS) && !is_refused(false, REFUSED) &&
               is_refused(true, REFUSED) && is_refused(false, 2) && is_refused(true, 0x8000),
           "the local bus: two registers, one of them read-only, else an error");
}

static void test_served(struct rng *rng)
{
    const unsigned requests = 200;
    unsigned right = 0;

    start_open(rng, READS | WRITES);
    for (unsigned i = 0; i < requests; i++) {
        const bool write = rng_below(rng, 2);
        const struct request r = make_request(rng, RTR_VCS - 1, write);

        t.in.bus.rdata = rng_next(rng);
        right += send(r.flit, REQUEST, false);
        idle(PATIENCE);
        right -= !served(&r, write);
    }
    /* holds reg_port.layout */
    tap_ok(right == requests && t.asked == requests && t.flits == REPLY * requests &&
               t.refused == 0,
           "%u requests: the bus asked once each, replies as the layout says", right);
}

/* The upper half of the VCs are responses; the field of the head may name more than there are. */
static void test_vcs(struct rng *rng)
{
    unsigned right = 0, vcs = 1 << RTR_HEAD_VC_BITS;

    for (unsigned vc = 0; vc < vcs; vc++) {
        const bool response = vc >= RTR_VCS / 2 && vc < RTR_VCS;

        start_open(rng, READS);
        const struct request r = make_request(rng, vc, false);

        send(r.flit, REQUEST, false);
        idle(PATIENCE);
        right += response ? t.asked == 1 && t.refused == 0 && served(&r, false)
                          : t.asked == 0 && t.refused == 1 && t.flits == 0 &&
                                local(false, REFUSED, 0) == 1 << 16;
    }
    tap_ok(right == vcs, "a reply on VC %u to %u is served, on any other of %u refused",
           RTR_VCS / 2, RTR_VCS - 1, vcs);
}

/* Each bit of the key, and each of the two rights. */
static void test_access(struct rng *rng)
{
    const unsigned cases = 49 * 8;
    unsigned right = 0;

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
        right += local(false, ACCESS, 0) == (rights | key) && t.asked == serves &&
                 local(false, REFUSED, 0) == (uint64_t)!serves << 32;
    }
    /* holds reg_port.key, reg_port.denied */
    tap_ok(right == cases, "%u of %u: served with all bits of the key and the right, else denied",
           right, cases);
}

/* Packets of every other length, or marked bad, are refused as malformed; the next request is served. */
static void test_malformed(struct rng *rng)
{
    unsigned right = 0;
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
        right += t.asked == 0 && local(false, REFUSED, 0) == 1 << 16;
        send(r.flit, REQUEST, false);
        idle(PATIENCE);
        right -= !(t.asked == 1 && served(&r, true));
    }
    /* holds reg_port.malformed */
    tap_ok(right == RTR_PACKET, "packets of 1 to %u flits, of the right length marked bad: refused",
           right);
}

/* The next reply waits until the last flit of the one before has left the input queue. */
static void test_one_reply(struct rng *rng)
{
    unsigned right = 0;

    for (unsigned left = 0; left <= REPLY; left++) {
        start_open(rng, WRITES);
        const struct request a = make_request(rng, RTR_VCS / 2, true);
        const struct request b = make_request(rng, RTR_VCS - 1, true);

        t.frees = REPLY - left;
        send(a.flit, REQUEST, false);
        idle(PATIENCE);
        bool good = served(&a, true) && t.flits == REPLY;
        send(b.flit, REQUEST, false);
        idle(PATIENCE);
        good &= t.asked == 2 && t.flits == (left == 0 ? 2 * REPLY : REPLY);
        good &= left == 0 || !((unsigned)t.dut.out.to_router.room & REQUESTS);
        t.frees = left + REPLY;
        idle(PATIENCE);
        right += good && t.flits == 2 * REPLY && served(&b, true);
    }
    /* holds reg_port.one_reply */
    tap_ok(right == REPLY + 1, "with 0 to %u flits of a reply in the input queue the next waits",
           (unsigned)REPLY);
}

/*
 * Responses in every clock of a request's service, requests by their shape or not, while the register bus or the input queue takes its
 * time: each is taken without a wait and counted, and the request is served as if it were alone.
 */
static void test_responses(struct rng *rng)
{
    unsigned right = 0, taken = 0;
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
        right +=
            t.asked == 2 && served(&r, true) && t.unready == 0 && local(false, REFUSED, 0) == sent;
    }
    /* holds reg_port.responses, reg_port.one, reg_port.unasked: unready counts clocks in which requests had room to spare */
    tap_ok(right == rounds, "%u responses during %u requests: taken at once, refused, counted",
           taken, right);
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
