// SPDX-License-Identifier: Apache-2.0
/*
 * test_reg_port.c - reg_port by itself, in front of a router that is played here: the first clock after reset, every
 * VC that a reply can name, replies that stay in the input queue.
 *
 * Fields of the head stand here in words: VC on top, the length of 4 bits below it.
 */
#include "tb/base/harness.h"
#include "router/reg_port.h"

#include <string.h>

enum {
    DATA = (64 + RTR_FLIT_BITS - 1) / RTR_FLIT_BITS,
    REPLY = 2 + DATA,
    REQUEST = 3 + DATA,
    LENGTH_AT = RTR_FLIT_BITS - RTR_HEAD_VC_BITS - 4,
    PATIENCE = 100, /* clocks */
};

#define FLIT_MASK ((UINT64_C(1) << RTR_FLIT_BITS) - 1)

static struct {
    struct reg_port dut;
    struct reg_port_in in;
    uint64_t clock;
    unsigned frees;          /* flits of ours that the input queue is still to let go */
    unsigned inside, wait;   /* flits in there; clocks until the register bus answers */
    unsigned asked, refused; /* requests on the bus, packets refused */
    struct reg_request request;
    uint64_t reply[REPLY]; /* the last one */
    unsigned flits;        /* of all replies */
} t;

struct request {
    uint64_t flit[REQUEST];
};

/* ---- the router ---------------------------------------------------------------------------------- */

static void start(void)
{
    reg_port_reset(&t.dut);
    memset(&t.in, 0, sizeof t.in);
    t.frees = UINT32_MAX;
    t.inside = t.wait = t.asked = t.refused = t.flits = 0;
}

/* The register bus: answers a request once, some clocks after it has come. */
static void answer(void)
{
    const bool asks = t.dut.out.bus.valid;

    t.in.bus.ready = asks && t.wait == 0;
    t.wait = asks && t.wait != 0 ? t.wait - 1 : 3;
    if (t.in.bus.ready) {
        t.asked++;
        t.request = t.dut.out.bus;
    }
}

/* A clock, with a flit on the router's output if there is one; the value says whether it is taken. */
static bool step(const uint64_t *flit, bool tail)
{
    const bool ready = t.dut.out.to_router.ready, frees = t.inside != 0 && t.frees != 0;

    if (t.dut.out.to_router.valid)
        t.reply[t.flits++ % REPLY] = (uint64_t)t.dut.out.to_router.flit;
    t.inside += t.dut.out.to_router.valid;
    t.inside -= frees;
    t.frees -= frees;
    answer();
    t.in.from_router.freed.valid = frees;
    t.in.from_router.valid = flit != NULL;
    t.in.from_router.flit = flit != NULL ? (rtr_flit)*flit : (rtr_flit)0;
    t.in.from_router.tail = tail;
    reg_port(&t.dut, &t.in);
    t.refused += t.dut.out.refused;
    t.clock++;
    return flit != NULL && ready;
}

/* Clocks that it takes. */
static unsigned send(const struct request *r, unsigned flits)
{
    unsigned clocks = 0;

    for (unsigned i = 0; i < flits && clocks < PATIENCE; clocks++)
        i += step(&r->flit[i], i == REQUEST - 1);
    return clocks;
}

static void idle(unsigned clocks)
{
    while (clocks-- > 0)
        step(NULL, false);
}

/* A request, the head of whose reply says a wrong length. */
static struct request make_request(struct rng *rng, unsigned vc, bool write)
{
    const uint64_t low = (UINT64_C(1) << (RTR_FLIT_BITS - RTR_HEAD_VC_BITS)) - 1;
    struct request r;

    for (unsigned i = 0; i < REQUEST; i++)
        r.flit[i] = rng_next(rng) & FLIT_MASK;
    r.flit[1] = (uint64_t)vc << (RTR_FLIT_BITS - RTR_HEAD_VC_BITS) | (r.flit[1] & low);
    r.flit[2] = (r.flit[2] & ~(UINT64_C(1) << 23)) | (uint64_t)write << 23;
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
    const uint64_t head = (r->flit[1] & ~(UINT64_C(15) << LENGTH_AT)) | (uint64_t)REPLY
                                                                            << LENGTH_AT;
    const uint64_t data = write ? data_of(&r->flit[3]) : (uint64_t)t.in.bus.rdata;

    return (bool)t.request.write == write &&
           (uint64_t)t.request.addr == (r->flit[2] & UINT16_MAX) &&
           (!write || (uint64_t)t.request.wdata == data) && t.reply[0] == head &&
           t.reply[1] == r->flit[2] && data_of(&t.reply[2]) == data;
}

/* ---- tests --------------------------------------------------------------------------------------- */

/* Also when reset comes in the midst of a request. */
static void test_reset(struct rng *rng)
{
    const struct request first = make_request(rng, RTR_VCS - 1, true);
    const struct reg_port_out *out = &t.dut.out;

    start();
    send(&first, REQUEST / 2);
    start();
    tap_ok(out->to_router.ready && (unsigned)out->to_router.room == (1u << RTR_VCS) - 1 &&
               (unsigned)out->to_router.spare == (1u << RTR_VCS) - 1 && !out->to_router.valid &&
               !out->bus.valid && !out->refused,
           "after reset: ready, with room for all, and silent");
    const unsigned clocks = send(&first, REQUEST);
    idle(PATIENCE);
    tap_ok(clocks == REQUEST && t.asked == 1 && t.flits == REPLY && served(&first, true),
           "a request that begins in the first clock is taken flit by flit and served");
}

static void test_served(struct rng *rng)
{
    const unsigned requests = 200;
    unsigned right = 0;

    start();
    for (unsigned i = 0; i < requests; i++) {
        const bool write = rng_below(rng, 2);
        const struct request r = make_request(rng, RTR_VCS - 1, write);

        t.in.bus.rdata = rng_next(rng);
        send(&r, REQUEST);
        idle(PATIENCE);
        right += served(&r, write);
    }
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
        const struct request r = make_request(rng, vc, false);

        start();
        send(&r, REQUEST);
        idle(PATIENCE);
        right += response ? t.asked == 1 && t.refused == 0 && served(&r, false)
                          : t.asked == 0 && t.refused == 1 && t.flits == 0;
    }
    tap_ok(right == vcs, "a reply on VC %u to %u is served, on any other of %u refused",
           RTR_VCS / 2, RTR_VCS - 1, vcs);
}

/* The next reply waits until the last flit of the one before has left the input queue. */
static void test_one_reply(struct rng *rng)
{
    unsigned right = 0;

    for (unsigned left = 0; left <= REPLY; left++) {
        const struct request a = make_request(rng, RTR_VCS / 2, true);
        const struct request b = make_request(rng, RTR_VCS - 1, true);

        start();
        t.frees = REPLY - left;
        send(&a, REQUEST);
        idle(PATIENCE);
        bool good = served(&a, true) && t.flits == REPLY;
        send(&b, REQUEST);
        idle(PATIENCE);
        good &= t.asked == 2 && t.flits == (left == 0 ? 2 * REPLY : REPLY);
        t.frees = left + REPLY;
        idle(PATIENCE);
        right += good && t.flits == 2 * REPLY && served(&b, true);
    }
    tap_ok(right == REPLY + 1, "with 0 to %u flits of a reply in the input queue the next waits",
           (unsigned)REPLY);
}

int main(int argc, char **argv)
{
    struct rng rng;

    rng_seed(&rng, test_seed(argc, argv));
    harness_clock = &t.clock;
    test_reset(&rng);
    test_served(&rng);
    test_vcs(&rng);
    test_one_reply(&rng);
    return tap_done();
}
